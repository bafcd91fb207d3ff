/* SPDX-License-Identifier: MIT */
#include "ask/cross.h"

#include "ask/signs.h"
#include "base/vec.h"

#include <string.h>

enum {
    LEFT,
    RIGHT
};

typedef struct crossing {
    rk_arena *a;
    rk_cross *c;
    rk_err *err;
    RK_VEC(rk_crossing) at;
    bool seen, above; /* at the number looked at last */
    bool some_equal, some_not_equal;
    bool cut;          /* beyond the last number, a polynomial exceeds 128 bits */
    rk_binding number; /* of the formulas' model; the symbol's own is changed */
    rk_i128 *value;
} crossing;

enum {
    PIECES_MAX = 64 /* windows of different widths in one model: a handful */
};

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

static int check_units(const rk_measure *m, rk_err *err)
{
    static const char *const unit[] = {[RK_UNIT_COUNT] = "a number of parameters",
                                       [RK_UNIT_FLOP] = "a number of operations",
                                       [RK_UNIT_BYTE] = "a number of bytes",
                                       [RK_UNIT_RATIO] = "a share",
                                       [RK_UNIT_PER] = "a ratio of two units"};
    const rk_measure *a = &m[LEFT], *b = &m[RIGHT];

    if (a->unit == b->unit && (a->unit != RK_UNIT_PER ||
                               (a->over.row->unit == b->over.row->unit && a->under.row->unit == b->under.row->unit)))
        return RK_OK;
    return rk_fail(err, RK_EINPUT, "%s is %s and %s is %s: neither is larger", a->name, unit[a->unit], b->name,
                   unit[b->unit]);
}

/* ---- what was found --------------------------------------------------------------------------------------------- */

static int fail(const crossing *x, rk_err *err)
{
    return rk_fail(err, x->err->code, "%s", x->err->message);
}

/* The sign of left - right at x, the first number after the last one seen. */
static void see(crossing *x, rk_i128 at, int sign)
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

/* ---- from formulas: the difference of two as polynomials of one symbol, and their signs -------------------------- */

static int eval(crossing *x, rk_ex e, rk_i128 number, rk_i128 *out)
{
    x->value[x->c->sym] = number;
    return rk_ex_eval(x->c->instance->pool, e, &x->number, out, NULL);
}

/* Whole coefficients, up to a common positive factor; false: one has no number, or they are too large. */
static bool to_poly(crossing *x, const rk_ex *c, size_t n, rk_poly *out)
{
    rk_i128 den[RK_POLY_MAX], common = 1, all = 0;
    rk_acc acc = {0};

    *out = (rk_poly){.n = n};
    for (size_t k = 0; k < n; k++) {
        if (rk_ex_eval_ratio(x->c->instance->pool, c[k], &x->number, &out->c[k], &den[k], NULL) != RK_OK)
            return false;
        common = rk_mul(&acc, common, den[k] / rk_gcd(common, den[k]));
    }
    for (size_t k = 0; k < n && !acc.overflow; k++) {
        out->c[k] = rk_mul(&acc, out->c[k], common / den[k]);
        all = rk_gcd(all, out->c[k]);
    }
    for (size_t k = 0; k < n && all > 0; k++)
        out->c[k] /= all;
    while (out->n > 0 && out->c[out->n - 1] == 0)
        out->n--;
    return !acc.overflow;
}

/*
 * The coefficients to show: those of the lowest powers are taken out where they are nothing.  Other symbols may have no
 * numbers (`known` is false).  False: there is no closed form.
 */
static bool keep_coefficients(crossing *x, rk_ex difference, rk_i128 from, bool known)
{
    rk_cross *c = x->c;
    rk_pool *pool = c->instance->pool;
    rk_ex e[RK_POLY_MAX];
    rk_poly p = {0};
    size_t n, low = 0;

    c->n_coefficient = 0;
    c->piece = from;
    if (!rk_ex_coefficients(pool, rk_ex_primitive(pool, difference), c->sym, e, RK_POLY_MAX, &n) ||
        (known && !to_poly(x, e, n, &p)))
        return false;
    n = known ? p.n : n;
    while (low < n && (known ? p.c[low] == 0 : rk_ex_term_count(pool, e[low]) == 0))
        low++;
    if (n - low > RK_CROSS_DEGREE_MAX + 1 || n - low < 2)
        return false;
    c->n_coefficient = n - low;
    for (size_t k = low; k < n; k++) {
        c->coefficient[k - low] = e[k];
        c->number[k - low] = (double)p.c[k];
    }
    return true;
}

/*
 * A stretch of numbers over which the difference is one polynomial, as far as that fits into 128 bits; false: it is
 * none, or too large at once.
 */
