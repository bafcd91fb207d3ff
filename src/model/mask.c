/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

const rk_mask_row rk_mask_table[RK_N_MASK] = {
#define RK_MASK_ROW(ID, name, least, without) {name, least, RK_MASK_##without},
    RK_MASKS(RK_MASK_ROW)
#undef RK_MASK_ROW
};

bool rk_mask_is_window(rk_mask_kind kind)
{
    return kind == RK_MASK_WINDOW || kind == RK_MASK_CHUNK || kind == RK_MASK_BAND || kind == RK_MASK_TILE;
}

rk_mask_kind rk_mask_find(const char *name)
{
    int i = 0;

    while (i < RK_N_MASK && strcmp(rk_mask_table[i].name, name) != 0)
        i++;
    return (rk_mask_kind)i;
}

/* ---- where --------------------------------------------------------------------------------------------------- */

static int where_label(rk_ctx *c, const rk_node *n, uint32_t *out)
{
    if (n->kind != RK_NODE_NAME || n->axes.written)
        return RK_MISTAKE(c, n->span, "the name of an axis is needed here");
    return rk_label_spelt(c, n->text, n->span, out);
}

/* The scalar that a mask's name, alone or with its size, would be outside of `where`. */
static int mask_scalar(rk_ctx *c, const rk_node *n, bool sized, rk_scalar *out)
{
    rk_node *inner = RK_NEW(c->a, rk_node);

    if (!inner)
        return rk_fatal_memory(&c->b);
    *inner = (rk_node){.kind = sized ? RK_NODE_CALL : RK_NODE_NAME, .text = n->text, .span = n->span};
    if (sized)
        inner->child = (rk_nodes){n->child.at + 2, 1};
    return rk_scalar_decide(c, c->frame, inner, out);
}

static int mask_of_call(rk_ctx *c, const rk_node *n, rk_mask *out)
{
    bool bound = rk_bind_find(c->frame, n->text) != NULL;
    rk_mask_kind kind = rk_mask_find(n->text);
    bool plain = bound || (kind < RK_N_MASK && rk_mask_table[kind].least < 0);
    rk_scalar m = {0};
    int code;

    if (!plain && n->child.n != 3)
        return RK_MISTAKE(c, n->span, "there is no mask '%s' of %zu arguments: causal(S, T), window(S, T, W), …",
                          n->text, n->child.n);
    code = mask_scalar(c, n, !plain, &m);
    if (code == RK_OK && m.kind != RK_SCALAR_MASK)
        return bound ? RK_MISTAKE(c, n->span, "%s is no mask", n->text)
                     : RK_MISTAKE(c, n->span, "there is no mask '%s': causal, window, chunk, prefix, band, tile, full",
                                  n->text);
    *out = (rk_mask){.kind = m.mask, .size = m.ex};
    return code;
}

/* Two axes, and no fewer keys than queries: the queries are the last of the keys. */
static int check_mask(rk_ctx *c, const rk_node *n, const rk_mask *m)
{
    const rk_label *q = &c->b.label.at[m->query], *k = &c->b.label.at[m->key];
    rk_binding at = rk_model_binding(c->model);
    rk_i128 nq = 0, nk = 0;

    if (m->query == m->key)
        return RK_MISTAKE(c, n->span, "a mask is about two axes: %s(%s, %s')", n->text, q->name, q->name);
    if (m->kind == RK_MASK_FULL || rk_ex_eval(c->pool, q->size, &at, &nq, NULL) != RK_OK ||
        rk_ex_eval(c->pool, k->size, &at, &nk, NULL) != RK_OK || nk >= nq)
        return RK_OK;
    return RK_MISTAKE(c, n->span,
                      "the queries are the last of the keys, but there are fewer keys (%s) than queries (%s)", k->name,
                      q->name);
}

int rk_set_where(rk_ctx *c, const rk_node *n)
{
    rk_mask m;
    int code;

    c->b.where = (rk_mask){.kind = RK_MASK_FULL};
    if (!n)
        return RK_OK;
    if (n->child.n < 2)
        return RK_MISTAKE(c, n->span, "a mask names two axes: %s(S, T)", n->text);
    if ((code = mask_of_call(c, n, &m)) != RK_OK || (code = where_label(c, n->child.at[0], &m.query)) != RK_OK ||
        (code = where_label(c, n->child.at[1], &m.key)) != RK_OK)
        return code;
    if ((code = check_mask(c, n, &m)) == RK_OK)
        c->b.where = m;
    return code;
}
