/* SPDX-License-Identifier: MIT */
#include "report/json.h"

#include "report/figure.h"

#include <math.h>
#include <string.h>

/* ---- layout ----------------------------------------------------------------------------------------------------- */

static bool is_flat(const rk_json *j)
{
    return j->flat != 0 && j->depth >= j->flat;
}

static void new_line(rk_json *j)
{
    rk_str_putc(j->out, '\n');
    rk_str_fill(j->out, ' ', 2 * (size_t)j->depth);
}

/* What stands before a value: the comma after the last one, its place, its key. */
static void begin_value(rk_json *j, const char *key)
{
    if (j->depth > 0) {
        bool flat = is_flat(j);

        if (j->some[j->depth - 1])
            rk_str_putn(j->out, ", ", flat ? 2 : 1);
        j->some[j->depth - 1] = true;
        if (!flat)
            new_line(j);
    }
    if (key) {
        rk_str_put_json(j->out, key);
        rk_str_putn(j->out, ": ", 2);
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
    bool flat = is_flat(j);

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
    begin_value(j, key);
    if (text)
        rk_str_put_json(j->out, text);
    else
        rk_str_put(j->out, "null");
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
    rk_json_number(j, key, truth ? "true" : "false");
}

void rk_json_null(rk_json *j, const char *key)
{
    rk_json_number(j, key, "null");
}

void rk_json_counts(rk_json *j, const char *key, const rk_i128 *n, size_t n_count)
{
    rk_json_list(j, key);
    for (size_t i = 0; i < n_count; i++)
        rk_json_count(j, NULL, n[i]);
    rk_json_close(j);
}

void rk_json_value(rk_json *j, const char *key, const rk_doc *d)
{
    rk_str text = {0};

    if (d->kind == RK_DOC_NULL) {
        rk_json_null(j, key);
    } else if (d->kind == RK_DOC_BOOL) {
        rk_json_truth(j, key, d->truth);
    } else if (d->kind == RK_DOC_INT) {
        rk_json_count(j, key, d->number);
    } else if (d->kind == RK_DOC_REAL && isfinite(d->real)) {
        rk_str_value(&text, d, false);
        rk_json_number(j, key, rk_str_text(&text));
    } else if ((d->kind == RK_DOC_LIST || d->kind == RK_DOC_MAP) && j->depth < RK_JSON_DEPTH_MAX) {
        (d->kind == RK_DOC_MAP ? rk_json_row : rk_json_list)(j, key);
        for (size_t i = 0; i < d->n; i++)
            rk_json_value(j, d->kind == RK_DOC_MAP ? d->key[i] : NULL, &d->item[i]);
        rk_json_close(j);
    } else {
        rk_str_value(&text, d, false);
        rk_json_text(j, key, rk_str_text(&text));
    }
    j->out->failed |= text.failed;
    rk_str_free(&text);
}
