/* SPDX-License-Identifier: MIT */
#include "lang/source.h"

#include <string.h>

#define SHOWN_MAX 160   /* bytes of a line that are shown; a longer one is cut around the mistake */
#define SHOWN_BEFORE 80 /* how many of them stand before the mistake, when it is far to the right */

/* A byte inside a UTF-8 character, not its first. */
static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

static size_t clamp(size_t n, size_t most)
{
    return n < most ? n : most;
}

/* ---- taking notes ---- */

int rk_mistake_note(rk_mistakes *m, rk_span span, const char *fmt, ...)
{
    char *message = NULL;
    rk_mistake *kept = NULL;
    va_list ap;

    for (size_t i = 0; i < m->list.n; i++)
        if (m->list.at[i].span.source == span.source && m->list.at[i].span.at == span.at)
            return RK_EINPUT;
    va_start(ap, fmt);
    if (m->list.n < RK_MISTAKES_MAX)
        message = rk_arena_vformat(m->arena, fmt, ap);
    va_end(ap);
    if (message != NULL)
        kept = RK_PUSH(m->arena, &m->list);
    if (kept != NULL)
        *kept = (rk_mistake){.span = span, .message = message};
    else
        m->n_more++;
    return RK_EINPUT;
}

/* ---- places ---- */

/* Where the line of `at` begins, as an offset. */
static size_t line_start(const rk_source *s, size_t at)
{
    while (at > 0 && s->text[at - 1] != '\n')
        at--;
    return at;
}

void rk_span_place(rk_span span, int *line, int *column)
{
    const rk_source *s = span.source;
    size_t at = s != NULL ? clamp(span.at, s->n) : 0;
    size_t start = s != NULL ? line_start(s, at) : 0;

    *line = *column = 1;
    for (size_t i = 0; i < start; i++)
        *line += s->text[i] == '\n';
    for (size_t i = start; i < at; i++)
        *column += !continues(s->text[i]);
}

void rk_span_line(rk_span span, const char **line_text, size_t *n)
{
    const rk_source *s = span.source;

    *line_text = "";
    *n = 0;
    if (s == NULL)
        return;
    size_t start = line_start(s, clamp(span.at, s->n));
    const char *end = memchr(s->text + start, '\n', s->n - start);

    *line_text = s->text + start;
    *n = end != NULL ? (size_t)(end - *line_text) : s->n - start;
    if (end != NULL && *n > 0 && (*line_text)[*n - 1] == '\r')
        --*n;
}

/* ---- showing ---- */

/* Part of a line as people see it: a tab takes one column, bytes that would upset a terminal are spelled out. */
static void show(rk_str *out, const char *text, size_t n)
{
    while (n > 0) {
        const char *tab = memchr(text, '\t', n);
        size_t plain = tab != NULL ? (size_t)(tab - text) : n;

        rk_str_put_safe(out, text, plain);
        if (tab == NULL)
            return;
        rk_str_putc(out, ' ');
        text += plain + 1;
        n -= plain + 1;
    }
}

/* The columns that show() gives to a part of a line. */
static size_t shown_width(rk_str *out, const char *text, size_t n)
{
    rk_str s = {0};

    show(&s, text, n);
    size_t width = rk_text_width(rk_str_text(&s));
    out->failed |= s.failed;
    rk_str_free(&s);
    return width;
}

/* What of a long line is shown around byte `at`, whole characters only. */
static void window(const char *line, size_t n, size_t at, size_t *from, size_t *to)
{
    *from = n > SHOWN_MAX && at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
    *to = clamp(n, *from + SHOWN_MAX);
    for (int i = 0; i < 3 && *from > 0 && continues(line[*from]); i++)
        --*from;
    for (int i = 0; i < 3 && *to < n && continues(line[*to]); i++)
        ++*to;
}

/* The line, and carets under bytes [at, end) of it. */
static void show_marked(rk_str *out, const char *line, size_t n, size_t at, size_t end)
{
    size_t from, to;

    window(line, n, at, &from, &to);
    end = clamp(end, to);
    rk_str_put(out, from > 0 ? "    …" : "    ");
    /* In the three pieces that are measured, so that a character cut in two still aligns. */
    show(out, line + from, at - from);
    show(out, line + at, end - at);
    show(out, line + end, to - end);
    rk_str_put(out, to < n ? "…\n" : "\n");
    rk_str_fill(out, ' ', (from > 0 ? 5 : 4) + shown_width(out, line + from, at - from));
    size_t wide = shown_width(out, line + at, end - at);
    rk_str_fill(out, '^', wide > 0 ? wide : 1);
    rk_str_putc(out, '\n');
}

static void mistake_print(const rk_mistake *mistake, rk_str *out)
{
    rk_span span = mistake->span;
    const char *line_text;
    int line, column;
    size_t n;

    rk_span_place(span, &line, &column);
    rk_span_line(span, &line_text, &n);
    if (span.source != NULL)
        rk_str_put_safe(out, span.source->name, strlen(span.source->name));
    rk_str_format(out, ":%d:%d: ", line, column);
    rk_str_put_safe(out, mistake->message, strlen(mistake->message));
    rk_str_putc(out, '\n');
    if (span.source == NULL)
        return;
    size_t at = clamp(clamp(span.at, span.source->n) - (size_t)(line_text - span.source->text), n);
    show_marked(out, line_text, n, at, at + clamp(span.n, n - at));
}

/* The place of a source among those with mistakes: several files keep the order in which they were read. */
static size_t source_rank(const rk_mistakes *m, const rk_source *source)
{
    size_t i = 0;

    while (i < m->list.n && m->list.at[i].span.source != source)
        i++;
    return i;
}

static bool comes_before(const rk_mistakes *m, const rk_mistake *a, const rk_mistake *b)
{
    if (a->span.source != b->span.source)
        return source_rank(m, a->span.source) < source_rank(m, b->span.source);
    return a->span.at < b->span.at;
}

void rk_mistakes_print(const rk_mistakes *m, rk_str *out)
{
    const rk_mistake *sorted[RK_MISTAKES_MAX];
    size_t n = 0;

    for (; n < m->list.n && n < RK_MISTAKES_MAX; n++) {
        size_t i = n;

        for (; i > 0 && comes_before(m, &m->list.at[n], sorted[i - 1]); i--)
            sorted[i] = sorted[i - 1];
        sorted[i] = &m->list.at[n];
    }
    for (size_t i = 0; i < n; i++)
        mistake_print(sorted[i], out);
    if (m->n_more > 0)
        rk_str_format(out, "… and %zu more\n", m->n_more);
}
