/* SPDX-License-Identifier: MIT */
/*
 * Which differences are mistakes.  A reader who is told once that a right line is wrong does not look at the next one,
 * so that the burden of proof is on "wrong".  It is said of few forms only: numbers that are computed with each other,
 * and the number that comes out; one number in two units; one formula with two coefficients.  All that stands in it,
 * and what stands directly before and after it, was understood; nothing that people leave unwritten explains the
 * difference, and something that people do wrong does.  Each of these conditions is a row of one table; what fails one
 * is doubtful.
 */
#include "audit/judge_parts.h"

#include <string.h>

static bool is_in_program(const rk_pair *p)
{
    return rk_pair_assigns(p) && (p->x->n_symbol > 0 || p->y->n_symbol > 0 || p->x->literal.is);
}

/* "6 / 2 = 4  ✗", "wrong sums, as 2 + 2 = 5": the text says itself that it is wrong. */
static bool is_denied(const rk_pair *p)
{
    const char *text = p->a->scan.text;
    const rk_audit_token *last = &p->a->lexed.token.at[p->y->to - 1];
    uint32_t at = p->a->lexed.token.at[p->x->from].at, from = rk_pair_line_begin(p), end = last->at + last->n, to = end;

    while (to < p->a->scan.n && text[to] != '\n')
        to++;
    return rk_lexicon_in(p->a->lexicon, RK_WORDS_DENIED, text + from, at - from) ||
           rk_lexicon_in(p->a->lexicon, RK_WORDS_DENIED, text + end, to - end);
}

static const rk_reason reason[] = {
    {is_denied, 0, RK_OF_MEANING, "the text says itself that it is wrong"},
    {is_in_program, 0, RK_OF_MEANING, "in a program, which assigns where people state"},
};

static const rk_reasons reasons_of_place = {reason, sizeof reason / sizeof *reason};

/* Of the reasons that hold the first one is named. */
static const rk_reasons *const tables[] = {&rk_reasons_of_border, &rk_reasons_of_form, &reasons_of_place,
                                           &rk_reasons_unwritten};

static bool holds(const rk_reason *r, const rk_pair *p)
{
    const char *x = (const char *)p->x, *y = (const char *)p->y;

    return r->is ? r->is(p) : *(const bool *)(x + r->either) || *(const bool *)(y + r->either);
}

static const char *first_reason(const rk_pair *p)
{
    bool telling = rk_pair_is_telling(p) || rk_pair_is_step(p);

    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        for (const rk_reason *r = tables[k]->at; r < tables[k]->at + tables[k]->n; r++)
            if (!(telling && r->is_of == RK_OF_READING) && holds(r, p))
                return r->words;
    return NULL;
}

const char *rk_pair_doubt(const rk_pair *as_read)
{
    const rk_verdict *v = as_read->v;
    rk_pair as_judged = *as_read;

    if (v->as_left) { /* in another reading */
        as_judged.first = as_read->x == as_read->first ? v->as_left : as_read->first;
        as_judged.x = v->as_left;
        as_judged.y = v->as_right;
    }
    return first_reason(&as_judged);
}
