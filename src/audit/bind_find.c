/* SPDX-License-Identifier: MIT */
/* What a figure may be: by its value, by the words around it, and by both. */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

bool rk_bind_is_sharp(const rk_figure *f, rk_weigh least)
{
    return (f->slack > 0 ? f->size / (2 * f->slack) : f->size) >= f->weight[least];
}

/* ---- by value ---------------------------------------------------------------------------------------------------- */

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
        rk_score s = rk_score_match(b, f, words, m);
        bool had = f->plain.entry != NULL;

        /* Of several parts that come to the same, the one that is named most closely. */
        if (!m->ratio->times && !m->ratio->view && e->form != RK_INDEX_RATIO && s.unsaid &&
            (!f->lacking || strlen(e->with) > strlen(f->lacking->with)))
            f->lacking = e;
        if (s.vetoed)
            continue;
        if (s.viewed) {
            consider(&f->viewed, &f->viewed_points, m, s.points);
        } else if (!other || !had || f->as_other) {
            consider(&f->plain, &f->points, m, s.points);
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

    if (w->at.n == 0 || !is_plain(best->entry) || best->score + f->weight[RK_WEIGH_RIVAL] < f->named)
        return false;
    for (size_t i = 1; i < w->at.n && best[i].score == best->score; i++)
        if (is_plain(best[i].entry) && strcmp(best[i].entry->path, best->entry->path) != 0)
            return false;
    if (best->entry->path[0] == '\0')
        return (f->said & RK_SAID_TOTAL) && !f->named && best->score >= f->weight[RK_WEIGH_WHOLE];
    return best->score >= f->weight[RK_WEIGH_SURE];
}

static void find_target(rk_figure *f, const rk_wordeds *w)
{
    bool is_share = f->query.kinds == RK_INDEX_IS(SHARE);
    const rk_worded *best = w->at.at;

    /* Of shares that words speak of, the nearest: of which whole it is one is seldom said. */
    for (size_t i = 0;
         is_share && i < w->at.n && best[i].score >= f->weight[RK_WEIGH_SURE] && best[i].score + 1 >= best->score; i++)
        if (is_plain(best[i].entry) && !rk_score_is_of_other(f, best[i].entry) &&
            (!f->all || rk_bind_off(f, best[i].entry) < rk_bind_off(f, f->all)))
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

/* All that a figure may be by its value; the same figure as before costs no search. */
static int find_value(rk_binder *b, const rk_figure *f)
{
    const rk_index_query *q = &f->query, *last = &b->found_for;

    if (b->found_in == f->at->index && last->low == q->low && last->high == q->high && last->den == q->den &&
        last->kinds == q->kinds && last->cost_max == q->cost_max)
        return RK_OK;
    rk_arena_rewind(&b->found_arena, (rk_arena_mark){0});
    b->found = (rk_matches){0};
    b->found_in = f->at->index;
    b->found_for = *q;
    return rk_index_find(f->at->index, &b->found_arena, q, &b->found, b->err);
}

void rk_bind_look_up(rk_binder *b, rk_figure *f)
{
    rk_matches other = {0};
    rk_wordeds words = {0};
    rk_arena_mark here = rk_arena_here(&b->arena);
    const rk_index *x = f->at->index;
    int code = rk_index_words(x, &b->arena, f->names, f->query.kinds, &words, b->err);

    if (code == RK_OK)
        code = find_value(b, f);
    if (code == RK_OK && f->other.kinds)
        code = rk_index_find(x, &b->arena, &f->other, &other, b->err);
    if (code == RK_OK) {
        find_target(f, &words);
        consider_all(b, f, &b->found, &words, false);
        consider_all(b, f, &other, &words, true);
    }
    if (code == RK_OK && f->points == 0 && b->found.at.n > 0) {
        words.at.n = 0;
        f->whole_sentence = true;
        code = rk_index_words(x, &b->arena, f->around, f->query.kinds, &words, b->err);
        consider_all(b, f, &b->found, &words, false);
    }
    rk_arena_rewind(&b->arena, here);
    f->is_right = (rk_bind_holds(f, &f->plain, f->points) && rk_bind_is_sharp(f, RK_WEIGH_ROUGH)) ||
                  (f->viewed.entry && f->viewed_points > 0 && rk_bind_is_sharp(f, RK_WEIGH_EXACT));
    b->code = b->code == RK_OK ? code : b->code;
}
