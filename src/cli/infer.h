/* SPDX-License-Identifier: MIT */
/*
 * cli/infer.h - reading a prompt and decoding, as the line says: how many tokens, in which types, at which bandwidth.
 *
 * Stage   the user's line -> [cli] -> options of an account of memory.
 * Uses    base/, plan/, account/memory.h.
 * Memory  what is found lives in the arena of the model that was opened.
 * Threads one line, one thread.
 */
#ifndef RK_CLI_INFER_H
#define RK_CLI_INFER_H

#include "account/memory.h"
#include "cli/cli.h"

/* clang-format off */
#define RK_CLI_INFER \
    {"--weights", "TYPE", RK_WEIGHT_WORDS, "in which the matrices of linear layers and experts are held"}, \
    {"--kv-dtype", "TYPE", RK_CACHE_WORDS, "in which keys and values are held in the cache"}

#define RK_CLI_BANDWIDTH \
    {"--bandwidth", "RATE", NULL, "of the memory, as 3.35TB/s: how fast it allows tokens to be decoded"}
/* clang-format on */

typedef struct rk_cli_infer {
    rk_setting *setting; /* of the line, and what the phase adds to them */
    size_t n_setting;
    rk_i128 bandwidth; /* bytes in a second; 0: not given */
    rk_holding holding;
    rk_open_request request; /* of the model as its equations have it, without a profile */
} rk_cli_infer;

/*
 * The settings of a prefill or a decoding step.  Decoding, a step has one new token (S = 1, or U = 1 in a decoder
 * beside an encoder) unless the line says how many, and sees T keys: as many as S would otherwise be.
 * RK_EINPUT: the cache is shorter than what is new, the model decodes nothing, or a bandwidth is none.
 */
int rk_cli_infer_request(const rk_cli_line *line, rk_phase phase, rk_open_request *request, rk_cli_infer *out,
                         rk_err *err);

/* Whether a symbol counts tokens: S, U or T. */
bool rk_cli_is_length(const char *name);

/* The types in which weights and cache are held: those of the line, of the config, or of the file that was named. */
int rk_cli_infer_options(const rk_cli_line *line, rk_opened *opened, const rk_ledger *ledger, rk_cli_infer *infer,
                         rk_memory_options *o, rk_err *err);

/* What a decoding step moves, and at which bandwidth; nothing in the other phases. */
int rk_cli_infer_serve(const rk_cli_line *line, const rk_cli_infer *infer, const rk_ledger *ledger, rk_memory *m,
                       rk_err *err);

#endif
