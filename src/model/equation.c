/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <math.h>
#include <string.h>

/* ---- emitting an operation ----------------------------------------------------------------------------------- */

static bool in_domain(const rk_seen *in, size_t n_in, const rk_ixs *out, uint32_t label)
{
    bool found = rk_ixs_has(out, label);

    for (size_t i = 0; i < n_in && !found; i++)
        found = rk_ixs_has(&in[i].axes, label);
    return found;
}

/* The pairs that count: those of the equation's own `where`, or those of an operand, if both axes are in the domain. */
static rk_mask op_mask(const rk_ctx *c, const rk_seen *in, size_t n_in, const rk_ixs *out)
{
    const rk_mask *m = &c->where;

    if (m->kind != RK_MASK_FULL && in_domain(in, n_in, out, m->query) && in_domain(in, n_in, out, m->key))
        return *m;
    for (size_t i = 0; i < n_in; i++) {
        m = &in[i].mask;
        if (m->kind != RK_MASK_FULL && in_domain(in, n_in, out, m->query) && in_domain(in, n_in, out, m->key))
            return *m;
    }
    return (rk_mask){.kind = RK_MASK_FULL};
}

static int result_tensor(rk_ctx *c, const rk_ixs *axes, uint32_t *out)
{
    rk_tensor *t = RK_PUSH(c->a, &c->tensor);

    if (!t)
        return rk_fatal_memory(c);
    *t = (rk_tensor){.kind = RK_TENSOR_RESULT,
                     .name = c->row,
                     .axes = *axes,
                     .producer = (uint32_t)c->op.n,
                     .weight = RK_NONE,
                     .group = c->group};
    *out = (uint32_t)(c->tensor.n - 1);
    return RK_OK;
}

static rk_operand *operands(rk_ctx *c, const rk_seen *in, size_t n_in)
{
    rk_operand *list = RK_NEW_ARRAY(c->a, n_in ? n_in : 1, rk_operand);

    for (size_t i = 0; list && i < n_in; i++)
        list[i] = (rk_operand){.tensor = in[i].tensor, .axes = in[i].axes};
    return list;
}

static size_t count_labels(const rk_ixs *axes)
{
    size_t n = 0;

    for (size_t i = 0; i < axes->n; i++)
        n += axes->at[i].kind == RK_IX_AFFINE ? axes->at[i].n_term : 1;
    return n;
}

static bool too_many_labels(rk_ctx *c, const rk_seen *in, size_t n_in, const rk_ixs *out)
{
    size_t n = count_labels(out);

    for (size_t i = 0; i < n_in; i++)
        n += count_labels(&in[i].axes);
    if (n > RK_OP_LABELS_MAX)
        rk_fatal(c, RK_ELIMIT, "%s: an operation over more than %d axes", c->source->name, RK_OP_LABELS_MAX);
    return n > RK_OP_LABELS_MAX;
}

/* Appends an operation; NULL when memory ran out or the limit is reached (then a fatal error is noted). */
rk_op *rk_op_emit(rk_ctx *c, rk_op_id row, const rk_seen *in, size_t n_in, const rk_ixs *out_axes, rk_seen *out)
{
    rk_op op = {.row = row, .n_in = n_in, .part = c->part, .group = c->group, .span = c->span, .arg = RK_EX_FAILED};
    rk_op *slot;

    if (too_many_labels(c, in, n_in, out_axes))
        return NULL;
    if (c->op.n >= RK_PROGRAM_OPS_MAX) {
        rk_fatal(c, RK_ELIMIT, "%s: more than %d operations", c->source->name, RK_PROGRAM_OPS_MAX);
        return NULL;
    }
    op.in = operands(c, in, n_in);
    op.mask = op_mask(c, in, n_in, out_axes);
    if (!op.in || result_tensor(c, out_axes, &op.out) != RK_OK || !(slot = RK_PUSH(c->a, &c->op))) {
        rk_fatal_memory(c);
        return NULL;
    }
    *slot = op;
    *out = (rk_seen){.tensor = op.out, .axes = *out_axes};
    if (op.mask.kind != RK_MASK_FULL && rk_ixs_has(out_axes, op.mask.query) && rk_ixs_has(out_axes, op.mask.key))
        out->mask = op.mask;
    c->tensor.at[op.out].mask = out->mask;
    return slot;
}

/* ---- names of rows ------------------------------------------------------------------------------------------- */

/* How often the name was asked for in this part, this time included: 1 means that it was free. */
static uint32_t row_take(rk_ctx *c, const char *name)
{
    char *key = rk_arena_format(c->a, "%u/%u/%s", c->group, c->part, name);
    uint32_t times = key ? rk_map_get(&c->row_names, key, strlen(key)) : 0;

    times = times == RK_NONE ? 1 : times + 1;
    if (!key || !rk_map_put(c->a, &c->row_names, key, strlen(key), times))
        rk_fatal_memory(c);
    return times;
}

static bool reads_weight(const rk_ctx *c, const rk_op *op)
{
    for (size_t i = 0; i < op->n_in; i++)
        if (c->tensor.at[op->in[i].tensor].kind == RK_TENSOR_WEIGHT)
            return true;
    return false;
}

static const char *op_word(const rk_ctx *c, const rk_op *op)
{
    switch (op->row) {
    case RK_OP_PRODUCT:
        return "product";
    case RK_OP_ADD:
        return reads_weight(c, op) ? "bias" : "add";
    case RK_OP_SUB:
        return "sub";
    case RK_OP_MUL:
        return "mul";
    case RK_OP_DIV:
        return "div";
    case RK_OP_SCALE:
        return "scale";
    case RK_OP_SHIFT:
        return "shift";
    case RK_OP_NEG:
        return "neg";
    case RK_OP_JOIN:
        return "join";
    case RK_OP_PART:
        return "part";
    case RK_OP_VIEW:
        return "view";
    default:
        return rk_op_table[op->row].name;
    }
}

