/* SPDX-License-Identifier: MIT */
/*
 * A system that has nothing: no files, no environment, no standard streams.
 *
 * A page gives its files to the context (door_file), and the library never prints.  libc could open files all the same,
 * and would have its host bring some twenty functions for that; with these in their place the module asks for none, and
 * whoever looks at it sees that it cannot reach anything.
 */
#include <stddef.h>
#include <wasi/api.h>

#pragma clang diagnostic ignored "-Wunused-parameter"

typedef __wasi_fd_t fd_id;
typedef __wasi_size_t size;

#define NOTHING(name, ...) __wasi_errno_t __wasi_##name(__VA_ARGS__)

/* clang-format off */
NOTHING(fd_close, fd_id fd) { return __WASI_ERRNO_BADF; }
NOTHING(fd_fdstat_get, fd_id fd, __wasi_fdstat_t *out) { return __WASI_ERRNO_BADF; }
NOTHING(fd_fdstat_set_flags, fd_id fd, __wasi_fdflags_t flags) { return __WASI_ERRNO_BADF; }
NOTHING(fd_filestat_get, fd_id fd, __wasi_filestat_t *out) { return __WASI_ERRNO_BADF; }
NOTHING(fd_pread, fd_id fd, const __wasi_iovec_t *to, size_t n, __wasi_filesize_t at, size *out) { return __WASI_ERRNO_BADF; }
NOTHING(fd_prestat_get, fd_id fd, __wasi_prestat_t *out) { return __WASI_ERRNO_BADF; }
NOTHING(fd_prestat_dir_name, fd_id fd, uint8_t *path, size n) { return __WASI_ERRNO_BADF; }
NOTHING(fd_read, fd_id fd, const __wasi_iovec_t *to, size_t n, size *out) { return __WASI_ERRNO_BADF; }
NOTHING(fd_readdir, fd_id fd, uint8_t *to, size n, __wasi_dircookie_t at, size *out) { return __WASI_ERRNO_BADF; }
NOTHING(fd_seek, fd_id fd, __wasi_filedelta_t by, __wasi_whence_t from, __wasi_filesize_t *out) { return __WASI_ERRNO_BADF; }
NOTHING(fd_write, fd_id fd, const __wasi_ciovec_t *from, size_t n, size *out) { return __WASI_ERRNO_BADF; }
NOTHING(path_create_directory, fd_id fd, const char *path) { return __WASI_ERRNO_NOENT; }
NOTHING(path_filestat_get, fd_id fd, __wasi_lookupflags_t flags, const char *path, __wasi_filestat_t *out) { return __WASI_ERRNO_NOENT; }
NOTHING(path_filestat_set_times, fd_id fd, __wasi_lookupflags_t flags, const char *path, __wasi_timestamp_t read,
        __wasi_timestamp_t written, __wasi_fstflags_t which) { return __WASI_ERRNO_NOENT; }
NOTHING(path_link, fd_id fd, __wasi_lookupflags_t flags, const char *path, fd_id other, const char *to) { return __WASI_ERRNO_NOENT; }
NOTHING(path_open, fd_id fd, __wasi_lookupflags_t flags, const char *path, __wasi_oflags_t how, __wasi_rights_t rights,
        __wasi_rights_t rights_inside, __wasi_fdflags_t fd_flags, fd_id *out) { return __WASI_ERRNO_NOENT; }
NOTHING(path_readlink, fd_id fd, const char *path, uint8_t *to, size n, size *out) { return __WASI_ERRNO_NOENT; }
NOTHING(path_remove_directory, fd_id fd, const char *path) { return __WASI_ERRNO_NOENT; }
NOTHING(path_rename, fd_id fd, const char *path, fd_id other, const char *to) { return __WASI_ERRNO_NOENT; }
NOTHING(path_symlink, const char *path, fd_id fd, const char *to) { return __WASI_ERRNO_NOENT; }
NOTHING(path_unlink_file, fd_id fd, const char *path) { return __WASI_ERRNO_NOENT; }
NOTHING(poll_oneoff, const __wasi_subscription_t *in, __wasi_event_t *to, size_t n, size *out) { return __WASI_ERRNO_NOTSUP; }
NOTHING(clock_time_get, __wasi_clockid_t clock, __wasi_timestamp_t precision, __wasi_timestamp_t *out) { return __WASI_ERRNO_NOTSUP; }
NOTHING(random_get, uint8_t *to, size n) { return __WASI_ERRNO_NOTSUP; }
NOTHING(environ_get, uint8_t **names, uint8_t *bytes) { return __WASI_ERRNO_SUCCESS; }
/* clang-format on */

__wasi_errno_t __wasi_environ_sizes_get(size *n, size *n_bytes)
{
    *n = *n_bytes = 0;
    return __WASI_ERRNO_SUCCESS;
}

_Noreturn void __wasi_proc_exit(__wasi_exitcode_t code)
{
    __builtin_trap();
}

/* Debian's builtins of the compiler were made with guards of the stack, of which its libc knows nothing. */
unsigned long __stack_chk_guard = 0x595e9fbdul;
_Noreturn void __stack_chk_fail(void);

_Noreturn void __stack_chk_fail(void)
{
    __builtin_trap();
}
