/* SPDX-License-Identifier: MIT */
/*
 * ask/path.h - the name that a user means who types only its end.
 *
 * Stage   beside every answer about a part, a row or a tensor.
 * Uses    base/, plan/nearest.h.
 * Memory  names are borrowed; a list of them lives in the arena given.
 * Threads no state.
 *
 * `scores` and `attention.scores` are layers.attention.scores, where no other name ends so.
 */
#ifndef RK_ASK_PATH_H
#define RK_ASK_PATH_H

#include "base/err.h"
#include "base/vec.h"

typedef RK_VEC(const char *) rk_path_names;

bool rk_path_add(rk_arena *a, rk_path_names *names, const char *name); /* false: no memory */

/*
 * The name that `word` is or is the end of; *out is NULL where there is none.  Of names inside each other the outermost
 * is meant.  RK_EINPUT: there are several; the message lists them.
 */
int rk_path_find(const rk_path_names *names, const char *word, const char **out, rk_err *err);

/* RK_EINPUT: the model has nothing of that name; the nearest is named. */
int rk_path_fail(const rk_path_names *names, const char *model, const char *word, rk_err *err);

#endif
