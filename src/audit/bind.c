/* SPDX-License-Identifier: MIT */
/* Figures and formulas of a text, each bound to a quantity of a model. */
#include "audit/bind_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 1000,       /* smaller numbers are sizes, not quantities */
    LEAST_ALONE = 10000 /* a number without a unit and an equation: no year */
};

/* ---- figures ----------------------------------------------------------------------------------------------------- */

static bool is_readable(const rk_side *s)
{
    return s->value != RK_EX_FAILED && !s->shape && !s->range && !s->maybe_two && s->alone == RK_SYM_NONE && !s->call;
}

/* "17B", perhaps where B is the batch: a number and a letter. */
static bool is_scaled(const rk_binder *b, const rk_side *s)
{
    const rk_audit_token *t = &b->a->lexed.token.at[s->from];

    return s->to - s->from == 2 && s->n_symbol == 1 && t[0].kind == RK_TOKEN_NUMBER;
}

/* The side that says how much: the last one with a value, or an exact number beside it.  "(1024 × 1600)" is a shape. */
static const rk_side *stating_side(const rk_binder *b, const rk_chain *c)
{
    const rk_side *s = &b->a->chains.side.at[c->first], *found = NULL;

    for (size_t i = c->n; i > 0; i--) {
        const rk_side *at = &s[i - 1];

        if (!is_readable(at))
            continue;
        if (!found && !at->literal.is && at->n_symbol == 0)
            return NULL;
        if (!found || (at->literal.is && at->slack == 0 && (found->slack > 0 || is_scaled(b, found))))
            found = at;
    }
    return found;
}

/* "(B, T, 4d)", "∈ R^{4D × D}": how something is laid out. */
static bool is_in_shape(const rk_binder *b, const rk_side *s)
{
    enum {
        NEAR = 14
    };
    const rk_audit_token *t = &b->a->lexed.token.at[s->from];
    uint32_t from = t->at > NEAR ? t->at - NEAR : 0;
    const char *before = rk_audit_plain(b->a, from, t->at);

    if (s->from > 0 && t[-1].kind == RK_TOKEN_COMMA && s->n_symbol > 0)
        return true;
    return strstr(before, "∈") || strstr(before, "\\in") || strstr(before, "mathbb") || strstr(before, "R^");
}

/* "16,384 tokens": so many of something that is no quantity. */
static bool is_counted(const rk_binder *b, const rk_side *s)
{
    const rk_audit_token *t = &b->a->lexed.token.at[s->to - 1];
    size_t last = s->to - s->from > 1 && t->kind == RK_TOKEN_WORD ? 0 : 1;

    if (!s->literal.is || s->unit || s->to >= b->a->lexed.token.n || t[last].kind != RK_TOKEN_WORD)
        return false;
    return rk_lexicon_in(b->a->lexicon, RK_WORDS_COUNTED, b->a->scan.text + t[last].at, t[last].n);
}

/* "128 × 2 × T = 256": a letter that stands on one side only, as it does in every line of such a text. */
static bool drops_letter(rk_binder *b, const rk_figure *f)
{
    for (size_t i = 0; i < f->chain->n && !f->formula; i++) {
        const rk_side *s = &b->a->chains.side.at[f->chain->first + i];
        rk_ex v = s->n_symbol > 0 && is_readable(s) ? rk_bind_value(b, s, f->scope, f->at) : RK_EX_FAILED;
        rk_i128 n;

        if (v == RK_EX_FAILED || !rk_ex_is_int(b->a->pool, rk_ex_div(b->a->pool, v, f->value), &n))
            continue;
        for (size_t k = 0; k < s->n_symbol; k++)
            if (n > 1 && b->symbol[s->symbol[k]] && b->symbol[s->symbol[k]]->value == n)
                return true;
    }
    return false;
}

