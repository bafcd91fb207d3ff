/* SPDX-License-Identifier: MIT */
/*
 * Model files as text: any bytes give a tree or mistakes, and a printed tree reads as the same tree.
 */
#include "../lang/print.h"
#include "fuzz.h"

#include <string.h>

/* Parses and prints; the text of the tree is in `out`, empty after mistakes. */
static int parse_print(const char *text, size_t n, rk_str *out)
{
    rk_arena a = {0};
    rk_mistakes m = {.arena = &a};
    rk_file *file = NULL;
    rk_err err = {0};
    rk_str shown = {0};
    int code = rk_parse(&a, "input.rk", text, n, &m, &file, &err);

    MUST((code == RK_OK) == (m.list.n == 0));
    MUST(code == RK_OK || (code == RK_EINPUT && err.code == code));
    rk_mistakes_print(&m, &shown);
    MUST((shown.n == 0) == (code == RK_OK));
    if (code == RK_OK)
        file_print(file, out);
    MUST(!out->failed && !shown.failed);
    rk_str_free(&shown);
    rk_arena_free(&a);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rk_str once = {0}, twice = {0};

    if (size > FUZZ_BYTES_MAX)
        return 0;
    /* What is printed may be longer than what was read, and longer than a file may be. */
    if (parse_print((const char *)data, size, &once) == RK_OK && once.n <= RK_SOURCE_BYTES_MAX) {
        MUST(parse_print(rk_str_text(&once), once.n, &twice) == RK_OK);
        MUST(strcmp(rk_str_text(&once), rk_str_text(&twice)) == 0);
    }
    rk_str_free(&once);
    rk_str_free(&twice);
    return 0;
}
