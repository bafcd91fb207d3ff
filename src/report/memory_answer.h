/* SPDX-License-Identifier: MIT */
/*
 * report/memory_answer.h - the keys of what `reckon memory` answers, which several files fill.
 *
 * Stage   account of memory -> [report] -> document; private to report/.
 * Uses    report/view.h.
 * Memory  none.
 * Threads no state.
 */
#ifndef RK_REPORT_MEMORY_ANSWER_H
#define RK_REPORT_MEMORY_ANSWER_H

#include "account/memory.h"
#include "report/terms.h"
#include "report/ranks.h"
#include "report/view.h"

/* X(ID, field): of a row of buffers: of one, and of all of them. */
#define RK_BUFFER_ROW(X)                                                                                               \
    X(RK_BUFFER_PATH, RK_COLUMN("", "path", CODE, "the equation that made it"))                                        \
    X(RK_BUFFER_WHAT, RK_COLUMN("", "what", TEXT, "what it is beside the equation's result", .drop = 4))               \
    X(RK_BUFFER_KIND, RK_COLUMN("", "kind", TEXT, "of a cache", .drop = 4))                                            \
    X(RK_BUFFER_LAYERS, RK_COLUMN("layers", "layers", TEXT, "in which layers, where it is not in all", .drop = 6))     \
    X(RK_BUFFER_TOKENS, RK_COLUMN("tokens", "tokens", COUNT, "that a cache has", .right = true, .drop = 5))            \
    X(RK_BUFFER_BYTES, RK_COLUMN("each", "bytes", COUNT, "of one", .unit = "B", .right = true, .drop = 3))             \
    X(RK_BUFFER_TIMES, RK_COLUMN("times", "times", COUNT, "how many", .right = true, .drop = 5))                       \
    X(RK_BUFFER_TOTAL, RK_COLUMN("bytes", "bytes_total", COUNT, "of all of them", .unit = "B", .right = true))         \
    X(RK_BUFFER_FORMULA, RK_COLUMN("formula of each", "formula", FORMULA, "of one", .wraps = true, .drop = 2))         \
    X(RK_BUFFER_GLOSS,                                                                                                 \
      RK_COLUMN("what it is, and its shape", "gloss", TEXT, "in words", .json = true, .wraps = true, .drop = 1))       \
    X(RK_BUFFER_PART, RK_KEY("part", TEXT, "whose it is: attention, ffn, norms …", .json = true))                      \
    X(RK_BUFFER_KEPT, RK_KEY("kept", COUNT, "how many of them are saved for backward, at the peak", .json = true))     \
    X(RK_BUFFER_NUMBER, RK_KEY("number_bytes", COUNT, "bytes of a number of what is saved", .json = true))             \
    X(RK_BUFFER_NEEDED, RK_KEY("needed_by", TEXTS, "operations whose gradients need it", .json = true))                \
    X(RK_BUFFER_UNTIL, RK_KEY("until", CODE, "the operation whose gradient lets go of it", .json = true))

