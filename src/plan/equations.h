/* SPDX-License-Identifier: MIT */
/*
 * plan/equations.h - what a decoding step must do, whoever takes it: the equations of its model, without a profile.
 *
 * Stage   a run -> [plan] -> account/serving.h.
 * Uses    account/memory.h, plan/run.h.
 * Memory  what is found lives in the arena of the memory.
 * Threads as opening a model: one run, one thread.
 */
#ifndef RK_PLAN_EQUATIONS_H
#define RK_PLAN_EQUATIONS_H

#include "plan/run.h"

/* Opens the model of a run once more, as its file has it, and counts as the run does. */
int rk_run_equations(const rk_run *run, rk_opened *opened, rk_ledger **ledger, rk_err *err);

/* What a decoding step moves, of which `m` is the memory; nothing in the other phases. */
int rk_run_serve(const rk_run *run, const rk_memory *m, rk_serving *out, rk_err *err);

#endif
