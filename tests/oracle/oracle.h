/* SPDX-License-Identifier: MIT */
/*
 * tests/oracle/oracle.h - a naive interpreter that really runs a model's equations, and counts.
 *
 * Stage   above every stage: program -> [oracle] -> numbers, to compare with the ledger's formulas.
 * Uses    base/, expr/ (to evaluate sizes), model/program.h, pass/gradient.h; account/ only to compare with it.
 * Memory  a world owns an arena; tensors, views and plans live in it.
 * Threads one world, one thread.
 *
 * Every element of every tensor is a double, every operation is done element by element through the arithmetic of
 * count.h, and what was done is what is compared.  Pairs that a mask forbids are computed too, so that the full square
 * is counted, but their results are thrown away: such elements stay NaN, and nothing may read them.
 *
 *   view.c      storage; which element a list of axes reads; walking over labels
 *   plan.c      a program at given sizes: views of every operand, and an order to run in
 *   forward.c   the operations
 *   backward.c  their derivatives
 *   attention.c attention in one operation, both ways
 *   run.c       whole passes, recurrences step by step
 *   check.c     counts against the ledger, gradients against finite differences
 *   bodies.c    a model against itself, written out in the operations of a profile
 *   step.c      the runner: the tasks of a step in a memory that holds what the step says is alive (runner.h)
 *   side.c      a program with numbers that others can have, too
 *   passes.c    each pass alone: what goes in against what comes out
 *   ranks.c     the programs of all devices of a layout, in lock step, against the one of a single device
 *   exchange.c  what they send to each other
 *   sizes.c     small random sizes for a model's symbols
 *   vary.c      other configs of a family
 *   main.c      all models
 */
#ifndef RK_TESTS_ORACLE_H
#define RK_TESTS_ORACLE_H

#include "base/arena.h"
#include "model/instance.h"
#include "pass/gradient.h"

#define LABELS_MAX 64 /* labels that one operation touches */

/* ---- counting ------------------------------------------------------------------------------------------------ */

/* What an operation did.  [0] counts everything, [1] only pairs that the mask allows. */
typedef struct tally {
    uint64_t all[2]; /* arithmetic operations */
    uint64_t mul[2]; /* the multiplications among them */
    bool hidden;     /* what is being computed belongs to a forbidden pair */
} tally;

/* ---- tensors and views --------------------------------------------------------------------------------------- */

typedef struct cell {
    double *value;
    double *grad;
    double *base;     /* inputs and weights: the value of the undisturbed run */
    double *nudge;    /* not NULL: added to each element, times world.nudge, when it is made */
    double *room;     /* for `nudge` */
    const bool *gone; /* of each element: it is not there, like a tensor without values; NULL: all are */
    const bool *zero; /* of each element: it is a constant, of which nobody wants a gradient; NULL: none is */
    size_t n;
    bool integer; /* whole numbers: never disturbed */
} cell;

typedef enum axis_kind {
    AXIS_LABEL,  /* the index of a label */
    AXIS_FLAT,   /* offset + the labels' indices taken as one row-major number */
    AXIS_AFFINE, /* offset + Σ factor · index */
    AXIS_ROUTED  /* the place that an operation has chosen for a label */
} axis_kind;

typedef struct axis {
    axis_kind kind;
    long size;   /* elements stored along this axis: an index outside of them reads nothing */
    long offset; /* FLAT, AFFINE; ROUTED: the first place that is stored here */
    size_t n;    /* labels */
    uint32_t *label;
    long *factor;        /* AFFINE */
    size_t united;       /* ROUTED: what all devices have chosen stands behind so many of one; 0: it chose alone */
    uint32_t chooser;    /* ROUTED: the operation … */
    struct view *choice; /* … and its result, under the labels of the one that reads */
} axis;

/* A tensor read (or written) under labels. */
typedef struct view {
    uint32_t tensor;
    axis *at;
    size_t n;
} view;

typedef struct labels {
    uint32_t at[LABELS_MAX];
    size_t n;
} labels;

