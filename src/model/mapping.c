/* SPDX-License-Identifier: MIT */
#include "model/mapping.h"

#include "model/expand.h"

#include <string.h>

/* A value made, and what it holds while it grows: the keys of a map, the items of a list. */
typedef struct made made;

struct made {
    const char *key;
    rk_doc doc;
    const rk_stmt *loop; /* a list: the loop whose turns append to it */
    RK_VEC(made) inside;
};

typedef struct mapping {
    rk_ctx ctx;
    rk_arena work;
    rk_arena *out;
    made *into;          /* the map that lines give keys to */
    const rk_stmt *loop; /* the one whose turn this is, or NULL */
    size_t n_file;       /* files inside each other */
} mapping;

/* Mistakes of a mapping file, which tests/unit/test_gguf_config.c makes: model files cannot. */
#define WRONG(m, span, ...) rk_mistake_note(&(m)->ctx.mistakes, (span), __VA_ARGS__)

static int run_body(mapping *m, const rk_stmts *body);

/* ---- values ----------------------------------------------------------------------------------------------------- */

static int doc_of_scalar(mapping *m, const rk_scalar *s, rk_span span, rk_doc *out)
{
    *out = (rk_doc){.kind = RK_DOC_NULL};
    switch (s->kind) {
    case RK_SCALAR_NONE:
        break;
    case RK_SCALAR_BOOL:
        *out = (rk_doc){.kind = RK_DOC_BOOL, .truth = s->truth};
        break;
    case RK_SCALAR_INT:
        *out = (rk_doc){.kind = RK_DOC_INT, .number = s->value};
        break;
    case RK_SCALAR_REAL:
        *out = (rk_doc){.kind = RK_DOC_REAL, .real = s->real};
        break;
    case RK_SCALAR_TEXT:
        *out = (rk_doc){.kind = RK_DOC_TEXT, .text = rk_arena_text(m->out, s->text), .n = strlen(s->text)};
        return out->text ? RK_OK : rk_fatal_memory(&m->ctx.b);
    case RK_SCALAR_DOC:
        *out = *s->doc;
        break;
    case RK_SCALAR_MASK:
        return WRONG(m, span, "a mask is no value of a config");
    }
    return RK_OK;
}

/* What was looked for in vain: a key, or a place inside of one, by itself or under a name. */
static int absent(mapping *m, const rk_node *n)
{
    const rk_node *sought = n;
    rk_frame *f = m->ctx.frame;
    rk_str text = {0};
    int code;

    for (const rk_bind *b; sought->kind == RK_NODE_NAME && (b = rk_bind_find(f, sought->text)) && b->node; f = b->frame)
        sought = b->node;
    if (sought->kind == RK_NODE_KEY)
        rk_str_format(&text, "key '%s'", sought->text);
    else
        rk_node_print(sought, &text);
    code = WRONG(m, n->span, "%s has no %s, which is needed here", m->ctx.source->config_name, rk_str_text(&text));
    rk_str_free(&text);
    return code;
}

static made *find_made(const made *map, const char *key)
{
    for (size_t i = 0; i < map->inside.n; i++)
        if (strcmp(map->inside.at[i].key, key) == 0)
            return &map->inside.at[i];
    return NULL;
}

/* The value under a key, which is new or there already. */
static made *made_key(mapping *m, const char *key)
{
    made *v = find_made(m->into, key);

    if (!v && (v = RK_PUSH(&m->work, &m->into->inside)))
        *v = (made){.key = key};
    if (!v)
        rk_fatal_memory(&m->ctx.b);
    return v;
}

