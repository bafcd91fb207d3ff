/* SPDX-License-Identifier: MIT */
/*
 * reckon: hands the words of a line to the library, and shows what comes back.
 *
 * What an answer writes is kept whole or not at all, so that a failure leaves nothing half written.  Messages go to
 * standard error as "reckon: …".
 */
#include "base/file.h"
#include "base/num.h"
#include "reckon.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    EXIT_DONE = 0,
    EXIT_INPUT = 1,
    EXIT_USAGE = 2,
    EXIT_UNFIT = 3,
    EXIT_SYSTEM = 4
};

enum {
    FILES_MAX = 4,   /* that one line writes: its answer, and a timeline */
    BAR_COLUMNS = 30 /* of the progress on a terminal */
};

/* What is written, and how far it is. */
typedef struct writing {
    rk_file_stream file[FILES_MAX];
    size_t n;
    bool gone; /* a reader of standard output has seen enough, which is no failure */
    rk_err err;
    struct timespec began;
    int bar; /* per cent shown; -1: none */
} writing;

/* ---- files ------------------------------------------------------------------------------------------------------ */

static rk_file_stream *find_file(writing *w, const char *name)
{
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->file[i].path, name) == 0)
            return &w->file[i];
    if (w->n == FILES_MAX || rk_file_stream_open(&w->file[w->n], name, &w->err) != RK_OK)
        return NULL;
    return &w->file[w->n++];
}

static int put(void *self, const char *file, const char *bytes, size_t n)
{
    writing *w = self;
    rk_file_stream *s = find_file(w, file);

    if (!s || rk_file_stream_put(s, bytes, n, &w->err) != RK_OK)
        return 1;
    w->gone |= s->closed;
    return s->closed;
}

static void end_files(writing *w, bool keep)
{
    for (size_t i = 0; i < w->n; i++)
        if (rk_file_stream_close(&w->file[i], keep && w->err.code == RK_OK, &w->err) != RK_OK)
            keep = false;
}

/* ---- the terminal ----------------------------------------------------------------------------------------------- */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

/* A bar on a terminal, once a second has passed, of work whose end is known. */
static int progress(void *self, double done, double all)
{
    writing *w = self;
    int percent = all > 0 ? (int)(done * 100 / all) : 0, blocks = percent * BAR_COLUMNS / 100;

    if (all <= 0 || percent == w->bar || !isatty(STDERR_FILENO) || seconds_since(&w->began) < 1)
        return 0;
    w->bar = percent;
    fprintf(stderr, "\r[");
    for (int i = 0; i < BAR_COLUMNS; i++)
        fputs(i < blocks ? "█" : " ", stderr);
    fprintf(stderr, "] %d%%", percent);
    return 0;
}

/* COLUMNS where it is set, as others do. */
static size_t columns_set(void)
{
    const char *set = getenv("COLUMNS");
    rk_i128 n = 0;

    if (!set || !rk_num_parse(set, strlen(set), &n) || n <= 0)
        return 0;
    return n < 10000 ? (size_t)n : 10000;
}

