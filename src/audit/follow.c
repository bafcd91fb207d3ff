/* SPDX-License-Identifier: MIT */
#include "audit/follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double worth = 0.065; /* half a digit, of a figure that is worth looking for: "8 GB" is, "4" is not */
static const char in_powers_of_1024[] = ", with powers of 1,024";
static const double decades = 9.2; /* ln 10⁴: numbers of one text that could be meant spread over so much */

/* What a number counts: exponents of bytes, operations and seconds. */
typedef struct dimension {
    int bytes, flops, time;
} dimension;

typedef struct operand {
    size_t from, to; /* tokens */
    double value, loose;
    double binary; /* of bytes, with GB as GiB; 0: they are no others */
    dimension of;
} operand;

typedef struct follower {
    rk_audit *a;
    rk_reader reader; /* with a budget of its own */
    size_t budget;
    bool *stated;           /* per token: a claim states it */
    RK_VEC(operand) known;  /* figures that claims say are right, in the order of the text */
    bool only_again;        /* nothing is looked for but what is known */
    RK_VEC(operand) number; /* all of the text, in their order */
    operand operand[RK_FOLLOW_FAR_MAX];
    size_t n;
    operand target;
    const operand *restates;          /* a number of the text that rounds to the target; NULL: none */
    double binary;                    /* what the target is where GB is GiB; 0: the same */
    bool in_binary;                   /* what was tried last is that, and not the target itself */
    double half, chance, chance_most; /* half a unit of its last digit; how likely some try so far has hit it */
    const operand *used[3];
    char sign[3]; /* before each of them */
    size_t n_used;
    size_t n_run;    /* instead of these, so many of the nearest numbers, multiplied */
    size_t looks;    /* at long numbers, that are left */
    uint32_t *parts; /* of each number of the text: so many below it add up to it */
    struct {
        const operand *each; /* what the last lines were so many times */
        size_t n, line;      /* how many of them; the last one */
    } series;
} follower;

/* ---- numbers of the text ----------------------------------------------------------------------------------------- */

static dimension dimension_of(const rk_side *s)
{
    rk_word_unit_kind kind = s->unit ? s->unit->kind : RK_WORD_UNIT_NONE;

    return (dimension){.bytes = kind == RK_WORD_UNIT_BYTES,
                       .flops = kind == RK_WORD_UNIT_FLOPS,
                       .time = (kind == RK_WORD_UNIT_TIME) - (s->rate != NULL)};
}

static double size_of(const rk_audit *a, const rk_side *s)
{
    double size;

    return rk_side_double(a->pool, s->value, &size) ? size : 0;
}

static bool make_operand(const rk_audit *a, const rk_side *s, operand *out)
{
    double size;

    if (!rk_side_double(a->pool, s->value, &size) || size <= 0)
        return false;
    *out = (operand){.from = s->from, .to = s->to, .value = size, .of = dimension_of(s)};
    if (s->unit && s->unit->kind == RK_WORD_UNIT_BYTES && !s->unit->binary && s->unit->power > 0)
        out->binary = size * pow(1.024, s->unit->power);
    /* A whole number is meant as it is, and so is 0.45; of one with more digits after its point the last is rounded. */
    out->loose = (s->literal.decimals > 0 && size / s->literal.unit >= 100) || s->literal.about ? s->slack / size : 0;
    return true;
}

/* "fp16" is two bytes for each number, "twice" a factor. */
static bool read_word(const rk_audit *a, size_t at, operand *out)
{
    const rk_audit_token *t = &a->lexed.token.at[at];
    const char *text = a->scan.text + t->at;
    const rk_lexeme *word;
    const double bits_of_byte = 8;

    if (t->kind != RK_TOKEN_WORD && t->kind != RK_TOKEN_SYMBOL)
        return false;
    *out = (operand){.from = at, .to = at + 1};
    if ((word = rk_lexicon_is(a->lexicon, RK_WORDS_BITS_EACH, text, t->n)) != NULL) {
        out->value = strtod(word->value, NULL) / bits_of_byte;
        out->of.bytes = 1;
        return true;
    }
    if ((word = rk_lexicon_is(a->lexicon, RK_WORDS_NUMBER, text, t->n)) != NULL)
        out->value = word->id;
    return word != NULL;
}

/* Whether a piece goes on in another: cells of one row of a table. */
static bool same_row(const rk_piece *p, const rk_piece *q)
{
    return p == q || (p->kind == RK_PIECE_CELL && q->kind == RK_PIECE_CELL && p->table == q->table && p->row == q->row);
}

static void add_operand(follower *f, const operand *o)
{
    bool same = o->of.bytes == f->target.of.bytes && o->of.flops == f->target.of.flops;

    if (fabs(o->value - f->target.value) <= f->half && (same || o->value == f->target.value)) {
        /* The same, said before with more digits. */
        if (!f->restates && same && o->value != f->target.value)
            f->restates = o;
        return;
    }
    if (f->n < RK_FOLLOW_FAR_MAX && o->value != 1)
        f->operand[f->n++] = *o;
}

