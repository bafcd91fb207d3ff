/* SPDX-License-Identifier: MIT */
/* Multiples of entries that mean something: views (per token, bytes), and slips of people (twice, L times). */
#include "audit/index_build.h"

enum {
    COST_MAX = 8 /* of a view and a slip together */
};

/* Facts that figures are divided by, as columns of the tables below have them. */
enum {
    NO_FACT = -1,
    TOKENS = RK_MODEL_FACT_TOKENS,
    BATCH = RK_MODEL_FACT_BATCH,
    HEADS = RK_MODEL_FACT_HEADS,
    LAYERS = RK_MODEL_FACT_LAYERS,
    SEQUENCE = RK_MODEL_FACT_SEQUENCE
};

/* What a figure is also quoted as: multiplied by num/den, divided by facts of the model. */
typedef struct view {
    rk_index_kind from, to;
    int num, den;
    int fact[2];
    const char *text;
    int cost;
} view;

/* clang-format off */
static const view views[] = {
    {RK_INDEX_SIZE,    RK_INDEX_SIZE,    1, 1, {NO_FACT, NO_FACT}, NULL, 0},
    {RK_INDEX_SHARE,   RK_INDEX_SHARE,   1, 1, {NO_FACT, NO_FACT}, NULL, 0},
    {RK_INDEX_BYTES,   RK_INDEX_BYTES,   1, 1, {NO_FACT, NO_FACT}, NULL, 0},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, {NO_FACT, NO_FACT}, NULL, 0},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 2, {NO_FACT, NO_FACT}, "in MACs", 2},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, {TOKENS, NO_FACT}, "per token", 2},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 2, {TOKENS, NO_FACT}, "in MACs, per token", 4},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, {BATCH, NO_FACT}, "per sequence", 2},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, {HEADS, NO_FACT}, "per head", 3},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, {HEADS, BATCH}, "per head and sequence", 4},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, {HEADS, TOKENS}, "per head and token", 4},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 2, {HEADS, TOKENS}, "in MACs, per head and token", 5},
    {RK_INDEX_ALL_OPS, RK_INDEX_ALL_OPS, 1, 1, {NO_FACT, NO_FACT}, NULL, 0},
    {RK_INDEX_ALL_OPS, RK_INDEX_ALL_OPS, 1, 1, {TOKENS, NO_FACT}, "per token", 2},
    {RK_INDEX_ALL_OPS, RK_INDEX_ALL_OPS, 1, 1, {BATCH, NO_FACT}, "per sequence", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_PARAMS,  1, 1, {NO_FACT, NO_FACT}, NULL, 0},
    {RK_INDEX_PARAMS,  RK_INDEX_PARAMS,  1, 1, {HEADS, NO_FACT}, "per head", 4},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   4, 1, {NO_FACT, NO_FACT}, "4 bytes each (fp32)", 1},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   2, 1, {NO_FACT, NO_FACT}, "2 bytes each (bf16, fp16)", 1},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   1, 1, {NO_FACT, NO_FACT}, "1 byte each (int8, fp8)", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   1, 2, {NO_FACT, NO_FACT}, "half a byte each (int4)", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   8, 1, {NO_FACT, NO_FACT}, "8 bytes each (AdamW's two moments)", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   12, 1, {NO_FACT, NO_FACT}, "12 bytes each (AdamW's moments and fp32 weights)", 3},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   16, 1, {NO_FACT, NO_FACT}, "16 bytes each (weights, gradients, AdamW)", 1},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   18, 1, {NO_FACT, NO_FACT}, "18 bytes each (bf16 weights, fp32 gradients, copy, AdamW)", 3},
    {RK_INDEX_NUMBERS, RK_INDEX_NUMBERS, 1, 1, {NO_FACT, NO_FACT}, NULL, 0},
    {RK_INDEX_NUMBERS, RK_INDEX_NUMBERS, 1, 1, {TOKENS, NO_FACT}, "per token", 3},
    {RK_INDEX_NUMBERS, RK_INDEX_NUMBERS, 1, 1, {HEADS, NO_FACT}, "per head", 3},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   4, 1, {NO_FACT, NO_FACT}, "4 bytes each (fp32)", 1},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   2, 1, {NO_FACT, NO_FACT}, "2 bytes each (bf16, fp16)", 1},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   1, 1, {NO_FACT, NO_FACT}, "1 byte each (int8, fp8)", 2},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   4, 1, {TOKENS, NO_FACT}, "4 bytes each (fp32), per token", 4},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   2, 1, {TOKENS, NO_FACT}, "2 bytes each (bf16, fp16), per token", 4},
};

