/* SPDX-License-Identifier: MIT */
/*
 * base/str.h - a text that grows, with sticky failure: append freely, ask once.
 *
 * Stage   below every stage.
 * Uses    base/arena.h.
 * Memory  the text lives on the heap until rk_str_free.
 * Threads one text, one thread at a time.
 */
#ifndef RK_BASE_STR_H
#define RK_BASE_STR_H

#include "base/num.h"

#include <stdarg.h>
#include <stdint.h>

typedef struct rk_str {
    char *text; /* terminated, or NULL while empty */
    size_t n, cap;
    bool failed; /* sticky: memory ran out; the text is cut there */
} rk_str;

void rk_str_put(rk_str *s, const char *text);
void rk_str_putn(rk_str *s, const char *text, size_t n);
void rk_str_putc(rk_str *s, char c);
void rk_str_fill(rk_str *s, char c, size_t n);
char *rk_str_room(rk_str *s, size_t n); /* appends n bytes, which the caller fills in; NULL: it has failed */
void rk_str_format(rk_str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rk_str_vformat(rk_str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void rk_str_num(rk_str *s, rk_i128 n);
void rk_str_grouped(rk_str *s, rk_i128 n);
const char *rk_str_text(const rk_str *s); /* never NULL */
void rk_str_reset(rk_str *s);             /* empty again, keeps its memory */
void rk_str_free(rk_str *s);

/* Reads one code point of text[0..n), n > 0; returns its length, or 0 when the bytes are not valid UTF-8. */
size_t rk_utf8_decode(const char *text, size_t n, uint32_t *point);

/* The length of text[0..n) cut to at most `most` bytes, before a character and never within one. */
size_t rk_utf8_cut(const char *text, size_t n, size_t most);

/* Columns that UTF-8 text occupies on a terminal: wide characters two, combining marks none. */
size_t rk_text_width(const char *text);

/* Appends text with control characters and invalid UTF-8 made visible (\x1b): names of any byte print safely. */
void rk_str_put_safe(rk_str *s, const char *text, size_t n);

/* Text as a JSON string, in quotes; bytes that are no UTF-8 become U+FFFD. */
void rk_str_put_json(rk_str *out, const char *text);

/* The smallest number of letters added, left out, changed or swapped with their neighbours; at most `most` + 1. */
size_t rk_edit_distance(const char *a, const char *b, size_t most);

/* Whether a text ends in another one. */
bool rk_ends_in(const char *text, const char *end);

#endif
