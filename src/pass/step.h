/* SPDX-License-Identifier: MIT */
/*
 * pass/step.h - a training step or a forward pass as data: tasks in their order, and what each does to buffers.
 *
 * Stage   program + places -> [pass] -> step -> timeline, account.
 * Uses    base/, expr/, model/, pass/place.h, pass/chunk.h, pass/census.h.
 * Memory  in the arena given.
 * Threads building: one thread; a step that is built is never changed.
 *
 * Why it is data.  How a step is run has many forms: layers that are recomputed, one by one or several together;
 * attention that is; a loss taken chunk by chunk, or with its gradients at once; gradients that are added up over
 * passes; caches that grow; operations that decoding leaves out.  Walking the program with a flag for each of these
 * means that each flag must be right at each place where any of them is asked for.  Here each form is decided once,
 * when the lists are made, and what comes out is a list in which nothing is left to decide.  Who reads it (the walk of
 * pass/timeline.h, sums of costs, the runner of tests/oracle/) knows nothing of modes, and cannot get one wrong.
 *
 * What a list is.  Equal layers share one: it is made for a group and not for a layer, so a step of 100,000 layers has
 * as many tasks as one of two.  A list holds tasks and loops; a loop is a row of runs, each of a list for a layer.  The
 * forward pass, the backward pass and the optimizer's step are three lists.  A device of a pipeline has such lists for
 * each of its stages, and runs them for several micro-batches in turn, each in a frame of its own: `act` has the order.
 *
 * What a task does to memory is an ordered list of effects on *slots*.  A slot is a name under which a list knows a
 * buffer: one for each place, for each tensor's gradient, for each variable that a loop carries from layer to layer.
 * All layers use the same slots.  What is to outlive its layer is *saved*: it gets a number in the layer's frame, and
 * frames are laid out when the step is built, so that a list says "saved 3" and a run says where its frame begins.
 * Nothing here depends on the backward pass following the forward pass at once.
 *
 * A buffer dies when nobody holds it any longer: its slot, each save, and each slot that shares it are one holder.
 * Sharing is what happens to a gradient that a sum passes on to both of its operands.
 *
 * Backward, which gradients are there when a layer is reached depends on what lies after it: the last layer may begin
 * with fewer, and a recurrence leaves one for the layer before.  A backward list is therefore made for a group *and*
 * for the set of gradients that it finds; most groups need one or two.
 */
#ifndef RK_PASS_STEP_H
#define RK_PASS_STEP_H

#include "model/collective.h"
#include "pass/chunk.h"
#include "pass/census.h"
#include "pass/layout.h"
#include "pass/place.h"
#include "pass/schedule.h"
#include "pass/units.h"

#define RK_STEP_OPS_MAX ((size_t)1 << 26)  /* operations of all layers: 100,000 layers of 600 operations */
#define RK_STEP_LIVE_MAX ((size_t)1 << 24) /* buffers that are alive at once: 32 bytes each while a step is walked */

typedef enum rk_task_kind {
    RK_TASK_FORWARD,    /* runs an operation */
    RK_TASK_RECOMPUTE,  /* runs it once more in the backward pass */
    RK_TASK_GRADIENT,   /* the gradient of one operand of one operation; of a fused loss, of all at once */
    RK_TASK_ACCUMULATE, /* adds a gradient to one that is there */
    RK_TASK_UPDATE,     /* the optimizer's step of one weight */
    RK_TASK_CACHE,      /* appends to what decoding carries on */
    RK_TASK_COLLECTIVE, /* what devices send to each other beside the operations: `operand` of the table of these */
    RK_TASK_STORAGE,    /* computes nothing: buffers are given, saved, handed on from layer to layer, let go */
    RK_N_TASK
} rk_task_kind;

extern const char *const rk_task_word[RK_N_TASK]; /* forward, recompute … */

