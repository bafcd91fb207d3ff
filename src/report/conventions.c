/* SPDX-License-Identifier: MIT */
/*
 * What `reckon flops --as` and `reckon memory --as` print: other conventions, all beside each other or one line by
 * line.  Those of operations have a reference, and say why they differ from it; rules for bytes stand beside the exact
 * account.
 */
#include "report/answers.h"
#include "report/conventions.h"

#include "report/figure.h"

/* Of a rule for bytes, and of each of its lines. */
#define EXACT_FIELD                                                                                                    \
    RK_COLUMN("exact", "exact", COUNT, "bytes of the exact account; null: it says nothing of it", .right = true,       \
              .drop = 2)

/* ---- one line of a convention ----------------------------------------------------------------------------------- */

enum {
    LINE_CLASS,
    LINE_OF,
    LINE_RULE,
    LINE_REFERENCE,
    LINE_COUNTED,
    LINE_EXACT,
    LINE_RATIO,
    LINE_DIFFERENCE,
    LINE_WHY,
    LINE_FORMULA,
    N_LINE
};

#define LINE_BEGIN                                                                                                     \
    [LINE_CLASS] = RK_COLUMN("", "class", TEXT, "the class of what is counted"),                                       \
    [LINE_RULE] = RK_KEY("rule", TEXT, "as its file writes it; null: none", .json = true)

static const rk_field flops_line_field[N_LINE] = {
    LINE_BEGIN,
    [LINE_REFERENCE] =
        RK_COLUMN("reference", "reference", COUNT, "FLOPs of all products", .right = true, .unit = "FLOP", .drop = 1),
    [LINE_COUNTED] =
        RK_COLUMN("counted", "counted", COUNT, "what the convention counts", .right = true, .unit = "FLOP", .drop = 3),
    [LINE_DIFFERENCE] =
        RK_COLUMN("difference", "difference", COUNT, "the second less the first", .right = true, .unit = "FLOP"),
    [LINE_WHY] = RK_COLUMN("", "why", TEXT, "what makes the difference", .wraps = true),
    [LINE_FORMULA] = RK_COLUMN("its formula", "formula", FORMULA, "of the difference", .wraps = true, .drop = 2),
};
static const rk_fields flops_line_fields = {flops_line_field, N_LINE};

static const rk_field bytes_line_field[N_LINE] = {
    LINE_BEGIN,
    [LINE_OF] = {.key = "of", .csv = true},
    [LINE_COUNTED] = RK_COLUMN("bytes", "bytes", COUNT, "what the rule gives", .right = true, .unit = "B"),
    [LINE_EXACT] = EXACT_FIELD,
    [LINE_RATIO] = {.head = "ratio", .key = "ratio", .csv = true, .right = true, .drop = 3},
    [LINE_FORMULA] = RK_COLUMN("formula", "formula", FORMULA, "of the rule", .wraps = true, .drop = 1),
};
static const rk_fields bytes_line_fields = {bytes_line_field, N_LINE};

static rk_cell ratio_cell(rk_view *v, rk_i128 n, rk_i128 whole)
{
    rk_str s = {0};

    rk_str_ratio(&s, n, whole);
    return rk_cell_both(&v->page, rk_cell_share(n, whole), rk_view_text(rk_view_keep(v, &s)));
}

/* Bytes beside those of the exact account, which are below 0 where it does not know them. */
static void put_exact(rk_view *v, rk_i128 counted, rk_i128 exact, rk_cell *exact_cell, rk_cell *ratio)
{
    *exact_cell = exact < 0 ? rk_cell_null() : rk_cell_count(exact);
    if (exact >= 0)
        *ratio = ratio_cell(v, counted, exact);
}

static void fill_line(rk_view *v, rk_cell *cell, const rk_named_convention *c, const rk_convention_line *l,
                      const rk_exact_bytes *exact)
{
    rk_cell formula = rk_view_short_formula(v, exact ? l->counted : l->difference, RK_VIEW_TERMS_IN_TABLE);

    cell[LINE_CLASS] = rk_cell_both(&v->page, rk_cell_name(rk_row_class_table[l->class].word),
                                    rk_view_text(rk_row_class_table[l->class].noun));
    cell[LINE_OF] = rk_cell_name(rk_convention_of_word[c->of]);
    cell[LINE_RULE] = l->rule ? rk_cell_name(l->rule) : rk_cell_null();
    cell[LINE_COUNTED] = rk_cell_count(l->n_counted);
    cell[LINE_FORMULA] = formula;
    if (exact) {
        put_exact(v, l->n_counted, exact->of_class[l->class], &cell[LINE_EXACT], &cell[LINE_RATIO]);
        return;
    }
    cell[LINE_REFERENCE] = rk_cell_count(l->n_reference);
    cell[LINE_DIFFERENCE] = rk_cell_count(l->n_difference);
    cell[LINE_WHY] = rk_view_text(l->why);
    if (l->n_difference == 0)
        cell[LINE_FORMULA] = rk_cell_both(&v->page, formula, (rk_cell){0});
}

