/* SPDX-License-Identifier: MIT */
/*
 * audit/lexicon.h - the words, units and weights by which a text is understood: data/lexicon.tsv, read.
 *
 * Stage   the library -> [lexicon] -> every step of the audit.
 * Uses    base/, plan/library.h.
 * Memory  a lexicon lives in the arena given; units and words are borrowed from it.
 * Threads constant once it is read.
 *
 * Columns of the file are divided by tabs, words by |; a line that begins with # is a remark:
 *
 *     use  value  words  note        use: one of RK_WORDS
 *
 * A word with * before or after it may stand inside of another.  What a value is depends on the use: a factor and a
 * dimension of a unit ("1000^3 bytes"), the factor of a prefix, the name of a weight, whose number is the word, and
 * else one of the values that its use has; "-" where it has none.
 */
#ifndef RK_AUDIT_LEXICON_H
#define RK_AUDIT_LEXICON_H

#include "base/map.h"
#include "base/vec.h"
#include "plan/library.h"

#define RK_LEXICON_FILE "data/lexicon.tsv"

/* ---- units ------------------------------------------------------------------------------------------------------- */

typedef enum rk_word_unit_kind {
    RK_WORD_UNIT_NONE,
    RK_WORD_UNIT_SCALE, /* billion, K: of anything */
    RK_WORD_UNIT_BYTES,
    RK_WORD_UNIT_FLOPS,
    RK_WORD_UNIT_SHARE, /* % */
    RK_WORD_UNIT_TIME
} rk_word_unit_kind;

/* One for each word; of operations, one for each power. */
typedef struct rk_word_unit {
    const char *word;
    rk_word_unit_kind kind;
    int power;      /* its scale is 1000^power, in the other reading 1024^power; 0: num/den is */
    bool binary;    /* 1024^power in every reading */
    bool letter;    /* a single letter, which may be a symbol as well; only directly after a number */
    int num, den;   /* of one, or of a second */
    double loosely; /* people take it this much longer or shorter: a year has 365 days, or 365.25 */
} rk_word_unit;

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Values that words have.  X(PREFIX, ID, value)    PREFIX: of the enum */
/* clang-format off */
#define RK_LETTER_ROLES(X, P) /* of a size */ \
    X(P, VOCABULARY, "vocabulary") X(P, BATCH, "batch") X(P, FFN_WIDTH, "ffn-width") X(P, HEADS, "heads") \
    X(P, LAYERS, "layers") X(P, HEAD_WIDTH, "head-width") X(P, SEQUENCE, "sequence") X(P, WIDTH, "width")
#define RK_SAYINGS(X, P) /* how a figure is counted */ \
    X(P, ONE,      "one")      /* per block */ \
    X(P, ALL,      "all")      /* all blocks */ \
    X(P, TOTAL,    "total")    /* of the whole */ \
    X(P, HEAD,     "head")     /* per head */ \
    X(P, TOKEN,    "token")    /* per token */ \
    X(P, MACS,     "macs") \
    X(P, WITHOUT,  "without")  /* something is left out */ \
    X(P, DOUBT,    "doubt")    /* if, otherwise, more than: nothing that could be called wrong */ \
    X(P, SEQUENCE, "sequence") /* per sequence */ \
    X(P, BACKWARD, "backward") /* a backward pass, or a whole step */
#define RK_ASKED(X, P) /* what words that name ask for */ \
    X(P, BACKWARD, "backward") X(P, STEP, "step") X(P, ACTIVE, "active") X(P, FINAL, "final") X(P, ALL, "all")
#define RK_DROPS(X, P) /* what is not named beside a product of queries and keys, or weights times values */ \
    X(P, SIDE, "side") X(P, LETTER, "letter") X(P, WEIGHTED, "weighted")
#define RK_WEIGHS(X, P) /* points for an entry; how many points or digits are enough, how near is near */ \
    X(P, OWN, "own") X(P, AROUND, "around") X(P, UNMENTIONED, "unmentioned") X(P, IDLE, "idle") \
    X(P, SCOPE, "scope") X(P, PASS, "pass") X(P, COUNTING, "counting") X(P, PARTLY, "partly") \
    X(P, SCOPE_SAID, "scope-said") X(P, SUMMANDS, "summands") X(P, FORMULA, "formula") X(P, SURE, "sure") \
    X(P, RIVAL, "rival") X(P, WHOLE, "whole") X(P, PLAIN, "plain") X(P, FAR, "far") X(P, SHARE, "share") \
    X(P, ROUGH, "rough") X(P, FAIR, "fair") X(P, SLIP, "slip") X(P, EXACT, "exact") X(P, LONG, "long") \
    X(P, NEAR, "near") X(P, SHARE_NEAR, "share-near") X(P, ROUGHLY, "roughly") X(P, ELSEWHERE, "elsewhere") \
    X(P, NEARBY, "nearby")

