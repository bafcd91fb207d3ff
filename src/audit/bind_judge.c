/* SPDX-License-Identifier: MIT */
/* What holds of a figure: words first, its value second, both together certain. */
#include "audit/bind_parts.h"

#include "audit/judge.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum {
    NEARBY = 64,      /* figures before and after one that are looked at */
    CLOSE = 12,       /* the same of those nearby */
    SWAPPED_MAX = 256 /* entries that a figure with swapped digits is compared with */
};

/* "a vocabulary of 50,257" */
static bool is_size(const rk_figure *f)
{
    const rk_model *m = f->at->instance->model;

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].known && f->slack == 0 && (double)m->symbol[i].value == f->size)
            return true;
    return false;
}

/* As many more or fewer as a table of positions has: the model of the text has one, and this one none. */
static bool is_other_by_positions(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_model *m = f->at->instance->model;
    const rk_symbol *s = rk_bind_sequence(b, m), *d = rk_bind_of_role(b, m, RK_LETTER_WIDTH);

    return s && d && e->kind == RK_INDEX_PARAMS && f->slack == 0 &&
           fabs(fabs(f->size - (double)e->value) - (double)(s->value * d->value)) < 0.5;
}

/* A label says what a figure is, and it is something else: another row, or a row of the part that is named. */
static bool is_other(const rk_figure *f, const rk_index_entry *e, int points)
{
    const rk_index_entry *named = f->one ? f->one : f->all;

    return f->label && named && points < f->weight[RK_WEIGH_SURE] && strcmp(named->path, e->path) != 0;
}

/* A number with many digits is what it is; one with few needs words. */
bool rk_bind_holds(const rk_figure *f, const rk_match *m, int points)
{
    bool is_share = f->query.kinds == RK_INDEX_IS(SHARE);

    if (!m->entry || (is_size(f) && points <= 0) || is_other(f, m->entry, points))
        return false;
    if ((f->said & RK_SAID_DOUBT) && m->entry->with)
        return false;
    if (points >= f->weight[RK_WEIGH_SURE] || (points >= f->weight[RK_WEIGH_WHOLE] && m->entry->path[0] == '\0'))
        return true;
    if (m->entry->path[0] == '\0' && m->cost <= 1 && f->kind_said && rk_bind_is_sharp(f, RK_WEIGH_ROUGH))
        return true;
    if (is_share || (!f->kind_said && !rk_bind_is_sharp(f, RK_WEIGH_LONG)))
        return points > 0 && !is_share;
    if (points > 0 && rk_bind_is_sharp(f, RK_WEIGH_ROUGH))
        return true;
    return rk_bind_is_sharp(f, RK_WEIGH_EXACT) && !f->formula &&
           m->cost <= (f->one || f->all ? f->weight[RK_WEIGH_PLAIN] : f->weight[RK_WEIGH_FAR]);
}

/* "lm_head: 164,682,137,600 | 3.78 %" behind FLOPs is a share of these, and of nothing else. */
static bool is_share_of_other(const rk_binder *b, const rk_figure *f)
{
    const rk_figure *before = f->number > 0 ? &b->figure.at[f->number - 1] : NULL;
    const rk_index_entry *of = before ? before->bound.entry : NULL, *e = f->plain.entry;

    return e && e->kind == RK_INDEX_SHARE && of && rk_bind_is_sharp(before, RK_WEIGH_LONG) &&
           rk_bind_line(b, f) == rk_bind_line(b, before) && of->kind != RK_INDEX_SHARE && of->kind != e->of;
}

/* ---- the figures around one -------------------------------------------------------------------------------------- */

/* The figures near one, from the first that is returned up to *end. */
static const rk_figure *figures_nearby(const rk_binder *b, const rk_figure *f, size_t before, size_t after,
                                       const rk_figure **end)
{
    size_t at = f->number;

    *end = &b->figure.at[at + after < b->figure.n ? at + after : b->figure.n];
    return &b->figure.at[at > before ? at - before : 0];
}

static bool is_evidence(const rk_figure *f, const rk_figure *g)
{
    return g->number != f->number && g->section == f->section && g->query.kinds == f->query.kinds && !g->is_wrong &&
           rk_bind_is_sharp(g, RK_WEIGH_EXACT);
}

/* In what view a match is, or else of which pass. */
static const char *manner_of(const rk_match *m)
{
    return m->ratio->view ? m->ratio->view : m->entry->what;
}

/*
 * A view of which no word speaks holds where the other figures of the section are in the same view: whoever counts one
 * head says so once.
 */
static bool is_common_view(const rk_binder *b, const rk_figure *f, const char *view)
{
    size_t n_view = 0, n_plain = 0;
    const rk_figure *end;

    for (const rk_figure *g = figures_nearby(b, f, NEARBY, NEARBY, &end); g < end; g++) {
        if (!is_evidence(f, g))
            continue;
        if (g->plain.entry && !g->plain.ratio->view)
            n_plain += g->points > 0;
        else if (!g->plain.entry && g->viewed.entry)
            n_view += strcmp(manner_of(&g->viewed), view) == 0;
    }
    return n_view > 0 && n_view >= n_plain;
}

