/* SPDX-License-Identifier: MIT */
/*
 * expr/print.c - expressions as text and as LaTeX.
 *
 * Terms are laid out in an arena, in the order in which they are read, and written from there: symbols and functions,
 * products with their dots and fractions, sums.  The factored form moves common factors about in what was laid out, so
 * that printing never changes the pool.
 */
#include "expr/pool.h"

#include <stdlib.h>
#include <string.h>

typedef struct factor {
    uint32_t atom;
    int32_t power;
    int64_t in_term;  /* place inside a term: rank, then declaration; functions last */
    int64_t in_order; /* weight when terms are ordered: the model's symbols before the run's; functions last */
} factor;

typedef struct term {
    rk_ratio coef;
    factor *f;
    size_t n;
} term;

typedef struct sum {
    term *t;
    size_t n;
} sum;

typedef struct printer {
    const rk_pool *pool;
    bool latex;
    const rk_binding *at; /* numbers to write in place of symbols, or NULL */
    rk_arena *arena;
    rk_str *out;
} printer;

static void put_ex(printer *pr, rk_ex e);
static void put_quotient(printer *pr, const sum *s);

/* ---- laying out ------------------------------------------------------------------------------------------------ */

static factor lay_factor(const rk_pool *p, rk_factor f)
{
    rk_atom a = rk_atom_at(p, f.atom);
    const int64_t step = (int64_t)1 << 32;
    factor out = {.atom = f.atom, .power = f.power};

    if (a.kind == RK_ATOM_SYM) {
        out.in_term = (int64_t)p->sym.at[a.a].rank * step / 2 + p->sym.at[a.a].order;
        out.in_order = -(int64_t)p->sym.at[a.a].rank * step / 2 + p->sym.at[a.a].order;
    } else {
        out.in_term = out.in_order = INT64_MAX / 2 + f.atom;
    }
    return out;
}

static int by_place(const void *a, const void *b)
{
    const factor *x = a, *y = b;

    return (x->in_term > y->in_term) - (x->in_term < y->in_term);
}

static int32_t power_of(const term *t, uint32_t atom)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->f[i].atom == atom)
            return t->f[i].power;
    return 0;
}

/* The first atom in the order of terms that has different powers in x and y, among those of x. */
static const factor *first_difference(const term *x, const term *y)
{
    const factor *first = NULL;

    for (size_t i = 0; i < x->n; i++)
        if (power_of(y, x->f[i].atom) != x->f[i].power && (!first || x->f[i].in_order < first->in_order))
            first = &x->f[i];
    return first;
}

static int lexicographic(const term *x, const term *y)
{
    const factor *a = first_difference(x, y), *b = first_difference(y, x);
    const factor *first = !a || (b && b->in_order < a->in_order) ? b : a;

    if (!first)
        return 0;
    return power_of(x, first->atom) > power_of(y, first->atom) ? -1 : 1;
}

/* The factor with the largest power; of equal ones, the first in the order of terms.  NULL: a plain number. */
static const factor *bearer(const term *t, int64_t *degree)
{
    const factor *most = NULL;

    *degree = 0;
    for (size_t i = 0; i < t->n; i++) {
        const factor *f = &t->f[i];

        *degree += f->power;
        if (!most || f->power > most->power || (f->power == most->power && f->in_order < most->in_order))
            most = f;
    }
    return most;
}

/* Largest power first, then who bears it, then the degree: 8BSD² + 4BS²D + 6BSDF. */
static int by_weight(const void *a, const void *b)
{
    const term *x = a, *y = b;
    int64_t dx, dy;
    const factor *f = bearer(x, &dx), *g = bearer(y, &dy);
    int32_t px = f ? f->power : 0, py = g ? g->power : 0;

    if (px != py)
        return px > py ? -1 : 1;
    if (!f || !g)
        return f ? -1 : g ? 1 : 0;
    if (f->in_order != g->in_order)
        return f->in_order < g->in_order ? -1 : 1;
    if (dx != dy)
        return dx > dy ? -1 : 1;
    return lexicographic(x, y);
}

