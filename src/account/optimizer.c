/* SPDX-License-Identifier: MIT */
#include "account/optimizer.h"

/*
 * The state is that of the implementations that docs/memory.md names.  Factors that are the same for all elements (a
 * learning rate with its corrections) are made once and not counted.
 */
const rk_optimizer_row rk_optimizer_table[RK_N_OPTIMIZER] = {
    [RK_OPTIMIZER_ADAMW] =
        {
            .word = "adamw",
            .text = "two moments of each parameter",
            .counted = "first moment 3 (two multiplications, an addition), second moment 4 (a square more), "
                       "step 5 (root, + epsilon, quotient, times the rate, subtraction), decay 2",
            .moments = {2, 2},
            .flops = {14, 14},
            .counts = true,
        },
    [RK_OPTIMIZER_ADAMW_FOREACH] =
        {
            .word = "adamw-foreach",
            .text = "two moments of each parameter; in a step the roots of all second moments besides",
            .counted = "as adamw",
            .moments = {2, 2},
            .flops = {14, 14},
            .reads = 3,
            .spare = {.all = 1},
        },
    [RK_OPTIMIZER_SGD] =
        {
            .word = "sgd",
            .text = "nothing",
            .counted = "times the rate, subtraction",
            .flops = {2, 2},
        },
    [RK_OPTIMIZER_MOMENTUM] =
        {
            .word = "momentum",
            .text = "one moment of each parameter",
            .counted = "moment 2 (multiplication, addition), times the rate, subtraction",
            .moments = {1, 1},
            .flops = {4, 4},
        },
    [RK_OPTIMIZER_LION] =
        {
            .word = "lion",
            .text = "one moment of each parameter",
            .counted = "direction 3 and its sign 1, moment 3, decay 2, times the rate, subtraction",
            .moments = {1, 1},
            .flops = {11, 11},
        },
    [RK_OPTIMIZER_ADAM8BIT] =
        {
            .word = "adam8bit",
            .text = "two moments in eight bits, each with a scale for 256 numbers; in fp32 of tensors under 4,096",
            .counted = "as adamw, and each moment times its scale when read, over its scale when written",
            .moments = {2, 2},
            .flops = {18, 18},
            .bytes = 4,
            .coded = true,
        },
    [RK_OPTIMIZER_ADAFACTOR] =
        {
            .word = "adafactor",
            .text = "means of the rows and columns of a matrix; of other tensors one moment; in fp32",
            .counted = "square and + epsilon 2, means of rows and columns 2, their product 1, times the gradient 1, "
                       "its size 2 and quotient 1, times the rate 1, size of the parameter 2, subtraction 1; "
                       "of other tensors the moment 3 and its root 1 instead of means and product",
            .moments = {1, 0},
            .flops = {14, 13},
            .sides = true,
            .bytes = 4,
            .counts = true,
            .spare = {.wide = 2, .widened = 2},
        },
    [RK_OPTIMIZER_MUON] =
        {
            .word = "muon",
            .text = "one moment of each matrix in the layers; of other tensors two, as adamw",
            .counted = "moment 3, look ahead 3, size 2 and quotient 1, decay 1, times the rate, subtraction; in each "
                       "of five iterations 2 for each element and 3 for each pair of its shorter side beside the "
                       "products; other tensors as adamw",
            .moments = {2, 1},
            .flops = {14, 12},
            .iterations = 5,
            .inner = true,
            .spare = {.run = 1, .narrow = 2, .squares = 2},
        },
};

rk_optimizer_tensor rk_optimizer_sees(rk_optimizer o, const rk_weight *w, rk_matrix matrix, bool large, int run,
                                      int master)
{
    const rk_optimizer_row *row = &rk_optimizer_table[o];
    bool inner = matrix != RK_MATRIX_NONE && matrix != RK_MATRIX_HEAD;
    int moments = row->bytes ? row->bytes : master ? master : run;

    return (rk_optimizer_tensor){.row = row,
                                 .weight = w,
                                 .matrix = w->n_dim >= 2 && (!row->inner || inner),
                                 .large = large,
                                 .run = run,
                                 .moments = moments};
}

/* ---- a tensor's sizes ------------------------------------------------------------------------------------------- */

static rk_ex times(rk_pool *p, rk_i128 n, rk_ex e)
{
    return rk_ex_mul(p, rk_ex_int(p, n), e);
}

/* A tensor of more than two axes is many matrices: those of its last two. */
static rk_ex matrices(rk_pool *p, const rk_weight *w)
{
    rk_ex e = rk_ex_int(p, 1);

    for (size_t i = 0; i + 2 < w->n_dim; i++)
        e = rk_ex_mul(p, e, w->dim[i]);
    return e;
}

