/* SPDX-License-Identifier: MIT */
#include "account/cost.h"

#include "model/needs.h"

/* ---- masks --------------------------------------------------------------------------------------------------- */

/* n(n + 1)/2 */
static rk_ex triangle(rk_pool *p, rk_ex n)
{
    return rk_ex_mul(p, rk_ex_ratio(p, 1, 2), rk_ex_mul(p, n, rk_ex_add(p, n, rk_ex_int(p, 1))));
}

/* n·w - w(w - 1)/2 with w = min(n, window): the first w tokens see 1, 2 … w keys, all others w. */
static rk_ex below_window(rk_pool *p, rk_ex n, rk_ex size)
{
    rk_ex w = rk_ex_min(p, n, size);

    return rk_ex_sub(p, rk_ex_mul(p, n, w), triangle(p, rk_ex_sub(p, w, rk_ex_int(p, 1))));
}

/* Whole chunks are triangles of their own, and so is what is left. */
static rk_ex below_chunk(rk_pool *p, rk_ex n, rk_ex size)
{
    rk_ex whole = rk_ex_floor_div(p, n, size), left = rk_ex_sub(p, n, rk_ex_mul(p, whole, size));

    return rk_ex_add(p, rk_ex_mul(p, whole, triangle(p, size)), triangle(p, left));
}

/*
 * The first `size` see each other; those after them see all before and themselves.  A token of the prefix also sees
 * some after it, so that the tokens before the queries cannot just be taken away: of the m = min(n, size) in the
 * prefix, those from `before` on see m each.
 */
static rk_ex pairs_prefix(rk_pool *p, rk_ex before, rk_ex n, rk_ex size)
{
    rk_ex m = rk_ex_min(p, n, size), inside = m, after = m;

    if (before != rk_ex_int(p, 0)) {
        inside = rk_ex_sub(p, m, rk_ex_min(p, before, m));
        after = rk_ex_max(p, before, m);
    }

    return rk_ex_add(p, rk_ex_mul(p, m, inside), rk_ex_sub(p, triangle(p, n), triangle(p, after)));
}

/*
 * What a token sees before it and at its place is a window of size + 1.  What it sees after it is one too, and both
 * ends of such a pair are queries, since no key stands after the last query: the window among the n - before queries,
 * less their own places, which were counted already.
 */
static rk_ex pairs_band(rk_pool *p, rk_ex before, rk_ex n, rk_ex size)
{
    rk_ex w = rk_ex_add(p, size, rk_ex_int(p, 1)), queries = rk_ex_sub(p, n, before);
    rk_ex back = before == rk_ex_int(p, 0) ? below_window(p, n, w)
                                           : rk_ex_sub(p, below_window(p, n, w), below_window(p, before, w));

    return rk_ex_add(p, back, rk_ex_sub(p, below_window(p, queries, w), queries));
}

/*
 * Whole tiles are squares, and so is what is left.  Of the tokens before the queries, those in whole tiles take squares
 * away; the others stand in a tile of which they see all that there is.
 */
static rk_ex pairs_tile(rk_pool *p, rk_ex before, rk_ex n, rk_ex size)
{
    rk_ex whole = rk_ex_floor_div(p, n, size), left = rk_ex_sub(p, n, rk_ex_mul(p, whole, size));
    rk_ex square = rk_ex_mul(p, size, size), all = rk_ex_add(p, rk_ex_mul(p, whole, square), rk_ex_mul(p, left, left));

    if (before == rk_ex_int(p, 0))
        return all;
    whole = rk_ex_floor_div(p, before, size);
    left = rk_ex_sub(p, before, rk_ex_mul(p, whole, size));
    rk_ex tile = rk_ex_min(p, size, rk_ex_sub(p, n, rk_ex_mul(p, whole, size)));

    return rk_ex_sub(p, rk_ex_sub(p, all, rk_ex_mul(p, whole, square)), rk_ex_mul(p, left, tile));
}

/* Of n tokens of which none sees anything after it. */
static rk_ex pairs_below(rk_pool *p, rk_mask_kind kind, rk_ex n, rk_ex size)
{
    if (kind == RK_MASK_CAUSAL)
        return triangle(p, n);
    return kind == RK_MASK_WINDOW ? below_window(p, n, size) : below_chunk(p, n, size);
}

