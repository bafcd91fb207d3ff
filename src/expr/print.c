/* SPDX-License-Identifier: MIT */
/*
 * expr/print.c - expressions as people write them, in text and in LaTeX.
 *
 * The terms are laid out in an arena of their own, in the order in which they are read; factoring moves them about
 * there, so that printing never changes the pool.
 */
#include "expr/pool.h"

#include <stdlib.h>
#include <string.h>

typedef struct pfactor {
    uint32_t atom;
    int32_t power;
    int64_t in_term;  /* place inside a term: rank, then declaration; functions last */
    int64_t in_order; /* weight when terms are ordered: the model's symbols before the run's; functions last */
} pfactor;

typedef struct pterm {
    rk_ratio coef;
    pfactor *f;
    size_t n;
} pterm;

typedef struct psum {
    pterm *t;
    size_t n;
} psum;

typedef struct printer {
    const rk_pool *pool;
    bool latex;
    const rk_binding *at; /* numbers to write in place of symbols, or NULL */
    rk_arena *arena;
    rk_str *out;
} printer;

static void print_sum(printer *pr, const psum *s);

/* ---- laying out ------------------------------------------------------------------------------------------------ */

static pfactor lay_factor(const rk_pool *p, rk_factor f)
{
    rk_atom a = rk_atom_at(p, f.atom);
    const int64_t step = (int64_t)1 << 32;
    pfactor out = {.atom = f.atom, .power = f.power};

    if (a.kind == RK_ATOM_SYM) {
        out.in_term = (int64_t)p->sym.at[a.a].rank * step / 2 + a.a;
        out.in_order = -(int64_t)p->sym.at[a.a].rank * step / 2 + a.a;
    } else {
        out.in_term = out.in_order = INT64_MAX / 2 + f.atom;
    }
    return out;
}

static int by_place(const void *a, const void *b)
{
    const pfactor *x = a, *y = b;

    return (x->in_term > y->in_term) - (x->in_term < y->in_term);
}

static bool lay_term(printer *pr, rk_term t, pterm *out)
{
    const rk_factor *f = rk_factors(pr->pool, t.product, &out->n);

    out->coef = rk_coef_at(pr->pool, t.coef);
    out->f = RK_NEW_ARRAY(pr->arena, out->n, pfactor);
    for (size_t i = 0; out->f && i < out->n; i++)
        out->f[i] = lay_factor(pr->pool, f[i]);
    if (out->f)
        qsort(out->f, out->n, sizeof *out->f, by_place);
    return out->f != NULL;
}

/* The factor with the largest power; of equal ones, the first in the order of terms.  NULL: a plain number. */
static const pfactor *bearer(const pterm *t)
{
    const pfactor *most = NULL;

    for (size_t i = 0; i < t->n; i++) {
        const pfactor *f = &t->f[i];

        if (!most || f->power > most->power || (f->power == most->power && f->in_order < most->in_order))
            most = f;
    }
    return most;
}

static int64_t degree(const pterm *t)
{
    int64_t sum = 0;

    for (size_t i = 0; i < t->n; i++)
        sum += t->f[i].power;
    return sum;
}

static int32_t power_of(const pterm *t, uint32_t atom)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->f[i].atom == atom)
            return t->f[i].power;
    return 0;
}

/* The first atom in the order of terms that has different powers in x and y, among those of x. */
static const pfactor *first_difference(const pterm *x, const pterm *y)
{
    const pfactor *first = NULL;

    for (size_t i = 0; i < x->n; i++)
        if (power_of(y, x->f[i].atom) != x->f[i].power && (!first || x->f[i].in_order < first->in_order))
            first = &x->f[i];
    return first;
}

static int lexicographic(const pterm *x, const pterm *y)
{
    const pfactor *a = first_difference(x, y), *b = first_difference(y, x);
    const pfactor *first = !a || (b && b->in_order < a->in_order) ? b : a;

    if (!first)
        return 0;
    return power_of(x, first->atom) > power_of(y, first->atom) ? -1 : 1;
}

