/* SPDX-License-Identifier: MIT */
/*
 * audit/operand.h - reading a side, piece by piece; private to formula.c and operand.c.
 *
 * Stage   tokens -> [formula] -> sides.
 * Uses    audit/formula.h.
 * Memory  none of its own.
 * Threads as audit/formula.h.
 */
#ifndef RK_AUDIT_OPERAND_H
#define RK_AUDIT_OPERAND_H

#include "audit/formula.h"

/* A part of a side. */
typedef struct rk_value {
    rk_ex ex;
    double slack;
    rk_literal literal;
    int digits; /* of a literal: those that count */
} rk_value;

typedef struct rk_side_parser {
    const rk_reader *r;
    const rk_audit_token *token;
    size_t at, end;
    rk_side_reading how;
    rk_side *side;
    int depth;
} rk_side_parser;

/* The token so many ahead, or NULL; whether it is of a kind, or a sign. */
const rk_audit_token *rk_peek(const rk_side_parser *p, size_t ahead);
bool rk_sees(const rk_side_parser *p, size_t ahead, rk_audit_token_kind kind);
bool rk_sees_sign(const rk_side_parser *p, size_t ahead, char op);

/* Takes a step off the budget; false: there is none left. */
bool rk_spend(rk_side_parser *p);

/* Notes the first trouble of the side; RK_EX_FAILED.  rk_checked does so where an operation had no result. */
rk_ex rk_trouble_note(rk_side_parser *p, rk_trouble what);
rk_ex rk_checked(rk_side_parser *p, rk_ex e);

/* The absolute value of a plain number; 0 for anything else. */
double rk_size_of(const rk_side_parser *p, rk_ex e);

bool rk_read_number(rk_side_parser *p, rk_value *out);
void rk_read_scientific(rk_side_parser *p, rk_value *v); /* the × 10^11 behind a number */
void rk_read_units(rk_side_parser *p, rk_value *v);
void rk_read_label(rk_side_parser *p);

rk_ex rk_use_symbol(rk_side_parser *p, rk_sym s);
bool rk_is_product(const rk_side_parser *p, const rk_audit_token *t); /* letters that stand together */
rk_ex rk_read_letters(rk_side_parser *p, const rk_audit_token *t, rk_ex *last);
bool rk_is_name(const rk_side_parser *p, const rk_audit_token *t); /* a word that names what the next side says */
bool rk_read_name(rk_side_parser *p, rk_value *out);

#endif
