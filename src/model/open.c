/* SPDX-License-Identifier: MIT */
#include "model/keys.h"
#include "model/refused.h"
#include "model/regroup.h"

#include <string.h>

/* ---- drafts ---------------------------------------------------------------------------------------------------- */

static int draft_new(rk_pool *pool, rk_model_draft **out, rk_err *err)
{
    rk_model *m = pool ? rk_heap_alloc(sizeof *m) : NULL;
    rk_model_draft *d = NULL;

    if (m) {
        *m = (rk_model){.pool = pool};
        m->arena.limit = (size_t)512 << 20; /* a model takes kilobytes; a hostile one stops here */
        d = m->draft = RK_NEW(&m->arena, rk_model_draft);
    }
    if (!d) {
        rk_heap_free(m);
        rk_pool_free(pool);
        return rk_fail_memory(err);
    }
    *d = (rk_model_draft){.model = m, .pool = pool};
    m->value = d->value = RK_NEW_ARRAY(&m->arena, RK_SYM_MAX, rk_i128);
    m->known = d->known = RK_NEW_ARRAY(&m->arena, RK_SYM_MAX, bool);
    if (d->value && d->known) {
        *out = d;
        return RK_OK;
    }
    rk_model_free(m);
    return rk_fail_memory(err);
}

int rk_model_begin(rk_model_draft **out, rk_err *err)
{
    return draft_new(rk_pool_new(), out, err);
}

int rk_model_derive(const rk_model *base, rk_model_draft **out, rk_err *err)
{
    size_t n = rk_model_binding(base).n;
    rk_model_draft *d = NULL;
    rk_model *m;
    int code = draft_new(rk_pool_over(base->pool), &d, err);

    if (code != RK_OK)
        return code;
    m = d->model;
    m->base = base;
    m->name = base->name;
    m->family = base->family;
    m->lowered = base->lowered;
    m->text = base->text;
    m->like = base->like;
    m->at_defaults = base->at_defaults;
    m->notes_name = base->notes_name;
    m->note = base->note;
    m->n_note = base->n_note;
    m->key = base->key;
    m->n_key = base->n_key;
    m->threshold.at = base->threshold.at; /* what is added goes to a list of its own */
    m->threshold.n = m->threshold.cap = base->threshold.n;
    m->quant = base->quant;
    m->scaling = base->scaling;
    m->n_symbol = base->n_symbol;
    m->symbol = d->symbol = rk_arena_copy_array(&m->arena, base->symbol, base->n_symbol, sizeof *base->symbol);
    if (!m->symbol) {
        rk_model_free(m);
        return rk_fail_memory(err);
    }
    memcpy(d->value, base->value, n * sizeof *d->value);
    memcpy(d->known, base->known, n * sizeof *d->known);
    *out = d;
    return RK_OK;
}

bool rk_model_stands(const rk_model *m, const rk_binding *at)
{
    for (size_t i = 0; i < m->threshold.n; i++) {
        const rk_threshold *t = &m->threshold.at[i];
        rk_i128 size = 0, bound = 0;

        if (rk_ex_eval(m->pool, t->size, at, &size, NULL) != RK_OK ||
            rk_ex_eval(m->pool, t->bound, at, &bound, NULL) != RK_OK || (size < bound) != t->below)
            return false;
    }
    return true;
}

/*
 * Whether a symbol is an axis of its own: it follows no other, or a cache makes it one (`keep k, v over S as T`).  One
 * that follows another without a cache (T = S) is read as that one, until it is set apart.
 */
static bool stands_alone(const rk_model *m, const rk_symbol *s)
{
    bool defined = rk_sym_definition(m->pool, s->sym) != RK_EX_FAILED, kept = false;

    for (size_t i = 0; i < m->program.n_keep && !kept; i++)
        kept = rk_ex_has_sym(m->pool, m->program.label[m->program.keep[i].over].size, s->sym);
    return !defined || kept;
}

/* Whether a setting is of the run, and nothing but the number of its symbol depends on it. */
static bool is_free(const rk_model *m, const rk_setting *set)
{
    const rk_symbol *s = rk_model_symbol(m, set->name);

    return s && !set->word && s->kind == RK_SYMBOL_RUN && !s->fixed && !s->checked && !s->followed &&
           stands_alone(m, s) && set->value >= 0 && !(set->value >> 63);
}

static void set_number(rk_model_draft *d, const rk_setting *set)
{
    for (size_t i = 0; i < d->model->n_symbol; i++) {
        rk_symbol *s = &d->symbol[i];

        if (strcmp(s->name, set->name) != 0)
            continue;
        rk_sym_undefine(d->pool, s->sym);
        s->known = s->set = d->known[s->sym] = true;
        s->value = d->value[s->sym] = set->value;
        s->key = s->factor = NULL;
        s->fallback = false;
    }
}

