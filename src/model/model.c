/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

rk_binding rk_model_binding(const rk_model *m)
{
    size_t n = rk_sym_count(m->pool);

    return (rk_binding){.value = m->value, .known = m->known, .n = n < RK_SYM_MAX ? n : RK_SYM_MAX};
}

const rk_symbol *rk_model_symbol(const rk_model *m, const char *name)
{
    for (size_t i = 0; i < m->n_symbol; i++)
        if (strcmp(m->symbol[i].name, name) == 0)
            return &m->symbol[i];
    return NULL;
}

const rk_symbol *rk_model_size(const rk_model *m, rk_symbol_role role)
{
    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].role == role)
            return &m->symbol[i];
    return NULL;
}

bool rk_model_names(const rk_model *m, const char *name)
{
    while (!m->expansion)
        m = m->base;
    return rk_bind_find(m->expansion->global, name) != NULL;
}

const rk_setting *rk_model_setting(const rk_model *m, const char *name)
{
    while (!m->expansion)
        m = m->base;
    return rk_setting_find(m->expansion->source->setting, m->expansion->source->n_setting, name);
}

rk_ex rk_group_times(rk_pool *pool, const rk_program *p, uint32_t group)
{
    rk_ex times = rk_ex_int(pool, 1);

    for (; group != 0; group = p->group[group].parent)
        times = rk_ex_mul(pool, times, p->group[group].times);
    return times;
}

static uint32_t loop_of_symbol(const rk_program *p, rk_sym s)
{
    for (uint32_t l = 0; l < p->n_loop; l++)
        if (p->loop[l].index == s)
            return l;
    return RK_NONE;
}

/* A number in a name that is more than a running number: {i + 1}. The running numbers are symbols of the pool. */
static int name_number(const rk_model *m, rk_ex number, const rk_i128 *index, rk_i128 *out, rk_err *err)
{
    const rk_program *p = &m->program;
    size_t n = rk_sym_count(m->pool);
    rk_i128 *value = rk_heap_alloc(n * sizeof *value);
    bool *known = rk_heap_alloc(n);
    rk_binding at = {.value = value, .known = known, .n = n};
    int code = RK_ENOMEM;

    if (value && known) {
        memcpy(value, m->value, n * sizeof *value);
        memcpy(known, m->known, n);
        for (size_t l = 0; l < p->n_loop; l++) {
            value[p->loop[l].index] = index[l];
            known[p->loop[l].index] = true;
        }
        code = rk_ex_eval(m->pool, number, &at, out, err);
    } else {
        rk_fail_memory(err);
    }
    rk_heap_free(value);
    rk_heap_free(known);
    return code;
}

int rk_weight_name_text(const rk_model *m, const rk_weight_name *name, const rk_i128 *index, rk_str *out, rk_err *err)
{
    for (size_t i = 0; i < name->n; i++) {
        const rk_weight_piece *piece = &name->piece[i];
        rk_sym s = RK_SYM_NONE;
        uint32_t loop;
        rk_i128 number = 0;
        int code;

        if (piece->text) {
            rk_str_put(out, piece->text);
            continue;
        }
        loop = rk_ex_is_sym(m->pool, piece->number, &s) ? loop_of_symbol(&m->program, s) : RK_NONE;
        if (loop != RK_NONE)
            number = index[loop];
        else if ((code = name_number(m, piece->number, index, &number, err)) != RK_OK)
            return code;
        rk_str_num(out, number);
    }
    return out->failed ? rk_fail_memory(err) : RK_OK;
}