/* All numbers of the text, each with its power of ten and its units, and words that are as good as one. */
static void find_numbers(follower *f)
{
    const rk_audit_token *t = f->a->lexed.token.at;

    for (size_t piece = 0; piece < f->a->scan.piece.n && !f->a->arena.failed; piece++) {
        size_t end = f->a->lexed.first[piece + 1];

        for (size_t i = f->a->lexed.first[piece]; i < end;) {
            bool number = t[i].kind == RK_TOKEN_NUMBER;
            operand o, *kept;
            rk_side s;
            bool read = number && rk_side_read_number(&f->reader, i, end, &s);
            bool is = number ? read && make_operand(f->a, &s, &o) : read_word(f->a, i, &o);

            kept = is ? RK_PUSH(&f->a->arena, &f->number) : NULL;
            if (kept)
                *kept = o;
            i = read ? s.to : i + 1;
        }
    }
}

/* Numbers in tokens [from, to), the last first; `here` is where the paragraph begins. */
static void gather(follower *f, size_t from, size_t here, size_t to)
{
    const double far_least = 10;
    size_t low = 0, high = f->number.n;

    while (low < high) { /* the first that does not end before `to` */
        size_t middle = low + (high - low) / 2;

        if (f->number.at[middle].to <= to)
            low = middle + 1;
        else
            high = middle;
    }
    /* Twice and half of a figure of another line are no news. */
    for (; low > 0 && f->number.at[low - 1].from >= from && f->n < RK_FOLLOW_OPERANDS_MAX; low--)
        if (f->number.at[low - 1].from >= here || f->number.at[low - 1].value >= far_least)
            add_operand(f, &f->number.at[low - 1]);
}

/* "2127057600, 7.92 GB to load (fp32)": the type may stand a few words behind it. */
static void gather_type(follower *f, size_t end)
{
    enum {
        WORDS_MAX = 4
    };
    const rk_audit_token *t = f->a->lexed.token.at;

    for (size_t i = f->target.to; i < end && i < f->target.to + WORDS_MAX + 1; i++) {
        operand o;

        if (t[i].kind != RK_TOKEN_WORD && t[i].kind != RK_TOKEN_SYMBOL && t[i].kind != RK_TOKEN_OPEN)
            return;
        if (rk_lexicon_is(f->a->lexicon, RK_WORDS_BITS_EACH, f->a->scan.text + t[i].at, t[i].n) &&
            read_word(f->a, i, &o)) {
            add_operand(f, &o);
            return;
        }
    }
}

/* Figures around the target: in brackets after it, which is true then, or before it in its paragraph, or row. */
static bool gather_around(follower *f, size_t piece)
{
    const double long_least = 1e-6;
    const rk_audit_token *t = f->a->lexed.token.at;
    const rk_piece *p = f->a->scan.piece.at;
    size_t first = piece, from, end = f->a->lexed.first[piece + 1], close = f->target.to;

    f->n = 0;
    f->restates = NULL;
    if (close < end && t[close].kind == RK_TOKEN_OPEN && t[close].op == '(') {
        while (close < end && t[close].kind != RK_TOKEN_CLOSE && t[close].kind != RK_TOKEN_EQUALS)
            close++;
        if (close < end && t[close].kind == RK_TOKEN_EQUALS)
            return false; /* what it is stands there, and is judged there */
        gather(f, f->target.to + 1, f->target.to, close);
        for (size_t i = 0; 2 * i + 1 < f->n; i++) { /* there the first come first */
            operand o = f->operand[i];

            f->operand[i] = f->operand[f->n - 1 - i];
            f->operand[f->n - 1 - i] = o;
        }
        if (f->n > 1)
            return true;
        f->n = 0;
    }
    while (first > 0 && same_row(&p[first - 1], &p[piece]))
        first--;
    from = f->half / f->target.value < long_least ? 0 : f->a->lexed.first[first]; /* a long one may be of lines above */
    if (f->target.from - from > RK_FOLLOW_TOKENS_MAX)
        from = f->target.from - RK_FOLLOW_TOKENS_MAX;
    gather(f, from, f->a->lexed.first[first], f->target.from);
    return false;
}

/* ---- trying ------------------------------------------------------------------------------------------------------ */

/* Whether what comes out counts what the target counts.  FLOPS may be FLOPs, or FLOPs of a second. */
static bool fits(const follower *f, dimension d)
{
    return d.bytes == f->target.of.bytes && d.flops == f->target.of.flops &&
           (d.time == f->target.of.time || d.flops != 0);
}

/* A result of what is in `used`; true: it is the target, and not by chance. */
static bool try(follower *f, double value, double loose, dimension d)
{
    const double rough = 0.01;                       /* a figure of many digits does not come out of few */
    double near = f->half / f->target.value + loose; /* of their size */

    if (value <= 0 || !fits(f, d) || (loose > rough && loose > 3 * f->half / f->target.value))
        return false;
    f->chance += 2 * near / decades * (f->binary > 0 ? 2 : 1);
    f->in_binary = fabs(value / f->target.value - 1) > near;
    return f->chance <= f->chance_most && (!f->in_binary || (f->binary > 0 && fabs(value / f->binary - 1) <= near));
}

static dimension times(dimension a, dimension b, int power)
{
    return (dimension){a.bytes + power * b.bytes, a.flops + power * b.flops, a.time + power * b.time};
}

static void use(follower *f, const operand *x, char by, const operand *y, char then, const operand *z)
{
    f->used[0] = x;
    f->used[1] = y;
    f->used[2] = z;
    f->sign[1] = by;
    f->sign[2] = then;
    f->n_used = z ? 3 : 2;
}

static bool same_dimension(dimension a, dimension b)
{
    return a.bytes == b.bytes && a.flops == b.flops && a.time == b.time;
}

