/* SPDX-License-Identifier: MIT */
/*
 * What devices send to each other: collectives, and reductions along an axis that lies in pieces.
 *
 * What a place says of the numbers is tested where it matters: a value that is whole is the same on all devices, and so
 * is the gradient of what was added up.
 */
#include "exchange.h"

#include <math.h>
#include <string.h>

#define CLOSE 1e-9

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

typedef struct places {
    size_t *at;
    size_t n;
} places;

/* The elements of an axis in pieces that a device has, as places of the whole one; of axes end to end, part by part. */
static places places_of(side *whole, const rk_ix *all, side *device, const rk_ix *local)
{
    places p = {.n = (size_t)eval_size(&device->w, local->size)};
    size_t size = (size_t)eval_size(&whole->w, all->size), start = 0, k = 0;

    p.at = need(&device->w, p.n + 1, sizeof *p.at);
    if (all->kind != RK_IX_SUM) {
        for (size_t i = 0; i < p.n; i++)
            p.at[i] = local->kind == RK_IX_ROUTED
                          ? (size_t)device->w.first_expert * p.n + i
                          : (size_t)place_in(&device->w, local->label, whole == device ? all->label : RK_NONE, (long)i);
        return p;
    }
    for (size_t q = 0; q < all->n_part; q++) {
        const rk_ixs *part = &all->part[q];
        places first = {0};
        size_t rest = 1;

        for (size_t i = 1; i < part->n; i++)
            rest *= (size_t)eval_size(&whole->w, part->at[i].size);
        if (part->n > 0)
            first = places_of(whole, &part->at[0], device, &local->part[q].at[0]);
        for (size_t i = 0; i < first.n * rest && k < p.n; i++)
            p.at[k++] = start + first.at[i / rest] * rest + i % rest;
        start += rest * (part->n > 0 ? (size_t)eval_size(&whole->w, part->at[0].size) : 1);
    }
    if (k != p.n || start != size)
        fail_world(&device->w, "parts of %zu of %zu elements have %zu of %zu", p.n, size, k, start);
    return p;
}

/* The piece of an axis of one size is another label; places that are chosen have no label of their own. */
static bool is_cut(side *whole, const rk_ix *all, side *device, const rk_ix *local)
{
    if (eval_size(&whole->w, all->size) != eval_size(&device->w, local->size))
        return true;
    return local->kind != RK_IX_ROUTED && local->kind != RK_IX_AFFINE && device->w.place[local->label] &&
           !(whole == device && local->label == all->label);
}

size_t *piece_map(side *whole, const rk_ixs *axes, side *device, const rk_ixs *local)
{
    size_t count = 1, *map;
    places *cut = need(&device->w, axes->n + 1, sizeof *cut);
    size_t *own = need(&device->w, axes->n + 1, sizeof *own), *all = need(&device->w, axes->n + 1, sizeof *all);
    bool any = false;

    if (axes->n != local->n) {
        fail_world(&device->w, "a piece of %zu axes has %zu", axes->n, local->n);
        return NULL;
    }
    for (size_t i = 0; i < axes->n; i++) {
        bool here = is_cut(whole, &axes->at[i], device, &local->at[i]);

        if (here)
            cut[i] = places_of(whole, &axes->at[i], device, &local->at[i]);
        any |= here;
        own[i] = (size_t)eval_size(&device->w, local->at[i].size);
        all[i] = (size_t)eval_size(&whole->w, axes->at[i].size);
        count *= own[i];
    }
    if (!any)
        return NULL;
    map = need(&device->w, count + 1, sizeof *map);
    for (size_t e = 0; e < count; e++) {
        size_t left = e, step = 1;

        for (size_t i = axes->n; i > 0; i--) {
            size_t at = left % own[i - 1];

            left /= own[i - 1];
            map[e] += (cut[i - 1].at ? cut[i - 1].at[at] : at) * step;
            step *= all[i - 1];
        }
    }
    return map;
}

rk_ixs whole_axes(side *s, const rk_ixs *axes, uint8_t mesh)
{
    const rk_program *p = s->w.p;
    rk_ixs whole = {need(&s->w, axes->n + 1, sizeof *axes->at), axes->n};

    for (size_t i = 0; i < axes->n; i++) {
        const rk_label *l = &p->label[axes->at[i].label];

        whole.at[i] = axes->at[i];
        if (axes->at[i].kind != RK_IX_AFFINE && l->mesh == mesh)
            whole.at[i] = (rk_ix){.kind = RK_IX_LABEL, .label = l->whole, .size = p->label[l->whole].size};
    }
    return whole;
}

