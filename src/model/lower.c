/* SPDX-License-Identifier: MIT */
/*
 * model/lower.c - the pass that puts bodies in the place of calls.
 *
 * A body is a block, so it is expanded as any block is: by the expander, in a frame of its own, with the arguments of
 * the call.  What the call was given is in the trace; what is said in words and numbers is evaluated once more where it
 * was, in the names around the call.  The expander changes names as it works (it remembers values and labels), and the
 * model is shared, so it works on a copy of those that it needs.
 *
 * Layers of a group decided alike when the model was expanded.  A body may ask something else of the layer's number;
 * where the layers of a group then differ, they cannot be lowered as one.
 */
#include "model/lower.h"

#include "model/call.h"
#include "model/copy.h"

#include <string.h>

typedef struct lowering {
    rk_ctx *c;
    const rk_ctx *before; /* the expansion of the model */
    rk_copy copy;
    rk_map seen; /* copies of names and frames, by their addresses … */
    RK_VEC(void *) made;
} lowering;

/* ---- names as they were ---------------------------------------------------------------------------------------- */

static void *find_copy(const lowering *l, const void *of)
{
    uint32_t at = rk_map_get(&l->seen, (const char *)&of, sizeof of);

    return at == RK_NONE ? NULL : l->made.at[at];
}

static bool note_copy(lowering *l, const void *of, void *copy)
{
    void **slot = copy ? RK_PUSH(l->c->a, &l->made) : NULL;

    if (!slot || !rk_map_put(l->c->a, &l->seen, (const char *)&of, sizeof of, (uint32_t)(l->made.n - 1))) {
        rk_fatal_memory(&l->c->b);
        return false;
    }
    *slot = copy;
    return true;
}

/* The model may have other numbers than those that it was expanded with. */
static void renumber(rk_ctx *c, rk_bind *b)
{
    rk_binding at = rk_model_binding(c->model);
    rk_i128 value = 0;

    if ((b->kind == RK_BIND_SCALAR || b->kind == RK_BIND_LABEL) && b->scalar.kind == RK_SCALAR_INT && b->scalar.known &&
        rk_ex_eval(c->pool, b->scalar.ex, &at, &value, NULL) == RK_OK)
        b->scalar.value = value;
}

static rk_frame *copy_frame(lowering *l, const rk_frame *f);

static rk_bind *copy_bind(lowering *l, const rk_bind *b)
{
    rk_bind *copy = find_copy(l, b);

    if (copy)
        return copy;
    copy = RK_NEW(l->c->a, rk_bind);
    if (!note_copy(l, b, copy))
        return NULL;
    *copy = *b;
    copy->cached = false;
    copy->frame = copy_frame(l, b->frame);
    renumber(l->c, copy);
    return copy;
}

/* NULL where there is none, too. */
static rk_frame *copy_frame(lowering *l, const rk_frame *f)
{
    rk_frame *copy = f ? find_copy(l, f) : NULL;

    if (!f || copy)
        return copy;
    copy = RK_NEW(l->c->a, rk_frame);
    if (!note_copy(l, f, copy))
        return NULL;
    *copy = *f;
    copy->bind.at = NULL;
    copy->bind.n = copy->bind.cap = 0;
    copy->newest = (rk_map){0};
    copy->parent = copy_frame(l, f->parent);
    for (size_t i = 0; i < f->bind.n; i++) {
        rk_bind **slot = RK_PUSH(l->c->a, &copy->bind);

        if (!slot || !(*slot = copy_bind(l, f->bind.at[i]))) {
            rk_fatal_memory(&l->c->b);
            return NULL;
        }
    }
    return copy;
}

static int copy_blocks(lowering *l)
{
    for (size_t i = 0; i < l->before->block.n; i++) {
        rk_block *b = RK_PUSH(l->c->a, &l->c->block);

        if (!b)
            return rk_fatal_memory(&l->c->b);
        *b = (rk_block){.stmt = l->before->block.at[i].stmt, .global = copy_frame(l, l->before->block.at[i].global)};
    }
    return l->c->b.fatal;
}

static int copy_shared(lowering *l)
{
    for (size_t i = 0; i < l->before->shared.n && !l->c->b.fatal; i++) {
        rk_bind *b = copy_bind(l, l->before->shared.at[i]);

        if (b)
            rk_used_put(l->c, b);
    }
    return l->c->b.fatal;
}

/* ---- one call -------------------------------------------------------------------------------------------------- */

/* The loops around a group, each at the first layer of its group; what is decided on the way is noted in `decided`. */
static int enter_loops(lowering *l, uint32_t group, rk_decisions *decided)
{
    const rk_program *p = l->copy.in;
    uint32_t chain[RK_LOOP_NEST_MAX];
    size_t n = 0;

    for (uint32_t g = group; g != 0 && n < RK_LOOP_NEST_MAX; g = p->group[g].parent)
        chain[n++] = g;
    l->c->n_loop_stack = 0;
    while (n > 0) {
        const rk_group *g = &p->group[chain[--n]];
        rk_bind *index = copy_bind(l, l->before->loop_index.at[g->loop]);

        if (!index)
            return l->c->b.fatal;
        index->scalar.value = g->layer ? g->layer[0] : 0;
        l->c->loop_stack[l->c->n_loop_stack] =
            (rk_loop_state){.loop = l->copy.loop[g->loop], .index = index, .recording = &decided[l->c->n_loop_stack]};
        l->c->n_loop_stack++;
    }
    l->c->turn++;
    return RK_OK;
}

