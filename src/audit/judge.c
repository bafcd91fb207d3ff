/* SPDX-License-Identifier: MIT */
#include "audit/judge.h"
#include "audit/judge_parts.h"

#include <math.h>
#include <string.h>

enum {
    VALUES_TRIED_MAX = 400000 /* in a text, of letters that have several: less than a second */
};

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* Half a unit of the last digit that is not 0, if that is within a tenth of the number. */
static double coarse_slack(const rk_side *s, double size)
{
    const double tenth = 0.1;

    return s->literal.is ? fmin(s->literal.coarse / 2, size * tenth) : 0;
}

/* A whole number may stand for a broken one: rounded, or cut off. */
static double whole_slack(const rk_pool *p, const rk_side *s, rk_ex other)
{
    rk_i128 n;

    return s->literal.is && !s->literal.rounded && !rk_ex_is_int(p, other, &n) ? nextafter(1, 0) : 0;
}

/* "= 72,500" for 72,479.2: a number with two zeros at its end that no whole number led to is rounded. */
static double zeros_slack(const rk_pool *p, const rk_side *s, rk_ex other)
{
    const double hundred = 100;
    rk_i128 n;

    if (s->literal.is && s->unit && s->unit->kind != RK_WORD_UNIT_SHARE && s->literal.decimals == 0 &&
        s->literal.coarse > s->literal.unit)
        return s->literal.coarse / 2; /* 190 us */
    return s->literal.is && !s->literal.rounded && s->literal.coarse >= hundred * s->literal.unit &&
                   !rk_ex_is_int(p, other, &n)
               ? s->literal.coarse / 2
               : 0;
}

bool rk_judge_agree(const rk_pool *p, rk_ex x, const rk_side *a, rk_ex y, const rk_side *b, bool about)
{
    const double tenth = 0.1, rounding = 1e-9; /* of the double arithmetic below */
    double u, v, slack = a->slack + b->slack;

    if (x == y)
        return true;
    if (!rk_side_double(p, x, &u) || !rk_side_double(p, y, &v))
        return false;
    slack += fmax(whole_slack(p, a, y), whole_slack(p, b, x));
    slack = fmax(slack, zeros_slack(p, b, x) + a->slack);
    if (about || a->literal.about)
        slack = fmax(slack, a->slack + coarse_slack(b, fabs(v)));
    if (about || b->literal.about)
        slack = fmax(slack, b->slack + coarse_slack(a, fabs(u)));
    if (about && !a->literal.is && !b->literal.is)
        slack = fmax(slack, fabs(u) * tenth);
    return fabs(u - v) <= slack + fmax(fabs(u), fabs(v)) * rounding * (slack > 0);
}

/* ---- two sides -------------------------------------------------------------------------------------------------- */

static const char *const trouble_text[] = {
    [RK_TROUBLE_NONE] = "not understood",     [RK_TROUBLE_LARGE] = "too large: a number beyond 128 bits",
    [RK_TROUBLE_ZERO] = "a division by zero", [RK_TROUBLE_POWER] = "a power that is no whole number",
    [RK_TROUBLE_MANY] = "too many symbols",
};

static rk_verdict unknown(const char *note)
{
    return (rk_verdict){.is = RK_CLAIM_UNKNOWN, .note = note};
}

static rk_verdict verdict(rk_claim_status is, rk_ex left, rk_ex right)
{
    return (rk_verdict){.is = is, .left = left, .right = right};
}

static bool is_number(const rk_pool *p, rk_ex e)
{
    rk_i128 num, den;

    return rk_ex_is_quotient(p, e, &num, &den);
}

/* "no value for m, n" */
static const char *no_value(rk_audit *a, const rk_expanded *x, const rk_expanded *y)
{
    const rk_expanded *both[] = {x, y};
    rk_str s = {0};

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < both[k]->n_open; i++)
            if (k == 0 || !rk_ex_has_sym(a->pool, x->value, y->open[i]))
                rk_str_format(&s, "%s%s",
                              s.n                  ? ", "
                              : x->many || y->many ? "several values for "
                                                   : "no value for ",
                              rk_sym_name(a->pool, both[k]->open[i]));
    return rk_audit_keep(a, &s);
}

