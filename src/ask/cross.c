/* SPDX-License-Identifier: MIT */
#include "ask/crossing.h"

#include <string.h>

/* ---- comparing -------------------------------------------------------------------------------------------------- */

/* By continued fractions, so that nothing is multiplied; a zero below is larger than any number. */
int rk_reading_compare(rk_reading a, rk_reading b)
{
    for (int turn = 1;; turn = -turn) {
        rk_i128 p = a.under ? a.over / a.under : 0, q = b.under ? b.over / b.under : 0;

        if (a.under == 0 || b.under == 0)
            return turn * ((a.under == 0) - (b.under == 0));
        if (p != q)
            return p < q ? -turn : turn;
        a = (rk_reading){a.under, a.over % a.under};
        b = (rk_reading){b.under, b.over % b.under};
    }
}

static bool same_unit(const rk_measure *a, const rk_measure *b)
{
    if (a->unit != b->unit)
        return false;
    return a->unit != RK_UNIT_PER ||
           (a->over.row->unit == b->over.row->unit && a->under.row->unit == b->under.row->unit);
}

static int check_units(const rk_measure *m, rk_err *err)
{
    static const char *const unit[] = {[RK_UNIT_COUNT] = "a number of parameters",
                                       [RK_UNIT_FLOP] = "a number of operations",
                                       [RK_UNIT_BYTE] = "a number of bytes",
                                       [RK_UNIT_RATIO] = "a share",
                                       [RK_UNIT_PER] = "a ratio of two units"};

    if (same_unit(&m[RK_CROSS_LEFT], &m[RK_CROSS_RIGHT]))
        return RK_OK;
    return rk_fail(err, RK_EINPUT, "%s is %s and %s is %s: neither is larger", m[RK_CROSS_LEFT].name,
                   unit[m[RK_CROSS_LEFT].unit], m[RK_CROSS_RIGHT].name, unit[m[RK_CROSS_RIGHT].unit]);
}

/* ---- what was found --------------------------------------------------------------------------------------------- */

int rk_crossing_fail(const rk_crossing_search *x, rk_err *err)
{
    return rk_fail(err, x->err->code, "%s", x->err->message);
}

/* The sign of left - right at x, the first number behind the last one seen. */
void rk_crossing_see(rk_crossing_search *x, rk_i128 at, int sign)
{
    bool above = sign > 0;

    x->some_equal |= sign == 0;
    x->some_not_equal |= sign != 0;
    if (x->seen && above != x->above) {
        rk_crossing *new = RK_PUSH(x->a, &x->at);

        if (new)
            *new = (rk_crossing){.from = at, .above = above};
    }
    x->seen = true;
    x->above = above;
}

static rk_cross_answer answer_of(const rk_crossing_search *x)
{
    if (x->at.n > 0)
        return RK_CROSS_SOME;
    if (x->some_equal && !x->some_not_equal)
        return RK_CROSS_EQUAL;
    return x->above ? RK_CROSS_ALWAYS : RK_CROSS_NEVER;
}

/* ---- by looking ------------------------------------------------------------------------------------------------- */

static bool look(rk_crossing_search *x, rk_i128 at, int *sign)
{
    rk_reading r[2];

    if (rk_gauge_read(x->c->probe, &at, r, x->err) != RK_OK)
        return false;
    *sign = rk_reading_compare(r[RK_CROSS_LEFT], r[RK_CROSS_RIGHT]);
    return true;
}

/* Somewhere in (low, high] the left becomes larger, or no longer is: the first such number, by halving. */
static bool narrow(rk_crossing_search *x, rk_i128 low, rk_i128 high, bool above)
{
    int at_high = 0, sign;

    if (!look(x, high, &at_high))
        return false;
    while (high - low > 1) {
        rk_i128 middle = low + (high - low) / 2;

        if (!look(x, middle, &sign))
            return false;
        if ((sign > 0) == above) {
            high = middle;
            at_high = sign;
        } else {
            low = middle;
        }
    }
    rk_crossing_see(x, high, at_high);
    return true;
}

/* 1, 2, 3, 4, 6, 8, 12, … */
static rk_i128 next_of(rk_i128 n)
{
    return n < 2 ? n + 1 : (n & (n - 1)) == 0 ? n + n / 2 : n / 3 * 4;
}

