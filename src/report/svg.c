/* SPDX-License-Identifier: MIT */
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- colours ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *light, *dark;
} role_table[RK_SVG_N_ROLE] = {
    [RK_SVG_PAPER] = {"paper", "#ffffff", "#16181c"}, [RK_SVG_INK] = {"ink", "#1a1a1a", "#ececec"},
    [RK_SVG_FAINT] = {"faint", "#555555", "#a8adb5"}, [RK_SVG_AXIS] = {"axis", "#555555", "#8b9098"},
    [RK_SVG_GRID] = {"grid", "#e4e4e4", "#32363d"},
};

static const char *const colour_table[RK_SVG_N_COLOUR] = {
    [RK_SVG_BLUE] = "#0072b2",   [RK_SVG_VERMILION] = "#d55e00", [RK_SVG_GREEN] = "#009e73",
    [RK_SVG_PURPLE] = "#cc79a7", [RK_SVG_ORANGE] = "#e69f00",    [RK_SVG_SKY] = "#56b4e9",
    [RK_SVG_GREY] = "#8c8c8c",   [RK_SVG_OLIVE] = "#a89a1c",     [RK_SVG_YELLOW] = "#f0e442",
};

const char *rk_svg_colour(rk_svg_hue hue)
{
    return colour_table[hue];
}

const char *rk_svg_series_colour(size_t i)
{
    return colour_table[i % RK_SVG_SERIES];
}

/* The relative luminance of WCAG 2: black is read better above 0.18. */
const char *rk_svg_ink_on(const char *colour)
{
    static const double weight[] = {0.2126, 0.7152, 0.0722};
    double luminance = 0;

    for (size_t i = 0; i < LENGTH(weight) && strlen(colour) == strlen("#rrggbb"); i++) {
        char digits[] = {colour[1 + 2 * i], colour[2 + 2 * i], '\0'};

        luminance += weight[i] * pow((double)strtol(digits, NULL, 16) / 255, 2.2);
    }
    return luminance > 0.18 ? "#000000" : "#ffffff";
}

static void put_paint(const rk_svg *s, const char *what, rk_svg_role role, const char *class_end)
{
    rk_str_format(s->out, " %s=\"%s\" class=\"rk-%s%s\"", what,
                  s->theme == RK_SVG_DARK ? role_table[role].dark : role_table[role].light, role_table[role].name,
                  class_end);
}

void rk_svg_put_fill(const rk_svg *s, rk_svg_role role)
{
    put_paint(s, "fill", role, "");
}

void rk_svg_put_stroke(const rk_svg *s, rk_svg_role role)
{
    put_paint(s, "stroke", role, "-line");
}

/* ---- the frame -------------------------------------------------------------------------------------------------- */

void rk_svg_begin(const rk_svg *s, double wide, double high, const char *title, const char *description)
{
    rk_str_format(s->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%d\" role=\"img\" "
                  "style=\"max-width: 100%%; height: auto\">\n<title>",
                  wide, high, wide, high, RK_SVG_FONT);
    rk_svg_put_xml(s->out, title);
    rk_str_put(s->out, "</title>\n<desc>");
    rk_svg_put_xml(s->out, description);
    rk_str_put(s->out, "</desc>\n");
    if (s->theme == RK_SVG_BOTH) {
        /* Rules go before attributes, so these few are enough. */
        rk_str_put(s->out, "<style>@media (prefers-color-scheme: dark) {\n");
        for (size_t i = 0; i < RK_SVG_N_ROLE; i++)
            rk_str_format(s->out, ".rk-%s { fill: %s } .rk-%s-line { stroke: %s }\n", role_table[i].name,
                          role_table[i].dark, role_table[i].name, role_table[i].dark);
        rk_str_put(s->out, "}</style>\n");
    }
    rk_str_format(s->out, "<rect width=\"%.0f\" height=\"%.0f\"", wide, high);
    rk_svg_put_fill(s, RK_SVG_PAPER);
    rk_str_put(s->out, "/>\n");
}

void rk_svg_end(const rk_svg *s)
{
    rk_str_put(s->out, "</svg>\n");
}

enum {
    HEADING_TOP = 12,
    TITLE_LINE = 18,
    TITLE_SIZE = 16,
    SUBTITLE_LINE = 20
};

double rk_svg_heading_height(const char *title, const char *subtitle)
{
    return HEADING_TOP + (title && title[0] ? TITLE_LINE : 0) + (subtitle && subtitle[0] ? SUBTITLE_LINE : 0);
}

