/* SPDX-License-Identifier: MIT */
/*
 * ask/convention_why.h - why a convention's figure is another one, in words that follow from the numbers.
 *
 * Stage   lines of a convention -> [ask] -> reasons; private to the conventions.
 * Uses    base/, expr/, ask/convention_facts.h.
 * Memory  texts in the arena given.
 * Threads as building a ledger: one thread.
 */
#ifndef RK_ASK_CONVENTION_WHY_H
#define RK_ASK_CONVENTION_WHY_H

#include "ask/convention_facts.h"

/* Of one line: "halved"; "" where nothing differs; NULL: no memory.  `of_parameters`: the rule counts parameters. */
const char *rk_why_line(rk_arena *a, const rk_facts *f, const rk_named_convention *c, const rk_convention_line *line,
                        bool of_parameters);

/* Whether masks look back alone in all that is multiplied in a class: half of the square is what they leave. */
bool rk_why_all_masked(const rk_facts *f, rk_row_class c);

/* Of the whole: "attention products halved; output head not counted". */
const char *rk_why_whole(rk_arena *a, const rk_named_convention *c);

#endif
