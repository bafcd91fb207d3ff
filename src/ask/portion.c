/* SPDX-License-Identifier: MIT */
#include "ask/portion.h"

#include <stdlib.h>
#include <string.h>

#define STAY 2 /* passes whose gradients are added up: more than one, and they stay */

const char *const rk_portion_text[RK_N_PORTION] = {
    [RK_PORTION_WEIGHTS] = "weights",
    [RK_PORTION_GATHERED] = "weights at work, gathered whole",
    [RK_PORTION_GRADIENTS] = "gradients",
    [RK_PORTION_OPTIMIZER] = "optimizer",
    [RK_PORTION_IN_STEP] = "optimizer, in its step",
    [RK_PORTION_CACHE] = "cache",
    [RK_PORTION_WORKSPACE] = "workspace of the matrix library",
    [RK_PORTION_AT_WORK] = "activations and what else is at work",
    [RK_PORTION_RESERVED] = "reserved beside it by the allocator",
};

typedef struct sharing {
    rk_arena *a;
    rk_one_device *d;
    const rk_device_split *split;
    rk_portion *s;
    rk_i128 copies; /* devices that hold the same but for `zero` */
    rk_err *err;
    int code;
} sharing;

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Over how many of the copies something is divided. */
static rk_i128 over(rk_portion_class what, int zero, rk_i128 copies)
{
    static const int from[RK_N_PORTION] = {
        [RK_PORTION_WEIGHTS] = 3, [RK_PORTION_GRADIENTS] = 2, [RK_PORTION_OPTIMIZER] = 1, [RK_PORTION_IN_STEP] = 1};

    return from[what] > 0 && zero >= from[what] ? copies : 1;
}

static rk_i128 part_of(rk_i128 whole, rk_i128 n)
{
    return whole / n + (whole % n != 0);
}

static void put_row(sharing *c, rk_portion_class what, rk_i128 whole)
{
    rk_i128 n = over(what, c->split->zero, c->copies);
    rk_acc acc = {0};

    if (whole <= 0 || c->code != RK_OK)
        return;
    c->s->row[c->s->n_row++] = (rk_portion_row){.what = what, .whole = whole, .over = n, .bytes = part_of(whole, n)};
    c->s->total = rk_add(&acc, c->s->total, part_of(whole, n));
    if (acc.overflow)
        c->code = rk_fail(c->err, RK_EOVERFLOW, "what a device holds exceeds 128 bits");
}

/* ---- what is at work -------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const rk_memory_row *x = a, *y = b;
    rk_i128 m = x->bytes * x->times, n = y->bytes * y->times;

    int order = m != n ? (m < n ? 1 : -1) : strcmp(x->path, y->path);

    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static void take_piece(sharing *c, rk_memory_row row)
{
    rk_memory_row *slot = RK_PUSH(c->a, &c->s->pieces);

    row.number = (uint32_t)c->s->pieces.n;
    if (slot)
        *slot = row;
    else
        c->code = rk_fail_memory(c->err);
}

/* What is alive at the largest moment of a pass, beside what stands there throughout. */
static rk_i128 take_pieces(sharing *c, const rk_memory_rows *rows, size_t from, rk_i128 *cache)
{
    rk_i128 sum = 0;

    for (size_t i = from; i < rows->n && c->code == RK_OK; i++) {
        rk_i128 bytes = rows->at[i].bytes * rows->at[i].times;

        if (rows->at[i].kind == RK_ALIVE_CACHE) {
            *cache += bytes;
            continue;
        }
        sum += bytes;
        take_piece(c, rows->at[i]);
    }
    if (c->s->pieces.n > 0)
        qsort(c->s->pieces.at, c->s->pieces.n, sizeof *c->s->pieces.at, by_size);
    return sum;
}

/* ---- what is gathered ------------------------------------------------------------------------------------------- */

/* The group of whole layers that a group stands in; 0: it is outside of layers. */
static uint32_t layer_of(const rk_program *p, uint32_t group)
{
    while (group != 0 && p->group[group].parent != 0)
        group = p->group[group].parent;
    return group;
}

