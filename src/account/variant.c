/* SPDX-License-Identifier: MIT */
#include "account/variant.h"

#include <string.h>

/* ---- what is saved ----------------------------------------------------------------------------------------------- */

static void mark_saved(const rk_program *p, const rk_places *pl, bool *saved)
{
    for (size_t i = 0; i < p->n_op; i++) {
        const rk_place_op *op = &pl->op[i];

        for (size_t k = 0; k < op->n_kept; k++) {
            uint32_t b = pl->list[op->read + op->n_read + k];

            if (b != RK_NONE && !pl->buffer[b].stored)
                saved[b] = true;
        }
    }
}

static bool is_same(const rk_buffer *a, const rk_buffer *b)
{
    bool same_what = a->what == b->what || (a->what && b->what && strcmp(a->what, b->what) == 0);

    return same_what && a->op == b->op && a->tensor == b->tensor && a->count == b->count && a->type == b->type;
}

static void compare(const rk_places *now, const bool *saved, const rk_places *there, const bool *saved_there,
                    rk_variant *out)
{
    size_t near = 0, n = 0, n_there = 0;

    for (size_t i = 0; i < there->n_buffer; i++)
        n_there += saved_there[i];
    for (size_t i = 0; i < now->n_buffer; i++) {
        n += saved[i];
        out->for_buffer[i] = saved[i];
        /* Both tables are in the order of operations: what is looked for stands near where the last one was found. */
        for (size_t k = 0; out->for_buffer[i] && k < there->n_buffer; k++) {
            size_t at = (near + k) % there->n_buffer;

            if (saved_there[at] && is_same(&now->buffer[i], &there->buffer[at])) {
                out->for_buffer[i] = false;
                near = at + 1;
            }
        }
        out->matters |= out->for_buffer[i];
    }
    out->matters |= n != n_there;
}

/* ---- the same model at another number --------------------------------------------------------------------------- */

/* What follows from others follows from the new number. */
static int copy_numbers(rk_arena *a, const rk_instance *m, rk_sym sym, rk_i128 value, rk_instance *out, rk_err *err)
{
    int code = rk_instance_copy(a, m, out, err);

    for (size_t i = 0; i < m->model->n_symbol && code == RK_OK; i++) {
        const rk_symbol *s = &m->model->symbol[i];

        if (!s->set && rk_sym_definition(m->pool, s->sym) != RK_EX_FAILED)
            out->known[s->sym] = false;
    }
    if (code == RK_OK)
        rk_instance_set(out, sym, value);
    return code;
}

int rk_variants_new(rk_arena *a, const rk_instance *m, const rk_flow *f, const rk_run_options *o, const rk_places *now,
                    rk_variants *out, rk_err *err)
{
    bool *saved = RK_NEW_ARRAY(a, now->n_buffer + 1, bool), *saved_there;

    *out = (rk_variants){0};
    if (!saved)
        return rk_fail_memory(err);
    mark_saved(m->program, now, saved);
    for (size_t i = 0; i < m->model->n_symbol && out->n < RK_VARIANTS_MAX; i++) {
        const rk_symbol *s = &m->model->symbol[i];
        rk_variant v = {.symbol = s->name};
        rk_places there;
        rk_instance other;

        if (s->kind != RK_SYMBOL_RUN || !s->known || s->fixed || m->value[s->sym] <= 0 ||
            rk_sym_definition(m->pool, s->sym) != RK_EX_FAILED)
            continue;
        v.is_one = m->value[s->sym] == 1;
        v.for_buffer = RK_NEW_ARRAY(a, now->n_buffer + 1, bool);
        if (!v.for_buffer || copy_numbers(a, m, s->sym, v.is_one ? 2 : 1, &other, err) != RK_OK)
            return rk_fail_memory(err);
        if (!rk_model_stands(m->model, &other.at) || rk_places_new(a, &other, f, o, &there, NULL) != RK_OK)
            continue;
        saved_there = RK_NEW_ARRAY(a, there.n_buffer + 1, bool);
        if (!saved_there)
            return rk_fail_memory(err);
        mark_saved(m->program, &there, saved_there);
        compare(now, saved, &there, saved_there, &v);
        if (v.matters)
            out->at[out->n++] = v;
    }
    return RK_OK;
}
