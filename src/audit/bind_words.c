/* SPDX-License-Identifier: MIT */
/* The words around a figure: what it is of, and how it is counted. */
#include "audit/bind_parts.h"

#include <string.h>

enum {
    AFTER_MAX = 100, /* bytes behind a figure that may still speak of it */
    BEFORE_MAX = 300,
    LINES_NEAR = 8, /* before a figure whose words say of what kind it is, and as many again that may do */
    LINES_BEFORE = 12
};

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Whether a text in small letters has one of some phrases, at the begin of a word. */
static bool has_phrase(const char *text, const char *const *phrase, size_t n)
{
    for (size_t i = 0; i < n && phrase[i]; i++) {
        const char *at = text;

        while ((at = strstr(at, phrase[i])) != NULL) {
            char end = at[strlen(phrase[i])];

            if ((at == text || !rk_bind_is_letter(at[-1])) && (!rk_bind_is_letter(end) || end == 's'))
                return true;
            at++;
        }
    }
    return false;
}

/* ---- where the words stand --------------------------------------------------------------------------------------- */

static uint32_t begin_of(const rk_binder *b, size_t token)
{
    return b->a->lexed.token.at[token].at;
}

static uint32_t end_of(const rk_binder *b, size_t token)
{
    return b->a->lexed.token.at[token - 1].at + b->a->lexed.token.at[token - 1].n;
}

static const rk_piece *piece_of(const rk_binder *b, const rk_figure *f)
{
    return &b->a->scan.piece.at[f->chain->piece];
}

static uint32_t chain_begin(const rk_binder *b, const rk_chain *c)
{
    return begin_of(b, b->a->chains.side.at[c->first].from);
}

static uint32_t chain_end(const rk_binder *b, const rk_chain *c)
{
    return end_of(b, b->a->chains.side.at[c->first + c->n - 1].to);
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

    for (; at > 0 && piece[at - 1].table == p->table; at--) {
        const rk_piece *c = &piece[at - 1];

        if (c->row == p->row && c->column == 0)
            row = rk_audit_plain(b->a, c->from, c->to);
        if (c->row == 0 && c->column == p->column)
            column = rk_audit_plain(b->a, c->from, c->to);
    }
    return rk_arena_format(&b->arena, "%s, %s", row, column);
}

static bool has_letters(const char *text)
{
    size_t n = 0;

    for (; *text && n < 3; text++)
        n = rk_bind_is_letter(*text) && !(*text >= '0' && *text <= '9') ? n + 1 : 0;
    return n >= 3;
}

/* Words of a line without any are those of the figure before it: "= 8.51 GB". */
static const char *words_before(rk_binder *b, size_t i)
{
    rk_figure *f = &b->figure.at[i];
    const char *before;

    if (piece_of(b, f)->kind == RK_PIECE_CELL)
        return cell_words(b, f);
    before = rk_audit_plain(b->a, words_from(b, i, true), chain_begin(b, f->chain));
    if (!has_letters(before) && i > 0 && b->figure.at[i - 1].chain->piece == f->chain->piece)
        before = b->figure.at[i - 1].words;
    return before;
}

static const char *words_after(rk_binder *b, size_t i)
{
    const rk_figure *f = &b->figure.at[i];

    if (piece_of(b, f)->kind == RK_PIECE_CELL)
        return "";
    return rk_audit_plain(b->a, chain_end(b, f->chain), words_to(b, i));
}

/* ---- what is said ------------------------------------------------------------------------------------------------ */

enum {
    PHRASES = 40
};

