/* SPDX-License-Identifier: MIT */
/* What a figure may be: by its value, by the words around it, and by both. */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

double rk_bind_sharpness(const rk_figure *f)
{
    return f->slack > 0 ? f->size / (2 * f->slack) : f->size;
}

/* ---- by value ---------------------------------------------------------------------------------------------------- */

/* Whether words speak of all that a match says. */
static bool is_said(const rk_figure *f, const rk_index_entry *e, const rk_index_ratio *r)
{
    static const struct {
        const char *word; /* of a view */
        unsigned said;
    } views[] = {
        {"head", RK_SAID_HEAD}, {"token", RK_SAID_TOKEN}, {"MACs", RK_SAID_MACS}, {"sequence", RK_SAID_SEQUENCE}};
    bool is_forward = strncmp(e->what, "backward", 8) != 0 && !strstr(e->what, "of a step");

    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (r->view && strstr(r->view, views[i].word) && !(f->said & views[i].said))
            return false;
    return is_forward || (f->said & RK_SAID_BACKWARD);
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
    if (strcmp(e->with, "without its norm") == 0)
        return false;
    if (strncmp(e->with, "without", 7) == 0)
        return true;
    return of && of->kind == e->kind && ((f->said & RK_SAID_TOTAL) || f->label) && strcmp(of->path, e->path) == 0 &&
           (e->path[0] == '\0' || (double)e->value < (1 - small) * (double)of->value);
}

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

/* How far words speak of an entry: of one layer where that is said, of all where that is. */
static int points_of(const rk_figure *f, const rk_wordeds *w, const rk_index_entry *e)
{
    bool fits = f->said & RK_SAID_ONE ? !e->all : e->all;
    int points = 0;

    if (!e->convention && is_worded_sum(w, e->with))
        points = RK_POINTS_SUM;
    for (size_t i = 0; i < w->at.n && points == 0; i++)
        if (w->at.at[i].entry == e)
            points = w->at.at[i].score;
    if (points > 0 && e->times != 1 && (f->said & (RK_SAID_ONE | RK_SAID_ALL)))
        points += fits ? 1 : -1;
    return points;
}

static void consider(rk_match *best, int *best_points, const rk_match *m, int points)
{
    bool is_share = m->entry->kind == RK_INDEX_SHARE, same = best->entry && points == *best_points;

    if (!best->entry || points > *best_points || (same && (is_share ? m->off < best->off : m->cost < best->cost))) {
        *best = *m;
        *best_points = points;
    }
}

static void consider_all(rk_binder *b, rk_figure *f, const rk_matches *found, const rk_wordeds *words, bool other)
{
    for (size_t i = 0; i < found->at.n; i++) {
        const rk_match *m = &found->at.at[i];
        const rk_index_entry *e = m->entry;
        int points = points_of(f, words, e);
        bool had = f->plain.entry != NULL, unsaid = is_unsaid_part(f, e);

        if (f->formula && !m->ratio->times && rk_bind_same_formula(b, f, m))
            points += RK_POINTS_FORMULA;
        /* Of several parts that come to the same, the one that is named most closely. */
        if (!m->ratio->times && !m->ratio->view && e->form != RK_INDEX_RATIO && unsaid &&
            (!f->lacking || strlen(e->with) > strlen(f->lacking->with)))
            f->lacking = e;
        if (f->whole_sentence && f->label && (e->with || f->one || f->all))
            continue;
        if (m->ratio->times || (unsaid && !is_worded_sum(words, e->with)) || e->kind == RK_INDEX_SIZE)
            continue;
        if (!is_said(f, e, m->ratio)) {
            consider(&f->viewed, &f->viewed_points, m, points);
        } else if (!other || !had || f->as_other) {
            consider(&f->plain, &f->points, m, points);
            f->as_other = other;
        }
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

/* All that the words speak of best is one part or row, and they surely do. */
static bool is_bound_surely(const rk_figure *f, const rk_wordeds *w)
{
    const rk_worded *best = w->at.at;

    if (w->at.n == 0 || !is_plain(best->entry) || best->score + RK_POINTS_NEAR < f->named)
        return false;
    for (size_t i = 1; i < w->at.n && best[i].score == best->score; i++)
        if (is_plain(best[i].entry) && strcmp(best[i].entry->path, best->entry->path) != 0)
            return false;
    if (best->entry->path[0] == '\0')
        return (f->said & RK_SAID_TOTAL) && !f->named && best->score >= RK_POINTS_TOTAL;
    return best->score >= RK_POINTS_SURE;
}

static void find_target(rk_figure *f, const rk_wordeds *w)
{
    bool is_share = f->query.kinds == RK_INDEX_IS(SHARE);
    const rk_worded *best = w->at.at;

    /* Of shares that words speak of, the nearest: of which whole it is one is seldom said. */
    for (size_t i = 0; is_share && i < w->at.n && best[i].score >= RK_POINTS_SURE && best[i].score + 1 >= best->score;
         i++)
        if (is_plain(best[i].entry) && (!f->all || rk_bind_off(f, best[i].entry) < rk_bind_off(f, f->all)))
            f->all = best[i].entry;
    if (is_share || !is_bound_surely(f, w))
        return;
    for (size_t i = 0; i < w->at.n; i++) {
        const rk_index_entry *e = best[i].entry, **of = e->all ? &f->all : &f->one;

        if (!*of && is_plain(e) && strcmp(e->path, best->entry->path) == 0 && strcmp(e->what, best->entry->what) == 0 &&
            e->kind == best->entry->kind)
            *of = e;
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
        f->whole_sentence = true;
        code = rk_index_words(x, &b->arena, f->around, f->query.kinds, &words, b->err);
        consider_all(b, f, &found, &words, false);
    }
    rk_arena_rewind(&b->arena, here);
    f->is_right = (rk_bind_holds(f, &f->plain, f->points) && rk_bind_sharpness(f) >= RK_SHARP_ROUGH) ||
                  (f->viewed.entry && f->viewed_points > 0 && rk_bind_sharpness(f) >= RK_SHARP_EXACT);
    b->code = b->code == RK_OK ? code : b->code;
}
