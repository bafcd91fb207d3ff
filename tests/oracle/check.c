/* SPDX-License-Identifier: MIT */
/* What was counted against the ledger's formulas; the gradients against finite differences. */
#include "oracle.h"

#include "account/ledger.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRONG_MAX 12       /* lines for one model: the first ones tell most */
#define STEPS_MAX 400000.0 /* elementary steps spent on the finite differences of one model */
#define CLOSE 1e-4         /* how near a finite difference must come, relative to the derivative … */
#define CLOSE_TO_ZERO 1e-6 /* … and absolutely */

void wrong(rk_str *out, findings *f, const char *fmt, ...)
{
    va_list ap;

    if (f->n_wrong++ >= WRONG_MAX)
        return;
    rk_str_put(out, "    ");
    va_start(ap, fmt);
    rk_str_vformat(out, fmt, ap);
    va_end(ap);
    rk_str_putc(out, '\n');
}

static const char *op_name(const world *w, size_t op, char buf[256])
{
    const rk_op *o = &w->p->op[op];
    const char *path = w->p->part[o->part].path;

    snprintf(buf, 256, "%s%s%s <%s>", path != NULL ? path : "", path != NULL && path[0] != '\0' ? "." : "",
             o->name != NULL ? o->name : "?", rk_op_table[o->row].name);
    return buf;
}

static const char *tensor_name(const world *w, size_t t, char buf[256])
{
    const rk_tensor *x = &w->p->tensor[t];

    if (x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE)
        return op_name(w, x->producer, buf);
    if (x->kind == RK_TENSOR_WEIGHT)
        snprintf(buf, 256, "%s", w->p->weight[x->weight].pattern);
    else
        snprintf(buf, 256, "%s", x->name);
    return buf;
}

/* ---- counts -------------------------------------------------------------------------------------------------- */

typedef struct column {
    const char *name;
    rk_convention convention;
} column;

static const column columns[] = {
    {"all", {RK_COUNT_ALL, RK_PAIRS_SQUARE, false}},
    {"all, exact mask", {RK_COUNT_ALL, RK_PAIRS_EXACT, false}},
    {"matmul", {RK_COUNT_MATMUL, RK_PAIRS_SQUARE, false}},
    {"matmul, exact mask", {RK_COUNT_MATMUL, RK_PAIRS_EXACT, false}},
    {"matmul in MACs", {RK_COUNT_MATMUL, RK_PAIRS_SQUARE, true}},
};

/* What was run, as a column counts it: products with a summed label, or everything. */
static uint64_t ran(const plan *p, const tally *t, const rk_convention *c)
{
    bool product = p->op->row == RK_OP_PRODUCT && p->inner.n > 0;

    if (c->count == RK_COUNT_MATMUL && !product)
        return 0;
    return c->mac ? t->mul[c->pairs == RK_PAIRS_EXACT] : t->all[c->pairs == RK_PAIRS_EXACT];
}

static bool value_of(const world *w, rk_ex e, rk_i128 *out, rk_err *err)
{
    return rk_ex_eval(w->instance->pool, e, &w->instance->at, out, err) == RK_OK;
}

static void compare(const world *w, size_t op, const char *way, const column *c, uint64_t here, rk_ex e, rk_str *out,
                    findings *f)
{
    char name[256], number[RK_NUM_TEXT_MAX];
    rk_i128 there = 0;
    rk_err err;

    if (e != RK_EX_FAILED && !value_of(w, e, &there, &err)) {
        wrong(out, f, "%s: %s, %s: %s", op_name(w, op, name), way, c->name, err.message);
        return;
    }
    if (there == (rk_i128)here)
        return;
    rk_str text = {0};

    if (e != RK_EX_FAILED)
        rk_ex_print(w->instance->pool, e, RK_PRINT_TEXT, &text);
    wrong(out, f, "%s: %s, %s: the oracle counts %" PRIu64 ", the ledger %s = %s", op_name(w, op, name), way, c->name,
          here, rk_num_text(number, there), e != RK_EX_FAILED ? rk_str_text(&text) : "no row");
    rk_str_free(&text);
}

/* The total is the sum of its rows. */
static void compare_total(const world *w, const rk_ledger *l, const column *c, rk_str *out, findings *f)
{
    rk_i128 forward = 0, backward = 0, total = 0, x = 0, y = 0, times = 0;
    rk_err err = {0};
    bool ok = true;

    for (size_t i = 0; i < l->n_op; i++) {
        ok &= value_of(w, l->op[i].forward, &x, &err) && value_of(w, l->op[i].times, &times, &err);
        ok &= l->op[i].backward == RK_EX_FAILED || value_of(w, l->op[i].backward, &y, &err);
        forward += times * x;
        backward += times * (l->op[i].backward == RK_EX_FAILED ? 0 : y);
    }
    if (!ok || !value_of(w, l->forward, &total, &err) || total != forward)
        wrong(out, f, "%s: the forward total is not the sum of its rows %s", c->name, err.message);
    if (!ok || !value_of(w, l->backward, &total, &err) || total != backward)
        wrong(out, f, "%s: the backward total is not the sum of its rows %s", c->name, err.message);
}

