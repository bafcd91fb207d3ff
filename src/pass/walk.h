/* SPDX-License-Identifier: MIT */
/*
 * pass/walk.h - what the files of the timeline share; private to pass/.
 *
 * Stage   program + places -> [pass] -> timeline.
 * Uses    base/, expr/, model/, pass/timeline.h.
 * Memory  in the arena of the walk.
 * Threads one walk, one thread.
 *
 * The way: live.c keeps the sum of all that is alive, and count.c how many of each size there are; release.c finds
 * behind which event each buffer is let go; forward.c does the operations of all layers and tapes them; backward.c
 * takes the tape back; timeline.c does both.
 */
#ifndef RK_PASS_WALK_H
#define RK_PASS_WALK_H

#include "base/vec.h"
#include "pass/timeline.h"

#define RELEASES_MAX ((size_t)64 << 20) /* groups times buffers: far above any model */
#define MARKS_MAX ((size_t)1 << 26)     /* operations of all layers: 100,000 layers of 600 operations */

typedef enum rk_walk_kind {
    LIVE_BUFFER,   /* of the places, in one layer */
    LIVE_GRADIENT, /* of a tensor */
    LIVE_CACHE     /* of a tensor that decoding carries on */
} rk_walk_kind;

typedef struct rk_walk_live {
    uint32_t what;  /* the buffer, or the tensor */
    uint32_t holds; /* who needs it still: 0: it is dead */
    rk_walk_kind kind;
    rk_live as; /* what it counts as now */
} rk_walk_live;

typedef enum rk_mark_kind {
    MARK_OP,
    MARK_LOOP,    /* a loop begins */
    MARK_LAYER,   /* a layer begins */
    MARK_AGAIN,   /* layers that are computed again: what goes into the first is kept */
    MARK_PIECE,   /* operations that are */
    MARK_FUSED,   /* the head and the loss, with their gradients */
    MARK_LAYERED, /* it has ended */
    MARK_LOOPED   /* all have */
} rk_mark_kind;

/* What was done forward, to be undone backward. */
typedef struct rk_mark {
    rk_mark_kind kind;
    uint32_t which; /* the operation, the loop, the group of the layer, or the piece */
    size_t kept;    /* OP: where what it keeps begins in the list */
    uint32_t n_kept;
    uint32_t layer; /* LAYER, LAYERED: its running number; AGAIN: that of the first … */
    uint32_t n;     /* … and how many there are */
} rk_mark;

/* A buffer that is let go behind an event of a group. */
typedef struct rk_release {
    uint32_t group, event, buffer;
} rk_release;

typedef struct rk_walk {
    rk_arena *a;
    const rk_instance *m;
    const rk_program *p;
    const rk_places *pl;
    const rk_flow *f;
    const rk_timeline_options *o;
    rk_binding at;
    rk_err *err;
    int code; /* sticky */

    rk_i128 *bytes;             /* of each buffer */
    bool *one_place;            /* of each buffer: of a sequence, one place is made */
    rk_i128 *tensor_bytes;      /* of each tensor, which is what its gradient has */
    uint32_t *now;              /* of each buffer, the one of this layer; RK_NONE: there is none */
    uint32_t *gradient;         /* of each tensor, likewise */
    uint32_t *last;             /* [group][buffer]: behind which event of the group it is let go; see event_… */
    RK_VEC(rk_release) release; /* the same as a list, by event and group */
    uint32_t *first_release;    /* of each event: where its releases begin in the list */
    bool *held;                 /* of each buffer: a variable of the model outside of layers has it to the end */
    bool *carried_out;          /* of each buffer: it is what a variable of a loop is after a layer */
    RK_VEC(rk_walk_live) live;
    RK_VEC(rk_mark) tape;
    RK_VEC(uint32_t) kept;
    RK_VEC(uint32_t) lent; /* what layers that will be computed again read from outside of them */
    uint32_t **carry;      /* of each loop: what its variables are now */

    uint32_t *layer; /* the running numbers of the loops around, the outermost first */
    size_t n_layer;
    size_t loops_left; /* backward: loops outside of layers that have not begun … */
    size_t loops_done; /* … and that have ended */
    size_t n_done;     /* operations done, all layers together */

    rk_i128 sum;
    rk_i128 alive[RK_N_LIVE]; /* the same by what it is */
    rk_scene scene;           /* the operation being done, for a watcher */
    rk_i128 scene_sum;        /* the largest sum in it */
    size_t n_event;
    rk_timeline *out;
    rk_moment *moment; /* the largest sum is noted here … */
    bool looking;      /* … or, in a second walk, who is alive at it */
    bool forgetting;   /* nothing is kept: the layer will be computed again */
    bool again;        /* it is being computed again */
    bool again_piece;  /* a piece is */
    uint32_t *uses;    /* of each tensor that is a weight and has its storage: in how many places */
    bool *takes_in;    /* likewise: its gradient is nobody else's, so that others can be added to it in place */
} rk_walk;

