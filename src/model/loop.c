/* SPDX-License-Identifier: MIT */
/*
 * A repeated part is expanded once for all layers that are equal.  Which are?  While a layer is expanded, every value
 * that depends on its number and decides something (a condition, a size, a word in a name) is noted.  Another layer
 * for which all these come out the same would be expanded in just the same way, so it joins the group; the body is
 * not looked at again.
 */
#include "model/expand.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts --------------------------------------------------------------------------------------------------- */

static int part_enter(rk_ctx *c, const char *name, uint32_t *saved)
{
    const rk_part *here = &c->b.part_list.at[c->b.part];
    char *path = here->path[0] ? rk_arena_format(c->a, "%s.%s", here->path, name) : rk_arena_text(c->a, name);
    uint32_t known = path ? rk_map_get(&c->b.part_of_path, path, strlen(path)) : RK_NONE;
    rk_part *p;

    if (!path)
        return rk_fatal_memory(&c->b);
    *saved = c->b.part;
    if (known == RK_NONE) {
        if (!(p = RK_PUSH(c->a, &c->b.part_list)))
            return rk_fatal_memory(&c->b);
        *p = (rk_part){.name = name, .path = path, .parent = *saved};
        known = (uint32_t)(c->b.part_list.n - 1);
        if (!rk_map_put(c->a, &c->b.part_of_path, path, strlen(path), known))
            return rk_fatal_memory(&c->b);
    }
    c->b.part = known;
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

/* A variable that a layer left with another tensor than it came with. */
typedef struct change {
    const rk_bind *bind;
    uint32_t in, out;
    uint32_t in_alias, out_alias;
} change;

/* Equal layers. */
typedef struct kind {
    rk_decisions decision;
    uint32_t group; /* its number in the program */
    size_t count;
    RK_VEC(change) changed;
} kind;

typedef struct layers {
    RK_VEC(kind) kind;
    uint32_t *order; /* place in `kind` of each layer */
} layers;

static int group_add(rk_ctx *c, layers *l, uint32_t loop)
{
    rk_group *g = RK_PUSH(c->a, &c->b.group_list);
    kind *k = RK_PUSH(c->a, &l->kind);

    if (!g || !k)
        return rk_fatal_memory(&c->b);
    *g = (rk_group){.parent = c->b.group, .loop = loop, .times = rk_ex_int(c->pool, 1), .first_op = c->b.op.n};
    *k = (kind){.group = (uint32_t)(c->b.group_list.n - 1)};
    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_GROUP, .which = k->group});
    return c->b.fatal;
}

static void set_index(rk_ctx *c, rk_bind *index, rk_i128 value)
{
    index->scalar.value = value;
    c->turn++;
}

static bool may_ask(rk_ctx *c)
{
    if (++c->n_asked > RK_ASKED_MAX)
        rk_fatal(&c->b, RK_ELIMIT, "%s: too many layers that differ: telling them apart takes more than %d questions",
                 c->source->name, RK_ASKED_MAX);
    return c->n_asked <= RK_ASKED_MAX;
}

/* Asks a question again, for the layer that is looked at now. */
static bool ask(rk_ctx *c, const rk_decision *d, rk_scalar *now)
{
    rk_mistakes quiet = c->mistakes;

    if (!may_ask(c))
        return false;
    for (size_t k = 0; k < RK_LOOP_NEST_MAX; k++)
        if (d->index[k])
            set_index(c, d->index[k], d->inner[k]);
    if (rk_scalar_eval(c, d->frame, d->node, now) == RK_OK)
        return true;
    c->mistakes = quiet; /* expanding the layer will say it */
    return false;
}

static bool is_answer(const rk_decision *d, const rk_scalar *now)
{
    return rk_scalar_same(now, &d->value) && now->ex == d->value.ex;
}

bool rk_decides_alike(rk_ctx *c, const rk_decisions *list)
{
    for (size_t i = 0; i < list->n; i++) {
        rk_scalar now = {0};

        if (!ask(c, &list->at[i], &now) || !is_answer(&list->at[i], &now))
            return false;
    }
    return true;
}

static int tell_apart(rk_ctx *c);

