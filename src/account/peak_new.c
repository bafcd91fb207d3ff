/* SPDX-License-Identifier: MIT */
/*
 * account/peak_new.c - compiles a peak: rows of counts, sizes as a tape, and what was asked of the numbers.
 */
#include "account/peak_table.h"

#include <string.h>

#define FEW_ROWS 96 /* of which every pair is tried */

/* ---- compiling: rows -------------------------------------------------------------------------------------------- */

/* What is being compiled; failure is sticky. */
typedef struct compiling {
    rk_peak *p;
    const rk_instance *m;
    rk_memory *memory;
    rk_arena scratch;
    rk_recipe r;
    bool train;
    uint32_t *share_size; /* of each share of the recipe */
    rk_rows row;
    uint32_t *common;
    rk_err *err;
    int code;
} compiling;

static void fail_memory(compiling *c)
{
    c->code = c->code == RK_OK ? rk_fail_memory(c->err) : c->code;
}

static void add_times(compiling *c, uint32_t *count, rk_i128 times)
{
    rk_i128 n = *count + times;

    if (n > UINT32_MAX && c->code == RK_OK)
        c->code = rk_fail(c->err, RK_ELIMIT, "too many tensors of one size (limit is %u)", UINT32_MAX);
    *count = (uint32_t)n;
}

/* Adds all shares of a kind to a row. */
static void add_shares(compiling *c, rk_held when, uint32_t *row)
{
    for (size_t i = 0; row && i < c->r.share.n; i++)
        if (c->r.share.at[i].when == when)
            add_times(c, &row[c->share_size[i]], c->r.share.at[i].times);
}

static uint32_t *new_row(compiling *c)
{
    uint32_t **slot = RK_PUSH(&c->scratch, &c->row);
    uint32_t *row = slot ? RK_NEW_ARRAY(&c->scratch, c->p->n_size + 1, uint32_t) : NULL;

    if (!row) {
        fail_memory(c);
        return NULL;
    }
    return *slot = row;
}

static void name_shares(compiling *c)
{
    c->share_size = RK_NEW_ARRAY(&c->scratch, c->r.share.n + 1, uint32_t);
    if (!c->share_size) {
        fail_memory(c);
        return;
    }
    for (size_t i = 0; i < c->r.share.n; i++)
        c->share_size[i] = rk_census_size(&c->r.census, c->r.share.at[i].bytes);
    c->p->n_size = c->r.census.size.n;
}

static void add_walk_rows(compiling *c, bool late)
{
    const rk_census *census = &c->r.census;

    for (size_t i = 0; i < census->row[late].n && c->code == RK_OK; i++) {
        uint32_t *row = new_row(c);

        if (row)
            memcpy(row, census->row[late].at[i], census->width * sizeof *row);
        if (!late)
            add_shares(c, RK_HELD_OUTPUT, row);
    }
}

static void add_step_row(compiling *c, uint32_t largest)
{
    uint32_t *row = new_row(c);

    add_shares(c, RK_HELD_IN_STEP, row);
    add_shares(c, RK_HELD_OUTPUT, row);
    if (row && largest != RK_NONE)
        row[largest]++;
}

/* The optimizer's step: one row for each size that its largest tensor may have. */
static void add_step_rows(compiling *c)
{
    bool *seen = RK_NEW_ARRAY(&c->scratch, c->p->n_size + 1, bool);

    if (!seen) {
        fail_memory(c);
        return;
    }
    add_step_row(c, RK_NONE);
    for (size_t i = 0; i < c->r.share.n && c->code == RK_OK; i++)
        if (c->r.share.at[i].when == RK_HELD_ONE_IN_STEP && !seen[c->share_size[i]]) {
            seen[c->share_size[i]] = true;
            add_step_row(c, c->share_size[i]);
        }
}

/* Lines between rows are worth looking for where rows are few. */
static void drop_rows(compiling *c)
{
    rk_rows_drop_covered(&c->row, c->p->n_size, &c->scratch, NULL);
    if (c->row.n <= FEW_ROWS)
        rk_rows_drop_between(&c->row, c->p->n_size, c->row.n, &c->scratch, NULL);
}

