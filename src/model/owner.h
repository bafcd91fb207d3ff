/* SPDX-License-Identifier: MIT */
/*
 * model/owner.h - whose an operation or a weight is, in the words in which people divide a Transformer.
 *
 * Stage   program, roles -> [model] -> accounts and reports that divide a sum by parts.
 * Uses    base/, model/program.h, model/roles.h.
 * Memory  in the arena given.
 * Threads no state.
 *
 * A path says where an equation stands; a norm that stands in layers.attention is no attention.  Roles say what single
 * operations are; an activation function, a residual or a cast has none of its own, and is its part's.
 */
#ifndef RK_MODEL_OWNER_H
#define RK_MODEL_OWNER_H

#include "model/roles.h"

/* X(ID, word)    in the order in which they are shown */
#define RK_OWNERS(X)                                                                                                   \
    X(EMBEDDING, "embedding") /* lookups, positions, what is made of an image or a sound before the layers */          \
    X(ATTENTION, "attention")                                                                                          \
    X(MIXER, "mixer") /* what layers have in place of attention: states, scans, convolutions */                        \
    X(FFN, "ffn")     /* and experts */                                                                                \
    X(NORMS, "norms")                                                                                                  \
    X(HEAD, "head") /* and the loss */                                                                                 \
    X(REST, "rest")

typedef enum rk_owner {
#define RK_OWNER_ID(ID, word) RK_OWNER_##ID,
    RK_OWNERS(RK_OWNER_ID)
#undef RK_OWNER_ID
    RK_N_OWNER
} rk_owner;

extern const char *const rk_owner_word[RK_N_OWNER];

typedef struct rk_owners {
    rk_owner *op, *weight; /* of each */
    rk_owner *part;        /* of each part: of what no operation of its own owns there */
} rk_owners;

/* Roles are those of the same program; one that a profile has written out keeps the owners of its calls. */
int rk_owners_find(rk_arena *a, const rk_program *p, const rk_roles *roles, rk_owners *out, rk_err *err);

#endif
