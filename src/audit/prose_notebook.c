/* SPDX-License-Identifier: MIT */
/* A Jupyter notebook as a text: its cells in their order, of versions 3 and 4 of the format. */
#include "audit/prose.h"

#include "read/jscan.h"

#include <string.h>

typedef struct reading {
    rk_prose_draft *draft;
    rk_jscan json;
    size_t n_cell;
    rk_str source, output, best; /* of the cell that is read; best: of one output, its form that people would read */
    int rank;                    /* of that form; 0: none */
    enum {
        OTHER,
        MARKDOWN,
        CODE
    } kind;
    size_t level; /* of a heading, as version 3 has them */
    bool found;   /* cells */
} reading;

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* Text without the sequences that a terminal obeys. */
static void put_plain(rk_str *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\x1b' && i + 1 < n && text[i + 1] == '[')
            for (i += 2; i < n && !((text[i] >= 'A' && text[i] <= 'Z') || (text[i] >= 'a' && text[i] <= 'z'));)
                i++;
        else if (text[i] != '\r')
            rk_str_putc(out, text[i]);
    }
}

/* A string, or a list of strings, which are lines or parts of lines; anything else is passed over. */
static bool read_text(reading *r, rk_str *out)
{
    rk_jscan *j = &r->json;
    rk_jtext t;
    char c = rk_jscan_next(j);

    if (c == '[') {
        for (rk_jscan_enter(j, '['); rk_jscan_more(j, ']');) {
            if (rk_jscan_next(j) != '"')
                rk_jscan_skip(j, &t);
            else if (rk_jscan_text(j, &t))
                put_plain(out, t.text, t.n);
        }
        return j->code == RK_OK;
    }
    if (c != '"')
        return rk_jscan_skip(j, &t);
    if (rk_jscan_text(j, &t))
        put_plain(out, t.text, t.n);
    return j->code == RK_OK;
}

/* ---- outputs ---------------------------------------------------------------------------------------------------- */

/* One of several forms of the same: the one that says most to a reader of text stays. */
static bool read_form(reading *r, const rk_jtext *key)
{
    static const char *const form[] = {"text/plain", "text/latex", "text/markdown"};
    rk_jtext skipped;

    for (int i = 0; i < (int)(sizeof form / sizeof *form); i++)
        if (rk_jtext_is(key, form[i]) && i + 1 > r->rank) {
            r->rank = i + 1;
            rk_str_reset(&r->best);
            return read_text(r, &r->best);
        }
    return rk_jscan_skip(&r->json, &skipped);
}

static bool read_output(reading *r)
{
    rk_jscan *j = &r->json;
    rk_jtext key, skipped;

    r->rank = 0;
    rk_str_reset(&r->best);
    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key);) {
        if (rk_jtext_is(&key, "text") && r->rank == 0) {
            r->rank = 1;
            read_text(r, &r->best);
        } else if (rk_jtext_is(&key, "data") && rk_jscan_next(j) == '{') {
            for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key);)
                read_form(r, &key);
        } else {
            rk_jscan_skip(j, &skipped);
        }
    }
    if (r->best.n > 0)
        rk_str_putn(&r->output, r->best.text, r->best.n);
    if (r->best.n > 0 && r->best.text[r->best.n - 1] != '\n')
        rk_str_putc(&r->output, '\n');
    r->output.failed |= r->best.failed;
    return j->code == RK_OK;
}

