/* SPDX-License-Identifier: MIT */
/*
 * report/svg.h - the pen of pictures: a frame, text that is text, colours that everyone tells apart, light and dark.
 *
 * Stage   figures -> [a picture] -> bytes.
 * Uses    base/.
 * Memory  none of its own; what is drawn is appended to a text of the caller's.
 * Threads no state.
 *
 * A picture stands alone: no fonts, scripts or styles from elsewhere.  Every mark carries its colour as an attribute:
 * programs that know no style sheets draw it too.  Where the theme is left to the reader, one rule for each role gives
 * the colours for dark paper.  Several pictures on one page share these rules without harm.
 */
#ifndef RK_REPORT_SVG_H
#define RK_REPORT_SVG_H

#include "base/str.h"

typedef enum rk_svg_theme {
    RK_SVG_BOTH, /* light, or dark where the reader's paper is */
    RK_SVG_LIGHT,
    RK_SVG_DARK
} rk_svg_theme;

/* What a colour is for. */
typedef enum rk_svg_role {
    RK_SVG_PAPER, /* behind everything */
    RK_SVG_INK,   /* titles, names */
    RK_SVG_FAINT, /* ticks, numbers, subtitles */
    RK_SVG_AXIS,  /* lines that bound */
    RK_SVG_GRID,  /* lines behind */
    RK_SVG_N_ROLE
} rk_svg_role;

/* Okabe and Ito's colours, which people with any kind of colour vision tell apart, and grey; olive is their yellow for
 * lines on white.  Series take the first RK_SVG_SERIES in turn. */
typedef enum rk_svg_hue {
    RK_SVG_BLUE,
    RK_SVG_VERMILION,
    RK_SVG_GREEN,
    RK_SVG_PURPLE,
    RK_SVG_ORANGE,
    RK_SVG_SKY,
    RK_SVG_GREY,
    RK_SVG_OLIVE,
    RK_SVG_YELLOW,
    RK_SVG_N_COLOUR
} rk_svg_hue;

enum {
    RK_SVG_SERIES = 8,
    RK_SVG_FONT = 12,
    RK_SVG_KEY = 11, /* a square of a legend, and where its name begins */
    RK_SVG_KEY_ROOM = 17
};

typedef struct rk_svg {
    rk_svg_theme theme;
    rk_str *out;
} rk_svg;

/* "#0072b2" */
const char *rk_svg_colour(rk_svg_hue hue);
const char *rk_svg_series_colour(size_t i);
const char *rk_svg_ink_on(const char *colour); /* black or white: what is read better on "#rrggbb" */

/* Begins and ends a picture; title and description are for readers who cannot see it. */
void rk_svg_begin(const rk_svg *s, double wide, double high, const char *title, const char *description);
void rk_svg_end(const rk_svg *s);

/* A title and a line below it, either may be NULL; and where the last of them stands. */
double rk_svg_heading_height(const char *title, const char *subtitle);
void rk_svg_heading(const rk_svg *s, double x, double room, const char *title, const char *subtitle);

/* A text from anywhere as XML: what no XML may hold is made visible. */
void rk_svg_put_xml(rk_str *out, const char *text);

/* ` fill="#555555" class="rk-faint-fill"`, with a space before it. */
void rk_svg_put_fill(const rk_svg *s, rk_svg_role role);
void rk_svg_put_stroke(const rk_svg *s, rk_svg_role role);

/* Text in the colour of a role; `how` is further attributes, or "". */
void rk_svg_open_text(const rk_svg *s, rk_svg_role role, double x, double y, const char *how);
void rk_svg_close_text(const rk_svg *s);
void rk_svg_text(const rk_svg *s, rk_svg_role role, double x, double y, const char *how, const char *text);

/* Black or white, what is read better on the colour that it stands on; `how` must not be empty. */
void rk_svg_text_on(const rk_svg *s, const char *colour, double x, double y, const char *how, const char *text);

/* As much of it as has room; all of it as a tooltip where that is less. */
void rk_svg_text_within(const rk_svg *s, rk_svg_role role, double x, double y, const char *how, const char *text,
                        double size, double room);
void rk_svg_put_tip(const rk_svg *s, const char *text); /* inside a mark: what is shown when the pointer rests on it */
void rk_svg_line(const rk_svg *s, rk_svg_role role, double x0, double y0, double x1, double y1, const char *how);

/* A square in a colour and what it stands for, in so much room. */
void rk_svg_key(const rk_svg *s, const char *colour, double x, double y, const char *text, double room);

/* About how wide a text is in a sans-serif font of this size; never much less than it is. */
double rk_svg_text_width(const char *text, double size);

/* The text, or as much of it as has room and "…"; whether anything at all is left.  Not yet XML. */
bool rk_svg_fit_text(rk_str *out, const char *text, double size, double room);

#endif
