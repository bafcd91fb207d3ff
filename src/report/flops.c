/* SPDX-License-Identifier: MIT */
/* What `reckon flops` prints: every operation, forward and backward, summed up by part or by tensor. */
#include "report/answers.h"
#include "report/view.h"

#include "report/step.h"

/* Which nodes are rows of their own: all that hold nothing further, and parts at the last level shown. */
static bool is_row(const rk_roll_node *n, int depth)
{
    return n->n_below == 0 || (int)n->depth == depth;
}

static bool is_shown(const rk_roll_node *n, int depth)
{
    return depth == 0 || (int)n->depth <= depth;
}

/* People see totals, which add up, and what one of them is; programs get one occurrence. */
#define ROW_FIELDS(X)                                                                                                  \
    X(NAME, {.head = ""})                                                                                              \
    X(PATH, RK_KEY("path", CODE, "where it stands in the model"))                                                      \
    X(OP, RK_KEY("op", CODE, "the operation"))                                                                         \
    X(TENSOR, RK_KEY("tensor", CODE, "the tensor, with --by tensor", .json = true))                                    \
    X(LAYERS, RK_KEY("layers", CODE, "in which layers, where it is not in all"))                                       \
    X(TIMES, RK_COLUMN("times", "times", COUNT, "occurrences", .right = true, .drop = 5))                              \
    X(FORWARD, RK_COLUMN("each", "forward", COUNT, "FLOPs of one, forward", .right = true, .drop = 2))                 \
    X(BACKWARD, RK_KEY("backward", COUNT, "FLOPs of one, backward"))                                                   \
    X(FORWARD_ALL, {.head = "forward", .right = true})                                                                 \
    X(BACKWARD_ALL, {.head = "backward", .right = true, .drop = 1})                                                    \
    X(SHARE, {.head = "share", .key = "share", .kind = RK_CELL_SHARE, .csv = true, .right = true, .drop = 4})          \
    X(FORMULA, RK_COLUMN("formula of each", "formula", FORMULA, "of one, forward", .wraps = true, .drop = 3))
RK_FIELD_TABLE(row_field, N_FIELD, ROW_FIELDS);
static const rk_fields row_fields = {row_field, N_FIELD};

