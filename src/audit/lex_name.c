/* SPDX-License-Identifier: MIT */
/* Numbers as people write them (50,257  50{,}257  50_257  1.555e9), symbols, words, subscripts. */
#include "audit/lex.h"

#include <string.h>

enum {
    DIGITS_MAX = 36,     /* fit into 128 bits with room for a factor */
    EXPONENT_MAX = 1000, /* beyond it no one means a count */
    NAME_MAX = 96
};

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

static bool digit_at(const rk_audit_lexer *x, uint32_t at)
{
    return is_digit(rk_lex_byte(x, at));
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Three digits and no fourth: a group of thousands. */
static bool group_at(const rk_audit_lexer *x, uint32_t at)
{
    return digit_at(x, at) && digit_at(x, at + 1) && digit_at(x, at + 2) && !digit_at(x, at + 3);
}

/* The bytes of a separator of thousands, with three digits and no fourth one after it; or 0. */
static uint32_t separator(const rk_audit_lexer *x, uint32_t at)
{
    static const char *const sign[] = {",",        "_", "{,}",         "\\,", "{\\,}", "\xE2\x80\x89", "\xE2\x80\xAF",
                                       "\xC2\xA0", "'", "\xE2\x80\x99"};

    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
        uint32_t n = (uint32_t)strlen(sign[i]);

        if (at + n < x->to && memcmp(x->text + at, sign[i], n) == 0 && group_at(x, at + n))
            return n;
    }
    return 0;
}

