/* SPDX-License-Identifier: MIT */
#include "model/keys.h"

#include <string.h>
#include <strings.h>

/* ---- symbols ------------------------------------------------------------------------------------------------- */

static const rk_setting *setting_of(const rk_ctx *c, const char *name)
{
    for (size_t i = 0; i < c->source->n_setting; i++)
        if (strcmp(c->source->setting[i].name, name) == 0)
            return &c->source->setting[i];
    return NULL;
}

/* The binding of all symbols so far: one more, with or without a number. */
static int value_put(rk_ctx *c, rk_sym s, bool known, rk_i128 value)
{
    rk_model *m = c->model;

    if (s >= RK_SYM_MAX)
        return rk_fatal(c, RK_ELIMIT, "%s: more than %d symbols", c->source->name, RK_SYM_MAX);
    m->known[s] = known;
    m->value[s] = value;
    return RK_OK;
}

static int symbol_put(rk_ctx *c, const rk_stmt *s, rk_symbol symbol, rk_scalar *scalar)
{
    rk_symbol *slot = RK_PUSH(c->a, &c->symbol);

    if (!slot)
        return rk_fatal_memory(c);
    symbol.name = s->name;
    symbol.text = s->text;
    symbol.sym = rk_sym_declare(c->pool, s->name, symbol.kind == RK_SYMBOL_RUN ? 0 : 1);
    symbol.known = scalar->known;
    symbol.value = scalar->value;
    *slot = symbol;
    scalar->ex = rk_ex_sym(c->pool, symbol.sym);
    if (!rk_pool_ok(c))
        return c->fatal;
    return value_put(c, symbol.sym, symbol.known, symbol.value);
}

static bool is_constant(const rk_ctx *c, rk_ex e)
{
    rk_i128 n;

    return rk_ex_is_int(c->pool, e, &n);
}

static int check_range(rk_ctx *c, const rk_stmt *s, const rk_scalar *v)
{
    char number[RK_NUM_TEXT_MAX];

    if (!v->known || (v->value >= 0 && !(v->value >> 63)))
        return RK_OK;
    return RK_MISTAKE(c, s->span, "%s = %s%s%s%s: a size is from 0 to 2^63 - 1", s->name, rk_num_text(number, v->value),
                      v->key ? " (" : "", v->key ? v->key : "", v->key ? ")" : "");
}

/* B, S, T, U are the run's in every model, also when a file derives one of them (let T = S). */
static bool is_run_name(const char *name)
{
    return name[0] && !name[1] && strchr("BSTU", name[0]);
}

/* The first key that an expression asks for and the config lacks: a default stands for it. */
static const char *absent_key(const rk_ctx *c, const rk_node *n)
{
    const char *key = n->kind == RK_NODE_KEY && rk_config_lacks(c, n->text) ? n->text : NULL;

    for (size_t i = 0; i < n->child.n && !key; i++)
        key = absent_key(c, n->child.at[i]);
    return key;
}

/* A number of the model or of the run becomes a symbol; a definition is remembered, for formulas to eliminate it. */
static int let_number(rk_ctx *c, const rk_stmt *s, rk_scalar *v, bool literal)
{
    bool run = s->kind == RK_STMT_RUN || is_run_name(s->name);
    const rk_setting *set = setting_of(c, s->name);
    const char *absent = set || v->key || !s->child.n ? NULL : absent_key(c, s->child.at[0]);
    rk_symbol symbol = {.kind = run ? RK_SYMBOL_RUN : RK_SYMBOL_MODEL,
                        .key = v->key ? v->key : absent,
                        .fallback = absent != NULL,
                        .set = set != NULL};
    rk_ex definition = v->ex;
    bool defined = !set && s->kind == RK_STMT_LET && definition != RK_EX_FAILED && !is_constant(c, definition);
    rk_ex number = v->ex;
    int code = check_range(c, s, v);

    if (code != RK_OK || (code = symbol_put(c, s, symbol, v)) != RK_OK)
        return code;
    if (literal) {
        /* A plain number of the file (let r = 4) stands in formulas as that number. */
        v->ex = set ? rk_ex_int(c->pool, v->value) : number;
        c->symbol.at[c->symbol.n - 1].fixed = true;
        return RK_OK;
    }
    if (!defined)
        return RK_OK;
    symbol = c->symbol.at[c->symbol.n - 1];
    c->model->known[symbol.sym] = false; /* it follows its definition, whatever that is set to later */
    return rk_sym_define(c->pool, symbol.sym, definition, c->err) == RK_OK ? RK_OK : rk_fatal_memory(c);
}

/* Whether a symbol would be a text, a list or a mask; a mistake in its value is none where another one is set. */
static bool is_word(rk_ctx *c, const rk_stmt *s)
{
    rk_mistakes quiet = c->mistakes;
    rk_scalar v = {0};

    if (s->child.n && rk_scalar_eval(c, c->frame, s->child.at[0], &v) != RK_OK) {
        c->mistakes = quiet;
        return false;
    }
    return v.kind == RK_SCALAR_TEXT || v.kind == RK_SCALAR_DOC || v.kind == RK_SCALAR_MASK;
}

