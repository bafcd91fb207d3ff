/* SPDX-License-Identifier: MIT */
/*
 * ask/room.h - how large one symbol of a step may be within so many bytes.
 *
 * Stage   a compiled quantity, bytes -> [ask] -> a number.
 * Uses    base/, account/largest.h, ask/gauge.h.
 * Memory  borrows the gauge and its numbers.
 * Threads one gauge, one thread.
 *
 * A gauge has walked the step already, so an answer costs a few evaluations: many limits can be asked about.
 */
#ifndef RK_ASK_ROOM_H
#define RK_ASK_ROOM_H

#include "account/largest.h"
#include "ask/gauge.h"

#define RK_ROOM_MEASURES_MAX 4

typedef struct rk_room {
    rk_gauge *gauge; /* of at most so many quantities; the first is the bytes that are limited */
    rk_i128 *number; /* of each symbol that varies */
    size_t symbol;   /* the one that is looked for: its number is changed */
} rk_room;

/* From 1 on; out->largest is 0 where not even that fits, and out->next then what it needs. */
int rk_room_find(rk_room *r, rk_i128 limit, rk_fit *out, rk_err *err);

#endif
