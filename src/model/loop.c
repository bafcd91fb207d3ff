/* SPDX-License-Identifier: MIT */
/*
 * A repeated part is expanded once for all layers that are equal.  Which are?  While a layer is expanded, every value
 * that depends on its number and decides something (a condition, a size, a word in a name) is noted.  Another layer
 * for which all these come out the same would be expanded in just the same way, so it joins the group; the body is
 * not looked at again.
 */
#include "model/expand.h"

#include <string.h>

/* ---- parts --------------------------------------------------------------------------------------------------- */

static int part_enter(rk_ctx *c, const char *name, uint32_t *saved)
{
    const rk_part *here = &c->part_list.at[c->part];
    char *path = here->path[0] ? rk_arena_format(c->a, "%s.%s", here->path, name) : rk_arena_text(c->a, name);
    uint32_t known = path ? rk_map_get(&c->part_of_path, path, strlen(path)) : RK_NONE;
    rk_part *p;

    if (!path)
        return rk_fatal_memory(c);
    *saved = c->part;
    if (known == RK_NONE) {
        if (!(p = RK_PUSH(c->a, &c->part_list)))
            return rk_fatal_memory(c);
        *p = (rk_part){.name = name, .path = path, .parent = *saved};
        known = (uint32_t)(c->part_list.n - 1);
        if (!rk_map_put(c->a, &c->part_of_path, path, strlen(path), known))
            return rk_fatal_memory(c);
    }
    c->part = known;
    return RK_OK;
}

/* The body under the part's own prefix of names. */
static int body_at_prefix(rk_ctx *c, const rk_stmt *s)
{
    rk_weight_name saved = c->prefix;
    int code = s->prefix ? rk_prefix_push(c, s->prefix, &saved) : RK_OK;

    if (code == RK_OK)
        code = rk_body_expand(c, &s->body);
    c->prefix = saved;
    return code;
}

/* ---- groups -------------------------------------------------------------------------------------------------- */

typedef struct layers {
    rk_decisions *decision; /* one list for each group */
    uint32_t *group;        /* its number in the program */
    size_t *count;
    size_t n, cap;
    bool first, last; /* how many layers there are is not known, and these are peeled off */
    uint32_t *order;  /* place in `group` of each layer */
} layers;

static int group_add(rk_ctx *c, layers *l, uint32_t loop)
{
    rk_group *g = RK_PUSH(c->a, &c->group_list);

    if (!g)
        return rk_fatal_memory(c);
    *g = (rk_group){.parent = c->group, .loop = loop, .times = rk_ex_int(c->pool, 1)};
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 4;
        rk_decisions *d = RK_NEW_ARRAY(c->a, cap, rk_decisions);
        uint32_t *group = RK_NEW_ARRAY(c->a, cap, uint32_t);
        size_t *count = RK_NEW_ARRAY(c->a, cap, size_t);

        if (!d || !group || !count)
            return rk_fatal_memory(c);
        if (l->n) {
            memcpy(d, l->decision, l->n * sizeof *d);
            memcpy(group, l->group, l->n * sizeof *group);
            memcpy(count, l->count, l->n * sizeof *count);
        }
        l->decision = d;
        l->group = group;
        l->count = count;
        l->cap = cap;
    }
    l->group[l->n++] = (uint32_t)(c->group_list.n - 1);
    return RK_OK;
}

static void set_index(rk_ctx *c, rk_bind *index, rk_i128 value)
{
    index->scalar.value = value;
    c->turn++;
}

/* Would this layer decide just as the group did? */
static bool decides_alike(rk_ctx *c, const rk_decisions *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const rk_decision *d = &list->at[i];
        rk_scalar now = {0};
        rk_mistakes quiet = c->mistakes;

        if (++c->n_asked > RK_ASKED_MAX) {
            rk_fatal(c, RK_ELIMIT, "%s: too many layers that differ", c->source->name);
            return false;
        }
        for (size_t k = 0; k < RK_LOOP_NEST_MAX; k++)
            if (d->index[k])
                set_index(c, d->index[k], d->inner[k]);
        if (rk_scalar_eval(c, d->frame, d->node, &now) != RK_OK) {
            c->mistakes = quiet; /* expanding the layer will say it */
            return false;
        }
        if (!rk_scalar_same(&now, &d->value) || now.ex != d->value.ex)
            return false;
    }
    return true;
}

