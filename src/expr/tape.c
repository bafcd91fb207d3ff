/* SPDX-License-Identifier: MIT */
/*
 * expr/tape.c - many expressions as one flat list of operations on whole numbers.
 *
 * Scratch is an array of slots: slot 0 holds 1, then one slot per symbol, then the result of each operation in turn.
 * Products are chains of multiplications by one symbol each; the most frequent symbols come first, so that products
 * share their beginnings, and equal beginnings are computed once.  An expression with fractions becomes a numerator
 * and a denominator without any, and one exact division.
 *
 * The tape knows the ordinary case only.  Whatever else happens (a fraction on the way, a symbol without value, an
 * overflow) stops it, and rk_ex_eval, which knows all cases and how to name them, decides.
 */
#include "expr/pool.h"

#include <stdlib.h>
#include <string.h>

enum {
    TAPE_ONE = 0 /* the slot that holds 1 */
};

#define OP_BIT (1u << 31) /* marks the result of an operation while cells are still being added before it */

typedef enum op_kind {
    TAPE_MUL,
    TAPE_SUM,
    TAPE_EXACT,
    TAPE_FLOOR,
    TAPE_CEIL,
    TAPE_MOD,
    TAPE_MIN,
    TAPE_MAX
} op_kind;

typedef struct tape_op {
    uint32_t kind;
    uint32_t a, b; /* slots; of TAPE_SUM: the first part and how many */
} tape_op;

typedef struct tape_part {
    rk_i128 coef;
    uint32_t slot;
} tape_part;

/* A symbol of the tape: its slot is its place, plus one. */
typedef struct tape_cell {
    rk_sym sym;
    bool defined; /* ops[first..last) compute `result` when the binding has no value */
    uint32_t first, last, result;
    uint32_t need, n_need; /* the cells its definition uses, in tape->need */
} tape_cell;

struct rk_tape {
    const rk_pool *pool;
    rk_arena arena;
    RK_VEC(tape_op) op;
    RK_VEC(tape_part) part;
    RK_VEC(tape_cell) cell;
    RK_VEC(uint32_t) need;
    uint32_t main_first;             /* the operations before it belong to definitions */
    uint32_t main_need, n_main_need; /* the cells that the expressions use themselves */
    const rk_ex *ex;
    uint32_t *result; /* per expression: its slot */
    size_t n;
    size_t n_memo;
    bool slow; /* too deep or too large to compile */
};

typedef struct compiler {
    rk_tape *tape;
    const rk_pool *pool;
    rk_arena arena;
    uint32_t *cell_of;   /* per symbol: its cell + 1; 0: none */
    uint32_t *frequency; /* per atom */
    uint32_t *slot_of;   /* per function atom: its slot + 1 in this section; 0: none */
    rk_map chains;       /* (left, right) -> slot in this section */
    int depth;
    bool failed; /* memory ran out */
} compiler;

/* ---- compiling: operations ------------------------------------------------------------------------------------- */

static uint32_t compile(compiler *c, rk_ex e);

static uint32_t emit(compiler *c, op_kind kind, uint32_t a, uint32_t b)
{
    tape_op *o = RK_PUSH(&c->tape->arena, &c->tape->op);

    if (!o) {
        c->failed = true;
        return TAPE_ONE;
    }
    *o = (tape_op){.kind = kind, .a = a, .b = b};
    return (uint32_t)(c->tape->op.n - 1) | OP_BIT;
}

static uint32_t multiply(compiler *c, uint32_t left, uint32_t right)
{
    uint32_t key[2] = {left, right};
    uint32_t slot;

    if (left == TAPE_ONE || right == TAPE_ONE)
        return left == TAPE_ONE ? right : left;
    slot = rk_map_get(&c->chains, (const char *)key, sizeof key);
    if (slot != RK_NONE)
        return slot;
    slot = emit(c, TAPE_MUL, left, right);
    c->failed |= !rk_map_put(&c->arena, &c->chains, (const char *)key, sizeof key, slot);
    return slot;
}

/* ---- compiling: atoms ------------------------------------------------------------------------------------------ */

static uint32_t compile_symbol(compiler *c, rk_sym s)
{
    tape_cell *place;

    if (c->cell_of[s] == 0) {
        place = RK_PUSH(&c->tape->arena, &c->tape->cell);
        if (!place) {
            c->failed = true;
            return TAPE_ONE;
        }
        *place = (tape_cell){.sym = s};
        c->cell_of[s] = (uint32_t)c->tape->cell.n;
    }
    return c->cell_of[s]; /* slot 0 is ONE: a cell's slot is its number plus one */
}

