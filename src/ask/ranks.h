/* SPDX-License-Identifier: MIT */
/*
 * ask/ranks.h - all ranks of a layout: each kind of rank once, and the layouts beside it.
 *
 * Stage   request of a step over devices -> [ask] -> report.
 * Uses    base/, account/ledger.h, account/memory.h, plan/run.h.
 * Memory  the ranks own their accounts, to be freed; texts live in the arena given.
 * Threads one request, one thread.
 *
 * Ranks that stand at the same place of the pipeline are alike: their pieces are as large as each other, but for those
 * of sizes that do not divide, where the first rank has the largest.  So a mesh of any size costs as many accounts as
 * the pipeline has places.
 */
#ifndef RK_ASK_RANKS_H
#define RK_ASK_RANKS_H

#include "plan/run.h"

#define RK_RANKS_PLACES_MAX 1024 /* of a pipeline */

typedef struct rk_rank_kind {
    rk_i128 rank;   /* the first of them … */
    rk_i128 n;      /* … and how many there are */
    rk_i128 layers; /* that they run */
    rk_i128 flops;  /* of one in a step: forward and, in training, backward; what is recomputed is not in it */
    rk_i128 volume; /* bytes that one hands to others in a step */
    rk_memory *memory;
    rk_run run;
} rk_rank_kind;

/* A layout that differs in one axis or word. */
typedef struct rk_neighbour {
    const char *layout;
    const char *what; /* "tp twice as large" */
    rk_i128 devices, peak, volume;
} rk_neighbour;

#define RK_NEIGHBOURS_MAX 16

typedef struct rk_ranks {
    rk_layout layout;
    rk_rank_kind *at; /* in the order of the pipeline */
    size_t n;
    size_t fullest; /* the one with the largest peak */
    rk_neighbour neighbour[RK_NEIGHBOURS_MAX];
    size_t n_neighbour;
} rk_ranks;

/* `neighbours`: look at those, too.  RK_EUSAGE: the request has no layout. */
int rk_ranks_find(rk_arena *a, const rk_run_request *r, bool neighbours, rk_ranks *out, rk_err *err);
void rk_ranks_free(rk_ranks *r);

/* Batches of B sequences that go through a rank in a step of the optimizer, and through all of them together. */
rk_i128 rk_ranks_passes(const rk_memory *m);
rk_i128 rk_ranks_batches(const rk_memory *m);

/*
 * The share of a step in which the places of a pipeline have work, if all take as long: it fills and drains.  1 without
 * a pipeline, and for an order that leaves no gaps.
 */
double rk_ranks_filled(const rk_layout *l);

/* Bytes that a rank hands to others in a step; of one row of what it sends, or of all. */
int rk_ranks_row_volume(const rk_memory *m, const rk_sent_row *row, rk_i128 *out, rk_err *err);
int rk_ranks_volume(const rk_memory *m, rk_i128 *out, rk_err *err);

/* Rows that a device with a piece of the experts is sent in a layer; 0: none travel. */
typedef struct rk_expert_load {
    rk_i128 even;  /* if all experts are chosen equally often … */
    rk_i128 worst; /* … or if all devices choose those of one as often as they can */
} rk_expert_load;

int rk_ranks_load(const rk_memory *m, rk_expert_load *out, rk_err *err);

#endif
