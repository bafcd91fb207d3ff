/* SPDX-License-Identifier: MIT */
/*
 * A squarified treemap (Bruls, Huizing and van Wijk, 2000): rows are filled, along the shorter side of what is left, as
 * long as their rectangles get no longer and thinner.  Groups have no frames, which would take room from their items:
 * they have colours, and stand in the legend.
 */
#include "report/treemap.h"

#include "base/arena.h"
#include "base/map.h"

#include <math.h>
#include <stdio.h>
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
    struct node *item;
    size_t n_item, look;
    rect at;
} node;

typedef struct drawing {
    const rk_treemap *map;
    rk_svg svg;
    rk_arena arena;
    node *group;
    size_t n_group;
    rk_i128 whole;
    rk_acc acc;
    double top;
} drawing;

/* ---- groups ----------------------------------------------------------------------------------------------------- */

static const char *group_name(const rk_treemap_item *item)
{
    return item->group ? item->group : "";
}

static node *find_group(drawing *d, rk_map *known, const char *name)
{
    uint32_t i = rk_map_get(known, name, strlen(name));

    if (i != RK_NONE)
        return &d->group[i];
    if (!rk_map_put(&d->arena, known, name, strlen(name), (uint32_t)d->n_group))
        return NULL;
    d->group[d->n_group] = (node){.name = name, .order = d->n_group};
    return &d->group[d->n_group++];
}

/* First how many items each group has, then the items themselves. */
static void find_groups(drawing *d, rk_map *known)
{
    const rk_treemap *map = d->map;

    for (size_t i = 0; i < map->n_item; i++) {
        node *g = map->item[i].count > 0 ? find_group(d, known, group_name(&map->item[i])) : NULL;

        if (g) {
            g->count = rk_add(&d->acc, g->count, map->item[i].count);
            d->whole = rk_add(&d->acc, d->whole, map->item[i].count);
            g->n_item++;
        }
    }
    for (size_t i = 0; i < d->n_group; i++) {
        d->group[i].item = RK_NEW_ARRAY(&d->arena, d->group[i].n_item, node);
        d->group[i].n_item = 0;
    }
}

static void fill_groups(drawing *d, const rk_map *known)
{
    for (size_t i = 0; i < d->map->n_item && !d->arena.failed; i++) {
        const rk_treemap_item *item = &d->map->item[i];
        uint32_t g = item->count > 0 ? rk_map_get(known, group_name(item), strlen(group_name(item))) : RK_NONE;

        if (g != RK_NONE)
            d->group[g].item[d->group[g].n_item++] =
                (node){.name = item->name ? item->name : "", .count = item->count, .order = i};
    }
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
    node others = {.name = rk_arena_format(&d->arena, "others (%zu)", d->n_group - first), .look = RK_SVG_GREY};

    for (size_t i = first; i < d->n_group; i++)
        others.n_item += d->group[i].n_item;
    others.item = RK_NEW_ARRAY(&d->arena, others.n_item, node);
    others.n_item = 0;
    for (size_t i = first; i < d->n_group && others.item; i++)
        for (size_t k = 0; k < d->group[i].n_item; k++) {
            node *item = &others.item[others.n_item++];

            *item = d->group[i].item[k];
            item->name = rk_arena_format(&d->arena, "%s.%s", d->group[i].name, item->name);
            others.count += item->count;
        }
    d->group[first] = others;
    d->n_group = first + 1;
}

static void sort_groups(drawing *d)
{
    qsort(d->group, d->n_group, sizeof *d->group, by_count);
    for (size_t i = 0; i < d->n_group; i++)
        d->group[i].look = i < RK_SVG_GREY ? i : i + 1;
    if (d->n_group > GROUPS_MOST - 1)
        gather_groups(d, GROUPS_MOST - 1);
    for (size_t i = 0; i < d->n_group; i++)
        qsort(d->group[i].item, d->group[i].n_item, sizeof *d->group[i].item, by_count);
}

