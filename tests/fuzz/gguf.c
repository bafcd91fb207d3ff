/* SPDX-License-Identifier: MIT */
/*
 * GGUF files: any bytes give a table that balances and metadata that can be walked, or an error with its place.
 */
#include "store.h"

static void run(const uint8_t *data, size_t n, uint64_t size)
{
    rk_arena a = {0};
    rk_store *s = NULL;
    rk_err err = {0};
    int code = rk_gguf_parse(&a, "m", data, n, size, &s, &err);

    check_read(&a, s, code, &err, n);
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
