/* SPDX-License-Identifier: MIT */
#include "lang/parse.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every node is made here, with the depth of its tree after it. */
typedef struct deep_node {
    rk_node node;
    size_t depth;
} deep_node;

static size_t depth_of(const rk_node *n)
{
    return ((const deep_node *)(const void *)n)->depth;
}

/* Makes `n` at least one level deeper than `below`; NULL when that is too deep. */
static rk_node *raise(rk_parser *p, rk_node *n, const rk_node *below)
{
    deep_node *d = (deep_node *)(void *)n;

    if (d->depth <= depth_of(below))
        d->depth = depth_of(below) + 1;
    if (d->depth <= RK_TREE_MAX)
        return n;
    rk_note(&p->notes, p->tok.span, "too many operators inside each other; the limit is %d", RK_TREE_MAX);
    return NULL;
}

/* A node that goes from `from` to the last token read, above `child[0..n)`, which are copied. */
static rk_node *new_node(rk_parser *p, rk_node_kind kind, uint32_t from, size_t n, rk_node *const *child)
{
    deep_node *d = RK_NEW(p->arena, deep_node);
    rk_node *node = d != NULL ? &d->node : NULL;

    if (node == NULL)
        return NULL;
    d->depth = 1;
    node->kind = kind;
    node->span = rk_parse_span(p, from);
    if (n == 0)
        return node;
    node->child = (rk_nodes){.at = rk_arena_copy_array(p->arena, child, n, sizeof *child), .n = n};
    if (node->child.at == NULL)
        return NULL;
    for (size_t i = 0; i < n && node != NULL; i++)
        node = raise(p, node, child[i]);
    return node;
}

/* ---- primary ---- */

static rk_node *number(rk_parser *p)
{
    rk_i128 value;
    uint32_t from = p->tok.span.at;

    if (!rk_parse_number(p, &value))
        return NULL;
    rk_node *n = new_node(p, RK_NODE_NUMBER, from, 0, NULL);
    if (n != NULL)
        n->number = value;
    return n;
}

/* The text without '_'; its point left out, and the decimals after it counted: "12.50e3" is "1250", 2, 3. */
static long split_real(const char *text, char *mantissa)
{
    long decimals = 0, exponent = 0;
    bool after_point = false;

    for (; *text != '\0' && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.')
            after_point = true;
        else
            *mantissa++ = *text;
        decimals += after_point && *text != '.';
    }
    *mantissa = '\0';
    if (*text != '\0')
        exponent = strtol(text + 1, NULL, 10);
    if (exponent > 1000000 || exponent < -1000000)
        exponent = exponent > 0 ? 1000000 : -1000000;
    return exponent - decimals;
}

/* Read by way of digits and an exponent alone: a point would depend on the user's locale. */
static rk_node *real(rk_parser *p)
{
    char *text = rk_parse_copy(p, p->tok.span), *to = text;
    char *plain = rk_alloc(p->arena, p->tok.span.n + 32);
    uint32_t from = p->tok.span.at;

    if (text == NULL || plain == NULL)
        return NULL;
    for (const char *c = text; *c != '\0'; c++)
        if (*c != '_')
            *to++ = *c;
    *to = '\0';
    long exponent = split_real(text, plain);
    snprintf(plain + strlen(plain), 32, "e%ld", exponent);
    double value = strtod(plain, NULL);
    if (value > DBL_MAX) {
        rk_note(&p->notes, p->tok.span, "this number is too large");
        return NULL;
    }
    rk_parse_advance(p);
    rk_node *n = new_node(p, RK_NODE_REAL, from, 0, NULL);
    if (n != NULL) {
        n->real = value;
        n->text = text; /* as written: printing it again loses nothing */
    }
    return n;
}

/* A node of one token; its text is that of the token without `before` and `after` bytes at its ends. */
static rk_node *leaf(rk_parser *p, rk_node_kind kind, uint32_t before, uint32_t after)
{
    rk_span span = p->tok.span;

    span.at += before;
    span.n -= before + after;
    char *text = rk_parse_copy(p, span);
    uint32_t from = p->tok.span.at;
    rk_parse_advance(p);
    rk_node *n = text != NULL ? new_node(p, kind, from, 0, NULL) : NULL;
    if (n != NULL)
        n->text = text;
    return n;
}

rk_node *rk_parse_text(rk_parser *p)
{
    if (p->tok.kind == RK_TOK_TEXT)
        return leaf(p, RK_NODE_TEXT, 1, 1);
    rk_parse_expected(p, "a text in quotes");
    return NULL;
}