/* The topmost part that a part stands in. */
static uint32_t top_of(const rk_program *p, uint32_t part)
{
    while (part != 0 && p->part[part].parent != 0)
        part = p->part[part].parent;
    return part;
}

/* The unit whose first weight is this one: the same layer, or outside of layers the same part. */
static rk_i128 unit_bytes(sharing *c, const rk_weight *first)
{
    const rk_program *p = c->d->at.program;
    uint32_t layer = layer_of(p, first->group), part = top_of(p, first->part);
    rk_i128 sum = 0;

    for (size_t i = 0; i < p->n_weight; i++) {
        const rk_weight *w = &p->weight[i];
        rk_i128 times = 1; /* in one layer: more than once where there are layers in it */

        if (w->tied_to != RK_NONE || w->buffer || layer_of(p, w->group) != layer ||
            (layer == 0 && top_of(p, w->part) != part))
            continue;
        for (uint32_t g = w->group; g != 0 && p->group[g].parent != 0; g = p->group[g].parent)
            times *= rk_instance_value(&c->d->at, p->group[g].times, &c->code, c->err);
        sum += times * rk_instance_value(&c->d->at, c->d->whole->storage.each[i], &c->code, c->err);
    }
    return c->d->options.gathers ? part_of(sum, 2) : sum; /* in two bytes of four */
}

/* The largest of the layers and of the parts outside of them. */
static rk_i128 gathered(sharing *c)
{
    const rk_program *p = c->d->at.program;
    rk_i128 most = 0;

    for (size_t i = 0; i < p->n_weight && c->code == RK_OK; i++) {
        const rk_weight *w = &p->weight[i];
        rk_i128 bytes = w->tied_to == RK_NONE && !w->buffer ? unit_bytes(c, w) : 0;

        if (bytes <= most)
            continue;
        most = bytes;
        c->s->gathered = layer_of(p, w->group) ? "a layer" : p->part[top_of(p, w->part)].path;
    }
    return most;
}

/* ---- all rows --------------------------------------------------------------------------------------------------- */

/* Gradients stay from pass to pass, or are there in the step alone. */
static bool gradients_stay(const rk_one_device *d)
{
    return d->options.passes > 1 || d->options.gradient > 0;
}

static rk_i128 workspaces(const rk_one_device *d)
{
    return rk_profile_workspaces(&d->options.profile, d->options.phase == RK_PHASE_TRAIN);
}

/* Of the bytes at a moment of a pass, those that are at work. */
static rk_i128 at_work(const rk_one_device *d, const rk_memory *m, rk_i128 moment)
{
    return moment - m->held_weights - m->held_optimizer - workspaces(d) - m->held_buckets -
           (gradients_stay(d) ? m->held_gradients : 0);
}

/* An optimizer whose step takes nothing beside it leaves the largest moment to the passes. */
static int make_at_work(rk_one_device *d, rk_err *err)
{
    rk_memory_options o = d->options;

    if (d->at_work)
        return RK_OK;
    o.optimizer = RK_OPTIMIZER_SGD;
    o.master = 0;
    return d->shares ? rk_peaks_account(&d->peaks, &d->at, &o, &d->at_work, err)
                     : rk_memory_new(&d->at, &o, &d->at_work, err);
}

/* By the book there are no moments: everything is there at once. */
static void put_book(sharing *c, const rk_i128 bytes[RK_N_BYTES])
{
    put_row(c, RK_PORTION_WEIGHTS, bytes[RK_BYTES_WEIGHTS]);
    put_row(c, RK_PORTION_GRADIENTS, bytes[RK_BYTES_GRADIENTS]);
    put_row(c, RK_PORTION_OPTIMIZER, bytes[RK_BYTES_OPTIMIZER]);
    put_row(c, RK_PORTION_CACHE, bytes[RK_BYTES_CACHE]);
    put_row(c, RK_PORTION_AT_WORK, bytes[RK_BYTES_SAVED]);
}