/* The queries are the last q of k tokens. */
static rk_ex pairs_allowed(rk_pool *p, const rk_mask *m, rk_ex q, rk_ex k)
{
    rk_ex before = rk_ex_sub(p, k, q), all;

    switch (m->kind) {
    case RK_MASK_CAUSAL:
    case RK_MASK_WINDOW:
    case RK_MASK_CHUNK:
        all = pairs_below(p, m->kind, k, m->size);
        return before == rk_ex_int(p, 0) ? all : rk_ex_sub(p, all, pairs_below(p, m->kind, before, m->size));
    case RK_MASK_PREFIX:
        return pairs_prefix(p, before, k, m->size);
    case RK_MASK_BAND:
        return pairs_band(p, before, k, m->size);
    case RK_MASK_TILE:
        return pairs_tile(p, before, k, m->size);
    case RK_MASK_FULL:
    case RK_N_MASK:
        break;
    }
    return rk_ex_mul(p, q, k);
}

/* No triangles: a window slides along the keys and is whole for each query; chunks are squares. */
static rk_ex pairs_within(rk_pool *p, const rk_mask *m, rk_ex q, rk_ex k)
{
    rk_ex reach = m->size;

    switch (m->kind) {
    case RK_MASK_CHUNK:
    case RK_MASK_TILE:
        return pairs_tile(p, rk_ex_sub(p, k, q), k, m->size);
    case RK_MASK_BAND:
        reach = rk_ex_add(p, rk_ex_mul(p, rk_ex_int(p, 2), reach), rk_ex_int(p, 1));
        return rk_ex_mul(p, q, rk_ex_min(p, k, reach));
    case RK_MASK_WINDOW:
        return rk_ex_mul(p, q, rk_ex_min(p, k, reach));
    case RK_MASK_CAUSAL:
    case RK_MASK_PREFIX:
    case RK_MASK_FULL:
    case RK_N_MASK:
        break;
    }
    return rk_ex_mul(p, q, k);
}

/* Two pieces of the queries, at the same distance from both ends: under a causal mask all devices have equally many. */
static rk_ex pairs_of_pieces(rk_pool *p, const rk_mask *m, rk_ex q, rk_ex k)
{
    rk_ex half = rk_ex_div(p, q, rk_ex_int(p, 2)), before = rk_ex_mul(p, rk_ex_int(p, (rk_i128)m->piece - 1), half);

    return rk_ex_add(p, pairs_allowed(p, m, half, rk_ex_add(p, before, half)),
                     pairs_allowed(p, m, half, rk_ex_sub(p, k, before)));
}

rk_ex rk_mask_pairs(const rk_instance *x, const rk_mask *m, rk_pairs pairs)
{
    rk_ex q = rk_ex_expand_defs(x->pool, x->program->label[m->query].size),
          k = rk_ex_expand_defs(x->pool, x->program->label[m->key].size);

    if (pairs == RK_PAIRS_SQUARE)
        return rk_ex_mul(x->pool, q, k);
    if (m->piece && pairs == RK_PAIRS_EXACT && m->kind != RK_MASK_FULL)
        return m->kind == RK_MASK_BAND ? rk_ex_div(x->pool, rk_ex_mul(x->pool, q, pairs_allowed(x->pool, m, k, k)), k)
                                       : pairs_of_pieces(x->pool, m, q, k);
    return (pairs == RK_PAIRS_EXACT ? pairs_allowed : pairs_within)(x->pool, m, q, k);
}

/* ---- volumes ------------------------------------------------------------------------------------------------- */

/* The labels that an operation touches, each once. */
typedef struct domain {
    const rk_ix *ix[RK_LABELS_PER_OP_MAX]; /* NULL: a label from an affine index */
    uint32_t label[RK_LABELS_PER_OP_MAX];
    size_t n;
} domain;

static void touch(domain *d, uint32_t label, const rk_ix *ix)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->label[i] == label)
            return;
    if (d->n < RK_LABELS_PER_OP_MAX) {
        d->ix[d->n] = ix;
        d->label[d->n++] = label;
    }
}

static void touch_all(domain *d, const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++) {
        const rk_ix *ix = &axes->at[i];

        for (size_t k = 0; ix->kind == RK_IX_AFFINE && k < ix->n_term; k++)
            touch(d, ix->term[k].label, NULL);
        if (ix->kind != RK_IX_AFFINE)
            touch(d, ix->label, ix);
    }
}

