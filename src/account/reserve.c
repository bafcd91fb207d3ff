/* SPDX-License-Identifier: MIT */
#include "account/reserve.h"

#include "base/vec.h"
#include "base/work.h"

/* An entry of the walk, while it is alive. */
typedef struct tenant {
    uint32_t block; /* RK_NONE: it is not */
    int stream;
    uint32_t buffer;
    rk_live as;
    size_t birth;
} tenant;

/* Bytes that a weight needs. */
typedef struct needs {
    rk_i128 weight, gradient; /* the gradient, where it stays */
    rk_i128 master, count, moment;
    int n_moment;
    rk_i128 converted; /* its gradient once more, as it lies */
    rk_i128 one, all;  /* in the optimizer's step: while it is moved, and until that ends */
} needs;

typedef struct reserving {
    rk_allocator_sums most; /* of all streams together, since a part began */
    const rk_reserve_options *o;
    const rk_program *p;
    rk_pool *pool;
    rk_arena a;
    rk_allocator *memory;                    /* of the stream of the operations … */
    rk_allocator *beside[RK_STREAMS];        /* … and of others, from the second on */
    const rk_step *step;                     /* being walked */
    RK_VEC(tenant) tenant;                   /* of each entry of the walk */
    bool is_observed;                        /* someone observes this step … */
    size_t n_birth;                          /* … which has had so many births */
    needs *needs;                            /* of each weight */
    rk_i128 *n_state;                        /* … of how many layers its state has been made */
    uint32_t *first_weight;                  /* of each loop: its first weight, or RK_NONE */
    bool products[2];                        /* forward, backward: the matrix library has its workspace */
    bool biases;                             /* … and that for sums with a bias */
    bool backward;                           /* the backward pass has begun */
    rk_i128 forward;                         /* allocated bytes at the peak of the forward pass */
    RK_VEC(uint32_t) spare;                  /* what the optimizer's step lets go when it ends */
    rk_allocator_state state[2][RK_STREAMS]; /* after the last two steps … */
    size_t n_state_seen;                     /* … of so many */
    rk_err *err;
    int code;
} reserving;

static uint32_t take(reserving *r, rk_i128 bytes)
{
    return bytes > 0 ? rk_allocator_take(r->memory, bytes) : RK_NONE;
}

/* The stream in which a buffer of the step is asked for. */
static int stream_of(const reserving *r, uint32_t buffer)
{
    size_t first = r->step->n_place + 2 * r->step->n_tensor;

    return r->o->units && buffer >= first ? r->step->temporary[buffer - first].stream : 0;
}

static rk_allocator *of_stream(const reserving *r, int stream)
{
    return stream == 0 ? r->memory : r->beside[stream];
}