/* Largest power first, then who bears it, then the degree: 8BSD² + 4BS²D + 6BSDF. */
static int by_weight(const void *a, const void *b)
{
    const pterm *x = a, *y = b;
    const pfactor *f = bearer(x), *g = bearer(y);
    int32_t px = f ? f->power : 0, py = g ? g->power : 0;
    int64_t dx = degree(x), dy = degree(y);

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

static psum lay_sum(printer *pr, rk_ex e)
{
    psum s = {0};
    const rk_term *t = rk_terms(pr->pool, e, &s.n);

    s.t = RK_NEW_ARRAY(pr->arena, s.n, pterm);
    for (size_t i = 0; s.t && i < s.n; i++)
        if (!lay_term(pr, t[i], &s.t[i]))
            return (psum){0};
    if (!s.t)
        return (psum){0};
    qsort(s.t, s.n, sizeof *s.t, by_weight);
    return s;
}

static void print_ex(printer *pr, rk_ex e)
{
    psum s = lay_sum(pr, e);

    print_sum(pr, &s);
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
static bool is_short(const char *name)
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

static void put_escaped(rk_str *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("#$%&_{}", *text))
            rk_str_putc(out, '\\');
        rk_str_putc(out, *text);
    }
}

/* D, D', B_{2}, \mathrm{Dv} */
static void put_latex_name(rk_str *out, const char *name)
{
    size_t letter = skip_letter(name), digits = strspn(name + letter, "0123456789");

    if (!is_short(name)) {
        rk_str_put(out, "\\mathrm{");
        put_escaped(out, name);
        rk_str_putc(out, '}');
        return;
    }
    rk_str_putn(out, name, letter);
    if (digits)
        rk_str_format(out, "_{%.*s}", (int)digits, name + letter);
    rk_str_put(out, name + letter + digits);
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

static void put_bracketed(printer *pr, rk_ex e)
{
    rk_str_put(pr->out, pr->latex ? "\\left(" : "(");
    print_ex(pr, e);
    rk_str_put(pr->out, pr->latex ? "\\right)" : ")");
}

/* Whether e reads as one operand to the left of `mod`: a single positive term. */
static bool is_left_operand(const rk_pool *p, rk_ex e)
{
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);

    return n == 0 || (n == 1 && rk_coef_at(p, t->coef).num > 0);
}

/* To its right: a whole number or a symbol. */
static bool is_right_operand(const rk_pool *p, rk_ex e)
{
    rk_i128 value;
    rk_sym s;

    return rk_ex_is_sym(p, e, &s) || (rk_ex_is_int(p, e, &value) && value >= 0);
}

static void put_operand(printer *pr, rk_ex e, bool bare)
{
    if (bare)
        print_ex(pr, e);
    else
        put_bracketed(pr, e);
}

static void put_mod(printer *pr, rk_atom a)
{
    rk_str_put(pr->out, pr->latex ? "\\left(" : "(");
    put_operand(pr, a.a, is_left_operand(pr->pool, a.a));
    rk_str_put(pr->out, pr->latex ? " \\bmod " : " mod ");
    put_operand(pr, a.b, is_right_operand(pr->pool, a.b));
    rk_str_put(pr->out, pr->latex ? "\\right)" : ")");
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
    return s < t;
}

/* The expression as a single function of that kind, or NULL. */
static const rk_atom *as_function(const rk_pool *p, rk_ex e, uint32_t kind)
{
    size_t n;
    const rk_term *t = rk_terms(p, e, &n);
    const rk_factor *f;
    rk_ratio c;

    if (n != 1)
        return NULL;
    c = rk_coef_at(p, t->coef);
    f = rk_factors(p, t->product, &n);
    if (c.num != 1 || c.den != 1 || n != 1 || f->power != 1 || rk_atom_at(p, f->atom).kind != kind)
        return NULL;
    return p->atom.item.at[f->atom].data;
}

