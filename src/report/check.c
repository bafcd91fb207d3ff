/* SPDX-License-Identifier: MIT */
/* What `reckon check` prints: a reviewer's notes on a written account. */
#include "report/answers.h"
#include "report/check.h"

#include "report/view.h"

static const char *const status_word[] = RK_CLAIM_STATUS_WORDS;
static const char *const kind_word[] = {
    [RK_CLAIM_EQUATION] = "equation", [RK_CLAIM_SUM] = "sum", [RK_CLAIM_SHARE] = "share", [RK_CLAIM_MODEL] = "model"};

/* ---- keys ------------------------------------------------------------------------------------------------------- */

#define CLAIM_FIELDS(X)                                                                                                \
    X(LINE, RK_COLUMN("line", "line", COUNT, "where it stands, from 1 on", .right = true))                             \
    X(COLUMN, RK_KEY("column", COUNT, "where in the line, from 1 on"))                                                 \
    X(KIND, RK_KEY("kind", TEXT, "equation, sum, share or model"))                                                     \
    X(STATUS,                                                                                                          \
      RK_COLUMN("", "status", TEXT, "right, wrong, slip (less than one of its last digit off), doubtful or unknown"))  \
    X(TEXT, RK_COLUMN("", "text", TEXT, "the claim as it stands there", .wraps = true))                                \
    X(STATED, RK_KEY("stated", NOTHING, "what it says; a whole number is a count"))                                    \
    X(FOUND, RK_KEY("found", NOTHING, "what holds; a whole number is a count"))                                        \
    X(NOTE, RK_COLUMN("", "note", TEXT, "why", .wraps = true, .drop = 1))                                              \
    X(QUANTITY, RK_KEY("quantity", TEXT, "of the model that it is about"))                                             \
    X(FORMULA, RK_KEY("formula", TEXT, "closed form of that quantity"))
RK_FIELD_TABLE(claim_field, N_CLAIM, CLAIM_FIELDS);
static const rk_fields claim_fields = {claim_field, N_CLAIM};

#define ANSWER_FIELDS(X)                                                                                               \
    X(FILE_NAME, RK_KEY("file", TEXT, "the account"))                                                                  \
    X(CLAIMS, RK_LIST("claims", claim_fields, "in their order"))                                                       \
    X(WRONG, RK_KEY("wrong", COUNT, "claims that do not hold"))                                                        \
    X(SLIP, RK_KEY("slip", COUNT, "claims that are off by less than one of their last digit"))                         \
    X(DOUBTFUL, RK_KEY("doubtful", COUNT, "claims that do not hold as they were read, and may be meant otherwise"))    \
    X(RIGHT, RK_KEY("right", COUNT, "claims that hold"))                                                               \
    X(UNKNOWN, RK_KEY("unknown", COUNT, "claims that are not understood"))                                             \
    X(UNBOUND, RK_KEY("unbound", COUNT, "figures that could be any quantity of the model"))                            \
    X(SKIPPED, RK_KEY("skipped", TEXTS, "what was not read"))
RK_FIELD_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_check = {answer_field, N_ANSWER};

/* ---- claims ----------------------------------------------------------------------------------------------------- */

/* A whole number as one, anything else as it is written. */
static rk_cell value_cell(const rk_audit *a, rk_ex value, const char *text)
{
    rk_i128 n;

    if (text && value != RK_EX_FAILED && rk_ex_is_int(a->pool, value, &n))
        return rk_cell_count(n);
    return text ? rk_view_text(text) : rk_cell_null();
}

static void put_claim(rk_view *v, rk_table *t, const rk_audit *a, const rk_claim *c)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[LINE] = rk_cell_count((rk_i128)c->line);
    cell[COLUMN] = rk_cell_count((rk_i128)c->column);
    cell[KIND] = rk_view_text(kind_word[c->kind]);
    cell[STATUS] = rk_view_text(status_word[c->status]);
    if (c->status == RK_CLAIM_UNKNOWN)
        cell[STATUS] = rk_cell_for_people(&v->page, cell[STATUS], "not understood");
    cell[TEXT] = rk_view_text(c->text);
    cell[STATED] = value_cell(a, c->stated_value, c->stated);
    cell[FOUND] = value_cell(a, c->found_value, c->found);
    cell[NOTE] = c->note ? rk_view_text(c->note) : rk_cell_null();
    if (c->quantity) {
        cell[QUANTITY] = rk_view_text(c->quantity);
        cell[FORMULA] = c->formula ? rk_view_text(c->formula) : rk_cell_null();
    }
}

