/* SPDX-License-Identifier: MIT */
/* The memory of a step. */
#include "api/api.h"

#include "account/training.h"

#define N_BYTES (RECKON_BYTES_PEAK + 1)
#define N_ROWS (RECKON_ROWS_PEAK + 1)

typedef struct row_list {
    reckon_buffer *at;
    size_t n;
} row_list;

struct reckon_memory {
    reckon_account account; /* of the model of the run, which owns it and its ledger */
    rk_run run;
    rk_memory *step;
    reckon_amount total[N_BYTES];
    row_list rows[N_ROWS];
    reckon_moment *moment;
    const reckon_figure *recomputed;
    reckon_rank rank;
    reckon_sent *sent;
    bool asked; /* for a largest batch */
    reckon_fit fit;
};

/* What is being filled in; failure is sticky. */
typedef struct filling {
    reckon_memory *m;
    rk_err *err;
    int code;
} filling;

/* ---- amounts ---------------------------------------------------------------------------------------------------- */

static reckon_count count(filling *f, rk_i128 n)
{
    reckon_count c = {0, 0};

    if (f->code == RK_OK)
        f->code = rk_api_count(n, &c, f->err);
    return c;
}

static const reckon_figure *figure(filling *f, rk_ex ex)
{
    return ex == RK_EX_FAILED ? NULL : rk_api_figure(&f->m->account, ex);
}

/* A formula that gives more than there is is none: nothing is rounded down. */
static reckon_amount amount(filling *f, rk_i128 bytes, rk_ex formula, rk_i128 rounding)
{
    if (rounding < 0)
        return (reckon_amount){.bytes = count(f, bytes)};
    return (reckon_amount){count(f, bytes), figure(f, formula), count(f, rounding), NULL};
}

/* For which numbers formulas hold: all of them, or those of one buffer.  NULL: for all numbers. */
static const char *holds_for(filling *f, const rk_memory_row *row)
{
    const rk_variants *v = &f->m->step->saved_for;
    const char *text = NULL;

    for (size_t i = 0; i < v->n; i++)
        if (!row || v->at[i].for_buffer[row->buffer])
            text = rk_arena_format(&f->m->account.arena, "%s%s%s %s 1", text ? text : "", text ? " and " : "",
                                   v->at[i].symbol, v->at[i].is_one ? "=" : ">");
    return text;
}

