/* SPDX-License-Identifier: MIT */
#include "expr/tape.h"

#include <string.h>

/* What one definition computed may not have been computed when the next section runs: nothing is shared between. */
static void open_section(rk_tape_compiler *c)
{
    memset(c->slot_of, 0, rk_n_atom(c->pool) * sizeof *c->slot_of);
    c->chains = (rk_map){0};
}

/* Lists the cells of the symbols in a set, which all have one by now. */
static void list_needs(rk_tape_compiler *c, const uint64_t *word, uint32_t *first, uint32_t *n)
{
    *first = (uint32_t)c->tape->need.n;
    for (rk_sym s = 0; s < c->pool->sym.n; s++) {
        uint32_t *place;

        if (!(word[s / 64] >> s % 64 & 1))
            continue;
        place = RK_PUSH(&c->tape->arena, &c->tape->need);
        c->failed |= !place;
        if (place)
            *place = rk_tape_compile_symbol(c, s);
    }
    *n = (uint32_t)c->tape->need.n - *first;
}

/*
 * Cells are ordered so that a definition's own symbols come before it: first the cells of what it needs are made, by
 * recursion, then its own.  Definitions nested too deep make the tape slow.
 */
static void prepare_symbols(rk_tape_compiler *c, const uint64_t *word);

static void prepare_definition(rk_tape_compiler *c, rk_sym s, rk_ex definition)
{
    uint64_t word[RK_SYMSET_MAX] = {0};
    rk_tape_cell it = {.sym = s, .defined = true};
    uint32_t slot;

    rk_ex_join_symbols(c->pool, definition, word);
    prepare_symbols(c, word);
    open_section(c);
    it.first = (uint32_t)c->tape->op.n;
    it.result = rk_tape_compile(c, definition);
    it.last = (uint32_t)c->tape->op.n;
    list_needs(c, word, &it.need, &it.n_need);
    slot = rk_tape_compile_symbol(c, s);
    if (!c->failed)
        c->tape->cell.at[slot - 1] = it;
}

static void prepare_symbol(rk_tape_compiler *c, rk_sym s)
{
    rk_ex definition = c->pool->sym.at[s].definition;

    if (c->cell_of[s] != 0 || c->failed || c->tape->slow)
        return;
    if (c->depth == RK_WALK_MAX) {
        c->tape->slow = true;
        return;
    }
    c->depth++;
    if (definition == RK_EX_FAILED)
        rk_tape_compile_symbol(c, s);
    else
        prepare_definition(c, s, definition);
    c->depth--;
}

static void prepare_symbols(rk_tape_compiler *c, const uint64_t *word)
{
    for (rk_sym s = 0; s < c->pool->sym.n; s++)
        if (word[s / 64] >> s % 64 & 1)
            prepare_symbol(c, s);
}

static void count_frequencies(rk_tape_compiler *c, const rk_ex *e, size_t n_ex)
{
    for (size_t k = 0; k < n_ex; k++) {
        size_t n, m;
        const rk_term *t = rk_terms(c->pool, e[k], &n);

        for (size_t i = 0; i < n; i++) {
            const rk_factor *f = rk_factors(c->pool, t[i].product, &m);

            for (size_t j = 0; j < m; j++)
                c->frequency[f[j].atom]++;
        }
    }
}

/* The same expression twice is one slot. */
static uint32_t compile_once(rk_tape_compiler *c, rk_map *seen, rk_ex e)
{
    uint32_t slot = rk_map_get(seen, (const char *)&e, sizeof e);

    if (slot != RK_NONE)
        return slot;
    slot = rk_tape_compile(c, e);
    c->failed |= !rk_map_put(&c->arena, seen, (const char *)&e, sizeof e, slot);
    return slot;
}

