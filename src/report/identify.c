/* SPDX-License-Identifier: MIT */
/* What `reckon identify` prints: the simplest meaning of a number, and the others, each with its formula. */
#include "report/identify.h"

#include "report/figure.h"
#include "report/view.h"

#include <string.h>

enum {
    SHOWN = 10 /* of the candidates, unless all are asked for */
};

typedef struct showing {
    rk_view v;
    const rk_identified *i;
    size_t n; /* matches to show */
} showing;

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static const char *keep_match(showing *s, const rk_match *m)
{
    rk_str text = {0};

    rk_match_put(m, &text);
    return rk_view_keep(&s->v, &text);
}

/* All digits of a count; a share in hundredths, one digit more than people quote: "69.44%". */
static const char *value_text(showing *s, rk_index_kind kind, rk_i128 value)
{
    rk_i128 unit = RK_INDEX_SHARE_UNIT / 10000;
    int hundredths = (int)((value + unit / 2) / unit);

    if (kind != RK_INDEX_SHARE)
        return rk_view_grouped(&s->v, value);
    return rk_view_format(&s->v, "%d.%02d%%", hundredths / 100, hundredths % 100);
}

/* An expression in the pool of any model: accounts of memory have one of their own. */
static const char *print_formula(showing *s, const rk_instance *m, rk_ex e, size_t terms_max)
{
    rk_str text = {0};
    size_t n;

    e = m == s->v.instance ? rk_view_form(&s->v, e) : rk_ex_simplify(m->pool, e);
    n = rk_ex_term_count(m->pool, e);
    if (terms_max && n > terms_max)
        rk_str_format(&text, "(%zu terms)", n);
    else
        rk_ex_print(m->pool, e, s->v.style, &text);
    return rk_view_keep(&s->v, &text);
}

static bool has_slip(const rk_match *m)
{
    return m->ratio->times != NULL;
}

/* "2 × 2BS²D": what is beyond the quantity itself stays before it. */
static const char *formula_text(showing *s, const rk_match *m, size_t terms_max)
{
    const rk_instance *model;
    rk_ex e = rk_match_formula(s->i->index, m, &model);
    const char *text = print_formula(s, model, e, terms_max), *slip;
    bool is_sum = rk_ex_term_count(model->pool, e) > 1 && text[0] != '(';
    if (!has_slip(m))
        return text;
    slip = rk_view_formula_text(&s->v, m->ratio->slip, 0);
    return rk_view_format(&s->v, "%s × %s%s%s", slip, is_sum ? "(" : "", text, is_sum ? ")" : "");
}

