/* SPDX-License-Identifier: MIT */
/*
 * The door of reckon.h for a page: one context, and plain numbers and bytes instead of structs, so that a script needs
 * to know no layout.  docs/web.md has the calls.
 *
 * The module asks its host for one thing, door_progress.  What libc would ask of a system is answered in nosystem.c.
 */
#include "reckon.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED(name) __attribute__((export_name(#name)))

#define WORDS_MAX 4096 /* of a question: far more than a page asks */

/* Not 0: stop.  The host has a clock to look at. */
__attribute__((import_module("host"), import_name("door_progress"))) int door_progress(double done, double all);

EXPORTED(door_alloc) void *door_alloc(size_t n);
EXPORTED(door_free) void door_free(void *bytes);
EXPORTED(door_open) int door_open(size_t columns, double budget);
EXPORTED(door_file) int door_file(const char *name, const void *bytes, size_t n, double size);
EXPORTED(door_ask) int door_ask(const char *words, size_t n);
EXPORTED(door_text) const char *door_text(void);
EXPORTED(door_text_size) size_t door_text_size(void);
EXPORTED(door_message) const char *door_message(void);
EXPORTED(door_mistakes) const char *door_mistakes(void);
EXPORTED(door_verdict) int door_verdict(void);

static reckon_context *context;
static reckon_answer answer;
static reckon_error error;

void *door_alloc(size_t n)
{
    return malloc(n);
}

void door_free(void *bytes)
{
    free(bytes);
}

static int progress(void *self, double done, double all)
{
    (void)self;
    return door_progress(done, all);
}

/* A number of a script, which has doubles alone. */
static uint64_t whole(double x)
{
    return x >= 1 ? x < 0x1p63 ? (uint64_t)x : UINT64_MAX : 0;
}

int door_open(size_t columns, double budget)
{
    reckon_setup setup = {
        .no_disk = 1, .no_input = 1, .columns = columns, .progress = progress, .budget = whole(budget)};

    reckon_answer_free(&answer);
    reckon_context_free(&context);
    error = (reckon_error){0};
    return reckon_context_new(&setup, &context, &error);
}

int door_file(const char *name, const void *bytes, size_t n, double size)
{
    error = (reckon_error){0};
    return reckon_context_file(context, name, bytes, n, whole(size), &error);
}

/* The words stand one after another, each with a terminator. */
int door_ask(const char *words, size_t n)
{
    static const char *word[WORDS_MAX + 1];
    size_t n_word = 0;

    reckon_answer_free(&answer);
    error = (reckon_error){0};
    if (n > 0 && words[n - 1] != '\0')
        return error.code = RECKON_EUSAGE;
    for (const char *at = words; at < words + n; at += strlen(at) + 1) {
        if (n_word == WORDS_MAX) {
            snprintf(error.message, sizeof error.message, "more than %d words in a question", WORDS_MAX);
            return error.code = RECKON_EUSAGE;
        }
        word[n_word++] = at;
    }
    word[n_word] = NULL;
    return reckon_ask(context, word, NULL, &answer, &error);
}

const char *door_text(void)
{
    return answer.text;
}

size_t door_text_size(void)
{
    return answer.n_text;
}

const char *door_message(void)
{
    return error.message;
}

const char *door_mistakes(void)
{
    return answer.mistakes;
}

int door_verdict(void)
{
    return answer.unfit ? 3 : answer.differs ? 1 : 0;
}