/* ---- a convention ----------------------------------------------------------------------------------------------- */

enum {
    NAME,
    OF,
    UNIT,
    PER,
    SOURCE,
    SENTENCE,
    APPLIES,
    REASON,
    SUM,
    REFERENCE_SUM,
    COUNTED,
    EXACT,
    RATIO,
    WHY,
    WRITTEN,
    ROWS,
    N_CONVENTION
};

#define CONVENTION_BEGIN                                                                                               \
    [NAME] = RK_COLUMN("", "name", CODE, "the convention"),                                                            \
    [UNIT] = RK_KEY("unit", TEXT, "FLOP, MAC, byte", .json = true),                                                    \
    [PER] = RK_KEY("per", TEXT, "what its source quotes it for", .json = true),                                        \
    [SOURCE] = RK_KEY("source", TEXT, "the paper or the tool", .json = true),                                          \
    [SENTENCE] = RK_KEY("text", TEXT, "what it counts, in a sentence", .json = true),                                  \
    [APPLIES] = RK_KEY("applies", TRUTH, "to this model", .json = true),                                               \
    [REASON] = RK_KEY("reason", TEXT, "why it does not apply")

static const rk_field flops_field[N_CONVENTION] = {
    CONVENTION_BEGIN,
    [OF] = RK_COLUMN("of", "of", TEXT, "forward, training", .drop = 3),
    [SUM] = RK_OBJECT("counted", rk_total_fields, "what it counts"),
    [REFERENCE_SUM] = RK_OBJECT("reference", rk_total_fields, "all products; of training three times that"),
    [COUNTED] = {.head = "counted", .key = "counted", .csv = true, .right = true, .drop = 1},
    [RATIO] = RK_COLUMN("ratio", "ratio", SHARE, "of both", .right = true),
    [WHY] = RK_COLUMN("why", "why", TEXT, "the largest differences; empty: the same", .wraps = true, .drop = 4),
    [WRITTEN] = RK_KEY("as_written", TEXT, "as its source writes it", .json = true),
    [ROWS] = RK_LIST("rows", flops_line_fields, "class by class"),
};
const rk_fields rk_flops_as_fields = {flops_field, N_CONVENTION};

static const rk_field bytes_field[N_CONVENTION] = {
    CONVENTION_BEGIN,
    [OF] = RK_KEY("of", TEXT, "state, layer, cache"),
    [SUM] = RK_OBJECT("bytes", rk_total_fields, "what the rule gives"),
    [COUNTED] = {.head = "bytes", .key = "bytes", .csv = true, .right = true},
    [EXACT] = EXACT_FIELD,
    [RATIO] = {.head = "ratio", .key = "ratio", .csv = true, .right = true, .drop = 3},
    [WRITTEN] = RK_COLUMN("as written", "as_written", TEXT, "as its source writes it", .wraps = true, .drop = 1),
    [ROWS] = RK_LIST("rows", bytes_line_fields, "class by class"),
};
static const rk_fields bytes_fields = {bytes_field, N_CONVENTION};

/* The bytes that a rule is about; below 0: no one knows. */
static rk_i128 exact_of(const rk_exact_bytes *e, const rk_named_convention *c)
{
    static const rk_row_class whole[RK_N_OF] = {
        [RK_OF_STATE] = RK_ROWS_TOGETHER, [RK_OF_LAYER] = RK_ROWS_LAYER, [RK_OF_CACHE] = RK_ROWS_CACHE};

    return e->of_class[whole[c->of]];
}

