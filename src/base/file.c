/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include "base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static int fail_system(rk_err *err, const char *path, const char *doing)
{
    return rk_fail(err, RK_EIO, "%s: cannot %s: %s", path, doing, strerror(errno));
}

/* ---- in --------------------------------------------------------------------------------------------------------- */

int rk_file_fail_large(rk_err *err, const char *path, size_t most)
{
    return rk_fail(err, RK_ELIMIT, "%s: larger than %zu bytes", path, most);
}

/* Refuses what is known to be wrong before a byte is read. */
static int check_source(int fd, const char *path, size_t most, rk_err *err)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return fail_system(err, path, "read");
    if (S_ISDIR(st.st_mode))
        return rk_fail(err, RK_EIO, "%s: is a directory", path);
    if (S_ISREG(st.st_mode) && (unsigned long long)st.st_size > most)
        return rk_file_fail_large(err, path, most);
    return RK_OK;
}

enum {
    WRITER_MS = 1000 /* for which a writer of a pipe may be late: a shell starts both ends in any order */
};

/*
 * The file was opened so that opening waits for no one.  A pipe to which someone may still write is waited for, however
 * long; one that has no writer would never end.
 */
static int await_writer(int fd, const char *path, rk_str *all, rk_err *err)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    struct stat st;
    ssize_t got = 1;
    char byte;

    if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && poll(&ready, 1, WRITER_MS) == 0) {
        got = read(fd, &byte, 1);
        rk_str_putn(all, &byte, got > 0 ? 1 : 0);
    }
    if (got == 0)
        return rk_fail(err, RK_EIO, "%s: is a pipe, and no one writes to it", path);
    return fcntl(fd, F_SETFL, 0) == 0 ? RK_OK : fail_system(err, path, "read");
}

/* A pipe does not tell its size, and a file may grow: read until the end or one byte too many. */
static int read_all(int fd, const char *path, size_t most, rk_str *all, rk_err *err)
{
    char block[16384];

    for (;;) {
        ssize_t got = read(fd, block, sizeof block);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_system(err, path, "read");
        if (got == 0)
            return all->failed ? rk_fail_memory(err) : RK_OK;
        if ((size_t)got > most - all->n)
            return rk_file_fail_large(err, path, most);
        rk_str_putn(all, block, (size_t)got);
        if (all->failed)
            return rk_fail_memory(err);
    }
}

static int read_open(rk_arena *a, int fd, const char *path, size_t most, char **text, size_t *n, rk_err *err)
{
    rk_str all = {0};
    char *copy = NULL;
    int code = check_source(fd, path, most, err);

    if (code == RK_OK && (fcntl(fd, F_GETFL) & O_NONBLOCK))
        code = await_writer(fd, path, &all, err);
    if (code == RK_OK)
        code = read_all(fd, path, most, &all, err);
    if (code == RK_OK) {
        copy = rk_arena_copy(a, rk_str_text(&all), all.n);
        code = copy ? RK_OK : rk_fail_memory(err);
    }
    if (code == RK_OK) {
        *text = copy;
        *n = all.n;
    }
    rk_str_free(&all);
    return code;
}

int rk_file_read(rk_arena *a, const char *path, size_t most, char **text, size_t *n, rk_err *err)
{
    int fd, code;

    if (strcmp(path, "-") == 0)
        return read_open(a, STDIN_FILENO, "standard input", most, text, n, err);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail_system(err, path, "read");
    code = read_open(a, fd, path, most, text, n, err);
    close(fd);
    return code;
}

/* ---- out -------------------------------------------------------------------------------------------------------- */

/* The temporary file that is there now, for the signal that ends the process. */
static char unfinished[PATH_MAX];
static volatile rk_signal_flag is_unfinished;

static void tidy(int number)
{
    if (is_unfinished)
        unlink(unfinished);
    rk_end_by_signal(number);
}

void rk_file_tidy_on_signals(void)
{
    rk_before_signals_end(tidy);
}

/* A name that is too long is not kept: then the file stays. */
static void set_unfinished(const rk_str *name)
{
    is_unfinished = 0;
    if (name && name->n < sizeof unfinished) {
        memcpy(unfinished, rk_str_text(name), name->n + 1);
        is_unfinished = 1;
    }
}

