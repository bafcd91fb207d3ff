/* SPDX-License-Identifier: MIT */
#include "account/recipe.h"

void rk_recipe_init(rk_recipe *r, rk_arena *a, rk_pool *pool)
{
    *r = (rk_recipe){.arena = a, .asked = {.arena = a, .pool = pool}, .census = {.arena = a, .pool = pool}};
}

void rk_recipe_add(rk_recipe *r, rk_held when, rk_ex bytes, rk_i128 times)
{
    rk_share *slot = r && times > 0 ? RK_PUSH(r->arena, &r->share) : NULL;

    if (slot)
        *slot = (rk_share){when, bytes, times};
    else if (r && times > 0)
        r->failed = true;
}

void rk_recipe_add_plain(rk_recipe *r, rk_i128 bytes)
{
    if (r)
        r->plain += bytes;
}

void rk_recipe_pin(rk_recipe *r, rk_ex e, rk_i128 value)
{
    if (r)
        rk_asked_equal(&r->asked, e, rk_ex_int(r->asked.pool, value), true);
}
