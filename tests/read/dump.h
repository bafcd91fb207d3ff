/* SPDX-License-Identifier: MIT */
/*
 * tests/read/dump.h - what the tests of the readers share: files made for a moment, and a store written out as text.
 *
 * Stage   above read: included by tests/unit/test_safetensors.c, test_gguf.c and test_hub.c.
 * Uses    base/, read/tensors.h, tests/t.h; POSIX files.
 * Memory  texts are rk_str of the caller's.
 * Threads one thread.
 */
#ifndef RK_TESTS_READ_DUMP_H
#define RK_TESTS_READ_DUMP_H

#include "base/file.h"
#include "base/str.h"
#include "read/tensors.h"
#include "t.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIXTURES "tests/read/fixtures/"

/* ---- files for a moment ----------------------------------------------------------------------------------------- */

/* A new empty folder; the test removes it by `clean`. */
static T_UNUSED const char *new_folder(void)
{
    static char path[256];
    const char *tmp = getenv("TMPDIR");

    snprintf(path, sizeof path, "%s/reckon-test-XXXXXX", tmp != NULL ? tmp : "/tmp");
    CHECK(mkdtemp(path) != NULL);
    return path;
}

/* A path; as many as one test needs are kept. */
static T_UNUSED const char *in_folder(const char *folder, const char *name)
{
    static char path[64][512];
    static unsigned turn;
    char *p = path[turn++ % 64];

    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

/* A file of `size` bytes that begins with n given ones; what follows them is zero and takes no room. */
static T_UNUSED void put_file(const char *path, const void *bytes, size_t n, uint64_t size)
{
    FILE *f = fopen(path, "wb");

    if (!CHECK(f != NULL))
        return;
    CHECK(fwrite(bytes, 1, n, f) == n);
    CHECK(fclose(f) == 0);
    CHECK(size <= n || truncate(path, (off_t)size) == 0);
}

static T_UNUSED void clean(const char *folder)
{
    char command[600];

    snprintf(command, sizeof command, "chmod -R u+rwx '%s' && rm -rf '%s'", folder, folder);
    CHECK(system(command) == 0);
}

static T_UNUSED char *get_file(rk_arena *a, const char *path, size_t *n)
{
    char *text = NULL;
    rk_err err = {0};

    CHECK_INT(rk_file_read(a, path, 1 << 20, &text, n, &err), RK_OK);
    return text;
}

/* ---- a store as text -------------------------------------------------------------------------------------------- */

static T_UNUSED void put_tensor(rk_str *s, const rk_stored *t)
{
    rk_str_format(s, "%s\t%s\t[", t->name, rk_dtype_info(t->dtype)->name);
    for (size_t i = 0; i < t->rank; i++)
        rk_str_format(s, i > 0 ? ",%llu" : "%llu", (unsigned long long)t->shape[i]);
    rk_str_format(s, "]\t%llu\t%llu\t%llu\n", (unsigned long long)t->count, (unsigned long long)t->bytes,
                  (unsigned long long)t->offset);
}

static T_UNUSED void put_quoted(rk_str *s, const char *text, size_t n)
{
    rk_str_putc(s, '"');
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            rk_str_putc(s, '\\');
        rk_str_putn(s, text[i] == '\n' ? "\\n" : &text[i], text[i] == '\n' ? 2 : 1);
    }
    rk_str_putc(s, '"');
}

static T_UNUSED void put_doc(rk_str *s, const rk_doc *d)
{
    switch (d->kind) {
    case RK_DOC_BOOL:
        rk_str_put(s, d->truth ? "true" : "false");
        break;
    case RK_DOC_INT:
        rk_str_num(s, d->number);
        break;
    case RK_DOC_REAL:
        rk_str_format(s, "%.17g", d->real);
        break;
    case RK_DOC_TEXT:
        put_quoted(s, d->text, d->n);
        break;
    case RK_DOC_LIST:
        rk_str_putc(s, '[');
        for (size_t i = 0; i < d->n; i++) {
            rk_str_put(s, i > 0 ? "," : "");
            put_doc(s, &d->item[i]);
        }
        if (d->n_skipped > 0)
            rk_str_format(s, "%zu skipped", d->n_skipped);
        rk_str_putc(s, ']');
        break;
    default:
        rk_str_put(s, "?");
    }
}

static T_UNUSED void put_store(rk_str *s, const rk_store *store)
{
    for (size_t i = 0; i < store->n_tensor; i++)
        put_tensor(s, &store->tensor[i]);
    for (size_t i = 0; i < store->metadata->n; i++) {
        rk_str_format(s, "meta\t%s\t", store->metadata->key[i]);
        put_doc(s, &store->metadata->item[i]);
        rk_str_putc(s, '\n');
    }
}

/* What must hold of every store that was read. */
static T_UNUSED void check_store(const rk_store *s)
{
    uint64_t bytes = 0;
    size_t n_known = 0;

    for (size_t i = 0; i < s->n_tensor; i++) {
        const rk_stored *t = &s->tensor[i];

        CHECK(rk_store_find(s, t->name, strlen(t->name)) == t);
        CHECK(t->file < s->n_file);
        CHECK(!t->known || t->offset + t->bytes <= s->file[t->file].size);
        bytes += t->bytes;
        n_known += t->known;
    }
    CHECK_INT(s->bytes, bytes);
    CHECK_INT(s->n_known, n_known);
    CHECK_INT(s->metadata->kind, RK_DOC_MAP);
}

/* Compares a store with what stands in a file beside the fixture. */
static T_UNUSED void check_want(const rk_store *store, const char *want_path)
{
    rk_arena a = {0};
    rk_str got = {0};
    size_t n = 0;
    const char *want = get_file(&a, want_path, &n);

    put_store(&got, store);
    CHECK_TEXT(rk_str_text(&got), want);
    check_store(store);
    rk_str_free(&got);
    rk_arena_free(&a);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

typedef int store_reader(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err);

/* With less memory than it needs a reading fails, no more: no crash, nothing leaked, and the arena is as before. */
static T_UNUSED int read_scarce(store_reader *read, const char *path, long allocations, size_t limit, size_t *used)
{
    rk_arena a = {.limit = limit};
    rk_store *s = NULL;
    rk_err err = {0};

    rk_heap_fail_after(allocations);
    int rc = read(NULL, &a, path, &s, &err);
    rk_heap_fail_after(-1);
    CHECK(rc == RK_OK ? s != NULL : s == NULL && rc == RK_ENOMEM && err.code == rc && a.used == 0);
    *used = a.used;
    rk_arena_free(&a);
    return rc;
}

/* Each allocation from the heap fails in turn, then each from the arena. */
static T_UNUSED void check_memory(store_reader *read, const char *path)
{
    size_t used = 0, less;
    long n = 0;

    while (n < 10000 && read_scarce(read, path, n, 0, &used) != RK_OK)
        n++;
    CHECK(n > 2 && n < 10000);
    CHECK(used > 0);
    for (size_t limit = 1; limit < used; limit += 1 + limit / 64)
        CHECK_INT(read_scarce(read, path, -1, limit, &less), RK_ENOMEM);
    CHECK_INT(read_scarce(read, path, -1, used, &less), RK_OK);
}

#endif
