/* SPDX-License-Identifier: MIT */
#include "plan/lookup.h"

#include <ctype.h>
#include <string.h>

enum {
    LETTERS_MAX = 96, /* of a name; a longer one is like no other */
    PREFIX_LEAST = 3, /* letters of a beginning that is enough; fewer must be a word: yi-34b */
    VERSION_MAX = 8,
    DATE = 4 /* digits of -2407 */
};

/* What stands between two letters of a name. */
typedef enum gap {
    JOINED,
    DOT,
    LOW, /* an underscore: in a number it is a dot */
    DASH
} gap;

typedef struct letter {
    char c;
    unsigned char before; /* the gap */
    unsigned char at;     /* its place in the text */
} letter;

typedef struct letters {
    letter at[LETTERS_MAX];
    size_t n;
    bool parted; /* something stands between some of them */
} letters;

/* What a model of that name was made for. */
typedef enum made_for {
    NOTHING,
    TALKS,
    THINKS
} made_for;

/* A name without the words that may be left off, its size last, and what these words said. */
typedef struct stem {
    letters of;
    made_for kind;
    char version[VERSION_MAX], date[DATE + 1]; /* empty: it has none */
    bool base;                                 /* a word -base was left off */
} stem;

/* ---- letters ---------------------------------------------------------------------------------------------------- */

static gap gap_of(char c)
{
    switch (c) {
    case '.':
        return DOT;
    case '_':
        return LOW;
    case '-':
    case ' ':
    case ':': /* gemma3:27b */
    case '(':
    case ')':
        return DASH;
    default:
        return JOINED;
    }
}

static void push(letters *s, char c, gap before, size_t at)
{
    s->at[s->n++] =
        (letter){(char)tolower((unsigned char)c), (unsigned char)(s->n > 0 ? before : JOINED), (unsigned char)at};
    s->parted |= s->at[s->n - 1].before != JOINED;
}

/*
 * A character as ASCII has it, and its bytes: letters as wide as Chinese ones, dashes and blanks of other widths.
 * Any other byte is what it is.
 */
static size_t read_char(const char *text, size_t n, char *c)
{
    const unsigned char *b = (const unsigned char *)text;
    int wide = n < 3 ? 0 : 0x20 + (b[1] - 0xBC) * 0x40 + (b[2] - 0x80);

    *c = text[0];
    if (n >= 2 && ((b[0] == 0xC2 && b[1] == 0xA0) || (b[0] == 0xC3 && b[1] == 0x97))) {
        *c = b[0] == 0xC2 ? ' ' : 'x'; /* 8×7B */
        return 2;
    }
    if (n >= 3 && b[0] == 0xEF && wide > 0x20 && wide < 0x7F)
        *c = (char)wide;
    else if (n >= 3 && b[0] == 0xE3 && b[1] == 0x80 && b[2] == 0x80)
        *c = ' ';
    else if (n >= 3 && b[0] == 0xE2 &&
             ((b[1] == 0x80 && b[2] >= 0x90 && b[2] <= 0x95) || (b[1] == 0x88 && b[2] == 0x92)))
        *c = '-';
    else
        return 1;
    return 3;
}

/* The letters of a name without its organisation. */
static void spell(const char *text, size_t n, letters *out)
{
    size_t from = n;
    gap before = JOINED;
    char c;

    out->n = 0;
    out->parted = false;
    while (from > 0 && text[from - 1] != '/')
        from--;
    if (n >= LETTERS_MAX)
        return;
    for (size_t i = from, to; i < n; i = to) {
        gap g;

        to = i + read_char(text + i, n - i, &c);
        g = gap_of(c);
        if (g == JOINED)
            push(out, c, before, to - 1);
        before = g == JOINED ? JOINED : g > before ? g : before;
    }
}

static bool is_digit(const letters *s, size_t i)
{
    return i < s->n && isdigit((unsigned char)s->at[i].c);
}

static bool is_letter(const letters *s, size_t i)
{
    return i < s->n && !is_digit(s, i);
}

/* Whether a letter is alone after a number, as in 7b, 135m and 8k, and makes it a size. */
static bool is_unit(const letters *s, size_t i)
{
    return i < s->n && i > 0 && is_digit(s, i - 1) && s->at[i].before == JOINED && strchr("bmkt", s->at[i].c) &&
           !(is_letter(s, i + 1) && s->at[i + 1].before == JOINED);
}

