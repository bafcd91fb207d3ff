/* SPDX-License-Identifier: MIT */
/*
 * pass/runtime.h - what one way of laying a model over devices does, as numbers with a name.
 *
 * Stage   data/runtimes.tsv -> [plan] -> layout -> pass, account.
 * Uses    nothing.
 * Memory  plain values; texts live where they were read into.
 * Threads no state.
 *
 * Nothing behind this header knows a runtime by its name.  plan/runtime.h reads the facts of one, each with its source;
 * docs/ranks.md says what follows from them.
 */
#ifndef RK_PASS_RUNTIME_H
#define RK_PASS_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

/* Where gradients that are partial sums over tp are added up. */
enum {
    RK_PARTIAL_NEVER,
    RK_PARTIAL_IN_STEP,    /* when the optimizer reads them, one by one */
    RK_PARTIAL_WITH_LAYER, /* in the backward pass, when those of a layer are complete, one by one */
    RK_PARTIAL_TOGETHER    /* after the backward pass, all of them in one piece */
};

/* clang-format off */

/* X(name, unit)    as data/runtimes.tsv writes them; a rule is 1 where it holds, else 0 */
#define RK_RUNTIME_FACTS(X) \
    X(ep_in_place_of_tp,   "-")        /* devices of ep have the same tokens; else tokens travel to their experts */ \
    X(reduces_each_reader, "-")        /* each product that reads a whole value adds up its gradient; else they are added first */ \
    X(parts_ties,          "-")        /* over tp, a table and a head that were tied become two weights */ \
    X(whole_table_gradient, "-")       /* the gradient of a table whose rows lie in pieces is made whole */ \
    X(whole_table,         "-")        /* a table that is not tied lies whole */ \
    X(adds_bias_first,     "-")        /* a bias is added to partial sums, each device a part of it; else to what they add up to */ \
    X(whole_packed_rows,   "-")        /* rows of one matrix for several things are gathered: they are taken apart by place */ \
    X(divides_vocabulary,  "-")        /* a vocabulary that does not divide is refused */ \
    X(vocabulary_multiple, "rows")     /* a vocabulary is padded to this times tp; 0: it is not */ \
    X(copies_keys,         "-")        /* key heads that are fewer than the devices of tp are copied; else refused */ \
    X(vocab_loss,          "-")        /* over tp, the loss is always taken over pieces of the vocabulary */ \
    X(adds_experts_here,   "-")        /* partial sums of experts are added up in their place */ \
    X(scores_twice,        "-")        /* over ep, gradients of scores are added up twice */ \
    X(regathers,           "-")        /* what products read, gathered from pieces of the sequence, is gathered again backward */ \
    X(adds_up_ties,        "-")        /* over pp, gradients of a table and a head that are tied are added up between both ends */ \
    X(partial,             "-")        /* RK_PARTIAL_… */ \
    X(flat,                "-")        /* the optimizer's state is a piece of one flat buffer; else whole tensors */ \
    X(flat_piece,          "elements") /* … a piece is a multiple of this … */ \
    X(flat_whole,          "elements") /* … and the whole of this; 0: of nothing */ \
    X(main_gradients,      "-")        /* gradients are added to a flat buffer that is there from step to step */ \
    X(fuses_gradients,     "-")        /* products of layers add to gradients themselves; what they hand back is one buffer of a shape */ \
    X(drops_outputs,       "-")        /* the model gives back its loss: nobody holds logits */ \
    X(frees_stages,        "-")        /* what a stage sent is let go, and what comes to it lies in a buffer while it is needed; else both are held */ \
    X(gathers_views,       "-")        /* weights are read where they were gathered, and each is cut as one row; else copied out, by rows */ \
    X(stay_whole,          "elements") /* weights in pieces of no more are there whole, too; … */ \
    X(prefetched,          "elements") /* … so many are gathered ahead, … */ \
    X(used_soon,           "elements") /* … and one stays that is used again before so many others are; 0: all of it as units say */ \
    X(bucket,              "elements") /* gradients reduced together in a flat buffer; 0: all, or as --bucket says */

/* clang-format on */

typedef struct rk_runtime {
    const char *name;
    const char *text;    /* "as … does it" */
    const char *profile; /* how its operations are run: a name of data/profiles.tsv */
    const char *recipe;  /* its types, where nobody says them: a name of --recipe; "-": those of the model */
#define RK_RUNTIME_FACT(name, unit) int32_t name;
    RK_RUNTIME_FACTS(RK_RUNTIME_FACT)
#undef RK_RUNTIME_FACT
} rk_runtime;

#endif
