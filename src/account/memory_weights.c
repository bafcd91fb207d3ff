/* SPDX-License-Identifier: MIT */
#include "account/building.h"

#include "account/zero.h"

#include <string.h>

/* ---- weights, their gradients, the optimizer -------------------------------------------------------------------- */

/* Whether gradients are added to a buffer that is there from step to step. */
bool rk_building_has_main_gradients(const rk_building *b)
{
    return b->o->layout && b->o->layout->runtime.main_gradients;
}

/* Where gradients are added up they stay from pass to pass, and in a type of their own from step to step. */
bool rk_building_adds_up(const rk_building *b)
{
    bool waits = b->gathers && b->o->layout->no_sync; /* whole ones are added up, which no weight's are */

    return b->train && ((b->o->passes > 1 && !waits) || b->o->gradient > 0 || rk_building_has_main_gradients(b) ||
                        (b->gathers && b->o->layout->runtime.gathers_views));
}

/* Bytes of a number of a stored weight, its gradient and its optimizer's state. */
int rk_building_stored_bytes(const rk_building *b)
{
    return b->o->stored ? b->o->stored : b->o->bytes;
}

/* Copies of the model reduce gradients in buckets, which are there from step to step; … */
bool rk_building_in_buckets(const rk_building *b)
{
    return b->train && rk_layout_copies(b->o->layout) && !rk_building_has_main_gradients(b);
}

/* … or the optimizer's state is laid flat into equal pieces, … */
bool rk_building_is_flat(const rk_building *b)
{
    return b->train && rk_layout_is_flat(b->o->layout);
}

/* … and gradients lie in buckets, once a pass has reduced them. */
bool rk_building_only_in_buckets(const rk_building *b)
{
    return rk_building_in_buckets(b) &&
           (rk_layout_fills_buckets(b->o->layout) ? b->o->layout->zero == 2 : b->o->layout->bucket_view);
}

/* Whether gradients of weights are there when a pass begins: beside buckets, those of passes that reduced nothing. */
bool rk_building_in_passes(const rk_building *b)
{
    if (rk_building_is_flat(b) && rk_building_only_in_buckets(b)) /* those of the rank's piece are added up */
        return b->o->passes > 1;
    return rk_building_only_in_buckets(b) ? b->o->passes > 1 && !b->first : rk_building_adds_up(b);
}

/*
 * Of two passes the first leaves gradients beside buckets, and the second lays one after the other into its bucket.  Of
 * more, in one between the first and the last all of them are there from its beginning to its end.
 */
bool rk_memory_has_two_passes(const rk_memory_options *o)
{
    return o->phase == RK_PHASE_TRAIN && rk_layout_copies(o->layout) && !rk_layout_is_flat(o->layout) &&
           !o->layout->runtime.main_gradients && o->layout->bucket_view && o->passes == 2;
}

bool rk_building_has_two_passes(const rk_building *b)
{
    return rk_memory_has_two_passes(b->o) && !b->o->recipe;
}

static void add_share(rk_building *b, rk_held when, rk_ex bytes, rk_i128 times)
{
    rk_share *slot = times > 0 ? RK_PUSH(&b->m->arena, &b->m->share) : NULL;

    if (slot)
        *slot = (rk_share){when, bytes, times};
    else if (times > 0)
        rk_building_fail(b);
}

/*
 * Adds tensors that are in no timeline, as a formula to `sum`, and gives their bytes as the allocator rounds them.
 * `room`: what each takes, padding included.
 */
static rk_i128 hold_in(rk_building *b, rk_held when, rk_ex times, rk_ex each, rk_ex room, rk_ex *sum)
{
    rk_i128 n = rk_building_value(b, times);

    add_share(b, when, room, n);
    *sum = rk_ex_add(b->pool, *sum, rk_ex_mul(b->pool, times, each));
    return n * rk_building_rounded(b, rk_building_value(b, room));
}

rk_i128 rk_building_hold(rk_building *b, rk_held when, rk_ex times, rk_ex each, rk_ex *sum)
{
    return hold_in(b, when, times, each, each, sum);
}

