/* SPDX-License-Identifier: MIT */
#include "pass/placing.h"

#include "model/roles.h"

/*
 * An operation that saves its own result holds on to itself, and to all before it, also where no output is reached: the
 * result knows how it was made, and so does what is saved.
 */
bool rk_placing_mark_held(rk_placing *p)
{
    bool *leads = RK_NEW_ARRAY(p->a, p->p->n_tensor + 1, bool);

    p->held = RK_NEW_ARRAY(p->a, p->p->n_op + 1, bool);
    for (size_t i = p->p->n_op; leads && p->held && i > 0; i--) {
        const rk_op *op = &p->p->op[i - 1];

        p->held[i - 1] = leads[op->out] || (rk_op_table[op->row].saves & RK_SAVE_OUT);
        for (size_t k = 0; p->held[i - 1] && k < op->n_in; k++)
            if (rk_grad_flows(op, k) && rk_flow_needs(p->f, i - 1, k))
                leads[op->in[k].tensor] = true;
    }
    return leads && p->held;
}

static void save_one(rk_placing *p, uint32_t buffer)
{
    rk_placing_list(p, buffer);
    p->op[p->i].n_kept++;
}

static void save(rk_placing *p, uint32_t buffer)
{
    if (buffer == RK_NONE || p->buffer.at[buffer].stored)
        return;
    save_one(p, buffer);
    if (p->buffer.at[buffer].last)
        save_one(p, p->buffer.at[buffer].last);
}

static void save_operand(rk_placing *p, size_t k)
{
    if (!p->before[k]) {
        save(p, p->read[k]);
        return;
    }
    save_one(p, p->read[k]);
    save_one(p, p->before[k]);
}

static bool needs(const rk_placing *p, size_t k)
{
    return rk_grad_flows(p->now, k) && rk_flow_needs(p->f, p->i, k);
}

/* What is read one step back needs a gradient from the second step on: the zeros before the first have none. */
static bool has_only_zeros(rk_placing *p, size_t k)
{
    return p->before[k] && rk_size_is(p->o->conditions, rk_placing_size(p, p->buffer.at[p->read[k]].count), 0);
}

static bool another_needs(rk_placing *p, size_t k)
{
    for (size_t i = 0; i < p->now->n_in; i++)
        if (i != k && needs(p, i) && !has_only_zeros(p, i))
            return true;
    return false;
}

/* Whether an operand that lies step by step is kept in all of them: not in the first, or the last of a recurrence. */
static bool needs_all_steps(rk_placing *p, size_t k)
{
    bool from_first = p->before[k] || p->read[k] == RK_NONE || !p->buffer.at[p->read[k]].last;

    if (p->f->reach[p->now->out] == RK_REACH_NEXT)
        return from_first;
    for (size_t i = 0; i < p->now->n_in && !from_first; i++)
        from_first = i != k && needs(p, i) && !p->before[i];
    return from_first;
}

static bool any_needs(rk_placing *p)
{
    return another_needs(p, RK_PLACE_OPERANDS_MAX);
}

static rk_ex pairs_of_axes(rk_placing *p)
{
    rk_ex e = rk_ex_int(p->m->pool, 1);

    for (size_t i = 0; i < p->now->n_label; i++)
        e = rk_ex_mul(p->m->pool, e, p->p->label[p->now->label[i]].size);
    return e;
}

/* Lists that say together where each element is found: of all axes up to the one along which it is chosen. */
static void save_ends(rk_placing *p)
{
    const rk_ixs *axes = &p->now->in[0].axes;
    size_t n = 0;

    while (n < axes->n && axes->at[n].label != p->now->label[0])
        n++;
    for (size_t i = 0; i <= n; i++)
        save(p, rk_placing_make(p, "index", RK_NONE, rk_ixs_count(p->m->pool, &(rk_ixs){axes->at, n}), RK_TYPE_WHOLE));
}

#define ROWS_TOGETHER 32 /* PyTorch, mem_eff_attention/kernel_forward.h: kAlignLSE */

/* One for each row; fused attention in fp32 takes so many rows of a sequence, the second axis, together. */
static rk_ex statistics_of(rk_placing *p)
{
    const rk_ixs *axes = &p->now->in[0].axes;
    rk_pool *pool = p->m->pool;
    rk_ex all = rk_ex_int(pool, 1), together = rk_ex_int(pool, ROWS_TOGETHER);

    if (p->now->row != RK_OP_SDPA_WIDE)
        return rk_placing_rows(p);
    for (size_t i = 0; i + 1 < axes->n; i++)
        all = rk_ex_mul(pool, all,
                        i == 1 ? rk_ex_mul(pool, together, rk_ex_ceil_div(pool, axes->at[i].size, together))
                               : axes->at[i].size);
    return all;
}