static bool try_two(follower *f, const operand *x, const operand *y)
{
    double loose = x->loose + y->loose;

    use(f, x, '*', y, 0, NULL);
    if (try(f, x->value * y->value, loose, times(x->of, y->of, 1)))
        return true;
    use(f, x, '/', y, 0, NULL);
    if (try(f, x->value / y->value, loose, times(x->of, y->of, -1)))
        return true;
    use(f, y, '/', x, 0, NULL);
    if (try(f, y->value / x->value, loose, times(y->of, x->of, -1)))
        return true;
    if (!same_dimension(x->of, y->of) || fmin(x->value, y->value) <= f->half) /* what is too small to be seen in it */
        return false;
    loose = (x->loose * x->value + y->loose * y->value);
    use(f, x, '+', y, 0, NULL);
    if (try(f, x->value + y->value, loose / (x->value + y->value), x->of))
        return true;
    use(f, x->value > y->value ? x : y, '-', x->value > y->value ? y : x, 0, NULL);
    return x->value != y->value && try(f, fabs(x->value - y->value), loose / fabs(x->value - y->value), x->of);
}

static bool try_three(follower *f, const operand *x, const operand *y, const operand *z)
{
    const operand *const o[] = {x, y, z};
    double loose = x->loose + y->loose + z->loose;

    use(f, x, '*', y, '*', z);
    if (try(f, x->value * y->value * z->value, loose, times(times(x->of, y->of, 1), z->of, 1)))
        return true;
    for (size_t i = 0; i < 3; i++) {
        const operand *p = o[(i + 1) % 3], *q = o[(i + 2) % 3];

        use(f, p, '*', q, '/', o[i]);
        if (try(f, p->value * q->value / o[i]->value, loose, times(times(p->of, q->of, 1), o[i]->of, -1)))
            return true;
        use(f, o[i], '/', p, '/', q);
        if (try(f, o[i]->value / p->value / q->value, loose, times(times(o[i]->of, p->of, -1), q->of, -1)))
            return true;
    }
    if (!same_dimension(x->of, y->of) || !same_dimension(x->of, z->of))
        return false;
    use(f, x, '+', y, '+', z);
    return try(f, x->value + y->value + z->value, loose, x->of);
}

/* The product of the nearest so many, as where sizes are listed one after the other. */
static size_t try_run(follower *f)
{
    double value = 1, loose = 0;
    dimension d = {0};

    for (size_t i = 0; i < f->n; i++) {
        value *= f->operand[i].value;
        loose += f->operand[i].loose;
        d = times(d, f->operand[i].of, 1);
        if (i >= 3 && try(f, value, loose, d))
            return i + 1;
    }
    return 0;
}

/* The digits of a whole number without the zeros at its end: how many. */
static int digits_of(double value)
{
    int n = 0;

    if (value != floor(value) || value >= 1e18)
        return 0;
    for (int64_t whole = (int64_t)value, zeros = 1; whole > 0; whole /= 10) {
        zeros = zeros && whole % 10 == 0;
        n += !zeros;
    }
    return n;
}

enum {
    LONG_DIGITS = 6 /* so many digits are equal by no chance */
};

/* The number of the text that stands last before the target; f->number.n: none. */
static size_t last_before(const follower *f)
{
    size_t low = 0, high = f->number.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (f->number.at[middle].to <= f->target.from)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : f->number.n;
}

/* A line of a listing that is the sum of those above it: how many of the whole numbers before the target; or 0. */
static size_t try_rows(follower *f)
{
    enum {
        ROWS_MAX = 12,
        LOOK_MAX = 40,
        ROW_LEAST = 100
    };
    size_t at = last_before(f), n = 0;
    double sum = 0;

    for (size_t looks = 0; at < f->number.n && looks < LOOK_MAX && n < ROWS_MAX; looks++, at--) {
        const operand *o = &f->number.at[at];

        if (o->value == floor(o->value) && o->value >= ROW_LEAST) {
            n++;
            sum += o->value;
            if (sum == f->target.value && n > 2)
                return n;
            if (sum > f->target.value)
                return 0;
        }
        if (at == 0)
            break;
    }
    return 0;
}

/*
 * "blocks: 3,352,087,756,800", and below it what they are made of, each perhaps with its own parts below it: of each
 * number so many others that follow it and add up to it, with all that these are made of.
 */
static void find_parts(follower *f)
{
    enum {
        PARTS_MAX = 24,
        LOOK_MAX = 200,
        ROW_LEAST = 100
    };
    size_t all = f->number.n, n = 0, *row = RK_NEW_ARRAY(&f->a->arena, all + 1, size_t);
    uint32_t *below = RK_NEW_ARRAY(&f->a->arena, all + 1, uint32_t); /* rows that a row has in it */

    f->parts = RK_NEW_ARRAY(&f->a->arena, all + 1, uint32_t);
    if (!row || !below || !f->parts)
        return;
    for (size_t i = 0; i < all; i++)
        if (f->number.at[i].value == floor(f->number.at[i].value) && f->number.at[i].value >= ROW_LEAST)
            row[n++] = i;
    for (size_t i = n; i-- > 0;) {
        double whole = f->number.at[row[i]].value, sum = 0;
        size_t at = i + 1;
        uint32_t parts = 0;

        if (digits_of(whole) < LONG_DIGITS)
            continue;
        while (at < n && at < i + LOOK_MAX && parts < PARTS_MAX && sum < whole) {
            sum += f->number.at[row[at]].value;
            at += 1 + below[at];
            parts++;
        }
        if (sum == whole && parts > 1) {
            below[i] = (uint32_t)(at - i - 1);
            f->parts[row[i]] = parts;
        }
    }
}

