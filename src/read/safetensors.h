/* SPDX-License-Identifier: MIT */
/*
 * read/safetensors.h - one file's header into a draft: what a single file and a set of shards share.
 *
 * Stage   bytes -> [read] -> tensor table.
 * Uses    read/draft.h, read/input.h.
 * Memory  names and shapes live in the draft's arena.
 * Threads one draft, one thread.
 */
#ifndef RK_READ_SAFETENSORS_H
#define RK_READ_SAFETENSORS_H

#include "read/draft.h"

/* Adds a file and its tensors to the draft.  The first file's __metadata__ becomes the draft's. */
int rk_safetensors_header(rk_draft *d, const rk_input *in, rk_err *err);

/* The same for a path that must be there. */
int rk_safetensors_file(rk_draft *d, const char *path, rk_err *err);

#endif
