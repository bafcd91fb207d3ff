/* SPDX-License-Identifier: MIT */
#include "model/scalar.h"

#include "model/keys.h"

#include <string.h>
#include <strings.h>

/* ---- names --------------------------------------------------------------------------------------------------- */

static bool mask_name(const char *name, rk_scalar *out)
{
    rk_mask_kind kind = rk_mask_find(name);
    bool plain = kind < RK_N_MASK && rk_mask_table[kind].least < 0;

    if (plain)
        *out = (rk_scalar){.kind = RK_SCALAR_MASK, .mask = kind, .ex = RK_EX_FAILED};
    return plain;
}

/*
 * What is evaluated when asked is remembered: for good, or, where it depends on the running number of a loop, until one
 * of these numbers changes.  Without that a chain of lets that each read the one before twice would take forever.
 */
static int scalar_of_later(rk_ctx *c, rk_bind *b, rk_span span, rk_scalar *out)
{
    int code;

    if (b->cached && (!b->scalar.varies || b->turn == c->turn)) {
        *out = b->scalar;
        return RK_OK;
    }
    if (b->asked)
        return RK_MISTAKE(c, span, "'%s' is defined by itself", b->name);
    if (c->later_nest == RK_LATER_NEST_MAX)
        return RK_MISTAKE(c, span, "definitions that need each other: deeper than %d", RK_LATER_NEST_MAX);
    b->asked = true;
    c->later_nest++;
    code = rk_scalar_eval(c, b->frame, b->node, out);
    c->later_nest--;
    b->asked = false;
    if (code == RK_OK) {
        b->scalar = *out;
        b->cached = true;
        b->turn = c->turn;
    }
    return code;
}

int rk_scalar_of_bind(rk_ctx *c, rk_bind *b, rk_span span, rk_scalar *out)
{
    switch (b->kind) {
    case RK_BIND_SCALAR:
    case RK_BIND_LABEL:
    case RK_BIND_INDEX:
        *out = b->scalar;
        return RK_OK;
    case RK_BIND_LATER:
        return scalar_of_later(c, b, span, out);
    case RK_BIND_NOTHING:
        *out = (rk_scalar){.kind = RK_SCALAR_NONE};
        return RK_OK;
    case RK_BIND_SPOILT:
        return RK_EINPUT;
    case RK_BIND_TENSOR:
        return RK_MISTAKE(c, span, "%s is a tensor; a number or a word is needed here", b->name);
    }
    return RK_EINPUT;
}

/* The nearest name that could have been meant, for the message. */
static const char *nearest(const rk_ctx *c, const rk_frame *f, const char *name)
{
    const char *best = NULL;
    size_t least = 3;

    if (c->mistakes.list.n == RK_MISTAKES_MAX)
        return NULL; /* it would not be shown */
    for (; f; f = f->parent)
        for (size_t i = 0; i < f->bind.n; i++) {
            size_t d = rk_edit_distance(name, f->bind.at[i]->name, 2);

            if (d < least) {
                least = d;
                best = f->bind.at[i]->name;
            }
        }
    return best;
}

static int eval_name(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_bind *b = rk_bind_find(f, n->text);
    const char *near;

    if (b)
        return rk_scalar_of_bind(c, b, n->span, out);
    if (mask_name(n->text, out))
        return RK_OK;
    if ((b = rk_used_find(c, n->text)))
        return rk_scalar_of_bind(c, b, n->span, out);
    if (strcasecmp(n->text, "true") == 0 || strcasecmp(n->text, "false") == 0 || strcasecmp(n->text, "none") == 0)
        return RK_MISTAKE(c, n->span, "'%s' is written True, False or None here", n->text);
    if (rk_is_scalar_function(n->text))
        return RK_MISTAKE(c, n->span, "'%s' needs its arguments: %s(…)", n->text, n->text);
    near = nearest(c, f, n->text);
    return near && strlen(n->text) > 1
               ? RK_MISTAKE(c, n->span, "nothing defines '%s'; did you mean '%s'?", n->text, near)
               : RK_MISTAKE(c, n->span, "nothing defines '%s': add a line  let %s = …", n->text, n->text);
}