/* The plain name, or name.word, name.word.2, name.word.3 …: the first that is free. */
static const char *name_row(rk_ctx *c, const rk_op *op, const char *name, bool clean)
{
    const char *base = clean && row_take(c, name) == 1 ? name : NULL, *text = base;
    uint32_t times = 0;

    if (!base)
        base = text = rk_arena_format(c->a, "%s.%s", name, op_word(c, op));
    /* A name is asked for as often as it was taken, so that the many rows of one name do not try all numbers. */
    while (text && base != name && !c->fatal && (times = row_take(c, base)) > 1) {
        text = rk_arena_format(c->a, "%s.%u", base, times);
        if (text && row_take(c, text) == 1)
            break;
    }
    if (!text)
        rk_fatal_memory(c);
    return text;
}

/*
 * Names the operations that an equation made itself (those of blocks that it calls have their names already).  The
 * plain name goes to its product if there is exactly one, else to its last operation.
 */
void rk_name_rows(rk_ctx *c, size_t first, const char *name)
{
    size_t n_product = 0, last = first;

    for (size_t i = first; i < c->op.n; i++)
        if (!c->op.at[i].name) {
            n_product += c->op.at[i].summed;
            last = i;
        }
    for (size_t i = first; i < c->op.n; i++) {
        rk_op *op = &c->op.at[i];

        if (!op->name)
            op->name = name_row(c, op, name, n_product == 1 ? op->summed : i == last);
    }
}

/* ---- telling tensors from numbers ---------------------------------------------------------------------------- */

bool rk_node_is_tensor(const rk_ctx *c, const rk_node *n)
{
    rk_bind *b;

    switch (n->kind) {
    case RK_NODE_WEIGHT:
    case RK_NODE_JOIN:
        return true;
    case RK_NODE_NAME:
        if (n->axes.written)
            return true;
        b = rk_bind_find(c->frame, n->text);
        return b && (b->kind == RK_BIND_TENSOR || b->kind == RK_BIND_NOTHING || b->kind == RK_BIND_SPOILT);
    case RK_NODE_CALL:
        return !rk_is_scalar_function(n->text);
    case RK_NODE_UNARY:
    case RK_NODE_BINARY:
    case RK_NODE_COND:
        for (size_t i = 0; i < n->child.n; i++)
            if ((n->kind != RK_NODE_COND || i != 1) && rk_node_is_tensor(c, n->child.at[i]))
                return true;
        return false;
    default:
        return false;
    }
}

/* ---- variables ----------------------------------------------------------------------------------------------- */

const char *rk_near_tensor(const rk_ctx *c, const char *name)
{
    const char *best = NULL;
    size_t least = 3;

    for (rk_frame *f = c->frame; f; f = f->is_block ? NULL : f->parent)
        for (size_t i = 0; i < f->bind.n; i++) {
            size_t d = f->bind.at[i]->kind == RK_BIND_TENSOR ? rk_edit_distance(name, f->bind.at[i]->name, 2) : 3;

            if (d < least) {
                least = d;
                best = f->bind.at[i]->name;
            }
        }
    return best;
}

static bool steps_back(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_AFFINE && axes->at[i].n_term == 1)
            return true;
    return false;
}

/* A variable read one step back before it is assigned: a recurrence. Its tensor is put in when it is assigned. */
static int read_forward(rk_ctx *c, const rk_node *n, const rk_ixs *axes, rk_seen *out)
{
    rk_bind *b = rk_bind_add(c, c->frame, n->text);
    rk_tensor *t = b ? RK_PUSH(c->a, &c->tensor) : NULL;

    if (!t)
        return rk_fatal_memory(c);
    *t = (rk_tensor){.kind = RK_TENSOR_RESULT,
                     .name = n->text,
                     .axes = *axes,
                     .producer = RK_NONE,
                     .weight = RK_NONE,
                     .group = c->group};
    *b = (rk_bind){.name = n->text, .kind = RK_BIND_TENSOR, .forward = true, .span = n->span};
    b->seen = (rk_seen){.tensor = (uint32_t)(c->tensor.n - 1), .axes = *axes};
    *out = b->seen;
    return RK_OK;
}

static int read_name(rk_ctx *c, const rk_node *n, rk_seen *out)
{
    rk_bind *b = rk_tensor_find(c->frame, n->text);
    rk_op_id row = rk_op_find(n->text);
    rk_ixs axes = {0};
    int code = n->axes.written ? rk_axes_resolve(c, &n->axes, &axes) : RK_OK;

    if (code != RK_OK)
        return code;
    if (!b && row == RK_OP_ROPE_TABLE)
        return RK_MISTAKE(c, n->span, "rope_table takes how many elements rotate: rope_table(H, S)");
    if (!b && row != RK_N_OP && rk_op_table[row].shape == RK_SHAPE_LABELS)
        return rk_op_emit(c, row, NULL, 0, &axes, out) ? RK_OK : c->fatal;
    if (!b && steps_back(&axes))
        return read_forward(c, n, &axes, out);
    if (!b) {
        const char *near = rk_near_tensor(c, n->text);

        return near ? RK_MISTAKE(c, n->span, "no equation above defines '%s'; did you mean '%s'?", n->text, near)
                    : RK_MISTAKE(c, n->span, "no equation above defines the tensor '%s'", n->text);
    }
    if (b->kind == RK_BIND_SPOILT)
        return RK_EINPUT;
    if (b->kind == RK_BIND_NOTHING)
        return RK_MISTAKE(c, n->span, "%s was not given to this block: ask  if given(%s)  first", n->text, n->text);
    if (b->forward) {
        *out = b->seen;
        if (n->axes.written)
            out->axes = axes;
        return RK_OK;
    }
    if (!n->axes.written) {
        *out = b->seen;
        return RK_OK;
    }
    return rk_seen_as(c, &b->seen, &axes, n->span, n->text, out);
}

