/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

/* The first body of a name holds: a family's own file is read before the one for all. */
static int body_add(rk_ctx *c, const rk_stmt *s, rk_frame *global)
{
    rk_block *b;

    if (rk_body_find(c, s->name))
        return RK_OK;
    if (!(b = RK_PUSH(c->a, &c->body)))
        return rk_fatal_memory(&c->b);
    *b = (rk_block){.stmt = s, .global = global};
    return RK_OK;
}

static int block_add(rk_ctx *c, const rk_stmt *s, rk_frame *global)
{
    rk_block *b;

    if (c->lowering)
        return body_add(c, s, global);
    if (rk_op_find(s->name) != RK_N_OP || rk_is_scalar_function(s->name))
        return RK_MISTAKE(c, s->name_span, "'%s' is an operation; give the block another name", s->name);
    if (rk_block_find(c, s->name))
        return RK_MISTAKE(c, s->name_span, "the block '%s' is defined twice", s->name);
    if (!(b = RK_PUSH(c->a, &c->block)))
        return rk_fatal_memory(&c->b);
    *b = (rk_block){.stmt = s, .global = global};
    return RK_OK;
}

static bool used_before(const rk_ctx *c, const char *name, bool *open)
{
    for (size_t i = 0; i < c->used.n; i++)
        if (strcmp(c->used.at[i], name) == 0) {
            *open = i < c->n_using;
            return true;
        }
    return false;
}

static int use_file(rk_ctx *c, const rk_stmt *s, const char *from)
{
    const char *name = NULL, *text = NULL;
    size_t n = 0;
    rk_file *file;
    rk_frame *global;
    rk_err why = {0};
    bool open = false;

    if (!c->source->finder.find)
        return RK_MISTAKE(c, s->span, "no other files can be used here");
    if (c->source->finder.find(c->source->finder.self, c->a, from, s->text, &name, &text, &n, &why) != RK_OK)
        return why.code == RK_ENOMEM ? rk_fatal_memory(&c->b) : RK_MISTAKE(c, s->span, "%s", why.message);
    if (used_before(c, name, &open))
        return open ? RK_MISTAKE(c, s->span, "%s uses itself, in a circle", name) : RK_OK;
    return rk_model_file_read(c, name, text, n, &file, &global);
}

/* Beside its blocks, a used file may have symbols for them; all else belongs to a model. */
static int used_stmt(rk_ctx *c, const rk_stmt *s, rk_frame *global)
{
    rk_frame *here = c->frame;
    int code;

    if (s->kind != RK_STMT_LET)
        return RK_MISTAKE(c, s->span, "a file that is used has blocks, symbols (let) and files that it uses itself");
    c->frame = global;
    code = rk_let_local(c, s);
    c->frame = here;
    return code == RK_OK ? rk_used_put(c, global->bind.at[global->bind.n - 1]) : code;
}

/* Blocks and used files of a file; its other statements are expanded only if it is the model itself. */
static int read_heads(rk_ctx *c, const rk_file *file, rk_frame *global)
{
    int worst = RK_OK;

    for (size_t i = 0; i < file->body.n && !c->b.fatal; i++) {
        const rk_stmt *s = file->body.at[i];
        int code = s->kind == RK_STMT_USE     ? use_file(c, s, file->source->name)
                   : s->kind == RK_STMT_BLOCK ? block_add(c, s, global)
                   : c->n_using > 1           ? used_stmt(c, s, global)
                                              : RK_OK;

        worst = code != RK_OK ? code : worst;
    }
    return c->b.fatal ? c->b.fatal : worst;
}

static int parse(rk_ctx *c, const char *name, const char *text, size_t n, rk_file **out)
{
    rk_parsed *p = c->source->finder.parsed;
    rk_file **slot;
    int code;

    for (size_t i = 0; p && i < p->file.n; i++) {
        const rk_source *s = p->file.at[i]->source;

        if (s->n == n && strcmp(s->name, name) == 0 && memcmp(s->text, text, n) == 0) {
            *out = p->file.at[i];
            return RK_OK;
        }
    }
    code = rk_parse(p ? &p->arena : c->a, name, text, n, &c->mistakes, out, c->b.err);
    if (p && code == RK_OK && (slot = RK_PUSH(&p->arena, &p->file)))
        *slot = *out;
    return code;
}

