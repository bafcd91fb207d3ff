/* SPDX-License-Identifier: MIT */
/* Quantities by name, at many numbers. */
#include "api/api.h"

#include "ask/gauge.h"
#include "plan/nearest.h"
#include "plan/setting.h"

#include <string.h>

struct reckon_gauge {
    rk_api_request request;
    rk_measure *measure;
    reckon_measure *about; /* of each measure */
    size_t n;
    const char **symbol; /* that vary … */
    rk_i128 *number;     /* … and their numbers now */
    size_t n_symbol;
    rk_gauge_source source;
    rk_gauge *gauge; /* NULL: the last numbers could not be read, and the next ones need a new one */
    rk_reading *reading;
};

/* ---- copies ----------------------------------------------------------------------------------------------------- */

/* Everything that is said in texts outlives the call. */
static void copy(rk_arena *a, const char **text)
{
    if (*text)
        *text = rk_arena_text(a, *text);
}

static int take_request(reckon_gauge *g, const reckon_request *request, rk_err *err)
{
    rk_arena *a = &g->request.arena;
    reckon_request r = *request;

    copy(a, &r.model);
    copy(a, &r.config);
    copy(a, &r.model_text);
    copy(a, &r.config_text);
    copy(a, &r.library);
    return a->failed ? rk_fail_memory(err) : rk_api_request_take(&r, &g->request, err);
}

