/* SPDX-License-Identifier: MIT */
#include "model/expand.h"
#include "model/needs.h"

#include <string.h>

const rk_split *rk_split_find(const rk_splits *list, const rk_loop_key *key)
{
    for (size_t i = 0; i < list->list.n; i++)
        if (memcmp(&list->list.at[i].key, key, sizeof *key) == 0)
            return &list->list.at[i];
    return NULL;
}

static rk_split *split_of(rk_splits *list, const rk_loop_key *key)
{
    const rk_split *known = rk_split_find(list, key);
    rk_split *s = known ? &list->list.at[known - list->list.at] : NULL;

    if (!s && (s = RK_PUSH(&list->arena, &list->list)))
        *s = (rk_split){.key = *key};
    return s;
}

static uint32_t group_of(const rk_loop *l, size_t layer)
{
    return l->order ? l->order[layer] : l->group[0];
}

/* Is there a group with layers of different signs?  `sign` has room for one per group of the program. */
static bool differs(const rk_loop *l, const rk_flow_loop *f, uint64_t *sign)
{
    for (size_t i = l->n_layer; i > 0; i--)
        sign[group_of(l, i - 1)] = f->sign[i - 1];
    for (size_t i = 0; i < l->n_layer; i++)
        if (sign[group_of(l, i)] != f->sign[i])
            return true;
    return !l->count_known && f->first + f->last > 0;
}

/* Layers of one group and one sign are one class. */
static bool classify(rk_splits *list, const rk_loop *l, const rk_flow_loop *f, rk_split *s)
{
    rk_map known = {.n = 0};

    s->n_layer = l->n_layer;
    s->class = RK_NEW_ARRAY(&list->arena, l->n_layer + 1, uint32_t);
    for (size_t i = 0; s->class && i < l->n_layer; i++) {
        uint64_t key[2] = {group_of(l, i), f->sign[i]};
        uint32_t class = rk_map_get(&known, (const char *)key, sizeof key);

        s->class[i] = class == RK_NONE ? (uint32_t)known.n : class;
        if (class == RK_NONE && !rk_map_put(&list->arena, &known, (const char *)key, sizeof key, s->class[i]))
            return false;
    }
    return s->class != NULL;
}

static bool is_apart(const rk_splits *list, const rk_loop_key *key)
{
    const rk_split *s = rk_split_find(list, key);

    return s && s->apart;
}

/* What is carried is told apart first; then it is seen which layers differ. */
static bool split_loop(rk_splits *list, const rk_loop_key *key, const rk_loop *l, const rk_flow_loop *f)
{
    bool apart = !f->aliased || is_apart(list, key);
    rk_split *s = split_of(list, key);

    if (!s)
        return false;
    if (!apart)
        return s->apart = true;
    if (l->count_known)
        return classify(list, l, f, s);
    s->first += f->first;
    s->last += f->last;
    return true;
}

/* Outer loops come first.  What stands in a loop that is split is looked at when that has been done. */
static bool split_all(const rk_ctx *c, const rk_flow *f, rk_splits *list, uint64_t *sign, bool *open)
{
    const rk_program *p = &c->model->program;

    for (size_t i = 0; i < p->n_loop; i++) {
        const rk_loop *l = &p->loop[i];
        const rk_loop_key *key = &c->loop_key.at[i];
        uint32_t outer = p->group[l->parent].loop;
        bool waits = outer != RK_NONE && open[outer];
        bool mixed = l->n_group && ((f->loop[i].aliased && !is_apart(list, key)) || differs(l, &f->loop[i], sign));

        open[i] = waits || mixed;
        if (mixed && !waits && !split_loop(list, key, l, &f->loop[i]))
            return false;
    }
    return true;
}

int rk_splits_add(const rk_ctx *c, rk_splits *list, bool *found)
{
    const rk_program *p = &c->model->program;
    rk_arena own = {0};
    rk_flow f = {0};
    uint64_t *sign = RK_NEW_ARRAY(&own, p->n_group + 1, uint64_t);
    bool *open = RK_NEW_ARRAY(&own, p->n_loop + 1, bool);
    int code = sign && open ? rk_flow_new(&own, p, &f, c->err) : rk_fail_memory(c->err);

    if (code == RK_OK)
        code = rk_adapt_signs(c, &f);
    if (code == RK_OK && !split_all(c, &f, list, sign, open))
        code = rk_fail_memory(c->err);
    *found = false;
    for (size_t i = 0; code == RK_OK && i < p->n_loop; i++)
        *found |= open[i];
    rk_arena_free(&own);
    return code == RK_OK ? code : rk_err_context(c->err, code, "%s", c->source->name);
}