/* ---- evaluation ---------------------------------------------------------------------------------------------- */

/* Maps of layers have numbers as keys, perhaps with zeros before them so that they sort. */
static const rk_doc *numbered(const rk_doc *map, rk_i128 number)
{
    char text[RK_NUM_TEXT_MAX];

    rk_num_text(text, number);
    for (size_t i = 0; i < map->n; i++) {
        const char *key = map->key[i];

        while (key[0] == '0' && key[1])
            key++;
        if (strcmp(key, text) == 0)
            return &map->item[i];
    }
    return NULL;
}

static int eval_index(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar list = {0}, at = {0};
    int code = rk_scalar_eval(c, f, n->child.at[0], &list);

    if (code == RK_OK)
        code = rk_scalar_eval(c, f, n->child.at[1], &at);
    if (code != RK_OK)
        return code;
    rk_scalar_fix(c, &at);
    if (list.kind == RK_SCALAR_NONE)
        *out = list;
    else if (list.kind == RK_SCALAR_DOC && list.doc->kind == RK_DOC_MAP && at.kind == RK_SCALAR_TEXT)
        *out = rk_scalar_of_doc(c, rk_doc_key(list.doc, at.text, strlen(at.text)), list.key);
    else if (at.kind != RK_SCALAR_INT || !at.known)
        return RK_MISTAKE(c, n->span, "an index must be a number");
    else if (list.kind == RK_SCALAR_DOC && list.doc->kind == RK_DOC_MAP)
        *out = rk_scalar_of_doc(c, numbered(list.doc, at.value), list.key);
    else if (list.kind == RK_SCALAR_DOC && list.doc->kind == RK_DOC_LIST && at.value >= 0 &&
             at.value < (rk_i128)list.doc->n)
        *out = rk_scalar_of_doc(c, &list.doc->item[(size_t)at.value], list.key);
    else if (list.kind == RK_SCALAR_TEXT && at.value >= 0 && at.value < (rk_i128)strlen(list.text)) {
        *out = rk_scalar_text(rk_arena_copy(c->a, list.text + (size_t)at.value, 1));
        if (!out->text)
            return rk_fatal_memory(&c->b);
    } else {
        char number[RK_NUM_TEXT_MAX];

        return RK_MISTAKE(c, n->span, "'%s' has no element %s", list.key ? list.key : "this",
                          rk_num_text(number, at.value));
    }
    out->varies = list.varies || at.varies;
    return RK_OK;
}

static int eval_choice(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar cond = {0};
    bool truth = false;
    int code = rk_scalar_eval(c, f, n->child.at[1], &cond);

    if (code == RK_OK)
        code = rk_scalar_truth(c, &cond, n->child.at[1]->span, &truth);
    if (code == RK_OK)
        code = rk_scalar_eval(c, f, n->child.at[truth ? 0 : 2], out);
    out->varies = out->varies || cond.varies;
    return code;
}

/* and, or, ??: the right side is not looked at when the left one decides. */
static int eval_short(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar a = {0};
    bool truth = false, left;
    int code = rk_scalar_eval(c, f, n->child.at[0], &a);

    if (code != RK_OK)
        return code;
    if (n->text[0] == '?')
        left = a.kind != RK_SCALAR_NONE;
    else {
        if ((code = rk_scalar_truth(c, &a, n->child.at[0]->span, &truth)) != RK_OK)
            return code;
        left = truth == (n->text[0] == 'o');
    }
    if (left) {
        *out = a;
        return RK_OK;
    }
    code = rk_scalar_eval(c, f, n->child.at[1], out);
    out->varies = out->varies || a.varies;
    if (code == RK_OK && n->text[0] == '?' && a.key)
        rk_key_otherwise(c, a.key, n->child.at[1], out);
    return code;
}

