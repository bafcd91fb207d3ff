/* SPDX-License-Identifier: MIT */
/* What `reckon cross` prints: the answer, the equation with its solution, and both sides of each crossing. */
#include "report/answers.h"
#include "report/cross.h"

#include "report/assumptions.h"
#include "report/reading.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

enum {
    LEFT,
    RIGHT
};

static const rk_field side_field[] = {
    RK_KEY("quantity", TEXT, "as it was asked for"),
    RK_KEY("formula", FORMULA, "of it; null: it has none"),
    RK_KEY("under", FORMULA, "what that is divided by"),
};
static const rk_fields side_fields = {side_field, 3};

static const rk_field pair_field[] = {
    [LEFT] = RK_KEY("left", REAL, "the first quantity"),
    [RIGHT] = RK_KEY("right", REAL, "the second one"),
};
static const rk_fields pair_fields = {pair_field, 2};

#define CROSSING_FIELDS(X)                                                                                             \
    X(FROM, RK_KEY("from", COUNT, "the symbol's first number after it"))                                               \
    X(LARGER, RK_KEY("larger", TEXT, "left, right: the larger one from there on"))                                     \
    X(BEFORE, RK_OBJECT("before", pair_fields, "both at the number before"))                                           \
    X(AT, RK_OBJECT("at", pair_fields, "both at that number"))
RK_FIELD_TABLE(crossing_field, N_CROSSING, CROSSING_FIELDS);
static const rk_fields crossing_fields = {crossing_field, N_CROSSING};

static const rk_field root_field[] = {
    RK_KEY("formula", TEXT, "where both are equal"),
    RK_KEY("value", REAL, "its number; null where a symbol has none"),
};
static const rk_fields root_fields = {root_field, 2};

static const rk_field searched_field[] = {
    RK_KEY("from", COUNT, "the least number looked at"),
    RK_KEY("to", COUNT, "the largest one"),
    RK_KEY("solved", TRUTH, "the answer is from formulas"),
    RK_KEY("settled", TRUTH, "and holds for every whole number"),
};
static const rk_fields searched_fields = {searched_field, 4};

#define ANSWER_FIELDS(X)                                                                                               \
    X(MODEL, RK_KEY("model", TEXT, "the model's name"))                                                                \
    X(SYMBOL, RK_KEY("symbol", TEXT, "that varies"))                                                                   \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts"))                                        \
    X(SIDES, RK_OBJECT("left", side_fields, "the first quantity")) /* this one, and the next */                        \
    X(SIDE_RIGHT, RK_OBJECT("right", side_fields, "the second one"))                                                   \
    X(ANSWER, RK_KEY("answer", TEXT, "some, always, never, equal, formula"))                                           \
    X(NEVER, RK_KEY("never", TEXT, "why the first is never larger, or null"))                                          \
    X(CROSSINGS, RK_LIST("crossings", crossing_fields, "where the larger one changes"))                                \
    X(EQUAL_AT, RK_LIST("equal_at", root_fields, "solutions of the equation"))                                         \
    X(SEARCHED, RK_OBJECT("searched", searched_fields, "what the answer rests on"))
RK_FIELD_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_cross = {answer_field, N_ANSWER};

static const char *name_of(const rk_cross *c, int side)
{
    return c->measure[side].name;
}

/* ---- the answer in words ---------------------------------------------------------------------------------------- */

/* "S = 3,201" */
static const char *at_number(rk_view *v, const rk_cross *c, rk_i128 n)
{
    return rk_view_format(v, "%s = %s", c->symbol, rk_view_grouped(v, n));
}

/* "from S = 120 to S = 4,500 and from S = 9,000 on" */
static const char *where_larger(rk_view *v, const rk_cross *c)
{
    rk_str s = {0};

    if (c->n > 0 && !c->at[0].above)
        rk_str_format(&s, "up to %s", at_number(v, c, c->at[0].from - 1));
    for (size_t i = 0; i < c->n; i++) {
        if (!c->at[i].above)
            continue;
        rk_str_format(&s, "%sfrom %s", s.n ? " and " : "", at_number(v, c, c->at[i].from));
        if (i + 1 < c->n)
            rk_str_format(&s, " to %s", at_number(v, c, c->at[i + 1].from - 1));
        else
            rk_str_put(&s, " on");
    }
    return rk_view_keep(v, &s);
}

/* "does not grow with S", "grows as S²", "grow as S²" */
static const char *growth(rk_view *v, const rk_cross *c, int degree, bool both)
{
    static const char *const power[] = {"", "", "²", "³", "⁴", "⁵", "⁶", "⁷"};

    if (degree == 0)
        return rk_view_format(v, "does not grow with %s", c->symbol);
    return rk_view_format(v, "%s as %s%s", both ? "grow" : "grows", c->symbol, power[degree]);
}

