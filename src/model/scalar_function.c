/* SPDX-License-Identifier: MIT */
#include "model/scalar.h"

#include "model/keys.h"

#include <math.h>
#include <string.h>

typedef enum {
    F_MIN,
    F_MAX,
    F_CEIL,
    F_FLOOR,
    F_LEN,
    F_INT,
    F_GIVEN,
    F_COUNT,
    F_ROOT,
    F_HAS,
    F_LISTED,
    F_NEEDS_MASK,
    F_LARGEST,
    F_PLACE_OF,
    F_MASK, /* any mask with a size: the table of masks knows their names */
    N_F
} function;

static const char *const function_name[F_MASK] = {"min",    "max",        "ceil",    "floor",   "len",
                                                  "int",    "given",      "count",   "root",    "has",
                                                  "listed", "needs_mask", "largest", "place_of"};

static function find_function(const char *name)
{
    rk_mask_kind mask = rk_mask_find(name);
    int i = 0;

    if (mask < RK_N_MASK)
        return rk_mask_table[mask].least < 0 ? N_F : F_MASK;
    while (i < F_MASK && strcmp(function_name[i], name) != 0)
        i++;
    return i < F_MASK ? (function)i : N_F;
}

bool rk_is_scalar_function(const char *name)
{
    return find_function(name) != N_F;
}

static int want_args(rk_ctx *c, const rk_node *n, size_t want)
{
    if (n->child.n == want)
        return RK_OK;
    return RK_MISTAKE(c, n->span, "%s takes %zu argument%s, and here are %zu", n->text, want, want == 1 ? "" : "s",
                      n->child.n);
}

static int two_ints(rk_ctx *c, const rk_node *n, function f, const rk_scalar arg[2], rk_scalar *out)
{
    rk_acc acc = {0};
    const rk_scalar *a = &arg[0], *b = &arg[1];

    for (int i = 0; i < 2; i++)
        if (rk_scalar_need_int(c, &arg[i], n->child.at[i]->span) != RK_OK)
            return RK_EINPUT;
    *out = (rk_scalar){.kind = RK_SCALAR_INT, .known = a->known && b->known};
    if ((f == F_CEIL || f == F_FLOOR) && b->known && b->value == 0)
        return rk_scalar_by_zero(c, n->span, b);
    if (out->known)
        out->value = f == F_MIN    ? (a->value < b->value ? a->value : b->value)
                     : f == F_MAX  ? (a->value > b->value ? a->value : b->value)
                     : f == F_CEIL ? rk_ceil_div(&acc, a->value, b->value)
                                   : rk_floor_div(&acc, a->value, b->value);
    out->ex = f == F_MIN    ? rk_ex_min(c->pool, a->ex, b->ex)
              : f == F_MAX  ? rk_ex_max(c->pool, a->ex, b->ex)
              : f == F_CEIL ? rk_ex_ceil_div(c->pool, a->ex, b->ex)
                            : rk_ex_floor_div(c->pool, a->ex, b->ex);
    return rk_pool_ok(c) ? RK_OK : c->b.fatal;
}

static int mask_value(rk_ctx *c, const rk_node *n, const rk_scalar *arg, rk_scalar *out)
{
    rk_mask_kind kind = rk_mask_find(n->text);
    const rk_mask_row *row = &rk_mask_table[kind];

    *out = (rk_scalar){.kind = RK_SCALAR_MASK, .ex = RK_EX_FAILED};
    /* A window that the config leaves out is no window. */
    if (arg->kind == RK_SCALAR_NONE && row->without != kind) {
        out->mask = row->without;
        return RK_OK;
    }
    if (rk_scalar_need_int(c, arg, n->child.at[0]->span) != RK_OK)
        return RK_EINPUT;
    if (arg->known && arg->value < row->least)
        return RK_MISTAKE(c, n->child.at[0]->span, "the size of a %s is at least %d", n->text, row->least);
    out->mask = kind;
    out->ex = rk_scalar_ex(c, arg);
    return RK_OK;
}

