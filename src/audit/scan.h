/* SPDX-License-Identifier: MIT */
/*
 * audit/scan.h - a text cut into what is read together: paragraphs, headings, items, cells, code.
 *
 * Stage   bytes -> [scan] -> pieces -> tokens -> chains -> claims.
 * Uses    base/.
 * Memory  everything lives in the arena given; the text is borrowed.
 * Threads no state.
 *
 * Headings and items of lists are scopes, nested in each other: a scope reaches from its first byte to where the next
 * one of its own or a higher rank begins.  Scope 0 is the whole text.
 */
#ifndef RK_AUDIT_SCAN_H
#define RK_AUDIT_SCAN_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdint.h>

#define RK_SCAN_LINE_MAX 65536 /* bytes; a longer line is data, not prose, and is passed over */
#define RK_SCAN_SCOPES_MAX 64  /* nested in each other; deeper ones stand beside the last */
#define RK_SCAN_PIECE_MAX 262144

typedef enum rk_piece_kind {
    RK_PIECE_TEXT,
    RK_PIECE_HEADING,
    RK_PIECE_ITEM,
    RK_PIECE_CELL,
    RK_PIECE_CODE
} rk_piece_kind;

typedef struct rk_piece {
    rk_piece_kind kind;
    uint32_t from, to; /* bytes of the text */
    uint32_t scope;
    uint32_t table, row, column; /* CELL: the table's number from 1 on, the row and column in it from 0 on */
    bool program;                /* CODE in a programming language, which assigns where people state */
} rk_piece;

typedef struct rk_scope {
    uint32_t parent;   /* of scope 0: itself */
    uint32_t from, to; /* bytes of the text */
    uint32_t title_to; /* where its first line ends */
    int rank;          /* headings 1 to 6; items from 10 on, deeper ones larger */
} rk_scope;

typedef struct rk_scan {
    const char *text;
    size_t n;
    RK_VEC(uint32_t) line; /* where each line begins */
    RK_VEC(rk_piece) piece;
    RK_VEC(rk_scope) scope;
    size_t n_long; /* lines passed over, and the first of them, from 1 on */
    size_t first_long;
} rk_scan;

/* Cuts text[0..n), n < 4 GiB; any bytes will do. */
int rk_scan_text(rk_arena *a, const char *text, size_t n, rk_scan *out, rk_err *err);

/* The line of a byte, from 1 on, and the column, in characters, from 1 on. */
size_t rk_scan_line(const rk_scan *s, uint32_t at);
size_t rk_scan_column(const rk_scan *s, uint32_t at);

/* The heading that a scope stands under, which is a scope itself; 0: none. */
uint32_t rk_scan_section(const rk_scan *s, uint32_t scope);

/* text[from..to) without spaces and markup around it. */
void rk_scan_line_range(const rk_scan *s, size_t number, uint32_t *from, uint32_t *to);

#endif
