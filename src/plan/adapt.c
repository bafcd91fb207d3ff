/* SPDX-License-Identifier: MIT */
#include "plan/adapt.h"

#include "base/map.h"
#include "base/vec.h"
#include "plan/glob.h"
#include "plan/nearest.h"

#include <stdio.h>
#include <string.h>

#define NAMES_SHOWN_MAX 12
#define NAMES_LOOKED_AT_MAX 1000 /* for the nearest one */
#define MODULE_MAX 512           /* bytes of a name that a pattern is compared with: far above any */

typedef struct words {
    const char **at;
    size_t n, cap;
    bool *used;
} words;

/* What was chosen: asked for by the model while it is expanded. */
typedef struct choice {
    rk_arena *arena;
    const rk_adapt_request *request;
    rk_map target; /* the weights, by their patterns */
    words freeze;
} choice;

/* ---- words ------------------------------------------------------------------------------------------------------ */

static int read_words(rk_arena *a, const char *option, const char *text, words *out, rk_err *err)
{
    for (const char *at = text; at;) {
        size_t n = strcspn(at, ",");
        const char **slot;

        if (n == 0)
            return rk_fail(err, RK_EUSAGE, "%s: words between commas are wanted, not '%s'", option, text);
        if (!(slot = RK_PUSH(a, out)) || !(*slot = rk_arena_copy(a, at, n)))
            return rk_fail_memory(err);
        at = at[n] ? at + n + 1 : NULL;
    }
    out->used = RK_NEW_ARRAY(a, out->n + 1, bool);
    return out->used ? RK_OK : rk_fail_memory(err);
}

static bool is_pattern(const char *word)
{
    return strpbrk(word, "*?") != NULL;
}

/* Whether a word stands somewhere in a name, between dots. */
static bool stands_in(const char *name, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = name; (at = strstr(at, word)); at++)
        if ((at == name || at[-1] == '.') && (at[n] == '.' || at[n] == '\0'))
            return true;
    return false;
}

/* ---- targets ---------------------------------------------------------------------------------------------------- */

/* How modules spell what is meant by one letter, and what may stand after either. */
static const char *const long_form[][2] = {{"q", "query"}, {"k", "key"}, {"v", "value"}, {"o", "out"}};
static const char *const ending[] = {"", "_proj", "_lin"};

/* Modules that make queries, keys and values in one product. */
static const char *const fused[] = {"c_attn", "query_key_value", "qkv_proj", "Wqkv", "qkv", "in_proj"};

#define N_OF(list) (sizeof(list) / sizeof *(list))

/* The name of the module of a weight: without its last word, where that is `weight`. */
static size_t module_length(const char *pattern)
{
    size_t n = strlen(pattern), cut = strlen(".weight");

    return n > cut && rk_ends_in(pattern, ".weight") ? n - cut : n;
}

static bool spells(const char *name, size_t n, const char *word)
{
    char text[RK_NEAREST_HINT_MAX];

    for (size_t i = 0; i < N_OF(ending); i++) {
        int len = snprintf(text, sizeof text, "%s%s", word, ending[i]);

        size_t n_word = (size_t)len;

        /* It ends the name: all of it, or after a dot. */
        if (len > 0 && n_word < sizeof text && n_word <= n && strncmp(name + n - n_word, text, n_word) == 0 &&
            (n_word == n || name[n - n_word - 1] == '.'))
            return true;
    }
    return false;
}

static bool is_meant(const char *pattern, const char *word)
{
    size_t n = module_length(pattern);
    char module[MODULE_MAX];

    if (is_pattern(word))
        return snprintf(module, sizeof module, "%.*s", (int)n, pattern) < (int)sizeof module &&
               rk_glob_is(word, module);
    for (size_t i = 0; i < N_OF(long_form); i++)
        if (strcmp(word, long_form[i][0]) == 0 && spells(pattern, n, long_form[i][1]))
            return true;
    return spells(pattern, n, word);
}

