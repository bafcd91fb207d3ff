/* SPDX-License-Identifier: MIT */
/*
 * audit/bind_parts.h - figures on their way to a quantity; private to audit/bind*.c.
 *
 * Stage   as audit/bind.h.
 * Uses    audit/bind.h.
 * Memory  the binder's arena, which ends with it.
 * Threads one thread.
 *
 * Letters of the text are matched with symbols (bind_letters.c), sizes that it gives open the model again
 * (bind_sizes.c), words around a figure say what it is about (bind_words.c), what it may be is looked up
 * (bind_find.c) and scored (score.c), and all of that decides, with the figures around it (bind_judge.c).
 */
#ifndef RK_AUDIT_BIND_PARTS_H
#define RK_AUDIT_BIND_PARTS_H

#include "audit/bind.h"
#include "audit/mention.h"

#define RK_BIND_SETTINGS_MAX 16
#define RK_BIND_LENGTHS_MAX 4
#define RK_BIND_VARIANTS_MAX 8    /* other models that titles name */
#define RK_BIND_FIGURES_MAX 10000 /* some hundreds of pages; what comes after is not compared with the model */

/* The model at sizes that a part of the text gives; the first is the model as it was opened. */
typedef struct rk_sizing {
    rk_setting setting[RK_BIND_SETTINGS_MAX];
    size_t n, n_said; /* all of them; those that the text says itself */
    rk_instance *instance;
    rk_index *index; /* NULL: the model cannot be of these sizes */
} rk_sizing;

/* Another model that the text names, as sizes of this one. */
typedef struct rk_named_sizes {
    const char *name;
    rk_sizing sizes;
    bool kin;    /* it is of the same family, or has the same vocabulary */
    bool failed; /* it cannot be opened */
} rk_named_sizes;

/* Heads of a table that are sizes. */
#define RK_BIND_HEADS_MAX 16
typedef struct rk_size_head {
    const rk_symbol *symbol;
    size_t piece;
    bool of_column; /* else of a row */
} rk_size_head;

typedef struct rk_size_heads {
    uint32_t table; /* 0: none was read */
    size_t first;   /* piece of the table */
    rk_size_head head[RK_BIND_HEADS_MAX];
    size_t n;
} rk_size_heads;

/* Words that were looked up, and how well they name a part. */
#define RK_BIND_ASKED 64
typedef struct rk_names_asked {
    const char *names;
    const rk_index *index;
    int points;
} rk_names_asked;

typedef struct rk_bound {
    rk_claim_status status; /* UNKNOWN: nothing can be said */
    const rk_index_entry *entry;
    const rk_index_ratio *ratio; /* of what holds; NULL: the entry itself */
    rk_i128 value;               /* what holds */
    bool as_other;               /* with GB as GiB */
    const rk_index_ratio *slip;  /* what is stated is this multiple of the entry; NULL: not known */
    const char *why;             /* what is in it that should not be; NULL: not known */
    const rk_side *source;       /* the figure that it goes on with */
    bool near;                   /* what is stated is about that, and no rounding of it */
} rk_bound;

typedef struct rk_figure {
    const rk_side *side;
    size_t number; /* among all figures */
    const rk_chain *chain;
    uint32_t scope;
    uint32_t section; /* the heading that it stands under */
    rk_sizing *at;
    bool placed;          /* its table says at which sizes */
    bool titled;          /* a line above it does, as "GPT-2 small:" */
    const double *weight; /* of the lexicon */
    rk_ex value;          /* a plain number of the audit's pool */
    double size;          /* the same */
    double slack;         /* how far off its rounding makes it */
    rk_index_query query;
    rk_index_query other; /* GB as GiB; kinds 0: none */
    unsigned share_of;    /* of a share: kinds that the text speaks of; 0: none */
    bool is_right;        /* by its value and words alone */
    bool is_wrong;        /* an equation or a sum of its chain is, whatever the model says */
    bool is_sum;          /* it is right as the sum of what the text says, which may be rounded */
    bool is_total;        /* of rows above it */
    bool formula;         /* it was one, evaluated at the sizes */
    bool named_here;      /* the words that name it stand beside it, not in a heading */
    bool label;           /* what stands before it is a name and little else */
    bool indirect;        /* it speaks of a quantity of the text, as 16P does */
    int named;            /* points of words for the part of the model that they name best, in whatever it is counted */
    bool kind_said;       /* by its unit, its line or a heading */
    const char *words;    /* around it */
    const char *own;      /* names in what stands before it, or in the heads of its row and column, and nowhere else */
    const char *around;   /* names in its sentence before it, also after other figures */
    const char *names;    /* words that name a part: its own, else those of the nearest heading that has some */
    unsigned said;
    rk_match plain;  /* what it is by value as it is, or in a view that the words speak of; entry NULL: nothing */
    int points;      /* of words for that */
    rk_match viewed; /* the same in a view that no word speaks of */
    int viewed_points;
    bool whole_sentence;             /* words of the whole sentence are looked at */
    bool as_other;                   /* `plain` holds with GB as GiB */
    const rk_index_entry *one, *all; /* what its words alone say that it is, of one layer and of all; NULL: not sure */
    const rk_index_entry *lacking;   /* the whole without a part, which is just this; NULL: none */
    rk_bound bound;                  /* what was decided */
} rk_figure;

