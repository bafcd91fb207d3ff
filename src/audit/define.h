/* SPDX-License-Identifier: MIT */
/*
 * audit/define.h - what the symbols of a text stand for, and where.
 *
 * Stage   chains -> [define] -> definitions -> claims.
 * Uses    base/, expr/, audit/chain.h.
 * Memory  definitions live in the arena given.
 * Threads as building expressions: one thread.
 */
#ifndef RK_AUDIT_DEFINE_H
#define RK_AUDIT_DEFINE_H

#include "audit/chain.h"

#define RK_DEFINE_NEAR_MAX 64    /* definitions of one symbol in one scope that are compared; more are too many */
#define RK_DEFINE_EXPAND_MAX 8   /* definitions inside definitions */
#define RK_DEFINE_TERMS_MAX 16   /* of a formula that is put in for a symbol */
#define RK_DEFINE_SYMBOL_MAX 512 /* definitions of one symbol that are kept; one with more has no value anywhere */
#define RK_DEFINE_POWER_MAX 4096 /* terms that a formula may come to where it is put in for a symbol */
#define RK_DEFINE_COST 16        /* steps of the text's budget for each term that a definition is put into */

typedef struct rk_definition {
    uint32_t at; /* byte of the text */
    rk_ex value; /* a number, or a formula over `symbols` */
    const rk_side *side;
    double loose; /* how far off, of its size, its rounding may make it */
    const rk_piece *piece;
    struct rk_definition *next; /* of the same symbol, further on in the text */
} rk_definition;

typedef struct rk_definitions {
    const rk_scan *scan;
    rk_pool *pool;
    const rk_audit_token *token;
    rk_definition **number;  /* per symbol: those that are exact numbers */
    rk_definition **formula; /* per symbol: those that are formulas */
    rk_definition **rough;   /* per symbol: rounded ones, and what follows from "d × V = 1600 × 50257" */
    uint32_t *count;         /* per symbol: all of them */
    size_t n;                /* symbols */
    size_t *budget;          /* steps left */
} rk_definitions;

int rk_define(rk_arena *a, const rk_scan *s, const rk_reader *r, const rk_chains *c, rk_definitions *out, rk_err *err);

/*
 * The one value that the innermost scope with a definition of the symbol gives: what is said before byte `use`, or,
 * where nothing is, after it.  RK_EX_FAILED where there is none, or more than one (*many).
 */
typedef enum rk_define_list {
    RK_DEFINE_NUMBER,
    RK_DEFINE_FORMULA,
    RK_DEFINE_ROUGH
} rk_define_list;

rk_ex rk_define_find(const rk_definitions *d, rk_define_list of, rk_sym s, uint32_t scope, uint32_t use,
                     const rk_definition **found, bool *many);

/* The definitions of a symbol, in the order of the text; NULL: it has none, or came up after they were collected. */
const rk_definition *rk_define_of(const rk_definitions *d, rk_define_list of, rk_sym s);

/* Whether the text gives a symbol several different numbers, wherever. */
bool rk_define_varies(const rk_definitions *d, rk_sym s);

/* A side with all definitions put in that its scope gives; what is left without one is in `open`. */
typedef struct rk_expanded {
    rk_ex value;
    rk_sym open[RK_SIDE_SYMBOLS_MAX];
    size_t n_open;
    bool many;    /* a symbol has several values */
    bool rough;   /* a value is rounded, or follows from another line */
    double loose; /* how far off, of its size, that may make it */
    bool apart;   /* a value comes from another paragraph, or from further on */
    bool far;     /* a value comes from another section */
    bool foreign; /* a value comes from a block of code that this stands outside of */
    size_t degree;
    uint32_t use; /* where it stands in the text */
} rk_expanded;

void rk_define_expand(const rk_definitions *d, const rk_side *s, uint32_t scope, bool numbers, rk_expanded *out);

/* The same as if it stood elsewhere, at byte `use` in some scope. */
void rk_define_expand_at(const rk_definitions *d, const rk_side *s, uint32_t scope, uint32_t use, bool numbers,
                         rk_expanded *out);

#endif