static domain domain_of(const rk_program *p, const rk_op *op)
{
    domain d = {.n = 0};

    touch_all(&d, &p->tensor[op->out].axes);
    for (size_t i = 0; i < op->n_in; i++)
        touch_all(&d, &op->in[i].axes);
    return d;
}

/* Does this label hold the mask's key axis, alone or as one summand of (T + 1)? */
static bool holds_key(const domain *d, size_t i, uint32_t key)
{
    const rk_ix *ix = d->ix[i];

    if (d->label[i] == key)
        return true;
    for (size_t k = 0; ix && ix->kind == RK_IX_SUM && k < ix->n_part; k++)
        if (ix->part[k].n == 1 && ix->part[k].at[0].label == key)
            return true;
    return false;
}

/* What a label runs over: one less where a recurrence saves a step. */
static rk_ex label_size(const rk_instance *x, uint32_t label, const rk_grad *g)
{
    rk_ex n = x->program->label[label].size;
    int saved = g && g->shift_label == label ? g->first_free + g->last_free : 0;

    n = rk_ex_sub(x->pool, n, rk_ex_int(x->pool, saved));
    /* A recurrence of a single step has its first and its last in one. */
    return saved > 1 ? rk_ex_max(x->pool, n, rk_ex_int(x->pool, 0)) : n;
}

/* Whether some pairs of a mask's axes are left out. */
static bool leaves_out(const rk_mask *m, rk_pairs pairs)
{
    return (pairs == RK_PAIRS_EXACT && m->kind != RK_MASK_FULL) ||
           (pairs == RK_PAIRS_WINDOW && rk_mask_is_window(m->kind));
}

/* The product of all sizes; the two axes of a mask count their pairs. */
static rk_ex volume(const rk_instance *x, const domain *d, const rk_mask *m, rk_pairs pairs, const rk_grad *g)
{
    rk_ex v = rk_ex_int(x->pool, 1);
    size_t query = d->n, key = d->n;
    bool by_pairs;

    for (size_t i = 0; i < d->n && leaves_out(m, pairs); i++) {
        query = d->label[i] == m->query ? i : query;
        key = key == d->n && holds_key(d, i, m->key) ? i : key;
    }
    by_pairs = query < d->n && key < d->n;
    for (size_t i = 0; i < d->n; i++)
        if (!by_pairs || (i != query && i != key))
            v = rk_ex_mul(x->pool, v, label_size(x, d->label[i], g));
    if (!by_pairs)
        return v;
    /* Summands beside the key axis (an attention sink) are seen by every query. */
    rk_ex beside = rk_ex_sub(x->pool, x->program->label[d->label[key]].size, x->program->label[m->key].size);

    return rk_ex_mul(
        x->pool, v,
        rk_ex_add(x->pool, rk_mask_pairs(x, m, pairs), rk_ex_mul(x->pool, x->program->label[m->query].size, beside)));
}

static rk_ex count_of(const rk_instance *x, const rk_ixs *axes, const rk_mask *m, rk_pairs pairs, const rk_grad *g)
{
    domain d = {.n = 0};
    bool plain = true;

    touch_all(&d, axes);
    for (size_t i = 0; i < axes->n; i++)
        plain &= axes->at[i].kind != RK_IX_AFFINE && axes->at[i].kind != RK_IX_ROUTED;
    if (plain)
        return volume(x, &d, m, pairs, g);
    return rk_ixs_count(x->pool, axes);
}

static rk_ex times_int(const rk_instance *x, rk_i128 n, rk_ex e)
{
    return rk_ex_mul(x->pool, rk_ex_int(x->pool, n), e);
}

rk_pairs rk_convention_pairs(const rk_convention *c)
{
    return c->count == RK_COUNT_TORCH ? RK_PAIRS_SQUARE : c->pairs;
}

/* ---- forward ------------------------------------------------------------------------------------------------- */

static rk_ex product_cost(const rk_instance *x, const rk_op *op, const rk_convention *c, const rk_grad *g)
{
    domain d = domain_of(x->program, op);
    rk_ex v = volume(x, &d, &op->mask, rk_convention_pairs(c), g);

    return times_int(x, c->mac ? 1 : 2, v);
}

/* Attention in one operation is two products: of queries and keys, and of what the softmax gives and values. */
static rk_ex attention_cost(const rk_instance *x, const rk_op *op, const rk_convention *c)
{
    domain scores = {.n = 0}, context = {.n = 0};

    touch_all(&scores, &op->in[0].axes);
    touch_all(&scores, &op->in[1].axes);
    touch_all(&context, &x->program->tensor[op->out].axes);
    touch_all(&context, &op->in[2].axes);
    return times_int(x, c->mac ? 1 : 2,
                     rk_ex_add(x->pool, volume(x, &scores, &op->mask, rk_convention_pairs(c), NULL),
                               volume(x, &context, &op->mask, rk_convention_pairs(c), NULL)));
}

