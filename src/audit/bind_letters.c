/* SPDX-License-Identifier: MIT */
/* Which symbol of the model a letter of the text is: T is S, d_model is D. */
#include "audit/bind_parts.h"

#include "plan/nearest.h"

#include <string.h>

/* ---- --let ------------------------------------------------------------------------------------------------------- */

static int unknown_symbol(const rk_model *m, const char *word, rk_err *err)
{
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = word};
    rk_str all = {0};
    int code;

    for (size_t i = 0; i < m->n_symbol; i++) {
        rk_nearest_try(&near, m->symbol[i].name);
        if (m->symbol[i].kind != RK_SYMBOL_LOOP)
            rk_str_format(&all, "%s%s", all.n ? ", " : "", m->symbol[i].name);
    }
    code = rk_fail(err, RK_EINPUT, "--let: %s has no symbol '%s'%s  It has %s.", m->name, word,
                   near.best ? rk_nearest_hint(&near, hint) : ".", rk_str_text(&all));
    rk_str_free(&all);
    return code;
}

int rk_bind_let(rk_arena *a, const char *text, rk_bind_source *out, rk_err *err)
{
    for (bool more = true; more;) {
        size_t n = strcspn(text, ",");
        const char *equals = memchr(text, '=', n);
        size_t letter = equals ? (size_t)(equals - text) : 0;
        char *symbol = equals ? rk_arena_copy(a, equals + 1, n - letter - 1) : NULL;
        rk_bind_letter *l = &out->let[out->n_let];

        if (letter == 0 || letter + 1 == n)
            return rk_fail(err, RK_EUSAGE, "--let: '%.*s' is not LETTER=SYMBOL, as in --let d=D,T=S",
                           (int)(n > 80 ? 80 : n), text);
        if (out->n_let == RK_BIND_LETTERS_MAX)
            return rk_fail(err, RK_ELIMIT, "--let: more than %d letters", RK_BIND_LETTERS_MAX);
        l->letter = rk_arena_copy(a, text, letter);
        if (!symbol || !l->letter)
            return rk_fail_memory(err);
        l->symbol = rk_model_symbol(out->instance->model, symbol);
        out->n_let++;
        if (!l->symbol)
            return unknown_symbol(out->instance->model, symbol, err);
        more = text[n] == ',';
        text += n + more;
    }
    return RK_OK;
}

/* ---- roles ------------------------------------------------------------------------------------------------------- */

enum {
    EXPLAINED_MAX = 64
};

/* What words say that a size is; of several, the first.  RK_N_LETTER: nothing. */
static rk_letter_role role_of_words(const rk_binder *b, const char *text)
{
    unsigned roles = rk_bind_has(b, RK_WORDS_SIZE, text);
    rk_letter_role r = 0;

    while (r < RK_N_LETTER && !((roles >> r) & 1))
        r++;
    return r;
}

static bool counts(const rk_symbol *s)
{
    return s->kind != RK_SYMBOL_LOOP && s->known;
}

/* The one symbol of a role; of several, the one with a value (0: any).  NULL: there is none, or more than one. */
static const rk_symbol *of_role(const rk_binder *b, const rk_model *m, rk_letter_role r, rk_i128 value)
{
    const rk_symbol *found = NULL;
    size_t n = 0;

    for (size_t i = 0; i < m->n_symbol && r != RK_N_LETTER; i++) {
        const rk_symbol *s = &m->symbol[i];

        if (!counts(s) || role_of_words(b, s->text) != r || (value > 0 && s->value != value))
            continue;
        n++;
        found = s;
    }
    return n == 1 ? found : NULL;
}

const rk_symbol *rk_bind_of_role(const rk_binder *b, const rk_model *m, rk_letter_role r)
{
    return of_role(b, m, r, 0);
}

const rk_symbol *rk_bind_sequence(const rk_binder *b, const rk_model *m)
{
    return of_role(b, m, RK_LETTER_SEQUENCE, 0);
}

const rk_symbol *rk_bind_layers(const rk_binder *b, const rk_model *m)
{
    return of_role(b, m, RK_LETTER_LAYERS, 0);
}

/* ---- one letter -------------------------------------------------------------------------------------------------- */

/* The line where a letter is explained: it is the first or the last of its piece.  Of so many letters, no more. */
static const char *explained(rk_binder *b, rk_sym s)
{
    const rk_lexed *l = &b->a->lexed;

    if (b->n_explained++ >= EXPLAINED_MAX)
        return NULL;

    for (size_t p = 0; p < b->a->scan.piece.n; p++) {
        size_t from = l->first[p], to = l->first[p + 1];
        const rk_piece *piece = &b->a->scan.piece.at[p];
        const rk_audit_token *t = l->token.at;

        if (to <= from || piece->to - piece->from > 160 || piece->kind == RK_PIECE_CELL)
            continue;
        if ((t[from].kind == RK_TOKEN_SYMBOL && t[from].id == s) ||
            (t[to - 1].kind == RK_TOKEN_SYMBOL && t[to - 1].id == s))
            return rk_audit_plain(b->a, piece->from, piece->to);
    }
    return NULL;
}

