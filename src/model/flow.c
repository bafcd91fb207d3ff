/* SPDX-License-Identifier: MIT */
/*
 * Two runs: forwards for what needs a gradient, backwards for what reaches an output.  They differ in what an operation
 * does; how loops are gone through is the same.  A run of a layer is remembered: a layer of the same group into which
 * the same flags go is not run again, so that a hundred thousand equal layers cost a comparison each.
 */
#include "model/flow.h"

#include "base/work.h"

#include <string.h>

/* What one layer did to the flags of the carried variables, and a signature of all that happened inside. */
typedef struct memo memo;
struct memo {
    uint64_t *from, *to;
    uint64_t signature;
    memo *next;
};

typedef struct sim {
    rk_flow_walk *w;
    rk_flow *f;
    bool back;
    memo **seen;              /* of each group, in the loop that is being run */
    uint64_t *loop_signature; /* of all layers of each loop */
    uint64_t **signature;     /* of each layer of each loop */
    size_t *depth;            /* of each group: loops around it */
    size_t *n_rose;           /* how often a value of a group of each depth rose */
    size_t n_step;
    bool cycles;  /* a loop of unknown length has no layer like the next one */
    rk_arena own; /* what is remembered */
} sim;

static uint64_t mix(uint64_t signature, uint64_t more)
{
    signature = (signature ^ more) * 0x9E3779B97F4A7C15u;
    return signature ^ signature >> 29;
}

/* ---- flags --------------------------------------------------------------------------------------------------- */

/* The flag of a value as one number: whether it needs a gradient and is made; how it reaches, along which label. */
#define NEEDS 1u
#define MADE 2u

static uint64_t flag(const sim *s, uint32_t value)
{
    return s->back ? (uint64_t)s->f->reach[value] | (uint64_t)s->f->shift[value] << 2
                   : (s->f->needs[value] ? NEEDS : 0) | (s->f->made[value] ? MADE : 0);
}

static bool raise_flag(sim *s, uint32_t value, uint64_t to)
{
    if (s->back ? s->f->reach[value] >= (rk_reach)(to & 3) : (flag(s, value) & to) == to)
        return false;
    if (s->back) {
        s->f->reach[value] = (rk_reach)(to & 3);
        s->f->shift[value] = (uint32_t)(to >> 2);
    } else {
        s->f->needs[value] |= (to & NEEDS) != 0;
        s->f->made[value] |= (to & MADE) != 0;
    }
    s->n_rose[s->depth[s->w->owner.at[value]]]++;
    return true;
}

static void clear_flag(sim *s, uint32_t value)
{
    if (s->back) {
        s->f->reach[value] = s->w->given[value] ? RK_REACH_NOW : RK_REACH_NOT;
        s->f->shift[value] = 0;
    } else {
        s->f->needs[value] = s->f->made[value] = false;
    }
}

/* ---- operations ---------------------------------------------------------------------------------------------- */

/* Whether a result may be its operand, under other axes. */
static bool is_view(const rk_op *op)
{
    switch (rk_op_table[op->row].place) {
    case RK_PLACE_VIEW:
    case RK_PLACE_PART:
    case RK_PLACE_FIRST:
    case RK_PLACE_REPEAT:
    case RK_PLACE_STEPS:
    case RK_PLACE_CONTIGUOUS:
    case RK_PLACE_CAST:
    case RK_PLACE_CAST_PACKED:
        return true;
    default:
        return false;
    }
}

static bool op_forth(sim *s, size_t i)
{
    const rk_op *op = &s->w->p->op[i];
    uint64_t to = is_view(op) ? 0 : MADE;

    for (size_t k = 0; k < op->n_in; k++) {
        to |= rk_grad_flows(op, k) && rk_flow_needs(s->f, i, k) ? NEEDS : 0;
        to |= s->f->made[s->f->read[s->f->first[i] + k]] ? MADE : 0;
    }
    return raise_flag(s, op->out, to);
}

