/* SPDX-License-Identifier: MIT */
#include "account/peak.h"

#include <string.h>

#define FEW_ROWS 96 /* of which every pair is tried */

/* So many of one size. */
typedef struct term {
    uint32_t size, count;
} term;

typedef RK_VEC(term) terms;

/* A symbol whose number shaped the program, or that must follow its definition. */
typedef struct pin {
    rk_sym sym;
    bool known;
    rk_i128 value;
} pin;

/* Made once, then only read.  All is in the arena, but for the tapes. */
struct rk_peak {
    rk_arena arena;
    rk_tape *bytes;   /* of one of each size; then what rk_memory has as formulas, in the order of rk_bytes_of */
    rk_tape *numbers; /* that were compared, two for each question */
    unsigned *answer; /* of each question */
    size_t n_question;
    pin *pin;
    size_t n_pin;
    rk_i128 fixed; /* bytes that are there whatever the numbers */
    int rounding;
    rk_profile blocks; /* of a rank: what a block of its allocator is … */
    bool has_blocks;   /* … else sizes are rounded alone */
    size_t n_size, n_row;
    terms common;   /* that all rows have */
    terms output;   /* what RK_BYTES_OUTPUT adds up */
    terms term;     /* of all rows: what they have beside that */
    size_t *end;    /* of each row: where its terms end */
    uint64_t crowd; /* most things in a row */
};

void rk_peak_free(rk_peak *p)
{
    if (!p)
        return;
    rk_tape_free(p->bytes);
    rk_tape_free(p->numbers);
    rk_arena_free(&p->arena);
    rk_heap_free(p);
}

rk_peak_size rk_peak_measure(const rk_peak *p)
{
    return (rk_peak_size){.rows = p->n_row, .sizes = p->n_size, .questions = p->n_question};
}

/* ---- compiling: rows of counts ---------------------------------------------------------------------------------- */

/* What is being compiled; failure is sticky. */
typedef struct compiling {
    rk_peak *p;
    const rk_instance *m;
    rk_memory *memory;
    rk_arena scratch;
    rk_recipe r;
    uint32_t *share_size; /* of each share of the account */
    rk_rows row;
    rk_err *err;
    int code;
} compiling;

static void fail_memory(compiling *c)
{
    c->code = c->code == RK_OK ? rk_fail_memory(c->err) : c->code;
}

/* Adds all shares of a kind to a row. */
static void add_shares(compiling *c, rk_held when, uint32_t *row)
{
    for (size_t i = 0; row && i < c->memory->share.n; i++) {
        const rk_share *s = &c->memory->share.at[i];
        uint32_t *count = &row[c->share_size[i]];

        if (s->when != when)
            continue;
        if (s->times > UINT32_MAX - *count && c->code == RK_OK)
            c->code = rk_fail(c->err, RK_ELIMIT, "too many tensors of one size (limit is %u)", UINT32_MAX);
        *count += (uint32_t)s->times;
    }
}

static uint32_t *new_row(compiling *c)
{
    uint32_t **slot = RK_PUSH(&c->scratch, &c->row);
    uint32_t *row = slot ? RK_NEW_ARRAY(&c->scratch, c->p->n_size + 1, uint32_t) : NULL;

    if (row)
        *slot = row;
    else
        fail_memory(c);
    return row;
}

static void add_walk_rows(compiling *c, bool late)
{
    const rk_census *census = &c->r.census;

    for (size_t i = 0; i < census->row[late].n && c->code == RK_OK; i++) {
        uint32_t *row = new_row(c);

        if (row)
            memcpy(row, census->row[late].at[i], census->width * sizeof *row);
        if (!late && c->memory->output_before)
            add_shares(c, RK_HELD_OUTPUT, row);
        add_shares(c, RK_HELD_IN_PASSES, row);
    }
}

/* The optimizer's step: one row for each size that its largest tensor may have. */
static void add_step_rows(compiling *c)
{
    const rk_memory *m = c->memory;
    bool *seen = RK_NEW_ARRAY(&c->scratch, c->p->n_size + 1, bool);

    for (size_t i = 0; seen && i <= m->share.n && c->code == RK_OK; i++) {
        bool plain = i == m->share.n; /* none at all */
        uint32_t *row;

        if (!plain && (m->share.at[i].when != RK_HELD_ONE_IN_STEP || seen[c->share_size[i]]))
            continue;
        row = new_row(c);
        add_shares(c, RK_HELD_IN_STEP, row);
        if (m->output_in_step)
            add_shares(c, RK_HELD_OUTPUT, row);
        if (row && !plain) {
            seen[c->share_size[i]] = true;
            row[c->share_size[i]]++;
        }
    }
    if (!seen)
        fail_memory(c);
}

