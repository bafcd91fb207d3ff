/* SPDX-License-Identifier: MIT */
#include "ask/differ.h"

#include <string.h>

typedef struct differing {
    rk_arena *a;
    rk_differ *d;
    size_t model; /* whose rows are being added */
    rk_acc acc;
    rk_err *err;
} differing;

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* The line of a row: one of this key that the model has not yet, or has with the same tensor in other layers. */
static rk_differ_row *find_row(differing *x, const char *key, const rk_weight_row *row)
{
    for (size_t i = 0; i < x->d->row.n; i++) {
        rk_differ_row *r = &x->d->row.at[i];
        const rk_weight_row *had = r->side[x->model].row;

        /* Layers of one kind and of another have the same name: one line, where the tensor is the same. */
        if (strcmp(r->key, key) == 0 && (!had || (strcmp(had->pattern, row->pattern) == 0 && had->count == row->count)))
            return r;
    }
    return NULL;
}

/* After the lines of the same part; where there are none, after the one that came last (`after`). */
static rk_differ_row *insert_row(differing *x, const char *key, const rk_weight_row *row, size_t after)
{
    rk_differ_row *new = RK_PUSH(x->a, &x->d->row);
    size_t n = strlen(row->path);

    if (!new)
        return NULL;
    for (size_t i = 0; i + 1 < x->d->row.n; i++)
        if (strncmp(x->d->row.at[i].key, row->path, n) == 0 && x->d->row.at[i].key[n] == ' ')
            after = i + 1;
    new = &x->d->row.at[after];
    memmove(new + 1, new, (x->d->row.n - 1 - after) * sizeof *new);
    *new = (rk_differ_row){.key = key, .pattern = row->pattern, .why = ""};
    new->side = RK_NEW_ARRAY(x->a, x->d->n_model, rk_differ_side);
    return new->side ? new : NULL;
}

static int add_to(differing *x, rk_differ_side *side, const rk_weight_row *row)
{
    const rk_instance *m = x->d->ledger[x->model]->instance;
    bool tied = m->program->weight[row->weight].tied_to != RK_NONE;
    rk_ex all = tied ? rk_ex_int(m->pool, 0) : rk_ex_mul(m->pool, row->times, row->count);
    rk_i128 times = 0, total = 0;
    int code = rk_ex_eval(m->pool, row->times, &m->at, &times, x->err);

    if (code == RK_OK)
        code = rk_ex_eval(m->pool, all, &m->at, &total, x->err);
    if (code != RK_OK)
        return code;
    if (!side->has)
        *side = (rk_differ_side){.has = true, .row = row, .formula = rk_ex_int(m->pool, 0), .tied = tied};
    side->tensors = rk_add(&x->acc, side->tensors, times);
    side->total = rk_add(&x->acc, side->total, total);
    side->formula = rk_ex_add(m->pool, side->formula, all);
    x->d->total[x->model] = rk_add(&x->acc, x->d->total[x->model], total);
    return RK_OK;
}

static int add_model(differing *x)
{
    const rk_ledger *l = x->d->ledger[x->model];
    size_t after = 0;
    int code = RK_OK;

    for (size_t i = 0; i < l->n_weight && code == RK_OK; i++) {
        const char *pattern = l->weight[i].pattern, *last = strrchr(pattern, '.'), *key;
        rk_differ_row *row;

        /* The last two words of a name: q_proj.weight of model.layers.{i}.self_attn.q_proj.weight. */
        while (last && last > pattern && last[-1] != '.')
            last--;
        key = rk_arena_format(x->a, "%s %s", l->weight[i].path, last ? last : pattern);
        row = key ? find_row(x, key, &l->weight[i]) : NULL;
        if (!row && key)
            row = insert_row(x, key, &l->weight[i], after);
        if (!row)
            return rk_fail_memory(x->err);
        after = (size_t)(row - x->d->row.at) + 1;
        code = add_to(x, &row->side[x->model], &l->weight[i]);
    }
    return code;
}

/* ---- reasons ---------------------------------------------------------------------------------------------------- */

static bool number_of(const rk_instance *m, const rk_symbol *s, rk_i128 *out)
{
    return rk_ex_eval(m->pool, rk_ex_sym(m->pool, s->sym), &m->at, out, NULL) == RK_OK;
}

/* "K 32 → 8", where both sides have the symbol in their formulas with different numbers. */
static void put_reason(const differing *x, const rk_differ_side *side, const rk_symbol *s, rk_str *out)
{
    const rk_instance *a = x->d->ledger[0]->instance, *b = x->d->ledger[1]->instance;
    const rk_symbol *other = rk_model_symbol(b->model, s->name);
    rk_i128 from, to;

    if (!other || !rk_ex_has_sym(a->pool, rk_ex_simplify(a->pool, side[0].formula), s->sym) ||
        !rk_ex_has_sym(b->pool, rk_ex_simplify(b->pool, side[1].formula), other->sym))
        return;
    if (!number_of(a, s, &from) || !number_of(b, other, &to) || from == to)
        return;
    rk_str_format(out, "%s%s ", out->n ? ", " : "", s->name);
    rk_str_grouped(out, from);
    rk_str_put(out, " → ");
    rk_str_grouped(out, to);
}

static void find_reason(differing *x, rk_differ_row *row)
{
    const rk_model *m = x->d->ledger[0]->model;
    rk_str why = {0};

    for (int i = 0; i < 2; i++)
        if (row->side[i].tied != row->side[!i].tied && row->side[i].tied)
            rk_str_format(&why, "tied in %s", x->d->ledger[i]->model->name);
    for (size_t i = 0; i < m->n_symbol; i++)
        put_reason(x, row->side, &m->symbol[i], &why);
    row->why = rk_arena_text(x->a, rk_str_text(&why));
    rk_str_free(&why);
}

int rk_differ_new(rk_arena *a, const rk_ledger *const *ledger, size_t n, rk_differ *out, rk_err *err)
{
    differing x = {.a = a, .d = out, .err = err};
    int code = RK_OK;

    *out = (rk_differ){.ledger = ledger, .n_model = n, .total = RK_NEW_ARRAY(a, n + 1, rk_i128)};
    if (!out->total)
        return rk_fail_memory(err);
    for (x.model = 0; x.model < n && code == RK_OK; x.model++) {
        code = add_model(&x);
        if (code != RK_OK)
            rk_err_context(err, code, "%s", ledger[x.model]->model->name);
    }
    for (size_t i = 0; i < out->row.n && code == RK_OK; i++) {
        rk_differ_row *row = &out->row.at[i];
        const rk_differ_side *s = row->side;

        row->equal = true;
        for (size_t k = 0; k < n; k++)
            row->equal &=
                s[k].has && s[k].total == s[0].total && s[k].tensors == s[0].tensors && s[k].tied == s[0].tied;
        if (n == 2 && !row->equal && s[0].has && s[1].has)
            find_reason(&x, row);
    }
    if (code == RK_OK && x.acc.overflow)
        code = rk_fail(err, RK_EOVERFLOW, "the number of parameters exceeds 128 bits");
    if (code == RK_OK && a->failed)
        code = rk_fail_memory(err);
    return code;
}
