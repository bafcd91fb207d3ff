/* SPDX-License-Identifier: MIT */
/*
 * A squarified treemap (Bruls, Huizing and van Wijk, 2000): rows are filled, along the shorter side of what is left, as
 * long as their rectangles get no longer and thinner.  Groups have no frames, which would take room from their items:
 * they have colours, and stand in the legend.
 */
#include "report/treemap.h"

#include "base/map.h"
#include "report/page.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDE = 760,
    DOWN = 400,
    MARGIN = 20,
    LEGEND_LINE = 20,
    NUMBER_SIZE = 11,
    GROUPS_MOST = RK_SVG_SERIES
};

#define SEEN_LEAST 30.0 /* square units of paper: items that are smaller are gathered */

typedef struct rect {
    double x, y, wide, high;
} rect;

/* A group with its items, or an item without any. */
typedef struct node {
    const char *name;
    rk_i128 count;
    size_t order; /* as given: equal ones stay in their order */
    RK_VEC(struct node) item;
    size_t look;
    rect at;
} node;

typedef struct drawing {
    const rk_treemap *map;
    const char *unit_name;
    rk_svg svg;
    rk_arena arena;
    RK_VEC(node) group;
    rk_i128 whole;
    rk_acc acc;
    double top;
} drawing;

/* ---- groups ----------------------------------------------------------------------------------------------------- */

static node *find_group(drawing *d, rk_map *known, const char *name)
{
    uint32_t i = rk_map_get(known, name, strlen(name));
    node *g;

    if (i != RK_NONE)
        return &d->group.at[i];
    if (!rk_map_put(&d->arena, known, name, strlen(name), (uint32_t)d->group.n))
        return NULL;
    g = RK_PUSH(&d->arena, &d->group);
    if (g)
        *g = (node){.name = name, .order = d->group.n - 1};
    return g;
}

static void put_item(drawing *d, node *group, const node *item)
{
    node *to = RK_PUSH(&d->arena, &group->item);

    if (to)
        *to = *item;
    group->count = rk_add(&d->acc, group->count, item->count);
}

