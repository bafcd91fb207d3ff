/* SPDX-License-Identifier: MIT */
/*
 * read/draft.h - a store while it is being read: what the readers of all formats share.
 *
 * Stage   bytes -> [read] -> tensor table.
 * Uses    base/, read/input.h, read/tensors.h.
 * Memory  all that stays lives in the draft's arena; work space is returned before a call ends.
 * Threads one draft, one thread.
 *
 * A reader adds a file, then its tensors, then asks rk_draft_check to look at that file's spans.  rk_draft_finish makes
 * the store, or gives the arena back what was taken from it where reading failed.
 */
#ifndef RK_READ_DRAFT_H
#define RK_READ_DRAFT_H

#include "base/vec.h"
#include "read/input.h"
#include "read/tensors.h"

typedef struct rk_draft {
    rk_arena *arena;
    rk_arena_mark mark; /* before the first byte was taken */
    RK_VEC(rk_stored) tensor;
    RK_VEC(rk_store_file) file;
    const char *index; /* the path of the index, where there is one */
    rk_doc *metadata;
    size_t n_unlisted;
    const rk_sorted_name *sorted; /* the first n_sorted tensors, by rk_draft_sort */
    size_t n_sorted;
} rk_draft;

rk_draft rk_draft_begin(rk_arena *a);

/* Adds a file and gives it a number; the path is copied.  The limit is RK_STORE_FILES_MAX. */
int rk_draft_file(rk_draft *d, const char *path, uint64_t size, uint32_t *out, rk_err *err);

/* Adds a zeroed tensor to the last file; the limit is RK_STORE_TENSORS_MAX.  `at`: where it stands, for messages. */
int rk_draft_tensor(rk_draft *d, const rk_input *in, uint64_t at, rk_stored **out, rk_err *err);

/* What must consist of whole blocks. */
typedef enum rk_block_rule {
    RK_PACKED_WHOLE, /* the tensor: safetensors */
    RK_PACKED_ROWS   /* its fastest dimension: GGUF */
} rk_block_rule;

/* Computes t->count and t->bytes from shape and format; the tensor is then known. */
int rk_draft_size(const rk_input *in, rk_stored *t, rk_block_rule packing, rk_err *err);

/*
 * Checks that the tensors from number `first` on lie between the bytes `begin` and `end` of their file, that none
 * overlaps another, and that no run of `gap` bytes or more is left out before, between or after them.
 */
int rk_draft_check(const rk_draft *d, const rk_input *in, size_t first, uint64_t begin, uint64_t end, uint64_t gap,
                   rk_err *err);

/* A map while it grows. */
typedef struct rk_draft_map {
    RK_VEC(const char *) key;
    RK_VEC(rk_doc) item;
    RK_VEC(uint64_t) at; /* where each key stands */
} rk_draft_map;

/* A new zeroed value under a key that lives as long as the arena; the limit is RK_STORE_KEYS_MAX. */
int rk_draft_key(rk_draft *d, rk_draft_map *m, const rk_input *in, const char *key, uint64_t at, rk_doc **out,
                 rk_err *err);

/* The map as a document; RK_EINPUT when a key occurs twice. */
int rk_draft_map_end(rk_draft *d, const rk_draft_map *m, const rk_input *in, rk_doc **out, rk_err *err);

/* Sorts all tensors by name, for finding them; RK_EINPUT when a name occurs twice. */
int rk_draft_sort(rk_draft *d, rk_err *err);

/*
 * Sorts, if tensors were added since that was done, and makes the store.  `code`: how reading went.  Where it or this
 * fails, the code is returned, and all that was allocated since rk_draft_begin is gone.
 */
int rk_draft_finish(rk_draft *d, int code, rk_store **out, rk_err *err);

/* Adds a safetensors file and its tensors to the draft.  The first file's __metadata__ becomes the draft's. */
int rk_safetensors_header(rk_draft *d, const rk_input *in, rk_err *err);

#endif
