/* SPDX-License-Identifier: MIT */
/* A program at given sizes: a view of every operand, and an order in which everything can be run. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS_MAX 50000 /* of one tensor, or a tenth of all steps */

uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x * 0x2545f4914f6cdd1dU;
}

double random_real(world *w)
{
    return (double)(random_next(&w->random) >> 11) / (double)((uint64_t)1 << 52) - 1.0;
}

labels row_of_last(const view *v)
{
    labels row = {0};

    if (v->n > 0)
        labels_add(&row, v->at[v->n - 1].label[0]);
    return row;
}

static labels labels_of(const view *v)
{
    labels l = {0};

    labels_add_view(&l, v);
    return l;
}

static labels labels_less(const labels *a, const labels *b)
{
    labels l = {0};

    for (size_t i = 0; i < a->n; i++)
        if (!labels_has(b, a->at[i]))
            labels_add(&l, a->at[i]);
    return l;
}

/* ---- operands under the labels of the result ----------------------------------------------------------------- */

/* Can the view be read when only the labels `l` have an index?  Axes of size 1 need none. */
static bool covered(const world *w, const view *v, const labels *l)
{
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = 0; j < v->at[i].n; j++)
            if (!labels_has(l, v->at[i].label[j]) && w->size[v->at[i].label[j]] > 1)
                return false;
    return true;
}

static bool computed_axes(const view *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i].kind == AXIS_AFFINE || v->at[i].kind == AXIS_ROUTED)
            return true;
    return false;
}

/* Axes from `from` on whose labels are not in `l`, as far as they stand side by side. */
static size_t run_length(const view *v, size_t from, const labels *l)
{
    size_t n = 0;

    while (from + n < v->n && v->at[from + n].kind == AXIS_LABEL && !labels_has(l, v->at[from + n].label[0]))
        n++;
    return n;
}

static uint32_t label_before(const view *v, size_t at)
{
    return at > 0 ? v->at[at - 1].label[0] : RK_NONE;
}

/* The run of axes in `out` that stands for the run at `at` of `in`: after the same label, or the first there is. */
static bool find_run(const view *out, const labels *in_labels, uint32_t before, size_t *at, size_t *n)
{
    bool found = false;

    for (size_t i = 0; i < out->n; i++) {
        size_t k = run_length(out, i, in_labels);

        if (k == 0)
            continue;
        if (!found || label_before(out, i) == before) {
            *at = i;
            *n = k;
        }
        if (label_before(out, i) == before)
            return true;
        found = true;
        i += k;
    }
    return found;
}

/*
 * Axes of `in` that the result lacks stand for axes that the result has in their place: S for (c i), Z for S.  The
 * shorter of both ends first, so that the beginning of an axis, padding and placing are all reads that may be outside.
 */
static view fit_runs(world *w, const view *in, const view *out)
{
    labels in_labels = labels_of(in), out_labels = labels_of(out);
    view v = {.tensor = in->tensor};

    v.at = need(w, in->n + 1, sizeof *v.at);
    for (size_t i = 0; i < in->n;) {
        size_t n = run_length(in, i, &out_labels), at = 0, n_out = 0;
        uint32_t label[LABELS_MAX];
        long size = 1;

        if (n == 0) {
            v.at[v.n++] = in->at[i++];
            continue;
        }
        for (size_t k = 0; k < n; k++)
            size *= in->at[i + k].size;
        if (find_run(out, &in_labels, label_before(in, i), &at, &n_out)) {
            for (size_t k = 0; k < n_out && k < LABELS_MAX; k++)
                label[k] = out->at[at + k].label[0];
            v.at[v.n++] = axis_flat(w, label, n_out, 0, size);
        } else {
            v.at[v.n++] = axis_flat(w, label, 0, 0, size);
            if (size > 1)
                fail_world(w, "an operand has an axis that the result lacks");
        }
        i += n;
    }
    return v;
}

