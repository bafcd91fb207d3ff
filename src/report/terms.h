/* SPDX-License-Identifier: MIT */
/*
 * report/terms.h - a closed form term by term: its number, its share, and whose it is.
 *
 * Stage   expressions -> [report] -> document; private to report/.
 * Uses    expr/, model/owner.h, ask/derive.h, report/view.h.
 * Memory  the view's.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_TERMS_H
#define RK_REPORT_TERMS_H

#include "ask/derive.h"
#include "model/owner.h"
#include "report/view.h"

/* A share of the whole, and its name; all shares add up to the whole. */
typedef struct rk_terms_of {
    const char *name;
    rk_ex of;
} rk_terms_of;

extern const rk_fields rk_term_fields;

/* The terms of the sum of some shares, the largest first. */
void rk_view_terms(rk_view *v, rk_cell *in, const rk_terms_of *share, size_t n);

/* Those of a derivation, by part of the model. */
void rk_view_derived_terms(rk_view *v, rk_cell *in, const rk_derivation *d);

#endif
