/* SPDX-License-Identifier: MIT */
#include "account/names.h"

#include "account/tensors.h"
#include "base/vec.h"
#include "model/layout.h"

#include <string.h>

typedef struct listing {
    const rk_ledger *l;
    rk_naming layout;
    rk_names *out;
    bool sample; /* one expert for all */
    size_t unit;
    uint32_t weight; /* whose tensors are added */
    rk_str text;
    rk_err *err;
} listing;

/* Names as they are published: of pieces, and with their prefixes. */
static bool has_pieces(const listing *s)
{
    return s->layout == RK_NAMING_CHECKPOINT || s->layout == RK_NAMING_PIECES;
}

static bool has_prefixes(const listing *s)
{
    return s->layout == RK_NAMING_CHECKPOINT || s->layout == RK_NAMING_PREFIXES;
}

static int value(const listing *s, rk_ex e, rk_i128 *out)
{
    return rk_ex_eval(s->l->pool, e, &s->l->instance->at, out, s->err);
}

static int dims(listing *s, const rk_ex *dim, size_t n, rk_named *t)
{
    rk_acc acc = {0};
    int code = RK_OK;

    t->dim = RK_NEW_ARRAY(&s->out->arena, n ? n : 1, rk_i128);
    if (!t->dim)
        return rk_fail_memory(s->err);
    t->n_dim = n;
    t->count = 1;
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        code = value(s, dim[i], &t->dim[i]);
        t->count = rk_mul(&acc, t->count, t->dim[i]);
    }
    return acc.overflow ? rk_fail(s->err, RK_EOVERFLOW, "%s: its count needs more than 128 bits", t->name) : code;
}

/*
 * The name of a tensor in the words of the layout, as a text of the list.  In a name with {E} the marked piece is the
 * number of the expert.
 */
static int put_name(listing *s, const rk_weight_name *name, const rk_i128 *index, rk_i128 number, const char **out)
{
    const rk_model *m = s->l->model;
    char digits[RK_NUM_TEXT_MAX];
    rk_str renamed = {0};
    int code = RK_OK;

    rk_str_reset(&s->text);
    for (size_t i = 0; i < name->n && code == RK_OK; i++) {
        const rk_weight_piece *p = &name->piece[i];
        rk_weight_name one = {.piece = &name->piece[i], .n = 1};

        if (!p->text && p->number == RK_EX_FAILED)
            rk_str_put(&s->text, rk_num_text(digits, number));
        else
            code = rk_weight_name_text(m, &one, index, &s->text, s->err);
    }
    if (code != RK_OK)
        return code;
    if (has_prefixes(s))
        rk_layout_rename(&m->program, rk_str_text(&s->text), &renamed);
    *out = rk_arena_text(&s->out->arena, rk_str_text(has_prefixes(s) ? &renamed : &s->text));
    rk_str_free(&renamed);
    return *out ? RK_OK : rk_fail_memory(s->err);
}

/* A tensor, or a piece of one, without its dimensions. */
static int add(listing *s, const rk_weight *w, const rk_weight_name *name, const rk_i128 *index, rk_i128 number,
               rk_named **out)
{
    rk_named *t = RK_PUSH(&s->out->arena, s->out);
    int code;

    if (!t)
        return rk_fail_memory(s->err);
    *t = (rk_named){.times = 1, .unit = s->unit, .weight = s->weight, .buffer = w->buffer};
    code = put_name(s, name, index, number, &t->name);
    if (code == RK_OK && w->tied_to != RK_NONE)
        code = put_name(s, &s->l->model->program.weight[w->tied_to].name, index, 0, &t->tied_to);
    *out = t;
    return code;
}

static int add_layout(listing *s, const rk_weight *w, const rk_weight_layout *y, const rk_i128 *index)
{
    rk_i128 n = 1;
    int code = y->over == RK_NONE ? RK_OK : value(s, s->l->model->program.label[y->over].size, &n);
    rk_named shape = {.dim = NULL}; /* of the first, and so of all: no shape depends on the expert */

    for (rk_i128 i = 0; i < (s->sample ? n > 0 : n) && code == RK_OK; i++) {
        rk_named *t = NULL;

        code = add(s, w, &y->name, index, i, &t);
        if (code == RK_OK && i == 0) {
            shape.name = t->name;
            code = dims(s, y->dim, y->n_dim, &shape);
        }
        if (code != RK_OK)
            return code;
        t->dim = shape.dim;
        t->n_dim = shape.n_dim;
        t->count = shape.count;
        t->times = s->sample ? n : 1;
    }
    return code;
}