/* Whether the digits from `i` on end in a unit: those of a size. */
static bool is_size(const letters *s, size_t i)
{
    while (is_digit(s, i + 1) && s->at[i + 1].before == JOINED)
        i++;
    return is_unit(s, i + 1);
}

/*
 * Whether between two digits of a name the same stands as in the word.  The dot of a generation may be left out, but
 * not that of a size: 13b is not 1.3b.  A dash may be, where the word has none at all: gemma29b.
 */
static bool same_gap(const letters *word, const letters *known, size_t i)
{
    gap w = (gap)word->at[i].before, k = (gap)known->at[i].before;

    switch (k) {
    case JOINED:
        return w == JOINED;
    case DASH:
        return w == DASH || w == LOW || (w == JOINED && !word->parted);
    default:
        return w != JOINED || !is_size(known, i);
    }
}

/* Whether the first n letters are the same.  Of a run of digits one part may be lost, not two: 257b is no 2.5-7b. */
static bool same_letters(const letters *word, const letters *known, size_t n)
{
    size_t lost = 0;

    if (word->n < n || known->n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (word->at[i].c != known->at[i].c)
            return false;
        if (i == 0 || !is_digit(known, i) || !is_digit(known, i - 1)) {
            lost = 0;
            continue;
        }
        lost += word->at[i].before == JOINED && known->at[i].before != JOINED;
        if (lost > 1 || !same_gap(word, known, i))
            return false;
    }
    return true;
}