static uint32_t compile_quotient(compiler *c, rk_ex e, op_kind kind);

static uint32_t compile_function(compiler *c, rk_atom a)
{
    uint32_t x;

    if (a.kind == RK_ATOM_FLOOR || a.kind == RK_ATOM_CEIL)
        return compile_quotient(c, a.a, a.kind == RK_ATOM_FLOOR ? TAPE_FLOOR : TAPE_CEIL);
    x = compile(c, a.a);
    if (a.kind == RK_ATOM_QUOT)
        return x; /* the divisor; its power is negated where it is used */
    if (a.kind == RK_ATOM_MOD)
        return emit(c, TAPE_MOD, x, compile(c, a.b));
    return emit(c, a.kind == RK_ATOM_MIN ? TAPE_MIN : TAPE_MAX, x, compile(c, a.b));
}

static uint32_t compile_atom(compiler *c, uint32_t atom)
{
    rk_atom a = rk_atom_at(c->pool, atom);

    if (a.kind == RK_ATOM_SYM)
        return compile_symbol(c, a.a);
    if (c->slot_of[atom] == 0)
        c->slot_of[atom] = compile_function(c, a) + 1;
    return c->slot_of[atom] - 1;
}

/* ---- compiling: sums ------------------------------------------------------------------------------------------- */

/* The terms over one common denominator: whole coefficients and no negative powers, above and below. */
typedef struct fraction {
    rk_i128 den;
    RK_VEC(rk_factor) below; /* the powers of the denominator */
} fraction;

/* A quotient is a negative power of its divisor. */
static int32_t power_in(const compiler *c, rk_factor f)
{
    return rk_atom_at(c->pool, f.atom).kind == RK_ATOM_QUOT ? -f.power : f.power;
}

static rk_factor *find_below(const fraction *fr, uint32_t atom)
{
    for (size_t i = 0; i < fr->below.n; i++)
        if (fr->below.at[i].atom == atom)
            return &fr->below.at[i];
    return NULL;
}

static bool find_fraction(compiler *c, rk_ex e, fraction *fr)
{
    size_t n, m;
    const rk_term *t = rk_terms(c->pool, e, &n);
    rk_acc acc = {0};

    *fr = (fraction){.den = 1};
    for (size_t i = 0; i < n && !c->failed && !acc.overflow; i++) {
        const rk_factor *f = rk_factors(c->pool, t[i].product, &m);
        rk_i128 den = rk_coef_at(c->pool, t[i].coef).den;

        fr->den = rk_mul(&acc, fr->den / rk_gcd(fr->den, den), den);
        for (size_t j = 0; j < m && !c->failed; j++) {
            int32_t power = -power_in(c, f[j]);
            rk_factor *below = find_below(fr, f[j].atom);

            if (power <= 0)
                continue;
            if (!below && (below = RK_PUSH(&c->arena, &fr->below)))
                *below = (rk_factor){.atom = f[j].atom};
            c->failed |= !below;
            if (below && power > below->power)
                below->power = power;
        }
    }
    return !c->failed && !acc.overflow;
}

/* One factor with the slot it is in. */
typedef struct link {
    uint32_t slot, frequency;
    int32_t power;
} link;

