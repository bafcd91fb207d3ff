/* SPDX-License-Identifier: MIT */
/*
 * pass/autocast.c - the forward pass under torch.autocast: casts stand before operations that run in another type.
 *
 * Which type an operation runs in is a column of its row (model/ops.h): products in two bytes, norms, softmaxes and
 * powers in fp32, all else in the widest type of what it is given.  Types depend on what came before, so they are found
 * by one walk in the order of the layers; layers that begin with other types than those of their group become a group
 * of their own.  Then each operand of another type gets a cast.  An activation is cast for each operation that reads
 * it; a weight that is trained is cast once, and who reads it again reads the same copy: of a weight that layers share,
 * one that stands before them.
 */
#include "pass/passes.h"

#include "model/copy.h"
#include "model/regroup.h"
#include "pass/types.h"

#include <string.h>

#define ROUNDS_MAX 8 /* loops inside each other are split one after the other */

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* The types of what goes into a layer when its group was last gone through, and of what came out. */
typedef struct layer_memo {
    rk_type *in, *out;
    bool known;
} layer_memo;

typedef struct typing {
    const rk_program *p;
    rk_arena *a;
    rk_type *of;      /* of each tensor, as it is now */
    size_t *first;    /* of each operation: where its operands begin in … */
    rk_type *operand; /* … the types that they have before they are cast */
    rk_type *wanted;  /* … and after */
    uint32_t *n_reader;
    uint32_t *bias;   /* of each product: the sum with a bias that is one operation with it, or RK_NONE */
    bool *is_bias;    /* of each operation: it is such a sum */
    layer_memo *memo; /* of each group */
    uint64_t **signature;
} typing;

/* The weight that an operand is, perhaps by casts that leave it as it is; RK_NONE: it is none. */
static uint32_t weight_of(const typing *t, uint32_t tensor)
{
    const rk_program *p = t->p;

    while (p->tensor[tensor].kind == RK_TENSOR_RESULT && p->tensor[tensor].producer != RK_NONE) {
        const rk_op *op = &p->op[p->tensor[tensor].producer];

        if (rk_op_table[op->row].class != RK_CLASS_CAST || rk_type_is_low(t->of[op->out]))
            return RK_NONE;
        tensor = op->in[0].tensor;
    }
    return p->tensor[tensor].kind == RK_TENSOR_WEIGHT ? tensor : RK_NONE;
}

/* Whether a tensor is a weight, or a part of one. */
static bool is_of_weight(const typing *t, uint32_t tensor)
{
    const rk_program *p = t->p;

    while (p->tensor[tensor].kind == RK_TENSOR_RESULT && p->tensor[tensor].producer != RK_NONE &&
           rk_op_table[p->op[p->tensor[tensor].producer].row].class == RK_CLASS_MOVEMENT)
        tensor = p->op[p->tensor[tensor].producer].in[0].tensor;
    tensor = weight_of(t, tensor);
    return tensor != RK_NONE && !p->weight[p->tensor[tensor].weight].buffer;
}

static bool is_routed(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_ROUTED)
            return true;
    return false;
}

/* A bias is added by the operation that multiplies, unless it is one of those of experts, which are taken apart. */
static bool is_bias(const typing *t, const rk_op *op)
{
    const rk_program *p = t->p;
    const rk_tensor *x = op->n_in == 2 ? &p->tensor[op->in[0].tensor] : NULL;
    const rk_op *maker;

    if (rk_op_table[op->row].class != RK_CLASS_ADD || !x || !is_of_weight(t, op->in[1].tensor) ||
        x->kind != RK_TENSOR_RESULT || x->producer == RK_NONE || t->n_reader[op->in[0].tensor] != 1)
        return false;
    maker = &p->op[x->producer];
    return maker->summed && maker->group == op->group && !is_routed(&op->in[1].axes) &&
           (is_of_weight(t, maker->in[0].tensor) || is_of_weight(t, maker->in[1].tensor));
}

/* Products of all experts at once know nothing of autocast: they are taken in the type of the weights. */
static bool is_grouped(const typing *t, const rk_op *op)
{
    const rk_tensor *x = &t->p->tensor[op->in[0].tensor];

    return x->kind == RK_TENSOR_RESULT && x->producer != RK_NONE &&
           rk_op_table[t->p->op[x->producer].row].autocast == RK_AUTOCAST_SHUT;
}

