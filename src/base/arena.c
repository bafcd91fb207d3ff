/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/work.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define RK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RK_ASAN 1
#endif
#endif

/* Under AddressSanitizer every block is followed by bytes that may not be touched, as on the heap. */
#ifdef RK_ASAN
#include <sanitizer/asan_interface.h>
#define FORBID(p, n) __asan_poison_memory_region((p), (n))
#define PERMIT(p, n) __asan_unpoison_memory_region((p), (n))
enum {
    REDZONE = 16
};
#else
#define FORBID(p, n) ((void)(p), (void)(n))
#define PERMIT(p, n) ((void)(p), (void)(n))
enum {
    REDZONE = 0
};
#endif

enum {
    ALIGN = 16,
    PAGE = 4096, /* bytes that are as much work to clear as an allocation is otherwise */
    CHUNK_MIN = 4096,
    CHUNK_MAX = 1 << 20
};

struct rk_arena_chunk {
    rk_arena_chunk *older;
    size_t size, at; /* bytes of data, bytes handed out */
    _Alignas(ALIGN) unsigned char data[];
};

/* ---- the heap --------------------------------------------------------------------------------------------------- */

static atomic_long heap_left = -1; /* allocations that still succeed; negative: all */

static bool heap_refuses(void)
{
    long left = atomic_load_explicit(&heap_left, memory_order_relaxed);

    if (left > 0)
        atomic_store_explicit(&heap_left, left - 1, memory_order_relaxed);
    return left == 0;
}

/* What happened in this thread since rk_heap_begin: how full an arena was when it refused; whether the heap failed. */
static _Thread_local size_t arena_full;
static _Thread_local bool heap_failed;

void rk_heap_begin(void)
{
    arena_full = 0;
    heap_failed = false;
}

bool rk_heap_failed(void)
{
    return heap_failed;
}

void rk_heap_fail(void)
{
    heap_failed = true;
}

int rk_heap_end(int code, rk_err *err)
{
    if (rk_work_check(err) != RK_OK)
        return RK_ESTOPPED;
    if (heap_failed)
        return code == RK_EIO ? code : rk_fail_memory(err);
    if (arena_full && (code == RK_OK || code == RK_ENOMEM))
        return rk_fail(err, RK_ELIMIT,
                       "this takes more than %zu MiB, which no model should: it has too much that differs, or formulas "
                       "that are too long",
                       arena_full >> 20);
    return code;
}

static void *heap_got(void *p)
{
    heap_failed |= !p;
    return p;
}

void rk_heap_fail_after(long n)
{
    atomic_store(&heap_left, n < 0 ? -1 : n);
}

void *rk_heap_alloc(size_t size)
{
    return heap_got(!rk_work(1) || heap_refuses() ? NULL : malloc(size ? size : 1));
}

void *rk_heap_resize(void *p, size_t size)
{
    return heap_got(!rk_work(1) || heap_refuses() ? NULL : realloc(p, size ? size : 1));
}

void rk_heap_free(void *p)
{
    free(p);
}

/* ---- the arena -------------------------------------------------------------------------------------------------- */

static rk_arena_chunk *new_chunk(rk_arena *a, size_t need)
{
    size_t size = a->chunk ? a->chunk->size * 2 : CHUNK_MIN;
    rk_arena_chunk *c;

    if (size > CHUNK_MAX)
        size = CHUNK_MAX;
    if (size < need)
        size = need;
    c = size < SIZE_MAX - sizeof *c ? rk_heap_alloc(sizeof *c + size) : NULL;
    if (!c)
        return NULL;
    *c = (rk_arena_chunk){.older = a->chunk, .size = size};
    FORBID(c->data, size);
    return a->chunk = c;
}

static void *refuse(rk_arena *a)
{
    a->failed = true;
    return NULL;
}

void *rk_alloc(rk_arena *a, size_t size)
{
    size_t need = ((size ? size : 1) + REDZONE + ALIGN - 1) & ~(size_t)(ALIGN - 1); /* what a block really takes */
    rk_arena_chunk *c = a->chunk;
    unsigned char *p;

    if (size > SIZE_MAX / 2 || !rk_work(1 + size / PAGE))
        return heap_got(refuse(a));
    if (a->limit && (a->used > a->limit || size > a->limit - a->used)) {
        arena_full = a->limit;
        return refuse(a);
    }
    if (!c || c->size - c->at < need)
        c = new_chunk(a, need);
    if (!c)
        return refuse(a);
    p = c->data + c->at;
    c->at += need;
    a->used += size;
    PERMIT(p, size);
    return memset(p, 0, size);
}

void *rk_alloc_array(rk_arena *a, size_t n, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(n, size, &bytes) ? heap_got(refuse(a)) : rk_alloc(a, bytes);
}

void *rk_arena_copy_array(rk_arena *a, const void *from, size_t n, size_t size)
{
    void *copy = rk_alloc_array(a, n, size);

    if (copy && n)
        memcpy(copy, from, n * size);
    return copy;
}

char *rk_arena_copy(rk_arena *a, const char *text, size_t n)
{
    char *copy = n < SIZE_MAX ? rk_alloc(a, n + 1) : refuse(a);

    if (copy && n)
        memcpy(copy, text, n);
    return copy;
}

char *rk_arena_text(rk_arena *a, const char *text)
{
    return rk_arena_copy(a, text, strlen(text));
}

char *rk_arena_vformat(rk_arena *a, const char *fmt, va_list ap)
{
    va_list again;
    char *text;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    text = n < 0 ? refuse(a) : rk_alloc(a, (size_t)n + 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

char *rk_arena_format(rk_arena *a, const char *fmt, ...)
{
    va_list ap;
    char *text;

    va_start(ap, fmt);
    text = rk_arena_vformat(a, fmt, ap);
    va_end(ap);
    return text;
}

rk_arena_mark rk_arena_here(const rk_arena *a)
{
    return (rk_arena_mark){.chunk = a->chunk, .at = a->chunk ? a->chunk->at : 0, .used = a->used};
}

void rk_arena_rewind(rk_arena *a, rk_arena_mark mark)
{
    while (a->chunk != mark.chunk) {
        rk_arena_chunk *older = a->chunk->older;

        rk_heap_free(a->chunk);
        a->chunk = older;
    }
    if (a->chunk) {
        FORBID(a->chunk->data + mark.at, a->chunk->size - mark.at);
        a->chunk->at = mark.at;
    }
    a->used = mark.used;
}

void rk_arena_free(rk_arena *a)
{
    rk_arena_rewind(a, (rk_arena_mark){0});
    a->failed = false;
}