/* live.c: how large, who is alive, and the sum */
rk_i128 rk_walk_value(rk_walk *w, rk_ex e);
bool rk_walk_is_one_place(const rk_walk *w, uint32_t tensor);
void rk_walk_measure(rk_walk *w);
bool rk_walk_is_watched(const rk_walk *w);
void rk_walk_note_scene(rk_walk *w);
void rk_walk_begin_scene(rk_walk *w, uint32_t op, rk_stage stage);
void rk_walk_end_scene(rk_walk *w);
bool rk_walk_is_weight(const rk_walk *w, uint32_t tensor);
uint32_t rk_walk_born(rk_walk *w, rk_walk_kind kind, uint32_t what, uint32_t op);
void rk_walk_hold(rk_walk *w, uint32_t i);
void rk_walk_let_go(rk_walk *w, uint32_t i);
void rk_walk_hold_for_backward(rk_walk *w, uint32_t i);

/* count.c: sizes as expressions, and how many there are of each */
rk_census *rk_walk_census(const rk_walk *w);
void rk_walk_name_sizes(rk_walk *w);
void rk_walk_count_born(rk_walk *w, const rk_walk_live *l, uint32_t op);
void rk_walk_count_died(rk_walk *w, const rk_walk_live *l);
void rk_walk_ask_bytes(const rk_walk *w, uint32_t a, uint32_t b);

/* release.c: who reads what for the last time */
uint32_t rk_walk_event_op(size_t op);
uint32_t rk_walk_event_enter(const rk_loop *l);
uint32_t rk_walk_event_leave(const rk_loop *l);
uint32_t *rk_walk_last_of(rk_walk *w, uint32_t group, uint32_t buffer);
uint32_t rk_walk_buffer_of(const rk_walk *w, uint32_t tensor);
bool rk_walk_comes_in(const rk_walk *w, uint32_t group, uint32_t buffer);
bool rk_walk_is_skipped(const rk_walk *w, size_t op);
void rk_walk_note_reads(rk_walk *w);
bool rk_walk_lets_go(const rk_walk *w, uint32_t group, uint32_t buffer);
void rk_walk_list_releases(rk_walk *w);
void rk_walk_after_event(rk_walk *w, uint32_t group, uint32_t event);

/* forward.c: forward through all layers */
void rk_walk_born_caches(rk_walk *w);
uint32_t rk_walk_unpack(rk_walk *w, size_t i);
void rk_walk_born_casts(rk_walk *w, size_t i, uint32_t n, uint32_t cast[3]);
void rk_walk_let_go_casts(rk_walk *w, size_t i, uint32_t n, const uint32_t cast[3]);
void rk_walk_do_op(rk_walk *w, size_t i);
void rk_walk_do_layers(rk_walk *w, size_t loop, size_t first, size_t n);
void rk_walk_do_group(rk_walk *w, uint32_t group);

/* backward.c: and back */
uint32_t rk_walk_owner_of(const rk_walk *w, uint32_t tensor);
void rk_walk_do_backward(rk_walk *w);

#endif
