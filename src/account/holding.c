/* SPDX-License-Identifier: MIT */
#include "account/holding.h"

#include "account/packing.h"

#include <string.h>

/* ---- by a type -------------------------------------------------------------------------------------------------- */

typedef struct holding {
    const rk_instance *m;
    int bytes;
    rk_number number;
    bool trained;
    rk_binding at;
    rk_err *err;
} holding;

/* Adapters stand beside the weights that are held in few bits, and are not. */
static bool is_matrix(const holding *h, uint32_t i)
{
    rk_matrix matrix = h->m->model->roles.weight[i].matrix;

    return (matrix == RK_MATRIX_LINEAR || matrix == RK_MATRIX_STACK) &&
           h->m->program->weight[i].adapter == RK_ADAPTER_NONE;
}

/* The stored dimension along which the products sum. */
static rk_ex input_of(const holding *h, uint32_t i)
{
    const rk_weight *w = &h->m->program->weight[i];

    return w->dim[w->n_dim - (h->m->model->roles.weight[i].input_first ? 2 : 1)];
}

static int check_rows(const holding *h, uint32_t i)
{
    const rk_weight *w = &h->m->program->weight[i];
    int block = rk_number_block(h->number), code;
    const char *word = rk_number_table[h->number].word;
    rk_i128 row = 0;

    if (h->trained && !w->frozen)
        return rk_fail(h->err, RK_EINPUT,
                       "%s is trained, and cannot be while it is held as %s: --lora or --freeze leaves it alone",
                       w->pattern, word);
    if ((code = rk_ex_eval(h->m->pool, input_of(h, i), &h->at, &row, h->err)) != RK_OK || row % block == 0)
        return code;
    return rk_fail(h->err, RK_EINPUT, "%s cannot be held as %s: its rows have %lld numbers, and a block %d", w->pattern,
                   word, (long long)row, block);
}

static rk_ex plain_bytes(const holding *h, const rk_weight *w)
{
    return rk_ex_mul(h->m->pool, rk_ex_int(h->m->pool, w->wide ? 4 : h->bytes), w->count);
}

static rk_ex matrix_bytes(const holding *h, uint32_t i)
{
    const rk_weight *w = &h->m->program->weight[i];
    rk_pool *pool = h->m->pool;
    rk_ex matrices = w->n_dim == 3 ? w->dim[0] : rk_ex_int(pool, 1);

    return rk_number_matrix(pool, h->number, w->count, rk_ex_div(pool, w->count, input_of(h, i)), matrices);
}

int rk_holding_new(rk_arena *a, const rk_instance *m, int bytes, rk_number number, bool trained, rk_holding *out,
                   rk_err *err)
{
    const rk_program *p = m->program;
    holding h = {m, bytes, number, trained, m->at, err};
    bool same = number == RK_NUMBER_SAME;
    int code = RK_OK;

    *out = (rk_holding){.each = RK_NEW_ARRAY(a, p->n_weight + 1, rk_ex),
                        .packed = RK_NEW_ARRAY(a, p->n_weight + 1, bool),
                        .by_weight = true};
    if (!out->each || !out->packed)
        return rk_fail_memory(err);
    for (uint32_t i = 0; i < p->n_weight && code == RK_OK; i++) {
        bool typed = !same && is_matrix(&h, i);

        out->packed[i] = typed && !rk_number_is_plain(number);
        code = out->packed[i] ? check_rows(&h, i) : RK_OK;
        out->each[i] = typed ? matrix_bytes(&h, i) : plain_bytes(&h, &p->weight[i]);
    }
    out->from = same ? NULL : rk_number_table[number].word;
    return code;
}

/* ---- by a config ------------------------------------------------------------------------------------------------ */

/* Where the config leaves out the type of what is not packed, it is that of the run; a text has no bytes. */
static rk_i128 named_bytes(const rk_named *t, int run)
{
    return t->dtype || !t->dim ? t->bytes : t->count * run;
}

/* Bytes of all layers of each weight, from the names of the checkpoint. */
static void add_names(const rk_names *names, int run, rk_i128 *bytes)
{
    for (size_t i = 0; i < names->n; i++)
        if (!names->at[i].tied_to && !names->at[i].buffer)
            bytes[names->at[i].weight] += named_bytes(&names->at[i], run) * names->at[i].times;
}

/* Layers of one group may be packed differently: then a share of them all. */
static int share_out(const rk_ledger *l, const rk_i128 *bytes, rk_holding *out, rk_err *err)
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

int rk_holding_of_config(rk_arena *a, const rk_ledger *l, int run, rk_holding *out, rk_err *err)
{
    size_t n = l->model->program.n_weight + 1;
    rk_i128 *bytes = RK_NEW_ARRAY(a, n, rk_i128);
    const char *unknown = NULL;
    rk_names names = {0};
    int code = rk_packing_obstacle(l, &unknown, err);

    *out = (rk_holding){.each = RK_NEW_ARRAY(a, n, rk_ex), .by_weight = true, .from = l->model->quant.method};
    if (!bytes || !out->each)
        return rk_fail_memory(err);
    if (code == RK_OK && unknown)
        return rk_fail(err, RK_EINPUT,
                       "the bytes of this quantised checkpoint are not known: %s; --weights says a type", unknown);
    if (code == RK_OK)
        code = rk_packing_sample(l, &names, err);
    if (code == RK_OK)
        add_names(&names, run, bytes);
    if (code == RK_OK)
        code = share_out(l, bytes, out, err);
    rk_names_free(&names);
    return code;
}

/* ---- by a file -------------------------------------------------------------------------------------------------- */

/* Names that the file must have for its bytes to be told apart by weight: packed ones where the config packs. */
static int list_names(const rk_ledger *l, rk_naming layout, rk_names *out, rk_err *err)
{
    bool packed = l->model->quant.method && layout == RK_NAMING_CHECKPOINT;

    return packed ? rk_packing_list(l, out, err) : rk_names_new(l, layout, out, err);
}

/* Whether the file has every name of a layout; then the bytes of each weight, in all its layers. */
static int match(const rk_ledger *l, const rk_store *s, rk_naming layout, rk_i128 *bytes, bool *all, rk_err *err)
{
    rk_names names = {0};
    int code = list_names(l, layout, &names, err);

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

static int match_any(rk_arena *a, const rk_ledger *l, const rk_store *s, rk_holding *out, rk_err *err)
{
    static const rk_naming layout[] = {RK_NAMING_CHECKPOINT, RK_NAMING_REFERENCE};
    size_t n = l->model->program.n_weight + 1;
    int code = RK_OK;

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

int rk_holding_of_store(rk_arena *a, const rk_ledger *l, const rk_store *s, rk_holding *out, rk_err *err)
{
    *out = (rk_holding){
        .each = RK_NEW_ARRAY(a, l->model->program.n_weight + 1, rk_ex), .whole = (rk_i128)s->bytes, .file = true};
    if (!out->each)
        return rk_fail_memory(err);
    if (s->n_known < s->n_tensor)
        return rk_fail(err, RK_EINPUT,
                       "not all shards of the checkpoint are here: what it stores is not known; "
                       "its config alone says what it should");
    return match_any(a, l, s, out, err);
}
