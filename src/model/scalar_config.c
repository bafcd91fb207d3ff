/* SPDX-License-Identifier: MIT */
#include "model/scalar.h"

#include "model/keys.h"

#include <math.h>
#include <string.h>

rk_scalar rk_scalar_of_doc(rk_ctx *c, const rk_doc *d, const char *key)
{
    rk_scalar s = {.kind = RK_SCALAR_NONE};

    if (d)
        switch (d->kind) {
        case RK_DOC_NULL:
            break;
        case RK_DOC_BOOL:
            s = rk_scalar_bool(d->truth);
            break;
        case RK_DOC_INT:
            s = rk_scalar_int(c, d->number);
            break;
        case RK_DOC_REAL:
            s = rk_scalar_real(d->real);
            break;
        case RK_DOC_TEXT:
            s = rk_scalar_text(d->text);
            break;
        case RK_DOC_LIST:
        case RK_DOC_MAP:
            s = (rk_scalar){.kind = RK_SCALAR_DOC, .doc = d};
            break;
        }
    s.key = key;
    return s;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

#define WHOLE_MAX 9007199254740992.0 /* 2^53: above it a real number no longer says which whole one is meant */

/* A value as bytes: the same for what is the same, as 4 and 4.0 are.  Nothing is the same as a NaN. */
static bool value_key(const rk_scalar *s, rk_str *out)
{
    rk_i128 whole = s->value;
    char kind = (char)('0' + s->kind);

    rk_str_reset(out);
    if (s->kind == RK_SCALAR_REAL && s->real == floor(s->real) && fabs(s->real) <= WHOLE_MAX) {
        kind = '0' + RK_SCALAR_INT;
        whole = (rk_i128)s->real;
    }
    rk_str_putc(out, kind);
    if (kind == '0' + RK_SCALAR_INT)
        rk_str_putn(out, (const char *)&whole, sizeof whole);
    else if (s->kind == RK_SCALAR_REAL)
        rk_str_putn(out, (const char *)&s->real, sizeof s->real);
    else if (s->kind == RK_SCALAR_TEXT)
        rk_str_put(out, s->text);
    else if (s->kind == RK_SCALAR_BOOL)
        rk_str_putc(out, s->truth ? '1' : '0');
    else if (s->kind == RK_SCALAR_DOC)
        rk_str_putn(out, (const char *)&s->doc, sizeof s->doc);
    return s->kind == RK_SCALAR_INT ? s->known
                                    : s->kind != RK_SCALAR_MASK && !(s->kind == RK_SCALAR_REAL && isnan(s->real));
}

static int list_fill(rk_ctx *c, const rk_doc *list, rk_map *out, rk_str *key)
{
    for (size_t i = 0; i < list->n; i++) {
        const rk_doc *d = &list->item[i];
        rk_scalar item = d->kind == RK_DOC_INT ? (rk_scalar){.kind = RK_SCALAR_INT, .known = true, .value = d->number}
                                               : rk_scalar_of_doc(c, d, NULL);
        uint32_t before;

        if (!value_key(&item, key))
            continue;
        before = rk_map_get(out, rk_str_text(key), key->n);
        if (key->failed || !rk_map_put(c->a, out, rk_str_text(key), key->n, before == RK_NONE ? 1 : before + 1))
            return rk_fatal_memory(&c->b);
    }
    return RK_OK;
}

/*
 * How often a value stands in a list.  Thousands of layers ask for their number in a list of thousands, so each list is
 * gone through once.
 */
int rk_list_count(rk_ctx *c, const rk_doc *list, const rk_scalar *value, size_t *out)
{
    uint32_t at = rk_map_get(&c->list_of_doc, (const char *)&list, sizeof list), n;
    rk_str key = {0};
    int code = RK_OK;
    rk_map *slot;

    if (at == RK_NONE) {
        at = (uint32_t)c->list.n;
        if (!(slot = RK_PUSH(c->a, &c->list)))
            return rk_fatal_memory(&c->b);
        *slot = (rk_map){.n = 0};
        code = list_fill(c, list, slot, &key);
        if (code == RK_OK && !rk_map_put(c->a, &c->list_of_doc, (const char *)&list, sizeof list, at))
            code = rk_fatal_memory(&c->b);
    }
    *out = 0;
    if (code == RK_OK && value_key(value, &key)) {
        n = rk_map_get(&c->list.at[at], rk_str_text(&key), key.n);
        *out = n == RK_NONE ? 0 : n;
    }
    if (code == RK_OK && key.failed)
        code = rk_fatal_memory(&c->b);
    rk_str_free(&key);
    return code;
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

const rk_doc *rk_config_doc(const rk_ctx *c, const char *path)
{
    const rk_doc *d = c->source->config;
    const char *word = path;

    while (d && *word) {
        /* Metadata has keys with dots in them; those of a config lead from map to map. */
        const rk_doc *whole = rk_doc_key(d, word, strlen(word));
        size_t n = strcspn(word, ".");

        if (whole)
            return whole;
        d = rk_doc_key(d, word, n);
        word += n + (word[n] == '.');
    }
    return d;
}

bool rk_config_lacks(const rk_ctx *c, const char *path)
{
    const rk_doc *d = rk_config_doc(c, path);

    return !d || d->kind == RK_DOC_NULL;
}

rk_scalar rk_config_key(rk_ctx *c, const rk_node *n)
{
    const rk_doc *d = rk_config_doc(c, n->text);

    rk_key_note(c, n, d, false);
    return rk_scalar_of_doc(c, d, n->text);
}

const char *rk_config_name(const rk_ctx *c)
{
    return c->source->config_name ? c->source->config_name : "the config";
}

/* Whether an expression can be nothing but a whole number: a literal, or arithmetic of such. */
static bool is_whole(const rk_node *n, rk_frame *f)
{
    const rk_bind *b;

    switch (n->kind) {
    case RK_NODE_NUMBER:
        return true;
    case RK_NODE_NAME:
        b = rk_bind_find(f, n->text);
        return b && b->kind == RK_BIND_SCALAR && b->scalar.kind == RK_SCALAR_INT;
    case RK_NODE_COND:
        return is_whole(n->child.at[0], f) && is_whole(n->child.at[2], f);
    case RK_NODE_BINARY:
        return n->text[0] == '?'
                   ? is_whole(n->child.at[1], f)
                   : strchr("+-*/%", n->text[0]) && is_whole(n->child.at[0], f) && is_whole(n->child.at[1], f);
    default:
        return false;
    }
}

/*
 * A key whose default is a whole number must be one: said where a symbol takes it, once, and not wherever that is used.
 */
int rk_scalar_agrees(rk_ctx *c, rk_frame *f, const rk_stmt *let, rk_scalar *v)
{
    const rk_node *n = let->child.n ? let->child.at[0] : NULL;
    bool whole = v->kind == RK_SCALAR_INT || v->kind == RK_SCALAR_NONE;

    if (whole || !v->key || !n || n->kind != RK_NODE_BINARY || n->text[0] != '?' || !is_whole(n, f))
        return RK_OK;
    if (v->kind == RK_SCALAR_REAL && v->real == floor(v->real) && fabs(v->real) < WHOLE_MAX) {
        const char *key = v->key;

        *v = rk_scalar_int(c, (rk_i128)v->real);
        v->key = key;
        return RK_OK;
    }
    if (v->kind == RK_SCALAR_REAL)
        return RK_MISTAKE(c, let->span, "%s: '%s' is %g, and %s is a whole number", rk_config_name(c), v->key, v->real,
                          let->name);
    return RK_MISTAKE(c, let->span, "%s: '%s' is %s, and %s is a whole number", rk_config_name(c), v->key,
                      rk_scalar_kind_name(v), let->name);
}
