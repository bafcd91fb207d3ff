/* SPDX-License-Identifier: MIT */
/*
 * Which differences are mistakes.  A reader who is told once that a right line is wrong does not look at the next one,
 * so that the burden of proof is on "wrong": every part of the equation, and what stands beside it, was understood, and
 * nothing that people leave unwritten explains the difference.  Each reason to doubt that is a row of one table, with
 * points; where they come to enough, the claim is doubtful.
 */
#include "audit/judge_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* How far apart two numbers are, in either direction; 0 is the same. */
double rk_pair_distance(const rk_pair *p, const rk_verdict *v)
{
    double x, y;

    if (!rk_side_double(p->a->pool, v->left, &x) || !rk_side_double(p->a->pool, v->right, &y) || x <= 0 || y <= 0)
        return HUGE_VAL;
    return fabs(log(x / y));
}

/* "16.06 GB = 14.96 GiB": a number in two units of one kind, in which a unit is no mere word, and GB is not GiB. */
bool rk_pair_is_conversion(const rk_pair *p)
{
    const rk_side *x = p->x, *y = p->y;

    return x->literal.is && y->literal.is && x->unit && y->unit && x->unit != y->unit &&
           x->unit->kind == y->unit->kind && x->unit->kind != RK_WORD_UNIT_SCALE;
}

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

/* What the right side is of the left one, num/den; false: no plain number. */
static bool ratio_of(const rk_pair *p, rk_i128 *num, rk_i128 *den)
{
    rk_ex left = p->v->left, ratio = RK_EX_FAILED;

    if (left != RK_EX_FAILED && left != rk_ex_int(p->a->pool, 0))
        ratio = rk_ex_div(p->a->pool, p->v->right, left);
    return ratio != RK_EX_FAILED && rk_ex_is_quotient(p->a->pool, ratio, num, den);
}

/* What the right side is of the left one, or the left of the right where that is more; 0: no plain numbers. */
static double factor_of(const rk_pair *p)
{
    double far = rk_pair_distance(p, p->v);

    return far == HUGE_VAL ? 0 : exp(far);
}

/* How far off its rounding may make a side, of its size; a whole number may be a rounded one. */
static double loosely(const rk_pair *p, const rk_side *s)
{
    double size, slack = s->literal.is ? fmax(s->slack, s->literal.unit / 2) : s->slack;

    return rk_side_double(p->a->pool, s->value, &size) && size > 0 ? slack / size : 0;
}

/* Whether one side is so many times the other, as far as their digits tell. */
static bool is_off_by(const rk_pair *p, double factor)
{
    const double least = 2e-3;
    double off = factor_of(p), near = loosely(p, p->x) + loosely(p, p->y) + least;

    return off > 0 && fabs(off / factor - 1) < near;
}

static const rk_audit_token *token_before(const rk_pair *p)
{
    return p->x->from > p->a->lexed.first[p->piece] ? &p->a->lexed.token.at[p->x->from - 1] : NULL;
}

static const rk_audit_token *token_after(const rk_pair *p)
{
    return p->y->to < p->a->lexed.first[p->piece + 1] ? &p->a->lexed.token.at[p->y->to] : NULL;
}

/* Both sides have units, and of one kind: nothing is left to guess about them. */
static bool has_sure_units(const rk_pair *p)
{
    const rk_word_unit *x = p->x->unit, *y = p->y->unit;

    return x && y && x->kind == y->kind && x->kind != RK_WORD_UNIT_SCALE && !p->x->mixed && !p->y->mixed;
}

/* "4 × b × 593,593 = 2,432,188,416 × b": what b is does not matter. */
static bool is_of_coefficients(const rk_pair *p)
{
    rk_ex ratio;

    if (p->x->n_symbol == 0 || p->y->n_symbol == 0 || p->x->value == RK_EX_FAILED || p->y->value == RK_EX_FAILED ||
        p->x->value == rk_ex_int(p->a->pool, 0))
        return false;
    if (!p->x->digits || !p->y->digits)
        return false;
    ratio = rk_ex_div(p->a->pool, p->y->value, p->x->value);
    return ratio != RK_EX_FAILED && rk_ex_is_quotient(p->a->pool, ratio, &(rk_i128){0}, &(rk_i128){0});
}

/* ---- where it begins and ends ------------------------------------------------------------------------------------ */

