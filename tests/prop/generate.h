/* SPDX-License-Identifier: MIT */
/*
 * tests/prop/generate.h - random small models, as text.
 *
 * Stage   before lang: writes what a person could have written.
 * Uses    base/.
 * Memory  a plan lives in the arena given; texts are the caller's.
 * Threads the generator has its state in the plan.
 *
 * A plan is a tree of lines.  It is written in several ways that must all count the same: with its loops, or with every
 * layer written out; with the sizes as numbers in the file, from a config, or set from outside.
 */
#ifndef RK_TESTS_PROP_GENERATE_H
#define RK_TESTS_PROP_GENERATE_H

#include "base/arena.h"
#include "base/str.h"
#include "model/model.h"

#define N_SIZE 14

/* The symbols of all plans.  T is S, and may be set to more; H is D / N. */
typedef enum size_name {
    SIZE_B,
    SIZE_S,
    SIZE_T,
    SIZE_D,
    SIZE_N,
    SIZE_H,
    SIZE_F,
    SIZE_V,
    SIZE_E,
    SIZE_A,
    SIZE_J,
    SIZE_W,
    SIZE_L,
    SIZE_M
} size_name;

typedef struct plan_line plan_line;

typedef struct plan_lines {
    plan_line **at;
    size_t n, cap;
} plan_lines;

/* A line, and what stands deeper below it.  "@0" and "@1" are the running numbers of the loops around it. */
struct plan_line {
    const char *text;
    bool loop;       /* "part NAME at PREFIX:", to be repeated */
    size_name count; /* a loop: the symbol of its count … */
    bool grows;      /* … and the running number of the loop around it is added */
    int depth;       /* a loop: 0, 1 … */
    plan_lines below;
};

typedef struct plan {
    rk_arena *arena;
    unsigned long long state; /* of the generator */
    int size[N_SIZE];
    int extra; /* T is S and so much more */
    plan_lines start, body;
    int n_name;      /* names given so far */
    int loop_depth;  /* while it is made */
    bool by_number;  /* some layers differ by their numbers: their count is no free symbol */
    bool recurrence; /* has one */
} plan;

typedef enum spelling {
    SPELL_NUMBERS, /* let D = 8 */
    SPELL_CONFIG,  /* let D = $d */
    SPELL_SET      /* let D, and D=8 from outside */
} spelling;

plan plan_new(rk_arena *a, unsigned long long seed);

/* Loops that carry several variables, some of which need no gradient in some layers, or are read by nobody. */
plan plan_loops(rk_arena *a, unsigned long long seed);

/* The model as text; `unrolled`: every layer written out. */
void plan_write(const plan *p, spelling how, bool unrolled, rk_str *out);

/* What SPELL_CONFIG and SPELL_SET need beside the text. */
void plan_config(const plan *p, rk_str *out);
size_t plan_settings(const plan *p, spelling how, rk_setting out[N_SIZE]);

#endif
