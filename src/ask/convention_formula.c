/* SPDX-License-Identifier: MIT */
/* Formulas of data/conventions.tsv: words for facts, put in as the model has them. */
#include "ask/convention_facts.h"

#include "plan/nearest.h"

#include <string.h>

/* Facts of a class, then those of the model. */
static const char *const fact_word[] = {
#define RK_FACT_WORD(ID, word) word,
    RK_CLASS_FACTS(RK_FACT_WORD) RK_MODEL_FACTS(RK_FACT_WORD)
#undef RK_FACT_WORD
};

#define N_FACT (RK_N_CLASS_FACT + RK_N_MODEL_FACT)

/* Functions of expressions, which are no facts. */
static const char *const function_word[] = {"floor", "ceil", "min", "max", "mod"};

#define N_FUNCTION (sizeof function_word / sizeof *function_word)
#define MARK "§" /* no name in a model file has it, so that a fact is never taken for a symbol of the model */
#define WORD_MAX 32

static size_t find(const char *const *word, size_t n, const char *text)
{
    size_t i = 0;

    while (i < n && strcmp(word[i], text) != 0)
        i++;
    return i;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

typedef struct reading {
    const rk_facts *f;
    rk_str marked;
    rk_fact_formula *out;
} reading;

/* A word of the text, written with the mark; its symbol is put in later. */
static int take_word(reading *r, const char *word, rk_err *err)
{
    size_t i = find(fact_word, N_FACT, word);
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = word};

    if (find(function_word, N_FUNCTION, word) < N_FUNCTION) {
        rk_str_put(&r->marked, word);
        return RK_OK;
    }
    for (size_t k = 0; k < N_FACT && i == N_FACT; k++)
        rk_nearest_try(&near, fact_word[k]);
    if (i == N_FACT)
        return rk_fail(err, RK_EINPUT, "'%s' is no fact of a model%s", word, rk_nearest_hint(&near, hint));
    rk_str_format(&r->marked, MARK "%s", word);
    r->out->of_class |= i < RK_N_CLASS_FACT;
    r->out->of_parameters |= i >= RK_CLASS_FACT_PARAMS && i < RK_N_CLASS_FACT;
    if (i >= RK_N_CLASS_FACT && !r->out->lacks)
        r->out->lacks = r->f->lacks[i - RK_N_CLASS_FACT];
    return RK_OK;
}

static int mark_words(reading *r, const char *text, rk_err *err)
{
    char word[WORD_MAX];
    int code = RK_OK;

    while (*text && code == RK_OK) {
        size_t n = 0;

        while (is_letter(text[n]))
            n++;
        if (n >= sizeof word)
            return rk_fail(err, RK_EINPUT, "a word of more than %d letters is no fact", WORD_MAX - 1);
        memcpy(word, text, n);
        word[n] = '\0';
        if (n > 0)
            code = take_word(r, word, err);
        else
            rk_str_putc(&r->marked, *text);
        text += n > 0 ? n : 1;
    }
    return code == RK_OK && r->marked.failed ? rk_fail_memory(err) : code;
}

static rk_sym declare(rk_pool *pool, const char *word)
{
    char name[WORD_MAX + sizeof MARK];

    memcpy(name, MARK, sizeof MARK);
    memcpy(name + sizeof MARK - 1, word, strlen(word) + 1);
    return rk_sym_declare(pool, name, 0);
}

int rk_facts_formula(const rk_facts *f, rk_row_class class, const char *text, rk_fact_formula *out, rk_err *err)
{
    rk_pool *pool = f->instance->pool;
    rk_fact_formula found = {0};
    reading r = {.f = f, .out = &found};
    rk_sym fact[N_FACT];
    int code = mark_words(&r, text, err);

    for (size_t i = 0; i < N_FACT; i++)
        fact[i] = declare(pool, fact_word[i]);
    if (code == RK_OK)
        code = rk_ex_parse(pool, rk_str_text(&r.marked), &found.is, err);
    rk_str_free(&r.marked);
    if (code != RK_OK)
        return rk_err_context(err, code, "formula '%s'", text);
    for (size_t i = 0; i < RK_N_CLASS_FACT && !found.lacks; i++)
        found.is = rk_ex_subst(pool, found.is, fact[i], f->of_class[class][i]);
    for (size_t i = 0; i < RK_N_MODEL_FACT && !found.lacks; i++)
        if (!f->lacks[i])
            found.is = rk_ex_subst(pool, found.is, fact[RK_N_CLASS_FACT + i], f->of_model[i]);
    *out = found;
    return RK_OK;
}
