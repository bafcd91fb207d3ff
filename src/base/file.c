/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_system(rk_err *err, const char *path, const char *doing)
{
    return rk_fail(err, RK_EIO, "%s: cannot %s: %s", path, doing, strerror(errno));
}

/* ---- in --------------------------------------------------------------------------------------------------------- */

static int fail_large(rk_err *err, const char *path, size_t most)
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
        return fail_large(err, path, most);
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
            return fail_large(err, path, most);
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

static int write_all(int fd, const char *path, const char *text, size_t n, rk_err *err)
{
    while (n > 0) {
        ssize_t put = write(fd, text, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return fail_system(err, path, "write");
        text += put;
        n -= (size_t)put;
    }
    return RK_OK;
}

/* Writes to an open file and closes it: some systems report a full disk only then. */
static int write_close(int fd, const char *path, const char *text, size_t n, rk_err *err)
{
    int code = write_all(fd, path, text, n, err);

    if (close(fd) != 0 && code == RK_OK)
        code = fail_system(err, path, "write");
    return code;
}

static int write_direct(const char *path, const char *text, size_t n, rk_err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    return fd < 0 ? fail_system(err, path, "write") : write_close(fd, path, text, n, err);
}

/* Opens a file beside `path` that did not exist; the process id keeps two writers apart. */
static int open_beside(const char *path, rk_str *name)
{
    for (int i = 0; i < 100; i++) {
        int fd;

        rk_str_reset(name);
        rk_str_format(name, "%s.%ld.%d.tmp", path, (long)getpid(), i);
        if (name->failed) {
            errno = ENOMEM;
            return -1;
        }
        fd = open(rk_str_text(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/*
 * `target` is what `path`, the name for messages, stands for; `old`: the file to be replaced, whose permissions are
 * kept, or NULL.
 */
static int write_replace(const char *path, const char *target, const struct stat *old, const char *text, size_t n,
                         rk_err *err)
{
    rk_str name = {0};
    int fd = open_beside(target, &name);
    int code;

    if (fd < 0) {
        code = fail_system(err, path, "write");
    } else {
        if (old && fchmod(fd, old->st_mode & 07777) != 0)
            errno = 0; /* the contents matter more than the permissions */
        code = write_close(fd, path, text, n, err);
        if (code == RK_OK && rename(rk_str_text(&name), target) != 0)
            code = fail_system(err, path, "write");
        if (code != RK_OK)
            unlink(rk_str_text(&name));
    }
    rk_str_free(&name);
    return code;
}

int rk_file_write(const char *path, const char *text, size_t n, rk_err *err)
{
    char real[PATH_MAX];
    struct stat st;

    if (stat(path, &st) != 0)
        return write_replace(path, path, NULL, text, n, err);
    if (S_ISDIR(st.st_mode))
        return rk_fail(err, RK_EIO, "%s: is a directory", path);
    if (!S_ISREG(st.st_mode))
        return write_direct(path, text, n, err);
    /* A symbolic link stays one: what it points to is replaced. */
    return write_replace(path, realpath(path, real) ? real : path, &st, text, n, err);
}
