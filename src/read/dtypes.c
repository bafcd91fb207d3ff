/* SPDX-License-Identifier: MIT */
#include "read/dtypes.h"

#include <string.h>

static const rk_dtype_row row[RK_DTYPE_COUNT] = {[RK_DTYPE_UNKNOWN] = {"?", 0, 0, RK_DTYPE_FAMILY_NONE, false, -1},
#define ROW(name, block, bytes, family, in_safetensors, ggml)                                                          \
    [RK_DTYPE_##name] = {#name, block, bytes, RK_DTYPE_FAMILY_##family, in_safetensors, ggml},
                                                 RK_DTYPES(ROW)
#undef ROW
};

const rk_dtype_row *rk_dtype_info(rk_dtype d)
{
    return &row[(unsigned)d < RK_DTYPE_COUNT ? d : RK_DTYPE_UNKNOWN];
}

rk_dtype rk_dtype_of_safetensors(const char *name, size_t len)
{
    for (unsigned i = 1; i < RK_DTYPE_COUNT; i++) {
        if (row[i].in_safetensors && strlen(row[i].name) == len && memcmp(row[i].name, name, len) == 0)
            return (rk_dtype)i;
    }
    return RK_DTYPE_UNKNOWN;
}

rk_dtype rk_dtype_of_ggml(uint32_t number)
{
    for (unsigned i = 1; i < RK_DTYPE_COUNT; i++) {
        if (row[i].ggml >= 0 && (uint32_t)row[i].ggml == number)
            return (rk_dtype)i;
    }
    return RK_DTYPE_UNKNOWN;
}

rk_dtype rk_dtype_of_torch(const char *name)
{
    static const struct {
        const char *name;
        rk_dtype dtype;
    } torch[] = {
        {"bfloat16", RK_DTYPE_BF16},
        {"float16", RK_DTYPE_F16},
        {"half", RK_DTYPE_F16},
        {"float32", RK_DTYPE_F32},
        {"float", RK_DTYPE_F32},
        {"float64", RK_DTYPE_F64},
        {"double", RK_DTYPE_F64},
        {"float8_e4m3fn", RK_DTYPE_F8_E4M3},
        {"float8_e5m2", RK_DTYPE_F8_E5M2},
        {"uint8", RK_DTYPE_U8},
        {"int8", RK_DTYPE_I8},
    };

    name += strncmp(name, "torch.", 6) == 0 ? 6 : 0;
    for (size_t i = 0; i < sizeof torch / sizeof *torch; i++) {
        if (strcmp(torch[i].name, name) == 0)
            return torch[i].dtype;
    }
    return RK_DTYPE_UNKNOWN;
}