static int expand_body(rk_ctx *c, const rk_stmt *s, rk_loop_state *state, kind *k)
{
    uint32_t group = c->b.group;
    size_t named = c->named.n;
    rk_frame *here = c->frame, *f = rk_frame_new(c, here);
    int code;

    if (!f)
        return c->b.fatal;
    rk_bind **slot = RK_PUSH(c->a, &f->bind);

    if (!slot)
        return rk_fatal_memory(&c->b);
    *slot = state->index;
    state->recording = &k->decision;
    c->loop_stack[c->n_loop_stack++] = *state;
    c->b.group = k->group;
    c->frame = f;
    code = body_at_prefix(c, s);
    rk_named_end(c, named);
    if (code == RK_OK)
        code = rk_frame_settled(c, f);
    c->frame = here;
    if (code == RK_OK && state->apart)
        code = tell_apart(c);
    c->b.group = group;
    c->n_loop_stack--;
    c->b.group_list.at[k->group].end_op = c->b.op.n;
    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_GROUPED, .which = k->group});
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
    for (size_t i = first_op; i < c->b.op.n; i++)
        for (size_t k = 0; k < c->b.op.at[i].n_in; k++)
            if (c->b.op.at[i].in[k].tensor == tensor)
                return true;
    return false;
}

static int note_change(rk_ctx *c, kind *k, const carried *before)
{
    change *slot = RK_PUSH(c->a, &k->changed);

    if (!slot)
        return rk_fatal_memory(&c->b);
    *slot = (change){.bind = before->bind,
                     .in = before->seen.tensor,
                     .out = before->bind->seen.tensor,
                     .in_alias = before->seen.alias,
                     .out_alias = before->bind->seen.alias};
    return RK_OK;
}

static int same_shape(rk_ctx *c, const carried *list, size_t n, size_t first_op, kind *k)
{
    int code = RK_OK;

    for (size_t i = 0; i < n; i++) {
        rk_bind *b = list[i].bind;

        if (b->kind != RK_BIND_TENSOR || b->seen.tensor == list[i].seen.tensor)
            continue;
        if (rk_ixs_same(&b->seen.axes, &list[i].seen.axes)) {
            code = note_change(c, k, &list[i]) == RK_OK ? code : c->b.fatal;
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
    size_t n = snapshot(c, &before), first_op = c->b.op.n;
    kind *k;
    int code;

    if (!before)
        return rk_fatal_memory(&c->b);
    code = group_add(c, l, state->loop);
    k = code == RK_OK ? &l->kind.at[l->kind.n - 1] : NULL;
    if (code == RK_OK)
        code = expand_body(c, s, state, k);
    return code == RK_OK ? same_shape(c, before, n, first_op, k) : code;
}

/* ---- names for one tensor ------------------------------------------------------------------------------------- */

/*
 * Two names for one tensor, of which a layer may change one: from here on the second is a tensor of its own.  That
 * costs nothing, and tells apart what becomes of them in other layers.
 */
static int tell_apart(rk_ctx *c)
{
    carried *name = NULL;
    size_t n = snapshot(c, &name), first = c->b.op.n;
    rk_map seen = {.n = 0};

    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_EQUATION});
    for (size_t i = 0; name && i < n && !c->b.fatal; i++) {
        rk_seen *s = &name[i].bind->seen;
        const rk_tensor *t = &c->b.tensor.at[s->tensor];
        bool twice = rk_map_get(&seen, (const char *)&s->tensor, sizeof s->tensor) != RK_NONE;

        c->b.row = name[i].bind->name;
        if (twice && t->kind != RK_TENSOR_WEIGHT && !t->is_index)
            rk_build_op(&c->b, RK_OP_VIEW,
                        &(rk_seen){.tensor = s->tensor, .alias = s->alias, .axes = s->axes, .mask = s->mask}, 1,
                        &s->axes, s);
        else if (!twice && !rk_map_put(c->a, &seen, (const char *)&s->tensor, sizeof s->tensor, 0))
            rk_fatal_memory(&c->b);
    }
    if (!c->b.fatal)
        rk_build_rows(&c->b, first, "same");
    return name ? c->b.fatal : rk_fatal_memory(&c->b);
}