/* "65 % minus 37.5 % = 27.5 %", "weights + cache 15 GB = 105 GB": what is read is only the end of a side. */
static bool begins_inside(const rk_pair *p)
{
    enum {
        WORDS_MAX = 4
    };
    const rk_audit_token *t = token_before(p), *first = &p->a->lexed.token.at[p->a->lexed.first[p->piece]];

    if (p->x != p->first || !t)
        return false;
    if (t->kind == RK_TOKEN_WORD && rk_lexicon_is(p->a->lexicon, RK_WORDS_JOINS, p->a->scan.text + t->at, t->n))
        return true;
    for (size_t words = 0; t > first && words < WORDS_MAX && (t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL);
         words++)
        t--;
    /* "1 次查 50 × 2": a number, and a word of a script without blanks. */
    if (t->kind == RK_TOKEN_NUMBER && t + 2 == &p->a->lexed.token.at[p->x->from] &&
        (unsigned char)p->a->scan.text[t[1].at] >= 0xE3)
        return true;
    return (t->kind == RK_TOKEN_SIGN && (t->op != '-' || !t->space) && !(t->op == '/' && !t->space)) ||
           (t + 1 == &p->a->lexed.token.at[p->x->from] &&
            (t->kind == RK_TOKEN_NUMBER || t->kind == RK_TOKEN_CLOSE || t->kind == RK_TOKEN_JUNK));
}

/* "dots … 25 MiB × 4" and "≈ 400 MiB" below it: what a line begins with belongs to the whole line before it. */
static bool is_below(const rk_pair *p)
{
    const rk_audit_token *relation = &p->a->lexed.token.at[p->y->from];
    uint32_t at = p->a->lexed.token.at[p->x->from].at;
    const char *text = p->a->scan.text;

    if (p->y->from == 0 || relation[-1].kind != RK_TOKEN_EQUALS || !relation[-1].first || p->x != p->first)
        return false;
    while (at > 0 && strchr(" \t*$`(>&-", text[at - 1]))
        at--;
    return at > 0 && text[at - 1] != '\n' && text[at - 1] != ':';
}

/* "D × 4D, 4D × D = 8D²": formulas in a row, which what follows them may be of together. */
static bool is_of_a_list(const rk_pair *p)
{
    const rk_audit_token *t = token_before(p), *first = &p->a->lexed.token.at[p->a->lexed.first[p->piece]];
    size_t signs = 0;

    if (p->x != p->first || !t || t->kind != RK_TOKEN_COMMA)
        return false;
    while (t > first && t->kind != RK_TOKEN_BREAK && t->kind != RK_TOKEN_WORD && t->kind != RK_TOKEN_EQUALS) {
        signs += t->kind == RK_TOKEN_SIGN;
        t--;
    }
    return signs > 0 && t->kind != RK_TOKEN_EQUALS;
}

/* "= 40 960 000", "= 2 -": something that belongs to it stands after it, or the text was cut there. */
static bool ends_inside(const rk_pair *p)
{
    const rk_audit_token *t = token_after(p);

    if (!t)
        return p->y->to == p->a->lexed.token.n && p->a->lexed.skipped > 0;
    return t->kind == RK_TOKEN_NUMBER || t->kind == RK_TOKEN_JUNK ||
           (t->kind == RK_TOKEN_OPEN && !t->space && t->op != '(') ||
           (t->kind == RK_TOKEN_SIGN &&
            (p->y->to + 1 == p->a->lexed.first[p->piece + 1] || t[1].kind == RK_TOKEN_BREAK));
}

/* "Δ=0 / Δ=3", "x = a / x = b": keys and values beside each other. */
static bool names_itself(const rk_pair *p)
{
    for (size_t i = 0; i < p->x->n_symbol; i++)
        if (p->x != p->first && p->first->alone == p->x->symbol[i])
            return true;
    return false;
}

/* "0.042 ~ 0.047": from one to the other. */
static bool is_span(const rk_pair *p)
{
    const rk_audit_token *t = &p->a->lexed.token.at[p->y->from];
    const char *sign;

    if (p->y->from == 0 || !p->x->literal.is || !p->y->literal.is || t[-1].kind != RK_TOKEN_EQUALS)
        return false;
    sign = p->a->scan.text + t[-1].at;
    return t[-1].n > 1 && (strncmp(sign, "\\sim", 4) == 0 || strncmp(sign, "\xE2\x88\xBC", 3) == 0) &&
           strncmp(sign, "\\simeq", 6) != 0;
}

/* ---- what is said around it -------------------------------------------------------------------------------------- */

/* A number in words, or one that stands in the text, if it is a factor that someone may have left out; else 0. */
static double said_number(const rk_pair *p, size_t i)
{
    const rk_audit_token *t = &p->a->lexed.token.at[i];
    const rk_written *w = p->a->lexed.number.at;
    const rk_lexeme *word;

    if (t->kind == RK_TOKEN_NUMBER && !w[t->id].wide)
        return (double)w[t->id].digits * pow(10, w[t->id].exponent);
    if (t->kind != RK_TOKEN_WORD)
        return 0;
    word = rk_lexicon_is(p->a->lexicon, RK_WORDS_NUMBER, p->a->scan.text + t->at, t->n);
    return word ? word->id : 0;
}

