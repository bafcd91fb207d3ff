/* SPDX-License-Identifier: MIT */
/* What `reckon explain PATH saved` and `memory` print: bytes, from the line that holds them to the number. */
#include "report/held.h"
#include "report/answers.h"
#include "report/assumptions.h"
#include "report/figure.h"
#include "report/memory_answer.h"
#include "report/row.h"
#include "report/steps.h"
#include "report/train.h"
#include "report/view.h"

#include <string.h>

#define NEEDED_SHOWN 4 /* operations that need a buffer, of which people read the names */

#define ROW_FIELDS(X)                                                                                                  \
    X(PATH, RK_COLUMN("", "path", CODE, "the operation that made it, or the tensor", .json = true))                    \
    X(WHAT, RK_COLUMN("", "what", TEXT, "what it is beside the operation's result", .json = true, .drop = 4))          \
    X(KIND, RK_COLUMN("as", "kind", TEXT, "weights, optimizer, gradients, kept (saved for backward), …", .json = true, \
                      .drop = 6))                                                                                      \
    X(PART, RK_KEY("part", TEXT, "whose it is: attention, ffn, norms …"))                                              \
    X(LINE, RK_KEY("line", CODE, "the model's line that it comes from, with its sizes"))                               \
    X(LINE_PATH, RK_KEY("line_path", CODE, "the row of that line"))                                                    \
    X(FILE_NAME, RK_KEY("file", CODE, "where its equation stands"))                                                    \
    X(FILE_LINE, RK_KEY("file_line", COUNT, "the number of that line"))                                                \
    X(GLOSS, RK_KEY("gloss", TEXT, "in words, with its shape"))                                                        \
    X(TYPE, RK_COLUMN("type", "type", TEXT, "of a number of it", .json = true, .drop = 3))                             \
    X(RULE, RK_KEY("rule", TEXT, "why it is there, and until when"))                                                   \
    X(EACH, RK_COLUMN("each", "bytes", COUNT, "of one", .json = true, .unit = "B", .right = true, .drop = 5))          \
    X(TIMES, RK_COLUMN("times", "times", COUNT, "how many", .json = true, .right = true, .drop = 7))                   \
    X(TOTAL, RK_COLUMN("bytes", "bytes_total", COUNT, "of all of them", .json = true, .unit = "B", .right = true))     \
    X(SHARE, RK_COLUMN("share", "share", SHARE, "of what was asked for", .json = true, .right = true, .drop = 1))      \
    X(FORMULA, RK_COLUMN("formula of each", "formula", FORMULA, "of one", .json = true, .wraps = true, .drop = 2))     \
    X(LATEX, RK_KEY("latex", TEXT, "the same, for LaTeX"))                                                             \
    X(SUBSTITUTED, RK_KEY("substituted", FORMULA, "the same, with numbers"))                                           \
    X(NEEDED_BY, RK_KEY("needed_by", TEXTS, "operations whose gradients need it"))                                     \
    X(UNTIL, RK_KEY("until", CODE, "the operation whose gradient lets go of it"))
RK_FIELD_TABLE(row_field, N_ROW, ROW_FIELDS);
static const rk_fields row_fields = {row_field, N_ROW};

