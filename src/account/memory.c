/* SPDX-License-Identifier: MIT */
#include "account/memory.h"

#include "account/serve.h"
#include "account/zero.h"
#include "model/gloss.h"
#include "pass/passes.h"

#include <string.h>

/* What is being added up; failure is sticky. */
typedef struct building {
    rk_memory *m;
    const rk_instance *x;
    const rk_program *p;
    rk_pool *pool;
    const rk_memory_options *o;
    bool train;
    rk_run_options run;
    rk_conditions *conditions; /* where questions to the numbers are noted, or NULL */
    rk_flow flow;
    rk_weight_units units; /* weights that lie in pieces */
    bool gathers;          /* there are such */
    rk_places places;
    rk_recomputed_ops recomputed; /* operations that are run again */
    rk_chunk chunk;               /* how the head and the loss are computed */
    rk_schedule schedule;         /* of a device of a pipeline; else it has no actions */
    bool first;                   /* the pass that is looked at is the first of several; else the last */
    rk_step step;                 /* with the output held while the backward pass runs */
    rk_timeline held, alone;      /* its timeline, and that of a step in which nobody holds the output */
    rk_owners owners;
    rk_i128 weights_by[RK_N_OWNER], optimizer_by[RK_N_OWNER], gradients_by[RK_N_OWNER]; /* of the bytes held */
    rk_i128 *cache;    /* bytes of the cache of each tensor */
    rk_ex *cache_each; /* the same as formulas, not rounded */
    bool *unpacks;     /* of each tensor: it is a weight that is written out to be multiplied with */
    rk_i128 *own;      /* of each weight: of how many of its tensors the rank has the optimizer's state; NULL: all */
    rk_i128 spare_one; /* what the step of the largest tensor takes beside it */
    rk_ex spare_most;  /* the same as a formula, not rounded … */
    rk_ex spare_sum;   /* … and what those of all tensors take */
    rk_ex output;      /* bytes of the output */
    rk_err *err;
    int code;
} building;

/* Whether micro-batches are run in turn, by the stages of one device. */
static bool is_pipeline(const building *b)
{
    return b->schedule.n > 0;
}

static void fail_memory(building *b)
{
    b->code = b->code == RK_OK ? rk_fail_memory(b->err) : b->code;
}

static rk_i128 value(building *b, rk_ex e)
{
    return rk_instance_value(b->x, e, &b->code, b->err);
}

/* Bytes of so many numbers. */
static rk_ex in_bytes(building *b, rk_ex count, int bytes)
{
    return rk_ex_mul(b->pool, rk_ex_int(b->pool, bytes), count);
}

static rk_i128 rounded(const building *b, rk_i128 bytes)
{
    rk_i128 unit = b->o->profile.rounding;

    if (b->o->layout)
        return rk_profile_block(&b->o->profile, bytes);
    return (bytes + unit - 1) / unit * unit;
}

static void add_row(building *b, rk_memory_rows *rows, rk_memory_row row)
{
    rk_memory_row *slot = row.times > 0 ? RK_PUSH(&b->m->arena, rows) : NULL;

    if (slot)
        *slot = row;
    else if (row.times > 0)
        fail_memory(b);
}

static const char *row_path(building *b, uint32_t part, const char *name)
{
    const char *path = rk_row_path(&b->m->arena, b->p, part, name);

    if (!path)
        fail_memory(b);
    return path;
}

/* Where sums alone are wanted, nobody reads it. */
static const char *gloss(building *b, uint32_t op, uint32_t tensor, const char *what)
{
    const char *text;

    if (b->o->unnamed || (b->o->recipe && b->o->recipe->sums_alone))
        return NULL;
    text = rk_gloss(&b->m->arena, b->pool, b->p, op, tensor, what);
    if (!text)
        fail_memory(b);
    return text;
}

static const char *op_path(building *b, uint32_t op)
{
    return op == RK_NONE ? NULL : row_path(b, b->p->op[op].part, b->p->op[op].name);
}

/* ---- weights, their gradients, the optimizer -------------------------------------------------------------------- */

/* Whether gradients are added to a buffer that is there from step to step. */
static bool has_main_gradients(const building *b)
{
    return b->o->layout && b->o->layout->runtime.main_gradients;
}

/* Where gradients are added up they stay from pass to pass, and in a type of their own from step to step. */
static bool adds_up(const building *b)
{
    bool waits = b->gathers && b->o->layout->no_sync; /* whole ones are added up, which no weight's are */

    return b->train && ((b->o->passes > 1 && !waits) || b->o->gradient > 0 || has_main_gradients(b) ||
                        (b->gathers && b->o->layout->runtime.gathers_views));
}

/* Bytes of a number of a stored weight, its gradient and its optimizer's state. */
static int stored_bytes(const building *b)
{
    return b->o->stored ? b->o->stored : b->o->bytes;
}

/* Copies of the model reduce gradients in buckets, which are there from step to step; … */
static bool in_buckets(const building *b)
{
    return b->train && rk_layout_copies(b->o->layout) && !has_main_gradients(b);
}

/* … or the optimizer's state is laid flat into equal pieces, … */
static bool is_flat(const building *b)
{
    return b->train && rk_layout_is_flat(b->o->layout);
}

/* … and gradients lie in buckets, once a pass has reduced them. */
static bool only_in_buckets(const building *b)
{
    return in_buckets(b) &&
           (rk_layout_fills_buckets(b->o->layout) ? b->o->layout->zero == 2 : b->o->layout->bucket_view);
}

