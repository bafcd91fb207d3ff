/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>
#include <strings.h>

const rk_setting *rk_setting_find(const rk_setting *s, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(s[i].name, name) == 0)
            return &s[i];
    return NULL;
}

static const rk_setting *setting_of(const rk_ctx *c, const char *name)
{
    return rk_setting_find(c->source->setting, c->source->n_setting, name);
}

/* The binding of all symbols so far: one more, with or without a number. */
static int value_put(rk_ctx *c, rk_sym s, bool known, rk_i128 value)
{
    if (s >= RK_SYM_MAX)
        return rk_fatal(&c->b, RK_ELIMIT, "%s: more than %d symbols", c->source->name, RK_SYM_MAX);
    c->known[s] = known;
    c->value[s] = value;
    return RK_OK;
}

static int symbol_put(rk_ctx *c, const rk_stmt *s, rk_symbol symbol, rk_scalar *scalar)
{
    rk_symbol *slot = RK_PUSH(c->a, &c->symbol);

    if (!slot)
        return rk_fatal_memory(&c->b);
    symbol.name = s->name;
    symbol.text = s->text;
    symbol.role = rk_symbol_role_of(s->name, s->text, &symbol.tower);
    symbol.sym = rk_sym_declare(c->pool, s->name, symbol.kind == RK_SYMBOL_RUN ? RK_SYM_RANK_RUN : RK_SYM_RANK_MODEL);
    symbol.known = scalar->known;
    symbol.value = scalar->value;
    *slot = symbol;
    scalar->ex = rk_ex_sym(c->pool, symbol.sym);
    if (!rk_pool_ok(c))
        return c->b.fatal;
    return value_put(c, symbol.sym, symbol.known, symbol.value);
}

static bool is_constant(const rk_ctx *c, rk_ex e)
{
    rk_i128 n;

    return rk_ex_is_int(c->pool, e, &n);
}

static int check_range(rk_ctx *c, const rk_stmt *s, const rk_scalar *v)
{
    char number[RK_NUM_TEXT_MAX];

    if (!v->known || (v->value >= 0 && !(v->value >> 63)))
        return RK_OK;
    return RK_MISTAKE(c, s->span, "%s = %s%s%s%s: a size is from 0 to 2^63 - 1", s->name, rk_num_text(number, v->value),
                      v->key ? " (" : "", v->key ? v->key : "", v->key ? ")" : "");
}

/* The first key that an expression asks for and the config lacks: a default stands for it. */
static const char *absent_key(const rk_ctx *c, const rk_node *n)
{
    const char *key = n->kind == RK_NODE_KEY && rk_config_lacks(c, n->text) ? n->text : NULL;

    for (size_t i = 0; i < n->child.n && !key; i++)
        key = absent_key(c, n->child.at[i]);
    return key;
}

/* The first key of an expression that the config has. */
static const char *given_key(const rk_ctx *c, const rk_node *n)
{
    const char *key = n->kind == RK_NODE_KEY && !rk_config_lacks(c, n->text) ? n->text : NULL;

    for (size_t i = 0; i < n->child.n && !key; i++)
        key = given_key(c, n->child.at[i]);
    return key;
}

/* The number of the first key of an expression that the config has: of tokens, the length that the model is for. */
static rk_i128 number_of_key(rk_ctx *c, const rk_node *n)
{
    rk_i128 number = 0;

    if (n->kind == RK_NODE_KEY && !rk_config_lacks(c, n->text)) {
        rk_mistakes quiet = c->mistakes;
        rk_scalar v = {0};

        if (rk_scalar_eval(c, c->frame, n, &v) != RK_OK)
            c->mistakes = quiet;
        else if (v.kind == RK_SCALAR_INT && v.known)
            number = v.value;
    }
    for (size_t i = 0; i < n->child.n && number == 0; i++)
        number = number_of_key(c, n->child.at[i]);
    return number;
}

