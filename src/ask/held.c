/* SPDX-License-Identifier: MIT */
#include "ask/held.h"

#include "ask/origin.h"
#include "ask/path.h"

#include <string.h>

typedef struct finding {
    rk_arena *a;
    const rk_memory *m;
    const rk_program *p, *run; /* the equations, and what is run */
    const uint32_t *origin;
    rk_path_names names;
    rk_held_explanation *out;
    rk_owner owner; /* whose bytes are meant, where no path is … */
    rk_alive as;    /* … or bytes as what */
    rk_err *err;
} finding;

/* ---- what is meant ---------------------------------------------------------------------------------------------- */

static bool add_row_names(finding *x, const rk_memory_rows *rows)
{
    bool ok = true;

    for (size_t i = 0; i < rows->n && ok; i++)
        ok = rk_path_add(x->a, &x->names, rows->at[i].path);
    return ok;
}

static bool add_names(finding *x, const rk_program *p)
{
    bool ok = true;

    for (uint32_t i = 0; i < p->n_part && ok; i++)
        ok = !p->part[i].path[0] || rk_path_add(x->a, &x->names, p->part[i].path);
    for (uint32_t i = 0; i < p->n_op && ok; i++) {
        const char *path = rk_row_path(x->a, p, p->op[i].part, p->op[i].name);

        ok = path && rk_path_add(x->a, &x->names, path);
    }
    return ok;
}

/* A tensor is meant after all others, as elsewhere. */
static int find_tensor(finding *x, const char *word)
{
    rk_path_names names = {0};
    int code;

    for (size_t i = 0; i < x->run->n_weight; i++)
        if (!rk_path_add(x->a, &names, x->run->weight[i].pattern))
            return rk_fail_memory(x->err);
    code = rk_path_find(&names, word, &x->out->path, x->err);
    if (x->out->path)
        x->out->kind = RK_EXPLAINED_TENSOR;
    return code;
}

static bool is_part(const rk_program *p, const char *path)
{
    for (uint32_t i = 0; i < p->n_part; i++)
        if (strcmp(p->part[i].path, path) == 0)
            return true;
    return false;
}

/* Whose, or as what: norms, optimizer, cache … */
static void find_kind(finding *x, const char *word)
{
    for (size_t i = 0; i < RK_N_ALIVE; i++)
        if (strcmp(rk_alive_table[i].word, word) == 0)
            x->as = (rk_alive)i;
    for (size_t i = 0; i < RK_N_OWNER && x->as == RK_N_ALIVE; i++)
        if (strcmp(rk_owner_word[i], word) == 0)
            x->owner = (rk_owner)i;
    if (x->as != RK_N_ALIVE || x->owner != RK_N_OWNER)
        x->out->path = word;
}

