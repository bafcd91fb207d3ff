/* SPDX-License-Identifier: MIT */
/*
 * report/text.h - the pen of the text writer: lines that fit the paper, and colour where it has some.
 *
 * Stage   page -> [the text writer] -> bytes; private to that writer, and to Markdown for what it shows verbatim.
 * Uses    base/, report/ink.h, report/page.h, report/wrap.h.
 * Memory  a pen borrows the page and the text that it writes to.
 * Threads one pen, one thread.
 */
#ifndef RK_REPORT_TEXT_H
#define RK_REPORT_TEXT_H

#include "report/ink.h"
#include "report/page.h"
#include "report/wrap.h"

#include <string.h>

#define RK_PAPER_COLUMNS 140 /* into a file or a pipe: room for all columns */
#define RK_PAPER_COLUMNS_LEAST 20

typedef struct rk_pen {
    const rk_page *page;
    size_t columns;
    size_t indent; /* of one level */
    bool colour;
    bool prose; /* options in a text are told from its words */
    bool flush; /* items begin at the left edge, whatever their level */
    rk_str *out;
} rk_pen;

rk_pen rk_pen_new(const rk_page *p, const rk_paper *paper, rk_str *out);

void rk_pen_put(const rk_pen *pen, rk_ink ink, const char *text, size_t n);
void rk_pen_end_line(const rk_pen *pen); /* spaces at the end of a line are no one's */

/*
 * A paragraph from column `indent` on, its later lines from `indent` + `hang` on.  Where the line has begun already,
 * its first `indent` columns are there.  Returns how many columns of the last line are used.
 */
size_t rk_pen_wrap(const rk_pen *pen, rk_ink ink, size_t indent, size_t hang, rk_breaks how, const char *text);

/* A line of somebody's text: what is said of its pieces stands below it. */
void rk_marked_text(const rk_pen *pen, const rk_item *item);

/* Item i, an equation; those that follow each other at one indent have their signs below each other. */
void rk_pen_equation(const rk_pen *pen, size_t i);

#endif
