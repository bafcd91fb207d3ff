/* SPDX-License-Identifier: MIT */
/*
 * pass/placing.h - what the files of the places share; private to pass/.
 *
 * Stage   program -> [pass] -> places.
 * Uses    base/, expr/, model/, pass/place.h.
 * Memory  in the arena of the placing.
 * Threads one pass, one thread.
 *
 * The way: place.c takes the operations in order.  place_operand.c finds how each operand is read, and copies it where
 * it cannot be; the placer of the operation's row says where the result lies: place_result.c, place_view.c,
 * place_product.c, place_rope.c; place_save.c lists what the gradient needs.  place_buffer.c makes all buffers.  Why
 * tensors are placed at all, and how, is said at the head of place.c.
 */
#ifndef RK_PASS_PLACING_H
#define RK_PASS_PLACING_H

#include "base/vec.h"
#include "pass/place.h"
#include "pass/types.h"

typedef struct rk_placing {
    rk_arena *a;
    const rk_instance *m;
    const rk_program *p;
    const rk_flow *f;
    const rk_run_options *o;
    rk_binding at;
    RK_VEC(rk_buffer) buffer;
    RK_VEC(uint32_t) list;
    rk_place *tensor;
    rk_place_op *op;
    bool *held; /* one per operation: see rk_placing_mark_held */
    rk_err *err;
    int code; /* sticky */

    /* The operation being placed: its operands under their own axes in it. */
    size_t i;
    const rk_op *now;
    uint32_t read[RK_PLACE_OPERANDS_MAX];   /* the buffer of each, or of its copy */
    uint32_t before[RK_PLACE_OPERANDS_MAX]; /* of one that is read one step back; else 0 */
    rk_dims dims[RK_PLACE_OPERANDS_MAX];
    rk_dims out;   /* the result under its axes */
    uint32_t step; /* as in rk_place: of the operation */
} rk_placing;

/* place_buffer.c: sizes, and buffers of them */
rk_size rk_placing_size(rk_placing *p, rk_ex e);
rk_dims rk_placing_sizes(rk_placing *p, const rk_ixs *axes);
rk_ex rk_placing_rows(rk_placing *p);
uint32_t rk_placing_new_buffer(rk_placing *p, rk_buffer b);
void rk_placing_list(rk_placing *p, uint32_t buffer);
uint32_t rk_placing_make(rk_placing *p, const char *what, uint32_t tensor, rk_ex count, rk_type type);
uint32_t rk_placing_make_steps(rk_placing *p, const char *what, uint32_t tensor, uint32_t label, rk_type type);

/* place_operand.c: how the operands are read */
bool rk_placing_is_plain(const rk_ixs *axes);
bool rk_placing_is_stored(const rk_placing *p, size_t k);
void rk_placing_copy_operand(rk_placing *p, size_t k, rk_dims form);
uint32_t rk_placing_step_of(const rk_placing *p);
void rk_placing_read_operand(rk_placing *p, size_t k);
rk_dims rk_placing_under_result(const rk_placing *p, size_t k);

/* place_result.c: a result that has a buffer of its own */
rk_type rk_placing_result_type(const rk_placing *p);
void rk_placing_put_result(rk_placing *p, uint32_t buffer, rk_type type);
void rk_placing_lie_in_steps(rk_placing *p);
void rk_placing_own_result(rk_placing *p);
void rk_place_packed(rk_placing *p);
void rk_place_held(rk_placing *p);
void rk_place_handed(rk_placing *p);
void rk_place_spread(rk_placing *p);
void rk_place_attend(rk_placing *p);

/* place_view.c: a result that may be a view of its operand */
void rk_place_part(rk_placing *p);
void rk_place_repeat(rk_placing *p);
void rk_place_contiguous(rk_placing *p);
void rk_place_second(rk_placing *p);
void rk_place_first(rk_placing *p);
void rk_place_windows(rk_placing *p);
void rk_place_view(rk_placing *p);
void rk_place_cast(rk_placing *p);

/* place_product.c: a product, of matrices where it can be one */
void rk_place_product(rk_placing *p);

/* place_rope.c: rotations, and the tables of cosines and sines that they read */
void rk_place_tables(rk_placing *p);
void rk_place_halves(rk_placing *p);
void rk_place_complex(rk_placing *p);
void rk_place_rope(rk_placing *p);
void rk_placing_each_table(rk_placing *p, void (*act)(rk_placing *p, uint32_t buffer));

/* place_save.c: what is saved for the gradient */
void rk_placing_save(rk_placing *p);
bool rk_placing_mark_held(rk_placing *p);

#endif