/* Whether gradients of weights are there when a pass begins: beside buckets, those of passes that reduced nothing. */
static bool in_passes(const building *b)
{
    if (is_flat(b) && only_in_buckets(b)) /* those of the rank's piece are added up */
        return b->o->passes > 1;
    return only_in_buckets(b) ? b->o->passes > 1 && !b->first : adds_up(b);
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

static bool has_two_passes(const building *b)
{
    return rk_memory_has_two_passes(b->o) && !b->o->recipe;
}

static void add_share(building *b, rk_held when, rk_ex bytes, rk_i128 times)
{
    rk_share *slot = times > 0 ? RK_PUSH(&b->m->arena, &b->m->share) : NULL;

    if (slot)
        *slot = (rk_share){when, bytes, times};
    else if (times > 0)
        fail_memory(b);
}

/*
 * Adds tensors that are in no timeline, as a formula to `sum`, and gives their bytes as the allocator rounds them.
 * `room`: what each takes, padding included.
 */
static rk_i128 hold_in(building *b, rk_held when, rk_ex times, rk_ex each, rk_ex room, rk_ex *sum)
{
    rk_i128 n = value(b, times);

    add_share(b, when, room, n);
    *sum = rk_ex_add(b->pool, *sum, rk_ex_mul(b->pool, times, each));
    return n * rounded(b, value(b, room));
}

static rk_i128 hold(building *b, rk_held when, rk_ex times, rk_ex each, rk_ex *sum)
{
    return hold_in(b, when, times, each, each, sum);
}

static bool is_on_host(const building *b, rk_host what)
{
    return b->train && (b->o->offload >> what & 1);
}

/* The same of what the host holds: nothing of it is on the device. */
static void hold_on_host(building *b, rk_host what, rk_ex times, rk_ex each)
{
    b->m->host_formula[what] = rk_ex_add(b->pool, b->m->host_formula[what], rk_ex_mul(b->pool, times, each));
}

/* What the optimizer keeps of a tensor, and what its step takes beside it. */
static void add_state(building *b, const rk_weight *w, rk_matrix matrix, rk_ex times, int bytes)
{
    rk_memory *m = b->m;
    const rk_optimizer_row *row = &rk_optimizer_table[b->o->optimizer];
    int master = w->wide ? 0 : b->o->master; /* a weight that is as wide as the master copy would be is its own */
    rk_i128 own = b->own ? b->own[w - b->p->weight] : 0;
    rk_optimizer_tensor t =
        rk_optimizer_sees(b->o->optimizer, w, matrix, value(b, w->count) >= RK_OPTIMIZER_CODED_FROM, bytes, master);
    rk_ex one = rk_optimizer_spare_one(b->pool, &t);
    rk_i128 one_bytes = rounded(b, value(b, one));

    if (b->own && own == 0)
        return;
    if (b->own && own < value(b, times))
        times = rk_ex_int(b->pool, own);
    if (is_on_host(b, RK_HOST_OPTIMIZER)) {
        hold_on_host(b, RK_HOST_OPTIMIZER, times,
                     rk_ex_add(b->pool, rk_optimizer_state(b->pool, &t), in_bytes(b, w->count, master)));
        return;
    }
    if (row->coded)
        rk_conditions_less(b->conditions, w->count, rk_ex_int(b->pool, RK_OPTIMIZER_CODED_FROM), !t.large);
    m->held_optimizer +=
        hold(b, RK_HELD_ALWAYS, times,
             rk_ex_add(b->pool, rk_optimizer_state(b->pool, &t), in_bytes(b, w->count, master)), &m->optimizer_formula);
    /* A count of steps is a number of four bytes; it takes room because the allocator rounds it up. */
    if (row->counts && b->o->profile.rounding > 1)
        m->plain += value(b, times) * b->o->profile.rounding;
    m->spare += hold(b, RK_HELD_IN_STEP, times, rk_optimizer_spare_all(b->pool, &t), &b->spare_sum);
    add_share(b, RK_HELD_ONE_IN_STEP, one, 1);
    if (one_bytes > b->spare_one) {
        b->spare_one = one_bytes;
        b->spare_most = one;
    }
}

/* Whether the optimizer makes a gradient of its own for a weight, which lives through its step. */
static bool is_converted(const building *b, const rk_weight *w)
{
    bool is_late = b->o->layout && b->o->layout->runtime.partial == RK_PARTIAL_IN_STEP; /* else they were added up */

    return b->o->layout && b->o->layout->size[RK_MESH_FSDP] == 1 && rk_optimizer_table[b->o->optimizer].reads == 0 &&
           ((w->partial && is_late) || w->gradient != RK_EX_FAILED);
}

/* Whether weights lie in pieces as DeepSpeed cuts them. */
static bool cuts_rows(const building *b)
{
    return b->gathers && b->o->layout->runtime.gathers_views;
}

/* A copy of the rank's elements and their moments in fp32; weights that are as wide are their own copy. */
static void add_flat_state(building *b, rk_ex piece)
{
    const rk_optimizer_row *row = &rk_optimizer_table[b->o->optimizer];
    int master = b->o->bytes == 4 && has_main_gradients(b) ? 0 : 1;
    rk_ex n = rk_ex_int(b->pool, master + row->moments[0]), wide = in_bytes(b, piece, 4);

    if (is_on_host(b, RK_HOST_OPTIMIZER))
        hold_on_host(b, RK_HOST_OPTIMIZER, n, wide);
    else
        b->m->held_optimizer += hold(b, RK_HELD_ALWAYS, n, wide, &b->m->optimizer_formula);
    if (!has_main_gradients(b) && !is_on_host(b, RK_HOST_OPTIMIZER)) /* gradients in fp32 */
        b->m->spare += hold(b, RK_HELD_IN_STEP, rk_ex_int(b->pool, 1), wide, &b->spare_sum);
}

/* What DeepSpeed has beside pieces of weights: small ones whole, a bucket, what is gathered ahead. */
static void hold_beside_pieces(building *b)
{
    const rk_runtime *r = b->o->layout ? &b->o->layout->runtime : NULL;
    rk_ex one = rk_ex_int(b->pool, 1), unused = rk_ex_int(b->pool, 0);

    if (!cuts_rows(b))
        return;
    b->m->held_weights += hold(b, RK_HELD_ALWAYS, one, in_bytes(b, b->units.kept, b->o->bytes), &unused);
    b->m->held_buckets +=
        hold(b, RK_HELD_ALWAYS, one, in_bytes(b, rk_ex_int(b->pool, r->bucket + r->prefetched), b->o->bytes),
             &b->m->buckets_formula);
}

/* Of a weight that lies in pieces, the rank's own; padded to whole pieces it is stored, but not what is kept of it. */
static void add_piece(building *b, const rk_weight *w, rk_ex times, rk_matrix matrix)
{
    size_t i = (size_t)(w - b->p->weight);
    int bytes = w->wide ? 4 : stored_bytes(b);
    bool packed = b->m->storage.packed && b->m->storage.packed[i];
    rk_ex own = b->units.own[i], each = in_bytes(b, own, bytes), room = in_bytes(b, b->units.piece[i], bytes);
    rk_ex *dim = RK_NEW_ARRAY(&b->m->arena, w->n_dim + 1, rk_ex);
    rk_weight part = *w;

    if (!dim) {
        fail_memory(b);
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
    if (is_on_host(b, RK_HOST_WEIGHTS))
        hold_on_host(b, RK_HOST_WEIGHTS, times, room);
    else
        b->m->held_weights += hold_in(b, RK_HELD_ALWAYS, times, each, room, &b->m->parameters_formula);
    if (!b->train || w->frozen)
        return;
    if (cuts_rows(b))
        add_flat_state(b, rk_ex_mul(b->pool, times, own));
    else
        add_state(b, &part, matrix, times, bytes);
    if (is_on_host(b, RK_HOST_GRADIENTS)) {
        hold_on_host(b, RK_HOST_GRADIENTS, times, in_bytes(b, own, b->o->gradient ? b->o->gradient : bytes));
        return;
    }
    b->m->gradients_formula =
        rk_ex_add(b->pool, b->m->gradients_formula,
                  rk_ex_mul(b->pool, times, in_bytes(b, own, b->o->gradient ? b->o->gradient : bytes)));
}

/* Gradients of a unit are one buffer, padded. */
static void hold_units(building *b)
{
    rk_ex unused = rk_ex_int(b->pool, 0);

    for (size_t i = 0; i < b->units.n && b->train && !is_on_host(b, RK_HOST_GRADIENTS); i++) {
        const rk_weight_unit *u = &b->units.at[i];

        b->m->held_gradients +=
            hold(b, adds_up(b) ? RK_HELD_ALWAYS : RK_HELD_IN_STEP, rk_group_times(b->pool, b->p, u->group),
                 in_bytes(b, u->own_trained, b->o->gradient ? b->o->gradient : stored_bytes(b)), &unused);
    }
}

static void add_one_weight(building *b, const rk_weight *w)
{
    rk_memory *m = b->m;
    rk_ex times = rk_group_times(b->pool, b->p, w->group), gradient;
    int bytes = w->wide ? 4 : b->o->bytes;
    rk_matrix matrix = b->x->model->roles.weight[w - b->p->weight].matrix;
    rk_held when = !in_passes(b) ? RK_HELD_IN_STEP : only_in_buckets(b) ? RK_HELD_IN_PASSES : RK_HELD_ALWAYS;

    if (b->gathers) {
        add_piece(b, w, times, matrix);
        return;
    }
    m->held_weights += hold(b, RK_HELD_ALWAYS, times, m->storage.each[w - b->p->weight], &m->parameters_formula);
    if (!b->train || w->frozen)
        return;
    if (!is_flat(b))
        add_state(b, w, matrix, times, bytes);
    if (is_flat(b) && only_in_buckets(b))
        return;
    gradient =
        in_bytes(b, w->gradient != RK_EX_FAILED ? w->gradient : w->count, b->o->gradient ? b->o->gradient : bytes);
    if (is_on_host(b, RK_HOST_GRADIENTS))
        hold_on_host(b, RK_HOST_GRADIENTS, times, gradient);
    else if (only_in_buckets(b) && !in_passes(b))
        m->gradients_formula = rk_ex_add(b->pool, m->gradients_formula, rk_ex_mul(b->pool, times, gradient));
    else
        m->held_gradients += hold(b, when, times, gradient, &m->gradients_formula);
    /* A gradient that lies unlike its weight is brought there first: added up over devices, or cut. */
    if (is_converted(b, w))
        m->spare += hold(b, RK_HELD_IN_STEP, times, in_bytes(b, w->count, bytes), &b->spare_sum);
}

/* The same, and whose it is. */
static void add_weight(building *b, size_t i)
{
    const rk_memory *m = b->m;
    rk_owner owner = b->owners.weight[i];
    rk_i128 weights = m->held_weights, optimizer = m->held_optimizer, gradients = m->held_gradients;

    add_one_weight(b, &b->p->weight[i]);
    b->weights_by[owner] += m->held_weights - weights;
    b->optimizer_by[owner] += m->held_optimizer - optimizer;
    b->gradients_by[owner] += m->held_gradients - gradients;
}

/* How weights are held: as the options say, or else by the type that they ask for. */
static void find_holding(building *b)
{
    const rk_storage *h = &b->m->storage;

    if (b->o->storage)
        b->m->storage = *b->o->storage;
    else if (b->code == RK_OK)
        b->code = rk_storage_new(&b->m->arena, b->x, stored_bytes(b), b->o->weights, b->train, &b->m->storage, b->err);
    b->unpacks = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, bool);
    if (!b->unpacks)
        fail_memory(b);
    for (size_t i = 0; b->unpacks && h->packed && i < b->p->n_tensor; i++) {
        const rk_tensor *t = &b->p->tensor[i];

        b->unpacks[i] = t->kind == RK_TENSOR_WEIGHT && h->packed[t->weight];
    }
}

/*
 * The rank's piece of a flat buffer: a copy of the weights and moments in fp32; in the optimizer's step the gradients
 * in fp32 as well, unless they are; where gradients are divided, too, those of the piece.
 */
static void add_flat(building *b)
{
    rk_ex piece;

    if (!is_flat(b))
        return;
    piece = rk_ex_add(b->pool, rk_step_flat_piece(b->pool, b->p, b->o->layout, false),
                      rk_step_flat_piece(b->pool, b->p, b->o->layout, true));
    add_flat_state(b, piece);
    if (only_in_buckets(b) && is_on_host(b, RK_HOST_GRADIENTS))
        hold_on_host(b, RK_HOST_GRADIENTS, rk_ex_int(b->pool, 1), in_bytes(b, piece, b->o->bytes));
    else if (only_in_buckets(b))
        b->m->held_gradients += hold(b, in_passes(b) ? RK_HELD_ALWAYS : RK_HELD_IN_STEP, rk_ex_int(b->pool, 1),
                                     in_bytes(b, piece, b->o->bytes), &b->m->gradients_formula);
}

/* Whose state of the optimizer the rank has; if nobody says which rank is meant, it is the one that has most. */
static void divide_state(building *b)
{
    const rk_layout *l = b->o->layout;
    rk_layout *chosen;
    rk_i128 among = in_buckets(b) && l->zero == 1 && !is_flat(b) ? rk_layout_group(l, RK_MESH_DDP, false) : 0;
    rk_i128 place, next;

    if (among == 0 || b->code != RK_OK)
        return;
    place = l->rank_said ? rk_layout_group_place(l, RK_MESH_DDP, false) : -1;
    b->code = rk_zero_own(&b->m->arena, b->x, among, &place, &b->own, b->err);
    if (b->code != RK_OK || !(chosen = RK_NEW(&b->m->arena, rk_layout))) {
        fail_memory(b);
        return;
    }
    *chosen = *l;
    next = rk_layout_next(l, RK_MESH_CP); /* fsdp, which stands between, is not there */
    chosen->rank += (place - rk_layout_group_place(l, RK_MESH_DDP, false)) * next;
    b->m->options.layout = chosen;
}

static void add_weights(building *b)
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
    if (b->train && !is_on_host(b, RK_HOST_OPTIMIZER)) {
        rk_i128 once = rk_optimizer_once(b->o->optimizer);

        m->optimizer_formula = rk_ex_add(b->pool, m->optimizer_formula, rk_ex_int(b->pool, once));
        m->plain += once;
    }
    m->held_optimizer += m->plain;
    m->spare += b->spare_one;
    m->parameters = value(b, m->parameters_formula);
    m->gradients = value(b, m->gradients_formula);
    m->optimizer = value(b, m->optimizer_formula);
}