/* An operand of an operation that works element by element: by label, or as many elements in the same order. */
static view fit(world *w, const view *in, const view *out)
{
    labels l = labels_of(out);
    view v = {.tensor = in->tensor, .at = out->at, .n = out->n};

    if (covered(w, in, &l))
        return *in;
    if (view_count(in) == view_count(out) && !computed_axes(in))
        return v;
    return fit_runs(w, in, out);
}

/* ---- axes laid end to end ------------------------------------------------------------------------------------ */

static long part_count(world *w, const rk_ixs *part)
{
    long n = 1;

    for (size_t i = 0; i < part->n; i++)
        n *= eval_size(w, part->at[i].size);
    return n;
}

static long part_start(world *w, const rk_ix *sum, size_t which)
{
    long start = 0;

    for (size_t i = 0; i < which; i++)
        start += part_count(w, &sum->part[i]);
    return start;
}

static axis part_axis(world *w, const rk_ix *sum, size_t which, const labels *l)
{
    return axis_flat(w, l->at, l->n, part_start(w, sum, which), eval_size(w, sum->size));
}

static labels labels_of_part(const rk_ixs *part)
{
    labels l = {0};

    for (size_t i = 0; i < part->n; i++)
        labels_add(&l, part->at[i].label);
    return l;
}

static long labels_count(const world *w, const labels *l)
{
    long n = 1;

    for (size_t i = 0; i < l->n; i++)
        n *= w->size[l->at[i]];
    return n;
}

/* The axis of `axes` that has parts and whose whole does not stand in `other`. */
static size_t find_sum(const rk_ixs *axes, size_t n_part, const labels *other)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_SUM && axes->at[i].n_part >= n_part && !labels_has(other, axes->at[i].label))
            return i;
    return axes->n;
}

/* The operand of PART: its sum axis is read from the beginning of the part on, at the result's other labels. */
static void plan_part(world *w, plan *p)
{
    const rk_ixs *axes = &p->op->in[0].axes;
    labels out = labels_of(&p->out), rest = {0}, part;
    size_t at = find_sum(axes, p->op->which + 1, &out);

    if (at == axes->n) {
        fail_world(w, "%s: no axis to take a part of", p->op->name);
        return;
    }
    for (size_t i = 0; i < p->in[0].n; i++)
        if (i != at)
            labels_add(&rest, p->in[0].at[i].label[0]);
    part = labels_less(&out, &rest);
    if (labels_count(w, &part) != part_count(w, &axes->at[at].part[p->op->which]))
        part = labels_of_part(&axes->at[at].part[p->op->which]);
    if (labels_count(w, &part) != part_count(w, &axes->at[at].part[p->op->which]))
        fail_world(w, "%s: a part of %ld elements has %ld", p->op->name,
                   part_count(w, &axes->at[at].part[p->op->which]), labels_count(w, &part));
    p->in[0].at[at] = part_axis(w, &axes->at[at], p->op->which, &part);
}

