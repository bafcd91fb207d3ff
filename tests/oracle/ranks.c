/* SPDX-License-Identifier: MIT */
/*
 * All devices of a layout: each runs its own program, operation by operation with the others, and what they have in the
 * end is what a single device has.
 *
 * Weights of a device are pieces of those of the single one, along the axes that are shorter in its program; inputs are
 * the same everywhere.  Compared are the outputs and the loss on every device; gradients of weights in pieces with
 * pieces of the single one's; gradients of whole weights, which must be equal as they are, or, where the program marks
 * them as partial sums, when those of all devices have been added up.  A mark that is missing, or one too many, is
 * found.
 *
 * That it can fail was seen when it was first run: the bias of a head in pieces stayed whole, a key that all heads
 * share had a part of its gradient, 1 + w was not marked, experts' sums met a norm.
 */
#include "model/copy.h"
#include "pass/passes.h"
#include "plan/runtime.h"
#include "exchange.h"
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROFILE "torch"
#define CLOSE 1e-8   /* relative to the largest number: both do the same, in other orders */
#define HANDED_MAX 8 /* variables that a stage hands to the next */
#define SMALL 1e-4   /* numbers below are compared as if they were as large as this */

/* ---- what is tried ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool profile, fused, grouped;
} forms[] = {
    {"equations", false, false, false},
    {"eager", true, false, false},
    {"fused", true, true, true},
};

/* One axis of the mesh, or two; the second has as many devices as the first, and two where that has four. */
static const struct {
    const char *name;
    rk_mesh_axis axis, other;
    const char *runtime;
    bool sp, vocab_loss;
    bool pp; /* of each of two stages */
} layouts[] = {
    {"tp torch", RK_MESH_TP, RK_N_MESH, "torch", false, false, false},
    {"tp,sp torch", RK_MESH_TP, RK_N_MESH, "torch", true, false, false},
    {"tp,vocab-loss torch", RK_MESH_TP, RK_N_MESH, "torch", false, true, false},
    {"tp,sp,vocab-loss torch", RK_MESH_TP, RK_N_MESH, "torch", true, true, false},
    {"tp hf", RK_MESH_TP, RK_N_MESH, "hf", false, false, false},
    {"tp megatron", RK_MESH_TP, RK_N_MESH, "megatron", false, false, false},
    {"tp,sp,vocab-loss megatron", RK_MESH_TP, RK_N_MESH, "megatron", true, true, false},
    {"ep hf", RK_MESH_EP, RK_N_MESH, "hf", false, false, false},
    {"cp torch", RK_MESH_CP, RK_N_MESH, "torch", false, false, false},
    {"ep torch", RK_MESH_EP, RK_N_MESH, "torch", false, false, false},
    {"cp,tp torch", RK_MESH_CP, RK_MESH_TP, "torch", false, false, false},
    {"cp,tp,sp,vocab-loss torch", RK_MESH_CP, RK_MESH_TP, "torch", true, true, false},
    {"cp,tp,sp,vocab-loss megatron", RK_MESH_CP, RK_MESH_TP, "megatron", true, true, false},
    {"ep,tp torch", RK_MESH_EP, RK_MESH_TP, "torch", false, false, false},
    {"ep,tp,sp megatron", RK_MESH_EP, RK_MESH_TP, "megatron", true, false, false},
    {"cp,ep torch", RK_MESH_CP, RK_MESH_EP, "torch", false, false, false},
    {"ddp torch", RK_MESH_DDP, RK_N_MESH, "torch", false, false, false},
    {"ddp,tp,sp torch", RK_MESH_DDP, RK_MESH_TP, "torch", true, false, false},
    {"ddp,ep torch", RK_MESH_DDP, RK_MESH_EP, "torch", false, false, false},
    {"pp,tp torch", RK_MESH_TP, RK_N_MESH, "torch", false, false, true},
    {"pp,tp,sp torch", RK_MESH_TP, RK_N_MESH, "torch", true, false, true},
    {"pp,tp,sp,vocab-loss megatron", RK_MESH_TP, RK_N_MESH, "megatron", true, true, true},
    {"pp,cp torch", RK_MESH_CP, RK_N_MESH, "torch", false, false, true},
    {"pp,ep torch", RK_MESH_EP, RK_N_MESH, "torch", false, false, true},
};

#define N_FORM (sizeof forms / sizeof *forms)
#define N_LAYOUT (sizeof layouts / sizeof *layouts)

static size_t n_run[N_LAYOUT], n_refused[N_LAYOUT], n_failed[N_LAYOUT], n_unclear[N_LAYOUT];
static size_t n_weight, n_piece, n_partial, n_whole, n_incoming, n_exchange;

/* What the table says of it; texts live as long as the program. */
static rk_runtime runtime_of(const char *name)
{
    static rk_arena texts;
    static rk_runtime known[4];
    size_t i = 0;
    rk_err err = {0};

    while (i < 4 && known[i].name && strcmp(known[i].name, name) != 0)
        i++;
    if (!known[i].name && rk_runtime_read(&(rk_library){0}, &texts, name, &known[i], &err) != RK_OK) {
        printf("%s\n", err.message);
        exit(2);
    }
    return known[i];
}

