/* SPDX-License-Identifier: MIT */
#include "pass/stepping.h"

#include <string.h>

const char *const rk_task_word[RK_N_TASK] = {"forward", "recompute", "gradient",   "accumulate",
                                             "update",  "cache",     "collective", "storage"};

/* ---- tasks and lists -------------------------------------------------------------------------------------------- */

void rk_stepping_fail(rk_stepping *s)
{
    s->code = s->code == RK_OK ? rk_fail_memory(s->err) : s->code;
}

rk_i128 rk_stepping_value(rk_stepping *s, rk_ex e)
{
    rk_i128 n = 0;

    if (s->code == RK_OK)
        s->code = rk_ex_eval(s->pool, e, &s->at, &n, s->err);
    return n;
}

uint32_t rk_stepping_begin_list(rk_stepping *s, uint32_t group, uint32_t *before)
{
    rk_step_list *l = RK_PUSH(s->a, &s->list);

    if (!l) {
        rk_stepping_fail(s);
        return 0;
    }
    *l = (rk_step_list){.group = group};
    *before = s->open;
    return s->open = (uint32_t)(s->list.n - 1);
}

uint32_t rk_stepping_end_list(rk_stepping *s, uint32_t before)
{
    uint32_t list = s->open;

    s->open = before;
    return list;
}

static rk_backward_part part_now(const rk_stepping *s)
{
    return s->loops_done == 0               ? RK_BACKWARD_HEAD
           : s->loops_done < s->n_root_loop ? RK_BACKWARD_MIDDLE
                                            : RK_BACKWARD_EMBEDDING;
}

static void add_item(rk_stepping *s, rk_step_item item)
{
    struct {
        rk_step_item *at;
        size_t n, cap;
    } v;
    rk_step_list *l = &s->list.at[s->open];
    rk_step_item *slot;

    v.at = l->item;
    v.n = l->n_item;
    v.cap = l->cap;
    item.part = part_now(s);
    item.gate = s->gate;
    if ((slot = RK_PUSH(s->a, &v)))
        *slot = item;
    else
        rk_stepping_fail(s);
    l->item = v.at;
    l->n_item = v.n;
    l->cap = v.cap;
}

/* A new task at the end of the list that is being made; the effects that follow are its own. */
rk_task *rk_stepping_task(rk_stepping *s, rk_task_kind kind, uint32_t op, uint32_t operand, rk_stage stage)
{
    rk_task *t = s->code == RK_OK ? RK_PUSH(s->a, &s->task) : NULL;

    if (!t) {
        rk_stepping_fail(s);
        return &s->nowhere;
    }
    *t =
        (rk_task){.kind = kind, .stage = stage, .op = op, .operand = operand, .effect = s->effect.n, .read = s->read.n};
    add_item(s, (rk_step_item){.task = (uint32_t)(s->task.n - 1), .loop = RK_NONE});
    return t;
}

void rk_stepping_read(rk_stepping *s, uint32_t slot)
{
    uint32_t *at = s->code == RK_OK ? RK_PUSH(s->a, &s->read) : NULL;

    if (!at) {
        rk_stepping_fail(s);
        return;
    }
    *at = slot;
    s->task.at[s->task.n - 1].n_read++;
}

void rk_stepping_effect(rk_stepping *s, rk_effect_kind kind, uint32_t slot, uint32_t other)
{
    rk_effect *e = s->code == RK_OK ? RK_PUSH(s->a, &s->effect) : NULL;

    if (!e) {
        rk_stepping_fail(s);
        return;
    }
    *e = (rk_effect){kind, slot, other};
    s->task.at[s->task.n - 1].n_effect++;
    s->list.at[s->open].n_given += (kind == RK_EFFECT_MOVE && slot == RK_NONE) || kind == RK_EFFECT_CACHE;
}

/* The sum of two rooms, within the limit. */
uint32_t rk_stepping_add_room(rk_stepping *s, uint32_t a, uint32_t b)
{
    if ((size_t)a + b <= RK_STEP_LIVE_MAX)
        return a + b;
    if (s->code == RK_OK)
        s->code = rk_fail(s->err, RK_ELIMIT, "the layers save too many buffers for a timeline (limit is %zu)",
                          RK_STEP_LIVE_MAX);
    return 0;
}

/* Room for so many more in the frame of the list that is being made. */
uint32_t rk_stepping_room(rk_stepping *s, uint32_t n)
{
    uint32_t first = s->list.at[s->open].n_saved;

    s->list.at[s->open].n_saved = rk_stepping_add_room(s, first, n);
    return first;
}

