/* SPDX-License-Identifier: MIT */
/*
 * base/err.h - errors are values.
 *
 * Stage   below every stage.
 * Uses    libc.
 * Memory  the caller owns the struct; nothing is allocated.
 * Threads no state.
 *
 * A function that can fail returns RK_OK (0) or a negative code and fills the caller's rk_err, which
 * may be NULL.  Context is added on the way up: "llama-3.1-8b: layer 3: …".
 */
#ifndef RK_BASE_ERR_H
#define RK_BASE_ERR_H

#include <stdarg.h>

enum {
    RK_OK = 0,
    RK_EINPUT = -1,    /* the input is wrong: a model file, a config, a value */
    RK_EUSAGE = -2,    /* the call is wrong: an option, an argument */
    RK_EOVERFLOW = -3, /* a count needs more than 128 bits */
    RK_ENOMEM = -4,    /* memory ran out */
    RK_EIO = -5,       /* the system refused: a file cannot be read or written */
    RK_ELIMIT = -6,    /* a named limit was reached */
    RK_EVALUE = -7,    /* a symbol has no value, or a value is not what is needed (not a whole number …) */
    RK_ESTOPPED = -8   /* who asked wants no more of it */
};

#define RK_ERR_MESSAGE_MAX 2048

typedef struct rk_err {
    int code;
    char message[RK_ERR_MESSAGE_MAX]; /* always terminated; longer texts end in "…" */
} rk_err;

/* Fills `err` (when not NULL) and returns `code`, so that `return rk_fail(err, …)` reads well. */
int rk_fail(rk_err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int rk_vfail(rk_err *err, int code, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));

/* RK_ENOMEM with the one message that it needs. */
int rk_fail_memory(rk_err *err);

/*
 * What comes of a try that ended with `code`, told in `why`: what cannot be had is no failure of who tried it; that
 * there is no memory, that nothing can be read, or that it was stopped is, and is passed on.
 */
int rk_after_try(int code, const rk_err *why, rk_err *err);

/* Puts "context: " before the message; keeps and returns the code. */
int rk_err_context(rk_err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
