/* SPDX-License-Identifier: MIT */
#include "audit/sums.h"

#include "audit/judge.h"

#include <math.h>
#include <string.h>

static const rk_piece *piece_of(const rk_adder *s, const rk_entry *e)
{
    return &s->a->scan.piece.at[e->piece];
}

size_t rk_sum_line(const rk_adder *s, const rk_entry *e)
{
    return rk_scan_line(&s->a->scan, s->a->lexed.token.at[e->from].at);
}

/* Looking at an entry costs a step, so that a text of nothing but totals ends as well. */
static bool step(rk_adder *s)
{
    s->a->unsummed |= s->steps == 0;
    if (s->steps == 0)
        return false;
    s->steps--;
    return true;
}

static void add_row(rk_adder *s, rk_sum_group *g, const rk_entry *e)
{
    if (g->n == RK_SUM_ROWS_MAX) {
        g->gaps = true;
        return;
    }
    s->row[g->n++] = e;
    s->steps -= s->steps < RK_SUM_ROW_STEPS ? s->steps : RK_SUM_ROW_STEPS;
}

/* ---- which rows ------------------------------------------------------------------------------------------------- */

static uint32_t parent_of(rk_adder *s, const rk_entry *e)
{
    return s->a->scan.scope.at[piece_of(s, e)->scope].parent;
}

/* The mark of an item: - * + or 0 for a number. */
static char marker_of(rk_adder *s, const rk_entry *e)
{
    const rk_scan *scan = &s->a->scan;
    size_t at = scan->scope.at[piece_of(s, e)->scope].from;
    char mark;

    while (at < scan->n && strchr(" \t>", scan->text[at]))
        at++;
    mark = at < scan->n ? scan->text[at] : '-';
    return mark >= '0' && mark <= '9' ? 0 : mark;
}

/* Whether an entry stands outside of a list's items, and ends the list. */
static bool ends_list(rk_adder *s, const rk_entry *e, uint32_t parent, char marker)
{
    const rk_piece *p = piece_of(s, e);

    if (p->kind == RK_PIECE_ITEM && parent_of(s, e) == parent)
        return marker_of(s, e) != marker; /* another mark begins another list */
    return p->kind != RK_PIECE_ITEM && (p->scope == parent || p->from < s->a->scan.scope.at[parent].from);
}

/* "M_opt = 405e9 × 8 bytes = 3,240 GB" gives a letter its value, and is a row of a total in bytes all the same. */
static bool is_row(const rk_entry *e, const rk_entry *total)
{
    const rk_word_unit *u = e->value ? e->value->unit : NULL, *of = total->value->unit;

    return e->value && (!e->defines || (e->worked && u && of && u->kind == of->kind && u->kind != RK_WORD_UNIT_SCALE &&
                                        u->kind != RK_WORD_UNIT_SHARE && e->value->n_symbol == 0));
}

/* "P = 7 billion parameters" gives a letter its value, and is of another kind than a total in bytes. */
static bool is_given(const rk_entry *e, const rk_entry *total)
{
    const rk_word_unit *u = e->value ? e->value->unit : NULL, *of = total->value->unit;

    return e->value && e->defines && !e->worked && of && of->kind != RK_WORD_UNIT_SCALE && (!u || u->kind != of->kind);
}

/* Items of the list that `like` is in, up to entry `end`. */
static void gather_items(rk_adder *s, rk_sum_group *g, const rk_entry *like, size_t end)
{
    uint32_t parent = parent_of(s, like);
    size_t first = end;

    while (first > 0 && step(s) &&
           s->a->lexed.token.at[s->entry[first - 1].from].at >= s->a->scan.scope.at[parent].from &&
           !ends_list(s, &s->entry[first - 1], parent, marker_of(s, like)))
        first--;
    for (size_t i = first; i < end; i++) {
        const rk_entry *e = &s->entry[i];

        if (piece_of(s, e)->kind != RK_PIECE_ITEM || parent_of(s, e) != parent ||
            (i > 0 && s->entry[i - 1].piece == e->piece))
            continue;
        if (is_row(e, g->total))
            add_row(s, g, e);
        else if (!e->defines)
            g->gaps = true;
    }
}

/* "------": nothing but signs. */
static bool is_rule(const rk_adder *s, const rk_entry *e)
{
    const rk_audit_token *t = s->a->lexed.token.at;

    for (size_t i = e->from; i < e->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER || t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_SYMBOL)
            return false;
    return true;
}

/* Lines of the same paragraph directly above; there may be a rule between them and the total. */
static void gather_lines(rk_adder *s, rk_sum_group *g, size_t end, size_t piece)
{
    const rk_entry *first = &s->entry[end];
    bool rule = first > s->entry && first[-1].piece == piece && is_rule(s, first - 1);

    while (first > s->entry && step(s) && first[-1].piece == piece && is_rule(s, first - 1))
        first--;
    end = (size_t)(first - s->entry);
    while (first > s->entry && step(s) && first[-1].piece == piece && is_row(first - 1, g->total))
        first--;
    for (const rk_entry *e = first; e < &s->entry[end]; e++)
        add_row(s, g, e);
    /* A line with numbers that is not understood may be a row; "P = 7 billion parameters" above bytes is none. */
    g->gaps = false;
    for (size_t i = 0; first > s->entry && first[-1].piece == piece && !is_given(first - 1, g->total) &&
                       i < first[-1].to - first[-1].from;
         i++)
        g->gaps |= s->a->lexed.token.at[first[-1].from + i].kind == RK_TOKEN_NUMBER;
    /* What stands under a rule may be the total of several groups of rows, each with a heading. */
    for (const rk_entry *e = first;
         rule && !g->gaps && e > s->entry && e[-1].piece == piece && !is_rule(s, e - 1) && step(s); e--)
        g->gaps = e[-1].value != NULL;
}

