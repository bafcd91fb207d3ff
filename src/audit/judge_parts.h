/* SPDX-License-Identifier: MIT */
/*
 * audit/judge_parts.h - what the files that judge chains share: two neighbours of a chain, and why a difference between
 * them may be no mistake.
 *
 * Stage   chains -> [judge] -> claims.
 * Uses    audit/judge.h.
 * Memory  none of its own.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_JUDGE_PARTS_H
#define RK_AUDIT_JUDGE_PARTS_H

#include "audit/judge.h"

typedef struct rk_pair {
    rk_audit *a;
    const rk_side *first, *x, *y; /* the chain's first side, and two neighbours */
    size_t piece;
    uint32_t scope;
    size_t from;         /* the token with which the claim begins */
    const rk_verdict *v; /* what was found of it, where that is looked into */
} rk_pair;

/* How far apart two numbers are, in either direction, as a logarithm; 0 is the same, HUGE_VAL: they are none. */
double rk_pair_distance(const rk_pair *p, const rk_verdict *v);

/* "16.06 GB = 14.96 GiB": a number in two units of one kind, in which a unit is no mere word, and GB is not GiB. */
bool rk_pair_is_conversion(const rk_pair *p);

/*
 * "1.5B", "6.7e9", "40.2 TFLOPs": whether a number of a side says how large it is, by a scale, a prefix of its unit or
 * a power of ten.
 */
bool rk_pair_tells_size(const rk_pair *p, const rk_side *s);

/* Whether it stands in a program, and in no remark of it: a program assigns where people state. */
bool rk_pair_assigns(const rk_pair *p);

/* How many signs of a kind stand in a side; op 0: of any. */
size_t rk_pair_signs(const rk_pair *p, const rk_side *s, char op);

/* "= 80 ms" and "+ 90" on the next line: a result may end with its line.  The token after it; 0: it does not. */
size_t rk_pair_result_end(const rk_pair *p, const rk_side *s);

/*
 * "4 × (1,600 + 50,257) = 4 × 52,857": a step of a computation, in whole numbers, of which some go on, and which is
 * nearly the same.
 */
bool rk_pair_is_step(const rk_pair *p);

/*
 * Whether a difference is so small, or of such a kind, that the pair was read as it was meant; and, where it has
 * letters, whether each of them has one exact value in the whole text.
 */
bool rk_pair_is_telling(const rk_pair *p);
bool rk_pair_is_telling_formula(const rk_pair *p);

/*
 * Why the difference that `p->v` has may be no mistake, in words; NULL: all of it was understood, and it is one.  The
 * evidence for and against is added up in one table.
 */
const char *rk_pair_doubt(const rk_pair *as_read);

#endif
