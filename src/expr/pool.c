/* SPDX-License-Identifier: MIT */
/*
 * expr/pool.c - the pool: interning, symbols, the first failure.
 *
 * The limits of expr.h, with their reasons.
 *   RK_EX_TERMS_MAX  a formula of thousands of terms is read by no one, and products of such would fill the memory.
 *   RK_EX_DEPTH_MAX  everything that walks an expression recurses; this keeps the stack small on any input.
 *   RK_EX_POWER_MAX  accounting knows squares and cubes; a power of 64 of any size above 3 needs more than 128 bits.
 *   RK_SYM_MAX       a model file has tens.
 *   ARENA_MAX        adding up thousands of long sums keeps each sum on the way; a hostile model stops here.
 */
#include "expr/pool.h"

#include <string.h>

#define ARENA_MAX ((size_t)512 << 20)

/* ---- failure --------------------------------------------------------------------------------------------------- */

rk_ex rk_pool_fail(rk_pool *p, int code, const char *fmt, ...)
{
    va_list ap;

    if (p->first.code != RK_OK)
        return RK_EX_FAILED;
    va_start(ap, fmt);
    rk_vfail(&p->first, code, fmt, ap);
    va_end(ap);
    return RK_EX_FAILED;
}

rk_ex rk_pool_fail_memory(rk_pool *p)
{
    if (p->first.code == RK_OK)
        rk_fail_memory(&p->first);
    return RK_EX_FAILED;
}

void rk_pool_forgive(rk_pool *p, int before)
{
    if (before == RK_OK && p->first.code != RK_ENOMEM)
        p->first.code = RK_OK;
}

int rk_pool_check(const rk_pool *p, rk_err *err)
{
    return p->first.code == RK_OK ? RK_OK : rk_fail(err, p->first.code, "%s", p->first.message);
}

/* ---- interning ------------------------------------------------------------------------------------------------- */

/* The slot that names these bytes, or the free one where their number belongs. */
static uint32_t *probe(const rk_pool_table *t, const void *data, size_t size, uint64_t hash)
{
    for (size_t i = (size_t)hash & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
        const rk_pool_item *it;

        if (t->slot[i] == RK_NONE)
            return &t->slot[i];
        it = &t->item.at[t->slot[i]];
        if (it->hash == hash && it->size == size && (size == 0 || memcmp(it->data, data, size) == 0))
            return &t->slot[i];
    }
}

static bool widen(rk_pool *p, rk_pool_table *t)
{
    size_t cap = t->cap ? t->cap * 2 : 64;
    uint32_t *slot = RK_NEW_ARRAY(&p->arena, cap, uint32_t);

    if (!slot)
        return false;
    memset(slot, 0xFF, cap * sizeof *slot);
    t->slot = slot;
    t->cap = cap;
    for (uint32_t i = 0; i < t->item.n; i++)
        *probe(t, t->item.at[i].data, t->item.at[i].size, t->item.at[i].hash) = i;
    return true;
}

/* Stores the bytes as the next item; the slot is filled last, so that a failure leaves the table as it was. */
static rk_pool_item *append(rk_pool *p, rk_pool_table *t, const void *data, size_t size, uint64_t hash, uint32_t *slot)
{
    void *copy = rk_alloc(&p->arena, size);
    rk_pool_item *it;

    if (!copy || t->item.n >= RK_NONE - 1)
        return NULL;
    it = RK_PUSH(&p->arena, &t->item);
    if (!it)
        return NULL;
    if (size)
        memcpy(copy, data, size);
    *it = (rk_pool_item){.data = copy, .size = size, .hash = hash};
    *slot = (uint32_t)(t->item.n - 1);
    return it;
}

/* The number of the bytes; `*fresh` is the new item when they were not there before, for its depth to be set. */
static uint32_t intern(rk_pool *p, rk_pool_table *t, const void *data, size_t size, rk_pool_item **fresh)
{
    uint64_t hash = rk_hash(data, size, 0);
    uint32_t *slot;

    *fresh = NULL;
    if (t->item.n >= t->cap / 2 && !widen(p, t)) {
        rk_pool_fail_memory(p);
        return RK_NONE;
    }
    slot = probe(t, data, size, hash);
    if (*slot == RK_NONE && !(*fresh = append(p, t, data, size, hash, slot)))
        rk_pool_fail_memory(p);
    return *slot;
}

