/* SPDX-License-Identifier: MIT */
/*
 * model/instance.h - a model at numbers of its own, with a pool of its own.
 *
 * Stage   model -> [instance] -> passes, accounts.
 * Uses    base/, expr/, model/model.h.
 * Memory  an instance owns its numbers and its pool; it borrows the model, which must outlive it, unless it was given.
 * Threads one instance, one thread that builds or changes numbers; any number of instances of one model.
 *
 * A model is const.  Whoever computes has an instance: its numbers begin as the model was opened and may be changed at
 * will, its pool lies over the model's and takes in what is built.  Expressions that are to meet each other are made in
 * one instance: a run has one, which its ledger and its accounts of memory share.
 */
#ifndef RK_MODEL_INSTANCE_H
#define RK_MODEL_INSTANCE_H

#include "model/model.h"

typedef struct rk_instance {
    const rk_model *model;
    const rk_program *program; /* the model's */
    rk_pool *pool;             /* over the model's */
    rk_binding at;             /* the numbers, as evaluating wants them */
    rk_i128 *value;            /* of each symbol, to be changed; that of one without a number is what it had once */
    bool *known;
    rk_arena arena;
    rk_arena texts; /* of who opened a model that others have, too */
    bool owns;      /* the model is freed with it */
} rk_instance;

/* Numbers as the model was opened. */
int rk_instance_new(const rk_model *m, rk_instance **out, rk_err *err);

/* The same of a model that nobody else has: it is freed with the instance, and here on failure. */
int rk_instance_of(const rk_model *m, rk_instance **out, rk_err *err);
void rk_instance_free(rk_instance *m);

/* Other numbers with the same model and pool, beginning as those of `m`, in the arena given; not to be freed. */
int rk_instance_copy(rk_arena *a, const rk_instance *m, rk_instance *out, rk_err *err);

/*
 * The number of an expression of its pool.  For who asks for many and fails once: 0 where *code tells of a failure
 * before, and a failure here goes there.
 */
rk_i128 rk_instance_value(const rk_instance *m, rk_ex e, int *code, rk_err *err);

/* Sets the number of a symbol; what is defined by it follows. */
void rk_instance_set(rk_instance *m, rk_sym s, rk_i128 n);

#endif