/* [axes] after a name, a call or a weight; `must`: they have to be there. */
rk_node *rk_parse_with_axes(rk_parser *p, rk_node *n, bool must)
{
    if (n == NULL || (!must && p->tok.kind != RK_TOK_SQUARE_OPEN))
        return n;
    if (!rk_parse_axes(p, &n->axes))
        return NULL;
    n->span = rk_parse_span(p, n->span.at);
    return n;
}

rk_node *rk_parse_weight_node(rk_parser *p)
{
    uint32_t from = p->tok.span.at;
    rk_name *name = rk_parse_weight(p);
    rk_node *n = name != NULL ? new_node(p, RK_NODE_WEIGHT, from, 0, NULL) : NULL;

    if (n == NULL)
        return NULL;
    n->name = name;
    for (size_t i = 0; i < name->n && n != NULL; i++)
        if (name->piece[i].node != NULL)
            n = raise(p, n, name->piece[i].node);
    return n;
}

rk_node *rk_parse_name_node(rk_parser *p)
{
    const char *name;
    uint32_t from = p->tok.span.at;

    if (!rk_parse_name(p, &name))
        return NULL;
    rk_node *n = new_node(p, RK_NODE_NAME, from, 0, NULL);
    if (n != NULL)
        n->text = name;
    return n;
}

/* A label where a value may stand: its primes belong to its text. */
static rk_node *label(rk_parser *p)
{
    rk_node *n = rk_parse_name_node(p);

    if (n == NULL || p->tok.kind != RK_TOK_PRIMES)
        return n;
    rk_parse_advance(p);
    n->span = rk_parse_span(p, n->span.at);
    n->text = rk_parse_copy(p, n->span);
    return n->text != NULL ? n : NULL;
}

typedef struct arguments {
    rk_node *value[RK_ARGS_MAX];
    const char *name[RK_ARGS_MAX];
    size_t n;
} arguments;

static bool has_room(rk_parser *p, const arguments *a)
{
    return a->n < RK_ARGS_MAX || rk_parse_too_many(p, "arguments", RK_ARGS_MAX);
}

static rk_node *call_node(rk_parser *p, uint32_t from, const char *name, const arguments *a)
{
    rk_node *n = new_node(p, RK_NODE_CALL, from, a->n, a->value);

    if (n == NULL)
        return NULL;
    n->text = name;
    n->arg_name = rk_arena_copy_array(p->arena, a->name, a->n, sizeof *a->name);
    return n->arg_name != NULL ? n : NULL;
}

/* NAME "(" [argument {"," argument}] ")", argument = [NAME "="] value */
rk_node *rk_parse_call(rk_parser *p)
{
    const char *name;
    arguments a = {.n = 0};
    uint32_t from = p->tok.span.at;

    if (!rk_parse_name(p, &name) || !rk_parse_enter(p) || !rk_parse_expect(p, RK_TOK_ROUND_OPEN))
        return NULL;
    while (p->tok.kind != RK_TOK_ROUND_CLOSE || a.n > 0) {
        if (!has_room(p, &a))
            return NULL;
        if (p->tok.kind == RK_TOK_NAME && rk_parse_peek(p).kind == RK_TOK_ASSIGN &&
            (!rk_parse_name(p, &a.name[a.n]) || !rk_parse_expect(p, RK_TOK_ASSIGN)))
            return NULL;
        a.value[a.n] = rk_parse_value(p);
        if (a.value[a.n++] == NULL)
            return NULL;
        if (!rk_parse_accept(p, RK_TOK_COMMA))
            break;
    }
    rk_parse_leave(p);
    return rk_parse_expect(p, RK_TOK_ROUND_CLOSE) ? call_node(p, from, name, &a) : NULL;
}

/* "where" NAME "(" label "," label {"," value} ")", after its first word. */
rk_node *rk_parse_where(rk_parser *p)
{
    const char *name;
    arguments a = {.n = 0};
    uint32_t from = p->tok.span.at;

    if (!rk_parse_name(p, &name) || !rk_parse_expect(p, RK_TOK_ROUND_OPEN))
        return NULL;
    do {
        if (!has_room(p, &a))
            return NULL;
        a.value[a.n] = a.n < 2 ? label(p) : rk_parse_value(p);
        if (a.value[a.n++] == NULL)
            return NULL;
        if (a.n == 1 && !rk_parse_expect(p, RK_TOK_COMMA))
            return NULL;
    } while (a.n == 1 || rk_parse_accept(p, RK_TOK_COMMA));
    return rk_parse_expect(p, RK_TOK_ROUND_CLOSE) ? call_node(p, from, name, &a) : NULL;
}

