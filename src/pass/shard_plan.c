/* SPDX-License-Identifier: MIT */
/*
 * pass/shard_plan.c - which axes of weights lie in pieces over an axis of the mesh.
 *
 * Axes that run together are one *class*: those of one label in an operation, and what a tensor is read as.  A class
 * can lie in pieces if a product with a weight makes it, another product with a weight sums over it, and nothing in
 * between needs the whole of it: heads are made by the projections and summed by the output's; an FFN's width is made
 * by the first matrix and summed by the second.  What layers carry on, what a norm or a softmax works along, and
 * what is a size of the run, is no such class.  So no list of names says what tensor parallelism divides.  Beside these
 * stand the vocabulary, which the head makes and a table is looked up by, and the list of experts.
 *
 * Of a run of axes, `(K G H)` read as one, the first is in the class: pieces of the whole run are pieces of it.
 */
#include "pass/shard.h"

#include "model/align.h"
#include "model/roles.h"

#include <stdio.h>
#include <string.h>

typedef struct class
{
    bool made;   /* a product with a weight makes it, in a layer */
    bool summed; /* another one sums over it */
    bool whole;  /* someone needs the whole of it */
    bool chosen; /* the layout names a size of it */
    bool words;  /* it is the vocabulary, which the head makes */
    rk_ex least; /* the smallest size in it … */
    rk_i128 size;
    const char *label; /* … and its label */
} class;

typedef struct planning {
    rk_arena *a;
    const rk_model *m;
    const rk_program *p;
    rk_binding at;
    const rk_layout *l;
    rk_mesh_axis axis;
    uint32_t *first;   /* of each tensor: the node of its first axis */
    uint32_t *parent;  /* of each node: another of its class */
    class *class;      /* of the node that stands for it */
    rk_i128 *n_expert; /* of each label: the length of the list that it chooses from; 0: of none yet */
    rk_shard_plan *out;
} planning;

