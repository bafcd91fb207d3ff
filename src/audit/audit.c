/* SPDX-License-Identifier: MIT */
#include "audit/audit.h"

#include "audit/bounds.h"
#include "audit/changes.h"
#include "audit/devices.h"
#include "audit/follow.h"
#include "audit/growth.h"
#include "audit/heads.h"
#include "audit/judge.h"
#include "audit/sums.h"
#include "audit/tables.h"
#include "audit/weights.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------------ */

const char *rk_audit_keep(rk_audit *a, rk_str *s)
{
    const char *text = s->failed ? NULL : rk_arena_copy(&a->arena, rk_str_text(s), s->n);

    a->arena.failed |= !text;
    rk_str_free(s);
    return text ? text : "";
}

/* A broken number with so many digits after its point, rounded half away from zero; zeros beyond `least` go. */
static bool put_decimal(rk_str *s, rk_i128 num, rk_i128 den, int decimals, int least)
{
    rk_acc acc = {0};
    rk_i128 ten = rk_pow(&acc, 10, (unsigned)decimals), scaled = rk_mul(&acc, num < 0 ? -num : num, ten), whole;
    char digits[RK_NUM_TEXT_MAX];

    scaled = acc.overflow ? 0 : rk_floor_div(&acc, rk_add(&acc, rk_mul(&acc, scaled, 2), den), rk_mul(&acc, den, 2));
    if (acc.overflow)
        return false;
    whole = scaled / ten;
    rk_str_put(s, num < 0 ? "-" : "");
    rk_str_grouped(s, whole);
    rk_num_text(digits, ten + scaled % ten);
    for (size_t n = strlen(digits); n > (size_t)least + 1 && digits[n - 1] == '0'; n--)
        digits[n - 1] = '\0';
    rk_str_format(s, "%s%s", digits[1] ? "." : "", digits + 1);
    return true;
}

/* The letter of a scale that is a power of 1,024, K or M or G …; NUL: it is none. */
static char binary_letter(const rk_audit *a, rk_ex scale)
{
    static const char letter[] = "KMGTP";
    rk_i128 n, power = 1024;

    for (size_t i = 0; letter[i] && rk_ex_is_int(a->pool, scale, &n); i++, power *= 1024)
        if (n == power)
            return letter[i];
    return '\0';
}

/* The units of a side as they are written there, or in the head of its table. */
static void put_units(const rk_audit *a, rk_str *s, const rk_side *of)
{
    const rk_audit_token *t = a->lexed.token.at;
    bool beside = false;

    for (size_t i = of ? of->from : 0; of && i < of->to; i++)
        if ((t[i].kind == RK_TOKEN_WORD || t[i].kind == RK_TOKEN_SYMBOL) &&
            rk_lexicon_unit(a->lexicon, a->scan.text + t[i].at, t[i].n)) {
            bool per = beside && t[i - 1].kind == RK_TOKEN_SIGN && t[i - 1].op == '/'; /* MB/s */

            rk_str_format(s, "%c%.*s", per ? '/' : ' ', (int)t[i].n, a->scan.text + t[i].at);
            beside = true;
        }
    if (of && !beside && of->unit->kind == RK_WORD_UNIT_FLOPS)
        rk_str_format(s, " %.1sFLOPs", of->unit->power < 8 ? &"\0kMGTPEZ"[of->unit->power] : "");
    else if (of && !beside)
        rk_str_format(s, " %s", of->unit->word);
}

static void put_number(rk_audit *a, rk_str *s, rk_ex e, const rk_literal *like, const rk_side *of)
{
    enum {
        MORE_DIGITS = 2,
        DECIMALS_MAX = 12
    };
    int decimals = (like->decimals < DECIMALS_MAX ? like->decimals : DECIMALS_MAX) + MORE_DIGITS;
    const rk_audit_token *t = a->lexed.token.at;
    rk_i128 num, den;
    bool whole, scaled = like->is && like->scale != RK_EX_FAILED && like->scale != rk_ex_int(a->pool, 1);
    size_t after = of->from + (scaled && t[of->from].kind == RK_TOKEN_OPEN) + 1;

    rk_ex_is_quotient(a->pool, e, &num, &den);
    whole = den == 1 && (like->unit >= 1 || !like->is);
    if (whole)
        rk_str_grouped(s, num);
    if (whole && !scaled)
        return;
    if (scaled)
        rk_ex_is_quotient(a->pool, rk_ex_div(a->pool, e, like->scale), &num, &den);
    rk_str_put(s, whole ? " (" : "");
    if (!put_decimal(s, num, den, decimals, decimals - MORE_DIGITS))
        rk_str_format(s, "%.6g", (double)num / (double)den);
    /* The word of a unit after a figure, as it was written, or its power of ten.  What is GiB is not called GB. */
    if (scaled && of->unit && of->unit->kind == RK_WORD_UNIT_BYTES && binary_letter(a, like->scale))
        rk_str_format(s, " %ciB", binary_letter(a, like->scale));
    else if (scaled && after < of->to && t[after].kind == RK_TOKEN_SIGN && t[after].op == '*')
        rk_str_format(s, " %s", rk_audit_quote(a, after, of->to));
    else
        put_units(a, s, scaled && of->unit ? of : NULL);
    rk_str_put(s, whole ? ")" : "");
}

