/* SPDX-License-Identifier: MIT */
#include "model/instance.h"

int rk_instance_copy(rk_arena *a, const rk_instance *m, rk_instance *out, rk_err *err)
{
    *out = *m;
    out->arena = out->texts = (rk_arena){0};
    out->owns = false;
    out->value = rk_arena_copy_array(a, m->at.value, m->at.n, sizeof *m->at.value);
    out->known = rk_arena_copy_array(a, m->at.known, m->at.n, sizeof *m->at.known);
    out->at = (rk_binding){out->value, out->known, m->at.n};
    return out->value && out->known ? RK_OK : rk_fail_memory(err);
}

int rk_instance_new(const rk_model *m, rk_instance **out, rk_err *err)
{
    rk_instance as_opened = {.model = m, .program = &m->program, .at = rk_model_binding(m)};
    rk_instance *x = rk_heap_alloc(sizeof *x);
    rk_arena arena = {0};

    if (!x)
        return rk_fail_memory(err);
    as_opened.pool = rk_pool_over(m->pool);
    if (!as_opened.pool || rk_instance_copy(&arena, &as_opened, x, NULL) != RK_OK) {
        rk_pool_free(as_opened.pool);
        rk_arena_free(&arena);
        rk_heap_free(x);
        return rk_fail_memory(err);
    }
    x->arena = arena;
    *out = x;
    return RK_OK;
}

int rk_instance_of(const rk_model *m, rk_instance **out, rk_err *err)
{
    int code = rk_instance_new(m, out, err);

    if (code == RK_OK)
        (*out)->owns = true;
    else
        rk_model_free(m);
    return code;
}

void rk_instance_free(rk_instance *m)
{
    if (!m)
        return;
    rk_pool_free(m->pool);
    rk_arena_free(&m->arena);
    rk_arena_free(&m->texts);
    if (m->owns)
        rk_model_free(m->model);
    rk_heap_free(m);
}

rk_i128 rk_instance_value(const rk_instance *m, rk_ex e, int *code, rk_err *err)
{
    rk_i128 n = 0;

    if (*code == RK_OK)
        *code = rk_ex_eval(m->pool, e, &m->at, &n, err);
    return n;
}

void rk_instance_set(rk_instance *m, rk_sym s, rk_i128 n)
{
    m->value[s] = n;
}