/* ---- operations ---------------------------------------------------------------------------------------------- */

typedef struct plan {
    const rk_op *op;
    view *in;
    view out;
    view *part;    /* JOIN: the result seen as one of its parts, for each operand */
    labels domain; /* labels of the result */
    labels inner;  /* labels that are summed, or along which a row runs */
    rk_mask mask;  /* with numbers: */
    long mask_size;
    bool masked;
    long arg;     /* ROPE: how many elements rotate */
    long *chosen; /* ROUTE, TOP: the place of each element of the result */
    uint32_t unit;
    bool passes; /* its first operand is the result: what it does, the definition leaves out */
    bool *want;  /* operands that get a gradient */
    const rk_grad **grad;
    tally forward, backward;
} plan;

/* Operations that run together: one, or a recurrence that is run step by step along a label. */
typedef struct unit {
    uint32_t *op;
    size_t n;
    uint32_t step; /* label, or RK_NONE */
} unit;

typedef struct world {
    rk_arena arena;
    const rk_model *model;
    rk_instance *instance; /* in whose pool ledgers are, while they are checked */
    const rk_program *p;
    long *size;   /* of each label */
    long **place; /* … where each element of a piece stands in the label that it is a piece of; NULL: it is none */
    long *whole;  /* … how many elements that one has, or the one that it is a piece of; else as `size` */
    long *index;  /* of each label, while walking */
    cell *tensor;
    plan *op;
    unit *unit;
    size_t n_unit;
    uint32_t step;     /* the label along which a recurrence is being run, or RK_NONE */
    tally *c;          /* where counts go */
    bool bodies;       /* run beside the same model written out in bodies, or is that one */
    size_t devices;    /* that run beside each other; 0, 1: it is alone */
    long first_expert; /* which piece of the list of experts this device has */
    bool attends;      /* attention in one operation is computed; else it gives its queries */
    bool cuts;         /* the loss is not of the last place, which predicts nothing */
    bool fixed;        /* choices (route, stop) are those of the first run */
    uint64_t choices;  /* a hash of all choices of a run: a derivative is only compared when it stays the same */
    double nudge;
    double **root;    /* coefficients of each output's elements */
    double loss_root; /* coefficient of the loss */
    uint64_t random;
    uint32_t *missing;           /* not NULL: gets one more than the tensor that was read and is not there */
    const labels *chunk;         /* not NULL: of what has all these labels, only some indices are walked over: … */
    long chunk_first, chunk_end; /* … those whose row-major number is in between */
    char wrong[512];             /* the first thing that cannot be run; empty: none */
} world;