/* Whether all layers of the groups around decide as the first one did. */
static int check_layers(lowering *l, uint32_t group, const rk_decisions *decided)
{
    const rk_program *p = l->copy.in;

    for (size_t level = l->c->n_loop_stack; level > 0; level--, group = p->group[group].parent) {
        const rk_group *g = &p->group[group];
        rk_bind *index = l->c->loop_stack[level - 1].index;
        rk_i128 first = index->scalar.value;
        size_t n = decided[level - 1].n ? (g->layer ? g->n_layer : p->loop[g->loop].n_layer) : 0;

        for (size_t i = 1; i < n; i++) {
            index->scalar.value = g->layer ? g->layer[i] : (rk_i128)i;
            l->c->turn++;
            if (!rk_decides_alike(l->c, &decided[level - 1]))
                return rk_fatal(&l->c->b, RK_EINPUT, "%s: layers of one kind would be run in different ways",
                                l->c->source->name);
        }
        index->scalar.value = first;
        l->c->turn++;
    }
    return l->c->b.fatal;
}

static int take_arguments(lowering *l, const rk_trace_call *call)
{
    rk_seen *arg = RK_NEW_ARRAY(l->c->a, call->node->child.n + 1, rk_seen);

    if (!arg)
        return rk_fatal_memory(&l->c->b);
    for (size_t i = 0; i < call->node->child.n; i++) {
        arg[i] = call->arg[i];
        if (arg[i].tensor != RK_NONE)
            arg[i].tensor = rk_copy_tensor(&l->copy, arg[i].tensor, arg[i].alias);
        arg[i].alias = 0;
    }
    l->c->given = arg;
    l->c->given_to = call->node;
    return l->c->b.fatal;
}

/* Whoever reads a result reads it under labels of its own, as long as its elements are as many and in their order. */
static int put_results(lowering *l, const rk_trace_call *call, const rk_seen *out)
{
    int code = RK_OK;

    for (size_t i = 0; i < call->n_result && code == RK_OK; i++) {
        const rk_seen *before = &call->result[i];
        rk_seen same = {.tensor = RK_NONE};

        if (rk_seen_as(l->c, &out[i], &before->axes, call->node->span, call->node->text, &same) != RK_OK)
            code = l->c->b.fatal;
        l->copy.hidden[before->tensor] = same.tensor == RK_NONE;
        l->c->mistakes.list.n = 0;
        l->c->b.tensor.at[out[i].tensor].is_index |= l->copy.in->tensor[before->tensor].is_index;
        *(before->alias ? &l->copy.alias[before->alias - 1] : &l->copy.tensor[before->tensor]) = out[i].tensor;
    }
    return code;
}

static int expand_call(rk_copy *copy, const rk_trace_call *call, bool *replaced)
{
    lowering *l = copy->self;
    rk_ctx *c = l->c;
    rk_block *body = rk_body_find(c, call->node->text);
    rk_decisions decided[RK_LOOP_NEST_MAX] = {{0}};
    rk_seen *out;
    size_t n_out = 0;
    int code;

    if (!body)
        return RK_OK;
    *replaced = true;
    out = RK_NEW_ARRAY(c->a, call->n_result + 1, rk_seen);
    c->frame = copy_frame(l, call->frame);
    c->prefix = call->prefix;
    c->call_nest = call->nest;
    c->b.part = call->part;
    c->b.group = copy->group[call->group];
    c->b.row = call->row;
    c->b.span = call->span;
    code = out && c->frame ? enter_loops(l, call->group, decided) : rk_fatal_memory(&c->b);
    if (code == RK_OK)
        code = take_arguments(l, call);
    if (code == RK_OK)
        code = rk_call_block(c, call->node, body, out, call->n_result, &n_out);
    c->given = NULL;
    c->given_to = NULL;
    if (code == RK_OK)
        code = check_layers(l, call->group, decided);
    c->n_loop_stack = 0;
    return code == RK_OK ? put_results(l, call, out) : code;
}

/* ---- dropout --------------------------------------------------------------------------------------------------- */

static bool names_dropout(const rk_node *call)
{
    bool named = strcmp(call->text, "dropout") == 0;

    for (size_t i = 0; call->arg_name && i < call->child.n && !named; i++)
        named = call->arg_name[i] && strcmp(call->arg_name[i], "drop") == 0;
    return named;
}

