/* SPDX-License-Identifier: MIT */
/* The words around a figure: what it is of, and how it is counted. */
#include "audit/bind_parts.h"

#include "audit/given.h"
#include "base/map.h"

#include <string.h>

enum {
    AFTER_MAX = 100, /* bytes after a figure that may still speak of it */
    BEFORE_MAX = 300,
    LINES_NEAR = 8, /* before a figure whose words say of what kind it is, and as many again that may do */
    LINES_BEFORE = 12,
    LINE_MAX = 2000, /* bytes of one of them that are looked at */
    LIST_MAX = 48,   /* the same with items of lists and rows of tables, which have one title for all */
    CELLS_MAX = 4096 /* before a cell, in which the head of its column is looked for */
};

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Letters of one script: "O：约" is an O and something else. */
static size_t word_length(const char *text)
{
    bool ascii = (unsigned char)text[0] < 0x80;
    size_t n = 0;

    while (rk_lexicon_is_letter(text[n]) && ((unsigned char)text[n] < 0x80) == ascii)
        n++;
    return n;
}

unsigned rk_bind_has(const rk_binder *b, rk_words use, const char *text)
{
    return text ? rk_lexicon_in(b->a->lexicon, use, text, strlen(text)) : 0;
}

/* A text in small letters. */
static const char *lower(rk_binder *b, const char *text)
{
    char *copy = rk_arena_text(&b->arena, text);

    for (char *c = copy; c && *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c | 0x20) : *c;
    return copy ? copy : "";
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* "dot product of query and key" is neither; nor is a value that is weighted. */
static bool is_dropped(const rk_lexicon *l, const char *word, size_t n, bool product, bool weighing)
{
    const rk_lexeme *w = rk_lexicon_is(l, RK_WORDS_DROPPED, word, n);
    bool dropped[RK_N_DROPPED] = {
        [RK_DROPPED_SIDE] = product && !weighing, [RK_DROPPED_LETTER] = product, [RK_DROPPED_WEIGHTED] = weighing};

    return (n == 1 && !strchr("qkvo", word[0])) || (w && dropped[w->id]);
}

/* The bytes of "16k context" and "1,024 context", which is a length and names no product; or 0. */
static size_t length_said(const char *at)
{
    static const char word[] = "context";
    const char *s = at + strspn(at, "0123456789,");

    if (s == at)
        return 0;
    s += *s == 'k';
    s += *s == ' ' || *s == '-';
    return strncmp(s, word, sizeof word - 1) == 0 && !rk_lexicon_is_letter(s[sizeof word - 1])
               ? (size_t)(s - at) + sizeof word - 1
               : 0;
}

/* The words of a text that may name parts, in small letters. */
static const char *names_in(rk_binder *b, const char *text)
{
    const rk_lexicon *l = b->a->lexicon;
    const char *at = lower(b, text), *end = at + strlen(at);
    bool product = rk_bind_has(b, RK_WORDS_PRODUCT, at), weighing;
    rk_str s = {0}, out = {0};

    while (*at) {
        const rk_lexeme *phrase = rk_lexicon_begins(l, RK_WORDS_PHRASE, at, (size_t)(end - at));

        size_t length = length_said(at);

        if (phrase)
            rk_str_format(&s, " %s ", phrase->value);
        else if (length == 0)
            rk_str_putc(&s, *at);
        at += phrase ? phrase->n : length ? length : 1;
    }
    rk_str_put(&s, product ? " scores" : "");
    weighing = strstr(rk_str_text(&s), " context ") != NULL;
    for (at = rk_str_text(&s); *at;) {
        size_t n = word_length(at);

        if (n > 0 && !is_dropped(l, at, n, product, weighing)) {
            rk_str_putn(&out, at, n);
            rk_str_putc(&out, ' ');
        } else if (n == 0 && *at != ' ' && *at != '-') {
            rk_str_put(&out, ", ");
        }
        at += n ? n : 1;
    }
    rk_str_free(&s);
    b->arena.failed |= out.failed;
    text = rk_arena_text(&b->arena, rk_str_text(&out));
    rk_str_free(&out);
    return text ? text : "";
}

/* ---- where the words stand --------------------------------------------------------------------------------------- */

static const rk_piece *piece_of(const rk_binder *b, const rk_figure *f)
{
    return &b->a->scan.piece.at[f->chain->piece];
}

static uint32_t chain_begin(const rk_binder *b, const rk_chain *c)
{
    return b->a->lexed.token.at[b->a->chains.side.at[c->first].from].at;
}

static uint32_t chain_end(const rk_binder *b, const rk_chain *c)
{
    const rk_audit_token *last = &b->a->lexed.token.at[b->a->chains.side.at[c->first + c->n - 1].to - 1];

    return last->at + last->n;
}

/* The begin of the sentence, or, for what is its own, the end of the figure before. */
static uint32_t words_from(rk_binder *b, size_t i, bool own)
{
    const rk_figure *f = &b->figure.at[i];
    const char *text = b->a->scan.text;
    uint32_t at = chain_begin(b, f->chain), least = piece_of(b, f)->from;

    if (own && i > 0 && b->figure.at[i - 1].chain->piece == f->chain->piece)
        least = chain_end(b, b->figure.at[i - 1].chain);
    if (at > BEFORE_MAX && at - BEFORE_MAX > least)
        least = at - BEFORE_MAX;
    while (at > least &&
           !(at >= least + 3 && text[at - 2] == '.' && text[at - 3] != '.' && strchr(" \n", text[at - 1])))
        at--;
    return at;
}

/* The end of a line that is not just where a long sentence was broken. */
static bool ends_line(const rk_binder *b, uint32_t at)
{
    enum {
        WRAPPED = 60
    };
    const char *text = b->a->scan.text;

    if (text[at] != '\n')
        return false;
    return !(text[at + 1] >= 'a' && text[at + 1] <= 'z') ||
           at - b->a->scan.line.at[rk_scan_line(&b->a->scan, at) - 1] < WRAPPED;
}

static uint32_t words_to(rk_binder *b, size_t i)
{
    const rk_figure *f = &b->figure.at[i];
    const char *text = b->a->scan.text;
    uint32_t at = chain_end(b, f->chain), most = piece_of(b, f)->to;

    if (i + 1 < b->figure.n && b->figure.at[i + 1].chain->piece == f->chain->piece)
        most = chain_begin(b, b->figure.at[i + 1].chain);
    if (most > at + AFTER_MAX)
        most = at + AFTER_MAX;
    while (at < most && !ends_line(b, at) && text[at] != ';' &&
           !(text[at] == '.' && at + 1 < most && text[at + 1] == ' '))
        at++;
    return at;
}

/* A cell is named by the first one of its row and the first one of its column. */
static const char *cell_words(rk_binder *b, const rk_figure *f)
{
    const rk_piece *piece = b->a->scan.piece.at, *p = piece_of(b, f);
    size_t at = f->chain->piece;
    const char *row = "", *column = "";

    for (size_t left = CELLS_MAX; at > 0 && left > 0 && piece[at - 1].table == p->table; at--, left--) {
        const rk_piece *c = &piece[at - 1];

        if (c->row == p->row && c->column == 0)
            row = rk_audit_plain(b->a, c->from, c->to);
        if (c->row == 0 && c->column == p->column)
            column = rk_audit_plain(b->a, c->from, c->to);
    }
    if (rk_lexicon_is(b->a->lexicon, RK_WORDS_PLAIN_HEAD, column, word_length(column)))
        column = "";
    return rk_arena_format(&b->arena, "%s, %s", row, column);
}

/*
 * What a line says before a figure, after the number before it: "Number of FFN flops 3.02" is of the FFN, whatever
 * letters the text has for it.  Of a cell, all that names it.
 */
static const char *words_of_line(rk_binder *b, size_t i)
{
    const rk_figure *f = &b->figure.at[i];
    const rk_piece *p = piece_of(b, f);
    uint32_t to = chain_begin(b, f->chain), from, end;

    rk_scan_line_range(&b->a->scan, rk_scan_line(&b->a->scan, to), &from, &end);
    from = from < p->from ? p->from : from;
    while (i > 0 && b->figure.at[i - 1].formula)
        i--;
    if (i > 0 && chain_end(b, b->figure.at[i - 1].chain) > from)
        from = chain_end(b, b->figure.at[i - 1].chain);
    return from < to ? rk_audit_plain(b->a, from, to) : "";
}

/* The words before a figure; those of a line without any are those of the figure before it: "= 8.51 GB". */
static const char *words_before(rk_binder *b, size_t i)
{
    const rk_figure *f = &b->figure.at[i];
    const char *before;
    size_t letters = 0;

    if (piece_of(b, f)->kind == RK_PIECE_CELL)
        return cell_words(b, f);
    before = rk_audit_plain(b->a, words_from(b, i, true), chain_begin(b, f->chain));
    for (const char *c = before; *c && letters < 3; c++)
        letters = rk_lexicon_is_letter(*c) && !(*c >= '0' && *c <= '9') ? letters + 1 : 0;
    if (letters == 3 || i == 0 || f[-1].chain->piece != f->chain->piece)
        return before;
    /* Those of a long row of figures, each after the other, would grow without end. */
    return rk_arena_copy(&b->arena, f[-1].words, strnlen(f[-1].words, BEFORE_MAX));
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

static unsigned kinds_in(const rk_binder *b, const char *text)
{
    unsigned kinds = rk_bind_has(b, RK_WORDS_KIND, text);

    return kinds & RK_INDEX_OPERATIONS ? kinds | RK_INDEX_OPERATIONS : kinds;
}

/* The last kind that the text has spoken of before a figure. */
static unsigned kinds_before(rk_binder *b, size_t i, bool *near)
{
    const rk_figure *f = &b->figure.at[i];
    uint32_t to = chain_begin(b, f->chain), from = to;
    unsigned kinds = 0;

    for (int tries = 0, all = 0; tries < LINES_BEFORE && all < LIST_MAX && from > 0 && !kinds; all++) {
        to = from;
        while (from > 0 && b->a->scan.text[from - 1] == '\n')
            from--;
        while (from > 0 && b->a->scan.text[from - 1] != '\n' && to - from < LINE_MAX)
            from--;
        tries += !strchr("-*|", b->a->scan.text[from + strspn(b->a->scan.text + from, " \t")]);
        kinds = kinds_in(b, rk_arena_copy(&b->arena, b->a->scan.text + from, to - from));
        *near = kinds && tries <= LINES_NEAR;
        if (to - from == LINE_MAX)
            break;
    }
    return kinds;
}

/* A share is one of FLOPs or of parameters, by its own words, those of headings, or the last that were said. */
static void find_share_of(rk_binder *b, size_t i, const rk_context *c)
{
    rk_figure *f = &b->figure.at[i];
    bool near;

    f->share_of = kinds_in(b, f->words);
    if (!f->share_of)
        f->share_of = kinds_before(b, i, &near);
    for (size_t k = 0; k < c->n_heading && !f->share_of; k++)
        f->share_of = kinds_in(b, c->heading[k]);
}

/* By its unit, or that of another side of its chain, by the words of the chain, its own words, or those of headings. */
static void find_kinds(rk_binder *b, size_t i, const rk_context *c)
{
    rk_figure *f = &b->figure.at[i];
    unsigned kinds = rk_given_kinds(f->side->unit);

    for (size_t k = 0; k < f->chain->n && !kinds; k++)
        kinds = rk_given_kinds(b->a->chains.side.at[f->chain->first + k].unit) & RK_INDEX_OPERATIONS;
    if (!kinds)
        kinds = kinds_in(b, rk_audit_plain(b->a, chain_begin(b, f->chain), chain_end(b, f->chain)));
    kinds = kinds ? kinds : kinds_in(b, f->words);
    for (size_t k = 0; k < c->n_heading && !kinds; k++)
        kinds = kinds_in(b, c->heading[k]);
    if (kinds == RK_INDEX_IS(SHARE))
        find_share_of(b, i, c);
    f->kind_said = kinds != 0;
    kinds = kinds ? kinds : kinds_before(b, i, &f->kind_said);
    f->query.kinds = kinds ? kinds : RK_INDEX_COUNTS & ~RK_INDEX_IS(SIZE);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* How well words name a part of the model; 0: none.  The same are asked for again and again, and most in a row. */
static int names_part(rk_binder *b, const rk_figure *f, const char *names)
{
    rk_names_asked *slot = &b->asked[rk_hash(names, strlen(names), 0) % RK_BIND_ASKED];
    rk_arena_mark here;
    rk_wordeds found = {0};

    if (*names == '\0')
        return 0;
    if (slot->names && slot->index == f->at->index && strcmp(slot->names, names) == 0)
        return slot->points;
    *slot = (rk_names_asked){rk_arena_text(&b->arena, names), f->at->index, 0};
    here = rk_arena_here(&b->arena);
    if (rk_index_words(f->at->index, &b->arena, names, RK_INDEX_COUNTS, &found, NULL) == RK_OK)
        slot->points = found.at.n > 0 && found.at.at[0].entry->path[0] ? found.at.at[0].score : 0;
    rk_arena_rewind(&b->arena, here);
    return slot->points;
}

/* "FFN:", "the attention of one layer": a name, and no words that could make it something else. */
static bool is_label(const rk_lexicon *l, const char *names)
{
    size_t n = 0;

    while (*names) {
        size_t length = word_length(names);

        n += length > 0 && !rk_lexicon_is(l, RK_WORDS_LABEL, names, length) && !strchr("0123456789", names[0]);
        names += length ? length : 1;
    }
    return n == 1;
}

/* "… parameters in the token embedding": up to where the next thing begins. */
static const char *clause_words(rk_binder *b, const char *after)
{
    const char *next = strstr(after, " and ");
    size_t n = strcspn(after, ",;");

    n = next && (size_t)(next - after) < n ? (size_t)(next - after) : n;
    after = rk_arena_copy(&b->arena, after, n);
    return after ? names_in(b, after) : "";
}

/* "**Feed-forward:**" before a list: the line above the first item is its title. */
static const char *list_title(rk_binder *b, const rk_figure *f)
{
    enum {
        TITLE_MAX = 120
    };
    const rk_piece *piece = b->a->scan.piece.at;
    size_t at = f->chain->piece;

    if (piece[at].kind != RK_PIECE_ITEM)
        return "";
    while (at > 0 && piece[at].kind == RK_PIECE_ITEM)
        at--;
    if (piece[at].kind != RK_PIECE_TEXT || piece[at].to - piece[at].from > TITLE_MAX)
        return "";
    return rk_audit_plain(b->a, piece[at].from, piece[at].to);
}

const char *rk_bind_outline_names(rk_binder *b, const rk_figure *f)
{
    enum {
        ABOVE_MAX = 12,
        TITLE_MAX = 48
    };
    const rk_scan *s = &b->a->scan;
    uint32_t at = chain_begin(b, f->chain), from, to;
    size_t line = rk_scan_line(s, at);
    uint32_t deep = at - s->line.at[line - 1];

    rk_scan_line_range(s, line, &from, &to);
    if (from != at)
        return "";
    for (size_t i = 1; i <= ABOVE_MAX && i < line; i++) {
        rk_scan_line_range(s, line - i, &from, &to);
        if (from < to && from - s->line.at[line - i - 1] < deep)
            return to - from > TITLE_MAX ? "" : names_in(b, rk_audit_plain(b->a, from, to));
    }
    return "";
}

static void add_names(rk_binder *b, rk_figure *f, const char *text)
{
    f->names = rk_arena_format(&b->arena, "%s, %s", f->names, names_in(b, text));
    b->arena.failed |= !f->names;
    f->names = f->names ? f->names : "";
}

/*
 * The words before it; where they name nothing, those after it, then those of the title of its list and of headings,
 * the nearest first.  Where none does, "per block" speaks of the block.
 */
static void find_names(rk_binder *b, size_t i, const char *before, const char *after, const rk_context *c)
{
    rk_figure *f = &b->figure.at[i];

    f->names = names_in(b, before);
    f->own = piece_of(b, f)->kind == RK_PIECE_CELL ? f->names : names_in(b, words_of_line(b, i));
    f->label =
        is_label(b->a->lexicon, f->names) && names_part(b, f, f->names) && !names_part(b, f, clause_words(b, after));
    if (!names_part(b, f, f->names))
        add_names(b, f, after);
    f->named_here = names_part(b, f, f->names) > 0;
    if (!f->named_here)
        add_names(b, f, list_title(b, f));
    for (size_t k = 0; k < c->n_heading && !names_part(b, f, f->names); k++)
        add_names(b, f, c->heading[k]);
    if (!names_part(b, f, f->names) && (f->said & (RK_SAID_ONE | RK_SAID_ALL))) {
        add_names(b, f, f->said & RK_SAID_ONE ? "block" : "blocks");
        f->named_here = true;
    }
    f->around = rk_arena_format(&b->arena, "%s, %s",
                                rk_audit_plain(b->a, words_from(b, i, false), chain_begin(b, f->chain)), after);
    f->around = f->around ? names_in(b, f->around) : "";
    f->named = names_part(b, f, f->names);
}

void rk_bind_words(rk_binder *b, size_t i)
{
    const unsigned scopes = RK_SAID_ONE | RK_SAID_ALL, own = RK_SAID_DOUBT | RK_SAID_WITHOUT | RK_SAID_TOTAL | scopes;
    rk_figure *f = &b->figure.at[i];
    bool is_cell = piece_of(b, f)->kind == RK_PIECE_CELL;
    const char *before = words_before(b, i);
    const char *after = is_cell ? "" : rk_audit_plain(b->a, chain_end(b, f->chain), words_to(b, i));
    rk_context c;

    f->words = before ? rk_arena_format(&b->arena, "%s , %s", before, after) : NULL;
    if (!f->words || rk_audit_context(b->a, f->side, &c, b->err) != RK_OK) {
        b->code = rk_fail_memory(b->err);
        f->words = f->names = f->own = f->around = "";
        return;
    }
    find_kinds(b, i, &c);
    f->said = rk_bind_has(b, RK_WORDS_SAID, f->words);
    for (size_t k = 0; k < c.n_heading; k++) {
        unsigned said = rk_bind_has(b, RK_WORDS_SAID, c.heading[k]);

        f->said |= said & ~own;
        if (!(f->said & scopes)) /* of one layer or of all: the nearest words that say so */
            f->said |= said & scopes;
    }
    find_names(b, i, before, after, &c);
}
