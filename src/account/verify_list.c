/* SPDX-License-Identifier: MIT */
#include "account/verify_match.h"

#include "base/vec.h"

#include <string.h>

static rk_shape shape_wanted(rk_comparing *c, const rk_named *t)
{
    rk_i128 *dim = t->dim ? RK_NEW_ARRAY(&c->v->arena, t->n_dim + 1, rk_i128) : NULL;

    if (!dim)
        return (rk_shape){0};
    memcpy(dim, t->dim, t->n_dim * sizeof *dim);
    return (rk_shape){dim, t->n_dim, true};
}

static rk_shape shape_found(rk_comparing *c, const rk_stored *s)
{
    rk_i128 *dim = s->known ? RK_NEW_ARRAY(&c->v->arena, s->rank + 1u, rk_i128) : NULL;

    for (size_t i = 0; dim && i < s->rank; i++)
        dim[i] = (rk_i128)s->shape[i];
    return (rk_shape){dim, dim ? s->rank : 0, dim != NULL};
}

/* A row; what is NULL is not there.  Failure is sticky in the arena. */
static void note(rk_comparing *c, rk_difference_kind kind, const char *name, const rk_named *t, const rk_stored *s,
                 const char *other)
{
    rk_difference *d = RK_PUSH(&c->v->arena, c->v);

    c->v->count[kind]++;
    if (!d)
        return;
    d->kind = kind;
    d->name = rk_arena_text(&c->v->arena, name);
    d->other = other ? rk_arena_text(&c->v->arena, other) : NULL;
    d->wanted = t ? shape_wanted(c, t) : (rk_shape){0};
    d->found = s ? shape_found(c, s) : (rk_shape){0};
    d->dtype = s && s->known ? rk_dtype_info((rk_dtype)s->dtype)->name : NULL;
}

/* A tensor that is there. */
static void note_found(rk_comparing *c, const rk_form *f, const rk_named *t, const rk_stored *s)
{
    rk_verify *v = c->v;

    c->used[s - c->store->tensor] = true;
    v->n_wanted++;
    v->n_unchecked += !s->known;
    v->n_old += strcmp(s->name, rk_verify_name_in(c, f, t->name)) != 0;
    if (rk_verify_same_shape(t, s))
        v->n_matched++;
    else
        note(c, RK_DIFFERENCE_SHAPE, s->name, t, s, NULL);
}

/* The stored tensor that is tied to this one, whatever naming that one is in; NULL: there is none. */
static const rk_stored *stand_in(const rk_comparing *c, size_t unit)
{
    for (size_t i = 0; i < c->n_naming; i++) {
        const rk_form *f = &c->form[i];
        const char *name = f->first[unit] < f->first[unit + 1] ? f->names->at[f->first[unit]].name : "";
        uint32_t at = rk_map_get(&c->tied, name, strlen(name));

        if (at != RK_NONE)
            return &c->store->tensor[at];
    }
    return NULL;
}

static void note_missing(rk_comparing *c, const rk_form *f, const rk_named *t)
{
    const rk_stored *s = stand_in(c, t->unit);

    c->v->n_wanted++;
    if (!s || !rk_verify_same_shape(t, s)) {
        note(c, RK_DIFFERENCE_MISSING, rk_verify_name_in(c, f, t->name), t, NULL, NULL);
        return;
    }
    c->v->n_matched++;
    c->v->n_unchecked += !s->known;
    c->stands_in[s - c->store->tensor] = true;
    note(c, RK_DIFFERENCE_STANDS_IN, rk_verify_name_in(c, f, t->name), t, s, s->name);
}

static void list_own(rk_comparing *c, const rk_form *f, const rk_named *t)
{
    const rk_stored *s = rk_verify_find(c, f, t);

    if (s)
        note_found(c, f, t, s);
    else if (t->buffer)
        note(c, RK_DIFFERENCE_NO_BUFFER, rk_verify_name_in(c, f, t->name), t, NULL, NULL);
    else
        note_missing(c, f, t);
}

/* A second name need not be there.  Where it is, it may stand for the first one. */
static void list_tied(rk_comparing *c, const rk_form *f, const rk_named *t)
{
    const rk_stored *s = rk_verify_find(c, f, t);

    if (!s)
        return;
    c->used[s - c->store->tensor] = true;
    if (!rk_verify_same_shape(t, s))
        note(c, RK_DIFFERENCE_SHAPE, s->name, t, s, NULL);
    else if (!c->stands_in[s - c->store->tensor])
        note(c, RK_DIFFERENCE_TWICE, s->name, t, s, t->tied_to);
}

static void remember_tied(rk_comparing *c, const rk_form *f, const rk_named *t)
{
    const rk_stored *s = rk_verify_find(c, f, t);

    if (s && !rk_map_put(&c->arena, &c->tied, t->tied_to, strlen(t->tied_to), (uint32_t)(s - c->store->tensor)))
        c->arena.failed = true;
}

typedef void visitor(rk_comparing *c, const rk_form *f, const rk_named *t);

static void for_each(rk_comparing *c, bool tied, visitor *visit)
{
    for (size_t u = 0; u < c->n_unit; u++) {
        const rk_form *f = rk_verify_form_of(c, u);

        for (size_t i = f->first[u]; i < f->first[u + 1]; i++)
            if ((f->names->at[i].tied_to != NULL) == tied)
                visit(c, f, &f->names->at[i]);
    }
}

static void list_rest(rk_comparing *c)
{
    for (size_t i = 0; i < c->store->n_tensor; i++) {
        const rk_stored *s = &c->store->tensor[i];

        if (!c->used[i])
            note(c, rk_verify_is_constant(s) ? RK_DIFFERENCE_CONSTANT : RK_DIFFERENCE_EXTRA, s->name, NULL, s, NULL);
    }
}

/* Rows of one kind together, each kind in its own order. */
static int sort_rows(rk_comparing *c)
{
    rk_verify *v = c->v;
    rk_difference *sorted = RK_NEW_ARRAY(&v->arena, v->n + 1, rk_difference);
    size_t n = 0;

    if (!sorted || v->arena.failed || c->arena.failed || c->text.failed)
        return rk_fail_memory(c->err);
    for (int kind = 0; kind < RK_N_DIFFERENCE; kind++)
        for (size_t i = 0; i < v->n; i++)
            if ((int)v->at[i].kind == kind)
                sorted[n++] = v->at[i];
    v->at = sorted;
    return RK_OK;
}

int rk_verify_list(rk_comparing *c)
{
    c->used = RK_NEW_ARRAY(&c->arena, c->store->n_tensor + 1, bool);
    c->stands_in = RK_NEW_ARRAY(&c->arena, c->store->n_tensor + 1, bool);
    if (!c->used || !c->stands_in)
        return rk_fail_memory(c->err);
    for_each(c, true, remember_tied);
    for_each(c, false, list_own);
    for_each(c, true, list_tied);
    list_rest(c);
    if (c->v->arena.failed)
        return rk_fail_memory(c->err);
    int code = rk_verify_pieces(c->v, c->err);
    return code == RK_OK ? sort_rows(c) : code;
}