static int by_frequency(const void *a, const void *b)
{
    const link *x = a, *y = b;

    if (x->frequency != y->frequency)
        return x->frequency > y->frequency ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

static uint32_t compile_links(compiler *c, link *l, size_t n)
{
    uint32_t slot = TAPE_ONE;

    qsort(l, n, sizeof *l, by_frequency);
    for (size_t i = 0; i < n; i++)
        for (int32_t k = 0; k < l[i].power; k++)
            slot = multiply(c, slot, l[i].slot);
    return slot;
}

static void put_link(compiler *c, link *l, size_t *n, uint32_t atom, int32_t power)
{
    if (power > 0)
        l[(*n)++] = (link){.slot = compile_atom(c, atom), .frequency = c->frequency[atom], .power = power};
}

/* The product of a term, multiplied by the common denominator. */
static uint32_t compile_product(compiler *c, uint32_t product, const fraction *fr)
{
    size_t n, m = 0;
    const rk_factor *f = rk_factors(c->pool, product, &n);
    link *l = RK_NEW_ARRAY(&c->arena, n + fr->below.n, link);

    c->failed |= !l;
    if (c->failed)
        return TAPE_ONE;
    for (size_t i = 0; i < n; i++) {
        const rk_factor *below = find_below(fr, f[i].atom);

        put_link(c, l, &m, f[i].atom, power_in(c, f[i]) + (below ? below->power : 0));
    }
    for (size_t i = 0; i < fr->below.n; i++)
        if (rk_product_power(c->pool, product, fr->below.at[i].atom) == 0)
            put_link(c, l, &m, fr->below.at[i].atom, fr->below.at[i].power);
    return compile_links(c, l, m);
}

/* A sum of parts; one part with coefficient 1 is its own sum. */
static uint32_t emit_sum(compiler *c, const tape_part *p, size_t n)
{
    uint32_t first = (uint32_t)c->tape->part.n;

    if (n == 1 && p[0].coef == 1)
        return p[0].slot;
    for (size_t i = 0; i < n; i++) {
        tape_part *place = RK_PUSH(&c->tape->arena, &c->tape->part);

        if (place)
            *place = p[i];
        c->failed |= !place;
    }
    return emit(c, TAPE_SUM, first, (uint32_t)n);
}

static uint32_t compile_above(compiler *c, rk_ex e, const fraction *fr)
{
    size_t n;
    const rk_term *t = rk_terms(c->pool, e, &n);
    tape_part *p = RK_NEW_ARRAY(&c->arena, n, tape_part);
    rk_acc acc = {0};

    c->failed |= !p;
    for (size_t i = 0; i < n && !c->failed; i++) {
        rk_ratio coef = rk_coef_at(c->pool, t[i].coef);

        p[i].coef = rk_mul(&acc, coef.num, fr->den / coef.den);
        p[i].slot = compile_product(c, t[i].product, fr);
    }
    c->tape->slow |= acc.overflow;
    return c->failed ? TAPE_ONE : emit_sum(c, p, n);
}

static uint32_t compile_below(compiler *c, const fraction *fr)
{
    tape_part p = {.coef = fr->den};
    link *l = RK_NEW_ARRAY(&c->arena, fr->below.n, link);
    size_t n = 0;

    c->failed |= !l;
    if (c->failed)
        return TAPE_ONE;
    for (size_t i = 0; i < fr->below.n; i++)
        put_link(c, l, &n, fr->below.at[i].atom, fr->below.at[i].power);
    p.slot = compile_links(c, l, n);
    return emit_sum(c, &p, 1);
}

/* e as one division of the given kind; none when there is nothing to divide by. */
static uint32_t compile_quotient(compiler *c, rk_ex e, op_kind kind)
{
    fraction fr;
    uint32_t above;

    if (c->depth == RK_WALK_MAX || !find_fraction(c, e, &fr)) {
        c->tape->slow = true;
        return TAPE_ONE;
    }
    c->depth++;
    above = compile_above(c, e, &fr);
    if (fr.den != 1 || fr.below.n > 0)
        above = emit(c, kind, above, compile_below(c, &fr));
    c->depth--;
    return above;
}

static uint32_t compile(compiler *c, rk_ex e)
{
    return compile_quotient(c, e, TAPE_EXACT);
}

/* ---- compiling: definitions, and all ---------------------------------------------------------------------------- */

/* What one definition computed may not have been computed when the next section runs: nothing is shared between. */
static void open_section(compiler *c)
{
    memset(c->slot_of, 0, rk_n_atom(c->pool) * sizeof *c->slot_of);
    c->chains = (rk_map){0};
}

/* Lists the cells of the symbols in a set, which all have one by now. */
static void list_needs(compiler *c, const uint64_t *word, uint32_t *first, uint32_t *n)
{
    *first = (uint32_t)c->tape->need.n;
    for (rk_sym s = 0; s < c->pool->sym.n; s++) {
        uint32_t *place;

        if (!(word[s / 64] >> s % 64 & 1))
            continue;
        place = RK_PUSH(&c->tape->arena, &c->tape->need);
        c->failed |= !place;
        if (place)
            *place = compile_symbol(c, s);
    }
    *n = (uint32_t)c->tape->need.n - *first;
}

/*
 * Cells are ordered so that a definition's own symbols come before it: first the cells of what it needs are made, by
 * recursion, then its own.  Definitions nested too deep make the tape slow.
 */
static void prepare_symbols(compiler *c, const uint64_t *word);

static void prepare_definition(compiler *c, rk_sym s, rk_ex definition)
{
    uint64_t word[RK_SYMSET_MAX] = {0};
    tape_cell it = {.sym = s, .defined = true};
    uint32_t slot;

    rk_ex_join_symbols(c->pool, definition, word);
    prepare_symbols(c, word);
    open_section(c);
    it.first = (uint32_t)c->tape->op.n;
    it.result = compile(c, definition);
    it.last = (uint32_t)c->tape->op.n;
    list_needs(c, word, &it.need, &it.n_need);
    slot = compile_symbol(c, s);
    if (!c->failed)
        c->tape->cell.at[slot - 1] = it;
}

static void prepare_symbol(compiler *c, rk_sym s)
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
        compile_symbol(c, s);
    else
        prepare_definition(c, s, definition);
    c->depth--;
}