static int let_value(rk_ctx *c, const rk_stmt *s, rk_scalar *v)
{
    const rk_setting *set = setting_of(c, s->name);

    *v = (rk_scalar){.kind = RK_SCALAR_INT};
    if (set && !set->word) {
        if (!is_word(c, s))
            *v = (rk_scalar){
                .kind = RK_SCALAR_INT, .known = true, .value = set->value, .ex = rk_ex_int(c->pool, set->value)};
        else
            v->kind = RK_SCALAR_TEXT;
        return RK_OK;
    }
    int code = s->child.n ? rk_scalar_eval(c, c->frame, s->child.at[0], v) : RK_OK;

    /* Without any config, a key without a default is a symbol without a number: formulas can do with it. */
    if (code == RK_OK && v->kind == RK_SCALAR_NONE && v->key && !c->source->config &&
        s->child.at[0]->kind == RK_NODE_KEY)
        *v = (rk_scalar){.kind = RK_SCALAR_INT, .key = v->key};
    return code;
}

/* A word for a symbol that is a word: act=gelu. */
static int let_word(rk_ctx *c, const rk_stmt *s, rk_scalar *v)
{
    const rk_setting *set = setting_of(c, s->name);

    if (!set || !set->word)
        return RK_OK;
    if (v->kind != RK_SCALAR_TEXT)
        return rk_fatal(c, RK_EINPUT, "%s is a number, not '%s'", s->name, set->word);
    v->text = rk_arena_text(c->a, set->word);
    return v->text ? RK_OK : rk_fatal_memory(c);
}

static int let_global(rk_ctx *c, const rk_stmt *s)
{
    rk_bind *old = rk_bind_find(c->frame, s->name), *b;
    const rk_setting *set = setting_of(c, s->name);
    rk_scalar v = {0};
    bool literal = s->kind == RK_STMT_LET && s->child.n && s->child.at[0]->kind == RK_NODE_NUMBER;
    int code;

    if (old)
        return RK_MISTAKE(c, s->name_span, "%s is defined twice", s->name);
    c->letting = s;
    code = let_value(c, s, &v);
    c->letting = NULL;
    if (code == RK_OK)
        code = rk_scalar_agrees(c, c->frame, s, &v);
    if (code == RK_OK)
        code = let_word(c, s, &v);
    if (code == RK_OK && v.kind == RK_SCALAR_INT)
        code = let_number(c, s, &v, literal);
    else if (code == RK_OK && set && !set->word)
        code = RK_MISTAKE(c, s->span, "%s is no number and cannot be set to one", s->name);
    if (!(b = rk_bind_add(c, c->frame, s->name)))
        return c->fatal;
    *b = (rk_bind){
        .name = s->name, .kind = code == RK_OK ? RK_BIND_SCALAR : RK_BIND_SPOILT, .scalar = v, .span = s->span};
    return code;
}

static int let_local(rk_ctx *c, const rk_stmt *s)
{
    rk_bind *b;

    if (!s->child.n)
        return RK_MISTAKE(c, s->span, "inside a block or a repeated part a symbol needs its value: let %s = …",
                          s->name);
    if (!(b = rk_bind_add(c, c->frame, s->name)))
        return c->fatal;
    *b = (rk_bind){.name = s->name, .kind = RK_BIND_LATER, .node = s->child.at[0], .frame = c->frame, .span = s->span};
    return RK_OK;
}

static int stmt_let(rk_ctx *c, const rk_stmt *s)
{
    if (c->frame == c->global)
        return let_global(c, s);
    if (s->kind == RK_STMT_RUN)
        return RK_MISTAKE(c, s->span, "run symbols belong to the model, not to a block or a repeated part");
    return let_local(c, s);
}

static int stmt_choose(rk_ctx *c, const rk_stmt *s)
{
    const rk_setting *set = setting_of(c, s->name);
    const char *word = s->word[0];
    const rk_bind *old = rk_bind_find(c->frame, s->name);
    rk_bind *b = rk_bind_add(c, c->frame, s->name);

    if (old)
        return RK_MISTAKE(c, s->name_span, "%s is defined twice", s->name);
    if (!b)
        return c->fatal;
    if (set) {
        word = NULL;
        for (size_t i = 0; i < s->n_word && set->word; i++)
            if (strcmp(s->word[i], set->word) == 0)
                word = s->word[i];
        if (!word)
            return RK_MISTAKE(c, s->span, "%s must be one of these words", s->name);
    }
    *b = (rk_bind){.name = s->name, .kind = RK_BIND_SCALAR, .scalar = {.kind = RK_SCALAR_TEXT, .text = word}};
    return RK_OK;
}

