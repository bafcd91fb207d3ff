/* SPDX-License-Identifier: MIT */
/* From chains to claims: which sides are compared, in which readings, and which differences are no mistakes. */
#include "audit/judge.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct pair {
    rk_audit *a;
    const rk_side *first, *x, *y; /* the chain's first side, and two neighbours */
    size_t piece;
    uint32_t scope;
    size_t from;         /* the token with which the claim begins */
    const rk_verdict *v; /* what was found of it, where that is looked into */
} pair;

/* ---- readings --------------------------------------------------------------------------------------------------- */

static bool read_again(const pair *p, const rk_side *s, size_t from, rk_side_reading how, rk_side *out)
{
    if (!rk_side_read(&p->a->reader, from, p->a->lexed.first[p->piece + 1], how, out) || out->to != s->to)
        return false;
    out->about = s->about;
    return true;
}

static const char *unit_note(const pair *p, const rk_side *x, const rk_side *y, rk_side_reading how)
{
    const rk_word_unit *u = y->unit ? y->unit : x->unit;
    const rk_audit_token *t = p->a->lexed.token.at;

    if (!u || how.units == RK_READ_THOUSANDS)
        return NULL;
    if (how.units == RK_READ_BINARY)
        return u->kind == RK_WORD_UNIT_BYTES ? "with GB as powers of 1,024, which is GiB" : "with K as 1,024";
    for (size_t i = x->from; i < x->to && u->kind == RK_WORD_UNIT_BYTES && !u->binary; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && p->a->lexed.number.at[t[i].id].digits == 1024)
            return "divided by powers of 1,024: that is GiB, not GB";
    return NULL;
}

/* How far apart two numbers are, in either direction; 0 is the same. */
static double distance(const pair *p, const rk_verdict *v)
{
    double x, y;

    if (!rk_side_double(p->a->pool, v->left, &x) || !rk_side_double(p->a->pool, v->right, &y) || x <= 0 || y <= 0)
        return HUGE_VAL;
    return fabs(log(x / y));
}

/* "16.06 GB = 14.96 GiB": a number in two units of one kind, in which a unit is no mere word, and GB is not GiB. */
static bool is_conversion(const pair *p)
{
    const rk_side *x = p->x, *y = p->y;

    return x->literal.is && y->literal.is && x->unit && y->unit && x->unit != y->unit &&
           x->unit->kind == y->unit->kind && x->unit->kind != RK_WORD_UNIT_SCALE;
}

/*
 * The first of the other ways to read both sides in which they agree.  Where they agree in none, `*wrong` becomes the
 * reading in which they are much nearer: that is how it was meant.
 */
static bool agree_otherwise(const pair *p, rk_verdict *out, rk_verdict *wrong)
{
    static const rk_side_reading other[] = {{.units = RK_READ_BINARY},
                                            {.units = RK_READ_THOUSANDS, .letters = true},
                                            {.units = RK_READ_BINARY, .letters = true},
                                            {.units = RK_READ_THOUSANDS, .rates = true},
                                            {.units = RK_READ_THOUSANDS, .bytes = true},
                                            {.units = RK_READ_BINARY, .bytes = true},
                                            {.units = RK_READ_WORDS},
                                            {.units = RK_READ_WORDS, .letters = true}};
    rk_side x, y;

    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        if (is_conversion(p) && (other[i].units == RK_READ_WORDS ||
                                 (other[i].units == RK_READ_BINARY && p->x->unit->binary != p->y->unit->binary)))
            continue;
        if (!read_again(p, p->x, p->x->from, other[i], &x) || !read_again(p, p->y, p->y->from, other[i], &y))
            continue;
        *out = rk_judge_sides(p->a, &x, &y, p->scope);
        out->otherwise = true;
        out->like_left = x.literal;
        out->like_right = y.literal;
        if (out->is == RK_CLAIM_RIGHT) {
            out->note = out->note ? out->note : unit_note(p, &x, &y, other[i]);
            return true;
        }
        if (wrong->is == RK_CLAIM_WRONG && out->is == RK_CLAIM_WRONG && 2 * distance(p, out) < distance(p, wrong))
            *wrong = *out;
        /* "8 × 4096 × 11008 = 360B FLOPs": no one's B, but billions. */
        if (wrong->is == RK_CLAIM_UNKNOWN && out->is == RK_CLAIM_WRONG && other[i].units == RK_READ_THOUSANDS &&
            p->x->n_symbol == 0 && y.literal.is && y.unit && y.unit->kind != RK_WORD_UNIT_SCALE)
            *wrong = *out;
    }
    return false;
}

