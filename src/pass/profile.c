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

rk_i128 rk_profile_workspaces(const rk_profile *p, bool backward)
{
    return (rk_i128)p->workspace * (backward ? p->workspaces_backward : p->workspaces_forward);
}
