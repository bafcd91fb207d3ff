/* SPDX-License-Identifier: MIT */
/*
 * tests/lexicon.h - the lexicon of the library, for tests of what reads texts.
 *
 * Stage   above every stage: included by tests.
 * Uses    audit/lexicon.h.
 * Memory  read at the first call, and kept until the program ends.
 * Threads call it from one thread.
 */
#ifndef RK_TESTS_LEXICON_H
#define RK_TESTS_LEXICON_H

#include "audit/lexicon.h"

#include <stdio.h>
#include <stdlib.h>

static inline const rk_lexicon *t_lexicon(void)
{
    static rk_arena arena;
    static rk_lexicon lexicon;
    static bool is_read;
    rk_err err = {0};

    if (!is_read && rk_lexicon_read(&(rk_library){0}, &arena, &lexicon, &err) != RK_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    is_read = true;
    return &lexicon;
}

#endif
