/* SPDX-License-Identifier: MIT */
/*
 * account/stored.h - the tensors of a checkpoint, added up: equal ones of all layers together, by format, in total.
 *
 * Stage   tensor table -> [account] -> report.
 * Uses    base/, read/tensors.h, account/alike.h.
 * Memory  an account of a checkpoint owns its arena and borrows the tensor table.
 * Threads reading is free for all.
 *
 * Tensors whose names differ in nothing but whole numbers between dots, and that are alike in shape and format, are one
 * group: model.layers.{0-31}.mlp.up_proj.weight.
 */
#ifndef RK_ACCOUNT_STORED_H
#define RK_ACCOUNT_STORED_H

#include "account/alike.h"
#include "read/tensors.h"

typedef struct rk_stored_group {
    const rk_stored *first;
    const char *name;                 /* of all in one; not safe to print as it is */
    rk_i128 tensors, elements, bytes; /* of all together; elements and bytes of those that are known */
    bool alike;                       /* all have the shape and format of the first */
} rk_stored_group;

typedef struct rk_stored_format {
    rk_dtype dtype;
    rk_i128 tensors, elements, bytes;
} rk_stored_format;

typedef struct rk_stored_sums {
    rk_arena arena;
    rk_alikes alikes;
    const rk_store *store;
    RK_VEC(rk_stored_group) group;   /* in the order of their first tensors */
    RK_VEC(rk_stored_format) format; /* of the known tensors, the largest first */
    rk_i128 elements, bytes;         /* of the known tensors */
} rk_stored_sums;

/*
 * Adds up.  `depth` 0: tensors that are alike in all but running numbers are a group; n: all tensors whose names agree
 * in the first n words between dots are one, whatever their shapes.
 */
int rk_stored_sums_new(const rk_store *s, int depth, rk_stored_sums *out, rk_err *err);
void rk_stored_sums_free(rk_stored_sums *s);

#endif
