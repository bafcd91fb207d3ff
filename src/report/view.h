/* SPDX-License-Identifier: MIT */
/*
 * report/view.h - what reports share: numbers and formulas of a ledger, lines that every report has.
 *
 * Stage   ledger -> [report] -> bytes; private to report/.
 * Uses    base/, expr/, model/, account/.
 * Memory  a view owns an arena for the page; rk_view_end frees it.
 * Threads one view, one thread.
 *
 * Failure is sticky: the first one stays in `code` and in the error given, values are 0 from then on, and rk_view_end
 * throws away what was written.
 */
#ifndef RK_REPORT_VIEW_H
#define RK_REPORT_VIEW_H

#include "account/rollup.h"
#include "report/page.h"
#include "report/report.h"

typedef struct rk_view {
    const rk_report *report;
    const rk_ledger *ledger; /* NULL: a report about no model */
    const rk_model *model;
    const rk_instance *instance; /* at whose numbers expressions are evaluated */
    rk_pool *pool;
    rk_arena arena;
    rk_page page;
    void (*put)(struct rk_view *v, const void *about); /* puts the page, or NULL: it is there */
    const void *about;
    const struct rk_packing *packing; /* NULL: not asked for yet */
    size_t start;                     /* of this report in the output */
    int style;                        /* RK_PRINT_FACTORED or 0 */
    rk_err *err;
    int code;
} rk_view;

void rk_view_begin(rk_view *v, const rk_report *r, const rk_ledger *l, rk_err *err);

/* Has the page put by this function, and only where somebody will see it: it costs more than the answer. */
void rk_view_page(rk_view *v, void (*put)(rk_view *v, const void *about), const void *about);

/* Draws the page in the report's format, if that is one for people, and ends the view; the report's result. */
int rk_view_end(rk_view *v);

/* The number that an expression is; 0 after a failure. */
rk_i128 rk_view_value(rk_view *v, rk_ex e);

/* The same in a cell; null, and no failure, where a symbol has no value. */
rk_cell rk_view_number(rk_view *v, rk_ex e);

/* times × figure, both as numbers. */
rk_i128 rk_view_total(rk_view *v, rk_ex times, rk_ex figure);

/* True and the value where all symbols have one; no failure otherwise. */
bool rk_view_known(rk_view *v, rk_ex e, rk_i128 *out);

/* "D (width) has no value: set it, as in D=4096", or nothing where all symbols of an expression have one. */
const char *rk_view_missing(rk_view *v, rk_ex e);

/* A text that lives as long as the view; the one given is freed. */
const char *rk_view_keep(rk_view *v, rk_str *s);

/* Likewise: "1,234"; "152 GB"; "1.56 billion"; "1.56 B"; "1 tensor", "3 tensors"; a text that comes from a
 * file, with nothing in it that a terminal obeys. */
