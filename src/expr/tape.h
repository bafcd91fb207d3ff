/* SPDX-License-Identifier: MIT */
/*
 * expr/tape.h - many expressions as one flat list of operations on whole numbers; private to expr/.
 *
 * Stage   expressions -> [expr] -> tape -> numbers.
 * Uses    base/, expr/pool.h.
 * Memory  a tape owns its arena; a compiler has one of its own while the tape is made.
 * Threads a tape is made by one thread, and never changed afterwards.
 *
 * Scratch is an array of slots: slot 0 holds 1, then one slot per symbol, then the result of each operation in turn.
 * Products are chains of multiplications by one symbol each; the most frequent symbols come first, so that products
 * share their beginnings, and equal beginnings are computed once.  An expression with fractions becomes a numerator
 * and a denominator without any, and one exact division.
 *
 * The tape knows the ordinary case only.  Whatever else happens (a fraction on the way, a symbol without value, an
 * overflow) stops it, and rk_ex_eval, which knows all cases and how to name them, decides.
 *
 * The way: tape_compile.c turns one expression into operations; tape.c does so for all, with the definitions of their
 * symbols before them; tape_run.c runs them.
 */
#ifndef RK_EXPR_TAPE_H
#define RK_EXPR_TAPE_H

#include "expr/pool.h"

enum {
    RK_TAPE_ONE = 0 /* the slot that holds 1 */
};

#define RK_TAPE_OP_BIT (1u << 31) /* marks the result of an operation while cells are still being added before it */

typedef enum rk_tape_op_kind {
    RK_TAPE_MUL,
    RK_TAPE_SUM,
    RK_TAPE_EXACT,
    RK_TAPE_FLOOR,
    RK_TAPE_CEIL,
    RK_TAPE_MOD,
    RK_TAPE_MIN,
    RK_TAPE_MAX
} rk_tape_op_kind;

typedef struct rk_tape_op {
    uint32_t kind;
    uint32_t a, b; /* slots; of RK_TAPE_SUM: the first part and how many */
} rk_tape_op;

typedef struct rk_tape_part {
    rk_i128 coef;
    uint32_t slot;
} rk_tape_part;

/* A symbol of the tape: its slot is its place, plus one. */
typedef struct rk_tape_cell {
    rk_sym sym;
    bool defined; /* ops[first..last) compute `result` when the binding has no value */
    uint32_t first, last, result;
    uint32_t need, n_need; /* the cells its definition uses, in tape->need */
} rk_tape_cell;

struct rk_tape {
    const rk_pool *pool;
    rk_arena arena;
    RK_VEC(rk_tape_op) op;
    RK_VEC(rk_tape_part) part;
    RK_VEC(rk_tape_cell) cell;
    RK_VEC(uint32_t) need;
    uint32_t main_first;             /* the operations before it belong to definitions */
    uint32_t main_need, n_main_need; /* the cells that the expressions use themselves */
    const rk_ex *ex;
    uint32_t *result; /* per expression: its slot */
    size_t n;
    size_t n_memo;
    bool slow; /* too deep or too large to compile */
};

typedef struct rk_tape_compiler {
    rk_tape *tape;
    const rk_pool *pool;
    rk_arena arena;
    uint32_t *cell_of;   /* per symbol: its cell + 1; 0: none */
    uint32_t *frequency; /* per atom */
    uint32_t *slot_of;   /* per function atom: its slot + 1 in this section; 0: none */
    rk_map chains;       /* (left, right) -> slot in this section */
    int depth;
    bool failed; /* memory ran out */
} rk_tape_compiler;

/* tape_compile.c: one expression; its slot */
uint32_t rk_tape_compile_symbol(rk_tape_compiler *c, rk_sym s);
uint32_t rk_tape_compile(rk_tape_compiler *c, rk_ex e);

#endif