/* One side is a time, of the other it is not said in which unit: one of them makes it right. */
static bool agree_in_time(const pair *p, rk_verdict *out)
{
    rk_side x = *p->x, y = *p->y, *bare = x.timed ? &y : &x;
    rk_side as_written = *bare;
    const rk_lexicon *l = p->a->lexicon;

    if (x.timed == y.timed || x.n_symbol > 0 || y.n_symbol > 0 || as_written.value == RK_EX_FAILED)
        return false;
    for (size_t i = 0; i < l->of[RK_WORDS_PERIOD].word.n; i++) {
        const rk_lexeme *period = &l->of[RK_WORDS_PERIOD].word.at[i];
        const rk_word_unit *u = rk_lexicon_unit(l, period->word, period->n);

        bare->value = rk_ex_mul(p->a->pool, as_written.value, rk_ex_ratio(p->a->pool, u->num, u->den));
        bare->slack = as_written.slack * u->num / u->den;
        bare->literal.is = false;
        *out = rk_judge_sides(p->a, &x, &y, p->scope);
        if (out->is == RK_CLAIM_RIGHT) {
            out->left = p->x->timed ? out->left : p->x->value;
            out->note = u->num == u->den ? NULL : rk_arena_format(&p->a->arena, "with %s on the other side", u->word);
            return true;
        }
    }
    return false;
}

/* ---- doubts ----------------------------------------------------------------------------------------------------- */

/* What the right side is of the left one, num/den; false: no plain number. */
static bool ratio_of(const pair *p, rk_i128 *num, rk_i128 *den)
{
    rk_ex left = p->v->left, ratio = RK_EX_FAILED;

    if (left != RK_EX_FAILED && left != rk_ex_int(p->a->pool, 0))
        ratio = rk_ex_div(p->a->pool, p->v->right, left);
    return ratio != RK_EX_FAILED && rk_ex_is_quotient(p->a->pool, ratio, num, den);
}

/* "three matrices of 10 × 5 = 150": a number before the formula says what it leaves out. */
static bool is_said_before(const pair *p)
{
    enum {
        BACK_MAX = 48,
        NEAR_MAX = 12,
        LARGE = 12 /* ratios that small numbers nearby do not explain by chance */
    };
    const double roughly = 0.01;
    double ratio;
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *number = p->a->lexed.number.at;
    size_t first = p->a->lexed.first[p->piece], from = p->x->from;
    rk_i128 num, den;

    if (!ratio_of(p, &num, &den))
        return false;
    ratio = num > den ? (double)num / (double)den : (double)den / (double)num;
    for (size_t i = from; i > first && i + BACK_MAX > from; i--) {
        const rk_audit_token *b = &t[i - 1];
        const rk_lexeme *word;
        rk_i128 n = 0;

        if (b->kind == RK_TOKEN_NUMBER && number[b->id].exponent <= 0 && ratio > LARGE &&
            fabs((double)number[b->id].digits * pow(10, number[b->id].exponent) / ratio - 1) < roughly)
            return true;
        if (i + NEAR_MAX <= from || b->kind == RK_TOKEN_EQUALS || (b->kind == RK_TOKEN_BREAK && b->op != ':'))
            continue;
        /* A number with a word after it, which is no part of a formula: "3 matrices". */
        if (b->kind == RK_TOKEN_NUMBER && number[b->id].exponent == 0 && t[i].kind == RK_TOKEN_WORD &&
            (i - 1 == first || b[-1].kind != RK_TOKEN_SIGN))
            n = number[b->id].digits;
        if (n <= 0 && (word = rk_lexicon_is(p->a->lexicon, RK_WORDS_NUMBER, p->a->scan.text + b->at, b->n)) != NULL)
            n = word->id;
        if (n > 1 && ((num == n && den == 1) || (num == 1 && den == n)))
            return true;
    }
    return false;
}

