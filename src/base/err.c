/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

int rk_vfail(rk_err *err, int code, const char *fmt, va_list ap)
{
    char text[RK_ERR_MESSAGE_MAX]; /* the arguments may point into err->message itself */
    static const char ellipsis[] = "…";
    int n;

    if (!err)
        return code;
    n = vsnprintf(text, sizeof text, fmt, ap);
    if (n < 0)
        text[0] = '\0';
    else if ((size_t)n >= sizeof text)
        memcpy(text + rk_utf8_cut(text, sizeof text, sizeof text - sizeof ellipsis), ellipsis, sizeof ellipsis);
    err->code = code;
    memcpy(err->message, text, sizeof text);
    return code;
}

int rk_fail(rk_err *err, int code, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    rk_vfail(err, code, fmt, ap);
    va_end(ap);
    return code;
}

int rk_fail_memory(rk_err *err)
{
    return rk_fail(err, RK_ENOMEM, "out of memory");
}

int rk_err_context(rk_err *err, int code, const char *fmt, ...)
{
    char context[RK_ERR_MESSAGE_MAX];
    va_list ap;

    if (!err)
        return code;
    va_start(ap, fmt);
    if (vsnprintf(context, sizeof context, fmt, ap) < 0)
        context[0] = '\0';
    va_end(ap);
    return rk_fail(err, code, "%s: %s", context, err->message);
}

int rk_after_try(int code, const rk_err *why, rk_err *err)
{
    if (code != RK_ENOMEM && code != RK_EIO && code != RK_ESTOPPED)
        return RK_OK;
    if (err)
        *err = *why;
    return code;
}