/* The first cell of an entry's row in a table, which says what the row is; elsewhere the entry itself. */
static const rk_entry *head_of(const rk_adder *s, const rk_entry *e)
{
    const rk_piece *p = piece_of(s, e);

    for (const rk_entry *first = e; p->kind == RK_PIECE_CELL && first >= s->entry; first--) {
        const rk_piece *q = piece_of(s, first);

        if (q->kind != RK_PIECE_CELL || q->table != p->table || q->row != p->row)
            break;
        if (q->column == 0)
            return first;
    }
    return e;
}

/* Whether the first cell of an entry's row calls the row a total. */
static bool is_total_row(const rk_adder *s, const rk_entry *e)
{
    const rk_entry *head = head_of(s, e);

    return piece_of(s, e)->kind != RK_PIECE_CELL ? e->total : rk_sum_is_total(s->a, head->from, head->to);
}

/* "~140 GB" is no head of a column whose total is in TB: the table has none. */
static bool is_head(const rk_entry *e, const rk_entry *total)
{
    return !e->value || !e->value->unit || !total->value->unit || e->value->unit->kind != total->value->unit->kind;
}

/* One column of a table, from below its head up to row `end`. */
static void gather_column(rk_adder *s, rk_sum_group *g, uint32_t table, uint32_t column, uint32_t end_row)
{
    for (size_t i = s->table[table]; i < s->n_entry && step(s); i++) {
        const rk_piece *p = piece_of(s, &s->entry[i]);

        if (p->kind != RK_PIECE_CELL || p->table != table || p->row >= end_row)
            return;
        if (p->column != column || (p->row == 0 && is_head(&s->entry[i], g->total)))
            continue;
        if (s->entry[i].value)
            add_row(s, g, &s->entry[i]);
        else
            g->gaps = true;
    }
}

/*
 * Lines of one kind all over the text: those with the symbols of the total, since the last total of that kind.  A
 * letter alone is no row: "of the N paths".
 */
static void gather_kind(rk_adder *s, rk_sum_group *g, size_t end)
{
    rk_ex kind = rk_sum_symbols(s, g->total->value), one = rk_ex_int(s->a->pool, 1);

    for (size_t i = 0; i < end && kind != one && step(s); i++) {
        const rk_entry *e = &s->entry[i];

        if (!e->value || e->value->n_symbol == 0 || e->value->alone != RK_SYM_NONE ||
            rk_sum_symbols(s, e->value) != kind)
            continue;
        if (e->total)
            g->n = 0;
        else
            add_row(s, g, e);
    }
}

/* ---- adding up -------------------------------------------------------------------------------------------------- */

/* What a row should say, where its own formula tells; else what it says. */
static rk_ex put_right(const rk_adder *s, const rk_entry *row)
{
    rk_ex better = s->a->put_right[row->value - s->a->chains.side.at];

    return better != RK_EX_FAILED ? better : row->value->value;
}

/* A sum as a side: with the rounding of all its rows, and their symbols. */
static rk_side sum_of(rk_adder *s, const rk_sum_group *g, bool mended)
{
    rk_side sum = {.value = rk_ex_int(s->a->pool, 0), .computed = true, .digits = true, .alone = RK_SYM_NONE};

    for (size_t i = 0; i < g->n; i++) {
        const rk_side *v = g->row[i]->value;

        sum.value = rk_ex_add(s->a->pool, sum.value, mended ? put_right(s, g->row[i]) : v->value);
        sum.slack += v->slack;
        sum.degree += v->degree;
        for (size_t k = 0; k < v->n_symbol; k++) {
            size_t m = 0;

            while (m < sum.n_symbol && sum.symbol[m] != v->symbol[k])
                m++;
            if (m < RK_SIDE_SYMBOLS_MAX)
                sum.symbol[m] = v->symbol[k];
            sum.n_symbol += m == sum.n_symbol && m < RK_SIDE_SYMBOLS_MAX;
        }
    }
    return sum;
}