/* What all rows have is added up once. */
static void take_common(compiling *c)
{
    c->common = RK_NEW_ARRAY(&c->scratch, c->p->n_size + 1, uint32_t);
    if (!c->common) {
        fail_memory(c);
        return;
    }
    for (size_t s = 0; s < c->p->n_size && c->row.n > 0; s++) {
        uint32_t least = c->row.at[0][s];

        for (size_t i = 1; i < c->row.n; i++)
            least = c->row.at[i][s] < least ? c->row.at[i][s] : least;
        for (size_t i = 0; i < c->row.n; i++)
            c->row.at[i][s] -= least;
        c->common[s] = least;
    }
    add_shares(c, RK_HELD_ALWAYS, c->common);
}

static size_t put_terms(const uint32_t *row, size_t n, rk_peak_term *out)
{
    size_t n_term = 0;

    for (size_t s = 0; s < n; s++)
        if (row[s])
            out[n_term++] = (rk_peak_term){(uint32_t)s, row[s]};
    return n_term;
}

static size_t count_terms(const compiling *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->row.n; i++)
        for (size_t s = 0; s < c->p->n_size; s++)
            n += c->row.at[i][s] > 0;
    return n;
}

static uint64_t count_things(const rk_peak_term *t, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += t[i].count;
    return sum;
}

static void put_output(compiling *c)
{
    c->p->output = RK_NEW_ARRAY(&c->p->arena, c->r.share.n + 1, rk_peak_term);
    if (!c->p->output)
        fail_memory(c);
    for (size_t i = 0; c->p->output && i < c->r.share.n; i++)
        if (c->r.share.at[i].when == RK_HELD_OUTPUT)
            c->p->output[c->p->n_output++] = (rk_peak_term){c->share_size[i], (uint32_t)c->r.share.at[i].times};
}

static void put_rows(compiling *c)
{
    rk_peak *p = c->p;
    size_t at = 0;

    p->common = RK_NEW_ARRAY(&p->arena, p->n_size + 1, rk_peak_term);
    p->term = RK_NEW_ARRAY(&p->arena, count_terms(c) + 1, rk_peak_term);
    p->end = RK_NEW_ARRAY(&p->arena, c->row.n + 1, size_t);
    if (!p->common || !p->term || !p->end) {
        fail_memory(c);
        return;
    }
    p->n_common = put_terms(c->common, p->n_size, p->common);
    p->n_row = c->row.n;
    for (size_t i = 0; i < c->row.n; i++) {
        size_t n = put_terms(c->row.at[i], p->n_size, p->term + at);
        uint64_t things = count_things(p->term + at, n);

        p->crowd = things > p->crowd ? things : p->crowd;
        p->end[i] = at += n;
    }
}

static void compile_rows(compiling *c)
{
    name_shares(c);
    if (c->code != RK_OK)
        return;
    add_walk_rows(c, false);
    add_walk_rows(c, true);
    if (c->train)
        add_step_rows(c);
    if (c->code == RK_OK)
        drop_rows(c);
    if (c->code == RK_OK)
        take_common(c);
    if (c->code == RK_OK)
        put_rows(c);
    if (c->code == RK_OK)
        put_output(c);
}

/* ---- compiling: tapes and pins ---------------------------------------------------------------------------------- */

static void compile_bytes(compiling *c)
{
    const rk_memory *m = c->memory;
    const rk_ex formula[RK_BYTES_PEAK] = {[RK_BYTES_WEIGHTS] = m->parameters_formula,
                                          [RK_BYTES_GRADIENTS] = m->gradients_formula,
                                          [RK_BYTES_OPTIMIZER] = m->optimizer_formula,
                                          [RK_BYTES_SAVED] = m->saved_formula,
                                          [RK_BYTES_CACHE] = m->cache_formula};
    rk_ex *e = RK_NEW_ARRAY(&c->scratch, c->p->n_size + RK_BYTES_PEAK, rk_ex);

    if (!e) {
        fail_memory(c);
        return;
    }
    memcpy(e, c->r.census.size.at, c->p->n_size * sizeof *e);
    memcpy(e + c->p->n_size, formula, sizeof formula);
    c->p->bytes = rk_tape_new(c->m->pool, e, c->p->n_size + RK_BYTES_PEAK, c->err);
    if (!c->p->bytes)
        c->code = c->err ? c->err->code : RK_ENOMEM;
}

