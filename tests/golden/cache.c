/* SPDX-License-Identifier: MIT */
/*
 * tests/golden/cache.c - accounts of caches against what the reference implementations hold.
 *
 * cache FOLDER: for each line of FOLDER/cache/caches.tsv (a config, the type of the run, the phase, symbols, bytes) the
 * bytes of the cache, which are equal; they are the sum of its rows, and B times those of one sequence.
 */
#include "account/memory.h"
#include "base/file.h"
#include "plan/open.h"
#include "plan/setting.h"
#include "sample.h"
#include "t.h"

#include "../profiles.h"

#include <stdlib.h>
#include <string.h>

#define SETTINGS_MAX 4

typedef struct line {
    char *config, *type, *phase, *symbols, *bytes;
} line;

/* The next field of a line, which ends at a tab or at its end. */
static char *field(char **at)
{
    char *begin = *at, *end = begin + strcspn(begin, "\t\n");

    *at = end + (*end != '\0');
    *end = '\0';
    return begin;
}

static size_t read_settings(rk_arena *a, char *text, rk_setting *out)
{
    rk_err err = {0};
    size_t n = 0;

    for (char *word = strtok(text, " "); word && n < SETTINGS_MAX; word = strtok(NULL, " "))
        CHECK_INT(rk_setting_parse(a, word, &out[n++], &err), RK_OK);
    return n;
}

static void check_sums(const rk_memory *m)
{
    rk_binding at = m->instance->at;
    rk_i128 sum = 0, one = 0;
    rk_err err = {0};

    for (size_t i = 0; i < m->carried.n; i++)
        sum += m->carried.at[i].bytes * m->carried.at[i].n_layer;
    CHECK_INT(sum, m->cache);
    CHECK_INT(rk_ex_eval(m->instance->pool, m->carried.per_sequence, &at, &one, &err), RK_OK);
    CHECK_INT(one * rk_model_symbol(m->model, "B")->value, m->cache);
}

static void check_line(rk_arena *a, const char *folder, line l)
{
    char path[1024], symbols[200];
    const char *word = path;
    rk_setting set[SETTINGS_MAX];
    rk_open_request r = {.word = &word, .n_word = 1, .setting = set, .passes.profile = "torch"};
    rk_memory_options o = {.phase = strcmp(l.phase, "prefill") == 0 ? RK_PHASE_PREFILL : RK_PHASE_DECODE,
                           .bytes = strcmp(l.type, "bf16") == 0 ? 2 : 4,
                           .profile = PROFILE_WITH(512, 0)};
    rk_instance *model = NULL;
    rk_memory *m = NULL;
    rk_err err = {0};

    snprintf(path, sizeof path, "%s/%s", folder, l.config);
    snprintf(symbols, sizeof symbols, "%s", l.symbols);
    r.n_setting = read_settings(a, l.symbols, set);
    if (!CHECK_INT(rk_open(&r, &model, &err), RK_OK) || !CHECK_INT(rk_memory_new(model, &o, &m, &err), RK_OK))
        printf("    %s %s: %s\n", l.config, symbols, err.message);
    else if (!CHECK_INT(m->cache, strtoll(l.bytes, NULL, 10)))
        printf("    %s %s %s %s\n", l.config, l.type, l.phase, symbols);
    else
        check_sums(m);
    rk_memory_free(m);
    rk_instance_free(model);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "tests/golden";
    rk_arena a = {0};
    char path[1024], *text = NULL;
    rk_err err = {0};
    size_t n = 0, n_line = 0;

    snprintf(path, sizeof path, "%s/cache/caches.tsv", folder);
    if (!CHECK_INT(rk_file_read(&a, path, (size_t)1 << 20, &text, &n, &err), RK_OK))
        return t_done("cache");
    for (char *at = text; *at; n_line++) {
        line l;

        l.config = field(&at), l.type = field(&at), l.phase = field(&at), l.symbols = field(&at), l.bytes = field(&at);
        if (t_sampled(l.config))
            check_line(&a, folder, l);
    }
    CHECK(n_line > 500);
    rk_arena_free(&a);
    return t_done("cache");
}
