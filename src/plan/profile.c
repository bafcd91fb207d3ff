/* SPDX-License-Identifier: MIT */
#include "plan/profile.h"

#include "base/vec.h"

#include <stddef.h>
#include <string.h>

#define PATH "data/profiles.tsv"

/* Facts that are no numbers. */
#define TEXT "text"
#define EAGER "eager" /* a fact that many lines may have: a family whose attention is not fused */

enum { /* cells of a line */
    PROFILE,
    FACT,
    VALUE,
    UNIT,
    SOURCE,
    N_CELL
};

static const struct fact {
    const char *name, *unit;
    size_t at;
} fact[] = {
#define FACT_ROW(name, unit) {#name, unit, offsetof(rk_profile, name)},
    RK_PROFILE_FACTS(FACT_ROW)
#undef FACT_ROW
};

enum {
    N_FACT = sizeof fact / sizeof *fact
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

int rk_profile_read(const rk_library *l, rk_arena *a, const char *name, rk_profile *out, rk_err *err)
{
    rk_text file = {0};
    bool found[N_FACT] = {false};
    RK_VEC(const char *) eager = {0};
    const char **end;
    size_t at = 0;
    int code = rk_library_get(l, a, PATH, &file, err);
    char *line = code == RK_OK && file.text ? rk_arena_text(a, file.text) : NULL, *cell[N_CELL];

    *out = (rk_profile){.name = rk_arena_text(a, name)};
    if (code != RK_OK || !file.text)
        return code == RK_OK ? rk_fail(err, RK_EINPUT, PATH " is not in the library") : code;
    if (!line || !out->name)
        return rk_fail_memory(err);
    for (char *next; line; line = next) {
        size_t i = 0;
        rk_i128 value = 0;

        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        at++;
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (cut(line, cell) != N_CELL)
            return rk_fail(err, RK_EINPUT, "%s:%zu: a line has %d cells", file.name, at, N_CELL);
        if (strcmp(cell[PROFILE], name) != 0)
            continue;
        if (strcmp(cell[FACT], TEXT) == 0) {
            out->text = cell[VALUE];
            continue;
        }
        if (strcmp(cell[FACT], EAGER) == 0) {
            const char **family = RK_PUSH(a, &eager);

            if (!family)
                return rk_fail_memory(err);
            *family = cell[VALUE];
            continue;
        }
        while (i < N_FACT && strcmp(fact[i].name, cell[FACT]) != 0)
            i++;
        if (i == N_FACT || strcmp(fact[i].unit, cell[UNIT]) != 0)
            return rk_fail(err, RK_EINPUT, "%s:%zu: there is no fact '%s' in '%s'", file.name, at, cell[FACT],
                           cell[UNIT]);
        if (!rk_num_parse(cell[VALUE], strlen(cell[VALUE]), &value) || value < 0 || value > INT32_MAX)
            return rk_fail(err, RK_EINPUT, "%s:%zu: this is no number: '%s'", file.name, at, cell[VALUE]);
        *(int32_t *)((char *)out + fact[i].at) = (int32_t)value;
        found[i] = true;
    }
    end = RK_PUSH(a, &eager);
    if (!end)
        return rk_fail_memory(err);
    *end = NULL;
    out->eager = eager.at;
    if (!out->text)
        return rk_fail(err, RK_EINPUT, "%s: the profile '%s' says nothing of '" TEXT "'", file.name, name);
    for (size_t i = 0; i < N_FACT; i++)
        if (!found[i])
            return rk_fail(err, RK_EINPUT, "%s: the profile '%s' says nothing of '%s'", file.name, name, fact[i].name);
    return out->rounding > 0 ? RK_OK : rk_fail(err, RK_EINPUT, "%s: '%s' rounds to nothing", file.name, name);
}