static rk_layout layout_of(size_t which, size_t n, size_t rank)
{
    rk_layout l = rk_layout_single();
    bool two = layouts[which].other != RK_N_MESH;

    l.size[layouts[which].axis] = (rk_i128)(two && n > 3 ? 2 : n);
    l.said[layouts[which].axis] = true;
    if (two) {
        l.size[layouts[which].other] = l.size[layouts[which].axis];
        l.said[layouts[which].other] = true;
    }
    l.runtime = runtime_of(layouts[which].runtime);
    if (rk_layout_sends_tokens(&l) && l.size[RK_MESH_CP] == 1) /* tokens travel among copies of the model */
        l.size[RK_MESH_DDP] = l.size[RK_MESH_EP];
    l.sp = layouts[which].sp;
    l.vocab_loss = layouts[which].vocab_loss;
    l.rank = (rk_i128)rank;
    l.rank_said = true;
    return l;
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

/* Where the elements of pieces stand.  Over cp a device has two pieces, as far from the beginning as from the end. */
static void set_labels(team *t, size_t rank)
{
    world *w = &t->at[rank].w;

    for (size_t i = 0; i < w->p->n_label; i++) {
        const rk_label *l = &w->p->label[i];
        long n, at, whole, each, half = w->size[i] / 2;

        if (l->mesh == 0)
            continue;
        n = (long)t->layout.size[l->mesh - 1];
        at = (long)place_on(t, rank, (rk_mesh_axis)(l->mesh - 1));
        whole = w->size[l->whole];
        each = (whole + n - 1) / n;
        w->whole[i] = w->whole[l->whole];
        w->place[i] = need(w, (size_t)w->size[i] + 1, sizeof *w->place[i]);
        for (long k = 0; k < w->size[i]; k++)
            w->place[i][k] = l->mesh != RK_MESH_CP + 1 ? at * each + k
                             : k < half                ? at * half + k
                                                       : (2 * n - 1 - at) * half + k - half;
    }
}

/* Copies of the model have sequences of their own, one copy's after the other's. */
static void set_copies(team *t, const side *single, size_t rank)
{
    world *w = &t->at[rank].w;

    for (size_t i = 0; t->copies && i < w->p->n_label && i < single->w.p->n_label; i++) {
        long first = (long)place_on(t, rank, RK_MESH_DDP) * w->size[i];

        if (w->p->label[i].mesh != 0 || w->size[i] == single->w.size[i])
            continue;
        w->place[i] = need(w, (size_t)w->size[i] + 1, sizeof *w->place[i]);
        for (long k = 0; k < w->size[i]; k++)
            w->place[i][k] = first + k;
    }
}

/* The places of an axis in pieces that is read as others laid end to end: pieces of each part, one after the other. */
static long *places_of_parts(world *w, const rk_ix *ix)
{
    long *place = need(w, (size_t)w->size[ix->label] + 1, sizeof *place), start = 0, k = 0;

    for (size_t q = 0; q < ix->n_part; q++) {
        const rk_ixs *part = &ix->part[q];
        const rk_label *l = part->n > 0 ? &w->p->label[part->at[0].label] : NULL;
        long rest = 1, n = l ? w->size[part->at[0].label] : 1;

        for (size_t i = 1; i < part->n; i++)
            rest *= eval_size(w, part->at[i].size);
        if (!l || l->mesh == 0 || part->at[0].kind != RK_IX_LABEL || k + n * rest > w->size[ix->label])
            return NULL;
        for (long i = 0; i < n * rest; i++)
            place[k++] = start + w->place[part->at[0].label][i / rest] * rest + i % rest;
        start += w->size[l->whole] * rest;
    }
    return k == w->size[ix->label] && start == w->size[w->p->label[ix->label].whole] ? place : NULL;
}

/* An axis and what it is read as, or the first axes of their parts, have the same elements. */
static bool pair_axes(world *w, bool *in_parts, const rk_ix *own, const rk_ix *seen)
{
    uint32_t a = own->label, b = seen->label;
    bool changed = false;

    if (own->kind == RK_IX_SUM && seen->kind == RK_IX_SUM)
        for (size_t q = 0; q < own->n_part && q < seen->n_part; q++)
            if (own->part[q].n > 0 && seen->part[q].n > 0)
                changed |= pair_axes(w, in_parts, &own->part[q].at[0], &seen->part[q].at[0]);
    if (own->kind != RK_IX_LABEL || (seen->kind != RK_IX_LABEL && seen->kind != RK_IX_SUM) || !w->place[a] ||
        !w->place[b] || w->size[a] != w->size[b])
        return changed;
    if (seen->kind == RK_IX_SUM && !in_parts[b]) {
        long *place = places_of_parts(w, seen);

        w->place[b] = place ? place : w->place[b];
        changed = in_parts[b] = place != NULL;
    }
    if (in_parts[a] == in_parts[b])
        return changed;
    w->place[in_parts[a] ? b : a] = w->place[in_parts[a] ? a : b];
    return in_parts[a] = in_parts[b] = true;
}

/*
 * An axis that is read as others laid end to end lies in pieces part by part, and so do weights along it: which
 * elements these are is said by who reads it so, perhaps further below.
 */
static void set_parts(team *t, size_t rank)
{
    world *w = &t->at[rank].w;
    bool *in_parts = need(w, w->p->n_label + 1, sizeof *in_parts), changed = true;

    while (changed) {
        changed = false;
        for (size_t i = w->p->n_op; i-- > 0;)
            for (size_t k = 0; k < w->p->op[i].n_in; k++) {
                const rk_ixs *seen = &w->p->op[i].in[k].axes, *own = &w->p->tensor[w->p->op[i].in[k].tensor].axes;

                for (size_t j = 0; j < seen->n && own->n == seen->n; j++)
                    changed |= pair_axes(w, in_parts, &own->at[j], &seen->at[j]);
            }
    }
}

/* Of a list of experts in pieces, a device has some: what tokens choose is counted over all. */
static void set_routes(team *t, side *single, size_t rank)
{
    side *s = &t->at[rank];
    const rk_program *p = s->w.p;

    s->w.first_expert = (long)place_on(t, rank, RK_MESH_EP);
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++) {
            const rk_tensor *of = &p->tensor[p->op[i].in[k].tensor];
            view *v = &s->w.op[i].in[k];

            for (size_t j = 0; of->kind == RK_TENSOR_WEIGHT && j < v->n; j++) {
                const rk_tensor *whole = &single->w.p->tensor[single->w.p->weight[of->weight].tensor];

                if (v->at[j].kind == AXIS_ROUTED && v->at[j].size != eval_size(&single->w, whole->axes.at[j].size))
                    v->at[j].offset = s->w.first_expert * v->at[j].size;
            }
        }
}