static void fill_convention(rk_view *v, rk_cell *cell, const rk_named_convention *c, const rk_exact_bytes *exact)
{
    rk_table *t;

    cell[NAME] = rk_cell_name(c->name);
    cell[OF] = rk_view_text(rk_convention_of_word[c->of]);
    cell[UNIT] = rk_cell_name(exact ? "byte" : c->mac ? "MAC" : "FLOP");
    cell[PER] = rk_cell_name(c->per);
    cell[SOURCE] = rk_cell_name(c->source);
    cell[SENTENCE] = rk_cell_name(c->text);
    cell[WRITTEN] = rk_view_text(c->formula);
    cell[APPLIES] = rk_cell_truth(!c->not_for);
    if (c->not_for) {
        rk_cell *last = &cell[exact ? WRITTEN : WHY];

        cell[REASON] = rk_view_text(c->not_for);
        *last = rk_cell_both(&v->page, *last, rk_cell_text(&v->page, "does not apply: %s", c->not_for));
        return;
    }
    rk_view_sum(v, &cell[SUM], c->counted);
    cell[COUNTED] = rk_cell_count(c->n_counted);
    if (exact) {
        put_exact(v, c->n_counted, exact_of(exact, c), &cell[EXACT], &cell[RATIO]);
    } else {
        rk_view_sum(v, &cell[REFERENCE_SUM], c->reference);
        cell[RATIO] = ratio_cell(v, c->n_counted, c->n_reference);
        cell[WHY] = rk_view_text(c->why);
        if (!c->why[0])
            cell[WHY] = rk_cell_both(&v->page, cell[WHY], rk_view_text("the same"));
    }
    t = rk_cell_list(&v->page, &cell[ROWS], exact ? &bytes_line_fields : &flops_line_fields);
    for (size_t i = 0; i < c->n_line; i++)
        fill_line(v, rk_page_row(&v->page, t, RK_ROW_PLAIN, 0), c, &c->line[i], exact);
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static rk_table *list_of(rk_view *v, rk_cell *in, const rk_conventions *c, const rk_exact_bytes *exact)
{
    rk_table *t = rk_cell_list(&v->page, in, exact ? &bytes_fields : &rk_flops_as_fields);

    for (size_t i = 0; i < c->n; i++)
        if (rk_convention_is_memory(&c->at[i]) == (exact != NULL))
            fill_convention(v, rk_page_row(&v->page, t, RK_ROW_PLAIN, 0), &c->at[i], exact);
    return t;
}

static void put_reference(rk_view *v, const rk_conventions *c)
{
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "The reference is the count of all products with the full square of attention (of a window its keys): "
                "%s FLOPs forward. "
                "Figures of training are compared with three times that.",
                rk_view_grouped(v, c->n_reference));
    rk_page_gap(&v->page);
}

void rk_view_put_conventions(rk_view *v, rk_cell *in, const rk_conventions *c)
{
    put_reference(v, c);
    rk_page_show(&v->page, list_of(v, in, c, NULL));
}

/* The rules of one kind, each a row of the whole list. */
static void put_kind(rk_view *v, const rk_conventions *c, const rk_table *list, rk_convention_of of,
                     const char *heading)
{
    rk_table *t;

    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", heading);
    t = rk_page_table(&v->page, bytes_field, N_CONVENTION);
    for (size_t i = 0, k = 0; i < c->n && k < list->row.n; i++) {
        rk_row *row = c->at[i].of == of ? RK_PUSH(&v->arena, &t->row) : NULL;

        if (row)
            *row = list->row.at[k];
        k += rk_convention_is_memory(&c->at[i]);
    }
}

static void put_account(rk_view *v, const rk_exact_bytes *e)
{
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "The exact account is that of %s on one device, %d bytes a number.", e->how,
                e->bytes);
}

static void put_all(rk_view *v, const rk_conventions *c, rk_table *list, const rk_exact_bytes *exact)
{
    rk_page_put(&v->page, RK_ITEM_TITLE, 0,
                exact ? "%s: bytes by rules that others use" : "%s: FLOPs as others count them", v->model->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    if (exact) {
        put_account(v, exact);
        if (exact->bytes != 2)
            rk_page_put(
                &v->page, RK_ITEM_NOTE, 0,
                "Rules for what a layer saves are of numbers of 2 bytes: --dtype bf16 compares like with like.");
        put_kind(v, c, list, RK_OF_STATE, "Weights, gradients and optimizer:");
        put_kind(v, c, list, RK_OF_LAYER, "Saved for backward, one layer:");
        put_kind(v, c, list, RK_OF_CACHE, "Cache of one token, all layers together:");
    } else {
        put_reference(v, c);
        rk_page_show(&v->page, list);
    }
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "--as NAME shows one of them line by line.%s",
                exact ? " t and n are devices among which something is divided; --devices says how many." : "");
}

/* ---- one in full ------------------------------------------------------------------------------------------------ */

