/* SPDX-License-Identifier: MIT */
/* Multiples of entries that mean something: views (per token, bytes), and slips of people (twice, L times). */
#include "audit/index_build.h"

enum {
    COST_MAX = 8 /* of a view and a slip together */
};

/* What a figure is also quoted as: multiplied by num/den, divided by facts of the model. */
typedef struct view {
    rk_index_kind from, to;
    int num, den;
    int fact[2]; /* NO_FACT: none */
    const char *text;
    int cost;
} view;

enum {
    NO_FACT = -1
};

#define PLAIN                                                                                                          \
    {                                                                                                                  \
        NO_FACT, NO_FACT                                                                                               \
    }
#define PER_TOKEN                                                                                                      \
    {                                                                                                                  \
        RK_MODEL_FACT_TOKENS, NO_FACT                                                                                  \
    }
#define PER_SEQUENCE                                                                                                   \
    {                                                                                                                  \
        RK_MODEL_FACT_BATCH, NO_FACT                                                                                   \
    }
#define PER_HEAD                                                                                                       \
    {                                                                                                                  \
        RK_MODEL_FACT_HEADS, NO_FACT                                                                                   \
    }
#define PER_HEAD_AND_SEQUENCE                                                                                          \
    {                                                                                                                  \
        RK_MODEL_FACT_HEADS, RK_MODEL_FACT_BATCH                                                                       \
    }
#define PER_HEAD_AND_TOKEN                                                                                             \
    {                                                                                                                  \
        RK_MODEL_FACT_HEADS, RK_MODEL_FACT_TOKENS                                                                      \
    }

/* clang-format off */
static const view views[] = {
    {RK_INDEX_SIZE,    RK_INDEX_SIZE,    1, 1, PLAIN, NULL, 0},
    {RK_INDEX_SHARE,   RK_INDEX_SHARE,   1, 1, PLAIN, NULL, 0},
    {RK_INDEX_BYTES,   RK_INDEX_BYTES,   1, 1, PLAIN, NULL, 0},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, PLAIN, NULL, 0},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 2, PLAIN, "in MACs", 2},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, PER_TOKEN, "per token", 2},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 2, PER_TOKEN, "in MACs, per token", 4},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, PER_SEQUENCE, "per sequence", 2},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, PER_HEAD, "per head", 3},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, PER_HEAD_AND_SEQUENCE, "per head and sequence", 4},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 1, PER_HEAD_AND_TOKEN, "per head and token", 4},
    {RK_INDEX_FLOPS,   RK_INDEX_FLOPS,   1, 2, PER_HEAD_AND_TOKEN, "in MACs, per head and token", 5},
    {RK_INDEX_ALL_OPS, RK_INDEX_ALL_OPS, 1, 1, PLAIN, NULL, 0},
    {RK_INDEX_ALL_OPS, RK_INDEX_ALL_OPS, 1, 1, PER_TOKEN, "per token", 2},
    {RK_INDEX_ALL_OPS, RK_INDEX_ALL_OPS, 1, 1, PER_SEQUENCE, "per sequence", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_PARAMS,  1, 1, PLAIN, NULL, 0},
    {RK_INDEX_PARAMS,  RK_INDEX_PARAMS,  1, 1, PER_HEAD, "per head", 4},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   4, 1, PLAIN, "4 bytes each (fp32)", 1},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   2, 1, PLAIN, "2 bytes each (bf16, fp16)", 1},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   1, 1, PLAIN, "1 byte each (int8, fp8)", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   1, 2, PLAIN, "half a byte each (int4)", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   8, 1, PLAIN, "8 bytes each (AdamW's two moments)", 2},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   12, 1, PLAIN, "12 bytes each (AdamW's moments and fp32 weights)", 3},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   16, 1, PLAIN, "16 bytes each (weights, gradients, AdamW)", 1},
    {RK_INDEX_PARAMS,  RK_INDEX_BYTES,   18, 1, PLAIN, "18 bytes each (bf16 weights, fp32 gradients, copy, AdamW)", 3},
    {RK_INDEX_NUMBERS, RK_INDEX_NUMBERS, 1, 1, PLAIN, NULL, 0},
    {RK_INDEX_NUMBERS, RK_INDEX_NUMBERS, 1, 1, PER_TOKEN, "per token", 3},
    {RK_INDEX_NUMBERS, RK_INDEX_NUMBERS, 1, 1, PER_HEAD, "per head", 3},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   4, 1, PLAIN, "4 bytes each (fp32)", 1},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   2, 1, PLAIN, "2 bytes each (bf16, fp16)", 1},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   1, 1, PLAIN, "1 byte each (int8, fp8)", 2},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   4, 1, PER_TOKEN, "4 bytes each (fp32), per token", 4},
    {RK_INDEX_NUMBERS, RK_INDEX_BYTES,   2, 1, PER_TOKEN, "2 bytes each (bf16, fp16), per token", 4},
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
    {1, 1, RK_MODEL_FACT_LAYERS, false, "times", 5},
    {1, 1, RK_MODEL_FACT_LAYERS, true, "of", 5},
    {1, 1, RK_MODEL_FACT_HEADS, false, "times", 5},
    {1, 1, RK_MODEL_FACT_HEADS, true, "of", 5},
    {1, 1, RK_MODEL_FACT_SEQUENCE, false, "times", 5},
    {1, 1, RK_MODEL_FACT_SEQUENCE, true, "of", 5},
    {1, 1, RK_MODEL_FACT_BATCH, false, "times", 5},
    {1, 1, RK_MODEL_FACT_BATCH, true, "of", 5},
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

