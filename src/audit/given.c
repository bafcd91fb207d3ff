/* SPDX-License-Identifier: MIT */
#include "audit/given.h"

#include "audit/lex.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_MAX = 40,    /* bytes of a word in a message */
    EXPONENT_MAX = 38, /* beyond it nothing fits into 128 bits */
    COST_OF_OTHER = 2, /* a unit in the other powers */
    COARSE_LEAST = 10 /* of a number that ends in zeros, without them: to be taken as a rounded one it has two digits */
};

#define DIGITS "0123456789"
#define WHAT_WILL_DO "a number above zero, as in 6710886400, 3.5e12, 1.56B, 7.92GiB or 69.4%"

/* What is known of a number while it is read. */
typedef struct reading {
    const rk_lexicon *lexicon;
    rk_written number;
    int power;      /* of 1,000 */
    bool binary;    /* … of 1,024 */
    bool has_other; /* the unit may have been meant in the other powers */
    bool has_scale;
    bool hundredths; /* a share in % */
    unsigned kinds;
} reading;

/* ---- failing ----------------------------------------------------------------------------------------------------- */

static int refuse(rk_err *err, const char *text, const char *why)
{
    size_t n = strlen(text), shown = n < SHOWN_MAX ? n : SHOWN_MAX;
    rk_str s = {0};
    int code;

    while (shown < n && ((unsigned char)text[shown] & 0xC0) == 0x80)
        shown++; /* not in the middle of a letter */
    rk_str_put_safe(&s, text, shown);
    code = rk_fail(err, RK_EINPUT, "'%s%s' %s", rk_str_text(&s), shown < n ? "…" : "", why);
    rk_str_free(&s);
    return code;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

unsigned rk_given_kinds(const rk_word_unit *u)
{
    switch (u ? u->kind : RK_WORD_UNIT_NONE) {
    case RK_WORD_UNIT_BYTES:
        return RK_INDEX_IS(BYTES);
    case RK_WORD_UNIT_FLOPS:
        return RK_INDEX_OPERATIONS;
    case RK_WORD_UNIT_SHARE:
        return RK_INDEX_IS(SHARE);
    default:
        return 0;
    }
}

static bool take_unit(reading *r, const char *word, size_t n)
{
    const rk_word_unit *u = rk_lexicon_unit(r->lexicon, word, n);
    unsigned kinds = rk_given_kinds(u);

    if (rk_lexicon_is(r->lexicon, RK_WORDS_TYPED, word, n)) {
        r->kinds &= RK_INDEX_IS(PARAMS);
        return true;
    }
    if (!u)
        return false;
    r->kinds = kinds == RK_INDEX_IS(SHARE) ? kinds : r->kinds & (kinds ? kinds : RK_INDEX_ANY);
    r->hundredths |= kinds == RK_INDEX_IS(SHARE);
    r->power += u->power > 0 ? u->power : 0;
    r->binary |= u->binary;
    r->has_scale |= u->power > 0;
    r->has_other |= u->power > 0 && (u->kind == RK_WORD_UNIT_BYTES || u->letter || u->binary);
    return true;
}

bool rk_given_is_unit(const rk_lexicon *l, const char *word)
{
    reading r = {.lexicon = l, .kinds = RK_INDEX_ANY};

    return take_unit(&r, word, strlen(word));
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* "× 10^11", "x10^11", "*10**11": its bytes, and the exponent; 0: there is none. */
static size_t read_power(const char *text, int *exponent)
{
    static const char *const times[] = {"x", "*", "\xC3\x97", "\xC2\xB7"};
    const char *at = text + strspn(text, " ");
    char *end = NULL;
    long n;

    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strncmp(at, times[i], strlen(times[i])) == 0) {
            at += strlen(times[i]);
            at += strspn(at, " ");
            if (strncmp(at, "10^", 3) != 0 && strncmp(at, "10**", 4) != 0)
                return 0;
            at += at[2] == '^' ? 3 : 4;
            n = at[0] >= '0' && at[0] <= '9' ? strtol(at, &end, 10) : -1;
            *exponent = n > EXPONENT_MAX ? EXPONENT_MAX + 1 : (int)n;
            return n >= 0 ? (size_t)(end - text) : 0;
        }
    return 0;
}

/* The number itself, by the reader of written accounts; the bytes that it takes, or 0. */
static size_t read_number(rk_arena *a, const char *text, reading *r)
{
    rk_lexed lexed = {.lexicon = r->lexicon};
    rk_audit_lexer x = {.arena = a, .out = &lexed, .text = text};
    size_t n = strspn(text, DIGITS ",._"), e = n;
    int exponent = 0;

    /* Up to the unit: in a text 3e9B is a code, here it is three billion billions. */
    if (text[n] == 'e' || text[n] == 'E') {
        e += text[n + 1] == '+' || text[n + 1] == '-' ? 2 : 1;
        n = strspn(text + e, DIGITS) > 0 ? e + strspn(text + e, DIGITS) : n;
    }
    x.to = (uint32_t)n;
    if (n == 0 || !rk_lex_number(&x) || lexed.number.n == 0)
        return 0;
    r->number = lexed.number.at[0];
    n = read_power(text + x.at, &exponent);
    r->number.exponent += exponent;
    r->number.decimal |= n > 0;
    return x.at + n;
}

static bool read_units(const char *rest, reading *r)
{
    for (rest += strspn(rest, " "); *rest; rest += strspn(rest, " ")) {
        size_t n = strcspn(rest, " ");

        if (!take_unit(r, rest, n))
            return false;
        rest += n;
    }
    return r->kinds != 0;
}

/* A product that is worked out: 2·1024²·64. */
static bool read_formula(const char *text, reading *r)
{
    rk_pool *pool = rk_pool_new();
    rk_ex e = RK_EX_FAILED;
    bool good = pool && rk_ex_parse(pool, text, &e, NULL) == RK_OK && rk_ex_is_int(pool, e, &r->number.digits);

    rk_pool_free(pool);
    r->number.exponent = 0;
    r->number.decimal = r->number.wide = false;
    r->has_scale = false;
    r->power = 0;
    r->kinds = RK_INDEX_ANY;
    return good;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

/* (2·digits ± 1)/2 × 10^exponent × base^power; false: it does not fit. */
static bool fill(rk_index_query *q, const rk_written *w, int exponent, rk_i128 digits, rk_i128 scale, bool exact)
{
    rk_acc acc = {0};
    rk_i128 up = scale, twice = rk_mul(&acc, digits, 2);

    if (w->wide || exponent > EXPONENT_MAX || exponent < -EXPONENT_MAX)
        return false;
    q->den = exact ? 1 : 2;
    if (exponent > 0)
        up = rk_mul(&acc, up, rk_pow(&acc, 10, (unsigned)exponent));
    else
        q->den = rk_mul(&acc, q->den, rk_pow(&acc, 10, (unsigned)-exponent));
    q->low = rk_mul(&acc, exact ? digits : twice - 1, up);
    q->high = rk_mul(&acc, exact ? digits : twice + 1, up);
    return !acc.overflow;
}

static bool fill_all(rk_given *g, const reading *r)
{
    bool is_share = r->kinds == RK_INDEX_IS(SHARE);
    const rk_written *w = &r->number;
    rk_acc acc = {0};
    rk_i128 thousands = rk_pow(&acc, 1000, (unsigned)r->power), binary = rk_pow(&acc, 1024, (unsigned)r->power);
    rk_i128 scale = r->binary ? binary : thousands, digits = w->digits;
    int zeros = 0;

    if (is_share)
        scale = RK_INDEX_SHARE_UNIT / (r->hundredths ? 100 : 1);
    g->exact = !w->decimal && !r->has_scale && !is_share;
    g->binary = !r->binary;
    g->plain.kinds = r->kinds;
    if (!fill(&g->plain, w, w->exponent, digits, scale, g->exact))
        return false;
    if (r->has_other && fill(&g->other, w, w->exponent, digits, r->binary ? thousands : binary, false))
        g->other.kinds = r->kinds;
    /* Without the zeros at its end, which rounding may have left. */
    for (; g->exact && digits % 10 == 0 && digits / 10 >= COARSE_LEAST; zeros++)
        digits /= 10;
    if (zeros > 0 && fill(&g->coarse, w, zeros, digits, 1, false))
        g->coarse.kinds = r->kinds;
    return true;
}

int rk_given_read(const rk_lexicon *l, const char *text, rk_given *out, rk_err *err)
{
    rk_given g = {.text = text};
    reading r = {.lexicon = l, .kinds = RK_INDEX_ANY};
    rk_arena arena = {0};
    rk_acc acc = {0};
    bool good = false;
    size_t n = 0;
    int down;

    if (strlen(text) <= RK_GIVEN_BYTES_MAX) {
        n = read_number(&arena, text, &r);
        good = n > 0 && read_units(text + n, &r);
        rk_arena_free(&arena);
    }
    if (!good && n == 0)
        return refuse(err, text, "is not " WHAT_WILL_DO);
    if (!good && !read_formula(text, &r))
        return strpbrk(text, "^*/+()")
                   ? refuse(err, text, "cannot be worked out: products and powers of whole numbers can")
                   : refuse(err, text + n + strspn(text + n, " "),
                            "is no unit: K, M, B, T, FLOPs, TFLOPs, bytes, GB, GiB, % and parameters are");
    if (r.number.digits <= 0 && !r.number.wide)
        return refuse(err, text, "is not " WHAT_WILL_DO);
    down = r.number.exponent < -EXPONENT_MAX ? EXPONENT_MAX : -r.number.exponent;
    if (r.kinds == RK_INDEX_ANY && !r.has_scale && down > 0 && r.number.digits < rk_pow(&acc, 10, (unsigned)down))
        r.kinds = RK_INDEX_IS(SHARE); /* 0.694 of nothing that is named */
    if (!fill_all(&g, &r))
        return refuse(err, text, "is beyond all that is counted here: numbers have at most 36 digits");
    *out = g;
    return RK_OK;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

int rk_given_find(const rk_given *g, const rk_index *x, rk_arena *a, rk_matches *out, bool *rounded, rk_err *err)
{
    int code = rk_index_find(x, a, &g->plain, out, err);
    size_t before;

    *rounded = false;
    if (code == RK_OK && out->n_all == 0 && g->coarse.kinds) {
        code = rk_index_find(x, a, &g->coarse, out, err);
        *rounded = out->n_all > 0;
    }
    before = out->at.n;
    if (code == RK_OK && g->other.kinds)
        code = rk_index_find(x, a, &g->other, out, err);
    for (size_t i = before; i < out->at.n; i++) {
        out->at.at[i].other = true;
        out->at.at[i].cost += COST_OF_OTHER;
    }
    rk_matches_rank(out);
    return code;
}