static int needs_tensor(rk_ctx *c, const rk_node *n)
{
    return RK_MISTAKE(c, n->span, "a tensor is needed here");
}

/* ---- elementwise --------------------------------------------------------------------------------------------- */

static int union_axes(rk_ctx *c, const rk_seen *in, size_t n_in, rk_ixs *out)
{
    int code = RK_OK;

    *out = (rk_ixs){0};
    for (size_t i = 0; i < n_in; i++)
        for (size_t k = 0; k < in[i].axes.n && code == RK_OK; k++) {
            const rk_ix *ix = &in[i].axes.at[k];
            size_t n_label = ix->kind == RK_IX_AFFINE ? ix->n_term : 1;

            for (size_t t = 0; t < n_label && code == RK_OK; t++) {
                uint32_t label = ix->kind == RK_IX_AFFINE ? ix->term[t].label : ix->label;
                rk_ix plain = ix->kind == RK_IX_SUM || ix->kind == RK_IX_NUMBER ? *ix : rk_ix_of_label(c, label);

                if (!rk_ixs_has(out, label))
                    code = rk_ixs_append(c, out, &plain);
            }
        }
    return code;
}

/* Axes of one element that no other operand has fall away: x[B S D] + w[1 D]. */
static int drop_ones(rk_ctx *c, const rk_ixs *want, rk_ixs *axes)
{
    rk_ixs kept = {0};
    int code = RK_OK;

    for (size_t i = 0; i < axes->n && code == RK_OK; i++) {
        rk_i128 n = 0;
        bool one = axes->at[i].kind == RK_IX_NUMBER && rk_ex_is_int(c->pool, axes->at[i].size, &n) && n == 1;

        if (!one || (want && rk_ixs_has(want, axes->at[i].label)))
            code = rk_ixs_append(c, &kept, &axes->at[i]);
    }
    if (kept.n)
        *axes = kept;
    return code;
}

static int elementwise(rk_ctx *c, rk_op_id row, const rk_seen *in, size_t n_in, const rk_ixs *want, rk_seen *out)
{
    rk_ixs axes;
    int code = union_axes(c, in, n_in, &axes);

    if (code == RK_OK)
        code = drop_ones(c, want, &axes);
    if (code != RK_OK)
        return code;
    if (want && rk_ixs_same_set(&axes, want))
        axes = *want;
    return rk_op_emit(c, row, in, n_in, &axes, out) ? RK_OK : c->fatal;
}

static int with_number(rk_ctx *c, rk_op_id row, const rk_seen *in, double number, const rk_ixs *want, rk_seen *out)
{
    int code = elementwise(c, row, in, 1, want, out);

    if (code == RK_OK)
        c->op.at[c->op.n - 1].real = number;
    return code;
}

static int scalar_number(rk_ctx *c, const rk_node *n, double *out)
{
    rk_scalar s = {0};
    int code = rk_scalar_eval(c, c->frame, n, &s);

    if (code != RK_OK)
        return code;
    if (s.kind == RK_SCALAR_REAL)
        *out = s.real;
    else if (s.kind == RK_SCALAR_INT)
        *out = s.known ? (double)s.value : 1.0; /* its value does not matter to any count */
    else
        return RK_MISTAKE(c, n->span, "a tensor or a number is needed here");
    return RK_OK;
}

/* ---- products ------------------------------------------------------------------------------------------------ */

static bool sums_over(const rk_seen *in, const rk_ixs *out)
{
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < in[i].axes.n; k++) {
            const rk_ix *ix = &in[i].axes.at[k];

            if (ix->kind == RK_IX_NUMBER)
                continue;
            if (ix->kind != RK_IX_AFFINE && !rk_ixs_has(out, ix->label))
                return true;
            for (size_t t = 0; ix->kind == RK_IX_AFFINE && t < ix->n_term; t++)
                if (!rk_ixs_has(out, ix->term[t].label))
                    return true;
        }
    return false;
}

/* What is summed pairs two factors up; on one of them alone it is more likely a slip than a sum. */
static int check_summed(rk_ctx *c, const rk_node *n, const rk_seen *a, const rk_seen *b, const rk_ixs *out)
{
    for (size_t i = 0; i < a->axes.n; i++) {
        const rk_ix *ix = &a->axes.at[i];
        const char *name;

        if (ix->kind == RK_IX_AFFINE || ix->kind == RK_IX_NUMBER || rk_ixs_has(out, ix->label) ||
            rk_ixs_has(&b->axes, ix->label))
            continue;
        name = c->label.at[ix->label].name;
        return RK_MISTAKE(c, n->span,
                          "%s stands neither on the left nor on the other factor %s: write it there, or sum(…, %s)",
                          name, rk_ixs_text(c, &b->axes), name);
    }
    return RK_OK;
}

static int check_product(rk_ctx *c, const rk_node *n, const rk_seen in[2], const rk_ixs *out)
{
    for (int k = 0; k < 2; k++)
        if (check_summed(c, n, &in[k], &in[1 - k], out) != RK_OK)
            return RK_EINPUT;
    for (size_t i = 0; i < out->n; i++) {
        const rk_ix *ix = &out->at[i];
        bool one = ix->kind == RK_IX_NUMBER;

        if (!one && !rk_ixs_has(&in[0].axes, ix->label) && !rk_ixs_has(&in[1].axes, ix->label))
            return RK_MISTAKE(c, n->span, "%s stands on the left, but on no factor of this product %s * %s",
                              c->label.at[ix->label].name, rk_ixs_text(c, &in[0].axes), rk_ixs_text(c, &in[1].axes));
    }
    return RK_OK;
}