static void add_row(rk_pool *pool, rk_ex *sum, rk_ex e)
{
    *sum = *sum == RK_EX_FAILED ? e : rk_ex_add(pool, *sum, e);
}

static void check_column(world *w, const rk_model *m, const column *c, rk_str *out, findings *f)
{
    rk_ex *forward = need(w, w->p->n_op + 1, sizeof *forward), *backward = need(w, w->p->n_op + 1, sizeof *backward);
    rk_ledger *l = NULL;
    rk_err err;

    if (rk_instance_new(m, &w->instance, &err) != RK_OK ||
        rk_ledger_new(w->instance, &c->convention, &l, &err) != RK_OK) {
        wrong(out, f, "ledger, %s: %s", c->name, err.message);
        rk_instance_free(w->instance);
        return;
    }
    /* An operation may have several rows: a norm and its bias. */
    for (size_t i = 0; i < l->n_op; i++) {
        add_row(w->instance->pool, &forward[l->op[i].op], l->op[i].forward);
        add_row(w->instance->pool, &backward[l->op[i].op], l->op[i].backward);
    }
    for (size_t i = 0; i < w->p->n_op; i++) {
        const plan *p = &w->op[i];

        if (i == w->p->loss)
            continue;
        compare(w, i, "forward", c, ran(p, &p->forward, &c->convention), forward[i], out, f);
        compare(w, i, "backward", c, ran(p, &p->backward, &c->convention), backward[i], out, f);
    }
    compare_total(w, l, c, out, f);
    rk_ledger_free(l);
    rk_instance_free(w->instance);
    w->instance = NULL;
}

/* ---- finite values ------------------------------------------------------------------------------------------- */

/* The first operation, in the order of running, whose result is not finite where no mask forbids it. */
static void blame(world *w, rk_str *out, findings *f)
{
    for (size_t u = 0; u < w->n_unit; u++)
        for (size_t i = 0; i < w->unit[u].n; i++) {
            plan *p = &w->op[w->unit[u].op[i]];
            labels all = {0};
            char name[256];

            labels_add_view(&all, &p->out);
            reset_indices(w, p);
            WALK(w, &all)
            {
                bool forbidden = p->masked && labels_has(&all, p->mask.key) && labels_has(&all, p->mask.query) &&
                                 !pair_allowed(w, p);

                if (!forbidden && !isfinite(view_get(w, &p->out))) {
                    wrong(out, f, "%s: not a finite number; does it read pairs that a mask forbids?",
                          op_name(w, w->unit[u].op[i], name));
                    return;
                }
            }
        }
}

/* ---- gradients ----------------------------------------------------------------------------------------------- */

static double work_of(const world *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->p->n_op; i++)
        sum += (double)w->op[i].forward.all[0] + (double)w->tensor[w->p->op[i].out].n;
    return sum;
}

/* A result that nothing produces is a name that was only announced. */
static bool trained(const world *w, const rk_gradient *g, size_t t)
{
    if (w->p->tensor[t].kind == RK_TENSOR_RESULT && w->p->tensor[t].producer == RK_NONE)
        return false;
    return g->needs[t] && g->reaches[t] && !w->tensor[t].integer && w->tensor[t].n > 0;
}

static void nudge_tensor(world *w, size_t t)
{
    cell *c = &w->tensor[t];

    if (c->room == NULL)
        c->room = need(w, c->n + 1, sizeof *c->room);
    c->nudge = c->room;
    for (size_t k = 0; k < c->n; k++)
        c->nudge[k] = random_real(w);
}

static void nudge_none(world *w)
{
    for (size_t i = 0; i < w->p->n_tensor; i++)
        w->tensor[i].nudge = NULL;
}

static double root_at(world *w, double nudge)
{
    w->nudge = nudge;
    run_forward(w);
    return root_value(w);
}

/* What the gradients say of moving all nudged elements at once. */
static double slope_by_gradient(const world *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->p->n_tensor; i++) {
        const cell *c = &w->tensor[i];

        for (size_t k = 0; c->nudge != NULL && k < c->n; k++)
            sum += c->grad[k] * c->nudge[k];
    }
    return sum;
}

typedef enum verdict {
    AGREES,
    DIFFERS,
    UNSURE
} verdict;