/* What is being looked through. */
typedef struct looking {
    rk_arena *a;
    const rk_program *p;
    const rk_weight_role *role;
    bool *linear; /* per weight: the matrix of a product with activations */
    rk_map *target;
    rk_err *err;
} looking;

static bool slides(const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_AFFINE || axes->at[i].kind == RK_IX_ROUTED)
            return true;
    return false;
}

/* A tied head has no role of its own, being a table; and yet it may have an adapter. */
static void mark_linear(looking *l)
{
    for (size_t i = 0; i < l->p->n_op; i++) {
        const rk_op *op = &l->p->op[i];
        size_t k = rk_op_weight(l->p, op);
        uint32_t number = k < 2 ? l->p->tensor[op->in[k].tensor].weight : RK_NONE;
        const rk_weight *w = k < 2 ? &l->p->weight[number] : NULL;

        if (w && w->n_dim == 2 && module_length(w->pattern) < strlen(w->pattern))
            l->linear[number] |= !slides(&op->in[0].axes) && !slides(&op->in[1].axes);
    }
}

static int take(looking *l, const char *word, bool *found)
{
    bool all = strcmp(word, RK_TARGETS_ALL) == 0;

    *found = false;
    for (size_t i = 0; i < l->p->n_weight; i++) {
        const char *pattern = l->p->weight[i].pattern;

        if (!l->linear[i] || !(all ? l->role[i].matrix == RK_MATRIX_LINEAR : is_meant(pattern, word)))
            continue;
        *found = true;
        if (!rk_map_put(l->a, l->target, pattern, strlen(pattern), 0))
            return rk_fail_memory(l->err);
    }
    return RK_OK;
}

/* The last words of the modules that could be meant, each once. */
static void list_modules(looking *l, words *out)
{
    for (size_t i = 0; i < l->p->n_weight && out->n < NAMES_LOOKED_AT_MAX; i++) {
        const char *pattern = l->p->weight[i].pattern;
        char *module = l->linear[i] ? rk_arena_copy(l->a, pattern, module_length(pattern)) : NULL;
        char *dot = module ? strrchr(module, '.') : NULL;
        const char *word = dot ? dot + 1 : module, **slot;
        bool known = !word || !word[0];

        for (size_t k = 0; k < out->n && !known; k++)
            known = strcmp(out->at[k], word) == 0;
        if (!known && (slot = RK_PUSH(l->a, out)))
            *slot = word;
    }
}

static int fail_target(looking *l, const char *word)
{
    words known = {0};
    rk_str names = {0};
    rk_nearest near = {.word = word};
    char hint[RK_NEAREST_HINT_MAX];
    bool is_other = false; /* it is something, but no linear layer */
    int code;

    for (size_t i = 0; i < l->p->n_weight; i++)
        is_other |= is_meant(l->p->weight[i].pattern, word);
    list_modules(l, &known);
    for (size_t i = 0; i < known.n; i++) {
        rk_nearest_try(&near, known.at[i]);
        if (i < NAMES_SHOWN_MAX)
            rk_str_format(&names, "%s%s", i ? " " : "", known.at[i]);
    }
    if (is_other)
        code = rk_fail(l->err, RK_EINPUT, "--targets %s: this is no linear layer, and adapters stand beside those: %s",
                       word, rk_str_text(&names));
    else
        code = rk_fail(l->err, RK_EINPUT, "--targets %s: no linear layer is called so%s (there are: %s%s)", word,
                       rk_nearest_hint(&near, hint), rk_str_text(&names), known.n > NAMES_SHOWN_MAX ? " …" : "");
    rk_str_free(&names);
    return code;
}

