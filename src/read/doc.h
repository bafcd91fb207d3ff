/* SPDX-License-Identifier: MIT */
/*
 * read/doc.h - a neutral document: what a config.json or another file says, whatever its format.
 *
 * Stage   bytes -> [read] -> document.
 * Uses    base/, read/names.h.
 * Memory  a document and all its nodes live in the arena given when it was read.
 * Threads a document is never changed after it was read.
 */
#ifndef RK_READ_DOC_H
#define RK_READ_DOC_H

#include "base/arena.h"
#include "base/err.h"
#include "base/num.h"
#include "read/names.h"

#include <stdint.h>

typedef enum rk_doc_kind {
    RK_DOC_NULL,
    RK_DOC_BOOL,
    RK_DOC_INT,
    RK_DOC_REAL, /* Infinity and NaN included */
    RK_DOC_TEXT,
    RK_DOC_LIST,
    RK_DOC_MAP
} rk_doc_kind;

typedef struct rk_doc rk_doc;

struct rk_doc {
    rk_doc_kind kind;
    bool truth;       /* RK_DOC_BOOL */
    int line;         /* where it stands, 1-based; 0: unknown */
    rk_i128 number;   /* RK_DOC_INT */
    double real;      /* RK_DOC_REAL */
    const char *text; /* RK_DOC_TEXT, terminated */
    size_t n; /* RK_DOC_LIST, RK_DOC_MAP: how many; RK_DOC_TEXT: its bytes, as GGUF allows a NUL and any others */
    const char **key;             /* RK_DOC_MAP: in the order of the file */
    rk_doc *item;                 /* RK_DOC_LIST, RK_DOC_MAP */
    const rk_sorted_name *sorted; /* RK_DOC_MAP: the keys, where there are many; NULL: they are looked through */
    size_t n_skipped;             /* RK_DOC_LIST: items of a long list (a vocabulary) that was not kept; n is then 0 */
};

/* The value under a key of a map, or NULL (also when `d` is NULL or no map). */
const rk_doc *rk_doc_key(const rk_doc *d, const char *key, size_t len);

/*
 * Sees to it that each key of a map stands once, and where they are many, that they are found fast, for models that ask
 * in every layer.  RK_EINPUT: the key of *twice, the first such, is that of *once.  RK_ENOMEM as ever.
 */
int rk_doc_sort(rk_arena *a, rk_doc *map, uint32_t *once, uint32_t *twice);

#define RK_CONFIG_BYTES_MAX ((size_t)64 << 20) /* a config is kilobytes; this bounds memory, not use */
#define RK_DOC_DEPTH_MAX 128
#define RK_DOC_VALUES_MAX                                                                                              \
    1048576 /* keys, values, brackets: each takes some 200 bytes, and configs have some thousand */

/*
 * Reads JSON text, `Infinity`, `-Infinity` and `NaN` included (reference implementations write them).  Duplicate keys,
 * nesting over the limit and invalid UTF-8 are errors.  `name` is used in messages: "config.json:3:7: …".
 */
int rk_config_parse(rk_arena *a, const char *name, const char *text, size_t n, rk_doc **out, rk_err *err);

#endif
