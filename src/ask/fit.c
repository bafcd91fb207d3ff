/* SPDX-License-Identifier: MIT */
#include "ask/fit.h"

#include "account/serve.h"

#define SYMBOL_MAX ((rk_i128)1 << 40) /* sequences or tokens: more than any memory holds */
#define ONE_BY_ONE ((rk_i128)64)      /* devices that share layers: beyond this, twice as many each time */
#define DEVICES_MAX RK_SPLIT_DEVICES_MAX

typedef struct fitting {
    const rk_portion_request *r;
    rk_fit_answer *out;
    rk_symbol *symbol; /* that is searched for */
    rk_i128 before;    /* added to the number that is tried */
    rk_err *err;
} fitting;

/* ---- bytes at some numbers -------------------------------------------------------------------------------------- */

static int total_of(const rk_portion_request *r, rk_i128 *out, rk_err *err)
{
    rk_arena scratch = {0};
    rk_portion s;
    int code = rk_portion_new(&scratch, r, &s, err);

    if (code == RK_OK)
        *out = s.total;
    rk_portion_free(&s);
    rk_arena_free(&scratch);
    return code;
}

static void set_number(rk_model *m, rk_symbol *s, rk_i128 n)
{
    s->value = m->value[s->sym] = n;
}

static int bytes_at(void *self, rk_i128 n, rk_i128 *out, rk_err *err)
{
    fitting *f = self;

    set_number(f->r->model, f->symbol, f->before + n);
    return total_of(f->r, out, err);
}

/* ---- the largest ------------------------------------------------------------------------------------------------ */

/* A symbol of the run whose number can be changed: one that follows another has none of its own. */
static rk_symbol *find_symbol(rk_model *m, rk_symbol_role role)
{
    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind == RK_SYMBOL_RUN && m->symbol[i].role == role)
            return m->known[m->symbol[i].sym] ? &m->symbol[i] : NULL;
    return NULL;
}

static void take(rk_fit_largest *l, const rk_fit *fit, rk_i128 before)
{
    l->largest = fit->largest > 0 ? fit->largest + before : 0;
    l->bytes = fit->bytes;
    l->next = fit->next;
    l->state = fit->largest == 0 ? RK_FIT_NONE : l->largest == l->most ? RK_FIT_BOUNDED : RK_FIT_FOUND;
}

/* Looks from `before` + 1 on; the symbol has its number again afterwards. */
static int search(fitting *f, rk_fit_largest *l, rk_i128 before)
{
    rk_growth grows = {.bytes = bytes_at, .self = f, .most = l->most - before};
    rk_i128 given = f->symbol->value;
    rk_fit fit = {0};
    int code;

    f->before = before;
    if (grows.most < 1) {
        l->state = RK_FIT_UNASKED;
        return RK_OK;
    }
    code = rk_largest_find(&grows, f->out->limit, &fit, f->err);
    set_number(f->r->model, f->symbol, given);
    if (code == RK_OK)
        take(l, &fit, before);
    return code;
}

static int find_batch(fitting *f)
{
    rk_model *m = f->r->model;
    rk_fit_largest *l = &f->out->batch;

    f->symbol = find_symbol(m, RK_SIZE_BATCH);
    if (!f->symbol)
        return rk_fail(f->err, RK_EINPUT, "%s has no batch B that could be larger or smaller", m->name);
    *l = (rk_fit_largest){.symbol = f->symbol->name, .most = SYMBOL_MAX};
    if (!f->symbol->fixed)
        return search(f, l, 0);
    l->state = RK_FIT_UNASKED;
    return RK_OK;
}

/* Decoding, the length is that of the cache, if that has one; behind a recording it is that of the text. */
static rk_symbol *length_symbol(rk_model *m, rk_phase phase)
{
    rk_symbol *s = find_symbol(m, phase == RK_PHASE_DECODE ? RK_SIZE_KEYS : RK_SIZE_TOKENS);

    return s || phase == RK_PHASE_DECODE ? s : find_symbol(m, RK_SIZE_TARGETS);
}

