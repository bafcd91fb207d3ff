/* SPDX-License-Identifier: MIT */
/* Numbers with their units and labels, and symbols. */
#include "audit/operand.h"

#include <math.h>
#include <string.h>

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

const rk_audit_token *rk_peek(const rk_side_parser *p, size_t ahead)
{
    return p->at + ahead < p->end ? &p->token[p->at + ahead] : NULL;
}

bool rk_sees(const rk_side_parser *p, size_t ahead, rk_audit_token_kind kind)
{
    const rk_audit_token *t = rk_peek(p, ahead);

    return t && t->kind == kind;
}

bool rk_sees_sign(const rk_side_parser *p, size_t ahead, char op)
{
    return rk_sees(p, ahead, RK_TOKEN_SIGN) && rk_peek(p, ahead)->op == op;
}

/* Every step costs, so that no text takes longer than its length allows. */
bool rk_spend(rk_side_parser *p)
{
    if (*p->r->budget == 0)
        return false;
    --*p->r->budget;
    return true;
}

rk_ex rk_trouble_note(rk_side_parser *p, rk_trouble what)
{
    if (p->side->trouble == RK_TROUBLE_NONE)
        p->side->trouble = what;
    return RK_EX_FAILED;
}

/* An operation on two values failed: one of them has none, or the result is too large. */
rk_ex rk_checked(rk_side_parser *p, rk_ex e)
{
    return e == RK_EX_FAILED ? rk_trouble_note(p, RK_TROUBLE_LARGE) : e;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

bool rk_side_double(const rk_pool *p, rk_ex e, double *out)
{
    rk_i128 num, den;

    if (!rk_ex_is_quotient(p, e, &num, &den))
        return false;
    *out = (double)num / (double)den;
    return true;
}

double rk_size_of(const rk_side_parser *p, rk_ex e)
{
    double d = 0;

    return rk_side_double(p->r->pool, e, &d) ? fabs(d) : 0;
}

static rk_ex power_of_ten(rk_side_parser *p, int e)
{
    rk_acc acc = {0};
    rk_i128 ten = rk_pow(&acc, 10, (unsigned)(e < 0 ? -e : e));

    if (acc.overflow)
        return rk_trouble_note(p, RK_TROUBLE_LARGE);
    return e < 0 ? rk_ex_ratio(p->r->pool, 1, ten) : rk_ex_int(p->r->pool, ten);
}

/* The exponent of the last digit that is not 0. */
static int coarse_exponent(const rk_written *w)
{
    int e = w->exponent;

    for (rk_i128 d = w->digits; d != 0 && d % 10 == 0; d /= 10)
        e++;
    return e;
}

static int significant(const rk_written *w)
{
    int n = 0;

    for (rk_i128 d = w->digits; d != 0; d /= 10)
        n++;
    return n;
}

bool rk_read_number(rk_side_parser *p, rk_value *out)
{
    const rk_audit_token *t = rk_peek(p, 0);
    const rk_written *w = &p->r->lexed->number.at[t->id];
    rk_pool *pool = p->r->pool;

    *out = (rk_value){.digits = significant(w)};
    out->ex = w->wide ? rk_trouble_note(p, RK_TROUBLE_LARGE)
                      : rk_checked(p, rk_ex_mul(pool, rk_ex_int(pool, w->digits), power_of_ten(p, w->exponent)));
    out->literal = (rk_literal){.is = true,
                                .rounded = w->decimal,
                                .about = t->about,
                                .unit = pow(10, w->exponent),
                                .coarse = pow(10, coarse_exponent(w)),
                                .decimals = w->exponent < 0 ? -w->exponent : 0,
                                .scale = rk_ex_int(pool, 1)};
    out->slack = w->decimal || t->about ? out->literal.unit / 2 : 0;
    p->side->maybe_two |= w->maybe_two;
    p->side->digits = true;
    p->at++;
    return true;
}

static void scale(rk_side_parser *p, rk_value *v, rk_ex by)
{
    double size = rk_size_of(p, by);

    v->ex = rk_checked(p, rk_ex_mul(p->r->pool, v->ex, by));
    v->literal.scale = rk_ex_mul(p->r->pool, v->literal.scale, by);
    v->literal.unit *= size;
    v->literal.coarse *= size;
    v->slack = v->literal.is && size != 1 ? v->literal.unit / 2 : v->slack * size;
    v->literal.rounded |= size != 1;
}

/* "2.706 × 10^{11}": still a number as it was written. */
void rk_read_scientific(rk_side_parser *p, rk_value *v)
{
    const rk_audit_token *ten = rk_peek(p, 1);
    size_t brace = rk_sees(p, 3, RK_TOKEN_OPEN), minus = rk_sees_sign(p, 3 + brace, '-');
    const rk_audit_token *e = rk_peek(p, 3 + brace + minus);
    const rk_written *w = p->r->lexed->number.at;

    if (!rk_sees_sign(p, 0, '*') || !rk_sees(p, 1, RK_TOKEN_NUMBER) || !rk_sees_sign(p, 2, '^') || !e ||
        e->kind != RK_TOKEN_NUMBER)
        return;
    if (w[ten->id].digits != 10 || w[ten->id].exponent != 0 || w[e->id].exponent != 0 || w[e->id].digits > 60 ||
        (brace && !rk_sees(p, 5 + minus, RK_TOKEN_CLOSE)))
        return;
    p->at += 4 + 2 * brace + minus;
    scale(p, v, power_of_ten(p, (int)w[e->id].digits * (minus ? -1 : 1)));
}

/* ---- units and labels ------------------------------------------------------------------------------------------- */

static rk_ex scale_of(rk_side_parser *p, const rk_word_unit *u)
{
    rk_pool *pool = p->r->pool;
    bool binary = u->binary || (p->how.units == RK_READ_BINARY && (u->kind == RK_WORD_UNIT_BYTES || u->letter));
    rk_acc acc = {0};

    if (p->how.units == RK_READ_WORDS)
        return rk_ex_int(pool, 1);
    if (u->kind == RK_WORD_UNIT_SHARE)
        return rk_ex_ratio(pool, 1, 100);
    return rk_ex_int(pool, rk_pow(&acc, binary ? 1024 : 1000, (unsigned)u->power));
}

/* A letter directly behind a number is a scale where it is no symbol of the text, unless read the other way round. */
static bool is_scale_letter(const rk_side_parser *p, const rk_audit_token *t, const rk_value *v)
{
    bool symbol = p->r->known[p->r->text[t->at] & 0x7F];

    if (v->literal.is && v->literal.decimals > 0) /* no one writes 10.24 × M as 10.24M */
        return true;
    return !t->space && symbol == p->how.letters;
}

static const rk_word_unit *unit_at(const rk_side_parser *p, const rk_value *v)
{
    const rk_audit_token *t = rk_peek(p, 0);
    const rk_word_unit *u;

    if (!t || (t->kind != RK_TOKEN_WORD && t->kind != RK_TOKEN_SYMBOL))
        return NULL;
    u = rk_word_unit_find(p->r->text + t->at, t->n);
    if (u && u->letter && t->space && p->r->text[t->at] == 'B' && v->literal.decimals == 0 && t->mode == RK_MODE_PLAIN)
        return rk_word_unit_find("bytes", 5); /* "4 B" is no four billions */
    return u && u->letter && !is_scale_letter(p, t, v) ? NULL : u;
}

/* "2.13 billion", "7.92 GB", "4 bytes", "512 flops": as many as follow each other. */
void rk_read_units(rk_side_parser *p, rk_value *v)
{
    for (const rk_word_unit *u; (u = unit_at(p, v)) && rk_spend(p);) {
        if (u->power != 0)
            scale(p, v, scale_of(p, u));
        if (u->kind != RK_WORD_UNIT_SCALE || !p->side->unit)
            p->side->unit = u;
        p->at++;
    }
}

static bool is_stop(const rk_side_parser *p, const rk_audit_token *t)
{
    static const char *const stop[] = {"for", "of",   "in", "with",  "at",    "from",  "to",   "by",    "on",    "the",
                                       "a",   "an",   "as", "and",   "or",    "is",    "so",   "then",  "are",   "if",
                                       "but", "when", "vs", "where", "which", "while", "than", "gives", "equals"};

    for (size_t i = 0; i < sizeof stop / sizeof *stop; i++)
        if (strlen(stop[i]) == t->n && memcmp(stop[i], p->r->text + t->at, t->n) == 0)
            return true;
    return false;
}

/* How many tokens a remark in brackets takes, from `ahead` on; 0: there is none.  It has a word in it. */
static size_t remark(const rk_side_parser *p, size_t ahead)
{
    enum {
        REMARK_MAX = 24
    };
    bool words = false;
    int depth = 0;

    if (!rk_sees(p, ahead, RK_TOKEN_OPEN) || rk_peek(p, ahead)->op == '{')
        return 0;
    for (size_t i = ahead; i < ahead + REMARK_MAX && rk_peek(p, i); i++) {
        const rk_audit_token *t = rk_peek(p, i);

        depth += t->kind == RK_TOKEN_OPEN ? 1 : t->kind == RK_TOKEN_CLOSE ? -1 : 0;
        words |= t->kind == RK_TOKEN_WORD;
        if (t->kind == RK_TOKEN_EQUALS)
            return 0;
        if (depth == 0)
            return words ? i + 1 - ahead : 0;
    }
    return 0;
}

/* Words and remarks up to an operator or a relation, which show that the formula goes on, are a label. */
void rk_read_label(rk_side_parser *p)
{
    size_t n = 0, words = 0, more;

    while (rk_spend(p)) {
        if (rk_sees(p, n, RK_TOKEN_WORD) && words < RK_SIDE_LABEL_MAX && !is_stop(p, rk_peek(p, n))) {
            words++;
            n++;
        } else if ((more = remark(p, n)) > 0) {
            n += more;
        } else {
            break;
        }
    }
    if (n == 0 || !(rk_sees(p, n, RK_TOKEN_EQUALS) || rk_sees(p, n, RK_TOKEN_SIGN)))
        return;
    if (rk_sees(p, n, RK_TOKEN_EQUALS) && !rk_peek(p, n)->space && rk_sees(p, n - 1, RK_TOKEN_WORD))
        return; /* min=12.5 is a key and its value */
    if (rk_sees(p, n, RK_TOKEN_SIGN) &&
        (rk_peek(p, n)->op == '^' || (rk_peek(p, n)->op == '-' && !rk_sees(p, n + 1, RK_TOKEN_NUMBER))))
        return;
    p->side->labelled |= words > 0;
    p->at += n;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

rk_ex rk_use_symbol(rk_side_parser *p, rk_sym s)
{
    rk_side *side = p->side;
    size_t i = 0;

    while (i < side->n_symbol && side->symbol[i] != s)
        i++;
    if (i == RK_SIDE_SYMBOLS_MAX || s == RK_SYM_NONE)
        return rk_trouble_note(p, RK_TROUBLE_MANY);
    side->symbol[i] = s;
    side->n_symbol += i == side->n_symbol;
    side->degree++;
    return rk_ex_sym(p->r->pool, s);
}

/* "BTd" looks like a product, "Set", "flag" and "flags" like words. */
static bool looks_like_product(const rk_side_parser *p, const rk_audit_token *t)
{
    size_t capitals = 0;

    for (uint32_t i = 0; i < t->n; i++)
        capitals += p->r->text[t->at + i] < 'a';
    return capitals > 1 || (capitals == 1 && t->n == 2);
}

/* Whether letters that stand together are a product: all are symbols, or they stand directly behind a number. */
bool rk_is_product(const rk_side_parser *p, const rk_audit_token *t)
{
    enum {
        LETTERS_MAX = 8,
        ALONE_MAX = 5,
        BEHIND_MAX = 3
    };
    bool known = true, capital = true,
         behind = p->at > p->side->from && !t->space && p->token[p->at - 1].kind == RK_TOKEN_NUMBER;

    if (t->kind != RK_TOKEN_WORD || t->n > LETTERS_MAX)
        return false;
    for (uint32_t i = 0; i < t->n; i++) {
        unsigned char c = (unsigned char)p->r->text[t->at + i];

        if (!rk_lex_is_letter(c))
            return false;
        known &= p->r->known[c];
        capital &= c < 'a';
    }
    if (behind && (known || (capital && t->n <= BEHIND_MAX) || rk_sees_sign(p, 1, '^')))
        return true;
    return known && t->n <= ALONE_MAX && looks_like_product(p, t);
}

/* All letters but the last, which a power behind them belongs to. */
rk_ex rk_read_letters(rk_side_parser *p, const rk_audit_token *t, rk_ex *last)
{
    rk_pool *pool = p->r->pool;
    rk_ex all = rk_ex_int(pool, 1);

    for (uint32_t i = 0; i < t->n; i++) {
        char name[2] = {p->r->text[t->at + i], '\0'};

        *last = rk_use_symbol(p, rk_sym_declare(pool, name, 0));
        if (i + 1 < t->n)
            all = rk_ex_mul(pool, all, *last);
    }
    p->side->name |= t->n > 1;
    p->at++;
    return all;
}

/* "Total = …": a word directly before a relation, or one of a chain of such, names something. */
bool rk_is_name(const rk_side_parser *p, const rk_audit_token *t)
{
    if (t->kind != RK_TOKEN_WORD || t->n < 2 || t->n > 48 || p->at != p->side->from)
        return false;
    if (p->at > 0 && p->token[p->at - 1].kind == RK_TOKEN_WORD)
        return false;
    return rk_sees(p, 1, RK_TOKEN_EQUALS) && rk_lex_is_letter((unsigned char)p->r->text[t->at]);
}

bool rk_read_name(rk_side_parser *p, rk_value *out)
{
    const rk_audit_token *t = rk_peek(p, 0);
    char name[64] = {0};

    memcpy(name, p->r->text + t->at, t->n);
    *out = (rk_value){.ex = rk_use_symbol(p, rk_sym_declare(p->r->pool, name, 0))};
    p->at++;
    return true;
}
