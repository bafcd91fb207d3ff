/* SPDX-License-Identifier: MIT */
/*
 * lang/source.h - the text of a model file, and mistakes shown in place.
 *
 * Stage   bytes -> [lang] -> syntax tree.
 * Uses    base/.
 * Memory  sources and mistakes live in the arena given.
 * Threads one list of mistakes, one thread.
 */
#ifndef RK_LANG_SOURCE_H
#define RK_LANG_SOURCE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

#define RK_SOURCE_BYTES_MAX ((size_t)1 << 20) /* a model is a page of text; the longest here is some kilobytes */
#define RK_MISTAKES_MAX 20                    /* more than a person mends at a time */

typedef struct rk_source {
    const char *name; /* as the user wrote it, for messages */
    const char *text; /* terminated */
    size_t n;
} rk_source;

/* A place: 0-based byte offset into a source, and how many bytes to underline. */
typedef struct rk_span {
    const rk_source *source;
    uint32_t at, n;
} rk_span;

typedef struct rk_mistake {
    rk_span span;
    const char *message;
} rk_mistake;

typedef struct rk_mistakes {
    rk_arena *arena;
    RK_VEC(rk_mistake) list; /* at most RK_MISTAKES_MAX */
    size_t n_more;           /* how many were not kept */
} rk_mistakes;

/* Notes a mistake; a second one at the same place is dropped.  Always returns RK_EINPUT. */
int rk_mistake_note(rk_mistakes *m, rk_span span, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* 1-based line and column (in characters, not bytes) of a place. */
void rk_span_place(rk_span span, int *line, int *column);

/* The line in which a place stands, without its end, in `*line_text` and `*n` (borrowed from the source). */
void rk_span_line(rk_span span, const char **line_text, size_t *n);

/*
 * Writes every mistake, in the order of the text:
 *
 *     my-model.rk:12:9: S is summed here but stands on the left
 *         scores[B N S T] = q[B S N H] * k[B T N H]
 *                    ^
 */
void rk_mistakes_print(const rk_mistakes *m, rk_str *out);

#endif
