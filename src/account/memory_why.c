/* SPDX-License-Identifier: MIT */
/* Why a buffer is there: which operation made it, in which type, for whose gradient, until when. */
#include "account/building.h"

#include <string.h>

/* What a number of so many bytes is called: as the run says it, or else by its bytes. */
static const char *run_type_word(const rk_building *b, int bytes)
{
    if (b->o->type && bytes == b->o->bytes)
        return b->o->type;
    return bytes == 4 ? "fp32" : bytes == 2 ? "bf16" : bytes == 1 ? "fp8" : NULL;
}

const char *rk_building_type_word(const rk_building *b, rk_type t)
{
    if (t == RK_TYPE_WHOLE)
        return b->o->profile.index == 4 ? "int32" : "int64";
    return t == RK_TYPE_TRUTH ? "bool" : run_type_word(b, rk_type_bytes(t, &b->run));
}

uint32_t rk_building_reader(const rk_building *b, size_t weight)
{
    for (uint32_t i = 0; i < b->p->n_op; i++)
        for (size_t k = 0; k < b->p->op[i].n_in; k++) {
            const rk_tensor *t = &b->p->tensor[b->p->op[i].in[k].tensor];

            if (t->kind == RK_TENSOR_WEIGHT && t->weight == weight)
                return i;
        }
    return RK_NONE;
}

uint32_t rk_building_cache_maker(const rk_building *b, size_t tensor)
{
    for (size_t k = 0; k < b->p->n_keep; k++)
        for (uint32_t i = 0; b->p->keep[k].tensor == tensor && i < b->p->n_op; i++)
            if (b->p->op[i].part == b->p->keep[k].part && strcmp(b->p->op[i].name, b->p->tensor[tensor].name) == 0)
                return i;
    return RK_NONE;
}

void rk_building_note_stored(rk_building *b, size_t i, rk_alive kind, rk_i128 bytes, rk_ex formula)
{
    const rk_weight *w = &b->p->weight[i];
    rk_ex layers = rk_group_times(b->pool, b->p, w->group);
    rk_i128 times = rk_building_value(b, layers);
    bool in_each = times > 0 && bytes % times == 0; /* else only some layers' lie here */
    bool packed = kind == RK_ALIVE_WEIGHTS && b->m->storage.packed && b->m->storage.packed[i];

    if (bytes == 0 || b->code != RK_OK)
        return;
    rk_building_add_row(b, &b->m->stored,
                        (rk_memory_row){.kind = kind,
                                        .path = w->pattern,
                                        .op = rk_building_reader(b, i),
                                        .owner = b->owners.weight[i],
                                        .buffer = RK_NONE,
                                        .type = kind == RK_ALIVE_OPTIMIZER ? NULL
                                                : packed                   ? rk_number_table[b->o->weights].word
                                                : w->wide                  ? "fp32"
                                                : kind == RK_ALIVE_GRADIENTS && b->o->gradient
                                                    ? run_type_word(b, b->o->gradient)
                                                    : run_type_word(b, rk_building_stored_bytes(b)),
                                        .formula = in_each ? rk_ex_div(b->pool, formula, layers) : formula,
                                        .all = formula,
                                        .bytes = in_each ? bytes / times : bytes,
                                        .times = in_each ? times : 1});
}

typedef struct asking_why {
    rk_building *b;
    struct {
        RK_VEC(uint32_t) by;
        uint32_t until;
    } * at; /* of each place */
} asking_why;

static void note_save(void *self, uint32_t buffer, uint32_t op)
{
    asking_why *x = self;
    uint32_t *slot;

    if (buffer >= x->b->step.n_place)
        return;
    for (size_t i = 0; i < x->at[buffer].by.n; i++)
        if (x->at[buffer].by.at[i] == op)
            return;
    slot = RK_PUSH(&x->b->m->arena, &x->at[buffer].by);
    if (slot)
        *slot = op;
    else
        rk_building_fail(x->b);
}

/* Of layers that differ, the one that is done last. */
static void note_end(void *self, const rk_event *e)
{
    asking_why *x = self;

    if (!e->born && e->backward && e->buffer < x->b->step.n_place && e->task && e->task->op != RK_NONE)
        x->at[e->buffer].until = e->task->op;
}

static void say_why(asking_why *x, rk_memory_row *row)
{
    rk_building *b = x->b;
    size_t n = x->at[row->buffer].by.n;

    row->why.by = RK_NEW_ARRAY(&b->m->arena, n + 1, const char *);
    if (!row->why.by)
        rk_building_fail(b);
    for (; b->code == RK_OK && row->why.n < n; row->why.n++)
        row->why.by[row->why.n] = rk_building_op_path(b, x->at[row->buffer].by.at[row->why.n]);
    row->why.until = rk_building_op_path(b, x->at[row->buffer].until);
}

void rk_building_find_why(rk_building *b)
{
    asking_why x = {.b = b};
    rk_watcher watcher = {.event = note_end, .save = note_save, .self = &x};

    if (b->code != RK_OK || !b->train || !b->o->reasons || b->o->recipe || rk_building_is_pipeline(b))
        return;
    x.at = rk_alloc_array(&b->m->arena, b->step.n_place + 1, sizeof *x.at);
    if (!x.at) {
        rk_building_fail(b);
        return;
    }
    for (size_t i = 0; i < b->step.n_place; i++)
        x.at[i].until = RK_NONE;
    b->code = rk_timeline_watch(&b->step, &watcher, b->err);
    for (size_t i = 0; i < b->m->saved_rows.n && b->code == RK_OK; i++)
        say_why(&x, &b->m->saved_rows.at[i]);
    for (size_t i = 0; i < b->m->alive.n && b->code == RK_OK; i++)
        if (b->m->alive.at[i].buffer != RK_NONE && b->m->alive.at[i].kept > 0)
            say_why(&x, &b->m->alive.at[i]);
}
