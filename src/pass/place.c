/* SPDX-License-Identifier: MIT */
/*
 * pass/place.c - places the operations of a program one after the other.
 *
 * Why this is not said in the equations.  An equation says what a tensor is; where it lies is a matter of who computes
 * it.  That a transposed matrix is no new matrix, that a sum over heads is a copy if the heads do not lie beside each
 * other, that a norm keeps one number for each row: these decide half of what a training step occupies, and no formula
 * of a paper has them.  They follow from a few rules, though, if sizes and strides are known: which is why placing is
 * the first pass that needs numbers.
 *
 * How it goes.  Operations stand in an order in which they can be run, and each is placed once, for all layers of its
 * group.  First each operand is seen under the axes by which this operation reads it: a view of where it lies, if one
 * exists, else a copy, which is a buffer of this operation (place_operand.c).  Then the placer of the operation's row
 * says where the result lies: inside of an operand, or in a buffer of its own, whose order of axes it chooses as the
 * library that runs it would.  Last comes what the gradient will read (place_save.c): operands or their copies, the
 * result, and statistics that are made for it alone.  What is saved is a buffer, not a tensor: two tensors that are
 * views of one buffer are saved once, and a tensor whose copy is saved need not be saved itself.
 *
 * What it does not know: when a buffer is made or let go, and how often.  That is the step's (pass/step.h), which reads
 * these tables and nothing else of how a framework places its tensors.
 *
 * Each question to a number (is this axis of one element? is this stride that one?) goes through rk_size, and is
 * noted where someone wants to know for which other numbers the answer holds (pass/conditions.h).
 */
#include "pass/placing.h"

int rk_type_bytes(rk_type t, const rk_run_options *o)
{
    switch (t) {
    case RK_TYPE_F32:
    case RK_TYPE_EXACT:
        return 4;
    case RK_TYPE_LOW:
    case RK_TYPE_EXACT_LOW:
        return o->autocast ? 2 : o->bytes;
    case RK_TYPE_WHOLE:
        return o->profile->index;
    case RK_TYPE_TRUTH:
        return o->profile->mask;
    default:
        return o->bytes;
    }
}

static void read_table(rk_placing *p, uint32_t buffer)
{
    rk_placing_list(p, buffer);
    p->op[p->i].n_read++;
}

typedef void placer(rk_placing *p);

static placer *const placer_of[] = {
    [RK_PLACE_PRODUCT] = rk_place_product,
    [RK_PLACE_SPREAD] = rk_place_spread,
    [RK_PLACE_PACKED] = rk_place_packed,
    [RK_PLACE_CAST] = rk_place_cast,
    [RK_PLACE_VIEW] = rk_place_view,
    [RK_PLACE_PART] = rk_place_part,
    [RK_PLACE_FIRST] = rk_place_first,
    [RK_PLACE_REPEAT] = rk_place_repeat,
    [RK_PLACE_TABLES] = rk_place_tables,
    [RK_PLACE_HELD] = rk_place_held,
    [RK_PLACE_HALVES] = rk_place_halves,
    [RK_PLACE_COMPLEX] = rk_place_complex,
    [RK_PLACE_HANDED] = rk_place_handed,
    [RK_PLACE_ROPE] = rk_place_rope,
    [RK_PLACE_ATTEND] = rk_place_attend,
    [RK_PLACE_WHOLE] = rk_place_packed,
    [RK_PLACE_MASK] = rk_place_packed,
    [RK_PLACE_STEPS] = rk_place_repeat,
    [RK_PLACE_CAST_PACKED] = rk_place_cast,
    [RK_PLACE_WINDOWS] = rk_place_windows,
    [RK_PLACE_COUNTS] = rk_place_packed,
    [RK_PLACE_SECOND] = rk_place_second,
    [RK_PLACE_CONTIGUOUS] = rk_place_contiguous,
};

/* Of an operand that lies step by step: what is read beside its buffer. */
static void list_beside(rk_placing *p, size_t k)
{
    if (p->before[k])
        rk_placing_list(p, p->before[k]);
    else if (p->read[k] != RK_NONE && p->buffer.at[p->read[k]].last)
        rk_placing_list(p, p->buffer.at[p->read[k]].last);
}

/* A product with a weight is taken in eight bits, one byte for each number, whose copies nobody keeps. */
static void cast_product(rk_placing *p, rk_place_op *op)
{
    const rk_tensor *tensor = p->p->tensor;
    const rk_op *now = p->now;
    uint32_t of[] = {now->in[0].tensor, now->in[1].tensor, now->out};

    op->cast = (uint32_t)p->buffer.n;
    for (size_t i = 0; i < 3; i++)
        rk_placing_make(p, i < 2 ? "in fp8" : "gradient in fp8", of[i], rk_ixs_count(p->m->pool, &tensor[of[i]].axes),
                        RK_TYPE_TRUTH);
    op->n_cast = 3;
}