/* "three matrices of 10 × 5 = 150", "8 cards at 989 × 0.4 = 3,163": a number before it says what it leaves out. */
static bool is_said_before(const rk_pair *p)
{
    enum {
        BACK_MAX = 48,
        NEAR_MAX = 16,
        LARGE = 12 /* factors that small numbers nearby do not explain by chance */
    };
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t first = p->a->lexed.first[p->piece], from = p->first->from;
    bool same = true; /* the sentence, as far as it is one */

    if (factor_of(p) < 1.5)
        return false;
    for (size_t i = from; i > first && i + BACK_MAX > from; i--) {
        const rk_audit_token *b = &t[i - 1];
        double n = said_number(p, i - 1);
        bool counts = b->kind == RK_TOKEN_WORD || ((t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_SYMBOL) &&
                                                   (i - 1 == first || b[-1].kind != RK_TOKEN_SIGN));

        same &= b->kind != RK_TOKEN_EQUALS && (b->kind != RK_TOKEN_BREAK || b->op == ':') && i + NEAR_MAX > from;
        if (n > 1 && (n > LARGE || (same && counts)) && is_off_by(p, n))
            return true;
    }
    return false;
}

/* "109.2 / 1,000 ≈ 6.6 minutes" was hours on the left; and bits are counted in eights. */
static bool is_other_unit(const rk_pair *p)
{
    size_t end = p->a->lexed.first[p->piece + 1];
    /* "1.48 billion = 1,474,560,000" leaves no unit open. */
    bool scales = (!p->x->unit || p->x->unit->kind == RK_WORD_UNIT_SCALE) &&
                  (!p->y->unit || p->y->unit->kind == RK_WORD_UNIT_SCALE);

    if (rk_audit_says(p->a, RK_WORDS_BITS, p->x->from, p->y->to < end ? p->y->to + 1 : end))
        return true;
    if (p->x->rate != p->y->rate && (p->x->rate ? p->x->rate->num : 1) != (p->y->rate ? p->y->rate->num : 1))
        return true;
    /* "39 ms = 25.6 tokens/s": neither is a form of the other. */
    if (p->x->literal.is && p->y->literal.is && (p->x->unit || p->y->unit) && !has_sure_units(p) &&
        ((!scales && (!p->x->unit || !p->y->unit)) || rk_pair_distance(p, p->v) > log(1.5)))
        return true;
    if (p->x->unit && p->y->unit && p->x->unit->kind != p->y->unit->kind && p->x->unit->kind != RK_WORD_UNIT_SCALE &&
        p->y->unit->kind != RK_WORD_UNIT_SCALE)
        return true; /* "160 × 1.5 / 25 GB/s ≈ 10.9 ms": of what is divided it is not said */
    /* No unit of time is as little as half or twice another. */
    return p->x->timed != p->y->timed && rk_pair_distance(p, p->v) > log(2);
}

/* Off by a power of 2 or of 1,000: whatever the values, someone forgot something. */
static bool is_telling(const rk_pair *p)
{
    rk_i128 num, den;

    if (!ratio_of(p, &num, &den) || (num != 1 && den != 1))
        return false;
    num = num == 1 ? den : num;
    return (num & (num - 1)) == 0 || num == 1000 || num == 1000000;
}

/* "48 *" on the line before: what is compared is only the end of a side.  (Bold text ends in two stars, though.) */
static bool begins_before(const rk_pair *p)
{
    const char *text = p->a->scan.text;
    size_t at = p->a->lexed.token.at[p->x->from].at, n = at;

    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        n--;
    return n > 1 && memchr(text + n, '\n', at - n) && strchr("*+/", text[n - 1]) && text[n - 2] != text[n - 1];
}

/* The 10 of × 10¹². */
static bool is_ten(const rk_pair *p, size_t i)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    return p->a->lexed.number.at[t[i].id].digits == 10 && t[i + 1].kind == RK_TOKEN_SIGN && t[i + 1].op == '^';
}

/* "T² / 2T", "a / (3 × b) × 2": whether all that follows the stroke divides is not said. */
static bool divides_by_more(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i + 2 < p->y->to; i++) {
        size_t close = i + 1;

        if (t[i].kind != RK_TOKEN_SIGN || t[i].op != '/')
            continue;
        for (int depth = t[close].kind == RK_TOKEN_OPEN && t[close].op == '('; depth > 0 && close < p->y->to;)
            if (++close < p->y->to)
                depth += t[close].kind == RK_TOKEN_OPEN ? 1 : t[close].kind == RK_TOKEN_CLOSE ? -1 : 0;
        if (close > i + 1 && close + 1 < p->y->to && t[close + 1].kind == RK_TOKEN_SIGN && t[close + 1].op == '*')
            return true;
        if (t[i + 1].kind == RK_TOKEN_NUMBER &&
            (t[i + 2].kind == RK_TOKEN_SYMBOL ||
             (t[i + 2].kind == RK_TOKEN_SIGN && t[i + 2].op == '*' && i + 3 < p->x->to &&
              t[i + 3].kind == RK_TOKEN_NUMBER && !is_ten(p, i + 3))))
            return true;
    }
    return false;
}

