/* SPDX-License-Identifier: MIT */
#include "audit/prose.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- drafts ----------------------------------------------------------------------------------------------------- */

static void begin_run(rk_prose_draft *d, size_t from)
{
    const rk_prose_run *last = d->out->run.n ? &d->out->run.at[d->out->run.n - 1] : NULL;
    rk_prose_run *made;

    if (last && last->from + (d->text.n - last->at) == from)
        return;
    made = RK_PUSH(d->arena, &d->out->run);
    if (made)
        *made = (rk_prose_run){(uint32_t)d->text.n, (uint32_t)from};
}

void rk_prose_put(rk_prose_draft *d, const char *bytes, size_t n, size_t from)
{
    d->full |= d->text.n + n > RK_AUDIT_BYTES_MAX;
    if (d->full || n == 0)
        return;
    begin_run(d, from);
    rk_str_putn(&d->text, bytes, n);
}

void rk_prose_put_other(rk_prose_draft *d, const char *bytes, size_t from)
{
    rk_prose_put(d, bytes, strlen(bytes), from);
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

static void find_lines(rk_arena *a, rk_prose *s)
{
    for (size_t at = 0; at <= s->n_origin && !a->failed;) {
        const char *end = memchr(s->origin + at, '\n', s->n_origin - at);
        uint32_t *start = RK_PUSH(a, &s->line);

        if (start)
            *start = (uint32_t)at;
        at = end ? (size_t)(end - s->origin) + 1 : s->n_origin + 1;
    }
}

/* The last of some elements, ordered by their first member, that is not after a byte; the first where all are. */
static size_t last_before(const void *at, size_t n, size_t size, uint32_t byte)
{
    size_t low = 0, high = n;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        uint32_t first;

        memcpy(&first, (const char *)at + middle * size, sizeof first);
        if (first <= byte)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t rk_prose_origin(const rk_prose *s, uint32_t at)
{
    const rk_prose_run *run = s->run.at;
    size_t i, from;

    if (s->run.n == 0)
        return at;
    i = last_before(run, s->run.n, sizeof *run, at);
    from = run[i].from + (size_t)(at > run[i].at ? at - run[i].at : 0);
    /* What stands for something else is longer than that, perhaps: it does not reach into what comes after. */
    if (i + 1 < s->run.n && run[i + 1].from >= run[i].from && from > run[i + 1].from)
        from = run[i + 1].from;
    return (uint32_t)(from < s->n_origin ? from : s->n_origin);
}

rk_prose_place rk_prose_find(const rk_prose *s, uint32_t at, rk_prose_walk *walk)
{
    return rk_prose_find_origin(s, rk_prose_origin(s, at), walk);
}

rk_prose_place rk_prose_find_origin(const rk_prose *s, uint32_t byte, rk_prose_walk *walk)
{
    size_t line = last_before(s->line.at, s->line.n, sizeof *s->line.at, byte);
    rk_prose_place place = {.line = line + 1};

    if (walk->column == 0 || walk->line != line || walk->byte > byte)
        *walk = (rk_prose_walk){line, s->line.at[line], 1};
    for (; walk->byte < byte; walk->byte++)
        walk->column += ((unsigned char)s->origin[walk->byte] & 0xC0) != 0x80;
    place.column = walk->column;
    if (s->cell.n > 0) {
        const rk_prose_cell *cell = &s->cell.at[last_before(s->cell.at, s->cell.n, sizeof *s->cell.at, byte)];

        place.cell = cell->number;
        place.output = cell->output;
        place.line = line + 1 - last_before(s->line.at, s->line.n, sizeof *s->line.at, cell->from);
    }
    return place;
}

void rk_prose_put_place(rk_str *out, size_t cell, bool output, size_t line)
{
    if (cell)
        rk_str_format(out, "cell %zu, %s", cell, output ? "output " : "");
    rk_str_format(out, "line %zu", line);
}

/* ---- claims ----------------------------------------------------------------------------------------------------- */

static bool is_ignored(const rk_prose *s, const rk_claim *c)
{
    size_t i = s->ignored.n ? last_before(s->ignored.at, s->ignored.n, sizeof *s->ignored.at, c->at) : 0;

    /* It may begin before the line, and end in it. */
    for (size_t end = i + 2; i < end && i < s->ignored.n; i++)
        if (c->at < s->ignored.at[i].to && c->to > s->ignored.at[i].from)
            return true;
    return false;
}

/* A sentence of the audit that names lines of the text, with their places in the file. */
static const char *replace_lines(const rk_prose *s, rk_audit *a, const char *text)
{
    rk_prose_walk walk = {0};
    rk_str out = {0};
    const char *line;

    while (text && (line = strstr(text, "line ")) != NULL) {
        const char *digits = line + strlen("line ");
        unsigned long number = strtoul(digits, NULL, 10);
        rk_prose_place place;

        rk_str_putn(&out, text, (size_t)(digits - text));
        text = digits;
        if (*digits < '1' || *digits > '9' || number > a->scan.line.n)
            continue;
        place = rk_prose_find(s, a->scan.line.at[number - 1], &walk);
        out.n -= strlen("line ");
        rk_prose_put_place(&out, place.cell, place.output, place.line);
        text += strspn(digits, "0123456789");
    }
    rk_str_put(&out, text ? text : "");
    return rk_audit_keep(a, &out);
}

static void put_place(const rk_prose *s, rk_claim *c, rk_prose_walk *walk)
{
    rk_prose_place place = rk_prose_find(s, c->at, walk);

    c->line = place.line;
    c->column = place.column;
    c->cell = place.cell;
    c->output = place.output;
}

int rk_prose_settle(const rk_prose *s, rk_audit *a, rk_err *err)
{
    bool same = s->run.n == 0 && s->cell.n == 0 && s->text == s->origin;
    rk_prose_walk walk = {0};
    size_t n = 0;

    for (size_t i = 0; i < a->claim.n; i++) {
        rk_claim c = a->claim.at[i];

        if (is_ignored(s, &c)) {
            a->n_status[c.status]--;
            a->n_ignored++;
            continue;
        }
        put_place(s, &c, &walk);
        if (!same && c.kind == RK_CLAIM_SUM && c.note)
            c.note = replace_lines(s, a, c.note);
        a->claim.at[n++] = c;
    }
    a->claim.n = n;
    walk = (rk_prose_walk){0};
    for (size_t i = 0; i < a->open.n; i++)
        put_place(s, &a->open.at[i], &walk);
    for (size_t i = 0; !same && i < a->skipped.n; i++)
        a->skipped.at[i] = replace_lines(s, a, a->skipped.at[i]);
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}

/* ---- marks ------------------------------------------------------------------------------------------------------ */

/* A comment in a line that begins with "reckon:". */
typedef struct mark {
    size_t from, to;         /* the whole comment */
    size_t words, words_end; /* what it says after "reckon:" */
} mark;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The mark whose "reckon:" stands at a byte of the line [from, to); false: that is no comment. */
static bool read_mark(const char *t, size_t from, size_t at, size_t to, mark *out)
{
    size_t begin = at, end = to;

    while (begin > from && is_blank(t[begin - 1]))
        begin--;
    if (begin >= from + 4 && memcmp(t + begin - 4, "<!--", 4) == 0) {
        const char *close = NULL;

        for (size_t i = at; i + 3 <= to && !close; i++)
            close = memcmp(t + i, "-->", 3) == 0 ? t + i : NULL;
        end = close ? (size_t)(close - t) : to;
        *out = (mark){begin - 4, close ? end + 3 : to, at + strlen("reckon:"), end};
        return true;
    }
    while (begin > from && (t[begin - 1] == '%' || t[begin - 1] == '#'))
        begin--;
    if (begin == at || !(t[begin] == '%' || t[begin] == '#'))
        return false;
    *out = (mark){begin, to, at + strlen("reckon:"), end};
    return true;
}

static bool is_line_blank(const char *t, size_t from, size_t to)
{
    while (from < to && (is_blank(t[from]) || t[from] == '\n'))
        from++;
    return from == to;
}

static size_t line_end(const rk_prose *s, size_t at)
{
    const char *end = memchr(s->text + at, '\n', s->n - at);

    return end ? (size_t)(end - s->text) : s->n;
}

/* Claims of the line of a mark, or of the next one that is not blank. */
static void ignore_line(rk_arena *a, rk_prose *s, size_t from, size_t to, bool alone)
{
    rk_prose_span *made;

    while (alone && to < s->n) {
        from = to + 1;
        to = line_end(s, from);
        alone = is_line_blank(s->text, from, to);
    }
    if (alone || (s->ignored.n > 0 && s->ignored.at[s->ignored.n - 1].from >= from))
        return;
    made = RK_PUSH(a, &s->ignored);
    if (made)
        *made = (rk_prose_span){(uint32_t)from, (uint32_t)to};
}

/* Obeys a mark, and takes it out of the text, which keeps its length: what is alone on its line goes with its line. */
static void obey(rk_arena *a, rk_prose *s, char *text, size_t from, size_t to, const mark *m)
{
    size_t at = m->words, end = m->words_end;
    bool alone = is_line_blank(text, from, m->from) && is_line_blank(text, m->to, to), let;

    while (at < end && is_blank(text[at]))
        at++;
    let = end - at > 4 && memcmp(text + at, "let ", 4) == 0;
    if (!let && end - at >= 6 && memcmp(text + at, "ignore", 6) == 0)
        ignore_line(a, s, from, to, alone);
    memset(text + m->from, ' ', (let ? at + 4 : m->to) - m->from);
    if (let)
        memset(text + end, ' ', m->to - end);
    if (!let && alone && from > 0)
        text[from - 1] = ' ';
}

/* What a line says in marks.  The text is copied once there is one. */
static int read_marks(rk_arena *a, rk_prose *s, rk_err *err)
{
    static const char word[] = "reckon:";
    char *text = NULL;

    for (size_t from = 0, to; from < s->n; from = to + 1) {
        mark m;

        to = line_end(s, from);
        for (size_t i = from; i + sizeof word <= to + 1; i++) {
            if (s->text[i] != 'r' || memcmp(s->text + i, word, sizeof word - 1) != 0 ||
                !read_mark(s->text, from, i, to, &m))
                continue;
            if (!text && !(text = rk_arena_copy(a, s->text, s->n)))
                return rk_fail_memory(err);
            s->text = text;
            obey(a, s, text, from, to, &m);
            break;
        }
    }
    return a->failed ? rk_fail_memory(err) : RK_OK;
}

/* ---- texts that pdftotext wrote --------------------------------------------------------------------------------- */

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Words that keep their hyphen: "self-" at the end of a line, and "attention" below it. */
static bool keeps_hyphen(const rk_lexicon *l, const char *text, size_t hyphen)
{
    size_t n = 0;

    while (n < hyphen && is_small(text[hyphen - n - 1]))
        n++;
    return rk_lexicon_is(l, RK_WORDS_HYPHEN, text + hyphen - n, n);
}

/* "para-", and below it "meters of", is "parameters" and "of" below: the text keeps its length. */
static void join_word(const rk_lexicon *l, char *text, size_t n, size_t hyphen)
{
    size_t word = hyphen + 2, end, gap;
    bool keeps = keeps_hyphen(l, text, hyphen);

    while (word < n && text[word] == ' ')
        word++;
    if (word >= n || !is_small(text[word]))
        return;
    for (end = word; end < n && is_small(text[end]);)
        end++;
    hyphen += keeps;
    gap = word - hyphen;
    memmove(text + hyphen, text + word, end - word);
    memset(text + end - gap, ' ', gap);
    text[end - gap] = '\n';
}

/* Pages end with a form feed, words with a hyphen where a line does. */
static int read_pages(const rk_lexicon *l, rk_arena *a, rk_prose *s, rk_err *err)
{
    char *text;

    if (!memchr(s->text, '\f', s->n))
        return RK_OK;
    text = rk_arena_copy(a, s->text, s->n);
    if (!text)
        return rk_fail_memory(err);
    for (size_t i = 0; i < s->n; i++) {
        if (text[i] == '\f')
            text[i] = ' ';
        if (i > 1 && i + 2 < s->n && text[i] == '-' && is_small(text[i - 1]) && text[i + 1] == '\n')
            join_word(l, text, s->n, i);
    }
    s->text = text;
    return RK_OK;
}

/* ---- texts in Typst --------------------------------------------------------------------------------------------- */

static bool has_text(const char *bytes, size_t n, const char *text)
{
    size_t length = strlen(text);

    for (const char *at = bytes; n - (size_t)(at - bytes) >= length; at++) {
        at = memchr(at, text[0], n - (size_t)(at - bytes));
        if (!at || n - (size_t)(at - bytes) < length)
            return false;
        if (memcmp(at, text, length) == 0)
            return true;
    }
    return false;
}

/* The end of a string that begins at a byte, its last sign; n: there is none. */
static size_t string_end(const char *text, size_t n, size_t at)
{
    while (at < n && text[at] != '"')
        at += text[at] == '\\' && at + 1 < n ? 2 : 1;
    return at < n ? at : n;
}

/*
 * "total: 3\n|- part: 1\n": lines, which are items where they have a sign of a tree before them.  The text keeps its
 * length.
 */
static void break_lines(char *text, size_t from, size_t to)
{
    for (size_t i = from; i + 1 < to; i++) {
        size_t next = i + 2;

        if (text[i] != '\\' || text[i + 1] != 'n') {
            i += text[i] == '\\';
            continue;
        }
        text[i] = ' ';
        text[i + 1] = '\n';
        while (next < to && text[next] == ' ')
            next++;
        if (next + 1 < to && text[next] == '|' && text[next + 1] == '-')
            text[next] = ' ';
        i++;
    }
}

/* What a program printed stands in one string, #raw("…\n…"). */
static int read_raw(rk_arena *a, rk_prose *s, rk_err *err)
{
    static const char raw[] = "#raw(\"";
    char *text = has_text(s->text, s->n, raw) ? rk_arena_copy(a, s->text, s->n) : NULL;

    if (!text)
        return a->failed ? rk_fail_memory(err) : RK_OK;
    for (size_t i = 0, end; i + sizeof raw - 1 <= s->n; i++) {
        if (memcmp(text + i, raw, sizeof raw - 1) != 0)
            continue;
        end = string_end(text, s->n, i + sizeof raw - 1);
        if (end == s->n)
            break;
        memset(text + i, ' ', sizeof raw - 1);
        break_lines(text, i + sizeof raw - 1, end);
        i = end;
    }
    s->text = text;
    return RK_OK;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

bool rk_prose_is_pdf(const char *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "%PDF", 4) == 0;
}

/* By its name; or by how it begins, for what comes from a pipe. */
static rk_prose_kind kind_of(const char *name, const char *bytes, size_t n)
{
    static const char *const html[] = {".html", ".htm", ".xhtml"}, *const begins[] = {"<!doctype html", "<html"};
    size_t at = 0;

    if (rk_ends_in(name, ".ipynb"))
        return RK_PROSE_NOTEBOOK;
    for (size_t i = 0; i < sizeof html / sizeof *html; i++)
        if (rk_ends_in(name, html[i]))
            return RK_PROSE_HTML;
    while (at < n && (is_blank(bytes[at]) || bytes[at] == '\n'))
        at++;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (n - at > strlen(begins[i]) && strncasecmp(bytes + at, begins[i], strlen(begins[i])) == 0)
            return RK_PROSE_HTML;
    return at < n && bytes[at] == '{' && has_text(bytes + at, n - at, "\"nbformat\"") ? RK_PROSE_NOTEBOOK
                                                                                      : RK_PROSE_TEXT;
}

static int check_bytes(const char *name, const char *bytes, size_t n, rk_err *err)
{
    const char *zero = memchr(bytes, 0, n);

    if (n >= 2 && ((bytes[0] == '\xFF' && bytes[1] == '\xFE') || (bytes[0] == '\xFE' && bytes[1] == '\xFF')))
        return rk_fail(err, RK_EINPUT, "%s: a text in UTF-16: turn it into UTF-8, as with iconv -f UTF-16 -t UTF-8",
                       name);
    if (zero)
        return rk_fail(err, RK_EINPUT,
                       "%s: no text: byte %zu is 0; what can be checked is plain text, Markdown, LaTeX, HTML or a "
                       "notebook",
                       name, (size_t)(zero - bytes) + 1);
    return RK_OK;
}

static int fail_large(const char *name, rk_err *err)
{
    return rk_fail(err, RK_ELIMIT, "%s: larger than %zu MiB, nothing of it was checked: cut it into parts", name,
                   RK_AUDIT_BYTES_MAX >> 20);
}

/* A notebook, or HTML, by way of a draft. */
static int read_draft(rk_arena *a, const char *name, char *bytes, size_t n, rk_prose *out, rk_err *err)
{
    rk_prose_draft d = {.arena = a, .out = out};
    int code = RK_OK;

    if (out->kind == RK_PROSE_NOTEBOOK)
        code = rk_prose_read_notebook(&d, name, bytes, n, err);
    else
        rk_prose_read_html(&d, bytes, n);
    if (code == RK_OK && d.full)
        code = fail_large(name, err);
    if (code == RK_OK && (d.text.failed || d.origin.failed))
        code = rk_fail_memory(err);
    if (code == RK_OK) {
        out->text = rk_arena_copy(a, rk_str_text(&d.text), d.text.n);
        out->n = d.text.n;
        if (out->kind == RK_PROSE_NOTEBOOK) {
            out->origin = rk_arena_copy(a, rk_str_text(&d.origin), d.origin.n);
            out->n_origin = d.origin.n;
        }
        code = out->text && out->origin ? RK_OK : rk_fail_memory(err);
    }
    rk_str_free(&d.text);
    rk_str_free(&d.origin);
    return code;
}

int rk_prose_read(const rk_lexicon *l, rk_arena *a, const char *name, char *bytes, size_t n, rk_prose *out, rk_err *err)
{
    size_t order = n >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* the mark of the order of bytes */
    int code = check_bytes(name, bytes, n, err);

    bytes += order;
    n -= order;
    *out = (rk_prose){.kind = kind_of(name, bytes, n), .text = bytes, .n = n, .origin = bytes, .n_origin = n};
    if (code == RK_OK && n > (out->kind == RK_PROSE_TEXT ? RK_AUDIT_BYTES_MAX : RK_PROSE_BYTES_MAX))
        code = fail_large(name, err);
    if (code == RK_OK && out->kind != RK_PROSE_TEXT)
        code = read_draft(a, name, bytes, n, out, err);
    if (code == RK_OK && out->kind == RK_PROSE_TEXT)
        code = read_pages(l, a, out, err);
    if (code == RK_OK && out->kind == RK_PROSE_TEXT)
        code = read_raw(a, out, err);
    if (code == RK_OK)
        find_lines(a, out);
    return code == RK_OK ? read_marks(a, out, err) : code;
}
