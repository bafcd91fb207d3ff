/* SPDX-License-Identifier: MIT */
/*
 * audit/sums.h - rows before a total: whether they add up to it, and if not, what the difference is.
 *
 * Stage   chains -> [sums] -> claims.
 * Uses    audit/audit.h.
 * Memory  the audit's arena.
 * Threads as audit/audit.h.
 *
 * An entry is a line of a paragraph, an item of a list, a row of an aligned formula, or a cell of a table, with one
 * figure that is its value: the end of its last chain, or the only figure that stands alone in it (entry.c).
 *
 * Which rows belong to a total is decided carefully.  They stand in one place (a list, a column, a paragraph, or lines
 * of one kind all over the text), each has a value, and the total is of their size: half to twice their sum, unless the
 * difference explains itself.  A total that is worked out in its own line is an equation, and judged as one.
 */
#ifndef RK_AUDIT_SUMS_H
#define RK_AUDIT_SUMS_H

#include "audit/audit.h"

#define RK_ENTRY_TOKENS_MAX 400 /* a longer line is no row */
#define RK_SUM_ROWS_MAX 4096
#define RK_SUM_TRIES_MAX 2000000 /* in all searches for rows that make up a difference: a hundredth of a second */
#define RK_SUM_STEPS_PER_ENTRY 50
#define RK_SUM_ROW_STEPS 20 /* of which adding a row takes so many */

int rk_judge_sums(rk_audit *a, rk_err *err);

/* ---- shared by the files that judge sums ------------------------------------------------------------------------- */

typedef struct rk_entry {
    size_t piece;
    size_t from, to;      /* tokens of the line */
    const rk_side *value; /* NULL: it has none, or several */
    const rk_side *exact; /* the first of several figures for it, "4,515G ≈ 4.5e12"; NULL: there is one */
    size_t value_to;      /* where the chain ends that it is of */
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

int rk_entries_find(rk_audit *a, rk_entries *out, rk_err *err);

/* Rows, and the total that they are said to add up to. */
typedef struct rk_sum_group {
    const rk_entry **row;
    size_t n;
    const rk_entry *total;
    bool gaps; /* something between the rows has no value */
} rk_sum_group;

typedef struct rk_adder {
    rk_audit *a;
    const rk_entry *entry;
    size_t n_entry;
    bool *has_share;      /* per entry: of its share a claim says something */
    size_t *table;        /* the first entry of each table */
    const rk_entry **row; /* room for those of one group */
    size_t steps, tries;  /* that are left */
} rk_adder;

size_t rk_sum_line(const rk_adder *s, const rk_entry *e);

/* Whether tokens [from, to) call something a total; "weighted sum" is a name. */
bool rk_sum_is_total(const rk_audit *a, size_t from, size_t to);

/* The symbols that a single term has, as T in "1,024 × T"; 1 where there are none. */
rk_ex rk_sum_symbols(const rk_adder *s, const rk_side *v);

/* "317.2" for rows that add up to 31.72: a point in the wrong place, of three digits and more. */
bool rk_sum_is_off_by_tens(const rk_side *total, double sum, double stated);

/* What the rows add up to, and what the difference may be; *explained: people make it so. */
const char *rk_sum_explain(rk_adder *s, const rk_sum_group *g, rk_ex sum, bool *explained);

#endif