/* How many numbers below the target add up to it; 0: none do. */
static uint32_t parts_below(const follower *f)
{
    size_t before = last_before(f), at = before == f->number.n ? 0 : before + 1;

    while (f->parts && at < f->number.n && f->number.at[at].from < f->target.from)
        at++;
    return f->parts && at < f->number.n && f->number.at[at].from == f->target.from ? f->parts[at] : 0;
}

/* The line of a figure has a word in it, whatever its capitals and wherever it stands: "TOTAL_BYTES=…". */
static bool line_has(const follower *f, const char *word)
{
    uint32_t at = f->a->lexed.token.at[f->target.from].at, from, to;
    size_t n = strlen(word);

    rk_scan_line_range(&f->a->scan, rk_scan_line(&f->a->scan, at), &from, &to);
    for (; from + n <= at; from++)
        if (strncasecmp(f->a->scan.text + from, word, n) == 0)
            return true;
    return false;
}

/*
 * A factor that stands in the text before, as layers do, or that a word of the line speaks of: of the numbers of one
 * model many are twice or four times as much as others.
 */
static bool is_said(const follower *f, double by)
{
    enum {
        SMALL = 8,
        LOOK_MAX = 2000
    };

    for (size_t i = 0; i < f->number.n && i < LOOK_MAX && by > SMALL && f->number.at[i].from < f->target.from; i++)
        if (f->number.at[i].value == by)
            return true;
    return ((by == 2 || by == 4) && line_has(f, "byte")) || (by == 8 && line_has(f, "adam")) ||
           ((by == 2 || by == 3) && line_has(f, "backward"));
}

/* Whether the target is a multiple of a long number, as of layers or bytes. */
static bool is_multiple_of(const follower *f, const operand *o, int *times)
{
    enum {
        TIMES_MAX = 128
    };
    double by = f->target.value / o->value;

    if (by < 2 || by > TIMES_MAX || by != floor(by) || digits_of(o->value) < LONG_DIGITS || !is_said(f, by))
        return false;
    *times = (int)by;
    return true;
}

/* A long number above, or below as in a list of parts, of which the target is a multiple; NULL: there is none. */
static const operand *try_multiple(follower *f, int *times)
{
    enum {
        LOOK_MAX = 30
    };
    size_t before = last_before(f), at = before, below = before == f->number.n ? 0 : before + 1;

    for (size_t looks = 0; at < f->number.n && looks < LOOK_MAX; looks++, at--) {
        if (is_multiple_of(f, &f->number.at[at], times))
            return &f->number.at[at];
        if (at == 0)
            break;
    }
    for (at = below; at < f->number.n && at < below + LOOK_MAX; at++)
        if (f->number.at[at].from >= f->target.to && is_multiple_of(f, &f->number.at[at], times))
            return &f->number.at[at];
    return NULL;
}

static bool has_operand(const follower *f, const operand *o)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->operand[i].value == o->value && same_dimension(f->operand[i].of, o->of))
            return true;
    return false;
}

/* "31 ms → 32 tokens/s": as many in a second as one takes of it. */
static bool try_reciprocal(follower *f)
{
    for (size_t i = 0; i < f->n && f->target.of.time == -1; i++) {
        const operand *x = &f->operand[i];

        f->used[0] = x;
        f->n_used = 1;
        if (x->of.time == 1 && x->of.bytes == 0 && x->of.flops == 0 &&
            try(f, 1 / x->value, x->loose, (dimension){.time = -1}))
            return true;
    }
    return false;
}

static bool search(follower *f)
{
    const double of_three = 30;

    f->chance = 0;
    if (try_reciprocal(f))
        return true;
    for (size_t i = 1; i < f->n; i++)
        for (size_t k = 0; k < i; k++)
            if (try_two(f, &f->operand[i], &f->operand[k]))
                return true;
    /* Bare counts of one text are multiples of each other more often than chance has it. */
    if (same_dimension(f->target.of, (dimension){0}))
        f->chance_most /= of_three;
    for (size_t i = 2; i < f->n && f->chance < f->chance_most; i++)
        for (size_t k = 1; k < i; k++)
            for (size_t m = 0; m < k; m++)
                if (try_three(f, &f->operand[i], &f->operand[k], &f->operand[m]))
                    return true;
    return false;
}

/* Bytes, operations and times further above: of two of these what has four digits and the right unit follows. */
static bool search_far(follower *f)
{
    enum {
        TOKENS_MAX = 500
    };
    const double digits_least = 1000;
    size_t at = last_before(f);

    if (same_dimension(f->target.of, (dimension){0}) || f->target.value < digits_least * 2 * f->half)
        return false;
    f->n = 0;
    for (; at < f->number.n && f->number.at[at].from + TOKENS_MAX > f->target.from && f->n < RK_FOLLOW_FAR_MAX; at--) {
        const operand *o = &f->number.at[at];

        if (!same_dimension(o->of, (dimension){0}) && !has_operand(f, o))
            add_operand(f, o);
        if (at == 0)
            break;
    }
    for (size_t i = 1; i < f->n; i++)
        for (size_t k = 0; k < i; k++)
            if (try_two(f, &f->operand[i], &f->operand[k]))
                return true;
    return false;
}

