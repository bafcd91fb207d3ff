/* SPDX-License-Identifier: MIT */
#include "plan/runtime.h"

#include "plan/facts.h"

#include <string.h>

static const rk_fact fact[] = {
#define FACT_ROW(name, unit) {#name, unit, offsetof(rk_runtime, name)},
    RK_RUNTIME_FACTS(FACT_ROW)
#undef FACT_ROW
};

/* Facts that are no numbers. */
#define TEXT "text"
#define PROFILE "profile"
#define RECIPE "recipe"

static bool take_text(void *self, const char *name, const char *value)
{
    rk_runtime *r = self;
    const char **to = strcmp(name, TEXT) == 0      ? &r->text
                      : strcmp(name, PROFILE) == 0 ? &r->profile
                      : strcmp(name, RECIPE) == 0  ? &r->recipe
                                                   : NULL;

    if (to)
        *to = value;
    return to != NULL;
}

int rk_runtime_read(const rk_library *l, rk_arena *a, const char *name, rk_runtime *out, rk_err *err)
{
    const rk_fact_table table = {.path = "data/runtimes.tsv",
                                 .what = "runtime",
                                 .fact = fact,
                                 .n_fact = sizeof fact / sizeof *fact,
                                 .text = take_text,
                                 .self = out};
    int code;

    *out = (rk_runtime){.name = rk_arena_text(a, name)};
    if (!out->name)
        return rk_fail_memory(err);
    code = rk_facts_read(l, a, &table, name, out, err);
    if (code == RK_OK && (!out->text || !out->profile || !out->recipe))
        code = rk_fail(err, RK_EINPUT, "%s: the runtime '%s' says nothing of '%s'", table.path, name,
                       !out->text      ? TEXT
                       : !out->profile ? PROFILE
                                       : RECIPE);
    return code;
}
