/* SPDX-License-Identifier: MIT */
#include "model/scalar.h"

#include <string.h>

rk_scalar rk_scalar_bool(bool truth)
{
    return (rk_scalar){.kind = RK_SCALAR_BOOL, .truth = truth};
}

rk_scalar rk_scalar_int(rk_ctx *c, rk_i128 n)
{
    return (rk_scalar){.kind = RK_SCALAR_INT, .known = true, .value = n, .ex = rk_ex_int(c->pool, n)};
}

rk_scalar rk_scalar_real(double r)
{
    return (rk_scalar){.kind = RK_SCALAR_REAL, .real = r};
}

rk_scalar rk_scalar_text(const char *text)
{
    return (rk_scalar){.kind = RK_SCALAR_TEXT, .text = text};
}

const char *rk_scalar_kind_name(const rk_scalar *s)
{
    static const char *const name[] = {"nothing", "a truth value", "a number", "a number",
                                       "a text",  "a list",        "a mask"};

    return name[s->kind];
}

/*
 * What is kept as an expression may be evaluated at new numbers later.  Where a number was compared, counted with or
 * spelt out, the program would be another one: its symbols must keep their numbers.  A `check` shapes nothing, but has
 * to be asked again.  A symbol that follows another (T = S) may be set apart from it: then T - S is not what it was.
 */
void rk_scalar_fix(rk_ctx *c, const rk_scalar *s)
{
    rk_ex e = s->kind == RK_SCALAR_INT || s->kind == RK_SCALAR_MASK ? s->ex : RK_EX_FAILED;

    if (e == RK_EX_FAILED || (!c->checking && c->fixed[e % RK_FIXED_CACHE] == e))
        return;
    if (!c->checking)
        c->fixed[e % RK_FIXED_CACHE] = e;
    rk_ex whole = rk_ex_expand_defs(c->pool, e);

    for (size_t i = 0; i < c->symbol.n; i++) {
        rk_symbol *symbol = &c->symbol.at[i];
        bool follows = rk_sym_definition(c->pool, symbol->sym) != RK_EX_FAILED;

        *(c->checking ? &symbol->checked : &symbol->fixed) |=
            rk_ex_has_sym(c->pool, whole, symbol->sym) || (follows && rk_ex_has_sym(c->pool, e, symbol->sym));
    }
}

/*
 * A number as an expression for the ledger.  The running numbers of loops are no symbols there: what depends on one is
 * put in as its number, which is the same in all layers of a group.
 */
rk_ex rk_scalar_ex(rk_ctx *c, const rk_scalar *s)
{
    for (size_t i = 0; s->varies && s->known && i < c->n_loop_stack; i++)
        if (rk_ex_has_sym(c->pool, s->ex, c->b.loop.at[c->loop_stack[i].loop].index)) {
            rk_scalar_fix(c, s);
            return rk_ex_int(c->pool, s->value);
        }
    return s->ex;
}

bool rk_scalar_is_number(const rk_scalar *s)
{
    return s->kind == RK_SCALAR_INT || s->kind == RK_SCALAR_REAL;
}

bool rk_scalar_as_real(const rk_scalar *s, double *out)
{
    if (s->kind == RK_SCALAR_REAL)
        *out = s->real;
    else if (s->kind == RK_SCALAR_INT && s->known)
        *out = (double)s->value;
    else
        return false;
    return true;
}

bool rk_scalar_same(const rk_scalar *a, const rk_scalar *b)
{
    double x, y;

    if (a->kind != b->kind)
        return rk_scalar_is_number(a) && rk_scalar_is_number(b) && rk_scalar_as_real(a, &x) &&
               rk_scalar_as_real(b, &y) && x == y;
    switch (a->kind) {
    case RK_SCALAR_NONE:
        return true;
    case RK_SCALAR_BOOL:
        return a->truth == b->truth;
    case RK_SCALAR_INT:
        return a->known && b->known ? a->value == b->value : a->ex == b->ex;
    case RK_SCALAR_REAL:
        return a->real == b->real;
    case RK_SCALAR_TEXT:
        return strcmp(a->text, b->text) == 0;
    case RK_SCALAR_DOC:
        return a->doc == b->doc;
    case RK_SCALAR_MASK:
        return a->mask == b->mask && a->ex == b->ex;
    }
    return false;
}

/* A `check` of a symbol without a number waits until there is one; anywhere else the number is needed now. */
int rk_scalar_unknown(rk_ctx *c, rk_span span)
{
    return c->checking ? RK_EVALUE : RK_MISTAKE(c, span, "this depends on a symbol that has no value yet");
}

/* What counts as true: anything but None, False, 0, an empty text or list. */
int rk_scalar_truth(rk_ctx *c, const rk_scalar *s, rk_span span, bool *out)
{
    switch (s->kind) {
    case RK_SCALAR_NONE:
        *out = false;
        break;
    case RK_SCALAR_BOOL:
        *out = s->truth;
        break;
    case RK_SCALAR_INT:
        if (!s->known)
            return rk_scalar_unknown(c, span);
        rk_scalar_fix(c, s);
        *out = s->value != 0;
        break;
    case RK_SCALAR_REAL:
        *out = s->real != 0;
        break;
    case RK_SCALAR_TEXT:
        *out = s->text[0] != 0;
        break;
    case RK_SCALAR_DOC:
        *out = s->doc->n != 0;
        break;
    case RK_SCALAR_MASK:
        *out = s->mask != RK_MASK_FULL;
        break;
    }
    return RK_OK;
}

/* What is missing, said so that the user finds it. */
int rk_scalar_need_number(rk_ctx *c, const rk_scalar *s, rk_span span)
{
    if (s->kind == RK_SCALAR_NONE && s->key && c->source->config)
        return RK_MISTAKE(c, span, "%s has no key '%s', which is needed here", rk_config_name(c), s->key);
    if (s->kind == RK_SCALAR_NONE && s->key)
        return RK_MISTAKE(c, span, "this needs the key '%s' of a config, and no config was given", s->key);
    if (s->key)
        return RK_MISTAKE(c, span, "a number is needed here, but '%s' is %s", s->key, rk_scalar_kind_name(s));
    return RK_MISTAKE(c, span, "a number is needed here, but this is %s", rk_scalar_kind_name(s));
}

int rk_scalar_need_int(rk_ctx *c, const rk_scalar *s, rk_span span)
{
    if (s->kind == RK_SCALAR_INT)
        return RK_OK;
    if (s->kind == RK_SCALAR_REAL && s->key)
        return RK_MISTAKE(c, span, "a whole number is needed here, but '%s' is %g", s->key, s->real);
    return s->kind == RK_SCALAR_REAL ? RK_MISTAKE(c, span, "a whole number is needed here: int(…) makes one")
                                     : rk_scalar_need_number(c, s, span);
}

int rk_scalar_by_zero(rk_ctx *c, rk_span span, const rk_scalar *divisor)
{
    return divisor->key ? RK_MISTAKE(c, span, "division by zero: '%s' is 0", divisor->key)
                        : RK_MISTAKE(c, span, "division by zero");
}
