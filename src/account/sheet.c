/* SPDX-License-Identifier: MIT */
#include "account/sheet.h"

#include <string.h>

/* Lays out the expressions in the order that the header names. */
static size_t lay_out(rk_sheet *s, rk_ex *e)
{
    const rk_ledger *l = s->ledger;
    size_t n = 0;

    s->weight = n;
    for (size_t i = 0; i < l->n_weight; i++) {
        e[n++] = l->weight[i].count;
        e[n++] = l->weight[i].times;
    }
    s->op = n;
    for (size_t i = 0; i < l->n_op; i++) {
        e[n++] = l->op[i].forward;
        e[n++] = l->op[i].backward;
        e[n++] = l->op[i].times;
    }
    e[s->stored = n++] = l->stored;
    e[s->named = n++] = l->named;
    e[s->active = n++] = l->active;
    e[s->forward = n++] = l->forward;
    e[s->backward = n++] = l->backward;
    return n;
}

int rk_sheet_new(const rk_ledger *l, rk_sheet **out, rk_err *err)
{
    rk_sheet *s = rk_heap_alloc(sizeof *s);
    rk_ex *e = rk_heap_alloc((2 * l->n_weight + 3 * l->n_op + 5) * sizeof *e);
    rk_err own = {0};

    if (!s || !e) {
        rk_heap_free(s);
        rk_heap_free(e);
        return rk_fail_memory(err);
    }
    memset(s, 0, sizeof *s);
    s->ledger = l;
    s->n_value = lay_out(s, e);
    s->tape = rk_tape_new(l->pool, e, s->n_value, &own);
    rk_heap_free(e);
    if (!s->tape) {
        rk_heap_free(s);
        return rk_fail(err, own.code, "%s", own.message);
    }
    s->n_scratch = rk_tape_scratch(s->tape);
    *out = s;
    return RK_OK;
}

void rk_sheet_free(rk_sheet *s)
{
    if (!s)
        return;
    rk_tape_free(s->tape);
    rk_heap_free(s);
}

int rk_sheet_eval(const rk_sheet *s, const rk_binding *at, rk_i128 *scratch, rk_i128 *value, rk_err *err)
{
    return rk_tape_eval(s->tape, at, scratch, value, err);
}
