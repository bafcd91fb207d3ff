/* SPDX-License-Identifier: MIT */
/* The figures around one: in which view they are, of how many layers, and whether they speak of the model at all. */
#include "audit/bind_parts.h"

#include <string.h>

enum {
    VOICE_NEAR = 64 /* figures before and behind one that are heard */
};

/* In what view a match is, or else of which pass. */
static const char *manner_of(const rk_match *m)
{
    return m->ratio->view ? m->ratio->view : m->entry->what;
}

/* ---- the voice of a section -------------------------------------------------------------------------------------- */

static void heard(const rk_binder *b, const rk_figure *f, size_t *from, size_t *to)
{
    size_t at = f->number;

    *from = at > VOICE_NEAR ? at - VOICE_NEAR : 0;
    *to = at + VOICE_NEAR < b->figure.n ? at + VOICE_NEAR : b->figure.n;
}

static bool is_evidence(const rk_figure *f, const rk_figure *g)
{
    return g->number != f->number && g->section == f->section && g->query.kinds == f->query.kinds && !g->is_wrong &&
           rk_bind_sharpness(g) >= RK_SHARP_EXACT;
}

/*
 * A view of which no word speaks holds where the other figures of the section are in the same view: whoever counts one
 * head says so once.
 */
static bool is_voice(const rk_binder *b, const rk_figure *f, const char *view)
{
    size_t n_view = 0, n_plain = 0, from, to;

    heard(b, f, &from, &to);
    for (size_t i = from; i < to && view; i++) {
        const rk_figure *g = &b->figure.at[i];

        if (!is_evidence(f, g))
            continue;
        if (g->plain.entry && !g->plain.ratio->view)
            n_plain += g->points > 0;
        else if (!g->plain.entry && g->viewed.entry)
            n_view += strcmp(manner_of(&g->viewed), view) == 0;
    }
    return n_view > 0 && n_view >= n_plain;
}

bool rk_voice_has(const rk_binder *b, const rk_figure *f, const rk_match *m)
{
    return is_voice(b, f, manner_of(m));
}

/* The view in which the figures around it are, where the entry can be in it. */
void rk_voice_put(const rk_binder *b, const rk_figure *f, rk_bound *out)
{
    size_t from, to;

    heard(b, f, &from, &to);
    for (size_t i = from; i < to && out->entry->of_heads; i++) {
        const rk_figure *g = &b->figure.at[i];
        const rk_index_ratio *r = g->viewed.ratio;

        if (!is_evidence(f, g) || g->plain.entry || !g->viewed.entry || r->from != out->entry->kind || g->at != f->at)
            continue;
        if (r->view && is_voice(b, f, r->view) && out->entry->value * r->num % r->den == 0) {
            out->ratio = r;
            out->value = out->entry->value * r->num / r->den;
            return;
        }
    }
}

/* A text that speaks of this model at these sizes is right about it at least as often as it is not. */
bool rk_voice_is_trusted(const rk_binder *b, const rk_figure *f,
                         bool (*is_far)(const rk_figure *, const rk_index_entry *))
{
    size_t n_right = 0, n_far = 0, from, to;

    heard(b, f, &from, &to);
    for (size_t i = from; i < to; i++) {
        const rk_figure *g = &b->figure.at[i];
        const rk_index_entry *e = g->one ? g->one : g->all;

        if (g->at != f->at || g->query.kinds != f->query.kinds)
            continue;
        n_right += g->is_right;
        n_far += !g->is_right && e && is_far(g, e);
    }
    return n_right > 1 && n_right >= n_far;
}

/* Of one layer or of all, where no word says so: as the other figures of the section are. */
void rk_voice_choose_scope(const rk_binder *b, rk_figure *f)
{
    size_t n_one = 0, n_all = 0, from, to;

    heard(b, f, &from, &to);
    for (size_t i = from; i < to && f->one && f->all; i++) {
        const rk_figure *g = &b->figure.at[i];

        if (!is_evidence(f, g) || !g->is_right || !g->plain.entry || g->plain.entry->times == 1)
            continue;
        n_all += g->plain.entry->all;
        n_one += !g->plain.entry->all;
    }
    if (n_one > 1 && n_all == 0)
        f->all = NULL;
    else if (n_all > 1 && n_one == 0)
        f->one = NULL;
}

bool rk_voice_is_right(const rk_binder *b, const rk_figure *f)
{
    enum {
        CLOSE = 12
    };
    size_t n_right = 0, n_other = 0, from = f->number > CLOSE ? f->number - CLOSE : 0;

    for (size_t i = from; i < b->figure.n && i <= f->number + CLOSE; i++) {
        const rk_figure *g = &b->figure.at[i];

        if (g->number == f->number || g->query.kinds != f->query.kinds || g->at != f->at)
            continue;
        n_right += g->is_right || (g->plain.entry && g->points > 0);
        n_other += !g->is_right && !(g->plain.entry && g->points > 0);
    }
    return n_right >= n_other;
}