/* Whether some layer says where dropout acts, or the model that there may be none: heads alone are shared by many. */
static bool says_dropout(const rk_program *p)
{
    for (size_t i = 0; i < p->trace->n_call; i++)
        if ((p->trace->call[i].group != 0 && names_dropout(p->trace->call[i].node)) ||
            strcmp(p->trace->call[i].node->text, "dropout_unused") == 0)
            return true;
    return false;
}

/* A probability above zero, but of a head that another class has: one that is here was asked for. */
static bool would_drop(const char *key, const rk_doc *d)
{
    static const char *const of_heads[] = {"classif", "seq_classif", "qa_", "summary_"};

    for (size_t i = 0; i < sizeof of_heads / sizeof *of_heads; i++)
        if (strncmp(key, of_heads[i], strlen(of_heads[i])) == 0)
            return false;
    return strstr(key, "drop") && ((d->kind == RK_DOC_REAL && d->real > 0) || (d->kind == RK_DOC_INT && d->number > 0));
}

/* All probabilities of the config act somewhere, in the parts of the config, too. */
static int check_keys(lowering *l, const rk_doc *d, const char *within)
{
    int code = RK_OK;

    for (size_t i = 0; d && d->kind == RK_DOC_MAP && i < d->n && code == RK_OK; i++) {
        const char *path = within ? rk_arena_format(l->c->a, "%s.%s", within, d->key[i]) : d->key[i];

        if (!path)
            return rk_fatal_memory(&l->c->b);
        if (d->item[i].kind == RK_DOC_MAP && !within)
            code = check_keys(l, &d->item[i], path);
        else if (would_drop(d->key[i], &d->item[i]) && rk_map_get(&l->c->asked_of_path, path, strlen(path)) == RK_NONE)
            code = rk_fatal(&l->c->b, RK_EINPUT, "%s: dropout of the config: the equations do not say where %s acts",
                            l->c->source->name, path);
    }
    return code;
}

/* What the equations do not say must not be taken for nothing. */
static int check_dropout(lowering *l)
{
    if (!says_dropout(l->copy.in))
        return rk_fatal(&l->c->b, RK_EINPUT,
                        "%s: dropout of the config: the equations of its layers name none; a model file names it with "
                        "dropout(x, $key), or dropout_unused(x, $key) where it is ignored",
                        l->c->source->name);
    return check_keys(l, l->c->source->config, NULL);
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

static int begin(lowering *l, const rk_model *in, const rk_lower_options *o, rk_model_draft *d, rk_err *err)
{
    rk_ctx *c = l->c;
    rk_model *m = d->model;
    rk_model_source *source = RK_NEW(&m->arena, rk_model_source);
    int code;

    if (!source)
        return rk_fail_memory(err);
    *source = *in->expansion->source;
    source->finder = o->finder;
    source->wants_keys = o->drops;
    c->profile = o->profile;
    c->fused = o->fused;
    c->wide = o->wide;
    c->grouped = o->grouped;
    c->drops = o->drops;
    c->model = m;
    c->a = &m->arena;
    c->pool = d->pool;
    c->value = d->value;
    c->known = d->known;
    c->source = source;
    c->mistakes.arena = c->a;
    c->turn = l->before->turn + 1; /* what is remembered for a layer is evaluated again */
    code = rk_build_begin(&c->b, c->a, c->pool, m->name, err);
    c->symbol.at = d->symbol;
    c->symbol.n = c->symbol.cap = m->n_symbol;
    if (code == RK_OK && !rk_map_copy(c->a, &l->before->sum_labels, &c->sum_labels))
        code = rk_fatal_memory(&c->b);
    if (code == RK_OK)
        code = rk_copy_begin(&l->copy, &in->program, &c->b);
    if (code == RK_OK)
        code = copy_blocks(l);
    if (code == RK_OK)
        code = copy_shared(l);
    c->global = c->frame = copy_frame(l, l->before->global);
    return code == RK_OK ? rk_bodies_read(c) : code;
}

int rk_lower(const rk_model *in, const rk_lower_options *o, const rk_model **out, rk_err *err)
{
    rk_model_draft *d = NULL;
    lowering l = {.before = in->expansion};
    int code;

    if (!l.before) /* a copy keeps no calls */
        return rk_fail(err, RK_EUSAGE, "%s: bodies can be put into a model as it was expanded alone", in->name);
    if ((code = rk_model_derive(in, &d, err)) != RK_OK)
        return code;
    if (!(l.c = RK_NEW(&d->model->arena, rk_ctx))) {
        rk_model_free(d->model);
        return rk_fail_memory(err);
    }
    code = begin(&l, in, o, d, err);
    l.copy.call = expand_call;
    l.copy.self = &l;
    l.copy.gives_beside = true;
    if (code == RK_OK)
        code = rk_copy_run(&l.copy);
    if (code == RK_OK && o->drops)
        code = check_dropout(&l);
    if (code != RK_OK && l.c->mistakes.list.n > 0 && !l.c->b.fatal)
        rk_fail(err, code, "%s: %s", in->name, l.c->mistakes.list.at[0].message);
    return rk_model_finish(code, d, &l.c->b, out);
}