static void gather_one(rk_binder *b, const rk_chain *c)
{
    const double tenth = 0.1;
    const rk_piece *piece = &b->a->scan.piece.at[c->piece];
    rk_sym defined = b->a->chains.side.at[c->first].alone; /* "T = 1024" says how large something is */
    bool defines = defined != RK_SYM_NONE && (c->n == 1 || (defined < b->n_symbol && b->symbol[defined]));
    rk_figure f = {.chain = c,
                   .side = defines ? NULL : stating_side(b, c),
                   .scope = piece->scope,
                   .number = b->figure.n,
                   .weight = b->a->lexicon->weight};
    const rk_side *s = f.side;
    rk_figure *kept;
    double least;

    if (!s || s->timed || s->rate) /* days and TB/s are none of a model's own */
        return;
    if (piece->program || (b->source->piece && !b->source->piece[c->piece]) ||
        (c->n == 1 && (is_in_shape(b, s) || is_counted(b, s))) ||
        (b->figure.n > 0 && b->figure.at[b->figure.n - 1].side->from >= s->from))
        return;
    f.at = rk_bind_sizing(b, c->piece, b->a->lexed.token.at[s->from].at, &f.placed, &f.titled);
    f.formula = s->n_symbol > 0;
    f.value = !f.at ? RK_EX_FAILED : f.formula ? rk_bind_value(b, s, f.scope, f.at) : s->value;
    f.section = rk_scan_section(&b->a->scan, f.scope);
    if (f.value == RK_EX_FAILED || !rk_side_double(b->a->pool, f.value, &f.size))
        return;
    least = c->n > 1 || f.formula ? LEAST : LEAST_ALONE;
    if (s->unit ? f.size <= 0 : f.size < least)
        return;
    /* How far off the rounding may make it; "about" may mean its last digit that is not 0. */
    f.slack = f.formula ? 0 : s->slack;
    if (!f.formula && (s->about || s->literal.about) && s->literal.is)
        f.slack = fmax(s->slack, fmin(s->literal.coarse / 2, f.size * tenth));
    f.indirect = drops_letter(b, &f);
    for (size_t i = 0; i < s->n_symbol; i++)
        f.indirect |= !b->symbol[s->symbol[i]]; /* one that is no size: P of 16P */
    kept = RK_PUSH(&b->arena, &b->figure);
    if (kept)
        *kept = f;
}

/* ---- what is looked for ------------------------------------------------------------------------------------------ */

static rk_index_query between(double low, double high, unsigned kinds)
{
    const double rounding = 1e-12;

    return (rk_index_query){.low = (rk_i128)ceil(low * (1 - rounding)),
                            .high = (rk_i128)floor(high * (1 + rounding)),
                            .den = 1,
                            .kinds = kinds};
}

/* False: nothing of the kind can be so large. */
static bool make_query(rk_binder *b, rk_figure *f)
{
    const double most = 1e36;
    const rk_word_unit *u = f->side->unit;
    double unit = f->query.kinds == RK_INDEX_IS(SHARE) ? (double)RK_INDEX_SHARE_UNIT : 1, by;
    rk_i128 num, den;

    rk_ex_is_quotient(b->a->pool, f->value, &num, &den);
    if (unit > 1)
        f->slack = fmax(f->slack, 1 / unit); /* "0.03648789242617" has more digits than the index keeps */
    if (f->size + f->slack > most / unit)
        return false;
    if (f->slack > 0 || unit > 1)
        f->query = between((f->size - f->slack) * unit, (f->size + f->slack) * unit, f->query.kinds);
    else
        f->query = (rk_index_query){.low = num, .high = num, .den = den, .kinds = f->query.kinds};
    if (u && u->kind == RK_WORD_UNIT_BYTES && !u->binary && u->power != 0) {
        by = pow(1024.0 / 1000.0, u->power); /* GB as GiB, where that is not what was written */
        f->other = between((f->size - f->slack) * by, (f->size + f->slack) * by, f->query.kinds);
    }
    return true;
}

/* ---- what was claimed before ------------------------------------------------------------------------------------- */

