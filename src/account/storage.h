/* SPDX-License-Identifier: MIT */
/*
 * account/storage.h - in how many bytes each weight is held in memory.
 *
 * Stage   program, or a ledger and its config, or a checkpoint -> [account] -> report.
 * Uses    base/, expr/, model/, account/number.h, account/ledger.h; read/tensors.h.
 * Memory  in the arena given.
 * Threads as building a ledger: one instance, one thread.
 *
 * A stored type is that of the matrices of linear layers and of stacks of experts; model/roles.h finds them.
 * Tables, heads, routers, norms, biases and convolutions are of the type of the run.
 */
#ifndef RK_ACCOUNT_STORAGE_H
#define RK_ACCOUNT_STORAGE_H

#include "account/ledger.h"
#include "account/number.h"
#include "read/tensors.h"

typedef struct rk_storage {
    rk_ex *each;      /* bytes of each weight of the program, in one layer */
    bool *packed;     /* which are held in blocks or with scales, and written out to be multiplied with; NULL: none */
    bool by_weight;   /* `each` is known; false: the sum alone */
    rk_i128 whole;    /* otherwise: bytes of all */
    bool file;        /* a file stores it so */
    const char *from; /* "q4_0", "fp8": the word of a type or a method; NULL: the type of the run, or a file */
} rk_storage;

/*
 * Matrices as `number`, all else in `bytes` each.  `trained`: gradients are wanted of weights that are not frozen.
 * RK_EINPUT: blocks do not fit a matrix, or a matrix is to be trained in a type in which none can be.
 */
int rk_storage_new(rk_arena *a, const rk_instance *m, int bytes, rk_number number, bool trained, rk_storage *out,
                   rk_err *err);

/*
 * What the checkpoint of a quantised config stores; `run`: bytes of a number whose type it leaves out.
 * RK_EINPUT: the config does not say how it is stored.
 */
int rk_storage_of_config(rk_arena *a, const rk_ledger *l, int run, rk_storage *out, rk_err *err);

/*
 * What a checkpoint stores: of each weight, where the file has the model's names, and else of all together.
 * RK_EINPUT: a shard of it is not here.
 */
int rk_storage_of_store(rk_arena *a, const rk_ledger *l, const rk_store *s, rk_storage *out, rk_err *err);

/*
 * The same of the weights of one rank, where that is known of the whole model: of each as large a part of the bytes as
 * of the elements, rounded up.  RK_EINPUT: the sum alone is known.
 */
int rk_storage_of_rank(rk_arena *a, const rk_instance *rank, const rk_instance *whole, const rk_storage *of,
                       rk_storage *out, rk_err *err);

#endif
