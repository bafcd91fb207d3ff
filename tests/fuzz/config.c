/* SPDX-License-Identifier: MIT */
/*
 * Configs: any bytes give a document or an error with its place.
 */
#include "fuzz.h"
#include "read/doc.h"

#include <string.h>

/* Every node is whole: kinds as declared, keys that find their own value, no deeper than allowed. */
static void check_doc(const rk_doc *d, int depth)
{
    MUST(depth <= RK_DOC_DEPTH_MAX + 1);
    MUST(d->kind <= RK_DOC_MAP);
    MUST(d->kind != RK_DOC_TEXT || d->text);
    MUST((d->kind == RK_DOC_MAP && d->n > 0) == (d->key != NULL && d->n > 0) || d->n == 0 || d->kind == RK_DOC_LIST);
    for (size_t i = 0; (d->kind == RK_DOC_LIST || d->kind == RK_DOC_MAP) && i < d->n; i++) {
        check_doc(&d->item[i], depth + 1);
        if (d->kind == RK_DOC_MAP && i < 100)
            MUST(rk_doc_key(d, d->key[i], strlen(d->key[i])) == &d->item[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rk_arena a = {0};
    rk_doc *doc = NULL;
    rk_err err = {0};
    int code;

    if (size > FUZZ_BYTES_MAX)
        return 0;
    code = rk_config_parse(&a, "config.json", (const char *)data, size, &doc, &err);
    MUST((code == RK_OK) == (doc != NULL));
    if (code == RK_OK)
        check_doc(doc, 0);
    else
        MUST(err.code == code && strncmp(err.message, "config.json", strlen("config.json")) == 0);
    rk_arena_free(&a);
    return 0;
}