static int product(rk_ctx *c, const rk_node *n, const rk_seen in[2], const rk_ixs *want, rk_seen *out)
{
    int code;

    if (!want || !sums_over(in, want))
        return elementwise(c, RK_OP_MUL, in, 2, want, out);
    if ((code = check_product(c, n, in, want)) != RK_OK)
        return code;
    rk_op *op = rk_op_emit(c, RK_OP_PRODUCT, in, 2, want, out);

    if (!op)
        return c->fatal;
    op->summed = true;
    return RK_OK;
}

/* Factors of a * b * c from left to right, as nodes. */
static size_t factors(const rk_node *n, const rk_node **out, size_t most)
{
    size_t k = 0;

    if (n->kind == RK_NODE_BINARY && strcmp(n->text, "*") == 0 && most > 1) {
        k = factors(n->child.at[0], out, most - 1);
        out[k++] = n->child.at[1];
        return k;
    }
    out[0] = n;
    return 1;
}

#define FACTORS_MAX 8

/* What the product of the first factors must keep: all that the target or a later factor has. */
static int keep_axes(rk_ctx *c, const rk_seen in[2], const rk_seen *later, size_t n_later, const rk_ixs *want,
                     rk_ixs *out)
{
    rk_ixs all;
    int code = union_axes(c, in, 2, &all);

    *out = (rk_ixs){0};
    for (size_t i = 0; i < all.n && code == RK_OK; i++) {
        bool needed = !want || rk_ixs_has(want, all.at[i].label);

        for (size_t k = 0; k < n_later && !needed; k++)
            needed = rk_ixs_has(&later[k].axes, all.at[i].label);
        if (needed)
            code = rk_ixs_append(c, out, &all.at[i]);
    }
    return code;
}

static int multiply_tensors(rk_ctx *c, const rk_node *n, rk_seen *f, size_t n_f, const rk_ixs *want, rk_seen *out)
{
    rk_seen sofar = f[0];
    int code = RK_OK;

    for (size_t i = 1; i < n_f && code == RK_OK; i++) {
        rk_seen pair[2] = {sofar, f[i]};
        rk_ixs axes;

        if (i + 1 == n_f)
            return product(c, n, pair, want, out);
        code = keep_axes(c, pair, f + i + 1, n_f - i - 1, want, &axes);
        if (code == RK_OK)
            code = product(c, n, pair, want ? &axes : NULL, &sofar);
    }
    *out = sofar;
    return code;
}

static bool subset_of(const rk_ixs *a, const rk_ixs *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->at[i].kind != RK_IX_NUMBER && (a->at[i].kind == RK_IX_AFFINE || !rk_ixs_has(b, a->at[i].label)))
            return false;
    return true;
}

/* Without axes on the left nothing is summed; factors written with axes that share some of them mean a product. */
static int check_outer(rk_ctx *c, const rk_node *n, const rk_seen *a, const rk_seen *b)
{
    rk_ixs both = {0};

    if (subset_of(&a->axes, &b->axes) || subset_of(&b->axes, &a->axes))
        return RK_OK;
    return union_axes(c, (const rk_seen[]){*a, *b}, 2, &both) != RK_OK
               ? c->fatal
               : RK_MISTAKE(c, n->span, "give the left side its axes: without them this is %s, and nothing is summed",
                            rk_ixs_text(c, &both));
}

static int multiply(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out)
{
    const rk_node *node[FACTORS_MAX];
    rk_seen seen[FACTORS_MAX] = {{0}};
    size_t n_node = factors(n, node, FACTORS_MAX), n_seen = 0;
    double number = 1, one = 1;
    bool scaled = false;
    int code = RK_OK;

    if (n_node == FACTORS_MAX)
        return RK_MISTAKE(c, n->span, "too many factors; the limit is %d", FACTORS_MAX - 1);
    /* All factors are looked at, so that a mistake in each is found. */
    for (size_t i = 0; i < n_node && !c->fatal; i++) {
        int this;

        if (rk_node_is_tensor(c, node[i])) {
            this = rk_tensor_eval(c, node[i], NULL, false, &seen[n_seen++]);
        } else {
            this = scalar_number(c, node[i], &one);
            number *= one;
            scaled = true;
        }
        code = this != RK_OK ? this : code;
    }
    if (code == RK_OK && n_seen == 0)
        return needs_tensor(c, n);
    if (code == RK_OK && sums && !want && n_seen == 2 && node[0]->axes.written && node[n_node - 1]->axes.written)
        code = check_outer(c, n, &seen[0], &seen[1]);
    if (code == RK_OK)
        code = multiply_tensors(c, n, seen, n_seen, sums ? want : NULL, out);
    return code == RK_OK && scaled ? with_number(c, RK_OP_SCALE, out, number, want, out) : code;
}

/* ---- sums, differences, quotients ---------------------------------------------------------------------------- */

static rk_op_id binary_row(char op)
{
    return op == '+' ? RK_OP_ADD : op == '-' ? RK_OP_SUB : RK_OP_DIV;
}

