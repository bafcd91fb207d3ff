/* SPDX-License-Identifier: MIT */
#include "plan/reads.h"

#include "base/map.h"
#include "base/vec.h"
#include "lang/ast.h"

#include <string.h>

typedef struct walk {
    rk_arena *arena;
    RK_VEC(rk_reads_key) key;
    rk_map of_path;
    const rk_stmt *let; /* the symbol of the model whose value is being looked at, or NULL */
    bool failed;
} walk;

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static rk_reads_key *key_of(walk *w, const char *path)
{
    uint32_t at = rk_map_get(&w->of_path, path, strlen(path));
    rk_reads_key *k;

    if (at != RK_NONE)
        return &w->key.at[at];
    k = RK_PUSH(w->arena, &w->key);
    if (!k || !rk_map_put(w->arena, &w->of_path, path, strlen(path), (uint32_t)(w->key.n - 1))) {
        w->failed = true;
        return NULL;
    }
    *k = (rk_reads_key){.path = path};
    return k;
}

static const char *written(walk *w, const rk_node *n)
{
    rk_str s = {0};
    const char *text;

    rk_node_print(n, &s);
    text = s.failed ? NULL : rk_arena_text(w->arena, rk_str_text(&s));
    w->failed |= !text;
    rk_str_free(&s);
    return text;
}

/* What the first place says counts; a later one adds what that did not say. */
static void note(walk *w, const rk_node *n, const rk_node *otherwise)
{
    rk_reads_key *k = key_of(w, n->text);

    if (!k)
        return;
    if (otherwise && !k->otherwise)
        k->otherwise = written(w, otherwise);
    if (w->let && !k->symbol) {
        k->symbol = w->let->name;
        k->text = w->let->text;
    }
}

/* ---- expressions ------------------------------------------------------------------------------------------------ */

static void visit(walk *w, const rk_node *n, const rk_node *otherwise);

static void visit_name(walk *w, const rk_name *name)
{
    for (size_t i = 0; name && i < name->n; i++)
        visit(w, name->piece[i].node, NULL);
}

/* $a ?? $b ?? 4: both spellings have the default 4. */
static void visit_default(walk *w, const rk_node *n, const rk_node *otherwise)
{
    const rk_node *right = n->child.at[1];
    bool spelling = right->kind == RK_NODE_KEY;

    visit(w, n->child.at[0], spelling ? otherwise : right);
    visit(w, right, spelling ? otherwise : NULL);
}

/* As deep as the parser allows. */
static void visit(walk *w, const rk_node *n, const rk_node *otherwise)
{
    if (!n)
        return;
    if (n->kind == RK_NODE_KEY) {
        note(w, n, otherwise);
    } else if (n->kind == RK_NODE_BINARY && n->text[0] == '?') {
        visit_default(w, n, otherwise);
    } else {
        for (size_t i = 0; i < n->child.n; i++)
            visit(w, n->child.at[i], n->kind == RK_NODE_INDEX && i == 0 ? otherwise : NULL);
        visit_name(w, n->name);
    }
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static void visit_body(walk *w, const rk_stmts *body, bool of_model);

static void visit_stmt(walk *w, const rk_stmt *s, bool of_model)
{
    bool opens = s->kind == RK_STMT_PART || s->kind == RK_STMT_BLOCK;

    w->let = of_model && s->child.n && (s->kind == RK_STMT_LET || s->kind == RK_STMT_RUN) ? s : NULL;
    for (size_t i = 0; i < s->child.n; i++)
        visit(w, s->child.at[i], NULL);
    w->let = NULL;
    visit(w, s->only_if, NULL);
    visit(w, s->where, NULL);
    visit(w, s->within, NULL);
    visit_name(w, s->prefix);
    for (size_t i = 0; i < 2; i++)
        visit_name(w, s->weight[i]);
    for (size_t i = 0; i < s->n_param; i++)
        visit(w, s->param[i].fallback, NULL);
    visit_body(w, &s->body, of_model && !opens);
    for (size_t i = 0; i < s->n_branch; i++)
        visit_body(w, &s->branch[i], of_model);
}

static void visit_body(walk *w, const rk_stmts *body, bool of_model)
{
    for (size_t i = 0; i < body->n; i++)
        visit_stmt(w, body->at[i], of_model);
}

static int parse(rk_arena *a, const rk_text *t, rk_file **out, rk_err *err)
{
    rk_mistakes mistakes = {.arena = a};
    int code = rk_parse(a, t->name, t->text, t->n, &mistakes, out, err);

    return code == RK_EINPUT ? rk_fail(err, code, "%s has mistakes: 'reckon %s' shows them", t->name, t->name) : code;
}

/* What stands in blocks may not be asked for; the values of the file itself always are. */
static int visit_used(walk *w, const rk_library *l, const char *path, rk_err *err)
{
    rk_file *file = NULL;
    rk_text t = {0};
    int code = rk_library_get(l, w->arena, path, &t, err);

    if (code == RK_OK && t.text)
        code = parse(w->arena, &t, &file, err);
    for (size_t i = 0; code == RK_OK && file && i < file->body.n; i++)
        if (file->body.at[i]->kind == RK_STMT_LET)
            visit_stmt(w, file->body.at[i], true);
    return code;
}

int rk_reads(rk_arena *a, const rk_text *t, const rk_library *used, rk_reads_key **out, size_t *n, rk_err *err)
{
    walk w = {.arena = a};
    rk_file *file = NULL;
    int code = parse(a, t, &file, err);

    if (code == RK_OK)
        visit_body(&w, &file->body, true);
    for (size_t i = 0; code == RK_OK && used && i < file->body.n; i++)
        if (file->body.at[i]->kind == RK_STMT_USE)
            code = visit_used(&w, used, file->body.at[i]->text, err);
    if (code != RK_OK)
        return code;
    if (w.failed)
        return rk_fail_memory(err);
    *out = w.key.at;
    *n = w.key.n;
    return RK_OK;
}