static void put_pass(sharing *c)
{
    const rk_memory *m = c->d->whole;
    rk_i128 cache = 0, sum;
    size_t n_standing = 0; /* rows of what is there throughout come first; the others are buffers */

    if (m->peak != m->pass) {
        c->code = make_at_work(c->d, c->err);
        m = c->d->at_work;
    }
    if (c->code != RK_OK)
        return;
    c->s->memory = m;
    c->s->during = m->peak_during;
    c->s->path = m->peak_path;
    while (n_standing < m->alive.n && m->alive.at[n_standing].kind <= RK_ALIVE_WORKSPACE)
        n_standing++;
    sum = take_pieces(c, &m->alive, n_standing, &cache);
    put_row(c, RK_PORTION_CACHE, cache);
    put_row(c, RK_PORTION_AT_WORK, sum);
}

/* `pass`: what is at work at the largest moment of the passes; `output`: what is left of it in the optimizer's step. */
static void put_rows(sharing *c, rk_i128 pass, rk_i128 output)
{
    const rk_memory *m = c->d->whole;
    bool train = c->d->options.phase == RK_PHASE_TRAIN, stay = gradients_stay(c->d);
    rk_i128 spare = part_of(m->spare, over(RK_PORTION_IN_STEP, c->split->zero, c->copies));
    bool in_step = train && spare + output + (stay ? 0 : m->held_gradients) >= pass;

    put_row(c, RK_PORTION_WEIGHTS, m->held_weights);
    if (over(RK_PORTION_WEIGHTS, c->split->zero, c->copies) > 1)
        put_row(c, RK_PORTION_GATHERED, gathered(c));
    if (train)
        put_row(c, RK_PORTION_GRADIENTS, m->held_buckets + (stay || in_step ? m->held_gradients : 0));
    if (train)
        put_row(c, RK_PORTION_OPTIMIZER, m->held_optimizer);
    put_row(c, RK_PORTION_WORKSPACE, workspaces(c->d));
    if (in_step) {
        /* No layer is at work: of the buffers, someone still has the output. */
        c->s->during = "the optimizer's step";
        put_row(c, RK_PORTION_IN_STEP, c->d->whole->spare);
        put_row(c, RK_PORTION_AT_WORK, output);
        if (c->a && output > 0 && c->code == RK_OK)
            take_piece(
                c,
                (rk_memory_row){
                    .kind = RK_ALIVE_PASSING, .path = "output", .what = "of this step", .bytes = output, .times = 1});
    } else if (c->a) {
        put_pass(c);
    } else {
        put_row(c, RK_PORTION_AT_WORK, pass);
    }
}

/* Without an arena the rows are those of a sum alone: nobody asks what is at work. */
static sharing share(rk_arena *a, rk_one_device *d, const rk_device_split *split, rk_portion *s, rk_err *err)
{
    *s = (rk_portion){.memory = d->whole};
    return (sharing){.a = a, .d = d, .split = split, .s = s, .copies = split->devices / split->tensor, .err = err};
}

int rk_portion_new(rk_arena *a, rk_one_device *d, const rk_device_split *split, rk_portion *out, rk_err *err)
{
    sharing c = share(a, d, split, out, err);
    const rk_memory *m = d->whole;
    rk_i128 cache = 0;

    if (d->options.profile.textbook)
        put_book(&c, (const rk_i128[RK_N_BYTES]){m->parameters, m->gradients, m->optimizer,
                                                 a ? take_pieces(&c, &m->saved_rows, 0, &cache) : m->saved, m->cache});
    else
        put_rows(&c, at_work(d, m, m->pass), m->output);
    return c.code;
}

int rk_one_device_total(rk_one_device *d, const rk_device_split *split, rk_i128 *out, rk_err *err)
{
    rk_portion s;
    int code = rk_portion_new(NULL, d, split, &s, err);

    *out = s.total;
    return code;
}

