/* SPDX-License-Identifier: MIT */
/*
 * pass/passes.h - the passes: each turns a program into a program.
 *
 * Stage   program -> [pass] -> program -> places, timeline, ledger.
 * Uses    base/, model/.
 * Memory  what a pass makes borrows from what it was made from; rk_passes_run gives a model that owns all between.
 * Threads the model that is given is only read: any number of threads may run passes over it.
 *
 * A model is expanded once, as its equations are.  Whatever is done to it then is a row of this table, in this order:
 * each row says when it applies and what it does.  To add one: a function that copies the program with some changes
 * (model/copy.h), and a row.
 */
#ifndef RK_PASS_PASSES_H
#define RK_PASS_PASSES_H

#include "model/build.h"
#include "model/model.h"
#include "pass/layout.h"

/*
 * X(NAME, function, text)    in the order in which they are run.
 */
/* clang-format off */
#define RK_PASSES(X) \
    X("lower",  rk_pass_lower,  "bodies of the profile stand in the place of calls") \
    X("mesh",   rk_pass_mesh,   "sizes of a mesh of devices become symbols") \
    X("merge",  rk_pass_merge,  "layers that have become equal form one group")      \
    X("stack",  rk_pass_stack,  "steps of a recurrence are laid in one tensor where they are read as one") \
    X("adapt",  rk_pass_adapt,  "adapters stand beside products with weights")       \
    X("freeze", rk_pass_freeze, "some weights are not trained")                      \
    X("stage",  rk_pass_stage,  "of a pipeline of devices, the layers of one: its stages") \
    X("split",  rk_pass_split,  "layers that need other gradients form groups of their own") \
    X("serve",  rk_pass_serve,  "a decoding step leaves out what its caches have")           \
    X("shard",  rk_pass_shard,  "indices that lie over devices have become shorter; collectives stand between operations") \
    X("recompute", rk_pass_recompute, "attention is recomputed, from the scores to the context") \
    X("autocast", rk_pass_autocast, "casts stand before operations that run in another type") \
    X("chunk",  rk_pass_chunk,  "the head and the loss take so many tokens at a time")
/* clang-format on */

/*
 * What is trained of a model, and what is put beside its weights.  With adapters (`rank` > 0), the product of an
 * activation x with a weight of which `adapts` is true becomes y + B(A x), and nothing else is trained.
 */
typedef struct rk_adapt {
    rk_i128 rank; /* 0: no adapters */
    /* Is shown the model before adapters stand in it; NULL: need not see it. */
    int (*find)(void *self, const rk_model *m, rk_err *err);
    bool (*adapts)(void *self, const char *pattern);
    /* Whether a weight that would be trained is not; NULL: none.  `name` has the number of its layer, if known. */
    bool (*freezes)(void *self, const char *name, const char *part);
    void *self;
    bool wide;           /* adapters are of four bytes, whatever the model runs in, and so is what they compute */
    bool input_gradient; /* what is looked up for the input gets a gradient, though no weight asks for it */
    bool packed; /* the weights beside them are stored in few bits: what adapters compute is cast before it is added */
} rk_adapt;

/* How wide the run's numbers are; where nobody says it, as the config does. */
typedef enum rk_width {
    RK_WIDTH_NARROW, /* less than fp32 */
    RK_WIDTH_FP32,
    RK_WIDTH_CONFIG
} rk_width;

/* Whether products are taken in two bytes, from weights of four. */
typedef enum rk_mixed {
    RK_MIXED_NO,
    RK_MIXED_YES,
    RK_MIXED_CONFIG /* where the config's own numbers have two bytes */
} rk_mixed;

/*
 * What is asked of the passes.  A member that says whether a pass applies is all that it needs here: where it is
 * nothing (NULL, false, 0), the pass does not.
 */
typedef struct rk_pass_options {
    const char *profile; /* whose bodies operations are written out in; NULL: they stand for themselves */
    bool fused;          /* with a profile: attention is one operation, … */
    bool spares;         /* … but not in the families that the profile has for eager */
    rk_width width;      /* of the run's numbers: in fp32, fused attention has other kernels */
    bool grouped;        /* with a profile: experts are taken all at once, where the family can, … */
    bool grouped_mixed;  /* … also where the config makes it mixed */
    bool drops;          /* with a profile: dropout acts, as the config says it */
    bool serves;         /* a step that finds its caches filled */
    bool recomputes_attention;
    rk_mixed autocast;
    rk_region_kind loss;      /* how the head and the loss are computed; RK_REGION_NONE: all tokens at once */
    const rk_adapt *adapt;    /* NULL: all weights are trained as they are */
    const rk_layout *layout;  /* over devices; NULL: there is one */
    const char *until;        /* the last pass to be run; NULL: all */
    const char *const *eager; /* with `spares`: these families, and then NULL; NULL: there are none */
    rk_finder finder;         /* with a profile: of the files that have its bodies */
} rk_pass_options;

/* Whether any pass is asked for, and whether two ask for the same; adapters are never the same. */
bool rk_passes_wanted(const rk_pass_options *o);
bool rk_passes_same(const rk_pass_options *a, const rk_pass_options *b);

/* What is compared of options without adapters, for who keeps it longer than what they borrow. */
int rk_passes_keep(rk_arena *a, const rk_pass_options *o, rk_pass_options *out, rk_err *err);

/*
 * Runs all passes that apply, on the model as it was expanded.  *out stays NULL where none does.  RK_EUSAGE: `until` is
 * no pass.
 */
int rk_passes_run(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err);

/* Whether a run leaves out a part of the model by itself: what has been read before, or is not read at all. */
int rk_serve_applies(const rk_model *m, bool *out, rk_err *err);

/* A pass: *out stays NULL where it does not apply or leaves everything as it is. */
typedef int rk_pass(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err);

rk_pass rk_pass_lower, rk_pass_mesh, rk_pass_merge, rk_pass_stack, rk_pass_adapt, rk_pass_freeze, rk_pass_stage,
    rk_pass_split, rk_pass_serve, rk_pass_shard, rk_pass_recompute, rk_pass_chunk, rk_pass_autocast;

/* The size of an axis of a mesh, after rk_pass_mesh as a symbol. */
rk_ex rk_mesh_size(rk_pool *pool, const rk_layout *l, rk_mesh_axis axis);

/* … and of a group along it: see rk_layout_group. */
rk_ex rk_mesh_group(rk_pool *pool, const rk_layout *l, rk_mesh_axis axis, bool experts);

/* The beginning of most of them: a model like the given one, and a builder for its program; rk_model_finish ends it. */
int rk_pass_begin(const rk_model *in, rk_model_draft **draft, rk_build *b, rk_err *err);

#endif
