/* SPDX-License-Identifier: MIT */
/*
 * tests/oracle/exchange.h - the devices of a layout, each with its program and its numbers, and what they send.
 *
 * Stage   above every stage: programs of all ranks -> [exchange] -> numbers, to compare with those of a single device.
 * Uses    runner.h, pass/layout.h.
 * Memory  in the worlds of the devices.
 * Threads one team, one thread.
 */
#ifndef RK_TESTS_EXCHANGE_H
#define RK_TESTS_EXCHANGE_H

#include "pass/layout.h"
#include "runner.h"

#define RANKS_MAX 9

/* The devices of a mesh. */
typedef struct team {
    side at[RANKS_MAX];
    size_t n;
    rk_layout layout;
    size_t member[RANKS_MAX], n_member; /* those that meet now: they stand beside each other on one axis */
    bool *away; /* of each tensor: each device has the rows of its own experts, and zeros in the place of others */
    value lent[LABELS_MAX]; /* of each operand: a weight, while one with the experts of all devices is in its place */
    bool copies;            /* each copy of the model has sequences of its own */
    bool apart;             /* devices that tokens travel between have tokens of their own */
    rk_str *out;
    findings *f;
} team;

/*
 * Of each element of a tensor on a device, which one of the whole tensor it is; NULL: it is whole.  The whole axes are
 * those of another program, or of the same.
 */
size_t *piece_map(side *whole, const rk_ixs *axes, side *device, const rk_ixs *local);

/* The same axes, none of which is a piece over this axis of the mesh; one more than its number, as in labels. */
rk_ixs whole_axes(side *s, const rk_ixs *axes, uint8_t mesh);

/* Where a device stands on an axis of the mesh. */
size_t place_on(const team *t, size_t rank, rk_mesh_axis along);

/* Those beside a device on an axis are the ones that meet; false: it is not the first of them. */
bool gather_members(team *t, size_t rank, rk_mesh_axis along);

void find_away(team *t); /* when all have been opened */

/*
 * Where tokens are of each device's own, those that travel are computed at home, with the experts of all devices: lends
 * these to a device for a record, and takes them back, with the gradients that they got.
 */
bool reads_experts(const team *t, size_t at);
void lend_experts(team *t, size_t rank, size_t at);
void take_back_experts(team *t, size_t rank, size_t at, bool gradient);

bool is_exchange(const rk_op *op); /* devices have to meet for it */
void exchange(team *t, size_t at); /* a record of their tapes */
void exchange_back(team *t, size_t at);

#endif
