/* SPDX-License-Identifier: MIT */
#include "ask/conventions.h"

#include "ask/convention_facts.h"
#include "ask/convention_file.h"
#include "ask/convention_why.h"
#include "plan/lookup.h"

#include <string.h>

#define OVERFLOW "%s: the count exceeds 128 bits"

typedef struct asking {
    rk_arena *a;
    rk_facts facts;
    rk_pool *pool;
    rk_binding at;
    rk_err *err;
} asking;

static int value(const asking *q, rk_ex e, rk_i128 *out)
{
    return rk_ex_eval(q->pool, e, &q->at, out, q->err);
}

bool rk_convention_is_memory(const rk_named_convention *c)
{
    return c->of >= RK_OF_STATE;
}

/* ---- one line --------------------------------------------------------------------------------------------------- */

static bool is_refusal(const rk_convention_rule *rule)
{
    return rule->formula && strcmp(rule->formula, "-") == 0;
}

/* What a rule says of a class.  `c->not_for` is set where it says that it cannot. */
static int apply(asking *q, rk_named_convention *c, rk_row_class class, const rk_convention_rule *rule,
                 rk_fact_formula *out)
{
    int code;

    *out = (rk_fact_formula){.is = rk_ex_int(q->pool, 0)};
    if (!rule->formula || is_refusal(rule))
        return RK_OK;
    code = rk_facts_formula(&q->facts, class, rule->formula, out, q->err);
    if (code != RK_OK)
        return rk_err_context(q->err, code, "%s: line %zu", RK_CONVENTIONS_FILE, rule->at);
    /* What is said of rows that the model has not is nothing, whatever else it speaks of. */
    if (out->of_class && !q->facts.present[class])
        *out = (rk_fact_formula){.is = rk_ex_int(q->pool, 0)};
    c->not_for = out->lacks;
    return RK_OK;
}

static int add_line(asking *q, rk_named_convention *c, rk_row_class class, const rk_convention_rule *rule)
{
    rk_fact_formula formula;
    rk_convention_line l = {.class = class, .rule = rule->formula, .reference = rk_ex_int(q->pool, 0)};
    rk_acc acc = {0};
    int code = apply(q, c, class, rule, &formula);

    if (code != RK_OK || c->not_for)
        return code;
    if (!rk_convention_is_memory(c)) /* which has its own account */
        l.reference = q->facts.of_class[class][RK_CLASS_FACT_COUNTED];
    if (c->of == RK_OF_TRAINING)
        l.reference = rk_ex_mul(q->pool, rk_ex_int(q->pool, 3), l.reference);
    l.counted = formula.is;
    l.difference = rk_ex_sub(q->pool, l.counted, l.reference);
    code = value(q, l.counted, &l.n_counted);
    if (code == RK_EVALUE) { /* a formula for another kind of model: 4·h²/g with heads that do not divide the width */
        c->not_for = "the formula gives no whole number here";
        return RK_OK;
    }
    if (code == RK_OK)
        code = value(q, l.reference, &l.n_reference);
    l.n_difference = rk_sub(&acc, l.n_counted, l.n_reference);
    if (acc.overflow)
        return rk_fail(q->err, RK_EOVERFLOW, OVERFLOW, c->name);
    if (code != RK_OK || (l.n_counted == 0 && l.n_reference == 0))
        return code;
    l.why = rk_why_line(q->a, &q->facts, c, &l, formula.of_parameters);
    if (l.n_counted > 0 && l.n_counted == -l.n_difference && rule->reason[0] &&
        !rk_why_all_masked(&q->facts, class)) /* it is halved, and not by a mask alone */
        l.why = rule->reason;
    c->line[c->n_line++] = l;
    return l.why ? RK_OK : rk_fail_memory(q->err);
}

/* ---- one convention --------------------------------------------------------------------------------------------- */

