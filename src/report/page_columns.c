/* SPDX-License-Identifier: MIT */
/*
 * --columns: which columns of its tables a page shows, by their heads or by their names for programs.
 *
 * People find a column by its head first, programs by its key; a name stands for every column that is called so.  What
 * names the rows, the first column unless it has numbers, stays.  A table that has none of the columns is left out, and
 * its heading; one whose columns have no names at all, such as that of the symbols, stays.
 */
#include "report/page.h"

#include "base/map.h"
#include "plan/nearest.h"

#include <string.h>
#include <strings.h>

typedef struct choosing {
    rk_page *page;
    bool programs;
    const char *const *name;
    size_t n_name;
} choosing;

/* What a column is called, first and else; NULL: not at all. */
static const char *called(const choosing *ch, const rk_table *t, size_t c, bool first)
{
    const rk_field *f = &t->column[c];
    const char *key = f->key && !(ch->programs && (f->json || f->in)) ? f->key : NULL;
    const char *head = f->head && f->head[0] ? f->head : NULL;

    if (ch->programs)
        return !key ? NULL : first ? key : head;
    return !rk_column_is_seen(t, c) ? NULL : first ? head : key;
}

static size_t find_columns(const choosing *ch, const rk_table *t, const char *name, size_t *pick)
{
    size_t n = 0;

    for (int first = 1; first >= 0 && n == 0; first--)
        for (size_t c = 0; c < t->n_column; c++) {
            const char *is = called(ch, t, c, first);

            if (is && strcasecmp(is, name) == 0)
                pick[n++] = c;
        }
    return n;
}

static bool is_picked(const size_t *pick, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++)
        if (pick[i] == column)
            return true;
    return false;
}

/* Lays out the cells of all rows as they are picked: writers for people then know nothing of it. */
static void move_columns(rk_page *p, rk_table *t, const size_t *pick, size_t n)
{
    rk_field *column = RK_NEW_ARRAY(p->arena, n + 1, rk_field);

    p->failed |= !column;
    for (size_t i = 0; column && i < n; i++) {
        column[i] = t->column[pick[i]];
        column[i].joins &= i > 0 && pick[i] == pick[i - 1] + 1;
    }
    for (size_t r = 0; column && r < t->row.n; r++) {
        rk_cell *cell = RK_NEW_ARRAY(p->arena, n + 1, rk_cell);

        p->failed |= !cell;
        for (size_t i = 0; cell && i < n; i++)
            cell[i] = t->row.at[r].cell[pick[i]];
        t->row.at[r].cell = cell ? cell : p->no_cell;
    }
    if (column) {
        t->column = column;
        t->n_column = n;
    }
}

/* Whether a table has one of the columns; then it has no others. */
static bool choose_columns(const choosing *ch, rk_table *t)
{
    size_t pick[RK_PAGE_COLUMNS_MAX], n = 0, named = 0;

    if (!ch->programs && t->n_column > 0 && t->column[0].head && !t->column[0].right)
        pick[n++] = 0;
    for (size_t i = 0; i < ch->n_name; i++) {
        size_t is[RK_PAGE_COLUMNS_MAX], n_is = find_columns(ch, t, ch->name[i], is);

        named += n_is;
        for (size_t k = 0; k < n_is; k++)
            if (!is_picked(pick, n, is[k]))
                pick[n++] = is[k];
    }
    if (named == 0)
        return false;
    if (ch->programs) {
        t->pick = rk_arena_copy_array(ch->page->arena, pick, n, sizeof *pick);
        t->n_pick = n;
        ch->page->failed |= !t->pick;
    } else {
        move_columns(ch->page, t, pick, n);
    }
    return true;
}

/* Each name of a column once, of all tables. */
static int fail_unknown(const choosing *ch, const char *name)
{
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = name};
    rk_map seen = {0};
    rk_str known = {0};
    int code;

    for (const rk_item *item = ch->page->item.at; item < ch->page->item.at + ch->page->item.n; item++)
        for (size_t c = 0; item->kind == RK_ITEM_TABLE && c < item->table->n_column; c++) {
            const char *first = called(ch, item->table, c, true);
            const char *is = first ? first : called(ch, item->table, c, false);

            if (!is || rk_map_get(&seen, is, strlen(is)) != RK_NONE)
                continue;
            rk_map_put(ch->page->arena, &seen, is, strlen(is), 0);
            rk_nearest_try(&near, is);
            rk_str_format(&known, "%s%s", known.n ? ", " : "", is);
        }
    rk_nearest_hint(&near, hint);
    code = known.n ? rk_fail(ch->page->err, RK_EUSAGE, "--columns: no table here has '%s'%s (columns: %s)", name, hint,
                             rk_str_text(&known))
                   : rk_fail(ch->page->err, RK_EUSAGE, "--columns: there is no table here that has '%s'", name);
    rk_str_free(&known);
    return code;
}

/* The names between the commas. */
static size_t split(rk_page *p, const char *text, const char **name)
{
    size_t n = 0;

    for (; *text; text += strcspn(text, ","), text += *text == ',') {
        size_t length = strcspn(text, ",");
        const char *at = text;

        for (; length > 0 && *at == ' '; at++)
            length--;
        for (; length > 0 && at[length - 1] == ' ';)
            length--;
        if (length > 0)
            name[n++] = rk_arena_copy(p->arena, at, length);
    }
    return n;
}

static bool has_names(const choosing *ch, const rk_table *t)
{
    for (size_t c = 0; c < t->n_column; c++)
        if (called(ch, t, c, true) || called(ch, t, c, false))
            return true;
    return false;
}

static int check_names(const choosing *ch)
{
    for (size_t i = 0; i < ch->n_name; i++) {
        size_t is[RK_PAGE_COLUMNS_MAX], n = 0;

        for (size_t k = 0; k < ch->page->item.n && n == 0; k++)
            if (ch->page->item.at[k].kind == RK_ITEM_TABLE)
                n = find_columns(ch, ch->page->item.at[k].table, ch->name[i], is);
        if (n == 0)
            return fail_unknown(ch, ch->name[i]);
    }
    return RK_OK;
}

int rk_page_choose(rk_page *p, bool programs)
{
    const char **name = RK_NEW_ARRAY(p->arena, strlen(p->columns) / 2 + 1, const char *);
    choosing ch = {p, programs, name, name ? split(p, p->columns, name) : 0};
    int code = p->arena->failed ? rk_fail_memory(p->err) : RK_OK;
    size_t n = 0;

    if (code == RK_OK && ch.n_name == 0)
        code = rk_fail(p->err, RK_EUSAGE, "--columns needs the names of columns: total,share");
    if (code == RK_OK)
        code = check_names(&ch);
    for (size_t i = 0; i < p->item.n && code == RK_OK; i++) {
        rk_item item = p->item.at[i];

        if (item.kind == RK_ITEM_TABLE && !choose_columns(&ch, item.table) && has_names(&ch, item.table)) {
            n -= n > 0 && p->item.at[n - 1].kind == RK_ITEM_HEADING;
            n -= n > 0 && p->item.at[n - 1].kind == RK_ITEM_GAP;
        } else {
            p->item.at[n++] = item;
        }
    }
    p->item.n = n;
    return code;
}
