/* SPDX-License-Identifier: MIT */
#include "model/keys.h"

#include <string.h>

/* ---- noting ----------------------------------------------------------------------------------------------------- */

static rk_key_asked *asked_find(const rk_ctx *c, const char *path)
{
    uint32_t i = rk_map_get(&c->asked_of_path, path, strlen(path));

    return i == RK_NONE ? NULL : &c->asked.at[i];
}

static rk_key_asked *asked_new(rk_ctx *c, const char *path)
{
    rk_key_asked *q = RK_PUSH(c->a, &c->asked);

    if (!q || !rk_map_put(c->a, &c->asked_of_path, path, strlen(path), (uint32_t)(c->asked.n - 1))) {
        rk_fatal_memory(&c->b);
        return NULL;
    }
    *q = (rk_key_asked){.path = path, .only_whether = true};
    return q;
}

void rk_key_note(rk_ctx *c, const rk_node *n, const rk_doc *d, bool whether)
{
    const rk_node **seen = &c->asked_lately[(uintptr_t)n / sizeof *n % RK_ASKED_CACHE];
    rk_key_asked *q;

    if (!c->source->wants_keys || *seen == n)
        return;
    *seen = n;
    q = asked_find(c, n->text);
    if (!q && !(q = asked_new(c, n->text)))
        return;
    q->doc = d;
    q->whether |= whether;
    q->only_whether &= whether;
    q->let = q->let ? q->let : c->letting;
}

/* $a ?? $b: two spellings of one thing.  Any other value is a default, of which the first one taken is told. */
void rk_key_otherwise(rk_ctx *c, const char *key, const rk_node *n, const rk_scalar *value)
{
    rk_key_asked *q = c->source->wants_keys ? asked_find(c, key) : NULL;

    if (!q || q->otherwise || (q->doc && q->doc->kind != RK_DOC_NULL))
        return;
    q->otherwise = n;
    q->value = *value;
    if (n->kind == RK_NODE_KEY && (q = asked_find(c, n->text)))
        q->second = true;
}

/* ---- what is told of one ---------------------------------------------------------------------------------------- */

static int copy_items(rk_arena *a, const rk_doc *from, rk_doc *to);

static int copy_doc(rk_arena *a, const rk_doc *from, rk_doc *to)
{
    *to = *from;
    if (from->kind == RK_DOC_TEXT)
        to->text = rk_arena_copy(a, from->text, from->n);
    if (from->kind != RK_DOC_LIST && from->kind != RK_DOC_MAP)
        return from->kind != RK_DOC_TEXT || to->text ? RK_OK : RK_ENOMEM;
    return copy_items(a, from, to);
}

/* As deep as the config, whose reader has a limit. */
static int copy_items(rk_arena *a, const rk_doc *from, rk_doc *to)
{
    int code = RK_OK;

    to->item = RK_NEW_ARRAY(a, from->n, rk_doc);
    to->key = from->key ? RK_NEW_ARRAY(a, from->n, const char *) : NULL;
    if (!to->item || (from->key && !to->key))
        return RK_ENOMEM;
    for (size_t i = 0; i < from->n && code == RK_OK; i++) {
        code = copy_doc(a, &from->item[i], &to->item[i]);
        if (from->key && !(to->key[i] = rk_arena_text(a, from->key[i])))
            code = RK_ENOMEM;
    }
    return code;
}

/* A default as a document; what differs between layers, or has no number yet, is told by its formula alone. */
static rk_doc doc_of_scalar(const rk_scalar *s)
{
    if (s->varies || (s->kind == RK_SCALAR_INT && !s->known))
        return (rk_doc){.kind = RK_DOC_NULL};
    switch (s->kind) {
    case RK_SCALAR_BOOL:
        return (rk_doc){.kind = RK_DOC_BOOL, .truth = s->truth};
    case RK_SCALAR_INT:
        return (rk_doc){.kind = RK_DOC_INT, .number = s->value};
    case RK_SCALAR_REAL:
        return (rk_doc){.kind = RK_DOC_REAL, .real = s->real};
    case RK_SCALAR_TEXT:
        return (rk_doc){.kind = RK_DOC_TEXT, .text = s->text, .n = strlen(s->text)};
    case RK_SCALAR_DOC:
        return *s->doc;
    case RK_SCALAR_NONE:
    case RK_SCALAR_MASK:
        break;
    }
    return (rk_doc){.kind = RK_DOC_NULL};
}

