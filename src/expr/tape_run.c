/* SPDX-License-Identifier: MIT */
#include "expr/tape.h"

/* The fast way needs its slots and one flag per cell; the slow one the results and a memo per atom. */
size_t rk_tape_scratch(const rk_tape *t)
{
    size_t fast = 1 + 2 * t->cell.n + t->op.n;
    size_t slow = t->n + t->n_memo * (sizeof(rk_memo) / sizeof(rk_i128));

    return fast > slow ? fast : slow;
}

static inline bool is_narrow(rk_i128 n)
{
    return n == (int64_t)n;
}

/* Two numbers of 64 bits never overflow 128; the others ask. */
static inline rk_i128 times(rk_acc *acc, rk_i128 a, rk_i128 b)
{
    return is_narrow(a) && is_narrow(b) ? (rk_i128)(int64_t)a * (int64_t)b : rk_mul(acc, a, b);
}

static rk_i128 add_parts(const rk_tape *t, uint32_t first, uint32_t n, const rk_i128 *slot, rk_acc *acc)
{
    rk_i128 sum = 0;

    for (uint32_t i = first; i < first + n; i++) {
        const rk_tape_part *p = &t->part.at[i];

        acc->overflow |= __builtin_add_overflow(sum, times(acc, slot[p->slot], p->coef), &sum);
    }
    return sum;
}

/* What is not whole, or divides by zero, counts as overflow: the tape stops. */
static rk_i128 divide(rk_acc *acc, uint32_t kind, rk_i128 a, rk_i128 b)
{
    bool narrow = is_narrow(a) && is_narrow(b) && b > 0;
    rk_i128 rest;

    if (b == 0 || b == -1) {
        acc->overflow = true;
        return 0;
    }
    if (kind == RK_TAPE_FLOOR)
        return rk_floor_div(acc, a, b);
    if (kind == RK_TAPE_CEIL)
        return rk_ceil_div(acc, a, b);
    rest = narrow ? (int64_t)a % (int64_t)b : a % b;
    if (kind == RK_TAPE_MOD)
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    acc->overflow |= rest != 0;
    return narrow ? (int64_t)a / (int64_t)b : a / b;
}

static void run(const rk_tape *t, uint32_t first, uint32_t last, rk_i128 *slot, rk_acc *acc)
{
    rk_i128 *out = slot + 1 + t->cell.n + first;

    for (uint32_t i = first; i < last; i++, out++) {
        const rk_tape_op *o = &t->op.at[i];

        switch ((rk_tape_op_kind)o->kind) {
        case RK_TAPE_MUL:
            *out = times(acc, slot[o->a], slot[o->b]);
            break;
        case RK_TAPE_SUM:
            *out = add_parts(t, o->a, o->b, slot, acc);
            break;
        case RK_TAPE_MIN:
            *out = slot[o->a] < slot[o->b] ? slot[o->a] : slot[o->b];
            break;
        case RK_TAPE_MAX:
            *out = slot[o->a] > slot[o->b] ? slot[o->a] : slot[o->b];
            break;
        default:
            *out = divide(acc, o->kind, slot[o->a], slot[o->b]);
            break;
        }
    }
}

static bool have_all(const rk_tape *t, uint32_t first, uint32_t n, const rk_i128 *known)
{
    for (uint32_t i = 0; i < n; i++)
        if (!known[t->need.at[first + i] - 1])
            return false;
    return true;
}

/* Fills the cells; one that has no value, not even by its definition, is marked: perhaps no one needs it. */
static void load(const rk_tape *t, const rk_binding *at, rk_i128 *slot, rk_i128 *known, rk_acc *acc)
{
    for (size_t i = 0; i < t->cell.n; i++) {
        const rk_tape_cell *it = &t->cell.at[i];

        known[i] = it->sym < at->n && at->known[it->sym];
        slot[1 + i] = known[i] ? at->value[it->sym] : 0;
        if (known[i] || !it->defined || !have_all(t, it->need, it->n_need, known))
            continue;
        run(t, it->first, it->last, slot, acc);
        slot[1 + i] = slot[it->result];
        known[i] = 1;
    }
}

static bool eval_fast(const rk_tape *t, const rk_binding *at, rk_i128 *slot, rk_i128 *out)
{
    rk_i128 *known = slot + 1 + t->cell.n + t->op.n;
    rk_acc acc = {0};

    slot[RK_TAPE_ONE] = 1;
    load(t, at, slot, known, &acc);
    if (acc.overflow || !have_all(t, t->main_need, t->n_main_need, known))
        return false;
    run(t, t->main_first, (uint32_t)t->op.n, slot, &acc);
    for (size_t i = 0; i < t->n && !acc.overflow; i++)
        out[i] = slot[t->result[i]];
    return !acc.overflow;
}

static int eval_slow(const rk_tape *t, const rk_binding *at, rk_i128 *scratch, rk_i128 *out, rk_err *err)
{
    rk_memo *memo = (rk_memo *)(scratch + t->n);

    for (size_t i = 0; i < t->n_memo; i++)
        memo[i].done = 0;
    for (size_t i = 0; i < t->n; i++) {
        int code = rk_ex_eval_in(t->pool, t->ex[i], at, memo, t->n_memo, &scratch[i], err);

        if (code != RK_OK)
            return code;
    }
    for (size_t i = 0; i < t->n; i++)
        out[i] = scratch[i];
    return RK_OK;
}

int rk_tape_eval(const rk_tape *t, const rk_binding *at, rk_i128 *scratch, rk_i128 *out, rk_err *err)
{
    if (!t->slow && eval_fast(t, at, scratch, out))
        return RK_OK;
    return eval_slow(t, at, scratch, out, err);
}