/* X(ID, field): of the answer, after those of RK_FIELDS_OF_MODEL. */
#define RK_MEMORY_ANSWER(X)                                                                                            \
    X(RK_MEMORY_SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                            \
    X(RK_MEMORY_PROFILE, RK_OBJECT("profile", rk_profile_fields, "how the step is run"))                               \
    X(RK_MEMORY_LAYOUT, RK_OBJECT("layout", rk_layout_fields, "the rank, where there are several devices"))            \
    X(RK_MEMORY_PARAMETERS, RK_KEY("parameters", COUNT, "bytes of the weights"))                                       \
    X(RK_MEMORY_TRAINED, RK_KEY("trained", COUNT, "parameters that are trained"))                                      \
    X(RK_MEMORY_GRADIENTS, RK_KEY("gradients", COUNT, "bytes"))                                                        \
    X(RK_MEMORY_OPTIMIZER, RK_KEY("optimizer", COUNT, "bytes of its state"))                                           \
    X(RK_MEMORY_SAVED, RK_KEY("saved", COUNT, "bytes saved for backward"))                                             \
    X(RK_MEMORY_SAVED_FORMULA, RK_KEY("saved_formula", FORMULA, "of the same"))                                        \
    X(RK_MEMORY_CACHE, RK_KEY("kv_cache", COUNT, "bytes of the cache"))                                                \
    X(RK_MEMORY_PEAK, RK_KEY("peak", COUNT, "the most bytes of tensors and workspaces at once"))                       \
    X(RK_MEMORY_PER_SEQUENCE, RK_KEY("per_sequence", COUNT, "bytes of the cache of one sequence"))                     \
    X(RK_MEMORY_PER_TOKEN, RK_KEY("per_token", COUNT, "bytes by which the cache grows with a token"))                  \
    X(RK_MEMORY_LOGITS, RK_KEY("logits", COUNT, "bytes of the logits"))                                                \
    X(RK_MEMORY_WORKSPACE, RK_KEY("workspace", COUNT, "bytes at the peak beside weights and cache"))                   \
    X(RK_MEMORY_HELD_AS, RK_KEY("weights_held_as", TEXT, "the type of the matrices, where it is another"))             \
    X(RK_MEMORY_READ_PER_TOKEN, RK_KEY("read_per_token", COUNT, "bytes read for each new token"))                      \
    X(RK_MEMORY_STEP, RK_OBJECT("step", rk_serving_fields, "the memory traffic of a decoding step"))                   \
    X(RK_MEMORY_FIRST_STEP, RK_OBJECT("first_step", first_step_fields, "the most bytes alive in the first step"))      \
    X(RK_MEMORY_ALLOCATOR, RK_OBJECT("allocator", allocator_fields, "what the framework's allocator makes of it"))     \
    X(RK_MEMORY_RECOMPUTE_FLOPS, RK_KEY("recompute_flops", COUNT, "FLOPs of what is recomputed"))                      \
    X(RK_MEMORY_RECOMPUTE_FORMULA, RK_KEY("recompute_formula", FORMULA, "of the same"))                                \
    X(RK_MEMORY_WITHIN, RK_OBJECT("within", rk_within_fields, "the largest batch, with --within"))                     \
    X(RK_MEMORY_SAVED_FOR, RK_KEY("saved_for", TEXTS, "numbers for which the formulas hold"))                          \
    X(RK_MEMORY_MOMENTS, RK_LIST("moments", rk_moment_fields, "when it is how much, the largest first"))               \
    X(RK_MEMORY_PEAK_TERMS, RK_LIST("peak_terms", rk_term_fields,                                                      \
                                    "of the formula of the peak, the largest first; its rounding comes besides"))      \
    X(RK_MEMORY_PEAK_PARTS,                                                                                            \
      RK_LIST("peak_parts", peak_part_fields, "what is alive at the peak, by kind: they add up to it"))                \
    X(RK_MEMORY_HOST, RK_OBJECT("host", host_fields, "what the host holds, with --offload"))                           \
    X(RK_MEMORY_SENT, RK_LIST("collectives", rk_sent_fields, "what the rank sends in a step"))                         \
    X(RK_MEMORY_RECIPES, RK_LIST("recipes", rk_recipe_fields, "the same step in usual sets of types (--recipe)"))      \
    X(RK_MEMORY_SAVINGS,                                                                                               \
      RK_LIST("savings", rk_saving_fields, "what would lower the peak, each on top of those before it"))               \
    X(RK_MEMORY_PEAK_ROWS, RK_LIST("peak_rows", rk_buffer_fields, "what is alive at the peak"))                        \
    X(RK_MEMORY_ROWS, RK_LIST("rows", rk_buffer_fields, "what is saved for backward; in serving, the cache"))

enum {
    RK_BUFFER_ROW(RK_FIELD_ID) RK_N_BUFFER
};

enum {
    RK_MEMORY_BEFORE = RK_N_ANSWER - 1,
    RK_MEMORY_ANSWER(RK_FIELD_ID) RK_N_MEMORY
};

extern const rk_fields rk_buffer_fields, rk_profile_fields, rk_serving_fields, rk_within_fields, rk_moment_fields;
extern const rk_fields rk_layout_fields, rk_sent_fields;

/* The rank, and what it sends; nothing where there is one device. */
void rk_view_layout(rk_view *v, rk_cell *in, const rk_layout *l);
void rk_view_put_rank(rk_view *v, const rk_memory *m);

/* What each kind of rank computes, holds and sends: a list of an answer and a table; and whether it fits. */
extern const rk_fields rk_rank_kind_fields;
void rk_view_put_rank_kinds(rk_view *v, rk_cell *in, rk_ranks_asked *asked);

/* "fsdp 8 × tp 8, sp" */
const char *rk_view_mesh(rk_view *v, const rk_layout *l);
void rk_view_put_sent(rk_view *v, rk_cell *in, const rk_memory *m);

/* A row of `t`, whose columns are rk_buffer_fields. */
rk_cell *rk_view_buffer(rk_view *v, rk_table *t, const rk_memory_row *r);

#endif