/* Whether b is a whole number of times a, as 4D is of D. */
static bool divides(rk_pool *p, rk_ex a, rk_ex b)
{
    rk_i128 n = 0;

    return rk_ex_is_int(p, rk_ex_simplify(p, rk_ex_div(p, b, a)), &n) && n >= 1;
}

/* The shorter and the longer side of a matrix. */
static void sides(rk_pool *p, const rk_weight *w, rk_ex *shorter, rk_ex *longer)
{
    rk_ex rows = w->dim[w->n_dim - 2], columns = w->dim[w->n_dim - 1];

    *shorter = rows;
    *longer = columns;
    if (divides(p, rows, columns))
        return;
    if (divides(p, columns, rows)) {
        *shorter = columns;
        *longer = rows;
    } else {
        *shorter = rk_ex_min(p, rows, columns);
        *longer = rk_ex_max(p, rows, columns);
    }
}

/* The square of the shorter side, of all matrices of a tensor. */
static rk_ex squares(rk_pool *p, const rk_weight *w)
{
    rk_ex side, longer;

    sides(p, w, &side, &longer);
    return rk_ex_mul(p, matrices(p, w), rk_ex_mul(p, side, side));
}

/* ---- the state --------------------------------------------------------------------------------------------------- */

rk_ex rk_optimizer_state(rk_pool *p, const rk_optimizer_tensor *t)
{
    const rk_weight *w = t->weight;
    int moments = t->row->moments[t->matrix];
    rk_ex n = times(p, moments, w->count);

    if (t->row->coded && t->large) {
        rk_ex blocks = rk_ex_ceil_div(p, w->count, rk_ex_int(p, RK_OPTIMIZER_BLOCK));

        return rk_ex_add(p, n, times(p, 4 * moments, blocks));
    }
    if (t->row->sides && t->matrix)
        n = rk_ex_add(p, n, rk_ex_mul(p, matrices(p, w), rk_ex_add(p, w->dim[w->n_dim - 2], w->dim[w->n_dim - 1])));
    return times(p, t->moments, n);
}

/* Two tables of 256 numbers say what the codes of eight bits stand for. */
rk_i128 rk_optimizer_once(rk_optimizer o)
{
    return rk_optimizer_table[o].coded ? 2 * 256 * 4 : 0;
}

/* ---- what a step takes beside it -------------------------------------------------------------------------------- */

rk_ex rk_optimizer_spare_all(rk_pool *p, const rk_optimizer_tensor *t)
{
    return times(p, t->row->spare.all * t->moments, t->weight->count);
}

rk_ex rk_optimizer_spare_one(rk_pool *p, const rk_optimizer_tensor *t)
{
    const rk_optimizer_spare *s = &t->row->spare;
    int each = s->run * t->run + 4 * s->wide + (t->run < 4 ? 4 * s->widened : 0) + 2 * s->narrow;

    if (!t->matrix && t->row->inner)
        return rk_ex_int(p, 0);
    return rk_ex_add(p, times(p, each, t->weight->count),
                     s->squares ? times(p, 2 * s->squares, squares(p, t->weight)) : rk_ex_int(p, 0));
}

/* ---- what it costs ---------------------------------------------------------------------------------------------- */

rk_ex rk_optimizer_flops(rk_pool *p, const rk_optimizer_tensor *t)
{
    rk_ex e = times(p, t->row->flops[t->matrix], t->weight->count);

    if (!t->matrix || t->row->iterations == 0)
        return e;
    /* b·A, c·(A·A) and their sum; a·X and its sum with the product. */
    return rk_ex_add(
        p, e,
        times(p, t->row->iterations, rk_ex_add(p, times(p, 2, t->weight->count), times(p, 3, squares(p, t->weight)))));
}

/*
 * One iteration on a matrix X of m rows and n columns, m the shorter side: A = X·Xᵀ is 2m²n, A·A is 2m³, and the
 * product of a matrix of m × m with X is 2m²n.
 */
rk_ex rk_optimizer_products(rk_pool *p, const rk_optimizer_tensor *t)
{
    rk_ex shorter, longer, sum;

    if (!t->matrix || t->row->iterations == 0)
        return rk_ex_int(p, 0);
    sides(p, t->weight, &shorter, &longer);
    sum = rk_ex_add(p, times(p, 4, longer), times(p, 2, shorter));
    return times(p, t->row->iterations, rk_ex_mul(p, squares(p, t->weight), sum));
}