/* What runs in a loop counts for the list in which the loop stands. */
void rk_stepping_loop(rk_stepping *s, rk_step_item item)
{
    rk_step_list *l = &s->list.at[s->open];

    for (size_t i = 0; i < item.n_run && s->code == RK_OK; i++) {
        const rk_step_list *of = &s->list.at[item.run[i].list];

        if (of->n_op > RK_STEP_OPS_MAX - l->n_op)
            s->code = rk_fail(s->err, RK_ELIMIT, "the layers have too many operations for a timeline (limit is %zu)",
                              RK_STEP_OPS_MAX);
        else if (of->n_given > RK_STEP_LIVE_MAX - l->n_given)
            s->code = rk_fail(s->err, RK_ELIMIT, "the layers have too many weights for a timeline (limit is %zu)",
                              RK_STEP_LIVE_MAX);
        l->n_op += of->n_op;
        l->n_given += of->n_given;
    }
    if (s->code == RK_OK)
        add_item(s, item);
}

/* ---- slots ------------------------------------------------------------------------------------------------------ */

uint32_t rk_stepping_gradient(const rk_stepping *s, uint32_t tensor)
{
    return (uint32_t)(s->out->n_place + tensor);
}

uint32_t rk_stepping_variable(const rk_stepping *s, size_t loop, size_t v)
{
    return s->variable[loop] + (uint32_t)v;
}

uint32_t rk_stepping_variable_gradient(const rk_stepping *s, size_t loop, size_t v)
{
    return s->variable[loop] + (uint32_t)(s->p->loop[loop].n_carry + v);
}

uint32_t rk_stepping_place_of(const rk_stepping *s, uint32_t tensor)
{
    return s->pl->tensor[tensor].buffer;
}

/* Under which slot a group knows a place: what goes into a layer is a variable of its loop. */
uint32_t rk_stepping_slot(const rk_stepping *s, uint32_t group, uint32_t place)
{
    for (; s->p->group[group].loop != RK_NONE; group = s->p->group[group].parent) {
        const rk_group *g = &s->p->group[group];

        for (size_t v = s->p->loop[g->loop].n_carry; v > 0; v--)
            if (rk_stepping_place_of(s, g->in[v - 1]) == place)
                return rk_stepping_variable(s, g->loop, v - 1);
        if (s->pl->buffer[place].group == group)
            break;
    }
    return place;
}

bool rk_stepping_is_weight(const rk_stepping *s, uint32_t tensor)
{
    return s->p->tensor[tensor].kind == RK_TENSOR_WEIGHT;
}

/* The tensor that has the storage of a weight. */
uint32_t rk_stepping_owner(const rk_stepping *s, uint32_t tensor)
{
    const rk_weight *weight = &s->p->weight[rk_units_owner(s->o->units, s->p, s->p->tensor[tensor].weight)];

    return weight->tensor == RK_NONE ? tensor : weight->tensor;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* A collective task at the end of the list that is being made. */
void rk_stepping_send(rk_stepping *s, rk_sent sent)
{
    rk_sent *slot = s->code == RK_OK ? RK_PUSH(s->a, &s->sent) : NULL;

    if (!slot) {
        rk_stepping_fail(s);
        return;
    }
    *slot = sent;
    rk_stepping_task(s, RK_TASK_COLLECTIVE, RK_NONE, (uint32_t)(s->sent.n - 1), RK_STAGE_NONE);
}

/* The gradient of a weight that is partial sums over axes of the mesh is added up. */
static void reduce_partial(rk_stepping *s, const rk_weight *w, rk_ex times)
{
    for (int axis = 0; axis < RK_N_MESH && w->tied_to == RK_NONE && !w->frozen; axis++)
        if (w->partial >> axis & 1)
            rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_ALL_REDUCE,
                                          .axis = (rk_mesh_axis)axis,
                                          .elements = w->count,
                                          .bytes = w->wide ? 4 : s->o->run.bytes,
                                          .times = times});
}

/* Some runtimes do that as soon as those of a layer, or of all that stands outside (0), are complete. */
void rk_stepping_reduce_partial(rk_stepping *s, uint32_t group)
{
    for (uint32_t i = 0; s->o->layout && s->o->layout->runtime.partial == RK_PARTIAL_WITH_LAYER && i < s->p->n_weight;
         i++)
        if (s->p->weight[i].group == group)
            reduce_partial(s, &s->p->weight[i], RK_EX_FAILED);
}

