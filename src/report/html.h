/* SPDX-License-Identifier: MIT */
/*
 * report/html.h - formulas as HTML: symbols slanted, powers raised.
 *
 * Stage   page -> [the HTML writer] -> bytes; private to that writer.
 * Uses    base/, report/svg.h.
 * Memory  appends to a text of the caller's.
 * Threads no state.
 */
#ifndef RK_REPORT_HTML_H
#define RK_REPORT_HTML_H

#include "base/str.h"

/* A formula as rk_ex_print writes it: 8BSD² becomes 8<i>BSD</i><sup>2</sup>. */
void rk_html_put_formula(rk_str *out, const char *text);

#endif
