/* SPDX-License-Identifier: MIT */
/*
 * cli/film.h - the file of --timeline: a picture or a table, as its name ends.
 *
 * Stage   the user's line -> [cli] -> library -> bytes.
 * Uses    base/, account/, report/film.h.
 * Memory  a film owns an arena and its text; rk_cli_film_free frees both.
 * Threads one film, one thread.
 */
#ifndef RK_CLI_FILM_H
#define RK_CLI_FILM_H

#include "cli/cli.h"
#include "report/film.h"

#define RK_CLI_TIMELINE                                                                                                \
    {                                                                                                                  \
        "--timeline", "FILE", NULL, "also draw what is alive over the step (FILE.svg), or list it (FILE.csv)"          \
    }

typedef struct rk_cli_film {
    const char *path; /* NULL: none is wanted */
    rk_film_writer *writer;
    rk_arena arena;
    rk_str text;
} rk_cli_film;

/* Before the account is made: says in its options who looks on.  RK_EUSAGE: no such file can be written. */
int rk_cli_film_begin(const rk_cli_line *line, const rk_model *m, rk_memory_options *o, rk_cli_film *film, rk_err *err);

/* After it: writes the file. */
int rk_cli_film_end(rk_cli_film *film, const rk_memory *m, rk_err *err);
void rk_cli_film_free(rk_cli_film *film);

#endif
