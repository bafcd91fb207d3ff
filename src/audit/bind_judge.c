/* SPDX-License-Identifier: MIT */
/* What a figure is: words first, its value second, both together certain. */
#include "audit/bind_parts.h"

#include <math.h>
#include <string.h>

/* Thresholds; docs/audit.md gives the reasons. */
enum {
    POINTS_SURE = 5,   /* a row or a part is called by its own name */
    POINTS_SUM = 7,    /* all summands are */
    POINTS_NEAR = 2,    /* words speak of nothing else so much better */
    POINTS_FORMULA = 4, /* the formulas are the same at other sizes, too */
    POINTS_TOTAL = 3,  /* the whole has no name of its own */
    COST_PLAIN = 4,    /* by value alone: a row, a part, a total, in another way of counting */
    COST_BY_VALUE = 9, /* the same of a number with many digits */
    SHARP_SHARE = 20,  /* 4.9 % */
    SHARP_ROUGH = 100, /* three digits */
    SHARP_FAIR = 1000,
    SHARP_SLIP = 10000,
    SHARP_EXACT = 100000,
    SHARP_LONG = 1000000,
    VOICE_NEAR = 64 /* figures before and behind one that are heard */
};

static const double near_part = 0.015, rough_factor = 1.5, share_near = 0.005;

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
 * Something is left out, and no word says so.  What is called a total leaves out all that it is not; norms and biases, which
 * are small, may be left out of parts.
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
        return POINTS_SUM;
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
    bool better = !best->entry || points > *best_points ||
                  (same && (is_share ? m->off < best->off : m->cost < best->cost));

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
            points += POINTS_FORMULA;
        note_lacking(f, m);
        if (f->is_around && f->label && m->entry->with)
            continue;
        if (m->ratio->times || (is_unsaid_part(f, m->entry) && !is_worded_sum(words, m->entry->with)) || m->entry->kind == RK_INDEX_SIZE)
            continue;
        if (!is_said(f, m->entry, m->ratio))
            consider(&f->viewed, &f->viewed_points, m, points);
        else if (!other || !had || f->as_other)
            consider(&f->plain, &f->points, m, points), f->as_other = other;
    }
}

static double off_by(const rk_figure *f, const rk_index_entry *e)
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
    if (w->at.n == 0 || !is_one_thing(w) || w->at.at[0].score + POINTS_NEAR < f->named)
        return false;
    if (w->at.at[0].entry->path[0] == '\0')
        return (f->said & RK_SAID_TOTAL) && !f->named && w->at.at[0].score >= POINTS_TOTAL;
    return w->at.at[0].score >= POINTS_SURE;
}

/* Of shares that words speak of, the nearest: of which whole it is one is seldom said. */
static void find_share(rk_figure *f, const rk_wordeds *w)
{
    for (size_t i = 0; i < w->at.n && w->at.at[i].score >= POINTS_SURE && w->at.at[i].score + 1 >= w->at.at[0].score; i++) {
        const rk_index_entry *e = w->at.at[i].entry;

        if (is_plain(e) && (!f->all || off_by(f, e) < off_by(f, f->all)))
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
           rk_bind_sharpness(g) >= SHARP_EXACT;
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

/* ---- deciding ---------------------------------------------------------------------------------------------------- */

static rk_bound nothing(void)
{
    return (rk_bound){.status = RK_CLAIM_UNKNOWN};
}

static rk_bound right(const rk_match *m, bool as_other)
{
    return (rk_bound){.status = RK_CLAIM_RIGHT, .entry = m->entry, .ratio = m->ratio, .value = m->value, .as_other = as_other};
}

/* "a vocabulary of 50,257" */
static bool is_size(const rk_figure *f)
{
    const rk_model *m = f->at->model;

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].known && f->slack == 0 && (double)m->symbol[i].value == f->size)
            return true;
    return false;
}

/* A label says what a figure is, and it is something else: another row, or a row of the part that is named. */
static bool is_other_thing(const rk_figure *f, const rk_index_entry *e, int points)
{
    const rk_index_entry *named = f->one ? f->one : f->all;

    return f->label && named && points < POINTS_SURE && strcmp(named->path, e->path) != 0;
}

