/* SPDX-License-Identifier: MIT */
/*
 * base/arena.h - memory by lifetime: allocate freely, free once.
 *
 * Stage   below every stage.
 * Uses    base/err.h.
 * Memory  an arena owns all that it handed out; rk_arena_free returns everything at once.
 * Threads one arena, one thread at a time.
 */
#ifndef RK_BASE_ARENA_H
#define RK_BASE_ARENA_H

#include "base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct rk_arena_chunk rk_arena_chunk;

typedef struct rk_arena {
    rk_arena_chunk *chunk; /* newest first */
    size_t used;           /* bytes handed out, for limits and statistics */
    size_t limit;          /* most bytes to hand out; 0: no limit */
    bool failed;           /* sticky: an allocation failed since the arena was made */
} rk_arena;

typedef struct rk_arena_mark {
    rk_arena_chunk *chunk;
    size_t at, used;
} rk_arena_mark;

/* Zeroed memory aligned for any type, or NULL (and `failed` is set). A size of 0 gives a valid pointer. */
void *rk_alloc(rk_arena *a, size_t size);

/* n × size bytes; NULL when the product overflows. */
void *rk_alloc_array(rk_arena *a, size_t n, size_t size);

/* A copy of n × size bytes; NULL as above. */
void *rk_arena_copy_array(rk_arena *a, const void *from, size_t n, size_t size);

/* A terminated copy of n bytes, or of a string. */
char *rk_arena_copy(rk_arena *a, const char *text, size_t n);
char *rk_arena_text(rk_arena *a, const char *text);
char *rk_arena_vformat(rk_arena *a, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
char *rk_arena_format(rk_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

rk_arena_mark rk_arena_here(const rk_arena *a);
void rk_arena_rewind(rk_arena *a, rk_arena_mark mark);
void rk_arena_free(rk_arena *a);

#define RK_NEW(arena, type) ((type *)rk_alloc((arena), sizeof(type)))
#define RK_NEW_ARRAY(arena, n, type) ((type *)rk_alloc_array((arena), (n), sizeof(type)))

/*
 * Every heap allocation of the library goes through these, so that a test can make the n-th one fail.
 * rk_heap_fail_after(n): the (n+1)-th allocation from now on and all later ones fail; n < 0: none fails.
 */
void *rk_heap_alloc(size_t size);
void *rk_heap_resize(void *p, size_t size);
void rk_heap_free(void *p);
void rk_heap_fail_after(long n);

/*
 * Whoever asks for something small, a name or a cell, may take "no memory" for "no value" and go on.  So an answer is
 * given only if no allocation failed while it was made: its maker begins with rk_heap_begin, and ends with rk_heap_end,
 * which keeps an error of its own kind (a limit, the system), and else makes RK_ENOMEM of whatever the code is, or
 * RK_ELIMIT where an arena was full, or RK_ESTOPPED where work was stopped (base/work.h).  Both are about the calling
 * thread; rk_heap_failed and rk_heap_fail carry what happened from a thread to the one that waits for it, and from the
 * system's own failures here.
 */
void rk_heap_begin(void);
int rk_heap_end(int code, rk_err *err);
bool rk_heap_failed(void);
void rk_heap_fail(void);

#endif
