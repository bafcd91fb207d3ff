/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

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

/* Its condition is looked at here: it decides about no equation, so that layers do not differ by it. */
static int stmt_note(rk_ctx *c, const rk_stmt *s)
{
    bool truth = false;
    const char **slot;
    int code;

    if (c->n_loop_stack > 0 || c->call_nest > 0)
        return RK_MISTAKE(c, s->span, "a note is about the model: it stands in no block and in no repeated part");
    if ((code = rk_scalar_holds(c, c->frame, s->only_if, &truth)) != RK_OK || !truth)
        return code;
    if (c->note.n >= RK_NOTES_MAX)
        return RK_MISTAKE(c, s->span, "a model has at most %d notes", RK_NOTES_MAX);
    if (!(slot = RK_PUSH(c->a, &c->note)))
        return rk_fatal_memory(&c->b);
    *slot = s->text;
    return RK_OK;
}

static int stmt_input(rk_ctx *c, const rk_stmt *s)
{
    for (size_t i = 0; i < s->child.n; i++) {
        const rk_node *n = s->child.at[i];
        const rk_bind *old = rk_bind_find(c->frame, n->text);
        rk_tensor *t = RK_PUSH(c->a, &c->b.tensor);
        uint32_t *in = RK_PUSH(c->a, &c->b.input);
        rk_bind *b = rk_bind_add(c, c->frame, n->text);
        rk_ixs axes;
        int code;

        if (old)
            return RK_MISTAKE(c, n->span, "%s is defined twice", n->text);
        if (!t || !in || !b)
            return rk_fatal_memory(&c->b);
        b->kind = RK_BIND_SPOILT;
        *in = (uint32_t)(c->b.tensor.n - 1);
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

/* ---- output and loss ----------------------------------------------------------------------------------------- */

int rk_no_such_tensor(rk_ctx *c, const rk_node *n)
{
    const char *near = rk_near_tensor(c, n->text);

    return near ? RK_MISTAKE(c, n->span, "no equation above defines '%s'; did you mean '%s'?", n->text, near)
                : RK_MISTAKE(c, n->span, "no equation above defines the tensor '%s'", n->text);
}

static int given_tensor(rk_ctx *c, const rk_node *n, rk_seen *out)
{
    rk_bind *b = rk_tensor_find(c->frame, n->text);

    if (b && b->kind == RK_BIND_SPOILT)
        return RK_EINPUT;
    if (!b || b->kind != RK_BIND_TENSOR)
        return rk_no_such_tensor(c, n);
    *out = b->seen;
    return RK_OK;
}

static int stmt_output(rk_ctx *c, const rk_stmt *s)
{
    for (size_t i = 0; i < s->child.n; i++) {
        rk_seen x;
        int code = given_tensor(c, s->child.at[i], &x);

        if (code != RK_OK || (code = rk_build_give(&c->b, x.tensor, x.alias)) != RK_OK)
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
        rk_seen x;
        int code = given_tensor(c, s->child.at[i], &x);

        if (code != RK_OK)
            return code;
        rk_build_note(&c->b,
                      (rk_trace_event){.kind = RK_TRACE_GIVE, .which = x.tensor, .alias = x.alias, .beside = true});
    }
    return c->b.fatal;
}

static int stmt_loss(rk_ctx *c, const rk_stmt *s)
{
    rk_seen out;
    size_t n_out = 0, first = c->b.op.n;
    int code;

    c->b.row = "loss";
    c->b.span = s->span;
    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_EQUATION});
    code = rk_call(c, s->child.at[0], NULL, &out, 1, &n_out);
    if (code != RK_OK)
        return code;
    if (c->b.op.n == first)
        return RK_MISTAKE(c, s->span, "this computes no loss: cross_entropy(logits, ids)");
    c->b.loss = (uint32_t)(c->b.op.n - 1);
    c->b.loss_first = (uint32_t)first;
    rk_build_rows(&c->b, first, "loss");
    rk_build_note(&c->b, (rk_trace_event){.kind = RK_TRACE_LOSS});
    return c->b.fatal;
}

/* ---- walking ------------------------------------------------------------------------------------------------- */

static int stmt_expand(rk_ctx *c, const rk_stmt *s)
{
    bool truth = true;
    int code = s->kind == RK_STMT_NOTE ? RK_OK : rk_scalar_condition(c, c->frame, s->only_if, &truth);

    if (code != RK_OK || !truth)
        return code;
    switch (s->kind) {
    case RK_STMT_LET:
    case RK_STMT_RUN:
        return rk_let(c, s);
    case RK_STMT_CHOOSE:
        return rk_choose(c, s);
    case RK_STMT_CHECK:
        return stmt_check(c, s);
    case RK_STMT_NOTE:
        return stmt_note(c, s);
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
        return rk_keep_expand(c, s);
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
    case RK_STMT_CLASSES:
    case RK_STMT_LOWER:
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
    for (size_t i = 0; i < body->n && !c->b.fatal; i++) {
        int code = stmt_expand(c, body->at[i]);

        worst = code != RK_OK ? code : worst;
    }
    c->nest--;
    return c->b.fatal ? c->b.fatal : worst;
}
