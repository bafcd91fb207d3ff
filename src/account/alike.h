/* SPDX-License-Identifier: MIT */
/*
 * account/alike.h - names that differ in nothing but running numbers, as one: model.layers.{0-31}.mlp.up_proj.weight.
 *
 * Stage   names of tensors -> [account] -> report.
 * Uses    base/.
 * Memory  a list owns its arena and borrows nothing.
 * Threads one list, one thread.
 *
 * Failure is sticky: add freely, ask once.
 */
#ifndef RK_ACCOUNT_ALIKE_H
#define RK_ACCOUNT_ALIKE_H

#include "base/err.h"
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"
#include "base/vec.h"

#define RK_ALIKE_NUMBERS_MAX 8 /* running numbers of one name; published names have three at most */

typedef struct rk_alike {
    size_t first;      /* the item that was added first */
    size_t n;          /* names */
    const char *name;  /* of all in one, once rk_alikes_end was called; not safe to print as it is */
    rk_i128 n_covered; /* names that `name` stands for: more than n where not every combination is there */
    const char *pattern;
    size_t n_number;
    RK_VEC(uint32_t) number; /* n × n_number */
} rk_alike;

typedef struct rk_alikes {
    rk_arena arena;
    RK_VEC(rk_alike) group; /* in the order of their first items */
    rk_map place;
    rk_str pattern, key;
} rk_alikes;

/* Adds item number `item`.  Names are one only where `kind`, any text, is the same.  Returns the place of its group. */
size_t rk_alikes_add(rk_alikes *a, size_t item, const char *name, const char *kind);

/* Makes the names. */
int rk_alikes_end(rk_alikes *a, rk_err *err);
void rk_alikes_free(rk_alikes *a);

#endif
