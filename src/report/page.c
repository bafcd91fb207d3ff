/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include "report/figure.h"

#include <math.h>
#include <string.h>

const char *rk_text_keep(rk_arena *a, rk_str *s)
{
    const char *text = rk_arena_text(a, rk_str_text(s));

    a->failed |= s->failed;
    rk_str_free(s);
    return text ? text : "";
}

/* A copy that is safe to print. */
static const char *keep_safe(rk_page *p, const char *text)
{
    rk_str safe = {0};

    if (!text)
        return NULL;
    rk_str_put_safe(&safe, text, strlen(text));
    p->failed |= safe.failed;
    return rk_text_keep(p->arena, &safe);
}

__attribute__((format(printf, 2, 0))) static const char *formatted(rk_page *p, const char *fmt, va_list ap)
{
    rk_str s = {0};
    const char *text;

    rk_str_vformat(&s, fmt, ap);
    text = keep_safe(p, rk_str_text(&s));
    p->failed |= s.failed | p->arena->failed;
    rk_str_free(&s);
    return text;
}

static rk_item *new_item(rk_page *p, rk_item_kind kind, int indent, const char *text, const char *note)
{
    rk_item *i = RK_PUSH(p->arena, &p->item);

    p->failed |= !i;
    if (i)
        *i = (rk_item){.kind = kind, .indent = indent, .text = keep_safe(p, text), .note = keep_safe(p, note)};
    return i;
}

void rk_page_put(rk_page *p, rk_item_kind kind, int indent, const char *fmt, ...)
{
    rk_item *i = new_item(p, kind, indent, NULL, NULL);
    va_list ap;

    va_start(ap, fmt);
    if (i)
        i->text = formatted(p, fmt, ap);
    va_end(ap);
}

void rk_page_gap(rk_page *p)
{
    new_item(p, RK_ITEM_GAP, 0, NULL, NULL);
}

void rk_page_code(rk_page *p, int indent, const char *code, const char *note)
{
    new_item(p, RK_ITEM_CODE, indent, code, note);
}

void rk_page_marked(rk_page *p, int indent, const char *label, const rk_marked_span *span, size_t n)
{
    rk_item *item;
    rk_str text = {0};

    for (size_t i = 0; i < n; i++)
        rk_str_put(&text, span[i].text);
    item = new_item(p, RK_ITEM_CODE, indent, rk_str_text(&text), NULL);
    p->failed |= text.failed;
    rk_str_free(&text);
    if (item) {
        item->label = label;
        item->span = span;
        item->n_span = n;
    }
}

void rk_page_equation(rk_page *p, int indent, const char *left, rk_cell cell, const char *note)
{
    rk_item *i = new_item(p, RK_ITEM_EQUATION, indent, left, note);

    if (i)
        i->cell = cell;
}

void rk_page_equation_value(rk_page *p, int indent, const char *left, rk_cell cell, rk_cell value)
{
    rk_page_equation(p, indent, left, cell, NULL);
    if (!p->failed)
        p->item.at[p->item.n - 1].value = value;
}

void rk_page_picture(rk_page *p, rk_picture picture, const char *caption)
{
    rk_item *i = new_item(p, RK_ITEM_PICTURE, 0, caption, NULL);

    if (i)
        i->picture = picture;
}

void rk_page_only(rk_page *p, int who)
{
    if (!p->failed)
        p->item.at[p->item.n - 1].only = who;
}

void rk_page_assumes(rk_page *p)
{
    if (!p->failed)
        p->item.at[p->item.n - 1].assumes = true;
}

void rk_page_only_from(rk_page *p, size_t first, int who)
{
    for (size_t i = first; i < p->item.n; i++)
        p->item.at[i].only = who;
}

/* Heads may be names of models, which come from files: the columns are copied where one is not safe to print. */
static const rk_field *safe_heads(rk_page *p, const rk_field *column, size_t n)
{
    rk_field *copy = NULL;

    for (size_t i = 0; i < n; i++) {
        const char *head = keep_safe(p, column[i].head);

        if (!head || strcmp(head, column[i].head) == 0)
            continue;
        if (!copy && !(copy = rk_arena_copy_array(p->arena, column, n, sizeof *column)))
            break;
        copy[i].head = head;
    }
    return copy ? copy : column;
}