/* view.c */
void fail_world(world *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void *need(world *w, size_t n, size_t size); /* zeroed; ends the program when memory runs out */
bool labels_has(const labels *l, uint32_t label);
void labels_add(labels *l, uint32_t label);
void labels_add_view(labels *l, const view *v);
view view_of(world *w, uint32_t tensor, const rk_ixs *axes);
long view_count(const view *v);
axis axis_flat(world *w, const uint32_t *label, size_t n, long offset, long size);
axis axis_of(world *w, const rk_ix *ix);
bool view_at(const world *w, const view *v, size_t *at); /* false: outside */
double view_get(const world *w, const view *v);          /* 0 outside */
double view_grad(const world *w, const view *v);
void view_put(world *w, const view *v, double x);
void view_add_grad(world *w, const view *v, double g);
bool walk_first(world *w, const labels *l);
bool walk_next(world *w, const labels *l);
bool pair_allowed(const world *w, const plan *p); /* by the operation's mask, at the present indices */
long wanted_class(const world *w, const plan *p);
double wanted_count(world *w, const plan *p);                           /* places that want one, of all chunks */
long place_of(const world *w, uint32_t label);                          /* its index, counted over all devices */
long place_in(const world *w, uint32_t label, uint32_t whole, long at); /* the same of any, counted in `whole` */
long index_at(const world *w, uint32_t label, long place); /* the index that stands there; -1: another device has it */
void reset_indices(world *w, const plan *p);
long eval_size(world *w, rk_ex e);

/* plan.c */
bool plan_world(world *w, const rk_model *m, uint64_t seed, double most); /* most steps that a run may take */
void free_world(world *w);
double random_real(world *w); /* between -1 and 1 */
uint64_t random_next(uint64_t *state);
labels row_of_last(const view *v); /* the label of the last axis */

/* forward.c, backward.c */
void forward_op(world *w, plan *p);
void backward_op(world *w, plan *p);

/* attention.c: in one operation; nothing of it is counted */
void attention_forward(world *w, plan *p);
void attention_backward(world *w, plan *p);

/* Keys and values, and their gradients, that one of several devices has; where its keys stand. */
typedef struct key_source {
    cell key, value;
    long *place;
} key_source;
void attention_over(world *w, plan *p, const key_source *from, size_t n, bool back);

/* check.c: every disagreement is a line of `out`, and counted */
typedef struct findings {
    size_t n_wrong, n_op, n_gradient;
    size_t n_compared; /* models that were compared with their bodies, or steps that were run */
    size_t n_copied;   /* operands of which a copy was made when they had been let go */
    size_t n_refused;  /* layouts that a model does not bear */
    size_t n_shared;   /* gradients that were added to a buffer that another gradient shares */
} findings;
void wrong(rk_str *out, findings *f, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void check_world(world *w, const rk_model *m, rk_str *out, findings *f);

/* sizes.c */
typedef struct subject {
    const char *folder; /* of the model files */
    const char *file;   /* below it */
    const char *name;   /* what to call it */
    const char *text;
    size_t n;
    const rk_doc *config;   /* NULL: none */
    const rk_setting *word; /* words for `choose` */
    size_t n_word;
    long devices;  /* over which sizes are laid: most of them are multiples of it; 0, 1: of anything */
    bool vary;     /* the config may be changed */
    bool may_lack; /* a config is missing: that it is needed is no mistake */
    bool grouped;  /* its experts are taken all at once */
    bool mixed;    /* its products are taken in another type, as autocast does */
    bool drops;    /* dropout acts; here it leaves nothing out */
} subject;
bool open_small(subject *s, uint64_t seed, rk_arena *a, const rk_model **m, world *w, rk_str *why);
/* The same model at the same sizes, its operations written out in the bodies of a profile. */
bool open_body(const subject *s, const char *profile, const rk_model *plain, const rk_model **m, world *w, rk_str *why);
rk_finder finder_of(const subject *s);
void print_sizes(const rk_model *m, rk_str *out);

/* bodies.c */
void check_bodies(const subject *s, world *plain, rk_str *out, findings *f);
/* Runs both; false: they cannot be compared. */
bool compare_bodies(const subject *s, world *plain, world *body, rk_str *out, findings *f);

/* passes.c */
void check_passes(const subject *s, const world *plain, rk_str *out, findings *f);
bool report_passes(void); /* false: one of them has changed nothing */

/* ranks.c */
void check_ranks(const subject *s, const world *plain, rk_str *out, findings *f);
void two_devices_agree(const rk_model *m, rk_str *out, findings *f); /* of the first layout there */
void report_ranks(void);

/* step.c */
void check_step(const subject *s, const world *plain, rk_str *out, findings *f);

/* vary.c */
const rk_doc *vary_config(rk_arena *a, const rk_doc *from, uint64_t *random);

/* run.c */
void fill_world(world *w);
void run_forward(world *w); /* values; counts into each plan's `forward` */
void run_backward(world *w, const rk_gradient *g);
double root_value(const world *w);

/* A loop over all indices of some labels; the name is the line's own, so that loops may stand inside each other. */
#define WALK_NAME_(line) go_##line
#define WALK_AT_(line, w, l)                                                                                           \
    for (bool WALK_NAME_(line) = walk_first((w), (l)); WALK_NAME_(line); WALK_NAME_(line) = walk_next((w), (l)))
#define WALK_(line, w, l) WALK_AT_(line, w, l)
#define WALK(w, l) WALK_(__LINE__, w, l)

#endif
