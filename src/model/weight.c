/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

/* ---- names --------------------------------------------------------------------------------------------------- */

static int piece_add(rk_ctx *c, rk_weight_name *name, rk_weight_piece piece)
{
    if ((name->n & (name->n - 1)) == 0) {
        rk_weight_piece *more = RK_NEW_ARRAY(c->a, name->n ? name->n * 2 : 1, rk_weight_piece);

        if (!more)
            return rk_fatal_memory(&c->b);
        if (name->n)
            memcpy(more, name->piece, name->n * sizeof *more);
        name->piece = more;
    }
    name->piece[name->n++] = piece;
    return RK_OK;
}

static int text_add(rk_ctx *c, rk_weight_name *name, const char *text)
{
    if (!*text)
        return RK_OK;
    return piece_add(c, name, (rk_weight_piece){.text = text});
}

/*
 * Does this number differ from layer to layer by a constant (i, i + 1)?  Then each layer has a tensor of its own.
 * Otherwise (i // 4) layers may share one, and the number is a decision: layers with another one form another group.
 */
static bool runs_along(rk_ctx *c, rk_ex e)
{
    for (size_t k = 0; k < c->n_loop_stack; k++) {
        rk_sym i = c->b.loop.at[c->loop_stack[k].loop].index;
        rk_ex next = rk_ex_subst(c->pool, e, i, rk_ex_add(c->pool, rk_ex_sym(c->pool, i), rk_ex_int(c->pool, 1)));
        rk_i128 step = 0;

        if (rk_ex_is_int(c->pool, rk_ex_sub(c->pool, next, e), &step) && step != 0)
            return true;
    }
    return false;
}

/* A {value} inside a name: a word, or a number, which may run with a loop. */
static int value_add(rk_ctx *c, rk_weight_name *name, const rk_node *n)
{
    rk_scalar s = {0};
    int code = rk_scalar_eval(c, c->frame, n, &s);

    if (code != RK_OK)
        return code;
    if (s.kind == RK_SCALAR_TEXT) {
        if (s.varies)
            rk_record(c, c->frame, n, &s);
        return text_add(c, name, s.text);
    }
    if (s.kind != RK_SCALAR_INT)
        return RK_MISTAKE(c, n->span, "a name is made of words and whole numbers");
    if (s.known && (!s.varies || !runs_along(c, s.ex))) {
        if (s.varies)
            rk_record(c, c->frame, n, &s);
        rk_scalar_fix(c, &s);
        char number[RK_NUM_TEXT_MAX], *text = rk_arena_text(c->a, rk_num_text(number, s.value));

        return text ? text_add(c, name, text) : rk_fatal_memory(&c->b);
    }
    return piece_add(c, name, (rk_weight_piece){.number = s.ex});
}

static int pieces_add(rk_ctx *c, rk_weight_name *out, const rk_name *n)
{
    int code = RK_OK;

    for (size_t i = 0; i < n->n && code == RK_OK; i++)
        code = n->piece[i].text ? text_add(c, out, n->piece[i].text) : value_add(c, out, n->piece[i].node);
    return code;
}

/* Copies the prefix, so that appending to the copy leaves the prefix alone. */
static int prefix_copy(rk_ctx *c, rk_weight_name *out)
{
    int code = RK_OK;

    *out = (rk_weight_name){0};
    for (size_t i = 0; i < c->prefix.n && code == RK_OK; i++)
        code = piece_add(c, out, c->prefix.piece[i]);
    return code;
}

static int render_name(rk_ctx *c, const rk_name *n, rk_weight_name *out)
{
    int code = RK_OK;

    *out = (rk_weight_name){0};
    if (!n->from_root)
        code = prefix_copy(c, out);
    if (code == RK_OK && out->n)
        code = text_add(c, out, ".");
    return code == RK_OK ? pieces_add(c, out, n) : code;
}

int rk_prefix_push(rk_ctx *c, const rk_name *n, rk_weight_name *saved)
{
    rk_weight_name longer;
    int code = render_name(c, n, &longer);

    *saved = c->prefix;
    if (code == RK_OK)
        c->prefix = longer;
    return code;
}

