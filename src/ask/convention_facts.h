/* SPDX-License-Identifier: MIT */
/*
 * ask/convention_facts.h - the words of data/conventions.tsv: what a formula there may speak of, taken from a model.
 *
 * Stage   model -> [ask] -> conventions.
 * Uses    base/, expr/, model/, account/, ask/conventions.h.
 * Memory  expressions in the pool of the instance.
 * Threads as building a ledger: one thread.
 *
 * Facts of a class are sums over its rows, so that they hold for layers of any kinds.  Facts of the model are found in
 * its equations; one that a model does not have, or has several of, says why.
 */
#ifndef RK_ASK_CONVENTION_FACTS_H
#define RK_ASK_CONVENTION_FACTS_H

#include "ask/conventions.h"

/* clang-format off */

/* X(ID, word)    of the rows of a class, each row as often as it occurs */
#define RK_CLASS_FACTS(X) \
    X(FLOPS,      "flops")          /* of its products, forward, the full square of masked attention */ \
    X(COUNTED,    "counted")        /* the same as `reckon flops` has it: of windows and chunks their keys alone */ \
    X(EXACT,      "exact")          /* the same, of pairs that the mask allows */ \
    X(WINDOWED,   "windowed")       /* the same, of as many keys for each query as its window has */ \
    X(HALVED,     "halved")         /* half of the square where a query sees no key after its own place */ \
    X(TORCH,      "torch")          /* as FlopCounterMode counts it forward */ \
    X(TORCH_BACK, "torch_backward") /* … and backward */ \
    X(ARITHMETIC, "arithmetic")     /* with what is no product, the full square */ \
    X(ELEMENTS,   "elements")       /* of the results of what is no product, each operation's */ \
    X(PARAMS,     "params")         /* stored */ \
    X(ACTIVE,     "active")         /* of these, what a token uses */ \
    X(TABLE,      "table")          /* elements of the tables that are looked up in, tied or not */

/* X(ID, word)    of the model */
#define RK_MODEL_FACTS(X) \
    X(BATCH,     "batch") \
    X(SEQUENCE,  "sequence")  /* tokens of one */ \
    X(TOKENS,    "tokens")    /* of the batch */ \
    X(LAYERS,    "layers") \
    X(WIDTH,     "width")     /* of what goes from layer to layer */ \
    X(VOCAB,     "vocab") \
    X(HEADS,     "heads")     /* of queries */ \
    X(GROUPS,    "groups")    /* queries to each key */ \
    X(QUERIES,   "query_width") /* of the queries of all heads, and of what attention gives */ \
    X(FFN_WIDTH, "ffn_width") \
    X(EXPERTS,   "experts") \
    X(CHOSEN,    "chosen")    /* experts for each token */ \
    X(WHOLE,     "parameters") /* of the whole model, stored */ \
    X(LARGEST,   "largest")   /* parameters of the largest module: a table, a linear layer, the experts of a layer */ \
    X(CACHED,    "cached")    /* numbers that a token adds to the caches, where nothing bounds them */ \
    X(PAIRS,     "key_value") /* numbers of the keys and values of a token in all layers, as attention reads them */ \
    X(BYTES,     "bytes")     /* of a number of the run */ \
    X(SHARDS,    "shards") \
    X(TENSOR,    "tensor")
/* clang-format on */

typedef enum rk_class_fact {
#define RK_FACT_ENUM(ID, word) RK_CLASS_FACT_##ID,
    RK_CLASS_FACTS(RK_FACT_ENUM)
#undef RK_FACT_ENUM
    RK_N_CLASS_FACT
} rk_class_fact;

typedef enum rk_model_fact {
#define RK_FACT_ENUM(ID, word) RK_MODEL_FACT_##ID,
    RK_MODEL_FACTS(RK_FACT_ENUM)
#undef RK_FACT_ENUM
    RK_N_MODEL_FACT
} rk_model_fact;

typedef struct rk_facts {
    const rk_instance *instance; /* in whose pool the expressions are */
    rk_ex of_class[RK_N_ROW_CLASS][RK_N_CLASS_FACT];
    bool present[RK_N_ROW_CLASS]; /* the model has rows or weights of it */
    rk_ex of_model[RK_N_MODEL_FACT];
    const char *lacks[RK_N_MODEL_FACT]; /* not NULL: why the model has no such number */
} rk_facts;

int rk_facts_new(const rk_instance *m, const rk_convention_setup *setup, rk_facts *out, rk_err *err);

/* The facts of the model alone: numbers that formulas in papers speak of, and the reasons of those that it lacks. */
void rk_facts_of_model(const rk_convention_setup *setup, rk_facts *out);

/* A formula of the file, of one class. */
typedef struct rk_fact_formula {
    rk_ex is;
    const char *lacks;  /* not NULL: the model has no number for a word of it */
    bool of_class;      /* it speaks of the class's rows */
    bool of_parameters; /* … of their parameters */
} rk_fact_formula;

/* RK_EINPUT: the text is no formula, or a word of it no fact; the nearest is named. */
int rk_facts_formula(const rk_facts *f, rk_row_class c, const char *text, rk_fact_formula *out, rk_err *err);

#endif
