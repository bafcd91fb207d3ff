/* SPDX-License-Identifier: MIT */
/* What `reckon models --keys` prints: what a family reads from a config. */
#include "report/view.h"

#include "plan/reads.h"

int rk_report_keys(const rk_report *r, const rk_text *t, rk_err *err)
{
    static const rk_field column[] = {{.head = "key", .key = "key"},
                                      {.head = "default", .key = "default", .wraps = true},
                                      {.head = "symbol", .key = "symbol"},
                                      {.head = "meaning", .key = "meaning", .wraps = true, .drop = 1}};
    const char *name = NULL, *text = NULL;
    rk_reads_key *k = NULL;
    rk_table *table;
    size_t n = 0;
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    v.code = rk_library_headline(&v.arena, t, &name, &text, err);
    if (v.code == RK_OK)
        v.code = rk_reads(&v.arena, t, &k, &n, err);
    rk_page_put(&v.page, RK_ITEM_HEADING, 0, "What the family %s reads from a config:", name ? name : "");
    rk_page_gap(&v.page);
    table = rk_page_table(&v.page, column, 4);
    for (size_t i = 0; i < n; i++) {
        rk_cell *cell = rk_page_row(&v.page, table, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(k[i].path);
        if (k[i].otherwise)
            cell[1] = rk_cell_code(k[i].otherwise);
        if (k[i].symbol)
            cell[2] = rk_cell_code(k[i].symbol);
        if (k[i].text)
            cell[3] = rk_view_text(k[i].text);
    }
    if (r->format == RK_FORMAT_JSON) {
        rk_json_open(&v.json, NULL, '{');
        rk_json_text(&v.json, "family", name);
        rk_view_json_table(&v, "keys", table);
        rk_json_close(&v.json);
    }
    return rk_view_end(&v);
}