#define ANSWER_FIELDS(X)                                                                                               \
    X(QUANTITY, RK_KEY("quantity", TEXT, "saved, or memory: at the peak"))                                             \
    X(ASKED, RK_KEY("path", CODE, "what was asked for; null: all"))                                                    \
    X(AS, RK_KEY("kind", TEXT, "row, part, tensor"))                                                                   \
    X(PROFILE, RK_OBJECT("profile", rk_profile_fields, "how the step is run"))                                         \
    X(DURING, RK_KEY("during", TEXT, "of the peak: when it is"))                                                       \
    X(AT, RK_KEY("at", CODE, "and the operation that is being done then"))                                             \
    X(ALL_FORMULA, RK_KEY("formula", FORMULA, "of all rows, without what the allocator rounds up"))                    \
    X(ALL_LATEX, RK_KEY("latex", TEXT, "the same, for LaTeX"))                                                         \
    X(ALL, RK_KEY("total", COUNT, "bytes of all rows"))                                                                \
    X(ROUNDING, RK_KEY("rounding", COUNT, "of them, what the allocator rounds up"))                                    \
    X(WHOLE, RK_KEY("whole", COUNT, "the same of the whole step"))                                                     \
    X(WHOLE_SHARE, RK_KEY("share", SHARE, "of that"))                                                                  \
    X(ROWS, RK_LIST("rows", row_fields, "buffers, and what is held of tensors"))                                       \
    X(SYMBOLS, RK_LIST("symbols", rk_used_symbol_fields, "of all formulas"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_explain_bytes = {answer_field, N_ANSWER};

typedef struct showing {
    rk_view *v;
    const rk_memory *m;
    const rk_model *equations;
    const rk_held_explanation *x;
} showing;

/* ---- why -------------------------------------------------------------------------------------------------------- */

static const char *reason(const showing *s, const rk_memory_row *row)
{
    rk_str out = {0};

    switch (row->kind) {
    case RK_ALIVE_WEIGHTS:
        return "Weights are held from step to step.";
    case RK_ALIVE_OPTIMIZER:
        return "The optimizer holds its state from step to step.";
    case RK_ALIVE_GRADIENTS:
        return "The gradient of a weight is held until the optimizer's step.";
    case RK_ALIVE_WORKSPACE:
        return "Workspace of the matrix library, held from step to step.";
    case RK_ALIVE_CACHE:
        return "Keys and values, or a state, are held for the tokens to come.";
    default:
        break;
    }
    if (row->kind == RK_ALIVE_FLOWING)
        return "The gradient of an activation, held until all that read it are done.";
    if (row->kind != RK_ALIVE_SAVED)
        return "It is in use at the peak, and is let go of after its last reader.";
    if (row->why.n == 0)
        return s->m->n_recomputed > 0 ? "It is saved so that the backward pass can compute again what was made of it."
                                      : "It is saved from the forward pass for the backward pass.";
    rk_str_put(&out, "It is saved for the gradient of ");
    for (size_t i = 0; i < row->why.n && i < NEEDED_SHOWN; i++)
        rk_str_format(&out, "%s%s", i == 0 ? "" : i + 1 == row->why.n ? " and " : ", ", row->why.by[i]);
    if (row->why.n > NEEDED_SHOWN)
        rk_str_format(&out, " and of %zu more", row->why.n - NEEDED_SHOWN);
    if (row->why.until && row->why.n == 1 && strcmp(row->why.until, row->why.by[0]) == 0)
        rk_str_put(&out, ", and held until that is done");
    else if (row->why.until)
        rk_str_format(&out, ", and held until that of %s is done", row->why.until);
    rk_str_put(&out, ".");
    return rk_view_keep(s->v, &out);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void put_line(const showing *s, rk_cell *cell, uint32_t line)
{
    const rk_program *p = &s->equations->program;
    const rk_op *op = &p->op[line];
    const char *summed = NULL, *text = rk_op_line(&s->v->arena, s->equations, line, &summed);
    int number = 0, column = 0;

    s->v->page.failed |= !text;
    cell[LINE] = rk_cell_name(text);
    cell[LINE_PATH] = rk_cell_name(rk_row_path(&s->v->arena, p, op->part, op->name));
    if (!op->span.source)
        return;
    rk_span_place(op->span, &number, &column);
    cell[FILE_NAME] = rk_cell_code(op->span.source->name);
    cell[FILE_LINE] = rk_cell_count(number);
}

static void put_row(const showing *s, rk_table *t, const rk_held_row *row)
{
    rk_view *v = s->v;
    const rk_memory_row *of = &row->of;
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    rk_i128 total = of->bytes * of->times;

    cell[PATH] = rk_cell_code(of->path);
    cell[WHAT] = rk_cell_both(&v->page, rk_cell_name(of->what), rk_view_text(of->what ? of->what : ""));
    cell[KIND] = rk_cell_both(&v->page, rk_cell_name(rk_alive_table[of->kind].word),
                              rk_view_text(s->x->quantity == RK_QUANTITY_SAVED ? "" : rk_alive_table[of->kind].text));
    cell[PART] = rk_cell_name(rk_owner_word[of->owner]);
    if (row->line != RK_NONE)
        put_line(s, cell, row->line);
    cell[GLOSS] = rk_cell_name(of->gloss && of->gloss[0] ? of->gloss : NULL);
    cell[TYPE] = rk_cell_both(&v->page, rk_cell_name(of->type), rk_view_text(of->type ? of->type : ""));
    cell[RULE] = rk_cell_name(reason(s, of));
    cell[EACH] = rk_cell_count(of->bytes);
    cell[TIMES] = rk_cell_count(of->times);
    cell[TOTAL] = rk_cell_count(total);
    cell[SHARE] = rk_cell_share(total, s->x->bytes);
    if (of->formula != RK_EX_FAILED) {
        cell[FORMULA] = rk_view_formula(v, of->formula);
        cell[LATEX] = rk_steps_latex(v, of->formula);
        cell[SUBSTITUTED] = rk_cell_formula(of->formula, 0);
        cell[SUBSTITUTED].at = rk_row_numbers(v);
    }
    if (of->why.n > 0)
        cell[NEEDED_BY] = rk_cell_texts(of->why.by, of->why.n);
    cell[UNTIL] = rk_cell_name(of->why.until);
}

/* Formula, numbers, bytes; and what the allocator makes of them. */
static void put_figures(const showing *s, const rk_memory_row *of)
{
    rk_view *v = s->v;
    rk_i128 exact = of->formula != RK_EX_FAILED ? rk_view_value(v, of->formula) : of->bytes;
    rk_cell numbers;
    const char *note = NULL;

    if (of->bytes != exact)
        note = rk_arena_format(&v->arena, "in a block of %s", rk_view_grouped(v, of->bytes));
    if (of->formula != RK_EX_FAILED && !rk_ex_is_int(v->pool, of->formula, &(rk_i128){0})) {
        numbers = rk_cell_formula(of->formula, 0);
        numbers.at = rk_row_numbers(v);
        rk_page_equation(&v->page, 0, "bytes", rk_cell_formula(of->formula, 0), NULL);
        if (rk_view_form(v, of->formula) != of->formula)
            rk_page_equation(&v->page, 0, NULL, rk_view_formula(v, of->formula), NULL);
        rk_page_equation(&v->page, 0, NULL, numbers, NULL);
        rk_page_equation(&v->page, 0, NULL, rk_cell_count(exact), note);
    } else {
        rk_page_equation(&v->page, 0, "bytes", rk_cell_count(exact), note);
    }
    if (of->times > 1) {
        rk_page_equation(
            &v->page, 0, "all",
            rk_cell_text(&v->page, "%s × %s", rk_view_grouped(v, of->times), rk_view_grouped(v, of->bytes)), NULL);
        rk_page_equation(&v->page, 0, NULL, rk_cell_count(of->bytes * of->times), NULL);
    }
}

/* One buffer, in words and figures; its line where it is another than that of the buffer before. */
static void put_whole_row(const showing *s, const rk_memory_row *of, const rk_cell *cell, const rk_cell *before)
{
    rk_view *v = s->v;
    rk_str name = {0};

    rk_page_gap(&v->page);
    if (cell[LINE].text && !(before && before[LINE].text && strcmp(before[LINE].text, cell[LINE].text) == 0))
        rk_page_code(&v->page, 1, cell[LINE].text,
                     cell[FILE_NAME].kind == RK_CELL_NOTHING
                         ? NULL
                         : rk_arena_format(&v->arena, "# %s:%d", cell[FILE_NAME].text, (int)cell[FILE_LINE].number));
    rk_str_format(&name, "%s%s%s", of->path, of->what ? ", " : "", of->what ? of->what : "");
    if (of->gloss && of->gloss[0])
        rk_str_format(&name, ": %s", of->gloss);
    if (of->type)
        rk_str_format(&name, "; in %s", of->type);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s.", rk_view_keep(v, &name));
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", cell[RULE].text);
    put_figures(s, of);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static void put_sum(const showing *s, rk_i128 rounding)
{
    rk_view *v = s->v;
    const rk_held_explanation *x = s->x;
    rk_str of = {0};

    rk_page_gap(&v->page);
    rk_view_put_sum(
        v, "total", x->formula,
        rounding > 0 ? rk_arena_format(&v->arena, "and %s that the allocator rounds up", rk_view_grouped(v, rounding))
                     : NULL);
    if (!x->path)
        return;
    rk_str_format(&of, "%s bytes (%s) are ", rk_view_grouped(v, x->bytes), rk_view_scaled(v, x->bytes, "B"));
    rk_str_share(&of, x->bytes, x->whole);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s of %s.", rk_view_keep(v, &of),
                x->quantity == RK_QUANTITY_SAVED ? "all that is saved" : "the peak");
}

static void put_rows(const showing *s, rk_table *rows)
{
    rk_view *v = s->v;
    const rk_held_explanation *x = s->x;

    if (x->row.n == 0) {
        rk_page_gap(&v->page);
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s",
                    x->quantity == RK_QUANTITY_SAVED ? "Nothing of it is saved for the backward pass."
                                                     : "Nothing of it is alive at the peak.");
        return;
    }
    if (x->kind == RK_EXPLAINED_PART) {
        rk_page_gap(&v->page);
        rk_page_show(&v->page, rows);
        return;
    }
    for (size_t i = 0; i < x->row.n && !v->page.failed; i++)
        put_whole_row(s, &x->row.at[i].of, rows->row.at[i].cell, i > 0 ? rows->row.at[i - 1].cell : NULL);
}

static void put_answer(const showing *s, rk_cell *answer, rk_i128 rounding)
{
    static const char *const kind[] = {
        [RK_EXPLAINED_ROW] = "row", [RK_EXPLAINED_PART] = "part", [RK_EXPLAINED_TENSOR] = "tensor"};
    const rk_held_explanation *x = s->x;
    rk_view *v = s->v;

    answer[QUANTITY] = rk_cell_name(x->quantity == RK_QUANTITY_SAVED ? "saved" : "memory");
    answer[ASKED] = x->path ? rk_cell_code(x->path) : rk_cell_null();
    answer[AS] = rk_cell_name(kind[x->kind]);
    rk_view_profile(v, &answer[PROFILE], &s->m->options);
    if (x->quantity == RK_QUANTITY_ALIVE) {
        answer[DURING] = rk_cell_name(s->m->peak_during);
        answer[AT] = rk_cell_name(s->m->peak_path);
    }
    answer[ALL_FORMULA] = rk_view_formula(v, x->formula);
    answer[ALL_LATEX] = rk_steps_latex(v, rk_view_form(v, x->formula));
    answer[ALL] = rk_cell_count(x->bytes);
    answer[ROUNDING] = rk_cell_count(rounding);
    answer[WHOLE] = rk_cell_count(x->whole);
    answer[WHOLE_SHARE] = rk_cell_share(x->bytes, x->whole);
}

static void fill(const showing *s)
{
    rk_view *v = s->v;
    const rk_held_explanation *x = s->x;
    bool saved = x->quantity == RK_QUANTITY_SAVED;
    rk_cell *answer = rk_view_answer(v, &rk_answer_explain_bytes);
    rk_table *rows = rk_cell_list(&v->page, &answer[ROWS], &row_fields), *symbols;
    rk_ex *e = RK_NEW_ARRAY(&v->arena, x->row.n + 2, rk_ex);
    rk_i128 rounding = x->bytes - rk_view_value(v, x->formula);
    size_t n = 0;

    put_answer(s, answer, rounding);
    for (size_t i = 0; i < x->row.n && !v->page.failed && v->code == RK_OK; i++) {
        put_row(s, rows, &x->row.at[i]);
        if (e && x->row.at[i].of.formula != RK_EX_FAILED)
            e[n++] = x->row.at[i].of.formula;
    }
    if (e)
        e[n++] = rk_view_form(v, x->formula);
    symbols = rk_row_symbols(v, &answer[SYMBOLS], e, e ? n : 0);
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s%s%s: bytes %s", v->model->name, x->path ? ", " : "",
                x->path ? x->path : "", saved ? "saved for backward" : "at the peak");
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_assumptions(v, &s->m->options);
    if (!saved && s->m->peak_during)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "The peak is in %s%s%s.", s->m->peak_during,
                    s->m->peak_path ? ", at " : "", s->m->peak_path ? s->m->peak_path : "");
    put_rows(s, rows);
    if (x->row.n > 0)
        put_sum(s, rounding);
    rk_page_gap(&v->page);
    rk_page_show(&v->page, symbols);
}

int rk_report_held(const rk_report *r, const rk_ledger *l, const rk_memory *m, const rk_model *equations,
                   rk_held_quantity quantity, const char *path, rk_err *err)
{
    rk_held_explanation x;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    v.page.whole = true;
    v.code = rk_held_explain(&v.arena, m, &equations->program, quantity, path, &x, err);
    if (v.code == RK_OK)
        fill(&(showing){.v = &v, .m = m, .equations = equations, .x = &x});
    return rk_view_end(&v);
}
