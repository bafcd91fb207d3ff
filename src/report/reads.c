/* SPDX-License-Identifier: MIT */
/* What `reckon models --keys` prints: what a family reads from a config. */
#include "report/view.h"

#include "plan/reads.h"

static const rk_column key_column[] = {
    {.head = "key", .key = "key"},
    {.head = "default", .key = "default", .wraps = true},
    {.head = "symbol", .key = "symbol"},
    {.head = "meaning", .key = "meaning", .wraps = true, .drop = 1},
};

static void put_keys(rk_view *v, const rk_reads_key *k, size_t n)
{
    rk_table *t = rk_page_table(&v->page, key_column, 4);

    for (size_t i = 0; i < n; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(k[i].path);
        if (k[i].otherwise)
            cell[1] = rk_cell_code(k[i].otherwise);
        if (k[i].symbol)
            cell[2] = rk_cell_code(k[i].symbol);
        if (k[i].text)
            cell[3] = rk_cell_text(&v->page, "%s", k[i].text);
    }
}

static void write_keys(rk_json *j, const char *family, const rk_reads_key *k, size_t n)
{
    rk_json_open(j, NULL, '{');
    rk_json_text(j, "family", family);
    rk_json_open(j, "keys", '[');
    for (size_t i = 0; i < n; i++) {
        rk_json_row(j, NULL);
        rk_json_text(j, "key", k[i].path);
        if (k[i].otherwise)
            rk_json_text(j, "default", k[i].otherwise);
        if (k[i].symbol)
            rk_json_text(j, "symbol", k[i].symbol);
        if (k[i].text)
            rk_json_text(j, "meaning", k[i].text);
        rk_json_close(j);
    }
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_keys(const rk_report *r, const rk_text *t, rk_err *err)
{
    const char *name = NULL, *text = NULL;
    rk_reads_key *k = NULL;
    size_t n = 0;
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    v.code = rk_library_headline(&v.arena, t, &name, &text, err);
    if (v.code == RK_OK)
        v.code = rk_reads(&v.arena, t, &k, &n, err);
    if (v.code == RK_OK && r->format == RK_FORMAT_JSON) {
        write_keys(&v.json, name, k, n);
    } else if (v.code == RK_OK) {
        rk_page_put(&v.page, RK_ITEM_HEADING, 0, "What the family %s reads from a config:", name ? name : "");
        rk_page_gap(&v.page);
        put_keys(&v, k, n);
    }
    return rk_view_end(&v);
}
