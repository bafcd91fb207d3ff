/* SPDX-License-Identifier: MIT */
#include "lang/lex.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char *const token_text[RK_N_TOK] = {
    [RK_TOK_END] = "the end of the file",
    [RK_TOK_NEWLINE] = "the end of the line",
    [RK_TOK_BAD] = "an unknown character",
    [RK_TOK_NAME] = "a name",
    [RK_TOK_PRIMES] = "'",
    [RK_TOK_NUMBER] = "a number",
    [RK_TOK_REAL] = "a number",
    [RK_TOK_TEXT] = "a text",
    [RK_TOK_KEY] = "a key",
    [RK_TOK_WEIGHT] = "a weight",
    [RK_TOK_PIECE] = "a prefix",
    [RK_TOK_PATH] = "a path",
#define X(id, text) [RK_TOK_##id] = text,
    RK_STATEMENT_WORDS(X) RK_OTHER_WORDS(X) RK_MARKS(X)
#undef X
};
/* clang-format on */

const char *rk_token_text(rk_token_kind kind)
{
    return token_text[kind];
}

bool rk_token_is_word(rk_token_kind kind)
{
    return kind >= RK_TOK_MODEL && kind <= RK_TOK_NONE;
}

bool rk_token_begins_statement(rk_token_kind kind)
{
    return kind >= RK_TOK_MODEL && kind <= RK_TOK_ELSE;
}

bool rk_token_may_name(rk_token_kind kind)
{
    return kind >= RK_TOK_FAMILY && kind < RK_TOK_IF && kind != RK_TOK_AT;
}

rk_span rk_lex_span(const rk_lexer *l, size_t from, size_t to)
{
    return (rk_span){.source = l->source, .at = (uint32_t)from, .n = (uint32_t)(to - from)};
}

/* Whether the line of `span` has its mistake already. */
static bool line_noted(const rk_notes *notes, rk_span span)
{
    const char *line, *other, *place = span.source->text + span.at;
    size_t n;

    if (notes->line != NULL && place >= notes->line && place <= notes->line_end)
        return true;
    rk_span_line(span, &line, &n);
    for (size_t i = 0; i < notes->list->list.n; i++) {
        rk_span earlier = notes->list->list.at[i].span;

        rk_span_line(earlier, &other, &n);
        if (earlier.source == span.source && other == line)
            return true;
    }
    return false;
}

bool rk_note(rk_notes *notes, rk_span span, const char *fmt, ...)
{
    char message[512];
    size_t n;
    va_list ap;

    if (line_noted(notes, span))
        return false;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    rk_mistake_note(notes->list, span, "%s", message);
    rk_span_line(span, &notes->line, &n);
    notes->line_end = notes->line + n;
    notes->n++;
    return false;
}

/* ---- characters ---- */

