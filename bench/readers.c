/* SPDX-License-Identifier: MIT */
/*
 * bench/readers.c - how fast headers of checkpoints are read and added up, and in how much memory.
 *
 * Three files with the names of a DeepSeek-V3 of 91,000 tensors, at half that size and at double: an index without its
 * shards, one safetensors file, one GGUF file.  The index is also read as a tree of JSON, as a config would be, and so
 * are texts that are made to be slow.  Each reading has a process of its own, so that its peak of memory is its own;
 * times are the best of several rounds.  Growth must be linear: time and memory per tensor stay the same.
 */
#include "account/stored.h"
#include "base/file.h"
#include "base/str.h"
#include "read/tensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TENSORS 91000
#define EXPERTS 256
#define SHARDS 163
#define ROUNDS 7

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

/* ---- the files -------------------------------------------------------------------------------------------------- */

/* Six tensors for each expert of each layer, as many layers as that takes. */
static void put_name(rk_str *s, size_t i)
{
    static const char *const part[] = {"down_proj.weight", "down_proj.weight_scale_inv",
                                       "gate_proj.weight", "gate_proj.weight_scale_inv",
                                       "up_proj.weight",   "up_proj.weight_scale_inv"};
    size_t expert = i / 6 % EXPERTS, layer = i / 6 / EXPERTS;

    rk_str_format(s, "model.layers.%zu.mlp.experts.%zu.%s", layer, expert, part[i % 6]);
}

static void make_index(rk_str *s, size_t n)
{
    rk_str_put(s, "{\n  \"metadata\": {\n    \"total_size\": 688574839520\n  },\n  \"weight_map\": {\n");
    for (size_t i = 0; i < n; i++) {
        rk_str_put(s, i > 0 ? ",\n    \"" : "    \"");
        put_name(s, i);
        rk_str_format(s, "\": \"model-%05zu-of-%06d.safetensors\"", i * SHARDS / n + 1, SHARDS);
    }
    rk_str_put(s, "\n  }\n}\n");
}

static void put_number(rk_str *s, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rk_str_putc(s, (char)(value >> 8 * i));
}

/* Small tensors: their bytes are only promised, but not every file system lends terabytes. */
#define ROWS 32u
#define COLUMNS 64u
#define BYTES ((unsigned long long)ROWS * COLUMNS)

static void make_safetensors(rk_str *s, size_t n)
{
    put_number(s, 0, 8);
    rk_str_put(s, "{\"__metadata__\":{\"format\":\"pt\"}");
    for (size_t i = 0; i < n; i++) {
        rk_str_put(s, ",\"");
        put_name(s, i);
        rk_str_format(s, "\":{\"dtype\":\"F8_E4M3\",\"shape\":[%u,%u],\"data_offsets\":[%llu,%llu]}", ROWS, COLUMNS,
                      i * BYTES, (i + 1) * BYTES);
    }
    rk_str_putc(s, '}');
    for (size_t i = 0; i < 8; i++)
        s->text[i] = (char)((s->n - 8) >> 8 * i);
}

static void make_gguf(rk_str *s, size_t n)
{
    rk_str_put(s, "GGUF");
    put_number(s, 3, 4);
    put_number(s, n, 8);
    put_number(s, 0, 8);
    for (size_t i = 0; i < n; i++) {
        rk_str name = {0};

        put_name(&name, i);
        put_number(s, name.n, 8);
        rk_str_put(s, rk_str_text(&name));
        put_number(s, 2, 4);
        put_number(s, COLUMNS, 8);
        put_number(s, ROWS, 8);
        put_number(s, 24, 4);
        put_number(s, i * BYTES, 8);
        rk_str_free(&name);
    }
    rk_str_fill(s, 0, (32 - s->n % 32) % 32);
}

/* Texts that no config is like. */
static void make_brackets(rk_str *s, size_t n)
{
    rk_str_fill(s, '[', n);
}

static void make_digits(rk_str *s, size_t n)
{
    rk_str_put(s, "1.");
    rk_str_fill(s, '1', n - 2);
}

static void make_string(rk_str *s, size_t n)
{
    rk_str_putc(s, '"');
    rk_str_fill(s, 'x', n - 2);
    rk_str_putc(s, '"');
}

static void make_equal_keys(rk_str *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rk_str_put(s, i == 0 ? "{\"a\":1" : ",\"a\":1");
    rk_str_putc(s, '}');
}

static void make_keys(rk_str *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rk_str_format(s, "%s\"k%zu\":1", i == 0 ? "{" : ",", i);
    rk_str_putc(s, '}');
}

