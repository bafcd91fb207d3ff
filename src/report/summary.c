/* SPDX-License-Identifier: MIT */
/* What `reckon MODEL` prints: the model on one page. */
#include "report/answers.h"
#include "report/view.h"

#include "report/shape.h"

enum {
    TERMS_BESIDE = 8 /* a formula with more of them is not beside the figures */
};

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* ", context 131,072 (yarn)" */
static void put_context(rk_view *v, rk_i128 context, rk_str *s)
{
    rk_str_format(s, "%scontext %s", s->n ? ", " : "", rk_view_grouped(v, context));
    if (v->model->scaling)
        rk_str_format(s, " (%s)", rk_view_safe(v, v->model->scaling));
}

static void put_head(rk_view *v, const rk_needs *needs)
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
    if (!rk_shape_put(v->instance, v->ledger->stored, &shape) && needs->context > 0)
        put_context(v, needs->context, &shape);
    if (shape.n > 0)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "%s", rk_str_text(&shape));
    if (m->text && m->text[0])
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", m->text);
    rk_view_put_notes(v);
    v->page.failed |= shape.failed;
    rk_str_free(&shape);
}

static bool is_long(rk_view *v, rk_ex e)
{
    return rk_ex_term_count(v->pool, rk_view_form(v, e)) > TERMS_BESIDE;
}

/* A formula too long for the table of figures; where that has its number, 'params' and 'flops' have the formula. */
static void put_long_formula(rk_view *v, const char *name, rk_ex e)
{
    rk_i128 n;

    if (is_long(v, e) && !rk_view_known(v, e, &n))
        rk_page_equation(&v->page, 0, name, rk_view_formula(v, e), NULL);
}

/* What the model's own symbols mean in the formulas that are shown. */
static void put_symbols(rk_view *v)
{
    const rk_ledger *l = v->ledger;
    const rk_ex all[] = {l->stored, l->active, l->forward, l->backward};
    rk_ex shown[4];
    size_t n_shown = 0;
    rk_i128 n;

    for (size_t i = 0; i < 4; i++)
        if (!is_long(v, all[i]) || !rk_view_known(v, all[i], &n))
            shown[n_shown++] = rk_view_form(v, all[i]);
    if (n_shown > 0)
        rk_view_put_symbol_line(v, RK_SYMBOL_MODEL, shown, n_shown);
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
    const rk_needs *needs;
    rk_table *memory; /* what they are, and what loads the model */
    rk_store_words store;
    const char *missing; /* NULL: every symbol has a value */
} asides;

/* What to ask next, with the model and the settings of this line. */
static void put_pointers(rk_view *v)
{
    static const rk_field column[] = {{.head = "", .typed = true}, {.head = "", .drop = 1}};
    static const char *const command[][3] = {
        {"fit", " --device h100", "what fits: batch, length, devices"},
        {"memory", "", "a step's peak, and what lowers it"},
        {"report", "", "all of it, with pictures"},
    };
    const char *asked = v->report->asked ? v->report->asked : v->model->name;
    rk_table *t;

    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, 2);
    for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_text(&v->page, "reckon %s %s%s", command[i][0], asked, command[i][1]);
        cell[0].kind = RK_CELL_CODE;
        cell[1] = rk_cell_text(&v->page, "%s", command[i][2]);
    }
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "Also params, flops and derive: every tensor, every operation, every formula.");
}

static void put_page(rk_view *v, const void *about)
{
    const asides *a = about;
    const rk_ledger *l = v->ledger;

    put_head(v, a->needs);
    rk_view_put_run(v);
    put_figures(v);
    rk_view_put_components(v);
    rk_view_put_needs(v, a->memory, a->needs);
    rk_view_put_store_words(v, &a->store);
    if (!a->store.line && v->model->quant.method)
        rk_view_put_packing(v); /* else the table says it */
    rk_page_gap(&v->page);
    put_long_formula(v, "parameters", l->stored);
    put_long_formula(v, "forward", l->forward);
    put_symbols(v);
    if (a->missing)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", a->missing);
    rk_view_put_counted(v);
    put_pointers(v);
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
    X(CONTEXT, RK_KEY("context", COUNT, "tokens that the config foresees; null: it does not say"))                     \
    X(PER_TOKEN, RK_KEY("cache_per_token", COUNT, "bytes that one more token of a sequence adds; null: no cache"))     \
    X(MEMORY, RK_LIST("memory", rk_needs_fields, "to load, serve and fine-tune it"))                                   \
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
    answer[CONTEXT] = rk_cell_count_if(a->needs->context > 0, a->needs->context);
    answer[PER_TOKEN] = rk_cell_count_if(a->needs->caches, a->needs->per_token);
    a->memory = rk_view_needs(v, &answer[MEMORY], a->needs, &a->store);
    rk_view_sum(v, &answer[FORWARD], l->forward);
    rk_view_sum(v, &answer[BACKWARD], l->backward);
    rk_view_sum(v, &answer[STEP], rk_ex_add(v->pool, l->forward, l->backward));
    if (!rk_view_known(v, l->stored, &n) || !rk_view_known(v, l->forward, &n))
        a->missing = rk_view_missing(v, rk_ex_add(v->pool, l->stored, l->forward));
    answer[MISSING] = rk_cell_name(a->missing);
}

int rk_report_summary(const rk_report *r, const rk_ledger *l, const rk_needs *needs, rk_err *err)
{
    asides a = {.needs = needs};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    fill(&v, &a);
    rk_view_page(&v, put_page, &a);
    return rk_view_end(&v);
}