/* "1.228.800": points between groups of thousands, two and more of them, as some languages have. */
static bool has_points(const rk_audit_lexer *x, uint32_t at)
{
    return rk_lex_byte(x, at) == '.' && group_at(x, at + 1) && rk_lex_byte(x, at + 4) == '.' && group_at(x, at + 5);
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

/* A blank, and then a sign that computes or relates. */
static bool sign_at(const rk_audit_lexer *x, uint32_t at)
{
    static const char *const sign[] = {" \xC3\x97",     " *", " x ",      " \xC2\xB7", " +",       " =",
                                       " \xE2\x89\x88", " /", " \\times", " \\cdot",   " \xC3\xB7"};

    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
        if (x->to - at >= strlen(sign[i]) && memcmp(x->text + at, sign[i], strlen(sign[i])) == 0)
            return true;
    return false;
}

/* The token before this place that is no star of bold words; NULL: there is none. */
static const rk_audit_token *last_but_stars(const rk_audit_lexer *x)
{
    size_t n = x->out->token.n;

    while (n > x->first && x->out->token.at[n - 1].kind == RK_TOKEN_STAR)
        n--;
    return n > x->first ? &x->out->token.at[n - 1] : NULL;
}

/*
 * "4 513 336 524 800": groups of three digits with blanks between them.  One group alone may be two numbers, but for
 * "12 × 1 600 × 1 600 =", which has signs on both sides.
 */
static uint32_t read_spaced(const rk_audit_lexer *x, uint32_t at, rk_written *w, int *n)
{
    const rk_audit_token *last = last_but_stars(x);
    bool after = last && (last->kind == RK_TOKEN_SIGN || last->kind == RK_TOKEN_EQUALS), alone;
    bool begins = !last || (last->kind == RK_TOKEN_BREAK && last->op != 0);
    uint32_t end = at, groups = 0;

    while (rk_lex_byte(x, end) == ' ' && group_at(x, end + 1)) {
        end += 4;
        groups++;
    }
    alone = sign_at(x, end) ? after || begins : after && (end >= x->to || x->text[end] == '\n');
    if (groups < (alone ? 1U : 2U) || rk_lex_byte(x, end) == ',' ||
        (rk_lex_byte(x, end) == '.' && digit_at(x, end + 1)))
        return at;
    for (uint32_t i = at; i < end; i++)
        if (digit_at(x, i))
            add_digit(w, n, x->text[i]);
    return end;
}

static uint32_t read_whole(const rk_audit_lexer *x, rk_written *w, int *n)
{
    uint32_t at = x->at, groups = 0, sign;
    bool points;

    while (digit_at(x, at))
        add_digit(w, n, x->text[at++]);
    points = at - x->at <= 3 && has_points(x, at);
    while (points && rk_lex_byte(x, at) == '.' && group_at(x, at + 1)) {
        for (uint32_t i = 0; i < 3; i++)
            add_digit(w, n, x->text[at + 1 + i]);
        at += 4;
        groups++;
    }
    if (at - x->at <= 3)
        while ((sign = separator(x, at)) > 0) {
            for (uint32_t i = 0; i < 3; i++)
                add_digit(w, n, x->text[at + sign + i]);
            at += sign + 3;
            groups++;
        }
    /* "= 4,718,5922 \times 768" is 4,718,592 and 2 × 768, pasted without what stood between them. */
    if (groups > 0 && rk_lex_byte(x, at) == ',' && digit_at(x, at + 1) &&
        !(x->at > 0 && strchr("([", x->text[x->at - 1])))
        for (w->wide = true; digit_at(x, at) || (rk_lex_byte(x, at) == ',' && digit_at(x, at + 1));)
            at++;
    if (groups == 0 && at - x->at <= 3) {
        uint32_t first = at;

        at = read_spaced(x, at, w, n);
        groups = at > first + 4 ? 2 : 0;
        w->maybe_two = at == first + 4;
    }
    w->maybe_two |= groups == 0 && at - x->at <= 3 && rk_lex_byte(x, at) == ' ' && group_at(x, at + 1); /* "1 000" */
    w->maybe_two |= groups == 1 && x->at > 0 && strchr("([", x->text[x->at - 1]) && strchr(",)]", rk_lex_byte(x, at));
    return at;
}

static uint32_t read_exponent(const rk_audit_lexer *x, uint32_t at, rk_written *w)
{
    static const char *const set[] = {"\\text{e}", "\\mathrm{e}", "\\text{E}", "e", "E"};
    uint32_t i = at;
    int sign = 1, e = 0;

    for (size_t k = 0; k < sizeof set / sizeof *set && i == at; k++)
        if (x->to - at >= strlen(set[k]) && memcmp(x->text + at, set[k], strlen(set[k])) == 0)
            i = at + (uint32_t)strlen(set[k]);
    if (i == at)
        return at;
    if (i < x->to && (x->text[i] == '+' || x->text[i] == '-'))
        sign = x->text[i++] == '-' ? -1 : 1;
    if (!digit_at(x, i))
        return at;
    for (; digit_at(x, i); i++)
        e = e < EXPONENT_MAX ? e * 10 + (x->text[i] - '0') : e;
    if (i < x->to && rk_lex_is_letter((unsigned char)x->text[i]))
        return at;
    w->wide |= e >= EXPONENT_MAX;
    w->exponent += w->wide ? 0 : sign * e;
    w->decimal = true;
    return i;
}

static bool is_hex_digit(unsigned char c)
{
    return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* "1st", "2nd", "32nd": no numbers to reckon with. */
static bool is_ordinal(const rk_audit_lexer *x, uint32_t end)
{
    static const char *const tail[] = {"st", "nd", "rd", "th"};

    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        if (rk_lex_byte(x, end) == (unsigned char)tail[i][0] && rk_lex_byte(x, end + 1) == (unsigned char)tail[i][1] &&
            !rk_lex_is_letter(rk_lex_byte(x, end + 2)) && !digit_at(x, end + 2))
            return true;
    return false;
}

/* "0x41", "1D545": letters and digits in one are no number with a symbol after it; "512x512" and "7Bx2" are. */
static uint32_t code_length(const rk_audit_lexer *x, uint32_t end)
{
    uint32_t n = end;
    bool letters = false, digits = false, hex = x->text[x->at] == '0' && end == x->at + 1;

    if (rk_lex_byte(x, end) == 'x' && hex)
        for (n++; is_hex_digit(rk_lex_byte(x, n)); n++)
            digits = true;
    if (digits)
        return n - x->at;
    if (rk_lex_byte(x, end) == 'x' ||
        (strchr("KMBGT", rk_lex_byte(x, end)) && rk_lex_byte(x, end + 1) == 'x' && digit_at(x, end + 2)))
        return 0;
    for (; n < x->to && (rk_lex_is_letter(rk_lex_byte(x, n)) || digit_at(x, n) ||
                         (rk_lex_byte(x, n) == '_' && n > end + 1 && rk_lex_is_letter(rk_lex_byte(x, n + 1)) &&
                          rk_lex_is_letter(rk_lex_byte(x, n - 2))));
         n++) {
        letters |= !digit_at(x, n);
        digits |= (digit_at(x, n) && letters) || rk_lex_byte(x, n) == '_'; /* 0NCCL_STREAMS */
    }
    return digits && n - x->at < UINT16_MAX ? n - x->at : 0;
}

/* The ",5" of "3,5 GB": one or two digits, and a unit right after them. */
static bool is_decimal_comma(const rk_audit_lexer *x, uint32_t at)
{
    uint32_t to = at + 1, n = 0;

    if (rk_lex_byte(x, at) != ',' || x->mode == RK_MODE_CODE || (x->at > 0 && strchr(",([{", x->text[x->at - 1])))
        return false;
    while (digit_at(x, to))
        to++;
    if (to == at + 1 || to > at + 3)
        return false;
    to += rk_lex_byte(x, to) == ' ';
    while (rk_lex_is_letter(rk_lex_byte(x, to + n)))
        n++;
    return n > 1 && rk_lexicon_unit(x->out->lexicon, x->text + to, n);
}

bool rk_lex_number(rk_audit_lexer *x)
{
    rk_written w = {0};
    uint32_t end, code;
    int n = 0;

    if (!digit_at(x, x->at) && !(x->text[x->at] == '.' && digit_at(x, x->at + 1)))
        return false;
    end = read_whole(x, &w, &n);
    if ((rk_lex_byte(x, end) == '.' && digit_at(x, end + 1)) || is_decimal_comma(x, end)) {
        for (end++; digit_at(x, end); end++) {
            add_digit(&w, &n, x->text[end]);
            w.exponent--;
            w.decimals++;
        }
        w.decimal = true;
    }
    end = read_exponent(x, end, &w);
    code = code_length(x, end);
    if (rk_lex_byte(x, end) == '.' && rk_lex_byte(x, end + 1) == ' ' && rk_lex_byte(x, end + 2) == '=')
        end++; /* "312,000. = " */
    if (is_ordinal(x, end))
        rk_lex_put(x, RK_TOKEN_WORD, 0, end + 2 - x->at);
    else if (code > 0)
        rk_lex_put(x, RK_TOKEN_JUNK, 0, code);
    else
        rk_lex_put_number(x, &w, end - x->at);
    return true;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

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
    if (x->text[at + 1] == '\\') { /* A_\text{bm} */
        uint32_t brace = at + 2;

        while (rk_lex_is_letter(rk_lex_byte(x, brace)))
            brace++;
        if (rk_lex_byte(x, brace) != '{')
            return 0;
        end = brace + 1;
    }
    if (x->text[at + 1] == '{' || x->text[at + 1] == '\\')
        for (int depth = 1; depth > 0; end++) {
            if (end >= x->to || end - at > 64)
                return 0;
            depth += x->text[end] == '{' ? 1 : x->text[end] == '}' ? -1 : 0;
        }
    else if (!rk_lex_is_letter(rk_lex_byte(x, at + 1)) && !digit_at(x, at + 1))
        return 0;
    name[(*n)++] = '_';
    for (uint32_t i = at + 1; i < end && *n < most; i++) {
        if (x->text[i] == '\\') /* \text, \mathrm */
            while (rk_lex_is_letter(rk_lex_byte(x, i + 1)))
                i++;
        else if (rk_lex_is_letter(rk_lex_byte(x, i)) || digit_at(x, i))
            name[(*n)++] = x->text[i];
    }
    name[*n] = '\0';
    return end - at;
}

/* "^{layer}" after a letter: no power, but a part of its name; the bytes that it takes, or 0. */
static uint32_t read_raised_word(const rk_audit_lexer *x, uint32_t at, char *name, size_t *n, size_t most)
{
    uint32_t i = at + 2, letters = 0;

    if (rk_lex_byte(x, at) != '^' || rk_lex_byte(x, at + 1) != '{')
        return 0;
    for (int depth = 1; depth > 0; i++) {
        unsigned char c = rk_lex_byte(x, i);

        if (c == '\\') { /* \text */
            while (rk_lex_is_letter(rk_lex_byte(x, i + 1)))
                i++;
            continue;
        }
        if (!rk_lex_is_letter(c) && c != '{' && c != '}' && c != ' ' && c != '_')
            return 0;
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        letters += rk_lex_is_letter(c);
    }
    if (letters < 2 || *n + letters + 1 >= most)
        return 0;
    name[(*n)++] = '^';
    for (uint32_t k = at; k < i; k++) {
        if (x->text[k] == '\\')
            while (rk_lex_is_letter(rk_lex_byte(x, k + 1)))
                k++;
        else if (rk_lex_is_letter((unsigned char)x->text[k]))
            name[(*n)++] = x->text[k];
    }
    return i - at;
}

/* The bytes of "vocab\_size" or "d\_{model}" in a formula, which is one name; 0: there is none here. */
static uint32_t read_escaped(const rk_audit_lexer *x, char *name, size_t most)
{
    uint32_t at = x->at, names = 0;
    size_t n = 0;

    for (;; names++) {
        bool brace = names > 0 && rk_lex_byte(x, at) == '{';
        uint32_t from = at += brace;

        for (; (rk_lex_is_letter(rk_lex_byte(x, at)) || digit_at(x, at)) && n + 2 < most; at++)
            name[n++] = x->text[at];
        if (at == from || (brace && rk_lex_byte(x, at) != '}'))
            return 0;
        at += brace;
        if (brace || rk_lex_byte(x, at) != '\\' || rk_lex_byte(x, at + 1) != '_')
            break;
        name[n++] = '_';
        at += 2;
    }
    name[n] = '\0';
    return names > 0 || rk_lex_byte(x, at - 1) == '}' ? at - x->at : 0;
}

/* In a formula each letter is a symbol, with its subscript and primes. */
static void put_letter(rk_audit_lexer *x)
{
    char name[NAME_MAX + 8] = {x->text[x->at]};
    uint32_t n = read_escaped(x, name, NAME_MAX);
    size_t length = 1;
    rk_audit_token *t;

    if (n > 0) {
        t = rk_lex_put(x, RK_TOKEN_SYMBOL, 0, n);
        if (t)
            name_symbol(x, t, name);
        return;
    }
    name[0] = x->text[x->at];
    n = 1;
    n += read_subscript(x, x->at + n, name, &length, NAME_MAX);
    n += read_raised_word(x, x->at + n, name, &length, NAME_MAX);
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

static bool is_unit(const rk_audit_lexer *x, const char *word, uint32_t n)
{
    return rk_lexicon_unit(x->out->lexicon, word, n) != NULL;
}

/* "d_model", "W1" and single letters are symbols, anything longer is a word; in a program all names are symbols. */
static void put_word(rk_audit_lexer *x)
{
    char name[NAME_MAX + 1] = {0};
    const char *text = x->text + x->at;
    bool digits = true; /* after the first letter there is nothing else */
    uint32_t n = 1;
    rk_audit_token *t;

    for (; n < UINT16_MAX && joins(x, x->at + n); n++)
        digits &= digit_at(x, x->at + n);
    t = rk_lex_put(x, RK_TOKEN_WORD, 0, n);
    if (!t || n >= NAME_MAX ||
        (!digits && !(x->program && !x->remark && !memchr(text, '.', n) && !is_unit(x, text, n)) &&
         (!memchr(text, '_', n) || memchr(text, '.', n) || memchr(text, '-', n) || memchr(text, '\'', n))))
        return;
    if (rk_lexicon_is(x->out->lexicon, RK_WORDS_DEVICE, text, n))
        return; /* "per H100" */
    memcpy(name, text, n);
    name_symbol(x, t, name);
}

/*
 * "= 344us", "2560us \\simeq 3": a short time behind a result, or before a relation, where "2ms" of a formula goes on.
 */
static bool is_short_time(const rk_audit_lexer *x, const rk_audit_token *number, uint32_t n)
{
    bool result = x->out->token.n > x->first + 1 && number[-1].kind == RK_TOKEN_EQUALS;
    uint32_t after = x->at + n;

    if (n != 2 || number->kind != RK_TOKEN_NUMBER || !(rk_lex_sees(x, "ms") || rk_lex_sees(x, "us")))
        return false;
    while (rk_lex_byte(x, after) == ' ')
        after++;
    if (result)
        return !rk_lex_is_letter(rk_lex_byte(x, after)) && rk_lex_byte(x, after) != '^';
    return rk_lex_byte(x, after) == '=' || rk_lex_byte(x, after) == '$' || rk_lex_byte(x, after) == '\\';
}

/* "80 GB" and "42,949,672,960\ bytes" in a formula, without \text around the unit: its bytes; 0: none. */
static uint32_t unit_in_formula(const rk_audit_lexer *x)
{
    const rk_audit_token *last = rk_lex_last(x);
    enum {
        TIME_LEAST = 3 /* letters of "day"; "ms" may be two letters */
    };
    const rk_word_unit *u;
    uint32_t n = 0;
    bool per;

    while (rk_lex_is_letter(rk_lex_byte(x, x->at + n)))
        n++;
    if (n < 2 || !last || rk_lex_byte(x, x->at + n) == '_')
        return 0;
    if (last->kind == RK_TOKEN_WORD && n == 3 && rk_lex_sees(x, "per"))
        return n;
    per = last->kind == RK_TOKEN_WORD && last->n == 3 && memcmp(x->text + last->at, "per", 3) == 0;
    if (last->kind != RK_TOKEN_NUMBER && last->kind != RK_TOKEN_CLOSE && !per)
        return 0;
    u = rk_lexicon_unit(x->out->lexicon, x->text + x->at, n);
    return u && (u->kind == RK_WORD_UNIT_BYTES || u->kind == RK_WORD_UNIT_FLOPS ||
                 (u->kind == RK_WORD_UNIT_TIME && (n >= TIME_LEAST || is_short_time(x, last, n))))
               ? n
               : 0;
}

/*
 * "FLOPs ≈ 6 × …", "Steps = …", "Memory" in a formula, without \text around them: the bytes of the word; 0: none.
 * Letters that are multiplied with each other are few, and hardly look like a word.
 */
static uint32_t word_in_formula(const rk_audit_lexer *x)
{
    enum {
        LETTERS_LEAST = 4,
        LONG_LEAST = 5,
        VOWELS_LEAST = 2
    };
    const char *text = x->text + x->at;
    const rk_word_unit *u;
    uint32_t n = 0, vowels = 0;
    bool lower = true;

    for (; rk_lex_is_letter(rk_lex_byte(x, x->at + n)); n++) {
        vowels += text[n] != '\0' && strchr("aeiou", text[n]) != NULL;
        lower &= n == 0 || (text[n] >= 'a' && text[n] <= 'z');
    }
    if (n < LETTERS_LEAST || digit_at(x, x->at + n) ||
        (rk_lex_byte(x, x->at + n) == '\\' && rk_lex_byte(x, x->at + n + 1) == '_')) /* context\_length is one name */
        return 0;
    u = rk_lexicon_unit(x->out->lexicon, text, n);
    return (u && u->kind == RK_WORD_UNIT_FLOPS) || (lower && rk_lexicon_is(x->out->lexicon, RK_WORDS_THING, text, n)) ||
                   (lower && n >= LONG_LEAST && vowels >= VOWELS_LEAST)
               ? n
               : 0;
}

/* Typst writes "2 times 3 approx 6": words for signs, where LaTeX has commands. */
static bool put_typst(rk_audit_lexer *x)
{
    static const struct {
        const char *word;
        rk_audit_token_kind kind;
        char op;
    } signs[] = {{"times", RK_TOKEN_SIGN, '*'}, {"dot", RK_TOKEN_SIGN, '*'}, {"approx", RK_TOKEN_EQUALS, '='}};
    uint32_t n = 0;
    rk_audit_token *t;

    while (rk_lex_is_letter(rk_lex_byte(x, x->at + n)))
        n++;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i].word) == n && rk_lex_sees(x, signs[i].word)) {
            t = rk_lex_put(x, signs[i].kind, signs[i].op, n);
            if (t)
                t->about = signs[i].kind == RK_TOKEN_EQUALS;
            return true;
        }
    return false;
}

