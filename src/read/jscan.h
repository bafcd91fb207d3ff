/* SPDX-License-Identifier: MIT */
/*
 * read/jscan.h - strict JSON read from left to right, without a tree.
 *
 * Stage   bytes -> [read] -> tensor table, document.
 * Uses    base/, read/input.h.
 * Memory  allocates nothing: texts are unescaped and terminated where they stand, so the text is overwritten.
 * Threads one scan, one thread.
 *
 * The one reader of JSON.  The two large shapes that checkpoints have, a header and an index, are read by it alone: a
 * tree of 91,000 tensors would cost more than all else.  Of a config it makes a tree (config.c).  Beyond JSON, NaN,
 * Infinity and -Infinity are values: Python writes them.  Failure is sticky: after the first mistake every call returns
 * false and `code` says which.
 *
 *     for (rk_jscan_enter(&j, '{'); rk_jscan_more(&j, '}');) {
 *         if (rk_jscan_key(&j, &key) && rk_jscan_whole(&j, &n)) …
 *     }
 *     rk_jscan_end(&j);
 *     return j.code;
 */
#ifndef RK_READ_JSCAN_H
#define RK_READ_JSCAN_H

#include "read/input.h"

typedef struct rk_jscan {
    const rk_input *in; /* for messages */
    char *text;         /* n bytes and a terminator; changed while it is read */
    size_t n, at;
    uint64_t base;     /* the byte of the file at which the text begins */
    const char *lines; /* the same text, unchanged, where messages say line and column; NULL: they say the byte */
    bool fresh;        /* nothing was read yet within the innermost brackets */
    int code;          /* RK_OK, or what failed first */
    rk_err *err;
} rk_jscan;

typedef struct rk_jtext {
    const char *text; /* valid UTF-8, terminated, no NUL within */
    size_t n;
    uint64_t at; /* the byte of the file at which it begins */
} rk_jtext;

/* What stands without quotes. */
typedef enum rk_jbare {
    RK_JNULL,
    RK_JFALSE,
    RK_JTRUE,
    RK_JNAN,
    RK_JINFINITY,
    RK_JMINUS_INFINITY,
    RK_JWHOLE, /* of any length, with or without a sign */
    RK_JREAL
} rk_jbare;

/* Fails at a byte of the file; always false. */
bool rk_jscan_fail(rk_jscan *j, int code, uint64_t at, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Notes the code of something else that may have failed; whether all is well so far. */
bool rk_jscan_check(rk_jscan *j, int code);

/* The first byte of the next token; NUL at the end and after a failure. */
char rk_jscan_next(rk_jscan *j);

/* The byte of the file at which the next token begins. */
uint64_t rk_jscan_here(rk_jscan *j);

bool rk_jscan_enter(rk_jscan *j, char open);     /* '{' or '[' */
bool rk_jscan_more(rk_jscan *j, char close);     /* is there another member?  If not, the closing bracket was read */
bool rk_jscan_key(rk_jscan *j, rk_jtext *out);   /* a text and its colon */
bool rk_jscan_text(rk_jscan *j, rk_jtext *out);  /* a string */
bool rk_jscan_whole(rk_jscan *j, uint64_t *out); /* a whole number from 0 to 2⁶⁴ − 1 */
bool rk_jscan_bare(rk_jscan *j, rk_jbare *kind, rk_jtext *out); /* a number or a word; `out` as with skip */
bool rk_jscan_skip(rk_jscan *j, rk_jtext *out); /* any value; `out` is its text as it stands, not terminated */
bool rk_jscan_end(rk_jscan *j);                 /* nothing but white space is left */
bool rk_jtext_is(const rk_jtext *t, const char *word);

#endif
