/* SPDX-License-Identifier: MIT */
#include "expr/print.h"

#include <string.h>

static rk_print_side side_of(const rk_printer *pr, const rk_print_factor *f)
{
    if (rk_atom_at(pr->pool, f->atom).kind == RK_ATOM_QUOT)
        return pr->latex ? RK_SIDE_BELOW : RK_SIDE_DIVISOR;
    return f->power > 0 ? RK_SIDE_ABOVE : RK_SIDE_BELOW;
}

bool rk_print_is_symbol(const rk_printer *pr, const rk_print_factor *f)
{
    return rk_atom_at(pr->pool, f->atom).kind == RK_ATOM_SYM;
}

static const char *name_of(const rk_printer *pr, const rk_print_factor *f)
{
    return rk_sym_name(pr->pool, rk_atom_at(pr->pool, f->atom).a);
}

/* The next factor on that side from i on; t->n when there is none. */
size_t rk_print_next_on(const rk_printer *pr, const rk_print_term *t, rk_print_side where, size_t i)
{
    while (i < t->n && side_of(pr, &t->f[i]) != where)
        i++;
    return i;
}

/* Whether names written without dots would be read back as others: B and S beside a symbol called BS. */
static bool is_misread(const rk_printer *pr, const rk_print_term *t, rk_print_side where, size_t from)
{
    rk_str run = {0};
    size_t len, own = strlen(name_of(pr, &t->f[from]));
    bool wrong;

    for (size_t i = from; i < t->n; i = rk_print_next_on(pr, t, where, i + 1)) {
        if (!rk_print_is_symbol(pr, &t->f[i]))
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

bool rk_print_needs_dots(const rk_printer *pr, const rk_print_term *t, rk_print_side where)
{
    if (pr->at)
        return true;
    for (size_t i = rk_print_next_on(pr, t, where, 0); i < t->n; i = rk_print_next_on(pr, t, where, i + 1))
        if (rk_print_is_symbol(pr, &t->f[i]) &&
            (!rk_print_is_short_name(name_of(pr, &t->f[i])) || (!pr->latex && is_misread(pr, t, where, i))))
            return true;
    return false;
}

/* Whether a dot stands between two neighbours; NULL is the coefficient. */
static bool is_dotted(const rk_printer *pr, const rk_print_factor *left, const rk_print_factor *right, bool dots)
{
    if (pr->latex && !dots && !left)
        return false;
    return dots || (left && !rk_print_is_symbol(pr, left)) || (right && !rk_print_is_symbol(pr, right));
}

void rk_put_dot(rk_printer *pr)
{
    rk_str_put(pr->out, !pr->latex ? "·" : pr->at ? " \\cdot " : "\\,");
}

/* One side of a term with its share of the coefficient. */
void rk_put_side(rk_printer *pr, const rk_print_term *t, rk_print_side where, rk_i128 coef, bool dots)
{
    size_t i = rk_print_next_on(pr, t, where, 0);
    bool first = coef == 1 && i < t->n;
    const rk_print_factor *left = NULL;

    if (!first)
        rk_str_num(pr->out, coef);
    for (; i < t->n; i = rk_print_next_on(pr, t, where, i + 1)) {
        const rk_print_factor *f = &t->f[i];

        if (!first && is_dotted(pr, left, f, dots))
            rk_put_dot(pr);
        rk_put_atom(pr, f->atom);
        rk_put_power(pr, f->power < 0 ? -f->power : f->power);
        left = f;
        first = false;
    }
}

size_t rk_print_count_on(const rk_printer *pr, const rk_print_term *t, rk_print_side where)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += side_of(pr, &t->f[i]) == where;
    return n;
}

static void put_divisors(rk_printer *pr, const rk_print_term *t)
{
    for (size_t i = rk_print_next_on(pr, t, RK_SIDE_DIVISOR, 0); i < t->n;
         i = rk_print_next_on(pr, t, RK_SIDE_DIVISOR, i + 1))
        for (int32_t k = 0; k < t->f[i].power; k++) {
            rk_str_putc(pr->out, '/');
            rk_put_atom(pr, t->f[i].atom);
        }
}

/* "/2", "/(2N)", "/N/(D + 2)" after whatever stands above. */
void rk_put_below(rk_printer *pr, const rk_print_term *t, bool dots)
{
    size_t n = rk_print_count_on(pr, t, RK_SIDE_BELOW) + (t->coef.den != 1);

    if (n > 0) {
        rk_str_put(pr->out, n > 1 ? "/(" : "/");
        rk_put_side(pr, t, RK_SIDE_BELOW, t->coef.den, dots);
        rk_str_put(pr->out, n > 1 ? ")" : "");
    }
    put_divisors(pr, t);
}

bool rk_print_has_below(const rk_printer *pr, const rk_print_term *t)
{
    return t->coef.den != 1 || rk_print_count_on(pr, t, RK_SIDE_BELOW) > 0;
}

/* The denominator of a LaTeX fraction; a lone quotient needs no brackets there. */
void rk_put_latex_below(rk_printer *pr, const rk_print_term *t, bool dots)
{
    size_t i = rk_print_next_on(pr, t, RK_SIDE_BELOW, 0);
    bool lone = t->coef.den == 1 && rk_print_count_on(pr, t, RK_SIDE_BELOW) == 1 && t->f[i].power == 1;

    rk_str_putc(pr->out, '{');
    if (lone && rk_atom_at(pr->pool, t->f[i].atom).kind == RK_ATOM_QUOT)
        rk_put_ex(pr, rk_atom_at(pr->pool, t->f[i].atom).a);
    else
        rk_put_side(pr, t, RK_SIDE_BELOW, t->coef.den, dots);
    rk_str_putc(pr->out, '}');
}

rk_i128 rk_print_absolute(rk_i128 n)
{
    return n < 0 && n != RK_I128_MIN ? -n : n;
}

bool rk_print_term_dots(const rk_printer *pr, const rk_print_term *t)
{
    return rk_print_needs_dots(pr, t, RK_SIDE_ABOVE) || rk_print_needs_dots(pr, t, RK_SIDE_BELOW);
}

/* A term without its sign. */
void rk_put_term(rk_printer *pr, const rk_print_term *t)
{
    bool dots = rk_print_term_dots(pr, t);

    if (!pr->latex || !rk_print_has_below(pr, t)) {
        rk_put_side(pr, t, RK_SIDE_ABOVE, rk_print_absolute(t->coef.num), dots);
        rk_put_below(pr, t, dots);
        return;
    }
    rk_str_put(pr->out, "\\frac{");
    rk_put_side(pr, t, RK_SIDE_ABOVE, rk_print_absolute(t->coef.num), dots);
    rk_str_putc(pr->out, '}');
    rk_put_latex_below(pr, t, dots);
}
