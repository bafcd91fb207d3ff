/* SPDX-License-Identifier: MIT */
#include "plan/family.h"

#include "base/str.h"
#include "base/vec.h"
#include "plan/ignored_keys.h"
#include "plan/nearest.h"
#include "plan/reads.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum {
    NEAR_MAX = 3,   /* names that a message offers */
    UNREAD_MAX = 6, /* keys that it names */
    STEM_LEAST = 4, /* letters with which names begin that are of one line: qwen4, qwen3 */
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
    size_t d = rk_nearest_distance(f->word, known, true), i;

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
    const char *family;
    rk_text text;
    size_t n_same; /* keys of the config that it reads */
    size_t n_also; /* and of those that are no sizes the numbers: one that caps the scores tells families apart */
    size_t n_lack; /* sizes that would be its own numbers */
    size_t weight; /* how near it is else: by its name, then by how many models are of it */
} fit;

typedef struct fits {
    const rk_library *library;
    const rk_doc *config;
    const rk_ignored_keys *ignored;
    RK_VEC(fit) of;
    size_t n_key; /* of the config */
} fits;

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

static const rk_doc *find_key(const rk_doc *d, const char *path)
{
    while (d && *path) {
        size_t length = strcspn(path, ".");

        d = rk_doc_key(d, path, length);
        path += length + (path[length] == '.');
    }
    return d;
}

/* Whether the config has no key from which a symbol could come that is a number of the family's else. */
static bool lacks(const rk_doc *config, const rk_reads_key *k, size_t n, size_t i)
{
    bool has = !k[i].symbol || !k[i].otherwise || !isdigit((unsigned char)k[i].otherwise[0]);

    for (size_t j = 0; j < n && !has; j++)
        has = k[j].symbol && strcmp(k[j].symbol, k[i].symbol) == 0 && find_key(config, k[j].path);
    return !has;
}

static int fit_try(fits *f, rk_arena *a, const rk_text *t, const char *family, rk_err *err)
{
    rk_reads_key *k = NULL;
    size_t n = 0, n_same = 0, n_also = 0, n_lack = 0;
    int code = rk_reads(a, t, f->library, &k, &n, err);
    fit *slot;

    if (code != RK_OK) /* a file of the user's that is wrong is no candidate */
        return code == RK_EINPUT ? RK_OK : code;
    for (size_t i = 0; i < n; i++) {
        const rk_doc *value = find_key(f->config, k[i].path);
        bool has = value && value->kind != RK_DOC_MAP, aside = rk_ignored_key_reason(f->ignored, k[i].path) != NULL;

        n_same += has && !aside;
        n_also += has && aside && value->kind == RK_DOC_REAL;
        n_lack += lacks(f->config, k, n, i);
    }
    if (n_same == 0)
        return RK_OK;
    if (!(slot = RK_PUSH(a, &f->of)))
        return rk_fail_memory(err);
    *slot = (fit){.family = family, .text = *t, .n_same = n_same, .n_also = n_also, .n_lack = n_lack};
    return RK_OK;
}

enum {
    NEAR_BY_STEM = 1 << 20, /* more than any number of models */
    NEAR_BY_NAME = 1 << 21
};

static bool has_stem(const char *x, const char *y)
{
    size_t n = 0;

    while (isalpha((unsigned char)x[n]) && x[n] == y[n])
        n++;
    return n >= STEM_LEAST;
}

/* Of families with the same keys, one with a like name is likelier, and then one that many models are of. */
static int weigh(const rk_library *l, rk_arena *a, const nearest_few *few, fits *f, rk_err *err)
{
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(l, a, &e, &n, err);

    for (size_t k = 0; k < f->of.n; k++)
        for (size_t i = 0; i < few->n; i++)
            if (strcmp(few->at[i].name, f->of.at[k].family) == 0)
                f->of.at[k].weight = NEAR_BY_NAME;
    for (size_t k = 0; k < f->of.n; k++)
        f->of.at[k].weight += NEAR_BY_STEM * has_stem(few->word, f->of.at[k].family);
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_known known = {0};

        if (e[i].is_config)
            code = rk_library_describe(l, a, &e[i], &known, err);
        for (size_t k = 0; known.family && k < f->of.n; k++)
            f->of.at[k].weight += strcmp(known.family, f->of.at[k].family) == 0;
    }
    return code;
}

/* A key that is no size says as much as two sizes that are missing. */
static bool is_nearer(const fit *x, const fit *y)
{
    size_t by_x = 2 * x->n_also + y->n_lack, by_y = 2 * y->n_also + x->n_lack;

    if (x->n_same != y->n_same)
        return x->n_same > y->n_same;
    if ((x->weight >= NEAR_BY_STEM) != (y->weight >= NEAR_BY_STEM))
        return x->weight >= NEAR_BY_STEM;
    return by_x != by_y ? by_x > by_y : x->weight > y->weight;
}