static char look(const rk_lexer *l, size_t ahead)
{
    return l->at + ahead < l->source->n ? l->source->text[l->at + ahead] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_word(char c)
{
    return is_letter(c) || is_digit(c);
}

static bool is_prime(char c)
{
    return c == '\'';
}

/* Names of weights, prefixes and models. */
static bool in_piece(char c)
{
    return in_word(c) || c == '-' || c == '.';
}

static bool in_path(char c)
{
    return in_piece(c) || c == '/';
}

/* Bytes of the line end that stands here, or 0. */
static uint32_t line_end(const rk_lexer *l)
{
    if (look(l, 0) == '\n')
        return 1;
    return look(l, 0) == '\r' && look(l, 1) == '\n' ? 2 : 0;
}

/* Bytes of the character here; 0 for a control character and for what is no UTF-8. */
static uint32_t char_length(const rk_lexer *l)
{
    uint32_t c = 0;
    size_t n = l->at < l->source->n ? rk_utf8_decode(l->source->text + l->at, l->source->n - l->at, &c) : 0;

    return (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0) ? 0 : (uint32_t)n;
}

/* Notes and passes over a character that has no business here. */
static rk_token_kind bad(rk_lexer *l)
{
    uint32_t n = char_length(l), from = l->at;

    l->at += n > 0 ? n : 1;
    rk_span span = rk_lex_span(l, from, l->at);
    if (n > 0)
        rk_note(l->notes, span, "unexpected character '%.*s'", (int)n, l->source->text + from);
    else
        rk_note(l->notes, span, "unexpected byte 0x%02x", (unsigned)(unsigned char)l->source->text[from]);
    return RK_TOK_BAD;
}

/* To the end of the line or to `stop`; false when a byte on the way is none of a text. */
static bool pass_until(rk_lexer *l, char stop)
{
    bool good = true;

    while (l->at < l->source->n && look(l, 0) != stop && line_end(l) == 0) {
        uint32_t n = char_length(l);

        if (n > 0) {
            l->at += n;
        } else {
            bad(l);
            good = false;
        }
    }
    return good;
}

/* ---- tokens ---- */

static uint32_t run(rk_lexer *l, bool (*in)(char))
{
    uint32_t from = l->at;

    while (in(look(l, 0)))
        l->at++;
    return l->at - from;
}

static rk_token_kind bounded(rk_lexer *l, uint32_t from, rk_token_kind kind)
{
    if (l->at - from <= RK_NAME_MAX)
        return kind;
    rk_note(l->notes, rk_lex_span(l, from, l->at), "too many characters in a name; the limit is %d", RK_NAME_MAX);
    return RK_TOK_BAD;
}

static rk_token_kind name_of(rk_lexer *l, bool (*in)(char), rk_token_kind kind)
{
    uint32_t from = l->at;

    run(l, in);
    return bounded(l, from, kind);
}

static rk_token_kind word(rk_lexer *l)
{
    const char *text = l->source->text + l->at;
    uint32_t from = l->at, n = run(l, in_word);

    for (rk_token_kind k = RK_TOK_MODEL; k <= RK_TOK_NONE; k++)
        if (token_text[k][0] == text[0] && strlen(token_text[k]) == n && memcmp(token_text[k], text, n) == 0)
            return k;
    return bounded(l, from, RK_TOK_NAME);
}

/* Digits, with single '_' between them. */
static void digits(rk_lexer *l)
{
    while (is_digit(look(l, 0)) || (look(l, 0) == '_' && is_digit(look(l, 1))))
        l->at++;
}

static rk_token_kind number(rk_lexer *l)
{
    rk_token_kind kind = RK_TOK_NUMBER;

    digits(l);
    if (l->in_axes)
        return kind;
    if (look(l, 0) == '.' && is_digit(look(l, 1))) {
        kind = RK_TOK_REAL;
        l->at++;
        digits(l);
    }
    if (look(l, 0) == 'e' || look(l, 0) == 'E') {
        uint32_t sign = look(l, 1) == '+' || look(l, 1) == '-';

        if (!is_digit(look(l, 1 + sign)))
            return kind;
        kind = RK_TOK_REAL;
        l->at += 1 + sign;
        digits(l);
    }
    return kind;
}

static rk_token_kind text(rk_lexer *l)
{
    uint32_t from = l->at;
    char quote = look(l, 0);

    l->at++;
    bool good = pass_until(l, quote);
    if (look(l, 0) != quote) {
        rk_note(l->notes, rk_lex_span(l, from, l->at), "the text is not closed: a second %c is missing", quote);
        return RK_TOK_BAD;
    }
    l->at++;
    return good ? RK_TOK_TEXT : RK_TOK_BAD;
}

static rk_token_kind key(rk_lexer *l)
{
    uint32_t from = l->at;

    do {
        l->at++;
        if (!is_letter(look(l, 0))) {
            rk_note(l->notes, rk_lex_span(l, from, l->at), "a name must follow '%c' directly",
                    l->source->text[l->at - 1]);
            return RK_TOK_BAD;
        }
        run(l, in_word);
    } while (look(l, 0) == '.' && look(l, 1) != '.');
    return bounded(l, from + 1, RK_TOK_KEY);
}

static rk_token_kind mark(rk_lexer *l)
{
    for (rk_token_kind k = RK_TOK_ARROW; k <= RK_TOK_CURLY_CLOSE; k++) {
        const char *text = token_text[k];

        if (look(l, 0) == text[0] && (text[1] == '\0' || look(l, 1) == text[1])) {
            l->at += (uint32_t)strlen(text);
            return k;
        }
    }
    return bad(l);
}

static bool ends_operand(rk_token_kind kind)
{
    switch (kind) {
    case RK_TOK_NAME:
    case RK_TOK_PRIMES:
    case RK_TOK_NUMBER:
    case RK_TOK_REAL:
    case RK_TOK_TEXT:
    case RK_TOK_KEY:
    case RK_TOK_WEIGHT:
    case RK_TOK_PIECE:
    case RK_TOK_TRUE:
    case RK_TOK_FALSE:
    case RK_TOK_NONE:
    case RK_TOK_ROUND_CLOSE:
    case RK_TOK_SQUARE_CLOSE:
    case RK_TOK_CURLY_CLOSE:
        return true;
    default:
        return false;
    }
}

/* Some words are followed by names of their own kind. */
static bool after_word(rk_lexer *l, bool space, rk_token_kind *kind)
{
    char c = look(l, 0);

    if (l->before == RK_TOK_USE && in_path(c))
        *kind = name_of(l, in_path, RK_TOK_PATH);
    else if (l->before == RK_TOK_MODEL && is_letter(c))
        *kind = name_of(l, in_piece, RK_TOK_NAME);
    else if (l->before == RK_TOK_AT && in_word(c))
        *kind = name_of(l, in_piece, RK_TOK_PIECE);
    else if (l->before == RK_TOK_CURLY_CLOSE && !space && in_piece(c))
        *kind = name_of(l, in_piece, RK_TOK_PIECE);
    else
        return false;
    return true;
}

static rk_token_kind scan(rk_lexer *l, bool space)
{
    rk_token_kind kind;
    char c = look(l, 0);

    if (l->at >= l->source->n)
        return RK_TOK_END;
    if (line_end(l) > 0) {
        l->at += line_end(l);
        return RK_TOK_NEWLINE;
    }
    if (after_word(l, space, &kind))
        return kind;
    if (is_letter(c))
        return word(l);
    if (is_digit(c))
        return number(l);
    if (c == '\'' && !space && l->before == RK_TOK_NAME) {
        run(l, is_prime);
        return RK_TOK_PRIMES;
    }
    if (c == '"' || c == '\'')
        return text(l);
    if (c == '$')
        return key(l);
    if ((c == '.' || c == '/') && (in_word(look(l, 1)) || look(l, 1) == '{') && !ends_operand(l->before)) {
        l->at++;
        return name_of(l, in_piece, RK_TOK_WEIGHT);
    }
    return mark(l);
}

/* Blanks and comments; inside brackets also line ends. */
static void skip(rk_lexer *l, rk_token *t)
{
    uint32_t from = l->at, line = l->at;

    for (;;) {
        if (look(l, 0) == ' ' || look(l, 0) == '\t') {
            l->at++;
        } else if (look(l, 0) == '#') {
            pass_until(l, '\n');
        } else if (l->depth > 0 && line_end(l) > 0) {
            l->at += line_end(l);
            line = l->at;
            t->first = true;
        } else {
            break;
        }
    }
    t->space = l->at > from;
    t->column = t->first ? l->at - line : 0;
}

rk_token rk_lex(rk_lexer *l)
{
    rk_token t = {0};

    skip(l, &t);
    uint32_t from = l->at;
    t.kind = scan(l, t.space);
    t.span = rk_lex_span(l, from, t.kind == RK_TOK_NEWLINE ? from : l->at);
    if (t.kind == RK_TOK_ROUND_OPEN || t.kind == RK_TOK_SQUARE_OPEN) {
        if (l->depth < RK_NEST_MAX)
            l->open[l->depth] = from;
        l->depth++;
    } else if ((t.kind == RK_TOK_ROUND_CLOSE || t.kind == RK_TOK_SQUARE_CLOSE) && l->depth > 0) {
        l->depth--;
    }
    l->before = t.kind;
    return t;
}

/* ---- lines ---- */

/* The width of the blanks [from, l->at) before a statement. */
static size_t indentation(rk_lexer *l, uint32_t from)
{
    size_t column = 0;

    for (uint32_t i = from; i < l->at; i++) {
        if (l->source->text[i] == '\t') {
            rk_note(l->notes, rk_lex_span(l, i, i + 1), "a tab is used for indentation; use spaces");
            column += 4 - column % 4; /* a guess, so that a file of tabs yields no other mistakes */
        } else {
            column++;
        }
    }
    return column;
}

size_t rk_lex_line(rk_lexer *l)
{
    l->depth = 0;
    l->in_axes = false;
    l->before = RK_TOK_NEWLINE;
    for (;;) {
        uint32_t from = l->at;

        while (look(l, 0) == ' ' || look(l, 0) == '\t')
            l->at++;
        uint32_t stop = l->at;
        if (look(l, 0) == '#')
            pass_until(l, '\n');
        if (line_end(l) > 0)
            l->at += line_end(l);
        else if (l->at >= l->source->n)
            return 0;
        else if (l->at == stop)
            return indentation(l, from);
    }
}