/* ---- the cache, and what is saved for the backward pass ---------------------------------------------------------- */

static void add_caches(building *b)
{
    rk_caches *all = &b->m->carried;

    b->cache = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_i128);
    b->cache_each = RK_NEW_ARRAY(&b->m->arena, b->p->n_tensor + 1, rk_ex);
    if (!b->cache || !b->cache_each)
        fail_memory(b);
    if (b->code != RK_OK || b->train)
        return;
    b->code = rk_caches_new(&b->m->arena, b->x, &b->places, &b->run, b->o->cache, all, b->err);
    for (size_t i = 0; i < all->n && b->code == RK_OK; i++) {
        const rk_cache *c = &all->at[i];

        b->cache[c->tensor] = rounded(b, c->bytes);
        b->cache_each[c->tensor] = c->each;
        add_row(b, &b->m->caches,
                (rk_memory_row){.kind = RK_ALIVE_CACHE,
                                .path = c->path,
                                .what = c->kind == RK_CACHE_ALL ? NULL : rk_cache_kind_text[c->kind],
                                .layers = c->layers,
                                .formula = c->each,
                                .bytes = c->bytes,
                                .times = c->n_layer});
    }
    b->m->cache_formula = all->bytes;
    b->m->cache = value(b, all->bytes);
}

static const char *buffer_path(building *b, const rk_buffer *x)
{
    return x->op != RK_NONE ? op_path(b, x->op) : row_path(b, 0, x->what ? NULL : b->p->tensor[x->tensor].name);
}

/* n of the layers of a group, in terms of how many there are. */
static rk_ex layers_of(building *b, uint32_t group, uint64_t n)
{
    rk_ex times = rk_group_times(b->pool, b->p, group);

    return rk_ex_add(b->pool, times, rk_ex_int(b->pool, (rk_i128)n - value(b, times)));
}

static void add_kept(building *b)
{
    rk_memory *m = b->m;

    for (size_t i = 0; i < b->places.n_buffer && b->code == RK_OK; i++) {
        const rk_buffer *x = &b->places.buffer[i];
        uint64_t n = b->held.saved[i];
        rk_ex each;

        if (n == 0)
            continue;
        each = in_bytes(b, x->count, rk_type_bytes(x->type, &b->run));
        m->saved_formula = rk_ex_add(b->pool, m->saved_formula, rk_ex_mul(b->pool, layers_of(b, x->group, n), each));
        add_row(b, &m->saved_rows,
                (rk_memory_row){.kind = RK_ALIVE_SAVED,
                                .path = buffer_path(b, x),
                                .what = x->what,
                                .gloss = gloss(b, x->op, x->tensor, x->what),
                                .op = x->op,
                                .each = rk_type_bytes(x->type, &b->run),
                                .buffer = (uint32_t)i,
                                .owner = x->op == RK_NONE ? RK_OWNER_REST : b->owners.op[x->op],
                                .formula = each,
                                .bytes = value(b, each),
                                .times = (rk_i128)n});
    }
    m->saved = value(b, m->saved_formula);
}

/* ---- the output ------------------------------------------------------------------------------------------------- */

static rk_ex output_bytes(building *b, uint32_t t)
{
    return in_bytes(b, rk_ixs_count(b->pool, &b->p->tensor[t].axes), rk_type_bytes(b->places.tensor[t].type, &b->run));
}

/*
 * What a pipeline leaves when all its micro-batches have been run, beside gradients of weights: buffers for what comes
 * in, inputs, and outputs that the caller keeps.
 */
static void add_left(building *b)
{
    rk_ex micro = rk_ex_int(b->pool, b->schedule.n_micro), all = rk_ex_int(b->pool, 0);
    const rk_program_stage *last = &b->p->stage[b->p->n_stage - 1];
    bool ends = last->number + 1 == b->schedule.n_all;

    for (size_t i = 0; i < b->p->n_input; i++) {
        bool twice = b->schedule.halves && b->p->tensor[b->p->input[i]].incoming; /* its gradient stays, too */

        all = rk_ex_add(b->pool, all, in_bytes(b, output_bytes(b, b->p->input[i]), twice ? 2 : 1));
    }
    for (size_t i = 0; i < b->p->n_output; i++)
        if (!(ends && b->p->tensor[b->p->output[i]].producer >= last->first && b->o->layout->drop_outputs))
            all = rk_ex_add(b->pool, all, output_bytes(b, b->p->output[i]));
    b->output = rk_ex_mul(b->pool, micro, all);
    b->m->output = b->held.after_backward - (in_passes(b) ? 0 : b->m->held_gradients);
}

/* Chunk by chunk, no output is ever there as a whole. */
static void add_output(building *b)
{
    rk_ex one = rk_ex_int(b->pool, 1);

    if (is_pipeline(b)) {
        add_left(b);
        return;
    }
    for (size_t i = 0; !b->chunk.region && !(b->o->layout && b->o->layout->drop_outputs) && i < b->p->n_output; i++) {
        rk_ex each = output_bytes(b, b->p->output[i]);

        if (b->train)
            b->m->output += hold(b, RK_HELD_OUTPUT, one, each, &b->output);
        else
            b->output = rk_ex_add(b->pool, b->output, each);
    }
}

/* Of an output that has all places of a sequence, the last one is made; what is given beside it may have none. */
static rk_ex last_place(building *b, uint32_t t, rk_ex places)
{
    const rk_ixs *axes = &b->p->tensor[t].axes;

    for (size_t i = 0; places != RK_EX_FAILED && i < axes->n; i++)
        if (axes->at[i].size == places)
            return rk_ex_div(b->pool, output_bytes(b, t), places);
    return output_bytes(b, t);
}

static void find_logits(building *b)
{
    rk_ex places = rk_keep_fresh(b->p);

    b->m->logits_formula = rk_ex_int(b->pool, 0);
    for (size_t i = 0; !b->chunk.region && i < b->p->n_output; i++)
        b->m->logits_formula = rk_ex_add(b->pool, b->m->logits_formula, last_place(b, b->p->output[i], places));
    b->m->logits = value(b, b->m->logits_formula);
    b->m->positions = b->code == RK_OK ? rk_serve_positions(b->x) : 0;
}

/* ---- the step --------------------------------------------------------------------------------------------------- */

/* Whether gradients of several micro-batches are added up in one step. */
static bool has_turns(const building *b)
{
    return is_pipeline(b) && b->schedule.n_micro > 1;
}

static rk_step_options step_options(const building *b, bool hold_output)
{
    const rk_memory_options *o = b->o;
    rk_step_options how = {
        .run = b->run,
        .backward = b->train,
        .loss = b->train && o->loss,
        .hold_output = hold_output && !(o->loss && o->layout && o->layout->runtime.drops_outputs),
        .recompute_layers = o->recompute_layers,
        .recomputed = b->recomputed.recomputed,
        .stays = b->recomputed.stays,
        .recompute_together = o->recompute_ops.by_kind,
        .chunk = b->chunk.region ? &b->chunk : NULL,
        .adds_up =
            (adds_up(b) || (only_in_buckets(b) && !has_turns(b)) || is_on_host(b, RK_HOST_GRADIENTS)) && !b->first,
        .offloads = is_on_host(b, RK_HOST_ACTIVATIONS),
        .leaves = (has_two_passes(b) && !b->first) || (only_in_buckets(b) && has_turns(b)),
        .rounding = o->profile.rounding,
        .schedule = is_pipeline(b) ? &b->schedule : NULL,
        .holds_gradients =
            is_pipeline(b) && (o->layout->schedule == RK_SCHEDULE_1F1B || o->layout->schedule == RK_SCHEDULE_GPIPE),
        .keeps_outputs = is_pipeline(b) && !o->layout->drop_outputs,
        .cache = b->train ? NULL : b->cache,
        .cache_each = b->train ? NULL : b->cache_each,
        .places = b->train ? RK_EX_FAILED : rk_keep_fresh(b->p),
        .carried = o->phase == RK_PHASE_DECODE,
        .layout = o->layout,
        .units = b->gathers ? &b->units : NULL,
        .stored = stored_bytes(b),
        .gradient_reads = rk_optimizer_table[o->optimizer].reads,
        .detailed = b->gathers && !o->recipe, /* at its peak, what is made inside of operations counts */
        .accumulates_whole = b->train && b->gathers && o->passes > 1 && o->layout->no_sync,
        .unpacks = b->train ? b->unpacks : NULL,
        .census = hold_output && o->recipe ? &o->recipe->census : NULL,
    };

    how.run.conditions = b->conditions;
    return how;
}

