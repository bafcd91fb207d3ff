/* SPDX-License-Identifier: MIT */
/*
 * pass/stepping.h - what the files that build a step share; private to pass/.
 *
 * Stage   program + places -> [pass] -> step.
 * Uses    base/, expr/, model/, pass/step.h.
 * Memory  in the arena of the step.
 * Threads one step, one thread.
 *
 * The way: step_size.c finds how large each buffer is; step_release.c after which event each is let go; step_forward.c
 * makes the lists of the forward pass and of what is recomputed, step_backward.c those of the gradients;
 * step_recompute_ops.c says which operations are recomputed one by one; step_units.c what is done for weights that lie
 * in pieces, step_buckets.c what copies of a model send to each other; step.c does all of it.
 */
#ifndef RK_PASS_STEPPING_H
#define RK_PASS_STEPPING_H

#include "base/vec.h"
#include "pass/step.h"

/* What a list that runs operations does with what their gradients need. */
typedef enum rk_saving {
    SAVING_ALL,        /* saves it */
    SAVING_RECOMPUTED, /* saves it, in the backward pass */
    SAVING_NOTHING,    /* forgets it: it will be recomputed, or there is no backward pass */
    N_SAVING
} rk_saving;

#define RK_STEP_PUT_OFF 4 /* gradients of an operation that are added to others: the rest are added at once */

/* Which gradients a backward list takes. */
typedef enum rk_step_half {
    HALF_BOTH,
    HALF_INPUTS, /* of activations: what those of weights need is kept */
    HALF_WEIGHTS /* of weights, with what was kept */
} rk_step_half;

/* … what there still is of the gradient before: what it was made of, a copy of that, and it itself */
enum {
    HALF_GIVEN,
    HALF_COPY,
    HALF_MADE,
    N_HALF_SLOT
};

/* What an operation makes again, in a list. */
enum {
    RECOMPUTED_NOT_YET,
    RECOMPUTED_THERE,
    RECOMPUTED_GONE
};

/* A backward list, and the gradients that are there before and after it. */
typedef struct rk_step_form {
    uint32_t group, list;
    const bool *before, *after;
} rk_step_form;

/* The gradient of a weight is complete when a task is done. */
typedef struct rk_step_complete {
    uint32_t task, weight;
} rk_step_complete;

