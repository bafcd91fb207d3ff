/* SPDX-License-Identifier: MIT */
#include "report/layout.h"

#include <string.h>

enum {
    WRAP_LEAST = 12, /* a narrower column of formulas is no help to anyone */
    NAME_LEAST = 12,
    BAR_LEAST = 6,
    BAR_MOST = 24
};

/* ---- measuring -------------------------------------------------------------------------------------------------- */

/* "96.6 G   27.6%" */
void rk_layout_put(const rk_page *p, const rk_table *t, const rk_layout *l, const rk_row *row, size_t c, rk_str *out)
{
    rk_str next = {0};

    rk_cell_put(p, &row->cell[c], l->brief, out);
    if (l->joined && c + 1 < t->n_column && t->column[c + 1].joins)
        rk_cell_put(p, &row->cell[c + 1], true, &next);
    if (next.n > 0) {
        size_t width = rk_text_width(rk_str_text(&next));

        rk_str_fill(out, ' ', RK_LAYOUT_GAP + (l->joined > width ? l->joined - width : 0));
        rk_str_put(out, rk_str_text(&next));
    }
    out->failed |= next.failed;
    rk_str_free(&next);
}

static size_t column_width(const rk_page *p, const rk_table *t, size_t c, const rk_layout *l, rk_str *scratch)
{
    size_t widest = rk_text_width(t->column[c].head);

    for (size_t r = 0; r < t->row.n; r++) {
        const rk_row *row = &t->row.at[r];
        size_t w;

        rk_str_reset(scratch);
        rk_layout_put(p, t, l, row, c, scratch);
        w = row->cell[c].kind == RK_CELL_BAR ? BAR_LEAST : rk_text_width(rk_str_text(scratch));
        w += w && c == 0 ? (size_t)(row->indent * RK_LAYOUT_INDENT) : 0;
        widest = w > widest ? w : widest;
    }
    return widest;
}

/* Whether a column without a head says what the one before it does: a count beside its rounded figure, both brief. */
static bool repeats(const rk_page *p, const rk_table *t, size_t before, size_t c, rk_str *scratch)
{
    if (before == SIZE_MAX || t->column[c].head[0] != '\0')
        return false;
    for (size_t r = 0; r < t->row.n; r++) {
        size_t n;

        rk_str_reset(scratch);
        rk_cell_put(p, &t->row.at[r].cell[before], true, scratch);
        n = scratch->n;
        rk_cell_put(p, &t->row.at[r].cell[c], true, scratch);
        if (scratch->n != 2 * n || (n && memcmp(scratch->text, scratch->text + n, n) != 0))
            return false;
    }
    return t->row.n > 0;
}

static void measure(const rk_page *p, const rk_table *t, rk_layout *l)
{
    rk_str scratch = {0};
    size_t before = SIZE_MAX; /* the last one that is seen */

    for (size_t c = 0; c < t->n_column; c++) {
        bool seen = rk_column_is_seen(t, c) && !(l->joined && t->column[c].joins) &&
                    !(l->brief && repeats(p, t, before, c, &scratch));

        l->width[c] = l->natural[c] = seen ? column_width(p, t, c, l, &scratch) : 0;
        before = seen ? c : before;
    }
    rk_str_free(&scratch);
}

size_t rk_layout_width(const rk_table *t, const rk_layout *l)
{
    size_t width = 0;

    for (size_t c = 0; c < t->n_column; c++)
        width += l->width[c] ? l->width[c] + RK_LAYOUT_GAP : 0;
    return width > RK_LAYOUT_GAP ? width - RK_LAYOUT_GAP : 0;
}

/* ---- giving way ------------------------------------------------------------------------------------------------- */

/* A column is never narrower than its head. */
static size_t at_least(const rk_table *t, size_t c, size_t least)
{
    size_t head = rk_text_width(t->column[c].head);

    return head > least ? head : least;
}

