/* SPDX-License-Identifier: MIT */
#include "ask/fit.h"

#include "account/serve.h"

#define ONE_BY_ONE ((rk_i128)64) /* devices that share layers: beyond this, twice as many each time */
#define DEVICES_MAX RK_SPLIT_DEVICES_MAX

/* What an allocator reserves may fall where the batch grows: an answer's neighbours are tried, too. */
#define NEIGHBOURS 2
#define NEAR 1024
#define RESERVE_TRIES 4 /* by a straight line and by halving in turn; then by halving alone */

typedef struct fitting {
    rk_arena *a;
    const rk_portion_request *r;
    const rk_reopener *reopener;
    rk_fit_answer *out;
    rk_one_device *d;        /* as the split has them */
    rk_one_device other;     /* the same where a length makes another program */
    const rk_symbol *symbol; /* that is searched for */
    rk_i128 before;          /* added to the number that is tried … */
    rk_i128 unit;            /* … of which each stands for so many: pieces of a sequence are equal */
    rk_err *err;
} fitting;

/* The accounts of a split: of one device where `devices` share each layer, with copies or without. */
static int find_device(fitting *f, const rk_device_split *split, rk_one_device **out)
{
    bool copies = split->zero > 0 && split->devices > split->tensor;
    rk_one_device *d = copies                                ? &f->out->shared
                       : split->tensor == f->r->split.tensor ? &f->out->alone
                                                             : &f->out->thinnest;
    rk_portion_request r = *f->r;

    *out = d;
    r.split = *split;
    if (d->whole && d != &f->out->thinnest)
        return RK_OK;
    rk_one_device_free(d);
    return rk_one_device_new(f->a, &r, d, f->err);
}

/* ---- the largest ------------------------------------------------------------------------------------------------ */

static bool stands_at(const fitting *f, rk_one_device *d, rk_i128 number)
{
    if (!d->whole)
        return false;
    rk_instance_set(&d->at, f->symbol->sym, number);
    return rk_model_stands(d->at.model, &d->at.at);
}

/* The device at the n-th number of the symbol: of the program that there is, or of the one that there would be. */
static int device_at(fitting *f, rk_i128 n, rk_one_device **out)
{
    rk_portion_request r = {0};
    rk_i128 number = (f->before + n) * f->unit;
    int code;

    *out = stands_at(f, f->d, number) ? f->d : &f->other;
    if (*out == f->d || stands_at(f, &f->other, number))
        return RK_OK;
    rk_one_device_free(&f->other);
    if (!f->reopener)
        return rk_fail(f->err, RK_EINPUT, "another %s makes another program of it", f->symbol->name);
    code = f->reopener->open(f->reopener->self, f->symbol->name, number, &r, f->err);
    return code == RK_OK ? rk_one_device_new(f->a, &r, &f->other, f->err) : code;
}

static int bytes_at(void *self, rk_i128 n, rk_i128 *out, rk_err *err)
{
    fitting *f = self;
    rk_one_device *d = NULL;
    int code = device_at(f, n, &d);

    return code == RK_OK ? rk_one_device_total_at(d, &f->r->split, out, err) : code;
}

/* What the framework's allocator reserves at the numbers of a device; RK_I128_MAX: too much to be walked. */
static int reserve_now(fitting *f, const rk_one_device *d, rk_i128 *out)
{
    rk_memory_options o = d->options;
    rk_memory *m = NULL;
    int code;

    o.allocator = true;
    code = rk_memory_new(&d->at, &o, &m, f->err);
    if (code == RK_OK)
        *out = m->reserve.known ? m->reserve.peak.reserved : RK_I128_MAX;
    rk_memory_free(m);
    return code;
}

static int reserve_at(fitting *f, rk_i128 n, rk_i128 *out)
{
    rk_one_device *d = NULL;
    int code = device_at(f, n, &d);

    return code == RK_OK ? reserve_now(f, d, out) : code;
}