/* What all rows have is added up once. */
static void take_common(compiling *c, uint32_t *common)
{
    for (size_t s = 0; s < c->p->n_size && c->row.n > 0; s++) {
        uint32_t least = c->row.at[0][s];

        for (size_t i = 1; i < c->row.n; i++)
            least = c->row.at[i][s] < least ? c->row.at[i][s] : least;
        for (size_t i = 0; i < c->row.n; i++)
            c->row.at[i][s] -= least;
        common[s] = least;
    }
    add_shares(c, RK_HELD_ALWAYS, common);
}

/* How many things there are; a failure is found in the arena. */
static uint64_t put_terms(rk_peak *p, const uint32_t *row, terms *out)
{
    uint64_t things = 0;

    for (size_t s = 0; s < p->n_size; s++) {
        term *t = row[s] ? RK_PUSH(&p->arena, out) : NULL;

        if (t)
            *t = (term){(uint32_t)s, row[s]};
        things += row[s];
    }
    return things;
}

static void put_rows(compiling *c, const uint32_t *common, const uint32_t *output)
{
    rk_peak *p = c->p;

    p->end = RK_NEW_ARRAY(&p->arena, c->row.n + 1, size_t);
    put_terms(p, common, &p->common);
    put_terms(p, output, &p->output);
    for (size_t i = 0; p->end && i < c->row.n; i++) {
        uint64_t things = put_terms(p, c->row.at[i], &p->term);

        p->crowd = things > p->crowd ? things : p->crowd;
        p->end[i] = p->term.n;
    }
    p->n_row = c->row.n;
    if (p->arena.failed)
        fail_memory(c);
}

static void compile_rows(compiling *c)
{
    const rk_memory *m = c->memory;
    uint32_t *common, *output;

    c->share_size = RK_NEW_ARRAY(&c->scratch, m->share.n + 1, uint32_t);
    for (size_t i = 0; c->share_size && i < m->share.n; i++)
        c->share_size[i] = rk_census_size(&c->r.census, m->share.at[i].bytes);
    c->p->n_size = c->r.census.size.n;
    common = RK_NEW_ARRAY(&c->scratch, c->p->n_size + 1, uint32_t);
    output = RK_NEW_ARRAY(&c->scratch, c->p->n_size + 1, uint32_t);
    if (!c->share_size || !common || !output) {
        fail_memory(c);
        return;
    }
    add_shares(c, RK_HELD_OUTPUT, output);
    add_walk_rows(c, false);
    add_walk_rows(c, true);
    if (m->options.phase == RK_PHASE_TRAIN)
        add_step_rows(c);
    if (c->code != RK_OK)
        return;
    rk_rows_drop_covered(&c->row, c->p->n_size, &c->scratch, NULL);
    if (c->row.n <= FEW_ROWS) /* lines between rows are worth looking for where rows are few */
        rk_rows_drop_between(&c->row, c->p->n_size, c->row.n, &c->scratch, NULL);
    take_common(c, common);
    put_rows(c, common, output);
}

/* ---- compiling: tapes and pins ---------------------------------------------------------------------------------- */

static rk_tape *compile_tape(compiling *c, const rk_ex *e, size_t n)
{
    rk_tape *tape = rk_tape_new(c->m->pool, e, n, c->err);

    if (!tape)
        c->code = c->err ? c->err->code : RK_ENOMEM;
    return tape;
}

