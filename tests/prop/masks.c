/* SPDX-License-Identifier: MIT */
/*
 * The pairs of every mask, counted one by one and by formula: all numbers of queries, keys and sizes up to a dozen,
 * with symbols for the three, and with the numbers themselves, which expressions may fold.
 */
#include "account/cost.h"
#include "t.h"

#define MOST 12

/* What a query at place t sees of n keys. */
static bool sees(rk_mask_kind kind, int t, int key, int size)
{
    switch (kind) {
    case RK_MASK_FULL:
        return true;
    case RK_MASK_CAUSAL:
        return key <= t;
    case RK_MASK_WINDOW:
        return key <= t && t - key < size;
    case RK_MASK_CHUNK:
        return key <= t && t / size == key / size;
    case RK_MASK_PREFIX:
        return key <= t || (t < size && key < size);
    case RK_MASK_BAND:
        return t - key <= size && key - t <= size;
    case RK_MASK_TILE:
        return t / size == key / size;
    case RK_N_MASK:
        break;
    }
    return false;
}

/* The same without triangles: where a window would begin before the first key or end after the last, it is moved. */
static bool sees_window(rk_mask_kind kind, int t, int key, int size, int keys)
{
    int wide = kind == RK_MASK_BAND ? 2 * size + 1 : size, first = kind == RK_MASK_BAND ? t - size : t - size + 1;

    if (kind == RK_MASK_CHUNK || kind == RK_MASK_TILE)
        return t / size == key / size;
    if (kind != RK_MASK_WINDOW && kind != RK_MASK_BAND)
        return true;
    first = first > keys - wide ? keys - wide : first;
    first = first < 0 ? 0 : first;
    return key >= first && key < first + wide;
}

static int counted(rk_pairs pairs, rk_mask_kind kind, int queries, int keys, int size)
{
    int n = 0;

    for (int t = keys - queries; t < keys; t++)
        for (int key = 0; key < keys; key++)
            n += pairs == RK_PAIRS_SQUARE  ? true
                 : pairs == RK_PAIRS_EXACT ? sees(kind, t, key, size)
                                           : sees_window(kind, t, key, size, keys);
    return n;
}

/* The formula over symbols, or over these numbers, at these numbers. */
static rk_i128 by_formula(rk_pool *pool, rk_pairs rule, rk_mask_kind kind, const rk_ex size[3], const rk_i128 at[3])
{
    static const bool known[3] = {true, true, true};
    rk_label label[2] = {{.name = "S", .size = size[0]}, {.name = "T", .size = size[1]}};
    rk_program p = {.pool = pool, .label = label, .n_label = 2};
    rk_instance x = {.program = &p, .pool = pool};
    rk_mask m = {.kind = kind, .query = 0, .key = 1, .size = size[2]};
    rk_binding binding = {.value = at, .known = known, .n = 3};
    rk_i128 pairs = -1;
    rk_err err = {0};

    if (!CHECK_INT(rk_ex_eval(pool, rk_mask_pairs(&x, &m, rule), &binding, &pairs, &err), RK_OK))
        printf("    %s\n", err.message);
    return pairs;
}

static void check_pairs(rk_pool *pool, const rk_ex symbol[3], rk_pairs rule, rk_mask_kind kind, int queries, int keys,
                        int size)
{
    rk_i128 at[3] = {queries, keys, size};
    rk_ex number[3] = {rk_ex_int(pool, queries), rk_ex_int(pool, keys), rk_ex_int(pool, size)};
    rk_ex square[3] = {symbol[0], symbol[0], symbol[2]}; /* where there are as many, formulas are shorter */
    rk_i128 want = counted(rule, kind, queries, keys, size);
    bool good = CHECK_INT(by_formula(pool, rule, kind, symbol, at), want) &&
                CHECK_INT(by_formula(pool, rule, kind, number, at), want);

    if (queries == keys)
        good = CHECK_INT(by_formula(pool, rule, kind, square, at), want) && good;
    if (!good)
        printf("    %s, %d of %d keys, size %d\n", rk_mask_table[kind].name, queries, keys, size);
}

int main(void)
{
    rk_pool *pool = rk_pool_new();
    rk_ex symbol[3];

    for (int i = 0; i < 3; i++)
        symbol[i] = rk_ex_sym(pool, rk_sym_declare(pool, (const char *const[]){"S", "T", "W"}[i], 0));
    for (int kind = 0; kind < RK_N_MASK; kind++)
        for (int keys = 1; keys <= MOST; keys++)
            for (int queries = 1; queries <= keys; queries++)
                for (int size = rk_mask_table[kind].least; size <= MOST + 2; size++)
                    for (int rule = RK_PAIRS_WINDOW; rule <= RK_PAIRS_SQUARE; rule++)
                        check_pairs(pool, symbol, (rk_pairs)rule, (rk_mask_kind)kind, queries, keys, size);
    rk_pool_free(pool);
    return t_done("masks");
}
