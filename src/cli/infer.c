/* SPDX-License-Identifier: MIT */
/* Reading a prompt and decoding: what the line leaves open, and in which types things are held. */
#include "cli/infer.h"

#include "base/file.h"
#include "cli/amount.h"
#include "plan/setting.h"

#include <string.h>

/* ---- bandwidth -------------------------------------------------------------------------------------------------- */

static int read_bandwidth(const rk_cli_line *line, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cli_value(line, "--bandwidth"), *text = value;

    if (!value)
        return RK_OK;
    *out = rk_cli_amount(&text);
    if (*out > 0 && (strcmp(text, "B/s") == 0 || *text == '\0'))
        return RK_OK;
    return rk_fail(err, RK_EINPUT, "--bandwidth: '%s' is no number of bytes in a second, such as 3.35TB/s", value);
}

/* ---- how many tokens -------------------------------------------------------------------------------------------- */

/* What the model has by itself of a step's tokens. */
typedef struct tokens {
    const char *fresh; /* the symbol of those that a run adds: S, or U; NULL: the model decodes nothing */
    rk_i128 n;         /* as many as a run without settings has */
    bool sees;         /* it has a T */
} tokens;

static const rk_setting *find_setting(const rk_setting *s, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(s[i].name, name) == 0)
            return &s[i];
    return NULL;
}

bool rk_cli_is_length(const char *name)
{
    return strcmp(name, "S") == 0 || strcmp(name, "U") == 0 || strcmp(name, "T") == 0;
}

static void ask_model(rk_arena *a, const rk_model *m, tokens *out)
{
    const rk_program *p = &m->program;

    for (size_t i = 0; i < p->n_keep && !out->fresh; i++) {
        rk_sym s;

        if (p->keep[i].once || !rk_ex_is_sym(m->pool, p->keep[i].over_size, &s))
            continue;
        for (size_t k = 0; k < m->n_symbol; k++)
            if (m->symbol[k].sym == s && rk_cli_is_length(m->symbol[k].name)) {
                out->fresh = rk_arena_text(a, m->symbol[k].name);
                out->n = m->symbol[k].value;
            }
    }
    /* What is kept may have no length of its own: a state alone. */
    if (!out->fresh && p->n_keep > 0 && rk_model_symbol(m, "S")) {
        out->fresh = "S";
        out->n = rk_model_symbol(m, "S")->value;
    }
    out->sees = rk_model_symbol(m, "T") != NULL;
}

/* Opens the model with every length left to itself. */
static int look(const rk_open_request *request, rk_arena *a, tokens *out, rk_err *err)
{
    rk_open_request plain = *request;
    rk_setting *kept = RK_NEW_ARRAY(a, request->n_setting + 1, rk_setting);
    rk_opened opened = {0};
    int code;

    if (!kept)
        return rk_fail_memory(err);
    plain.setting = kept;
    plain.n_setting = 0;
    plain.profile = NULL;
    for (size_t i = 0; i < request->n_setting; i++)
        if (!rk_cli_is_length(request->setting[i].name))
            kept[plain.n_setting++] = request->setting[i];
    code = rk_open_all(&plain, RK_FIND_MODEL, &opened, err);
    if (code == RK_OK && opened.model)
        ask_model(a, opened.model, out);
    rk_opened_free(&opened);
    return code;
}

static void set(rk_cli_infer *x, const char *name, rk_i128 value)
{
    x->setting[x->n_setting++] = (rk_setting){.name = name, .value = value};
}

/* One new token that sees as many keys as there would otherwise be tokens, where the line does not say it. */
static void fill_in(const tokens *t, rk_cli_infer *x)
{
    const rk_setting *fresh = find_setting(x->setting, x->n_setting, t->fresh);
    rk_i128 n = fresh ? fresh->value : 1;

    if (!fresh)
        set(x, t->fresh, 1);
    if (t->sees && !find_setting(x->setting, x->n_setting, "T"))
        set(x, "T", n > t->n ? n : t->n);
}

static int check_lengths(const tokens *t, const rk_cli_infer *x, rk_err *err)
{
    const rk_setting *fresh = find_setting(x->setting, x->n_setting, t->fresh);
    const rk_setting *seen = find_setting(x->setting, x->n_setting, "T");
    rk_i128 n = fresh ? fresh->value : t->n;
    char keys[RK_NUM_TEXT_MAX], new_ones[RK_NUM_TEXT_MAX];

    if (!seen || !t->sees || seen->value >= n)
        return RK_OK;
    return rk_fail(err, RK_EINPUT,
                   "T = %s keys cannot be seen by %s = %s new tokens: T counts the cache and what is new",
                   rk_num_grouped(keys, seen->value), t->fresh, rk_num_grouped(new_ones, n));
}

