/* SPDX-License-Identifier: MIT */
/* The cache of a model whose heads share keys and values, worked out as if each had its own: a common slip. */
#include "audit/bind_parts.h"
#include "audit/index_build.h"

#include <math.h>
#include <string.h>

enum {
    LINES_UNGROUPED = 3, /* above a formula, where words may say that its heads share nothing */
    LINES_BEFORE = 8,    /* in which the cache may be named */
    FACTORS_MAX = 12
};

typedef struct grouping {
    rk_i128 heads, shared; /* of queries; of keys and values */
    rk_i128 cached;        /* numbers of one token */
    rk_i128 layers;        /* 0: not known */
} grouping;

static bool find_grouping(const rk_binder *b, grouping *out)
{
    const rk_index *x = b->sizing[0].index;
    const rk_model *m = b->source->instance->model;
    rk_binding at = b->source->instance->at;

    *out = (grouping){0};
    if (x->facts.lacks[RK_MODEL_FACT_CACHED] || x->facts.lacks[RK_MODEL_FACT_HEADS])
        return false;
    for (size_t i = 0; i < m->n_symbol; i++)
        if (strcmp(m->symbol[i].name, "K") == 0 && m->symbol[i].known)
            out->shared = m->symbol[i].value;
    out->layers = rk_bind_layers(b, m) ? rk_bind_layers(b, m)->value : 0;
    return rk_ex_eval(b->source->instance->pool, x->facts.of_model[RK_MODEL_FACT_HEADS], &at, &out->heads, NULL) ==
               RK_OK &&
           rk_ex_eval(b->source->instance->pool, x->facts.of_model[RK_MODEL_FACT_CACHED], &at, &out->cached, NULL) ==
               RK_OK &&
           out->shared > 0 && out->heads > out->shared && out->heads % out->shared == 0 && out->cached > 0;
}

/* Lines up to that of a token speak of a cache; its own does not say that another case is meant. */
static bool speaks_of_cache(const rk_binder *b, size_t token)
{
    /* "If this were standard MHA:", and the formula below it. */
    return !rk_audit_says_above(b->a, RK_WORDS_UNGROUPED, token, LINES_UNGROUPED) &&
           rk_audit_says_above(b->a, RK_WORDS_CACHE, token, LINES_BEFORE);
}

/* A product with the layers, with a number of heads, or a width, of its own, and none that are shared. */
static bool has_all_heads(const rk_binder *b, const grouping *g, const rk_side *s)
{
    enum {
        FACTORS_LEAST = 4,
        BYTES_MOST = 4
    };
    const rk_audit_token *t = b->a->lexed.token.at;
    const rk_model *m = b->source->instance->model;
    rk_i128 width = 0;
    size_t n = 0, n_layers = 0, n_heads = 0, n_own = 0, n_shared = 0, n_width = 0, n_head_width = 0;

    for (size_t i = 0; i < m->n_symbol; i++)
        if (strcmp(m->symbol[i].name, "D") == 0 && m->symbol[i].known)
            width = m->symbol[i].value;
    for (size_t i = s->from; i < s->to; i++) {
        rk_i128 x = t[i].kind == RK_TOKEN_NUMBER ? b->a->lexed.number.at[t[i].id].digits : 0;

        if (t[i].kind == RK_TOKEN_SIGN && !strchr("*/^", t[i].op))
            return false;
        if (t[i].kind == RK_TOKEN_NUMBER && b->a->lexed.number.at[t[i].id].exponent < 0)
            return false; /* "× 0.125": as many heads share one */
        n_shared += x == g->shared;
        n_own += x == g->heads;
        n += x > 0;
        n_layers += x == g->layers;
        n_width += width > 0 && x == width;
        n_head_width += width > 0 && x == width / g->heads;
        n_heads += x == g->heads || (width > 0 && x == width);
    }
    /* Beside all heads a 4 is of bytes; beside a width it is that of the heads that are shared. */
    if (n_shared > 0 && !(g->shared <= BYTES_MOST && n_own > 0 && g->heads != g->layers))
        return false;
    /*
     * Of as many heads as layers, one number may be either, and a width may be a length; not so two of them, nor a
     * width where none is that of a head.
     */
    return n_heads > 0 && n_layers > 0 && n >= FACTORS_LEAST &&
           (g->heads != g->layers || n_layers > 1 || n_width > 1 || (n_width > 0 && n_head_width == 0));
}

