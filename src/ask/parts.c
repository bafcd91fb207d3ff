/* SPDX-License-Identifier: MIT */
/* Rows of a ledger by part: their sum, and the pieces into which a quantity falls. */
#include "account/traffic.h"
#include "ask/measure.h"
#include "base/vec.h"
#include "plan/nearest.h"

#include <string.h>

/* ---- kinds of rows ---------------------------------------------------------------------------------------------- */

typedef enum kind {
    PROJECTIONS, /* a product with a weight */
    PRODUCTS,    /* a product of two activations */
    OTHERS,
    N_KIND
} kind;

static const char *const kind_word[] = {"projections", "products", "others"};

static kind kind_of(const rk_ledger *l, const rk_ledger_op *row)
{
    const rk_op *op = &l->model->program.op[row->op];

    if (rk_op_table[op->row].class != RK_CLASS_PRODUCT)
        return OTHERS;
    return row->weight == RK_NONE ? PRODUCTS : PROJECTIONS;
}

/* ---- which rows a part has -------------------------------------------------------------------------------------- */

/* Whether `part` (n bytes) is a run of whole words of a path; after a dot, from its beginning; after =, all of it. */
static bool is_in(const char *path, const char *part, size_t n)
{
    if (part[0] == '=')
        return strncmp(path, part + 1, n - 1) == 0 && path[n - 1] == '\0';
    if (part[0] == '.')
        return strncmp(path, part + 1, n - 1) == 0 && (path[n - 1] == '.' || path[n - 1] == '\0');
    for (const char *at = path; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL)
        if (strncmp(at, part, n) == 0 && (at[n] == '.' || at[n] == '\0'))
            return true;
    return false;
}

/* A part without a kind at its end: "attention" of "attention.products"; N_KIND: it has none. */
static kind split_kind(const char *part, size_t *n)
{
    for (int k = 0; k < N_KIND; k++) {
        size_t length = strlen(kind_word[k]);

        if (*n < length || memcmp(part + *n - length, kind_word[k], length) != 0)
            continue;
        if (*n == length || part[*n - length - 1] == '.') {
            *n -= *n == length ? length : length + 1;
            return (kind)k;
        }
    }
    return N_KIND;
}

/* Whether row i is in a part (n bytes). */
typedef bool (*is_row_in)(const rk_ledger *l, size_t i, const char *part, size_t n);

static bool op_is_in(const rk_ledger *l, size_t i, const char *part, size_t n)
{
    const rk_ledger_op *row = &l->op[i];
    size_t stem = n;
    kind k;

    if (is_in(row->path, part, n))
        return true;
    k = split_kind(part, &stem);
    return k != N_KIND && kind_of(l, row) == k && (stem == 0 || is_in(row->path, part, stem));
}

