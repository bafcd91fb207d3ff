/* SPDX-License-Identifier: MIT */
/*
 * audit/heads.h - units that stand in the head of a column, or in the line above a table, and not beside its numbers.
 *
 * Stage   chains -> [heads] -> chains.
 * Uses    audit/chain.h.
 * Memory  changes the sides of the chains given.
 * Threads no state.
 *
 * "| Memory (GB) |" makes 32.0 below it 32 GB; "FLOPs of each model (GFLOPs)" does so for a table that says nothing of
 * units itself, but for its columns of sizes.  A number that has a unit keeps it.
 */
#ifndef RK_AUDIT_HEADS_H
#define RK_AUDIT_HEADS_H

#include "audit/chain.h"

void rk_heads_apply(const rk_scan *s, const rk_reader *r, rk_chains *c);

#endif