/* … and others when all passes have ended, of each axis all in one piece. */
static void reduce_together(rk_stepping *s)
{
    for (int axis = 0; s->o->layout && s->o->layout->runtime.partial == RK_PARTIAL_TOGETHER && axis < RK_N_MESH;
         axis++) {
        rk_ex sum = rk_ex_int(s->pool, 0);

        for (uint32_t i = 0; i < s->p->n_weight; i++) {
            const rk_weight *w = &s->p->weight[i];

            if ((w->partial >> axis & 1) && w->tied_to == RK_NONE && !w->frozen)
                sum = rk_ex_add(s->pool, sum, rk_ex_mul(s->pool, rk_group_times(s->pool, s->p, w->group), w->count));
        }
        if (rk_stepping_value(s, sum) > 0)
            rk_stepping_send(s, (rk_sent){.op = RK_COLLECTIVE_ALL_REDUCE,
                                          .axis = (rk_mesh_axis)axis,
                                          .elements = sum,
                                          .bytes = s->o->layout->runtime.main_gradients ? 4 : s->o->run.bytes,
                                          .times = rk_ex_int(s->pool, 1),
                                          .ends = axis == RK_MESH_PP});
    }
}

/* One task for each weight that is trained; of equal layers one. */
static void update_weights(rk_stepping *s)
{
    uint32_t before;

    s->out->update = rk_stepping_begin_list(s, 0, &before);
    for (uint32_t i = 0;
         s->o->layout && s->o->layout->runtime.partial == RK_PARTIAL_IN_STEP && !s->o->units && i < s->p->n_weight;
         i++) /* with units, when one ends */
        for (int k = 0; k == 0 || k < s->o->gradient_reads; k++)
            reduce_partial(s, &s->p->weight[i], rk_group_times(s->pool, s->p, s->p->weight[i].group));
    reduce_together(s);
    rk_stepping_reduce_main(s);
    rk_stepping_clip(s);
    for (uint32_t i = 0; i < s->p->n_weight && s->code == RK_OK; i++) {
        const rk_weight *w = &s->p->weight[i];

        if (rk_units_owner(s->o->units, s->p, i) == i && !w->frozen && !w->buffer) {
            rk_stepping_task(s, RK_TASK_UPDATE, RK_NONE, i, RK_STAGE_NONE);
            rk_stepping_send_weight(s, w);
        }
    }
    rk_stepping_send_flat(s);
    rk_stepping_end_list(s, before);
}