static int binary_number(rk_ctx *c, const rk_node *n, const rk_seen *in, bool number_first, const rk_ixs *want,
                         rk_seen *out)
{
    double number = 0;
    char op = n->text[0];
    rk_seen seen = *in;
    int code = scalar_number(c, n->child.at[number_first ? 0 : 1], &number);

    if (code != RK_OK)
        return code;
    if (op == '/' && number_first)
        return RK_MISTAKE(c, n->span, "a number divided by a tensor is not part of the language");
    if (op == '-' && number_first && (code = elementwise(c, RK_OP_NEG, in, 1, want, &seen)) != RK_OK)
        return code;
    if (op == '/')
        return with_number(c, RK_OP_SCALE, &seen, 1 / number, want, out);
    return with_number(c, RK_OP_SHIFT, &seen, op == '-' && !number_first ? -number : number, want, out);
}

static int binary(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out)
{
    rk_seen in[2];
    bool tensor[2] = {false, false};
    int code = RK_OK;

    if (strcmp(n->text, "*") == 0)
        return multiply(c, n, want, sums, out);
    if (!strchr("+-/", n->text[0]) || n->text[1])
        return RK_MISTAKE(c, n->op_span, "'%s' works on numbers, not on tensors", n->text);
    for (int i = 0; i < 2 && !c->fatal; i++) {
        int this = RK_OK;

        tensor[i] = rk_node_is_tensor(c, n->child.at[i]);
        if (tensor[i])
            this = rk_tensor_eval(c, n->child.at[i], want, sums && n->text[0] != '/', &in[i]);
        code = this != RK_OK ? this : code;
    }
    if (code != RK_OK)
        return code;
    if (!tensor[0] && !tensor[1])
        return needs_tensor(c, n);
    if (!tensor[0] || !tensor[1])
        return binary_number(c, n, &in[tensor[0] ? 0 : 1], !tensor[0], want, out);
    if (!want && !subset_of(&in[0].axes, &in[1].axes) && !subset_of(&in[1].axes, &in[0].axes))
        return RK_MISTAKE(
            c, n->op_span,
            "these do not fit each other: %s and %s (if every pair is meant, give the left side its axes)",
            rk_ixs_text(c, &in[0].axes), rk_ixs_text(c, &in[1].axes));
    return elementwise(c, binary_row(n->text[0]), in, 2, want, out);
}

/* ---- joining ------------------------------------------------------------------------------------------------- */

static const rk_ix *sum_of(const rk_ixs *axes, size_t n_part, size_t *at)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_SUM && axes->at[i].n_part == n_part) {
            *at = i;
            return &axes->at[i];
        }
    return NULL;
}

/* The axes of one part: the sum axis replaced by that part's axes. */
static int part_axes(rk_ctx *c, const rk_ixs *whole, size_t at, const rk_ixs *part, rk_ixs *out)
{
    int code = RK_OK;

    *out = (rk_ixs){0};
    for (size_t i = 0; i < whole->n && code == RK_OK; i++) {
        if (i != at)
            code = rk_ixs_append(c, out, &whole->at[i]);
        for (size_t k = 0; i == at && k < part->n && code == RK_OK; k++)
            code = rk_ixs_append(c, out, &part->at[k]);
    }
    return code;
}

static bool subset(const rk_ctx *c, const rk_ixs *a, const rk_ixs *of)
{
    for (size_t i = 0; i < a->n; i++) {
        rk_i128 n = 0;
        bool one = rk_ex_is_int(c->pool, a->at[i].size, &n) && n == 1;

        if (!one && (a->at[i].kind == RK_IX_AFFINE || !rk_ixs_has(of, a->at[i].label)))
            return false;
    }
    return true;
}

static int join(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *out)
{
    size_t at = 0;
    const rk_ix *sum = want ? sum_of(want, n->child.n, &at) : NULL;
    rk_seen *in = RK_NEW_ARRAY(c->a, n->child.n, rk_seen);
    int code = in ? RK_OK : rk_fatal_memory(c);

    if (!sum)
        return RK_MISTAKE(c, n->span,
                          "joining %zu tensors needs a sum of %zu axes on the left, as in q[B S (P + R)] = [a, b]",
                          n->child.n, n->child.n);
    for (size_t i = 0; i < n->child.n && code == RK_OK; i++) {
        rk_ixs axes;

        code = part_axes(c, want, at, &sum->part[i], &axes);
        if (code == RK_OK)
            code = rk_tensor_eval(c, n->child.at[i], &axes, true, &in[i]);
        /* Either it has just labels of the part (missing ones are repeated), or as many elements. */
        if (code == RK_OK && !subset(c, &in[i].axes, &axes))
            code = rk_seen_as(c, &in[i], &axes, n->child.at[i]->span, "this part", &in[i]);
    }
    if (code != RK_OK)
        return code;
    return rk_op_emit(c, RK_OP_JOIN, in, n->child.n, want, out) ? RK_OK : c->fatal;
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

static int conditional(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out)
{
    bool truth = false;
    int code = rk_scalar_condition(c, c->frame, n->child.at[1], &truth);

    return code == RK_OK ? rk_tensor_eval(c, n->child.at[truth ? 0 : 2], want, sums, out) : code;
}

int rk_tensor_eval(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out)
{
    rk_seen in;
    size_t n_out = 0;
    int code;

    if (c->fatal)
        return c->fatal;
    switch (n->kind) {
    case RK_NODE_NAME:
        return read_name(c, n, out);
    case RK_NODE_WEIGHT:
        return rk_weight_see(c, n, out);
    case RK_NODE_CALL:
        return rk_call(c, n, want, out, 1, &n_out);
    case RK_NODE_JOIN:
        return join(c, n, want, out);
    case RK_NODE_BINARY:
        return binary(c, n, want, sums, out);
    case RK_NODE_COND:
        return conditional(c, n, want, sums, out);
    case RK_NODE_UNARY:
        if (n->text[0] != '-')
            break;
        code = rk_tensor_eval(c, n->child.at[0], want, sums, &in);
        return code == RK_OK ? elementwise(c, RK_OP_NEG, &in, 1, want, out) : code;
    default:
        break;
    }
    return needs_tensor(c, n);
}

/* ---- assigning ----------------------------------------------------------------------------------------------- */

static rk_bind *assigned(rk_ctx *c, const char *name)
{
    rk_bind *b = rk_tensor_find(c->frame, name);

    return b ? b : rk_bind_add(c, c->frame, name);
}

/* Operations that read the variable before it existed now read its tensor. */
static int settle_forward(rk_ctx *c, rk_bind *b, const rk_seen *s, rk_span span)
{
    uint32_t old = b->seen.tensor;

    for (size_t i = 0; i < c->op.n; i++)
        for (size_t k = 0; k < c->op.at[i].n_in; k++) {
            rk_operand *in = &c->op.at[i].in[k];
            rk_seen read;

            if (in->tensor != old)
                continue;
            if (rk_seen_as(c, s, &in->axes, span, b->name, &read) != RK_OK)
                return c->fatal ? c->fatal : RK_EINPUT;
            *in = (rk_operand){.tensor = s->tensor, .axes = read.axes};
        }
    return RK_OK;
}

static int assign_seen(rk_ctx *c, const rk_target *t, const rk_seen *s)
{
    rk_bind *b = assigned(c, t->name);
    bool forward = b && b->kind == RK_BIND_TENSOR && b->forward;
    int code = RK_OK;

    if (!b)
        return c->fatal;
    if (forward)
        code = settle_forward(c, b, s, t->span);
    b->kind = RK_BIND_TENSOR;
    b->seen = *s;
    b->forward = false;
    b->span = t->span;
    return code;
}

static bool has_affine(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_AFFINE || axes->at[i].kind == RK_IX_ROUTED)
            return true;
    return false;
}