/* The nearest ones first, as many as a message names. */
static void sort(fits *f)
{
    for (size_t i = 0; i < f->of.n && i < NEAR_MAX; i++) {
        size_t most = i;
        fit first = f->of.at[i];

        for (size_t k = i + 1; k < f->of.n; k++)
            most = is_nearer(&f->of.at[k], &f->of.at[most]) ? k : most;
        f->of.at[i] = f->of.at[most];
        f->of.at[most] = first;
    }
    f->of.n = f->of.n < NEAR_MAX ? f->of.n : NEAR_MAX;
}

static bool is_read(const rk_reads_key *k, size_t n, const char *path)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(k[i].path, path) == 0)
            return true;
    return false;
}

/* The keys of the config that a family does not read, nor any other for its sizes. */
static void put_unread(rk_arena *a, const rk_doc *d, const char *below, const rk_ignored_keys *ignored,
                       const rk_reads_key *k, size_t n, rk_str *out, size_t *n_out)
{
    for (size_t i = 0; d->kind == RK_DOC_MAP && i < d->n; i++) {
        const char *path = rk_arena_format(a, "%s%s", below, d->key[i]);

        if (!path || is_read(k, n, path) || rk_ignored_key_reason(ignored, d->key[i]))
            continue;
        if (d->item[i].kind == RK_DOC_MAP && strstr(d->key[i], "config")) {
            put_unread(a, &d->item[i], rk_arena_format(a, "%s.", path), ignored, k, n, out, n_out);
        } else if ((*n_out)++ < UNREAD_MAX) {
            rk_str_put(out, out->n ? ", " : "");
            rk_str_put_safe(out, path, strlen(path));
        }
    }
}

/* What reading it like the nearest one would come to. */
static int put_like(const fits *f, rk_arena *a, rk_str *out, rk_err *err)
{
    rk_reads_key *k = NULL;
    size_t n = 0, n_unread = 0;
    rk_str unread = {0};
    int code = rk_reads(a, &f->of.at[0].text, f->library, &k, &n, err);

    if (code == RK_OK)
        put_unread(a, f->config, "", f->ignored, k, n, &unread, &n_unread);
    rk_str_format(out, ".  --like %s takes %s", f->of.at[0].family, n_unread ? "all but " : "them all");
    rk_str_format(out, "%s%s", rk_str_text(&unread), n_unread > UNREAD_MAX ? " …" : "");
    rk_str_free(&unread);
    return a->failed ? rk_fail_memory(err) : code;
}

/* ---- the message ------------------------------------------------------------------------------------------------ */

/* Looks at every family of the library, by name and, where there is a config, by keys. */
static int look_through(const rk_library *l, rk_arena *a, nearest_few *few, fits *f, rk_err *err)
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
        if (code == RK_OK && n_name > 0 && f->config)
            code = fit_try(f, a, &t, name[0], err);
    }
    return code;
}

/* The nearest, and the ways on. */
static int put_ways(const nearest_few *few, const fits *f, rk_arena *a, rk_str *out, rk_err *err)
{
    int code = RK_OK;

    for (size_t i = 0; i < few->n; i++)
        rk_str_format(out, "%s'%s'", i == 0 ? "; nearest by name: " : ", ", few->at[i].name);
    if (!f->config)
        return RK_OK;
    for (size_t i = 0; i < f->of.n; i++)
        rk_str_format(out, "%s'%s' (%zu)", i == 0 ? "; by keys: " : ", ", f->of.at[i].family, f->of.at[i].n_same);
    if (f->of.n)
        rk_str_format(out, ", of the %zu it has", f->n_key);
    if (f->of.n)
        code = put_like(f, a, out, err);
    else
        rk_str_format(out, ".  Read it like one of a known family (--like %s)", few->n ? few->at[0].name : "FAMILY");
    rk_str_format(out, "%s or give a model file for it (FILE.rk CONFIG)", f->of.n ? ";" : ",");
    return code;
}

int rk_family_fail(const rk_library *l, rk_arena *a, const char *family, const rk_doc *config, rk_err *err)
{
    nearest_few few = {.word = family};
    rk_ignored_keys ignored = {0};
    fits f = {.library = l, .config = config, .ignored = &ignored};
    rk_str s = {0};
    int code = rk_ignored_keys_read(l, a, &ignored, err);

    f.n_key = count_keys(config, &ignored);
    if (code == RK_OK)
        code = look_through(l, a, &few, &f, err);
    if (code == RK_OK && config)
        code = weigh(l, a, &few, &f, err);
    if (code != RK_OK)
        return code;
    sort(&f);
    code = put_ways(&few, &f, a, &s, err);
    if (code == RK_OK)
        code = s.failed ? rk_fail_memory(err)
                        : rk_fail(err, RK_EINPUT, "no model file is for the family '%s'%s", family, rk_str_text(&s));
    rk_str_free(&s);
    return code;
}
