/* SPDX-License-Identifier: MIT */
/*
 * report/json.h - writes JSON: counts with all their digits, texts always valid UTF-8.
 *
 * Stage   ledger -> [report] -> bytes.
 * Uses    base/str.h, read/doc.h.
 * Memory  writes into a text of the caller's.
 * Threads one writer, one thread.
 *
 *     rk_json j = {.out = &out};
 *     rk_json_open(&j, NULL, '{');
 *     rk_json_count(&j, "total", 42);
 *     rk_json_list(&j, "shape");  rk_json_count(&j, NULL, 8);  rk_json_close(&j);
 *     rk_json_close(&j);
 *
 * A key is given inside an object and NULL inside a list.  Objects opened by rk_json_row and lists opened by
 * rk_json_list are written on one line, with all that is in them.
 */
#ifndef RK_REPORT_JSON_H
#define RK_REPORT_JSON_H

#include "base/str.h"
#include "read/doc.h"

#define RK_JSON_VERSION 1    /* of the keys of answers: raised where one gets another meaning */
#define RK_JSON_DEPTH_MAX 16 /* reports are flat; deeper is a slip, and makes the text fail */

typedef struct rk_json {
    rk_str *out;
    int depth;
    int flat; /* depth from which on everything is on one line; 0: nothing is */
    char close[RK_JSON_DEPTH_MAX];
    bool some[RK_JSON_DEPTH_MAX]; /* something was written at this depth */
} rk_json;

void rk_json_open(rk_json *j, const char *key, char bracket); /* '{' or '[' */
void rk_json_row(rk_json *j, const char *key);                /* an object on one line */
void rk_json_list(rk_json *j, const char *key);               /* a list on one line */
void rk_json_close(rk_json *j);

void rk_json_text(rk_json *j, const char *key, const char *text); /* NULL: null */
void rk_json_count(rk_json *j, const char *key, rk_i128 n);
void rk_json_number(rk_json *j, const char *key, const char *digits); /* a number as it is written */
void rk_json_truth(rk_json *j, const char *key, bool truth);
void rk_json_null(rk_json *j, const char *key);

/* A list of counts on one line, such as a shape. */
void rk_json_counts(rk_json *j, const char *key, const rk_i128 *n, size_t n_count);

/* A value of a config; what no JSON can say, and what lies deeper than reports go, is a text. */
void rk_json_value(rk_json *j, const char *key, const rk_doc *d);

#endif
