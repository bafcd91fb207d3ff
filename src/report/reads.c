/* SPDX-License-Identifier: MIT */
/* What `reckon models --keys` prints: what a family reads from a config. */
#include "report/answers.h"
#include "report/view.h"

#include "plan/reads.h"

static const rk_field key_field[] = {
    RK_COLUMN("key", "key", CODE, "its path in the config"),
    RK_COLUMN("default", "default", CODE, "what it is where it is absent", .wraps = true),
    RK_COLUMN("symbol", "symbol", CODE, "whose number it is"),
    RK_COLUMN("meaning", "meaning", TEXT, "of the symbol", .wraps = true, .drop = 1),
};
static const rk_fields key_fields = {key_field, 4};

static const rk_field answer_field[] = {
    RK_KEY("family", TEXT, "the family's name"),
    RK_LIST("keys", key_fields, "what it reads"),
};
const rk_fields rk_answer_keys = {answer_field, 2};

int rk_report_keys(const rk_report *r, const rk_text *t, rk_err *err)
{
    const char *name = NULL, *text = NULL;
    rk_reads_key *k = NULL;
    rk_cell *answer;
    rk_table *table;
    size_t n = 0;
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    v.code = rk_library_headline(&v.arena, t, &name, &text, err);
    if (v.code == RK_OK)
        v.code = rk_reads(&v.arena, t, NULL, &k, &n, err);
    answer = rk_page_answer(&v.page, &rk_answer_keys);
    answer[0] = rk_cell_known(name);
    rk_page_put(&v.page, RK_ITEM_HEADING, 0, "What the family %s reads from a config:", name ? name : "");
    rk_page_gap(&v.page);
    table = rk_cell_list(&v.page, &answer[1], &key_fields);
    rk_page_show(&v.page, table);
    for (size_t i = 0; i < n; i++) {
        rk_cell *cell = rk_page_row(&v.page, table, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(k[i].path);
        cell[1] = rk_cell_name(k[i].otherwise);
        cell[2] = rk_cell_name(k[i].symbol);
        if (k[i].text)
            cell[3] = rk_view_text(k[i].text);
    }
    return rk_view_end(&v);
}