/* "109.2 / 1,000 ≈ 6.6 minutes" was hours on the left; and bits are counted in eights. */
static bool is_other_unit(const pair *p)
{
    size_t end = p->a->lexed.first[p->piece + 1];

    if (rk_audit_says(p->a, RK_WORDS_BITS, p->x->from, p->y->to < end ? p->y->to + 1 : end))
        return true;
    if (p->x->rate != p->y->rate && (p->x->rate ? p->x->rate->num : 1) != (p->y->rate ? p->y->rate->num : 1))
        return true;
    /* No unit of time is as little as half or twice another. */
    return p->x->timed != p->y->timed && distance(p, p->v) > log(2);
}

/* Off by a power of 2 or of 1,000: whatever the values, someone forgot something. */
static bool is_telling(const pair *p)
{
    rk_i128 num, den;

    if (!ratio_of(p, &num, &den) || (num != 1 && den != 1))
        return false;
    num = num == 1 ? den : num;
    return (num & (num - 1)) == 0 || num == 1000 || num == 1000000;
}

/* "48 *" on the line before: what is compared is only the end of a side.  (Bold text ends in two stars, though.) */
static bool begins_before(const pair *p)
{
    const char *text = p->a->scan.text;
    size_t at = p->a->lexed.token.at[p->x->from].at, n = at;

    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        n--;
    return n > 1 && memchr(text + n, '\n', at - n) && strchr("*+/", text[n - 1]) && text[n - 2] != text[n - 1];
}

/* The 10 of × 10¹². */
static bool is_ten(const pair *p, size_t i)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    return p->a->lexed.number.at[t[i].id].digits == 10 && t[i + 1].kind == RK_TOKEN_SIGN && t[i + 1].op == '^';
}

/* "T² / 2T": whether all that follows the stroke divides is not said. */
static bool divides_by_more(const pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i + 2 < p->y->to; i++)
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op == '/' && t[i + 1].kind == RK_TOKEN_NUMBER &&
            (t[i + 2].kind == RK_TOKEN_SYMBOL ||
             (t[i + 2].kind == RK_TOKEN_SIGN && t[i + 2].op == '*' && i + 3 < p->x->to &&
              t[i + 3].kind == RK_TOKEN_NUMBER && !is_ten(p, i + 3))))
            return true;
    return false;
}

/* "4 × d = 6,400" says what d is. */
static bool is_evaluated(const pair *p)
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
static bool is_scale(const pair *p, const rk_audit_token *t)
{
    const char *letter = p->a->scan.text + t->at;
    const rk_word_unit *u = rk_lexicon_unit(p->a->lexicon, letter, 1);

    return t->n == 1 && !t->space && (*letter == 'x' || (u && u->letter));
}

/* A number alone, perhaps with a letter that may be a scale. */
static bool is_figure(const pair *p, const rk_side *s)
{
    const rk_audit_token *t = &p->a->lexed.token.at[s->from];

    return s->literal.is ||
           (s->n_symbol == 1 && t[0].kind == RK_TOKEN_NUMBER && t[1].kind == RK_TOKEN_SYMBOL && is_scale(p, &t[1]) &&
            s->degree <= 1 && s->to >= s->from + 2 && (s->to == s->from + 2 || t[2].kind == RK_TOKEN_WORD));
}

