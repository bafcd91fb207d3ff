/* SPDX-License-Identifier: MIT */
#include "lang/parse.h"

#include <string.h>

typedef RK_VEC(const char *) word_vec;
typedef RK_VEC(rk_target) target_vec;
typedef RK_VEC(rk_param) param_vec;
typedef RK_VEC(rk_stmts) branch_vec;

/* ---- pieces ---- */

/* item {"," item} */
static bool list(rk_parser *p, rk_node *(*item)(rk_parser *), rk_nodes *out)
{
    rk_node_vec v = {0};

    do {
        if (v.n >= RK_ARGS_MAX)
            return rk_parse_too_many(p, "items in a list", RK_ARGS_MAX);
        rk_node **slot = RK_PUSH(p->arena, &v);
        if (slot == NULL || (*slot = item(p)) == NULL)
            return false;
    } while (rk_parse_accept(p, RK_TOK_COMMA));
    *out = (rk_nodes){.at = v.at, .n = v.n};
    return true;
}

static bool one_child(rk_parser *p, rk_stmt *s, rk_node *n)
{
    if (n == NULL || (s->child.at = RK_NEW(p->arena, rk_node *)) == NULL)
        return false;
    s->child.at[0] = n;
    s->child.n = 1;
    return true;
}

static bool name(rk_parser *p, rk_stmt *s)
{
    s->name_span = p->tok.span;
    return rk_parse_name(p, &s->name);
}

/* [TEXT] */
static bool description(rk_parser *p, rk_stmt *s)
{
    if (p->tok.kind != RK_TOK_TEXT)
        return true;
    rk_node *n = rk_parse_text(p);
    if (n != NULL)
        s->text = n->text;
    return n != NULL;
}

/* only = "if" value */
static bool only(rk_parser *p, rk_stmt *s)
{
    if (!rk_parse_accept(p, RK_TOK_IF))
        return true;
    s->only_if = rk_parse_value(p);
    return s->only_if != NULL;
}

/* NAME axes */
static rk_node *tensor(rk_parser *p)
{
    return rk_parse_with_axes(p, rk_parse_name_node(p), true);
}

/* weight axes */
static rk_node *stored_weight(rk_parser *p)
{
    return rk_parse_with_axes(p, rk_parse_weight_node(p), true);
}

/* A tensor of another layout has its axes; a prefix that is called otherwise has none. */
static rk_node *stored_as(rk_parser *p)
{
    return rk_parse_with_axes(p, rk_parse_weight_node(p), false);
}

/* ---- statements of one line, each after its first word ---- */

static bool model(rk_parser *p, rk_stmt *s)
{
    if (p->n_stmt > 1)
        return rk_note(&p->notes, s->span, "the line of the model must be the first of the file");
    if (!name(p, s) || !rk_parse_expect(p, RK_TOK_COLON))
        return false;
    return p->tok.kind == RK_TOK_TEXT ? description(p, s) : rk_parse_expected(p, "a text in quotes");
}

static bool use(rk_parser *p, rk_stmt *s)
{
    if (p->tok.kind != RK_TOK_PATH)
        return rk_parse_expected(p, "the path of a file");
    s->text = rk_parse_copy(p, p->tok.span);
    rk_parse_advance(p);
    return s->text != NULL;
}

/* let and run */
static bool symbol(rk_parser *p, rk_stmt *s)
{
    if (!name(p, s))
        return false;
    if (rk_parse_accept(p, RK_TOK_ASSIGN) && !one_child(p, s, rk_parse_value(p)))
        return false;
    return description(p, s);
}

static bool choose(rk_parser *p, rk_stmt *s)
{
    word_vec v = {0};

    if (!name(p, s) || !rk_parse_expect(p, RK_TOK_ASSIGN))
        return false;
    do {
        if (v.n >= RK_ARGS_MAX)
            return rk_parse_too_many(p, "choices", RK_ARGS_MAX);
        const char **slot = RK_PUSH(p->arena, &v);
        if (slot == NULL || !rk_parse_name(p, slot))
            return false;
    } while (rk_parse_accept(p, RK_TOK_BAR));
    s->word = v.at;
    s->n_word = v.n;
    return description(p, s);
}

static bool note(rk_parser *p, rk_stmt *s)
{
    rk_span span = p->tok.span;
    size_t n;

    if (p->tok.kind != RK_TOK_TEXT)
        return rk_parse_expected(p, "a text in quotes");
    if (!description(p, s))
        return false;
    n = strlen(s->text);
    if (n == 0 || n > RK_NOTE_MAX || strchr(s->text, '\t') != NULL)
        return rk_note(&p->notes, span, "a note has from 1 to %d bytes, and no tabs", RK_NOTE_MAX);
    return true;
}

