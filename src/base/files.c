/* SPDX-License-Identifier: MIT */
#include "base/files.h"

#include "base/file.h"
#include "base/platform.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A file from memory. */
typedef struct given {
    char *name; /* clean; NULL: there is none */
    unsigned char *bytes;
    size_t n;
    uint64_t size;
} given;

struct rk_files {
    given *at; /* by name, so that what lies in a folder stands together */
    size_t n, cap;
    given input; /* "-" */
    bool disk, reads_input;
    uint64_t version;
};

/* ---- names ------------------------------------------------------------------------------------------------------ */

typedef struct name {
    char text[RK_FILES_NAME_MAX];
    size_t n;
} name;

/* The last part of a name goes, unless it leads up itself. */
static bool step_up(name *out, size_t root)
{
    size_t at = out->n;

    while (at > root && out->text[at - 1] != '/')
        at--;
    if (out->n == root || strcmp(out->text + at, "..") == 0)
        return false;
    out->n = at > root ? at - 1 : at;
    out->text[out->n] = '\0';
    return true;
}

/* "./a//b/../c" is "a/c", and "." is "".  False: it is too long to be one from memory. */
static bool clean(const char *path, name *out)
{
    size_t root = path[0] == '/' ? 1 : 0;

    if (strlen(path) >= sizeof out->text)
        return false;
    *out = (name){.text = {root ? '/' : '\0'}, .n = root};
    while (*path) {
        size_t n = strcspn(path, "/");
        bool up = n == 2 && memcmp(path, "..", 2) == 0, none = n == 0 || (n == 1 && path[0] == '.');

        if (!none && !(up && (step_up(out, root) || root))) {
            if (out->n > root)
                out->text[out->n++] = '/';
            memcpy(out->text + out->n, path, n);
            out->n += n;
            out->text[out->n] = '\0';
        }
        path += n + (path[n] == '/');
    }
    return true;
}