static void compile_tapes(compiling *c)
{
    rk_peak *p = c->p;
    const rk_memory *m = c->memory;
    const rk_ex formula[RK_BYTES_PEAK] = {[RK_BYTES_WEIGHTS] = m->parameters_formula,
                                          [RK_BYTES_GRADIENTS] = m->gradients_formula,
                                          [RK_BYTES_OPTIMIZER] = m->optimizer_formula,
                                          [RK_BYTES_SAVED] = m->saved_formula,
                                          [RK_BYTES_CACHE] = m->cache_formula};
    size_t n_bytes = p->n_size + RK_BYTES_PEAK, n = c->r.conditions.condition.n;
    rk_ex *bytes = RK_NEW_ARRAY(&c->scratch, n_bytes, rk_ex), *compared = RK_NEW_ARRAY(&c->scratch, 2 * n + 1, rk_ex);

    p->answer = RK_NEW_ARRAY(&p->arena, n + 1, unsigned);
    if (!bytes || !compared || !p->answer) {
        fail_memory(c);
        return;
    }
    memcpy(bytes, c->r.census.size.at, p->n_size * sizeof *bytes);
    memcpy(bytes + p->n_size, formula, sizeof formula);
    p->bytes = compile_tape(c, bytes, n_bytes);
    p->n_question = n;
    for (size_t i = 0; i < n; i++) {
        compared[2 * i] = c->r.conditions.condition.at[i].a;
        compared[2 * i + 1] = c->r.conditions.condition.at[i].b;
        p->answer[i] = c->r.conditions.condition.at[i].answer;
    }
    if (c->code == RK_OK)
        p->numbers = compile_tape(c, compared, 2 * n);
}

static void pin_symbols(compiling *c)
{
    const rk_binding *at = &c->m->at;
    const rk_model *model = c->m->model;

    c->p->pin = RK_NEW_ARRAY(&c->p->arena, model->n_symbol + 1, pin);
    if (!c->p->pin)
        fail_memory(c);
    for (size_t i = 0; c->p->pin && i < model->n_symbol; i++) {
        const rk_symbol *s = &model->symbol[i];
        bool defined = rk_sym_definition(c->m->pool, s->sym) != RK_EX_FAILED;

        if (s->sym < at->n && (s->fixed || defined))
            c->p->pin[c->p->n_pin++] = (pin){s->sym, at->known[s->sym], at->value[s->sym]};
    }
}

/* ---- compiling: all --------------------------------------------------------------------------------------------- */

/* Definitions may be put in for their symbols where no symbol has a number beside its definition. */
static bool may_expand(const rk_instance *m)
{
    for (rk_sym s = 0; s < m->at.n; s++)
        if (m->at.known[s] && rk_sym_definition(m->pool, s) != RK_EX_FAILED)
            return false;
    return true;
}

static void check_recipe(compiling *c)
{
    const rk_recipe *r = &c->r;

    if (c->code == RK_OK)
        c->code = rk_pool_check(c->m->pool, c->err);
    if (c->code == RK_OK && r->census.full)
        c->code =
            rk_fail(c->err, RK_ELIMIT, "more than %zu moments of a step could be the largest", RK_CENSUS_ROWS_MAX);
    if (c->code == RK_OK && (r->conditions.failed || r->census.failed))
        c->code = rk_fail_memory(c->err);
}

static void compile(compiling *c, const rk_memory_options *o)
{
    rk_memory_options noted = *o;

    if (o->layout) { /* blocks of the allocator are rounded by their size */
        c->code = rk_fail(c->err, RK_ELIMIT, "a step over devices is walked at each number");
        return;
    }
    c->r.conditions = (rk_conditions){.arena = &c->scratch, .pool = c->m->pool};
    c->r.census = (rk_census){.arena = &c->scratch, .pool = c->m->pool, .expands = may_expand(c->m)};
    noted.observer.op = NULL;
    noted.recipe = &c->r;
    c->code = rk_memory_new(c->m, &noted, &c->memory, c->err);
    check_recipe(c);
    if (c->code != RK_OK)
        return;
    c->memory->options.recipe = NULL;
    c->p->rounding = o->profile.rounding;
    c->p->blocks = o->profile;
    c->p->has_blocks = o->layout != NULL;
    c->p->fixed = c->memory->plain + rk_profile_workspaces(&o->profile, o->phase == RK_PHASE_TRAIN);
    compile_rows(c);
    check_recipe(c);
    if (c->code == RK_OK)
        compile_tapes(c);
    if (c->code == RK_OK)
        pin_symbols(c);
}