/* The claim of an equation or a sum that a side of the chain states; those that are wrong first. */
static rk_claim *claim_before(const rk_binder *b, const rk_figure *f)
{
    rk_claim *found = NULL;

    for (size_t i = 0; i < f->chain->n; i++) {
        uint32_t at = b->of_side[f->chain->first + i];
        rk_claim *c = at ? &b->a->claim.at[at - 1] : NULL;

        if (c && (!found || c->status == RK_CLAIM_WRONG))
            found = c;
    }
    return found;
}

/* The same figure at other sizes; true where it is right there. */
static bool is_right_at(rk_binder *b, rk_figure *f, rk_sizing *at, rk_bound *out)
{
    rk_figure other = *f;

    other.at = at;
    other.plain = other.viewed = (rk_match){0};
    other.one = other.all = other.lacking = NULL;
    other.points = other.viewed_points = 0;
    other.whole_sentence = other.as_other = false;
    rk_bind_look_up(b, &other);
    *out = rk_bind_decide(b, &other);
    if (out->status != RK_CLAIM_RIGHT)
        return false;
    f->at = at;
    return true;
}

/* What does not hold at the sizes of its scope may at those of the model, or at another length of its sentence. */
static rk_bound decide_at_all(rk_binder *b, rk_figure *f)
{
    enum {
        LENGTHS = 3
    };
    rk_bound own = rk_bind_decide(b, f), x;
    rk_sizing *here = f->at;

    if (own.status == RK_CLAIM_RIGHT || f->formula)
        return own;
    /* A table of several models, and further on "S = 16,384": the table may be of another length. */
    for (size_t i = 0; f->placed && own.status == RK_CLAIM_WRONG && i <= RK_BIND_LENGTHS_MAX; i++) {
        rk_sizing *at = rk_bind_at_length(b, here, i);

        if (at && at != here && is_right_at(b, f, at, &x))
            return x;
    }
    if (f->placed)
        return own;
    if (f->at != &b->sizing[0] && is_right_at(b, f, &b->sizing[0], &x))
        return x;
    for (size_t i = 0; i < LENGTHS; i++) {
        rk_sizing *at = rk_bind_other_length(b, f, i);

        if (!at)
            break;
        if (is_right_at(b, f, at, &x))
            return x;
    }
    /* One with many digits may be of any length that the text speaks of. */
    for (size_t i = 0; i < RK_BIND_LENGTHS_MAX && rk_bind_is_sharp(f, RK_WEIGH_EXACT); i++) {
        rk_sizing *at = rk_bind_at_length(b, here, i);

        if (at && at != here && is_right_at(b, f, at, &x) && !x.ratio->view && !x.ratio->times)
            return x;
        f->at = here;
    }
    return own;
}

/* Of a model that the text is only supposed to be about, nothing is called wrong. */
rk_claim_status rk_bind_status(const rk_binder *b, rk_claim_status s)
{
    return s == RK_CLAIM_WRONG && b->source->supposed ? RK_CLAIM_DOUBTFUL : s;
}

/* Words may speak of something that is many times as large. */
static bool is_elsewhere(const rk_figure *f, const rk_index_entry *e)
{
    double factor = f->size / (double)e->value;

    return e->kind != RK_INDEX_SHARE &&
           (factor > f->weight[RK_WEIGH_ELSEWHERE] || factor < 1 / f->weight[RK_WEIGH_ELSEWHERE]);
}

