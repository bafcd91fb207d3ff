/* SPDX-License-Identifier: MIT */
/*
 * model/call.h - what the files of calls share; private to model/.
 *
 * Stage   call of an operation or a block -> [expand] -> operations.
 * Uses    model/expand.h.
 * Memory  as model/expand.h.
 * Threads one expansion, one thread.
 *
 * The way: call.c finds what is called.  A block is expanded by call_block.c, its parameters bound to what is given.
 * An operation has an index rule, its row's shape: call_same.c has those that leave the axes as they are, call_axis.c
 * those that work along some of them, call_shape.c those whose result has axes of its own.
 */
#ifndef RK_MODEL_CALL_H
#define RK_MODEL_CALL_H

#include "model/expand.h"

/* call.c: arguments */
const rk_node *rk_call_argument(const rk_node *call, const char *name, size_t place);
size_t rk_call_n_plain(const rk_node *call);
int rk_call_label_argument(rk_ctx *c, const rk_node *n, uint32_t *out);
int rk_op_labels(rk_ctx *c, rk_op *op, const uint32_t *label, size_t n);
int rk_call_first_tensor(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *out);
int rk_call_needs_axis(rk_ctx *c, const rk_node *n);
int rk_call_needs_plain(rk_ctx *c, const rk_node *n, const rk_seen *in);

/* call_same.c: f(x), f(x, number) */
bool rk_op_is_cast(rk_op_id row);
rk_type rk_call_type_word(const rk_node *word);
int rk_call_same(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out);

/* call_axis.c: norms, and what works along an axis */
int rk_call_norm(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out);
int rk_ixs_without(rk_ctx *c, const rk_ixs *axes, uint32_t label, rk_ixs *out);
int rk_call_axis(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out);

/* call_shape.c: the result has axes of its own */
int rk_call_lookup(rk_ctx *c, const rk_node *n, rk_seen *out);
int rk_call_take(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out);
int rk_call_choose(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out);
int rk_call_labels(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out);
int rk_call_target(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out);
int rk_call_second(rk_ctx *c, const rk_node *n, rk_op_id row, const rk_ixs *want, rk_seen *out);
int rk_call_half(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out);
int rk_call_attend(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out);
int rk_call_scalar(rk_ctx *c, const rk_node *n, rk_op_id row, rk_seen *out);

/* call_block.c: a block */
int rk_call_block(rk_ctx *c, const rk_node *n, rk_block *blk, rk_seen *out, size_t most, size_t *n_out);

#endif