static rk_autocast_rule rule_of(typing *t, const rk_op *op, const rk_type *in)
{
    rk_autocast_rule rule = rk_op_table[op->row].autocast;

    for (size_t k = 0; k < op->n_in; k++)
        if (in[k] == RK_TYPE_EXACT || in[k] == RK_TYPE_EXACT_LOW)
            return RK_AUTOCAST_SAME;
    if (rk_op_table[op->row].class == RK_CLASS_PRODUCT && (!op->summed || is_grouped(t, op)))
        return RK_AUTOCAST_SAME;
    if (is_bias(t, op)) {
        t->bias[t->p->tensor[op->in[0].tensor].producer] = (uint32_t)(op - t->p->op);
        t->is_bias[op - t->p->op] = true;
        rule = RK_AUTOCAST_LOW;
    }
    return rule;
}

static void type_op(typing *t, size_t i)
{
    const rk_op *op = &t->p->op[i];
    rk_type *in = t->operand + t->first[i], *wanted = t->wanted + t->first[i];
    rk_autocast_rule rule;

    for (size_t k = 0; k < op->n_in; k++)
        in[k] = t->of[op->in[k].tensor];
    rule = rule_of(t, op, in);
    for (size_t k = 0; k < op->n_in; k++) {
        wanted[k] = in[k];
        if (rule == RK_AUTOCAST_LOW && rk_type_is_real(in[k]))
            wanted[k] = RK_TYPE_LOW;
        else if (rule != RK_AUTOCAST_LOW && rule != RK_AUTOCAST_SAME && in[k] == RK_TYPE_LOW)
            wanted[k] = RK_TYPE_F32;
    }
    t->of[op->out] = rk_type_result(t->p, op, wanted);
}

static bool type_ops(typing *t, uint32_t group);

/* A layer into which the same types go as before leaves what it left before. */
static bool type_layer(typing *t, const rk_loop *l, uint32_t group, rk_type *carried, uint64_t *signature)
{
    const rk_group *g = &t->p->group[group];
    layer_memo *m = &t->memo[group];
    size_t bytes = l->n_carry * sizeof *carried;

    for (size_t v = 0; signature && v < l->n_carry; v++)
        *signature = *signature * RK_N_TYPE + rk_type_is_low(carried[v]);
    if (!m->in) {
        m->in = RK_NEW_ARRAY(t->a, l->n_carry + 1, rk_type);
        m->out = RK_NEW_ARRAY(t->a, l->n_carry + 1, rk_type);
    }
    if (!m->in || !m->out)
        return false;
    if (!m->known || memcmp(m->in, carried, bytes) != 0) {
        memcpy(m->in, carried, bytes);
        for (size_t v = 0; v < l->n_carry; v++)
            t->of[g->in[v]] = carried[v];
        if (!type_ops(t, group))
            return false;
        for (size_t v = 0; v < l->n_carry; v++)
            m->out[v] = t->of[g->out[v]];
        m->known = true;
    }
    memcpy(carried, m->out, bytes);
    return true;
}

static bool type_loop(typing *t, size_t loop)
{
    const rk_loop *l = &t->p->loop[loop];
    size_t n = l->count_known ? l->n_layer : l->n_group;
    rk_type *carried = RK_NEW_ARRAY(t->a, l->n_carry + 1, rk_type);

    if (!carried)
        return false;
    for (size_t i = 0; i < l->n_group; i++)
        t->memo[l->group[i]].known = false;
    for (size_t v = 0; l->n_group && v < l->n_carry; v++)
        carried[v] = t->of[t->p->group[l->group[0]].in[v]];
    for (size_t i = 0; i < n && l->n_group; i++) {
        uint32_t group = !l->count_known ? l->group[i] : l->order ? l->order[i] : l->group[0];

        if (!type_layer(t, l, group, carried, l->count_known ? &t->signature[loop][i] : NULL))
            return false;
    }
    for (size_t v = 0; l->n_group && v < l->n_carry; v++)
        t->of[t->p->group[l->group[l->n_group - 1]].out[v]] = carried[v];
    return true;
}