/* What a figure may be, where that is not clear: by its words, else by its value, else what is nearest. */
static void leave_open(rk_binder *b, const rk_figure *f)
{
    const rk_match *m = f->plain.entry ? &f->plain : f->viewed.entry ? &f->viewed : NULL;
    const rk_index_entry *e = f->one ? f->one : f->all, *below = NULL, *above = NULL;
    rk_claim *c = RK_PUSH(&b->a->arena, &b->a->open);
    rk_bound x = {.entry = e ? e : m ? m->entry : NULL, .ratio = e || !m ? NULL : m->ratio};
    const rk_audit_token *t = b->a->lexed.token.at;

    if (!c)
        return;
    if (x.entry && x.entry == e && is_elsewhere(f, e))
        x = (rk_bound){.entry = m ? m->entry : NULL, .ratio = m ? m->ratio : NULL};
    if (!x.entry) {
        rk_index_near(f->at->index, &f->query, &below, &above);
        x.entry = !below || (above && rk_bind_off(f, above) < rk_bind_off(f, below)) ? above : below;
        if (x.entry && rk_bind_off(f, x.entry) > f->weight[RK_WEIGH_NEARBY])
            x.entry = NULL; /* what is nearest says nothing */
    }
    *c = (rk_claim){.kind = RK_CLAIM_MODEL,
                    .status = RK_CLAIM_UNKNOWN,
                    .at = t[f->side->from].at,
                    .to = t[f->side->to - 1].at + t[f->side->to - 1].n,
                    .line = rk_scan_line(&b->a->scan, t[f->side->from].at),
                    .column = rk_scan_column(&b->a->scan, t[f->side->from].at),
                    .text = rk_audit_quote(b->a, f->side->from, f->side->to)};
    if (!x.entry)
        return;
    x.value = !x.ratio ? x.entry->value : m->value;
    c->quantity = rk_bind_quantity_text(b, &x);
    c->found_value = rk_bind_found_value(b, &x);
    c->found = x.entry->kind == RK_INDEX_SHARE ? rk_bind_share_text(b, f, &x)
                                               : rk_audit_value(b->a, c->found_value, &(rk_literal){0}, f->side);
}

/* The first side of its chain that stands on its line: of a long working it is the figure that is claimed. */
static const rk_side *first_beside(const rk_binder *b, const rk_figure *f)
{
    const rk_audit_token *t = b->a->lexed.token.at;
    const rk_side *s = &b->a->chains.side.at[f->chain->first];
    size_t line = rk_scan_line(&b->a->scan, t[f->side->from].at);

    while (s < f->side && rk_scan_line(&b->a->scan, t[s->from].at) != line)
        s++;
    return s;
}

static void claim(rk_binder *b, rk_figure *f)
{
    rk_bound x = f->bound;
    rk_claim *before = claim_before(b, f), *c;

    if (!x.entry && !before && !b->source->supposed)
        leave_open(b, f);
    if (!x.entry)
        return;
    /* A total that is the model's: if its rows do not add up to it, one of them is wrong. */
    if (before && (before->kind == RK_CLAIM_SUM || f->chain->n == 1) && before->status == RK_CLAIM_WRONG &&
        x.status == RK_CLAIM_RIGHT && !b->source->supposed) {
        before->status = RK_CLAIM_DOUBTFUL;
        before->note = rk_arena_format(&b->a->arena, "%s; but it is %s", before->note ? before->note : "a sum",
                                       rk_bind_quantity_text(b, &x));
        return;
    }
    /* A mistake that was found is not told twice; what it is about is. */
    if (before &&
        (before->status == RK_CLAIM_WRONG || (before->kind == RK_CLAIM_SHARE && x.status != RK_CLAIM_WRONG))) {
        if (before->kind == RK_CLAIM_SHARE ? x.status == RK_CLAIM_RIGHT
                                           : before->found_value == rk_bind_found_value(b, &x)) {
            before->quantity = rk_bind_quantity_text(b, &x);
            before->formula = rk_bind_formula_text(b, f, &x);
        }
        return;
    }
    c = rk_audit_claim(b->a, RK_CLAIM_MODEL, rk_bind_status(b, x.status), first_beside(b, f)->from, f->side->to);
    if (c)
        rk_bind_fill_claim(b, f, &x, c);
}

