/* SPDX-License-Identifier: MIT */
#include "audit/tables.h"

#include "audit/index.h"
#include "audit/judge_parts.h"
#include "audit/sums.h"

#include <math.h>
#include <string.h>

enum {
    FACTORS_MAX = 4, /* columns whose product another one may be */
    REFERENCES = 6,  /* rows that are tried as the one that is right */
    AGREEING_LEAST = 3,
    MANY_LEAST = 5
};

/* A cell with one figure or formula in it. */
typedef struct cell {
    size_t from, to; /* tokens; from == to: there is none */
    rk_side side;
    bool is;             /* it is one side and nothing else */
    bool begins;         /* it begins with something computed, "4 × 512 for gamma, beta" */
    bool claimed;        /* something is said about it */
    bool label;          /* it has words in it */
    double value, loose; /* of a plain number: what it is, and how far off, of its size, its rounding may make it */
    double digits;       /* that count of it, which chance would have to get right */
} cell;

typedef struct grid {
    rk_audit *a;
    uint32_t scope;
    size_t rows, columns;
    cell *at;
    bool turned; /* its rows are those of the columns of the table */
} grid;

static cell *cell_at(const grid *g, size_t row, size_t column)
{
    return g->turned ? &g->at[column * RK_TABLE_COLUMNS_MAX + row] : &g->at[row * RK_TABLE_COLUMNS_MAX + column];
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* What a number is, and how many of its digits count. */
static void measure(const grid *g, cell *c)
{
    const double about = 0.02;

    if (!rk_side_double(g->a->pool, c->side.value, &c->value) || c->value <= 0 || !c->side.literal.is) {
        c->value = 0;
        return;
    }
    c->digits = log10(fmax(c->value / c->side.literal.coarse, 1));
    c->loose = c->side.slack / c->value;
    if (c->side.literal.about) /* "~100" for 100.6 */
        c->loose = fmax(c->loose, fmin(c->side.literal.coarse / 2 / c->value, about));
}

/* "T × D × F = 1024 × 1600 × 4288": where the last side of a cell begins that is worked out. */
static size_t last_side(const grid *g, size_t from, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    size_t last = from;

    for (size_t i = from + 1; i + 2 < to; i++) {
        if (t[i].kind == RK_TOKEN_COMMA)
            return from;
        if (t[i].kind == RK_TOKEN_EQUALS && t[i].op == '=' && !t[i].about)
            last = t[i + 2].kind == RK_TOKEN_SIGN ? i + 1 : from;
    }
    return last;
}

/* "96.64B (28 %)": where a share in brackets after a figure ends; where it begins, if none does. */
static size_t after_share(const grid *g, size_t from, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    rk_side share;

    if (from + 2 >= to || t[from].kind != RK_TOKEN_OPEN || t[from + 1].kind != RK_TOKEN_NUMBER ||
        !rk_side_read(&g->a->reader, from + 1, to, (rk_side_reading){0}, &share) || !share.literal.is || !share.unit ||
        share.unit->kind != RK_WORD_UNIT_SHARE || share.to >= to || t[share.to].kind != RK_TOKEN_CLOSE)
        return from;
    return share.to + 1;
}

/* The "$16P$" of "gradients and moments $16P$": where the formula begins that ends a cell, if words are before it. */
static size_t last_formula(const grid *g, size_t from, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    size_t first = to;

    if (from == to || t[to - 1].mode != RK_MODE_MATH || t[from].mode == RK_MODE_MATH)
        return from;
    while (first > from && t[first - 1].mode == RK_MODE_MATH && t[first - 1].span == t[to - 1].span)
        first--;
    return first > from && (t[first - 1].kind == RK_TOKEN_WORD || t[first - 1].kind == RK_TOKEN_EQUALS) ? first : from;
}

/* The end of a remark in brackets, "(BF16)", which begins at token i; i: there is none, or it says a number. */
static size_t after_remark(const grid *g, size_t i, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    size_t end = i + 1;

    if (t[i].kind != RK_TOKEN_OPEN || t[i].op != '(')
        return i;
    while (end < to && (t[end].kind == RK_TOKEN_WORD || t[end].kind == RK_TOKEN_SYMBOL ||
                        t[end].kind == RK_TOKEN_COMMA || t[end].kind == RK_TOKEN_SIGN))
        end++;
    return end < to && end > i + 1 && t[end].kind == RK_TOKEN_CLOSE ? end + 1 : i;
}

static void read_cell(grid *g, size_t row, size_t column, size_t from, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    cell *c = &g->at[row * RK_TABLE_COLUMNS_MAX + column];
    rk_side scaled;

    *c = (cell){.from = from, .to = to};
    from = last_formula(g, last_side(g, from, to), to);
    for (size_t i = from; i < to; i++)
        c->label |= t[i].kind == RK_TOKEN_WORD;
    if (from == to || !rk_side_read(&g->a->reader, from, to, (rk_side_reading){0}, &c->side) ||
        c->side.value == RK_EX_FAILED || c->side.shape || c->side.alone != RK_SYM_NONE)
        return;
    /* "28B" in a text that has a B of its own: in a table it is a number. */
    if (rk_side_read(&g->a->reader, from, to, (rk_side_reading){.letters = RK_READ_SCALES}, &scaled) &&
        scaled.literal.is && scaled.to >= c->side.to)
        c->side = scaled;
    for (size_t i = after_share(g, c->side.to, to), next; i < to; i = next) {
        next = after_remark(g, i, to);
        if (next > i)
            continue;
        next = i + 1;
        if (next == to && t[i].kind == RK_TOKEN_SIGN && t[i].op == '*') { /* "16×" for 15.99 */
            c->side.slack = fmax(c->side.slack, c->side.literal.unit / 2);
            continue;
        }
        if (t[i].kind != RK_TOKEN_WORD && t[i].kind != RK_TOKEN_BREAK) {
            c->begins = c->side.computed && c->side.n_symbol == 0 && t[c->side.to].kind == RK_TOKEN_WORD;
            return;
        }
    }
    c->is = true;
    measure(g, c);
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

static void put(const grid *g, cell *c, rk_claim_status status, rk_ex found, const char *note)
{
    rk_claim *claim;
    rk_side *side = c->claimed ? NULL : RK_NEW(&g->a->arena, rk_side); /* the grid is used again */

    if (!side || (claim = rk_audit_claim(g->a, RK_CLAIM_EQUATION, status, c->from, c->to)) == NULL)
        return;
    c->claimed = true;
    *side = c->side;
    rk_audit_fill(g->a, claim, side, side->value, found);
    if (found != RK_EX_FAILED)
        claim->found = rk_audit_value(g->a, found, &side->literal, side);
    claim->note = note;
}

/* A number near a double, with the digits that people want to see. */
static rk_ex near_value(const grid *g, double x)
{
    rk_acc acc = {0};
    int digits = 5, e = (int)floor(log10(fabs(x))) - digits;
    rk_i128 whole = (rk_i128)llround(x / pow(10, e)), ten = rk_pow(&acc, 10, (unsigned)(e < 0 ? -e : e));

    if (acc.overflow || x <= 0)
        return RK_EX_FAILED;
    return e < 0 ? rk_ex_ratio(g->a->pool, whole, ten)
                 : rk_ex_mul(g->a->pool, rk_ex_int(g->a->pool, whole), rk_ex_int(g->a->pool, ten));
}

/* ---- a formula in one column, its value in the next ------------------------------------------------------------- */

/* "256 MB" for 268,435,456: in powers of 1,024. */
static bool is_binary(const grid *g, const cell *figure, const rk_verdict *v)
{
    const rk_word_unit *u = figure->side.unit;
    double x, y;

    if (!u || u->kind != RK_WORD_UNIT_BYTES || u->binary || u->power == 0 || !rk_side_double(g->a->pool, v->left, &x) ||
        !rk_side_double(g->a->pool, v->right, &y))
        return false;
    return fabs(x / pow(1.024, u->power) - y) <= fmax(figure->side.slack, figure->side.literal.unit / 2);
}

/* "12 × (2.4 + 4.7)" and "85 M" beside it: all of it is in millions. */
static bool is_in_scale(const grid *g, const cell *formula, const cell *figure, const rk_verdict *v)
{
    const double hundred_thousand = 1e5; /* less is no full count of anything that is a million times as much */
    double x, y, scale;
    bool divides = false; /* "704/48" and "14.7 GB" */

    for (size_t i = formula->side.from; i < formula->side.to; i++)
        divides |= g->a->lexed.token.at[i].kind == RK_TOKEN_SIGN && g->a->lexed.token.at[i].op == '/';
    if (formula->side.unit || formula->side.n_symbol > 0 || (formula->side.slack == 0 && !divides) ||
        !rk_side_double(g->a->pool, figure->side.literal.scale, &scale) || scale <= 1 ||
        !rk_side_double(g->a->pool, v->left, &x) || !rk_side_double(g->a->pool, v->right, &y))
        return false;
    return x < hundred_thousand &&
           fabs(x - y / scale) <= formula->side.slack + fmax(figure->side.slack, figure->side.literal.unit / 2) / scale;
}

/* "98.9 / 98.9": two figures of one kind, and no quotient. */
static bool is_couple(const grid *g, const cell *formula)
{
    const double near = 0.12;
    const rk_pair p = {.a = g->a, .x = &formula->side};
    double size;

    return rk_pair_signs(&p, &formula->side, 0) == 1 && rk_pair_signs(&p, &formula->side, '/') == 1 &&
           rk_side_double(g->a->pool, formula->side.value, &size) && fabs(size - 1) < near;
}

/* A formula and the figure beside it; UNKNOWN where they are none. */
static rk_verdict judge_formula(const grid *g, const cell *formula, const cell *figure)
{
    bool both = (formula->is || formula->begins) && formula->side.computed && !formula->side.range &&
                !formula->side.literal.is && !is_couple(g, formula) && figure->is && figure->side.literal.is;
    rk_verdict v =
        both ? rk_judge_sides(g->a, &formula->side, &figure->side, g->scope) : (rk_verdict){.is = RK_CLAIM_UNKNOWN};

    if (v.is == RK_CLAIM_WRONG && (is_binary(g, figure, &v) || is_in_scale(g, formula, figure, &v)))
        v.is = RK_CLAIM_RIGHT;
    if (!formula->is && v.is != RK_CLAIM_RIGHT)
        v.is = RK_CLAIM_UNKNOWN; /* the rest of it may belong to it */
    return v;
}

/* A figure, y, that is some multiple of what stands beside it, x, and not it. */
static bool is_multiple(const grid *g, const rk_verdict *v, double *x, double *y)
{
    return v->is == RK_CLAIM_WRONG && rk_side_double(g->a->pool, v->left, x) &&
           rk_side_double(g->a->pool, v->right, y) && *x > 0 && *y > 0;
}

/*
 * Figures that are all the same multiple of the formulas beside them: so many bytes for each number, in another unit.
 * That is right, whatever the multiple is.
 */
static bool judge_multiples(const grid *g, size_t column, size_t figures, const rk_verdict *verdict)
{
    double ratio = 0, loose = 0, first = 0, x, y;
    size_t n = 0;
    bool differ = false; /* of three that are the same nothing follows */

    for (size_t i = 0; i < g->rows; i++) {
        const cell *c = cell_at(g, i, figures);

        if (!is_multiple(g, &verdict[i], &x, &y))
            continue;
        differ |= n > 0 && x != first;
        if (n++ == 0) {
            first = x;
            ratio = y / x;
            loose = c->loose;
        } else if (fabs(y / x / ratio - 1) > loose + c->loose + 1e-9) {
            return false;
        }
        if (cell_at(g, i, column)->label)
            return false;
    }
    for (size_t i = 0; i < g->rows && (differ || ratio == round(ratio)); i++)
        if (is_multiple(g, &verdict[i], &x, &y))
            put(g, cell_at(g, i, figures), RK_CLAIM_RIGHT, verdict[i].right,
                "as in the other rows, a multiple of what stands beside it");
    return n >= AGREEING_LEAST;
}

/* A product of whole numbers, and no more; its smallest factor, 0: it is none. */
static double smallest_factor(const grid *g, const cell *f)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    double least = 0;

    for (size_t i = f->side.from; i < f->side.to; i++) {
        const rk_written *w = t[i].kind == RK_TOKEN_NUMBER ? &g->a->lexed.number.at[t[i].id] : NULL;

        if (w ? w->wide || w->exponent != 0 : t[i].kind != RK_TOKEN_SIGN || t[i].op != '*')
            return 0;
        if (w && (least == 0 || (double)w->digits < least))
            least = (double)w->digits;
    }
    return f->is && f->side.computed ? least : 0;
}

/*
 * "1024 × 1600 × 4288" and, below a head that speaks of FLOPs, 14,050,918,400: two operations for each.  A count of so
 * many digits that is nearly that is of nothing else; a bias adds less to it than one of the factors' parts.
 */
static void judge_twice(const grid *g, size_t column, size_t figures, rk_verdict *verdict)
{
    const double near = 0.05, count_least = 1e6;
    const cell *head = cell_at(g, 0, figures);
    const rk_audit_token *t = g->a->lexed.token.at;
    const char *text = g->a->scan.text;
    rk_ex two = rk_ex_int(g->a->pool, 2);

    if (head->from == head->to || !(rk_lexicon_in(g->a->lexicon, RK_WORDS_KIND, text + t[head->from].at,
                                                  t[head->to - 1].at + t[head->to - 1].n - t[head->from].at) &
                                    RK_INDEX_OPERATIONS))
        return;
    for (size_t i = 1; i < g->rows; i++) {
        const cell *f = cell_at(g, i, column);
        cell *c = cell_at(g, i, figures);
        rk_verdict *v = &verdict[i];
        rk_ex twice = v->is == RK_CLAIM_WRONG ? rk_ex_mul(g->a->pool, v->left, two) : RK_EX_FAILED;
        double x, y, least = smallest_factor(g, f), off;

        if (twice == RK_EX_FAILED || least <= 1 || c->side.literal.rounded || !rk_side_double(g->a->pool, twice, &x) ||
            !rk_side_double(g->a->pool, v->right, &y) || y < count_least)
            continue;
        off = fabs(y / x - 1);
        if (twice == v->right)
            put(g, c, RK_CLAIM_RIGHT, twice, "two operations for each of what stands beside it");
        else if (off <= near && off > 1 / least)
            put(g, c, RK_CLAIM_WRONG, twice, "two operations for each of what stands beside it");
        else
            continue;
        v->is = RK_CLAIM_UNKNOWN;
    }
}

/* Numbers alone, or letters with one value each, and a figure that is nearly what they come to. */
static bool is_sure(const grid *g, const cell *f, const cell *c, const rk_verdict *v, size_t n_right)
{
    const double near = 2.2;
    rk_pair p = {.a = g->a, .first = &f->side, .x = &f->side, .y = &c->side, .scope = g->scope, .v = v};

    if (f->label || !f->is || v->foreign || v->rough)
        return false;
    if (f->side.n_symbol > 0)
        return rk_pair_is_telling_formula(&p);
    if (f->side.slack > 0) /* "0.423 / 0.191" was measured */
        return false;
    return rk_pair_is_telling(&p) ||
           (n_right > 0 && rk_pair_signs(&p, &f->side, '*') > 1 && rk_pair_distance(&p, v) < log(near));
}

static void judge_formulas(const grid *g, size_t column, size_t figures)
{
    const double near = 1.5;
    rk_verdict verdict[RK_TABLE_ROWS_MAX];
    size_t n = 0, n_right = 0;
    bool lone; /* the only row of its kind */

    for (size_t i = 0; i < g->rows; i++)
        verdict[i] = judge_formula(g, cell_at(g, i, column), cell_at(g, i, figures));
    if (figures > column && !g->turned)
        judge_twice(g, column, figures, verdict);
    for (size_t i = 0; i < g->rows; i++) {
        n += verdict[i].is == RK_CLAIM_RIGHT || verdict[i].is == RK_CLAIM_WRONG;
        n_right += verdict[i].is == RK_CLAIM_RIGHT;
    }
    if (n_right == 0 && n >= AGREEING_LEAST && judge_multiples(g, column, figures, verdict))
        return;
    lone = n == 1 && n_right == 0;
    for (size_t i = 0; i < g->rows && (lone || (n_right > 0 && 2 * n_right >= n)); i++) {
        const cell *f = cell_at(g, i, column);
        cell *c = cell_at(g, i, figures);
        rk_verdict *v = &verdict[i];
        double x, y;

        if (lone && v->is == RK_CLAIM_WRONG &&
            (!rk_side_double(g->a->pool, v->left, &x) || !rk_side_double(g->a->pool, v->right, &y) || x <= 0 ||
             y <= 0 || fmax(x / y, y / x) > near))
            continue; /* it may be of something else */

        if (v->is == RK_CLAIM_WRONG && rk_side_double(g->a->pool, v->left, &x) &&
            rk_side_double(g->a->pool, v->right, &y) && c->side.literal.rounded && fabs(x - y) < c->side.literal.unit)
            v->is = RK_CLAIM_SLIP;
        if (v->is == RK_CLAIM_WRONG && !is_sure(g, f, c, v, n_right) &&
            (n_right < AGREEING_LEAST || n - n_right > n_right / 2 || v->far || v->foreign || f->label))
            v->is = RK_CLAIM_DOUBTFUL;
        if (v->is != RK_CLAIM_UNKNOWN)
            put(g, c, v->is, v->left,
                rk_arena_format(&g->a->arena, "by the formula beside it, %s", rk_audit_quote(g->a, f->from, f->to)));
    }
}

/* ---- columns that others are computed from ---------------------------------------------------------------------- */

/* What a column may be: a constant times a product of others, or their sum. */
typedef struct rule {
    size_t of[FACTORS_MAX];
    size_t n;
    bool sum, plus; /* the sum of the columns; a constant more than one of them */
    bool over;      /* a constant divided by them: a time for each rate */
    unsigned under; /* a set of those of a product that it is divided by */
} rule;

/* "20 %" in the first column is chosen, and not rounded. */
static bool is_share(const cell *c)
{
    return c->side.unit && c->side.unit->kind == RK_WORD_UNIT_SHARE;
}

/* What the rule makes of a row, without its constant; false: a cell has no number. */
static bool apply(const grid *g, const rule *r, size_t row, double *value, double *loose)
{
    double size = 0;

    *value = r->sum ? 0 : 1;
    *loose = 0;
    for (size_t i = 0; i < r->n; i++) {
        const cell *c = cell_at(g, row, r->of[i]);

        if (!c->is || c->value <= 0)
            return false;
        *value = r->sum ? *value + c->value : r->under >> i & 1 ? *value / c->value : *value * c->value;
        *loose += r->sum ? c->loose * c->value : r->of[i] == 0 && is_share(c) ? 0 : c->loose;
        size += c->value;
    }
    *loose = r->sum ? *loose / size : *loose;
    *value = r->over ? 1 / *value : *value;
    return true;
}

typedef struct fit {
    double constant, loose; /* of the row that most others agree with */
    size_t n, n_right;
    double digits; /* how many digits of all rows agree: what chance would have to explain */
} fit;

/* How far a row is from a rule with its constant, in what rounding explains; HUGE_VAL: it has no number. */
static double off(const grid *g, const rule *r, size_t row, size_t target, const fit *by, double *expected,
                  double *loose)
{
    const cell *c = cell_at(g, row, target);
    double value;

    if (!c->is || c->value <= 0 || !apply(g, r, row, &value, loose))
        return HUGE_VAL;
    *expected = r->plus ? value + by->constant : value * by->constant;
    *loose += c->loose + by->loose + 1e-9;
    return fabs(c->value / *expected - 1) / *loose;
}

static fit fit_rule(const grid *g, const rule *r, size_t target)
{
    fit best = {0};
    size_t tried = 0;

    for (size_t k = 0; k < g->rows && tried < REFERENCES; k++) {
        const cell *ref = cell_at(g, k, target);
        double value, loose, expected;
        fit now = {.constant = 1};

        if (!ref->is || ref->value <= 0 || !apply(g, r, k, &value, &loose))
            continue;
        tried++;
        if (!r->sum) {
            now.constant = r->plus ? ref->value - value : ref->value / value;
            now.loose = loose + ref->loose;
        }
        for (size_t i = 0; i < g->rows; i++) {
            double far = off(g, r, i, target, &now, &expected, &loose);

            now.n += far != HUGE_VAL;
            if (now.n > now.n_right + 3 && now.n > 2 * now.n_right)
                break; /* nothing of the kind */
            if (far <= 1) {
                now.n_right++;
                now.digits +=
                    i == k && !r->sum ? 0 : fmin(-log10(fmin(2 * loose + 1e-6, 1)), cell_at(g, i, target)->digits);
            }
        }
        if (now.n_right > best.n_right || (now.n_right == best.n_right && now.loose < best.loose))
            best = now;
        if (r->sum)
            break;
    }
    return best;
}

/* Columns that are all the same say nothing. */
static bool varies(const grid *g, size_t column)
{
    double first = 0;

    for (size_t i = 0; i < g->rows; i++) {
        const cell *c = cell_at(g, i, column);

        if (c->is && c->value > 0 && first > 0 && fabs(c->value - first) > 1e-9 * first)
            return true;
        first = c->is && c->value > 0 ? c->value : first;
    }
    return false;
}

static const char *rule_text(const grid *g, const rule *r, const fit *f)
{
    const char *what = g->turned ? "rows" : "columns";

    if (r->sum)
        return rk_arena_format(&g->a->arena, "the sum of %zu %s before it", r->n, what);
    if (r->under)
        return rk_arena_format(&g->a->arena, "%.6g times a quotient of the %s before it", f->constant, what);
    if (r->over)
        return rk_arena_format(&g->a->arena, "%.6g divided by another of the %s before it", f->constant, what);
    if (r->plus)
        return rk_arena_format(&g->a->arena, "%.6g more than another of the %s before it", f->constant, what);
    return rk_arena_format(&g->a->arena, "%.6g times %s of the %s before it", f->constant,
                           r->n > 1 ? "a product" : "another", what);
}

/* Whether the head of a column calls what is in it a total. */
static bool is_total(const grid *g, size_t column)
{
    const cell *head = cell_at(g, 0, column);

    return head->to > head->from && rk_sum_is_total(g->a, head->from, head->to);
}

/* Shares, bytes, FLOPs, times and counts of four digits are worked out; settings and scores stand for themselves. */
static bool is_worked_out(const grid *g, size_t column)
{
    const double digits_many = 3.5;
    size_t n = 0;

    for (size_t i = 0; i < g->rows; i++) {
        const cell *c = cell_at(g, i, column);

        n += c->is && c->value > 0 &&
             ((c->side.unit && c->side.unit->kind != RK_WORD_UNIT_SCALE) || c->digits >= digits_many);
    }
    return n >= AGREEING_LEAST;
}

/* "FLOPs", "GPU-hours": a head that says of what there is so much. */
static bool says_kind(const grid *g, size_t column)
{
    const cell *head = cell_at(g, 0, column);
    const rk_audit_token *t = g->a->lexed.token.at;

    for (size_t i = head->from; i < head->to; i++)
        if (t[i].kind == RK_TOKEN_WORD && rk_lexicon_unit(g->a->lexicon, g->a->scan.text + t[i].at, t[i].n))
            return true;
    return !g->turned && head->to > head->from && rk_audit_says(g->a, RK_WORDS_KIND, head->from, head->to);
}

/*
 * "7B" at the head of a column that is 7e9 times another one, "32K" of one that is 32,768 times as much: the constant
 * stands there, and nothing about it is left to chance.
 */
static bool has_constant(const grid *g, size_t column, const fit *f)
{
    const double near = 0.03;
    const cell *head = cell_at(g, 0, column);
    const rk_audit_token *t = g->a->lexed.token.at;

    for (size_t i = head->from; i < head->to; i++) {
        const rk_written *w = t[i].kind == RK_TOKEN_NUMBER ? &g->a->lexed.number.at[t[i].id] : NULL;
        const rk_word_unit *u =
            i + 1 < head->to ? rk_lexicon_unit(g->a->lexicon, g->a->scan.text + t[i + 1].at, t[i + 1].n) : NULL;
        double number = w && !w->wide ? (double)w->digits * pow(10, w->exponent) : 0;

        for (int base = 1000; base <= 1024 && number > 1; base += 24)
            if (fabs(f->constant / number / (u ? pow(base, u->power) : 1) - 1) <= fmin(f->loose + 1e-9, near))
                return true;
    }
    return false;
}

/*
 * "≈ 786 KB per token" above a table of lengths and bytes, "$2.50 per hour" above one of hours and costs: the constant
 * is a number of the text just before the table.  Times are in seconds, and may have been in hours.
 */
static bool is_said_above(const grid *g, const fit *f)
{
    enum {
        TOKENS = 160
    };
    const double near = 0.02, hour = 3600;
    const rk_audit_token *t = g->a->lexed.token.at;
    size_t columns = g->turned ? g->rows : g->columns, end = g->at[columns - 1].to; /* of the heads */

    for (size_t i = end; i > 0 && end - i < TOKENS; i--) {
        const rk_written *w = t[i - 1].kind == RK_TOKEN_NUMBER ? &g->a->lexed.number.at[t[i - 1].id] : NULL;
        const rk_word_unit *u = w && i < end ? rk_lexicon_unit(g->a->lexicon, g->a->scan.text + t[i].at, t[i].n) : NULL;
        double number = w && !w->wide && w->digits > 0 ? (double)w->digits * pow(10, w->exponent) : 0;

        number *= u ? pow(1000, u->power) * (u->num > 0 && u->den > 0 ? (double)u->num / u->den : 1) : 1;
        if (number > 0 && (fabs(f->constant / number - 1) <= fmin(f->loose, near) ||
                           fabs(f->constant * hour / number - 1) <= fmin(f->loose, near)))
            return true;
    }
    return false;
}

/* "2,107 hours | 88 days": the same in another unit. */
static bool is_same_time(const grid *g, const fit *f, const rule *r, size_t target)
{
    size_t n = 0;

    for (size_t i = 0; i < g->rows; i++)
        n += cell_at(g, i, target)->is && cell_at(g, i, target)->side.timed && cell_at(g, i, r->of[0])->side.timed;
    return n >= AGREEING_LEAST && r->n == 1 && !r->over && fabs(f->constant - 1) <= f->loose;
}

/* "570" for 57.0, "83.4" for 38.4: a point in the wrong place, digits in another order or one that is another. */
static bool is_misspelt(const cell *c, double expected)
{
    const double digits_most = 1e15, near = 1e-3;
    double unit = c->side.literal.unit, tens = c->value / expected;

    if (!c->side.literal.is || unit <= 0 || c->value / unit > digits_most || expected / unit > digits_most)
        return false;
    tens /= pow(10, round(log10(tens)));
    return fabs(tens - 1) < near + c->loose ||
           rk_judge_misspelt((rk_i128)llround(c->value / unit), (rk_i128)llround(expected / unit));
}

static void claim_rule(const grid *g, const rule *r, const fit *f, size_t target)
{
    const double digits_many = 4; /* that agree: more than chance */
    const char *text = rule_text(g, r, f);
    bool total = is_total(g, target), all = f->n == f->n_right;

    if ((r->sum && !total && !all) ||
        (!r->sum && !total && !is_worked_out(g, target) &&
         !(all && (says_kind(g, target) || f->digits >= digits_many))) ||
        (!r->sum && !r->plus && !r->over && r->n == 1 && fabs(f->constant - 1) < 1e-6) || (r->plus && !total) ||
        (!r->sum && !all && f->n_right <= AGREEING_LEAST))
        return;
    for (size_t i = 0; i < g->rows; i++) {
        cell *c = cell_at(g, i, target);
        double expected = 0, loose = 0, far = off(g, r, i, target, f, &expected, &loose);
        rk_claim_status is = far <= 1 ? RK_CLAIM_RIGHT : RK_CLAIM_DOUBTFUL;

        if (far == HUGE_VAL)
            continue;
        if (far > 1 && r->sum)
            is = c->side.literal.rounded && fabs(c->value - expected) < c->side.literal.unit ? RK_CLAIM_SLIP
                                                                                             : RK_CLAIM_WRONG;
        else if (far > 1 && far < 3)
            is = RK_CLAIM_SLIP;
        else if (far > 1 && f->n - f->n_right == 1 && r->n == 1 && !r->plus &&
                 (has_constant(g, target, f) || (f->n_right >= MANY_LEAST && is_misspelt(c, expected))))
            is = RK_CLAIM_WRONG;
        put(g, c, is, near_value(g, expected),
            rk_arena_format(&g->a->arena, "%s %s",
                            is == RK_CLAIM_RIGHT ? "as in the other rows," : "in the other rows it is", text));
    }
}

/* Whether a rule holds for more than chance: of as many tries as there are, none does by itself. */
static bool convinces(const grid *g, const fit *f, const rule *r, size_t target, size_t tries)
{
    const double least = 3, least_with_head = f->n_right > AGREEING_LEAST ? 1 : 1.5, said = 1.5;
    double chance = least + log10((double)tries + 1) + (double)(r->n - 1) / 2;

    if (f->n_right >= AGREEING_LEAST && r->n == 1 && !r->sum && !r->plus && f->digits >= least_with_head &&
        f->n - f->n_right <= f->n / 4 && has_constant(g, target, f))
        return true;
    if (f->n_right < AGREEING_LEAST || f->digits < chance - said)
        return false;
    if (f->digits < chance && (r->sum || r->plus || !(is_said_above(g, f) || is_same_time(g, f, r, target))))
        return false;
    return f->n - f->n_right <= f->n / 4;
}

static void find_rule(const grid *g, size_t target)
{
    size_t n = 0, of[16], tries = 0;
    rule best = {.n = 0};
    fit found = {0};

    for (size_t i = 0; i < target && n < sizeof of / sizeof *of; i++)
        if (varies(g, i))
            of[n++] = i;
    if (!varies(g, target))
        return;
    /* Sums of neighbours, then constants times one column, or the product of several. */
    for (size_t from = target; from-- > 0;)
        for (size_t k = 2; k <= FACTORS_MAX && from + k <= target; k++) {
            rule r = {.n = k, .sum = true};
            fit f;

            for (size_t i = 0; i < k; i++)
                r.of[i] = from + i;
            f = fit_rule(g, &r, target);
            tries++;
            if (convinces(g, &f, &r, target, tries) && f.n_right > found.n_right) {
                found = f;
                best = r;
            }
        }
    for (size_t mask = 1; best.n == 0 && mask < (size_t)1 << (n < 7 ? n : 7); mask++) {
        rule r = {.n = 0};
        fit f;

        for (size_t i = 0; i < 7 && i < n; i++)
            if (mask >> i & 1 && r.n < FACTORS_MAX)
                r.of[r.n++] = of[n - 1 - i];
        f = fit_rule(g, &r, target);
        tries++;
        if (convinces(g, &f, &r, target, tries) && f.n_right > found.n_right) {
            found = f;
            best = r;
        }
    }
    /* "Batch | time | rate": a quotient of two, which all rows follow. */
    for (size_t i = 0; best.n == 0 && i < n * n; i++) {
        rule r = {.of = {of[i / n], of[i % n]}, .n = 2, .under = 2};
        fit f = i / n == i % n ? (fit){0} : fit_rule(g, &r, target);

        if (f.n == f.n_right && convinces(g, &f, &r, target, tries + n * n)) {
            found = f;
            best = r;
        }
    }
    for (size_t i = 0; best.n == 0 && i < 2 * n; i++) {
        rule r = {.of = {of[i / 2]}, .n = 1, .plus = i % 2 == 0, .over = i % 2 == 1};
        fit f = fit_rule(g, &r, target);

        if (f.constant > 0 && f.n == f.n_right && convinces(g, &f, &r, target, tries + 2 * n)) {
            found = f;
            best = r;
        }
    }
    if (best.n > 0)
        claim_rule(g, &best, &found, target);
}

/* ---- totals of rows ---------------------------------------------------------------------------------------------- */

/* Numbers in one unit: what may be added up to a total in another column of their row. */
static bool adds_to(const grid *g, size_t row, size_t column, const cell *total)
{
    const cell *c = cell_at(g, row, column);
    const rk_word_unit *u = c->side.unit, *of = total->side.unit;

    return c->is && c->value > 0 && c->value < total->value * 1.5 && !c->side.n_symbol && !u == !of &&
           (!u || u->kind == of->kind);
}

/* The columns before a total that are added up to it in a row, and what they come to; 0: there are none. */
static size_t columns_of_total(const grid *g, size_t row, size_t target, double *sum, double *slack)
{
    const cell *total = cell_at(g, row, target);
    size_t n = 0;

    *sum = *slack = 0;
    if (!total->is || total->value <= 0 || total->side.n_symbol > 0)
        return 0;
    for (size_t i = target; i-- > 1 && !is_total(g, i) && adds_to(g, row, i, total); n++) {
        const rk_side *s = &cell_at(g, row, i)->side;

        *sum += cell_at(g, row, i)->value;
        *slack += s->unit ? s->literal.unit / 2 : s->slack; /* a number alone is exact, "14 GB" is rounded */
    }
    return n >= 2 ? n : 0;
}

/*
 * "Weights | Optimizer | Gradients | Total": the rows of a column that is called a total are sums of the columns
 * before it where one of them is; where one alone is not, and nearly so, it is wrong.
 */
static void judge_row_totals(const grid *g, size_t target)
{
    const double near = 1.5;
    size_t n_right = 0, n_other = 0;

    if (!is_total(g, target))
        return;
    for (int pass = 0; pass < 2 && n_right + (size_t)!pass > 0; pass++)
        for (size_t row = 1; row < g->rows; row++) {
            double sum, slack;
            size_t n = columns_of_total(g, row, target, &sum, &slack);
            cell *c = cell_at(g, row, target);
            bool right = n > 0 && fabs(sum - c->value) <=
                                      slack + (c->side.unit ? c->side.literal.unit / 2 : c->side.slack) + 1e-9 * sum;
            bool wrong = n_other == 1 && fmax(sum / c->value, c->value / sum) < near;

            n_right += n > 0 && !pass && right;
            n_other += n > 0 && !pass && !right;
            if (n > 0 && pass)
                put(g, c,
                    right   ? RK_CLAIM_RIGHT
                    : wrong ? RK_CLAIM_WRONG
                            : RK_CLAIM_DOUBTFUL,
                    near_value(g, sum), rk_arena_format(&g->a->arena, "the sum of %zu columns before it", n));
        }
}

/* ---- formulas of a size, and columns of several ------------------------------------------------------------------ */

/* What the head of a column says: "7B", and perhaps "N=8" beside it. */
typedef struct sizes {
    rk_i128 count, times;
    rk_sym of; /* of the second, or RK_SYM_NONE */
} sizes;

static bool read_sizes(const grid *g, size_t column, sizes *out)
{
    const cell *head = cell_at(g, 0, column);
    const rk_audit_token *t = g->a->lexed.token.at;
    const rk_written *w = g->a->lexed.number.at;

    *out = (sizes){.of = RK_SYM_NONE};
    for (size_t i = head->from; i + 1 < head->to; i++) {
        const rk_word_unit *u = t[i].kind == RK_TOKEN_NUMBER
                                    ? rk_lexicon_unit(g->a->lexicon, g->a->scan.text + t[i + 1].at, t[i + 1].n)
                                    : NULL;
        rk_acc acc = {0};

        if (u && (u->letter || u->kind == RK_WORD_UNIT_SCALE) && u->power > 1 && out->count == 0 &&
            w[t[i].id].exponent <= 0 && w[t[i].id].exponent > -4 && !w[t[i].id].wide)
            out->count =
                rk_mul(&acc, w[t[i].id].digits, rk_pow(&acc, 10, (unsigned)(3 * u->power + w[t[i].id].exponent)));
        if (t[i].kind == RK_TOKEN_SYMBOL && t[i + 1].kind == RK_TOKEN_EQUALS && i + 2 < head->to &&
            t[i + 2].kind == RK_TOKEN_NUMBER && w[t[i + 2].id].exponent == 0 && !w[t[i + 2].id].wide) {
            out->of = t[i].id;
            out->times = w[t[i + 2].id].digits;
        }
        if (acc.overflow)
            return false;
    }
    return out->count > 0;
}

/* What a formula of one letter, which is the count, and perhaps of one that the head gives, comes to; 0: none. */
static double at_sizes(const grid *g, const cell *f, const sizes *z)
{
    rk_pool *p = g->a->pool;
    rk_ex value = f->side.value;
    size_t letters = 0;
    double size;

    for (size_t i = 0; i < f->side.n_symbol; i++) {
        bool given = f->side.symbol[i] == z->of;

        letters += !given;
        value = rk_ex_subst(p, value, f->side.symbol[i], rk_ex_int(p, given ? z->times : z->count));
    }
    return letters == 1 && rk_side_double(p, value, &size) ? size : 0;
}

/* How far a figure of bytes is from what its row's formula comes to, in what rounding explains. */
static double off_at_sizes(const cell *c, double found)
{
    double half = fmax(c->side.literal.unit, c->side.literal.about ? c->value / 50 : 0) / 2, binary = c->value;

    if (!c->side.unit->binary)
        binary = c->value * pow(1.024, c->side.unit->power);
    return fmin(fabs(c->value - found) / half, fabs(binary - found) / (half * binary / c->value));
}

/* What a cell of bytes should be by the formula of its row, and how far off it is, in roundings; 0: none. */
static double sized(const grid *g, size_t row, size_t formulas, size_t column, double *off)
{
    const cell *f = cell_at(g, row, formulas), *c = cell_at(g, row, column);
    sizes z;
    double found;

    if (column == formulas || !f->is || f->side.n_symbol == 0 || !c->is || c->value <= 0 || !c->side.unit ||
        c->side.unit->kind != RK_WORD_UNIT_BYTES || !read_sizes(g, column, &z))
        return 0;
    found = at_sizes(g, f, &z);
    *off = found > 0 ? off_at_sizes(c, found) : 0;
    return found;
}

/*
 * "4P + 12P/N" in one column, and in others, headed "7B (N=8)" and "70B (N=64)", what it comes to.  Where most of them
 * are right, one that is far off is wrong.
 */
static void judge_sizes(const grid *g, size_t formulas)
{
    enum {
        SURE_LEAST = 4
    };
    const double slip = 3, far = 0.1;
    size_t n_right = 0, n_far = 0;
    double off;

    for (size_t i = 1; i < g->rows; i++)
        for (size_t k = 0; k < g->columns; k++)
            if (sized(g, i, formulas, k, &off) > 0) {
                n_right += off <= 1;
                n_far += off > slip;
            }
    if (n_right < 2 || n_right <= n_far)
        return;
    for (size_t i = 1; i < g->rows; i++)
        for (size_t k = 0; k < g->columns; k++) {
            const cell *f = cell_at(g, i, formulas);
            cell *c = cell_at(g, i, k);
            double found = sized(g, i, formulas, k, &off);
            bool sure = n_right >= SURE_LEAST && 2 * n_far <= n_right && fabs(c->value / found - 1) > far;

            if (found > 0)
                put(g, c,
                    off <= 1      ? RK_CLAIM_RIGHT
                    : off <= slip ? RK_CLAIM_SLIP
                    : sure        ? RK_CLAIM_WRONG
                                  : RK_CLAIM_DOUBTFUL,
                    near_value(g, found),
                    rk_arena_format(&g->a->arena, "by the formula of its row, %s",
                                    rk_audit_quote(g->a, f->from, f->to)));
        }
}

static void judge_grid(grid *g)
{
    for (size_t turn = 0; turn < 2; turn++) {
        size_t rows = g->rows;

        for (size_t c = 0; c + 1 < g->columns && turn == 0; c++)
            for (size_t k = c + 1; k < g->columns && k <= c + 2; k++) {
                judge_formulas(g, c, k);
                if (k == c + 1)
                    judge_formulas(g, k, c); /* a figure, and its working after it */
            }
        for (size_t c = 0; c < g->columns && turn == 0; c++)
            judge_sizes(g, c);
        for (size_t c = 1; c < g->columns && g->rows >= AGREEING_LEAST; c++)
            find_rule(g, c);
        for (size_t c = 2; c < g->columns && turn == 0; c++)
            judge_row_totals(g, c);
        g->turned = !g->turned;
        g->rows = g->columns;
        g->columns = rows;
    }
}

/* ---- tables, and lines in columns ------------------------------------------------------------------------------- */

typedef struct finder {
    rk_audit *a;
    grid g;
    size_t too_large; /* tables, of which nothing is said; and the line of the first */
    size_t first_large;
} finder;

static void begin(finder *f, uint32_t scope)
{
    memset(f->g.at, 0, sizeof *f->g.at * RK_TABLE_ROWS_MAX * RK_TABLE_COLUMNS_MAX);
    f->g.a = f->a;
    f->g.scope = scope;
    f->g.rows = f->g.columns = 0;
    f->g.turned = false;
}

static void put_field(finder *f, size_t row, size_t column, size_t from, size_t to)
{
    if (row >= RK_TABLE_ROWS_MAX || column >= RK_TABLE_COLUMNS_MAX)
        return;
    read_cell(&f->g, row, column, from, to);
    f->g.rows = row + 1 > f->g.rows ? row + 1 : f->g.rows;
    f->g.columns = column + 1 > f->g.columns ? column + 1 : f->g.columns;
}

/* A cell whose unit stands in the head of its column (audit/heads.h) is read with it. */
static void adopt_unit(finder *f, size_t piece)
{
    const rk_piece *p = &f->a->scan.piece.at[piece];
    const rk_chains *chains = &f->a->chains;
    const rk_side *s;
    cell *c;

    if (p->row >= RK_TABLE_ROWS_MAX || p->column >= RK_TABLE_COLUMNS_MAX ||
        chains->first[piece + 1] != chains->first[piece] + 1 || chains->chain.at[chains->first[piece]].n != 1)
        return;
    s = &chains->side.at[chains->chain.at[chains->first[piece]].first];
    c = cell_at(&f->g, p->row, p->column);
    if (!c->is || c->side.unit || !s->unit || !s->literal.is || s->from != c->side.from || s->to != c->side.to)
        return;
    c->side = *s;
    measure(&f->g, c);
}

/* The cells of a table from piece `first` on; returns the piece after it. */
static size_t read_table(finder *f, size_t first)
{
    const rk_piece *p = f->a->scan.piece.at;
    size_t i = first;
    bool large = false;

    begin(f, p[first].scope);
    for (; i < f->a->scan.piece.n && p[i].kind == RK_PIECE_CELL && p[i].table == p[first].table; i++) {
        large |= p[i].row >= RK_TABLE_ROWS_MAX || p[i].column >= RK_TABLE_COLUMNS_MAX;
        put_field(f, p[i].row, p[i].column, f->a->lexed.first[i], f->a->lexed.first[i + 1]);
        adopt_unit(f, i);
    }
    if (large) {
        f->first_large = f->too_large++ ? f->first_large : rk_scan_line(&f->a->scan, p[first].from);
        return i;
    }
    judge_grid(&f->g);
    return i;
}

/* Fields of a line of code or output: two blanks and more stand between them.  Returns how many there are. */
static size_t split_line(finder *f, size_t row, size_t from, size_t to)
{
    const rk_audit_token *t = f->a->lexed.token.at;
    const char *text = f->a->scan.text;
    size_t column = 0, begins = from;

    for (size_t i = from; i <= to; i++) {
        size_t before = i > from ? t[i - 1].at + t[i - 1].n : 0;
        bool gap = i > from && i < to && t[i].at >= before + 2 && text[t[i].at - 1] == ' ' && text[t[i].at - 2] == ' ';

        if (i < to && !gap)
            continue;
        put_field(f, row, column++, begins, i);
        begins = i;
    }
    return column;
}

/* Lines with as many fields as the one before are rows of one table. */
static void read_lines(finder *f, size_t piece)
{
    const rk_audit_token *t = f->a->lexed.token.at;
    size_t from = f->a->lexed.first[piece], end = f->a->lexed.first[piece + 1], row = 0, width = 0;

    begin(f, f->a->scan.piece.at[piece].scope);
    while (from < end) {
        size_t to = from, line = rk_scan_line(&f->a->scan, t[from].at), fields;

        if (t[from].kind == RK_TOKEN_BREAK && t[from].op == '\n') {
            from++;
            continue;
        }
        while (to < end && rk_scan_line(&f->a->scan, t[to].at) == line &&
               !(t[to].kind == RK_TOKEN_BREAK && t[to].op == '\n'))
            to++;
        fields = to > from ? split_line(f, row, from, to) : 0;
        if (fields != width || row + 1 >= RK_TABLE_ROWS_MAX) {
            f->g.rows = row;
            f->g.columns = width;
            if (row >= 2 && width >= 2)
                judge_grid(&f->g);
            begin(f, f->a->scan.piece.at[piece].scope);
            row = 0;
            width = to > from ? split_line(f, 0, from, to) : 0;
        }
        row += fields > 1;
        from = to > from ? to : to + 1;
    }
    f->g.rows = row;
    f->g.columns = width;
    if (row >= 2 && width >= 2)
        judge_grid(&f->g);
}

int rk_judge_tables(rk_audit *a, rk_err *err)
{
    finder f = {.a = a};

    f.g.at = RK_NEW_ARRAY(&a->arena, RK_TABLE_ROWS_MAX * RK_TABLE_COLUMNS_MAX, cell);
    for (size_t i = 0; f.g.at && i < a->scan.piece.n && !a->arena.failed;) {
        if (a->scan.piece.at[i].kind == RK_PIECE_CELL) {
            i = read_table(&f, i);
            continue;
        }
        if ((a->scan.piece.at[i].kind == RK_PIECE_CODE && !a->scan.piece.at[i].program) ||
            a->scan.piece.at[i].kind == RK_PIECE_TEXT)
            read_lines(&f, i);
        i++;
    }
    if (f.too_large > 0)
        rk_audit_skip(a, rk_arena_format(&a->arena, "%zu table%s of more than %d rows or %d columns, line %zu first",
                                         f.too_large, f.too_large > 1 ? "s" : "", RK_TABLE_ROWS_MAX,
                                         RK_TABLE_COLUMNS_MAX, f.first_large));
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
