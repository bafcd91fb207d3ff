/* SPDX-License-Identifier: MIT */
/*
 * plan/layout.h - reads what a line says of devices: `fsdp=8,tp=4,sp`, and the options beside it.
 *
 * Stage   words -> [plan] -> pass/layout.h.
 * Uses    base/, pass/layout.h, plan/library.h, plan/nearest.h, plan/runtime.h.
 * Memory  a request borrows its texts; a layout is plain values, and texts of its runtime in the arena given.
 * Threads no state.
 */
#ifndef RK_PLAN_LAYOUT_H
#define RK_PLAN_LAYOUT_H

#include "base/err.h"
#include "pass/layout.h"
#include "plan/library.h"

/* clang-format off */

/* X(ID, name, ARG, words, text)    said in a word, or (words is NULL) in a text, a number or not at all (ARG is NULL) */
#define RK_LAYOUT_WHERE(X) \
    X(LINE,        "layout",       "AXES",  NULL,                 "how it lies over devices: fsdp=8,tp=4,sp, or a file that says it (axes ddp fsdp replicate tp cp pp ep; sp, vocab-loss, zero1, zero2, zero3, virtual=2)") \
    X(RUNTIME,     "runtime",      "NAME",  RK_RUNTIME_WORDS,     "whose way of doing that") \
    X(RANK,        "rank",         "N",     NULL,                 "which device (default: the one that holds most)") \
    X(SPLIT,       "split",        "SIZES", NULL,                 "sizes of the model that lie over tp, instead of what the runtime divides: F,V") \
    X(STAGE,       "stage",        "N",     NULL,                 "the same of a pipeline: its place there")

/* The same of how a step is taken there. */
#define RK_LAYOUT_HOW(X) \
    X(COMPUTE,     "compute",      "TYPE",  RK_COMPUTE_WORDS,     "the type at work, where weights are stored in another") \
    X(REDUCE,      "reduce",       "TYPE",  RK_REDUCE_WORDS,      "the type in which gradients are reduced") \
    X(RESHARD,     "reshard",      "WHAT",  RK_RESHARD_WORDS,     "which gathered weights are let go after the forward pass (default: those of layers)") \
    X(UNITS,       "units",        "HOW",   RK_UNITS_WORDS,       "what is gathered together") \
    X(NO_SYNC,     "no-sync",      NULL,    NULL,                 "with --accumulate: gradients are reduced after the last pass alone") \
    X(CLIP,        "clip",         NULL,    NULL,                 "gradients are clipped by their norm") \
    X(BUCKET_VIEW, "bucket-view",  "HOW",   RK_BUCKET_VIEW_WORDS, "gradients lie inside of the buckets that are reduced") \
    X(BUCKET,      "bucket",       "MIB",   NULL,                 "of gradients that are reduced together (default 25)") \
    X(DROP,        "drop-outputs", NULL,    NULL,                 "the caller holds the loss, not the logits") \
    X(SCHEDULE,    "schedule",     "NAME",  RK_SCHEDULE_WORDS,    "the order of a pipeline's micro-batches") \
    X(MICRO,       "micro",        "N",     NULL,                 "micro-batches of a step of a pipeline (default: as many as stages)") \
    X(ROTATE,      "rotate",       "HOW",   RK_ROTATE_WORDS,      "how cp brings keys and values to the queries")

#define RK_LAYOUT_OPTIONS(X) RK_LAYOUT_WHERE(X) RK_LAYOUT_HOW(X)
/* clang-format on */

typedef enum rk_layout_option {
#define RK_LAYOUT_ENUM(ID, ...) RK_LAYOUT_##ID,
    RK_LAYOUT_OPTIONS(RK_LAYOUT_ENUM)
#undef RK_LAYOUT_ENUM
    RK_N_LAYOUT_OPTION
} rk_layout_option;

/* As it was typed; NULL: not said, "": said without a word. */
typedef struct rk_layout_request {
    const char *said[RK_N_LAYOUT_OPTION];
} rk_layout_request;

extern const char *const rk_layout_option_name[RK_N_LAYOUT_OPTION];

/*
 * *any: something is said of devices; the library has the runtimes.  RK_EUSAGE: no such axis or word (the nearest is
 * named), or what is said contradicts itself.
 */
int rk_layout_read(const rk_library *library, rk_arena *a, const rk_layout_request *r, rk_layout *out, bool *any,
                   rk_err *err);

/* Whether the word of one option is such; RK_EUSAGE: what is wrong. */
int rk_layout_check_option(rk_layout_option o, const char *word, rk_err *err);

/* Whether one axis with its size, or one word (n_value is 0 and value NULL), is such; RK_EUSAGE: what is wrong. */
int rk_layout_check_axis(const char *word, int n, const char *value, int n_value, rk_err *err);

#endif