/* A compiled peak, and the account that it was compiled from; NULL: nobody wants that. */
static int compile_with_account(const rk_instance *m, const rk_memory_options *o, rk_peak **out, rk_memory **account,
                                rk_err *err)
{
    rk_peak *p = rk_heap_alloc(sizeof *p);
    compiling c = {.p = p, .m = m, .r = {.sums_alone = !account}, .err = err};

    if (!p)
        return rk_fail_memory(err);
    *p = (rk_peak){.n_row = 0};
    compile(&c, o);
    rk_arena_free(&c.scratch);
    if (c.code != RK_OK || !account)
        rk_memory_free(c.memory);
    if (c.code != RK_OK) {
        rk_peak_free(p);
        return c.code;
    }
    if (account)
        *account = c.memory;
    *out = p;
    return RK_OK;
}

int rk_peak_new(const rk_instance *m, const rk_memory_options *o, rk_peak **out, rk_err *err)
{
    return compile_with_account(m, o, out, NULL, err);
}

/* ---- the class -------------------------------------------------------------------------------------------------- */

size_t rk_peak_scratch(const rk_peak *p)
{
    size_t bytes = p->n_size + RK_BYTES_PEAK + rk_tape_scratch(p->bytes);
    size_t numbers = 2 * p->n_question + rk_tape_scratch(p->numbers);

    return bytes > numbers ? bytes : numbers;
}

bool rk_peak_holds(const rk_peak *p, const rk_binding *at, rk_i128 *scratch)
{
    const rk_i128 *n = scratch;

    for (size_t i = 0; i < p->n_pin; i++) {
        const pin *x = &p->pin[i];
        bool known = x->sym < at->n && at->known[x->sym];

        if (known != x->known || (known && at->value[x->sym] != x->value))
            return false;
    }
    if (rk_tape_eval(p->numbers, at, scratch + 2 * p->n_question, scratch, NULL) != RK_OK)
        return false;
    for (size_t i = 0; i < p->n_question; i++, n += 2)
        if (!(p->answer[i] & (unsigned)(n[0] < n[1] ? RK_LESS : n[0] == n[1] ? RK_EQUAL : RK_MORE)))
            return false;
    return true;
}

/* ---- a point ---------------------------------------------------------------------------------------------------- */

/* Rounds each size up as the allocator does; returns the largest, or -1 where one is no size. */
static rk_i128 round_up(const rk_peak *p, rk_i128 *size, rk_acc *acc)
{
    rk_i128 most = 0, less = p->rounding - 1;

    for (size_t i = 0; i < p->n_size; i++) {
        rk_i128 n = rk_add(acc, size[i], less);

        if (size[i] < 0)
            return -1;
        if (p->has_blocks)
            size[i] = rk_profile_block(&p->blocks, size[i]);
        else
            size[i] = n <= INT64_MAX ? (int64_t)n / p->rounding * p->rounding : n / p->rounding * p->rounding;
        most = size[i] > most ? size[i] : most;
    }
    return most;
}

static rk_i128 add_terms(const term *t, size_t n, const rk_i128 *size, rk_acc *acc)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = rk_add(acc, sum, rk_mul(acc, size[t[i].size], t[i].count));
    return sum;
}

static rk_i128 largest_row(const rk_peak *p, const rk_i128 *size, rk_acc *acc)
{
    rk_i128 most = 0;

    for (size_t i = 0, at = 0; i < p->n_row; at = p->end[i++]) {
        rk_i128 sum = add_terms(p->term.at + at, p->end[i] - at, size, acc);

        most = sum > most ? sum : most;
    }
    return most;
}

/* The same where every sum has room in 64 bits. */
static uint64_t largest_row_narrow(const rk_peak *p, const rk_i128 *size)
{
    const term *t = p->term.at;
    uint64_t most = 0;

    for (size_t i = 0; i < p->n_row; i++) {
        uint64_t sum = 0;

        for (const term *end = p->term.at + p->end[i]; t < end; t++)
            sum += (uint64_t)size[t->size] * t->count;
        most = sum > most ? sum : most;
    }
    return most;
}