/* {i + 1} of a second loop is kept as i#2 + 1: the mark is left out. */
static void number_print(const rk_ctx *c, rk_ex number, rk_str *out)
{
    rk_str s = {0};

    rk_ex_print(c->pool, number, RK_PRINT_TEXT, &s);
    rk_str_putc(out, '{');
    for (const char *at = rk_str_text(&s); *at; at++) {
        if (*at == '#')
            at += strspn(at + 1, "0123456789");
        else
            rk_str_putc(out, *at);
    }
    rk_str_putc(out, '}');
    out->failed |= s.failed;
    rk_str_free(&s);
}

static void name_print(const rk_ctx *c, const rk_weight_name *n, rk_str *out)
{
    for (size_t i = 0; i < n->n; i++)
        if (n->piece[i].text)
            rk_str_put(out, n->piece[i].text);
        else
            number_print(c, n->piece[i].number, out);
}

static const char *name_text(rk_ctx *c, const rk_weight_name *n)
{
    rk_str s = {0};
    const char *text;

    name_print(c, n, &s);
    text = s.failed ? NULL : rk_arena_text(c->a, rk_str_text(&s));
    rk_str_free(&s);
    if (!text)
        rk_fatal_memory(&c->b);
    return text;
}

static bool name_has(const rk_ctx *c, const rk_weight_name *n, const rk_loop *loop)
{
    for (size_t i = 0; i < n->n; i++)
        if (!n->piece[i].text && rk_ex_has_sym(c->pool, n->piece[i].number, loop->index))
            return true;
    return false;
}

/*
 * The group to which a weight belongs: the innermost one whose running number is in its name.  A name without any is
 * one tensor that all layers share.
 */
static uint32_t name_group(const rk_ctx *c, const rk_weight_name *n)
{
    uint32_t g = c->b.group;

    while (g != 0 && !name_has(c, n, &c->b.loop.at[c->b.group_list.at[g].loop]))
        g = c->b.group_list.at[g].parent;
    return g;
}

/*
 * A name with the running number of a loop, but not of one around it, is a tensor that the outer layers share.  Groups
 * multiply, so that it would be counted once for each of them: such a name is refused rather than counted wrongly.
 */
static int refuse_shared(rk_ctx *c, const rk_weight *w)
{
    for (uint32_t g = w->group ? c->b.group_list.at[w->group].parent : 0; g != 0; g = c->b.group_list.at[g].parent) {
        const rk_loop *loop = &c->b.loop.at[c->b.group_list.at[g].loop];

        if (!(loop->count_known && loop->n_layer == 1) && !name_has(c, &w->name, loop))
            return RK_MISTAKE(c, w->span,
                              "%s lacks the number of its layer in '%s', so that these layers would share it",
                              w->pattern, loop->part);
    }
    return RK_OK;
}

static uint32_t weight_find(rk_ctx *c, const rk_weight_name *name, uint32_t group)
{
    return rk_build_weight_find(&c->b, name_text(c, name), group);
}

/* ---- shapes -------------------------------------------------------------------------------------------------- */

static rk_ex dim_size(rk_ctx *c, rk_axis *ax)
{
    rk_axes one = {.at = ax, .n = 1, .written = true, .span = ax->span};
    rk_ixs ixs;

    return rk_axes_resolve(c, &one, &ixs) == RK_OK ? rk_ixs_count(c->pool, &ixs) : RK_EX_FAILED;
}

/* The stored shape: one dimension for each axis as written; a group in brackets is one. */
static int weight_dims(rk_ctx *c, const rk_axes *axes, rk_ex **dim, size_t *n_dim)
{
    size_t n = 0;

    *dim = RK_NEW_ARRAY(c->a, axes->n + c->frame->rest.n + 1, rk_ex);
    if (!*dim)
        return rk_fatal_memory(&c->b);
    for (size_t i = 0; i < axes->n; i++) {
        if (axes->at[i].kind == RK_AXIS_AFFINE)
            return RK_MISTAKE(c, axes->at[i].span, "a weight is stored under plain axes");
        if (axes->at[i].kind == RK_AXIS_REST) {
            for (size_t k = 0; k < c->frame->rest.n; k++)
                (*dim)[n++] = c->frame->rest.at[k].size;
            continue;
        }
        if (((*dim)[n++] = dim_size(c, &axes->at[i])) == RK_EX_FAILED)
            return RK_EINPUT;
    }
    *n_dim = n;
    return RK_OK;
}

