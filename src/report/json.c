/* SPDX-License-Identifier: MIT */
#include "report/json.h"

#include <string.h>

/* ---- strings ---------------------------------------------------------------------------------------------------- */

/* Bytes of the valid UTF-8 character at `at`, or 0. */
static size_t character(const unsigned char *at)
{
    static const struct {
        unsigned char first, last, least, most; /* of the first byte, and of the second */
        size_t n;
    } form[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
        {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };

    if (at[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        if (at[0] < form[i].first || at[0] > form[i].last || at[1] < form[i].least || at[1] > form[i].most)
            continue;
        for (size_t k = 2; k < form[i].n; k++)
            if ((at[k] & 0xC0) != 0x80)
                return 0;
        return form[i].n;
    }
    return 0;
}

static void put_escaped(rk_str *out, unsigned char c)
{
    switch (c) {
    case '"':
        rk_str_put(out, "\\\"");
        break;
    case '\\':
        rk_str_put(out, "\\\\");
        break;
    case '\n':
        rk_str_put(out, "\\n");
        break;
    case '\t':
        rk_str_put(out, "\\t");
        break;
    default:
        rk_str_format(out, "\\u%04x", c);
        break;
    }
}

void rk_json_string(rk_str *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    rk_str_putc(out, '"');
    while (*at) {
        size_t n = character(at);

        if (n == 0)
            rk_str_put(out, "\xEF\xBF\xBD");
        else if (*at < 0x20 || *at == '"' || *at == '\\' || *at == 0x7F)
            put_escaped(out, *at);
        else
            rk_str_putn(out, (const char *)at, n);
        at += n ? n : 1;
    }
    rk_str_putc(out, '"');
}

/* ---- layout ----------------------------------------------------------------------------------------------------- */

static void new_line(rk_json *j)
{
    rk_str_putc(j->out, '\n');
    rk_str_fill(j->out, ' ', 2 * (size_t)j->depth);
}

/* What stands before a value: the comma after the last one, its place, its key. */
static void begin_value(rk_json *j, const char *key)
{
    bool flat = j->flat != 0 && j->depth >= j->flat;

    if (j->depth > 0) {
        rk_str_put(j->out, j->some[j->depth - 1] ? (flat ? ", " : ",") : "");
        j->some[j->depth - 1] = true;
        if (!flat)
            new_line(j);
    }
    if (key) {
        rk_json_string(j->out, key);
        rk_str_put(j->out, ": ");
    }
}

void rk_json_open(rk_json *j, const char *key, char bracket)
{
    begin_value(j, key);
    rk_str_putc(j->out, bracket);
    if (j->depth == RK_JSON_DEPTH_MAX) {
        j->out->failed = true;
        return;
    }
    j->close[j->depth] = bracket == '{' ? '}' : ']';
    j->some[j->depth] = false;
    j->depth++;
}

static void open_flat(rk_json *j, const char *key, char bracket)
{
    rk_json_open(j, key, bracket);
    if (j->flat == 0)
        j->flat = j->depth;
}

void rk_json_row(rk_json *j, const char *key)
{
    open_flat(j, key, '{');
}

void rk_json_list(rk_json *j, const char *key)
{
    open_flat(j, key, '[');
}

void rk_json_close(rk_json *j)
{
    bool flat = j->flat != 0 && j->depth >= j->flat;

    if (j->depth == 0) {
        j->out->failed = true;
        return;
    }
    j->depth--;
    if (j->some[j->depth] && !flat)
        new_line(j);
    rk_str_putc(j->out, j->close[j->depth]);
    if (j->depth < j->flat)
        j->flat = 0;
    if (j->depth == 0)
        rk_str_putc(j->out, '\n');
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

void rk_json_text(rk_json *j, const char *key, const char *text)
{
    if (!text) {
        rk_json_null(j, key);
        return;
    }
    begin_value(j, key);
    rk_json_string(j->out, text);
}

void rk_json_count(rk_json *j, const char *key, rk_i128 n)
{
    begin_value(j, key);
    rk_str_num(j->out, n);
}

void rk_json_number(rk_json *j, const char *key, const char *digits)
{
    begin_value(j, key);
    rk_str_put(j->out, digits);
}

void rk_json_truth(rk_json *j, const char *key, bool truth)
{
    begin_value(j, key);
    rk_str_put(j->out, truth ? "true" : "false");
}

void rk_json_null(rk_json *j, const char *key)
{
    begin_value(j, key);
    rk_str_put(j->out, "null");
}

void rk_json_known(rk_json *j, const char *key, bool known, rk_i128 n)
{
    if (known)
        rk_json_count(j, key, n);
    else
        rk_json_null(j, key);
}

void rk_json_counts(rk_json *j, const char *key, const rk_i128 *n, size_t n_count)
{
    rk_json_list(j, key);
    for (size_t i = 0; i < n_count; i++)
        rk_json_count(j, NULL, n[i]);
    rk_json_close(j);
}