/* ---- who meets --------------------------------------------------------------------------------------------------- */

size_t place_on(const team *t, size_t rank, rk_mesh_axis along)
{
    rk_layout l = t->layout;

    l.rank = (rk_i128)rank;
    return (size_t)rk_layout_place(&l, along);
}

bool gather_members(team *t, size_t rank, rk_mesh_axis along)
{
    if (place_on(t, rank, along) != 0)
        return false;
    t->n_member = (size_t)t->layout.size[along];
    for (size_t i = 0; i < t->n_member; i++)
        t->member[i] = rank + i * (size_t)rk_layout_next(&t->layout, along);
    return true;
}

/* ---- collectives ------------------------------------------------------------------------------------------------- */

static const record *record_at(const team *t, size_t rank, size_t at)
{
    return &t->at[rank].r.tape.at[at];
}

static const rk_op *op_at(const team *t, size_t rank, size_t at)
{
    return &t->at[rank].w.p->op[record_at(t, rank, at)->op];
}

static value *operand(team *t, size_t rank, size_t at)
{
    return &t->at[rank].r.value.at[record_at(t, rank, at)->in[0]];
}

static value *result(team *t, size_t rank, size_t at)
{
    return &t->at[rank].r.value.at[record_at(t, rank, at)->out];
}

/* Which elements of the whole tensor a device has before a collective, or after it; NULL: all. */
static size_t *map_of(team *t, size_t rank, size_t at, bool after)
{
    side *s = &t->at[rank];
    const rk_op *op = op_at(t, rank, at);
    const rk_ixs *in = &s->w.p->tensor[op->in[0].tensor].axes, *out = &s->w.p->tensor[op->out].axes;
    rk_ixs whole = whole_axes(s, op->row == RK_OP_ALL_GATHER || op->row == RK_OP_UNITE ? out : in, op->mesh);

    return piece_map(s, &whole, s, after ? out : in);
}

static void same_everywhere(team *t, size_t at, bool gradient, bool after)
{
    for (size_t i = 1; i < t->n_member; i++) {
        size_t first = t->member[0], r = t->member[i];
        const value *a = after ? result(t, first, at) : operand(t, first, at),
                    *b = after ? result(t, r, at) : operand(t, r, at);

        if (a->n != b->n || !(distance(gradient ? a->grad : a->at, gradient ? b->grad : b->at, a->n) <= CLOSE)) {
            wrong(t->out, t->f, "%s: devices should have the same %s, and do not", op_at(t, 0, at)->name,
                  gradient ? "gradient" : "value");
            return;
        }
    }
}

static double *numbers(value *v, bool gradient)
{
    return gradient ? v->grad : v->at;
}

/* The sum of what all devices have, of whole tensors. */
static double *sum_of(team *t, size_t at, bool gradient, bool after)
{
    size_t r0 = t->member[0];
    value *first = after ? result(t, r0, at) : operand(t, r0, at);
    double *sum = new_numbers(&t->at[0].r, first->n, 0);

    for (size_t i = 0; i < t->n_member; i++) {
        size_t r = t->member[i];

        add_numbers(sum, numbers(after ? result(t, r, at) : operand(t, r, at), gradient), first->n);
    }
    return sum;
}

/* The whole tensor, of which all devices have pieces; n elements. */
static double *unite_pieces(team *t, size_t at, bool gradient, bool after, size_t n)
{
    double *whole = new_numbers(&t->at[0].r, n, (double)NAN);

    for (size_t i = 0; i < t->n_member; i++) {
        size_t r = t->member[i];
        value *v = after ? result(t, r, at) : operand(t, r, at);
        size_t *map = map_of(t, r, at, after);

        for (size_t k = 0; k < v->n; k++) {
            size_t to = map ? map[k] : k;

            if (to < n)
                whole[to] = numbers(v, gradient)[k];
            else
                wrong(t->out, t->f, "%s: a piece lies outside of the whole", op_at(t, r, at)->name);
        }
    }
    return whole;
}

static void take_piece(team *t, size_t rank, size_t at, bool after, const double *whole, double *to, size_t n)
{
    size_t *map = map_of(t, rank, at, after);

    for (size_t k = 0; k < n; k++)
        to[k] += whole[map ? map[k] : k];
}

