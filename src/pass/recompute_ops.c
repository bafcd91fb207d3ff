/* SPDX-License-Identifier: MIT */
#include "pass/recompute_ops.h"

#include "model/collective.h"

const char *const rk_module_word[RK_N_MODULE] = {
#define RK_MODULE_ROW(ID, word, text) word,
    RK_MODULES(RK_MODULE_ROW)
#undef RK_MODULE_ROW
};

static rk_op_class class_of(const rk_op *op)
{
    return rk_op_table[op->row].class;
}

/* ---- by the kind of operation ------------------------------------------------------------------------------------ */

/* What is sent and comes back in other pieces is not sent again. */
static bool scatters(const rk_op *op)
{
    const rk_change_row *change = rk_change_of(op->row);

    return change && (change->forward == RK_COLLECTIVE_REDUCE_SCATTER || change->forward == RK_COLLECTIVE_ALL_TO_ALL);
}

/*
 * Products with weights are counted through a layer: the first is saved, the second is not, and so on.  (torchtitan
 * b5bcd76c, torchtitan/distributed/activation_checkpoint.py.)
 */
static void mark_by_kind(const rk_model *m, rk_recomputed_ops *out)
{
    const rk_program *p = &m->program;
    size_t count = 0;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        bool linear = op->summed && rk_op_weight(p, op) < 2 && m->roles.op[i] != RK_ROLE_ROUTER;
        bool dear = class_of(op) == RK_CLASS_ATTENTION || scatters(op) ||
                    (class_of(op) == RK_CLASS_CHOICE && rk_op_table[op->row].grad != RK_GRAD_NONE);

        if (op->group == 0)
            continue;
        if (i == 0 || p->op[i - 1].group != op->group)
            count = 0;
        count += linear;
        out->recomputed[i] = !dear && !(linear && count % 2 == 1);
        out->stays[i] = !out->recomputed[i];
    }
}

/* ---- by module --------------------------------------------------------------------------------------------------- */

static bool stands_in(const rk_program *p, uint32_t part, uint32_t in)
{
    while (part != in && part != 0)
        part = p->part[part].parent;
    return part == in;
}

/* The part of a layer in which an operation stands: its attention, its FFN. */
static uint32_t block_of(const rk_program *p, const rk_op *op)
{
    uint32_t part = op->part;

    while (part != 0 && p->part[part].parent != 0 && p->part[p->part[part].parent].parent != 0)
        part = p->part[part].parent;
    return part;
}

/* Whether operations of the same layer that stand in a part are of a role, or (RK_N_ROLE) one of them is attention. */
static bool has_role(const rk_model *m, const rk_op *op, uint32_t part, rk_role role)
{
    const rk_program *p = &m->program;

    for (size_t i = p->group[op->group].first_op; i < p->group[op->group].end_op; i++)
        if (p->op[i].group == op->group && stands_in(p, p->op[i].part, part) &&
            (role == RK_N_ROLE ? class_of(&p->op[i]) == RK_CLASS_ATTENTION || m->roles.op[i] == RK_ROLE_SCORES
                               : m->roles.op[i] == role))
            return true;
    return false;
}

/* The operation that made a tensor, whatever moved it since; RK_NONE: it was given. */
static uint32_t origin_of(const rk_program *p, uint32_t tensor)
{
    uint32_t op = RK_NONE;

    do {
        op = p->tensor[tensor].kind == RK_TENSOR_RESULT ? p->tensor[tensor].producer : RK_NONE;
        tensor = op != RK_NONE && p->op[op].n_in ? p->op[op].in[0].tensor : tensor;
    } while (op != RK_NONE && p->op[op].n_in > 0 &&
             (class_of(&p->op[op]) == RK_CLASS_MOVEMENT || class_of(&p->op[op]) == RK_CLASS_COLLECTIVE));
    return op;
}

