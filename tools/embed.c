/* SPDX-License-Identifier: MIT */
/*
 * Usage: embed ROOT OUTPUT DEPFILE
 *
 * Writes to OUTPUT the C file that defines rk_embedded_file (src/model/embed.h): every *.rk and *.json below
 * ROOT/models, by its path in there, and every *.tsv, *.bash and *.zsh below ROOT/data, as data/….
 * DEPFILE gets a make rule that names all files and folders read, so that the build notices when one of them changes
 * (a folder does when a file is added or removed).
 *
 * Texts are written as arrays of numbers, because C99 promises no more than 4095 bytes for a string literal.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 8 /* models/ has folders in it, not mazes */

#define MODELS "models/"

typedef struct list {
    char **path; /* relative to the root */
    size_t n, cap;
} list;

typedef struct job {
    const char *folder;
    list files, folders;
} job;

static void die(const char *what, const char *which)
{
    fprintf(stderr, "embed: %s: ", which);
    perror(what);
    exit(1);
}

static void *must(void *p)
{
    if (p == NULL)
        die("memory", "malloc");
    return p;
}

/* "a/b", or "b" where there is no "a". */
static char *join(const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 2;
    char *path = must(malloc(size));

    snprintf(path, size, "%s%s%s", a, a[0] != '\0' ? "/" : "", b);
    return path;
}

static void add(list *l, char *path)
{
    if (l->n == l->cap) {
        l->cap = l->cap != 0 ? 2 * l->cap : 64;
        l->path = must(realloc(l->path, l->cap * sizeof *l->path));
    }
    l->path[l->n++] = path;
}

static void empty(list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->path[i]);
    free(l->path);
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n > m && strcmp(text + n - m, end) == 0;
}

/* The path under which a file is found in the table: models are what it is about. */
static const char *known_as(const char *path)
{
    return strncmp(path, MODELS, strlen(MODELS)) == 0 ? path + strlen(MODELS) : path;
}

static bool is_text(const char *name)
{
    static const char *const end[] = {".rk", ".json", ".tsv", ".bash", ".zsh"};

    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        if (ends_in(name, end[i]))
            return true;
    return false;
}

/* Lists the folder `below` (relative; owned by the job from here on) and those in it. */
static void walk(job *j, char *below, int depth)
{
    char *path = join(j->folder, below);
    DIR *dir = opendir(path);
    struct dirent *entry;

    if (dir == NULL || depth > DEPTH_MAX)
        die(dir == NULL ? "cannot be opened" : "too deep", path);
    add(&j->folders, below);
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        char *name = join(below, entry->d_name), *full = join(j->folder, name);
        struct stat st;

        if (stat(full, &st) != 0)
            die("cannot be read", full);
        free(full);
        if (S_ISDIR(st.st_mode))
            walk(j, name, depth + 1);
        else if (S_ISREG(st.st_mode) && is_text(name))
            add(&j->files, name);
        else
            free(name);
    }
    closedir(dir);
    free(path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(known_as(*(char *const *)a), known_as(*(char *const *)b));
}

static void write_text(FILE *out, const job *j, size_t i)
{
    char *path = join(j->folder, j->files.path[i]);
    FILE *in = fopen(path, "rb");
    size_t n = 0;
    int c;

    if (in == NULL)
        die("cannot be read", path);
    fprintf(out, "\nstatic const unsigned char text_%zu[] = {", i);
    for (; (c = getc(in)) != EOF; n++)
        fprintf(out, "%s%d,", n % 32 == 0 ? "\n" : "", c);
    /* The terminator, which the length leaves out. */
    fprintf(out, "\n0};\n");
    if (ferror(in))
        die("cannot be read", path);
    fclose(in);
    free(path);
}

static void write_path(FILE *out, const char *path)
{
    for (; *path != '\0'; path++)
        fprintf(out, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
}

static void write_c(FILE *out, const job *j)
{
    fprintf(out, "/* Written by tools/embed. */\n#include \"model/embed.h\"\n");
    for (size_t i = 0; i < j->files.n; i++)
        write_text(out, j, i);
    fprintf(out, "\nconst rk_embedded rk_embedded_file[] = {\n");
    for (size_t i = 0; i < j->files.n; i++) {
        fprintf(out, "    {\"");
        write_path(out, known_as(j->files.path[i]));
        fprintf(out, "\", (const char *)text_%zu, sizeof text_%zu - 1},\n", i, i);
    }
    /* An empty array is no C: the last row is not counted. */
    fprintf(out, "    {NULL, NULL, 0},\n};\n\nconst size_t rk_n_embedded_file = %zu;\n", j->files.n);
}

/* A path as make and ninja read it: a space or # needs a backslash, a dollar sign a second one. */
static void write_dependency(FILE *out, const char *folder, const char *below)
{
    char *path = below[0] != '\0' ? join(folder, below) : join("", folder);

    fprintf(out, " \\\n ");
    for (const char *c = path; *c != '\0'; c++)
        fprintf(out, *c == ' ' || *c == '#' ? "\\%c" : *c == '$' ? "$%c" : "%c", *c);
    free(path);
}

static void write_depfile(FILE *out, const job *j, const char *target)
{
    fprintf(out, "%s:", target);
    for (size_t i = 0; i < j->folders.n; i++)
        write_dependency(out, j->folder, j->folders.path[i]);
    for (size_t i = 0; i < j->files.n; i++)
        write_dependency(out, j->folder, j->files.path[i]);
    fprintf(out, "\n");
}

static FILE *create(const char *path)
{
    FILE *out = fopen(path, "wb");

    if (out == NULL)
        die("cannot be written", path);
    return out;
}

static void finish(FILE *out, const char *path)
{
    int bad = ferror(out);

    if (fclose(out) != 0 || bad)
        die("cannot be written", path);
}

int main(int argc, char **argv)
{
    job j = {0};

    if (argc != 4) {
        fprintf(stderr, "usage: embed ROOT OUTPUT DEPFILE\n");
        return 2;
    }
    j.folder = argv[1];
    walk(&j, join("", "models"), 0);
    walk(&j, join("", "data"), 0);
    if (j.files.n > 0)
        qsort(j.files.path, j.files.n, sizeof *j.files.path, by_path);

    FILE *out = create(argv[2]);
    write_c(out, &j);
    finish(out, argv[2]);
    out = create(argv[3]);
    write_depfile(out, &j, argv[2]);
    finish(out, argv[3]);
    empty(&j.files);
    empty(&j.folders);
    return 0;
}
