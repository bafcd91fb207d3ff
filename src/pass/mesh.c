/* SPDX-License-Identifier: MIT */
/*
 * pass/mesh.c - the sizes of the axes of a mesh become symbols of the model, so that formulas have them; and sizes of
 * the model that a runtime rounds up to what they are over that mesh.
 */
#include "pass/passes.h"

#include "model/copy.h"

#include <string.h>

static bool is_there(const rk_model *m, const rk_layout *l, rk_mesh_axis axis)
{
    return l->size[axis] > 1 && !rk_model_names(m, rk_mesh_word[axis]);
}

/* Before the model's own, as they are printed. */
static int put_symbols(const rk_layout *l, rk_model_draft *d, rk_build *b)
{
    rk_model *m = d->model;
    rk_symbol *list = RK_NEW_ARRAY(&m->arena, m->n_symbol + RK_N_MESH, rk_symbol);
    size_t n = 0;

    if (!list)
        return rk_fatal_memory(b);
    for (size_t i = 0; i < RK_N_MESH; i++) {
        if (!is_there(m, l, (rk_mesh_axis)i))
            continue;
        list[n] = (rk_symbol){.name = rk_mesh_word[i],
                              .text = rk_mesh_text[i],
                              .kind = RK_SYMBOL_MODEL,
                              .sym = rk_sym_declare(b->pool, rk_mesh_word[i], RK_SYM_RANK_MODEL),
                              .known = true,
                              .value = l->size[i],
                              .set = true};
        if (list[n].sym == RK_SYM_NONE)
            return rk_fatal(b, RK_ELIMIT, "%s: too many symbols", m->name);
        d->value[list[n].sym] = l->size[i];
        d->known[list[n].sym] = true;
        n++;
    }
    memcpy(list + n, m->symbol, m->n_symbol * sizeof *list);
    m->symbol = d->symbol = list;
    m->n_symbol += n;
    return RK_OK;
}

/* ---- sizes that a runtime rounds up ------------------------------------------------------------------------------ */

/* What a size of the model is over the devices of tp: padded, or copied so that each device has one. */
static rk_i128 size_over(const rk_model *m, const rk_layout *l, rk_symbol_role role)
{
    const rk_symbol *s = rk_model_size(m, role);
    rk_i128 n = l->size[RK_MESH_TP], unit = role == RK_SIZE_VOCABULARY ? l->runtime.vocabulary_multiple * n : 0;

    if (!s || !s->known || rk_sym_definition(m->program.pool, s->sym) != RK_EX_FAILED)
        return 0;
    if (unit > 0)
        return (s->value + unit - 1) / unit * unit;
    return role == RK_SIZE_KEY_HEADS && l->runtime.copies_keys && s->value < n && n % s->value == 0 ? n : s->value;
}

static const rk_symbol_role rounded[] = {RK_SIZE_VOCABULARY, RK_SIZE_KEY_HEADS};

#define N_ROUNDED (sizeof rounded / sizeof *rounded)

static bool rounds(const rk_model *m, const rk_layout *l)
{
    for (size_t i = 0; i < N_ROUNDED; i++) {
        rk_i128 size = size_over(m, l, rounded[i]);

        if (size > 0 && size != rk_model_size(m, rounded[i])->value)
            return true;
    }
    return false;
}

/* Symbols get other numbers, and what is defined by them follows. */
static void round_sizes(const rk_model *in, const rk_layout *l, rk_model_draft *d)
{
    rk_binding at;

    for (size_t i = 0; i < N_ROUNDED; i++) {
        rk_i128 size = size_over(in, l, rounded[i]), value = 0;
        const rk_symbol *of = size > 0 ? rk_model_size(in, rounded[i]) : NULL;

        for (size_t k = 0; of && k < d->model->n_symbol; k++)
            if (d->symbol[k].sym == of->sym)
                d->symbol[k].value = d->value[of->sym] = size;
        at = rk_model_binding(d->model);
        for (size_t k = 0; of && k < d->model->n_symbol; k++)
            if (rk_sym_definition(d->pool, d->symbol[k].sym) != RK_EX_FAILED &&
                rk_ex_eval(d->pool, rk_ex_sym(d->pool, d->symbol[k].sym), &at, &value, NULL) == RK_OK)
                d->symbol[k].value = value;
    }
}

rk_ex rk_mesh_size(rk_pool *pool, const rk_layout *l, rk_mesh_axis axis)
{
    rk_sym s = rk_sym_find(pool, rk_mesh_word[axis]);

    return s == RK_SYM_NONE || l->size[axis] == 1 ? rk_ex_int(pool, l->size[axis]) : rk_ex_sym(pool, s);
}

rk_ex rk_mesh_group(rk_pool *pool, const rk_layout *l, rk_mesh_axis axis, bool experts)
{
    rk_ex n = rk_mesh_size(pool, l, axis);

    if (rk_layout_group(l, axis, false) != l->size[axis])
        n = rk_ex_mul(pool, n, rk_mesh_size(pool, l, RK_MESH_CP));
    if (rk_layout_group(l, axis, experts) == 1)
        return rk_ex_int(pool, 1);
    return rk_layout_group(l, axis, experts) == rk_layout_group(l, axis, false)
               ? n
               : rk_ex_div(pool, n, rk_mesh_size(pool, l, RK_MESH_EP));
}

int rk_pass_mesh(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    rk_model_draft *d = NULL;
    bool any = false;
    rk_build b;
    int code;

    for (size_t i = 0; o->layout && i < RK_N_MESH; i++)
        any |= is_there(in, o->layout, (rk_mesh_axis)i);
    any |= o->layout && rounds(in, o->layout);
    if (!any || (code = rk_pass_begin(in, &d, &b, err)) != RK_OK)
        return any ? code : RK_OK;
    code = put_symbols(o->layout, d, &b);
    if (code == RK_OK)
        round_sizes(in, o->layout, d);
    if (code == RK_OK)
        code = rk_copy_program(&(rk_copy){0}, &in->program, &b);
    return rk_model_finish(code, d, &b, out);
}
