/* SPDX-License-Identifier: MIT */
#include "pass/again.h"

#include "model/collective.h"

#include <string.h>

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

/*
 * Products with weights are counted through a layer: the first is saved, the second is not, and so on.  (torchtitan
 * b5bcd76c, torchtitan/distributed/activation_checkpoint.py.)
 */
static void mark_by_kind(const rk_model *m, rk_agains *out)
{
    const rk_program *p = &m->program;
    size_t count = 0;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        bool linear = op->summed && rk_op_weight(p, op) < 2 && m->roles.op[i] != RK_ROLE_ROUTER;
        bool dear = class_of(op) == RK_CLASS_ATTENTION || op->row == RK_OP_REDUCE_SCATTER ||
                    op->row == RK_OP_ALL_TO_ALL || op->row == RK_OP_TOP || op->row == RK_OP_ROUTE;

        if (op->group == 0)
            continue;
        if (i == 0 || p->op[i - 1].group != op->group)
            count = 0;
        count += linear;
        out->again[i] = !dear && !(linear && count % 2 == 1);
        out->stays[i] = !out->again[i];
    }
}

/* ---- by module --------------------------------------------------------------------------------------------------- */

static bool stands_in(const rk_program *p, uint32_t part, uint32_t in)
{
    while (part != in && part != 0)
        part = p->part[part].parent;
    return part == in;
}

/* Of each part: the roles of products that stand in it, parts within included. */
static void note_roles(const rk_model *m, unsigned *role)
{
    const rk_program *p = &m->program;

    for (size_t i = 0; i < p->n_op; i++)
        for (uint32_t part = 1; part < p->n_part; part++)
            if (p->op[i].group != 0 && stands_in(p, p->op[i].part, part))
                role[part] |= 1u << m->roles.op[i];
}

/* Whether an operand comes from the norm of a latent, by way of operations that are no products. */
static bool comes_of_latent(const rk_model *m, uint32_t tensor)
{
    const rk_program *p = &m->program;

    while (p->tensor[tensor].kind == RK_TENSOR_RESULT && p->tensor[tensor].producer != RK_NONE) {
        uint32_t op = p->tensor[tensor].producer;

        if (m->roles.op[op] == RK_ROLE_LATENT)
            return true;
        if (class_of(&p->op[op]) != RK_CLASS_COLLECTIVE && class_of(&p->op[op]) != RK_CLASS_MOVEMENT)
            return false;
        tensor = p->op[op].in[0].tensor;
    }
    return false;
}

/* Products of latents, and all that is made of them until attention takes it. */
static void mark_latents(const rk_model *m, rk_agains *out)
{
    const rk_program *p = &m->program;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        size_t weight = rk_op_weight(p, op);
        bool made = op->summed && weight < 2 && comes_of_latent(m, op->in[1 - weight].tensor);

        for (size_t k = 0; k < op->n_in && !made; k++) {
            const rk_tensor *t = &p->tensor[op->in[k].tensor];

            made = t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && t->producer < i &&
                   out->again[t->producer] && (class_of(op) == RK_CLASS_MOVEMENT || class_of(op) == RK_CLASS_ROTARY);
        }
        out->again[i] |= made && op->group != 0;
    }
}

static void mark_modules(const rk_model *m, unsigned module, const unsigned *role, rk_agains *out)
{
    const rk_program *p = &m->program;

    for (size_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];
        uint32_t top = op->part, experts = 0;
        bool ffn = role[op->part] >> RK_ROLE_FFN & 1, norm = class_of(op) == RK_CLASS_NORM, shared;

        for (; top != 0; top = p->part[top].parent)
            experts = role[top] >> RK_ROLE_EXPERTS & 1 ? top : experts;
        shared = experts && !(role[op->part] >> RK_ROLE_EXPERTS & 1);
        if (op->group == 0 || (norm && m->roles.op[i] != RK_ROLE_NORM))
            continue;
        if (class_of(op) == RK_CLASS_ATTENTION && (module >> RK_MODULE_CORE_ATTN & 1))
            out->again[i] = out->stays[i] = true;
        out->again[i] |= norm && (module >> RK_MODULE_LAYERNORM & 1);
        if (norm)
            continue;
        out->again[i] |= (module >> RK_MODULE_MLP & 1) && ffn && !experts;
        out->again[i] |= (module >> RK_MODULE_MOE & 1) && experts && (role[experts] >> RK_ROLE_ATTENTION & 1) == 0;
        out->again[i] |= (module >> RK_MODULE_SHARED & 1) && shared && ffn;
        out->again[i] |= (module >> RK_MODULE_MOE_ACT & 1) && experts && !shared &&
                         (class_of(op) == RK_CLASS_ACTIVATION || op->row == RK_OP_WEIGH);
    }
    if (module >> RK_MODULE_MLA_UP_PROJ & 1)
        mark_latents(m, out);
}

int rk_agains_find(rk_arena *a, const rk_model *m, const rk_again *of, rk_agains *out, rk_err *err)
{
    const rk_program *p = &m->program;
    unsigned *role = RK_NEW_ARRAY(a, p->n_part + 1, unsigned);
    bool any = false;

    *out = (rk_agains){0};
    if (!of->by_kind && of->module == 0)
        return RK_OK;
    out->again = RK_NEW_ARRAY(a, p->n_op + 1, bool);
    out->stays = RK_NEW_ARRAY(a, p->n_op + 1, bool);
    if (!role || !out->again || !out->stays)
        return rk_fail_memory(err);
    note_roles(m, role);
    if (of->by_kind)
        mark_by_kind(m, out);
    else
        mark_modules(m, of->module, role, out);
    for (size_t i = 0; i < p->n_op; i++)
        any |= out->again[i];
    return any ? RK_OK : rk_fail(err, RK_EINPUT, "%s has nothing of what is to be recomputed", m->name);
}
