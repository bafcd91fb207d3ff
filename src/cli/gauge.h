/* SPDX-License-Identifier: MIT */
/*
 * cli/gauge.h - quantities of a model as the line says: how it is opened, counted, and run.
 *
 * Stage   the user's line -> [cli] -> ask/gauge.h.
 * Uses    cli/run.h, ask/gauge.h.
 * Memory  a source borrows the line, and lives in its arena.
 * Threads one line, one thread; a source may then be used by several.
 */
#ifndef RK_CLI_GAUGE_H
#define RK_CLI_GAUGE_H

#include "ask/gauge.h"
#include "cli/run.h"

/* clang-format off */
#define RK_CLI_QUANTITIES \
    "Quantities: flops, flops.backward, flops.step; params, params.active, params.named; moved (bytes that the\n" \
    "operations of a forward pass read and write); memory.peak, memory.saved, memory.weights, memory.gradients,\n" \
    "memory.optimizer, memory.cache.  A quantity of parts is flops:attention or flops:scores+context; parts alone\n" \
    "mean flops of them.  products are the products of two activations, projections those with a weight.  A ratio is\n" \
    "flops:ffn/flops; share:ffn is the same, and intensity is flops/moved."
/* clang-format on */

/*
 * The source of a gauge for the model of some words, with the settings of the line and `symbol` left to vary.  The line
 * must outlive it.  RK_EUSAGE: options contradict each other.
 */
int rk_cli_gauge_source(const rk_cli_line *line, const char *const *word, size_t n_word, const char *const *symbol,
                        size_t n_symbol, rk_cli_output *out, rk_gauge_source *source, rk_err *err);

/* The same of a request, whose model may be in memory already. */
int rk_cli_gauge_request(rk_arena *a, const rk_cli_line *line, const rk_open_request *request,
                         const char *const *symbol, size_t n_symbol, rk_gauge_source *source, rk_err *err);

#endif