/* Rows of different things are not added up, nor are ranges. */
static bool same_units(const rk_sum_group *g)
{
    const rk_word_unit *unit = g->total->value->unit;

    for (size_t i = 0; i < g->n; i++) {
        const rk_word_unit *u = g->row[i]->value->unit;

        if (g->row[i]->value->range || g->total->value->range)
            return false;
        if (u && u->kind == RK_WORD_UNIT_SHARE && !(unit && unit->kind == RK_WORD_UNIT_SHARE))
            return false; /* shares, and how much they are of */
        if (!u || u->kind == RK_WORD_UNIT_SCALE)
            continue;
        if (unit && unit->kind != RK_WORD_UNIT_SCALE && unit->kind != u->kind)
            return false;
        unit = u;
    }
    return true;
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

/*
 * A row that occurs several times, or that is part of another one, is not simply added: "per layer", in its own line or
 * in the first cell of its row.
 */
static bool is_odd(const rk_adder *s, const rk_entry *e)
{
    const rk_entry *head = head_of(s, e);

    return rk_audit_says(s->a, RK_WORDS_APART, e->from, e->value->from) ||
           (head != e && rk_audit_says(s->a, RK_WORDS_APART, head->from, head->to));
}

static bool has_odd_rows(const rk_adder *s, const rk_sum_group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (is_odd(s, g->row[i]))
            return true;
    return false;
}

/* What "total tokens" counts: the last word for a thing in its label, or in the first cell of its row; NULL: none. */
static const rk_audit_token *counted_by(const rk_adder *s, const rk_entry *e)
{
    const rk_entry *head = head_of(s, e);
    const rk_audit_token *t = s->a->lexed.token.at;

    for (size_t i = head == e ? e->value->from : head->to; i > head->from; i--)
        if (t[i - 1].kind == RK_TOKEN_WORD &&
            rk_lexicon_is(s->a->lexicon, RK_WORDS_THING, s->a->scan.text + t[i - 1].at, t[i - 1].n))
            return &t[i - 1];
    return NULL;
}

static bool counts_same(const rk_adder *s, const rk_entry *e, const rk_audit_token *thing)
{
    const rk_audit_token *of = counted_by(s, e);

    return of && of->n == thing->n && memcmp(s->a->scan.text + of->at, s->a->scan.text + thing->at, of->n) == 0;
}

/* "≈ 176 M" of a table is rounded to its last digit; "about 200" of a text may be anything near it. */
static bool is_about(const rk_adder *s, const rk_entry *total)
{
    const double three_digits = 100;
    const rk_literal *stated = &total->value->literal;
    size_t at = total->value->from;
    double size;

    return (stated->about || (at > total->from && rk_audit_says(s->a, RK_WORDS_ABOUT, at - 1, at))) &&
           !(piece_of(s, total)->kind == RK_PIECE_CELL && rk_side_double(s->a->pool, total->value->value, &size) &&
             size / stated->coarse >= three_digits);
}

/*
 * A total is of the size of its rows; another number is the total of something else.  Averages and rates have rows as
 * large as their "total"; a total after "about" is right within a fifth; rows × columns are no sum.
 */
static bool is_meant_as_sum(rk_adder *s, const rk_sum_group *g, const rk_side *sum)
{
    const double fifth = 0.2;
    const rk_side *total = g->total->value;
    rk_pool *p = s->a->pool;
    rk_ex unit = rk_sum_symbols(s, total), product = rk_ex_int(p, 1);
    double x, y, row;

    for (size_t i = 0; i < g->n && i < 8; i++)
        product = rk_ex_mul(p, product, g->row[i]->value->value);
    if (product == total->value)
        return false;
    if (!rk_side_double(p, rk_ex_div(p, sum->value, unit), &x) ||
        !rk_side_double(p, rk_ex_div(p, total->value, unit), &y)) {
        for (size_t i = 0; i < sum->n_symbol; i++)
            if (!rk_ex_has_sym(p, total->value, sum->symbol[i]))
                return false;
        return total->n_symbol == sum->n_symbol;
    }
    if (((x > 2 * y || y > 2 * x) && !rk_sum_is_off_by_tens(total, x, y)) ||
        (is_about(s, g->total) && fabs(x - y) <= y * fifth))
        return false;
    for (size_t i = 0; i < g->n; i++)
        if (rk_side_double(p, rk_ex_div(p, g->row[i]->value->value, unit), &row) && row >= y)
            return false;
    return true;
}

static void put_sum(rk_adder *s, const rk_sum_group *g, rk_claim_status status, rk_ex sum, const char *note)
{
    /* "TOTAL = 4,513,336,524,800 ≈ 4.51 × 10^12": the first is what they add up to. */
    const rk_side *exact = g->total->exact, *v = exact && exact->value == sum ? exact : g->total->value;
    rk_claim *c = rk_audit_claim(s->a, RK_CLAIM_SUM, status, g->total->from, v->to);

    if (!c)
        return;
    rk_audit_fill(s->a, c, v, v->value, sum);
    c->found = rk_audit_value(s->a, sum, &v->literal, v);
    c->note = note;
}

static bool agrees(rk_adder *s, const rk_sum_group *g, const rk_side *sum)
{
    return rk_judge_sides(s->a, sum, g->total->value, piece_of(s, g->total)->scope).is == RK_CLAIM_RIGHT;
}

/* Rows that were doubtful by their own formulas, and that the total shows to be wrong. */
static void confirm(rk_adder *s, const rk_sum_group *g)
{
    for (size_t k = 0; k < s->a->claim.n; k++) {
        rk_claim *c = &s->a->claim.at[k];

        for (size_t i = 0; i < g->n && c->status == RK_CLAIM_DOUBTFUL; i++)
            if (c->side == g->row[i]->value) {
                s->a->n_status[c->status]--;
                c->status = RK_CLAIM_WRONG;
                s->a->n_status[c->status]++;
                c->note = rk_arena_format(&s->a->arena, "the total of line %zu is that of the right one",
                                          rk_sum_line(s, g->total));
            }
    }
}

/* The total is that of the rows once a row is put right. */
static void put_mended(rk_adder *s, const rk_sum_group *g, rk_ex sum, const rk_entry *row)
{
    confirm(s, g);
    put_sum(
        s, g, RK_CLAIM_RIGHT, sum,
        rk_arena_format(&s->a->arena, "the sum of %zu rows, once line %zu is put right", g->n, rk_sum_line(s, row)));
}

/* The group's total is right, perhaps once a row is put right; true where that could be said. */
static bool is_right(rk_adder *s, const rk_sum_group *g)
{
    rk_side plain = sum_of(s, g, false), better = sum_of(s, g, true);
    size_t i = 0;

    if (agrees(s, g, &plain)) {
        put_sum(s, g, RK_CLAIM_RIGHT, plain.value, rk_arena_format(&s->a->arena, "the sum of %zu rows", g->n));
        return true;
    }
    if (better.value == plain.value || !agrees(s, g, &better))
        return false;
    while (i + 1 < g->n && put_right(s, g->row[i]) == g->row[i]->value->value)
        i++;
    put_mended(s, g, better.value, g->row[i]);
    return true;
}

/* Some of the rows, which `keep` chooses, add up to the total; *some: there are others. */
static bool is_right_of(rk_adder *s, const rk_sum_group *g,
                        bool (*keep)(const rk_adder *, const rk_entry *, const void *), const void *how, bool *some)
{
    rk_sum_group part = *g;

    part.row = RK_NEW_ARRAY(&s->a->arena, g->n + 1, const rk_entry *);
    part.n = 0;
    for (size_t i = 0; part.row && i < g->n; i++)
        if (keep(s, g->row[i], how))
            part.row[part.n++] = g->row[i];
    *some = part.n > 0 && part.n < g->n;
    return *some && part.n > 1 && is_right(s, &part);
}

static bool is_plain_row(const rk_adder *s, const rk_entry *e, const void *how)
{
    (void)how;
    return !is_odd(s, e);
}

static bool is_of_thing(const rk_adder *s, const rk_entry *e, const void *how)
{
    return counts_same(s, e, how);
}

/*
 * A total of some of the rows: of those that are not "per layer", of those that count what it counts, or of parts that
 * stand beside all that they are made of.  *open: it may be, although it was not found to be.
 */
static bool is_total_of_some(rk_adder *s, const rk_sum_group *g, bool *open)
{
    const rk_audit_token *thing = counted_by(s, g->total);
    rk_side sum = sum_of(s, g, false);
    bool some = false;

    *open = false;
    if (has_odd_rows(s, g) && is_right_of(s, g, is_plain_row, NULL, &some))
        return true;
    if (thing && is_right_of(s, g, is_of_thing, thing, &some))
        return true;
    *open = thing && some;
    if (g->n < 4 || sum.value == RK_EX_FAILED ||
        sum.value != rk_ex_mul(s->a->pool, g->total->value->value, rk_ex_int(s->a->pool, 2)))
        return false;
    put_sum(s, g, RK_CLAIM_RIGHT, g->total->value->value, "half of the rows, which stand there with their parts");
    return true;
}

static bool share_agrees(rk_adder *s, const rk_entry *e, const rk_entry *total, rk_side *found)
{
    rk_pool *p = s->a->pool;
    double x, y;

    *found = (rk_side){.value = rk_ex_div(p, e->value->value, total->value->value)};
    if (found->value == RK_EX_FAILED || !rk_side_double(p, e->value->value, &x) ||
        !rk_side_double(p, total->value->value, &y) || x < 0 || y <= 0)
        return false;
    if (x == 0) /* "0.00 GFLOPs (0.00%)" */
        return e->share->value == e->value->value;
    found->slack = x / y * (e->value->slack / x + total->value->slack / y);
    return rk_judge_agree(p, found->value, found, e->share->value, e->share, e->share->literal.about);
}

/* Off by less than one unit of its last digit. */
static bool is_share_slip(const rk_adder *s, const rk_entry *e, const rk_side *found)
{
    double x, y;

    return e->share->literal.rounded && rk_side_double(s->a->pool, found->value, &x) &&
           rk_side_double(s->a->pool, e->share->value, &y) && fabs(x - y) < e->share->literal.unit;
}

/*
 * Shares of this total that stand beside its rows, if most of them are: otherwise they are shares of something else.
 * One that is not, beside others that are, of rows that add up to the total, is wrong.
 */
static void judge_shares(rk_adder *s, const rk_sum_group *g, const char *of)
{
    rk_side found, sum = sum_of(s, g, false);
    bool adds_up = sum.value != RK_EX_FAILED && agrees(s, g, &sum);
    size_t n = 0, n_right = 0;

    for (size_t i = 0; i < g->n; i++)
        if (g->row[i]->share) {
            n++;
            n_right += share_agrees(s, g->row[i], g->total, &found);
        }
    for (size_t i = 0; i < g->n && n_right > 0 && 2 * n_right >= n; i++) {
        const rk_entry *e = g->row[i];
        bool right = e->share && share_agrees(s, e, g->total, &found), in_brackets;
        rk_claim_status is = right                                        ? RK_CLAIM_RIGHT
                             : e->share && is_share_slip(s, e, &found)    ? RK_CLAIM_SLIP
                             : adds_up && n_right > 1 && n - n_right == 1 ? RK_CLAIM_WRONG
                                                                          : RK_CLAIM_DOUBTFUL;
        rk_claim *c = e->share ? rk_audit_claim(s->a, RK_CLAIM_SHARE, is, e->from, e->to) : NULL;

        if (!c)
            continue;
        s->has_share[e - s->entry] = true;
        in_brackets = s->a->lexed.token.at[e->share->from].kind == RK_TOKEN_OPEN;
        rk_audit_fill(s->a, c, e->share, e->share->value, found.value);
        c->stated = rk_audit_quote(s->a, e->share->from + in_brackets, e->share->to - in_brackets);
        c->found = rk_audit_value(s->a, found.value, &e->share->literal, e->share);
        c->note = right ? "its share of the total" : of;
    }
}

/*
 * Sums with letters that are no mistakes: a row is a part of another and left out of the total, as one block beside all
 * of them; or some rows are plain numbers, and the B of others stands for billions.
 */
static bool has_odd_letters(const rk_adder *s, const rk_sum_group *g, rk_ex sum)
{
    rk_pool *p = s->a->pool;
    rk_ex less = rk_ex_sub(p, sum, g->total->value->value), times;
    size_t n_plain = 0;
    bool is_part = false, divides = false;
    double plain;

    for (size_t i = 0; i < g->n; i++) {
        rk_ex row = g->row[i]->value->value;

        n_plain += rk_side_double(p, row, &plain);
        is_part |= row == less;
        times = less == rk_ex_int(p, 0) ? RK_EX_FAILED : rk_ex_div(p, row, less);
        divides |= times != RK_EX_FAILED && !rk_side_double(p, times, &plain) && rk_ex_is_whole(p, times);
    }
    return (is_part && divides) || (n_plain > 0 && n_plain < g->n);
}

/* Formulas in a table are seldom meant to be added up, and O(N²d) never is. */
static bool is_of_one_kind(const rk_adder *s, const rk_sum_group *g)
{
    const rk_audit_token *t = s->a->lexed.token.at;
    rk_ex kind = rk_sum_symbols(s, g->total->value);

    for (size_t i = 0; i <= g->n; i++) {
        const rk_entry *e = i < g->n ? g->row[i] : g->total;

        for (size_t k = e->value->from; k + 1 < e->value->to; k++)
            if (t[k].kind == RK_TOKEN_SYMBOL && t[k + 1].kind == RK_TOKEN_OPEN && !t[k + 1].space && t[k].n == 1)
                return false;
        if (piece_of(s, e)->kind == RK_PIECE_CELL && e->value->n_symbol > 0 &&
            (kind == rk_ex_int(s->a->pool, 1) || rk_sum_symbols(s, e->value) != kind))
            return false;
    }
    return true;
}

/* A total with the terms that the rows have, of which one alone has another coefficient. */
static bool has_same_terms(const rk_adder *s, const rk_sum_group *g, rk_ex sum)
{
    rk_pool *p = s->a->pool;
    rk_ex total = g->total->value->value, less = rk_ex_sub(p, sum, total);

    return less != RK_EX_FAILED && rk_ex_term_count(p, total) >= 3 &&
           rk_ex_term_count(p, sum) == rk_ex_term_count(p, total) && rk_ex_term_count(p, less) == 1;
}

/* Beside rows of millions, "passes: 2" is no row. */
static bool has_small_row(const rk_adder *s, const rk_sum_group *g, rk_ex sum)
{
    const double small = 100, large = 1e6;
    double row, all;

    for (size_t i = 0; i < g->n; i++)
        if (!g->row[i]->value->unit && rk_side_double(s->a->pool, g->row[i]->value->value, &row) &&
            rk_side_double(s->a->pool, sum, &all) && row < small && all > large)
            return true;
    return false;
}

/* A line of dashes with a number in it is a heading, no row. */
static bool has_bare_rows(const rk_adder *s, const rk_sum_group *g)
{
    const rk_audit_token *t = s->a->lexed.token.at;
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++) {
        bool words = piece_of(s, g->row[i])->kind == RK_PIECE_CELL;

        for (size_t k = g->row[i]->from; k < g->row[i]->to && !words; k++)
            words = t[k].kind == RK_TOKEN_WORD || t[k].kind == RK_TOKEN_SYMBOL;
        n += !words;
    }
    return n > 0 && n < g->n;
}

