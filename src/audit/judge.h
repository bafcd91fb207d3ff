/* SPDX-License-Identifier: MIT */
/*
 * audit/judge.h - two sides of an equation: whether they agree, and if not, why.
 *
 * Stage   chains -> [judge] -> claims.
 * Uses    audit/audit.h.
 * Memory  the audit's.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_JUDGE_H
#define RK_AUDIT_JUDGE_H

#include "audit/audit.h"

/* What was found about two sides. */
typedef struct rk_verdict {
    rk_claim_status is;
    rk_ex left, right;                 /* what was compared */
    const char *note;                  /* or NULL */
    bool far;                          /* with values from another section of the text */
    bool apart;                        /* with values from another paragraph, or from further on */
    bool rough;                        /* with values that are rounded, or follow from another line */
    bool foreign;                      /* with values from code that it stands outside of */
    const rk_side *as_left, *as_right; /* in another reading, in which the sides are these; NULL: as they were read */
} rk_verdict;

/* Compares two plain numbers, each with the side that it comes from. */
bool rk_judge_agree(const rk_pool *p, rk_ex x, const rk_side *a, rk_ex y, const rk_side *b, bool about);

/* Two sides as they were read, in a scope. */
rk_verdict rk_judge_sides(rk_audit *a, const rk_side *x, const rk_side *y, uint32_t scope);

/* The role of a letter that has one alone, by its name; RK_N_LETTER: it has none, or several. */
rk_letter_role rk_judge_role(const rk_audit *a, const char *name, size_t n);

/* All chains of the text: claims are added to the audit. */
int rk_judge_chains(rk_audit *a, rk_err *err);

/* How far apart two digits are that have changed places between two numbers; 0: they differ in another way. */
size_t rk_judge_swapped(rk_i128 a, rk_i128 b);

/* 279 for 729, 128 for 328: the same digits in another order, or all but one. */
bool rk_judge_misspelt(rk_i128 a, rk_i128 b);

/* Why `stated` may stand where `found` holds: "exactly half", "the digits 20 for 02"; NULL: no idea. */
const char *rk_judge_why(rk_audit *a, rk_ex stated, rk_ex found);

#endif
