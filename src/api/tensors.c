/* SPDX-License-Identifier: MIT */
/* Every single tensor, with its real name. */
#include "api/api.h"

#include "account/tensors.h"

struct reckon_tensors {
    const reckon_account *account;
    rk_arena arena;
    rk_tensors *walk[2]; /* parameters, buffers */
    size_t now;          /* which of them */
    rk_str name, tied_to;
    uint64_t *shape; /* room for the longest */
    reckon_tensor tensor;
};

/* ---- life ------------------------------------------------------------------------------------------------------- */

int reckon_tensors_new(const reckon_account *account, reckon_tensors **out, reckon_error *error)
{
    rk_err err = {0};
    const rk_ledger *l;
    reckon_tensors *t;
    size_t longest = 0;
    int code;

    if (!account || !out)
        return rk_api_fail_null(error, account ? "out" : "the account");
    l = account->ledger;
    t = rk_api_new(sizeof *t, &err);
    if (!t)
        return rk_api_error(error, RK_ENOMEM, &err);
    t->account = account;
    for (size_t i = 0; i < account->n_weight; i++)
        longest = account->weight[i].n_shape > longest ? account->weight[i].n_shape : longest;
    t->shape = RK_NEW_ARRAY(&t->arena, longest, uint64_t);
    code = t->shape ? rk_tensors_new(l, l->weight, l->n_weight, &t->walk[0], &err) : rk_fail_memory(&err);
    if (code == RK_OK)
        code = rk_tensors_new(l, l->buffer, l->n_buffer, &t->walk[1], &err);
    code = rk_heap_end(code, &err);
    if (code == RK_OK)
        *out = t;
    else
        reckon_tensors_free(&t);
    return rk_api_error(error, code, &err);
}

void reckon_tensors_free(reckon_tensors **tensors)
{
    reckon_tensors *t = tensors ? *tensors : NULL;

    if (!t)
        return;
    *tensors = NULL;
    rk_tensors_free(t->walk[0]);
    rk_tensors_free(t->walk[1]);
    rk_str_free(&t->name);
    rk_str_free(&t->tied_to);
    rk_arena_free(&t->arena);
    rk_heap_free(t);
}

/* ---- walking ---------------------------------------------------------------------------------------------------- */

static int next_row(reckon_tensors *t, const rk_weight_row **row, rk_err *err)
{
    int code = rk_tensors_next(t->walk[t->now], row, err);

    while (code == RK_OK && !*row && t->now == 0)
        code = rk_tensors_next(t->walk[++t->now], row, err);
    return code;
}

static int write_name(const reckon_tensors *t, const rk_weight *w, rk_str *out, rk_err *err)
{
    rk_str_reset(out);
    return rk_weight_name_text(t->account->model, &w->name, rk_tensors_index(t->walk[t->now]), out, err);
}

static int value_of(const reckon_tensors *t, rk_ex e, reckon_count *out, rk_err *err)
{
    rk_binding at = t->account->instance->at;
    rk_i128 n = 0;
    int code = rk_ex_eval(t->account->instance->pool, e, &at, &n, err);

    return code == RK_OK ? rk_api_count(n, out, err) : code;
}

static int write_shape(reckon_tensors *t, const rk_weight *w, rk_err *err)
{
    int code = RK_OK;

    for (size_t i = 0; code == RK_OK && i < w->n_dim; i++) {
        reckon_count n = {0};

        code = value_of(t, w->dim[i], &n, err);
        if (code == RK_OK && reckon_count_u64(n, &t->shape[i]) != RECKON_OK)
            code = rk_fail(err, RK_EOVERFLOW, "%s: a size needs more than 64 bits", w->pattern);
    }
    return code;
}

static int describe(reckon_tensors *t, const rk_weight_row *row, rk_err *err)
{
    const rk_program *p = &t->account->model->program;
    const rk_weight *w = &p->weight[row->weight];
    reckon_count count = {0};
    int code = write_name(t, w, &t->name, err);

    if (code == RK_OK && w->tied_to != RK_NONE)
        code = write_name(t, &p->weight[w->tied_to], &t->tied_to, err);
    if (code == RK_OK)
        code = write_shape(t, w, err);
    if (code == RK_OK)
        code = value_of(t, row->count, &count, err);
    if (code != RK_OK)
        return code;
    t->tensor = (reckon_tensor){
        .name = rk_str_text(&t->name),
        .shape = t->shape,
        .n_shape = w->n_dim,
        .count = count,
        .tied_to = w->tied_to == RK_NONE ? NULL : rk_str_text(&t->tied_to),
        .weight = t->account->row_of[row->weight],
    };
    return RK_OK;
}

int reckon_tensors_next(reckon_tensors *tensors, const reckon_tensor **out, reckon_error *error)
{
    const rk_weight_row *row = NULL;
    rk_err err = {0};
    int code;

    if (!tensors || !out)
        return rk_api_fail_null(error, tensors ? "out" : "the list of tensors");
    rk_heap_begin();
    code = next_row(tensors, &row, &err);
    if (code == RK_OK && row)
        code = describe(tensors, row, &err);
    code = rk_heap_end(code, &err);
    if (code == RK_OK)
        *out = row ? &tensors->tensor : NULL;
    return rk_api_error(error, code, &err);
}
