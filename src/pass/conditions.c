/* SPDX-License-Identifier: MIT */
#include "pass/conditions.h"

/* ---- questions -------------------------------------------------------------------------------------------------- */

/* What no numbers can change: both are the same, or plain numbers. */
static bool is_settled(const rk_conditions *q, rk_ex a, rk_ex b)
{
    rk_i128 n;

    return a == b || (rk_ex_is_int(q->pool, a, &n) && rk_ex_is_int(q->pool, b, &n));
}

static void add_question(rk_conditions *q, rk_condition asked)
{
    rk_ex key[2] = {asked.a, asked.b};
    rk_condition *slot = q->condition.n < RK_CONDITIONS_MAX ? RK_PUSH(q->arena, &q->condition) : NULL;

    if (slot)
        *slot = asked;
    q->failed |= !slot || !rk_map_put(q->arena, &q->seen, (const char *)key, sizeof key, (uint32_t)q->condition.n - 1);
}

static void note(rk_conditions *q, rk_ex a, rk_ex b, unsigned answer)
{
    rk_ex key[2] = {a, b};
    uint32_t before;

    if (!q || q->failed)
        return;
    if (a == RK_EX_FAILED || b == RK_EX_FAILED) {
        q->failed = true;
        return;
    }
    if (is_settled(q, a, b))
        return;
    before = rk_map_get(&q->seen, (const char *)key, sizeof key);
    if (before != RK_NONE)
        q->condition.at[before].answer &= answer;
    else
        add_question(q, (rk_condition){a, b, answer});
}

void rk_conditions_equal(rk_conditions *q, rk_ex a, rk_ex b, bool yes)
{
    note(q, a, b, yes ? RK_EQUAL : RK_LESS | RK_MORE);
}

void rk_conditions_less(rk_conditions *q, rk_ex a, rk_ex b, bool yes)
{
    note(q, a, b, yes ? RK_LESS : RK_EQUAL | RK_MORE);
}

/* ---- numbers with their expressions ----------------------------------------------------------------------------- */

rk_size rk_size_of(rk_conditions *q, int64_t n)
{
    return (rk_size){n, q ? rk_ex_int(q->pool, n) : RK_EX_FAILED};
}

/* Where sizes are those of tensors that can be, strides are within 64 bits; all else stays at the end of them. */
static int64_t within(bool beyond, bool negative, int64_t n)
{
    return !beyond ? n : negative ? INT64_MIN : INT64_MAX;
}

rk_size rk_size_times(rk_conditions *q, rk_size a, rk_size b)
{
    int64_t n = 0;
    bool beyond = __builtin_mul_overflow(a.n, b.n, &n);

    return (rk_size){within(beyond, (a.n < 0) != (b.n < 0), n), q ? rk_ex_mul(q->pool, a.e, b.e) : RK_EX_FAILED};
}

rk_size rk_size_plus(rk_conditions *q, rk_size a, rk_size b)
{
    int64_t n = 0;
    bool beyond = __builtin_add_overflow(a.n, b.n, &n);

    return (rk_size){within(beyond, a.n < 0, n), q ? rk_ex_add(q->pool, a.e, b.e) : RK_EX_FAILED};
}

bool rk_size_is(rk_conditions *q, rk_size a, int64_t n)
{
    if (q)
        rk_conditions_equal(q, a.e, rk_ex_int(q->pool, n), a.n == n);
    return a.n == n;
}

bool rk_size_equals(rk_conditions *q, rk_size a, rk_size b)
{
    rk_conditions_equal(q, a.e, b.e, a.n == b.n);
    return a.n == b.n;
}

bool rk_size_less(rk_conditions *q, rk_size a, rk_size b)
{
    rk_conditions_less(q, a.e, b.e, a.n < b.n);
    return a.n < b.n;
}