static void compile_all(rk_tape_compiler *c, const rk_ex *e, size_t n)
{
    uint64_t word[RK_SYMSET_MAX] = {0};
    rk_map seen = {0};

    count_frequencies(c, e, n);
    for (size_t i = 0; i < n; i++)
        rk_ex_join_symbols(c->pool, e[i], word);
    prepare_symbols(c, word);
    open_section(c);
    c->tape->main_first = (uint32_t)c->tape->op.n;
    for (size_t i = 0; i < n && !c->failed && !c->tape->slow; i++)
        c->tape->result[i] = compile_once(c, &seen, e[i]);
    if (!c->tape->slow)
        list_needs(c, word, &c->tape->main_need, &c->tape->n_main_need);
}

static uint32_t settled(const rk_tape *t, uint32_t slot)
{
    return slot & RK_TAPE_OP_BIT ? (slot & ~RK_TAPE_OP_BIT) + 1 + (uint32_t)t->cell.n : slot;
}

/* All cells are known: the marked slots get their places after them. */
static void settle(rk_tape *t)
{
    for (size_t i = 0; i < t->op.n; i++)
        if (t->op.at[i].kind != RK_TAPE_SUM) {
            t->op.at[i].a = settled(t, t->op.at[i].a);
            t->op.at[i].b = settled(t, t->op.at[i].b);
        }
    for (size_t i = 0; i < t->part.n; i++)
        t->part.at[i].slot = settled(t, t->part.at[i].slot);
    for (size_t i = 0; i < t->cell.n; i++)
        t->cell.at[i].result = settled(t, t->cell.at[i].result);
    for (size_t i = 0; i < t->n; i++)
        t->result[i] = settled(t, t->result[i]);
}

static bool open_compiler(rk_tape_compiler *c)
{
    size_t n = rk_n_atom(c->pool);

    c->cell_of = RK_NEW_ARRAY(&c->arena, rk_sym_count(c->pool), uint32_t);
    c->frequency = RK_NEW_ARRAY(&c->arena, n, uint32_t);
    c->slot_of = RK_NEW_ARRAY(&c->arena, n, uint32_t);
    return c->cell_of && c->frequency && c->slot_of;
}

static int build(rk_tape *t, const rk_ex *e, rk_err *err)
{
    rk_tape_compiler c = {.tape = t, .pool = t->pool};
    bool done;

    if (open_compiler(&c))
        compile_all(&c, e, t->n);
    else
        c.failed = true;
    done = !c.failed;
    rk_arena_free(&c.arena);
    if (done)
        settle(t);
    return done ? RK_OK : rk_fail_memory(err);
}

static rk_tape *empty_tape(const rk_pool *p, const rk_ex *e, size_t n)
{
    rk_tape *t = rk_heap_alloc(sizeof *t);
    rk_ex *copy;

    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->pool = p;
    t->n = n;
    t->n_memo = rk_n_atom(p);
    t->result = RK_NEW_ARRAY(&t->arena, n, uint32_t);
    copy = RK_NEW_ARRAY(&t->arena, n, rk_ex);
    if (copy && n)
        memcpy(copy, e, n * sizeof *copy);
    t->ex = copy;
    if (t->result && copy)
        return t;
    rk_tape_free(t);
    return NULL;
}

static int check_all(const rk_pool *p, const rk_ex *e, size_t n, rk_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (rk_ex_failed(p, e[i]))
            return rk_pool_check(p, err) != RK_OK ? p->first.code
                                                  : rk_fail(err, RK_EUSAGE, "no expression to evaluate");
    return RK_OK;
}

rk_tape *rk_tape_new(const rk_pool *p, const rk_ex *e, size_t n, rk_err *err)
{
    rk_tape *t;

    if (check_all(p, e, n, err) != RK_OK)
        return NULL;
    t = empty_tape(p, e, n);
    if (!t) {
        rk_fail_memory(err);
        return NULL;
    }
    if (build(t, e, err) == RK_OK)
        return t;
    rk_tape_free(t);
    return NULL;
}

void rk_tape_free(rk_tape *t)
{
    if (!t)
        return;
    rk_arena_free(&t->arena);
    rk_heap_free(t);
}
