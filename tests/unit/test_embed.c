/* SPDX-License-Identifier: MIT */
#include "model/embed.h"
#include "base/file.h"
#include "t.h"

/* Tests run in the top folder, where the files are that were embedded. */
static void check_same_as_file(const rk_embedded *e)
{
    rk_arena arena = {0};
    bool is_data = strncmp(e->path, "data/", 5) == 0;
    const char *path = rk_arena_format(&arena, "%s%s", is_data ? "" : "models/", e->path);
    char *text = NULL;
    size_t n = 0;

    if (CHECK(path != NULL) && CHECK(rk_file_read(&arena, path, (size_t)1 << 20, &text, &n, NULL) == RK_OK)) {
        CHECK_INT(e->n, n);
        CHECK(e->n == n && memcmp(e->text, text, n) == 0);
    }
    rk_arena_free(&arena);
}

int main(void)
{
    for (size_t i = 0; i < rk_n_embedded_file; i++) {
        const rk_embedded *e = &rk_embedded_file[i];

        CHECK(i == 0 || strcmp(e[-1].path, e->path) < 0);
        CHECK_INT(e->text[e->n], 0);
        check_same_as_file(e);
    }
    CHECK(rk_embedded_file[rk_n_embedded_file].path == NULL);
    return t_done("embed");
}