static int eval_binary(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar a = {0}, b = {0};
    const char *op = n->text;
    int code;

    if (op[0] == '?' || strcmp(op, "and") == 0 || strcmp(op, "or") == 0)
        return eval_short(c, f, n, out);
    code = rk_scalar_eval(c, f, n->child.at[0], &a);
    if (code == RK_OK && n->child.at[1]->kind == RK_NODE_JOIN && (strcmp(op, "in") == 0 || strcmp(op, "not in") == 0))
        return rk_scalar_contains_written(c, f, n, &a, out);
    if (code == RK_OK)
        code = rk_scalar_eval(c, f, n->child.at[1], &b);
    if (code != RK_OK)
        return code;
    if (strcmp(op, "in") == 0 || strcmp(op, "not in") == 0)
        code = rk_scalar_contains(c, n, &a, &b, out);
    else if (strchr("<>=!", op[0]))
        code = rk_scalar_compare(c, n, &a, &b, out);
    else
        code = rk_scalar_arithmetic(c, n, &a, &b, out);
    out->varies = a.varies || b.varies;
    return code;
}

static int eval_unary(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar a = {0};
    rk_acc acc = {0};
    bool truth = false;
    int code = rk_scalar_eval(c, f, n->child.at[0], &a);

    if (code != RK_OK)
        return code;
    if (n->text[0] == 'n') {
        code = rk_scalar_truth(c, &a, n->span, &truth);
        *out = rk_scalar_bool(!truth);
    } else if (a.kind == RK_SCALAR_REAL) {
        *out = rk_scalar_real(-a.real);
    } else if (a.kind == RK_SCALAR_INT) {
        *out = a;
        out->value = rk_sub(&acc, 0, a.value);
        if (acc.overflow)
            return RK_MISTAKE(c, n->span, "this number needs more than 128 bits");
        out->ex = rk_ex_sub(c->pool, rk_ex_int(c->pool, 0), a.ex);
        code = rk_pool_ok(c) ? RK_OK : c->b.fatal;
    } else {
        code = rk_scalar_need_number(c, &a, n->span);
    }
    out->varies = a.varies;
    return code;
}

int rk_scalar_eval(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    *out = (rk_scalar){.kind = RK_SCALAR_NONE};
    if (c->b.fatal)
        return c->b.fatal;
    switch (n->kind) {
    case RK_NODE_NUMBER:
        *out = rk_scalar_int(c, n->number);
        return rk_pool_ok(c) ? RK_OK : c->b.fatal;
    case RK_NODE_REAL:
        *out = rk_scalar_real(n->real);
        return RK_OK;
    case RK_NODE_TEXT:
        *out = rk_scalar_text(n->text);
        return RK_OK;
    case RK_NODE_TRUE:
        *out = rk_scalar_bool(true);
        return RK_OK;
    case RK_NODE_FALSE:
        *out = rk_scalar_bool(false);
        return RK_OK;
    case RK_NODE_NONE:
        return RK_OK;
    case RK_NODE_NAME:
        if (n->axes.written)
            return RK_MISTAKE(c, n->span, "a tensor stands where a number or a word is needed");
        return eval_name(c, f, n, out);
    case RK_NODE_KEY:
        *out = rk_config_key(c, n);
        return rk_pool_ok(c) ? RK_OK : c->b.fatal;
    case RK_NODE_INDEX:
        return eval_index(c, f, n, out);
    case RK_NODE_CALL:
        return rk_scalar_call(c, f, n, out);
    case RK_NODE_UNARY:
        return eval_unary(c, f, n, out);
    case RK_NODE_BINARY:
        return eval_binary(c, f, n, out);
    case RK_NODE_COND:
        return eval_choice(c, f, n, out);
    case RK_NODE_WEIGHT:
    case RK_NODE_JOIN:
        break;
    }
    return RK_MISTAKE(c, n->span, "a tensor stands where a number or a word is needed");
}
