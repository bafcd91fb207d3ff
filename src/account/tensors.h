/* SPDX-License-Identifier: MIT */
/*
 * account/tensors.h - every single tensor behind some rows of weights, layer by layer.
 *
 * Stage   ledger -> [account] -> report.
 * Uses    base/, expr/, model/, account/ledger.h.
 * Memory  a walk owns its arena and borrows the ledger.
 * Threads one walk, one thread; several may walk over one ledger that no one changes.
 *
 * A row stands for one tensor in each layer of its group.  A checkpoint has them layer by layer: all rows of layer 0,
 * then all of layer 1.  The walk keeps one frame for each loop that it is in.
 */
#ifndef RK_ACCOUNT_TENSORS_H
#define RK_ACCOUNT_TENSORS_H

#include "account/ledger.h"

typedef struct rk_tensors rk_tensors;

int rk_tensors_new(const rk_ledger *l, const rk_weight_row *row, size_t n, rk_tensors **out, rk_err *err);
void rk_tensors_free(rk_tensors *t);

/* The row of the next tensor; NULL at the end.  RK_EVALUE: the number of layers has no value. */
int rk_tensors_next(rk_tensors *t, const rk_weight_row **out, rk_err *err);

/* The running number of each loop at the tensor that came last, as rk_weight_name_text takes it. */
const rk_i128 *rk_tensors_index(const rk_tensors *t);

#endif
