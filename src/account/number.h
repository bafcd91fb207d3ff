/* SPDX-License-Identifier: MIT */
/*
 * account/number.h - the types in which weights and caches may be held, and the bytes of so many numbers.
 *
 * Stage   program -> [account] -> report.
 * Uses    base/, expr/, read/dtypes.h.
 * Memory  constant data; expressions go into the pool given.
 * Threads as building expressions: the pool alone.
 *
 * X(ID, word, DTYPE, SCALES)
 *
 *   DTYPE    its row in read/dtypes.h: the elements of a block, and the bytes that they take with their scales
 *   SCALES   numbers of fp32 beside a matrix that the blocks do not have in themselves, RK_SCALES_…; a cache that is
 *            held in such a type has none: one factor for a whole tensor belongs to the program, not to the cache
 */
#ifndef RK_ACCOUNT_NUMBER_H
#define RK_ACCOUNT_NUMBER_H

#include "expr/expr.h"
#include "read/dtypes.h"

typedef enum rk_scales {
    RK_SCALES_NONE,
    RK_SCALES_MATRIX, /* one */
    RK_SCALES_ROW,    /* one for each output */
    RK_SCALES_RUN     /* one for each 64 numbers, from the first to the last of the tensor, whatever its rows are */
} rk_scales;

#define RK_SCALE_BYTES 4
#define RK_SCALE_RUN 64 /* as bitsandbytes does */

/* clang-format off */
#define RK_NUMBERS(X) \
    X(SAME,   "same",   UNKNOWN, NONE)   \
    X(FP32,   "fp32",   F32,     NONE)   \
    X(BF16,   "bf16",   BF16,    NONE)   \
    X(FP16,   "fp16",   F16,     NONE)   \
    X(FP8,    "fp8",    F8_E4M3, MATRIX) \
    X(INT8,   "int8",   I8,      ROW)    \
    X(INT4,   "int4",   F4,      ROW)    \
    X(NF4,    "nf4",    F4,      RUN)    \
    X(Q8_0,   "q8_0",   Q8_0,    NONE)   \
    X(Q6_K,   "q6_k",   Q6_K,    NONE)   \
    X(Q5_K,   "q5_k",   Q5_K,    NONE)   \
    X(Q5_1,   "q5_1",   Q5_1,    NONE)   \
    X(Q5_0,   "q5_0",   Q5_0,    NONE)   \
    X(Q4_K,   "q4_k",   Q4_K,    NONE)   \
    X(Q4_1,   "q4_1",   Q4_1,    NONE)   \
    X(Q4_0,   "q4_0",   Q4_0,    NONE)   \
    X(Q3_K,   "q3_k",   Q3_K,    NONE)   \
    X(Q2_K,   "q2_k",   Q2_K,    NONE)   \
    X(IQ4_NL, "iq4_nl", IQ4_NL,  NONE)   \
    X(IQ4_XS, "iq4_xs", IQ4_XS,  NONE)   \
    X(MXFP4,  "mxfp4",  MXFP4,   NONE)   \
    X(NVFP4,  "nvfp4",  NVFP4,   NONE)
/* clang-format on */

typedef enum rk_number {
#define RK_NUMBER_ID(ID, ...) RK_NUMBER_##ID,
    RK_NUMBERS(RK_NUMBER_ID)
#undef RK_NUMBER_ID
    RK_N_NUMBER
} rk_number;

typedef struct rk_number_row {
    const char *word;
    rk_dtype dtype;
    rk_scales scales;
} rk_number_row;

extern const rk_number_row rk_number_table[RK_N_NUMBER];

/* What may be said of weights, in the order of the table, and of a cache; SAME: the type of the run. */
#define RK_WEIGHT_WORDS                                                                                                \
    "same|fp32|bf16|fp16|fp8|int8|int4|nf4|q8_0|q6_k|q5_k|q5_1|q5_0|q4_k|q4_1|q4_0|q3_k|q2_k|iq4_nl|iq4_xs|mxfp4|"     \
    "nvfp4"
#define RK_CACHE_WORDS "same|fp32|bf16|fp16|fp8|int8|q8_0|q5_1|q5_0|q4_1|q4_0|iq4_nl"

rk_number rk_number_find(const char *word); /* RK_NUMBER_SAME where there is none of that name */

/* Numbers that stand together in a block; a row must be a multiple of it. */
int rk_number_block(rk_number n);

/* Whether it is a type in which a model can compute and be trained: no blocks, no scales. */
bool rk_number_is_plain(rk_number n);

/* Bytes of `count` numbers in blocks alone. */
rk_ex rk_number_bytes(rk_pool *pool, rk_number n, rk_ex count);

/* Bytes of a matrix, or of a stack of them, of `count` numbers in all with `rows` outputs in all, scales included. */
rk_ex rk_number_matrix(rk_pool *pool, rk_number n, rk_ex count, rk_ex rows, rk_ex matrices);

#endif