/* Buckets of gradients are there from step to step. */
static void add_buckets(building *b)
{
    const rk_step *s = &b->step;

    for (size_t i = 0; i < s->n_sent && b->code == RK_OK; i++)
        if (s->sent[i].is_bucket)
            b->m->held_buckets += hold(b, RK_HELD_ALWAYS, s->sent[i].times,
                                       in_bytes(b, s->sent[i].elements, s->sent[i].bytes), &b->m->buckets_formula);
}

/* What a product with a weight in a layer gives for each row of its operand, and sums over; of experts, one. */
static bool shape_of(building *b, const rk_op *op, rk_ex *rows, rk_ex *columns)
{
    size_t weight = rk_op_weight(b->p, op);
    const rk_ixs *axes = weight < 2 ? &op->in[weight].axes : NULL;

    if (!axes || !op->summed || op->group == 0 || b->p->tensor[op->in[weight].tensor].kind != RK_TENSOR_WEIGHT ||
        b->p->weight[b->p->tensor[op->in[weight].tensor].weight].frozen)
        return false;
    *rows = *columns = rk_ex_int(b->pool, 1);
    for (size_t i = 0; i < axes->n; i++) {
        bool given = rk_ixs_has(&b->p->tensor[op->out].axes, axes->at[i].label);
        rk_ex *to = given ? rows : columns;

        if (axes->at[i].kind != RK_IX_ROUTED)
            *to = rk_ex_mul(b->pool, *to, axes->at[i].size);
    }
    return true;
}

/*
 * Where products add to gradients by themselves, what they hand back in the place of a gradient is one buffer of each
 * shape, there from the first step on.  Products of a layer that read the same are one.
 */
static void add_shapes(building *b)
{
    RK_VEC(rk_i128) known = {0};
    bool any = b->train && b->o->layout && b->o->layout->runtime.fuses_gradients;

    for (size_t i = 0; any && i < b->p->n_op && b->code == RK_OK; i++) {
        const rk_op *op = &b->p->op[i];
        rk_ex rows, columns, more, unused;
        size_t weight = rk_op_weight(b->p, op), k = 0;
        bool first = true;
        rk_i128 *slot, pair[2];

        if (!shape_of(b, op, &rows, &columns))
            continue;
        for (size_t j = b->p->group[op->group].first_op; j < b->p->group[op->group].end_op; j++) {
            const rk_op *other = &b->p->op[j];

            if (j == i || other->group != op->group || !shape_of(b, other, &more, &unused) ||
                other->in[1 - rk_op_weight(b->p, other)].tensor != op->in[1 - weight].tensor)
                continue;
            first &= j > i;
            rows = rk_ex_add(b->pool, rows, more);
        }
        pair[0] = value(b, rows);
        pair[1] = value(b, columns);
        while (k + 1 < known.n && (known.at[k] != pair[0] || known.at[k + 1] != pair[1]))
            k += 2;
        if (!first || k + 1 < known.n)
            continue;
        for (k = 0; k < 2; k++) {
            if (!(slot = RK_PUSH(&b->m->arena, &known))) {
                fail_memory(b);
                return;
            }
            *slot = pair[k];
        }
        b->m->held_buckets += hold(b, RK_HELD_ALWAYS, rk_ex_int(b->pool, 1),
                                   in_bytes(b, rk_ex_mul(b->pool, rows, columns), b->o->bytes), &b->m->buckets_formula);
    }
}

static void note_recomputed(building *b)
{
    bool *recomputed = RK_NEW_ARRAY(&b->m->arena, b->p->n_op + 1, bool);

    for (size_t i = 0; recomputed && i < b->step.n_task; i++)
        if (b->step.task[i].kind == RK_TASK_RECOMPUTE) {
            recomputed[b->step.task[i].op] = true;
            b->m->n_recomputed++;
        }
    b->m->recomputed = recomputed;
    if (!recomputed)
        fail_memory(b);
}

/* ---- the largest moment ----------------------------------------------------------------------------------------- */

static void put_alive(building *b, rk_alive kind, const char *path, const char *what, rk_i128 bytes, rk_i128 times)
{
    add_row(b, &b->m->alive,
            (rk_memory_row){
                .kind = kind, .path = path, .what = what, .bytes = bytes, .times = times, .owner = RK_OWNER_REST});
}

static const char *unit_path(building *b, uint32_t group)
{
    return b->p->loop[b->p->group[group].loop].part;
}

/* What a buffer of the step is. */
static void name_buffer(building *b, const rk_step *s, size_t i, const char **path, const char **what)
{
    const rk_tensor *x;
    bool made;
    uint32_t part;

    if (i < b->places.n_buffer) {
        *path = buffer_path(b, &b->places.buffer[i]);
        *what = b->places.buffer[i].what;
        return;
    }
    if (i >= s->n_place + 2 * s->n_tensor) {
        const rk_step_temporary *t = &s->temporary[i - s->n_place - 2 * s->n_tensor];

        *path = t->op != RK_NONE ? op_path(b, t->op)
                : is_flat(b)     ? "gradients"
                : t->group == 0  ? "outside of layers"
                                 : unit_path(b, t->group);
        *what = t->what;
        return;
    }
    *what = i < b->step.n_place + b->step.n_tensor ? "gradient" : "cache";
    i = (i - b->step.n_place) % b->step.n_tensor;
    x = &b->p->tensor[i];
    made = x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE; /* not what a recurrence reads before */
    part = made ? b->p->op[x->producer].part : 0;
    for (size_t k = 0; x->kind == RK_TENSOR_CACHED && k < b->p->n_keep; k++)
        part = b->p->keep[k].tensor == i ? b->p->keep[k].part : part;
    *path = row_path(b, part, x->kind == RK_TENSOR_WEIGHT ? b->p->weight[x->weight].pattern : x->name);
}

static const rk_alive class_of[RK_N_LIVE] = {
    [RK_LIVE_SAVED] = RK_ALIVE_SAVED,      [RK_LIVE_PASSING] = RK_ALIVE_PASSING,
    [RK_LIVE_GRADIENT] = RK_ALIVE_FLOWING, [RK_LIVE_WEIGHT_GRADIENT] = RK_ALIVE_GRADIENTS,
    [RK_LIVE_CACHE] = RK_ALIVE_CACHE,      [RK_LIVE_WEIGHT] = RK_ALIVE_WEIGHTS,
};

/* Whose a buffer of the step is. */
static rk_owner owner_of_buffer(const building *b, size_t i)
{
    const rk_step *s = &b->step;
    const rk_tensor *x;
    uint32_t op = RK_NONE;

    if (i < b->places.n_buffer)
        op = b->places.buffer[i].op;
    else if (i >= s->n_place + 2 * s->n_tensor)
        op = s->temporary[i - s->n_place - 2 * s->n_tensor].op;
    else {
        i = (i - s->n_place) % s->n_tensor;
        x = &b->p->tensor[i];
        if (x->kind == RK_TENSOR_WEIGHT)
            return b->owners.weight[x->weight];
        for (size_t k = 0; x->kind == RK_TENSOR_CACHED && k < b->p->n_keep; k++)
            if (b->p->keep[k].tensor == i)
                return b->owners.part[b->p->keep[k].part];
        op = x->kind == RK_TENSOR_RESULT ? x->producer : RK_NONE;
    }
    return op == RK_NONE ? RK_OWNER_REST : b->owners.op[op];
}

/* Of a buffer that is alive at the peak: so many, of which some are saved, and so many that are gone. */
static void add_owned(building *b, size_t i, rk_alive kind, rk_i128 n, rk_i128 kept, rk_i128 left)
{
    rk_owner owner = owner_of_buffer(b, i);
    rk_i128 each = b->step.bytes[i];
    bool is_gradient = i >= b->step.n_place && i < b->step.n_place + b->step.n_tensor;

    if (is_gradient && b->p->tensor[i - b->step.n_place].kind == RK_TENSOR_WEIGHT)
        kind = RK_ALIVE_GRADIENTS;
    b->m->peak_by[kind][owner] += (n - kept) * each;
    b->m->peak_by[RK_ALIVE_SAVED][owner] += kept * each;
    b->m->peak_by[RK_ALIVE_GRADIENTS][owner] -= left * each;
}