/* A path from its beginning on is one of parts: names of tensors have beginnings of their own. */
static bool weight_is_in(const rk_ledger *l, size_t i, const char *part, size_t n)
{
    const rk_weight_row *row = &l->weight[i];

    return (part[0] != '=' && is_in(row->path, part, n)) || (part[0] != '.' && is_in(row->pattern, part, n));
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

/* Times × figure of row i. */
static rk_ex total_of(const rk_ledger *l, const rk_measure_term *t, size_t i, int bytes)
{
    const rk_ledger_op *op = &l->op[i];
    rk_traffic moved;
    rk_ex figure;

    if (t->row->from == RK_FROM_WEIGHTS) {
        const rk_weight_row *w = &l->weight[i];
        bool is_tied = l->model->program.weight[w->weight].tied_to != RK_NONE;

        figure = t->row->which == RK_PARAMS_ACTIVE ? w->active : w->count;
        if (is_tied && t->row->which != RK_PARAMS_NAMED)
            figure = rk_ex_int(l->pool, 0);
        return rk_ex_mul(l->pool, w->times, figure);
    }
    switch (t->row->which) {
    case RK_OPS_FORWARD:
        figure = op->forward;
        break;
    case RK_OPS_BACKWARD:
        figure = op->backward;
        break;
    case RK_OPS_MOVED:
        moved = rk_task_traffic(l->instance, RK_TASK_FORWARD, op->op, RK_NONE, bytes);
        figure = rk_ex_add(l->pool, moved.written, moved.read);
        break;
    default:
        figure = rk_ex_add(l->pool, op->forward, op->backward);
    }
    return rk_ex_mul(l->pool, op->times, figure);
}

static void try_words(rk_nearest *near, rk_arena *a, const char *path)
{
    rk_nearest_try(near, path);
    for (const char *at = path; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL) {
        const char *word = rk_arena_format(a, "%.*s", (int)strcspn(at, "."), at);

        if (word)
            rk_nearest_try(near, word);
    }
}

static int fail_part(const rk_ledger *l, const char *part, size_t n, rk_err *err)
{
    rk_arena a = {0};
    const char *typed = rk_arena_format(&a, "%.*s", (int)n, part);
    rk_nearest near = {.word = typed ? typed : ""};
    char hint[RK_NEAREST_HINT_MAX];
    int code;

    for (size_t i = 0; i < l->n_op; i++)
        try_words(&near, &a, l->op[i].path);
    for (size_t i = 0; i < rk_n_measure; i++)
        rk_nearest_try(&near, rk_measure_table[i].name);
    for (int k = 0; k < N_KIND; k++)
        rk_nearest_try(&near, kind_word[k]);
    code = rk_fail(err, RK_EINPUT,
                   "%s has no quantity and no part '%s' that counts%s\n'reckon flops' lists the parts, 'reckon help "
                   "sweep' the quantities",
                   l->model->name, near.word, rk_nearest_hint(&near, hint));
    rk_arena_free(&a);
    return code;
}

/* What stands after the next + of "scores+context", or NULL. */
static const char *next_part(const char *at)
{
    const char *plus = strchr(at, '+');

    return plus ? plus + 1 : NULL;
}

/* Each of the parts has some row. */
static int check_parts(const rk_ledger *l, const char *parts, is_row_in in, size_t n_row, rk_err *err)
{
    for (const char *at = parts; at; at = next_part(at)) {
        size_t i = 0, n = strcspn(at, "+");

        while (i < n_row && !(n > 0 && in(l, i, at, n)))
            i++;
        if (i == n_row)
            return fail_part(l, at, n, err);
    }
    return RK_OK;
}

int rk_measure_formula(const rk_ledger *l, const rk_measure_term *t, int bytes, rk_ex *out, rk_err *err)
{
    bool of_weights = t->row->from == RK_FROM_WEIGHTS;
    size_t n = of_weights ? l->n_weight : l->n_op;
    is_row_in in = of_weights ? weight_is_in : op_is_in;
    rk_ex sum = rk_ex_int(l->pool, 0);
    int code = check_parts(l, t->parts, in, n, err);

    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < n; i++) {
        bool here = !t->parts;

        for (const char *at = t->parts; at && !here; at = next_part(at)) /* in one of "scores+context" */
            here = in(l, i, at, strcspn(at, "+"));
        if (here)
            sum = rk_ex_add(l->pool, sum, total_of(l, t, i, bytes));
    }
    *out = sum;
    return rk_pool_check(l->pool, err);
}

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

typedef struct dividing {
    rk_arena *a;
    const rk_ledger *l;
    rk_by by;
    RK_VEC(rk_measure) piece;
} dividing;

/* Whether layers are repeated inside of a part; what a layer repeats in itself is a matter of its own. */
static bool holds_layers(const rk_program *p, const char *path, size_t n)
{
    for (size_t i = 0; i < p->n_loop; i++)
        if (p->loop[i].parent == 0 && strncmp(p->loop[i].part, path, n) == 0 &&
            (p->loop[i].part[n] == '.' || p->loop[i].part[n] == '\0'))
            return true;
    return false;
}

/*
 * How much of a part's path is a component: as many words as lead to a part in which nothing is repeated; 0: what
 * stands in it stands for itself.
 */
static size_t component_length(const rk_program *p, const char *part)
{
    size_t n = strcspn(part, ".");

    while (part[n] == '.' && holds_layers(p, part, n))
        n += 1 + strcspn(part + n + 1, ".");
    return holds_layers(p, part, n) ? 0 : n;
}

