/* SPDX-License-Identifier: MIT */
#include "account/verify_match.h"

#include <string.h>

enum {
    SAMPLE = 64, /* names by which a prefix is found */
    CANDIDATES_MAX = 64,
    PREFIX_WORDS_MAX = 3 /* language_model.model. has two */
};

typedef struct sample {
    const char *wanted[2 * SAMPLE];
    const char *stored[SAMPLE];
    size_t n_wanted, n_stored;
} sample;

/* Names of the model, evenly spread over the tensors of which nothing was found. */
static void sample_wanted(const rk_comparing *c, sample *s)
{
    size_t n = 0, seen = 0;

    for (size_t u = 0; u < c->n_unit; u++)
        n += !c->choice[u].some && rk_verify_is_own(c, u);
    for (size_t u = 0; u < c->n_unit && n > 0; u++) {
        if (c->choice[u].some || !rk_verify_is_own(c, u) || seen++ % (n / SAMPLE + 1) != 0)
            continue;
        for (size_t f = 0; f < 2 && f < c->n_form; f++)
            if (c->form[f].first[u] < c->form[f].first[u + 1])
                s->wanted[s->n_wanted++] = c->form[f].names->at[c->form[f].first[u]].name;
    }
}

static void sample_stored(const rk_comparing *c, sample *s)
{
    for (size_t i = 0; i < c->store->n_tensor; i += c->store->n_tensor / SAMPLE + 1)
        s->stored[s->n_stored++] = c->store->tensor[i].name;
}

static size_t hits(rk_comparing *c, const sample *s, const rk_form *f)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_wanted; i++) {
        const char *name = rk_verify_name_in(c, f, s->wanted[i]);

        n += rk_store_find(c->store, name, strlen(name)) != NULL;
    }
    return n;
}

typedef struct search {
    const sample *sample;
    const char *tried[CANDIDATES_MAX];
    size_t n_tried, most;
    rk_form best;
} search;

static bool is_tried(const search *s, const char *prefix)
{
    for (size_t i = 0; i < s->n_tried; i++)
        if (strcmp(s->tried[i], prefix) == 0)
            return true;
    return s->n_tried == CANDIDATES_MAX;
}

/* Tries the first word of a name, then two words, then three. */
static int try_prefixes(rk_comparing *c, search *s, const char *name, bool drops)
{
    const char *dot = name;

    for (int i = 0; i < PREFIX_WORDS_MAX && (dot = strchr(dot, '.')); i++) {
        char *prefix = rk_arena_copy(&c->arena, name, (size_t)(++dot - name));
        rk_form f = {.drop = drops ? prefix : NULL, .add = drops ? NULL : prefix};
        size_t n;

        if (!prefix)
            return rk_fail_memory(c->err);
        if (is_tried(s, prefix))
            continue;
        s->tried[s->n_tried++] = prefix;
        n = hits(c, s->sample, &f);
        if (n > s->most) {
            s->most = n;
            s->best = f;
        }
    }
    return RK_OK;
}

static int search_prefix(rk_comparing *c, rk_form *best)
{
    sample names = {.n_wanted = 0};
    search s = {.sample = &names};
    int code = RK_OK;

    sample_wanted(c, &names);
    sample_stored(c, &names);
    for (size_t i = 0; i < names.n_wanted && code == RK_OK; i++)
        code = try_prefixes(c, &s, names.wanted[i], true);
    s.n_tried = 0;
    for (size_t i = 0; i < names.n_stored && code == RK_OK; i++)
        code = try_prefixes(c, &s, names.stored[i], false);
    *best = s.best;
    return code;
}

/* A name that was found as it is, although it has the prefix (or should get it): then the prefix is not the file's. */
static bool speaks_against(rk_comparing *c, const rk_form *prefix, size_t unit)
{
    const rk_form *f = rk_verify_form_of(c, unit);

    if (!c->choice[unit].some || prefix->add)
        return c->choice[unit].some;
    for (size_t i = f->first[unit]; i < f->first[unit + 1]; i++)
        if (rk_verify_begins(f->names->at[i].name, prefix->drop) && rk_verify_find(c, f, &f->names->at[i]))
            return true;
    return false;
}

int rk_verify_add_prefix_forms(rk_comparing *c)
{
    rk_form prefix = {.drop = NULL};
    int code = search_prefix(c, &prefix);

    if (code != RK_OK || (!prefix.drop && !prefix.add))
        return code;
    for (size_t u = 0; u < c->n_unit; u++)
        if (speaks_against(c, &prefix, u))
            return RK_OK;
    for (size_t i = 0, n = c->n_form; i < n; i++) {
        c->form[c->n_form] = c->form[i];
        c->form[c->n_form].drop = prefix.drop;
        c->form[c->n_form++].add = prefix.add;
    }
    c->v->left_out = prefix.drop ? rk_arena_text(&c->v->arena, prefix.drop) : NULL;
    c->v->added = prefix.add ? rk_arena_text(&c->v->arena, prefix.add) : NULL;
    return RK_OK;
}