static rk_ex active_count(rk_ctx *c, const rk_ixs *axes)
{
    rk_ex n = rk_ex_int(c->pool, 1);

    for (size_t i = 0; i < axes->n; i++) {
        const rk_ix *ix = &axes->at[i];

        n = rk_ex_mul(c->pool, n, ix->kind == RK_IX_ROUTED ? c->b.label.at[ix->label].size : ix->size);
    }
    return n;
}

static int line_of(rk_span span)
{
    int line = 0, column = 0;

    rk_span_place(span, &line, &column);
    return line;
}

static int same_shape(rk_ctx *c, const rk_weight *w, const rk_ex *dim, size_t n_dim, rk_span span)
{
    bool same = w->n_dim == n_dim;

    for (size_t i = 0; i < n_dim && same; i++)
        same = rk_same_size(c, w->dim[i], dim[i]);
    return same ? RK_OK : RK_MISTAKE(c, span, "%s has another shape in line %d", w->pattern, line_of(w->span));
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

static int weight_get(rk_ctx *c, const rk_node *n, const rk_ixs *axes, uint32_t *out)
{
    rk_weight w = {.tied_to = RK_NONE, .tensor = RK_NONE, .part = c->b.part, .span = n->span}, *known;
    int code = render_name(c, n->name, &w.name);

    if (code != RK_OK || (code = weight_dims(c, &n->axes, &w.dim, &w.n_dim)) != RK_OK)
        return code;
    w.pattern = name_text(c, &w.name);
    w.group = name_group(c, &w.name);
    if (w.pattern && (code = refuse_shared(c, &w)) != RK_OK)
        return code;
    *out = rk_build_weight_find(&c->b, w.pattern, w.group);
    if (c->b.fatal)
        return c->b.fatal;
    w.count = rk_ixs_count(c->pool, axes);
    w.active = active_count(c, axes);
    if (*out == RK_NONE)
        return rk_build_weight(&c->b, &w, out);
    known = &c->b.weight.at[*out];
    if ((code = same_shape(c, known, w.dim, w.n_dim, n->span)) == RK_OK && c->body.n && known->tensor == RK_NONE) {
        /* A body that is the first to read it says its shape. */
        known->dim = w.dim;
        known->count = w.count;
        known->active = w.active;
    }
    return code;
}

int rk_weight_see(rk_ctx *c, const rk_node *n, rk_seen *out)
{
    rk_ixs axes;
    uint32_t w = RK_NONE;
    int code;

    if (!n->axes.written)
        return RK_MISTAKE(c, n->span, "a weight needs its shape here: .name[axes]");
    if ((code = rk_axes_resolve(c, &n->axes, &axes)) != RK_OK || (code = weight_get(c, n, &axes, &w)) != RK_OK)
        return code;
    if (c->b.weight.at[w].unused || c->b.weight.at[w].buffer)
        return RK_MISTAKE(c, n->span, "%s was said to be %s, but is read here", c->b.weight.at[w].pattern,
                          c->b.weight.at[w].unused ? "unused" : "a buffer");
    if (c->b.weight.at[w].tensor == RK_NONE && (code = rk_build_weight_tensor(&c->b, w, &axes)) != RK_OK)
        return code;
    *out = (rk_seen){.tensor = c->b.weight.at[w].tensor, .axes = axes};
    return RK_OK;
}

int rk_weight_declare(rk_ctx *c, const rk_node *n, bool buffer)
{
    rk_ixs axes;
    uint32_t w = RK_NONE;
    int code;

    c->may_be_empty = true;
    code = rk_axes_resolve(c, &n->axes, &axes);
    if (code == RK_OK)
        code = weight_get(c, n, &axes, &w);
    c->may_be_empty = false;
    if (code != RK_OK)
        return code;
    if (c->b.weight.at[w].tensor != RK_NONE)
        return RK_MISTAKE(c, n->span, "%s is read by an equation above", c->b.weight.at[w].pattern);
    c->b.weight.at[w].buffer = buffer;
    c->b.weight.at[w].unused = !buffer;
    return RK_OK;
}

/* ---- what is settled at the end ------------------------------------------------------------------------------ */

int rk_weight_late(rk_ctx *c, const rk_stmt *s)
{
    size_t n = s->kind == RK_STMT_FROZEN ? s->child.n : 1;
    int code = RK_OK;

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        rk_late *l = RK_PUSH(c->a, &c->late);

        if (!l)
            return rk_fatal_memory(&c->b);
        *l = (rk_late){.stmt = s, .part = c->b.part};
        code = render_name(c, s->kind == RK_STMT_FROZEN ? s->child.at[i]->name : s->weight[0], &l->name[0]);
        if (code == RK_OK && s->kind == RK_STMT_TIE)
            code = render_name(c, s->weight[1], &l->name[1]);
        l->group[0] = name_group(c, &l->name[0]);
        l->group[1] = name_group(c, &l->name[1]);
    }
    return code;
}