/* "4 × d = 6,400" says what d is. */
static bool is_evaluated(const rk_pair *p)
{
    return p->x->n_symbol > 0 && p->y->n_symbol == 0 && p->y->literal.is && !p->v->far && p->v->left != RK_EX_FAILED &&
           !rk_ex_is_quotient(p->a->pool, p->v->left, &(rk_i128){0}, &(rk_i128){0});
}

static bool is_power(double ratio, double near)
{
    enum {
        POWERS = 6
    };

    ratio = ratio < 1 ? 1 / ratio : ratio;
    for (int k = 1; k <= POWERS; k++)
        if (fabs(ratio / pow(1000, k) - 1) < near || fabs(ratio / pow(1024, k) - 1) < near)
            return true;
    return false;
}

/* The M of 10M, the x of 3x. */
static bool is_scale(const rk_pair *p, const rk_audit_token *t)
{
    const char *letter = p->a->scan.text + t->at;
    const rk_word_unit *u = rk_lexicon_unit(p->a->lexicon, letter, 1);

    return t->n == 1 && !t->space && (*letter == 'x' || (u && u->letter));
}

/* A number alone, perhaps with a letter that may be a scale. */
static bool is_figure(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = &p->a->lexed.token.at[s->from];

    if (s->to == s->from + 3 && t[0].kind == RK_TOKEN_NUMBER && t[1].kind == RK_TOKEN_SIGN && t[1].op == '^')
        return true; /* 10²¹ */
    return s->literal.is ||
           (s->n_symbol == 1 && t[0].kind == RK_TOKEN_NUMBER && t[1].kind == RK_TOKEN_SYMBOL && is_scale(p, &t[1]) &&
            s->degree <= 1 && s->to >= s->from + 2 && (s->to == s->from + 2 || t[2].kind == RK_TOKEN_WORD));
}

/* "(50%) = 0.5 × 19.5 × 10¹²": a number alone stands for words before it, which are not read, or restates one. */
static bool is_cut_out(const rk_pair *p)
{
    if (!is_figure(p, p->x) || (p->x != p->first && !(p->x == p->first + 1 && p->first->alone != RK_SYM_NONE)))
        return false;
    if (p->a->lexed.token.at[p->x->from].kind == RK_TOKEN_OPEN)
        return true;
    if (!is_figure(p, p->y))
        return p->y->computed;
    return rk_pair_distance(p, p->v) > log(1.5) &&
           !(rk_pair_is_conversion(p) && is_power(exp(rk_pair_distance(p, p->v)), 0.02));
}

/* A word after a number that is no unit of ours: pJ, kWh, and kb outside of the formula. */
static bool has_other_word(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t end = p->a->lexed.first[p->piece + 1];

    for (size_t i = p->x->from + 1; i <= p->y->to && i < end; i++)
        if (t[i].kind == RK_TOKEN_WORD &&
            (t[i - 1].kind == RK_TOKEN_NUMBER ||
             (i == p->y->to && (!p->y->unit || p->y->unit->kind == RK_WORD_UNIT_SCALE))) &&
            !rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t[i].at, t[i].n))
            return true;
    return false;
}

/* The MT of "6400 MT/s": a few letters with capitals after a number. */
static bool has_unit_like(const rk_pair *p)
{
    enum {
        LETTERS_MAX = 4
    };
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from + 1; i < p->x->to; i++) {
        const char *word = p->a->scan.text + t[i].at;

        if (t[i].kind == RK_TOKEN_WORD && t[i - 1].kind == RK_TOKEN_NUMBER && t[i].n <= LETTERS_MAX &&
            !rk_lexicon_unit(p->a->lexicon, word, t[i].n))
            for (uint16_t k = 0; k < t[i].n; k++)
                if (word[k] >= 'A' && word[k] <= 'Z')
                    return true;
    }
    return false;
}

/* "2phi + 1 = 4.236": letters that stand directly after a number, and are neither a unit nor symbols. */
static bool has_tied_word(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from + 1; i < p->x->to && p->x->n_symbol == 0; i++) {
        const char *word = p->a->scan.text + t[i].at;

        if (t[i].kind == RK_TOKEN_WORD && t[i - 1].kind == RK_TOKEN_NUMBER && !t[i].space &&
            rk_lex_is_letter((unsigned char)*word) && *word != 'x' && !rk_lexicon_unit(p->a->lexicon, word, t[i].n))
            return true;
    }
    return false;
}

static bool has_stroke(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from; i < s->to; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op == '/')
            return true;
    return false;
}

/*
 * Sides a power of 1,000 or of 1,024 apart, and nothing says of one of them in which unit it is: "2 × 997 = 1.99 GB",
 * "0.03 + 0.75 = 0.78 ms".  Whole numbers multiplied with each other are counts, and were meant as such.
 */