/* A number of the model or of the run becomes a symbol; a definition is remembered, for formulas to eliminate it. */
static int let_number(rk_ctx *c, const rk_stmt *s, rk_scalar *v, bool literal)
{
    /* Names of the run are its own in every model, also when a file derives one of them (let T = S). */
    bool run = s->kind == RK_STMT_RUN || rk_run_role(s->name) != RK_SIZE_OTHER;
    const rk_setting *set = setting_of(c, s->name);
    const char *absent = set || v->key || !s->child.n ? NULL : absent_key(c, s->child.at[0]);
    rk_symbol symbol = {.kind = run ? RK_SYMBOL_RUN : RK_SYMBOL_MODEL,
                        .key = v->key ? v->key : absent,
                        .fallback = absent != NULL,
                        .factor = set || !s->child.n ? NULL : given_key(c, s->child.at[0]),
                        .set = set != NULL,
                        .context = s->kind == RK_STMT_RUN && s->child.n ? number_of_key(c, s->child.at[0]) : 0};
    rk_ex definition = v->ex;
    bool defined = !set && s->kind == RK_STMT_LET && definition != RK_EX_FAILED && !is_constant(c, definition);
    rk_ex number = v->ex;
    int code = check_range(c, s, v);

    for (size_t i = 0; s->kind == RK_STMT_RUN && !set && number != RK_EX_FAILED && i < c->symbol.n; i++)
        c->symbol.at[i].followed |= rk_ex_has_sym(c->pool, rk_ex_expand_defs(c->pool, number), c->symbol.at[i].sym);
    if (code != RK_OK || (code = symbol_put(c, s, symbol, v)) != RK_OK)
        return code;
    if (literal) {
        /* A plain number of the file (let r = 4, without a meaning) stands in formulas as that number. */
        v->ex = set ? rk_ex_int(c->pool, v->value) : number;
        c->symbol.at[c->symbol.n - 1].fixed = true;
        return RK_OK;
    }
    if (!defined)
        return RK_OK;
    symbol = c->symbol.at[c->symbol.n - 1];
    c->known[symbol.sym] = false; /* it follows its definition, whatever that is set to later */
    return rk_sym_define(c->pool, symbol.sym, definition, c->b.err) == RK_OK ? RK_OK : rk_fatal_memory(&c->b);
}

/* Whether a symbol would be a text, a list or a mask; a mistake in its value is none where another one is set. */
static bool is_word(rk_ctx *c, const rk_stmt *s)
{
    rk_mistakes quiet = c->mistakes;
    rk_scalar v = {0};

    if (s->child.n && rk_scalar_eval(c, c->frame, s->child.at[0], &v) != RK_OK) {
        c->mistakes = quiet;
        return false;
    }
    return v.kind == RK_SCALAR_TEXT || v.kind == RK_SCALAR_DOC || v.kind == RK_SCALAR_MASK;
}

static int let_value(rk_ctx *c, const rk_stmt *s, rk_scalar *v)
{
    const rk_setting *set = setting_of(c, s->name);

    *v = (rk_scalar){.kind = RK_SCALAR_INT};
    if (set && !set->word) {
        if (!is_word(c, s))
            *v = (rk_scalar){
                .kind = RK_SCALAR_INT, .known = true, .value = set->value, .ex = rk_ex_int(c->pool, set->value)};
        else
            v->kind = RK_SCALAR_TEXT;
        return RK_OK;
    }
    int code = s->child.n ? rk_scalar_eval(c, c->frame, s->child.at[0], v) : RK_OK;

    /* Without any config, a key without a default is a symbol without a number: formulas can do with it. */
    if (code == RK_OK && v->kind == RK_SCALAR_NONE && v->key && !c->source->config &&
        s->child.at[0]->kind == RK_NODE_KEY)
        *v = (rk_scalar){.kind = RK_SCALAR_INT, .key = v->key};
    return code;
}

/* A word for a symbol that is a word: act=gelu. */
static int let_word(rk_ctx *c, const rk_stmt *s, rk_scalar *v)
{
    const rk_setting *set = setting_of(c, s->name);

    if (!set || !set->word)
        return RK_OK;
    if (v->kind != RK_SCALAR_TEXT)
        return rk_fatal(&c->b, RK_EINPUT, "%s is a number, not '%s'", s->name, set->word);
    v->text = rk_arena_text(c->a, set->word);
    return v->text ? RK_OK : rk_fatal_memory(&c->b);
}

static int let_global(rk_ctx *c, const rk_stmt *s)
{
    rk_bind *old = rk_bind_find(c->frame, s->name), *b;
    const rk_setting *set = setting_of(c, s->name);
    rk_scalar v = {0};
    /* A number with a meaning is a size, and sizes are letters. */
    bool literal = s->kind == RK_STMT_LET && s->child.n && s->child.at[0]->kind == RK_NODE_NUMBER && !s->text;
    int code;

    if (old)
        return RK_MISTAKE(c, s->name_span, "%s is defined twice", s->name);
    c->letting = s;
    code = let_value(c, s, &v);
    c->letting = NULL;
    if (code == RK_OK)
        code = rk_scalar_agrees(c, c->frame, s, &v);
    if (code == RK_OK)
        code = let_word(c, s, &v);
    if (code == RK_OK && v.kind == RK_SCALAR_INT)
        code = let_number(c, s, &v, literal);
    else if (code == RK_OK && set && !set->word)
        code = RK_MISTAKE(c, s->span, "%s is no number and cannot be set to one", s->name);
    if (!(b = rk_bind_add(c, c->frame, s->name)))
        return c->b.fatal;
    *b = (rk_bind){
        .name = s->name, .kind = code == RK_OK ? RK_BIND_SCALAR : RK_BIND_SPOILT, .scalar = v, .span = s->span};
    return code;
}

