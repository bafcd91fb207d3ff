/* SPDX-License-Identifier: MIT */
/*
 * The way of a comparison by names: for each tensor, under which of the model's namings it is stored; a prefix that the
 * file's names have and the model's have not, or the other way round; a list of what differs.
 */
#include "account/verify.h"

#include "account/packing.h"
#include "base/map.h"
#include "base/vec.h"

#include <string.h>

enum {
    NAMINGS_MAX = 4,
    FORMS_MAX = 2 * NAMINGS_MAX, /* each naming as it is, and with a prefix changed */
    SAMPLE = 64,                 /* names by which a prefix is found */
    CANDIDATES_MAX = 64,
    PREFIX_WORDS_MAX = 3 /* language_model.model. has two */
};

const rk_difference_row rk_difference_table[RK_N_DIFFERENCE] = {
#define ROW(ID, key, fails, text) {key, fails, text},
    RK_DIFFERENCES(ROW)
#undef ROW
};

/* A way in which the tensors of the model may be called in the file. */
typedef struct form {
    rk_naming naming;
    const rk_names *names;
    size_t *first;          /* of each unit, its first name; one more for the end */
    const char *drop, *add; /* a prefix; NULL: none */
} form;

/* How one tensor of the reference layout is stored: whole or in pieces, under which names. */
typedef struct choice {
    uint8_t form;
    bool some, complete; /* at least one piece is there; all are, with the right shapes */
} choice;

typedef struct comparing {
    const rk_ledger *l;
    const rk_store *store;
    rk_verify *v;
    rk_err *err;
    rk_arena arena; /* for the comparison alone */
    rk_names names[NAMINGS_MAX];
    form form[FORMS_MAX];
    size_t n_naming, n_form;
    choice *choice;
    size_t n_unit;
    bool *used, *stands_in; /* of each stored tensor */
    rk_map tied;            /* from the name of an owner to a stored tensor that is tied to it */
    rk_str text;
} comparing;

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* The name in a form; valid until the next call. */
static const char *name_in(comparing *c, const form *f, const char *name)
{
    if (f->drop && strncmp(name, f->drop, strlen(f->drop)) == 0)
        return name + strlen(f->drop);
    if (!f->add)
        return name;
    rk_str_reset(&c->text);
    rk_str_put(&c->text, f->add);
    rk_str_put(&c->text, name);
    return rk_str_text(&c->text);
}

/* Norms of older files are called after the letters of their formula. */
static const rk_stored *find_old(comparing *c, const char *name)
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

static const rk_stored *find(comparing *c, const form *f, const rk_named *t)
{
    const char *name = name_in(c, f, t->name);
    const rk_stored *s = rk_store_find(c->store, name, strlen(name));

    return s ? s : find_old(c, name);
}

/* A shape that is not known says nothing against a tensor. */
static bool same_shape(const rk_named *t, const rk_stored *s)
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

static const form *form_of(const comparing *c, size_t unit)
{
    return &c->form[c->choice[unit].form];
}

/* A tensor that must be there: neither a second name nor a buffer. */
static bool is_own(const comparing *c, size_t unit)
{
    const form *f = form_of(c, unit);
    const rk_named *t = f->first[unit] < f->first[unit + 1] ? &f->names->at[f->first[unit]] : NULL;

    return t && !t->tied_to && !t->buffer;
}

/* The names of the model in one naming; where its config is of a quantised checkpoint, of what that really stores. */
static int make_names(comparing *c, rk_naming naming, rk_names *out)
{
    const char *method = naming == RK_NAMING_CHECKPOINT ? c->l->model->quant.method : NULL, *unknown = NULL;
    int code = method ? rk_packing_obstacle(c->l, &unknown, c->err) : RK_OK;

    if (method)
        c->v->method = rk_arena_text(&c->v->arena, method);
    if (unknown)
        c->v->unknown = rk_arena_text(&c->v->arena, unknown);
    if (code != RK_OK)
        return code;
    if (!method || unknown)
        return rk_names_new(c->l, naming, out, c->err);
    code = rk_packing_list(c->l, out, c->err);
    if (code == RK_OK)
        out->n_unit = out->n ? out->at[out->n - 1].unit + 1 : 0;
    return code;
}