static bool is_scaled(const rk_pair *p)
{
    enum {
        TOKENS_FEW = 3 /* a × b */
    };
    const rk_side *x = p->x, *y = p->y;
    double near = 2 * (loosely(p, x) + loosely(p, y)) + 1e-3, u, w;
    bool one = !x->unit != !y->unit, few = x->to - x->from <= TOKENS_FEW && y->unit && y->unit->power > 0;
    rk_i128 num, den;

    if (ratio_of(p, &num, &den) && x->n_symbol > 0 && y->n_symbol > 0 && is_power((double)num / (double)den, 0.02))
        return true;
    if (!rk_side_double(p->a->pool, x->value, &u) || !rk_side_double(p->a->pool, y->value, &w) || u <= 0 || w <= 0 ||
        !(is_power(u / w, near) || (x->slack > 0 && !x->unit && is_power(2 * u / w, near))))
        return false;
    if (has_sure_units(p) && !x->timed && !has_unit_like(p))
        return false;
    if (has_other_word(p))
        return true;
    if (!y->unit && y->literal.is && (y->literal.decimals > 0 || has_stroke(p, x)))
        return true; /* in the unit of its column, or of what follows */
    return one ? x->slack > 0 || !y->literal.is || few : !x->unit && (u < 1 || w < 1);
}

/* "4.8 / 3.35 ≈ 43 %": by so much it is more, or less. */
static bool is_change(const rk_pair *p)
{
    const double hundredth = 0.01;
    double x, y;

    return rk_side_double(p->a->pool, p->v->left, &x) && rk_side_double(p->a->pool, p->v->right, &y) &&
           fabs(fabs(x - 1) - y) < hundredth;
}

/* Factors that people leave unwritten, and where: per cent, seconds of a longer time, a MAC's two operations. */
static bool is_usual_factor(const rk_pair *p)
{
    static const double periods[] = {60, 3600, 24, 1440, 86400, 7, 30, 30.44, 365, 365.25, 12, 52};
    const rk_audit_token *after = token_after(p);
    bool word = after && (after->kind == RK_TOKEN_WORD || after->kind == RK_TOKEN_SYMBOL);
    bool share = (p->x->unit && p->x->unit->kind == RK_WORD_UNIT_SHARE) ||
                 (p->y->unit && p->y->unit->kind == RK_WORD_UNIT_SHARE);
    bool timed = p->x->timed || p->y->timed || p->x->rate || p->y->rate;

    if (is_off_by(p, 100) && (share || !p->y->unit))
        return true;
    if (share && is_change(p))
        return true;
    for (size_t i = 0; i < sizeof periods / sizeof *periods && (timed || (word && !p->y->unit)); i++)
        if (is_off_by(p, periods[i]) && p->x->slack + p->y->slack + (timed ? 1 : 0) > 0)
            return true;
    return !p->x->unit && p->y->unit && p->y->unit->kind == RK_WORD_UNIT_FLOPS &&
           (is_off_by(p, 2) || is_off_by(p, 3) || is_off_by(p, 6));
}

/* "114,688 bytes ≈ 0.112 MB": divided by 1,024 once, and by 1,000 once. */
static bool is_of_mixed_powers(const rk_pair *p)
{
    const rk_word_unit *u = p->y->unit;
    double x, y, near = loosely(p, p->x) + loosely(p, p->y) + 1e-4;

    if (!u || u->kind != RK_WORD_UNIT_BYTES || u->binary || !rk_side_double(p->a->pool, p->x->value, &x) ||
        !rk_side_double(p->a->pool, p->y->value, &y) || x <= 0 || y <= 0)
        return false;
    for (int k = 1; k < u->power; k++)
        if (fabs(x / y / pow(1.024, k) - 1) < near)
            return true;
    return false;
}

/* "6,144 × T", "190Ld²": a number and letters that it is multiplied with. */
static bool is_term(const rk_pair *p, const rk_side *s)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = s->from + 1; i < s->to; i++)
        if ((t[i].kind == RK_TOKEN_NUMBER && !(t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '^') &&
             t[i - 1].kind != RK_TOKEN_OPEN) ||
            (t[i].kind == RK_TOKEN_SIGN && t[i].op != '*' && t[i].op != '^'))
            return false;
    return s->n_symbol > 0 && t[s->from].kind == RK_TOKEN_NUMBER;
}

/* "0.6pp = 9pp": letters after numbers that are no unit of ours. */
static bool is_of_unknown_units(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i < p->x->to; i++)
        if (t[i].kind == RK_TOKEN_SIGN || t[i].mode == RK_MODE_MATH)
            return false;
    return is_term(p, p->x) && p->y->n_symbol > 0;
}

/* Steps of a derivation: what is on either side may have been meant otherwise than it was read. */
static bool is_a_step(const rk_pair *p)
{
    return p->x->computed && p->y->computed && !p->x->literal.is && !p->y->literal.is && !has_sure_units(p) &&
           !is_term(p, p->y);
}

