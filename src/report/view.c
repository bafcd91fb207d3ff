/* SPDX-License-Identifier: MIT */
#include "report/view.h"

#include "report/figure.h"

#include <stdarg.h>
#include <string.h>

/* ---- life ------------------------------------------------------------------------------------------------------- */

void rk_view_begin(rk_view *v, const rk_report *r, const rk_ledger *l, rk_err *err)
{
    *v = (rk_view){.report = r, .ledger = l, .err = err, .start = r->out->n};
    v->model = l ? l->model : NULL;
    v->instance = l ? l->instance : NULL;
    v->pool = l ? l->pool : NULL;
    v->style = r->factored ? RK_PRINT_FACTORED : 0;
    v->page.arena = &v->arena;
    v->page.pool = v->pool;
    v->page.paper = r->paper;
    v->page.csv_raw = r->csv_raw;
    v->page.columns = r->columns;
    v->page.drain = r->drain;
    v->page.err = err;
}

void rk_view_page(rk_view *v, void (*put)(rk_view *v, const void *about), const void *about)
{
    v->put = put;
    v->about = about;
}

int rk_view_end(rk_view *v)
{
    const rk_writer *writer = &rk_writers[v->report->format];
    rk_str *out = v->report->out;

    if (v->code == RK_OK && v->put && writer->takes != RK_WRITER_TAKES_ANSWER)
        v->put(v, v->about);
    if (v->code == RK_OK && v->pool)
        v->code = rk_pool_check(v->pool, v->err);
    if (v->code == RK_OK && !v->page.failed && !v->arena.failed) {
        writer->write(&v->page, out);
        v->code = v->code == RK_OK ? v->page.code : v->code;
    }
    if (v->code == RK_OK && v->pool)
        v->code = rk_pool_check(v->pool, v->err); /* formulas are simplified when they are written */
    if (v->code == RK_OK && (v->page.failed || v->arena.failed || out->failed))
        v->code = rk_fail_memory(v->err);
    if (v->code != RK_OK && out->text) {
        out->n = v->start;
        out->text[out->n] = '\0';
    }
    rk_arena_free(&v->arena);
    return v->code;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

const char *rk_view_missing(rk_view *v, rk_ex e)
{
    const rk_symbol *first = NULL;
    rk_str names = {0};
    size_t n = 0;

    e = rk_ex_expand_defs(v->pool, e);
    for (size_t i = 0; i < v->model->n_symbol; i++) {
        const rk_symbol *s = &v->model->symbol[i];

        if (s->kind == RK_SYMBOL_LOOP || s->known || !rk_ex_has_sym(v->pool, e, s->sym))
            continue;
        first = first ? first : s;
        rk_str_format(&names, "%s%s", n++ ? ", " : "", s->name);
        if (s->text)
            rk_str_format(&names, " (%s)", s->text);
    }
    if (n > 0)
        rk_str_format(&names, " %s no value: set %s, as in %s=4096", n > 1 ? "have" : "has", n > 1 ? "them" : "it",
                      first->name);
    return rk_view_keep(v, &names);
}

rk_i128 rk_view_value(rk_view *v, rk_ex e)
{
    rk_i128 n = 0;

    if (v->code != RK_OK)
        return 0;
    v->code = rk_ex_eval(v->pool, e, &v->instance->at, &n, v->err);
    if (v->code == RK_EVALUE) {
        const char *missing = rk_view_missing(v, e);

        /* The message stays where another thing is wrong. */
        if (missing[0])
            rk_fail(v->err, RK_EVALUE, "%s", missing);
    }
    return v->code == RK_OK ? n : 0;
}

int rk_report_numbers(const rk_ledger *l, rk_err *err)
{
    rk_str nothing = {0};
    rk_report report = {.out = &nothing};
    rk_err why = {0};
    rk_view v;
    int code;

    rk_view_begin(&v, &report, l, &why);
    rk_view_value(&v, rk_ex_add(v.pool, l->stored, l->forward));
    code = rk_view_end(&v);
    rk_str_free(&nothing);
    /* A number too large is told by whoever needs it. */
    return code == RK_EVALUE ? rk_fail(err, code, "%s", why.message) : RK_OK;
}

rk_cell rk_view_number(rk_view *v, rk_ex e)
{
    rk_i128 n = 0;

    return rk_view_known(v, e, &n) ? rk_cell_count(n) : rk_cell_null();
}

rk_i128 rk_view_total(rk_view *v, rk_ex times, rk_ex figure)
{
    return rk_view_value(v, rk_ex_mul(v->pool, times, figure));
}

bool rk_view_known(rk_view *v, rk_ex e, rk_i128 *out)
{
    rk_err err;
    int code;

    if (v->code != RK_OK)
        return false;
    code = rk_ex_eval(v->pool, e, &v->instance->at, out, &err);
    /* Only that a symbol has no value is no failure here. */
    if (code == RK_EOVERFLOW)
        v->code = rk_fail(v->err, code, "%s", err.message);
    return code == RK_OK;
}

const char *rk_view_keep(rk_view *v, rk_str *s)
{
    return rk_text_keep(&v->arena, s);
}

const char *rk_view_grouped(rk_view *v, rk_i128 n)
{
    rk_str s = {0};

    rk_str_grouped(&s, n);
    return rk_view_keep(v, &s);
}

const char *rk_view_scaled(rk_view *v, rk_i128 n, const char *unit)
{
    rk_str s = {0};

    rk_str_scaled(&s, n, unit);
    return rk_view_keep(v, &s);
}

const char *rk_view_words(rk_view *v, rk_i128 n)
{
    rk_str s = {0};

    rk_str_in_words(&s, n);
    return rk_view_keep(v, &s);
}

const char *rk_view_letters(rk_view *v, rk_i128 n)
{
    rk_str s = {0};

    rk_str_in_letters(&s, n);
    return rk_view_keep(v, &s);
}

const char *rk_view_counted(rk_view *v, size_t n, const char *one)
{
    return rk_view_format(v, "%s %s%s", rk_view_grouped(v, (rk_i128)n), one, n == 1 ? "" : "s");
}

const char *rk_view_format(rk_view *v, const char *fmt, ...)
{
    rk_str s = {0};
    va_list args;

    va_start(args, fmt);
    rk_str_vformat(&s, fmt, args);
    va_end(args);
    return rk_view_keep(v, &s);
}

rk_cell rk_view_text(const char *text)
{
    return (rk_cell){.kind = RK_CELL_TEXT, .text = text};
}

rk_cell rk_view_texts(rk_view *v, rk_str *full, rk_str *brief)
{
    return (rk_cell){.kind = RK_CELL_TEXT, .text = rk_view_keep(v, full), .brief = rk_view_keep(v, brief)};
}

rk_table *rk_view_table(rk_view *v, const rk_field *column, size_t n_column)
{
    rk_field *own = rk_arena_copy_array(&v->arena, column, n_column, sizeof *own);

    v->page.failed |= !own;
    return own ? rk_page_table(&v->page, own, n_column) : &v->page.no_table;
}

const char *rk_view_safe(rk_view *v, const char *text)
{
    rk_str s = {0};

    rk_str_put_safe(&s, text, strlen(text));
    return rk_view_keep(v, &s);
}

rk_ex rk_view_form(rk_view *v, rk_ex e)
{
    return rk_page_form(&v->page, e);
}

rk_cell rk_view_formula(rk_view *v, rk_ex e)
{
    rk_cell cell = rk_cell_formula(e, v->style);

    cell.simple = true;
    return cell;
}

rk_cell rk_view_short_formula(rk_view *v, rk_ex e, size_t most)
{
    rk_cell cell = rk_view_formula(v, e);

    cell.most = most;
    return cell;
}

const char *rk_view_formula_text(rk_view *v, rk_ex e, int style)
{
    rk_str s = {0};

    rk_ex_print(v->pool, rk_view_form(v, e), style, &s);
    return rk_view_keep(v, &s);
}

/* ---- lines that reports share ----------------------------------------------------------------------------------- */

/* "D = 1,600 width"; a remark after the meaning is for tables, which have room for it. */
static void put_symbol(const rk_view *v, rk_str *line, const rk_symbol *s)
{
    rk_str_format(line, "%s%s", line->n ? ", " : "", s->name);
    if (s->known) {
        rk_str_put(line, " = ");
        rk_str_grouped(line, v->instance->value[s->sym]);
    }
    if (s->text)
        rk_str_format(line, " %.*s", (int)strcspn(s->text, ",;"), s->text);
}

static void put_list(rk_view *v, rk_str *line)
{
    const char *text = rk_view_keep(v, line);

    if (text[0])
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "%s", text);
}

