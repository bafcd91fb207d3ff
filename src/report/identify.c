/* SPDX-License-Identifier: MIT */
/* What `reckon identify` prints: the simplest meaning of a number, and the others, each with its formula. */
#include "report/answers.h"
#include "report/identify.h"

#include "report/view.h"

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

static bool has_slip(const rk_match *m)
{
    return m->ratio->times != NULL;
}

/* An expression in the pool of any model: accounts of memory have one of their own. */
static rk_cell formula_cell(showing *s, const rk_instance *m, rk_ex e)
{
    rk_str text = {0};
    size_t n;

    e = m == s->v.instance ? rk_view_form(&s->v, e) : rk_ex_simplify(m->pool, e);
    n = rk_ex_term_count(m->pool, e);
    rk_ex_print(m->pool, e, s->v.style, &text);
    return rk_cell_for_people(&s->v.page, rk_view_text(rk_view_keep(&s->v, &text)),
                              n > RK_VIEW_TERMS_IN_TABLE ? rk_view_format(&s->v, "(%zu terms)", n) : NULL);
}

/* "2 × 2BS²D": what is beyond the quantity itself stays before it. */
static const char *with_slip(showing *s, const rk_match *m, const char *formula)
{
    const rk_instance *model;
    rk_ex e = rk_match_formula(s->i->index, m, &model);
    bool is_sum = rk_ex_term_count(model->pool, e) > 1 && formula[0] != '(';

    if (!has_slip(m))
        return formula;
    return rk_view_format(&s->v, "%s × %s%s%s", rk_view_formula_text(&s->v, m->ratio->slip, 0), is_sum ? "(" : "",
                          formula, is_sum ? ")" : "");
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

#define MATCH_FIELDS(X)                                                                                                \
    X(NEAR, RK_COLUMN("", "near", TEXT, "below or above: no match", .csv = true))                                      \
    X(QUANTITY, {.head = "quantity", .wraps = true})                                                                   \
    X(PATH, RK_KEY("path", CODE, "of the row, part or tensor"))                                                        \
    X(WITH, RK_KEY("with", TEXT, "the options under which it is so, or null"))                                         \
    X(WHAT, RK_KEY("what", TEXT, "what of it"))                                                                        \
    X(KIND, RK_KEY("kind", TEXT, "what it is counted in"))                                                             \
    X(OCCURRENCES, RK_KEY("occurrences", TEXT, "once, all of several, or one of them"))                                \
    X(TIMES, RK_KEY("times", COUNT, "how often it occurs; null: not everywhere alike"))                                \
    X(CONVENTION, RK_KEY("convention", TEXT, "whose way of counting it is, or null"))                                  \
    X(AS, RK_KEY("as", TEXT, "per token, per head, bytes …; null: itself"))                                            \
    X(FACTOR, RK_KEY("factor", TEXT, "what it is multiplied with beyond that"))                                        \
    X(FORMULA, RK_COLUMN("formula", "formula", TEXT, "without the factor", .wraps = true, .drop = 1))                  \
    X(VALUE, RK_COLUMN("value", "value", COUNT, "the number; a share is a fraction", .right = true))                   \
    X(COST, RK_KEY("cost", COUNT, "how far-fetched it is"))                                                            \
    X(OTHER_POWERS, RK_KEY("other_powers", TRUTH, "its unit taken in powers of 1,024 for 1,000, or the reverse"))
RK_FIELD_TABLE(match_field, N_MATCH, MATCH_FIELDS);
static const rk_fields match_fields = {match_field, N_MATCH};

#define ANSWER_FIELDS(X)                                                                                               \
    X(MODEL, RK_KEY("model", TEXT, "the model's name"))                                                                \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(NUMBER, RK_KEY("number", TEXT, "as it was given"))                                                               \
    X(EXACT, RK_KEY("exact", TRUTH, "whether it was taken to the last digit"))                                         \
    X(QUANTITIES, RK_KEY("quantities", COUNT, "that were searched"))                                                   \
    X(CANDIDATES, RK_KEY("candidates", COUNT, "that it may be"))                                                       \
    X(MATCHES, RK_LIST("matches", match_fields, "the simplest of them"))                                               \
    X(BELOW, RK_OBJECT("below", match_fields, "the next smaller quantity"))                                            \
    X(ABOVE, RK_OBJECT("above", match_fields, "the next larger quantity"))
RK_FIELD_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_identify = {answer_field, N_ANSWER};

/* All digits of a count; a share is a fraction for programs. */
static rk_cell value_cell(showing *s, rk_index_kind kind, rk_i128 value)
{
    if (kind != RK_INDEX_SHARE)
        return rk_cell_count(value);
    return rk_cell_for_people(&s->v.page, rk_cell_share(value, RK_INDEX_SHARE_UNIT), value_text(s, kind, value));
}

static void fill_entry(showing *s, rk_cell *cell, const rk_index_entry *e, rk_i128 value)
{
    cell[PATH] = rk_cell_name(e->path);
    cell[WITH] = rk_cell_known(e->with);
    cell[WHAT] = rk_cell_name(e->what);
    cell[KIND] = rk_cell_name(rk_index_kind_word[e->kind]);
    cell[OCCURRENCES] = rk_cell_name(e->times == 1 ? "once" : e->all ? "all" : "one");
    cell[TIMES] = e->times > 0 ? rk_cell_count(e->times) : rk_cell_null();
    cell[CONVENTION] = rk_cell_known(e->convention);
    cell[VALUE] = value_cell(s, e->kind, value);
}

static rk_cell put_match(showing *s, rk_table *t, const rk_match *m)
{
    rk_cell *cell = rk_page_row(&s->v.page, t, RK_ROW_PLAIN, 0);
    const rk_instance *model;
    rk_ex e = rk_match_formula(s->i->index, m, &model);
    rk_cell formula = formula_cell(s, model, e);

    fill_entry(s, cell, m->entry, m->value);
    cell[NEAR] = rk_cell_for_people(&s->v.page, cell[NEAR], times_text(m));
    cell[QUANTITY] = rk_cell_text(&s->v.page, "%s%s", keep_match(s, m),
                                  !m->other             ? ""
                                  : s->i->given->binary ? ", in powers of 1,024"
                                                        : ", in powers of 1,000");
    cell[AS] = rk_cell_known(m->ratio->view);
    cell[FACTOR] = rk_cell_name(has_slip(m) ? rk_view_formula_text(&s->v, m->ratio->slip, 0) : "1");
    cell[FORMULA] =
        rk_cell_for_people(&s->v.page, formula, with_slip(s, m, (formula.people ? formula.people : &formula)->text));
    cell[COST] = rk_cell_count(m->cost);
    cell[OTHER_POWERS] = rk_cell_truth(m->other);
    return formula;
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
    rk_cell *cell;
    rk_ex formula;

    if (!e)
        return;
    cell = rk_page_row(&s->v.page, t, RK_ROW_PLAIN, 0);
    formula = rk_index_formula(s->i->index, e, &model);
    alone.value = e->value;
    fill_entry(s, cell, e, e->value);
    cell[NEAR] = rk_view_text(where);
    cell[QUANTITY] = rk_cell_text(&s->v.page, "%s", keep_match(s, &alone));
    cell[FORMULA] = formula_cell(s, model, formula);
}

static void put_nothing(showing *s, size_t n, const rk_index_entry *below, const rk_index_entry *above)
{
    rk_page_put(&s->v.page, RK_ITEM_LINE, 0,
                "Nothing here is that number. Searched: %s quantities (rows, parts, totals, parameters, activations, "
                "bytes of training steps, other ways of counting), and their multiples that mean something (per token, "
                "per head, bytes, twice, half, all layers …). The nearest:",
                rk_view_grouped(&s->v, (rk_i128)n));
    if (below || above) {
        rk_table *t = rk_page_table(&s->v.page, match_field, N_MATCH);

        put_near(s, t, "below", below);
        put_near(s, t, "above", above);
    }
}

/* ---- the document ------------------------------------------------------------------------------------------------ */

static void answer_near(showing *s, rk_cell *in, const rk_index_entry *e)
{
    *in = rk_cell_null();
    if (e)
        fill_entry(s, rk_cell_object(&s->v.page, in, &match_fields), e, e->value);
}

/* What of the values rounds to the number, where it is a rounded one. */
static void put_rounding(showing *s)
{
    const rk_index_query *q = s->i->rounded ? &s->i->given->coarse : &s->i->given->plain;
    rk_acc acc = {0};

    if (is_exact(s) || q->kinds == RK_INDEX_IS(SHARE))
        return;
    rk_page_put(&s->v.page, RK_ITEM_LINE, 0, "%s: any value from %s to %s rounds to it.",
                s->i->rounded ? "Nothing is exactly that; taken as a rounded number" : "A rounded number",
                rk_view_grouped(&s->v, rk_ceil_div(&acc, q->low, q->den)),
                rk_view_grouped(&s->v, rk_floor_div(&acc, q->high, q->den)));
}

static void fill(showing *s)
{
    rk_cell *answer = rk_page_answer(&s->v.page, &rk_answer_identify), formula = {0};
    rk_table *t = rk_cell_list(&s->v.page, &answer[MATCHES], &match_fields);
    const rk_match *first = s->i->matches->at.at;
    const rk_index_entry *below, *above;
    size_t n;

    rk_index_entries(s->i->index, &n);
    rk_index_near(s->i->index, &s->i->given->plain, &below, &above);
    answer[MODEL] = rk_cell_name(s->v.model->name);
    rk_view_symbols(&s->v, &answer[SYMBOLS]);
    answer[NUMBER] = rk_cell_name(s->i->given->text);
    answer[EXACT] = rk_cell_truth(is_exact(s));
    answer[QUANTITIES] = rk_cell_count((rk_i128)n);
    answer[CANDIDATES] = rk_cell_count((rk_i128)s->i->matches->n_all);
    for (size_t i = 0; i < s->n; i++) {
        rk_cell each = put_match(s, t, &first[i]);

        formula = i == 0 ? each : formula;
    }
    answer_near(s, &answer[BELOW], below);
    answer_near(s, &answer[ABOVE], above);
    rk_page_put(&s->v.page, RK_ITEM_TITLE, 0, "%s: what is %s?", s->v.model->name,
                rk_view_safe(&s->v, s->i->given->text));
    rk_view_put_run(&s->v);
    rk_view_put_convention(&s->v);
    put_rounding(s);
    rk_page_gap(&s->v.page);
    if (s->n == 0) {
        put_nothing(s, n, below, above);
        return;
    }
    rk_page_put(&s->v.page, RK_ITEM_LINE, 0, "%s%s%s%s:", opening(s, first), times_text(first),
                has_slip(first) ? " " : "", keep_match(s, first));
    rk_page_put(&s->v.page, RK_ITEM_LINE, 1, "%s = %s", with_slip(s, first, formula.text),
                value_text(s, first->entry->kind, first->value));
    rk_page_gap(&s->v.page);
    rk_page_put(&s->v.page, RK_ITEM_LINE, 0, "%s:", count_text(s));
    rk_page_show(&s->v.page, t);
}

int rk_report_identify(const rk_report *r, const rk_ledger *l, const rk_identified *i, rk_err *err)
{
    showing s = {.i = i, .n = i->matches->at.n};

    s.n = !i->all && s.n > SHOWN ? SHOWN : s.n;
    rk_view_begin(&s.v, r, l, err);
    s.v.page.whole = true;
    fill(&s);
    return rk_view_end(&s.v);
}