/* Opens a file beside `path` that did not exist; the process id keeps two writers apart. */
static int open_beside(const char *path, rk_str *name)
{
    for (int i = 0; i < 100; i++) {
        int fd;

        rk_str_reset(name);
        rk_str_format(name, "%s.%ld.%d.tmp", path, rk_process_number(), i);
        if (name->failed) {
            errno = ENOMEM;
            return -1;
        }
        fd = open(rk_str_text(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            set_unfinished(name);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* A temporary file beside the target, with the permissions of the file that it replaces. */
static int open_temporary(rk_file_stream *s, const char *target, const struct stat *old, rk_err *err)
{
    rk_str_put(&s->target, target);
    if (s->target.failed)
        return rk_fail_memory(err);
    s->fd = open_beside(target, &s->temporary);
    if (s->fd < 0)
        return fail_system(err, s->path, "write");
    if (old && !rk_set_permissions(s->fd, old->st_mode & 07777))
        errno = 0; /* the contents matter more than the permissions */
    return RK_OK;
}

static int open_target(rk_file_stream *s, rk_err *err)
{
    char real[PATH_MAX];
    struct stat st;

    if (stat(s->path, &st) != 0) {
        bool link = lstat(s->path, &st) == 0 && S_ISLNK(st.st_mode);

        return link ? rk_fail(err, RK_EIO, "%s: is a link to a file that is not there", s->path)
                    : open_temporary(s, s->path, NULL, err);
    }
    if (S_ISDIR(st.st_mode))
        return rk_fail(err, RK_EIO, "%s: is a directory", s->path);
    if (!S_ISREG(st.st_mode)) {
        s->fd = open(s->path, O_WRONLY | O_CLOEXEC);
        return s->fd < 0 ? fail_system(err, s->path, "write") : RK_OK;
    }
    /* A symbolic link stays one: what it points to is replaced. */
    return open_temporary(s, rk_real_path(s->path, real) ? real : s->path, &st, err);
}

static void release(rk_file_stream *s)
{
    rk_str_free(&s->temporary);
    rk_str_free(&s->target);
    *s = (rk_file_stream){.fd = -1};
}

int rk_file_stream_open(rk_file_stream *s, const char *path, rk_err *err)
{
    int code;

    *s = (rk_file_stream){.path = path, .fd = STDOUT_FILENO, .standard = strcmp(path, "-") == 0};
    if (s->standard)
        return RK_OK;
    s->fd = -1;
    code = open_target(s, err);
    if (code != RK_OK)
        release(s);
    return code;
}

int rk_file_stream_put(rk_file_stream *s, const char *text, size_t n, rk_err *err)
{
    while (n > 0 && !s->closed) {
        ssize_t put = write(s->fd, text, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EPIPE && s->standard)
            s->closed = true;
        else if (put < 0 && s->standard)
            return rk_fail(err, RK_EIO, "cannot write to standard output: %s", strerror(errno));
        else if (put < 0)
            return fail_system(err, s->path, "write");
        text += put > 0 ? put : 0;
        n -= put > 0 ? (size_t)put : 0;
    }
    return RK_OK;
}

int rk_file_stream_close(rk_file_stream *s, bool keep, rk_err *err)
{
    int code = RK_OK;

    /* Some systems report a full disk only when a file is closed. */
    if (!s->standard && close(s->fd) != 0 && keep)
        code = fail_system(err, s->path, "write");
    if (s->target.n && code == RK_OK && keep && rename(rk_str_text(&s->temporary), rk_str_text(&s->target)) != 0)
        code = fail_system(err, s->path, "write");
    if (s->target.n && (code != RK_OK || !keep))
        unlink(rk_str_text(&s->temporary));
    set_unfinished(NULL);
    release(s);
    return code;
}

int rk_file_write(const char *path, const char *text, size_t n, rk_err *err)
{
    rk_file_stream s;
    int code = rk_file_stream_open(&s, path, err), closed;

    if (code != RK_OK)
        return code;
    code = rk_file_stream_put(&s, text, n, err);
    closed = rk_file_stream_close(&s, code == RK_OK, err);
    return code == RK_OK ? closed : code;
}