static bool occurs(const rk_view *v, const rk_symbol *s, const rk_ex *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rk_ex_has_sym(v->pool, e[i], s->sym))
            return true;
    return !e;
}

void rk_view_put_symbol_line(rk_view *v, rk_symbol_kind kind, const rk_ex *e, size_t n)
{
    rk_str line = {0};

    for (size_t i = 0; i < v->model->n_symbol; i++) {
        const rk_symbol *s = &v->model->symbol[i];

        if (s->kind == kind && s->known && occurs(v, s, e, n))
            put_symbol(v, &line, s);
    }
    put_list(v, &line);
}

void rk_view_put_like(rk_view *v)
{
    rk_str s = {0};
    const char *absent;

    if (v->model->at_defaults)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "A family at its default sizes, not a model known by name.");
    if (v->model->notes_name)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "%s", v->model->note[0]);
    if (!v->model->like)
        return;
    for (size_t i = 0; i < v->model->n_key; i++)
        if (v->model->key[i].from == RK_KEY_DEFAULT)
            rk_str_format(&s, "%s%s", s.n ? ", " : "", v->model->key[i].path);
    absent = rk_view_keep(v, &s);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Read like %s%s%s%s.", v->model->family,
                absent[0] ? "; left to its defaults: " : ", which finds every key", absent,
                absent[0] ? " (--explain-config says more)" : "");
}

