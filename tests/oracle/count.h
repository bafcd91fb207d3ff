/* SPDX-License-Identifier: MIT */
/*
 * tests/oracle/count.h - arithmetic that counts itself.
 *
 * Stage   inside the oracle's forward.c and backward.c.
 * Uses    oracle.h.
 * Memory  none.
 * Threads counts into the world's present tally.
 *
 * One call is one operation: an add, multiply, divide, compare-and-choose, exp, log, tanh, erf or root.  What is done
 * once per row, and adding a finished gradient to what other uses of a tensor have brought, is written in plain C and
 * not counted.
 */
#ifndef RK_TESTS_COUNT_H
#define RK_TESTS_COUNT_H

#include "oracle.h"

#include <math.h>

/* Numbers that no count depends on. */
#define EPSILON 1e-2 /* of the norms; larger than in life, so that rows of zeros bend gently */
#define SOFTCAP 3.0
#define CLAMP 0.5

static inline double one(world *w, double x)
{
    w->c->all[0]++;
    if (!w->c->hidden)
        w->c->all[1]++;
    return x;
}

static inline double mul(world *w, double a, double b)
{
    w->c->mul[0]++;
    if (!w->c->hidden)
        w->c->mul[1]++;
    return one(w, a * b);
}

static inline double add(world *w, double a, double b)
{
    return one(w, a + b);
}

static inline double sub(world *w, double a, double b)
{
    return one(w, a - b);
}

static inline double divide(world *w, double a, double b)
{
    return one(w, a / b);
}

static inline double negative(world *w, double a)
{
    return one(w, -a);
}

static inline double exponential(world *w, double a)
{
    return one(w, exp(a));
}

static inline double logarithm(world *w, double a)
{
    return one(w, log(a));
}

static inline double tangent(world *w, double a)
{
    return one(w, tanh(a));
}

static inline double root(world *w, double a)
{
    return one(w, sqrt(a));
}

static inline double error_function(world *w, double a)
{
    return one(w, erf(a));
}

/* Compare and choose; which one was chosen goes into the hash of choices. */
static inline double choose(world *w, bool first, double a, double b)
{
    if (!w->c->hidden)
        w->choices = (w->choices ^ (first ? 2u : 1u)) * 0x100000001b3u;
    return one(w, first ? a : b);
}

static inline double larger(world *w, double a, double b)
{
    return choose(w, a > b, a, b);
}

static inline double smaller(world *w, double a, double b)
{
    return choose(w, a < b, a, b);
}

#endif
