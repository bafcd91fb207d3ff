/* SPDX-License-Identifier: MIT */
/*
 * tests/sample.h - which cases of a large test are run.
 *
 * Stage   above every stage: included by tests whose cases are many and alike (all configs, all named models).
 * Uses    libc.
 * Memory  none.
 * Threads any.
 *
 * EVERY=n in the environment runs about one case of n, chosen by its name and SEED=s: the same seed chooses the same
 * cases, and a case that is added leaves the others as they were.  Without EVERY all are run.
 */
#ifndef RK_TESTS_SAMPLE_H
#define RK_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline unsigned long t_every(void)
{
    const char *text = getenv("EVERY");
    unsigned long n = text ? strtoul(text, NULL, 10) : 1;

    return n > 0 ? n : 1;
}

/* A number that follows from a name. */
static inline uint64_t t_hash(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

    for (const char *c = name; *c != '\0'; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    return h ^ h >> 32; /* its low bits alone are poor */
}

/* Which of the EVERY parts a case is in; the first one is run. */
static inline unsigned long t_part(const char *name)
{
    const char *seed = getenv("SEED");
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a of the seed and the name */

    for (const char *c = seed ? seed : "1"; *c != '\0'; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    for (const char *c = name; *c != '\0'; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    /* Its low bits alone are poor. */
    return (unsigned long)((h ^ h >> 32) % t_every());
}

static inline bool t_sampled(const char *name)
{
    return t_part(name) == 0;
}

#endif
