/* SPDX-License-Identifier: MIT */
#include "account/verify_match.h"

#include <string.h>

const rk_difference_row rk_difference_table[RK_N_DIFFERENCE] = {
#define ROW(ID, key, fails, text) {key, fails, text},
    RK_DIFFERENCES(ROW)
#undef ROW
};

/* ---- the layout of the file ------------------------------------------------------------------------------------- */

static const rk_form *plain_form(const rk_comparing *c, rk_naming naming)
{
    for (size_t i = 0; i < c->n_naming; i++)
        if (c->form[i].naming == naming)
            return &c->form[i];
    return NULL;
}

/* Whether a unit is stored alike in both layouts. */
static bool is_alike(const rk_comparing *c, size_t u)
{
    const rk_form *a = plain_form(c, RK_NAMING_CHECKPOINT), *b = plain_form(c, RK_NAMING_REFERENCE);

    return !b || (a->first[u + 1] - a->first[u] == 1 && b->first[u + 1] - b->first[u] == 1 &&
                  strcmp(a->names->at[a->first[u]].name, b->names->at[b->first[u]].name) == 0);
}

static rk_verify_layout layout_of(const rk_comparing *c)
{
    size_t n[RK_NAMINGS_MAX] = {0}, alike = 0;

    for (size_t u = 0; u < c->n_unit; u++) {
        if (!c->choice[u].some)
            continue;
        if (is_alike(c, u))
            alike++;
        else
            n[rk_verify_form_of(c, u)->naming]++;
    }
    if (n[RK_NAMING_PIECES] + n[RK_NAMING_PREFIXES] > 0 || (n[RK_NAMING_REFERENCE] && n[RK_NAMING_CHECKPOINT]))
        return RK_VERIFY_MIXED;
    if (n[RK_NAMING_REFERENCE] > 0)
        return RK_VERIFY_REFERENCE;
    return alike + n[RK_NAMING_CHECKPOINT] > 0 ? RK_VERIFY_CHECKPOINT : RK_VERIFY_NONE;
}

/* What is not there at all is missed in the layout of the others. */
static void settle(rk_comparing *c)
{
    rk_naming naming = c->v->layout == RK_VERIFY_REFERENCE ? RK_NAMING_REFERENCE : RK_NAMING_CHECKPOINT;
    size_t last = 0;

    /* Forms with a prefix changed come last, and are there only where the file's names have it so. */
    for (size_t i = 0; i < c->n_form; i++)
        if (c->form[i].naming == naming)
            last = i;
    for (size_t u = 0; u < c->n_unit; u++)
        if (!c->choice[u].some)
            c->choice[u].form = (uint8_t)last;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static int by_names(const rk_ledger *l, const rk_store *s, rk_verify *v, rk_err *err)
{
    rk_comparing c = {.l = l, .store = s, .v = v, .err = err};
    int code = rk_verify_match(&c);

    if (code == RK_OK) {
        v->layout = layout_of(&c);
        settle(&c);
        code = rk_verify_list(&c);
    }
    for (size_t i = 0; i < c.n_naming; i++)
        rk_names_free(&c.names[i]);
    rk_arena_free(&c.arena);
    rk_str_free(&c.text);
    return code;
}

static bool is_equal(const rk_verify *v)
{
    for (int kind = 0; kind < RK_N_DIFFERENCE; kind++)
        if (rk_difference_table[kind].fails && v->count[kind] > 0)
            return false;
    return true;
}

/* GGUF files call their tensors otherwise, in words that no model file has. */
static bool has_other_names(const rk_store *s)
{
    static const char key[] = "general.architecture";

    return rk_doc_key(s->metadata, key, strlen(key)) != NULL;
}

int rk_verify_new(const rk_ledger *l, const rk_store *s, rk_verify *out, rk_err *err)
{
    rk_verify v = {.n_stored = s->n_tensor, .n_known = s->n_known, .n_unlisted = s->n_unlisted, .bytes = s->bytes};
    int code;

    v.by_sums = has_other_names(s);
    code = v.by_sums ? rk_verify_by_sums(l, s, &v, err) : by_names(l, s, &v, err);
    if (code != RK_OK) {
        rk_verify_free(&v);
        return code;
    }
    v.equal = v.by_sums ? v.equal : is_equal(&v);
    *out = v;
    return RK_OK;
}

void rk_verify_free(rk_verify *v)
{
    rk_arena_free(&v->arena);
}
