/* SPDX-License-Identifier: MIT */
/*
 * ask/least.h - the least size of one axis of a layout with which a step fits: `fsdp=*,tp=8`.
 *
 * Stage   request, bytes of a device -> [ask] -> the line of a layout.
 * Uses    base/, plan/run.h, account/memory.h.
 * Memory  texts in the arena given.
 * Threads one request, one thread.
 *
 * More copies that share weights never hold more, from two on: their number is found by halving.  What lies over
 * another axis must divide, so that its sizes are tried one by one, and from some on each twice as large as the one
 * before.
 */
#ifndef RK_ASK_LEAST_H
#define RK_ASK_LEAST_H

#include "plan/run.h"

#define RK_LEAST_MAX 65536 /* the largest size that is tried */

typedef struct rk_least {
    rk_mesh_axis axis; /* whose size was asked for */
    rk_i128 size;      /* the least that fits; 0: none does … */
    rk_i128 bytes;     /* … and the bytes of a device then */
    rk_i128 before;    /* the largest tried below it, or where none fits, the one that needs least; 0: none … */
    rk_i128 needs;     /* … and the bytes of a device then */
    const char *line;  /* the layout with the size that fits, or that needs least ("": a single device) … */
    rk_i128 devices;   /* … and how many it has */
} rk_least;

/* Whether a line leaves the size of an axis open. */
bool rk_least_is_asked(const char *line);

/*
 * With the line `form`, whatever the request has.  RK_EUSAGE: more than one size is left open.  RK_EINPUT: the model
 * can have none of the layouts; why not the last.
 */
int rk_least_find(rk_arena *a, const rk_run_request *r, const char *form, rk_i128 limit, rk_least *out, rk_err *err);

/*
 * Opens a run as the request has it.  To serve, where nobody says a runtime and PyTorch's refuses the layout, as
 * Megatron lays it, which has copies of key heads that are fewer than the devices: the request then says so.
 */
int rk_least_open(rk_run_request *r, rk_run *out, rk_err *err);

/*
 * What a step needs of a device: where its tensors fit, in training, what the allocator reserves for them; and what its
 * tensors alone need (`peak`, which may be NULL).
 */
int rk_least_needs(const rk_run *run, rk_i128 limit, rk_i128 *peak, rk_i128 *out, rk_err *err);

#endif