static void fill_totals(filling *f)
{
    const rk_memory *s = f->m->step;
    reckon_amount *t = f->m->total;
    rk_pool *p = f->m->account.instance->pool;
    rk_ex sum;

    t[RECKON_BYTES_WEIGHTS] = amount(f, s->parameters, s->parameters_formula, 0);
    t[RECKON_BYTES_GRADIENTS] = amount(f, s->gradients, s->gradients_formula, 0);
    t[RECKON_BYTES_OPTIMIZER] = amount(f, s->optimizer, s->optimizer_formula, 0);
    t[RECKON_BYTES_SAVED] = amount(f, s->saved, s->saved_formula, 0);
    t[RECKON_BYTES_CACHE] = amount(f, s->cache, s->cache_formula, 0);
    sum = rk_ex_add(p, rk_ex_add(p, s->parameters_formula, s->gradients_formula), s->optimizer_formula);
    sum = rk_ex_add(p, sum, rk_ex_add(p, s->saved_formula, s->cache_formula));
    t[RECKON_BYTES_SUM] = amount(f, s->parameters + s->gradients + s->optimizer + s->saved + s->cache, sum, 0);
    t[RECKON_BYTES_PEAK] = amount(f, s->peak, s->moment[0].formula, s->moment[0].extra);
    t[RECKON_BYTES_SAVED].holds_for = t[RECKON_BYTES_SUM].holds_for = holds_for(f, NULL);
    f->m->recomputed = figure(f, rk_recompute_flops(s, f->m->account.ledger));
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static void fill_rows(filling *f, reckon_rows which, const rk_memory_rows *from)
{
    row_list *to = &f->m->rows[which];

    to->at = RK_NEW_ARRAY(&f->m->account.arena, from->n, reckon_buffer);
    for (size_t i = 0; to->at && i < from->n; i++) {
        const rk_memory_row *r = &from->at[i];

        to->at[to->n++] = (reckon_buffer){
            .path = r->path,
            .what = r->what,
            .layers = r->layers,
            .bytes = count(f, r->bytes),
            .times = count(f, r->times),
            .formula = figure(f, r->formula),
            .holds_for = which == RECKON_ROWS_SAVED ? holds_for(f, r) : NULL,
        };
    }
}

static void fill_rank(filling *f)
{
    const rk_memory *s = f->m->step;
    const rk_layout *l = s->options.layout;

    if (!l)
        return;
    f->m->rank = (reckon_rank){(uint64_t)l->rank, (uint64_t)rk_layout_devices(l), l->runtime.name};
    f->m->sent = RK_NEW_ARRAY(&f->m->account.arena, s->sent.n + 1, reckon_sent);
    for (size_t i = 0; f->m->sent && i < s->sent.n; i++) {
        const rk_sent_row *r = &s->sent.at[i];

        f->m->sent[i] = (reckon_sent){
            .phase = rk_sent_phase_word[r->phase],
            .operation = rk_collective_word[r->sent.op],
            .group = rk_mesh_word[r->sent.axis],
            .size = (uint64_t)rk_layout_group(l, r->sent.axis, r->sent.experts),
            .number_bytes = (uint64_t)r->sent.bytes,
            .elements = count(f, r->elements),
            .times = count(f, r->times),
            .formula = figure(f, r->sent.elements),
        };
    }
}

static int fill(reckon_memory *m, rk_err *err)
{
    filling f = {.m = m, .err = err, .code = RK_OK};
    const rk_memory *s;

    fill_totals(&f);
    fill_rows(&f, RECKON_ROWS_SAVED, &m->step->saved_rows);
    fill_rows(&f, RECKON_ROWS_CACHE, &m->step->caches);
    fill_rows(&f, RECKON_ROWS_PEAK, &m->step->alive);
    fill_rank(&f);
    s = f.m->step;
    f.m->moment = RK_NEW_ARRAY(&f.m->account.arena, s->n_moment, reckon_moment);
    for (size_t i = 0; f.m->moment && i < s->n_moment; i++) {
        const rk_memory_moment *x = &s->moment[i];

        f.m->moment[i] = (reckon_moment){x->during, x->path, amount(&f, x->bytes, x->formula, x->extra)};
    }
    if (m->account.arena.failed)
        return rk_fail_memory(err);
    return f.code == RK_OK ? rk_api_books(&m->account, err) : f.code;
}

/* ---- the largest batch ------------------------------------------------------------------------------------------ */

/* The model's batch becomes the largest that fits. */
static int fit(reckon_memory *m, uint64_t limit, const rk_open_request *open, rk_err *err)
{
    filling f = {.m = m, .err = err, .code = RK_OK};
    rk_fit found = {0};

    if (rk_setting_find(open->setting, open->n_setting, RK_NAME_BATCH))
        return rk_fail(err, RK_EUSAGE, "within finds B: leave it out of the symbols");
    f.code = rk_fit_batch(m->run.opened.instance, &m->run.options, (rk_i128)limit, &found, err);
    m->asked = true;
    m->fit = (reckon_fit){
        .limit = count(&f, found.limit),
        .largest = count(&f, found.largest),
        .bytes = count(&f, found.bytes),
        .next_known = found.next != RK_I128_MAX,
        .next = count(&f, found.next == RK_I128_MAX ? 0 : found.next),
    };
    return f.code;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

static int take_step(reckon_memory *m, const rk_run_request *r, uint64_t limit, rk_err *err)
{
    int code = rk_run_open(r, &m->run, err);

    if (code != RK_OK)
        return code;
    m->account.instance = m->run.opened.instance;
    m->account.model = m->run.opened.model;
    m->account.ledger = m->run.ledger;
    if (limit > 0)
        code = fit(m, limit, &r->open, err);
    if (code == RK_OK)
        code = rk_memory_new(m->account.instance, &m->run.options, &m->step, err);
    return code == RK_OK ? fill(m, err) : code;
}

int reckon_memory_open(const reckon_request *request, const reckon_run *run, reckon_memory **out, char **mistakes,
                       reckon_error *error)
{
    rk_err err = {0};
    rk_api_request r = {0};
    reckon_memory *m;
    int code;

    if (!request || !out)
        return rk_api_fail_null(error, request ? "out" : "the request");
    m = rk_api_new(sizeof *m, &err);
    code = m ? rk_api_request_take(request, &r, &err) : RK_ENOMEM;
    if (code == RK_OK)
        code = rk_api_run_take(run, &r.run, &err);
    if (code == RK_OK)
        code = take_step(m, &r.run, run ? run->within : 0, &err);
    code = rk_heap_end(code, &err);
    if (code == RK_OK) {
        *out = m;
    } else {
        reckon_memory_close(&m);
        code = rk_api_give_mistakes(&r, mistakes, code, &err);
    }
    rk_api_request_free(&r);
    return rk_api_error(error, code, &err);
}

void reckon_memory_close(reckon_memory **memory)
{
    reckon_memory *m = memory ? *memory : NULL;

    if (!m)
        return;
    *memory = NULL;
    rk_memory_free(m->step);
    rk_run_close(&m->run);
    rk_arena_free(&m->account.arena);
    rk_heap_free(m);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

const reckon_account *reckon_memory_account(const reckon_memory *memory)
{
    return memory ? &memory->account : NULL;
}

const reckon_amount *reckon_memory_total(const reckon_memory *memory, reckon_bytes which)
{
    return memory && (unsigned)which < N_BYTES ? &memory->total[which] : NULL;
}

const reckon_figure *reckon_memory_recomputed(const reckon_memory *memory)
{
    return memory ? memory->recomputed : NULL;
}

size_t reckon_memory_row_count(const reckon_memory *memory, reckon_rows which)
{
    return memory && (unsigned)which < N_ROWS ? memory->rows[which].n : 0;
}

const reckon_buffer *reckon_memory_row_at(const reckon_memory *memory, reckon_rows which, size_t i)
{
    return i < reckon_memory_row_count(memory, which) ? &memory->rows[which].at[i] : NULL;
}

size_t reckon_memory_moment_count(const reckon_memory *memory)
{
    return memory ? memory->step->n_moment : 0;
}

const reckon_moment *reckon_memory_moment_at(const reckon_memory *memory, size_t i)
{
    return i < reckon_memory_moment_count(memory) ? &memory->moment[i] : NULL;
}

const reckon_rank *reckon_memory_rank(const reckon_memory *memory)
{
    return memory && memory->step->options.layout ? &memory->rank : NULL;
}

size_t reckon_memory_sent_count(const reckon_memory *memory)
{
    return memory && memory->sent ? memory->step->sent.n : 0;
}

const reckon_sent *reckon_memory_sent_at(const reckon_memory *memory, size_t i)
{
    return i < reckon_memory_sent_count(memory) ? &memory->sent[i] : NULL;
}

const reckon_fit *reckon_memory_fit(const reckon_memory *memory)
{
    return memory && memory->asked ? &memory->fit : NULL;
}