bool rk_building_is_on_host(const rk_building *b, rk_host what)
{
    return b->train && (b->o->offload >> what & 1);
}

/* The same of what the host holds: nothing of it is on the device. */
void rk_building_hold_on_host(rk_building *b, rk_host what, rk_ex times, rk_ex each)
{
    b->m->host_formula[what] = rk_ex_add(b->pool, b->m->host_formula[what], rk_ex_mul(b->pool, times, each));
}

/* What the optimizer keeps of a tensor, and what its step takes beside it. */
static void add_state(rk_building *b, const rk_weight *w, rk_matrix matrix, rk_ex times, int bytes)
{
    rk_memory *m = b->m;
    const rk_optimizer_row *row = &rk_optimizer_table[b->o->optimizer];
    int master = w->wide ? 0 : b->o->master; /* a weight that is as wide as the master copy would be is its own */
    rk_i128 own = b->own ? b->own[w - b->p->weight] : 0;
    rk_optimizer_tensor t = rk_optimizer_sees(b->o->optimizer, w, matrix,
                                              rk_building_value(b, w->count) >= RK_OPTIMIZER_CODED_FROM, bytes, master);
    rk_ex one = rk_optimizer_spare_one(b->pool, &t);
    rk_i128 one_bytes = rk_building_rounded(b, rk_building_value(b, one));

    if (b->own && own == 0)
        return;
    if (b->own && own < rk_building_value(b, times))
        times = rk_ex_int(b->pool, own);
    if (rk_building_is_on_host(b, RK_HOST_OPTIMIZER)) {
        rk_building_hold_on_host(
            b, RK_HOST_OPTIMIZER, times,
            rk_ex_add(b->pool, rk_optimizer_state(b->pool, &t), rk_building_in_bytes(b, w->count, master)));
        return;
    }
    if (row->coded)
        rk_conditions_less(b->conditions, w->count, rk_ex_int(b->pool, RK_OPTIMIZER_CODED_FROM), !t.large);
    m->held_optimizer +=
        rk_building_hold(b, RK_HELD_ALWAYS, times,
                         rk_ex_add(b->pool, rk_optimizer_state(b->pool, &t), rk_building_in_bytes(b, w->count, master)),
                         &m->optimizer_formula);
    /* A count of steps is a number of four bytes; it takes room because the allocator rounds it up. */
    if (row->counts && b->o->profile.rounding > 1)
        m->plain += rk_building_value(b, times) * b->o->profile.rounding;
    m->spare += rk_building_hold(b, RK_HELD_IN_STEP, times, rk_optimizer_spare_all(b->pool, &t), &b->spare_sum);
    add_share(b, RK_HELD_ONE_IN_STEP, one, 1);
    if (one_bytes > b->spare_one) {
        b->spare_one = one_bytes;
        b->spare_most = one;
    }
}

/* Whether the optimizer makes a gradient of its own for a weight, which lives through its step. */
bool rk_building_is_converted(const rk_building *b, const rk_weight *w)
{
    bool is_late = b->o->layout && b->o->layout->runtime.partial == RK_PARTIAL_IN_STEP; /* else they were added up */

    return b->o->layout && b->o->layout->size[RK_MESH_FSDP] == 1 && rk_optimizer_table[b->o->optimizer].reads == 0 &&
           ((w->partial && is_late) || w->gradient != RK_EX_FAILED);
}

/* Whether weights lie in pieces as DeepSpeed cuts them. */
bool rk_building_cuts_rows(const rk_building *b)
{
    return b->gathers && b->o->layout->runtime.gathers_views;
}

/* A copy of the rank's elements and their moments in fp32; weights that are as wide are their own copy. */
static void add_flat_state(rk_building *b, rk_ex piece)
{
    const rk_optimizer_row *row = &rk_optimizer_table[b->o->optimizer];
    int master = b->o->bytes == 4 && rk_building_has_main_gradients(b) ? 0 : 1;
    rk_ex n = rk_ex_int(b->pool, master + row->moments[0]), wide = rk_building_in_bytes(b, piece, 4);

    if (rk_building_is_on_host(b, RK_HOST_OPTIMIZER))
        rk_building_hold_on_host(b, RK_HOST_OPTIMIZER, n, wide);
    else
        b->m->held_optimizer += rk_building_hold(b, RK_HELD_ALWAYS, n, wide, &b->m->optimizer_formula);
    if (!rk_building_has_main_gradients(b) && !rk_building_is_on_host(b, RK_HOST_OPTIMIZER)) /* gradients in fp32 */
        b->m->spare += rk_building_hold(b, RK_HELD_IN_STEP, rk_ex_int(b->pool, 1), wide, &b->spare_sum);
}

