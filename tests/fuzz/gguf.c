/* SPDX-License-Identifier: MIT */
/*
 * GGUF files: any bytes give a table that balances and metadata that can be walked, or an error with its place.  Where
 * the metadata names an architecture, it gives a config with a family, or an error that names the file.
 */
#include "plan/gguf.h"
#include "store.h"

static void map(const rk_store *s)
{
    rk_arena a = {0};
    rk_library embedded = {0};
    rk_doc *d = NULL;
    rk_err err = {0};
    int code = rk_gguf_config(&embedded, &a, s, &d, &err);

    MUST((code == RK_OK) == (d != NULL));
    MUST(code == RK_OK || (err.code == code && (code == RK_ENOMEM || strncmp(err.message, "m: ", 3) == 0)));
    if (d) {
        const rk_doc *family = rk_doc_key(d, "model_type", strlen("model_type"));

        check_doc(d, 0);
        MUST(family && family->kind == RK_DOC_TEXT);
    }
    rk_arena_free(&a);
}

static void run(const uint8_t *data, size_t n, uint64_t size)
{
    rk_arena a = {0};
    rk_store *s = NULL;
    rk_err err = {0};
    int code = rk_gguf_parse(&a, "m", data, n, size, &s, &err);

    check_read(&a, s, code, &err, n);
    if (s && rk_gguf_is(s))
        map(s);
    rk_arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > FUZZ_BYTES_MAX)
        return 0;
    run(data, size, size);
    /* The same as the beginning of larger files: more lengths and counts are then within bounds. */
    run(data, size, size + 4096);
    run(data, size, (uint64_t)1 << 50);
    return 0;
}