static bool same_symbols(const rk_pool *p, const rk_expanded *x, const rk_expanded *y)
{
    for (size_t i = 0; i < x->n_open; i++)
        if (!rk_ex_has_sym(p, y->value, x->open[i]))
            return false;
    for (size_t i = 0; i < y->n_open; i++)
        if (!rk_ex_has_sym(p, x->value, y->open[i]))
            return false;
    return x->n_open > 0;
}

/*
 * "512 × 512 × 2 = 524,288 × T": a factor that one side leaves out, as people do where it stands after every line.
 * One side is a number, the other a single term.
 */
static bool drops_factor(rk_audit *a, const rk_side *x, const rk_side *y, rk_verdict *out)
{
    const rk_side *with = x->n_symbol ? x : y, *without = x->n_symbol ? y : x;
    const rk_audit_token *t = a->lexed.token.at;
    rk_ex bare, factor;

    /* The s of "1500 × 0.03s = 45 ms" is no such factor. */
    for (size_t i = with->from + 1; i < with->to && without->timed; i++)
        if (t[i].kind == RK_TOKEN_SYMBOL && t[i - 1].kind == RK_TOKEN_NUMBER && !t[i].space &&
            rk_lexicon_unit(a->lexicon, a->scan.text + t[i].at, t[i].n))
            return false;

    if (without->n_symbol > 0 || with->n_symbol == 0 || !with->digits || with->call ||
        rk_ex_term_count(a->pool, with->value) != 1)
        return false;
    bare = rk_side_bare(a->pool, with);
    if (bare == RK_EX_FAILED)
        return false;
    *out = verdict(RK_CLAIM_WRONG, with == x ? bare : x->value, with == y ? bare : y->value);
    factor = rk_ex_div(a->pool, with->value, bare);
    if (!rk_judge_agree(a->pool, out->left, x, out->right, y, y->about)) {
        out->left = rk_ex_mul(a->pool, out->left, factor);
        out->right = rk_ex_mul(a->pool, out->right, factor);
        return true;
    }
    out->is = RK_CLAIM_RIGHT;
    out->note = rk_arena_format(&a->arena, "%s stands on one side only", rk_sym_name(a->pool, with->symbol[0]));
    return true;
}

static rk_verdict judge_numbers(const rk_audit *a, const rk_side *x, rk_ex u, const rk_side *y, rk_ex v)
{
    bool agree = rk_judge_agree(a->pool, u, x, v, y, y->about);

    return verdict(agree ? RK_CLAIM_RIGHT : RK_CLAIM_WRONG, u, v);
}

/* "6,144 × T" and no more: a number and a factor that stands after every line. */
static bool is_trailing(const rk_audit *a, const rk_side *s)
{
    const rk_audit_token *t = &a->lexed.token.at[s->from];

    return s->to - s->from >= 3 && t[0].kind == RK_TOKEN_NUMBER && a->lexed.number.at[t[0].id].digits >= 100 &&
           s->n_symbol == 1 && t[0].kind == RK_TOKEN_NUMBER && t[1].kind == RK_TOKEN_SIGN && t[1].op == '*' &&
           t[2].kind == RK_TOKEN_SYMBOL && (s->to - s->from == 3 || t[3].kind == RK_TOKEN_WORD);
}

/* A symbol with several values in the text: the sides agree with one of them. */
static bool agree_with_one(rk_audit *a, const rk_side *x, const rk_side *y, const rk_expanded *u, const rk_expanded *v,
                           rk_verdict *out)
{
    rk_sym s = u->n_open ? u->open[0] : v->n_open ? v->open[0] : RK_SYM_NONE; /* the only one that is left */
    const rk_definition *d = rk_define_of(&a->definitions, RK_DEFINE_NUMBER, s);

    if (u->n_open > 1 || v->n_open > 1 || (v->n_open == 1 && v->open[0] != s))
        return false;
    for (int i = 0; d && i < RK_DEFINE_NEAR_MAX && a->values_tried < VALUES_TRIED_MAX; i++, d = d->next) {
        a->values_tried++;
        *out = judge_numbers(a, x, rk_ex_subst(a->pool, u->value, s, d->value), y,
                             rk_ex_subst(a->pool, v->value, s, d->value));
        if (out->is == RK_CLAIM_RIGHT)
            return true;
    }
    return false;
}