/* A product [R/2 × 1]·[1 × S] for each position. */
static rk_ex rope_table_cost(const rk_instance *x, const rk_op *op, const rk_convention *c)
{
    rk_ex pairs = rk_ex_ceil_div(x->pool, op->arg, rk_ex_int(x->pool, 2));
    rk_ex n = count_of(x, &x->program->tensor[op->out].axes, &op->mask, RK_PAIRS_SQUARE, NULL);

    return times_int(x, c->mac ? 1 : 2, rk_ex_mul(x->pool, pairs, n));
}

/* How many elements the table's cost is per; for a gradient, less the steps that a recurrence saves. */
static rk_ex elements(const rk_instance *x, const rk_op *op, const rk_convention *c, const rk_grad *g)
{
    const rk_ixs *out = &x->program->tensor[op->out].axes, *in = op->n_in ? &op->in[0].axes : out;
    rk_ex n;

    switch (rk_op_table[op->row].per) {
    case RK_PER_NONE:
        return rk_ex_int(x->pool, 0);
    case RK_PER_OUT:
        return count_of(x, out, &op->mask, rk_convention_pairs(c), g);
    case RK_PER_IN:
        return count_of(x, in, &op->mask, rk_convention_pairs(c), g);
    case RK_PER_ROTATED:
        n = rk_ex_div(x->pool, count_of(x, in, &op->mask, RK_PAIRS_SQUARE, g), in->at[in->n - 1].size);
        return rk_ex_mul(x->pool, n, op->arg);
    case RK_PER_SOLVE:
        n = rk_ex_sub(x->pool, in->at[in->n - 1].size, rk_ex_int(x->pool, 1));
        return rk_ex_mul(x->pool, n, count_of(x, out, &op->mask, RK_PAIRS_SQUARE, g));
    case RK_PER_PAIR:
        break;
    }
    return rk_ex_int(x->pool, 0);
}

static bool is_norm(const rk_op *op)
{
    return rk_op_table[op->row].shape == RK_SHAPE_NORM;
}

static rk_ex forward_cost(const rk_instance *x, const rk_op *op, const rk_convention *c)
{
    const rk_op_row *row = &rk_op_table[op->row];

    if (row->class == RK_CLASS_PRODUCT)
        return product_cost(x, op, c, NULL);
    if (row->class == RK_CLASS_ATTENTION)
        return attention_cost(x, op, c);
    if (c->count == RK_COUNT_TORCH && row->torch == RK_TORCH_ROPE_TABLE)
        return rope_table_cost(x, op, c);
    if (c->count != RK_COUNT_ALL || row->forward == 0)
        return rk_ex_int(x->pool, 0);
    /* A norm's first weight is one more product per element; a second one, its bias, makes a row of its own. */
    return times_int(x, row->forward + (is_norm(op) && op->n_in > 1), elements(x, op, c, NULL));
}

rk_ex rk_cost_extra_weight(const rk_instance *x, const rk_op *op, const rk_convention *c)
{
    if (c->count != RK_COUNT_ALL || !is_norm(op) || op->n_in < 3)
        return rk_ex_int(x->pool, 0);
    return times_int(x, (rk_i128)op->n_in - 2, elements(x, op, c, NULL));
}

/* ---- backward ------------------------------------------------------------------------------------------------ */

/*
 * FlopCounterMode ignores the groups of a convolution when it counts the gradient of the weight: a depthwise one is
 * counted as if every channel met every other.
 */
static rk_ex ungrouped(const rk_instance *x, const rk_op *op, size_t in, rk_ex cost)
{
    const rk_ixs *weight = &op->in[in].axes, *input = &op->in[1 - in].axes;
    bool convolved = false;

    for (size_t i = 0; i < input->n; i++)
        convolved |= input->at[i].kind == RK_IX_AFFINE && input->at[i].n_term > 1;
    for (size_t i = 0; convolved && i < weight->n; i++) {
        const rk_ix *ix = &weight->at[i];

        if (ix->kind != RK_IX_NUMBER && rk_ixs_has(input, ix->label) &&
            rk_ixs_has(&x->program->tensor[op->out].axes, ix->label))
            cost = rk_ex_mul(x->pool, cost, x->program->label[ix->label].size);
    }
    return cost;
}

