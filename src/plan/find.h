/* SPDX-License-Identifier: MIT */
/*
 * plan/find.h - from a word that the user typed to the texts and tensors that it names.
 *
 * Stage   words of the command -> [plan] -> texts, tensor tables.
 * Uses    base/, read/, plan/library.h, plan/lookup.h.
 * Memory  everything found lives in the arena given.
 * Threads reads the environment (the cache of models); standard input is read at most once.
 *
 * A word that names an existing file or folder, contains a slash, or ends as a model file, a config or a checkpoint
 * does is a path; ORG/NAME that is no path is looked up among the models that Hugging Face's tools have stored here;
 * any other word is a name of the library, and so is ORG/NAME that is not stored.
 */
#ifndef RK_PLAN_FIND_H
#define RK_PLAN_FIND_H

#include "plan/library.h"
#include "read/doc.h"
#include "read/tensors.h"

/* What a caller needs of a word that names a checkpoint, or a folder with one. */
typedef enum rk_find_want {
    RK_FIND_MODEL,   /* its equations: those of the config beside it, or of its metadata */
    RK_FIND_TENSORS, /* its tensors alone; of a folder with a config, the equations */
    RK_FIND_ANY,     /* its tensors, and its equations where there are any */
    RK_FIND_BOTH     /* its tensors and its equations, of a folder too */
} rk_find_want;

typedef struct rk_finding {
    rk_arena *arena;
    const rk_library *library;
    rk_find_want want;
    rk_err *err;

    const char *name; /* what the model is called in reports; NULL: memory ran out */
    rk_text model, config;
    bool in_library;        /* the text came from there */
    bool is_family;         /* a model file of the library alone: no config says the sizes */
    const char *note;       /* what is to be said of the name, or NULL */
    rk_store *store;        /* NULL: no checkpoint was named */
    const char *store_name; /* its path */
} rk_finding;

/* Finds what one word names.  RK_EINPUT: no such model, or a file is wrong.  RK_EIO: a file cannot be read. */
int rk_find(rk_finding *f, const char *word);

/* Whether a word would be taken as a path; whether it is a folder. */
bool rk_find_is_path(const rk_files *files, const char *word);
bool rk_find_is_folder(const rk_files *files, const char *path);

/* What a name of the library stands for. */
typedef struct rk_called {
    rk_text text;     /* of a config, or of a model file */
    const char *name; /* as the library has it: of the config, or of the family */
    bool is_config;
    bool is_other;  /* it is not called so: words of its name were left off, or were too many */
    bool is_packed; /* what was asked for says how its weights are stored, and this does not */
} rk_called;

/*
 * By the rule of plan/lookup.h: a config before a family.  RK_EINPUT: it stands for none (what is near is named), or
 * for one of several (which are listed, with their parameters).
 */
int rk_find_named(const rk_library *l, rk_arena *a, const char *name, rk_called *out, rk_err *err);

/* The model file of a family, as someone may spell it; out->text is NULL where there is none. */
int rk_find_family(const rk_library *l, rk_arena *a, const char *name, rk_called *out, rk_err *err);

/* Reads a text whole. */
int rk_find_read(rk_finding *f, const char *path, size_t most, rk_text *out);

#endif
