/* SPDX-License-Identifier: MIT */
/*
 * read/tensors.h - what a checkpoint stores: its tensors and its metadata, whatever its format.
 *
 * Stage   bytes -> [read] -> tensor table.
 * Uses    base/, read/doc.h, read/dtypes.h.
 * Memory  a store and all that it points to live in the arena given; on failure the arena is as it was before.
 * Threads a store is never changed after it was read.
 *
 * Only headers are read, never the numbers themselves: of those the size alone is compared with the size of the file.
 * What is read has been checked: each shape times its format is as large as the span of its bytes, the spans lie in the
 * file, none overlaps another and none is left out, and no name occurs twice.  Messages name the file, the byte at
 * which the offending thing begins, and the limit where one was passed:
 *
 *     model.safetensors: byte 133: tensor 'a.weight': shape times F32 is 64 bytes, data_offsets are 60 apart
 *
 * Files that are not regular (folders where a file is meant, pipes, devices) are refused and never waited for, so that
 * there is no reading from standard input either.
 */
#ifndef RK_READ_TENSORS_H
#define RK_READ_TENSORS_H

#include "base/files.h"
#include "read/doc.h"
#include "read/dtypes.h"

/* Limits, each with its reason. */
#define RK_STORE_TENSORS_MAX 2000000u            /* published checkpoints have some 100,000 */
#define RK_STORE_RANK_MAX 64u                    /* PyTorch has no tensor with more dimensions */
#define RK_STORE_FILES_MAX 10000u                /* shards of one checkpoint; published ones have some hundred */
#define RK_STORE_KEYS_MAX 65536u                 /* keys of metadata; files have some dozen */
#define RK_SAFETENSORS_HEADER_MAX 100000000u     /* the limit of the format's own implementation */
#define RK_INDEX_BYTES_MAX ((size_t)256 << 20)   /* that of 91,000 tensors has 9 MB */
#define RK_INDEX_METADATA_MAX ((size_t)1 << 20)  /* of an index: a total and little more */
#define RK_GGUF_HEADER_MAX ((uint64_t)256 << 20) /* keys and tensor table; vocabularies take megabytes */
#define RK_GGUF_KEY_MAX 65535u                   /* the specification's limit */
#define RK_GGUF_NAME_MAX 255u                    /* ggml's own limit is 63; builds with larger ones exist */
#define RK_GGUF_RANK_MAX 4u                      /* GGML_MAX_DIMS */
#define RK_GGUF_DEPTH_MAX 8u                     /* lists within lists; known writers nest none */
#define RK_GGUF_NUMBERS_KEPT 100000u             /* of one list; a list of more is skipped, its length kept */
#define RK_GGUF_TEXTS_KEPT 1024u                 /* likewise for texts: tags are kept, vocabularies are not */
#define RK_GGUF_ITEMS_KEPT 1000000u              /* of all lists of a file together, which bounds memory */

typedef struct rk_stored {
    const char *name;      /* valid UTF-8 without NUL; may hold control characters: print it by rk_str_put_safe */
    const uint64_t *shape; /* the slowest dimension first, as PyTorch has it (GGUF files write the fastest first) */
    uint64_t count;        /* elements; a scalar has one */
    uint64_t bytes;        /* as stored */
    uint64_t offset;       /* of its bytes, from the beginning of its file */
    uint64_t at;           /* where its entry stands: a byte of its file's header, or of the index if not `known` */
    uint32_t file;
    uint16_t dtype; /* rk_dtype */
    uint8_t rank;
    bool known; /* false: an index lists it, and its file is not here.  Only name, at and file are then set */
} rk_stored;

typedef struct rk_store_file {
    const char *path;
    uint64_t size; /* of the whole file, in bytes; 0: it is not here */
} rk_store_file;

typedef struct rk_store {
    const rk_stored *tensor; /* in the order of the index, else of the files */
    size_t n_tensor;
    size_t n_known;    /* tensors whose file is here */
    size_t n_unlisted; /* tensors that are in a shard but not in the index beside it; they come last */
    uint64_t bytes;    /* of all known tensors together */
    const rk_store_file *file;
    size_t n_file;
    const rk_doc *metadata;       /* a map, never NULL: __metadata__, the index's metadata, or GGUF's keys as written */
    const rk_sorted_name *sorted; /* for rk_store_find */
} rk_store;

/* The tensor of that name, or NULL. */
const rk_stored *rk_store_find(const rk_store *s, const char *name, size_t len);

/* Of a store that is one file of several the number of that file, 2 of 8; 0: it is all there is. */
unsigned rk_store_part(const rk_store *s, unsigned *of);

/* Whether a path is a checkpoint's, by its name or by its first bytes.  A folder or a pipe is not. */
bool rk_store_is(const rk_files *files, const char *path);

/*
 * Reads a checkpoint by what the path holds: a safetensors file, its index, a GGUF file, a folder.  The name of a file
 * decides only where its bytes do not.
 * Of a folder it reads the first of these that is there: model.safetensors, model.safetensors.index.json, another
 * index, the shards model-00001-of-0000N.safetensors (then all must be there), another .safetensors file or set of
 * shards, a GGUF file.  Where "another" or "a" could mean several, that is an error.
 *
 * RK_EIO: it cannot be read or is no regular file.  RK_EINPUT: it is not what the format demands.  RK_EOVERFLOW: a size
 * beyond 64 bits.  RK_ELIMIT: a limit above was passed.  `*out` is untouched on failure.
 */
int rk_store_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err);

/* Each format by itself.  A GGUF file named NAME-00001-of-0000N.gguf is read together with its other parts. */
int rk_safetensors_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err);
int rk_safetensors_index_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err);
int rk_safetensors_shards_read(const rk_files *files, rk_arena *a, const char *const *path, size_t n, rk_store **out,
                               rk_err *err);
int rk_gguf_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err);

/*
 * The same from memory: the first `n` bytes of a file of `size` bytes (n ≤ size), of which the header must be a part.
 * `name` stands for the path.  An index in memory gives names only.
 */
int rk_safetensors_parse(rk_arena *a, const char *name, const void *bytes, size_t n, uint64_t size, rk_store **out,
                         rk_err *err);
int rk_safetensors_index_parse(rk_arena *a, const char *name, const void *bytes, size_t n, rk_store **out, rk_err *err);
int rk_gguf_parse(rk_arena *a, const char *name, const void *bytes, size_t n, uint64_t size, rk_store **out,
                  rk_err *err);

#endif
