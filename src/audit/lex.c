/* SPDX-License-Identifier: MIT */
#include "audit/lex.h"

#include <math.h>
#include <string.h>

double rk_written_value(const rk_written *w)
{
    return w && !w->wide ? (double)w->digits * pow(10, w->exponent) : 0;
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

rk_audit_token *rk_lex_put(rk_audit_lexer *x, rk_audit_token_kind kind, char op, uint32_t n)
{
    rk_audit_token *t = x->out->token.n < RK_LEX_TOKENS_MAX ? RK_PUSH(x->arena, &x->out->token) : NULL;

    if (t)
        *t = (rk_audit_token){.kind = (uint8_t)kind,
                              .mode = (uint8_t)x->mode,
                              .op = op,
                              .space = x->space,
                              .remark = x->remark,
                              .n = (uint16_t)(n < UINT16_MAX ? n : UINT16_MAX),
                              .at = x->at,
                              .span = x->mode == RK_MODE_PLAIN ? 0 : x->span};
    x->space = false;
    x->at += n;
    return t;
}

void rk_lex_put_number(rk_audit_lexer *x, const rk_written *w, uint32_t n)
{
    rk_written *kept = RK_PUSH(x->arena, &x->out->number);
    rk_audit_token *t = rk_lex_put(x, RK_TOKEN_NUMBER, 0, n);

    if (kept)
        *kept = *w;
    if (t)
        t->id = (uint32_t)(x->out->number.n - 1);
}

rk_audit_token *rk_lex_last(const rk_audit_lexer *x)
{
    return x->out->token.n > x->first ? &x->out->token.at[x->out->token.n - 1] : NULL;
}

bool rk_lex_sees(const rk_audit_lexer *x, const char *text)
{
    size_t n = strlen(text);

    return x->to - x->at >= n && memcmp(x->text + x->at, text, n) == 0;
}

enum {
    ADDRESS_MAX = 2048
};

/* ---- signs ------------------------------------------------------------------------------------------------------ */

typedef struct sign {
    const char *text;
    uint8_t kind;
    char op;
    bool about;
} sign;

/* Longest first where one begins like another.  Those in Latin-1, and those that were decoded once too often, too. */
/* clang-format off */
static const sign signs[] = {
    {"\xE4\xB8\x8D\xE7\xAD\x89\xE4\xBA\x8E", RK_TOKEN_JUNK, 0, false}, /* is not */
    {"\xE5\xA4\xA7\xE4\xBA\x8E\xE7\xAD\x89\xE4\xBA\x8E", RK_TOKEN_BREAK, 0, false}, /* at least */
    {"\xE5\xB0\x8F\xE4\xBA\x8E\xE7\xAD\x89\xE4\xBA\x8E", RK_TOKEN_BREAK, 0, false}, /* at most */
    {"\xE7\xBA\xA6\xE7\xAD\x89\xE4\xBA\x8E", RK_TOKEN_EQUALS, '=', true}, /* is about */
    {"\xE7\xAD\x89\xE4\xBA\x8E", RK_TOKEN_EQUALS, '=', false}, /* is */
    {"\xC3\x97", RK_TOKEN_SIGN, '*', false}, {"\xC2\xB7", RK_TOKEN_SIGN, '*', false},
    {"\xE2\x8B\x85", RK_TOKEN_SIGN, '*', false}, {"\xE2\x88\x97", RK_TOKEN_SIGN, '*', false},
    {"\xE2\x9C\x95", RK_TOKEN_SIGN, '*', false}, {"\xC3\xB7", RK_TOKEN_SIGN, '/', false},
    {"\xE2\x81\x84", RK_TOKEN_SIGN, '/', false}, {"\xE2\x88\x92", RK_TOKEN_SIGN, '-', false},
    {"\xE2\x89\x88", RK_TOKEN_EQUALS, '=', true}, {"\xE2\x89\x83", RK_TOKEN_EQUALS, '=', true},
    {"\xE2\x89\x85", RK_TOKEN_EQUALS, '=', true}, {"\xE2\x88\xBC", RK_TOKEN_EQUALS, '=', true},
    {"\xC3\x83\xE2\x80\x94", RK_TOKEN_SIGN, '*', false}, /* × as Windows-1252, decoded twice */
    {"\xC3\xA2\xE2\x80\xB0\xCB\x86", RK_TOKEN_EQUALS, '=', true}, /* ≈ likewise */
    {"\xC3\xA2\xE2\x82\xAC\xE2\x80\x9D", RK_TOKEN_BREAK, 0, false}, /* — likewise */
    {"\xC3\xA2\xE2\x82\xAC\xE2\x80\x9C", RK_TOKEN_BREAK, 0, false}, /* – likewise */
    {"\xD7", RK_TOKEN_SIGN, '*', false}, {"\xB7", RK_TOKEN_SIGN, '*', false}, /* Latin-1 */
    {"&times;", RK_TOKEN_SIGN, '*', false}, {"&middot;", RK_TOKEN_SIGN, '*', false},
    {"&minus;", RK_TOKEN_SIGN, '-', false}, {"&plus;", RK_TOKEN_SIGN, '+', false}, {"&divide;", RK_TOKEN_SIGN, '/', false},
    {"&#215;", RK_TOKEN_SIGN, '*', false}, {"&#8722;", RK_TOKEN_SIGN, '-', false}, {"&#8776;", RK_TOKEN_EQUALS, '=', true},
    {"&sdot;", RK_TOKEN_SIGN, '*', false}, {"&frasl;", RK_TOKEN_SIGN, '/', false}, {"&equals;", RK_TOKEN_EQUALS, '=', false},
    {"&asymp;", RK_TOKEN_EQUALS, '=', true}, {"&approx;", RK_TOKEN_EQUALS, '=', true},
    {"===", RK_TOKEN_BREAK, 0, false}, {"==", RK_TOKEN_JUNK, 0, false}, {"=>", RK_TOKEN_EQUALS, '>', true},
    {":=", RK_TOKEN_EQUALS, '=', false}, {"!=", RK_TOKEN_JUNK, 0, false}, {"<=", RK_TOKEN_BREAK, 0, false}, {"<-", RK_TOKEN_BREAK, 0, false}, {"\xE2\x86\x90", RK_TOKEN_BREAK, 0, false},
    {">=", RK_TOKEN_BREAK, 0, false}, {">", RK_TOKEN_BREAK, 0, false}, {"\xE2\x89\xA4", RK_TOKEN_BREAK, 0, false},
    {"\xE2\x89\xA5", RK_TOKEN_BREAK, 0, false}, {"~=", RK_TOKEN_EQUALS, '=', true}, {"\xEF\xBD\x9E=", RK_TOKEN_EQUALS, '=', true},
    {"+=", RK_TOKEN_JUNK, 0, false}, {"-=", RK_TOKEN_JUNK, 0, false},
    {"*=", RK_TOKEN_JUNK, 0, false}, {"/=", RK_TOKEN_JUNK, 0, false}, {"=", RK_TOKEN_EQUALS, '=', false},
    {"->", RK_TOKEN_EQUALS, '>', true}, {"--", RK_TOKEN_BREAK, 0, false}, {"//", RK_TOKEN_SIGN, '/', false},
    {"\xE2\x86\x92", RK_TOKEN_EQUALS, '>', true}, {"\xE2\x9F\xB6", RK_TOKEN_EQUALS, '>', true},
    {"\xEF\xBC\x88", RK_TOKEN_OPEN, '(', false}, {"\xEF\xBC\x89", RK_TOKEN_CLOSE, '(', false}, /* full width */
    {"\xEF\xBC\x8C", RK_TOKEN_BREAK, 0, false}, {"\xEF\xBC\x9A", RK_TOKEN_BREAK, ':', false},
    {"\xEF\xBC\x9D", RK_TOKEN_EQUALS, '=', false}, {"\xEF\xBC\x8B", RK_TOKEN_SIGN, '+', false},
    {"\xEF\xBC\x8D", RK_TOKEN_SIGN, '-', false}, {"\xEF\xBC\x8F", RK_TOKEN_SIGN, '/', false},
    {"\xEF\xBC\x8A", RK_TOKEN_SIGN, '*', false}, {"\xEF\xBD\x9E", RK_TOKEN_EQUALS, '~', true},
    {"\xEF\xBC\x85", RK_TOKEN_WORD, 0, false},
    {"+", RK_TOKEN_SIGN, '+', false}, {"-", RK_TOKEN_SIGN, '-', false}, {"/", RK_TOKEN_SIGN, '/', false},
    {"^", RK_TOKEN_SIGN, '^', false}, {"**", RK_TOKEN_STAR, '^', false}, {"*", RK_TOKEN_STAR, '*', false},
    {"(", RK_TOKEN_OPEN, '(', false}, {")", RK_TOKEN_CLOSE, '(', false},
    {"\xE2\x8C\x88", RK_TOKEN_OPEN, 'c', false}, {"\xE2\x8C\x89", RK_TOKEN_CLOSE, 'c', false}, /* ceiling and floor */
    {"\xE2\x8C\x8A", RK_TOKEN_OPEN, 'f', false}, {"\xE2\x8C\x8B", RK_TOKEN_CLOSE, 'f', false},
    {"[", RK_TOKEN_OPEN, '[', false}, {"]", RK_TOKEN_CLOSE, '[', false},
    {",", RK_TOKEN_COMMA, 0, false}, {":", RK_TOKEN_BREAK, ':', false}, {"\n", RK_TOKEN_BREAK, '\n', false},
    {"~", RK_TOKEN_EQUALS, '~', true}, /* "about" before a number, and a blank or emphasis elsewhere */
    {"%", RK_TOKEN_WORD, 0, false}, {".. ", RK_TOKEN_BREAK, 0, false}, {"..", RK_TOKEN_JUNK, 0, false},
};
/* clang-format on */

/* "10–20": a range, as with a hyphen. */
static bool put_dash(rk_audit_lexer *x)
{
    const rk_audit_token *last = rk_lex_last(x);
    unsigned char next = rk_lex_byte(x, x->at + 3);

    if (!rk_lex_sees(x, "\xE2\x80\x93") || !last || last->kind != RK_TOKEN_NUMBER || x->space || next < '0' ||
        next > '9')
        return false;
    rk_lex_put(x, RK_TOKEN_SIGN, '-', 3);
    return true;
}

static bool put_sign(rk_audit_lexer *x)
{
    const sign *s = signs, *end = signs + sizeof signs / sizeof *signs;
    uint32_t n;
    rk_audit_token *t;

    while (s < end && !rk_lex_sees(x, s->text))
        s++;
    if (s == end)
        return put_dash(x);
    n = (uint32_t)strlen(s->text);
    if (x->program && strcmp(s->text, "//") == 0) { /* a remark */
        rk_lex_put(x, RK_TOKEN_BREAK, 0, n);
        x->remark = true;
        return true;
    }
    while (n >= 3 && s->text[0] == '=' && rk_lex_byte(x, x->at + n) == '=')
        n++;
    while (strcmp(s->text, "--") == 0 && (rk_lex_byte(x, x->at + n) == '-' || rk_lex_byte(x, x->at + n) == '>'))
        n++;
    t = rk_lex_put(x, (rk_audit_token_kind)s->kind, s->op, n);
    if (t)
        t->about = s->about;
    x->space = s->op == '\n';
    return true;
}

/* A raised digit of Unicode, or of Latin-1: its value, or -1; *n is its length. */
static int raised_digit(const rk_audit_lexer *x, uint32_t at, uint32_t *n)
{
    static const char *const digit[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
                                        "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
    rk_audit_lexer here = *x;

    here.at = at;
    for (int d = 0; d < 10; d++)
        if (at < x->to && rk_lex_sees(&here, digit[d])) {
            *n = (uint32_t)strlen(digit[d]);
            return d;
        }
    *n = 1;
    return rk_lex_byte(x, at) == 0xB2 ? 2 : rk_lex_byte(x, at) == 0xB3 ? 3 : -1;
}

/* ² is a power: two tokens for one character; of ⁻³ they are three. */
static bool put_raised(rk_audit_lexer *x)
{
    static const char minus[] = "\xE2\x81\xBB";
    rk_written w = {0};
    uint32_t n, all = 0, dash;

    if ((unsigned char)x->text[x->at] < 0x80)
        return false;
    dash = rk_lex_sees(x, minus) ? sizeof minus - 1 : 0;
    for (int d; (d = raised_digit(x, x->at + dash + all, &n)) >= 0 && w.digits < 100000; all += n)
        w.digits = w.digits * 10 + d;
    if (all == 0)
        return false;
    rk_lex_put(x, RK_TOKEN_SIGN, '^', 0);
    if (dash > 0)
        rk_lex_put(x, RK_TOKEN_SIGN, '-', dash);
    rk_lex_put_number(x, &w, all);
    return true;
}

/* ---- changes of mode, and what is passed over ------------------------------------------------------------------- */

static void toggle(rk_audit_lexer *x, rk_audit_token_mode mode, uint32_t n)
{
    x->mode = x->mode == mode ? RK_MODE_PLAIN : mode;
    x->span += x->mode == mode;
    x->at += n;
}

/*
 * "$0.32 a million, $26 a year": a sum of money is no formula.  A formula ends in the same piece, with something other
 * than a blank before its last sign and no digit after it.
 */
static bool is_money(const rk_audit_lexer *x)
{
    uint32_t at = x->at + 1;

    if (rk_lex_byte(x, at) < '0' || rk_lex_byte(x, at) > '9')
        return !memchr(x->text + at, '$', x->to - at);
    for (; at < x->to; at++) {
        unsigned char after = rk_lex_byte(x, at + 1);

        if (x->text[at] == '$' && x->text[at - 1] != '\\')
            return strchr(" \n(", x->text[at - 1]) || (after >= '0' && after <= '9');
    }
    return true;
}

static bool put_mode(rk_audit_lexer *x)
{
    char c = x->text[x->at];
    uint32_t n = 1;

    if (c == '`' && x->mode != RK_MODE_MATH) {
        while (rk_lex_byte(x, x->at + n) == '`')
            n++;
        toggle(x, RK_MODE_CODE, n);
        return true;
    }
    if (c == '$' && x->mode == RK_MODE_CODE && rk_lex_byte(x, x->at + 1) >= '0' && rk_lex_byte(x, x->at + 1) <= '9') {
        x->at++; /* `4,536 * $1.00` */
        return true;
    }
    if (c != '$' || x->mode == RK_MODE_CODE)
        return false;
    n = rk_lex_byte(x, x->at + 1) == '$' ? 2 : 1;
    if (x->mode == RK_MODE_PLAIN && n == 1 && is_money(x))
        x->at++;
    else
        toggle(x, RK_MODE_MATH, n);
    return true;
}

/* "D^*", "D^{\\star}": the best one, and no power. */
static bool skip_star(rk_audit_lexer *x)
{
    static const char *const star[] = {"^*", "^{*}", "^\\star", "^{\\star}", "^\\ast", "^{\\ast}"};

    for (size_t i = 0; i < sizeof star / sizeof *star && x->mode == RK_MODE_MATH; i++)
        if (rk_lex_sees(x, star[i]) && !rk_lex_is_letter(rk_lex_byte(x, x->at + (uint32_t)strlen(star[i])))) {
            x->at += (uint32_t)strlen(star[i]);
            return true;
        }
    return false;
}

static bool put_tag(rk_audit_lexer *x)
{
    const char *end;

    if (x->text[x->at] != '<' || x->mode == RK_MODE_MATH)
        return false;
    if (rk_lex_sees(x, "<sup>")) {
        rk_lex_put(x, RK_TOKEN_SIGN, '^', 0);
        rk_lex_put(x, RK_TOKEN_OPEN, '(', 5);
        return true;
    }
    if (rk_lex_sees(x, "</sup>")) {
        rk_lex_put(x, RK_TOKEN_CLOSE, '(', 6);
        return true;
    }
    end = memchr(x->text + x->at, '>', x->to - x->at < 400 ? x->to - x->at : 400);
    if (!end || !(rk_lex_is_letter(rk_lex_byte(x, x->at + 1)) || rk_lex_byte(x, x->at + 1) == '/'))
        return false;
    rk_lex_put(x, RK_TOKEN_BREAK, 0, (uint32_t)(end - x->text) + 1 - x->at);
    return true;
}

/* The address after the text of a link: "](address)". */
static bool pass_link(rk_audit_lexer *x)
{
    const char *end;

    if (x->mode != RK_MODE_PLAIN || !rk_lex_sees(x, "]("))
        return false;
    end = memchr(x->text + x->at, ')', x->to - x->at < ADDRESS_MAX ? x->to - x->at : ADDRESS_MAX);
    if (!end || (!rk_lex_is_letter(rk_lex_byte(x, x->at + 2)) && !strchr("#./<", x->text[x->at + 2])))
        return false;
    rk_lex_put(x, RK_TOKEN_CLOSE, '[', (uint32_t)(end - x->text) + 1 - x->at);
    return true;
}

/* The ~ of "32$~MB" and of "80~GB" keeps a number and its unit on one line. */
static bool is_tied(const rk_audit_lexer *x)
{
    unsigned char before = x->at > 0 ? (unsigned char)x->text[x->at - 1] : ' ', after = rk_lex_byte(x, x->at + 1);
    uint32_t n = 1;

    while (rk_lex_is_letter(rk_lex_byte(x, x->at + 1 + n)))
        n++;
    return (before == '$' || before == '}' || (before >= '0' && before <= '9')) && rk_lex_is_letter(after) &&
           rk_lexicon_unit(x->out->lexicon, x->text + x->at + 1, n);
}

static bool pass_blank(rk_audit_lexer *x)
{
    unsigned char c = (unsigned char)x->text[x->at];
    static const char *const blank[] = {"\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF", "\xE2\x80\x8A",
                                        "&nbsp;",   "\xE2\x80\x8B", "\xEF\xBB\xBF"};

    for (size_t i = 0; i < sizeof blank / sizeof *blank; i++)
        if (rk_lex_sees(x, blank[i])) {
            x->at += (uint32_t)strlen(blank[i]);
            x->space = true;
            return true;
        }
    if (c == '~' && is_tied(x)) {
        x->at++;
        x->space = true;
        return true;
    }
    /* In formulas & aligns, ~ is a space, and quotes are those of Typst; an underscore in no name is emphasis. */
    if (c == ' ' || (x->mode == RK_MODE_MATH && c == '"') || c == '\t' || c == '\r' ||
        (x->mode == RK_MODE_MATH && (c == '&' || c == '~')) || c == '_' ||
        (c == '>' && x->at > 0 && x->text[x->at - 1] == '\n')) {
        x->at++;
        x->space |= c != '_';
        return true;
    }
    return false;
}

/* A relation in Chinese words, the first of the signs. */
static bool begins_relation(const char *text, size_t n)
{
    for (const sign *s = signs; (unsigned char)s->text[0] >= 0xE4; s++)
        if (strlen(s->text) <= n && memcmp(text, s->text, strlen(s->text)) == 0)
            return true;
    return false;
}

/* A word in a script without blanks: after a number a unit, else all letters up to the next other sign. */
static uint32_t run_length(const rk_audit_lexer *x)
{
    const rk_audit_token *last = rk_lex_last(x);
    const char *text = x->text + x->at;
    size_t most = x->to - x->at, n = 0;
    bool after = last && (last->kind == RK_TOKEN_NUMBER || (last->kind == RK_TOKEN_WORD && !x->space));
    uint32_t point;

    if (after && (n = rk_lexicon_unit_length(x->out->lexicon, text, most)) > 0)
        return (uint32_t)n;
    while (n < most && n < UINT16_MAX - 8 && (unsigned char)text[n] >= 0xE3) {
        size_t more = rk_utf8_decode(text + n, most - n, &point);

        if (more == 0 || point < 0x3040 || point >= 0xFE00 || (n > 0 && begins_relation(text + n, most - n)))
            break;
        n += more;
    }
    return (uint32_t)n;
}

/* The "参数" of "M_参数": the rest of a name that began with a letter. */
static bool put_rest_of_name(rk_audit_lexer *x, uint32_t n)
{
    enum {
        NAME_MAX = 64
    };
    rk_audit_token *t = rk_lex_last(x);
    char name[NAME_MAX] = {0};
    uint32_t all;

    if (!t || (t->kind != RK_TOKEN_SYMBOL && t->kind != RK_TOKEN_WORD) || x->at == 0 || x->text[x->at - 1] != '_' ||
        t->at + t->n + 1 != x->at)
        return false;
    all = x->at + n - t->at;
    if (all >= NAME_MAX)
        return false;
    memcpy(name, x->text + t->at, all);
    t->id = rk_sym_declare(x->pool, name, 0);
    t->kind = t->id == RK_SYM_NONE ? RK_TOKEN_JUNK : RK_TOKEN_SYMBOL;
    t->n = (uint16_t)all;
    x->at += n;
    x->space = false;
    return true;
}

/* Any other character: letters of all languages are words, dashes and arrows end a formula, the rest is junk. */
static void put_other(rk_audit_lexer *x)
{
    uint32_t point = 0, n = (uint32_t)rk_utf8_decode(x->text + x->at, x->to - x->at, &point);
    bool between = !x->space && rk_lex_byte(x, x->at + n) != ' ' && x->mode == RK_MODE_PLAIN;
    rk_audit_token_kind kind = RK_TOKEN_JUNK;

    if (x->text[x->at] == '|' && x->space && rk_lex_byte(x, x->at + 1) == ' ' && x->mode != RK_MODE_MATH)
        kind = RK_TOKEN_BREAK; /* between the columns of what a program printed */
    else if (n == 0 || point < 0x80)
        kind = strchr(".;!?\"'#&", x->text[x->at]) ? RK_TOKEN_BREAK : RK_TOKEN_JUNK;
    else if (point == 0x2013 || point == 0x2014)
        kind = between ? RK_TOKEN_JUNK : RK_TOKEN_BREAK;
    else if ((point >= 0x2010 && point < 0x2070) || (point >= 0x2190 && point < 0x2200) ||
             (point >= 0x2500 && point < 0x3040) || point >= 0xFE00)
        kind = RK_TOKEN_BREAK;
    else if ((point >= 0xC0 && point < 0x2000) || point >= 0x3040 || point == 0xB5)
        kind = RK_TOKEN_WORD;
    if (point >= 0x391 && point <= 0x3C9 && point != 0x3BC) { /* Ψ, α: a letter as others are */
        rk_audit_token *t = rk_lex_put(x, RK_TOKEN_SYMBOL, 0, n);
        char name[8] = {0};

        memcpy(name, x->text + x->at - n, n < sizeof name ? n : 0);
        if (t)
            t->id = rk_sym_declare(x->pool, name, 0);
        return;
    }
    if (kind == RK_TOKEN_WORD && point >= 0x3040)
        n = run_length(x);
    if (kind == RK_TOKEN_WORD && point >= 0x3040 && put_rest_of_name(x, n))
        return;
    if (kind == RK_TOKEN_WORD && (point == 0xB5 || point == 0x3BC) && rk_lex_byte(x, x->at + n) == 's')
        n++; /* µs */
    rk_lex_put(x, kind, 0, n ? n : 1);
}

static void put_token(rk_audit_lexer *x)
{
    const rk_audit_token *last = rk_lex_last(x);
    char c = x->text[x->at];
    /* The brace of 10^{11}, which people write outside of formulas too. */
    bool is_raised = c == '{' && last && last->kind == RK_TOKEN_SIGN && last->op == '^';

    if (c == '_' && rk_lex_subscript(x))
        return;
    if (last && last->kind == RK_TOKEN_NUMBER && rk_lex_sees(x, "_{\\text{") && rk_lex_skip_script(x))
        return;
    x->remark = (x->remark && c != '\n') || (x->program && c == '#');
    if (rk_lex_pass_copy(x) || pass_blank(x) || put_mode(x) || skip_star(x) || put_tag(x) || pass_link(x) ||
        rk_lex_number(x) || put_raised(x))
        return;
    if ((x->mode != RK_MODE_PLAIN || x->n_frame > 0 || c == '\\' || is_raised) && rk_lex_command(x))
        return;
    if (rk_lex_is_letter((unsigned char)c))
        rk_lex_name(x);
    else if (!put_sign(x))
        put_other(x);
}

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

int rk_lex_pieces(const rk_lexicon *l, rk_arena *a, const rk_scan *s, rk_pool *pool, rk_lexed *out, rk_err *err)
{
    rk_audit_lexer x = {.arena = a, .pool = pool, .out = out, .text = s->text};

    *out = (rk_lexed){.lexicon = l, .first = RK_NEW_ARRAY(a, s->piece.n + 1, size_t)};
    for (size_t i = 0; i < s->piece.n && !a->failed; i++) {
        const rk_piece *p = &s->piece.at[i];

        out->first[i] = x.first = out->token.n;
        x.at = p->from;
        x.to = p->to;
        x.mode = p->kind == RK_PIECE_CODE ? RK_MODE_CODE : RK_MODE_PLAIN;
        x.span++;
        x.n_frame = 0;
        x.pending = 0;
        x.n_around = 0;
        x.outside = RK_MODE_PLAIN;
        x.space = true;
        x.escapes = p->kind == RK_PIECE_CELL;
        x.program = p->kind == RK_PIECE_CODE && p->program;
        x.remark = false;
        x.copies.line_end = 0;
        while (x.at < x.to && out->token.n < RK_LEX_TOKENS_MAX && !a->failed)
            put_token(&x);
        if (x.at < x.to && !out->skipped)
            out->skipped = x.at;
        rk_lex_tidy(&x);
    }
    if (a->failed)
        return rk_fail_memory(err);
    out->first[s->piece.n] = out->token.n;
    return RK_OK;
}
