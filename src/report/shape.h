/* SPDX-License-Identifier: MIT */
/*
 * report/shape.h - a model's shape in words: "48 layers of width 1,600, 25 heads of 64, …".
 *
 * Stage   model -> [report] -> a sentence.
 * Uses    base/, model/.
 * Memory  appends to a text of the caller's.
 * Threads no state.
 *
 * What a symbol is its model file declares (model/roles.h): the sentence knows roles, not families.
 */
#ifndef RK_REPORT_SHAPE_H
#define RK_REPORT_SHAPE_H

#include "model/instance.h"

/*
 * Symbols without a number are there by name; nothing is appended where no role is known.  Parts that a model may have
 * or not (an FFN, experts) are said where their sizes occur in `used`.  Whether the context is among what was said.
 */
bool rk_shape_put(const rk_instance *m, rk_ex used, rk_str *out);

#endif