/* Elements of the whole tensor. */
static size_t count_whole(team *t, size_t at)
{
    side *s = &t->at[0];
    rk_ixs whole = whole_axes(s, &s->w.p->tensor[op_at(t, 0, at)->in[0].tensor].axes, op_at(t, 0, at)->mesh);
    size_t n = 1;

    for (size_t i = 0; i < whole.n; i++)
        n *= (size_t)eval_size(&s->w, whole.at[i].size);
    return n;
}

/*
 * Rows travel to the devices of their experts.  All devices have the same tokens here, so that those of all are one
 * set: a device that rows have come to has those of its own experts, since it has no weights of others and makes zeros
 * of their rows, and when rows come home each is the sum of what all have.
 */
static bool is_travel(const team *t, size_t at)
{
    const rk_program *p = t->at[0].w.p;
    const rk_op *op = op_at(t, 0, at);

    return op->row == RK_OP_ALL_TO_ALL && rk_ixs_same(&p->tensor[op->in[0].tensor].axes, &p->tensor[op->out].axes);
}

void find_away(team *t)
{
    const rk_program *p = t->at[0].w.p;

    t->away = need(&t->at[0].w, p->n_tensor + 1, sizeof *t->away);
    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        bool away = false;

        for (size_t k = 0; k < op->n_in; k++) {
            const rk_tensor *from = &p->tensor[op->in[k].tensor];

            if (rk_op_table[op->row].class == RK_CLASS_CHOICE ||
                (rk_op_table[op->row].place == RK_PLACE_SECOND && k != 1))
                continue; /* a list of places, or what is only held */
            away |= t->away[op->in[k].tensor] ||
                    (from->kind == RK_TENSOR_WEIGHT && (p->weight[from->weight].pieces & 1u << RK_MESH_EP));
        }
        t->away[op->out] = op->row == RK_OP_ALL_TO_ALL ? !away : away;
    }
}

/* The axis of an operand along which experts lie in pieces; as many as there are: none. */
static size_t expert_axis(const team *t, size_t rank, size_t at, size_t k)
{
    const side *s = &t->at[rank];
    const rk_op *op = op_at(t, rank, at);
    const rk_tensor *of = &s->w.p->tensor[op->in[k].tensor];
    const view *v = &s->w.op[record_at(t, rank, at)->op].in[k];
    size_t j = 0;

    if (of->kind != RK_TENSOR_WEIGHT || !(s->w.p->weight[of->weight].pieces & 1u << RK_MESH_EP))
        return v->n;
    while (j < v->n && v->at[j].kind != AXIS_ROUTED)
        j++;
    return j;
}

bool reads_experts(const team *t, size_t at)
{
    bool any = false;

    for (size_t k = 0; t->apart && k < op_at(t, 0, at)->n_in; k++)
        any |= expert_axis(t, 0, at, k) < t->at[0].w.op[record_at(t, 0, at)->op].in[k].n;
    return any;
}

/* Copies between the experts of all devices, laid one after the other along an axis, and those of one. */
static void copy_experts(double *all, double *own, const view *v, size_t j, size_t place, size_t n, bool back)
{
    size_t each = (size_t)v->at[j].size, inner = 1, outer = 1;

    for (size_t i = j + 1; i < v->n; i++)
        inner *= (size_t)v->at[i].size;
    for (size_t i = 0; i < j; i++)
        outer *= (size_t)v->at[i].size;
    for (size_t o = 0; o < outer; o++)
        for (size_t e = 0; e < each * inner; e++) {
            double *whole = &all[(o * n + place) * each * inner + e], *piece = &own[o * each * inner + e];

            if (back)
                *piece += *whole;
            else
                *whole = *piece;
        }
}

void lend_experts(team *t, size_t rank, size_t at)
{
    size_t first = rank - place_on(t, rank, RK_MESH_EP) * (size_t)rk_layout_next(&t->layout, RK_MESH_EP);
    size_t n = (size_t)t->layout.size[RK_MESH_EP];
    const rk_op *op = op_at(t, rank, at);

    for (size_t k = 0; k < op->n_in; k++) {
        view *v = &t->at[rank].w.op[record_at(t, rank, at)->op].in[k];
        size_t j = expert_axis(t, rank, at, k);
        value *own = &t->at[rank].r.value.at[record_at(t, rank, at)->in[k]];
        double *all;

        if (j == v->n) { /* what meets experts has gone to them */
            const rk_tensor *of = &t->at[rank].w.p->tensor[op->in[k].tensor];

            if (of->kind == RK_TENSOR_RESULT && !of->is_index && !t->away[op->in[k].tensor])
                wrong(t->out, t->f, "%s: what experts read has not gone to them", op->name);
            continue;
        }
        all = new_numbers(&t->at[rank].r, own->n * n, 0);
        t->lent[k] = *own;
        for (size_t i = 0; i < n; i++) {
            size_t from = first + i * (size_t)rk_layout_next(&t->layout, RK_MESH_EP);
            const value *of = &t->at[from].r.value.at[record_at(t, from, at)->in[k]];

            copy_experts(all, from == rank ? t->lent[k].at : of->at, v, j, i, n, false);
        }
        own->at = all;
        own->grad = new_numbers(&t->at[rank].r, own->n * n, 0);
        own->n *= n;
        v->at[j].size *= (long)n;
        v->at[j].offset = 0;
    }
}

