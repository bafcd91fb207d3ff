/* SPDX-License-Identifier: MIT */
#include "plan/facts.h"

#include "base/num.h"

#include <string.h>

enum { /* cells of a line */
    OF,
    FACT,
    VALUE,
    UNIT,
    SOURCE,
    N_CELL
};

/* Cuts a line at its tabs; how many cells it has. */
static size_t cut(char *line, char *cell[N_CELL])
{
    size_t n = 0;

    for (char *at = line; at && n < N_CELL; n++) {
        cell[n] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    return n;
}

/* The number of one line. */
static int read_number(const rk_fact_table *t, char *const cell[N_CELL], const char *file, size_t line, bool *found,
                       void *out, rk_err *err)
{
    size_t i = 0;
    rk_i128 value = 0;

    while (i < t->n_fact && strcmp(t->fact[i].name, cell[FACT]) != 0)
        i++;
    if (i == t->n_fact || strcmp(t->fact[i].unit, cell[UNIT]) != 0)
        return rk_fail(err, RK_EINPUT, "%s:%zu: there is no fact '%s' in '%s'", file, line, cell[FACT], cell[UNIT]);
    if (!rk_num_parse(cell[VALUE], strlen(cell[VALUE]), &value) || value < 0 || value > INT32_MAX)
        return rk_fail(err, RK_EINPUT, "%s:%zu: this is no number: '%s'", file, line, cell[VALUE]);
    *(int32_t *)((char *)out + t->fact[i].at) = (int32_t)value;
    found[i] = true;
    return RK_OK;
}

int rk_facts_read(const rk_library *l, rk_arena *a, const rk_fact_table *t, const char *name, void *out, rk_err *err)
{
    rk_text file = {0};
    bool *found = RK_NEW_ARRAY(a, t->n_fact + 1, bool);
    size_t at = 0;
    int code = rk_library_get(l, a, t->path, &file, err);
    char *line = code == RK_OK && file.text ? rk_arena_text(a, file.text) : NULL, *cell[N_CELL];

    if (code != RK_OK || !file.text)
        return code == RK_OK ? rk_fail(err, RK_EINPUT, "%s is not in the library", t->path) : code;
    if (!line || !found)
        return rk_fail_memory(err);
    for (char *next; line && code == RK_OK; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        at++;
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (cut(line, cell) != N_CELL)
            return rk_fail(err, RK_EINPUT, "%s:%zu: a line has %d cells", file.name, at, N_CELL);
        if (strcmp(cell[OF], name) == 0 && !t->text(t->self, cell[FACT], cell[VALUE]))
            code = read_number(t, cell, file.name, at, found, out, err);
    }
    for (size_t i = 0; i < t->n_fact && code == RK_OK; i++)
        if (!found[i])
            code = rk_fail(err, RK_EINPUT, "%s: the %s '%s' says nothing of '%s'", file.name, t->what, name,
                           t->fact[i].name);
    return code;
}
