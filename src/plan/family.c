/* SPDX-License-Identifier: MIT */
#include "plan/family.h"

#include "base/str.h"
#include "plan/ignored_keys.h"
#include "plan/nearest.h"
#include "plan/reads.h"

#include <stdint.h>
#include <string.h>

enum {
    NEAR_MAX = 3,   /* names that a message offers */
    TIES_MAX = 256, /* families that fit equally well */
    FIT_LEAST = 50, /* hundredths of the keys that must fit for a family to be worth naming */
};

/* ---- nearest by name -------------------------------------------------------------------------------------------- */

typedef struct near_one {
    const char *name;
    size_t distance;
} near_one;

typedef struct nearest_few {
    const char *word;
    near_one at[NEAR_MAX];
    size_t n;
} nearest_few;

/* Of equally near ones the first stays in front. */
static void few_try(nearest_few *f, const char *known)
{
    size_t d = rk_nearest_distance(f->word, known), i;

    if (d == SIZE_MAX)
        return;
    for (i = f->n; i > 0 && f->at[i - 1].distance > d; i--)
        if (i < NEAR_MAX)
            f->at[i] = f->at[i - 1];
    if (i == NEAR_MAX)
        return;
    f->at[i] = (near_one){known, d};
    f->n += f->n < NEAR_MAX;
}

/* ---- nearest by keys -------------------------------------------------------------------------------------------- */

typedef struct fit {
    const rk_doc *config;
    const rk_ignored_keys *ignored;
    const char *family[TIES_MAX]; /* that fit equally well … */
    size_t weight[TIES_MAX];      /* … and how near each is else: by its name, then by how many models are of it */
    size_t n_family;
    size_t n_same, n_key; /* keys in both, and of the config */
} fit;

static size_t count_keys(const rk_doc *d, const rk_ignored_keys *ignored)
{
    size_t n = 0;

    for (size_t i = 0; d && d->kind == RK_DOC_MAP && i < d->n; i++) {
        if (d->item[i].kind == RK_DOC_MAP && strstr(d->key[i], "config"))
            n += count_keys(&d->item[i], ignored);
        else
            n += !rk_ignored_key_reason(ignored, d->key[i]);
    }
    return n;
}

static int fit_try(fit *best, rk_arena *a, const rk_text *t, const char *family, rk_err *err)
{
    rk_reads_key *k = NULL;
    size_t n = 0, n_same = 0;
    int code = rk_reads(a, t, &k, &n, err);

    if (code != RK_OK) /* a file of the user's that is wrong is no candidate */
        return code == RK_EINPUT ? RK_OK : code;
    for (size_t i = 0; i < n; i++) {
        const rk_doc *d = best->config;

        for (const char *path = k[i].path; d && *path;) {
            size_t length = strcspn(path, ".");

            d = rk_doc_key(d, path, length);
            path += length + (path[length] == '.');
        }
        n_same += d && !rk_ignored_key_reason(best->ignored, k[i].path);
    }
    if (best->n_family == 0 || n_same > best->n_same) {
        best->n_family = 0;
        best->n_same = n_same;
    }
    if (n_same == best->n_same && best->n_family < TIES_MAX)
        best->family[best->n_family++] = family;
    return RK_OK;
}

enum {
    NEAR_BY_NAME = 1 << 20 /* more than any number of models */
};

/* Of families with the same keys, one with a like name is likelier, and then one that many models are of. */
static int weigh_ties(const rk_library *l, rk_arena *a, const nearest_few *few, fit *best, rk_err *err)
{
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(l, a, &e, &n, err);

    for (size_t k = 0; k < best->n_family; k++)
        for (size_t i = 0; i < few->n; i++)
            if (strcmp(few->at[i].name, best->family[k]) == 0)
                best->weight[k] = NEAR_BY_NAME;
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_known known = {0};

        if (e[i].is_config)
            code = rk_library_describe(l, a, &e[i], &known, err);
        for (size_t k = 0; known.family && k < best->n_family; k++)
            best->weight[k] += strcmp(known.family, best->family[k]) == 0;
    }
    return code;
}

/* The heaviest ones first, as many as a message names. */
static void sort_ties(fit *best)
{
    for (size_t i = 0; i < best->n_family && i < NEAR_MAX; i++) {
        size_t most = i;

        for (size_t k = i + 1; k < best->n_family; k++)
            most = best->weight[k] > best->weight[most] ? k : most;
        const char *family = best->family[i];
        size_t weight = best->weight[i];

        best->family[i] = best->family[most];
        best->weight[i] = best->weight[most];
        best->family[most] = family;
        best->weight[most] = weight;
    }
    best->n_family = best->n_family < NEAR_MAX ? best->n_family : NEAR_MAX;
}

/* ---- the message ------------------------------------------------------------------------------------------------ */

/* Looks at every family of the library, by name and, where there is a config, by keys. */
static int look_through(const rk_library *l, rk_arena *a, nearest_few *few, fit *best, rk_err *err)
{
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(l, a, &e, &n, err);

    for (size_t i = 0; code == RK_OK && i < n && !e[i].is_config; i++) {
        const char **name;
        size_t n_name;
        rk_text t;

        code = rk_library_read_families(l, a, &e[i], &t, &name, &n_name, err);
        for (size_t k = 0; code == RK_OK && k < n_name; k++)
            few_try(few, name[k]);
        if (code == RK_OK && n_name > 0 && best->config)
            code = fit_try(best, a, &t, name[0], err);
    }
    return code;
}

int rk_family_fail(const rk_library *l, rk_arena *a, const char *family, const rk_doc *config, rk_err *err)
{
    nearest_few few = {.word = family};
    rk_ignored_keys ignored = {0};
    fit best = {.config = config, .ignored = &ignored};
    const char *word;
    bool fits;
    rk_str s = {0};
    int code = rk_ignored_keys_read(l, a, &ignored, err);

    best.n_key = count_keys(config, &ignored);
    if (code == RK_OK)
        code = look_through(l, a, &few, &best, err);
    if (code == RK_OK && config)
        code = weigh_ties(l, a, &few, &best, err);
    if (code != RK_OK)
        return code;
    sort_ties(&best);
    for (size_t i = 0; i < few.n; i++)
        rk_str_format(&s, "%s'%s'", i == 0 ? "; nearest by name: " : ", ", few.at[i].name);
    fits = best.n_family > 0 && best.n_key > 0 && 100 * best.n_same >= FIT_LEAST * best.n_key;
    for (size_t i = 0; fits && i < best.n_family; i++)
        rk_str_format(&s, "%s'%s'", i == 0 ? "; by keys: " : ", ", best.family[i]);
    if (fits)
        rk_str_format(&s, ", reading %zu of its %zu", best.n_same, best.n_key);
    word = few.n > 0 ? few.at[0].name : "FAMILY";
    if (config)
        rk_str_format(&s,
                      ".  Read it like one of a known family (--like %s), or give a model file for it (FILE.rk CONFIG)",
                      fits ? best.family[0] : word);
    code = s.failed ? rk_fail_memory(err)
                    : rk_fail(err, RK_EINPUT, "no model file is for the family '%s'%s", family, rk_str_text(&s));
    rk_str_free(&s);
    return code;
}
