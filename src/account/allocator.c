/* SPDX-License-Identifier: MIT */
/*
 * account/allocator.c - blocks in lists by their segment, free ones in a tree by size and address.
 *
 * The tree is a treap: each node is above those of a lower rank, and ranks are a hash of the node's number, so that the
 * tree is balanced whatever comes, and is the same in every run.
 */
#include "account/allocator.h"

#include "base/work.h"

#include <string.h>

#define NONE UINT32_MAX
#define CHUNK ((size_t)1 << 12) /* blocks that are made together */
#define N_CHUNK (RK_ALLOCATOR_BLOCKS_MAX / CHUNK)

typedef struct block {
    uint64_t address, size;
    uint64_t requested;
    uint32_t before, after; /* its neighbours in the segment */
    uint32_t less, more;    /* in the tree; of an unused one, `more` is the next */
    uint32_t rank;          /* in the tree: it is above those of a lower one */
    bool small, free;
} block;

struct rk_allocator {
    rk_arena *a;
    const rk_profile *p;
    block *chunk[N_CHUNK];
    size_t n_block;
    uint32_t unused;  /* the first that can be used again */
    uint32_t pool[2]; /* trees of free blocks: the large, the small ones */
    uint32_t holes;   /* a tree of holes between segments */
    uint64_t lowest;  /* address of all pieces */
    rk_allocator_sums now, peak;
    enum {
        FULL_NOT,
        FULL_MEMORY,
        FULL_BLOCKS,
        FULL_BYTES
    } full;
};