static void put_moment(building *b, const rk_moment *at)
{
    const rk_alive kind[] = {RK_ALIVE_PASSING, RK_ALIVE_FLOWING, RK_ALIVE_CACHE};
    size_t last = b->step.n_place + 2 * b->step.n_tensor;
    const uint64_t *count[] = {at->buffers, at->gradients, at->caches, at->buffers + last};
    size_t first[] = {0, b->step.n_place, b->step.n_place + b->step.n_tensor, last, b->step.n_buffer};

    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < first[k + 1] - first[k] && b->code == RK_OK; i++) {
            rk_alive is = k < 3 ? kind[k] : class_of[b->step.temporary[i].as];
            rk_i128 n = (rk_i128)count[k][i], kept = (rk_i128)at->kept[first[k] + i];
            rk_memory_row *row;
            const char *path, *what;

            add_owned(b, first[k] + i, is, n, kept, (rk_i128)at->left[first[k] + i]);
            if (n == 0)
                continue;
            name_buffer(b, &b->step, first[k] + i, &path, &what);
            put_alive(b, is, path, what, b->step.bytes[first[k] + i], n);
            if (b->m->alive.n == 0)
                continue;
            row = &b->m->alive.at[b->m->alive.n - 1];
            row->gloss = k > 0 ? gloss(b, RK_NONE, RK_NONE, what)
                               : gloss(b, b->places.buffer[i].op, b->places.buffer[i].tensor, what);
            row->owner = owner_of_buffer(b, first[k] + i);
            row->kept = kept;
        }
}

/* What is there throughout a step. */
static rk_i128 standing(const building *b)
{
    return b->m->held_weights + b->m->held_optimizer + rk_profile_workspaces(&b->o->profile, b->train) +
           b->m->held_buckets + (in_passes(b) ? b->m->held_gradients : 0);
}

/* Gradients beside buckets in the optimizer's step. */
static rk_i128 gradients_in_step(const building *b)
{
    return only_in_buckets(b) && !is_flat(b) ? 0 : b->m->held_gradients;
}

/* In the optimizer's step someone still has the output. */
static rk_i128 output_in_step(const building *b)
{
    return b->o->layout && b->o->layout->drop_outputs && !is_pipeline(b) ? 0 : b->m->output;
}

/* In the optimizer's step all gradients are there. */
static rk_i128 step_bytes(const building *b)
{
    return standing(b) - (in_passes(b) ? b->m->held_gradients : 0) + gradients_in_step(b) + b->m->spare +
           output_in_step(b);
}

/*
 * Forward, someone has the output of the step before; under autocast a step is a function, whose output is gone.  On a
 * rank the output is that of the pass before, if there was one in the same step.
 */
static bool has_output_before(const building *b)
{
    if (b->o->layout)
        return b->train && b->o->passes > 1 && !b->first && !b->o->layout->drop_outputs;
    return b->train && !b->o->autocast;
}

static rk_i128 output_before(const building *b)
{
    return has_output_before(b) ? b->m->output : 0;
}

/* ---- the timeline ----------------------------------------------------------------------------------------------- */

const char *const rk_host_word[RK_N_HOST] = {
#define RK_HOST_ROW(ID, word, text) word,
    RK_HOSTS(RK_HOST_ROW)
#undef RK_HOST_ROW
};

const char *const rk_host_text[RK_N_HOST] = {
#define RK_HOST_ROW(ID, word, text) text,
    RK_HOSTS(RK_HOST_ROW)
#undef RK_HOST_ROW
};

const rk_alive_row rk_alive_table[RK_N_ALIVE] = {
#define RK_ALIVE_ROW(ID, word, text) {word, text},
    RK_ALIVES(RK_ALIVE_ROW)
#undef RK_ALIVE_ROW
};

const char *const rk_act_word[RK_N_ACT] = {"forward", "loss", "backward", "recompute", "optimizer"};

static const rk_act act_of[] = {
    [RK_STAGE_FORWARD] = RK_ACT_FORWARD,
    [RK_STAGE_LOSS] = RK_ACT_LOSS,
    [RK_STAGE_BACKWARD] = RK_ACT_BACKWARD,
    [RK_STAGE_RECOMPUTE] = RK_ACT_RECOMPUTE,
};

typedef struct showing {
    const building *b;
    rk_i128 fixed[RK_N_ALIVE]; /* beside the buffers of the timeline, throughout */
} showing;

static void show(const showing *f, rk_observed_op *frame)
{
    const rk_observer *observer = &f->b->o->observer;

    for (size_t i = 0; i < RK_N_ALIVE; i++)
        frame->total += frame->bytes[i];
    observer->op(observer->self, frame);
}

static void see_scene(void *self, const rk_scene *s)
{
    const showing *f = self;
    rk_observed_op frame = {
        .act = act_of[s->stage], .op = &f->b->p->op[s->op], .layer = s->layer, .n_layer = s->n_layer};

    memcpy(frame.bytes, f->fixed, sizeof frame.bytes);
    for (size_t i = 0; i < RK_N_LIVE; i++)
        frame.bytes[class_of[i]] += s->bytes[i];
    if (frame.act == RK_ACT_FORWARD || frame.act == RK_ACT_LOSS)
        frame.bytes[RK_ALIVE_PASSING] += output_before(f->b); /* of the step before */
    show(f, &frame);
}

static showing showing_of(const building *b)
{
    showing f = {.b = b};

    f.fixed[RK_ALIVE_WEIGHTS] = b->m->held_weights;
    f.fixed[RK_ALIVE_OPTIMIZER] = b->m->held_optimizer;
    f.fixed[RK_ALIVE_WORKSPACE] = rk_profile_workspaces(&b->o->profile, b->train);
    f.fixed[RK_ALIVE_GRADIENTS] = b->m->held_buckets + (in_passes(b) ? b->m->held_gradients : 0);
    return f;
}

/* Whether who wants to see the timeline sees the walk that finds the peak: where that is the only one, and known. */
static bool shows_walk(const building *b)
{
    return b->o->brief && !b->o->unnamed && b->o->observer.op && !in_buckets(b);
}

/* ---- one walk ---------------------------------------------------------------------------------------------------- */

static void walk(building *b, bool hold_output, rk_step *step, rk_timeline *out)
{
    const rk_memory_options *o = b->o;
    rk_step_options how = step_options(b, hold_output);
    showing f = showing_of(b);
    rk_watcher watcher = {.op = see_scene, .self = &f};

    if (b->code == RK_OK)
        b->code = rk_step_new(&b->m->arena, b->x, &b->places, &b->flow, &how, step, b->err);
    if (b->code == RK_OK)
        b->code = rk_timeline_new(&b->m->arena, step, shows_walk(b) ? &watcher : NULL, how.census,
                                  !o->unnamed && !(o->recipe && o->recipe->sums_alone), out, b->err);
}

static rk_i128 largest_moment(const building *b, const rk_timeline *t)
{
    rk_i128 forward = t->forward.bytes + output_before(b), backward = t->backward.bytes;

    return standing(b) + (forward > backward ? forward : backward);
}

/* Which of two passes has the largest moment is not known before both have been walked through. */
static void choose_pass(building *b)
{
    rk_i128 last = largest_moment(b, &b->held);
    rk_step step = {0};
    rk_timeline held = {0};

    if (!has_two_passes(b))
        return;
    b->first = true;
    walk(b, true, &step, &held);
    if (b->code == RK_OK && largest_moment(b, &held) > last) {
        b->step = step;
        b->held = held;
    } else {
        b->first = false;
    }
}

/* What was there before the pass and is gone at a moment. */
static rk_i128 bytes_left(const building *b, const rk_moment *at)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < b->step.n_buffer; i++)
        sum += (rk_i128)at->left[i] * b->step.bytes[i];
    return sum;
}

/* What no buffer and no weight of its own accounts for is nobody's: workspaces, buckets, the output of a step. */
static void share_out(building *b, rk_i128 gradients)
{
    rk_memory *m = b->m;

    for (size_t i = 0; i < RK_N_OWNER; i++) {
        m->peak_by[RK_ALIVE_WEIGHTS][i] += b->weights_by[i];
        m->peak_by[RK_ALIVE_OPTIMIZER][i] += b->optimizer_by[i];
        m->peak_by[RK_ALIVE_GRADIENTS][i] += gradients == m->held_gradients ? b->gradients_by[i] : 0;
    }
    for (size_t k = 0; k < RK_N_ALIVE; k++) {
        rk_i128 rest = m->peak_of[k];

        for (size_t i = 0; i < RK_N_OWNER; i++)
            rest -= m->peak_by[k][i];
        m->peak_by[k][RK_OWNER_REST] += rest;
    }
}