/* min(a, min(b, c)) is read as min(a, b, c). */
static size_t chain(const rk_pool *p, rk_atom a, rk_ex list[RK_EX_DEPTH_MAX + 1])
{
    const rk_atom *inner;
    size_t n = 0;

    list[n++] = a.a;
    for (; (inner = as_function(p, a.b, a.kind)) && n < RK_EX_DEPTH_MAX; a = *inner)
        list[n++] = inner->a;
    list[n++] = a.b;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && reads_before(p, list[j], list[j - 1]); j--) {
            rk_ex swap = list[j];

            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
    return n;
}

static void put_extreme(printer *pr, rk_atom a)
{
    rk_ex list[RK_EX_DEPTH_MAX + 1];
    size_t n = chain(pr->pool, a, list);

    rk_str_put(pr->out, pr->latex ? "\\" : "");
    rk_str_put(pr->out, a.kind == RK_ATOM_MIN ? "min(" : "max(");
    for (size_t i = 0; i < n; i++) {
        rk_str_put(pr->out, i ? ", " : "");
        print_ex(pr, list[i]);
    }
    rk_str_putc(pr->out, ')');
}

static void print_quotient(printer *pr, const psum *s);

static void put_rounded(printer *pr, rk_atom a)
{
    static const char *const mark[2][2][2] = {
        {{"⌊", "⌋"}, {"\\left\\lfloor", "\\right\\rfloor"}},
        {{"⌈", "⌉"}, {"\\left\\lceil", "\\right\\rceil"}},
    };
    const char *const *m = mark[a.kind == RK_ATOM_CEIL][pr->latex];
    psum s = lay_sum(pr, a.a);
    rk_str inside = {0}, *out = pr->out;

    pr->out = &inside;
    print_quotient(pr, &s);
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

static bool has_number(const printer *pr, rk_sym s)
{
    return pr->at && s < pr->at->n && pr->at->known[s];
}

/* 1,024, in LaTeX as 1{,}024: a comma in mathematics would be followed by a space. */
static void put_number(printer *pr, rk_i128 n)
{
    char digits[RK_NUM_TEXT_MAX];

    rk_str_put(pr->out, n < 0 ? "(" : "");
    for (const char *c = rk_num_grouped(digits, n); *c; c++)
        rk_str_put(pr->out, *c == ',' && pr->latex ? "{,}" : (char[]){*c, '\0'});
    rk_str_put(pr->out, n < 0 ? ")" : "");
}

static void put_atom(printer *pr, uint32_t atom)
{
    rk_atom a = rk_atom_at(pr->pool, atom);

    if (a.kind == RK_ATOM_SYM && has_number(pr, a.a))
        put_number(pr, pr->at->value[a.a]);
    else if (a.kind == RK_ATOM_SYM && pr->latex)
        put_latex_name(pr->out, pr->pool->sym.at[a.a].name);
    else if (a.kind == RK_ATOM_SYM)
        rk_str_put(pr->out, pr->pool->sym.at[a.a].name);
    else if (a.kind == RK_ATOM_QUOT)
        put_bracketed(pr, a.a); /* as a divisor */
    else if (a.kind == RK_ATOM_MOD)
        put_mod(pr, a);
    else if (a.kind == RK_ATOM_MIN || a.kind == RK_ATOM_MAX)
        put_extreme(pr, a);
    else
        put_rounded(pr, a);
}

/* ---- products -------------------------------------------------------------------------------------------------- */

/* What of a term is written together: its numerator, its denominator, or one divisor. */
typedef enum side {
    ABOVE,
    BELOW,
    DIVISOR
} side;

static side side_of(const printer *pr, const pfactor *f)
{
    if (rk_atom_at(pr->pool, f->atom).kind == RK_ATOM_QUOT)
        return pr->latex ? BELOW : DIVISOR;
    return f->power > 0 ? ABOVE : BELOW;
}

static bool is_symbol(const printer *pr, const pfactor *f)
{
    return rk_atom_at(pr->pool, f->atom).kind == RK_ATOM_SYM;
}

static const char *name_of(const printer *pr, const pfactor *f)
{
    return rk_sym_name(pr->pool, rk_atom_at(pr->pool, f->atom).a);
}

/* The next factor on that side from i on; t->n when there is none. */
static size_t next_on(const printer *pr, const pterm *t, side where, size_t i)
{
    while (i < t->n && side_of(pr, &t->f[i]) != where)
        i++;
    return i;
}

/* Whether names written without dots would be read back as others: B and S beside a symbol called BS. */
static bool is_misread(const printer *pr, const pterm *t, side where, size_t from)
{
    rk_str run = {0};
    size_t len, own = strlen(name_of(pr, &t->f[from]));
    bool wrong;

    for (size_t i = from; i < t->n; i = next_on(pr, t, where, i + 1)) {
        if (!is_symbol(pr, &t->f[i]))
            break;
        rk_str_put(&run, name_of(pr, &t->f[i]));
        if (t->f[i].power != 1 && t->f[i].power != -1)
            break; /* the power ends every name */
    }
    rk_sym_prefix(pr->pool, rk_str_text(&run), run.n, &len);
    wrong = len != own;
    pr->out->failed |= run.failed;
    rk_str_free(&run);
    return wrong;
}

static bool needs_dots(const printer *pr, const pterm *t, side where)
{
    if (pr->at)
        return true;
    for (size_t i = next_on(pr, t, where, 0); i < t->n; i = next_on(pr, t, where, i + 1))
        if (is_symbol(pr, &t->f[i]) &&
            (!is_short(name_of(pr, &t->f[i])) || (!pr->latex && is_misread(pr, t, where, i))))
            return true;
    return false;
}

/* Whether a dot stands between two neighbours; NULL is the coefficient. */
static bool is_dotted(const printer *pr, const pfactor *left, const pfactor *right, bool dots)
{
    if (pr->latex && !dots && !left)
        return false;
    return dots || (left && !is_symbol(pr, left)) || (right && !is_symbol(pr, right));
}

static void put_dot(printer *pr)
{
    rk_str_put(pr->out, !pr->latex ? "·" : pr->at ? " \\cdot " : "\\,");
}

/* One side of a term with its share of the coefficient. */
static void put_side(printer *pr, const pterm *t, side where, rk_i128 coef, bool dots)
{
    size_t i = next_on(pr, t, where, 0);
    bool first = coef == 1 && i < t->n;
    const pfactor *left = NULL;

    if (!first)
        rk_str_num(pr->out, coef);
    for (; i < t->n; i = next_on(pr, t, where, i + 1)) {
        const pfactor *f = &t->f[i];

        if (!first && is_dotted(pr, left, f, dots))
            put_dot(pr);
        put_atom(pr, f->atom);
        put_power(pr, f->power < 0 ? -f->power : f->power);
        left = f;
        first = false;
    }
}

static size_t count_on(const printer *pr, const pterm *t, side where)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += side_of(pr, &t->f[i]) == where;
    return n;
}