/* Whether a word, or each part of a name, "total_flops", is one that a total of all rows may have. */
static bool is_plain_word(const rk_adder *s, const char *word, size_t n)
{
    static const rk_words plain[] = {RK_WORDS_TOTAL, RK_WORDS_SUBTOTAL, RK_WORDS_KIND, RK_WORDS_LABEL, RK_WORDS_APART};
    const char *stroke = memchr(word, '_', n);

    if (stroke && stroke > word && stroke + 1 < word + n)
        return is_plain_word(s, word, (size_t)(stroke - word)) &&
               is_plain_word(s, stroke + 1, n - (size_t)(stroke + 1 - word));
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        if (rk_lexicon_is(s->a->lexicon, plain[k], word, n))
            return true;
    return rk_lexicon_unit(s->a->lexicon, word, n) != NULL;
}

/* "Total", "sum per layer", "all parameters" of all rows; "total instruction time", "total (deduplicated)" of some. */
static bool is_of_all(const rk_adder *s, const rk_entry *e, size_t to)
{
    const rk_audit_token *t = s->a->lexed.token.at;

    for (size_t i = e->from; i < to; i++) {
        const char *word = s->a->scan.text + t[i].at;

        if ((t[i].kind == RK_TOKEN_WORD || (t[i].kind == RK_TOKEN_SYMBOL && memchr(word, '_', t[i].n))) &&
            !is_plain_word(s, word, t[i].n))
            return false;
    }
    return true;
}

