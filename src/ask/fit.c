/* SPDX-License-Identifier: MIT */
#include "ask/fit.h"

#include "account/peak.h"
#include "account/serve.h"

#include <string.h>

/* What an allocator reserves may fall where the batch grows: an answer's neighbours are tried, too. */
#define NEIGHBOURS 2
#define NEAR 1024
#define RESERVE_TRIES 4 /* by a straight line and by halving in turn; then by halving alone */

/* A step at numbers that may be changed. */
typedef struct stepping {
    rk_run own; /* opened for it, or nothing: then it is the caller's */
    rk_instance *at;
    rk_memory_options options;
    rk_memory *memory; /* at the numbers of the opening */
    rk_peaks peaks;
} stepping;

typedef struct fitting {
    rk_arena *a;
    const rk_fit_request *r;
    rk_fit_answer *out;
    stepping given, other;   /* the step as it is, and where a length makes another program of it */
    const rk_symbol *symbol; /* that is searched for */
    rk_i128 before;          /* added to the number that is tried … */
    rk_i128 unit;            /* … of which each stands for so many: pieces of a sequence are equal */
    rk_err *err;
} fitting;

/* ---- a step ----------------------------------------------------------------------------------------------------- */

static void close_step(stepping *s)
{
    rk_memory_free(s->memory);
    rk_peaks_free(&s->peaks);
    rk_run_close(&s->own);
    *s = (stepping){0};
}

static int take_step(fitting *f, const rk_run *run, stepping *s)
{
    int code;

    s->options = run->options;
    s->options.observer.op = NULL;
    s->peaks.walks = true;
    if (!(s->at = RK_NEW(f->a, rk_instance)))
        return rk_fail_memory(f->err);
    code = rk_instance_copy(f->a, run->opened.instance, s->at, f->err);
    return code == RK_OK ? rk_peaks_account(&s->peaks, s->at, &s->options, &s->memory, f->err) : code;
}

/* Opens the model once more, at another number of the symbol. */
static int open_step(fitting *f, rk_i128 number, stepping *s)
{
    rk_run_request r = *f->r->asked;
    rk_setting *set = RK_NEW_ARRAY(f->a, r.open.n_setting + 1, rk_setting);
    int code;

    close_step(s);
    if (!set)
        return rk_fail_memory(f->err);
    r.open.setting = set;
    r.open.n_setting = 0;
    for (size_t i = 0; i < f->r->asked->open.n_setting; i++)
        if (strcmp(f->r->asked->open.setting[i].name, f->symbol->name) != 0)
            set[r.open.n_setting++] = f->r->asked->open.setting[i];
    set[r.open.n_setting++] = (rk_setting){.name = f->symbol->name, .value = number};
    code = rk_run_open(&r, &s->own, f->err);
    return code == RK_OK ? take_step(f, &s->own, s) : code;
}

/* ---- the largest ------------------------------------------------------------------------------------------------ */

static bool stands_at(const fitting *f, stepping *s, rk_i128 number)
{
    if (!s->memory)
        return false;
    rk_instance_set(s->at, f->symbol->sym, number);
    return rk_model_stands(s->at->model, &s->at->at);
}

/* The step at the n-th number of the symbol: of the program that there is, or of the one that there would be. */
static int step_at(fitting *f, rk_i128 n, stepping **out)
{
    rk_i128 number = (f->before + n) * f->unit;

    *out = stands_at(f, &f->given, number) ? &f->given : &f->other;
    if (*out == &f->given || stands_at(f, &f->other, number))
        return RK_OK;
    return open_step(f, number, &f->other);
}

static int bytes_at(void *self, rk_i128 n, rk_i128 *out, rk_err *err)
{
    fitting *f = self;
    stepping *s = NULL;
    rk_i128 b[RK_N_BYTES] = {0};
    int code = step_at(f, n, &s);

    if (code == RK_OK)
        code = rk_peaks_read(&s->peaks, s->at, &s->options, b, err);
    if (code == RK_OK)
        *out = s->options.profile.textbook ? b[RK_BYTES_WEIGHTS] + b[RK_BYTES_GRADIENTS] + b[RK_BYTES_OPTIMIZER] +
                                                 b[RK_BYTES_SAVED] + b[RK_BYTES_CACHE]
                                           : b[RK_BYTES_PEAK];
    return code;
}

/* What the framework's allocator reserves at the numbers of a step; RK_I128_MAX: too much to be walked. */
static int reserve_now(fitting *f, const stepping *s, rk_i128 *out)
{
    rk_memory_options o = s->options;
    rk_memory *m = NULL;
    int code;

    o.allocator = true;
    code = rk_memory_new(s->at, &o, &m, f->err);
    if (code == RK_OK)
        *out = m->reserve.known ? m->reserve.peak.reserved : RK_I128_MAX;
    rk_memory_free(m);
    return code;
}

