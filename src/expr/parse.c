/* SPDX-License-Identifier: MIT */
/*
 * expr/parse.c - expressions from text.
 *
 *     sum     = ["+" | "-"] product {("+" | "-") product}
 *     product = power {("*" | "·" | "×" | "/" | "÷" | "mod" | nothing) power}
 *     power   = ["-"] primary {superscript | "^" ["-"] number}
 *     primary = number | symbol | "(" sum ")" | "⌊" sum "⌋" | "⌈" sum "⌉" | function "(" sum {"," sum} ")"
 *
 * Products are read from the left: a/bc is (a/b)·c.  A run of letters is cut into the longest declared names.
 */
#include "expr/pool.h"

#include <string.h>

typedef struct reader {
    rk_pool *pool;
    const char *start, *at;
    int depth;
    int code;
    rk_err *err;
} reader;

static rk_ex read_sum(reader *r);

/* ---- errors ---------------------------------------------------------------------------------------------------- */

/* Columns count characters, from 1. */
static size_t column(const reader *r)
{
    size_t n = 1;

    for (const char *c = r->start; c < r->at; c++)
        n += ((unsigned char)*c & 0xC0) != 0x80;
    return n;
}

static size_t letter_length(const char *at)
{
    size_t n = *at ? 1 : 0;

    while (n && ((unsigned char)at[n] & 0xC0) == 0x80)
        n++;
    return n;
}

static void skip_space(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
        r->at++;
}

/* "expected a number, found ')' at column 3" */
static rk_ex refuse(reader *r, const char *expected)
{
    rk_str found = {0};

    if (r->code != RK_OK)
        return RK_EX_FAILED;
    skip_space(r);
    rk_str_put_safe(&found, r->at, letter_length(r->at));
    if (*r->at)
        r->code = rk_fail(r->err, RK_EINPUT, "expected %s, found '%s' at column %zu", expected, rk_str_text(&found),
                          column(r));
    else
        r->code = rk_fail(r->err, RK_EINPUT, "expected %s at the end of '%s'", expected, r->start);
    rk_str_free(&found);
    return RK_EX_FAILED;
}

/* ---- characters ------------------------------------------------------------------------------------------------ */

static bool looks_at(const reader *r, const char *word)
{
    return strncmp(r->at, word, strlen(word)) == 0;
}

/* Moves past the word and the space before it, or not at all: a space may still tell `a mod b` from `amod`. */
static bool take(reader *r, const char *word)
{
    const char *before = r->at;

    skip_space(r);
    if (looks_at(r, word)) {
        r->at += strlen(word);
        return true;
    }
    r->at = before;
    return false;
}

static bool take_minus(reader *r)
{
    return take(r, "-") || take(r, "−");
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '\'';
}