/*
 * What the layer that is looked at decides, question by question.  Layers that decided the same up to here are asked
 * the same next, so that no question is asked for each kind of layers: thousands may all differ.
 */
typedef struct answers {
    const rk_node *node[RK_ANSWERS_MAX];
    rk_scalar now[RK_ANSWERS_MAX];
    size_t n;
} answers;

/* `sure`: all was asked in the frames of this kind itself. */
static bool would_join(rk_ctx *c, const rk_decisions *list, answers *a, bool *sure)
{
    *sure = true;
    for (size_t i = 0; i < list->n; i++) {
        const rk_decision *d = &list->at[i];
        rk_scalar now = {0};

        if (i < a->n && a->node[i] == d->node) {
            *sure = false;
            if (!may_ask(c) || !is_answer(d, &a->now[i]))
                return false;
            continue;
        }
        if (!ask(c, d, &now))
            return false;
        if (i == a->n && i < RK_ANSWERS_MAX) {
            a->node[i] = d->node;
            a->now[a->n++] = now;
        }
        if (!is_answer(d, &now))
            return false;
    }
    return true;
}

static size_t find_group(rk_ctx *c, const layers *l)
{
    answers a;
    size_t g = 0;
    bool sure = false;

    a.n = 0;
    for (; g < l->kind.n && !c->b.fatal; g++) {
        const rk_decisions *list = &l->kind.at[g].decision;

        if (would_join(c, list, &a, &sure) && (sure || rk_decides_alike(c, list)))
            break;
    }
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
                return rk_fatal_memory(&c->b);
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
    return l->order ? RK_OK : rk_fatal_memory(&c->b);
}

static int expand_known(rk_ctx *c, const rk_stmt *s, rk_loop_state *state, layers *l, size_t n_layer)
{
    int code = n_layer ? expand_layer(c, s, state, l) : RK_OK;

    if (code != RK_OK || n_layer == 0)
        return code;
    l->kind.at[0].count = 1;
    /* A layer that decided nothing by its number speaks for all. */
    if (l->kind.at[0].decision.n == 0) {
        l->kind.at[0].count = n_layer;
        return RK_OK;
    }
    code = order_new(c, l, n_layer);
    for (size_t i = 1; i < n_layer && code == RK_OK; i++) {
        size_t g;

        set_index(c, state->index, (rk_i128)i);
        g = find_group(c, l);
        code = c->b.fatal       ? c->b.fatal
               : g == l->kind.n ? expand_layer(c, s, state, l)
                                : note_outside(c, state, &l->kind.at[g].decision);
        l->order[i] = (uint32_t)g;
        if (code == RK_OK)
            l->kind.at[g].count++;
    }
    return code;
}

static int expand_unknown(rk_ctx *c, const rk_stmt *s, rk_loop_state *state, layers *l)
{
    int code = expand_layer(c, s, state, l);

    if (code == RK_OK && l->kind.at[0].decision.n)
        return RK_MISTAKE(c, s->span, "layers differ here, so their number must be known: give it a value");
    return code;
}

/* One group is all layers; one layer peeled off leaves all but one; else the layers are counted. */
static rk_ex known_times(rk_ctx *c, const layers *l, const rk_loop *loop, size_t g)
{
    size_t n = l->kind.n, other = n == 2 ? l->kind.at[1 - g].count : 0;

    if (n == 1)
        return loop->count;
    if (other == 1 && (g == 1 || l->kind.at[0].count > 1))
        return rk_ex_sub(c->pool, loop->count, rk_ex_int(c->pool, 1));
    return rk_ex_int(c->pool, (rk_i128)l->kind.at[g].count);
}

static int list_layers(rk_ctx *c, const layers *l, rk_loop *loop)
{
    for (size_t g = 0; g < l->kind.n; g++) {
        rk_group *group = &c->b.group_list.at[l->kind.at[g].group];
        size_t k = 0, count = l->kind.at[g].count;

        group->n_layer = count;
        group->times = known_times(c, l, loop, g);
        if (l->kind.n == 1 || !loop->count_known)
            continue;
        if (!(group->layer = RK_NEW_ARRAY(c->a, count, uint32_t)))
            return rk_fatal_memory(&c->b);
        for (size_t i = 0; i < loop->n_layer; i++)
            if (l->order[i] == g)
                group->layer[k++] = (uint32_t)i;
    }
    if (l->kind.n > 1 && loop->count_known) {
        for (size_t i = 0; i < loop->n_layer; i++)
            l->order[i] = l->kind.at[l->order[i]].group;
        loop->order = l->order;
    }
    return RK_OK;
}

