/* SPDX-License-Identifier: MIT */
/*
 * base/file.h - whole small files in, whole files out, and long ones piece by piece.
 *
 * Stage   below every stage.
 * Uses    base/arena.h, base/err.h, base/str.h.
 * Memory  contents live in the given arena.
 * Threads no state.
 */
#ifndef RK_BASE_FILE_H
#define RK_BASE_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/*
 * Reads a file of the disk ("-": standard input) of at most `most` bytes; `*text` is terminated, `*n` its length.
 * A directory, a file over the limit and a file that cannot be read are errors that name the path; a file over the
 * limit is refused without being read.  A pipe is read to its end; one that no one writes to is refused.
 */
int rk_file_read(rk_arena *a, const char *path, size_t most, char **text, size_t *n, rk_err *err);
int rk_file_fail_large(rk_err *err, const char *path, size_t most);

/*
 * Writes a file whole or not at all: to a temporary file beside it, then renamed.  A target that is no regular file
 * (/dev/stdout, a pipe) is written directly.
 */
int rk_file_write(const char *path, const char *text, size_t n, rk_err *err);

/* The same piece by piece; "-" is standard output. */
typedef struct rk_file_stream {
    const char *path; /* for messages; borrowed */
    rk_str target;    /* what a temporary file becomes in the end; empty: it is written directly */
    rk_str temporary;
    int fd;
    bool standard; /* it is standard output, which stays open */
    bool closed;   /* a reader of standard output has seen enough, which is no failure: the rest is dropped */
} rk_file_stream;

int rk_file_stream_open(rk_file_stream *s, const char *path, rk_err *err);
int rk_file_stream_put(rk_file_stream *s, const char *text, size_t n, rk_err *err);

/*
 * From here on a signal that ends the process (SIGINT, SIGTERM, SIGHUP) first removes the temporary file that is being
 * written.  For a command, which owns its process; a library does not call it.
 */
void rk_file_tidy_on_signals(void);

/* Ends it; without `keep` a file is as if nothing had been written.  To be called once after each opening. */
int rk_file_stream_close(rk_file_stream *s, bool keep, rk_err *err);

#endif