static bool is_literal(const rk_node *n)
{
    return n->kind == RK_NODE_NUMBER || n->kind == RK_NODE_REAL || n->kind == RK_NODE_TEXT || n->kind == RK_NODE_TRUE ||
           n->kind == RK_NODE_FALSE || n->kind == RK_NODE_NONE;
}

static int tell_default(rk_ctx *c, const rk_key_asked *q, rk_key *out)
{
    rk_doc value = doc_of_scalar(&q->value);
    rk_str formula = {0};

    out->varies = q->value.varies;
    if (!is_literal(q->otherwise)) {
        rk_node_print(q->otherwise, &formula);
        out->otherwise = formula.failed ? NULL : rk_arena_text(c->a, rk_str_text(&formula));
        rk_str_free(&formula);
        if (!out->otherwise)
            return rk_fatal_memory(&c->b);
    }
    return copy_doc(c->a, &value, &out->value) == RK_OK ? RK_OK : rk_fatal_memory(&c->b);
}

static const rk_symbol *symbol_named(const rk_ctx *c, const char *name)
{
    for (size_t i = 0; i < c->symbol.n; i++)
        if (strcmp(c->symbol.at[i].name, name) == 0)
            return &c->symbol.at[i];
    return NULL;
}

static void tell_symbol(const rk_ctx *c, const rk_stmt *let, rk_key *out)
{
    const rk_symbol *s = let ? symbol_named(c, let->name) : NULL;

    if (!let)
        return;
    out->symbol = let->name;
    out->text = let->text;
    if (s && s->set) {
        out->from = RK_KEY_LINE;
        out->value = (rk_doc){.kind = RK_DOC_INT, .number = s->value};
    }
}

static bool is_given(const rk_key_asked *q)
{
    return q->doc && (q->doc->kind != RK_DOC_NULL || q->whether);
}

/* The spelling that was tried last: $a ?? $b ?? 4 took it, or found nothing there either. */
static const rk_key_asked *last_spelling(const rk_ctx *c, const rk_key_asked *q)
{
    for (size_t i = 0; i < RK_NEST_MAX && !is_given(q) && q->otherwise && q->otherwise->kind == RK_NODE_KEY; i++) {
        const rk_key_asked *next = asked_find(c, q->otherwise->text);

        if (!next)
            break;
        q = next;
    }
    return q;
}

/* A second spelling that was looked for in vain is told with the first one. */
static bool is_second_spelling(const rk_key_asked *q)
{
    return q->second && !is_given(q);
}

static rk_key *key_new(rk_ctx *c, const char *path)
{
    rk_key *k = RK_PUSH(c->a, &c->key);

    if (k)
        *k = (rk_key){.path = path};
    else
        rk_fatal_memory(&c->b);
    return k;
}

static int report_key(rk_ctx *c, const rk_key_asked *q)
{
    const rk_key_asked *last = last_spelling(c, q);
    int code = RK_OK;
    rk_key *k;

    /* Where another spelling was there, or no one asked for more than that there is none, there is nothing to tell. */
    if (is_second_spelling(q) || (last != q && is_given(last)) || (q->only_whether && !q->doc))
        return RK_OK;
    if (!(k = key_new(c, q->path)))
        return c->b.fatal;
    k->from = is_given(q) ? RK_KEY_GIVEN : RK_KEY_DEFAULT;
    if (is_given(q))
        code = copy_doc(c->a, q->doc, &k->value) == RK_OK ? RK_OK : rk_fatal_memory(&c->b);
    else if (last->otherwise)
        code = tell_default(c, last, k);
    tell_symbol(c, q->let, k);
    return code;
}

