/* SPDX-License-Identifier: MIT */
#include "report/terms.h"

#include <stdlib.h>

#define SHARE_FIELDS(X)                                                                                                \
    X(SHARE_PART, RK_KEY("part", TEXT, "attention, ffn …"))                                                            \
    X(SHARE_FORMULA, RK_KEY("formula", FORMULA, "what it adds to the term"))                                           \
    X(SHARE_VALUE, RK_KEY("value", COUNT, "the same as a number"))
RK_FIELD_TABLE(share_field, N_SHARE, SHARE_FIELDS);
static const rk_fields share_fields = {share_field, N_SHARE};

#define TERM_FIELDS(X)                                                                                                 \
    X(TERM_FORMULA, RK_KEY("formula", FORMULA, "the term"))                                                            \
    X(TERM_LATEX, RK_KEY("latex", TEXT, "the same, for LaTeX"))                                                        \
    X(TERM_VALUE, RK_KEY("value", COUNT, "its number; null where a symbol has none"))                                  \
    X(TERM_SHARE, RK_KEY("share", SHARE, "of the whole"))                                                              \
    X(TERM_PARTS, RK_LIST("parts", share_fields, "who adds what to it"))
RK_FIELD_TABLE(term_field, N_TERM, TERM_FIELDS);
const rk_fields rk_term_fields = {term_field, N_TERM};

typedef struct term {
    rk_ex of;
    rk_i128 value;
    bool known;
    size_t place; /* among the terms of the form */
} term;

static int by_value(const void *a, const void *b)
{
    const term *x = a, *y = b;
    rk_i128 p = x->value < 0 ? -x->value : x->value, q = y->value < 0 ? -y->value : y->value;

    return p != q ? (p < q ? 1 : -1) : x->place < y->place ? -1 : 1;
}

static rk_cell number_of(rk_view *v, rk_ex e)
{
    rk_i128 n = 0;

    return rk_view_known(v, e, &n) ? rk_cell_count(n) : rk_cell_null();
}

static void put_shares(rk_view *v, rk_cell *in, const rk_terms_of *share, size_t n, rk_ex of)
{
    rk_table *t = rk_cell_list(&v->page, in, &share_fields);

    for (size_t i = 0; i < n; i++) {
        rk_ex own = rk_ex_term_like(v->pool, share[i].of, of);
        rk_i128 zero = 0;
        rk_cell *cell;

        if (rk_ex_is_int(v->pool, own, &zero) && zero == 0)
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[SHARE_PART] = rk_cell_name(share[i].name);
        cell[SHARE_FORMULA] = rk_cell_formula(own, 0);
        cell[SHARE_VALUE] = number_of(v, own);
    }
}

void rk_view_terms(rk_view *v, rk_cell *in, const rk_terms_of *share, size_t n)
{
    rk_terms_of *simple = RK_NEW_ARRAY(&v->arena, n + 1, rk_terms_of);
    rk_table *t = rk_cell_list(&v->page, in, &rk_term_fields);
    rk_ex sum = rk_ex_int(v->pool, 0);
    term *at;
    size_t n_term;
    rk_i128 whole = 0;
    bool known;

    /* Each share is put in its simplest form before they are added, so that a term is found in those that have it. */
    for (size_t i = 0; simple && i < n; i++) {
        simple[i] = (rk_terms_of){share[i].name, rk_ex_simplify(v->pool, share[i].of)};
        sum = rk_ex_add(v->pool, sum, simple[i].of);
    }
    n_term = rk_ex_term_count(v->pool, sum);
    at = RK_NEW_ARRAY(&v->arena, n_term + 1, term);
    if (!simple || !at)
        return;
    known = rk_view_known(v, sum, &whole);
    for (size_t i = 0; i < n_term; i++) {
        at[i] = (term){.of = rk_ex_term(v->pool, sum, i), .place = i};
        at[i].known = rk_view_known(v, at[i].of, &at[i].value);
    }
    qsort(at, n_term, sizeof *at, by_value);
    for (size_t i = 0; i < n_term; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[TERM_FORMULA] = rk_cell_formula(at[i].of, 0);
        cell[TERM_LATEX] = rk_cell_formula(at[i].of, RK_PRINT_LATEX);
        cell[TERM_VALUE] = at[i].known ? rk_cell_count(at[i].value) : rk_cell_null();
        if (known && at[i].known)
            cell[TERM_SHARE] = rk_cell_share(at[i].value, whole);
        put_shares(v, &cell[TERM_PARTS], simple, n, at[i].of);
    }
}

void rk_view_derived_terms(rk_view *v, rk_cell *in, const rk_derivation *d)
{
    const rk_ledger *l = d->ledger;
    rk_terms_of share[RK_N_OWNER];
    rk_owners owners = {0};

    if (v->code == RK_OK)
        v->code = rk_owners_find(&v->arena, &v->model->program, &v->model->roles, &owners, v->err);
    for (size_t i = 0; i < RK_N_OWNER; i++)
        share[i] = (rk_terms_of){rk_owner_word[i], rk_ex_int(v->pool, 0)};
    for (size_t i = 0; i < d->n_step && v->code == RK_OK; i++) {
        const rk_derive_step *s = &d->step[i];
        rk_owner owner;

        if (s->is_part)
            continue;
        owner = d->quantity == RK_QUANTITY_PARAMS ? owners.weight[l->weight[s->node->row].weight]
                                                  : owners.op[l->op[s->node->row].op];
        share[owner].of = rk_ex_add(v->pool, share[owner].of, rk_ex_mul(v->pool, s->node->times, s->figure));
    }
    if (v->code == RK_OK)
        rk_view_terms(v, in, share, RK_N_OWNER);
}
