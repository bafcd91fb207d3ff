/* SPDX-License-Identifier: MIT */
/*
 * The writer for programs: the answer, key by key in the order of its fields.  A cell that holds nothing is left out.
 *
 * The answer's own keys and the rows of its lists have a line each; what is inside of them stays on that line, but for
 * objects with lists in them, which would be too long for anyone to read.
 */
#include "report/json.h"
#include "report/page.h"

#include "report/figure.h"

static void put_cell(rk_page *p, rk_json *j, const char *key, const rk_cell *c);

static void put_members(rk_page *p, rk_json *j, const rk_fields *of, const rk_cell *cell)
{
    for (size_t i = 0; i < of->n; i++)
        if (of->at[i].key && !of->at[i].csv && cell[i].kind != RK_CELL_NOTHING)
            put_cell(p, j, of->at[i].key, &cell[i]);
}

static void put_object(rk_page *p, rk_json *j, const char *key, const rk_fields *of, const rk_cell *cell)
{
    bool lists = false;

    for (size_t i = 0; i < of->n; i++)
        lists |= cell[i].kind == RK_CELL_LIST;
    if (lists)
        rk_json_open(j, key, '{');
    else
        rk_json_row(j, key);
    put_members(p, j, of, cell);
    rk_json_close(j);
}

typedef struct listing {
    rk_page *page;
    rk_json *json;
    const rk_table *table;
} listing;

static void put_row(void *self, const rk_cell *cell)
{
    listing *l = self;

    put_object(l->page, l->json, NULL, &(rk_fields){l->table->column, l->table->n_column}, cell);
}

/* In a list of the answer, after another row. */
void rk_page_json_row(const rk_table *t, const rk_cell *cell, rk_str *out)
{
    rk_json j = {.out = out, .depth = 2, .close = "}]", .some = {true, true}};
    listing l = {NULL, &j, t};

    put_row(&l, cell);
}

static int put_rows(void *self, const char *text, size_t n, rk_err *err)
{
    listing *l = self;
    bool *some = &l->json->some[l->json->depth - 1];
    size_t comma = !*some && n > 0; /* before the first row there is none */

    (void)err;
    rk_str_putn(l->json->out, text + comma, n - comma);
    *some |= n > 0;
    return rk_page_drain(l->page, l->json->out);
}

static void put_list(rk_page *p, rk_json *j, const char *key, const rk_table *t)
{
    rk_cell cell[RK_PAGE_COLUMNS_MAX] = {{0}};
    listing l = {p, j, t};

    rk_json_open(j, key, '[');
    if (t->make)
        t->make(t->self, cell, put_row, &l);
    for (size_t i = 0; i < t->row.n; i++)
        if (rk_row_is_data(&t->row.at[i]) || (t->sums && t->row.at[i].kind == RK_ROW_PART))
            put_row(&l, t->row.at[i].cell);
    if (t->stream && rk_page_drain(p, j->out) == RK_OK)
        p->code = t->stream(t->self, &(rk_stream){rk_page_json_row, put_rows, t, &l}, p->err);
    rk_json_close(j);
}

static void put_digits(rk_json *j, const char *key, const rk_cell *c)
{
    rk_str s = {0};

    if (c->kind == RK_CELL_REAL)
        rk_str_format(&s, "%.*g", c->style, c->real);
    else if (c->kind == RK_CELL_DIGITS)
        rk_str_put(&s, c->text);
    else
        rk_str_fraction(&s, c->number, c->whole);
    rk_json_number(j, key, s.n ? rk_str_text(&s) : "null"); /* a share of nothing */
    j->out->failed |= s.failed;
    rk_str_free(&s);
}

static void put_formula(rk_page *p, rk_json *j, const char *key, const rk_cell *c)
{
    rk_str s = {0};

    rk_ex_print_at(p->pool, c->simple ? rk_page_form(p, c->formula) : c->formula, RK_PRINT_TEXT | c->style, c->at, &s);
    rk_json_text(j, key, rk_str_text(&s));
    j->out->failed |= s.failed;
    rk_str_free(&s);
}

static void put_cell(rk_page *p, rk_json *j, const char *key, const rk_cell *c)
{
    switch (c->kind) {
    case RK_CELL_NOTHING:
    case RK_N_CELL:
        break;
    case RK_CELL_NULL:
        rk_json_null(j, key);
        break;
    case RK_CELL_TEXT:
    case RK_CELL_CODE:
        rk_json_text(j, key, c->text);
        break;
    case RK_CELL_TRUTH:
        rk_json_truth(j, key, c->number != 0);
        break;
    case RK_CELL_COUNT:
        rk_json_count(j, key, c->number);
        break;
    case RK_CELL_REAL:
    case RK_CELL_DIGITS:
    case RK_CELL_SHARE:
    case RK_CELL_BAR:
        put_digits(j, key, c);
        break;
    case RK_CELL_FORMULA:
        put_formula(p, j, key, c);
        break;
    case RK_CELL_SHAPE:
        rk_json_counts(j, key, c->size, c->n);
        break;
    case RK_CELL_TEXTS:
        rk_json_list(j, key);
        for (size_t i = 0; i < c->n; i++)
            rk_json_text(j, NULL, c->texts[i]);
        rk_json_close(j);
        break;
    case RK_CELL_VALUE:
        rk_json_value(j, key, c->value);
        break;
    case RK_CELL_CELLS:
        rk_json_list(j, key);
        for (size_t i = 0; i < c->n; i++)
            put_cell(p, j, NULL, &c->cell[i]);
        rk_json_close(j);
        break;
    case RK_CELL_OBJECT:
        put_object(p, j, key, c->of, c->cell);
        break;
    case RK_CELL_LIST:
        put_list(p, j, key, c->table);
        break;
    }
}

void rk_page_json(rk_page *p, rk_str *out)
{
    rk_json j = {.out = out};

    if (p->answer.kind != RK_CELL_OBJECT) /* a document for people alone */
        return;
    rk_json_open(&j, NULL, '{');
    rk_json_count(&j, "version", RK_JSON_VERSION);
    put_members(p, &j, p->answer.of, p->answer.cell);
    rk_json_close(&j);
    out->failed |= p->arena->failed;
}