void rk_view_put_notes(rk_view *v)
{
    for (size_t i = v->model->notes_name; i < v->model->n_note; i++)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "%s", v->model->note[i]);
}

rk_i128 rk_view_beyond(const rk_instance *m, const rk_symbol **which)
{
    const rk_symbol *length = rk_model_size(m->model, RK_SIZE_TOKENS), *keys = rk_model_size(m->model, RK_SIZE_KEYS);
    const rk_symbol *of[] = {keys, length};
    rk_i128 context = length ? length->context : 0;

    for (size_t i = 0; i < 2 && context > 0; i++)
        if (of[i] && m->known[of[i]->sym] && m->value[of[i]->sym] > context) {
            *which = of[i];
            return context;
        }
    return 0;
}

void rk_view_put_beyond(rk_view *v)
{
    const rk_symbol *s;
    rk_i128 context = rk_view_beyond(v->instance, &s);

    if (context > 0)
        rk_page_put(&v->page, RK_ITEM_WARNING, 0, "%s = %s is beyond the context of %s tokens that the config gives.",
                    s->name, rk_view_grouped(v, v->instance->value[s->sym]), rk_view_grouped(v, context));
}

void rk_view_put_run(rk_view *v)
{
    rk_str line = {0};

    for (size_t i = 0; i < v->model->n_symbol; i++) {
        const rk_symbol *s = &v->model->symbol[i];

        /* What follows from others (T = S) would only repeat them. */
        if (s->kind == RK_SYMBOL_RUN && rk_sym_definition(v->pool, s->sym) == RK_EX_FAILED)
            put_symbol(v, &line, s);
    }
    put_list(v, &line);
    rk_view_put_beyond(v);
}

const char *rk_view_unit(const rk_view *v)
{
    return v->ledger->convention.mac ? "MAC" : "FLOP";
}

rk_cell rk_view_flops(const rk_view *v, rk_i128 n)
{
    return rk_cell_amount(n, rk_view_unit(v));
}

/* Whether an operation sees no more than so many keys. */
static bool has_windows(const rk_view *v)
{
    const rk_program *p = &v->model->program;

    for (size_t i = 0; i < p->n_op; i++)
        if (rk_mask_is_window(p->op[i].mask.kind))
            return true;
    return false;
}