/* Whether the words of a total leave no doubt that it is of all the rows, and nothing after it says otherwise. */
static bool is_plain_total(const rk_adder *s, const rk_sum_group *g)
{
    const rk_entry *e = g->total;
    const rk_piece *p = piece_of(s, e);
    const rk_audit_token *t = s->a->lexed.token.at;

    for (size_t i = e->value->to; i < e->to; i++)
        if (t[i].kind == RK_TOKEN_NUMBER || t[i].kind == RK_TOKEN_SIGN || t[i].kind == RK_TOKEN_EQUALS)
            return false;
    if (is_about(s, e) || !is_of_all(s, e, e->value->from))
        return false;
    if (p->kind == RK_PIECE_CELL && head_of(s, e) != e)
        return is_of_all(s, head_of(s, e), head_of(s, e)->to);
    return true;
}

/*
 * A total that is a little less than its rows, all of them in one unit and with as many digits: rows that are not
 * listed would make it more.
 */
static bool is_short(const rk_adder *s, const rk_sum_group *g, const rk_side *sum)
{
    enum {
        ROWS_LEAST = 4
    };
    const double most = 0.05;
    const rk_side *total = g->total->value;
    double x, y;

    for (size_t i = 0; i < g->n; i++)
        if (!g->row[i]->value->literal.is || g->row[i]->value->unit != total->unit ||
            g->row[i]->value->literal.unit != total->literal.unit)
            return false;
    return g->n >= ROWS_LEAST && total->unit && total->literal.is && !total->about &&
           rk_side_double(s->a->pool, sum->value, &x) && rk_side_double(s->a->pool, total->value, &y) &&
           x - y > sum->slack + total->slack && x < y * (1 + most);
}