static bool solve_piece(crossing *x, rk_ex difference, rk_i128 from)
{
    rk_cross *c = x->c;
    rk_pool *pool = c->instance->pool;
    rk_ex e[RK_POLY_MAX], here;
    rk_i128 until = 0, to;
    rk_signs signs;
    rk_poly p;
    size_t n;

    x->value[c->sym] = from;
    here = rk_ex_decide(pool, difference, c->sym, &x->number, &until);
    if (here == RK_EX_FAILED || !rk_ex_coefficients(pool, here, c->sym, e, RK_POLY_MAX, &n) || !to_poly(x, e, n, &p))
        return false;
    to = until <= RK_CROSS_LAST ? until - 1 : RK_CROSS_LAST;
    c->last = to;
    while (!rk_poly_signs(&p, from, c->last, &signs)) {
        if (c->last == from)
            return false;
        c->last = from + (c->last - from) / 2;
    }
    for (size_t i = 0; i < signs.n; i++)
        see(x, signs.run[i].from, signs.run[i].sign);
    x->cut = c->last < to;
    c->settled = !x->cut && until == RK_I128_MAX && rk_poly_is_settled(&p, to);
    keep_coefficients(x, here, from, true);
    return true;
}

static bool solve(crossing *x, rk_ex difference)
{
    x->c->first = 1;
    for (int i = 0; i < PIECES_MAX && !x->cut && x->c->last < RK_CROSS_LAST; i++)
        if (!solve_piece(x, difference, x->c->last + 1))
            return false;
    return true;
}

/* The power with which a formula grows in the end; -1: it is no polynomial there. */
static int degree_of(crossing *x, rk_ex e)
{
    rk_pool *pool = x->c->instance->pool;
    rk_ex c[RK_POLY_MAX];
    rk_i128 until;
    size_t n;

    x->value[x->c->sym] = x->c->last;
    e = rk_ex_decide(pool, e, x->c->sym, &x->number, &until);
    if (e == RK_EX_FAILED || !rk_ex_coefficients(pool, e, x->c->sym, c, RK_POLY_MAX, &n))
        return -1;
    return n > 0 ? (int)n - 1 : 0;
}

/* What is saved for the backward pass, and the peak, are other sums for other numbers. */
static bool is_one_formula(const rk_measure_term *t)
{
    return !t->row || t->row->from != RK_FROM_MEMORY ||
           (t->row->which != RK_BYTES_PEAK && t->row->which != RK_BYTES_SAVED);
}

/* Both formulas, over the symbols of one model. */
static int take_formulas(crossing *x, rk_err *err)
{
    rk_cross *c = x->c;
    const rk_instance *m[2] = {0};

    for (int i = 0; i < 2; i++) {
        m[i] = rk_gauge_formula(c->gauge, (size_t)i, &c->over[i], &c->under[i], x->err);
        if (!m[i])
            return fail(x, err);
        if (!c->measure[i].under.row)
            c->under[i] = rk_ex_int(m[i]->pool, 1);
        if (c->over[i] == RK_EX_FAILED || c->under[i] == RK_EX_FAILED)
            return RK_OK;
    }
    if (m[LEFT] == m[RIGHT])
        c->instance = m[LEFT];
    return RK_OK;
}

/* Whether the formulas give what is read at the number of the opening, and hold at others too. */
static bool formulas_hold(crossing *x, const rk_i128 *number)
{
    rk_cross *c = x->c;
    const rk_symbol *s = rk_model_symbol(c->instance->model, c->symbol);
    rk_reading r[2] = {{0, 1}, {0, 1}};

    if (s->fixed || rk_gauge_read(c->probe, number, r, x->err) != RK_OK)
        return false;
    for (int i = 0; i < 2; i++) {
        rk_i128 over = 0, under = 0;

        if (!is_one_formula(&c->measure[i].over) || !is_one_formula(&c->measure[i].under) ||
            eval(x, c->over[i], *number, &over) != RK_OK || eval(x, c->under[i], *number, &under) != RK_OK ||
            over != r[i].over || under != r[i].under)
            return false;
    }
    return true;
}

static int solve_formulas(crossing *x, const rk_i128 *number, rk_err *err)
{
    rk_cross *c = x->c;
    rk_ex difference, left, right;
    rk_binding at;
    rk_pool *pool;
    rk_i128 n = 0;
    int code = take_formulas(x, err);

    if (code != RK_OK || !c->instance)
        return code;
    at = c->instance->at;
    pool = c->instance->pool;
    x->value = rk_arena_copy_array(x->a, at.value, at.n, sizeof *at.value);
    if (!x->value)
        return rk_fail_memory(err);
    x->number = (rk_binding){x->value, at.known, at.n};
    c->sym = rk_model_symbol(c->instance->model, c->symbol)->sym; /* a gauge was opened with it: it is there */
    left = c->over[LEFT];
    right = c->over[RIGHT];
    if (c->under[LEFT] != c->under[RIGHT]) { /* nothing is negative there */
        left = rk_ex_mul(pool, left, c->under[RIGHT]);
        right = rk_ex_mul(pool, right, c->under[LEFT]);
    }
    difference = rk_ex_simplify(pool, rk_ex_sub(pool, left, right));
    if (eval(x, c->over[LEFT], *number, &n) == RK_EVALUE || eval(x, c->over[RIGHT], *number, &n) == RK_EVALUE) {
        /* Other symbols have no number, so that nothing can be read. */
        c->solved = keep_coefficients(x, difference, 1, false);
        c->answer = RK_CROSS_FORMULA;
        return rk_pool_check(pool, err);
    }
    c->solved = formulas_hold(x, number) && solve(x, difference);
    for (int i = 0; i < 2 && c->solved; i++) {
        int over = degree_of(x, c->over[i]), under = degree_of(x, c->under[i]);

        c->degree[i] = over >= 0 && under >= 0 && over >= under ? over - under : -1;
    }
    return rk_pool_check(pool, err);
}

