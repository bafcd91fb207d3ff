/* SPDX-License-Identifier: MIT */
/* Figures: made while an account is opened, evaluated and printed for ever after. */
#include "api/api.h"

/* ---- making ----------------------------------------------------------------------------------------------------- */

static reckon_figure *add_figure(reckon_account *a, rk_ex ex)
{
    reckon_figure *f = RK_NEW(&a->arena, reckon_figure), **slot = f ? RK_PUSH(&a->arena, &a->figure) : NULL;

    if (!slot)
        return NULL;
    *f = (reckon_figure){a, ex, rk_ex_simplify(a->instance->pool, ex)};
    *slot = f;
    if (!rk_map_put(&a->arena, &a->known, (const char *)&ex, sizeof ex, (uint32_t)(a->figure.n - 1)))
        return NULL;
    return f;
}

const reckon_figure *rk_api_figure(reckon_account *a, rk_ex ex)
{
    uint32_t at = rk_map_get(&a->known, (const char *)&ex, sizeof ex);

    return at == RK_NONE ? add_figure(a, ex) : a->figure.at[at];
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

int reckon_value(const reckon_figure *figure, reckon_count *out, reckon_error *error)
{
    rk_err err = {0};
    rk_binding at;
    rk_i128 n = 0;
    int code;

    if (!figure || !out)
        return rk_api_fail_null(error, figure ? "out" : "the figure");
    at = figure->account->instance->at;
    code = rk_ex_eval(figure->account->instance->pool, figure->ex, &at, &n, &err);
    if (code == RK_OK)
        code = rk_api_count(n, out, &err);
    return rk_api_error(error, code, &err);
}

int reckon_formula(const reckon_figure *figure, int style, char **out, reckon_error *error)
{
    rk_str s = {0};

    if (!figure || !out)
        return rk_api_fail_null(error, figure ? "out" : "the figure");
    if (style < RECKON_TEXT || style > (RECKON_LATEX | RECKON_FACTORED))
        return rk_api_fail(error, RK_EUSAGE, "there is no such style of formulas");
    rk_heap_begin();
    rk_ex_print(figure->account->instance->pool, figure->form, style, &s);
    if (s.failed || !s.text || rk_heap_failed()) {
        rk_str_free(&s);
        return rk_api_fail(error, RK_ENOMEM, "out of memory");
    }
    *out = s.text;
    return RK_OK;
}

_Static_assert(RECKON_TEXT == (int)RK_PRINT_TEXT && RECKON_LATEX == (int)RK_PRINT_LATEX, "styles");
_Static_assert(RECKON_FACTORED == (int)RK_PRINT_FACTORED, "styles");

void reckon_text_free(char **text)
{
    if (!text)
        return;
    rk_heap_free(*text);
    *text = NULL;
}

const reckon_figure *reckon_total(const reckon_account *account, reckon_quantity quantity)
{
    return account && (unsigned)quantity < RK_N_QUANTITY ? account->total[quantity] : NULL;
}
