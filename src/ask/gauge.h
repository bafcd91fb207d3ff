/* SPDX-License-Identifier: MIT */
/*
 * ask/gauge.h - quantities of one model, compiled, to be read at many numbers.
 *
 * Stage   a model's words, quantities by name -> [ask] -> numbers.
 * Uses    base/, expr/, model/, account/, plan/run.h, ask/measure.h.
 * Memory  a gauge owns the models that it has opened; a source borrows its request.
 * Threads one gauge, one thread: several threads have a gauge each, of one source.
 *
 * What follows from the ledger is on a tape, memory in a compiled step (account/peak.h).  New numbers for symbols of
 * the run cost an evaluation; a symbol whose number shaped the program, or of which a `check` wants to know, has the
 * model opened again, which is noticed here and nowhere else.  Where a step has a layout, all quantities are of its
 * rank; the size of an axis of the mesh (fsdp, tp …) can vary like a symbol, beside the axes that the layout says.
 */
#ifndef RK_ASK_GAUGE_H
#define RK_ASK_GAUGE_H

#include "account/largest.h"
#include "ask/measure.h"
#include "plan/run.h"

typedef struct rk_gauge_source {
    rk_open_request request; /* its settings do not have the symbols that vary */
    rk_convention convention;
    const char *const *symbol; /* that vary */
    size_t n_symbol;
    rk_fresh fresh;            /* T is no smaller, whichever of the two varies */
    rk_str *mistakes;          /* in the model file, for one thread alone; NULL: they stand in the message only */
    const rk_run_request *run; /* the step of quantities of memory; NULL: none can be asked for */
} rk_gauge_source;

/*
 * Fills a source of the model and the step of a request, with `symbol` left to vary: the request does not set them.
 * Standard input is read, and what the phase sets is added to the request, which must outlive the source.
 * RK_EUSAGE: what is said contradicts itself.  RK_EINPUT: the model has no such step.
 */
int rk_gauge_source_new(rk_arena *a, rk_run_request *r, const char *const *symbol, size_t n_symbol,
                        rk_gauge_source *out, rk_err *err);

/* over ÷ under; under is 1 where a quantity is no ratio. */
typedef struct rk_reading {
    rk_i128 over, under;
} rk_reading;

typedef struct rk_gauge rk_gauge;

/*
 * `number`: of each symbol that varies, the first one.  The list of measures must outlive the gauge.
 * RK_EINPUT: the model has no such symbol or part, or more is new than is seen.  RK_EVALUE: another symbol has no
 * number.
 */
int rk_gauge_new(const rk_gauge_source *source, const rk_measure *measure, size_t n, const rk_i128 *number,
                 rk_gauge **out, rk_err *err);
void rk_gauge_free(rk_gauge *g);

/* Reads every measure. */
int rk_gauge_read(rk_gauge *g, const rk_i128 *number, rk_reading *out, rk_err *err);

/*
 * The largest number of the first symbol, from 1 on, with which the first measure is at most `limit`; number[0] is
 * changed.  out->largest is 0 where not even 1 fits, and out->next then what it needs.  The step has been walked
 * already, so an answer costs a few evaluations: many limits can be asked about.
 */
int rk_gauge_room(rk_gauge *g, rk_i128 *number, rk_i128 limit, rk_fit *out, rk_err *err);

/* The ledger of the model as its equations have it, with the numbers of the opening. */
const rk_ledger *rk_gauge_ledger(const rk_gauge *g);

/* The step; NULL where no measure is about memory. */
const rk_run *rk_gauge_step(const rk_gauge *g);

/* The account of the step, without moments; it need not be walked again for numbers like those of the opening. */
int rk_gauge_account(rk_gauge *g, rk_memory **out, rk_err *err);

/* Whether the models stay open until the gauge is freed: no symbol that varies has them opened again. */
bool rk_gauge_stays(const rk_gauge *g);

/* The formulas of measure i, in the pool of the instance that is returned; RK_EX_FAILED: it has none (a peak). */
const rk_instance *rk_gauge_formula(rk_gauge *g, size_t i, rk_ex *over, rk_ex *under, rk_err *err);

#endif