void rk_svg_heading(const rk_svg *s, double x, double room, const char *title, const char *subtitle)
{
    if (title && title[0])
        rk_svg_text_within(s, RK_SVG_INK, x, rk_svg_heading_height(title, NULL),
                           "font-size=\"16\" font-weight=\"bold\"", title, TITLE_SIZE * 1.05, room);
    if (subtitle && subtitle[0])
        rk_svg_text_within(s, RK_SVG_FAINT, x, rk_svg_heading_height(title, subtitle), "", subtitle, RK_SVG_FONT, room);
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

void rk_svg_put_xml(rk_str *out, const char *text)
{
    rk_str safe = {0};

    rk_str_put_safe(&safe, text, strlen(text));
    for (const char *c = rk_str_text(&safe); *c; c++) {
        if (strncmp(c, "\xEF\xBF\xBE", 3) == 0 || strncmp(c, "\xEF\xBF\xBF", 3) == 0)
            rk_str_put(out, (c += 2)[0] == '\xBE' ? "\\ufffe" : "\\uffff");
        else if (strchr("<>&\"'", *c))
            rk_str_format(out, "&#%d;", *c);
        else
            rk_str_putc(out, *c);
    }
    out->failed |= safe.failed;
    rk_str_free(&safe);
}

void rk_svg_open_text(const rk_svg *s, rk_svg_role role, double x, double y, const char *how)
{
    rk_str_format(s->out, "<text x=\"%.1f\" y=\"%.1f\"%s%s", x, y, how[0] ? " " : "", how);
    rk_svg_put_fill(s, role);
    rk_str_putc(s->out, '>');
}

void rk_svg_close_text(const rk_svg *s)
{
    rk_str_put(s->out, "</text>\n");
}

void rk_svg_text(const rk_svg *s, rk_svg_role role, double x, double y, const char *how, const char *text)
{
    rk_svg_open_text(s, role, x, y, how);
    rk_svg_put_xml(s->out, text);
    rk_svg_close_text(s);
}

void rk_svg_text_on(const rk_svg *s, const char *colour, double x, double y, const char *how, const char *text)
{
    rk_str_format(s->out, "<text x=\"%.1f\" y=\"%.1f\" %s fill=\"%s\">", x, y, how, rk_svg_ink_on(colour));
    rk_svg_put_xml(s->out, text);
    rk_svg_close_text(s);
}

void rk_svg_text_within(const rk_svg *s, rk_svg_role role, double x, double y, const char *how, const char *text,
                        double size, double room)
{
    rk_str fit = {0};

    if (rk_svg_fit_text(&fit, text, size, room)) {
        rk_svg_open_text(s, role, x, y, how);
        rk_svg_put_xml(s->out, rk_str_text(&fit));
        if (strcmp(rk_str_text(&fit), text) != 0)
            rk_svg_put_tip(s, text);
        rk_svg_close_text(s);
    }
    s->out->failed |= fit.failed;
    rk_str_free(&fit);
}

void rk_svg_put_tip(const rk_svg *s, const char *text)
{
    rk_str_put(s->out, "<title>");
    rk_svg_put_xml(s->out, text);
    rk_str_put(s->out, "</title>");
}

void rk_svg_line(const rk_svg *s, rk_svg_role role, double x0, double y0, double x1, double y1, const char *how)
{
    rk_str_format(s->out, "<path d=\"M%.1f %.1fL%.1f %.1f\"%s%s", x0, y0, x1, y1, how[0] ? " " : "", how);
    rk_svg_put_stroke(s, role);
    rk_str_put(s->out, "/>\n");
}

void rk_svg_key(const rk_svg *s, const char *colour, double x, double y, const char *text, double room)
{
    rk_str_format(s->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x,
                  y - RK_SVG_KEY + 1, RK_SVG_KEY, RK_SVG_KEY, colour);
    rk_svg_text_within(s, RK_SVG_INK, x + RK_SVG_KEY_ROOM, y, "", text, RK_SVG_FONT, room - RK_SVG_KEY_ROOM);
}

/* ---- the width of text ------------------------------------------------------------------------------------------ */

enum {
    SHORTEST = 4 /* bytes of a name: fewer say nothing */
};

/* Of the usual sans-serif fonts, rather too wide than too narrow. */
static double character_width(uint32_t point)
{
    static const struct {
        const char *of;
        double width;
    } kind[] = {{"ijl|!'.,:;", 0.32}, {" frtI[]()/-", 0.42}, {"mwMW%@", 0.96}, {"ABCDEFGHJKLNOPQRSTUVXYZ&", 0.73}};

    if (point >= 0x1100)
        return 1.05;
    for (size_t i = 0; point < 0x80 && i < LENGTH(kind); i++)
        if (point && strchr(kind[i].of, (int)point))
            return kind[i].width;
    return 0.62;
}

/* One character, of any bytes. */
static size_t step_over(const char *text, uint32_t *point)
{
    size_t n = rk_utf8_decode(text, strlen(text), point);

    if (n == 0)
        *point = 'M';
    return n ? n : 1;
}

double rk_svg_text_width(const char *text, double size)
{
    double width = 0;
    uint32_t point = 0;

    while (*text) {
        text += step_over(text, &point);
        width += character_width(point);
    }
    return width * size;
}

bool rk_svg_fit_text(rk_str *out, const char *text, double size, double room)
{
    double used = 0, dots = size; /* "…" */
    size_t n = 0;
    uint32_t point = 0;

    if (rk_svg_text_width(text, size) <= room + 0.1) { /* sums of rooms are rounded */
        rk_str_put(out, text);
        return text[0] != '\0';
    }
    for (;;) {
        size_t step = step_over(text + n, &point);

        used += character_width(point) * size;
        if (used + dots > room)
            break;
        n += step;
    }
    if (n < SHORTEST)
        return false;
    rk_str_putn(out, text, n);
    rk_str_put(out, "…");
    return true;
}