typedef struct rk_stepping {
    rk_arena *a;
    rk_pool *pool;
    const rk_program *p;
    const rk_places *pl;
    const rk_flow *f;
    const rk_step_options *o;
    rk_binding at;
    rk_err *err;
    int code; /* sticky */
    rk_step *out;

    RK_VEC(rk_task) task;
    RK_VEC(rk_effect) effect;
    RK_VEC(uint32_t) read;
    RK_VEC(rk_step_list) list;
    RK_VEC(rk_sent) sent;
    rk_task nowhere;     /* what a task is written to when there is no room for it */
    uint32_t open;       /* the list that is being made */
    uint32_t fresh, sum; /* slots: of a gradient that has just been made, and of a sum */
    uint32_t *variable;  /* of each loop: slots of its variables, of their gradients, and of what they will be */

    /* step_release.c */
    uint32_t *releaser; /* of each place: the group that lets it go, or RK_NONE */
    uint32_t *last;     /* … and after which event; RK_NONE: nobody reads it */
    uint32_t *released; /* of each event: the first place that is let go, and of each place the next */
    uint32_t *next;
    bool *held;        /* of each place: a variable of the model outside of layers has it to the end */
    bool *carried_out; /* of each place: it is what a variable of a loop is after a layer */
    bool *used;        /* of each place outside of layers: someone reads it */

    /* Where forward lists have put what they save: the same for all savings. */
    uint32_t *saved, *n_saved; /* of each operation */
    uint32_t *region_saved;    /* of each region: its inputs … */
    uint32_t **region_input;   /* … and the slots they were in */
    uint32_t *n_region_input;
    uint32_t *layer_saved;               /* of each group: what goes into its layers, where that is listed */
    rk_step_item *loop_at;               /* of each loop: how it was run forward */
    uint32_t *forward_list;              /* [saving][group], or RK_NONE */
    RK_VEC(uint32_t) recompute_input;    /* slots of what layers that will be recomputed read … */
    RK_VEC(uint32_t) recompute_input_at; /* … and where the whole step has saved them */
    size_t *first_recompute_input, *end_recompute_input; /* of each loop: its own */
    const rk_region *region;                             /* that is being recomputed; NULL: none */
    size_t first_op, end_op;                             /* operations of the stage that is being made; all */
    size_t first_lent, end_lent;                         /* of recompute_input: its own */
    uint32_t *n_segment_saved; /* of each loop: what goes into layers that are recomputed together … */
    uint32_t *most_room;       /* … and the room that these need when they are … */
    uint32_t *segment_room;    /* … and where in the loop's frame it is */

    /* Backward. */
    bool *has;              /* of each slot: a gradient is in it */
    uint32_t *uses;         /* of each tensor that is a weight and has its storage: in how many places */
    uint32_t *read_back;    /* of each tensor: the first operation that reads it a step back, or RK_NONE */
    uint32_t sole_gradient; /* the weight whose gradient is nobody else's, so that others are added to it in place */
    RK_VEC(rk_step_form) form;
    bool adds_up;            /* gradients of weights are there, and those of this list are added to them … */
    bool leaves;             /* … and each is gone then: it lies in a bucket */
    rk_step_half half;       /* that this list takes */
    size_t last_trained;     /* the last operation of the stage that reads a trained weight */
    uint32_t half_slot;      /* the first of those of HALF_WEIGHTS: … */
    uint32_t *kept_gradient; /* of each operation, in the frame: its result's gradient, for HALF_WEIGHTS; or RK_NONE */
    bool *borrowed;          /* of each gradient's slot: it is a buffer that others hold, and is not added to */

    /* step_stages.c */
    uint32_t sent_slot; /* the first of those of the gradients that stages sent back last */
    rk_step_gate gate;  /* of the tasks that are being made */

    /* step_recompute_ops.c: of each operation: */
    bool *recomputed;          /* its result is not saved, but made again … */
    uint8_t *recompute_made;   /* … which it has been, in the list that is being made: RECOMPUTED_… */
    bool *fetched;             /* of each place: it has come back from the host, in the list that is being made */
    uint32_t *recompute_saved; /* where what it reads then is saved */

    /* step_units.c */
    uint32_t unit_slot;                   /* the first slot of units */
    uint32_t *unit_list;                  /* of each unit: lists that gather it, open it and close it, or RK_NONE */
    uint32_t *layer_room;                 /* of each loop of a pipeline: where what its layers have begins … */
    uint32_t n_layer_room;                /* … in a frame of all micro-batches, which is so large */
    uint32_t *slice;                      /* of each weight whose gradient is made whole: the buffer of its own part */
    bool root_ended, root_opened;         /* the functions of the model have ended; their gradients have begun */
    bool embedding_open;                  /* backward, its weights have been gathered */
    bool gathered;                        /* backward, the next unit is on its way: … */
    size_t gathered_loop, gathered_layer; /* … of this layer; no loop: the embedding */
    /* step_buckets.c */
    RK_VEC(rk_step_complete) complete; /* in the order of tasks */
    uint32_t flat;                     /* the first temporary of a flat buffer … */
    bool reduces_flat;                 /* … of which something is reduced from here on */
    uint32_t *first_use; /* of each tensor that is a weight and has its storage: the first operation, or RK_NONE */

    /* step_detail.c */
    RK_VEC(rk_step_temporary) temporary;
    uint32_t inner;           /* the first slot of temporaries */
    uint32_t *bias, *product; /* of each operation: the sum with a bias after a product, and the other way round */
    uint32_t put_off[RK_STEP_PUT_OFF]; /* slots to which gradients will be added when their operation is done */
    size_t n_put_off;
    uint32_t *rank;                 /* of each operation: where in the order of all it is run */
    bool masked;                    /* the mask of scores has been made */
    uint32_t head;                  /* the product that makes the output, or RK_NONE */
    bool *viewed, *turned;          /* of each gradient's slot: it is a view of what a product, or a rotation, made */
    size_t n_root_loop, loops_done; /* loops outside of layers */
} rk_stepping;