/* Of training, in a step after the first: the optimizer's state is there, and the last output until a new one is. */
static void find_peak(building *b)
{
    rk_memory *m = b->m;
    const rk_profile *p = &b->o->profile;
    const rk_moment *forward = &b->held.forward, *backward = &b->held.backward;
    rk_i128 base = standing(b), first = base - m->held_optimizer,
            later = rk_profile_workspaces(p, true) - rk_profile_workspaces(p, false),
            workspaces = b->train ? p->workspaces_backward : p->workspaces_forward, gradients, held;
    bool in_forward = !b->train || forward->bytes + output_before(b) > backward->bytes, in_step;

    m->output_before = has_output_before(b);
    m->output_in_step = output_in_step(b) > 0;
    m->pass = base + (in_forward ? forward->bytes + output_before(b) : backward->bytes);
    in_step = b->train && step_bytes(b) >= m->pass;
    m->peak = in_step ? step_bytes(b) : m->pass;
    if (b->train) {
        m->first_forward = first - later + b->alone.forward.bytes;
        m->first_backward = first + b->alone.backward.bytes;
        m->first_optimizer = step_bytes(b) - output_in_step(b);
    }
    m->peak_of[RK_ALIVE_WEIGHTS] = m->held_weights;
    m->peak_of[RK_ALIVE_OPTIMIZER] = m->held_optimizer + (in_step ? m->spare : 0);
    gradients = in_step ? gradients_in_step(b) : in_passes(b) ? m->held_gradients : 0;
    m->peak_of[RK_ALIVE_GRADIENTS] = gradients + m->held_buckets;
    held = gradients;
    if (!in_step)
        gradients -= bytes_left(b, in_forward ? forward : backward);
    m->peak_of[RK_ALIVE_WORKSPACE] = rk_profile_workspaces(p, b->train);
    m->peak_of[RK_ALIVE_PASSING] = !b->train ? 0 : in_step ? output_in_step(b) : in_forward ? output_before(b) : 0;
    for (size_t i = 0; i < RK_N_LIVE && !in_step; i++)
        m->peak_of[class_of[i]] += (in_forward ? forward : backward)->live[i];
    put_alive(b, RK_ALIVE_WEIGHTS, "weights", NULL, m->held_weights, 1);
    put_alive(b, RK_ALIVE_OPTIMIZER, "optimizer", NULL, m->held_optimizer, m->held_optimizer > 0);
    put_alive(b, RK_ALIVE_GRADIENTS, "gradients", NULL, gradients,
              in_buckets(b) ? gradients > 0 : in_step || in_passes(b));
    put_alive(b, RK_ALIVE_GRADIENTS, "gradients", in_buckets(b) ? "buckets" : "handed back, one of each shape",
              m->held_buckets, m->held_buckets > 0);
    put_alive(b, RK_ALIVE_OPTIMIZER, "optimizer", "in its step", m->spare, in_step && m->spare > 0);
    put_alive(b, RK_ALIVE_WORKSPACE, "workspace", NULL, p->workspace, p->workspace > 0 ? workspaces : 0);
    if (in_step) {
        m->peak_during = "the optimizer's step";
        put_alive(b, RK_ALIVE_PASSING, is_pipeline(b) ? "pipeline" : "output", "of this step", output_in_step(b),
                  output_in_step(b) > 0);
        share_out(b, held);
        return;
    }
    m->peak_during = in_forward                                                ? "the forward pass"
                     : backward->event == b->held.part[RK_BACKWARD_JOIN].event ? "joining outputs"
                                                                               : "the backward pass";
    m->peak_path = op_path(b, in_forward ? forward->op : backward->op);
    put_alive(b, RK_ALIVE_PASSING, "output", b->o->layout ? "of the pass before" : "of the step before",
              output_before(b), b->train && in_forward && output_before(b) > 0);
    put_moment(b, in_forward ? forward : backward);
    share_out(b, held);
}

/* ---- the moments that could be the peak ------------------------------------------------------------------------- */

static const char *const backward_text[RK_N_BACKWARD_PART] = {
    [RK_BACKWARD_HEAD] = "the backward pass of the head",
    [RK_BACKWARD_LAST_LAYER] = "the backward pass of the last layer",
    [RK_BACKWARD_MIDDLE] = "the backward pass of other layers",
    [RK_BACKWARD_FIRST_LAYER] = "the backward pass of the first layer",
    [RK_BACKWARD_EMBEDDING] = "the backward pass of the embedding",
    [RK_BACKWARD_JOIN] = "joining the outputs of all micro-batches",
};

/*
 * Adds so many buffers of the layers of a group.  All of these are alive at a moment, all but a few, or a few, so that
 * a count becomes L, L - 1 or 1, whichever is nearer.
 */
static void add_term(building *b, rk_ex *sum, uint32_t group, uint64_t n, rk_ex each)
{
    rk_i128 all = value(b, rk_group_times(b->pool, b->p, group)),
            sets = is_pipeline(b) && all > 1 ? ((rk_i128)n + all / 2) / all : 1;
    bool few = (rk_i128)n * 2 < all || all <= 1;
    rk_ex times = few ? rk_ex_int(b->pool, (rk_i128)n) : layers_of(b, group, n);

    if (sets > 1) /* of several micro-batches */
        times = rk_ex_add(b->pool, rk_ex_mul(b->pool, rk_ex_int(b->pool, sets), rk_group_times(b->pool, b->p, group)),
                          rk_ex_int(b->pool, (rk_i128)n - sets * all));

    *sum = rk_ex_add(b->pool, *sum, rk_ex_mul(b->pool, times, each));
}

/* The bytes of a tensor's gradient; where the loss is taken in chunks, what has something for each token is of one. */
static rk_ex gradient_bytes(building *b, uint32_t tensor)
{
    const rk_tensor *t = &b->p->tensor[tensor];
    rk_ex count = rk_ixs_count(b->pool, &t->axes);

    if (t->kind == RK_TENSOR_WEIGHT && b->p->weight[t->weight].gradient != RK_EX_FAILED)
        count = b->p->weight[t->weight].gradient;
    if (b->chunk.region && rk_chunk_makes(&b->chunk, b->p, tensor) && value(b, count) % b->chunk.n_token == 0)
        count = rk_chunk_of(&b->chunk, b->pool, count);
    return in_bytes(b, count, rk_type_bytes(b->places.tensor[tensor].type, &b->run));
}

static uint32_t keep_group(const rk_program *p, size_t tensor)
{
    for (size_t i = 0; i < p->n_keep; i++)
        if (p->keep[i].tensor == tensor)
            return p->keep[i].group;
    return 0;
}

/* What is alive at a moment of the timeline, as a formula; what the allocator adds by rounding is no part of it. */
static rk_ex moment_formula(building *b, const rk_moment *at)
{
    rk_ex sum = rk_ex_int(b->pool, 0), gone = sum, places = b->train ? RK_EX_FAILED : rk_keep_fresh(b->p);

    for (size_t i = 0; i < b->places.n_buffer; i++) {
        const rk_buffer *x = &b->places.buffer[i];
        bool one = b->step.one_place[i] && places != RK_EX_FAILED;

        if (at->buffers[i])
            add_term(
                b, &sum, x->group, at->buffers[i],
                in_bytes(b, one ? rk_ex_div(b->pool, x->count, places) : x->count, rk_type_bytes(x->type, &b->run)));
    }
    for (uint32_t i = 0; i < b->p->n_tensor; i++) {
        const rk_tensor *t = &b->p->tensor[i];

        if (at->gradients[i])
            add_term(b, &sum, t->kind == RK_TENSOR_WEIGHT ? b->p->weight[t->weight].group : t->group, at->gradients[i],
                     gradient_bytes(b, i));
        if (at->caches[i])
            add_term(b, &sum, keep_group(b->p, i), at->caches[i], b->cache_each[i]);
        if (at->left[b->step.n_place + i])
            add_term(b, &gone, b->p->weight[t->weight].group, at->left[b->step.n_place + i], gradient_bytes(b, i));
    }
    for (size_t i = 0; i < b->step.n_temporary; i++) {
        const rk_step_temporary *t = &b->step.temporary[i];
        uint64_t n = at->buffers[b->step.n_place + 2 * b->step.n_tensor + i];

        if (n)
            add_term(b, &sum, t->group, n, t->formula != RK_EX_FAILED ? t->formula : rk_ex_int(b->pool, t->bytes));
    }
    sum = rk_ex_sub(b->pool, sum, gone);
    if (b->code == RK_OK)
        b->code = rk_pool_check(b->pool, b->err);
    return sum;
}

/* Largest first; of equal ones the one that was there first. */
static void add_moment(building *b, rk_memory_moment x)
{
    rk_memory *m = b->m;
    size_t i = m->n_moment++;

    x.extra = x.bytes - value(b, x.formula);
    for (; i > 0 && m->moment[i - 1].bytes < x.bytes; i--)
        m->moment[i] = m->moment[i - 1];
    m->moment[i] = x;
}

static void add_moment_at(building *b, const char *during, const rk_moment *at, rk_i128 base, rk_ex besides)
{
    if (b->code != RK_OK || at->bytes == 0)
        return;
    add_moment(b, (rk_memory_moment){.during = during,
                                     .path = op_path(b, at->op),
                                     .bytes = base + at->bytes,
                                     .formula = rk_ex_add(b->pool, besides, moment_formula(b, at))});
}

static void add_moments(building *b)
{
    rk_memory *m = b->m;
    rk_ex zero = rk_ex_int(b->pool, 0), fixed, passes, passing;

    fixed = rk_ex_int(b->pool, rk_profile_workspaces(&b->o->profile, b->train));
    fixed = rk_ex_add(b->pool, fixed, rk_ex_add(b->pool, m->parameters_formula, m->optimizer_formula));
    fixed = rk_ex_add(b->pool, fixed, m->buckets_formula);
    passes = rk_ex_add(b->pool, fixed, in_passes(b) ? m->gradients_formula : zero);
    add_moment_at(b, "the forward pass", &b->held.forward, standing(b) + output_before(b),
                  rk_ex_add(b->pool, passes, has_output_before(b) ? b->output : zero));
    for (size_t i = 0; b->train && i < RK_N_BACKWARD_PART; i++)
        add_moment_at(b, backward_text[i], &b->held.part[i], standing(b), passes);
    if (!b->train || b->code != RK_OK)
        return;
    passing = output_in_step(b) > 0 ? b->output : zero;
    passing = rk_ex_add(b->pool, passing, rk_ex_add(b->pool, b->spare_sum, b->spare_most));
    passing = rk_ex_add(b->pool, passing, only_in_buckets(b) && !is_flat(b) ? zero : m->gradients_formula);
    add_moment(b, (rk_memory_moment){.during = "the optimizer's step",
                                     .bytes = step_bytes(b),
                                     .formula = rk_ex_add(b->pool, fixed, passing)});
}

