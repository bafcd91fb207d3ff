/* SPDX-License-Identifier: MIT */
/*
 * bench/audit.c - how fast a written account is read and checked: a hundred pages of headings, prose, lists and
 * tables with totals, and formulas, each page with 45 lines; half of that, and double.  Growth must be linear.
 */
#include "audit/audit.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 5

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void put_rows(rk_str *s, unsigned long long first)
{
    unsigned long long sum = 0;

    for (unsigned i = 0; i < 10; i++) {
        unsigned long long n = (first + i) * 4096;

        sum += n;
        rk_str_format(s, "- part %u: $%llu \\times 4096 = %llu$ FLOPs\n", i, first + i, n);
    }
    rk_str_format(s, "- total: %llu FLOPs\n\n", sum);
}

static void put_table(rk_str *s, unsigned long long first)
{
    rk_str_put(s, "| part | formula | bytes |\n|---|---|---:|\n");
    for (unsigned i = 0; i < 8; i++)
        rk_str_format(s, "| row %u | `2BTd` | %llu |\n", i, first * 1024);
    rk_str_format(s, "| total | `16BTd` | %llu |\n\n", first * 8192);
}

static void put_page(rk_str *s, unsigned page)
{
    unsigned long long d = 1024 + page;

    rk_str_format(s, "## Page %u\n\nHere $D = %llu$ and $T = 2048$, so that $2TD^2 = %llu$.\n\n", page, d,
                  2 * 2048 * d * d);
    put_rows(s, d);
    put_table(s, d);
    for (unsigned i = 0; i < 14; i++)
        rk_str_format(s,
                      "A sentence of the kind that fills pages, with 12 heads, 3.5 %% of nothing, and %u × %u = %u.\n",
                      i + 2, page + 2, (i + 2) * (page + 2));
    rk_str_put(s, "\n");
}

static void measure(const rk_lexicon *l, unsigned pages)
{
    rk_str s = {0};
    double best = 1e9;
    size_t n_claim = 0;

    for (unsigned i = 0; i < pages; i++)
        put_page(&s, i);
    for (int i = 0; i < ROUNDS; i++) {
        double start = now();
        rk_audit *a = NULL;

        if (s.failed || rk_audit_new(l, s.text, s.n, &a, NULL) != RK_OK || a->n_status[RK_CLAIM_WRONG] > 0)
            exit(1);
        n_claim = a->claim.n;
        rk_audit_free(a);
        best = now() - start < best ? now() - start : best;
    }
    printf("%4u pages  %7zu bytes  %6zu claims  %7.1f ms\n", pages, s.n, n_claim, best * 1e3);
    rk_str_free(&s);
}

int main(void)
{
    rk_arena arena = {0};
    rk_lexicon lexicon;

    if (rk_lexicon_read(&(rk_library){0}, &arena, &lexicon, NULL) != RK_OK)
        return 1;
    measure(&lexicon, 50);
    measure(&lexicon, 100);
    measure(&lexicon, 200);
    rk_arena_free(&arena);
    return 0;
}