/* Why the one stays below the other. */
static const char *reason(rk_view *v, const rk_cross *c)
{
    int less = c->answer == RK_CROSS_ALWAYS ? RIGHT : LEFT, more = !less;
    int slow = c->degree[less], fast = c->degree[more];
    const char *a = name_of(c, less), *b = name_of(c, more);
    double left = rk_reading_value(&c->at_last[LEFT]), right = rk_reading_value(&c->at_last[RIGHT]);

    if (slow < 0 || fast < 0)
        return rk_view_format(v, "%s is not larger than %s at any number looked at", a, b);
    if (slow == 0 && fast == 0)
        return rk_view_format(v, "neither depends on %s, and %s is smaller than %s", c->symbol, a, b);
    if (slow < fast)
        return rk_view_format(v, "%s grows slower: it %s, and %s %s", a, growth(v, c, slow, false), b,
                              growth(v, c, fast, false));
    if (slow > fast)
        return rk_view_format(v, "%s grows faster, but not up to %s", a, at_number(v, c, c->last));
    /* The smaller as a share of the larger, at the last number looked at. */
    return rk_view_format(v, "both %s, and %s stays at %.3g of %s", growth(v, c, slow, true), a,
                          left < right ? left / right : right / left, b);
}

static const char *answer(rk_view *v, const rk_cross *c)
{
    const char *a = name_of(c, LEFT), *b = name_of(c, RIGHT);

    switch (c->answer) {
    case RK_CROSS_SOME:
        return rk_view_format(v, "%s is larger than %s %s.", a, b, where_larger(v, c));
    case RK_CROSS_ALWAYS:
        return rk_view_format(v, "Always: %s is larger than %s for every %s; %s.", a, b, c->symbol, reason(v, c));
    case RK_CROSS_NEVER:
        return rk_view_format(v, "Never: %s.", reason(v, c));
    case RK_CROSS_EQUAL:
        return rk_view_format(v, "Never: %s and %s are the same for every %s.", a, b, c->symbol);
    case RK_CROSS_FORMULA:
        return rk_view_format(v, "%s and %s are equal where the formula below says; %s.", a, b,
                              rk_view_missing(v, rk_ex_add(v->pool, c->over[LEFT], c->over[RIGHT])));
    }
    return "";
}

/* ---- the equation ----------------------------------------------------------------------------------------------- */

/* A number to be shown: whole, or with four digits after the point. */
static const char *decimal(rk_view *v, double x)
{
    const double large = 1e15; /* beyond it a double has no digits after the point */
    double whole = floor(x), rest = round((x - whole) * 10000);

    if (x >= large)
        return rk_view_format(v, "%.6g", x);
    if (rest > 0 && rest < 10000)
        return rk_view_format(v, "%s.%04d", rk_view_grouped(v, (rk_i128)whole), (int)rest);
    return rk_view_grouped(v, (rk_i128)(rest >= 10000 ? whole + 1 : whole));
}

/* -c0/c1, written as one fraction where it would otherwise be a sum of them */
static const char *linear_root(rk_view *v, const rk_cross *c)
{
    rk_ex over = rk_ex_sub(v->pool, rk_ex_int(v->pool, 0), c->coefficient[0]);
    rk_ex root = rk_view_form(v, rk_ex_div(v->pool, over, c->coefficient[1]));
    rk_i128 whole;

    if (rk_ex_term_count(v->pool, root) <= 2 || rk_ex_is_int(v->pool, c->coefficient[1], &whole))
        return rk_view_formula_text(v, root, RK_PRINT_TEXT);
    return rk_view_format(v, "(%s) / (%s)", rk_view_formula_text(v, over, RK_PRINT_TEXT),
                          rk_view_formula_text(v, c->coefficient[1], RK_PRINT_TEXT));
}

/* (-b ± √(b² - 4ac)) / 2a */
static const char *quadratic_root(rk_view *v, const rk_cross *c, char sign)
{
    rk_pool *p = v->pool;
    rk_ex minus_b = rk_ex_sub(p, rk_ex_int(p, 0), c->coefficient[1]);
    rk_ex four_ac = rk_ex_mul(p, rk_ex_int(p, 4), rk_ex_mul(p, c->coefficient[0], c->coefficient[2]));
    rk_ex inside = rk_ex_sub(p, rk_ex_pow(p, c->coefficient[1], 2), four_ac);
    rk_ex below = rk_ex_mul(p, rk_ex_int(p, 2), c->coefficient[2]);

    return rk_view_format(v, "(%s %c √(%s)) / (%s)", rk_view_formula_text(v, minus_b, RK_PRINT_TEXT), sign,
                          rk_view_formula_text(v, inside, RK_PRINT_TEXT),
                          rk_view_formula_text(v, below, RK_PRINT_TEXT));
}