static void put_divisors(printer *pr, const pterm *t)
{
    for (size_t i = next_on(pr, t, DIVISOR, 0); i < t->n; i = next_on(pr, t, DIVISOR, i + 1))
        for (int32_t k = 0; k < t->f[i].power; k++) {
            rk_str_putc(pr->out, '/');
            put_atom(pr, t->f[i].atom);
        }
}

/* "/2", "/(2N)", "/N/(D + 2)" after whatever stands above. */
static void put_below(printer *pr, const pterm *t, bool dots)
{
    size_t n = count_on(pr, t, BELOW) + (t->coef.den != 1);

    if (n > 0) {
        rk_str_put(pr->out, n > 1 ? "/(" : "/");
        put_side(pr, t, BELOW, t->coef.den, dots);
        rk_str_put(pr->out, n > 1 ? ")" : "");
    }
    put_divisors(pr, t);
}

static bool has_below(const printer *pr, const pterm *t)
{
    return t->coef.den != 1 || count_on(pr, t, BELOW) > 0;
}

/* The denominator of a LaTeX fraction; a lone quotient needs no brackets there. */
static void put_latex_below(printer *pr, const pterm *t, bool dots)
{
    size_t i = next_on(pr, t, BELOW, 0);
    bool lone = t->coef.den == 1 && count_on(pr, t, BELOW) == 1 && t->f[i].power == 1;

    rk_str_putc(pr->out, '{');
    if (lone && rk_atom_at(pr->pool, t->f[i].atom).kind == RK_ATOM_QUOT)
        print_ex(pr, rk_atom_at(pr->pool, t->f[i].atom).a);
    else
        put_side(pr, t, BELOW, t->coef.den, dots);
    rk_str_putc(pr->out, '}');
}

