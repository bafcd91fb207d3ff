/* SPDX-License-Identifier: MIT */
#include "plan/profile.h"

#include "base/vec.h"
#include "plan/facts.h"

#include <string.h>

static const rk_fact fact[] = {
#define FACT_ROW(name, unit) {#name, unit, offsetof(rk_profile, name)},
    RK_PROFILE_FACTS(FACT_ROW)
#undef FACT_ROW
};

/* Facts that are no numbers. */
#define TEXT "text"
#define EAGER "eager"

typedef struct texts {
    rk_arena *a;
    const char *text;
    RK_VEC(const char *) eager; /* many lines may have it: a family whose attention is not fused */
    bool failed;
} texts;

static bool take_text(void *self, const char *name, const char *value)
{
    texts *x = self;
    const char **family;

    if (strcmp(name, TEXT) == 0) {
        x->text = value;
        return true;
    }
    if (strcmp(name, EAGER) != 0)
        return false;
    if ((family = RK_PUSH(x->a, &x->eager)))
        *family = value;
    x->failed |= !family;
    return true;
}

int rk_profile_read(const rk_library *l, rk_arena *a, const char *name, rk_profile *out, rk_err *err)
{
    texts x = {.a = a};
    const rk_fact_table table = {.path = "data/profiles.tsv",
                                 .what = "profile",
                                 .fact = fact,
                                 .n_fact = sizeof fact / sizeof *fact,
                                 .text = take_text,
                                 .self = &x};
    const char **end;
    int code;

    *out = (rk_profile){.name = rk_arena_text(a, name)};
    code = rk_facts_read(l, a, &table, name, out, err);
    end = RK_PUSH(a, &x.eager);
    if (x.failed || !end || !out->name)
        return rk_fail_memory(err);
    *end = NULL;
    out->eager = x.eager.at;
    out->text = x.text;
    if (code != RK_OK)
        return code;
    if (!x.text)
        return rk_fail(err, RK_EINPUT, "%s: the profile '%s' says nothing of 'text'", table.path, name);
    return out->rounding > 0 ? RK_OK : rk_fail(err, RK_EINPUT, "%s: '%s' rounds to nothing", table.path, name);
}
