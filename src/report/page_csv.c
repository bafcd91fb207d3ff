/* SPDX-License-Identifier: MIT */
/*
 * The writer that takes the tables for programs out of a page: CSV as RFC 4180 has it, lines ending in CR LF.
 *
 * Only columns with a key are there, and only rows that are no sums of others: a column can be added up.  Counts have
 * all their digits and nothing else.
 */
#include "report/page.h"

#include "report/figure.h"

#include <string.h>

/* A spreadsheet takes what begins so for a formula of its own, and a file of a stranger names tensors and models. */
static bool is_formula(const char *text)
{
    size_t sign = text[0] == '-' || text[0] == '+', digits = strspn(text + sign, "0123456789.");
    bool is_number = digits > 0 && text[sign + digits] == '\0';

    return text[0] && strchr("=+-@\t\r", text[0]) && !is_number;
}

static void put_field(const rk_page *p, rk_str *out, const char *text)
{
    const char *guard = !p->csv_raw && is_formula(text) ? "'" : "";

    if (!strpbrk(text, "\",\r\n")) {
        rk_str_put(out, guard);
        rk_str_put(out, text);
        return;
    }
    rk_str_putc(out, '"');
    rk_str_put(out, guard);
    for (; *text; text++)
        rk_str_put(out, *text == '"' ? "\"\"" : (char[]){*text, '\0'});
    rk_str_putc(out, '"');
}

static void put_shape(const rk_cell *c, rk_str *out)
{
    for (size_t i = 0; i < c->n; i++) {
        rk_str_put(out, i ? "x" : "");
        rk_str_num(out, c->size[i]);
    }
    rk_str_put(out, c->n == 0 ? "1" : ""); /* a scalar */
}

static void put_value(const rk_page *p, const rk_doc *d, rk_str *out)
{
    rk_str s = {0}, safe = {0};

    rk_str_value(&s, d, false);
    rk_str_put_safe(&safe, rk_str_text(&s), s.n);
    put_field(p, out, rk_str_text(&safe));
    out->failed |= s.failed | safe.failed;
    rk_str_free(&s);
    rk_str_free(&safe);
}

static void put_cell(const rk_page *p, const rk_cell *c, rk_str *out)
{
    if (c->kind == RK_CELL_NOTHING || c->kind == RK_CELL_NULL)
        return;
    if (c->kind == RK_CELL_COUNT)
        rk_str_num(out, c->number);
    else if (c->kind == RK_CELL_SHARE)
        rk_str_fraction(out, c->number, c->whole);
    else if (c->kind == RK_CELL_TRUTH)
        rk_str_put(out, c->number ? "true" : "false");
    else if (c->kind == RK_CELL_REAL)
        rk_str_format(out, "%.*g", c->style, c->real);
    else if (c->kind == RK_CELL_SHAPE)
        put_shape(c, out);
    else if (c->kind == RK_CELL_VALUE)
        put_value(p, c->value, out);
    else
        put_field(p, out, rk_cell_shown(p, c, false));
}

static bool is_for_csv(const rk_field *f)
{
    return f->key && !f->json && !f->in;
}

/* A row, or the head where there is none. */
static void put_record(const rk_page *p, const rk_table *t, const rk_cell *cell, rk_str *out)
{
    size_t n = 0;

    for (size_t i = 0; i < (t->pick ? t->n_pick : t->n_column); i++) {
        size_t c = t->pick ? t->pick[i] : i;

        if (!is_for_csv(&t->column[c]))
            continue;
        if (n++)
            rk_str_putc(out, ',');
        if (cell)
            put_cell(p, &cell[c], out);
        else
            put_field(p, out, t->column[c].key);
    }
    rk_str_put(out, "\r\n");
}

/* ---- rows without end ------------------------------------------------------------------------------------------- */

void rk_page_csv_row(const rk_table *t, const rk_cell *cell, rk_str *out)
{
    put_record(NULL, t, cell, out);
}

typedef struct streaming {
    rk_page *page;
    rk_str *out;
} streaming;

static int put_rows(void *self, const char *text, size_t n, rk_err *err)
{
    streaming *s = self;

    (void)err;
    rk_str_putn(s->out, text, n);
    return rk_page_drain(s->page, s->out);
}

static void stream(rk_page *p, const rk_table *t, rk_str *out)
{
    streaming s = {p, out};
    rk_stream to = {rk_page_csv_row, put_rows, t, &s};

    if (rk_page_drain(p, out) == RK_OK)
        p->code = t->stream(t->self, &to, p->err);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* A table with the head of the one before goes on with it. */
static bool same_head(const rk_table *a, const rk_table *b)
{
    if (!a || a->n_column != b->n_column)
        return false;
    for (size_t c = 0; c < a->n_column; c++) {
        const char *x = is_for_csv(&a->column[c]) ? a->column[c].key : NULL;
        const char *y = is_for_csv(&b->column[c]) ? b->column[c].key : NULL;

        if (!x != !y || (x && strcmp(x, y) != 0))
            return false;
    }
    return true;
}

void rk_page_csv(rk_page *p, rk_str *out)
{
    const rk_table *before = NULL;

    rk_page_settle(p, RK_FOR_PROGRAMS);
    for (size_t i = 0; i < p->item.n; i++) {
        const rk_table *t = p->item.at[i].kind == RK_ITEM_TABLE ? p->item.at[i].table : NULL;
        bool for_programs = false;

        for (size_t c = 0; t && c < t->n_column; c++)
            for_programs |= is_for_csv(&t->column[c]);
        if (!for_programs)
            continue;
        if (!same_head(before, t)) {
            rk_str_put(out, before ? "\r\n" : ""); /* an empty line, by which a program can tell them apart */
            put_record(p, t, NULL, out);
        }
        before = t;
        for (size_t r = 0; r < t->row.n; r++)
            if (rk_row_is_data(&t->row.at[r]))
                put_record(p, t, t->row.at[r].cell, out);
        if (t->stream)
            stream(p, t, out);
    }
    out->failed |= p->arena->failed;
}
