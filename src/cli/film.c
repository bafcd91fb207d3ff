/* SPDX-License-Identifier: MIT */
#include "cli/film.h"

#include "base/file.h"

#include <string.h>

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);

    return n > m && strcmp(path + n - m, end) == 0;
}

static int kind_of(const char *path, rk_film_kind *kind, rk_err *err)
{
    if (ends_in(path, ".svg"))
        *kind = RK_FILM_SVG;
    else if (ends_in(path, ".csv"))
        *kind = RK_FILM_CSV;
    else
        return rk_fail(err, RK_EUSAGE, "--timeline '%s': its name must end in .svg (a picture) or .csv (a table)",
                       path);
    return RK_OK;
}

int rk_cli_film_begin(const rk_cli_line *line, const rk_model *m, rk_memory_options *o, rk_cli_film *film, rk_err *err)
{
    rk_film_kind kind;
    int code;

    *film = (rk_cli_film){.path = rk_cli_value(line, "--timeline")};
    if (!film->path)
        return RK_OK;
    code = kind_of(film->path, &kind, err);
    if (code != RK_OK)
        return code;
    if (o->profile.by_hand)
        return rk_fail(err, RK_EUSAGE, "--timeline and --profile textbook: a derivation by hand has no order in time");
    film->writer = rk_film_writer_new(&film->arena, kind, m, &film->text);
    if (!film->writer)
        return rk_fail_memory(err);
    o->viewer = rk_film_writer_viewer(film->writer);
    return RK_OK;
}

int rk_cli_film_end(rk_cli_film *film, const rk_memory *m, rk_err *err)
{
    int code = film->path ? rk_film_writer_end(film->writer, m, err) : RK_OK;

    if (!film->path || code != RK_OK)
        return code;
    return rk_file_write(film->path, rk_str_text(&film->text), film->text.n, err);
}

void rk_cli_film_free(rk_cli_film *film)
{
    rk_str_free(&film->text);
    rk_arena_free(&film->arena);
}
