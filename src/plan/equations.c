/* SPDX-License-Identifier: MIT */
#include "plan/equations.h"

int rk_run_equations(const rk_run *run, rk_opened *opened, rk_ledger **ledger, rk_err *err)
{
    int code = rk_open_all(&run->equations, RK_FIND_MODEL, opened, err);

    return code == RK_OK ? rk_ledger_new(opened->instance, &run->ledger->convention, ledger, err) : code;
}

int rk_run_serve(const rk_run *run, const rk_memory *m, rk_serving *out, rk_err *err)
{
    rk_opened plain = {0};
    rk_ledger *equations = NULL;
    int code;

    *out = (rk_serving){0};
    if (m->options.phase != RK_PHASE_DECODE)
        return RK_OK;
    code = rk_run_equations(run, &plain, &equations, err);
    if (code == RK_OK)
        code = rk_serving_new(m->instance, equations, &m->carried, &m->holding, out, err);
    if (equations)
        rk_ledger_free(equations);
    rk_opened_free(&plain);
    return code;
}