static bool type_ops(typing *t, uint32_t group)
{
    const rk_program *p = t->p;
    size_t end = group ? p->group[group].end_op : p->n_op;

    for (size_t i = group ? p->group[group].first_op : 0; i < end;) {
        size_t loop = 0;

        while (loop < p->n_loop &&
               !(p->loop[loop].parent == group && p->loop[loop].first_op == i && p->loop[loop].end_op > i))
            loop++;
        if (loop == p->n_loop)
            type_op(t, i++);
        else if (type_loop(t, loop))
            i = p->loop[loop].end_op;
        else
            return false;
    }
    return true;
}

static int find_types(typing *t, const rk_program *p, rk_arena *a, rk_err *err)
{
    size_t n = 0;

    *t = (typing){.p = p,
                  .a = a,
                  .of = RK_NEW_ARRAY(a, p->n_tensor + 1, rk_type),
                  .first = RK_NEW_ARRAY(a, p->n_op + 1, size_t),
                  .n_reader = RK_NEW_ARRAY(a, p->n_tensor + 1, uint32_t),
                  .bias = RK_NEW_ARRAY(a, p->n_op + 1, uint32_t),
                  .is_bias = RK_NEW_ARRAY(a, p->n_op + 1, bool),
                  .memo = RK_NEW_ARRAY(a, p->n_group + 1, layer_memo),
                  .signature = RK_NEW_ARRAY(a, p->n_loop + 1, uint64_t *)};
    for (size_t i = 0; !a->failed && i < p->n_op; i++) {
        t->first[i] = n;
        t->bias[i] = RK_NONE;
        n += p->op[i].n_in;
        for (size_t k = 0; k < p->op[i].n_in; k++)
            t->n_reader[p->op[i].in[k].tensor]++;
    }
    t->operand = RK_NEW_ARRAY(a, n + 1, rk_type);
    t->wanted = RK_NEW_ARRAY(a, n + 1, rk_type);
    for (size_t i = 0; !a->failed && i < p->n_loop; i++)
        if (p->loop[i].count_known)
            t->signature[i] = RK_NEW_ARRAY(a, p->loop[i].n_layer + 1, uint64_t);
    for (size_t i = 0; !a->failed && i < p->n_tensor; i++)
        t->of[i] = rk_type_given(p, &p->tensor[i]);
    return !a->failed && type_ops(t, 0) && !a->failed ? RK_OK : rk_fail_memory(err);
}

/* ---- casts ------------------------------------------------------------------------------------------------------- */

typedef struct casting {
    typing t;
    uint32_t *copy; /* of each weight of the program that owns its storage: its copy in the new one, or RK_NONE … */
    uint32_t *of;   /* … and the group in which that was made */
} casting;

static bool is_around(const rk_build *b, uint32_t outer, uint32_t group)
{
    while (group != outer && group != 0)
        group = b->group_list.at[group].parent;
    return group == outer;
}

/* A weight that is trained is cast once; a bias that has just been cast with its product, too. */
static uint32_t cast_weight(rk_copy *c, uint32_t tensor, bool is_pending)
{
    casting *x = c->self;
    uint32_t owner = rk_weight_owner(c->in, c->in->tensor[tensor].weight);
    bool cached = !c->in->weight[owner].frozen && !c->in->weight[owner].buffer;

    if ((cached || is_pending) && x->copy[owner] != RK_NONE && is_around(c->out, x->of[owner], c->out->group))
        return x->copy[owner];
    x->copy[owner] = rk_build_cast(c->out, rk_copy_tensor(c, tensor, 0), RK_TYPE_LOW);
    x->of[owner] = c->out->group;
    return x->copy[owner];
}

