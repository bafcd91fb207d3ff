/* SPDX-License-Identifier: MIT */
/*
 * plan/setting.h - what a user sets on the line: S=16K, B=8, scan=recurrent.
 *
 * Stage   words of the command -> [plan] -> settings of a model.
 * Uses    base/, model/model.h.
 * Memory  names and words live in the arena given.
 * Threads no state.
 *
 * Suffixes follow the habit of serving engines: 16K and 16Ki are 16,384, 16k is 16,000; likewise M, G, T and m, g, t.
 * A number is exact or refused: 1.5k is 1,500, 1.5 alone is nothing.
 */
#ifndef RK_PLAN_SETTING_H
#define RK_PLAN_SETTING_H

#include "base/arena.h"
#include "base/err.h"
#include "model/model.h"

#define RK_SETTING_VALUE_MAX ((rk_i128)INT64_MAX) /* a size beyond this is a slip, not a size */

/* Whether a word of the line is a setting: a name and then "=". */
bool rk_setting_is(const char *word);

/* Reads a setting.  RK_EINPUT: the value is no count and no word; the message shows the word. */
int rk_setting_parse(rk_arena *a, const char *word, rk_setting *out, rk_err *err);

/* Reads a count of at least 1 with its suffix; RK_EINPUT says what is wrong with it, without the text itself. */
int rk_count_parse(const char *text, rk_i128 *out, rk_err *err);

#endif
