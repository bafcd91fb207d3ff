/* SPDX-License-Identifier: MIT */
/*
 * model/copy.h - makes a program once more, with changes: what every pass is written with.
 *
 * Stage   program -> [copy] -> program.
 * Uses    base/, model/build.h.
 * Memory  in the builder's arena; what does not change is borrowed from the program that is copied.
 * Threads the program is only read; one builder, one thread.
 *
 * A copy goes through the operations and the events of the trace in their order and puts them into a builder.  A pass
 * says what it does otherwise: `op` is asked for each operation and may put others beside it or leave it out; `call` is
 * asked for each call and may put something in its place; `regroup` has for each loop other groups of its layers, for
 * each of which the operations are put once; `left_out` has the operations that are not put, nor anything about them.
 * A part of a program may be put, and then another part of it beside the first (`again`).
 *
 *     rk_copy c = {.op = put_adapters, .self = &adapting};
 *     code = rk_copy_program(&c, in, &build);
 */
#ifndef RK_MODEL_COPY_H
#define RK_MODEL_COPY_H

#include "model/build.h"

/* Layers that are put once: the operations of a group of the program that is copied, and how often they occur. */
typedef struct rk_copy_layers {
    uint32_t group;
    uint32_t *layer; /* which; as in rk_group */
    size_t n_layer;
    uint32_t *weight; /* of each weight of the group, what it is; filled in by the copy */
} rk_copy_layers;

/* Other groups of the layers of a loop, which stands in no other that gets such; n is 0: it keeps its own. */
typedef struct rk_copy_loop {
    rk_copy_layers *layers;
    size_t n;
    size_t n_first; /* as in rk_loop */
    /* A stretch of the layers alone is put; these are counted from its first, which is `first` of all. */
    size_t first, n_layer; /* 0: all are put */
    rk_ex count;           /* the same as an expression */
} rk_copy_loop;

/* An operand whose tensor is made later: of a recurrence, which reads one step back. */
typedef struct rk_copy_late {
    uint32_t op, operand;   /* of what is made */
    uint32_t tensor, alias; /* of what is copied */
} rk_copy_late;

typedef struct rk_copy {
    /* What a pass does otherwise; NULL: nothing. */
    int (*op)(struct rk_copy *c, size_t op);
    int (*loop_begins)(struct rk_copy *c, size_t loop);
    int (*call)(struct rk_copy *c, const rk_trace_call *call, bool *replaced);
    const rk_copy_loop *regroup; /* one for each loop */
    const bool *left_out;        /* of each operation; what is put must not read what these make, but out of a cache */
    const bool *left_out_weight; /* of each weight; … */
    const bool *left_out_input;  /* … and of each input: nothing that is put reads them */
    const bool *stands; /* of each tensor: a pass has said what stands for it, though its operation is not put */
    bool again;         /* the labels and parts of the program have been put, with another part of it */
    bool gives_nothing; /* outputs of the program are none of what is made */
    bool gives_beside;  /* what is given beside the output is an output, too */
    void *self;

    const rk_program *in;
    rk_build *out;
    /* Of each thing of `in`, what it is in `out`; RK_NONE: nothing yet. */
    uint32_t *tensor, *alias, *group, *loop, *weight;
    bool *hidden;            /* of each tensor: what stands for it cannot be read as it was */
    size_t *group_event;     /* of each group, where it begins among the events */
    RK_VEC(size_t) equation; /* where the equations that are open began */
    size_t first;            /* where the one that has just ended began */
    RK_VEC(rk_copy_late) late;
} rk_copy;

int rk_copy_program(rk_copy *c, const rk_program *in, rk_build *out);
/* The same in two steps, for who needs the labels, parts and weights before the operations. */
int rk_copy_begin(rk_copy *c, const rk_program *in, rk_build *out);
int rk_copy_run(rk_copy *c);

/* One operation as it is; NULL: it failed. */
rk_op *rk_copy_op(rk_copy *c, size_t i);
/* What a tensor is in the copy; RK_NONE: it is not made yet, or it failed. */
uint32_t rk_copy_tensor(rk_copy *c, uint32_t tensor, uint32_t alias);
/* Who reads a tensor a step back reads what it is now, whatever will stand for it. */
void rk_copy_settle(rk_copy *c, uint32_t tensor);

#endif