/* A row as one end of a range, or as it is; false: it is no such row. */
static bool read_end(const rk_adder *s, const rk_entry *e, bool low, rk_side *out)
{
    const rk_side_reading how = {.range = low ? RK_READ_LOW : RK_READ_HIGH};

    if (!rk_side_read(&s->a->reader, e->value->from, e->value->to, how, out) || out->value == RK_EX_FAILED)
        return false;
    out->about = e->value->about;
    return true;
}

/* The rows' lower ends, or the upper ones, added up; false: some have no ends of the total's kind. */
static bool add_ends(rk_adder *s, const rk_sum_group *g, bool low, rk_side *sum)
{
    const rk_word_unit *unit = g->total->value->unit;

    *sum = (rk_side){.value = rk_ex_int(s->a->pool, 0), .computed = true, .digits = true, .alone = RK_SYM_NONE};
    for (size_t i = 0; i < g->n; i++) {
        rk_side end;

        if (!read_end(s, g->row[i], low, &end) || end.n_symbol > 0 ||
            (end.unit && unit && end.unit->kind != unit->kind))
            return false;
        sum->value = rk_ex_add(s->a->pool, sum->value, end.value);
        sum->slack += end.slack;
    }
    return true;
}

/*
 * "14 GB", "1-4 GB" and "2.5 GB", and a total of "17.5-20.5 GB": the lower ends add up, and so do the upper ones.  If
 * one of both does, and the words of the total leave no doubt, the other is wrong.
 */
static bool judge_range(rk_adder *s, const rk_sum_group *g)
{
    rk_side sum[2], stated[2]; /* of the upper ends, and of the lower ones */
    bool right[2], both, sure = !is_about(s, g->total) && is_of_all(s, g->total, g->total->value->from);
    rk_claim_status is;
    rk_claim *c;
    int end;

    for (int low = 0; low < 2; low++) {
        if (!add_ends(s, g, low, &sum[low]) || !read_end(s, g->total, low, &stated[low]))
            return false;
        right[low] = rk_judge_sides(s->a, &sum[low], &stated[low], piece_of(s, g->total)->scope).is == RK_CLAIM_RIGHT;
    }
    both = right[0] && right[1];
    if ((!right[0] && !right[1]) || (!both && (g->gaps || has_odd_rows(s, g))))
        return false;
    sure &= !stated[0].unit || stated[0].unit->kind != RK_WORD_UNIT_SHARE; /* shares are seldom all at their most */
    is = both ? RK_CLAIM_RIGHT : sure ? RK_CLAIM_WRONG : RK_CLAIM_DOUBTFUL;
    end = right[0] && !both; /* the one that is not */
    c = rk_audit_claim(s->a, RK_CLAIM_SUM, is, g->total->from, g->total->to);
    if (!c)
        return true;
    rk_audit_fill(s->a, c, g->total->value, stated[end].value, sum[end].value);
    c->found = rk_audit_value(s->a, sum[end].value, &stated[end].literal, &stated[end]);
    c->note = both ? rk_arena_format(&s->a->arena, "both ends are the sum of %zu rows", g->n)
                   : rk_arena_format(&s->a->arena, "its %s end, as %zu rows add up", end ? "lower" : "upper", g->n);
    return true;
}

/*
 * A total whose rows are in `s->row`: those after the last total of their own, all, or all without such totals; one
 * of these is meant.  False: nothing is said of it.
 */
static bool judge_sum(rk_adder *s, rk_sum_group *g)
{
    /* "Subtotal", "per layer": a total of the rows just above it, perhaps not of all. */
    const rk_entry *head = head_of(s, g->total);
    bool some = rk_audit_says(s->a, RK_WORDS_SUBTOTAL, head->from, head == g->total ? head->value->from : head->to);
    size_t last = 0;
    rk_sum_group part = *g;
    bool explained, open;
    rk_side sum;

    g->row = s->row;
    for (size_t i = 0; i < g->n; i++)
        if (is_total_row(s, g->row[i]))
            last = i + 1;
    part.row = s->row + last;
    part.n = g->n - last;
    if (part.n > 1 && g->total->value->range)
        return judge_range(s, &part);
    if (g->n < 2 || !same_units(g))
        return false;
    judge_shares(s, &part, "of the total that is stated below");
    if ((part.n > 1 && is_right(s, &part)) || (last > 0 && is_right(s, g)))
        return true;
    for (size_t first = last + 1; some && first + 1 < g->n; first++) {
        part.row = s->row + first;
        part.n = g->n - first;
        if (is_right(s, &part))
            return true;
    }
    if (last == 0) {
        if (is_total_of_some(s, g, &open))
            return true;
        sum = sum_of(s, g, false);
        if (!g->gaps && !open && sum.value != RK_EX_FAILED &&
            (is_of_one_kind(s, g) || has_same_terms(s, g, sum.value)) && !has_bare_rows(s, g) &&
            !has_small_row(s, g, sum.value) && !has_odd_letters(s, g, sum.value) && is_meant_as_sum(s, g, &sum) &&
            !has_odd_rows(s, g)) {
            const char *why = rk_sum_explain(s, g, sum.value, &explained);

            put_sum(s, g,
                    is_plain_total(s, g) && (explained || is_short(s, g, &sum)) ? RK_CLAIM_WRONG : RK_CLAIM_DOUBTFUL,
                    sum.value, why);
            return true;
        }
        return false;
    }
    part.n = 0;
    part.row = s->row;
    for (size_t i = 0; i < g->n; i++)
        if (!is_total_row(s, g->row[i]))
            s->row[part.n++] = g->row[i];
    return part.n > 1 && is_right(s, &part);
}