/* The result of JOIN seen as each of its parts. */
static void plan_join(world *w, plan *p)
{
    const rk_ixs *axes = &w->p->tensor[p->op->out].axes;
    labels none = {0};
    size_t at = find_sum(axes, p->op->n_in, &none);

    if (at == axes->n) {
        fail_world(w, "%s: no axis to join along", p->op->name);
        return;
    }
    p->part = need(w, p->op->n_in, sizeof *p->part);
    for (size_t i = 0; i < p->op->n_in; i++) {
        labels part = labels_of_part(&axes->at[at].part[i]);
        view seen = view_of(w, p->op->out, axes);
        view plain = {.tensor = p->op->out};

        seen.at[at] = part_axis(w, &axes->at[at], i, &part);
        p->part[i] = seen;
        /* The same with the part's labels as axes of their own, for an operand that groups them otherwise. */
        plain.at = need(w, seen.n + part.n + 1, sizeof *plain.at);
        for (size_t k = 0; k < seen.n; k++) {
            if (k != at) {
                plain.at[plain.n++] = seen.at[k];
                continue;
            }
            for (size_t j = 0; j < part.n; j++) {
                plain.at[plain.n] = axis_flat(w, &part.at[j], 1, 0, w->size[part.at[j]]);
                plain.at[plain.n++].kind = AXIS_LABEL;
            }
        }
        p->in[i] = fit(w, &p->in[i], &plain);
    }
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static labels label_arguments(const plan *p)
{
    labels l = {0};

    for (size_t i = 0; i < p->op->n_label; i++)
        labels_add(&l, p->op->label[i]);
    return l;
}

/* A norm works over its label arguments, else over the axes of its weight, else along the last axis. */
static labels norm_row(const plan *p)
{
    labels l = label_arguments(p);

    if (l.n == 0 && p->op->n_in > 1)
        l = labels_of(&p->in[1]);
    return l.n > 0 ? l : row_of_last(&p->in[0]);
}

static labels along_row(const plan *p)
{
    labels l = label_arguments(p);

    return l.n > 0 ? l : row_of_last(&p->in[0]);
}

static void split_row(plan *p, const labels *all, const labels *row)
{
    p->inner = *row;
    p->domain = labels_less(all, row);
}

static labels operand_labels(const plan *p)
{
    labels l = {0};

    for (size_t i = 0; i < p->op->n_in; i++)
        labels_add_view(&l, &p->in[i]);
    return l;
}

static void plan_rows(world *w, plan *p)
{
    labels out = labels_of(&p->out), first = {0}, row;

    if (p->op->n_in > 0)
        first = labels_of(&p->in[0]);
    p->domain = out;
    switch (rk_op_table[p->op->row].shape) {
    case RK_SHAPE_PRODUCT:
        row = operand_labels(p);
        p->inner = labels_less(&row, &out);
        break;
    case RK_SHAPE_NORM:
        row = norm_row(p);
        split_row(p, &out, &row);
        break;
    case RK_SHAPE_ALONG:
        row = along_row(p);
        split_row(p, &out, &row);
        break;
    case RK_SHAPE_REDUCE:
        p->inner = labels_less(&first, &out);
        break;
    case RK_SHAPE_CHOOSE:
        row = row_of_last(&p->out);
        split_row(p, &out, &row);
        p->chosen = need(w, (size_t)view_count(&p->out) + 1, sizeof *p->chosen);
        break;
    case RK_SHAPE_SCALAR:
        row = row_of_last(&p->in[0]);
        split_row(p, &first, &row);
        break;
    default:
        break;
    }
}

static void plan_operands(world *w, plan *p)
{
    rk_op_id row = p->op->row;

    switch (rk_op_table[row].shape) {
    case RK_SHAPE_SAME:
    case RK_SHAPE_NORM:
    case RK_SHAPE_ALONG:
        p->in[0] = fit(w, &p->in[0], &p->out);
        break;
    case RK_SHAPE_UNION:
        for (size_t i = 0; i < p->op->n_in; i++)
            p->in[i] = fit(w, &p->in[i], &p->out);
        break;
    case RK_SHAPE_SOLVE:
        p->in[1] = fit(w, &p->in[1], &p->out);
        break;
    case RK_SHAPE_PLACE:
        p->in[0] = fit_runs(w, &p->in[0], &p->out);
        p->in[1] = fit(w, &p->in[1], &p->out);
        break;
    case RK_SHAPE_TARGET:
        if (row == RK_OP_PART)
            plan_part(w, p);
        else if (row == RK_OP_JOIN)
            plan_join(w, p);
        else
            p->in[0] = fit(w, &p->in[0], &p->out);
        break;
    default:
        break;
    }
}

/* ---- one operation ------------------------------------------------------------------------------------------- */

static bool walks(const plan *p, uint32_t label)
{
    return labels_has(&p->domain, label) || labels_has(&p->inner, label);
}

static void plan_mask(world *w, plan *p)
{
    p->mask = p->op->mask;
    p->masked = p->mask.kind != RK_MASK_FULL && walks(p, p->mask.query) && walks(p, p->mask.key);
    if (rk_mask_table[p->mask.kind].least < 0)
        return;
    p->mask_size = eval_size(w, p->mask.size);
    if (p->mask_size < rk_mask_table[p->mask.kind].least)
        fail_world(w, "%s: a %s of %ld", p->op->name, rk_mask_table[p->mask.kind].name, p->mask_size);
}

/* What an earlier operation has chosen, with its last axis under another label: a block calls it by its own name. */
static view *choice_as(world *w, const plan *chooser, uint32_t label)
{
    view *v = need(w, 1, sizeof *v);

    *v = view_of(w, chooser->op->out, &w->p->tensor[chooser->op->out].axes);
    v->at[v->n - 1].label[0] = label;
    return v;
}

/* The same of all devices, of which each has chosen for a piece of the tokens; NULL: each chose for all. */
static view *united_choice_as(world *w, const plan *chooser, uint32_t label, const labels *own)
{
    view *v = choice_as(w, chooser, label);
    bool any = false;

    for (size_t i = 0; i + 1 < v->n; i++) {
        const rk_label *l = &w->p->label[v->at[i].label[0]];

        if (l->mesh == 0 || labels_has(own, v->at[i].label[0]))
            continue;
        any = true;
        v->at[i].label[0] = l->whole;
        v->at[i].size = w->size[l->whole];
    }
    return any ? v : NULL;
}

static view *choice_for(world *w, const plan *p, const plan *chooser, uint32_t label)
{
    labels l = operand_labels(p);
    view *v;

    if (chooser->chosen == NULL || w->size[chooser->inner.at[0]] != w->size[label])
        return NULL;
    v = united_choice_as(w, chooser, label, &l);
    v = v ? v : choice_as(w, chooser, label);
    return covered(w, v, &l) ? v : NULL;
}

/* The operation that chose the places of a routed axis: the last one before. */
static void plan_routes(world *w, plan *p, size_t at)
{
    for (size_t i = 0; i < p->op->n_in; i++)
        for (size_t k = 0; k < p->in[i].n; k++) {
            axis *a = &p->in[i].at[k];

            if (a->kind != AXIS_ROUTED)
                continue;
            for (size_t j = at; j-- > 0 && a->chooser == RK_NONE;)
                if ((a->choice = choice_for(w, p, &w->op[j], a->label[0])) != NULL)
                    a->chooser = (uint32_t)j;
            if (a->chooser == RK_NONE)
                fail_world(w, "%s: nothing chose the places of %s", p->op->name, w->p->label[a->label[0]].name);
            else if (view_count(a->choice) != view_count(&w->op[a->chooser].out))
                a->united = (size_t)view_count(&w->op[a->chooser].out);
        }
}

static void plan_op(world *w, size_t at)
{
    plan *p = &w->op[at];
    const rk_op *op = &w->p->op[at];

    p->op = op;
    p->in = need(w, op->n_in + 1, sizeof *p->in);
    p->want = need(w, op->n_in + 1, sizeof *p->want);
    p->grad = need(w, op->n_in + 1, sizeof *p->grad);
    p->out = view_of(w, op->out, &w->p->tensor[op->out].axes);
    for (size_t i = 0; i < op->n_in; i++) {
        p->in[i] = view_of(w, op->in[i].tensor, &op->in[i].axes);
        if (view_count(&p->in[i]) != (long)w->tensor[op->in[i].tensor].n)
            fail_world(w, "%s: operand %zu is read as %ld elements and has %zu", op->name, i + 1, view_count(&p->in[i]),
                       w->tensor[op->in[i].tensor].n);
    }
    if (w->wrong[0] != '\0')
        return;
    plan_operands(w, p);
    plan_rows(w, p);
    plan_mask(w, p);
    plan_routes(w, p, at);
    if (op->row == RK_OP_BEST) {
        p->arg = eval_size(w, op->arg);
        p->chosen = need(w, (size_t)view_count(&p->out) + 1, sizeof *p->chosen);
    }
    if (op->row == RK_OP_ROPE && p->in[0].n > 0) {
        p->arg = op->arg != RK_EX_FAILED ? eval_size(w, op->arg) : p->out.at[p->out.n - 1].size;
        if (p->arg > p->out.at[p->out.n - 1].size)
            fail_world(w, "%s: rotates %ld of %ld", op->name, p->arg, p->out.at[p->out.n - 1].size);
    }
}

/* ---- order --------------------------------------------------------------------------------------------------- */

/* Tarjan's strongly connected sets: each comes out after all that it reads from. */
typedef struct tarjan {
    world *w;
    uint32_t *number, *low, *stack;
    bool *open;
    uint32_t n_number, n_stack;
} tarjan;

static uint32_t reads_from(const world *w, size_t op, size_t in)
{
    const rk_tensor *t = &w->p->tensor[w->p->op[op].in[in].tensor];

    return t->kind == RK_TENSOR_RESULT ? t->producer : RK_NONE;
}

static void close_unit(tarjan *t, uint32_t op)
{
    world *w = t->w;
    unit *u = &w->unit[w->n_unit];
    uint32_t n = t->n_stack;

    while (t->stack[n - 1] != op)
        n--;
    n--;
    u->n = t->n_stack - n;
    u->op = need(w, u->n, sizeof *u->op);
    u->step = RK_NONE;
    memcpy(u->op, t->stack + n, u->n * sizeof *u->op);
    for (size_t i = 0; i < u->n; i++) {
        t->open[u->op[i]] = false;
        w->op[u->op[i]].unit = (uint32_t)w->n_unit;
    }
    t->n_stack = n;
    w->n_unit++;
}

static void visit(tarjan *t, uint32_t op)
{
    t->number[op] = t->low[op] = ++t->n_number;
    t->stack[t->n_stack++] = op;
    t->open[op] = true;
    for (size_t i = 0; i < t->w->p->op[op].n_in; i++) {
        uint32_t from = reads_from(t->w, op, i);

        if (from == RK_NONE)
            continue;
        if (t->number[from] == 0) {
            visit(t, from);
            if (t->low[from] < t->low[op])
                t->low[op] = t->low[from];
        } else if (t->open[from] && t->number[from] < t->low[op]) {
            t->low[op] = t->number[from];
        }
    }
    if (t->low[op] == t->number[op])
        close_unit(t, op);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The label along which an operand is read some steps back, or RK_NONE. */
static uint32_t shift_of(const view *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i].kind == AXIS_AFFINE && v->at[i].n == 1 && v->at[i].factor[0] == 1 && v->at[i].offset < 0)
            return v->at[i].label[0];
    return RK_NONE;
}

