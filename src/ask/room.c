/* SPDX-License-Identifier: MIT */
#include "ask/room.h"

static int bytes_at(void *self, rk_i128 n, rk_i128 *out, rk_err *err)
{
    const rk_room *r = self;
    rk_reading reading[RK_ROOM_MEASURES_MAX] = {{0}};
    int code;

    r->number[r->symbol] = n;
    code = rk_gauge_read(r->gauge, r->number, reading, err);
    if (code == RK_OK)
        *out = reading[0].over;
    return code;
}

int rk_room_find(rk_room *r, rk_i128 limit, rk_fit *out, rk_err *err)
{
    rk_growth grows = {.bytes = bytes_at, .self = r, .most = RK_LARGEST_MAX};

    return rk_largest_find(&grows, limit, out, err);
}