static sum lay(printer *pr, rk_ex e)
{
    sum s = {0};
    const rk_term *t = rk_terms(pr->pool, e, &s.n);

    s.t = RK_NEW_ARRAY(pr->arena, s.n, term);
    if (!s.t)
        return (sum){0};
    for (size_t i = 0; i < s.n; i++) {
        term *out = &s.t[i];
        const rk_factor *f = rk_factors(pr->pool, t[i].product, &out->n);

        out->coef = rk_coef_at(pr->pool, t[i].coef);
        out->f = RK_NEW_ARRAY(pr->arena, out->n, factor);
        if (!out->f)
            return (sum){0};
        for (size_t k = 0; k < out->n; k++)
            out->f[k] = lay_factor(pr->pool, f[k]);
        qsort(out->f, out->n, sizeof *out->f, by_place);
    }
    qsort(s.t, s.n, sizeof *s.t, by_weight);
    return s;
}

/* ---- names and powers ------------------------------------------------------------------------------------------ */

static size_t skip_letter(const char *name)
{
    size_t n = 1;

    while (((unsigned char)name[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* One letter, perhaps with digits or primes after it. */
static bool is_short_name(const char *name)
{
    const char *at = name + skip_letter(name);

    while (*at) {
        if ((*at >= '0' && *at <= '9') || *at == '\'')
            at++;
        else if (strncmp(at, "′", strlen("′")) == 0)
            at += strlen("′");
        else
            return false;
    }
    return true;
}

/* D, D', B_{2}, \mathrm{Dv} */
static void put_latex_name(rk_str *out, const char *name)
{
    size_t letter = skip_letter(name), digits = strspn(name + letter, "0123456789");

    if (is_short_name(name)) {
        rk_str_putn(out, name, letter);
        if (digits)
            rk_str_format(out, "_{%.*s}", (int)digits, name + letter);
        rk_str_put(out, name + letter + digits);
        return;
    }
    rk_str_put(out, "\\mathrm{");
    for (; *name; name++) {
        if (strchr("#$%&_{}", *name))
            rk_str_putc(out, '\\');
        rk_str_putc(out, *name);
    }
    rk_str_putc(out, '}');
}

/* Its name, or its number: 1,024, in LaTeX as 1{,}024, as a comma in mathematics would be followed by a space. */
static void put_symbol(printer *pr, rk_sym s)
{
    const char *name = pr->pool->sym.at[s].name;
    char digits[RK_NUM_TEXT_MAX];
    bool negative;

    if (!pr->at || s >= pr->at->n || !pr->at->known[s]) {
        if (pr->latex)
            put_latex_name(pr->out, name);
        else
            rk_str_put(pr->out, name);
        return;
    }
    negative = pr->at->value[s] < 0;
    rk_str_put(pr->out, negative ? "(" : "");
    for (const char *c = rk_num_grouped(digits, pr->at->value[s]); *c; c++)
        rk_str_put(pr->out, *c == ',' && pr->latex ? "{,}" : (char[]){*c, '\0'});
    rk_str_put(pr->out, negative ? ")" : "");
}

static void put_power(printer *pr, int32_t power)
{
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

    if (power == 1)
        return;
    if (pr->latex) {
        rk_str_format(pr->out, "^{%d}", (int)power);
        return;
    }
    if (power >= 10)
        rk_str_put(pr->out, digit[power / 10 % 10]);
    rk_str_put(pr->out, digit[power % 10]);
}

/* ---- functions ------------------------------------------------------------------------------------------------- */

static void open_bracket(printer *pr)
{
    rk_str_put(pr->out, pr->latex ? "\\left(" : "(");
}

static void close_bracket(printer *pr)
{
    rk_str_put(pr->out, pr->latex ? "\\right)" : ")");
}

static void put_operand(printer *pr, rk_ex e, bool bare)
{
    if (!bare)
        open_bracket(pr);
    put_ex(pr, e);
    if (!bare)
        close_bracket(pr);
}

/* Its left operand needs no brackets where it is a single positive term, its right one where a number or a symbol. */
static void put_mod(printer *pr, rk_atom a)
{
    size_t n;
    const rk_term *t = rk_terms(pr->pool, a.a, &n);
    rk_i128 value;
    rk_sym s;

    open_bracket(pr);
    put_operand(pr, a.a, n == 0 || (n == 1 && rk_coef_at(pr->pool, t->coef).num > 0));
    rk_str_put(pr->out, pr->latex ? " \\bmod " : " mod ");
    put_operand(pr, a.b, rk_ex_is_sym(pr->pool, a.b, &s) || (rk_ex_is_int(pr->pool, a.b, &value) && value >= 0));
    close_bracket(pr);
}

/* Symbols first, in the order in which a term has them; the rest as they were built. */
static bool reads_before(const rk_pool *p, rk_ex a, rk_ex b)
{
    rk_sym s, t;
    bool x = rk_ex_is_sym(p, a, &s), y = rk_ex_is_sym(p, b, &t);

    if (!x || !y)
        return x != y ? x : a < b;
    if (p->sym.at[s].rank != p->sym.at[t].rank)
        return p->sym.at[s].rank < p->sym.at[t].rank;
    return p->sym.at[s].order < p->sym.at[t].order;
}

/* min(a, min(b, c)) is read as min(a, b, c). */
static void put_extreme(printer *pr, rk_atom a)
{
    const rk_pool *p = pr->pool;
    rk_ex list[RK_EX_DEPTH_MAX + 1];
    rk_atom inner;
    size_t n = 0;

    list[n++] = a.a;
    for (; rk_ex_is_atom(p, a.b, a.kind, &inner) && n < RK_EX_DEPTH_MAX; a = inner)
        list[n++] = inner.a;
    list[n++] = a.b;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && reads_before(p, list[j], list[j - 1]); j--) {
            rk_ex swap = list[j];

            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
    rk_str_put(pr->out, pr->latex ? "\\" : "");
    rk_str_put(pr->out, a.kind == RK_ATOM_MIN ? "min(" : "max(");
    for (size_t i = 0; i < n; i++) {
        rk_str_put(pr->out, i ? ", " : "");
        put_ex(pr, list[i]);
    }
    rk_str_putc(pr->out, ')');
}

static void put_rounded(printer *pr, rk_atom a)
{
    static const char *const mark[2][2][2] = {
        {{"⌊", "⌋"}, {"\\left\\lfloor", "\\right\\rfloor"}},
        {{"⌈", "⌉"}, {"\\left\\lceil", "\\right\\rceil"}},
    };
    const char *const *m = mark[a.kind == RK_ATOM_CEIL][pr->latex];
    sum s = lay(pr, a.a);
    rk_str inside = {0}, *out = pr->out;

    pr->out = &inside;
    put_quotient(pr, &s);
    pr->out = out;
    rk_str_put(out, m[0]);
    /* A letter would become part of the command's name. */
    if (pr->latex && rk_str_text(&inside)[0] != '\\')
        rk_str_putc(out, ' ');
    rk_str_put(out, rk_str_text(&inside));
    rk_str_put(out, m[1]);
    out->failed |= inside.failed;
    rk_str_free(&inside);
}

static void put_atom(printer *pr, uint32_t atom)
{
    rk_atom a = rk_atom_at(pr->pool, atom);

    if (a.kind == RK_ATOM_SYM)
        put_symbol(pr, a.a);
    else if (a.kind == RK_ATOM_QUOT)
        put_operand(pr, a.a, false); /* as a divisor */
    else if (a.kind == RK_ATOM_MOD)
        put_mod(pr, a);
    else if (a.kind == RK_ATOM_MIN || a.kind == RK_ATOM_MAX)
        put_extreme(pr, a);
    else
        put_rounded(pr, a);
}

/* ---- terms ----------------------------------------------------------------------------------------------------- */

/* What of a term is written together: its numerator, its denominator, or one divisor. */
typedef enum side {
    ABOVE,
    BELOW,
    DIVISOR
} side;

static side side_of(const printer *pr, const factor *f)
{
    if (rk_atom_at(pr->pool, f->atom).kind == RK_ATOM_QUOT)
        return pr->latex ? BELOW : DIVISOR;
    return f->power > 0 ? ABOVE : BELOW;
}

static size_t count_on(const printer *pr, const term *t, side where)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += side_of(pr, &t->f[i]) == where;
    return n;
}

/* The name of a symbol; NULL: a function. */
static const char *name_of(const printer *pr, const factor *f)
{
    rk_atom a = rk_atom_at(pr->pool, f->atom);

    return a.kind == RK_ATOM_SYM ? pr->pool->sym.at[a.a].name : NULL;
}

/* Whether names written without dots would be read back as others: B and S beside a symbol called BS. */
static bool is_misread(const printer *pr, const term *t, side where, size_t from)
{
    rk_str run = {0};
    size_t len, own = strlen(name_of(pr, &t->f[from]));

    for (size_t i = from; i < t->n; i++) {
        if (side_of(pr, &t->f[i]) != where)
            continue;
        if (!name_of(pr, &t->f[i]))
            break;
        rk_str_put(&run, name_of(pr, &t->f[i]));
        if (t->f[i].power != 1 && t->f[i].power != -1)
            break; /* the power ends every name */
    }
    rk_sym_prefix(pr->pool, rk_str_text(&run), run.n, &len);
    pr->out->failed |= run.failed;
    rk_str_free(&run);
    return len != own;
}

static bool needs_dots(const printer *pr, const term *t, side where)
{
    if (pr->at)
        return true;
    for (size_t i = 0; i < t->n; i++) {
        const char *name = side_of(pr, &t->f[i]) == where ? name_of(pr, &t->f[i]) : NULL;

        if (name && (!is_short_name(name) || (!pr->latex && is_misread(pr, t, where, i))))
            return true;
    }
    return false;
}

static bool term_needs_dots(const printer *pr, const term *t)
{
    return needs_dots(pr, t, ABOVE) || needs_dots(pr, t, BELOW);
}

static void put_dot(printer *pr)
{
    rk_str_put(pr->out, !pr->latex ? "·" : pr->at ? " \\cdot " : "\\,");
}

/* One side of a term with its share of the coefficient. */
static void put_side(printer *pr, const term *t, side where, rk_i128 coef, bool dots)
{
    bool first = coef == 1 && count_on(pr, t, where) > 0;
    const factor *left = NULL; /* the coefficient */

    if (!first)
        rk_str_num(pr->out, coef);
    for (size_t i = 0; i < t->n; i++) {
        const factor *f = &t->f[i];
        bool functions = (left && !name_of(pr, left)) || !name_of(pr, f);

        if (side_of(pr, f) != where)
            continue;
        if (!first && (dots || (functions && (left || !pr->latex))))
            put_dot(pr);
        put_atom(pr, f->atom);
        put_power(pr, f->power < 0 ? -f->power : f->power);
        left = f;
        first = false;
    }
}

static bool has_below(const printer *pr, const term *t)
{
    return t->coef.den != 1 || count_on(pr, t, BELOW) > 0;
}

/*
 * "/2", "/(2N)", "/N/(D + 2)" after whatever stands above; in LaTeX the denominator of a fraction, where a lone
 * quotient, which alone has the power 1 there, needs no brackets.
 */
static void put_below(printer *pr, const term *t, bool dots)
{
    size_t n = count_on(pr, t, BELOW) + (t->coef.den != 1), i = 0;

    if (pr->latex) {
        while (i < t->n && side_of(pr, &t->f[i]) != BELOW)
            i++;
        rk_str_putc(pr->out, '{');
        if (n == 1 && i < t->n && t->f[i].power == 1)
            put_ex(pr, rk_atom_at(pr->pool, t->f[i].atom).a);
        else
            put_side(pr, t, BELOW, t->coef.den, dots);
        rk_str_putc(pr->out, '}');
        return;
    }
    if (n > 0) {
        rk_str_put(pr->out, n > 1 ? "/(" : "/");
        put_side(pr, t, BELOW, t->coef.den, dots);
        rk_str_put(pr->out, n > 1 ? ")" : "");
    }
    for (; i < t->n; i++)
        for (int32_t k = 0; side_of(pr, &t->f[i]) == DIVISOR && k < t->f[i].power; k++) {
            rk_str_putc(pr->out, '/');
            put_atom(pr, t->f[i].atom);
        }
}

static rk_i128 absolute(rk_i128 n)
{
    return n < 0 && n != RK_I128_MIN ? -n : n;
}

/* A term without its sign. */
static void put_term(printer *pr, const term *t)
{
    bool dots = term_needs_dots(pr, t), fraction = pr->latex && has_below(pr, t);

    rk_str_put(pr->out, fraction ? "\\frac{" : "");
    put_side(pr, t, ABOVE, absolute(t->coef.num), dots);
    rk_str_put(pr->out, fraction ? "}" : "");
    if (fraction || !pr->latex)
        put_below(pr, t, dots);
}

/* ---- sums ------------------------------------------------------------------------------------------------------ */

static void put_sign(printer *pr, bool negative, bool first)
{
    if (first)
        rk_str_put(pr->out, negative ? "-" : "");
    else
        rk_str_put(pr->out, negative ? " - " : " + ");
}

/* `first`: nothing stands before it. */
static void put_sum(printer *pr, const sum *s, bool first)
{
    if (s->n == 0 && first)
        rk_str_putc(pr->out, '0');
    for (size_t i = 0; i < s->n; i++) {
        put_sign(pr, s->t[i].coef.num < 0, first && i == 0);
        put_term(pr, &s->t[i]);
    }
}

static void put_ex(printer *pr, rk_ex e)
{
    sum s = lay(pr, e);

    put_sum(pr, &s, true);
}

/* ---- common factors -------------------------------------------------------------------------------------------- */

/* The common product of terms so far and of t: the least powers, where an absent atom has power 0. */
static void keep_least(term *common, const term *t)
{
    size_t n = 0;

    for (size_t i = 0; i < common->n; i++) {
        factor f = common->f[i];
        int32_t power = power_of(t, f.atom);

        f.power = power < f.power ? power : f.power;
        if (f.power != 0)
            common->f[n++] = f;
    }
    common->n = n;
    for (size_t i = 0; i < t->n; i++)
        if (t->f[i].power < 0 && power_of(common, t->f[i].atom) == 0)
            common->f[common->n++] = t->f[i];
}

static rk_ratio common_coef(const sum *s)
{
    rk_ratio g = {.num = 0, .den = 1};
    rk_acc acc = {0};
    bool negative = true;

    for (size_t i = 0; i < s->n; i++) {
        g = rk_ratio_gcd(&acc, g, s->t[i].coef);
        negative = negative && s->t[i].coef.num < 0;
    }
    if (acc.overflow)
        return rk_ratio_int(1);
    g.num = negative ? -g.num : g.num;
    return g;
}

/* What would leave a power over the limit inside the bracket stays where it is: the text must be readable again. */
static void drop_too_high(term *common, const sum *s)
{
    size_t n = 0;

    for (size_t i = 0; i < common->n; i++) {
        bool fits = true;

        for (size_t k = 0; k < s->n && fits; k++)
            fits = power_of(&s->t[k], common->f[i].atom) - common->f[i].power <= RK_EX_POWER_MAX;
        if (fits)
            common->f[n++] = common->f[i];
    }
    common->n = n;
}

/* The greatest common product of all terms, with the rational gcd of their coefficients. */
static bool find_common(printer *pr, const sum *s, term *common)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->t[i].n;
    *common = (term){.coef = common_coef(s), .f = RK_NEW_ARRAY(pr->arena, n, factor)};
    if (!common->f)
        return false;
    for (size_t i = 0; i < s->t[0].n; i++)
        common->f[common->n++] = s->t[0].f[i];
    for (size_t i = 1; i < s->n; i++)
        keep_least(common, &s->t[i]);
    drop_too_high(common, s);
    qsort(common->f, common->n, sizeof *common->f, by_place);
    return true;
}

static bool divide_term(printer *pr, const term *t, const term *by, term *out)
{
    rk_acc acc = {0};

    *out = (term){.f = RK_NEW_ARRAY(pr->arena, t->n + by->n, factor)};
    if (!out->f)
        return false;
    out->coef = rk_ratio_mul(&acc, t->coef, rk_ratio_inverse(&acc, by->coef));
    for (size_t i = 0; i < t->n; i++) {
        out->f[out->n] = t->f[i];
        out->f[out->n].power -= power_of(by, t->f[i].atom);
        out->n += out->f[out->n].power != 0;
    }
    for (size_t i = 0; i < by->n; i++)
        if (power_of(t, by->f[i].atom) == 0) {
            out->f[out->n] = by->f[i];
            out->f[out->n++].power = -by->f[i].power;
        }
    qsort(out->f, out->n, sizeof *out->f, by_place);
    return !acc.overflow;
}

/* The terms in the order they had; none on failure. */
static sum divide(printer *pr, const sum *s, const term *by)
{
    sum out = {.t = RK_NEW_ARRAY(pr->arena, s->n, term)};

    for (; out.t && out.n < s->n; out.n++)
        if (!divide_term(pr, &s->t[out.n], by, &out.t[out.n]))
            return (sum){0};
    return out;
}

/* (S + 63)/64 rather than S/64 + 63/64: what functions are given is read as one quotient. */
static void put_quotient(printer *pr, const sum *s)
{
    term common;
    sum above = {0};
    size_t n = 0;

    if (s->n > 1 && find_common(pr, s, &common)) {
        common.coef.num = 1;
        for (size_t i = 0; i < common.n; i++)
            if (common.f[i].power < 0)
                common.f[n++] = common.f[i];
        common.n = n;
        if (n > 0 || common.coef.den != 1)
            above = divide(pr, s, &common);
    }
    if (above.n == 0) {
        put_sum(pr, s, true);
        return;
    }
    rk_str_put(pr->out, pr->latex ? "\\frac{" : "(");
    put_sum(pr, &above, true);
    rk_str_putc(pr->out, pr->latex ? '}' : ')');
    put_below(pr, &common, needs_dots(pr, &common, BELOW));
}

/* ---- the factored form ----------------------------------------------------------------------------------------- */

enum {
    GROUPED_MAX = 64
}; /* terms; longer sums gain nothing from brackets and would take long to try */

static void put_factored(printer *pr, const sum *s, bool first);

/* The symbol that occurs in most terms, but not in all; RK_NONE when none occurs twice. */
static uint32_t most_shared(const printer *pr, const sum *s)
{
    uint32_t best = RK_NONE;
    size_t most = 1;

    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->t[i].n; j++) {
            const factor *f = &s->t[i].f[j];
            size_t n = 0;

            for (size_t k = 0; k < s->n; k++)
                n += power_of(&s->t[k], f->atom) > 0;
            if (name_of(pr, f) && n > most && n < s->n) {
                best = f->atom;
                most = n;
            }
        }
    return best;
}

static sum select_terms(printer *pr, const sum *s, uint32_t atom, bool with)
{
    sum out = {.t = RK_NEW_ARRAY(pr->arena, s->n, term)};

    for (size_t i = 0; out.t && i < s->n; i++)
        if ((power_of(&s->t[i], atom) > 0) == with)
            out.t[out.n++] = s->t[i];
    return out;
}

/* A sum without common factors: grouped when that is shorter to read. */
static void put_grouped(printer *pr, const sum *s, bool first)
{
    uint32_t atom = s->n > 2 && s->n <= GROUPED_MAX ? most_shared(pr, s) : RK_NONE;
    rk_str plain = {0}, split = {0}, *out = pr->out;
    sum with, without;

    if (atom == RK_NONE) {
        put_sum(pr, s, first);
        return;
    }
    pr->out = &plain;
    put_sum(pr, s, first);
    /* Terms that share a symbol before the others, or after them when the first term is not among them. */
    pr->out = &split;
    with = select_terms(pr, s, atom, true);
    without = select_terms(pr, s, atom, false);
    if (power_of(&s->t[0], atom) > 0) {
        put_factored(pr, &with, first);
        put_grouped(pr, &without, false);
    } else {
        put_grouped(pr, &without, first);
        put_factored(pr, &with, false);
    }
    pr->out = out;
    rk_str_put(out, rk_text_width(rk_str_text(&split)) < rk_text_width(rk_str_text(&plain)) ? rk_str_text(&split)
                                                                                            : rk_str_text(&plain));
    out->failed |= plain.failed | split.failed;
    rk_str_free(&plain);
    rk_str_free(&split);
}

/* The common product before the bracket, with the dot that it may need. */
static void put_prefix(printer *pr, const term *common, bool dots)
{
    static const char *const function[] = {"min", "max", "floor", "ceil"};
    bool dotted = dots && count_on(pr, common, ABOVE) > 0;

    put_side(pr, common, ABOVE, absolute(common->coef.num), dots);
    for (size_t i = 0; i < common->n; i++)
        dotted = dotted || (side_of(pr, &common->f[i]) == ABOVE && !name_of(pr, &common->f[i]));
    /* m·i·n before a bracket would be read as the function. */
    for (size_t i = 0; i < sizeof function / sizeof *function; i++)
        dotted = dotted || (!pr->latex && rk_ends_in(rk_str_text(pr->out), function[i]));
    if (dotted)
        put_dot(pr);
}

/* Whether a is so many times b, term for term in any order. */
static bool is_multiple(const sum *a, const sum *b, rk_ratio times)
{
    for (size_t i = 0; i < b->n; i++) {
        rk_acc acc = {0};
        rk_ratio want = rk_ratio_mul(&acc, b->t[i].coef, times);
        bool found = false;

        for (size_t k = 0; k < a->n && !found; k++)
            found = !acc.overflow && a->t[k].coef.num == want.num && a->t[k].coef.den == want.den &&
                    lexicographic(&a->t[k], &b->t[i]) == 0;
        if (!found)
            return false;
    }
    return a->n == b->n;
}

/* For a symbol x that half of the terms have: whether the sum is (x + k)·rest, with a number k; not x + k itself. */
static bool split_by(printer *pr, const sum *s, factor x, sum *one, sum *rest)
{
    term by = {.coef = rk_ratio_int(1), .f = &x, .n = 1};
    sum with = select_terms(pr, s, x.atom, true), without = select_terms(pr, s, x.atom, false);
    rk_acc acc = {0};
    rk_ratio k;

    with = divide(pr, &with, &by);
    if (with.n < 2 || with.n != without.n)
        return false;
    for (size_t i = 0; i < without.n; i++) {
        k = rk_ratio_mul(&acc, without.t[i].coef, rk_ratio_inverse(&acc, with.t[0].coef));
        if (acc.overflow || !is_multiple(&without, &with, k))
            continue;
        *one = (sum){.t = RK_NEW_ARRAY(pr->arena, 2, term), .n = 2};
        *rest = divide(pr, &with, &(term){.coef = rk_ratio_int(k.den)});
        if (!one->t || rest->n == 0)
            return false;
        one->t[0] = (term){.coef = rk_ratio_int(k.den), .f = RK_NEW_ARRAY(pr->arena, 1, factor), .n = 1};
        one->t[1] = (term){.coef = rk_ratio_int(k.num)};
        if (one->t[0].f)
            one->t[0].f[0] = x;
        return one->t[0].f != NULL;
    }
    return false;
}

/* 2L·tp - 2L + tp - 1 is (2L + 1)(tp - 1). */
static bool split_product(printer *pr, const sum *s, sum *one, sum *rest)
{
    for (size_t i = 0; s->n >= 4 && s->n <= GROUPED_MAX && i < s->t[0].n; i++) {
        const factor *f = &s->t[0].f[i];

        if (f->power == 1 && name_of(pr, f) && split_by(pr, s, *f, one, rest))
            return true;
    }
    return false;
}

/* What stands in brackets after a common product: one pair, or several where the sum is a product of sums. */
static void put_bracketed(printer *pr, sum inside, bool bare)
{
    sum one, rest;

    while (split_product(pr, &inside, &one, &rest)) {
        open_bracket(pr);
        put_sum(pr, &one, true);
        close_bracket(pr);
        inside = rest;
        bare = false;
    }
    if (!bare)
        open_bracket(pr);
    put_grouped(pr, &inside, true);
    if (!bare)
        close_bracket(pr);
}

/* A LaTeX fraction holds its numerator together: it needs no brackets of its own. */
static void put_product(printer *pr, const term *common, const sum *inside)
{
    bool dots = term_needs_dots(pr, common), fraction = pr->latex && has_below(pr, common);
    bool prefix = absolute(common->coef.num) != 1 || count_on(pr, common, ABOVE) > 0;

    rk_str_put(pr->out, fraction ? "\\frac{" : "");
    if (prefix)
        put_prefix(pr, common, dots);
    put_bracketed(pr, *inside, fraction && !prefix);
    rk_str_put(pr->out, fraction ? "}" : "");
    if (fraction || !pr->latex)
        put_below(pr, common, dots);
}

/* 2BSD(4D + 2S + 3F) */
static void put_factored(printer *pr, const sum *s, bool first)
{
    term common;
    sum inside = {0}, one, rest;

    if (s->n > 1 && find_common(pr, s, &common))
        inside = divide(pr, s, &common);
    if (inside.n < 2) {
        put_sum(pr, s, first);
    } else if (common.n == 0 && common.coef.num == 1 && common.coef.den == 1 && !split_product(pr, s, &one, &rest)) {
        put_grouped(pr, s, first);
    } else {
        put_sign(pr, common.coef.num < 0, first);
        put_product(pr, &common, &inside);
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

void rk_ex_print(const rk_pool *p, rk_ex e, int style, rk_str *out)
{
    rk_ex_print_at(p, e, style, NULL, out);
}

void rk_ex_print_at(const rk_pool *p, rk_ex e, int style, const rk_binding *at, rk_str *out)
{
    rk_arena arena = {0};
    printer pr = {.pool = p, .latex = style & RK_PRINT_LATEX, .at = at, .arena = &arena, .out = out};
    sum s;

    if (rk_ex_failed(p, e)) {
        rk_str_putc(out, '?');
        return;
    }
    s = lay(&pr, e);
    if (style & RK_PRINT_FACTORED && s.n > 1)
        put_factored(&pr, &s, true);
    else
        put_sum(&pr, &s, true);
    out->failed |= arena.failed;
    rk_arena_free(&arena);
}