static int add_naming(comparing *c, rk_naming naming)
{
    rk_names *n = &c->names[c->n_naming];
    form *f = &c->form[c->n_form];
    int code = make_names(c, naming, n);

    if (code != RK_OK)
        return code;
    c->n_naming++;
    *f = (form){.naming = naming, .names = n, .first = RK_NEW_ARRAY(&c->arena, n->n_unit + 1, size_t)};
    if (!c->choice) {
        c->n_unit = n->n_unit;
        c->choice = RK_NEW_ARRAY(&c->arena, n->n_unit + 1, choice);
    }
    if (!f->first || !c->choice)
        return rk_fail_memory(c->err);
    for (size_t unit = 0, i = 0; unit <= n->n_unit; unit++) {
        while (i < n->n && n->at[i].unit < unit)
            i++;
        f->first[unit] = i;
    }
    c->n_form++;
    return RK_OK;
}

/* Takes the form in which most of a unit is there; `*best` is how much that was so far. */
static bool try_form(comparing *c, size_t unit, size_t which, size_t best[2])
{
    const form *f = &c->form[which];
    size_t exact = 0, found = 0, n = f->first[unit + 1] - f->first[unit];

    for (size_t i = f->first[unit]; i < f->first[unit + 1]; i++) {
        const rk_stored *s = find(c, f, &f->names->at[i]);

        found += s != NULL;
        exact += s && same_shape(&f->names->at[i], s);
    }
    if (exact < best[0] || (exact == best[0] && found <= best[1]))
        return false;
    best[0] = exact;
    best[1] = found;
    c->choice[unit] = (choice){.form = (uint8_t)which, .some = true, .complete = exact == n};
    return exact == n;
}

/* Whether every tensor that must be there is found, once all forms were tried. */
static bool choose(comparing *c)
{
    bool all = true;

    for (size_t u = 0; u < c->n_unit; u++) {
        size_t best[2] = {0, 0};

        for (size_t f = 0; f < c->n_form && !c->choice[u].complete; f++)
            if (try_form(c, u, f, best))
                break;
        all &= c->choice[u].complete || !is_own(c, u);
    }
    return all;
}

/* ---- a prefix on every name, or on none ------------------------------------------------------------------------ */

/* The search for a prefix: names of the model and of the file, what was tried, and what fits most of them. */
typedef struct search {
    const char *wanted[2 * SAMPLE], *stored[SAMPLE], *tried[CANDIDATES_MAX];
    size_t n_wanted, n_stored, n_tried, most;
    form best;
} search;

/* Names of the model, evenly spread over the tensors of which nothing was found, and names of the file. */
static void take_sample(const comparing *c, search *s)
{
    size_t n = 0, seen = 0;

    for (size_t u = 0; u < c->n_unit; u++)
        n += !c->choice[u].some && is_own(c, u);
    for (size_t u = 0; u < c->n_unit && n > 0; u++) {
        if (c->choice[u].some || !is_own(c, u) || seen++ % (n / SAMPLE + 1) != 0)
            continue;
        for (size_t f = 0; f < 2 && f < c->n_form; f++)
            if (c->form[f].first[u] < c->form[f].first[u + 1])
                s->wanted[s->n_wanted++] = c->form[f].names->at[c->form[f].first[u]].name;
    }
    for (size_t i = 0; i < c->store->n_tensor; i += c->store->n_tensor / SAMPLE + 1)
        s->stored[s->n_stored++] = c->store->tensor[i].name;
}

static bool is_tried(const search *s, const char *prefix)
{
    for (size_t i = 0; i < s->n_tried; i++)
        if (strcmp(s->tried[i], prefix) == 0)
            return true;
    return s->n_tried == CANDIDATES_MAX;
}

/* Tries the first word of a name, then two words, then three. */
static int try_prefixes(comparing *c, search *s, const char *name, bool drops)
{
    const char *dot = name;

    for (int i = 0; i < PREFIX_WORDS_MAX && (dot = strchr(dot, '.')); i++) {
        char *prefix = rk_arena_copy(&c->arena, name, (size_t)(++dot - name));
        form f = {.drop = drops ? prefix : NULL, .add = drops ? NULL : prefix};
        size_t hits = 0;

        if (!prefix)
            return rk_fail_memory(c->err);
        if (is_tried(s, prefix))
            continue;
        s->tried[s->n_tried++] = prefix;
        for (size_t k = 0; k < s->n_wanted; k++) {
            const char *other = name_in(c, &f, s->wanted[k]);

            hits += rk_store_find(c->store, other, strlen(other)) != NULL;
        }
        if (hits > s->most) {
            s->most = hits;
            s->best = f;
        }
    }
    return RK_OK;
}

