/* SPDX-License-Identifier: MIT */
#include "audit/lexicon.h"

#include "audit/index.h"

#include <string.h>
#include <strings.h>

enum {
    WORD_BYTES_MAX = 64, /* of operations with their prefix; no other word is as long */
    POWER_MAX = 7        /* of 1,000, that prefixes have names for */
};

typedef enum capitals {
    WRITTEN,
    ANY,
    PHRASE
} capitals;

#define RK_VALUE_TEXT(P, ID, value) value " "
#define RK_KIND_TEXT(ID, word) word " "
static const struct {
    const char *use;
    capitals as;
    const char *values;
} uses[RK_N_WORDS] = {
#define USE(ID, use, as, values) {use, as, values},
    RK_WORDS(USE)
#undef USE
};

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const rk_word_unit *rk_lexicon_unit(const rk_lexicon *l, const char *word, size_t n)
{
    char small[WORD_BYTES_MAX];
    uint32_t at = rk_map_get(&l->units, word, n);

    if (at == RK_NONE && n <= sizeof small) {
        for (size_t i = 0; i < n; i++)
            small[i] = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] | 0x20) : word[i];
        at = rk_map_get(&l->operations, small, n);
    }
    return at == RK_NONE ? NULL : &l->unit.at[at];
}

size_t rk_lexicon_unit_length(const rk_lexicon *l, const char *text, size_t n)
{
    size_t longest = 0;

    for (size_t i = 0; i < l->unit.n; i++) {
        const char *word = l->unit.at[i].word;
        size_t length = strlen(word);

        if ((unsigned char)word[0] >= 0xE0 && length <= n && length > longest && memcmp(word, text, length) == 0)
            longest = length;
    }
    return longest;
}

bool rk_lexicon_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Whether text[0..n) begins with a word, whatever follows. */
static bool begins(const rk_lexeme *w, capitals as, const char *text, size_t n)
{
    if (w->n > n || ((w->word[0] ^ text[0]) & ~0x20))
        return false;
    return as == WRITTEN ? memcmp(w->word, text, w->n) == 0 : strncasecmp(w->word, text, w->n) == 0;
}

const rk_lexeme *rk_lexicon_begins(const rk_lexicon *l, rk_words use, const char *text, size_t n)
{
    const rk_lexeme *w = l->of[use].word.at, *end = w + l->of[use].word.n;

    if (!l->of[use].first[(unsigned char)text[0]])
        return NULL;
    while (w < end && !begins(w, uses[use].as, text, n))
        w++;
    return w < end ? w : NULL;
}

const rk_lexeme *rk_lexicon_is(const rk_lexicon *l, rk_words use, const char *word, size_t n)
{
    const rk_lexeme *end = l->of[use].word.at + l->of[use].word.n;

    if (!l->of[use].first[(unsigned char)word[0]] && !l->of[use].inside)
        return NULL;
    for (const rk_lexeme *w = l->of[use].word.at; w < end; w++)
        for (size_t at = 0; at + w->n <= n && (at == 0 || w->inside_left); at++)
            if ((w->inside_right || at + w->n == n) && begins(w, uses[use].as, word + at, n - at))
                return w;
    return NULL;
}

/* Whether a word that stands at a place of a text is no part of a longer one there, or may be. */
static bool is_whole(const rk_lexeme *w, capitals as, const char *text, size_t at, size_t n)
{
    size_t end = at + w->n;

    return (w->inside_left || at == 0 || !rk_lexicon_is_letter(text[at - 1])) &&
           (w->inside_right || end == n || !rk_lexicon_is_letter(text[end]) || (as == PHRASE && text[end] == 's'));
}

