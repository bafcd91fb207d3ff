/* SPDX-License-Identifier: MIT */
/*
 * expr/pool.h - how a pool keeps its expressions; private to expr/.
 *
 * Stage   inside expr/.
 * Uses    base/.
 * Memory  everything lives in the pool's arena until the pool is freed.
 * Threads as expr.h.
 *
 * Four tables of interned byte strings, each naming its entries 0, 1, 2 …:
 *
 *     coefficient  a reduced ratio, positive denominator
 *     atom         a symbol, or a function of one or two expressions
 *     product      factors (atom, nonzero power), by ascending atom; product 0 is the empty one, 1
 *     expression   terms (product, nonzero coefficient), by ascending product; 0 is RK_EX_FAILED, 1 is zero
 *
 * Equal contents are stored once, so that comparing numbers compares expressions.  What an atom is made of was there
 * before it: there are no cycles, and everything inside an expression has smaller numbers in its own table.
 */
#ifndef RK_EXPR_POOL_H
#define RK_EXPR_POOL_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "expr/expr.h"

#define RK_EX_ZERO 1u
#define RK_SYM_NAME_MAX 255               /* bytes; a name is a word */
#define RK_WALK_MAX (2 * RK_EX_DEPTH_MAX) /* functions and definitions nested in each other */
#define RK_SYMSET_MAX (RK_SYM_MAX / 64 + 1)

/* ---- ratios ---------------------------------------------------------------------------------------------------- */

typedef struct rk_ratio {
    rk_i128 num, den; /* reduced; den > 0 */
} rk_ratio;

rk_ratio rk_ratio_int(rk_i128 n);
rk_ratio rk_ratio_make(rk_acc *acc, rk_i128 num, rk_i128 den); /* den != 0 */
rk_ratio rk_ratio_add(rk_acc *acc, rk_ratio a, rk_ratio b);
rk_ratio rk_ratio_mul(rk_acc *acc, rk_ratio a, rk_ratio b);
rk_ratio rk_ratio_inverse(rk_acc *acc, rk_ratio a);         /* a != 0 */
rk_ratio rk_ratio_pow(rk_acc *acc, rk_ratio a, int power);  /* a != 0 when power < 0 */
int rk_ratio_compare(rk_acc *acc, rk_ratio a, rk_ratio b);  /* negative, 0, positive */
rk_ratio rk_ratio_gcd(rk_acc *acc, rk_ratio a, rk_ratio b); /* gcd of the numerators over lcm of the denominators */

/* ---- what is interned ------------------------------------------------------------------------------------------ */

typedef enum rk_atom_kind {
    RK_ATOM_SYM,   /* a: the symbol */
    RK_ATOM_QUOT,  /* 1/a, a of several terms with no common factor */
    RK_ATOM_FLOOR, /* ⌊a⌋ */
    RK_ATOM_CEIL,  /* ⌈a⌉ */
    RK_ATOM_MOD,   /* a mod b */
    RK_ATOM_MIN,
    RK_ATOM_MAX
} rk_atom_kind;

typedef struct rk_atom {
    uint32_t kind; /* rk_atom_kind */
    uint32_t a, b; /* a symbol or expressions; b is 0 where there is one only */
} rk_atom;

typedef struct rk_factor {
    uint32_t atom;
    int32_t power;
} rk_factor;

typedef struct rk_term {
    uint32_t product;
    uint32_t coef;
} rk_term;

typedef struct rk_pool_item {
    const void *data;
    size_t size; /* bytes */
    uint64_t hash;
    uint32_t depth; /* how deep functions are nested in it */
    bool whole;     /* a whole number whenever every symbol is */
} rk_pool_item;

typedef struct rk_pool_table {
    RK_VEC(rk_pool_item) item;
    uint32_t *slot; /* open addressing; RK_NONE: free */
    size_t cap;
} rk_pool_table;

typedef struct rk_pool_symbol {
    const char *name;
    int rank;
    int64_t order; /* among those of its rank, when printed */
    uint32_t atom;
    rk_ex definition; /* RK_EX_FAILED: none */
    uint32_t defined; /* when: 1, 2 … */
} rk_pool_symbol;

typedef struct rk_symset {
    uint64_t *word;
    size_t n;
} rk_symset;

struct rk_pool {
    rk_arena arena;
    rk_arena scratch; /* always rewound; its first chunk stays, so that small sums allocate nothing */
    rk_pool_table coef, atom, product, ex;
    RK_VEC(rk_pool_symbol) sym;
    RK_VEC(rk_symset) inside; /* per atom: the symbols in it, at any depth */
    rk_map by_name;
    size_t name_longest;
    uint32_t n_defined;
    rk_err first; /* code RK_OK while nothing went wrong */
};

/* Each gives the number of an entry, or RK_NONE (an expression: RK_EX_FAILED) after recording the failure. */
uint32_t rk_intern_coef(rk_pool *p, rk_ratio c);
uint32_t rk_intern_atom(rk_pool *p, rk_atom_kind kind, uint32_t a, uint32_t b);
uint32_t rk_intern_product(rk_pool *p, const rk_factor *f, size_t n);
rk_ex rk_intern_ex(rk_pool *p, const rk_term *t, size_t n);