/* A name that was found as it is, although it has the prefix (or should get it): then the prefix is not the file's. */
static bool speaks_against(comparing *c, const form *prefix, size_t unit)
{
    const form *f = form_of(c, unit);

    if (!c->choice[unit].some || prefix->add)
        return c->choice[unit].some;
    for (size_t i = f->first[unit]; i < f->first[unit + 1]; i++)
        if (strncmp(f->names->at[i].name, prefix->drop, strlen(prefix->drop)) == 0 && find(c, f, &f->names->at[i]))
            return true;
    return false;
}

static int add_prefix_forms(comparing *c)
{
    search s = {.n_wanted = 0};
    const form *prefix = &s.best;
    int code = RK_OK;

    take_sample(c, &s);
    for (size_t i = 0; i < s.n_wanted && code == RK_OK; i++)
        code = try_prefixes(c, &s, s.wanted[i], true);
    s.n_tried = 0;
    for (size_t i = 0; i < s.n_stored && code == RK_OK; i++)
        code = try_prefixes(c, &s, s.stored[i], false);
    if (code != RK_OK || s.most == 0)
        return code;
    for (size_t u = 0; u < c->n_unit; u++)
        if (speaks_against(c, prefix, u))
            return RK_OK;
    for (size_t i = 0, n = c->n_form; i < n; i++) {
        c->form[c->n_form] = c->form[i];
        c->form[c->n_form].drop = prefix->drop;
        c->form[c->n_form++].add = prefix->add;
    }
    c->v->left_out = prefix->drop ? rk_arena_text(&c->v->arena, prefix->drop) : NULL;
    c->v->added = prefix->add ? rk_arena_text(&c->v->arena, prefix->add) : NULL;
    return RK_OK;
}

/* ---- matching --------------------------------------------------------------------------------------------------- */

/* Each further naming is made only where the ones before it leave something over. */
static int match(comparing *c)
{
    static const rk_naming order[] = {RK_NAMING_CHECKPOINT, RK_NAMING_REFERENCE, RK_NAMING_PIECES, RK_NAMING_PREFIXES};
    const rk_program *p = &c->l->model->program;
    bool prefixes = p->n_rename > 0, pieces = false;
    int code = RK_OK;

    for (size_t i = 0; i < p->n_weight; i++)
        pieces |= p->weight[i].n_layout > 0;
    for (size_t i = 0; i < NAMINGS_MAX; i++) {
        bool has_names = order[i] == RK_NAMING_CHECKPOINT || /* of its own in this naming */
                         (order[i] == RK_NAMING_REFERENCE ? pieces || prefixes : pieces && prefixes);

        if (!has_names)
            continue;
        code = add_naming(c, order[i]);
        if (code != RK_OK || choose(c))
            return code;
    }
    code = add_prefix_forms(c);
    if (code == RK_OK)
        choose(c);
    return code;
}

/* ---- what differs ----------------------------------------------------------------------------------------------- */

/* A row; what is NULL is not there.  Failure is sticky in the arena. */
static void note(comparing *c, rk_difference_kind kind, const char *name, const rk_named *t, const rk_stored *s,
                 const char *other)
{
    rk_arena *a = &c->v->arena;
    bool wanted = t && t->dim, found = s && s->known;
    rk_i128 *found_dim = found ? RK_NEW_ARRAY(a, s->rank + 1u, rk_i128) : NULL;
    rk_difference *d = RK_PUSH(a, c->v);

    c->v->count[kind]++;
    for (size_t i = 0; found_dim && i < s->rank; i++)
        found_dim[i] = (rk_i128)s->shape[i];
    if (!d)
        return;
    *d = (rk_difference){.kind = kind,
                         .name = rk_arena_text(a, name),
                         .other = other ? rk_arena_text(a, other) : NULL,
                         .dtype = found ? rk_dtype_info((rk_dtype)s->dtype)->name : NULL};
    if (wanted)
        d->wanted = (rk_shape){rk_arena_copy_array(a, t->dim, t->n_dim, sizeof *t->dim), t->n_dim, true};
    if (found)
        d->found = (rk_shape){found_dim, s->rank, true};
}