static const struct {
    unsigned said;
    const char *phrase[PHRASES];
} sayings[] = {
    {RK_SAID_ONE,
     {"per block", "per layer", "each block", "each layer", "one block", "one layer", "single block", "single layer",
      "a block", "a layer", "every block", "every layer", "the block", "block's", "per transformer block",
      "each transformer block", "per transformer layer", "each transformer layer"}},
    {RK_SAID_ALL, {"blocks", "layers", "across", "all l"}},
    {RK_SAID_BACKWARD, {"backward", "backprop", "gradient", "training", "train", "a step", "per step", "steps"}},
    {RK_SAID_TOTAL,
     {"total", "totaling", "totalling", "sum", "overall", "altogether", "whole", "entire", "full model", "grand total",
      "in all"}},
    {RK_SAID_HEAD, {"per head", "each head", "one head", "single head", "per-head", "every head", "a head"}},
    {RK_SAID_TOKEN, {"per token", "each token", "one token", "single token", "a token", "every token", "per-token"}},
    {RK_SAID_SEQUENCE, {"per sequence", "each sequence", "one sequence"}},
    {RK_SAID_MACS, {"mac", "multiply-add", "multiply-accumulate", "multiply-adds", "gmac", "tmac"}},
    {RK_SAID_WITHOUT,
     {"without", "excluding", "excludes", "exclude", "non-embedding", "non", "only", "ignoring", "minus", "except",
      "not counting", "omitting", "besides", "alone"}},
    {RK_SAID_DOUBT,
     {"if",      "otherwise", "assuming", "instead",    "at least", "up to",      "more than", "less than",
      "over",    "extra",     "saves",    "difference", "o.w",      "e.g",        "example",   "between",
      "typical", "typically", "increase", "reduction",  "saved",    "suppose",    "fewer",     "additional",
      "double",  "correct",   "mistake",  "element",    "second",   "throughput", "peak",      "entry",
      "entries", "not",       "isn't",    "aren't",     "rather",   "would"}},
};

static unsigned said_in(rk_binder *b, const char *text)
{
    const char *at = rk_bind_lower(b, text);
    unsigned said = 0;

    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++)
        if (has_phrase(at, sayings[i].phrase, PHRASES))
            said |= sayings[i].said;
    return said;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

static unsigned kinds_in(const char *text)
{
    static const char *const params[] = {"parameter", "parameters", "params", "param", "trainable"};
    static const char *const flops[] = {"flop",    "flops",      "gflops", "tflops",     "gflop", "tflop", "matmul",
                                        "matmuls", "operations", "ops",    "multiplies", "macs",  "mac"};
    static const char *const bytes[] = {"memory", "bytes", "gb", "gib", "footprint"};
    static const char *const numbers[] = {"activations", "activation", "elements", "cache"};

    return (rk_bind_has_word(text, params, sizeof params / sizeof *params) ? RK_INDEX_IS(PARAMS) : 0) |
           (rk_bind_has_word(text, flops, sizeof flops / sizeof *flops) ? RK_INDEX_OPERATIONS : 0) |
           (rk_bind_has_word(text, bytes, sizeof bytes / sizeof *bytes) ? RK_INDEX_IS(BYTES) : 0) |
           (rk_bind_has_word(text, numbers, sizeof numbers / sizeof *numbers) ? RK_INDEX_IS(NUMBERS) : 0);
}

static unsigned kinds_of_unit(const rk_side *s)
{
    switch (s->unit ? s->unit->kind : RK_WORD_UNIT_NONE) {
    case RK_WORD_UNIT_BYTES:
        return RK_INDEX_IS(BYTES);
    case RK_WORD_UNIT_FLOPS:
        return RK_INDEX_OPERATIONS;
    case RK_WORD_UNIT_SHARE:
        return RK_INDEX_IS(SHARE);
    default:
        return 0;
    }
}

/* The last kind that the text has spoken of before a figure. */
static unsigned kinds_before(rk_binder *b, size_t i, bool *near)
{
    const rk_figure *f = &b->figure.at[i];
    uint32_t to = chain_begin(b, f->chain), from = to;
    unsigned kinds = 0;

    for (int tries = 0; tries < LINES_BEFORE && from > 0 && !kinds; tries++) {
        to = from;
        while (from > 0 && b->a->scan.text[from - 1] == '\n')
            from--;
        while (from > 0 && b->a->scan.text[from - 1] != '\n')
            from--;
        kinds = kinds_in(rk_arena_copy(&b->arena, b->a->scan.text + from, to - from));
        *near = kinds && tries < LINES_NEAR;
    }
    return kinds;
}

/* The unit of a figure, or of another side of its chain. */
static unsigned kinds_of_chain(rk_binder *b, const rk_figure *f)
{
    unsigned kinds = kinds_of_unit(f->side);

    for (size_t i = 0; i < f->chain->n && !kinds; i++)
        kinds = kinds_of_unit(&b->a->chains.side.at[f->chain->first + i]) & RK_INDEX_OPERATIONS;
    return kinds ? kinds : kinds_in(rk_audit_plain(b->a, chain_begin(b, f->chain), chain_end(b, f->chain)));
}