/* Records the first failure of the pool; returns RK_EX_FAILED. */
rk_ex rk_pool_fail(rk_pool *p, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
rk_ex rk_pool_fail_memory(rk_pool *p);

static inline size_t rk_n_atom(const rk_pool *p)
{
    return p->atom.item.n;
}

static inline rk_atom rk_atom_at(const rk_pool *p, uint32_t atom)
{
    return *(const rk_atom *)p->atom.item.at[atom].data;
}

static inline rk_ratio rk_coef_at(const rk_pool *p, uint32_t coef)
{
    return *(const rk_ratio *)p->coef.item.at[coef].data;
}

static inline const rk_factor *rk_factors(const rk_pool *p, uint32_t product, size_t *n)
{
    const rk_pool_item *it = &p->product.item.at[product];

    *n = it->size / sizeof(rk_factor);
    return it->data;
}

static inline const rk_term *rk_terms(const rk_pool *p, rk_ex e, size_t *n)
{
    const rk_pool_item *it = &p->ex.item.at[e];

    *n = it->size / sizeof(rk_term);
    return it->data;
}

static inline bool rk_ex_failed(const rk_pool *p, rk_ex e)
{
    return e == RK_EX_FAILED || e >= p->ex.item.n;
}

/* ---- shared between the files of expr/ ------------------------------------------------------------------------- */

/* True and the value when the expression is a plain number. */
bool rk_ex_is_ratio(const rk_pool *p, rk_ex e, rk_ratio *value);

/* True and the atom when the expression is one of that kind, to the power 1 with coefficient 1. */
bool rk_ex_is_atom(const rk_pool *p, rk_ex e, uint32_t kind, rk_atom *out);

/* RK_OK, or why there is no expression to evaluate. */
int rk_ex_check(const rk_pool *p, rk_ex e, rk_err *err);

rk_ex rk_ex_atom(rk_pool *p, uint32_t atom);
rk_ex rk_ex_scale(rk_pool *p, rk_ex e, uint32_t product, rk_ratio c); /* e · c · product */

/* Adds the symbols of an expression, also those inside functions, to a set of RK_SYMSET_MAX words. */
void rk_ex_join_symbols(const rk_pool *p, rk_ex e, uint64_t *word);

int32_t rk_product_power(const rk_pool *p, uint32_t product, uint32_t atom); /* 0: it is not in it */

/* An attempt that became too large is no failure of the pool, unless memory ran out; `before`: its code before it. */
void rk_pool_forgive(rk_pool *p, int before);

/* The powers added, the powers negated, the least powers (an absent atom has power 0); RK_NONE on failure. */
uint32_t rk_product_mul(rk_pool *p, uint32_t a, uint32_t b);
uint32_t rk_product_pow(rk_pool *p, uint32_t a, int power);
uint32_t rk_product_meet(rk_pool *p, uint32_t a, uint32_t b);

/*
 * A sum that is being collected: terms in any order, repeated at will.  Failure is sticky; rk_bag_done gives the
 * expression and releases the memory, which is the pool's scratch: bags end in the opposite order of their beginnings.
 */
typedef struct rk_bag_term {
    rk_ratio coef;
    uint32_t product;
    uint32_t coef_id; /* of the coefficient, where it is one of the pool's; else RK_NONE */
} rk_bag_term;

typedef struct rk_bag {
    rk_pool *pool;
    rk_bag_term *term;
    size_t n, cap;
    bool failed;
    rk_arena_mark mark;
} rk_bag;

rk_bag rk_bag_open(rk_pool *p, size_t expected); /* `expected`: how many terms will be put in, about */
void rk_bag_put(rk_bag *bag, uint32_t product, rk_ratio coef);
void rk_bag_put_ex(rk_bag *bag, rk_ex e, uint32_t product, rk_ratio coef); /* e · coef · product */
void rk_bag_put_sum(rk_bag *bag, rk_ex a, rk_ex b, rk_ratio coef);         /* a + b · coef, in order */
rk_ex rk_bag_done(rk_bag *bag);

/* e = content · primitive: the greatest common product and the rational gcd, with the sign of the last term. */
bool rk_ex_content(rk_pool *p, rk_ex e, uint32_t *product, rk_ratio *coef, rk_ex *primitive);

/* a / b when that leaves no remainder; RK_EX_FAILED, with no failure recorded, otherwise. */
rk_ex rk_ex_divide_exactly(rk_pool *p, rk_ex a, rk_ex b);

/*
 * Joins a sum with its quotients where they divide: D/(D + 2) + 2/(D + 2) becomes 1.  Adding does not do so, since it
 * would then depend on the order of the terms.
 */
rk_ex rk_ex_cancel(rk_pool *p, rk_ex e);

/* The function of that kind, folded where it can be; b is ignored where there is one argument only. */
rk_ex rk_ex_apply(rk_pool *p, rk_atom_kind kind, rk_ex a, rk_ex b);

/* The longest declared name that text[0..n) begins with; *len is its length. */
rk_sym rk_sym_prefix(const rk_pool *p, const char *text, size_t n, size_t *len);

/* One value per atom, so that what occurs twice is evaluated once. */
typedef struct rk_memo {
    rk_ratio value;
    rk_i128 done; /* 0 or 1; as wide as the rest, so that a tape's scratch can hold memos */
} rk_memo;

/* rk_ex_eval with the memory for its memo given: n_memo zeroed entries; atoms beyond are evaluated each time. */
int rk_ex_eval_in(const rk_pool *p, rk_ex e, const rk_binding *at, rk_memo *memo, size_t n_memo, rk_i128 *out,
                  rk_err *err);

#endif
