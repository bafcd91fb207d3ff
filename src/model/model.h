/* SPDX-License-Identifier: MIT */
/*
 * model/model.h - a model: its symbols bound to numbers, its equations expanded into a program.
 *
 * Stage   syntax tree + document -> [model] -> program.
 * Uses    base/, expr/, lang/, read/.
 * Memory  a model owns its arena and its pool; everything reached from it lives as long as it does.
 * Threads a model is const once it is open: any number of threads share it.  Whoever computes with other numbers, or
 *         builds expressions, has an instance of it (model/instance.h).
 */
#ifndef RK_MODEL_MODEL_H
#define RK_MODEL_MODEL_H

#include "model/roles.h"
#include "read/doc.h"
#include "read/quant.h"

/* A symbol set from outside: D=4096 on the command line, or a word for a `choose`. */
typedef struct rk_setting {
    const char *name;
    rk_i128 value;
    const char *word; /* not NULL: a word instead of a number */
    const char *noun; /* not NULL: "layers", which was typed, and which the one symbol of its role must be; constant */
} rk_setting;

const rk_setting *rk_setting_find(const rk_setting *s, size_t n, const char *name); /* NULL: it is not set */

typedef enum rk_symbol_kind {
    RK_SYMBOL_RUN,   /* of the run: B, S, U … */
    RK_SYMBOL_MODEL, /* of the model: from the config, or a number */
    RK_SYMBOL_LOOP   /* the running number of a loop */
} rk_symbol_kind;

typedef struct rk_symbol {
    const char *name;
    const char *text; /* one line of meaning, or NULL */
    rk_symbol_kind kind;
    rk_symbol_role role; /* what it is a size of, as far as name and meaning declare it … */
    size_t tower;        /* … and the bytes of the meaning's word before that: "image " of "image layers" */
    rk_sym sym;
    bool known;         /* it has a number, … */
    rk_i128 value;      /* … with which the model was opened */
    const char *key;    /* the config key it came from, or NULL */
    const char *factor; /* … or one of those that it was computed with, or NULL */
    bool fallback;      /* the config had no such key: the default was taken */
    bool set;           /* given from outside */
    rk_i128 context;    /* of the run: what the config has of it, whatever it is set to; 0: nothing */
    bool fixed;         /* its number shaped the program: another number needs the model opened again */
    bool followed;      /* the number of another symbol of the run came of it: another one may be meant, too */
    bool
        checked; /* a `check` or a `note` of the model file looked at its number: another one is to be looked at, too */
} rk_symbol;

/* Whether its number is the model file's, because the config has no such key and no one set it. */
static inline bool rk_symbol_is_default(const rk_symbol *s)
{
    return s->key && s->fallback && !s->set && s->kind != RK_SYMBOL_RUN;
}

typedef enum rk_key_from {
    RK_KEY_GIVEN,   /* the config says it */
    RK_KEY_DEFAULT, /* the config leaves it out, or says null: the model file's default */
    RK_KEY_LINE,    /* its symbol was set from outside */
    RK_KEY_UNREAD   /* the config says it, and the model file did not ask */
} rk_key_from;

/* A key of the config.  Of several spellings of one thing, the one that was given; where none was, the first. */
typedef struct rk_key {
    const char *path; /* hidden_size, text_config.hidden_size */
    rk_key_from from;
    rk_doc value;          /* null: nothing stands for it, or what does differs between layers */
    const char *otherwise; /* DEFAULT: as the model file writes it, where it is more than a value: D / N; or NULL */
    bool varies;           /* DEFAULT: it differs between layers */
    const char *symbol;    /* the `let` or `run` that takes it, or NULL */
    const char *text;      /* its meaning, or NULL */
} rk_key;

/* A comparison that shaped the program: it stands for numbers with which `size` still is, or is not, below `bound`. */
typedef struct rk_threshold {
    rk_ex size, bound;
    bool below;
} rk_threshold;

struct rk_build;
struct rk_ctx;

typedef struct rk_model {
    struct rk_model_draft *draft; /* who made it, and frees it */
    rk_arena arena;
    rk_arena texts;                 /* of the config and of the files that it was read from */
    const struct rk_model *base;    /* the model that a pass made this one from; NULL: it was opened */
    const struct rk_model *part_of; /* that model, of which a step runs this part alone; NULL: this is whole */
    const struct rk_ctx *expansion; /* how it was expanded; NULL: a pass made it */
    const rk_pool *pool;
    const char *name;        /* gpt2-xl, or the file's name */
    const char *family;      /* the model file's own name: gpt2 */
    const rk_nodes *lowered; /* names of the files whose bodies it takes before those for all; NULL: there are none */
    const char *text;        /* one line of meaning */
    bool like;               /* the config is of another family, and was read like one of this */
    bool at_defaults;        /* no config: sizes that were not set are those that the family has by default */
    bool notes_name;         /* the first note is about the name: it was typed otherwise */
    const char *const *note; /* what its model file has to say of it, for people */
    size_t n_note;
    const rk_symbol *symbol;
    size_t n_symbol;
    const rk_key *key; /* of the config, in the order in which they were read; none unless the source asked for them */
    size_t n_key;
    RK_VEC(rk_threshold) threshold; /* of the program */
    rk_quant quant;                 /* how the config's checkpoint stores numbers */
    const char *scaling;            /* of rotary positions, as the config calls it: "yarn"; NULL: there is none */
    rk_program program;
    rk_roles roles; /* of its operations and weights */
    /* Values of all symbols of the pool, as a binding: numbers where known. */
    const rk_i128 *value;
    const bool *known;
} rk_model;

