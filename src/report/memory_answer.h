/* SPDX-License-Identifier: MIT */
/*
 * report/memory_answer.h - the keys of what `reckon memory` answers, which several files fill.
 *
 * Stage   account of memory -> [report] -> document; private to report/.
 * Uses    report/view.h.
 * Memory  none.
 * Threads no state.
 */
#ifndef RK_REPORT_MEMORY_ANSWER_H
#define RK_REPORT_MEMORY_ANSWER_H

#include "account/memory.h"
#include "report/view.h"

enum {
    RK_MEMORY_SYMBOLS = RK_N_ANSWER,
    RK_MEMORY_PROFILE,
    RK_MEMORY_PARAMETERS,
    RK_MEMORY_TRAINED,
    RK_MEMORY_GRADIENTS,
    RK_MEMORY_OPTIMIZER,
    RK_MEMORY_SAVED,
    RK_MEMORY_SAVED_FORMULA,
    RK_MEMORY_CACHE,
    RK_MEMORY_PEAK,
    RK_MEMORY_PER_SEQUENCE,
    RK_MEMORY_PER_TOKEN,
    RK_MEMORY_LOGITS,
    RK_MEMORY_WORKSPACE,
    RK_MEMORY_HELD_AS,
    RK_MEMORY_READ_PER_TOKEN,
    RK_MEMORY_STEP,
    RK_MEMORY_FIRST_STEP,
    RK_MEMORY_ALLOCATOR,
    RK_MEMORY_RECOMPUTE_FLOPS,
    RK_MEMORY_RECOMPUTE_FORMULA,
    RK_MEMORY_WITHIN,
    RK_MEMORY_SAVED_FOR,
    RK_MEMORY_MOMENTS,
    RK_MEMORY_PEAK_ROWS,
    RK_MEMORY_ROWS,
    RK_N_MEMORY
};

/* Of a row of buffers: of one, and of all of them. */
enum {
    RK_BUFFER_PATH,
    RK_BUFFER_WHAT,
    RK_BUFFER_KIND, /* of a cache */
    RK_BUFFER_LAYERS,
    RK_BUFFER_TOKENS,
    RK_BUFFER_BYTES,
    RK_BUFFER_TIMES,
    RK_BUFFER_TOTAL,
    RK_BUFFER_FORMULA,
    RK_BUFFER_GLOSS,
    RK_N_BUFFER
};

extern const rk_fields rk_buffer_fields, rk_profile_fields, rk_serving_fields, rk_within_fields, rk_moment_fields;

/* A row of `t`, whose columns are rk_buffer_fields. */
rk_cell *rk_view_buffer(rk_view *v, rk_table *t, const rk_memory_row *r);

#endif