static bool is_size(const rk_pool *p, rk_ex e, const rk_binding *at, rk_i128 *out)
{
    return rk_ex_eval(p, e, at, out, NULL) == RK_OK && *out > 0 && !(*out >> 63);
}

/*
 * Whether the expander would take the numbers: sizes are sizes, and where there is a mask, keys are no fewer than
 * queries.  What is wrong with others it tells itself, with the place.
 */
static bool is_taken(const rk_model *m, const rk_binding *at)
{
    const rk_program *p = &m->program;
    rk_i128 n, keys;

    for (size_t i = 0; i < p->n_label; i++)
        if (!is_size(m->pool, p->label[i].size, at, &n))
            return false;
    for (size_t i = 0; i < p->n_op; i++) {
        const rk_mask *mask = &p->op[i].mask;

        if (mask->kind != RK_MASK_FULL && is_size(m->pool, p->label[mask->query].size, at, &n) &&
            is_size(m->pool, p->label[mask->key].size, at, &keys) && keys < n)
            return false;
    }
    return rk_model_stands(m, at);
}

int rk_model_renumber(const rk_model *base, const rk_model *from, const rk_setting *setting, size_t n,
                      const rk_model **out, rk_err *err)
{
    rk_model_draft *d = NULL;
    rk_binding at;
    int code;

    if (!base->expansion && !from)
        return RK_OK;
    for (size_t i = 0; i < n; i++)
        if (!is_free(base, &setting[i]))
            return RK_OK;
    if ((code = rk_model_derive(base, &d, err)) != RK_OK)
        return code;
    d->model->expansion = base->expansion;
    d->model->base = from ? from : base;
    d->model->program = base->program;
    d->model->program.pool = d->pool;
    d->model->roles = base->roles;
    for (size_t i = 0; i < n; i++)
        set_number(d, &setting[i]);
    /* What is defined by others follows. */
    at = rk_model_binding(d->model);
    for (size_t i = 0; i < d->model->n_symbol; i++) {
        rk_symbol *s = &d->symbol[i];
        rk_i128 value = 0;

        if (rk_sym_definition(d->pool, s->sym) != RK_EX_FAILED &&
            rk_ex_eval(d->pool, rk_ex_sym(d->pool, s->sym), &at, &value, NULL) == RK_OK)
            s->value = d->value[s->sym] = value;
    }
    if (is_taken(d->model, &at))
        *out = d->model;
    else
        rk_model_free(d->model);
    return RK_OK;
}

int rk_model_finish(int code, rk_model_draft *d, rk_build *b, const rk_model **out)
{
    rk_model *m = d->model;

    if (code == RK_OK)
        code = rk_build_end(b, &m->program);
    if (code == RK_OK)
        code = rk_roles_find(&m->arena, &m->program, &m->roles, b->err);
    if (code == RK_OK)
        *out = m;
    else
        rk_model_free(m);
    return code;
}

void rk_model_own(const rk_model *m, const rk_model *other)
{
    rk_model_draft *d = m->draft;

    while (d->between)
        d = d->between->draft;
    d->between = other;
}

void rk_model_keep(const rk_model *m, rk_arena texts)
{
    m->draft->model->texts = texts;
}

void rk_model_free(const rk_model *m)
{
    rk_model *own = m ? m->draft->model : NULL;

    if (!own)
        return;
    rk_pool_free(own->draft->pool);
    rk_model_free(own->draft->between);
    rk_arena_free(&own->texts);
    rk_arena_free(&own->arena);
    rk_heap_free(own);
}

/* ---- expansion ------------------------------------------------------------------------------------------------- */

static int begin(rk_ctx *c, rk_model_draft *d, const rk_model_source *source, rk_err *err)
{
    c->model = d->model;
    c->a = &d->model->arena;
    c->pool = d->pool;
    c->value = d->value;
    c->known = d->known;
    c->source = source;
    c->mistakes.arena = c->a;
    d->model->expansion = c;
    return rk_build_begin(&c->b, c->a, c->pool, source->name, err);
}

static int expand(rk_ctx *c)
{
    const rk_model_source *s = c->source;
    rk_file *file = NULL;
    int code = rk_model_file_read(c, s->file_name, s->text, s->n, &file, &c->global);

    if (c->b.fatal || !file)
        return c->b.fatal ? c->b.fatal : code;
    if (code != RK_OK)
        return code; /* mistakes of form first: those of meaning would be noise */
    if ((code = rk_model_line(c, file)) != RK_OK)
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
    if (code == RK_OK && c->b.output.n == 0)
        code = rk_fatal(&c->b, RK_EINPUT, "%s: no line  output NAME  says what the model gives", s->file_name);
    return code == RK_OK ? rk_keys_publish(c) : code;
}

