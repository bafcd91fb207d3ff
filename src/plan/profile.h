/* SPDX-License-Identifier: MIT */
/*
 * plan/profile.h - a profile by its name, from data/profiles.tsv.
 *
 * Stage   name -> [plan] -> pass, account.
 * Uses    base/, pass/profile.h, plan/library.h.
 * Memory  the name of the profile lives in the arena given.
 * Threads no state.
 */
#ifndef RK_PLAN_PROFILE_H
#define RK_PLAN_PROFILE_H

#include "pass/profile.h"
#include "plan/library.h"

/* RK_EINPUT: a line of the table is wrong, or there is no such profile, or it lacks a fact; the message says which. */
int rk_profile_read(const rk_library *l, rk_arena *a, const char *name, rk_profile *out, rk_err *err);

#endif
