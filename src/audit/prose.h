/* SPDX-License-Identifier: MIT */
/*
 * audit/prose.h - a file that was written by people, as plain text: what is audited, and where each byte of it is from.
 *
 * Stage   bytes of a file -> [prose] -> text -> audit -> claims, at their places in the file.
 * Uses    base/, read/jscan.h, audit/audit.h.
 * Memory  everything lives in the arena given; of a plain text without marks the bytes are borrowed.
 * Threads no state.
 *
 * A notebook becomes its cells, in their order: Markdown as it stands, code as a block of code, what code printed as a
 * block of text.  Of HTML the tags go: headings, items, tables and formulas become those of Markdown.  A text with form
 * feeds is one of pdftotext: words that are broken at the end of a line are whole again.  The audit knows of none of
 * this: it reads the text, and rk_prose_settle puts its claims where they stand in the file.
 *
 * Marks are comments, <!-- … -->, % … or # …, that begin with "reckon:".  "ignore" leaves out the claims of its line,
 * or, on a line of its own, of the next one; "let T = 1024" is read as if the text said so there.
 */
#ifndef RK_AUDIT_PROSE_H
#define RK_AUDIT_PROSE_H

#include "audit/audit.h"

#define RK_PROSE_BYTES_MAX ((size_t)64 << 20) /* of a file with pictures in it; its text has RK_AUDIT_BYTES_MAX */

typedef enum rk_prose_kind {
    RK_PROSE_TEXT,
    RK_PROSE_NOTEBOOK,
    RK_PROSE_HTML
} rk_prose_kind;

/* From byte `at` of the text on: byte `from` of the origin, and so on. */
typedef struct rk_prose_run {
    uint32_t at, from;
} rk_prose_run;

/* From byte `from` of the origin on: a cell of a notebook, from 1 on, its source or what it printed. */
typedef struct rk_prose_cell {
    uint32_t from;
    size_t number;
    bool output;
} rk_prose_cell;

/* Bytes of the text. */
typedef struct rk_prose_span {
    uint32_t from, to;
} rk_prose_span;

typedef struct rk_prose {
    rk_prose_kind kind;
    const char *text; /* what is audited */
    size_t n;
    const char *origin; /* what places are of: the file, or the cells of a notebook one after the other */
    size_t n_origin;
    RK_VEC(uint32_t) line;         /* of the origin: where each begins */
    RK_VEC(rk_prose_run) run;      /* none: the text has a byte for each of the origin */
    RK_VEC(rk_prose_cell) cell;    /* of a notebook */
    RK_VEC(rk_prose_span) ignored; /* claims that stand there are left out */
} rk_prose;

/*
 * Makes text of a file.  `name` says what it is by its ending, and begins messages.  RK_EINPUT: no text, or a
 * broken notebook; RK_ELIMIT: it is too large.
 */
int rk_prose_read(const rk_lexicon *l, rk_arena *a, const char *name, char *bytes, size_t n, rk_prose *out,
                  rk_err *err);

/* Whether bytes begin as a PDF does. */
bool rk_prose_is_pdf(const char *bytes, size_t n);

/* Where a byte of the text stands: the line, in its cell where it has one, and the column, both from 1 on. */
typedef struct rk_prose_place {
    size_t cell; /* 0: none */
    bool output; /* of that cell: what it printed */
    size_t line, column;
} rk_prose_place;

/* Where the last one stood: columns of places that come in their order are counted once. */
typedef struct rk_prose_walk {
    size_t line; /* from 0 on */
    uint32_t byte;
    size_t column;
} rk_prose_walk;
rk_prose_place rk_prose_find(const rk_prose *s, uint32_t at, rk_prose_walk *walk);

/* The byte of the origin that one of the text stands for, and where one of the origin stands. */
uint32_t rk_prose_origin(const rk_prose *s, uint32_t at);
rk_prose_place rk_prose_find_origin(const rk_prose *s, uint32_t byte, rk_prose_walk *walk);

/* "line 5", "cell 3, line 2", "cell 3, output line 2" */
void rk_prose_put_place(rk_str *out, size_t cell, bool output, size_t line);

/* Gives the claims of an audit of the text their places, and leaves out those that are to be ignored. */
int rk_prose_settle(const rk_prose *s, rk_audit *a, rk_err *err);

/* ---- shared by the readers --------------------------------------------------------------------------------------- */

/* A text that is made, with the place of its parts.  Failure is sticky, and so is the end of what it may have. */
typedef struct rk_prose_draft {
    rk_arena *arena;
    rk_prose *out;
    rk_str text, origin;
    bool full; /* more than RK_AUDIT_BYTES_MAX */
} rk_prose_draft;

/* Bytes that stand at `from` in the origin; or others, in place of what stands there. */
void rk_prose_put(rk_prose_draft *d, const char *bytes, size_t n, size_t from);
void rk_prose_put_other(rk_prose_draft *d, const char *bytes, size_t from);

int rk_prose_read_notebook(rk_prose_draft *d, const char *name, char *bytes, size_t n, rk_err *err);
void rk_prose_read_html(rk_prose_draft *d, const char *bytes, size_t n);

#endif
