/* SPDX-License-Identifier: MIT */
/* Counts of 128 bits, and the version. */
#include "reckon.h"

#include "../t.h"

#ifndef PROJECT_VERSION
#define PROJECT_VERSION "unknown"
#endif

static reckon_count count(uint64_t high, uint64_t low)
{
    reckon_count n = {low, high};

    return n;
}

static bool is(reckon_count n, uint64_t high, uint64_t low)
{
    return n.high == high && n.low == low;
}

static void test_text(void)
{
    char text[RECKON_COUNT_TEXT_MAX];

    CHECK_TEXT(reckon_count_text(count(0, 0), ',', text), "0");
    CHECK_TEXT(reckon_count_text(count(0, 999), ',', text), "999");
    CHECK_TEXT(reckon_count_text(count(0, 1000), ',', text), "1,000");
    CHECK_TEXT(reckon_count_text(count(0, 1000), '\0', text), "1000");
    CHECK_TEXT(reckon_count_text(count(0, 1557611200), '\'', text), "1'557'611'200");
    CHECK_TEXT(reckon_count_text(count(1, 0), ',', text), "18,446,744,073,709,551,616");
    CHECK_TEXT(reckon_count_text(count(UINT64_MAX, UINT64_MAX), '\0', text), "340282366920938463463374607431768211455");
    CHECK_TEXT(reckon_count_text(count(UINT64_MAX, UINT64_MAX), ',', text),
               "340,282,366,920,938,463,463,374,607,431,768,211,455");
    CHECK(reckon_count_text(count(0, 1), ',', NULL) == NULL);
}

static void test_narrow(void)
{
    uint64_t n = 7;

    CHECK_INT(reckon_count_u64(count(0, UINT64_MAX), &n), RECKON_OK);
    CHECK(n == UINT64_MAX);
    n = 7;
    CHECK_INT(reckon_count_u64(count(1, 0), &n), RECKON_EOVERFLOW);
    CHECK(n == 7);
    CHECK_INT(reckon_count_u64(count(0, 1), NULL), RECKON_EUSAGE);
    CHECK(reckon_count_rounded(count(0, 3)) == 3.0);
    CHECK(reckon_count_rounded(count(1, 0)) == 18446744073709551616.0);
    /* 2^53 + 1 is the first that a double does not have. */
    CHECK(reckon_count_rounded(count(0, 9007199254740993)) == 9007199254740992.0);
}

static void test_arithmetic(void)
{
    reckon_count n = count(3, 4);

    CHECK_INT(reckon_count_add(count(0, UINT64_MAX), count(0, 1), &n), RECKON_OK);
    CHECK(is(n, 1, 0));
    CHECK_INT(reckon_count_multiply(count(0, UINT64_MAX), count(0, UINT64_MAX), &n), RECKON_OK);
    CHECK(is(n, UINT64_MAX - 1, 1));
    n = count(3, 4);
    CHECK_INT(reckon_count_add(count(UINT64_MAX, UINT64_MAX), count(0, 1), &n), RECKON_EOVERFLOW);
    CHECK_INT(reckon_count_multiply(count(1, 0), count(1, 0), &n), RECKON_EOVERFLOW);
    CHECK(is(n, 3, 4));
    CHECK_INT(reckon_count_add(n, n, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_count_multiply(n, n, NULL), RECKON_EUSAGE);
}

static void test_compare(void)
{
    CHECK(reckon_count_compare(count(0, 1), count(0, 2)) < 0);
    CHECK(reckon_count_compare(count(1, 0), count(0, 2)) > 0);
    CHECK(reckon_count_compare(count(1, 5), count(1, 5)) == 0);
}

int main(void)
{
    test_text();
    test_narrow();
    test_arithmetic();
    test_compare();
    CHECK_TEXT(reckon_version(), PROJECT_VERSION);
    return t_done("api count");
}
