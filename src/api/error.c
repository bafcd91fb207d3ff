/* SPDX-License-Identifier: MIT */
/* Errors on their way out, and the version. */
#include "api/api.h"

#include <string.h>

/* The codes are handed through as they are. */
_Static_assert(RECKON_EINPUT == (int)RK_EINPUT && RECKON_EUSAGE == (int)RK_EUSAGE, "codes");
_Static_assert(RECKON_EOVERFLOW == (int)RK_EOVERFLOW && RECKON_ENOMEM == (int)RK_ENOMEM, "codes");
_Static_assert(RECKON_EIO == (int)RK_EIO && RECKON_ELIMIT == (int)RK_ELIMIT, "codes");
_Static_assert(RECKON_EVALUE == (int)RK_EVALUE && RECKON_OK == (int)RK_OK, "codes");
_Static_assert(RECKON_ESTOPPED == (int)RK_ESTOPPED, "codes");
_Static_assert(RECKON_MESSAGE_MAX >= RK_ERR_MESSAGE_MAX, "a message fits");

int rk_api_error(reckon_error *error, int code, const rk_err *from)
{
    if (code == RK_OK || !error)
        return code;
    error->code = code;
    memcpy(error->message, from->message, sizeof from->message);
    return code;
}

int rk_api_fail(reckon_error *error, int code, const char *message)
{
    rk_err err = {0};

    return rk_api_error(error, rk_fail(&err, code, "%s", message), &err);
}

int rk_api_fail_null(reckon_error *error, const char *what)
{
    rk_err err = {0};

    return rk_api_error(error, rk_fail(&err, RK_EUSAGE, "%s is NULL", what), &err);
}

void *rk_api_new(size_t size, rk_err *err)
{
    void *room;

    rk_heap_begin();
    room = rk_heap_alloc(size);
    if (room)
        memset(room, 0, size);
    else
        rk_fail_memory(err);
    return room;
}

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *reckon_version(void)
{
    return VERSION(RECKON_VERSION_MAJOR, RECKON_VERSION_MINOR, RECKON_VERSION_PATCH);
}
