/* SPDX-License-Identifier: MIT */
/*
 * read/hub.h - models that Hugging Face's tools have already brought to this machine.
 *
 * Stage   words of the command -> [read] -> a folder.
 * Uses    base/; the environment.
 * Memory  the folder's path lives in the arena given.
 * Threads reads the environment: no thread may change it meanwhile.
 *
 * Nothing is ever fetched, and without a disk there is no cache.  The cache is the folder that the first of these names
 * which is set and not empty:
 *
 *     HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub, ~/.cache/huggingface/hub
 *
 * as in huggingface_hub.  In it, models--ORG--NAME/refs/main says which of models--ORG--NAME/snapshots is meant.
 */
#ifndef RK_READ_HUB_H
#define RK_READ_HUB_H

#include "base/arena.h"
#include "base/err.h"
#include "base/files.h"

#define RK_HUB_NAME_MAX 96 /* the hub's own limit, for each side of the slash */

/* Whether a word can be the name of a model on the hub: ORG/NAME, or an old NAME alone. */
bool rk_hub_is_name(const char *word);

/*
 * The folder of a model's files.  Without refs/main, a single snapshot is taken.
 * RK_EINPUT: it is no name, or not in the cache; the message says where it was looked for.  RK_EIO: the cache cannot be
 * read.
 */
int rk_hub_find(const rk_files *files, rk_arena *a, const char *name, const char **folder, rk_err *err);

#endif