static bool tie(rk_parser *p, rk_stmt *s)
{
    s->weight[0] = rk_parse_weight(p);
    if (s->weight[0] == NULL || !rk_parse_expect(p, RK_TOK_TO))
        return false;
    s->weight[1] = rk_parse_weight(p);
    return s->weight[1] != NULL;
}

static bool stored(rk_parser *p, rk_stmt *s)
{
    s->weight[0] = rk_parse_weight(p);
    if (s->weight[0] == NULL || !rk_parse_expect(p, RK_TOK_AS))
        return false;
    return list(p, stored_as, &s->child);
}

/* "last" value "of" NAME {"," NAME} "over" label, or NAME {"," NAME} "over" label ["as" NAME] ["within" value] */
static bool keep(rk_parser *p, rk_stmt *s)
{
    if (rk_parse_accept(p, RK_TOK_LAST)) {
        s->kind = RK_STMT_KEEP_LAST;
        s->within = rk_parse_value(p);
        if (s->within == NULL || !rk_parse_expect(p, RK_TOK_OF))
            return false;
    }
    if (!list(p, rk_parse_name_node, &s->child) || !rk_parse_expect(p, RK_TOK_OVER) ||
        !rk_parse_label(p, &s->over, &s->over_primes))
        return false;
    if (s->kind == RK_STMT_KEEP_LAST)
        return true;
    if (rk_parse_accept(p, RK_TOK_AS)) {
        s->as_last = rk_parse_accept(p, RK_TOK_LAST);
        if ((s->as_last && !rk_parse_expect(p, RK_TOK_OF)) || !rk_parse_name(p, &s->as))
            return false;
    }
    if (!rk_parse_accept(p, RK_TOK_WITHIN))
        return true;
    s->within = rk_parse_value_only(p, &s->only_if);
    return s->within != NULL;
}

static bool loss(rk_parser *p, rk_stmt *s)
{
    return one_child(p, s, rk_parse_call(p));
}

/* ---- equations ---- */

/* target = NAME [axes] | "_" */
static bool target(rk_parser *p, rk_target *t)
{
    uint32_t from = p->tok.span.at;

    if (!rk_parse_name(p, &t->name))
        return false;
    if (p->tok.kind == RK_TOK_SQUARE_OPEN && !rk_parse_axes(p, &t->axes))
        return false;
    t->span = rk_parse_span(p, from);
    return true;
}

static bool target_list(rk_parser *p, bool (*item)(rk_parser *, rk_target *), rk_stmt *s)
{
    target_vec v = {0};

    do {
        if (v.n >= RK_ARGS_MAX)
            return rk_parse_too_many(p, "targets", RK_ARGS_MAX);
        rk_target *t = RK_PUSH(p->arena, &v);
        if (t == NULL || !item(p, t))
            return false;
    } while (rk_parse_accept(p, RK_TOK_COMMA));
    s->target = v.at;
    s->n_target = v.n;
    return true;
}

/* The word of the language that a misspelt one is nearest to, or RK_TOK_END. */
static rk_token_kind nearest_word(const char *text)
{
    size_t least = strlen(text) / 2 < 2 ? strlen(text) / 2 : 2;
    rk_token_kind nearest = RK_TOK_END;

    for (rk_token_kind k = RK_TOK_MODEL; k <= RK_TOK_ELSE; k++) {
        size_t d = rk_edit_distance(text, rk_token_text(k), least);

        if (d <= least && (nearest == RK_TOK_END || d < least)) {
            nearest = k;
            least = d;
        }
    }
    return nearest;
}

/* A line that begins with an unknown word: perhaps one of the language, misspelt. */
static bool no_equation(rk_parser *p, const rk_stmt *s)
{
    const rk_target *t = &s->target[0];
    bool alone = s->n_target == 1 && !t->axes.written && strlen(t->name) > 2;
    rk_token_kind meant = alone ? nearest_word(t->name) : RK_TOK_END;

    if (meant == RK_TOK_END)
        return rk_parse_expected(p, "'='");
    return rk_note(&p->notes, t->span, "unknown statement '%s'; did you mean '%s'?", t->name, rk_token_text(meant));
}

/* target {"," target} "=" value ["where" …] [only] */
static bool equation(rk_parser *p, rk_stmt *s)
{
    s->kind = RK_STMT_EQUATION;
    if (!target_list(p, target, s))
        return false;
    if (!rk_parse_accept(p, RK_TOK_ASSIGN))
        return no_equation(p, s);
    if (!one_child(p, s, rk_parse_value_only(p, &s->only_if)))
        return false;
    if (s->only_if != NULL || !rk_parse_accept(p, RK_TOK_WHERE))
        return true;
    s->where = rk_parse_where(p);
    return s->where != NULL && only(p, s);
}

/* ---- heads of blocks, each after its first word ---- */

static bool at(rk_parser *p, rk_stmt *s)
{
    s->prefix = rk_parse_prefix(p);
    return s->prefix != NULL;
}

