/* SPDX-License-Identifier: MIT */
#include "account/count.h"

/* How often a group occurs. */
static int times_of(const rk_model *m, uint32_t group, const rk_binding *at, rk_acc *acc, rk_i128 *out, rk_err *err)
{
    int code = RK_OK;

    *out = 1;
    for (const rk_program *p = &m->program; group != 0 && code == RK_OK; group = p->group[group].parent) {
        rk_i128 n = 0;

        code = rk_ex_eval(m->pool, p->group[group].times, at, &n, err);
        *out = rk_mul(acc, *out, n);
    }
    return code;
}

int rk_count_stored(const rk_model *m, rk_i128 *out, rk_err *err)
{
    rk_binding at = rk_model_binding(m);
    rk_acc acc = {0};
    rk_i128 sum = 0, times = 0, count = 0;
    int code = RK_OK;

    for (size_t i = 0; i < m->program.n_weight && code == RK_OK; i++) {
        const rk_weight *w = &m->program.weight[i];

        if (w->buffer || w->tied_to != RK_NONE)
            continue;
        code = times_of(m, w->group, &at, &acc, &times, err);
        if (code == RK_OK)
            code = rk_ex_eval(m->pool, w->count, &at, &count, err);
        sum = rk_add(&acc, sum, rk_mul(&acc, times, count));
    }
    if (code == RK_OK && acc.overflow)
        code = rk_fail(err, RK_EOVERFLOW, "the parameters of %s exceed 128 bits", m->name);
    if (code == RK_OK)
        *out = sum;
    return code;
}

rk_i128 rk_count_tokens(const rk_model *m)
{
    const rk_symbol *length = rk_model_size(m, RK_SIZE_TOKENS), *batch = rk_model_size(m, RK_SIZE_BATCH);

    for (size_t i = 0; i < m->n_symbol; i++) {
        const rk_symbol *s = &m->symbol[i];
        bool is_free = s->kind == RK_SYMBOL_RUN && rk_sym_definition(m->pool, s->sym) == RK_EX_FAILED;

        if (is_free && s != length && s != batch)
            return 0;
    }
    if (!length || !batch || length->kind != RK_SYMBOL_RUN || !length->known || !batch->known)
        return 0;
    return length->value * batch->value;
}
