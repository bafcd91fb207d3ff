/* SPDX-License-Identifier: MIT */
#include "ask/signs.h"

static rk_i128 size_of(rk_i128 n)
{
    return n < 0 ? -n : n;
}

static int sign_at(const rk_poly *p, rk_i128 x)
{
    rk_i128 v = 0;

    for (size_t k = p->n; k-- > 0;)
        v = v * x + p->c[k];
    return (v > 0) - (v < 0);
}

/* ---- limits ----------------------------------------------------------------------------------------------------- */

/* Whether no value up to x, and nothing on the way to it, exceeds 128 bits. */
static bool fits(const rk_poly *p, rk_i128 x)
{
    rk_acc acc = {0};
    rk_i128 v = 0;

    for (size_t k = p->n; k-- > 0;) {
        if (p->c[k] == RK_I128_MIN)
            return false;
        v = rk_add(&acc, rk_mul(&acc, v, x), size_of(p->c[k]));
    }
    return !acc.overflow;
}

/* p(x + 1) - p(x): each power x^k gives the lower rows of Pascal's triangle. */
static bool difference(const rk_poly *p, rk_poly *out)
{
    rk_acc acc = {0};

    *out = (rk_poly){.n = p->n > 0 ? p->n - 1 : 0};
    for (size_t k = 1; k < p->n; k++) {
        rk_i128 choose = 1;

        for (size_t i = 0; i < k; i++) {
            out->c[i] = rk_add(&acc, out->c[i], rk_mul(&acc, p->c[k], choose));
            choose = choose * (rk_i128)(k - i) / (rk_i128)(i + 1);
        }
    }
    return !acc.overflow;
}

bool rk_poly_is_settled(const rk_poly *p, rk_i128 x)
{
    rk_acc acc = {0};
    rk_i128 others = 0;

    for (size_t k = 0; k + 1 < p->n; k++)
        others = rk_add(&acc, others, size_of(p->c[k]));
    if (p->n == 0 || acc.overflow)
        return p->n == 0;
    return size_of(p->c[p->n - 1]) > others / x;
}

/* ---- signs ------------------------------------------------------------------------------------------------------ */

/* The last of the numbers from `from` to `to` up to which the sign is that of the first; p rises or falls there. */
static rk_i128 end_of_sign(const rk_poly *p, rk_i128 from, rk_i128 to)
{
    int sign = sign_at(p, from);

    while (from < to) {
        rk_i128 middle = to - (to - from) / 2;

        if (sign_at(p, middle) == sign)
            from = middle;
        else
            to = middle - 1;
    }
    return from;
}

static void add_monotone(const rk_poly *p, rk_i128 from, rk_i128 to, rk_signs *out)
{
    while (from <= to) {
        rk_i128 end = end_of_sign(p, from, to);
        int sign = sign_at(p, from);

        /* A run after the last one, or more of it where the sign is the same. */
        if (out->n > 0 && out->run[out->n - 1].sign == sign)
            out->run[out->n - 1].to = end;
        else if (out->n < RK_SIGN_RUNS_MAX)
            out->run[out->n++] = (rk_sign_run){from, end, sign};
        from = end + 1;
    }
}

bool rk_poly_signs(const rk_poly *p, rk_i128 from, rk_i128 to, rk_signs *out)
{
    rk_poly step;
    rk_signs steps;

    *out = (rk_signs){0};
    if (!fits(p, to) || !difference(p, &step))
        return false;
    if (p->n <= 1 || from == to) {
        add_monotone(p, from, to, out);
        return true;
    }
    if (!rk_poly_signs(&step, from, to - 1, &steps))
        return false;
    for (size_t i = 0; i < steps.n; i++)
        add_monotone(p, steps.run[i].from, i + 1 == steps.n ? to : steps.run[i].to, out);
    return true;
}
