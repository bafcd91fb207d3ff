/* SPDX-License-Identifier: MIT */
/*
 * account/serve.h - the bytes that a decoding step must move, and what it computes.
 *
 * Stage   program, caches, weights -> [account] -> report.
 * Uses    base/, expr/, model/, account/cache.h, account/storage.h, account/ledger.h.
 * Memory  results are plain values.
 * Threads as building a ledger: one instance, one thread.
 *
 * A step reads each weight once, whatever the number of sequences; of a table the rows that are looked up; of the
 * experts of a layer those that some token visits.  Which ones these are is up to the tokens: where each expert is as
 * likely as any other, n tokens that visit A of E experts each are expected to visit E(1 − (1 − A/E)ⁿ) different ones.
 * Real tokens agree more than that, and visit fewer.  Of the cache, what was there before is read and what is new is
 * written.  Activations are not counted: so the bytes are the least that a step moves.
 */
#ifndef RK_ACCOUNT_SERVE_H
#define RK_ACCOUNT_SERVE_H

#include "account/cache.h"
#include "account/storage.h"

typedef struct rk_serving {
    rk_i128 tokens;     /* new ones in a step, of all sequences */
    bool weights_known; /* false: a file has the bytes of all weights alone */
    rk_i128 weights;    /* read, without experts */
    rk_ex weights_formula;
    rk_i128 experts; /* bytes of all that a router chooses from; 0: there are none */
    rk_i128 visited; /* of those, read */
    bool expected;   /* … as an expectation; false: exactly */
    rk_i128 cache, written;
    rk_ex cache_formula, written_formula;
    rk_i128 moved; /* all four together */
    rk_i128 flops;
    rk_i128 bandwidth; /* bytes in a second at which it is moved, where someone says it; 0: not known */
} rk_serving;

/* The most positions of tokens that a table has, where the model looks them up in one; 0: there is none. */
rk_i128 rk_serve_positions(const rk_instance *m);

/*
 * Both models are what a decoding step runs (pass `serve`); `plain` is the ledger of the one without a profile: an
 * implementation may compute experts that no token visits, or a state in another way, and what a step must do is what
 * the equations say.
 */
int rk_serving_new(const rk_instance *m, const rk_ledger *plain, const rk_caches *caches, const rk_storage *storage,
                   rk_serving *out, rk_err *err);

#endif
