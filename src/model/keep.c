/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

/* From here on the axis is the longer one: the cache holds the tokens before. */
static int lengthen(rk_ctx *c, rk_seen *s, uint32_t from, uint32_t to)
{
    rk_ixs axes = {0};
    int code = RK_OK;

    for (size_t i = 0; i < s->axes.n && code == RK_OK; i++) {
        rk_ix ix = s->axes.at[i].label == from ? rk_ix_of_label(c, to) : s->axes.at[i];

        code = rk_ixs_append(&c->b, &axes, &ix);
    }
    s->axes = axes;
    return code;
}

/* `within` is a number, a mask that has one, or nothing. */
static int keep_within(rk_ctx *c, const rk_stmt *s, rk_keep *k)
{
    rk_scalar w = {0};
    int code = s->within ? rk_scalar_decide(c, c->frame, s->within, &w) : RK_OK;

    k->within = k->last = RK_EX_FAILED;
    if (code != RK_OK || w.kind == RK_SCALAR_NONE)
        return code;
    if (w.kind == RK_SCALAR_MASK) {
        k->within = w.mask == RK_MASK_WINDOW || w.mask == RK_MASK_CHUNK ? w.ex : RK_EX_FAILED;
        return RK_OK;
    }
    if (w.kind != RK_SCALAR_INT)
        return RK_MISTAKE(c, s->within->span, "a number or a mask is needed here");
    *(s->kind == RK_STMT_KEEP_LAST ? &k->last : &k->within) = rk_scalar_ex(c, &w);
    return RK_OK;
}

/*
 * The keys that new tokens see, `as last of T`.  The cache of a window has let go of those that no new token looks at:
 * w - 1 are left of the older ones.  Where all tokens are new there are no older ones, and the mask alone says what is
 * seen.
 */
static int keys_seen(rk_ctx *c, const rk_stmt *s, const rk_keep *k, uint32_t as, uint32_t *out)
{
    rk_ex fresh = c->b.label.at[k->over].size, all = c->b.label.at[as].size;
    rk_ex older = rk_ex_sub(c->pool, all, fresh);
    rk_binding at = rk_model_binding(c->model);
    rk_i128 none;

    *out = as;
    if (!s->as_last || k->within == RK_EX_FAILED)
        return RK_OK;
    if (rk_ex_eval(c->pool, older, &at, &none, NULL) == RK_OK && none == 0) {
        rk_scalar_fix(c, &(rk_scalar){.kind = RK_SCALAR_INT, .ex = older}); /* older ones make it another program */
        return RK_OK;
    }
    older = rk_ex_min(c->pool, older, rk_ex_sub(c->pool, k->within, rk_ex_int(c->pool, 1)));
    return rk_label_add(c, c->b.label.at[as].name, rk_ex_add(c->pool, fresh, older), out);
}

/* `as` is all that the cache has seen, `seen` what is left of it. */
static int keep_one(rk_ctx *c, const rk_stmt *s, const rk_node *n, rk_keep k, uint32_t as, uint32_t seen)
{
    rk_bind *b = rk_tensor_find(c->frame, n->text);
    rk_keep *slot;
    int code = RK_OK;

    if (b && b->kind == RK_BIND_SPOILT)
        return RK_EINPUT;
    if (!b || b->kind != RK_BIND_TENSOR)
        return rk_no_such_tensor(c, n);
    if (!rk_ixs_has(&b->seen.axes, k.over))
        return RK_MISTAKE(c, n->span, "%s is %s: it has no axis %s", n->text, rk_ixs_text(c, &b->seen.axes),
                          c->b.label.at[k.over].name);
    if (s->as && (code = lengthen(c, &b->seen, k.over, seen)) != RK_OK)
        return code;
    k.over_size = c->b.label.at[k.over].size;
    k.over = s->as ? as : k.over;
    if (!(slot = RK_PUSH(c->a, &c->b.keep)))
        return rk_fatal_memory(&c->b);
    k.tensor = b->seen.tensor;
    k.at = (uint32_t)c->b.op.n;
    *slot = k;
    rk_build_note(
        &c->b, (rk_trace_event){.kind = RK_TRACE_KEEP, .which = (uint32_t)(c->b.keep.n - 1), .alias = b->seen.alias});
    return c->b.fatal;
}

int rk_keep_expand(rk_ctx *c, const rk_stmt *s)
{
    rk_keep k = {.part = c->b.part, .group = c->b.group, .once = s->kind == RK_STMT_KEEP && !s->as};
    uint32_t as = 0, seen = 0;
    int code = rk_label_named(c, s->over, s->over_primes, s->span, &k.over);

    if (code == RK_OK)
        code = keep_within(c, s, &k);
    if (code == RK_OK && s->as)
        code = rk_label_named(c, s->as, 0, s->span, &as);
    if (code == RK_OK && s->as)
        code = keys_seen(c, s, &k, as, &seen);
    for (size_t i = 0; i < s->child.n && code == RK_OK; i++)
        code = keep_one(c, s, s->child.at[i], k, as, seen);
    return code;
}
