/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

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

    /* All letters are near each other; and beyond so many mistakes it would not be shown. */
    if (!name[0] || !name[1] || c->mistakes.list.n == RK_MISTAKES_MAX)
        return NULL;
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
    rk_tensor *t = b ? RK_PUSH(c->a, &c->b.tensor) : NULL;

    if (!t)
        return rk_fatal_memory(&c->b);
    *t = (rk_tensor){.kind = RK_TENSOR_RESULT,
                     .name = n->text,
                     .axes = *axes,
                     .producer = RK_NONE,
                     .until = RK_NONE,
                     .weight = RK_NONE,
                     .group = c->b.group};
    *b = (rk_bind){.name = n->text, .kind = RK_BIND_TENSOR, .forward = true, .since = c->b.op.n, .span = n->span};
    b->seen = (rk_seen){.tensor = (uint32_t)(c->b.tensor.n - 1), .axes = *axes};
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
    if (!b && row != RK_N_OP && rk_op_table[row].class == RK_CLASS_ROTARY_TABLE)
        return RK_MISTAKE(c, n->span, "%s takes how many elements rotate: %s(H, S)", n->text, n->text);
    if (!b && row != RK_N_OP && rk_op_table[row].shape == RK_SHAPE_LABELS && n->axes.written &&
        (code = rk_axes_plain(c, &n->axes, &axes)) != RK_OK)
        return code;
    if (!b && row != RK_N_OP && rk_op_table[row].shape == RK_SHAPE_LABELS)
        return rk_build_op(&c->b, row, NULL, 0, &axes, out) ? RK_OK : c->b.fatal;
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
                    code = rk_ixs_append(&c->b, out, &plain);
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
            code = rk_ixs_append(&c->b, &kept, &axes->at[i]);
    }
    if (kept.n)
        *axes = kept;
    return code;
}

int rk_elementwise(rk_ctx *c, rk_op_id row, const rk_seen *in, size_t n_in, const rk_ixs *want, rk_seen *out)
{
    rk_ixs axes;
    int code = union_axes(c, in, n_in, &axes);

    if (code == RK_OK)
        code = drop_ones(c, want, &axes);
    if (code != RK_OK)
        return code;
    if (want && rk_ixs_same_set(&axes, want))
        axes = *want;
    return rk_build_op(&c->b, row, in, n_in, &axes, out) ? RK_OK : c->b.fatal;
}

static int with_number(rk_ctx *c, rk_op_id row, const rk_seen *in, double number, const rk_ixs *want, rk_seen *out)
{
    int code = rk_elementwise(c, row, in, 1, want, out);

    if (code == RK_OK)
        c->b.op.at[c->b.op.n - 1].real = number;
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
        name = c->b.label.at[ix->label].name;
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
                              c->b.label.at[ix->label].name, rk_ixs_text(c, &in[0].axes), rk_ixs_text(c, &in[1].axes));
    }
    return RK_OK;
}

static int product(rk_ctx *c, const rk_node *n, const rk_seen in[2], const rk_ixs *want, rk_seen *out)
{
    int code;

    if (!want || !sums_over(in, want))
        return rk_elementwise(c, RK_OP_MUL, in, 2, want, out);
    if ((code = check_product(c, n, in, want)) != RK_OK)
        return code;
    rk_op *op = rk_build_op(&c->b, RK_OP_PRODUCT, in, 2, want, out);

    if (!op)
        return c->b.fatal;
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
            code = rk_ixs_append(&c->b, out, &all.at[i]);
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
               ? c->b.fatal
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
    for (size_t i = 0; i < n_node && !c->b.fatal; i++) {
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
    if (op == '-' && number_first && (code = rk_elementwise(c, RK_OP_NEG, in, 1, want, &seen)) != RK_OK)
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
    for (int i = 0; i < 2 && !c->b.fatal; i++) {
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
    return rk_elementwise(c, binary_row(n->text[0]), in, 2, want, out);
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
int rk_part_axes(rk_ctx *c, const rk_ixs *whole, size_t at, const rk_ixs *part, rk_ixs *out)
{
    int code = RK_OK;

    *out = (rk_ixs){0};
    for (size_t i = 0; i < whole->n && code == RK_OK; i++) {
        if (i != at)
            code = rk_ixs_append(&c->b, out, &whole->at[i]);
        for (size_t k = 0; i == at && k < part->n && code == RK_OK; k++)
            code = rk_ixs_append(&c->b, out, &part->at[k]);
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
    int code = in ? RK_OK : rk_fatal_memory(&c->b);

    if (!sum)
        return RK_MISTAKE(c, n->span,
                          "joining %zu tensors needs a sum of %zu axes on the left, as in q[B S (P + R)] = [a, b]",
                          n->child.n, n->child.n);
    for (size_t i = 0; i < n->child.n && code == RK_OK; i++) {
        rk_ixs axes;

        code = rk_part_axes(c, want, at, &sum->part[i], &axes);
        if (code == RK_OK)
            code = rk_tensor_eval(c, n->child.at[i], &axes, true, &in[i]);
        /* Either it has just labels of the part (missing ones are repeated), or as many elements. */
        if (code == RK_OK && !subset(c, &in[i].axes, &axes))
            code = rk_seen_as(c, &in[i], &axes, n->child.at[i]->span, "this part", &in[i]);
    }
    if (code != RK_OK)
        return code;
    return rk_build_op(&c->b, RK_OP_JOIN, in, n->child.n, want, out) ? RK_OK : c->b.fatal;
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

static int conditional(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out)
{
    bool truth = false;
    int code = rk_scalar_condition(c, c->frame, n->child.at[1], &truth);

    return code == RK_OK ? rk_tensor_eval(c, n->child.at[truth ? 0 : 2], want, sums, out) : code;
}

static int eval(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out)
{
    rk_seen in;
    size_t n_out = 0;
    int code;

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
        return code == RK_OK ? rk_elementwise(c, RK_OP_NEG, &in, 1, want, out) : code;
    default:
        break;
    }
    return needs_tensor(c, n);
}

int rk_tensor_eval(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out)
{
    int code = c->b.fatal ? c->b.fatal : eval(c, n, want, sums, out);

    if (code == RK_OK && c->call)
        rk_call_argument_seen(c, n, out);
    return code;
}
