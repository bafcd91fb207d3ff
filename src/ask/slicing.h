/* SPDX-License-Identifier: MIT */
/*
 * ask/slicing.h - how it is found what a slice divides.
 *
 * Stage   inside ask/slice.h: where it begins (slice_begin.c), then what must follow (slice.c).
 * Uses    ask/slice.h.
 * Memory  in the arena of the slice.
 * Threads one slice, one thread.
 */
#ifndef RK_ASK_SLICING_H
#define RK_ASK_SLICING_H

#include "ask/slice.h"

typedef struct rk_slicing {
    rk_slice *s;
    const rk_program *p;
    const rk_instance *m;
    rk_pool *pool;  /* of the slice alone; what symbols are defined as in it says what is divided (slice.c) */
    rk_sym times;   /* by which what is divided is multiplied */
    rk_ex *carried; /* sizes that layers hand on to each other */
    size_t n_carried;
    bool *stays; /* of each symbol: it cannot be divided, for something reads it whole */
    rk_err *err;
} rk_slicing;

/* The sizes of what a loop changes from layer to layer. */
int rk_slicing_find_carried(rk_slicing *c);
bool rk_slicing_carries(const rk_slicing *c, rk_ex size);

/* Whether a product of two activations sums over a symbol, as over the width of a head. */
bool rk_slicing_sums(const rk_slicing *c, rk_sym sym);

/* Divides heads, inner widths and the vocabulary, but for symbols that stay whole. */
void rk_slicing_begin(rk_slicing *c);

#endif