/* What holds, in the view in which the figures around it are, where the entry can be in it. */
static void put_in_view(const rk_binder *b, const rk_figure *f, rk_bound *out)
{
    const rk_figure *end;

    for (const rk_figure *g = figures_nearby(b, f, NEARBY, NEARBY, &end); g < end && out->entry->of_heads; g++) {
        const rk_index_ratio *r = g->viewed.ratio;

        if (!is_evidence(f, g) || g->plain.entry || !g->viewed.entry || r->from != out->entry->kind || g->at != f->at)
            continue;
        if (r->view && is_common_view(b, f, r->view) && out->entry->value * r->num % r->den == 0) {
            out->ratio = r;
            out->value = out->entry->value * r->num / r->den;
            return;
        }
    }
}

/* Of one layer or of all, where no word says so: as the other figures of the section are. */
static void choose_scope(const rk_binder *b, rk_figure *f)
{
    size_t n_one = 0, n_all = 0;
    const rk_figure *end;

    for (const rk_figure *g = figures_nearby(b, f, NEARBY, NEARBY, &end); g < end && f->one && f->all; g++) {
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

/* ---- wrong ------------------------------------------------------------------------------------------------------- */

/* A part with norms and biases in it is often counted without them. */
static bool is_loose(const rk_index_entry *e)
{
    return e->kind == RK_INDEX_PARAMS && e->path[0] && !e->part;
}

static bool is_near(const rk_figure *f, const rk_index_entry *e)
{
    bool share = e && e->kind == RK_INDEX_SHARE;

    /* A share of "attention" may be one of its projections, of its two products, or of all. */
    return e && !(share && (!f->placed ? !f->named_here : e->of_heads || !f->share_of)) &&
           rk_bind_is_sharp(f, share ? RK_WEIGH_SHARE : RK_WEIGH_ROUGH) && !is_loose(e) &&
           rk_bind_off(f, e) <= f->weight[share ? RK_WEIGH_SHARE_NEAR : RK_WEIGH_NEAR];
}

/*
 * Whether those nearby, of its kind, are right at least as often as they are not.  In a table of several models those
 * of all columns count, and against it only what is far from what it is called: a column may be rounded throughout.
 */
static bool is_among_right(const rk_binder *b, const rk_figure *f)
{
    size_t n_right = 0, n_other = 0;
    const rk_figure *end;

    for (const rk_figure *g = figures_nearby(b, f, CLOSE, CLOSE + 1, &end); g < end; g++) {
        bool right = g->is_right || (g->plain.entry && g->points > 0);
        bool beside = f->placed && g->placed && g->section == f->section;

        if (g->number == f->number || g->query.kinds != f->query.kinds || (g->at != f->at && !beside))
            continue;
        n_right += right;
        n_other += !right && (!beside || ((g->one || g->all) && !is_near(g, g->one) && !is_near(g, g->all)));
    }
    return n_right >= n_other && (!f->placed || n_right > 1);
}

/* 96.5 for 36 layers of 2.684: that of one was rounded to three digits, and then multiplied. */
static bool is_rounded_before(const rk_figure *f, const rk_index_entry *e)
{
    const double three_digits = 100, units = 1.5;
    double one = e->times > 1 ? (double)e->value / (double)e->times : 0;
    double unit = one > 0 ? pow(10, floor(log10(one / three_digits))) : 0;

    return e->all && one > 0 && fabs(f->size - round(one / unit) * unit * (double)e->times) <= units * 2 * f->slack;
}

bool rk_bind_is_rounded_share(const rk_figure *f, double off)
{
    const double slack_most = 1e-3, near = 0.0025;

    return rk_bind_is_sharp(f, RK_WEIGH_ROUGH) && f->slack < slack_most && off < near;
}

/* Less than one of the last digit that is written, or about right where "about" is said. */
static bool is_slip(const rk_figure *f, const rk_index_entry *e)
{
    const double about = 0.005, thousandth = 1e-3;
    bool is_share = e->kind == RK_INDEX_SHARE;
    double unit = is_share ? 1 : (double)e->value, off = rk_bind_off(f, e) * unit;
    bool says_about = f->side->about || f->side->literal.about;
    bool is_rounded_sum = f->is_sum || (f->placed && (f->said & RK_SAID_TOTAL));

    if (is_share ? rk_bind_is_rounded_share(f, off) : f->slack > 0 && is_rounded_before(f, e))
        return true;
    return f->slack > 0 &&
           (off < 2 * f->slack || (!is_share && off < 6 * f->slack && off < thousandth * unit) || /* rounded before */
            (is_near(f, e) && (is_rounded_sum || (says_about && off < about * unit))));
}

static rk_bound wrong(const rk_figure *f, const rk_index_entry *e)
{
    rk_bound out = {
        .status = is_slip(f, e) ? RK_CLAIM_SLIP : RK_CLAIM_WRONG, .entry = e, .value = e->value, .near = is_near(f, e)};

    return out;
}

/* "4.51 B FLOPs" for 4.51 T: a quantity that is named, in another scale; NULL: it is not that. */
static const rk_index_entry *find_scaled(const rk_figure *f)
{
    const double most = 1e12;
    const rk_index_entry *of[] = {f->one, f->all};

    if (!rk_bind_is_sharp(f, RK_WEIGH_ROUGH) || f->slack <= 0 || !f->kind_said || f->plain.entry || f->formula)
        return NULL;
    for (size_t i = 0; i < 2; i++)
        for (double by = 1e3; of[i] && of[i]->kind != RK_INDEX_SHARE && by <= most; by *= 1e3)
            if (fabs(f->size * by - (double)of[i]->value) <= f->slack * by ||
                fabs(f->size / by - (double)of[i]->value) <= f->slack / by)
                return of[i];
    return NULL;
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

/* Parameters that are nearly those of the whole in another way of counting may be of one with a few biases less. */
static bool is_near_other_whole(const rk_figure *f)
{
    const rk_index_entry *end;
    double low = f->size * (1 - f->weight[RK_WEIGH_NEAR]), high = f->size * (1 + f->weight[RK_WEIGH_NEAR]);

    for (const rk_index_entry *e = rk_index_from(f->at->index, (rk_i128)low, SIZE_MAX, &end);
         e < end && (double)e->value <= high; e++)
        if (e->path[0] == '\0' && e->kind == RK_INDEX_PARAMS && (f->query.kinds & RK_INDEX_IS(PARAMS)))
            return true;
    return false;
}

/* Far off what the words say: only where it is sure what they say. */
static bool is_far(const rk_figure *f, const rk_index_entry *e)
{
    const double about = 0.03;
    double factor = f->size / (double)e->value;
    double times = (double)e->times;

    /* "Block (12 layers): attention 2,360,064": of one of them, and a little less. */
    if (times > 1 && (fabs(factor * times - 1) < about || fabs(factor / times - 1) < about))
        return false;

    if (!f->kind_said || e->kind == RK_INDEX_SHARE || !rk_bind_is_sharp(f, RK_WEIGH_ROUGH) ||
        (e->path[0] && !f->named_here))
        return false;
    if (f->plain.entry && f->plain.cost <= f->weight[RK_WEIGH_PLAIN] && !is_other(f, f->plain.entry, f->points))
        return false;
    if ((f->one && f->all) || (f->said & (RK_SAID_HEAD | RK_SAID_TOKEN | RK_SAID_SEQUENCE | RK_SAID_WITHOUT)))
        return false;
    if (factor > f->weight[RK_WEIGH_ELSEWHERE] || factor < 1 / f->weight[RK_WEIGH_ELSEWHERE] ||
        (e->path[0] == '\0' && is_near_other_whole(f)))
        return false;
    /* "the total is 3.56 TFLOPs", which is not the figure of a part either, is no less sure than a label. */
    return (f->label || f->placed || e->path[0] == '\0') &&
           (((rk_bind_is_sharp(f, RK_WEIGH_FAIR) || f->label || (e->path[0] == '\0' && !f->plain.entry)) &&
             !is_loose(e)) ||
            factor > f->weight[RK_WEIGH_ROUGHLY] || factor < 1 / f->weight[RK_WEIGH_ROUGHLY]);
}

/* A text that speaks of this model at these sizes is right about it at least as often as it is far off. */
static bool is_trusted(const rk_binder *b, const rk_figure *f)
{
    size_t n_right = 0, n_far = 0;
    const rk_figure *end;

    for (const rk_figure *g = figures_nearby(b, f, NEARBY, NEARBY, &end); g < end; g++) {
        const rk_index_entry *e = g->one ? g->one : g->all;

        if ((g->at != f->at && !f->placed) || g->query.kinds != f->query.kinds)
            continue;
        n_right += g->is_right;
        n_far += !g->is_right && e && is_far(g, e);
    }
    return n_right > 1 && n_right >= n_far;
}

/*
 * The share that is nearest to a figure, of the part that its words name, of its rows or sums of them, of whatever
 * whole: "attention" may be its projections, its products, or both.
 */
static const rk_index_entry *nearest_share(const rk_figure *f, const rk_index_entry *e)
{
    const char *end = strchr(e->path, '.');
    const rk_index_entry *all, *best = e;
    size_t n, part;

    end = end ? strchr(end + 1, '.') : NULL;
    part = end ? (size_t)(end - e->path) : strlen(e->path); /* layers.attention */
    all = rk_index_entries(f->at->index, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i].kind == RK_INDEX_SHARE && strncmp(all[i].path, e->path, part) == 0 &&
            (!f->share_of || (f->share_of >> all[i].of) & 1) && rk_bind_off(f, &all[i]) < rk_bind_off(f, best))
            best = &all[i];
    return best;
}

/*
 * A share far from all that its words may mean: only in a table that says the sizes, in a text that knows the model's
 * operations.  What it should be; NULL: it is not that.
 */
static const rk_index_entry *find_far_share(rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    enum {
        RIGHT_LEAST = 5
    };
    const double near = fmax(f->weight[RK_WEIGH_SHARE_NEAR], 3 * f->slack);
    size_t n_right = 0, n_far = 0;

    if (e->kind != RK_INDEX_SHARE || !f->placed || (f->plain.entry && f->points > 0))
        return NULL;
    if (e->of_heads || !f->share_of)
        e = nearest_share(f, e);
    if (rk_bind_off(f, e) <= near)
        return NULL;
    for (const rk_figure *g = b->figure.at, *end = g + b->figure.n; g < end; g++) {
        const rk_index_entry *of = g->one ? g->one : g->all;
        bool right = g->is_right || (g->bound.entry && g->bound.status == RK_CLAIM_RIGHT); /* as far as was decided */

        n_right += right && (g->query.kinds & RK_INDEX_OPERATIONS);
        n_far += !g->is_right && of && (g->query.kinds & RK_INDEX_OPERATIONS) && is_far(g, of);
    }
    return n_right >= RIGHT_LEAST && n_right > n_far ? e : NULL;
}

/* Whether the formula of the text has the symbols of an entry's formula, and no others; sizes of 1 may be left out. */
static bool has_same_symbols(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_instance *m;
    rk_ex of = rk_index_formula(f->at->index, e, &m);
    rk_pool *p = m->pool;

    of = rk_ex_expand_defs(p, of);
    for (rk_sym s = 0; s < rk_sym_count(p); s++) {
        bool has = false;

        if (rk_sym_definition(p, s) != RK_EX_FAILED || (s < m->at.n && m->known[s] && m->value[s] == 1))
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
 * A formula without the number of layers is none of the whole; one of another quantity of the text may be of anything,
 * and what is kept of an activation has many names.
 */
static bool is_of_less(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_symbol *layers = rk_bind_layers(b, b->source->instance->model);

    if (e->kind == RK_INDEX_NUMBERS || f->indirect || (f->formula && !has_same_symbols(b, f, e)))
        return true;
    if (!f->formula || e->path[0] || !layers)
        return false;
    for (size_t i = 0; i < f->side->n_symbol; i++)
        if (b->symbol[f->side->symbol[i]] == layers)
            return false;
    return layers->value > 1;
}

/* It grows with the square of the sequence, all of it: products of activations alone. */
static bool is_of_pairs(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_instance *m;
    rk_ex of = rk_index_formula(f->at->index, e, &m), length;
    const rk_symbol *s = rk_bind_sequence(b, m->model);

    if (!s || of == RK_EX_FAILED)
        return false;
    length = rk_ex_sym(m->pool, s->sym);
    of = rk_ex_div(m->pool, rk_ex_expand_defs(m->pool, of), rk_ex_mul(m->pool, length, length));
    return of != RK_EX_FAILED && !rk_ex_has_sym(m->pool, of, s->sym);
}

/* "Attention" is the whole part to some, and to others just the scores and what is made of them. */
static bool is_narrower(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    return f->lacking && f->lacking->with[0] == '(' && e->path[0] && !(f->said & RK_SAID_TOTAL) &&
           strcmp(f->lacking->path, e->path) == 0 && is_of_pairs(b, f, f->lacking) && !is_of_pairs(b, f, e);
}

/* A row of a table with several figures: its columns may be of other models, of which nothing is known. */
static bool is_in_wide_row(const rk_binder *b, const rk_figure *f)
{
    const char *text = b->a->scan.text, *at = text + b->a->lexed.token.at[f->side->from].at, *end = at, *line = at;
    size_t n = 0;
    bool digits = false;

    while (line > text && line[-1] != '\n')
        line--;
    while (*end && *end != '\n' && end < text + b->a->scan.n)
        end++;
    for (line += strspn(line, " \t"); *line == '|' && line < end; n += digits) {
        size_t cell = 1 + strcspn(line + 1, "|\n");

        digits = strcspn(line, "0123456789") < cell;
        line += cell;
    }
    return n > 1;
}

/* "TOTAL = 4,513,336,524,800" names no part, whatever stands on the line before. */
static bool is_mere_total(const rk_binder *b, const rk_figure *f)
{
    const char *text = b->a->scan.text, *at = text + b->a->lexed.token.at[f->side->from].at, *line = at;

    while (line > text && line[-1] != '\n')
        line--;
    line += strspn(line, " \t*|#>-");
    return line + 5 <= at && strncasecmp(line, "total", 5) == 0 && line + 5 + strspn(line + 5, " \t*|:=") >= at;
}

/* "768 × 2304 + 2304 = 1,771,776": what is added is said, and is not what the name alone stands for. */
static bool is_worked_sum(const rk_binder *b, const rk_figure *f)
{
    const rk_audit_token *t = b->a->lexed.token.at;
    const rk_side *first = &b->a->chains.side.at[f->chain->first], *last = &first[f->chain->n - 1];

    for (size_t i = first->from; i < last->to && f->chain->n > 1; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op == '+')
            return true;
    return false;
}

/* 69,625,446,400 of "48 × 69,625,446,400" is a quantity of the model itself. */
static bool is_entry(const rk_figure *f, const rk_written *w)
{
    const rk_index_entry *end, *e;

    if (w->wide || w->exponent != 0)
        return false;
    e = rk_index_from(f->at->index, w->digits, 1, &end);
    return e < end && e->value == w->digits;
}

bool rk_bind_stands_in_text(const rk_binder *b, rk_i128 value)
{
    size_t low = 0, high = b->n_number;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (b->number[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->n_number && b->number[low] == value;
}

/* Layers, width and heads: what makes one size of a model another, of which a text may speak elsewhere. */
static bool is_shape(const rk_binder *b, const rk_symbol *x)
{
    const rk_model *m = b->source->instance->model;

    return x == rk_bind_layers(b, m) || x == rk_bind_of_role(b, m, RK_LETTER_WIDTH) ||
           x == rk_bind_of_role(b, m, RK_LETTER_HEADS);
}

/*
 * A size that is taken stands nowhere in the text, which gives another one than the model's: "d_ff = 4,288" where it is
 * 6,400, or 3,072 of a smaller one.
 */
static bool has_other_size(const rk_binder *b, const rk_figure *f)
{
    rk_i128 value;

    for (rk_sym s = 0; s < b->n_symbol; s++) {
        const rk_symbol *x = b->symbol[s], *here = x ? rk_model_symbol(f->at->instance->model, x->name) : NULL;

        if (!here || x->kind == RK_SYMBOL_RUN || is_shape(b, x))
            continue;
        for (const rk_definition *d = rk_define_of(&b->a->definitions, RK_DEFINE_NUMBER, s); d; d = d->next)
            if (rk_ex_is_int(b->a->pool, d->value, &value) && value != x->value && value != here->value &&
                !rk_bind_stands_in_text(b, here->value))
                return true;
    }
    return false;
}

/* 16 times what it is at 1,024, and 16,384 stands in the text: it is of that length. */
static bool is_of_other_length(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_symbol *s = rk_bind_sequence(b, f->at->instance->model);
    double times = f->size / (double)e->value;

    return s && times > 1.5 && fabs(times / round(times) - 1) < 1e-3 &&
           rk_bind_stands_in_text(b, s->value * (rk_i128)round(times));
}

/* A number of its working is no size of the model: another case is worked out there, "2 × 16384 × 1600 × 50257". */
static bool has_other_sizes(const rk_binder *b, const rk_figure *f)
{
    enum {
        FACTOR_MAX = 128, /* 2, 3, 4 of a formula, bytes, bits */
        TIMES_MAX = 8
    };
    const rk_audit_token *t = b->a->lexed.token.at;
    const rk_side *s = &b->a->chains.side.at[f->chain->first];

    for (size_t i = 0; i < f->chain->n; i++, s++)
        for (size_t k = s->from; k < s->to && s != f->side && s->computed; k++) {
            const rk_written *w = t[k].kind == RK_TOKEN_NUMBER ? &b->a->lexed.number.at[t[k].id] : NULL;
            const rk_model *m = f->at->instance->model;
            bool known = false;

            if (!w || (!w->wide && w->exponent == 0 && w->digits <= FACTOR_MAX))
                continue;
            if (w->wide || w->exponent != 0 || w->digits > INT32_MAX) {
                if (!is_entry(f, w))
                    return true;
                continue;
            }
            for (size_t j = 0; j < m->n_symbol && !known; j++) /* 2,304 is three times 768 */
                known = m->symbol[j].known && m->symbol[j].value > FACTOR_MAX && w->digits % m->symbol[j].value == 0 &&
                        w->digits / m->symbol[j].value <= TIMES_MAX;
            if (!known)
                return true;
        }
    return false;
}

bool rk_bind_is_of_open_length(const rk_binder *b, const rk_figure *f)
{
    const rk_scope *s = &b->a->scan.scope.at[f->section];
    const char *title = b->a->scan.text + s->from;
    size_t n = s->title_to - s->from;

    if (f->section == 0 || !(f->query.kinds & RK_INDEX_OPERATIONS) ||
        !rk_lexicon_in(b->a->lexicon, RK_WORDS_LENGTH, title, n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (title[i] >= '0' && title[i] <= '9')
            return false;
    return true;
}

/* Words that forbid it: of a size, "vocab_size | 50,257"; of what is not there, "it saves 806M"; of another case. */
static bool is_forbidden(const rk_binder *b, const rk_figure *f)
{
    const rk_scan *s = &b->a->scan;
    uint32_t at = b->a->lexed.token.at[f->side->from].at, from, to;

    rk_scan_line_range(s, rk_scan_line(s, at), &from, &to);
    return (f->said & RK_SAID_DOUBT) || rk_bind_is_of_open_length(b, f) ||
           rk_bind_has(b, RK_WORDS_SIZE_NAME, f->words) || rk_bind_has(b, RK_WORDS_NARROWER, f->words) ||
           (from < at && rk_lexicon_in(b->a->lexicon, RK_WORDS_COMPARED, s->text + from, at - from));
}

/* "3 × (8/3)d² = 8d²": a formula with a fraction in it is one of another model, whose FFN is so wide. */
static bool has_fraction(const rk_binder *b, const rk_figure *f)
{
    const rk_audit_token *t = b->a->lexed.token.at;
    const rk_side *first = &b->a->chains.side.at[f->chain->first], *last = &first[f->chain->n - 1];

    for (size_t i = first->from + 1; i + 1 < last->to && f->formula; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op == '/' && t[i - 1].kind == RK_TOKEN_NUMBER &&
            t[i + 1].kind == RK_TOKEN_NUMBER)
            return true;
    return false;
}

/* Some operations more for each number of each layer: of norms, rotations, sums that the text counts, too. */
static bool has_small_operations(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    enum {
        EACH_MOST = 64
    };
    const rk_model *m = f->at->instance->model;
    const rk_symbol *s = rk_bind_sequence(b, m), *d = rk_bind_of_role(b, m, RK_LETTER_WIDTH);
    const rk_symbol *layers = rk_bind_layers(b, m);
    rk_i128 more = f->query.low - e->value, numbers;

    if (!s || !d || !layers || f->slack > 0 || e->kind == RK_INDEX_PARAMS || e->kind == RK_INDEX_SHARE || more <= 0)
        return false;
    if (f->is_total && rk_bind_off(f, e) <= f->weight[RK_WEIGH_NEAR]) /* whatever its rows are */
        return true;
    numbers = s->value * d->value * (e->all || e->path[0] == '\0' ? layers->value : 1);
    return more % numbers == 0 && more / numbers <= EACH_MOST;
}

/* "In projection flops", below "Single transformer block": one product of it, whichever. */
static bool is_product_of(const rk_figure *f, const rk_index_entry *e)
{
    return !strchr(e->path, '.') && strstr(f->own, "projection");
}

/* "2 × 4 × d² × T" of the query, key, value and output projections: the factor stands there, and says how many. */
static bool is_factor_of_formula(const rk_binder *b, const rk_figure *f, const rk_index_ratio *slip)
{
    const rk_audit_token *t = b->a->lexed.token.at;

    for (size_t i = f->side->from; i < f->side->to && f->formula && slip; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && b->a->lexed.number.at[t[i].id].digits == slip->num && slip->num > 2 &&
            slip->den == 1)
            return true;
    return false;
}

/* "6BTdF" where the text says further on that B is 1,024: the formula is right, whatever its letters are worth. */
static bool is_same_formula(rk_binder *b, const rk_figure *f, const rk_index_entry *e, rk_bound *out)
{
    rk_index_query itself = f->query;
    rk_match m;

    if (!f->formula || !e)
        return false;
    itself.low = itself.high = e->value;
    itself.den = 1;
    if (!rk_index_match(f->at->index, e, &itself, &m) || m.ratio->view || m.ratio->times ||
        !rk_bind_same_formula(b, f, &m))
        return false;
    *out = (rk_bound){.status = RK_CLAIM_RIGHT, .entry = e, .ratio = m.ratio, .value = e->value};
    return true;
}

/* "QKV projection | 1,771,776": the weight that is named, and its bias; NULL: it is not that. */
static const rk_index_entry *find_with_bias(const rk_figure *f, const rk_index_entry *named)
{
    const rk_index_entry *e, *end;

    if (!named || named->kind != RK_INDEX_PARAMS || f->slack > 0 || f->query.den != 1)
        return NULL;
    for (e = rk_index_from(f->at->index, f->query.low, SIZE_MAX, &end); e < end && e->value == f->query.low; e++)
        if (e->kind == RK_INDEX_PARAMS && e->with && e->all == named->all && strstr(e->with, named->path) &&
            strstr(e->with, "bias"))
            return e;
    return NULL;
}

/* "Scores: …, values: 3,355,443,200": no projection of values, but what is made of them, with all of its digits. */
static bool is_product_instead(const rk_binder *b, const rk_figure *f, const rk_index_entry *named)
{
    const rk_match *m = &f->plain;

    return m->entry && !m->ratio->view && !m->ratio->times && m->entry->kind == named->kind &&
           m->entry->all == named->all && rk_bind_is_sharp(f, RK_WEIGH_LONG) && is_of_pairs(b, f, m->entry) &&
           !is_of_pairs(b, f, named);
}

static rk_bound judge_wrong(rk_binder *b, const rk_figure *given)
{
    rk_figure chosen = *given, *f = &chosen;
    const rk_index_entry *only, *share, *scaled, *biased;
    rk_bound out = {.status = RK_CLAIM_UNKNOWN};

    choose_scope(b, f);
    only = f->one ? f->one : f->all;

    biased = find_with_bias(f, only);
    if (biased)
        return (rk_bound){.status = RK_CLAIM_RIGHT, .entry = biased, .value = biased->value};
    if (is_same_formula(b, given, given->one, &out) || is_same_formula(b, given, given->all, &out))
        return out;
    if (!only || is_product_instead(b, f, only) || is_product_of(f, only) ||
        (f->label && rk_bind_is_unknown_label(b, f)) || has_fraction(b, f) || is_forbidden(b, f) ||
        has_other_sizes(b, f) || (!f->placed && is_in_wide_row(b, f)) || (only->path[0] && is_mere_total(b, f)) ||
        is_of_less(b, f, only) || is_narrower(b, f, only) || has_other_size(b, f) ||
        is_other_by_positions(b, f, only) || is_of_other_length(b, f, only) ||
        (!f->placed && !f->titled && rk_bind_names_other(b, f)) || has_small_operations(b, f, only))
        return out;
    /* What is nearly one of both is meant as that, however the figures around it count. */
    if ((is_near(f, given->one) || is_near(f, given->all)) && is_among_right(b, f) && !is_worked_sum(b, f))
        return wrong(f, is_near(f, given->one) ? given->one : given->all);
    if ((share = find_far_share(b, f, only)) != NULL)
        return wrong(f, share);
    if (!is_trusted(b, f))
        return out;
    scaled = find_scaled(f);
    if (scaled) {
        out = wrong(f, scaled);
        out.why = "its digits are right, and its scale is not";
    } else if (!rk_bind_is_sharp(f, RK_WEIGH_SLIP) || !find_slip(f, &out)) {
        if (!is_far(f, only) ||
            (f->plain.entry && rk_bind_is_sharp(f, RK_WEIGH_EXACT) && !is_other(f, f->plain.entry, f->points)))
            return out;
        out = wrong(f, only);
    }
    if (is_factor_of_formula(b, f, out.slip))
        return (rk_bound){.status = RK_CLAIM_UNKNOWN};
    put_in_view(b, f, &out);
    return out;
}

/*
 * Where nothing else is known of a figure with many digits, two of them may have changed places: 820,816 for 802,816.
 * The entry that it is then; NULL: none, or several.
 */
static const rk_index_entry *find_swapped(const rk_figure *f)
{
    rk_i128 low = f->query.low, tenth = low / 10;
    const rk_index_entry *found = NULL, *end;

    if (!rk_bind_is_sharp(f, RK_WEIGH_EXACT) || f->plain.entry || f->viewed.entry || (f->said & RK_SAID_DOUBT) ||
        low != f->query.high || f->query.den != 1)
        return NULL;
    for (const rk_index_entry *e = rk_index_from(f->at->index, low - tenth, SWAPPED_MAX, &end);
         e < end && e->value <= low + tenth; e++) {
        if (!((f->query.kinds >> e->kind) & 1) || e->with || rk_judge_swapped(low, e->value) != 1)
            continue;
        if (found && found->value != e->value)
            return NULL;
        found = found ? found : e;
    }
    return found;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static rk_bound right(const rk_match *m, bool as_other)
{
    return (rk_bound){
        .status = RK_CLAIM_RIGHT, .entry = m->entry, .ratio = m->ratio, .value = m->value, .as_other = as_other};
}

/* What the whole text says of how it counts, looked for once. */
static unsigned said_anywhere(rk_binder *b)
{
    if (!b->listened)
        b->said = rk_lexicon_in(b->a->lexicon, RK_WORDS_SAID, b->a->scan.text, b->a->scan.n);
    b->listened = true;
    return b->said;
}

/* "2,256,668,262,400 FLOPs" for the whole model, or a part, are MACs, in a text that never speaks of these. */
static bool is_macs_for_flops(rk_binder *b, const rk_figure *f, const rk_match *m)
{
    const rk_index_entry *e = m->entry;

    return e->kind == RK_INDEX_FLOPS && !e->convention && strcmp(e->what, "forward FLOPs") == 0 &&
           2 * m->value == e->value && (e->path[0] ? f->side->unit != NULL : f->kind_said) &&
           rk_bind_is_sharp(f, RK_WEIGH_SLIP) && !(said_anywhere(b) & RK_SAID_MACS);
}

/* Whether a match is the forward FLOPs of products as they are, neither in a view nor as a convention counts them. */
static bool is_of_products(const rk_index_entry *e)
{
    return e->kind == RK_INDEX_FLOPS && !e->convention && strcmp(e->what, "forward FLOPs") == 0;
}

/* Whether the section counts two operations for each product elsewhere, in figures that leave nothing open. */
static bool counts_two_elsewhere(const rk_binder *b, const rk_figure *f)
{
    const rk_figure *end;

    for (const rk_figure *g = figures_nearby(b, f, NEARBY, NEARBY, &end); g < end; g++)
        if (is_evidence(f, g) && g->plain.entry && !g->plain.ratio->view && !g->plain.ratio->times && g->points > 0 &&
            g->slack == 0 && is_of_products(g->plain.entry) && g->plain.entry->value != f->query.low)
            return true;
    return false;
}

/* "vdl = 82,341,068,800" beside "8ld² = 20,971,520,000": MACs among FLOPs, of a part that is named. */
static bool is_mac_among_flops(rk_binder *b, const rk_figure *f, const rk_match *m)
{
    if (f->plain.entry && is_of_products(f->plain.entry) && !f->plain.ratio->view) /* one of two such matrices */
        return false;
    return is_of_products(m->entry) && 2 * m->value == m->entry->value && f->slack == 0 &&
           rk_bind_is_sharp(f, RK_WEIGH_LONG) && !(said_anywhere(b) & RK_SAID_MACS) && !is_forbidden(b, f) &&
           !has_other_sizes(b, f) && counts_two_elsewhere(b, f);
}

/*
 * A total in which the products of one part were counted once each, and those of all others twice: the entry that it
 * should be; NULL: it is not that.  *half is the part.
 */
static const rk_index_entry *find_half_counted(rk_binder *b, const rk_figure *f, const rk_index_entry **half)
{
    const rk_index_entry *all, *whole = NULL, *at, *found = NULL;
    rk_i128 missing;
    size_t n;

    if (f->slack > 0 || f->formula || f->plain.entry || !(f->query.kinds & RK_INDEX_IS(FLOPS)) || f->query.den != 1 ||
        !rk_bind_is_sharp(f, RK_WEIGH_LONG) || (said_anywhere(b) & RK_SAID_MACS) || is_forbidden(b, f))
        return NULL;
    all = rk_index_entries(f->at->index, &n);
    for (size_t i = 0; i < n && !whole; i++)
        whole = all[i].path[0] == '\0' && !all[i].with && is_of_products(&all[i]) ? &all[i] : NULL;
    if (!whole || f->query.low >= whole->value)
        return NULL;
    missing = whole->value - f->query.low;
    for (at = rk_index_from(f->at->index, missing, SIZE_MAX, &all); at < all && at->value == missing; at++)
        if (is_of_products(at)) /* a part that is not in it at all */
            return NULL;
    for (at = rk_index_from(f->at->index, 2 * missing, SIZE_MAX, &all); at < all && at->value == 2 * missing; at++)
        if (is_of_products(at) && (!found || at->cost < found->cost))
            found = at;
    *half = found;
    return found ? whole : NULL;
}

/*
 * "Each parameter is in single precision: 2,127,057,600 × 2 = 4.25 GB": bytes of all parameters in another type than
 * the lines above it say, and no other one.  What it should be is in *out then.
 */
static bool is_of_other_type(rk_binder *b, const rk_figure *f, rk_bound *out)
{
    enum {
        LINES = 4,
        BYTES = 4 /* of a number in fp32 */
    };
    const rk_index_entry *e = f->plain.entry;
    const rk_index_ratio *r = f->plain.ratio;
    rk_index_query q;
    rk_match m;

    if (!e || e->value > (rk_i128)1 << 120 || e->kind != RK_INDEX_PARAMS || e->path[0] || r->to != RK_INDEX_BYTES ||
        r->num != 2 || r->den != 1 || f->as_other)
        return false;
    q = (rk_index_query){.low = e->value * BYTES, .high = e->value * BYTES, .den = 1, .kinds = RK_INDEX_IS(BYTES)};
    if (rk_audit_says_above(b->a, RK_WORDS_BITS_EACH, f->side->from, LINES) != RK_LEXICON_FP32 ||
        !rk_index_match(f->at->index, e, &q, &m))
        return false;
    *out = (rk_bound){.status = RK_CLAIM_WRONG, .entry = e, .ratio = m.ratio, .value = m.value};
    out->why = "what is stated has 2 bytes for each";
    return true;
}

static rk_bound decide(rk_binder *b, const rk_figure *f)
{
    /* Rounded, it is another way of counting; as the text counts elsewhere, it is nearly that, and not quite. */
    bool is_coincidence = f->plain.entry && f->plain.entry->convention && !rk_bind_is_sharp(f, RK_WEIGH_EXACT) &&
                          (is_near(f, f->one) || is_near(f, f->all));
    const rk_index_entry *other, *part = NULL;
    rk_bound out;

    if (rk_bind_holds(f, &f->plain, f->points) && !is_coincidence && !is_share_of_other(b, f)) {
        if (is_of_other_type(b, f, &out))
            return out;
        return right(&f->plain, f->as_other);
    }
    if (f->viewed.entry && rk_bind_holds(f, &f->viewed, f->viewed_points) && is_mac_among_flops(b, f, &f->viewed)) {
        out = wrong(f, f->viewed.entry);
        out.slip = f->viewed.ratio;
        return out;
    }
    if (f->viewed.entry && is_common_view(b, f, manner_of(&f->viewed)) &&
        rk_bind_holds(f, &f->viewed, f->viewed_points)) {
        if (!is_macs_for_flops(b, f, &f->viewed))
            return right(&f->viewed, false);
        out = wrong(f, f->viewed.entry);
        out.slip = f->viewed.ratio;
        return out;
    }
    other = find_half_counted(b, f, &part);
    if (other) {
        out = wrong(f, other);
        out.why = rk_arena_format(&b->a->arena,
                                  "what is stated has one operation for each product of %s, and two for the others",
                                  part->path);
        return out;
    }
    other = find_swapped(f);
    if (other)
        return wrong(f, other);
    out = judge_wrong(b, f);
    if (out.status == RK_CLAIM_UNKNOWN && f->plain.entry && !is_other(f, f->plain.entry, f->points) && !is_size(f) &&
        !(f->said & RK_SAID_DOUBT) && !f->formula && rk_bind_is_sharp(f, RK_WEIGH_EXACT) &&
        f->plain.cost <= f->weight[RK_WEIGH_FAR])
        return right(&f->plain, f->as_other);
    return out;
}

/*
 * The width of the FFN was set by hand for the model, and the text gives the width of another one without that of its
 * FFN: what depends on it is not known.
 */
static bool is_of_open_ffn(const rk_binder *b, const rk_figure *f, const rk_index_entry *e)
{
    const rk_model *m = b->source->instance->model;
    const rk_symbol *width = rk_bind_of_role(b, m, RK_LETTER_WIDTH), *ffn = rk_bind_of_role(b, m, RK_LETTER_FFN_WIDTH);
    const rk_open_request *given = b->source->reopen;
    const rk_instance *at;
    const rk_symbol *here;
    rk_ex of;

    if (!e || !width || !ffn || !rk_bind_setting(given->setting, given->n_setting, ffn->name) ||
        !rk_bind_setting(f->at->setting, f->at->n, width->name) || rk_bind_setting(f->at->setting, f->at->n, ffn->name))
        return false;
    of = rk_index_formula(f->at->index, e, &at);
    here = rk_model_symbol(at->model, ffn->name);
    return of == RK_EX_FAILED || !here || rk_ex_has_sym(at->pool, rk_ex_expand_defs(at->pool, of), here->sym);
}

rk_bound rk_bind_decide(rk_binder *b, const rk_figure *f)
{
    const rk_audit_token *t = b->a->lexed.token.at;
    rk_bound out = decide(b, f);
    bool is_bare = f->formula; /* without a number */

    for (size_t i = f->side->from; i < f->side->to; i++)
        is_bare &= t[i].kind != RK_TOKEN_NUMBER || (i > 0 && t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '^');
    /* "T × D" is a shape, and "grows with T × D²" no count; only of parameters a formula may have no number in it. */
    if (is_bare && (out.status == RK_CLAIM_WRONG || !(f->query.kinds & (RK_INDEX_IS(PARAMS) | RK_INDEX_IS(NUMBERS)))))
        return (rk_bound){.status = RK_CLAIM_UNKNOWN};
    if ((out.status == RK_CLAIM_WRONG || out.status == RK_CLAIM_SLIP) &&
        (is_of_open_ffn(b, f, out.entry) ||
         (out.entry && out.entry->kind == RK_INDEX_SHARE && rk_bind_component_holds(b, f)) ||
         (out.entry && out.entry->kind == RK_INDEX_FLOPS && rk_bind_is_said_width(b, f))))
        return (rk_bound){.status = RK_CLAIM_UNKNOWN};
    return out;
}
