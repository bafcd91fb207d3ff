/* SPDX-License-Identifier: MIT */
/*
 * account/count.h - the parameters of a model, or its tokens, as one number, without a ledger.
 *
 * Stage   program -> [account] -> a number.
 * Uses    base/, expr/, model/.
 * Memory  allocates nothing that stays.
 * Threads safe to call concurrently on one model.
 */
#ifndef RK_ACCOUNT_COUNT_H
#define RK_ACCOUNT_COUNT_H

#include "model/model.h"

/*
 * Elements of every weight that occupies memory: tied tensors count once, buffers not.  RK_EVALUE: a symbol has no
 * number; RK_EOVERFLOW: more than 128 bits.
 */
int rk_count_stored(const rk_model *m, rk_i128 *out, rk_err *err);

/* The tokens of a run, B × S; 0 where it has other lengths too, so that no one kind of token is meant. */
rk_i128 rk_count_tokens(const rk_model *m);

#endif