/* On one device that trains, what counts is what the framework's allocator takes of it. */
static int needs_on(fitting *f, rk_one_device *d, const rk_device_split *s, rk_i128 *out, bool *reserved)
{
    rk_i128 bytes = 0;
    int code = rk_one_device_total(d, s, out, f->err);

    *reserved = false;
    if (code != RK_OK || s->devices > 1 || d->options.profile.textbook || d->options.phase != RK_PHASE_TRAIN)
        return code;
    code = reserve_now(f, d, &bytes);
    if (code != RK_OK || bytes == RK_I128_MAX || bytes < *out)
        return code;
    *reserved = true;
    *out = bytes;
    return RK_OK;
}

/* The next to be tried, between one that fits and one that does not; `each`: bytes of one more. */
static rk_i128 between(rk_i128 low, rk_i128 high, rk_i128 over, rk_i128 each, bool halve)
{
    rk_i128 n = each > 0 && !halve ? high - (over + each - 1) / each : low + (high - low) / 2;

    return n <= low ? low + 1 : n >= high ? high - 1 : n;
}

/*
 * Below the largest whose tensors fit, one that fits as it is reserved: of lengths, to a part in NEAR; then its
 * neighbours.
 */
static int fit_reserved(fitting *f, rk_fit *fit)
{
    rk_i128 each = fit->next == RK_I128_MAX || fit->next <= fit->bytes ? 0 : fit->next - fit->bytes;
    rk_i128 most = fit->largest, low = 0, high = most + 1, low_bytes = 0, high_bytes = fit->next, bytes = 0;
    int code = RK_OK;

    for (int i = 0; code == RK_OK && high - low > 1 + low / NEAR; i++) {
        rk_i128 n = i == 0 ? most : between(low, high, high_bytes - fit->limit, each, i % 2 == 0 || i > RESERVE_TRIES);

        code = reserve_at(f, n, &bytes);
        low_bytes = bytes <= fit->limit ? bytes : low_bytes;
        high_bytes = bytes <= fit->limit ? high_bytes : bytes;
        low = bytes <= fit->limit ? n : low;
        high = bytes <= fit->limit ? high : n;
    }
    for (rk_i128 k = 1; code == RK_OK && low > 0 && k <= NEIGHBOURS; k++) {
        code = reserve_at(f, low + k, &bytes);
        high_bytes = k == 1 ? bytes : high_bytes;
        if (code == RK_OK && bytes <= fit->limit && low + k <= most) {
            low += k;
            low_bytes = bytes;
            k = low < NEAR ? 0 : NEIGHBOURS;
        }
    }
    fit->largest = low;
    fit->bytes = low > 0 ? low_bytes : high_bytes;
    fit->next = high_bytes > fit->limit ? high_bytes : RK_I128_MAX;
    return code;
}

/* A symbol of the run whose number can be changed: one that follows another has none of its own. */
static const rk_symbol *find_symbol(const rk_instance *m, rk_symbol_role role)
{
    const rk_symbol *s = rk_model_size(m->model, role);

    return s && s->kind == RK_SYMBOL_RUN && m->known[s->sym] ? s : NULL;
}

/* Looks from `before` + 1 on; the symbol has its number again afterwards. */
static int search(fitting *f, rk_fit_largest *l, rk_i128 before)
{
    rk_growth grows = {.bytes = bytes_at, .self = f, .most = l->most / f->unit - before};
    rk_i128 given = f->d->at.value[f->symbol->sym];
    rk_fit fit = {0};
    int code;

    f->before = before;
    if (grows.most < 1)
        return RK_OK;
    code = rk_largest_find(&grows, f->out->limit, &fit, f->err);
    if (code == RK_OK && f->out->reserved && fit.largest > 0)
        code = fit_reserved(f, &fit);
    else if (code == RK_OK && f->out->reserved && (before + 1) * f->unit == given)
        fit.bytes = f->out->at.total;
    else if (code == RK_OK && f->out->reserved)
        code = reserve_at(f, 1, &fit.bytes);
    rk_instance_set(&f->d->at, f->symbol->sym, given);
    rk_one_device_free(&f->other);
    if (code != RK_OK)
        return code;
    l->largest = fit.largest > 0 ? (fit.largest + before) * f->unit : 0;
    l->bytes = fit.bytes;
    l->next = fit.next;
    l->state = fit.largest == 0 ? RK_FIT_NONE : l->largest > l->most - f->unit ? RK_FIT_BOUNDED : RK_FIT_FOUND;
    return RK_OK;
}

