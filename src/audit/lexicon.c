/* SPDX-License-Identifier: MIT */
#include "audit/lexicon.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    WORD_BYTES_MAX = 64, /* of operations with their prefix; no other word is as long */
    POWER_MAX = 7,       /* of 1,000, that prefixes have names for */
    WEIGHT_MAX = 10000000
};

typedef enum capitals {
    WRITTEN,
    ANY,
    PHRASE
} capitals;

static const struct {
    const char *use;
    capitals as;
    const char *values;
} uses[RK_N_WORDS] = {
#define USE(ID, use, as, values) {use, as, values},
    RK_WORDS(USE)
#undef USE
};

static const char *const weights[RK_N_WEIGH] = {
#define WEIGHT(ID, word) word,
    RK_WEIGHS(WEIGHT)
#undef WEIGHT
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

int rk_lexicon_points(const rk_lexicon *l, rk_weigh w)
{
    return (int)l->weight[w];
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

    while (w < end && !begins(w, uses[use].as, text, n))
        w++;
    return w < end ? w : NULL;
}

const rk_lexeme *rk_lexicon_is(const rk_lexicon *l, rk_words use, const char *word, size_t n)
{
    const rk_lexeme *end = l->of[use].word.at + l->of[use].word.n;

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
        if (at > 0 && rk_lexicon_is_letter(text[at - 1]) && !l->of[use].inside)
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
    char *cell[N_CELL];
    bool weighed[RK_N_WEIGH];
    RK_VEC(const char *) operation; /* words of the unit of operations */
    rk_err *err;
    int code; /* sticky */
} reading;

static void wrong(reading *r, const char *what, const char *which)
{
    if (r->code == RK_OK)
        r->code = rk_fail(r->err, RK_EINPUT, "%s:%zu: %s: '%s'", r->file, r->line, what, which);
}

/* A whole number from least to INT32_MAX; 0 where it is none. */
static int read_int(reading *r, const char *text, size_t n, int least)
{
    bool minus = n > 0 && text[0] == '-';
    rk_i128 x;

    if (rk_num_parse(text + minus, n - minus, &x) && x <= INT32_MAX && (minus ? -x : x) >= least)
        return (int)(minus ? -x : x);
    wrong(r, "this is no number", text);
    return 0;
}

/* "1000^3", "1024^3", "3600", "1/100". */
static void read_factor(reading *r, const char *text, size_t n, rk_word_unit *out)
{
    const char *power = memchr(text, '^', n), *stroke = memchr(text, '/', n);
    int base;

    if (!power) {
        out->num = read_int(r, text, stroke ? (size_t)(stroke - text) : n, 1);
        out->den = stroke ? read_int(r, stroke + 1, (size_t)(text + n - stroke) - 1, 1) : 1;
        return;
    }
    base = read_int(r, text, (size_t)(power - text), 1);
    out->power = read_int(r, power + 1, (size_t)(text + n - power) - 1, 1);
    out->binary = base == 1024;
    if ((base != 1000 && base != 1024) || out->power > POWER_MAX)
        wrong(r, "this is no power of 1000 or of 1024 that has a name", text);
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

/* "1000^3 bytes", "2629800 time 0.02". */
static rk_word_unit read_unit(reading *r)
{
    static const rk_word_unit_kind kind[] = {RK_WORD_UNIT_SCALE, RK_WORD_UNIT_BYTES, RK_WORD_UNIT_FLOPS,
                                             RK_WORD_UNIT_SHARE, RK_WORD_UNIT_TIME,  RK_WORD_UNIT_SCALE};
    const char *value = r->cell[VALUE], *dimension = value + strcspn(value, " ");
    const char *of = dimension + strspn(dimension, " "), *loosely = of + strcspn(of, " ");
    int i = place_in("scale bytes flops share time letter", of, (size_t)(loosely - of));
    rk_word_unit out = {.kind = i < 0 ? RK_WORD_UNIT_NONE : kind[i], .letter = i == 5};
    char *end = NULL;

    if (i < 0)
        wrong(r, "this is no factor and dimension of a unit", value);
    read_factor(r, value, (size_t)(dimension - value), &out);
    if (*loosely) {
        out.loosely = strtod(loosely, &end);
        if (*end || !(out.loosely > 0 && out.loosely < 1))
            wrong(r, "this is no part by which people take it longer or shorter", loosely);
    }
    return out;
}

/* Whether memory was there; else that is the failure. */
static bool is_kept(reading *r, bool kept)
{
    if (!kept && r->code == RK_OK)
        r->code = rk_fail_memory(r->err);
    return kept;
}

static void put_unit(reading *r, const rk_word_unit *u)
{
    rk_word_unit *kept = RK_PUSH(r->a, &r->out->unit);

    if (is_kept(r, kept != NULL))
        *kept = *u;
}

/* A word for the last unit. */
static void map_unit(reading *r, rk_map *map, const char *word)
{
    if (rk_map_get(map, word, strlen(word)) != RK_NONE)
        wrong(r, "a word for two units", word);
    else
        is_kept(r, rk_map_put(r->a, map, word, strlen(word), (uint32_t)r->out->unit.n - 1));
}

static void add_unit(reading *r, char *word, const rk_word_unit *of)
{
    rk_word_unit u = *of;
    const char **operation;

    u.word = word;
    if (u.kind != RK_WORD_UNIT_FLOPS) {
        put_unit(r, &u);
        map_unit(r, &r->out->units, word);
        return;
    }
    if (word == r->cell[WORDS])
        put_unit(r, &u);
    map_unit(r, &r->out->operations, word);
    operation = RK_PUSH(r->a, &r->operation);
    if (is_kept(r, operation != NULL))
        *operation = word;
}

static void add_prefix(reading *r, const char *word)
{
    rk_word_unit u = {.word = word, .kind = RK_WORD_UNIT_FLOPS};

    read_factor(r, r->cell[VALUE], strlen(r->cell[VALUE]), &u);
    if (word == r->cell[WORDS])
        put_unit(r, &u);
    for (size_t i = 0; i < r->operation.n; i++) {
        const char *both = rk_arena_format(r->a, "%s%s", word, r->operation.at[i]);

        if (is_kept(r, both != NULL))
            map_unit(r, &r->out->operations, both);
    }
}

static void add_weight(reading *r, const char *word)
{
    size_t i = 0;
    char *end;
    double value = strtod(r->cell[VALUE], &end);

    while (i < RK_N_WEIGH && strcmp(weights[i], word) != 0)
        i++;
    if (i == RK_N_WEIGH || r->weighed[i]) {
        wrong(r, i < RK_N_WEIGH ? "a second weight of that name" : "nothing is weighed by that name", word);
    } else if (*end || end == r->cell[VALUE] || !(value >= -WEIGHT_MAX && value <= WEIGHT_MAX)) {
        wrong(r, "this is no weight", r->cell[VALUE]);
    } else {
        r->weighed[i] = true;
        r->out->weight[i] = value;
    }
}

static void add_word(reading *r, rk_words use, char *word)
{
    const char *values = uses[use].values, *value = r->cell[VALUE];
    bool none = strcmp(value, "-") == 0, text = strcmp(values, "…") == 0;
    rk_lexeme w = {.word = word, .n = strlen(word), .value = none ? "" : value}, *kept;

    if (values[0] == '#')
        w.id = read_int(r, value, strlen(value), 2);
    else if (values[0] && !text)
        w.id = place_in(values, value, strlen(value));
    if (w.id < 0 || (!values[0] && !none))
        wrong(r, "no value of this use", value);
    w.inside_left = word[0] == '*';
    w.word += w.inside_left;
    w.n -= w.inside_left;
    w.inside_right = w.n > 0 && w.word[w.n - 1] == '*';
    w.n -= w.inside_right;
    if (w.n == 0)
        wrong(r, "an empty word", r->cell[WORDS]);
    /* How a size is written may mean several things: H heads, or the width of one. */
    for (size_t i = 0; i < r->out->of[use].word.n && use != RK_WORDS_LETTER; i++)
        if (r->out->of[use].word.at[i].n == w.n && memcmp(r->out->of[use].word.at[i].word, w.word, w.n) == 0)
            wrong(r, "a word that this use has already", word);
    kept = RK_PUSH(r->a, &r->out->of[use].word);
    if (is_kept(r, kept != NULL))
        *kept = w;
    r->out->of[use].inside |= w.inside_left;
}

static void read_row(reading *r)
{
    size_t use = 0;
    bool unit = strcmp(r->cell[USE], "unit") == 0, prefix = strcmp(r->cell[USE], "prefix") == 0;
    bool weight = strcmp(r->cell[USE], "weight") == 0;
    rk_word_unit u = {0};

    while (use < RK_N_WORDS && strcmp(uses[use].use, r->cell[USE]) != 0)
        use++;
    if (use == RK_N_WORDS && !unit && !prefix && !weight)
        wrong(r, "nothing is used so", r->cell[USE]);
    if (r->cell[NOTE][0] == '\0')
        wrong(r, "nothing says what this is for", r->cell[WORDS]);
    if (unit)
        u = read_unit(r);
    for (char *word = r->cell[WORDS], *next; word && r->code == RK_OK; word = next) {
        next = strchr(word, '|');
        if (next)
            *next++ = '\0';
        if (word[0] == '\0')
            wrong(r, "an empty word", r->cell[WORDS]);
        else if (unit)
            add_unit(r, word, &u);
        else if (prefix)
            add_prefix(r, word);
        else if (weight)
            add_weight(r, word);
        else
            add_word(r, (rk_words)use, word);
    }
}

/* What no row says. */
static void find_gaps(reading *r)
{
    const rk_lexicon *l = r->out;

    for (size_t i = 0; i < RK_N_WORDS && r->code == RK_OK; i++)
        if (l->of[i].word.n == 0)
            r->code = rk_fail(r->err, RK_EINPUT, "%s: no words for '%s'", r->file, uses[i].use);
    for (size_t i = 0; i < RK_N_WEIGH && r->code == RK_OK; i++)
        if (!r->weighed[i])
            r->code = rk_fail(r->err, RK_EINPUT, "%s: no weight of the name '%s'", r->file, weights[i]);
    for (size_t i = 0; i < l->of[RK_WORDS_PERIOD].word.n && r->code == RK_OK; i++) {
        const rk_lexeme *w = &l->of[RK_WORDS_PERIOD].word.at[i];
        const rk_word_unit *u = rk_lexicon_unit(l, w->word, w->n);

        if (!u || u->kind != RK_WORD_UNIT_TIME)
            r->code = rk_fail(r->err, RK_EINPUT, "%s: no unit of time: '%s'", r->file, w->word);
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
        size_t n = 0;

        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        r.line++;
        if (line[0] == '#' || line[0] == '\0')
            continue;
        for (char *at = line; at && n <= N_CELL; n++) {
            if (n < N_CELL)
                r.cell[n] = at;
            at = strchr(at, '\t');
            if (at)
                *at++ = '\0';
        }
        if (n != N_CELL)
            r.code = rk_fail(err, RK_EINPUT, "%s:%zu: a row has %d cells", r.file, r.line, N_CELL);
        else
            read_row(&r);
    }
    find_gaps(&r);
    return r.code;
}