/* What DeepSpeed has beside pieces of weights: small ones whole, a bucket, what is gathered ahead. */
static void hold_beside_pieces(rk_building *b)
{
    const rk_runtime *r = b->o->layout ? &b->o->layout->runtime : NULL;
    rk_ex one = rk_ex_int(b->pool, 1), unused = rk_ex_int(b->pool, 0);

    if (!rk_building_cuts_rows(b))
        return;
    b->m->held_weights +=
        rk_building_hold(b, RK_HELD_ALWAYS, one, rk_building_in_bytes(b, b->units.kept, b->o->bytes), &unused);
    b->m->held_buckets += rk_building_hold(
        b, RK_HELD_ALWAYS, one, rk_building_in_bytes(b, rk_ex_int(b->pool, r->bucket + r->prefetched), b->o->bytes),
        &b->m->buckets_formula);
}

/* Of a weight that lies in pieces, the rank's own; padded to whole pieces it is stored, but not what is kept of it. */
static void add_piece(rk_building *b, const rk_weight *w, rk_ex times, rk_matrix matrix)
{
    size_t i = (size_t)(w - b->p->weight);
    int bytes = w->wide ? 4 : rk_building_stored_bytes(b);
    bool packed = b->m->storage.packed && b->m->storage.packed[i];
    rk_ex own = b->units.own[i], each = rk_building_in_bytes(b, own, bytes),
          room = rk_building_in_bytes(b, b->units.piece[i], bytes);
    rk_ex *dim = RK_NEW_ARRAY(&b->m->arena, w->n_dim + 1, rk_ex);
    rk_weight part = *w;

    if (!dim) {
        rk_building_fail(b);
        return;
    }
    if (packed) { /* the same share of its bytes */
        rk_ex one = rk_ex_div(b->pool, b->m->storage.each[i], w->count);

        each = rk_ex_mul(b->pool, one, own);
        room = rk_ex_mul(b->pool, one, b->units.piece[i]);
    }
    memcpy(dim, w->dim, w->n_dim * sizeof *dim);
    if (w->n_dim > 0)
        dim[0] = b->units.rows[i];
    part.dim = dim;
    part.count = own;
    if (rk_building_is_on_host(b, RK_HOST_WEIGHTS))
        rk_building_hold_on_host(b, RK_HOST_WEIGHTS, times, room);
    else
        b->m->held_weights += hold_in(b, RK_HELD_ALWAYS, times, each, room, &b->m->parameters_formula);
    if (!b->train || w->frozen)
        return;
    if (rk_building_cuts_rows(b))
        add_flat_state(b, rk_ex_mul(b->pool, times, own));
    else
        add_state(b, &part, matrix, times, bytes);
    if (rk_building_is_on_host(b, RK_HOST_GRADIENTS)) {
        rk_building_hold_on_host(b, RK_HOST_GRADIENTS, times,
                                 rk_building_in_bytes(b, own, b->o->gradient ? b->o->gradient : bytes));
        return;
    }
    b->m->gradients_formula =
        rk_ex_add(b->pool, b->m->gradients_formula,
                  rk_ex_mul(b->pool, times, rk_building_in_bytes(b, own, b->o->gradient ? b->o->gradient : bytes)));
}

/* Gradients of a unit are one buffer, padded. */
static void hold_units(rk_building *b)
{
    rk_ex unused = rk_ex_int(b->pool, 0);

    for (size_t i = 0; i < b->units.n && b->train && !rk_building_is_on_host(b, RK_HOST_GRADIENTS); i++) {
        const rk_weight_unit *u = &b->units.at[i];

        b->m->held_gradients += rk_building_hold(
            b, rk_building_adds_up(b) ? RK_HELD_ALWAYS : RK_HELD_IN_STEP, rk_group_times(b->pool, b->p, u->group),
            rk_building_in_bytes(b, u->own_trained, b->o->gradient ? b->o->gradient : rk_building_stored_bytes(b)),
            &unused);
    }
}

