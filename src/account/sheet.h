/* SPDX-License-Identifier: MIT */
/*
 * account/sheet.h - a whole ledger compiled, to be evaluated at many numbers.
 *
 * Stage   ledger -> [account] -> numbers.
 * Uses    base/, expr/, account/ledger.h.
 * Memory  a sheet owns its tape; evaluating allocates nothing.
 * Threads any number of threads may evaluate one sheet, each with its own scratch.
 *
 * The ledger's expressions are turned once into a flat list of multiplications and additions.  New numbers for B or S
 * (or any symbol that the structure of the model does not depend on) need neither expansion nor simplification.
 */
#ifndef RK_ACCOUNT_SHEET_H
#define RK_ACCOUNT_SHEET_H

#include "account/ledger.h"

typedef struct rk_sheet {
    const rk_ledger *ledger;
    rk_tape *tape;
    size_t n_value;   /* numbers that an evaluation gives */
    size_t n_scratch; /* rk_i128 of scratch that it needs */
    /* Where the numbers stand: first all weights (count, times), then all operations (forward, backward, times). */
    size_t weight, op, stored, named, active, forward, backward;
} rk_sheet;

int rk_sheet_new(const rk_ledger *l, rk_sheet **out, rk_err *err);
void rk_sheet_free(rk_sheet *s);
int rk_sheet_eval(const rk_sheet *s, const rk_binding *at, rk_i128 *scratch, rk_i128 *value, rk_err *err);

#endif
