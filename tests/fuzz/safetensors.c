/* SPDX-License-Identifier: MIT */
/*
 * Headers of safetensors files and their index: any bytes give a table that balances, or an error with its place.
 */
#include "store.h"

static void run_file(const char *bytes, size_t n, uint64_t size)
{
    rk_arena a = {0};
    rk_store *s = NULL;
    rk_err err = {0};
    int code = rk_safetensors_parse(&a, "m", bytes, n, size, &s, &err);

    check_read(&a, s, code, &err, n);
    /* The tensors fill the file. */
    if (code == RK_OK) {
        uint64_t header = 0;

        for (size_t i = 8; i-- > 0;)
            header = header << 8 | (unsigned char)bytes[i];
        MUST(s->bytes + header + 8 == size && s->n_known == s->n_tensor);
    }
    rk_arena_free(&a);
}

static void run_index(const char *bytes, size_t n)
{
    rk_arena a = {0};
    rk_store *s = NULL;
    rk_err err = {0};
    int code = rk_safetensors_index_parse(&a, "m", bytes, n, &s, &err);

    check_read(&a, s, code, &err, n);
    rk_arena_free(&a);
}

/* The largest number after "data_offsets", so that a header need not be followed by as much data to be whole. */
static uint64_t data_of(const char *text)
{
    uint64_t most = 0;

    while ((text = strstr(text, "data_offsets")) != NULL) {
        text += strlen("data_offsets");
        const char *comma = text + strcspn(text, ",}");
        uint64_t end = *comma == ',' ? strtoull(comma + 1, NULL, 10) : 0;

        most = end > most && end < (uint64_t)1 << 50 ? end : most;
    }
    return most;
}

/* A text is taken as an index and as a header whose length is right; other bytes as a file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes;

    if (size > FUZZ_BYTES_MAX)
        return 0;
    if (size == 0 || data[0] != '{') {
        run_file((const char *)data, size, size);
        return 0;
    }
    run_index((const char *)data, size);
    bytes = malloc(size + 9);
    if (bytes == NULL)
        return 0;
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (char)(size >> 8 * i);
    memcpy(bytes + 8, data, size);
    bytes[size + 8] = '\0';
    run_file(bytes, size + 8, size + 8 + data_of(bytes + 8));
    free(bytes);
    return 0;
}