static int expand_body(rk_ctx *c, const rk_stmt *s, rk_loop_state *state, layers *l, size_t which)
{
    uint32_t group = c->group;
    rk_frame *here = c->frame, *f = rk_frame_new(c, here);
    int code;

    if (!f)
        return c->fatal;
    rk_bind **slot = RK_PUSH(c->a, &f->bind);

    if (!slot)
        return rk_fatal_memory(c);
    *slot = state->index;
    state->recording = &l->decision[which];
    c->loop_stack[c->n_loop_stack++] = *state;
    c->group = l->group[which];
    c->frame = f;
    code = body_at_prefix(c, s);
    if (code == RK_OK)
        code = rk_frame_settled(c, f);
    c->frame = here;
    c->group = group;
    c->n_loop_stack--;
    return code;
}

/* What is carried from layer to layer must keep its shape. */
typedef struct carried {
    rk_bind *bind;
    rk_seen seen;
} carried;

static size_t snapshot(rk_ctx *c, carried **out)
{
    size_t n = 0;

    for (rk_frame *f = c->frame; f; f = f->is_block ? NULL : f->parent)
        n += f->bind.n;
    *out = RK_NEW_ARRAY(c->a, n ? n : 1, carried);
    n = 0;
    for (rk_frame *f = c->frame; f && *out; f = f->is_block ? NULL : f->parent)
        for (size_t i = 0; i < f->bind.n; i++)
            if (f->bind.at[i]->kind == RK_BIND_TENSOR)
                (*out)[n++] = (carried){f->bind.at[i], f->bind.at[i]->seen};
    return n;
}

static bool read_since(const rk_ctx *c, size_t first_op, uint32_t tensor)
{
    for (size_t i = first_op; i < c->op.n; i++)
        for (size_t k = 0; k < c->op.at[i].n_in; k++)
            if (c->op.at[i].in[k].tensor == tensor)
                return true;
    return false;
}

static int note_carry(rk_ctx *c, rk_span loop, const carried *before)
{
    rk_carry *carry = RK_PUSH(c->a, &c->carry);

    if (!carry)
        return rk_fatal_memory(c);
    *carry = (rk_carry){.loop = loop, .in = before->seen.tensor, .out = before->bind->seen.tensor};
    return RK_OK;
}

static int same_shape(rk_ctx *c, const carried *list, size_t n, size_t first_op, rk_span loop)
{
    int code = RK_OK;

    for (size_t i = 0; i < n; i++) {
        rk_bind *b = list[i].bind;

        if (b->kind != RK_BIND_TENSOR || b->seen.tensor == list[i].seen.tensor)
            continue;
        if (rk_ixs_same(&b->seen.axes, &list[i].seen.axes)) {
            code = note_carry(c, loop, &list[i]) == RK_OK ? code : c->fatal;
            continue;
        }
        /* A name used anew, without a look at what it was before, is the layer's own. */
        if (!read_since(c, first_op, list[i].seen.tensor))
            b->seen = list[i].seen;
        else
            code = RK_MISTAKE(c, b->span, "%s is carried from layer to layer, but comes in as %s and goes out as %s",
                              b->name, rk_ixs_text(c, &list[i].seen.axes), rk_ixs_text(c, &b->seen.axes));
    }
    return code;
}

static int expand_layer(rk_ctx *c, const rk_stmt *s, rk_loop_state *state, layers *l)
{
    carried *before = NULL;
    size_t n = snapshot(c, &before), first_op = c->op.n;
    int code;

    if (!before)
        return rk_fatal_memory(c);
    code = group_add(c, l, state->loop);
    if (code == RK_OK)
        code = expand_body(c, s, state, l, l->n - 1);
    return code == RK_OK ? same_shape(c, before, n, first_op, s->span) : code;
}

rk_peel rk_peel_of(rk_span loop, bool last)
{
    const char *name = loop.source->name;

    return (rk_peel){.file = rk_hash(name, strlen(name), 0), .at = loop.at, .last = last};
}

static bool is_peeled(const rk_ctx *c, rk_span loop, bool last)
{
    rk_peel here = rk_peel_of(loop, last);

    for (size_t i = 0; i < c->n_peel; i++)
        if (c->peel[i].file == here.file && c->peel[i].at == here.at && c->peel[i].last == here.last)
            return true;
    return false;
}

/* A first layer that was peeled off is alone in its group. */
static size_t find_group(rk_ctx *c, const layers *l, bool peeled)
{
    size_t g = peeled;

    while (g < l->n && !decides_alike(c, &l->decision[g]))
        g++;
    return g;
}

