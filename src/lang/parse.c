/* SPDX-License-Identifier: MIT */
#include "lang/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- tokens ---- */

/* A word that only ever begins a statement is a name like any other where no statement can begin. */
void rk_parse_as_name(rk_parser *p)
{
    p->tok.kind = p->lex.before = RK_TOK_NAME;
}

void rk_parse_advance(rk_parser *p)
{
    p->end = p->tok.span.at + p->tok.span.n;
    p->tok = rk_lex(&p->lex);
    if (rk_token_may_name(p->tok.kind) && !p->tok.first)
        rk_parse_as_name(p);
}

rk_token rk_parse_peek(const rk_parser *p)
{
    rk_lexer copy = p->lex;

    return rk_lex(&copy);
}

bool rk_parse_accept(rk_parser *p, rk_token_kind kind)
{
    if (p->tok.kind != kind)
        return false;
    rk_parse_advance(p);
    return true;
}

bool rk_parse_expect(rk_parser *p, rk_token_kind kind)
{
    char what[16];

    if (rk_parse_accept(p, kind))
        return true;
    snprintf(what, sizeof what, "'%.13s'", rk_token_text(kind));
    return rk_parse_expected(p, what);
}

bool rk_parse_name(rk_parser *p, const char **name)
{
    if (rk_token_is_word(p->tok.kind))
        return rk_parse_reserved(p);
    if (p->tok.kind != RK_TOK_NAME)
        return rk_parse_expected(p, "a name");
    *name = rk_parse_copy(p, p->tok.span);
    rk_parse_advance(p);
    return *name != NULL;
}

char *rk_parse_copy(rk_parser *p, rk_span span)
{
    return rk_arena_copy(p->arena, span.source->text + span.at, span.n);
}

rk_span rk_parse_span(const rk_parser *p, uint32_t from)
{
    return rk_lex_span(&p->lex, from, p->end > from ? p->end : from);
}

/* The number's digits without their separators. */
bool rk_parse_number(rk_parser *p, rk_i128 *out)
{
    char *digits = rk_parse_copy(p, p->tok.span);
    size_t n = 0;

    if (digits == NULL)
        return false;
    for (size_t i = 0; i < p->tok.span.n; i++)
        if (digits[i] != '_')
            digits[n++] = digits[i];
    if (!rk_num_parse(digits, n, out))
        return rk_note(&p->notes, p->tok.span, "this number needs more than 128 bits");
    rk_parse_advance(p);
    return true;
}

/* ---- mistakes ---- */

/* How a token is called in a message: as it is written, if that is short. */
static void describe(const rk_token *t, char *buf, size_t size)
{
    const char *quote = t->kind == RK_TOK_TEXT ? "" : "'";
    const char *text = t->span.source->text + t->span.at;
    size_t n = rk_utf8_cut(text, t->span.n, 40);

    if (t->kind == RK_TOK_END || t->kind == RK_TOK_NEWLINE)
        snprintf(buf, size, "%s", rk_token_text(t->kind));
    else
        snprintf(buf, size, "%s%.*s%s%s", quote, (int)n, text, n < t->span.n ? "…" : "", quote);
}

/* Whether brackets were left open above a token that can only begin a statement. */
static bool escapes(const rk_parser *p, size_t indent)
{
    bool closes = p->tok.kind == RK_TOK_ROUND_CLOSE || p->tok.kind == RK_TOK_SQUARE_CLOSE;
    bool begins = rk_token_begins_statement(p->tok.kind) && p->tok.kind < RK_TOK_IF;

    if (p->tok.kind == RK_TOK_END)
        return p->lex.depth > 0;
    return p->tok.first && ((p->tok.column <= indent && !closes) || begins);
}

/* The innermost bracket that was open before the next token. */
static bool left_open(rk_parser *p)
{
    bool opens = p->tok.kind == RK_TOK_ROUND_OPEN || p->tok.kind == RK_TOK_SQUARE_OPEN;
    size_t depth = p->lex.depth - (opens ? 1 : 0);

    if (depth == 0 || depth > RK_NEST_MAX)
        return false;
    uint32_t at = p->lex.open[depth - 1];
    rk_note(&p->notes, rk_lex_span(&p->lex, at, at + 1), "this '%c' is not closed", p->lex.source->text[at]);
    return true;
}