/* Files that were parsed before: none is parsed twice.  Their trees are only read, and outlive the models. */
typedef struct rk_parsed {
    rk_arena arena;
    RK_VEC(struct rk_file *) file;
} rk_parsed;

/*
 * How `use` finds files: returns the text of a path relative to `from` (the name of the file that uses it), or NULL.
 * The text must live as long as the call to rk_model_open.
 */
typedef struct rk_finder {
    int (*find)(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                size_t *n, rk_err *err);
    void *self;
    rk_parsed *parsed; /* NULL: each is parsed when it is used */
} rk_finder;

/*
 * Parses `text` (a model file called `file_name` in messages), binds its symbols to `config` and `setting`, and
 * expands it.  Mistakes in the model file are all written to `mistakes` (NULL: not), with their lines and carets;
 * `err` then says how many there were.
 */
typedef struct rk_model_source {
    const char *name;      /* what the user called the model */
    const char *file_name; /* the model file, for messages */
    const char *text;
    size_t n;
    const rk_doc *config;    /* NULL: none */
    const char *config_name; /* for messages */
    const rk_setting *setting;
    size_t n_setting;
    rk_str *lacks;  /* not NULL: the config is of another family, and this gets the sizes that it leaves to this one */
    bool is_family; /* a family by its name alone: where it has defaults, they are no model's */
    const char *note; /* of its name, to stand before its own notes; NULL: none */
    bool any_run;     /* its weights alone are asked for: a run that cannot be is no mistake */
    bool wants_keys;  /* note which keys of the config are read, and which are not */
    bool adapts;      /* there will be adapters: their rank may be set, though no symbol of the model is called so */
    rk_finder finder;
} rk_model_source;

int rk_model_open(const rk_model_source *source, const rk_model **out, rk_str *mistakes, rk_err *err);
void rk_model_free(const rk_model *m);

/* Gives a model the texts that it was read from, to be freed with it. */
void rk_model_keep(const rk_model *m, rk_arena texts);

/* Puts models that a pass made on the way at the end of those that are freed with `m`. */
void rk_model_own(const rk_model *m, const rk_model *other);

/* Whether the model file gives something this name: a symbol, a number, a word or a tensor. */
bool rk_model_names(const rk_model *m, const char *name);

/* What was said of a symbol when the model was opened, or NULL. */
const rk_setting *rk_model_setting(const rk_model *m, const char *name);

/* Whether the program is the one for these numbers, as far as thresholds go; symbols that are `fixed` are not asked. */
bool rk_model_stands(const rk_model *m, const rk_binding *at);

/*
 * The same model with other numbers of the run, as if it had been opened with these settings.  *out stays NULL where
 * they shape the equations, so that it has to be opened again.  A model that passes have made is given with `from`, the
 * one that it was made of, which has the other numbers already; else `from` is NULL.  That no pass looked at them is
 * for the caller to know; bodies that were put in the place of calls are asked here.
 */
int rk_model_renumber(const rk_model *base, const rk_model *from, const rk_setting *setting, size_t n,
                      const rk_model **out, rk_err *err);

/* A model that is being made: what of it may still be changed. */
typedef struct rk_model_draft {
    rk_model *model;
    rk_pool *pool;
    rk_symbol *symbol;
    rk_i128 *value; /* room for RK_SYM_MAX */
    bool *known;
    const rk_model *between; /* models that passes made before it, freed with it */
} rk_model_draft;

/* An empty one.  It is freed with its model. */
int rk_model_begin(rk_model_draft **out, rk_err *err);
/* One with the symbols and numbers of another, but without a program yet, and with a pool over its pool. */
int rk_model_derive(const rk_model *base, rk_model_draft **out, rk_err *err);

/* Ends making a model: its program and the roles in it; unless `code` says that it failed before.  Then it is freed. */
int rk_model_finish(int code, rk_model_draft *d, struct rk_build *b, const rk_model **out);

rk_binding rk_model_binding(const rk_model *m);
const rk_symbol *rk_model_symbol(const rk_model *m, const char *name);
const rk_symbol *rk_model_size(const rk_model *m, rk_symbol_role role); /* the first of that role; NULL: none */

/* The program as text, in the language where that is possible: for who wants to see what a pass did. */
void rk_program_put(const rk_model *m, rk_str *out);

/*
 * An operation as a line of its own, with the sizes of its call in place of the labels of a block:
 * "gate[B S F] = normed[B S D] * .gate_proj.weight[F D]".  *summed: the axes that are summed, between spaces, or NULL.
 * In the arena given; NULL: no memory.
 */
const char *rk_op_line(rk_arena *a, const rk_model *m, uint32_t op, const char **summed);
const char *rk_operand_text(rk_arena *a, const rk_model *m, uint32_t op, size_t operand); /* ".gate_proj.weight[F D]" */
const rk_label *rk_op_line_labels(rk_arena *a, const rk_model *m, uint32_t op); /* all labels, those of it named so */

/* The name of a weight in one layer: `index` gives the running number of each loop (by loop number). */
int rk_weight_name_text(const rk_model *m, const rk_weight_name *name, const rk_i128 *index, rk_str *out, rk_err *err);

#endif
