/* SPDX-License-Identifier: MIT */
#include "cli/gauge.h"

#include "plan/setting.h"

#include <pthread.h>
#include <string.h>

/* Opening a run may add to the line's arena, which one thread at a time may do. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static int open_run(void *self, const rk_open_request *request, rk_gauge_run *out, rk_err *err)
{
    rk_cli_run *run = rk_heap_alloc(sizeof *run);
    int code;

    if (!run)
        return rk_fail_memory(err);
    pthread_mutex_lock(&opening);
    code = rk_cli_run_open(self, request, run, err);
    pthread_mutex_unlock(&opening);
    if (code != RK_OK) {
        rk_heap_free(run);
        return code;
    }
    *out = (rk_gauge_run){.model = run->opened.model, .options = &run->options, .owner = run};
    return RK_OK;
}

static void close_run(void *self, rk_gauge_run *run)
{
    rk_cli_run *own = run->owner;

    (void)self;
    rk_cli_run_close(own);
    rk_heap_free(own);
}

/* Bytes of a number of the run, where the line says its type. */
static int bytes_said(const rk_cli_line *line)
{
    return rk_cli_value(line, "--dtype") ? rk_cli_run_bytes(line) : 0;
}

static bool varies(const rk_gauge_source *s, const char *name)
{
    for (size_t i = 0; i < s->n_symbol; i++)
        if (strcmp(s->symbol[i], name) == 0)
            return true;
    return false;
}

/*
 * What a phase sets where the line leaves it open (one new token, decoding) holds for the equations, too.  Symbols that
 * vary are left out again: they have numbers of their own.
 */
static int settle_phase(const rk_cli_line *line, rk_gauge_source *s, rk_err *err)
{
    rk_phase phase = (rk_phase)rk_cli_choice(line, "--phase");
    rk_arena *a = (rk_arena *)&line->arena;
    size_t n = s->request.n_setting;
    rk_setting *all = RK_NEW_ARRAY(a, n + s->n_symbol + 1, rk_setting);
    rk_open_request r = s->request;
    rk_cli_infer infer = {0};
    int code;

    if (phase == RK_PHASE_TRAIN)
        return RK_OK;
    if (!all)
        return rk_fail_memory(err);
    if (n)
        memcpy(all, s->request.setting, n * sizeof *all);
    r.setting = all;
    r.n_setting = n;
    for (size_t i = 0; i < s->n_symbol; i++)
        if (rk_cli_is_length(s->symbol[i])) /* more keys than anything new could be */
            all[r.n_setting++] = (rk_setting){.name = s->symbol[i], .value = RK_SETTING_VALUE_MAX};
    code = rk_cli_infer_request(line, phase, &r, &infer, err);
    if (code != RK_OK)
        return code;
    all = RK_NEW_ARRAY(a, r.n_setting + 1, rk_setting);
    s->request.n_setting = 0;
    for (size_t i = 0; all && i < r.n_setting; i++)
        if (!varies(s, r.setting[i].name))
            all[s->request.n_setting++] = r.setting[i];
    s->request.setting = all;
    return all ? RK_OK : rk_fail_memory(err);
}

int rk_cli_gauge_request(const rk_cli_line *line, const rk_open_request *request, const char *const *symbol,
                         size_t n_symbol, rk_gauge_source *source, rk_err *err)
{
    int code;

    *source = (rk_gauge_source){.request = *request,
                                .symbol = symbol,
                                .n_symbol = n_symbol,
                                .bytes = bytes_said(line),
                                .open_run = open_run,
                                .close_run = close_run,
                                .self = (void *)line};
    source->request.mistakes = NULL; /* threads would write into one text; the error's message has to do */
    code = rk_cli_convention(line, &source->convention, err);
    if (code == RK_OK)
        code = rk_cli_adapt(line, &source->request.adapt, err);
    if (code == RK_OK)
        code = rk_cli_check_library(err);
    if (code == RK_OK)
        code = rk_cli_keep_input((rk_arena *)&line->arena, &source->request, err);
    if (code == RK_OK)
        code = settle_phase(line, source, err);
    return code;
}

int rk_cli_gauge_source(const rk_cli_line *line, const char *const *word, size_t n_word, const char *const *symbol,
                        size_t n_symbol, rk_cli_output *out, rk_gauge_source *source, rk_err *err)
{
    rk_open_request request = rk_cli_request(line, out);

    request.word = word;
    request.n_word = n_word;
    return rk_cli_gauge_request(line, &request, symbol, n_symbol, source, err);
}
