/* SPDX-License-Identifier: MIT */
/*
 * account/building.h - what the files that add up an account of memory share; private to account/.
 *
 * Stage   model -> [account] -> report.
 * Uses    base/, expr/, model/, pass/, account/memory.h.
 * Memory  in the arena of the account.
 * Threads one account, one thread.
 *
 * The way: memory_weights.c adds up what is held of weights, gradients and the optimizer; memory_step.c makes the step
 * and walks through it; memory_peak.c finds the largest moment, and what is alive then; memory_sent.c what is sent to
 * others and to the host; memory_show.c hands the walk to who watches it; memory_why.c gives reasons; memory.c does all
 * of it.
 */
#ifndef RK_ACCOUNT_BUILDING_H
#define RK_ACCOUNT_BUILDING_H

#include "account/memory.h"

/* What is being added up; failure is sticky. */
typedef struct rk_building {
    rk_memory *m;
    const rk_instance *x;
    const rk_program *p;
    rk_pool *pool;
    const rk_memory_options *o;
    bool train;
    rk_run_options run;
    rk_conditions *conditions; /* where questions to the numbers are noted, or NULL */
    rk_flow flow;
    rk_weight_units units; /* weights that lie in pieces */
    bool gathers;          /* there are such */
    rk_places places;
    rk_recomputed_ops recomputed; /* operations that are run again */
    rk_chunk chunk;               /* how the head and the loss are computed */
    rk_schedule schedule;         /* of a device of a pipeline; else it has no actions */
    bool first;                   /* the pass that is looked at is the first of several; else the last */
    rk_step step;                 /* with the output held while the backward pass runs */
    rk_timeline held, alone;      /* its timeline, and that of a step in which nobody holds the output */
    rk_owners owners;
    rk_i128 weights_by[RK_N_OWNER], optimizer_by[RK_N_OWNER], gradients_by[RK_N_OWNER]; /* of the bytes held */
    rk_i128 *cache;    /* bytes of the cache of each tensor */
    rk_ex *cache_each; /* the same as formulas, not rounded */
    bool *unpacks;     /* of each tensor: it is a weight that is written out to be multiplied with */
    rk_i128 *own;      /* of each weight: of how many of its tensors the rank has the optimizer's state; NULL: all */
    rk_i128 spare_one; /* what the step of the largest tensor takes beside it */
    rk_ex spare_most;  /* the same as a formula, not rounded … */
    rk_ex spare_sum;   /* … and what those of all tensors take */
    rk_ex output;      /* bytes of the output */
    rk_err *err;
    int code;
} rk_building;

/* What a watcher of a walk is shown beside the buffers of the timeline. */
typedef struct rk_building_showing {
    const rk_building *b;
    rk_i128 fixed[RK_N_ALIVE]; /* throughout */
    rk_i128 before;            /* forward: the output of the step before */
    rk_i128 standing;          /* the sum of `fixed` */
} rk_building_showing;

extern const rk_alive rk_building_class_of[RK_N_LIVE];

/* memory.c: rows, caches, what is saved, the output */
bool rk_building_is_pipeline(const rk_building *b);
void rk_building_fail(rk_building *b);
rk_i128 rk_building_value(rk_building *b, rk_ex e);
rk_ex rk_building_in_bytes(rk_building *b, rk_ex count, int bytes);
rk_i128 rk_building_rounded(const rk_building *b, rk_i128 bytes);
void rk_building_add_row(rk_building *b, rk_memory_rows *rows, rk_memory_row row);
const char *rk_building_row_path(rk_building *b, uint32_t part, const char *name);
const char *rk_building_gloss(rk_building *b, uint32_t op, uint32_t tensor, const char *what);
const char *rk_building_op_path(rk_building *b, uint32_t op);
const char *rk_building_buffer_path(rk_building *b, const rk_buffer *x);
rk_ex rk_building_layers_of(rk_building *b, uint32_t group, uint64_t n);
rk_ex rk_building_output_bytes(rk_building *b, uint32_t t);

/* memory_weights.c: weights, their gradients, the optimizer */
bool rk_building_has_main_gradients(const rk_building *b);
bool rk_building_adds_up(const rk_building *b);
int rk_building_stored_bytes(const rk_building *b);
bool rk_building_in_buckets(const rk_building *b);
bool rk_building_is_flat(const rk_building *b);
bool rk_building_only_in_buckets(const rk_building *b);
bool rk_building_in_passes(const rk_building *b);
bool rk_building_has_two_passes(const rk_building *b);
rk_i128 rk_building_hold(rk_building *b, rk_held when, rk_ex times, rk_ex each, rk_ex *sum);
bool rk_building_is_on_host(const rk_building *b, rk_host what);
void rk_building_hold_on_host(rk_building *b, rk_host what, rk_ex times, rk_ex each);
bool rk_building_is_converted(const rk_building *b, const rk_weight *w);
bool rk_building_cuts_rows(const rk_building *b);
void rk_building_add_weights(rk_building *b);

/* memory_step.c: the step and a walk through it */
rk_step_options rk_building_step_options(const rk_building *b, bool hold_output);
void rk_building_add_buckets(rk_building *b);
void rk_building_add_shapes(rk_building *b);
void rk_building_note_recomputed(rk_building *b);
void rk_building_walk(rk_building *b, bool hold_output, rk_step *step, rk_timeline *out);

/* memory_peak.c: the largest moment, and the others that could be */
void rk_building_name_buffer(rk_building *b, const rk_step *s, size_t i, const char **path, const char **what);
rk_i128 rk_building_gradients_in_step(const rk_building *b);
rk_i128 rk_building_output_in_step(const rk_building *b);
rk_i128 rk_building_output_before(const rk_building *b);
void rk_building_choose_pass(rk_building *b);
void rk_building_find_peak(rk_building *b);
void rk_building_add_moments(rk_building *b);

/* memory_show.c: the timeline as it is watched, the allocator */
rk_watcher rk_building_watcher(rk_building_showing *f, const rk_building *b);
bool rk_building_shows_walk(const rk_building *b);
void rk_building_find_reserve(rk_building *b);
void rk_building_show_timeline(rk_building *b);

/* memory_why.c: who made a buffer, in which type, and why it is saved */
const char *rk_building_type_word(const rk_building *b, rk_type t);
uint32_t rk_building_reader(const rk_building *b, size_t weight); /* the first operation that reads it, or RK_NONE */
uint32_t rk_building_cache_maker(const rk_building *b, size_t tensor); /* by whose result it grows, or RK_NONE */
void rk_building_note_stored(rk_building *b, size_t i, rk_alive kind, rk_i128 bytes, rk_ex formula); /* of weight i */
void rk_building_find_why(rk_building *b);

/* memory_sent.c: what is sent, and what the host holds */
void rk_building_add_host(rk_building *b);
void rk_building_add_sent(rk_building *b);

#endif