/* Where a name stands, or would. */
static size_t place_of(const rk_files *f, const char *text)
{
    size_t low = 0, high = f->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(f->at[middle].name, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const given *find_clean(const rk_files *f, const char *text)
{
    size_t at = place_of(f, text);

    return at < f->n && strcmp(f->at[at].name, text) == 0 ? &f->at[at] : NULL;
}

static const given *find(const rk_files *f, const char *path)
{
    name clear;

    return f && f->n > 0 && clean(path, &clear) ? find_clean(f, clear.text) : NULL;
}

/* What the names of a folder's files begin with. */
static bool prefix_of(const char *folder, name *out)
{
    if (!clean(folder, out) || out->n + 2 > sizeof out->text)
        return false;
    if (out->n > 0 && out->text[out->n - 1] != '/') {
        out->text[out->n++] = '/';
        out->text[out->n] = '\0';
    }
    return true;
}

/* Of a file's name what stands after a folder's prefix; NULL: it lies elsewhere. */
static const char *rest_in(const name *prefix, const char *text)
{
    const char *rest = strncmp(text, prefix->text, prefix->n) == 0 ? text + prefix->n : NULL;

    return rest && strncmp(rest, "../", 3) != 0 && (prefix->n > 0 || rest[0] != '/') ? rest : NULL;
}

/* The first file in a folder from number `at` on; NULL: there is no more. */
static const given *next_in(const rk_files *f, const name *prefix, size_t at)
{
    for (; at < f->n && strncmp(f->at[at].name, prefix->text, prefix->n) == 0; at++)
        if (rest_in(prefix, f->at[at].name))
            return &f->at[at];
    return NULL;
}

static bool holds_folder(const rk_files *f, const char *path)
{
    name prefix;

    return f && f->n > 0 && prefix_of(path, &prefix) && next_in(f, &prefix, place_of(f, prefix.text));
}

/* ---- what is given ---------------------------------------------------------------------------------------------- */

rk_files *rk_files_new(bool disk, bool standard_input)
{
    rk_files *f = rk_heap_alloc(sizeof *f);

    if (f)
        *f = (rk_files){.disk = disk, .reads_input = standard_input, .version = 1};
    return f;
}

static void drop(given *g)
{
    rk_heap_free(g->name);
    rk_heap_free(g->bytes);
    *g = (given){0};
}

void rk_files_free(rk_files *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->n; i++)
        drop(&f->at[i]);
    drop(&f->input);
    rk_heap_free(f->at);
    rk_heap_free(f);
}

uint64_t rk_files_version(const rk_files *f)
{
    return f ? f->version : 0;
}

bool rk_files_has_disk(const rk_files *f)
{
    return !f || f->disk;
}

static bool copy_given(given *out, const char *text, const void *bytes, size_t n, uint64_t size)
{
    *out = (given){rk_heap_alloc(strlen(text) + 1), rk_heap_alloc(n ? n : 1), n, size};
    if (!out->name || !out->bytes) {
        drop(out);
        return false;
    }
    memcpy(out->name, text, strlen(text) + 1);
    if (n > 0)
        memcpy(out->bytes, bytes, n);
    return true;
}

/* Whether a name is a folder of other files, or lies in a file as if that were one. */
static bool is_folder_and_file(const rk_files *f, name *clear)
{
    bool in_file = false;

    for (size_t i = 1; i < clear->n && !in_file; i++)
        if (clear->text[i] == '/') {
            clear->text[i] = '\0';
            in_file = find_clean(f, clear->text) != NULL;
            clear->text[i] = '/';
        }
    return in_file || holds_folder(f, clear->text);
}

/* A new place among the files, empty. */
static given *make_place(rk_files *f, size_t at)
{
    if (f->n == f->cap) {
        size_t cap = f->cap ? f->cap * 2 : 8;
        given *more = rk_heap_resize(f->at, cap * sizeof *more);

        if (!more)
            return NULL;
        f->at = more;
        f->cap = cap;
    }
    memmove(&f->at[at + 1], &f->at[at], (f->n++ - at) * sizeof *f->at);
    f->at[at] = (given){0};
    return &f->at[at];
}

int rk_files_put(rk_files *f, const char *path, const void *bytes, size_t n, uint64_t size, rk_err *err)
{
    bool is_input = strcmp(path, "-") == 0;
    given new = {0}, *old;
    const char *last;
    name clear;
    size_t at = 0;

    if (!clean(path, &clear))
        return rk_fail(err, RK_ELIMIT, "a name of a file has at most %u bytes", RK_FILES_NAME_MAX - 1);
    last = strrchr(clear.text, '/') ? strrchr(clear.text, '/') + 1 : clear.text;
    if (last[0] == '\0' || strcmp(last, "..") == 0 || path[strlen(path) - 1] == '/')
        return rk_fail(err, RK_EUSAGE, "'%s' is no name of a file", path);
    if (!is_input)
        at = place_of(f, clear.text);
    old = is_input ? &f->input : at < f->n && strcmp(f->at[at].name, clear.text) == 0 ? &f->at[at] : NULL;
    if (!bytes) {
        f->version++;
        if (old)
            drop(old);
        if (old && !is_input)
            memmove(old, old + 1, (--f->n - at) * sizeof *old);
        return RK_OK;
    }
    if (!is_input && is_folder_and_file(f, &clear))
        return rk_fail(err, RK_EUSAGE, "%s: a name is that of a file or of a folder, not of both", path);
    if (!old && f->n == RK_FILES_MAX)
        return rk_fail(err, RK_ELIMIT, "%s: over %u files in memory", path, RK_FILES_MAX);
    if (!copy_given(&new, clear.text, bytes, n, size < n ? n : size))
        return rk_fail_memory(err);
    if (!old && !(old = make_place(f, at))) {
        drop(&new);
        return rk_fail_memory(err);
    }
    drop(old);
    *old = new;
    f->version++;
    return RK_OK;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* As the disk says it. */
static int fail_absent(rk_err *err, const char *path)
{
    return rk_fail(err, RK_EIO, "%s: cannot read: %s", path, strerror(ENOENT));
}

static int read_given(const given *g, rk_arena *a, const char *path, size_t most, char **text, size_t *n, rk_err *err)
{
    char *copy;

    if (g->size > most)
        return rk_file_fail_large(err, path, most);
    if (g->n < g->size)
        return rk_fail(err, RK_EIO, "%s: has %" PRIu64 " bytes, only the first %zu are given", path, g->size, g->n);
    if (!(copy = rk_arena_copy(a, (const char *)g->bytes, g->n)))
        return rk_fail_memory(err);
    *text = copy;
    *n = g->n;
    return RK_OK;
}

int rk_files_read(const rk_files *f, rk_arena *a, const char *path, size_t most, char **text, size_t *n, rk_err *err)
{
    bool is_input = strcmp(path, "-") == 0;
    const given *g = is_input ? (f && f->input.name ? &f->input : NULL) : find(f, path);

    if (g)
        return read_given(g, a, is_input ? "standard input" : path, most, text, n, err);
    if (is_input && f && !f->reads_input)
        return rk_fail(err, RK_EIO, "standard input: is not there");
    if (!is_input && holds_folder(f, path))
        return rk_fail(err, RK_EIO, "%s: is a directory", path);
    return is_input || rk_files_has_disk(f) ? rk_file_read(a, path, most, text, n, err) : fail_absent(err, path);
}

int rk_files_open(const rk_files *f, rk_input *in, const char *path, bool *there, rk_err *err)
{
    const given *g = find(f, path);
    bool is_folder = !g && holds_folder(f, path);

    if (!g && !is_folder && rk_files_has_disk(f))
        return rk_input_open(in, path, there, err);
    if (there)
        *there = g || is_folder;
    if (is_folder)
        return rk_fail(err, RK_EIO, "%s: is a directory; a header is read from a regular file", path);
    if (!g)
        return there ? RK_OK : fail_absent(err, path);
    *in = rk_input_memory(path, g->bytes, g->n, g->size);
    return RK_OK;
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

rk_path_kind rk_files_kind(const rk_files *f, const char *path)
{
    struct stat st;

    if (find(f, path))
        return RK_PATH_FILE;
    if (holds_folder(f, path))
        return RK_PATH_FOLDER;
    if (!rk_files_has_disk(f) || stat(path, &st) != 0)
        return RK_PATH_NONE;
    return S_ISREG(st.st_mode) ? RK_PATH_FILE : S_ISDIR(st.st_mode) ? RK_PATH_FOLDER : RK_PATH_OTHER;
}

/* Files of one folder below stand together: it is named once. */
static int list_given(const rk_files *f, const char *folder, rk_files_each *each, void *self, rk_err *err)
{
    name prefix, last = {.n = 0};
    int code = RK_OK;

    if (!f || !prefix_of(folder, &prefix))
        return RK_OK;
    for (size_t at = place_of(f, prefix.text); code == RK_OK && next_in(f, &prefix, at);) {
        const given *g = next_in(f, &prefix, at);
        const char *rest = rest_in(&prefix, g->name);
        size_t n = strcspn(rest, "/");

        at = (size_t)(g - f->at) + 1;
        if (n == last.n && memcmp(rest, last.text, n) == 0)
            continue;
        memcpy(last.text, rest, n);
        last.text[last.n = n] = '\0';
        code = each(self, last.text, err);
    }
    return code;
}

/* Whether a name in a folder of the disk was there among those from memory already. */
static bool is_given_in(const rk_files *f, const char *folder, const char *entry)
{
    name path;

    if (!f || f->n == 0 || !prefix_of(folder, &path) || path.n + strlen(entry) >= sizeof path.text)
        return false;
    memcpy(path.text + path.n, entry, strlen(entry) + 1);
    return find_clean(f, path.text) || holds_folder(f, path.text);
}

static int list_disk(const rk_files *f, DIR *dir, const char *folder, rk_files_each *each, void *self, rk_err *err)
{
    int code = RK_OK;

    for (const struct dirent *e; code == RK_OK && (errno = 0, e = readdir(dir));)
        if (!is_given_in(f, folder, e->d_name))
            code = each(self, e->d_name, err);
    return code == RK_OK && errno ? rk_fail(err, RK_EIO, "%s: cannot read: %s", folder, strerror(errno)) : code;
}

int rk_files_list(const rk_files *f, const char *folder, rk_files_each *each, void *self, bool *opened, rk_err *err)
{
    bool is_given = holds_folder(f, folder);
    DIR *dir = NULL;
    int code = RK_OK;

    errno = ENOENT;
    if (rk_files_has_disk(f))
        dir = opendir(folder);
    if (!dir && errno == ENOMEM)
        code = rk_fail_memory(err);
    else if (!dir && !is_given)
        code = rk_fail(err, RK_EIO, "%s: cannot read: %s", folder, strerror(errno));
    if (opened)
        *opened = code == RK_OK;
    if (code == RK_OK && is_given && each)
        code = list_given(f, folder, each, self, err);
    if (code == RK_OK && dir && each)
        code = list_disk(f, dir, folder, each, self, err);
    if (dir)
        closedir(dir);
    return code;
}

/* ---- links ------------------------------------------------------------------------------------------------------ */

/* Whether a part of a path, from byte n on, is a link, or cannot be looked at. */
static bool has_link(name *path, size_t n)
{
    struct stat st;

    while (n < path->n) {
        char end;
        bool good;

        n += strcspn(path->text + n, "/");
        end = path->text[n];
        path->text[n] = '\0';
        good = lstat(path->text, &st) == 0 && !S_ISLNK(st.st_mode);
        path->text[n++] = end;
        if (!good)
            return true;
    }
    return false;
}

static bool is_below_on_disk(const char *folder, const char *path)
{
    char top[PATH_MAX], file[PATH_MAX];
    size_t n;

    if (!rk_real_path(folder, top) || !rk_real_path(path, file))
        return false;
    n = strcmp(top, "/") == 0 ? 0 : strlen(top);
    return strncmp(file, top, n) == 0 && file[n] == '/';
}

bool rk_files_is_below(const rk_files *f, const char *folder, const char *path)
{
    name top, file;
    bool is_given = find(f, path) != NULL,
         is_named = prefix_of(folder, &top) && clean(path, &file) && rest_in(&top, file.text);

    if (is_given || !rk_files_has_disk(f))
        return is_given && is_named;
    /* Where the system does not say where links lead, none is followed. */
    return RK_HAS_REAL_PATH ? is_below_on_disk(folder, path) : is_named && !has_link(&file, top.n);
}
