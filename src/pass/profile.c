/* SPDX-License-Identifier: MIT */
#include "pass/profile.h"

#include <string.h>

bool rk_profile_is_eager(const char *const *eager, const char *family)
{
    for (; eager && *eager && family; eager++)
        if (strcmp(*eager, family) == 0)
            return true;
    return false;
}

static rk_i128 round_up(rk_i128 n, rk_i128 unit)
{
    return (n + unit - 1) / unit * unit;
}

rk_i128 rk_profile_block(const rk_profile *p, rk_i128 bytes)
{
    rk_i128 block = round_up(bytes, p->rounding), segment;

    if (p->segment_rounding == 0 || block < p->segment_below)
        return block;
    segment = round_up(block, p->segment_rounding);
    return segment - block > p->remainder ? block : segment;
}

rk_i128 rk_profile_workspaces(const rk_profile *p, bool backward)
{
    return (rk_i128)p->workspace * (backward ? p->workspaces_backward : p->workspaces_forward);
}