static void put_total(rk_view *v, rk_table *t, const rk_named_convention *c, const rk_exact_bytes *exact)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0), ratio;

    cell[LINE_CLASS] = rk_cell_text(&v->page, "total");
    cell[LINE_COUNTED] = rk_cell_count(c->n_counted);
    if (exact) {
        put_exact(v, c->n_counted, exact_of(exact, c), &cell[LINE_EXACT], &cell[LINE_RATIO]);
        return;
    }
    ratio = ratio_cell(v, c->n_counted, c->n_reference);
    cell[LINE_REFERENCE] = rk_cell_count(c->n_reference);
    cell[LINE_DIFFERENCE] = rk_cell_count(c->n_counted - c->n_reference);
    cell[LINE_WHY] = rk_cell_text(&v->page, "ratio %s", ratio.people ? ratio.people->text : "");
}

static void put_one(rk_view *v, const rk_named_convention *c, rk_table *rows, const rk_exact_bytes *exact)
{
    const char *unit = c->mac ? "MAC" : "FLOP";
    rk_ex shown[] = {c->counted, c->reference};

    if (exact)
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: bytes by the rule %s", v->model->name, c->name);
    else
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %ss of %s, as %s counts them", v->model->name, unit,
                    c->of == RK_OF_TRAINING ? "a forward and a backward pass" : "a forward pass", c->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s: %s.", c->name, c->text);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "From: %s; for each %s.", c->source, c->per);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "As written there: %s", c->formula);
    if (exact)
        put_account(v, exact);
    rk_page_gap(&v->page);
    if (c->not_for) { /* a program gets the head of the table that would be there */
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "It does not apply to %s: %s.", v->model->name, c->not_for);
        rk_page_table(&v->page, exact ? bytes_line_field : flops_line_field, N_LINE);
        return;
    }
    if (!exact) {
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "The reference is %s of all products, with the full square of attention (of a window its keys).",
                    c->of == RK_OF_TRAINING ? "three times the count" : "the count");
        rk_page_gap(&v->page);
    }
    rk_page_show(&v->page, rows);
    if (!exact || c->n_line > 1)
        put_total(v, rows, c, exact);
    rk_page_gap(&v->page);
    if (exact) {
        rk_view_put_sum(v, "bytes", c->counted, rk_view_scaled(v, c->n_counted, "B"));
        return;
    }
    rk_view_put_sum(v, "counted", c->counted, rk_view_scaled(v, c->n_counted, unit));
    rk_view_put_sum(v, "reference", c->reference, rk_view_scaled(v, c->n_reference, "FLOP"));
    rk_page_gap(&v->page);
    for (size_t i = 0; i < 2; i++)
        shown[i] = rk_view_form(v, shown[i]);
    rk_view_put_symbols(v, shown, 2);
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

enum {
    SYMBOLS = RK_N_ANSWER,
    REFERENCE,
    ONE,
    ALL,
    N_ANSWER
};

#define ANSWER_BEGIN(fields)                                                                                           \
    RK_FIELDS_OF_MODEL, [SYMBOLS] = RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"),                 \
                        [ONE] = RK_OBJECT("convention", fields, "the one asked for"),                                  \
                        [ALL] = RK_LIST("conventions", fields, "all, with --as all")

static const rk_field flops_answer_field[N_ANSWER] = {
    ANSWER_BEGIN(rk_flops_as_fields),
    [REFERENCE] =
        RK_OBJECT("reference", rk_total_fields, "all products of a forward pass, with the full square of attention"),
};
const rk_fields rk_answer_flops_as = {flops_answer_field, N_ANSWER};

static const rk_field bytes_answer_field[N_ANSWER] = {
    ANSWER_BEGIN(bytes_fields),
    [REFERENCE] = RK_KEY("bytes_per_number", COUNT, "of a number of the run"),
};
const rk_fields rk_answer_memory_as = {bytes_answer_field, N_ANSWER};

int rk_report_conventions(const rk_report *r, const rk_ledger *l, const rk_conventions *c,
                          const rk_named_convention *one, const rk_exact_bytes *exact, rk_err *err)
{
    rk_cell *answer, *cell;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, exact ? &rk_answer_memory_as : &rk_answer_flops_as);
    rk_view_symbols(&v, &answer[SYMBOLS]);
    if (exact)
        answer[REFERENCE] = rk_cell_count(exact->bytes);
    else
        rk_view_sum(&v, &answer[REFERENCE], c->reference);
    if (one) {
        cell = rk_cell_object(&v.page, &answer[ONE], exact ? &bytes_fields : &rk_flops_as_fields);
        fill_convention(&v, cell, one, exact);
        put_one(&v, one, cell[ROWS].table, exact);
    } else {
        put_all(&v, c, list_of(&v, &answer[ALL], c, exact), exact);
    }
    return rk_view_end(&v);
}
