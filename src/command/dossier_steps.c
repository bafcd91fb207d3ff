/* SPDX-License-Identifier: MIT */
/* The steps of a report: training in several ways, and decoding; what each occupies, and how much fits on a device. */
#include "command/dossier.h"

#include <string.h>

/* The account of a step, on a model of its own. */
static int take_memory(rk_gathering *g, size_t which, const rk_setting *setting, size_t n)
{
    rk_open_request request = g->request;
    rk_run *run = &g->run[which];
    int code;

    request.setting = setting;
    request.n_setting = n;
    request.wants_keys = false;
    code = rk_cmd_run_open(&g->said[which], &request, run, g->err);
    return code == RK_OK ? rk_memory_new(run->opened.instance, &run->options, &g->memory[which], g->err) : code;
}

/* The same on the gauge's model, if that stays open. */
static int take_way(rk_gathering *g, size_t which)
{
    if (!rk_gauge_stays(g->gauge[which]))
        return take_memory(g, which, g->line->setting, g->line->n_setting);
    return rk_gauge_account(g->gauge[which], &g->memory[which], g->err);
}

/* The largest batch of a step on each device, where it sees so many keys, if it sees any. */
static int find_batches(rk_gathering *g, size_t which, const char *title, rk_i128 tokens)
{
    rk_dossier_batch *b = &g->d.batch[g->d.n_batch];
    rk_i128 number[2] = {1, tokens};
    int code = RK_OK;

    *b = (rk_dossier_batch){.title = title, .fit = RK_NEW_ARRAY(&g->arena, g->d.n_device + 1, rk_fit)};
    if (!b->fit || !title)
        return rk_fail_memory(g->err);
    for (size_t i = 0; i < g->d.n_device && code == RK_OK; i++)
        if (rk_device_room(g->d.device[i]) > 0)
            code = rk_gauge_room(g->gauge[which], number, rk_device_room(g->d.device[i]), &b->fit[i], g->err);
    g->d.n_batch++;
    return code;
}

/* ---- training --------------------------------------------------------------------------------------------------- */

static int measure_way(rk_gathering *g, size_t which)
{
    static const char *const varies[] = {RK_NAME_BATCH, NULL};
    const rk_symbol *batch = rk_model_size(g->instance->model, RK_SIZE_BATCH);
    rk_i128 number[1] = {batch && batch->known ? batch->value : 1};
    rk_measure *measure = NULL;
    size_t n = 0;
    int code = rk_measures_parse(&g->arena, "memory.peak", &measure, &n, g->err);

    if (code == RK_OK)
        code = rk_gathering_gauge(g, which, varies, 1, number, measure, n);
    if (code == RK_OK)
        code = take_way(g, which);
    if (code == RK_OK)
        code = find_batches(g, which, rk_arena_format(&g->arena, "training, %s", rk_gathering_steps[which].title), 0);
    return code;
}

static int gather_way(rk_gathering *g, size_t which)
{
    static const char *const varies[] = {RK_NAME_BATCH, NULL};
    rk_dossier_way *way = &g->d.way[which];
    int code = rk_gathering_say(g, which, varies);

    way->title = rk_gathering_steps[which].title;
    if (code == RK_OK)
        code = rk_gathering_excuse(g, measure_way(g, which), &way->not_for);
    way->memory = way->not_for ? NULL : g->memory[which];
    return code == RK_OK && way->memory
               ? rk_gathering_note(g, "memory", g->line, which, "", rk_gathering_steps[which].text)
               : code;
}

/* ---- decoding --------------------------------------------------------------------------------------------------- */

/* The symbol of which a decoding step has one: the one that T follows from, or S. */
static const char *fresh_of(const rk_gathering *g)
{
    const rk_model *m = g->instance->model;
    const rk_symbol *seen = rk_model_size(m, RK_SIZE_KEYS);
    rk_ex definition = seen ? rk_sym_definition(m->pool, seen->sym) : RK_EX_FAILED;
    rk_sym s;

    return definition != RK_EX_FAILED && rk_ex_is_sym(m->pool, definition, &s) ? rk_sym_name(m->pool, s)
                                                                               : RK_NAME_TOKENS;
}

/* What the config says of that symbol, or the positions that were learned: those of an image are no context. */
static rk_i128 context_in(const rk_instance *x, const char *symbol)
{
    const rk_model *m = x->model;

    for (size_t i = 0; i < m->n_key; i++)
        if (m->key[i].symbol && strcmp(m->key[i].symbol, symbol) == 0 && m->key[i].value.kind == RK_DOC_INT)
            return m->key[i].value.number;
    return rk_serve_positions(x);
}

/* Lengths that the line sets say nothing of the context: then the model is looked at without them. */
int rk_gather_context(rk_gathering *g)
{
    static const char *const lengths[] = {RK_NAME_TOKENS, RK_NAME_TARGETS, RK_NAME_KEYS, NULL};
    rk_open_request request = g->request;
    rk_opened plain = {0};
    int code = rk_gathering_say(g, RK_STEP_LOOKING, lengths);

    g->d.context = context_in(g->instance, fresh_of(g));
    if (code != RK_OK || g->said[RK_STEP_LOOKING].n_setting == g->line->n_setting)
        return code;
    request.setting = g->said[RK_STEP_LOOKING].setting;
    request.n_setting = g->said[RK_STEP_LOOKING].n_setting;
    code = rk_open_all(&request, RK_FIND_MODEL, &plain, g->err);
    if (code == RK_OK)
        g->d.context = context_in(plain.instance, fresh_of(g));
    rk_opened_free(&plain);
    return code;
}

