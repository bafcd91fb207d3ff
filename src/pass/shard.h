/* SPDX-License-Identifier: MIT */
/*
 * pass/shard.h - what the files of the sharding pass share; private to pass/.
 *
 * Stage   program -> [shard] -> program.
 * Uses    base/, model/, pass/layout.h.
 * Memory  in the arena given.
 * Threads one pass, one thread.
 *
 * shard_plan.c finds which axes of weights lie in pieces over one axis of the mesh; shard.c makes the program.
 */
#ifndef RK_PASS_SHARD_H
#define RK_PASS_SHARD_H

#include "model/model.h"
#include "pass/layout.h"

#define RK_SHARD_WHOLE (-1) /* lies whole on every device … */
#define RK_SHARD_SUM (-2)   /* … as partial sums … */
#define RK_SHARD_AWAY                                                                                                  \
    (-3) /* … or with the devices whose experts it visits; else the axis along which it lies in pieces */

typedef struct rk_shard_plan {
    int *weight;      /* of each tensor that is a weight: its axis in pieces, or RK_SHARD_WHOLE */
    int *state;       /* of any other: that of a class that lies in pieces, for what is read before it is made */
    bool *tokens;     /* of each label: it runs over the tokens of a sequence */
    bool *meets;      /* of each tensor: it meets experts in pieces, or what they give before that is added up */
    bool routed;      /* experts lie in pieces, by themselves or along their width */
    bool nothing;     /* lies over the axis */
    const char *name; /* of what would lie in pieces and cannot; see rk_shard_plan_new */
} rk_shard_plan;

/*
 * Where heads travel among the devices of cp, those that a device has, of queries and of keys, must divide by them.
 * RK_EINPUT: they do not; what would is named.
 */
int rk_shard_check_heads(const rk_model *m, const rk_layout *l, rk_err *err);

/*
 * Numbers at which axes are compared.  Keys that a step reads are a cache and what it adds to it, under one name and of
 * two lengths: here they are as many as the new ones, so that their other axes are found.
 */
int rk_shard_numbers(rk_arena *a, const rk_model *m, rk_binding *out, rk_err *err);

/* RK_EINPUT: a size does not divide (named, with what would), or there is nothing to be laid over the axis. */
int rk_shard_plan_new(rk_arena *a, const rk_model *m, const rk_layout *l, rk_mesh_axis axis, rk_shard_plan *out,
                      rk_err *err);

#endif