/* What is left when a side is divided by the cache of one token is 1, 2 or 4 bytes, times numbers of the side. */
static bool is_explained(const rk_audit *a, const rk_side *s, rk_i128 left)
{
    const rk_audit_token *t = a->lexed.token.at;
    rk_i128 factor[FACTORS_MAX];
    size_t n = 0;

    for (size_t i = s->from; i < s->to && n < FACTORS_MAX; i++)
        if (t[i].kind == RK_TOKEN_NUMBER && a->lexed.number.at[t[i].id].exponent == 0)
            factor[n++] = a->lexed.number.at[t[i].id].digits;
    for (rk_i128 bytes = 1; bytes <= 4; bytes *= 2) {
        if (left == bytes)
            return true;
        for (size_t i = 0; i < n; i++)
            for (size_t k = i; k < n; k++)
                if (left == bytes * factor[i] || (k > i && left == bytes * factor[i] * factor[k]))
                    return true;
    }
    return false;
}

static const char *shared_note(rk_binder *b, const grouping *g)
{
    char heads[RK_NUM_TEXT_MAX], shared[RK_NUM_TEXT_MAX];

    return rk_arena_format(&b->a->arena, "%s heads share the keys and values of %s: each has none of its own",
                           rk_num_grouped(heads, g->heads), rk_num_grouped(shared, g->shared));
}

/* Heads taken to be as wide as all of the width shared among them, D/N, where they are of a width of their own. */
static bool is_of_other_width(const rk_binder *b, const rk_side *s, rk_i128 n, const grouping *g, rk_i128 *right)
{
    const rk_i128 most = (rk_i128)1 << 100; /* what it is multiplied with stays within 128 bits */
    const rk_audit_token *t = b->a->lexed.token.at;
    const rk_model *m = b->source->instance->model;
    const rk_symbol *width = rk_bind_of_role(b, m, RK_LETTER_WIDTH),
                    *head = rk_bind_of_role(b, m, RK_LETTER_HEAD_WIDTH);
    rk_i128 whole = head && head->known ? head->value * g->heads : 0, narrow;
    bool has_width = false, has_layers = false;

    if (n > most || !width || !width->known || whole == 0 || whole == width->value ||
        g->cached * width->value % whole != 0)
        return false;
    narrow = g->cached * width->value / whole;
    for (size_t i = s->from; i < s->to; i++) {
        rk_i128 x = t[i].kind == RK_TOKEN_NUMBER ? b->a->lexed.number.at[t[i].id].digits : 0;

        has_width |= x == width->value || x == width->value / g->heads;
        has_layers |= x == g->layers;
    }
    *right = n / narrow * g->cached;
    return has_width && has_layers && n % narrow == 0 && is_explained(b->a, s, n / narrow);
}

static const char *width_note(rk_binder *b, const grouping *g)
{
    char own[RK_NUM_TEXT_MAX], shared[RK_NUM_TEXT_MAX];
    const rk_model *m = b->source->instance->model;

    return rk_arena_format(&b->a->arena, "a head is %s wide, and not %s, the width of the model divided by its heads",
                           rk_num_grouped(own, rk_bind_of_role(b, m, RK_LETTER_HEAD_WIDTH)->value),
                           rk_num_grouped(shared, rk_bind_of_role(b, m, RK_LETTER_WIDTH)->value / g->heads));
}

/* By which power of 1,000 or of 1,024 a side is divided, "/ 1,073,741,824", "/ 1024^3"; 1: by none. */
static rk_i128 divisor_of(const rk_binder *b, const rk_side *s)
{
    enum {
        POWERS = 4
    };
    const rk_audit_token *t = b->a->lexed.token.at;
    const rk_written *w = b->a->lexed.number.at;

    for (size_t i = s->from; i + 1 < s->to; i++) {
        rk_i128 n = t[i].kind == RK_TOKEN_SIGN && t[i].op == '/' && t[i + 1].kind == RK_TOKEN_NUMBER
                        ? w[t[i + 1].id].digits
                        : 0;
        bool raised =
            i + 3 < s->to && t[i + 2].kind == RK_TOKEN_SIGN && t[i + 2].op == '^' && t[i + 3].kind == RK_TOKEN_NUMBER;

        for (int base = 1000; base <= 1024 && n > 0; base += 24) {
            rk_i128 power = 1;

            for (rk_i128 k = 1; k <= POWERS; k++) {
                power *= base;
                if (raised ? n == base && w[t[i + 3].id].digits == k : n == power)
                    return power;
            }
        }
    }
    return 1;
}

