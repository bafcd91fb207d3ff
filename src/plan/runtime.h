/* SPDX-License-Identifier: MIT */
/*
 * plan/runtime.h - a runtime by its name, from data/runtimes.tsv.
 *
 * Stage   name -> [plan] -> layout -> pass, account.
 * Uses    base/, pass/runtime.h, plan/facts.h.
 * Memory  texts live in the arena given.
 * Threads no state.
 */
#ifndef RK_PLAN_RUNTIME_H
#define RK_PLAN_RUNTIME_H

#include "pass/runtime.h"
#include "plan/library.h"

/* RK_EINPUT: a line of the table is wrong, or there is no such runtime, or it lacks a fact; the message says which. */
int rk_runtime_read(const rk_library *l, rk_arena *a, const char *name, rk_runtime *out, rk_err *err);

#endif