static rk_i128 absolute(rk_i128 n)
{
    return n < 0 && n != RK_I128_MIN ? -n : n;
}

static bool term_dots(const printer *pr, const pterm *t)
{
    return needs_dots(pr, t, ABOVE) || needs_dots(pr, t, BELOW);
}

/* A term without its sign. */
static void print_term(printer *pr, const pterm *t)
{
    bool dots = term_dots(pr, t);

    if (!pr->latex || !has_below(pr, t)) {
        put_side(pr, t, ABOVE, absolute(t->coef.num), dots);
        put_below(pr, t, dots);
        return;
    }
    rk_str_put(pr->out, "\\frac{");
    put_side(pr, t, ABOVE, absolute(t->coef.num), dots);
    rk_str_putc(pr->out, '}');
    put_latex_below(pr, t, dots);
}

/* ---- sums ------------------------------------------------------------------------------------------------------ */

static void put_sign(printer *pr, bool negative, bool first)
{
    if (first)
        rk_str_put(pr->out, negative ? "-" : "");
    else
        rk_str_put(pr->out, negative ? " - " : " + ");
}

static void print_sum(printer *pr, const psum *s)
{
    if (s->n == 0)
        rk_str_putc(pr->out, '0');
    for (size_t i = 0; i < s->n; i++) {
        put_sign(pr, s->t[i].coef.num < 0, i == 0);
        print_term(pr, &s->t[i]);
    }
}

/* ---- common factors -------------------------------------------------------------------------------------------- */

static void keep_least(pterm *common, const pterm *t)
{
    size_t n = 0;

    for (size_t i = 0; i < common->n; i++) {
        pfactor f = common->f[i];
        int32_t power = power_of(t, f.atom);

        f.power = power < f.power ? power : f.power;
        if (f.power != 0)
            common->f[n++] = f;
    }
    common->n = n;
}

/* Adds what t divides by and the others do not: an absent atom has power 0, which is more. */
static void keep_negative(pterm *common, const pterm *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->f[i].power < 0 && power_of(common, t->f[i].atom) == 0)
            common->f[common->n++] = t->f[i];
}

static size_t count_factors(const psum *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->t[i].n;
    return n;
}

static rk_ratio common_coef(const psum *s)
{
    rk_ratio g = {.num = 0, .den = 1};
    rk_acc acc = {0};
    bool negative = true;

    for (size_t i = 0; i < s->n; i++) {
        rk_ratio c = s->t[i].coef;

        g.num = rk_gcd(g.num, c.num);
        g.den = rk_mul(&acc, g.den / rk_gcd(g.den, c.den), c.den);
        g.den = acc.overflow ? 1 : g.den;
        negative = negative && c.num < 0;
    }
    if (acc.overflow)
        return rk_ratio_int(1);
    g.num = negative ? -g.num : g.num;
    return g;
}

/* What would leave a power over the limit inside the bracket stays where it is: the text must be readable again. */
static void drop_too_high(pterm *common, const psum *s)
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
static bool find_common(printer *pr, const psum *s, pterm *common)
{
    *common = (pterm){.coef = common_coef(s), .f = RK_NEW_ARRAY(pr->arena, count_factors(s), pfactor)};
    if (!common->f)
        return false;
    for (size_t i = 0; i < s->t[0].n; i++)
        common->f[common->n++] = s->t[0].f[i];
    for (size_t i = 1; i < s->n; i++) {
        keep_least(common, &s->t[i]);
        keep_negative(common, &s->t[i]);
    }
    drop_too_high(common, s);
    /* What only the first divides by stays; what only the first multiplies by was removed above. */
    qsort(common->f, common->n, sizeof *common->f, by_place);
    return true;
}

