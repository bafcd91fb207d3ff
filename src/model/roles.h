/* SPDX-License-Identifier: MIT */
/*
 * model/roles.h - what each operation, each weight and each symbol of a model is for: said once, here.
 *
 * Stage   program -> [model] -> whoever asks: conventions, quantisation, optimizers, splits, reports.
 * Uses    base/, model/program.h.
 * Memory  roles live in the arena of the model.
 * Threads found once, when a model is opened, and never changed after that.
 *
 * Roles of operations and weights follow from the equations alone: nothing here knows a family.  A product with a
 * weight belongs to attention where its part also holds products of two activations.
 *
 * The role of a symbol is declared by the model file.  Symbols of the run have the same names in every model; sizes of
 * the model say it with their meaning: "layers", "image heads", "width of one expert" (docs/language.md has the list).
 */
#ifndef RK_MODEL_ROLES_H
#define RK_MODEL_ROLES_H

#include "base/arena.h"
#include "base/err.h"
#include "model/program.h"

/* clang-format off */

/* X(ID, word, noun)    of operations and weights; word: in data/conventions.tsv; noun: for people */
#define RK_ROLES(X) \
    X(LOOKUP,    "lookup",    "lookups")                        /* rows of a table, chosen by an input */ \
    X(POSITIONS, "positions", "position tables")                /* rows chosen by place, not by an input */ \
    X(ATTENTION, "attention", "attention projections")          /* products with a weight where there is attention */ \
    X(SCORES,    "scores",    "attention products")             /* two activations, before or after a softmax */ \
    X(SOFTMAX,   "softmax",   "softmax of attention") \
    X(MIXING,    "mixing",    "other products of activations")  /* scans, states, linear attention */ \
    X(CONV,      "conv",      "convolutions") \
    X(FFN,       "ffn",       "FFN")                            /* every other product with a weight */ \
    X(EXPERTS,   "experts",   "routed experts") \
    X(ROUTER,    "router",    "routers")                        /* its products choose experts, and nothing else */ \
    X(HEAD,      "head",      "output head")                    /* its products are the model's output */ \
    X(NORM,      "norm",      "norms") \
    X(LATENT,    "latent",    "norms of latents")               /* between two products with weights */ \
    X(BIAS,      "bias",      "biases") \
    X(REST,      "rest",      "all else")                       /* activations, residuals, rotations, scales */

/* Symbols of the run have the same names in every model, so that a setting can be known before a model is open. */
#define RK_NAME_BATCH   "B" /* sequences */
#define RK_NAME_TOKENS  "S" /* of a sequence; of an encoder's, where there is a decoder beside it */
#define RK_NAME_TARGETS "U" /* tokens of that decoder's sequence */
#define RK_NAME_KEYS    "T" /* tokens that a token sees: those of the cache and the new ones */

/* X(ID, name)    of symbols of the run */
#define RK_RUN_ROLES(X) \
    X(BATCH,   RK_NAME_BATCH) \
    X(TOKENS,  RK_NAME_TOKENS) \
    X(TARGETS, RK_NAME_TARGETS) \
    X(KEYS,    RK_NAME_KEYS)

/* X(ID, meaning)    of sizes of the model: how model files say it */
#define RK_SIZE_ROLES(X) \
    X(LAYERS,       "layers") \
    X(WIDTH,        "width") \
    X(CHANNELS,     "channels") \
    X(HEADS,        "heads") \
    X(QUERY_HEADS,  "query heads") \
    X(KEY_HEADS,    "key/value heads") \
    X(HEAD_WIDTH,   "head width") \
    X(FFN_WIDTH,    "FFN width") \
    X(DENSE_WIDTH,  "FFN width of the dense layers") \
    X(PLAIN_WIDTH,  "FFN width of layers without experts") \
    X(MLP_WIDTH,    "MLP width") \
    X(EXPERTS,      "experts") \
    X(EXPERT_WIDTH, "width of one expert") \
    X(CHOSEN,       "experts per token") \
    X(STATE,        "state size") \
    X(VOCABULARY,   "vocabulary") \
    X(POSITIONS,    "learned positions")
/* clang-format on */

typedef enum rk_role {
#define RK_ROLE_ENUM(ID, word, noun) RK_ROLE_##ID,
    RK_ROLES(RK_ROLE_ENUM)
#undef RK_ROLE_ENUM
    RK_N_ROLE
} rk_role;

typedef enum rk_symbol_role {
    RK_SIZE_OTHER,
#define RK_ROLE_ENUM(ID, word) RK_SIZE_##ID,
    RK_RUN_ROLES(RK_ROLE_ENUM)
    RK_SIZE_ROLES(RK_ROLE_ENUM)
#undef RK_ROLE_ENUM
        RK_N_SIZE_ROLE
} rk_symbol_role;

/* Quantisation, adapters and some optimizers are about these; tables, norms, biases and convolutions are none. */
typedef enum rk_matrix {
    RK_MATRIX_NONE,
    RK_MATRIX_LINEAR, /* activations are multiplied with it, summed over an index: the weight of a linear layer … */
    RK_MATRIX_ROUTER, /* … which is a router */
    RK_MATRIX_HEAD,   /* … which is the head, and no table beside that */
    RK_MATRIX_STACK   /* the matrices of all experts in one tensor, one after the other */
} rk_matrix;

typedef struct rk_weight_role {
    rk_role role; /* of several uses the one that costs most; of a table that another is tied to, the product */
    rk_matrix matrix;
    bool input_first; /* of a matrix: stored [in out] instead of [out in]; of a STACK: each of its matrices */
} rk_weight_role;

typedef struct rk_roles {
    rk_role *op; /* of each operation */
    int *values; /* of each operation: of a product after a softmax, the operand that is not from it; else -1 */
    rk_weight_role *weight;
} rk_roles;

int rk_roles_find(rk_arena *a, const rk_program *p, rk_roles *out, rk_err *err);

/* An operand; of the copy of a weight that autocast makes, the weight. */
const rk_tensor *rk_op_operand(const rk_program *p, const rk_op *op, size_t i);

/* Whether it is a weight then. */
bool rk_op_reads_weight(const rk_program *p, const rk_op *op, size_t operand);

/* The operand of a product that is a weight, where one alone is; 2: the operation is no product with a weight. */
size_t rk_op_weight(const rk_program *p, const rk_op *op);

/* Whether an operation is a product of two activations. */
bool rk_op_mixes(const rk_program *p, const rk_op *op);

/* The role of a symbol of the run, by its name; RK_SIZE_OTHER: it is none of these. */
rk_symbol_role rk_run_role(const char *name);

/* What the name and the meaning (NULL: none) of a symbol declare.  *tower: bytes of "image " in "image layers". */
rk_symbol_role rk_symbol_role_of(const char *name, const char *meaning, size_t *tower);

/*
 * Whether symbols of one name in two models may be the same thing, by their meanings (NULL: none).  Families use a
 * letter for different things: "FFN width" and "FFN width of the dense layers" are the same, "learned positions" and
 * "key/value latent" are not.
 */
bool rk_meanings_agree(const char *a, const char *b);

#endif