/* "6.47 + 0.2606 × 50 = 21.7 GB": of decimals no one knows in which units they are. */
static bool is_without_unit(const rk_pair *p)
{
    return !p->x->unit && p->x->slack > 0 && p->y->unit && p->y->unit->kind != RK_WORD_UNIT_SCALE;
}

/* "25 × (1000 ÷ 32) = 775": 31 steps of an epoch, and no 31.25. */
static bool is_rounded_inside(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    double off = factor_of(p);

    for (size_t i = p->x->from; i + 2 < p->x->to && off > 0; i++) {
        double a = said_number(p, i), b = said_number(p, i + 2), q;

        if (t[i + 1].kind != RK_TOKEN_SIGN || t[i + 1].op != '/' || a <= 0 || b <= 0 || p->x->to - p->x->from <= 3)
            continue;
        q = a / b;
        if (q > 1 && q != floor(q) && off <= (floor(q) + 1) / floor(q) &&
            (is_off_by(p, q / floor(q)) || is_off_by(p, ceil(q) / q) || is_off_by(p, round(q) / q)))
            return true;
    }
    return false;
}

/* "≈ 47" for 44.9: two digits that do not claim to be exact; "4 × ~100 × 2 = 770". */
static bool is_said_roughly(const rk_pair *p)
{
    const double tenth = 0.1, fifth = 0.2, digits_few = 100;
    const rk_literal *said = p->y->literal.is ? &p->y->literal : &p->x->literal;
    const rk_audit_token *t = p->a->lexed.token.at;
    double size;

    for (size_t i = p->x->from; i < p->x->to && factor_of(p) <= 1 + fifth; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && t[i].about)
            return true;

    return said->is && (said->about || p->y->about) && factor_of(p) <= 1 + tenth &&
           rk_side_double(p->a->pool, p->y->literal.is ? p->y->value : p->x->value, &size) &&
           size / said->coarse < digits_few;
}

/* "3D = DP × PP × TP", "T*N = 20": names of things, and what letters are to be. */
static bool is_of_letters(const rk_pair *p)
{
    const double count_least = 1e5, count_small = 1e3;
    const rk_audit_token *t = &p->a->lexed.token.at[p->x->from];
    double size;

    if (p->x->n_symbol > 0 && !p->y->digits && p->x->to == p->x->from + 2 && t[0].kind == RK_TOKEN_NUMBER &&
        !t[1].space)
        return true;
    return p->x->n_symbol > 0 && p->y->literal.is && !p->y->unit && rk_side_double(p->a->pool, p->v->right, &size) &&
           size < (p->x->digits ? count_small : count_least);
}

/* "E[X²]", "FLOPs(forward)": letters before brackets. */
static bool is_function(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i + 1 < p->y->to; i++)
        if (t[i].kind == RK_TOKEN_OPEN && t[i].n > 1 && p->a->scan.text[t[i].at] == '\\')
            return true; /* \lceil: rounded inside */
    for (size_t i = p->x->from; i + 1 < p->y->to; i++)
        if ((t[i].kind == RK_TOKEN_SYMBOL || t[i].kind == RK_TOKEN_WORD) && t[i + 1].kind == RK_TOKEN_OPEN &&
            !t[i + 1].space && t[i + 1].op != '{' && p->x->n_symbol > 0)
            return true;
    return false;
}

/* "1024×1024 each ≈ 4K tokens": words after its numbers, and so far off that other things are meant. */
static bool is_of_others(const rk_pair *p)
{
    const double far = 100;
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i < p->x->to && rk_pair_distance(p, p->v) > log(far) && !has_sure_units(p); i++)
        if (t[i].kind == RK_TOKEN_WORD && (i == 0 || t[i - 1].kind != RK_TOKEN_SIGN) &&
            !rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t[i].at, t[i].n))
            return true;
    return false;
}

/* "3,712 × 1 = 15 KB": how many bytes each of the numbers takes is not written; and G may be of bits. */
static bool is_in_bytes(const rk_pair *p)
{
    double near = loosely(p, p->x) + loosely(p, p->y) + 5e-3, x, y, binary = 1;
    rk_i128 num, den;

    if ((p->x->unit && p->x->unit->kind != RK_WORD_UNIT_SCALE) || !p->y->unit || p->y->unit->kind != RK_WORD_UNIT_BYTES)
        return false;
    if (p->x->n_symbol > 0)
        return ratio_of(p, &num, &den) && den == 1 && (num == 2 || num == 4 || num == 8);
    if (!rk_side_double(p->a->pool, p->x->value, &x) || !rk_side_double(p->a->pool, p->y->value, &y) || x <= 0)
        return false;
    for (int i = 0; i < p->y->unit->power && !p->y->unit->binary; i++)
        binary *= 1.024;
    for (int bytes = 2; bytes <= 16; bytes *= 2)
        if (fabs(y / x / bytes - 1) < near || fabs(y * binary / x / bytes - 1) < near)
            return true;
    return fabs(8 * y / x - 1) < near;
}