static bool read_outputs(reading *r)
{
    rk_jscan *j = &r->json;
    rk_jtext skipped;

    if (rk_jscan_next(j) != '[')
        return rk_jscan_skip(j, &skipped);
    for (rk_jscan_enter(j, '['); rk_jscan_more(j, ']');) {
        if (rk_jscan_next(j) == '{')
            read_output(r);
        else
            rk_jscan_skip(j, &skipped);
    }
    return j->code == RK_OK;
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

/* Whether a program does nothing: all its lines are remarks, in which people write what they have worked out. */
static bool is_remark(const rk_str *lines)
{
    bool remarks = false;

    for (size_t i = 0; i < lines->n; i += strcspn(lines->text + i, "\n") + 1) {
        char first = lines->text[i + strspn(lines->text + i, " \t")];

        if (first != '#' && first != '\n' && first != '\0')
            return false;
        remarks |= first == '#';
    }
    return remarks;
}

/* The lines without what makes them remarks. */
static void put_remarks(rk_prose_draft *d, const char *text, size_t n, size_t origin)
{
    for (size_t i = 0, next; i < n; i = next) {
        size_t from = i + strspn(text + i, " \t");

        next = i + strcspn(text + i, "\n") + 1;
        if (text[from] == '#')
            from += strspn(text + from, "#! ");
        rk_prose_put(d, text + from, next - from, origin + from);
    }
}

/* Lines of a cell, between two lines that are no part of it. */
static void put_part(reading *r, const char *before, const rk_str *lines, bool output, const char *after)
{
    bool remark = r->kind == CODE && !output && is_remark(lines);
    rk_prose_draft *d = r->draft;
    rk_prose_cell *cell;
    size_t from = d->origin.n;

    if (lines->n == 0 || d->full)
        return;
    cell = RK_PUSH(d->arena, &d->out->cell);
    if (cell)
        *cell = (rk_prose_cell){(uint32_t)from, r->n_cell, output};
    rk_str_putn(&d->origin, lines->text, lines->n);
    rk_str_put(&d->origin, lines->text[lines->n - 1] == '\n' ? "" : "\n");
    rk_prose_put_other(d, remark ? "" : before, from);
    if (remark && d->origin.text)
        put_remarks(d, d->origin.text + from, d->origin.n - from, from);
    else
        rk_prose_put(d, d->origin.text ? d->origin.text + from : "", d->origin.n - from, from);
    rk_prose_put_other(d, remark ? "\n" : after, d->origin.n - 1);
    d->text.failed |= lines->failed;
}

static void put_cell(reading *r)
{
    static const char *const heading[] = {"", "# ", "## ", "### ", "#### ", "##### ", "###### "};

    if (r->kind == MARKDOWN)
        put_part(r, heading[r->level <= 6 ? r->level : 6], &r->source, false, "\n");
    else if (r->kind == CODE)
        put_part(r, "~~~python\n", &r->source, false, "~~~\n\n");
    put_part(r, "~~~text\n", &r->output, true, "~~~\n\n");
}

static void read_kind(reading *r)
{
    rk_jtext t;

    if (rk_jscan_next(&r->json) != '"') {
        rk_jscan_skip(&r->json, &t);
    } else if (rk_jscan_text(&r->json, &t)) {
        bool heading = rk_jtext_is(&t, "heading");

        r->kind = heading || rk_jtext_is(&t, "markdown") ? MARKDOWN : rk_jtext_is(&t, "code") ? CODE : OTHER;
        r->level = heading && r->level == 0 ? 1 : r->level;
    }
}

static bool read_cell(reading *r)
{
    rk_jscan *j = &r->json;
    uint64_t level;
    rk_jtext key, skipped;

    r->n_cell++;
    r->kind = OTHER;
    r->level = 0;
    rk_str_reset(&r->source);
    rk_str_reset(&r->output);
    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key);) {
        if (rk_jtext_is(&key, "cell_type"))
            read_kind(r);
        else if (rk_jtext_is(&key, "source") || rk_jtext_is(&key, "input"))
            read_text(r, &r->source);
        else if (rk_jtext_is(&key, "outputs"))
            read_outputs(r);
        else if (rk_jtext_is(&key, "level") && rk_jscan_whole(j, &level))
            r->level = level < 6 ? (size_t)level : 6;
        else
            rk_jscan_skip(j, &skipped);
    }
    if (j->code == RK_OK)
        put_cell(r);
    return j->code == RK_OK;
}

static bool read_cells(reading *r)
{
    rk_jscan *j = &r->json;
    rk_jtext skipped;

    if (rk_jscan_next(j) != '[')
        return rk_jscan_skip(j, &skipped);
    r->found = true;
    for (rk_jscan_enter(j, '['); rk_jscan_more(j, ']');) {
        if (rk_jscan_next(j) == '{')
            read_cell(r);
        else
            rk_jscan_skip(j, &skipped);
    }
    return j->code == RK_OK;
}

/* Version 3 has its cells in sheets. */
static bool read_sheets(reading *r)
{
    rk_jscan *j = &r->json;
    rk_jtext key, skipped;

    if (rk_jscan_next(j) != '[')
        return rk_jscan_skip(j, &skipped);
    for (rk_jscan_enter(j, '['); rk_jscan_more(j, ']');) {
        if (rk_jscan_next(j) != '{') {
            rk_jscan_skip(j, &skipped);
            continue;
        }
        for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key);) {
            if (rk_jtext_is(&key, "cells"))
                read_cells(r);
            else
                rk_jscan_skip(j, &skipped);
        }
    }
    return j->code == RK_OK;
}

/* "\\u0000" as a space: courses ask what chr(0) is, and notebooks hold the answer. */
static void drop_zeros(char *bytes, size_t n)
{
    for (size_t i = 0; i + 6 <= n; i++)
        if (bytes[i] == '\\' && memcmp(bytes + i, "\\u0000", 6) == 0)
            bytes[i + 4] = '2';
}

int rk_prose_read_notebook(rk_prose_draft *d, const char *name, char *bytes, size_t n, rk_err *err)
{
    rk_input in = rk_input_memory(name, bytes, n, n);
    reading r = {.draft = d, .json = {.in = &in, .text = bytes, .n = n, .err = err}};
    rk_jscan *j = &r.json;
    rk_jtext key, skipped;

    drop_zeros(bytes, n);
    for (rk_jscan_enter(j, '{'); rk_jscan_more(j, '}') && rk_jscan_key(j, &key);) {
        if (rk_jtext_is(&key, "cells"))
            read_cells(&r);
        else if (rk_jtext_is(&key, "worksheets"))
            read_sheets(&r);
        else
            rk_jscan_skip(j, &skipped);
    }
    rk_jscan_end(j);
    d->text.failed |= r.source.failed || r.output.failed;
    rk_str_free(&r.source);
    rk_str_free(&r.output);
    rk_str_free(&r.best);
    if (j->code == RK_OK && !r.found)
        return rk_fail(err, RK_EINPUT, "%s: a notebook has cells, and this has none", name);
    return j->code;
}
