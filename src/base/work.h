/* SPDX-License-Identifier: MIT */
/*
 * base/work.h - work is counted, and who asked can stop it.
 *
 * Stage   below every stage.
 * Uses    base/err.h.
 * Memory  the caller owns the meter; nothing is allocated.
 * Threads a meter is that of the thread that began it, and of those that join it; its call-back is called in the first
 *         alone.
 *
 * A unit is about one allocation, or one step of a walk.  Once the budget is spent or the call-back says so, a meter is
 * stopped: every allocation of its threads fails from then on, which is how all that allocates comes to its end, and
 * loops that do not allocate ask rk_work themselves.  What they leave need not be right: rk_heap_end makes RK_ESTOPPED
 * of it.
 */
#ifndef RK_BASE_WORK_H
#define RK_BASE_WORK_H

#include "base/err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RK_WORK_STEP 1024 /* units between two calls of the call-back: some tenths of a millisecond */

typedef enum rk_work_stop {
    RK_WORK_GOES_ON,
    RK_WORK_STOPPED, /* by the call-back */
    RK_WORK_SPENT    /* the budget */
} rk_work_stop;

typedef struct rk_work_meter {
    uint64_t budget; /* units; 0: no limit */
    /* Hears how much of the work is done, in units where `all` is 0; not 0: stop.  NULL: nobody wants to know. */
    int (*progress)(void *self, double done, double all);
    void *self;
    double part, all; /* of what rk_work_tell said; all 0: nobody knows how much there is */
    _Atomic uint64_t done;
    _Atomic rk_work_stop stop;
} rk_work_meter;

/* The calling thread's work is counted by a meter, zeroed but for its first three members, until rk_work_end. */
void rk_work_begin(rk_work_meter *m);
void rk_work_end(void);

/* The meter of this thread, or NULL; another thread joins in its work with it. */
rk_work_meter *rk_work_here(void);
void rk_work_join(rk_work_meter *m);

extern _Thread_local int64_t rk_work_left; /* units until the meter is looked at */
bool rk_work_look(void);                   /* does so now; false: stop */

/* Counts n units; false: stop. */
static inline bool rk_work(size_t n)
{
    rk_work_left -= (int64_t)n;
    return rk_work_left > 0 || rk_work_look();
}

/* Says how much is done of all, in units of who says it, and looks; 0 of 0: that was all. */
bool rk_work_tell(double done, double all);

/* RK_OK, or RK_ESTOPPED with what stopped this thread's work. */
int rk_work_check(rk_err *err);

#endif
