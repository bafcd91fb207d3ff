/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/fuzz.h - what the fuzz targets share.
 *
 * Stage   above every stage.
 * Uses    libc.
 * Memory  none.
 * Threads one.
 *
 * A target is a file with LLVMFuzzerTestOneInput, linked either with libFuzzer (`make fuzz`) or with replay.c, which
 * runs it over the files of a folder as an ordinary test.  A property that does not hold aborts.
 */
#ifndef RK_TESTS_FUZZ_FUZZ_H
#define RK_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FUZZ_BYTES_MAX ((size_t)64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(cond) ((cond) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #cond))

static inline void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
    abort();
}

#endif