/* "(50%) = 0.5 × 19.5 × 10¹²": a number alone stands for words before it, which are not read, or restates one. */
static bool is_cut_out(const pair *p)
{
    if (!is_figure(p, p->x) || (p->x != p->first && !(p->x == p->first + 1 && p->first->alone != RK_SYM_NONE)))
        return false;
    if (p->a->lexed.token.at[p->x->from].kind == RK_TOKEN_OPEN)
        return true;
    if (!is_figure(p, p->y))
        return p->y->computed;
    return distance(p, p->v) > log(1.5) && !(is_conversion(p) && is_power(exp(distance(p, p->v)), 0.02));
}

/* How far off its rounding may make a side, of its size. */
static double loosely(const pair *p, const rk_side *s)
{
    double size;

    return rk_side_double(p->a->pool, s->value, &size) && size > 0 ? s->slack / size : 0;
}

/* A word after a number that is no unit of ours: pJ, kWh, and kb outside of the formula. */
static bool has_other_word(const pair *p)
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

/*
 * Sides a power of 1,000 or of 1,024 apart, and nothing says of one of them in which unit it is: "2 × 997 = 1.99 GB",
 * "0.03 + 0.75 = 0.78 ms".  Whole numbers multiplied with each other are counts, and were meant as such.
 */
static bool is_scaled(const pair *p)
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
    if (has_other_word(p))
        return true;
    if (!y->unit && y->literal.is && y->literal.decimals > 0)
        return true; /* in the unit of its column, or of what follows */
    return one ? x->slack > 0 || !y->literal.is || few : !x->unit && (u < 1 || w < 1);
}

/* "3D = DP × PP × TP", "T*N = 20": names of things, and what letters are to be. */
static bool is_of_letters(const pair *p)
{
    const double count_least = 1e5;
    const rk_audit_token *t = &p->a->lexed.token.at[p->x->from];
    double size;

    if (p->x->n_symbol > 0 && !p->y->digits && p->x->to == p->x->from + 2 && t[0].kind == RK_TOKEN_NUMBER &&
        !t[1].space)
        return true;
    return p->x->n_symbol > 0 && !p->x->digits && p->y->literal.is && rk_side_double(p->a->pool, p->v->right, &size) &&
           size < count_least;
}

/* "E[X²]", "FLOPs(forward)": letters before brackets. */
static bool is_function(const pair *p)
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
static bool is_of_others(const pair *p)
{
    const double far = 100;
    const rk_audit_token *t = p->a->lexed.token.at;

    for (size_t i = p->x->from; i < p->x->to && distance(p, p->v) > log(far); i++)
        if (t[i].kind == RK_TOKEN_WORD && (i == 0 || t[i - 1].kind != RK_TOKEN_SIGN) &&
            !rk_lexicon_unit(p->a->lexicon, p->a->scan.text + t[i].at, t[i].n))
            return true;
    return false;
}

/* "3,712 × 1 = 15 KB": how many bytes each of the numbers takes is not written; and G may be of bits. */
static bool is_in_bytes(const pair *p)
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
static bool is_said_after(const pair *p)
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
static bool is_of_some(const pair *p)
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
static bool is_ladder(const pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const rk_written *n = p->a->lexed.number.at;
    size_t i = p->x->from, k = p->y->from;

    return is_conversion(p) && t[i].kind == RK_TOKEN_NUMBER && t[k].kind == RK_TOKEN_NUMBER &&
           p->x->unit->power != p->y->unit->power && n[t[i].id].digits == n[t[k].id].digits &&
           n[t[i].id].exponent == n[t[k].id].exponent;
}

static bool is_rough(const pair *p)
{
    return p->v->rough;
}

/* What is large and exact is a count of the model that the text is about, wherever its values stand. */
static bool is_apart(const pair *p)
{
    const double count_least = 1e5;
    double size;

    return p->v->apart && !(p->y->literal.is && !p->y->literal.rounded && !p->y->unit &&
                            rk_side_double(p->a->pool, p->v->right, &size) && size >= count_least);
}