static void save_statistics(rk_placing *p)
{
    const char *const what[] = {"mean", rk_op_table[p->now->row].class == RK_CLASS_ATTENTION ? "logsumexp" : "rstd"};
    size_t n = rk_op_table[p->now->row].saves & RK_SAVE_MEAN ? 2 : 1;
    bool narrow = rk_op_table[p->now->row].saves & RK_SAVE_NARROW;
    rk_type type = p->o->profile->statistics == 4 && !narrow ? RK_TYPE_F32 : RK_TYPE_RUN;

    for (size_t i = 0; i < n; i++)
        save(p, rk_placing_make(p, what[2 - n + i], RK_NONE, statistics_of(p), type));
}

/*
 * Labels of the next place are moved by one, into a copy; where the batch is one sequence, the copy is a view of a list
 * that has one more.
 */
static rk_ex labels_of(rk_placing *p)
{
    const rk_ixs *axes = &p->now->in[0].axes;
    rk_ixs places = {axes->at, axes->n > 1 ? axes->n - 1 : 0}, batch = {axes->at, axes->n > 2 ? axes->n - 2 : 0};
    rk_ex count = rk_ixs_count(p->m->pool, &places);

    if (!(rk_op_table[p->now->row].saves & RK_SAVE_NEXT))
        return count;
    return rk_size_is(p->o->conditions, rk_placing_size(p, rk_ixs_count(p->m->pool, &batch)), 1)
               ? rk_ex_add(p->m->pool, count, rk_ex_int(p->m->pool, 1))
               : count;
}

static void save_loss(rk_placing *p)
{
    save(p, rk_placing_make(p, "labels", RK_NONE, labels_of(p), RK_TYPE_WHOLE));
    save(p,
         rk_placing_make(p, "total weight", RK_NONE, rk_ex_int(p->m->pool, 1), p->tensor[p->now->in[0].tensor].type));
}

/* The last operation before this one that has to do with the visits of the same mixture, or NULL. */
static const rk_place_op *visits_before(const rk_placing *p)
{
    for (size_t i = p->i; i > 0; i--) {
        rk_op_class class = rk_op_table[p->p->op[i - 1].row].class;

        if (p->p->op[i - 1].group != p->now->group || class == RK_CLASS_COMBINE)
            return NULL;
        if (class == RK_CLASS_DISPATCH && p->op[i - 1].n_kept > 0)
            return &p->op[i - 1];
    }
    return NULL;
}

/* All experts together are visited by each token as often as it has experts, however the visits are spread. */
static rk_ex visits_of(rk_placing *p)
{
    const rk_ixs *in = &p->now->in[0].axes, *out = &p->p->tensor[p->now->out].axes;
    rk_ex e = rk_ex_int(p->m->pool, 2);

    for (size_t i = 0; i < out->n; i++)
        if (out->at[i].label != in->at[in->n - 1].label)
            e = rk_ex_mul(p->m->pool, e, out->at[i].size);
    return e;
}

/* Experts are computed one by one; the lists of who visits them are made with the tokens that go there first. */
static void save_visits(rk_placing *p)
{
    const rk_place_op *before = visits_before(p);

    if (before)
        save(p, p->list.at[before->read + before->n_read]);
    else if (rk_op_table[p->now->row].class == RK_CLASS_DISPATCH)
        save(p, rk_placing_make(p, "routing", RK_NONE, visits_of(p), RK_TYPE_WHOLE));
}

/* A position for each element that was chosen. */
static rk_ex chosen_of(rk_placing *p)
{
    rk_ixs axes = p->p->tensor[p->now->out].axes;

    if (p->now->arg == RK_EX_FAILED || axes.n == 0)
        return rk_ixs_count(p->m->pool, &axes);
    axes.n--;
    return rk_ex_mul(p->m->pool, rk_ixs_count(p->m->pool, &axes), p->now->arg);
}

/* Σ (k² + k) for k from 1 to n - 1: row k has k elements left of the diagonal, and k rows before it. */
static rk_ex rows_of(rk_placing *p)
{
    rk_pool *pool = p->m->pool;
    rk_ixs axes = p->p->tensor[p->now->out].axes;
    rk_ex n = axes.n ? axes.at[axes.n - 1].size : rk_ex_int(pool, 1), one = rk_ex_int(pool, 1), e;

    axes.n -= axes.n > 1 ? 2 : axes.n;
    e = rk_ex_mul(pool, rk_ex_mul(pool, rk_ex_sub(pool, n, one), n), rk_ex_add(pool, n, one));
    return rk_ex_mul(pool, rk_ixs_count(pool, &axes), rk_ex_div(pool, e, rk_ex_int(pool, 3)));
}