static bool begin(rk_stepping *s)
{
    const rk_program *p = s->p;
    size_t nb = s->pl->n_buffer, nt = p->n_tensor, n_region = p->n_region;
    rk_step *out = s->out;

    *out = (rk_step){.program = p,
                     .layout = s->o->layout,
                     .places = s->pl,
                     .forward = RK_NONE,
                     .backward = RK_NONE,
                     .update = RK_NONE,
                     .places_of_sequence = s->o->places,
                     .n_place = nb,
                     .n_tensor = nt,
                     .n_buffer = nb + 2 * nt};
    s->fresh = (uint32_t)out->n_buffer;
    s->sum = s->fresh + 1;
    s->inner = s->sum + 1;
    s->sent_slot = s->inner + (uint32_t)rk_stepping_n_inner();
    s->half_slot = s->sent_slot + (uint32_t)p->n_stage;
    out->n_slot = s->half_slot + N_HALF_SLOT;
    s->variable = RK_NEW_ARRAY(s->a, p->n_loop + 1, uint32_t);
    for (size_t i = 0; s->variable && i < p->n_loop; i++) {
        s->variable[i] = (uint32_t)out->n_slot;
        out->n_slot += 3 * p->loop[i].n_carry;
    }
    s->unit_slot = (uint32_t)out->n_slot;
    out->n_slot += rk_stepping_n_unit_slot(s);
    s->unit_list = RK_NEW_ARRAY(s->a, rk_stepping_n_unit_list(s) + 1, uint32_t);
    out->bytes = RK_NEW_ARRAY(s->a, out->n_buffer + 1, rk_i128);
    out->one_place = RK_NEW_ARRAY(s->a, nb + 1, bool);
    out->offloaded = RK_NEW_ARRAY(s->a, nb + 1, uint32_t);
    s->fetched = RK_NEW_ARRAY(s->a, nb + 1, bool);
    s->releaser = RK_NEW_ARRAY(s->a, nb + 1, uint32_t);
    s->last = RK_NEW_ARRAY(s->a, nb + 1, uint32_t);
    s->next = RK_NEW_ARRAY(s->a, nb + 1, uint32_t);
    s->released = RK_NEW_ARRAY(s->a, 2 * p->n_op + 2, uint32_t);
    s->held = RK_NEW_ARRAY(s->a, nb + 1, bool);
    s->carried_out = RK_NEW_ARRAY(s->a, nb + 1, bool);
    s->used = RK_NEW_ARRAY(s->a, nb + 1, bool);
    s->saved = RK_NEW_ARRAY(s->a, p->n_op + 1, uint32_t);
    s->n_saved = RK_NEW_ARRAY(s->a, p->n_op + 1, uint32_t);
    s->region_saved = RK_NEW_ARRAY(s->a, n_region + 1, uint32_t);
    s->region_input = RK_NEW_ARRAY(s->a, n_region + 1, uint32_t *);
    s->n_region_input = RK_NEW_ARRAY(s->a, n_region + 1, uint32_t);
    s->layer_saved = RK_NEW_ARRAY(s->a, p->n_group + 1, uint32_t);
    s->loop_at = RK_NEW_ARRAY(s->a, p->n_loop + 1, rk_step_item);
    s->forward_list = RK_NEW_ARRAY(s->a, N_SAVING * p->n_group + 1, uint32_t);
    s->n_segment_saved = RK_NEW_ARRAY(s->a, p->n_loop + 1, uint32_t);
    s->first_recompute_input = RK_NEW_ARRAY(s->a, p->n_loop + 1, size_t);
    s->end_recompute_input = RK_NEW_ARRAY(s->a, p->n_loop + 1, size_t);
    s->most_room = RK_NEW_ARRAY(s->a, p->n_loop + 1, uint32_t);
    s->segment_room = RK_NEW_ARRAY(s->a, p->n_loop + 1, uint32_t);
    s->has = RK_NEW_ARRAY(s->a, 2 * out->n_slot + 1, bool); /* both, to be compared together */
    s->borrowed = s->has ? s->has + out->n_slot : NULL;
    s->uses = RK_NEW_ARRAY(s->a, nt + 1, uint32_t);
    s->first_use = RK_NEW_ARRAY(s->a, nt + 1, uint32_t);
    s->read_back = RK_NEW_ARRAY(s->a, nt + 1, uint32_t);
    s->kept_gradient = RK_NEW_ARRAY(s->a, p->n_op + 1, uint32_t);
    if (s->a->failed)
        return false;
    memset(s->unit_list, 0xFF, rk_stepping_n_unit_list(s) * sizeof *s->unit_list);
    memset(s->forward_list, 0xFF, N_SAVING * p->n_group * sizeof *s->forward_list);
    memset(s->kept_gradient, 0xFF, p->n_op * sizeof *s->kept_gradient);
    s->sole_gradient = RK_NONE;
    s->end_op = p->n_op;
    return true;
}

/* Temporaries are buffers as well. */
static void add_temporaries(rk_stepping *s)
{
    rk_step *out = s->out;
    rk_i128 *bytes = s->temporary.n ? RK_NEW_ARRAY(s->a, out->n_buffer + s->temporary.n + 1, rk_i128) : out->bytes;

    if (!bytes || s->code != RK_OK) {
        rk_stepping_fail(s);
        return;
    }
    if (bytes != out->bytes)
        memcpy(bytes, out->bytes, out->n_buffer * sizeof *bytes);
    out->bytes = bytes;
    out->temporary = s->temporary.at;
    out->n_temporary = s->temporary.n;
    for (size_t i = 0; i < s->temporary.n; i++)
        out->bytes[out->n_buffer++] = s->temporary.at[i].bytes;
}

int rk_step_new(rk_arena *a, const rk_instance *m, const rk_places *pl, const rk_flow *f, const rk_step_options *o,
                rk_step *out, rk_err *err)
{
    rk_stepping s = {
        .a = a, .pool = m->pool, .p = m->program, .pl = pl, .f = f, .o = o, .at = m->at, .err = err, .out = out};

    if (!begin(&s))
        return rk_fail_memory(err);
    rk_stepping_measure(&s);
    rk_stepping_find_units(&s);
    rk_stepping_find_flat(&s);
    rk_stepping_name_sizes(&s);
    rk_stepping_find_details(&s);
    rk_stepping_find_recomputed(&s);
    if (s.code != RK_OK)
        return s.code;
    rk_stepping_note_reads(&s);
    if (o->schedule)
        rk_stepping_stages(&s);
    else
        rk_stepping_forward(&s);
    if (o->backward && !o->schedule)
        rk_stepping_backward(&s);
    if (o->backward)
        update_weights(&s);
    add_temporaries(&s);
    out->task = s.task.at;
    out->n_task = s.task.n;
    out->effect = s.effect.at;
    out->read = s.read.at;
    out->list = s.list.at;
    out->n_list = s.list.n;
    out->sent = s.sent.at;
    out->n_sent = s.sent.n;
    return s.code;
}
