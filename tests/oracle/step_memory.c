/* SPDX-License-Identifier: MIT */
/* The runner's memory: buffers that someone holds, and which values lie in them. */
#include "runner.h"

static uint32_t new_entry(runner *r, uint32_t buffer)
{
    entry *e = RK_PUSH(r->a, &r->entry);

    *e = (entry){.holders = 1, .buffer = buffer};
    return (uint32_t)(r->entry.n - 1);
}

/* A variable of layers may begin as a weight, which the model holds. */
void hold_weights(runner *r)
{
    for (uint32_t b = 0; b < r->pl->n_buffer; b++)
        if (r->pl->buffer[b].stored && r->pl->buffer[b].op == RK_NONE)
            r->slot[b] = new_entry(r, b);
}

bool lies_in(const runner *r, uint32_t id, uint32_t at)
{
    for (size_t i = 0; at != RK_NONE && i < r->entry.at[at].value.n; i++)
        if (r->entry.at[at].value.at[i] == id)
            return true;
    return false;
}

void put_in(runner *r, uint32_t id, uint32_t at)
{
    if (at == RK_NONE || lies_in(r, id, at))
        return;
    *RK_PUSH(r->a, &r->entry.at[at].value) = id;
    r->value.at[id].places++;
}

/* What lay in a buffer that nobody holds is gone, unless it also lies elsewhere. */
static void let_go(runner *r, uint32_t *at)
{
    entry *e = *at == RK_NONE ? NULL : &r->entry.at[*at];

    *at = RK_NONE;
    if (!e || --e->holders > 0)
        return;
    for (size_t i = 0; i < e->value.n; i++)
        r->value.at[e->value.at[i]].places--;
    e->value.n = 0;
}

/* A gradient that is made without a number begins with zeros. */
static double *zeros_for(runner *r, uint32_t buffer)
{
    if (buffer < r->s->n_place || buffer >= r->s->n_place + r->s->n_tensor)
        return NULL;
    return new_numbers(r, r->w->tensor[buffer - r->s->n_place].n, 0);
}

void add_numbers(double *to, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

static void save_entry(runner *r, uint32_t slot)
{
    r->entry.at[r->slot[slot]].holders++;
    r->entry.at[r->slot[slot]].grad = r->grad[slot];
}

static void restore_entry(runner *r, uint32_t slot, uint32_t at)
{
    r->slot[slot] = at;
    r->entry.at[at].holders++;
    r->grad[slot] = r->entry.at[at].grad;
}

/*
 * A step shows one chunk of a loss that is taken in several, and they are run one after the other.  What they find is
 * let go by the last of them, and what they leave, gradients of the same tensor, is added up.
 */
void do_effect(runner *r, const rk_task *t, const rk_effect *e, uint32_t *saved, double **fresh)
{
    uint32_t *slot = e->slot == RK_NONE ? NULL : &r->slot[e->slot];

    switch (e->kind) {
    case RK_EFFECT_MAKE:
        if (*slot != RK_NONE)
            fail_step(r, t->op, "makes a buffer where one is");
        *slot = new_entry(r, e->other);
        r->grad[e->slot] = *fresh ? *fresh : zeros_for(r, e->other);
        *fresh = NULL;
        break;
    case RK_EFFECT_SHARE:
        if (r->slot[e->other] == RK_NONE)
            fail_step(r, t->op, "shares what is not there");
        else
            r->entry.at[r->slot[e->other]].holders++;
        if (slot) {
            *slot = r->slot[e->other];
            r->grad[e->slot] = *fresh;
            *fresh = NULL;
        }
        break;
    case RK_EFFECT_MOVE:
        if (slot && *slot != RK_NONE && r->chunk > 0) {
            add_numbers(r->grad[e->slot], r->grad[e->other], r->w->tensor[e->slot - r->s->n_place].n);
            let_go(r, &r->slot[e->other]);
        } else if (slot) {
            if (*slot != RK_NONE)
                fail_step(r, t->op, "moves a buffer to where one is");
            *slot = r->slot[e->other];
            r->grad[e->slot] = r->grad[e->other];
        }
        r->slot[e->other] = RK_NONE;
        r->grad[e->other] = NULL;
        break;
    case RK_EFFECT_SAVE:
    case RK_EFFECT_LEND:
    case RK_EFFECT_PUT:
        saved[e->other] = *slot;
        if (*slot == RK_NONE)
            fail_step(r, t->op, "saves what is not there");
        else
            save_entry(r, e->slot);
        break;
    case RK_EFFECT_CACHE:
    case RK_EFFECT_UNCACHE: /* who holds it longer than it is read changes no number */
    case RK_EFFECT_LEAVE:
        break;
    case RK_EFFECT_RESTORE:
        if (saved[e->other] == RK_NONE || *slot != RK_NONE)
            fail_step(r, t->op, *slot == RK_NONE ? "restores what was not saved" : "restores where something is");
        else
            restore_entry(r, e->slot, saved[e->other]);
        break;
    case RK_EFFECT_FREE:
        if (*slot == RK_NONE)
            fail_step(r, t->op, "lets go of what is not there");
        if (r->outside && r->outside[e->slot] && !r->last_chunk)
            break;
        let_go(r, slot);
        r->grad[e->slot] = NULL;
        break;
    case RK_EFFECT_FREE_SAVED:
        if (saved[e->other] == RK_NONE)
            fail_step(r, t->op, "lets go of what is not saved");
        let_go(r, &saved[e->other]);
        break;
    }
}
