/* SPDX-License-Identifier: MIT */
#include "pass/passes.h"

#include "model/lower.h"
#include "model/regroup.h"
#include "pass/profile.h"

#include <string.h>

static const struct row {
    const char *name;
    rk_pass *run;
} table[] = {
#define ROW(NAME, FUNCTION, TEXT) {NAME, FUNCTION},
    RK_PASSES(ROW)
#undef ROW
};

#define N_PASS (sizeof table / sizeof *table)

/* ---- passes of model/ ------------------------------------------------------------------------------------------- */

static bool is_wide(const rk_model *m, rk_width w)
{
    return w == RK_WIDTH_FP32 || (w == RK_WIDTH_CONFIG && rk_quant_run_bytes(&m->quant) == 4);
}

int rk_pass_lower(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_lower_options lower = {.profile = o->profile,
                                    .fused = o->fused && !(o->spares && rk_profile_is_eager(o->eager, in->family)),
                                    .wide = is_wide(in, o->width),
                                    .grouped = o->grouped,
                                    .drops = o->drops,
                                    .finder = o->finder};

    return o->profile ? rk_lower(in, &lower, out, err) : RK_OK;
}

int rk_pass_merge(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    return o->profile ? rk_merge_layers(in, out, err) : RK_OK;
}

int rk_pass_split(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    (void)o;
    return rk_split_layers(in, out, err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_pass_begin(const rk_model *in, rk_model_draft **draft, rk_build *b, rk_err *err)
{
    int code = rk_model_derive(in, draft, err);

    if (code != RK_OK)
        return code;
    code = rk_build_begin(b, &(*draft)->model->arena, (*draft)->pool, in->name, err);
    if (code != RK_OK)
        rk_model_free((*draft)->model);
    return code;
}

bool rk_passes_same(const rk_pass_options *a, const rk_pass_options *b)
{
    bool same_profile = a->profile && b->profile ? strcmp(a->profile, b->profile) == 0 : a->profile == b->profile;

    return same_profile && a->fused == b->fused && a->spares == b->spares && a->width == b->width &&
           a->grouped == b->grouped && a->grouped_mixed == b->grouped_mixed && a->drops == b->drops &&
           a->serves == b->serves && a->recomputes_attention == b->recomputes_attention && a->loss == b->loss &&
           a->autocast == b->autocast && rk_layout_same(a->layout, b->layout) && !a->adapt && !b->adapt;
}

int rk_passes_keep(rk_arena *a, const rk_pass_options *o, rk_pass_options *out, rk_err *err)
{
    *out = *o;
    out->eager = NULL;
    out->adapt = NULL;
    out->until = NULL;
    out->finder = (rk_finder){0};
    out->profile = o->profile ? rk_arena_text(a, o->profile) : NULL;
    if (o->layout) {
        rk_layout *layout = RK_NEW(a, rk_layout);

        if (layout)
            *layout = *o->layout;
        if (layout && layout->split)
            layout->split = rk_arena_text(a, layout->split);
        if (layout) { /* texts that nobody reads here are not kept */
            layout->runtime.name = o->layout->runtime.name ? rk_arena_text(a, o->layout->runtime.name) : NULL;
            layout->runtime.text = layout->runtime.profile = layout->runtime.recipe = NULL;
        }
        out->layout = layout;
    }
    return a->failed ? rk_fail_memory(err) : RK_OK;
}

bool rk_passes_wanted(const rk_pass_options *o)
{
    return o->until || !rk_passes_same(o, &(rk_pass_options){0});
}

static int find_last(const char *until, size_t *out, rk_err *err)
{
    rk_str names = {0};

    for (*out = 0; *out < N_PASS; ++*out) {
        if (!until || strcmp(table[*out].name, until) == 0) {
            *out = until ? *out : N_PASS - 1;
            rk_str_free(&names);
            return RK_OK;
        }
        rk_str_format(&names, "%s%s", *out ? ", " : "", table[*out].name);
    }
    rk_fail(err, RK_EUSAGE, "there is no pass '%s', but %s", until, rk_str_text(&names));
    rk_str_free(&names);
    return RK_EUSAGE;
}

/* What was left to the config, as it says it. */
static rk_pass_options settle(const rk_model *in, const rk_pass_options *o)
{
    rk_pass_options own = *o;

    if (o->autocast == RK_MIXED_CONFIG) {
        own.autocast = rk_quant_run_bytes(&in->quant) == 2 ? RK_MIXED_YES : RK_MIXED_NO;
        own.grouped &= own.autocast == RK_MIXED_NO || o->grouped_mixed;
    }
    return own;
}

int rk_passes_run(const rk_model *in, const rk_pass_options *o, const rk_model **out, rk_err *err)
{
    const rk_pass_options own = settle(in, o);
    size_t last = 0;
    int code = find_last(o->until, &last, err);

    *out = NULL;
    while (!in->expansion)
        in = in->base;
    for (size_t i = 0; i <= last && code == RK_OK; i++) {
        const rk_model *next = NULL;

        code = table[i].run(*out ? *out : in, &own, &next, err);
        if (code != RK_OK || !next)
            continue;
        if (*out)
            rk_model_own(next, *out);
        *out = next;
    }
    if (code != RK_OK) {
        rk_model_free(*out);
        *out = NULL;
    }
    return code;
}