static bool is_in_program(const pair *p)
{
    return p->a->scan.piece.at[p->piece].program && (p->x->n_symbol > 0 || p->y->n_symbol > 0 || p->x->literal.is);
}

static bool is_of_elsewhere(const pair *p)
{
    return p->v->foreign || (p->v->far && !is_telling(p));
}

/* Why a difference may be no mistake: a test, or what one of the sides is.  The first that holds is the one named. */
#define EITHER(what) NULL, offsetof(rk_side, what)
static const struct doubt {
    bool (*is)(const pair *p);
    size_t either; /* a bool of a side */
    const char *words;
} doubts[] = {
    {EITHER(labelled), "numbers of different things"},
    {EITHER(shape), "a list in brackets"},
    {EITHER(maybe_two), "perhaps two numbers with a comma between them"},
    {EITHER(range), "perhaps a range"},
    {begins_before, 0, "perhaps it begins on the line before"},
    {is_cut_out, 0, "perhaps the end of something in words"},
    {divides_by_more, 0, "perhaps divided by all that follows the stroke"},
    {is_evaluated, 0, "it may say what the letter is"},
    {is_scaled, 0, "perhaps in a unit that is not written"},
    {EITHER(mixed), "perhaps in a unit that is not written"},
    {is_of_others, 0, "numbers of different things"},
    {is_in_bytes, 0, "perhaps with bytes for each that are not written, or in bits"},
    {is_of_some, 0, "numbers of different things"},
    {is_ladder, 0, "numbers of different things"},
    {is_said_after, 0, "a factor may stand in the words after it"},
    {is_of_letters, 0, "it may say what the letters are"},
    {is_other_unit, 0, "perhaps in another unit of time, or in bits"},
    {EITHER(name), "perhaps a name"},
    {EITHER(call), "perhaps a function"},
    {is_rough, 0, "with values that are rounded, or of another line"},
    {is_apart, 0, "perhaps with other values of its letters than those of another paragraph"},
    {is_function, 0, "perhaps a function"},
    {is_in_program, 0, "in a program, which assigns where people state"},
    {is_of_elsewhere, 0, "perhaps with other values than those of another section"},
    {is_said_before, 0, "a factor may stand in the words before it"},
};

/* NULL: it is a mistake. */
static const char *find_doubt(const pair *p)
{
    const char *x = (const char *)p->x, *y = (const char *)p->y;

    for (const struct doubt *d = doubts; d < doubts + sizeof doubts / sizeof *doubts; d++)
        if (d->is ? d->is(p) : *(const bool *)(x + d->either) || *(const bool *)(y + d->either))
            return d->words;
    return NULL;
}

/* Off by less than one of the last digit that is written: cut off instead of rounded, or rounded once too often. */
static bool is_slip(const pair *p, const rk_verdict *v)
{
    enum {
        WHOLE_LEAST = 1000
    };
    const double step_near = 0.05; /* 990 × 0.4 = 1000 × 0.4, 3.13 + 1 = 3 + 1 */
    const rk_audit_token *t = p->a->lexed.token.at;
    bool right = p->y->literal.is;
    const rk_literal *stating =
        v->otherwise ? (right ? &v->like_right : &v->like_left) : (right ? &p->y->literal : &p->x->literal);
    double x, y;

    if (p->x->computed && p->y->computed && !p->x->literal.is && !p->y->literal.is && distance(p, v) < step_near)
        return true;
    if (!stating->is || !rk_side_double(p->a->pool, v->left, &x) || !rk_side_double(p->a->pool, v->right, &y))
        return false;
    /* "2 × 4,621 = 9,243": worked out from a figure with more digits than are shown. */
    if (stating->rounded)
        return fabs(x - y) < stating->unit;
    for (size_t i = p->x->from; i < p->x->to && fabs(x - y) <= 1; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && p->a->lexed.number.at[t[i].id].digits >= WHOLE_LEAST)
            return true;
    return false;
}

