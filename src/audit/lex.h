/* SPDX-License-Identifier: MIT */
/*
 * audit/lex.h - numbers, symbols, words and signs of a written text, whatever the notation.
 *
 * Stage   pieces -> [lex] -> tokens -> chains -> claims.
 * Uses    base/, expr/ (which owns the symbols), audit/scan.h, audit/lexicon.h.
 * Memory  tokens live in the arena given.
 * Threads no state.
 *
 * Markdown, LaTeX and plain ASCII lead to the same tokens.  Emphasis, alignment and layout are gone; \frac is a
 * quotient in brackets; ² is a power; a line's end is a break unless the formula visibly goes on over it.  What is
 * unknown is RK_TOKEN_JUNK: nothing next to it is understood.
 */
#ifndef RK_AUDIT_LEX_H
#define RK_AUDIT_LEX_H

#include "audit/lexicon.h"
#include "audit/scan.h"
#include "expr/expr.h"

#define RK_LEX_TOKENS_MAX (1u << 19) /* of one text: some thousand pages; what comes after is passed over */

typedef enum rk_audit_token_kind {
    RK_TOKEN_NUMBER, /* id: its place among the numbers; op: = behind ≈, which is about all that comes out */
    RK_TOKEN_SYMBOL, /* id: the symbol */
    RK_TOKEN_WORD,
    RK_TOKEN_SIGN,  /* op: + - * / ^ */
    RK_TOKEN_OPEN,  /* op: ( [ {, c for ⌈ and f for ⌊ */
    RK_TOKEN_CLOSE, /* op: that of its beginning */
    RK_TOKEN_EQUALS,
    RK_TOKEN_COMMA,
    RK_TOKEN_BREAK, /* op: ':' and '\n' are told apart, others are 0 */
    RK_TOKEN_STAR,  /* * or **, of which neighbours say what it is; gone when a piece is done */
    RK_TOKEN_JUNK
} rk_audit_token_kind;

typedef enum rk_audit_token_mode {
    RK_MODE_PLAIN,
    RK_MODE_CODE,
    RK_MODE_MATH
} rk_audit_token_mode;

typedef struct rk_audit_token {
    uint8_t kind, mode;
    char op;
    bool space;    /* something blank stands before it */
    bool about;    /* EQUALS: ≈ or ~; others: such a sign stands before it */
    bool first;    /* EQUALS: the first of its line */
    bool remark;   /* in a remark of a program, where people state as they do in a text */
    uint16_t n;    /* bytes of the text, at most 65,535 */
    uint32_t at;   /* its first byte */
    uint32_t span; /* formulas and code between the same $ or ` have the same number; plain text has 0 */
    uint32_t id;
} rk_audit_token;

/* digits × 10^exponent */
typedef struct rk_written {
    rk_i128 digits;
    int exponent;   /* also of the last digit that was written: the unit to which the number may be rounded */
    int decimals;   /* digits after its point */
    bool decimal;   /* with a point or an exponent */
    bool wide;      /* more digits than fit, or an exponent beyond reason: it has no value */
    bool maybe_two; /* "(128,128": perhaps two numbers */
} rk_written;

double rk_written_value(const rk_written *w); /* 0: it has none, or w is NULL */

typedef struct rk_lexed {
    const rk_lexicon *lexicon;
    RK_VEC(rk_audit_token) token;
    RK_VEC(rk_written) number;
    size_t *first;    /* of each piece, and one after the last */
    uint32_t skipped; /* byte from which on nothing was read, or 0 */
} rk_lexed;

int rk_lex_pieces(const rk_lexicon *l, rk_arena *a, const rk_scan *s, rk_pool *pool, rk_lexed *out, rk_err *err);

/* ---- shared by the files of the lexer --------------------------------------------------------------------------- */

#define RK_LEX_FRAMES_MAX 64 /* braces in braces; deeper ones are junk */

/* The next copy of a line: what stands from `from` to `to` is not read. */
typedef struct rk_lex_copies {
    uint32_t from, to, line_end;
    size_t budget; /* bytes that may still be compared */
} rk_lex_copies;

typedef struct rk_audit_lexer {
    rk_arena *arena;
    rk_pool *pool;
    rk_lexed *out;
    const char *text;
    uint32_t at, to;
    size_t first; /* token of this piece */
    rk_audit_token_mode mode;
    uint32_t span;
    bool space;
    uint8_t frame[RK_LEX_FRAMES_MAX]; /* what each open brace is */
    uint8_t frame_mode[RK_LEX_FRAMES_MAX];
    size_t n_frame;
    uint8_t pending;             /* what the next brace is */
    size_t n_around;             /* \begin{align} and the like that are open */
    rk_audit_token_mode outside; /* … and the mode around them */
    bool program;                /* in a program, where // begins a remark */
    bool remark;                 /* … which lasts to the end of the line */
    bool escapes;                /* in a cell of a table, \\( is a bracket and begins no formula */
    rk_lex_copies copies;
} rk_audit_lexer;

/* Appends a token of n bytes from here on, and moves after it. */
rk_audit_token *rk_lex_put(rk_audit_lexer *x, rk_audit_token_kind kind, char op, uint32_t n);
void rk_lex_put_number(rk_audit_lexer *x, const rk_written *w, uint32_t n);
rk_audit_token *rk_lex_last(const rk_audit_lexer *x); /* NULL: the piece has none yet */
bool rk_lex_sees(const rk_audit_lexer *x, const char *text);

bool rk_lex_pass_copy(rk_audit_lexer *x);   /* what stands again further on in its line: lex_copy.c */
bool rk_lex_number(rk_audit_lexer *x);      /* false: there is none here */
bool rk_lex_command(rk_audit_lexer *x);     /* what begins with a backslash, and braces of formulas */
void rk_lex_name(rk_audit_lexer *x);        /* a letter is here */
bool rk_lex_skip_script(rk_audit_lexer *x); /* "_{\\text{weights}}", behind a brace or a number: a remark */
bool rk_lex_subscript(rk_audit_lexer *x);   /* of the word before: \text{FLOP}_{QKV} is a symbol */
bool rk_lex_is_letter(unsigned char c);
unsigned char rk_lex_byte(const rk_audit_lexer *x, uint32_t at); /* 0 after the end */

/* The last step: stars, the letter x between numbers, breaks inside formulas, signs of approximation. */
void rk_lex_tidy(rk_audit_lexer *x);

#endif
