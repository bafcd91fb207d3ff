/* SPDX-License-Identifier: MIT */
/*
 * audit/audit.h - a written account, checked: every equation and every total, right, wrong, or not understood.
 *
 * Stage   bytes -> [audit] -> claims -> report.
 * Uses    base/, expr/, audit/.
 * Memory  an audit owns all that it points to, but for the text and the lexicon, which must outlive it.
 * Threads one audit, one thread.
 *
 *     rk_audit *a;
 *     if (rk_audit_new(&lexicon, text, n, &a, &err) == RK_OK)
 *         for (size_t i = 0; i < a->claim.n; i++) …
 *     rk_audit_free(a);
 *
 * What a model has to say about the figures of a text is no part of this: the sides of all chains stay in `chains`, and
 * rk_audit_context says for each which words stand before it and above it.
 */
#ifndef RK_AUDIT_AUDIT_H
#define RK_AUDIT_AUDIT_H

#include "audit/define.h"

#define RK_AUDIT_BYTES_MAX ((size_t)4 << 20) /* a thousand pages and more; larger texts are not written by hand */

typedef enum rk_claim_status {
    RK_CLAIM_RIGHT,
    RK_CLAIM_WRONG,
    RK_CLAIM_UNKNOWN,
    RK_CLAIM_SLIP,     /* off by less than one of the last digit that is written */
    RK_CLAIM_DOUBTFUL, /* it does not hold as it was read; it may have been meant otherwise */
    RK_N_CLAIM_STATUS
} rk_claim_status;

#define RK_CLAIM_STATUS_WORDS                                                                                          \
    {                                                                                                                  \
        "right", "wrong", "unknown", "slip", "doubtful"                                                                \
    }

typedef enum rk_claim_kind {
    RK_CLAIM_EQUATION, /* two sides of a chain */
    RK_CLAIM_SUM,      /* a total of rows */
    RK_CLAIM_SHARE,    /* a row's share of its total */
    RK_CLAIM_MODEL     /* a figure or a formula of a model (audit/bind.h) */
} rk_claim_kind;

typedef struct rk_claim {
    rk_claim_kind kind;
    rk_claim_status status;
    size_t line, column; /* from 1 on */
    size_t cell;         /* of a notebook (audit/prose.h), from 1 on; 0: none */
    bool output;         /* of that cell: what it printed */
    uint32_t at, to;     /* bytes of the text */
    size_t number;       /* of claims at one place, which was made first */
    const char *text;    /* the claim as it stands there, on one line */
    const char *stated;  /* what it says: a figure or a formula; NULL: nothing that is understood */
    const char *found;   /* what holds instead, or the same; NULL: not known */
    const char *note;    /* why, or NULL */
    rk_ex stated_value;  /* the same as expressions of the audit's pool; RK_EX_FAILED: none */
    rk_ex found_value;
    bool between;          /* its figure is right, and the numbers that it is said to come of are not */
    const rk_side *side;   /* the side that states it */
    const rk_side *source; /* the figure, wrong as well, that it goes on with; NULL: none that is known */
    const char *quantity;  /* of a model: which one it is about, and its closed form; NULL: none */
    const char *formula;
} rk_claim;

typedef struct rk_audit {
    rk_arena arena;
    rk_pool *pool;
    const rk_lexicon *lexicon;
    rk_scan scan;
    rk_lexed lexed;
    rk_reader reader;
    rk_chains chains;
    rk_definitions definitions;
    rk_ex *of_role;                     /* per role of a size: the one value that the text gives it (judge_role.c) */
    size_t values_tried;                /* of letters that the text gives several */
    rk_ex *put_right;                   /* per side of the chains: what it should say; RK_EX_FAILED: nothing else */
    RK_VEC(rk_claim) claim;             /* by line and column */
    size_t n_status[RK_N_CLAIM_STATUS]; /* of each status */
    RK_VEC(rk_claim) open; /* figures of which it is not clear what of a model they are; `quantity`: what is nearest */
    size_t n_ignored;      /* claims left out, because a mark in the text says so */
    bool unsummed;         /* there were more totals and rows than could be added up */
    RK_VEC(const char *) skipped; /* sentences about what was not read */
} rk_audit;

/* Checks text[0..n).  RK_EINPUT: it is no text; RK_ELIMIT: it is larger than RK_AUDIT_BYTES_MAX. */
int rk_audit_new(const rk_lexicon *l, const char *text, size_t n, rk_audit **out, rk_err *err);
void rk_audit_free(rk_audit *a);

/* ---- what stands around a figure --------------------------------------------------------------------------------- */

#define RK_CONTEXT_HEADINGS 8

typedef struct rk_context {
    size_t line;
    const char *before;                       /* its line up to it, without markup */
    const char *after;                        /* its line after it */
    const char *heading[RK_CONTEXT_HEADINGS]; /* headings and items that it stands in, the innermost first */
    size_t n_heading;
} rk_context;

/* A side of `a->chains`, or of a claim. */
int rk_audit_context(rk_audit *a, const rk_side *s, rk_context *out, rk_err *err);

/* ---- shared by the files of the audit ---------------------------------------------------------------------------- */

/*
 * Whether a text ends, without the end of a line, in a token, or in digits that go on with its number: it may have been
 * cut there.
 */
bool rk_audit_is_cut(const rk_audit *a, size_t token);

/* A new claim about tokens [from, to); NULL: no memory, or it would be wrong by what may be the stump of a number. */
rk_claim *rk_audit_claim(rk_audit *a, rk_claim_kind kind, rk_claim_status status, size_t from, size_t to);

/* What a side states, and what holds. */
void rk_audit_fill(rk_audit *a, rk_claim *c, const rk_side *side, rk_ex stated, rk_ex found);

void rk_audit_order(rk_audit *a);                  /* claims by line and column */
const char *rk_audit_keep(rk_audit *a, rk_str *s); /* frees it */
void rk_audit_skip(rk_audit *a, const char *what); /* a sentence about what was not read; NULL: memory ran out */

/* Sets what stands in a claim that was judged, per token. */
void rk_audit_mark_stated(const rk_audit *a, bool *stated);

/* Whether one of the tokens [from, to) is one of some words. */
bool rk_audit_says(const rk_audit *a, rk_words use, size_t from, size_t to);

/* Which of some words stand in the line of a token, or in so many lines above it; as rk_lexicon_in. */
unsigned rk_audit_says_above(const rk_audit *a, rk_words use, size_t token, size_t lines);

#define RK_AUDIT_QUOTE_MAX 400 /* bytes */

/* The text of bytes or tokens [from, to) on one line, without markup. */
const char *rk_audit_plain(rk_audit *a, uint32_t from, uint32_t to);
const char *rk_audit_quote(rk_audit *a, size_t from, size_t to);

/* A value for people: whole numbers with separators, others in the scale and with the digits of a literal, formulas. */
const char *rk_audit_value(rk_audit *a, rk_ex e, const rk_literal *like, const rk_side *unit_of);

#endif