/* "L (48) times", "1/L (1/48) of" */
static const char *slip_text(rk_index *x, const struct slip *s, rk_ex fact, rk_i128 n)
{
    const char *text, *over = s->below ? "1/" : "";
    char number[RK_NUM_TEXT_MAX];
    rk_str name = {0};

    if (s->fact == NO_FACT)
        return s->text;
    rk_ex_print(x->instance->pool, rk_ex_simplify(x->instance->pool, fact), 0, &name);
    text = rk_index_text(x, "%s%s (%s%s) %s", over, rk_str_text(&name), over, rk_num_grouped(number, n), s->text);
    rk_str_free(&name);
    return text;
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
        r->per_head |= v->fact[i] == RK_MODEL_FACT_HEADS;
        r->by = rk_ex_div(pool, r->by, fact);
        r->den = rk_mul(acc, r->den, n);
    }
    return true;
}

static bool apply_slip(rk_index *x, const struct slip *s, rk_index_ratio *r, rk_acc *acc)
{
    rk_pool *pool = x->instance->pool;
    rk_ex fact = rk_ex_int(pool, 1);
    rk_i128 n = 1;

    if (s->fact != NO_FACT && !fact_of(x, s->fact, &fact, &n))
        return false;
    r->num = rk_mul(acc, r->num, s->num * (s->below ? 1 : n));
    r->den = rk_mul(acc, r->den, s->den * (s->below ? n : 1));
    r->slip =
        rk_ex_mul(pool, rk_ex_ratio(pool, s->num, s->den), s->below ? rk_ex_div(pool, rk_ex_int(pool, 1), fact) : fact);
    r->per_head |= s->fact == RK_MODEL_FACT_HEADS;
    r->times = slip_text(x, s, fact, n);
    return true;
}

static void reduce(rk_index_ratio *r)
{
    rk_i128 g = rk_gcd(r->num, r->den);

    r->num /= g;
    r->den /= g;
}

static bool is_same(const rk_index_ratio *a, const rk_index_ratio *b)
{
    return a->from == b->from && a->to == b->to && a->per_head == b->per_head && a->num == b->num && a->den == b->den;
}

/* Of several that come to the same the simplest stays; of equally simple ones the first. */
static void keep(rk_index *x, const rk_index_ratio *r)
{
    rk_index_ratio *kept;

    for (size_t i = 0; i < x->ratio.n; i++)
        if (is_same(&x->ratio.at[i], r)) {
            if (r->cost < x->ratio.at[i].cost)
                x->ratio.at[i] = *r;
            return;
        }
    kept = RK_PUSH(&x->arena, &x->ratio);
    if (kept)
        *kept = *r;
    else if (x->code == RK_OK)
        x->code = rk_fail_memory(x->err);
}

/* Heads, tokens and layers are forgotten in products; of the rest there are entries of one and of all. */
static bool go_together(const view *v, const struct slip *s)
{
    bool of_products = v->from == RK_INDEX_FLOPS || v->from == RK_INDEX_SIZE;

    if (v->cost + s->cost > COST_MAX || (s->fact != NO_FACT && !of_products))
        return false;
    return v->from != RK_INDEX_SHARE || s->cost == 0; /* a share has no multiples */
}

void rk_index_gather_ratios(rk_index *x)
{
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        for (size_t k = 0; k < sizeof slips / sizeof *slips && x->code == RK_OK; k++) {
            const view *v = &views[i];
            rk_index_ratio r = {.from = v->from, .to = v->to, .view = v->text, .cost = v->cost + slips[k].cost};
            rk_acc acc = {0};

            if (!go_together(v, &slips[k]) || !apply_view(x, v, &r, &acc) || !apply_slip(x, &slips[k], &r, &acc))
                continue;
            if (acc.overflow)
                continue;
            reduce(&r);
            keep(x, &r);
        }
}
