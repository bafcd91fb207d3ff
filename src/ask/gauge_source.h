/* SPDX-License-Identifier: MIT */
/*
 * ask/gauge_source.h - where a gauge gets its models from: a step as someone asks for it.
 *
 * Stage   words about a step, symbols that vary -> [ask] -> ask/gauge.h.
 * Uses    plan/run.h, plan/tokens.h, ask/gauge.h.
 * Memory  a source borrows its request; what is added to that lives in the arena given.
 * Threads a source may be used by several threads, each with a gauge of its own.
 */
#ifndef RK_ASK_GAUGE_SOURCE_H
#define RK_ASK_GAUGE_SOURCE_H

#include "ask/gauge.h"
#include "plan/run.h"

/*
 * Fills a source of the model and the step of a request, with `symbol` left to vary: the request does not set them.
 * Standard input is read, and what the phase sets is added to the request, which must outlive the source.
 * RK_EUSAGE: what is said contradicts itself.  RK_EINPUT: the model has no such step.
 */
int rk_gauge_source_new(rk_arena *a, rk_run_request *r, const char *const *symbol, size_t n_symbol,
                        rk_gauge_source *out, rk_err *err);

#endif
