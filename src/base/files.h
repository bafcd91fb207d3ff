/* SPDX-License-Identifier: MIT */
/*
 * base/files.h - whatever is read by name: files given from memory first, then those of the disk.
 *
 * Stage   below every stage.
 * Uses    base/arena.h, base/err.h, base/input.h; POSIX files.
 * Memory  files own copies of the names and bytes that they were given; texts that are read live in the arena given.
 * Threads files that no one changes may be read by several threads.
 *
 * Everywhere a `const rk_files *` of NULL stands for the disk and standard input, with nothing from memory.
 *
 * A name from memory is a path: "config.json", "model/config.json", "/models/mine.rk".  "./a//b/../c" is "a/c", and
 * what stands before a slash is a folder, which is there because something lies in it.  There are no links.  Where the
 * disk has a folder of that name too, its files are seen beside those from memory.
 */
#ifndef RK_BASE_FILES_H
#define RK_BASE_FILES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"

/* Limits, each with its reason. */
#define RK_FILES_MAX 100000u    /* files from memory; a checkpoint has at most 10,000 shards */
#define RK_FILES_NAME_MAX 4096u /* bytes of a name and its end: the longest path of most systems */

typedef struct rk_files rk_files;

/* What is read beside memory.  NULL: no memory. */
rk_files *rk_files_new(bool disk, bool standard_input);
void rk_files_free(rk_files *f);

/*
 * Gives a file, over an older one of that name; "-" is standard input.  Of a file of `size` bytes the first `n` are
 * copied: of a checkpoint, whose header alone is read, they need not be all.  Bytes of NULL: it is not there any more.
 * RK_EUSAGE: that is no name of a file.  RK_ELIMIT: see above.
 */
int rk_files_put(rk_files *f, const char *path, const void *bytes, size_t n, uint64_t size, rk_err *err);

/* Grows with every change: who keeps what was read under a name keeps this beside it.  0: files of NULL. */
uint64_t rk_files_version(const rk_files *f);

bool rk_files_has_disk(const rk_files *f);

/* As rk_file_read. */
int rk_files_read(const rk_files *f, rk_arena *a, const char *path, size_t most, char **text, size_t *n, rk_err *err);

/* As rk_input_open, for bytes at positions. */
int rk_files_open(const rk_files *f, rk_input *in, const char *path, bool *there, rk_err *err);

typedef enum rk_path_kind {
    RK_PATH_NONE,
    RK_PATH_FILE, /* a regular one */
    RK_PATH_FOLDER,
    RK_PATH_OTHER /* a pipe, a device: looking into it would take from it */
} rk_path_kind;

rk_path_kind rk_files_kind(const rk_files *f, const char *path);

/*
 * Calls `each` with the names in a folder, in no order and each once, until it fails; NULL: whether there is one is all
 * that is asked.  RK_EIO: it cannot be read; `*opened` (or NULL) says whether that was seen only after it was opened.
 */
typedef int rk_files_each(void *self, const char *name, rk_err *err);
int rk_files_list(const rk_files *f, const char *folder, rk_files_each *each, void *self, bool *opened, rk_err *err);

/* Whether a file that is there lies below a folder, and not where a link leads. */
bool rk_files_is_below(const rk_files *f, const char *folder, const char *path);

#endif