/* "[" value {"," value} "]" */
static rk_node *join(rk_parser *p)
{
    rk_node *part[RK_ARGS_MAX];
    size_t n = 0;
    uint32_t from = p->tok.span.at;

    if (!rk_parse_enter(p))
        return NULL;
    do {
        if (n >= RK_ARGS_MAX) {
            rk_parse_too_many(p, "parts of a join", RK_ARGS_MAX);
            return NULL;
        }
        rk_parse_advance(p);
        part[n] = rk_parse_value(p);
        if (part[n++] == NULL)
            return NULL;
    } while (p->tok.kind == RK_TOK_COMMA);
    rk_parse_leave(p);
    return rk_parse_expect(p, RK_TOK_SQUARE_CLOSE) ? new_node(p, RK_NODE_JOIN, from, n, part) : NULL;
}

/* "(" value ")" */
static rk_node *group(rk_parser *p)
{
    uint32_t from = p->tok.span.at;

    if (!rk_parse_enter(p))
        return NULL;
    rk_parse_advance(p);
    rk_node *n = rk_parse_value(p);
    if (n == NULL || !rk_parse_expect(p, RK_TOK_ROUND_CLOSE))
        return NULL;
    rk_parse_leave(p);
    n->span = rk_parse_span(p, from);
    return n;
}

static rk_node *primary(rk_parser *p)
{
    switch (p->tok.kind) {
    case RK_TOK_NUMBER:
        return number(p);
    case RK_TOK_REAL:
        return real(p);
    case RK_TOK_TEXT:
        return rk_parse_text(p);
    case RK_TOK_TRUE:
        return leaf(p, RK_NODE_TRUE, 0, 0);
    case RK_TOK_FALSE:
        return leaf(p, RK_NODE_FALSE, 0, 0);
    case RK_TOK_NONE:
        return leaf(p, RK_NODE_NONE, 0, 0);
    case RK_TOK_KEY:
        return leaf(p, RK_NODE_KEY, 1, 0);
    case RK_TOK_NAME:
        return rk_parse_with_axes(p, rk_parse_peek(p).kind == RK_TOK_ROUND_OPEN ? rk_parse_call(p) : label(p), false);
    case RK_TOK_WEIGHT:
        return rk_parse_with_axes(p, rk_parse_weight_node(p), false);
    case RK_TOK_SQUARE_OPEN:
        return join(p);
    case RK_TOK_ROUND_OPEN:
        return group(p);
    default:
        if (rk_token_begins_statement(p->tok.kind) && p->tok.kind < RK_TOK_IF)
            rk_parse_reserved(p);
        else
            rk_parse_expected(p, "a value");
        return NULL;
    }
}

/* ---- operators ---- */

/* {"[" value "]"} after a key */
static rk_node *indices(rk_parser *p, rk_node *n)
{
    uint32_t from = n->span.at;

    while (n != NULL && p->tok.kind == RK_TOK_SQUARE_OPEN) {
        rk_node *pair[2] = {n, NULL};

        if (!rk_parse_enter(p))
            return NULL;
        rk_parse_advance(p);
        pair[1] = rk_parse_value(p);
        if (pair[1] == NULL || !rk_parse_expect(p, RK_TOK_SQUARE_CLOSE))
            return NULL;
        rk_parse_leave(p);
        n = new_node(p, RK_NODE_INDEX, from, 2, pair);
    }
    return n;
}

/*
 * Operators by how tightly they hold, the loosest first; each list ends with RK_TOK_END.  Between `and` and `+` stand
 * `not` and the comparisons, which have rules of their own.
 */
enum {
    LEVEL_EITHER,
    LEVEL_NOT = 3,
    LEVEL_SUM,
    LEVEL_SIGN = 6
};

static const rk_token_kind operators[LEVEL_SIGN][5] = {
    {RK_TOK_INSTEAD},
    {RK_TOK_OR},
    {RK_TOK_AND},
    {RK_TOK_END},
    {RK_TOK_PLUS, RK_TOK_MINUS},
    {RK_TOK_TIMES, RK_TOK_OVER_MARK, RK_TOK_FLOOR, RK_TOK_MODULO},
};

static rk_node *at_level(rk_parser *p, size_t level);

static rk_node *unary(rk_parser *p, size_t level)
{
    rk_token op = p->tok;

    if (!rk_parse_enter(p))
        return NULL;
    rk_parse_advance(p);
    rk_node *below = at_level(p, level);
    rk_parse_leave(p);
    rk_node *n = below != NULL ? new_node(p, RK_NODE_UNARY, op.span.at, 1, &below) : NULL;
    if (n != NULL) {
        n->text = rk_token_text(op.kind);
        n->op_span = op.span;
    }
    return n;
}

