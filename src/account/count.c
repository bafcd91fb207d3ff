/* SPDX-License-Identifier: MIT */
#include "account/count.h"

int rk_count_stored(const rk_model *m, rk_i128 *out, rk_err *err)
{
    const rk_program *p = &m->program;
    rk_binding at = rk_model_binding(m);
    rk_acc acc = {0};
    rk_i128 sum = 0;
    int code = RK_OK;

    for (size_t i = 0; i < p->n_weight && code == RK_OK; i++) {
        const rk_weight *w = &p->weight[i];
        rk_i128 all = 1, n = 0;

        if (w->buffer || w->tied_to != RK_NONE)
            continue;
        for (uint32_t g = w->group; g != 0 && code == RK_OK; g = p->group[g].parent) {
            code = rk_ex_eval(m->pool, p->group[g].times, &at, &n, err);
            all = rk_mul(&acc, all, n);
        }
        if (code == RK_OK)
            code = rk_ex_eval(m->pool, w->count, &at, &n, err);
        sum = rk_add(&acc, sum, rk_mul(&acc, all, n));
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