/* largest(list): of whole numbers; a number is the largest of itself. */
static int largest(rk_ctx *c, const rk_node *n, const rk_scalar *arg, rk_scalar *out)
{
    const rk_doc *list = arg->kind == RK_SCALAR_DOC && arg->doc->kind == RK_DOC_LIST ? arg->doc : NULL;
    rk_i128 most = 0;

    if (!list && rk_scalar_need_int(c, arg, n->child.at[0]->span) != RK_OK)
        return RK_EINPUT;
    if (!list) {
        *out = *arg;
        return RK_OK;
    }
    if (list->n == 0)
        return RK_MISTAKE(c, n->span, "the list is empty, and has no largest number");
    for (size_t i = 0; i < list->n; i++) {
        if (list->item[i].kind != RK_DOC_INT)
            return RK_MISTAKE(c, n->span, "largest needs a list of whole numbers, and number %zu is none", i);
        if (i == 0 || list->item[i].number > most)
            most = list->item[i].number;
    }
    *out = rk_scalar_int(c, most);
    return RK_OK;
}

static int one_argument(rk_ctx *c, const rk_node *n, function f, const rk_scalar *arg, rk_scalar *out)
{
    double r = 0;

    if (f == F_LISTED) {
        *out = rk_scalar_bool(arg->kind == RK_SCALAR_DOC && arg->doc->kind == RK_DOC_LIST);
        return RK_OK;
    }
    if (f == F_LEN) {
        if (arg->kind != RK_SCALAR_DOC && arg->kind != RK_SCALAR_NONE && arg->kind != RK_SCALAR_TEXT)
            return RK_MISTAKE(c, n->span, "len needs a list, but this is %s", rk_scalar_kind_name(arg));
        *out = rk_scalar_int(c, arg->kind == RK_SCALAR_DOC    ? (rk_i128)arg->doc->n
                                : arg->kind == RK_SCALAR_TEXT ? (rk_i128)strlen(arg->text)
                                                              : 0);
        return RK_OK;
    }
    if (f == F_INT && arg->kind == RK_SCALAR_INT) {
        *out = *arg;
        return RK_OK;
    }
    if (f == F_INT && arg->kind == RK_SCALAR_REAL) {
        if (!(fabs(arg->real) < 9.2e18))
            return RK_MISTAKE(c, n->span, "this number is not finite or too large");
        *out = rk_scalar_int(c, (rk_i128)arg->real);
        return RK_OK;
    }
    if (!rk_scalar_is_number(arg))
        return rk_scalar_need_number(c, arg, n->span);
    /* A root is only ever a factor of a tensor, so without a number its value does not matter. */
    *out = rk_scalar_real(rk_scalar_as_real(arg, &r) ? sqrt(r) : 1.0);
    return RK_OK;
}

static int count_in(rk_ctx *c, const rk_node *n, const rk_scalar arg[2], rk_scalar *out)
{
    size_t found = 0;

    if (arg[0].kind != RK_SCALAR_DOC)
        return RK_MISTAKE(c, n->span, "count needs a list, but this is %s", rk_scalar_kind_name(&arg[0]));
    rk_scalar_fix(c, &arg[1]);
    if (rk_list_count(c, arg[0].doc, &arg[1], &found) != RK_OK)
        return c->b.fatal;
    *out = rk_scalar_int(c, (rk_i128)found);
    return RK_OK;
}

/* place_of(list, value): where the first of them stands, from 0 on; None where there is none, or no list. */
static int place_of(rk_ctx *c, const rk_node *n, const rk_scalar arg[2], rk_scalar *out)
{
    *out = (rk_scalar){.kind = RK_SCALAR_NONE};
    if (arg[0].kind == RK_SCALAR_NONE)
        return RK_OK;
    if (arg[0].kind != RK_SCALAR_DOC || arg[0].doc->kind != RK_DOC_LIST || arg[1].kind != RK_SCALAR_TEXT)
        return RK_MISTAKE(c, n->span, "place_of looks for a text in a list");
    for (size_t i = 0; i < arg[0].doc->n; i++) {
        const rk_doc *d = &arg[0].doc->item[i];

        if (d->kind == RK_DOC_TEXT && strcmp(d->text, arg[1].text) == 0) {
            *out = rk_scalar_int(c, (rk_i128)i);
            break;
        }
    }
    return RK_OK;
}

