/* SPDX-License-Identifier: MIT */
#include "command/run.h"

#include "command/amount.h"
#include "command/commands.h"
#include "command/spelling.h"

#include <string.h>

/* ---- the step --------------------------------------------------------------------------------------------------- */

static int read_words(const rk_cmd_line *line, rk_run_request *out, rk_err *err)
{
    char option[RK_RUN_OPTION_MAX];
    int code = RK_OK;

    for (int w = 0; w < RK_N_RUN_WORD; w++)
        out->word[w] = rk_cmd_value(line, rk_run_word_option((rk_run_word)w, option));
    for (int c = 0; c < RK_N_RUN_COUNT && code == RK_OK; c++)
        code = rk_cmd_count(line, rk_run_count_option((rk_run_count)c, option), &out->count[c], err);
    for (int i = 0; i < RK_N_LAYOUT_OPTION; i++)
        out->layout.said[i] = rk_cmd_value(line, rk_layout_option_name[i]);
    return code;
}

int rk_cmd_run_request(const rk_cmd_line *line, const rk_open_request *open, rk_run_request *out, rk_err *err)
{
    int code;

    *out = (rk_run_request){.open = *open, .as_options = true};
    code = rk_cmd_convention(line, &out->convention, err);
    if (code == RK_OK)
        code = rk_cmd_adapt(line, &out->open.adapt, err);
    if (code == RK_OK)
        code = read_words(line, out, err);
    if (code == RK_OK)
        code = rk_run_check(out, err);
    return code == RK_OK ? rk_cmd_check_library(line, err) : code;
}

int rk_cmd_run_open(const rk_cmd_line *line, const rk_open_request *open, rk_run *out, rk_err *err)
{
    rk_run_request r;
    int code = rk_cmd_run_request(line, open, &r, err);

    *out = (rk_run){0};
    return code == RK_OK ? rk_run_open(&r, out, err) : code;
}

/* ---- amounts ---------------------------------------------------------------------------------------------------- */

int rk_cmd_within(const rk_cmd_line *line, rk_i128 *out, rk_err *err)
{
    const char *batch = rk_cmd_setting(line, RK_NAME_BATCH);
    rk_str retyped = {0};
    int code;

    *out = 0;
    code = rk_cmd_bytes(line, "--within", 1, out, err);
    if (code == RK_OK && *out > 0 && batch) {
        rk_spelling_put_retyped(line, &rk_command_fit, &retyped);
        code = rk_fail(err, RK_EUSAGE, "--within finds B: leave out %s; whether that fits: '%s'", batch,
                       rk_str_text(&retyped));
        rk_str_free(&retyped);
    }
    return code;
}

int rk_cmd_bandwidth(const rk_cmd_line *line, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cmd_value(line, "--bandwidth"), *text = value;

    *out = 0;
    if (!value)
        return RK_OK;
    if (rk_cmd_choice(line, "--phase") != RK_PHASE_DECODE)
        return rk_fail(err, RK_EUSAGE, "--bandwidth is about decoding: add --phase decode");
    *out = rk_cmd_amount(&text);
    if (*out > 0 && (strcmp(text, "B/s") == 0 || *text == '\0'))
        return RK_OK;
    return rk_cmd_amount_fail(*out, "--bandwidth", value, "bytes in a second, such as 3.35TB/s", err);
}

/* ---- gauges ----------------------------------------------------------------------------------------------------- */

int rk_cmd_gauge_request(rk_arena *a, const rk_cmd_line *line, const rk_open_request *request,
                         const char *const *symbol, size_t n_symbol, rk_gauge_source *source, rk_err *err)
{
    rk_run_request *r = RK_NEW(a, rk_run_request);
    int code = r ? rk_cmd_run_request(line, request, r, err) : rk_fail_memory(err);

    return code == RK_OK ? rk_gauge_source_new(a, r, symbol, n_symbol, source, err) : code;
}

int rk_cmd_gauge_source(const rk_cmd_line *line, const char *const *word, size_t n_word, const char *const *symbol,
                        size_t n_symbol, rk_cmd_output *out, rk_gauge_source *source, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    int code;

    request.word = word;
    request.n_word = n_word;
    code = rk_cmd_gauge_request(&out->arena, line, &request, symbol, n_symbol, source, err);
    if (code == RK_OK)
        source->mistakes = &out->mistakes;
    return code;
}
