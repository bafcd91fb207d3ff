/* SPDX-License-Identifier: MIT */
#include "lang/parse.h"

typedef RK_VEC(rk_name_piece) piece_vec;

static rk_name_piece *new_piece(rk_parser *p, piece_vec *list)
{
    if (list->n < RK_ARGS_MAX)
        return RK_PUSH(p->arena, list);
    rk_parse_too_many(p, "pieces of a name", RK_ARGS_MAX);
    return NULL;
}

/* Words, without the mark that a weight begins with. */
static bool text_piece(rk_parser *p, piece_vec *list, uint32_t skip)
{
    rk_span span = p->tok.span;
    rk_name_piece *piece;

    span.at += skip;
    span.n -= skip;
    if (span.n > 0) {
        piece = new_piece(p, list);
        if (piece == NULL || (piece->text = rk_parse_copy(p, span)) == NULL)
            return false;
    }
    rk_parse_advance(p);
    return true;
}

/* "{" value "}" */
static bool value_piece(rk_parser *p, piece_vec *list)
{
    rk_name_piece *piece = new_piece(p, list);

    if (piece == NULL || !rk_parse_enter(p))
        return false;
    rk_parse_advance(p);
    piece->node = rk_parse_value(p);
    if (piece->node == NULL || !rk_parse_expect(p, RK_TOK_CURLY_CLOSE))
        return false;
    rk_parse_leave(p);
    return true;
}

/* Words and {values} that directly follow each other, the first `skip` bytes left out. */
static rk_name *pieces(rk_parser *p, uint32_t skip)
{
    piece_vec list = {0};
    uint32_t from = p->tok.span.at;
    rk_name *name = RK_NEW(p->arena, rk_name);
    bool good = name != NULL && (skip == 0 || text_piece(p, &list, skip));

    while (good && (p->tok.kind == RK_TOK_PIECE || (p->tok.kind == RK_TOK_CURLY_OPEN && !p->tok.space)))
        good = p->tok.kind == RK_TOK_PIECE ? text_piece(p, &list, 0) : value_piece(p, &list);
    if (!good)
        return NULL;
    name->from_root = p->lex.source->text[from] == '/';
    name->piece = list.at;
    name->n = list.n;
    name->span = rk_parse_span(p, from);
    return name;
}

/* weight = ("." | "/") words with {value} inside */
rk_name *rk_parse_weight(rk_parser *p)
{
    if (p->tok.kind == RK_TOK_WEIGHT)
        return pieces(p, 1);
    rk_parse_expected(p, "a weight such as .name");
    return NULL;
}

/* prefix = words with {value} inside */
rk_name *rk_parse_prefix(rk_parser *p)
{
    if (p->tok.kind == RK_TOK_WEIGHT) {
        rk_note(&p->notes, p->tok.span, "a prefix does not begin with '%c'", p->lex.source->text[p->tok.span.at]);
        return NULL;
    }
    if (p->tok.kind != RK_TOK_PIECE && p->tok.kind != RK_TOK_CURLY_OPEN) {
        rk_parse_expected(p, "a prefix");
        return NULL;
    }
    p->tok.space = false; /* the blank after "at" parts nothing */
    return pieces(p, 0);
}
