/* SPDX-License-Identifier: MIT */
/*
 * plan/facts.h - facts of something, by its name, from a table of the library.
 *
 * Stage   data/….tsv -> [plan] -> plain values.
 * Uses    base/, plan/library.h.
 * Memory  texts live in the arena given.
 * Threads no state.
 *
 * A line has five cells, divided by tabs: of what, which fact, its value, its unit, where it is from.
 */
#ifndef RK_PLAN_FACTS_H
#define RK_PLAN_FACTS_H

#include "plan/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fact that is a number. */
typedef struct rk_fact {
    const char *name, *unit;
    size_t at; /* where its int32_t stands */
} rk_fact;

typedef struct rk_fact_table {
    const char *path;    /* "data/profiles.tsv" */
    const char *what;    /* "profile": for messages */
    const rk_fact *fact; /* all of which it must have */
    size_t n_fact;
    bool (*text)(void *self, const char *name, const char *value); /* takes a fact that is a text; false: it is none */
    void *self;
} rk_fact_table;

/* RK_EINPUT: a line of the table is wrong, or a fact is missing; the message says which. */
int rk_facts_read(const rk_library *l, rk_arena *a, const rk_fact_table *t, const char *name, void *out, rk_err *err);

#endif