static bool read_map(drawing *d)
{
    rk_map known = {0};

    d->group = RK_NEW_ARRAY(&d->arena, d->map->n_item, node);
    if (!d->group)
        return false;
    find_groups(d, &known);
    if (d->acc.overflow)
        return true;
    fill_groups(d, &known);
    if (!d->arena.failed)
        sort_groups(d);
    return !d->arena.failed;
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
    size_t first = g->n_item;
    rk_i128 sum = 0;

    while (first > 0 && (double)g->item[first - 1].count * scale < SEEN_LEAST)
        sum += g->item[--first].count;
    if (g->n_item - first < 2)
        return;
    g->item[first] =
        (node){.name = rk_arena_format(&d->arena, "others (%zu)", g->n_item - first), .count = sum, .order = g->n_item};
    g->n_item = first + 1;
    qsort(g->item, g->n_item, sizeof *g->item, by_count);
}

static void place_all(drawing *d)
{
    rect all = {MARGIN, d->top, WIDE - 2 * MARGIN, DOWN};

    place_nodes(d->group, d->n_group, d->whole, all);
    for (size_t i = 0; i < d->n_group; i++) {
        gather_items(d, &d->group[i], all.wide * all.high / (double)d->whole);
        place_nodes(d->group[i].item, d->group[i].n_item, d->group[i].count, d->group[i].at);
    }
}

/* ---- drawing ---------------------------------------------------------------------------------------------------- */

static double share_of(const drawing *d, rk_i128 count)
{
    return (double)count / (double)d->whole;
}

static const char *unit_name(const drawing *d)
{
    return d->map->unit_name ? d->map->unit_name : "";
}

/* "layers.ffn: up_proj.weight, 1,234 parameters (12.3%)" */
static void put_tip(const drawing *d, const node *g, const node *item)
{
    rk_str tip = {0};

    rk_str_format(&tip, "%s: %s, ", g->name, item->name);
    rk_str_grouped(&tip, item->count);
    rk_str_format(&tip, " %s%s(", unit_name(d), unit_name(d)[0] ? " " : "");
    rk_unit_put(RK_UNIT_SHARE, "", share_of(d, item->count), &tip);
    rk_str_putc(&tip, ')');
    rk_svg_put_tip(&d->svg, rk_str_text(&tip));
    d->svg.out->failed |= tip.failed;
    rk_str_free(&tip);
}

static void put_inside(const drawing *d, const rect *r, double down, double size, const char *colour, const char *text)
{
    rk_str fit = {0};
    char how[24];

    snprintf(how, sizeof how, "font-size=\"%.0f\"", size);
    if (rk_svg_fit_text(&fit, text, size, r->wide - 10) && down + 4 <= r->high)
        rk_svg_text_on(&d->svg, colour, r->x + 5, r->y + down, how, rk_str_text(&fit));
    d->svg.out->failed |= fit.failed;
    rk_str_free(&fit);
}

/* The number stands only where all of it has room: half a number is a wrong one. */
static void put_count(const drawing *d, const node *item, const char *colour)
{
    rk_str text = {0};

    rk_unit_put(d->map->unit, d->map->unit == RK_UNIT_PLAIN ? "" : unit_name(d), (double)item->count, &text);
    if (rk_svg_text_width(rk_str_text(&text), NUMBER_SIZE) <= item->at.wide - 10)
        put_inside(d, &item->at, 32, NUMBER_SIZE, colour, rk_str_text(&text));
    d->svg.out->failed |= text.failed;
    rk_str_free(&text);
}