/* NAME ["[" NAME "<" value "]"] ["at" prefix] */
static bool part(rk_parser *p, rk_stmt *s)
{
    if (!name(p, s))
        return false;
    if (rk_parse_accept(p, RK_TOK_SQUARE_OPEN)) {
        if (!rk_parse_name(p, &s->index) || !rk_parse_expect(p, RK_TOK_LESS))
            return false;
        if (!one_child(p, s, rk_parse_value(p)) || !rk_parse_expect(p, RK_TOK_SQUARE_CLOSE))
            return false;
    }
    return !rk_parse_accept(p, RK_TOK_AT) || at(p, s);
}

/* param = NAME axes ["=" "None"] | NAME ["=" value] */
static bool param(rk_parser *p, rk_param *q)
{
    uint32_t from = p->tok.span.at;

    if (!rk_parse_name(p, &q->name))
        return false;
    if (p->tok.kind == RK_TOK_SQUARE_OPEN && !rk_parse_axes(p, &q->axes))
        return false;
    if (rk_parse_accept(p, RK_TOK_ASSIGN)) {
        if (q->axes.written && p->tok.kind != RK_TOK_NONE)
            return rk_parse_expected(p, "'None' for a tensor that may be missing");
        q->fallback = rk_parse_value(p);
        if (q->fallback == NULL)
            return false;
    }
    q->span = rk_parse_span(p, from);
    return true;
}

static bool param_list(rk_parser *p, rk_stmt *s)
{
    param_vec v = {0};

    do {
        if (v.n >= RK_ARGS_MAX)
            return rk_parse_too_many(p, "parameters", RK_ARGS_MAX);
        rk_param *q = RK_PUSH(p->arena, &v);
        if (q == NULL || !param(p, q))
            return false;
    } while (rk_parse_accept(p, RK_TOK_COMMA));
    s->param = v.at;
    s->n_param = v.n;
    return true;
}

static bool result(rk_parser *p, rk_target *t)
{
    t->span = p->tok.span;
    return rk_parse_name(p, &t->name);
}

/* NAME "(" [param {"," param}] ")" "->" NAME {"," NAME} */
static bool block(rk_parser *p, rk_stmt *s)
{
    if (!name(p, s) || !rk_parse_expect(p, RK_TOK_ROUND_OPEN))
        return false;
    if (p->tok.kind != RK_TOK_ROUND_CLOSE && !param_list(p, s))
        return false;
    if (!rk_parse_expect(p, RK_TOK_ROUND_CLOSE) || !rk_parse_expect(p, RK_TOK_ARROW))
        return false;
    return target_list(p, result, s);
}

static bool end_of_head(rk_parser *p, rk_stmt *s)
{
    if (!rk_parse_expect(p, RK_TOK_COLON))
        return false;
    s->span = rk_parse_span(p, s->span.at);
    return rk_parse_end_of_line(p);
}

/* "if" value ":" body {"elif" value ":" body} ["else" ":" body] */
static void if_statement(rk_parser *p, rk_stmt *s)
{
    size_t indent = p->column;
    rk_node_vec conditions = {0};
    branch_vec bodies = {0};
    rk_token_kind word;

    s->kind = RK_STMT_IF;
    do {
        rk_stmt head = {.span = p->tok.span}, *span_of = bodies.n == 0 ? s : &head;
        rk_stmts lines = {0}, *body = RK_PUSH(p->arena, &bodies);
        bool good = body != NULL;

        word = p->tok.kind;
        rk_parse_advance(p);
        if (word != RK_TOK_ELSE) {
            rk_node **condition = RK_PUSH(p->arena, &conditions);

            good = good && condition != NULL && (*condition = rk_parse_value(p)) != NULL;
        }
        good = good && end_of_head(p, span_of);
        rk_parse_body(p, indent, good, &lines);
        if (body != NULL)
            *body = lines;
    } while (p->column == indent && word != RK_TOK_ELSE && (p->tok.kind == RK_TOK_ELIF || p->tok.kind == RK_TOK_ELSE));
    s->child = (rk_nodes){.at = conditions.at, .n = conditions.n};
    s->branch = bodies.at;
    s->n_branch = bodies.n;
}

/* ---- statement ---- */

/* What follows a word: what `read` reads, or else a list of `item`s; then perhaps a condition or a block. */
typedef enum form_end {
    ENDS,
    MAY_HAVE_IF,
    OPENS_BLOCK
} form_end;

