/* SPDX-License-Identifier: MIT */
#include "account/number.h"

#include <string.h>

const rk_number_row rk_number_table[RK_N_NUMBER] = {
#define RK_NUMBER_ROW(ID, word, dtype, scales) {word, RK_DTYPE_##dtype, RK_SCALES_##scales},
    RK_NUMBERS(RK_NUMBER_ROW)
#undef RK_NUMBER_ROW
};

rk_number rk_number_find(const char *word)
{
    for (int i = 0; word && i < RK_N_NUMBER; i++)
        if (strcmp(rk_number_table[i].word, word) == 0)
            return (rk_number)i;
    return RK_NUMBER_SAME;
}

int rk_number_block(rk_number n)
{
    const rk_dtype_row *row = rk_dtype_info(rk_number_table[n].dtype);

    /* Half bytes that run on from row to row need no row of even length. */
    return row->block == 0 || rk_number_table[n].scales == RK_SCALES_RUN ? 1 : row->block;
}

bool rk_number_is_plain(rk_number n)
{
    const rk_dtype_row *row = rk_dtype_info(rk_number_table[n].dtype);

    return n == RK_NUMBER_SAME || (row->family == RK_DTYPE_FAMILY_FLOAT && row->block == 1 && row->bytes >= 2);
}

rk_ex rk_number_bytes(rk_pool *pool, rk_number n, rk_ex count)
{
    const rk_dtype_row *row = rk_dtype_info(rk_number_table[n].dtype);
    rk_ex block = rk_ex_int(pool, row->block), bytes = rk_ex_int(pool, row->bytes);

    if (rk_number_table[n].scales == RK_SCALES_RUN)
        return rk_ex_mul(pool, bytes, rk_ex_ceil_div(pool, count, block));
    return rk_ex_mul(pool, rk_ex_ratio(pool, row->bytes, row->block), count);
}

static rk_ex scales(rk_pool *pool, rk_number n, rk_ex count, rk_ex rows, rk_ex matrices)
{
    switch (rk_number_table[n].scales) {
    case RK_SCALES_MATRIX:
        return matrices;
    case RK_SCALES_ROW:
        return rows;
    case RK_SCALES_RUN:
        return rk_ex_ceil_div(pool, count, rk_ex_int(pool, RK_SCALE_RUN));
    case RK_SCALES_NONE:
        break;
    }
    return rk_ex_int(pool, 0);
}

rk_ex rk_number_matrix(rk_pool *pool, rk_number n, rk_ex count, rk_ex rows, rk_ex matrices)
{
    rk_ex beside = rk_ex_mul(pool, rk_ex_int(pool, RK_SCALE_BYTES), scales(pool, n, count, rows, matrices));

    return rk_ex_add(pool, rk_number_bytes(pool, n, count), beside);
}
