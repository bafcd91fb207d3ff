/* SPDX-License-Identifier: MIT */
#include "audit/table_parts.h"

#include "audit/index.h"
#include "audit/judge_parts.h"
#include "audit/sums.h"

#include <math.h>
#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* What a number is, and how many of its digits count. */
static void measure(const rk_table_grid *g, rk_table_cell *c)
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
static size_t last_side(const rk_table_grid *g, size_t from, size_t to)
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
static size_t after_share(const rk_table_grid *g, size_t from, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    rk_side share;

    if (from + 2 >= to || t[from].kind != RK_TOKEN_OPEN || t[from + 1].kind != RK_TOKEN_NUMBER ||
        !rk_side_read(&g->a->reader, from + 1, to, (rk_side_reading){0}, &share) || !share.literal.is || !share.unit ||
        share.unit->kind != RK_WORD_UNIT_SHARE || share.to >= to || t[share.to].kind != RK_TOKEN_CLOSE)
        return from;
    return share.to + 1;
}

/* "110 M (1.1e8)": where a figure ends that says the same again; where it begins, if none does. */
static size_t after_again(const rk_table_grid *g, const rk_side *of, size_t from, size_t to)
{
    const double near = 0.01;
    const rk_audit_token *t = g->a->lexed.token.at;
    rk_side again;
    double x, y;

    if (from + 2 >= to || t[from].kind != RK_TOKEN_OPEN || t[from + 1].kind != RK_TOKEN_NUMBER ||
        !rk_side_read_number(&g->a->reader, from + 1, to, &again) || again.to >= to ||
        t[again.to].kind != RK_TOKEN_CLOSE || !rk_side_double(g->a->pool, of->value, &x) ||
        !rk_side_double(g->a->pool, again.value, &y) || fabs(x - y) > near * y)
        return from;
    return again.to + 1;
}

/* The "$16P$" of "gradients and moments $16P$": where the formula begins that ends a cell, if words are before it. */
static size_t last_formula(const rk_table_grid *g, size_t from, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    size_t first = to;

    if (from == to || t[to - 1].mode != RK_MODE_MATH || t[from].mode == RK_MODE_MATH)
        return from;
    while (first > from && t[first - 1].mode == RK_MODE_MATH && t[first - 1].span == t[to - 1].span)
        first--;
    return first > from && (t[first - 1].kind == RK_TOKEN_WORD || t[first - 1].kind == RK_TOKEN_EQUALS) ? first : from;
}

/*
 * The end of a remark in brackets, "(BF16)", which begins at token i; i: there is none, or it says a number, if not
 * behind a word at the end of the cell, "(60 % more than GQA)".
 */
static size_t after_remark(const rk_table_grid *g, size_t i, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    size_t end = i + 1;

    if (t[i].kind != RK_TOKEN_OPEN || t[i].op != '(')
        return i;
    if (t[to - 1].kind == RK_TOKEN_CLOSE && i + 1 < to && t[i + 1].kind == RK_TOKEN_WORD && t[i + 1].n > 1)
        return to;
    while (end < to && (t[end].kind == RK_TOKEN_WORD || t[end].kind == RK_TOKEN_SYMBOL ||
                        t[end].kind == RK_TOKEN_COMMA || t[end].kind == RK_TOKEN_SIGN))
        end++;
    return end < to && end > i + 1 && t[end].kind == RK_TOKEN_CLOSE ? end + 1 : i;
}