/*
 * A layer that joins a group is not expanded, but what it decided may come out otherwise in another layer of a loop
 * around this one: the loops around note it too.
 */
static int note_outside(rk_ctx *c, const rk_loop_state *state, const rk_decisions *list)
{
    for (size_t i = 0; i < c->n_loop_stack; i++)
        for (size_t k = 0; k < list->n; k++) {
            rk_decision *d = RK_PUSH(c->a, c->loop_stack[i].recording);

            if (!d)
                return rk_fatal_memory(c);
            *d = list->at[k];
            for (size_t j = i + 1; j < c->n_loop_stack; j++) {
                d->index[j] = c->loop_stack[j].index;
                d->inner[j] = d->index[j]->scalar.value;
            }
            d->index[c->n_loop_stack] = state->index;
            d->inner[c->n_loop_stack] = state->index->scalar.value;
        }
    return RK_OK;
}

/* Room for the group of each layer, made when the first layer turns out to decide something by its number. */
static int order_new(rk_ctx *c, layers *l, size_t n_layer)
{
    l->order = RK_NEW_ARRAY(c->a, n_layer, uint32_t);
    return l->order ? RK_OK : rk_fatal_memory(c);
}

static int expand_known(rk_ctx *c, const rk_stmt *s, rk_loop_state *state, layers *l, size_t n_layer)
{
    bool first = is_peeled(c, s->span, false), last = is_peeled(c, s->span, true);
    int code = n_layer ? expand_layer(c, s, state, l) : RK_OK;

    if (code != RK_OK || n_layer == 0)
        return code;
    l->count[0] = 1;
    /* A layer that decided nothing by its number speaks for all. */
    if (l->decision[0].n == 0 && !first && !last) {
        l->count[0] = n_layer;
        return RK_OK;
    }
    code = order_new(c, l, n_layer);
    for (size_t i = 1; i < n_layer && code == RK_OK; i++) {
        size_t g;

        set_index(c, state->index, (rk_i128)i);
        g = last && i + 1 == n_layer ? l->n : find_group(c, l, first);
        code = c->fatal ? c->fatal : g == l->n ? expand_layer(c, s, state, l) : note_outside(c, state, &l->decision[g]);
        l->order[i] = (uint32_t)g;
        if (code == RK_OK)
            l->count[g]++;
    }
    return code;
}

static int expand_unknown(rk_ctx *c, const rk_stmt *s, rk_loop_state *state, layers *l)
{
    int code = expand_layer(c, s, state, l);

    l->first = is_peeled(c, s->span, false);
    l->last = is_peeled(c, s->span, true);
    for (int i = 0; i < l->first + l->last && code == RK_OK; i++)
        code = expand_layer(c, s, state, l);
    if (code == RK_OK && l->decision[0].n)
        return RK_MISTAKE(c, s->span, "layers differ here, so their number must be known: give it a value");
    return code;
}

/* One group is all layers; one layer peeled off leaves all but one; else the layers are counted. */
static rk_ex group_times(rk_ctx *c, const layers *l, const rk_loop *loop, size_t g)
{
    bool first = loop->count_known ? l->count[0] == 1 : l->first;
    bool last = loop->count_known ? l->n > 1 && l->count[l->n - 1] == 1 && !first : l->last;

    if (l->n == 1)
        return loop->count;
    if (loop->count_known && l->n > 2)
        return rk_ex_int(c->pool, (rk_i128)l->count[g]);
    if ((first && g == 0) || (last && g == l->n - 1))
        return rk_ex_int(c->pool, 1);
    if (!first && !last)
        return rk_ex_int(c->pool, (rk_i128)l->count[g]);
    return rk_ex_sub(c->pool, loop->count, rk_ex_int(c->pool, first + last));
}

static int list_layers(rk_ctx *c, const layers *l, rk_loop *loop)
{
    for (size_t g = 0; g < l->n; g++) {
        rk_group *group = &c->group_list.at[l->group[g]];
        size_t k = 0;

        group->n_layer = l->count[g];
        group->times = group_times(c, l, loop, g);
        if (l->n == 1 || !loop->count_known)
            continue;
        if (!(group->layer = RK_NEW_ARRAY(c->a, l->count[g], uint32_t)))
            return rk_fatal_memory(c);
        for (size_t i = 0; i < loop->n_layer; i++)
            if (l->order[i] == g)
                group->layer[k++] = (uint32_t)i;
    }
    if (l->n > 1 && loop->count_known) {
        for (size_t i = 0; i < loop->n_layer; i++)
            l->order[i] = l->group[l->order[i]];
        loop->order = l->order;
    }
    return RK_OK;
}

