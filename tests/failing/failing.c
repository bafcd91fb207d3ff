/* SPDX-License-Identifier: MIT */
/*
 * Usage: failing [--all] LINES [WORD]
 *
 * The command with allocations that fail: every line of the file LINES (those with WORD in them) is run as it is, and
 * then with its n-th allocation failing, once alone and once with all after it.  The answer must stay what it was, with
 * its status, or the status must be 4.  Each line is tried at some places evenly spread, with --all at each.
 *
 * malloc and its relatives are defined here.  What libc asks for itself does not fail.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#undef main
int reckon_main(int argc, char **argv);

/* ---- the heap --------------------------------------------------------------------------------------------------- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static atomic_long n_asked;     /* allocations since the command began */
static atomic_long *shared;     /* the same, for the parent to read */
static long fails_at = -1;      /* negative: none does */
static bool for_ever, counting; /* all after it fail, too; the command is running */

extern const char __executable_start, etext; /* where the code of this program lies */

static bool refuses(const void *caller)
{
    const char *from = caller;
    long n;

    if (!counting || from < &__executable_start || from >= &etext)
        return false;
    n = atomic_fetch_add(&n_asked, 1);
    atomic_store(shared, n + 1);
    if (fails_at < 0 || (for_ever ? n < fails_at : n != fails_at))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t n)
{
    return refuses(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return refuses(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return refuses(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

/* ---- one run ---------------------------------------------------------------------------------------------------- */

enum {
    WORDS_MAX = 64,
    PLACES = 24, /* at which a line is tried without --all */
    SYSTEM = 4   /* the status that says: no memory */
};

typedef struct answer {
    char *text; /* standard output, then standard error */
    size_t n;
    int status; /* as wait gives it */
    long asked;
} answer;

static char *word[WORDS_MAX];
static int n_word;

static void run_child(FILE *out, FILE *err, long at, bool ever)
{
    if (dup2(fileno(out), STDOUT_FILENO) < 0 || dup2(fileno(err), STDERR_FILENO) < 0)
        _exit(99);
    fails_at = at;
    for_ever = ever;
    counting = true;
    int status = reckon_main(n_word, word);

    counting = false;
    fflush(NULL);
    _exit(status);
}

static void append(answer *a, FILE *f)
{
    char block[4096];
    size_t got;

    rewind(f);
    while ((got = fread(block, 1, sizeof block, f)) > 0) {
        a->text = realloc(a->text, a->n + got);
        if (!a->text)
            exit(99);
        memcpy(a->text + a->n, block, got);
        a->n += got;
    }
    fclose(f);
}

static answer run(long at, bool ever)
{
    FILE *out = tmpfile(), *err = tmpfile();
    answer a = {.text = NULL};
    pid_t child;

    fflush(NULL);
    atomic_store(shared, 0);
    child = out && err ? fork() : -1;
    if (child == 0)
        run_child(out, err, at, ever);
    if (child < 0 || waitpid(child, &a.status, 0) != child) {
        perror("failing");
        exit(99);
    }
    a.asked = atomic_load(shared);
    append(&a, out);
    append(&a, err);
    return a;
}

/* ---- a line ----------------------------------------------------------------------------------------------------- */

static bool is_right(const answer *want, const answer *got)
{
    if (!WIFEXITED(got->status))
        return false;
    if (WEXITSTATUS(got->status) == SYSTEM)
        return true;
    return got->status == want->status && got->n == want->n &&
           (got->n == 0 || memcmp(got->text, want->text, got->n) == 0);
}

static int try_line(const char *line, bool all)
{
    answer want = run(-1, false);
    long step = all || want.asked < PLACES ? 1 : want.asked / PLACES;
    int failed = 0;

    for (int ever = 0; ever < 2; ever++)
        /* Another place each line, so that many lines together try many. */
        for (long at = step > 1 ? (want.asked * 7 + ever * 3) % step : 0; at < want.asked; at += step) {
            answer got = run(at, ever);

            if (!is_right(&want, &got) && failed++ < 3)
                printf("%s: allocation %ld of %ld fails%s: %s %d\n", line, at, want.asked,
                       ever ? ", and all after it" : "", WIFEXITED(got.status) ? "another answer, status" : "signal",
                       WIFEXITED(got.status) ? WEXITSTATUS(got.status) : WTERMSIG(got.status));
            free(got.text);
        }
    if (failed)
        printf("%s: %d places\n", line, failed);
    free(want.text);
    return failed > 0;
}

static void split(char *line)
{
    static char name[] = "reckon";

    n_word = 0;
    word[n_word++] = name;
    for (char *at = strtok(line, " "); at && n_word < WORDS_MAX - 1; at = strtok(NULL, " "))
        word[n_word++] = at;
    word[n_word] = NULL;
}

int main(int argc, char **argv)
{
    bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
    const char *path = argc > 1 + all ? argv[1 + all] : "", *only = argc > 2 + all ? argv[2 + all] : "";
    FILE *lines = fopen(path, "r");
    char line[1024], words[1024];
    int failed = 0, n = 0;

    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!lines || shared == MAP_FAILED) {
        fprintf(stderr, "usage: failing [--all] LINES [WORD]\n");
        return 2;
    }
    while (fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0' || !strstr(line, only))
            continue;
        memcpy(words, line, sizeof line);
        split(words);
        failed += try_line(line, all);
        n++;
    }
    fclose(lines);
    printf("%d lines, %d failed\n", n, failed);
    return failed > 0;
}