/* A circle must pass a step back: that label is the one to run along. */
static void plan_unit(world *w, unit *u)
{
    qsort(u->op, u->n, sizeof *u->op, by_number);
    for (size_t i = 0; i < u->n; i++) {
        const plan *p = &w->op[u->op[i]];

        for (size_t k = 0; k < p->op->n_in; k++) {
            uint32_t from = reads_from(w, u->op[i], k), label;

            if (from == RK_NONE || from < u->op[i])
                continue;
            label = shift_of(&p->in[k]);
            if (label == RK_NONE)
                fail_world(w, "%s: reads what is made later, and not a step back", p->op->name);
            else if (u->step != RK_NONE && u->step != label)
                fail_world(w, "%s: a recurrence along two labels", p->op->name);
            u->step = label;
        }
    }
    if (u->n > 1 && u->step == RK_NONE)
        fail_world(w, "%s: a circle without a step back", w->op[u->op[0]].op->name);
    for (size_t i = 0; u->step != RK_NONE && i < u->n; i++)
        if (!labels_has(&w->op[u->op[i]].domain, u->step))
            fail_world(w, "%s: is part of a recurrence but lacks its label", w->op[u->op[i]].op->name);
}

static void plan_order(world *w)
{
    size_t n = w->p->n_op;
    tarjan t = {.w = w};

    t.number = need(w, n + 1, sizeof *t.number);
    t.low = need(w, n + 1, sizeof *t.low);
    t.stack = need(w, n + 1, sizeof *t.stack);
    t.open = need(w, n + 1, sizeof *t.open);
    w->unit = need(w, n + 1, sizeof *w->unit);
    for (size_t i = 0; i < n; i++)
        if (t.number[i] == 0)
            visit(&t, (uint32_t)i);
    for (size_t i = 0; i < w->n_unit; i++)
        plan_unit(w, &w->unit[i]);
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void size_tensors(world *w, double most)
{
    const rk_program *p = w->p;

    w->tensor = need(w, p->n_tensor + 1, sizeof *w->tensor);
    for (size_t i = 0; i < p->n_tensor; i++) {
        long n = 1;

        for (size_t k = 0; k < p->tensor[i].axes.n; k++)
            n *= eval_size(w, p->tensor[i].axes.at[k].size);
        if (n < 0 || (double)n > most)
            fail_world(w, "no small sizes found: a tensor has %ld elements", n);
        w->tensor[i].n = w->wrong[0] == '\0' ? (size_t)n : 0;
        w->tensor[i].integer = p->tensor[i].is_index;
    }
}

static void allocate_tensors(world *w)
{
    for (size_t i = 0; i < w->p->n_tensor; i++) {
        cell *c = &w->tensor[i];

        c->value = need(w, c->n + 1, sizeof *c->value);
        c->grad = need(w, c->n + 1, sizeof *c->grad);
        if (w->p->tensor[i].kind != RK_TENSOR_RESULT)
            c->base = need(w, c->n + 1, sizeof *c->base);
    }
}

/* Elementary steps of one run, products by their whole domain. */
static double work_of(const world *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->p->n_op; i++)
        sum += (double)labels_count(w, &w->op[i].domain) * (double)labels_count(w, &w->op[i].inner);
    return sum;
}

