/* SPDX-License-Identifier: MIT */
/* Counts of 128 bits for callers whose compilers have none. */
#include "api/api.h"

static rk_u128 wide(reckon_count n)
{
    return (rk_u128)n.high << 64 | n.low;
}

static reckon_count narrow(rk_u128 n)
{
    reckon_count c = {(uint64_t)n, (uint64_t)(n >> 64)};

    return c;
}

/* Writes from the end of the buffer, then moves the text to its start. */
char *reckon_count_text(reckon_count n, char separator, char text[RECKON_COUNT_TEXT_MAX])
{
    char digits[RECKON_COUNT_TEXT_MAX], *at = digits + sizeof digits - 1;
    rk_u128 rest = wide(n);
    char *out = text;

    if (!text)
        return NULL;
    *at = '\0';
    for (int i = 0; i == 0 || rest > 0; i++, rest /= 10) {
        if (separator && i > 0 && i % 3 == 0)
            *--at = separator;
        *--at = (char)('0' + (int)(rest % 10));
    }
    while ((*out++ = *at++))
        ;
    return text;
}

int reckon_count_u64(reckon_count n, uint64_t *out)
{
    if (!out)
        return RECKON_EUSAGE;
    if (n.high)
        return RECKON_EOVERFLOW;
    *out = n.low;
    return RECKON_OK;
}

double reckon_count_rounded(reckon_count n)
{
    return (double)wide(n);
}

int reckon_count_add(reckon_count a, reckon_count b, reckon_count *out)
{
    rk_u128 sum;

    if (!out)
        return RECKON_EUSAGE;
    if (__builtin_add_overflow(wide(a), wide(b), &sum))
        return RECKON_EOVERFLOW;
    *out = narrow(sum);
    return RECKON_OK;
}

int reckon_count_multiply(reckon_count a, reckon_count b, reckon_count *out)
{
    rk_u128 product;

    if (!out)
        return RECKON_EUSAGE;
    if (__builtin_mul_overflow(wide(a), wide(b), &product))
        return RECKON_EOVERFLOW;
    *out = narrow(product);
    return RECKON_OK;
}

int reckon_count_compare(reckon_count a, reckon_count b)
{
    return (wide(a) > wide(b)) - (wide(a) < wide(b));
}

int rk_api_count(rk_i128 n, reckon_count *out, rk_err *err)
{
    char text[RK_NUM_TEXT_MAX];

    if (n < 0)
        return rk_fail(err, RK_EVALUE, "this would be %s: at these numbers the model makes no sense",
                       rk_num_grouped(text, n));
    *out = narrow((rk_u128)n);
    return RK_OK;
}
