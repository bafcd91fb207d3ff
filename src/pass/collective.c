/* SPDX-License-Identifier: MIT */
#include "pass/collective.h"

#include "pass/passes.h"

static void add(rk_task_sends *out, rk_sent sent, rk_i128 times)
{
    out->at[out->n] = sent;
    out->times[out->n++] = times;
}

/*
 * The whole tensor of an operation that changes its place: its result, or what it was made from.  Where a size does not
 * divide, pieces are padded to the largest.
 */
static rk_ex whole(rk_pool *pool, const rk_step *s, const rk_op *op)
{
    bool scatters = rk_change_of(op->row)->scatters;
    const rk_ixs *in = &s->program->tensor[op->in[0].tensor].axes, *out = &s->program->tensor[op->out].axes;
    const rk_ixs *all = scatters ? in : out, *piece = scatters ? out : in;
    rk_ex count = rk_ixs_count(pool, all), over = rk_mesh_size(pool, s->layout, (rk_mesh_axis)(op->mesh - 1));

    for (size_t i = 0; i < all->n && i < piece->n; i++) {
        rk_ex size = all->at[i].size;

        if (piece->at[i].size != size && piece->at[i].size != rk_ex_div(pool, size, over))
            count =
                rk_ex_mul(pool, rk_ex_div(pool, count, size), rk_ex_mul(pool, over, rk_ex_ceil_div(pool, size, over)));
    }
    return count;
}

/* Of a sequence, one place of an output is made. */
static rk_ex made(rk_pool *pool, const rk_step *s, const rk_op *op, rk_ex count)
{
    uint32_t place = s->places->tensor[op->out].buffer;

    return s->places_of_sequence != RK_EX_FAILED && place != RK_NONE && s->one_place[place]
               ? rk_ex_div(pool, count, s->places_of_sequence)
               : count;
}

/* One number for each row along the axis in pieces, which is the last. */
static rk_ex rows_of(rk_pool *pool, const rk_op *op)
{
    rk_ixs rows = {op->in[0].axes.at, op->in[0].axes.n - (op->in[0].axes.n > 0)};

    return rk_ixs_count(pool, &rows);
}

/*
 * Attention over pieces of a sequence: keys and values of the other devices are brought to the queries, once more for
 * the gradients, and those of keys and values are added up, in fp32, as they go round.
 */
static void add_rotation(rk_pool *pool, const rk_step *s, const rk_op *op, rk_sent sent, bool forward,
                         rk_task_sends *out)
{
    rk_i128 n = s->layout->size[sent.axis];
    rk_ex own = rk_ex_add(pool, rk_ixs_count(pool, &op->in[1].axes), rk_ixs_count(pool, &op->in[2].axes));

    if (s->layout->rotate == RK_ROTATE_ULYSSES) { /* queries, keys, values, and the result: heads for tokens */
        rk_ex all[] = {rk_ixs_count(pool, &op->in[0].axes), rk_ixs_count(pool, &op->in[1].axes),
                       rk_ixs_count(pool, &op->in[2].axes), rk_ixs_count(pool, &s->program->tensor[op->out].axes)};

        sent.op = RK_COLLECTIVE_ALL_TO_ALL;
        for (size_t i = 0; i < 4; i++) {
            sent.elements = all[i];
            add(out, sent, 1);
        }
        return;
    }
    sent.op = s->layout->rotate == RK_ROTATE_ALLGATHER ? RK_COLLECTIVE_ALL_GATHER : RK_COLLECTIVE_ALL_TO_ALL;
    sent.elements = sent.op == RK_COLLECTIVE_ALL_GATHER ? rk_ex_mul(pool, rk_ex_int(pool, n), own) : own;
    add(out, sent, sent.op == RK_COLLECTIVE_ALL_GATHER ? 1 : n - 1);
    if (forward)
        return;
    sent.op = RK_COLLECTIVE_ALL_TO_ALL;
    sent.elements = own;
    sent.bytes = 4;
    add(out, sent, n);
}

rk_task_sends rk_task_sends_of(rk_pool *pool, const rk_step *s, const rk_task *t, const rk_run_options *run)
{
    const rk_op *op = t->op == RK_NONE ? NULL : &s->program->op[t->op];
    bool forward = t->kind == RK_TASK_FORWARD || t->kind == RK_TASK_RECOMPUTE, backward = t->kind == RK_TASK_GRADIENT;
    const rk_change_row *change = op ? rk_change_of(op->row) : NULL;
    rk_task_sends out = {0};
    rk_sent sent;

    if (t->kind == RK_TASK_COLLECTIVE)
        add(&out, s->sent[t->operand], 1);
    if (!op || op->mesh == 0 || t->stopped)
        return out;
    sent =
        (rk_sent){.axis = (rk_mesh_axis)(op->mesh - 1), .bytes = rk_type_bytes(s->places->tensor[op->out].type, run)};
    if (rk_op_table[op->row].class == RK_CLASS_ATTENTION && op->n_in > 2 && (forward || (backward && t->operand == 1)))
        add_rotation(pool, s, op, sent, forward, &out);
    if (forward && op->rows) {
        sent.op = RK_COLLECTIVE_ALL_REDUCE;
        sent.bytes = run->profile->statistics == 4 ? 4 : sent.bytes;
        sent.elements = rows_of(pool, op);
        add(&out, sent, op->rows);
    }
    if (change && (forward || backward)) {
        sent.op = forward ? change->forward : change->backward;
        /* Over cp, the gradient of what was cut here is a part of a sum that is left to others (pass/shard.c). */
        if (sent.axis == RK_MESH_CP && change->scatters && change->forward == RK_COLLECTIVE_NONE)
            sent.op = RK_COLLECTIVE_NONE;
        sent.elements = made(pool, s, op, whole(pool, s, op));
        if (sent.op != RK_COLLECTIVE_NONE)
            add(&out, sent, 1);
    }
    return out;
}