static void draw_item(const drawing *d, const node *g, const node *item)
{
    const char *colour = rk_svg_series_colour(g->look);
    const rect *r = &item->at;

    rk_str_format(d->svg.out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"", r->x, r->y,
                  r->wide, r->high, colour);
    rk_svg_put_stroke(&d->svg, RK_SVG_PAPER);
    rk_str_put(d->svg.out, " stroke-width=\"1\">");
    put_tip(d, g, item);
    rk_str_put(d->svg.out, "</rect>\n");
    put_inside(d, r, 17, RK_SVG_FONT, colour, item->name);
    put_count(d, item, colour);
}

static void draw_group(const drawing *d, const node *g)
{
    for (size_t i = 0; i < g->n_item; i++)
        draw_item(d, g, &g->item[i]);
    rk_str_format(d->svg.out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\"", g->at.x,
                  g->at.y, g->at.wide, g->at.high);
    rk_svg_put_stroke(&d->svg, RK_SVG_PAPER);
    rk_str_put(d->svg.out, " stroke-width=\"3\"/>\n");
}

/* Names of groups with their shares, in lines; where the last line stands. */
static double put_legend(const drawing *d, double y, bool draw)
{
    double x = MARGIN;

    for (size_t i = 0; i < d->n_group; i++) {
        rk_str text = {0};
        double wide;

        rk_str_format(&text, "%s ", d->group[i].name);
        rk_unit_put(RK_UNIT_SHARE, "", share_of(d, d->group[i].count), &text);
        wide = fmin(RK_SVG_KEY_ROOM + rk_svg_text_width(rk_str_text(&text), RK_SVG_FONT), WIDE - 2 * MARGIN);
        y += x > MARGIN && x + wide > WIDE - MARGIN ? LEGEND_LINE : 0;
        x = x > MARGIN && x + wide > WIDE - MARGIN ? MARGIN : x;
        if (draw)
            rk_svg_key(&d->svg, rk_svg_series_colour(d->group[i].look), x, y, rk_str_text(&text), wide);
        x += wide + 18;
        d->svg.out->failed |= text.failed;
        rk_str_free(&text);
    }
    return y;
}

static void describe(const drawing *d, rk_str *out)
{
    rk_str_grouped(out, d->whole);
    rk_str_format(out, " %s in %zu groups.", unit_name(d), d->n_group);
    for (size_t i = 0; i < d->n_group; i++) {
        rk_str_format(out, " %s: ", d->group[i].name);
        rk_str_grouped(out, d->group[i].count);
        rk_str_putc(out, '.');
    }
}

static void draw_all(drawing *d, double legend)
{
    const rk_treemap *map = d->map;
    const char *nothing = d->acc.overflow ? "the sum does not fit into 128 bits" : "there is nothing to draw";
    rk_str text = {0};

    describe(d, &text);
    rk_svg_begin(&d->svg, WIDE, d->top + DOWN + MARGIN, map->title ? map->title : "", rk_str_text(&text));
    rk_svg_heading(&d->svg, MARGIN, WIDE - 2 * MARGIN, map->title, map->subtitle);
    put_legend(d, legend, true);
    for (size_t i = 0; i < d->n_group; i++)
        draw_group(d, &d->group[i]);
    if (d->n_group == 0)
        rk_svg_text(&d->svg, RK_SVG_FAINT, MARGIN, legend, "", nothing);
    rk_svg_end(&d->svg);
    d->svg.out->failed |= text.failed;
    rk_str_free(&text);
}

void rk_treemap_svg(const rk_treemap *t, rk_svg_theme theme, rk_str *out)
{
    drawing d = {.map = t, .svg = {theme, out}};
    double legend = rk_svg_heading_height(t->title, t->subtitle) + 26;

    if (!read_map(&d))
        out->failed = true;
    d.n_group = d.acc.overflow || out->failed ? 0 : d.n_group;
    d.top = put_legend(&d, legend, false) + 14;
    if (d.n_group > 0)
        place_all(&d);
    if (!d.arena.failed)
        draw_all(&d, legend);
    out->failed |= d.arena.failed;
    rk_arena_free(&d.arena);
}
