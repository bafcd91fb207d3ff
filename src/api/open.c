/* SPDX-License-Identifier: MIT */
/* From a request to an account. */
#include "api/api.h"

int reckon_open(const reckon_request *request, reckon_account **out, char **mistakes, reckon_error *error)
{
    rk_err err = {0};
    rk_api_request r = {0};
    reckon_account *a;
    int code;

    if (!request || !out)
        return rk_api_fail_null(error, request ? "out" : "the request");
    a = rk_api_new(sizeof *a, &err);
    code = a ? rk_api_request_take(request, &r, &err) : RK_ENOMEM;
    if (code == RK_OK)
        code = rk_api_layout(&r, &a->arena, &r.run.open.passes.layout, &err);
    if (code == RK_OK)
        code = rk_open(&r.run.open, &a->instance, &err);
    if (code == RK_OK) {
        a->model = a->instance->model;
        code = rk_ledger_new(a->instance, &r.run.convention, &a->ledger, &err);
    }
    if (code == RK_OK)
        code = rk_api_books(a, &err);
    code = rk_heap_end(code, &err);
    if (code == RK_OK) {
        *out = a;
    } else {
        reckon_close(&a);
        code = rk_api_give_mistakes(&r, mistakes, code, &err);
    }
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
