/* SPDX-License-Identifier: MIT */
/* Why a figure may be what it is: a factor that was forgotten, digits that changed places. */
#include "audit/judge.h"

#include <string.h>

enum {
    FACTOR_MAX = 100000 /* a larger ratio that happens to be whole explains nothing */
};

static const char *factor_text(rk_audit *a, rk_i128 n, bool large)
{
    rk_str s = {0};

    if (n == 2)
        return large ? "what is stated is exactly twice that" : "what is stated is exactly half of that";
    rk_str_put(&s, large ? "what is stated is exactly " : "what is stated is that divided by exactly ");
    rk_str_grouped(&s, n);
    rk_str_put(&s, large ? " times that" : "");
    return rk_audit_keep(a, &s);
}

static const char *explain_factor(rk_audit *a, rk_ex stated, rk_ex found)
{
    rk_ex ratio = found == rk_ex_int(a->pool, 0) ? RK_EX_FAILED : rk_ex_div(a->pool, stated, found);
    rk_i128 num, den;

    if (ratio == RK_EX_FAILED || !rk_ex_is_quotient(a->pool, ratio, &num, &den))
        return NULL;
    if (den == 1 && num > 1 && num <= FACTOR_MAX)
        return factor_text(a, num, true);
    if (num == 1 && den > 1 && den <= FACTOR_MAX)
        return factor_text(a, den, false);
    return NULL;
}

/* The two places where texts of equal length differ; false: in more, or in fewer. */
static bool two_places(const char *x, const char *y, size_t *i, size_t *k)
{
    size_t n = 0;

    for (size_t at = 0; x[at]; at++)
        if (x[at] != y[at]) {
            if (n == 0)
                *i = at;
            *k = at;
            n++;
        }
    return n == 2;
}

static const char *explain_digits(rk_audit *a, rk_ex stated, rk_ex found)
{
    char x[RK_NUM_TEXT_MAX], y[RK_NUM_TEXT_MAX];
    rk_i128 u, v;
    size_t i, k;

    if (!rk_ex_is_int(a->pool, stated, &u) || !rk_ex_is_int(a->pool, found, &v))
        return NULL;
    rk_num_text(x, u);
    rk_num_text(y, v);
    if (strlen(x) == strlen(y) && strlen(x) > 3 && two_places(x, y, &i, &k) && x[i] == y[k] && x[k] == y[i])
        return "two of its digits have changed places";
    return NULL;
}

/* What is missing or too much, in terms: "2BTd is missing". */
static const char *explain_terms(rk_audit *a, rk_ex stated, rk_ex found)
{
    rk_ex less = rk_ex_sub(a->pool, found, stated), missing, surplus;
    rk_i128 num, den;
    rk_str s = {0};

    if (less == RK_EX_FAILED || rk_ex_is_quotient(a->pool, less, &num, &den) || rk_ex_term_count(a->pool, less) > 2)
        return NULL;
    rk_ex_split(a->pool, less, &missing, &surplus);
    if (missing != rk_ex_int(a->pool, 0)) {
        rk_ex_print(a->pool, missing, RK_PRINT_TEXT, &s);
        rk_str_put(&s, " is missing");
    }
    if (surplus != rk_ex_int(a->pool, 0)) {
        rk_str_put(&s, s.n ? ", " : "");
        rk_ex_print(a->pool, surplus, RK_PRINT_TEXT, &s);
        rk_str_put(&s, " is too much");
    }
    return rk_audit_keep(a, &s);
}

const char *rk_judge_why(rk_audit *a, rk_ex stated, rk_ex found)
{
    const char *why = explain_factor(a, stated, found);

    if (!why)
        why = explain_digits(a, stated, found);
    return why ? why : explain_terms(a, stated, found);
}
