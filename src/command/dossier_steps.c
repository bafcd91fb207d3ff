/* SPDX-License-Identifier: MIT */
/* The steps of a report: training in several variants, and decoding; what each occupies, and how much fits on a device. */
#include "command/dossier.h"

#include <string.h>

/* The account of a step, on a model of its own. */
static int take_memory(rk_report_builder *b, size_t which, const rk_setting *setting, size_t n)
{
    rk_open_request request = b->request;
    rk_run *run = &b->run[which];
    int code;

    request.setting = setting;
    request.n_setting = n;
    request.wants_keys = false;
    code = rk_cmd_run_open(&b->said[which], &request, run, b->err);
    return code == RK_OK ? rk_memory_new(run->opened.instance, &run->options, &b->memory[which], b->err) : code;
}

/* The largest batch of a step on each device, where it sees so many keys, if it sees any. */
static int find_batches(rk_report_builder *b, size_t which, const char *title, rk_i128 tokens)
{
    rk_dossier_batch *batch = &b->d.batch[b->d.n_batch];
    rk_i128 number[2] = {1, tokens};
    int code = RK_OK;

    *batch = (rk_dossier_batch){.title = title, .fit = RK_NEW_ARRAY(&b->arena, b->d.n_device + 1, rk_fit)};
    if (!batch->fit || !title)
        return rk_fail_memory(b->err);
    for (size_t i = 0; i < b->d.n_device && code == RK_OK; i++)
        if (rk_device_room(b->d.device[i]) > 0)
            code = rk_gauge_room(b->gauge[which], number, rk_device_room(b->d.device[i]), &batch->fit[i], b->err);
    b->d.n_batch++;
    return code;
}

/* ---- training --------------------------------------------------------------------------------------------------- */

static int measure_variant(rk_report_builder *b, size_t which)
{
    static const char *const varies[] = {RK_NAME_BATCH, NULL};
    const rk_symbol *batch = rk_model_size(b->instance->model, RK_SIZE_BATCH);
    rk_i128 number[1] = {batch && batch->known ? batch->value : 1};
    rk_measure *measure = NULL;
    size_t n = 0;
    int code = rk_measures_parse(&b->arena, "memory.peak", &measure, &n, b->err);

    if (code == RK_OK)
        code = rk_report_step_gauge(b, which, varies, 1, number, measure, n);
    /* The account of the gauge's model serves, if that stays open. */
    if (code == RK_OK && rk_gauge_stays(b->gauge[which]))
        code = rk_gauge_account(b->gauge[which], &b->memory[which], b->err);
    else if (code == RK_OK)
        code = take_memory(b, which, b->line->setting, b->line->n_setting);
    if (code == RK_OK)
        code = find_batches(b, which, rk_arena_format(&b->arena, "training, %s", rk_report_steps[which].title), 0);
    return code;
}

static int add_variant(rk_report_builder *b, size_t which)
{
    static const char *const varies[] = {RK_NAME_BATCH, NULL};
    rk_dossier_variant *variant = &b->d.variant[which];
    int code = rk_report_step_line(b, which, varies);

    variant->title = rk_report_steps[which].title;
    if (code == RK_OK)
        code = rk_report_builder_excuse(b, measure_variant(b, which), &variant->not_for);
    variant->memory = variant->not_for ? NULL : b->memory[which];
    return code == RK_OK && variant->memory
               ? rk_report_builder_note(b, "memory", b->line, which, "", rk_report_steps[which].text)
               : code;
}

/* ---- decoding --------------------------------------------------------------------------------------------------- */