/* "16×16 = 4 tiles of 8×8": what stands after it makes up for the rest. */
static bool is_said_after(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    size_t i = p->y->to, end = p->a->lexed.first[p->piece + 1];
    rk_side after;
    rk_i128 num, den, n;

    for (size_t words = 0; i < end && words < 4 && t[i].kind == RK_TOKEN_WORD; words++)
        i++;
    return i > p->y->to && i < end && t[i].kind == RK_TOKEN_NUMBER && ratio_of(p, &num, &den) &&
           rk_side_read(&p->a->reader, i, end, (rk_side_reading){0}, &after) && after.value != RK_EX_FAILED &&
           rk_ex_is_int(p->a->pool, after.value, &n) && (n == num || n == den);
}

/* "5 replicas × 2 CPU × 4 GB = 10 CPU total" counts some of what it lists; "Mixtral 8×7B = 46.7B" is a name. */
static bool is_of_some(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at, *x = &t[p->x->from];
    size_t end = p->a->lexed.first[p->piece + 1];
    bool labelled = p->y->to < end && t[p->y->to].kind == RK_TOKEN_WORD;
    bool name = p->x->to - p->x->from == 4 && x[0].kind == RK_TOKEN_NUMBER && !x[1].space && !x[2].space &&
                !x[3].space && p->x->from > p->a->lexed.first[p->piece] && x[-1].kind == RK_TOKEN_WORD;

    /* "= 40, 960, 000": a number that was torn apart. */
    if (p->y->to + 1 < end && t[p->y->to].kind == RK_TOKEN_COMMA && t[p->y->to + 1].kind == RK_TOKEN_NUMBER &&
        t[p->y->to + 1].n == 3 && p->y->literal.is)
        return true;
    return name || p->v->right == rk_ex_int(p->a->pool, 0) ||
           (p->x->unit && p->x->unit->kind == RK_WORD_UNIT_BYTES && !p->y->unit && labelled);
}

/* "1e3 TFLOPS = 1e3 GFLOPS = 1e3 MFLOPS": a thousand of each is one of the next. */
static bool is_ladder(const rk_pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *n = p->a->lexed.number.at;
    size_t i = p->x->from, k = p->y->from;

    return rk_pair_is_conversion(p) && t[i].kind == RK_TOKEN_NUMBER && t[k].kind == RK_TOKEN_NUMBER &&
           p->x->unit->power != p->y->unit->power && n[t[i].id].digits == n[t[k].id].digits &&
           n[t[i].id].exponent == n[t[k].id].exponent;
}

static bool is_rough(const rk_pair *p)
{
    return p->v->rough && !is_of_coefficients(p);
}

/* Formulas in letters that differ by more than a number: one of them may be another thing. */
static bool is_of_other_terms(const rk_pair *p)
{
    rk_i128 num, den;

    return rk_pair_distance(p, p->v) == HUGE_VAL && !(p->x->digits && p->y->digits && ratio_of(p, &num, &den));
}

/* A letter with several values in the text, none of which is given in this section. */
static bool has_many_values(const rk_pair *p)
{
    const rk_side *side[] = {p->x, p->y};

    for (size_t k = 0; k < 2 && p->v->far && !is_of_coefficients(p); k++)
        for (size_t i = 0; i < side[k]->n_symbol; i++)
            if (rk_define_varies(&p->a->definitions, side[k]->symbol[i]))
                return true;
    return false;
}

/* What is large and exact is a count of the model that the text is about, wherever its values stand. */
static bool is_apart(const rk_pair *p)
{
    const double count_least = 1e5;
    double size;

    return p->v->apart && !is_of_coefficients(p) &&
           !(p->y->literal.is && !p->y->literal.rounded && !p->y->unit &&
             rk_side_double(p->a->pool, p->v->right, &size) && size >= count_least);
}

static bool is_in_program(const rk_pair *p)
{
    return p->a->scan.piece.at[p->piece].program && (p->x->n_symbol > 0 || p->y->n_symbol > 0 || p->x->literal.is);
}

static bool is_of_elsewhere(const rk_pair *p)
{
    return !is_of_coefficients(p) && (p->v->foreign || (p->v->far && !is_telling(p)));
}

static bool is_far_off(const rk_pair *p)
{
    const double far = 30;

    return factor_of(p) > far;
}

/* Words after the result that are no unit of ours: it may be of something else than what is computed. */
static bool is_of_something(const rk_pair *p)
{
    const rk_audit_token *t = token_after(p);

    return t && (t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL) && !p->y->unit;
}

static bool has_letters(const rk_pair *p)
{
    return p->x->n_symbol + p->y->n_symbol > 0;
}

