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
        if (n > 0 && bag->term[n - 1].product == bag->term[i].product) {
            bag->term[n - 1].coef = rk_ratio_add(&acc, bag->term[n - 1].coef, bag->term[i].coef);
            bag->term[n - 1].coef_id = RK_NONE;
        } else {
            bag->term[n++] = bag->term[i];
        }
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

static void put(rk_bag *bag, rk_bag_term t)
{
    if (t.product == RK_NONE)
        bag->failed = true;
    if (!bag->failed && bag->n == bag->cap)
        make_room(bag);
    if (!bag->failed)
        bag->term[bag->n++] = t;
}

void rk_bag_put(rk_bag *bag, uint32_t product, rk_ratio coef)
{
    put(bag, (rk_bag_term){.product = product, .coef = coef, .coef_id = RK_NONE});
}

/* A term of an expression, times a ratio; a coefficient that stays what it is is not looked for again. */
static rk_bag_term scaled(const rk_pool *p, rk_term t, rk_ratio by, rk_acc *acc)
{
    bool same = by.num == 1 && by.den == 1;
    rk_ratio coef = rk_coef_at(p, t.coef);

    return (rk_bag_term){
        .product = t.product, .coef = same ? coef : rk_ratio_mul(acc, coef, by), .coef_id = same ? t.coef : RK_NONE};
}

static void check_overflow(rk_bag *bag, const rk_acc *acc)
{
    if (!acc->overflow)
        return;
    rk_pool_fail(bag->pool, RK_EOVERFLOW, "a coefficient exceeds 128 bits");
    bag->failed = true;
}

void rk_bag_put_ex(rk_bag *bag, rk_ex e, uint32_t product, rk_ratio coef)
{
    rk_pool *p = bag->pool;
    rk_acc acc = {0};
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);

    bag->failed |= rk_ex_failed(p, e);
    for (size_t i = 0; i < n && !bag->failed; i++) {
        rk_bag_term x = scaled(p, t[i], coef, &acc);

        x.product = rk_product_mul(p, x.product, product);
        put(bag, x);
    }
    check_overflow(bag, &acc);
}

/* Both are in the order of their products, and so is what is put: nothing is left to sort. */
void rk_bag_put_sum(rk_bag *bag, rk_ex a, rk_ex b, rk_ratio coef)
{
    const rk_pool *p = bag->pool;
    rk_acc acc = {0};
    size_t na, nb, i = 0, k = 0;
    const rk_term *x = rk_terms(p, a, &na), *y = rk_terms(p, b, &nb);

    while ((i < na || k < nb) && !bag->failed)
        if (k == nb || (i < na && x[i].product <= y[k].product))
            put(bag, scaled(p, x[i++], rk_ratio_int(1), &acc));
        else
            put(bag, scaled(p, y[k++], coef, &acc));
    check_overflow(bag, &acc);
}

/* The terms as they are interned; NULL on failure. */
static rk_term *as_terms(rk_bag *bag)
{
    rk_term *t = RK_NEW_ARRAY(&bag->pool->scratch, bag->n, rk_term);

    for (size_t i = 0; t && i < bag->n; i++) {
        t[i].product = bag->term[i].product;
        t[i].coef =
            bag->term[i].coef_id != RK_NONE ? bag->term[i].coef_id : rk_intern_coef(bag->pool, bag->term[i].coef);
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