/* What all streams have now: each has its own largest moment, and they need not be the same. */
static void note(reserving *r)
{
    rk_allocator_sums sum = rk_allocator_now(r->memory);

    for (int i = 1; i < RK_STREAMS; i++) {
        rk_allocator_sums more = rk_allocator_now(r->beside[i]);

        sum.requested += more.requested;
        sum.allocated += more.allocated;
        sum.reserved += more.reserved;
    }
    r->most.requested = sum.requested > r->most.requested ? sum.requested : r->most.requested;
    r->most.allocated = sum.allocated > r->most.allocated ? sum.allocated : r->most.allocated;
    r->most.reserved = sum.reserved > r->most.reserved ? sum.reserved : r->most.reserved;
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

typedef void on_weight(reserving *r, uint32_t weight);

/* Whether a group is a layer of a loop, or stands in one. */
static bool is_in_loop(const rk_program *p, uint32_t group, uint32_t loop)
{
    for (; p->group[group].loop != RK_NONE; group = p->group[group].parent)
        if (p->group[group].loop == loop)
            return true;
    return false;
}

static bool find_first_weights(reserving *r)
{
    r->first_weight = RK_NEW_ARRAY(&r->a, r->p->n_loop + 1, uint32_t);
    for (uint32_t l = 0; r->first_weight && l < r->p->n_loop; l++) {
        uint32_t i = 0;

        while (i < r->p->n_weight && !is_in_loop(r->p, r->p->weight[i].group, l))
            i++;
        r->first_weight[l] = i < r->p->n_weight ? i : RK_NONE;
    }
    return r->first_weight != NULL;
}

/* Weights of a group, and layer by layer those of the loops in it, in their order. */
static void each_weight(reserving *r, uint32_t group, on_weight *act)
{
    if (!rk_work(r->p->n_weight))
        r->code = rk_work_check(r->err);
    for (uint32_t i = 0; i < r->p->n_weight && r->code == RK_OK; i++) {
        if (r->p->weight[i].group == group)
            act(r, i);
        for (uint32_t l = 0; l < r->p->n_loop; l++) {
            const rk_loop *loop = &r->p->loop[l];

            for (size_t k = 0; loop->parent == group && r->first_weight[l] == i && k < loop->n_layer; k++)
                each_weight(r, loop->order ? loop->order[k] : loop->group[0], act);
        }
    }
}

static void find_needs(reserving *r, uint32_t i)
{
    const rk_instance *x = r->o->instance;
    const rk_weight_units *u = r->o->units;
    rk_weight part = r->p->weight[i];
    const rk_weight *w = &part;
    int bytes = part.wide ? 4 : u ? r->o->stored : r->o->bytes;
    rk_i128 count;
    rk_optimizer_tensor t;
    needs *n = &r->needs[i];

    n->weight = u && u->of_weight[i] != RK_NONE ? rk_instance_value(x, u->piece[i], &r->code, r->err) * bytes
                                                : rk_instance_value(x, r->o->storage->each[i], &r->code, r->err);
    if (u && u->of_weight[i] != RK_NONE)
        part.count = u->own[i];
    count = rk_instance_value(x, part.count, &r->code, r->err);
    t = rk_optimizer_sees(r->o->optimizer, w, x->model->roles.weight[i].matrix, count >= RK_OPTIMIZER_CODED_FROM, bytes,
                          w->wide ? 0 : r->o->master);
    if (!r->o->train || rk_units_owner(u, r->p, i) != i || w->frozen || w->buffer)
        return;
    n->gradient = r->o->adds_up && !u ? count * (r->o->gradient ? r->o->gradient : w->wide ? 4 : r->o->bytes) : 0;
    n->master = w->wide ? 0 : count * r->o->master;
    n->count = t.row->counts ? 4 : 0;
    n->n_moment = t.row->moments[t.matrix] > 0 ? t.row->moments[t.matrix] : 1;
    n->moment = rk_instance_value(x, rk_optimizer_state(r->pool, &t), &r->code, r->err) / n->n_moment;
    n->one = rk_instance_value(x, rk_optimizer_spare_one(r->pool, &t), &r->code, r->err);
    n->all = rk_instance_value(x, rk_optimizer_spare_all(r->pool, &t), &r->code, r->err);
    n->converted = r->o->converted[i] ? count * (w->wide ? 4 : r->o->bytes) : 0;
}

static void make_weight(reserving *r, uint32_t i)
{
    uint32_t owner = rk_units_owner(r->o->units, r->p, i);

    if (r->p->weight[i].buffer)
        return;
    if (owner == i) {
        take(r, r->needs[i].weight);
        take(r, r->needs[i].gradient);
    } else { /* made by its module before it is tied */
        rk_allocator_free(r->memory, take(r, r->needs[owner].weight));
    }
}

static void make_state(reserving *r, uint32_t i)
{
    const needs *n = &r->needs[i];

    if (r->o->own && r->n_state[i]++ >= r->o->own[i])
        return;
    take(r, n->master);
    take(r, n->count);
    for (int k = 0; k < n->n_moment; k++)
        take(r, n->moment);
}

/* Copies of a model reduce gradients in buckets, which are there from step to step. */
static void make_buckets(reserving *r)
{
    for (size_t i = 0; i < r->o->reduces->n_sent && r->code == RK_OK; i++) {
        const rk_sent *s = &r->o->reduces->sent[i];
        rk_i128 n = 1, bytes;

        if (!s->is_bucket)
            continue;
        if (s->times != RK_EX_FAILED)
            n = rk_instance_value(r->o->instance, s->times, &r->code, r->err);
        bytes = rk_instance_value(r->o->instance, s->elements, &r->code, r->err) * s->bytes;
        for (; n > 0 && rk_work(1); n--)
            take(r, bytes);
    }
}

/* What is let go when the optimizer's step ends. */
static void take_spare(reserving *r, rk_i128 bytes)
{
    uint32_t *slot = bytes > 0 ? RK_PUSH(&r->a, &r->spare) : NULL;

    if (slot)
        *slot = take(r, bytes);
    else if (bytes > 0)
        r->code = rk_fail_memory(r->err);
}

/* What the optimizer's step takes: of all tensors at once, and of each while it is moved. */
static void update(reserving *r, uint32_t i)
{
    rk_allocator_free(r->memory, take(r, r->needs[i].one));
    take_spare(r, r->needs[i].converted);
    take_spare(r, r->needs[i].all);
    if (r->o->units)
        note(r);
}

/* ---- a step ----------------------------------------------------------------------------------------------------- */

/* Whether a bias is added to a product, as part of it. */
static bool has_bias(const rk_program *p, size_t op)
{
    const rk_op *next = op + 1 < p->n_op ? &p->op[op + 1] : NULL;

    return next && rk_op_table[next->row].class == RK_CLASS_ADD && next->n_in == 2 &&
           next->in[0].tensor == p->op[op].out && p->tensor[next->in[1].tensor].kind == RK_TENSOR_WEIGHT;
}

/* The matrix library takes its workspaces when it is first asked for a product, after that one's result. */
static void take_workspaces(reserving *r, const rk_event *e)
{
    const rk_op *op = e->task->op == RK_NONE ? NULL : &r->p->op[e->task->op];
    bool backward = e->task->kind == RK_TASK_GRADIENT && e->task->stage == RK_STAGE_BACKWARD;
    bool multiplies = op && (op->summed || rk_op_table[op->row].torch == RK_TORCH_ROPE_TABLE);

    if (multiplies && !r->products[backward]) {
        int n = backward ? r->o->profile->workspaces_backward - r->o->profile->workspaces_forward
                         : r->o->profile->workspaces_forward;

        for (r->products[backward] = true; n > 0; n--)
            take(r, r->o->profile->workspace);
    }
    if (op && op->summed && !r->biases && has_bias(r->p, e->task->op)) {
        r->biases = true;
        take(r, r->o->profile->workspace_bias);
    }
}

static void emit_event(const reserving *r, const rk_event *e, size_t birth)
{
    if (r->is_observed)
        r->o->event(r->o->self, &(rk_reserve_event){*e, birth});
}

static void event(void *self, const rk_event *e)
{
    reserving *r = self;
    tenant *t;

    if (e->backward && !r->backward) {
        r->backward = true;
        r->forward = rk_allocator_peak(r->memory).allocated;
    }
    while (r->tenant.n <= e->entry && r->code == RK_OK)
        if ((t = RK_PUSH(&r->a, &r->tenant)))
            t->block = RK_NONE;
        else
            r->code = rk_fail_memory(r->err);
    if (r->code != RK_OK)
        return;
    t = &r->tenant.at[e->entry];
    if (e->born) {
        int stream = stream_of(r, e->buffer);

        *t = (tenant){e->bytes > 0 ? rk_allocator_take(of_stream(r, stream), e->bytes) : RK_NONE, stream, e->buffer,
                      e->as, r->n_birth++};
        take_workspaces(r, e);
        if (r->o->units)
            note(r);
    } else {
        rk_allocator_free(of_stream(r, t->stream), t->block);
        t->block = RK_NONE;
    }
    emit_event(r, e, t->birth);
}

static void let_go(reserving *r, size_t i)
{
    tenant *t = &r->tenant.at[i];

    if (t->block == RK_NONE)
        return;
    rk_allocator_free(of_stream(r, t->stream), t->block);
    t->block = RK_NONE;
    emit_event(r,
               &(rk_event){.entry = (uint32_t)i,
                           .buffer = t->buffer,
                           .as = t->as,
                           .bytes = r->step->bytes[t->buffer],
                           .backward = true},
               t->birth);
}

/* What the step has left is let go: gradients, the output. */
static void end_step(reserving *r)
{
    for (size_t i = 0; i < r->spare.n; i++)
        rk_allocator_free(r->memory, r->spare.at[i]);
    r->spare.n = 0;
    for (size_t i = 0; i < r->tenant.n; i++)
        let_go(r, i);
}

/* Where the caller takes the loss alone, outputs go before the optimizer's step. */
static void drop_outputs(reserving *r)
{
    for (size_t i = 0; r->o->drops_outputs && i < r->tenant.n; i++)
        for (size_t k = 0; k < r->p->n_output; k++)
            if (r->tenant.at[i].block != RK_NONE &&
                r->tenant.at[i].buffer == r->step->places->tensor[r->p->output[k]].buffer)
                let_go(r, i);
}

static void walk(reserving *r, const rk_step *s)
{
    r->backward = false;
    r->n_birth = 0;
    r->step = s;
    if (r->code == RK_OK)
        r->code = rk_timeline_watch(s, &(rk_watcher){.event = event, .self = r}, r->err);
    if (r->code == RK_OK)
        r->code = rk_allocator_check(r->memory, r->err);
}

static void begin_part(reserving *r)
{
    rk_allocator_reset(r->memory);
    r->most = (rk_allocator_sums){0};
}

/*
 * Whether a step has left the allocator as it found it.  All further steps then do the same, since they ask for the
 * same: nothing of a step is left, and workspaces are taken once.
 */
static bool is_settled(reserving *r)
{
    bool same = r->n_state_seen > 0;

    for (int i = 0; i < RK_STREAMS && r->code == RK_OK; i++) {
        rk_allocator_state *now = &r->state[r->n_state_seen % 2][i], *before = &r->state[1 - r->n_state_seen % 2][i];

        if (!rk_allocator_look(of_stream(r, i), &r->a, now))
            r->code = rk_fail_memory(r->err);
        same = same && rk_allocator_same(now, before);
    }
    r->n_state_seen++;
    return same;
}

static void train(reserving *r, rk_reserve *out)
{
    bool settled = false;

    for (int i = 0; i < RK_RESERVE_STEPS && r->code == RK_OK && !settled; i++) {
        if (i < 3) /* a new part begins: the first step, the second, the others */
            begin_part(r);
        r->is_observed = i == 1 && r->o->event;
        walk(r, i == 0 ? r->o->first : r->o->step);
        if (i == 0) {
            out->forward = r->forward;
            out->backward = rk_allocator_peak(r->memory).allocated;
            rk_allocator_reset(r->memory);
            take(r, rk_optimizer_once(r->o->optimizer));
            each_weight(r, 0, make_state);
        }
        drop_outputs(r);
        each_weight(r, 0, update);
        if (i == 0)
            out->optimizer = rk_allocator_peak(r->memory).allocated;
        if (i + 1 < RK_RESERVE_STEPS) {
            end_step(r);
            settled = is_settled(r);
        }
    }
}

int rk_reserve_find(const rk_reserve_options *o, rk_reserve *out, rk_err *err)
{
    rk_err own = {0};
    reserving r = {.o = o, .p = o->instance->program, .pool = o->instance->pool, .err = &own};

    *out = (rk_reserve){0};
    if (!o->storage->by_weight)
        return RK_OK;
    r.memory = rk_allocator_new(&r.a, o->profile);
    for (int i = 1; i < RK_STREAMS; i++)
        if (!(r.beside[i] = rk_allocator_new(&r.a, o->profile)))
            r.memory = NULL;
    if (!r.memory || !find_first_weights(&r))
        r.code = rk_fail_memory(&own);
    r.needs = RK_NEW_ARRAY(&r.a, r.p->n_weight + 1, needs);
    r.n_state = RK_NEW_ARRAY(&r.a, r.p->n_weight + 1, rk_i128);
    if (r.code == RK_OK && (!r.needs || !r.n_state))
        r.code = rk_fail_memory(&own);
    for (uint32_t i = 0; i < r.p->n_weight && r.code == RK_OK; i++)
        find_needs(&r, i);
    if (r.code == RK_OK)
        each_weight(&r, 0, make_weight);
    if (o->train) {
        make_buckets(&r);
        train(&r, out);
    } else {
        if (r.code == RK_OK)
            rk_allocator_reset(r.memory);
        r.is_observed = o->event != NULL;
        walk(&r, o->step);
    }
    if (r.code == RK_OK) {
        out->known = true;
        out->peak = rk_allocator_peak(r.memory);
        if (o->units)
            out->peak = r.most;
    }
    rk_arena_free(&r.a);
    if (r.code == RK_OK || r.code == RK_ELIMIT) /* too much for a walk is no fault of the account */
        return RK_OK;
    if (err)
        *err = own;
    return r.code;
}
