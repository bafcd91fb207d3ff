/* SPDX-License-Identifier: MIT */
#include "ask/convention_memory.h"

#include <string.h>

/* What all layers keep, divided by their number, where they are one stack. */
static int find_layer(const rk_memory *m, rk_i128 *out, rk_err *err)
{
    const rk_program *p = &m->model->program;
    const rk_loop *l = NULL;
    rk_i128 n = 0, sum = 0;
    size_t n_stack = 0, length;
    int code;

    for (size_t i = 0; i < p->n_loop; i++)
        if (p->loop[i].parent == 0) {
            l = &p->loop[i];
            n_stack++;
        }
    if (n_stack != 1)
        return RK_OK;
    code = rk_ex_eval(m->instance->pool, l->count, &m->instance->at, &n, err);
    if (code != RK_OK || n <= 0)
        return code;
    length = strlen(l->part);
    for (size_t i = 0; i < m->saved_rows.n; i++) {
        const char *path = m->saved_rows.at[i].path;

        if (strncmp(path, l->part, length) == 0 && (path[length] == '.' || path[length] == '\0'))
            sum += m->saved_rows.at[i].bytes * m->saved_rows.at[i].times;
    }
    *out = sum / n;
    return RK_OK;
}

int rk_exact_bytes_find(const rk_memory *m, rk_exact_bytes *out, rk_err *err)
{
    static const char *const how[][2] = {
        [RK_PHASE_TRAIN] = {"a training step of PyTorch", "a training step by hand"},
        [RK_PHASE_PREFILL] = {"PyTorch reading a prompt", "reading a prompt, by hand"},
        [RK_PHASE_DECODE] = {"a decoding step of PyTorch", "a decoding step, by hand"}};

    *out = (rk_exact_bytes){.bytes = m->options.bytes, .how = how[m->options.phase][m->options.profile.textbook]};
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
