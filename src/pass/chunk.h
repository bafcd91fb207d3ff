/* SPDX-License-Identifier: MIT */
/*
 * pass/chunk.h - the head and the loss of so many tokens at a time: what a chunk of them has.
 *
 * Stage   program with a region for the loss, places -> [pass] -> step.
 * Uses    base/, expr/, model/, pass/place.h.
 * Memory  in the arena given.
 * Threads no state.
 */
#ifndef RK_PASS_CHUNK_H
#define RK_PASS_CHUNK_H

#include "pass/place.h"

typedef struct rk_chunk {
    const rk_region *region; /* CHUNKED or FUSED, from the head or its casts on; NULL: all tokens are taken at once */
    uint32_t head;           /* the operation that is its product */
    uint32_t hidden;         /* the tensor that goes into the head, and … */
    uint32_t weight;         /* … its weight, both as they are before autocast */
    rk_ex tokens;            /* of all chunks */
    rk_i128 n_token, size;   /* tokens of all, and of one */
    rk_ex part;              /* the size as an expression: all of them, or a number */
    /* FUSED: buffers of its own, beside those of the program. */
    uint32_t logits, losses, hidden_gradient;
    uint32_t weight_gradient; /* may be RK_NONE, as may be … */
    uint32_t weight_copy;     /* … the copy that autocast makes of the weight */
} rk_chunk;

/*
 * Makes the buffers of `pl` those of a chunk; `size` is in tokens, 0: all of them, or for FUSED as many as make the
 * logits of a chunk about as large as what goes into the head.  `asked`: as in rk_run_options.  Nothing is done where
 * the program has no region for the loss.
 */
int rk_chunk_new(rk_arena *a, const rk_instance *m, const rk_flow *f, rk_i128 size, rk_conditions *conditions,
                 rk_places *pl, rk_chunk *out, rk_err *err);

/* Whether a tensor is made within the head and the loss.  NULL: these are computed for all tokens at once. */
bool rk_chunk_makes(const rk_chunk *t, const rk_program *p, uint32_t tensor);

/* What a chunk has of a count that is so many for each token. */
rk_ex rk_chunk_of(const rk_chunk *t, rk_pool *pool, rk_ex all);

#endif
