/* SPDX-License-Identifier: MIT */
/*
 * model/build.h - makes programs: what the expander and every pass put tensors, operations and weights into.
 *
 * Stage   statements, or another program -> [build] -> program.
 * Uses    base/, expr/, model/program.h.
 * Memory  everything in the arena given, expressions in the pool given; what is handed in is borrowed, not copied.
 * Threads one builder, one thread.
 *
 * A builder is told where things belong (`part`, `group`, `row`, `span`) and then what they are.  Operations stand in
 * the order in which they are put.  Rows are named when an equation ends, by one rule, whoever put its operations: the
 * plain name goes to the equation's product if there is one, else to its last operation.  Since a pass that puts an
 * operation between others must leave it to that rule again, a program remembers its equations: the trace
 * (model/trace.h).
 *
 * Failure is sticky: after the first one nothing more is put, and `fatal` has its code.
 */
#ifndef RK_MODEL_BUILD_H
#define RK_MODEL_BUILD_H

#include "base/map.h"
#include "base/vec.h"
#include "model/trace.h"

#define RK_PROGRAM_OPS_MAX 100000

typedef struct rk_build {
    rk_arena *a;
    rk_pool *pool;
    const char *name; /* of the model, for messages */
    rk_err *err;
    int fatal; /* the first failure, or RK_OK */

    /* Where what is put belongs. */
    uint32_t part, group;
    const char *row; /* name of the equation */
    rk_mask where;   /* its mask; RK_MASK_FULL: none */
    rk_span span;    /* its place in the model file */

    RK_VEC(rk_label) label;
    RK_VEC(rk_tensor) tensor;
    RK_VEC(rk_op) op;
    RK_VEC(rk_weight) weight;
    RK_VEC(rk_part) part_list;
    RK_VEC(rk_group) group_list;
    RK_VEC(rk_loop) loop;
    RK_VEC(rk_keep) keep;
    RK_VEC(rk_region) region;
    RK_VEC(rk_program_stage) stage;
    RK_VEC(uint32_t) input;
    RK_VEC(uint32_t) output, output_group;
    RK_VEC(rk_rename) rename;
    RK_VEC(rk_trace_event) event;
    RK_VEC(rk_trace_call) call;
    RK_VEC(rk_trace_alias) alias;
    uint32_t loss, loss_first;
    rk_map part_of_path, weight_of_name, row_names;
} rk_build;

/* Begins with the model itself as part 0, and group 0, which occurs once. */
int rk_build_begin(rk_build *b, rk_arena *a, rk_pool *pool, const char *name, rk_err *err);
int rk_build_end(rk_build *b, rk_program *out);

/* Failing: the code is returned, and stays. */
int rk_fatal(rk_build *b, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int rk_fatal_memory(rk_build *b);

/* Appends an operation; NULL when memory ran out or the limit is reached (then a fatal error is noted). */
rk_op *rk_build_op(rk_build *b, rk_op_id row, const rk_seen *in, size_t n_in, const rk_ixs *axes, rk_seen *out);

/* A tensor in another type, under its own axes; RK_NONE: it failed. */
uint32_t rk_build_cast(rk_build *b, uint32_t tensor, rk_type type);

/* An equation has ended: names its operations, which begin at `first`, where they have no name yet. */
void rk_build_rows(rk_build *b, size_t first, const char *name);

/* A variable has had its tensor up to here. */
void rk_build_until(rk_build *b, uint32_t tensor, uint32_t alias);

/* Gives an output. */
int rk_build_give(rk_build *b, uint32_t tensor, uint32_t alias);

/* Notes something beside the operations, in its order. */
void rk_build_note(rk_build *b, rk_trace_event event);

/* Weights have a name in their group: finds one (RK_NONE: there is none), adds one, gives one its tensor. */
uint32_t rk_build_weight_find(rk_build *b, const char *pattern, uint32_t group);
int rk_build_weight(rk_build *b, const rk_weight *w, uint32_t *out);
int rk_build_weight_tensor(rk_build *b, uint32_t weight, const rk_ixs *axes);

int rk_ixs_append(rk_build *b, rk_ixs *axes, const rk_ix *ix);

#endif