static int add_weight(listing *s, const rk_weight *w, const rk_i128 *index)
{
    rk_named *t = NULL;
    int code = RK_OK;

    for (size_t i = 0; has_pieces(s) && i < w->n_layout && code == RK_OK; i++)
        code = add_layout(s, w, &w->layout[i], index);
    if (has_pieces(s) && w->n_layout > 0)
        return code;
    code = add(s, w, &w->name, index, 0, &t);
    return code == RK_OK ? dims(s, w->dim, w->n_dim, t) : code;
}

static int add_rows(listing *s, const rk_weight_row *row, size_t n)
{
    rk_tensors *walk = NULL;
    const rk_weight_row *r = NULL;
    int code = rk_tensors_new(s->l, row, n, &walk, s->err);

    while (code == RK_OK && (code = rk_tensors_next(walk, &r, s->err)) == RK_OK && r) {
        s->weight = r->weight;
        code = add_weight(s, &s->l->model->program.weight[r->weight], rk_tensors_index(walk));
        s->unit++;
    }
    rk_tensors_free(walk);
    return code;
}

/* ---- how many --------------------------------------------------------------------------------------------------- */

static rk_i128 at_most(rk_i128 n)
{
    return n <= RK_NAMES_MAX ? n : RK_NAMES_MAX + 1;
}

static int count_pieces(const listing *s, const rk_weight *w, rk_i128 *out)
{
    int code = RK_OK;

    *out = has_pieces(s) && w->n_layout > 0 ? 0 : 1;
    for (size_t i = 0; has_pieces(s) && i < w->n_layout && code == RK_OK; i++) {
        const uint32_t over = w->layout[i].over;
        rk_i128 n = 1;

        if (over != RK_NONE && !s->sample)
            code = value(s, s->l->model->program.label[over].size, &n);
        *out = at_most(*out + at_most(n));
    }
    return code;
}

static int count_rows(const listing *s, const rk_weight_row *row, size_t n, rk_i128 *out)
{
    int code = RK_OK;

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_i128 times = 0, pieces = 0;

        code = value(s, row[i].times, &times);
        if (code == RK_OK)
            code = count_pieces(s, &s->l->model->program.weight[row[i].weight], &pieces);
        *out = at_most(*out + at_most(times) * pieces);
    }
    return code;
}

static int count_all(const listing *s, rk_i128 *out)
{
    int code = count_rows(s, s->l->weight, s->l->n_weight, out);

    return code == RK_OK ? count_rows(s, s->l->buffer, s->l->n_buffer, out) : code;
}

int rk_names_count(const rk_ledger *l, rk_naming layout, rk_i128 *out, rk_err *err)
{
    *out = 0;
    return count_all(&(listing){.l = l, .layout = layout, .err = err}, out);
}

static int check_number(const listing *s)
{
    rk_i128 n = 0;
    int code = count_all(s, &n);

    return code != RK_OK || n <= RK_NAMES_MAX
               ? code
               : rk_fail(s->err, RK_ELIMIT,
                         "%s has more than %d tensors, too many to name each; set fewer layers or experts, or see them "
                         "by part: reckon params",
                         s->l->model->name, (int)RK_NAMES_MAX);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static int list_all(const rk_ledger *l, rk_naming layout, bool sample, rk_names *out, rk_err *err)
{
    rk_names list = {.n = 0};
    listing s = {.l = l, .layout = layout, .sample = sample, .out = &list, .err = err};
    int code = check_number(&s);

    if (code == RK_OK)
        code = add_rows(&s, l->weight, l->n_weight);
    if (code == RK_OK)
        code = add_rows(&s, l->buffer, l->n_buffer);
    rk_str_free(&s.text);
    list.n_unit = s.unit;
    if (code != RK_OK)
        rk_names_free(&list);
    else
        *out = list;
    return code;
}

int rk_names_new(const rk_ledger *l, rk_naming layout, rk_names *out, rk_err *err)
{
    return list_all(l, layout, false, out, err);
}

int rk_names_sample(const rk_ledger *l, rk_naming layout, rk_names *out, rk_err *err)
{
    return list_all(l, layout, true, out, err);
}

void rk_names_free(rk_names *n)
{
    rk_arena_free(&n->arena);
}