typedef struct root {
    const char *formula;
    double value;
} root;

/* The places at which the two are equal, of which those that are positive are of interest. */
static size_t roots_of(rk_view *v, const rk_cross *c, root out[2])
{
    double a = c->number[2], b = c->number[1], inside = b * b - 4 * a * c->number[0];
    bool unknown = c->answer == RK_CROSS_FORMULA;
    size_t n = 0;

    if (c->n_coefficient == 2) {
        out[0] = (root){linear_root(v, c), unknown ? NAN : -c->number[0] / c->number[1]};
        return unknown || out[0].value > 0;
    }
    if (c->n_coefficient != 3 || (inside < 0 && !unknown))
        return 0;
    for (int i = 0; i < 2; i++) {
        char sign = (i == 0) == (a > 0) ? '-' : '+';
        double value = unknown ? NAN : (-b + (sign == '+' ? 1 : -1) * sqrt(inside)) / (2 * a);

        if (unknown || value > 0)
            out[n++] = (root){quadratic_root(v, c, sign), value};
    }
    return n;
}

static void put_formula(rk_view *v, const rk_cross *c, int side)
{
    rk_cell formula = rk_view_formula(v, c->over[side]);

    if (c->measure[side].under.row)
        formula = rk_cell_text(&v->page, "(%s) / (%s)", rk_view_formula_text(v, c->over[side], RK_PRINT_TEXT),
                               rk_view_formula_text(v, c->under[side], RK_PRINT_TEXT));
    rk_page_equation(&v->page, 0, name_of(c, side), formula, NULL);
}

/* ---- both sides of each crossing -------------------------------------------------------------------------------- */

static void put_table(rk_view *v, const rk_cross *c)
{
    const rk_field column[] = {{.head = c->symbol, .key = c->symbol, .right = true},
                               {.head = name_of(c, LEFT), .key = "left", .right = true},
                               {.head = name_of(c, RIGHT), .key = "right", .right = true},
                               {.head = "larger", .key = "larger", .drop = 1}};
    rk_table *t;

    if (c->n > 0)
        rk_page_gap(&v->page);
    t = rk_view_table(v, column, 4);
    for (size_t i = 0; i < c->n; i++)
        for (int side = 0; side < 2; side++) {
            const rk_crossing *k = &c->at[i];
            int sign = rk_reading_compare(k->left[side], k->right[side]);
            rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

            cell[0] = rk_cell_count(k->from - 1 + side);
            cell[1] = rk_reading_cell(v, &c->measure[LEFT], &k->left[side]);
            cell[2] = rk_reading_cell(v, &c->measure[RIGHT], &k->right[side]);
            cell[3] = rk_cell_text(&v->page, "%s",
                                   sign > 0   ? name_of(c, LEFT)
                                   : sign < 0 ? name_of(c, RIGHT)
                                              : "equal");
        }
}

/* What the answer rests on. */
static void put_proof(rk_view *v, const rk_cross *c)
{
    bool was_read = c->n > 0; /* from the model itself, on both sides of each crossing */

    for (size_t i = 0; i < c->n; i++)
        was_read &= !c->at[i].unfit;
    rk_page_gap(&v->page);
    if (c->answer == RK_CROSS_FORMULA)
        return;
    if (c->solved && c->settled)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "From the formulas, for every whole %s%s.", c->symbol,
                    was_read ? "; both were read again on either side of it" : "");
    else if (c->solved)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "From the formulas, for every whole %s up to %s.", c->symbol,
                    rk_view_grouped(v, c->last));
    else
        rk_page_put(
            &v->page, RK_ITEM_NOTE, 0,
            "Found by reading both at numbers from 1 to %s, each at most half as large again as the one before, "
            "and halving between them; where two changes lie between neighbours, neither is seen.",
            rk_view_grouped(v, c->last));
    for (size_t i = 0; i < c->n; i++)
        if (c->at[i].unfit)
            rk_page_put(&v->page, RK_ITEM_NOTE, 0, "The model itself cannot have %s there: %s.", c->symbol,
                        c->at[i].unfit);
}

