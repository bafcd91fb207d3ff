/* SPDX-License-Identifier: MIT */
/*
 * report/serving.h - prompts and decoding in `reckon memory`: the cache, memory traffic, how fast it can be.
 *
 * Stage   account of memory -> [report] -> bytes; private to report/.
 * Uses    account/memory.h, account/serve.h, report/view.h.
 * Memory  on the page of the view.
 * Threads one view, one thread.
 */
#ifndef RK_REPORT_SERVING_H
#define RK_REPORT_SERVING_H

#include "account/memory.h"
#include "report/view.h"

extern const char *const rk_phase_text[]; /* "a training step" */
extern const char *const rk_phase_word[]; /* "train" */

/* "cache", "per sequence", "per token", "logits" and "workspace", each by a call of `put`. */
typedef void rk_put_part(rk_view *v, rk_table *t, int indent, const char *name, rk_i128 bytes, rk_ex formula);
void rk_view_put_cache_parts(rk_view *v, rk_table *t, const rk_memory *m, rk_put_part *put);

/* A table of the cache, by kind of layer; one of the memory traffic of a step; the bound that follows. */
void rk_view_put_caches(rk_view *v, rk_cell *in, const rk_memory *m); /* also "rows" of the answer */
void rk_view_put_serving(rk_view *v, const rk_memory *m, const rk_serving *s);

/* A quotient with two digits after the point, rounded down: "2.41". */
const char *rk_view_quotient(rk_view *v, rk_i128 a, rk_i128 b);

/* Hundredths of tokens in a second at most, at its bandwidth. */
rk_i128 rk_serving_bound(const rk_serving *s);

/* How weights are stored, where that is not the type of the run. */
void rk_view_put_storage(rk_view *v, const rk_memory *m);

/* Positions that the model has learned fewer of than it is asked for; how weights and cache are stored. */
void rk_view_put_serving_notes(rk_view *v, const rk_memory *m);

/* All of it in the answer of `reckon memory`. */
void rk_view_serving(rk_view *v, rk_cell *answer, const rk_memory *m, const rk_serving *s);

#endif