/* Gives a value the axes of its target: as it is, in another order, or regrouped. */
static int shape_as(rk_ctx *c, const rk_seen *s, const rk_ixs *want, rk_span span, const char *name, rk_seen *out)
{
    if (rk_ixs_same(&s->axes, want)) {
        *out = *s;
        return RK_OK;
    }
    if (rk_ixs_same_set(&s->axes, want) || has_affine(&s->axes))
        return elementwise(c, RK_OP_VIEW, s, 1, want, out) == RK_OK ? rk_seen_as(c, out, want, span, name, out)
                                                                    : RK_EINPUT;
    return rk_seen_as(c, s, want, span, name, out);
}

static void spoil(rk_ctx *c, const char *name)
{
    rk_bind *b = assigned(c, name);

    if (b)
        b->kind = RK_BIND_SPOILT;
}

/* ---- several targets ----------------------------------------------------------------------------------------- */

/* A sum axis with that many parts, wherever it stands in the expression: in axes, inside groups. */
static const rk_axis *find_sum_axis(const rk_axes *axes, size_t n_part)
{
    for (size_t i = 0; i < axes->n; i++) {
        const rk_axis *ax = &axes->at[i], *in = NULL;

        if (ax->kind == RK_AXIS_SUM && ax->n_part == n_part)
            return ax;
        for (size_t k = 0; k < ax->n_part && !in; k++)
            in = find_sum_axis(&ax->part[k], n_part);
        if (in)
            return in;
    }
    return NULL;
}

static const rk_axis *find_sum(const rk_node *n, size_t n_part)
{
    const rk_axis *ax = find_sum_axis(&n->axes, n_part);

    for (size_t i = 0; i < n->child.n && !ax; i++)
        ax = find_sum(n->child.at[i], n_part);
    return ax;
}

/* Does `target` read  before + part + after,  with the part at place p? Axes of one element may be left out. */
static bool fits(const rk_ctx *c, const rk_ixs *target, size_t p, const rk_ixs *part, size_t *length)
{
    size_t k = 0;

    for (size_t i = 0; i < part->n; i++) {
        rk_i128 n = 0;
        bool one = rk_ex_is_int(c->pool, part->at[i].size, &n) && n == 1;

        if (p + k < target->n && target->at[p + k].label == part->at[i].label)
            k++;
        else if (!one)
            return false;
    }
    *length = k;
    return true;
}

static bool same_around(const rk_ixs *a, size_t pa, size_t la, const rk_ixs *b, size_t pb, size_t lb)
{
    if (pa != pb || a->n - pa - la != b->n - pb - lb)
        return false;
    for (size_t i = 0; i < pa; i++)
        if (a->at[i].label != b->at[i].label)
            return false;
    for (size_t i = 0; i + pa + la < a->n; i++)
        if (a->at[pa + la + i].label != b->at[pb + lb + i].label)
            return false;
    return true;
}

typedef struct split {
    rk_ixs *target; /* axes of each target; n = 0 and dropped for _ */
    const rk_target *t;
    size_t n;
    rk_ix sum;
    size_t place; /* where the sum axis stands in `whole` */
    rk_ixs whole; /* the axes of all parts together */
} split;

static size_t first_kept(const split *s)
{
    size_t i = 0;

    while (i < s->n && strcmp(s->t[i].name, "_") == 0)
        i++;
    return i;
}

static bool place_fits(const rk_ctx *c, const split *s, size_t p, size_t *length)
{
    size_t first = first_kept(s), l = 0;

    if (!fits(c, &s->target[first], p, &s->sum.part[first], length))
        return false;
    for (size_t i = first + 1; i < s->n; i++)
        if (strcmp(s->t[i].name, "_") != 0 && (!fits(c, &s->target[i], p, &s->sum.part[i], &l) ||
                                               !same_around(&s->target[first], p, *length, &s->target[i], p, l)))
            return false;
    return true;
}