/* The rank of adapters is a symbol of the model, under a name that is free. */
static int put_rank(rk_ctx *c, const rk_file *file)
{
    const rk_setting *set;
    rk_stmt s = {.name = "r", .text = "rank of the adapters"};
    rk_scalar v = {.kind = RK_SCALAR_INT, .known = true};
    rk_bind *b;
    int code;

    for (size_t i = 0; i < file->body.n; i++)
        if (file->body.at[i]->name && strcmp(file->body.at[i]->name, s.name) == 0)
            s.name = "rank";
    set = setting_of(c, s.name);
    v.value = set && !set->word ? set->value : c->source->adapt->rank;
    if (v.value <= 0 || v.value >> 63)
        return rk_fatal(c, RK_EINPUT, "the rank of adapters is from 1 to 2^63 - 1");
    code = symbol_put(c, &s, (rk_symbol){.kind = RK_SYMBOL_MODEL, .set = true}, &v);
    if (code != RK_OK || !(b = rk_bind_add(c, c->global, s.name)))
        return code != RK_OK ? code : c->fatal;
    *b = (rk_bind){.name = s.name, .kind = RK_BIND_SCALAR, .scalar = v};
    return rk_label_of_bind(c, b, 0, s.span, &c->rank);
}

/* ---- statements ---------------------------------------------------------------------------------------------- */

static int stmt_check(rk_ctx *c, const rk_stmt *s)
{
    int worst = RK_OK;

    for (size_t i = 0; i < s->child.n; i++) {
        int code = rk_scalar_check(c, c->frame, s->child.at[i]);

        worst = code != RK_OK ? code : worst;
    }
    return worst;
}

static int stmt_input(rk_ctx *c, const rk_stmt *s)
{
    for (size_t i = 0; i < s->child.n; i++) {
        const rk_node *n = s->child.at[i];
        const rk_bind *old = rk_bind_find(c->frame, n->text);
        rk_tensor *t = RK_PUSH(c->a, &c->tensor);
        uint32_t *in = RK_PUSH(c->a, &c->input);
        rk_bind *b = rk_bind_add(c, c->frame, n->text);
        rk_ixs axes;
        int code;

        if (old)
            return RK_MISTAKE(c, n->span, "%s is defined twice", n->text);
        if (!t || !in || !b)
            return rk_fatal_memory(c);
        b->kind = RK_BIND_SPOILT;
        *in = (uint32_t)(c->tensor.n - 1);
        if ((code = rk_axes_plain(c, &n->axes, &axes)) != RK_OK)
            return code;
        *t =
            (rk_tensor){.kind = RK_TENSOR_INPUT, .name = n->text, .axes = axes, .producer = RK_NONE, .weight = RK_NONE};
        t->incoming = s->kind == RK_STMT_INCOMING;
        *b = (rk_bind){.name = n->text, .kind = RK_BIND_TENSOR, .seen = {.tensor = *in, .axes = axes}, .span = n->span};
    }
    return RK_OK;
}

static int stmt_if(rk_ctx *c, const rk_stmt *s)
{
    for (size_t i = 0; i < s->child.n; i++) {
        bool truth = false;
        int code = rk_scalar_condition(c, c->frame, s->child.at[i], &truth);

        if (code != RK_OK)
            return code;
        if (truth)
            return rk_body_expand(c, &s->branch[i]);
    }
    return s->n_branch > s->child.n ? rk_body_expand(c, &s->branch[s->child.n]) : RK_OK;
}

static int stmt_at(rk_ctx *c, const rk_stmt *s)
{
    rk_weight_name saved = c->prefix;
    int code = rk_prefix_push(c, s->prefix, &saved);

    if (code == RK_OK)
        code = rk_body_expand(c, &s->body);
    c->prefix = saved;
    return code;
}

static int stmt_weights(rk_ctx *c, const rk_stmt *s)
{
    int code = RK_OK;

    for (size_t i = 0; i < s->child.n && code == RK_OK; i++)
        code = rk_weight_declare(c, s->child.at[i], s->kind == RK_STMT_BUFFER);
    return code;
}

/* ---- keep ---------------------------------------------------------------------------------------------------- */

/* From here on the axis is the longer one: the cache holds the tokens before. */
static int lengthen(rk_ctx *c, rk_seen *s, uint32_t from, uint32_t to)
{
    rk_ixs axes = {0};
    int code = RK_OK;

    for (size_t i = 0; i < s->axes.n && code == RK_OK; i++) {
        rk_ix ix = s->axes.at[i].label == from ? rk_ix_of_label(c, to) : s->axes.at[i];

        code = rk_ixs_append(c, &axes, &ix);
    }
    s->axes = axes;
    return code;
}