/* Smaller steps where a larger one meets a kink or a bend; unsure when every one of them changes a choice. */
static verdict compare_slope(world *w, uint64_t choices, double *by_gradient, double *by_difference)
{
    static const double step[] = {1e-4, 1e-5, 1e-6};
    verdict v = UNSURE;

    *by_gradient = slope_by_gradient(w);
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        double up = root_at(w, step[i]), far;
        bool same = w->choices == choices;
        double down = root_at(w, -step[i]);

        same &= w->choices == choices;
        if (!same)
            continue;
        *by_difference = (up - down) / (2 * step[i]);
        far = fabs(*by_difference - *by_gradient);
        if (far <= CLOSE_TO_ZERO + CLOSE * fmax(fabs(*by_gradient), fabs(*by_difference)))
            return AGREES;
        v = DIFFERS;
    }
    return v;
}

static bool check_slope(world *w, uint64_t choices, const char *what, rk_str *out, findings *f)
{
    double a = 0, b = 0;
    verdict v = compare_slope(w, choices, &a, &b);

    nudge_none(w);
    if (v == DIFFERS)
        wrong(out, f, "gradient of %s: %.9g, by difference %.9g", what, a, b);
    return v != DIFFERS;
}

/* All tensors that have a gradient at once, then each of them in a random order as long as there is time. */
static void check_gradients(world *w, const rk_gradient *g, uint64_t choices, rk_str *out, findings *f)
{
    double left = STEPS_MAX, cost = 2 * work_of(w);
    size_t n = w->p->n_tensor, start = n > 0 ? random_next(&w->random) % n : 0, wrong_before = f->n_wrong;
    char name[256];

    for (size_t i = 0; i < n; i++)
        if (trained(w, g, i) && w->p->tensor[i].kind == RK_TENSOR_WEIGHT)
            nudge_tensor(w, i);
    check_slope(w, choices, "all weights", out, f);
    for (size_t i = 0; i < n; i++)
        if (trained(w, g, i) && w->p->tensor[i].kind == RK_TENSOR_RESULT)
            nudge_tensor(w, i);
    check_slope(w, choices, "all results", out, f);
    if (f->n_wrong > wrong_before)
        left *= 10; /* worth the time: say which */
    for (size_t i = 0; i < n && left > 0; i++) {
        size_t t = (start + i * 7) % n; /* 7 and n may share a factor: then some are left to the next seed */

        if (!trained(w, g, t))
            continue;
        nudge_tensor(w, t);
        check_slope(w, choices, tensor_name(w, t, name), out, f);
        f->n_gradient++;
        left -= cost;
    }
}

/*
 * Every operand's gradient comes after the gradients of all uses of the result.  A use that stands before the result
 * reads a step back, and was served with the step after.
 */
static void check_order(world *w, const rk_gradient *g, rk_str *out, findings *f)
{
    size_t *last = need(w, w->p->n_tensor + 1, sizeof *last);
    char name[256];

    for (size_t i = 0; i < g->n; i++) {
        const rk_op *op = &w->p->op[g->at[i].op];
        const rk_tensor *t = &w->p->tensor[op->in[g->at[i].in].tensor];

        if (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && t->producer < g->at[i].op)
            last[op->in[g->at[i].in].tensor] = i + 1;
    }
    for (size_t i = 0; i < g->n; i++)
        if (last[w->p->op[g->at[i].op].out] > i)
            wrong(out, f, "%s: its gradient is computed before that of a use", op_name(w, g->at[i].op, name));
}

/* Is the gradient of a result all zero at one place along a label? */
static bool slice_is_zero(world *w, plan *p, uint32_t label, long place)
{
    labels rest = {0};
    bool zero = true;

    for (size_t i = 0; i < p->out.n; i++)
        if (p->out.at[i].label[0] != label)
            labels_add(&rest, p->out.at[i].label[0]);
    reset_indices(w, p);
    w->index[label] = place;
    WALK(w, &rest)
    {
        zero &= view_grad(w, &p->out) == 0;
    }
    return zero;
}

/*
 * Whether a result is read by what passes its gradient on at some places and drops it at others, as the larger of two
 * does: a few numbers may all be dropped by chance, which says nothing about the steps.
 */
static bool may_be_dropped(const world *w, const plan *p)
{
    for (size_t i = 0; i < w->p->n_op; i++) {
        const rk_op *reader = &w->p->op[i];
        bool chooses = reader->row == RK_OP_AT_LEAST || reader->row == RK_OP_CLAMP || reader->row == RK_OP_RELU ||
                       reader->row == RK_OP_RELU2 || reader->row == RK_OP_CLAMPED_GLU;

        for (size_t k = 0; chooses && k < reader->n_in; k++)
            if (reader->in[k].tensor == p->op->out)
                return true;
    }
    return false;
}

