/* SPDX-License-Identifier: MIT */
/*
 * read/dtypes.h - the number formats in which checkpoints store tensors, in one table.
 *
 * Stage   bytes -> [read] -> tensor table.
 * Uses    libc.
 * Memory  static data.
 * Threads no state.
 *
 * A row: X(name, elements of a block, bytes of a block, family, whether safetensors has it, its number in GGUF or -1).
 * A plain number is a block of one element; formats of less than a byte are blocks that fill bytes.
 *
 * Sources: safetensors 0.8.0, `enum Dtype` and `bitsize` of its Rust crate; GGUF: `enum ggml_type` of ggml.h and the
 * block structs of ggml-common.h (llama.cpp, 2026).  The rows 31 to 33 are no longer written; files that have them are
 * read, as they are blocks of Q4_0 in another order.  Q8_1 is 36 bytes since its two scales are halves.
 */
#ifndef RK_READ_DTYPES_H
#define RK_READ_DTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define RK_DTYPES(X)                        \
    X(F64,         1,   8, FLOAT,   1, 28)  \
    X(F32,         1,   4, FLOAT,   1,  0)  \
    X(F16,         1,   2, FLOAT,   1,  1)  \
    X(BF16,        1,   2, FLOAT,   1, 30)  \
    X(F8_E4M3,     1,   1, FLOAT,   1, -1)  \
    X(F8_E5M2,     1,   1, FLOAT,   1, -1)  \
    X(F8_E8M0,     1,   1, FLOAT,   1, -1)  \
    X(F8_E4M3FNUZ, 1,   1, FLOAT,   1, -1)  \
    X(F8_E5M2FNUZ, 1,   1, FLOAT,   1, -1)  \
    X(F6_E2M3,     4,   3, FLOAT,   1, -1)  \
    X(F6_E3M2,     4,   3, FLOAT,   1, -1)  \
    X(F4,          2,   1, FLOAT,   1, -1)  \
    X(C64,         1,   8, COMPLEX, 1, -1)  \
    X(I64,         1,   8, WHOLE,   1, 27)  \
    X(I32,         1,   4, WHOLE,   1, 26)  \
    X(I16,         1,   2, WHOLE,   1, 25)  \
    X(I8,          1,   1, WHOLE,   1, 24)  \
    X(U64,         1,   8, WHOLE,   1, -1)  \
    X(U32,         1,   4, WHOLE,   1, -1)  \
    X(U16,         1,   2, WHOLE,   1, -1)  \
    X(U8,          1,   1, WHOLE,   1, -1)  \
    X(BOOL,        1,   1, TRUTH,   1, -1)  \
    X(Q4_0,       32,  18, BLOCK,   0,  2)  \
    X(Q4_1,       32,  20, BLOCK,   0,  3)  \
    X(Q5_0,       32,  22, BLOCK,   0,  6)  \
    X(Q5_1,       32,  24, BLOCK,   0,  7)  \
    X(Q8_0,       32,  34, BLOCK,   0,  8)  \
    X(Q8_1,       32,  36, BLOCK,   0,  9)  \
    X(Q2_K,      256,  84, BLOCK,   0, 10)  \
    X(Q3_K,      256, 110, BLOCK,   0, 11)  \
    X(Q4_K,      256, 144, BLOCK,   0, 12)  \
    X(Q5_K,      256, 176, BLOCK,   0, 13)  \
    X(Q6_K,      256, 210, BLOCK,   0, 14)  \
    X(Q8_K,      256, 292, BLOCK,   0, 15)  \
    X(IQ2_XXS,   256,  66, BLOCK,   0, 16)  \
    X(IQ2_XS,    256,  74, BLOCK,   0, 17)  \
    X(IQ3_XXS,   256,  98, BLOCK,   0, 18)  \
    X(IQ1_S,     256,  50, BLOCK,   0, 19)  \
    X(IQ4_NL,     32,  18, BLOCK,   0, 20)  \
    X(IQ3_S,     256, 110, BLOCK,   0, 21)  \
    X(IQ2_S,     256,  82, BLOCK,   0, 22)  \
    X(IQ4_XS,    256, 136, BLOCK,   0, 23)  \
    X(IQ1_M,     256,  56, BLOCK,   0, 29)  \
    X(Q4_0_4_4,   32,  18, BLOCK,   0, 31)  \
    X(Q4_0_4_8,   32,  18, BLOCK,   0, 32)  \
    X(Q4_0_8_8,   32,  18, BLOCK,   0, 33)  \
    X(TQ1_0,     256,  54, BLOCK,   0, 34)  \
    X(TQ2_0,     256,  66, BLOCK,   0, 35)  \
    X(MXFP4,      32,  17, BLOCK,   0, 39)  \
    X(NVFP4,      64,  36, BLOCK,   0, 40)  \
    X(Q1_0,      128,  18, BLOCK,   0, 41)  \
    X(Q2_0,       64,  18, BLOCK,   0, 42)
/* clang-format on */

typedef enum rk_dtype {
    RK_DTYPE_UNKNOWN, /* only the tensor's name is known */
#define RK_DTYPE_ID(name, ...) RK_DTYPE_##name,
    RK_DTYPES(RK_DTYPE_ID)
#undef RK_DTYPE_ID
    RK_DTYPE_COUNT
} rk_dtype;

typedef enum rk_dtype_family {
    RK_DTYPE_FAMILY_NONE,
    RK_DTYPE_FAMILY_FLOAT,
    RK_DTYPE_FAMILY_COMPLEX,
    RK_DTYPE_FAMILY_WHOLE,
    RK_DTYPE_FAMILY_TRUTH,
    RK_DTYPE_FAMILY_BLOCK /* quantised in blocks that carry their scales */
} rk_dtype_family;

typedef struct rk_dtype_row {
    const char *name;
    uint16_t block, bytes; /* elements of a block, and the bytes that they take */
    rk_dtype_family family;
    bool in_safetensors;
    int ggml; /* its number in GGUF, or -1 */
} rk_dtype_row;

/* The row of a format; that of RK_DTYPE_UNKNOWN is named "?" and has blocks of 0 elements and 0 bytes. */
const rk_dtype_row *rk_dtype_info(rk_dtype d);

/* RK_DTYPE_UNKNOWN where the file format has none of that name or number. */
rk_dtype rk_dtype_of_safetensors(const char *name, size_t len);
rk_dtype rk_dtype_of_ggml(uint32_t number);

/* By the name that configs use: bfloat16, torch.float16, half. */
rk_dtype rk_dtype_of_torch(const char *name);

#endif
