/* SPDX-License-Identifier: MIT */
/*
 * audit/follow.h - figures that follow from others near them, in a sentence that does not write the working down.
 *
 * Stage   chains, sums, tables -> [follow] -> claims.
 * Uses    audit/audit.h.
 * Memory  the audit's arena.
 * Threads as audit/audit.h.
 *
 * "100k examples of 1,200 tokens are 1.2e8 tokens", "at 400 TFLOP/s and 40 % that is 1.6e14": a figure of which nothing
 * is said yet, and figures before it in its sentence, or in brackets after it.  Products, quotients, sums and
 * differences of two and three of them are tried, the nearest first, where the units fit: bytes come of bytes, or of
 * numbers and bytes for each.  The first that gives the figure is what it follows from, unless chance would have found
 * one as well: of a figure of two digits every fifteenth or so does, of one of six digits none.
 *
 * So it is right, or nothing is said of it: what a sentence was meant to say is a guess.  Two sentences leave little
 * to guess, "of 80 GB it needs 16 GB, leaving 54 GB" and "57 GB (25 GB of this + 34 GB of that)": these are doubtful.
 */
#ifndef RK_AUDIT_FOLLOW_H
#define RK_AUDIT_FOLLOW_H

#include "audit/audit.h"

#define RK_FOLLOW_OPERANDS_MAX 8 /* the nearest; people do not compute with more of them in one go */
#define RK_FOLLOW_FAR_MAX 20     /* with a unit, further above */
#define RK_FOLLOW_TOKENS_MAX 80  /* how far back they may stand */

int rk_judge_follows(rk_audit *a, rk_err *err);

#endif