static rk_table *new_table(rk_page *p, const rk_field *column, size_t n_column)
{
    rk_table *t = RK_NEW(p->arena, rk_table);

    if (!t || n_column > RK_PAGE_COLUMNS_MAX) {
        p->failed = true;
        return &p->no_table;
    }
    *t = (rk_table){.column = safe_heads(p, column, n_column), .n_column = n_column};
    return t;
}

void rk_page_show(rk_page *p, rk_table *t)
{
    rk_item *i = new_item(p, RK_ITEM_TABLE, 0, NULL, NULL);

    if (i)
        i->table = t;
}

rk_table *rk_page_table(rk_page *p, const rk_field *column, size_t n_column)
{
    rk_table *t = new_table(p, column, n_column);

    rk_page_show(p, t);
    return t;
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

rk_cell *rk_cell_object(rk_page *p, rk_cell *in, const rk_fields *of)
{
    rk_cell *cell = RK_NEW_ARRAY(p->arena, of->n + 1, rk_cell);

    if (!cell || of->n > RK_PAGE_COLUMNS_MAX) {
        p->failed = true;
        return p->no_cell;
    }
    *in = (rk_cell){.kind = RK_CELL_OBJECT, .cell = cell, .of = of};
    return cell;
}

rk_table *rk_cell_list(rk_page *p, rk_cell *in, const rk_fields *of)
{
    rk_table *t = new_table(p, of->at, of->n);

    *in = (rk_cell){.kind = RK_CELL_LIST, .table = t};
    return t;
}

rk_cell *rk_cell_cells(rk_page *p, rk_cell *in, size_t n)
{
    rk_cell *cell = RK_NEW_ARRAY(p->arena, n + 1, rk_cell);

    if (!cell || n > RK_PAGE_COLUMNS_MAX) {
        p->failed = true;
        return p->no_cell;
    }
    *in = (rk_cell){.kind = RK_CELL_CELLS, .cell = cell, .n = n};
    return cell;
}

void rk_cell_names(rk_page *p, rk_cell *in, const char *const *key, rk_cell *cell, size_t n)
{
    rk_fields *of = RK_NEW(p->arena, rk_fields);
    rk_field *field = RK_NEW_ARRAY(p->arena, n + 1, rk_field);

    p->failed |= !of || !field;
    if (p->failed)
        return;
    for (size_t i = 0; i < n; i++)
        field[i].key = key[i];
    *of = (rk_fields){field, n};
    *in = (rk_cell){.kind = RK_CELL_OBJECT, .cell = cell, .of = of};
}

rk_cell *rk_page_answer(rk_page *p, const rk_fields *of)
{
    return rk_cell_object(p, &p->answer, of);
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

rk_cell *rk_page_row(rk_page *p, rk_table *t, rk_row_kind kind, int indent)
{
    rk_cell *cell = RK_NEW_ARRAY(p->arena, t->n_column, rk_cell);
    rk_row *r = p->failed || !cell ? NULL : RK_PUSH(p->arena, &t->row);

    if (!r) {
        p->failed = true;
        return p->no_cell;
    }
    *r = (rk_row){kind, indent, cell, false};
    return cell;
}

rk_cell rk_cell_text(rk_page *p, const char *fmt, ...)
{
    rk_cell c = {.kind = RK_CELL_TEXT};
    va_list ap;

    va_start(ap, fmt);
    c.text = formatted(p, fmt, ap);
    va_end(ap);
    return c;
}

rk_cell rk_cell_code(const char *text)
{
    return (rk_cell){.kind = RK_CELL_CODE, .text = text};
}

rk_cell rk_cell_count(rk_i128 n)
{
    return (rk_cell){.kind = RK_CELL_COUNT, .number = n};
}

rk_cell rk_cell_amount(rk_i128 n, const char *unit)
{
    return (rk_cell){.kind = RK_CELL_COUNT, .number = n, .unit = unit};
}

rk_cell rk_cell_share(rk_i128 n, rk_i128 whole)
{
    return (rk_cell){.kind = RK_CELL_SHARE, .number = n, .whole = whole};
}

rk_cell rk_cell_bar(rk_i128 n, rk_i128 whole)
{
    return (rk_cell){.kind = RK_CELL_BAR, .number = n, .whole = whole};
}

rk_cell rk_cell_formula(rk_ex e, int style)
{
    return (rk_cell){.kind = RK_CELL_FORMULA, .formula = e, .style = style};
}

rk_cell rk_cell_truth(bool truth)
{
    return (rk_cell){.kind = RK_CELL_TRUTH, .number = truth};
}

rk_cell rk_cell_null(void)
{
    return (rk_cell){.kind = RK_CELL_NULL};
}

rk_cell rk_cell_dash(void)
{
    static const rk_cell dash = {.kind = RK_CELL_TEXT, .text = "–"};

    return (rk_cell){.kind = RK_CELL_NULL, .people = &dash};
}

rk_cell rk_cell_both(rk_page *p, rk_cell programs, rk_cell people)
{
    programs.people = rk_arena_copy_array(p->arena, &people, 1, sizeof people);
    p->failed |= !programs.people;
    return programs;
}

rk_cell rk_cell_name(const char *text)
{
    return (rk_cell){.kind = text ? RK_CELL_CODE : RK_CELL_NOTHING, .text = text};
}

rk_cell rk_cell_known(const char *text)
{
    return text ? rk_cell_name(text) : rk_cell_null();
}

rk_cell rk_cell_for_people(rk_page *p, rk_cell cell, const char *text)
{
    rk_cell people = {.kind = cell.kind == RK_CELL_CODE ? RK_CELL_CODE : RK_CELL_TEXT, .text = text};

    return text ? rk_cell_both(p, cell, people) : cell;
}

rk_cell rk_cell_count_if(bool known, rk_i128 n)
{
    return known ? rk_cell_count(n) : rk_cell_null();
}

rk_cell rk_cell_real(double x, int digits)
{
    return (rk_cell){.kind = isfinite(x) ? RK_CELL_REAL : RK_CELL_NULL, .real = x, .style = digits};
}

rk_cell rk_cell_digits(const char *digits)
{
    return (rk_cell){.kind = RK_CELL_DIGITS, .text = digits};
}

rk_cell rk_cell_shape(const rk_i128 *size, size_t n)
{
    return (rk_cell){.kind = RK_CELL_SHAPE, .size = size, .n = n};
}

rk_cell rk_cell_texts(const char *const *text, size_t n)
{
    return (rk_cell){.kind = RK_CELL_TEXTS, .texts = text, .n = n};
}

rk_cell rk_cell_value(const rk_doc *value)
{
    return (rk_cell){.kind = RK_CELL_VALUE, .value = value};
}

/*
 * The form of a multiple is that multiple of the form: a backward pass is often two forward passes, and a step three.
 * RK_EX_FAILED: it is none of any form that was found.
 */
static rk_ex form_of_multiple(rk_page *p, rk_ex e)
{
    size_t n = rk_ex_term_count(p->pool, e);

    for (size_t i = 0; i < RK_PAGE_FORMS && n > 1; i++)
        for (int k = 2; k <= 3 && p->form[i].of != RK_EX_FAILED; k++) {
            rk_ex times = rk_ex_int(p->pool, k);

            if (rk_ex_term_count(p->pool, p->form[i].of) == n && rk_ex_mul(p->pool, times, p->form[i].of) == e)
                return rk_ex_mul(p->pool, times, p->form[i].is);
        }
    return RK_EX_FAILED;
}

/* Simplifying is most of a page's time, and definitions do not change while it is written. */
rk_ex rk_page_form(rk_page *p, rk_ex e)
{
    size_t slot = e % RK_PAGE_FORMS;

    if (e == RK_EX_FAILED || p->form[slot].of != e) {
        rk_ex known = e == RK_EX_FAILED ? e : form_of_multiple(p, e);

        p->form[slot].is = known != RK_EX_FAILED ? known : rk_ex_simplify(p->pool, e);
        p->form[slot].of = e;
    }
    return p->form[slot].is;
}

typedef struct keeping {
    rk_page *page;
    rk_table *table;
} keeping;

static void keep_row(void *self, const rk_cell *cell)
{
    keeping *k = self;
    rk_cell *own = rk_page_row(k->page, k->table, RK_ROW_PLAIN, 0);

    for (size_t i = 0; i < k->table->n_column; i++) {
        own[i] = cell[i];
        if (cell[i].text)
            own[i].text = rk_arena_text(k->page->arena, cell[i].text);
        if (cell[i].kind == RK_CELL_SHAPE)
            own[i].size = rk_arena_copy_array(k->page->arena, cell[i].size, cell[i].n, sizeof *cell[i].size);
        if (k->page->arena->failed)
            own[i] = (rk_cell){0};
    }
    k->page->failed |= k->page->arena->failed;
}

/* Makes the rows of a list, before those that it has: its totals. */
static void make_rows(rk_page *p, rk_table *t)
{
    rk_table all = {.column = t->column, .n_column = t->n_column};
    rk_cell cell[RK_PAGE_COLUMNS_MAX] = {{0}};

    if (!t->make)
        return;
    t->make(t->self, cell, keep_row, &(keeping){p, &all});
    for (size_t i = 0; i < t->row.n && !p->failed; i++) {
        rk_row *r = RK_PUSH(p->arena, &all.row);

        p->failed |= !r;
        if (r)
            *r = t->row.at[i];
    }
    t->row.at = all.row.at;
    t->row.n = all.row.n;
    t->row.cap = all.row.cap;
    t->make = NULL;
}

static void settle(rk_page *p, rk_cell *c, bool all)
{
    size_t n;

    if (c->people && !all)
        *c = *c->people;
    if (c->kind == RK_CELL_NULL && !all)
        c->kind = RK_CELL_NOTHING;
    if (c->kind != RK_CELL_FORMULA)
        return;
    if (c->simple)
        c->formula = rk_page_form(p, c->formula);
    c->simple = false;
    n = c->most && !all ? rk_ex_term_count(p->pool, c->formula) : 0;
    if (n > c->most)
        *c = rk_cell_text(p, "(%zu terms)", n);
}

static void settle_table(rk_page *p, rk_table *t, bool all)
{
    bool seen = all;
    size_t n = 0;

    for (size_t c = 0; c < t->n_column; c++)
        seen |= t->column[c].head != NULL;
    for (size_t r = 0; seen && r < t->row.n; r++) { /* people see nothing of a table for programs alone */
        if (t->row.at[r].kind == RK_ROW_REST && !all)
            continue;
        t->row.at[n++] = t->row.at[r];
        for (size_t c = 0; c < t->n_column; c++)
            if (all ? t->column[c].key : t->column[c].head)
                settle(p, &t->row.at[r].cell[c], all);
    }
    t->row.n = n;
}

void rk_page_settle(rk_page *p, int writer)
{
    bool all = writer & RK_FOR_PROGRAMS;
    size_t n = 0;

    if (p->too_wide && !all && p->code == RK_OK)
        p->code = rk_fail(p->err, RK_ELIMIT, "%s", p->too_wide);
    for (size_t i = 0; i < p->item.n; i++)
        if (!p->item.at[i].only || p->item.at[i].only & writer)
            p->item.at[n++] = p->item.at[i];
    p->item.n = n;
    for (size_t i = 0; i < p->item.n; i++) {
        rk_item *item = &p->item.at[i];

        settle(p, &item->cell, all);
        settle(p, &item->value, all);
        if (item->kind != RK_ITEM_TABLE)
            continue;
        make_rows(p, item->table);
        settle_table(p, item->table, all);
    }
    if (p->columns && p->code == RK_OK)
        p->code = rk_page_choose(p, all);
}

int rk_page_drain(rk_page *p, rk_str *out)
{
    if (out->failed)
        p->failed = true;
    else if (p->drain.take && p->code == RK_OK)
        p->code = p->drain.take(p->drain.self, out, p->err);
    return p->failed ? rk_fail_memory(p->err) : p->code;
}

static void put_shape(const rk_cell *c, rk_str *out)
{
    char digits[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < c->n; i++)
        rk_str_format(out, "%s%s", i ? " × " : "", rk_num_grouped(digits, c->size[i]));
    rk_str_put(out, c->n == 0 ? "1" : ""); /* a scalar */
}

static void put_value(const rk_doc *d, rk_str *out)
{
    rk_str s = {0};

    rk_str_value(&s, d, true);
    rk_str_put_safe(out, rk_str_text(&s), s.n);
    out->failed |= s.failed;
    rk_str_free(&s);
}

void rk_cell_put(const rk_page *p, const rk_cell *c, bool brief, rk_str *out)
{
    const char *text = brief && c->brief ? c->brief : c->text;

    switch (c->kind) {
    case RK_CELL_NOTHING:
    case RK_CELL_NULL:
    case RK_CELL_BAR:
    case RK_CELL_CELLS:
    case RK_CELL_OBJECT:
    case RK_CELL_LIST:
    case RK_N_CELL:
        break;
    case RK_CELL_TEXT:
    case RK_CELL_CODE:
        rk_str_put_safe(out, text, strlen(text));
        break;
    case RK_CELL_COUNT:
        rk_str_grouped(out, c->number);
        break;
    case RK_CELL_SHARE:
        rk_str_share(out, c->number, c->whole);
        break;
    case RK_CELL_FORMULA:
        rk_ex_print_at(p->pool, c->formula, RK_PRINT_TEXT | c->style, c->at, out);
        break;
    case RK_CELL_TRUTH:
        rk_str_put(out, c->number ? "yes" : "no");
        break;
    case RK_CELL_REAL:
        rk_str_format(out, "%.3g", c->real);
        break;
    case RK_CELL_DIGITS:
        rk_str_put(out, text);
        break;
    case RK_CELL_SHAPE:
        put_shape(c, out);
        break;
    case RK_CELL_VALUE:
        put_value(c->value, out);
        break;
    case RK_CELL_TEXTS:
        for (size_t i = 0; i < c->n; i++) {
            rk_str_put(out, i ? ", " : "");
            rk_str_put_safe(out, c->texts[i], strlen(c->texts[i]));
        }
        break;
    }
}

const char *rk_cell_shown(const rk_page *p, const rk_cell *c, bool brief)
{
    rk_str s = {0};

    rk_cell_put(p, c, brief, &s);
    return rk_text_keep(p->arena, &s);
}

bool rk_column_is_seen(const rk_table *t, size_t column)
{
    for (size_t r = 0; r < t->row.n && t->column[column].head; r++) {
        const rk_cell *c = &t->row.at[r].cell[column];

        if (c->kind != RK_CELL_NOTHING && c->kind != RK_CELL_NULL && !(c->kind == RK_CELL_TEXT && c->text[0] == '\0'))
            return true;
    }
    return false;
}

bool rk_row_is_data(const rk_row *r)
{
    return r->kind == RK_ROW_PLAIN || r->kind == RK_ROW_REST;
}

bool rk_row_is_ruled(const rk_table *t, size_t row)
{
    const rk_row *r = t->row.at;

    return row > 0 && (r[row].ruled || (r[row].kind == RK_ROW_TOTAL && r[row - 1].kind != RK_ROW_TOTAL));
}

int rk_table_indent(const rk_table *t)
{
    int least = t->row.n ? t->row.at[0].indent : 0;

    for (size_t r = 0; r < t->row.n; r++)
        least = t->row.at[r].indent < least ? t->row.at[r].indent : least;
    return least;
}

bool rk_page_goes_on(const rk_page *p, size_t i)
{
    const rk_item *item = p->item.at;

    return i > 0 && i < p->item.n && item[i].kind == RK_ITEM_EQUATION && item[i - 1].kind == RK_ITEM_EQUATION &&
           item[i].indent == item[i - 1].indent;
}