static block *at(const rk_allocator *x, uint32_t i)
{
    return &x->chunk[i / CHUNK][i % CHUNK];
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

static uint32_t rank_of(uint32_t i)
{
    i = (i ^ i >> 16) * 0x45D9F3Bu;
    i = (i ^ i >> 16) * 0x45D9F3Bu;
    return i ^ i >> 16;
}

static bool is_less(const block *b, uint64_t size, uint64_t address)
{
    return b->size != size ? b->size < size : b->address < address;
}

/* Nodes that are less than these go into one tree, the others into another one. */
static void split(const rk_allocator *x, uint32_t tree, uint64_t size, uint64_t address, uint32_t *less, uint32_t *more)
{
    while (tree != NONE) {
        block *b = at(x, tree);

        if (is_less(b, size, address)) {
            *less = tree;
            less = &b->more;
            tree = b->more;
        } else {
            *more = tree;
            more = &b->less;
            tree = b->less;
        }
    }
    *less = *more = NONE;
}

static void insert(rk_allocator *x, uint32_t *tree, uint32_t i)
{
    block *b = at(x, i), *t;

    while (*tree != NONE && (t = at(x, *tree))->rank > b->rank)
        tree = is_less(t, b->size, b->address) ? &t->more : &t->less;
    split(x, *tree, b->size, b->address, &b->less, &b->more);
    *tree = i;
}

static void take_out(rk_allocator *x, uint32_t *tree, uint32_t i)
{
    const block *b = at(x, i);
    uint32_t less = b->less, more = b->more;

    while (*tree != i) {
        block *t = at(x, *tree);

        tree = is_less(t, b->size, b->address) ? &t->more : &t->less;
    }
    while (less != NONE && more != NONE) { /* what was below it, joined */
        block *l = at(x, less), *m = at(x, more);

        if (l->rank > m->rank) {
            *tree = less;
            tree = &l->more;
            less = *tree;
        } else {
            *tree = more;
            tree = &m->less;
            more = *tree;
        }
    }
    *tree = less != NONE ? less : more;
}

/* The smallest of at least this size, and of these the lowest; NONE: there is none. */
static uint32_t smallest(const rk_allocator *x, uint32_t tree, uint64_t size)
{
    uint32_t found = NONE;

    while (tree != NONE) {
        const block *b = at(x, tree);
        bool fits = b->size >= size;

        found = fits ? tree : found;
        tree = fits ? b->less : b->more;
    }
    return found;
}

/* ---- blocks and segments ---------------------------------------------------------------------------------------- */

static uint32_t new_block(rk_allocator *x, block b)
{
    uint32_t i = x->unused;

    if (i != NONE) {
        x->unused = at(x, i)->more;
    } else {
        i = (uint32_t)x->n_block;
        if (x->n_block == RK_ALLOCATOR_BLOCKS_MAX) {
            x->full = FULL_BLOCKS;
            return NONE;
        }
        if (x->n_block % CHUNK == 0 && !(x->chunk[x->n_block / CHUNK] = RK_NEW_ARRAY(x->a, CHUNK, block))) {
            x->full = FULL_MEMORY;
            return NONE;
        }
        x->n_block++;
    }
    *at(x, i) = b;
    at(x, i)->rank = rank_of(i);
    return i;
}

static void drop_block(rk_allocator *x, uint32_t i)
{
    at(x, i)->more = x->unused;
    x->unused = i;
}

static uint64_t rounded(uint64_t n, int32_t unit)
{
    return (n + (uint64_t)unit - 1) / (uint64_t)unit * (uint64_t)unit;
}

static void add_hole(rk_allocator *x, uint64_t address, uint64_t size)
{
    uint32_t i = size > 0 ? new_block(x, (block){.address = address, .size = size}) : NONE;

    if (i != NONE)
        insert(x, &x->holes, i);
}

/* Where a segment begins.  A hole is less than a piece, so that there are few sizes of them. */
static uint64_t place_segment(rk_allocator *x, uint64_t size)
{
    uint32_t hole = NONE;
    uint64_t address, piece = rounded(size, x->p->piece);

    for (uint64_t n = size; n < (uint64_t)x->p->piece;) {
        uint32_t i = smallest(x, x->holes, n);

        if (i == NONE)
            break;
        hole = hole == NONE || at(x, i)->address < at(x, hole)->address ? i : hole;
        n = at(x, i)->size + 1;
    }
    if (hole == NONE) {
        x->lowest -= piece;
        add_hole(x, x->lowest + size, piece - size);
        return x->lowest;
    }
    take_out(x, &x->holes, hole);
    address = at(x, hole)->address;
    add_hole(x, address + size, at(x, hole)->size - size);
    drop_block(x, hole);
    return address;
}

/* A free block that is all of a new segment; it is in no tree yet. */
static uint32_t new_segment(rk_allocator *x, uint64_t size, bool small)
{
    const rk_profile *p = x->p;
    uint64_t n = (uint64_t)p->segment;

    if (small)
        n = (uint64_t)p->small_segment;
    else if (size >= (uint64_t)p->segment_below)
        n = rounded(size, p->segment_rounding);
    if (x->now.reserved + (rk_i128)n > RK_ALLOCATOR_RESERVED_MAX) {
        x->full = FULL_BYTES;
        return NONE;
    }
    x->now.reserved += (rk_i128)n;
    x->peak.reserved = x->now.reserved > x->peak.reserved ? x->now.reserved : x->peak.reserved;
    return new_block(x,
                     (block){.address = place_segment(x, n), .size = n, .before = NONE, .after = NONE, .small = small});
}

static void cut(rk_allocator *x, uint32_t i, uint64_t size)
{
    block *b = at(x, i), *c;
    uint64_t rest = b->size - size;
    uint32_t after;

    if (b->small ? rest < (uint64_t)x->p->rounding : rest <= (uint64_t)x->p->remainder)
        return;
    after = new_block(x, (block){.address = b->address + size, .size = rest, .small = b->small, .free = true});
    if (after == NONE)
        return;
    c = at(x, after);
    c->before = i;
    c->after = b->after;
    if (b->after != NONE)
        at(x, b->after)->before = after;
    b->after = after;
    b->size = size;
    insert(x, &x->pool[b->small], after);
}

uint32_t rk_allocator_take(rk_allocator *x, rk_i128 bytes)
{
    uint64_t size;
    uint32_t i;
    bool small;
    block *b;

    if (bytes < 0 || bytes > RK_ALLOCATOR_BYTES_MAX)
        x->full = FULL_BYTES;
    else if (!rk_work(1))
        x->full = FULL_MEMORY;
    if (x->full)
        return NONE;
    size = rounded(bytes > 0 ? (uint64_t)bytes : 1, x->p->rounding);
    small = size <= (uint64_t)x->p->small_max;
    i = smallest(x, x->pool[small], size);
    if (i != NONE)
        take_out(x, &x->pool[small], i);
    else if ((i = new_segment(x, size, small)) == NONE)
        return NONE;
    b = at(x, i);
    b->free = false;
    b->requested = (uint64_t)bytes;
    cut(x, i, size);
    x->now.requested += bytes;
    x->now.allocated += (rk_i128)b->size;
    x->peak.requested = x->now.requested > x->peak.requested ? x->now.requested : x->peak.requested;
    x->peak.allocated = x->now.allocated > x->peak.allocated ? x->now.allocated : x->peak.allocated;
    return i;
}

/* A block takes in the free one after it. */
static void take_in(rk_allocator *x, uint32_t i)
{
    block *b = at(x, i);
    uint32_t gone = b->after;

    b->size += at(x, gone)->size;
    b->after = at(x, gone)->after;
    if (b->after != NONE)
        at(x, b->after)->before = i;
    drop_block(x, gone);
}

void rk_allocator_free(rk_allocator *x, uint32_t i)
{
    block *b = i == NONE ? NULL : at(x, i);

    if (!b)
        return;
    x->now.requested -= (rk_i128)b->requested;
    x->now.allocated -= (rk_i128)b->size;
    if (b->after != NONE && at(x, b->after)->free) {
        take_out(x, &x->pool[b->small], b->after);
        take_in(x, i);
    }
    if (b->before != NONE && at(x, b->before)->free) {
        take_out(x, &x->pool[b->small], b->before);
        i = b->before;
        take_in(x, i);
    }
    at(x, i)->free = true;
    insert(x, &x->pool[at(x, i)->small], i);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

rk_allocator *rk_allocator_new(rk_arena *a, const rk_profile *p)
{
    rk_allocator *x = RK_NEW(a, rk_allocator);

    if (x)
        *x = (rk_allocator){.a = a,
                            .p = p,
                            .unused = NONE,
                            .pool = {NONE, NONE},
                            .holes = NONE,
                            .lowest = UINT64_MAX / (uint64_t)p->piece * (uint64_t)p->piece};
    return x;
}

int rk_allocator_check(const rk_allocator *x, rk_err *err)
{
    switch (x->full) {
    case FULL_MEMORY:
        return rk_fail_memory(err);
    case FULL_BLOCKS:
        return rk_fail(err, RK_ELIMIT, "too many blocks for the allocator (limit is %zu)", RK_ALLOCATOR_BLOCKS_MAX);
    case FULL_BYTES:
        return rk_fail(err, RK_ELIMIT, "too many bytes for the allocator (limit is 2^60)");
    default:
        return RK_OK;
    }
}

rk_allocator_sums rk_allocator_now(const rk_allocator *x)
{
    return x->now;
}

rk_allocator_sums rk_allocator_peak(const rk_allocator *x)
{
    return x->peak;
}

void rk_allocator_reset(rk_allocator *x)
{
    x->peak = x->now;
}

/* ---- states ----------------------------------------------------------------------------------------------------- */

/* A tree of free blocks, in order; trees are about as deep as the logarithm of their blocks. */
static bool look_at(const rk_allocator *x, uint32_t tree, rk_arena *a, rk_allocator_state *out)
{
    for (; tree != NONE; tree = at(x, tree)->more) {
        const block *b = at(x, tree);
        rk_allocator_free_block *slot = look_at(x, b->less, a, out) ? RK_PUSH(a, &out->free) : NULL;

        if (!slot)
            return false;
        *slot = (rk_allocator_free_block){b->address, b->size};
    }
    return true;
}

bool rk_allocator_look(const rk_allocator *x, rk_arena *a, rk_allocator_state *out)
{
    bool done;

    out->free.n = 0;
    out->now = x->now;
    done = look_at(x, x->pool[0], a, out);
    out->n_large = out->free.n;
    return done && look_at(x, x->pool[1], a, out);
}

bool rk_allocator_same(const rk_allocator_state *a, const rk_allocator_state *b)
{
    if (a->now.requested != b->now.requested || a->now.allocated != b->now.allocated ||
        a->now.reserved != b->now.reserved || a->n_large != b->n_large || a->free.n != b->free.n)
        return false;
    return a->free.n == 0 || memcmp(a->free.at, b->free.at, a->free.n * sizeof *a->free.at) == 0;
}
