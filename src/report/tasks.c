/* SPDX-License-Identifier: MIT */
/* What `reckon flops --tasks` prints: the tasks of a training step, in their order. */
#include "report/view.h"

#include "account/tasks.h"

enum { /* columns */
    TASK,
    PATH,
    LAYERS,
    OF,
    TIMES,
    FLOPS,
    READ,
    WRITTEN,
    SAVES,
    N_COLUMN
};

static const rk_field column[N_COLUMN] = {
    [TASK] = {.head = "task", .key = "task"},
    [PATH] = {.head = "", .key = "path"},
    [LAYERS] = {.key = "layers"},
    [OF] = {.head = "of", .key = "of", .drop = 2},
    [TIMES] = {.head = "times", .key = "times", .right = true, .drop = 5},
    [FLOPS] = {.head = "each", .key = "flops", .right = true},
    [READ] = {.head = "bytes read", .key = "read", .right = true, .drop = 3},
    [WRITTEN] = {.head = "written", .key = "written", .right = true, .drop = 4},
    [SAVES] = {.head = "saved", .key = "saves", .right = true, .drop = 1},
};

int rk_report_tasks(const rk_report *r, const rk_ledger *l, const struct rk_profile *profile, const rk_flops_options *o,
                    rk_err *err)
{
    rk_task_rows rows = {0};
    rk_table *t;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    rk_view_value(&v, l->forward); /* where numbers are missing, the message names them all */
    if (v.code == RK_OK)
        v.code = rk_task_rows_new(&v.arena, l, profile, o->step ? &o->optimizer : NULL, &rows, err);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "%s: the tasks of a training step", v.model->name);
    rk_view_put_like(&v);
    rk_view_put_run(&v);
    rk_view_put_convention(&v);
    rk_page_put(&v.page, RK_ITEM_LINE, 0,
                "Bytes: of numbers of %d bytes, as if nothing stayed on the chip between tasks.", RK_TASK_NUMBER_BYTES);
    rk_page_gap(&v.page);
    t = rk_page_table(&v.page, column, N_COLUMN);
    for (size_t i = 0; i < rows.n && v.code == RK_OK; i++) {
        const rk_task_row *row = &rows.at[i];
        rk_cell *cell = rk_page_row(&v.page, t, RK_ROW_PLAIN, 0);

        cell[TASK] = rk_cell_code(rk_task_word[row->kind]);
        cell[PATH] = rk_cell_code(row->path);
        if (row->layers)
            cell[LAYERS] = rk_cell_code(row->layers);
        if (row->of)
            cell[OF] = rk_cell_code(row->of);
        cell[TIMES] = rk_cell_count(row->times);
        cell[FLOPS] = rk_cell_count(rk_view_value(&v, row->flops));
        cell[READ] = rk_cell_count(rk_view_value(&v, row->read));
        cell[WRITTEN] = rk_cell_count(rk_view_value(&v, row->written));
        cell[SAVES] = rk_cell_count(row->saves);
    }
    if (r->format == RK_FORMAT_JSON) {
        rk_view_json_begin(&v);
        rk_view_json_symbols(&v);
        rk_view_json_convention(&v);
        rk_json_count(&v.json, "number_bytes", RK_TASK_NUMBER_BYTES);
        rk_view_json_table(&v, "tasks", t);
        rk_json_close(&v.json);
    }
    return rk_view_end(&v);
}