static void add_one_weight(rk_building *b, const rk_weight *w)
{
    rk_memory *m = b->m;
    rk_ex times = rk_group_times(b->pool, b->p, w->group), gradient;
    int bytes = w->wide ? 4 : b->o->bytes;
    rk_matrix matrix = b->x->model->roles.weight[w - b->p->weight].matrix;
    rk_held when = !rk_building_in_passes(b)        ? RK_HELD_IN_STEP
                   : rk_building_only_in_buckets(b) ? RK_HELD_IN_PASSES
                                                    : RK_HELD_ALWAYS;

    if (b->gathers) {
        add_piece(b, w, times, matrix);
        return;
    }
    m->held_weights +=
        rk_building_hold(b, RK_HELD_ALWAYS, times, m->storage.each[w - b->p->weight], &m->parameters_formula);
    if (!b->train || w->frozen)
        return;
    if (!rk_building_is_flat(b))
        add_state(b, w, matrix, times, bytes);
    if (rk_building_is_flat(b) && rk_building_only_in_buckets(b))
        return;
    gradient = rk_building_in_bytes(b, w->gradient != RK_EX_FAILED ? w->gradient : w->count,
                                    b->o->gradient ? b->o->gradient : bytes);
    if (rk_building_is_on_host(b, RK_HOST_GRADIENTS))
        rk_building_hold_on_host(b, RK_HOST_GRADIENTS, times, gradient);
    else if (rk_building_only_in_buckets(b) && !rk_building_in_passes(b))
        m->gradients_formula = rk_ex_add(b->pool, m->gradients_formula, rk_ex_mul(b->pool, times, gradient));
    else
        m->held_gradients += rk_building_hold(b, when, times, gradient, &m->gradients_formula);
    /* A gradient that lies unlike its weight is brought there first: added up over devices, or cut. */
    if (rk_building_is_converted(b, w))
        m->spare +=
            rk_building_hold(b, RK_HELD_IN_STEP, times, rk_building_in_bytes(b, w->count, bytes), &b->spare_sum);
}

/* The same, and whose it is. */
static void add_weight(rk_building *b, size_t i)
{
    const rk_memory *m = b->m;
    rk_owner owner = b->owners.weight[i];
    rk_i128 weights = m->held_weights, optimizer = m->held_optimizer, gradients = m->held_gradients;
    rk_ex of_weights = m->parameters_formula, of_optimizer = m->optimizer_formula, of_gradients = m->gradients_formula;

    add_one_weight(b, &b->p->weight[i]);
    weights = m->held_weights - weights;
    optimizer = m->held_optimizer - optimizer;
    gradients = m->held_gradients - gradients;
    b->weights_by[owner] += weights;
    b->optimizer_by[owner] += optimizer;
    b->gradients_by[owner] += gradients;
    if (!b->o->reasons)
        return;
    rk_building_note_stored(b, i, RK_ALIVE_WEIGHTS, weights, rk_ex_sub(b->pool, m->parameters_formula, of_weights));
    rk_building_note_stored(b, i, RK_ALIVE_OPTIMIZER, optimizer,
                            rk_ex_sub(b->pool, m->optimizer_formula, of_optimizer));
    rk_building_note_stored(b, i, RK_ALIVE_GRADIENTS, gradients,
                            rk_ex_sub(b->pool, m->gradients_formula, of_gradients));
}

/* How weights are held: as the options say, or else by the type that they ask for. */
static void find_holding(rk_building *b)
{
    const rk_storage *h = &b->m->storage;

    if (b->o->storage)
        b->m->storage = *b->o->storage;
    else if (b->code == RK_OK)
        b->code = rk_storage_new(&b->m->arena, b->x, rk_building_stored_bytes(b), b->o->weights, b->train,
                                 &b->m->storage, b->err);
    b->unpacks = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, bool);
    if (!b->unpacks)
        rk_building_fail(b);
    for (size_t i = 0; b->unpacks && h->packed && i < b->p->n_tensor; i++) {
        const rk_tensor *t = &b->p->tensor[i];

        b->unpacks[i] = t->kind == RK_TENSOR_WEIGHT && h->packed[t->weight];
    }
}