typedef struct rk_binder {
    rk_audit *a;
    const rk_bind_source *source;
    rk_err *err;
    int code;
    rk_arena arena;
    const rk_symbol **symbol; /* per symbol of the text: what it is in the model, or NULL */
    size_t n_symbol;
    size_t n_explained; /* letters of which the text was searched for an explanation */
    rk_sizing sizing[RK_BIND_SIZES_MAX];
    size_t n_sizing;
    rk_i128 length[RK_BIND_LENGTHS_MAX]; /* of sequences, which the text speaks of, where they were looked for */
    size_t n_length;
    bool measured;
    rk_named_sizes variant[RK_BIND_VARIANTS_MAX];
    size_t n_variant;
    rk_callnames names;
    rk_mentions mention; /* of models, in the whole text, where they were looked for */
    bool mentioned;
    rk_i128 *number; /* numbers of the text that have all of their digits, the smallest first */
    size_t n_number;
    unsigned said; /* sayings of the whole text, where they were looked for */
    bool listened;
    bool causal, ignoring; /* the text has words for products that are left out on purpose */
    size_t title_line;     /* that was read as a title last; 0: none was */
    const rk_named_sizes *title;
    rk_size_heads heads; /* of the table that was looked at last */
    uint32_t *of_side;   /* per side of the text: the claim that it states, from 1 on; 0: none */
    rk_names_asked asked[RK_BIND_ASKED];
    rk_arena found_arena; /* what the last search found: a text may say the same figure a thousand times */
    rk_matches found;
    const rk_index *found_in;
    rk_index_query found_for;
    RK_VEC(rk_figure) figure;
} rk_binder;

void rk_bind_letters(rk_binder *b);

/* The model at the sizes that a piece gives a figure at byte `use`; NULL: it has none there. */
rk_sizing *rk_bind_sizing(rk_binder *b, size_t piece, uint32_t use, bool *placed, bool *titled);
void rk_bind_set(rk_sizing *z, const rk_symbol *s, rk_i128 value);

/* The setting of a symbol among some; NULL: there is none. */
const rk_setting *rk_bind_setting(const rk_setting *s, size_t n, const char *name);

/* Adds sizes that a figure has by its place (bind_places.c), of its table, or of a heading; true: there are some. */
bool rk_bind_row_sizes(rk_binder *b, size_t piece, rk_sizing *want);
bool rk_bind_title_sizes(rk_binder *b, size_t piece, const rk_named_sizes *line, bool in_table, rk_sizing *want);

/* The model that a line above a byte names as a title; NULL: none does. */
const rk_named_sizes *rk_bind_title_line(rk_binder *b, uint32_t at);

/* "29.80 %" for 29.93 %: so far off, digits after its point come of figures that were rounded before. */
bool rk_bind_is_rounded_share(const rk_figure *f, double off);

/* The line that a figure stands on. */
size_t rk_bind_line(const rk_binder *b, const rk_figure *f);

/* Whether a number stands in the text, with all its digits. */
bool rk_bind_stands_in_text(const rk_binder *b, rk_i128 value);

/* Whether a share is that of something that its label may loosely mean (bind_components.c), at a length of the text. */
bool rk_bind_component_holds(rk_binder *b, const rk_figure *f);

/* Whether FLOPs are those of a component with the width of the FFN that the section gives. */
bool rk_bind_is_said_width(const rk_binder *b, const rk_figure *f);

/* "attention_softmax": a word beside a name that may make it something else (bind_books.c). */
bool rk_bind_is_unknown_label(const rk_binder *b, const rk_figure *f);

/* Whether the model that the section names last before a figure, or just after it, has other sizes than were taken. */
bool rk_bind_names_other(rk_binder *b, const rk_figure *f);

/* "Relation between FLOPs and context length" above it: at which length it is no one says. */
bool rk_bind_is_of_open_length(const rk_binder *b, const rk_figure *f);

/* Whether the model is the one that the section names last before a byte, or else the only one of the text. */
bool rk_bind_is_named(rk_binder *b, size_t piece, uint32_t at);
void rk_bind_close(rk_binder *b);

