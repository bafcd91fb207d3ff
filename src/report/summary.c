/* SPDX-License-Identifier: MIT */
/* What `reckon MODEL` prints: the model on one page. */
#include "report/answers.h"
#include "report/view.h"

#include "report/shape.h"

enum {
    TERMS_BESIDE = 8 /* a formula with more of them stands below the figures, not beside them */
};

/* ---- words ------------------------------------------------------------------------------------------------------ */

static void put_head(rk_view *v)
{
    const rk_model *m = v->model;
    rk_str shape = {0};
    rk_i128 stored = 0;

    if (rk_view_known(v, v->ledger->stored, &stored))
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s parameters%s", m->name, rk_view_words(v, stored),
                    m->at_defaults ? ", a family at its default sizes" : "");
    else
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s", m->name);
    if (!m->at_defaults) /* it stands in the title */
        rk_view_put_like(v);
    rk_shape_put(v->instance, v->ledger->stored, &shape);
    if (shape.n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "%s", rk_str_text(&shape));
    if (m->text && m->text[0])
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", m->text);
    rk_view_put_notes(v);
    v->page.failed |= shape.failed;
    rk_str_free(&shape);
}

/* A formula too long for the table of figures. */
static void put_long_formula(rk_view *v, const char *name, rk_ex e)
{
    if (rk_ex_term_count(v->pool, rk_view_form(v, e)) > TERMS_BESIDE)
        rk_page_equation(&v->page, 0, name, rk_view_formula(v, e), NULL);
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* "2 × forward" where it is just that. */
static rk_cell times_forward(rk_view *v, rk_ex e)
{
    for (int i = 2; i <= 3; i++)
        if (rk_ex_mul(v->pool, rk_ex_int(v->pool, i), v->ledger->forward) == e)
            return rk_cell_text(&v->page, "%d × forward", i);
    return rk_view_short_formula(v, e, TERMS_BESIDE);
}

static void put_figure(rk_view *v, rk_table *t, const char *name, rk_ex e, rk_cell formula)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    bool is_flops = name[0] != 'p' && name[0] != 'a';
    rk_i128 n = 0;

    cell[0] = rk_cell_text(&v->page, "%s", name);
    if (!rk_ex_is_int(v->pool, rk_view_form(v, e), &n)) /* it would only repeat the number */
        cell[3] = formula;
    if (!rk_view_known(v, e, &n))
        return;
    cell[1] = rk_cell_count(n);
    cell[2] = rk_view_text(is_flops ? rk_view_scaled(v, n, rk_view_unit(v)) : rk_view_letters(v, n));
}

static void put_figures(rk_view *v)
{
    static const rk_field column[] = {{.head = ""},
                                      {.head = "", .right = true, .drop = 2},
                                      {.head = "", .right = true},
                                      {.head = "", .wraps = true, .drop = 1}};
    const rk_ledger *l = v->ledger;
    rk_ex step = rk_ex_add(v->pool, l->forward, l->backward);
    rk_table *t;

    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, 4);
    put_figure(v, t, "parameters", l->stored, rk_view_short_formula(v, l->stored, TERMS_BESIDE));
    if (l->active != l->stored)
        put_figure(v, t, "active per token", l->active, rk_view_short_formula(v, l->active, TERMS_BESIDE));
    put_figure(v, t, "forward", l->forward, rk_view_short_formula(v, l->forward, TERMS_BESIDE));
    put_figure(v, t, "backward", l->backward, times_forward(v, l->backward));
    put_figure(v, t, "step", step, times_forward(v, step));
}

/* ---- page ------------------------------------------------------------------------------------------------------- */

/* What the answer found, and the page says. */
typedef struct asides {
    rk_store_words store;
    const char *missing; /* NULL: every symbol has a value */
} asides;