uint32_t rk_intern_coef(rk_pool *p, rk_ratio c)
{
    rk_pool_item *fresh;
    uint32_t id = intern(p, &p->coef, &c, sizeof c, &fresh);

    if (fresh)
        fresh->whole = c.den == 1;
    return id;
}

/* ---- atoms ----------------------------------------------------------------------------------------------------- */

void rk_ex_join_symbols(const rk_pool *p, rk_ex e, uint64_t *word)
{
    size_t n, m, n_word = p->sym.n / 64 + 1;
    const rk_term *t = rk_terms(p, e, &n);

    for (size_t i = 0; i < n; i++) {
        const rk_factor *f = rk_factors(p, t[i].product, &m);

        for (size_t j = 0; j < m; j++) {
            const rk_symset *in = &p->inside.at[f[j].atom];

            for (size_t k = 0; k < in->n && k < n_word; k++)
                word[k] |= in->word[k];
        }
    }
}

static bool atom_is_whole(const rk_pool *p, rk_atom atom)
{
    switch ((rk_atom_kind)atom.kind) {
    case RK_ATOM_SYM:
    case RK_ATOM_FLOOR:
    case RK_ATOM_CEIL:
        return true;
    case RK_ATOM_QUOT:
        return false;
    default:
        return p->ex.item.at[atom.a].whole && p->ex.item.at[atom.b].whole;
    }
}

/* How deep functions are nested in it; RK_EX_FAILED, where there is no argument, has depth 0. */
static uint32_t atom_depth(const rk_pool *p, rk_atom atom)
{
    uint32_t a, b;

    if (atom.kind == RK_ATOM_SYM)
        return 0;
    a = p->ex.item.at[atom.a].depth;
    b = p->ex.item.at[atom.b].depth;
    return 1 + (a > b ? a : b);
}

/*
 * The set of symbols inside an atom is found once, so that no later question has to walk the expression.  It goes in
 * first, so that both tables grow together or not at all.
 */
static uint32_t new_atom(rk_pool *p, rk_atom atom)
{
    rk_symset set = {.n = (atom.kind == RK_ATOM_SYM ? atom.a : p->sym.n) / 64 + 1}, *place;
    rk_pool_item *fresh = NULL;
    uint32_t id;

    set.word = RK_NEW_ARRAY(&p->arena, set.n, uint64_t);
    place = set.word ? RK_PUSH(&p->arena, &p->inside) : NULL;
    if (!place) {
        rk_pool_fail_memory(p);
        return RK_NONE;
    }
    if (atom.kind == RK_ATOM_SYM) {
        set.word[atom.a / 64] = (uint64_t)1 << atom.a % 64;
    } else {
        rk_ex_join_symbols(p, atom.a, set.word);
        rk_ex_join_symbols(p, atom.b, set.word);
    }
    *place = set;
    id = intern(p, &p->atom, &atom, sizeof atom, &fresh);
    if (!fresh) {
        p->inside.n--;
        return RK_NONE;
    }
    fresh->depth = atom_depth(p, atom);
    fresh->whole = atom_is_whole(p, atom);
    return id;
}

uint32_t rk_intern_atom(rk_pool *p, rk_atom_kind kind, uint32_t a, uint32_t b)
{
    rk_atom atom = {.kind = kind, .a = a, .b = b};
    uint32_t id = p->atom.cap ? *probe(&p->atom, &atom, sizeof atom, rk_hash(&atom, sizeof atom, 0)) : RK_NONE;

    if (id != RK_NONE)
        return id;
    if (atom_depth(p, atom) <= RK_EX_DEPTH_MAX)
        return new_atom(p, atom);
    rk_pool_fail(p, RK_ELIMIT, "functions nested deeper than %d", RK_EX_DEPTH_MAX);
    return RK_NONE;
}

/* ---- products and expressions ---------------------------------------------------------------------------------- */

