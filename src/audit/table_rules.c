/* SPDX-License-Identifier: MIT */
/*
 * What a column is computed from: a constant times a product or a quotient of columns before it, their sum, a constant
 * divided by one of them.  A cell that breaks the rule of its column stands out.
 */
#include "audit/table_parts.h"

#include "audit/judge_parts.h"
#include "audit/sums.h"

#include <math.h>

enum {
    FACTORS_MAX = 4, /* columns whose product another one may be */
    REFERENCES = 6,  /* rows that are tried as the one that is right */
    MANY_LEAST = 5
};

/* ---- columns that others are computed from ---------------------------------------------------------------------- */

/* What a column may be: a constant times a product of others, or their sum. */
typedef struct rule {
    size_t of[FACTORS_MAX];
    size_t n;
    bool sum, plus; /* the sum of the columns; a constant more than one of them */
    unsigned under; /* a set of those of a product that it is divided by: a time for each rate */
} rule;

/* "20 %", "8K" and "0.3" in the first column are chosen, and not rounded. */
static bool is_chosen(const rk_table_cell *c)
{
    const rk_word_unit *u = c->side.unit;

    return c->side.literal.is && !c->side.literal.about && c->side.literal.decimals <= 1 &&
           (!u || u->kind == RK_WORD_UNIT_SHARE || u->kind == RK_WORD_UNIT_SCALE);
}

/* What the rule makes of a row, without its constant; false: a cell has no number. */
static bool apply(const rk_table_grid *g, const rule *r, size_t row, double *value, double *loose)
{
    double size = 0;

    *value = r->sum ? 0 : 1;
    *loose = 0;
    for (size_t i = 0; i < r->n; i++) {
        const rk_table_cell *c = rk_table_cell_at(g, row, r->of[i]);

        if (!c->is || c->value <= 0)
            return false;
        *value = r->sum ? *value + c->value : r->under >> i & 1 ? *value / c->value : *value * c->value;
        *loose += r->sum ? c->loose * c->value : r->of[i] == 0 && is_chosen(c) ? 0 : c->loose;
        size += c->value;
    }
    *loose = r->sum ? *loose / size : *loose;
    return true;
}

typedef struct fit {
    double constant, loose; /* of the row that most others agree with */
    size_t n, n_right;
    double digits; /* how many digits of all rows agree: what chance would have to explain */
} fit;

/* How far a row is from a rule with its constant, in what rounding explains; HUGE_VAL: it has no number. */
static double off(const rk_table_grid *g, const rule *r, size_t row, size_t target, const fit *by, double *expected,
                  double *loose)
{
    const rk_table_cell *c = rk_table_cell_at(g, row, target);
    double value;

    if (!c->is || c->value <= 0 || !apply(g, r, row, &value, loose))
        return HUGE_VAL;
    *expected = r->plus ? value + by->constant : value * by->constant;
    *loose += c->loose + by->loose + 1e-9;
    return fabs(c->value / *expected - 1) / *loose;
}

/* "19 | 25 | 44GB": the unit stands behind the total alone.  What 1 means in it; 1: it stands elsewhere, too. */
static double scale_of_sum(const rk_table_grid *g, const rule *r, size_t row, const rk_table_cell *total)
{
    double scale = 1;

    for (size_t i = 0; i < r->n; i++)
        if (rk_table_cell_at(g, row, r->of[i])->side.unit)
            return 1;
    return total->side.unit && rk_side_double(g->a->pool, total->side.literal.scale, &scale) ? scale : 1;
}