static int find_place(rk_ctx *c, split *s, rk_span span)
{
    size_t first = first_kept(s), length = 0, p = 0;
    const rk_ixs *t;
    int code = RK_OK;

    if (first == s->n)
        return RK_MISTAKE(c, span, "all targets are dropped");
    t = &s->target[first];
    while (p <= t->n && !place_fits(c, s, p, &length))
        p++;
    if (p > t->n)
        return RK_MISTAKE(c, span, "the targets do not fit the parts of %s", c->label.at[s->sum.label].name);
    s->place = p;
    for (size_t i = 0; i < p && code == RK_OK; i++)
        code = rk_ixs_append(c, &s->whole, &t->at[i]);
    if (code == RK_OK)
        code = rk_ixs_append(c, &s->whole, &s->sum);
    for (size_t i = p + length; i < t->n && code == RK_OK; i++)
        code = rk_ixs_append(c, &s->whole, &t->at[i]);
    return code;
}

static int split_targets(rk_ctx *c, const rk_stmt *st, split *s)
{
    const rk_axis *ax = find_sum(st->child.at[0], st->n_target);
    rk_axes one = {.at = (rk_axis *)ax, .n = 1, .written = true, .span = st->span};
    rk_ixs sum;
    int code;

    if (!ax)
        return RK_MISTAKE(c, st->span, "%zu targets need a sum of %zu axes on the right, as in x[B S (%s)]",
                          st->n_target, st->n_target, "P + R");
    if ((code = rk_axes_resolve(c, &one, &sum)) != RK_OK)
        return code;
    s->sum = sum.at[0];
    s->target = RK_NEW_ARRAY(c->a, st->n_target, rk_ixs);
    if (!s->target)
        return rk_fatal_memory(c);
    for (size_t i = 0; i < st->n_target && code == RK_OK; i++) {
        if (strcmp(st->target[i].name, "_") == 0)
            continue;
        if (!st->target[i].axes.written)
            return RK_MISTAKE(c, st->target[i].span, "each of several targets needs its axes");
        code = rk_axes_resolve(c, &st->target[i].axes, &s->target[i]);
    }
    return code == RK_OK ? find_place(c, s, st->span) : code;
}

static int take_part(rk_ctx *c, const split *s, const rk_seen *whole, size_t i)
{
    rk_ixs axes;
    rk_seen part;
    rk_op *op;
    int code;

    if (strcmp(s->t[i].name, "_") == 0)
        return RK_OK;
    if ((code = part_axes(c, &s->whole, s->place, &s->sum.part[i], &axes)) != RK_OK)
        return code;
    if (!(op = rk_op_emit(c, RK_OP_PART, whole, 1, &axes, &part)))
        return c->fatal;
    op->which = i;
    c->tensor.at[part.tensor].name = s->t[i].name;
    code = rk_seen_as(c, &part, &s->target[i], s->t[i].span, s->t[i].name, &part);
    return code == RK_OK ? assign_seen(c, &s->t[i], &part) : code;
}

static int equation_many(rk_ctx *c, const rk_stmt *st)
{
    split s = {.n = st->n_target, .t = st->target};
    const rk_node *n = st->child.at[0];
    rk_seen whole;
    int code = split_targets(c, st, &s);

    if (code == RK_OK)
        code = rk_tensor_eval(c, n, &s.whole, true, &whole);
    if (code == RK_OK && !rk_ixs_same(&whole.axes, &s.whole))
        code = shape_as(c, &whole, &s.whole, n->span, "the right side", &whole);
    for (size_t i = 0; i < s.n && code == RK_OK; i++)
        code = take_part(c, &s, &whole, i);
    return code;
}

/* A block with several results gives one to each target. */
static int equation_block(rk_ctx *c, const rk_stmt *st)
{
    rk_seen *out = RK_NEW_ARRAY(c->a, st->n_target, rk_seen);
    size_t n_out = 0;
    int code = out ? rk_call(c, st->child.at[0], NULL, out, st->n_target, &n_out) : rk_fatal_memory(c);

    if (code == RK_OK && n_out != st->n_target)
        return RK_MISTAKE(c, st->span, "%s gives %zu tensors, and here are %zu targets", st->child.at[0]->text, n_out,
                          st->n_target);
    for (size_t i = 0; i < st->n_target && code == RK_OK; i++) {
        const rk_target *t = &st->target[i];
        rk_ixs axes;

        if (strcmp(t->name, "_") == 0)
            continue;
        if (t->axes.written && (code = rk_axes_resolve(c, &t->axes, &axes)) == RK_OK)
            code = shape_as(c, &out[i], &axes, t->span, t->name, &out[i]);
        if (code == RK_OK)
            code = assign_seen(c, t, &out[i]);
    }
    return code;
}

static int equation_one(rk_ctx *c, const rk_stmt *s)
{
    const rk_target *t = &s->target[0];
    rk_ixs want = {0};
    rk_seen value = {0};
    int left = t->axes.written ? rk_axes_resolve(c, &t->axes, &want) : RK_OK, code;

    if (left == RK_OK && t->axes.written && has_affine(&want))
        return RK_MISTAKE(c, t->axes.span, "the left side has plain axes only");
    /* With a mistake on the left, the right is still looked at for its own. */
    code = rk_tensor_eval(c, s->child.at[0], t->axes.written && left == RK_OK ? &want : NULL, true, &value);
    code = left != RK_OK ? left : code;
    if (code == RK_OK && t->axes.written)
        code = shape_as(c, &value, &want, s->child.at[0]->span, "the right side", &value);
    else if (code == RK_OK && has_affine(&value.axes))
        code = RK_MISTAKE(c, t->span, "give the left side its axes");
    return code == RK_OK ? assign_seen(c, t, &value) : code;
}

