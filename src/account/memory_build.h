/* SPDX-License-Identifier: MIT */
/*
 * account/memory_build.h - what the files of an account of memory share; private to account/.
 *
 * Stage   model -> [account] -> account of memory.
 * Uses    base/, expr/, model/, pass/, account/memory.h.
 * Memory  in the arena of the account that is being made.
 * Threads one account, one thread.
 *
 * The way: memory.c places the tensors and walks the step; memory_weights.c adds up what stays from step to step;
 * memory_kept.c lists the cache and what is kept for the backward pass; memory_peak.c finds the largest moment, who is
 * alive at it, and the formulas of all moments that could be it.
 */
#ifndef RK_ACCOUNT_MEMORY_BUILD_H
#define RK_ACCOUNT_MEMORY_BUILD_H

#include "account/memory.h"

/* What is being added up; failure is sticky. */
typedef struct rk_building {
    rk_memory *m;
    const rk_instance *instance;
    const rk_program *p;
    rk_pool *pool;
    rk_binding at;
    const rk_memory_options *o;
    rk_flow flow;
    rk_places places;
    rk_step step;            /* with the output held while the backward pass runs */
    rk_timeline held, alone; /* its timeline, and that of a step in which nobody holds the output */
    rk_i128 *cache;          /* bytes of the cache of each tensor */
    rk_ex *cache_each;       /* the same as formulas, not rounded */
    bool *unpacks;           /* of each tensor: it is a weight that is written out to be multiplied with */
    rk_i128 weights;         /* as the allocator rounds them */
    rk_i128 weight_gradients;
    rk_i128 moments;
    rk_i128 spare_all, spare_one; /* what the step of all tensors, and of the largest one, takes beside it */
    rk_ex spare_sum, spare_most;  /* the same as formulas, not rounded */
    rk_chunk chunk;
    rk_err *err;
    int code;
} rk_building;

/* memory.c: numbers, rows, and how the step is run */
rk_run_options rk_building_run(const rk_building *b);
rk_i128 rk_building_value(rk_building *b, rk_ex e);
rk_ex rk_building_times_bytes(rk_building *b, rk_ex count, int bytes);
rk_i128 rk_building_rounded(const rk_building *b, rk_i128 bytes);
rk_asked *rk_building_asked(const rk_building *b);
void rk_building_add_row(rk_building *b, rk_memory_rows *rows, rk_memory_row row);
rk_ex rk_building_new_tokens(const rk_building *b);
rk_step_options rk_building_step_options(const rk_building *b, bool hold);

/* memory_weights.c: weights, their gradients, the optimizer */
bool rk_building_adds_up(const rk_building *b);
void rk_building_add_weights(rk_building *b);

/* memory_kept.c: the cache, and what is kept for the backward pass */
const char *rk_building_path(rk_building *b, uint32_t part, const char *name);
void rk_building_add_caches(rk_building *b);
const char *rk_building_buffer_path(rk_building *b, const rk_buffer *x);
void rk_building_add_kept(rk_building *b);

/* memory_peak.c: the largest moment, and all that could be */
rk_i128 rk_building_output_bytes(const rk_building *b);
void rk_building_find_peak(rk_building *b);

#endif
