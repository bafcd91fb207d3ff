/* SPDX-License-Identifier: MIT */
/* Profiles: what the table says, and what is said of a table that is wrong. */
#include "base/file.h"
#include "plan/profile.h"
#include "plan/runtime.h"

#include "../profiles.h"
#include "../t.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_facts(const char *name, const rk_profile *want)
{
    rk_library library = {0};
    rk_arena a = {0};
    rk_profile p;
    rk_err err = {0};

    if (!CHECK_INT(rk_profile_read(&library, &a, name, &p, &err), RK_OK))
        printf("    %s\n", err.message);
    CHECK_TEXT(p.name, want->name);
#define FACT(fact, unit) CHECK_INT(p.fact, want->fact);
    RK_PROFILE_FACTS(FACT)
#undef FACT
    rk_arena_free(&a);
}

/* A library of the user's whose table is `text`. */
static void check_wrong(const char *text, const char *message)
{
    char folder[] = "/tmp/reckon-profile-XXXXXX", path[128], data[64];
    rk_library library = {.folder = folder};
    rk_arena a = {0};
    rk_profile p;
    rk_err err = {0};
    FILE *f;

    if (!CHECK(mkdtemp(folder) != NULL))
        return;
    snprintf(data, sizeof data, "%s/data", folder);
    snprintf(path, sizeof path, "%s/profiles.tsv", data);
    if (CHECK(mkdir(data, 0700) == 0) && CHECK((f = fopen(path, "w")) != NULL)) {
        fputs(text, f);
        fclose(f);
    }
    CHECK_INT(rk_profile_read(&library, &a, "torch", &p, &err), RK_EINPUT);
    if (!CHECK(strstr(err.message, message) != NULL))
        printf("    %s\n", err.message);
    unlink(path);
    rmdir(data);
    rmdir(folder);
    rk_arena_free(&a);
}

/* Every runtime that has a word is in the table, and its profile, too. */
static void check_runtimes(void)
{
    static const char *const name[] = {"torch", "hf", "megatron", "deepspeed"};
    rk_library library = {0};
    rk_arena a = {0};
    rk_runtime r;
    rk_profile p;
    rk_err err = {0};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        if (!CHECK_INT(rk_runtime_read(&library, &a, name[i], &r, &err), RK_OK))
            printf("    %s\n", err.message);
        CHECK_TEXT(r.name, name[i]);
        CHECK_INT(rk_profile_read(&library, &a, r.profile, &p, &err), RK_OK);
        CHECK_INT(r.flat, i >= 2);
    }
    CHECK_INT(rk_runtime_read(&library, &a, "none", &r, &err), RK_EINPUT);
    CHECK(strstr(err.message, "the runtime 'none' says nothing of") != NULL);
    rk_arena_free(&a);
}

int main(void)
{
    check_runtimes();
    check_facts("torch", &(rk_profile)PROFILE_TORCH);
    check_facts("textbook", &(rk_profile)PROFILE_TEXTBOOK);
    check_wrong("# nothing\n", "the profile 'torch' says nothing of 'textbook'");
    check_wrong("torch\trounding\t512\n", ":1: a line has 5 cells");
    check_wrong("torch\troundness\t512\tB\there\n", ":1: there is no fact 'roundness' in 'B'");
    check_wrong("torch\trounding\t512\tMB\there\n", ":1: there is no fact 'rounding' in 'MB'");
    check_wrong("torch\trounding\t-1\tB\there\n", ":1: this is no number: '-1'");
    check_wrong("torch\tworkspace\t4294967296\tB\there\n", ":1: this is no number: '4294967296'");
    return t_done("profile");
}