static void prepare_symbols(compiler *c, const uint64_t *word)
{
    for (rk_sym s = 0; s < c->pool->sym.n; s++)
        if (word[s / 64] >> s % 64 & 1)
            prepare_symbol(c, s);
}

static void count_frequencies(compiler *c, const rk_ex *e, size_t n_ex)
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

static void compile_all(compiler *c, const rk_ex *e, size_t n)
{
    uint64_t word[RK_SYMSET_MAX] = {0};
    rk_map seen = {0}; /* the same expression twice is one slot */

    count_frequencies(c, e, n);
    for (size_t i = 0; i < n; i++)
        rk_ex_join_symbols(c->pool, e[i], word);
    prepare_symbols(c, word);
    open_section(c);
    c->tape->main_first = (uint32_t)c->tape->op.n;
    for (size_t i = 0; i < n && !c->failed && !c->tape->slow; i++) {
        uint32_t *slot = &c->tape->result[i];

        *slot = rk_map_get(&seen, (const char *)&e[i], sizeof e[i]);
        if (*slot != RK_NONE)
            continue;
        *slot = compile(c, e[i]);
        c->failed |= !rk_map_put(&c->arena, &seen, (const char *)&e[i], sizeof e[i], *slot);
    }
    if (!c->tape->slow)
        list_needs(c, word, &c->tape->main_need, &c->tape->n_main_need);
}

static uint32_t settled(const rk_tape *t, uint32_t slot)
{
    return slot & OP_BIT ? (slot & ~OP_BIT) + 1 + (uint32_t)t->cell.n : slot;
}