static int add_up(asking *q, rk_named_convention *c)
{
    rk_acc acc = {0};

    c->counted = c->reference = rk_ex_int(q->pool, 0);
    for (size_t i = 0; i < c->n_line; i++) {
        c->counted = rk_ex_add(q->pool, c->counted, c->line[i].counted);
        c->reference = rk_ex_add(q->pool, c->reference, c->line[i].reference);
        c->n_counted = rk_add(&acc, c->n_counted, c->line[i].n_counted);
        c->n_reference = rk_add(&acc, c->n_reference, c->line[i].n_reference);
    }
    rk_sub(&acc, c->n_counted, c->n_reference);
    if (acc.overflow)
        return rk_fail(q->err, RK_EOVERFLOW, OVERFLOW, c->name);
    c->why = rk_why_whole(q->a, c);
    return c->why ? RK_OK : rk_fail_memory(q->err);
}

static int work_out(asking *q, const rk_convention_text *t, rk_named_convention *c)
{
    int code = RK_OK;

    *c = t->head;
    for (int i = 0; i < RK_N_ROW_CLASS && !c->not_for; i++) /* what a convention says of itself that it is not for */
        if (is_refusal(&t->rule[i]) && q->facts.present[i])
            c->not_for = t->rule[i].reason;
    c->line = RK_NEW_ARRAY(q->a, RK_N_ROW_CLASS, rk_convention_line);
    if (!c->line)
        return rk_fail_memory(q->err);
    for (int i = 0; i < RK_N_ROW_CLASS && code == RK_OK && !c->not_for; i++)
        code = add_line(q, c, (rk_row_class)i, &t->rule[i]);
    if (code != RK_OK)
        return rk_err_context(q->err, code, "convention '%s'", c->name);
    if (c->not_for)
        c->n_line = 0;
    return c->not_for ? RK_OK : add_up(q, c);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_conventions_new(rk_arena *a, const rk_library *library, const rk_instance *m, const rk_convention_setup *setup,
                       rk_conventions *out, rk_err *err)
{
    asking q = {.a = a, .pool = m->pool, .at = m->at, .err = err};
    rk_convention_texts file = {0};
    rk_conventions all = {.reference = rk_ex_int(m->pool, 0)};
    rk_i128 stored;
    int code = rk_convention_file_read(a, library, &file, err);

    if (code == RK_OK)
        code = rk_facts_new(m, setup, &q.facts, err);
    for (int i = 0; i < RK_N_ROW_CLASS && code == RK_OK; i++)
        all.reference = rk_ex_add(m->pool, all.reference, q.facts.of_class[i][RK_CLASS_FACT_COUNTED]);
    if (code == RK_OK)
        code = value(&q, all.reference, &all.n_reference);
    /* Whatever else has no number has none because of the model's own symbols, and is said now. */
    if (code == RK_OK)
        code = value(&q, q.facts.of_model[RK_MODEL_FACT_WHOLE], &stored);
    if (code == RK_OK && !(all.at = RK_NEW_ARRAY(a, file.n + 1, rk_named_convention)))
        code = rk_fail_memory(err);
    for (; all.n < file.n && code == RK_OK; all.n++)
        code = work_out(&q, &file.at[all.n], &all.at[all.n]);
    if (code == RK_OK)
        code = rk_pool_check(m->pool, err);
    if (code == RK_OK)
        *out = all;
    return code;
}

int rk_conventions_find(const rk_conventions *c, const char *name, bool memory, const rk_named_convention **out,
                        rk_err *err)
{
    char hint[RK_NEAREST_HINT_MAX];
    rk_lookup own = {.word = name}, others = {.word = name};
    const rk_candidate *one;

    for (size_t i = 0; i < c->n; i++) {
        const char *known = c->at[i].name;

        rk_lookup_try(rk_convention_is_memory(&c->at[i]) == memory ? &own : &others, known, strlen(known), known,
                      &c->at[i]);
    }
    if ((one = rk_lookup_one(&own)) && own.best >= others.best) {
        *out = one->what;
        return RK_OK;
    }
    if ((one = rk_lookup_one(&others)))
        return rk_fail(err, RK_EUSAGE, "'%s' is a rule for %s", one->name,
                       memory ? "operations: reckon flops MODEL --as knows it"
                              : "bytes: reckon memory MODEL --as knows it");
    return rk_fail(err, RK_EUSAGE, "no convention is called '%s' (--as all lists them)%s", name,
                   rk_nearest_hint(&own.near, hint));
}
