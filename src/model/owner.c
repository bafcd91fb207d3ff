/* SPDX-License-Identifier: MIT */
#include "model/owner.h"

#include "model/ops.h"

#include <string.h>

const char *const rk_owner_word[RK_N_OWNER] = {
#define RK_OWNER_WORD(ID, word) word,
    RK_OWNERS(RK_OWNER_WORD)
#undef RK_OWNER_WORD
};

/* What the operations of a part are, as far as their roles tell; a bit each. */
enum {
    ATTENDS = 1,
    MIXES = 2,
    PROJECTS = 4,
    GIVES = 8,
    LOOKS_UP = 16,
    CONVOLVES = 32
};

static unsigned bit_of(const rk_op *op, rk_role role)
{
    if (rk_op_table[op->row].class == RK_CLASS_ATTENTION)
        return ATTENDS;
    switch (role) {
    case RK_ROLE_SCORES:
    case RK_ROLE_SOFTMAX:
        return ATTENDS;
    case RK_ROLE_MIXING:
        return MIXES;
    case RK_ROLE_ATTENTION:
    case RK_ROLE_FFN:
    case RK_ROLE_EXPERTS:
    case RK_ROLE_ROUTER:
        return PROJECTS;
    case RK_ROLE_HEAD:
        return GIVES;
    case RK_ROLE_LOOKUP:
    case RK_ROLE_POSITIONS:
        return LOOKS_UP;
    case RK_ROLE_CONV:
        return CONVOLVES;
    default:
        return 0;
    }
}

static rk_owner owner_of_bits(unsigned bits, bool in_layers)
{
    if (bits & ATTENDS)
        return RK_OWNER_ATTENTION;
    if (bits & MIXES || (bits & CONVOLVES && in_layers))
        return RK_OWNER_MIXER;
    if (bits & GIVES)
        return RK_OWNER_HEAD;
    if (bits & (LOOKS_UP | CONVOLVES))
        return RK_OWNER_EMBEDDING;
    return bits & PROJECTS ? RK_OWNER_FFN : RK_OWNER_REST;
}

/* Whether an operation was written out of a norm: the line stands in a body that is called as one. */
static bool is_of_norm(const rk_op *op)
{
    static const char head[] = "\nblock ";
    const char *text = op->span.source ? op->span.source->text : NULL;
    char name[32];
    size_t n;

    for (size_t at = op->span.at; text && at >= sizeof head; at--) {
        if (memcmp(text + at - sizeof head, head, sizeof head - 1) != 0)
            continue;
        n = strcspn(text + at - 1, "( \n");
        if (n >= sizeof name)
            return false;
        memcpy(name, text + at - 1, n);
        name[n] = '\0';
        return rk_op_find(name) < RK_N_OP && rk_op_table[rk_op_find(name)].class == RK_CLASS_NORM;
    }
    return false;
}

static bool is_norm(const rk_op *op, rk_role role)
{
    return role == RK_ROLE_NORM || role == RK_ROLE_LATENT || is_of_norm(op);
}

/* A part that computes nothing by itself is as the one around it. */
static void settle_parts(const rk_program *p, rk_owner *part)
{
    for (size_t i = 1; i < p->n_part; i++) {
        uint32_t up = p->part[i].parent;

        if (part[i] == RK_OWNER_REST && up < i)
            part[i] = part[up];
    }
}

static rk_owner owner_of_op(const rk_program *p, const rk_roles *roles, const rk_owners *o, size_t i)
{
    const rk_op *op = &p->op[i];

    if (is_norm(op, roles->op[i]))
        return RK_OWNER_NORMS;
    if (p->loss != RK_NONE && i >= p->loss_first)
        return RK_OWNER_HEAD;
    switch (roles->op[i]) {
    case RK_ROLE_EXPERTS:
    case RK_ROLE_ROUTER:
        return RK_OWNER_FFN;
    case RK_ROLE_LOOKUP:
        return RK_OWNER_EMBEDDING;
    case RK_ROLE_HEAD:
        return RK_OWNER_HEAD;
    default:
        return o->part[op->part];
    }
}

/* A weight is of the operation that reads it; a table that is the head, too, is the head's. */
static void own_weights(const rk_program *p, const rk_roles *roles, rk_owners *o)
{
    for (size_t i = 0; i < p->n_weight; i++)
        o->weight[i] = roles->weight[i].role == RK_ROLE_HEAD ? RK_OWNER_HEAD : o->part[p->weight[i].part];
    for (size_t i = p->n_op; i > 0; i--)
        for (size_t k = 0; k < p->op[i - 1].n_in; k++)
            if (rk_op_reads_weight(p, &p->op[i - 1], k)) {
                uint32_t w = rk_op_operand(p, &p->op[i - 1], k)->weight;

                if (roles->weight[w].role != RK_ROLE_HEAD)
                    o->weight[w] = o->op[i - 1];
            }
}

int rk_owners_find(rk_arena *a, const rk_program *p, const rk_roles *roles, rk_owners *out, rk_err *err)
{
    unsigned *bits = RK_NEW_ARRAY(a, p->n_part + 1, unsigned);
    bool *in_layers = RK_NEW_ARRAY(a, p->n_part + 1, bool);

    *out = (rk_owners){.op = RK_NEW_ARRAY(a, p->n_op + 1, rk_owner),
                       .weight = RK_NEW_ARRAY(a, p->n_weight + 1, rk_owner),
                       .part = RK_NEW_ARRAY(a, p->n_part + 1, rk_owner)};
    if (a->failed)
        return rk_fail_memory(err);
    for (size_t i = 0; i < p->n_op; i++) {
        bits[p->op[i].part] |= bit_of(&p->op[i], roles->op[i]);
        in_layers[p->op[i].part] |= p->op[i].group != 0;
    }
    for (size_t i = 0; i < p->n_part; i++)
        out->part[i] = owner_of_bits(bits[i], in_layers[i]);
    settle_parts(p, out->part);
    for (size_t i = 0; i < p->n_op; i++)
        out->op[i] = owner_of_op(p, roles, out, i);
    own_weights(p, roles, out);
    return RK_OK;
}
