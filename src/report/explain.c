/* SPDX-License-Identifier: MIT */
/* What `--explain-config` prints: each key of a config that a family reads, what it gave, and what was not read. */
#include "report/answers.h"
#include "report/view.h"

#include "plan/ignored_keys.h"

#define KEY_FIELDS(X)                                                                                                  \
    X(KEY, RK_COLUMN("key", "key", CODE, "its path in the config"))                                                    \
    X(VALUE, RK_COLUMN("value", "value", VALUE, "as it was read"))                                                     \
    X(SYMBOL, RK_COLUMN("symbol", "symbol", CODE, "whose number it is"))                                               \
    X(FROM, RK_COLUMN("from", "from", TEXT, "given, default, line, or not read", .wraps = true, .drop = 2))            \
    X(MEANING, RK_COLUMN("meaning", "meaning", TEXT, "of it", .wraps = true, .drop = 1))                               \
    X(DEFAULT, RK_KEY("default", TEXT, "the formula of a default", .json = true))
RK_FIELD_TABLE(key_field, N_FIELD, KEY_FIELDS);
static const rk_fields key_fields = {key_field, N_FIELD};

#define ANSWER_FIELDS(X)                                                                                               \
    X(FAMILY, RK_KEY("family", TEXT, "whose file reads the config"))                                                   \
    X(KEYS, RK_LIST("keys", key_fields, "that it reads"))                                                              \
    X(NOT_READ, RK_LIST("not_read", key_fields, "structural keys that it does not"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_config = {answer_field, N_ANSWER};

static const char *const from_word[] = {
    [RK_KEY_GIVEN] = "given", [RK_KEY_DEFAULT] = "default", [RK_KEY_LINE] = "line", [RK_KEY_UNREAD] = "not read"};

static void put_key(rk_view *v, rk_table *t, const rk_key *k)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[KEY] = rk_cell_code(k->path);
    cell[VALUE] = rk_cell_value(&k->value);
    if (k->varies)
        cell[VALUE] = rk_cell_both(&v->page, cell[VALUE], rk_view_text("by layer"));
    cell[SYMBOL] = rk_cell_name(k->symbol);
    cell[FROM] = rk_view_text(from_word[k->from]);
    if (k->from == RK_KEY_UNREAD)
        cell[FROM] = rk_cell_both(&v->page, cell[FROM], (rk_cell){0}); /* its heading says so */
    else if (k->otherwise)
        /* A default that differs between layers has its formula alone. */
        cell[FROM] = rk_cell_both(&v->page, cell[FROM], rk_cell_text(&v->page, "default: %s", k->otherwise));
    if (k->text)
        cell[MEANING] = rk_view_text(k->text);
    cell[DEFAULT] = rk_cell_name(k->otherwise);
}

static void fill(rk_view *v, const rk_ignored_keys *aside)
{
    const rk_model *m = v->model;
    rk_cell *answer = rk_view_answer(v, &rk_answer_config);
    rk_table *read = rk_cell_list(&v->page, &answer[KEYS], &key_fields);
    rk_table *unread = rk_cell_list(&v->page, &answer[NOT_READ], &key_fields);
    size_t n_aside = 0;

    answer[FAMILY] = rk_cell_known(m->family);
    for (size_t i = 0; i < m->n_key; i++) {
        const rk_key *k = &m->key[i];

        if (k->from == RK_KEY_UNREAD && rk_ignored_key_reason(aside, k->path))
            n_aside++;
        else
            put_key(v, k->from == RK_KEY_UNREAD ? unread : read, k);
    }
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: the config as the family %s reads it", m->name, m->family);
    rk_page_gap(&v->page);
    rk_page_show(&v->page, read);
    rk_page_gap(&v->page);
    if (unread->row.n > 0) {
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Structural keys that were not read:");
        rk_page_show(&v->page, unread);
    } else {
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "There is no structural key that was not read.");
    }
    if (n_aside > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "%zu key%s about names, tokens, training and the like %s left out.",
                    n_aside, n_aside == 1 ? "" : "s", n_aside == 1 ? "is" : "are");
}

int rk_report_explain(const rk_report *r, const rk_ledger *l, const rk_library *library, rk_err *err)
{
    rk_ignored_keys aside = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.page.whole = true;
    v.code = rk_ignored_keys_read(library, &v.arena, &aside, err);
    if (v.code == RK_OK)
        fill(&v, &aside);
    return rk_view_end(&v);
}
