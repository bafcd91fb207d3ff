/* SPDX-License-Identifier: MIT */
/* A request, and how a step is run, as plan/ takes them. */
#include "api/api.h"

#include "plan/layout.h"
#include "plan/setting.h"

#include <string.h>

/* ---- the convention --------------------------------------------------------------------------------------------- */

static int take_convention(const reckon_convention *c, rk_convention *out, rk_err *err)
{
    static const rk_count counting[] = {[RECKON_COUNT_MATMUL] = RK_COUNT_MATMUL,
                                        [RECKON_COUNT_ALL] = RK_COUNT_ALL,
                                        [RECKON_COUNT_TORCH] = RK_COUNT_TORCH};

    if ((unsigned)c->counting > RECKON_COUNT_TORCH || (unsigned)c->masking > RECKON_MASK_EXACT ||
        (unsigned)c->unit > RECKON_UNIT_MAC)
        return rk_fail(err, RK_EUSAGE, "the request names a convention that there is not");
    if (c->counting == RECKON_COUNT_TORCH && (c->masking != RECKON_MASK_FULL || c->unit != RECKON_UNIT_FLOP))
        return rk_fail(err, RK_EUSAGE, "the counter of PyTorch counts masks in full, and FLOPs");
    *out = (rk_convention){
        .count = counting[c->counting],
        .pairs = c->masking == RECKON_MASK_EXACT ? RK_PAIRS_EXACT : RK_PAIRS_WINDOW,
        .mac = c->unit == RECKON_UNIT_MAC,
    };
    return RK_OK;
}

/* ---- settings --------------------------------------------------------------------------------------------------- */

static int take_setting(rk_arena *a, const char *text, size_t n, rk_api_settings *out, rk_err *err)
{
    char *word = rk_arena_copy(a, text, n);
    rk_setting *slot, s = {0};
    int code;

    if (!word)
        return rk_fail_memory(err);
    if (!rk_setting_is(word))
        return rk_fail(err, RK_EUSAGE, "'%s' sets no symbol, as S=4096 does", word);
    code = rk_setting_parse(a, word, &s, err);
    if (code == RK_OK && rk_setting_find(out->at, out->n, s.name))
        code = rk_fail(err, RK_EUSAGE, "%s is set twice", s.name);
    if (code != RK_OK)
        return code;
    slot = RK_PUSH(a, out);
    if (!slot)
        return rk_fail_memory(err);
    *slot = s;
    return RK_OK;
}

int rk_api_settings_take(rk_arena *a, const char *text, rk_api_settings *out, rk_err *err)
{
    static const char between[] = " \t\n\r,";
    const char *at = text ? text : "";
    int code = RK_OK;

    while (code == RK_OK && *(at += strspn(at, between))) {
        size_t n = strcspn(at, between);

        code = take_setting(a, at, n, out, err);
        at += n;
    }
    return code;
}

/* ---- the layout ------------------------------------------------------------------------------------------------- */

/* The option that a word names, and whether one more word says it. */
static int find_option(const char *word, bool *takes_word)
{
    static const bool takes[RK_N_LAYOUT_OPTION] = {
#define ROW(ID, name, arg, words, text) [RK_LAYOUT_##ID] = (arg) != NULL,
        RK_LAYOUT_OPTIONS(ROW)
#undef ROW
    };

    for (int i = 0; i < RK_N_LAYOUT_OPTION; i++)
        if (strcmp(word, rk_layout_option_name[i]) == 0) {
            *takes_word = takes[i];
            return i;
        }
    return -1;
}

/* "fsdp=8,tp=4 --compute bf16 --rank 3" */
static int take_layout(rk_arena *a, const char *text, rk_layout_request *out, rk_err *err)
{
    const char *at = text ? text : "";
    int option = RK_LAYOUT_LINE;
    bool wants = true;

    while (*(at += strspn(at, " \t\n\r"))) {
        size_t n = strcspn(at, " \t\n\r");
        const char *word = rk_arena_copy(a, at, n);

        at += n;
        if (!word)
            return rk_fail_memory(err);
        if (wants) {
            out->said[option] = word;
            wants = false;
        } else if ((option = find_option(word, &wants)) <= RK_LAYOUT_LINE) {
            return rk_fail(err, RK_EUSAGE, "the layout: '%s' is no option of it, as --rank 3 is", word);
        } else if (!wants) {
            out->said[option] = "";
        }
    }
    if (wants && out->said[RK_LAYOUT_LINE])
        return rk_fail(err, RK_EUSAGE, "the layout: %s needs a word", rk_layout_option_name[option]);
    return RK_OK;
}

