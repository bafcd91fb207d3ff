/* SPDX-License-Identifier: MIT */
/*
 * audit/index.h - every quantity of a model by its value: which one is this number?
 *
 * Stage   model -> [audit] -> quantities that a number or some words may mean.
 * Uses    base/, expr/, model/, account/, plan/open.h, ask/conventions.h, audit/lexicon.h.
 * Memory  an index owns its arena and the ledgers and accounts that it has made; it borrows the model.
 * Threads building needs the instance alone, and so do formulas; finding is free for all.
 *
 * An entry is a sum of a few figures of the ledger: a row, a part, a total, a total without one of its parts.  Its
 * value is known from the beginning, its formula is put together when it is asked for.  What is a plain multiple of an
 * entry is no entry: a *ratio* says what the multiple means ("per token", "4 bytes each", "twice"), and the number that
 * is looked for is divided by each ratio instead.  So the index stays small, and a look-up is some binary searches.
 *
 *     rk_index *x;
 *     rk_matches found;
 *     if (rk_index_new(&source, &x, &err) == RK_OK)
 *         rk_index_find(x, &arena, &query, &found, &err), rk_matches_rank(&found);
 *     rk_index_free(x);
 */
#ifndef RK_AUDIT_INDEX_H
#define RK_AUDIT_INDEX_H

#include "account/ledger.h"
#include "audit/lexicon.h"
#include "base/vec.h"
#include "plan/open.h"

#define RK_INDEX_ENTRIES_MAX (1u << 17)              /* a model of a thousand different rows has a tenth of it */
#define RK_MATCHES_MAX 4096                          /* that are kept and ranked; a number with more means nothing */
#define RK_INDEX_SHARE_UNIT ((rk_i128)1000000000000) /* a share of 1 */

/* X(ID, word)    word: for programs */
/* clang-format off */
#define RK_INDEX_KINDS(X) \
    X(SIZE,    "size")       /* the number of a symbol */ \
    X(PARAMS,  "parameters") \
    X(NUMBERS, "numbers")    /* of an activation or a cache */ \
    X(FLOPS,   "flops")      /* of products */ \
    X(ALL_OPS, "operations") /* of everything, or as a convention counts */ \
    X(BYTES,   "bytes") \
    X(SHARE,   "share")
/* clang-format on */

typedef enum rk_index_kind {
#define RK_INDEX_KIND_ENUM(ID, word) RK_INDEX_##ID,
    RK_INDEX_KINDS(RK_INDEX_KIND_ENUM)
#undef RK_INDEX_KIND_ENUM
    RK_N_INDEX_KIND
} rk_index_kind;

extern const char *const rk_index_kind_word[RK_N_INDEX_KIND];

/* Sets of kinds. */
#define RK_INDEX_IS(ID) (1u << RK_INDEX_##ID)
#define RK_INDEX_COUNTS (RK_INDEX_IS(SIZE) | RK_INDEX_IS(PARAMS) | RK_INDEX_IS(NUMBERS) | RK_INDEX_OPERATIONS)
#define RK_INDEX_OPERATIONS (RK_INDEX_IS(FLOPS) | RK_INDEX_IS(ALL_OPS))
#define RK_INDEX_ANY (RK_INDEX_COUNTS | RK_INDEX_IS(BYTES)) /* shares are looked for only where a number is one */

/* What a figure of the ledger is: so much each, so many times. */
typedef struct rk_index_term {
    const rk_instance *instance; /* in whose pool the expressions are */
    rk_ex one, times;
    rk_i128 n_one, n_times;
} rk_index_term;

typedef enum rk_index_form {
    RK_INDEX_SUM,  /* of its terms */
    RK_INDEX_LESS, /* the first without the last */
    RK_INDEX_RATIO /* all others of the last: a share */
} rk_index_form;

typedef struct rk_index_entry {
    rk_i128 value; /* a share: in RK_INDEX_SHARE_UNIT-ths, rounded down */
    rk_index_kind kind;
    rk_index_kind of; /* of a share: of what */
    rk_index_form form;
    int cost;               /* how far-fetched it is: 0 is a total of the whole model */
    bool all;               /* all occurrences of its terms; else one of each */
    bool of_heads;          /* it is divided among the heads of attention */
    rk_i128 times;          /* so often it occurs; 0: not everywhere alike */
    const char *path;       /* layers.attention.scores; "": the whole model */
    const char *part;       /* the part around it, where its path does not say so (tensors); NULL otherwise */
    const char *with;       /* what of it: "scores + context", "without head"; NULL: itself */
    const char *what;       /* "forward FLOPs", "parameters" */
    const char *convention; /* "exact pairs of the mask"; NULL: the ledger's own, products and the full square */
    uint32_t first, n_term; /* terms of the index */
    uint32_t name;          /* the words of its path, for rk_index_words */
    uint32_t number;        /* in the order of gathering */
} rk_index_entry;

