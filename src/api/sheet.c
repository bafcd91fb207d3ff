/* SPDX-License-Identifier: MIT */
/* Figures compiled, to be evaluated at many numbers. */
#include "api/api.h"

#include "plan/nearest.h"
#include "plan/setting.h"

#include <string.h>

struct reckon_sheet {
    const reckon_account *account;
    rk_arena arena;
    rk_tape *tape;
    size_t n; /* figures */
    rk_i128 *value;
    bool *known; /* of the symbols */
    rk_i128 *scratch, *result;
};

/* ---- making ----------------------------------------------------------------------------------------------------- */

static int compile(reckon_sheet *s, const reckon_figure *const *figure, rk_err *err)
{
    const rk_pool *pool = s->account->instance->pool;
    const rk_binding *at = &s->account->instance->at;
    rk_ex *ex = RK_NEW_ARRAY(&s->arena, s->n, rk_ex);

    if (!ex)
        return rk_fail_memory(err);
    for (size_t i = 0; i < s->n; i++) {
        if (!figure[i] || figure[i]->account != s->account)
            return rk_fail(err, RK_EUSAGE, "figure %zu %s", i, figure[i] ? "is of another account" : "is NULL");
        ex[i] = figure[i]->ex;
    }
    s->tape = rk_tape_new(pool, ex, s->n, err);
    if (!s->tape)
        return err->code;
    s->value = rk_arena_copy_array(&s->arena, at->value, at->n, sizeof *s->value);
    s->known = rk_arena_copy_array(&s->arena, at->known, at->n, sizeof *s->known);
    s->scratch = RK_NEW_ARRAY(&s->arena, rk_tape_scratch(s->tape), rk_i128);
    s->result = RK_NEW_ARRAY(&s->arena, s->n, rk_i128);
    return s->arena.failed ? rk_fail_memory(err) : RK_OK;
}

int reckon_sheet_new(const reckon_account *account, const reckon_figure *const *figure, size_t n, reckon_sheet **out,
                     reckon_error *error)
{
    rk_err err = {0};
    reckon_sheet *s;
    int code;

    if (!account || !out || (n > 0 && !figure))
        return rk_api_fail_null(error, !account ? "the account" : !out ? "out" : "the list of figures");
    rk_heap_begin();
    s = rk_heap_alloc(sizeof *s);
    if (!s)
        return rk_api_fail(error, RK_ENOMEM, "out of memory");
    *s = (reckon_sheet){.account = account, .n = n};
    code = rk_heap_end(compile(s, figure, &err), &err);
    if (code == RK_OK)
        *out = s;
    else
        reckon_sheet_free(&s);
    return rk_api_error(error, code, &err);
}

void reckon_sheet_free(reckon_sheet **sheet)
{
    reckon_sheet *s = sheet ? *sheet : NULL;

    if (!s)
        return;
    *sheet = NULL;
    rk_tape_free(s->tape);
    rk_arena_free(&s->arena);
    rk_heap_free(s);
}

/* ---- setting ---------------------------------------------------------------------------------------------------- */

static int set_symbol(reckon_sheet *sheet, const char *name, uint64_t value, rk_err *err)
{
    const reckon_account *a = sheet->account;
    rk_nearest near = {.word = name};
    char hint[RK_NEAREST_HINT_MAX];
    const reckon_symbol *s;
    size_t i = 0;
    rk_sym sym;

    for (; i < a->n_symbol && strcmp(a->symbol[i].name, name) != 0; i++)
        rk_nearest_try(&near, a->symbol[i].name);
    if (i == a->n_symbol)
        return rk_fail(err, RK_EINPUT, "%s has no symbol '%s'%s", a->model->name, name, rk_nearest_hint(&near, hint));
    s = &a->symbol[i];
    if (!s->may_change) { /* each has another way out */
        const char *why = s->definition                  ? "follows from other symbols"
                          : s->kind != RECKON_SYMBOL_RUN ? "is a symbol of the model, not of the run"
                                                         : "has shaped the account";

        return rk_fail(err, RK_EINPUT, "%s %s: open the model with another %s instead", name, why, name);
    }
    if (value < 1 || value > (uint64_t)RK_SETTING_VALUE_MAX)
        return rk_fail(err, RK_EINPUT, "%s = %llu: a size is from 1 to 2^63 - 1", name, (unsigned long long)value);
    sym = rk_sym_find(a->instance->pool, name);
    sheet->value[sym] = (rk_i128)value;
    sheet->known[sym] = true;
    return RK_OK;
}

int reckon_sheet_set(reckon_sheet *sheet, const char *symbol, uint64_t value, reckon_error *error)
{
    rk_err err; /* two kilobytes: filled on failure only */

    if (!sheet || !symbol)
        return rk_api_fail_null(error, sheet ? "the name of the symbol" : "the sheet");
    return rk_api_error(error, set_symbol(sheet, symbol, value, &err), &err);
}

/* ---- evaluating ------------------------------------------------------------------------------------------------- */

static int give_results(const reckon_sheet *s, reckon_count *out, rk_err *err)
{
    int code = RK_OK;
    reckon_count n;

    /* All or none: `out` is untouched on failure. */
    for (size_t i = 0; i < s->n && code == RK_OK; i++)
        code = rk_api_count(s->result[i], &n, err);
    for (size_t i = 0; i < s->n && code == RK_OK; i++)
        code = rk_api_count(s->result[i], &out[i], err);
    return code;
}

int reckon_sheet_evaluate(reckon_sheet *sheet, reckon_count *out, reckon_error *error)
{
    rk_err err; /* as above */
    rk_binding at;
    int code;

    if (!sheet || (!out && sheet->n > 0))
        return rk_api_fail_null(error, sheet ? "out" : "the sheet");
    at = (rk_binding){sheet->value, sheet->known, sheet->account->instance->at.n};
    code = rk_tape_eval(sheet->tape, &at, sheet->scratch, sheet->result, &err);
    if (code == RK_OK)
        code = give_results(sheet, out, &err);
    return rk_api_error(error, code, &err);
}