/* A number with many digits is what it is; one with few needs words. */
static bool holds(const rk_figure *f, const rk_match *m, int points)
{
    double sharp = rk_bind_sharpness(f);
    bool is_share = f->query.kinds == RK_INDEX_IS(SHARE);

    if (!m->entry || (is_size(f) && points <= 0) || is_other_thing(f, m->entry, points))
        return false;
    if ((f->said & RK_SAID_DOUBT) && m->entry->with)
        return false;
    if (points >= POINTS_SURE || (points >= POINTS_TOTAL && m->entry->path[0] == '\0'))
        return true;
    if (m->entry->path[0] == '\0' && m->cost <= 1 && f->kind_said && sharp >= SHARP_ROUGH)
        return true;
    if (is_share || (!f->kind_said && sharp < SHARP_LONG))
        return points > 0 && !is_share;
    if (points > 0 && sharp >= SHARP_ROUGH)
        return true;
    return sharp >= SHARP_EXACT && !f->formula && m->cost <= (f->one || f->all ? COST_PLAIN : COST_BY_VALUE);
}

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
    f->is_right = (holds(f, &f->plain, f->points) && rk_bind_sharpness(f) >= SHARP_ROUGH) ||
                  (f->viewed.entry && f->viewed_points > 0 && rk_bind_sharpness(f) >= SHARP_EXACT);
    b->code = b->code == RK_OK ? code : b->code;
}

/* A part with norms and biases in it is often counted without them. */
static bool is_loose(const rk_index_entry *e)
{
    return e->kind == RK_INDEX_PARAMS && e->path[0] && !e->part;
}

static bool is_near(const rk_figure *f, const rk_index_entry *e)
{
    if (!e || rk_bind_sharpness(f) < (e->kind == RK_INDEX_SHARE ? SHARP_SHARE : SHARP_ROUGH) || is_loose(e))
        return false;
    return off_by(f, e) <= (e->kind == RK_INDEX_SHARE ? share_near : near_part);
}

static rk_bound wrong(const rk_figure *f, const rk_index_entry *e)
{
    rk_bound out = {.status = RK_CLAIM_WRONG, .entry = e, .value = e->value, .near = is_near(f, e)};

    return out;
}

/* What is stated is a multiple of what holds: of one layer, or of all. */
static bool find_slip(const rk_figure *f, rk_bound *out)
{
    const rk_index_entry *of[] = {f->one, f->all};
    rk_match m, best = {0};

    for (size_t i = 0; i < 2; i++)
        if (of[i] && of[i]->kind != RK_INDEX_SHARE && rk_index_match(f->at->index, of[i], &f->query, &m) &&
            (!best.entry || m.cost < best.cost))
            best = m;
    if (!best.entry)
        return false;
    *out = wrong(f, best.entry);
    out->slip = best.ratio;
    return true;
}

/* The view in which the figures around it are, where the entry can be in it. */
static void put_in_voice(const rk_binder *b, const rk_figure *f, rk_bound *out)
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

/* Far off what the words say: only where it is sure what they say. */
static bool is_far(const rk_figure *f, const rk_index_entry *e)
{
    double sharp = rk_bind_sharpness(f), factor = f->size / (double)e->value;

    if (!f->kind_said || e->kind == RK_INDEX_SHARE || sharp < SHARP_ROUGH)
        return false;
    if ((f->one && f->all) || (f->said & (RK_SAID_HEAD | RK_SAID_TOKEN | RK_SAID_SEQUENCE | RK_SAID_WITHOUT)))
        return false;
    return ((sharp >= SHARP_FAIR || f->label) && !is_loose(e)) || factor > rough_factor || factor < 1 / rough_factor;
}

/* Whether the formula of the text has the symbols of an entry's formula, and no others; sizes of 1 may be left out. */
static bool has_same_symbols(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_model *m;
    rk_ex of = rk_index_formula(f->at->index, e, &m);
    rk_pool *p = m->pool;

    of = rk_ex_expand_defs(p, of);
    for (rk_sym s = 0; s < rk_sym_count(p); s++) {
        bool has = false;

        if (rk_sym_definition(p, s) != RK_EX_FAILED || (m->known[s] && m->value[s] == 1))
            continue;
        for (size_t i = 0; i < f->side->n_symbol; i++) {
            const rk_symbol *x = b->symbol[f->side->symbol[i]];
            rk_sym y = x ? rk_sym_find(p, x->name) : RK_SYM_NONE;

            has |= y != RK_SYM_NONE && rk_ex_has_sym(p, rk_ex_expand_defs(p, rk_ex_sym(p, y)), s);
        }
        if (has != rk_ex_has_sym(p, of, s))
            return false;
    }
    return true;
}

