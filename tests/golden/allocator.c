/* SPDX-License-Identifier: MIT */
/*
 * tests/golden/allocator.c - the model of the caching allocator against the allocator itself.
 *
 * allocator FOLDER: FOLDER/micro.tsv has single requests, and sequences of a few; each FOLDER/NAME.events all requests
 * and frees of two training steps, with the peaks of each part of them.  All bytes are equal.
 *
 * In events, N is a request of N bytes; -K frees the K-th last request; copy N D repeats N events from D events back;
 * peak PART and three numbers: the largest requested, allocated and reserved bytes since the last such line.
 */
#include "account/allocator.h"
#include "base/file.h"
#include "t.h"

#include "../profiles.h"

#include <dirent.h>
#include <stdlib.h>

#define FILE_MAX (1 << 20)
#define EVENTS_MAX 20000

static const rk_profile profile = PROFILE_TORCH;

static void check_peak(const char *path, const char *part, rk_allocator_sums got, const long long want[3])
{
    if (!CHECK_INT(got.requested, want[0]) || !CHECK_INT(got.allocated, want[1]) || !CHECK_INT(got.reserved, want[2]))
        printf("    %s, %s\n", path, part);
}

/* ---- single requests -------------------------------------------------------------------------------------------- */

static void check_micro(rk_arena *a, char *line, rk_allocator **after)
{
    char kind[8];
    long long n[4] = {0};
    rk_allocator *x;
    rk_allocator_sums s;

    if (line[0] == '#' || !CHECK(sscanf(line, "%7s %lld %lld %lld %lld", kind, &n[0], &n[1], &n[2], &n[3]) >= 4))
        return;
    if (!strcmp(kind, "begin")) {
        *after = rk_allocator_new(a, &profile);
        return;
    }
    x = !strcmp(kind, "after") ? *after : rk_allocator_new(a, &profile);
    if (!CHECK(x != NULL))
        return;
    if (!strcmp(kind, "reuse"))
        rk_allocator_free(x, rk_allocator_take(x, n[0]));
    rk_allocator_take(x, !strcmp(kind, "reuse") ? n[1] : n[0]);
    s = rk_allocator_now(x);
    if (!strcmp(kind, "fresh"))
        check_peak(kind, line, s, n + 1);
    else
        check_peak(kind, line, s,
                   (long long[]){(long long)s.requested, n[!strcmp(kind, "reuse") ? 2 : 1],
                                 n[!strcmp(kind, "reuse") ? 3 : 2]});
}

static void check_micros(const char *folder)
{
    char path[1024], *text;
    rk_arena a = {0};
    rk_allocator *after = NULL;
    size_t n;

    snprintf(path, sizeof path, "%s/micro.tsv", folder);
    if (CHECK_INT(rk_file_read(&a, path, FILE_MAX, &text, &n, NULL), RK_OK))
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            check_micro(&a, line, &after);
    rk_arena_free(&a);
}

/* ---- traces ----------------------------------------------------------------------------------------------------- */

typedef struct trace {
    rk_allocator *x;
    long long event[EVENTS_MAX];
    uint32_t block[EVENTS_MAX]; /* of each request */
    size_t n_event, n_request;
} trace;

static void do_event(trace *t, long long n)
{
    if (!CHECK(t->n_event < EVENTS_MAX) || !CHECK(n >= 0 || (size_t)-n <= t->n_request))
        return;
    t->event[t->n_event++] = n;
    if (n >= 0)
        t->block[t->n_request++] = rk_allocator_take(t->x, n);
    else
        rk_allocator_free(t->x, t->block[t->n_request - (size_t)-n]);
}

static void repeat(trace *t, size_t n, size_t back)
{
    for (; n > 0 && CHECK(back <= t->n_event); n--)
        do_event(t, t->event[t->n_event - back]);
}

static void check_trace(rk_arena *a, const char *path, char *text)
{
    trace *t = RK_NEW(a, trace);

    if (!CHECK(t != NULL) || !CHECK((t->x = rk_allocator_new(a, &profile)) != NULL))
        return;
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
        if (!strcmp(word, "copy")) {
            size_t n = strtoul(strtok(NULL, " \n"), NULL, 10);

            repeat(t, n, strtoul(strtok(NULL, " \n"), NULL, 10));
        } else if (!strcmp(word, "peak")) {
            const char *part = strtok(NULL, " \n");
            long long want[3];

            for (size_t i = 0; i < 3; i++)
                want[i] = strtoll(strtok(NULL, " \n"), NULL, 10);
            check_peak(path, part, rk_allocator_peak(t->x), want);
            rk_allocator_reset(t->x);
        } else {
            do_event(t, strtoll(word, NULL, 10));
        }
    CHECK_INT(rk_allocator_check(t->x, NULL), RK_OK);
}

static void check_traces(const char *folder)
{
    DIR *d = opendir(folder);
    size_t n_file = 0;

    for (const struct dirent *e; CHECK(d != NULL) && (e = readdir(d));) {
        char path[1024], *text;
        rk_arena a = {0};
        size_t n;

        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (strlen(path) < 7 || strcmp(path + strlen(path) - 7, ".events") != 0)
            continue;
        n_file++;
        if (CHECK_INT(rk_file_read(&a, path, FILE_MAX, &text, &n, NULL), RK_OK))
            check_trace(&a, path, text);
        rk_arena_free(&a);
    }
    CHECK(n_file > 0);
    if (d)
        closedir(d);
}

/* ---- limits, and memory that runs out --------------------------------------------------------------------------- */

static void check_limits(void)
{
    rk_arena a = {0};
    rk_allocator *x = rk_allocator_new(&a, &profile);
    rk_err err = {0};
    uint32_t block;

    if (!CHECK(x != NULL))
        return;
    rk_allocator_free(x, rk_allocator_take(x, RK_ALLOCATOR_BYTES_MAX));
    CHECK_INT(rk_allocator_check(x, &err), RK_OK);
    CHECK_INT(rk_allocator_now(x).allocated, 0);
    rk_allocator_take(x, RK_ALLOCATOR_BYTES_MAX + 1);
    CHECK_INT(rk_allocator_check(x, &err), RK_ELIMIT);
    x = rk_allocator_new(&a, &profile);
    a.limit = 1;
    block = x ? rk_allocator_take(x, 1) : 0;
    CHECK_INT(x ? rk_allocator_check(x, &err) : RK_OK, RK_ENOMEM);
    if (x)
        rk_allocator_free(x, block);
    rk_arena_free(&a);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    check_micros(argv[1]);
    check_traces(argv[1]);
    check_limits();
    return t_done("allocator");
}
