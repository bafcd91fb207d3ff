/* SPDX-License-Identifier: MIT */
/*
 * tests/oracle/runner.h - what the files of the runner share: step.c, step_plain.c, step_memory.c, step_tasks.c.
 *
 * Stage   above every stage: program, step -> [runner] -> numbers, to compare with each other.
 * Uses    oracle.h, pass/step.h.
 * Memory  in the world's arena.
 * Threads one runner, one thread.
 */
#ifndef RK_TESTS_RUNNER_H
#define RK_TESTS_RUNNER_H

#include "base/vec.h"
#include "oracle.h"
#include "pass/step.h"

/* A tensor in one layer. */
typedef struct value {
    double *at, *grad;
    size_t n;
    uint32_t places; /* buffers that are alive in which it lies; 0: it is gone */
    bool stays;      /* a weight, or what the model holds */
} value;

/* An operation in one layer. */
typedef struct record {
    uint32_t op;
    uint32_t *in, out; /* values */
    long **chosen;     /* places that were chosen: of each operation that this one asks, in turn, and its own */
} record;

/* A buffer. */
typedef struct entry {
    uint32_t holders, buffer;
    double *grad;           /* what lies in it, where that is a gradient that was saved */
    RK_VEC(uint32_t) value; /* that lie in it */
} entry;

/*
 * What a task computes, apart from what it does to memory.  Operations of a recurrence are run together, step by step:
 * what each has to do is noted, and done when the last of them has been met.
 */
typedef struct job {
    const rk_task *task;
    record *x;
    double **in, *out; /* GRADIENT: values of the operands and of the result that are there; NULL: not saved */
    bool **gone;       /* … of each, the result last: elements that are not; NULL: all are */
    bool *zero;        /* … of the operand whose gradient it is: elements that are constant; NULL: none is */
    double *to, *from; /* GRADIENT: of the operand and of the result; ACCUMULATE: is added to, is added */
    size_t n;          /* ACCUMULATE: elements */
} job;

typedef struct runner {
    world *w;
    const rk_program *p;
    rk_arena *a;
    rk_str *out;
    findings *f;
    const char *form; /* of the step: "recomputed" */
    bool loss;        /* the gradient begins at the loss */
    RK_VEC(value) value;
    uint32_t **given; /* of each tensor that is a weight or an input: its value in each layer */
    uint32_t *now;    /* of each tensor: its value at this place */
    uint32_t layer[32];
    size_t n_layer;
    bool *bound;         /* of each operation: it stands in a recurrence, and is run with the others of it */
    record **current;    /* of each operation of a recurrence: what it is where that is being run */
    RK_VEC(record) tape; /* of the first run */
    bool notes;          /* the first run only writes the tape */

    /* The second run. */
    const rk_step *s;
    const rk_places *pl;
    const rk_flow *flow;
    const rk_chunk *by_chunks; /* NULL: all tokens at once */
    bool mixed;                /* under autocast */
    labels *tokens;            /* of each operation of the head and the loss: labels that number them */
    bool in_chunk;             /* these are being run chunk by chunk */
    long chunk;                /* that is being run */
    bool last_chunk;           /* it is the last one */
    RK_VEC(entry) entry;
    RK_VEC(job) job;            /* of the recurrence that is being met */
    uint32_t *slot, *saved;     /* entries */
    bool *outside;              /* of each slot: it was there before the chunks began */
    double **grad;              /* of each slot: the gradient in it */
    record **done;              /* of each operation: what it was in each layer */
    uint32_t ***entered;        /* of each loop, in each layer: what its variables were */
    uint32_t *stamp, stamp_now; /* of each tensor: in which part of the backward pass its value was recomputed */
    double **final;             /* of each value that is a weight: its gradient */
    size_t n_shared;
} runner;

/* step.c */
void fail_step(runner *r, uint32_t op, const char *what);

/* step_plain.c: values, and the first run */
double *new_numbers(runner *r, size_t n, double of);
uint32_t new_value(runner *r, uint32_t tensor);
size_t layers_of(const rk_program *p, uint32_t group);
size_t layer_now(const runner *r, uint32_t group);
uint32_t owner_of(const rk_program *p, uint32_t tensor);
uint32_t read_now(const runner *r, uint32_t tensor);
record new_record(runner *r, uint32_t op, uint32_t out);
const labels *chunk_of(const runner *r, uint32_t op);
void restore_choices(runner *r, const record *x);
plan *set_cells(runner *r, const record *x);
void run_record(runner *r, const record *x);
void run_record_back(runner *r, const record *x);
void begin_recurrence(runner *r, uint32_t op);
void find_recurrences(runner *r);
void give_numbers(runner *r);
void run_plain(runner *r);      /* by the equations, keeping everything */
void run_plain_back(runner *r); /* gradients into those of the values */
void seed_outputs(runner *r);
/* The record of the tape there, or all of a recurrence that begins there, or ends; gives where the next one does. */
size_t run_noted(runner *r, size_t at);
size_t run_noted_back(runner *r, size_t end);
void set_wants(world *w, const rk_flow *f);

/* The recurrence in which an operation stands: `each` for its operations, in the order in which they can be run. */
void run_units(runner *r, uint32_t op, bool back, void (*each)(runner *r, uint32_t op));

/* step_memory.c: slots and buffers */
void add_numbers(double *to, const double *from, size_t n);
void hold_weights(runner *r);
bool lies_in(const runner *r, uint32_t id, uint32_t at);
void put_in(runner *r, uint32_t id, uint32_t at);
void do_effect(runner *r, const rk_task *t, const rk_effect *e, uint32_t *saved, double **fresh);

/* side.c: a program with numbers, run */
#define SIDE_WORK_MAX 1e8 /* elementary steps of one layer of each kind */

typedef struct side {
    const rk_model *model;
    world w;
    runner r;
    rk_gradient g;
    findings none; /* what the runner asks for */
} side;

uint64_t hash_text(const char *text);
const char *name_in_layer(side *s, const rk_weight *w, size_t layer); /* of all loops around it */
const rk_weight *named_as(const rk_program *p, const rk_weight *w);
bool runs_layer(const rk_program *p, uint32_t group, size_t layer);
void number_weights(side *s, bool zero_b);
bool open_side(side *s, const rk_model *m, rk_str *out, findings *f);
void run_side(side *s, bool back, rk_str *out, findings *f);
double distance(const double *a, const double *b, size_t n); /* relative to the largest number, or to 1 */

/* step_tasks.c */
void do_list(runner *r, uint32_t list, uint32_t *saved);

#endif
