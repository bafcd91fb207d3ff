/* SPDX-License-Identifier: MIT */
/*
 * expr/expr.h - exact symbolic whole numbers.
 *
 * Stage   used by every stage from model on.
 * Uses    base/.
 * Memory  a pool owns its symbols and expressions; an rk_ex is a 32-bit handle into it.  A pool that lies over another
 *         borrows that one's, which must outlive it.
 * Threads building needs the pool alone; evaluating and printing a pool that no one changes is safe, and so is laying
 *         pools over it, one for each thread that builds.
 *
 * An expression is kept in one canonical form, a sum of terms: a rational coefficient times whole powers (negative
 * ones too) of atoms.  An atom is a symbol or a function of expressions: floor and ceiling division, remainder, min,
 * max, or a quotient that does not divide term by term.  Equal expressions have equal handles.
 * D/N times N is therefore D, with no rewriting rules.
 *
 * Failure is sticky: building from a failed expression gives RK_EX_FAILED, and rk_pool_check says what went wrong
 * first (a coefficient beyond 128 bits, a limit, no memory, a division by nothing).
 */
#ifndef RK_EXPR_EXPR_H
#define RK_EXPR_EXPR_H

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"

#include <stdint.h>

typedef struct rk_pool rk_pool;
typedef uint32_t rk_ex;  /* an expression of a pool */
typedef uint32_t rk_sym; /* a symbol of a pool: 0, 1, 2 … in the order of declaration */

#define RK_EX_FAILED 0u
#define RK_SYM_NONE UINT32_MAX

/* Limits, each with its reason in pool.c. */
#define RK_EX_TERMS_MAX 4096
#define RK_EX_PAIRS_MAX (16 * RK_EX_TERMS_MAX) /* pairs of terms that one product of sums multiplies */
#define RK_EX_DEPTH_MAX 64
#define RK_EX_POWER_MAX 64
#define RK_SYM_MAX 4096

rk_pool *rk_pool_new(void); /* NULL: no memory */

/*
 * A pool that begins with all that `base` has: its symbols, with their definitions, and its expressions have the same
 * handles in both, and equal expressions still have equal ones.  What is built, declared or defined from then on is the
 * new pool's alone, with numbers after those of `base`, which must not grow while another lies over it.
 */
rk_pool *rk_pool_over(const rk_pool *base); /* NULL: no memory */
void rk_pool_free(rk_pool *p);
int rk_pool_check(const rk_pool *p, rk_err *err); /* RK_OK, or the first failure */

/* ---- symbols ------------------------------------------------------------------------------------------------- */

/*
 * Declares a symbol, or finds the one of that name.  `rank` orders symbols inside a printed term, smaller first, equal
 * ranks in the order of declaration: run symbols (B, S …) have rank 0, a model's own rank 1.  Names are UTF-8 words;
 * those of one letter (with primes or digits after it) are printed without a dot between them: 8BSD².
 */
rk_sym rk_sym_declare(rk_pool *p, const char *name, int rank);
void rk_sym_print_first(rk_pool *p, rk_sym s);          /* as if it had been declared before all others of its rank */
rk_sym rk_sym_find(const rk_pool *p, const char *name); /* RK_SYM_NONE: unknown */
const char *rk_sym_name(const rk_pool *p, rk_sym s);
size_t rk_sym_count(const rk_pool *p);

/* Says that a symbol is defined by others (H = D/N, T = S), perhaps by symbols declared later, but in no cycle. */
int rk_sym_define(rk_pool *p, rk_sym s, rk_ex definition, rk_err *err);
rk_ex rk_sym_definition(const rk_pool *p, rk_sym s); /* RK_EX_FAILED: a base symbol */
void rk_sym_undefine(rk_pool *p, rk_sym s);          /* a base symbol from here on */

/* ---- building ------------------------------------------------------------------------------------------------ */

rk_ex rk_ex_int(rk_pool *p, rk_i128 n);
rk_ex rk_ex_ratio(rk_pool *p, rk_i128 numerator, rk_i128 denominator);
rk_ex rk_ex_sym(rk_pool *p, rk_sym s);
rk_ex rk_ex_add(rk_pool *p, rk_ex a, rk_ex b);
rk_ex rk_ex_sub(rk_pool *p, rk_ex a, rk_ex b);
rk_ex rk_ex_mul(rk_pool *p, rk_ex a, rk_ex b);
rk_ex rk_ex_div(rk_pool *p, rk_ex a, rk_ex b); /* exact: evaluating it when it is not whole is an error */
rk_ex rk_ex_pow(rk_pool *p, rk_ex a, int e);
rk_ex rk_ex_floor_div(rk_pool *p, rk_ex a, rk_ex b);
rk_ex rk_ex_ceil_div(rk_pool *p, rk_ex a, rk_ex b);
rk_ex rk_ex_mod(rk_pool *p, rk_ex a, rk_ex b); /* sign of b, as floor_div */
rk_ex rk_ex_min(rk_pool *p, rk_ex a, rk_ex b);
rk_ex rk_ex_max(rk_pool *p, rk_ex a, rk_ex b);

/* ---- asking -------------------------------------------------------------------------------------------------- */