/* `within` is a number, a mask that has one, or nothing. */
static int keep_within(rk_ctx *c, const rk_stmt *s, rk_keep *k)
{
    rk_scalar w = {0};
    int code = s->within ? rk_scalar_decide(c, c->frame, s->within, &w) : RK_OK;

    k->within = k->last = RK_EX_FAILED;
    if (code != RK_OK || w.kind == RK_SCALAR_NONE)
        return code;
    if (w.kind == RK_SCALAR_MASK) {
        k->within = w.mask == RK_MASK_WINDOW || w.mask == RK_MASK_CHUNK ? w.ex : RK_EX_FAILED;
        return RK_OK;
    }
    if (w.kind != RK_SCALAR_INT)
        return RK_MISTAKE(c, s->within->span, "a number or a mask is needed here");
    *(s->kind == RK_STMT_KEEP_LAST ? &k->last : &k->within) = rk_scalar_ex(c, &w);
    return RK_OK;
}

static int no_such_tensor(rk_ctx *c, const rk_node *n)
{
    const char *near = rk_near_tensor(c, n->text);

    return near ? RK_MISTAKE(c, n->span, "no equation above defines '%s'; did you mean '%s'?", n->text, near)
                : RK_MISTAKE(c, n->span, "no equation above defines the tensor '%s'", n->text);
}

static int keep_one(rk_ctx *c, const rk_stmt *s, const rk_node *n, rk_keep k)
{
    rk_bind *b = rk_tensor_find(c->frame, n->text);
    rk_keep *slot;
    uint32_t as = 0;
    int code = RK_OK;

    if (b && b->kind == RK_BIND_SPOILT)
        return RK_EINPUT;
    if (!b || b->kind != RK_BIND_TENSOR)
        return no_such_tensor(c, n);
    if (!rk_ixs_has(&b->seen.axes, k.over))
        return RK_MISTAKE(c, n->span, "%s is %s: it has no axis %s", n->text, rk_ixs_text(c, &b->seen.axes),
                          c->label.at[k.over].name);
    if (s->as && ((code = rk_label_named(c, s->as, 0, s->span, &as)) != RK_OK ||
                  (code = lengthen(c, &b->seen, k.over, as)) != RK_OK))
        return code;
    k.over_size = c->label.at[k.over].size;
    k.over = s->as ? as : k.over;
    if (!(slot = RK_PUSH(c->a, &c->keep)))
        return rk_fatal_memory(c);
    k.tensor = b->seen.tensor;
    k.at = (uint32_t)c->op.n;
    *slot = k;
    return RK_OK;
}

static int stmt_keep(rk_ctx *c, const rk_stmt *s)
{
    rk_keep k = {.part = c->part, .group = c->group, .once = s->kind == RK_STMT_KEEP && !s->as};
    int code = rk_label_named(c, s->over, s->over_primes, s->span, &k.over);

    if (code == RK_OK)
        code = keep_within(c, s, &k);
    for (size_t i = 0; i < s->child.n && code == RK_OK; i++)
        code = keep_one(c, s, s->child.at[i], k);
    return code;
}

/* ---- output and loss ----------------------------------------------------------------------------------------- */

static int given_tensor(rk_ctx *c, const rk_node *n, uint32_t *tensor)
{
    rk_bind *b = rk_tensor_find(c->frame, n->text);

    if (b && b->kind == RK_BIND_SPOILT)
        return RK_EINPUT;
    if (!b || b->kind != RK_BIND_TENSOR)
        return no_such_tensor(c, n);
    *tensor = b->seen.tensor;
    return RK_OK;
}

static int add_output(rk_ctx *c, uint32_t tensor)
{
    uint32_t *out = RK_PUSH(c->a, &c->output), *group = RK_PUSH(c->a, &c->output_group);

    if (!out || !group)
        return rk_fatal_memory(c);
    *out = tensor;
    *group = c->group;
    return RK_OK;
}

static int stmt_output(rk_ctx *c, const rk_stmt *s)
{
    for (size_t i = 0; i < s->child.n; i++) {
        uint32_t tensor = RK_NONE;
        int code = given_tensor(c, s->child.at[i], &tensor);

        if (code != RK_OK || (code = add_output(c, tensor)) != RK_OK)
            return code;
    }
    return RK_OK;
}

/*
 * What a model gives beside its output: no gradient starts there, so it is in no count.  But as long as it is held, so
 * is all that a gradient from there would need; and a profile is asked for to learn what is held.
 */
static int stmt_beside(rk_ctx *c, const rk_stmt *s)
{
    for (size_t i = 0; i < s->child.n; i++) {
        uint32_t tensor = RK_NONE;
        int code = given_tensor(c, s->child.at[i], &tensor);

        if (code != RK_OK || (c->source->profile && (code = add_output(c, tensor)) != RK_OK))
            return code;
    }
    return RK_OK;
}

static int stmt_loss(rk_ctx *c, const rk_stmt *s)
{
    rk_seen out;
    size_t n_out = 0, first = c->op.n;
    int code;

    c->row = "loss";
    c->span = s->span;
    code = rk_call(c, s->child.at[0], NULL, &out, 1, &n_out);
    if (code != RK_OK)
        return code;
    if (c->op.n == first)
        return RK_MISTAKE(c, s->span, "this computes no loss: cross_entropy(logits, ids)");
    c->loss = (uint32_t)(c->op.n - 1);
    c->model->program.loss_first = (uint32_t)first;
    rk_name_rows(c, first, "loss");
    return c->fatal;
}

