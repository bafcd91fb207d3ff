/* SPDX-License-Identifier: MIT */
/*
 * plan/glob.h - words with * and ?, compared without regard to capitals.
 *
 * Stage   beside every stage that looks through what is known.
 * Uses    nothing.
 * Memory  none; texts are borrowed.
 * Threads no state.
 */
#ifndef RK_PLAN_GLOB_H
#define RK_PLAN_GLOB_H

#include <stdbool.h>

/* Whether the whole text is as the pattern says: * is any letters, ? any one. */
bool rk_glob_is(const char *pattern, const char *text);

/* The same, for what a person types: without a * or a ?, the text has the pattern somewhere in it. */
bool rk_glob_finds(const char *pattern, const char *text);

#endif
