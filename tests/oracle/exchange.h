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

#define RANKS_MAX 8

/* Devices along one axis of the mesh. */
typedef struct team {
    side at[RANKS_MAX];
    size_t n;
    rk_mesh_axis axis;
    rk_str *out;
    findings *f;
} team;

/*
 * Of each element of a tensor on a device, which one of the whole tensor it is; NULL: it is whole.  The whole axes are
 * those of another program, or of the same.
 */
size_t *piece_map(side *whole, const rk_ixs *axes, side *device, const rk_ixs *local, size_t rank, size_t n);

/* The same axes, none of which is a piece of another. */
rk_ixs whole_axes(side *s, const rk_ixs *axes);

bool is_exchange(const rk_op *op); /* devices have to meet for it */
void exchange(team *t, size_t at); /* a record of their tapes */
void exchange_back(team *t, size_t at);

#endif