/* What is forgotten, or taken twice. */
static const struct slip {
    int num, den;
    int fact;   /* NO_FACT: the number alone */
    bool below; /* divided by the fact */
    const char *text;
    int cost;
} slips[] = {
    {1, 1, NO_FACT, false, NULL, 0},
    {2, 1, NO_FACT, false, "twice", 3},
    {1, 2, NO_FACT, false, "half of", 3},
    {3, 1, NO_FACT, false, "three times", 4},
    {1, 3, NO_FACT, false, "a third of", 4},
    {4, 1, NO_FACT, false, "four times", 4},
    {1, 4, NO_FACT, false, "a quarter of", 4},
    {1, 1, LAYERS, false, "times", 5},
    {1, 1, LAYERS, true, "of", 5},
    {1, 1, HEADS, false, "times", 5},
    {1, 1, HEADS, true, "of", 5},
    {1, 1, SEQUENCE, false, "times", 5},
    {1, 1, SEQUENCE, true, "of", 5},
    {1, 1, BATCH, false, "times", 5},
    {1, 1, BATCH, true, "of", 5},
};
/* clang-format on */

/* A fact of the model as an expression and a number; false: it has none, or it is 1 and changes nothing. */
static bool fact_of(const rk_index *x, int fact, rk_ex *e, rk_i128 *n)
{
    rk_binding at = x->instance->at;

    if (x->facts.lacks[fact])
        return false;
    *e = x->facts.of_model[fact];
    return rk_ex_eval(x->instance->pool, *e, &at, n, NULL) == RK_OK && *n > 1;
}

static bool apply_view(const rk_index *x, const view *v, rk_index_ratio *r, rk_acc *acc)
{
    rk_pool *pool = x->instance->pool;

    r->num = v->num;
    r->den = v->den;
    r->by = rk_ex_ratio(pool, v->num, v->den);
    for (int i = 0; i < 2; i++) {
        rk_i128 n = 0;
        rk_ex fact;

        if (v->fact[i] == NO_FACT)
            continue;
        if (!fact_of(x, v->fact[i], &fact, &n))
            return false;
        r->per_head |= v->fact[i] == HEADS;
        r->by = rk_ex_div(pool, r->by, fact);
        r->den = rk_mul(acc, r->den, n);
    }
    return true;
}

static bool apply_slip(rk_index *x, const struct slip *s, rk_index_ratio *r, rk_acc *acc)
{
    rk_pool *pool = x->instance->pool;
    rk_ex fact = rk_ex_int(pool, 1);
    const char *over = s->below ? "1/" : "";
    char number[RK_NUM_TEXT_MAX];
    rk_str name = {0};
    rk_i128 n = 1;

    if (s->fact != NO_FACT && !fact_of(x, s->fact, &fact, &n))
        return false;
    r->num = rk_mul(acc, r->num, s->num * (s->below ? 1 : n));
    r->den = rk_mul(acc, r->den, s->den * (s->below ? n : 1));
    r->slip =
        rk_ex_mul(pool, rk_ex_ratio(pool, s->num, s->den), s->below ? rk_ex_div(pool, rk_ex_int(pool, 1), fact) : fact);
    r->per_head |= s->fact == HEADS;
    r->times = s->text;
    if (s->fact != NO_FACT) { /* "L (48) times", "1/L (1/48) of" */
        rk_ex_print(pool, rk_ex_simplify(pool, fact), 0, &name);
        r->times =
            rk_index_text(x, "%s%s (%s%s) %s", over, rk_str_text(&name), over, rk_num_grouped(number, n), s->text);
        rk_str_free(&name);
    }
    return true;
}

/* Of several that come to the same the simplest stays; of equally simple ones the first. */
static void keep(rk_index *x, const rk_index_ratio *r)
{
    rk_index_ratio *kept;

    for (size_t i = 0; i < x->ratio.n; i++) {
        kept = &x->ratio.at[i];
        if (kept->from == r->from && kept->to == r->to && kept->per_head == r->per_head && kept->num == r->num &&
            kept->den == r->den) {
            if (r->cost < kept->cost)
                *kept = *r;
            return;
        }
    }
    kept = RK_PUSH(&x->arena, &x->ratio);
    if (kept)
        *kept = *r;
}

void rk_index_gather_ratios(rk_index *x)
{
    for (const view *v = views; v < views + sizeof views / sizeof *views; v++)
        for (size_t k = 0; k < sizeof slips / sizeof *slips && x->code == RK_OK; k++) {
            const struct slip *s = &slips[k];
            bool of_products = v->from == RK_INDEX_FLOPS || v->from == RK_INDEX_SIZE;
            rk_index_ratio r = {.from = v->from, .to = v->to, .view = v->text, .cost = v->cost + s->cost};
            rk_acc acc = {0};
            rk_i128 common;

            /* Heads, tokens and layers are forgotten in products; of the rest there are entries of one and of all. */
            if (r.cost > COST_MAX || (s->fact != NO_FACT && !of_products))
                continue;
            if (v->from == RK_INDEX_SHARE && s->cost > 0) /* a share has no multiples */
                continue;
            if (!apply_view(x, v, &r, &acc) || !apply_slip(x, s, &r, &acc) || acc.overflow)
                continue;
            common = rk_gcd(r.num, r.den);
            r.num /= common;
            r.den /= common;
            keep(x, &r);
        }
}