/* A tensor that is there. */
static void note_found(comparing *c, const form *f, const rk_named *t, const rk_stored *s)
{
    rk_verify *v = c->v;

    c->used[s - c->store->tensor] = true;
    v->n_wanted++;
    v->n_unchecked += !s->known;
    v->n_old += strcmp(s->name, name_in(c, f, t->name)) != 0;
    if (same_shape(t, s))
        v->n_matched++;
    else
        note(c, RK_DIFFERENCE_SHAPE, s->name, t, s, NULL);
}

/* The stored tensor that is tied to this one, whatever naming that one is in; NULL: there is none. */
static const rk_stored *stand_in(const comparing *c, size_t unit)
{
    for (size_t i = 0; i < c->n_naming; i++) {
        const form *f = &c->form[i];
        const char *name = f->first[unit] < f->first[unit + 1] ? f->names->at[f->first[unit]].name : "";
        uint32_t at = rk_map_get(&c->tied, name, strlen(name));

        if (at != RK_NONE)
            return &c->store->tensor[at];
    }
    return NULL;
}

static void note_missing(comparing *c, const form *f, const rk_named *t)
{
    const rk_stored *s = stand_in(c, t->unit);

    c->v->n_wanted++;
    if (!s || !same_shape(t, s)) {
        note(c, RK_DIFFERENCE_MISSING, name_in(c, f, t->name), t, NULL, NULL);
        return;
    }
    c->v->n_matched++;
    c->v->n_unchecked += !s->known;
    c->stands_in[s - c->store->tensor] = true;
    note(c, RK_DIFFERENCE_STANDS_IN, name_in(c, f, t->name), t, s, s->name);
}

static void list_own(comparing *c, const form *f, const rk_named *t)
{
    const rk_stored *s = find(c, f, t);

    if (s)
        note_found(c, f, t, s);
    else if (t->buffer)
        note(c, RK_DIFFERENCE_NO_BUFFER, name_in(c, f, t->name), t, NULL, NULL);
    else
        note_missing(c, f, t);
}

/* A second name need not be there.  Where it is, it may stand for the first one. */
static void list_tied(comparing *c, const form *f, const rk_named *t)
{
    const rk_stored *s = find(c, f, t);

    if (!s)
        return;
    c->used[s - c->store->tensor] = true;
    if (!same_shape(t, s))
        note(c, RK_DIFFERENCE_SHAPE, s->name, t, s, NULL);
    else if (!c->stands_in[s - c->store->tensor])
        note(c, RK_DIFFERENCE_TWICE, s->name, t, s, t->tied_to);
}

static void remember_tied(comparing *c, const form *f, const rk_named *t)
{
    const rk_stored *s = find(c, f, t);

    if (s && !rk_map_put(&c->arena, &c->tied, t->tied_to, strlen(t->tied_to), (uint32_t)(s - c->store->tensor)))
        c->arena.failed = true;
}

typedef void visitor(comparing *c, const form *f, const rk_named *t);

static void for_each(comparing *c, bool tied, visitor *visit)
{
    for (size_t u = 0; u < c->n_unit; u++) {
        const form *f = form_of(c, u);

        for (size_t i = f->first[u]; i < f->first[u + 1]; i++)
            if ((f->names->at[i].tied_to != NULL) == tied)
                visit(c, f, &f->names->at[i]);
    }
}

/* Rows of one kind together, each kind in its own order. */
static int sort_rows(rk_verify *v, rk_err *err)
{
    rk_difference *sorted = RK_NEW_ARRAY(&v->arena, v->n + 1, rk_difference);
    size_t n = 0;

    if (!sorted)
        return rk_fail_memory(err);
    for (int kind = 0; kind < RK_N_DIFFERENCE; kind++)
        for (size_t i = 0; i < v->n; i++)
            if ((int)v->at[i].kind == kind)
                sorted[n++] = v->at[i];
    v->at = sorted;
    return RK_OK;
}

