/* SPDX-License-Identifier: MIT */
/*
 * audit/group.h - rows and their total; private to the files that judge sums.
 *
 * Stage   entries -> [sums] -> claims.
 * Uses    audit/sums.h, audit/judge.h.
 * Memory  the audit's arena.
 * Threads as audit/audit.h.
 */
#ifndef RK_AUDIT_GROUP_H
#define RK_AUDIT_GROUP_H

#include "audit/judge.h"
#include "audit/sums.h"

/* Rows, and the total that they are said to add up to. */
typedef struct rk_sum_group {
    const rk_entry **row;
    size_t n;
    const rk_entry *total;
    bool gaps;       /* something between the rows has no value */
    bool is_doubled; /* rows with totals of their own among them */
} rk_sum_group;

typedef struct rk_adder {
    rk_audit *a;
    const rk_entry *entry;
    size_t n_entry;
    size_t *table;        /* the first entry of each table */
    const rk_entry **row; /* room for those of one group */
    size_t steps, tries;  /* that are left */
} rk_adder;

const rk_piece *rk_sum_piece(rk_adder *s, const rk_entry *e);
size_t rk_sum_line(rk_adder *s, const rk_entry *e);

/* The symbols that a single term has, as T in "1,024 × T"; 1 where there are none. */
rk_ex rk_sum_symbols(rk_adder *s, const rk_side *v);

/* What the rows add up to, and what the difference may be. */
const char *rk_sum_explain(rk_adder *s, const rk_sum_group *g, rk_ex sum);

/* Judges a total whose rows are in `s->row`; false: nothing could be said. */
bool rk_sum_judge(rk_adder *s, rk_sum_group *g);

/* Shares of a total that stand beside its rows. */
void rk_sum_shares(rk_adder *s, const rk_sum_group *g);

#endif
