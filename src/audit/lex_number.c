/* SPDX-License-Identifier: MIT */
/* Numbers as people write them: 50,257  50{,}257  50_257  1.555e9. */
#include "audit/lex.h"

#include <string.h>

enum {
    DIGITS_MAX = 36,    /* fit into 128 bits with room for a factor */
    EXPONENT_MAX = 1000 /* beyond it no one means a count */
};

static bool is_digit(const rk_audit_lexer *x, uint32_t at)
{
    return at < x->to && x->text[at] >= '0' && x->text[at] <= '9';
}

static bool has_digits(const rk_audit_lexer *x, uint32_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!is_digit(x, at + i))
            return false;
    return true;
}

/* The bytes of a separator of thousands, with three digits and no fourth one behind it; or 0. */
static uint32_t separator(const rk_audit_lexer *x, uint32_t at)
{
    static const char *const sign[] = {",", "_", "{,}", "\\,", "{\\,}", "\xE2\x80\x89", "\xE2\x80\xAF"};

    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
        uint32_t n = (uint32_t)strlen(sign[i]);

        if (at + n < x->to && memcmp(x->text + at, sign[i], n) == 0 && has_digits(x, at + n, 3) &&
            !is_digit(x, at + n + 3))
            return n;
    }
    return 0;
}

static void add_digit(rk_written *w, int *n, char c)
{
    if (*n > 0 || c != '0')
        ++*n;
    if (*n > DIGITS_MAX)
        w->wide = true;
    else
        w->digits = w->digits * 10 + (c - '0');
}

static uint32_t read_whole(const rk_audit_lexer *x, rk_written *w, int *n)
{
    uint32_t at = x->at, groups = 0, sign;

    while (is_digit(x, at))
        add_digit(w, n, x->text[at++]);
    if (at - x->at <= 3)
        while ((sign = separator(x, at)) > 0) {
            for (uint32_t i = 0; i < 3; i++)
                add_digit(w, n, x->text[at + sign + i]);
            at += sign + 3;
            groups++;
        }
    w->maybe_two = groups == 1 && x->at > 0 && strchr("([", x->text[x->at - 1]);
    return at;
}

static uint32_t read_fraction(const rk_audit_lexer *x, uint32_t at, rk_written *w, int *n)
{
    if (at + 1 >= x->to || x->text[at] != '.' || !is_digit(x, at + 1))
        return at;
    for (at++; is_digit(x, at); at++) {
        add_digit(w, n, x->text[at]);
        w->exponent--;
    }
    w->decimal = true;
    return at;
}

static uint32_t read_exponent(const rk_audit_lexer *x, uint32_t at, rk_written *w)
{
    uint32_t i = at + 1;
    int sign = 1, e = 0;

    if (at >= x->to || (x->text[at] != 'e' && x->text[at] != 'E'))
        return at;
    if (i < x->to && (x->text[i] == '+' || x->text[i] == '-'))
        sign = x->text[i++] == '-' ? -1 : 1;
    if (!is_digit(x, i))
        return at;
    for (; is_digit(x, i); i++)
        e = e < EXPONENT_MAX ? e * 10 + (x->text[i] - '0') : e;
    if (i < x->to && rk_lex_is_letter((unsigned char)x->text[i]))
        return at;
    w->wide |= e >= EXPONENT_MAX;
    w->exponent += w->wide ? 0 : sign * e;
    w->decimal = true;
    return i;
}

/* "0x41", "1D545": letters and digits in one are no number with a symbol behind it; "512x512" is. */
static uint32_t code_length(const rk_audit_lexer *x, uint32_t end)
{
    uint32_t n = end;
    bool letters = false, digits = false, hex = x->text[x->at] == '0' && end == x->at + 1;

    if (rk_lex_byte(x, end) == 'x' && !(hex && is_digit(x, end + 1)))
        return 0;
    for (; n < x->to && (rk_lex_is_letter(rk_lex_byte(x, n)) || is_digit(x, n)); n++) {
        letters |= !is_digit(x, n);
        digits |= is_digit(x, n) && letters;
    }
    return digits && n - x->at < UINT16_MAX ? n - x->at : 0;
}

bool rk_lex_number(rk_audit_lexer *x)
{
    rk_written w = {0}, *kept;
    uint32_t end;
    rk_audit_token *t;
    int n = 0;

    if (!is_digit(x, x->at) && !(x->text[x->at] == '.' && is_digit(x, x->at + 1)))
        return false;
    end = read_whole(x, &w, &n);
    end = read_fraction(x, end, &w, &n);
    end = read_exponent(x, end, &w);
    if (code_length(x, end) > 0) {
        rk_lex_put(x, RK_TOKEN_JUNK, 0, code_length(x, end));
        return true;
    }
    kept = RK_PUSH(x->arena, &x->out->number);
    t = rk_lex_put(x, RK_TOKEN_NUMBER, 0, end - x->at);
    if (kept)
        *kept = w;
    if (t)
        t->id = (uint32_t)(x->out->number.n - 1);
    return true;
}
