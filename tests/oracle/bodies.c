/* SPDX-License-Identifier: MIT */
/*
 * A model against itself, written out in the operations of a profile: the same weights and inputs must give the same
 * outputs and the same loss.
 */
#include "lang/ast.h"
#include "model/trace.h"
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whose bodies are compared with the equations. */
static const char *const profiles[] = {"torch", "megatron"};

#define N_PROFILE (sizeof profiles / sizeof *profiles)
#define CLOSE 1e-7 /* relative to the largest element: bodies write constants with eight digits or more */

/* ---- the same numbers on both sides -------------------------------------------------------------------------- */

static const char *weight_name(const world *w, size_t t)
{
    return w->p->weight[w->p->tensor[t].weight].pattern;
}

/* How many weights of this name stand before it: layers of other groups have the same one. */
static size_t rank_of(const world *w, size_t t)
{
    size_t n = 0;

    for (size_t i = 0; i < t; i++)
        n += w->p->tensor[i].kind == RK_TENSOR_WEIGHT && strcmp(weight_name(w, i), weight_name(w, t)) == 0;
    return n;
}

static size_t find_weight(const world *w, const char *name, size_t rank)
{
    for (size_t i = 0; i < w->p->n_tensor; i++)
        if (w->p->tensor[i].kind == RK_TENSOR_WEIGHT && strcmp(weight_name(w, i), name) == 0 && rank-- == 0)
            return i;
    return w->p->n_tensor;
}

static void copy_cell(const world *plain, size_t from, world *body, size_t to, const char *name, rk_str *out,
                      findings *f)
{
    const cell *a = &plain->tensor[from];
    cell *b = &body->tensor[to];

    if (a->n != b->n)
        wrong(out, f, "%s: has %zu elements, in the body %zu", name, a->n, b->n);
    else
        memcpy(b->base, a->base, a->n * sizeof *a->base);
}

static void copy_weights(const world *plain, world *body, rk_str *out, findings *f)
{
    for (size_t i = 0; i < body->p->n_tensor; i++) {
        const char *name;
        size_t from;

        if (body->p->tensor[i].kind != RK_TENSOR_WEIGHT)
            continue;
        name = weight_name(body, i);
        from = find_weight(plain, name, rank_of(body, i));
        if (from == plain->p->n_tensor)
            wrong(out, f, "%s: only the body reads it", name);
        else
            copy_cell(plain, from, body, i, name, out, f);
    }
}

static void copy_inputs(const world *plain, world *body, rk_str *out, findings *f)
{
    if (plain->p->n_input != body->p->n_input)
        wrong(out, f, "the model has %zu inputs, its bodies %zu", plain->p->n_input, body->p->n_input);
    for (size_t i = 0; i < plain->p->n_input && i < body->p->n_input; i++)
        copy_cell(plain, plain->p->input[i], body, body->p->input[i], plain->p->tensor[plain->p->input[i]].name, out,
                  f);
}

/* ---- what comes out ------------------------------------------------------------------------------------------ */

static double farthest(const cell *a, const cell *b)
{
    double far = 0, size = 1e-3;

    for (size_t k = 0; k < a->n; k++) {
        if (!isfinite(a->value[k]) || !isfinite(b->value[k]))
            return INFINITY;
        far = fmax(far, fabs(a->value[k] - b->value[k]));
        size = fmax(size, fabs(a->value[k]));
    }
    return far / size;
}

static void compare_cells(const cell *a, const cell *b, const char *name, rk_str *out, findings *f)
{
    double far;

    if (a->n != b->n) {
        wrong(out, f, "%s: has %zu elements, by the bodies %zu", name, a->n, b->n);
        return;
    }
    far = farthest(a, b);
    if (far > CLOSE)
        wrong(out, f, "%s: by the bodies it differs by %.3g of its size (%.9g, %.9g …)", name, far, a->value[0],
              b->value[0]);
}

/* What is given beside the output is an output only with a profile: those are passed over. */
static void compare_outputs(const world *plain, const world *body, rk_str *out, findings *f)
{
    size_t j = 0;

    for (size_t i = 0; i < plain->p->n_output; i++, j++) {
        const char *name = plain->p->tensor[plain->p->output[i]].name;

        while (j < body->p->n_output && strcmp(body->p->tensor[body->p->output[j]].name, name) != 0)
            j++;
        if (j == body->p->n_output) {
            wrong(out, f, "%s: the bodies do not give it", name);
            return;
        }
        compare_cells(&plain->tensor[plain->p->output[i]], &body->tensor[body->p->output[j]], name, out, f);
    }
}

static const cell *loss_of(const world *w)
{
    return &w->tensor[w->p->op[w->p->loss].out];
}

