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

static int let_one(rk_arena *a, const char *text, size_t n, rk_bind_source *out, rk_err *err)
{
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
    return l->symbol ? RK_OK : unknown_symbol(out->instance->model, symbol, err);
}

int rk_bind_let(rk_arena *a, const char *text, rk_bind_source *out, rk_err *err)
{
    int code = RK_OK;

    while (code == RK_OK) {
        size_t n = strcspn(text, ",");

        code = let_one(a, text, n, out, err);
        if (text[n] == '\0')
            break;
        text += n + 1;
    }
    return code;
}

/* ---- roles ------------------------------------------------------------------------------------------------------- */

typedef enum role {
    NO_ROLE,
    VOCABULARY,
    BATCH,
    FFN_WIDTH,
    HEADS,
    LAYERS,
    HEAD_WIDTH,
    SEQUENCE,
    WIDTH
} role;

enum {
    NAMES = 12,
    EXPLAINED_MAX = 64
};

/* What a size is called, and how it is written; the first row that has a word of a line is its role. */
static const struct {
    role role;
    const char *word[NAMES];
    const char *name[NAMES];
} roles[] = {
    {VOCABULARY, {"vocab", "vocabulary"}, {"V", "vocab_size", "n_vocab", "vocab"}},
    {BATCH, {"batch"}, {"B", "b", "batch_size", "batch", "bs"}},
    {FFN_WIDTH,
     {"feed", "ffn", "mlp", "inner", "intermediate", "feedforward"},
     {"F", "d_ff", "d_{ff}", "D_ff", "intermediate_size", "d_mlp", "d_{mlp}", "ffn_dim", "f"}},
    {HEADS, {"heads"}, {"num_heads", "n_heads", "n_head", "n_h", "N", "H", "h", "a"}},
    {LAYERS, {"layers", "blocks"}, {"num_layers", "n_layers", "n_layer", "L", "l", "n_l"}},
    {HEAD_WIDTH, {"head"}, {"d_k", "d_h", "d_head", "head_dim", "d_v", "H", "d_{head}", "d_{k}"}},
    {SEQUENCE,
     {"sequence", "context", "tokens", "seq", "seq_len"},
     {"T", "S", "context_length", "context_len", "seq_len", "sequence_length", "n_ctx", "s", "t", "n", "l"}},
    {WIDTH,
     {"width", "model", "hidden", "channels", "embedding", "wide", "dimension"},
     {"d_model", "D", "d", "C", "hidden_size", "n_embd", "d_{model}", "h", "d_m", "dim"}},
};

#define N_ROLE (sizeof roles / sizeof *roles)

static role role_of_words(const char *text)
{
    for (size_t i = 0; text && i < N_ROLE; i++)
        if (rk_bind_has_word(text, roles[i].word, NAMES))
            return roles[i].role;
    return NO_ROLE;
}

/* Whether something may be written so; letters have several roles. */
static bool may_be(const char *name, role r)
{
    for (size_t i = 0; i < N_ROLE; i++)
        for (size_t k = 0; k < NAMES && roles[i].name[k]; k++)
            if (roles[i].role == r && strcmp(roles[i].name[k], name) == 0)
                return true;
    return false;
}

static bool counts(const rk_symbol *s)
{
    return s->kind != RK_SYMBOL_LOOP && s->known;
}

/* The one symbol of a role; of several, the one with a value (0: any).  NULL: there is none, or more than one. */
static const rk_symbol *of_role(const rk_model *m, role r, rk_i128 value)
{
    const rk_symbol *found = NULL;
    size_t n = 0;

    for (size_t i = 0; i < m->n_symbol && r != NO_ROLE; i++) {
        const rk_symbol *s = &m->symbol[i];

        if (!counts(s) || role_of_words(s->text) != r || (value > 0 && s->value != value))
            continue;
        n++;
        found = s;
    }
    return n == 1 ? found : NULL;
}

const rk_symbol *rk_bind_sequence(const rk_model *m)
{
    return of_role(m, SEQUENCE, 0);
}

const rk_symbol *rk_bind_layers(const rk_model *m)
{
    return of_role(m, LAYERS, 0);
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

/* "T (sequence length) = 1024", "L = 48 layers": what stands before a definition up to a comma, and just behind it. */
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

static rk_i128 defined_value(rk_binder *b, const rk_definition *d)
{
    rk_i128 n;

    return d && rk_ex_is_int(b->a->pool, d->value, &n) ? n : 0;
}

/* A letter whose words say what it is, or else its name, which may mean several things. */
static const rk_symbol *by_role(const rk_model *m, role said, const char *name, rk_i128 value)
{
    const rk_symbol *found = of_role(m, said, value);

    if (!found)
        found = of_role(m, said, 0);
    for (size_t i = 0; i < N_ROLE && !found && value > 0; i++)
        if (may_be(name, roles[i].role))
            found = of_role(m, roles[i].role, value);
    for (size_t i = 0; i < N_ROLE && !found && said == NO_ROLE && value == 0 && strlen(name) > 1; i++)
        if (may_be(name, roles[i].role))
            found = of_role(m, roles[i].role, 0);
    return found;
}

static const rk_symbol *find_symbol(rk_binder *b, rk_sym s)
{
    const rk_model *m = b->source->instance->model;
    const char *name = rk_sym_name(b->a->pool, s);
    const rk_definition *d = s < b->a->definitions.n ? b->a->definitions.number[s] : NULL;
    const rk_symbol *found = NULL;

    for (size_t i = 0; i < b->source->n_let; i++)
        if (strcmp(b->source->let[i].letter, name) == 0)
            return b->source->let[i].symbol;
    for (int i = 0; d && !found && i < 8; i++, d = d->next)
        found = by_role(m, role_of_words(around_definition(b, d)), name, defined_value(b, d));
    if (!found)
        found = by_role(m, role_of_words(explained(b, s)), name, 0);
    if (!found && rk_model_symbol(m, name) && counts(rk_model_symbol(m, name)))
        found = rk_model_symbol(m, name);
    for (size_t i = 0; i < N_ROLE && !found; i++)
        if (may_be(name, roles[i].role))
            found = of_role(m, roles[i].role, 0);
    return found;
}

/* "P" of "P = 12Ld²" is a quantity, no size. */
static bool is_quantity(rk_binder *b, rk_sym s)
{
    return s < b->a->definitions.n && b->a->definitions.formula[s] && !b->a->definitions.number[s];
}

void rk_bind_letters(rk_binder *b)
{
    b->n_symbol = rk_sym_count(b->a->pool);
    b->symbol = RK_NEW_ARRAY(&b->arena, b->n_symbol + 1, const rk_symbol *);
    for (rk_sym s = 0; b->symbol && s < b->n_symbol; s++)
        b->symbol[s] = is_quantity(b, s) && b->source->n_let == 0 ? NULL : find_symbol(b, s);
}