/* step.c: tasks and lists */
void rk_stepping_fail(rk_stepping *s);
rk_i128 rk_stepping_value(rk_stepping *s, rk_ex e);
uint32_t rk_stepping_begin_list(rk_stepping *s, uint32_t group, uint32_t *before);
uint32_t rk_stepping_end_list(rk_stepping *s, uint32_t before);
rk_task *rk_stepping_task(rk_stepping *s, rk_task_kind kind, uint32_t op, uint32_t operand, rk_stage stage);
void rk_stepping_send(rk_stepping *s, rk_sent sent);
void rk_stepping_loop(rk_stepping *s, rk_step_item item);
void rk_stepping_read(rk_stepping *s, uint32_t slot);
void rk_stepping_effect(rk_stepping *s, rk_effect_kind kind, uint32_t slot, uint32_t other);
uint32_t rk_stepping_add_room(rk_stepping *s, uint32_t a, uint32_t b);
uint32_t rk_stepping_room(rk_stepping *s, uint32_t n);
uint32_t rk_stepping_gradient(const rk_stepping *s, uint32_t tensor);
uint32_t rk_stepping_variable(const rk_stepping *s, size_t loop, size_t v);
uint32_t rk_stepping_variable_gradient(const rk_stepping *s, size_t loop, size_t v);
uint32_t rk_stepping_slot(const rk_stepping *s, uint32_t group, uint32_t place);
uint32_t rk_stepping_place_of(const rk_stepping *s, uint32_t tensor);
bool rk_stepping_is_weight(const rk_stepping *s, uint32_t tensor);
uint32_t rk_stepping_owner(const rk_stepping *s, uint32_t tensor);

/* step_size.c */
void rk_stepping_measure(rk_stepping *s);
void rk_stepping_name_sizes(rk_stepping *s);
rk_i128 rk_stepping_rounded(const rk_stepping *s, rk_i128 bytes);
bool rk_stepping_as_large(rk_stepping *s, uint32_t a, uint32_t b);

/* step_release.c */
uint32_t rk_event_op(size_t op);
uint32_t rk_event_enter(const rk_loop *l);
uint32_t rk_event_leave(const rk_loop *l);
bool rk_stepping_comes_in(const rk_stepping *s, uint32_t group, uint32_t place);
void rk_stepping_note_reads(rk_stepping *s);
void rk_stepping_release(rk_stepping *s, uint32_t group, uint32_t event);

/* step_forward.c */
typedef struct rk_step_thing {
    enum {
        THING_OP,
        THING_LOOP,
        THING_REGION,
        THING_FUSED
    } kind;
    size_t which, end; /* the operation, loop or region; the operation after it */
} rk_step_thing;

rk_step_thing rk_stepping_thing(const rk_stepping *s, uint32_t group, size_t op, bool saves);
rk_step_thing *rk_stepping_things(rk_stepping *s, uint32_t group, bool saves, size_t *n);
bool rk_stepping_runs(const rk_stepping *s, size_t op);
void rk_stepping_forward_op(rk_stepping *s, size_t i, bool recompute, bool saves);
uint32_t rk_stepping_layer(rk_stepping *s, uint32_t group, rk_saving saving);
uint32_t rk_stepping_bias(const rk_stepping *s, size_t which);
void rk_stepping_unpack(rk_stepping *s, size_t i, uint32_t *slot);
uint32_t rk_stepping_group_of(const rk_loop *l, size_t layer);
void rk_stepping_forward_stage(rk_stepping *s);
void rk_stepping_forward(rk_stepping *s);

/* step_recompute_ops.c */
void rk_stepping_find_recomputed(rk_stepping *s);
bool rk_stepping_is_recomputed(const rk_stepping *s, uint32_t place);
void rk_stepping_begin_recomputed(rk_stepping *s, uint32_t group);
bool rk_stepping_is_offloaded(const rk_stepping *s, uint32_t group, uint32_t place);
void rk_stepping_save_recomputed(rk_stepping *s, size_t i);
void rk_stepping_make_recomputed(rk_stepping *s, size_t i);
void rk_stepping_forget_recomputed(rk_stepping *s, size_t i);

