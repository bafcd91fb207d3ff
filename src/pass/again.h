/* SPDX-License-Identifier: MIT */
/*
 * pass/again.h - stretches of operations that keep only what goes into them, and are done again backward.
 *
 * Stage   program -> [pass] -> timeline.
 * Uses    base/, expr/, model/, pass/place.h.
 * Memory  in the arena given.
 * Threads no state.
 *
 * Two of them are known: the heart of attention, from the scores to the context, and the head with the loss.
 */
#ifndef RK_PASS_AGAIN_H
#define RK_PASS_AGAIN_H

#include "pass/place.h"

/* Operations from `first` up to `end`, all of one group. */
typedef struct rk_again {
    uint32_t first, end;
} rk_again;

typedef struct rk_agains {
    rk_again *at; /* by `first` */
    size_t n, cap;
} rk_agains;

/* From each product that gives scores to the one that takes their softmax.  There may be none. */
int rk_again_attention(rk_arena *a, const rk_program *p, rk_agains *out, rk_err *err);

/* How the head and the loss are computed. */
typedef enum rk_loss {
    RK_LOSS_WHOLE,   /* all tokens at once, keeping what each operation needs */
    RK_LOSS_CHUNKED, /* so many tokens at a time, and again backward */
    RK_LOSS_FUSED    /* so many at a time, with the gradients at once: the logits are never needed again */
} rk_loss;

typedef struct rk_tail {
    rk_loss way;
    rk_again ops;    /* from the product of the head on */
    uint32_t hidden; /* the tensor that goes into the head */
    uint32_t weight; /* that of the head */
    rk_ex tokens;    /* that it has */
    rk_i128 n_token, chunk;
    rk_ex chunk_tokens; /* the chunk as an expression: all of them, or a number */
    /* FUSED: buffers of its own, beside those of the program. */
    uint32_t logits, losses, hidden_gradient, weight_gradient; /* the last may be RK_NONE */
} rk_tail;

/*
 * Finds the head and the loss, and makes the buffers of `pl` those of a chunk; `chunk` is in tokens, 0: all of them, or
 * for FUSED as many as make the logits of a chunk about as large as what goes into the head.  `asked`: as in
 * rk_run_options.  RK_EINPUT: the loss does not follow a product with a weight.
 */
int rk_tail_new(rk_arena *a, const rk_instance *m, const rk_flow *f, rk_loss way, rk_i128 chunk, rk_asked *asked,
                rk_places *pl, rk_tail *out, rk_err *err);

/* Whether a tensor is made within the head and the loss.  NULL: these are computed for all tokens at once. */
bool rk_tail_makes(const rk_tail *t, const rk_program *p, uint32_t tensor);

/* What a chunk has of a count that is so many for each token. */
rk_ex rk_tail_of_chunk(const rk_tail *t, rk_pool *pool, rk_ex all);

#endif
