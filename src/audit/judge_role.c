/* SPDX-License-Identifier: MIT */
/*
 * "vocab_size = 50,257, d_model = 1,600", and further on V × d: letters that the text gives no value have those of the
 * sizes that they are usually written for.  What comes out is right or nothing: another letter may be meant.
 */
#include "audit/judge_parts.h"

#include <string.h>

rk_letter_role rk_judge_role(const rk_audit *a, const char *name, size_t n)
{
    rk_letter_role role = RK_N_LETTER;
    size_t found = 0;

    for (size_t i = 0; i < a->lexicon->of[RK_WORDS_LETTER].word.n; i++) {
        const rk_lexeme *w = &a->lexicon->of[RK_WORDS_LETTER].word.at[i];

        if (w->n == n && memcmp(w->word, name, n) == 0) {
            role = (rk_letter_role)w->id;
            found++;
        }
    }
    return found == 1 ? role : RK_N_LETTER;
}

static rk_letter_role role_of(const rk_audit *a, rk_sym s)
{
    const char *name = rk_sym_name(a->pool, s);

    return name ? rk_judge_role(a, name, strlen(name)) : RK_N_LETTER;
}

/* Per role: the value that all definitions of letters with it give; RK_EX_FAILED: none, or several. */
static void find_roles(rk_audit *a)
{
    bool several[RK_N_LETTER] = {false};

    a->of_role = RK_NEW_ARRAY(&a->arena, RK_N_LETTER, rk_ex);
    for (size_t i = 0; a->of_role && i < RK_N_LETTER; i++)
        a->of_role[i] = RK_EX_FAILED;
    for (rk_sym s = 0; a->of_role && s < a->definitions.n; s++) {
        const rk_definition *d = rk_define_of(&a->definitions, RK_DEFINE_NUMBER, s);
        rk_letter_role role = d ? role_of(a, s) : RK_N_LETTER;

        if (role == RK_N_LETTER)
            continue;
        several[role] |=
            rk_define_varies(&a->definitions, s) || (a->of_role[role] != RK_EX_FAILED && a->of_role[role] != d->value);
        a->of_role[role] = d->value;
    }
    for (size_t i = 0; a->of_role && i < RK_N_LETTER; i++)
        a->of_role[i] = several[i] ? RK_EX_FAILED : a->of_role[i];
}

rk_ex rk_judge_by_roles(rk_audit *a, rk_ex value, const rk_sym *open, size_t n)
{
    if (!a->of_role)
        find_roles(a);
    for (size_t i = 0; i < n && value != RK_EX_FAILED && a->of_role; i++) {
        rk_letter_role role = role_of(a, open[i]);
        rk_ex size = role == RK_N_LETTER ? RK_EX_FAILED : a->of_role[role];

        if (rk_ex_has_sym(a->pool, value, open[i]))
            value = size == RK_EX_FAILED ? RK_EX_FAILED : rk_ex_subst(a->pool, value, open[i], size);
    }
    return value;
}