static void put_page(rk_view *v, const rk_cross *c, const root *at, size_t n)
{
    rk_ex others = rk_ex_int(v->pool, 0);
    const char *where = "";
    rk_ex shown[] = {rk_view_form(v, c->over[LEFT]), rk_view_form(v, c->over[RIGHT])};

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s against %s over %s", c->ledger->model->name, name_of(c, LEFT),
                name_of(c, RIGHT), c->symbol);
    /* The symbols of the run that stay as they are. */
    for (size_t i = 0; i < v->model->n_symbol; i++) {
        const rk_symbol *s = &v->model->symbol[i];

        if (s->kind == RK_SYMBOL_RUN && strcmp(s->name, c->symbol) != 0 &&
            rk_sym_definition(v->pool, s->sym) == RK_EX_FAILED)
            others = rk_ex_add(v->pool, others, rk_ex_sym(v->pool, s->sym));
    }
    rk_view_put_symbol_line(v, RK_SYMBOL_RUN, &others, 1);
    if (rk_gauge_step(c->gauge))
        rk_view_put_assumptions(v, &rk_gauge_step(c->gauge)->options);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", answer(v, c));
    if (c->instance) {
        rk_page_gap(&v->page);
        put_formula(v, c, LEFT);
        put_formula(v, c, RIGHT);
        /* "equal at S = 2D = 3,200, where S is at least 129" */
        if (c->piece > 1)
            where = rk_view_format(v, ", where %s is at least %s", c->symbol, rk_view_grouped(v, c->piece));
        for (size_t i = 0; i < n; i++) {
            const char *value = isnan(at[i].value) ? "" : rk_view_format(v, " = %s", decimal(v, at[i].value));

            rk_page_put(&v->page, RK_ITEM_LINE, 0, "equal at %s = %s%s%s", c->symbol, at[i].formula, value, where);
        }
    }
    put_table(v, c);
    put_proof(v, c);
    if (c->instance)
        rk_view_put_symbol_line(v, RK_SYMBOL_MODEL, shown, 2);
    if (c->measure[LEFT].over.row->from == RK_FROM_OPS || c->measure[RIGHT].over.row->from == RK_FROM_OPS)
        rk_view_put_convention(v);
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static void fill_side(rk_view *v, const rk_cross *c, rk_cell *in, int side)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &side_fields);

    cell[0] = rk_cell_name(name_of(c, side));
    cell[1] = c->instance ? rk_view_formula(v, c->over[side]) : rk_cell_null();
    if (c->measure[side].under.row && c->instance)
        cell[2] = rk_view_formula(v, c->under[side]);
}

static void fill_crossing(rk_view *v, const rk_cross *c, rk_table *t, const rk_crossing *k)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[FROM] = rk_cell_count(k->from);
    cell[LARGER] = rk_cell_name(k->above ? "left" : "right");
    for (int i = 0; i < 2; i++) {
        rk_cell *pair = rk_cell_object(&v->page, &cell[BEFORE + i], &pair_fields);

        pair[LEFT] = rk_reading_cell(v, &c->measure[LEFT], &k->left[i]);
        pair[RIGHT] = rk_reading_cell(v, &c->measure[RIGHT], &k->right[i]);
    }
}

static void fill(rk_view *v, const rk_cross *c)
{
    static const char *const word[] = {"some", "always", "never", "equal", "formula"};
    const int digits = 15; /* of a root: all that it has */
    rk_cell *cell = rk_page_answer(&v->page, &rk_answer_cross), *searched;
    rk_table *t = rk_cell_list(&v->page, &cell[CROSSINGS], &crossing_fields);
    bool never = c->answer == RK_CROSS_NEVER || c->answer == RK_CROSS_EQUAL;
    root at[2];
    size_t n = c->solved ? roots_of(v, c, at) : 0;

    cell[MODEL] = rk_cell_name(c->ledger->model->name);
    cell[SYMBOL] = rk_cell_name(c->symbol);
    rk_view_convention(v, &cell[CONVENTION]);
    fill_side(v, c, &cell[SIDES + LEFT], LEFT);
    fill_side(v, c, &cell[SIDES + RIGHT], RIGHT);
    cell[ANSWER] = rk_cell_name(word[c->answer]);
    cell[NEVER] = never ? rk_view_text(answer(v, c)) : rk_cell_null();
    for (size_t i = 0; i < c->n; i++)
        fill_crossing(v, c, t, &c->at[i]);
    t = rk_cell_list(&v->page, &cell[EQUAL_AT], &root_fields);
    for (size_t i = 0; i < n; i++) {
        rk_cell *row = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        row[0] = rk_view_text(at[i].formula);
        row[1] = rk_cell_real(at[i].value, digits);
    }
    searched = rk_cell_object(&v->page, &cell[SEARCHED], &searched_fields);
    searched[0] = rk_cell_count(c->first);
    searched[1] = rk_cell_count(c->last);
    searched[2] = rk_cell_truth(c->solved);
    searched[3] = rk_cell_truth(c->settled);
    put_page(v, c, at, n);
}

int rk_report_cross(const rk_report *r, const rk_cross *c, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, c->ledger, err);
    v.page.whole = true; /* rounded, both sides of a crossing would be equal */
    if (c->instance) {   /* formulas of memory are over the symbols of a model of their own */
        v.instance = c->instance;
        v.model = c->instance->model;
        v.page.pool = v.pool = c->instance->pool;
    }
    fill(&v, c);
    return rk_view_end(&v);
}
