/* SPDX-License-Identifier: MIT */
/*
 * expr/eval.c - the value of an expression, in exact ratios.
 *
 * Only the final value must be whole: D/N · N/2 may pass through a fraction.
 */
#include "expr/pool.h"

#include <stdio.h>
#include <string.h>

typedef struct evaluator {
    const rk_pool *pool;
    const rk_binding *at;
    rk_memo *memo; /* one per atom, made when the first function or definition is met */
    size_t n_memo;
    bool own_memo;
    int depth;
    rk_err *err;
} evaluator;

/* ---- failures -------------------------------------------------------------------------------------------------- */

enum {
    SHOWN_MAX = 160
}; /* bytes of an expression inside a message */

static void describe(const rk_pool *p, rk_ex e, char text[SHOWN_MAX + 4])
{
    rk_str s = {0};
    size_t n;

    rk_ex_print(p, e, RK_PRINT_TEXT, &s);
    n = rk_utf8_cut(rk_str_text(&s), s.n, SHOWN_MAX);
    memcpy(text, rk_str_text(&s), n);
    snprintf(text + n, sizeof "…", "%s", n < s.n ? "…" : "");
    rk_str_free(&s);
}

static int fail_overflow(const evaluator *ev, rk_ex e)
{
    char text[SHOWN_MAX + 4];

    describe(ev->pool, e, text);
    return rk_fail(ev->err, RK_EOVERFLOW, "%s exceeds 128 bits", text);
}

/* The divisor is a symbol, a function, or the sum inside a quotient; only what is zero is shown. */
static int fail_zero(const evaluator *ev, uint32_t atom)
{
    const rk_pool *p = ev->pool;
    rk_atom a = rk_atom_at(p, atom);
    char text[SHOWN_MAX + 4];

    if (a.kind == RK_ATOM_SYM)
        return rk_fail(ev->err, RK_EVALUE, "division by zero: %s is 0", p->sym.at[a.a].name);
    if (a.kind != RK_ATOM_QUOT)
        return rk_fail(ev->err, RK_EVALUE, "division by zero");
    describe(p, a.a, text);
    return rk_fail(ev->err, RK_EVALUE, "division by zero: %s is 0", text);
}

/* ---- functions ------------------------------------------------------------------------------------------------- */

static int value_of_ex(evaluator *ev, rk_ex e, rk_ratio *out);

static rk_ratio apply(rk_acc *acc, uint32_t kind, rk_ratio a, rk_ratio b)
{
    rk_ratio q;

    switch ((rk_atom_kind)kind) {
    case RK_ATOM_QUOT:
        return rk_ratio_inverse(acc, a);
    case RK_ATOM_FLOOR:
        return rk_ratio_int(rk_floor_div(acc, a.num, a.den));
    case RK_ATOM_CEIL:
        return rk_ratio_int(rk_ceil_div(acc, a.num, a.den));
    case RK_ATOM_MOD: /* a - b⌊a/b⌋ */
        q = rk_ratio_mul(acc, a, rk_ratio_inverse(acc, b));
        q = rk_ratio_int(rk_floor_div(acc, q.num, q.den));
        return rk_ratio_add(acc, a, rk_ratio_mul(acc, rk_ratio_int(-1), rk_ratio_mul(acc, b, q)));
    case RK_ATOM_MIN:
        return rk_ratio_compare(acc, a, b) <= 0 ? a : b;
    case RK_ATOM_MAX:
        return rk_ratio_compare(acc, a, b) >= 0 ? a : b;
    case RK_ATOM_SYM:
        break;
    }
    return a;
}

static int value_of_function(evaluator *ev, uint32_t atom, rk_ratio *out)
{
    rk_atom f = rk_atom_at(ev->pool, atom);
    rk_ratio a = {0, 1}, b = {0, 1};
    rk_acc acc = {0};
    int code = value_of_ex(ev, f.a, &a);

    if (code == RK_OK && f.b != RK_EX_FAILED)
        code = value_of_ex(ev, f.b, &b);
    if (code != RK_OK)
        return code;
    if ((f.kind == RK_ATOM_QUOT && a.num == 0) || (f.kind == RK_ATOM_MOD && b.num == 0))
        return fail_zero(ev, atom);
    *out = apply(&acc, f.kind, a, b);
    return acc.overflow ? fail_overflow(ev, f.a) : RK_OK;
}

/* ---- atoms ----------------------------------------------------------------------------------------------------- */

static rk_memo *memo_of(evaluator *ev, uint32_t atom)
{
    size_t n = rk_n_atom(ev->pool);

    if (!ev->memo && ev->own_memo) {
        ev->memo = rk_heap_alloc(n * sizeof *ev->memo);
        ev->n_memo = ev->memo ? n : 0;
        for (size_t i = 0; i < ev->n_memo; i++)
            ev->memo[i].done = 0;
    }
    return atom < ev->n_memo ? &ev->memo[atom] : NULL;
}

