/* SPDX-License-Identifier: MIT */
#include "report/html.h"

#include "report/svg.h"

#include <string.h>

/* Digits that stand high, as formulas are printed. */
static const char *const high[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};

/* The plain one of a digit that stands high, and its length; 0: it is none. */
static char plain_of(const char *at, size_t *n)
{
    for (size_t i = 0; i < sizeof high / sizeof *high; i++)
        if (strncmp(at, high[i], strlen(high[i])) == 0) {
            *n = strlen(high[i]);
            return "0123456789-"[i];
        }
    return '\0';
}

static const char *put_power(rk_str *out, const char *at)
{
    size_t n = 0;

    rk_str_put(out, "<sup>");
    for (char c; (c = plain_of(at, &n)); at += n)
        rk_str_put(out, c == '-' ? "−" : (char[]){c, '\0'});
    rk_str_put(out, "</sup>");
    return at;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Functions stand upright, symbols do not. */
static bool is_function(const char *at, size_t n)
{
    static const char *const function[] = {"min", "max", "mod", "floor", "ceil"};

    for (size_t i = 0; i < sizeof function / sizeof *function; i++)
        if (strlen(function[i]) == n && strncmp(at, function[i], n) == 0)
            return true;
    return false;
}

static const char *put_letters(rk_str *out, const char *at)
{
    size_t n = 0;
    bool upright;

    while (is_letter(at[n]))
        n++;
    upright = is_function(at, n);
    rk_str_put(out, upright ? "<span>" : "<i>");
    rk_str_putn(out, at, n);
    rk_str_put(out, upright ? "</span>" : "</i>");
    return at + n;
}

static const char *put_other(rk_str *out, const char *at)
{
    char one[5] = {0};
    size_t n = 1;

    one[0] = *at;
    while (n < 4 && ((unsigned char)at[n] & 0xC0) == 0x80) {
        one[n] = at[n];
        n++;
    }
    rk_svg_put_xml(out, strcmp(one, "-") == 0 ? "−" : one);
    return at + n;
}

void rk_html_put_formula(rk_str *out, const char *text)
{
    size_t n;

    rk_str_put(out, "<span class=\"f\">");
    while (*text)
        text = plain_of(text, &n) ? put_power(out, text)
               : is_letter(*text) ? put_letters(out, text)
                                  : put_other(out, text);
    rk_str_put(out, "</span>");
}
