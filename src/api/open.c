/* SPDX-License-Identifier: MIT */
/* From a request to an account. */
#include "api/api.h"

#include <string.h>

int rk_api_books(reckon_account *a, rk_err *err)
{
    int code = rk_api_tables(a, err);

    if (code == RK_OK)
        code = rk_api_parts(a, err);
    return code == RK_OK ? rk_pool_check(a->instance->pool, err) : code;
}

static int do_books(const rk_run_request *r, reckon_account *a, rk_err *err)
{
    int code = rk_open(&r->open, &a->instance, err);

    if (code != RK_OK)
        return code;
    a->model = a->instance->model;
    code = rk_ledger_new(a->instance, &r->convention, &a->ledger, err);
    return code == RK_OK ? rk_api_books(a, err) : code;
}

static int open_account(const rk_run_request *r, reckon_account **out, rk_err *err)
{
    reckon_account *a = rk_heap_alloc(sizeof *a);
    int code;

    if (!a)
        return rk_fail_memory(err);
    memset(a, 0, sizeof *a);
    code = do_books(r, a, err);
    if (code == RK_OK)
        *out = a;
    else
        reckon_close(&a);
    return code;
}

int reckon_open(const reckon_request *request, reckon_account **out, char **mistakes, reckon_error *error)
{
    rk_err err = {0};
    rk_api_request r = {0};
    int code;

    if (!request || !out)
        return rk_api_fail_null(error, request ? "out" : "the request");
    code = rk_api_request_take(request, &r, &err);
    if (code == RK_OK)
        code = open_account(&r.run, out, &err);
    if (code != RK_OK)
        code = rk_api_give_mistakes(&r, mistakes, code, &err);
    rk_api_request_free(&r);
    return rk_api_error(error, code, &err);
}

void reckon_close(reckon_account **account)
{
    reckon_account *a = account ? *account : NULL;

    if (!a)
        return;
    *account = NULL;
    rk_ledger_free(a->ledger);
    rk_instance_free(a->instance);
    rk_arena_free(&a->arena);
    rk_heap_free(a);
}
