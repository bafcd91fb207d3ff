/* SPDX-License-Identifier: MIT */
/*
 * command/run.h - a step as the line says, and quantities of it.
 *
 * Stage   the user's line -> [command] -> plan/run.h.
 * Uses    command/command.h, ask/gauge.h, plan/run.h.
 * Memory  a request borrows the texts of the line, and so does a source, which lives in the arena given.
 * Threads a line is only read: several threads may each open a run of their own.
 *
 *     rk_run run;
 *     code = rk_cmd_run_open(line, &request, &run, err);
 *     if (code == RK_OK) code = rk_memory_new(run.opened.instance, &run.options, &memory, err);
 *     rk_run_close(&run);
 */
#ifndef RK_CMD_RUN_H
#define RK_CMD_RUN_H

#include "ask/gauge.h"
#include "command/command.h"
#include "plan/run.h"

/* clang-format off */
#define RK_CMD_RUN \
    {"--phase", "PHASE", RK_PHASE_WORDS, "a training step, reading a prompt, or one new token"}, \
    {"--profile", "PROFILE", RK_PROFILE_WORDS, "what PyTorch saves for backward, or what a derivation by hand lists"}, \
    {"--recipe", "NAME", RK_RECIPE_WORDS, "a usual set of types (default mixed, fp32 under autocast to bf16, where the config is 16-bit, else fp32)"}, \
    {"--dtype", "TYPE", RK_RUN_TYPE_WORDS, "of weights, activations and gradients (default: to serve the config's, to train --recipe)"}, \
    {"--attention", "HOW", RK_ATTENTION_WORDS, "one operation that stores no scores (flash: even if the model has no sdpa), or several"}, \
    {"--experts", "HOW", RK_EXPERTS_WORDS, "all in one product, sorted by expert, as on GPUs; or one after the other"}, \
    {"--recompute", "WHAT", RK_RECOMPUTE_WORDS, "save everything; all but attention's scores; what enters layers"}, \
    {"--recompute-modules", "LIST", NULL, "parts of layers that are recomputed: layernorm,mlp,moe …"}, \
    {"--recompute-every", "K", NULL, "save what goes into every K-th layer alone (with --recompute full)"}, \
    {"--offload", "LIST", NULL, "what is held by the host: optimizer,gradients,weights,activations"}, \
    {"--optimizer", "NAME", RK_OPTIMIZER_WORDS, "whose state is counted"}, \
    {"--master", "TYPE", RK_MASTER_WORDS, "a second copy of the weights, and the optimizer's state, in fp32"}, \
    {"--grad-dtype", "TYPE", RK_GRADIENT_WORDS, "in which gradients are added up, in buffers that stay"}, \
    {"--accumulate", "N", NULL, "add up the gradients of N passes before each step of the optimizer"}, \
    {"--loss", "LOSS", RK_LOSS_WORDS, "cross entropy: of all tokens at once, or of some at a time; or none"}, \
    {"--loss-chunk", "N", NULL, "so many tokens at a time"}, \
    {"--dropout", "WHAT", RK_DROPOUT_WORDS, "none, or with the probabilities of the config: the masks that PyTorch saves"}, \
    {"--weights", "TYPE", RK_WEIGHT_WORDS, "in which the matrices of linear layers and experts are stored"}, \
    {"--kv-dtype", "TYPE", RK_CACHE_WORDS, "in which keys and values are stored in the cache"}

#define RK_CMD_QUANTITIES \
    "Quantities: flops, flops.backward, flops.step; params, params.active, params.named; moved (memory traffic:\n" \
    "bytes that the operations of a forward pass read and write); memory.peak, memory.saved, memory.weights,\n" \
    "memory.gradients, memory.optimizer, memory.cache.  A quantity of parts is flops:attention or flops:scores+context; parts alone\n" \
    "mean flops of them.  products are the products of two activations, projections those with a weight.  A ratio is\n" \
    "flops:ffn/flops; share:ffn is the same, and intensity is flops/moved."

#define RK_CMD_ADAPT_TYPE \
    {"--lora-dtype", "TYPE", RK_ADAPTER_WORDS, "of adapters and what they compute: fp32, as peft has them, or as the run"}

#define RK_CMD_WITHIN \
    {"--within", "BYTES", NULL, "find the largest batch that needs no more than 80GB, 80GiB …"}

#define RK_CMD_BANDWIDTH \
    {"--bandwidth", "RATE", NULL, "of the memory, as 3.35TB/s: how fast it allows tokens to be decoded"}
/* clang-format on */

/* What the line says of a step of the model that `open` names.  RK_EUSAGE: it contradicts itself. */
int rk_cmd_run_request(const rk_cmd_line *line, const rk_open_request *open, rk_run_request *out, rk_err *err);

/* The step that the line says, of the model that `open` names; on failure there is nothing to close, and closing it
 * does no harm.  RK_EUSAGE: the line contradicts itself. */
int rk_cmd_run_open(const rk_cmd_line *line, const rk_open_request *open, rk_run *out, rk_err *err);

/* The limit of --within in bytes, or 0. */
int rk_cmd_within(const rk_cmd_line *line, rk_i128 *out, rk_err *err);

/* The bytes in a second of --bandwidth, or 0.  RK_EUSAGE: the step is no decoding.  RK_EINPUT: it is no number. */
int rk_cmd_bandwidth(const rk_cmd_line *line, rk_i128 *out, rk_err *err);

/*
 * The source of a gauge for the model of some words, with the settings of the line and `symbol` left to vary.  The line
 * must outlive it.  RK_EUSAGE: options contradict each other.
 */
int rk_cmd_gauge_source(const rk_cmd_line *line, const char *const *word, size_t n_word, const char *const *symbol,
                        size_t n_symbol, rk_cmd_output *out, rk_gauge_source *source, rk_err *err);

/* The same of a request, whose model may be in memory already. */
int rk_cmd_gauge_request(rk_arena *a, const rk_cmd_line *line, const rk_open_request *request,
                         const char *const *symbol, size_t n_symbol, rk_gauge_source *source, rk_err *err);

#endif
