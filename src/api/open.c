/* SPDX-License-Identifier: MIT */
/* From a request to an account. */
#include "api/api.h"

#include "plan/open.h"
#include "plan/setting.h"

#include <string.h>

/* A request as plan/ takes it; lives as long as one call of reckon_open. */
typedef struct opening {
    rk_arena arena;
    const reckon_request *request;
    const char *word[2];
    RK_VEC(rk_setting) setting;
    rk_str mistakes;
    rk_open_request plan;
    rk_convention convention;
    rk_err *err;
} opening;

/* ---- the request ------------------------------------------------------------------------------------------------ */

static int take_convention(opening *o)
{
    static const rk_count counting[] = {[RECKON_COUNT_MATMUL] = RK_COUNT_MATMUL,
                                        [RECKON_COUNT_ALL] = RK_COUNT_ALL,
                                        [RECKON_COUNT_TORCH] = RK_COUNT_TORCH};
    const reckon_convention *c = &o->request->convention;

    if ((unsigned)c->counting > RECKON_COUNT_TORCH || (unsigned)c->masking > RECKON_MASK_EXACT ||
        (unsigned)c->unit > RECKON_UNIT_MAC)
        return rk_fail(o->err, RK_EUSAGE, "the request names a convention that there is not");
    if (c->counting == RECKON_COUNT_TORCH && (c->masking != RECKON_MASK_FULL || c->unit != RECKON_UNIT_FLOP))
        return rk_fail(o->err, RK_EUSAGE, "the counter of PyTorch counts masks in full, and FLOPs");
    o->convention = (rk_convention){
        .count = counting[c->counting],
        .exact_mask = c->masking == RECKON_MASK_EXACT,
        .mac = c->unit == RECKON_UNIT_MAC,
    };
    return RK_OK;
}

static int take_setting(opening *o, const char *text, size_t n)
{
    char *word = rk_arena_copy(&o->arena, text, n);
    rk_setting *slot, s = {0};
    int code;

    if (!word)
        return rk_fail_memory(o->err);
    if (!rk_setting_is(word))
        return rk_fail(o->err, RK_EUSAGE, "'%s' sets no symbol, as S=4096 does", word);
    code = rk_setting_parse(&o->arena, word, &s, o->err);
    for (size_t i = 0; code == RK_OK && i < o->setting.n; i++)
        if (strcmp(o->setting.at[i].name, s.name) == 0)
            code = rk_fail(o->err, RK_EUSAGE, "%s is set twice", s.name);
    if (code != RK_OK)
        return code;
    slot = RK_PUSH(&o->arena, &o->setting);
    if (!slot)
        return rk_fail_memory(o->err);
    *slot = s;
    return RK_OK;
}

static int take_symbols(opening *o)
{
    static const char between[] = " \t\n\r,";
    const char *at = o->request->symbols ? o->request->symbols : "";
    int code = RK_OK;

    while (code == RK_OK && *(at += strspn(at, between))) {
        size_t n = strcspn(at, between);

        code = take_setting(o, at, n);
        at += n;
    }
    o->plan.setting = o->setting.at;
    o->plan.n_setting = o->setting.n;
    return code;
}

/* A text with what messages call it: the word beside it, or else what it is. */
static rk_text named_text(const char *text, const char *word, const char *what)
{
    rk_text t = {word ? word : what, text, text ? strlen(text) : 0};

    return t;
}

static int take_words(opening *o)
{
    const reckon_request *r = o->request;

    if (!r->model && !r->model_text && !r->config_text)
        return rk_fail(o->err, RK_EUSAGE, "the request names no model");
    if (r->model && !r->model_text)
        o->word[o->plan.n_word++] = r->model;
    if (r->config && !r->config_text)
        o->word[o->plan.n_word++] = r->config;
    o->plan.word = o->word;
    o->plan.model = named_text(r->model_text, r->model, "the model file");
    o->plan.config = named_text(r->config_text, r->config, "the config");
    o->plan.library.folder = r->library;
    o->plan.mistakes = &o->mistakes;
    return RK_OK;
}

/* ---- the account ------------------------------------------------------------------------------------------------ */

static int do_books(const opening *o, reckon_account *a)
{
    int code = rk_open(&o->plan, &a->model, o->err);

    if (code == RK_OK)
        code = rk_ledger_new(a->model, &o->convention, &a->ledger, o->err);
    if (code == RK_OK)
        code = rk_api_tables(a, o->err);
    if (code == RK_OK)
        code = rk_api_parts(a, o->err);
    return code == RK_OK ? rk_pool_check(a->model->pool, o->err) : code;
}

static int open_account(opening *o, reckon_account **out)
{
    reckon_account *a = rk_heap_alloc(sizeof *a);
    int code;

    if (!a)
        return rk_fail_memory(o->err);
    memset(a, 0, sizeof *a);
    code = do_books(o, a);
    if (code == RK_OK)
        *out = a;
    else
        reckon_close(&a);
    return code;
}

/* The text of the mistakes becomes the caller's.  Where memory ran out on the way, that is what is wrong. */
static int give_mistakes(opening *o, char **mistakes, int code)
{
    if (o->mistakes.failed)
        return rk_fail_memory(o->err);
    if (code == RK_EINPUT && mistakes && o->mistakes.n > 0) {
        *mistakes = o->mistakes.text;
        o->mistakes = (rk_str){0};
    }
    return code;
}

int reckon_open(const reckon_request *request, reckon_account **out, char **mistakes, reckon_error *error)
{
    rk_err err = {0};
    opening o = {.request = request, .err = &err};
    int code;

    if (!request || !out)
        return rk_api_fail_null(error, request ? "out" : "the request");
    code = take_convention(&o);
    if (code == RK_OK)
        code = take_words(&o);
    if (code == RK_OK)
        code = take_symbols(&o);
    if (code == RK_OK)
        code = open_account(&o, out);
    if (code != RK_OK)
        code = give_mistakes(&o, mistakes, code);
    rk_str_free(&o.mistakes);
    rk_arena_free(&o.arena);
    return rk_api_error(error, code, &err);
}

void reckon_close(reckon_account **account)
{
    reckon_account *a = account ? *account : NULL;

    if (!a)
        return;
    *account = NULL;
    rk_ledger_free(a->ledger);
    rk_model_free(a->model);
    rk_arena_free(&a->arena);
    rk_heap_free(a);
}
