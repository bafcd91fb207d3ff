/* SPDX-License-Identifier: MIT */
/*
 * model/lower.h - the pass that puts bodies in the place of calls: from what is computed to what a framework runs.
 *
 * Stage   program -> [lower] -> program.
 * Uses    base/, model/model.h.
 * Memory  the new model borrows from the old one, which must outlive it.
 * Threads the old model is only read.
 */
#ifndef RK_MODEL_LOWER_H
#define RK_MODEL_LOWER_H

#include "model/model.h"

typedef struct rk_lower_options {
    const char *profile; /* whose bodies */
    bool fused;          /* attention is one operation */
    bool wide;           /* … in fp32 */
    bool grouped;        /* experts are taken all at once, where the family can */
    bool drops;          /* dropout acts, as the config says it */
    rk_finder finder;    /* of the files that have them */
} rk_lower_options;

int rk_lower(const rk_model *in, const rk_lower_options *o, const rk_model **out, rk_err *err);

#endif
