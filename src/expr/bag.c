/* SPDX-License-Identifier: MIT */
#include "expr/pool.h"

#include <stdlib.h>
#include <string.h>

/*
 * A product of two large sums may have millions of terms before equal ones are joined.  They are joined whenever the
 * bag is full; a bag that stays more than half full of different terms is beyond RK_EX_TERMS_MAX many times over.
 */
enum {
    BAG_MAX = 16 * RK_EX_TERMS_MAX
};

rk_bag rk_bag_open(rk_pool *p, size_t expected)
{
    rk_bag bag = {.pool = p, .mark = rk_arena_here(&p->scratch)};

    bag.cap = expected < 4 ? 4 : expected < BAG_MAX ? expected : BAG_MAX;
    bag.term = RK_NEW_ARRAY(&p->scratch, bag.cap, rk_bag_term);
    bag.failed = !bag.term;
    if (bag.failed)
        rk_pool_fail_memory(p);
    return bag;
}

/* Equal products by their coefficients: whether adding them exceeds 128 bits on the way depends on the order. */
static int by_product(const void *a, const void *b)
{
    const rk_bag_term *x = a, *y = b;

    if (x->product != y->product)
        return x->product < y->product ? -1 : 1;
    if (x->coef.num != y->coef.num)
        return x->coef.num < y->coef.num ? -1 : 1;
    return (x->coef.den > y->coef.den) - (x->coef.den < y->coef.den);
}

/* Joins terms of equal products; those that cancel disappear. */
static void join(rk_bag *bag)
{
    rk_acc acc = {0};
    size_t n = 0, i = 1;

    while (i < bag->n && bag->term[i - 1].product <= bag->term[i].product)
        i++;
    if (i < bag->n)
        qsort(bag->term, bag->n, sizeof *bag->term, by_product);
    for (i = 0; i < bag->n; i++) {
        if (n > 0 && bag->term[n - 1].product == bag->term[i].product)
            bag->term[n - 1].coef = rk_ratio_add(&acc, bag->term[n - 1].coef, bag->term[i].coef);
        else
            bag->term[n++] = bag->term[i];
        if (bag->term[n - 1].coef.num == 0)
            n--;
    }
    bag->n = n;
    if (acc.overflow) {
        rk_pool_fail(bag->pool, RK_EOVERFLOW, "a coefficient exceeds 128 bits");
        bag->failed = true;
    }
}

/* A full bag that stays more than half full gets twice the room. */
static void make_room(rk_bag *bag)
{
    size_t cap = bag->cap * 2 < BAG_MAX ? bag->cap * 2 : BAG_MAX;
    rk_bag_term *term;

    join(bag);
    if (bag->failed || bag->n <= bag->cap / 2)
        return;
    bag->failed = true;
    if (bag->cap == BAG_MAX) {
        rk_pool_fail(bag->pool, RK_ELIMIT, "expression of more than %d terms", RK_EX_TERMS_MAX);
        return;
    }
    term = RK_NEW_ARRAY(&bag->pool->scratch, cap, rk_bag_term);
    if (!term) {
        rk_pool_fail_memory(bag->pool);
        return;
    }
    memcpy(term, bag->term, bag->n * sizeof *term);
    bag->term = term;
    bag->cap = cap;
    bag->failed = false;
}

void rk_bag_put(rk_bag *bag, uint32_t product, rk_ratio coef)
{
    if (product == RK_NONE)
        bag->failed = true;
    if (!bag->failed && bag->n == bag->cap)
        make_room(bag);
    if (!bag->failed)
        bag->term[bag->n++] = (rk_bag_term){.product = product, .coef = coef};
}

void rk_bag_put_ex(rk_bag *bag, rk_ex e, uint32_t product, rk_ratio coef)
{
    rk_pool *p = bag->pool;
    rk_acc acc = {0};
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);

    bag->failed |= rk_ex_failed(p, e);
    for (size_t i = 0; i < n && !bag->failed; i++) {
        rk_ratio c = rk_ratio_mul(&acc, rk_coef_at(p, t[i].coef), coef);

        rk_bag_put(bag, rk_product_mul(p, t[i].product, product), c);
    }
    if (acc.overflow) {
        rk_pool_fail(p, RK_EOVERFLOW, "a coefficient exceeds 128 bits");
        bag->failed = true;
    }
}

/* The terms as they are interned; NULL on failure. */
static rk_term *as_terms(rk_bag *bag)
{
    rk_term *t = RK_NEW_ARRAY(&bag->pool->scratch, bag->n, rk_term);

    for (size_t i = 0; t && i < bag->n; i++) {
        t[i].product = bag->term[i].product;
        t[i].coef = rk_intern_coef(bag->pool, bag->term[i].coef);
        if (t[i].coef == RK_NONE)
            return NULL;
    }
    if (!t)
        rk_pool_fail_memory(bag->pool);
    return t;
}

rk_ex rk_bag_done(rk_bag *bag)
{
    rk_ex e = RK_EX_FAILED;
    rk_term *t = NULL;

    if (!bag->failed)
        join(bag);
    if (!bag->failed)
        t = as_terms(bag);
    if (t)
        e = rk_intern_ex(bag->pool, t, bag->n);
    rk_arena_rewind(&bag->pool->scratch, bag->mark);
    return e;
}