int rk_model_file_read(rk_ctx *c, const char *name, const char *text, size_t n, rk_file **out, rk_frame **global)
{
    const char **slot;
    int code;

    if (c->n_using >= RK_USE_NEST_MAX)
        return rk_fatal(&c->b, RK_ELIMIT, "%s: files that use files: deeper than %d", name, RK_USE_NEST_MAX);
    if (n > RK_SOURCE_BYTES_MAX)
        return rk_fatal(&c->b, RK_ELIMIT, "%s: a model file has at most %zu bytes", name, RK_SOURCE_BYTES_MAX);
    if (!(slot = RK_PUSH(c->a, &c->used)))
        return rk_fatal_memory(&c->b);
    /* Files being read stand in front, so that a circle is seen; those read already stand after. */
    *slot = c->used.at[c->n_using];
    c->used.at[c->n_using++] = name;
    if (!(*global = rk_frame_new(c, NULL)))
        return c->b.fatal;
    (*global)->is_global = true;
    code = parse(c, name, text, n, out);
    if (code == RK_ENOMEM)
        return c->b.fatal = code;
    if (*out)
        code = read_heads(c, *out, *global) == RK_OK ? code : RK_EINPUT;
    c->n_using--;
    return c->b.fatal ? c->b.fatal : code;
}

int rk_model_line(rk_ctx *c, const rk_file *file)
{
    for (size_t i = 0; i < file->body.n; i++) {
        const rk_stmt *s = file->body.at[i];

        if (s->kind == RK_STMT_MODEL && !c->model->family) {
            c->model->family = s->name;
            c->model->text = s->text;
        } else if (s->kind == RK_STMT_LOWER) {
            c->model->lowered = &s->child;
        }
    }
    if (c->model->family)
        return RK_OK;
    return rk_fatal(&c->b, RK_EINPUT, "%s has no line  model NAME: \"…\"  : it is a file of blocks, not a model",
                    file->source->name);
}

/* The bodies of a file, if there is one; `named`: by a line of the model, so that there must be. */
static int read_bodies(rk_ctx *c, const char *path, const char *named)
{
    const char *name = NULL, *text = NULL;
    size_t n = 0;
    rk_file *file = NULL;
    rk_frame *global;
    rk_err none = {0};

    if (!path)
        return rk_fatal_memory(&c->b);
    if (c->source->finder.find(c->source->finder.self, c->a, c->source->file_name, path, &name, &text, &n, &none) !=
        RK_OK)
        return named ? rk_fatal(&c->b, RK_EINPUT, "lower \"%s\": there is no %s", named, path) : RK_OK;
    return rk_model_file_read(c, name, text, n, &file, &global);
}

#define NAMED_OF                                                                                                       \
    "torch" /* the profile whose bodies the lines of model files name; others may have theirs of that name */

static int read_named(rk_ctx *c, const char *name)
{
    bool must = strcmp(c->profile, NAMED_OF) == 0;

    return read_bodies(c, rk_arena_format(c->a, "lower/%s/%s.rk", c->profile, name), must ? name : NULL);
}

/* What is asked for has bodies of the profile's own, or else those for all. */
static int read_asked(rk_ctx *c, const char *what)
{
    size_t before = c->used.n;
    int code = read_bodies(c, rk_arena_format(c->a, "lower/%s/%s.rk", c->profile, what), NULL);

    if (code == RK_OK && c->used.n == before)
        code = read_bodies(c, rk_arena_format(c->a, "lower/%s.rk", what), NULL);
    return code;
}

/* Bodies for a profile: what is asked for, the family's own, those that its file names, then those for all. */
int rk_bodies_read(rk_ctx *c)
{
    const rk_nodes *lowered = c->model->lowered;
    int code = RK_OK;

    c->lowering = true;
    if (c->fused)
        code = read_asked(c, c->wide ? "flash_wide" : "flash");
    if (code == RK_OK && c->grouped)
        code = read_asked(c, "grouped");
    if (code == RK_OK && c->drops)
        code = read_asked(c, "dropout");
    if (code == RK_OK)
        code = read_bodies(c, rk_arena_format(c->a, "lower/%s/%s.rk", c->profile, c->model->family), NULL);
    for (size_t i = 0; lowered && i < lowered->n && code == RK_OK; i++)
        code = read_named(c, lowered->at[i]->text);
    if (code == RK_OK)
        code = read_bodies(c, rk_arena_format(c->a, "lower/%s.rk", c->profile), NULL);
    c->lowering = false;
    return code;
}
