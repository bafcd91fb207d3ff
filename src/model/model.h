/* SPDX-License-Identifier: MIT */
/*
 * model/model.h - a model: its symbols bound to numbers, its equations expanded into a program.
 *
 * Stage   syntax tree + document -> [model] -> program.
 * Uses    base/, expr/, lang/, read/.
 * Memory  a model owns its arena and its pool; everything reached from it lives as long as it does.
 * Threads a model is never changed after rk_model_open; any number of threads may read it.
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
    bool known; /* it has a number */
    rk_i128 value;
    const char *key; /* the config key it came from, or NULL */
    bool fallback;   /* the config had no such key: the default was taken */
    bool set;        /* given from outside */
    bool fixed;      /* its number shaped the program: another number needs the model opened again */
    bool checked;    /* a `check` of the model file looked at its number: another one may not be allowed */
} rk_symbol;

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

typedef struct rk_model {
    rk_arena arena;
    rk_pool *pool;
    const char *name;   /* gpt2-xl, or the file's name */
    const char *family; /* the model file's own name: gpt2 */
    const char *text;   /* one line of meaning */
    bool like;          /* the config is of another family, and was read like one of this */
    rk_symbol *symbol;
    size_t n_symbol;
    rk_key *key; /* of the config, in the order in which they were read; none unless the source asked for them */
    size_t n_key;
    rk_quant quant; /* how the config's checkpoint stores numbers */
    rk_program program;
    rk_roles roles; /* of its operations and weights */
    /* Values of all symbols of the pool, as a binding: numbers where known. */
    rk_i128 *value;
    bool *known;
} rk_model;

/*
 * How `use` finds files: returns the text of a path relative to `from` (the name of the file that uses it), or NULL.
 * The text must live as long as the call to rk_model_open.
 */
typedef struct rk_finder {
    int (*find)(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                size_t *n, rk_err *err);
    void *self;
} rk_finder;

/*
 * What is trained of a model, and what is put beside its weights.  With adapters (`rank` > 0), the product of an
 * activation x with a weight of which `adapts` is true becomes y + B(A x), and nothing else is trained.
 */
typedef struct rk_adapt {
    rk_i128 rank; /* 0: no adapters */
    bool (*adapts)(void *self, const char *pattern);
    /* Whether a weight that would be trained is not; NULL: none.  `name` has the number of its layer, if known. */
    bool (*freezes)(void *self, const char *name, const char *part);
    void *self;
    bool wide;   /* adapters are of four bytes, whatever the model runs in, and so is what they compute */
    bool seeds;  /* what is looked up for the input gets a gradient, though no weight asks for it */
    bool packed; /* the weights beside them are stored in few bits: what adapters compute is cast before it is added */
} rk_adapt;

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
    rk_str *lacks;   /* not NULL: the config is of another family, and this gets the sizes that it leaves to this one */
    bool wants_keys; /* note which keys of the config are read, and which are not */
    rk_finder finder;
    const char *profile;   /* whose bodies operations are written out in; NULL: they stand for themselves */
    bool fused;            /* with a profile: attention is one operation */
    const rk_adapt *adapt; /* NULL: the model as it is */
} rk_model_source;

int rk_model_open(const rk_model_source *source, rk_model **out, rk_str *mistakes, rk_err *err);
void rk_model_free(rk_model *m);

rk_binding rk_model_binding(const rk_model *m);
const rk_symbol *rk_model_symbol(const rk_model *m, const char *name);
const rk_symbol *rk_model_size(const rk_model *m, rk_symbol_role role); /* the first of that role; NULL: none */

/* The name of a weight in one layer: `index` gives the running number of each loop (by loop number). */
int rk_weight_name_text(const rk_model *m, const rk_weight_name *name, const rk_i128 *index, rk_str *out, rk_err *err);

#endif
