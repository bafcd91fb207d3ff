/* SPDX-License-Identifier: MIT */
#include "audit/index_build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define KIND_WORD(ID, word) word,
const char *const rk_index_kind_word[RK_N_INDEX_KIND] = {RK_INDEX_KINDS(KIND_WORD)};
#undef KIND_WORD

/* ---- building ---------------------------------------------------------------------------------------------------- */

const char *rk_index_text(rk_index *x, const char *fmt, ...)
{
    rk_str s = {0};
    const char *text;
    va_list ap;

    va_start(ap, fmt);
    rk_str_vformat(&s, fmt, ap);
    va_end(ap);
    text = s.failed ? NULL : rk_arena_text(&x->arena, rk_str_text(&s));
    x->arena.failed |= !text;
    rk_str_free(&s);
    return text ? text : "";
}

uint32_t rk_index_term_add(rk_index *x, const rk_instance *m, rk_ex one, rk_ex times)
{
    rk_binding at = m->at;
    rk_index_term t = {.instance = m, .one = one, .times = times};
    rk_index_term *kept;

    if (x->code != RK_OK || rk_ex_eval(m->pool, one, &at, &t.n_one, NULL) != RK_OK ||
        rk_ex_eval(m->pool, times, &at, &t.n_times, NULL) != RK_OK)
        return RK_NONE;
    kept = RK_PUSH(&x->arena, &x->term);
    if (!kept)
        return RK_NONE;
    *kept = t;
    return (uint32_t)(x->term.n - 1);
}

static bool find_value(const rk_index *x, rk_index_entry *e)
{
    const rk_index_term *t = &x->term.at[e->first];
    rk_i128 sum = 0;
    rk_acc acc = {0};

    for (uint32_t i = 0; i < e->n_term; i++) {
        rk_i128 n = e->all ? rk_mul(&acc, t[i].n_one, t[i].n_times) : t[i].n_one;

        if (e->form == RK_INDEX_RATIO && i + 1 == e->n_term)
            sum = n > 0 ? rk_mul(&acc, sum, RK_INDEX_SHARE_UNIT) / n : 0;
        else
            sum = e->form == RK_INDEX_LESS && i > 0 ? rk_sub(&acc, sum, n) : rk_add(&acc, sum, n);
    }
    e->value = sum;
    return !acc.overflow && sum > 0;
}

/* Terms of an entry stand together; a single one is not copied. */
static bool put_terms(rk_index *x, rk_index_entry *e, const uint32_t *term, size_t n)
{
    e->first = n == 1 ? term[0] : (uint32_t)x->term.n;
    e->n_term = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        if (term[i] == RK_NONE)
            return false;
    for (size_t i = 0; i < n && n > 1; i++) {
        rk_index_term t = x->term.at[term[i]], *kept = RK_PUSH(&x->arena, &x->term);

        if (!kept)
            return false;
        *kept = t;
    }
    return n > 0;
}

void rk_index_add(rk_index *x, rk_index_entry e, const uint32_t *term, size_t n)
{
    size_t before = x->term.n;
    rk_index_entry *kept;

    x->cut |= x->entry.n >= RK_INDEX_ENTRIES_MAX;
    if (x->code != RK_OK || x->cut)
        return;
    if (!put_terms(x, &e, term, n) || !find_value(x, &e)) {
        x->term.n = before;
        return;
    }
    kept = RK_PUSH(&x->arena, &x->entry);
    e.number = (uint32_t)x->entry.n;
    if (kept)
        *kept = e;
}

void rk_index_add_scopes(rk_index *x, rk_index_entry e, const uint32_t *term, size_t n)
{
    e.all = true;
    rk_index_add(x, e, term, n);
    e.all = false;
    if (e.times > 1)
        rk_index_add(x, e, term, n);
}