/* True and the value when the expression is a plain whole number. */
bool rk_ex_is_int(const rk_pool *p, rk_ex e, rk_i128 *value);
bool rk_ex_is_quotient(const rk_pool *p, rk_ex e, rk_i128 *num, rk_i128 *den); /* the same of a ratio; den > 0 */
bool rk_ex_is_sym(const rk_pool *p, rk_ex e, rk_sym *s); /* exactly one symbol, to the power 1, coefficient 1 */
bool rk_ex_has_sym(const rk_pool *p, rk_ex e, rk_sym s); /* also inside functions */
bool rk_ex_is_whole(const rk_pool *p, rk_ex e); /* whenever all of its symbols are; false may also mean: not always */
size_t rk_ex_term_count(const rk_pool *p, rk_ex e);

/* The numbers of symbols.  A defined symbol without a number takes that of its definition. */
typedef struct rk_binding {
    const rk_i128 *value; /* one per symbol, in the order of declaration */
    const bool *known;    /* one per symbol */
    size_t n;             /* symbols beyond n are unknown */
} rk_binding;

/*
 * The exact value.  RK_EVALUE: a symbol has no value (named), a quotient is not whole, a division by zero;
 * RK_EOVERFLOW: more than 128 bits.
 */
int rk_ex_eval(const rk_pool *p, rk_ex e, const rk_binding *at, rk_i128 *out, rk_err *err);

/* The same where the value need not be whole: num/den, reduced, den > 0. */
int rk_ex_eval_ratio(const rk_pool *p, rk_ex e, const rk_binding *at, rk_i128 *num, rk_i128 *den, rk_err *err);

/* ---- rewriting ----------------------------------------------------------------------------------------------- */

rk_ex rk_ex_subst(rk_pool *p, rk_ex e, rk_sym s, rk_ex by);

/* Replaces every defined symbol by its definition, all the way down: the form in which two quantities are compared. */
rk_ex rk_ex_expand_defs(rk_pool *p, rk_ex e);

/*
 * The form to show: a defined symbol is eliminated where the result is simpler (fewer terms; then fewer different
 * symbols; then fewer factors), in the order last defined first.  A quotient may not appear that was not there.
 */
rk_ex rk_ex_simplify(rk_pool *p, rk_ex e);

/* e = plus - minus, each term of e in the one in which it is positive. */
void rk_ex_split(rk_pool *p, rk_ex e, rk_ex *plus, rk_ex *minus);

/* Term i of a sum, below rk_ex_term_count; and of a sum the term that differs from another term by a number, or 0. */
rk_ex rk_ex_term(rk_pool *p, rk_ex e, size_t i);
rk_ex rk_ex_term_like(rk_pool *p, rk_ex e, rk_ex term);

/* ---- one symbol ---------------------------------------------------------------------------------------------- */

/*
 * e = Σ out[k]·s^k for k < n ≤ most, with s in no out[k]; n is 0 where e is 0.  Definitions that lead to s are put in.
 * False: s is inside a function or below a line, or e is of too high a degree.
 */
bool rk_ex_coefficients(rk_pool *p, rk_ex e, rk_sym s, rk_ex *out, size_t most, size_t *n);

/* Without the positive factor that all terms have in common: 8BSD² - 4BS²D is 2D - S. */
rk_ex rk_ex_primitive(rk_pool *p, rk_ex e);

/*
 * e as it is for numbers of s from the given one up to `until` (not with it): each min and max in which s occurs is
 * replaced by the argument that it is there.  RK_EX_FAILED, with no failure recorded: their arguments are not linear in
 * s.
 */
rk_ex rk_ex_decide(rk_pool *p, rk_ex e, rk_sym s, const rk_binding *at, rk_i128 *until);

/* ---- text ---------------------------------------------------------------------------------------------------- */

enum {
    RK_PRINT_TEXT = 0,    /* 8BSD² + 4BS²D + 6BSDF */
    RK_PRINT_LATEX = 1,   /* 8BSD^{2} + 4BS^{2}D + 6BSDF */
    RK_PRINT_FACTORED = 2 /* may be or-ed to either: 2BSD(4D + 2S + 3F) */
};

void rk_ex_print(const rk_pool *p, rk_ex e, int style, rk_str *out);

/* The same with numbers in place of the symbols that have one: 2·1·1,024·25·64.  NULL: with names. */
void rk_ex_print_at(const rk_pool *p, rk_ex e, int style, const rk_binding *at, rk_str *out);

/* Reads what rk_ex_print wrote in text style, and plain ASCII (2*B*S*D^2, D/N, floor(a/b), min(a, b), a mod b). */
int rk_ex_parse(rk_pool *p, const char *text, rk_ex *out, rk_err *err);

/* ---- bulk evaluation ----------------------------------------------------------------------------------------- */

/*
 * Many expressions compiled once into one flat list of multiplications and additions in which common products are
 * computed once.  Evaluating allocates nothing.  The pool must outlive the tape.
 */
typedef struct rk_tape rk_tape;

rk_tape *rk_tape_new(const rk_pool *p, const rk_ex *e, size_t n, rk_err *err);
void rk_tape_free(rk_tape *t);
size_t rk_tape_scratch(const rk_tape *t); /* how many rk_i128 of scratch an evaluation needs */
int rk_tape_eval(const rk_tape *t, const rk_binding *at, rk_i128 *scratch, rk_i128 *out, rk_err *err);

#endif