#define ANSWER_FIELDS(X)                                                                                               \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts"))                                        \
    X(TOTAL_FORWARD, RK_OBJECT("forward", rk_total_fields, "the forward pass"))                                        \
    X(TOTAL_BACKWARD, RK_OBJECT("backward", rk_total_fields, "the backward pass"))                                     \
    X(OPTIMIZER, RK_OBJECT("optimizer", rk_optimizer_fields, "the optimizer's step, with --step"))                     \
    X(STEP, RK_OBJECT("step", rk_total_fields, "all of them"))                                                         \
    X(TIME, RK_OBJECT("time", rk_time_fields, "how long it takes, with --steps"))                                      \
    X(ROWS, RK_LIST("rows", row_fields, "operations, or tensors"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_flops = {answer_field, N_ANSWER};

const char *rk_report_op(rk_arena *a, rk_op_id row)
{
    static const char *const id[] = {
#define ID(ID, ...) #ID,
        RK_OPS(ID)
#undef ID
    };
    char *word = rk_arena_text(a, id[row]);

    for (char *c = word; c && *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c); /* in every locale alike */
    return word;
}

static void put_node(rk_view *v, rk_table *t, const rk_rollup *tree, size_t *i, const rk_flops_options *o)
{
    int indent = (int)tree->node[*i].depth - 1;
    rk_cell name = rk_view_node_name(v, tree, i, o->depth);
    const rk_roll_node *n = &tree->node[*i];
    bool row = is_row(n, o->depth);
    rk_cell *cell = rk_page_row(&v->page, t, row ? RK_ROW_PLAIN : RK_ROW_PART, indent);
    rk_i128 total = rk_view_total(v, n->times, n->figure[0]);

    cell[NAME] = name;
    cell[PATH] = rk_cell_code(n->path);
    if (n->row != RK_NONE && o->by_tensor)
        cell[TENSOR] = rk_cell_code(n->path);
    else if (n->row != RK_NONE)
        cell[OP] = rk_cell_code(rk_report_op(&v->arena, v->model->program.op[v->ledger->op[n->row].op].row));
    cell[LAYERS] = rk_cell_name(n->layers);
    cell[TIMES] = rk_cell_count(rk_view_value(v, n->times));
    cell[FORWARD] = rk_view_flops(v, rk_view_value(v, n->figure[0]));
    cell[FORWARD_ALL] = rk_view_flops(v, total);
    if (o->phase == RK_PHASE_TRAIN) {
        cell[BACKWARD] = rk_view_flops(v, rk_view_value(v, n->figure[1]));
        cell[BACKWARD_ALL] = rk_view_flops(v, rk_view_total(v, n->times, n->figure[1]));
    }
    cell[SHARE] = rk_cell_share(total, rk_view_value(v, v->ledger->forward));
    cell[FORMULA] = rk_view_short_formula(v, n->figure[0], row ? 0 : RK_VIEW_TERMS_IN_TABLE);
}

static void put_sum(rk_view *v, const char *name, rk_ex e)
{
    rk_view_put_sum(v, name, e, rk_view_scaled(v, rk_view_value(v, e), rk_view_unit(v)));
}

static void fill(rk_view *v, const rk_rollup *tree, const rk_flops_options *o)
{
    static const char *const passes[] = {[RK_PHASE_TRAIN] = "a forward and a backward pass",
                                         [RK_PHASE_PREFILL] = "reading a prompt",
                                         [RK_PHASE_DECODE] = "a decoding step"};
    rk_cell *answer = rk_view_answer(v, &rk_answer_flops);
    bool train = o->phase == RK_PHASE_TRAIN;
    const rk_ledger *l = v->ledger;
    rk_optimizer_step optimizer = rk_view_step(v, o);
    rk_ex step = rk_view_step_total(v, &optimizer);
    rk_ex shown[] = {rk_view_form(v, l->forward), rk_view_form(v, l->backward), rk_view_form(v, step)};
    rk_table *t;
    rk_cell *cell;
    rk_i128 forward;

    rk_view_symbols(v, &answer[SYMBOLS]);
    rk_view_convention(v, &answer[CONVENTION]);
    rk_view_sum(v, &answer[TOTAL_FORWARD], l->forward);
    if (train)
        rk_view_sum(v, &answer[TOTAL_BACKWARD], l->backward);
    if (train)
        rk_view_sum(v, &answer[STEP], step);
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %ss of %s%s", v->model->name, rk_view_unit(v), passes[o->phase],
                o->step ? " and a step of the optimizer" : "");
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_convention(v);
    rk_page_gap(&v->page);
    t = rk_cell_list(&v->page, &answer[ROWS], &row_fields);
    rk_page_show(&v->page, t);
    rk_view_value(v, v->ledger->forward); /* where numbers are missing, the message names them all */
    for (size_t i = 1; i < tree->n && v->code == RK_OK; i++)
        if (is_shown(&tree->node[i], o->depth))
            put_node(v, t, tree, &i, o);
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    forward = rk_view_value(v, v->ledger->forward);
    cell[NAME] = rk_cell_text(&v->page, "total");
    cell[FORWARD_ALL] = rk_view_flops(v, forward);
    if (train)
        cell[BACKWARD_ALL] = rk_view_flops(v, rk_view_value(v, v->ledger->backward));
    cell[SHARE] = rk_cell_share(forward, forward);
    rk_page_gap(&v->page);
    put_sum(v, "forward", l->forward);
    if (train)
        put_sum(v, "backward", l->backward);
    if (o->step)
        put_sum(v, "optimizer", optimizer.total);
    if (train)
        put_sum(v, "step", step);
    rk_page_gap(&v->page);
    rk_view_put_optimizer(v, &answer[OPTIMIZER], &optimizer, o);
    rk_view_put_time(v, &answer[TIME], &optimizer, o);
    rk_view_put_symbols(v, shown, train ? 3 : 1);
}

int rk_report_flops(const rk_report *r, const rk_ledger *l, const rk_flops_options *o, rk_err *err)
{
    rk_rollup tree = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.code = o->by_tensor ? rk_rollup_tensors(&v.arena, l, &tree, err) : rk_rollup_ops(&v.arena, l, &tree, err);
    if (v.code == RK_OK)
        fill(&v, &tree, o);
    return rk_view_end(&v);
}