static void place_op(rk_placing *p, size_t i)
{
    rk_place_op *op = &p->op[i];

    p->i = i;
    p->now = &p->p->op[i];
    if (p->now->n_in > RK_PLACE_OPERANDS_MAX) {
        p->code = rk_fail(p->err, RK_ELIMIT, "an operation of more than %d operands", RK_PLACE_OPERANDS_MAX);
        return;
    }
    op->made = (uint32_t)p->buffer.n;
    p->step = rk_placing_step_of(p);
    for (size_t k = 0; k < p->now->n_in; k++)
        rk_placing_read_operand(p, k);
    p->out = rk_placing_sizes(p, &p->p->tensor[p->now->out].axes);
    placer_of[rk_op_table[p->now->row].place](p);
    op->read = p->list.n;
    for (size_t k = 0; k < p->now->n_in; k++)
        rk_placing_list(p, p->read[k]);
    for (size_t k = 0; k < p->now->n_in; k++)
        list_beside(p, k);
    op->n_read = (uint32_t)(p->list.n - op->read);
    if (rk_op_table[p->now->row].class == RK_CLASS_ROTARY)
        rk_placing_each_table(p, read_table);
    rk_placing_save(p);
    op->n_made = (uint32_t)(p->buffer.n - op->made);
    if (p->o->fp8_products && rk_op_weight(p->p, p->now) < 2)
        cast_product(p, op);
}

static void place_given(rk_placing *p, uint32_t tensor)
{
    const rk_tensor *t = &p->p->tensor[tensor];
    bool stored = t->kind == RK_TENSOR_WEIGHT;
    rk_type type = rk_type_given(p->p, t);
    rk_dims d = rk_placing_sizes(p, &t->axes);

    rk_dims_pack(p->o->conditions, &d);
    p->tensor[tensor] = (rk_place){
        .buffer = rk_placing_new_buffer(p, (rk_buffer){.op = RK_NONE,
                                                       .tensor = tensor,
                                                       .group = t->group,
                                                       .count = rk_ixs_count(p->m->pool, &t->axes),
                                                       .type = type,
                                                       .stored = stored}),
        .type = type,
        .dims = d,
    };
}

/* Strides are numbers of 64 bits, and some are those of a few tensors side by side. */
#define ELEMENTS_MAX ((rk_i128)1 << 56)

static void check_size(rk_placing *p, const rk_tensor *t)
{
    rk_acc acc = {0};
    rk_i128 n = 1;

    for (size_t i = 0; i < t->axes.n; i++)
        n = rk_mul(&acc, n, rk_placing_size(p, t->axes.at[i].size).n);
    if (p->code == RK_OK && (acc.overflow || n > ELEMENTS_MAX))
        p->code = rk_fail(p->err, RK_EOVERFLOW, "%s has more than 2^56 elements: no memory holds that",
                          t->name ? t->name : "a tensor");
}

int rk_places_new(rk_arena *a, const rk_instance *m, const rk_flow *f, const rk_run_options *o, rk_places *out,
                  rk_err *err)
{
    const rk_program *prog = m->program;
    rk_placing p = {.a = a, .m = m, .p = prog, .f = f, .o = o, .at = m->at, .err = err};

    p.tensor = RK_NEW_ARRAY(a, prog->n_tensor + 1, rk_place);
    p.op = RK_NEW_ARRAY(a, prog->n_op + 1, rk_place_op);
    if (!p.tensor || !p.op || !rk_placing_mark_held(&p))
        return rk_fail_memory(err);
    for (size_t i = 0; i < prog->n_tensor && p.code == RK_OK; i++)
        check_size(&p, &prog->tensor[i]);
    for (size_t i = 0; i < prog->n_tensor && p.code == RK_OK; i++)
        if (prog->tensor[i].kind != RK_TENSOR_RESULT)
            place_given(&p, (uint32_t)i);
        else
            p.tensor[i].buffer = RK_NONE;
    for (size_t i = 0; i < prog->n_op && p.code == RK_OK; i++)
        place_op(&p, i);
    if (p.code != RK_OK)
        return p.code;
    *out =
        (rk_places){.buffer = p.buffer.at, .n_buffer = p.buffer.n, .tensor = p.tensor, .op = p.op, .list = p.list.at};
    return RK_OK;
}