static const char *times_text(const rk_match *m)
{
    return m->ratio->times ? m->ratio->times : "";
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static bool is_exact(const showing *s)
{
    return s->i->given->exact && !s->i->rounded;
}

static const char *opening(const showing *s, const rk_match *m)
{
    return is_exact(s)           ? "Exactly "
           : !m->other           ? "About "
           : s->i->given->binary ? "With its unit in powers of 1,024, about "
                                 : "With its unit in powers of 1,000, about ";
}

enum {
    COLUMN_TIMES,
    COLUMN_QUANTITY,
    COLUMN_PATH,
    COLUMN_WITH,
    COLUMN_WHAT,
    COLUMN_CONVENTION,
    COLUMN_FORMULA,
    COLUMN_VALUE,
    COLUMN_VALUE_KEY,
    N_COLUMN
};

static const rk_field column[N_COLUMN] = {
    [COLUMN_TIMES] = {.head = "", .key = "times"},
    [COLUMN_QUANTITY] = {.head = "quantity", .wraps = true},
    [COLUMN_PATH] = {.key = "path"},
    [COLUMN_WITH] = {.key = "with"},
    [COLUMN_WHAT] = {.key = "what"},
    [COLUMN_CONVENTION] = {.key = "convention"},
    [COLUMN_FORMULA] = {.head = "formula", .key = "formula", .wraps = true, .drop = 1},
    [COLUMN_VALUE] = {.head = "value", .right = true},
    [COLUMN_VALUE_KEY] = {.key = "value"},
};

/* For programs a share is a fraction. */
static rk_cell value_cell(showing *s, rk_index_kind kind, rk_i128 value)
{
    rk_str text = {0};

    if (kind != RK_INDEX_SHARE)
        return rk_cell_count(value);
    rk_str_fraction(&text, value, RK_INDEX_SHARE_UNIT);
    return rk_cell_text(&s->v.page, "%s", rk_view_keep(&s->v, &text));
}

/* What of its path it is: without the path, the convention and the multiple, which have columns of their own. */
static const char *what_text(showing *s, const rk_match *m)
{
    rk_index_entry bare = *m->entry;
    rk_match of = *m;
    const char *whole, *what;

    bare.convention = NULL;
    of.entry = &bare;
    whole = keep_match(s, &of);
    what = strstr(whole, bare.what);
    return what ? what : whole;
}

static void put_row(showing *s, rk_table *t, const char *times, const rk_match *m, const char *formula)
{
    rk_cell *cell = rk_page_row(&s->v.page, t, RK_ROW_PLAIN, 0);
    const rk_index_entry *e = m->entry;

    cell[COLUMN_TIMES] = rk_view_text(times);
    cell[COLUMN_QUANTITY] = rk_cell_text(&s->v.page, "%s%s", keep_match(s, m),
                                         !m->other             ? ""
                                         : s->i->given->binary ? ", in powers of 1,024"
                                                               : ", in powers of 1,000");
    /* For programs, piece by piece. */
    cell[COLUMN_PATH] = rk_cell_code(e->path);
    cell[COLUMN_WITH] = rk_cell_code(e->with ? e->with : "");
    cell[COLUMN_WHAT] = rk_view_text(what_text(s, m));
    cell[COLUMN_CONVENTION] = rk_cell_code(e->convention ? e->convention : "");
    cell[COLUMN_FORMULA] = rk_view_text(formula);
    cell[COLUMN_VALUE] = rk_view_text(value_text(s, e->kind, m->value));
    cell[COLUMN_VALUE_KEY] = value_cell(s, e->kind, m->value);
}

static const char *count_text(showing *s)
{
    const rk_matches *m = s->i->matches;
    const char *all = rk_view_counted(&s->v, m->n_all, "candidate");

    if (s->n < m->n_all)
        return rk_view_format(&s->v, "%s, the %zu simplest%s", all, s->n, s->i->all ? "" : " (--all shows more)");
    return m->n_all > 1 ? rk_view_format(&s->v, "%s, the simplest first", all) : all;
}

/* ---- nothing ----------------------------------------------------------------------------------------------------- */

static void put_near(showing *s, rk_table *t, const char *where, const rk_index_entry *e)
{
    static const rk_index_ratio once = {.num = 1, .den = 1};
    rk_match alone = {.entry = e, .ratio = &once};
    const rk_instance *model;
    rk_ex formula;

    if (!e)
        return;
    alone.value = e->value;
    formula = rk_index_formula(s->i->index, e, &model);
    put_row(s, t, where, &alone, print_formula(s, model, formula, RK_VIEW_TERMS_IN_TABLE));
}

static void put_nothing(showing *s)
{
    const rk_index_entry *below, *above;
    size_t n;

    rk_index_entries(s->i->index, &n);
    rk_page_put(&s->v.page, RK_ITEM_LINE, 0,
                "Nothing here is that number. Searched: %s quantities (rows, parts, totals, parameters, activations, "
                "bytes of training steps, other ways of counting), and their multiples that mean something (per token, "
                "per head, bytes, twice, half, all layers …). The nearest:",
                rk_view_grouped(&s->v, (rk_i128)n));
    rk_index_near(s->i->index, &s->i->given->plain, &below, &above);
    if (below || above) {
        rk_table *t = rk_page_table(&s->v.page, column, N_COLUMN);

        put_near(s, t, "below", below);
        put_near(s, t, "above", above);
    }
}

/* ---- for programs ------------------------------------------------------------------------------------------------ */

static void write_value(showing *s, const char *key, rk_index_kind kind, rk_i128 value)
{
    if (kind == RK_INDEX_SHARE)
        rk_view_json_fraction(&s->v, key, value, RK_INDEX_SHARE_UNIT);
    else
        rk_json_count(&s->v.json, key, value);
}

static void write_entry(showing *s, const rk_index_entry *e)
{
    rk_json *j = &s->v.json;

    rk_json_text(j, "path", e->path);
    rk_json_text(j, "with", e->with);
    rk_json_text(j, "what", e->what);
    rk_json_text(j, "kind", rk_index_kind_word[e->kind]);
    rk_json_text(j, "occurrences", e->times == 1 ? "once" : e->all ? "all" : "one");
    rk_json_known(j, "times", e->times > 0, e->times);
    rk_json_text(j, "convention", e->convention);
}

static void write_near(showing *s, const char *key, const rk_index_entry *e)
{
    if (!e) {
        rk_json_null(&s->v.json, key);
        return;
    }
    rk_json_row(&s->v.json, key);
    write_entry(s, e);
    write_value(s, "value", e->kind, e->value);
    rk_json_close(&s->v.json);
}

static void write_json(showing *s)
{
    rk_json *j = &s->v.json;
    const rk_index_entry *below, *above;
    size_t n;

    rk_index_entries(s->i->index, &n);
    rk_index_near(s->i->index, &s->i->given->plain, &below, &above);
    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", s->v.model->name);
    rk_view_json_symbols(&s->v);
    rk_json_text(j, "number", s->i->given->text);
    rk_json_truth(j, "exact", is_exact(s));
    rk_json_count(j, "quantities", (rk_i128)n);
    rk_json_count(j, "candidates", (rk_i128)s->i->matches->n_all);
    rk_json_open(j, "matches", '[');
    for (size_t i = 0; i < s->n; i++) {
        const rk_match *m = &s->i->matches->at.at[i];
        const rk_instance *model;
        rk_ex e = rk_match_formula(s->i->index, m, &model);

        rk_json_row(j, NULL);
        write_entry(s, m->entry);
        rk_json_text(j, "as", m->ratio->view);
        rk_json_text(j, "factor", has_slip(m) ? rk_view_formula_text(&s->v, m->ratio->slip, 0) : "1");
        rk_json_text(j, "formula", print_formula(s, model, e, 0));
        write_value(s, "value", m->entry->kind, m->value);
        rk_json_count(j, "cost", m->cost);
        rk_json_truth(j, "other_powers", m->other);
        rk_json_close(j);
    }
    rk_json_close(j);
    write_near(s, "below", below);
    write_near(s, "above", above);
    rk_json_close(j);
    rk_str_putc(s->v.report->out, '\n');
}

static void fill_page(showing *s)
{
    const rk_index_query *q;
    rk_acc acc = {0};
    rk_index_kind kind;

    rk_page_put(&s->v.page, RK_ITEM_TITLE, 0, "%s: what is %s?", s->v.model->name,
                rk_view_safe(&s->v, s->i->given->text));
    rk_view_put_run(&s->v);
    rk_view_put_convention(&s->v);
    q = s->i->rounded ? &s->i->given->coarse : &s->i->given->plain;
    kind = q->kinds == RK_INDEX_IS(SHARE) ? RK_INDEX_SHARE : RK_INDEX_SIZE;
    if (!is_exact(s) && kind != RK_INDEX_SHARE) {
        rk_page_put(&s->v.page, RK_ITEM_LINE, 0, "%s: any value from %s to %s rounds to it.",
                    s->i->rounded ? "Nothing is exactly that; taken as a rounded number" : "A rounded number",
                    value_text(s, kind, rk_ceil_div(&acc, q->low, q->den)),
                    value_text(s, kind, rk_floor_div(&acc, q->high, q->den)));
    }
    rk_page_gap(&s->v.page);
    if (s->n > 0) {
        rk_table *t;
        const rk_match *m = &s->i->matches->at.at[0];

        rk_page_put(&s->v.page, RK_ITEM_LINE, 0, "%s%s%s%s:", opening(s, m), times_text(m), has_slip(m) ? " " : "",
                    keep_match(s, m));
        rk_page_put(&s->v.page, RK_ITEM_LINE, 1, "%s = %s", formula_text(s, m, 0),
                    value_text(s, m->entry->kind, m->value));
        rk_page_gap(&s->v.page);
        rk_page_put(&s->v.page, RK_ITEM_LINE, 0, "%s:", count_text(s));
        t = rk_page_table(&s->v.page, column, N_COLUMN);
        for (size_t i = 0; i < s->n; i++) {
            m = &s->i->matches->at.at[i];
            put_row(s, t, times_text(m), m, formula_text(s, m, RK_VIEW_TERMS_IN_TABLE));
        }
    } else {
        put_nothing(s);
    }
}

int rk_report_identify(const rk_report *r, const rk_ledger *l, const rk_identified *i, rk_err *err)
{
    showing s = {.i = i, .n = i->matches->at.n};

    s.n = !i->all && s.n > SHOWN ? SHOWN : s.n;
    rk_view_begin(&s.v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&s);
    else
        fill_page(&s);
    return rk_view_end(&s.v);
}
