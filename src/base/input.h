/* SPDX-License-Identifier: MIT */
/*
 * base/input.h - bytes at positions of a file, or of memory that stands for one.
 *
 * Stage   below every stage.
 * Uses    base/err.h; POSIX files.
 * Memory  an open input holds a file descriptor; name and bytes are borrowed.
 * Threads one input may be read by several threads.
 *
 * Who reads by name asks base/files.h, which opens one.
 */
#ifndef RK_BASE_INPUT_H
#define RK_BASE_INPUT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rk_input {
    const char *name; /* the path, for messages */
    int fd;           /* -1: memory */
    const unsigned char *bytes;
    size_t n;      /* bytes in memory */
    uint64_t size; /* of the whole file */
} rk_input;

/*
 * Opens a regular file of the disk; anything else is refused, and a pipe that no one writes to is not waited for.
 * With `there` not NULL a file that does not exist is no error: *there says whether it does.
 */
int rk_input_open(rk_input *in, const char *path, bool *there, rk_err *err);
rk_input rk_input_memory(const char *name, const void *bytes, size_t n, uint64_t size);
void rk_input_close(rk_input *in);

/* Reads exactly n bytes from position `at`; that they end before the file does was checked by the caller. */
int rk_input_read(const rk_input *in, uint64_t at, void *to, size_t n, rk_err *err);

/* Fails with "name: byte AT: …". */
int rk_input_fail(const rk_input *in, rk_err *err, int code, uint64_t at, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

#endif
