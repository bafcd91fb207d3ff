/* SPDX-License-Identifier: MIT */
/*
 * api/stored.h - a checkpoint from inside; private to api/.
 *
 * Stage   reckon.h -> [api] -> read, account.
 * Uses    api/api.h, account/stored.h, read/tensors.h.
 * Memory  all in its own arena.
 * Threads built by one thread, and only read after that.
 */
#ifndef RK_API_STORED_H
#define RK_API_STORED_H

#include "api/api.h"

#include "account/stored.h"

struct reckon_stored {
    rk_arena arena;
    rk_store *store;
    reckon_stored_tensor *tensor; /* in the order of the store */
    size_t n_tensor;
    reckon_stored_sum total, *format;
    size_t n_format;
};

#endif