/* ---- what the host holds ----------------------------------------------------------------------------------------- */

/* What layers have saved there: each place of each layer, or what goes into layers that are recomputed together. */
static void add_host_activations(building *b)
{
    for (uint32_t i = 0; is_on_host(b, RK_HOST_ACTIVATIONS) && i < b->places.n_buffer; i++) {
        const rk_buffer *x = &b->places.buffer[i];

        if (b->step.offloaded && b->step.offloaded[i] != 0)
            hold_on_host(b, RK_HOST_ACTIVATIONS, rk_group_times(b->pool, b->p, b->step.offloaded[i] - 1),
                         in_bytes(b, x->count, rk_type_bytes(x->type, &b->run)));
    }
    for (size_t i = 0; is_on_host(b, RK_HOST_ACTIVATIONS) && b->o->recompute_layers > 0 && i < b->p->n_loop; i++) {
        const rk_loop *l = &b->p->loop[i];
        rk_i128 n = (rk_i128)((l->n_layer + b->o->recompute_layers - 1) / b->o->recompute_layers);

        for (size_t v = 0; l->parent == 0 && l->n_group > 0 && v < l->n_carry; v++)
            hold_on_host(b, RK_HOST_ACTIVATIONS, rk_ex_int(b->pool, n),
                         output_bytes(b, b->p->group[l->group[0]].in[v]));
    }
}

/* Bytes of the weights that the rank's optimizer changes: all that it has, or those of its share. */
static rk_i128 changed_bytes(building *b)
{
    rk_i128 sum = 0;

    if (is_flat(b))
        return b->o->bytes * value(b, rk_ex_add(b->pool, rk_step_flat_piece(b->pool, b->p, b->o->layout, false),
                                                rk_step_flat_piece(b->pool, b->p, b->o->layout, true)));
    for (size_t i = 0; b->own && i < b->p->n_weight; i++)
        sum += b->own[i] * value(b, b->p->weight[i].count) * (b->p->weight[i].wide ? 4 : b->o->bytes);
    return b->own ? sum : b->m->parameters;
}

/*
 * Over the link in a step: gradients go to the optimizer, or to where they are added up, pass by pass, and the weights
 * that it has changed come back; pieces of weights come for each gather; what layers have saved goes and comes back.
 */
static void add_host(building *b)
{
    rk_memory *m = b->m;
    rk_i128 passes = b->o->passes > 1 ? b->o->passes : 1, gathered = 0, gradients;

    add_host_activations(b);
    for (size_t i = 0; i < RK_N_HOST && b->code == RK_OK; i++)
        m->host[i] = value(b, m->host_formula[i]);
    for (size_t i = 0; is_on_host(b, RK_HOST_WEIGHTS) && i < m->sent.n; i++)
        if (m->sent.at[i].sent.op == RK_COLLECTIVE_ALL_GATHER && m->sent.at[i].sent.axis == RK_MESH_FSDP)
            gathered += value(b, m->sent.at[i].sent.elements) * m->sent.at[i].times * stored_bytes(b) /
                        b->o->layout->size[RK_MESH_FSDP];
    gradients = is_on_host(b, RK_HOST_GRADIENTS)   ? m->host[RK_HOST_GRADIENTS] * passes
                : is_on_host(b, RK_HOST_OPTIMIZER) ? m->gradients
                                                   : 0;
    m->to_host = gradients + m->host[RK_HOST_ACTIVATIONS] * passes;
    m->from_host = gathered + m->host[RK_HOST_ACTIVATIONS] * passes +
                   (is_on_host(b, RK_HOST_OPTIMIZER) && !is_on_host(b, RK_HOST_WEIGHTS) ? changed_bytes(b) : 0);
}

/* ---- what is sent ------------------------------------------------------------------------------------------------ */

/* Of a pipeline: each list as often as it is run. */
static void add_sent_in_turn(building *b)
{
    rk_i128 *times = RK_NEW_ARRAY(&b->m->arena, b->step.n_list + 1, rk_i128);

    if (!times)
        fail_memory(b);
    for (size_t i = 0; times && i < b->step.n_act; i++)
        times[b->step.act[i].list]++;
    for (uint32_t i = 0; i < b->step.n_list && b->code == RK_OK; i++)
        if (times[i] > 0)
            b->code = rk_sent_add_list(&b->m->arena, b->x, &b->step, i, RK_SENT_PIPELINE, times[i], &b->run,
                                       &b->m->sent, b->err);
}

static void add_sent(building *b)
{
    static const rk_sent_phase phase_of[] = {RK_SENT_FORWARD, RK_SENT_PREFILL, RK_SENT_DECODE};
    const rk_step *s = &b->step;
    const struct {
        uint32_t list;
        rk_sent_phase phase;
        rk_i128 passes;
    } part[] = {{s->forward, phase_of[b->o->phase], b->o->passes > 1 ? b->o->passes : 1},
                {s->backward, RK_SENT_BACKWARD, b->o->passes > 1 ? b->o->passes : 1},
                {s->update, RK_SENT_OPTIMIZER, 1}};

    if (is_pipeline(b))
        add_sent_in_turn(b);
    for (size_t i = is_pipeline(b) ? 2 : 0; b->o->layout && i < sizeof part / sizeof *part && b->code == RK_OK; i++)
        b->code = rk_sent_add_list(&b->m->arena, b->x, s, part[i].list, part[i].phase, part[i].passes, &b->run,
                                   &b->m->sent, b->err);
}

/* ---- the allocator ---------------------------------------------------------------------------------------------- */

typedef struct listening {
    building *b;
    const rk_step *step;
    struct buffer_name {
        const char *path, *what;
    } * name; /* of each buffer that was born */
} listening;

static void show_event(void *self, const rk_reserve_event *e)
{
    listening *x = self;
    const rk_task *t = e->event.task;
    struct buffer_name *name = &x->name[e->event.buffer];

    if (!name->path)
        name_buffer(x->b, x->step, e->event.buffer, &name->path, &name->what);
    x->b->o->observer.event(x->b->o->observer.self,
                            &(rk_observed_event){.born = e->event.born,
                                                 .birth = e->birth,
                                                 .act = !t                          ? RK_ACT_OPTIMIZER
                                                        : t->stage != RK_STAGE_NONE ? act_of[t->stage]
                                                        : e->event.backward         ? RK_ACT_BACKWARD
                                                                                    : RK_ACT_FORWARD,
                                                 .op = t && t->op != RK_NONE ? &x->b->p->op[t->op] : NULL,
                                                 .layer = e->event.layer,
                                                 .n_layer = e->event.n_layer,
                                                 .kind = class_of[e->event.as],
                                                 .path = name->path ? name->path : "",
                                                 .what = name->what,
                                                 .bytes = e->event.bytes});
}

/* Whether weights and their gradients are buffers of their own, of units or of buckets: not pieces of flat ones. */
static bool is_plain(const building *b)
{
    bool copies = b->o->layout && b->o->layout->size[RK_MESH_DDP] > 1;

    return !((b->gathers || copies) && b->o->passes > 1) && !cuts_rows(b) && !has_main_gradients(b) &&
           b->o->offload == 0 && !(copies && (is_flat(b) || is_pipeline(b)));
}

/* Operations that a step runs forward, of all micro-batches. */
static size_t forward_ops(const building *b)
{
    size_t n = b->step.n_stage > 0 ? 0 : b->step.list[b->step.forward].n_op;

    for (size_t i = 0; i < b->step.n_stage; i++)
        n += b->step.list[b->step.stage[i].forward].n_op * b->schedule.n_micro;
    return n;
}

/* Of each weight: the optimizer makes a gradient of its own for it. */
static const bool *converted_weights(building *b, rk_arena *a)
{
    bool *out = RK_NEW_ARRAY(a, b->p->n_weight + 1, bool);

    if (!out)
        fail_memory(b);
    for (size_t i = 0; out && i < b->p->n_weight; i++)
        out[i] = is_converted(b, &b->p->weight[i]);
    return out;
}

