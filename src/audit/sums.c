/* SPDX-License-Identifier: MIT */
#include "audit/group.h"

#include <string.h>

/* Looking at an entry costs a step, so that a text of nothing but totals ends as well. */
static bool step(rk_adder *s)
{
    s->a->unsummed |= s->steps == 0;
    if (s->steps == 0)
        return false;
    s->steps--;
    return true;
}

static bool add_row(rk_adder *s, rk_sum_group *g, const rk_entry *e)
{
    if (g->n == RK_SUM_ROWS_MAX) {
        g->gaps = true;
        return false;
    }
    s->row[g->n++] = e;
    s->steps -= s->steps < RK_SUM_ROW_STEPS ? s->steps : RK_SUM_ROW_STEPS;
    return true;
}

/* ---- which rows ------------------------------------------------------------------------------------------------- */

static uint32_t parent_of(rk_adder *s, const rk_entry *e)
{
    return s->a->scan.scope.at[rk_sum_piece(s, e)->scope].parent;
}

/* The mark of an item: - * + or 0 for a number. */
static char marker_of(rk_adder *s, const rk_entry *e)
{
    const rk_scan *scan = &s->a->scan;
    size_t at = scan->scope.at[rk_sum_piece(s, e)->scope].from;
    char mark;

    while (at < scan->n && strchr(" \t>", scan->text[at]))
        at++;
    mark = at < scan->n ? scan->text[at] : '-';
    return mark >= '0' && mark <= '9' ? 0 : mark;
}

/* Whether an entry stands outside of a list's items, and ends the list. */
static bool ends_list(rk_adder *s, const rk_entry *e, uint32_t parent, char marker)
{
    const rk_piece *p = rk_sum_piece(s, e);

    if (p->kind == RK_PIECE_ITEM && parent_of(s, e) == parent)
        return marker_of(s, e) != marker; /* another mark begins another list */
    return p->kind != RK_PIECE_ITEM && (p->scope == parent || p->from < s->a->scan.scope.at[parent].from);
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

        if (rk_sum_piece(s, e)->kind != RK_PIECE_ITEM || parent_of(s, e) != parent ||
            (i > 0 && s->entry[i - 1].piece == e->piece))
            continue;
        if (e->value && !e->defines)
            add_row(s, g, e);
        else if (!e->defines)
            g->gaps = true;
    }
}

static bool has_number(rk_adder *s, const rk_entry *e)
{
    for (size_t i = e->from; i < e->to; i++)
        if (s->a->lexed.token.at[i].kind == RK_TOKEN_NUMBER)
            return true;
    return false;
}

/* Lines of the same paragraph directly above. */
static void gather_lines(rk_adder *s, rk_sum_group *g, size_t end, size_t piece)
{
    size_t first = end;

    while (first > 0 && step(s) && s->entry[first - 1].piece == piece && s->entry[first - 1].value &&
           !s->entry[first - 1].defines)
        first--;
    for (size_t i = first; i < end; i++)
        add_row(s, g, &s->entry[i]);
    /* A line with numbers that is not understood may be a row as well. */
    g->gaps = first > 0 && s->entry[first - 1].piece == piece && has_number(s, &s->entry[first - 1]);
}

/* One column of a table, from below its head up to row `end`. */
static void gather_column(rk_adder *s, rk_sum_group *g, uint32_t table, uint32_t column, uint32_t end_row)
{
    for (size_t i = s->table[table]; i < s->n_entry && step(s); i++) {
        const rk_piece *p = rk_sum_piece(s, &s->entry[i]);

        if (p->kind != RK_PIECE_CELL || p->table != table || p->row >= end_row)
            return;
        if (p->column != column || p->row == 0)
            continue;
        if (s->entry[i].value)
            add_row(s, g, &s->entry[i]);
        else
            g->gaps = true;
    }
}