/* The bytes of the word at `at`: ASCII letters, digits and whatever is not ASCII and no sign of ours. */
static size_t word_length(const char *at)
{
    static const char *const sign[] = {"·", "×", "÷", "−", "⌊", "⌋", "⌈", "⌉", "⁰", "¹",
                                       "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};
    size_t n = 0;

    while (is_word(at[n]) || (unsigned char)at[n] >= 0x80) {
        for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
            if (strncmp(at + n, sign[i], strlen(sign[i])) == 0)
                return n;
        n += letter_length(at + n);
    }
    return n;
}

/* ---- primaries ------------------------------------------------------------------------------------------------- */

static rk_ex read_number(reader *r)
{
    size_t n = 0;
    rk_i128 value;

    while (is_digit(r->at[n]))
        n++;
    if (!rk_num_parse(r->at, n, &value)) {
        r->code = rk_fail(r->err, RK_EOVERFLOW, "the number at column %zu exceeds 128 bits", column(r));
        return RK_EX_FAILED;
    }
    r->at += n;
    return rk_ex_int(r->pool, value);
}

/* How much of an unknown word to quote: a message must stay readable. */
static int shown(size_t n)
{
    return n < 60 ? (int)n : 60;
}

static rk_ex read_symbol(reader *r)
{
    const char *word = r->at;
    size_t n;
    rk_sym s = rk_sym_prefix(r->pool, r->at, strnlen(r->at, RK_SYM_NAME_MAX), &n);

    if (s != RK_SYM_NONE) {
        r->at += n;
        return rk_ex_sym(r->pool, s);
    }
    n = word_length(word);
    if (n == 0)
        return refuse(r, "a number, a symbol or '('");
    while (word > r->start && (is_word(word[-1]) || (unsigned char)word[-1] >= 0x80))
        word--;
    if (word == r->at || word_length(word) != (size_t)(r->at - word) + n)
        r->code = rk_fail(r->err, RK_EINPUT, "unknown symbol '%.*s'", shown(n), r->at);
    else
        r->code = rk_fail(r->err, RK_EINPUT, "unknown symbol '%.*s' in '%.*s'", shown(n), r->at,
                          shown((size_t)(r->at - word) + n), word);
    return RK_EX_FAILED;
}

static rk_ex read_closed(reader *r, const char *close, const char *expected)
{
    rk_ex e = read_sum(r);

    if (r->code == RK_OK && !take(r, close))
        return refuse(r, expected);
    return e;
}

static const struct function {
    const char *name;
    rk_atom_kind kind;
    bool many;
} functions[] = {
    {"min", RK_ATOM_MIN, true},
    {"max", RK_ATOM_MAX, true},
    {"floor", RK_ATOM_FLOOR, false},
    {"ceil", RK_ATOM_CEIL, false},
};

/* The function whose name and bracket stand here, or NULL. */
static const struct function *function_here(const reader *r)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t n = strlen(functions[i].name);

        if (looks_at(r, functions[i].name) && r->at[n] == '(')
            return &functions[i];
    }
    return NULL;
}

static rk_ex read_call(reader *r, const struct function *f)
{
    rk_ex e;

    r->at += strlen(f->name) + 1;
    e = read_sum(r);
    if (!f->many)
        e = rk_ex_apply(r->pool, f->kind, e, RK_EX_FAILED);
    while (f->many && r->code == RK_OK && take(r, ","))
        e = rk_ex_apply(r->pool, f->kind, e, read_sum(r));
    if (r->code == RK_OK && !take(r, ")"))
        return refuse(r, "')'");
    return e;
}

static rk_ex read_primary(reader *r)
{
    const struct function *f = function_here(r);

    if (is_digit(*r->at))
        return read_number(r);
    if (f)
        return read_call(r, f);
    if (take(r, "("))
        return read_closed(r, ")", "')'");
    if (take(r, "⌊"))
        return rk_ex_apply(r->pool, RK_ATOM_FLOOR, read_closed(r, "⌋", "'⌋'"), RK_EX_FAILED);
    if (take(r, "⌈"))
        return rk_ex_apply(r->pool, RK_ATOM_CEIL, read_closed(r, "⌉", "'⌉'"), RK_EX_FAILED);
    return read_symbol(r);
}

/* ---- powers ---------------------------------------------------------------------------------------------------- */

enum {
    POWER_READ_MAX = 10000
}; /* beyond any limit, and safe in an int */