int rk_one_device_total_at(rk_one_device *d, const rk_device_split *split, rk_i128 *out, rk_err *err)
{
    rk_memory_options o = d->options;
    rk_i128 bytes[RK_N_BYTES] = {0};
    rk_portion s;
    sharing c = share(NULL, d, split, &s, err);

    if (d->shares && d->whole->spare > 0) {
        c.code = make_at_work(d, err);
        o = d->at_work ? d->at_work->options : o;
    }
    if (c.code == RK_OK)
        c.code = rk_peaks_read(&d->peaks, &d->at, &o, bytes, err);
    if (c.code == RK_OK && d->options.profile.textbook)
        put_book(&c, bytes);
    else if (c.code == RK_OK && d->shares)
        put_rows(&c, at_work(d, d->at_work ? d->at_work : d->whole, bytes[RK_BYTES_PEAK]), bytes[RK_BYTES_OUTPUT]);
    *out = d->shares || d->options.profile.textbook ? s.total : bytes[RK_BYTES_PEAK];
    return c.code;
}

/* ---- a part of the layers --------------------------------------------------------------------------------------- */

/* What a config or a file tells of the weights is of the whole model. */
static int slice_holding(rk_arena *a, const rk_portion_request *r, rk_storage *out, rk_err *err)
{
    rk_pool *pool = r->instance->pool;
    size_t n = r->instance->program->n_weight;
    int code = RK_OK;

    *out = *r->options->storage;
    if (!out->by_weight)
        return rk_fail(err, RK_EINPUT,
                       "of this file the bytes of all weights together are known, which cannot be divided: --weights "
                       "says a type for all matrices");
    out->each = RK_NEW_ARRAY(a, n + 1, rk_ex);
    if (!out->each)
        return rk_fail_memory(err);
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_ex count = r->instance->program->weight[i].count;
        rk_ex bytes = rk_ex_mul(pool, r->options->storage->each[i], count);
        rk_i128 whole = 0;

        /* As large a part of the bytes as of the elements, rounded up. */
        code = rk_ex_eval(pool, count, &r->instance->at, &whole, err);
        out->each[i] = whole > 0 ? rk_ex_ceil_div(pool, bytes, rk_ex_int(pool, whole)) : rk_ex_int(pool, 0);
    }
    return code;
}

/* ---- one device ------------------------------------------------------------------------------------------------- */

int rk_one_device_new(rk_arena *a, const rk_portion_request *r, rk_one_device *out, rk_err *err)
{
    int code;

    *out = (rk_one_device){.options = *r->options, .peaks.walks = true};
    out->shares = r->split.zero > 0 && r->split.devices > r->split.tensor;
    out->options.observer.op = NULL;
    out->options.gathers = out->shares && r->split.zero == 3 && r->options->autocast;
    if (out->shares && out->options.passes < STAY)
        out->options.passes = STAY;
    if (r->slice && !rk_slice_divides(r->slice, r->split.tensor, err))
        return RK_EINPUT;
    code = rk_instance_copy(a, r->instance, &out->at, err);
    if (code == RK_OK && r->slice && r->split.tensor > 1 && r->options->storage) {
        code = slice_holding(a, r, &out->storage, err);
        out->options.storage = &out->storage;
    }
    if (code == RK_OK && r->slice)
        rk_slice_bind(r->slice, r->split.tensor, &out->at);
    if (code == RK_OK)
        code = rk_peaks_account(&out->peaks, &out->at, &out->options, &out->whole, err);
    if (code == RK_OK && out->shares && out->whole->spare > 0) {
        rk_peaks_free(&out->peaks); /* those of what is at work take their place */
        out->peaks.walks = true;
    }
    if (code != RK_OK)
        rk_one_device_free(out);
    return code;
}

void rk_one_device_free(rk_one_device *d)
{
    rk_memory_free(d->whole);
    rk_memory_free(d->at_work);
    rk_peaks_free(&d->peaks);
    *d = (rk_one_device){0};
}