void rk_index_add_both(rk_index *x, rk_index_entry e, uint32_t term)
{
    if (term == RK_NONE)
        return;
    e.times = x->term.at[term].n_times;
    rk_index_add_scopes(x, e, &term, 1);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* By value; entries of one value in the order of their terms, then in that in which they were gathered. */
static int by_value(const void *a, const void *b)
{
    const rk_index_entry *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->all != y->all ? (int)x->all - (int)y->all : (x->number > y->number) - (x->number < y->number);
}

/* Gives all entries their words and their order. */
static void finish(rk_index *x)
{
    rk_index_name_entries(x);
    if (x->code == RK_OK && x->arena.failed)
        x->code = rk_fail_memory(x->err);
    if (x->code == RK_OK)
        x->code = rk_pool_check(x->instance->pool, x->err);
    if (x->code == RK_OK && x->entry.n > 0)
        qsort(x->entry.at, x->entry.n, sizeof *x->entry.at, by_value);
    x->err = NULL;
}

int rk_index_add_steps(rk_index *x, const rk_open_request *reopen, rk_err *err)
{
    x->err = err;
    if (x->n_account == 0)
        rk_index_gather_memory(x, reopen);
    finish(x);
    return x->code;
}

int rk_index_new(const rk_index_source *source, rk_index **out, rk_err *err)
{
    rk_index *x = rk_heap_alloc(sizeof *x);
    int code;

    if (!x)
        return rk_fail_memory(err);
    *x = (rk_index){
        .lexicon = source->lexicon, .instance = source->instance, .err = err, .facts.instance = source->instance};
    /* Facts of the model alone: sums over classes, which take most of the time, are for conventions. */
    for (int c = 0; c < RK_N_ROW_CLASS; c++)
        for (int i = 0; i < RK_N_CLASS_FACT; i++)
            x->facts.of_class[c][i] = rk_ex_int(x->instance->pool, 0);
    rk_facts_of_model(NULL, &x->facts);
    rk_index_gather_ratios(x);
    rk_index_gather_parts(x);
    rk_index_gather_more(x, &source->reopen->library);
    if (source->steps)
        rk_index_gather_memory(x, source->reopen);
    finish(x);
    code = x->code;
    if (code == RK_OK)
        *out = x;
    else
        rk_index_free(x);
    return code;
}

void rk_index_free(rk_index *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n_account; i++)
        rk_memory_free(x->account[i]);
    for (size_t i = 0; i < x->n_ledger; i++)
        rk_ledger_free(x->ledger[i]);
    for (size_t i = 0; i < sizeof x->opened / sizeof *x->opened; i++)
        rk_instance_free(x->opened[i]);
    rk_arena_free(&x->arena);
    rk_heap_free(x);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const rk_index_entry *rk_index_entries(const rk_index *x, size_t *n)
{
    *n = x->entry.n;
    return x->entry.at;
}

const rk_instance *rk_index_instance(const rk_index *x)
{
    return x->instance;
}

rk_ex rk_index_formula(const rk_index *x, const rk_index_entry *e, const rk_instance **model)
{
    const rk_index_term *t = &x->term.at[e->first];
    rk_pool *pool = t->instance->pool;
    rk_ex sum = rk_ex_int(pool, 0);

    for (uint32_t i = 0; i < e->n_term; i++) {
        rk_ex term = e->all ? rk_ex_mul(pool, t[i].times, t[i].one) : t[i].one;

        if (e->form == RK_INDEX_RATIO && i + 1 == e->n_term)
            sum = rk_ex_div(pool, rk_ex_simplify(pool, sum), rk_ex_simplify(pool, term)); /* so that T is S in both */
        else
            sum = (e->form == RK_INDEX_LESS && i > 0 ? rk_ex_sub : rk_ex_add)(pool, sum, term);
    }
    *model = t->instance;
    return sum;
}

void rk_index_put(const rk_index_entry *e, rk_str *out)
{
    const char *path = e->path[0] ? e->path : "the whole model";

    rk_str_put_safe(out, path, strlen(path));
    if (e->with)
        rk_str_putc(out, ' ');
    if (e->with)
        rk_str_put_safe(out, e->with, strlen(e->with));
    rk_str_format(out, ", %s", e->what);
    if (e->times != 1) { /* it stands in a part that occurs more than once */
        rk_str_put(out, !e->all ? ", one of " : ", all ");
        if (e->times)
            rk_str_grouped(out, e->times);
        rk_str_put(out, e->times ? " layers" : "layers");
    }
    if (e->convention)
        rk_str_format(out, ", %s", e->convention);
}

void rk_match_put(const rk_match *m, rk_str *out)
{
    rk_index_put(m->entry, out);
    if (m->ratio->view)
        rk_str_format(out, ", %s", m->ratio->view);
}
