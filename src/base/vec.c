/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

#include <stdint.h>
#include <string.h>

bool rk_vec_grow(rk_arena *a, void **at, size_t *cap, size_t n, size_t size)
{
    size_t wider = *cap ? *cap * 2 : 8;
    void *room;

    if (*cap > SIZE_MAX / 2) {
        a->failed = true;
        return false;
    }
    room = rk_alloc_array(a, wider, size);
    if (!room)
        return false;
    if (n)
        memcpy(room, *at, n * size);
    *at = room;
    *cap = wider;
    return true;
}