/* The gradient of a triangular system is one product of its solution and the solution's gradient. */
static rk_ex solve_cost(const rk_instance *x, const rk_grad *g, const rk_convention *c)
{
    const rk_op *op = &x->program->op[g->op];
    domain d = {.n = 0};

    if (g->in != 0)
        return rk_ex_int(x->pool, 0);
    touch_all(&d, &op->in[0].axes);
    touch_all(&d, &x->program->tensor[op->out].axes);
    return times_int(x, c->mac ? 1 : 2, volume(x, &d, &op->mask, RK_PAIRS_SQUARE, g));
}

/* An operand that was repeated over labels of the result collects its gradient by adding along them. */
static bool repeated(const rk_program *p, const rk_op *op, size_t in)
{
    const rk_ixs *out = &p->tensor[op->out].axes;

    for (size_t i = 0; i < out->n; i++)
        if (!rk_ixs_has(&op->in[in].axes, out->at[i].label))
            return true;
    return false;
}

/* The gradient of the first operand is passed on, or one operation; the second takes the rest of the table's figure. */
static rk_i128 union_backward(const rk_program *p, const rk_op *op, size_t in)
{
    const rk_op_row *row = &rk_op_table[op->row];
    int first = row->passes == RK_GRAD_NONE;

    return (in == 0 ? first : row->backward - first) + repeated(p, op, in);
}

/*
 * A norm's input takes the table's figure, one more if there is a weight to multiply by; the weight two (the product
 * with the normalised input, and adding over the rows), its bias one.  If the input needs no gradient, the weight's
 * must normalise it again.
 */
static rk_i128 norm_backward(const rk_flow *f, const rk_op *op, const rk_grad *g)
{
    if (g->in == 0)
        return rk_op_table[op->row].backward + (op->n_in > 1);
    return g->in == 1 ? 2 + !rk_flow_needs(f, g->op, 0) : 1;
}

/* The table's figure is for all operands together: it is charged to the first that gets a gradient. */
static bool is_first_grad(const rk_program *p, const rk_flow *f, const rk_grad *g)
{
    const rk_op *op = &p->op[g->op];

    for (size_t k = 0; k < g->in; k++)
        if (rk_grad_flows(op, k) && rk_flow_needs(f, g->op, k))
            return false;
    return true;
}

static rk_ex table_backward(const rk_instance *x, const rk_flow *f, const rk_grad *g, const rk_convention *c)
{
    const rk_op *op = &x->program->op[g->op];
    const rk_op_row *row = &rk_op_table[op->row];
    rk_i128 each = row->shape == RK_SHAPE_UNION ? union_backward(x->program, op, g->in)
                   : is_norm(op)                ? norm_backward(f, op, g)
                                                : is_first_grad(x->program, f, g) * row->backward;

    return times_int(x, each, elements(x, op, c, g));
}

static rk_ex gradient_cost(const rk_instance *x, const rk_flow *f, const rk_grad *g, const rk_convention *c)
{
    const rk_op *op = &x->program->op[g->op];

    if (rk_op_table[op->row].class == RK_CLASS_PRODUCT) {
        rk_ex cost = product_cost(x, op, c, g);

        return c->count == RK_COUNT_TORCH ? ungrouped(x, op, g->in, cost) : cost;
    }
    if (c->count == RK_COUNT_TORCH && rk_op_table[op->row].torch == RK_TORCH_SOLVE)
        return solve_cost(x, g, c);
    return c->count == RK_COUNT_ALL ? table_backward(x, f, g, c) : rk_ex_int(x->pool, 0);
}

rk_ex rk_cost_task(const rk_instance *x, const rk_flow *f, rk_task_kind kind, uint32_t op, uint32_t operand,
                   const rk_convention *c)
{
    rk_grad g;

    if (kind == RK_TASK_FORWARD || kind == RK_TASK_RECOMPUTE)
        return rk_ex_add(x->pool, forward_cost(x, &x->program->op[op], c),
                         rk_cost_extra_weight(x, &x->program->op[op], c));
    if (kind != RK_TASK_GRADIENT || operand == RK_NONE)
        return rk_ex_int(x->pool, 0);
    g = rk_grad_of(x->program, f, op, operand);
    return gradient_cost(x, f, &g, c);
}
