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

static const rk_column column[N_COLUMN] = {
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

static void fill_page(rk_view *v, const rk_task_rows *rows)
{
    rk_table *t;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: the tasks of a training step", v->model->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_convention(v);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "Bytes: of numbers of %d bytes, as if nothing stayed on the chip between tasks.", RK_TASK_NUMBER_BYTES);
    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, N_COLUMN);
    for (size_t i = 0; i < rows->n && v->code == RK_OK; i++) {
        const rk_task_row *row = &rows->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[TASK] = rk_cell_code(rk_task_word[row->kind]);
        cell[PATH] = rk_cell_code(row->path);
        if (row->layers)
            cell[LAYERS] = rk_cell_code(row->layers);
        if (row->of)
            cell[OF] = rk_cell_code(row->of);
        cell[TIMES] = rk_cell_count(row->times);
        cell[FLOPS] = rk_cell_count(rk_view_value(v, row->flops));
        cell[READ] = rk_cell_count(rk_view_value(v, row->read));
        cell[WRITTEN] = rk_cell_count(rk_view_value(v, row->written));
        cell[SAVES] = rk_cell_count(row->saves);
    }
}

static void write_json(rk_view *v, const rk_task_rows *rows)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", v->model->name);
    rk_view_json_like(v);
    rk_view_json_symbols(v);
    rk_view_json_convention(v);
    rk_json_count(j, "number_bytes", RK_TASK_NUMBER_BYTES);
    rk_json_open(j, "tasks", '[');
    for (size_t i = 0; i < rows->n && v->code == RK_OK; i++) {
        const rk_task_row *row = &rows->at[i];

        rk_json_row(j, NULL);
        rk_json_text(j, "task", rk_task_word[row->kind]);
        rk_json_text(j, "path", row->path);
        if (row->layers)
            rk_json_text(j, "layers", row->layers);
        if (row->of)
            rk_json_text(j, "of", row->of);
        rk_json_count(j, "times", row->times);
        rk_json_count(j, "flops", rk_view_value(v, row->flops));
        rk_json_count(j, "read", rk_view_value(v, row->read));
        rk_json_count(j, "written", rk_view_value(v, row->written));
        rk_json_count(j, "saves", row->saves);
        rk_json_close(j);
    }
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_tasks(const rk_report *r, const rk_ledger *l, const struct rk_profile *profile, const rk_flops_options *o,
                    rk_err *err)
{
    rk_task_rows rows = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    rk_view_value(&v, l->forward); /* where numbers are missing, the message names them all */
    if (v.code == RK_OK)
        v.code = rk_task_rows_new(&v.arena, l, profile, o->step ? &o->optimizer : NULL, &rows, err);
    if (v.code == RK_OK && r->format == RK_FORMAT_JSON)
        write_json(&v, &rows);
    else if (v.code == RK_OK)
        fill_page(&v, &rows);
    return rk_view_end(&v);
}
