/* SPDX-License-Identifier: MIT */
/* What `reckon explain --format json` writes. */
#include "report/row.h"
#include "report/steps.h"

static void write_figure(rk_view *v, const char *key, rk_ex e)
{
    rk_i128 n = 0;

    if (rk_view_known(v, e, &n))
        rk_json_count(&v->json, key, n);
    else
        rk_json_null(&v->json, key);
}

static void write_tensor(rk_view *v, const rk_explain_tensor *t)
{
    rk_json *j = &v->json;

    rk_json_row(j, NULL);
    rk_json_text(j, "name", t->name);
    rk_json_text(j, "role", t->result ? "result" : t->weight != RK_NONE ? "weight" : "operand");
    rk_json_text(j, "shape", t->shape);
    write_figure(v, "elements", t->elements);
    rk_json_truth(j, "kept", t->kept);
    if (t->why) {
        rk_json_truth(j, "gradient", t->gradient);
        rk_json_text(j, "because", t->why);
        write_figure(v, "backward", t->cost);
    }
    rk_json_close(j);
}

static void write_op(rk_view *v, const rk_explain_op *op)
{
    rk_json_open(&v->json, "tensors", '[');
    for (size_t i = 0; i < op->n_tensor; i++)
        write_tensor(v, &op->tensor[i]);
    rk_json_close(&v->json);
    if (op->also)
        rk_json_text(&v->json, "kept_besides", op->also);
    write_figure(v, "moved", rk_row_moved(v, op));
}

static void write_step(rk_view *v, const rk_explanation *x, size_t i)
{
    const rk_derive_step *s = &x->derived.step[i];
    rk_i128 value = 0;

    rk_json_open(&v->json, NULL, '{');
    rk_steps_json(v, s);
    rk_json_text(&v->json, "latex", rk_view_formula_text(v, s->formula, RK_PRINT_LATEX | v->style));
    if (!s->is_part && rk_view_known(v, s->figure, &value)) {
        rk_str text = {0};

        rk_ex_print_at(v->pool, s->figure, RK_PRINT_TEXT, rk_row_numbers(v), &text);
        rk_json_text(&v->json, "substituted", rk_view_keep(v, &text));
    }
    write_figure(v, "value", s->formula);
    write_figure(v, "total", rk_ex_mul(v->pool, s->node->times, s->formula));
    if (x->kind == RK_EXPLAINED_ROW)
        write_op(v, &x->op[i]);
    rk_json_close(&v->json);
}

static void write_uses(rk_view *v, const rk_explanation *x)
{
    rk_json_list(&v->json, "shape");
    for (size_t i = 0; i < x->weight->n_dim; i++)
        write_figure(v, NULL, x->weight->dim[i]);
    rk_json_close(&v->json);
    rk_json_truth(&v->json, "trained", !x->weight->frozen);
    rk_json_open(&v->json, "used_by", '[');
    for (size_t i = 0; i < x->n_use; i++) {
        rk_json_row(&v->json, NULL);
        rk_json_text(&v->json, "path", x->use[i].path);
        rk_json_text(&v->json, "file", x->use[i].file);
        rk_json_count(&v->json, "line", x->use[i].line);
        write_figure(v, "times", x->use[i].times);
        write_figure(v, "forward", x->use[i].forward);
        rk_json_close(&v->json);
    }
    rk_json_close(&v->json);
}

static void write_symbol(rk_view *v, rk_table *t, const rk_symbol *s)
{
    (void)t;
    rk_json_row(&v->json, NULL);
    rk_json_text(&v->json, "name", s->name);
    if (s->known)
        rk_json_count(&v->json, "value", v->instance->value[s->sym]);
    rk_json_text(&v->json, "from", rk_row_origin(v, s));
    if (s->text)
        rk_json_text(&v->json, "meaning", s->text);
    rk_json_close(&v->json);
}

void rk_row_json(rk_view *v, const rk_explanation *x)
{
    static const char *const kind[] = {
        [RK_EXPLAINED_ROW] = "row", [RK_EXPLAINED_PART] = "part", [RK_EXPLAINED_TENSOR] = "tensor"};
    const rk_derivation *d = &x->derived;
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_steps_json_question(v, d);
    rk_json_text(j, "kind", kind[x->kind]);
    if (x->asked) {
        rk_json_text(j, "tensor", x->asked);
        rk_json_count(j, "tensor_count", x->asked_count);
    }
    rk_json_text(j, "formula", rk_view_formula_text(v, d->total, RK_PRINT_TEXT | v->style));
    write_figure(v, "total", d->total);
    write_figure(v, "whole", x->whole);
    rk_json_open(j, "rows", '[');
    for (size_t i = 0; i < d->n_step && v->code == RK_OK; i++)
        write_step(v, x, i);
    rk_json_close(j);
    if (x->kind == RK_EXPLAINED_TENSOR)
        write_uses(v, x);
    rk_json_open(j, "symbols", '[');
    rk_row_see_symbols(v, x, write_symbol, NULL);
    rk_json_close(j);
    rk_json_close(j);
}