/* Whether a number rounds to the one that a side begins with, which has a point or an exponent. */
static bool rounds_to(const rk_audit *a, rk_ex exact, rk_ex stated, const rk_side *s)
{
    const rk_audit_token *t = &a->lexed.token.at[s->from];
    const rk_written *w = t->kind == RK_TOKEN_NUMBER ? &a->lexed.number.at[t->id] : NULL;
    double x, y;

    return w && w->decimal && rk_side_double(a->pool, exact, &x) && rk_side_double(a->pool, stated, &y) &&
           fabs(x - y) <= pow(10, w->exponent) / 2;
}

/* Values of formulas whose numbers are rounded: "163.85M + 90.1M × B". */
static bool agree_loosely(const rk_audit *a, rk_ex left, rk_ex right, double loose)
{
    double l, r;

    return loose > 0 && rk_side_double(a->pool, left, &l) && rk_side_double(a->pool, right, &r) &&
           fabs(l - r) <= loose * fmax(fabs(l), fabs(r));
}

/* "134,217,728·B = 1.3e8·B" by their rounded coefficients; (1 - a²)/(1 - a)² = (1 + a)/(1 - a) by trying values. */
static bool agree_as_formulas(rk_audit *a, const rk_side *x, const rk_side *y, const rk_expanded *u,
                              const rk_expanded *v)
{
    static const int values[2][4] = {{7, 11, 13, 17}, {19, 5, 23, 3}};
    rk_ex bare_x = rk_side_bare(a->pool, x), bare_y = rk_side_bare(a->pool, y);
    bool same = true;

    if (rk_ex_term_count(a->pool, x->value) == 1 && rk_ex_term_count(a->pool, y->value) == 1 &&
        bare_x != RK_EX_FAILED && bare_y != RK_EX_FAILED &&
        rk_ex_mul(a->pool, x->value, bare_y) == rk_ex_mul(a->pool, y->value, bare_x))
        return rk_judge_agree(a->pool, bare_x, x, bare_y, y, y->about) || rounds_to(a, bare_x, bare_y, y);
    for (size_t k = 0; k < 2 && same; k++) {
        rk_ex left = u->value, right = v->value;

        for (size_t i = 0; i < u->n_open && left != RK_EX_FAILED && right != RK_EX_FAILED; i++) {
            rk_ex value = rk_ex_int(a->pool, values[k][i % 4] + (int)(i / 4) * 30);

            left = rk_ex_subst(a->pool, left, u->open[i], value);
            right = rk_ex_subst(a->pool, right, u->open[i], value);
        }
        same = left != RK_EX_FAILED && (left == right || agree_loosely(a, left, right, x->loose + y->loose));
    }
    return same;
}

/* One term is a plain number of times the other. */
static bool is_multiple(const rk_audit *a, const rk_side *x, const rk_side *y)
{
    rk_ex ratio = rk_ex_term_count(a->pool, x->value) == 1 && rk_ex_term_count(a->pool, y->value) == 1
                      ? rk_ex_div(a->pool, y->value, x->value)
                      : RK_EX_FAILED;

    return ratio != RK_EX_FAILED && is_number(a->pool, ratio);
}

/* A formula of letters that the text gives no value, and a figure of three digits: it is that of the text's sizes. */
static bool agree_by_roles(rk_audit *a, const rk_side *x, const rk_side *y, const rk_expanded *u, const rk_expanded *v,
                           rk_verdict *out)
{
    const double three_digits = 100;
    rk_ex left = y->literal.is && x->computed ? rk_judge_by_roles(a, u->value, u->open, u->n_open) : RK_EX_FAILED;
    double size;

    if (left == RK_EX_FAILED || !is_number(a->pool, left) || !rk_side_double(a->pool, y->value, &size) ||
        size < three_digits * y->literal.coarse)
        return false;
    *out = judge_numbers(a, x, left, y, v->value);
    out->note = "with the sizes of the text for letters that it gives no value";
    return out->is == RK_CLAIM_RIGHT;
}