bool rk_parse_expected(rk_parser *p, const char *what)
{
    char found[64];

    if (p->tok.kind == RK_TOK_BAD)
        return false;
    if (escapes(p, p->column) && left_open(p))
        return false;
    describe(&p->tok, found, sizeof found);
    return rk_note(&p->notes, p->tok.span, "expected %s here, found %s", what, found);
}

bool rk_parse_reserved(rk_parser *p)
{
    if (escapes(p, p->column) && left_open(p))
        return false;
    return rk_note(&p->notes, p->tok.span, "'%s' is a word of the language; choose another name",
                   rk_token_text(p->tok.kind));
}

bool rk_parse_too_many(rk_parser *p, const char *what, size_t limit)
{
    return rk_note(&p->notes, p->tok.span, "too many %s; the limit is %zu", what, limit);
}

bool rk_parse_enter(rk_parser *p)
{
    if (p->n_nest >= RK_NEST_MAX)
        return rk_note(&p->notes, p->tok.span, "nested deeper than %d", RK_NEST_MAX);
    p->n_nest++;
    return true;
}

void rk_parse_leave(rk_parser *p)
{
    p->n_nest--;
}

/* ---- lines ---- */

static void next_line(rk_parser *p)
{
    p->last_column = p->column;
    p->column = rk_lex_line(&p->lex);
    p->tok = rk_lex(&p->lex);
}

bool rk_parse_end_of_line(rk_parser *p)
{
    if (p->tok.kind != RK_TOK_END && p->tok.span.source && p->tok.span.source->text[p->tok.span.at] == '.')
        return rk_note(&p->notes, p->tok.span,
                       "a dot is not expected here; the name of a weight begins with one: .a.b");
    if (p->tok.kind != RK_TOK_NEWLINE && p->tok.kind != RK_TOK_END)
        return rk_parse_expected(p, rk_token_text(RK_TOK_NEWLINE));
    next_line(p);
    return true;
}

/* After a mistake: to the line after the statement, or to the first that cannot be a part of it. */
static void resume(rk_parser *p, size_t indent)
{
    p->n_nest = 0;
    p->broken = true;
    p->lex.in_axes = false;
    while (p->tok.kind != RK_TOK_NEWLINE && p->tok.kind != RK_TOK_END && !escapes(p, indent))
        rk_parse_advance(p);
    if (p->tok.first && p->tok.kind != RK_TOK_END)
        p->lex.at = p->tok.span.at - p->tok.column;
    next_line(p);
}

/* ---- blocks ---- */

/* One statement and the lines that belong to it; NULL after a mistake. */
static rk_stmt *statement(rk_parser *p)
{
    size_t indent = p->column;
    rk_stmt *s = RK_NEW(p->arena, rk_stmt);

    p->n_stmt++;
    if (s == NULL)
        return NULL;
    s->span = p->tok.span;
    p->broken = false;
    if (rk_parse_statement(p, s))
        return s;
    resume(p, indent);
    return NULL;
}

static void statements(rk_parser *p, size_t indent, rk_stmts *out);

/* Lines that stand deeper than they may: they are read, for their mistakes, and dropped.  Below a broken line they may
 * be its body, and are no mistake of their own. */
static void stray_lines(rk_parser *p)
{
    const char *message = "this line is indented less than the one before, but as deep as no open block";
    rk_stmts dropped = {0};

    if (p->n_stmt == 0)
        message = "this line is indented, but no block is open";
    else if (p->column > p->last_column)
        message = "this line is indented deeper than the one before, but that one opens no block";
    if (!p->broken || p->column <= p->last_column)
        rk_note(&p->notes, p->tok.span, "%s", message);
    statements(p, p->column, &dropped);
}

static bool may_go_on(rk_parser *p, size_t indent)
{
    if (p->arena->failed || p->tok.kind == RK_TOK_END || p->column < indent)
        return false;
    if (p->n_stmt < RK_STATEMENTS_MAX)
        return true;
    rk_parse_too_many(p, "statements", RK_STATEMENTS_MAX);
    p->lex.at = (uint32_t)p->lex.source->n;
    next_line(p);
    return false;
}