/* ---- what is carried ----------------------------------------------------------------------------------------- */

typedef struct variables {
    RK_VEC(change) list; /* each once: as it goes into the loop, and as it is now */
    rk_map place;        /* of the name's binding */
    const carried *before;
    size_t n_before; /* all names, as they were before the loop */
} variables;

static uint32_t place_of(const variables *all, const rk_bind *b)
{
    return rk_map_get(&all->place, (const char *)&b, sizeof b);
}

static change *variable(rk_ctx *c, variables *all, const change *ch)
{
    uint32_t at = place_of(all, ch->bind);
    change *slot;

    if (at != RK_NONE)
        return &all->list.at[at];
    if (!(slot = RK_PUSH(c->a, &all->list)) ||
        !rk_map_put(c->a, &all->place, (const char *)&ch->bind, sizeof ch->bind, (uint32_t)(all->list.n - 1)))
        return NULL;
    *slot =
        (change){.bind = ch->bind, .in = ch->in, .out = ch->in, .in_alias = ch->in_alias, .out_alias = ch->in_alias};
    return slot;
}

static int find_variables(rk_ctx *c, const layers *l, variables *all)
{
    for (size_t g = 0; g < l->kind.n; g++)
        for (size_t i = 0; i < l->kind.at[g].changed.n; i++)
            if (!variable(c, all, &l->kind.at[g].changed.at[i]))
                return rk_fatal_memory(&c->b);
    return RK_OK;
}

/* Does a name that the loop leaves alone have this tensor? */
static bool is_shared(const variables *all, uint32_t tensor)
{
    for (size_t i = 0; i < all->n_before; i++)
        if (all->before[i].seen.tensor == tensor && place_of(all, all->before[i].bind) == RK_NONE)
            return true;
    return false;
}

/* The chain: what one group leaves the next one finds. */
static int chain_group(rk_ctx *c, const kind *k, variables *all)
{
    rk_group *g = &c->b.group_list.at[k->group];

    g->in = RK_NEW_ARRAY(c->a, all->list.n + 1, uint32_t);
    g->out = RK_NEW_ARRAY(c->a, all->list.n + 1, uint32_t);
    g->in_alias = RK_NEW_ARRAY(c->a, all->list.n + 1, uint32_t);
    g->out_alias = RK_NEW_ARRAY(c->a, all->list.n + 1, uint32_t);
    g->shared = RK_NEW_ARRAY(c->a, all->list.n + 1, bool);
    if (!g->in || !g->out || !g->in_alias || !g->out_alias || !g->shared)
        return rk_fatal_memory(&c->b);
    for (size_t v = 0; v < all->list.n; v++) {
        g->in[v] = all->list.at[v].out;
        g->in_alias[v] = all->list.at[v].out_alias;
        g->shared[v] = is_shared(all, g->in[v]);
    }
    for (size_t i = 0; i < k->changed.n; i++) {
        change *now = variable(c, all, &k->changed.at[i]);

        now->out = k->changed.at[i].out;
        now->out_alias = k->changed.at[i].out_alias;
    }
    for (size_t v = 0; v < all->list.n; v++) {
        g->out[v] = all->list.at[v].out;
        g->out_alias[v] = all->list.at[v].out_alias;
    }
    return RK_OK;
}

static int list_carried(rk_ctx *c, const layers *l, rk_loop *loop, const carried *before, size_t n)
{
    variables all = {.before = before, .n_before = n};
    int code = find_variables(c, l, &all);

    loop->n_carry = all.list.n;
    loop->group = RK_NEW_ARRAY(c->a, l->kind.n + 1, uint32_t);
    if (code != RK_OK || !loop->group)
        return rk_fatal_memory(&c->b);
    for (size_t g = 0; g < l->kind.n && code == RK_OK; g++) {
        loop->group[loop->n_group++] = l->kind.at[g].group;
        code = chain_group(c, &l->kind.at[g], &all);
    }
    return code;
}

