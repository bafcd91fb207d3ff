/* SPDX-License-Identifier: MIT */
/*
 * account/optimizer.h - what optimizers keep of each tensor, and what a step costs.
 *
 * Stage   ledger -> [account] -> report.
 * Uses    base/, expr/.
 * Memory  constant data.
 * Threads no state.
 *
 * X(ID, word, matrix, sides, other, scales, bytes, text)
 *
 *   matrix   numbers kept for each element of a matrix; sides: for each of its rows and columns
 *   other    numbers kept for each element of any other tensor
 *   scales   numbers of four bytes kept for each 256 elements
 *   bytes    of each of the others; 0: as the run, or as the master weights where there are any
 */
#ifndef RK_ACCOUNT_OPTIMIZER_H
#define RK_ACCOUNT_OPTIMIZER_H

/* clang-format off */
#define RK_OPTIMIZERS(X) \
    X(ADAMW,     "adamw",     2, 0, 2, 0, 0, "two moments of each parameter") \
    X(SGD,       "sgd",       0, 0, 0, 0, 0, "nothing") \
    X(MOMENTUM,  "momentum",  1, 0, 1, 0, 0, "one moment of each parameter") \
    X(LION,      "lion",      1, 0, 1, 0, 0, "one moment of each parameter") \
    X(ADAM8BIT,  "adam8bit",  2, 0, 2, 2, 1, "two moments in eight bits, each with a scale for 256 numbers") \
    X(ADAFACTOR, "adafactor", 0, 1, 1, 0, 4, "sums of the rows and columns of a matrix; of other tensors one moment") \
    X(MUON,      "muon",      1, 0, 2, 0, 0, "one moment of a matrix; of other tensors two")
/* clang-format on */

typedef enum rk_optimizer {
#define RK_OPTIMIZER_ID(ID, ...) RK_OPTIMIZER_##ID,
    RK_OPTIMIZERS(RK_OPTIMIZER_ID)
#undef RK_OPTIMIZER_ID
    RK_N_OPTIMIZER
} rk_optimizer;

typedef struct rk_optimizer_row {
    const char *word;
    int matrix, sides, other, scales, bytes;
    const char *text;
} rk_optimizer_row;

extern const rk_optimizer_row rk_optimizer_table[RK_N_OPTIMIZER];

#define RK_OPTIMIZER_WORDS "adamw|sgd|momentum|lion|adam8bit|adafactor|muon" /* in the order of the table */

#endif
