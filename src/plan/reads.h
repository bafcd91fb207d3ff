/* SPDX-License-Identifier: MIT */
/*
 * plan/reads.h - what a model file can read from a config, whatever the config says: every key with its default.
 *
 * Stage   text of a model file -> [plan] -> keys.
 * Uses    base/, lang/, plan/library.h.
 * Memory  everything lives in the arena given.
 * Threads no state.
 *
 * The text is read, not expanded: keys of all branches are listed, in the order of the text.
 */
#ifndef RK_PLAN_READS_H
#define RK_PLAN_READS_H

#include "plan/library.h"

typedef struct rk_reads_key {
    const char *path;      /* hidden_size, text_config.hidden_size */
    const char *otherwise; /* its default as it is written: 4096, D / N; NULL: none */
    const char *symbol;    /* the `let` or `run` of the model that takes it, or NULL */
    const char *text;      /* its meaning, or NULL */
} rk_reads_key;

/* used: where to look for the files that it uses, whose own values read keys, too; NULL: those of the text alone.
 * RK_EINPUT: the text has mistakes of form. */
int rk_reads(rk_arena *a, const rk_text *t, const rk_library *used, rk_reads_key **out, size_t *n, rk_err *err);

#endif
