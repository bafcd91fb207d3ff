/* SPDX-License-Identifier: MIT */
/*
 * ask/gauge.h - quantities of one model, compiled, to be read at many numbers.
 *
 * Stage   a model's words, quantities by name -> [ask] -> numbers.
 * Uses    base/, expr/, model/, account/, plan/open.h, plan/tokens.h, ask/measure.h.
 * Memory  a gauge owns the models that it has opened.
 * Threads one gauge, one thread: several threads have a gauge each.
 *
 * What follows from the ledger is on a tape, memory in a compiled step (account/peak.h).  New numbers for symbols of
 * the run cost an evaluation; a symbol whose number shaped the program, or of which a `check` wants to know, has the
 * model opened again, which is noticed here and nowhere else.
 */
#ifndef RK_ASK_GAUGE_H
#define RK_ASK_GAUGE_H

#include "ask/measure.h"
#include "plan/open.h"
#include "plan/tokens.h"

/* A step on paper: its model at the numbers of the opening, and how the step is taken. */
typedef struct rk_gauge_run {
    const rk_instance *instance;
    const rk_memory_options *options;
    void *owner;
} rk_gauge_run;

typedef struct rk_gauge_source {
    rk_open_request request; /* its settings do not have the symbols that vary */
    rk_convention convention;
    const char *const *symbol; /* that vary */
    size_t n_symbol;
    rk_fresh fresh;   /* T is no smaller, whichever of the two varies */
    int bytes;        /* of a number that is moved; 0: as the config has it, else 4 */
    rk_str *mistakes; /* in the model file, for one thread alone; NULL: they stand in the message only */
    /* Opens and closes a step for quantities of memory; NULL: none can be asked for. */
    int (*open_run)(void *self, const rk_open_request *request, rk_gauge_run *out, rk_err *err);
    void (*close_run)(void *self, rk_gauge_run *run);
    void *self;
} rk_gauge_source;

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

/* The ledger of the model as its equations have it, with the numbers of the opening. */
const rk_ledger *rk_gauge_ledger(const rk_gauge *g);

/* The step; NULL where no measure is about memory. */
const rk_gauge_run *rk_gauge_step(const rk_gauge *g);

/* The account of the step, without moments; it need not be walked again for numbers like those of the opening. */
int rk_gauge_account(rk_gauge *g, rk_memory **out, rk_err *err);

/* Whether the models stay open until the gauge is freed: no symbol that varies has them opened again. */
bool rk_gauge_stays(const rk_gauge *g);

/* The formulas of measure i, in the pool of the instance that is returned; RK_EX_FAILED: it has none (a peak). */
const rk_instance *rk_gauge_formula(rk_gauge *g, size_t i, rk_ex *over, rk_ex *under, rk_err *err);

#endif
