/* SPDX-License-Identifier: MIT */
#include "model/roles.h"

#include <string.h>

/* What leads where, found by one walk each; scratch. */
typedef struct finding {
    const rk_program *p;
    bool *chosen, *given; /* per tensor: only simple steps (a bias, a scale) lead to a choice of experts, an output */
    bool *to_softmax, *from_softmax; /* per tensor: steps that are no products lead to a softmax, or come from one */
    bool *to_weight;                 /* per tensor: steps that cost nothing lead to a product with a weight */
    bool *table;                     /* per weight that owns its storage: rows of it are looked up */
    bool *attends;                   /* per part: two activations are multiplied there */
    rk_roles *out;
} finding;

static rk_op_class class_of(const rk_op *op)
{
    return rk_op_table[op->row].class;
}

const rk_tensor *rk_op_operand(const rk_program *p, const rk_op *op, size_t i)
{
    const rk_tensor *t = &p->tensor[op->in[i].tensor];
    const rk_op *maker = t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE ? &p->op[t->producer] : NULL;

    if (maker && class_of(maker) == RK_CLASS_CAST && maker->which == RK_TYPE_LOW &&
        p->tensor[maker->in[0].tensor].kind == RK_TENSOR_WEIGHT)
        return &p->tensor[maker->in[0].tensor];
    return t;
}

bool rk_op_reads_weight(const rk_program *p, const rk_op *op, size_t i)
{
    return i < op->n_in && rk_op_operand(p, op, i)->kind == RK_TENSOR_WEIGHT;
}

static uint32_t owner(const rk_program *p, uint32_t weight)
{
    return p->weight[weight].tied_to == RK_NONE ? weight : p->weight[weight].tied_to;
}

static bool is_free(const rk_op *op)
{
    return rk_op_table[op->row].per == RK_PER_NONE;
}

size_t rk_op_weight(const rk_program *p, const rk_op *op)
{
    if (class_of(op) != RK_CLASS_PRODUCT || rk_op_reads_weight(p, op, 0) == rk_op_reads_weight(p, op, 1))
        return 2;
    return rk_op_reads_weight(p, op, 1);
}

bool rk_op_mixes(const rk_program *p, const rk_op *op)
{
    return class_of(op) == RK_CLASS_PRODUCT && !rk_op_reads_weight(p, op, 0) && !rk_op_reads_weight(p, op, 1);
}

/* ---- which way results go --------------------------------------------------------------------------------------- */

/* The one operand of an operation that is no weight; RK_NONE where there are more. */
static uint32_t only_input(const rk_program *p, const rk_op *op)
{
    uint32_t found = RK_NONE;

    for (size_t i = 0; i < op->n_in; i++) {
        if (rk_op_reads_weight(p, op, i))
            continue;
        if (found != RK_NONE)
            return RK_NONE;
        found = op->in[i].tensor;
    }
    return found;
}

/* What a model gives, and logits that a model file leaves at that: nobody reads them. */
static void mark_outputs(finding *f)
{
    const rk_program *p = f->p;

    for (size_t i = 0; i < p->n_tensor; i++)
        f->given[i] = true;
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++)
            f->given[p->op[i].in[k].tensor] = false;
    for (size_t i = 0; i < p->n_output; i++)
        f->given[p->output[i]] = true;
}

static void mark_ends(finding *f)
{
    for (size_t i = f->p->n_op; i > 0; i--) {
        const rk_op *op = &f->p->op[i - 1];
        rk_op_class class = class_of(op);
        bool product = class == RK_CLASS_PRODUCT, weight = rk_op_weight(f->p, op) < 2;
        uint32_t only = weight ? RK_NONE : only_input(f->p, op);

        if (only != RK_NONE) {
            f->chosen[only] |= rk_op_table[op->row].shape == RK_SHAPE_CHOOSE || f->chosen[op->out];
            f->given[only] |= f->given[op->out];
        }
        for (size_t k = 0; k < op->n_in; k++) {
            uint32_t t = op->in[k].tensor;

            f->to_softmax[t] |= !product && (class == RK_CLASS_SOFTMAX || f->to_softmax[op->out]);
            f->to_weight[t] |= weight || (is_free(op) && f->to_weight[op->out]);
        }
    }
}