/* ---- the readings ----------------------------------------------------------------------------------------------- */

static int read_tree(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err)
{
    char *text;
    size_t n;
    rk_doc *doc;
    int rc = rk_files_read(files, a, path, RK_CONFIG_BYTES_MAX, &text, &n, err);

    (void)out;
    return rc == RK_OK ? rk_config_parse(a, path, text, n, &doc, err) : rc;
}

typedef struct job {
    const char *name;
    void (*make)(rk_str *s, size_t n);
    bool has_data; /* the file goes on after its header, for the tensors */
    int (*read)(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err);
    bool refused; /* as it shall be */
    size_t n;     /* bytes, or keys, where it is not tensors */
} job;

static const job jobs[] = {
    {"index", make_index, false, rk_store_read, false, 0},
    {"safetensors", make_safetensors, true, rk_store_read, false, 0},
    {"gguf", make_gguf, true, rk_store_read, false, 0},
    {"index, as a tree", make_index, false, read_tree, false, 0},
    {"64 MiB of [", make_brackets, false, read_tree, true, RK_CONFIG_BYTES_MAX},
    {"64 MiB of digits", make_digits, false, read_tree, false, RK_CONFIG_BYTES_MAX},
    {"64 MiB of text", make_string, false, read_tree, false, RK_CONFIG_BYTES_MAX},
    {"equal keys", make_equal_keys, false, read_tree, true, 1000000},
    {"equal keys", make_equal_keys, false, read_tree, true, 500000},
    {"keys", make_keys, false, read_tree, true, 1000000},
    {"keys", make_keys, false, read_tree, false, 500000},
};

static double read_once(const job *j, const char *path, size_t n)
{
    rk_arena a = {0};
    rk_store *s = NULL;
    rk_stored_sums sums = {0};
    rk_err err = {0};
    double start = now();

    if ((j->read(NULL, &a, path, &s, &err) != RK_OK) != j->refused ||
        (s && rk_stored_sums_new(s, 0, &sums, &err) != RK_OK))
        stop(err.message);
    start = now() - start;
    rk_stored_sums_free(&sums);
    if (s != NULL && s->n_tensor != n)
        stop("tensors are missing");
    rk_arena_free(&a);
    return start;
}

/* ---- processes -------------------------------------------------------------------------------------------------- */

static void measure(const job *j, const char *path, size_t n)
{
    double best = 1e9;
    struct rusage use;

    for (int i = 0; i < ROUNDS; i++) {
        double t = read_once(j, path, n);

        best = t < best ? t : best;
    }
    getrusage(RUSAGE_SELF, &use);
    double peak = (double)use.ru_maxrss * 1024;
    printf("%-17s %8zu %-7s  %8.1f ms  %5.0f ns each   peak %6.1f MB  %5.0f bytes each\n", j->name, n,
           j->n == 0                  ? "tensors"
           : n == RK_CONFIG_BYTES_MAX ? "bytes"
                                      : "keys",
           best * 1e3, best * 1e9 / (double)n, peak / 1e6, peak / (double)n);
}

static void write_file(const job *j, const char *path, size_t n)
{
    rk_str s = {0};
    rk_err err = {0};

    j->make(&s, n);
    if (s.failed || rk_file_write(path, s.text, s.n, &err) != RK_OK)
        stop(s.failed ? "out of memory" : err.message);
    if (j->has_data && truncate(path, (off_t)(s.n + n * BYTES)) != 0)
        stop("cannot make a file of that size");
    rk_str_free(&s);
}

/* Acts in a process of its own.  Files are written by one too, so that their text is not in the reader's memory. */
static void apart(void (*act)(const job *, const char *, size_t), const job *j, const char *path, size_t n)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        act(j, path, n);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        stop("a process failed");
}

int main(void)
{
    static const size_t size[] = {TENSORS / 2, TENSORS, TENSORS * 2};
    char path[] = "/tmp/reckon-bench-XXXXXX";
    int fd = mkstemp(path);

    if (fd < 0)
        stop("cannot make a file in /tmp");
    close(fd);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        for (size_t k = 0; k < (jobs[i].n == 0 ? sizeof size / sizeof *size : 1); k++) {
            size_t n = jobs[i].n == 0 ? size[k] : jobs[i].n;

            apart(write_file, &jobs[i], path, n);
            apart(measure, &jobs[i], path, n);
        }
    }
    unlink(path);
    return 0;
}
