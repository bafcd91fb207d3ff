/* SPDX-License-Identifier: MIT */
/*
 * audit/table_parts.h - a table on its way to claims; private to audit/table*.c.
 *
 * Stage   as audit/tables.h.
 * Uses    audit/audit.h, audit/tables.h.
 * Memory  the audit's arena.
 * Threads one thread.
 */
#ifndef RK_AUDIT_TABLE_PARTS_H
#define RK_AUDIT_TABLE_PARTS_H

#include "audit/tables.h"

#define RK_TABLE_AGREEING_LEAST 3 /* rows, before a rule is one */

/* A cell with one figure or formula in it. */
typedef struct rk_table_cell {
    size_t from, to; /* tokens; from == to: there is none */
    rk_side side;
    bool is;             /* it is one side and nothing else */
    bool begins;         /* it begins with something computed, "4 × 512 for gamma, beta" */
    bool claimed;        /* something is said about it */
    bool label;          /* it has words in it */
    double value, loose; /* of a plain number: what it is, and how far off, of its size, its rounding may make it */
    double digits;       /* that count of it, which chance would have to get right */
} rk_table_cell;

typedef struct rk_table_grid {
    rk_audit *a;
    uint32_t scope;
    size_t rows, columns;
    rk_table_cell *at;
    bool turned; /* its rows are those of the columns of the table */
} rk_table_grid;

static inline rk_table_cell *rk_table_cell_at(const rk_table_grid *g, size_t row, size_t column)
{
    return g->turned ? &g->at[column * RK_TABLE_COLUMNS_MAX + row] : &g->at[row * RK_TABLE_COLUMNS_MAX + column];
}

/* Says of a cell what holds of it, once. */
void rk_table_put(const rk_table_grid *g, rk_table_cell *c, rk_claim_status status, rk_ex found, const char *note);

/* A number near a double, with the digits that people want to see. */
rk_ex rk_table_near_value(const rk_table_grid *g, double x);

/* What a column is computed from, and what follows for its cells (table_rules.c). */
void rk_table_find_rule(const rk_table_grid *g, size_t target);

/*
 * "Weights | Optimizer | Gradients | Total": the rows of a column that is called a total are sums of the columns
 * before it where one of them is; where one alone is not, and nearly so, it is wrong.
 */
void rk_table_judge_totals(const rk_table_grid *g, size_t target);

#endif