/* ---- walking ------------------------------------------------------------------------------------------------- */

static int stmt_expand(rk_ctx *c, const rk_stmt *s)
{
    bool truth = true;
    int code = rk_scalar_condition(c, c->frame, s->only_if, &truth);

    if (code != RK_OK || !truth)
        return code;
    switch (s->kind) {
    case RK_STMT_LET:
    case RK_STMT_RUN:
        return stmt_let(c, s);
    case RK_STMT_CHOOSE:
        return stmt_choose(c, s);
    case RK_STMT_CHECK:
        return stmt_check(c, s);
    case RK_STMT_INPUT:
    case RK_STMT_INCOMING:
        return stmt_input(c, s);
    case RK_STMT_TIE:
    case RK_STMT_FROZEN:
        return rk_weight_late(c, s);
    case RK_STMT_BUFFER:
    case RK_STMT_UNUSED:
        return stmt_weights(c, s);
    case RK_STMT_STORED:
        return rk_weight_stored(c, s);
    case RK_STMT_PART:
        return rk_part_expand(c, s);
    case RK_STMT_AT:
        return stmt_at(c, s);
    case RK_STMT_IF:
        return stmt_if(c, s);
    case RK_STMT_KEEP:
    case RK_STMT_KEEP_LAST:
        return stmt_keep(c, s);
    case RK_STMT_OUTPUT:
        return stmt_output(c, s);
    case RK_STMT_BESIDE:
        return stmt_beside(c, s);
    case RK_STMT_LOSS:
        return stmt_loss(c, s);
    case RK_STMT_EQUATION:
        return rk_equation(c, s);
    case RK_STMT_MODEL:
    case RK_STMT_USE:
    case RK_STMT_FAMILY:
    case RK_STMT_BLOCK:
        /* Seen when the file was read, if they stand where they should. */
        return c->nest == 1 ? RK_OK
                            : RK_MISTAKE(c, s->span, "this stands at the top of a file, not inside of something");
    }
    return RK_OK;
}

int rk_body_expand(rk_ctx *c, const rk_stmts *body)
{
    int worst = RK_OK;

    c->nest++;
    /* A mistake in one statement does not keep the next from being looked at. */
    for (size_t i = 0; i < body->n && !c->fatal; i++) {
        int code = stmt_expand(c, body->at[i]);

        worst = code != RK_OK ? code : worst;
    }
    c->nest--;
    return c->fatal ? c->fatal : worst;
}

/* ---- files --------------------------------------------------------------------------------------------------- */

static int read_file(rk_ctx *c, const char *name, const char *text, size_t n, rk_file **out, rk_frame **global);

/* The first body of a name holds: a family's own file is read before the one for all. */
static int body_add(rk_ctx *c, const rk_stmt *s, rk_frame *global)
{
    rk_block *b;

    if (rk_body_find(c, s->name))
        return RK_OK;
    if (!(b = RK_PUSH(c->a, &c->body)))
        return rk_fatal_memory(c);
    *b = (rk_block){.stmt = s, .global = global};
    return RK_OK;
}

static int block_add(rk_ctx *c, const rk_stmt *s, rk_frame *global)
{
    rk_block *b;

    if (c->lowering)
        return body_add(c, s, global);
    if (rk_op_find(s->name) != RK_N_OP || rk_is_scalar_function(s->name))
        return RK_MISTAKE(c, s->name_span, "'%s' is an operation; give the block another name", s->name);
    if (rk_block_find(c, s->name))
        return RK_MISTAKE(c, s->name_span, "the block '%s' is defined twice", s->name);
    if (!(b = RK_PUSH(c->a, &c->block)))
        return rk_fatal_memory(c);
    *b = (rk_block){.stmt = s, .global = global};
    return RK_OK;
}

static bool used_before(const rk_ctx *c, const char *name, bool *open)
{
    for (size_t i = 0; i < c->used.n; i++)
        if (strcmp(c->used.at[i], name) == 0) {
            *open = i < c->n_using;
            return true;
        }
    return false;
}

static int use_file(rk_ctx *c, const rk_stmt *s, const char *from)
{
    const char *name = NULL, *text = NULL;
    size_t n = 0;
    rk_file *file;
    rk_frame *global;
    rk_err why = {0};
    bool open = false;

    if (!c->source->finder.find)
        return RK_MISTAKE(c, s->span, "no other files can be used here");
    if (c->source->finder.find(c->source->finder.self, c->a, from, s->text, &name, &text, &n, &why) != RK_OK)
        return why.code == RK_ENOMEM ? rk_fatal_memory(c) : RK_MISTAKE(c, s->span, "%s", why.message);
    if (used_before(c, name, &open))
        return open ? RK_MISTAKE(c, s->span, "%s uses itself, in a circle", name) : RK_OK;
    return read_file(c, name, text, n, &file, &global);
}