/*
 * The rank's piece of a flat buffer: a copy of the weights and moments in fp32; in the optimizer's step the gradients
 * in fp32 as well, unless they are; where gradients are divided, too, those of the piece.
 */
static void add_flat(rk_building *b)
{
    rk_ex piece;

    if (!rk_building_is_flat(b))
        return;
    piece = rk_ex_add(b->pool, rk_step_flat_piece(b->pool, b->p, b->o->layout, false),
                      rk_step_flat_piece(b->pool, b->p, b->o->layout, true));
    add_flat_state(b, piece);
    if (rk_building_only_in_buckets(b) && rk_building_is_on_host(b, RK_HOST_GRADIENTS))
        rk_building_hold_on_host(b, RK_HOST_GRADIENTS, rk_ex_int(b->pool, 1),
                                 rk_building_in_bytes(b, piece, b->o->bytes));
    else if (rk_building_only_in_buckets(b))
        b->m->held_gradients +=
            rk_building_hold(b, rk_building_in_passes(b) ? RK_HELD_ALWAYS : RK_HELD_IN_STEP, rk_ex_int(b->pool, 1),
                             rk_building_in_bytes(b, piece, b->o->bytes), &b->m->gradients_formula);
}

/* Whose state of the optimizer the rank has; if nobody says which rank is meant, it is the one that has most. */
static void divide_state(rk_building *b)
{
    const rk_layout *l = b->o->layout;
    rk_layout *chosen;
    rk_i128 among = rk_building_in_buckets(b) && l->zero == 1 && !rk_building_is_flat(b)
                        ? rk_layout_group(l, RK_MESH_DDP, false)
                        : 0;
    rk_i128 place, next;

    if (among == 0 || b->code != RK_OK)
        return;
    place = l->rank_said ? rk_layout_group_place(l, RK_MESH_DDP, false) : -1;
    b->code = rk_zero_own(&b->m->arena, b->x, among, &place, &b->own, b->err);
    if (b->code != RK_OK || !(chosen = RK_NEW(&b->m->arena, rk_layout))) {
        rk_building_fail(b);
        return;
    }
    *chosen = *l;
    next = rk_layout_next(l, RK_MESH_CP); /* fsdp, which stands between, is not there */
    chosen->rank += (place - rk_layout_group_place(l, RK_MESH_DDP, false)) * next;
    b->m->options.layout = chosen;
}

void rk_building_add_weights(rk_building *b)
{
    rk_memory *m = b->m;

    find_holding(b);
    divide_state(b);
    if (b->code != RK_OK)
        return;
    if (!m->storage.by_weight) { /* a file's bytes are known, though not those of each weight */
        m->parameters = m->held_weights = m->plain = m->storage.whole;
        m->parameters_formula = rk_ex_int(b->pool, m->storage.whole);
        return;
    }
    for (size_t i = 0; i < b->p->n_weight; i++)
        if (rk_units_owner(b->gathers ? &b->units : NULL, b->p, (uint32_t)i) == i && !b->p->weight[i].buffer)
            add_weight(b, i);
    if (b->gathers)
        hold_units(b);
    hold_beside_pieces(b);
    add_flat(b);
    if (b->train && !rk_building_is_on_host(b, RK_HOST_OPTIMIZER)) {
        rk_i128 once = rk_optimizer_once(b->o->optimizer);

        m->optimizer_formula = rk_ex_add(b->pool, m->optimizer_formula, rk_ex_int(b->pool, once));
        m->plain += once;
    }
    m->held_optimizer += m->plain;
    m->spare += b->spare_one;
    m->parameters = rk_building_value(b, m->parameters_formula);
    m->gradients = rk_building_value(b, m->gradients_formula);
    m->optimizer = rk_building_value(b, m->optimizer_formula);
}