int rk_let_local(rk_ctx *c, const rk_stmt *s)
{
    rk_bind *b;

    if (!s->child.n)
        return RK_MISTAKE(c, s->span, "inside a block or a repeated part a symbol needs its value: let %s = …",
                          s->name);
    if (!(b = rk_bind_add(c, c->frame, s->name)))
        return c->b.fatal;
    *b = (rk_bind){.name = s->name, .kind = RK_BIND_LATER, .node = s->child.at[0], .frame = c->frame, .span = s->span};
    return RK_OK;
}

int rk_let(rk_ctx *c, const rk_stmt *s)
{
    if (c->frame == c->global)
        return let_global(c, s);
    if (s->kind == RK_STMT_RUN)
        return RK_MISTAKE(c, s->span, "run symbols belong to the model, not to a block or a repeated part");
    return rk_let_local(c, s);
}

int rk_choose(rk_ctx *c, const rk_stmt *s)
{
    const rk_setting *set = setting_of(c, s->name);
    const char *word = s->word[0];
    const rk_bind *old = rk_bind_find(c->frame, s->name);
    rk_bind *b = rk_bind_add(c, c->frame, s->name);

    if (old)
        return RK_MISTAKE(c, s->name_span, "%s is defined twice", s->name);
    if (!b)
        return c->b.fatal;
    if (set) {
        word = NULL;
        for (size_t i = 0; i < s->n_word && set->word; i++)
            if (strcmp(s->word[i], set->word) == 0)
                word = s->word[i];
        if (!word)
            return RK_MISTAKE(c, s->span, "%s must be one of these words", s->name);
    }
    *b = (rk_bind){.name = s->name, .kind = RK_BIND_SCALAR, .scalar = {.kind = RK_SCALAR_TEXT, .text = word}};
    return RK_OK;
}

/* The symbol that a word is about: its letter's, where that is such a size.  NULL: there is none. */
static const rk_symbol *symbol_of_noun(const rk_ctx *c, const rk_setting *set)
{
    for (size_t k = 0; k < c->symbol.n; k++) {
        const rk_symbol *s = &c->symbol.at[k];

        if (strcmp(s->name, set->name) == 0)
            return s->text && rk_ends_in(s->text, set->noun) ? s : NULL;
    }
    return NULL;
}

/* A word is clear where one symbol alone is a size of that kind: an image tower has layers, too. */
static int check_noun(rk_ctx *c, const rk_setting *set, const rk_symbol *s)
{
    rk_str list = {0};
    size_t n = 0;

    for (size_t k = 0; k < c->symbol.n && s->role != RK_SIZE_OTHER; k++)
        if (c->symbol.at[k].role == s->role && c->symbol.at[k].kind == RK_SYMBOL_MODEL)
            rk_str_format(&list, "%s%s (%s)", n++ ? " or " : "", c->symbol.at[k].name, c->symbol.at[k].text);
    if (n > 1)
        rk_fatal(&c->b, RK_EINPUT, "'%s' of %s may be %s: say it by its letter", set->noun, c->source->name,
                 rk_str_text(&list));
    rk_str_free(&list);
    return c->b.fatal;
}

int rk_settings_known(rk_ctx *c)
{
    for (size_t i = 0; i < c->source->n_setting; i++) {
        const rk_setting *set = &c->source->setting[i];
        const rk_symbol *meant = set->noun ? symbol_of_noun(c, set) : NULL;
        const char *name = set->noun ? set->noun : set->name, *near = NULL;
        const rk_bind *b = set->noun ? NULL : rk_bind_find(c->global, name);
        size_t least = 3, d;
        rk_str all = {0};

        if (meant && check_noun(c, set, meant) != RK_OK)
            return c->b.fatal;
        if (meant || (b && b->kind != RK_BIND_TENSOR))
            continue;
        if (c->source->adapts && (strcmp(name, "r") == 0 || strcmp(name, "rank") == 0))
            continue;
        for (size_t k = 0; k < c->symbol.n; k++) {
            rk_str_format(&all, "%s%s", all.n ? " " : "", c->symbol.at[k].name);
            d = strcasecmp(name, c->symbol.at[k].name) == 0 ? 0
                : strlen(name) < 2                          ? 3
                                                            : rk_edit_distance(name, c->symbol.at[k].name, 2);
            if (d < least) {
                least = d;
                near = c->symbol.at[k].name;
            }
        }
        rk_fatal(&c->b, RK_EINPUT, "%s has no symbol '%s'; it has: %s%s%s%s", c->source->name, name, rk_str_text(&all),
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        rk_str_free(&all);
        return c->b.fatal;
    }
    return RK_OK;
}