typedef enum rk_effect_kind {
    RK_EFFECT_MAKE,       /* slot: a new buffer, of the kind `other` */
    RK_EFFECT_SHARE,      /* slot: what slot `other` has, with one more holder; RK_NONE: someone outside holds it */
    RK_EFFECT_MOVE,       /* slot: what slot `other` had; RK_NONE: it stays to the end */
    RK_EFFECT_SAVE,       /* what slot has is saved as `other` for the backward pass */
    RK_EFFECT_LEND,       /* the same of what no gradient needs, but a layer that will be recomputed */
    RK_EFFECT_CACHE,      /* what slot has is held until … */
    RK_EFFECT_UNCACHE,    /* … this lets go of all that is held so */
    RK_EFFECT_RESTORE,    /* slot: what was saved as `other`, with one more holder */
    RK_EFFECT_FREE,       /* the holder slot is gone */
    RK_EFFECT_FREE_SAVED, /* what was saved as `other` has a holder less */
    RK_EFFECT_LEAVE,      /* one of the kind `other` that was there before the step began is gone */
    RK_EFFECT_PUT         /* `other` of the frame has what slot has, too, whatever that is for */
} rk_effect_kind;

typedef struct rk_effect {
    rk_effect_kind kind;
    uint32_t slot, other;
} rk_effect;

/* For who watches: tasks of one operation are one scene. */
typedef enum rk_stage {
    RK_STAGE_FORWARD,
    RK_STAGE_LOSS,
    RK_STAGE_BACKWARD,
    RK_STAGE_RECOMPUTE, /* in the backward pass: forward once more */
    RK_STAGE_NONE       /* nothing to be seen */
} rk_stage;

typedef struct rk_task {
    rk_task_kind kind;
    rk_stage stage;
    bool opens, closes; /* the scene of its operation */
    uint32_t op;        /* RK_NONE: it belongs to none */
    uint32_t operand;   /* GRADIENT, ACCUMULATE: of which operand; UPDATE, CACHE: the weight, the tensor */
    size_t effect, n_effect;
    /*
     * In the table of reads: slots.  FORWARD, RECOMPUTE: of each operand, the stored ones by their place.  GRADIENT: of
     * the result's gradient; RK_NONE: it begins here.  ACCUMULATE: of what is added to, and of what is; RK_NONE: what
     * is added to stays from pass to pass.
     */
    size_t read, n_read;
    bool stopped;            /* RECOMPUTE: all that is saved of it is there, so that it is not run */
    uint32_t saved, n_saved; /* GRADIENT: what its operation has saved, in the frame of its layer */
} rk_task;

/* Stretches of the backward pass, in the order in which they come; in each, some moment is the largest. */
typedef enum rk_backward_part {
    RK_BACKWARD_HEAD,        /* from the loss to the layers */
    RK_BACKWARD_LAST_LAYER,  /* the last layer */
    RK_BACKWARD_MIDDLE,      /* layers between, and what stands between loops */
    RK_BACKWARD_FIRST_LAYER, /* the first layer */
    RK_BACKWARD_EMBEDDING,   /* all below the first layer */
    RK_BACKWARD_JOIN,        /* after it, of a pipeline: outputs of all micro-batches are joined */
    RK_N_BACKWARD_PART
} rk_backward_part;

/* What is done only where weights are not there already: a stage that is run for several micro-batches has them. */
typedef enum rk_step_gate {
    RK_GATE_OPEN,  /* it is done */
    RK_GATE_FREED, /* weights are gathered that go after each forward pass … */
    RK_GATE_KEPT   /* … or stay */
} rk_step_gate;

/* A list run for a layer. */
typedef struct rk_step_run {
    uint32_t list;
    uint32_t layer; /* its running number; RK_NONE: it stands between layers */
    uint32_t frame; /* where what it saves begins, in the frame of its loop */
    rk_backward_part part;
    rk_step_gate gate;
    bool of_all; /* its frame is one of all micro-batches, and begins with the first of these */
} rk_step_run;