static bool same(const letters *word, const letters *known)
{
    return known->n > 0 && word->n == known->n && same_letters(word, known, known->n);
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* Where the word ends that begins at `i`: before a gap that is no dot of a number. */
static size_t word_end(const letters *s, size_t i)
{
    for (i++; i < s->n; i++)
        if (s->at[i].before > DOT || (s->at[i].before == DOT && !(is_digit(s, i) && is_digit(s, i - 1))))
            break;
    return i;
}

static bool is_text(const letters *s, size_t from, size_t to, const char *text)
{
    size_t i = from;

    while (i < to && text[i - from] == s->at[i].c)
        i++;
    return i == to && !text[to - from];
}

static bool is_one_of(const letters *s, size_t from, size_t to, const char *const *list)
{
    while (*list && !is_text(s, from, to, *list))
        list++;
    return *list != NULL;
}

static void drop(letters *s, size_t from, size_t to)
{
    memmove(s->at + from, s->at + to, (s->n - to) * sizeof *s->at);
    s->n -= to - from;
    if (s->n)
        s->at[0].before = JOINED;
}

/* Who made it, where that stands in the name itself: Meta-Llama-3-8B, NVIDIA A100. */
static void drop_makers(letters *s)
{
    static const char *const maker[] = {"meta", "google", "microsoft", "nvidia", "mistralai", "facebook", "ibm",
                                        "c4ai", "amd",    "intel",     "aws",    "tesla",     "instinct", NULL};
    size_t to;

    while (s->n && (to = word_end(s, 0)) < s->n && is_one_of(s, 0, to, maker))
        drop(s, 0, to);
}

/* v0.1, v1.0: of the tuning, not of the model. */
static bool is_version(const letters *s, size_t from, size_t to)
{
    return to - from >= 3 && to - from < VERSION_MAX && s->at[from].c == 'v' &&
           (s->at[from + 1].c == '0' || s->at[from + 1].c == '1') && s->at[from + 2].before == DOT;
}

static bool is_date(const letters *s, size_t from, size_t to)
{
    size_t i = from;

    while (i < to && is_digit(s, i) && (i == from || s->at[i].before == JOINED))
        i++;
    return i == to && to - from == DATE;
}

static void copy(const letters *s, size_t from, size_t to, char *out)
{
    for (size_t i = from; i < to; i++)
        *out++ = s->at[i].c;
    *out = '\0';
}

/* q4, iq4, q4km: a type of llama.cpp's files. */
static bool is_packed_type(const letters *s, size_t from, size_t to)
{
    from += s->at[from].c == 'i';
    return to - from >= 2 && to - from <= 4 && s->at[from].c == 'q' && is_digit(s, from + 1) &&
           !(to - from > 2 && s->at[from + 2].c != 'k');
}

/* 4bit */
static bool is_bits(const letters *s, size_t from, size_t to)
{
    return to - from == 4 && is_digit(s, from) && is_text(s, from + 1, to, "bit");
}

/* Where the words end from `from` on that say how weights are stored: AWQ-INT4, q4_K_M.  `from`: there are none. */
static size_t packing_end(const letters *s, size_t from)
{
    static const char *const packing[] = {
        "awq",       "gptq",    "gguf",  "ggml",  "exl2",  "exl3",  "bnb",  "hqq",  "aqlm", "dwq", "kv",  "mlx",
        "nf4",       "fp4",     "fp8",   "int4",  "int8",  "bf16",  "fp16", "fp32", "f16",  "f32", "qat", "unsloth",
        "quantized", "imatrix", "nvfp4", "mxfp4", "w4a16", "w8a16", "w8a8", "ud",   "i1",   NULL};
    static const char *const more[] = {"k", "m", "s", "l", "xs", "xxs", "xl", "nl", "0", "1", NULL}; /* after q4 */

    for (size_t to; from < s->n; from = to) {
        to = word_end(s, from);
        if (is_packed_type(s, from, to))
            while (to < s->n && is_one_of(s, to, word_end(s, to), more))
                to = word_end(s, to);
        else if (!is_bits(s, from, to) && !is_one_of(s, from, to, packing))
            break;
    }
    return from;
}

static bool drop_packing(letters *s)
{
    size_t n = s->n;

    for (size_t from = n ? word_end(s, 0) : 0, to; from < s->n; from = to) {
        to = packing_end(s, from);
        drop(s, from, to);
        to = from < s->n ? word_end(s, from) : from;
    }
    return s->n < n;
}

/* Whether a word may be left off; what it said is written down. */
static bool take_word(stem *s, size_t from, size_t to, bool sized)
{
    static const char *const talks[] = {"instruct", "it", "chat", NULL};
    static const char *const nothing[] = {"hf", "pt", "latest", "deduped", "hbm2", "hbm2e", "hbm3", "hbm3e", NULL};

    if (is_version(&s->of, from, to) && !s->version[0])
        copy(&s->of, from, to, s->version);
    else if (is_date(&s->of, from, to) && !s->date[0])
        copy(&s->of, from, to, s->date);
    else if (is_one_of(&s->of, from, to, talks))
        s->kind = TALKS;
    else if (is_text(&s->of, from, to, "thinking"))
        s->kind = THINKS;
    else if (sized && is_text(&s->of, from, to, "base"))
        s->base = true;
    else
        return is_one_of(&s->of, from, to, nothing);
    return true;
}

/* Whether the name says how large it is, or from when: then a word -base says that it was not tuned, and no size. */
static bool says_size(const letters *s)
{
    for (size_t i = 0, to; i < s->n; i = to) {
        to = word_end(s, i);
        if (is_unit(s, to - 1) || is_date(s, i, to))
            return true;
    }
    return false;
}

/* Whether a word is a size: 7b, 1.5b. */
static bool is_size_word(const letters *s, size_t from, size_t to)
{
    for (size_t i = from; i + 1 < to; i++)
        if (!is_digit(s, i))
            return false;
    return to > from && is_unit(s, to - 1);
}

/* Where the first word after the name's own begins that is a size; n: there is none. */
static size_t find_size(const letters *s)
{
    size_t from = s->n ? word_end(s, 0) : 0;

    while (from < s->n && !is_size_word(s, from, word_end(s, from)))
        from = word_end(s, from);
    return from;
}

/* A size is last, wherever it stands: qwen2.5-7b-coder. */
static void move_size(letters *s)
{
    size_t from = find_size(s), to = from < s->n ? word_end(s, from) : from, n = to - from;
    letter size[LETTERS_MAX];

    if (to == s->n)
        return;
    memcpy(size, s->at + from, n * sizeof *size);
    drop(s, from, to);
    memcpy(s->at + s->n, size, n * sizeof *size);
    s->n += n;
}

static stem stem_of(const letters *name, bool drops_base)
{
    stem s = {.of = *name};
    bool sized = drops_base || says_size(name);

    drop_packing(&s.of);

    for (size_t from = s.of.n ? word_end(&s.of, 0) : 0, to; from < s.of.n; from = to) {
        to = word_end(&s.of, from);
        if (take_word(&s, from, to, sized)) {
            drop(&s.of, from, to);
            to = from;
        }
    }
    move_size(&s.of);
    return s;
}

/*
 * A version or a date may be left off or be too many; neither may be another.  A date is too many only where the name
 * has no other words that may be left off: glm-4-9b-0414 is no glm-4-9b-chat.
 */
static rk_alike like_stems(const stem *word, const stem *known)
{
    if (!same(&word->of, &known->of) ||
        (word->version[0] && known->version[0] && strcmp(word->version, known->version) != 0) ||
        (word->date[0] && known->date[0] && strcmp(word->date, known->date) != 0))
        return RK_ALIKE_NOT;
    if (word->date[0] && !known->date[0])
        return known->kind == NOTHING || known->kind == word->kind ? RK_ALIKE_TAILS : RK_ALIKE_NOT;
    return word->kind == known->kind ? RK_ALIKE_KIND : RK_ALIKE_TAILS;
}

/* ---- beginnings ------------------------------------------------------------------------------------------------- */

/* What a word is that ends before a letter of the name: within a number, it is another. */
static rk_alike like_beginning(const letters *known, size_t at)
{
    gap before = (gap)known->at[at].before;

    if (before != JOINED && known->at[at].c == 'v' && is_digit(known, at + 1)) /* large-v3: of which there are others */
        return RK_ALIKE_BEGINS;
    if (!is_digit(known, at - 1))
        return is_digit(known, at) && before == JOINED ? RK_ALIKE_BEGINS : RK_ALIKE_PREFIX;
    if (is_digit(known, at)) /* 27 is no 270, and 3 no 3.1 */
        return before == DASH ? RK_ALIKE_PREFIX : RK_ALIKE_NOT;
    return before != JOINED || is_unit(known, at) ? RK_ALIKE_PREFIX : RK_ALIKE_NOT;
}

/* What an organisation is said of is a whole name. */
static rk_alike like_prefix(const char *text, const letters *word, const letters *known)
{
    if (!word->n || word->n >= known->n || strchr(text, '/') || !same_letters(word, known, word->n) ||
        (word->n < PREFIX_LEAST && known->at[word->n].before == JOINED))
        return RK_ALIKE_NOT;
    return like_beginning(known, word->n);
}

rk_alike rk_alike_of(const char *word, const char *known, size_t n)
{
    letters w, k;
    stem a, b;
    rk_alike like;

    if (strlen(word) == n && memcmp(word, known, n) == 0)
        return RK_ALIKE_EXACT;
    spell(word, strlen(word), &w);
    spell(known, n, &k);
    if (same(&w, &k))
        return RK_ALIKE_SAME;
    drop_makers(&w);
    drop_makers(&k);
    if (same(&w, &k))
        return RK_ALIKE_SAME;
    if (drop_packing(&w) && same(&w, &k))
        return RK_ALIKE_KIND;
    if (!w.n || !k.n || w.at[0].c != k.at[0].c) /* most differ here */
        return RK_ALIKE_NOT;
    a = stem_of(&w, true);
    b = stem_of(&k, false);
    like = like_stems(&a, &b);
    if (!like && a.base) { /* it may be a size after all */
        a = stem_of(&w, false);
        like = like_stems(&a, &b);
    }
    return like ? like : like_prefix(word, &w, &k);
}

bool rk_alike_is_packed(const char *word)
{
    letters w;

    spell(word, strlen(word), &w);
    return drop_packing(&w);
}

/* The number that a size is. */
static double read_size(const letters *s, size_t from, size_t to)
{
    double x = 0, unit = 1;

    for (size_t i = from; i + 1 < to; i++) {
        unit = s->at[i].before != JOINED && i > from ? 10 : unit * (unit > 1 ? 10 : 1);
        x = 10 * x + (s->at[i].c - '0');
    }
    return x / unit *
           (s->at[to - 1].c == 't'   ? 1e12
            : s->at[to - 1].c == 'b' ? 1e9
            : s->at[to - 1].c == 'm' ? 1e6
                                     : 1e3);
}

bool rk_alike_size(const char *word, char rest[RK_ALIKE_MAX], double *size)
{
    size_t n = 0, from, to;
    letters w;

    spell(word, strlen(word), &w);
    drop_packing(&w);
    from = find_size(&w);
    to = from < w.n ? word_end(&w, from) : from;
    *size = to > from ? read_size(&w, from, to) : 0;
    if (to == from)
        for (from = w.n ? word_end(&w, 0) : 0; from < w.n; from = to)
            if (is_text(&w, from, to = word_end(&w, from), "small"))
                break;
    if (from >= w.n)
        return false;
    drop(&w, from, to);
    for (size_t i = 0; i < w.n; i++) {
        if (w.at[i].before != JOINED)
            rest[n++] = w.at[i].before == DOT ? '.' : '-';
        rest[n++] = w.at[i].c;
    }
    rest[n] = '\0';
    return n > 0;
}

/* Where the next letter stands; n: there is none. */
static size_t next_letter(const char *text, size_t n, size_t i)
{
    while (i < n && gap_of(text[i]) != JOINED)
        i++;
    return i;
}

bool rk_alike_letters(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t i = next_letter(a, n_a, 0), k = next_letter(b, n_b, 0);

    while (i < n_a && k < n_b && tolower((unsigned char)a[i]) == tolower((unsigned char)b[k])) {
        i = next_letter(a, n_a, i + 1);
        k = next_letter(b, n_b, k + 1);
    }
    return i == n_a && k == n_b;
}

uint64_t rk_alike_hash(const char *text, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (size_t i = next_letter(text, n, 0); i < n; i = next_letter(text, n, i + 1))
        hash = (hash ^ (uint64_t)tolower((unsigned char)text[i])) * 0x100000001b3u;
    return hash;
}

size_t rk_alike_words(const char *word, const char *known)
{
    letters w, k;
    size_t n = 0;

    spell(word, strlen(word), &w);
    spell(known, strlen(known), &k);
    drop_makers(&w);
    drop_makers(&k);
    for (size_t to = w.n ? word_end(&w, 0) : 0; to && to <= k.n && same_letters(&w, &k, to); to = word_end(&w, to)) {
        if (to == k.n || (to >= PREFIX_LEAST && like_beginning(&k, to) != RK_ALIKE_NOT))
            n = k.at[to - 1].at + (size_t)1;
        if (to == w.n)
            break;
    }
    return n;
}

/* ---- the lookup ------------------------------------------------------------------------------------------------- */

static bool is_there(const rk_lookup *l, const void *what)
{
    for (size_t i = 0; i < l->n && i < RK_LOOKUP_MAX; i++)
        if (l->at[i].what == what)
            return true;
    return false;
}

static bool is_beginning(rk_alike like)
{
    return like == RK_ALIKE_BEGINS || like == RK_ALIKE_PREFIX;
}

void rk_lookup_try(rk_lookup *l, const char *known, size_t n, const char *called, const void *what)
{
    rk_alike like = rk_alike_of(l->word, known, n);
    char copy[LETTERS_MAX];
    /* Of what begins so, one may be taken only where no other does. */
    bool equal = like == l->best || (is_beginning(like) && is_beginning(l->best));

    if (like > l->best) {
        l->best = like;
        l->n = equal ? l->n : 0;
    }
    if (like && (equal || like == l->best) && !is_there(l, what)) {
        if (l->n < RK_LOOKUP_MAX)
            l->at[l->n] = (rk_candidate){called, what};
        l->n++;
    }
    if (l->best || n >= sizeof copy)
        return;
    memcpy(copy, known, n);
    copy[n] = '\0';
    l->near.word = l->word;
    l->near.keeps_numbers = true;
    rk_nearest_try(&l->near, copy);
    if (l->near.best == copy)
        l->near.best = called;
}

const rk_candidate *rk_lookup_one(const rk_lookup *l)
{
    return l->n == 1 && l->best > RK_ALIKE_BEGINS ? &l->at[0] : NULL;
}
