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

#include <stddef.h>

typedef struct rk_pair {
    rk_audit *a;
    const rk_side *first, *x, *y; /* the chain's first side, and two neighbours */
    size_t piece;
    uint32_t scope;
    size_t from;         /* the token with which the claim begins */
    const rk_verdict *v; /* what was found of it, where that is looked into */
    const rk_side *ends; /* where `y` was read to the end of its line alone: all of it; NULL */
    bool runs;           /* … or up to where the text goes on with it */
    const rk_side *of;   /* the letters before both, of which the right side is the value; NULL: none that matter */
} rk_pair;

/* Two sides of a piece; `from` is the token with which what is claimed of them begins. */
rk_pair rk_pair_of(rk_audit *a, size_t piece, const rk_side *first, const rk_side *x, const rk_side *y, size_t from);

/*
 * Why a difference may be no mistake.  Of all reasons none may hold where something is called wrong; those of how it
 * was read do not count where the result is telling: it was read as it was meant.
 */
typedef struct rk_reason {
    bool (*is)(const rk_pair *p);
    size_t either; /* where there is no test: a bool of a side */
    enum {
        RK_OF_MEANING, /* something else may be meant */
        RK_OF_READING  /* it may have been cut out of the text at the wrong place */
    } is_of;
    const char *words;
} rk_reason;

#define RK_EITHER(what) NULL, offsetof(rk_side, what)

typedef struct rk_reasons {
    const rk_reason *at;
    size_t n;
} rk_reasons;

extern const rk_reasons rk_reasons_of_border; /* where it begins and ends, what stands in it: judge_border.c */
extern const rk_reasons rk_reasons_of_form;   /* judge_forms.c */
extern const rk_reasons rk_reasons_unwritten; /* what people leave unwritten: judge_unwritten.c */

/* How far apart two numbers are, in either direction, as a logarithm; 0 is the same, HUGE_VAL: they are none. */
double rk_pair_distance(const rk_pair *p, const rk_verdict *v);

/* "16.06 GB = 14.96 GiB": a number in two units of one kind, in which a unit is no mere word, and GB is not GiB. */
bool rk_pair_is_conversion(const rk_pair *p);

/* "1 PFLOP/s ≈ 8.6 × 10¹⁹ FLOP/day": so much in one time, and in another one, of which both are known. */
bool rk_pair_is_of_two_rates(const rk_pair *p);

/* "282,956,185,600 bytes ≈ 27 GB": all digits of it leave nothing open. */
bool rk_pair_is_count_of_bytes(const rk_pair *p);

/* "2.127B (2.127亿)": the same digits, said again with another scale. */
bool rk_pair_is_restated(const rk_pair *p);

/* "349,630,365,696 = 3.498 × 10¹¹", "1.48 billion = 1,474,560,000": digits, and how large it is. */
bool rk_pair_is_scale(const rk_pair *p);

/* What the right side is of the left one, num/den; false: no plain number. */
bool rk_pair_ratio(const rk_pair *p, rk_i128 *num, rk_i128 *den);

/* What the right side is of the left one, or the left of the right where that is more; 0: no plain number. */
double rk_pair_factor(const rk_pair *p);

/* How far off its rounding may make a side, of its size; and whether one side is so many times the other then. */
double rk_pair_loosely(const rk_pair *p, const rk_side *s);
bool rk_pair_is_off_by(const rk_pair *p, double factor);

/* Whether a ratio is a power of 1,000 or of 1,024. */
bool rk_ratio_is_power(double ratio, double near);

/* The token before the left side and the one after the right side, in their piece; NULL: there is none. */
const rk_audit_token *rk_pair_before(const rk_pair *p);
const rk_audit_token *rk_pair_after(const rk_pair *p);

/* The byte where the line begins in which it does. */
uint32_t rk_pair_line_begin(const rk_pair *p);

/* What a token is: a word of a use, a unit, the 10 of × 10¹², a number in digits or words (0: none). */
bool rk_pair_is_word(const rk_pair *p, rk_words use, const rk_audit_token *t);
bool rk_pair_is_unit(const rk_pair *p, const rk_audit_token *t);
bool rk_pair_is_ten(const rk_pair *p, size_t i);
double rk_pair_number(const rk_pair *p, size_t i);

/* Whether a number stands anywhere in a side. */
bool rk_pair_has_number(const rk_pair *p, const rk_side *s, double number);

/*
 * "1.5B", "6.7e9", "40.2 TFLOPs": whether a number of a side says how large it is, by a scale, a prefix of its unit or
 * a power of ten.
 */
bool rk_pair_tells_size(const rk_pair *p, const rk_side *s);

/* "114,688 bytes ≈ 0.112 MB": divided by 1,024 once, and by 1,000 once. */
bool rk_pair_is_of_mixed_powers(const rk_pair *p);

/* "… / 1,073,741,824 = 19 GB": in which powers it is, is worked out. */
bool rk_pair_divides_by_power(const rk_pair *p);

/* Whether it stands in a program, and in no remark of it: a program assigns where people state. */
bool rk_pair_assigns(const rk_pair *p);

/*
 * "294 PFLOPs ÷ 113.6 TFLOPS", "140 GB / 3.35 TB/s", "0.9M / (312 TFLOPS × 0.4)": something, divided by as much of it
 * per second.
 */
bool rk_pair_is_in_seconds(const rk_pair *p, const rk_side *s);

/*
 * "3.15e23 / (125e12 × 0.4)": a quotient, of which both parts say how large they are, so that no thousands are left
 * unwritten; and whether it is not divided by the seconds of a longer time as well.
 */
bool rk_pair_is_told_quotient(const rk_pair *p, const rk_side *s);
bool rk_pair_is_told_seconds(const rk_pair *p, const rk_side *s);

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
 * "6BTH + 6BTH + 2BT²N + 2BTH = 16BTH + 2BT²N": the same terms on both sides, of which one alone has another factor.
 */
bool rk_pair_is_of_terms(const rk_pair *p);

/*
 * Whether a difference is so small, or of such a kind, that the pair was read as it was meant; and, where it has
 * letters, whether each of them has one exact value in the whole text.
 */
bool rk_pair_is_telling(const rk_pair *p);
bool rk_pair_is_telling_formula(const rk_pair *p);

/* Whether a side is what the other one comes to, in whatever reading. */
rk_verdict rk_pair_judge(const rk_pair *p);

/* "Memory = 16 × 155 bytes", and "Memory ≈ 2,480 bytes" below it: two chains, one after the other. */
void rk_judge_named(rk_audit *a, const rk_chain *before, const rk_chain *now);

/*
 * Why the difference that `p->v` has may be no mistake, in words; NULL: all of it was understood, and it is one.  The
 * evidence for and against is added up in one table.
 */
const char *rk_pair_doubt(const rk_pair *as_read);

/* A value with sizes put in for letters that have none, by what these are written for; RK_EX_FAILED: not all. */
rk_ex rk_judge_by_roles(rk_audit *a, rk_ex value, const rk_sym *open, size_t n);

#endif
