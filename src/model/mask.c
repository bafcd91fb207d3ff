/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

/* ---- where --------------------------------------------------------------------------------------------------- */

static int where_label(rk_ctx *c, const rk_node *n, uint32_t *out)
{
    if (n->kind != RK_NODE_NAME || n->axes.written)
        return RK_MISTAKE(c, n->span, "the name of an axis is needed here");
    return rk_label_spelt(c, n->text, n->span, out);
}

static int mask_of_call(rk_ctx *c, const rk_node *n, rk_mask *out)
{
    rk_bind *b = rk_bind_find(c->frame, n->text);
    rk_scalar m = {0};
    int code = RK_OK;

    if (b) {
        rk_node name = {.kind = RK_NODE_NAME, .text = n->text, .span = n->span};
        rk_node *kept = RK_NEW(c->a, rk_node);

        if (!kept)
            return rk_fatal_memory(c);
        *kept = name;
        code = rk_scalar_decide(c, c->frame, kept, &m);
        if (code == RK_OK && m.kind != RK_SCALAR_MASK)
            return RK_MISTAKE(c, n->span, "%s is no mask", n->text);
    } else if (strcmp(n->text, "causal") == 0) {
        m.mask = RK_MASK_CAUSAL;
    } else if (strcmp(n->text, "full") == 0) {
        m.mask = RK_MASK_FULL;
    } else if (n->child.n == 3) {
        rk_node inner = {.kind = RK_NODE_CALL, .text = n->text, .span = n->span, .child = {n->child.at + 2, 1}};
        rk_node *kept = RK_NEW(c->a, rk_node);

        if (!kept)
            return rk_fatal_memory(c);
        *kept = inner;
        code = rk_scalar_decide(c, c->frame, kept, &m);
        if (code == RK_OK && m.kind != RK_SCALAR_MASK)
            return RK_MISTAKE(c, n->span, "there is no mask '%s': causal, window, chunk, prefix, full", n->text);
    } else {
        return RK_MISTAKE(c, n->span, "there is no mask '%s' of %zu arguments: causal(S, T), window(S, T, W), …",
                          n->text, n->child.n);
    }
    *out = (rk_mask){.kind = m.mask, .size = m.ex};
    return code;
}

/* Two axes, and no fewer keys than queries: the queries are the last of the keys. */
static int check_mask(rk_ctx *c, const rk_node *n, const rk_mask *m)
{
    const rk_label *q = &c->label.at[m->query], *k = &c->label.at[m->key];
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

    c->where = (rk_mask){.kind = RK_MASK_FULL};
    if (!n)
        return RK_OK;
    if (n->child.n < 2)
        return RK_MISTAKE(c, n->span, "a mask names two axes: %s(S, T)", n->text);
    if ((code = mask_of_call(c, n, &m)) != RK_OK || (code = where_label(c, n->child.at[0], &m.query)) != RK_OK ||
        (code = where_label(c, n->child.at[1], &m.key)) != RK_OK)
        return code;
    if ((code = check_mask(c, n, &m)) == RK_OK)
        c->where = m;
    return code;
}