void take_back_experts(team *t, size_t rank, size_t at, bool gradient)
{
    size_t first = rank - place_on(t, rank, RK_MESH_EP) * (size_t)rk_layout_next(&t->layout, RK_MESH_EP);
    size_t n = (size_t)t->layout.size[RK_MESH_EP];
    const rk_op *op = op_at(t, rank, at);

    for (size_t k = 0; k < op->n_in; k++) {
        view *v = &t->at[rank].w.op[record_at(t, rank, at)->op].in[k];
        size_t j = expert_axis(t, rank, at, k);
        value *own = &t->at[rank].r.value.at[record_at(t, rank, at)->in[k]];
        double *grad = own->grad;

        if (j == v->n)
            continue;
        *own = t->lent[k];
        v->at[j].size /= (long)n;
        v->at[j].offset = t->at[rank].w.first_expert * v->at[j].size;
        for (size_t i = 0; i < n && gradient; i++) {
            size_t to = first + i * (size_t)rk_layout_next(&t->layout, RK_MESH_EP);

            copy_experts(grad, t->at[to].r.value.at[record_at(t, to, at)->in[k]].grad, v, j, i, n, true);
        }
    }
}

static void collective(team *t, size_t at)
{
    const rk_op *op = op_at(t, 0, at);
    rk_op_id row = op->row;
    bool travels = is_travel(t, at);
    double *all = NULL;

    if (row == RK_OP_ALL_REDUCE || row == RK_OP_REDUCE_HERE || row == RK_OP_REDUCE_SCATTER ||
        (travels && !t->away[op->out] && !t->apart))
        all = sum_of(t, at, false, false);
    else if (row == RK_OP_ALL_GATHER || row == RK_OP_UNITE || (row == RK_OP_ALL_TO_ALL && !travels))
        all = unite_pieces(t, at, false, false, count_whole(t, at));
    else if (!(travels && t->apart))
        same_everywhere(t, at, false, false);
    for (size_t i = 0; i < t->n_member; i++) {
        size_t r = t->member[i];
        value *in = operand(t, r, at), *out = result(t, r, at);

        memset(out->at, 0, out->n * sizeof *out->at);
        if (row == RK_OP_REDUCE_SCATTER || row == RK_OP_PIECE || (row == RK_OP_ALL_TO_ALL && !travels))
            take_piece(t, r, at, true, all ? all : in->at, out->at, out->n);
        else
            add_numbers(out->at, all ? all : in->at, out->n);
        for (size_t k = 0; row == RK_OP_SHARE && k < out->n; k++)
            out->at[k] /= (double)t->n_member;
    }
}

/*
 * What is entered twice is so where two parts of a runtime each do it.  In between, which no equation says, a device
 * keeps the gradients of its own experts' scores alone: what is added up twice is no more than added up.
 */
static bool is_entered_again(const team *t, size_t at)
{
    const rk_program *p = t->at[0].w.p;
    const rk_tensor *from = &p->tensor[op_at(t, 0, at)->in[0].tensor];

    return from->kind == RK_TENSOR_RESULT && p->op[from->producer].row == RK_OP_ENTER;
}

/* Over cp, gradients of what is whole are partial sums, which are left to copies of the model. */
static bool is_left(const rk_op *op)
{
    return op->mesh == RK_MESH_CP + 1;
}

static void put_piece(team *t, size_t rank, size_t at, const value *out, double *whole)
{
    size_t *map = map_of(t, rank, at, true);

    for (size_t k = 0; k < out->n; k++)
        whole[map ? map[k] : k] += out->grad[k];
}

