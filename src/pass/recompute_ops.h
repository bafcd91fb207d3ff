/* SPDX-License-Identifier: MIT */
/*
 * pass/recompute_ops.h - which operations of layers are recomputed one by one, so that less is saved.
 *
 * Stage   model -> [pass] -> step (rk_step_options.recomputed).
 * Uses    base/, model/.
 * Memory  in the arena given.
 * Threads no state.
 *
 * Two ways are known.  By the kind of operation: all but a few that are dear (torchtitan's selective checkpoints).  By
 * module: a list of parts of a layer (Megatron's --recompute-modules).
 */
#ifndef RK_PASS_RECOMPUTE_OPS_H
#define RK_PASS_RECOMPUTE_OPS_H

#include "model/model.h"

/* clang-format off */

/* X(ID, word, text)    modules, as Megatron-LM names them */
#define RK_MODULES(X) \
    X(CORE_ATTN,   "core_attn",   "attention itself: its result is kept") \
    X(LAYERNORM,   "layernorm",   "norms of layers") \
    X(MLA_UP_PROJ, "mla_up_proj", "what is made of latents for attention") \
    X(MLP,         "mlp",         "the FFN of layers without experts") \
    X(MOE,         "moe",         "routers and experts") \
    X(MOE_ACT,     "moe_act",     "activations of experts") \
    X(SHARED,      "shared_experts", "experts that serve every token")

/* clang-format on */

typedef enum rk_module {
#define RK_MODULE_ENUM(ID, word, text) RK_MODULE_##ID,
    RK_MODULES(RK_MODULE_ENUM)
#undef RK_MODULE_ENUM
    RK_N_MODULE
} rk_module;

extern const char *const rk_module_word[RK_N_MODULE];

/* What is run again. */
typedef struct rk_recompute_ops {
    bool by_kind;    /* all but products, every second of which is, attention, and what is sent and scattered */
    unsigned module; /* bits of rk_module */
} rk_recompute_ops;

/* What is known of each operation. */
typedef struct rk_recomputed_ops {
    bool *recomputed; /* it may be run again … */
    bool *stays; /* … but its result is saved all the same, or: it is not, and its result is saved whoever needs it */
} rk_recomputed_ops;

/* RK_EINPUT: the model has nothing of what is asked for. */
int rk_recomputed_ops_find(rk_arena *a, const rk_model *m, const rk_recompute_ops *of, rk_recomputed_ops *out,
                           rk_err *err);

#endif