uint32_t rk_intern_product(rk_pool *p, const rk_factor *f, size_t n)
{
    rk_pool_item *fresh;
    uint32_t id = intern(p, &p->product, f, n * sizeof *f, &fresh);

    if (!fresh)
        return id;
    fresh->whole = true;
    for (size_t i = 0; i < n; i++) {
        const rk_pool_item *atom = &p->atom.item.at[f[i].atom];

        fresh->whole = fresh->whole && atom->whole && f[i].power > 0;
        fresh->depth = atom->depth > fresh->depth ? atom->depth : fresh->depth;
    }
    return id;
}

rk_ex rk_intern_ex(rk_pool *p, const rk_term *t, size_t n)
{
    rk_pool_item *fresh;
    uint32_t id;

    if (n > RK_EX_TERMS_MAX)
        return rk_pool_fail(p, RK_ELIMIT, "expression of more than %d terms", RK_EX_TERMS_MAX);
    id = intern(p, &p->ex, t, n * sizeof *t, &fresh);
    if (id == RK_NONE)
        return RK_EX_FAILED;
    if (!fresh)
        return id;
    fresh->whole = true;
    for (size_t i = 0; i < n; i++) {
        const rk_pool_item *product = &p->product.item.at[t[i].product];

        fresh->whole = fresh->whole && product->whole && p->coef.item.at[t[i].coef].whole;
        fresh->depth = product->depth > fresh->depth ? product->depth : fresh->depth;
    }
    return id;
}

/* ---- the pool -------------------------------------------------------------------------------------------------- */

/* RK_EX_FAILED takes the number 0 with bytes that no sum of terms can have, then zero, the empty sum, takes 1. */
static bool fill(rk_pool *p)
{
    static const char failed = 'f';
    rk_pool_item *fresh;

    return intern(p, &p->ex, &failed, 1, &fresh) == RK_EX_FAILED && rk_intern_ex(p, NULL, 0) == RK_EX_ZERO &&
           rk_intern_product(p, NULL, 0) == 0 && rk_alloc(&p->scratch, 1) != NULL;
}

rk_pool *rk_pool_new(void)
{
    rk_pool *p = rk_heap_alloc(sizeof *p);

    if (!p)
        return NULL;
    memset(p, 0, sizeof *p);
    p->arena.limit = ARENA_MAX;
    if (fill(p))
        return p;
    rk_pool_free(p);
    return NULL;
}

/* The bytes of the items stay where they are; the list of them and its slots are the new pool's, so that looking up an
   item or its number costs what it costs in a pool that lies over none. */
static bool copy_table(rk_pool *p, const rk_pool_table *from, rk_pool_table *to)
{
    to->slot = rk_arena_copy_array(&p->arena, from->slot, from->cap, sizeof *from->slot);
    to->item.at = rk_arena_copy_array(&p->arena, from->item.at, from->item.n, sizeof *from->item.at);
    to->item.n = to->item.cap = from->item.n;
    to->cap = from->cap;
    return to->slot && to->item.at;
}

rk_pool *rk_pool_over(const rk_pool *base)
{
    rk_pool *p = rk_heap_alloc(sizeof *p);

    if (!p)
        return NULL;
    *p = (rk_pool){.arena.limit = ARENA_MAX,
                   .name_longest = base->name_longest,
                   .n_defined = base->n_defined,
                   .first = base->first};
    p->sym.at = rk_arena_copy_array(&p->arena, base->sym.at, base->sym.n, sizeof *base->sym.at);
    p->inside.at = rk_arena_copy_array(&p->arena, base->inside.at, base->inside.n, sizeof *base->inside.at);
    p->sym.n = p->sym.cap = base->sym.n;
    p->inside.n = p->inside.cap = base->inside.n;
    if (p->sym.at && p->inside.at && rk_map_copy(&p->arena, &base->by_name, &p->by_name) &&
        copy_table(p, &base->coef, &p->coef) && copy_table(p, &base->atom, &p->atom) &&
        copy_table(p, &base->product, &p->product) && copy_table(p, &base->ex, &p->ex) &&
        rk_alloc(&p->scratch, 1) != NULL)
        return p;
    rk_pool_free(p);
    return NULL;
}

void rk_pool_free(rk_pool *p)
{
    if (!p)
        return;
    rk_arena_free(&p->arena);
    rk_arena_free(&p->scratch);
    rk_heap_free(p);
}

/* ---- symbols --------------------------------------------------------------------------------------------------- */

