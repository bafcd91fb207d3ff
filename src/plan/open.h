/* SPDX-License-Identifier: MIT */
/*
 * plan/open.h - opens a model by what the user typed.
 *
 * Stage   words of the command -> [plan] -> model.
 * Uses    base/, read/, model/, plan/library.h.
 * Memory  an instance that is given owns its model, which owns all that it needs; texts read on the way are freed.
 * Threads no state; standard input is read at most once.
 *
 * MODEL is one of
 *
 *     gpt2-xl                a config or a model file of the library, by name
 *     my-model.rk            a model file
 *     path/to/config.json    a config; its family says which model file reads it
 *     path/to                a folder that holds config.json, or else a checkpoint
 *     model.gguf             a checkpoint whose metadata says what it is
 *     model.safetensors      one whose config.json stands beside it; an index or a folder of shards likewise
 *     org/name               a model that Hugging Face's tools have stored on this machine
 *     -                      a config on standard input
 *     FAMILY CONFIG          a model file (name or path), and a config for it (any of the above)
 *
 * plan/find.h says how a word is taken.
 */
#ifndef RK_PLAN_OPEN_H
#define RK_PLAN_OPEN_H

#include "model/instance.h"
#include "pass/passes.h"
#include "plan/adapt.h"
#include "plan/find.h"

#define RK_OPEN_WORDS_MAX 2

/*
 * Models that were opened, each expanded once: whoever asks for the same words, texts and settings gets the same one,
 * which is const, and runs his own passes over it.  Files from memory that have changed since are read again.  One
 * thread's.
 */
typedef struct rk_shelf rk_shelf;

#define RK_SHELF_MODELS_MAX 32 /* that stay from question to question, those counted that profiles made of others */
#define RK_SHELF_TREES_MAX ((size_t)32 << 20) /* bytes of syntax trees that stay: beyond, the shelf begins anew */

rk_shelf *rk_shelf_new(void); /* NULL: no memory */
void rk_shelf_free(rk_shelf *s);

/* Lets go of models, those that were asked for longest ago first, until so many are left: how many.  All that was
 * opened with the shelf must be closed. */
size_t rk_shelf_trim(rk_shelf *s, size_t most);

typedef struct rk_open_request {
    rk_shelf *shelf; /* NULL: the model is opened for this request alone */
    const char *const *word;
    size_t n_word;
    const rk_setting *setting;
    size_t n_setting;
    rk_library library;
    /*
     * A model file, a config, or both, already in memory (terminated; text NULL: not).  The one word that may stand
     * beside a single text is then the other: the config of a model file, the family of a config.  What a model file in
     * memory uses comes from the library alone.
     */
    rk_text model, config;
    const char *like; /* the family whose file reads the config, which must have every size that it needs; NULL: none */
    rk_pass_options passes; /* what is done to the model; adapters, and where files are found, are put in */
    rk_adapt_request adapt; /* adapters, and what is frozen */
    bool wants_keys;        /* note in the model which keys of the config are read */
    rk_str
        *mistakes; /* gets every mistake of a model file, with lines and carets; NULL: the error's message has to do */
} rk_open_request;

/*
 * RK_EUSAGE: no word, or too many.  RK_EINPUT: the model, its family or a symbol is unknown (the nearest known one is
 * named), or a file is wrong.  RK_EIO: a file cannot be read.
 */
int rk_open(const rk_open_request *r, rk_instance **out, rk_err *err);

/* What a word named: equations, tensors that are stored, or both. */
typedef struct rk_opened {
    rk_arena arena;
    const char *name;       /* what reports call it */
    const rk_model *model;  /* NULL: there are tensors alone */
    rk_instance *instance;  /* of the model, which it owns */
    const rk_store *store;  /* NULL: no checkpoint was named */
    const char *store_name; /* its path */
} rk_opened;

int rk_open_all(const rk_open_request *r, rk_find_want want, rk_opened *out, rk_err *err);
void rk_opened_free(rk_opened *o);

#endif
