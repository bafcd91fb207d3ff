/* SPDX-License-Identifier: MIT */
#include "ask/path.h"

#include "base/str.h"
#include "plan/nearest.h"

#include <string.h>

enum {
    LISTED_MAX = 6 /* of names that a word could mean */
};

bool rk_path_add(rk_arena *a, rk_path_names *names, const char *name)
{
    const char **slot = RK_PUSH(a, names);

    if (slot)
        *slot = name;
    return slot != NULL;
}

static bool ends_in(const char *name, const char *word)
{
    size_t n = strlen(name), m = strlen(word);

    return m > 0 && n > m && name[n - m - 1] == '.' && strcmp(name + n - m, word) == 0;
}

/* Whether name i is one that the word could mean: no name before it is the same, and none that is meant holds it. */
static bool is_meant(const rk_path_names *names, size_t i, const char *word)
{
    const char *name = names->at[i];

    if (!ends_in(name, word))
        return false;
    for (size_t k = 0; k < names->n; k++) {
        const char *other = names->at[k];
        size_t n = strlen(other);

        if ((k < i && strcmp(other, name) == 0) ||
            (ends_in(other, word) && strncmp(name, other, n) == 0 && name[n] == '.'))
            return false;
    }
    return true;
}

static int fail_several(const rk_path_names *names, const char *word, rk_err *err)
{
    rk_str list = {0};
    size_t n = 0;
    int code;

    for (size_t i = 0; i < names->n; i++)
        if (is_meant(names, i, word) && n++ < LISTED_MAX)
            rk_str_format(&list, "%s%s", list.n ? ", " : "", names->at[i]);
    if (n > LISTED_MAX)
        rk_str_format(&list, " and %zu more", n - LISTED_MAX);
    code = rk_fail(err, RK_EINPUT, "'%s' is the end of %zu names: %s; say more of the one you mean", word, n,
                   rk_str_text(&list));
    rk_str_free(&list);
    return code;
}

int rk_path_find(const rk_path_names *names, const char *word, const char **out, rk_err *err)
{
    size_t n = 0;

    *out = NULL;
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->at[i], word) == 0) {
            *out = names->at[i];
            return RK_OK;
        }
    for (size_t i = 0; i < names->n && n < 2; i++)
        if (is_meant(names, i, word)) {
            *out = names->at[i];
            n++;
        }
    return n > 1 ? fail_several(names, word, err) : RK_OK;
}

int rk_path_fail(const rk_path_names *names, const char *model, const char *word, rk_err *err)
{
    rk_nearest near = {.word = word};
    char hint[RK_NEAREST_HINT_MAX];

    for (size_t i = 0; i < names->n; i++)
        for (const char *end = names->at[i]; end; end = strchr(end, '.') ? strchr(end, '.') + 1 : NULL)
            rk_nearest_try(&near, end);
    return rk_fail(
        err, RK_EINPUT, "%s has no part, row or tensor '%s'%s%s", model, word, rk_nearest_hint(&near, hint),
        near.best ? "" : "; 'reckon flops' lists the rows, 'reckon params' the tensors, 'reckon memory' has caches");
}
