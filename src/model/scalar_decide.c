/* SPDX-License-Identifier: MIT */
#include "model/scalar.h"

#include <string.h>

/* ---- decisions ----------------------------------------------------------------------------------------------- */

void rk_record(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_scalar *value)
{
    rk_scalar_fix(c, value);
    for (size_t i = 0; i < c->n_loop_stack; i++) {
        rk_decisions *list = c->loop_stack[i].recording;
        rk_decision *d = RK_PUSH(c->a, list);

        if (!d) {
            rk_fatal_memory(&c->b);
            return;
        }
        *d = (rk_decision){.node = n, .frame = f, .value = *value};
        for (size_t k = i + 1; k < c->n_loop_stack; k++) {
            d->index[k] = c->loop_stack[k].index;
            d->inner[k] = d->index[k]->scalar.value;
        }
    }
}

int rk_scalar_decide(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    int code = rk_scalar_eval(c, f, n, out);

    if (code == RK_OK && out->varies)
        rk_record(c, f, n, out);
    return code == RK_OK && c->b.fatal ? c->b.fatal : code;
}

int rk_scalar_condition(rk_ctx *c, rk_frame *f, const rk_node *n, bool *out)
{
    rk_scalar s = {0};

    *out = true;
    if (!n)
        return RK_OK;
    int code = rk_scalar_decide(c, f, n, &s);

    return code == RK_OK ? rk_scalar_truth(c, &s, n->span, out) : code;
}

int rk_scalar_size(rk_ctx *c, rk_frame *f, const rk_node *n, rk_ex *out)
{
    rk_scalar s = {0};
    int code = rk_scalar_decide(c, f, n, &s);

    if (code == RK_OK)
        code = rk_scalar_need_int(c, &s, n->span);
    if (code == RK_OK)
        *out = rk_scalar_ex(c, &s);
    return code;
}

/* ---- check --------------------------------------------------------------------------------------------------- */

static bool described(const rk_str *s, const char *name)
{
    const char *at = rk_str_text(s);
    size_t n = strlen(name);

    for (; (at = strstr(at, name)); at += n)
        if (strncmp(at + n, " = ", 3) == 0 && (at == rk_str_text(s) || at[-1] == ' '))
            return true;
    return false;
}

static void describe_value(const rk_scalar *v, rk_str *s)
{
    if (v->kind == RK_SCALAR_INT && v->known)
        rk_str_grouped(s, v->value);
    else if (v->kind == RK_SCALAR_REAL)
        rk_str_format(s, "%g", v->real);
    else if (v->kind == RK_SCALAR_TEXT)
        rk_str_format(s, "\"%s\"", v->text);
    else if (v->kind == RK_SCALAR_DOC)
        rk_str_format(s, "%zu value%s", v->doc->n, v->doc->n == 1 ? "" : "s");
    else
        rk_str_put(s, v->kind == RK_SCALAR_BOOL ? (v->truth ? "true" : "false") : "none");
}

/* Lists the symbols and keys of an expression with their values: "A = 9 (num_experts_per_tok), E = 8 (num_experts)". */
static void describe(rk_ctx *c, rk_frame *f, const rk_node *n, rk_str *s)
{
    rk_scalar v = {0};

    if (n->kind != RK_NODE_NAME && n->kind != RK_NODE_KEY) {
        for (size_t i = 0; i < n->child.n; i++)
            describe(c, f, n->child.at[i], s);
        return;
    }
    if (described(s, n->text) || rk_scalar_eval(c, f, n, &v) != RK_OK)
        return;
    rk_str_put(s, s->n ? ", " : "");
    rk_str_format(s, "%s = ", n->text);
    describe_value(&v, s);
    if (n->kind == RK_NODE_NAME && v.key)
        rk_str_format(s, " (%s)", v.key);
}

/* Notes which symbols a condition looks at; whether one of them is of the run. */
static bool end_looking(rk_ctx *c, const bool *before)
{
    bool of_run = false;

    for (size_t i = 0; i < c->symbol.n; i++) {
        rk_symbol *s = &c->symbol.at[i];

        of_run |= s->checked && s->kind == RK_SYMBOL_RUN;
        s->checked |= before[i];
    }
    return of_run;
}

/* A condition that shapes nothing.  RK_EVALUE: it has no value yet, because a symbol has no number. */
static int look_at(rk_ctx *c, rk_frame *f, const rk_node *n, bool *truth, bool *of_run)
{
    rk_scalar s = {0};
    bool *before = RK_NEW_ARRAY(c->a, c->symbol.n + 1, bool);
    int code;

    if (!before)
        return rk_fatal_memory(&c->b);
    for (size_t i = 0; i < c->symbol.n; i++) {
        before[i] = c->symbol.at[i].checked;
        c->symbol.at[i].checked = false;
    }
    c->checking = true;
    code = rk_scalar_eval(c, f, n, &s);
    if (code == RK_OK)
        code = rk_scalar_truth(c, &s, n->span, truth);
    c->checking = false;
    *of_run = end_looking(c, before);
    return code;
}

int rk_scalar_holds(rk_ctx *c, rk_frame *f, const rk_node *n, bool *out)
{
    bool of_run;
    int code;

    *out = !n;
    if (!n)
        return RK_OK;
    code = look_at(c, f, n, out, &of_run);
    return code == RK_EVALUE ? RK_OK : code;
}

int rk_scalar_check(rk_ctx *c, rk_frame *f, const rk_node *n)
{
    bool truth = true, of_run = false;
    rk_str values = {0};
    int code = look_at(c, f, n, &truth, &of_run);

    if (code == RK_EVALUE || truth || (code == RK_OK && of_run && c->source->any_run))
        return RK_OK;
    if (code != RK_OK)
        return code;
    describe(c, f, n, &values);
    RK_MISTAKE(c, n->span, "%s: this must hold, but %s", c->source->config ? rk_config_name(c) : c->source->name,
               rk_str_text(&values));
    rk_str_free(&values);
    return RK_EINPUT;
}
