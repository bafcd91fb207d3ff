/* SPDX-License-Identifier: MIT */
/*
 * report/steps.h - what reports about derivations share: the lines of a model that make up a quantity.
 *
 * Stage   derivation -> [report] -> bytes; private to report/.
 * Uses    ask/derive.h, report/view.h.
 * Memory  as a view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_STEPS_H
#define RK_REPORT_STEPS_H

#include "ask/derive.h"
#include "report/view.h"

/* "forward FLOPs", "parameters" */
const char *rk_steps_quantity(rk_view *v, rk_quantity quantity);

/* The number of an equation, where all symbols have one and it is not the formula itself; else nothing. */
rk_cell rk_steps_value(rk_view *v, rk_ex e);

/* An answer about a derivation begins with what was asked, at these places of its enum. */
enum {
    RK_STEPS_QUANTITY = RK_N_ANSWER,
    RK_STEPS_PATH,
    RK_STEPS_CONVENTION,
    RK_N_STEPS_ANSWER
};

/* clang-format off */
#define RK_FIELDS_OF_STEPS \
    RK_FIELDS_OF_MODEL, \
    [RK_STEPS_QUANTITY] = RK_KEY("quantity", TEXT, "params, flops, backward, or step: forward and backward"), \
    [RK_STEPS_PATH] = RK_KEY("path", CODE, "the part that was asked for"), \
    [RK_STEPS_CONVENTION] = RK_OBJECT("convention", rk_convention_fields, "what counts")
/* clang-format on */

rk_cell *rk_steps_answer(rk_view *v, const rk_fields *of, const rk_derivation *d);

/* And its rows with a line of the model each, or a part. */
enum {
    RK_STEP_PATH,
    RK_STEP_LAYERS,
    RK_STEP_FILE,
    RK_STEP_LINE,
    RK_STEP_EQUATION,
    RK_STEP_HERE,
    RK_STEP_TENSOR,
    RK_STEP_RULE,
    RK_STEP_TIMES,
    RK_STEP_FORMULA,
    RK_STEP_VALUE,
    RK_N_STEP
};

/* clang-format off */
#define RK_FIELDS_OF_STEP \
    [RK_STEP_PATH] = RK_KEY("path", CODE, "where it stands in the model"), \
    [RK_STEP_LAYERS] = RK_KEY("layers", CODE, "in which layers, where it is not in all"), \
    [RK_STEP_FILE] = RK_KEY("file", CODE, "of the line; a part has none"), \
    [RK_STEP_LINE] = RK_KEY("line", COUNT, "its number"), \
    [RK_STEP_EQUATION] = RK_KEY("equation", CODE, "the line"), \
    [RK_STEP_HERE] = RK_KEY("here", CODE, "the line as it is instantiated, where it stands in a block"), \
    [RK_STEP_TENSOR] = RK_KEY("tensor", CODE, "the weight in it"), \
    [RK_STEP_RULE] = RK_KEY("rule", TEXT, "by which it counts"), \
    [RK_STEP_TIMES] = RK_KEY("times", FORMULA, "occurrences"), \
    [RK_STEP_FORMULA] = RK_KEY("formula", FORMULA, "of one")
/* clang-format on */

void rk_steps_put(rk_view *v, rk_cell *cell, const rk_derive_step *s);

/* A formula for LaTeX; the number of an expression, null where a symbol has none. */
rk_cell rk_steps_latex(rk_view *v, rk_ex e);
rk_cell rk_steps_number(rk_view *v, rk_ex e);

#endif
