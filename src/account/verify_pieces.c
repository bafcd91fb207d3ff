/* SPDX-License-Identifier: MIT */
/*
 * Stacks of matrices, such as the experts of a layer, that a file has one by one under names of its own:
 *
 *     experts.gate_up_proj [E 2M D], experts.down_proj [E D M]     missing
 *     experts.0.gate_proj.weight, … experts.7.up_proj.weight       extra
 *
 * They are the same where the pieces of each number from 0 to E - 1 have as many elements as one matrix of each stack.
 */
#include "account/verify.h"

#include "base/map.h"
#include "base/vec.h"

#include <string.h>

/* The stacks of one module: all tensors that are missing right below one name. */
typedef struct stacks {
    rk_i128 n_matrix, elements; /* of all of them together */
    rk_i128 *found;             /* elements of the pieces of each number */
    size_t *n_piece;
    bool wrong; /* they are not of one length, or a piece is of no matrix */
    bool some_unknown;
} stacks;

typedef struct matching {
    rk_verify *v;
    rk_arena arena;
    rk_map place; /* from the name of a module to its stacks */
    RK_VEC(stacks) at;
    uint32_t *of; /* the stacks of each row, or RK_NONE */
    size_t n_extra;
} matching;

static rk_i128 elements(const rk_shape *s, rk_acc *acc)
{
    rk_i128 n = 1;

    for (size_t i = 0; i < s->n; i++)
        n = rk_mul(acc, n, s->dim[i]);
    return n;
}

/* ---- what is missing -------------------------------------------------------------------------------------------- */

static void add_missing(matching *m, size_t row)
{
    const rk_difference *d = &m->v->at[row];
    const char *dot = strrchr(d->name, '.');
    size_t n = dot ? (size_t)(dot - d->name) : 0;
    uint32_t which;
    rk_acc acc = {0};
    stacks *s;

    if (d->wanted.n < 2 || !dot)
        return;
    which = rk_map_get(&m->place, d->name, n);
    if (which == RK_NONE) {
        which = (uint32_t)m->at.n;
        s = RK_PUSH(&m->arena, &m->at);
        if (!s || !rk_map_put(&m->arena, &m->place, d->name, n, which))
            return;
    }
    m->of[row] = which;
    s = &m->at.at[which];
    /* More matrices than there are tensors left over cannot all be there. */
    s->wrong |= (s->n_matrix && s->n_matrix != d->wanted.dim[0]) || d->wanted.dim[0] > (rk_i128)m->n_extra;
    s->n_matrix = d->wanted.dim[0];
    s->elements = rk_add(&acc, s->elements, elements(&d->wanted, &acc));
    s->wrong |= acc.overflow;
}

/* ---- what is extra ---------------------------------------------------------------------------------------------- */

static void add_piece(matching *m, size_t row, rk_i128 matrix)
{
    const rk_difference *d = &m->v->at[row];
    stacks *s = &m->at.at[m->of[row]];
    rk_acc acc = {0};

    s->wrong |= matrix >= s->n_matrix;
    if (s->wrong)
        return;
    s->some_unknown |= !d->found.known;
    s->n_piece[matrix]++;
    s->found[matrix] = rk_add(&acc, s->found[matrix], elements(&d->found, &acc));
    s->wrong |= acc.overflow;
}

/* A number in the name, right after that of a module with stacks. */
static void add_extra(matching *m, size_t row)
{
    const char *name = m->v->at[row].name;

    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        rk_i128 number;
        uint32_t which = rk_map_get(&m->place, name, (size_t)(dot - name));

        if (which == RK_NONE || !rk_num_parse(dot + 1, strcspn(dot + 1, "."), &number))
            continue;
        m->of[row] = which;
        add_piece(m, row, number);
        return;
    }
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

/* Where shapes are not known, each matrix must at least be of as many pieces. */
static bool is_whole(const stacks *s)
{
    if (s->wrong || s->n_matrix == 0 || s->elements % s->n_matrix != 0)
        return false;
    for (rk_i128 i = 0; i < s->n_matrix; i++)
        if (s->n_piece[i] == 0 || s->n_piece[i] != s->n_piece[0] ||
            (!s->some_unknown && s->found[i] != s->elements / s->n_matrix))
            return false;
    return true;
}

/* Stacks that are there after all are no longer missing, and their pieces not extra. */
static void take_back(matching *m)
{
    rk_verify *v = m->v;
    size_t n = 0;

    for (size_t i = 0; i < v->n; i++) {
        bool whole = m->of[i] != RK_NONE && is_whole(&m->at.at[m->of[i]]);
        rk_difference *d = &v->at[i];

        if (whole) {
            v->count[d->kind]--;
            if (d->kind == RK_DIFFERENCE_EXTRA)
                continue;
            v->n_matched++;
            v->n_unchecked += m->at.at[m->of[i]].some_unknown;
            d->kind = RK_DIFFERENCE_PIECES;
            v->count[d->kind]++;
        }
        v->at[n++] = *d;
    }
    v->n = n;
}

static int match(matching *m, rk_err *err)
{
    m->of = RK_NEW_ARRAY(&m->arena, m->v->n + 1, uint32_t);
    for (size_t i = 0; m->of && i < m->v->n; i++) {
        m->of[i] = RK_NONE;
        if (m->v->at[i].kind == RK_DIFFERENCE_MISSING)
            add_missing(m, i);
    }
    for (size_t i = 0; i < m->at.n; i++) {
        stacks *s = &m->at.at[i];
        size_t n = s->wrong ? 0 : (size_t)s->n_matrix;

        s->found = RK_NEW_ARRAY(&m->arena, n + 1, rk_i128);
        s->n_piece = RK_NEW_ARRAY(&m->arena, n + 1, size_t);
    }
    if (m->arena.failed)
        return rk_fail_memory(err);
    for (size_t i = 0; i < m->v->n; i++)
        if (m->v->at[i].kind == RK_DIFFERENCE_EXTRA)
            add_extra(m, i);
    take_back(m);
    return RK_OK;
}

int rk_verify_pieces(rk_verify *v, rk_err *err)
{
    matching m = {.v = v, .n_extra = v->count[RK_DIFFERENCE_EXTRA]};
    int code = RK_OK;

    if (m.n_extra > 0 && v->count[RK_DIFFERENCE_MISSING] > 0)
        code = match(&m, err);
    rk_arena_free(&m.arena);
    return code;
}
