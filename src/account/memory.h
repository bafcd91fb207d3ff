/* SPDX-License-Identifier: MIT */
/*
 * account/memory.h - what a training step, a prefill or a decoding step occupies, to the byte.
 *
 * Stage   model -> [account] -> report.
 * Uses    base/, expr/, model/, pass/, account/ledger.h.
 * Memory  an account of memory owns its arena and borrows the instance.
 * Threads as building a ledger: one thread.
 *
 * The model has been opened with the bodies of a profile (rk_model_source.profile), so that its operations are those
 * that the profile's implementation runs.
 */
#ifndef RK_ACCOUNT_MEMORY_H
#define RK_ACCOUNT_MEMORY_H

#include "account/cache.h"
#include "account/collectives.h"
#include "account/observe.h"
#include "account/storage.h"
#include "account/largest.h"
#include "account/ledger.h"
#include "account/optimizer.h"
#include "account/reserve.h"
#include "account/variant.h"
#include "model/owner.h"
#include "account/serve.h"
#include "pass/recompute_ops.h"
#include "pass/conditions.h"
#include "pass/layout.h"
#include "pass/timeline.h"

typedef enum rk_phase {
    RK_PHASE_TRAIN,
    RK_PHASE_PREFILL,
    RK_PHASE_DECODE
} rk_phase;

#define RK_RUN_TYPE_WORDS "fp32|tf32|bf16|fp16|fp8"

/* X(ID, word, text)    what the host can hold */
#define RK_HOSTS(X)                                                                                                    \
    X(OPTIMIZER, "optimizer", "optimizer state")                                                                       \
    X(GRADIENTS, "gradients", "gradients of weights")                                                                  \
    X(WEIGHTS, "weights", "weights, in pieces")                                                                        \
    X(ACTIVATIONS, "activations", "saved for backward, in layers")

#define RK_HOST_WORDS "optimizer|gradients|weights|activations" /* in this order */

typedef enum rk_host {
#define RK_HOST_ENUM(ID, word, text) RK_HOST_##ID,
    RK_HOSTS(RK_HOST_ENUM)
#undef RK_HOST_ENUM
    RK_N_HOST
} rk_host;

extern const char *const rk_host_word[RK_N_HOST];
extern const char *const rk_host_text[RK_N_HOST];

#define RK_PHASE_WORDS "train|prefill|decode" /* in the order of rk_phase */

/* What was asked of the numbers on the way, and the moments that could be the largest: for account/peak.h. */
typedef struct rk_recipe {
    rk_conditions conditions;
    rk_census census;
    bool sums_alone; /* nobody reads the account, or who is alive at its peak */
} rk_recipe;

typedef struct rk_memory_options {
    rk_phase phase;
    rk_profile profile; /* what the one who takes the step does beside the equations */
    int bytes;          /* of a number of the run: weights, activations, gradients … */
    int stored;         /* of weights in pieces, their gradients and the optimizer, where others; 0: as the run */
    const char *type;   /* … and what that is called: "bf16"; NULL: by its bytes */
    int master;         /* bytes of a second copy of the weights for the optimizer; 0: there is none */
    rk_number cache;    /* in which keys and values are held */
    rk_number weights;  /* in which the matrices are held … */
    const rk_storage *storage;      /* … unless this says it: what a config or a file stores; NULL: it does not */
    bool flash;                     /* attention is one operation: said to the opening of the model */
    bool drops;                     /* dropout acts, as the config says it: the model was opened so */
    bool loss;                      /* a training step begins its backward pass at the loss */
    rk_i128 chunk;                  /* where the loss is a region: so many tokens at a time; 0: as many as it chooses */
    rk_recompute_ops recompute_ops; /* operations of layers that are run again backward, one by one */
    unsigned offload;               /* what the host holds: bits of rk_host */
    size_t recompute_layers;        /* so many layers together are recomputed backward; 0: none */
    int gradient;   /* bytes of a number of a weight's gradient, which then stays; 0: as the run, made in each step */
    rk_i128 passes; /* forward and backward passes whose gradients are added up; 0 and 1: one */
    bool autocast;  /* the forward pass runs under autocast: the model was opened so */
    bool fp8_products; /* products with weights are taken in eight bits */
    rk_optimizer optimizer;
    const rk_layout *layout; /* over devices, of one of which this is the account; NULL: there is one alone */
    bool allocator;          /* what the framework's allocator makes of the step is wanted, too */
    bool reasons;            /* … and of each buffer which operation made it, its formula, and why it is there */
    bool brief;              /* the peak and who is alive at it will do: no first step, moments or variants … */
    bool unnamed;            /* … and not even who, but for what it is: weights, gradients … */
    rk_observer observer;    /* who is shown the timeline */
    rk_recipe *recipe;       /* gets what the peak is made of, in place of moments and conditions; NULL: nobody asks */
} rk_memory_options;

/* Why a buffer is saved, and until when. */
typedef struct rk_saved_why {
    const char **by; /* operations whose gradients need it */
    size_t n;
    const char *until; /* the operation whose gradient lets go of it; NULL: none does */
} rk_saved_why;