/* { statement } at one depth, up to a line that stands less deep. */
static void statements(rk_parser *p, size_t indent, rk_stmts *out)
{
    RK_VEC(rk_stmt *) list = {0};

    if (p->n_block > RK_NEST_MAX) {
        rk_note(&p->notes, p->tok.span, "nested deeper than %d", RK_NEST_MAX);
        while (p->tok.kind != RK_TOK_END && p->column >= indent)
            resume(p, indent);
        return;
    }
    p->n_block++;
    while (may_go_on(p, indent)) {
        rk_stmt *s = NULL, **slot;

        if (p->column > indent)
            stray_lines(p);
        else
            s = statement(p);
        if (s != NULL && (slot = RK_PUSH(p->arena, &list)) != NULL)
            *slot = s;
    }
    p->n_block--;
    *out = (rk_stmts){.at = list.at, .n = list.n};
}

void rk_parse_body(rk_parser *p, size_t indent, bool head_is_good, rk_stmts *out)
{
    rk_span colon = rk_lex_span(&p->lex, p->end > 0 ? p->end - 1 : 0, p->end);

    if (!head_is_good)
        resume(p, indent);
    if (p->tok.kind != RK_TOK_END && p->column > indent)
        statements(p, p->column, out);
    else if (head_is_good)
        rk_note(&p->notes, colon, "this line opens a block, but no deeper line follows");
}

/* ---- files ---- */

static rk_source *source_copy(rk_arena *a, const char *name, const char *text, size_t n)
{
    rk_source *s = RK_NEW(a, rk_source);

    /* A mark of the byte order says nothing in UTF-8, and would shift the columns. */
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        n -= 3;
    }
    if (s == NULL)
        return NULL;
    s->n = n <= RK_SOURCE_BYTES_MAX ? n : 0;
    s->name = rk_arena_text(a, name);
    s->text = rk_arena_copy(a, text, s->n);
    return s->name != NULL && s->text != NULL ? s : NULL;
}

/* The first mistake of a source, for callers that look no further. */
static int fail_with(const rk_mistakes *m, const rk_source *source, rk_err *err)
{
    const rk_mistake *first = NULL;
    int line, column;

    for (size_t i = 0; i < m->list.n; i++) {
        const rk_mistake *one = &m->list.at[i];

        if (one->span.source == source && (first == NULL || one->span.at < first->span.at))
            first = one;
    }
    if (first == NULL)
        return rk_fail(err, RK_EINPUT, "%s: the file has mistakes", source->name);
    rk_span_place(first->span, &line, &column);
    return rk_fail(err, RK_EINPUT, "%s:%d:%d: %s", source->name, line, column, first->message);
}

#define LOOK_BYTES 4096 /* how far to look for what no text has … */
#define LOOK_BAD 8      /* … and how much of it makes the file something else than a text with a slip */

/* One word about a picture or an archive, instead of a mistake on every line. */
static bool refuse_binary(rk_parser *p, const rk_source *s)
{
    size_t n = s->n < LOOK_BYTES ? s->n : LOOK_BYTES, bad = 0;

    for (size_t i = 0; i < n;) {
        uint32_t c = 0;
        size_t length = rk_utf8_decode(s->text + i, s->n - i, &c);

        bad += length == 0 || (c < ' ' && c != '\n' && c != '\r' && c != '\t');
        i += length ? length : 1;
    }
    if (bad < LOOK_BAD)
        return false;
    p->notes.n++;
    rk_mistake_note(p->notes.list, (rk_span){.source = s}, "this file is no text; a model file is UTF-8 text");
    return true;
}

int rk_parse(rk_arena *a, const char *name, const char *text, size_t n, rk_mistakes *mistakes, rk_file **out,
             rk_err *err)
{
    rk_parser p = {.arena = a, .notes.list = mistakes};
    rk_file *file = RK_NEW(a, rk_file);
    rk_source *source = source_copy(a, name, text, n);

    if (file == NULL || source == NULL)
        return rk_fail_memory(err);
    file->source = source;
    p.lex = (rk_lexer){.source = source, .notes = &p.notes};
    if (!refuse_binary(&p, source)) {
        next_line(&p);
        if (n > RK_SOURCE_BYTES_MAX && source->n == 0)
            rk_parse_too_many(&p, "bytes", RK_SOURCE_BYTES_MAX);
        statements(&p, 0, &file->body);
    }
    if (a->failed || mistakes->arena->failed)
        return rk_fail_memory(err);
    if (p.notes.n > 0)
        return fail_with(mistakes, source, err);
    *out = file;
    return RK_OK;
}