static bool op_back(sim *s, size_t i)
{
    const rk_op *op = &s->w->p->op[i];
    bool rose = false;

    if (s->f->reach[op->out] == RK_REACH_NOT)
        return false;
    for (size_t k = 0; k < op->n_in; k++) {
        uint32_t step = rk_step_label(s->w->p, i, k);
        uint64_t to = step == RK_NONE ? flag(s, op->out) : (uint64_t)RK_REACH_NEXT | (uint64_t)step << 2;

        if (rk_grad_flows(op, k))
            rose |= raise_flag(s, s->f->read[s->f->first[i] + k], to);
    }
    return rose;
}

/* What of an operation the count depends on. */
static uint64_t op_signature(const sim *s, size_t i, uint64_t signature)
{
    const rk_op *op = &s->w->p->op[i];

    if (s->back)
        return mix(signature, flag(s, op->out));
    for (size_t k = 0; k < op->n_in; k++)
        if (rk_grad_flows(op, k))
            signature = mix(signature, flag(s, s->f->read[s->f->first[i] + k]));
    return signature;
}

/* ---- groups -------------------------------------------------------------------------------------------------- */

static bool run_loop(sim *s, size_t loop);

static bool run_item(sim *s, const rk_flow_item *item)
{
    s->n_step++;
    if (item->is_loop)
        return run_loop(s, item->which);
    return s->back ? op_back(s, item->which) : op_forth(s, item->which);
}

/*
 * Until nothing changes: a recurrence needs a second round.  To and fro, since a chain of recurrences in which each
 * reads the next would otherwise take a round for every link.
 */
static void settle(sim *s, uint32_t group)
{
    const rk_flow_group *g = &s->w->group[group];
    bool again = true;

    for (bool up = !s->back; again && s->n_step <= RK_FLOW_STEPS_MAX && !s->own.failed; up = !up) {
        again = false;
        s->own.failed |= !rk_work(g->item.n);
        for (size_t i = 0; i < g->item.n; i++)
            again |= run_item(s, &g->item.at[up ? i : g->item.n - 1 - i]);
    }
}

static void clear_group(sim *s, const rk_loop *l, const rk_flow_group *g)
{
    for (size_t v = 0; v < l->n_carry; v++)
        clear_flag(s, g->in[v]);
    for (size_t i = 0; i < g->item.n; i++) {
        const rk_flow_item *item = &g->item.at[i];

        if (!item->is_loop)
            clear_flag(s, s->w->p->op[item->which].out);
        for (size_t v = 0; item->is_loop && v < s->w->p->loop[item->which].n_carry; v++)
            clear_flag(s, s->w->carry[item->which].after[v]);
    }
}

static uint64_t group_signature(const sim *s, const rk_flow_group *g)
{
    uint64_t signature = 0;

    for (size_t i = 0; i < g->item.n; i++)
        signature = g->item.at[i].is_loop ? mix(signature, s->loop_signature[g->item.at[i].which])
                                          : op_signature(s, g->item.at[i].which, signature);
    return signature;
}

/* ---- layers -------------------------------------------------------------------------------------------------- */

static memo *memo_find(sim *s, uint32_t group, const uint64_t *state, size_t n)
{
    for (memo *m = s->seen[group]; m; m = m->next) {
        s->n_step += n + 1;
        if (memcmp(m->from, state, n * sizeof *state) == 0)
            return m;
    }
    return NULL;
}

static memo *memo_new(sim *s, uint32_t group, const uint64_t *state, size_t n)
{
    memo *m = RK_NEW(&s->own, memo);
    uint64_t *both = RK_NEW_ARRAY(&s->own, 2 * n + 1, uint64_t);

    if (!m || !both)
        return NULL;
    memcpy(both, state, n * sizeof *state);
    *m = (memo){.from = both, .to = both + n, .next = s->seen[group]};
    s->seen[group] = m;
    return m;
}

