/* SPDX-License-Identifier: MIT */
/*
 * report/page.h - a page for people, before it has a format: headings, lines, equations, tables, pictures.
 *
 * Stage   ledger -> [report] -> page -> [a writer] -> bytes.
 * Uses    base/, expr/.
 * Memory  everything on a page lives in its arena; formulas in the pool of the view.
 * Threads one page, one thread.
 *
 * A report puts items on a page; a writer draws the page as text, Markdown, LaTeX, HTML, or takes the tables out of it
 * as CSV.  Adding a format is adding a writer here and its row in rk_view_end; no report changes.  Failure is sticky:
 * put freely, ask once.
 */
#ifndef RK_REPORT_PAGE_H
#define RK_REPORT_PAGE_H

#include "base/arena.h"
#include "base/vec.h"
#include "expr/expr.h"

typedef enum rk_cell_kind {
    RK_CELL_NOTHING,
    RK_CELL_TEXT,
    RK_CELL_CODE,  /* names and lines of a model file */
    RK_CELL_COUNT, /* 1,024 */
    RK_CELL_SHARE, /* number of whole: 12.5% */
    RK_CELL_BAR,   /* the same as a bar, as long as its column allows */
    RK_CELL_FORMULA
} rk_cell_kind;

typedef struct rk_cell {
    rk_cell_kind kind;
    const char *text;
    const char *brief; /* TEXT, CODE: a shorter text for narrow paper, or NULL */
    rk_i128 number, whole;
    rk_ex formula;
    int style;            /* FORMULA: RK_PRINT_FACTORED or 0 */
    const rk_binding *at; /* FORMULA: numbers in place of its symbols, or NULL */
} rk_cell;

typedef struct rk_column {
    const char *head; /* for people; NULL: the column is for programs alone */
    const char *key;  /* its name for programs (CSV); NULL: it is for people alone */
    bool right;       /* aligned to the right: numbers */
    bool wraps;       /* where it is too wide, a cell goes on in a next line */
    int drop;         /* where the paper is too narrow, columns are left out in this order, 1 first; 0: never */
} rk_column;

typedef enum rk_row_kind {
    RK_ROW_PLAIN,
    RK_ROW_PART, /* the sum of the rows below it that are indented further; not for programs, which can add up */
    RK_ROW_TOTAL /* ruled off from the rows before it, where those are no totals; not for programs either */
} rk_row_kind;

typedef struct rk_row {
    rk_row_kind kind;
    int indent; /* of its first cell */
    rk_cell *cell;
} rk_row;

typedef struct rk_table {
    const rk_column *column;
    size_t n_column;
    RK_VEC(rk_row) row;
} rk_table;

typedef enum rk_item_kind {
    RK_ITEM_TITLE, /* once, first */
    RK_ITEM_HEADING,
    RK_ITEM_LINE,     /* a sentence */
    RK_ITEM_LIST,     /* a sentence of things between commas, each of which is better not broken */
    RK_ITEM_NOTE,     /* a sentence in small print */
    RK_ITEM_CODE,     /* a line of a model file */
    RK_ITEM_EQUATION, /* left = cell = value (note); without a left side it goes on from the one before */
    RK_ITEM_TABLE,
    RK_ITEM_PICTURE, /* of HTML alone: what it shows stands in a table beside it, or in the words below it */
    RK_ITEM_GAP
} rk_item_kind;

typedef struct rk_item {
    rk_item_kind kind;
    int indent;
    const char *text; /* EQUATION: the left side, or NULL; PICTURE: its caption; else the text, but for TABLE and GAP */
    const char *note; /* EQUATION, CODE: a remark behind it, or NULL; this and the text: safe to print */
    rk_cell cell;     /* EQUATION */
    rk_cell value;    /* EQUATION: its number, or nothing */
    rk_table *table;
    const char *svg; /* PICTURE */
} rk_item;

#define RK_PAGE_COLUMNS_MAX 20

typedef struct rk_page {
    rk_arena *arena;
    const rk_pool *pool;
    RK_VEC(rk_item) item;
    bool csv_raw; /* in CSV: what begins as a formula of a spreadsheet does is left so */
    bool failed;
    rk_table no_table; /* what is handed out where memory ran out */
    rk_cell no_cell[RK_PAGE_COLUMNS_MAX];
} rk_page;

void rk_page_put(rk_page *p, rk_item_kind kind, int indent, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void rk_page_gap(rk_page *p);
void rk_page_code(rk_page *p, int indent, const char *code, const char *note);
void rk_page_equation(rk_page *p, int indent, const char *left, rk_cell cell, const char *note);
void rk_page_equation_value(rk_page *p, int indent, const char *left, rk_cell cell, rk_cell value);
void rk_page_picture(rk_page *p, const char *svg, const char *caption); /* both are copied; the SVG as it is */

/* A table with these columns, which must outlive the page; never NULL. */
rk_table *rk_page_table(rk_page *p, const rk_column *column, size_t n_column);

/* The cells of a new row, all nothing; never NULL: cells that no one sees where memory ran out. */
rk_cell *rk_page_row(rk_page *p, rk_table *t, rk_row_kind kind, int indent);

rk_cell rk_cell_text(rk_page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
rk_cell rk_cell_code(const char *text); /* borrowed */
rk_cell rk_cell_count(rk_i128 n);
rk_cell rk_cell_share(rk_i128 n, rk_i128 whole);
rk_cell rk_cell_bar(rk_i128 n, rk_i128 whole);
rk_cell rk_cell_formula(rk_ex e, int style);

/* A text moved into an arena; never NULL: where memory ran out, the arena has failed. */
const char *rk_text_keep(rk_arena *a, rk_str *s);

/* The text of a cell, safe to print; a bar is nothing here. */
void rk_cell_put(const rk_page *p, const rk_cell *c, bool brief, rk_str *out);

/* The same as a text that lives as long as the page. */
const char *rk_cell_shown(const rk_page *p, const rk_cell *c, bool brief);

/* Whether people see something in a column: it has a head, and a cell that is not empty. */
bool rk_column_is_seen(const rk_table *t, size_t column);

/* Whether item i is an equation that goes on from the one before: its sign stands below that one's. */
bool rk_page_goes_on(const rk_page *p, size_t i);

/* Whether a rule stands before a row: the first of some totals behind other rows. */
bool rk_row_is_ruled(const rk_table *t, size_t row);

/* The least indent of all rows: where nothing else is to the left of it, it says nothing. */
int rk_table_indent(const rk_table *t);

/* ---- writers ------------------------------------------------------------------------------------------------- */

/* What a text is drawn on. */
typedef struct rk_paper {
    size_t columns; /* 0: unknown, which is 140; fewer than 20 are 20 */
    bool colour;    /* with the escape sequences of a terminal */
} rk_paper;

void rk_page_text(const rk_page *p, const rk_paper *paper, rk_str *out);
void rk_page_csv(const rk_page *p, rk_str *out);
void rk_page_md(const rk_page *p, rk_str *out);
void rk_page_latex(const rk_page *p, rk_str *out);
void rk_page_html(const rk_page *p, rk_str *out); /* a page that stands alone: styles and pictures are in it */

#endif
