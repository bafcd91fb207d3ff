/* SPDX-License-Identifier: MIT */
/*
 * model/layout.h - names as published checkpoints have them.
 *
 * Stage   program -> names.
 * Uses    base/, model/program.h.
 * Memory  none of its own.
 * Threads a program is never changed after expansion.
 */
#ifndef RK_MODEL_LAYOUT_H
#define RK_MODEL_LAYOUT_H

#include "base/str.h"
#include "model/program.h"

/* Appends a tensor's name with the longest prefix that is called otherwise replaced; unchanged where none is. */
void rk_layout_rename(const rk_program *p, const char *name, rk_str *out);

#endif