#define RK_VALUE_ENUM(P, ID, value) P##ID,
#define RK_VALUE_SET(P, ID, value) P##ID = 1 << RK_SAYING_##ID,
typedef enum rk_letter_role { RK_LETTER_ROLES(RK_VALUE_ENUM, RK_LETTER_) RK_N_LETTER } rk_letter_role;
typedef enum rk_saying { RK_SAYINGS(RK_VALUE_ENUM, RK_SAYING_) RK_N_SAYING } rk_saying;
typedef enum rk_said { RK_SAYINGS(RK_VALUE_SET, RK_SAID_) RK_SAID_NOTHING = 0 } rk_said; /* sets of sayings */
typedef enum rk_asked { RK_ASKED(RK_VALUE_ENUM, RK_ASKS_) RK_N_ASKED } rk_asked;
typedef enum rk_dropped { RK_DROPS(RK_VALUE_ENUM, RK_DROPPED_) RK_N_DROPPED } rk_dropped;
typedef enum rk_weigh { RK_WEIGHS(RK_VALUE_ENUM, RK_WEIGH_) RK_N_WEIGH } rk_weigh;
/* clang-format on */

/*
 * X(ID, use, as, values)    as: WRITTEN, or in ANY capitals, or a PHRASE, which is that and may have an s after it;
 *                           values: those that there are, a word's id is its place among them; "…": any text;
 *                           "": none
 */
/* clang-format off */
#define RK_WORDS(X) \
    X(UNIT,         "unit",           WRITTEN, "…") \
    X(PREFIX,       "prefix",         WRITTEN, "…") \
    X(PERIOD,       "period",         WRITTEN, "") \
    X(BITS,         "bits",           WRITTEN, "") \
    X(TYPED,        "typed",          WRITTEN, "") \
    X(NUMBER,       "number",         WRITTEN, "0 1 2 3 4 5 6 7 8 9 10") \
    X(LABEL_END,    "label-end",      WRITTEN, "") \
    X(IS,           "is",             ANY,     "") \
    X(RESULT,       "result",         ANY,     "") \
    X(JOINS,        "joins",          ANY,     "") \
    X(OPENS,        "opens",          ANY,     "") \
    X(THING,        "thing",          ANY,     "") \
    X(FOLLOWS,      "follows",        ANY,     "") \
    X(LEAVES,       "leaves",         ANY,     "") \
    X(LEFT,         "left",           ANY,     "") \
    X(MOST,         "most",           ANY,     "") \
    X(ABOUT,        "about",          ANY,     "") \
    X(SIZED,        "sized",          ANY,     "") \
    X(BITS_EACH,    "bits-each",      ANY,     "4 8 16 32") \
    X(AGAIN,        "again",          ANY,     "") \
    X(HYPHEN,       "hyphen",         WRITTEN, "") \
    X(DENIED,       "denied",         ANY,     "") \
    X(FRACTION,     "fraction",       ANY,     "") \
    X(CHANGE,       "change",         ANY,     "") \
    X(CHANGE_TO,    "change-to",      ANY,     "") \
    X(EXCEEDS,      "exceeds",        ANY,     "") \
    X(HOLDS,        "holds",          ANY,     "") \
    X(WITH,         "with",           ANY,     "") \
    X(NEGATED,      "negated",        ANY,     "") \
    X(SPEED,        "speed",          ANY,     "") \
    X(POINTS,       "points",         ANY,     "") \
    X(TIMES,        "times",          ANY,     "") \
    X(FUNCTION,     "function",       WRITTEN, "ceil floor round min max sqrt exp ln log2 log10") \
    X(DEVICE,       "device",         ANY,     "") \
    X(TOTAL,        "total",          ANY,     "") \
    X(NO_TOTAL,     "no-total",       ANY,     "") \
    X(APART,        "apart",          ANY,     "") \
    X(SUBTOTAL,     "subtotal",       ANY,     "") \
    X(SHARED,       "shared",         ANY,     "") \
    X(SIZE,         "size",           ANY,     RK_LETTER_ROLES(RK_VALUE_TEXT, )) \
    X(LETTER,       "letter",         WRITTEN, RK_LETTER_ROLES(RK_VALUE_TEXT, )) \
    X(COLUMN,       "column",         ANY,     RK_LETTER_ROLES(RK_VALUE_TEXT, )) \
    X(STATED,       "stated",         PHRASE,  "…") \
    X(LENGTH,       "length",         ANY,     "") \
    X(COUNTED,      "counted",        ANY,     "") \
    X(CAUSAL,       "causal",         ANY,     "") \
    X(IGNORED,      "ignored",        ANY,     "") \
    X(SIZE_NAME,    "size-name",      WRITTEN, "") \
    X(KIND,         "kind",           ANY,     RK_INDEX_KINDS(RK_KIND_TEXT)) \
    X(SAID,         "said",           PHRASE,  RK_SAYINGS(RK_VALUE_TEXT, )) \
    X(VIEW,         "view",           WRITTEN, RK_SAYINGS(RK_VALUE_TEXT, )) \
    X(NARROWER,     "narrower",       ANY,     "") \
    X(COMPARED,     "compared",       WRITTEN, "") \
    X(CACHE,        "cache",          ANY,     "") \
    X(CACHED,       "cached",         ANY,     "") \
    X(UNGROUPED,    "ungrouped",      ANY,     "") \
    X(PHRASE,       "phrase",         WRITTEN, "…") \
    X(PRODUCT,      "product",        WRITTEN, "") \
    X(DROPPED,      "dropped",        WRITTEN, RK_DROPS(RK_VALUE_TEXT, )) \
    X(NAME,         "name",           WRITTEN, "…") \
    X(PLAIN_HEAD,   "plain-head",     ANY,     "") \
    X(SILENT,       "silent",         WRITTEN, "") \
    X(LABEL,        "label",          ANY,     "") \
    X(ASKS,         "asks",           WRITTEN, RK_ASKED(RK_VALUE_TEXT, )) \
    X(ONE,          "one",            WRITTEN, "") \
    X(PAIR,         "pair",           WRITTEN, "…") \
    X(MODEL,        "model",          WRITTEN, "…") \
    X(WEIGHT,       "weight",         WRITTEN, RK_WEIGHS(RK_VALUE_TEXT, ))