/* ---- the loop ------------------------------------------------------------------------------------------------ */

static int loop_count(rk_ctx *c, const rk_stmt *s, rk_loop *loop)
{
    rk_scalar n = {0};
    int code = rk_scalar_decide(c, c->frame, s->child.at[0], &n);

    if (code != RK_OK)
        return code;
    if (n.kind == RK_SCALAR_NONE && n.key)
        return RK_MISTAKE(c, s->child.at[0]->span, "the config has no key '%s', the number of layers", n.key);
    if (n.kind != RK_SCALAR_INT)
        return RK_MISTAKE(c, s->child.at[0]->span, "the number of layers must be a whole number%s%s%s",
                          n.key ? ", but '" : "", n.key ? n.key : "", n.key ? "' is none" : "");
    if (n.known && (n.value < 0 || n.value > RK_LAYERS_MAX))
        return RK_MISTAKE(c, s->child.at[0]->span, "a part is repeated from 0 to %d times%s%s%s", RK_LAYERS_MAX,
                          n.key ? ", and '" : "", n.key ? n.key : "", n.key ? "' says otherwise" : "");
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
    const char *name = rk_arena_format(c->a, "%s#%zu", s->index, c->b.loop.n + 1);

    if (!b || !name) {
        rk_fatal_memory(&c->b);
        return NULL;
    }
    loop->index = rk_sym_declare(c->pool, name, RK_SYM_RANK_LOOP);
    *b = (rk_bind){.name = s->index, .kind = RK_BIND_INDEX};
    b->scalar = (rk_scalar){
        .kind = RK_SCALAR_INT, .ex = rk_ex_sym(c->pool, loop->index), .known = loop->count_known, .varies = true};
    return b;
}

static bool has_twice(rk_arena *a, const uint32_t *tensor, size_t n)
{
    rk_map seen = {.n = 0};

    for (size_t i = 0; i < n; i++)
        if (!rk_map_put(a, &seen, (const char *)&tensor[i], sizeof *tensor, 0))
            return false;
    return seen.n < n;
}

/*
 * Whether two variables go through the loop as one tensor, or leave it as one that was there before: then it is not
 * told what becomes of each.
 */
static bool is_aliased(rk_ctx *c, const rk_loop *l)
{
    const rk_group *last = l->n_group ? &c->b.group_list.at[l->group[l->n_group - 1]] : NULL;
    bool aliased = last && has_twice(c->a, last->out, l->n_carry);

    for (size_t k = 0; k < l->n_group && !aliased; k++) {
        const rk_group *g = &c->b.group_list.at[l->group[k]];

        aliased = has_twice(c->a, g->in, l->n_carry);
        for (size_t v = 0; v < l->n_carry; v++)
            aliased |= g->shared[v];
    }
    for (size_t v = 0; last && v < l->n_carry && !aliased; v++) {
        const rk_tensor *t = &c->b.tensor.at[last->out[v]];

        aliased = t->kind != RK_TENSOR_RESULT || t->producer < l->first_op;
    }
    return aliased;
}

/* How far everything was when a loop began, so that it can be begun again. */
typedef struct mark {
    size_t op, tensor, weight, group, loop, keep, event, call, alias, output, index, named, late;
    rk_named_tensor *variable; /* what each had */
} mark;

static int mark_here(rk_ctx *c, mark *m)
{
    const rk_build *b = &c->b;

    *m = (mark){.op = b->op.n,
                .tensor = b->tensor.n,
                .weight = b->weight.n,
                .group = b->group_list.n,
                .loop = b->loop.n,
                .keep = b->keep.n,
                .event = b->event.n,
                .call = b->call.n,
                .alias = b->alias.n,
                .output = b->output.n,
                .index = c->loop_index.n,
                .named = c->named.n,
                .late = c->late.n};
    m->variable = RK_NEW_ARRAY(c->a, c->named.n + 1, rk_named_tensor);
    if (!m->variable)
        return rk_fatal_memory(&c->b);
    if (c->named.n)
        memcpy(m->variable, c->named.at, c->named.n * sizeof *m->variable);
    return RK_OK;
}