/* The steps once more, as the framework takes them: buffers are not rounded, since the allocator does that. */
static void find_reserve(building *b)
{
    rk_step_options first = step_options(b, false), later = step_options(b, true);
    rk_arena a = {0};
    rk_step step = {0}, alone = {0};
    rk_reserve_options o = {.instance = b->x,
                            .profile = &b->o->profile,
                            .storage = &b->m->storage,
                            .first = &alone,
                            .step = &step,
                            .reduces = &b->step,
                            .units = b->gathers ? &b->units : NULL,
                            .stored = stored_bytes(b),
                            .own = b->own,
                            .train = b->train,
                            .adds_up = adds_up(b),
                            .drops_outputs = b->o->layout && b->o->layout->drop_outputs && !is_pipeline(b),
                            .optimizer = b->o->optimizer,
                            .bytes = b->o->bytes,
                            .master = b->o->master,
                            .gradient = b->o->gradient};
    listening x = {.b = b, .step = &step};

    if (b->code != RK_OK || !is_plain(b) || b->o->profile.piece == 0 || !b->o->allocator || b->o->recipe ||
        forward_ops(b) > RK_RESERVE_OPS_MAX)
        return;
    o.converted = converted_weights(b, &a);
    if (b->o->observer.event) {
        o.event = show_event;
        o.self = &x;
    }
    first.rounding = later.rounding = 1;
    first.detailed = later.detailed = !is_pipeline(b); /* stages are run in the order of the schedule */
    b->code = rk_step_new(&a, b->x, &b->places, &b->flow, &later, &step, b->err);
    if (b->code == RK_OK && b->train)
        b->code = rk_step_new(&a, b->x, &b->places, &b->flow, &first, &alone, b->err);
    x.name = RK_NEW_ARRAY(&a, step.n_buffer + 1, struct buffer_name);
    if (b->code == RK_OK && !x.name)
        fail_memory(b);
    if (b->code == RK_OK)
        b->code = rk_reserve_find(&o, &b->m->reserve, b->err);
    rk_arena_free(&a);
}

/* One walk more, for who wants to see it; the largest frame is the peak. */
static void show_timeline(building *b)
{
    showing f = showing_of(b);
    rk_watcher watcher = {.op = see_scene, .self = &f};
    rk_observed_op step = {.act = RK_ACT_OPTIMIZER};
    rk_timeline unused;

    if (b->code != RK_OK || !b->o->observer.op)
        return;
    if (!shows_walk(b))
        b->code = rk_timeline_new(&b->m->arena, &b->step, &watcher, NULL, false, &unused, b->err);
    memcpy(step.bytes, f.fixed, sizeof step.bytes);
    step.bytes[RK_ALIVE_GRADIENTS] = b->m->held_buckets + gradients_in_step(b);
    step.bytes[RK_ALIVE_PASSING] = b->m->spare + output_in_step(b);
    if (b->code == RK_OK && memcmp(step.bytes, f.fixed, sizeof step.bytes) != 0)
        show(&f, &step);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void pin(building *b, rk_ex e)
{
    rk_conditions_equal(b->conditions, e, rk_ex_int(b->pool, value(b, e)), true);
}

/* Numbers of which a recipe knows no expression: how many layers there are, and rows that blocks must fit. */
static void pin_numbers(building *b)
{
    const rk_memory *m = b->m;

    for (uint32_t g = 0; g < b->p->n_group; g++)
        pin(b, rk_group_times(b->pool, b->p, g));
    for (size_t i = 0; in_buckets(b) && i < b->p->n_weight; i++) /* which gradients lie together */
        pin(b, b->p->weight[i].count);
    for (size_t i = 0; m->storage.packed && i < b->p->n_weight; i++)
        for (size_t k = 0; m->storage.packed[i] && k < b->p->weight[i].n_dim; k++)
            pin(b, b->p->weight[i].dim[k]);
    for (size_t i = 0; rk_number_block(b->o->cache) > 1 && i < m->carried.n; i++) {
        const rk_ixs *axes = &b->p->tensor[m->carried.at[i].tensor].axes;

        if (axes->n > 0)
            pin(b, axes->at[axes->n - 1].size);
    }
}

/* ---- why something is saved ------------------------------------------------------------------------------------- */

typedef struct asking_why {
    building *b;
    struct {
        uint32_t by[RK_SAVED_BY_MAX], until;
        size_t n;
    } * at; /* of each place */
} asking_why;

static void note_save(void *self, uint32_t buffer, uint32_t op)
{
    asking_why *x = self;

    if (buffer >= x->b->step.n_place || x->at[buffer].n == RK_SAVED_BY_MAX)
        return;
    for (size_t i = 0; i < x->at[buffer].n; i++)
        if (x->at[buffer].by[i] == op)
            return;
    x->at[buffer].by[x->at[buffer].n++] = op;
}

/* Of layers that differ, the one that is done last. */
static void note_end(void *self, const rk_event *e)
{
    asking_why *x = self;

    if (!e->born && e->backward && e->buffer < x->b->step.n_place && e->task && e->task->op != RK_NONE)
        x->at[e->buffer].until = e->task->op;
}

static void find_why(building *b)
{
    asking_why x = {.b = b};
    rk_watcher watcher = {.event = note_end, .save = note_save, .self = &x};

    if (b->code != RK_OK || !b->train || !b->o->allocator || b->o->recipe || b->o->brief || is_pipeline(b))
        return;
    x.at = rk_alloc_array(&b->m->arena, b->step.n_place + 1, sizeof *x.at);
    if (!x.at) {
        fail_memory(b);
        return;
    }
    for (size_t i = 0; i < b->step.n_place; i++)
        x.at[i].until = RK_NONE;
    b->code = rk_timeline_watch(&b->step, &watcher, b->err);
    for (size_t i = 0; i < b->m->saved_rows.n && b->code == RK_OK; i++) {
        rk_memory_row *row = &b->m->saved_rows.at[i];

        for (; row->why.n < x.at[row->buffer].n; row->why.n++)
            row->why.by[row->why.n] = op_path(b, x.at[row->buffer].by[row->why.n]);
        row->why.until = op_path(b, x.at[row->buffer].until);
    }
}

static void find_schedule(building *b)
{
    if (b->code != RK_OK || b->p->n_stage == 0)
        return;
    if (!b->train)
        b->code = rk_fail(b->err, RK_EUSAGE, "--layout pp: micro-batches go through a pipeline in training steps");
    else
        b->code = rk_schedule_new(&b->m->arena, b->o->layout, &b->schedule, b->err);
}

static void build(building *b)
{
    rk_run_options noted = b->run;

    noted.conditions = b->conditions;
    b->code = rk_flow_new(&b->m->arena, b->p, &b->flow, b->err);
    if (b->code == RK_OK)
        b->code = rk_places_new(&b->m->arena, b->x, &b->flow, &noted, &b->places, b->err);
    if (b->code == RK_OK)
        b->code = rk_chunk_new(&b->m->arena, b->x, &b->flow, b->o->chunk, b->conditions, &b->places, &b->chunk, b->err);
    if (b->code == RK_OK)
        b->code = rk_owners_find(&b->m->arena, b->p, &b->x->model->roles, &b->owners, b->err);
    if (b->code == RK_OK && b->train)
        b->code = rk_recomputed_ops_find(&b->m->arena, b->x->model, &b->o->recompute_ops, &b->recomputed, b->err);
    b->gathers = rk_layout_gathers(b->o->layout);
    if (b->code == RK_OK && b->gathers)
        b->code = rk_units_new(&b->m->arena, b->x, b->o->layout, &b->units, b->err);
    add_weights(b);
    add_caches(b);
    find_schedule(b);
    walk(b, true, &b->step, &b->held);
    if (is_pipeline(b))
        b->alone = b->held;
    else if (b->train && !b->o->recipe && !b->o->brief)
        walk(b, false, &(rk_step){0}, &b->alone);
    if (b->code != RK_OK)
        return;
    add_buckets(b);
    add_shapes(b);
    note_recomputed(b);
    add_kept(b);
    add_output(b);
    choose_pass(b);
    if (!b->train)
        find_logits(b);
    find_peak(b);
    if (!b->o->recipe && !b->o->brief)
        add_moments(b);
    if (b->code == RK_OK && b->train && !b->o->profile.textbook && !b->o->recipe && !b->o->brief)
        b->code = rk_variants_new(&b->m->arena, b->x, &b->flow, &b->run, &b->places, &b->m->saved_for, b->err);
    add_sent(b);
    add_host(b);
    find_reserve(b);
    find_why(b);
    show_timeline(b);
    if (b->code == RK_OK && b->conditions)
        pin_numbers(b);
}

int rk_memory_new(const rk_instance *x, const rk_memory_options *o, rk_memory **out, rk_err *err)
{
    rk_memory *m = rk_heap_alloc(sizeof *m);
    rk_ex zero = rk_ex_int(x->pool, 0);
    building b = {.m = m,
                  .x = x,
                  .p = x->program,
                  .pool = x->pool,
                  .o = o,
                  .train = o->phase == RK_PHASE_TRAIN,
                  .run = {.bytes = o->bytes,
                          .autocast = o->autocast,
                          .gathers = o->gathers,
                          .profile = &o->profile,
                          .fp8_products = o->fp8_products},
                  .conditions = o->recipe ? &o->recipe->conditions : NULL,
                  .spare_sum = zero,
                  .spare_most = zero,
                  .output = zero,
                  .err = err};

    if (!m)
        return rk_fail_memory(err);
    *m = (rk_memory){.instance = x,
                     .model = x->model,
                     .options = *o,
                     .parameters_formula = zero,
                     .gradients_formula = zero,
                     .optimizer_formula = zero,
                     .saved_formula = zero,
                     .cache_formula = zero,
                     .buckets_formula = zero,
                     .host_formula = {zero, zero, zero, zero}};
    build(&b);
    if (b.code != RK_OK) {
        rk_memory_free(m);
        return b.code;
    }
    *out = m;
    return RK_OK;
}

void rk_memory_free(rk_memory *m)
{
    if (!m)
        return;
    rk_arena_free(&m->arena);
    rk_heap_free(m);
}
