/* SPDX-License-Identifier: MIT */
#include "account/verify_match.h"

#include "account/packing.h"

#include <string.h>

/* ---- names ------------------------------------------------------------------------------------------------------ */

bool rk_verify_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The name in a form; valid until the next call. */
const char *rk_verify_name_in(rk_comparing *c, const rk_form *f, const char *name)
{
    if (f->drop && rk_verify_begins(name, f->drop))
        return name + strlen(f->drop);
    if (!f->add)
        return name;
    rk_str_reset(&c->text);
    rk_str_put(&c->text, f->add);
    rk_str_put(&c->text, name);
    return rk_str_text(&c->text);
}

/* Norms of older files are called after the letters of their formula. */
static const rk_stored *find_old(rk_comparing *c, const char *name)
{
    static const char *const end[][2] = {{".weight", "gamma"}, {".bias", "beta"}};
    size_t n = strlen(name);
    char old[512];

    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        size_t m = strlen(end[i][0]), k = strlen(end[i][1]);

        if (n < m || n >= sizeof old || strcmp(name + n - m, end[i][0]) != 0)
            continue;
        memcpy(old, name, n - m + 1);
        memcpy(old + n - m + 1, end[i][1], k);
        return rk_store_find(c->store, old, n - m + 1 + k);
    }
    return NULL;
}

const rk_stored *rk_verify_find(rk_comparing *c, const rk_form *f, const rk_named *t)
{
    const char *name = rk_verify_name_in(c, f, t->name);
    const rk_stored *s = rk_store_find(c->store, name, strlen(name));

    return s ? s : find_old(c, name);
}

/* A shape that is not known says nothing against a tensor. */
bool rk_verify_same_shape(const rk_named *t, const rk_stored *s)
{
    if (!s->known || !t->dim)
        return true;
    if (t->n_dim != s->rank)
        return false;
    for (size_t i = 0; i < t->n_dim; i++)
        if (t->dim[i] != (rk_i128)s->shape[i])
            return false;
    return true;
}

/* ---- forms ------------------------------------------------------------------------------------------------------ */

const rk_form *rk_verify_form_of(const rk_comparing *c, size_t unit)
{
    return &c->form[c->choice[unit].form];
}

/* A tensor that must be there: neither a second name nor a buffer. */
bool rk_verify_is_own(const rk_comparing *c, size_t unit)
{
    const rk_form *f = rk_verify_form_of(c, unit);
    const rk_named *t = f->first[unit] < f->first[unit + 1] ? &f->names->at[f->first[unit]] : NULL;

    return t && !t->tied_to && !t->buffer;
}

static size_t *first_names(rk_arena *a, const rk_names *n)
{
    size_t *first = RK_NEW_ARRAY(a, n->n_unit + 1, size_t);

    for (size_t unit = 0, i = 0; first && unit <= n->n_unit; unit++) {
        while (i < n->n && n->at[i].unit < unit)
            i++;
        first[unit] = i;
    }
    return first;
}

/* Whether the config is of a quantised checkpoint whose tensors are known. */
static int ask_packing(rk_comparing *c, bool *packed)
{
    const rk_quant *q = &c->l->model->quant;
    const char *unknown = NULL;
    int code = q->method ? rk_packing_obstacle(c->l, &unknown, c->err) : RK_OK;

    *packed = q->method && !unknown;
    c->v->method = q->method ? rk_arena_text(&c->v->arena, q->method) : NULL;
    c->v->unknown = unknown ? rk_arena_text(&c->v->arena, unknown) : NULL;
    return code;
}

/* The names of the model in one naming; where its config is of a quantised checkpoint, of what that really stores. */
static int make_names(rk_comparing *c, rk_naming naming, rk_names *out)
{
    bool packed = false;
    int code = naming == RK_NAMING_CHECKPOINT ? ask_packing(c, &packed) : RK_OK;

    if (code != RK_OK)
        return code;
    if (!packed)
        return rk_names_new(c->l, naming, out, c->err);
    code = rk_packing_list(c->l, out, c->err);
    if (code == RK_OK)
        out->n_unit = out->n ? out->at[out->n - 1].unit + 1 : 0;
    return code;
}

static int add_naming(rk_comparing *c, rk_naming naming)
{
    rk_names *n = &c->names[c->n_naming];
    int code = make_names(c, naming, n);
    size_t *first;

    if (code != RK_OK)
        return code;
    c->n_naming++;
    first = first_names(&c->arena, n);
    if (!c->choice) {
        c->n_unit = n->n_unit;
        c->choice = RK_NEW_ARRAY(&c->arena, n->n_unit + 1, rk_choice);
    }
    if (!first || !c->choice)
        return rk_fail_memory(c->err);
    c->form[c->n_form++] = (rk_form){.naming = naming, .names = n, .first = first};
    return RK_OK;
}

/* Takes the form in which most of a unit is there; `*best` is how much that was so far. */
static bool try_form(rk_comparing *c, size_t unit, size_t which, size_t best[2])
{
    const rk_form *f = &c->form[which];
    size_t exact = 0, found = 0, n = f->first[unit + 1] - f->first[unit];

    for (size_t i = f->first[unit]; i < f->first[unit + 1]; i++) {
        const rk_stored *s = rk_verify_find(c, f, &f->names->at[i]);

        found += s != NULL;
        exact += s && rk_verify_same_shape(&f->names->at[i], s);
    }
    if (exact < best[0] || (exact == best[0] && found <= best[1]))
        return false;
    best[0] = exact;
    best[1] = found;
    c->choice[unit] = (rk_choice){.form = (uint8_t)which, .some = true, .complete = exact == n};
    return exact == n;
}

/* Whether every tensor that must be there is found, once all forms were tried. */
static bool choose(rk_comparing *c)
{
    bool all = true;

    for (size_t u = 0; u < c->n_unit; u++) {
        size_t best[2] = {0, 0};

        for (size_t f = 0; f < c->n_form && !c->choice[u].complete; f++)
            if (try_form(c, u, f, best))
                break;
        all &= c->choice[u].complete || !rk_verify_is_own(c, u);
    }
    return all;
}

/* ---- matching --------------------------------------------------------------------------------------------------- */

static bool has_pieces(const rk_program *p)
{
    for (size_t i = 0; i < p->n_weight; i++)
        if (p->weight[i].n_layout > 0)
            return true;
    return false;
}

/* Whether a model has names of its own in this naming. */
static bool applies(const rk_program *p, rk_naming naming)
{
    bool pieces = has_pieces(p), prefixes = p->n_rename > 0;

    return naming == RK_NAMING_CHECKPOINT || (naming == RK_NAMING_REFERENCE ? pieces || prefixes : pieces && prefixes);
}

/* Each further naming is made only where the ones before it leave something over. */
int rk_verify_match(rk_comparing *c)
{
    static const rk_naming order[] = {RK_NAMING_CHECKPOINT, RK_NAMING_REFERENCE, RK_NAMING_PIECES, RK_NAMING_PREFIXES};
    int code = RK_OK;

    for (size_t i = 0; i < RK_NAMINGS_MAX; i++) {
        if (!applies(&c->l->model->program, order[i]))
            continue;
        code = add_naming(c, order[i]);
        if (code != RK_OK || choose(c))
            return code;
    }
    code = rk_verify_add_prefix_forms(c);
    if (code == RK_OK)
        choose(c);
    return code;
}