/* Reads the cache and the peak of a decoding step that sees so many keys. */
static int read_length(rk_gathering *g, const rk_i128 *number, rk_dossier_length *out)
{
    rk_reading reading[2] = {{0}};
    int code = rk_gauge_read(g->gauge[RK_STEP_DECODING], number, reading, g->err);

    out->peak = reading[0].over;
    out->cache = reading[1].over;
    return code;
}

static int read_lengths(rk_gathering *g, rk_i128 batch)
{
    int code = RK_OK;

    for (size_t i = 0; i < g->d.n_length && code == RK_OK; i++) {
        rk_dossier_length *length = &g->d.length[i];
        rk_i128 number[2] = {batch, length->tokens};
        char tokens[RK_NUM_TEXT_MAX];
        const char *title = length->tokens > 0
                                ? rk_arena_format(&g->arena, "decoding, T = %s", rk_num_grouped(tokens, length->tokens))
                                : "decoding";

        code = read_length(g, number, length);
        if (code == RK_OK)
            code = find_batches(g, RK_STEP_DECODING, title, length->tokens);
    }
    return code;
}

static const char *const decoding_varies[] = {RK_NAME_BATCH, RK_NAME_KEYS};

static int take_decoding(rk_gathering *g, const rk_i128 *number, size_t n)
{
    const rk_cmd_line *said = &g->said[RK_STEP_DECODING];
    const rk_run *run = &g->run[RK_STEP_DECODING];
    rk_setting *setting = RK_NEW_ARRAY(&g->arena, said->n_setting + n, rk_setting);
    int code;

    if (!setting)
        return rk_fail_memory(g->err);
    memcpy(setting, said->setting, said->n_setting * sizeof *setting);
    for (size_t i = 0; i < n; i++)
        setting[said->n_setting + i] = (rk_setting){.name = decoding_varies[i], .value = number[i]};
    code = take_memory(g, RK_STEP_DECODING, setting, said->n_setting + n);
    return code == RK_OK ? rk_run_serve(run, g->memory[RK_STEP_DECODING], &g->d.serving, g->err) : code;
}

/* The gauge begins at the first length; the account is of the last. */
static int measure_decoding(rk_gathering *g)
{
    const rk_symbol *batch = rk_model_size(g->instance->model, RK_SIZE_BATCH);
    rk_i128 number[2] = {batch && batch->known ? batch->value : 1, g->d.length[0].tokens};
    size_t n = 0, n_symbol = number[1] > 0 ? 2 : 1;
    rk_measure *measure = NULL;
    int code = rk_measures_parse(&g->arena, "memory.peak,memory.cache", &measure, &n, g->err);

    if (code == RK_OK)
        code = rk_gathering_gauge(g, RK_STEP_DECODING, decoding_varies, n_symbol, number, measure, n);
    number[1] = g->d.length[g->d.n_length - 1].tokens;
    if (code == RK_OK)
        code = take_decoding(g, number, n_symbol);
    return code == RK_OK ? read_lengths(g, number[0]) : code;
}

/* "B=8 T=128K": what the line of decoding leaves to vary. */
static const char *numbers_of(rk_gathering *g)
{
    rk_i128 last = g->d.length[g->d.n_length - 1].tokens;
    char tokens[RK_NUM_TEXT_MAX];
    const char *batch = "";

    for (size_t i = 0; i < g->line->n_setting; i++)
        if (rk_run_role(g->line->setting[i].name) == RK_SIZE_BATCH)
            batch = g->line->setting_word[i];
    if (last == 0)
        return batch;
    return rk_arena_format(&g->arena, "%s%sT=%s", batch, batch[0] ? " " : "", rk_num_text(tokens, last));
}

static int gather_decoding(rk_gathering *g)
{
    const char *const varies[] = {RK_NAME_BATCH, RK_NAME_KEYS, fresh_of(g), NULL};
    int code = rk_gathering_say(g, RK_STEP_DECODING, varies);
    const rk_symbol *seen = rk_model_size(g->instance->model, RK_SIZE_KEYS);
    rk_dossier *d = &g->d;

    /* The lengths at which decoding is looked at: that of the run, and the whole context. */
    d->length[d->n_length++].tokens = seen ? seen->value : 0;
    if (seen && d->context > seen->value)
        d->length[d->n_length++].tokens = d->context;
    if (code == RK_OK)
        code = rk_gathering_excuse(g, measure_decoding(g), &g->d.not_decoded);
    g->d.decode = g->d.not_decoded ? NULL : g->memory[RK_STEP_DECODING];
    if (code != RK_OK || !g->d.decode)
        return code;
    return rk_gathering_note(g, "memory", &g->said[RK_STEP_DECODING], RK_STEP_DECODING, numbers_of(g),
                             rk_gathering_steps[RK_STEP_DECODING].text);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

int rk_gather_steps(rk_gathering *g)
{
    int code = RK_OK;

    for (size_t i = 0; i < RK_DOSSIER_WAYS && code == RK_OK; i++)
        code = gather_way(g, i);
    return code == RK_OK ? gather_decoding(g) : code;
}
