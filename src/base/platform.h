/* SPDX-License-Identifier: MIT */
/*
 * base/platform.h - what WebAssembly (wasm32-wasi) has not: links resolved, permissions, signals, process ids, threads.
 *
 * Stage   below every stage.
 * Uses    libc.
 * Memory  none.
 * Threads no state.
 *
 * All that differs between a POSIX system and a module in a page is said here, so that every source compiles for both.
 */
#ifndef RK_BASE_PLATFORM_H
#define RK_BASE_PLATFORM_H

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __wasi__
#define RK_HAS_THREADS 0
#define RK_HAS_REAL_PATH 0
typedef int rk_signal_flag;
#else
#include <signal.h>
#define RK_HAS_THREADS 1
#define RK_HAS_REAL_PATH 1
typedef sig_atomic_t rk_signal_flag; /* what a handler of signals may read */
#endif

/* Threads that can run at the same time. */
static inline unsigned rk_core_count(void)
{
#ifdef __wasi__
    return 1;
#else
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores > 0 ? (unsigned)cores : 1;
#endif
}

/* Where a path leads, links followed; false: it is not there, or the system does not tell. */
static inline bool rk_real_path(const char *path, char out[PATH_MAX])
{
#ifdef __wasi__
    (void)path, (void)out;
    return false;
#else
    return realpath(path, out) != NULL;
#endif
}

/* Gives an open file these permissions; false: it has those that it had. */
static inline bool rk_set_permissions(int fd, mode_t mode)
{
#ifdef __wasi__
    (void)fd, (void)mode;
    return false;
#else
    return fchmod(fd, mode) == 0;
#endif
}

/* A number that two processes which run at the same time do not share. */
static inline long rk_process_number(void)
{
#ifdef __wasi__
    return 0;
#else
    return (long)getpid();
#endif
}

/*
 * Has `last` called before a signal ends the process: SIGHUP, SIGINT or SIGTERM, where it was not ignored (nohup).
 * `last` may do what a handler of signals may, and is given the number for rk_end_by_signal.
 */
static inline void rk_before_signals_end(void (*last)(int))
{
#ifdef __wasi__
    (void)last;
#else
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (signal(ends[i], last) == SIG_IGN)
            signal(ends[i], SIG_IGN);
#endif
}

static inline void rk_end_by_signal(int number)
{
#ifdef __wasi__
    (void)number;
#else
    signal(number, SIG_DFL);
    raise(number);
#endif
}

#endif