/* What is said about one phase means nothing in another. */
static int check_phase(const rk_cli_line *line, rk_phase phase, rk_err *err)
{
    static const char *const training[] = {"--recompute", "--optimizer", "--master", "--loss"};

    for (size_t i = 0; phase != RK_PHASE_TRAIN && i < sizeof training / sizeof *training; i++)
        if (rk_cli_value(line, training[i]))
            return rk_fail(err, RK_EUSAGE, "%s is about training: leave it out, or --phase", training[i]);
    if (phase == RK_PHASE_TRAIN && rk_cli_value(line, "--kv-dtype"))
        return rk_fail(err, RK_EUSAGE, "--kv-dtype is about a cache, which training has none of: add --phase decode");
    if (phase != RK_PHASE_DECODE && rk_cli_value(line, "--bandwidth"))
        return rk_fail(err, RK_EUSAGE, "--bandwidth is about decoding: add --phase decode");
    return RK_OK;
}

int rk_cli_infer_request(const rk_cli_line *line, rk_phase phase, rk_open_request *request, rk_cli_infer *out,
                         rk_err *err)
{
    rk_arena *a = (rk_arena *)&line->arena;
    tokens t = {0};
    int code = check_phase(line, phase, err);

    if (code == RK_OK)
        code = read_bandwidth(line, &out->bandwidth, err);
    if (code != RK_OK || phase == RK_PHASE_TRAIN)
        return code;
    out->setting = RK_NEW_ARRAY(a, request->n_setting + 2, rk_setting);
    if (!out->setting)
        return rk_fail_memory(err);
    for (size_t i = 0; i < request->n_setting; i++)
        out->setting[out->n_setting++] = request->setting[i];
    if ((code = rk_cli_keep_input(a, request, err)) != RK_OK || (code = look(request, a, &t, err)) != RK_OK)
        return code;
    if (!t.fresh)
        return phase == RK_PHASE_PREFILL
                   ? RK_OK
                   : rk_fail(err, RK_EINPUT, "%s keeps nothing from token to token: there is no decoding",
                             line->word[0]);
    if (phase == RK_PHASE_DECODE)
        fill_in(&t, out);
    request->setting = out->setting;
    request->n_setting = out->n_setting;
    out->request = *request;
    out->request.profile = NULL;
    return check_lengths(&t, out, err);
}

/* ---- in which types --------------------------------------------------------------------------------------------- */

static bool computes(rk_dtype d)
{
    const rk_dtype_row *row = rk_dtype_info(d);

    return row->family == RK_DTYPE_FAMILY_FLOAT && row->block == 1 && row->bytes >= 2 && row->bytes <= 4;
}

int rk_cli_infer_options(const rk_cli_line *line, rk_opened *opened, const rk_ledger *ledger, rk_cli_infer *infer,
                         rk_memory_options *o, rk_err *err)
{
    const rk_quant *quant = &opened->model->quant;
    bool asked = rk_cli_value(line, "--weights") || o->phase == RK_PHASE_TRAIN;
    bool typed = rk_cli_value(line, "--dtype") != NULL;
    int code = RK_OK;

    o->cache = rk_number_find(rk_cli_value(line, "--kv-dtype"));
    o->weights = rk_number_find(rk_cli_value(line, "--weights"));
    if (o->phase != RK_PHASE_TRAIN && !typed && !o->by_book && quant->method)
        o->bytes = computes(quant->dtype) ? rk_dtype_info(quant->dtype)->bytes : 2;
    if (!asked && opened->store)
        code = rk_holding_of_store(&opened->arena, ledger, opened->store, &infer->holding, err);
    else if (!asked && !typed && quant->method)
        code = rk_holding_of_config(&opened->arena, ledger, o->bytes, &infer->holding, err);
    else
        return RK_OK;
    o->holding = &infer->holding;
    return code;
}

/* ---- what a step moves ------------------------------------------------------------------------------------------ */

int rk_cli_infer_serve(const rk_cli_line *line, const rk_cli_infer *infer, const rk_ledger *ledger, rk_memory *m,
                       rk_err *err)
{
    rk_opened plain = {0};
    rk_ledger *equations = NULL;
    int code = RK_OK;

    m->bandwidth = infer->bandwidth;
    if (m->options.phase != RK_PHASE_DECODE)
        return RK_OK;
    code = rk_cli_open_request(line, &infer->request, RK_FIND_MODEL, &plain, &equations, err);
    if (code == RK_OK)
        code = rk_serving_new(&m->arena, ledger, equations, &m->carried, &m->holding, &m->serving, err);
    rk_cli_close(NULL, equations);
    rk_opened_free(&plain);
    return code;
}