/* What a wrong claim, or one that is off a little, says and what holds; a sum's note has both. */
static void put_wrong(rk_view *v, const rk_claim *c)
{
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "line %zu, column %zu", c->line, c->column);
    rk_page_code(&v->page, 1, c->text, NULL);
    if (c->kind == RK_CLAIM_SUM)
        rk_page_put(&v->page, RK_ITEM_LINE, 1, "says %s; %s", rk_view_safe(v, c->stated),
                    rk_view_safe(v, c->note ? c->note : ""));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 1, "says %s; it is %s%s%s", rk_view_safe(v, c->stated),
                    rk_view_safe(v, c->found ? c->found : "?"), c->note ? ": " : "",
                    rk_view_safe(v, c->note ? c->note : ""));
}

/* ---- the document ----------------------------------------------------------------------------------------------- */

static void fill(rk_view *v, const rk_audit *a, const char *file, bool all)
{
    rk_cell *answer = rk_page_answer(&v->page, &rk_answer_check);
    rk_table *t = rk_cell_list(&v->page, &answer[CLAIMS], &claim_fields);
    const size_t *n = a->n_status;
    bool many = a->n_unbound > 1;

    answer[FILE_NAME] = rk_view_text(file);
    answer[WRONG] = rk_cell_count((rk_i128)n[RK_CLAIM_WRONG]);
    answer[SLIP] = rk_cell_count((rk_i128)n[RK_CLAIM_SLIP]);
    answer[DOUBTFUL] = rk_cell_count((rk_i128)n[RK_CLAIM_DOUBTFUL]);
    answer[RIGHT] = rk_cell_count((rk_i128)n[RK_CLAIM_RIGHT]);
    answer[UNKNOWN] = rk_cell_count((rk_i128)n[RK_CLAIM_UNKNOWN]);
    answer[UNBOUND] = rk_cell_count((rk_i128)a->n_unbound);
    answer[SKIPPED] = rk_cell_texts(a->skipped.at, a->skipped.n);
    if (a->claim.n == 0)
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: nothing in it that could be checked", file);
    else
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %zu wrong, %s%s%zu right, %zu not understood", file,
                    n[RK_CLAIM_WRONG],
                    n[RK_CLAIM_SLIP] ? rk_view_format(v, "%zu off in the last digit, ", n[RK_CLAIM_SLIP]) : "",
                    n[RK_CLAIM_DOUBTFUL] ? rk_view_format(v, "%zu doubtful, ", n[RK_CLAIM_DOUBTFUL]) : "",
                    n[RK_CLAIM_RIGHT], n[RK_CLAIM_UNKNOWN]);
    for (size_t i = 0; i < a->claim.n; i++) {
        put_claim(v, t, a, &a->claim.at[i]);
        if (a->claim.at[i].status == RK_CLAIM_WRONG || a->claim.at[i].status == RK_CLAIM_SLIP)
            put_wrong(v, &a->claim.at[i]);
    }
    if (all)
        rk_page_gap(&v->page);
    rk_page_show(&v->page, t);
    if (!all)
        rk_page_only(&v->page, RK_FOR_PROGRAMS);
    /* With a model: what was read, and is not said to be right or wrong. */
    if (a->n_unbound > 0) {
        rk_page_gap(&v->page);
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Of %zu more figure%s it is not clear which quantity of the model %s: nothing is said about %s.",
                    a->n_unbound, many ? "s" : "", many ? "they are" : "it is", many ? "them" : "it");
    }
    if (a->skipped.n > 0)
        rk_page_gap(&v->page);
    for (size_t i = 0; i < a->skipped.n; i++)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Not read: %s.", a->skipped.at[i]);
}

int rk_report_check(const rk_report *r, const rk_audit *a, const char *file, bool all, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    v.page.whole = true;
    fill(&v, a, rk_view_safe(&v, file), all);
    return rk_view_end(&v);
}