/* Inputs are those of the single one, or pieces of them. */
static void give_inputs(team *t, side *single, size_t rank)
{
    side *s = &t->at[rank];
    const rk_program *p = s->w.p, *q = single->w.p;

    for (size_t i = 0; i < p->n_input && i < q->n_input; i++) {
        const rk_ixs *axes = &q->tensor[q->input[i]].axes;
        size_t *map = piece_map(single, axes, s, &p->tensor[p->input[i]].axes);
        const value *of = &single->r.value.at[single->r.given[q->input[i]][0]];
        value *to = &s->r.value.at[s->r.given[p->input[i]][0]];

        for (size_t e = 0; map && e < to->n; e++)
            to->at[e] = of->at[map[e]];
    }
}

/* The weights of a device are pieces of those of the single one. */
static void give_pieces(team *t, side *single, size_t rank)
{
    side *s = &t->at[rank];
    const rk_program *p = s->w.p, *q = single->w.p;

    for (uint32_t i = 0; i < p->n_tensor; i++) {
        const rk_weight *w = p->tensor[i].kind == RK_TENSOR_WEIGHT ? &p->weight[p->tensor[i].weight] : NULL;
        uint32_t from = w ? q->weight[p->tensor[i].weight].tensor : 0;
        size_t *map, layers;

        if (!w || owner_of(p, i) != i)
            continue;
        layers = layers_of(p, w->group);
        if (from == RK_NONE || layers_of(q, q->weight[p->tensor[i].weight].group) != layers) {
            wrong(t->out, t->f, "%s: a single device has no such weight", w->pattern);
            continue;
        }
        from = owner_of(q, from);
        map = piece_map(single, &q->tensor[from].axes, s, &p->tensor[i].axes);
        for (size_t k = 0; k < layers; k++) {
            value *to = &s->r.value.at[s->r.given[i][k]];
            const value *of = &single->r.value.at[single->r.given[from][k]];

            if (!map && to->n != of->n)
                wrong(t->out, t->f, "%s: %zu elements, and not in pieces of %zu", w->pattern, to->n, of->n);
            for (size_t e = 0; e < to->n && (map || to->n == of->n); e++)
                to->at[e] = of->at[map ? map[e] : e];
        }
        if (eval_size(&s->w, w->count) != (long)s->w.tensor[i].n)
            wrong(t->out, t->f, "%s: %ld elements are stored, and %zu read", w->pattern, eval_size(&s->w, w->count),
                  s->w.tensor[i].n);
    }
}

/* Whether one of the axes is a piece of another over this one of the mesh, at once or in several steps. */
static bool mesh_has(const rk_program *p, const rk_ixs *axes, rk_mesh_axis along)
{
    for (size_t i = 0; i < axes->n; i++)
        for (uint32_t l = axes->at[i].label; axes->at[i].kind != RK_IX_AFFINE && p->label[l].mesh != 0;
             l = p->label[l].whole)
            if (p->label[l].mesh == along + 1)
                return true;
    return false;
}

/* Gradients begin with the same numbers: pieces of them, where outputs lie in pieces. */
static void give_roots(team *t, side *single, size_t rank)
{
    side *s = &t->at[rank];

    for (size_t i = 0; i < s->w.p->n_output && i < single->w.p->n_output; i++) {
        size_t *map = piece_map(single, &single->w.p->tensor[single->w.p->output[i]].axes, s,
                                &s->w.p->tensor[s->w.p->output[i]].axes);

        /* What all devices of cp have is of each a part: gradients are added up over them. */
        double part = mesh_has(s->w.p, &s->w.p->tensor[s->w.p->output[i]].axes, RK_MESH_CP)
                          ? 1
                          : (double)t->layout.size[RK_MESH_CP];

        if (t->copies && !map)
            part *= (double)t->layout.size[RK_MESH_DDP];

        for (size_t e = 0; e < s->w.tensor[s->w.p->output[i]].n; e++)
            s->w.root[i][e] = single->w.root[i][map ? map[e] : e] / part;
    }
}

/* All devices have the same operations. */
static bool is_alike(const rk_program *a, const rk_program *b)
{
    if (a->n_op != b->n_op || a->n_weight != b->n_weight || a->n_output != b->n_output)
        return false;
    for (size_t i = 0; i < a->n_op; i++)
        if (a->op[i].row != b->op[i].row || a->op[i].rows != b->op[i].rows)
            return false;
    return true;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

/* Whether devices meet inside of a recurrence, which is run step by step by each alone. */
static bool meets_inside(const side *s)
{
    for (size_t i = 0; i < s->w.p->n_op; i++)
        if (s->r.bound[i] && is_exchange(&s->w.p->op[i]))
            return true;
    return false;
}

/* The axis of the mesh over which a choice lies in pieces, one more than its number; 0: none. */
static uint8_t mesh_of(const rk_program *p, const rk_ixs *axes)
{
    uint8_t mesh = 0;

    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_LABEL && p->label[axes->at[i].label].mesh != 0)
            mesh = p->label[axes->at[i].label].mesh;
    return mesh;
}

/* What each device has chosen for its piece of the tokens stands, for all of them, behind what it has chosen itself. */
static void unite_choices(team *t, size_t at)
{
    const rk_program *p = t->at[0].w.p;
    const rk_op *op = &p->op[t->at[0].r.tape.at[at].op];
    uint8_t mesh = mesh_of(p, &p->tensor[op->out].axes);

    if (!t->at[0].w.op[op - p->op].chosen || mesh == 0)
        return;
    for (size_t r = 0; r < t->n; r++) {
        if (!gather_members(t, r, (rk_mesh_axis)(mesh - 1)))
            continue;
        for (size_t i = 0; i < t->n_member; i++) {
            side *s = &t->at[t->member[i]];
            const rk_ixs *axes = &s->w.p->tensor[op->out].axes;
            rk_ixs whole = whole_axes(s, axes, mesh);
            const plan *from = &s->w.op[op - p->op];
            size_t n = (size_t)view_count(&from->out), *map = piece_map(s, &whole, s, axes);

            for (size_t to = 0; map && to < t->n_member; to++)
                for (size_t k = 0; k < n; k++)
                    t->at[t->member[to]].w.op[op - p->op].chosen[n + map[k]] = from->chosen[k];
        }
    }
}