/* The last step has no gradient and the one before has: then the last step must be called free. */
static void check_last(world *w, plan *p, const rk_grad *g, uint32_t step, rk_str *out, findings *f)
{
    char name[256];
    long n = w->size[step];
    labels l = {0};

    labels_add_view(&l, &p->out);
    if (n < 2 || !labels_has(&l, step) || (g->last_free && g->shift_label == step))
        return;
    if (slice_is_zero(w, p, step, n - 1) && !slice_is_zero(w, p, step, n - 2) && !may_be_dropped(w, p))
        wrong(out, f, "%s: its last step along %s needs no gradient, and is not called free", op_name(w, g->op, name),
              w->p->label[step].name);
}

/* Are all free steps found?  That those found are free, the derivatives themselves have seen. */
static void check_free(world *w, const rk_gradient *g, rk_str *out, findings *f)
{
    char name[256];

    for (size_t i = 0; i < g->n; i++) {
        plan *p = &w->op[g->at[i].op];
        const rk_tensor *t = &w->p->tensor[p->op->in[g->at[i].in].tensor];

        if (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && t->producer >= g->at[i].op && !g->at[i].first_free)
            wrong(out, f, "%s: its first step reads the start state, and is not called free",
                  op_name(w, g->at[i].op, name));
        for (size_t u = 0; u < w->n_unit; u++)
            if (w->unit[u].step != RK_NONE)
                check_last(w, p, &g->at[i], w->unit[u].step, out, f);
    }
}

static bool same_values(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* A tensor that needs no gradient does not move with the trained weights. */
static void check_needs(world *w, const rk_gradient *g, rk_str *out, findings *f)
{
    size_t n = w->p->n_tensor;
    double **old = need(w, n + 1, sizeof *old);
    char name[256];

    root_at(w, 0);
    for (size_t i = 0; i < n; i++) {
        old[i] = need(w, w->tensor[i].n + 1, sizeof **old);
        memcpy(old[i], w->tensor[i].value, w->tensor[i].n * sizeof **old);
        if (w->p->tensor[i].kind == RK_TENSOR_WEIGHT && g->needs[i])
            nudge_tensor(w, i);
    }
    root_at(w, 0.1);
    for (size_t i = 0; i < n; i++)
        if (!g->needs[i] && !same_values(old[i], w->tensor[i].value, w->tensor[i].n))
            wrong(out, f, "%s: is said to need no gradient, but depends on a trained weight", tensor_name(w, i, name));
    nudge_none(w);
}

/* A tensor that does not reach the output does not move it. */
static void check_reaches(world *w, const rk_gradient *g, rk_str *out, findings *f)
{
    double before = root_at(w, 0);
    size_t n = w->p->n_tensor;
    char name[256];

    for (size_t i = 0; i < n; i++)
        if (!g->reaches[i] && !w->tensor[i].integer)
            nudge_tensor(w, i);
    if (root_at(w, 0.1) == before) {
        nudge_none(w);
        return;
    }
    nudge_none(w);
    for (size_t i = 0; i < n; i++) {
        if (g->reaches[i] || w->tensor[i].integer)
            continue;
        nudge_tensor(w, i);
        if (root_at(w, 0.1) != before)
            wrong(out, f, "%s: is said not to reach the output, but moves it", tensor_name(w, i, name));
        nudge_none(w);
    }
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

/* Does the gradient program start at the loss too?  Then the root has a share of it. */
static bool has_loss(const world *w, const rk_gradient *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->at[i].op == w->p->loss)
            return true;
    return false;
}

void check_world(world *w, const rk_model *m, rk_str *out, findings *f)
{
    rk_gradient g = {0};
    uint64_t choices;
    rk_err err;

    if (rk_gradient_new(&w->arena, w->p, &g, &err) != RK_OK) {
        wrong(out, f, "gradient: %s", err.message);
        return;
    }
    w->loss_root = has_loss(w, &g) ? 0.7 : 0;
    fill_world(w);
    run_forward(w);
    choices = w->choices;
    w->fixed = true;
    if (!isfinite(root_value(w))) {
        wrong(out, f, "the output is not finite");
        blame(w, out, f);
    }
    run_backward(w, &g);
    if (w->wrong[0] != '\0')
        wrong(out, f, "%s", w->wrong);
    f->n_op += w->p->n_op;
    check_order(w, &g, out, f);
    check_free(w, &g, out, f);
    check_needs(w, &g, out, f);
    check_reaches(w, &g, out, f);
    check_gradients(w, &g, choices, out, f);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        check_column(w, m, &columns[i], out, f);
    if (f->n_wrong > WRONG_MAX)
        rk_str_format(out, "    … and %zu more\n", f->n_wrong - WRONG_MAX);
}