static void compare_loss(const world *plain, const world *body, rk_str *out, findings *f)
{
    if ((plain->p->loss == RK_NONE) != (body->p->loss == RK_NONE))
        wrong(out, f, "only one side has a loss");
    else if (plain->p->loss != RK_NONE)
        compare_cells(loss_of(plain), loss_of(body), "loss", out, f);
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

/* Whether the loss has a last place is the data's business: a definition does not say it, so it follows the body. */
static bool cuts_last(const world *plain, const world *body)
{
    const rk_op *a = plain->p->loss != RK_NONE ? &plain->p->op[plain->p->loss] : NULL;
    const rk_op *b = body->p->loss != RK_NONE ? &body->p->op[body->p->loss] : NULL;

    return a && b && plain->tensor[a->in[0].tensor].n > body->tensor[b->in[0].tensor].n;
}

/* The operation that an operand comes from, after those that only change its type or keep it in bounds. */
static const rk_op *source_of(const world *w, const rk_op *op, size_t in)
{
    for (;;) {
        const rk_tensor *t = &w->p->tensor[op->in[in].tensor];

        if (t->kind != RK_TENSOR_RESULT || t->producer == RK_NONE)
            return NULL;
        op = &w->p->op[t->producer];
        in = 0;
        if (op->row != RK_OP_CAST && op->row != RK_OP_SHIFT && op->row != RK_OP_CLAMP)
            return op;
    }
}

static bool is_choice(const world *w, const rk_op *op)
{
    if (op == NULL)
        return false;
    return op->row == RK_OP_ROUTE || op->row == RK_OP_TOP || w->op[op - w->p->op].passes;
}

/*
 * What definitions leave out, because no count of theirs depends on it: that the weights of the experts chosen share
 * one among themselves, their common factor, and, where all experts are run, that those not chosen get nothing.
 */
static bool left_out(const world *w, const rk_op *op, bool all)
{
    const rk_op *from = op->n_in > 0 ? source_of(w, op, 0) : NULL, *by = op->n_in > 1 ? source_of(w, op, 1) : NULL;

    if (op->row == RK_OP_BEST)
        return all;
    if (op->row == RK_OP_SCALE)
        return is_choice(w, from);
    return op->row == RK_OP_DIV && is_choice(w, from) && by != NULL && by->row == RK_OP_SUM &&
           source_of(w, by, 0) == from;
}

static bool chooses(const world *w)
{
    for (size_t i = 0; i < w->p->n_op; i++)
        if (w->op[i].chosen != NULL)
            return true;
    return false;
}

static void pass_left_out(const world *plain, world *body)
{
    for (size_t i = 0; i < body->p->n_op; i++)
        body->op[i].passes = left_out(body, &body->p->op[i], !chooses(plain));
}

static void run_both(world *plain, world *body, rk_str *out, findings *f)
{
    plain->bodies = body->bodies = true;
    plain->cuts = cuts_last(plain, body);
    pass_left_out(plain, body);
    fill_world(plain);
    fill_world(body);
    copy_weights(plain, body, out, f);
    copy_inputs(plain, body, out, f);
    run_forward(plain);
    run_forward(body);
    if (plain->wrong[0] != '\0' || body->wrong[0] != '\0')
        wrong(out, f, "%s", plain->wrong[0] != '\0' ? plain->wrong : body->wrong);
}

/*
 * Where every part has one element, the program may take the parts along the first axis instead of the one that is
 * written: then the result has the axis of one element twice, and holds other elements.
 */
static bool takes_other_part(const world *w)
{
    for (size_t i = 0; i < w->p->n_op; i++) {
        const rk_ixs *axes = &w->p->tensor[w->p->op[i].out].axes;

        for (size_t k = 1; k < axes->n && w->p->op[i].row == RK_OP_PART; k++)
            if (axes->at[0].kind == RK_IX_NUMBER && axes->at[k].label == axes->at[0].label)
                return true;
    }
    return false;
}

/* False: it cannot be compared. */
static bool compare_all(const subject *s, const world *plain, const world *body, rk_str *out, findings *f)
{
    findings here = {0};
    rk_str lines = {0};
    bool other;

    compare_outputs(plain, body, &lines, &here);
    compare_loss(plain, body, &lines, &here);
    other = here.n_wrong > 0 && takes_other_part(body);
    if (other) {
        printf("       %s: not compared: a part of one element is taken along another axis\n", s->name);
    } else {
        rk_str_put(out, rk_str_text(&lines));
        f->n_wrong += here.n_wrong;
        f->n_compared++;
    }
    rk_str_free(&lines);
    return !other;
}

bool compare_bodies(const subject *s, world *plain, world *body, rk_str *out, findings *f)
{
    run_both(plain, body, out, f);
    return compare_all(s, plain, body, out, f);
}

/* The bodies' own gradients and counts, with nothing left out. */
static void check_alone(world *body, const rk_model *m, rk_str *out, findings *f)
{
    body->bodies = false;
    for (size_t i = 0; i < body->p->n_op; i++)
        body->op[i].passes = false;
    check_world(body, m, out, f);
}

static void check_as(const subject *s, const char *profile, world *plain, rk_str *out, findings *f)
{
    const rk_model *m = NULL;
    rk_str why = {0};
    world body;

    if (!open_body(s, profile, plain->model, &m, &body, &why)) {
        wrong(out, f, "with its bodies of %s: %s", profile, rk_str_text(&why));
        rk_str_free(&why);
        return;
    }
    if (compare_bodies(s, plain, &body, out, f))
        check_alone(&body, m, out, f);
    free_world(&body);
    rk_model_free(m);
    rk_str_free(&why);
}

static bool has_experts(const world *w)
{
    for (size_t i = 0; i < w->p->n_op; i++)
        for (size_t k = 0; k < w->p->op[i].n_in; k++)
            for (size_t n = 0; n < w->p->op[i].in[k].axes.n; n++)
                if (w->p->op[i].in[k].axes.at[n].kind == RK_IX_ROUTED)
                    return true;
    return false;
}

/* Whether its layers say where dropout acts. */
static bool names_dropout(const world *w)
{
    const rk_trace *t = w->p->trace;

    for (size_t i = 0; i < t->n_call; i++)
        if (t->call[i].group != 0 && strcmp(t->call[i].node->text, "dropout") == 0)
            return true;
    return false;
}

void check_bodies(const subject *s, world *plain, rk_str *out, findings *f)
{
    subject grouped = *s, dropping = *s;

    grouped.grouped = dropping.drops = true;
    for (size_t i = 0; i < N_PROFILE; i++) {
        check_as(s, profiles[i], plain, out, f);
        if (has_experts(plain))
            check_as(&grouped, profiles[i], plain, out, f);
        if (names_dropout(plain))
            check_as(&dropping, profiles[i], plain, out, f);
    }
}