/* What an operation saves beside its operands and its result. */
static void save_beside(rk_placing *p, unsigned saves)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes;

    if (saves & RK_SAVE_STATS)
        save_statistics(p);
    if (saves & RK_SAVE_CHOICE)
        save(p, rk_placing_make(p, "indices", RK_NONE, chosen_of(p), RK_TYPE_WHOLE));
    if (saves & RK_SAVE_VISITS)
        save_visits(p);
    if (saves & RK_SAVE_ONE)
        save(p, rk_placing_make(p, saves & RK_SAVE_RANDOM ? "rng offset" : "index", RK_NONE, rk_ex_int(p->m->pool, 1),
                                RK_TYPE_WHOLE));
    if (saves & RK_SAVE_ENDS)
        save_ends(p);
    if (saves & RK_SAVE_SPOTS)
        save(p, rk_placing_make(p, "mask", RK_NONE,
                                rk_ixs_count(p->m->pool, &(rk_ixs){out->at, out->n ? out->n - 1 : 0}), RK_TYPE_TRUTH));
    if (saves & RK_SAVE_ROWS)
        save(p, rk_placing_make(p, "rows", RK_NONE, rows_of(p), RK_TYPE_F32));
    if (saves & RK_SAVE_PAIRS)
        save(p, rk_placing_make(p, "mask", RK_NONE, pairs_of_axes(p), RK_TYPE_TRUTH));
    if (saves & RK_SAVE_HIDDEN)
        save(p, rk_placing_make(p, "mask", RK_NONE, rk_ixs_count(p->m->pool, out), RK_TYPE_TRUTH));
}

/* What only the next step reads, nobody reads where there is one step. */
static bool has_next_step(rk_placing *p)
{
    rk_conditions *conditions = p->o->conditions;

    return rk_size_less(conditions, rk_size_of(conditions, 1),
                        rk_placing_size(p, p->p->label[p->f->shift[p->now->out]].size));
}

static bool is_reached(rk_placing *p)
{
    rk_reach reach = p->f->reach[p->now->out];

    return reach == RK_REACH_NOW || (reach == RK_REACH_NEXT && has_next_step(p)) ||
           (p->p->loss != RK_NONE && p->i >= p->p->loss_first);
}

/* Each step draws random numbers of its own. */
static rk_ex random_state_of(rk_placing *p)
{
    rk_ex once = rk_ex_int(p->m->pool, p->o->profile->random_state);

    return p->step ? rk_ex_mul(p->m->pool, once, p->p->label[p->step - 1].size) : once;
}

/* A convolution saves both that it multiplies, whichever needs a gradient; of weights, the copies of autocast. */
static bool is_convolution(const rk_placing *p)
{
    size_t k = p->o->autocast ? rk_op_weight(p->p, p->now) : 2;
    const rk_tensor *copy = k < 2 ? &p->p->tensor[p->now->in[k].tensor] : NULL;
    const rk_op *cast = copy && copy->kind == RK_TENSOR_RESULT ? &p->p->op[copy->producer] : NULL;

    return cast && (!rk_placing_is_plain(&p->now->in[1 - k].axes) ||
                    p->p->weight[p->p->tensor[cast->in[0].tensor].weight].n_dim > 3);
}

static void save_for_gradient(rk_placing *p)
{
    unsigned saves = rk_op_table[p->now->row].saves;

    if ((!is_reached(p) && !p->held[p->i]) || !any_needs(p))
        return;
    if (rk_op_table[p->now->row].class == RK_CLASS_ROTARY)
        rk_placing_each_table(p, save);
    if (saves & RK_SAVE_LABELS)
        save_loss(p);
    if (saves & RK_SAVE_IN)
        save_operand(p, 0);
    for (size_t k = 0; (saves & RK_SAVE_OTHERS) && k < p->now->n_in; k++)
        if (is_convolution(p) || (another_needs(p, k) && needs_all_steps(p, k)))
            save_operand(p, k);
        else if (another_needs(p, k))
            save_one(p, p->read[k]);
    for (size_t k = 0; (saves & RK_SAVE_ALL) && k < p->now->n_in; k++)
        save_operand(p, k);
    if ((saves & RK_SAVE_OUT) && !p->now->merged)
        save(p, p->tensor[p->now->out].buffer);
    if (p->now->merged) /* who reads the result has a copy of it */
        save(p, rk_placing_make(p, "merged", RK_NONE, rk_ixs_count(p->m->pool, &p->p->tensor[p->now->out].axes),
                                p->tensor[p->now->out].type));
    if ((saves & RK_SAVE_RANDOM) && p->o->profile->random_state > 0)
        save(p, rk_placing_make(p, "rng state", RK_NONE, random_state_of(p), RK_TYPE_WHOLE));
    if (saves & RK_SAVE_INDEX)
        save_operand(p, 0);
    save_beside(p, saves);
}

static void save_as_textbook(rk_placing *p)
{
    rk_book_rule book = rk_op_table[p->now->row].book;

    if (book == RK_TEXTBOOK_NOTHING)
        return;
    save(p, book == RK_TEXTBOOK_PROBABILITIES
                ? rk_placing_make(p, "probs", RK_NONE, rk_ixs_count(p->m->pool, &p->now->in[0].axes), RK_TYPE_RUN)
                : p->tensor[p->now->out].buffer);
    if (book == RK_TEXTBOOK_ROWS)
        save(p, rk_placing_make(p, "statistics", RK_NONE, rk_placing_rows(p), RK_TYPE_RUN));
}

void rk_placing_save(rk_placing *p)
{
    if (p->o->profile->textbook)
        save_as_textbook(p);
    else
        save_for_gradient(p);
}
