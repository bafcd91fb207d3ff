/* SPDX-License-Identifier: MIT */
#include "model/refused.h"

#include <string.h>

#define KEY(d, name) rk_doc_key(d, name, sizeof name - 1)
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define BEGIN "transformers refuses this config: "

/* ---- rotary positions ---------------------------------------------------------------------------------------- */

/* The kinds, and the keys without which each is refused. */
static const struct {
    const char *type, *key[3];
} kind[] = {
    {"default", {NULL}},
    {"axial", {NULL}},
    {"mrope", {NULL}}, /* as default, in the families that have sections */
    {"su", {NULL}},    /* as longrope, in those that call it so */
    {"linear", {"factor"}},
    {"dynamic", {"factor"}},
    {"yarn", {"factor"}},
    {"longrope", {"short_factor", "long_factor"}},
    {"llama3", {"factor", "low_freq_factor", "high_freq_factor"}},
    {"proportional", {"rope_theta"}},
};

/* ---- families that differ ------------------------------------------------------------------------------------- */

#define DIFFER_PATH "keys-refused.json"

/* Whether the library's list has the family under that word; where there is no such file, it has none. */
static bool differs(rk_ctx *c, const char *word, const rk_doc *type)
{
    const rk_finder *f = &c->source->finder;
    const char *name = NULL, *text = NULL;
    const rk_doc *list = NULL;
    rk_doc *d = NULL;
    size_t n = 0;
    rk_err none = {0};

    if (!type || type->kind != RK_DOC_TEXT || !f->find)
        return false;
    if (f->find(f->self, c->a, "", DIFFER_PATH, &name, &text, &n, &none) != RK_OK ||
        rk_config_parse(c->a, name, text, n, &d, &none) != RK_OK) {
        if (none.code == RK_ENOMEM)
            rk_fatal_memory(&c->b);
        return false;
    }
    list = rk_doc_key(d, word, strlen(word));
    list = list ? KEY(list, "families") : NULL;
    for (size_t i = 0; list && list->kind == RK_DOC_LIST && i < list->n; i++)
        if (list->item[i].kind == RK_DOC_TEXT && strcmp(list->item[i].text, type->text) == 0)
            return true;
    return false;
}

static int put(rk_ctx *c, const char *text)
{
    const char **slot = c->note.n < RK_NOTES_MAX ? RK_PUSH(c->a, &c->note) : NULL;

    if (!text || (!slot && c->note.n < RK_NOTES_MAX))
        return rk_fatal_memory(&c->b);
    if (slot)
        *slot = text;
    return RK_OK;
}

/* One set of numbers: what kind it says it is must be known, and have its keys. */
static int look_at_kind(rk_ctx *c, const char *where, const rk_doc *rope)
{
    const rk_doc *type = KEY(rope, "rope_type") ? KEY(rope, "rope_type") : KEY(rope, "type");
    rk_str safe = {0};
    size_t i = 0;
    int code = RK_OK;

    if (!type || type->kind != RK_DOC_TEXT)
        return RK_OK;
    while (i < COUNT(kind) && strcmp(kind[i].type, type->text) != 0)
        i++;
    if (i == COUNT(kind)) {
        rk_str_put_safe(&safe, type->text, type->n);
        code = safe.failed ? rk_fatal_memory(&c->b)
                           : put(c, rk_arena_format(c->a, BEGIN "%s has the type '%s', which it does not know.", where,
                                                    rk_str_text(&safe)));
        rk_str_free(&safe);
        return code;
    }
    for (size_t k = 0; k < COUNT(kind[i].key) && kind[i].key[k]; k++)
        if (!rk_doc_key(rope, kind[i].key[k], strlen(kind[i].key[k])))
            return put(
                c, rk_arena_format(c->a, BEGIN "%s of the type %s has no '%s'.", where, kind[i].type, kind[i].key[k]));
    return RK_OK;
}

/* The numbers themselves, or a map of them for each kind of layer. */
static int look_at_rope(rk_ctx *c, const char *where, const rk_doc *rope)
{
    size_t before = c->note.n;
    int code = look_at_kind(c, where, rope);

    for (size_t i = 0; code == RK_OK && rope && rope->kind == RK_DOC_MAP && c->note.n == before && i < rope->n; i++)
        if (rope->item[i].kind == RK_DOC_MAP)
            code = look_at_kind(c, where, &rope->item[i]);
    return code;
}

/* ---- parts of a config --------------------------------------------------------------------------------------- */

static int look_at(rk_ctx *c, const rk_doc *part)
{
    const rk_doc *type = KEY(part, "model_type"), *older = KEY(part, "rope_scaling");
    const rk_doc *pad = KEY(part, "pad_token_id"), *V = KEY(part, "vocab_size");
    const rk_doc *D = KEY(part, "hidden_size"), *N = KEY(part, "num_attention_heads");
    bool old = older && older->kind == RK_DOC_MAP && older->n > 0 && !differs(c, "rotations by layer", type);
    int code =
        old ? look_at_rope(c, "rope_scaling", older) : look_at_rope(c, "rope_parameters", KEY(part, "rope_parameters"));

    if (code == RK_OK && type && pad && V && pad->kind == RK_DOC_INT && V->kind == RK_DOC_INT &&
        pad->number >= V->number && !differs(c, "padding unknown", type))
        code = put(c, rk_arena_text(c->a, BEGIN "pad_token_id is not below vocab_size."));
    if (code == RK_OK && D && N && D->kind == RK_DOC_INT && N->kind == RK_DOC_INT && N->number > 0 &&
        D->number % N->number != 0 && differs(c, "heads divide the width", type))
        code = put(c, rk_arena_text(c->a, BEGIN "hidden_size is not a multiple of num_attention_heads."));
    return code;
}

int rk_refused_note(rk_ctx *c, const rk_doc *config)
{
    const rk_doc *inner = KEY(config, "text_config");
    int code = look_at(c, config);

    return code == RK_OK && inner ? look_at(c, inner) : code;
}

int rk_refused_note_odd_heads(rk_ctx *c)
{
    static const char text[] =
        "transformers builds this model and cannot run it: its heads have an odd width, and pairs "
        "of elements rotate.";

    for (size_t i = 0; i < c->note.n; i++)
        if (c->note.at[i] == text)
            return RK_OK;
    return put(c, text);
}
