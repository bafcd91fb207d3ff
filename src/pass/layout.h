/* SPDX-License-Identifier: MIT */
/*
 * pass/layout.h - how a model is laid out over a mesh of devices, and which of them is looked at.
 *
 * Stage   words of the line -> [plan/layout.h] -> passes, step, account.
 * Uses    base/num.h, pass/runtime.h.
 * Memory  plain values; texts are borrowed.
 * Threads no state.
 *
 * A layout says nothing about a model.  docs/ranks.md has what follows from it.
 */
#ifndef RK_PASS_LAYOUT_H
#define RK_PASS_LAYOUT_H

#include "base/num.h"
#include "pass/runtime.h"

#include <stdbool.h>
#include <stddef.h>

/* clang-format off */

/* X(ID, word, text)    axes of the mesh, the slowest first: ranks are counted with the last one fastest */
#define RK_MESH_AXES(X) \
    X(PP,        "pp",        "stages of layers, one after the other") \
    X(REPLICATE, "replicate", "copies of what fsdp divides") \
    X(DDP,       "ddp",       "copies of the model, each with its own sequences") \
    X(FSDP,      "fsdp",      "weights, gradients and optimizer in pieces, gathered for use") \
    X(CP,        "cp",        "pieces of the sequence") \
    X(EP,        "ep",        "pieces of the list of experts") \
    X(TP,        "tp",        "pieces of heads, FFN width and vocabulary")

/* clang-format on */

typedef enum rk_mesh_axis {
#define RK_MESH_ENUM(ID, word, text) RK_MESH_##ID,
    RK_MESH_AXES(RK_MESH_ENUM)
#undef RK_MESH_ENUM
    RK_N_MESH
} rk_mesh_axis;

extern const char *const rk_mesh_word[RK_N_MESH];
extern const char *const rk_mesh_text[RK_N_MESH];

/* What is written in a word; each list in the order of its words. */
#define RK_RUNTIME_WORDS "torch|hf|megatron|deepspeed"

#define RK_COMPUTE_WORDS "same|bf16|fp16|fp32|autocast-bf16"
typedef enum rk_compute {
    RK_COMPUTE_SAME,
    RK_COMPUTE_BF16,
    RK_COMPUTE_FP16,
    RK_COMPUTE_FP32,
    RK_COMPUTE_AUTOCAST
} rk_compute;

#define RK_REDUCE_WORDS "same|bf16|fp16|fp32"

#define RK_RESHARD_WORDS "default|no|all"
typedef enum rk_reshard {
    RK_RESHARD_DEFAULT,
    RK_RESHARD_NO,
    RK_RESHARD_ALL
} rk_reshard;

#define RK_UNITS_WORDS "default|hf|titan"
typedef enum rk_units {
    RK_UNITS_DEFAULT, /* each layer; all else is one */
    RK_UNITS_HF,      /* the embedding; each layer; the last norm and the head */
    RK_UNITS_TITAN    /* the same */
} rk_units;

#define RK_SCHEDULE_WORDS "1f1b|gpipe|interleaved1f1b|interleavedzb"
typedef enum rk_schedule_kind {
    RK_SCHEDULE_1F1B,
    RK_SCHEDULE_GPIPE,
    RK_SCHEDULE_INTERLEAVED,
    RK_SCHEDULE_ZERO_BUBBLE
} rk_schedule_kind;

#define RK_ROTATE_WORDS "allgather|alltoall|ulysses"
typedef enum rk_rotate {
    RK_ROTATE_ALLGATHER,
    RK_ROTATE_ALLTOALL,
    RK_ROTATE_ULYSSES
} rk_rotate;

#define RK_BUCKET_VIEW_WORDS "yes|no"

typedef struct rk_layout {
    rk_i128 size[RK_N_MESH]; /* of each axis; 1: it is not there */
    bool said[RK_N_MESH];    /* on the line */
    rk_i128 stages;          /* of each rank of the pipeline: virtual ones; 1: one */
    const char *split;       /* sizes of the model that lie over tp, with commas; NULL: as the runtime has it */
    bool sp;                 /* outside of products the sequence lies in pieces over tp */
    bool vocab_loss;         /* the loss is taken over pieces of the vocabulary */
    int zero;                /* beside ddp: 1: the optimizer in pieces, 2: and gradients, 3: and weights; 0: none */
    rk_runtime runtime;
    rk_i128 rank;   /* which is looked at */
    bool rank_said; /* else the one that holds most */

    rk_compute compute; /* the type at work, where it is not that of the stored weights … */
    int reduce;         /* … and bytes of a number in reductions of gradients; 0: as at work */
    rk_reshard reshard;
    rk_units units;
    bool no_sync; /* gradients of all passes but the last are not reduced */
    bool clip;    /* the norm of all gradients is taken */
    bool bucket_view;
    rk_i128 bucket;       /* bytes from which on a bucket of gradients is full; 0: as many as the runtime chooses … */
    rk_i128 first_bucket; /* … and the first one */
    bool drop_outputs;
    bool infers; /* there is no training: partial sums are added up in their place */
    rk_schedule_kind schedule;
    rk_i128 micro; /* micro-batches of a step; 0: as many as there are stages */
    rk_rotate rotate;
} rk_layout;

/* One device, alone; no runtime has been read into it. */
rk_layout rk_layout_single(void);

bool rk_layout_same(const rk_layout *a, const rk_layout *b); /* NULL: a single device */

/* How many devices there are; ep is no further factor, it regroups those of a stage. */
rk_i128 rk_layout_devices(const rk_layout *l);

/* Where the rank stands on an axis. */
rk_i128 rk_layout_place(const rk_layout *l, rk_mesh_axis axis);

/*
 * How many devices there are in a group along an axis, and where in it the rank stands.  The devices of cp have the
 * same weights and other tokens, so that copies and pieces of weights (ddp, fsdp) take them in.  `experts`: that of
 * those that have the same experts, which lie over ep.
 */
rk_i128 rk_layout_group(const rk_layout *l, rk_mesh_axis axis, bool experts);
rk_i128 rk_layout_group_place(const rk_layout *l, rk_mesh_axis axis, bool experts);

/*
 * How many of such a group stand in one node of so many devices, which are those of ranks that follow each other: the
 * whole group, some of it, or one.
 */
rk_i128 rk_layout_in_node(const rk_layout *l, rk_mesh_axis axis, bool experts, rk_i128 node);

/* Whether experts lie over devices that have other tokens, and not (as in hf) the same. */
bool rk_layout_sends_tokens(const rk_layout *l);

/* How far the number of the next rank on an axis is. */
rk_i128 rk_layout_next(const rk_layout *l, rk_mesh_axis axis);

/* Whether there are copies of the model that add up their gradients (ddp); NULL: a single device. */
bool rk_layout_copies(const rk_layout *l);

/* … and whether the optimizer's state is a piece of one flat buffer, … */
bool rk_layout_is_flat(const rk_layout *l);

/* … of which gradients are reduced in buckets that are there in the backward pass alone. */
bool rk_layout_fills_buckets(const rk_layout *l);

/* Whether equations change: some index lies in pieces. */
bool rk_layout_shards(const rk_layout *l);

#endif