/* Lines of one kind all over the text: those with the symbols of the total, since the last total of that kind. */
static void gather_kind(rk_adder *s, rk_sum_group *g, size_t end)
{
    rk_ex kind = rk_sum_symbols(s, g->total->value), one = rk_ex_int(s->a->pool, 1);

    for (size_t i = 0; i < end && kind != one && step(s); i++) {
        const rk_entry *e = &s->entry[i];

        if (!e->value || e->value->n_symbol == 0 || rk_sum_symbols(s, e->value) != kind)
            continue;
        if (e->total)
            g->n = 0;
        else
            add_row(s, g, e);
    }
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
        const rk_piece *p = rk_sum_piece(s, &s->entry[i]);

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

/* A total below a list or a table, or below lines all over the text. */
static void judge_below(rk_adder *s, rk_sum_group *g, size_t end)
{
    const rk_entry *before = end > 0 ? &s->entry[end - 1] : NULL;
    long column;

    if (!before)
        return;
    if (rk_sum_piece(s, before)->kind == RK_PIECE_CELL) {
        column = only_column(s, rk_sum_piece(s, before)->table);
        if (column >= 0)
            gather_column(s, g, rk_sum_piece(s, before)->table, (uint32_t)column, UINT32_MAX);
    } else if (rk_sum_piece(s, before)->kind == RK_PIECE_ITEM) {
        gather_items(s, g, before, end);
    }
    if (g->n < 2)
        gather_kind(s, g, end);
    rk_sum_judge(s, g);
}

static void judge_total(rk_adder *s, const rk_entry *total, size_t end)
{
    rk_sum_group g = {.total = total};

    if (total->worked)
        return;
    if (rk_sum_piece(s, total)->kind == RK_PIECE_ITEM) {
        gather_items(s, &g, total, end);
        rk_sum_judge(s, &g);
        return;
    }
    if (&s->entry[end] == total)
        gather_lines(s, &g, end, total->piece);
    if (g.n >= 2)
        rk_sum_judge(s, &g);
    else {
        g.n = 0;
        judge_below(s, &g, end);
    }
}

/* The row of a table that begins with a word for a total: each of its cells is one. */
static void judge_row(rk_adder *s, size_t first)
{
    const rk_piece *head = rk_sum_piece(s, &s->entry[first]);

    for (size_t i = first + 1; i < s->n_entry; i++) {
        const rk_piece *p = rk_sum_piece(s, &s->entry[i]);
        rk_sum_group g = {.total = &s->entry[i]};

        if (p->kind != RK_PIECE_CELL || p->table != head->table || p->row != head->row)
            return;
        if (!s->entry[i].value)
            continue;
        gather_column(s, &g, p->table, p->column, p->row);
        rk_sum_judge(s, &g);
    }
}

static bool names_total(rk_adder *s, const rk_entry *e)
{
    return !e->value && rk_entry_says_total(s->a, e->from, e->to);
}

static void judge_entry(rk_adder *s, size_t i)
{
    const rk_entry *e = &s->entry[i];

    if (rk_sum_piece(s, e)->kind == RK_PIECE_CELL) {
        if (rk_sum_piece(s, e)->row > 0 && rk_sum_piece(s, e)->column == 0 && names_total(s, e))
            judge_row(s, i);
    } else if (e->total) {
        judge_total(s, e, i);
    } else if (e->title && i + 1 < s->n_entry && s->entry[i + 1].value && s->entry[i + 1].whole) {
        judge_total(s, &s->entry[i + 1], i);
    }
}

/* Where each table begins. */
static bool find_tables(rk_adder *s)
{
    size_t n = s->a->scan.piece.n;
    uint32_t last = 0;

    for (size_t i = 0; i < n; i++)
        last = s->a->scan.piece.at[i].table > last ? s->a->scan.piece.at[i].table : last;
    s->table = RK_NEW_ARRAY(&s->a->arena, (size_t)last + 1, size_t);
    for (size_t i = s->n_entry; s->table && i > 0; i--)
        s->table[rk_sum_piece(s, &s->entry[i - 1])->table] = i - 1;
    return s->table;
}

int rk_judge_sums(rk_audit *a, rk_err *err)
{
    rk_entries entries = {.at = {0}};
    int code = rk_entries_find(a, &entries, err);
    rk_adder s = {.a = a, .entry = entries.at.at, .n_entry = entries.at.n, .tries = RK_SUM_TRIES_MAX};

    if (code != RK_OK)
        return code;
    s.row = RK_NEW_ARRAY(&a->arena, RK_SUM_ROWS_MAX, const rk_entry *);
    s.steps = RK_SUM_STEPS_PER_ENTRY * (s.n_entry + RK_SUM_ROWS_MAX);
    if (!s.row || !find_tables(&s))
        return rk_fail_memory(err);
    for (size_t i = 0; i < s.n_entry && !a->arena.failed; i++)
        judge_entry(&s, i);
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