/* A task, or a loop: `run` is then not NULL. */
typedef struct rk_step_item {
    uint32_t task;
    uint32_t loop; /* of the program */
    rk_step_run *run;
    size_t n_run;
    uint32_t frame;         /* where that of the loop begins, in the frame of the list */
    rk_backward_part part;  /* outside of layers */
    bool is_backward;       /* a loop of the backward pass: … */
    bool is_last, is_first; /* … no loop outside of layers has been run before this one, or none will be */
    rk_step_gate gate;
} rk_step_item;

typedef struct rk_step_list {
    uint32_t group;
    rk_step_item *item;
    size_t n_item, cap;
    uint32_t n_saved;     /* the size of its frame, those of its loops included */
    size_t n_op, n_given; /* operations that are run forward; buffers that stay to the end: loops included */
} rk_step_list;

/* In which of the passes whose gradients are added up something is sent. */
typedef enum rk_sent_in {
    RK_SENT_IN_EACH,
    RK_SENT_IN_FIRST,
    RK_SENT_IN_LAST
} rk_sent_in;

/* What devices send to each other in one task. */
typedef struct rk_sent {
    rk_collective op;
    rk_mesh_axis axis;
    rk_ex elements; /* of the whole: gathered, or before it is scattered */
    int bytes;      /* of each */
    rk_sent_in in;
    rk_ex times;    /* in one run of its task: of a weight, that of all layers; RK_EX_FAILED: once */
    bool is_bucket; /* of gradients, which is there from step to step */
    bool experts;   /* among the devices that have the same experts */
    bool ends;      /* between the first and the last stage of a pipeline, which both have a tied weight */
} rk_sent;

/* Which of the micro-batches of a stage a backward list is for; of a single one it is the last. */
typedef enum rk_step_age {
    RK_AGE_FIRST, /* its gradients of weights stay … */
    RK_AGE_LATER, /* … and those of later ones are added to them */
    RK_AGE_LAST,  /* the same; copies of the model reduce their sum */
    RK_N_AGE
} rk_step_age;

/* A stage of a pipeline: lists that are run for each micro-batch, in a frame of its own. */
typedef struct rk_step_stage {
    uint32_t begin; /* before the step: buffers that are there throughout */
    uint32_t forward;
    uint32_t backward[RK_N_AGE];
    uint32_t weights[RK_N_AGE]; /* where gradients of weights are taken by themselves; RK_NONE: they are not */
    uint32_t reduce;            /* after the last: weights that were gathered go, and their gradients are reduced */
} rk_step_stage;

/* A list run in a frame: a step of a pipeline is a row of these. */
typedef struct rk_step_act {
    uint32_t list;
    uint32_t micro;
    size_t frame;
    bool backward;
} rk_step_act;

#define RK_STREAMS 3 /* of operations, of gathers, of reductions */

/* What something alive is. */
typedef enum rk_live {
    RK_LIVE_SAVED,           /* the backward pass will need it */
    RK_LIVE_PASSING,         /* an operation to come reads it, or someone holds it */
    RK_LIVE_GRADIENT,        /* of an activation */
    RK_LIVE_WEIGHT_GRADIENT, /* of a weight */
    RK_LIVE_CACHE,           /* what decoding carries on */
    RK_LIVE_WEIGHT,          /* weights that have been gathered */
    RK_N_LIVE
} rk_live;

/*
 * What an operation makes and lets go inside (see rk_step_options.detailed), and buffers of units (pass/units.h).
 */
typedef struct rk_step_temporary {
    uint32_t op; /* RK_NONE: of a unit */
    const char *what;
    rk_live as;
    rk_i128 bytes;
    int stream;     /* in which it is asked for: what one stream has had, no other gets; 0: that of the operations */
    rk_ex formula;  /* of a unit: the same, not rounded … */
    uint32_t group; /* … and of which layers it is */
} rk_step_temporary;

/*
 * A buffer is one of the places, then the gradient of a tensor, then the cache of one: n_place of the first, n_tensor
 * of each of the others; then temporaries.  Slots begin with the same numbers but for the last, and go on.
 */