/* The same at another length of the sequence that the sentence of a figure speaks of, number i; NULL: there is none. */
rk_sizing *rk_bind_other_length(rk_binder *b, const rk_figure *f, size_t i);

/* The same with length i of all that the text speaks of, or, after these, the own one of the model; NULL: none. */
rk_sizing *rk_bind_at_length(rk_binder *b, const rk_sizing *at, size_t i);

/* The symbol of the length of a sequence, of the number of layers; NULL: a model has none, or several. */
const rk_symbol *rk_bind_sequence(const rk_binder *b, const rk_model *m);
const rk_symbol *rk_bind_layers(const rk_binder *b, const rk_model *m);

/* The one symbol of a model that has a role; NULL: it has none, or several. */
const rk_symbol *rk_bind_of_role(const rk_binder *b, const rk_model *m, rk_letter_role r);

/* What a letter of the text is for, by its name or by the words of a definition; RK_N_LETTER: nothing that is known. */
rk_letter_role rk_bind_role(rk_audit *a, rk_sym s, const rk_definition *d);

/* Whether a formula of the text is that of a match at other sizes, too. */
bool rk_bind_same_formula(rk_binder *b, const rk_figure *f, const rk_match *m);

/* The value of a side that has symbols, at a size; RK_EX_FAILED: a symbol is unknown. */
rk_ex rk_bind_value(rk_binder *b, const rk_side *s, uint32_t scope, const rk_sizing *at);

/* Words, names and all that is said around figure i. */
void rk_bind_words(rk_binder *b, size_t i);

/* Names in the line above a figure that is indented less, where nothing stands before the figure on its own line. */
const char *rk_bind_outline_names(rk_binder *b, const rk_figure *f);

/* The words of the lexicon that stand in a text, which may be NULL: their ids. */
unsigned rk_bind_has(const rk_binder *b, rk_words use, const char *text);

/* ---- deciding ---------------------------------------------------------------------------------------------------- */

/* How a match by value stands with the words of its sentence (score.c). */
typedef struct rk_score {
    int points;  /* of words for it */
    bool unsaid; /* something is left out, and no word says so */
    bool viewed; /* in a view, or of a pass, of which no word speaks */
    bool vetoed; /* it cannot be meant */
} rk_score;

/* Whether an entry is a share of something that the text does not speak of. */
bool rk_score_is_of_other(const rk_figure *f, const rk_index_entry *e);

rk_score rk_score_match(rk_binder *b, const rk_figure *f, const rk_wordeds *w, const rk_match *m);

/* Finds what a figure may be; then, when all were looked up, decides. */
void rk_bind_look_up(rk_binder *b, rk_figure *f);
rk_bound rk_bind_decide(rk_binder *b, const rk_figure *f);

/* How far a figure is from an entry: as a part of it; of shares, the difference. */
double rk_bind_off(const rk_figure *f, const rk_index_entry *e);

/* Whether a match by value holds, with so many points of words for it. */
bool rk_bind_holds(const rk_figure *f, const rk_match *m, int points);

/* What is said of a figure (bind_claim.c). */
rk_claim_status rk_bind_status(const rk_binder *b, rk_claim_status s);
const char *rk_bind_quantity_text(rk_binder *b, const rk_bound *x);
const char *rk_bind_formula_text(rk_binder *b, const rk_figure *f, const rk_bound *x);
rk_ex rk_bind_found_value(rk_binder *b, const rk_bound *x);                           /* of the audit's pool */
const char *rk_bind_from_line(rk_binder *b, const char *what, const rk_side *source); /* … of line 12 */
const char *rk_bind_share_text(rk_binder *b, const rk_figure *f, const rk_bound *x);
void rk_bind_fill_claim(rk_binder *b, const rk_figure *f, const rk_bound *x, rk_claim *c);

/* Equations that were not understood for want of a value that the model has. */
void rk_bind_equations(rk_binder *b);

/* Components of which a table or a list gives figures that are none of theirs. */
void rk_bind_components(rk_binder *b);
void rk_bind_tensors(rk_binder *b);

/* Figures that have a mistake of counting in common. */
void rk_bind_assumed(rk_binder *b);

/* Figures that go on with a mistake. */
void rk_bind_carried(rk_binder *b);

/* Shares of figures that stand beside them. */
void rk_bind_shares(rk_binder *b);

/* Claims about how often a quantity is what it is at other sizes. */
void rk_bind_factors(rk_binder *b);
void rk_bind_stated(rk_binder *b); /* sizes, as "16 KV heads" */
void rk_bind_caches(rk_binder *b); /* as if every head had keys of its own */

/* Whether one unit of its rounding is so small a part of a figure: a 276th of 27.6; of an exact number, of itself. */
bool rk_bind_is_sharp(const rk_figure *f, rk_weigh least);

#endif
