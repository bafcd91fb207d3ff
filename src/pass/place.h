/* SPDX-License-Identifier: MIT */
/*
 * pass/place.h - in which buffers the tensors of a program lie, and which of them the gradient keeps.
 *
 * Stage   program -> [pass] -> timeline.
 * Uses    base/, expr/, model/, pass/strides.h.
 * Memory  in the arena given.
 * Threads one pass, one thread; what it makes is never changed.
 *
 * A tensor is a view of a buffer, or has one of its own; an operation that needs its operand in another form makes a
 * copy first.  Which it is depends on sizes, so a model's symbols must have numbers; how large a buffer is stays an
 * expression.
 */
#ifndef RK_PASS_PLACE_H
#define RK_PASS_PLACE_H

#include "model/instance.h"
#include "model/needs.h"
#include "pass/profile.h"
#include "pass/strides.h"

#define RK_PLACE_OPERANDS_MAX 64 /* of one operation: joins have most */

typedef struct rk_buffer {
    const char *what; /* "copy", "mean": what it is to its operation; NULL: its result */
    uint32_t op;      /* that makes it; RK_NONE: it is given */
    uint32_t tensor;  /* whose elements it holds, or RK_NONE */
    uint32_t group;
    rk_ex count;
    rk_type type;
    bool stored; /* a weight, or a buffer of the model */
    bool handed; /* to each layer, by the function around them, which made it */

    /* A recurrence reads all steps but the last again; each step is a buffer of its own.  0: there is none. */
    uint32_t last;   /* the step that is not read again, beside this one, which holds the others */
    uint32_t before; /* zeros that stand for the step before the first */

    /* One more than the buffer of which this is a second name; 0: it is one of its own. */
    uint32_t twin;
} rk_buffer;

/* Where a tensor lies. */
typedef struct rk_place {
    uint32_t buffer;
    uint32_t before; /* where it is read one step back: the step before the first; else 0 */
    uint32_t step;   /* one more than the label along which it is computed step by step; 0: at once */
    rk_type type;
    rk_dims dims; /* along its axes */
} rk_place;

/*
 * The buffers of an operation: `n_made` from `made` on in the table; `n_read` and then `n_kept` from `read` on in the
 * list.
 */
typedef struct rk_place_op {
    uint32_t made, n_made;
    size_t read;
    uint32_t cast;   /* copies in eight bits of the operands and of the result's gradient, made for a product … */
    uint32_t n_cast; /* … and let go with it: 3, or 0 where there are none */
    uint32_t n_read; /* one per operand: its buffer, or that of its copy; then what lies beside those, step by step */
    uint32_t n_kept;
} rk_place_op;

typedef struct rk_places {
    rk_buffer *buffer;
    size_t n_buffer;
    rk_place *tensor; /* one per tensor of the program */
    rk_place_op *op;  /* one per operation */
    uint32_t *list;   /* of buffers that operations read and keep */
} rk_places;

/* How a run is done, as far as it decides what is copied and saved. */
typedef struct rk_run_options {
    int bytes;     /* of an element of RK_TYPE_RUN: 1, 2 or 4 */
    bool autocast; /* RK_TYPE_LOW is a type of its own, of two bytes */
    const rk_profile *profile;
    bool fp8_products;         /* products with weights are taken in eight bits */
    rk_conditions *conditions; /* gets what is asked of the numbers; NULL: nobody wants to know */
} rk_run_options;

/* RK_EVALUE: a symbol has no number.  RK_EOVERFLOW: a tensor is beyond 2⁵⁶ elements. */
int rk_places_new(rk_arena *a, const rk_instance *m, const rk_flow *f, const rk_run_options *o, rk_places *out,
                  rk_err *err);

/* Bytes of an element. */
int rk_type_bytes(rk_type t, const rk_run_options *o);

#endif
