/* SPDX-License-Identifier: MIT */
/*
 * pass/census.h - how many buffers of each size are alive at each moment, and which moments could be the largest.
 *
 * Stage   timeline -> [pass] -> account.
 * Uses    base/, expr/, pass/rows.h.
 * Memory  in the arena given; rows that others cover are used again.
 * Threads one census, one thread.
 *
 * Two buffers whose bytes are the same expression are of one size.  A moment is a row: how many of each size there are.
 * Most rows are covered by others (pass/rows.h).  From layer to layer the rows of one operation go along a line: so
 * much more is kept, so many gradients of weights less are there.  They are therefore held by operation, and of those
 * on a line only the two ends.
 */
#ifndef RK_PASS_CENSUS_H
#define RK_PASS_CENSUS_H

#include "base/map.h"
#include "expr/expr.h"
#include "pass/rows.h"

/* Rows of one key: of the same operation in layer after layer. */
typedef struct rk_census_key {
    rk_rows rows;
    size_t crowd; /* so many are looked through */
} rk_census_key;

typedef struct rk_census {
    rk_arena *arena;
    rk_pool *pool;
    bool expands;        /* sizes are compared with the definitions of their symbols put in */
    RK_VEC(rk_ex) size;  /* bytes of one */
    rk_map seen;         /* the same, to be found */
    uint32_t *of_buffer; /* the size of each buffer of a step */

    size_t width;    /* sizes that rows count */
    uint32_t *alive; /* of each size, now */
    rk_census_key *of_key;
    size_t n_key;
    rk_rows unused;
    size_t n_held; /* rows of all keys */
    uint32_t key;  /* of the last birth */
    bool grew, late, failed, full;
    rk_rows row[2]; /* what stays: from before the turn, and from after it */
} rk_census;

#define RK_CENSUS_ROWS_MAX ((size_t)1 << 18) /* held on the way: a layer of 4,000 operations has some 100,000 */

/* The size of so many bytes. */
uint32_t rk_census_size(rk_census *c, rk_ex bytes);

/* All sizes of rows are known.  Keys are less than n_key, before the turn and after it. */
void rk_census_open(rk_census *c, size_t n_key);
void rk_census_born(rk_census *c, uint32_t size, uint32_t key);
void rk_census_died(rk_census *c, uint32_t size);
void rk_census_turn(rk_census *c); /* from the forward pass to the backward pass */
void rk_census_close(rk_census *c);

#endif
