/* SPDX-License-Identifier: MIT */
/*
 * model/collective.h - operations by which devices bring a tensor to another place, and what they send for it.
 *
 * Stage   used by pass (which puts them) and account (what is sent).
 * Uses    model/ops.h.
 * Memory  constant data.
 * Threads no state.
 *
 * A tensor lies whole on every device, in pieces, or as partial sums.  A change of place is an operation, and so is its
 * gradient: what one gathers the other scatters.
 */
#ifndef RK_MODEL_COLLECTIVE_H
#define RK_MODEL_COLLECTIVE_H

#include "model/ops.h"

#include <stdbool.h>

/* clang-format off */

/* X(ID, word)    what devices do together */
#define RK_COLLECTIVES(X) \
    X(ALL_REDUCE,     "all_reduce") \
    X(ALL_GATHER,     "all_gather") \
    X(REDUCE_SCATTER, "reduce_scatter") \
    X(ALL_TO_ALL,     "all_to_all") \
    X(BROADCAST,      "broadcast") \
    X(SEND,           "send") \
    X(RECV,           "recv")

/* X(ID, forward, backward, scatters)    ID: of the change, and of its operation; scatters: its operand is the whole */
#define RK_CHANGES(X) \
    X(ALL_REDUCE,     ALL_REDUCE,     NONE,           false) /* partial sums to the whole */ \
    X(REDUCE_HERE,    ALL_REDUCE,     NONE,           false) /* the same in its place */ \
    X(SHARE,          NONE,           NONE,           false) /* the whole to partial sums; all have the same gradient */ \
    X(ENTER,          NONE,           ALL_REDUCE,     false) /* what reads it has a partial gradient */ \
    X(ALL_GATHER,     ALL_GATHER,     REDUCE_SCATTER, false) /* pieces to the whole, with such readers */ \
    X(UNITE,          ALL_GATHER,     NONE,           false) /* the same; all have the same gradient */ \
    X(REDUCE_SCATTER, REDUCE_SCATTER, ALL_GATHER,     true)  /* partial sums to pieces */ \
    X(PIECE,          NONE,           ALL_GATHER,     true)  /* the whole to pieces */ \
    X(ALL_TO_ALL,     ALL_TO_ALL,     ALL_TO_ALL,     false) /* pieces to others */
/* clang-format on */

typedef enum rk_collective {
    RK_COLLECTIVE_NONE,
#define RK_COLLECTIVE_ENUM(ID, word) RK_COLLECTIVE_##ID,
    RK_COLLECTIVES(RK_COLLECTIVE_ENUM)
#undef RK_COLLECTIVE_ENUM
    RK_N_COLLECTIVE
} rk_collective;

typedef enum rk_change {
#define RK_CHANGE_ENUM(ID, ...) RK_CHANGE_##ID,
    RK_CHANGES(RK_CHANGE_ENUM)
#undef RK_CHANGE_ENUM
    RK_N_CHANGE
} rk_change;

typedef struct rk_change_row {
    rk_op_id op;
    rk_collective forward, backward;
    bool scatters;
} rk_change_row;

extern const char *const rk_collective_word[RK_N_COLLECTIVE];
extern const rk_change_row rk_change_table[RK_N_CHANGE];

/* What an operation does; NULL: it changes no place. */
const rk_change_row *rk_change_of(rk_op_id op);

/* Whether partial sums of some operands, `sum` of each, are partial sums of the result, or are added up before it. */
bool rk_op_is_linear(rk_op_id op, const bool *sum, size_t n);

#endif
