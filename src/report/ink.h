/* SPDX-License-Identifier: MIT */
/*
 * report/ink.h - the styles of a terminal, all in one table, and which thing has which colour.
 *
 * Stage   page -> [the text writer] -> bytes; private to that writer and to charts in a terminal.
 * Uses    base/.
 * Memory  none of its own.
 * Threads no state.
 *
 * A colour stands for one thing within a report: attention is blue in the bar of parameters, in that of operations and
 * in a chart.  Nothing is said by colour alone.
 */
#ifndef RK_REPORT_INK_H
#define RK_REPORT_INK_H

#include "base/str.h"

typedef enum rk_ink {
    RK_INK_PLAIN,
    RK_INK_TITLE,
    RK_INK_STRONG,  /* headings, names of parts, totals */
    RK_INK_FAINT,   /* heads, rules, notes */
    RK_INK_WARNING, /* what may be meant otherwise */
    RK_INK_TYPE,    /* what can be typed: options, command lines, lines of a model file */
    RK_INK_RIGHT,   /* of what somebody wrote */
    RK_INK_SLIP,
    RK_INK_DOUBTFUL,
    RK_INK_HUES /* and above: the hue of a thing */
} rk_ink;

#define RK_N_HUE 8 /* that are told apart; those of report/svg.h */

/* Puts text in an ink; a hue as letters, or as the ground below them. */
void rk_ink_put(rk_str *out, rk_ink ink, const char *text, size_t n);
void rk_ink_put_on(rk_str *out, rk_ink ink, const char *text, size_t n);

/* The hue of a part or of a kind of memory: "layers[0-2].attention" is attention's; grey where none is known. */
rk_ink rk_ink_of_thing(const char *name);

#endif
