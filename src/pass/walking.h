/* SPDX-License-Identifier: MIT */
/*
 * pass/walking.h - a walk over a step while it is on its way; private to pass/timeline.c and pass/timeline_repeat.c.
 *
 * Stage   step -> [pass] -> timeline -> account.
 * Uses    base/, pass/timeline.h.
 * Memory  in the arena of the walk, which is freed when it ends.
 * Threads one walk, one thread.
 */
#ifndef RK_PASS_WALKING_H
#define RK_PASS_WALKING_H

#include "pass/timeline.h"

/* A buffer that is alive. */
typedef struct rk_walk_live {
    uint32_t buffer;
    uint32_t holders; /* of a dead one: the next dead one, and one more */
    rk_live as;       /* what it counts as now */
    bool saved;
    uint32_t looked_at, number; /* when a list was last compared, and which of the entries it then was … */
    uint32_t fewest;            /* … and the fewest holders that it has had since */
} rk_walk_live;

typedef struct rk_walk {
    const rk_step *s;
    rk_timeline *out;
    const rk_watcher *watcher; /* NULL: nobody */
    rk_census *census;         /* NULL: nobody */
    rk_arena *own;
    uint32_t *slot, *saved; /* which entry each has; RK_NONE: none */
    rk_walk_live *live;
    size_t n_live, most; /* entries that were ever used, and that there are */
    uint32_t dead;       /* the first that can be used again */
    rk_live *class;      /* of each buffer, what it counts as when it is born */
    uint64_t *count;     /* of each buffer, how many are alive … */
    uint64_t *left;      /* … how many that were there before are gone … */
    uint64_t *kept;      /* … and how many of those alive are saved */
    uint32_t *cached;    /* entries that are held until all of these are let go */
    size_t n_cached;
    uint32_t *layer; /* the running numbers of the loops around, the outermost first */
    size_t n_layer;
    rk_i128 sum, alive[RK_N_LIVE]; /* the same by what it is */
    rk_scene scene;                /* the operation being done */
    rk_moment *moment;             /* where the largest sum is noted … */
    bool looking;                  /* … or, in the second walk, who is alive at it */
    bool backward, full;
    bool counting; /* what is saved is counted: of several micro-batches, that of the first */
    size_t n_event;
    size_t last_event;             /* of the second walk: the last at which it looks */
    const rk_task *task;           /* being done */
    struct rk_repeat *repeat;      /* of each list: how it was run before; NULL: all are run task by task … */
    struct rk_repeat_note *noting; /* … and the notes that are taken of the one being run, or NULL */
    uint32_t n_look;               /* lists that have been compared */
} rk_walk;

/* Makes room for notes, where all that looks on can be told of a run by what was noted of another; false: no memory. */
bool rk_walk_begin_repeats(rk_walk *w);

/* Whether a list is one of a layer that rk_walk_repeat may be asked to run. */
bool rk_walk_repeats(const rk_walk *w, uint32_t list);

/*
 * Runs such a list, at once where it finds what a run before it found.  `saved` is its frame.  What is done, noted and
 * shown is the same; entries may have other numbers.
 */
void rk_walk_repeat(rk_walk *w, uint32_t list, uint32_t *saved);

/* A scene is shown while notes are taken. */
void rk_walk_note_scene(rk_walk *w);

/* Runs a list without loops task by task. */
void rk_walk_tasks(rk_walk *w, const rk_step_list *l, uint32_t *saved);

#endif