/* ---- totals ----------------------------------------------------------------------------------------------------- */

/* The only column of a table in which each row has a value, or -1. */
static long only_column(rk_adder *s, uint32_t table)
{
    enum {
        COLUMNS_MAX = 16
    };
    size_t some[COLUMNS_MAX] = {0}, none[COLUMNS_MAX] = {0};
    long only = -1;

    for (size_t i = s->table[table]; i < s->n_entry && step(s); i++) {
        const rk_piece *p = piece_of(s, &s->entry[i]);

        if (p->kind != RK_PIECE_CELL || p->table != table)
            break;
        if (p->row > 0 && p->column < COLUMNS_MAX)
            (s->entry[i].value ? some : none)[p->column]++;
    }
    for (long c = 0; c < COLUMNS_MAX; c++)
        if (some[c] > 1 && none[c] == 0)
            only = only == -1 ? c : -2;
    return only;
}

/* How likely so many sums hit a number of this size by chance. */
static double chance_of(const rk_sum_group *g, const rk_side *sum, double size)
{
    const rk_literal *stated = &g->total->value->literal;

    return (double)g->n * (2 * sum->slack + fmax(stated->unit, 2 * g->total->value->slack)) / size;
}

/*
 * The lines just above a figure that add up to it, in whatever place they stand, where that is more than chance: of a
 * figure that calls itself a total, or of all digits of a long one.  It is right then; else nothing is said.
 */
static bool find_rows(rk_adder *s, const rk_entry *total, size_t end)
{
    enum {
        ROWS_MAX = 16,
        LINES_MAX = 64
    };
    const rk_literal *stated = &total->value->literal;
    bool said = total->total || rk_audit_says(s->a, RK_WORDS_SUBTOTAL, total->from, total->value->from);
    const double chance_most = said ? 0.05 : 1e-6;
    uint32_t section = rk_scan_section(&s->a->scan, piece_of(s, total)->scope);
    bool about = stated->about || total->value->about;
    rk_sum_group g = {.row = s->row, .total = total};
    rk_side sum = {.value = rk_ex_int(s->a->pool, 0), .computed = true, .digits = true, .alone = RK_SYM_NONE};
    rk_side better; /* the same with rows put right */
    const rk_entry *mended = NULL;
    double size, all;

    sum.slack = about ? stated->coarse / 2 : 0;
    better = sum;
    if (!stated->is || !rk_side_double(s->a->pool, total->value->value, &size) || size <= 0)
        return false;
    for (size_t i = end; i > 0 && end - i < LINES_MAX && g.n < ROWS_MAX && step(s); i--) {
        const rk_entry *e = &s->entry[i - 1];

        if (rk_scan_section(&s->a->scan, piece_of(s, e)->scope) != section || piece_of(s, e)->kind == RK_PIECE_CELL)
            return false;
        if (!is_row(e, total) || e->value->n_symbol > 0 || e->value->value == rk_ex_int(s->a->pool, 0))
            continue;
        add_row(s, &g, e);
        sum.value = rk_ex_add(s->a->pool, sum.value, e->value->value);
        better.value = rk_ex_add(s->a->pool, better.value, put_right(s, e));
        better.slack = sum.slack += e->value->slack;
        mended = put_right(s, e) != e->value->value ? e : mended;
        if (!rk_side_double(s->a->pool, sum.value, &all) || all > 2 * size || !same_units(&g))
            return false;
        if (g.n > 1 && chance_of(&g, &sum, size) <= chance_most && agrees(s, &g, &sum)) {
            put_sum(s, &g, RK_CLAIM_RIGHT, sum.value, rk_arena_format(&s->a->arena, "the sum of %zu rows", g.n));
            return true;
        }
        if (g.n > 1 && mended && chance_of(&g, &better, size) <= chance_most && agrees(s, &g, &better)) {
            put_mended(s, &g, better.value, mended);
            return true;
        }
    }
    return false;
}

/* The same of the first of several figures, which has most digits. */
static void find_rows_of(rk_adder *s, const rk_entry *total, size_t end)
{
    rk_entry exact = *total;

    if (find_rows(s, total, end) || !total->exact)
        return;
    exact.value = total->exact;
    exact.to = total->exact->to;
    find_rows(s, &exact, end);
}