/* clang-format on */

typedef enum rk_words {
#define RK_WORDS_ENUM(ID, use, as, values) RK_WORDS_##ID,
    RK_WORDS(RK_WORDS_ENUM)
#undef RK_WORDS_ENUM
    RK_N_WORDS
} rk_words;

#define RK_LEXICON_FP32 (1u << 3) /* of words for bits of a number, the set that has "32" alone */

typedef struct rk_lexeme {
    const char *word; /* without its stars */
    size_t n;
    bool inside_left, inside_right; /* a letter may stand before it, or after it */
    int id;                         /* its value: the place among those of its use */
    const char *value;              /* as it is written; "": "-" */
    size_t line;                    /* of the file */
} rk_lexeme;

/* ---- the whole --------------------------------------------------------------------------------------------------- */

typedef struct rk_lexicon {
    struct {
        RK_VEC(rk_lexeme) word; /* in the order of the file */
        bool inside;            /* one of them may stand inside of others */
        bool first[256];        /* bytes with which they begin, in whatever capitals */
    } of[RK_N_WORDS];
    RK_VEC(rk_word_unit) unit;
    rk_map units, operations; /* word -> its unit; operations: in small letters */
    double weight[RK_N_WEIGH];
} rk_lexicon;

/* RK_EINPUT: a row is broken, and the message says where, or something is missing. */
int rk_lexicon_read(const rk_library *l, rk_arena *a, rk_lexicon *out, rk_err *err);

/* The unit that a word is; NULL: none.  Capital and small letters differ where they must (m, M); not in FLOPs. */
const rk_word_unit *rk_lexicon_unit(const rk_lexicon *l, const char *word, size_t n);

/* The bytes of a unit in a script without blanks between words, at the begin of text[0..n): 字节, 亿; 0: none. */
size_t rk_lexicon_unit_length(const rk_lexicon *l, const char *text, size_t n);

/* The first of some words that word[0..n) is, or that text[0..n) begins with; NULL: none. */
const rk_lexeme *rk_lexicon_is(const rk_lexicon *l, rk_words use, const char *word, size_t n);
const rk_lexeme *rk_lexicon_begins(const rk_lexicon *l, rk_words use, const char *text, size_t n);

/* Those that stand in text[0..n), as a set of their ids, 1 << id; of words without values it is 1.  0: none does. */
unsigned rk_lexicon_in(const rk_lexicon *l, rk_words use, const char *text, size_t n);

/* A letter of a word, also a digit, and part of a letter of another language. */
bool rk_lexicon_is_letter(char c);

#endif
