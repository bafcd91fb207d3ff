/* SPDX-License-Identifier: MIT */
/*
 * report/treemap.h - where something goes, as areas: groups, and the items in them (SVG).
 *
 * Stage   figures -> [a picture] -> bytes.
 * Uses    base/, report/page.h, report/scale.h, report/svg.h.
 * Memory  borrows everything; what is drawn is appended to a text of the caller's.
 * Threads no state.
 *
 * Areas are proportional to the counts.  Items too small to be seen are gathered, in each group, as "others", and so
 * are groups beyond the seventh.  The exact count stands in the tooltip of each area.
 */
#ifndef RK_REPORT_TREEMAP_H
#define RK_REPORT_TREEMAP_H

#include "report/page.h"
#include "report/scale.h"
#include "report/svg.h"

typedef struct rk_treemap_item {
    const char *group; /* "layers.attention"; items of one group need not stand together */
    const char *name;  /* "q_proj.weight" */
    rk_i128 count;     /* what is not positive is left out */
} rk_treemap_item;

typedef struct rk_treemap {
    const char *title, *subtitle; /* or NULL */
    rk_unit_kind unit;
    const char *unit_name; /* "FLOP", "parameters"; NULL: none */
    const rk_treemap_item *item;
    size_t n_item;
} rk_treemap;

void rk_treemap_svg(const rk_treemap *t, rk_svg_theme theme, rk_str *out);

/* A picture of a page, whose arena has all that the map borrows. */
void rk_page_treemap(rk_page *p, const rk_treemap *t);

#endif
