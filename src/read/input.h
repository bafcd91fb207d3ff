/* SPDX-License-Identifier: MIT */
/*
 * read/input.h - what readers of checkpoints read from, and names of a stranger's file in messages.
 *
 * Stage   bytes -> [read] -> tensor table.
 * Uses    base/input.h.
 * Memory  nothing is kept.
 * Threads no state.
 */
#ifndef RK_READ_INPUT_H
#define RK_READ_INPUT_H

#include "base/input.h"

#define RK_SAFE_MAX 256

typedef struct rk_safe {
    char text[RK_SAFE_MAX];
} rk_safe;

/* A name for a message: its bytes made visible, and its end cut off where it is long.  rk_safe_text(name, n).text */
rk_safe rk_safe_text(const char *text, size_t n);

/* Is a text safe to print as it is? */
bool rk_is_safe(const char *text, size_t n);

#endif