static int find(finding *x, const char *word)
{
    bool ok = add_names(x, x->p) && add_names(x, x->run);
    int code;

    ok = ok && add_row_names(x, &x->m->saved_rows) && add_row_names(x, &x->m->alive);
    code = ok ? RK_OK : rk_fail_memory(x->err);
    if (x->out->quantity == RK_QUANTITY_ALIVE)
        find_kind(x, word);
    if (code != RK_OK || x->out->path)
        return code;
    code = rk_path_find(&x->names, word, &x->out->path, x->err);
    if (code == RK_OK && x->out->path)
        x->out->kind =
            is_part(x->p, x->out->path) || is_part(x->run, x->out->path) ? RK_EXPLAINED_PART : RK_EXPLAINED_ROW;
    if (code == RK_OK && !x->out->path)
        find_kind(x, word);
    if (code == RK_OK && !x->out->path)
        code = find_tensor(x, word);
    if (code == RK_OK && !x->out->path)
        code = rk_path_fail(&x->names, x->m->model->name, word, x->err);
    return code;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static bool lies_in(const char *path, const char *whole)
{
    size_t n = strlen(whole);

    return path && strncmp(path, whole, n) == 0 && (path[n] == '\0' || path[n] == '.');
}

/* By its own name, by that of the operation that made it or reads it, or by that of its line. */
static bool is_meant(const finding *x, const rk_memory_row *row, uint32_t line)
{
    const char *path = x->out->path;

    if (!path)
        return true;
    if (x->owner != RK_N_OWNER)
        return row->owner == x->owner;
    if (x->as != RK_N_ALIVE)
        return row->kind == x->as;
    if (lies_in(row->path, path))
        return true;
    if (x->out->kind == RK_EXPLAINED_TENSOR)
        return false;
    return (row->op != RK_NONE &&
            lies_in(rk_row_path(x->a, x->run, x->run->op[row->op].part, x->run->op[row->op].name), path)) ||
           (line != RK_NONE && lies_in(rk_row_path(x->a, x->p, x->p->op[line].part, x->p->op[line].name), path));
}

static int add_one(finding *x, const rk_memory_row *row)
{
    rk_held_explanation *out = x->out;
    rk_pool *pool = x->m->instance->pool;
    uint32_t line = row->op == RK_NONE ? RK_NONE : x->origin[row->op];
    rk_held_row *slot;

    if (!is_meant(x, row, line))
        return RK_OK;
    slot = RK_PUSH(x->a, &out->row);
    if (!slot)
        return rk_fail_memory(x->err);
    *slot = (rk_held_row){.of = *row, .line = line};
    out->formula =
        rk_ex_add(pool, out->formula, row->all != RK_EX_FAILED ? row->all : rk_ex_int(pool, row->bytes * row->times));
    out->bytes += row->bytes * row->times;
    return RK_OK;
}

/* Of buffers that are alive some may be saved, and some not: then they are two rows. */
static int add(finding *x, const rk_memory_row *row)
{
    rk_pool *pool = x->m->instance->pool;
    rk_memory_row saved = *row, rest = *row;
    int code;

    saved.kind = row->kept > 0 ? RK_ALIVE_SAVED : row->kind;
    if (row->kept == 0 || row->kept == row->times)
        return add_one(x, &saved);
    saved.times = row->kept;
    saved.all = rk_ex_mul(pool, rk_ex_int(pool, row->kept), row->formula);
    rest.times -= row->kept;
    rest.kept = 0;
    rest.all = rk_ex_sub(pool, row->all, saved.all);
    code = add_one(x, &saved);
    return code == RK_OK ? add_one(x, &rest) : code;
}

/* In place of one row for all weights, one for each, and one for what is no weight's: flat state, a count of steps. */
static int add_stored(finding *x, const rk_memory_row *all)
{
    const rk_memory_rows *stored = &x->m->stored;
    rk_pool *pool = x->m->instance->pool;
    rk_memory_row rest = *all;
    int code = RK_OK;

    rest.bytes *= rest.times;
    rest.times = 1;
    for (size_t i = 0; i < stored->n; i++)
        if (stored->at[i].kind == all->kind) {
            rest.bytes -= stored->at[i].bytes * stored->at[i].times;
            rest.all = rk_ex_sub(pool, rest.all, stored->at[i].all);
        }
    if (rest.bytes < 0) /* some of them are gone at the peak */
        return add(x, all);
    for (size_t i = 0; i < stored->n && code == RK_OK; i++)
        if (stored->at[i].kind == all->kind)
            code = add(x, &stored->at[i]);
    return code == RK_OK && rest.bytes > 0 ? add(x, &rest) : code;
}

static bool is_of_weights(const rk_memory_row *row)
{
    return !row->what && row->buffer == RK_NONE && row->op == RK_NONE && row->times > 0 &&
           (row->kind == RK_ALIVE_WEIGHTS || row->kind == RK_ALIVE_OPTIMIZER || row->kind == RK_ALIVE_GRADIENTS) &&
           row->owner == RK_OWNER_REST;
}

static int add_rows(finding *x)
{
    const rk_memory_rows *from = x->out->quantity == RK_QUANTITY_SAVED ? &x->m->saved_rows : &x->m->alive;
    int code = RK_OK;

    for (size_t i = 0; i < from->n && code == RK_OK; i++)
        code = x->out->quantity == RK_QUANTITY_ALIVE && is_of_weights(&from->at[i]) ? add_stored(x, &from->at[i])
                                                                                    : add(x, &from->at[i]);
    return code;
}

int rk_held_explain(rk_arena *a, const rk_memory *m, const rk_program *equations, rk_held_quantity quantity,
                    const char *word, rk_held_explanation *out, rk_err *err)
{
    finding x = {.a = a,
                 .m = m,
                 .p = equations,
                 .run = m->instance->program,
                 .origin = rk_origins_find(a, equations, m->instance->program),
                 .out = out,
                 .owner = RK_N_OWNER,
                 .as = RK_N_ALIVE,
                 .err = err};
    int code = x.origin ? RK_OK : rk_fail_memory(err);

    *out = (rk_held_explanation){.quantity = quantity,
                                 .kind = RK_EXPLAINED_PART,
                                 .formula = rk_ex_int(m->instance->pool, 0),
                                 .whole = quantity == RK_QUANTITY_SAVED ? m->saved : m->peak};
    if (code == RK_OK && word)
        code = find(&x, word);
    if (code == RK_OK)
        code = add_rows(&x);
    if (code == RK_OK)
        code = rk_pool_check(m->instance->pool, err);
    return code == RK_OK && a->failed ? rk_fail_memory(err) : code;
}