/* The rows of a total stand above it: in its list, its paragraph, or else in a list, a table, or all over the text. */
static bool judge_total(rk_adder *s, const rk_entry *total, size_t end)
{
    const rk_entry *before = end > 0 ? &s->entry[end - 1] : NULL;
    rk_sum_group g = {.total = total};

    if (total->worked)
        return true;
    if (&s->entry[end] == total)
        gather_lines(s, &g, end, total->piece);
    if (piece_of(s, total)->kind == RK_PIECE_ITEM) {
        if (g.n < 2) { /* no lines of its own item */
            g = (rk_sum_group){.total = total};
            gather_items(s, &g, total, end);
        }
        return judge_sum(s, &g);
    }
    if (g.n < 2 && before) {
        const rk_piece *p = piece_of(s, before);
        long column = p->kind == RK_PIECE_CELL ? only_column(s, p->table) : -1;

        g.n = 0;
        if (column >= 0)
            gather_column(s, &g, p->table, (uint32_t)column, UINT32_MAX);
        else if (p->kind == RK_PIECE_ITEM)
            gather_items(s, &g, before, end);
        if (g.n < 2)
            gather_kind(s, &g, end);
    }
    return judge_sum(s, &g);
}

/* The row of a table that begins with a word for a total: each of its cells is one. */
static void judge_row(rk_adder *s, size_t first)
{
    const rk_piece *head = piece_of(s, &s->entry[first]);

    for (size_t i = first + 1; i < s->n_entry; i++) {
        const rk_piece *p = piece_of(s, &s->entry[i]);
        rk_sum_group g = {.total = &s->entry[i]};

        if (p->kind != RK_PIECE_CELL || p->table != head->table || p->row != head->row)
            return;
        if (!s->entry[i].value)
            continue;
        gather_column(s, &g, p->table, p->column, p->row);
        judge_sum(s, &g);
    }
}

static void judge_entry(rk_adder *s, size_t i)
{
    const rk_entry *e = &s->entry[i];
    const rk_piece *p = piece_of(s, e);

    if (p->kind == RK_PIECE_CELL) {
        if (p->row > 0 && p->column == 0 && !e->value && rk_sum_is_total(s->a, e->from, e->to))
            judge_row(s, i);
    } else if (e->total) {
        if (!judge_total(s, e, i))
            find_rows_of(s, e, i);
    } else if (e->title && i + 1 < s->n_entry && e[1].value && e[1].whole) {
        judge_total(s, &e[1], i);
    } else if (e->value && !e->worked) {
        find_rows_of(s, e, i);
    }
}

/* A line with a figure and its share, of which nothing was said yet, in one place with the line before. */
static bool goes_on(const rk_adder *s, const rk_entry *e, const rk_entry *before)
{
    const rk_piece *p = piece_of(s, e), *q = before ? piece_of(s, before) : p;

    return e->value && e->share && e->value->n_symbol == 0 && !e->worked && !s->has_share[e - s->entry] &&
           p->kind != RK_PIECE_CELL && (p == q || (p->kind == RK_PIECE_ITEM && q->kind == RK_PIECE_ITEM && p == q + 1));
}

/* "ffn: 173,946,175,488 | 52.66 %" and so on, without a total: shares that are the whole together are of the sum. */
static size_t judge_whole(rk_adder *s, size_t first)
{
    enum {
        ROWS_LEAST = 3,
        ROWS_MAX = 64
    };
    const double near = 0.015;
    const rk_entry *e = &s->entry[first];
    rk_entry total = *e;
    rk_sum_group g = {.row = s->row, .total = &total};
    rk_side sum;
    double shares = 0, most = 0, share;

    while (first + g.n < s->n_entry && g.n < ROWS_MAX && goes_on(s, &e[g.n], g.n > 0 ? &e[g.n - 1] : NULL)) {
        share = 0;
        rk_side_double(s->a->pool, e[g.n].share->value, &share);
        shares += share;
        most = fmax(most, share);
        s->row[g.n] = &e[g.n];
        g.n++;
    }
    if (g.n < ROWS_LEAST || fabs(shares - 1) > near || most > 1 - near)
        return g.n;
    sum = sum_of(s, &g, false);
    total.value = &sum;
    if (sum.value != RK_EX_FAILED && same_units(&g))
        judge_shares(s, &g, "of what all these add up to");
    return g.n;
}

int rk_judge_sums(rk_audit *a, rk_err *err)
{
    rk_entries entries = {.at = {0}};
    int code = rk_entries_find(a, &entries, err);
    rk_adder s = {.a = a, .entry = entries.at.at, .n_entry = entries.at.n, .tries = RK_SUM_TRIES_MAX};
    uint32_t tables = 0;

    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < a->scan.piece.n; i++)
        tables = a->scan.piece.at[i].table > tables ? a->scan.piece.at[i].table : tables;
    s.table = RK_NEW_ARRAY(&a->arena, (size_t)tables + 1, size_t);
    s.row = RK_NEW_ARRAY(&a->arena, RK_SUM_ROWS_MAX, const rk_entry *);
    s.has_share = RK_NEW_ARRAY(&a->arena, s.n_entry + 1, bool);
    s.steps = RK_SUM_STEPS_PER_ENTRY * (s.n_entry + RK_SUM_ROWS_MAX);
    if (!s.has_share)
        return rk_fail_memory(err);
    for (size_t i = s.n_entry; s.table && i > 0; i--)
        s.table[piece_of(&s, &s.entry[i - 1])->table] = i - 1;
    for (size_t i = 0; i < s.n_entry && !a->arena.failed; i++)
        judge_entry(&s, i);
    for (size_t i = 0; i < s.n_entry && !a->arena.failed; i++)
        i += goes_on(&s, &s.entry[i], NULL) ? judge_whole(&s, i) - 1 : 0;
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