/* Whether the line of a number says that it is so much for one of something: "4 MB per token", "per layer: 114 MB". */
static bool is_of_each(const follower *f, const operand *o)
{
    const unsigned each = RK_SAID_ONE | RK_SAID_TOKEN | RK_SAID_SEQUENCE;
    uint32_t at = f->a->lexed.token.at[o->from].at, from, to;

    rk_scan_line_range(&f->a->scan, rk_scan_line(&f->a->scan, at), &from, &to);
    return rk_lexicon_in(f->a->lexicon, RK_WORDS_SAID, f->a->scan.text + from, to - from) & each;
}

enum {
    OWN_MAX = 2
};

static size_t line_of(const follower *f)
{
    return rk_scan_line(&f->a->scan, f->a->lexed.token.at[f->target.from].at);
}

/* Numbers without a unit that stand before the target in its line; *above is the last number of the lines above. */
static size_t counts_before(const follower *f, const operand *own[OWN_MAX], size_t *above)
{
    const rk_audit_token *t = f->a->lexed.token.at;
    uint32_t from, to;
    size_t n = 0;

    rk_scan_line_range(&f->a->scan, line_of(f), &from, &to);
    for (*above = last_before(f); *above < f->number.n && t[f->number.at[*above].from].at >= from; --*above) {
        const operand *o = &f->number.at[*above];

        if (n < OWN_MAX && o->value > 1 && same_dimension(o->of, (dimension){0}))
            own[n++] = o;
        if (*above == 0) {
            *above = f->number.n;
            break;
        }
    }
    return n;
}

/*
 * "8K context: 32 GB" below "4 MB per token", "all 126 layers: 756 GB" below "per layer: 6 GB": so many of something,
 * of which it was said above how much each takes.
 */
static bool search_each(follower *f)
{
    enum {
        TOKENS_MAX = 500,
        EACH_MAX = 4
    };
    const double chance_most = 0.06, small = 1000;
    const operand *own[OWN_MAX];
    size_t at, n = counts_before(f, own, &at);

    f->chance = 0;
    f->chance_most = chance_most;
    for (size_t each = 0; n > 0 && each < EACH_MAX && at < f->number.n; at--) {
        const operand *o = &f->number.at[at];

        if (o->from + TOKENS_MAX < f->target.from)
            break;
        if (same_dimension(o->of, f->target.of) && (o->value >= small || o->of.time != 0) && is_of_each(f, o)) {
            each++;
            for (size_t i = 0; i < n; i++) {
                use(f, own[i], '*', o, 0, NULL);
                /* People go on with figures as they stand, in KB of 1,024 as well. */
                if (try(f, own[i]->value * o->value, 0, f->target.of) ||
                    (o->binary > 0 && try(f, own[i]->value * o->binary, 0, f->target.of)))
                    return true;
            }
        }
        if (at == 0)
            break;
    }
    return false;
}

/*
 * "P = 1,635,537,600", and "Parameters: 6.542 GB" below it: bytes that are so many for each of a long number, as many
 * as a type, an optimizer or all of training takes.  How many; 0: they are not.
 */
static int bytes_each(follower *f, const operand **count)
{
    static const int bytes[] = {4, 2, 8, 12, 16};

    enum {
        TOKENS_MAX = 800,
        COUNTS_MAX = 4
    };
    const double least = 1e6, chance_most = 0.03;
    size_t at = last_before(f), n = 0;

    if (f->target.of.bytes != 1 || f->target.of.flops != 0 || f->target.of.time != 0)
        return 0;
    f->chance = 0;
    f->chance_most = chance_most;
    for (; at < f->number.n && n < COUNTS_MAX && f->number.at[at].from + TOKENS_MAX > f->target.from; at--) {
        const operand *o = &f->number.at[at];

        if (o->value >= least && same_dimension(o->of, (dimension){0}) && digits_of(o->value) >= LONG_DIGITS) {
            n++;
            *count = o;
            for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
                if (try(f, o->value * bytes[i], 0, f->target.of))
                    return bytes[i];
        }
        if (at == 0)
            break;
    }
    return 0;
}

/* ---- what was found right before --------------------------------------------------------------------------------- */