/* Which claims there are already; mistakes in tables have sides of their own, which begin with the same token. */
static void find_claims(rk_binder *b)
{
    const rk_audit *a = b->a;
    uint32_t *begins = RK_NEW_ARRAY(&b->arena, a->lexed.token.n + 1, uint32_t);

    b->of_side = RK_NEW_ARRAY(&b->arena, a->chains.side.n + 1, uint32_t);
    for (size_t i = 0; begins && i < a->chains.side.n; i++)
        begins[a->chains.side.at[i].from] = (uint32_t)i + 1;
    for (size_t i = 0; b->of_side && begins && i < a->claim.n; i++) {
        const rk_claim *c = &a->claim.at[i];
        uint32_t side = c->side ? begins[c->side->from] : 0;

        if (side && (c->side == &a->chains.side.at[side - 1] || c->status == RK_CLAIM_WRONG))
            b->of_side[side - 1] = (uint32_t)i + 1;
    }
    for (size_t i = 0; b->of_side && i < b->figure.n; i++) {
        const rk_claim *c = claim_before(b, &b->figure.at[i]);

        b->figure.at[i].is_wrong = c && c->status == RK_CLAIM_WRONG;
        b->figure.at[i].is_sum = c && c->status == RK_CLAIM_RIGHT;
        b->figure.at[i].is_total = b->figure.at[i].is_sum && c->kind == RK_CLAIM_SUM;
    }
}

/* ---- figures that are said again --------------------------------------------------------------------------------- */

/* The same number, with as many digits, in the same unit. */
static bool says_same(const rk_figure *f, const rk_figure *g)
{
    return f->value == g->value && f->slack == g->slack && f->share_of == g->share_of &&
           (f->side->unit ? f->side->unit->kind : RK_WORD_UNIT_NONE) ==
               (g->side->unit ? g->side->unit->kind : RK_WORD_UNIT_NONE);
}

/*
 * "in GPT-2 XL about 71.83 %" below a table that has 71.83 % for what is 69.44 %: of three digits and more it is that
 * again.  In a cell it may be something else.
 */
static void bind_repeats(rk_binder *b)
{
    enum {
        WRONG_MAX = 64
    };
    const rk_figure *wrong[WRONG_MAX];
    size_t n = 0;

    for (size_t i = 0; i < b->figure.n && n < WRONG_MAX; i++)
        if (b->figure.at[i].bound.status == RK_CLAIM_WRONG && !b->figure.at[i].formula &&
            rk_bind_is_sharp(&b->figure.at[i], RK_WEIGH_ROUGH))
            wrong[n++] = &b->figure.at[i];
    for (size_t i = 0; i < b->figure.n; i++) {
        rk_figure *f = &b->figure.at[i];
        const rk_figure *of = NULL;

        if (f->bound.entry || f->formula || f->is_wrong || f->is_total ||
            b->a->scan.piece.at[f->chain->piece].kind == RK_PIECE_CELL)
            continue;
        for (size_t k = 0; k < n && wrong[k] < f; k++)
            of = says_same(f, wrong[k]) ? wrong[k] : of;
        if (!of)
            continue;
        f->bound = of->bound;
        f->bound.why = rk_bind_from_line(b, "it is the wrong figure", of->side);
        f->bound.source = of->side;
        f->at = of->at;
    }
}

/* ---- rows of several models -------------------------------------------------------------------------------------- */

static const rk_piece *cell_of(const rk_binder *b, const rk_figure *f)
{
    const rk_piece *p = &b->a->scan.piece.at[f->chain->piece];

    return p->kind == RK_PIECE_CELL ? p : NULL;
}

/* Whether two figures stand in one row of a table, or in one column. */
static bool is_in_line(const rk_binder *b, const rk_figure *f, const rk_figure *g, bool column)
{
    const rk_piece *p = cell_of(b, f), *q = cell_of(b, g);

    return p && q && p->table == q->table && (column ? p->column == q->column : p->row == q->row);
}

/* What a figure's words name, of one layer or of all, at its own sizes; NULL: nothing. */
static const rk_index_entry *named_of(const rk_figure *f, bool all)
{
    const rk_index_entry *e = f->one ? f->one : f->all, *at;
    size_t n;

    if (!e || e->kind == RK_INDEX_SHARE || e->all == all)
        return e && e->kind != RK_INDEX_SHARE ? e : NULL;
    at = rk_index_entries(f->at->index, &n);
    for (size_t i = 0; i < n; i++)
        if (at[i].kind == e->kind && at[i].all == all && !at[i].convention && !at[i].with &&
            strcmp(at[i].path, e->path) == 0 && strcmp(at[i].what, e->what) == 0)
            return &at[i];
    return NULL;
}