/* One layer: flags go in at one end, and come out at the other. */
static void run_layer(sim *s, size_t loop, uint32_t group, memo *m)
{
    const rk_loop *l = &s->w->p->loop[loop];
    const rk_flow_group *g = &s->w->group[group];
    const uint32_t *enter = s->back ? g->out : g->in, *leave = s->back ? g->in : g->out;
    const bool *shared = s->w->p->group[group].shared;

    clear_group(s, l, g);
    for (size_t v = 0; v < l->n_carry; v++) {
        raise_flag(s, enter[v], m->from[v]);
        /* The tensor may also be a variable that stays what it was before the loop. */
        if (!s->back && shared[v])
            raise_flag(s, enter[v], flag(s, g->before[v]));
    }
    settle(s, group);
    for (size_t v = 0; v < l->n_carry; v++)
        if (s->back && shared[v])
            raise_flag(s, g->before[v], flag(s, g->in[v]));
    for (size_t v = 0; v < l->n_carry; v++)
        m->to[v] = flag(s, leave[v]);
    m->signature = group_signature(s, g);
}

/* The flags after one more layer; NULL: no memory, or too many steps. */
static memo *step(sim *s, size_t loop, uint32_t group, uint64_t *state)
{
    size_t n = s->w->p->loop[loop].n_carry;
    memo *m = memo_find(s, group, state, n);

    s->own.failed |= !rk_work(1);
    if (s->n_step > RK_FLOW_STEPS_MAX || s->own.failed)
        return NULL;
    if (!m) {
        if (!(m = memo_new(s, group, state, n)))
            return NULL;
        run_layer(s, loop, group, m);
    }
    memcpy(state, m->to, n * sizeof *state);
    s->loop_signature[loop] = mix(s->loop_signature[loop], m->signature);
    return m;
}

static void run_known(sim *s, size_t loop, uint64_t *state)
{
    const rk_loop *l = &s->w->p->loop[loop];

    for (size_t i = 0; i < l->n_layer; i++) {
        size_t layer = s->back ? l->n_layer - 1 - i : i;
        memo *m = step(s, loop, l->order ? l->order[layer] : l->group[0], state);

        if (!m)
            return;
        s->signature[loop][layer] = m->signature;
        /* Where all layers are of one kind, and one leaves the flags as it found them, so do all others. */
        if (!l->order && memcmp(m->from, m->to, l->n_carry * sizeof *m->from) == 0) {
            for (size_t k = i + 1; k < l->n_layer; k++)
                s->signature[loop][s->back ? l->n_layer - 1 - k : k] = m->signature;
            return;
        }
    }
}

/*
 * The layers of which there are most are gone through until one is as the next.  Returns how many at this end are not
 * as all others.
 */
static size_t run_middle(sim *s, size_t loop, uint32_t group, uint64_t *state)
{
    size_t n = s->w->p->loop[loop].n_carry, unlike = 0, i = 0;
    uint64_t signature = 0;

    for (;; i++) {
        bool known = memo_find(s, group, state, n) != NULL;
        memo *m = step(s, loop, group, state);

        if (!m)
            return 0;
        unlike = i && m->signature != signature ? i : unlike;
        signature = m->signature;
        if (memcmp(m->from, m->to, n * sizeof *state) == 0)
            return unlike;
        if (known) {
            s->cycles = true;
            return 0;
        }
    }
}

static void run_unknown(sim *s, size_t loop, uint64_t *state)
{
    const rk_loop *l = &s->w->p->loop[loop];

    for (size_t i = 0; i < l->n_group; i++) {
        size_t at = s->back ? l->n_group - 1 - i : i;

        if (at != l->n_first)
            step(s, loop, l->group[at], state);
        else
            *(s->back ? &s->f->loop[loop].last : &s->f->loop[loop].first) = run_middle(s, loop, l->group[at], state);
    }
}

/* What lies in deeper groups is cleared for each layer anew; what does not, only rises. */
static size_t n_rose_around(const sim *s, uint32_t group)
{
    size_t n = 0;

    for (size_t d = 0; d <= s->depth[group]; d++)
        n += s->n_rose[d];
    return n;
}