/* What is inside an atom is evaluated once, however often the atom occurs: sharing could make it exponential. */
static int value_of_atom(evaluator *ev, uint32_t atom, rk_ratio *out)
{
    rk_atom a = rk_atom_at(ev->pool, atom);
    const rk_pool_symbol *s = a.kind == RK_ATOM_SYM ? &ev->pool->sym.at[a.a] : NULL;
    rk_memo *m;
    int code;

    if (s && a.a < ev->at->n && ev->at->known[a.a]) {
        *out = rk_ratio_int(ev->at->value[a.a]);
        return RK_OK;
    }
    m = memo_of(ev, atom);
    if (ev->own_memo && !m)
        return rk_fail_memory(ev->err);
    if (m && m->done) {
        *out = m->value;
        return RK_OK;
    }
    if (ev->depth == RK_WALK_MAX)
        return rk_fail(ev->err, RK_ELIMIT, "functions and definitions nested deeper than %d", RK_WALK_MAX);
    if (s && s->definition == RK_EX_FAILED)
        return rk_fail(ev->err, RK_EVALUE, "'%s' has no value", s->name);
    ev->depth++;
    code = s ? value_of_ex(ev, s->definition, out) : value_of_function(ev, atom, out);
    ev->depth--;
    if (m && code == RK_OK)
        *m = (rk_memo){.value = *out, .done = 1};
    return code;
}

/* ---- sums ------------------------------------------------------------------------------------------------------ */

/* A factor of 0 makes the term 0, however large the others are. */
static int value_of_term(evaluator *ev, rk_acc *acc, rk_term t, rk_ratio *out)
{
    rk_ratio v = rk_coef_at(ev->pool, t.coef), base = {0, 1};
    rk_acc own = {0};
    bool zero = false;
    size_t n;
    const rk_factor *f = rk_factors(ev->pool, t.product, &n);

    for (size_t i = 0; i < n; i++) {
        int code = value_of_atom(ev, f[i].atom, &base);

        if (code != RK_OK)
            return code;
        if (base.num == 0 && f[i].power < 0)
            return fail_zero(ev, f[i].atom);
        zero = zero || base.num == 0;
        v = rk_ratio_mul(&own, v, rk_ratio_pow(&own, base, f[i].power));
    }
    acc->overflow |= own.overflow && !zero;
    *out = zero ? rk_ratio_int(0) : v;
    return RK_OK;
}

static int value_of_ex(evaluator *ev, rk_ex e, rk_ratio *out)
{
    size_t n;
    const rk_term *t = rk_terms(ev->pool, e, &n);
    rk_ratio sum = {0, 1}, v = {0, 1};
    rk_acc acc = {0};

    for (size_t i = 0; i < n; i++) {
        int code = value_of_term(ev, &acc, t[i], &v);

        if (code != RK_OK)
            return code;
        sum = rk_ratio_add(&acc, sum, v);
        if (acc.overflow)
            return fail_overflow(ev, e);
    }
    *out = sum;
    return RK_OK;
}

static int finish(evaluator *ev, rk_ex e, rk_i128 *out)
{
    char text[SHOWN_MAX + 4], num[RK_NUM_TEXT_MAX], den[RK_NUM_TEXT_MAX];
    rk_ratio v = {0, 1};
    int code = value_of_ex(ev, e, &v);

    if (code != RK_OK)
        return code;
    if (v.den != 1) {
        describe(ev->pool, e, text);
        return rk_fail(ev->err, RK_EVALUE, "%s is not a whole number: %s/%s", text, rk_num_text(num, v.num),
                       rk_num_text(den, v.den));
    }
    *out = v.num;
    return RK_OK;
}

int rk_ex_eval_in(const rk_pool *p, rk_ex e, const rk_binding *at, rk_memo *memo, size_t n_memo, rk_i128 *out,
                  rk_err *err)
{
    evaluator ev = {.pool = p, .at = at, .memo = memo, .n_memo = n_memo, .err = err};

    return finish(&ev, e, out);
}

int rk_ex_check(const rk_pool *p, rk_ex e, rk_err *err)
{
    if (!rk_ex_failed(p, e))
        return RK_OK;
    return p->first.code != RK_OK ? rk_pool_check(p, err) : rk_fail(err, RK_EUSAGE, "no expression to evaluate");
}

int rk_ex_eval(const rk_pool *p, rk_ex e, const rk_binding *at, rk_i128 *out, rk_err *err)
{
    evaluator ev = {.pool = p, .at = at, .own_memo = true, .err = err};
    int code = rk_ex_check(p, e, err);

    if (code == RK_OK)
        code = finish(&ev, e, out);
    rk_heap_free(ev.memo);
    return code;
}

int rk_ex_eval_ratio(const rk_pool *p, rk_ex e, const rk_binding *at, rk_i128 *num, rk_i128 *den, rk_err *err)
{
    evaluator ev = {.pool = p, .at = at, .own_memo = true, .err = err};
    rk_ratio v = {0, 1};
    int code = rk_ex_check(p, e, err);

    if (code != RK_OK)
        return code;
    code = value_of_ex(&ev, e, &v);
    rk_heap_free(ev.memo);
    *num = v.num;
    *den = v.den;
    return code;
}