/* A figure of a row, and what it should be. */
typedef struct row_cell {
    rk_figure *f;
    const rk_index_entry *e;
    double off; /* in halves of its last digit */
} row_cell;

#define ROW_CELLS_MAX 12

/* Figures of two digits and more of one line, each at sizes of its own, of which a name says the same; how many. */
static size_t gather_line(rk_binder *b, size_t i, bool column, bool all, row_cell row[ROW_CELLS_MAX])
{
    enum {
        FIGURES_MAX = 200 /* of a table */
    };
    const double worth = 0.05; /* two digits */
    size_t n = 0, end = i + FIGURES_MAX < b->figure.n ? i + FIGURES_MAX : b->figure.n;

    for (size_t k = i; k < end && n < ROW_CELLS_MAX; k++) {
        rk_figure *f = &b->figure.at[k];
        const rk_index_entry *e;
        bool again = false; /* at the sizes of one before it */

        if (!cell_of(b, f) || cell_of(b, f)->table != cell_of(b, &b->figure.at[i])->table)
            break;
        if (!is_in_line(b, &b->figure.at[i], f, column) || f->formula || f->is_wrong || !f->placed || f->slack <= 0 ||
            f->slack > worth * f->size)
            continue;
        for (size_t j = 0; j < n; j++)
            again |= row[j].f->at == f->at;
        e = again ? NULL : named_of(f, all);
        if (e && (n == 0 || (strcmp(e->path, row[0].e->path) == 0 && e->kind == row[0].e->kind)))
            row[n++] = (row_cell){f, e, fabs(f->size - (double)e->value) / f->slack};
    }
    return n;
}

/*
 * "Output projection | 1.2B | 2.1B | 3.6B | 5.2B": one quantity at several sizes, in a row or a column.  Two digits of
 * each are few, and those of all are many: where all of them are right but one, that one is wrong.
 */
static void bind_line(rk_binder *b, size_t i, bool column, bool all)
{
    enum {
        RIGHT_LEAST = 3
    };
    const double slip = 2, far = 0.25; /* halves of the last digit; a part of what it should be */
    row_cell row[ROW_CELLS_MAX];
    size_t n = gather_line(b, i, column, all, row), n_right = 0;

    for (size_t k = 0; k < n; k++)
        n_right += row[k].off <= 1;
    for (size_t k = 0; k < n && n_right >= RIGHT_LEAST && n_right + 1 >= n; k++) {
        rk_figure *f = row[k].f;
        const rk_index_entry *e = row[k].e;

        if (!f->bound.entry && (row[k].off <= slip || rk_bind_off(f, e) <= far))
            f->bound = (rk_bound){.status = row[k].off <= 1      ? RK_CLAIM_RIGHT
                                            : row[k].off <= slip ? RK_CLAIM_SLIP
                                                                 : RK_CLAIM_WRONG,
                                  .entry = e,
                                  .value = e->value};
    }
}

/* Whether no figure of its line stands before one. */
static bool begins_line(const rk_binder *b, size_t i, bool column)
{
    enum {
        BACK_MAX = 32
    };

    for (size_t k = i > BACK_MAX ? i - BACK_MAX : 0; k < i; k++)
        if (is_in_line(b, &b->figure.at[k], &b->figure.at[i], column))
            return false;
    return true;
}