static rk_i128 size_of(const rk_pool *pool, const rk_binding *at, rk_ex e)
{
    rk_i128 n = 0;

    return rk_ex_eval(pool, e, at, &n, NULL) == RK_OK ? n : 0;
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static uint32_t find(planning *x, uint32_t node)
{
    while (x->parent[node] != node)
        node = x->parent[node] = x->parent[x->parent[node]];
    return node;
}

static void unite(planning *x, uint32_t a, uint32_t b)
{
    a = find(x, a);
    b = find(x, b);
    x->parent[b] = a;
}

static uint32_t node_of(const planning *x, uint32_t tensor, size_t axis)
{
    return x->first[tensor] + (uint32_t)axis;
}

/* The node of the axis of an operand that a label of the operation stands for; RK_NONE: of none. */
static uint32_t node_of_operand(const planning *x, const rk_operand *in, size_t axis)
{
    const rk_tensor *t = &x->p->tensor[in->tensor];
    int of[RK_LABELS_PER_OP_MAX];

    if (in->axes.n > RK_LABELS_PER_OP_MAX || !rk_ixs_align(x->p->pool, &x->at, &in->axes, &t->axes, of) || of[axis] < 0)
        return RK_NONE;
    return node_of(x, in->tensor, (size_t)of[axis]);
}

static void unite_op(planning *x, const rk_op *op)
{
    for (size_t k = 0; k < op->n_in; k++)
        for (size_t i = 0; i < op->in[k].axes.n; i++) {
            const rk_ix *ix = &op->in[k].axes.at[i];
            uint32_t node = node_of_operand(x, &op->in[k], i);
            int at = ix->kind == RK_IX_ROUTED ? -1 : rk_op_result_axis(x->p, x->p->pool, &x->at, op, k, i);

            if (node == RK_NONE || ix->kind == RK_IX_AFFINE || ix->kind == RK_IX_ROUTED)
                continue;
            if (at >= 0)
                unite(x, node_of(x, op->out, (size_t)at), node);
            for (size_t other = k + 1; at < 0 && op->summed && other < op->n_in; other++)
                for (size_t j = 0; j < op->in[other].axes.n; j++) {
                    const rk_ix *beside = &op->in[other].axes.at[j];
                    bool same = beside->label == ix->label && beside->kind != RK_IX_ROUTED;
                    uint32_t at_other = same ? node_of_operand(x, &op->in[other], j) : RK_NONE;

                    if (at_other != RK_NONE)
                        unite(x, node, at_other);
                }
        }
}

/* ---- what a class is --------------------------------------------------------------------------------------------- */

/* Whether an operation works along an axis of its operand, so that it needs the whole of it. */
static bool works_along(const planning *x, const rk_op *op, size_t k, size_t axis)
{
    const rk_op_row *row = &rk_op_table[op->row];
    const rk_ix *ix = &op->in[k].axes.at[axis];

    for (size_t i = 0; i < op->n_label; i++)
        if (op->label[i] == ix->label && row->class != RK_CLASS_ROTARY)
            return true;
    if (row->class == RK_CLASS_ROTARY && axis + 1 == op->in[k].axes.n) /* what is rotated */
        return true;
    if (row->class == RK_CLASS_NORM)
        return op->n_in > 1 && rk_ixs_has(&op->in[1].axes, ix->label);
    if (row->shape == RK_SHAPE_ALONG && op->n_label == 0)
        return axis + 1 == op->in[k].axes.n;
    if (op->summed || row->class == RK_CLASS_MOVEMENT || row->class == RK_CLASS_COLLECTIVE)
        return false;
    /* Heads of queries and keys are common to both; what the result lacks is gone through. */
    return !rk_ixs_has(&x->p->tensor[op->out].axes, ix->label);
}

static void look_at(planning *x, const rk_op *op)
{
    size_t weight = rk_op_weight(x->p, op);
    const rk_ixs *out = &x->p->tensor[op->out].axes;

    for (size_t k = 0; k < op->n_in; k++)
        for (size_t i = 0; i < op->in[k].axes.n; i++) {
            uint32_t node = node_of_operand(x, &op->in[k], i);
            class *c = node == RK_NONE ? NULL : &x->class[find(x, node)];

            if (!c || op->in[k].axes.at[i].kind == RK_IX_AFFINE)
                continue;
            if (op->summed && k == weight && op->group != 0) {
                bool made = rk_ixs_has(out, op->in[k].axes.at[i].label);

                c->made |= made;
                c->summed |= !made;
            } else if (k != weight && works_along(x, op, k, i)) {
                c->whole = true;
            }
        }
}

/* Whether a layout that says what lies over tp names the symbol that a size is. */
static bool is_chosen(const planning *x, rk_ex size)
{
    const char *at = x->l->split;
    rk_sym sym;

    while (at) {
        size_t n = strcspn(at, ",");

        for (size_t s = 0; s < x->m->n_symbol; s++)
            if (strlen(x->m->symbol[s].name) == n && memcmp(x->m->symbol[s].name, at, n) == 0 &&
                rk_ex_is_sym(x->p->pool, size, &sym) && sym == x->m->symbol[s].sym)
                return true;
        at = at[n] ? at + n + 1 : NULL;
    }
    return false;
}

/* Each name of such a layout is a symbol of the model. */
static int check_split(const planning *x, rk_err *err)
{
    const char *at = x->l->split;

    while (at && x->axis == RK_MESH_TP) {
        size_t n = strcspn(at, ","), s = 0;

        while (s < x->m->n_symbol && !(strlen(x->m->symbol[s].name) == n && memcmp(x->m->symbol[s].name, at, n) == 0))
            s++;
        if (s == x->m->n_symbol)
            return rk_fail(err, RK_EINPUT, "--split: %s has no size '%.*s' ('reckon %s' lists its symbols)", x->m->name,
                           (int)n, at, x->m->name);
        at = at[n] ? at + n + 1 : NULL;
    }
    return RK_OK;
}

/* Sizes of the run are nobody's to divide, and what layers carry on is on every device. */
static void look_at_sizes(planning *x)
{
    const rk_program *p = x->p;

    for (size_t i = 0; i < p->n_tensor; i++)
        for (size_t k = 0; k < p->tensor[i].axes.n; k++) {
            const rk_ix *ix = &p->tensor[i].axes.at[k];
            class *c = &x->class[find(x, node_of(x, (uint32_t)i, k))];
            rk_i128 n = size_of(p->pool, &x->at, ix->size);

            for (size_t s = 0; s < x->m->n_symbol && !c->whole; s++)
                c->whole |=
                    x->m->symbol[s].kind == RK_SYMBOL_RUN && rk_ex_has_sym(p->pool, ix->size, x->m->symbol[s].sym);
            c->chosen |= is_chosen(x, ix->size);
            if (c->size == 0 || n < c->size) {
                c->size = n;
                c->least = ix->size;
                c->label = ix->label < p->n_label ? p->label[ix->label].name : "an axis";
            }
        }
    for (size_t g = 0; g < p->n_group; g++)
        for (size_t v = 0; p->group[g].loop != RK_NONE && v < p->loop[p->group[g].loop].n_carry; v++)
            for (size_t k = 0; k < p->tensor[p->group[g].in[v]].axes.n; k++)
                x->class[find(x, node_of(x, p->group[g].in[v], k))].whole = true;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

#define DIVISORS_TRIED (1 << 20)

/* The divisors of a size that are nearest to a number: below it, above 1, and above it; 0: there is none. */
static void nearest_divisors(rk_i128 size, rk_i128 want, rk_i128 *below, rk_i128 *above)
{
    *below = *above = 0;
    for (rk_i128 n = 1; n <= DIVISORS_TRIED && n <= size / n; n++) {
        const rk_i128 pair[] = {n, size / n};

        for (size_t i = 0; size % n == 0 && i < 2; i++)
            if (pair[i] < want && pair[i] > 1 && pair[i] > *below)
                *below = pair[i];
            else if (pair[i] > want && (*above == 0 || pair[i] < *above))
                *above = pair[i];
    }
}

/* "; tp=2 or tp=4 would": the nearest sizes below and above by which something divides. */
static const char *would(const rk_layout *l, rk_mesh_axis axis, rk_i128 size, char *out, size_t n)
{
    rk_i128 below, above;
    char low[RK_NUM_TEXT_MAX], high[RK_NUM_TEXT_MAX];

    nearest_divisors(size, l->size[axis], &below, &above);
    if (below == 0 && above == 0)
        return "";
    rk_num_text(low, below);
    rk_num_text(high, above);
    if (below > 0 && above > 0)
        snprintf(out, n, "; %s=%s or %s=%s would", rk_mesh_word[axis], low, rk_mesh_word[axis], high);
    else
        snprintf(out, n, "; %s=%s would", rk_mesh_word[axis], below > 0 ? low : high);
    return out;
}

static int fail_size(const planning *x, const class *c, rk_err *err)
{
    char n[RK_NUM_TEXT_MAX], of[RK_NUM_TEXT_MAX], hint[3 * RK_NUM_TEXT_MAX];

    const char *text = NULL;

    for (size_t i = 0; i < x->m->n_symbol; i++)
        if (strcmp(x->m->symbol[i].name, c->label) == 0)
            text = x->m->symbol[i].text;
    return rk_fail(err, RK_EINPUT, "%s=%s: %s = %s%s%s%s does not divide by that%s", rk_mesh_word[x->axis],
                   rk_num_text(n, x->l->size[x->axis]), c->label, rk_num_text(of, c->size), text ? " (" : "",
                   text ? text : "", text ? ")" : "", would(x->l, x->axis, c->size, hint, sizeof hint));
}

/* The axis of a tensor whose class lies in pieces. */
static int plan_tensor(planning *x, uint32_t tensor, rk_err *err)
{
    const rk_tensor *t = &x->p->tensor[tensor];
    int *at = t->kind == RK_TENSOR_WEIGHT ? x->out->weight : x->out->state;

    for (size_t i = 0; i < t->axes.n; i++) {
        const class *c = &x->class[find(x, node_of(x, tensor, i))];

        if (!c->made || !c->summed || c->whole || c->size <= 1 || (x->l->split && !c->chosen))
            continue;
        if (c->size % x->l->size[x->axis] != 0)
            return fail_size(x, c, err);
        at[tensor] = (int)i;
        break;
    }
    return RK_OK;
}

static bool is_tied(const rk_program *p, uint32_t weight)
{
    for (size_t i = 0; i < p->n_weight; i++)
        if (p->weight[i].tied_to == weight)
            return true;
    return p->weight[weight].tied_to != RK_NONE;
}

/* The vocabulary: what the head makes, and the rows of the table that inputs are looked up in. */
static int plan_vocabulary(planning *x, const rk_op *op, rk_err *err)
{
    const rk_program *p = x->p;
    size_t weight = rk_op_weight(p, op);
    const rk_op_row *row = &rk_op_table[op->row];
    uint32_t tensor;
    rk_i128 size;
    char n[RK_NUM_TEXT_MAX], of[RK_NUM_TEXT_MAX];
    int axis = -1;

    if (x->m->roles.op[op - p->op] == RK_ROLE_HEAD && weight < 2) {
        tensor = op->in[weight].tensor;
        for (size_t i = 0; i < op->in[weight].axes.n && axis < 0; i++)
            if (rk_ixs_has(&p->tensor[op->out].axes, op->in[weight].axes.at[i].label))
                axis = (int)i;
    } else if (row->class == RK_CLASS_LOOKUP && x->m->roles.op[op - p->op] == RK_ROLE_LOOKUP && op->n_in > 1) {
        tensor = op->in[1].tensor;
        if (p->tensor[tensor].kind != RK_TENSOR_WEIGHT)
            return RK_OK;
        if (x->l->runtime.whole_table && !is_tied(p, p->tensor[tensor].weight))
            return RK_OK;
        axis = 0;
    }
    if (axis < 0 || (x->l->split && !is_chosen(x, p->tensor[tensor].axes.at[axis].size)))
        return RK_OK;
    size = size_of(p->pool, &x->at, p->tensor[tensor].axes.at[axis].size);
    if (size % x->l->size[x->axis] != 0 && x->l->runtime.divides_vocabulary)
        return rk_fail(err, RK_EINPUT, "%s=%s: the vocabulary of %s does not divide by that", rk_mesh_word[x->axis],
                       rk_num_text(n, x->l->size[x->axis]), rk_num_text(of, size));
    x->out->weight[tensor] = axis;
    if (row->class != RK_CLASS_LOOKUP)
        x->class[find(x, node_of(x, tensor, (size_t)axis))].words = true;
    return RK_OK;
}

/* What else lies along the vocabulary that the head makes: its bias. */
static void plan_beside_head(planning *x)
{
    for (uint32_t t = 0; t < x->p->n_tensor; t++)
        for (size_t i = 0; x->p->tensor[t].kind == RK_TENSOR_WEIGHT && i < x->p->tensor[t].axes.n; i++)
            if (x->out->weight[t] < 0 && x->class[find(x, node_of(x, t, i))].words)
                x->out->weight[t] = (int)i;
}

/* Weights of one storage lie alike. */
static void plan_ties(planning *x)
{
    const rk_program *p = x->p;

    for (uint32_t i = 0; i < p->n_weight; i++)
        for (uint32_t k = 0; is_tied(p, i) && p->weight[i].tensor != RK_NONE && k < p->n_weight; k++) {
            uint32_t from = p->weight[i].tensor, to = p->weight[k].tensor;

            if (rk_weight_owner(p, k) == rk_weight_owner(p, i) && to != RK_NONE && x->out->weight[to] < 0 &&
                p->tensor[to].axes.n == p->tensor[from].axes.n)
                x->out->weight[to] = x->out->weight[from];
        }
}

/* The list of experts: the axis that tokens choose from. */
static int plan_experts(planning *x, const rk_op *op, rk_err *err)
{
    for (size_t k = 0; k < op->n_in; k++)
        for (size_t i = 0; i < op->in[k].axes.n; i++) {
            const rk_ix *ix = &op->in[k].axes.at[i];
            rk_i128 n;
            char text[RK_NUM_TEXT_MAX], other[RK_NUM_TEXT_MAX], hint[3 * RK_NUM_TEXT_MAX];

            if (ix->kind != RK_IX_ROUTED || x->p->tensor[op->in[k].tensor].kind != RK_TENSOR_WEIGHT)
                continue;
            n = size_of(x->p->pool, &x->at, ix->size);
            if (n % x->l->size[x->axis] != 0)
                return rk_fail(err, RK_EINPUT, "%s experts do not divide by %s=%s%s", rk_num_text(text, n),
                               rk_mesh_word[x->axis], rk_num_text(other, x->l->size[x->axis]),
                               would(x->l, x->axis, n, hint, sizeof hint));
            if (x->n_expert[ix->label] != 0 && x->n_expert[ix->label] != n)
                return rk_fail(err, RK_EINPUT,
                               "%s: one weight of its experts is for %s of them and another for %s, so that "
                               "they would not lie together over %s",
                               x->m->name, rk_num_text(other, x->n_expert[ix->label]), rk_num_text(text, n),
                               rk_mesh_word[x->axis]);
            x->n_expert[ix->label] = n;
            x->out->weight[op->in[k].tensor] = (int)i;
            x->out->routed = true;
        }
    return RK_OK;
}

static bool is_routed(const rk_program *p, uint32_t tensor)
{
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++)
            for (size_t j = 0; p->op[i].in[k].tensor == tensor && j < p->op[i].in[k].axes.n; j++)
                if (p->op[i].in[k].axes.at[j].kind == RK_IX_ROUTED)
                    return true;
    return false;
}

static bool adds_up(const rk_op *op)
{
    return rk_op_table[op->row].class == RK_CLASS_COMBINE || rk_op_table[op->row].class == RK_CLASS_REDUCTION;
}

/* What experts in pieces give, up to where it is added up; and whoever meets it. */
static void plan_visits(planning *x)
{
    const rk_program *p = x->p;
    bool *given = RK_NEW_ARRAY(x->a, p->n_tensor + 1, bool);

    for (size_t i = 0; given && i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in && !adds_up(&p->op[i]); k++)
            given[p->op[i].out] |= given[p->op[i].in[k].tensor] ||
                                   (x->out->weight[p->op[i].in[k].tensor] >= 0 && is_routed(p, p->op[i].in[k].tensor));
    for (size_t i = p->n_op; given && i > 0; i--)
        for (size_t k = 0; k < p->op[i - 1].n_in && !adds_up(&p->op[i - 1]); k++)
            x->out->meets[p->op[i - 1].in[k].tensor] |= given[p->op[i - 1].out] || x->out->meets[p->op[i - 1].out];
}

static int plan_all(planning *x, rk_err *err)
{
    const rk_program *p = x->p;
    bool any = x->axis == RK_MESH_CP;
    int code = RK_OK;

    for (uint32_t t = 0; x->axis == RK_MESH_TP && t < p->n_tensor && code == RK_OK; t++)
        code = plan_tensor(x, t, err);
    for (size_t i = 0; x->axis != RK_MESH_CP && i < p->n_op && code == RK_OK; i++)
        code = x->axis == RK_MESH_EP ? plan_experts(x, &p->op[i], err) : plan_vocabulary(x, &p->op[i], err);
    if (code == RK_OK)
        plan_beside_head(x);
    if (code == RK_OK)
        plan_ties(x);
    for (uint32_t t = 0; t < p->n_tensor && code == RK_OK; t++) {
        any |= x->out->weight[t] >= 0;
        x->out->routed |= x->out->weight[t] >= 0 && is_routed(p, t);
    }
    if (x->out->routed)
        plan_visits(x);
    x->out->nothing = code == RK_OK && !any;
    return code;
}

/* Whether a size is that of a sequence, or of a piece of it. */
static bool is_tokens(const rk_model *m, rk_ex size)
{
    bool tokens = false;
    rk_sym name;

    while (rk_ex_is_sym(m->pool, size, &name) && rk_sym_definition(m->pool, name) != RK_EX_FAILED) /* let Z = S */
        size = rk_sym_definition(m->pool, name);
    for (size_t k = 0; k < m->n_symbol; k++) {
        const rk_symbol *s = &m->symbol[k];
        bool mesh = false;

        if (!rk_ex_has_sym(m->pool, size, s->sym))
            continue;
        for (size_t i = 0; i < RK_N_MESH; i++)
            mesh |= strcmp(s->name, rk_mesh_word[i]) == 0;
        if (s->role != RK_SIZE_TOKENS && s->role != RK_SIZE_TARGETS && s->role != RK_SIZE_KEYS && !mesh)
            return false;
        tokens |= !mesh;
    }
    return tokens && rk_ex_term_count(m->pool, size) == 1;
}

/* A sequence divides into pieces; of cp into two for each device: one near its beginning, one near its end. */
static int check_tokens(const planning *x, rk_err *err)
{
    rk_i128 n = x->l->size[x->axis] * (x->axis == RK_MESH_CP ? 2 : 1);
    char size[RK_NUM_TEXT_MAX], by[RK_NUM_TEXT_MAX], multiple[RK_NUM_TEXT_MAX];

    for (size_t i = 0; (x->axis == RK_MESH_CP || x->l->sp) && i < x->p->n_label; i++) {
        rk_i128 all = x->out->tokens[i] ? size_of(x->p->pool, &x->at, x->p->label[i].size) : 0;

        if (all % n != 0)
            return rk_fail(err, RK_EINPUT, "%s = %s tokens do not divide by %s%s=%s; a multiple of %s would",
                           x->p->label[i].name, rk_num_text(size, all), x->axis == RK_MESH_CP ? "two for each of " : "",
                           rk_mesh_word[x->axis], rk_num_text(by, x->l->size[x->axis]), rk_num_text(multiple, n));
    }
    return RK_OK;
}

/* Heads of an operand of attention: what is neither of the run nor the last axis, along which it is multiplied. */
static rk_i128 heads_of(const rk_model *m, const rk_operand *in)
{
    rk_binding at = rk_model_binding(m);
    rk_i128 heads = 1;

    for (size_t i = 0; i + 1 < in->axes.n; i++) {
        bool of_run = false;

        for (size_t s = 0; s < m->n_symbol; s++)
            of_run |=
                m->symbol[s].kind == RK_SYMBOL_RUN && rk_ex_has_sym(m->pool, in->axes.at[i].size, m->symbol[s].sym);
        heads *= of_run ? 1 : size_of(m->pool, &at, in->axes.at[i].size);
    }
    return heads;
}

int rk_shard_check_heads(const rk_model *m, const rk_layout *l, rk_err *err)
{
    static const char *const of[] = {"query", "key/value"};
    char n[RK_NUM_TEXT_MAX], cp[RK_NUM_TEXT_MAX], hint[3 * RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < m->program.n_op; i++) {
        const rk_op *op = &m->program.op[i];

        if (rk_op_table[op->row].class != RK_CLASS_ATTENTION)
            continue;
        for (size_t k = 0; k < 2 && k < op->n_in; k++) {
            rk_i128 heads = heads_of(m, &op->in[k]);

            if (heads % l->size[RK_MESH_CP] != 0)
                return rk_fail(err, RK_EINPUT,
                               "--rotate ulysses: %s %s heads of a device do not divide by cp=%s, among whose devices "
                               "they travel%s",
                               rk_num_text(n, heads), of[k], rk_num_text(cp, l->size[RK_MESH_CP]),
                               would(l, RK_MESH_CP, heads, hint, sizeof hint));
        }
    }
    return RK_OK;
}

int rk_shard_numbers(rk_arena *a, const rk_model *m, rk_binding *out, rk_err *err)
{
    const rk_symbol *keys = rk_model_size(m, RK_SIZE_KEYS), *targets = rk_model_size(m, RK_SIZE_TARGETS),
                    *fresh = targets ? targets : rk_model_size(m, RK_SIZE_TOKENS);
    rk_i128 *value;

    *out = rk_model_binding(m);
    if (!keys || !fresh || keys->sym >= out->n || fresh->sym >= out->n || !out->known[fresh->sym])
        return RK_OK;
    if (!(value = rk_arena_copy_array(a, out->value, out->n, sizeof *value)))
        return rk_fail_memory(err);
    value[keys->sym] = value[fresh->sym];
    out->value = value;
    return RK_OK;
}

int rk_shard_plan_new(rk_arena *a, const rk_model *m, const rk_layout *l, rk_mesh_axis axis, rk_shard_plan *out,
                      rk_err *err)
{
    const rk_program *p = &m->program;
    planning x = {.a = a, .m = m, .p = p, .l = l, .axis = axis, .out = out};
    uint32_t n = 0;
    int code = rk_shard_numbers(a, m, &x.at, err);

    if (code != RK_OK)
        return code;
    x.first = RK_NEW_ARRAY(a, p->n_tensor + 1, uint32_t);
    for (size_t i = 0; x.first && i < p->n_tensor; i++) {
        x.first[i] = n;
        n += (uint32_t)p->tensor[i].axes.n;
    }
    x.parent = RK_NEW_ARRAY(a, n + 1, uint32_t);
    x.class = RK_NEW_ARRAY(a, n + 1, class);
    x.n_expert = RK_NEW_ARRAY(a, p->n_label + 1, rk_i128);
    *out = (rk_shard_plan){.weight = RK_NEW_ARRAY(a, p->n_tensor + 1, int),
                           .state = RK_NEW_ARRAY(a, p->n_tensor + 1, int),
                           .meets = RK_NEW_ARRAY(a, p->n_tensor + 1, bool),
                           .tokens = RK_NEW_ARRAY(a, p->n_label + 1, bool)};
    if (a->failed)
        return rk_fail_memory(err);
    for (uint32_t i = 0; i < n; i++)
        x.parent[i] = i;
    for (size_t i = 0; i < p->n_tensor; i++)
        out->weight[i] = out->state[i] = RK_SHARD_WHOLE;
    for (size_t i = 0; i < p->n_label; i++)
        out->tokens[i] = is_tokens(m, p->label[i].size);
    for (size_t i = 0; i < p->n_op; i++)
        unite_op(&x, &p->op[i]);
    for (size_t i = 0; i < p->n_op; i++)
        look_at(&x, &p->op[i]);
    look_at_sizes(&x);
    code = check_tokens(&x, err);
    if (code == RK_OK)
        code = check_split(&x, err);
    return code == RK_OK ? plan_all(&x, err) : code;
}
