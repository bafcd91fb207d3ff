/* SPDX-License-Identifier: MIT */
#include "report/shape.h"

#include <string.h>

/*
 * A phrase for a role.  In the form, # is the number and @ the word that says of what: "image ", "encoder ".  A phrase
 * that follows is said only after one that leads, of the same word; a role that found no leader has a phrase of its
 * own further down.  One that may be missing is said only where the model really has a size like that.
 */
static const struct phrase {
    rk_symbol_role role;
    const char *form;
    bool follows, may_miss;
} phrase[] = {
    {RK_SIZE_LAYERS, "# @layers", false, false},
    {RK_SIZE_WIDTH, " of width #", true, false},
    {RK_SIZE_WIDTH, "@width #", false, false},
    {RK_SIZE_CHANNELS, "# @channels", false, false},
    {RK_SIZE_QUERY_HEADS, "# @query heads", false, false},
    {RK_SIZE_KEY_HEADS, " and # key/value heads", true, false},
    {RK_SIZE_HEAD_WIDTH, " of #", true, false},
    {RK_SIZE_HEADS, "# @heads", false, false},
    {RK_SIZE_HEAD_WIDTH, " of #", true, false},
    {RK_SIZE_FFN_WIDTH, "@FFN #", false, true},
    {RK_SIZE_DENSE_WIDTH, "dense FFN #", false, true},
    {RK_SIZE_PLAIN_WIDTH, "FFN #", false, true},
    {RK_SIZE_MLP_WIDTH, "@MLP #", false, true},
    {RK_SIZE_EXPERTS, "# @experts", false, true},
    {RK_SIZE_EXPERT_WIDTH, " of #", true, false},
    {RK_SIZE_CHOSEN, ", # per token", true, false},
    {RK_SIZE_STATE, "state #", false, true},
    {RK_SIZE_VOCABULARY, "vocabulary #", false, true},
    {RK_SIZE_POSITIONS, "context #", false, true},
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

/* A number that is nothing says that there is no such thing. */
static bool can_be_said(const sentence *t, size_t i)
{
    const rk_symbol *s = &t->model->symbol[i];

    return s->kind == RK_SYMBOL_MODEL && !t->said[i] && !(s->known && s->value == 0);
}

/* "1 layers" is "1 layer": forms that can be many end in s. */
static void say(sentence *t, const char *form, size_t i)
{
    const rk_symbol *s = &t->model->symbol[i];
    size_t n = strlen(form);
    bool one = s->known && s->value == 1 && form[n - 1] == 's';

    for (const char *c = form; c < form + n - one; c++) {
        if (*c == '#' && s->known)
            rk_str_grouped(t->out, s->value);
        else if (*c == '#')
            rk_str_put(t->out, s->name);
        else if (*c == '@')
            rk_str_format(t->out, "%.*s", (int)s->tower, s->tower > 0 ? s->text : "");
        else
            rk_str_putc(t->out, *c);
    }
    t->said[i] = true;
}

/* What follows phrase p where `leader` was said. */
static void say_followers(sentence *t, size_t p, const rk_symbol *leader)
{
    for (p++; p < N_PHRASE && phrase[p].follows; p++) {
        for (size_t i = 0; i < t->model->n_symbol && i < SYMBOLS_MAX; i++) {
            const rk_symbol *s = &t->model->symbol[i];

            if (!can_be_said(t, i) || s->role != phrase[p].role || s->tower != leader->tower ||
                (s->tower > 0 && memcmp(s->text, leader->text, s->tower) != 0))
                continue;
            /* "32 query heads and 32 key/value heads" is more than anyone wants to hear. */
            if (s->role == RK_SIZE_KEY_HEADS && s->known && leader->known && s->value == leader->value)
                t->said[i] = true;
            else
                say(t, phrase[p].form, i);
            break;
        }
    }
}

/* Whether symbol i is one that phrase p is about. */
static bool fits(const sentence *t, size_t p, size_t i)
{
    const rk_symbol *s = &t->model->symbol[i];
    rk_i128 plain;

    if (!can_be_said(t, i) || s->role != phrase[p].role)
        return false;
    /* Where all sizes are plain numbers, nothing says which of them are this one. */
    return !phrase[p].may_miss || rk_ex_is_int(t->pool, t->used, &plain) || rk_ex_has_sym(t->pool, t->used, s->sym);
}

bool rk_shape_put(const rk_instance *m, rk_ex used, rk_str *out)
{
    sentence t = {.model = m->model, .pool = m->pool, .used = used, .out = out};
    bool context = false;

    for (size_t p = 0; p < N_PHRASE; p++) {
        for (size_t i = 0; i < t.model->n_symbol && i < SYMBOLS_MAX && !phrase[p].follows; i++) {
            if (!fits(&t, p, i))
                continue;
            rk_str_put(out, t.begun ? ", " : "");
            t.begun = true;
            say(&t, phrase[p].form, i);
            say_followers(&t, p, &t.model->symbol[i]);
            context |= phrase[p].role == RK_SIZE_POSITIONS;
        }
    }
    return context;
}