static void judge_chain(rk_binder *b, const grouping *g, const rk_chain *c)
{
    rk_audit *a = b->a;
    const rk_side *x = &a->chains.side.at[c->first];
    rk_i128 n, by, right, each = g->cached * (g->heads / g->shared);
    bool narrow;
    rk_claim *claim;

    for (size_t i = 0; i + 1 < c->n; i++, x++) {
        const rk_side *y = x + 1, *last = &a->chains.side.at[c->first + c->n - 1];

        while (y < last && y->computed && y->value == x->value) /* steps on the way to the figure */
            y++;
        if (!x->computed || x->n_symbol > 0 || !y->literal.is || (y->unit && y->unit->kind == RK_WORD_UNIT_FLOPS) ||
            x->value == RK_EX_FAILED || (by = divisor_of(b, x)) <= 0 ||
            !rk_ex_is_int(a->pool, rk_ex_mul(a->pool, x->value, rk_ex_int(a->pool, by)), &n) || n <= 0 ||
            !speaks_of_cache(b, x->from))
            continue;
        narrow = is_of_other_width(b, x, n, g, &right);
        if (!narrow && (n % each != 0 || !is_explained(a, x, n / each) || !has_all_heads(b, g, x)))
            continue;
        right = narrow ? right : n / (g->heads / g->shared);
        claim = rk_audit_claim(a, RK_CLAIM_MODEL, rk_bind_status(b, RK_CLAIM_WRONG), x->from, y->to);
        if (!claim)
            return;
        rk_audit_fill(a, claim, y, y->value, rk_ex_ratio(a->pool, right, y->unit && y->unit->power ? 1 : by));
        claim->found = rk_audit_value(a, claim->found_value, &y->literal, y);
        claim->quantity = "the cache";
        claim->note = narrow ? width_note(b, g) : shared_note(b, g);
        return;
    }
}

/* ---- what a text says that the cache takes ----------------------------------------------------------------------- */

/* How many tokens number i may be: "10K ctx", "8,192 tokens", "a context of 4096"; 0: it is something else. */
static double tokens_of(const rk_binder *b, size_t i, size_t end, double base)
{
    enum {
        NEAR = 3
    };
    const rk_audit_token *t = b->a->lexed.token.at;
    const char *text = b->a->scan.text;
    const rk_written *w = t[i].kind == RK_TOKEN_NUMBER ? &b->a->lexed.number.at[t[i].id] : NULL;
    const rk_word_unit *u = i + 1 < end ? rk_lexicon_unit(b->a->lexicon, text + t[i + 1].at, t[i + 1].n) : NULL;
    size_t from = i > NEAR ? i - NEAR : 0, to = i + NEAR < end ? i + NEAR : end;
    uint32_t first = t[from].at, last = t[to - 1].at + t[to - 1].n;

    if (!w || w->wide || w->exponent < 0 || w->digits <= 0 || (u && u->kind != RK_WORD_UNIT_SCALE && !u->letter) ||
        !rk_lexicon_in(b->a->lexicon, RK_WORDS_LENGTH, text + first, last - first))
        return 0;
    return rk_written_value(w) * (u ? pow(base, u->power) : 1);
}

/* Whether a figure is so many bytes, as it is rounded, perhaps in powers of 1,024. */
static bool is_bytes(const rk_figure *f, double bytes)
{
    const rk_word_unit *u = f->side->unit;
    double binary = u->binary ? 1 : pow(1.024, u->power);

    return fabs(f->size - bytes) <= f->slack || fabs(f->size * binary - bytes) <= f->slack * binary;
}