/* "143201362T" as "143,201,362 × T": a coefficient that is a count is read as one. */
static void put_formula(rk_audit *a, rk_str *s, rk_ex e)
{
    enum {
        LONG = 5
    };
    rk_str plain = {0};
    rk_i128 n;
    size_t digits;

    rk_ex_print(a->pool, e, RK_PRINT_TEXT, &plain);
    digits = strspn(rk_str_text(&plain), "0123456789");
    if (digits >= LONG && rk_ex_term_count(a->pool, e) == 1 && rk_num_parse(plain.text, digits, &n)) {
        rk_str_grouped(s, n);
        rk_str_format(s, " × %s", plain.text + digits);
    } else {
        rk_str_put(s, rk_str_text(&plain));
    }
    s->failed |= plain.failed;
    rk_str_free(&plain);
}

const char *rk_audit_value(rk_audit *a, rk_ex e, const rk_literal *like, const rk_side *unit_of)
{
    rk_i128 num, den;
    rk_str s = {0};

    if (e == RK_EX_FAILED)
        return NULL;
    if (rk_ex_is_quotient(a->pool, e, &num, &den))
        put_number(a, &s, e, like, unit_of);
    else
        put_formula(a, &s, e);
    return rk_audit_keep(a, &s);
}

/* ---- claims ----------------------------------------------------------------------------------------------------- */

bool rk_audit_is_cut(const rk_audit *a, size_t token)
{
    enum {
        REST_MAX = 8
    };
    const rk_audit_token *t = &a->lexed.token.at[token];
    const char *rest = a->scan.text + t->at + t->n;
    size_t n = a->scan.n - t->at - t->n;
    bool digits = t->kind == RK_TOKEN_NUMBER;

    if (n > REST_MAX)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!memchr(",._'\\{} 0123456789", rest[i], sizeof ",._'\\{} 0123456789" - 1))
            return false;
        digits |= rest[i] >= '0' && rest[i] <= '9';
    }
    return n == 0 || digits;
}

rk_claim *rk_audit_claim(rk_audit *a, rk_claim_kind kind, rk_claim_status status, size_t from, size_t to)
{
    const rk_audit_token *t = a->lexed.token.at, *last = &t[to > from ? to - 1 : from];
    bool cut = status == RK_CLAIM_WRONG && rk_audit_is_cut(a, to > from ? to - 1 : from);
    rk_claim *c = cut ? NULL : RK_PUSH(&a->arena, &a->claim);
    uint32_t at = t[from].at;

    if (!c)
        return NULL;
    *c = (rk_claim){.kind = kind,
                    .status = status,
                    .line = rk_scan_line(&a->scan, at),
                    .column = rk_scan_column(&a->scan, at),
                    .at = at,
                    .to = last->at + last->n,
                    .number = a->claim.n,
                    .text = rk_audit_quote(a, from, to)};
    a->n_status[status]++;
    return c;
}

void rk_audit_fill(rk_audit *a, rk_claim *c, const rk_side *side, rk_ex stated, rk_ex found)
{
    c->side = side;
    c->stated_value = stated;
    c->stated = rk_audit_quote(a, side->from, side->to);
    c->found_value = found;
}

