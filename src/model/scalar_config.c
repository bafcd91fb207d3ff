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

#define WHOLE_MAX 9007199254740992.0 /* 2^53: above it a real number no longer says which whole one is meant */

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
