/* SPDX-License-Identifier: MIT */
#include "ask/compare.h"

#include "account/count.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define NONE SIZE_MAX /* no part around this one */

/* ---- models ----------------------------------------------------------------------------------------------------- */

static int open_model(rk_arena *a, rk_comparison *c, const rk_gauge_source *source, rk_compared *out, rk_err *err)
{
    int code = rk_gauge_new(source, c->measure, c->n_measure, NULL, &out->gauge, err);

    if (code != RK_OK)
        return code;
    out->ledger = rk_gauge_ledger(out->gauge);
    out->name = out->ledger->model->name;
    out->reading = RK_NEW_ARRAY(a, c->n_measure + 1, rk_reading);
    if (!out->reading)
        return rk_fail_memory(err);
    out->tokens = rk_count_tokens(out->ledger->model);
    code = rk_ex_eval(out->ledger->pool, out->ledger->stored, &out->ledger->instance->at, &out->params, err);
    if (code == RK_OK)
        code = rk_gauge_read(out->gauge, NULL, out->reading, err);
    if (code == RK_EVALUE)
        return rk_fail(err, code, "%s: %s: numbers are set as in D=4096", out->name, err ? err->message : "");
    return code == RK_OK ? RK_OK : rk_err_context(err, code, "%s", out->name);
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

static rk_compared_symbol *find_symbol(rk_comparison *c, const rk_symbol *s)
{
    for (size_t i = 0; i < c->symbol.n; i++) {
        rk_compared_symbol *row = &c->symbol.at[i];

        if (strcmp(row->name, s->name) == 0 && rk_meanings_agree(row->text, s->text))
            return row;
    }
    return NULL;
}

/* What follows from others of the run (T = S) would only repeat them. */
static bool is_number(const rk_ledger *l, const rk_symbol *s)
{
    return s->kind != RK_SYMBOL_LOOP &&
           (s->kind != RK_SYMBOL_RUN || rk_sym_definition(l->pool, s->sym) == RK_EX_FAILED);
}

/* A row for each number on which the counts of a model depend. */
static void add_symbols(rk_arena *a, rk_comparison *c, const rk_ledger *l)
{
    for (size_t i = 0; i < l->model->n_symbol; i++) {
        const rk_symbol *s = &l->model->symbol[i];
        bool matters = rk_ex_has_sym(l->pool, l->stored, s->sym) || rk_ex_has_sym(l->pool, l->forward, s->sym);
        rk_compared_symbol *row;

        for (size_t k = 0; k < l->model->program.n_loop; k++)
            matters |= rk_ex_has_sym(l->pool, l->model->program.loop[k].count, s->sym);
        if (!matters || !is_number(l, s) || find_symbol(c, s) || !(row = RK_PUSH(a, &c->symbol)))
            continue;
        *row = (rk_compared_symbol){.name = s->name,
                                    .text = s->text,
                                    .kind = s->kind,
                                    .value = RK_NEW_ARRAY(a, c->n_model, rk_i128),
                                    .has = RK_NEW_ARRAY(a, c->n_model, bool)};
    }
}

/* Also the numbers that the formulas of this model do without (N·H = D), where those of another need them. */
static void take_symbols(rk_comparison *c, size_t model)
{
    const rk_ledger *l = c->model[model].ledger;

    for (size_t i = 0; i < l->model->n_symbol; i++) {
        const rk_symbol *s = &l->model->symbol[i];
        rk_compared_symbol *row = is_number(l, s) ? find_symbol(c, s) : NULL;
        rk_i128 value;

        if (!row || rk_ex_eval(l->pool, rk_ex_sym(l->pool, s->sym), &l->instance->at, &value, NULL) != RK_OK)
            continue;
        row->value[model] = value;
        row->has[model] = true;
    }
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* Whether one path lies below another. */
static bool is_below(const char *path, const char *above)
{
    size_t n = strlen(above);

    return strncmp(path, above, n) == 0 && path[n] == '.';
}

/* A new part after all that stands below the one around it; at the end where there is none around it (NONE). */
static rk_compared_part *insert_part(rk_arena *a, rk_comparison *c, const char *path, size_t parent)
{
    const char *dot = parent == NONE ? NULL : strrchr(path, '.');
    size_t at = parent == NONE ? c->part.n : parent + 1;
    rk_compared_part *new;

    while (parent != NONE && at < c->part.n && is_below(c->part.at[at].path, c->part.at[parent].path))
        at++;
    new = RK_PUSH(a, &c->part);
    if (!new)
        return NULL;
    new = &c->part.at[at];
    memmove(new + 1, new, (c->part.n - 1 - at) * sizeof *new);
    *new = (rk_compared_part){.path = path, .name = dot ? dot + 1 : path};
    new->value = RK_NEW_ARRAY(a, c->n_model, rk_i128);
    new->has = RK_NEW_ARRAY(a, c->n_model, bool);
    return new->value &&new->has ? new : NULL;
}

/* Adds a piece to its row and to those of all parts around it. */
static void add_value(rk_arena *a, rk_comparison *c, size_t model, const char *path, rk_i128 value, rk_acc *acc)
{
    size_t parent = NONE;

    for (const char *end = path; end; end = *end ? end + 1 : NULL) {
        rk_compared_part *part;
        const char *here;
        size_t i = 0;

        end += strcspn(end, ".");
        here = rk_arena_copy(a, path, (size_t)(end - path));
        while (here && i < c->part.n && strcmp(c->part.at[i].path, here) != 0)
            i++;
        if (!here)
            return;
        part = i < c->part.n ? &c->part.at[i] : insert_part(a, c, here, parent);
        if (!part)
            return;
        part->value[model] = rk_add(acc, part->value[model], value);
        part->has[model] = true;
        parent = (size_t)(part - c->part.at);
    }
}

static int divide_model(rk_arena *a, rk_comparison *c, size_t model, rk_by by, rk_err *err)
{
    rk_measure *piece = NULL;
    rk_reading *reading;
    rk_gauge *g = NULL;
    rk_acc acc = {0};
    size_t n = 0;
    int code = rk_measure_pieces(a, c->model[model].ledger, c->divided, by, &piece, &n, err);

    reading = RK_NEW_ARRAY(a, n + 1, rk_reading);
    if (code == RK_OK)
        code = reading ? rk_gauge_new(&c->source[model], piece, n, NULL, &g, err) : rk_fail_memory(err);
    if (code == RK_OK)
        code = rk_gauge_read(g, NULL, reading, err);
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        /* Of a piece of the ledger its whole path, after how it is meant (measure.h); of memory, its name. */
        const char *path = piece[i].over.parts ? piece[i].over.parts + 1 : piece[i].name;

        add_value(a, c, model, path, reading[i].over, &acc);
    }
    rk_gauge_free(g);
    if (code == RK_OK && acc.overflow)
        code = rk_fail(err, RK_EOVERFLOW, "the sum of its parts exceeds 128 bits");
    return code == RK_OK ? RK_OK : rk_err_context(err, code, "%s", c->model[model].name);
}

static void count_below(rk_comparison *c)
{
    for (size_t i = 0; i < c->part.n; i++) {
        rk_compared_part *p = &c->part.at[i];

        p->n_below = 0;
        while (i + 1 + p->n_below < c->part.n && is_below(c->part.at[i + 1 + p->n_below].path, p->path))
            p->n_below++;
    }
}

/* A part that holds nothing but one other is one row with it: head.logits. */
static void join_chains(rk_arena *a, rk_comparison *c)
{
    for (size_t i = 0; i + 1 < c->part.n;) {
        rk_compared_part *p = &c->part.at[i], *only = p + 1;
        bool same = p->n_below > 0 && only->n_below + 1 == p->n_below;

        for (size_t k = 0; k < c->n_model; k++)
            same &= p->has[k] == only->has[k] && p->value[k] == only->value[k];
        if (!same) {
            i++;
            continue;
        }
        only->name = rk_arena_format(a, "%s.%s", p->name, only->name);
        memmove(p, only, (c->part.n - i - 1) * sizeof *p);
        c->part.n--;
    }
}

int rk_compare_divide(rk_arena *a, rk_comparison *c, size_t i, rk_by by, rk_err *err)
{
    const rk_measure *m = &c->measure[i];
    int code = RK_OK;

    c->adds_up = !rk_measure_is_memory(m);
    c->divided = m;
    c->i_divided = i;
    for (size_t k = 0; k < c->n_model && code == RK_OK; k++)
        code = divide_model(a, c, k, by, err);
    if (code == RK_OK && a->failed)
        code = rk_fail_memory(err);
    if (code != RK_OK)
        return code;
    count_below(c);
    join_chains(a, c);
    count_below(c);
    for (size_t k = 0; k < c->part.n; k++)
        for (size_t below = 1; below <= c->part.at[k].n_below; below++)
            c->part.at[k + below].depth++;
    return RK_OK;
}

bool rk_compare_is_leaf(const rk_compared_part *p, size_t model)
{
    for (size_t i = 1; i <= p->n_below; i++)
        if (p[i].has[model])
            return false;
    return true;
}

const rk_compared_part *rk_compare_largest(const rk_comparison *c, size_t model)
{
    const rk_compared_part *best = NULL;

    for (size_t i = 0; i < c->part.n; i++) {
        const rk_compared_part *p = &c->part.at[i];

        if (p->has[model] && rk_compare_is_leaf(p, model) && (!best || p->value[model] > best->value[model]))
            best = p;
    }
    return best;
}

double rk_compare_exponent(rk_i128 a, rk_i128 b, rk_i128 n_a, rk_i128 n_b)
{
    const double alike = 0.3; /* of a power of e, a third more: smaller differences say nothing about growth */
    double size;

    if (a <= 0 || b <= 0 || n_a <= 0 || n_b <= 0)
        return NAN;
    size = log((double)n_b / (double)n_a);
    return fabs(size) < alike ? NAN : log((double)b / (double)a) / size;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_compare_new(rk_arena *a, const rk_gauge_source *source, size_t n, const rk_measure *measure, size_t n_measure,
                   rk_comparison *out, rk_err *err)
{
    int code = RK_OK;

    *out = (rk_comparison){.source = source, .measure = measure, .n_measure = n_measure};
    out->model = RK_NEW_ARRAY(a, n + 1, rk_compared);
    if (!out->model)
        return rk_fail_memory(err);
    out->n_model = n;
    for (size_t i = 0; i < n && code == RK_OK; i++)
        code = open_model(a, out, &source[i], &out->model[i], err);
    for (size_t i = 0; i < n && code == RK_OK; i++)
        add_symbols(a, out, out->model[i].ledger);
    if (code == RK_OK && a->failed)
        code = rk_fail_memory(err);
    for (size_t i = 0; i < n && code == RK_OK; i++)
        take_symbols(out, i);
    for (size_t i = 0; i < out->symbol.n && code == RK_OK; i++) {
        rk_compared_symbol *s = &out->symbol.at[i];

        s->equal = true;
        for (size_t k = 0; k < n; k++)
            s->equal &= s->has[k] && s->value[k] == s->value[0];
    }
    if (code != RK_OK)
        rk_compare_free(out);
    return code;
}

void rk_compare_free(rk_comparison *c)
{
    for (size_t i = 0; i < c->n_model; i++)
        rk_gauge_free(c->model[i].gauge);
    c->n_model = 0;
}