/* "T (sequence length) = 1024", "L = 48 layers": what stands before a definition up to a comma, and just after it. */
static const char *around_definition(rk_binder *b, const rk_definition *d)
{
    enum {
        BEFORE = 60,
        BEHIND = 14
    };
    const rk_audit_token *last = &b->a->lexed.token.at[d->side->to - 1];
    const char *text = b->a->scan.text;
    uint32_t from = d->at, to = last->at + last->n, end = to + BEHIND;

    while (from > 0 && !strchr(",;\n", text[from - 1]) && d->at - from < BEFORE)
        from--;
    while (to < b->a->scan.n && to < end && !strchr(",;.\n", text[to]))
        to++;
    return rk_audit_plain(b->a, from, to);
}

rk_letter_role rk_bind_role(rk_audit *a, rk_sym s, const rk_definition *d)
{
    rk_binder b = {.a = a};
    const char *name = rk_sym_name(a->pool, s);
    const rk_lexeme *w = strlen(name) > 1 ? rk_lexicon_is(a->lexicon, RK_WORDS_LETTER, name, strlen(name)) : NULL;

    return w ? (rk_letter_role)w->id : role_of_words(&b, around_definition(&b, d));
}

/* By how it is written, which may mean several things: the first role of which there is one with a value (0: any). */
static const rk_symbol *by_name(const rk_binder *b, const rk_model *m, const char *name, rk_i128 value)
{
    const rk_lexeme *w = b->a->lexicon->of[RK_WORDS_LETTER].word.at;
    const rk_symbol *found = NULL;

    for (size_t n = b->a->lexicon->of[RK_WORDS_LETTER].word.n; n > 0 && !found; n--, w++)
        if (strcmp(w->word, name) == 0)
            found = of_role(b, m, (rk_letter_role)w->id, value);
    return found;
}

/* A letter whose words say what it is, or else its name. */
static const rk_symbol *by_role(const rk_binder *b, const rk_model *m, rk_letter_role said, const char *name,
                                rk_i128 value)
{
    const rk_symbol *found = of_role(b, m, said, value);

    if (!found)
        found = of_role(b, m, said, 0);
    if (!found && value > 0)
        found = by_name(b, m, name, value);
    if (!found && said == RK_N_LETTER && value == 0 && strlen(name) > 1)
        found = by_name(b, m, name, 0);
    return found;
}

/* "L = context_length": a letter that stands for a name which says what it is. */
static const rk_symbol *by_alias(const rk_binder *b, const rk_model *m, rk_sym s)
{
    rk_pool *p = b->a->pool;
    const rk_symbol *found = NULL;

    for (const rk_definition *d = rk_define_of(&b->a->definitions, RK_DEFINE_FORMULA, s); d && !found; d = d->next)
        for (rk_sym x = 0; x < rk_sym_count(p) && !found; x++)
            if (x != s && strlen(rk_sym_name(p, x)) > 1 && rk_ex_sym(p, x) == d->value)
                found = by_name(b, m, rk_sym_name(p, x), 0);
    return found;
}

static const rk_symbol *find_symbol(rk_binder *b, rk_sym s)
{
    const rk_model *m = b->source->instance->model;
    const char *name = rk_sym_name(b->a->pool, s);
    const rk_definition *d = rk_define_of(&b->a->definitions, RK_DEFINE_NUMBER, s);
    const rk_symbol *found = NULL, *same = rk_model_symbol(m, name);
    rk_i128 value;

    for (size_t i = 0; i < b->source->n_let; i++)
        if (strcmp(b->source->let[i].letter, name) == 0)
            return b->source->let[i].symbol;
    if (strlen(name) > 1) /* "vocab_size" says it, whatever stands around it */
        found = by_name(b, m, name, 0);
    else
        found = by_alias(b, m, s);
    for (int i = 0; d && !found && i < 8; i++, d = d->next) {
        value = rk_ex_is_int(b->a->pool, d->value, &value) ? value : 0;
        found = by_role(b, m, role_of_words(b, around_definition(b, d)), name, value);
    }
    if (!found)
        found = by_role(b, m, role_of_words(b, explained(b, s)), name, 0);
    if (!found && same && counts(same))
        found = same;
    return found ? found : by_name(b, m, name, 0);
}

void rk_bind_letters(rk_binder *b)
{
    const rk_definitions *d = &b->a->definitions;

    b->n_symbol = rk_sym_count(b->a->pool);
    b->symbol = RK_NEW_ARRAY(&b->arena, b->n_symbol + 1, const rk_symbol *);
    for (rk_sym s = 0; b->symbol && s < b->n_symbol; s++) {
        bool is_quantity = s < d->n && d->formula[s] && !d->number[s]; /* P of "P = 12Ld²" is no size */

        b->symbol[s] = is_quantity && b->source->n_let == 0 ? NULL : find_symbol(b, s);
    }
}