void rk_view_put_convention(rk_view *v)
{
    static const char *const what[] = {
        [RK_COUNT_MATMUL] = "products that sum over an index",
        [RK_COUNT_ALL] = "every operation",
        [RK_COUNT_TORCH] = "what the FLOP counter of PyTorch sees",
    };
    const rk_convention *c = &v->ledger->convention;

    rk_page_put(
        &v->page, RK_ITEM_NOTE, 0,
        "Counted: %s (--count); a multiply and its add are %s (--unit); masked attention as %s%s (--causal).",
        what[c->count], c->mac ? "one" : "two",
        c->pairs == RK_PAIRS_EXACT ? "the pairs that its mask allows" : "the full square",
        rk_convention_pairs(c) == RK_PAIRS_WINDOW && has_windows(v) ? ", and of a window or chunk its keys alone" : "");
    rk_page_assumes(&v->page);
}

void rk_view_put_counted(rk_view *v)
{
    static const char *const what[] = {
        [RK_COUNT_MATMUL] = "products",
        [RK_COUNT_ALL] = "every operation",
        [RK_COUNT_TORCH] = "what PyTorch counts",
    };
    const rk_convention *c = &v->ledger->convention;

    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "Counted: %s, multiply and add as %s, masked attention as %s%s.",
                what[c->count], c->mac ? "one" : "two",
                c->pairs == RK_PAIRS_EXACT ? "its mask allows" : "a full square",
                rk_convention_pairs(c) == RK_PAIRS_WINDOW && has_windows(v) ? ", of windows their keys" : "");
}

static void put_symbol_row(rk_view *v, rk_table *t, const rk_symbol *s)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 1);

    cell[0] = rk_cell_formula(rk_ex_sym(v->pool, s->sym), 0);
    if (s->known)
        cell[1] = rk_cell_count(v->instance->value[s->sym]);
    if (rk_sym_definition(v->pool, s->sym) != RK_EX_FAILED)
        cell[2] = rk_cell_formula(rk_sym_definition(v->pool, s->sym), 0);
    if (s->text)
        cell[3] = rk_cell_text(&v->page, "%s", s->text);
}

void rk_view_put_symbols(rk_view *v, const rk_ex *e, size_t n)
{
    static const rk_field column[] = {
        {.head = ""}, {.head = "", .right = true}, {.head = "", .drop = 1}, {.head = "", .wraps = true, .drop = 2}};
    static const rk_symbol_kind kind[] = {RK_SYMBOL_RUN, RK_SYMBOL_MODEL};
    rk_table *t = rk_page_table(&v->page, column, 4);

    /* In the order of formulas: the run's symbols first. */
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (size_t i = 0; i < v->model->n_symbol; i++)
            if (v->model->symbol[i].kind == kind[k] && occurs(v, &v->model->symbol[i], e, n))
                put_symbol_row(v, t, &v->model->symbol[i]);
}

void rk_view_put_sum(rk_view *v, const char *name, rk_ex e, const char *note)
{
    rk_cell formula = rk_view_formula(v, e);
    rk_i128 plain;

    if (!rk_ex_is_int(v->pool, rk_view_form(v, e), &plain)) {
        rk_page_equation(&v->page, 0, name, formula, NULL);
        name = NULL;
    }
    rk_page_equation(&v->page, 0, name, rk_cell_count(rk_view_value(v, e)), note);
}

/* ---- keys that answers share ------------------------------------------------------------------------------------ */

rk_cell *rk_view_answer(rk_view *v, const rk_fields *of)
{
    rk_cell *cell = rk_page_answer(&v->page, of);

    cell[RK_ANSWER_MODEL] = rk_cell_name(v->model->name);
    if (v->model->like)
        cell[RK_ANSWER_LIKE] = rk_cell_name(v->model->family);
    if (v->model->at_defaults)
        cell[RK_ANSWER_DEFAULTS] = rk_cell_truth(true);
    if (v->model->n_note > 0)
        cell[RK_ANSWER_NOTES] = rk_cell_texts(v->model->note, v->model->n_note);
    return cell;
}

static const rk_field symbols_field[] = {RK_KEY("*", COUNT, "the symbol's number")};
const rk_fields rk_symbols_fields = {symbols_field, 1};

