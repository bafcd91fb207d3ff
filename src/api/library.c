/* SPDX-License-Identifier: MIT */
/* The models that are known by name. */
#include "api/api.h"

#include "plan/library.h"

struct reckon_library {
    rk_arena arena;
    reckon_known *known;
    size_t n;
};

static int list(reckon_library *out, const rk_library *l, rk_err *err)
{
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(l, &out->arena, &e, &n, err);

    if (code != RK_OK)
        return code;
    out->known = RK_NEW_ARRAY(&out->arena, n, reckon_known);
    if (!out->known)
        return rk_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        rk_known k = {0};

        code = rk_library_describe(l, &out->arena, &e[i], &k, err);
        if (code != RK_OK)
            return code;
        if (k.name) /* else a file of blocks, which is no model */
            out->known[out->n++] = (reckon_known){k.name, e[i].is_config ? k.family : NULL, k.text ? k.text : ""};
    }
    return RK_OK;
}

int reckon_library_new(const char *folder, reckon_library **out, reckon_error *error)
{
    rk_library where = {.folder = folder};
    rk_err err = {0};
    reckon_library *l;
    int code;

    if (!out)
        return rk_api_fail_null(error, "out");
    l = rk_api_new(sizeof *l, &err);
    if (!l)
        return rk_api_error(error, RK_ENOMEM, &err);
    code = rk_heap_end(list(l, &where, &err), &err);
    if (code == RK_OK)
        *out = l;
    else
        reckon_library_free(&l);
    return rk_api_error(error, code, &err);
}

size_t reckon_library_count(const reckon_library *library)
{
    return library ? library->n : 0;
}

const reckon_known *reckon_library_at(const reckon_library *library, size_t i)
{
    return i < reckon_library_count(library) ? &library->known[i] : NULL;
}

void reckon_library_free(reckon_library **library)
{
    reckon_library *l = library ? *library : NULL;

    if (!l)
        return;
    *library = NULL;
    rk_arena_free(&l->arena);
    rk_heap_free(l);
}