static void bind_lines(rk_binder *b)
{
    for (size_t i = 0; i < b->figure.n; i++) {
        bool cell = cell_of(b, &b->figure.at[i]) != NULL;
        bool begins[] = {cell && begins_line(b, i, false), cell && begins_line(b, i, true)};

        for (int way = 0; way < 4; way++)
            if (begins[way & 1])
                bind_line(b, i, way & 1, way & 2);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    rk_i128 x = *(const rk_i128 *)a, y = *(const rk_i128 *)b;

    return (x > y) - (x < y);
}

static void sort_numbers(rk_binder *b)
{
    const rk_lexed *l = &b->a->lexed;

    b->number = RK_NEW_ARRAY(&b->arena, l->token.n + 1, rk_i128);
    for (size_t i = 0; b->number && i < l->token.n; i++)
        if (l->token.at[i].kind == RK_TOKEN_NUMBER && l->number.at[l->token.at[i].id].exponent == 0)
            b->number[b->n_number++] = l->number.at[l->token.at[i].id].digits;
    if (b->n_number > 1)
        qsort(b->number, b->n_number, sizeof *b->number, by_size);
}

static void bind_figures(rk_binder *b)
{
    const rk_audit *a = b->a;
    const rk_chain *c = a->chains.chain.at, *end = c + a->chains.chain.n;

    b->causal = rk_lexicon_in(a->lexicon, RK_WORDS_CAUSAL, a->scan.text, a->scan.n);
    b->ignoring = rk_lexicon_in(a->lexicon, RK_WORDS_IGNORED, a->scan.text, a->scan.n);
    sort_numbers(b);
    rk_bind_letters(b);
    for (; c < end && b->symbol && b->figure.n < RK_BIND_FIGURES_MAX; c++)
        gather_one(b, c);
    if (c < end && b->symbol)
        rk_audit_skip(
            b->a, rk_arena_format(&b->a->arena, "what is said about the model from line %zu on: more than %d figures",
                                  rk_scan_line(&a->scan, a->scan.piece.at[c->piece].from), RK_BIND_FIGURES_MAX));
    for (size_t i = 0; i < b->figure.n && b->code == RK_OK; i++) {
        rk_bind_words(b, i);
        if (b->code == RK_OK && make_query(b, &b->figure.at[i]))
            rk_bind_look_up(b, &b->figure.at[i]);
    }
    if (b->symbol && !b->source->only_try)
        rk_bind_equations(b);
    find_claims(b);
    for (size_t i = 0; i < b->figure.n && b->code == RK_OK && b->of_side; i++)
        b->figure.at[i].bound = decide_at_all(b, &b->figure.at[i]);
    if (b->source->only_try)
        return;
    bind_lines(b);
    rk_bind_assumed(b);
    rk_bind_components(b);
    rk_bind_tensors(b);
    rk_bind_carried(b);
    rk_bind_shares(b);
    bind_repeats(b);
    for (size_t i = 0; i < b->figure.n && b->code == RK_OK && b->of_side; i++)
        claim(b, &b->figure.at[i]);
    rk_bind_factors(b);
    rk_bind_caches(b);
    rk_bind_stated(b);
    if (b->code == RK_OK && (b->arena.failed || b->a->arena.failed))
        b->code = rk_fail_memory(b->err);
    rk_audit_order(b->a);
}

static rk_bind_result count(const rk_binder *b)
{
    rk_bind_result out = {0};

    for (size_t i = 0; i < b->figure.n; i++) {
        const rk_figure *f = &b->figure.at[i];

        out.n_right += f->bound.status == RK_CLAIM_RIGHT && f->bound.entry && rk_bind_is_sharp(f, RK_WEIGH_ROUGH);
        out.n_wrong += f->bound.status == RK_CLAIM_WRONG;
    }
    return out;
}

int rk_bind(rk_audit *a, const rk_bind_source *source, rk_bind_result *result, rk_err *err)
{
    rk_binder b = {.a = a, .source = source, .err = err, .n_sizing = 1};
    rk_index_source own = {.lexicon = a->lexicon, .instance = source->instance, .reopen = source->reopen};

    b.sizing[0].instance = source->instance;
    b.code = rk_index_new(&own, &b.sizing[0].index, err);
    if (b.code == RK_OK)
        bind_figures(&b);
    if (result)
        *result = count(&b);
    rk_bind_close(&b);
    return b.code;
}
