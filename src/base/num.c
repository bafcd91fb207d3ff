/* SPDX-License-Identifier: MIT */
#include "base/num.h"

#include <stdint.h>
#include <string.h>

static rk_u128 magnitude(rk_i128 n)
{
    return n < 0 ? -(rk_u128)n : (rk_u128)n;
}

static rk_i128 give_up(rk_acc *acc)
{
    acc->overflow = true;
    return 0;
}

rk_i128 rk_add(rk_acc *acc, rk_i128 a, rk_i128 b)
{
    rk_i128 sum;

    return acc->overflow || __builtin_add_overflow(a, b, &sum) ? give_up(acc) : sum;
}

rk_i128 rk_sub(rk_acc *acc, rk_i128 a, rk_i128 b)
{
    rk_i128 difference;

    return acc->overflow || __builtin_sub_overflow(a, b, &difference) ? give_up(acc) : difference;
}

/*
 * The signed 128-bit builtin needs a function that libgcc lacks when clang compiles it; the unsigned one does not.
 * The magnitude is then given its sign, with room for one more below zero.
 */
rk_i128 rk_mul(rk_acc *acc, rk_i128 a, rk_i128 b)
{
    bool negative = (a < 0) != (b < 0);
    rk_u128 product;

    if (acc->overflow)
        return 0;
    if (a == (int64_t)a && b == (int64_t)b)
        return (rk_i128)(int64_t)a * (int64_t)b;
    if (__builtin_mul_overflow(magnitude(a), magnitude(b), &product) || product > (rk_u128)RK_I128_MAX + negative)
        return give_up(acc);
    return negative ? (rk_i128)-product : (rk_i128)product;
}

rk_i128 rk_pow(rk_acc *acc, rk_i128 a, unsigned e)
{
    rk_i128 power = 1;

    for (;;) {
        if (e & 1)
            power = rk_mul(acc, power, a);
        e >>= 1;
        /* The last square is not needed and must not be what overflows. */
        if (e == 0)
            return power;
        a = rk_mul(acc, a, a);
    }
}

static rk_u128 gcd_wide(rk_u128 a, rk_u128 b)
{
    while (b > UINT64_MAX) {
        rk_u128 rest = a % b;

        a = b;
        b = rest;
    }
    if (b == 0)
        return a;
    /* From here on the machine's own division suffices. */
    for (uint64_t x = (uint64_t)b, y = (uint64_t)(a % b), rest;; x = y, y = rest) {
        if (y == 0)
            return x;
        rest = x % y;
    }
}

rk_i128 rk_gcd(rk_i128 a, rk_i128 b)
{
    rk_u128 g = gcd_wide(magnitude(a), magnitude(b));

    /* gcd(MIN, MIN) and gcd(MIN, 0) do not fit: half of it is still a common divisor. */
    return g > (rk_u128)RK_I128_MAX ? (rk_i128)(g >> 1) : (rk_i128)g;
}

rk_i128 rk_floor_div(rk_acc *acc, rk_i128 a, rk_i128 b)
{
    if (acc->overflow || b == 0 || (a == RK_I128_MIN && b == -1))
        return give_up(acc);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

rk_i128 rk_ceil_div(rk_acc *acc, rk_i128 a, rk_i128 b)
{
    if (acc->overflow || b == 0 || (a == RK_I128_MIN && b == -1))
        return give_up(acc);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* Writes from the end of the buffer, then moves the text to its start; in words of the machine from where it fits. */
static char *write_digits(char buf[RK_NUM_TEXT_MAX], rk_i128 n, bool grouped)
{
    rk_u128 wide = magnitude(n);
    uint64_t rest = (uint64_t)wide;
    char *at = buf + RK_NUM_TEXT_MAX - 1;

    *at = '\0';
    for (int i = 0; i == 0 || rest > 0; i++) {
        unsigned digit;

        if (wide > UINT64_MAX) {
            digit = (unsigned)(wide % 10);
            wide /= 10;
            rest = wide > UINT64_MAX ? 1 : (uint64_t)wide; /* not yet at the end */
        } else {
            digit = (unsigned)(rest % 10);
            rest /= 10;
        }
        if (grouped && i > 0 && i % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + digit);
    }
    if (n < 0)
        *--at = '-';
    return memmove(buf, at, (size_t)(buf + RK_NUM_TEXT_MAX - at));
}

char *rk_num_text(char buf[RK_NUM_TEXT_MAX], rk_i128 n)
{
    char digits[RK_NUM_TEXT_MAX], *at = digits + sizeof digits;
    uint64_t rest;

    if (n < 0 || n > (rk_i128)UINT64_MAX)
        return write_digits(buf, n, false);
    *--at = '\0';
    for (rest = (uint64_t)n; rest > 9; rest /= 10)
        *--at = (char)('0' + rest % 10);
    *--at = (char)('0' + rest);
    return memcpy(buf, at, (size_t)(digits + sizeof digits - at));
}

char *rk_num_grouped(char buf[RK_NUM_TEXT_MAX], rk_i128 n)
{
    return write_digits(buf, n, true);
}

bool rk_num_parse(const char *text, size_t len, rk_i128 *out)
{
    rk_acc acc = {0};
    rk_i128 n = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        n = rk_add(&acc, rk_mul(&acc, n, 10), text[i] - '0');
    }
    if (len == 0 || acc.overflow)
        return false;
    *out = n;
    return true;
}