/* Rows are known by group, part and name: those of groups from this one on. */
static bool is_of_group(const void *self, const char *key, uint32_t value)
{
    const size_t *first = self;

    (void)value;
    return strtoul(key, NULL, 10) >= *first;
}

static bool is_weight_from(const void *self, const char *key, uint32_t value)
{
    const size_t *first = self;

    (void)key;
    return value != RK_NONE && value >= *first;
}

static void take_back(rk_ctx *c, const mark *m, const carried *before, size_t n)
{
    rk_build *b = &c->b;

    b->op.n = m->op;
    b->tensor.n = m->tensor;
    b->weight.n = m->weight;
    b->group_list.n = m->group;
    b->loop.n = m->loop;
    b->keep.n = m->keep;
    b->event.n = m->event;
    b->call.n = m->call;
    b->alias.n = m->alias;
    b->output.n = b->output_group.n = m->output;
    rk_map_forget(&b->row_names, is_of_group, &m->group);
    rk_map_forget(&b->weight_of_name, is_weight_from, &m->weight);
    c->loop_index.n = m->index;
    c->named.n = m->named;
    if (m->named)
        memcpy(c->named.at, m->variable, m->named * sizeof *m->variable);
    c->late.n = m->late;
    for (size_t i = 0; i < n; i++) {
        before[i].bind->kind = RK_BIND_TENSOR;
        before[i].bind->seen = before[i].seen;
    }
}

static int expand_layers(rk_ctx *c, const rk_stmt *s, rk_loop loop, bool apart)
{
    rk_loop_state state = {.loop = (uint32_t)c->b.loop.n, .index = loop_index(c, s, &loop), .apart = apart};
    rk_loop *slot = RK_PUSH(c->a, &c->b.loop);
    rk_bind **index = RK_PUSH(c->a, &c->loop_index);
    layers l = {.order = NULL};
    carried *before = NULL;
    size_t n;
    int code = RK_OK;

    if (!slot || !index || !state.index)
        return rk_fatal_memory(&c->b);
    *index = state.index;
    *slot = loop;
    if (apart)
        code = tell_apart(c);
    loop.first_op = c->b.op.n;
    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_LOOP, .which = state.loop});
    n = snapshot(c, &before);
    if (!before || code != RK_OK)
        return rk_fatal_memory(&c->b);
    code = loop.count_known ? expand_known(c, s, &state, &l, loop.n_layer) : expand_unknown(c, s, &state, &l);
    loop.end_op = c->b.op.n;
    if (code == RK_OK)
        code = list_layers(c, &l, &loop);
    if (code == RK_OK)
        code = list_carried(c, &l, &loop, before, n);
    c->b.loop.at[state.loop] = loop;
    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_LOOPED, .which = state.loop});
    return code;
}

static int loop_expand(rk_ctx *c, const rk_stmt *s)
{
    rk_loop loop = {.part = c->b.part_list.at[c->b.part].path, .parent = c->b.group, .first_op = c->b.op.n};
    carried *before = NULL;
    size_t n = snapshot(c, &before);
    mark m;
    int code = loop_count(c, s, &loop);

    if (code != RK_OK)
        return code;
    if (c->n_loop_stack == RK_LOOP_NEST_MAX)
        return RK_MISTAKE(c, s->span, "repeated parts inside each other: deeper than %d", RK_LOOP_NEST_MAX);
    if (!before || mark_here(c, &m) != RK_OK)
        return rk_fatal_memory(&c->b);
    code = expand_layers(c, s, loop, false);
    if (code != RK_OK || !is_aliased(c, &c->b.loop.at[m.loop]))
        return code;
    take_back(c, &m, before, n);
    return expand_layers(c, s, loop, true);
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
    uint32_t part = c->b.part;
    size_t named = c->named.n;
    int code = part_enter(c, s->name, &part);

    if (code == RK_OK && s->index && s->prefix)
        code = check_prefix(c, s);

    if (code == RK_OK)
        code = s->index ? loop_expand(c, s) : body_at_prefix(c, s);
    /* In a layer a part is a function of its own; outside, all parts are one. */
    if (c->n_loop_stack > 0 && c->call_nest == 0)
        rk_named_end(c, named);
    c->b.part = part;
    return code;
}