void rk_view_symbols(rk_view *v, rk_cell *in)
{
    const char **key = RK_NEW_ARRAY(&v->arena, v->model->n_symbol + 1, const char *);
    rk_cell *cell = RK_NEW_ARRAY(&v->arena, v->model->n_symbol + 1, rk_cell);

    for (size_t i = 0; key && cell && i < v->model->n_symbol; i++) {
        const rk_symbol *s = &v->model->symbol[i];

        key[i] = s->name;
        if (s->kind != RK_SYMBOL_LOOP && s->known)
            cell[i] = rk_cell_count(v->instance->value[s->sym]);
    }
    if (key && cell)
        rk_cell_names(&v->page, in, key, cell, v->model->n_symbol);
}

static const rk_field convention_field[] = {
    RK_KEY("count", TEXT, "which operations count: matmul, all, torch"),
    RK_KEY("causal", TEXT, "of masked attention the full square, or the exact pairs"),
    RK_KEY("unit", TEXT, "flop: a multiply and its add are two; mac: they are one"),
};
const rk_fields rk_convention_fields = {convention_field, 3};

void rk_view_convention(rk_view *v, rk_cell *in)
{
    static const char *const count[] = {
        [RK_COUNT_MATMUL] = "matmul", [RK_COUNT_ALL] = "all", [RK_COUNT_TORCH] = "torch"};
    const rk_convention *c = &v->ledger->convention;
    rk_cell *cell = rk_cell_object(&v->page, in, &rk_convention_fields);

    cell[0] = rk_cell_name(count[c->count]);
    cell[1] = rk_cell_name(c->pairs == RK_PAIRS_EXACT ? "exact" : "full");
    cell[2] = rk_cell_name(c->mac ? "mac" : "flop");
}

static const rk_field total_field[] = {
    RK_KEY("total", COUNT, "the number"),
    RK_KEY("formula", FORMULA, "the same in the model's symbols"),
};
const rk_fields rk_total_fields = {total_field, 2};

void rk_view_sum(rk_view *v, rk_cell *in, rk_ex e)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &rk_total_fields);

    cell[0] = rk_view_number(v, e);
    cell[1] = rk_view_formula(v, e);
}

/* ---- trees ------------------------------------------------------------------------------------------------------ */

/* "[0-2,4-6,…,44-46]" where there are many ranges: the number of layers stands beside it. */
static void put_which(rk_str *name, const char *which, bool brief)
{
    const size_t most = 3;
    const char *second = strchr(which, ','), *last = strrchr(which, ',');
    size_t n = 1;

    for (const char *c = which; *c; c++)
        n += *c == ',';
    if (!brief || n <= most) {
        rk_str_format(name, "[%s]", which);
        return;
    }
    second += strcspn(second + 1, ",") + 1;
    rk_str_format(name, "[%.*s,…%s]", (int)(second - which), which, last);
}

/* In full, and briefly. */
static void put_node(rk_str name[2], const rk_roll_node *n)
{
    for (size_t i = 0; i < 2; i++) {
        rk_str_format(&name[i], "%s%s", name[i].n ? "." : "", n->name);
        if (n->which)
            put_which(&name[i], n->which, i == 1);
    }
}

/* The last node of the chain that is one line with node i. */
static size_t end_of_chain(const rk_rollup *tree, size_t i, int depth)
{
    /* A node with one child has one more below it than that child has. */
    while (tree->node[i].n_below > 0 && tree->node[i + 1].n_below + 1 == tree->node[i].n_below &&
           tree->node[i].times == tree->node[i + 1].times && (depth == 0 || (int)tree->node[i].depth < depth))
        i++;
    return i;
}

static rk_cell names_cell(rk_view *v, rk_str name[2])
{
    rk_cell cell = rk_cell_code(rk_view_keep(v, &name[0]));

    cell.brief = rk_view_keep(v, &name[1]);
    return cell;
}

rk_cell rk_view_path_name(rk_view *v, const rk_roll_node *n, const rk_roll_node *in_it)
{
    rk_str name[2] = {{0}};

    put_node(name, n);
    if (in_it)
        put_node(name, in_it);
    return names_cell(v, name);
}

rk_cell rk_view_node_name(rk_view *v, const rk_rollup *tree, size_t *i, int depth)
{
    size_t first = *i;
    rk_str name[2] = {{0}};

    *i = end_of_chain(tree, first, depth);
    for (size_t k = first; k <= *i; k++)
        put_node(name, &tree->node[k]);
    return names_cell(v, name);
}
