/* SPDX-License-Identifier: MIT */
#include "pass/placing.h"

/* What an axis of an operand is in a product of matrices. */
typedef enum role {
    ROLE_BATCH, /* of both operands, and of the result */
    ROLE_OWN,   /* of this operand and of the result */
    ROLE_SUMMED
} role;

static role role_of(const rk_placing *p, size_t k, uint32_t label)
{
    if (rk_ixs_place(&p->p->tensor[p->now->out].axes, label) < 0)
        return ROLE_SUMMED;
    return rk_ixs_place(&p->now->in[1 - k].axes, label) >= 0 ? ROLE_BATCH : ROLE_OWN;
}

/* The axes of an operand (in one step) in the order batch, own, summed; and the three that they are together. */
static void as_matrices(const rk_placing *p, size_t k, rk_dims *fine, rk_dims *coarse)
{
    const rk_ixs *axes = &p->now->in[k].axes;

    *fine = (rk_dims){0};
    *coarse = (rk_dims){.n = 3};
    for (int r = ROLE_BATCH; r <= ROLE_SUMMED; r++) {
        coarse->at[r].size = rk_size_of(p->o->conditions, 1);
        for (size_t i = 0; i < axes->n; i++)
            if ((int)role_of(p, k, axes->at[i].label) == r && axes->at[i].label + 1 != p->step) {
                fine->at[fine->n++] = p->dims[k].at[i];
                coarse->at[r].size = rk_size_times(p->o->conditions, coarse->at[r].size, p->dims[k].at[i].size);
            }
    }
}

/* Each step copies what it reads for itself. */
static void copy_steps(rk_placing *p, size_t k)
{
    uint32_t tensor = p->now->in[k].tensor;

    p->before[k] = 0;
    if (rk_ixs_place(&p->now->in[k].axes, p->step - 1) >= 0)
        p->read[k] = rk_placing_make_steps(p, "copy", tensor, p->step - 1, p->tensor[tensor].type);
    else
        rk_placing_copy_operand(p, k, p->dims[k]);
}

/* A product of matrices wants each operand as [batch, own, summed], or with the last two exchanged. */
static void matrix_operand(rk_placing *p, size_t k)
{
    rk_dims fine, coarse;

    if (rk_placing_is_stored(p, k))
        return;
    as_matrices(p, k, &fine, &coarse);
    if (rk_dims_view(p->o->conditions, &fine, &coarse))
        return;
    if (p->step && !p->o->profile->textbook)
        copy_steps(p, k);
    else
        rk_placing_copy_operand(p, k, fine);
}

/* The result lies as [batch, own of the first, own of the second]. */
static void place_matrices(rk_placing *p)
{
    const rk_ixs *out = &p->p->tensor[p->now->out].axes, *first = &p->now->in[0].axes;
    rk_size stride = rk_size_of(p->o->conditions, 1);

    for (int pass = 2; pass >= 0; pass--)
        for (size_t i = out->n; i > 0; i--) {
            bool in_first = rk_ixs_place(first, out->at[i - 1].label) >= 0;
            bool in_second = rk_ixs_place(&p->now->in[1].axes, out->at[i - 1].label) >= 0;
            int part = in_first && in_second ? 0 : in_first ? 1 : 2;

            if (part != pass)
                continue;
            p->out.at[i - 1].stride = stride;
            stride = rk_size_times(p->o->conditions, stride, p->out.at[i - 1].size);
        }
}

void rk_place_product(rk_placing *p)
{
    if (rk_placing_is_plain(&p->now->in[0].axes) && rk_placing_is_plain(&p->now->in[1].axes)) {
        matrix_operand(p, 0);
        matrix_operand(p, 1);
        place_matrices(p);
    } else {
        rk_dims_pack(p->o->conditions, &p->out);
    }
    rk_placing_own_result(p);
}