static void read_cell(rk_table_grid *g, size_t row, size_t column, size_t from, size_t to)
{
    const rk_audit_token *t = g->a->lexed.token.at;
    rk_table_cell *c = &g->at[row * RK_TABLE_COLUMNS_MAX + column];
    rk_side scaled;

    *c = (rk_table_cell){.from = from, .to = to};
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
    for (size_t i = after_again(g, &c->side, after_share(g, c->side.to, to), to), next; i < to; i = next) {
        next = after_remark(g, i, to);
        if (next > i)
            continue;
        next = i + 1;
        if (column == 0 && t[i].kind == RK_TOKEN_COMMA && t[i - 1].kind == RK_TOKEN_WORD)
            break;                                                        /* "10 users, 32K each" */
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

void rk_table_put(const rk_table_grid *g, rk_table_cell *c, rk_claim_status status, rk_ex found, const char *note)
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
rk_ex rk_table_near_value(const rk_table_grid *g, double x)
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
static bool is_binary(const rk_table_grid *g, const rk_table_cell *figure, const rk_verdict *v)
{
    const rk_word_unit *u = figure->side.unit;
    double x, y;

    if (!u || u->kind != RK_WORD_UNIT_BYTES || u->binary || u->power == 0 || !rk_side_double(g->a->pool, v->left, &x) ||
        !rk_side_double(g->a->pool, v->right, &y))
        return false;
    return fabs(x / pow(1.024, u->power) - y) <= fmax(figure->side.slack, figure->side.literal.unit / 2);
}

/* "12 × (2.4 + 4.7)" and "85 M" beside it: all of it is in millions. */
static bool is_in_scale(const rk_table_grid *g, const rk_table_cell *formula, const rk_table_cell *figure,
                        const rk_verdict *v)
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
static bool is_couple(const rk_table_grid *g, const rk_table_cell *formula)
{
    const double near = 0.12;
    const rk_pair p = {.a = g->a, .x = &formula->side};
    double size;

    return rk_pair_signs(&p, &formula->side, 0) == 1 && rk_pair_signs(&p, &formula->side, '/') == 1 &&
           rk_side_double(g->a->pool, formula->side.value, &size) && fabs(size - 1) < near;
}

/* A formula and the figure beside it; UNKNOWN where they are none. */
static rk_verdict judge_formula(const rk_table_grid *g, const rk_table_cell *formula, const rk_table_cell *figure)
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
static bool is_multiple(const rk_table_grid *g, const rk_verdict *v, double *x, double *y)
{
    return v->is == RK_CLAIM_WRONG && rk_side_double(g->a->pool, v->left, x) &&
           rk_side_double(g->a->pool, v->right, y) && *x > 0 && *y > 0;
}

/*
 * Figures that are all the same multiple of the formulas beside them: so many bytes for each number, in another unit.
 * That is right, whatever the multiple is.
 */
static bool judge_multiples(const rk_table_grid *g, size_t column, size_t figures, const rk_verdict *verdict)
{
    double ratio = 0, loose = 0, first = 0, x, y;
    size_t n = 0;
    bool differ = false; /* of three that are the same nothing follows */

    for (size_t i = 0; i < g->rows; i++) {
        const rk_table_cell *c = rk_table_cell_at(g, i, figures);

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
        if (rk_table_cell_at(g, i, column)->label)
            return false;
    }
    for (size_t i = 0; i < g->rows && (differ || ratio == round(ratio)); i++)
        if (is_multiple(g, &verdict[i], &x, &y))
            rk_table_put(g, rk_table_cell_at(g, i, figures), RK_CLAIM_RIGHT, verdict[i].right,
                         "as in the other rows, a multiple of what stands beside it");
    return n >= RK_TABLE_AGREEING_LEAST;
}

/* A product of whole numbers, and no more; its smallest factor, 0: it is none. */
static double smallest_factor(const rk_table_grid *g, const rk_table_cell *f)
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
static void judge_twice(const rk_table_grid *g, size_t column, size_t figures, rk_verdict *verdict)
{
    const double near = 0.05, count_least = 1e6;
    const rk_table_cell *head = rk_table_cell_at(g, 0, figures);
    const rk_audit_token *t = g->a->lexed.token.at;
    const char *text = g->a->scan.text;
    rk_ex two = rk_ex_int(g->a->pool, 2);

    if (head->from == head->to || !(rk_lexicon_in(g->a->lexicon, RK_WORDS_KIND, text + t[head->from].at,
                                                  t[head->to - 1].at + t[head->to - 1].n - t[head->from].at) &
                                    RK_INDEX_OPERATIONS))
        return;
    for (size_t i = 1; i < g->rows; i++) {
        const rk_table_cell *f = rk_table_cell_at(g, i, column);
        rk_table_cell *c = rk_table_cell_at(g, i, figures);
        rk_verdict *v = &verdict[i];
        rk_ex twice = v->is == RK_CLAIM_WRONG ? rk_ex_mul(g->a->pool, v->left, two) : RK_EX_FAILED;
        double x, y, least = smallest_factor(g, f), off;

        if (twice == RK_EX_FAILED || least <= 1 || c->side.literal.rounded || !rk_side_double(g->a->pool, twice, &x) ||
            !rk_side_double(g->a->pool, v->right, &y) || y < count_least)
            continue;
        off = fabs(y / x - 1);
        if (twice == v->right)
            rk_table_put(g, c, RK_CLAIM_RIGHT, twice, "two operations for each of what stands beside it");
        else if (off <= near && off > 1 / least)
            rk_table_put(g, c, RK_CLAIM_WRONG, twice, "two operations for each of what stands beside it");
        else
            continue;
        v->is = RK_CLAIM_UNKNOWN;
    }
}

/* Numbers alone, or letters with one value each, and a figure that is nearly what they come to. */
static bool is_sure(const rk_table_grid *g, const rk_table_cell *f, const rk_table_cell *c, const rk_verdict *v,
                    size_t n_right)
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

static void judge_formulas(const rk_table_grid *g, size_t column, size_t figures)
{
    const double near = 1.5;
    rk_verdict verdict[RK_TABLE_ROWS_MAX];
    size_t n = 0, n_right = 0;
    bool lone; /* the only row of its kind */

    for (size_t i = 0; i < g->rows; i++)
        verdict[i] = judge_formula(g, rk_table_cell_at(g, i, column), rk_table_cell_at(g, i, figures));
    if (figures > column && !g->turned)
        judge_twice(g, column, figures, verdict);
    for (size_t i = 0; i < g->rows; i++) {
        n += verdict[i].is == RK_CLAIM_RIGHT || verdict[i].is == RK_CLAIM_WRONG;
        n_right += verdict[i].is == RK_CLAIM_RIGHT;
    }
    if (n_right == 0 && n >= RK_TABLE_AGREEING_LEAST && judge_multiples(g, column, figures, verdict))
        return;
    lone = n == 1 && n_right == 0;
    for (size_t i = 0; i < g->rows && (lone || (n_right > 0 && 2 * n_right >= n)); i++) {
        const rk_table_cell *f = rk_table_cell_at(g, i, column);
        rk_table_cell *c = rk_table_cell_at(g, i, figures);
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
            (n_right < RK_TABLE_AGREEING_LEAST || n - n_right > n_right / 2 || v->far || v->foreign || f->label))
            v->is = RK_CLAIM_DOUBTFUL;
        if (v->is != RK_CLAIM_UNKNOWN)
            rk_table_put(
                g, c, v->is, v->left,
                rk_arena_format(&g->a->arena, "by the formula beside it, %s", rk_audit_quote(g->a, f->from, f->to)));
    }
}

/* ---- formulas of a size, and columns of several ------------------------------------------------------------------ */

/* What the head of a column says: "7B", and perhaps "N=8" beside it. */
typedef struct sizes {
    rk_i128 count, times;
    rk_sym of; /* of the second, or RK_SYM_NONE */
} sizes;

static bool read_sizes(const rk_table_grid *g, size_t column, sizes *out)
{
    const rk_table_cell *head = rk_table_cell_at(g, 0, column);
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
static double at_sizes(const rk_table_grid *g, const rk_table_cell *f, const sizes *z)
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
static double off_at_sizes(const rk_table_cell *c, double found)
{
    double half = fmax(c->side.literal.unit, c->side.literal.about ? c->value / 50 : 0) / 2, binary = c->value;

    if (!c->side.unit->binary)
        binary = c->value * pow(1.024, c->side.unit->power);
    return fmin(fabs(c->value - found) / half, fabs(binary - found) / (half * binary / c->value));
}

/* What a cell of bytes should be by the formula of its row, and how far off it is, in roundings; 0: none. */
static double sized(const rk_table_grid *g, size_t row, size_t formulas, size_t column, double *off)
{
    const rk_table_cell *f = rk_table_cell_at(g, row, formulas), *c = rk_table_cell_at(g, row, column);
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
static void judge_sizes(const rk_table_grid *g, size_t formulas)
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
            const rk_table_cell *f = rk_table_cell_at(g, i, formulas);
            rk_table_cell *c = rk_table_cell_at(g, i, k);
            double found = sized(g, i, formulas, k, &off);
            bool sure = n_right >= SURE_LEAST && 2 * n_far <= n_right && fabs(c->value / found - 1) > far;

            if (found > 0)
                rk_table_put(g, c,
                             off <= 1      ? RK_CLAIM_RIGHT
                             : off <= slip ? RK_CLAIM_SLIP
                             : sure        ? RK_CLAIM_WRONG
                                           : RK_CLAIM_DOUBTFUL,
                             rk_table_near_value(g, found),
                             rk_arena_format(&g->a->arena, "by the formula of its row, %s",
                                             rk_audit_quote(g->a, f->from, f->to)));
        }
}

/* ---- one quantity in two units ---------------------------------------------------------------------------------- */

/* Bytes or operations with all of their digits, and beside them the same in a larger unit; whether they agree. */
static bool is_converted(const rk_table_grid *g, size_t row, size_t column, bool *agrees)
{
    const double long_least = 1e5, near = 0.08;
    const rk_table_cell *c = rk_table_cell_at(g, row, column), *k = rk_table_cell_at(g, row, column + 1);
    const rk_word_unit *u = c->side.unit, *v = k->side.unit;
    double binary;

    if (!c->is || !k->is || !v || k->value <= 0 || c->side.literal.rounded ||
        (v->kind != RK_WORD_UNIT_BYTES && v->kind != RK_WORD_UNIT_FLOPS) ||
        (u && (u == v || u->kind != v->kind || v->power <= u->power)) || v->power == 0 ||
        c->value < long_least * c->side.literal.coarse || fabs(c->value / k->value - 1) > near)
        return false;
    binary = v->binary || v->kind != RK_WORD_UNIT_BYTES ? 1 : pow(1.024, v->power);
    *agrees = fabs(c->value - k->value) <= k->side.literal.unit / 2 * 1.0001 ||
              fabs(c->value - k->value * binary) <= k->side.literal.unit * binary / 2 * 1.0001;
    return true;
}

/* "bytes | MiB": where all rows agree, they are right. */
static void judge_conversions(const rk_table_grid *g, size_t column)
{
    size_t n = 0, n_right = 0;
    bool agrees;

    for (size_t i = 0; i < g->rows; i++)
        if (is_converted(g, i, column, &agrees)) {
            n++;
            n_right += agrees;
        }
    for (size_t i = 0; i < g->rows && n > 1 && n == n_right; i++)
        if (is_converted(g, i, column, &agrees))
            rk_table_put(g, rk_table_cell_at(g, i, column + 1), RK_CLAIM_RIGHT,
                         rk_table_cell_at(g, i, column)->side.value, "what stands beside it, in another unit");
}

static void judge_grid(rk_table_grid *g)
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
        for (size_t c = 0; c + 1 < g->columns && turn == 0; c++)
            judge_conversions(g, c);
        for (size_t c = 1; c < g->columns && g->rows >= RK_TABLE_AGREEING_LEAST; c++)
            rk_table_find_rule(g, c);
        for (size_t c = 2; c < g->columns && turn == 0; c++)
            rk_table_judge_totals(g, c);
        g->turned = !g->turned;
        g->rows = g->columns;
        g->columns = rows;
    }
}

/* ---- tables, and lines in columns ------------------------------------------------------------------------------- */

typedef struct finder {
    rk_audit *a;
    rk_table_grid g;
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
    rk_table_cell *c;

    if (p->row >= RK_TABLE_ROWS_MAX || p->column >= RK_TABLE_COLUMNS_MAX ||
        chains->first[piece + 1] != chains->first[piece] + 1 || chains->chain.at[chains->first[piece]].n != 1)
        return;
    s = &chains->side.at[chains->chain.at[chains->first[piece]].first];
    c = rk_table_cell_at(&f->g, p->row, p->column);
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

    f.g.at = RK_NEW_ARRAY(&a->arena, RK_TABLE_ROWS_MAX * RK_TABLE_COLUMNS_MAX, rk_table_cell);
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
