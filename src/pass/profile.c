/* SPDX-License-Identifier: MIT */
#include "pass/profile.h"

rk_i128 rk_profile_workspaces(const rk_profile *p, bool backward)
{
    return (rk_i128)p->workspace * (backward ? p->workspaces_backward : p->workspaces_forward);
}
