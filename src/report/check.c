/* SPDX-License-Identifier: MIT */
/* What `reckon check` prints: a reviewer's notes on a written account. */
#include "report/check.h"

#include "report/view.h"

typedef struct check_page {
    rk_view *view;
    const rk_audit *a;
    const char *file;
    bool all;
} check_page;

static const char *const status_word[] = RK_CLAIM_STATUS_WORDS;
static const char *const kind_word[] = {
    [RK_CLAIM_EQUATION] = "equation", [RK_CLAIM_SUM] = "sum", [RK_CLAIM_SHARE] = "share", [RK_CLAIM_MODEL] = "model"};

/* ---- the page --------------------------------------------------------------------------------------------------- */

enum {
    LINE,
    LINE_KEY,
    COLUMN_KEY,
    KIND_KEY,
    STATUS,
    STATUS_KEY,
    TEXT,
    STATED_KEY,
    FOUND_KEY,
    NOTE,
    N_COLUMN
};

/* For people where they asked for all, for programs always. */
static const rk_field column[N_COLUMN] = {
    [LINE] = {.head = "line", .right = true},
    [LINE_KEY] = {.key = "line"},
    [COLUMN_KEY] = {.key = "column"},
    [KIND_KEY] = {.key = "kind"},
    [STATUS] = {.head = ""},
    [STATUS_KEY] = {.key = "status"},
    [TEXT] = {.head = "", .key = "text", .wraps = true},
    [STATED_KEY] = {.key = "stated"},
    [FOUND_KEY] = {.key = "found"},
    [NOTE] = {.head = "", .key = "note", .wraps = true, .drop = 1},
};

static rk_cell text_cell(const char *text)
{
    return text ? rk_view_text(text) : (rk_cell){.kind = RK_CELL_NOTHING};
}

static void put_claims(check_page *p)
{
    rk_page *page = &p->view->page;
    rk_table *t;

    if (p->all)
        rk_page_gap(page);
    t = rk_page_table(page, column, N_COLUMN);
    for (size_t i = 0; i < p->a->claim.n; i++) {
        const rk_claim *c = &p->a->claim.at[i];
        rk_cell *cell = rk_page_row(page, t, RK_ROW_PLAIN, 0);

        cell[LINE] = cell[LINE_KEY] = rk_cell_count((rk_i128)c->line);
        cell[COLUMN_KEY] = rk_cell_count((rk_i128)c->column);
        cell[KIND_KEY] = rk_cell_code(kind_word[c->kind]);
        cell[STATUS] = rk_view_text(c->status == RK_CLAIM_UNKNOWN ? "not understood" : status_word[c->status]);
        cell[STATUS_KEY] = rk_cell_code(status_word[c->status]);
        cell[TEXT] = text_cell(c->text);
        cell[STATED_KEY] = text_cell(c->stated);
        cell[FOUND_KEY] = text_cell(c->found);
        cell[NOTE] = text_cell(c->note);
    }
}

