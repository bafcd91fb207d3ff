/* SPDX-License-Identifier: MIT */
/*
 * audit/entry.h - lines that say of something how much it is: rows that can be added up, and their totals.
 *
 * Stage   chains -> [entry] -> entries -> sums.
 * Uses    audit/audit.h.
 * Memory  the audit's arena.
 * Threads as audit/audit.h.
 *
 * An entry is a line of a paragraph, an item of a list, a row of an aligned formula, or a cell of a table, with one
 * figure that is its value: the end of its last chain, or the only figure that stands alone in it.
 */
#ifndef RK_AUDIT_ENTRY_H
#define RK_AUDIT_ENTRY_H

#include "audit/audit.h"

#define RK_ENTRY_TOKENS_MAX 400 /* a longer line is no row */

typedef struct rk_entry {
    size_t piece;
    size_t from, to;      /* tokens of the line */
    const rk_side *value; /* NULL: it has none, or several */
    const rk_side *share; /* a figure in % beside it, or NULL */
    bool total;           /* it calls its value a total */
    bool title;           /* it has no value and calls what follows a total */
    bool defines;         /* it gives a symbol a value: no row */
    bool worked;          /* its value is worked out in the line itself */
    bool whole;           /* the line is nothing but its value */
} rk_entry;

typedef struct rk_entries {
    RK_VEC(rk_entry) at;
} rk_entries;

/* Whether words among these tokens speak of a total. */
bool rk_entry_says_total(const rk_audit *a, size_t from, size_t to);

int rk_entries_find(rk_audit *a, rk_entries *out, rk_err *err);

#endif
