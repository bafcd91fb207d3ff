/* SPDX-License-Identifier: MIT */
/* What `reckon flops --tasks` prints: the tasks of a training step, in their order. */
#include "report/answers.h"
#include "report/view.h"

#include "account/tasks.h"

#define ROW_FIELDS(X)                                                                                                  \
    X(TASK, RK_COLUMN("task", "task", CODE, "forward, backward, …"))                                                   \
    X(PATH, RK_COLUMN("", "path", CODE, "the operation, or what is updated"))                                          \
    X(LAYERS, RK_KEY("layers", CODE, "in which layers, where it is not in all"))                                       \
    X(OF, RK_COLUMN("of", "of", CODE, "the tensor whose gradient it makes", .drop = 2))                                \
    X(TIMES, RK_COLUMN("times", "times", COUNT, "how often", .right = true, .drop = 5))                                \
    X(FLOPS, RK_COLUMN("each", "flops", COUNT, "FLOPs of one", .right = true, .unit = "FLOP"))                         \
    X(READ, RK_COLUMN("bytes read", "read", COUNT, "bytes that one reads", .right = true, .unit = "B", .drop = 3))     \
    X(WRITTEN, RK_COLUMN("written", "written", COUNT, "bytes that one writes", .right = true, .unit = "B", .drop = 4)) \
    X(SAVES,                                                                                                           \
      RK_COLUMN("saved", "saves", COUNT, "bytes that one saves for backward", .right = true, .unit = "B", .drop = 1))
RK_FIELD_TABLE(row_field, N_FIELD, ROW_FIELDS);
static const rk_fields row_fields = {row_field, N_FIELD};

#define ANSWER_FIELDS(X)                                                                                               \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts"))                                        \
    X(NUMBER_BYTES, RK_KEY("number_bytes", COUNT, "of each number that is read or written"))                           \
    X(TASKS, RK_LIST("tasks", row_fields, "in their order"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_tasks = {answer_field, N_ANSWER};

int rk_report_tasks(const rk_report *r, const rk_ledger *l, const struct rk_profile *profile, const rk_flops_options *o,
                    rk_err *err)
{
    rk_task_rows rows = {0};
    rk_cell *answer;
    rk_table *t;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, &rk_answer_tasks);
    rk_view_symbols(&v, &answer[SYMBOLS]);
    rk_view_convention(&v, &answer[CONVENTION]);
    answer[NUMBER_BYTES] = rk_cell_count(RK_TASK_NUMBER_BYTES);
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
    t = rk_cell_list(&v.page, &answer[TASKS], &row_fields);
    rk_page_show(&v.page, t);
    for (size_t i = 0; i < rows.n && v.code == RK_OK; i++) {
        const rk_task_row *row = &rows.at[i];
        rk_cell *cell = rk_page_row(&v.page, t, RK_ROW_PLAIN, 0);

        cell[TASK] = rk_cell_code(rk_task_word[row->kind]);
        cell[PATH] = rk_cell_code(row->path);
        cell[LAYERS] = rk_cell_name(row->layers);
        cell[OF] = rk_cell_name(row->of);
        cell[TIMES] = rk_cell_count(row->times);
        cell[FLOPS] = rk_cell_count(rk_view_value(&v, row->flops));
        cell[READ] = rk_cell_count(rk_view_value(&v, row->read));
        cell[WRITTEN] = rk_cell_count(rk_view_value(&v, row->written));
        cell[SAVES] = rk_cell_count(row->saves);
    }
    return rk_view_end(&v);
}