static int reserve_at(fitting *f, rk_i128 n, rk_i128 *out)
{
    stepping *s = NULL;
    int code = step_at(f, n, &s);

    return code == RK_OK ? reserve_now(f, s, out) : code;
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
    rk_i128 given = f->given.at->value[f->symbol->sym];
    rk_fit fit = {0};
    int code;

    f->before = before;
    if (grows.most < 1)
        return RK_OK;
    code = rk_largest_find(&grows, f->out->limit, &fit, f->err);
    if (code == RK_OK && f->out->reserved && fit.largest > 0)
        code = fit_reserved(f, &fit);
    else if (code == RK_OK && f->out->reserved && (before + 1) * f->unit == given)
        fit.bytes = f->out->needs;
    else if (code == RK_OK && f->out->reserved)
        code = reserve_at(f, 1, &fit.bytes);
    rk_instance_set(f->given.at, f->symbol->sym, given);
    close_step(&f->other);
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

    f->symbol = find_symbol(f->r->run->opened.instance, RK_SIZE_BATCH);
    if (!f->symbol)
        return rk_fail(f->err, RK_EINPUT, "%s has no batch B that could be larger or smaller",
                       f->r->run->opened.instance->model->name);
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
    bool decodes = f->r->run->options.phase == RK_PHASE_DECODE;
    rk_err quiet = {0}, *err = f->err;
    int code;

    /* Decoding, the length is that of the cache, if that has one; after a recording it is that of the text. */
    f->symbol = find_symbol(f->r->run->opened.instance, decodes ? RK_SIZE_KEYS : RK_SIZE_TOKENS);
    if (!f->symbol && !decodes)
        f->symbol = find_symbol(f->r->run->opened.instance, RK_SIZE_TARGETS);
    *l =
        (rk_fit_largest){.state = RK_FIT_UNASKED, .symbol = f->symbol ? f->symbol->name : NULL, .most = RK_LARGEST_MAX};
    if (!f->symbol || f->symbol->fixed)
        return RK_OK;
    if (f->out->positions > 0)
        l->most = f->out->positions;
    f->unit = length_unit(&f->r->run->options);
    if (f->out->fits)
        return search(f, l, f->r->run->opened.instance->value[f->symbol->sym] / f->unit - 1);
    f->err = &quiet;
    code = search(f, l, 0);
    f->err = err;
    if (code != RK_OK)
        l->state = RK_FIT_UNASKED;
    return rk_after_try(code, &quiet, err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* What a device holds: in training, what the framework's allocator takes of it. */
static int find_needs(fitting *f)
{
    stepping *s = &f->given;
    rk_i128 bytes = 0;
    int code = take_step(f, f->r->run, s);

    if (code != RK_OK)
        return code;
    f->out->needs = rk_memory_total(s->memory);
    if (!s->options.profile.textbook && s->options.phase == RK_PHASE_TRAIN) {
        code = reserve_now(f, s, &bytes);
        f->out->reserved = code == RK_OK && bytes != RK_I128_MAX && bytes >= f->out->needs;
        f->out->needs = f->out->reserved ? bytes : f->out->needs;
    }
    f->out->fits = f->out->needs <= f->out->limit;
    return code;
}

int rk_fit_ask(rk_arena *a, const rk_fit_request *r, rk_fit_answer *out, rk_err *err)
{
    fitting f = {.a = a, .r = r, .out = out, .err = err};
    const rk_layout *l = r->run->options.layout;
    rk_err why = {0}; /* a model that cannot be shared has no fewest devices */
    int code;

    *out = (rk_fit_answer){.limit = r->limit,
                           .devices = l ? rk_layout_devices(l) : 1,
                           .positions = rk_serve_positions(r->run->opened.instance)};
    code = find_needs(&f);
    if (code == RK_OK)
        code = find_batch(&f);
    if (code == RK_OK)
        code = find_length(&f);
    f.err = err;
    if (code == RK_OK && r->form)
        code = rk_after_try(rk_least_find(a, r->asked, r->form, r->limit, &out->fewest, &why), &why, err);
    out->at = f.given.at;
    out->memory = code == RK_OK ? f.given.memory : NULL;
    if (code == RK_OK)
        f.given.memory = NULL;
    close_step(&f.other);
    close_step(&f.given);
    return code;
}

void rk_fit_free(rk_fit_answer *f)
{
    rk_memory_free(f->memory);
    f->memory = NULL;
}
