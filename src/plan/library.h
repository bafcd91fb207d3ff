/* SPDX-License-Identifier: MIT */
/*
 * plan/library.h - the models that are known by name: a folder of the user's, then those embedded in the program.
 *
 * Stage   name -> [plan] -> text of a model file or of a config.
 * Uses    base/, model/embed.h.
 * Memory  texts and names live in the arena given, or are constant data.
 * Threads no state.
 *
 * Both places look alike: NAME.rk is a model file, named/NAME.json a config of one of them, blocks/ what they share.
 * Families are found by looking for `family` lines in the texts: no file is parsed that is not used.
 */
#ifndef RK_PLAN_LIBRARY_H
#define RK_PLAN_LIBRARY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/files.h"

typedef struct rk_library {
    const char *folder;    /* the user's, searched first; NULL: none */
    const rk_files *files; /* through which all that has a name is read; NULL: the disk and standard input */
} rk_library;

typedef struct rk_text {
    const char *name; /* for messages: "models/gpt2.rk" */
    const char *text; /* terminated; NULL: there is no such file */
    size_t n;
} rk_text;

/* The text under a path relative to the library: "gpt2.rk".  A path that leaves the library finds nothing. */
int rk_library_get(const rk_library *l, rk_arena *a, const char *path, rk_text *out, rk_err *err);

/* Whether a text that was got under a path is the program's own, and not of somebody's folder. */
bool rk_library_is_own(const char *path, const rk_text *t);

/* A model file by its name, a config by its name.  out->text is NULL where there is none. */
int rk_library_model(const rk_library *l, rk_arena *a, const char *name, rk_text *out, rk_err *err);
int rk_library_config(const rk_library *l, rk_arena *a, const char *name, rk_text *out, rk_err *err);

/* The model file of a family, as a config's `model_type` or `architectures` calls it. */
int rk_library_family(const rk_library *l, rk_arena *a, const char *family, rk_text *out, rk_err *err);

typedef struct rk_library_entry {
    const char *name; /* gpt2-xl */
    const char *path; /* named/gpt2-xl.json */
    bool is_config;
} rk_library_entry;

/* Every model file and then every config, each by name; a name of the folder hides the embedded one. */
int rk_library_list(const rk_library *l, rk_arena *a, rk_library_entry **out, size_t *n, rk_err *err);

/* Likewise the files gguf/NAME.rk, which turn the metadata of GGUF files into configs. */
int rk_library_mappings(const rk_library *l, rk_arena *a, rk_library_entry **out, size_t *n, rk_err *err);

/* What else the model of a config is called: the texts of its key `_also`; none where it cannot be read. */
int rk_library_also(const rk_library *l, rk_arena *a, const rk_library_entry *e, const char ***out, size_t *n,
                    rk_err *err);

/* What the line `model NAME: "text"` of a model file says; both NULL where it has none (a file of blocks). */
int rk_library_headline(rk_arena *a, const rk_text *t, const char **name, const char **text, rk_err *err);

/* What is said of an entry where the library is listed. */
typedef struct rk_known {
    const char *name;   /* NULL: a file of blocks, which is no model */
    const char *family; /* a config: its family */
    const char *text;   /* one line of meaning, or where a config is from */
} rk_known;

int rk_library_describe(const rk_library *l, rk_arena *a, const rk_library_entry *e, rk_known *out, rk_err *err);

/* The names of a model file's `family` lines; where it has none, the name of the model. */
int rk_library_families(rk_arena *a, const rk_text *t, const char ***out, size_t *n, rk_err *err);

/* The classes of its `classes` lines: what `architectures` of a config may name; none: whatever its equations take. */
int rk_library_classes(rk_arena *a, const rk_text *t, const char ***out, size_t *n, rk_err *err);

/* The text of an entry, and those names; none where the text is not there any more. */
int rk_library_read_families(const rk_library *l, rk_arena *a, const rk_library_entry *e, rk_text *t,
                             const char ***name, size_t *n, rk_err *err);

#endif
