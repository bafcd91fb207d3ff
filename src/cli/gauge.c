/* SPDX-License-Identifier: MIT */
#include "cli/gauge.h"

int rk_cli_gauge_request(rk_arena *a, const rk_cli_line *line, const rk_open_request *request,
                         const char *const *symbol, size_t n_symbol, rk_gauge_source *source, rk_err *err)
{
    rk_run_request *r = RK_NEW(a, rk_run_request);
    int code = r ? rk_cli_run_request(line, request, r, err) : rk_fail_memory(err);

    return code == RK_OK ? rk_gauge_source_new(a, r, symbol, n_symbol, source, err) : code;
}

int rk_cli_gauge_source(const rk_cli_line *line, const char *const *word, size_t n_word, const char *const *symbol,
                        size_t n_symbol, rk_cli_output *out, rk_gauge_source *source, rk_err *err)
{
    rk_open_request request = rk_cli_request(line, out);
    int code;

    request.word = word;
    request.n_word = n_word;
    code = rk_cli_gauge_request(&out->arena, line, &request, symbol, n_symbol, source, err);
    if (code == RK_OK)
        source->mistakes = &out->mistakes;
    return code;
}
