/* SPDX-License-Identifier: MIT */
/*
 * plan/family.h - families that no model file is for, and configs that are read like those of another one.
 *
 * Stage   words of the command -> [plan] -> model.
 * Uses    base/, read/, plan/.
 * Memory  all that is made lives in the arena given.
 * Threads no state.
 *
 * A config of an unknown family may be read like one of a known family, if it leaves no size to that family's own
 * defaults: those are the sizes of another model.
 */
#ifndef RK_PLAN_FAMILY_H
#define RK_PLAN_FAMILY_H

#include "plan/library.h"
#include "read/doc.h"

/*
 * RK_EINPUT: no model file is for `family`.  Names the nearest ones, the one whose keys fit the config best where there
 * is one (NULL: none), and the ways on.
 */
int rk_family_fail(const rk_library *l, rk_arena *a, const char *family, const rk_doc *config, rk_err *err);

#endif
