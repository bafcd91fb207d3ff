/* SPDX-License-Identifier: MIT */
/* Symbols, words, subscripts. */
#include "audit/lex.h"

#include <string.h>

bool rk_lex_is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

unsigned char rk_lex_byte(const rk_audit_lexer *x, uint32_t at)
{
    return at < x->to ? (unsigned char)x->text[at] : 0;
}

/* Turns the token into a symbol; one symbol too many is junk. */
static void name_symbol(rk_audit_lexer *x, rk_audit_token *t, const char *name)
{
    t->id = rk_sym_declare(x->pool, name, 0);
    t->kind = t->id == RK_SYM_NONE ? RK_TOKEN_JUNK : RK_TOKEN_SYMBOL;
}

/* The bytes of "_{...}" or "_x" here, of which the letters and digits are added to the name; 0: there is none. */
static uint32_t read_subscript(const rk_audit_lexer *x, uint32_t at, char *name, size_t *n, size_t most)
{
    uint32_t end = at + 2;

    if (rk_lex_byte(x, at) != '_' || at + 1 >= x->to)
        return 0;
    if (x->text[at + 1] == '{')
        for (int depth = 1; depth > 0; end++) {
            if (end >= x->to || end - at > 64)
                return 0;
            depth += x->text[end] == '{' ? 1 : x->text[end] == '}' ? -1 : 0;
        }
    else if (!rk_lex_is_letter(rk_lex_byte(x, at + 1)) && !is_digit(rk_lex_byte(x, at + 1)))
        return 0;
    name[(*n)++] = '_';
    for (uint32_t i = at + 1; i < end && *n < most; i++) {
        if (x->text[i] == '\\') /* \text, \mathrm */
            while (rk_lex_is_letter(rk_lex_byte(x, i + 1)))
                i++;
        else if (rk_lex_is_letter(rk_lex_byte(x, i)) || is_digit(rk_lex_byte(x, i)))
            name[(*n)++] = x->text[i];
    }
    name[*n] = '\0';
    return end - at;
}

enum {
    NAME_MAX = 96
};

/* In a formula each letter is a symbol, with its subscript and primes. */
static void put_letter(rk_audit_lexer *x)
{
    char name[NAME_MAX + 8] = {x->text[x->at]};
    uint32_t n = 1;
    size_t length = 1;
    rk_audit_token *t;

    n += read_subscript(x, x->at + n, name, &length, NAME_MAX);
    for (; rk_lex_byte(x, x->at + n) == '\'' && length < NAME_MAX; n++)
        name[length++] = '\'';
    name[length] = '\0';
    t = rk_lex_put(x, RK_TOKEN_SYMBOL, 0, n);
    if (t)
        name_symbol(x, t, name);
}

static bool joins(const rk_audit_lexer *x, uint32_t at)
{
    unsigned char c = rk_lex_byte(x, at), next = rk_lex_byte(x, at + 1);
    bool goes_on = rk_lex_is_letter(next) || is_digit(next);

    if (rk_lex_is_letter(c) || is_digit(c))
        return true;
    if (c == '_')
        return goes_on || (next == '_' && x->mode == RK_MODE_CODE);
    return goes_on && (c == '.' || (x->mode == RK_MODE_PLAIN && (c == '-' || c == '\'')));
}

/* "d_model", "W1" and single letters are symbols, anything longer is a word. */
static bool is_symbol(const char *text, uint32_t n)
{
    bool digits = n > 1;

    for (uint32_t i = 1; i < n; i++)
        digits &= is_digit((unsigned char)text[i]);
    if (n == 1 || digits)
        return true;
    return n < NAME_MAX && memchr(text, '_', n) && !memchr(text, '.', n) && !memchr(text, '-', n) &&
           !memchr(text, '\'', n);
}

static void put_word(rk_audit_lexer *x)
{
    char name[NAME_MAX + 1] = {0};
    uint32_t n = 1;
    rk_audit_token *t;

    while (n < UINT16_MAX && joins(x, x->at + n))
        n++;
    t = rk_lex_put(x, RK_TOKEN_WORD, 0, n);
    if (!t || !is_symbol(x->text + t->at, n))
        return;
    memcpy(name, x->text + t->at, n);
    name_symbol(x, t, name);
}

/* An address: nothing in it is meant to be read. */
static bool put_address(rk_audit_lexer *x)
{
    uint32_t n = 0;

    if (!rk_lex_sees(x, "http://") && !rk_lex_sees(x, "https://") && !rk_lex_sees(x, "www."))
        return false;
    while (rk_lex_byte(x, x->at + n) > ' ' && rk_lex_byte(x, x->at + n) != ')')
        n++;
    rk_lex_put(x, RK_TOKEN_WORD, 0, n);
    return true;
}

/* The x of 8x200. */
static bool is_times(const rk_audit_lexer *x)
{
    const rk_audit_token *t = rk_lex_last(x);

    return x->text[x->at] == 'x' && !x->space && t && t->kind == RK_TOKEN_NUMBER && is_digit(rk_lex_byte(x, x->at + 1));
}

void rk_lex_name(rk_audit_lexer *x)
{
    if (put_address(x))
        return;
    /* What is left of \times where \t was taken for a tabulator. */
    if (x->space && rk_lex_sees(x, "imes") && !rk_lex_is_letter(rk_lex_byte(x, x->at + 4)))
        rk_lex_put(x, RK_TOKEN_SIGN, '*', 4);
    else if (is_times(x))
        rk_lex_put(x, RK_TOKEN_SIGN, '*', 1);
    else if (x->mode == RK_MODE_MATH)
        put_letter(x);
    else
        put_word(x);
}

/* \text{FLOP}_{QKV}: a word with a subscript is a symbol. */
bool rk_lex_subscript(rk_audit_lexer *x)
{
    rk_audit_token *t = rk_lex_last(x);
    char name[2 * NAME_MAX + 8];
    size_t n = t ? t->n : 0;
    uint32_t length;

    if (!t || (t->kind != RK_TOKEN_WORD && t->kind != RK_TOKEN_SYMBOL) || n >= NAME_MAX || x->space)
        return false;
    memcpy(name, x->text + t->at, n);
    length = read_subscript(x, x->at, name, &n, 2 * NAME_MAX);
    if (length == 0)
        return false;
    name[n] = '\0';
    name_symbol(x, t, name);
    x->at += length;
    t->n = (uint16_t)(x->at - t->at);
    return true;
}
