/* SPDX-License-Identifier: MIT */
/* Formulas of data/conventions.tsv: words for facts, put in as the model has them. */
#include "ask/convention_facts.h"

#include "plan/nearest.h"

#include <string.h>

static const char *const class_word[RK_N_CLASS_FACT] = {
#define RK_FACT_WORD(ID, word) word,
    RK_CLASS_FACTS(RK_FACT_WORD)};

static const char *const model_word[RK_N_MODEL_FACT] = {RK_MODEL_FACTS(RK_FACT_WORD)
#undef RK_FACT_WORD
};

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

static int fail_word(const char *text, rk_err *err)
{
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = text};

    for (size_t i = 0; i < RK_N_CLASS_FACT; i++)
        rk_nearest_try(&near, class_word[i]);
    for (size_t i = 0; i < RK_N_MODEL_FACT; i++)
        rk_nearest_try(&near, model_word[i]);
    return rk_fail(err, RK_EINPUT, "'%s' is no fact of a model%s", text, rk_nearest_hint(&near, hint));
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

typedef struct reading {
    const rk_facts *f;
    rk_row_class class;
    rk_str marked;
    rk_fact_formula *out;
} reading;

/* A word of the text, written with the mark; its symbol is put in later. */
static int take_word(reading *r, const char *word, rk_err *err)
{
    size_t c = find(class_word, RK_N_CLASS_FACT, word), m = find(model_word, RK_N_MODEL_FACT, word);

    if (find(function_word, N_FUNCTION, word) < N_FUNCTION) {
        rk_str_put(&r->marked, word);
        return RK_OK;
    }
    if (c == RK_N_CLASS_FACT && m == RK_N_MODEL_FACT)
        return fail_word(word, err);
    if (c < RK_N_CLASS_FACT && r->class == RK_N_ROW_CLASS)
        return rk_fail(err, RK_EINPUT, "'%s' is of a class, and none is meant here", word);
    rk_str_format(&r->marked, MARK "%s", word);
    r->out->of_class |= c < RK_N_CLASS_FACT;
    r->out->of_parameters |= c >= RK_CLASS_FACT_PARAMS && c < RK_N_CLASS_FACT;
    if (m < RK_N_MODEL_FACT && !r->out->lacks)
        r->out->lacks = r->f->lacks[m];
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

static void declare_all(rk_pool *pool)
{
    for (size_t i = 0; i < RK_N_CLASS_FACT; i++)
        declare(pool, class_word[i]);
    for (size_t i = 0; i < RK_N_MODEL_FACT; i++)
        declare(pool, model_word[i]);
}

static rk_ex put_in(const rk_facts *f, rk_row_class class, rk_ex e)
{
    rk_pool *pool = f->instance->pool;

    for (size_t i = 0; i < RK_N_CLASS_FACT && class < RK_N_ROW_CLASS; i++)
        e = rk_ex_subst(pool, e, declare(pool, class_word[i]), f->of_class[class][i]);
    for (size_t i = 0; i < RK_N_MODEL_FACT; i++)
        if (!f->lacks[i])
            e = rk_ex_subst(pool, e, declare(pool, model_word[i]), f->of_model[i]);
    return e;
}

int rk_facts_formula(const rk_facts *f, rk_row_class class, const char *text, rk_fact_formula *out, rk_err *err)
{
    rk_fact_formula found = {0};
    reading r = {.f = f, .class = class, .out = &found};
    int code = mark_words(&r, text, err);

    declare_all(f->instance->pool);
    if (code == RK_OK)
        code = rk_ex_parse(f->instance->pool, rk_str_text(&r.marked), &found.is, err);
    rk_str_free(&r.marked);
    if (code != RK_OK)
        return rk_err_context(err, code, "formula '%s'", text);
    if (!found.lacks)
        found.is = put_in(f, class, found.is);
    *out = found;
    return RK_OK;
}