/* Symbols are left: as formulas, the sides are the same, or not comparable, or different. */
static rk_verdict judge_formulas(rk_audit *a, const rk_side *x, const rk_side *y, const rk_expanded *u,
                                 const rk_expanded *v)
{
    rk_verdict out;

    if (u->value == v->value)
        return verdict(RK_CLAIM_RIGHT, u->value, v->value);
    /* "2 × s × 2048 = 4.1e6 × s": whatever s is. */
    if (x->n_symbol > 0 && y->n_symbol > 0 && x->digits && y->digits && !y->about && is_multiple(a, x, y))
        return verdict(agree_as_formulas(a, x, y, u, v) ? RK_CLAIM_RIGHT : RK_CLAIM_WRONG, x->value, y->value);
    if ((u->many || v->many) && agree_with_one(a, x, y, u, v, &out))
        return out;
    if (drops_factor(a, x, y, &out) &&
        (out.is == RK_CLAIM_RIGHT || (is_trailing(a, x->n_symbol ? x : y) && !u->many && !v->many)))
        return out;
    if (same_symbols(a->pool, u, v) && !u->many && !v->many && !y->about) {
        out = verdict(agree_as_formulas(a, x, y, u, v) ? RK_CLAIM_RIGHT : RK_CLAIM_WRONG, u->value, v->value);
        out.apart = u->apart || v->apart;
        return out;
    }
    if (!u->many && !v->many && agree_by_roles(a, x, y, u, v, &out))
        return out;
    return unknown(no_value(a, u, v));
}

/*
 * "2 × 1,024 × 1,600 × 50,257 = 31k", with a k that the text gives a value: so many of it, rounded to its last digit.
 * How far off that may make it, of its size.
 */
static double coefficient_rounding(const rk_audit *a, const rk_side *x, const rk_side *y)
{
    enum {
        DIGITS_LEAST = 10
    };
    const rk_audit_token *t = &a->lexed.token.at[y->from];
    const rk_written *w = t->kind == RK_TOKEN_NUMBER ? &a->lexed.number.at[t->id] : NULL;

    return x->n_symbol == 0 && x->computed && y->n_symbol == 1 && y->to == y->from + 2 && w && !w->wide &&
                   w->digits >= DIGITS_LEAST
               ? 0.5 / (double)w->digits
               : 0;
}

/*
 * "n_token × d_model = 131.07 M" where d_model is 4,096 in one section and 8,192 in another, and this one gives none:
 * with the values that its letters have where one of them gets another value, the sides agree.
 */
static bool agree_elsewhere(rk_audit *a, const rk_side *x, const rk_side *y, rk_verdict *out)
{
    enum {
        PLACES_MAX = 6
    };
    const rk_definitions *d = &a->definitions;
    const rk_side *const both[] = {x, y};
    size_t places = 0;

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < both[k]->n_symbol; i++) {
            if (!rk_define_varies(d, both[k]->symbol[i]))
                continue;
            for (const rk_definition *at = rk_define_of(d, RK_DEFINE_NUMBER, both[k]->symbol[i]); at; at = at->next) {
                rk_expanded u, v;

                if (++places > PLACES_MAX || a->values_tried++ > VALUES_TRIED_MAX)
                    return false;
                rk_define_expand_at(d, x, at->piece->scope, at->at + 1, true, &u);
                rk_define_expand_at(d, y, at->piece->scope, at->at + 1, true, &v);
                if (u.value == RK_EX_FAILED || v.value == RK_EX_FAILED || !is_number(a->pool, u.value) ||
                    !is_number(a->pool, v.value))
                    continue;
                *out = judge_numbers(a, x, u.value, y, v.value);
                out->note = rk_arena_format(&a->arena, "with the values of line %zu", rk_scan_line(&a->scan, at->at));
                if (out->is == RK_CLAIM_RIGHT)
                    return true;
            }
        }
    return false;
}

rk_verdict rk_judge_sides(rk_audit *a, const rk_side *x, const rk_side *y, uint32_t scope)
{
    rk_expanded u, v;
    rk_verdict dropped, out;

    if (x->value == RK_EX_FAILED || y->value == RK_EX_FAILED)
        return unknown(trouble_text[x->value == RK_EX_FAILED ? x->trouble : y->trouble]);
    if (x->value == y->value)
        return verdict(RK_CLAIM_RIGHT, x->value, y->value);
    rk_define_expand(&a->definitions, x, scope, false, &u);
    rk_define_expand(&a->definitions, y, scope, false, &v);
    if (u.value != RK_EX_FAILED && u.value == v.value)
        return verdict(RK_CLAIM_RIGHT, u.value, v.value);
    rk_define_expand(&a->definitions, x, scope, true, &u);
    rk_define_expand(&a->definitions, y, scope, true, &v);
    if (u.value == RK_EX_FAILED || v.value == RK_EX_FAILED)
        return unknown(trouble_text[RK_TROUBLE_LARGE]);
    if (!is_number(a->pool, u.value) || !is_number(a->pool, v.value))
        return judge_formulas(a, x, y, &u, &v);
    u.loose += x->loose;
    v.loose += fmax(y->loose, coefficient_rounding(a, x, y));
    if (u.loose + v.loose > 0) {
        rk_side left = *x, right = *y;
        double size;

        left.slack += rk_side_double(a->pool, u.value, &size) ? fabs(size) * u.loose : 0;
        right.slack += rk_side_double(a->pool, v.value, &size) ? fabs(size) * v.loose : 0;
        out = judge_numbers(a, &left, u.value, &right, v.value);
    } else {
        out = judge_numbers(a, x, u.value, y, v.value);
    }
    out.rough = u.rough || v.rough;
    out.apart = u.apart || v.apart;
    out.far = u.far || v.far;
    out.foreign = u.foreign || v.foreign;
    if (out.is == RK_CLAIM_WRONG && drops_factor(a, x, y, &dropped) && dropped.is == RK_CLAIM_RIGHT)
        return dropped;
    return out.is == RK_CLAIM_WRONG && out.far && agree_elsewhere(a, x, y, &dropped) ? dropped : out;
}