#define KEY(d, name) rk_doc_key(d, name, sizeof name - 1)

/* The word that the config has for how rotary positions reach further than those that were trained; NULL: none. */
static const char *scaling_of(rk_arena *a, const rk_doc *config)
{
    const rk_doc *place[] = {config, KEY(config, "text_config")};

    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        const rk_doc *older = KEY(place[i], "rope_scaling"), *rope = older ? older : KEY(place[i], "rope_parameters");
        const rk_doc *type = KEY(rope, "rope_type") ? KEY(rope, "rope_type") : KEY(rope, "type");
        bool scales = KEY(rope, "factor") || KEY(rope, "long_factor");

        if (scales && type && type->kind == RK_DOC_TEXT && strcmp(type->text, "default") != 0)
            return rk_arena_text(a, type->text);
    }
    return NULL;
}

/* Mistakes are kept as text; one line of them goes into the error. */
static int report_mistakes(rk_ctx *c, rk_str *mistakes, int code)
{
    if (c->a->failed)
        rk_fatal_memory(&c->b); /* whatever was said may have come of that */
    if (c->b.fatal || c->mistakes.list.n == 0)
        return c->b.fatal ? c->b.fatal : code;
    if (mistakes)
        rk_mistakes_print(&c->mistakes, mistakes);
    return rk_fail(c->b.err, RK_EINPUT, "%zu mistake%s in the model", c->mistakes.list.n + c->mistakes.n_more,
                   c->mistakes.list.n + c->mistakes.n_more == 1 ? "" : "s");
}

/* What is said of the name stands before the notes of the model file. */
static int note_name(rk_ctx *c, const char *text)
{
    const char *said = rk_arena_text(c->a, text), **slot = RK_PUSH(c->a, &c->note);

    if (!slot || !said)
        return rk_fatal_memory(&c->b);
    memmove(c->note.at + 1, c->note.at, (c->note.n - 1) * sizeof *c->note.at);
    c->note.at[0] = said;
    return RK_OK;
}

static int expand_model(const rk_model_source *source, const rk_model **out, rk_str *mistakes, rk_err *err)
{
    rk_model_draft *d = NULL;
    int code = rk_model_begin(&d, err);
    rk_model *m = code == RK_OK ? d->model : NULL;
    rk_ctx *c = m ? RK_NEW(&m->arena, rk_ctx) : NULL;
    rk_model_source *said = c ? rk_arena_copy_array(&m->arena, source, 1, sizeof *source) : NULL;

    if (said)
        m->name = rk_arena_text(&m->arena, source->name);
    if (!said || !m->name) {
        rk_model_free(m);
        return rk_fail_memory(err);
    }
    m->like = source->lacks != NULL;
    code = begin(c, d, said, err);
    if (code == RK_OK)
        code = rk_quant_read(&m->arena, source->config_name ? source->config_name : source->name, source->config,
                             &m->quant, err);
    m->scaling = scaling_of(&m->arena, source->config);
    if (code == RK_OK)
        code = expand(c);
    if (code == RK_OK && c->mistakes.list.n)
        code = RK_EINPUT;
    if (source->lacks)
        rk_keys_lacking(c, code == RK_OK, source->lacks);
    else if (code == RK_OK)
        code = rk_refused_note(c, source->config);
    if (code != RK_OK || c->b.fatal)
        code = report_mistakes(c, mistakes, code);
    m->symbol = d->symbol = c->symbol.at;
    m->n_symbol = c->symbol.n;
    for (size_t i = 0; i < m->n_symbol; i++)
        m->at_defaults |=
            source->is_family && m->symbol[i].role != RK_SIZE_OTHER && rk_symbol_is_default(&m->symbol[i]);
    if (code == RK_OK && source->note && (!source->is_family || m->at_defaults))
        code = note_name(c, source->note);
    m->notes_name = source->note && !source->is_family;
    m->note = c->note.at;
    m->n_note = c->note.n;
    return rk_model_finish(code, d, &c->b, out);
}

int rk_model_open(const rk_model_source *source, const rk_model **out, rk_str *mistakes, rk_err *err)
{
    rk_err own = {0};
    const rk_model *m = NULL, *split = NULL;
    int code = expand_model(source, &m, mistakes, err ? err : &own);

    if (code == RK_OK)
        code = rk_split_layers(m, &split, err ? err : &own);
    if (code != RK_OK) {
        rk_model_free(m);
        return code;
    }
    if (split)
        rk_model_own(split, m);
    *out = split ? split : m;
    return RK_OK;
}