int rk_peak_eval(const rk_peak *p, const rk_binding *at, rk_i128 *scratch, rk_i128 out[RK_N_BYTES], rk_err *err)
{
    rk_i128 *size = scratch, largest, rows;
    rk_acc acc = {0};
    int code = rk_tape_eval(p->bytes, at, scratch + p->n_size + RK_BYTES_PEAK, size, err);

    if (code != RK_OK)
        return code;
    largest = round_up(p, size, &acc);
    if (largest < 0)
        return rk_fail(err, RK_EVALUE, "a buffer would have less than no bytes");
    rows = largest <= (rk_i128)(UINT64_MAX / (p->crowd + 1)) ? (rk_i128)largest_row_narrow(p, size)
                                                             : largest_row(p, size, &acc);
    rows = rk_add(&acc, rows, rk_add(&acc, p->fixed, add_terms(p->common.at, p->common.n, size, &acc)));
    if (acc.overflow)
        return rk_fail(err, RK_EOVERFLOW, "the peak needs more than 128 bits");
    memcpy(out, size + p->n_size, RK_BYTES_PEAK * sizeof *out);
    out[RK_BYTES_PEAK] = rows;
    out[RK_BYTES_OUTPUT] = add_terms(p->output.at, p->output.n, size, &acc); /* less than the rows */
    return RK_OK;
}

/* ---- any numbers ------------------------------------------------------------------------------------------------ */

void rk_peaks_free(rk_peaks *p)
{
    for (size_t i = 0; i < p->n; i++)
        rk_peak_free(p->peak[i]);
    rk_heap_free(p->scratch);
    *p = (rk_peaks){0};
}

/* Takes a compiled step over, in the place of the one that was not used for longest where there are too many. */
static int add_peak(rk_peaks *p, rk_peak *new, rk_err *err)
{
    size_t n = rk_peak_scratch(new);
    rk_i128 *wider = n > p->n_scratch ? rk_heap_resize(p->scratch, n * sizeof *wider) : p->scratch;

    if (!wider) {
        rk_peak_free(new);
        return rk_fail_memory(err);
    }
    p->scratch = wider;
    p->n_scratch = n > p->n_scratch ? n : p->n_scratch;
    if (p->n == RK_PEAKS_MAX)
        rk_peak_free(p->peak[--p->n]);
    memmove(&p->peak[1], &p->peak[0], p->n++ * sizeof *p->peak);
    p->peak[0] = new;
    return RK_OK;
}

int rk_peaks_account(rk_peaks *p, const rk_instance *m, const rk_memory_options *o, rk_memory **out, rk_err *err)
{
    rk_peak *new = NULL;
    int code = o->layout ? RK_OK : compile_with_account(m, o, &new, out, err);

    if (o->layout || (code == RK_ELIMIT && p->walks)) /* blocks of a rank are rounded otherwise */
        return rk_memory_new(m, o, out, err);
    return code == RK_OK ? add_peak(p, new, err) : code;
}

/* The step of the class of these numbers, in the first place; false: none is compiled yet. */
static bool find_peak(rk_peaks *p, const rk_binding *at)
{
    size_t i = 0;
    rk_peak *found;

    while (i < p->n && !rk_peak_holds(p->peak[i], at, p->scratch))
        i++;
    if (i == p->n)
        return false;
    found = p->peak[i];
    memmove(&p->peak[1], &p->peak[0], i * sizeof *p->peak);
    p->peak[0] = found;
    return true;
}

static int walk(const rk_instance *m, const rk_memory_options *o, rk_i128 out[RK_N_BYTES], rk_err *err)
{
    rk_memory *x = NULL;
    int code = rk_memory_new(m, o, &x, err);

    if (code != RK_OK)
        return code;
    out[RK_BYTES_WEIGHTS] = x->parameters;
    out[RK_BYTES_GRADIENTS] = x->gradients;
    out[RK_BYTES_OPTIMIZER] = x->optimizer;
    out[RK_BYTES_SAVED] = x->saved;
    out[RK_BYTES_CACHE] = x->cache;
    out[RK_BYTES_PEAK] = x->peak;
    out[RK_BYTES_OUTPUT] = x->output;
    rk_memory_free(x);
    return RK_OK;
}

int rk_peaks_read(rk_peaks *p, const rk_instance *m, const rk_memory_options *o, rk_i128 out[RK_N_BYTES], rk_err *err)
{
    rk_peak *new = NULL;
    int code = RK_OK;

    if (o->layout)
        return walk(m, o, out, err);
    if (!find_peak(p, &m->at)) {
        code = rk_peak_new(m, o, &new, err);
        if (code == RK_ELIMIT && p->walks)
            return walk(m, o, out, err);
        if (code == RK_OK)
            code = add_peak(p, new, err);
    }
    return code == RK_OK ? rk_peak_eval(p->peak[0], &m->at, p->scratch, out, err) : code;
}