/* "48 - 34.5 = 13.5 - 1.3 = 12.2": people go on with a result without beginning a new line. */
static bool is_running(const pair *p)
{
    const rk_audit_token *t = p->a->lexed.token.at;
    const double binary_near = 0.075; /* 32 MiB that are called MB */
    size_t end = p->y->from;
    rk_side first;
    double x, y;

    if (!p->y->computed || (!p->x->computed && p->x == p->first) || t[end].kind != RK_TOKEN_NUMBER)
        return false;
    while (end < p->y->to && !(t[end].kind == RK_TOKEN_SIGN && t[end].op != '^'))
        end++;
    if (end == p->y->to || !rk_side_read(&p->a->reader, p->y->from, end, (rk_side_reading){0}, &first) ||
        !first.literal.is || first.value == RK_EX_FAILED)
        return false;
    return rk_judge_agree(p->a->pool, p->x->value, p->x, first.value, &first, p->y->about) ||
           (rk_side_double(p->a->pool, p->x->value, &x) && rk_side_double(p->a->pool, first.value, &y) &&
            (fabs(x - y) < first.literal.unit || fabs(x / y - 1) < binary_near));
}

/* ---- claims ----------------------------------------------------------------------------------------------------- */

static rk_verdict judge(const pair *p)
{
    rk_verdict v = rk_judge_sides(p->a, p->x, p->y, p->scope), other;
    pair found = *p;
    const char *why;
    rk_side after;

    if (v.is == RK_CLAIM_RIGHT)
        return v;
    if (agree_otherwise(p, &other, &v) || agree_in_time(p, &other))
        return other;
    /* "layer 2 - 12 × 64 = 768": the dash was no minus. */
    if (p->x->dash > 0 && read_again(p, p->x, p->x->dash + 1, (rk_side_reading){0}, &after)) {
        other = rk_judge_sides(p->a, &after, p->y, p->scope);
        if (other.is == RK_CLAIM_RIGHT)
            return other;
    }
    /* c of a = b = c, where b is wrong: c may still follow from a. */
    for (const rk_side *s = p->first; s < p->x; s++) {
        other = rk_judge_sides(p->a, s, p->y, p->scope);
        if (other.is == RK_CLAIM_RIGHT && s->alone == RK_SYM_NONE)
            return other;
    }
    if (v.is == RK_CLAIM_WRONG && is_running(p)) {
        v.is = RK_CLAIM_RIGHT;
        v.note = "what follows goes on with the result";
        return v;
    }
    found.v = &v;
    why = v.is == RK_CLAIM_WRONG ? find_doubt(&found) : NULL;
    if (why) {
        v.is = RK_CLAIM_DOUBTFUL;
        v.note = why;
    } else if (v.is == RK_CLAIM_WRONG && is_slip(p, &v)) {
        v.is = RK_CLAIM_SLIP;
    }
    return v;
}

static void put_claim(const pair *p, const rk_verdict *v)
{
    /* A number that stands alone states, of two the one that is rounded; else the right side does. */
    bool left = p->x->literal.is && (!p->y->literal.is || (p->x->literal.rounded && !p->y->literal.rounded));
    const rk_side *stating = left ? p->x : p->y;
    const rk_literal *like = !v->otherwise ? &stating->literal : left ? &v->like_left : &v->like_right;
    rk_claim *c = rk_audit_claim(p->a, RK_CLAIM_EQUATION, v->is, p->from, p->y->to);

    if (!c)
        return;
    rk_audit_fill(p->a, c, stating, left ? v->left : v->right, left ? v->right : v->left);
    c->note = v->note;
    if (v->is != RK_CLAIM_UNKNOWN)
        c->found = rk_audit_value(p->a, c->found_value, like, stating);
    if (v->is == RK_CLAIM_WRONG) {
        c->note = rk_judge_why(p->a, c->stated_value, c->found_value);
        /* A row that is wrong is put right where rows are added up. */
        p->a->put_right[stating - p->a->chains.side.at] = c->found_value;
    }
}

