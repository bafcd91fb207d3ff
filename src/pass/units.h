/* SPDX-License-Identifier: MIT */
/*
 * pass/units.h - weights that lie in pieces over devices, and are gathered for a while: which are gathered together,
 * and what of each a rank owns.
 *
 * Stage   program + layout -> [pass] -> step, account.
 * Uses    base/, expr/, model/, pass/layout.h.
 * Memory  in the arena given; expressions in the pool of the instance.
 * Threads as building a step: one thread.
 *
 * A weight is cut along its first axis, into as many pieces of ceil(n / devices) rows; the last ones may be shorter or
 * empty.  What is stored and sent is padded to whole pieces, what counts as a parameter is not.
 */
#ifndef RK_PASS_UNITS_H
#define RK_PASS_UNITS_H

#include "model/instance.h"
#include "pass/layout.h"

typedef enum rk_weight_unit_kind {
    RK_WEIGHT_UNIT_LAYER,     /* one layer */
    RK_WEIGHT_UNIT_ROOT,      /* what no other unit has: there from the beginning of the forward pass */
    RK_WEIGHT_UNIT_EMBEDDING, /* the table that tokens are looked up in */
    RK_WEIGHT_UNIT_HEAD       /* what is read after the layers */
} rk_weight_unit_kind;

typedef struct rk_weight_unit {
    rk_weight_unit_kind kind;
    uint32_t group; /* of layers: their group */
    rk_ex elements; /* of its weights, each padded to whole pieces … */
    rk_ex trained;  /* … and of those that get a gradient */
    rk_ex experts;  /* of both, those of experts that lie over ep: they are cut among fewer devices */
    rk_ex experts_trained;
    rk_ex own_elements, own_trained; /* of both, the rank's piece */
    rk_ex whole;                     /* of those that get a gradient, without padding */
    bool freed;                      /* when the forward pass is through with it */
    uint32_t first, last; /* outside of layers: the first and the last operation that reads one of its weights */
    uint32_t outlives;    /* the weight whose gradient is let go last, or RK_NONE: all go together */
} rk_weight_unit;

typedef struct rk_weight_units {
    rk_weight_unit *at;
    size_t n;
    uint32_t *of_weight;            /* of each weight: its unit; RK_NONE: it is none of its own, or no parameter */
    uint32_t *of_group;             /* of each group: the unit of its layers, or RK_NONE */
    uint32_t root, embedding, head; /* units, or RK_NONE */
    bool *apart;  /* of each weight: it is tied to one of another unit, so that it has a storage of its own */
    rk_ex *own;   /* of each weight: elements that are this rank's … */
    rk_ex *rows;  /* … in so many rows … */
    rk_ex kept;   /* elements of weights that are there whole beside their pieces */
    rk_ex *piece; /* … and of a piece, which is stored and sent */
} rk_weight_units;

/* Whether weights lie in pieces; NULL: a single device. */
bool rk_layout_gathers(const rk_layout *l);

int rk_units_new(rk_arena *a, const rk_instance *m, const rk_layout *l, rk_weight_units *out, rk_err *err);

/* The weight that has the storage of another: as the program says, but for those that lie apart. */
uint32_t rk_units_owner(const rk_weight_units *u, const rk_program *p, uint32_t weight);

#endif
