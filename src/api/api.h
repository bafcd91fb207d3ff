/* SPDX-License-Identifier: MIT */
/*
 * api/api.h - what the files behind reckon.h share; private to api/.
 *
 * Stage   reckon.h -> [api] -> plan, account, ask.
 * Uses    everything below.
 * Memory  an account owns the instance of its model, its ledger and an arena for its tables.
 * Threads an account is built by one thread, and only read after that; so is a memory.
 *
 * Building expressions changes the pool of an instance; evaluating and printing them does not.  So all that an account
 * may be asked for is built when it is opened, in the form to show too: from then on the pool is frozen, and any number
 * of threads may read.
 *
 * The way: request.c turns a request into one of plan/, open.c that into a model and a ledger; account.c fills the
 * tables, with parts.c for the tree of parts; figure.c gives numbers and formulas.  sheet.c, tensors.c and library.c
 * are objects beside an account; memory.c has an account of its own; gauge.c has none, and asks ask/; stored.c and
 * verify.c are about checkpoints.
 */
#ifndef RK_API_API_H
#define RK_API_API_H

/* The library is compiled with all its names hidden; those of the public header alone are seen from outside. */
#pragma GCC visibility push(default)
#include "reckon.h"
#pragma GCC visibility pop

#include "account/rollup.h"
#include "base/map.h"
#include "base/vec.h"
#include "plan/run.h"

#define RK_N_QUANTITY (RECKON_STEP + 1)

struct reckon_figure {
    const reckon_account *account;
    rk_ex ex;   /* as the ledger has it: for numbers */
    rk_ex form; /* the same, as it is shown: for formulas */
};

struct reckon_account {
    rk_arena arena;
    rk_instance *instance; /* owns the model */
    const rk_model *model;
    rk_ledger *ledger;
    rk_map known; /* expression -> its figure */
    RK_VEC(reckon_figure *) figure;
    const reckon_figure *total[RK_N_QUANTITY];
    reckon_symbol *symbol;
    size_t n_symbol;
    reckon_weight *weight; /* as the ledger: its weights, then its buffers */
    size_t n_weight;
    const reckon_weight **row_of; /* per weight of the program: its row */
    reckon_operation *operation;
    size_t n_operation;
    reckon_part *part;
    size_t n_part;
};

/* ---- errors: inside they are an rk_err, outside a reckon_error of the same codes ------------------------------- */

int rk_api_error(reckon_error *error, int code, const rk_err *from); /* copies and returns the code */
int rk_api_fail(reckon_error *error, int code, const char *message);
int rk_api_fail_null(reckon_error *error, const char *what); /* "what is NULL" */

/* Room for an object of the caller's, all of it 0.  NULL: there is none, and `err` says so. */
void *rk_api_new(size_t size, rk_err *err);

/* ---- requests --------------------------------------------------------------------------------------------------- */

/* A request as plan/ takes it; borrows its texts, and stays where it is. */
typedef struct rk_api_request {
    rk_arena arena;
    const char *word[RK_OPEN_WORDS_MAX];
    rk_str mistakes;
    rk_run_request run; /* the model, its settings and the convention; and the step, where there is one */
} rk_api_request;

int rk_api_request_take(const reckon_request *request, rk_api_request *out, rk_err *err);
void rk_api_request_free(rk_api_request *r);

/* What it says of devices, in an arena that lives as long as the model; NULL: nothing. */
int rk_api_layout(const rk_api_request *r, rk_arena *a, const rk_layout **out, rk_err *err);

/* How a step is run; NULL: as always.  RK_EUSAGE: there is no such word, or they contradict each other. */
int rk_api_run_take(const reckon_run *run, rk_run_request *out, rk_err *err);

/* "B=8 S=4096".  RK_EUSAGE: something is no setting, or is set twice. */
typedef RK_VEC(rk_setting) rk_api_settings;
int rk_api_settings_take(rk_arena *a, const char *text, rk_api_settings *out, rk_err *err);

/* The text of the mistakes becomes the caller's, where `code` says so; gives the code that is then right. */
int rk_api_give_mistakes(rk_api_request *r, char **mistakes, int code, rk_err *err);

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* The figure of an expression, made when it is met first.  NULL: no memory; the arena of the account has noted it. */
const reckon_figure *rk_api_figure(reckon_account *a, rk_ex ex);

/* RK_EVALUE: a count cannot be negative. */
int rk_api_count(rk_i128 n, reckon_count *out, rk_err *err);

/* ---- tables ----------------------------------------------------------------------------------------------------- */

/* Of an account that has its model and its ledger: fills the rest. */
int rk_api_books(reckon_account *a, rk_err *err);

/* The parts alone, and the layers of the operations, which come from the same tree. */
int rk_api_parts(reckon_account *a, rk_err *err);

#endif