/* Beside its blocks, a used file may have symbols for them; all else belongs to a model. */
static int used_stmt(rk_ctx *c, const rk_stmt *s, rk_frame *global)
{
    rk_frame *here = c->frame;
    int code;

    if (s->kind != RK_STMT_LET)
        return RK_MISTAKE(c, s->span, "a file that is used has blocks, symbols (let) and files that it uses itself");
    c->frame = global;
    code = let_local(c, s);
    c->frame = here;
    return code == RK_OK ? rk_used_put(c, global->bind.at[global->bind.n - 1]) : code;
}

/* Blocks and used files of a file; its other statements are expanded only if it is the model itself. */
static int read_heads(rk_ctx *c, const rk_file *file, rk_frame *global)
{
    int worst = RK_OK;

    for (size_t i = 0; i < file->body.n && !c->fatal; i++) {
        const rk_stmt *s = file->body.at[i];
        int code = s->kind == RK_STMT_USE     ? use_file(c, s, file->source->name)
                   : s->kind == RK_STMT_BLOCK ? block_add(c, s, global)
                   : c->n_using > 1           ? used_stmt(c, s, global)
                                              : RK_OK;

        worst = code != RK_OK ? code : worst;
    }
    return c->fatal ? c->fatal : worst;
}

static int read_file(rk_ctx *c, const char *name, const char *text, size_t n, rk_file **out, rk_frame **global)
{
    const char **slot;
    int code;

    if (c->n_using >= RK_USE_NEST_MAX)
        return rk_fatal(c, RK_ELIMIT, "%s: files that use files: deeper than %d", name, RK_USE_NEST_MAX);
    if (n > RK_SOURCE_BYTES_MAX)
        return rk_fatal(c, RK_ELIMIT, "%s: a model file has at most %zu bytes", name, RK_SOURCE_BYTES_MAX);
    if (!(slot = RK_PUSH(c->a, &c->used)))
        return rk_fatal_memory(c);
    /* Files being read stand in front, so that a circle is seen; those read already stand behind. */
    *slot = c->used.at[c->n_using];
    c->used.at[c->n_using++] = name;
    if (!(*global = rk_frame_new(c, NULL)))
        return c->fatal;
    (*global)->is_global = true;
    code = rk_parse(c->a, name, text, n, &c->mistakes, out, c->err);
    if (code == RK_ENOMEM)
        return c->fatal = code;
    if (*out)
        code = read_heads(c, *out, *global) == RK_OK ? code : RK_EINPUT;
    c->n_using--;
    return c->fatal ? c->fatal : code;
}

/* ---- the model ----------------------------------------------------------------------------------------------- */

static int model_line(rk_ctx *c, const rk_file *file)
{
    for (size_t i = 0; i < file->body.n; i++)
        if (file->body.at[i]->kind == RK_STMT_MODEL) {
            c->model->family = file->body.at[i]->name;
            c->model->text = file->body.at[i]->text;
            return RK_OK;
        }
    return rk_fatal(c, RK_EINPUT, "%s has no line  model NAME: \"…\"  : it is a file of blocks, not a model",
                    file->source->name);
}

static int begin(rk_ctx *c, rk_model *m, const rk_model_source *source, rk_err *err)
{
    rk_part *root;
    rk_group *once;

    c->model = m;
    c->a = &m->arena;
    c->pool = m->pool;
    c->source = source;
    c->err = err;
    c->mistakes.arena = c->a;
    c->loss = RK_NONE;
    m->value = RK_NEW_ARRAY(c->a, RK_SYM_MAX, rk_i128);
    m->known = RK_NEW_ARRAY(c->a, RK_SYM_MAX, bool);
    root = RK_PUSH(c->a, &c->part_list);
    once = RK_PUSH(c->a, &c->group_list);
    if (!m->value || !m->known || !root || !once)
        return rk_fatal_memory(c);
    *root = (rk_part){.name = "", .path = "", .parent = RK_NONE};
    *once = (rk_group){.parent = RK_NONE, .loop = RK_NONE, .times = rk_ex_int(c->pool, 1)};
    return RK_OK;
}

