/* SPDX-License-Identifier: MIT */
#include "ask/gauge_source.h"

static int open_run(void *self, const rk_open_request *request, rk_gauge_run *out, rk_err *err)
{
    rk_run_request r = *(const rk_run_request *)self;
    rk_run *run = rk_heap_alloc(sizeof *run);
    int code;

    if (!run)
        return rk_fail_memory(err);
    r.open = *request;
    code = rk_run_open(&r, run, err);
    if (code != RK_OK) {
        rk_heap_free(run);
        return code;
    }
    *out = (rk_gauge_run){.instance = run->opened.instance, .options = &run->options, .owner = run};
    return RK_OK;
}

static void close_run(void *self, rk_gauge_run *run)
{
    (void)self;
    rk_run_close(run->owner);
    rk_heap_free(run->owner);
}

/* What a phase sets where nobody says it (one new token, decoding) holds for the equations, too. */
int rk_gauge_source_new(rk_arena *a, rk_run_request *r, const char *const *symbol, size_t n_symbol,
                        rk_gauge_source *out, rk_err *err)
{
    rk_varied varied = {symbol, n_symbol};
    rk_fresh fresh = {0};
    int code = rk_run_check(r, err);

    r->open.mistakes = NULL; /* threads would write into one text: they stand in the message */
    if (code == RK_OK)
        code = rk_tokens_keep_input(a, &r->open, err);
    if (code == RK_OK)
        code = rk_tokens_set(a, rk_run_phase(r), &varied, &r->open, &fresh, err);
    *out = (rk_gauge_source){
        .request = r->open,
        .convention = r->convention,
        .symbol = symbol,
        .n_symbol = n_symbol,
        .fresh = fresh,
        .bytes = rk_run_bytes(r),
        .open_run = open_run,
        .close_run = close_run,
        .self = r,
    };
    return code;
}