static void compile_questions(compiling *c)
{
    rk_peak *p = c->p;
    size_t n = c->r.asked.question.n;
    rk_ex *e = RK_NEW_ARRAY(&c->scratch, 2 * n + 1, rk_ex);

    p->answer = RK_NEW_ARRAY(&p->arena, n + 1, unsigned);
    if (!e || !p->answer) {
        fail_memory(c);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        e[2 * i] = c->r.asked.question.at[i].a;
        e[2 * i + 1] = c->r.asked.question.at[i].b;
        p->answer[i] = c->r.asked.question.at[i].answer;
    }
    p->n_question = n;
    p->numbers = rk_tape_new(c->m->pool, e, 2 * n, c->err);
    if (!p->numbers)
        c->code = c->err ? c->err->code : RK_ENOMEM;
}

static bool is_defined(const rk_instance *m, const rk_symbol *s)
{
    return rk_sym_definition(m->pool, s->sym) != RK_EX_FAILED;
}

static void pin_symbols(compiling *c)
{
    rk_binding at = c->m->at;
    const rk_model *model = c->m->model;

    c->p->pin = RK_NEW_ARRAY(&c->p->arena, model->n_symbol + 1, rk_peak_pin);
    if (!c->p->pin) {
        fail_memory(c);
        return;
    }
    for (size_t i = 0; i < model->n_symbol; i++) {
        const rk_symbol *s = &model->symbol[i];

        if (s->sym < at.n && (s->fixed || is_defined(c->m, s)))
            c->p->pin[c->p->n_pin++] = (rk_peak_pin){s->sym, at.known[s->sym], at.value[s->sym]};
    }
}

/* ---- compiling: all --------------------------------------------------------------------------------------------- */

/* Definitions may be put in for their symbols where no symbol has a number beside its definition. */
static bool may_expand(const rk_instance *m)
{
    rk_binding at = m->at;

    for (rk_sym s = 0; s < at.n; s++)
        if (at.known[s] && rk_sym_definition(m->pool, s) != RK_EX_FAILED)
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
    if (c->code == RK_OK && (r->failed || r->asked.failed || r->census.failed))
        c->code = rk_fail_memory(c->err);
}

static void compile(compiling *c, const rk_memory_options *o)
{
    rk_memory_options noted = *o;

    rk_recipe_init(&c->r, &c->scratch, c->m->pool);
    c->r.census.expands = may_expand(c->m);
    noted.viewer.see = NULL;
    noted.recipe = &c->r;
    c->code = rk_memory_new(c->m, &noted, &c->memory, c->err);
    check_recipe(c);
    if (c->code != RK_OK)
        return;
    c->p->rounding = o->profile.rounding;
    c->p->fixed = c->r.plain + rk_profile_workspaces(&o->profile, c->train);
    compile_rows(c);
    check_recipe(c);
    if (c->code == RK_OK)
        compile_bytes(c);
    if (c->code == RK_OK)
        compile_questions(c);
    if (c->code == RK_OK)
        pin_symbols(c);
}

int rk_peak_with_account(const rk_instance *m, const rk_memory_options *o, rk_peak **out, rk_memory **account,
                         rk_err *err)
{
    rk_peak *p = rk_heap_alloc(sizeof *p);
    compiling c = {.p = p, .m = m, .train = o->phase == RK_PHASE_TRAIN, .err = err};

    if (!p)
        return rk_fail_memory(err);
    memset(p, 0, sizeof *p);
    compile(&c, o);
    rk_arena_free(&c.scratch);
    if (c.code != RK_OK || !account)
        rk_memory_free(c.memory);
    if (c.code != RK_OK) {
        rk_peak_free(p);
        return c.code;
    }
    if (account) {
        *account = c.memory;
        (*account)->options.recipe = NULL;
    }
    *out = p;
    return RK_OK;
}

int rk_peak_new(const rk_instance *m, const rk_memory_options *o, rk_peak **out, rk_err *err)
{
    return rk_peak_with_account(m, o, out, NULL, err);
}