/* The bytes of the cache of one token, or of as many as the lines before a figure say, if that is it; 0: it is not. */
static double cache_of(const rk_binder *b, const rk_figure *f, double numbers)
{
    enum {
        LINES = 6,
        TOKENS_MAX = 200
    };
    const double bytes = 2;
    const rk_scan *s = &b->a->scan;
    size_t line = rk_scan_line(s, b->a->lexed.token.at[f->side->from].at), end = f->side->from;
    uint32_t from, to;

    if (f->said & RK_SAID_TOKEN)
        return is_bytes(f, numbers * bytes) ? numbers * bytes : 0;
    rk_scan_line_range(s, line > LINES ? line - LINES : 1, &from, &to);
    for (size_t i = end; i > 0 && end - i < TOKENS_MAX && b->a->lexed.token.at[i - 1].at >= from; i--)
        for (int base = 1000; base <= 1024; base += 24) {
            double tokens = tokens_of(b, i - 1, end, base);

            if (tokens >= 1 && is_bytes(f, numbers * bytes * tokens))
                return numbers * bytes * tokens;
        }
    return 0;
}

/* "KV cache ≈ 125 GB, more than an A100 (80 GB)": the first figure is the cache, and a device has its own. */
static bool is_of_device(const rk_binder *b, const rk_figure *f, uint32_t from)
{
    const rk_audit_token *t = b->a->lexed.token.at;
    const char *text = b->a->scan.text;
    size_t first = b->a->lexed.first[f->chain->piece];

    for (size_t i = f->side->from; i > first && t[i - 1].at >= from; i--)
        if (rk_lexicon_is(b->a->lexicon, RK_WORDS_DEVICE, text + t[i - 1].at, t[i - 1].n))
            return true;
    return false;
}

/* "KV cache: 26 GB" of a model whose heads share keys and values: as if each had its own, or as it is. */
static void judge_stated(rk_binder *b, const grouping *g, const rk_figure *f)
{
    const double worth = 0.05; /* two digits */
    const rk_scan *s = &b->a->scan;
    const rk_side *side = f->side;
    rk_i128 groups = g->heads / g->shared;
    uint32_t at = b->a->lexed.token.at[side->from].at, from, to;
    double shared, own;
    rk_claim *c;

    rk_scan_line_range(s, rk_scan_line(s, at), &from, &to);
    if (f->bound.entry || f->formula || f->is_sum || f->is_wrong || f->chain->n > 1 || !side->unit ||
        side->unit->kind != RK_WORD_UNIT_BYTES || f->slack > worth * f->size ||
        !rk_lexicon_in(b->a->lexicon, RK_WORDS_CACHE, s->text + from, at - from) ||
        rk_lexicon_in(b->a->lexicon, RK_WORDS_UNGROUPED, s->text + from, to - from) || (f->said & RK_SAID_DOUBT) ||
        is_of_device(b, f, from) || !rk_bind_is_named(b, f->chain->piece, at))
        return;
    shared = cache_of(b, f, (double)g->cached);
    own = shared > 0 ? 0 : cache_of(b, f, (double)(g->cached * groups));
    if (shared <= 0 && own <= 0)
        return;
    c = rk_audit_claim(b->a, RK_CLAIM_MODEL, shared > 0 ? RK_CLAIM_RIGHT : rk_bind_status(b, RK_CLAIM_WRONG),
                       side->from, side->to);
    if (!c)
        return;
    rk_audit_fill(b->a, c, side, side->value,
                  rk_ex_int(b->a->pool, (rk_i128)llround(shared > 0 ? shared : own / (double)groups)));
    c->found = rk_audit_value(b->a, c->found_value, &side->literal, side);
    c->quantity = "the cache";
    c->note = shared > 0 ? "the cache, 2 bytes each (bf16, fp16)" : shared_note(b, g);
}

void rk_bind_caches(rk_binder *b)
{
    grouping g;

    if (b->code != RK_OK || !find_grouping(b, &g))
        return;
    for (size_t i = 0; i < b->a->chains.chain.n && !b->a->arena.failed; i++)
        if (!b->source->piece || b->source->piece[b->a->chains.chain.at[i].piece])
            judge_chain(b, &g, &b->a->chains.chain.at[i]);
    for (size_t i = 0; i < b->figure.n && !b->a->arena.failed; i++)
        judge_stated(b, &g, &b->figure.at[i]);
}
