/* SPDX-License-Identifier: MIT */
/* What a figure may be: by its value, by the words around it, and by both. */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

double rk_bind_sharpness(const rk_figure *f)
{
    return f->slack > 0 ? f->size / (2 * f->slack) : f->size;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

static bool view_has(const rk_index_ratio *r, const char *word)
{
    return r->view && strstr(r->view, word);
}

static bool is_forward(const rk_index_entry *e)
{
    return strncmp(e->what, "backward", 8) != 0 && !strstr(e->what, "of a step");
}

/* Whether words speak of all that a match says. */
static bool is_said(const rk_figure *f, const rk_index_entry *e, const rk_index_ratio *r)
{
    if (!is_forward(e) && !(f->said & RK_SAID_BACKWARD))
        return false;
    if (view_has(r, "head") && !(f->said & RK_SAID_HEAD))
        return false;
    if (view_has(r, "token") && !(f->said & RK_SAID_TOKEN))
        return false;
    if (view_has(r, "MACs") && !(f->said & RK_SAID_MACS))
        return false;
    return !view_has(r, "sequence") || (f->said & RK_SAID_SEQUENCE);
}

/*
 * Something is left out, and no word says so.  What is called a total leaves out all that it is not; norms and biases,
 * which are small, may be left out of parts.
 */
static bool is_unsaid_part(const rk_figure *f, const rk_index_entry *e)
{
    const rk_index_entry *of = e->all ? f->all : f->one;
    const double small = 0.02;

    if (!e->with || (f->said & RK_SAID_WITHOUT))
        return false;
    if (strncmp(e->with, "without", 7) == 0)
        return true;
    return of && of->kind == e->kind && ((f->said & RK_SAID_TOTAL) || f->label) && strcmp(of->path, e->path) == 0 &&
           (e->path[0] == '\0' || (double)e->value < (1 - small) * (double)of->value);
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

/* Whether words speak of a row or a tensor of that name. */
static bool is_worded(const rk_wordeds *w, const char *name, size_t n)
{
    for (size_t i = 0; i < w->at.n; i++) {
        const char *path = w->at.at[i].entry->path;
        size_t length = strlen(path);

        if (length >= n && memcmp(path + length - n, name, n) == 0 && (length == n || path[length - n - 1] == '.'))
            return true;
    }
    return false;
}

/* "(q + k + v)": whether each summand is spoken of. */
static bool is_worded_sum(const rk_wordeds *w, const char *with)
{
    if (!with || with[0] != '(')
        return false;
    for (with++; *with;) {
        size_t n = strcspn(with, " )");

        if (!is_worded(w, with, n))
            return false;
        with += n;
        with += strspn(with, " +)");
    }
    return true;
}

static int points_of(const rk_wordeds *w, const rk_index_entry *e)
{
    if (!e->convention && is_worded_sum(w, e->with))
        return RK_POINTS_SUM;
    for (size_t i = 0; i < w->at.n; i++)
        if (w->at.at[i].entry == e)
            return w->at.at[i].score;
    return 0;
}

/* Of one layer where that is said, of all where that is. */
static int scope_points(const rk_figure *f, const rk_index_entry *e)
{
    if (e->times == 1 || !(f->said & (RK_SAID_ONE | RK_SAID_ALL)))
        return 0;
    return (f->said & RK_SAID_ONE ? !e->all : e->all) ? 1 : -1;
}

static void consider(rk_match *best, int *best_points, const rk_match *m, int points)
{
    bool is_share = m->entry->kind == RK_INDEX_SHARE, same = best->entry && points == *best_points;
    bool better =
        !best->entry || points > *best_points || (same && (is_share ? m->off < best->off : m->cost < best->cost));

    if (better) {
        *best = *m;
        *best_points = points;
    }
}

/* Of several parts that come to the same, the one that is named most closely. */
static void note_lacking(rk_figure *f, const rk_match *m)
{
    const rk_index_entry *e = m->entry;

    if (!m->ratio->times && !m->ratio->view && e->form != RK_INDEX_RATIO && is_unsaid_part(f, e) &&
        (!f->lacking || strlen(e->with) > strlen(f->lacking->with)))
        f->lacking = e;
}

static void consider_all(rk_binder *b, rk_figure *f, const rk_matches *found, const rk_wordeds *words, bool other)
{
    for (size_t i = 0; i < found->at.n; i++) {
        const rk_match *m = &found->at.at[i];
        int points = points_of(words, m->entry);
        bool had = f->plain.entry != NULL;

        points += points > 0 ? scope_points(f, m->entry) : 0;
        if (f->formula && !m->ratio->times && rk_bind_same_formula(b, f, m))
            points += RK_POINTS_FORMULA;
        note_lacking(f, m);
        if (f->is_around && f->label && (m->entry->with || f->one || f->all))
            continue;
        if (m->ratio->times || (is_unsaid_part(f, m->entry) && !is_worded_sum(words, m->entry->with)) ||
            m->entry->kind == RK_INDEX_SIZE)
            continue;
        if (!is_said(f, m->entry, m->ratio))
            consider(&f->viewed, &f->viewed_points, m, points);
        else if (!other || !had || f->as_other)
            consider(&f->plain, &f->points, m, points), f->as_other = other;
    }
}

double rk_bind_off(const rk_figure *f, const rk_index_entry *e)
{
    double value = (double)e->value / (e->kind == RK_INDEX_SHARE ? (double)RK_INDEX_SHARE_UNIT : 1);

    return e->kind == RK_INDEX_SHARE ? fabs(f->size - value) : fabs(f->size / value - 1);
}

/* ---- words alone ------------------------------------------------------------------------------------------------- */

static bool is_plain(const rk_index_entry *e)
{
    return !e->convention && !e->with;
}

/* All that the words speak of best is one part or row. */
static bool is_one_thing(const rk_wordeds *w)
{
    const rk_index_entry *first = w->at.at[0].entry;

    for (size_t i = 1; i < w->at.n && w->at.at[i].score == w->at.at[0].score; i++)
        if (is_plain(w->at.at[i].entry) && strcmp(w->at.at[i].entry->path, first->path) != 0)
            return false;
    return is_plain(first);
}

static bool is_bound_surely(const rk_figure *f, const rk_wordeds *w)
{
    if (w->at.n == 0 || !is_one_thing(w) || w->at.at[0].score + RK_POINTS_NEAR < f->named)
        return false;
    if (w->at.at[0].entry->path[0] == '\0')
        return (f->said & RK_SAID_TOTAL) && !f->named && w->at.at[0].score >= RK_POINTS_TOTAL;
    return w->at.at[0].score >= RK_POINTS_SURE;
}

/* Of shares that words speak of, the nearest: of which whole it is one is seldom said. */
static void find_share(rk_figure *f, const rk_wordeds *w)
{
    for (size_t i = 0; i < w->at.n && w->at.at[i].score >= RK_POINTS_SURE && w->at.at[i].score + 1 >= w->at.at[0].score;
         i++) {
        const rk_index_entry *e = w->at.at[i].entry;

        if (is_plain(e) && (!f->all || rk_bind_off(f, e) < rk_bind_off(f, f->all)))
            f->all = e;
    }
}

static void find_target(rk_figure *f, const rk_wordeds *w)
{
    const rk_index_entry *first;

    if (f->query.kinds == RK_INDEX_IS(SHARE))
        find_share(f, w);
    if (f->query.kinds == RK_INDEX_IS(SHARE) || !is_bound_surely(f, w))
        return;
    first = w->at.at[0].entry;
    for (size_t i = 0; i < w->at.n; i++) {
        const rk_index_entry *e = w->at.at[i].entry;

        if (!is_plain(e) || strcmp(e->path, first->path) != 0 || strcmp(e->what, first->what) != 0 ||
            e->kind != first->kind)
            continue;
        if (e->all)
            f->all = f->all ? f->all : e;
        else
            f->one = f->one ? f->one : e;
    }
    if (f->said & RK_SAID_ONE && f->one)
        f->all = NULL;
    else if (f->said & RK_SAID_ALL && f->all)
        f->one = NULL;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

void rk_bind_look_up(rk_binder *b, rk_figure *f)
{
    rk_matches found = {0}, other = {0};
    rk_wordeds words = {0};
    rk_arena_mark here = rk_arena_here(&b->arena);
    const rk_index *x = f->at->index;
    int code = rk_index_words(x, &b->arena, f->names, f->query.kinds, &words, b->err);

    if (code == RK_OK)
        code = rk_index_find(x, &b->arena, &f->query, &found, b->err);
    if (code == RK_OK && f->other.kinds)
        code = rk_index_find(x, &b->arena, &f->other, &other, b->err);
    if (code == RK_OK) {
        find_target(f, &words);
        consider_all(b, f, &found, &words, false);
        consider_all(b, f, &other, &words, true);
    }
    if (code == RK_OK && f->points == 0 && found.at.n > 0) {
        words.at.n = 0;
        f->is_around = true;
        code = rk_index_words(x, &b->arena, f->around, f->query.kinds, &words, b->err);
        consider_all(b, f, &found, &words, false);
    }
    rk_arena_rewind(&b->arena, here);
    f->is_right = (rk_bind_holds(f, &f->plain, f->points) && rk_bind_sharpness(f) >= RK_SHARP_ROUGH) ||
                  (f->viewed.entry && f->viewed_points > 0 && rk_bind_sharpness(f) >= RK_SHARP_EXACT);
    b->code = b->code == RK_OK ? code : b->code;
}