const char *rk_view_grouped(rk_view *v, rk_i128 n);
const char *rk_view_scaled(rk_view *v, rk_i128 n, const char *unit);
const char *rk_view_words(rk_view *v, rk_i128 n);
const char *rk_view_letters(rk_view *v, rk_i128 n);
const char *rk_view_counted(rk_view *v, size_t n, const char *one);
const char *rk_view_safe(rk_view *v, const char *text);
const char *rk_view_format(rk_view *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A cell with such a text in it, which is borrowed, and with a shorter one for narrow paper. */
rk_cell rk_view_text(const char *text);
rk_cell rk_view_texts(rk_view *v, rk_str *full, rk_str *brief); /* kept, as rk_view_keep does */

/* A table whose columns are copied: for those that depend on what is shown. */
rk_table *rk_view_table(rk_view *v, const rk_field *column, size_t n_column);

/* The formula to show, in a cell, and as a text that lives as long as the view. */
rk_ex rk_view_form(rk_view *v, rk_ex e);
rk_cell rk_view_formula(rk_view *v, rk_ex e);

/* "(12 terms)" to people where it has more than `most`: sums of parts would be wider than they are worth in a table. */
#define RK_VIEW_TERMS_IN_TABLE 6
rk_cell rk_view_short_formula(rk_view *v, rk_ex e, size_t most);
const char *rk_view_formula_text(rk_view *v, rk_ex e, int style);

/* ---- lines that reports share -------------------------------------------------------------------------------- */

/* Where the config is one of another family: whose file read it, and what of the keys that it reads is not there. */
void rk_view_put_like(rk_view *v);

/* What the model file has to say of the model, a line each; in JSON a list of texts, "notes", where there are any. */
void rk_view_put_notes(rk_view *v);

/*
 * The context of a model whose length is beyond it, which the config does not foresee: numbers are right, but nobody
 * has trained such a model.  0: it is not; else *which is that length.
 */
rk_i128 rk_view_beyond(const rk_instance *m, const rk_symbol **which);
void rk_view_put_beyond(rk_view *v); /* a line on it, or nothing */

/* "B = 1 sequences in the batch, S = 1,024 tokens of a sequence", and whether that is beyond the context */
void rk_view_put_run(rk_view *v);

/* The same of the symbols of one kind that have a value and occur in some expressions. */
void rk_view_put_symbol_line(rk_view *v, rk_symbol_kind kind, const rk_ex *e, size_t n);

/* A table of the parts of a model with their parameters and operations (components.c). */
void rk_view_put_components(rk_view *v);

/* A table of the bytes of the weights in usual number formats (load.c). */
void rk_view_put_load(rk_view *v);

/* Bytes of all parameters in numbers of so many bits; 0 where they are not known. */
rk_i128 rk_view_load_bytes(rk_view *v, int each);

/* "bytes": {"fp32", "bf16", "int8", "int4"} */
extern const rk_fields rk_load_fields;
void rk_view_load(rk_view *v, rk_cell *in);

/* What the config says of the stored size (packing.c): never NULL. */
const struct rk_packing *rk_view_packing(rk_view *v);

/* "Stored as bf16: 16,060,522,496 bytes (16.1 GB)." or how it is quantised; nothing where no config says so. */
void rk_view_put_packing(rk_view *v);

/* The same as keys, from this place of an object's fields on; its cells from that place on. */
enum {
    RK_PACKING_METHOD,
    RK_PACKING_BYTES,
    RK_PACKING_BITS,
    RK_PACKING_NOTE,
    RK_N_PACKING
};

/* clang-format off */
#define RK_FIELDS_OF_PACKING(AT) \
    [(AT) + RK_PACKING_METHOD] = RK_KEY("quantised_by", TEXT, "the method"), \
    [(AT) + RK_PACKING_BYTES] = RK_KEY("bytes", COUNT, "as the config says it is stored"), \
    [(AT) + RK_PACKING_BITS] = RK_KEY("bits_per_weight", DIGITS, "of them, to two digits"), \
    [(AT) + RK_PACKING_NOTE] = RK_KEY("bytes_note", TEXT, "what the config leaves open")
/* clang-format on */

void rk_view_packing_keys(rk_view *v, rk_cell *cell);

/* "checkpoint": the same in an object of its own, with the type of what is not quantised; or nothing. */
extern const rk_fields rk_checkpoint_fields;
void rk_view_checkpoint(rk_view *v, rk_cell *in);

/* "file": a checkpoint that was named, or nothing; its words, NULL where there are none: "The file stores 4,920,734,720
 * bytes, 4.89 bits a weight: …", and a note after it. */
typedef struct rk_store_words {
    const char *line, *note;
    rk_i128 bytes;
} rk_store_words;
extern const rk_fields rk_store_fields;
rk_store_words rk_view_store(rk_view *v, rk_cell *in);
void rk_view_put_store_words(rk_view *v, const rk_store_words *words);

/*
 * What it takes to load, serve and fine-tune it, and the smallest device that has it (needs.c): a list of the answer,
 * and the table and lines that people see of it.  There are no rows where a symbol has no number.
 */
extern const rk_fields rk_needs_fields;
rk_table *rk_view_needs(rk_view *v, rk_cell *in, const rk_needs *n, const rk_store_words *store);
void rk_view_put_needs(rk_view *v, rk_table *t, const rk_needs *n);

/* "FLOP" or "MAC"; what counts, in words, and in fewer, without the options that say it. */
const char *rk_view_unit(const rk_view *v);
rk_cell rk_view_flops(const rk_view *v, rk_i128 n); /* a count of them */
void rk_view_put_convention(rk_view *v);
void rk_view_put_counted(rk_view *v);

/* A table of the symbols that occur in some expressions (NULL: of all): name, value, definition, meaning. */
void rk_view_put_symbols(rk_view *v, const rk_ex *e, size_t n);

/* "name = formula" and below it "= number", with a note after that, or NULL. */
void rk_view_put_sum(rk_view *v, const char *name, rk_ex e, const char *note);

/*
 * Keys that answers share.  An answer about a model begins with RK_FIELDS_OF_MODEL, at these places of its enum, and
 * rk_view_answer fills them.
 */
enum {
    RK_ANSWER_MODEL,
    RK_ANSWER_LIKE,
    RK_ANSWER_DEFAULTS,
    RK_ANSWER_NOTES,
    RK_N_ANSWER
};

/* clang-format off */
#define RK_FIELDS_OF_MODEL \
    [RK_ANSWER_MODEL] = RK_KEY("model", TEXT, "the model's name"), \
    [RK_ANSWER_LIKE] = RK_KEY("read_like", TEXT, "the family as whose config this one was read"), \
    [RK_ANSWER_DEFAULTS] = RK_KEY("default_sizes", TRUTH, "a family at its default sizes, no model"), \
    [RK_ANSWER_NOTES] = RK_KEY("notes", TEXTS, "what the model file has to say about it")

/* Such a table of fields, with names for its own cells as RK_FIELD_TABLE gives them. */
#define RK_ANSWER_TABLE(table, N, ROWS) \
    enum { table##_before = RK_N_ANSWER - 1, ROWS(RK_FIELD_ID) N }; \
    static const rk_field table[N] = {RK_FIELDS_OF_MODEL, ROWS(RK_FIELD_AT)}
/* clang-format on */

rk_cell *rk_view_answer(rk_view *v, const rk_fields *of);

/* "symbols": {"B": 1, …}; "convention": {"count", "causal", "unit"}; "forward": {"total", "formula"}. */
extern const rk_fields rk_symbols_fields, rk_convention_fields, rk_total_fields;
extern const rk_field rk_parameters_field[]; /* "stored", "named", "active", "trained" (params.c) */
void rk_view_symbols(rk_view *v, rk_cell *in);
void rk_view_convention(rk_view *v, rk_cell *in);
void rk_view_sum(rk_view *v, rk_cell *in, rk_ex e);

/* The name of a node, and of one in it or NULL, with a shorter one for narrow paper: layers[0-2,4-6,…,44-46] */
rk_cell rk_view_path_name(rk_view *v, const rk_roll_node *n, const rk_roll_node *in_it);

/* The name of a line in a tree: parts that hold nothing but one thing are one line with it; *i moves to the last. */
rk_cell rk_view_node_name(rk_view *v, const rk_rollup *tree, size_t *i, int depth);

#endif