static int by_count(const void *a, const void *b)
{
    const node *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The groups from `first` on become one, whose items say where they come from. */
static void gather_groups(drawing *d, size_t first)
{
    node others = {.name = rk_arena_format(&d->arena, "others (%zu)", d->group.n - first), .look = RK_SVG_GREY};

    for (size_t i = first; i < d->group.n; i++)
        for (size_t k = 0; k < d->group.at[i].item.n; k++) {
            node item = d->group.at[i].item.at[k];

            item.name = rk_arena_format(&d->arena, "%s.%s", d->group.at[i].name, item.name);
            put_item(d, &others, &item);
        }
    d->group.at[first] = others;
    d->group.n = first + 1;
}

static void read_map(drawing *d)
{
    rk_map known = {0};

    for (size_t i = 0; i < d->map->n_item && !d->arena.failed; i++) {
        const rk_treemap_item *item = &d->map->item[i];
        node *g = item->count > 0 ? find_group(d, &known, item->group ? item->group : "") : NULL;

        if (!g)
            continue;
        put_item(d, g, &(node){.name = item->name ? item->name : "", .count = item->count, .order = i});
        d->whole = rk_add(&d->acc, d->whole, item->count);
    }
    if (d->acc.overflow || d->arena.failed) {
        d->group.n = 0;
        return;
    }
    if (d->group.n > 0)
        qsort(d->group.at, d->group.n, sizeof *d->group.at, by_count);
    for (size_t i = 0; i < d->group.n; i++)
        d->group.at[i].look = i < RK_SVG_GREY ? i : i + 1;
    if (d->group.n > GROUPS_MOST - 1)
        gather_groups(d, GROUPS_MOST - 1);
    for (size_t i = 0; i < d->group.n; i++)
        qsort(d->group.at[i].item.at, d->group.at[i].item.n, sizeof(node), by_count);
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* How far the rectangles of a row are from squares, at worst. */
static double worst(double least, double most, double sum, double side)
{
    return fmax(side * side * most / (sum * sum), sum * sum / (side * side * least));
}

/* How many of the nodes make the next row along that side, and how large they are together. */
static size_t fill_row(const node *n, size_t n_node, double scale, double side, double *sum)
{
    double most = (double)n[0].count * scale;
    size_t in_row = 1;

    for (*sum = most; in_row < n_node; in_row++) {
        double last = (double)n[in_row - 1].count * scale, next = (double)n[in_row].count * scale;

        if (worst(next, most, *sum + next, side) > worst(last, most, *sum, side))
            break;
        *sum += next;
    }
    return in_row;
}

static void place_row(node *n, size_t in_row, double scale, double sum, rect *left)
{
    bool upright = left->wide >= left->high; /* the row stands at the left */
    double side = upright ? left->high : left->wide, thick = sum / side, at = 0;

    for (size_t i = 0; i < in_row; i++) {
        double length = (double)n[i].count * scale / thick;

        n[i].at = upright ? (rect){left->x, left->y + at, thick, length} : (rect){left->x + at, left->y, length, thick};
        at += length;
    }
    if (upright)
        *left = (rect){left->x + thick, left->y, left->wide - thick, left->high};
    else
        *left = (rect){left->x, left->y + thick, left->wide, left->high - thick};
}

/* Nodes, largest first, fill a rectangle. */
static void place_nodes(node *n, size_t n_node, rk_i128 whole, rect in)
{
    double scale = in.wide * in.high / (double)whole;

    for (size_t i = 0; i < n_node;) {
        double sum, side = fmin(in.wide, in.high);
        size_t in_row = fill_row(n + i, n_node - i, scale, fmax(side, 1e-9), &sum);

        place_row(n + i, in_row, scale, sum, &in);
        i += in_row;
    }
}

/* What is too small to be seen, if it is more than one, is gathered: its sum may be. */
static void gather_items(drawing *d, node *g, double scale)
{
    node *item = g->item.at;
    size_t first = g->item.n;
    rk_i128 sum = 0;

    while (first > 0 && (double)item[first - 1].count * scale < SEEN_LEAST)
        sum += item[--first].count;
    if (g->item.n - first < 2)
        return;
    item[first] =
        (node){.name = rk_arena_format(&d->arena, "others (%zu)", g->item.n - first), .count = sum, .order = SIZE_MAX};
    g->item.n = first + 1;
    qsort(item, g->item.n, sizeof *item, by_count);
}

static void place_all(drawing *d)
{
    rect all = {MARGIN, d->top, WIDE - 2 * MARGIN, DOWN};

    place_nodes(d->group.at, d->group.n, d->whole, all);
    for (size_t i = 0; i < d->group.n; i++) {
        node *g = &d->group.at[i];

        gather_items(d, g, all.wide * all.high / (double)d->whole);
        place_nodes(g->item.at, g->item.n, g->count, g->at);
    }
}

/* ---- drawing ---------------------------------------------------------------------------------------------------- */

static const char *share_text(drawing *d, rk_i128 count)
{
    rk_str s = {0};

    rk_unit_put(RK_UNIT_SHARE, "", (double)count / (double)d->whole, &s);
    return rk_text_keep(&d->arena, &s);
}

/* "layers.ffn: up_proj.weight, 1,234 parameters (12.3%)" */
static void put_tip(drawing *d, const node *g, const node *item)
{
    rk_str tip = {0};

    rk_str_format(&tip, "%s: %s, ", g->name, item->name);
    rk_str_grouped(&tip, item->count);
    rk_str_format(&tip, " %s%s(%s)", d->unit_name, d->unit_name[0] ? " " : "", share_text(d, item->count));
    rk_svg_put_tip(&d->svg, rk_text_keep(&d->arena, &tip));
}

static void put_inside(drawing *d, const rect *r, double down, double size, const char *colour, const char *text)
{
    rk_str fit = {0};
    char how[24];

    snprintf(how, sizeof how, "font-size=\"%.0f\"", size);
    if (rk_svg_fit_text(&fit, text, size, r->wide - 10) && down + 4 <= r->high)
        rk_svg_text_on(&d->svg, colour, r->x + 5, r->y + down, how, rk_str_text(&fit));
    d->svg.out->failed |= fit.failed;
    rk_str_free(&fit);
}

static void put_rect(const drawing *d, const rect *r, const char *colour, const char *stroke)
{
    rk_str_format(d->svg.out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"", r->x, r->y,
                  r->wide, r->high, colour);
    rk_svg_put_stroke(&d->svg, RK_SVG_PAPER);
    rk_str_format(d->svg.out, " stroke-width=\"%s", stroke);
}

static void draw_item(drawing *d, const node *g, const node *item)
{
    const char *colour = rk_svg_series_colour(g->look), *count;
    rk_str text = {0};

    put_rect(d, &item->at, colour, "1\">");
    put_tip(d, g, item);
    rk_str_put(d->svg.out, "</rect>\n");
    put_inside(d, &item->at, 17, RK_SVG_FONT, colour, item->name);
    /* The number stands only where all of it has room: half a number is a wrong one. */
    rk_unit_put(d->map->unit, d->map->unit == RK_UNIT_PLAIN ? "" : d->unit_name, (double)item->count, &text);
    count = rk_text_keep(&d->arena, &text);
    if (rk_svg_text_width(count, NUMBER_SIZE) <= item->at.wide - 10)
        put_inside(d, &item->at, 32, NUMBER_SIZE, colour, count);
}

/* Names of groups with their shares, in lines; where the last line stands. */
static double put_legend(drawing *d, double y, bool draw)
{
    double x = MARGIN;

    for (size_t i = 0; i < d->group.n; i++) {
        const node *g = &d->group.at[i];
        const char *text = rk_arena_format(&d->arena, "%s %s", g->name, share_text(d, g->count));
        double wide;

        text = text ? text : "";
        wide = fmin(RK_SVG_KEY_ROOM + rk_svg_text_width(text, RK_SVG_FONT), WIDE - 2 * MARGIN);
        if (x > MARGIN && x + wide > WIDE - MARGIN) {
            x = MARGIN;
            y += LEGEND_LINE;
        }
        if (draw)
            rk_svg_key(&d->svg, rk_svg_series_colour(g->look), x, y, text, wide);
        x += wide + 18;
    }
    return y;
}

static const char *describe(drawing *d)
{
    rk_str s = {0};

    rk_str_grouped(&s, d->whole);
    rk_str_format(&s, " %s in %zu groups.", d->unit_name, d->group.n);
    for (size_t i = 0; i < d->group.n; i++) {
        rk_str_format(&s, " %s: ", d->group.at[i].name);
        rk_str_grouped(&s, d->group.at[i].count);
        rk_str_putc(&s, '.');
    }
    return rk_text_keep(&d->arena, &s);
}

static void draw_all(drawing *d, double legend)
{
    const rk_treemap *map = d->map;
    const char *nothing = d->acc.overflow ? "the sum does not fit into 128 bits" : "there is nothing to draw";

    rk_svg_begin(&d->svg, WIDE, d->top + DOWN + MARGIN, map->title ? map->title : "", describe(d));
    rk_svg_heading(&d->svg, MARGIN, WIDE - 2 * MARGIN, map->title, map->subtitle);
    put_legend(d, legend, true);
    for (size_t i = 0; i < d->group.n; i++) {
        const node *g = &d->group.at[i];

        for (size_t k = 0; k < g->item.n; k++)
            draw_item(d, g, &g->item.at[k]);
        put_rect(d, &g->at, "none", "3\"/>\n");
    }
    if (d->group.n == 0)
        rk_svg_text(&d->svg, RK_SVG_FAINT, MARGIN, legend, "", nothing);
    rk_svg_end(&d->svg);
}

void rk_treemap_svg(const rk_treemap *t, rk_svg_theme theme, rk_str *out)
{
    drawing d = {.map = t, .unit_name = t->unit_name ? t->unit_name : "", .svg = {theme, out}};
    double legend = rk_svg_heading_height(t->title, t->subtitle) + 26;

    read_map(&d);
    d.top = put_legend(&d, legend, false) + 14;
    if (d.group.n > 0)
        place_all(&d);
    if (!d.arena.failed)
        draw_all(&d, legend);
    out->failed |= d.arena.failed;
    rk_arena_free(&d.arena);
}

static void draw_svg(const void *map, rk_svg_theme theme, rk_str *out)
{
    rk_treemap_svg(map, theme, out);
}

void rk_page_treemap(rk_page *p, const rk_treemap *t)
{
    rk_treemap *own = rk_arena_copy_array(p->arena, t, 1, sizeof *t);

    p->failed |= !own;
    if (own)
        rk_page_picture(p, (rk_picture){.data = own, .svg = draw_svg}, NULL);
}