typedef struct rk_step {
    const rk_program *program;
    const rk_layout *layout; /* over devices; NULL: there is one */
    const rk_places *places;
    rk_task *task;
    size_t n_task;
    rk_effect *effect;
    uint32_t *read;
    rk_step_list *list;
    size_t n_list;
    uint32_t forward, backward, update; /* lists; RK_NONE: there is none; of a pipeline, those of its first stage */
    rk_step_stage *stage;               /* of a pipeline; … */
    size_t n_stage;                     /* … 0: it is none */
    rk_step_act *act;                   /* of a pipeline: what is run, in place of `forward` and `backward` */
    size_t n_act, n_frame;              /* n_frame: of all micro-batches together */
    size_t n_place, n_tensor, n_buffer, n_slot;
    rk_i128 *bytes; /* of each buffer, rounded */
    rk_step_temporary *temporary;
    size_t n_temporary;
    rk_sent *sent; /* of collective tasks */
    size_t n_sent;
    uint32_t *offloaded; /* of each place: one more than the group whose layers have it saved on the host; 0: none */
    bool *one_place;     /* of each place: of a sequence, one place of it is made … */
    rk_ex places_of_sequence; /* … of so many */
} rk_step;

typedef struct rk_step_options {
    rk_run_options run;
    bool backward;           /* false: a forward pass without gradients */
    bool loss;               /* from the loss; false: from the output */
    bool hold_output;        /* someone holds the output while the backward pass runs */
    size_t recompute_layers; /* so many layers together save what goes into them alone, and are recomputed; 0: none */
    bool offloads;           /* what layers save is held by the host, and comes back when a gradient needs it */
    const bool *recomputed;  /* of each operation: what it makes is not saved, but made again; NULL: none … */
    const bool *stays;       /* … with it: whose result is saved all the same */
    bool recompute_together; /* … and all of a layer before its first gradient that needs one */
    const rk_chunk *chunk;   /* how the head and the loss are computed; NULL: all tokens at once */
    bool adds_up;            /* gradients of weights are there, and what is made is added to them */
    bool leaves;             /* … and each is gone then: it lies in a bucket */
    int rounding;            /* of a buffer, in bytes; 1: none */
    const rk_schedule *schedule;  /* of a program that has stages: the order in which they are run */
    bool holds_gradients;         /* with it: what is sent back is held until the next backward pass has ended */
    bool keeps_outputs;           /* with it: outputs of all micro-batches are kept, and joined at the end */
    const rk_weight_units *units; /* weights that lie in pieces; NULL: they do not … */
    int stored;                   /* … in numbers of so many bytes */
    int gradient_reads;           /* operations of the optimizer that each reduce partial gradients; 0: once for all */
    bool accumulates_whole;       /* gradients of the passes before wait to be reduced in this one */
    /* Without gradients, what decoding carries on goes into caches; of the output one place of a sequence is made. */
    const rk_i128 *cache;    /* bytes of the cache of each tensor, 0: it has none; NULL: nothing is carried on */
    const rk_ex *cache_each; /* the same as expressions, where there is a census */
    bool carried;            /* the caches are there already: each is replaced by a longer one */
    rk_ex places;            /* how many places a sequence has; RK_EX_FAILED: of the output all are made */
    const rk_layout *layout; /* over devices; NULL: there is one */
    const bool *unpacks; /* of each tensor: a weight of few bits, written out while a product reads it; NULL: none */
    rk_census *census;   /* gets the sizes of all buffers; NULL: nobody asks */
    bool detailed;       /* with what operations make inside, and in the order of their gradients: see step_detail.c */
} rk_step_options;

/* Elements of a flat buffer into which trained weights are laid, one of experts in pieces and one of all others, … */
rk_ex rk_step_flat_elements(rk_pool *pool, const rk_program *p, bool experts);

/* … and of a rank's piece of it. */
rk_ex rk_step_flat_piece(rk_pool *pool, const rk_program *p, const rk_layout *l, bool experts);

/* RK_ELIMIT: the layers have too many operations, or save too much, to be walked. */
int rk_step_new(rk_arena *a, const rk_instance *m, const rk_places *pl, const rk_flow *f, const rk_step_options *o,
                rk_step *out, rk_err *err);

#endif