static void run_team(team *t)
{
    for (size_t r = 0; r < t->n; r++) {
        t->at[r].r.notes = true;
        run_plain(&t->at[r].r);
    }
    for (size_t i = 0, next = 0; i < t->at[0].r.tape.n; i = next) {
        if (is_exchange(&t->at[0].w.p->op[t->at[0].r.tape.at[i].op]) && !t->at[0].r.bound[t->at[0].r.tape.at[i].op]) {
            exchange(t, i);
            n_exchange++;
            next = i + 1;
            continue;
        }
        for (size_t r = 0; r < t->n; r++) {
            bool lends = reads_experts(t, i);

            if (lends)
                lend_experts(t, r, i);
            next = run_noted(&t->at[r].r, i);
            if (lends)
                take_back_experts(t, r, i, false);
        }
        unite_choices(t, i);
    }
}

/* Places of a device that want a class: its loss is a mean over these. */
static double count_wanted(team *t, size_t rank)
{
    side *s = &t->at[rank];

    for (size_t i = 0; i < s->r.tape.n; i++)
        if (s->r.tape.at[i].op == s->w.p->loss) {
            plan *p = set_cells(&s->r, &s->r.tape.at[i]);

            reset_indices(&s->w, p);
            return wanted_count(&s->w, p);
        }
    return 0;
}

/* Axes of the mesh whose devices have tokens of their own; those of ep are among them. */
static uint32_t token_axes(const team *t)
{
    return (t->layout.size[RK_MESH_CP] > 1 ? 1u << RK_MESH_CP : 0) | (t->copies ? 1u << RK_MESH_DDP : 0) |
           (t->apart ? 1u << RK_MESH_EP : 0);
}

/* Whether a device has another part of a sum than one that stands elsewhere on these axes of the mesh alone. */
static bool is_beside(const team *t, size_t a, size_t b, uint32_t axes)
{
    for (size_t i = 0; i < RK_N_MESH; i++)
        if (!(axes & 1u << i) && place_on(t, a, (rk_mesh_axis)i) != place_on(t, b, (rk_mesh_axis)i))
            return false;
    return true;
}

/* Over cp each device has the mean over its own tokens; of the mean over all it is this part.  So has each copy. */
static double loss_share(team *t, size_t rank)
{
    double all = 0;

    for (size_t r = 0; r < t->n; r++)
        if (is_beside(t, rank, r, token_axes(t)))
            all += count_wanted(t, r);
    return token_axes(t) ? count_wanted(t, rank) / all : 1;
}

static void run_team_back(team *t)
{
    for (size_t r = 0; r < t->n; r++) {
        side *s = &t->at[r];

        seed_outputs(&s->r);
        if (s->r.loss)
            s->r.value.at[s->r.now[s->w.p->op[s->w.p->loss].out]].grad[0] = loss_share(t, r);
    }
    for (size_t i = t->at[0].r.tape.n, next; i > 0; i = next) {
        uint32_t op = t->at[0].r.tape.at[i - 1].op;

        next = i - 1;
        if (is_exchange(&t->at[0].w.p->op[op]) && !t->at[0].r.bound[op])
            exchange_back(t, i - 1);
        else
            for (size_t r = 0; r < t->n; r++) {
                bool lends = reads_experts(t, i - 1);

                if (lends)
                    lend_experts(t, r, i - 1);
                next = run_noted_back(&t->at[r].r, i);
                if (lends)
                    take_back_experts(t, r, i - 1, true);
            }
    }
}

/* ---- what they have in the end ----------------------------------------------------------------------------------- */

static double far(const double *a, const double *b, size_t n)
{
    double most = 0, size = SMALL;

    for (size_t k = 0; k < n; k++) {
        if (isnan(a[k]) && isnan(b[k]))
            continue;
        if (!isfinite(a[k]) || !isfinite(b[k])) {
            if (a[k] != b[k])
                return (double)INFINITY;
            continue;
        }
        most = fmax(most, fabs(a[k] - b[k]));
        size = fmax(size, fabs(a[k]));
    }
    return most / size;
}

/* The piece of a device, of what a single one has. */
static const double *piece_of(side *s, const double *whole, const size_t *map, size_t n)
{
    double *piece = new_numbers(&s->r, n, 0);

    for (size_t k = 0; k < n; k++)
        piece[k] = whole[map ? map[k] : k];
    return piece;
}

static void compare_tensor(team *t, side *single, size_t rank, uint32_t whole, uint32_t local, const char *what)
{
    side *s = &t->at[rank];
    size_t *map = piece_map(single, &single->w.p->tensor[whole].axes, s, &s->w.p->tensor[local].axes);
    const value *a = &single->r.value.at[single->r.now[whole]], *b = &s->r.value.at[s->r.now[local]];

    if (!map && a->n != b->n)
        wrong(t->out, t->f, "%s of device %zu: %zu elements in the place of %zu", what, rank, b->n, a->n);
    else if (!(far(piece_of(s, a->at, map, b->n), b->at, b->n) <= CLOSE))
        wrong(t->out, t->f, "%s of device %zu differs: %g in the place of %g", what, rank, b->n ? b->at[0] : 0,
              b->n ? a->at[map ? map[0] : 0] : 0);
}