/* A multiple that means something, of entries of one kind: what is written = entry × num / den. */
typedef struct rk_index_ratio {
    rk_index_kind from, to;
    rk_i128 num, den;  /* in lowest terms */
    rk_ex by;          /* what the view multiplies with: 1/(BS); of the instance's pool */
    rk_ex slip;        /* what is multiplied with beyond that: 2, L; 1 where nothing is */
    const char *view;  /* "per token", "4 bytes each"; NULL: the entry itself */
    const char *times; /* "twice", "half of", "L times"; NULL: once */
    bool per_head;     /* it makes sense for what heads share alone */
    int cost;
} rk_index_ratio;

typedef struct rk_index rk_index;

typedef struct rk_index_source {
    const rk_lexicon *lexicon;     /* outlives the index */
    const rk_instance *instance;   /* opened without a profile; all of its symbols have numbers */
    const rk_open_request *reopen; /* how it was opened */
    bool steps;                    /* with bytes of training steps on paper, which take more time than all else */
} rk_index_source;

/* RK_EVALUE: a symbol has no number. */
int rk_index_new(const rk_index_source *source, rk_index **out, rk_err *err);
void rk_index_free(rk_index *x);

/* Adds the bytes of training steps later; entries that were handed out before are no longer valid. */
int rk_index_add_steps(rk_index *x, const rk_open_request *reopen, rk_err *err);

const rk_index_entry *rk_index_entries(const rk_index *x, size_t *n); /* by value, the least first */
const rk_instance *rk_index_instance(const rk_index *x);

/* The first entry that is not below a value; *end is after the last one, or after so many. */
const rk_index_entry *rk_index_from(const rk_index *x, rk_i128 value, size_t most, const rk_index_entry **end);

/* The closed form of an entry, and the pool of its symbols. */
rk_ex rk_index_formula(const rk_index *x, const rk_index_entry *e, const rk_instance **model);

/* ---- by value ---------------------------------------------------------------------------------------------------- */

/* A number to look for: low/den to high/den, both included; they are the same where it is exact. */
typedef struct rk_index_query {
    rk_i128 low, high, den;
    unsigned kinds; /* a set, RK_INDEX_ANY or less */
    int cost_max;   /* of matches; 0: as the digits of the number bear it */
} rk_index_query;

typedef struct rk_match {
    const rk_index_entry *entry;
    const rk_index_ratio *ratio;
    rk_i128 value; /* entry × ratio, a whole number; a share: as its entry */
    int cost;      /* of both */
    bool other;    /* set by who read the number: its unit was taken in the other powers, of 1,024 or of 1,000 */
    double off;    /* how far the value is from the middle of what was looked for, as a part of it */
} rk_match;

typedef struct rk_matches {
    RK_VEC(rk_match) at;
    size_t n_all; /* with those that were not kept */
} rk_matches;

/* Adds all matches of a query, in no order. */
int rk_index_find(const rk_index *x, rk_arena *a, const rk_index_query *q, rk_matches *out, rk_err *err);

/* The simplest multiple of one entry that lies within a query; false: none does. */
bool rk_index_match(const rk_index *x, const rk_index_entry *e, const rk_index_query *q, rk_match *out);

/*
 * The simplest first; of equally simple ones the nearest, then in the order of the ledger.  What says the same of the
 * same thing in a more complicated way (half of what goes backward) is left out.
 */
void rk_matches_rank(rk_matches *m);

/* The nearest entries below and above a number, as they are; NULL: there is none. */
void rk_index_near(const rk_index *x, const rk_index_query *q, const rk_index_entry **below,
                   const rk_index_entry **above);

/* The formula of what the view of a match gives, without its slip: 2BS²D / N. */
rk_ex rk_match_formula(const rk_index *x, const rk_match *m, const rk_instance **model);

/* "layers.attention.scores, forward FLOPs, one of 48 layers, per token": a match without its slip, an entry alone. */
void rk_match_put(const rk_match *m, rk_str *out);
void rk_index_put(const rk_index_entry *e, rk_str *out);

/* ---- by words ---------------------------------------------------------------------------------------------------- */

typedef struct rk_worded {
    const rk_index_entry *entry;
    int score; /* how many of the words speak for it, less those of its name that no word mentions */
} rk_worded;

typedef struct rk_wordeds {
    RK_VEC(rk_worded) at; /* the best first */
} rk_wordeds;

/*
 * Entries of which some words speak: "query projection, per block" finds layers.attention.q.  The words are those of a
 * text: everyday names of parts are translated (the lexicon has them), numbers and other words are passed over.
 */
int rk_index_words(const rk_index *x, rk_arena *a, const char *words, unsigned kinds, rk_wordeds *out, rk_err *err);

#endif