unsigned rk_lexicon_in(const rk_lexicon *l, rk_words use, const char *text, size_t n)
{
    const rk_lexeme *first = l->of[use].word.at, *end = first + l->of[use].word.n;
    bool many = uses[use].values[0] != '\0';
    unsigned ids = 0;

    for (size_t at = 0; at < n && (many || !ids); at++) {
        if (!l->of[use].first[(unsigned char)text[at]] ||
            (at > 0 && rk_lexicon_is_letter(text[at - 1]) && !l->of[use].inside))
            continue;
        for (const rk_lexeme *w = first; w < end; w++)
            if (begins(w, uses[use].as, text + at, n - at) && is_whole(w, uses[use].as, text, at, n))
                ids |= 1u << w->id;
    }
    return ids;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

enum { /* cells of a row */
    USE,
    VALUE,
    WORDS,
    NOTE,
    N_CELL
};

typedef struct reading {
    rk_arena *a;
    rk_lexicon *out;
    const char *file;
    size_t line;
    rk_err *err;
    int code; /* sticky */
} reading;

static void wrong(reading *r, const char *what, const char *which)
{
    if (r->code == RK_OK)
        r->code = rk_fail(r->err, RK_EINPUT, "%s:%zu: %s: '%s'", r->file, r->line, what, which);
}

/* Whether memory was there; else that is the failure. */
static bool is_kept(reading *r, bool kept)
{
    if (!kept && r->code == RK_OK)
        r->code = rk_fail_memory(r->err);
    return kept;
}

/* Which word of a list with blanks between them; -1: none. */
static int place_in(const char *list, const char *word, size_t n)
{
    for (int i = 0; *list; i++) {
        size_t length = strcspn(list, " ");

        if (n == length && memcmp(list, word, n) == 0)
            return i;
        list += length;
        list += strspn(list, " ");
    }
    return -1;
}

static void add_word(reading *r, rk_words use, char *word, const char *value)
{
    const char *values = uses[use].values;
    bool any = strcmp(values, "…") == 0, none = strcmp(value, "-") == 0;
    size_t n = strlen(word), left = word[0] == '*', right = n > 1 && word[n - 1] == '*';
    rk_lexeme w = {.word = word + left, .n = n - left - right, .inside_left = left, .inside_right = right}, *kept;

    word[n - right] = '\0';
    w.value = none ? "" : value;
    w.line = r->line;
    w.id = any || (none && !values[0]) ? 0 : place_in(values, value, strlen(value));
    if (w.n == 0 || n == 0)
        wrong(r, "an empty word", word);
    if (w.id < 0)
        wrong(r, "no value of this use", value);
    /* How a size is written may mean several things: H heads, or the width of one. */
    for (size_t i = 0; i < r->out->of[use].word.n && use != RK_WORDS_LETTER && use != RK_WORDS_WEIGHT; i++)
        if (strcmp(r->out->of[use].word.at[i].word, w.word) == 0)
            wrong(r, "a word that this use has already", w.word);
    kept = RK_PUSH(r->a, &r->out->of[use].word);
    if (is_kept(r, kept != NULL))
        *kept = w;
    r->out->of[use].inside |= w.inside_left;
    r->out->of[use].first[(unsigned char)w.word[0] | 0x20] = r->out->of[use].first[(unsigned char)w.word[0] & ~0x20] =
        true;
}

static void read_row(reading *r, char *line)
{
    char *cell[N_CELL + 1] = {line};
    size_t n = 1, use = 0;

    /* Words go to terminals and into messages as they are: tabs alone may move anything there. */
    for (const unsigned char *c = (const unsigned char *)line; *c; c++)
        if ((*c < ' ' && *c != '\t') || *c == 0x7f)
            *line = '\0';
    while (n <= N_CELL && (cell[n] = strchr(cell[n - 1], '\t')) != NULL)
        *cell[n++]++ = '\0';
    if (n != N_CELL || cell[NOTE][0] == '\0') {
        wrong(r, "this is no row of use, value, words and note", line);
        return;
    }
    while (use < RK_N_WORDS && strcmp(uses[use].use, cell[USE]) != 0)
        use++;
    if (use == RK_N_WORDS)
        wrong(r, "nothing is used so", cell[USE]);
    for (char *word = cell[WORDS], *next; word && r->code == RK_OK; word = next) {
        next = strchr(word, '|');
        if (next)
            *next++ = '\0';
        add_word(r, (rk_words)use, word, cell[VALUE]);
    }
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* "-3", "0.015", up to a byte: by way of its digits, since a point depends on the user's locale. */
static bool read_number(const char *text, const char *end, double *out)
{
    bool minus = *text == '-', point = false;
    double n = 0, den = 1;

    for (*out = 0, text += minus; text < end; text++) {
        if ((*text < '0' || *text > '9') && (*text != '.' || point))
            return false;
        den *= point ? 10 : 1;
        point |= *text == '.';
        n = *text == '.' ? n : 10 * n + (*text - '0');
        *out = (minus ? -n : n) / den;
    }
    return end[-1] >= '0' && end[-1] <= '9';
}

/* "1000^3", "1024^3", "3600", "1/100", up to a byte. */
static void read_factor(reading *r, const char *text, const char *end, rk_word_unit *out)
{
    const char *sign = text + strcspn(text, "^/ ");
    bool power = *sign == '^';
    double first, second = 1;

    if (!read_number(text, sign, &first) || (sign < end && !read_number(sign + 1, end, &second)) || first < 1 ||
        second < 1 || first > INT32_MAX || second > (power ? POWER_MAX : INT32_MAX) ||
        (power && first != 1000 && first != 1024)) {
        wrong(r, "this is no factor", text);
        return;
    }
    out->binary = power && first == 1024;
    out->power = power ? (int)second : 0;
    out->num = power ? 0 : (int)first;
    out->den = power ? 0 : (int)second;
}

/* "1000^3 bytes", "2629800 time 0.02"; of a prefix, "1000^3". */
static void read_unit(reading *r, const rk_lexeme *w, rk_word_unit *out)
{
    static const rk_word_unit_kind kind[] = {RK_WORD_UNIT_FLOPS, RK_WORD_UNIT_SCALE, RK_WORD_UNIT_BYTES,
                                             RK_WORD_UNIT_SHARE, RK_WORD_UNIT_TIME,  RK_WORD_UNIT_SCALE};
    const char *end = w->value + strcspn(w->value, " "), *of = end + strspn(end, " ");
    const char *loosely = of + strcspn(of, " ");
    int i = *of ? place_in("flops scale bytes share time letter", of, (size_t)(loosely - of)) : 0;

    read_factor(r, w->value, end, out);
    if (i < 0 ||
        (*loosely && (!read_number(loosely + 1, w->value + strlen(w->value), &out->loosely) || out->loosely >= 1)))
        wrong(r, "this is no unit", w->value);
    out->word = w->word;
    out->kind = i < 0 ? RK_WORD_UNIT_NONE : kind[i];
    out->letter = i == 5;
}

/* Another word for the last unit. */
static void map_unit(reading *r, rk_map *map, const char *word)
{
    if (rk_map_get(map, word, strlen(word)) != RK_NONE)
        wrong(r, "a word for two units", word);
    else
        is_kept(r, rk_map_put(r->a, map, word, strlen(word), (uint32_t)r->out->unit.n - 1));
}

/* A unit for each word of a use; words for operations, and prefixes before each of them, have one for each row. */
static void add_units(reading *r, rk_words use)
{
    const rk_lexeme *w = r->out->of[use].word.at, *end = w + r->out->of[use].word.n;
    const rk_lexeme *operation = r->out->of[RK_WORDS_UNIT].word.at;
    const char *row = NULL;

    for (; w < end && r->code == RK_OK; row = w->value, w++) {
        rk_word_unit u = {0}, *kept;

        r->line = w->line;
        read_unit(r, w, &u);
        if (u.kind != RK_WORD_UNIT_FLOPS || row != w->value) {
            kept = RK_PUSH(r->a, &r->out->unit);
            if (is_kept(r, kept != NULL))
                *kept = u;
        }
        if (use == RK_WORDS_UNIT)
            map_unit(r, u.kind == RK_WORD_UNIT_FLOPS ? &r->out->operations : &r->out->units, w->word);
        for (size_t i = 0; use == RK_WORDS_PREFIX && i < r->out->of[RK_WORDS_UNIT].word.n; i++) {
            const char *both =
                strstr(operation[i].value, "flops") ? rk_arena_format(r->a, "%s%s", w->word, operation[i].word) : "";

            if (is_kept(r, both != NULL) && *both)
                map_unit(r, &r->out->operations, both);
        }
    }
}

/* Each weight has one number, the word of its row. */
static void add_weights(reading *r)
{
    const rk_lexeme *w = r->out->of[RK_WORDS_WEIGHT].word.at, *end = w + r->out->of[RK_WORDS_WEIGHT].word.n;
    unsigned had = 0;

    for (; w < end; w++) {
        r->line = w->line;
        if (!read_number(w->word, w->word + w->n, &r->out->weight[w->id]))
            wrong(r, "this is no number", w->word);
        if ((had >> w->id) & 1)
            wrong(r, "a second weight of that name", w->value);
        had |= 1u << w->id;
    }
    if (had != (1u << RK_N_WEIGH) - 1)
        wrong(r, "up to here, a weight is missing: there should be", RK_WEIGHS(RK_VALUE_TEXT, ));
}

static void check_periods(reading *r)
{
    const rk_lexeme *w = r->out->of[RK_WORDS_PERIOD].word.at, *end = w + r->out->of[RK_WORDS_PERIOD].word.n;

    for (; w < end; w++) {
        const rk_word_unit *u = rk_lexicon_unit(r->out, w->word, w->n);

        r->line = w->line;
        if (!u || u->kind != RK_WORD_UNIT_TIME)
            wrong(r, "this is no unit of time", w->word);
    }
}

int rk_lexicon_read(const rk_library *l, rk_arena *a, rk_lexicon *out, rk_err *err)
{
    rk_text file = {0};
    reading r = {.a = a, .out = out, .err = err, .code = rk_library_get(l, a, RK_LEXICON_FILE, &file, err)};
    char *line = r.code == RK_OK && file.text ? rk_arena_text(a, file.text) : NULL;

    *out = (rk_lexicon){0};
    if (r.code == RK_OK && !file.text)
        return rk_fail(err, RK_EINPUT, RK_LEXICON_FILE " is not in the library");
    is_kept(&r, line != NULL);
    r.file = file.name;
    for (char *next; line && r.code == RK_OK; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        r.line++;
        if (line[0] != '#' && line[0] != '\0')
            read_row(&r, line);
    }
    for (size_t i = 0; i < RK_N_WORDS; i++)
        if (out->of[i].word.n == 0)
            wrong(&r, "up to here, no words are used so", uses[i].use);
    if (r.code == RK_OK) {
        add_units(&r, RK_WORDS_UNIT);
        add_units(&r, RK_WORDS_PREFIX);
        add_weights(&r);
        check_periods(&r);
    }
    return r.code;
}
