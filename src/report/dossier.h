/* SPDX-License-Identifier: MIT */
/*
 * report/dossier.h - all that is known of a model on one page, to keep, print or publish.
 *
 * Stage   ledger, accounts of memory, conventions, a sweep -> [report] -> bytes.
 * Uses    base/, expr/, account/, plan/device.h, ask/, report/view.h.
 * Memory  a dossier borrows all that it shows; output is appended to a text of the caller's.
 * Threads as building a ledger: one thread.
 *
 * What does not apply to a model has a reason in place of its figures, which the page says in a sentence.
 */
#ifndef RK_REPORT_DOSSIER_H
#define RK_REPORT_DOSSIER_H

#include "account/largest.h"
#include "account/memory.h"
#include "ask/conventions.h"
#include "ask/ranks.h"
#include "plan/device.h"
#include "report/sweep.h"

/* A training step in one of several variants. */
typedef struct rk_dossier_variant {
    const char *title; /* "flash, recompute full" */
    const rk_memory *memory;
    const char *not_for; /* why there is none; NULL: there is one */
} rk_dossier_variant;

/* Decoding one token that sees so many keys. */
typedef struct rk_dossier_length {
    rk_i128 tokens; /* 0: the model sees no keys, only a state */
    rk_i128 cache, peak;
} rk_dossier_length;

/* The largest batch of something on each device. */
typedef struct rk_dossier_batch {
    const char *title;
    rk_fit *fit; /* of each device; its limit is 0 where no source says how much memory one has */
} rk_dossier_batch;

typedef struct rk_dossier_command {
    const char *line, *text;
} rk_dossier_command;

#define RK_DOSSIER_VARIANTS 3
#define RK_DOSSIER_LENGTHS 2
#define RK_DOSSIER_DEVICES 6
#define RK_DOSSIER_COMMANDS 16

typedef struct rk_dossier {
    const char *version;
    rk_i128 context; /* tokens; 0: nothing bounds it */
    rk_dossier_variant variant[RK_DOSSIER_VARIANTS];
    const rk_memory *decode; /* at the last of the lengths … */
    rk_serving serving;      /* … and what it moves */
    const char *not_decoded; /* why there is none */
    rk_dossier_length length[RK_DOSSIER_LENGTHS];
    size_t n_length;
    const rk_swept *swept; /* forward FLOPs by component over the length of a sequence */
    const char *not_swept; /* why there is none */
    const rk_conventions *conventions;
    const rk_device *device[RK_DOSSIER_DEVICES];
    size_t n_device;
    rk_dossier_batch batch[RK_DOSSIER_VARIANTS + RK_DOSSIER_LENGTHS];
    size_t n_batch;
    const rk_ranks *ranks;                           /* of a training step over devices; NULL: nobody asked … */
    const char *not_laid;                            /* … or why there are none */
    rk_dossier_command command[RK_DOSSIER_COMMANDS]; /* that print all this again */
    size_t n_command;
} rk_dossier;

/* RK_EVALUE: a symbol has no number. */
int rk_report_dossier(const rk_report *r, const rk_ledger *l, const rk_dossier *d, rk_err *err);

/* ---- its sections, in their order ------------------------------------------------------------------------------- */

void rk_dossier_put_pictures(rk_view *v, const rk_dossier *d, const rk_rollup *weights, const rk_rollup *ops);
void rk_dossier_put_forms(rk_view *v, const rk_dossier *d);
void rk_dossier_put_parts(rk_view *v, const rk_rollup *weights, const rk_rollup *ops, rk_cell *in); /* two lists */
void rk_dossier_put_growth(rk_view *v, const rk_dossier *d);
void rk_dossier_put_training(rk_view *v, const rk_dossier *d);
void rk_dossier_put_serving(rk_view *v, const rk_dossier *d);
void rk_dossier_put_batches(rk_view *v, const rk_dossier *d);
void rk_dossier_put_ranks(rk_view *v, const rk_dossier *d, rk_cell *layout, rk_cell *ranks);

/* ---- what programs get where the page has columns for variants, lengths and devices ----------------------------- */

extern const rk_fields rk_dossier_part_fields[2], rk_dossier_growth_fields, rk_dossier_training_fields,
    rk_dossier_serving_fields, rk_dossier_device_fields, rk_dossier_batch_fields;
void rk_dossier_growth(rk_view *v, const rk_dossier *d, rk_cell *in);
void rk_dossier_training(rk_view *v, const rk_dossier *d, rk_cell *in);
void rk_dossier_serving(rk_view *v, const rk_dossier *d, rk_cell *in);
void rk_dossier_devices(rk_view *v, const rk_dossier *d, rk_cell *devices, rk_cell *batches);

/* ---- shared by them --------------------------------------------------------------------------------------------- */

/* An expression of another opening of the same model: as one of this page (RK_EX_FAILED where it has none), and its
 * number there. */
rk_ex rk_dossier_import(rk_view *v, const rk_instance *from, rk_ex e);
rk_i128 rk_dossier_value(rk_view *v, const rk_instance *from, rk_ex e);

/* The bytes of a training step, by name: what is held of it, and at last the peak. */
#define RK_DOSSIER_HELD 4
extern const char *const rk_dossier_bytes_name[RK_DOSSIER_HELD + 1];
rk_i128 rk_dossier_bytes(const rk_memory *m, size_t i);

/* Whether a cache grows with each token: a state does not. */
bool rk_dossier_grows(rk_view *v, const rk_memory *m);

/* Whether decoding fits on a device; hundredths of tokens in a second, which its bandwidth allows; 0: not known. */
bool rk_dossier_decodes(const rk_dossier *d, const rk_device *device);
rk_i128 rk_dossier_bound(const rk_dossier *d, const rk_device *device);

#endif
