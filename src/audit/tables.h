/* SPDX-License-Identifier: MIT */
/*
 * audit/tables.h - what the columns of a table, or its rows, are of each other: in each row the product of some, their
 * sum, a share; a cell that breaks the rule of its column stands out.
 *
 * Stage   chains -> [tables] -> claims.
 * Uses    audit/audit.h.
 * Memory  the audit's arena.
 * Threads as audit/audit.h.
 *
 * Nobody says what a column is computed from, so it is found: a formula in the cell before it; a constant times the
 * product or a quotient of columns to its left; a sum of neighbours (table_rules.c).  What holds in three rows and
 * more, to more digits than chance explains, is the rule.  A cell that follows it is right.  One that does not is wrong
 * where the rule is a formula or a sum and holds in most rows, and doubtful otherwise: a constant may be another one.
 */
#ifndef RK_AUDIT_TABLES_H
#define RK_AUDIT_TABLES_H

#include "audit/audit.h"

#define RK_TABLE_COLUMNS_MAX 24
#define RK_TABLE_ROWS_MAX 256

int rk_judge_tables(rk_audit *a, rk_err *err);

#endif
