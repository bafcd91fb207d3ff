/* SPDX-License-Identifier: MIT */
/* What `reckon lines` prints: the model's equations as they are instantiated, each with what it costs and keeps. */
#include "report/lines.h"
#include "report/answers.h"
#include "report/view.h"

#include "ask/origin.h"
#include "model/owner.h"

#define LINE_FIELDS(X)                                                                                                 \
    X(LINE, RK_COLUMN("line", "line", CODE, "with the sizes of this place: gate[B S F] = …", .wraps = true))           \
    X(PATH, RK_KEY("path", CODE, "the row, as other commands name it"))                                                \
    X(PART, RK_KEY("part", TEXT, "whose it is: attention, ffn, norms …"))                                              \
    X(LAYERS, RK_KEY("layers", TEXT, "in which layers, where it is not in all"))                                       \
    X(TIMES, RK_COLUMN("times", "times", COUNT, "how often it occurs", .right = true, .drop = 3))                      \
    X(SUMMED, RK_KEY("summed", TEXT, "the axes that are summed, between spaces"))                                      \
    X(TENSOR, RK_KEY("tensor", CODE, "the stored tensor that it reads"))                                               \
    X(FILE_NAME, RK_KEY("file", CODE, "where its equation stands"))                                                    \
    X(FILE_LINE, RK_KEY("file_line", COUNT, "the number of that line"))                                                \
    X(PARAMS, RK_COLUMN("parameters", "parameters", COUNT, "of one: those that no line before it reads",               \
                        .right = true, .unit = "", .drop = 2))                                                         \
    X(PARAMS_FORMULA, RK_KEY("parameters_formula", FORMULA, "of the same"))                                            \
    X(PARAMS_ALL, RK_KEY("parameters_all", COUNT, "of all of them"))                                                   \
    X(FORWARD, RK_COLUMN("forward", "forward", COUNT, "FLOPs of one", .right = true, .unit = "FLOP"))                  \
    X(FORWARD_FORMULA, RK_KEY("forward_formula", FORMULA, "of the same"))                                              \
    X(FORWARD_ALL, RK_KEY("forward_all", COUNT, "FLOPs of all of them"))                                               \
    X(BACKWARD, RK_KEY("backward", COUNT, "FLOPs of one"))                                                             \
    X(SAVED, RK_COLUMN("saved", "saved", COUNT, "bytes that all of them save for backward", .right = true,             \
                       .unit = "B", .drop = 1))
RK_FIELD_TABLE(line_field, N_LINE, LINE_FIELDS);
static const rk_fields line_fields = {line_field, N_LINE};

