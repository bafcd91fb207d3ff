/* SPDX-License-Identifier: MIT */
#include "lang/parse.h"

typedef RK_VEC(rk_axis) axis_vec;
typedef RK_VEC(rk_axes) axes_vec;
typedef RK_VEC(rk_affine_term) term_vec;

static bool axis_list(rk_parser *p, bool in_group, rk_axes *out);

static bool is_sign(const rk_parser *p)
{
    return p->tok.kind == RK_TOK_PLUS || p->tok.kind == RK_TOK_MINUS;
}

/* label = NAME {"'"} */
bool rk_parse_label(rk_parser *p, const char **name, int *primes)
{
    if (!rk_parse_name(p, name))
        return false;
    *primes = 0;
    if (p->tok.kind == RK_TOK_PRIMES) {
        *primes = (int)p->tok.span.n;
        rk_parse_advance(p);
    }
    return true;
}

/* [sign] [NUMBER] (label | NUMBER): a number directly before a word is its factor. */
static bool affine_term(rk_parser *p, rk_affine_term *t)
{
    uint32_t from = p->tok.span.at;

    t->sign = p->tok.kind == RK_TOK_MINUS ? -1 : 1;
    t->factor = 1;
    if (is_sign(p))
        rk_parse_advance(p);
    if (p->tok.kind == RK_TOK_NUMBER) {
        if (!rk_parse_number(p, &t->factor))
            return false;
        t->span = rk_parse_span(p, from);
        if (p->tok.space || !(p->tok.kind == RK_TOK_NAME || rk_token_is_word(p->tok.kind)))
            return true;
    }
    if (!rk_parse_label(p, &t->name, &t->primes))
        return false;
    t->span = rk_parse_span(p, from);
    return true;
}

/* What a single term is: a label, a size, or an index with a factor or a sign. */
static bool single(rk_parser *p, const rk_affine_term *t, rk_axis *out)
{
    if (t->name == NULL && t->sign < 0)
        return rk_note(&p->notes, t->span, "a number on its own is a size and has no sign");
    out->kind = t->name == NULL ? RK_AXIS_NUMBER : RK_AXIS_NAME;
    if (t->name != NULL && (t->factor != 1 || t->sign < 0))
        out->kind = RK_AXIS_AFFINE;
    if (out->kind == RK_AXIS_NUMBER)
        out->number = t->factor;
    if (out->kind == RK_AXIS_NAME) {
        out->name = t->name;
        out->primes = t->primes;
    }
    return true;
}

/* label | NUMBER | NAME "@" NAME | affine, affine = term {sign term}; in a group no more than a label or a size */
static bool index_axis(rk_parser *p, bool in_group, rk_axis *out)
{
    term_vec list = {0};
    rk_affine_term *t, first = {0};

    if (!affine_term(p, &first))
        return false;
    if (p->tok.kind == RK_TOK_ROUTED) {
        if (first.name == NULL || first.primes != 0 || first.sign < 0 || first.factor != 1)
            return rk_note(&p->notes, p->tok.span, "'@' stands between two plain names");
        rk_parse_advance(p);
        out->kind = RK_AXIS_ROUTED;
        out->name = first.name;
        return rk_parse_name(p, &out->routed);
    }
    t = RK_PUSH(p->arena, &list);
    if (t == NULL)
        return false;
    *t = first;
    while (!in_group && is_sign(p)) {
        if (list.n >= RK_AXES_MAX)
            return rk_parse_too_many(p, "terms of an index", RK_AXES_MAX);
        t = RK_PUSH(p->arena, &list);
        if (t == NULL || !affine_term(p, t))
            return false;
    }
    out->kind = RK_AXIS_AFFINE;
    out->term = list.at;
    out->n_term = list.n;
    if (list.n == 1 && !single(p, &first, out))
        return false;
    if (in_group && out->kind == RK_AXIS_AFFINE)
        return rk_note(&p->notes, first.span, "a factor cannot stand inside round brackets; write its number apart");
    return true;
}

/* "(" {axis} {"+" {axis}} ")" */
static bool group(rk_parser *p, rk_axis *out)
{
    axes_vec list = {0};

    if (!rk_parse_enter(p))
        return false;
    do {
        if (list.n >= RK_AXES_MAX)
            return rk_parse_too_many(p, "summands", RK_AXES_MAX);
        rk_axes *part = RK_PUSH(p->arena, &list);
        rk_parse_advance(p);
        if (part == NULL || !axis_list(p, true, part))
            return false;
        if (part->n == 0)
            return rk_parse_expected(p, "an axis");
    } while (p->tok.kind == RK_TOK_PLUS);
    if (!rk_parse_expect(p, RK_TOK_ROUND_CLOSE))
        return false;
    out->kind = list.n == 1 ? RK_AXIS_PRODUCT : RK_AXIS_SUM;
    out->part = list.at;
    out->n_part = list.n;
    rk_parse_leave(p);
    return true;
}

/* axis = label | NUMBER | ".." | NAME "@" NAME | affine | group */
static bool axis(rk_parser *p, bool in_group, rk_axis *out)
{
    uint32_t from = p->tok.span.at;
    bool good = true;

    if (p->tok.kind == RK_TOK_ROUND_OPEN) {
        good = group(p, out);
    } else if (rk_parse_accept(p, RK_TOK_REST)) {
        out->kind = RK_AXIS_REST;
    } else {
        good = index_axis(p, in_group, out);
    }
    if (!good)
        return false;
    out->span = rk_parse_span(p, from);
    /* Labels and numbers have taken their signs by now. */
    if (!in_group && is_sign(p))
        return rk_note(&p->notes, p->tok.span, "a sum of such axes needs round brackets around it");
    return true;
}

static bool begins_axis(const rk_parser *p, bool in_group)
{
    switch (p->tok.kind) {
    case RK_TOK_NAME:
    case RK_TOK_NUMBER:
    case RK_TOK_REST:
    case RK_TOK_ROUND_OPEN:
        return true;
    default:
        return (!in_group && is_sign(p)) || rk_token_is_word(p->tok.kind);
    }
}

static bool axis_list(rk_parser *p, bool in_group, rk_axes *out)
{
    axis_vec list = {0};
    uint32_t from = p->tok.span.at;

    while (begins_axis(p, in_group)) {
        if (list.n >= RK_AXES_MAX)
            return rk_parse_too_many(p, "axes", RK_AXES_MAX);
        rk_axis *one = RK_PUSH(p->arena, &list);
        if (one == NULL || !axis(p, in_group, one))
            return false;
    }
    *out = (rk_axes){.at = list.at, .n = list.n, .written = true, .span = rk_parse_span(p, from)};
    return true;
}

/* axes = "[" {axis} "]" */
bool rk_parse_axes(rk_parser *p, rk_axes *out)
{
    uint32_t from = p->tok.span.at;

    p->lex.in_axes = true;
    if (!rk_parse_expect(p, RK_TOK_SQUARE_OPEN) || !axis_list(p, false, out))
        return false;
    p->lex.in_axes = false;
    if (p->tok.kind == RK_TOK_COMMA)
        return rk_note(&p->notes, p->tok.span, "axes are separated by blanks, not by ','");
    if (!rk_parse_expect(p, RK_TOK_SQUARE_CLOSE))
        return false;
    out->span = rk_parse_span(p, from);
    return true;
}