/* Losses of devices that have tokens of their own, each a mean over these, make the mean over all. */
static void compare_means(team *t, side *single, size_t rank)
{
    const rk_program *q = single->w.p;
    double sum = 0, whole = single->r.value.at[single->r.now[q->op[q->loss].out]].at[0];

    for (size_t r = 0; r < t->n; r++) {
        side *s = &t->at[r];

        if (is_beside(t, rank, r, token_axes(t)))
            sum += loss_share(t, r) * s->r.value.at[s->r.now[s->w.p->op[s->w.p->loss].out]].at[0];
    }
    if (!(far(&whole, &sum, 1) <= CLOSE))
        wrong(t->out, t->f, "the loss differs: %g in the place of %g", sum, whole);
}

static void compare_outputs(team *t, side *single)
{
    const rk_program *p = t->at[0].w.p, *q = single->w.p;

    for (size_t r = 0; r < t->n && t->f->n_wrong == 0; r++) {
        for (size_t i = 0; i < p->n_output; i++)
            compare_tensor(t, single, r, q->output[i], t->at[r].w.p->output[i], "an output");
        if (p->loss != RK_NONE && token_axes(t))
            compare_means(t, single, r);
        else if (p->loss != RK_NONE)
            compare_tensor(t, single, r, q->op[q->loss].out, t->at[r].w.p->op[p->loss].out, "the loss");
    }
}

/* The gradient of a weight in one layer, which lies on every device as it should. */
/* The gradient of a weight; where weights that were tied are weights of their own, that of all of them. */
static const double *gradient_of_all(side *s, const rk_program *q, uint32_t weight, size_t layer, const value *b)
{
    const rk_program *p = s->w.p;
    double *sum = NULL;

    for (uint32_t i = 0; i < p->n_weight; i++) {
        uint32_t tensor = p->weight[i].tensor;

        if (i == weight || rk_weight_owner(q, i) != weight || tensor == RK_NONE || owner_of(p, tensor) != tensor ||
            layer >= layers_of(p, p->weight[i].group) || s->r.value.at[s->r.given[tensor][layer]].n != b->n)
            continue;
        if (!sum) {
            sum = new_numbers(&s->r, b->n, 0);
            add_numbers(sum, b->grad, b->n);
        }
        add_numbers(sum, s->r.value.at[s->r.given[tensor][layer]].grad, b->n);
    }
    return sum ? sum : b->grad;
}

/* What is added up over axes of the mesh, of the devices beside one. */
static const double *sum_gradients(team *t, side *single, size_t rank, uint32_t weight, size_t layer, uint32_t axes,
                                   size_t n)
{
    double *sum = new_numbers(&t->at[0].r, n, 0);

    for (size_t r = 0; r < t->n; r++) {
        side *s = &t->at[r];
        const value *b = &s->r.value.at[s->r.given[s->w.p->weight[weight].tensor][layer]];

        if (is_beside(t, rank, r, axes) && b->n == n)
            add_numbers(sum, gradient_of_all(s, single->w.p, weight, layer, b), n);
    }
    return sum;
}

/* Gradients are not added up over cp: that is left to copies of the model. */
static void compare_gradient(team *t, side *single, uint32_t weight, size_t layer)
{
    const rk_program *q = single->w.p;
    uint32_t from = q->weight[weight].tensor, axes = t->at[0].w.p->weight[weight].partial;
    const value *a = &single->r.value.at[single->r.given[from][layer]];

    n_weight++;
    n_partial += axes != 0;
    if (axes & t->at[0].w.p->weight[weight].pieces)
        wrong(t->out, t->f, "%s lies in pieces, and is marked as a partial sum",
              name_in_layer(single, &q->weight[weight], layer));
    axes |= token_axes(t);
    if (t->at[0].w.p->weight[weight].pieces & 1u << RK_MESH_EP)
        axes &= ~(1u << RK_MESH_EP);
    for (size_t r = 0; r < t->n; r++) {
        side *s = &t->at[r];
        uint32_t local = s->w.p->weight[weight].tensor;
        const value *b = &s->r.value.at[s->r.given[local][layer]];
        size_t *map = piece_map(single, &q->tensor[from].axes, s, &s->w.p->tensor[local].axes);
        const double *grad = sum_gradients(t, single, r, weight, layer, axes, b->n);

        n_piece += map && r == 0;
        if ((map || b->n == a->n) && far(piece_of(s, a->grad, map, b->n), grad, b->n) <= CLOSE)
            continue;
        wrong(t->out, t->f, "the gradient of %s, device %zu%s%s, differs: %g in the place of %g",
              name_in_layer(single, &q->weight[weight], layer), r, map ? ", in pieces" : "", axes ? ", added up" : "",
              b->n ? grad[0] : 0, b->n ? a->grad[map ? map[0] : 0] : 0);
        return;
    }
}

/*
 * Of a table that lies in pieces, a device may make the whole gradient and keep its piece: that is said of the weight,
 * and can be true only where the gradient of what was looked up is whole on every device.
 */
static void check_whole_gradients(team *t, side *single)
{
    for (size_t i = 0; i < t->at[0].r.tape.n; i++) {
        const rk_program *p = t->at[0].w.p;
        const rk_op *op = &p->op[t->at[0].r.tape.at[i].op];
        const rk_tensor *table = op->n_in > 1 ? &p->tensor[op->in[1].tensor] : NULL;
        const rk_weight *w = table && table->kind == RK_TENSOR_WEIGHT ? &p->weight[table->weight] : NULL;
        const value *first = &t->at[0].r.value.at[t->at[0].r.tape.at[i].out];

        if (rk_op_table[op->row].class != RK_CLASS_LOOKUP || !w || w->gradient == RK_EX_FAILED)
            continue;
        n_whole++;
        if (eval_size(&t->at[0].w, w->gradient) != (long)single->w.tensor[single->w.p->weight[table->weight].tensor].n)
            wrong(t->out, t->f, "%s: its gradient is not made as large as the whole weight", w->pattern);
        for (size_t r = 1; r < t->n; r++) {
            const value *v = &t->at[r].r.value.at[t->at[r].r.tape.at[i].out];

            if (!is_beside(t, 0, r, 1u << RK_MESH_TP))
                continue;
            if (v->n != first->n || !(far(first->grad, v->grad, v->n) <= CLOSE))
                wrong(t->out, t->f, "%s: device %zu cannot make the whole gradient", w->pattern, r);
        }
    }
}