/* Whole numbers on both sides, and nothing else: a count. */
static bool is_count(const rk_pair *p)
{
    return !has_letters(p) && p->x->slack == 0 && p->y->slack == 0 && !p->x->unit && !p->y->unit && !p->y->about;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/*
 * Reasons, of which the first that holds is the one named: a test, or what one of the sides is; its points; its words.
 * ENOUGH points make a claim doubtful; a reason with fewer needs another, and one with less than none speaks for it.
 */
#define ENOUGH 100
#define EITHER(what) NULL, offsetof(rk_side, what)
static const struct reason {
    bool (*is)(const rk_pair *p);
    size_t either; /* a bool of a side */
    int points;
    const char *words;
} reasons[] = {
    {EITHER(labelled), ENOUGH, "numbers of different things"},
    {EITHER(shape), ENOUGH, "a list in brackets"},
    {EITHER(maybe_two), ENOUGH, "perhaps two numbers with a comma between them"},
    {EITHER(range), ENOUGH, "perhaps a range"},
    {is_span, 0, ENOUGH, "perhaps a range"},
    {begins_before, 0, ENOUGH, "perhaps it begins on the line before"},
    {begins_inside, 0, ENOUGH, "perhaps the end of something in words"},
    {is_below, 0, ENOUGH, "perhaps of another part of the line before"},
    {is_of_a_list, 0, ENOUGH, "perhaps of all that is listed"},
    {ends_inside, 0, ENOUGH, "perhaps it goes on after that"},
    {is_cut_out, 0, ENOUGH, "perhaps the end of something in words"},
    {names_itself, 0, ENOUGH, "perhaps two things beside each other"},
    {divides_by_more, 0, ENOUGH, "perhaps divided by all that follows the stroke"},
    {is_evaluated, 0, ENOUGH, "it may say what the letter is"},
    {is_of_other_terms, 0, ENOUGH, "formulas of different form"},
    {is_scaled, 0, ENOUGH, "perhaps in a unit that is not written"},
    {EITHER(mixed), ENOUGH, "perhaps in a unit that is not written"},
    {is_of_others, 0, ENOUGH, "numbers of different things"},
    {is_in_bytes, 0, ENOUGH, "perhaps with bytes for each that are not written, or in bits"},
    {is_of_some, 0, ENOUGH, "numbers of different things"},
    {is_ladder, 0, ENOUGH, "numbers of different things"},
    {is_said_after, 0, ENOUGH, "a factor may stand in the words after it"},
    {is_of_letters, 0, ENOUGH, "it may say what the letters are"},
    {is_other_unit, 0, ENOUGH, "perhaps in another unit of time, or in bits"},
    {is_usual_factor, 0, ENOUGH,
     "perhaps with something that is not written: per cent, a change, a time, two operations of a MAC"},
    {is_of_mixed_powers, 0, ENOUGH, "perhaps with powers of 1,000 and of 1,024 mixed"},
    {is_rounded_inside, 0, ENOUGH, "perhaps rounded on the way"},
    {is_said_roughly, 0, ENOUGH, "about right"},
    {EITHER(name), ENOUGH, "perhaps a name"},
    {EITHER(call), ENOUGH, "perhaps a function"},
    {is_rough, 0, ENOUGH, "with values that are rounded, or of another line"},
    {has_many_values, 0, ENOUGH, "a letter has several values in the text"},
    {is_apart, 0, ENOUGH, "perhaps with other values of its letters than those of another paragraph"},
    {is_function, 0, ENOUGH, "perhaps a function"},
    {is_in_program, 0, ENOUGH, "in a program, which assigns where people state"},
    {is_of_elsewhere, 0, ENOUGH, "perhaps with other values than those of another section"},
    {is_said_before, 0, ENOUGH, "a factor may stand in the words before it"},
    {is_of_unknown_units, 0, ENOUGH, "perhaps in a unit that is not understood"},
    {has_tied_word, 0, ENOUGH, "perhaps in a unit that is not understood"},
    {is_a_step, 0, ENOUGH, "a step between two formulas"},
    {is_without_unit, 0, 50, "of numbers whose unit is not written"},
    {is_far_off, 0, 60, "so far off that it may be of something else"},
    {is_of_something, 0, 40, "words after it that are not understood"},
    {has_letters, 0, 30, "with values of letters"},
    {is_count, 0, -50, "whole numbers and nothing else"},
    {has_sure_units, 0, -30, "units of one kind on both sides"},
};

const char *rk_pair_doubt(const rk_pair *p)
{
    const char *x = (const char *)p->x, *y = (const char *)p->y, *first = NULL;
    int points = 0;

    for (const struct reason *r = reasons; r < reasons + sizeof reasons / sizeof *reasons; r++) {
        if (!(r->is ? r->is(p) : *(const bool *)(x + r->either) || *(const bool *)(y + r->either)))
            continue;
        first = first ? first : r->words;
        if (r->points >= ENOUGH)
            return r->words;
        points += r->points;
    }
    return points >= ENOUGH ? first : NULL;
}
