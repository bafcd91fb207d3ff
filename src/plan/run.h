/* SPDX-License-Identifier: MIT */
/*
 * plan/run.h - a step as someone asks for it: the model opened for it, and how it is taken.
 *
 * Stage   words about a step -> [plan] -> options of an account of memory.
 * Uses    base/, model/, account/memory.h, plan/open.h, plan/nearest.h, plan/tokens.h.
 * Memory  a run owns its model, the instance of it (opened.instance) that its ledger and its accounts share, and the
 *         ledger; it borrows the texts of its request, which borrows them, too.
 * Threads a request is only read: several threads may each open a run of their own.
 *
 *     rk_run run;
 *     code = rk_run_open(&request, &run, err);
 *     if (code == RK_OK) code = rk_memory_new(run.opened.instance, &run.options, &memory, err);
 *     rk_run_close(&run);
 */
#ifndef RK_PLAN_RUN_H
#define RK_PLAN_RUN_H

#include "account/memory.h"
#include "plan/layout.h"
#include "plan/open.h"
#include "plan/tokens.h"

#define RK_PROFILE_WORDS "torch|textbook|megatron"
#define RK_RECIPE_WORDS "fp32|mixed|bf16|megatron|lora|qlora"
#define RK_LORA_RANK_USUAL 16 /* of adapters, where a recipe or a hint has them and nobody says it */
#define RK_ATTENTION_WORDS "sdpa|flash|eager"
#define RK_EXPERTS_WORDS "grouped|each"
#define RK_RECOMPUTE_WORDS "none|selective|full|ops"
#define RK_MODULE_WORDS "core_attn|layernorm|mla_up_proj|mlp|moe|moe_act|shared_experts" /* as rk_module has them */
#define RK_MASTER_WORDS "none|fp32"
#define RK_GRADIENT_WORDS "same|fp32|bf16|fp16"
#define RK_LOSS_WORDS "ce|chunked|fused|none"
#define RK_DROPOUT_WORDS "0|config"
#define RK_ADAPTER_WORDS "fp32|same"

/*
 * X(ID, name, WHEN, BOOK, words)    what is said in a word.
 *
 *   WHEN    ALWAYS; TRAIN: of a training step alone; SERVE: of the other phases
 *   BOOK    whether a derivation by hand knows any but the first word
 *   words   the first holds where nothing is said; but a type that is not said is the config's, attention is eager in
 *           a derivation by hand, where its scores are recomputed, and in families that have it no other way, and a
 *           recipe that is not said is none.  A recipe says some of the others, where they are not said.  Of MODULES
 *           several may be said, with commas, and where nobody says it there are none; of OFFLOAD, too.
 */
/* clang-format off */
#define RK_RUN_WORDS(X) \
    X(PHASE,     "phase",      ALWAYS, true,  RK_PHASE_WORDS)         \
    X(PROFILE,   "profile",    ALWAYS, true,  RK_PROFILE_WORDS)       \
    X(RECIPE,    "recipe",     TRAIN,  true,  RK_RECIPE_WORDS)        \
    X(DTYPE,     "dtype",      ALWAYS, true,  RK_RUN_TYPE_WORDS)      \
    X(ATTENTION, "attention",  ALWAYS, false, RK_ATTENTION_WORDS)     \
    X(EXPERTS,   "experts",    ALWAYS, false, RK_EXPERTS_WORDS)       \
    X(RECOMPUTE, "recompute",  TRAIN,  true,  RK_RECOMPUTE_WORDS)     \
    X(MODULES,   "recompute_modules", TRAIN, false, RK_MODULE_WORDS)  \
    X(OFFLOAD,   "offload",    TRAIN,  false, RK_HOST_WORDS)          \
    X(OPTIMIZER, "optimizer",  TRAIN,  true,  RK_OPTIMIZER_WORDS)     \
    X(MASTER,    "master",     TRAIN,  true,  RK_MASTER_WORDS)        \
    X(GRADIENT,  "grad_dtype", TRAIN,  false, RK_GRADIENT_WORDS)      \
    X(LOSS,      "loss",       TRAIN,  true,  RK_LOSS_WORDS)          \
    X(DROPOUT,   "dropout",    TRAIN,  false, RK_DROPOUT_WORDS)       \
    X(WEIGHTS,   "weights",    ALWAYS, true,  RK_WEIGHT_WORDS)        \
    X(CACHE,     "kv_dtype",   SERVE,  true,  RK_CACHE_WORDS)         \
    X(ADAPTERS,  "lora_dtype", ALWAYS, true,  RK_ADAPTER_WORDS)