static bool divide_term(printer *pr, const pterm *t, const pterm *by, pterm *out)
{
    rk_acc acc = {0};

    *out = (pterm){.f = RK_NEW_ARRAY(pr->arena, t->n + by->n, pfactor)};
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

/* The terms in the order they had. */
static psum divide_sum(printer *pr, const psum *s, const pterm *by)
{
    psum out = {.t = RK_NEW_ARRAY(pr->arena, s->n, pterm), .n = s->n};

    for (size_t i = 0; out.t && i < s->n; i++)
        if (!divide_term(pr, &s->t[i], by, &out.t[i]))
            return (psum){0};
    return out.t ? out : (psum){0};
}

/* (S + 63)/64 rather than S/64 + 63/64: what functions are given is read as one quotient. */
static void print_quotient(printer *pr, const psum *s)
{
    pterm common;
    psum above;
    size_t n = 0;

    if (s->n < 2 || !find_common(pr, s, &common)) {
        print_sum(pr, s);
        return;
    }
    common.coef.num = 1;
    for (size_t i = 0; i < common.n; i++)
        if (common.f[i].power < 0)
            common.f[n++] = common.f[i];
    common.n = n;
    above = divide_sum(pr, s, &common);
    if (above.n == 0 || (n == 0 && common.coef.den == 1)) {
        print_sum(pr, s);
        return;
    }
    rk_str_put(pr->out, pr->latex ? "\\frac{" : "(");
    print_sum(pr, &above);
    rk_str_putc(pr->out, pr->latex ? '}' : ')');
    if (pr->latex)
        put_latex_below(pr, &common, needs_dots(pr, &common, BELOW));
    else
        put_below(pr, &common, needs_dots(pr, &common, BELOW));
}

/* ---- the factored form ----------------------------------------------------------------------------------------- */

enum {
    GROUPED_MAX = 64
}; /* terms; longer sums gain nothing from brackets and would take long to try */

static void print_factored(printer *pr, const psum *s, bool first);

/* The symbol that occurs in most terms, but not in all; RK_NONE when none occurs twice. */
static uint32_t most_shared(const printer *pr, const psum *s)
{
    uint32_t best = RK_NONE;
    size_t most = 1;

    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->t[i].n; j++) {
            const pfactor *f = &s->t[i].f[j];
            size_t n = 0;

            for (size_t k = 0; k < s->n; k++)
                n += power_of(&s->t[k], f->atom) > 0;
            if (is_symbol(pr, f) && n > most && n < s->n) {
                best = f->atom;
                most = n;
            }
        }
    return best;
}

static psum select_terms(printer *pr, const psum *s, uint32_t atom, bool with)
{
    psum out = {.t = RK_NEW_ARRAY(pr->arena, s->n, pterm)};

    for (size_t i = 0; out.t && i < s->n; i++)
        if ((power_of(&s->t[i], atom) > 0) == with)
            out.t[out.n++] = s->t[i];
    return out;
}

static void print_plain(printer *pr, const psum *s, bool first)
{
    for (size_t i = 0; i < s->n; i++) {
        put_sign(pr, s->t[i].coef.num < 0, first && i == 0);
        print_term(pr, &s->t[i]);
    }
}

static void print_grouped(printer *pr, const psum *s, bool first);

/* Terms that share a symbol before the others, or after them when the first term is not among them. */
static void print_split(printer *pr, const psum *s, uint32_t atom, bool first)
{
    psum with = select_terms(pr, s, atom, true), without = select_terms(pr, s, atom, false);

    if (power_of(&s->t[0], atom) > 0) {
        print_factored(pr, &with, first);
        print_grouped(pr, &without, false);
    } else {
        print_grouped(pr, &without, first);
        print_factored(pr, &with, false);
    }
}

