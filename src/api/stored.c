/* SPDX-License-Identifier: MIT */
/* The tensors of a checkpoint. */
#include "api/stored.h"

#include <string.h>

/* ---- filling ---------------------------------------------------------------------------------------------------- */

static int put_sum(const char *dtype, rk_i128 tensors, rk_i128 elements, rk_i128 bytes, reckon_stored_sum *out,
                   rk_err *err)
{
    int code = rk_api_count(tensors, &out->tensors, err);

    out->dtype = dtype;
    if (code == RK_OK)
        code = rk_api_count(elements, &out->elements, err);
    return code == RK_OK ? rk_api_count(bytes, &out->bytes, err) : code;
}

static int put_sums(reckon_stored *s, const rk_stored_sums *sums, rk_err *err)
{
    int code = put_sum(NULL, (rk_i128)s->store->n_known, sums->elements, sums->bytes, &s->total, err);

    s->format = RK_NEW_ARRAY(&s->arena, sums->format.n, reckon_stored_sum);
    if (!s->format)
        return rk_fail_memory(err);
    for (; s->n_format < sums->format.n && code == RK_OK; s->n_format++) {
        const rk_stored_format *f = &sums->format.at[s->n_format];

        code = put_sum(rk_dtype_info(f->dtype)->name, f->tensors, f->elements, f->bytes, &s->format[s->n_format], err);
    }
    return code;
}

static int fill(reckon_stored *s, rk_err *err)
{
    rk_stored_sums sums = {0};
    int code;

    s->tensor = RK_NEW_ARRAY(&s->arena, s->store->n_tensor, reckon_stored_tensor);
    if (!s->tensor)
        return rk_fail_memory(err);
    for (size_t i = 0; i < s->store->n_tensor; i++) {
        const rk_stored *t = &s->store->tensor[i];

        s->tensor[s->n_tensor++] = (reckon_stored_tensor){
            .name = t->name,
            .known = t->known,
            .dtype = t->known ? rk_dtype_info((rk_dtype)t->dtype)->name : NULL,
            .shape = t->known ? t->shape : NULL,
            .n_shape = t->known ? t->rank : 0,
            .count = t->known ? t->count : 0,
            .bytes = t->known ? t->bytes : 0,
            .offset = t->known ? t->offset : 0,
            .file = s->store->file[t->file].path,
        };
    }
    code = rk_stored_sums_new(s->store, 0, &sums, err);
    if (code == RK_OK)
        code = put_sums(s, &sums, err);
    rk_stored_sums_free(&sums);
    return code;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

int reckon_stored_open(const char *path, reckon_stored **out, reckon_error *error)
{
    rk_err err = {0};
    reckon_stored *s;
    int code;

    if (!path || !out)
        return rk_api_fail_null(error, path ? "out" : "the path");
    s = rk_api_new(sizeof *s, &err);
    if (!s)
        return rk_api_error(error, RK_ENOMEM, &err);
    code = rk_store_read(NULL, &s->arena, path, &s->store, &err);
    if (code == RK_OK)
        code = fill(s, &err);
    code = rk_heap_end(code, &err);
    if (code == RK_OK)
        *out = s;
    else
        reckon_stored_close(&s);
    return rk_api_error(error, code, &err);
}

void reckon_stored_close(reckon_stored **stored)
{
    reckon_stored *s = stored ? *stored : NULL;

    if (!s)
        return;
    *stored = NULL;
    rk_arena_free(&s->arena);
    rk_heap_free(s);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

size_t reckon_stored_count(const reckon_stored *stored)
{
    return stored ? stored->n_tensor : 0;
}

const reckon_stored_tensor *reckon_stored_at(const reckon_stored *stored, size_t i)
{
    return i < reckon_stored_count(stored) ? &stored->tensor[i] : NULL;
}

const reckon_stored_tensor *reckon_stored_find(const reckon_stored *stored, const char *name)
{
    const rk_stored *t = stored && name ? rk_store_find(stored->store, name, strlen(name)) : NULL;

    return t ? &stored->tensor[t - stored->store->tensor] : NULL;
}

const reckon_stored_sum *reckon_stored_total(const reckon_stored *stored)
{
    return stored ? &stored->total : NULL;
}

size_t reckon_stored_format_count(const reckon_stored *stored)
{
    return stored ? stored->n_format : 0;
}

const reckon_stored_sum *reckon_stored_format_at(const reckon_stored *stored, size_t i)
{
    return i < reckon_stored_format_count(stored) ? &stored->format[i] : NULL;
}