static rk_node *binary(rk_parser *p, rk_span op, const char *text, rk_node *left, rk_node *right)
{
    rk_node *pair[2] = {left, right};
    rk_node *n = right != NULL ? new_node(p, RK_NODE_BINARY, left->span.at, 2, pair) : NULL;

    if (n != NULL) {
        n->text = text;
        n->op_span = op;
    }
    return n;
}

static bool compares(rk_token_kind kind)
{
    return (kind >= RK_TOK_EQUAL && kind <= RK_TOK_AT_LEAST) || kind == RK_TOK_LESS || kind == RK_TOK_MORE ||
           kind == RK_TOK_IN || kind == RK_TOK_NOT;
}

/* relation = sum [op sum]; after an operand "not" can only be half of "not in". */
static rk_node *relation(rk_parser *p)
{
    rk_node *n = at_level(p, LEVEL_SUM);
    rk_token op = p->tok;

    if (n == NULL || !compares(op.kind))
        return n;
    rk_parse_advance(p);
    if (op.kind == RK_TOK_NOT && !rk_parse_expect(p, RK_TOK_IN))
        return NULL;
    rk_span span = rk_parse_span(p, op.span.at);
    n = binary(p, span, op.kind == RK_TOK_NOT ? "not in" : rk_token_text(op.kind), n, at_level(p, LEVEL_SUM));
    if (n != NULL && compares(p->tok.kind)) {
        rk_note(&p->notes, p->tok.span, "comparisons cannot be chained; join two of them with 'and'");
        return NULL;
    }
    return n;
}

/*
 * not  = "not" not | relation
 * sign = "-" sign | primary {"[" value "]"}
 * and each other level: operand {operator operand}, to the left
 */
static rk_node *at_level(rk_parser *p, size_t level)
{
    if (level == LEVEL_NOT)
        return p->tok.kind == RK_TOK_NOT ? unary(p, level) : relation(p);
    if (level == LEVEL_SIGN && p->tok.kind == RK_TOK_MINUS)
        return unary(p, level);
    if (level == LEVEL_SIGN) {
        rk_node *n = primary(p);

        return n != NULL && n->kind == RK_NODE_KEY ? indices(p, n) : n;
    }
    rk_node *n = at_level(p, level + 1);
    for (size_t i = 0; n != NULL && operators[level][i] != RK_TOK_END;) {
        rk_token here = p->tok;

        if (!rk_parse_accept(p, operators[level][i])) {
            i++;
            continue;
        }
        n = binary(p, here.span, rk_token_text(here.kind), n, at_level(p, level + 1));
        i = 0;
    }
    return n;
}

/* ---- value ---- */

/* "else" value: what follows belongs to the branch after "else", as in Python. */
static rk_node *conditional(rk_parser *p, rk_span op, rk_node *then, rk_node *condition, rk_node **only)
{
    rk_node *child[3] = {then, condition, NULL};

    if (!rk_parse_enter(p))
        return NULL;
    rk_parse_advance(p);
    child[2] = rk_parse_value_only(p, only);
    rk_parse_leave(p);
    if (child[2] == NULL)
        return NULL;
    rk_node *n = new_node(p, RK_NODE_COND, then->span.at, 3, child);
    if (n == NULL)
        return NULL;
    n->op_span = op;
    /* An "if" after the statement was read on the way: it is no part of the value. */
    n->span.n = child[2]->span.at + child[2]->span.n - n->span.at;
    return n;
}

/* A value whose first part is read.  An "if" without "else" goes to *only, and is a mistake where that is NULL. */
static rk_node *rest_of_value(rk_parser *p, rk_node *n, rk_node **only)
{
    rk_token op = p->tok;

    if (n == NULL || !rk_parse_accept(p, RK_TOK_IF))
        return n;
    rk_node *condition = at_level(p, LEVEL_EITHER);
    if (condition == NULL)
        return NULL;
    if (p->tok.kind == RK_TOK_ELSE)
        return conditional(p, op.span, n, condition, only);
    if (only == NULL) {
        rk_note(&p->notes, op.span, "'if' without 'else' inside an expression");
        return NULL;
    }
    *only = rest_of_value(p, condition, NULL);
    return *only != NULL ? n : NULL;
}

rk_node *rk_parse_value_only(rk_parser *p, rk_node **only)
{
    return rest_of_value(p, at_level(p, LEVEL_EITHER), only);
}

/* value = either ["if" either "else" value] */
rk_node *rk_parse_value(rk_parser *p)
{
    return rk_parse_value_only(p, NULL);
}