#define ANSWER_FIELDS(X)                                                                                               \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts as an operation"))                        \
    X(TOTAL_SAVED, RK_KEY("saved", COUNT, "bytes saved for backward"))                                                 \
    X(ELSEWHERE, RK_KEY("saved_elsewhere", COUNT, "of them, what is no line's: inputs"))                               \
    X(LINES, RK_LIST("lines", line_fields, "in the order of the program"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_lines = {answer_field, N_ANSWER};

/* ---- what each line keeps --------------------------------------------------------------------------------------- */

static rk_i128 *find_saved(rk_view *v, const rk_memory *m, rk_i128 *elsewhere)
{
    const uint32_t *origin = rk_origins_find(&v->arena, &v->model->program, m->instance->program);
    rk_i128 *saved = RK_NEW_ARRAY(&v->arena, v->model->program.n_op + 1, rk_i128);

    *elsewhere = 0;
    for (size_t i = 0; origin && saved && i < m->saved_rows.n; i++) {
        const rk_memory_row *row = &m->saved_rows.at[i];
        uint32_t op = row->op == RK_NONE ? RK_NONE : origin[row->op];

        if (op == RK_NONE)
            *elsewhere += row->bytes * row->times;
        else
            saved[op] += row->bytes * row->times;
    }
    v->page.failed |= !origin || !saved;
    return saved;
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

typedef struct listing {
    rk_view *v;
    const rk_program *p;
    rk_owners owners;
    const rk_i128 *saved;
    bool *read; /* of each weight: a line before has read it */
    rk_table *table;
    uint32_t part; /* of the line before */
} listing;

/* Parameters that a line brings: of tied names, the first that is read. */
static rk_ex new_weights(listing *x, const rk_op *op, rk_cell *cell)
{
    rk_ex sum = rk_ex_int(x->v->pool, 0);

    for (size_t k = 0; k < op->n_in; k++) {
        const rk_tensor *t = &x->p->tensor[op->in[k].tensor];
        uint32_t owner;

        if (t->kind != RK_TENSOR_WEIGHT)
            continue;
        cell[TENSOR] = rk_cell_code(x->p->weight[t->weight].pattern);
        owner = rk_weight_owner(x->p, t->weight);
        if (!x->read[owner] && !x->p->weight[owner].buffer)
            sum = rk_ex_add(x->v->pool, sum, x->p->weight[owner].count);
        x->read[owner] = true;
    }
    return sum;
}

static void put_cost(listing *x, rk_cell *cell, uint32_t i, rk_ex times)
{
    rk_view *v = x->v;
    const rk_ledger *l = v->ledger;
    rk_ex forward = rk_ex_int(v->pool, 0), backward = forward;

    for (size_t k = 0; k < l->n_op; k++)
        if (l->op[k].op == i) {
            forward = rk_ex_add(v->pool, forward, l->op[k].forward);
            backward = rk_ex_add(v->pool, backward, l->op[k].backward);
            cell[LAYERS] = rk_cell_name(l->op[k].layers);
        }
    cell[FORWARD] = rk_view_number(v, forward);
    cell[FORWARD_ALL] = rk_view_number(v, rk_ex_mul(v->pool, forward, times));
    cell[BACKWARD] = rk_view_number(v, backward);
    if (!rk_ex_is_int(v->pool, forward, &(rk_i128){0}))
        cell[FORWARD_FORMULA] = rk_view_formula(v, forward);
}

static void put_line(listing *x, uint32_t i)
{
    rk_view *v = x->v;
    const rk_op *op = &x->p->op[i];
    const char *summed = NULL, *line = rk_op_line(&v->arena, v->model, i, &summed);
    rk_cell *cell = rk_page_row(&v->page, x->table, RK_ROW_PLAIN, 1);
    rk_ex params, times = rk_group_times(v->pool, x->p, op->group);
    int number = 0, column = 0;

    v->page.failed |= !line;
    cell[LINE] = rk_cell_code(line ? line : "");
    cell[PATH] = rk_cell_code(rk_row_path(&v->arena, x->p, op->part, op->name));
    cell[PART] = rk_cell_name(rk_owner_word[x->owners.op[i]]);
    cell[TIMES] = rk_view_number(v, times);
    cell[SUMMED] = rk_cell_name(summed);
    params = new_weights(x, op, cell);
    cell[PARAMS] = rk_view_number(v, params);
    cell[PARAMS_ALL] = rk_view_number(v, rk_ex_mul(v->pool, params, times));
    if (!rk_ex_is_int(v->pool, params, &(rk_i128){0}))
        cell[PARAMS_FORMULA] = rk_view_formula(v, params);
    put_cost(x, cell, i, times);
    cell[SAVED] = rk_cell_count(x->saved ? x->saved[i] : 0);
    if (op->span.source) {
        rk_span_place(op->span, &number, &column);
        cell[FILE_NAME] = rk_cell_code(op->span.source->name);
        cell[FILE_LINE] = rk_cell_count(number);
    }
}

static void put_lines(rk_view *v, rk_cell *answer, const rk_memory *m)
{
    listing x = {.v = v,
                 .p = &v->model->program,
                 .read = RK_NEW_ARRAY(&v->arena, v->model->program.n_weight + 1, bool),
                 .table = rk_cell_list(&v->page, &answer[LINES], &line_fields),
                 .part = RK_NONE};
    rk_i128 elsewhere = 0;

    if (v->code == RK_OK)
        v->code = rk_owners_find(&v->arena, x.p, &v->model->roles, &x.owners, v->err);
    x.saved = m ? find_saved(v, m, &elsewhere) : NULL;
    if (m) {
        answer[TOTAL_SAVED] = rk_cell_count(m->saved);
        answer[ELSEWHERE] = rk_cell_count(elsewhere);
    }
    for (uint32_t i = 0; i < x.p->n_op && v->code == RK_OK && x.read && !v->page.failed; i++) {
        const rk_op *op = &x.p->op[i];

        if (op->part != x.part && x.p->part[op->part].path[0]) { /* people see where a part begins */
            rk_cell *head = rk_page_row(&v->page, x.table, RK_ROW_PART, 0);

            head[LINE] = rk_cell_code(x.p->part[op->part].path);
        }
        x.part = op->part;
        put_line(&x, i);
    }
}

int rk_report_lines(const rk_report *r, const rk_ledger *l, const rk_memory *m, rk_err *err)
{
    rk_cell *answer;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, &rk_answer_lines);
    rk_view_symbols(&v, &answer[SYMBOLS]);
    rk_view_convention(&v, &answer[CONVENTION]);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "%s: its equations, with the sizes that they have here", v.model->name);
    rk_view_put_like(&v);
    rk_view_put_run(&v);
    rk_view_put_convention(&v);
    put_lines(&v, answer, m);
    rk_page_gap(&v.page);
    rk_page_show(&v.page, answer[LINES].table);
    if (m)
        rk_page_put(&v.page, RK_ITEM_LINE, 0, "Saved: bytes of all layers; %s in all.", rk_view_grouped(&v, m->saved));
    return rk_view_end(&v);
}
