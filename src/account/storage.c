/* SPDX-License-Identifier: MIT */
#include "account/storage.h"

#include "account/packing.h"

#include <string.h>

/* ---- by a type -------------------------------------------------------------------------------------------------- */

/* Bytes of a matrix, or of a stack of them, in a type of few bits; `*row`: numbers along which the products sum. */
static rk_ex matrix_bytes(const rk_instance *m, uint32_t i, rk_number number, rk_ex *row)
{
    const rk_weight *w = &m->program->weight[i];
    rk_ex matrices = w->n_dim == 3 ? w->dim[0] : rk_ex_int(m->pool, 1);

    *row = w->dim[w->n_dim - (m->model->roles.weight[i].input_first ? 2 : 1)];
    return rk_number_matrix(m->pool, number, w->count, rk_ex_div(m->pool, w->count, *row), matrices);
}

static int check_packed(const rk_instance *m, const rk_weight *w, rk_ex row, rk_number number, bool trained,
                        rk_err *err)
{
    int block = rk_number_block(number), code;
    const char *word = rk_number_table[number].word;
    rk_i128 n = 0;

    if (trained && !w->frozen)
        return rk_fail(err, RK_EINPUT,
                       "%s is trained, and cannot be while it is stored as %s: --lora or --freeze leaves it alone",
                       w->pattern, word);
    if ((code = rk_ex_eval(m->pool, row, &m->at, &n, err)) != RK_OK || n % block == 0)
        return code;
    return rk_fail(err, RK_EINPUT, "%s cannot be stored as %s: its rows have %lld numbers, and a block %d", w->pattern,
                   word, (long long)n, block);
}

int rk_storage_new(rk_arena *a, const rk_instance *m, int bytes, rk_number number, bool trained, rk_storage *out,
                   rk_err *err)
{
    const rk_program *p = m->program;
    bool same = number == RK_NUMBER_SAME;
    int code = RK_OK;

    *out = (rk_storage){.each = RK_NEW_ARRAY(a, p->n_weight + 1, rk_ex),
                        .packed = RK_NEW_ARRAY(a, p->n_weight + 1, bool),
                        .by_weight = true,
                        .from = same ? NULL : rk_number_table[number].word};
    if (!out->each || !out->packed)
        return rk_fail_memory(err);
    for (uint32_t i = 0; i < p->n_weight && code == RK_OK; i++) {
        const rk_weight *w = &p->weight[i];
        rk_matrix matrix = m->model->roles.weight[i].matrix;
        rk_ex row;

        /* Adapters stand beside the weights that are held in few bits, and are not. */
        if (same || (matrix != RK_MATRIX_LINEAR && matrix != RK_MATRIX_STACK) || w->adapter != RK_ADAPTER_NONE) {
            out->each[i] = rk_ex_mul(m->pool, rk_ex_int(m->pool, w->wide ? 4 : bytes), w->count);
            continue;
        }
        out->each[i] = matrix_bytes(m, i, number, &row);
        out->packed[i] = !rk_number_is_plain(number);
        if (out->packed[i])
            code = check_packed(m, w, row, number, trained, err);
    }
    return code;
}

/* ---- by a config ------------------------------------------------------------------------------------------------ */

/* Layers of one group may be packed differently: then a share of them all. */
static int share_out(const rk_ledger *l, const rk_i128 *bytes, rk_storage *out, rk_err *err)
{
    const rk_program *p = &l->model->program;
    int code = RK_OK;

    for (size_t i = 0; i < p->n_weight && code == RK_OK; i++) {
        rk_i128 times = 0;

        code = rk_ex_eval(l->pool, rk_group_times(l->pool, p, p->weight[i].group), &l->instance->at, &times, err);
        out->each[i] = rk_ex_ratio(l->pool, bytes[i], times > 0 ? times : 1);
    }
    return code;
}

int rk_storage_of_config(rk_arena *a, const rk_ledger *l, int run, rk_storage *out, rk_err *err)
{
    size_t n = l->model->program.n_weight + 1;
    rk_i128 *bytes = RK_NEW_ARRAY(a, n, rk_i128);
    const char *unknown = NULL;
    rk_names names = {0};
    int code = rk_packing_obstacle(l, &unknown, err);

    *out = (rk_storage){.each = RK_NEW_ARRAY(a, n, rk_ex), .by_weight = true, .from = l->model->quant.method};
    if (!bytes || !out->each)
        return rk_fail_memory(err);
    if (code == RK_OK && unknown)
        return rk_fail(err, RK_EINPUT,
                       "the bytes of this quantised checkpoint are not known: %s; --weights says a type", unknown);
    if (code == RK_OK)
        code = rk_packing_sample(l, &names, err);
    for (size_t i = 0; i < names.n && code == RK_OK; i++) {
        const rk_named *t = &names.at[i];
        /* Where the config leaves out the type of what is not packed, it is that of the run; a text has no bytes. */
        rk_i128 each = t->dtype || !t->dim ? t->bytes : t->count * run;

        if (!t->tied_to && !t->buffer)
            bytes[t->weight] += each * t->times;
    }
    if (code == RK_OK)
        code = share_out(l, bytes, out, err);
    rk_names_free(&names);
    return code;
}

