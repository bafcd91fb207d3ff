/* SPDX-License-Identifier: MIT */
/*
 * audit/index_build.h - an index while it is put together; private to audit/index*.c.
 *
 * Stage   as audit/index.h.
 * Uses    audit/index.h, ask/convention_facts.h.
 * Memory  the index's arena.
 * Threads one thread.
 *
 * Entries are gathered by index_gather.c, those of a tree of rows and parts by index_tree.c, and multiples by
 * index_ratio.c.  Failure is sticky, in `code` and in the arena.
 */
#ifndef RK_AUDIT_INDEX_BUILD_H
#define RK_AUDIT_INDEX_BUILD_H

#include "account/memory.h"
#include "account/rollup.h"
#include "ask/convention_facts.h"
#include "audit/index.h"
#include "base/map.h"

#define RK_INDEX_ACCOUNTS_MAX 8
#define RK_INDEX_LEDGERS_MAX 5

#define RK_INDEX_NAME_WORDS 12 /* of a path; a longer one is known by its first ones */

typedef struct rk_index_name {
    uint32_t word[RK_INDEX_NAME_WORDS]; /* different ones, of those of the index */
    size_t n;
} rk_index_name;

struct rk_index {
    rk_arena arena;
    const rk_lexicon *lexicon;
    const rk_instance *instance;
    rk_ledger *ledger[RK_INDEX_LEDGERS_MAX];
    size_t n_ledger;
    rk_instance *opened[3]; /* once more, for accounts of memory: attention eager, fused, fused in fp32; or NULL */
    rk_memory *account[RK_INDEX_ACCOUNTS_MAX];
    size_t n_account;
    rk_facts facts;
    RK_VEC(rk_index_term) term;
    RK_VEC(rk_index_entry) entry;
    RK_VEC(rk_index_ratio) ratio; /* the simplest first */
    rk_map words;                 /* word -> its number */
    uint32_t n_word;
    rk_map names; /* path -> its place in `name` */
    RK_VEC(rk_index_name) name;
    bool cut;
    rk_err *err;
    int code;
};

/* A figure; RK_NONE: it has no value. */
uint32_t rk_index_term_add(rk_index *x, const rk_instance *m, rk_ex one, rk_ex times);

/* An entry of terms that were added before; its value and `first` are filled in.  What is below 1 is left out. */
void rk_index_add(rk_index *x, rk_index_entry e, const uint32_t *term, size_t n);

/* The same of all occurrences and, where there are several, of one; `times` says how many. */
void rk_index_add_scopes(rk_index *x, rk_index_entry e, const uint32_t *term, size_t n);

/* The same of one term, which says how often it occurs. */
void rk_index_add_both(rk_index *x, rk_index_entry e, uint32_t term);

const char *rk_index_text(rk_index *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A tree of rows and parts, with the names of its figures (index_tree.c). */
typedef struct rk_index_tree {
    rk_rollup rollup;
    rk_index_kind kind;
    const char *what[RK_ROLL_FIGURES]; /* "forward FLOPs", "backward FLOPs" */
    const char *both;                  /* "FLOPs of a step"; NULL: its figures are no summands */
    const char *convention;
    bool *of_heads; /* of each node */
    int cost;       /* of all its entries */
    bool in_depth;  /* with sums of neighbours, totals without a part, and shares */
} rk_index_tree;

/* `known` is a tree whose nodes of the same figures are left out; NULL: none is. */
void rk_index_gather_tree(rk_index *x, const rk_index_tree *t, const rk_index_tree *known);

void rk_index_gather_parts(rk_index *x);
void rk_index_gather_memory(rk_index *x, const rk_open_request *reopen);
void rk_index_gather_more(rk_index *x, const rk_library *library);
void rk_index_gather_ratios(rk_index *x);

/* Finds the words of each entry's path (score.c). */
void rk_index_name_entries(rk_index *x);

/* How far-fetched things are: the sum decides the order in which matches are shown. */
enum {
    RK_COST_TOTAL = 0,
    RK_COST_PART = 1,
    RK_COST_ROW = 2,
    RK_COST_SYMBOL = 1,
    RK_COST_BACKWARD = 4, /* of a row: people double a forward figure sooner than they quote a single gradient */
    RK_COST_STEP = 3,
    RK_COST_OTHER_COUNT = 2,
    RK_COST_TOGETHER = 5, /* several rows */
    RK_COST_WITHOUT = 3,
    RK_COST_LESS = 1, /* a part without its norms, a model without biases: as people write them down */
    RK_COST_ACTIVATION = 3,
    RK_COST_KEPT = 2
};

#endif