/* step_detail.c: nothing, where the step is not detailed */
void rk_stepping_find_details(rk_stepping *s);
bool rk_stepping_stops(const rk_stepping *s, const rk_step_thing *thing, size_t n);
bool rk_stepping_is_early(const rk_stepping *s, size_t op, uint32_t place);
void rk_stepping_before_layers(rk_stepping *s, const rk_loop *l);
bool rk_stepping_is_renamed(const rk_stepping *s, uint32_t tensor);
size_t rk_stepping_rotated_with(const rk_stepping *s, size_t i);
bool rk_stepping_is_local(const rk_stepping *s, size_t op);
void rk_stepping_before_result(rk_stepping *s, size_t i);
void rk_stepping_after_result(rk_stepping *s, size_t i);
size_t rk_stepping_operand(const rk_stepping *s, size_t i, size_t k);
void rk_stepping_before_gradients(rk_stepping *s, size_t i);
void rk_stepping_before_gradient(rk_stepping *s, size_t i, size_t k);
void rk_stepping_after_gradient(rk_stepping *s, size_t i, size_t k);
void rk_stepping_after_gradients(rk_stepping *s, size_t i);
void rk_stepping_order(const rk_stepping *s, rk_step_thing *thing, size_t n);
bool rk_stepping_puts_off(rk_stepping *s, uint32_t slot);
void rk_stepping_add_up(rk_stepping *s);
size_t rk_stepping_n_inner(void);

/* step_units.c: nothing, where weights do not lie in pieces */
size_t rk_stepping_n_unit_slot(const rk_stepping *s);
size_t rk_stepping_n_unit_list(const rk_stepping *s);
void rk_stepping_find_units(rk_stepping *s);
void rk_stepping_begin_units(rk_stepping *s);
void rk_stepping_end_units(rk_stepping *s);
void rk_stepping_before_thing(rk_stepping *s, const rk_step_thing *t);
void rk_stepping_after_thing(rk_stepping *s, const rk_step_thing *t);
rk_step_item rk_stepping_gather_layers(rk_stepping *s, size_t loop, rk_step_item item);
void rk_stepping_begin_units_of_list(rk_stepping *s);
void rk_stepping_reduce_units(rk_stepping *s);
void rk_stepping_begin_layer(rk_stepping *s, uint32_t group);
void rk_stepping_end_layer(rk_stepping *s, uint32_t group);
size_t rk_stepping_n_unit_run(const rk_stepping *s);
void rk_stepping_open_layer(rk_stepping *s, size_t loop, size_t layer, rk_backward_part part, rk_step_item *item);
void rk_stepping_close_layer(rk_stepping *s, size_t loop, size_t layer, rk_backward_part part, rk_step_item *item);
void rk_stepping_begin_gradients(rk_stepping *s);
void rk_stepping_before_gradients_of(rk_stepping *s, const rk_step_thing *t);
void rk_stepping_after_gradients_of(rk_stepping *s, const rk_step_thing *t);
void rk_stepping_end_gradients(rk_stepping *s);
bool rk_stepping_adds_whole(const rk_stepping *s);
void rk_stepping_clip(rk_stepping *s);
/* step_buckets.c: nothing, where there are no copies of the model */
bool rk_stepping_in_buckets(const rk_stepping *s);
void rk_stepping_complete(rk_stepping *s, uint32_t tensor);
void rk_stepping_send_buffers(rk_stepping *s);
void rk_stepping_reduce(rk_stepping *s);
void rk_stepping_find_flat(rk_stepping *s);
void rk_stepping_begin_flat(rk_stepping *s);
void rk_stepping_enter_flat(rk_stepping *s);
void rk_stepping_reduce_main(rk_stepping *s);
void rk_stepping_send_flat(rk_stepping *s);
void rk_stepping_send_weight(rk_stepping *s, const rk_weight *w);

/* step.c */
void rk_stepping_reduce_partial(rk_stepping *s, uint32_t group);

/* step_backward.c */
bool rk_stepping_fuses_gradient(const rk_stepping *s, size_t op, size_t k);
bool rk_stepping_trains(const rk_stepping *s, size_t op);
void rk_stepping_begin_backward(rk_stepping *s);
void rk_stepping_backward_stage(rk_stepping *s, rk_step_half half, bool adds_up, bool leaves);
void rk_stepping_settle_last(rk_stepping *s, uint32_t tensor);
void rk_stepping_backward(rk_stepping *s);

/* step_stages.c */
void rk_stepping_stages(rk_stepping *s);

#endif