/* Whether two names are the same but for their numbers: of other layers, and meant so. */
static bool of_other_layers(const char *a, const char *b)
{
    static const char digits[] = "0123456789";

    for (;; a++, b++) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

/* A weight of its own spelt nearly so, or NULL. */
static const char *near_weight(const rk_ctx *c, const char *pattern)
{
    for (size_t i = 0; i < c->b.weight.n; i++)
        if (c->b.weight.at[i].tied_to == RK_NONE && rk_edit_distance(pattern, c->b.weight.at[i].pattern, 2) <= 2)
            return c->b.weight.at[i].pattern;
    return NULL;
}

static int tie(rk_ctx *c, const rk_late *l)
{
    uint32_t from = weight_find(c, &l->name[0], l->group[0]), to = weight_find(c, &l->name[1], l->group[1]);
    const char *pattern = name_text(c, &l->name[0]), *near;

    if (c->b.fatal)
        return c->b.fatal;
    if (to == RK_NONE)
        return RK_MISTAKE(c, l->stmt->span, "no equation reads %s, to which this is tied", name_text(c, &l->name[1]));
    if (from == RK_NONE && !of_other_layers(pattern, c->b.weight.at[to].pattern) && (near = near_weight(c, pattern)))
        return RK_MISTAKE(c, l->stmt->span, "no equation reads %s; did you mean %s?", pattern, near);
    if (from == RK_NONE) {
        /* A name that no equation reads: only the checkpoint has it. */
        rk_weight w = c->b.weight.at[to];

        w.name = l->name[0];
        w.pattern = pattern;
        w.tensor = RK_NONE;
        w.tied_to = to;
        w.group = l->group[0];
        w.part = l->part;
        w.n_layout = 0;
        return rk_build_weight(&c->b, &w, &from);
    }
    for (uint32_t w = to; w != RK_NONE; w = c->b.weight.at[w].tied_to)
        if (w == from)
            return RK_MISTAKE(c, l->stmt->span, "a weight cannot be tied to itself");
    if (!rk_same_size(c, c->b.weight.at[from].count, c->b.weight.at[to].count))
        return RK_MISTAKE(c, l->stmt->span, "%s and %s have different sizes", pattern, c->b.weight.at[to].pattern);
    c->b.weight.at[from].tied_to = to;
    return RK_OK;
}

/* A name in `stored X as Y[…]`: {E} where E is a size stands for each index along it. */
static int layout_name(rk_ctx *c, const rk_node *n, rk_weight_layout *out)
{
    int code = n->name->from_root ? RK_OK : prefix_copy(c, &out->name);

    out->over = RK_NONE;
    if (code == RK_OK && out->name.n)
        code = text_add(c, &out->name, ".");
    for (size_t i = 0; i < n->name->n && code == RK_OK; i++) {
        const rk_name_piece *p = &n->name->piece[i];
        rk_bind *b = p->node && p->node->kind == RK_NODE_NAME ? rk_bind_find(c->frame, p->node->text) : NULL;
        rk_scalar s = {0};

        if (p->text) {
            code = text_add(c, &out->name, p->text);
        } else if (b && rk_scalar_of_bind(c, b, p->node->span, &s) == RK_OK && s.kind == RK_SCALAR_INT && !s.varies) {
            code = rk_label_of_bind(c, b, 0, p->node->span, &out->over);
            if (code == RK_OK)
                code = piece_add(c, &out->name, (rk_weight_piece){.number = RK_EX_FAILED});
        } else {
            code = value_add(c, &out->name, p->node);
        }
    }
    return code;
}

/* Another layout holds the same elements: its tensors together, each for every index that its name is repeated over. */
static int same_elements(rk_ctx *c, const rk_stmt *s, const rk_weight *w, const rk_weight_layout *list)
{
    rk_ex all = rk_ex_int(c->pool, 0);

    for (size_t i = 0; i < s->child.n; i++) {
        rk_ex n = list[i].over == RK_NONE ? rk_ex_int(c->pool, 1) : c->b.label.at[list[i].over].size;

        for (size_t k = 0; k < list[i].n_dim; k++)
            n = rk_ex_mul(c->pool, n, list[i].dim[k]);
        all = rk_ex_add(c->pool, all, n);
    }
    if (!rk_pool_ok(c) || rk_same_size(c, all, w->count))
        return c->b.fatal;
    return RK_MISTAKE(c, s->span, "this is not as many elements as %s has", w->pattern);
}

static int layouts(rk_ctx *c, const rk_stmt *s, uint32_t w)
{
    rk_weight_layout *list = RK_NEW_ARRAY(c->a, s->child.n, rk_weight_layout);
    int code = list ? RK_OK : rk_fatal_memory(&c->b);

    for (size_t i = 0; i < s->child.n && code == RK_OK; i++) {
        code = layout_name(c, s->child.at[i], &list[i]);
        if (code == RK_OK)
            code = weight_dims(c, &s->child.at[i]->axes, &list[i].dim, &list[i].n_dim);
    }
    if (code == RK_OK)
        code = same_elements(c, s, &c->b.weight.at[w], list);
    if (code == RK_OK) {
        c->b.weight.at[w].layout = list;
        c->b.weight.at[w].n_layout = s->child.n;
    }
    return code;
}

/* `stored` is settled in place: its names and sizes belong to the block around it. */
static int stored(rk_ctx *c, const rk_late *l)
{
    uint32_t w = weight_find(c, &l->name[0], l->group[0]);

    if (w == RK_NONE)
        return c->b.fatal ? c->b.fatal
                          : RK_MISTAKE(c, l->stmt->span, "no equation above reads %s", name_text(c, &l->name[0]));
    return layouts(c, l->stmt, w);
}

static int freeze(rk_ctx *c, const rk_late *l)
{
    uint32_t w = weight_find(c, &l->name[0], l->group[0]);

    if (w == RK_NONE)
        return c->b.fatal ? c->b.fatal
                          : RK_MISTAKE(c, l->stmt->span, "no equation reads %s", name_text(c, &l->name[0]));
    c->b.weight.at[w].frozen = true;
    return RK_OK;
}

int rk_weights_settle(rk_ctx *c)
{
    int worst = RK_OK;

    for (size_t i = 0; i < c->late.n && !c->b.fatal; i++) {
        const rk_late *l = &c->late.at[i];
        int code = l->stmt->kind == RK_STMT_TIE ? tie(c, l) : l->stmt->kind == RK_STMT_FROZEN ? freeze(c, l) : RK_OK;

        worst = code != RK_OK ? code : worst;
    }
    return c->b.fatal ? c->b.fatal : worst;
}

/* A plain prefix, as text: the numbers of layers stand after it. */
static const char *prefix_text(rk_ctx *c, const rk_weight_name *n, rk_span span)
{
    for (size_t i = 0; i < n->n; i++)
        if (!n->piece[i].text) {
            RK_MISTAKE(c, span, "a prefix that is called otherwise has no running numbers");
            return NULL;
        }
    return name_text(c, n);
}

static int rename_prefix(rk_ctx *c, const rk_stmt *s)
{
    rk_weight_name from, to;
    rk_rename *r;
    int code = render_name(c, s->weight[0], &from);

    if (code == RK_OK && s->child.n != 1)
        return RK_MISTAKE(c, s->span, "a prefix has one other name");
    if (code == RK_OK)
        code = render_name(c, s->child.at[0]->name, &to);
    if (code != RK_OK)
        return code;
    rk_rename both = {.from = prefix_text(c, &from, s->span), .to = prefix_text(c, &to, s->span)};

    if (!both.from || !both.to)
        return c->b.fatal ? c->b.fatal : RK_EINPUT;
    if (!(r = RK_PUSH(c->a, &c->b.rename)))
        return rk_fatal_memory(&c->b);
    *r = both;
    return RK_OK;
}

int rk_weight_stored(rk_ctx *c, const rk_stmt *s)
{
    if (!s->child.at[0]->axes.written)
        return rename_prefix(c, s);

    rk_late l = {.stmt = s};
    int code = render_name(c, s->weight[0], &l.name[0]);

    if (code != RK_OK)
        return code;
    l.group[0] = name_group(c, &l.name[0]);
    return stored(c, &l);
}