static fit fit_rule(const rk_table_grid *g, const rule *r, size_t target)
{
    fit best = {0};
    size_t tried = 0;

    for (size_t k = 0; k < g->rows && tried < REFERENCES; k++) {
        const rk_table_cell *ref = rk_table_cell_at(g, k, target);
        double value, loose, expected;
        fit now = {.constant = 1};

        if (!ref->is || ref->value <= 0 || !apply(g, r, k, &value, &loose))
            continue;
        tried++;
        if (r->sum) {
            now.constant = scale_of_sum(g, r, k, ref);
        } else {
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
                now.digits += i == k && !r->sum
                                  ? 0
                                  : fmin(-log10(fmin(2 * loose + 1e-6, 1)), rk_table_cell_at(g, i, target)->digits);
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
static bool varies(const rk_table_grid *g, size_t column)
{
    double first = 0;

    for (size_t i = 0; i < g->rows; i++) {
        const rk_table_cell *c = rk_table_cell_at(g, i, column);

        if (c->is && c->value > 0 && first > 0 && fabs(c->value - first) > 1e-9 * first)
            return true;
        first = c->is && c->value > 0 ? c->value : first;
    }
    return false;
}

/* Shares of what another column adds up to. */
static bool is_share_of_sum(const rk_table_grid *g, const rule *r, const fit *f, size_t target)
{
    const double near = 0.02;
    double sum = 0;

    for (size_t i = 0; i < g->rows; i++) {
        const rk_table_cell *c = rk_table_cell_at(g, i, target), *of = rk_table_cell_at(g, i, r->of[0]);

        if (c->is && (!c->side.unit || c->side.unit->kind != RK_WORD_UNIT_SHARE))
            return false;
        sum += c->is && of->is ? of->value : 0;
    }
    return r->n == 1 && !r->sum && !r->plus && !r->under && fabs(f->constant * sum - 1) < near;
}

static const char *rule_text(const rk_table_grid *g, const rule *r, const fit *f, size_t target)
{
    const char *what = g->turned ? "rows" : "columns";

    if (is_share_of_sum(g, r, f, target))
        return rk_arena_format(&g->a->arena, "its share of what one of the %s before it adds up to", what);

    if (r->sum)
        return rk_arena_format(&g->a->arena, "the sum of %zu %s before it", r->n, what);
    if (r->under && r->n > 1)
        return rk_arena_format(&g->a->arena, "%.6g times a quotient of the %s before it", f->constant, what);
    if (r->under)
        return rk_arena_format(&g->a->arena, "%.6g divided by another of the %s before it", f->constant, what);
    if (r->plus)
        return rk_arena_format(&g->a->arena, "%.6g more than another of the %s before it", f->constant, what);
    return rk_arena_format(&g->a->arena, "%.6g times %s of the %s before it", f->constant,
                           r->n > 1 ? "a product" : "another", what);
}

/* Whether the head of a column calls what is in it a total. */
static bool is_total(const rk_table_grid *g, size_t column)
{
    const rk_table_cell *head = rk_table_cell_at(g, 0, column);

    return head->to > head->from && rk_sum_is_total(g->a, head->from, head->to);
}

/* Shares, bytes, FLOPs, times and counts of four digits are worked out; settings and scores stand for themselves. */
static bool is_worked_out(const rk_table_grid *g, size_t column)
{
    const double digits_many = 3.5;
    size_t n = 0;

    for (size_t i = 0; i < g->rows; i++) {
        const rk_table_cell *c = rk_table_cell_at(g, i, column);

        n += c->is && c->value > 0 &&
             ((c->side.unit && c->side.unit->kind != RK_WORD_UNIT_SCALE) || c->digits >= digits_many);
    }
    return n >= RK_TABLE_AGREEING_LEAST;
}

/* "FLOPs", "GPU-hours": a head that says of what there is so much. */
static bool says_kind(const rk_table_grid *g, size_t column)
{
    const rk_table_cell *head = rk_table_cell_at(g, 0, column);
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
static bool has_constant(const rk_table_grid *g, size_t column, const fit *f)
{
    const double near = 0.03;
    const rk_table_cell *head = rk_table_cell_at(g, 0, column);
    const rk_audit_token *t = g->a->lexed.token.at;

    for (size_t i = head->from; i < head->to; i++) {
        const rk_written *w = t[i].kind == RK_TOKEN_NUMBER ? &g->a->lexed.number.at[t[i].id] : NULL;
        const rk_word_unit *u =
            i + 1 < head->to ? rk_lexicon_unit(g->a->lexicon, g->a->scan.text + t[i + 1].at, t[i + 1].n) : NULL;
        double number = rk_written_value(w);

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
static bool is_said_above(const rk_table_grid *g, const fit *f)
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
        double number = rk_written_value(w);

        number *= u ? pow(1000, u->power) * (u->num > 0 && u->den > 0 ? (double)u->num / u->den : 1) : 1;
        if (number > 0 && (fabs(f->constant / number - 1) <= fmin(f->loose, near) ||
                           fabs(f->constant * hour / number - 1) <= fmin(f->loose, near)))
            return true;
    }
    return false;
}

/* "2,107 hours | 88 days": the same in another unit. */
static bool is_same_time(const rk_table_grid *g, const fit *f, const rule *r, size_t target)
{
    size_t n = 0;

    for (size_t i = 0; i < g->rows; i++)
        n += rk_table_cell_at(g, i, target)->is && rk_table_cell_at(g, i, target)->side.timed &&
             rk_table_cell_at(g, i, r->of[0])->side.timed;
    return n >= RK_TABLE_AGREEING_LEAST && r->n == 1 && !r->under && fabs(f->constant - 1) <= f->loose;
}

/* "570" for 57.0, "83.4" for 38.4: a point in the wrong place, digits in another order or one that is another. */
static bool is_misspelt(const rk_table_cell *c, double expected)
{
    const double digits_most = 1e15, near = 1e-3;
    double unit = c->side.literal.unit, tens = c->value / expected;

    if (!c->side.literal.is || unit <= 0 || c->value / unit > digits_most || expected / unit > digits_most)
        return false;
    tens /= pow(10, round(log10(tens)));
    return fabs(tens - 1) < near + c->loose ||
           rk_judge_misspelt((rk_i128)llround(c->value / unit), (rk_i128)llround(expected / unit));
}

static void claim_rule(const rk_table_grid *g, const rule *r, const fit *f, size_t target)
{
    const double digits_many = 4; /* that agree: more than chance */
    const char *text = rule_text(g, r, f, target);
    bool total = is_total(g, target), all = f->n == f->n_right;

    if ((r->sum && !total && !all) ||
        (!r->sum && !total && !is_worked_out(g, target) &&
         !(all && (says_kind(g, target) || f->digits >= digits_many))) ||
        (!r->sum && !r->plus && !r->under && r->n == 1 && fabs(f->constant - 1) < 1e-6) || (r->plus && !total) ||
        (!r->sum && !all && f->n_right <= RK_TABLE_AGREEING_LEAST))
        return;
    for (size_t i = 0; i < g->rows; i++) {
        rk_table_cell *c = rk_table_cell_at(g, i, target);
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
        rk_table_put(g, c, is, rk_table_near_value(g, expected),
                     rk_arena_format(&g->a->arena, "%s %s",
                                     is == RK_CLAIM_RIGHT ? "as in the other rows," : "in the other rows it is", text));
    }
}

/* Bytes for each of so many tokens or users: a cache grows with them, and no other relation is likelier. */
static bool is_natural(const rk_table_grid *g, const rule *r, size_t target)
{
    const rk_table_cell *head = rk_table_cell_at(g, 0, r->of[0]), *first = rk_table_cell_at(g, 1, r->of[0]);
    const rk_table_cell *bytes = rk_table_cell_at(g, 1, target);
    const rk_word_unit *u = bytes->side.unit;

    return r->of[0] == 0 && bytes->is && u && u->kind == RK_WORD_UNIT_BYTES && !r->under &&
           (rk_audit_says(g->a, RK_WORDS_LENGTH, head->from, head->to) ||
            rk_audit_says(g->a, RK_WORDS_LENGTH, first->from, first->to) ||
            rk_audit_says(g->a, RK_WORDS_COUNTED, first->from, first->to));
}

/* Whether a rule holds for more than chance: of as many tries as there are, none does by itself. */
static bool convinces(const rk_table_grid *g, const fit *f, const rule *r, size_t target, size_t tries)
{
    const double least = 3, least_with_head = f->n_right > RK_TABLE_AGREEING_LEAST ? 1 : 1.5, said = 1.5, all_agree = 1;
    const double least_natural = 1;
    double chance = least + log10((double)tries + 1) + (double)(r->n - 1) / 2;

    if (f->n_right >= RK_TABLE_AGREEING_LEAST && r->n == 1 && !r->sum && !r->plus && f->digits >= least_with_head &&
        f->n - f->n_right <= f->n / 4 && has_constant(g, target, f))
        return true;
    /* Where all rows agree, nothing is called wrong by it. */
    if (f->n == f->n_right && f->n_right >= RK_TABLE_AGREEING_LEAST && r->n == 1 && !r->sum && !r->plus &&
        (f->digits >= chance - all_agree ||
         (f->digits >= least_natural && (has_constant(g, target, f) || is_natural(g, r, target)))))
        return true;
    if (f->n_right < RK_TABLE_AGREEING_LEAST || f->digits < chance - said)
        return false;
    if (f->digits < chance && (r->sum || r->plus || !(is_said_above(g, f) || is_same_time(g, f, r, target))))
        return false;
    return f->n - f->n_right <= f->n / 4;
}

void rk_table_find_rule(const rk_table_grid *g, size_t target)
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
        rule r = {.of = {of[i / 2]}, .n = 1, .plus = i % 2 == 0, .under = i % 2};
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
static bool adds_to(const rk_table_grid *g, size_t row, size_t column, const rk_table_cell *total)
{
    const rk_table_cell *c = rk_table_cell_at(g, row, column);
    const rk_word_unit *u = c->side.unit, *of = total->side.unit;

    return c->is && c->value > 0 && c->value < total->value * 1.5 && !c->side.n_symbol && !u == !of &&
           (!u || u->kind == of->kind);
}

/* The columns before a total that are added up to it in a row, and what they come to; 0: there are none. */
static size_t columns_of_total(const rk_table_grid *g, size_t row, size_t target, double *sum, double *slack)
{
    const rk_table_cell *total = rk_table_cell_at(g, row, target);
    size_t n = 0;

    *sum = *slack = 0;
    if (!total->is || total->value <= 0 || total->side.n_symbol > 0)
        return 0;
    for (size_t i = target; i-- > 1 && !is_total(g, i) && adds_to(g, row, i, total); n++) {
        const rk_side *s = &rk_table_cell_at(g, row, i)->side;

        *sum += rk_table_cell_at(g, row, i)->value;
        *slack += s->unit ? s->literal.unit / 2 : s->slack; /* a number alone is exact, "14 GB" is rounded */
    }
    return n >= 2 ? n : 0;
}

void rk_table_judge_totals(const rk_table_grid *g, size_t target)
{
    const double near = 1.5;
    size_t n_right = 0, n_other = 0;

    if (!is_total(g, target))
        return;
    for (int pass = 0; pass < 2 && n_right + (size_t)!pass > 0; pass++)
        for (size_t row = 1; row < g->rows; row++) {
            double sum, slack;
            size_t n = columns_of_total(g, row, target, &sum, &slack);
            rk_table_cell *c = rk_table_cell_at(g, row, target);
            bool right = n > 0 && fabs(sum - c->value) <=
                                      slack + (c->side.unit ? c->side.literal.unit / 2 : c->side.slack) + 1e-9 * sum;
            bool wrong = n_other == 1 && fmax(sum / c->value, c->value / sum) < near;

            n_right += n > 0 && !pass && right;
            n_other += n > 0 && !pass && !right;
            if (n > 0 && pass)
                rk_table_put(g, c,
                             right   ? RK_CLAIM_RIGHT
                             : wrong ? RK_CLAIM_WRONG
                                     : RK_CLAIM_DOUBTFUL,
                             rk_table_near_value(g, sum),
                             rk_arena_format(&g->a->arena, "the sum of %zu columns before it", n));
        }
}