/* In a loop the line appends to a list, which its first turn begins. */
static made *made_item(mapping *m, made *list)
{
    made *v;

    if (list->loop != m->loop)
        *list = (made){.key = list->key, .doc.kind = RK_DOC_LIST, .loop = m->loop};
    v = RK_PUSH(&m->work, &list->inside);
    if (!v)
        rk_fatal_memory(&m->ctx.b);
    return v;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static int run_equation(mapping *m, const rk_stmt *s)
{
    const rk_node *n = s->child.at[0];
    rk_scalar value = {0};
    rk_doc doc = {0};
    made *v;
    int code;

    if (s->n_target != 1 || s->target[0].axes.written || s->where)
        return WRONG(m, s->span, "a line of a mapping is  key = value");
    code = rk_scalar_eval(&m->ctx, m->ctx.frame, n, &value);
    if (code == RK_OK && value.kind == RK_SCALAR_NONE && value.key)
        code = absent(m, n);
    if (code == RK_OK)
        code = doc_of_scalar(m, &value, n->span, &doc);
    if (code != RK_OK)
        return code;
    v = made_key(m, s->target[0].name);
    if (v && m->loop)
        v = made_item(m, v);
    if (!v)
        return m->ctx.b.fatal;
    *v = (made){.key = v->key, .doc = doc};
    return RK_OK;
}

static int run_let(mapping *m, const rk_stmt *s)
{
    rk_bind *b;

    if (!s->child.n)
        return WRONG(m, s->span, "in a mapping a name needs its value: let %s = …", s->name);
    if (!(b = rk_bind_add(&m->ctx, m->ctx.frame, s->name)))
        return m->ctx.b.fatal;
    *b = (rk_bind){
        .name = s->name, .kind = RK_BIND_LATER, .node = s->child.at[0], .frame = m->ctx.frame, .span = s->span};
    return RK_OK;
}

static int run_check(mapping *m, const rk_stmt *s)
{
    int code = RK_OK;

    for (size_t i = 0; i < s->child.n && code == RK_OK; i++)
        code = rk_scalar_check(&m->ctx, m->ctx.frame, s->child.at[i]);
    return code;
}

static int run_if(mapping *m, const rk_stmt *s)
{
    bool truth = false;
    int code = RK_OK;
    size_t i = 0;

    for (; i < s->child.n; i++) {
        code = rk_scalar_condition(&m->ctx, m->ctx.frame, s->child.at[i], &truth);
        if (code != RK_OK || truth)
            break;
    }
    return code == RK_OK && i < s->n_branch ? run_body(m, &s->branch[i]) : code;
}

static int run_at(mapping *m, const rk_stmt *s)
{
    made *outer = m->into, *v, map;
    int code;

    if (m->loop || s->prefix->n != 1 || !s->prefix->piece[0].text || strchr(s->prefix->piece[0].text, '.'))
        return WRONG(m, s->span, "'at' opens one map, and not inside a loop");
    if (!(v = made_key(m, s->prefix->piece[0].text)))
        return m->ctx.b.fatal;
    if (v->doc.kind != RK_DOC_MAP)
        *v = (made){.key = v->key, .doc.kind = RK_DOC_MAP};
    /* What is inside grows apart: the list that it stands in may not be changed meanwhile, and is not. */
    map = *v;
    m->into = &map;
    code = run_body(m, &s->body);
    m->into = outer;
    *v = map;
    return code;
}

static int run_turn(mapping *m, const rk_stmt *s, rk_i128 turn)
{
    rk_frame *outer = m->ctx.frame, *f = rk_frame_new(&m->ctx, outer);
    rk_bind *b = f ? rk_bind_add(&m->ctx, f, s->index) : NULL;
    int code;

    if (!b)
        return m->ctx.b.fatal;
    b->kind = RK_BIND_INDEX;
    b->scalar = (rk_scalar){.kind = RK_SCALAR_INT, .known = true, .value = turn, .ex = rk_ex_int(m->ctx.pool, turn)};
    if (!rk_pool_ok(&m->ctx))
        return m->ctx.b.fatal;
    m->ctx.frame = f;
    code = run_body(m, &s->body);
    m->ctx.frame = outer;
    return code;
}

static int run_loop(mapping *m, const rk_stmt *s)
{
    rk_scalar n = {0};
    int code;

    if (!s->index || s->prefix || m->loop)
        return WRONG(m, s->span, "a loop of a mapping is  part NAME[i < COUNT]:  and not inside another");
    code = rk_scalar_eval(&m->ctx, m->ctx.frame, s->child.at[0], &n);
    if (code != RK_OK)
        return code;
    if (n.kind == RK_SCALAR_NONE && n.key)
        return absent(m, s->child.at[0]);
    if (n.kind != RK_SCALAR_INT || n.value < 0 || n.value > RK_LAYERS_MAX)
        return WRONG(m, s->child.at[0]->span, "a loop has from 0 to %d turns", RK_LAYERS_MAX);
    m->loop = s;
    for (rk_i128 i = 0; i < n.value && code == RK_OK; i++)
        code = run_turn(m, s, i);
    m->loop = NULL;
    return code;
}

static int run_text(mapping *m, const char *name, const char *text, size_t n);

static int run_use(mapping *m, const rk_stmt *s)
{
    const rk_finder *finder = &m->ctx.source->finder;
    const char *name = NULL, *text = NULL;
    size_t n = 0;
    rk_err why = {0};

    if (!finder->find)
        return WRONG(m, s->span, "no other files can be used here");
    if (finder->find(finder->self, &m->work, s->span.source->name, s->text, &name, &text, &n, &why) != RK_OK)
        return why.code == RK_ENOMEM ? rk_fatal_memory(&m->ctx.b) : WRONG(m, s->span, "%s", why.message);
    return run_text(m, name, text, n);
}

static int run_statement(mapping *m, const rk_stmt *s)
{
    bool truth = true;
    int code = rk_scalar_condition(&m->ctx, m->ctx.frame, s->only_if, &truth);

    if (code != RK_OK || !truth)
        return code;
    switch (s->kind) {
    case RK_STMT_EQUATION:
        return run_equation(m, s);
    case RK_STMT_LET:
        return run_let(m, s);
    case RK_STMT_CHECK:
        return run_check(m, s);
    case RK_STMT_IF:
        return run_if(m, s);
    case RK_STMT_AT:
        return run_at(m, s);
    case RK_STMT_PART:
        return run_loop(m, s);
    case RK_STMT_USE:
        return run_use(m, s);
    case RK_STMT_FAMILY:
        return RK_OK;
    default:
        return WRONG(m, s->span, "a mapping has lines  key = value, let, check, if, at, part, use  and no others");
    }
}

/* The first mistake ends it: what follows may rest on it.  A check notes its mistake and goes on. */
static int run_body(mapping *m, const rk_stmts *body)
{
    int code = RK_OK;

    for (size_t i = 0; i < body->n && code == RK_OK; i++) {
        code = run_statement(m, body->at[i]);
        if (code == RK_OK && m->ctx.mistakes.list.n)
            code = RK_EINPUT;
    }
    return m->ctx.b.fatal ? m->ctx.b.fatal : code;
}

static int run_text(mapping *m, const char *name, const char *text, size_t n)
{
    rk_file *file = NULL;
    int code;

    if (m->n_file >= RK_USE_NEST_MAX)
        return rk_fatal(&m->ctx.b, RK_ELIMIT, "%s: files that use files: deeper than %d", name, RK_USE_NEST_MAX);
    if (n > RK_SOURCE_BYTES_MAX)
        return rk_fatal(&m->ctx.b, RK_ELIMIT, "%s: a mapping has at most %zu bytes", name, RK_SOURCE_BYTES_MAX);
    m->n_file++;
    code = rk_parse(&m->work, name, text, n, &m->ctx.mistakes, &file, m->ctx.b.err);
    if (code == RK_OK)
        code = run_body(m, &file->body);
    m->n_file--;
    return code;
}

/* ---- the document ----------------------------------------------------------------------------------------------- */

/* Depth is that of `at`: bounded by the parser. */
static int finish(mapping *m, const made *v, rk_doc *out)
{
    bool is_map = v->doc.kind == RK_DOC_MAP && !v->loop;
    rk_doc d = v->doc;

    *out = d;
    if (!v->inside.n)
        return RK_OK;
    d.item = RK_NEW_ARRAY(m->out, v->inside.n, rk_doc);
    d.key = is_map ? RK_NEW_ARRAY(m->out, v->inside.n, const char *) : NULL;
    if (!d.item || (is_map && !d.key))
        return rk_fatal_memory(&m->ctx.b);
    for (; d.n < v->inside.n; d.n++) {
        if (is_map && !(d.key[d.n] = rk_arena_text(m->out, v->inside.at[d.n].key)))
            return rk_fatal_memory(&m->ctx.b);
        if (finish(m, &v->inside.at[d.n], &d.item[d.n]) != RK_OK)
            return m->ctx.b.fatal;
    }
    *out = d;
    return RK_OK;
}

/* The first mistake in one line: the document, what is wrong, and the line of the mapping that says so. */
static int report(mapping *m, int code, rk_err *err)
{
    const char *name = m->ctx.source->config_name, *message, *line;
    size_t n_name = strlen(name), n = 0;
    int row = 0, column = 0;

    if (m->work.failed || m->out->failed)
        return rk_fail_memory(err);
    if (m->ctx.b.fatal || m->ctx.mistakes.list.n == 0)
        return code;
    const rk_mistake *first = &m->ctx.mistakes.list.at[0];

    message = first->message;
    /* Some messages begin with the name, some do not; it stands once. */
    if (strncmp(message, name, n_name) == 0)
        message += n_name + (strncmp(message + n_name, ": ", 2) == 0 ? 2 : 1);
    rk_span_place(first->span, &row, &column);
    rk_span_line(first->span, &line, &n);
    for (; n > 0 && *line == ' '; n--)
        line++;
    return rk_fail(err, RK_EINPUT, "%s: %s (%s:%d: %.*s)", name, message, first->span.source->name, row,
                   (int)(n < 200 ? n : 200), line);
}

static int begin(mapping *m, const rk_model_source *source, rk_err *err)
{
    m->work.limit = RK_MAPPING_BYTES_MAX;
    m->ctx.a = m->ctx.mistakes.arena = &m->work;
    m->ctx.source = source;
    m->ctx.b.err = err;
    m->ctx.pool = rk_pool_new();
    if (!m->ctx.pool)
        return rk_fatal_memory(&m->ctx.b);
    m->ctx.frame = m->ctx.global = rk_frame_new(&m->ctx, NULL);
    return m->ctx.b.fatal;
}

int rk_mapping_run(const rk_model_source *source, rk_arena *a, rk_doc **out, rk_err *err)
{
    rk_err own = {0};
    made root = {.doc.kind = RK_DOC_MAP};
    mapping *m = rk_heap_alloc(sizeof *m);
    rk_doc *d = m ? RK_NEW(a, rk_doc) : NULL;
    int code;

    if (!d) {
        rk_heap_free(m);
        return rk_fail_memory(err);
    }
    *m = (mapping){.out = a, .into = &root};
    code = begin(m, source, err ? err : &own);
    if (code == RK_OK)
        code = run_text(m, source->file_name, source->text, source->n);
    if (code == RK_OK)
        code = finish(m, &root, d);
    if (code == RK_OK)
        *out = d;
    else
        code = report(m, code, err ? err : &own);
    rk_pool_free(m->ctx.pool);
    rk_arena_free(&m->work);
    rk_heap_free(m);
    return code;
}