static void compare_gradients(team *t, side *single)
{
    const rk_program *q = single->w.p;

    for (uint32_t i = 0; i < q->n_weight; i++) {
        const rk_weight *w = &q->weight[i];

        if (w->tensor == RK_NONE || owner_of(q, w->tensor) != w->tensor || t->at[0].w.p->weight[i].tensor == RK_NONE)
            continue;
        for (size_t k = 0; k < layers_of(q, w->group); k++)
            if (runs_layer(q, w->group, k))
                compare_gradient(t, single, i, k);
    }
}

/* The gradient of an input on a device; over cp, of what is whole there, it is a part of a sum. */
static const double *incoming_gradient(team *t, size_t rank, size_t input, size_t n)
{
    const side *own = &t->at[rank];
    double *sum = new_numbers(&t->at[0].r, n, 0);
    bool parts = !mesh_has(own->w.p, &own->w.p->tensor[own->w.p->input[input]].axes, RK_MESH_CP);

    for (size_t r = 0; r < t->n; r++) {
        side *s = &t->at[r];

        if (r == rank || (parts && is_beside(t, rank, r, 1u << RK_MESH_CP)))
            add_numbers(sum, s->r.value.at[s->r.given[s->w.p->input[input]][0]].grad, n);
    }
    return sum;
}

/* The gradient of what came from the stage before goes back there: it lies as that does. */
static void compare_incoming(team *t, side *single)
{
    const rk_program *q = single->w.p;

    for (size_t i = 0; i < q->n_input; i++)
        for (size_t r = 0; q->tensor[q->input[i]].incoming && r < t->n && t->f->n_wrong == 0; r++) {
            side *s = &t->at[r];
            const rk_program *p = s->w.p;
            size_t *map = piece_map(single, &q->tensor[q->input[i]].axes, s, &p->tensor[p->input[i]].axes);
            const value *a = &single->r.value.at[single->r.given[q->input[i]][0]];
            size_t n = s->r.value.at[s->r.given[p->input[i]][0]].n;
            const double *grad = incoming_gradient(t, r, i, n);

            n_incoming++;
            if (!(far(piece_of(s, a->grad, map, n), grad, n) <= CLOSE))
                wrong(t->out, t->f, "the gradient of %s, device %zu, differs: %g in the place of %g",
                      q->tensor[q->input[i]].name, r, n ? grad[0] : 0, n ? a->grad[map ? map[0] : 0] : 0);
        }
}

/* Which elements a device has of what one stage gives, or of what the next is given: as a number, of each. */
static size_t mark_handed(team *t, side *single, bool comes, uint64_t mark[RANKS_MAX][HANDED_MAX])
{
    const rk_program *q = single->w.p;
    size_t n = 0, all = comes ? q->n_input : q->n_output;

    for (size_t i = 0; i < all && n < HANDED_MAX; i++) {
        uint32_t tensor = comes ? q->input[i] : q->output[i];

        if (comes && !q->tensor[tensor].incoming)
            continue;
        for (size_t r = 0; r < t->n; r++) {
            side *s = &t->at[r];
            uint32_t own = comes ? s->w.p->input[i] : s->w.p->output[i];
            size_t *map = piece_map(single, &q->tensor[tensor].axes, s, &s->w.p->tensor[own].axes);

            mark[r][n] = s->w.tensor[own].n;
            for (size_t e = 0; e < s->w.tensor[own].n; e++)
                mark[r][n] = mark[r][n] * 0x100000001b3u + (map ? map[e] : e);
        }
        n++;
    }
    return n;
}

static bool first_ran; /* the first stage of the model bears the layout, too: what it gives is known */

/* What one stage gives lies on each device as it does where the next is given it. */
static void check_handed(team *t, side *single)
{
    static uint64_t given[RANKS_MAX][HANDED_MAX];
    static size_t n_given;
    uint64_t taken[RANKS_MAX][HANDED_MAX] = {{0}};
    bool comes = false;

    for (size_t i = 0; i < single->w.p->n_input; i++)
        comes |= single->w.p->tensor[single->w.p->input[i]].incoming;
    if (!comes) {
        n_given = mark_handed(t, single, false, given);
        first_ran = true;
        return;
    }
    if (!first_ran)
        return;
    if (mark_handed(t, single, true, taken) != n_given)
        wrong(t->out, t->f, "a stage is not given what the one before gives");
    for (size_t r = 0; r < t->n; r++)
        for (size_t i = 0; i < n_given; i++)
            if (given[r][i] != taken[r][i])
                wrong(t->out, t->f, "device %zu of a stage has other elements than it is given", r);
}

/* ---- where it begins to differ ----------------------------------------------------------------------------------- */

static bool is_collective(const side *s, size_t at)
{
    return rk_op_table[s->w.p->op[s->r.tape.at[at].op].row].class == RK_CLASS_COLLECTIVE;
}

/* Whether what devices have of a result is what a single one has: whole, in pieces, or as partial sums. */
static bool lies_somehow(team *t, side *single, size_t at, size_t at_single, bool gradient)
{
    const record *x = &single->r.tape.at[at_single];
    const value *a = &single->r.value.at[x->out];
    const double *whole = gradient ? a->grad : a->at;
    double *sum = new_numbers(&t->at[0].r, a->n, 0);
    bool same = true, sums = true;

    for (size_t r = 0; r < t->n; r++) {
        side *s = &t->at[r];
        const record *y = &s->r.tape.at[at];
        const value *b = &s->r.value.at[y->out];
        const double *own = gradient ? b->grad : b->at;
        size_t *map = piece_map(single, &single->w.p->tensor[single->w.p->op[x->op].out].axes, s,
                                &s->w.p->tensor[s->w.p->op[y->op].out].axes);

        if (map || b->n == a->n)
            same &= far(piece_of(s, whole, map, b->n), own, b->n) <= CLOSE;
        sums &= map || b->n == a->n;
        for (size_t k = 0; k < b->n && sums; k++)
            sum[map ? map[k] : k] += own[k];
    }
    return same || (sums && far(whole, sum, a->n) <= CLOSE);
}