/* True where the table fits, with narrower columns where they wrap. */
static bool give_way(const rk_table *t, size_t columns, rk_layout *l)
{
    rk_layout narrow = *l;

    while (rk_layout_width(t, &narrow) > columns) {
        size_t *widest = NULL; /* of those that can still give a place */

        for (size_t c = 0; c < t->n_column; c++)
            if (narrow.width[c] && t->column[c].wraps && narrow.width[c] > at_least(t, c, WRAP_LEAST) &&
                (!widest || narrow.width[c] > *widest))
                widest = &narrow.width[c];
        if (!widest)
            return false;
        --*widest;
    }
    *l = narrow;
    return true;
}

static int last_drop(const rk_table *t)
{
    int last = 0;

    for (size_t c = 0; c < t->n_column; c++)
        last = t->column[c].drop > last ? t->column[c].drop : last;
    return last;
}

static bool leave_out(const rk_table *t, size_t columns, rk_layout *l)
{
    for (int drop = 1, last = last_drop(t); drop <= last; drop++) {
        for (size_t c = 0; c < t->n_column; c++)
            l->width[c] = t->column[c].drop == drop ? 0 : l->width[c];
        if (give_way(t, columns, l))
            return true;
    }
    return false;
}

/* What was left out for a column that went itself in the end comes back. */
static void take_back(const rk_table *t, size_t columns, rk_layout *l)
{
    for (int drop = last_drop(t); drop > 0; drop--) {
        rk_layout more = *l;

        for (size_t c = 0; c < t->n_column; c++)
            if (t->column[c].drop == drop && more.width[c] == 0)
                more.width[c] = more.natural[c];
        if (give_way(t, columns, &more))
            *l = more;
    }
}

/* ---- taking what is free ---------------------------------------------------------------------------------------- */

/* Bars grow alike, so that they can be compared. */
static void widen_bars(const rk_table *t, size_t columns, rk_layout *l)
{
    size_t bars[RK_PAGE_COLUMNS_MAX], n = 0, used = rk_layout_width(t, l), spare;

    for (size_t c = 0; c < t->n_column; c++) {
        bool any = false;

        for (size_t r = 0; r < t->row.n; r++)
            any |= t->row.at[r].cell[c].kind == RK_CELL_BAR;
        if (l->width[c] && any)
            bars[n++] = c;
    }
    spare = n && used < columns ? (columns - used) / n : 0;
    for (size_t i = 0; i < n; i++) {
        size_t wide = l->width[bars[i]] + spare;

        l->width[bars[i]] = wide < BAR_MOST || l->width[bars[i]] > BAR_MOST ? wide : BAR_MOST;
    }
}

static rk_layout fit(const rk_page *p, const rk_table *t, size_t columns, size_t joined)
{
    rk_layout l = {.joined = joined};
    bool fits;

    measure(p, t, &l);
    fits = give_way(t, columns, &l);
    if (!fits) {
        l.brief = true;
        measure(p, t, &l);
        fits = give_way(t, columns, &l) || leave_out(t, columns, &l);
        if (fits) {
            take_back(t, columns, &l);
        } else {
            /* The first column gets what the others leave. */
            size_t over = rk_layout_width(t, &l) - columns;

            fits = l.width[0] >= over + at_least(t, 0, NAME_LEAST);
            l.width[0] -= fits ? over : 0;
        }
    }
    l.stacked = !fits;
    widen_bars(t, columns, &l);
    return l;
}

rk_layout rk_layout_fit(const rk_page *p, const rk_table *t, size_t columns, bool joins)
{
    rk_layout l = fit(p, t, columns, 0);
    size_t joined = 0;

    for (size_t c = 1; joins && c < t->n_column; c++)
        if (t->column[c].joins && (l.stacked || !l.width[c]) && l.natural[c] > joined)
            joined = l.natural[c];
    return joined ? fit(p, t, columns, joined) : l;
}