/* So many buffers of one kind. */
typedef struct rk_memory_row {
    rk_alive kind;      /* of the output, PASSING; of buffers at the peak, too, whether they are kept or not */
    const char *path;   /* layers.attention.scores */
    const char *what;   /* "copy", "gradient", "cache"; NULL: the result itself */
    const char *gloss;  /* what it is, in words: "softmax of scores, B×N×S×T"; NULL: the path says it */
    const char *layers; /* "0-2,5" where they are not all of their loop; NULL otherwise */
    rk_ex formula;      /* bytes of one */
    rk_i128 bytes;      /* the same as a number */
    rk_i128 times;
    rk_owner owner;   /* of what is alive at the peak, and of what is saved: whose it is … */
    rk_i128 kept;     /* … and how many of those alive are saved for the backward pass */
    uint32_t op;      /* of what is saved: the operation that made it; RK_NONE: it is given … */
    int each;         /* … and bytes of a number of it */
    uint32_t buffer;  /* of what is saved: which of the places; rk_memory.saved_for says for which numbers */
    const char *type; /* of a number: "bf16"; NULL: it is of several, or not known */
    rk_ex all;        /* bytes of all of them, as a formula: not rounded; of buffers and weights with reasons … */
    rk_saved_why why; /* … and so is this */
    uint32_t number;  /* where rows are sorted: which of those that are equal was first */
} rk_memory_row;

typedef struct rk_memory_rows {
    rk_memory_row *at;
    size_t n, cap;
} rk_memory_rows;

/* When something that is in no timeline is there. */
typedef enum rk_held {
    RK_HELD_ALWAYS,      /* weights, the optimizer's state */
    RK_HELD_OUTPUT,      /* until the backward pass begins, and in the optimizer's step: see rk_memory.output_before */
    RK_HELD_IN_PASSES,   /* but for the optimizer's step */
    RK_HELD_IN_STEP,     /* in the optimizer's step */
    RK_HELD_ONE_IN_STEP, /* the same, but only the largest of them */
} rk_held;

typedef struct rk_share {
    rk_held when;
    rk_ex bytes; /* of one, not rounded */
    rk_i128 times;
} rk_share;

/* A moment that could be the largest of a step. */
typedef struct rk_memory_moment {
    const char *during; /* "the forward pass", "the optimizer's step" */
    const char *path;   /* the operation being done, or NULL */
    rk_i128 bytes;
    rk_ex formula; /* of all that is alive, without what the allocator rounds up … */
    rk_i128 extra; /* … which is this */
} rk_memory_moment;

#define RK_MEMORY_MOMENTS_MAX (RK_N_BACKWARD_PART + 2)

typedef struct rk_memory {
    rk_arena arena;
    const rk_instance *instance; /* in whose pool the formulas are */
    const rk_model *model;       /* its */
    rk_memory_options options;
    rk_i128 parameters, gradients, optimizer, saved, cache;
    rk_ex parameters_formula, gradients_formula, optimizer_formula, saved_formula, cache_formula;
    rk_i128 peak;
    rk_i128 peak_of[RK_N_ALIVE];             /* the same by what it is … */
    rk_i128 peak_by[RK_N_ALIVE][RK_N_OWNER]; /* … and whose, which adds up to that */
    rk_i128 pass; /* the largest moment of the passes: the peak, or less where that is in the optimizer's step */
    const char *peak_during; /* "forward", "backward", "the optimizer's step" */
    const bool *recomputed;  /* of each operation: the backward pass runs it once more; of a training step */
    size_t n_recomputed;     /* tasks that do so */
    rk_i128 spare;           /* bytes that the optimizer's step takes and gives back */
    rk_i128 held_weights, held_gradients, held_optimizer, output; /* as the allocator rounds them */
    rk_i128 held_buckets;                                         /* in which copies of the model reduce gradients */
    rk_ex buckets_formula;
    bool output_before;    /* someone has the output of the step before in the forward pass … */
    bool output_in_step;   /* … and that of this one in the optimizer's step */
    const char *peak_path; /* the operation being done */
    rk_i128 first_forward, first_backward, first_optimizer; /* of the first step, which a recipe does not look at */
    rk_reserve reserve;        /* what the allocator makes of it; not known where nobody asked */
    RK_VEC(rk_share) share;    /* all that is in no timeline … */
    rk_i128 plain;             /* … but for these bytes, which are there whatever the numbers, and are not rounded */
    rk_memory_rows saved_rows; /* for the backward pass; they add up to `saved` */
    rk_memory_rows caches;     /* they add up to `cache` */
    rk_caches carried;         /* the same with what each is; none in training */
    rk_storage storage;        /* of the weights */
    rk_i128 logits;            /* of the output: of a sequence, its last place */
    rk_ex logits_formula;
    rk_i128 positions;     /* that the model has learned; 0: any number will do */
    rk_memory_rows alive;  /* at the peak; they add up to it */
    rk_memory_rows stored; /* with reasons: what is held of each weight, as WEIGHTS, OPTIMIZER and GRADIENTS */
    rk_memory_moment moment[RK_MEMORY_MOMENTS_MAX]; /* the largest first, which is the peak */
    size_t n_moment;
    rk_sent_rows sent;                           /* to other devices */
    rk_i128 host[RK_N_HOST], to_host, from_host; /* bytes that the host holds, and that go there and back in a step */
    rk_ex host_formula[RK_N_HOST];
    rk_variants saved_for; /* the numbers for which the formula of what is saved holds */
} rk_memory;

/*
 * Whether an account is of one of two passes that differ, the one that has the larger moment.  Which that is depends on
 * the numbers, so that no peak is compiled from such an account.
 */
bool rk_memory_has_two_passes(const rk_memory_options *o);

/* At the numbers of the instance.  RK_EVALUE: a symbol has no number. */
int rk_memory_new(const rk_instance *x, const rk_memory_options *o, rk_memory **out, rk_err *err);
void rk_memory_free(rk_memory *m);

/* What a step needs of a device: its peak, or by the book, which knows no moments, all of it together. */
rk_i128 rk_memory_total(const rk_memory *m);

#endif