static void collective_back(team *t, size_t at)
{
    const rk_op *op = op_at(t, 0, at);
    rk_op_id row = op->row;
    bool travels = is_travel(t, at);
    double *all = NULL;

    if (row == RK_OP_ALL_GATHER || (row == RK_OP_ENTER && !is_entered_again(t, at)) ||
        (travels && t->away[op->out] && !t->apart))
        all = sum_of(t, at, true, true);
    else if (row == RK_OP_REDUCE_SCATTER || (row == RK_OP_PIECE && !is_left(op)) ||
             (row == RK_OP_ALL_TO_ALL && !travels))
        all = unite_pieces(t, at, true, true, count_whole(t, at));
    else if (row != RK_OP_ENTER && row != RK_OP_PIECE && !is_left(op) && !(travels && t->apart))
        same_everywhere(t, at, true, true);
    for (size_t i = 0; i < t->n_member; i++) {
        size_t r = t->member[i];
        value *in = operand(t, r, at), *out = result(t, r, at);

        if (row == RK_OP_ALL_GATHER || row == RK_OP_UNITE || (row == RK_OP_ALL_TO_ALL && !travels))
            take_piece(t, r, at, false, all ? all : out->grad, in->grad, in->n);
        else if (row == RK_OP_PIECE && is_left(op))
            put_piece(t, r, at, out, in->grad);
        else
            add_numbers(in->grad, all ? all : out->grad, in->n);
    }
}

/* ---- attention over pieces of a sequence ------------------------------------------------------------------------- */

/* Keys and values of all devices come to the queries of each; so do their gradients go back. */
static void attend(team *t, size_t at, bool back)
{
    key_source *from = need(&t->at[0].w, t->n_member, sizeof *from);

    for (size_t i = 0; i < t->n_member; i++) {
        side *s = &t->at[t->member[i]];
        const plan *p = set_cells(&s->r, record_at(t, t->member[i], at));

        from[i] = (key_source){s->w.tensor[p->in[1].tensor], s->w.tensor[p->in[2].tensor], NULL};
        for (size_t k = 0; k < p->in[1].n; k++) {
            uint32_t label = p->in[1].at[k].label[0];

            if (s->w.p->label[label].mesh == p->op->mesh)
                from[i].place = s->w.place[label];
        }
    }
    for (size_t i = 0; i < t->n_member; i++) {
        side *s = &t->at[t->member[i]];
        plan *p = set_cells(&s->r, record_at(t, t->member[i], at));
        long **own = need(&s->w, s->w.p->n_label + 1, sizeof *own);

        memcpy(own, s->w.place, s->w.p->n_label * sizeof *own);
        s->w.c = back ? &p->backward : &p->forward;
        reset_indices(&s->w, p);
        attention_over(&s->w, p, from, t->n_member, back);
        memcpy(s->w.place, own, s->w.p->n_label * sizeof *own);
    }
}

/* ---- the loss over pieces of the vocabulary ---------------------------------------------------------------------- */

/* Of each row, over all devices. */
typedef struct rows {
    double *most, *sum; /* of the exponentials, less the largest */
    double *picked;     /* the element of the wanted class */
    double *gradient;   /* the sum of the gradients of the result */
    size_t n;
} rows;

static size_t count_rows(const side *s, const plan *p)
{
    size_t n = 1;

    for (size_t i = 0; i < p->domain.n; i++)
        n *= (size_t)s->w.size[p->domain.at[i]];
    return n;
}

/* The wanted class at the present indices, if this device has it; the index is set to it. */
static bool has_wanted(world *w, const plan *p)
{
    uint32_t along = p->inner.at[0];
    long wanted = wanted_class(w, p);

    wanted = wanted < 0 ? wanted : index_at(w, along, wanted);
    if (wanted < 0)
        return false;
    w->index[along] = wanted;
    return true;
}

static plan *begin_loss(team *t, size_t rank, size_t at)
{
    plan *p = set_cells(&t->at[rank].r, record_at(t, rank, at));

    t->at[rank].w.c = &p->forward;
    reset_indices(&t->at[rank].w, p);
    return p;
}

