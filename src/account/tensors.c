/* SPDX-License-Identifier: MIT */
#include "account/tensors.h"

/* The rows of one loop; of those, the ones that its present layer has. */
typedef struct frame {
    const rk_weight_row **all, **here;
    size_t n_all, n, at;
    uint32_t loop; /* RK_NONE: outside of all loops */
    rk_i128 layer, n_layer;
} frame;

struct rk_tensors {
    rk_arena arena;
    const rk_ledger *ledger;
    frame *frame; /* one for each depth of loops */
    size_t depth;
    rk_i128 *index;
};

/* ---- groups ----------------------------------------------------------------------------------------------------- */

static size_t loops_around(const rk_program *p, uint32_t group)
{
    size_t n = 0;

    for (; p->group[group].loop != RK_NONE; group = p->group[group].parent)
        n++;
    return n;
}

/* Of the groups around a row, from the outermost loop inwards: the one `depth` loops in, or RK_NONE. */
static uint32_t group_at(const rk_tensors *t, const rk_weight_row *row, size_t depth)
{
    const rk_program *p = &t->ledger->model->program;
    uint32_t group = p->weight[row->weight].group;
    size_t n = loops_around(p, group);

    if (n <= depth)
        return RK_NONE;
    for (; n > depth + 1; n--)
        group = p->group[group].parent;
    return group;
}

/* ---- walking ---------------------------------------------------------------------------------------------------- */

/* The rows that the present layer of the innermost loop has. */
static void fill(rk_tensors *t)
{
    frame *f = &t->frame[t->depth];
    const rk_loop *loop = &t->ledger->model->program.loop[f->loop];

    f->n = f->at = 0;
    t->index[f->loop] = f->layer;
    for (size_t i = 0; i < f->n_all; i++)
        if (!loop->order || loop->order[f->layer] == group_at(t, f->all[i], t->depth - 1))
            f->here[f->n++] = f->all[i];
}

/* Enters the loop of a group: the rows from here on that stand in it too are walked over layer by layer. */
static int enter(rk_tensors *t, uint32_t group, rk_err *err)
{
    const rk_model *m = t->ledger->model;
    frame *f = &t->frame[t->depth], *inner = f + 1;
    size_t first = f->at, last = first;
    int code;

    inner->loop = m->program.group[group].loop;
    code = rk_ex_eval(m->pool, m->program.loop[inner->loop].count, &t->ledger->instance->at, &inner->n_layer, err);
    if (code != RK_OK)
        return code;
    for (; last < f->n; last++) {
        uint32_t g = group_at(t, f->here[last], t->depth);

        if (g == RK_NONE || m->program.group[g].loop != inner->loop)
            break;
    }
    f->at = last;
    inner->all = f->here + first;
    inner->n_all = last - first;
    inner->layer = 0;
    inner->n = inner->at = 0;
    t->depth++;
    if (inner->n_layer > 0)
        fill(t);
    return RK_OK;
}

int rk_tensors_next(rk_tensors *t, const rk_weight_row **out, rk_err *err)
{
    for (;;) {
        frame *f = &t->frame[t->depth];
        uint32_t group = f->at < f->n ? group_at(t, f->here[f->at], t->depth) : RK_NONE;
        int code;

        if (group != RK_NONE) {
            if ((code = enter(t, group, err)) != RK_OK)
                return code;
        } else if (f->at < f->n || t->depth == 0) {
            *out = f->at < f->n ? f->here[f->at++] : NULL;
            return RK_OK;
        } else if (++f->layer < f->n_layer) {
            fill(t);
        } else {
            t->depth--;
        }
    }
}

const rk_i128 *rk_tensors_index(const rk_tensors *t)
{
    return t->index;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

int rk_tensors_new(const rk_ledger *l, const rk_weight_row *row, size_t n, rk_tensors **out, rk_err *err)
{
    const rk_program *p = &l->model->program;
    rk_tensors *t = rk_heap_alloc(sizeof *t);
    size_t deepest = 0;

    if (!t)
        return rk_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        size_t depth = loops_around(p, p->weight[row[i].weight].group);

        deepest = depth > deepest ? depth : deepest;
    }
    *t = (rk_tensors){.ledger = l};
    t->index = RK_NEW_ARRAY(&t->arena, p->n_loop + 1, rk_i128);
    t->frame = RK_NEW_ARRAY(&t->arena, deepest + 1, frame);
    for (size_t i = 0; t->frame && i <= deepest; i++)
        t->frame[i].here = RK_NEW_ARRAY(&t->arena, n, const rk_weight_row *);
    if (t->arena.failed) {
        rk_tensors_free(t);
        return rk_fail_memory(err);
    }
    t->frame[0].loop = RK_NONE;
    t->frame[0].n = n;
    for (size_t i = 0; i < n; i++)
        t->frame[0].here[i] = &row[i];
    *out = t;
    return RK_OK;
}

void rk_tensors_free(rk_tensors *t)
{
    if (!t)
        return;
    rk_arena_free(&t->arena);
    rk_heap_free(t);
}