/* ---- by a file -------------------------------------------------------------------------------------------------- */

/* Whether the file has every name of a layout; then the bytes of each weight, in all its layers. */
static int match(const rk_ledger *l, const rk_store *s, rk_naming layout, rk_i128 *bytes, bool *all, rk_err *err)
{
    rk_names names = {0};
    /* Packed names where the config packs. */
    bool packed = l->model->quant.method && layout == RK_NAMING_CHECKPOINT;
    int code = packed ? rk_packing_list(l, &names, err) : rk_names_new(l, layout, &names, err);

    *all = code == RK_OK;
    for (size_t i = 0; i < names.n && *all; i++) {
        const rk_named *t = &names.at[i];
        const rk_stored *found = t->tied_to || t->buffer ? NULL : rk_store_find(s, t->name, strlen(t->name));

        *all = found || t->tied_to || t->buffer;
        bytes[t->weight] += found ? (rk_i128)found->bytes : 0;
    }
    rk_names_free(&names);
    return code;
}

int rk_storage_of_store(rk_arena *a, const rk_ledger *l, const rk_store *s, rk_storage *out, rk_err *err)
{
    static const rk_naming layout[] = {RK_NAMING_CHECKPOINT, RK_NAMING_REFERENCE};
    size_t n = l->model->program.n_weight + 1;
    int code = RK_OK;

    *out = (rk_storage){.each = RK_NEW_ARRAY(a, n, rk_ex), .whole = (rk_i128)s->bytes, .file = true};
    if (!out->each)
        return rk_fail_memory(err);
    if (s->n_known < s->n_tensor)
        return rk_fail(err, RK_EINPUT,
                       "not all shards of the checkpoint are here: what it stores is not known; "
                       "its config alone says what it should");
    for (size_t i = 0; i < 2 && code == RK_OK && !out->by_weight; i++) {
        rk_i128 *bytes = RK_NEW_ARRAY(a, n, rk_i128);

        if (!bytes)
            return rk_fail_memory(err);
        code = match(l, s, layout[i], bytes, &out->by_weight, err);
        if (code == RK_OK && out->by_weight)
            code = share_out(l, bytes, out, err);
    }
    return code;
}

/* ---- of one rank ------------------------------------------------------------------------------------------------ */

static uint32_t find_weight(const rk_program *p, const char *pattern, uint32_t guess)
{
    if (guess < p->n_weight && strcmp(p->weight[guess].pattern, pattern) == 0)
        return guess;
    for (uint32_t i = 0; i < p->n_weight; i++)
        if (strcmp(p->weight[i].pattern, pattern) == 0)
            return i;
    return RK_NONE;
}

int rk_storage_of_rank(rk_arena *a, const rk_instance *rank, const rk_instance *whole, const rk_storage *of,
                       rk_storage *out, rk_err *err)
{
    const rk_program *p = rank->program;
    rk_pool *pool = rank->pool;
    int code = RK_OK;

    *out = *of;
    if (!of->by_weight)
        return rk_fail(err, RK_EINPUT,
                       "of this file the bytes of all weights together are known, which cannot be divided: --weights "
                       "says a type for all matrices");
    if (!(out->each = RK_NEW_ARRAY(a, p->n_weight + 1, rk_ex)))
        return rk_fail_memory(err);
    for (uint32_t i = 0; i < p->n_weight && code == RK_OK; i++) {
        uint32_t w = find_weight(whole->program, p->weight[i].pattern, i);
        rk_i128 n = 0, num = 0, den = 1;

        out->each[i] = rk_ex_int(pool, 0);
        if (w == RK_NONE)
            continue;
        code = rk_ex_eval(whole->pool, whole->program->weight[w].count, &whole->at, &n, err);
        if (code == RK_OK)
            code = rk_ex_eval_ratio(whole->pool, of->each[w], &whole->at, &num, &den, err);
        if (code == RK_OK && n > 0)
            out->each[i] = rk_ex_ceil_div(pool, rk_ex_mul(pool, rk_ex_int(pool, num), p->weight[i].count),
                                          rk_ex_int(pool, n * den));
    }
    return code;
}