static void find_kinds(rk_binder *b, size_t i, const rk_context *c)
{
    rk_figure *f = &b->figure.at[i];
    unsigned kinds = kinds_of_chain(b, f);

    kinds = kinds ? kinds : kinds_in(f->words);
    for (size_t k = 0; k < c->n_heading && !kinds; k++)
        kinds = kinds_in(c->heading[k]);
    f->kind_said = kinds != 0;
    kinds = kinds ? kinds : kinds_before(b, i, &f->kind_said);
    f->query.kinds = kinds ? kinds : RK_INDEX_COUNTS & ~RK_INDEX_IS(SIZE);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* How well words name a part of the model; 0: none. */
static int names_part(rk_binder *b, const rk_figure *f, const char *names)
{
    rk_arena_mark here = rk_arena_here(&b->arena);
    rk_wordeds found = {0};
    int points = 0;

    if (*names && rk_index_words(f->at->index, &b->arena, names, RK_INDEX_COUNTS, &found, NULL) == RK_OK)
        points = found.at.n > 0 && found.at.at[0].entry->path[0] ? found.at.at[0].score : 0;
    rk_arena_rewind(&b->arena, here);
    return points;
}

/* "FFN:", "the attention of one layer": a name, and no words that could make it something else. */
static bool is_label(const char *names)
{
    static const char *const silent[] = {"the",   "of",    "a",      "an",     "per",    "one",        "each",
                                         "block", "layer", "layers", "blocks", "total",  "takes",      "take",
                                         "and",   "flops", "for",    "all",    "tokens", "projection", "its",
                                         "has",   "have",  "feed",   "is",     "in",     "forward"};
    const size_t n_silent = sizeof silent / sizeof *silent;
    size_t n = 0;

    while (*names) {
        size_t length = 0, i = 0;

        while (rk_bind_is_letter(names[length]))
            length++;
        while (length > 0 && i < n_silent && !rk_bind_is_word(names, length, silent[i]))
            i++;
        n += length > 0 && i == n_silent && !strchr("0123456789", names[0]);
        names += length ? length : 1;
    }
    return n == 1;
}

/* "… parameters in the token embedding": up to where the next thing begins. */
static const char *clause_words(rk_binder *b, const char *after)
{
    const char *and = strstr(after, " and ");
    size_t n = strcspn(after, ",;");

    n = and&&(size_t)(and-after) < n ? (size_t)(and-after) : n;
    after = rk_arena_copy(&b->arena, after, n);
    return after ? rk_bind_names(b, after) : "";
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

static void add_names(rk_binder *b, rk_figure *f, const char *text)
{
    f->names = rk_arena_format(&b->arena, "%s, %s", f->names, rk_bind_names(b, text));
    b->arena.failed |= !f->names;
    f->names = f->names ? f->names : "";
}

/*
 * The words before it; where they name nothing, those behind it, then those of the title of its list and of headings,
 * the nearest first.  Where none does, "per block" speaks of the block.
 */
static void find_names(rk_binder *b, size_t i, const char *before, const char *after, const rk_context *c)
{
    rk_figure *f = &b->figure.at[i];

    f->names = rk_bind_names(b, before);
    f->label = is_label(f->names) && names_part(b, f, f->names) && !names_part(b, f, clause_words(b, after));
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
    f->around = f->around ? rk_bind_names(b, f->around) : "";
    f->named = names_part(b, f, f->names);
}

/* Of one layer or of all: the nearest words that say so. */
static void find_said(rk_binder *b, rk_figure *f, const rk_context *c)
{
    const unsigned scopes = RK_SAID_ONE | RK_SAID_ALL | RK_SAID_TOTAL, own = RK_SAID_DOUBT | RK_SAID_WITHOUT | scopes;

    f->said = said_in(b, f->words);
    for (size_t k = 0; k < c->n_heading; k++) {
        unsigned said = said_in(b, c->heading[k]);

        f->said |= said & ~own;
        if (!(f->said & (RK_SAID_ONE | RK_SAID_ALL)))
            f->said |= said & (RK_SAID_ONE | RK_SAID_ALL);
    }
}

void rk_bind_words(rk_binder *b, size_t i)
{
    rk_figure *f = &b->figure.at[i];
    const char *before = words_before(b, i), *after = words_after(b, i);
    rk_context c;

    f->words = before ? rk_arena_format(&b->arena, "%s , %s", before, after) : NULL;
    if (!f->words || rk_audit_context(b->a, f->side, &c, b->err) != RK_OK) {
        b->code = rk_fail_memory(b->err);
        f->words = f->names = f->around = "";
        return;
    }
    find_kinds(b, i, &c);
    find_said(b, f, &c);
    find_names(b, i, before, after, &c);
}
