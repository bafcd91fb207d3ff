/* SPDX-License-Identifier: MIT */
/*
 * plan/open.h - opens a model by what the user typed.
 *
 * Stage   words of the command -> [plan] -> model.
 * Uses    base/, read/, model/, plan/library.h.
 * Memory  the model owns all that it needs; texts read on the way are freed.
 * Threads no state; standard input is read at most once.
 *
 * MODEL is one of
 *
 *     gpt2-xl                a config or a model file of the library, by name
 *     my-model.rk            a model file
 *     path/to/config.json    a config; its family says which model file reads it
 *     path/to                a folder that holds config.json
 *     -                      a config on standard input
 *     FAMILY CONFIG          a model file (name or path), and a config for it (any of the above)
 *
 * A word that names an existing file or folder, contains a slash, or ends in .rk or .json is a path; else it is a name.
 */
#ifndef RK_PLAN_OPEN_H
#define RK_PLAN_OPEN_H

#include "model/model.h"
#include "plan/library.h"

#define RK_OPEN_WORDS_MAX 2

typedef struct rk_open_request {
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
    rk_str
        *mistakes; /* gets every mistake of a model file, with lines and carets; NULL: the error's message has to do */
} rk_open_request;

/*
 * RK_EUSAGE: no word, or too many.  RK_EINPUT: the model, its family or a symbol is unknown (the nearest known one is
 * named), or a file is wrong.  RK_EIO: a file cannot be read.
 */
int rk_open(const rk_open_request *r, rk_model **out, rk_err *err);

/* Whether a word would be taken as a path. */
bool rk_open_is_path(const char *word);

/* The model file, or the config, that a name stands for; RK_EINPUT: neither. */
int rk_open_named(const rk_library *l, rk_arena *a, const char *name, rk_text *out, bool *is_config, rk_err *err);

#endif