/* A sum without common factors: grouped when that is shorter to read. */
static void print_grouped(printer *pr, const psum *s, bool first)
{
    uint32_t atom = s->n > 2 && s->n <= GROUPED_MAX ? most_shared(pr, s) : RK_NONE;
    rk_str plain = {0}, split = {0}, *out = pr->out;

    if (atom == RK_NONE) {
        print_plain(pr, s, first);
        return;
    }
    pr->out = &plain;
    print_plain(pr, s, first);
    pr->out = &split;
    print_split(pr, s, atom, first);
    pr->out = out;
    rk_str_put(out, rk_text_width(rk_str_text(&split)) < rk_text_width(rk_str_text(&plain)) ? rk_str_text(&split)
                                                                                            : rk_str_text(&plain));
    out->failed |= plain.failed | split.failed;
    rk_str_free(&plain);
    rk_str_free(&split);
}

static bool ends_with(const rk_str *s, const char *word)
{
    size_t n = strlen(word);

    return s->n >= n && memcmp(s->text + s->n - n, word, n) == 0;
}

/* m·i·n before a bracket would be read as the function. */
static bool ends_like_function(const rk_str *s)
{
    return ends_with(s, "min") || ends_with(s, "max") || ends_with(s, "floor") || ends_with(s, "ceil");
}

/* The common product before the bracket, with the dot that it may need. */
static void put_prefix(printer *pr, const pterm *common, bool dots)
{
    rk_i128 coef = absolute(common->coef.num);
    size_t n = count_on(pr, common, ABOVE);
    bool dotted = dots && n > 0;

    if (coef == 1 && n == 0)
        return;
    put_side(pr, common, ABOVE, coef, dots);
    for (size_t i = next_on(pr, common, ABOVE, 0); i < common->n; i = next_on(pr, common, ABOVE, i + 1))
        dotted = dotted || !is_symbol(pr, &common->f[i]);
    if (dotted || (!pr->latex && ends_like_function(pr->out)))
        put_dot(pr);
}

static void put_bracket(printer *pr, const psum *inside)
{
    rk_str_put(pr->out, pr->latex ? "\\left(" : "(");
    print_grouped(pr, inside, true);
    rk_str_put(pr->out, pr->latex ? "\\right)" : ")");
}

/* A LaTeX fraction holds its numerator together: it needs no brackets of its own. */
static void print_bracket_fraction(printer *pr, const pterm *common, const psum *inside, bool dots)
{
    rk_str_put(pr->out, "\\frac{");
    put_prefix(pr, common, dots);
    if (absolute(common->coef.num) == 1 && count_on(pr, common, ABOVE) == 0)
        print_grouped(pr, inside, true);
    else
        put_bracket(pr, inside);
    rk_str_putc(pr->out, '}');
    put_latex_below(pr, common, dots);
}

static void print_bracket(printer *pr, const pterm *common, const psum *inside)
{
    bool dots = term_dots(pr, common);

    if (pr->latex && has_below(pr, common)) {
        print_bracket_fraction(pr, common, inside, dots);
        return;
    }
    put_prefix(pr, common, dots);
    put_bracket(pr, inside);
    put_below(pr, common, dots);
}

static bool is_one(const pterm *t)
{
    return t->n == 0 && t->coef.num == 1 && t->coef.den == 1;
}

/* 2BSD(4D + 2S + 3F); `first`: nothing stands before it. */
static void print_factored(printer *pr, const psum *s, bool first)
{
    pterm common;
    psum inside = {0};

    if (s->n > 1 && find_common(pr, s, &common))
        inside = divide_sum(pr, s, &common);
    if (inside.n < 2) {
        print_plain(pr, s, first);
    } else if (is_one(&common)) {
        print_grouped(pr, s, first);
    } else {
        put_sign(pr, common.coef.num < 0, first);
        print_bracket(pr, &common, &inside);
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
    psum s;

    if (rk_ex_failed(p, e)) {
        rk_str_putc(out, '?');
        return;
    }
    s = lay_sum(&pr, e);
    if (style & RK_PRINT_FACTORED && s.n > 1)
        print_factored(&pr, &s, true);
    else
        print_sum(&pr, &s);
    out->failed |= arena.failed;
    rk_arena_free(&arena);
}