/* Looks at numbers ever further apart, as far as the model can have them. */
static int search(rk_crossing_search *x, rk_err *err)
{
    rk_cross *c = x->c;
    rk_i128 before = 0;
    int sign;

    for (rk_i128 n = 1; n <= RK_CROSS_LAST; n = next_of(n)) {
        bool was_above = x->above;

        if (!look(x, n, &sign)) {
            if (x->seen)
                break;
            continue;
        }
        c->first = x->seen ? c->first : n;
        if (x->seen && (sign > 0) != was_above && !narrow(x, before, n, sign > 0))
            break;
        rk_crossing_see(x, n, sign);
        c->last = before = n;
    }
    return x->seen ? RK_OK : rk_crossing_fail(x, err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* The quantities as they are at a number, read from the model itself; where it cannot have it, from the formulas. */
static int read_at(rk_crossing_search *x, rk_i128 n, rk_reading *left, rk_reading *right, const char **unfit,
                   rk_err *err)
{
    rk_cross *c = x->c;
    rk_reading r[2];
    int code = rk_gauge_read(c->probe, &n, r, x->err);

    for (int i = 0; i < 2 && code != RK_OK && c->solved; i++)
        if (rk_crossing_eval(x, c->over[i], n, &r[i].over) != RK_OK ||
            rk_crossing_eval(x, c->under[i], n, &r[i].under) != RK_OK)
            return rk_crossing_fail(x, err);
    if (code != RK_OK && !c->solved)
        return rk_crossing_fail(x, err);
    if (code != RK_OK) /* its first line; below it, a model file is quoted */
        *unfit = rk_arena_copy(x->a, x->err->message, strcspn(x->err->message, "\n"));
    *left = r[RK_CROSS_LEFT];
    *right = r[RK_CROSS_RIGHT];
    return RK_OK;
}

/* Reads the quantities on both sides of each crossing. */
static int read_crossings(rk_crossing_search *x, rk_err *err)
{
    rk_cross *c = x->c;
    const char *unfit = NULL;
    int code = RK_OK;

    for (size_t i = 0; i < x->at.n && code == RK_OK; i++) {
        rk_crossing *k = &x->at.at[i];

        for (int side = 0; side < 2 && code == RK_OK; side++)
            code = read_at(x, k->from - 1 + side, &k->left[side], &k->right[side], &k->unfit, err);
        if (code == RK_OK && ((rk_reading_compare(k->left[1], k->right[1]) > 0) != k->above ||
                              (rk_reading_compare(k->left[0], k->right[0]) > 0) == k->above))
            code = rk_fail(err, RK_EINPUT, "%s = %lld was found, and is no crossing", c->symbol, (long long)k->from);
    }
    if (code == RK_OK)
        code = read_at(x, c->last, &c->at_last[RK_CROSS_LEFT], &c->at_last[RK_CROSS_RIGHT], &unfit, err);
    return code;
}

/* The number that the symbol has where nobody sets it. */
static int number_unset(const rk_gauge_source *source, const rk_measure *measure, rk_i128 *out, rk_err *err)
{
    rk_gauge_source plain = *source;
    rk_gauge *g = NULL;
    const rk_gauge_run *run;
    const rk_instance *m;
    const rk_symbol *s;
    int code;

    plain.n_symbol = 0;
    code = rk_gauge_new(&plain, measure, 2, NULL, &g, err);
    if (code != RK_OK)
        return code;
    run = rk_gauge_step(g);
    m = run ? run->instance : rk_gauge_ledger(g)->instance;
    s = rk_model_symbol(m->model, source->symbol[0]);
    *out = 1;
    if (s)
        rk_ex_eval(m->pool, rk_ex_sym(m->pool, s->sym), &m->at, out, NULL);
    rk_gauge_free(g);
    return RK_OK;
}

static int find_all(rk_crossing_search *x, const rk_i128 *number, rk_err *err)
{
    int code = rk_crossing_solve(x, number, err);

    if (code != RK_OK || (x->c->solved && x->c->answer == RK_CROSS_FORMULA))
        return code;
    if (!x->c->solved) {
        x->at.n = 0;
        x->seen = x->above = x->some_equal = x->some_not_equal = false;
        x->c->n_coefficient = 0;
        code = search(x, err);
    }
    if (code == RK_OK)
        code = read_crossings(x, err);
    if (code == RK_OK && x->a->failed)
        code = rk_fail_memory(err);
    x->c->at = x->at.at;
    x->c->n = x->at.n;
    x->c->answer = answer_of(x);
    return code;
}

int rk_cross_new(rk_arena *a, const rk_gauge_source *source, const rk_measure measure[2], rk_cross *out, rk_err *err)
{
    rk_err why = {0};
    rk_crossing_search x = {.a = a, .c = out, .err = &why};
    rk_i128 number = 1;
    int code = check_units(measure, err);

    *out = (rk_cross){.measure = measure, .symbol = source->symbol[0], .degree = {-1, -1}};
    if (code == RK_OK)
        code = number_unset(source, measure, &number, err);
    if (code == RK_OK)
        code = rk_gauge_new(source, measure, 2, &number, &out->gauge, err);
    if (code == RK_OK)
        code = rk_gauge_new(source, measure, 2, &number, &out->probe, err);
    if (code == RK_OK) {
        out->ledger = rk_gauge_ledger(out->gauge);
        code = find_all(&x, &number, err);
    }
    if (code != RK_OK)
        rk_cross_free(out);
    return code;
}

void rk_cross_free(rk_cross *c)
{
    rk_gauge_free(c->gauge);
    rk_gauge_free(c->probe);
    c->gauge = c->probe = NULL;
}