/* ---- why -------------------------------------------------------------------------------------------------------- */

static const char *explain_factor(rk_audit *a, rk_ex stated, rk_ex found)
{
    enum {
        FACTOR_MAX = 100000 /* a larger ratio that happens to be whole explains nothing */
    };
    rk_ex ratio = found == rk_ex_int(a->pool, 0) ? RK_EX_FAILED : rk_ex_div(a->pool, stated, found);
    char factor[RK_NUM_TEXT_MAX];
    rk_i128 num, den;

    if (ratio == RK_EX_FAILED || !rk_ex_is_quotient(a->pool, ratio, &num, &den))
        return NULL;
    if (den == 1 && num == 2)
        return "what is stated is exactly twice that";
    if (num == 1 && den == 2)
        return "what is stated is exactly half of that";
    if (den == 1 && num > 1 && num <= FACTOR_MAX)
        return rk_arena_format(&a->arena, "what is stated is exactly %s times that", rk_num_grouped(factor, num));
    if (num == 1 && den > 1 && den <= FACTOR_MAX)
        return rk_arena_format(&a->arena, "what is stated is that divided by exactly %s", rk_num_grouped(factor, den));
    return NULL;
}

size_t rk_judge_swapped(rk_i128 a, rk_i128 b)
{
    enum {
        DIGITS_LEAST = 4
    };
    char x[RK_NUM_TEXT_MAX], y[RK_NUM_TEXT_MAX];
    size_t i = 0, k = 0, n = 0; /* the first and the last place where they differ, and how many there are */

    rk_num_text(x, a);
    rk_num_text(y, b);
    if (strlen(x) != strlen(y) || strlen(x) < DIGITS_LEAST)
        return 0;
    for (size_t at = 0; x[at]; at++)
        if (x[at] != y[at]) {
            i = n++ ? i : at;
            k = at;
        }
    return n == 2 && x[i] == y[k] && x[k] == y[i] ? k - i : 0;
}

bool rk_judge_misspelt(rk_i128 a, rk_i128 b)
{
    enum {
        DIGITS_LEAST = 3
    };
    char x[RK_NUM_TEXT_MAX], y[RK_NUM_TEXT_MAX];
    int seen[256] = {0};
    size_t other = 0;
    bool same = true;

    rk_num_text(x, a);
    rk_num_text(y, b);
    if (strlen(x) != strlen(y) || strlen(x) < DIGITS_LEAST)
        return false;
    for (size_t i = 0; x[i]; i++) {
        other += x[i] != y[i];
        seen[(unsigned char)x[i]]++;
        seen[(unsigned char)y[i]]--;
    }
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        same &= seen[i] == 0;
    return same || other == 1;
}

/* What is missing or too much, in terms: "2BTd is missing". */
static const char *explain_terms(rk_audit *a, rk_ex stated, rk_ex found)
{
    rk_ex less = rk_ex_sub(a->pool, found, stated), missing, surplus;
    rk_str s = {0};

    if (less == RK_EX_FAILED || is_number(a->pool, less) || rk_ex_term_count(a->pool, less) > 2)
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
    rk_i128 u, v;

    if (!why && rk_ex_is_int(a->pool, stated, &u) && rk_ex_is_int(a->pool, found, &v) && rk_judge_swapped(u, v))
        why = "two of its digits have changed places";
    return why ? why : explain_terms(a, stated, found);
}
