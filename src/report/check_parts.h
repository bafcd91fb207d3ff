/* SPDX-License-Identifier: MIT */
/*
 * report/check_parts.h - what the pages of `reckon check` share: remarks, and lines of the text.
 *
 * Stage   claims -> [report] -> bytes; private to report/check*.c.
 * Uses    audit/, report/view.h.
 * Memory  what is made lives in the view.
 * Threads as report/view.h.
 */
#ifndef RK_REPORT_CHECK_PARTS_H
#define RK_REPORT_CHECK_PARTS_H

#include "audit/cause.h"
#include "report/check.h"
#include "report/view.h"

/* A text without names of tensors and rows where people have a word: "layers.attention.q" is the query projection. */
const char *rk_check_plain(rk_view *v, const char *text);

/* "says 7; it is 6: …" */
const char *rk_check_remark(rk_view *v, const rk_claim *c);

/* Of a figure that is left open: "the cache of all tokens: 314,572,800"; NULL: nothing is near. */
const char *rk_check_nearest(rk_view *v, const rk_claim *c);

rk_mark rk_check_mark(const rk_claim *c);

/* The line that a claim stands in, shortened around it. */
void rk_check_quote(rk_view *v, const rk_check_text *t, const rk_claim *c);

/* The text, line by line, with what is said of its claims. */
void rk_check_annotate(rk_view *v, const rk_check_text *t);

#endif