/* On the other side of its bound this size would have made another program. */
static int note_threshold(rk_ctx *c, rk_ex size, rk_ex bound, bool below)
{
    rk_threshold *t;

    for (size_t i = 0; i < c->model->threshold.n; i++)
        if (c->model->threshold.at[i].size == size && c->model->threshold.at[i].bound == bound)
            return RK_OK;
    t = RK_PUSH(c->a, &c->model->threshold);
    if (!t)
        return rk_fatal_memory(&c->b);
    *t = (rk_threshold){size, bound, below};
    return RK_OK;
}

/*
 * needs_mask(mask, T): whether fused attention over T keys must be handed a mask.  The triangle it knows by itself; a
 * window, a chunk or a band hides nothing from fewer keys than it has.
 */
static int needs_mask(rk_ctx *c, const rk_node *n, const rk_scalar arg[2], rk_scalar *out)
{
    rk_binding at = rk_model_binding(c->model);
    rk_i128 size = 0;

    if (arg[0].kind != RK_SCALAR_MASK)
        return RK_MISTAKE(c, n->child.at[0]->span, "needs_mask asks about a mask, but this is %s",
                          rk_scalar_kind_name(&arg[0]));
    if (rk_scalar_need_int(c, &arg[1], n->child.at[1]->span) != RK_OK)
        return RK_EINPUT;
    *out = rk_scalar_bool(arg[0].mask != RK_MASK_FULL && arg[0].mask != RK_MASK_CAUSAL);
    if (!rk_mask_is_window(arg[0].mask) || arg[0].mask == RK_MASK_TILE || !arg[1].known ||
        rk_ex_eval(c->pool, arg[0].ex, &at, &size, NULL) != RK_OK)
        return RK_OK;
    *out = rk_scalar_bool(arg[1].value >= size);
    return note_threshold(c, rk_scalar_ex(c, &arg[1]), arg[0].ex, !out->truth);
}

static int given(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    const rk_node *arg = n->child.at[0];
    rk_bind *b = arg->kind == RK_NODE_NAME ? rk_tensor_find(f, arg->text) : NULL;
    rk_scalar s = {0};

    if (!b) {
        int code = rk_scalar_eval(c, f, arg, &s);

        *out = rk_scalar_bool(s.kind != RK_SCALAR_NONE);
        out->varies = s.varies;
        return code;
    }
    *out = rk_scalar_bool(b->kind != RK_BIND_NOTHING);
    return RK_OK;
}

/* has($key): the config says something about it, be it null; `??` and given() take a null for nothing said. */
static int has(rk_ctx *c, const rk_node *n, rk_scalar *out)
{
    if (n->child.at[0]->kind != RK_NODE_KEY)
        return RK_MISTAKE(c, n->span, "has asks for a key of the config: has($key)");
    const rk_doc *d = rk_config_doc(c, n->child.at[0]->text);

    rk_key_note(c, n->child.at[0], d, true);
    *out = rk_scalar_bool(d != NULL);
    return RK_OK;
}

int rk_scalar_call(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    static const size_t arity[N_F] = {2, 2, 2, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 1};
    function which = find_function(n->text);
    rk_scalar arg[2] = {{0}, {0}};
    int code;

    if (which == N_F)
        return RK_MISTAKE(c, n->span, "there is no function '%s' of numbers", n->text);
    if (want_args(c, n, arity[which]) != RK_OK)
        return RK_EINPUT;
    if (which == F_GIVEN)
        return given(c, f, n, out);
    if (which == F_HAS)
        return has(c, n, out);
    for (size_t i = 0; i < arity[which]; i++)
        if ((code = rk_scalar_eval(c, f, n->child.at[i], &arg[i])) != RK_OK)
            return code;
    if (which <= F_FLOOR)
        code = two_ints(c, n, which, arg, out);
    else if (which == F_COUNT)
        code = count_in(c, n, arg, out);
    else if (which == F_NEEDS_MASK)
        code = needs_mask(c, n, arg, out);
    else if (which == F_LARGEST)
        code = largest(c, n, arg, out);
    else if (which == F_PLACE_OF)
        code = place_of(c, n, arg, out);
    else if (which == F_MASK)
        code = mask_value(c, n, arg, out);
    else
        code = one_argument(c, n, which, arg, out);
    out->varies = arg[0].varies || arg[1].varies;
    return code;
}