/* Casts of what an operation reads, then the operation.  What a recurrence reads a step back is not there yet. */
static int put_op(rk_copy *c, size_t i)
{
    const casting *x = c->self;
    const rk_op *from = &c->in->op[i];
    const rk_type *in = x->t.operand + x->t.first[i], *wanted = x->t.wanted + x->t.first[i];
    uint32_t *cast = RK_NEW_ARRAY(c->out->a, from->n_in + 1, uint32_t);
    bool is_bias = x->t.is_bias[i];
    rk_op *op;

    if (!cast)
        return rk_fatal_memory(c->out);
    for (size_t k = 0; k < from->n_in && !c->out->fatal; k++) {
        uint32_t tensor = rk_copy_tensor(c, from->in[k].tensor, from->in[k].alias);
        uint32_t weight = weight_of(&x->t, from->in[k].tensor);

        cast[k] = RK_NONE;
        if (tensor == RK_NONE || rk_type_is_low(in[k]) == rk_type_is_low(wanted[k]) || !rk_type_is_real(in[k]))
            continue;
        cast[k] = weight != RK_NONE ? cast_weight(c, weight, is_bias) : rk_build_cast(c->out, tensor, wanted[k]);
    }
    if (x->t.bias[i] != RK_NONE && !c->out->fatal) { /* cast with the others, before all is multiplied */
        uint32_t bias = weight_of(&x->t, c->in->op[x->t.bias[i]].in[1].tensor);

        if (bias != RK_NONE)
            cast_weight(c, bias, false);
    }
    op = c->out->fatal ? NULL : rk_copy_op(c, i);
    for (size_t k = 0; op && k < from->n_in; k++)
        if (cast[k] != RK_NONE)
            op->in[k].tensor = cast[k];
    return c->out->fatal;
}

/* Weights that are read inside of a loop and stand outside of it are cast before it. */
static int put_loop(rk_copy *c, size_t loop)
{
    const casting *x = c->self;
    const rk_loop *l = &c->in->loop[loop];
    size_t first = c->out->op.n;

    rk_build_note(c->out, (rk_trace_event){.kind = RK_TRACE_EQUATION});
    for (size_t i = l->first_op; i < l->end_op; i++)
        for (size_t k = 0; k < c->in->op[i].n_in && !c->out->fatal; k++) {
            size_t at = x->t.first[i] + k;
            uint32_t weight = weight_of(&x->t, c->in->op[i].in[k].tensor);

            if (weight != RK_NONE && x->t.wanted[at] == RK_TYPE_LOW && x->t.operand[at] != RK_TYPE_LOW &&
                c->in->weight[c->in->tensor[weight].weight].group == l->parent)
                cast_weight(c, weight, false);
        }
    rk_build_rows(c->out, first, "cast");
    return c->out->fatal;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Groups whose layers begin with different types are split. */
static int split(const rk_model *in, casting *x, rk_arena *a, const rk_model **out, rk_err *err)
{
    int code = RK_OK;

    for (int round = 0; round < ROUNDS_MAX && code == RK_OK; round++) {
        const rk_model *next = NULL;

        code = find_types(&x->t, &(*out ? *out : in)->program, a, err);
        if (code == RK_OK)
            code = rk_split_groups(*out ? *out : in, x->t.signature, &next, err);
        if (code != RK_OK || !next)
            break;
        if (*out)
            rk_model_own(next, *out);
        *out = next;
    }
    return code;
}

int rk_pass_autocast(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_model *other = NULL;
    rk_model_draft *draft = NULL;
    rk_arena own = {0};
    casting x = {.copy = NULL};
    rk_copy c = {.op = put_op, .loop_begins = put_loop, .self = &x};
    rk_build b;
    int code = o->autocast ? split(in, &x, &own, &other, err) : RK_OK;

    if (!o->autocast || code != RK_OK) {
        rk_model_free(other);
        rk_arena_free(&own);
        return code;
    }
    in = other ? other : in;
    x.copy = RK_NEW_ARRAY(&own, in->program.n_weight + 1, uint32_t);
    x.of = RK_NEW_ARRAY(&own, in->program.n_weight + 1, uint32_t);
    code = x.copy && x.of ? rk_pass_begin(in, &draft, &b, err) : rk_fail_memory(err);
    if (code != RK_OK) {
        rk_model_free(other);
        rk_arena_free(&own);
        return code;
    }
    memset(x.copy, 0xFF, in->program.n_weight * sizeof *x.copy);
    if (other)
        rk_model_own(draft->model, other);
    code = rk_copy_program(&c, &in->program, &b);
    rk_arena_free(&own);
    return rk_model_finish(code, draft, &b, out);
}