static int unknown_settings(rk_ctx *c)
{
    for (size_t i = 0; i < c->source->n_setting; i++) {
        const char *name = c->source->setting[i].name, *near = NULL;
        size_t least = 3, d;
        rk_str all = {0};

        const rk_bind *b = rk_bind_find(c->global, name);

        if (b && b->kind != RK_BIND_TENSOR)
            continue;
        for (size_t k = 0; k < c->symbol.n; k++) {
            rk_str_format(&all, "%s%s", all.n ? " " : "", c->symbol.at[k].name);
            d = strcasecmp(name, c->symbol.at[k].name) == 0 ? 0
                : strlen(name) < 2                          ? 3
                                                            : rk_edit_distance(name, c->symbol.at[k].name, 2);
            if (d < least) {
                least = d;
                near = c->symbol.at[k].name;
            }
        }
        rk_fatal(c, RK_EINPUT, "%s has no symbol '%s'; it has: %s%s%s%s", c->source->name, name, rk_str_text(&all),
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        rk_str_free(&all);
        return c->fatal;
    }
    return RK_OK;
}

static void publish(rk_ctx *c)
{
    rk_program *p = &c->model->program;

    p->pool = c->pool;
    p->label = c->label.at, p->n_label = c->label.n;
    p->tensor = c->tensor.at, p->n_tensor = c->tensor.n;
    p->op = c->op.at, p->n_op = c->op.n;
    p->weight = c->weight.at, p->n_weight = c->weight.n;
    p->part = c->part_list.at, p->n_part = c->part_list.n;
    p->group = c->group_list.at, p->n_group = c->group_list.n;
    p->loop = c->loop.at, p->n_loop = c->loop.n;
    p->keep = c->keep.at, p->n_keep = c->keep.n;
    p->input = c->input.at, p->n_input = c->input.n;
    p->output = c->output.at, p->n_output = c->output.n;
    p->output_group = c->output_group.at;
    p->rename = c->rename.at, p->n_rename = c->rename.n;
    p->loss = c->loss;
    c->model->symbol = c->symbol.at;
    c->model->n_symbol = c->symbol.n;
}

/* Bodies for a profile: of fused attention, of the family where there are any, then those for all. */
static int read_bodies(rk_ctx *c)
{
    const char *profile = c->source->profile;
    const char *path[] = {rk_arena_format(c->a, "lower/%s.rk", c->source->fused ? "flash" : profile),
                          rk_arena_format(c->a, "lower/%s/%s.rk", profile, c->model->family),
                          rk_arena_format(c->a, "lower/%s.rk", profile)};
    int code = RK_OK;

    c->lowering = true;
    for (size_t i = c->source->fused ? 0 : 1; i < 3 && code == RK_OK; i++) {
        const char *name = NULL, *text = NULL;
        size_t n = 0;
        rk_file *file;
        rk_frame *global;
        rk_err none = {0};

        if (!path[i])
            return rk_fatal_memory(c);
        if (c->source->finder.find(c->source->finder.self, c->a, c->source->file_name, path[i], &name, &text, &n,
                                   &none) == RK_OK)
            code = read_file(c, name, text, n, &file, &global);
    }
    c->lowering = false;
    return code;
}

static int expand(rk_ctx *c)
{
    const rk_model_source *s = c->source;
    rk_file *file = NULL;
    int code = read_file(c, s->file_name, s->text, s->n, &file, &c->global);

    if (c->fatal || !file)
        return c->fatal ? c->fatal : code;
    if (code != RK_OK)
        return code; /* mistakes of form first: those of meaning would be noise */
    if ((code = model_line(c, file)) != RK_OK || (s->profile && (code = read_bodies(c)) != RK_OK))
        return code;
    if (s->adapt && s->adapt->rank > 0 && (code = put_rank(c, file)) != RK_OK)
        return code;
    c->frame = c->global;
    code = rk_body_expand(c, &file->body);
    rk_named_end(c, 0);
    if (code == RK_OK)
        code = rk_frame_settled(c, c->global);
    if (code == RK_OK)
        code = unknown_settings(c);
    if (code == RK_OK)
        code = rk_weights_settle(c);
    if (code == RK_OK && c->output.n == 0)
        code = rk_fatal(c, RK_EINPUT, "%s: no line  output NAME  says what the model gives", s->file_name);
    return code == RK_OK ? rk_keys_publish(c) : code;
}

/* Mistakes are kept as text; one line of them goes into the error. */
static int report_mistakes(rk_ctx *c, rk_str *mistakes, int code)
{
    if (c->a->failed)
        rk_fatal_memory(c); /* whatever was said may have come of that */
    if (c->fatal || c->mistakes.list.n == 0)
        return c->fatal ? c->fatal : code;
    if (mistakes)
        rk_mistakes_print(&c->mistakes, mistakes);
    return rk_fail(c->err, RK_EINPUT, "%zu mistake%s in the model", c->mistakes.list.n + c->mistakes.n_more,
                   c->mistakes.list.n + c->mistakes.n_more == 1 ? "" : "s");
}

static rk_model *model_new(void)
{
    rk_model *m = rk_heap_alloc(sizeof *m);

    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    m->arena.limit = (size_t)512 << 20; /* a model takes kilobytes; a hostile one stops here */
    m->pool = rk_pool_new();
    if (m->pool)
        return m;
    rk_heap_free(m);
    return NULL;
}

static int open_once(const rk_model_source *source, rk_splits *list, bool *again, rk_model **out, rk_str *mistakes,
                     rk_err *err)
{
    rk_model *m = model_new();
    rk_ctx *c = m ? RK_NEW(&m->arena, rk_ctx) : NULL;
    int code;

    if (!c) {
        rk_model_free(m);
        return rk_fail_memory(err);
    }
    c->splits = list;
    m->name = rk_arena_text(&m->arena, source->name);
    m->like = source->lacks != NULL;
    code = m->name ? begin(c, m, source, err) : rk_fail_memory(err);
    if (code == RK_OK)
        code = rk_quant_read(&m->arena, source->config_name ? source->config_name : source->name, source->config,
                             &m->quant, err);
    if (code == RK_OK)
        code = expand(c);
    if (code == RK_OK && c->mistakes.list.n)
        code = RK_EINPUT;
    if (source->lacks)
        rk_keys_lacking(c, code == RK_OK, source->lacks);
    if (code != RK_OK || c->fatal) {
        code = report_mistakes(c, mistakes, code);
        rk_model_free(m);
        return code;
    }
    publish(c);
    if ((code = rk_adapt_freeze(c)) != RK_OK || (code = rk_splits_add(c, list, again)) != RK_OK) {
        rk_model_free(m);
        return code;
    }
    *out = m;
    return RK_OK;
}

static int open_until_equal(const rk_model_source *source, rk_splits *list, rk_model **m, rk_str *mistakes, rk_err *err)
{
    bool again = true;

    for (int round = 0; again; round++) {
        int code;

        rk_model_free(*m);
        *m = NULL;
        if (round == RK_SPLIT_ROUNDS_MAX)
            return rk_fail(err, RK_ELIMIT, "%s: layers need gradients in too many different ways", source->name);
        if ((code = open_once(source, list, &again, m, mistakes, err)) != RK_OK)
            return code;
    }
    return RK_OK;
}

int rk_model_open(const rk_model_source *source, rk_model **out, rk_str *mistakes, rk_err *err)
{
    rk_err own = {0};
    rk_splits list = {.arena = {.limit = (size_t)512 << 20}};
    rk_model *m = NULL;
    int code = open_until_equal(source, &list, &m, mistakes, err ? err : &own);

    rk_arena_free(&list.arena);
    if (code == RK_OK)
        *out = m;
    return code;
}

void rk_model_free(rk_model *m)
{
    if (!m)
        return;
    rk_pool_free(m->pool);
    rk_arena_free(&m->arena);
    rk_heap_free(m);
}

/* ---- asking -------------------------------------------------------------------------------------------------- */

rk_binding rk_model_binding(const rk_model *m)
{
    size_t n = rk_sym_count(m->pool);

    return (rk_binding){.value = m->value, .known = m->known, .n = n < RK_SYM_MAX ? n : RK_SYM_MAX};
}

const rk_symbol *rk_model_symbol(const rk_model *m, const char *name)
{
    for (size_t i = 0; i < m->n_symbol; i++)
        if (strcmp(m->symbol[i].name, name) == 0)
            return &m->symbol[i];
    return NULL;
}

rk_ex rk_group_times(const rk_program *p, uint32_t group)
{
    rk_ex times = rk_ex_int(p->pool, 1);

    for (; group != 0; group = p->group[group].parent)
        times = rk_ex_mul(p->pool, times, p->group[group].times);
    return times;
}

static uint32_t loop_of_symbol(const rk_program *p, rk_sym s)
{
    for (uint32_t l = 0; l < p->n_loop; l++)
        if (p->loop[l].index == s)
            return l;
    return RK_NONE;
}

/* A number in a name that is more than a running number: {i + 1}. The running numbers are symbols of the pool. */
static int name_number(const rk_model *m, rk_ex number, const rk_i128 *index, rk_i128 *out, rk_err *err)
{
    const rk_program *p = &m->program;
    size_t n = rk_sym_count(m->pool);
    rk_i128 *value = rk_heap_alloc(n * sizeof *value);
    bool *known = rk_heap_alloc(n);
    rk_binding at = {.value = value, .known = known, .n = n};
    int code = RK_ENOMEM;

    if (value && known) {
        memcpy(value, m->value, n * sizeof *value);
        memcpy(known, m->known, n);
        for (size_t l = 0; l < p->n_loop; l++) {
            value[p->loop[l].index] = index[l];
            known[p->loop[l].index] = true;
        }
        code = rk_ex_eval(m->pool, number, &at, out, err);
    } else {
        rk_fail_memory(err);
    }
    rk_heap_free(value);
    rk_heap_free(known);
    return code;
}

int rk_weight_name_text(const rk_model *m, const rk_weight_name *name, const rk_i128 *index, rk_str *out, rk_err *err)
{
    for (size_t i = 0; i < name->n; i++) {
        const rk_weight_piece *piece = &name->piece[i];
        rk_sym s = RK_SYM_NONE;
        uint32_t loop;
        rk_i128 number = 0;
        int code;

        if (piece->text) {
            rk_str_put(out, piece->text);
            continue;
        }
        loop = rk_ex_is_sym(m->pool, piece->number, &s) ? loop_of_symbol(&m->program, s) : RK_NONE;
        if (loop != RK_NONE)
            number = index[loop];
        else if ((code = name_number(m, piece->number, index, &number, err)) != RK_OK)
            return code;
        rk_str_num(out, number);
    }
    return out->failed ? rk_fail_memory(err) : RK_OK;
}