static void plan_root(world *w)
{
    w->root = need(w, w->p->n_output + 1, sizeof *w->root);
    for (size_t i = 0; i < w->p->n_output; i++) {
        size_t n = w->tensor[w->p->output[i]].n;

        w->root[i] = need(w, n + 1, sizeof **w->root);
        for (size_t k = 0; k < n; k++)
            w->root[i][k] = random_real(w);
    }
}

bool plan_world(world *w, const rk_model *m, uint64_t seed, double most)
{
    const rk_program *p = &m->program;

    memset(w, 0, sizeof *w);
    w->model = m;
    w->p = p;
    w->step = RK_NONE;
    w->random = seed * 0x9e3779b97f4a7c15U + 1;
    w->size = need(w, p->n_label + 1, sizeof *w->size);
    w->place = need(w, p->n_label + 1, sizeof *w->place);
    w->whole = need(w, p->n_label + 1, sizeof *w->whole);
    w->index = need(w, p->n_label + 1, sizeof *w->index);
    for (size_t i = 0; i < p->n_label; i++)
        w->size[i] = w->whole[i] = eval_size(w, p->label[i].size);
    size_tensors(w, fmax(ELEMENTS_MAX, most / 10));
    w->op = need(w, p->n_op + 1, sizeof *w->op);
    for (size_t i = 0; i < p->n_op && w->wrong[0] == '\0'; i++)
        plan_op(w, i);
    if (w->wrong[0] == '\0')
        plan_order(w);
    if (w->wrong[0] == '\0' && work_of(w) > most)
        fail_world(w, "no small sizes found: a run takes %g steps", work_of(w));
    if (w->wrong[0] != '\0')
        return false;
    allocate_tensors(w);
    plan_root(w);
    return true;
}

void free_world(world *w)
{
    rk_arena_free(&w->arena);
}