/* One digit, perhaps a superscript one, or -1. */
static int take_digit(reader *r, bool raised)
{
    static const char *const digit[2][10] = {{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                                             {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}};

    for (int i = 0; i < 10; i++)
        if (looks_at(r, digit[raised][i])) {
            r->at += strlen(digit[raised][i]);
            return i;
        }
    return -1;
}

/* ² or ⁻² directly after, or ^2 or ^-2. */
static bool take_power(reader *r, int *power)
{
    const char *before = r->at;
    bool raised = looks_at(r, "⁻") || take_digit(r, true) >= 0, negative;
    int digit;

    r->at = before;
    if (!raised && !take(r, "^"))
        return false;
    negative = raised ? take(r, "⁻") : take_minus(r);
    if (!raised)
        skip_space(r);
    digit = take_digit(r, raised);
    if (digit < 0 && !raised)
        refuse(r, "a whole number after '^'");
    if (digit < 0) {
        r->at = raised ? before : r->at;
        return false;
    }
    for (*power = 0; digit >= 0; digit = take_digit(r, raised))
        *power = *power < POWER_READ_MAX ? *power * 10 + digit : *power;
    *power = negative ? -*power : *power;
    return true;
}

static rk_ex read_power(reader *r)
{
    bool negative = take_minus(r);
    int power;
    rk_ex e;

    skip_space(r);
    e = read_primary(r);
    while (r->code == RK_OK && take_power(r, &power))
        e = rk_ex_pow(r->pool, e, power);
    return negative ? rk_ex_sub(r->pool, RK_EX_ZERO, e) : e;
}

/* ---- products and sums ----------------------------------------------------------------------------------------- */

typedef enum operation {
    NONE,
    TIMES,
    OVER,
    MODULO
} operation;

/* `mod` is an operator where one is expected, between spaces; elsewhere it may be three symbols. */
static bool take_mod(reader *r)
{
    const char *before = r->at;

    skip_space(r);
    if (r->at > before && looks_at(r, "mod") && (r->at[3] == ' ' || r->at[3] == '(')) {
        r->at += 3;
        return true;
    }
    r->at = before;
    return false;
}

/* What may follow without an operator: a symbol, a bracket or a function, but not a second number. */
static bool starts_primary(const reader *r)
{
    return looks_at(r, "(") || looks_at(r, "⌊") || looks_at(r, "⌈") || (word_length(r->at) > 0 && !is_digit(*r->at));
}

static operation take_operation(reader *r)
{
    if (take_mod(r))
        return MODULO;
    if (take(r, "*") || take(r, "·") || take(r, "×"))
        return TIMES;
    if (take(r, "/") || take(r, "÷"))
        return OVER;
    skip_space(r);
    return starts_primary(r) ? TIMES : NONE;
}

static rk_ex read_product(reader *r)
{
    rk_ex e = read_power(r);
    operation op;

    while (r->code == RK_OK && (op = take_operation(r)) != NONE) {
        rk_ex right = read_power(r);

        if (op == TIMES)
            e = rk_ex_mul(r->pool, e, right);
        else
            e = op == OVER ? rk_ex_div(r->pool, e, right) : rk_ex_mod(r->pool, e, right);
    }
    return e;
}

/* Collected in a bag: a long sum leaves no sums of its beginnings in the pool. */
static rk_ex read_terms(reader *r)
{
    rk_bag bag = rk_bag_open(r->pool, 8);
    bool plus = take(r, "+"), more = true;

    while (more && r->code == RK_OK && !bag.failed) {
        /* A sign belongs to the whole product: -S mod 3 is -(S mod 3). */
        rk_ratio sign = rk_ratio_int(!plus && take_minus(r) ? -1 : 1);

        rk_bag_put_ex(&bag, read_product(r), 0, sign);
        plus = r->code == RK_OK && take(r, "+");
        more = plus || looks_at(r, "-") || looks_at(r, "−");
    }
    return rk_bag_done(&bag);
}

static rk_ex read_sum(reader *r)
{
    rk_ex e;

    if (r->depth > RK_EX_DEPTH_MAX) {
        if (r->code == RK_OK)
            r->code = rk_fail(r->err, RK_ELIMIT, "brackets nested deeper than %d", RK_EX_DEPTH_MAX);
        return RK_EX_FAILED;
    }
    r->depth++;
    e = read_terms(r);
    r->depth--;
    return e;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

/* The text's own failures do not stay in the pool: the caller has them in `err`. */
int rk_ex_parse(rk_pool *p, const char *text, rk_ex *out, rk_err *err)
{
    reader r = {.pool = p, .start = text, .at = text, .err = err};
    int before = p->first.code;
    rk_ex e = read_sum(&r);

    skip_space(&r);
    if (r.code == RK_OK && e != RK_EX_FAILED && *r.at)
        refuse(&r, "an operator");
    if (r.code == RK_OK && e == RK_EX_FAILED)
        r.code = rk_pool_check(p, err);
    if (before == RK_OK)
        p->first.code = RK_OK;
    if (r.code == RK_OK)
        *out = e;
    return r.code;
}