static int list_differences(comparing *c)
{
    int code;

    c->used = RK_NEW_ARRAY(&c->arena, c->store->n_tensor + 1, bool);
    c->stands_in = RK_NEW_ARRAY(&c->arena, c->store->n_tensor + 1, bool);
    if (!c->used || !c->stands_in)
        return rk_fail_memory(c->err);
    for_each(c, true, remember_tied);
    for_each(c, false, list_own);
    for_each(c, true, list_tied);
    for (size_t i = 0; i < c->store->n_tensor; i++) {
        const rk_stored *s = &c->store->tensor[i];

        if (!c->used[i])
            note(c, rk_verify_is_constant(s) ? RK_DIFFERENCE_CONSTANT : RK_DIFFERENCE_EXTRA, s->name, NULL, s, NULL);
    }
    if (c->v->arena.failed || c->arena.failed || c->text.failed)
        return rk_fail_memory(c->err);
    code = rk_verify_pieces(c->v, c->err);
    return code == RK_OK ? sort_rows(c->v, c->err) : code;
}

/* ---- the layout of the file ------------------------------------------------------------------------------------- */

/* Whether a unit is stored alike in both layouts. */
static bool is_alike(const comparing *c, size_t u)
{
    const form *a = NULL, *b = NULL;

    for (size_t i = 0; i < c->n_naming; i++) {
        a = c->form[i].naming == RK_NAMING_CHECKPOINT ? &c->form[i] : a;
        b = c->form[i].naming == RK_NAMING_REFERENCE ? &c->form[i] : b;
    }
    return !b || (a->first[u + 1] - a->first[u] == 1 && b->first[u + 1] - b->first[u] == 1 &&
                  strcmp(a->names->at[a->first[u]].name, b->names->at[b->first[u]].name) == 0);
}

static rk_verify_layout layout_of(const comparing *c)
{
    size_t n[NAMINGS_MAX] = {0}, alike = 0;

    for (size_t u = 0; u < c->n_unit; u++) {
        if (!c->choice[u].some)
            continue;
        if (is_alike(c, u))
            alike++;
        else
            n[form_of(c, u)->naming]++;
    }
    if (n[RK_NAMING_PIECES] + n[RK_NAMING_PREFIXES] > 0 || (n[RK_NAMING_REFERENCE] && n[RK_NAMING_CHECKPOINT]))
        return RK_VERIFY_MIXED;
    if (n[RK_NAMING_REFERENCE] > 0)
        return RK_VERIFY_REFERENCE;
    return alike + n[RK_NAMING_CHECKPOINT] > 0 ? RK_VERIFY_CHECKPOINT : RK_VERIFY_NONE;
}

/* What is not there at all is missed in the layout of the others. */
static void settle(comparing *c)
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
    comparing c = {.l = l, .store = s, .v = v, .err = err};
    int code = match(&c);

    if (code == RK_OK) {
        v->layout = layout_of(&c);
        settle(&c);
        code = list_differences(&c);
    }
    v->equal = true;
    for (int kind = 0; kind < RK_N_DIFFERENCE; kind++)
        v->equal &= !rk_difference_table[kind].fails || v->count[kind] == 0;
    for (size_t i = 0; i < c.n_naming; i++)
        rk_names_free(&c.names[i]);
    rk_arena_free(&c.arena);
    rk_str_free(&c.text);
    return code;
}

int rk_verify_new(const rk_ledger *l, const rk_store *s, rk_verify *out, rk_err *err)
{
    static const char key[] = "general.architecture";
    rk_verify v = {.n_stored = s->n_tensor, .n_known = s->n_known, .n_unlisted = s->n_unlisted, .bytes = s->bytes};
    /* GGUF files call their tensors otherwise, in words that no model file has. */
    bool other_names = rk_doc_key(s->metadata, key, strlen(key)) != NULL;
    int code = other_names ? rk_verify_by_sums(l, s, &v, err) : by_names(l, s, &v, err);

    if (code != RK_OK) {
        rk_verify_free(&v);
        return code;
    }
    *out = v;
    return RK_OK;
}

void rk_verify_free(rk_verify *v)
{
    rk_arena_free(&v->arena);
}