/* Flags from one side of the loop to the other; true: something around it rose. */
static bool run_loop(sim *s, size_t loop)
{
    const rk_loop *l = &s->w->p->loop[loop];
    const rk_flow_carry *c = &s->w->carry[loop];
    uint64_t *state = RK_NEW_ARRAY(&s->own, l->n_carry + 1, uint64_t);
    size_t rose = n_rose_around(s, l->parent);

    if (!state || !l->n_group)
        return false;
    s->loop_signature[loop] = 0;
    for (size_t i = 0; i < l->n_group; i++)
        s->seen[l->group[i]] = NULL;
    for (size_t v = 0; v < l->n_carry; v++)
        state[v] = flag(s, s->back ? c->after[v] : c->before[v]);
    if (l->count_known)
        run_known(s, loop, state);
    else
        run_unknown(s, loop, state);
    for (size_t v = 0; v < l->n_carry; v++) {
        raise_flag(s, s->back ? c->before[v] : c->after[v], state[v]);
        if (c->beside[v] != RK_NONE && s->back)
            raise_flag(s, c->beside[v], flag(s, c->after[v]));
        else if (c->beside[v] != RK_NONE)
            raise_flag(s, c->after[v], flag(s, c->beside[v]));
    }
    return n_rose_around(s, l->parent) != rose;
}

/* ---- both runs ----------------------------------------------------------------------------------------------- */

static bool sim_begin(sim *s)
{
    const rk_program *p = s->w->p;

    s->seen = RK_NEW_ARRAY(&s->own, p->n_group + 1, memo *);
    s->depth = RK_NEW_ARRAY(&s->own, p->n_group + 1, size_t);
    s->n_rose = RK_NEW_ARRAY(&s->own, p->n_group + 1, size_t);
    for (size_t g = 1; s->depth && g < p->n_group; g++)
        s->depth[g] = s->depth[p->group[g].parent] + 1;
    s->loop_signature = RK_NEW_ARRAY(&s->own, p->n_loop + 1, uint64_t);
    s->signature = RK_NEW_ARRAY(&s->own, p->n_loop + 1, uint64_t *);
    for (size_t i = 0; s->signature && i < p->n_loop; i++)
        if (!(s->signature[i] = RK_NEW_ARRAY(&s->own, p->loop[i].n_layer + 1, uint64_t)))
            return false;
    return s->seen && s->depth && s->n_rose && s->loop_signature && s->signature;
}

static bool is_trained(const rk_program *p, const rk_tensor *t)
{
    const rk_weight *w = t->kind == RK_TENSOR_WEIGHT ? &p->weight[t->weight] : NULL;

    return t->incoming || (w && !w->frozen && !w->buffer);
}

static bool is_given(const rk_tensor *t)
{
    return t->kind == RK_TENSOR_INPUT || t->kind == RK_TENSOR_CACHED;
}

static void seed(sim *s)
{
    const rk_program *p = s->w->p;

    for (size_t i = 0; !s->back && i < p->n_tensor; i++)
        raise_flag(s, (uint32_t)i, (is_trained(p, &p->tensor[i]) ? NEEDS : 0) | (is_given(&p->tensor[i]) ? MADE : 0));
    for (uint32_t i = 0; s->back && i < s->f->n_value; i++)
        clear_flag(s, i);
}

static int run(sim *s, rk_err *err)
{
    if (!sim_begin(s))
        return rk_fail_memory(err);
    seed(s);
    settle(s, 0);
    if (s->own.failed)
        return rk_fail_memory(err);
    if (s->cycles)
        return rk_fail(err, RK_EINPUT, "layers differ in what needs a gradient, so their number must be known");
    if (s->n_step > RK_FLOW_STEPS_MAX)
        return rk_fail(err, RK_ELIMIT, "too many layers that differ in what needs a gradient");
    for (size_t l = 0; l < s->w->p->n_loop; l++)
        for (size_t i = 0; i < s->w->p->loop[l].n_layer; i++)
            s->f->loop[l].signature[i] = mix(s->f->loop[l].signature[i], s->signature[l][i]);
    return RK_OK;
}

int rk_flow_run(rk_flow_walk *w, rk_err *err)
{
    int code = RK_OK;

    for (int back = 0; back < 2 && code == RK_OK; back++) {
        sim s = {.w = w, .f = &w->flow, .back = back};

        code = run(&s, err);
        rk_arena_free(&s.own);
    }
    return code;
}
