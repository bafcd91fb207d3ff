/* SPDX-License-Identifier: MIT */
#include "plan/tokens.h"

#include "plan/setting.h"

#include <string.h>

/* What the model has by itself of a step's tokens. */
typedef struct tokens {
    const char *fresh; /* the symbol of those that a run adds: S, or U; NULL: the model decodes nothing */
    rk_i128 n;         /* as many as a run without settings has */
    bool sees;         /* it has a T */
    const char *model; /* its name */
} tokens;

/* Settings that grow. */
typedef struct settings {
    rk_setting *at;
    size_t n;
    const rk_varied *varied; /* NULL: none are */
} settings;

static const rk_setting *find(const settings *s, const char *name)
{
    return rk_setting_find(s->at, s->n, name);
}

static bool varies(const settings *s, const char *name)
{
    for (size_t i = 0; s->varied && i < s->varied->n; i++)
        if (strcmp(s->varied->symbol[i], name) == 0)
            return true;
    return false;
}

static bool is_length(const char *name)
{
    rk_symbol_role role = rk_run_role(name);

    return role == RK_SIZE_TOKENS || role == RK_SIZE_TARGETS || role == RK_SIZE_KEYS;
}

/* ---- what the model says ---------------------------------------------------------------------------------------- */

static void ask_model(rk_arena *a, const rk_model *m, tokens *out)
{
    const rk_program *p = &m->program;
    const rk_symbol *s = rk_model_size(m, RK_SIZE_TOKENS);

    /* The length along which something is kept. */
    for (size_t i = 0; i < p->n_keep && !out->fresh; i++) {
        rk_sym over;

        if (p->keep[i].once || !rk_ex_is_sym(m->pool, p->keep[i].over_size, &over))
            continue;
        for (size_t k = 0; k < m->n_symbol; k++)
            if (m->symbol[k].sym == over && is_length(m->symbol[k].name)) {
                out->fresh = rk_arena_text(a, m->symbol[k].name);
                out->n = m->symbol[k].value;
            }
    }
    /* What is kept may have no length of its own: a state alone. */
    if (!out->fresh && p->n_keep > 0 && s) {
        out->fresh = RK_NAME_TOKENS;
        out->n = s->value;
    }
    out->sees = rk_model_size(m, RK_SIZE_KEYS) != NULL;
    out->model = rk_arena_text(a, m->name);
}

/* Opens the model with every length left to itself. */
static int look(rk_arena *a, const rk_open_request *r, tokens *out, rk_err *err)
{
    rk_open_request plain = *r;
    rk_opened opened = {0};
    rk_setting *kept = RK_NEW_ARRAY(a, r->n_setting + 1, rk_setting);
    int code;

    if (!kept)
        return rk_fail_memory(err);
    plain.setting = kept;
    plain.n_setting = 0;
    for (size_t i = 0; i < r->n_setting; i++)
        if (!is_length(r->setting[i].name))
            kept[plain.n_setting++] = r->setting[i];
    plain.passes.profile = NULL;
    plain.adapt = (rk_adapt_request){0}; /* no length is theirs */
    code = rk_open_all(&plain, RK_FIND_MODEL, &opened, err);
    if (code == RK_OK && opened.model)
        ask_model(a, opened.model, out);
    rk_opened_free(&opened);
    return code == RK_OK && a->failed ? rk_fail_memory(err) : code;
}

int rk_tokens_check(const char *fresh, rk_i128 n, rk_i128 keys, rk_err *err)
{
    char seen[RK_NUM_TEXT_MAX], new_ones[RK_NUM_TEXT_MAX];

    if (keys >= n)
        return RK_OK;
    return rk_fail(err, RK_EINPUT,
                   "T = %s keys cannot be seen by %s = %s new tokens: T counts the cache and what is new",
                   rk_num_grouped(seen, keys), fresh, rk_num_grouped(new_ones, n));
}

int rk_tokens_set(rk_arena *a, rk_phase phase, const rk_varied *varied, rk_open_request *r, rk_fresh *fresh,
                  rk_err *err)
{
    settings all = {.n = r->n_setting, .varied = varied};
    tokens t = {0};
    const rk_setting *set, *seen;
    int code;

    if (fresh)
        *fresh = (rk_fresh){0};
    if (phase == RK_PHASE_TRAIN)
        return RK_OK;
    all.at = RK_NEW_ARRAY(a, r->n_setting + 2, rk_setting);
    if (!all.at)
        return rk_fail_memory(err);
    if (r->n_setting)
        memcpy(all.at, r->setting, r->n_setting * sizeof *all.at);
    code = look(a, r, &t, err);
    if (code == RK_OK && !t.fresh && phase != RK_PHASE_PREFILL)
        code = rk_fail(err, RK_EINPUT, "%s keeps nothing from token to token: there is no decoding", t.model);
    if (code == RK_OK && t.fresh && phase == RK_PHASE_DECODE) {
        /* One new token that sees as many keys as there would otherwise be tokens, where the settings do not say it. */
        rk_i128 n = (set = find(&all, t.fresh)) ? set->value : 1;

        if (!set && !varies(&all, t.fresh))
            all.at[all.n++] = (rk_setting){.name = t.fresh, .value = 1};
        if (t.sees && !find(&all, RK_NAME_KEYS) && !varies(&all, RK_NAME_KEYS))
            all.at[all.n++] = (rk_setting){.name = RK_NAME_KEYS, .value = n > t.n ? n : t.n};
    }
    if (code == RK_OK && t.fresh && t.sees && !varies(&all, t.fresh)) { /* where one varies, its numbers come later */
        set = find(&all, t.fresh);
        seen = find(&all, RK_NAME_KEYS);
        code = seen ? rk_tokens_check(t.fresh, set ? set->value : t.n, seen->value, err) : RK_OK;
    }
    if (code != RK_OK)
        return code;
    r->setting = all.at;
    r->n_setting = all.n;
    if (fresh && t.sees)
        *fresh = (rk_fresh){t.fresh, t.n};
    return RK_OK;
}

/* ---- standard input --------------------------------------------------------------------------------------------- */

int rk_tokens_keep_input(rk_arena *a, rk_open_request *r, rk_err *err)
{
    const char **word = RK_NEW_ARRAY(a, r->n_word + 1, const char *);
    char *text = NULL;
    size_t n = 0, n_word = 0;
    int code = RK_OK;

    for (size_t i = 0; word && i < r->n_word && code == RK_OK; i++) {
        if (strcmp(r->word[i], "-") != 0)
            word[n_word++] = r->word[i];
        else if (!text)
            code = rk_files_read(r->library.files, a, "-", RK_CONFIG_BYTES_MAX, &text, &n, err);
    }
    if (!word || code != RK_OK || !text)
        return word ? code : rk_fail_memory(err);
    r->config = (rk_text){.name = "standard input", .text = text, .n = n};
    r->word = word;
    r->n_word = n_word;
    return RK_OK;
}
