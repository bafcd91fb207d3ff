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

/* Where bodies are compared, what both sides leave to the config must be equal: bodies write these numbers out. */
#define BODY_SOFTCAP 30.0
#define BODY_EPSILON 1e-12
#define EPSILON_MOST 1e-4 /* a number below it that a body adds is the epsilon of a norm or of a sum */

static inline double epsilon_of(const world *w)
{
    return w->bodies ? BODY_EPSILON : EPSILON;
}

static inline double shift_of(const world *w, double number)
{
    return fabs(number) < EPSILON_MOST ? epsilon_of(w) : number;
}

static inline double cap_of(const world *w)
{
    return w->bodies ? BODY_SOFTCAP : SOFTCAP;
}

/* The program does not keep the two numbers of a clamp; in life they are far away. */
static inline double clamp_of(const world *w)
{
    return w->bodies ? INFINITY : CLAMP;
}

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

static inline double power(world *w, double a, double n)
{
    return one(w, pow(a, n));
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
