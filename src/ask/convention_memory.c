/* SPDX-License-Identifier: MIT */
#include "ask/convention_memory.h"

#include <string.h>

static const char *how_of(const rk_memory_options *o)
{
    static const char *const how[][2] = {
        [RK_PHASE_TRAIN] = {"a training step of PyTorch", "a training step by hand"},
        [RK_PHASE_PREFILL] = {"PyTorch reading a prompt", "reading a prompt, by hand"},
        [RK_PHASE_DECODE] = {"a decoding step of PyTorch", "a decoding step, by hand"}};

    return how[o->phase][o->profile.by_hand];
}

/* The one stack of layers, or NULL. */
static const rk_loop *stack(const rk_program *p)
{
    const rk_loop *found = NULL;

    for (size_t i = 0; i < p->n_loop; i++)
        if (p->loop[i].parent == 0) {
            if (found)
                return NULL;
            found = &p->loop[i];
        }
    return found;
}

static bool is_in(const char *path, const char *part)
{
    size_t n = strlen(part);

    return strncmp(path, part, n) == 0 && (path[n] == '.' || path[n] == '\0');
}

/* What all layers keep, divided by their number. */
static int find_layer(const rk_memory *m, rk_i128 *out, rk_err *err)
{
    const rk_loop *l = stack(&m->model->program);
    rk_i128 n = 0, sum = 0;
    int code = l ? rk_ex_eval(m->instance->pool, l->count, &m->instance->at, &n, err) : RK_OK;

    if (code != RK_OK || n <= 0)
        return code;
    for (size_t i = 0; i < m->kept.n; i++)
        if (is_in(m->kept.at[i].path, l->part))
            sum += m->kept.at[i].bytes * m->kept.at[i].times;
    *out = sum / n;
    return RK_OK;
}

int rk_exact_bytes_find(const rk_memory *m, rk_exact_bytes *out, rk_err *err)
{
    *out = (rk_exact_bytes){.bytes = m->options.bytes, .how = how_of(&m->options)};
    for (int i = 0; i < RK_N_ROW_CLASS; i++)
        out->of_class[i] = -1;
    if (m->options.phase != RK_PHASE_TRAIN)
        return rk_ex_eval(m->instance->pool, m->carried.per_token, &m->instance->at, &out->of_class[RK_ROWS_CACHE],
                          err);
    out->of_class[RK_ROWS_WEIGHTS] = m->parameters;
    out->of_class[RK_ROWS_GRADIENTS] = m->gradients;
    out->of_class[RK_ROWS_OPTIMIZER] = m->optimizer;
    out->of_class[RK_ROWS_TOGETHER] = m->parameters + m->gradients + m->optimizer;
    return find_layer(m, &out->of_class[RK_ROWS_LAYER], err);
}
