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
 *     use  value  words  note        use: one of RK_WORDS, or unit, prefix, weight
 *
 * A word with * before or after it may stand inside of another.  What a value is depends on the use: a factor and a
 * dimension of a unit ("1000^3 bytes"), the factor of a prefix, the number of a weight, whose name is the word, and else
 * one of the values that its use has; "-" where it has none.  Prefixes stand after the words for operations.
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

/* Values that words have.  X(ID, value) */
/* clang-format off */
#define RK_LETTER_ROLES(X) /* of a size */ \
    X(VOCABULARY, "vocabulary") X(BATCH, "batch") X(FFN_WIDTH, "ffn-width") X(HEADS, "heads") X(LAYERS, "layers") \
    X(HEAD_WIDTH, "head-width") X(SEQUENCE, "sequence") X(WIDTH, "width")
#define RK_SAYINGS(X) /* how it is counted */ \
    X(ONE,      "one")      /* per block */ \
    X(ALL,      "all")      /* all blocks */ \
    X(TOTAL,    "total")    /* of the whole */ \
    X(HEAD,     "head")     /* per head */ \
    X(TOKEN,    "token")    /* per token */ \
    X(MACS,     "macs") \
    X(WITHOUT,  "without")  /* something is left out */ \
    X(DOUBT,    "doubt")    /* if, otherwise, more than: nothing that could be called wrong */ \
    X(SEQUENCE, "sequence") /* per sequence */ \
    X(BACKWARD, "backward") /* a backward pass, or a whole step */
#define RK_ASKED(X) /* what words that name ask for */ \
    X(BACKWARD, "backward") X(STEP, "step") X(ACTIVE, "active") X(FINAL, "final") X(ALL, "all")
#define RK_DROPS(X) /* which words name nothing beside a product of queries and keys, or weights times values */ \
    X(SIDE, "side") X(LETTER, "letter") X(WEIGHTED, "weighted")
/* clang-format on */

#define RK_VALUE(ID, value) value " "

typedef enum rk_letter_role {
#define RK_LETTER_ENUM(ID, value) RK_LETTER_##ID,
    RK_LETTER_ROLES(RK_LETTER_ENUM)
#undef RK_LETTER_ENUM
    RK_N_LETTER
} rk_letter_role;

typedef enum rk_dropped {
#define RK_DROPPED_ENUM(ID, value) RK_DROPPED_##ID,
    RK_DROPS(RK_DROPPED_ENUM)
#undef RK_DROPPED_ENUM
    RK_N_DROPPED
} rk_dropped;

/* Members of sets. */
enum {
#define RK_SAID_PLACE(ID, value) RK_SAID_PLACE_##ID,
    RK_SAYINGS(RK_SAID_PLACE)
#undef RK_SAID_PLACE
#define RK_SAID_SET(ID, value) RK_SAID_##ID = 1 << RK_SAID_PLACE_##ID,
    RK_SAYINGS(RK_SAID_SET)
#undef RK_SAID_SET
};

typedef enum rk_asked {
#define RK_ASKS_ENUM(ID, value) RK_ASKS_##ID,
    RK_ASKED(RK_ASKS_ENUM)
#undef RK_ASKS_ENUM
    RK_N_ASKED
} rk_asked;

/*
 * X(ID, use, as, values)    as: WRITTEN, or in ANY capitals, or a PHRASE, which is that and may have an s after it;
 *                           values: those that there are, a word's id is its place among them; "#": a number;
 *                           "…": any text; "": none
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
    X(AGAIN,        "again",          ANY,     "") \
    X(HYPHEN,       "hyphen",         WRITTEN, "") \
    X(TOTAL,        "total",          ANY,     "") \
    X(APART,        "apart",          ANY,     "") \
    X(SUBTOTAL,     "subtotal",       ANY,     "") \
    X(SIZE,         "size",           ANY,     RK_LETTER_ROLES(RK_VALUE)) \
    X(LETTER,       "letter",         WRITTEN, RK_LETTER_ROLES(RK_VALUE)) \
    X(LENGTH,       "length",         ANY,     "") \
    X(COUNTED,      "counted",        ANY,     "") \
    X(SIZE_NAME,    "size-name",      WRITTEN, "") \
    X(KIND,         "kind",           ANY,     RK_INDEX_KINDS(RK_VALUE)) \
    X(SAID,         "said",           PHRASE,  RK_SAYINGS(RK_VALUE)) \
    X(COMPARED,     "compared",       WRITTEN, "") \
    X(CACHE,        "cache",          ANY,     "") \
    X(UNGROUPED,    "ungrouped",      ANY,     "") \
    X(PHRASE,       "phrase",         WRITTEN, "…") \
    X(PRODUCT,      "product",        WRITTEN, "") \
    X(DROPPED,      "dropped",        WRITTEN, RK_DROPS(RK_VALUE)) \
    X(NAME,         "name",           WRITTEN, "…") \
    X(SILENT,       "silent",         WRITTEN, "") \
    X(LABEL,        "label",          ANY,     "") \
    X(ASKS,         "asks",           WRITTEN, RK_ASKED(RK_VALUE)) \
    X(ONE,          "one",            WRITTEN, "") \
    X(PAIR,         "pair",           WRITTEN, "…") \
    X(WEIGHT,       "weight",         WRITTEN, RK_WEIGHS(RK_VALUE))
/* clang-format on */

typedef enum rk_words {
#define RK_WORDS_ENUM(ID, use, as, values) RK_WORDS_##ID,
    RK_WORDS(RK_WORDS_ENUM)
#undef RK_WORDS_ENUM
    RK_N_WORDS
} rk_words;

typedef struct rk_lexeme {
    const char *word; /* without its stars */
    size_t n;
    bool inside_left, inside_right; /* a letter may stand before it, or after it */
    int id;                         /* its value: the place among those of its use, or the number */
    const char *value;              /* as it is written; "": "-" */
    size_t line;                    /* of the file */
} rk_lexeme;

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* X(ID, word)    points for an entry, how many points or digits are enough, how near is near */
/* clang-format off */
#define RK_WEIGHS(X) \
    X(OWN, "own") X(AROUND, "around") X(UNMENTIONED, "unmentioned") X(IDLE, "idle") X(SCOPE, "scope") X(PASS, "pass") \
    X(COUNTING, "counting") X(PARTLY, "partly") X(SCOPE_SAID, "scope-said") X(SUMMANDS, "summands") \
    X(FORMULA, "formula") X(SURE, "sure") X(RIVAL, "rival") X(WHOLE, "whole") X(PLAIN, "plain") X(FAR, "far") \
    X(SHARE, "share") X(ROUGH, "rough") X(FAIR, "fair") X(SLIP, "slip") X(EXACT, "exact") X(LONG, "long") \
    X(NEAR, "near") X(SHARE_NEAR, "share-near") X(ROUGHLY, "roughly") X(ELSEWHERE, "elsewhere")
/* clang-format on */

typedef enum rk_weigh {
#define RK_WEIGH_ENUM(ID, word) RK_WEIGH_##ID,
    RK_WEIGHS(RK_WEIGH_ENUM)
#undef RK_WEIGH_ENUM
    RK_N_WEIGH
} rk_weigh;

/* ---- the whole --------------------------------------------------------------------------------------------------- */

typedef struct rk_lexicon {
    struct {
        RK_VEC(rk_lexeme) word; /* in the order of the file */
        bool inside;            /* one of them may stand inside of others */
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