static rk_sym new_symbol(rk_pool *p, const char *name, size_t len, int rank)
{
    rk_sym s = (rk_sym)p->sym.n;
    rk_pool_symbol sym = {.name = rk_arena_copy(&p->arena, name, len), .rank = rank, .order = s}, *place;

    sym.atom = sym.name ? rk_intern_atom(p, RK_ATOM_SYM, s, 0) : RK_NONE;
    place = sym.atom != RK_NONE ? RK_PUSH(&p->arena, &p->sym) : NULL;
    if (place)
        *place = sym;
    if (!place || !rk_map_put(&p->arena, &p->by_name, name, len, s)) {
        p->sym.n = s;
        rk_pool_fail_memory(p);
        return RK_SYM_NONE;
    }
    if (len > p->name_longest)
        p->name_longest = len;
    return s;
}

rk_sym rk_sym_declare(rk_pool *p, const char *name, int rank)
{
    size_t len = strlen(name);
    rk_sym s = rk_map_get(&p->by_name, name, len);

    if (s != RK_NONE)
        return s;
    if (len == 0 || len > RK_SYM_NAME_MAX)
        rk_pool_fail(p, RK_ELIMIT, "a symbol's name has 1 to %d bytes, not %zu", RK_SYM_NAME_MAX, len);
    else if (p->sym.n >= RK_SYM_MAX)
        rk_pool_fail(p, RK_ELIMIT, "more than %d symbols", RK_SYM_MAX);
    else
        return new_symbol(p, name, len, rank);
    return RK_SYM_NONE;
}

void rk_sym_print_first(rk_pool *p, rk_sym s)
{
    p->sym.at[s].order = -1 - (int64_t)s;
}

rk_sym rk_sym_find(const rk_pool *p, const char *name)
{
    return rk_map_get(&p->by_name, name, strlen(name));
}

rk_sym rk_sym_prefix(const rk_pool *p, const char *text, size_t n, size_t *len)
{
    for (*len = n < p->name_longest ? n : p->name_longest; *len > 0; --*len) {
        rk_sym s = rk_map_get(&p->by_name, text, *len);

        if (s != RK_NONE)
            return s;
    }
    return RK_SYM_NONE;
}

const char *rk_sym_name(const rk_pool *p, rk_sym s)
{
    return s < p->sym.n ? p->sym.at[s].name : "?";
}

size_t rk_sym_count(const rk_pool *p)
{
    return p->sym.n;
}

rk_ex rk_sym_definition(const rk_pool *p, rk_sym s)
{
    return s < p->sym.n ? p->sym.at[s].definition : RK_EX_FAILED;
}

/* ---- definitions ----------------------------------------------------------------------------------------------- */

/* Whether an expression needs a symbol, through any number of definitions. */
static bool needs(const rk_pool *p, rk_ex e, rk_sym s)
{
    uint64_t seen[RK_SYMSET_MAX] = {0}, done[RK_SYMSET_MAX] = {0};

    rk_ex_join_symbols(p, e, seen);
    for (size_t k = 0; k < RK_SYMSET_MAX;) {
        uint64_t open = seen[k] & ~done[k];

        if (open == 0) {
            k++;
            continue;
        }
        done[k] |= open & -open;
        rk_ex_join_symbols(p, p->sym.at[k * 64 + (size_t)__builtin_ctzll(open)].definition, seen);
        k = 0; /* the definition may have added symbols of any number */
    }
    return seen[s / 64] >> s % 64 & 1;
}

int rk_sym_define(rk_pool *p, rk_sym s, rk_ex definition, rk_err *err)
{
    if (s >= p->sym.n)
        return rk_fail(err, RK_EUSAGE, "no such symbol to define");
    if (rk_ex_failed(p, definition))
        return rk_pool_check(p, err) != RK_OK ? p->first.code : rk_fail(err, RK_EUSAGE, "no definition");
    if (needs(p, definition, s))
        return rk_fail(err, RK_EINPUT, "'%s' is defined by itself", p->sym.at[s].name);
    p->sym.at[s].definition = definition;
    p->sym.at[s].defined = ++p->n_defined;
    return RK_OK;
}

void rk_sym_undefine(rk_pool *p, rk_sym s)
{
    p->sym.at[s].definition = RK_EX_FAILED;
    p->sym.at[s].defined = 0;
}