/* "1 = 0" and "key = 3": two plain numbers are no claim; one that is rounded, or has a unit, restates the other. */
static bool is_bare(const pair *p)
{
    const rk_side *x = p->x, *y = p->y;
    bool share = (x->unit && x->unit->kind == RK_WORD_UNIT_SHARE) || (y->unit && y->unit->kind == RK_WORD_UNIT_SHARE);

    if (x->computed || y->computed || x->n_symbol + y->n_symbol > 0)
        return false;
    if (p->a->lexed.token.at[y->to - 1].kind == RK_TOKEN_SIGN) /* 1.67× is a ratio */
        return true;
    if (share)
        return !x->literal.rounded || !y->literal.rounded || !x->digits;
    return !x->literal.rounded && !y->literal.rounded && !y->about && !y->literal.about;
}

static void judge_pair(const pair *p)
{
    const rk_side *x = p->x, *y = p->y;
    bool digits = x->digits || y->digits, computed = x->computed || y->computed;
    rk_verdict v;

    /* A symbol alone is given a meaning, and claims nothing; nor does 1 addition = 1 FLOP. */
    if (x->alone != RK_SYM_NONE || y->alone != RK_SYM_NONE || x->call || (x->arrow && x->literal.is) ||
        ((x->labelled || y->labelled) && !computed) || is_bare(p))
        return;
    v = judge(p);
    if ((y->arrow || y->again) && v.is != RK_CLAIM_RIGHT && v.is != RK_CLAIM_SLIP)
        return;
    /* Two formulas without a number between symbols that no one explained claim nothing that could be checked. */
    if (v.is != RK_CLAIM_UNKNOWN || (digits && computed) || x->trouble != RK_TROUBLE_NONE ||
        y->trouble != RK_TROUBLE_NONE)
        put_claim(p, &v);
}

/* "P = …" on one line and "P = …" on the next: two forms of the same. */
static void judge_forms(rk_audit *a, const rk_chain *before, const rk_chain *now)
{
    const rk_piece *piece = &a->scan.piece.at[now->piece];
    const rk_side *x = &a->chains.side.at[before->first], *y = &a->chains.side.at[now->first];
    const rk_side *last = &x[before->n - 1];
    pair p = {a, x + 1, last, y + 1, now->piece, piece->scope, y->from, NULL};
    const rk_audit_token *t = a->lexed.token.at;
    rk_verdict v;

    if (before->piece != now->piece || before->n < 2 || now->n < 2 || x->alone == RK_SYM_NONE || x->alone != y->alone ||
        piece->program || !y[1].computed || !last->computed)
        return;
    if (y->from != last->to + 1 || t[y->from - 1].kind != RK_TOKEN_BREAK || t[y->from - 1].op != '\n')
        return;
    v = judge(&p);
    if (v.is != RK_CLAIM_UNKNOWN && v.is != RK_CLAIM_DOUBTFUL)
        put_claim(&p, &v);
}

int rk_judge_chains(rk_audit *a, rk_err *err)
{
    const rk_chains *c = &a->chains;

    for (size_t i = 0; i < c->chain.n && !a->arena.failed; i++) {
        const rk_chain *now = &c->chain.at[i];
        const rk_side *side = &c->side.at[now->first];
        pair p = {a, side, NULL, NULL, now->piece, a->scan.piece.at[now->piece].scope, 0, NULL};

        for (size_t k = 1; k < now->n; k++) {
            p.x = &side[k - 1];
            p.y = &side[k];
            p.from = p.x->from;
            judge_pair(&p);
        }
        if (i > 0)
            judge_forms(a, &c->chain.at[i - 1], now);
    }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