static rows find_rows(team *t, size_t at, bool back)
{
    const plan *first = begin_loss(t, t->member[0], at);
    rows x = {.n = count_rows(&t->at[t->member[0]], first)};
    runner *r0 = &t->at[0].r;
    bool whole_row = op_at(t, 0, at)->row == RK_OP_LOG_SOFTMAX;

    x.most = new_numbers(r0, x.n, -INFINITY);
    x.sum = new_numbers(r0, x.n, 0);
    x.picked = new_numbers(r0, x.n, 0);
    x.gradient = new_numbers(r0, x.n, 0);
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < t->n_member; k++) {
            plan *p = begin_loss(t, t->member[k], at);
            world *w = &t->at[t->member[k]].w;
            size_t i = 0;

            WALK(w, &p->domain)
            {
                WALK(w, &p->inner)
                {
                    double y = view_get(w, &p->in[0]);

                    if (pass == 0)
                        x.most[i] = fmax(x.most[i], y);
                    else
                        x.sum[i] += exp(y - x.most[i]);
                    if (pass == 1 && back && whole_row)
                        x.gradient[i] += view_grad(w, &p->out);
                }
                if (pass == 1 && !whole_row && has_wanted(w, p))
                    x.picked[i] += view_get(w, &p->in[0]);
                i++;
            }
        }
    return x;
}

/* A mean over all places that want a class. */
static void put_mean(world *w, const plan *p, const rows *x, bool with_norm)
{
    double total = 0, n = wanted_count(w, p);
    size_t i = 0;

    WALK(w, &p->domain)
    {
        if (wanted_class(w, p) >= 0)
            total -= x->picked[i] - (with_norm ? x->most[i] + log(x->sum[i]) : 0);
        i++;
    }
    view_put(w, &p->out, n > 0 ? total / n : 0);
}

static void loss_forward(team *t, size_t at)
{
    rk_op_id row = op_at(t, 0, at)->row;
    rows x = find_rows(t, at, false);

    for (size_t k = 0; k < t->n_member; k++) {
        plan *p = begin_loss(t, t->member[k], at);
        world *w = &t->at[t->member[k]].w;
        size_t i = 0;

        if (row != RK_OP_LOG_SOFTMAX) {
            put_mean(w, p, &x, row == RK_OP_CROSS_ENTROPY || row == RK_OP_CROSS_ENTROPY_HERE);
            continue;
        }
        WALK(w, &p->domain)
        {
            WALK(w, &p->inner)
            {
                view_put(w, &p->out, view_get(w, &p->in[0]) - x.most[i] - log(x.sum[i]));
            }
            i++;
        }
    }
}

/* The sum of the gradients of a row need not be sent: it is that of the one element that the loss picks. */
static void loss_backward(team *t, size_t at)
{
    rk_op_id row = op_at(t, 0, at)->row;
    rows x = find_rows(t, at, true);

    for (size_t k = 0; k < t->n_member; k++) {
        plan *p = begin_loss(t, t->member[k], at);
        world *w = &t->at[t->member[k]].w;
        double share = row == RK_OP_LOG_SOFTMAX ? 0 : view_grad(w, &p->out) / wanted_count(w, p);
        size_t i = 0;

        reset_indices(w, p);
        WALK(w, &p->domain)
        {
            WALK(w, &p->inner)
            {
                double part = exp(view_get(w, &p->in[0]) - x.most[i]) / x.sum[i];

                if (row == RK_OP_LOG_SOFTMAX)
                    view_add_grad(w, &p->in[0], view_grad(w, &p->out) - part * x.gradient[i]);
                else if ((row == RK_OP_CROSS_ENTROPY || row == RK_OP_CROSS_ENTROPY_HERE) && wanted_class(w, p) >= 0)
                    view_add_grad(w, &p->in[0], share * part);
            }
            if (row != RK_OP_LOG_SOFTMAX && has_wanted(w, p))
                view_add_grad(w, &p->in[0], -share);
            i++;
        }
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool is_attention(const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_ATTENTION && op->mesh != 0;
}

bool is_exchange(const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_COLLECTIVE || op->rows > 0 || is_attention(op);
}

void exchange(team *t, size_t at)
{
    const rk_op *op = op_at(t, 0, at);

    for (size_t r = 0; r < t->n; r++) {
        if (!gather_members(t, r, (rk_mesh_axis)(op->mesh - 1)))
            continue;
        if (op->rows > 0)
            loss_forward(t, at);
        else if (is_attention(op))
            attend(t, at, false);
        else
            collective(t, at);
    }
}

void exchange_back(team *t, size_t at)
{
    const rk_op *op = op_at(t, 0, at);
    bool any = false;

    for (size_t k = 0; k < op->n_in; k++)
        any |= t->at[0].w.op[record_at(t, 0, at)->op].want[k];
    for (size_t r = 0; any && r < t->n; r++) {
        if (!gather_members(t, r, (rk_mesh_axis)(op->mesh - 1)))
            continue;
        if (op->rows > 0)
            loss_backward(t, at);
        else if (is_attention(op))
            attend(t, at, true);
        else
            collective_back(t, at);
    }
}