/* Whether a component has rows of more than one kind that count something. */
static bool is_mixed(const rk_ledger *l, const char *component)
{
    bool has[N_KIND] = {0};

    for (size_t i = 0; i < l->n_op; i++)
        if (is_in(l->op[i].path, component, strlen(component)))
            has[kind_of(l, &l->op[i])] = true;
    return has[PROJECTIONS] + has[PRODUCTS] + has[OTHERS] > 1;
}

/* The piece to which an operation belongs: =PATH for itself alone, .PATH for a part. */
static const char *piece_of_op(const dividing *d, size_t i)
{
    const rk_program *p = &d->l->model->program;
    const rk_ledger_op *row = &d->l->op[i];
    const char *part = p->part[p->op[row->op].part].path, *component;
    size_t n = d->by == RK_BY_PART ? strcspn(part, ".") : component_length(p, part);

    if (d->by == RK_BY_OPERATION || n == 0)
        return rk_arena_format(d->a, "=%s", row->path);
    component = rk_arena_format(d->a, ".%.*s", (int)n, part);
    if (!component || d->by == RK_BY_PART || !is_mixed(d->l, component))
        return component;
    return rk_arena_format(d->a, "%s.%s", component, kind_word[kind_of(d->l, row)]);
}

static const char *piece_of_weight(const dividing *d, size_t i)
{
    const rk_program *p = &d->l->model->program;
    const rk_weight_row *row = &d->l->weight[i];
    size_t n = d->by == RK_BY_PART ? strcspn(row->path, ".") : component_length(p, row->path);

    if (d->by == RK_BY_OPERATION || n == 0)
        return rk_arena_format(d->a, "=%s", row->pattern);
    return rk_arena_format(d->a, ".%.*s", (int)n, row->path);
}

/* "attention" for "layers.attention", where no other piece is called so. */
static void shorten(dividing *d)
{
    for (size_t i = 0; i < d->piece.n; i++) {
        const char *rest = strchr(d->piece.at[i].name, '.');
        size_t k = 0;

        while (rest && k < d->piece.n && (k == i || !is_in(d->piece.at[k].over.parts + 1, rest + 1, strlen(rest + 1))))
            k++;
        if (rest && k == d->piece.n)
            d->piece.at[i].name = rest + 1;
    }
}

static void add_memory(dividing *d)
{
    for (size_t i = 0; i < rk_n_measure; i++) {
        const rk_measure_row *row = &rk_measure_table[i];
        bool is_part = row->from == RK_FROM_MEMORY && row->which != RK_BYTES_PEAK; /* which is no part of another */
        rk_measure *m = is_part ? RK_PUSH(d->a, &d->piece) : NULL;

        if (m)
            *m = (rk_measure){.name = strchr(row->name, '.') + 1, .over = {.row = row}, .unit = RK_UNIT_BYTE};
    }
}

int rk_measure_pieces(rk_arena *a, const rk_ledger *l, const rk_measure *m, rk_by by, rk_measure **out, size_t *n,
                      rk_err *err)
{
    dividing d = {.a = a, .l = l, .by = by};
    size_t rows = m->over.row->from == RK_FROM_WEIGHTS ? l->n_weight : l->n_op;

    if (m->under.row || m->over.parts)
        return rk_fail(err, RK_EINPUT, "%s is a ratio or a part already: it is not divided by --by", m->name);
    if (m->over.row->from == RK_FROM_MEMORY)
        add_memory(&d);
    for (size_t i = 0; m->over.row->from != RK_FROM_MEMORY && i < rows; i++) {
        const char *parts = m->over.row->from == RK_FROM_OPS ? piece_of_op(&d, i) : piece_of_weight(&d, i);
        rk_measure *new;
        size_t k = 0;

        while (parts && k < d.piece.n && strcmp(d.piece.at[k].over.parts, parts) != 0)
            k++;
        if (parts && k == d.piece.n && (new = RK_PUSH(a, &d.piece)))
            *new = (rk_measure){.name = parts + 1, .over = {.row = m->over.row, .parts = parts}, .unit = m->unit};
    }
    if (m->over.row->from != RK_FROM_MEMORY && by != RK_BY_OPERATION)
        shorten(&d);
    if (a->failed)
        return rk_fail_memory(err);
    *out = d.piece.at;
    *n = d.piece.n;
    return RK_OK;
}