static int take_run(reckon_gauge *g, const reckon_run *run, rk_err *err)
{
    rk_run_request *r = &g->request.run;
    rk_arena *a = &g->request.arena;
    int code = rk_api_run_take(run, r, err);

    if (code == RK_OK && run && run->within)
        return rk_fail(err, RK_EUSAGE, "within finds B, and a gauge is told it: reckon_memory_open has it");
    for (int w = 0; w < RK_N_RUN_WORD; w++)
        copy(a, &r->word[w]);
    copy(a, &r->open.adapt.targets);
    copy(a, &r->open.adapt.freeze);
    return code == RK_OK && a->failed ? rk_fail_memory(err) : code;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

static int take_symbols(reckon_gauge *g, const char *symbols, rk_err *err)
{
    const rk_open_request *open = &g->request.run.open;
    rk_arena *a = &g->request.arena;
    rk_api_settings s = {0};
    int code = rk_api_settings_take(a, symbols, &s, err);

    if (code != RK_OK)
        return code;
    g->symbol = RK_NEW_ARRAY(a, s.n, const char *);
    g->number = RK_NEW_ARRAY(a, s.n, rk_i128);
    if (!g->symbol || !g->number)
        return rk_fail_memory(err);
    for (; g->n_symbol < s.n; g->n_symbol++) {
        const rk_setting *one = &s.at[g->n_symbol];

        if (one->word)
            return rk_fail(err, RK_EUSAGE, "%s=%s is a choice: a gauge varies numbers, and the request has choices",
                           one->name, one->word);
        if (rk_setting_find(open->setting, open->n_setting, one->name))
            return rk_fail(err, RK_EUSAGE, "%s is set by the request, too", one->name);
        g->symbol[g->n_symbol] = one->name;
        g->number[g->n_symbol] = one->value;
    }
    return RK_OK;
}

/* ---- quantities ------------------------------------------------------------------------------------------------- */

/* One of what a row counts; several have an s. */
static const char *unit_of(const reckon_gauge *g, const rk_measure_row *row)
{
    if (row->unit == RK_UNIT_FLOP)
        return g->request.run.convention.mac ? "MAC" : "FLOP";
    return row->unit == RK_UNIT_BYTE ? "byte" : "parameter";
}

static int take_quantities(reckon_gauge *g, const char *quantities, rk_err *err)
{
    rk_arena *a = &g->request.arena;
    int code = rk_measures_parse(a, quantities, &g->measure, &g->n, err);

    if (code != RK_OK)
        return code;
    g->about = RK_NEW_ARRAY(a, g->n, reckon_measure);
    g->reading = RK_NEW_ARRAY(a, g->n, rk_reading);
    for (size_t i = 0; g->about && i < g->n; i++) {
        const rk_measure *m = &g->measure[i];
        const char *per = m->unit == RK_UNIT_PER ? unit_of(g, m->under.row) : NULL;

        g->about[i] = (reckon_measure){.name = m->name, .unit = "", .is_ratio = m->under.row != NULL};
        if (m->unit != RK_UNIT_RATIO)
            g->about[i].unit = rk_arena_format(&g->request.arena, "%ss%s%s", unit_of(g, m->over.row),
                                               per ? " per " : "", per ? per : "");
    }
    return a->failed ? rk_fail_memory(err) : RK_OK;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

static int make(reckon_gauge *g, rk_err *err)
{
    return rk_gauge_new(&g->source, g->measure, g->n, g->number, &g->gauge, err);
}

static int build(reckon_gauge *g, const reckon_request *request, const reckon_run *run, const char *quantities,
                 const char *symbols, rk_err *err)
{
    int code = take_request(g, request, err);

    if (code == RK_OK)
        code = take_run(g, run, err);
    if (code == RK_OK)
        code = take_symbols(g, symbols, err);
    if (code == RK_OK)
        code = take_quantities(g, quantities, err);
    if (code == RK_OK)
        code = rk_gauge_source_new(&g->request.arena, &g->request.run, g->symbol, g->n_symbol, &g->source, err);
    return code == RK_OK ? make(g, err) : code;
}

int reckon_gauge_new(const reckon_request *request, const reckon_run *run, const char *quantities, const char *symbols,
                     reckon_gauge **out, reckon_error *error)
{
    rk_err err = {0};
    reckon_gauge *g;
    int code;

    if (!request || !quantities || !out)
        return rk_api_fail_null(error, !request ? "the request" : !quantities ? "the list of quantities" : "out");
    g = rk_api_new(sizeof *g, &err);
    if (!g)
        return rk_api_error(error, RK_ENOMEM, &err);
    code = rk_heap_end(build(g, request, run, quantities, symbols, &err), &err);
    if (code == RK_OK)
        *out = g;
    else
        reckon_gauge_free(&g);
    return rk_api_error(error, code, &err);
}

void reckon_gauge_free(reckon_gauge **gauge)
{
    reckon_gauge *g = gauge ? *gauge : NULL;

    if (!g)
        return;
    *gauge = NULL;
    rk_gauge_free(g->gauge);
    rk_api_request_free(&g->request);
    rk_heap_free(g);
}

size_t reckon_gauge_count(const reckon_gauge *gauge)
{
    return gauge ? gauge->n : 0;
}

const reckon_measure *reckon_gauge_at(const reckon_gauge *gauge, size_t i)
{
    return i < reckon_gauge_count(gauge) ? &gauge->about[i] : NULL;
}

/* ---- setting and reading ---------------------------------------------------------------------------------------- */

static int set(reckon_gauge *g, const char *symbol, uint64_t value, rk_err *err)
{
    rk_nearest near = {.word = symbol};
    char hint[RK_NEAREST_HINT_MAX];
    size_t i = 0;

    for (; i < g->n_symbol && strcmp(g->symbol[i], symbol) != 0; i++)
        rk_nearest_try(&near, g->symbol[i]);
    if (i == g->n_symbol)
        return rk_fail(err, RK_EINPUT, "'%s' is no symbol that this gauge was made to vary%s", symbol,
                       rk_nearest_hint(&near, hint));
    if (value < 1 || value > (uint64_t)RK_SETTING_VALUE_MAX)
        return rk_fail(err, RK_EINPUT, "%s = %llu: a size is from 1 to 2^63 - 1", symbol, (unsigned long long)value);
    g->number[i] = (rk_i128)value;
    return RK_OK;
}

int reckon_gauge_set(reckon_gauge *gauge, const char *symbol, uint64_t value, reckon_error *error)
{
    rk_err err; /* two kilobytes: filled on failure only */

    if (!gauge || !symbol)
        return rk_api_fail_null(error, gauge ? "the name of the symbol" : "the gauge");
    return rk_api_error(error, set(gauge, symbol, value, &err), &err);
}

/* A gauge whose model could not be opened again is of no use any more. */
static int read_all(reckon_gauge *g, rk_err *err)
{
    int code = g->gauge ? RK_OK : make(g, err);

    if (code != RK_OK)
        return code;
    code = rk_gauge_read(g->gauge, g->number, g->reading, err);
    if (code != RK_OK) {
        rk_gauge_free(g->gauge);
        g->gauge = NULL;
    }
    return code;
}

static int give(const rk_reading *from, reckon_reading *to, rk_err *err)
{
    int code = rk_api_count(from->over, &to->over, err);

    return code == RK_OK ? rk_api_count(from->under, &to->under, err) : code;
}

int reckon_gauge_read(reckon_gauge *gauge, reckon_reading *out, reckon_error *error)
{
    reckon_reading one;
    rk_err err; /* as above */
    int code;

    if (!gauge || !out)
        return rk_api_fail_null(error, gauge ? "out" : "the gauge");
    rk_heap_begin();
    code = rk_heap_end(read_all(gauge, &err), &err);
    /* All or none: `out` is untouched on failure. */
    for (size_t i = 0; i < gauge->n && code == RK_OK; i++)
        code = give(&gauge->reading[i], &one, &err);
    for (size_t i = 0; i < gauge->n && code == RK_OK; i++)
        code = give(&gauge->reading[i], &out[i], &err);
    return rk_api_error(error, code, &err);
}

/* ---- formulas --------------------------------------------------------------------------------------------------- */

static int print(const rk_instance *m, rk_ex e, int style, char **out, rk_err *err)
{
    rk_str s = {0};

    if (e == RK_EX_FAILED)
        return RK_OK;
    rk_ex_print(m->pool, rk_ex_simplify(m->pool, e), style, &s);
    if (!s.failed && s.text) {
        *out = s.text;
        return RK_OK;
    }
    rk_str_free(&s);
    return rk_fail_memory(err);
}

static int print_both(reckon_gauge *g, size_t i, int style, char *text[2], rk_err *err)
{
    rk_ex ex[2] = {RK_EX_FAILED, RK_EX_FAILED};
    int code = g->gauge ? RK_OK : make(g, err);
    const rk_instance *m = code == RK_OK ? rk_gauge_formula(g->gauge, i, &ex[0], &ex[1], err) : NULL;

    if (!m)
        return code == RK_OK ? err->code : code;
    for (int k = 0; k < 2 && code == RK_OK; k++)
        code = print(m, ex[k], style, &text[k], err);
    return code == RK_OK ? rk_pool_check(m->pool, err) : code;
}

int reckon_gauge_formula(reckon_gauge *gauge, size_t i, int style, char **over, char **under, reckon_error *error)
{
    char *text[2] = {NULL, NULL};
    rk_err err = {0};
    int code;

    if (!gauge || !over || !under)
        return rk_api_fail_null(error, !gauge ? "the gauge" : over ? "under" : "over");
    if (i >= gauge->n || style < RECKON_TEXT || style > (RECKON_LATEX | RECKON_FACTORED))
        return rk_api_fail(error, RK_EUSAGE, "there is no such quantity in this gauge, or no such style of formulas");
    rk_heap_begin();
    code = rk_heap_end(print_both(gauge, i, style, text, &err), &err);
    if (code != RK_OK) {
        reckon_text_free(&text[0]);
        reckon_text_free(&text[1]);
        return rk_api_error(error, code, &err);
    }
    *over = text[0];
    *under = text[1];
    return RK_OK;
}
