/* SPDX-License-Identifier: MIT */
/*
 * model/regroup.h - passes that form other groups of equal layers.
 *
 * Stage   program -> [pass] -> program.
 * Uses    base/, model/model.h, model/needs.h.
 * Memory  the new model borrows from the old one, which must outlive it.
 * Threads the old model is only read.
 *
 * When a model is expanded, layers that decide alike form a group.  Two of them may yet cost different things backward:
 * the first one, if it begins with an input that needs no gradient; the last one, if it leaves something that only the
 * next would read; one whose weights are frozen.  The group is then split.  And layers that decided otherwise may be
 * run alike once bodies stand in the place of calls.  They are then put together.
 */
#ifndef RK_MODEL_REGROUP_H
#define RK_MODEL_REGROUP_H

#include "model/model.h"
#include "model/needs.h"

/*
 * Splits groups whose layers have different signatures: `signature` has for each loop one number for each layer, or
 * NULL where it stands for nothing.  *out stays NULL where there are none such.
 */
int rk_split_groups(const rk_model *in, uint64_t *const *signature, const rk_model **out, rk_err *err);

/* The same by the gradients that they need, until no layers of a group differ.  *out stays NULL where none do. */
int rk_split_layers(const rk_model *in, const rk_model **out, rk_err *err);

/* Puts groups of a loop together that have the same operations.  *out stays NULL where there are none such. */
int rk_merge_layers(const rk_model *in, const rk_model **out, rk_err *err);

#endif