static reckon_setup setup_of(writing *w)
{
    const char *models = getenv("RECKON_MODELS"), *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool is_plain = (no_colour && no_colour[0]) || !term || strcmp(term, "dumb") == 0;
    struct winsize size = {0};
    reckon_setup s = {.put = put, .progress = progress, .self = w};

    s.models = models;
    s.columns = columns_set();
    if (isatty(STDOUT_FILENO)) {
        s.screen = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : SIZE_MAX;
        s.colour = !is_plain;
    }
    return s;
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

/* Lines stay lines; whatever else a file or a name holds is made safe to print. */
static void put_lines_safe(const char *text, rk_str *out)
{
    for (; *text; text += *text == '\n') {
        size_t n = strcspn(text, "\n");

        rk_str_put_safe(out, text, n);
        rk_str_putc(out, '\n');
        text += n;
    }
}

/* A JSON string of a text that is safe to print, without the end of its last line. */
static void put_string(const char *text, rk_str *out)
{
    rk_str safe = {0};

    put_lines_safe(text, &safe);
    if (!safe.failed && safe.n > 0)
        safe.text[--safe.n] = '\0';
    rk_str_put_json(out, rk_str_text(&safe));
    out->failed |= safe.failed;
    rk_str_free(&safe);
}

/* Where a program asked: {"error": {"code", "where", "message"}}, `where` the file and line of a mistake, or null. */
static void say_to_program(int code, const char *message, const reckon_answer *answer)
{
    static const char *const name[] = {"none", "input", "usage", "overflow", "memory",
                                       "io",   "limit", "value", "stopped"};
    const char *said = answer->mistakes && code != RECKON_ENOMEM ? answer->mistakes : message;
    size_t where = answer->mistakes && code != RECKON_ENOMEM ? strcspn(said, " \n") : 0;
    rk_str s = {0}, place = {0};

    rk_str_format(&s, "{\"error\": {\"code\": \"%s\", \"where\": ", name[-code]);
    rk_str_putn(&place, said, where > 0 && said[where - 1] == ':' ? where - 1 : 0);
    if (place.n > 0)
        put_string(rk_str_text(&place), &s);
    else
        rk_str_put(&s, "null");
    rk_str_put(&s, ", \"message\": ");
    put_string(said, &s);
    rk_str_put(&s, "}}\n");
    fputs(s.failed ? "{\"error\": {\"code\": \"memory\", \"where\": null, \"message\": \"out of memory\"}}\n"
                   : rk_str_text(&s),
          stderr);
    rk_str_free(&s);
    rk_str_free(&place);
}

/* Whether the line asks for JSON, be it wrong otherwise. */
static bool wants_json(char **argv)
{
    for (; *argv; argv++)
        if (strcmp(*argv, "--format=json") == 0 ||
            (strcmp(*argv, "--format") == 0 && argv[1] && strcmp(argv[1], "json") == 0))
            return true;
    return false;
}

static void say_error(int code, const char *message, const reckon_answer *answer)
{
    rk_str s = {0};

    if (answer->mistakes && code != RECKON_ENOMEM) {
        put_lines_safe(answer->mistakes, &s);
    } else {
        rk_str_put(&s, "reckon: ");
        put_lines_safe(message[0] ? message : "failed\n", &s);
    }
    if (code == RECKON_EUSAGE && answer->command && strcmp(answer->command, "help") != 0)
        rk_str_format(&s, "reckon: 'reckon help %s' says how it is used\n", answer->command);
    else if (code == RECKON_EUSAGE)
        rk_str_put(&s, "reckon: 'reckon help' lists the commands\n");
    fputs(s.failed ? "reckon: out of memory\n" : rk_str_text(&s), stderr);
    rk_str_free(&s);
}

static int exit_status(int code)
{
    switch (code) {
    case RECKON_OK:
        return EXIT_DONE;
    case RECKON_EUSAGE:
        return EXIT_USAGE;
    case RECKON_ENOMEM:
    case RECKON_EIO:
        return EXIT_SYSTEM;
    default:
        return EXIT_INPUT;
    }
}

int main(int argc, char **argv)
{
    static const char *const nothing[] = {NULL};
    writing w = {.bar = -1};
    reckon_setup setup = setup_of(&w);
    reckon_context *context = NULL;
    reckon_answer answer = {0};
    reckon_error error = {0};
    int code, status;

    signal(SIGPIPE, SIG_IGN);
    rk_file_tidy_on_signals();
    clock_gettime(CLOCK_MONOTONIC, &w.began);
    code = reckon_context_new(&setup, &context, &error);
    if (code == RECKON_OK)
        code = reckon_ask(context, argc > 0 ? (const char *const *)argv + 1 : nothing, NULL, &answer, &error);
    if (w.bar >= 0)
        fprintf(stderr, "\r\033[K");
    code = code == RECKON_ESTOPPED && w.gone ? RECKON_OK : code;
    end_files(&w, code == RECKON_OK);
    if ((code == RECKON_OK || code == RECKON_ESTOPPED) && w.err.code != RK_OK) {
        code = w.err.code;
        (wants_json(argv) ? say_to_program : say_error)(code, w.err.message, &answer);
    } else if (code != RECKON_OK) {
        (wants_json(argv) ? say_to_program : say_error)(code, error.message, &answer);
    }
    status = code == RECKON_OK && answer.unfit     ? EXIT_UNFIT
             : code == RECKON_OK && answer.differs ? EXIT_INPUT
                                                   : exit_status(code);
    reckon_answer_free(&answer);
    reckon_context_free(&context);
    return rk_heap_failed() ? EXIT_SYSTEM : status;
}
