/* SPDX-License-Identifier: MIT */
/*
 * tests/t.h - the few words in which unit tests are written.
 *
 * Stage   above every stage: included by each tests/unit/test_*.c, linked to nothing.
 * Uses    libc.
 * Memory  none; texts are only read.
 * Threads counters are plain variables: check from one thread.
 *
 * A test is a program:
 *
 *     int main(void)
 *     {
 *         CHECK(rk_gcd(0, 0) == 0);
 *         CHECK_INT(rk_gcd(12, 18), 6);
 *         CHECK_TEXT(rk_num_text(buf, 7), "7");
 *         return t_done("num");
 *     }
 *
 * A check that fails prints "FILE:LINE: what, got …, want …" and the test goes on; each macro has the value true when
 * its check passed, so that `if (!CHECK(p != NULL)) return;` guards what follows.  Arguments are evaluated once.
 */
#ifndef RK_TESTS_T_H
#define RK_TESTS_T_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define T_UNUSED __attribute__((unused))

__extension__ typedef __int128 t_i128;
__extension__ typedef unsigned __int128 t_u128;

static unsigned long t_n_check T_UNUSED;
static unsigned long t_n_failed T_UNUSED;

#define CHECK(cond) t_check(__FILE__, __LINE__, #cond, (cond) ? true : false)
#define CHECK_TEXT(got, want) t_check_text(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_INT(got, want) t_check_int(__FILE__, __LINE__, #got, (t_i128)(got), (t_i128)(want))

static T_UNUSED bool t_count(bool passed)
{
    t_n_check++;
    if (!passed)
        t_n_failed++;
    return passed;
}

static T_UNUSED bool t_check(const char *file, int line, const char *what, bool passed)
{
    if (!t_count(passed))
        printf("%s:%d: %s, got false, want true\n", file, line, what);
    return passed;
}

/* Prints a text in quotes, control characters made visible, so that a lost newline is seen. */
static T_UNUSED void t_print_text(const char *text)
{
    if (text == NULL) {
        printf("NULL");
        return;
    }
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
        if (*c == '\n')
            printf("\\n");
        else if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            printf("\\x%02x", *c);
        else
            putchar(*c);
    }
    putchar('"');
}

/* NULL equals only NULL. */
static T_UNUSED bool t_check_text(const char *file, int line, const char *what, const char *got, const char *want)
{
    bool passed = got == want || (got != NULL && want != NULL && strcmp(got, want) == 0);

    if (!t_count(passed)) {
        printf("%s:%d: %s, got ", file, line, what);
        t_print_text(got);
        printf(", want ");
        t_print_text(want);
        putchar('\n');
    }
    return passed;
}

static T_UNUSED void t_print_int(t_i128 n)
{
    char digit[48];
    size_t at = sizeof digit - 1;
    /* Negated as unsigned, so that the least number of all has its digits too. */
    t_u128 left = n < 0 ? -(t_u128)n : (t_u128)n;

    digit[at] = '\0';
    do {
        digit[--at] = (char)('0' + (int)(left % 10));
        left /= 10;
    } while (left != 0);
    printf("%s%s", n < 0 ? "-" : "", digit + at);
}

static T_UNUSED bool t_check_int(const char *file, int line, const char *what, t_i128 got, t_i128 want)
{
    bool passed = got == want;

    if (!t_count(passed)) {
        printf("%s:%d: %s, got ", file, line, what);
        t_print_int(got);
        printf(", want ");
        t_print_int(want);
        putchar('\n');
    }
    return passed;
}

/* The last line of a test; its value is the exit status.  A test without checks has failed. */
static T_UNUSED int t_done(const char *name)
{
    if (t_n_failed == 0 && t_n_check > 0)
        printf("%s: %lu checks passed\n", name, t_n_check);
    else
        printf("%s: %lu of %lu checks failed\n", name, t_n_failed, t_n_check);
    return t_n_failed == 0 && t_n_check > 0 ? 0 : 1;
}

#endif
