/* SPDX-License-Identifier: MIT */
/*
 * audit/bind_books.h - products of a decoder, and labels that name some of them; private to audit/bind*.c.
 *
 * Stage   as audit/bind.h.
 * Uses    audit/bind_parts.h.
 * Memory  none of its own.
 * Threads one thread.
 *
 * A table or a list names a component in a word or two: "QKV proj | 14 %", "FFN flops: 30,198,988,800".  What such a
 * word may mean is a few sets of products; how many FLOPs each set has, as the model is or as if it were counted
 * otherwise, the books of a model say.
 */
#ifndef RK_AUDIT_BIND_BOOKS_H
#define RK_AUDIT_BIND_BOOKS_H

#include "audit/bind_parts.h"

#define RK_BOOKS_ROWS_MAX 16
#define RK_MEANING_SETS_MAX 6

/* Products, and sets of them that have names. */
enum {
    RK_BOOK_Q = 1 << 0,
    RK_BOOK_K = 1 << 1,
    RK_BOOK_V = 1 << 2,
    RK_BOOK_SCORES = 1 << 3,
    RK_BOOK_CONTEXT = 1 << 4,
    RK_BOOK_OUTPUT = 1 << 5,
    RK_BOOK_GATE = 1 << 6,
    RK_BOOK_UP = 1 << 7,
    RK_BOOK_DOWN = 1 << 8,
    RK_BOOK_HEAD = 1 << 9,
    RK_BOOK_QKV = RK_BOOK_Q | RK_BOOK_K | RK_BOOK_V,
    RK_BOOK_PROJECTIONS = RK_BOOK_QKV | RK_BOOK_OUTPUT,
    RK_BOOK_PRODUCTS = RK_BOOK_SCORES | RK_BOOK_CONTEXT,
    RK_BOOK_ATTENTION = RK_BOOK_PROJECTIONS | RK_BOOK_PRODUCTS,
    RK_BOOK_FFN = RK_BOOK_GATE | RK_BOOK_UP | RK_BOOK_DOWN,
    RK_BOOK_LAYERS = RK_BOOK_ATTENTION | RK_BOOK_FFN,
    RK_BOOK_WHOLE = RK_BOOK_LAYERS | RK_BOOK_HEAD
};

/* By how much these are taken to be more. */
typedef struct rk_book_factors {
    double ffn, layers, products, qkv, output, head;
} rk_book_factors;

typedef struct rk_books {
    struct {
        unsigned is;
        double flops;
    } row[RK_BOOKS_ROWS_MAX];
    size_t n;
    double layers; /* how many */
    rk_book_factors factor;
} rk_books;

/* What a label may mean. */
typedef struct rk_meaning {
    unsigned set[RK_MEANING_SETS_MAX]; /* the likeliest first */
    size_t n;
} rk_meaning;

typedef struct rk_book_label {
    unsigned rows;
    bool attention, ffn, layers, total, projection, other;
    size_t n_word;
} rk_book_label;

/* The products of all layers and of the head; false: the model is made of other things, too. */
bool rk_books_read(const rk_lexicon *l, const rk_index *x, rk_books *out);

/* Of all layers; 0: the model has no such products, or not each by itself. */
double rk_books_flops(const rk_books *b, unsigned set);

/* Words of the text that give a reason to count so much of the products: a causal mask, "we ignore the scores". */
bool rk_books_left_out_on_purpose(const rk_binder *b, double times);

/* Whether enough figures of the text are the model's. */
bool rk_books_are_of_text(const rk_binder *b);

/* The entry of the index that is so much of what a label means; NULL: there is none. */
const rk_index_entry *rk_books_entry(const rk_binder *b, const rk_figure *f, const rk_sizing *at, const rk_meaning *m,
                                     double value);

/*
 * How far a figure is from a quantity, in units of its last digit; of 49.70 that may be 7.  One with all of its digits
 * may have a norm or a bias in it that is not named; where it is looked for in many views, these are exact.
 */
double rk_books_units_off(const rk_figure *f, double value, bool in_view);

/* Words that were translated to names already (bind_words.c). */
rk_book_label rk_book_label_read(const rk_lexicon *l, const char *names);
bool rk_book_label_is_empty(const rk_book_label *x);

/* Without a set: it names nothing, or several things. */
rk_meaning rk_book_label_meaning(const rk_book_label *x);
void rk_meaning_add(rk_meaning *m, unsigned set);

/* All that a label may mean to someone: parts of attention, if it speaks of it; of one that names nothing, any part. */
void rk_book_label_loosely(const rk_book_label *x, rk_meaning out[2]);

/* How far a figure is from all that its label may mean at some sizes (bind_components.c); *found is the likeliest. */
double rk_bind_nearest(const rk_binder *b, const rk_figure *f, const rk_sizing *at, const rk_meaning *m, double *found);

/* Whether it is one of some meanings, at its own sizes or at another length of the text (bind_components.c). */
bool rk_bind_is_meant(rk_binder *b, const rk_figure *f, const rk_meaning *m, size_t n);

/* Whether the section of a figure gives a width of the FFN. */
bool rk_bind_is_width_said(const rk_binder *b, const rk_figure *f);

/* Words in which something else may be meant. */
bool rk_bind_is_of_other_things(const rk_binder *b, const rk_figure *f);

#endif