/* The symbol of which a decoding step has one: the one that T follows from, or S. */
static const char *fresh_of(const rk_report_builder *b)
{
    const rk_model *m = b->instance->model;
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
int rk_report_builder_context(rk_report_builder *b)
{
    static const char *const lengths[] = {RK_NAME_TOKENS, RK_NAME_TARGETS, RK_NAME_KEYS, NULL};
    rk_open_request request = b->request;
    rk_opened plain = {0};
    int code = rk_report_step_line(b, RK_STEP_LOOKING, lengths);

    b->d.context = context_in(b->instance, fresh_of(b));
    if (code != RK_OK || b->said[RK_STEP_LOOKING].n_setting == b->line->n_setting)
        return code;
    request.setting = b->said[RK_STEP_LOOKING].setting;
    request.n_setting = b->said[RK_STEP_LOOKING].n_setting;
    code = rk_open_all(&request, RK_FIND_MODEL, &plain, b->err);
    if (code == RK_OK)
        b->d.context = context_in(plain.instance, fresh_of(b));
    rk_opened_free(&plain);
    return code;
}

/* The cache and the peak of a decoding step at each length. */
static int read_lengths(rk_report_builder *b, rk_i128 batch)
{
    int code = RK_OK;

    for (size_t i = 0; i < b->d.n_length && code == RK_OK; i++) {
        rk_dossier_length *length = &b->d.length[i];
        rk_i128 number[2] = {batch, length->tokens};
        rk_reading reading[2] = {{0}};
        char tokens[RK_NUM_TEXT_MAX];
        const char *title = length->tokens > 0
                                ? rk_arena_format(&b->arena, "decoding, T = %s", rk_num_grouped(tokens, length->tokens))
                                : "decoding";

        code = rk_gauge_read(b->gauge[RK_STEP_DECODING], number, reading, b->err);
        length->peak = reading[0].over;
        length->cache = reading[1].over;
        if (code == RK_OK)
            code = find_batches(b, RK_STEP_DECODING, title, length->tokens);
    }
    return code;
}

static const char *const decoding_varies[] = {RK_NAME_BATCH, RK_NAME_KEYS};

static int take_decoding(rk_report_builder *b, const rk_i128 *number, size_t n)
{
    const rk_cmd_line *said = &b->said[RK_STEP_DECODING];
    const rk_run *run = &b->run[RK_STEP_DECODING];
    rk_setting *setting = RK_NEW_ARRAY(&b->arena, said->n_setting + n, rk_setting);
    int code;

    if (!setting)
        return rk_fail_memory(b->err);
    memcpy(setting, said->setting, said->n_setting * sizeof *setting);
    for (size_t i = 0; i < n; i++)
        setting[said->n_setting + i] = (rk_setting){.name = decoding_varies[i], .value = number[i]};
    code = take_memory(b, RK_STEP_DECODING, setting, said->n_setting + n);
    return code == RK_OK ? rk_run_serve(run, b->memory[RK_STEP_DECODING], &b->d.serving, b->err) : code;
}

/* The gauge begins at the first length; the account is of the last. */
static int measure_decoding(rk_report_builder *b)
{
    const rk_symbol *batch = rk_model_size(b->instance->model, RK_SIZE_BATCH);
    rk_i128 number[2] = {batch && batch->known ? batch->value : 1, b->d.length[0].tokens};
    size_t n = 0, n_symbol = number[1] > 0 ? 2 : 1;
    rk_measure *measure = NULL;
    int code = rk_measures_parse(&b->arena, "memory.peak,memory.cache", &measure, &n, b->err);

    if (code == RK_OK)
        code = rk_report_step_gauge(b, RK_STEP_DECODING, decoding_varies, n_symbol, number, measure, n);
    number[1] = b->d.length[b->d.n_length - 1].tokens;
    if (code == RK_OK)
        code = take_decoding(b, number, n_symbol);
    return code == RK_OK ? read_lengths(b, number[0]) : code;
}

/* "B=8 T=128K": what the line of decoding leaves to vary. */
static const char *numbers_of(rk_report_builder *b)
{
    rk_i128 last = b->d.length[b->d.n_length - 1].tokens;
    char tokens[RK_NUM_TEXT_MAX];
    const char *batch = "";

    for (size_t i = 0; i < b->line->n_setting; i++)
        if (rk_run_role(b->line->setting[i].name) == RK_SIZE_BATCH)
            batch = b->line->setting_word[i];
    if (last == 0)
        return batch;
    return rk_arena_format(&b->arena, "%s%sT=%s", batch, batch[0] ? " " : "", rk_num_text(tokens, last));
}

static int add_decoding(rk_report_builder *b)
{
    const char *const varies[] = {RK_NAME_BATCH, RK_NAME_KEYS, fresh_of(b), NULL};
    int code = rk_report_step_line(b, RK_STEP_DECODING, varies);
    const rk_symbol *seen = rk_model_size(b->instance->model, RK_SIZE_KEYS);
    rk_dossier *d = &b->d;

    /* The lengths at which decoding is looked at: that of the run, and the whole context. */
    d->length[d->n_length++].tokens = seen ? seen->value : 0;
    if (seen && d->context > seen->value)
        d->length[d->n_length++].tokens = d->context;
    if (code == RK_OK)
        code = rk_report_builder_excuse(b, measure_decoding(b), &b->d.not_decoded);
    b->d.decode = b->d.not_decoded ? NULL : b->memory[RK_STEP_DECODING];
    if (code != RK_OK || !b->d.decode)
        return code;
    return rk_report_builder_note(b, "memory", &b->said[RK_STEP_DECODING], RK_STEP_DECODING, numbers_of(b),
                                  rk_report_steps[RK_STEP_DECODING].text);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

int rk_report_builder_steps(rk_report_builder *b)
{
    int code = RK_OK;

    for (size_t i = 0; i < RK_DOSSIER_VARIANTS && code == RK_OK; i++)
        code = add_variant(b, i);
    return code == RK_OK ? add_decoding(b) : code;
}