static void put_page(rk_view *v, const void *about)
{
    static const rk_field column[] = {{.head = "", .typed = true}, {.head = "", .wraps = true, .drop = 1}};
    static const char *const command[][2] = {
        {"params", "every tensor, its shape and its count"},
        {"flops", "every operation, forward and backward"},
        {"memory", "the bytes of a training step, and its peak"},
        {"derive", "how the formulas come about, line by line"},
    };
    const char *asked = v->report->asked ? v->report->asked : v->model->name;
    const asides *a = about;
    const rk_ledger *l = v->ledger;
    rk_ex shown[4];
    rk_table *t;
    rk_i128 n;

    put_head(v);
    rk_view_put_run(v);
    put_figures(v);
    rk_view_put_components(v);
    if (rk_view_known(v, v->ledger->stored, &n))
        rk_page_gap(&v->page);
    rk_view_put_load(v, false);
    rk_view_put_store_words(v, &a->store);
    if (!a->store.line)
        rk_view_put_packing(v);
    /* Formulas that have no place above, and what the model's own symbols in all of them mean. */
    shown[0] = rk_view_form(v, l->stored);
    shown[1] = rk_view_form(v, l->active);
    shown[2] = rk_view_form(v, l->forward);
    shown[3] = rk_view_form(v, l->backward);
    rk_page_gap(&v->page);
    put_long_formula(v, "parameters", l->stored);
    put_long_formula(v, "forward", l->forward);
    rk_view_put_symbol_line(v, RK_SYMBOL_MODEL, shown, 4);
    if (a->missing)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", a->missing);
    rk_view_put_convention(v);
    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, 2);
    for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_text(&v->page, "reckon %s %s", command[i][0], asked);
        cell[0].kind = RK_CELL_CODE;
        cell[0].brief = rk_cell_text(&v->page, "reckon %s …", command[i][0]).text;
        cell[1] = rk_cell_text(&v->page, "%s", command[i][1]);
    }
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const rk_fields parameters_fields = {rk_parameters_field, 3}; /* what is trained is for params to say */

#define ANSWER_FIELDS(X)                                                                                               \
    X(FAMILY, RK_KEY("family", TEXT, "whose equations they are"))                                                      \
    X(TEXT, RK_KEY("text", TEXT, "what the model file says that it is"))                                               \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts"))                                        \
    X(PARAMETERS, RK_OBJECT("parameters", parameters_fields, "how many"))                                              \
    X(BYTES, RK_OBJECT("bytes", rk_load_fields, "of the weights in memory"))                                           \
    X(CHECKPOINT, RK_OBJECT("checkpoint", rk_checkpoint_fields, "how the config says it is stored"))                   \
    X(STORE, RK_OBJECT("file", rk_store_fields, "the checkpoint that was named"))                                      \
    X(FORWARD, RK_OBJECT("forward", rk_total_fields, "FLOPs, forward"))                                                \
    X(BACKWARD, RK_OBJECT("backward", rk_total_fields, "FLOPs, backward"))                                             \
    X(STEP, RK_OBJECT("step", rk_total_fields, "both"))                                                                \
    X(MISSING, RK_KEY("missing", TEXT, "which symbols have no value: numbers are null"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_summary = {answer_field, N_ANSWER};

static void fill(rk_view *v, asides *a)
{
    rk_cell *answer = rk_view_answer(v, &rk_answer_summary), *cell;
    const rk_ledger *l = v->ledger;
    rk_i128 n;

    answer[FAMILY] = rk_cell_known(v->model->family);
    answer[TEXT] = rk_cell_known(v->model->text);
    rk_view_symbols(v, &answer[SYMBOLS]);
    rk_view_convention(v, &answer[CONVENTION]);
    cell = rk_cell_object(&v->page, &answer[PARAMETERS], &parameters_fields);
    cell[0] = rk_view_number(v, l->stored);
    cell[1] = rk_view_number(v, l->named);
    cell[2] = rk_view_number(v, l->active);
    rk_view_load(v, &answer[BYTES]);
    rk_view_checkpoint(v, &answer[CHECKPOINT]);
    a->store = rk_view_store(v, &answer[STORE]);
    rk_view_sum(v, &answer[FORWARD], l->forward);
    rk_view_sum(v, &answer[BACKWARD], l->backward);
    rk_view_sum(v, &answer[STEP], rk_ex_add(v->pool, l->forward, l->backward));
    if (!rk_view_known(v, l->stored, &n) || !rk_view_known(v, l->forward, &n))
        a->missing = rk_view_missing(v, rk_ex_add(v->pool, l->stored, l->forward));
    answer[MISSING] = rk_cell_name(a->missing);
}

int rk_report_summary(const rk_report *r, const rk_ledger *l, rk_err *err)
{
    asides a = {0};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    fill(&v, &a);
    rk_view_page(&v, put_page, &a);
    return rk_view_end(&v);
}
