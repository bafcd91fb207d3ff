/* SPDX-License-Identifier: MIT */
#include "model/keys.h"

#include <string.h>

static int begin(rk_ctx *c, rk_model *m, const rk_model_source *source, rk_err *err)
{
    rk_part *root;
    rk_group *once;

    c->model = m;
    c->a = &m->arena;
    c->pool = m->pool;
    c->source = source;
    c->err = err;
    c->mistakes.arena = c->a;
    c->loss = RK_NONE;
    m->value = RK_NEW_ARRAY(c->a, RK_SYM_MAX, rk_i128);
    m->known = RK_NEW_ARRAY(c->a, RK_SYM_MAX, bool);
    root = RK_PUSH(c->a, &c->part_list);
    once = RK_PUSH(c->a, &c->group_list);
    if (!m->value || !m->known || !root || !once)
        return rk_fatal_memory(c);
    *root = (rk_part){.name = "", .path = "", .parent = RK_NONE};
    *once = (rk_group){.parent = RK_NONE, .loop = RK_NONE, .times = rk_ex_int(c->pool, 1)};
    return RK_OK;
}

static void publish(rk_ctx *c)
{
    rk_program *p = &c->model->program;

    p->pool = c->pool;
    p->label = c->label.at, p->n_label = c->label.n;
    p->tensor = c->tensor.at, p->n_tensor = c->tensor.n;
    p->op = c->op.at, p->n_op = c->op.n;
    p->weight = c->weight.at, p->n_weight = c->weight.n;
    p->part = c->part_list.at, p->n_part = c->part_list.n;
    p->group = c->group_list.at, p->n_group = c->group_list.n;
    p->loop = c->loop.at, p->n_loop = c->loop.n;
    p->keep = c->keep.at, p->n_keep = c->keep.n;
    p->input = c->input.at, p->n_input = c->input.n;
    p->output = c->output.at, p->n_output = c->output.n;
    p->output_group = c->output_group.at;
    p->rename = c->rename.at, p->n_rename = c->rename.n;
    p->loss = c->loss;
    c->model->symbol = c->symbol.at;
    c->model->n_symbol = c->symbol.n;
}

static int expand(rk_ctx *c)
{
    const rk_model_source *s = c->source;
    rk_file *file = NULL;
    int code = rk_model_file_read(c, s->file_name, s->text, s->n, &file, &c->global);

    if (c->fatal || !file)
        return c->fatal ? c->fatal : code;
    if (code != RK_OK)
        return code; /* mistakes of form first: those of meaning would be noise */
    if ((code = rk_model_line(c, file)) != RK_OK || (s->profile && (code = rk_bodies_read(c)) != RK_OK))
        return code;
    if (s->adapt && s->adapt->rank > 0 && (code = rk_rank_put(c, file)) != RK_OK)
        return code;
    c->frame = c->global;
    code = rk_body_expand(c, &file->body);
    rk_named_end(c, 0);
    if (code == RK_OK)
        code = rk_frame_settled(c, c->global);
    if (code == RK_OK)
        code = rk_settings_known(c);
    if (code == RK_OK)
        code = rk_weights_settle(c);
    if (code == RK_OK && c->output.n == 0)
        code = rk_fatal(c, RK_EINPUT, "%s: no line  output NAME  says what the model gives", s->file_name);
    return code == RK_OK ? rk_keys_publish(c) : code;
}

/* Mistakes are kept as text; one line of them goes into the error. */
static int report_mistakes(rk_ctx *c, rk_str *mistakes, int code)
{
    if (c->a->failed)
        rk_fatal_memory(c); /* whatever was said may have come of that */
    if (c->fatal || c->mistakes.list.n == 0)
        return c->fatal ? c->fatal : code;
    if (mistakes)
        rk_mistakes_print(&c->mistakes, mistakes);
    return rk_fail(c->err, RK_EINPUT, "%zu mistake%s in the model", c->mistakes.list.n + c->mistakes.n_more,
                   c->mistakes.list.n + c->mistakes.n_more == 1 ? "" : "s");
}

static rk_model *model_new(void)
{
    rk_model *m = rk_heap_alloc(sizeof *m);

    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    m->arena.limit = (size_t)512 << 20; /* a model takes kilobytes; a hostile one stops here */
    m->pool = rk_pool_new();
    if (m->pool)
        return m;
    rk_heap_free(m);
    return NULL;
}

static int open_once(const rk_model_source *source, rk_splits *list, bool *again, rk_model **out, rk_str *mistakes,
                     rk_err *err)
{
    rk_model *m = model_new();
    rk_ctx *c = m ? RK_NEW(&m->arena, rk_ctx) : NULL;
    int code;

    if (!c) {
        rk_model_free(m);
        return rk_fail_memory(err);
    }
    c->splits = list;
    m->name = rk_arena_text(&m->arena, source->name);
    m->like = source->lacks != NULL;
    code = m->name ? begin(c, m, source, err) : rk_fail_memory(err);
    if (code == RK_OK)
        code = rk_quant_read(&m->arena, source->config_name ? source->config_name : source->name, source->config,
                             &m->quant, err);
    if (code == RK_OK)
        code = expand(c);
    if (code == RK_OK && c->mistakes.list.n)
        code = RK_EINPUT;
    if (source->lacks)
        rk_keys_lacking(c, code == RK_OK, source->lacks);
    if (code != RK_OK || c->fatal) {
        code = report_mistakes(c, mistakes, code);
        rk_model_free(m);
        return code;
    }
    publish(c);
    if ((code = rk_adapt_freeze(c)) != RK_OK || (code = rk_splits_add(c, list, again)) != RK_OK) {
        rk_model_free(m);
        return code;
    }
    *out = m;
    return RK_OK;
}

static int open_until_equal(const rk_model_source *source, rk_splits *list, rk_model **m, rk_str *mistakes, rk_err *err)
{
    bool again = true;

    for (int round = 0; again; round++) {
        int code;

        rk_model_free(*m);
        *m = NULL;
        if (round == RK_SPLIT_ROUNDS_MAX)
            return rk_fail(err, RK_ELIMIT, "%s: layers need gradients in too many different ways", source->name);
        if ((code = open_once(source, list, &again, m, mistakes, err)) != RK_OK)
            return code;
    }
    return RK_OK;
}

int rk_model_open(const rk_model_source *source, rk_model **out, rk_str *mistakes, rk_err *err)
{
    rk_err own = {0};
    rk_splits list = {.arena = {.limit = (size_t)512 << 20}};
    rk_model *m = NULL;
    int code = open_until_equal(source, &list, &m, mistakes, err ? err : &own);

    rk_arena_free(&list.arena);
    if (code == RK_OK)
        code = rk_roles_find(&m->arena, &m->program, &m->roles, err);
    if (code == RK_OK)
        *out = m;
    else
        rk_model_free(m);
    return code;
}

void rk_model_free(rk_model *m)
{
    if (!m)
        return;
    rk_pool_free(m->pool);
    rk_arena_free(&m->arena);
    rk_heap_free(m);
}
