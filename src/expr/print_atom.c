/* SPDX-License-Identifier: MIT */
#include "expr/print.h"

#include <string.h>

/* ---- names and powers ------------------------------------------------------------------------------------------ */

static size_t skip_letter(const char *name)
{
    size_t n = 1;

    while (((unsigned char)name[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* One letter, perhaps with digits or primes after it. */
bool rk_print_is_short_name(const char *name)
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

    if (!rk_print_is_short_name(name)) {
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

void rk_put_power(rk_printer *pr, int32_t power)
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

static void put_bracketed(rk_printer *pr, rk_ex e)
{
    rk_str_put(pr->out, pr->latex ? "\\left(" : "(");
    rk_put_ex(pr, e);
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

static void put_operand(rk_printer *pr, rk_ex e, bool bare)
{
    if (bare)
        rk_put_ex(pr, e);
    else
        put_bracketed(pr, e);
}

static void put_mod(rk_printer *pr, rk_atom a)
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
    return p->sym.at[s].order < p->sym.at[t].order;
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

static void put_extreme(rk_printer *pr, rk_atom a)
{
    rk_ex list[RK_EX_DEPTH_MAX + 1];
    size_t n = chain(pr->pool, a, list);

    rk_str_put(pr->out, pr->latex ? "\\" : "");
    rk_str_put(pr->out, a.kind == RK_ATOM_MIN ? "min(" : "max(");
    for (size_t i = 0; i < n; i++) {
        rk_str_put(pr->out, i ? ", " : "");
        rk_put_ex(pr, list[i]);
    }
    rk_str_putc(pr->out, ')');
}

static void put_rounded(rk_printer *pr, rk_atom a)
{
    static const char *const mark[2][2][2] = {
        {{"⌊", "⌋"}, {"\\left\\lfloor", "\\right\\rfloor"}},
        {{"⌈", "⌉"}, {"\\left\\lceil", "\\right\\rceil"}},
    };
    const char *const *m = mark[a.kind == RK_ATOM_CEIL][pr->latex];
    rk_print_sum s = rk_print_lay(pr, a.a);
    rk_str inside = {0}, *out = pr->out;

    pr->out = &inside;
    rk_put_quotient(pr, &s);
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

static bool has_number(const rk_printer *pr, rk_sym s)
{
    return pr->at && s < pr->at->n && pr->at->known[s];
}

/* 1,024, in LaTeX as 1{,}024: a comma in mathematics would be followed by a space. */
static void put_number(rk_printer *pr, rk_i128 n)
{
    char digits[RK_NUM_TEXT_MAX];

    rk_str_put(pr->out, n < 0 ? "(" : "");
    for (const char *c = rk_num_grouped(digits, n); *c; c++)
        rk_str_put(pr->out, *c == ',' && pr->latex ? "{,}" : (char[]){*c, '\0'});
    rk_str_put(pr->out, n < 0 ? ")" : "");
}

void rk_put_atom(rk_printer *pr, uint32_t atom)
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