/* ---- where --------------------------------------------------------------------------------------------------- */

static int where_label(rk_ctx *c, const rk_node *n, uint32_t *out)
{
    if (n->kind != RK_NODE_NAME || n->axes.written)
        return RK_MISTAKE(c, n->span, "the name of an axis is needed here");
    return rk_label_spelt(c, n->text, n->span, out);
}

static int mask_of_call(rk_ctx *c, const rk_node *n, rk_mask *out)
{
    rk_bind *b = rk_bind_find(c->frame, n->text);
    rk_scalar m = {0};
    int code = RK_OK;

    if (b) {
        rk_node name = {.kind = RK_NODE_NAME, .text = n->text, .span = n->span};
        rk_node *kept = RK_NEW(c->a, rk_node);

        if (!kept)
            return rk_fatal_memory(c);
        *kept = name;
        code = rk_scalar_decide(c, c->frame, kept, &m);
        if (code == RK_OK && m.kind != RK_SCALAR_MASK)
            return RK_MISTAKE(c, n->span, "%s is no mask", n->text);
    } else if (strcmp(n->text, "causal") == 0) {
        m.mask = RK_MASK_CAUSAL;
    } else if (strcmp(n->text, "full") == 0) {
        m.mask = RK_MASK_FULL;
    } else if (n->child.n == 3) {
        rk_node inner = {.kind = RK_NODE_CALL, .text = n->text, .span = n->span, .child = {n->child.at + 2, 1}};
        rk_node *kept = RK_NEW(c->a, rk_node);

        if (!kept)
            return rk_fatal_memory(c);
        *kept = inner;
        code = rk_scalar_decide(c, c->frame, kept, &m);
        if (code == RK_OK && m.kind != RK_SCALAR_MASK)
            return RK_MISTAKE(c, n->span, "there is no mask '%s': causal, window, chunk, prefix, full", n->text);
    } else {
        return RK_MISTAKE(c, n->span, "there is no mask '%s' of %zu arguments: causal(S, T), window(S, T, W), …",
                          n->text, n->child.n);
    }
    *out = (rk_mask){.kind = m.mask, .size = m.ex};
    return code;
}

/* Two axes, and no fewer keys than queries: the queries are the last of the keys. */
static int check_mask(rk_ctx *c, const rk_node *n, const rk_mask *m)
{
    const rk_label *q = &c->label.at[m->query], *k = &c->label.at[m->key];
    rk_binding at = rk_model_binding(c->model);
    rk_i128 nq = 0, nk = 0;

    if (m->query == m->key)
        return RK_MISTAKE(c, n->span, "a mask is about two axes: %s(%s, %s')", n->text, q->name, q->name);
    if (m->kind == RK_MASK_FULL || rk_ex_eval(c->pool, q->size, &at, &nq, NULL) != RK_OK ||
        rk_ex_eval(c->pool, k->size, &at, &nk, NULL) != RK_OK || nk >= nq)
        return RK_OK;
    return RK_MISTAKE(c, n->span,
                      "the queries are the last of the keys, but there are fewer keys (%s) than queries (%s)", k->name,
                      q->name);
}

static int set_where(rk_ctx *c, const rk_node *n)
{
    rk_mask m;
    int code;

    c->where = (rk_mask){.kind = RK_MASK_FULL};
    if (!n)
        return RK_OK;
    if (n->child.n < 2)
        return RK_MISTAKE(c, n->span, "a mask names two axes: %s(S, T)", n->text);
    if ((code = mask_of_call(c, n, &m)) != RK_OK || (code = where_label(c, n->child.at[0], &m.query)) != RK_OK ||
        (code = where_label(c, n->child.at[1], &m.key)) != RK_OK)
        return code;
    if ((code = check_mask(c, n, &m)) == RK_OK)
        c->where = m;
    return code;
}

/* ---- the equation -------------------------------------------------------------------------------------------- */

static const char *row_name(rk_ctx *c, const rk_stmt *s)
{
    rk_str name = {0};
    const char *text;

    for (size_t i = 0; i < s->n_target; i++) {
        if (strcmp(s->target[i].name, "_") == 0)
            continue;
        rk_str_put(&name, name.n ? "+" : "");
        rk_str_put(&name, s->target[i].name);
    }
    /* What a block gives back is called as its caller calls it. */
    if (c->frame->result_row && c->frame->result_name && strcmp(rk_str_text(&name), c->frame->result_name) == 0) {
        rk_str_reset(&name);
        rk_str_put(&name, c->frame->result_row);
    }
    text = name.failed ? NULL : rk_arena_text(c->a, rk_str_text(&name));
    rk_str_free(&name);
    if (!text)
        rk_fatal_memory(c);
    return text;
}

static bool calls_block(const rk_ctx *c, const rk_node *n)
{
    return n->kind == RK_NODE_CALL && rk_block_find(c, n->text);
}

int rk_equation(rk_ctx *c, const rk_stmt *s)
{
    const char *row = c->row;
    size_t first = c->op.n;
    rk_mask where = c->where;
    rk_span span = c->span;
    int code;

    c->span = s->span;
    c->row = row_name(c, s);
    if (!c->row)
        return c->fatal;
    code = set_where(c, s->where);
    if (code == RK_OK)
        code = s->n_target == 1                 ? equation_one(c, s)
               : calls_block(c, s->child.at[0]) ? equation_block(c, s)
                                                : equation_many(c, s);
    if (code == RK_OK)
        rk_name_rows(c, first, c->row);
    else
        for (size_t i = 0; i < s->n_target; i++)
            spoil(c, s->target[i].name);
    c->row = row;
    c->where = where;
    c->span = span;
    return c->fatal ? c->fatal : code;
}