static bool is_kind_beside(const rk_audit_lexer *x, const rk_audit_token *last, rk_audit_token_kind kind)
{
    return last && last->kind == kind && !x->space;
}

/* The scale of "7Bx0.5": a letter between a number and an x that multiplies. */
static bool is_scale_before_times(const rk_audit_lexer *x, const rk_audit_token *last)
{
    return is_kind_beside(x, last, RK_TOKEN_NUMBER) && strchr("KMBGT", x->text[x->at]) &&
           rk_lex_byte(x, x->at + 1) == 'x' && digit_at(x, x->at + 2);
}

/* The x of "8x200" and of "7Bx0.5". */
static bool is_times(const rk_audit_lexer *x, const rk_audit_token *last)
{
    return x->text[x->at] == 'x' && digit_at(x, x->at + 1) &&
           (is_kind_beside(x, last, RK_TOKEN_NUMBER) ||
            (is_kind_beside(x, last, RK_TOKEN_SYMBOL) && last->n == 1 && last > x->out->token.at + x->first &&
             last[-1].kind == RK_TOKEN_NUMBER && !last->space));
}

void rk_lex_name(rk_audit_lexer *x)
{
    const rk_audit_token *last = rk_lex_last(x);
    uint32_t n = 0;

    if (rk_lex_sees(x, "http://") || rk_lex_sees(x, "https://") || rk_lex_sees(x, "www.")) {
        /* An address: nothing in it is meant to be read. */
        while (rk_lex_byte(x, x->at + n) > ' ' && rk_lex_byte(x, x->at + n) != ')')
            n++;
        rk_lex_put(x, RK_TOKEN_WORD, 0, n);
    } else if (x->space && rk_lex_sees(x, "imes") && !rk_lex_is_letter(rk_lex_byte(x, x->at + 4))) {
        rk_lex_put(x, RK_TOKEN_SIGN, '*', 4); /* what is left of \times where \t was taken for a tabulator */
    } else if (is_times(x, last)) {
        rk_lex_put(x, RK_TOKEN_SIGN, '*', 1);
    } else if (is_scale_before_times(x, last)) {
        name_symbol(x, rk_lex_put(x, RK_TOKEN_WORD, 0, 1), (const char[]){x->text[x->at], '\0'});
    } else if (x->mode == RK_MODE_MATH && put_typst(x)) {
        return;
    } else if (x->mode == RK_MODE_MATH && ((n = unit_in_formula(x)) > 0 || (n = word_in_formula(x)) > 0)) {
        rk_lex_put(x, RK_TOKEN_WORD, 0, n);
    } else if (x->mode == RK_MODE_MATH) {
        put_letter(x);
    } else {
        put_word(x);
    }
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
