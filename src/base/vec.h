/* SPDX-License-Identifier: MIT */
/*
 * base/vec.h - growing arrays in an arena.
 *
 * A vector is any struct with the members  T *at; size_t n, cap;  RK_VEC(T) declares one.
 * RK_PUSH returns a pointer to a new zeroed element, or NULL when memory ran out.
 * Old storage stays in the arena until the arena is freed: growth doubles, so at most half is lost.
 */
#ifndef RK_BASE_VEC_H
#define RK_BASE_VEC_H

#include "base/arena.h"

#define RK_VEC(T)                                                                                                      \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        size_t n, cap;                                                                                                 \
    }

/* Makes room for one more element; false when memory ran out. */
bool rk_vec_grow(rk_arena *a, void **at, size_t *cap, size_t n, size_t size);

#define RK_PUSH(arena, v)                                                                                              \
    (((v)->n < (v)->cap || rk_vec_grow((arena), (void **)&(v)->at, &(v)->cap, (v)->n, sizeof *(v)->at))                \
         ? &(v)->at[(v)->n++]                                                                                          \
         : NULL)

#endif