static int by_place(const void *a, const void *b)
{
    const rk_claim *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

void rk_audit_order(rk_audit *a)
{
    if (a->claim.n > 0)
        qsort(a->claim.at, a->claim.n, sizeof *a->claim.at, by_place);
    if (a->open.n > 1)
        qsort(a->open.at, a->open.n, sizeof *a->open.at, by_place);
}

bool rk_audit_says(const rk_audit *a, rk_words use, size_t from, size_t to)
{
    for (const rk_audit_token *t = &a->lexed.token.at[from]; t < &a->lexed.token.at[to]; t++)
        if ((t->kind == RK_TOKEN_WORD || t->kind == RK_TOKEN_SYMBOL) &&
            rk_lexicon_is(a->lexicon, use, a->scan.text + t->at, t->n))
            return true;
    return false;
}

unsigned rk_audit_says_above(const rk_audit *a, rk_words use, size_t token, size_t lines)
{
    size_t line = rk_scan_line(&a->scan, a->lexed.token.at[token].at);
    uint32_t from, to;

    rk_scan_line_range(&a->scan, line > lines ? line - lines : 1, &from, &(uint32_t){0});
    rk_scan_line_range(&a->scan, line, &(uint32_t){0}, &to);
    return rk_lexicon_in(a->lexicon, use, a->scan.text + from, to - from);
}

/* ---- what was not read ------------------------------------------------------------------------------------------ */

void rk_audit_skip(rk_audit *a, const char *what)
{
    const char **kept = RK_PUSH(&a->arena, &a->skipped);

    if (kept)
        *kept = what;
}

static void note_skipped(rk_audit *a)
{
    const rk_scan *s = &a->scan;
    const rk_audit_token *t = a->lexed.token.at;
    size_t left = a->lexed.token.n;

    /* The first token that stands deeper in brackets than formulas are read. */
    for (size_t depth = 0; left > 0; t++, left--) {
        if (t->kind == RK_TOKEN_BREAK)
            depth = 0;
        else if (t->kind == RK_TOKEN_OPEN && ++depth > RK_SIDE_DEPTH_MAX)
            break;
        else if (t->kind == RK_TOKEN_CLOSE && depth > 0)
            depth--;
    }
    if (left > 0)
        rk_audit_skip(a, rk_arena_format(&a->arena, "line %zu, for one: more than %d brackets in each other",
                                         rk_scan_line(s, t->at), RK_SIDE_DEPTH_MAX));
    if (s->n_long > 0)
        rk_audit_skip(a, rk_arena_format(&a->arena, "%zu line%s longer than %d bytes, line %zu first", s->n_long,
                                         s->n_long > 1 ? "s" : "", RK_SCAN_LINE_MAX, s->first_long));
    if (a->lexed.skipped > 0)
        rk_audit_skip(a, rk_arena_format(&a->arena, "everything from line %zu on: more than %u words and signs",
                                         rk_scan_line(s, a->lexed.skipped), RK_LEX_TOKENS_MAX));
    if (a->chains.n_unread > 0)
        rk_audit_skip(a, rk_arena_format(&a->arena, "much from line %zu on: too tangled to be read in reasonable time",
                                         rk_scan_line(s, s->piece.at[a->chains.first_unread].from)));
    if (a->unsummed)
        rk_audit_skip(a, "some totals: too many rows");
}

void rk_audit_mark_stated(const rk_audit *a, bool *stated)
{
    const rk_audit_token *t = a->lexed.token.at;

    for (size_t i = 0; i < a->claim.n; i++) {
        const rk_claim *c = &a->claim.at[i];
        size_t first = c->side ? c->side->from : a->lexed.token.n;

        if (c->status == RK_CLAIM_UNKNOWN)
            continue;
        while (first > 0 && first < a->lexed.token.n && t[first - 1].at >= c->at)
            first--;
        for (; first < a->lexed.token.n && t[first].at < c->to; first++)
            stated[first] = true;
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static int run(rk_audit *a, const char *text, size_t n, rk_err *err)
{
    int code = rk_scan_text(&a->arena, text, n, &a->scan, err);

    if (code == RK_OK)
        code = rk_lex_pieces(a->lexicon, &a->arena, &a->scan, a->pool, &a->lexed, err);
    a->reader = (rk_reader){.pool = a->pool, .text = text, .lexed = &a->lexed};
    if (code == RK_OK)
        code = rk_chains_find(&a->arena, &a->scan, &a->reader, &a->chains, err);
    if (code == RK_OK)
        rk_heads_apply(&a->scan, &a->reader, &a->chains);
    if (code == RK_OK)
        code = rk_define(&a->arena, &a->scan, &a->reader, &a->chains, &a->definitions, err);
    a->put_right = RK_NEW_ARRAY(&a->arena, a->chains.side.n, rk_ex);
    if (code == RK_OK && a->put_right)
        code = rk_judge_chains(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_sums(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_tables(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_bounds(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_weights(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_changes(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_devices(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_growth(a, err);
    if (code == RK_OK && a->put_right)
        code = rk_judge_follows(a, err);
    rk_audit_order(a);
    if (code == RK_OK)
        note_skipped(a);
    return code == RK_OK && a->arena.failed ? rk_fail_memory(err) : code;
}

int rk_audit_new(const rk_lexicon *l, const char *text, size_t n, rk_audit **out, rk_err *err)
{
    const char *zero = memchr(text, 0, n);
    rk_audit *a;
    int code;

    if (n > RK_AUDIT_BYTES_MAX)
        return rk_fail(err, RK_ELIMIT, "larger than %zu bytes: cut it into parts", RK_AUDIT_BYTES_MAX);
    if (n >= 2 && ((text[0] == '\xFF' && text[1] == '\xFE') || (text[0] == '\xFE' && text[1] == '\xFF')))
        return rk_fail(err, RK_EINPUT, "a text in UTF-16: turn it into UTF-8, as with iconv -f UTF-16 -t UTF-8");
    if (zero)
        return rk_fail(err, RK_EINPUT, "no text: byte %zu is 0; what can be checked is plain text, Markdown or LaTeX",
                       (size_t)(zero - text) + 1);
    a = rk_heap_alloc(sizeof *a);
    if (!a)
        return rk_fail_memory(err);
    *a = (rk_audit){.pool = rk_pool_new(), .lexicon = l};
    code = a->pool ? run(a, text, n, err) : rk_fail_memory(err);
    if (code == RK_OK)
        *out = a;
    else
        rk_audit_free(a);
    return code;
}

void rk_audit_free(rk_audit *a)
{
    if (!a)
        return;
    rk_pool_free(a->pool);
    rk_arena_free(&a->arena);
    rk_heap_free(a);
}