/* X(ID, name, BOOK)    what is said in a number, of a training step alone; 0: it is not said. */
#define RK_RUN_COUNTS(X) \
    X(EVERY,  "recompute_every", true)  \
    X(PASSES, "accumulate",      false) \
    X(CHUNK,  "loss_chunk",      false)
/* clang-format on */

typedef enum rk_run_word {
#define RK_RUN_WORD_ID(ID, ...) RK_RUN_##ID,
    RK_RUN_WORDS(RK_RUN_WORD_ID)
#undef RK_RUN_WORD_ID
    RK_N_RUN_WORD
} rk_run_word;

typedef enum rk_run_count {
#define RK_RUN_COUNT_ID(ID, ...) RK_RUN_##ID,
    RK_RUN_COUNTS(RK_RUN_COUNT_ID)
#undef RK_RUN_COUNT_ID
    RK_N_RUN_COUNT
} rk_run_count;

typedef struct rk_run_request {
    rk_open_request open; /* which model, settings, adapters; what the step says of its opening is put in */
    rk_convention convention;
    const char *word[RK_N_RUN_WORD]; /* NULL: not said */
    rk_i128 count[RK_N_RUN_COUNT];
    rk_layout_request layout; /* over devices */
    bool as_options;          /* messages speak of --grad-dtype, not of grad_dtype */
} rk_run_request;

typedef struct rk_run {
    rk_arena arena;
    rk_opened opened;
    rk_ledger *ledger;
    rk_storage storage;
    rk_memory_options options;
    rk_open_request equations; /* of the same model as its file has it, without a profile */
} rk_run;

/* The names of RK_RECIPE_WORDS, one by one; NULL: there are no more. */
const char *rk_recipe_name(size_t i);

/* The type in which a recipe multiplies, and the rank of its adapters, 0 for none; NULL, 0: there is no such one. */
const char *rk_recipe_type(const char *name);
rk_i128 rk_recipe_rank(const char *name);

/*
 * RK_EUSAGE: no such word (the nearest is named), or what is said contradicts itself or has nothing to do with the
 * step.  RK_EINPUT: the model cannot take such a step.  RK_EVALUE: a symbol has no number.
 */
int rk_run_open(const rk_run_request *r, rk_run *out, rk_err *err);
void rk_run_close(rk_run *run);

/*
 * The memory traffic and FLOPs of a decoding step, of which `m` is the memory; nothing in the other phases.  They are
 * those of the equations as the model's file has them, without a profile.
 */
int rk_run_serve(const rk_run *run, const rk_memory *m, rk_serving *out, rk_err *err);

/* All that can be seen without the model.  RK_EUSAGE: as above. */
int rk_run_check(const rk_run_request *r, rk_err *err);

/* Bytes of a number of the type that is said; 0: none is. */
int rk_run_bytes(const rk_run_request *r);

rk_phase rk_run_phase(const rk_run_request *r);

/* "bf16": the type of a training step where nobody says it. */
const char *rk_run_training_type(const rk_model *m);

#define RK_RUN_OPTION_MAX 24

/* "--grad-dtype": how someone types it.  Returns `buf`. */
const char *rk_run_word_option(rk_run_word w, char buf[RK_RUN_OPTION_MAX]);
const char *rk_run_count_option(rk_run_count c, char buf[RK_RUN_OPTION_MAX]);

#endif