int rk_api_layout(const rk_api_request *r, rk_arena *a, const rk_layout **out, rk_err *err)
{
    rk_layout *l = RK_NEW(a, rk_layout);
    bool any = false;
    int code = l ? rk_layout_read(&r->run.open.library, a, &r->run.layout, l, &any, err) : rk_fail_memory(err);

    *out = any ? l : NULL;
    return code;
}

/* ---- the request ------------------------------------------------------------------------------------------------ */

/* A text with what messages call it: the word beside it, or else what it is. */
static rk_text named_text(const char *text, const char *word, const char *what)
{
    rk_text t = {word ? word : what, text, text ? strlen(text) : 0};

    return t;
}

static int take_words(const reckon_request *r, rk_api_request *out, rk_err *err)
{
    rk_open_request *open = &out->run.open;

    if (!r->model && !r->model_text && !r->config_text)
        return rk_fail(err, RK_EUSAGE, "the request names no model");
    if (r->model && !r->model_text)
        out->word[open->n_word++] = r->model;
    if (r->config && !r->config_text)
        out->word[open->n_word++] = r->config;
    open->word = out->word;
    open->model = named_text(r->model_text, r->model, "the model file");
    open->config = named_text(r->config_text, r->config, "the config");
    open->library.folder = r->library;
    open->mistakes = &out->mistakes;
    return RK_OK;
}

int rk_api_request_take(const reckon_request *request, rk_api_request *out, rk_err *err)
{
    rk_api_settings setting = {0};
    int code = take_convention(&request->convention, &out->run.convention, err);

    if (code == RK_OK)
        code = take_words(request, out, err);
    if (code == RK_OK)
        code = rk_api_settings_take(&out->arena, request->symbols, &setting, err);
    out->run.open.setting = setting.at;
    out->run.open.n_setting = setting.n;
    return code == RK_OK ? take_layout(&out->arena, request->layout, &out->run.layout, err) : code;
}

void rk_api_request_free(rk_api_request *r)
{
    rk_str_free(&r->mistakes);
    rk_arena_free(&r->arena);
}

/* Where memory ran out on the way, that is what is wrong. */
int rk_api_give_mistakes(rk_api_request *r, char **mistakes, int code, rk_err *err)
{
    if (r->mistakes.failed)
        return rk_fail_memory(err);
    if (code == RK_EINPUT && mistakes && r->mistakes.n > 0) {
        *mistakes = r->mistakes.text;
        r->mistakes = (rk_str){0};
    }
    return code;
}

/* ---- how a step is run ------------------------------------------------------------------------------------------ */

int rk_api_run_take(const reckon_run *run, rk_run_request *out, rk_err *err)
{
    static const reckon_run usual = {0};

    run = run ? run : &usual;
    out->word[RK_RUN_PHASE] = run->phase;
    out->word[RK_RUN_PROFILE] = run->profile;
    out->word[RK_RUN_RECIPE] = run->recipe;
    out->word[RK_RUN_DTYPE] = run->dtype;
    out->word[RK_RUN_ATTENTION] = run->attention;
    out->word[RK_RUN_EXPERTS] = run->experts;
    out->word[RK_RUN_RECOMPUTE] = run->recompute;
    out->word[RK_RUN_OPTIMIZER] = run->optimizer;
    out->word[RK_RUN_MASTER] = run->master;
    out->word[RK_RUN_GRADIENT] = run->grad_dtype;
    out->word[RK_RUN_LOSS] = run->loss;
    out->word[RK_RUN_DROPOUT] = run->dropout;
    out->word[RK_RUN_WEIGHTS] = run->weights;
    out->word[RK_RUN_CACHE] = run->kv_dtype;
    out->word[RK_RUN_ADAPTERS] = run->lora_dtype;
    out->count[RK_RUN_EVERY] = (rk_i128)run->recompute_every;
    out->count[RK_RUN_PASSES] = (rk_i128)run->accumulate;
    out->count[RK_RUN_CHUNK] = (rk_i128)run->loss_chunk;
    out->open.adapt = (rk_adapt_request){.rank = (rk_i128)run->lora, .targets = run->targets, .freeze = run->freeze};
    return rk_run_check(out, err);
}