static int find_batch(fitting *f)
{
    rk_fit_largest *l = &f->out->batch;

    f->symbol = find_symbol(f->r->instance, RK_SIZE_BATCH);
    if (!f->symbol)
        return rk_fail(f->err, RK_EINPUT, "%s has no batch B that could be larger or smaller",
                       f->r->instance->model->name);
    *l = (rk_fit_largest){.state = RK_FIT_UNASKED, .symbol = f->symbol->name, .most = RK_LARGEST_MAX};
    f->unit = 1;
    return f->symbol->fixed ? RK_OK : search(f, l, 0);
}

/* Into how many equal pieces a sequence is cut. */
static rk_i128 length_unit(const rk_memory_options *o)
{
    const rk_layout *l = o->layout;

    if (!l || o->phase == RK_PHASE_DECODE)
        return 1;
    return (l->size[RK_MESH_CP] > 1 ? 2 * l->size[RK_MESH_CP] : 1) * (l->sp ? l->size[RK_MESH_TP] : 1);
}

/* A length that fits is where the search begins: shorter ones may be none, with an image in each sequence. */
static int find_length(fitting *f)
{
    rk_fit_largest *l = &f->out->length;
    bool decodes = f->r->options->phase == RK_PHASE_DECODE;
    rk_err quiet = {0}, *err = f->err;
    int code;

    /* Decoding, the length is that of the cache, if that has one; after a recording it is that of the text. */
    f->symbol = find_symbol(f->r->instance, decodes ? RK_SIZE_KEYS : RK_SIZE_TOKENS);
    if (!f->symbol && !decodes)
        f->symbol = find_symbol(f->r->instance, RK_SIZE_TARGETS);
    *l =
        (rk_fit_largest){.state = RK_FIT_UNASKED, .symbol = f->symbol ? f->symbol->name : NULL, .most = RK_LARGEST_MAX};
    if (!f->symbol || f->symbol->fixed)
        return RK_OK;
    if (f->out->positions > 0)
        l->most = f->out->positions;
    f->unit = length_unit(f->r->options);
    if (f->out->fits)
        return search(f, l, f->r->instance->value[f->symbol->sym] / f->unit - 1);
    f->err = &quiet;
    code = search(f, l, 0);
    f->err = err;
    if (code != RK_OK)
        l->state = RK_FIT_UNASKED;
    return rk_after_try(code, &quiet, err);
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

static rk_device_split split_among(const fitting *f, rk_i128 devices)
{
    rk_device_split s = f->r->split;

    s.devices = devices * (s.zero ? s.tensor : 1);
    s.tensor = s.zero ? s.tensor : devices;
    return s;
}

/* What so many devices that share what is to be divided need, each. */
static int total_with(fitting *f, rk_i128 devices, rk_i128 *out)
{
    rk_device_split s = split_among(f, devices);
    rk_one_device *d;
    bool reserved;
    int code;

    *out = f->out->at.total;
    if (s.devices == f->r->split.devices && s.tensor == f->r->split.tensor)
        return RK_OK;
    code = find_device(f, &s, &d);
    if (code == RK_OK)
        code = rk_one_device_total(d, &s, out, f->err);
    return code == RK_OK && *out <= f->out->limit ? needs_on(f, d, &s, out, &reserved) : code;
}

/* More copies never hold more, from two on. */
static int fewest_copies(fitting *f)
{
    rk_i128 tensor = f->r->split.tensor, copies = f->r->split.devices / tensor, most = DEVICES_MAX / tensor;
    rk_i128 low = f->out->fits ? 1 : copies, high = f->out->fits ? copies : most, bytes = 0;
    int code = total_with(f, low, &bytes);

    f->out->most = most * tensor;
    if (code == RK_OK && bytes <= f->out->limit)
        high = low;
    else if (code == RK_OK)
        code = total_with(f, high, &bytes);
    f->out->least = bytes;
    while (high - low > 1 && code == RK_OK && f->out->least <= f->out->limit) {
        rk_i128 n = low + (high - low) / 2;

        code = total_with(f, n, &bytes);
        low = bytes > f->out->limit ? n : low;
        high = bytes > f->out->limit ? high : n;
        f->out->least = bytes > f->out->limit ? f->out->least : bytes;
    }
    f->out->fewest = f->out->least <= f->out->limit ? high * tensor : 0;
    return code;
}

/* Every number of devices by which what is divided can be. */
static int fewest_slices(fitting *f)
{
    int code = RK_OK;

    for (rk_i128 n = 1; n <= DEVICES_MAX && !f->out->fewest && code == RK_OK; n = n < ONE_BY_ONE ? n + 1 : 2 * n) {
        if (n > 1 && !(f->r->slice && rk_slice_divides(f->r->slice, n, NULL)))
            continue;
        f->out->most = n;
        code = total_with(f, n, &f->out->least);
        f->out->fewest = code == RK_OK && f->out->least <= f->out->limit ? n : 0;
    }
    return code;
}

static int find_fewest(fitting *f)
{
    if (f->r->options->layout) /* that says how many there are */
        return RK_OK;
    return f->r->split.zero ? fewest_copies(f) : fewest_slices(f);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* What the devices that there are hold. */
static int find_portion(fitting *f)
{
    rk_portion *at = &f->out->at;
    rk_i128 bytes = 0;
    int code = find_device(f, &f->r->split, &f->d);

    if (code == RK_OK)
        code = rk_portion_new(f->a, f->d, &f->r->split, at, f->err);
    if (code == RK_OK)
        code = needs_on(f, f->d, &f->r->split, &bytes, &f->out->reserved);
    if (code == RK_OK && f->out->reserved) {
        at->row[at->n_row++] = (rk_portion_row){RK_PORTION_RESERVED, bytes - at->total, 1, bytes - at->total};
        at->total = bytes;
    }
    f->out->fits = at->total <= f->out->limit;
    return code;
}

int rk_fit_ask(rk_arena *a, const rk_portion_request *r, const rk_reopener *reopener, rk_i128 limit, rk_fit_answer *out,
               rk_err *err)
{
    fitting f = {.a = a, .r = r, .reopener = reopener, .out = out, .err = err};
    int code;

    *out = (rk_fit_answer){.split = r->split, .limit = limit, .positions = rk_serve_positions(r->instance)};
    code = find_portion(&f);
    if (code == RK_OK)
        code = find_batch(&f);
    if (code == RK_OK)
        code = find_length(&f);
    f.err = err;
    if (code == RK_OK)
        code = find_fewest(&f);
    if (code != RK_OK)
        rk_fit_free(out);
    return code;
}

void rk_fit_free(rk_fit_answer *f)
{
    rk_one_device_free(&f->alone);
    rk_one_device_free(&f->shared);
    rk_one_device_free(&f->thinnest);
}

int rk_fit_needs(const rk_portion_request *r, rk_i128 *out, rk_err *err)
{
    rk_arena arena = {0};
    rk_one_device d = {0};
    int code = rk_one_device_new(&arena, r, &d, err);

    if (code == RK_OK)
        code = rk_one_device_total(&d, &r->split, out, err);
    rk_one_device_free(&d);
    rk_arena_free(&arena);
    return code;
}

int rk_fit_fewest(const rk_portion_request *r, rk_i128 limit, rk_i128 needs, rk_i128 *out, rk_err *err)
{
    rk_arena arena = {0};
    rk_fit_answer x = {.split = r->split, .limit = limit, .at.total = needs};
    fitting f = {.a = &arena, .r = r, .out = &x, .err = err};
    int code = find_fewest(&f);

    *out = x.fewest;
    rk_fit_free(&x);
    rk_arena_free(&arena);
    return code;
}

int rk_fit_slice(const rk_instance *m, const rk_device_split *s, rk_slice **out, rk_err *err)
{
    int code = s->tensor > 1 || s->zero == 0 ? rk_slice_new(m, out, err) : RK_OK;

    return code == RK_EINPUT && s->tensor == 1 ? RK_OK : code;
}