static const struct form {
    rk_token_kind word;
    rk_stmt_kind kind;
    bool (*read)(rk_parser *p, rk_stmt *s);
    rk_node *(*item)(rk_parser *p);
    form_end end;
} forms[] = {
    {RK_TOK_MODEL, RK_STMT_MODEL, model, NULL, ENDS},
    {RK_TOK_USE, RK_STMT_USE, use, NULL, ENDS},
    {RK_TOK_FAMILY, RK_STMT_FAMILY, NULL, rk_parse_text, ENDS},
    {RK_TOK_CLASSES, RK_STMT_CLASSES, NULL, rk_parse_text, ENDS},
    {RK_TOK_LOWER, RK_STMT_LOWER, NULL, rk_parse_text, ENDS},
    {RK_TOK_LET, RK_STMT_LET, symbol, NULL, ENDS},
    {RK_TOK_RUN, RK_STMT_RUN, symbol, NULL, ENDS},
    {RK_TOK_CHOOSE, RK_STMT_CHOOSE, choose, NULL, ENDS},
    {RK_TOK_CHECK, RK_STMT_CHECK, NULL, rk_parse_value, ENDS},
    {RK_TOK_NOTE, RK_STMT_NOTE, note, NULL, MAY_HAVE_IF},
    {RK_TOK_INPUT, RK_STMT_INPUT, NULL, tensor, ENDS},
    {RK_TOK_INCOMING, RK_STMT_INCOMING, NULL, tensor, ENDS},
    {RK_TOK_TIE, RK_STMT_TIE, tie, NULL, MAY_HAVE_IF},
    {RK_TOK_FROZEN, RK_STMT_FROZEN, NULL, rk_parse_weight_node, MAY_HAVE_IF},
    {RK_TOK_BUFFER, RK_STMT_BUFFER, NULL, stored_weight, MAY_HAVE_IF},
    {RK_TOK_UNUSED, RK_STMT_UNUSED, NULL, stored_weight, MAY_HAVE_IF},
    {RK_TOK_STORED, RK_STMT_STORED, stored, NULL, MAY_HAVE_IF},
    {RK_TOK_KEEP, RK_STMT_KEEP, keep, NULL, MAY_HAVE_IF},
    {RK_TOK_OUTPUT, RK_STMT_OUTPUT, NULL, rk_parse_name_node, MAY_HAVE_IF},
    {RK_TOK_BESIDE, RK_STMT_BESIDE, NULL, rk_parse_name_node, MAY_HAVE_IF},
    {RK_TOK_LOSS, RK_STMT_LOSS, loss, NULL, MAY_HAVE_IF},
    {RK_TOK_PART, RK_STMT_PART, part, NULL, OPENS_BLOCK},
    {RK_TOK_AT, RK_STMT_AT, at, NULL, OPENS_BLOCK},
    {RK_TOK_BLOCK, RK_STMT_BLOCK, block, NULL, OPENS_BLOCK},
};

/* Whether a word of the language stands where an equation would have its target. */
static bool used_as_target(const rk_parser *p)
{
    rk_token_kind next = rk_parse_peek(p).kind;
    bool takes_value = p->tok.kind == RK_TOK_IF || p->tok.kind == RK_TOK_ELIF || p->tok.kind == RK_TOK_CHECK;

    return next == RK_TOK_ASSIGN || next == RK_TOK_COMMA || (next == RK_TOK_SQUARE_OPEN && !takes_value);
}

/* Ends a statement without a block, which was read well or not. */
static bool end_of_simple(rk_parser *p, rk_stmt *s, bool good)
{
    if (!good)
        return false;
    s->span = rk_parse_span(p, s->span.at);
    return rk_parse_end_of_line(p);
}

static bool worded(rk_parser *p, rk_stmt *s, const struct form *f)
{
    size_t indent = p->column;

    s->kind = f->kind;
    rk_parse_advance(p);
    bool good = f->read != NULL ? f->read(p, s) : list(p, f->item, &s->child);
    if (f->end != OPENS_BLOCK)
        return end_of_simple(p, s, good && (f->end == ENDS || only(p, s)));
    good = good && end_of_head(p, s);
    rk_parse_body(p, indent, good, &s->body);
    return true;
}

bool rk_parse_statement(rk_parser *p, rk_stmt *s)
{
    if (p->tok.kind == RK_TOK_NAME)
        return end_of_simple(p, s, equation(p, s));
    if (!rk_token_is_word(p->tok.kind))
        return rk_parse_expected(p, "a statement");
    if (used_as_target(p)) {
        if (!rk_token_may_name(p->tok.kind))
            return rk_parse_reserved(p);
        rk_parse_as_name(p);
        return end_of_simple(p, s, equation(p, s));
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].word == p->tok.kind)
            return worded(p, s, &forms[i]);
    if (p->tok.kind == RK_TOK_ELIF || p->tok.kind == RK_TOK_ELSE)
        return rk_note(&p->notes, p->tok.span, "'%s' without an 'if' above it", rk_token_text(p->tok.kind));
    if (p->tok.kind != RK_TOK_IF)
        return rk_parse_reserved(p);
    if_statement(p, s);
    return true;
}