/* The first operation whose result is none of these; with gradients, the last one. */
static void say_where(team *t, side *single, bool gradient)
{
    size_t n = single->r.tape.n, at = gradient ? t->at[0].r.tape.n : 0;

    for (size_t k = 0; k < n && (gradient ? at > 0 : at < t->at[0].r.tape.n); k++) {
        size_t at_single = gradient ? n - 1 - k : k;
        const rk_op *op = &single->w.p->op[single->r.tape.at[at_single].op];

        at -= gradient;
        while (is_collective(&t->at[0], at))
            at += gradient ? (size_t)-1 : 1;
        if (!lies_somehow(t, single, at, at_single, gradient)) {
            wrong(t->out, t->f, "%s begins with %s of %s", gradient ? "the gradient of this" : "this",
                  rk_op_table[op->row].name, op->name);
            return;
        }
        at += !gradient;
    }
}

/* ---- one layout -------------------------------------------------------------------------------------------------- */

/* The same model with n times as many sequences; NULL: it has no batch. */
static const rk_model *with_batch(const rk_model *in, rk_i128 n)
{
    const rk_symbol *of = rk_model_size(in, RK_SIZE_BATCH);
    const rk_model *out = NULL;
    rk_model_draft *d = NULL;
    rk_binding at;
    rk_i128 now;
    rk_build b;
    rk_err err = {0};
    int code = of ? rk_pass_begin(in, &d, &b, &err) : RK_EINPUT;

    if (code != RK_OK)
        return NULL;
    for (size_t k = 0; k < d->model->n_symbol; k++)
        if (d->symbol[k].sym == of->sym)
            d->symbol[k].value = d->value[of->sym] = of->value * n;
    at = rk_model_binding(d->model);
    for (size_t k = 0; k < d->model->n_symbol; k++)
        if (rk_sym_definition(d->pool, d->symbol[k].sym) != RK_EX_FAILED &&
            rk_ex_eval(d->pool, rk_ex_sym(d->pool, d->symbol[k].sym), &at, &now, NULL) == RK_OK)
            d->symbol[k].value = now;
    code = rk_copy_program(&(rk_copy){0}, &in->program, &b);
    return rk_model_finish(code, d, &b, &out) == RK_OK ? out : NULL;
}

/* False: the model does not bear the layout, and the pass says why. */
static bool open_team(team *t, const rk_model *m, side *single, rk_err *err)
{
    for (size_t r = 0; r < t->n; r++) {
        rk_layout l = t->layout;
        const rk_model *own = NULL;
        side *s = &t->at[r];
        int code;

        l.rank = (rk_i128)r;
        code = rk_pass_shard(m, &(rk_pass_options){.layout = &l}, &own, err);

        if (code != RK_OK) {
            if (code != RK_EINPUT)
                wrong(t->out, t->f, "%s", err->message);
            return false;
        }
        if (!own && !(own = with_batch(m, 1))) { /* copies run what a single device does */
            wrong(t->out, t->f, "no copy of the model");
            return false;
        }
        if (!open_side(s, own, t->out, t->f)) {
            s->model = own;
            return true;
        }
        if (!is_alike(s->w.p, t->at[0].w.p)) {
            wrong(t->out, t->f, "device %zu has other operations than the first", r);
            return true;
        }
        s->w.attends = true;
        s->w.devices = t->n;
        set_labels(t, r);
        set_copies(t, single, r);
        set_parts(t, r);
        set_routes(t, single, r);
        give_inputs(t, single, r);
        give_pieces(t, single, r);
        give_roots(t, single, r);
    }
    find_away(t);
    return true;
}

static void close_team(team *t)
{
    for (size_t r = 0; r < t->n; r++) {
        free_world(&t->at[r].w);
        rk_model_free(t->at[r].model);
    }
}

static void check_layout(const rk_model *m, side *single, size_t which, size_t n, size_t form, rk_str *out, findings *f)
{
    rk_str lines = {0};
    findings here = {0};
    team *t = calloc(1, sizeof *t);
    rk_err err = {0};

    if (!t)
        return;
    *t = (team){.layout = layout_of(which, n, 0), .out = &lines, .f = &here};
    t->n = (size_t)rk_layout_devices(&t->layout);
    t->copies = layouts[which].axis == RK_MESH_DDP;
    t->apart = rk_layout_sends_tokens(&t->layout) && (t->copies || t->layout.size[RK_MESH_CP] > 1);
    if (!open_team(t, m, single, &err)) {
        n_refused[which]++;
        f->n_refused++;
        if (getenv("REFUSED"))
            printf("       %s, %s, %zu devices: %s\n", forms[form].name, layouts[which].name, n, err.message);
    } else if (here.n_wrong == 0 && meets_inside(&t->at[0])) {
        n_unclear[which]++;
    } else if (here.n_wrong == 0) {
        if (layouts[which].pp)
            check_handed(t, single);
        run_team(t);
        compare_outputs(t, single);
        if (here.n_wrong > 0) {
            say_where(t, single, false);
        } else {
            run_team_back(t);
            compare_gradients(t, single);
            compare_incoming(t, single);
            check_whole_gradients(t, single);
            if (here.n_wrong > 0)
                say_where(t, single, true);
        }
        for (size_t r = 0; r < t->n; r++)
            if (t->at[r].w.wrong[0] != '\0' && here.n_wrong == 0)
                wrong(&lines, &here, "%s", t->at[r].w.wrong);
        n_run[which]++;
        f->n_compared++;
    }
    if (here.n_wrong > 0)
        rk_str_format(out, "    %s, %s, %zu devices:\n%s", forms[form].name, layouts[which].name, n,
                      rk_str_text(&lines));
    n_failed[which] += here.n_wrong > 0;
    f->n_wrong += here.n_wrong;
    rk_str_free(&lines);
    close_team(t);
    free(t);
}