/* A length that fits is where the search begins: shorter ones may be none, with an image in each sequence. */
static int find_length(fitting *f)
{
    rk_fit_largest *l = &f->out->length;
    rk_err quiet = {0};
    int code;

    f->symbol = length_symbol(f->r->model, f->r->options->phase);
    *l = (rk_fit_largest){.state = RK_FIT_UNASKED, .symbol = f->symbol ? f->symbol->name : NULL, .most = SYMBOL_MAX};
    if (!f->symbol || f->symbol->fixed)
        return RK_OK;
    if (f->out->positions > 0)
        l->most = f->out->positions;
    if (f->out->fits)
        return search(f, l, f->symbol->value - 1);
    f->err = &quiet;
    code = search(f, l, 0);
    if (code != RK_OK && code != RK_ENOMEM)
        l->state = RK_FIT_UNASKED;
    return code == RK_ENOMEM ? code : RK_OK;
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

static int total_with(fitting *f, rk_i128 devices, rk_i128 *out)
{
    rk_portion_request r = *f->r;

    r.split.devices = devices * (r.split.zero ? r.split.tensor : 1);
    r.split.tensor = r.split.zero ? r.split.tensor : devices;
    return total_of(&r, out, f->err);
}

static void found(fitting *f, rk_i128 devices, rk_i128 bytes)
{
    f->out->fewest = devices;
    f->out->fewest_bytes = bytes;
}

/* More copies never hold more, from two on. */
static int fewest_copies(fitting *f)
{
    rk_i128 low = 1, high = DEVICES_MAX / f->r->split.tensor, bytes = 0, least = 0;
    int code = total_with(f, low, &bytes);

    f->out->most = high * f->r->split.tensor;
    if (code == RK_OK && bytes <= f->out->limit) {
        found(f, f->r->split.tensor, bytes);
        return RK_OK;
    }
    if (code == RK_OK)
        code = total_with(f, high, &least);
    if (code != RK_OK || least > f->out->limit)
        return code;
    while (high - low > 1 && code == RK_OK) {
        rk_i128 n = low + (high - low) / 2;

        code = total_with(f, n, &bytes);
        low = bytes > f->out->limit ? n : low;
        high = bytes > f->out->limit ? high : n;
        least = bytes > f->out->limit ? least : bytes;
    }
    found(f, high * f->r->split.tensor, least);
    return code;
}

static rk_i128 further(rk_i128 n)
{
    return n < ONE_BY_ONE ? n + 1 : 2 * n;
}

/* Every number of devices by which what is divided can be. */
static int fewest_slices(fitting *f)
{
    int code = RK_OK;

    for (rk_i128 n = 1; n <= DEVICES_MAX && !f->out->fewest && code == RK_OK; n = further(n)) {
        rk_i128 bytes = 0;

        if (n > 1 && !(f->r->slice && rk_slice_divides(f->r->slice, n, NULL)))
            continue;
        f->out->most = n;
        code = total_with(f, n, &bytes);
        if (code == RK_OK && bytes <= f->out->limit)
            found(f, n, bytes);
    }
    return code;
}

/* What each of the most devices that can be still holds, where that is too much. */
static int look_at_most(fitting *f, rk_arena *a)
{
    rk_portion_request r = *f->r;

    r.split.devices = f->out->most;
    r.split.tensor = r.split.zero ? r.split.tensor : f->out->most;
    return rk_portion_new(a, &r, &f->out->at_most, f->err);
}

static int find_devices(fitting *f, rk_arena *a)
{
    int code = f->r->split.zero ? fewest_copies(f) : fewest_slices(f);

    return code == RK_OK && !f->out->fewest ? look_at_most(f, a) : code;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_fit_ask(rk_arena *a, const rk_portion_request *r, rk_i128 limit, rk_fit_answer *out, rk_err *err)
{
    fitting f = {.r = r, .out = out, .err = err};
    int code;

    *out = (rk_fit_answer){.split = r->split, .limit = limit, .positions = rk_serve_positions(r->model)};
    code = rk_portion_new(a, r, &out->at, err);
    out->fits = out->at.total <= limit;
    if (code == RK_OK)
        code = find_batch(&f);
    if (code == RK_OK)
        code = find_length(&f);
    f.err = err;
    if (code == RK_OK)
        code = find_devices(&f, a);
    if (code == RK_OK && r->slice)
        rk_slice_set(r->slice, r->split.tensor);
    if (code != RK_OK)
        rk_fit_free(out);
    return code;
}

void rk_fit_free(rk_fit_answer *f)
{
    rk_portion_free(&f->at);
    rk_portion_free(&f->at_most);
}
