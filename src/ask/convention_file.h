/* SPDX-License-Identifier: MIT */
/*
 * ask/convention_file.h - data/conventions.tsv, read: each convention and its rules, as texts.
 *
 * Stage   bytes -> [ask] -> conventions; private to the conventions.
 * Uses    base/, plan/, ask/conventions.h.
 * Memory  in the arena given.
 * Threads no state.
 *
 * Columns are separated by tabs; a line that begins with # is a remark.  A convention begins with a line
 *
 *     name  =  of  unit  per  source  formula  text     of: a word of rk_convention_of_word; unit: FLOP, MAC or B
 *
 * and goes on with its rules, one for each formula:
 *
 *     name  classes  formula  [reason]                  classes: words with commas between them
 *
 * A class without a rule is not counted.  The formula "-" says that the convention is not for models that have the
 * class, and the reason why.  After another formula, of products of attention, the reason is what is said of a
 * difference where some of them have no mask that could be the reason.
 */
#ifndef RK_ASK_CONVENTION_FILE_H
#define RK_ASK_CONVENTION_FILE_H

#include "ask/conventions.h"
#include "base/vec.h"

typedef struct rk_convention_rule {
    const char *formula; /* NULL: there is none: nothing is counted */
    const char *reason;  /* of the formula "-", or where there is no mask; "": none */
    size_t at;           /* its line in the file */
} rk_convention_rule;

typedef struct rk_convention_text {
    rk_named_convention head; /* what the first line says */
    rk_convention_rule rule[RK_N_ROW_CLASS];
} rk_convention_text;

typedef struct rk_convention_texts {
    rk_convention_text *at;
    size_t n, cap;
} rk_convention_texts;

/* RK_EINPUT: a line is wrong; the message has its number. */
int rk_convention_file_read(rk_arena *a, const rk_library *l, rk_convention_texts *out, rk_err *err);

#endif