/* Of a sample of models, an eighth of all layouts is run. */
static bool is_sampled(const subject *s, size_t form, size_t layout)
{
    return t_every() == 1 || (t_hash(s->name) + form + layout) % 8 == 0;
}

/* What each of two stages runs; what it is given is given to its devices. */
static void check_stages(const rk_model *m, size_t which, size_t n, size_t form, rk_str *out, findings *f)
{
    first_ran = false;
    for (int stage = 0; stage < 2; stage++) {
        rk_layout l = rk_layout_single();
        const rk_model *own = NULL;
        side single;
        rk_err err = {0};

        l.size[RK_MESH_PP] = 2;
        l.rank = stage;
        l.runtime = runtime_of(layouts[which].runtime);
        if (rk_pass_stage(m, &(rk_pass_options){.layout = &l}, &own, &err) != RK_OK || !own) {
            n_refused[which]++;
            f->n_refused++;
            return;
        }
        if (open_side(&single, own, out, f)) {
            single.w.attends = true;
            run_side(&single, true, out, f);
            check_layout(own, &single, which, n, form, out, f);
        }
        free_world(&single.w);
        rk_model_free(own);
    }
}

/*
 * Whether rows of a table that is no weight are looked up, as the embeddings of all images are: in a copy of the
 * model, which has fewer images, their numbers are those of other rows.
 */
static bool numbers_rows(const rk_program *p)
{
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 1; p->op[i].row == RK_OP_LOOKUP && k < p->op[i].n_in; k++)
            if (p->tensor[p->op[i].in[k].tensor].kind != RK_TENSOR_WEIGHT)
                return true;
    return false;
}

/* Whether all sequences meet, as pairs of texts and images do: then copies of a model are another one. */
static bool compares_sequences(const rk_model *m)
{
    const rk_symbol *of = rk_model_size(m, RK_SIZE_BATCH);

    if (numbers_rows(&m->program))
        return true;
    for (size_t i = 0; of && i < m->program.n_output; i++) {
        const rk_ixs *axes = &m->program.tensor[m->program.output[i]].axes;
        size_t n = 0;

        for (size_t k = 0; k < axes->n; k++)
            n += rk_ex_has_sym(m->pool, axes->at[k].size, of->sym);
        if (n > 1)
            return true;
    }
    return false;
}

/* Copies of the model, each with its own sequences, beside one that has all of them. */
static void check_copies(const rk_model *m, size_t which, size_t n, size_t form, rk_str *out, findings *f)
{
    rk_layout l = layout_of(which, n, 0);
    const rk_model *all = with_batch(m, l.size[RK_MESH_DDP]);
    side single;

    if (!all || compares_sequences(m)) {
        n_refused[which]++;
        f->n_refused++;
        rk_model_free(all);
        return;
    }
    if (open_side(&single, all, out, f)) {
        single.w.attends = true;
        run_side(&single, true, out, f);
        check_layout(m, &single, which, n, form, out, f);
    }
    free_world(&single.w);
    rk_model_free(all);
}

void check_ranks(const subject *s, const world *plain, rk_str *out, findings *f)
{
    const rk_model *m = plain->model;
    const char *only = getenv("LAYOUT"), *form = getenv("FORM");

    while (!m->expansion)
        m = m->base;
    for (size_t i = 0; i < N_FORM; i++) {
        rk_pass_options o = {.profile = forms[i].profile ? PROFILE : NULL,
                             .fused = forms[i].fused,
                             .grouped = forms[i].grouped,
                             .finder = finder_of(s),
                             .until = "split"};
        const rk_model *between = NULL;
        side single;
        rk_err err = {0};

        if (form && strcmp(form, forms[i].name) != 0)
            continue;
        if (rk_passes_run(m, &o, &between, &err) != RK_OK) {
            wrong(out, f, "%s: %s", forms[i].name, err.message);
            continue;
        }
        if (open_side(&single, between ? between : m, out, f)) {
            single.w.attends = true;
            run_side(&single, true, out, f);
            for (size_t k = 0; k < N_LAYOUT; k++)
                if ((only && strcmp(only, layouts[k].name) != 0) || !is_sampled(s, i, k))
                    continue;
                else if (layouts[k].axis == RK_MESH_DDP)
                    check_copies(between ? between : m, k, 2, i, out, f); /* of the single one's batch, half */
                else if (layouts[k].pp)
                    check_stages(between ? between : m, k, (size_t)s->devices, i, out, f);
                else
                    check_layout(between ? between : m, &single, k, (size_t)s->devices, i, out, f);
        }
        free_world(&single.w);
        rk_model_free(between);
    }
}

void two_devices_agree(const rk_model *m, rk_str *out, findings *f)
{
    side single;

    if (open_side(&single, m, out, f)) {
        single.w.attends = true;
        run_side(&single, true, out, f);
        check_layout(m, &single, 0, 2, 0, out, f);
    }
    free_world(&single.w);
}

void report_ranks(void)
{
    for (size_t i = 0; i < N_LAYOUT; i++)
        printf("%-29s %zu programs run, %zu models do not bear it, %zu are not known here, %zu failed\n",
               layouts[i].name, n_run[i], n_refused[i], n_unclear[i], n_failed[i]);
    printf("%zu gradients compared: %zu of weights in pieces, %zu partial sums; %zu made whole of tables in pieces\n",
           n_weight, n_piece, n_partial, n_whole);
    printf("%zu gradients of what came from another stage compared; devices met %zu times\n", n_incoming, n_exchange);
}