/* ---- what was not asked for ------------------------------------------------------------------------------------- */

static bool asked_below(const rk_ctx *c, const char *path)
{
    size_t n = strlen(path);

    for (size_t i = 0; i < c->asked.n; i++)
        if (strncmp(c->asked.at[i].path, path, n) == 0 && c->asked.at[i].path[n] == '.')
            return true;
    return false;
}

static int tell_unread(rk_ctx *c, const rk_doc *map, const char *above);

static int tell_unread_one(rk_ctx *c, const rk_doc *d, const char *path)
{
    const rk_key_asked *q = asked_find(c, path);
    rk_key *k;

    if (d->kind == RK_DOC_MAP && (!q || q->only_whether) && asked_below(c, path))
        return tell_unread(c, d, path);
    if (q || d->kind == RK_DOC_NULL)
        return RK_OK;
    if (!(k = key_new(c, path)))
        return c->b.fatal;
    k->from = RK_KEY_UNREAD;
    return copy_doc(c->a, d, &k->value) == RK_OK ? RK_OK : rk_fatal_memory(&c->b);
}

static int tell_unread(rk_ctx *c, const rk_doc *map, const char *above)
{
    int code = RK_OK;

    for (size_t i = 0; i < map->n && code == RK_OK; i++) {
        const char *path = rk_arena_format(c->a, "%s%s%s", above, above[0] ? "." : "", map->key[i]);

        code = path ? tell_unread_one(c, &map->item[i], path) : rk_fatal_memory(&c->b);
    }
    return code;
}

/* ---- what another family's config must have ---------------------------------------------------------------------- */

static bool occurs(rk_ctx *c, rk_ex e, rk_sym s)
{
    return rk_ex_has_sym(c->pool, rk_ex_expand_defs(c->pool, e), s);
}

/* What decides something without a place in a formula (how many layers are dense) has shaped the program, too. */
static bool is_size(rk_ctx *c, const rk_symbol *s)
{
    bool found = s->fixed;

    for (size_t i = 0; i < c->b.weight.n && !found; i++)
        found = occurs(c, c->b.weight.at[i].count, s->sym);
    for (size_t i = 0; i < c->b.loop.n && !found; i++)
        found = occurs(c, c->b.loop.at[i].count, s->sym);
    return found;
}

static void put_lacking(const rk_key_asked *q, rk_str *out)
{
    rk_str_put(out, out->n ? ", " : "");
    rk_str_format(out, "%s (%s%s%s)", q->path, q->let->name, q->let->text ? ": " : "",
                  q->let->text ? q->let->text : "");
}

void rk_keys_lacking(rk_ctx *c, bool expanded, rk_str *out)
{
    rk_i128 n;

    rk_str_reset(out);
    for (size_t i = 0; i < c->asked.n; i++) {
        const rk_key_asked *q = &c->asked.at[i], *last = last_spelling(c, q);
        const rk_symbol *s = q->let ? symbol_named(c, q->let->name) : NULL;

        if (!s || s->set || s->kind != RK_SYMBOL_MODEL || is_second_spelling(q) || is_given(last))
            continue;
        if (last->otherwise && last->value.kind == RK_SCALAR_INT && rk_ex_is_int(c->pool, last->value.ex, &n) &&
            (!expanded || is_size(c, s)))
            put_lacking(q, out);
    }
}

int rk_keys_publish(rk_ctx *c)
{
    const rk_doc *config = c->source->config;
    int code = RK_OK;

    for (size_t i = 0; i < c->asked.n && code == RK_OK; i++)
        code = report_key(c, &c->asked.at[i]);
    if (code == RK_OK && c->source->wants_keys && config && config->kind == RK_DOC_MAP)
        code = tell_unread(c, config, "");
    c->model->key = c->key.at;
    c->model->n_key = c->key.n;
    return code;
}