static void mark_beginnings(finding *f)
{
    for (size_t i = 0; i < f->p->n_op; i++) {
        const rk_op *op = &f->p->op[i];
        rk_op_class class = class_of(op);
        bool from = class == RK_CLASS_SOFTMAX;

        for (size_t k = 0; k < op->n_in && class != RK_CLASS_PRODUCT; k++)
            from |= f->from_softmax[op->in[k].tensor];
        f->from_softmax[op->out] = from;
        if (rk_op_mixes(f->p, op))
            f->attends[op->part] = true;
        for (size_t k = 0; k < op->n_in && class == RK_CLASS_LOOKUP; k++)
            if (rk_op_reads_weight(f->p, op, k))
                f->table[owner(f->p, rk_op_operand(f->p, op, k)->weight)] = true;
    }
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static bool has_kind(const rk_op *op, rk_ix_kind kind)
{
    for (size_t i = 0; i < op->n_in; i++)
        for (size_t k = 0; k < op->in[i].axes.n; k++)
            if (op->in[i].axes.at[k].kind == kind)
                return true;
    return false;
}

/* Whether the first of a weight's three axes is in the other operand and in the result: the experts of a stack. */
static bool is_stacked(const rk_program *p, const rk_op *op, size_t place)
{
    const rk_ix *first = op->in[place].axes.at;

    return op->in[place].axes.n > 1 && p->weight[rk_op_operand(p, op, place)->weight].n_dim == 3 &&
           (first->kind == RK_IX_ROUTED || (rk_ixs_place(&op->in[1 - place].axes, first->label) >= 0 &&
                                            rk_ixs_place(&p->tensor[op->out].axes, first->label) >= 0));
}

static rk_role role_of_projection(const finding *f, const rk_op *op, size_t place)
{
    /* A convolution reads its input at places that depend on two indices. */
    if (has_kind(op, RK_IX_AFFINE))
        return RK_ROLE_CONV;
    if (is_stacked(f->p, op, place) || has_kind(op, RK_IX_ROUTED))
        return RK_ROLE_EXPERTS;
    if (f->chosen[op->out])
        return RK_ROLE_ROUTER;
    if (f->given[op->out] || f->table[owner(f->p, rk_op_operand(f->p, op, place)->weight)])
        return RK_ROLE_HEAD;
    return f->attends[op->part] ? RK_ROLE_ATTENTION : RK_ROLE_FFN;
}

/* The last operation that does more than to show a tensor otherwise or to add a bias to it; NULL: none does. */
static const rk_op *maker(const rk_program *p, uint32_t tensor)
{
    const rk_tensor *t = &p->tensor[tensor];

    while (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE) {
        const rk_op *op = &p->op[t->producer];
        bool bias = class_of(op) == RK_CLASS_ADD && rk_op_reads_weight(p, op, 1);

        if (op->n_in == 0 || !(is_free(op) || bias))
            return op;
        t = rk_op_operand(p, op, 0);
    }
    return NULL;
}

static rk_role role_of_norm(const finding *f, const rk_op *op)
{
    const rk_op *from = maker(f->p, op->in[0].tensor);
    bool latent = from && from->part == op->part && rk_op_weight(f->p, from) < 2 && f->to_weight[op->out];

    return latent && f->attends[op->part] ? RK_ROLE_LATENT : RK_ROLE_NORM;
}

static rk_role role_of_op(const finding *f, const rk_op *op, int *values)
{
    size_t place = rk_op_weight(f->p, op);

    switch (class_of(op)) {
    case RK_CLASS_PRODUCT:
        if (place < 2)
            return role_of_projection(f, op, place);
        if (!rk_op_mixes(f->p, op))
            return RK_ROLE_FFN;
        *values = f->from_softmax[op->in[0].tensor] ? 1 : f->from_softmax[op->in[1].tensor] ? 0 : -1;
        return *values >= 0 || f->to_softmax[op->out] ? RK_ROLE_SCORES : RK_ROLE_MIXING;
    case RK_CLASS_LOOKUP:
        return rk_op_operand(f->p, op, 0)->kind == RK_TENSOR_INPUT ? RK_ROLE_LOOKUP : RK_ROLE_POSITIONS;
    case RK_CLASS_NORM:
        return role_of_norm(f, op);
    case RK_CLASS_SOFTMAX:
        return f->attends[op->part] ? RK_ROLE_SOFTMAX : RK_ROLE_REST;
    case RK_CLASS_ADD:
        return rk_op_reads_weight(f->p, op, 0) || rk_op_reads_weight(f->p, op, 1) ? RK_ROLE_BIAS : RK_ROLE_REST;
    default:
        return RK_ROLE_REST;
    }
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

/* Of several uses of a weight the one that costs most says what it is: the smaller, the stronger. */
static int strength(rk_role role)
{
    switch (role) {
    case RK_ROLE_REST:
        return 4;
    case RK_ROLE_BIAS:
        return 3;
    case RK_ROLE_NORM:
    case RK_ROLE_LATENT:
        return 2;
    case RK_ROLE_LOOKUP:
    case RK_ROLE_POSITIONS:
        return 1;
    default:
        return 0;
    }
}

static void settle(rk_role *own, rk_role use)
{
    *own = strength(use) < strength(*own) ? use : *own;
}

static bool ends_in_weight(const char *name)
{
    static const char end[] = ".weight";
    size_t n = strlen(name), m = sizeof end - 1;

    return n > m && strcmp(name + n - m, end) == 0;
}

static void see_matrix(finding *f, const rk_op *op, size_t place, rk_role role)
{
    uint32_t number = rk_op_operand(f->p, op, place)->weight;
    const rk_weight *w = &f->p->weight[number];
    const rk_ixs *axes = &op->in[place].axes;
    size_t first = w->n_dim == 3 ? 1 : 0;
    rk_weight_role *out = &f->out->weight[number];

    if (has_kind(op, RK_IX_AFFINE) || axes->n <= first)
        return;
    if (is_stacked(f->p, op, place))
        out->matrix = RK_MATRIX_STACK;
    else if (w->n_dim == 2 && ends_in_weight(w->pattern))
        out->matrix = role == RK_ROLE_ROUTER ? RK_MATRIX_ROUTER
                      : role == RK_ROLE_HEAD ? RK_MATRIX_HEAD
                                             : RK_MATRIX_LINEAR;
    out->input_first = rk_ixs_place(&f->p->tensor[op->out].axes, axes->at[first].label) < 0;
}

static void see_uses(finding *f, size_t i)
{
    const rk_op *op = &f->p->op[i];
    size_t place = rk_op_weight(f->p, op);

    for (size_t k = 0; k < op->n_in; k++) {
        bool bias = class_of(op) == RK_CLASS_NORM && k > 1; /* it is added, not multiplied with */

        if (rk_op_reads_weight(f->p, op, k))
            settle(&f->out->weight[rk_op_operand(f->p, op, k)->weight].role, bias ? RK_ROLE_BIAS : f->out->op[i]);
    }
    if (place < 2)
        see_matrix(f, op, place, f->out->op[i]);
}

/* A table that is also multiplied with is stored once, and is no matrix of a linear layer, whatever else it is. */
static void settle_ties(finding *f)
{
    rk_weight_role *at = f->out->weight;

    for (uint32_t i = 0; i < f->p->n_weight; i++)
        settle(&at[owner(f->p, i)].role, at[i].role);
    for (uint32_t i = 0; i < f->p->n_weight; i++)
        if (f->table[owner(f->p, i)])
            at[i].matrix = RK_MATRIX_NONE;
}

int rk_roles_find(rk_arena *a, const rk_program *p, rk_roles *out, rk_err *err)
{
    rk_arena scratch = {0};
    finding f = {.p = p,
                 .chosen = RK_NEW_ARRAY(&scratch, p->n_tensor + 1, bool),
                 .given = RK_NEW_ARRAY(&scratch, p->n_tensor + 1, bool),
                 .to_softmax = RK_NEW_ARRAY(&scratch, p->n_tensor + 1, bool),
                 .from_softmax = RK_NEW_ARRAY(&scratch, p->n_tensor + 1, bool),
                 .to_weight = RK_NEW_ARRAY(&scratch, p->n_tensor + 1, bool),
                 .table = RK_NEW_ARRAY(&scratch, p->n_weight + 1, bool),
                 .attends = RK_NEW_ARRAY(&scratch, p->n_part + 1, bool),
                 .out = out};

    *out = (rk_roles){.op = RK_NEW_ARRAY(a, p->n_op + 1, rk_role),
                      .values = RK_NEW_ARRAY(a, p->n_op + 1, int),
                      .weight = RK_NEW_ARRAY(a, p->n_weight + 1, rk_weight_role)};
    if (scratch.failed || a->failed) {
        rk_arena_free(&scratch);
        return rk_fail_memory(err);
    }
    mark_outputs(&f);
    mark_ends(&f);
    mark_beginnings(&f);
    for (size_t i = 0; i < p->n_weight; i++)
        out->weight[i].role = RK_ROLE_REST;
    for (size_t i = 0; i < p->n_op; i++) {
        out->values[i] = -1;
        out->op[i] = role_of_op(&f, &p->op[i], &out->values[i]);
        see_uses(&f, i);
    }
    settle_ties(&f);
    rk_arena_free(&scratch);
    return RK_OK;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

rk_symbol_role rk_run_role(const char *name)
{
#define RUN(ID, own)                                                                                                   \
    if (strcmp(name, own) == 0)                                                                                        \
        return RK_SIZE_##ID;
    RK_RUN_ROLES(RUN)
#undef RUN
    return RK_SIZE_OTHER;
}

/*
 * A meaning goes up to the first remark: "learned positions; the first two are never read".  It may begin with a word
 * that says of what: "image layers", "encoder heads".  Of meanings that end alike the longest one is meant: a head
 * width is no width.
 */
rk_symbol_role rk_symbol_role_of(const char *name, const char *meaning, size_t *tower)
{
    static const struct {
        const char *words;
        rk_symbol_role role;
    } size[] = {
#define SIZE(ID, words) {words, RK_SIZE_##ID},
        RK_SIZE_ROLES(SIZE)
#undef SIZE
    };
    size_t n = meaning ? strcspn(meaning, ",;") : 0, longest = 0;
    rk_symbol_role role = rk_run_role(name);

    *tower = 0;
    if (role != RK_SIZE_OTHER)
        return role;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        size_t m = strlen(size[i].words), before = n - m;

        if (m <= longest || n < m || memcmp(meaning + before, size[i].words, m) != 0 ||
            (before > 0 &&
             (meaning[before - 1] != ' ' || memchr(meaning, ' ', before - 1) || memchr(meaning, ':', before - 1))))
            continue;
        longest = m;
        role = size[i].role;
        *tower = before;
    }
    /* A remark after the learned positions takes some of them away. */
    return role == RK_SIZE_POSITIONS && meaning[n] ? RK_SIZE_OTHER : role;
}

bool rk_meanings_agree(const char *a, const char *b)
{
    static const char between[] = " ,;:.()";
    const size_t least = 3; /* letters that a word must have which both share: not "of" */

    if (!a || !b)
        return true;
    for (a += strspn(a, between); *a; a += strspn(a, between)) {
        size_t n = strcspn(a, between);

        for (const char *at = b; n >= least && (at = strchr(at, *a)); at++)
            if (strncmp(at, a, n) == 0)
                return true;
        a += n;
    }
    return false;
}
