/* SPDX-License-Identifier: MIT */
#include "report/shape.h"

#include <string.h>

/*
 * A phrase for a meaning.  Before the meaning one word may stand, which says of what: "image layers", "encoder heads".
 * In the form, # is the number and @ that word.  A phrase that follows is said only behind one that leads, of the same
 * word; a meaning that found no leader has a phrase of its own further down.  One that may be missing is said only
 * where the model really has a size like that.
 */
static const struct phrase {
    const char *meaning, *form;
    bool follows, may_miss;
} phrase[] = {
    {"layers", "# @layers", false, false},
    {"width", " of width #", true, false},
    {"width", "@width #", false, false},
    {"channels", "# @channels", false, false},
    {"query heads", "# @query heads", false, false},
    {"key/value heads", " and # key/value heads", true, false},
    {"head width", " of #", true, false},
    {"heads", "# @heads", false, false},
    {"head width", " of #", true, false},
    {"FFN width", "@FFN #", false, true},
    {"FFN width of the dense layers", "dense FFN #", false, true},
    {"FFN width of layers without experts", "FFN #", false, true},
    {"MLP width", "@MLP #", false, true},
    {"experts", "# @experts", false, true},
    {"width of one expert", " of #", true, false},
    {"experts per token", ", # per token", true, false},
    {"state size", "state #", false, true},
    {"vocabulary", "vocabulary #", false, true},
    {"learned positions", "context #", false, true},
};

enum {
    N_PHRASE = sizeof phrase / sizeof *phrase,
    SYMBOLS_MAX = 256 /* more are not said */
};

typedef struct sentence {
    const rk_model *model;
    const rk_pool *pool;
    rk_ex used;
    bool said[SYMBOLS_MAX];
    rk_str *out;
    bool begun;
} sentence;

/* A symbol's meaning up to the first remark: "learned positions; the first two are never read". */
static size_t meaning_length(const rk_symbol *s)
{
    return s->text ? strcspn(s->text, ",;") : 0;
}

/* Whether a meaning ends in some words, and begins with one more at most: its length is *n_word. */
static bool ends_in(const rk_symbol *s, const char *words, size_t *n_word)
{
    size_t n = meaning_length(s), m = strlen(words);

    if (n < m || memcmp(s->text + n - m, words, m) != 0)
        return false;
    *n_word = n == m ? 0 : n - m - 1;
    return n == m || (s->text[n - m - 1] == ' ' && !memchr(s->text, ' ', *n_word) && !memchr(s->text, ':', *n_word));
}

/* Whether a symbol means what a phrase says: a head width is no width. */
static bool means(const rk_symbol *s, const char *meaning, size_t *n_word)
{
    size_t other;

    for (size_t p = 0; p < N_PHRASE; p++)
        if (strlen(phrase[p].meaning) > strlen(meaning) && ends_in(s, phrase[p].meaning, &other))
            return false;
    return ends_in(s, meaning, n_word);
}

/* A number that is nothing says that there is no such thing. */
static bool can_be_said(const sentence *t, size_t i)
{
    const rk_symbol *s = &t->model->symbol[i];

    return s->kind == RK_SYMBOL_MODEL && !t->said[i] && !(s->known && s->value == 0);
}

static void put_number(rk_str *out, const rk_symbol *s)
{
    if (s->known)
        rk_str_grouped(out, s->value);
    else
        rk_str_put(out, s->name);
}

/* "1 layers" is "1 layer": forms that can be many end in s. */
static void say(sentence *t, const char *form, size_t i, size_t n_word)
{
    const rk_symbol *s = &t->model->symbol[i];
    size_t n = strlen(form);
    bool one = s->known && s->value == 1 && form[n - 1] == 's';

    for (const char *c = form; c < form + n - one; c++) {
        if (*c == '#')
            put_number(t->out, s);
        else if (*c == '@' && n_word > 0)
            rk_str_format(t->out, "%.*s ", (int)n_word, s->text);
        else if (*c != '@')
            rk_str_putc(t->out, *c);
    }
    t->said[i] = true;
}

/* "32 query heads and 32 key/value heads" is more than anyone wants to hear. */
static void say_follower(sentence *t, size_t p, size_t i, size_t leader)
{
    const rk_symbol *s = &t->model->symbol[i], *l = &t->model->symbol[leader];
    bool same = strncmp(phrase[p].form, " and ", 5) == 0 && s->known && l->known && s->value == l->value;

    if (same)
        t->said[i] = true;
    else
        say(t, phrase[p].form, i, 0);
}

/* What follows phrase p where `leader` was said. */
static void say_followers(sentence *t, size_t p, size_t leader, size_t n_leader)
{
    const rk_symbol *symbol = t->model->symbol;

    for (p++; p < N_PHRASE && phrase[p].follows; p++) {
        for (size_t i = 0, n_word; i < t->model->n_symbol && i < SYMBOLS_MAX; i++) {
            if (!can_be_said(t, i) || !means(&symbol[i], phrase[p].meaning, &n_word))
                continue;
            if (n_word == n_leader && memcmp(symbol[i].text, symbol[leader].text, n_word) == 0) {
                say_follower(t, p, i, leader);
                break;
            }
        }
    }
}

/* A remark behind the learned positions takes some of them away. */
static bool is_whole(const rk_symbol *s, size_t p)
{
    return strncmp(phrase[p].form, "context", 7) != 0 || s->text[meaning_length(s)] == '\0';
}

/* Whether symbol i is one that phrase p is about; *n_word as above. */
static bool fits(const sentence *t, size_t p, size_t i, size_t *n_word)
{
    const rk_symbol *s = &t->model->symbol[i];
    rk_i128 plain;

    if (!can_be_said(t, i) || !means(s, phrase[p].meaning, n_word) || !is_whole(s, p))
        return false;
    /* Where all sizes are plain numbers, nothing says which of them are this one. */
    return !phrase[p].may_miss || rk_ex_is_int(t->pool, t->used, &plain) || rk_ex_has_sym(t->pool, t->used, s->sym);
}

void rk_shape_put(const rk_instance *m, rk_ex used, rk_str *out)
{
    sentence t = {.model = m->model, .pool = m->pool, .used = used, .out = out};

    for (size_t p = 0; p < N_PHRASE; p++) {
        for (size_t i = 0, n_word; i < t.model->n_symbol && i < SYMBOLS_MAX && !phrase[p].follows; i++) {
            if (!fits(&t, p, i, &n_word))
                continue;
            rk_str_put(out, t.begun ? ", " : "");
            t.begun = true;
            say(&t, phrase[p].form, i, n_word);
            say_followers(&t, p, i, n_word);
        }
    }
}