static int by_token(const void *a, const void *b)
{
    const operand *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* What was found right so far, from which the text may go on. */
static void find_known(follower *f)
{
    for (size_t i = 0; i < f->a->claim.n; i++) {
        const rk_claim *c = &f->a->claim.at[i];
        operand o, *kept;

        if (c->status != RK_CLAIM_RIGHT || !c->side || !c->side->literal.is || !make_operand(f->a, c->side, &o))
            continue;
        kept = RK_PUSH(&f->a->arena, &f->known);
        if (kept)
            *kept = o;
    }
    if (f->known.n > 1)
        qsort(f->known.at, f->known.n, sizeof *f->known.at, by_token);
}

/*
 * A figure that was found right, and stands here again, perhaps rounded; or that is found right further on, and said
 * here first.  Of the figures of its kind so many could be hit by chance.
 */
static const operand *find_again(follower *f, double chance_most)
{
    const operand *found = NULL, *later = NULL;
    size_t n = 0;

    for (size_t i = f->known.n; i > 0 && f->looks > 0; i--, f->looks--) {
        const operand *o = &f->known.at[i - 1];
        bool exact = o->value == f->target.value;
        bool counts = f->target.of.flops == 1 && same_dimension(o->of, (dimension){0}) && /* FLOPs without the word */
                      digits_of(o->value) >= LONG_DIGITS;

        if ((o->from < f->target.to && o->to > f->target.from) ||
            (!fits(f, o->of) && !counts && (!exact || o->from > f->target.from)))
            continue;
        n++;
        if (!exact && !(fabs(o->value - f->target.value) <= f->half && o->loose < f->half / f->target.value))
            continue;
        if (o->from > f->target.from)
            later = o; /* the first of them */
        else if (!found)
            found = o;
    }
    found = found ? found : later;
    return found && (double)n * 2 * f->half / f->target.value / decades <= chance_most ? found : NULL;
}

/* ---- targets ----------------------------------------------------------------------------------------------------- */

/* "Weights ≈ 16 GB": a sign that relates to words, and was taken for "about". */
static bool has_relation_before(const rk_audit *a, uint32_t at)
{
    const char *text = a->scan.text;

    while (at > 0 && strchr(" *$`", text[at - 1]))
        at--;
    return at >= 3 && memcmp(text + at - 3, "\xE2\x89\x88", 3) == 0;
}

/* Whether the word before a figure, or after it, says that it is what comes out. */
static bool is_announced(const rk_audit *a, const rk_side *s, size_t piece)
{
    const rk_audit_token *t = a->lexed.token.at, *first = &t[a->lexed.first[piece]], *before = &t[s->from];
    const rk_audit_token *after = &t[s->to], *end = &t[a->lexed.first[piece + 1]];

    if (before == first)
        return a->scan.piece.at[piece].kind == RK_PIECE_CELL;
    if (s->literal.about && has_relation_before(a, before->at))
        return true;
    before--;
    if (after < end && after->kind == RK_TOKEN_WORD &&
        rk_lexicon_is(a->lexicon, RK_WORDS_LEFT, a->scan.text + after->at, after->n))
        return true;
    switch (before->kind) {
    case RK_TOKEN_EQUALS:
    case RK_TOKEN_BREAK:
        return before->op != '\n';
    case RK_TOKEN_OPEN: /* "(~7.6 GB)" */
        return true;
    case RK_TOKEN_SYMBOL:
    case RK_TOKEN_WORD:
        return rk_lexicon_is(a->lexicon, RK_WORDS_IS, a->scan.text + before->at, before->n) ||
               rk_lexicon_is(a->lexicon, RK_WORDS_OPENS, a->scan.text + before->at, before->n) ||
               rk_lexicon_is(a->lexicon, RK_WORDS_FOLLOWS, a->scan.text + before->at, before->n);
    default:
        return false;
    }
}

static void put_right(follower *f, const rk_side *s, const char *note)
{
    rk_claim *c = rk_audit_claim(f->a, RK_CLAIM_EQUATION, RK_CLAIM_RIGHT, s->from, s->to);

    if (!c)
        return;
    rk_audit_fill(f->a, c, s, s->value, s->value);
    c->found = rk_audit_value(f->a, s->value, &s->literal, s);
    c->note = note;
}

/* What it follows from: the numbers that were used, or how many were multiplied. */
static void put(follower *f, const rk_side *s)
{
    static const struct {
        char sign;
        const char *text;
    } signs[] = {{'*', " × "}, {'/', " / "}, {'+', " + "}, {'-', " - "}};
    rk_str note = {0};
    size_t to;

    if (f->n_used == 2 && f->sign[1] == '*' && f->a->lexed.token.at[f->used[0]->from].kind == RK_TOKEN_WORD) {
        const operand *type = f->used[0]; /* a number, and then its type */

        f->used[0] = f->used[1];
        f->used[1] = type;
    }
    if (f->n_used == 1 && f->used[0]->of.time == 1 && f->target.of.time == -1)
        rk_str_put(&note, "1 / ");
    for (size_t i = 0; i < f->n_used; i++) {
        for (size_t k = 0; k < sizeof signs / sizeof *signs && i > 0; k++)
            if (signs[k].sign == f->sign[i])
                rk_str_put(&note, signs[k].text);
        to = f->used[i]->to; /* of "8×H100" the 8 */
        to -= f->a->lexed.token.at[to - 1].kind == RK_TOKEN_SIGN && to > f->used[i]->from + 1;
        rk_str_put(&note, rk_audit_quote(f->a, f->used[i]->from, to));
    }
    if (f->n_used == 0)
        rk_str_format(&note, "the product of %zu numbers before it", f->n_run);
    if (f->in_binary)
        rk_str_put(&note, in_powers_of_1024);
    put_right(f, s, rk_audit_keep(f->a, &note));
}

/* What is not what its sentence says it is; never more than doubtful, since others may have been meant. */
static void put_doubt(follower *f, const rk_side *s, const char *what, double comes_to)
{
    rk_claim *c = rk_audit_claim(f->a, RK_CLAIM_EQUATION, RK_CLAIM_DOUBTFUL, s->from, s->to);
    double scale = 1;

    if (!c)
        return;
    rk_audit_fill(f->a, c, s, s->value, RK_EX_FAILED);
    rk_side_double(f->a->pool, s->literal.scale, &scale);
    c->note = rk_arena_format(&f->a->arena, "%s to %.6g %s", what, comes_to / scale,
                              s->to > s->from + 1 ? rk_audit_quote(f->a, s->from + 1, s->to) : "");
}

/* "Of 80 GB the weights need 16 GB, leaving 54 GB": two figures of the kind before it, and their difference. */
static bool doubt_rest(follower *f, const rk_side *s)
{
    const rk_audit_token *before = s->from > 0 ? &f->a->lexed.token.at[s->from - 1] : NULL;
    const double small = 1e-4;
    const operand *of[2] = {NULL, NULL};
    size_t n = 0;
    double rest;

    if (!before || before->kind != RK_TOKEN_WORD || !s->unit || s->unit->kind == RK_WORD_UNIT_SHARE ||
        !rk_lexicon_is(f->a->lexicon, RK_WORDS_LEAVES, f->a->scan.text + before->at, before->n))
        return false;
    for (size_t i = 0; i < f->n; i++) /* of GB, 2 bytes for each number are none */
        if (same_dimension(f->operand[i].of, f->target.of) && f->operand[i].value > f->target.value * small) {
            if (n < 2)
                of[n] = &f->operand[i];
            n++;
        }
    if (n != 2 || of[0]->value == of[1]->value)
        return false;
    if (of[0]->value < of[1]->value) {
        const operand *larger = of[1];

        of[1] = of[0];
        of[0] = larger;
    }
    rest = of[0]->value - of[1]->value;
    if (f->target.value >= of[0]->value ||
        fabs(rest - f->target.value) <= 2 * f->half + of[0]->loose * of[0]->value + of[1]->loose * of[1]->value)
        return false;
    put_doubt(f, s,
              rk_arena_format(&f->a->arena, "%s less %s comes", rk_audit_quote(f->a, of[0]->from, of[0]->to),
                              rk_audit_quote(f->a, of[1]->from, of[1]->to)),
              rest);
    return true;
}

/* "57.4 GB (24.9 GB of state + 34.5 GB of activations)": what stands in brackets adds up to something else. */
static bool doubt_parts(follower *f, const rk_side *s)
{
    const rk_audit_token *t = f->a->lexed.token.at;
    double sum = 0, loose = 0;
    size_t plus = 0;

    for (size_t i = s->to + 1; i < f->operand[f->n - 1].from; i++) {
        if (t[i].kind == RK_TOKEN_SIGN && t[i].op != '+')
            return false;
        plus += t[i].kind == RK_TOKEN_SIGN;
    }
    for (size_t i = 0; i < f->n; i++) {
        if (!same_dimension(f->operand[i].of, f->target.of))
            return false;
        sum += f->operand[i].value;
        loose += f->operand[i].loose * f->operand[i].value;
    }
    if (plus + 1 != f->n || !s->unit || sum > 2 * f->target.value || f->target.value > 2 * sum ||
        fabs(sum - f->target.value) <= 2 * f->half + loose)
        return false;
    put_doubt(f, s, "what stands in brackets adds up", sum);
    return true;
}

/* The lines just above it are so many times a figure, each by a number of its own. */
static void note_series(follower *f)
{
    size_t line = line_of(f);

    if (f->series.each != f->used[1] || line > f->series.line + 1)
        f->series.n = 0;
    f->series.each = f->used[1];
    f->series.line = line;
    f->series.n++;
}

/* … and in this one, which stands below two of them, the figure is another one. */
static bool put_odd(follower *f, const rk_side *s)
{
    enum {
        LINES_LEAST = 2
    };
    const double near = 2.2, sure = 0.03, most = 1e30;
    const operand *own[OWN_MAX], *each = f->series.each;
    size_t above, n = counts_before(f, own, &above);
    double found = n == 1 && each ? own[0]->value * each->value : 0, off;
    rk_claim *c;

    if (f->series.n < LINES_LEAST || line_of(f) != f->series.line + 1 || found <= 0 || found > most ||
        !same_dimension(each->of, f->target.of))
        return false;
    off = fmax(found / f->target.value, f->target.value / found);
    for (double by = 1; by <= 1.1; by *= 1.024) /* K, M and G may be powers of 1,024 in any of both */
        if (fabs(found * by - f->target.value) <= f->half || fabs(found / by - f->target.value) <= f->half)
            return false;
    if (off > near || fabs(found - f->target.value) <= 2 * f->half + sure * found)
        return false;
    c = rk_audit_claim(f->a, RK_CLAIM_EQUATION, s->literal.about ? RK_CLAIM_DOUBTFUL : RK_CLAIM_WRONG, s->from, s->to);
    if (!c)
        return false;
    rk_audit_fill(f->a, c, s, s->value, rk_ex_int(f->a->pool, (rk_i128)found));
    c->found = rk_audit_value(f->a, c->found_value, &s->literal, s);
    c->note = rk_arena_format(&f->a->arena, "in the lines above it is so many times %s",
                              rk_audit_quote(f->a, each->from, each->to));
    return true;
}

/* A figure with many digits is the sum of the rows above it, or a multiple of one of them. */
static bool put_long(follower *f, const rk_side *s)
{
    size_t rows = digits_of(f->target.value) >= LONG_DIGITS ? try_rows(f) : 0;
    const operand *of;
    int by = 0;

    if (rows > 0) {
        put_right(f, s, rk_arena_format(&f->a->arena, "the sum of the %zu numbers before it", rows));
        return true;
    }
    if (parts_below(f) > 0) {
        put_right(f, s, rk_arena_format(&f->a->arena, "the sum of %u numbers below it", parts_below(f)));
        return true;
    }
    of = digits_of(f->target.value) >= LONG_DIGITS ? try_multiple(f, &by) : NULL;
    if (of)
        put_right(f, s, rk_arena_format(&f->a->arena, "%d × %s", by, rk_audit_quote(f->a, of->from, of->to)));
    return of != NULL;
}

/* What is known of it, in a line before or after it; figures with few digits are not worth it. */
static bool put_again(follower *f, const rk_side *s)
{
    const double chance_most = 0.02;
    const operand *again = f->half / f->target.value > worth ? NULL : find_again(f, chance_most);

    if (again)
        put_right(f, s,
                  rk_arena_format(&f->a->arena, "as in line %zu",
                                  rk_scan_line(&f->a->scan, f->a->lexed.token.at[again->from].at)));
    return again != NULL;
}

static void judge_figure(follower *f, const rk_side *s, size_t piece)
{
    const double chance_announced = 0.03, chance_other = 1e-4;
    bool about = s->literal.about || s->about, announced, in_brackets;
    const operand *count;
    int each;

    if (!s->literal.is || s->range || s->shape || s->maybe_two || f->stated[s->from] ||
        !make_operand(f->a, s, &f->target))
        return;
    f->half = fmax(about ? s->literal.coarse : s->literal.unit, s->literal.unit) / 2;
    f->binary = 0;
    if (s->unit && s->unit->kind == RK_WORD_UNIT_BYTES && !s->unit->binary && s->unit->power > 0)
        f->binary = f->target.value * pow(1.024, s->unit->power);
    if (f->only_again) {
        put_again(f, s);
        return;
    }
    in_brackets = gather_around(f, piece);
    if (f->target.of.bytes > 0 && f->n > 0 && digits_of(f->operand[0].value) >= LONG_DIGITS)
        gather_type(f, f->a->lexed.first[piece + 1]);
    announced = in_brackets || is_announced(f->a, s, piece);
    f->chance_most = announced ? chance_announced : chance_other;
    f->in_binary = false;
    if (f->restates && 2 * f->half / f->target.value < chance_announced) {
        f->used[0] = f->restates;
        f->n_used = 1;
        put(f, s);
        return;
    }
    if (f->half / f->target.value > worth || put_long(f, s))
        return;
    if (f->n >= 1 && search(f)) {
        put(f, s);
        return;
    }
    if (put_again(f, s))
        return;
    if (announced && search_far(f)) {
        put(f, s);
        return;
    }
    if (announced && search_each(f)) {
        note_series(f);
        put(f, s);
        return;
    }
    if (announced && (each = bytes_each(f, &count)) > 0) {
        put_right(f, s,
                  rk_arena_format(&f->a->arena, "%s × %d bytes%s", rk_audit_quote(f->a, count->from, count->to), each,
                                  f->in_binary ? in_powers_of_1024 : ""));
        return;
    }
    if (announced && put_odd(f, s))
        return;
    if (f->n < 2)
        return;
    f->chance = 0;
    f->n_used = 0;
    f->n_run = try_run(f);
    if (f->n_run > 0)
        put(f, s);
    else if (!(in_brackets && doubt_parts(f, s)))
        doubt_rest(f, s);
}

/* "16,356,614,144 × B + 24,882,022,400": long numbers of a formula that no claim is about. */
static void judge_numbers(follower *f, const rk_side *formula, size_t piece)
{
    const double long_least = 1e6;
    const rk_audit_token *t = f->a->lexed.token.at;

    for (size_t i = formula->from; i < formula->to && formula->n_symbol > 0; i++) {
        rk_side *s =
            t[i].kind == RK_TOKEN_NUMBER && !f->stated[i] && (double)f->a->lexed.number.at[t[i].id].digits >= long_least
                ? RK_NEW(&f->a->arena, rk_side)
                : NULL;

        if (s && rk_side_read_number(&f->reader, i, i + 1, s))
            judge_figure(f, s, piece);
    }
}

static void judge_all(follower *f)
{
    enum {
        LONG_LEAST = 1000000
    };
    const rk_audit *a = f->a;
    const rk_chains *c = &a->chains;

    for (size_t i = 0; i < c->chain.n && !a->arena.failed; i++) {
        const rk_chain *now = &c->chain.at[i];
        const rk_side *side = &c->side.at[now->first];

        /* "n_heads = 12" says what a symbol is; "P = 2,127,057,600" is worked out. */
        bool defines = now->n > 1 && side->alone != RK_SYM_NONE && side[1].literal.is &&
                       side[1].literal.unit * LONG_LEAST > size_of(a, &side[1]);

        for (size_t k = defines ? 2 : 0; k < now->n; k++)
            if (side[k].literal.is)
                judge_figure(f, &side[k], now->piece);
            else
                judge_numbers(f, &side[k], now->piece);
    }
}

int rk_judge_follows(rk_audit *a, rk_err *err)
{
    enum {
        STEPS_PER_TOKEN = 400,
        LOOKS = 40000000 /* a tenth of a second */
    };
    follower f = {
        .a = a, .looks = LOOKS, .reader = a->reader, .stated = RK_NEW_ARRAY(&a->arena, a->lexed.token.n + 1, bool)};

    if (!f.stated)
        return rk_fail_memory(err);
    f.budget = STEPS_PER_TOKEN * (a->lexed.token.n + 100);
    f.reader.budget = &f.budget;
    find_numbers(&f);
    find_parts(&f);
    /* The second time round, what was found to follow is known, too. */
    for (int turn = 0; turn < 2 && !a->arena.failed; turn++) {
        f.only_again = turn > 0;
        f.known.n = 0;
        rk_audit_mark_stated(a, f.stated);
        find_known(&f);
        judge_all(&f);
    }
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}
