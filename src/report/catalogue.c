/* SPDX-License-Identifier: MIT */
/* What `reckon models` and `reckon ops` print: what is known. */
#include "report/view.h"

/* ---- models ----------------------------------------------------------------------------------------------------- */

static void put_models(rk_view *v, const rk_library *l, const rk_library_entry *e, size_t n, bool configs)
{
    /* Where a config is from is a name, which is worth no second line; what a model file says of itself is. */
    static const rk_column config[] = {{.head = "", .key = "name"},
                                       {.key = "kind"},
                                       {.head = "", .key = "family", .drop = 2},
                                       {.head = "", .key = "text", .drop = 1}};
    static const rk_column file[] = {{.head = "", .key = "name"},
                                     {.key = "kind"},
                                     {.head = "", .key = "family"},
                                     {.head = "", .key = "text", .wraps = true, .drop = 1}};
    rk_table *t = rk_page_table(&v->page, configs ? config : file, 4);

    for (size_t i = 0; i < n && v->code == RK_OK; i++) {
        rk_known k;
        rk_cell *cell;

        if (e[i].is_config != configs)
            continue;
        v->code = rk_library_describe(l, &v->arena, &e[i], &k, v->err);
        if (v->code != RK_OK || !k.name)
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 1);
        cell[0] = rk_cell_code(k.name);
        cell[1] = rk_cell_code(configs ? "config" : "model file");
        if (configs)
            cell[2] = rk_cell_code(k.family);
        cell[3] = rk_cell_text(&v->page, "%s", k.text);
    }
}

static void write_models(rk_view *v, const rk_library *l, const rk_library_entry *e, size_t n, bool configs)
{
    rk_json_open(&v->json, configs ? "models" : "files", '[');
    for (size_t i = 0; i < n && v->code == RK_OK; i++) {
        rk_known k;

        if (e[i].is_config != configs)
            continue;
        v->code = rk_library_describe(l, &v->arena, &e[i], &k, v->err);
        if (v->code != RK_OK || !k.name)
            continue;
        rk_json_row(&v->json, NULL);
        rk_json_text(&v->json, "name", k.name);
        if (configs)
            rk_json_text(&v->json, "family", k.family);
        rk_json_text(&v->json, "text", k.text);
        rk_json_close(&v->json);
    }
    rk_json_close(&v->json);
}

int rk_report_models(const rk_report *r, const rk_library *l, rk_err *err)
{
    rk_library_entry *e = NULL;
    size_t n = 0;
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    v.code = rk_library_list(l, &v.arena, &e, &n, err);
    if (r->format == RK_FORMAT_JSON) {
        rk_json_open(&v.json, NULL, '{');
        write_models(&v, l, e, n, true);
        write_models(&v, l, e, n, false);
        rk_json_close(&v.json);
    } else {
        rk_page_put(&v.page, RK_ITEM_HEADING, 0, "Models, with their family:");
        put_models(&v, l, e, n, true);
        rk_page_gap(&v.page);
        rk_page_put(&v.page, RK_ITEM_HEADING, 0, "Model files, which read a config or stand alone:");
        put_models(&v, l, e, n, false);
    }
    return rk_view_end(&v);
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static const char *const per_text[] = {
    [RK_PER_NONE] = "",
    [RK_PER_OUT] = "element of the result",
    [RK_PER_IN] = "element of the first operand",
    [RK_PER_PAIR] = "pair of elements multiplied",
    [RK_PER_ROTATED] = "element that is rotated",
    [RK_PER_SOLVE] = "element of the result and unknown",
};

static void put_ops(rk_view *v)
{
    static const rk_column column[] = {
        {.head = "operation", .key = "name"},
        {.head = "forward", .key = "forward", .right = true},
        {.head = "backward", .key = "backward", .right = true, .drop = 3},
        {.head = "per", .key = "per", .wraps = true, .drop = 1},
        {.head = "meaning", .key = "text", .wraps = true, .drop = 2},
    };
    rk_table *t = rk_page_table(&v->page, column, 5);

    for (size_t i = 0; i < RK_N_OP; i++) {
        const rk_op_row *row = &rk_op_table[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(row->name);
        cell[1] = rk_cell_count(row->forward);
        cell[2] = rk_cell_count(row->backward);
        cell[3] = rk_cell_text(&v->page, "%s", per_text[row->per]);
        cell[4] = rk_cell_text(&v->page, "%s", row->text);
    }
}

static void write_ops(rk_view *v)
{
    rk_json_open(&v->json, NULL, '{');
    rk_json_open(&v->json, "ops", '[');
    for (size_t i = 0; i < RK_N_OP; i++) {
        const rk_op_row *row = &rk_op_table[i];

        rk_json_row(&v->json, NULL);
        rk_json_text(&v->json, "name", row->name);
        rk_json_count(&v->json, "forward", row->forward);
        rk_json_count(&v->json, "backward", row->backward);
        rk_json_text(&v->json, "per", per_text[row->per]);
        rk_json_text(&v->json, "text", row->text);
        rk_json_close(&v->json);
    }
    rk_json_close(&v->json);
    rk_json_close(&v->json);
}

int rk_report_ops(const rk_report *r, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    if (r->format == RK_FORMAT_JSON) {
        write_ops(&v);
    } else {
        rk_page_put(&v.page, RK_ITEM_HEADING, 0,
                    "The operations of model files, and what each costs where every operation is counted:");
        rk_page_gap(&v.page);
        put_ops(&v);
    }
    return rk_view_end(&v);
}
