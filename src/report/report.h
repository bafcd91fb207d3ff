/* SPDX-License-Identifier: MIT */
/*
 * report/report.h - ledger in, bytes out: what each command prints.
 *
 * Stage   ledger -> [report] -> bytes.
 * Uses    base/, expr/, model/, account/, plan/, ask/.
 * Memory  output is appended to a text of the caller's, which is left as it was when a report fails.
 * Threads as building a ledger: one thread.
 *
 * Each report is one file that fills a document (report/page.h): the answer for programs, and the page for people.
 */
#ifndef RK_REPORT_REPORT_H
#define RK_REPORT_REPORT_H

#include "account/ledger.h"
#include "account/memory.h"
#include "account/names.h"
#include "account/verify.h"
#include "ask/derive.h"
#include "ask/needs.h"
#include "ask/savings.h"
#include "plan/open.h"
#include "report/page.h"

typedef struct rk_report {
    rk_format format;
    bool factored;       /* formulas as products: 2BSD(4D + 2S + 3F) */
    bool csv_raw;        /* CSV: cells as they are, also those that a spreadsheet would calculate */
    const char *columns; /* --columns, or NULL */
    rk_str *out;
    rk_drain drain;          /* of `out`, where a list is longer than memory */
    rk_paper paper;          /* what it is drawn on */
    const rk_opened *opened; /* what the words of the line named, or NULL */
    const char *asked;       /* the model as the user typed it, for hints at other commands; NULL: its name */
} rk_report;

typedef struct rk_params_options {
    bool all;         /* each tensor instead of each group of equal ones */
    int depth;        /* levels of parts to show; 0: all */
    rk_naming layout; /* of the tensors that are listed one by one */
} rk_params_options;

typedef struct rk_flops_options {
    rk_phase phase; /* where it is no training step, there is no backward pass */
    bool by_tensor;
    int depth; /* 0: all */
    bool step; /* the optimizer's step too */
    rk_optimizer optimizer;
    rk_i128 steps, rate; /* so many steps at so many FLOPs in a second; 0: nobody asked how long they take */
    double mfu;          /* the share of the rate that is reached */
} rk_flops_options;

/* RK_EVALUE: a symbol has no number; the message says which, and how to set it. */
int rk_report_params(const rk_report *r, const rk_ledger *l, const rk_params_options *o, rk_err *err);

/* The tensors of a checkpoint, as its header has them. */
int rk_report_stored(const rk_report *r, const rk_opened *opened, const rk_params_options *o, rk_err *err);

int rk_report_flops(const rk_report *r, const rk_ledger *l, const rk_flops_options *o, rk_err *err);

/* The word of an operation for programs: that of the table, in small letters.  NULL: no memory. */
const char *rk_report_op(rk_arena *a, rk_op_id row);

/* The tasks of a training step, in their order, as a profile runs it. */
struct rk_profile;
int rk_report_tasks(const rk_report *r, const rk_ledger *l, const struct rk_profile *profile, const rk_flops_options *o,
                    rk_err *err);

/* Whether all symbols have a number; else RK_EVALUE names those that have none, and says how to set them. */
int rk_report_numbers(const rk_ledger *l, rk_err *err);

/* What was asked beside an account of memory, and what came of it. */
typedef struct rk_memory_asked {
    rk_fit within;      /* its limit is 0 where nobody asked */
    rk_serving serving; /* of a decoding step */
    rk_recipes recipes; /* the step in other types */
    rk_savings savings; /* what would lower the peak */
    bool details;       /* people see the long tables, too; programs always do */
} rk_memory_asked;

int rk_report_memory(const rk_report *r, const rk_ledger *l, const rk_memory *m, const rk_memory_asked *asked,
                     rk_err *err);

/* `needs`: of steps; with none, what only they have is left out. */
int rk_report_summary(const rk_report *r, const rk_ledger *l, const rk_needs *needs, rk_err *err);

/* How the config was read; the model must have been opened with its keys noted. */
int rk_report_explain(const rk_report *r, const rk_ledger *l, const rk_library *library, rk_err *err);

/* A model and a checkpoint, compared; `file` is what the checkpoint is called, `all` lists equal layers one by one. */
int rk_report_verify(const rk_report *r, const rk_ledger *l, const rk_verify *v, const char *file, bool all,
                     rk_err *err);

/* Works without numbers too. */
int rk_report_derive(const rk_report *r, const rk_ledger *l, rk_quantity quantity, const char *path, rk_err *err);

/* One row, part or tensor, found by the end of its name; a quantity, or RK_QUANTITY_ANY.  Works without numbers too. */
int rk_report_row(const rk_report *r, const rk_ledger *l, int quantity, const char *path, rk_err *err);

/*
 * What is known: models by name (with a pattern, those in whose name, family or text it is found; RK_EINPUT where there
 * is none; people see `all`, or else how many there are), the keys that a model file reads, the table of operations.
 */
int rk_report_models(const rk_report *r, const rk_library *l, const char *pattern, bool all, rk_err *err);
int rk_report_keys(const rk_report *r, const rk_text *t, rk_err *err);
int rk_report_ops(const rk_report *r, rk_err *err);

#endif
