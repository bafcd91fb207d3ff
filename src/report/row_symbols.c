/* SPDX-License-Identifier: MIT */
/* The symbols of an explained row, and where their numbers came from. */
#include "report/row.h"

const rk_binding *rk_row_numbers(rk_view *v)
{
    size_t n = rk_sym_count(v->pool);
    rk_i128 *value = RK_NEW_ARRAY(&v->arena, n + 1, rk_i128);
    bool *known = RK_NEW_ARRAY(&v->arena, n + 1, bool);
    rk_binding *at = RK_NEW(&v->arena, rk_binding);

    if (!value || !known || !at)
        return NULL;
    for (size_t i = 0; i < v->model->n_symbol; i++) {
        const rk_symbol *s = &v->model->symbol[i];

        value[s->sym] = v->instance->value[s->sym];
        known[s->sym] = s->known;
    }
    *at = (rk_binding){value, known, n};
    return at;
}

const char *rk_row_origin(rk_view *v, const rk_symbol *s)
{
    rk_ex definition = rk_sym_definition(v->pool, s->sym);
    rk_str out = {0};

    if (s->set)
        rk_str_put(&out, "set on the line");
    else if (s->key && !s->fallback)
        rk_str_format(&out, "%s of the config", s->key);
    else if (definition != RK_EX_FAILED)
        rk_ex_print(v->pool, definition, RK_PRINT_TEXT, &out);
    else
        rk_str_put(&out, !s->known                            ? "no value yet"
                         : s->key || s->kind == RK_SYMBOL_RUN ? "default"
                                                              : "the model file");
    /* A run's symbol may look at several keys: that one of them is not there says nothing. */
    if (s->key && s->fallback && !s->set && s->kind != RK_SYMBOL_RUN)
        rk_str_format(&out, "; the config has no %s", s->key);
    return rk_view_keep(v, &out);
}

static void mark(const rk_view *v, rk_ex e, bool *used)
{
    for (size_t i = 0; i < v->model->n_symbol; i++)
        used[i] |= rk_ex_has_sym(v->pool, e, v->model->symbol[i].sym);
}

/* Symbols in the definition of a used one are used too, and so on until there is no new one. */
static void mark_definitions(const rk_view *v, bool *used)
{
    for (size_t before = 0, n = 1; n != before;) {
        before = n;
        n = 1;
        for (size_t i = 0; i < v->model->n_symbol; i++) {
            rk_ex definition = rk_sym_definition(v->pool, v->model->symbol[i].sym);

            if (used[i] && definition != RK_EX_FAILED)
                mark(v, definition, used);
        }
        for (size_t i = 0; i < v->model->n_symbol; i++)
            n += used[i];
    }
}

void rk_row_see_used(rk_view *v, const rk_ex *e, size_t n, rk_row_see *see, rk_table *t)
{
    static const rk_symbol_kind kind[] = {RK_SYMBOL_RUN, RK_SYMBOL_MODEL};
    bool *used = RK_NEW_ARRAY(&v->arena, v->model->n_symbol + 1, bool);

    for (size_t i = 0; used && i < n; i++)
        mark(v, e[i], used);
    if (used)
        mark_definitions(v, used);
    for (size_t k = 0; used && k < sizeof kind / sizeof *kind; k++)
        for (size_t i = 0; i < v->model->n_symbol; i++)
            if (v->model->symbol[i].kind == kind[k] && used[i])
                see(v, t, &v->model->symbol[i]);
}

void rk_row_see_symbols(rk_view *v, const rk_explanation *x, rk_row_see *see, rk_table *t)
{
    const rk_derivation *d = &x->derived;
    rk_ex *e = RK_NEW_ARRAY(&v->arena, 3 * d->n_step + 1, rk_ex);
    size_t n = 0;

    for (size_t i = 0; e && i < d->n_step; i++) {
        e[n++] = d->step[i].figure;
        e[n++] = d->step[i].formula;
        e[n++] = d->step[i].node->times;
    }
    if (e)
        rk_row_see_used(v, e, n, see, t);
}

rk_ex rk_row_moved(const rk_view *v, const rk_explain_op *op)
{
    rk_ex sum = rk_ex_int(v->pool, 0);

    for (size_t i = 0; i < op->n_tensor; i++)
        sum = rk_ex_add(v->pool, sum, op->tensor[i].elements);
    return sum;
}
