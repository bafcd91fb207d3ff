/* SPDX-License-Identifier: MIT */
#include "base/work.h"

#include <inttypes.h>

_Thread_local int64_t rk_work_left;
static _Thread_local int64_t granted; /* what rk_work_left was when the meter was last looked at */
static _Thread_local rk_work_meter *meter;
static _Thread_local bool joined; /* it is another thread's */

static void take_up(rk_work_meter *m, bool is_joined)
{
    meter = m;
    joined = is_joined;
    rk_work_left = granted = 0;
}

void rk_work_begin(rk_work_meter *m)
{
    take_up(m, false);
}

void rk_work_join(rk_work_meter *m)
{
    take_up(m, true);
}

void rk_work_end(void)
{
    take_up(NULL, false);
}

rk_work_meter *rk_work_here(void)
{
    return meter;
}

static int64_t grant(const rk_work_meter *m, uint64_t done)
{
    return m->budget && m->budget - done < RK_WORK_STEP ? (int64_t)(m->budget - done) + 1 : RK_WORK_STEP;
}

bool rk_work_look(void)
{
    uint64_t done, more = (uint64_t)(granted - rk_work_left);
    rk_work_stop stop, on = RK_WORK_GOES_ON;

    if (!meter) {
        rk_work_left = granted = RK_WORK_STEP;
        return true;
    }
    rk_work_left = granted = 0;
    done = atomic_fetch_add(&meter->done, more) + more;
    stop = atomic_load(&meter->stop);
    if (!stop && meter->budget && done > meter->budget)
        stop = RK_WORK_SPENT;
    if (!stop && !joined && meter->progress &&
        meter->progress(meter->self, meter->all > 0 ? meter->part : (double)done, meter->all) != 0)
        stop = RK_WORK_STOPPED;
    if (stop)
        atomic_compare_exchange_strong(&meter->stop, &on, stop); /* the first one has it */
    else
        rk_work_left = granted = grant(meter, done);
    return !stop;
}

bool rk_work_tell(double done, double all)
{
    if (meter) {
        meter->part = done;
        meter->all = all;
    }
    return rk_work_look();
}

int rk_work_check(rk_err *err)
{
    switch (meter ? atomic_load(&meter->stop) : RK_WORK_GOES_ON) {
    case RK_WORK_STOPPED:
        return rk_fail(err, RK_ESTOPPED, "stopped");
    case RK_WORK_SPENT:
        return rk_fail(err, RK_ESTOPPED, "the budget of %" PRIu64 " units of work is spent", meter->budget);
    default:
        return RK_OK;
    }
}