/* Finds what is asked for; where nothing is, queries and values, or what makes them together with the keys. */
static int find(void *self, const rk_model *plain, rk_err *err)
{
    choice *c = self;
    const char *targets = c->request->targets;
    const rk_program *p = &plain->program;
    looking l = {.a = c->arena,
                 .p = p,
                 .role = plain->roles.weight,
                 .linear = RK_NEW_ARRAY(c->arena, p->n_weight + 1, bool),
                 .target = &c->target,
                 .err = err};
    words asked = {0};
    bool here = false, any = false;
    int code;

    if (!l.linear)
        return rk_fail_memory(err);
    mark_linear(&l);
    code = read_words(c->arena, "--targets", targets ? targets : RK_TARGETS_USUAL, &asked, err);
    for (size_t i = 0; i < asked.n && code == RK_OK; i++) {
        code = take(&l, asked.at[i], &here);
        any |= here;
        if (code == RK_OK && targets && !here)
            code = fail_target(&l, asked.at[i]);
    }
    for (size_t i = 0; i < N_OF(fused) && code == RK_OK && !any; i++)
        code = take(&l, fused[i], &any);
    return code == RK_OK && !any ? fail_target(&l, asked.at[0]) : code;
}

/* ---- asked by the model ----------------------------------------------------------------------------------------- */

static bool adapts(void *self, const char *pattern)
{
    const choice *c = self;

    return rk_map_get(&c->target, pattern, strlen(pattern)) != RK_NONE;
}

static bool freezes(void *self, const char *name, const char *part)
{
    choice *c = self;
    bool any = false;

    for (size_t i = 0; i < c->freeze.n; i++) {
        const char *word = c->freeze.at[i];
        bool named = is_pattern(word) ? rk_glob_is(word, name) || rk_glob_is(word, part)
                                      : stands_in(name, word) || stands_in(part, word);

        c->freeze.used[i] |= named;
        any |= named;
    }
    return any;
}

int rk_adapt_new(rk_arena *a, const rk_adapt_request *r, rk_adapt *out, rk_err *err)
{
    choice *c = RK_NEW(a, choice);
    int code = RK_OK;

    if (!c)
        return rk_fail_memory(err);
    c->arena = a;
    c->request = r;
    if (r->freeze)
        code = read_words(a, "--freeze", r->freeze, &c->freeze, err);
    if (code == RK_OK)
        *out = (rk_adapt){.rank = r->rank,
                          .find = find,
                          .adapts = adapts,
                          .freezes = c->freeze.n ? freezes : NULL,
                          .self = c,
                          .wide = r->wide,
                          .input_gradient = r->input_gradient,
                          .packed = r->packed};
    return code;
}

/* ---- afterwards ------------------------------------------------------------------------------------------------- */

/* Every word between dots of a text. */
static void try_pieces(rk_nearest *near, rk_arena *a, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, ".");
        char *piece = n ? rk_arena_copy(a, text, n) : NULL;

        if (piece)
            rk_nearest_try(near, piece);
        text += n + (text[n] == '.');
    }
}

static int fail_freeze(const char *word, const rk_model *m, rk_err *err)
{
    const rk_program *p = &m->program;
    rk_arena own = {0};
    rk_nearest near = {.word = word};
    char hint[RK_NEAREST_HINT_MAX];
    int code;

    for (size_t i = 0; i < p->n_weight; i++) {
        if (p->weight[i].frozen)
            continue;
        rk_nearest_try(&near, p->part[p->weight[i].part].path);
        try_pieces(&near, &own, p->part[p->weight[i].part].path);
        try_pieces(&near, &own, p->weight[i].pattern);
    }
    code = rk_fail(err, RK_EINPUT, "--freeze %s: nothing that is trained is called so%s", word,
                   rk_nearest_hint(&near, hint));
    rk_arena_free(&own);
    return code;
}

int rk_adapt_used(const rk_adapt *a, const rk_model *m, rk_err *err)
{
    const choice *c = a->self;
    const rk_program *p = &m->program;

    for (size_t i = 0; i < c->freeze.n; i++)
        if (!c->freeze.used[i])
            return fail_freeze(c->freeze.at[i], m, err);
    for (size_t i = 0; i < p->n_weight; i++)
        if (!p->weight[i].frozen && !p->weight[i].buffer)
            return RK_OK;
    return rk_fail(err, RK_EINPUT, "--freeze leaves nothing to train");
}