/* Whether a norm is that of a latent: of what a product has made. */
static bool is_of_latent(const rk_program *p, uint32_t op)
{
    uint32_t from =
        op != RK_NONE && class_of(&p->op[op]) == RK_CLASS_NORM ? origin_of(p, p->op[op].in[0].tensor) : RK_NONE;

    return from != RK_NONE && class_of(&p->op[from]) == RK_CLASS_PRODUCT;
}

/* Products of latents, and all that is made of them until attention takes it. */
static void mark_latents(const rk_model *m, rk_recomputed_ops *out)
{
    const rk_program *p = &m->program;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        size_t weight = rk_op_weight(p, op);
        bool made = op->summed && weight < 2 && is_of_latent(p, origin_of(p, op->in[1 - weight].tensor));

        for (size_t k = 0; k < op->n_in && !made; k++) {
            const rk_tensor *t = &p->tensor[op->in[k].tensor];

            made = t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && t->producer < i &&
                   out->recomputed[t->producer] &&
                   (class_of(op) == RK_CLASS_MOVEMENT || class_of(op) == RK_CLASS_ROTARY);
        }
        out->recomputed[i] |= made && op->group != 0;
    }
}

/* Scores that are multiplied with what an activation has made. */
static bool weighs_activation(const rk_program *p, const rk_op *op)
{
    for (size_t k = 0; class_of(op) == RK_CLASS_ELEMENT && k < op->n_in; k++) {
        const rk_tensor *t = &p->tensor[op->in[k].tensor];

        if (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE &&
            class_of(&p->op[t->producer]) == RK_CLASS_ACTIVATION)
            return true;
    }
    return false;
}

static void mark_modules(const rk_model *m, unsigned module, rk_recomputed_ops *out)
{
    const rk_program *p = &m->program;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        uint32_t block = block_of(p, op);
        bool norm = class_of(op) == RK_CLASS_NORM, experts, shared, attention;

        if (op->group == 0 || (norm && is_of_latent(p, (uint32_t)i)))
            continue;
        if (class_of(op) == RK_CLASS_ATTENTION && (module >> RK_MODULE_CORE_ATTN & 1))
            out->recomputed[i] = out->stays[i] = true;
        out->recomputed[i] |= norm && (module >> RK_MODULE_LAYERNORM & 1);
        if (norm)
            continue;
        attention = has_role(m, op, block, RK_N_ROLE);
        experts = !attention && has_role(m, op, block, RK_ROLE_EXPERTS);
        shared = experts && op->part != block && !has_role(m, op, op->part, RK_ROLE_EXPERTS);
        out->recomputed[i] |= (module >> RK_MODULE_MLP & 1) && !attention && !experts;
        out->recomputed[i] |= (module >> RK_MODULE_MOE & 1) && experts;
        out->recomputed[i] |= (module >> RK_MODULE_SHARED & 1) && shared;
        out->recomputed[i] |= (module >> RK_MODULE_MOE_ACT & 1) && experts && !shared &&
                              (class_of(op) == RK_CLASS_ACTIVATION || weighs_activation(p, op));
    }
    if (module >> RK_MODULE_MLA_UP_PROJ & 1)
        mark_latents(m, out);
}

int rk_recomputed_ops_find(rk_arena *a, const rk_model *m, const rk_recompute_ops *of, rk_recomputed_ops *out,
                           rk_err *err)
{
    const rk_program *p = &m->program;
    bool any = false;

    *out = (rk_recomputed_ops){0};
    if (!of->by_kind && of->module == 0)
        return RK_OK;
    out->recomputed = RK_NEW_ARRAY(a, p->n_op + 1, bool);
    out->stays = RK_NEW_ARRAY(a, p->n_op + 1, bool);
    if (!out->recomputed || !out->stays)
        return rk_fail_memory(err);
    if (of->by_kind)
        mark_by_kind(m, out);
    else
        mark_modules(m, of->module, out);
    for (size_t i = 0; i < p->n_op; i++)
        any |= out->recomputed[i];
    return any ? RK_OK : rk_fail(err, RK_EINPUT, "%s has nothing of what is to be recomputed", m->name);
}
