/* SPDX-License-Identifier: MIT */
/*
 * pass/profile.h - what one way of running a model does, as numbers and rules with a name.
 *
 * Stage   data/profiles.tsv -> [plan] -> pass, account.
 * Uses    base/num.h.
 * Memory  plain values; the name lives where the profile was read into.
 * Threads no state.
 *
 * Nothing behind this header knows a framework.  plan/profile.h reads the facts of one, each with its source.
 */
#ifndef RK_PASS_PROFILE_H
#define RK_PASS_PROFILE_H

#include "base/num.h"

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */

/* X(name, unit)    as data/profiles.tsv writes them */
#define RK_PROFILE_FACTS(X) \
    X(textbook,             "-")       /* 1: what a derivation by hand lists is saved; nothing is copied, nothing has a time */ \
    X(rounding,            "B")       /* buffers are multiples of this; 1: they are not rounded */ \
    X(small_max,           "B")       /* of the allocator, as account/allocator.h says: … */ \
    X(small_segment,       "B") \
    X(segment,             "B") \
    X(segment_below,       "B") \
    X(segment_rounding,    "B") \
    X(remainder,           "B") \
    X(piece,               "B")       /* … 0: there is none */ \
    X(processors,          "-")       /* of the device: a sum of many rows is cut into pieces for them */ \
    X(sorted_above,        "tokens")  /* a lookup of more sorts them for its gradient */ \
    X(inner,               "-")       /* 1: on one of several devices, what gradients make inside counts: sums of rows, of a softmax */ \
    X(workspace,           "B")       /* of the matrix library, … */ \
    X(workspace_bias,      "B")       /* of products with a bias, of all together */ \
    X(workspaces_forward,  "-")       /* … so many of them from the forward pass on */ \
    X(workspaces_backward, "-")       /* … and, with these, from the backward pass on */ \
    X(window_new,          "tokens")  /* that the cache of a window does not hold when a step has ended */ \
    X(random_state,        "numbers") /* of 8 bytes that fused attention keeps */ \
    X(index,               "B")       /* of a position, a label, a choice */ \
    X(mask,                "B")       /* of an element of a mask */ \
    X(statistics,          "B")       /* of what norms and fused attention keep of each row; 4, or else as the run */
/* clang-format on */

typedef struct rk_profile {
    const char *name;
    const char *text;         /* "as … do it": whose way it is */
    const char *const *eager; /* families whose attention it does not fuse, and then NULL; NULL: there are none */
#define RK_PROFILE_FACT(name, unit) int32_t name;
    RK_PROFILE_FACTS(RK_PROFILE_FACT)
#undef RK_PROFILE_FACT
} rk_profile;

/* Whether it runs attention of a family operation by operation where nobody says how. */
bool rk_profile_is_eager(const char *const *eager, const char *family);

/*
 * The block of the caching allocator that a buffer of so many bytes takes: whole units of `rounding`, and, of what has
 * a segment of its own, the whole segment where too little would be left over to be cut off.
 */
rk_i128 rk_profile_block(const rk_profile *p, rk_i128 bytes);

/* Bytes of all workspaces: in a step that has a backward pass, or none. */
rk_i128 rk_profile_workspaces(const rk_profile *p, bool backward);

#endif