/* All cells are known: the marked slots get their places after them. */
static void settle(rk_tape *t)
{
    for (size_t i = 0; i < t->op.n; i++)
        if (t->op.at[i].kind != TAPE_SUM) {
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

static bool build(rk_tape *t)
{
    compiler c = {.tape = t, .pool = t->pool};
    size_t n = rk_n_atom(c.pool);

    c.cell_of = RK_NEW_ARRAY(&c.arena, rk_sym_count(c.pool), uint32_t);
    c.frequency = RK_NEW_ARRAY(&c.arena, n, uint32_t);
    c.slot_of = RK_NEW_ARRAY(&c.arena, n, uint32_t);
    c.failed = !c.cell_of || !c.frequency || !c.slot_of;
    if (!c.failed)
        compile_all(&c, t->ex, t->n);
    rk_arena_free(&c.arena);
    if (!c.failed)
        settle(t);
    return !c.failed;
}

rk_tape *rk_tape_new(const rk_pool *p, const rk_ex *e, size_t n, rk_err *err)
{
    rk_tape *t;

    for (size_t i = 0; i < n; i++)
        if (rk_ex_check(p, e[i], err) != RK_OK)
            return NULL;
    t = rk_heap_alloc(sizeof *t);
    if (t) {
        *t = (rk_tape){.pool = p, .n = n, .n_memo = rk_n_atom(p)};
        t->result = RK_NEW_ARRAY(&t->arena, n, uint32_t);
        t->ex = rk_arena_copy_array(&t->arena, e, n, sizeof *e);
        if (t->result && t->ex && build(t))
            return t;
    }
    rk_tape_free(t);
    rk_fail_memory(err);
    return NULL;
}

void rk_tape_free(rk_tape *t)
{
    if (!t)
        return;
    rk_arena_free(&t->arena);
    rk_heap_free(t);
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* The fast way needs its slots and one flag per cell; the slow one the results and a memo per atom. */
size_t rk_tape_scratch(const rk_tape *t)
{
    size_t fast = 1 + 2 * t->cell.n + t->op.n;
    size_t slow = t->n + t->n_memo * (sizeof(rk_memo) / sizeof(rk_i128));

    return fast > slow ? fast : slow;
}

static inline bool is_narrow(rk_i128 n)
{
    return n == (int64_t)n;
}

/* Two numbers of 64 bits never overflow 128; the others ask. */
static inline rk_i128 times(rk_acc *acc, rk_i128 a, rk_i128 b)
{
    return is_narrow(a) && is_narrow(b) ? (rk_i128)(int64_t)a * (int64_t)b : rk_mul(acc, a, b);
}

static rk_i128 add_parts(const tape_part *p, uint32_t n, const rk_i128 *slot, rk_acc *acc)
{
    rk_i128 sum = 0;

    for (; n > 0; n--, p++)
        acc->overflow |= __builtin_add_overflow(sum, times(acc, slot[p->slot], p->coef), &sum);
    return sum;
}

/* What is not whole, or divides by zero, counts as overflow: the tape stops. */
static rk_i128 divide(rk_acc *acc, uint32_t kind, rk_i128 a, rk_i128 b)
{
    bool narrow = is_narrow(a) && is_narrow(b) && b > 0;
    rk_i128 rest;

    if (b == 0 || b == -1) {
        acc->overflow = true;
        return 0;
    }
    if (kind == TAPE_FLOOR)
        return rk_floor_div(acc, a, b);
    if (kind == TAPE_CEIL)
        return rk_ceil_div(acc, a, b);
    rest = narrow ? (int64_t)a % (int64_t)b : a % b;
    if (kind == TAPE_MOD)
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    acc->overflow |= rest != 0;
    return narrow ? (int64_t)a / (int64_t)b : a / b;
}

static void run(const rk_tape *t, uint32_t first, uint32_t last, rk_i128 *slot, rk_acc *acc)
{
    const tape_part *part = t->part.at;
    const tape_op *o = first < last ? &t->op.at[first] : NULL;
    rk_i128 *out = slot + 1 + t->cell.n + first;

    for (uint32_t n = last - first; n > 0; n--, o++, out++) {
        switch ((op_kind)o->kind) {
        case TAPE_MUL:
            *out = times(acc, slot[o->a], slot[o->b]);
            break;
        case TAPE_SUM:
            *out = add_parts(o->b ? &part[o->a] : NULL, o->b, slot, acc);
            break;
        case TAPE_MIN:
            *out = slot[o->a] < slot[o->b] ? slot[o->a] : slot[o->b];
            break;
        case TAPE_MAX:
            *out = slot[o->a] > slot[o->b] ? slot[o->a] : slot[o->b];
            break;
        default:
            *out = divide(acc, o->kind, slot[o->a], slot[o->b]);
            break;
        }
    }
}

static bool have_all(const rk_tape *t, uint32_t first, uint32_t n, const rk_i128 *known)
{
    for (uint32_t i = 0; i < n; i++)
        if (!known[t->need.at[first + i] - 1])
            return false;
    return true;
}

/* Fills the cells; one that has no value, not even by its definition, is marked: perhaps no one needs it. */
static void load(const rk_tape *t, const rk_binding *at, rk_i128 *slot, rk_i128 *known, rk_acc *acc)
{
    for (size_t i = 0; i < t->cell.n; i++) {
        const tape_cell *it = &t->cell.at[i];

        known[i] = it->sym < at->n && at->known[it->sym];
        slot[1 + i] = known[i] ? at->value[it->sym] : 0;
        if (known[i] || !it->defined || !have_all(t, it->need, it->n_need, known))
            continue;
        run(t, it->first, it->last, slot, acc);
        slot[1 + i] = slot[it->result];
        known[i] = 1;
    }
}

static bool eval_fast(const rk_tape *t, const rk_binding *at, rk_i128 *slot, rk_i128 *out)
{
    rk_i128 *known = slot + 1 + t->cell.n + t->op.n;
    rk_acc acc = {0};

    slot[TAPE_ONE] = 1;
    load(t, at, slot, known, &acc);
    if (acc.overflow || !have_all(t, t->main_need, t->n_main_need, known))
        return false;
    run(t, t->main_first, (uint32_t)t->op.n, slot, &acc);
    for (size_t i = 0; i < t->n && !acc.overflow; i++)
        out[i] = slot[t->result[i]];
    return !acc.overflow;
}

static int eval_slow(const rk_tape *t, const rk_binding *at, rk_i128 *scratch, rk_i128 *out, rk_err *err)
{
    rk_memo *memo = (rk_memo *)(scratch + t->n);

    for (size_t i = 0; i < t->n_memo; i++)
        memo[i].done = 0;
    for (size_t i = 0; i < t->n; i++) {
        int code = rk_ex_eval_in(t->pool, t->ex[i], at, memo, t->n_memo, &scratch[i], err);

        if (code != RK_OK)
            return code;
    }
    for (size_t i = 0; i < t->n; i++)
        out[i] = scratch[i];
    return RK_OK;
}

int rk_tape_eval(const rk_tape *t, const rk_binding *at, rk_i128 *scratch, rk_i128 *out, rk_err *err)
{
    if (!t->slow && eval_fast(t, at, scratch, out))
        return RK_OK;
    return eval_slow(t, at, scratch, out, err);
}
