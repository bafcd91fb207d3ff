/* SPDX-License-Identifier: MIT */
/*
 * account/allocator.h - a caching allocator of device memory: requests in; blocks, segments and their peaks out.
 *
 * Stage   births and deaths of buffers -> [account] -> memory.
 * Uses    base/, pass/profile.h, which has its numbers.
 * Memory  in the arena given; blocks that have gone are used again.
 * Threads one allocator, one thread.
 *
 * What a framework asks a device for is not what its tensors have.  A request is rounded up to a block; blocks are cut
 * from segments, which are asked of the driver and never given back; a free block serves the next request that fits,
 * and
 * what is left of it is cut off only where that is worth it.  So what is allocated depends on what was freed before,
 * and
 * what is reserved, which is what the device has lost, on the order of all requests.  The rules:
 *
 *   1. A request becomes a multiple of `rounding`, and at least one.  Those up to `small_max` have a pool of their own.
 *   2. Of the pool's free blocks the smallest that is large enough is taken, of equal ones that of the lowest address.
 *   3. If there is none, a segment is made: of `small_segment`; of `segment` for what is less than `segment_below`;
 * else
 *      as large as the request, rounded up to `segment_rounding`.
 *   4. The rest of the block is cut off if it is `rounding` or more in the small pool, more than `remainder` in the
 *      other; the request gets the low end.
 *   5. What is freed is merged with its free neighbours of the same segment.
 *
 * Addresses decide between blocks that are equal.  The driver gives a segment the lowest hole that is large enough,
 * else
 * the low end of a new piece, a multiple of `piece`, below all before; the rest of that is a hole.
 */
#ifndef RK_ACCOUNT_ALLOCATOR_H
#define RK_ACCOUNT_ALLOCATOR_H

#include "base/err.h"
#include "base/vec.h"
#include "pass/profile.h"

#define RK_ALLOCATOR_BLOCKS_MAX ((size_t)1 << 21)    /* blocks and holes at once: 64 bytes each */
#define RK_ALLOCATOR_BYTES_MAX ((rk_i128)1 << 56)    /* of one request */
#define RK_ALLOCATOR_RESERVED_MAX ((rk_i128)1 << 60) /* of all segments */

typedef struct rk_allocator rk_allocator;

typedef struct rk_allocator_sums {
    rk_i128 requested; /* as tensors have them */
    rk_i128 allocated; /* blocks in use */
    rk_i128 reserved;  /* segments */
} rk_allocator_sums;

/* NULL: no memory.  The profile is not by hand: it has an allocator. */
rk_allocator *rk_allocator_new(rk_arena *a, const rk_profile *p);

/* The block of a request, for rk_allocator_free.  Failure is sticky: ask rk_allocator_check once. */
uint32_t rk_allocator_take(rk_allocator *x, rk_i128 bytes);
void rk_allocator_free(rk_allocator *x, uint32_t i); /* a block */

/* RK_ELIMIT: more blocks, or more bytes, than an allocator has room for. */
int rk_allocator_check(const rk_allocator *x, rk_err *err);

rk_allocator_sums rk_allocator_now(const rk_allocator *x);
rk_allocator_sums rk_allocator_peak(const rk_allocator *x); /* the largest of each since the last reset */
void rk_allocator_reset(rk_allocator *x);                   /* peaks begin at what there is now */

/* A free block. */
typedef struct rk_allocator_free_block {
    uint64_t address, size;
} rk_allocator_free_block;

/* What is free, in the order of size and address, the large blocks before the small ones; and what is not. */
typedef struct rk_allocator_state {
    RK_VEC(rk_allocator_free_block) free;
    size_t n_large;
    rk_allocator_sums now;
} rk_allocator_state;

/*
 * A state of before may be given to be filled anew.  Where all that was taken since has been given back but for what
 * stays for good, two states that are the same say that the allocator is: asked for the same, it answers the same.
 * (Segments stay, too; as many bytes of both are the same ones, and whatever lies beside them is free.)
 */
bool rk_allocator_look(const rk_allocator *x, rk_arena *a, rk_allocator_state *out); /* false: no memory */
bool rk_allocator_same(const rk_allocator_state *a, const rk_allocator_state *b);

#endif
