/* SPDX-License-Identifier: MIT */
/* What `--explain-config` prints: each key of a config that a family reads, what it gave, and what was not read. */
#include "report/view.h"

#include "plan/aside.h"
#include "report/figure.h"

#include <string.h>

/* ---- tables ----------------------------------------------------------------------------------------------------- */

enum { /* columns of both tables */
    COLUMN_KEY,
    COLUMN_VALUE,
    COLUMN_VALUE_KEY,
    COLUMN_SYMBOL,
    COLUMN_FROM,
    COLUMN_FROM_KEY,
    COLUMN_TEXT,
    N_COLUMN
};

static const rk_field column[N_COLUMN] = {
    [COLUMN_KEY] = {.head = "key", .key = "key"},
    [COLUMN_VALUE] = {.head = "value"},
    [COLUMN_VALUE_KEY] = {.key = "value"},
    [COLUMN_SYMBOL] = {.head = "symbol", .key = "symbol"},
    [COLUMN_FROM] = {.head = "from", .wraps = true, .drop = 2},
    [COLUMN_FROM_KEY] = {.key = "from"},
    [COLUMN_TEXT] = {.head = "meaning", .key = "meaning", .wraps = true, .drop = 1},
};

static const char *const from_word[] = {
    [RK_KEY_GIVEN] = "given", [RK_KEY_DEFAULT] = "default", [RK_KEY_LINE] = "line", [RK_KEY_UNREAD] = "not read"};

static rk_cell value_cell(rk_view *v, const rk_doc *d, bool for_people)
{
    rk_str s = {0};

    rk_str_value(&s, d, for_people);
    return rk_view_text(rk_view_keep(v, &s));
}

static void put_key(rk_view *v, rk_table *t, const rk_key *k)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[COLUMN_KEY] = rk_cell_code(k->path);
    cell[COLUMN_VALUE] = k->varies ? rk_cell_text(&v->page, "by layer") : value_cell(v, &k->value, true);
    cell[COLUMN_VALUE_KEY] = value_cell(v, &k->value, false);
    cell[COLUMN_FROM_KEY] = rk_cell_text(&v->page, "%s", from_word[k->from]);
    if (k->from != RK_KEY_UNREAD)
        /* A default that differs between layers has its formula alone. */
        cell[COLUMN_FROM] = k->otherwise ? rk_cell_text(&v->page, "default: %s", k->otherwise)
                                         : rk_cell_text(&v->page, "%s", from_word[k->from]);
    if (k->symbol)
        cell[COLUMN_SYMBOL] = rk_cell_code(k->symbol);
    if (k->text)
        cell[COLUMN_TEXT] = rk_cell_text(&v->page, "%s", k->text);
}

static bool is_unread(const rk_key *k, const rk_aside *aside)
{
    return k->from == RK_KEY_UNREAD && !rk_aside_reason(aside, k->path);
}

static void fill_page(rk_view *v, const rk_aside *aside)
{
    const rk_model *m = v->model;
    rk_table *read, *unread = NULL;
    size_t n_aside = 0;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: the config as the family %s reads it", m->name, m->family);
    rk_page_gap(&v->page);
    read = rk_page_table(&v->page, column, N_COLUMN);
    for (size_t i = 0; i < m->n_key; i++)
        if (m->key[i].from != RK_KEY_UNREAD)
            put_key(v, read, &m->key[i]);
    rk_page_gap(&v->page);
    for (size_t i = 0; i < m->n_key; i++) {
        n_aside += m->key[i].from == RK_KEY_UNREAD && !is_unread(&m->key[i], aside);
        if (!is_unread(&m->key[i], aside))
            continue;
        if (!unread) {
            rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Structural keys that were not read:");
            unread = rk_page_table(&v->page, column, N_COLUMN);
        }
        put_key(v, unread, &m->key[i]);
    }
    if (!unread)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "There is no structural key that was not read.");
    if (n_aside > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "%zu key%s about names, tokens, training and the like %s left out.",
                    n_aside, n_aside == 1 ? "" : "s", n_aside == 1 ? "is" : "are");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_key(rk_json *j, const rk_key *k)
{
    rk_json_row(j, NULL);
    rk_json_text(j, "key", k->path);
    rk_json_value(j, "value", &k->value);
    if (k->symbol)
        rk_json_text(j, "symbol", k->symbol);
    if (k->text)
        rk_json_text(j, "meaning", k->text);
    if (k->from != RK_KEY_UNREAD)
        rk_json_text(j, "from", from_word[k->from]);
    if (k->otherwise)
        rk_json_text(j, "default", k->otherwise);
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_aside *aside)
{
    const rk_model *m = v->model;

    rk_json_open(&v->json, NULL, '{');
    rk_json_text(&v->json, "model", m->name);
    rk_json_text(&v->json, "family", m->family);
    rk_json_open(&v->json, "keys", '[');
    for (size_t i = 0; i < m->n_key; i++)
        if (m->key[i].from != RK_KEY_UNREAD)
            write_key(&v->json, &m->key[i]);
    rk_json_close(&v->json);
    rk_json_open(&v->json, "not_read", '[');
    for (size_t i = 0; i < m->n_key; i++)
        if (is_unread(&m->key[i], aside))
            write_key(&v->json, &m->key[i]);
    rk_json_close(&v->json);
    rk_json_close(&v->json);
}

int rk_report_explain(const rk_report *r, const rk_ledger *l, const rk_library *library, rk_err *err)
{
    rk_aside aside = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.code = rk_aside_read(library, &v.arena, &aside, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, &aside);
    else
        fill_page(&v, &aside);
    return rk_view_end(&v);
}
