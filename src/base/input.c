/* SPDX-License-Identifier: MIT */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- opening -------------------------------------------------------------------------------------------------- */

static int fail_system(const char *path, const char *doing, rk_err *err)
{
    return rk_fail(err, RK_EIO, "%s: cannot %s: %s", path, doing, strerror(errno));
}

int rk_input_open(rk_input *in, const char *path, bool *there, rk_err *err)
{
    /* O_NONBLOCK: opening a pipe returns at once, so that it can be refused. */
    rk_input opened = {.name = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    bool absent = opened.fd < 0 && errno == ENOENT;
    struct stat st;

    if (there != NULL)
        *there = !absent;
    if (opened.fd < 0)
        return absent && there != NULL ? RK_OK : fail_system(path, "read", err);
    int rc = RK_OK;
    if (fstat(opened.fd, &st) != 0)
        rc = fail_system(path, "read", err);
    else if (!S_ISREG(st.st_mode))
        rc = rk_fail(err, RK_EIO, "%s: %s; a header is read from a regular file", path,
                     S_ISDIR(st.st_mode)    ? "is a directory"
                     : S_ISFIFO(st.st_mode) ? "is a pipe"
                                            : "is no regular file");
    if (rc != RK_OK) {
        close(opened.fd);
        return rc;
    }
    opened.size = (uint64_t)st.st_size;
    *in = opened;
    return RK_OK;
}

rk_input rk_input_memory(const char *name, const void *bytes, size_t n, uint64_t size)
{
    return (rk_input){.name = name, .fd = -1, .bytes = bytes, .n = n, .size = size};
}

void rk_input_close(rk_input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    in->fd = -1;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

int rk_input_read(const rk_input *in, uint64_t at, void *to, size_t n, rk_err *err)
{
    if (in->fd < 0 && (at > in->n || n > in->n - at))
        return rk_input_fail(in, err, RK_EINPUT, at, "%zu bytes are needed, only the first %zu are given", n, in->n);
    if (in->fd < 0) {
        if (n > 0)
            memcpy(to, in->bytes + at, n);
        return RK_OK;
    }
    for (size_t have = 0; have < n;) {
        ssize_t got = pread(in->fd, (char *)to + have, n - have, (off_t)(at + have));

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_system(in->name, "read", err);
        if (got == 0)
            return rk_input_fail(in, err, RK_EIO, at + have, "the file has become shorter while it was read");
        have += (size_t)got;
    }
    return RK_OK;
}

int rk_input_fail(const rk_input *in, rk_err *err, int code, uint64_t at, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    rk_vfail(err, code, fmt, ap);
    va_end(ap);
    return rk_err_context(err, code, "%s: byte %" PRIu64, in->name, at);
}
