/* SPDX-License-Identifier: MIT */
/*
 * audit/formula.h - one side of an equation: tokens in, an exact expression out.
 *
 * Stage   tokens -> [formula] -> sides -> chains -> claims.
 * Uses    base/, expr/, audit/lex.h.
 * Memory  expressions live in the pool; a side is a plain value.
 * Threads as building expressions: one thread.
 *
 * A side is the longest expression from a token on.  Letters that stand together are a product where all of them are
 * symbols of the text; words and remarks in brackets after an operand are its label.  What can be read but has no
 * value (9^9^9^9, a division by zero) is a side all the same, and says why.
 */
#ifndef RK_AUDIT_FORMULA_H
#define RK_AUDIT_FORMULA_H

#include "audit/lex.h"

#define RK_SIDE_SYMBOLS_MAX 12 /* different ones in a side; formulas of this kind have six */
#define RK_SIDE_DEPTH_MAX 64   /* brackets in brackets */
#define RK_SIDE_LABEL_MAX 4    /* words after an operand that are still its label */
#define RK_SIDE_WORDY_MAX 8    /* the same where more are read */
#define RK_SIDE_POWER_MAX 127  /* of 2, and more than 128 bits hold */
#define RK_SIDE_SYMBOL_POWER_MAX 8
#define RK_SIDE_TERMS_MAX 256 /* of a formula when it is multiplied out */

typedef struct rk_side_reading {
    enum {
        RK_READ_THOUSANDS,
        RK_READ_BINARY,
        RK_READ_BYTES,
        RK_READ_COUNTS,
        RK_READ_BY_HAND,
        RK_READ_WORDS
    } units; /* GB: 1000³, 1024³, that but for "10B" and other scales, 1000³ but for "128K", 1 (bytes; all units) */
    enum {
        RK_READ_BILLIONS,
        RK_READ_EACH_BYTES, /* 2B is two bytes */
        RK_READ_LAST_BYTES  /* … after a number of billions: "7B × 2B" */
    } bytes;
    bool rates; /* per hour is a 3,600th of per second; else periods are mere words */
    enum {
        RK_READ_KNOWN,     /* the B of 2B is a symbol where the text has one */
        RK_READ_OTHERWISE, /* the other way round: a scale where B is a symbol, a symbol where it is none */
        RK_READ_SCALES     /* a scale wherever it may be one */
    } letters;
    bool counted; /* "64 head_dim", "2 (K+V)", "4 (m)": names after a number say what it counts */
    bool raised;  /* "7 × 109": 10⁹, of a text that was taken out of a page without what is raised */
    bool bits;    /* "512 bit / 8": bits are mere words */
    bool close;   /* what stands side by side is one divisor: T²/2T is T²/(2T) */
    bool wordy;   /* more words after a number are its label: "7 blocks for the hot expert + 7 blocks for others" */
    enum {
        RK_READ_MINUS,
        RK_READ_LOW,
        RK_READ_HIGH
    } range; /* 58-67: a difference, or the lower or the upper end of a range */
} rk_side_reading;

/* How a number was written that stands alone. */
typedef struct rk_literal {
    bool is;       /* it is one */
    bool rounded;  /* it may be rounded: it has a point, an exponent, a scale */
    bool about;    /* it stands after "about" */
    double unit;   /* of its last digit */
    double coarse; /* of its last digit that is not 0 */
    int decimals;  /* digits after its point */
    rk_ex scale;   /* what 1 means in it: 10⁹ of "2.13 billion" */
} rk_literal;

typedef enum rk_trouble {
    RK_TROUBLE_NONE,
    RK_TROUBLE_LARGE, /* a number beyond 128 bits */
    RK_TROUBLE_ZERO,  /* a division by zero */
    RK_TROUBLE_POWER, /* a power that is no small whole number */
    RK_TROUBLE_MANY   /* too many symbols */
} rk_trouble;

typedef struct rk_side {
    size_t from, to; /* tokens, with label and unit */
    rk_ex value;     /* RK_EX_FAILED: none; `trouble` says why */
    rk_trouble trouble;
    double slack;  /* how far off the rounding of its numbers may make it */
    double coarse; /* … of whole numbers in a sum of others with decimals */
    double loose;  /* the same of a formula with letters, of its size */
    rk_literal literal;
    const rk_word_unit *unit; /* of the last number with one, or NULL */
    rk_sym symbol[RK_SIDE_SYMBOLS_MAX];
    size_t n_symbol;
    size_t degree;            /* at most so many symbols are multiplied with each other anywhere in it */
    rk_sym alone;             /* it is this symbol and nothing else; RK_SYM_NONE */
    bool name;                /* letters that were taken for a product, and may be a name */
    bool call;                /* a letter before a single thing in brackets: perhaps a function */
    bool digits;              /* it has a number in it */
    bool computed;            /* something is computed in it */
    bool labelled;            /* a number with words after it that are no unit */
    bool shape;               /* a list in brackets, taken as the product of its elements */
    bool maybe_two;           /* a number in it may be two */
    size_t dash;              /* the last hyphen between blanks on its top level, or 0 */
    bool range;               /* a hyphen between digits */
    bool about;               /* the relation before it says "about" */
    bool again;               /* it says once more, in brackets or after "i.e.", what stands before it */
    bool arrow;               /* … is an arrow, which may lead from one thing to another */
    bool mixed;               /* a sum of numbers with a unit and others without */
    bool timed;               /* it has a unit of time */
    bool per;                 /* … so much of something per something else */
    const rk_word_unit *rate; /* … per hour; NULL: of no time */
} rk_side;

typedef struct rk_reader {
    rk_pool *pool;
    const char *text;
    const rk_lexed *lexed;
    bool known[128]; /* letters that are symbols of the text */
    size_t *budget;  /* steps that are left for the whole text */
} rk_reader;

/* Reads the side that begins at a token, before `end`; false: there is none. */
bool rk_side_read(const rk_reader *r, size_t at, size_t end, rk_side_reading how, rk_side *out);

/* The number that begins at a token, with its power of ten and its units, and no further; false: there is none. */
bool rk_side_read_number(const rk_reader *r, size_t at, size_t end, rk_side *out);

/* The words after the number of "6 and a half", which begin at a token before n others; 0: there are none. */
size_t rk_side_half(const char *text, const rk_audit_token *t, size_t n);

/* The value of a plain number as a double, for tolerances. */
bool rk_side_double(const rk_pool *p, rk_ex e, double *out);

/* Its value with 1 for each of its symbols. */
rk_ex rk_side_bare(rk_pool *p, const rk_side *s);

#endif