/* ---- the loop ------------------------------------------------------------------------------------------------ */

static int loop_count(rk_ctx *c, const rk_stmt *s, rk_loop *loop)
{
    rk_scalar n = {0};
    int code = rk_scalar_decide(c, c->frame, s->child.at[0], &n);

    if (code != RK_OK)
        return code;
    if (n.kind != RK_SCALAR_INT)
        return n.key ? RK_MISTAKE(c, s->child.at[0]->span, "the config has no key '%s', the number of layers", n.key)
                     : RK_MISTAKE(c, s->child.at[0]->span, "the number of layers must be a whole number");
    if (n.known && (n.value < 0 || n.value > RK_LAYERS_MAX))
        return RK_MISTAKE(c, s->child.at[0]->span, "a part is repeated from 0 to %d times", RK_LAYERS_MAX);
    rk_scalar_fix(c, &n); /* equal layers are counted */
    loop->count = rk_scalar_ex(c, &n);
    loop->count_known = n.known;
    loop->n_layer = n.known ? (size_t)n.value : 0;
    return RK_OK;
}

static rk_bind *loop_index(rk_ctx *c, const rk_stmt *s, rk_loop *loop)
{
    rk_bind *b = RK_NEW(c->a, rk_bind);
    /* No symbol of the model is called so: "i#1", "i#2"; names of weights show them without the mark. */
    const char *name = rk_arena_format(c->a, "%s#%zu", s->index, c->loop.n + 1);

    if (!b || !name) {
        rk_fatal_memory(c);
        return NULL;
    }
    loop->index = rk_sym_declare(c->pool, name, 2);
    *b = (rk_bind){.name = s->index, .kind = RK_BIND_INDEX};
    b->scalar = (rk_scalar){
        .kind = RK_SCALAR_INT, .ex = rk_ex_sym(c->pool, loop->index), .known = loop->count_known, .varies = true};
    return b;
}

static int loop_expand(rk_ctx *c, const rk_stmt *s)
{
    rk_loop loop = {.part = c->part_list.at[c->part].path};
    rk_loop_state state = {.loop = (uint32_t)c->loop.n};
    layers l = {0};
    rk_loop *slot;
    int code = loop_count(c, s, &loop);

    if (code != RK_OK)
        return code;
    if (c->n_loop_stack == RK_LOOP_NEST_MAX)
        return RK_MISTAKE(c, s->span, "repeated parts inside each other: deeper than %d", RK_LOOP_NEST_MAX);
    if (!(state.index = loop_index(c, s, &loop)) || !(slot = RK_PUSH(c->a, &c->loop)))
        return rk_fatal_memory(c);
    *slot = loop;
    code = loop.count_known ? expand_known(c, s, &state, &l, loop.n_layer) : expand_unknown(c, s, &state, &l);
    if (code == RK_OK)
        code = list_layers(c, &l, &loop);
    c->loop.at[state.loop] = loop;
    return code;
}

static bool mentions(const rk_node *n, const char *name)
{
    bool found = n->kind == RK_NODE_NAME && strcmp(n->text, name) == 0;

    for (size_t i = 0; i < n->child.n && !found; i++)
        found = mentions(n->child.at[i], name);
    return found;
}

/* Layers under one prefix share all their weights; who wants that writes the prefix inside of the part. */
static int check_prefix(rk_ctx *c, const rk_stmt *s)
{
    for (size_t i = 0; i < s->prefix->n; i++)
        if (!s->prefix->piece[i].text && mentions(s->prefix->piece[i].node, s->index))
            return RK_OK;
    return RK_MISTAKE(c, s->prefix->span, "the prefix of a repeated part needs its number in it: {%s}", s->index);
}

int rk_part_expand(rk_ctx *c, const rk_stmt *s)
{
    uint32_t part = c->part;
    int code = part_enter(c, s->name, &part);

    if (code == RK_OK && s->index && s->prefix)
        code = check_prefix(c, s);

    if (code == RK_OK)
        code = s->index ? loop_expand(c, s) : body_at_prefix(c, s);
    c->part = part;
    return code;
}