/* ---- by looking ------------------------------------------------------------------------------------------------- */

static bool look(crossing *x, rk_i128 at, int *sign)
{
    rk_reading r[2];

    if (rk_gauge_read(x->c->probe, &at, r, x->err) != RK_OK)
        return false;
    *sign = rk_reading_compare(r[LEFT], r[RIGHT]);
    return true;
}

/* Somewhere in (low, high] the left becomes larger, or no longer is: the first such number, by halving. */
static bool narrow(crossing *x, rk_i128 low, rk_i128 high, bool above)
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
    see(x, high, at_high);
    return true;
}

/* Looks at numbers ever further apart (1, 2, 3, 4, 6, 8, 12, …), as far as the model can have them. */
static int search(crossing *x, rk_err *err)
{
    rk_cross *c = x->c;
    rk_i128 before = 0;
    int sign;

    for (rk_i128 n = 1, next; n <= RK_CROSS_LAST; n = next) {
        bool was_above = x->above;

        next = (n & (n - 1)) == 0 ? n + (n + 1) / 2 : n / 3 * 4;
        if (!look(x, n, &sign)) {
            if (x->seen)
                break;
            continue;
        }
        c->first = x->seen ? c->first : n;
        if (x->seen && (sign > 0) != was_above && !narrow(x, before, n, sign > 0))
            break;
        see(x, n, sign);
        c->last = before = n;
    }
    return x->seen ? RK_OK : fail(x, err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* The quantities as they are at a number, read from the model itself; where it cannot have it, from the formulas. */
static int read_at(crossing *x, rk_i128 n, rk_reading *left, rk_reading *right, const char **unfit, rk_err *err)
{
    rk_cross *c = x->c;
    rk_reading r[2];
    int code = rk_gauge_read(c->probe, &n, r, x->err);

    for (int i = 0; i < 2 && code != RK_OK && c->solved; i++)
        if (eval(x, c->over[i], n, &r[i].over) != RK_OK || eval(x, c->under[i], n, &r[i].under) != RK_OK)
            return fail(x, err);
    if (code != RK_OK && !c->solved)
        return fail(x, err);
    if (code != RK_OK) /* its first line; below it, a model file is quoted */
        *unfit = rk_arena_copy(x->a, x->err->message, strcspn(x->err->message, "\n"));
    *left = r[LEFT];
    *right = r[RIGHT];
    return RK_OK;
}

/* Reads the quantities on both sides of each crossing. */
static int read_crossings(crossing *x, rk_err *err)
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
        code = read_at(x, c->last, &c->at_last[LEFT], &c->at_last[RIGHT], &unfit, err);
    return code;
}

/* The number that the symbol has where nobody sets it. */
static int number_unset(const rk_gauge_source *source, const rk_measure *measure, rk_i128 *out, rk_err *err)
{
    rk_gauge_source plain = *source;
    rk_gauge *g = NULL;
    const rk_run *run;
    const rk_instance *m;
    const rk_symbol *s;
    int code;

    plain.n_symbol = 0;
    code = rk_gauge_new(&plain, measure, 2, NULL, &g, err);
    if (code != RK_OK)
        return code;
    run = rk_gauge_step(g);
    m = run ? run->opened.instance : rk_gauge_ledger(g)->instance;
    s = rk_model_symbol(m->model, source->symbol[0]);
    *out = 1;
    if (s)
        rk_ex_eval(m->pool, rk_ex_sym(m->pool, s->sym), &m->at, out, NULL);
    rk_gauge_free(g);
    return RK_OK;
}

static int find_all(crossing *x, const rk_i128 *number, rk_err *err)
{
    int code = solve_formulas(x, number, err);

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
    if (x->at.n > 0)
        x->c->answer = RK_CROSS_SOME;
    else if (x->some_equal && !x->some_not_equal)
        x->c->answer = RK_CROSS_EQUAL;
    else
        x->c->answer = x->above ? RK_CROSS_ALWAYS : RK_CROSS_NEVER;
    return code;
}

int rk_cross_new(rk_arena *a, const rk_gauge_source *source, const rk_measure measure[2], rk_cross *out, rk_err *err)
{
    rk_err why = {0};
    crossing x = {.a = a, .c = out, .err = &why};
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