/*
 * A formula without the number of layers is none of the whole; one of another quantity of the text may be of anything, and
 * what is kept of an activation has many names.
 */
static bool is_of_less(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_symbol *layers = rk_bind_layers(b->source->model);

    if (e->kind == RK_INDEX_NUMBERS || f->indirect || (f->formula && !has_same_symbols(b, f, e)))
        return true;
    if (!f->formula || e->path[0] || !layers)
        return false;
    for (size_t i = 0; i < f->side->n_symbol; i++)
        if (b->symbol[f->side->symbol[i]] == layers)
            return false;
    return layers->value > 1;
}

/* A text that speaks of this model at these sizes is right about it at least as often as it is not. */
static bool is_trusted(const rk_binder *b, const rk_figure *f)
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
static void choose_scope(const rk_binder *b, rk_figure *f)
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

static rk_bound judge_wrong(const rk_binder *b, const rk_figure *given)
{
    rk_figure chosen = *given, *f = &chosen;
    const rk_index_entry *only;
    rk_bound out = nothing();

    choose_scope(b, f);
    only = f->one ? f->one : f->all;

    if (!only || (f->said & RK_SAID_DOUBT) || is_of_less(b, f, only))
        return out;
    if (is_near(f, f->one))
        return wrong(f, f->one);
    if (is_near(f, f->all))
        return wrong(f, f->all);
    if (!is_trusted(b, f))
        return out;
    if (rk_bind_sharpness(f) >= SHARP_SLIP && find_slip(f, &out)) {
        put_in_voice(b, f, &out);
        return out;
    }
    if (!is_far(f, only) || (f->plain.entry && rk_bind_sharpness(f) >= SHARP_EXACT &&
                             !is_other_thing(f, f->plain.entry, f->points)))
        return out;
    out = wrong(f, only);
    put_in_voice(b, f, &out);
    return out;
}

/* Rounded, it is another way of counting; exactly as the text counts elsewhere, it is nearly that, and not quite. */
static bool is_coincidence(const rk_figure *f)
{
    return f->plain.entry && f->plain.entry->convention && rk_bind_sharpness(f) < SHARP_EXACT &&
           (is_near(f, f->one) || is_near(f, f->all));
}

/* "T × D" is a shape, and "grows with T × D²" no count; only of parameters a formula may have no number in it. */
static bool is_bare(const rk_binder *b, const rk_figure *f)
{
    const rk_audit_token *t = b->a->lexed.token.at;

    for (size_t i = f->side->from; i < f->side->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && (i == 0 || t[i - 1].kind != RK_TOKEN_SIGN || t[i - 1].op != '^'))
            return false;
    return f->formula;
}

/* Where nothing else is known of a figure with many digits: two of them may have changed places. */
static bool is_slip_of_digits(const rk_figure *f, rk_bound *out)
{
    const rk_index_entry *e = NULL;

    if (rk_bind_sharpness(f) >= SHARP_EXACT && !f->plain.entry && !f->viewed.entry && !(f->said & RK_SAID_DOUBT))
        e = rk_bind_swapped(f);
    if (e)
        *out = wrong(f, e);
    return e != NULL;
}

static rk_bound decide(const rk_binder *b, const rk_figure *f)
{
    rk_bound out;

    if (holds(f, &f->plain, f->points) && !is_coincidence(f))
        return right(&f->plain, f->as_other);
    if (f->viewed.entry && is_voice(b, f, manner_of(&f->viewed)) && holds(f, &f->viewed, f->viewed_points))
        return right(&f->viewed, false);
    if (is_slip_of_digits(f, &out))
        return out;
    out = judge_wrong(b, f);
    if (out.status == RK_CLAIM_UNKNOWN && f->plain.entry && !is_other_thing(f, f->plain.entry, f->points) && !is_size(f) && !(f->said & RK_SAID_DOUBT) && !f->formula && rk_bind_sharpness(f) >= SHARP_EXACT &&
        f->plain.cost <= COST_BY_VALUE)
        return right(&f->plain, f->as_other);
    return out;
}

rk_bound rk_bind_decide(rk_binder *b, const rk_figure *f)
{
    rk_bound out = decide(b, f);

    if (is_bare(b, f) && (out.status == RK_CLAIM_WRONG || !(f->query.kinds & (RK_INDEX_IS(PARAMS) | RK_INDEX_IS(NUMBERS)))))
        return nothing();
    return out;
}