static void fill_page(check_page *p)
{
    bool for_program = p->view->report->format == RK_FORMAT_CSV;
    const size_t *n = p->a->n_status;
    rk_page *page = &p->view->page;

    if (p->a->claim.n == 0)
        rk_page_put(page, RK_ITEM_TITLE, 0, "%s: nothing in it that could be checked", p->file);
    else
        rk_page_put(page, RK_ITEM_TITLE, 0, "%s: %zu wrong, %zu right, %zu not understood", p->file, n[RK_CLAIM_WRONG],
                    n[RK_CLAIM_RIGHT], n[RK_CLAIM_UNKNOWN]);
    for (size_t i = 0; i < p->a->claim.n && !for_program; i++)
        if (p->a->claim.at[i].status == RK_CLAIM_WRONG) {
            /* What a wrong claim says and what holds; a sum's note has both. */
            const rk_claim *c = &p->a->claim.at[i];

            rk_page_gap(page);
            rk_page_put(page, RK_ITEM_HEADING, 0, "line %zu, column %zu", c->line, c->column);
            rk_page_code(page, 1, c->text, NULL);
            if (c->kind == RK_CLAIM_SUM)
                rk_page_put(page, RK_ITEM_LINE, 1, "says %s; %s", rk_view_safe(p->view, c->stated),
                            rk_view_safe(p->view, c->note ? c->note : ""));
            else
                rk_page_put(page, RK_ITEM_LINE, 1, "says %s; it is %s%s%s", rk_view_safe(p->view, c->stated),
                            rk_view_safe(p->view, c->found ? c->found : "?"), c->note ? ": " : "",
                            rk_view_safe(p->view, c->note ? c->note : ""));
        }
    if (p->all || for_program)
        put_claims(p);
    /* With a model: what was read, and is not said to be right or wrong. */
    if (p->a->n_unbound > 0) {
        bool many = p->a->n_unbound > 1;

        rk_page_gap(page);
        rk_page_put(page, RK_ITEM_LINE, 0,
                    "Of %zu more figure%s it is not clear which quantity of the model %s: nothing is said about %s.",
                    p->a->n_unbound, many ? "s" : "", many ? "they are" : "it is", many ? "them" : "it");
    }
    if (p->a->skipped.n > 0)
        rk_page_gap(page);
    for (size_t i = 0; i < p->a->skipped.n; i++)
        rk_page_put(page, RK_ITEM_LINE, 0, "Not read: %s.", p->a->skipped.at[i]);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* A whole number as one, anything else as it is written. */
static void write_value(check_page *p, const char *key, rk_ex value, const char *text)
{
    rk_i128 n;

    if (text && value != RK_EX_FAILED && rk_ex_is_int(p->a->pool, value, &n))
        rk_json_count(&p->view->json, key, n);
    else
        rk_json_text(&p->view->json, key, text);
}

static void write_claim(check_page *p, const rk_claim *c)
{
    rk_json *j = &p->view->json;

    rk_json_row(j, NULL);
    rk_json_count(j, "line", (rk_i128)c->line);
    rk_json_count(j, "column", (rk_i128)c->column);
    rk_json_text(j, "kind", kind_word[c->kind]);
    rk_json_text(j, "text", c->text);
    rk_json_text(j, "status", status_word[c->status]);
    write_value(p, "stated", c->stated_value, c->stated);
    write_value(p, "found", c->found_value, c->found);
    rk_json_text(j, "note", c->note);
    if (c->quantity) {
        rk_json_text(j, "quantity", c->quantity);
        rk_json_text(j, "formula", c->formula);
    }
    rk_json_close(j);
}

static void write_json(check_page *p)
{
    rk_json *j = &p->view->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "file", p->file);
    rk_json_open(j, "claims", '[');
    for (size_t i = 0; i < p->a->claim.n; i++)
        write_claim(p, &p->a->claim.at[i]);
    rk_json_close(j);
    for (int s = 0; s < 3; s++) {
        static const rk_claim_status order[] = {RK_CLAIM_WRONG, RK_CLAIM_RIGHT, RK_CLAIM_UNKNOWN};

        rk_json_count(j, status_word[order[s]], (rk_i128)p->a->n_status[order[s]]);
    }
    rk_json_count(j, "unbound", (rk_i128)p->a->n_unbound);
    rk_json_open(j, "skipped", '[');
    for (size_t i = 0; i < p->a->skipped.n; i++)
        rk_json_text(j, NULL, p->a->skipped.at[i]);
    rk_json_close(j);
    rk_json_close(j);
}

int rk_report_check(const rk_report *r, const rk_audit *a, const char *file, bool all, rk_err *err)
{
    check_page p = {.a = a, .all = all};
    rk_view view;

    rk_view_begin(&view, r, NULL, err);
    p.view = &view;
    p.file = rk_view_safe(&view, file);
    if (r->format == RK_FORMAT_JSON)
        write_json(&p);
    else
        fill_page(&p);
    return rk_view_end(&view);
}
