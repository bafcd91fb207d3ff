/* SPDX-License-Identifier: MIT */
/* A program as text: in the language where that is possible, one line for each operation. */
#include "model/model.h"

#include <string.h>

typedef struct dumping {
    const rk_model *m;
    const rk_program *p;
    rk_str *out;
    const rk_label *label; /* by whose names axes are shown */
    bool plain;            /* tensors without numbers, weights by the end of their names */
    size_t next;           /* the next loop */
    size_t n_stage;        /* stages of a pipeline that have begun */
} dumping;

static void put_axes(const dumping *d, const rk_ixs *axes)
{
    rk_ixs_put(d->m->pool, d->label, axes, d->out);
}

/* "gate_proj.weight" of "model.layers.{i}.mlp.gate_proj.weight" */
static const char *end_of_name(const char *pattern)
{
    const char *at = strrchr(pattern, '.');

    while (at && at > pattern && at[-1] != '.')
        at--;
    return at ? at : pattern;
}

/* Several tensors may have one name, so each has its number. */
static void put_tensor(const dumping *d, uint32_t tensor, const rk_ixs *axes)
{
    const rk_tensor *t = &d->p->tensor[tensor];
    const char *made = t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE ? d->p->op[t->producer].name : NULL;

    if (t->kind == RK_TENSOR_WEIGHT)
        rk_str_format(d->out, ".%s",
                      d->plain ? end_of_name(d->p->weight[t->weight].pattern) : d->p->weight[t->weight].pattern);
    else if (t->kind == RK_TENSOR_INPUT)
        rk_str_put(d->out, t->name);
    else if (d->plain) /* what no line names is called as the row that makes it */
        rk_str_put(d->out, t->name ? t->name : made ? made : "_");
    else
        rk_str_format(d->out, "%s_%u", t->name, tensor);
    put_axes(d, axes);
}

static void put_operands(const dumping *d, const rk_op *op, const char *between)
{
    for (size_t k = 0; k < op->n_in; k++) {
        rk_str_put(d->out, k ? between : "");
        put_tensor(d, op->in[k].tensor, &op->in[k].axes);
    }
}

static void put_call(const dumping *d, const rk_op *op)
{
    const char *comma = op->n_in ? ", " : "";

    rk_str_format(d->out, "%s(", rk_op_table[op->row].name);
    put_operands(d, op, ", ");
    if (op->arg != RK_EX_FAILED) {
        rk_str_put(d->out, comma);
        rk_ex_print(d->m->pool, op->arg, RK_PRINT_TEXT, d->out);
        comma = ", ";
    }
    for (size_t k = 0; k < op->n_label; k++, comma = ", ")
        rk_str_format(d->out, "%s%s", comma, d->label[op->label[k]].name);
    rk_str_putc(d->out, ')');
}

static void put_right_side(const dumping *d, const rk_op *op)
{
    switch (op->row) {
    case RK_OP_PRODUCT:
    case RK_OP_MUL:
        put_operands(d, op, " * ");
        break;
    case RK_OP_ADD:
        put_operands(d, op, " + ");
        break;
    case RK_OP_SUB:
        put_operands(d, op, " - ");
        break;
    case RK_OP_DIV:
        put_operands(d, op, " / ");
        break;
    case RK_OP_SCALE:
    case RK_OP_SHIFT:
        rk_str_format(d->out, "%g %s ", op->real, op->row == RK_OP_SCALE ? "*" : "+");
        put_operands(d, op, "");
        break;
    case RK_OP_NEG:
        rk_str_putc(d->out, '-');
        put_operands(d, op, "");
        break;
    case RK_OP_JOIN:
        rk_str_putc(d->out, '[');
        put_operands(d, op, ", ");
        rk_str_putc(d->out, ']');
        break;
    case RK_OP_PART:
    case RK_OP_VIEW:
        put_operands(d, op, "");
        break;
    default:
        put_call(d, op);
        break;
    }
    if (op->mask.kind != RK_MASK_FULL && op->summed)
        rk_str_format(d->out, " where %s(%s, %s)", rk_mask_table[op->mask.kind].name, d->label[op->mask.query].name,
                      d->label[op->mask.key].name);
}

static void put_op(const dumping *d, const rk_op *op, int depth)
{
    rk_str_format(d->out, "%*s", 4 * depth, "");
    put_tensor(d, op->out, &d->p->tensor[op->out].axes);
    rk_str_put(d->out, " = ");
    put_right_side(d, op);
    rk_str_format(d->out, "    # %s%s%s", d->p->part[op->part].path, d->p->part[op->part].path[0] ? "." : "", op->name);
    if (op->row == RK_OP_PART)
        rk_str_format(d->out, ", part %zu", op->which + 1);
    rk_str_putc(d->out, '\n');
}

static void put_region(const dumping *d, size_t first, int depth)
{
    static const char *const how[] = {[RK_REGION_ATTENTION] = "recomputed in the backward pass",
                                      [RK_REGION_CHUNKED] =
                                          "a chunk of tokens at a time, recomputed in the backward pass",
                                      [RK_REGION_FUSED] = "a chunk of tokens at a time, with the gradients at once"};

    for (size_t i = 0; i < d->p->n_region; i++)
        if (d->p->region[i].first == first)
            rk_str_format(d->out, "%*s# the next %u operations: %s\n", 4 * depth, "",
                          d->p->region[i].end - d->p->region[i].first, how[d->p->region[i].kind]);
}

static void put_group(dumping *d, uint32_t group, int depth);

/* Layers of one kind, and what their variables are before and after them. */
static void put_layers(dumping *d, const rk_loop *l, uint32_t group, int depth)
{
    const rk_group *g = &d->p->group[group];

    rk_str_format(d->out, "%*spart %s:    # ", 4 * depth, "", l->part);
    rk_ex_print(d->m->pool, g->times, RK_PRINT_TEXT, d->out);
    rk_str_put(d->out, " layers");
    for (size_t i = 0; g->layer && i < g->n_layer && i < 12; i++)
        rk_str_format(d->out, "%s%u%s", i ? ", " : ": ", g->layer[i], i == 11 && g->n_layer > 12 ? " …" : "");
    for (size_t v = 0; v < l->n_carry; v++)
        rk_str_format(d->out, "; %s_%u becomes %s_%u", d->p->tensor[g->in[v]].name, g->in[v],
                      d->p->tensor[g->out[v]].name, g->out[v]);
    rk_str_putc(d->out, '\n');
    put_group(d, group, depth + 1);
}

static void put_group(dumping *d, uint32_t group, int depth)
{
    size_t end = group ? d->p->group[group].end_op : d->p->n_op;

    for (size_t i = group ? d->p->group[group].first_op : 0;;) {
        const rk_loop *l = d->next < d->p->n_loop ? &d->p->loop[d->next] : NULL;

        if (group == 0 && d->n_stage < d->p->n_stage && d->p->stage[d->n_stage].first == i)
            rk_str_format(d->out, "# stage %u\n", d->p->stage[d->n_stage++].number);
        if (l && l->parent == group && l->first_op == i) {
            d->next++;
            for (size_t k = 0; k < l->n_group; k++)
                put_layers(d, l, l->group[k], depth);
            i = l->end_op;
        } else if (i == end) {
            return;
        } else {
            put_region(d, i, depth);
            put_op(d, &d->p->op[i++], depth);
        }
    }
}

void rk_program_put(const rk_model *m, rk_str *out)
{
    dumping d = {.m = m, .p = &m->program, .out = out, .label = m->program.label};

    rk_str_format(out, "# %s: %zu operations, %zu weights\n", m->name, d.p->n_op, d.p->n_weight);
    for (size_t i = 0; i < m->n_symbol; i++) {
        rk_str_format(out, "%s %s = ", m->symbol[i].kind == RK_SYMBOL_RUN ? "run" : "let", m->symbol[i].name);
        rk_str_num(out, m->symbol[i].value);
        rk_str_putc(out, '\n');
    }
    for (size_t i = 0; i < d.p->n_input; i++) {
        rk_str_put(out, d.p->tensor[d.p->input[i]].incoming ? "incoming " : "input ");
        put_tensor(&d, d.p->input[i], &d.p->tensor[d.p->input[i]].axes);
        rk_str_putc(out, '\n');
    }
    for (uint32_t i = 0; i < d.p->n_tensor; i++)
        if (d.p->tensor[i].kind == RK_TENSOR_CACHED) {
            rk_str_put(out, "# cached: ");
            put_tensor(&d, i, &d.p->tensor[i].axes);
            rk_str_putc(out, '\n');
        }
    put_group(&d, 0, 0);
    for (size_t i = 0; i < d.p->n_output; i++) {
        rk_str_put(out, "output ");
        put_tensor(&d, d.p->output[i], &d.p->tensor[d.p->output[i]].axes);
        rk_str_putc(out, '\n');
    }
}

/* ---- one line, as it is instantiated ----------------------------------------------------------------------------- */

typedef struct naming {
    rk_arena *a;
    const rk_model *m;
    rk_label *label;
    bool *named;    /* of each label: it has its name */
    uint32_t *done; /* those that have, in their order */
    size_t n_done;
} naming;

/*
 * A label of a block becomes the size that it stands for: O is F here.  A second one of that size has a mark: D'.  One
 * of so many, as a kernel has, stays as it is.
 */
static void name_label(naming *n, uint32_t label)
{
    rk_label *l = &n->label[label];
    rk_str text = {0};
    rk_i128 number;
    size_t same = 0;

    if (n->named[label])
        return;
    n->named[label] = true;
    if (rk_ex_is_int(n->m->pool, l->size, &number)) {
        n->done[n->n_done++] = label;
        return;
    }
    rk_ex_print(n->m->pool, l->size, RK_PRINT_TEXT, &text);
    if (strchr(rk_str_text(&text), ' ')) { /* a sum is one axis */
        rk_str_reset(&text);
        rk_str_putc(&text, '(');
        rk_ex_print(n->m->pool, l->size, RK_PRINT_TEXT, &text);
        rk_str_putc(&text, ')');
    }
    for (size_t i = 0; i < n->n_done; i++)
        same += n->label[n->done[i]].size == l->size;
    n->done[n->n_done++] = label;
    while (same-- > 0)
        rk_str_putc(&text, '\'');
    if (l->name[0] != '(') /* a sum of axes is shown by its parts */
        l->name = rk_arena_text(n->a, rk_str_text(&text));
    n->a->failed |= text.failed || !l->name;
    rk_str_free(&text);
}

static void name_axes(naming *n, const rk_ixs *axes)
{
    for (size_t i = 0; i < axes->n; i++) {
        const rk_ix *ix = &axes->at[i];

        if (ix->kind != RK_IX_AFFINE)
            name_label(n, ix->label);
        for (size_t k = 0; ix->kind == RK_IX_AFFINE && k < ix->n_term; k++)
            name_label(n, ix->term[k].label);
    }
}

/* Names the labels of an operation as its own line needs them; false: no memory. */
static bool name_labels(naming *n, rk_arena *a, const rk_model *m, const rk_op *o)
{
    const rk_program *p = &m->program;

    *n = (naming){.a = a,
                  .m = m,
                  .label = RK_NEW_ARRAY(a, p->n_label + 1, rk_label),
                  .named = RK_NEW_ARRAY(a, p->n_label + 1, bool),
                  .done = RK_NEW_ARRAY(a, p->n_label + 1, uint32_t)};
    if (a->failed)
        return false;
    memcpy(n->label, p->label, p->n_label * sizeof *n->label);
    name_axes(n, &p->tensor[o->out].axes);
    for (size_t i = 0; i < o->n_in; i++)
        name_axes(n, &o->in[i].axes);
    for (size_t i = 0; i < o->n_label; i++)
        name_label(n, o->label[i]);
    return !a->failed;
}

/* Ends a text, which goes to the arena; NULL: no memory. */
static const char *keep(rk_arena *a, rk_str *text)
{
    const char *kept = rk_arena_text(a, rk_str_text(text));

    a->failed |= text->failed;
    rk_str_free(text);
    return a->failed ? NULL : kept;
}

const char *rk_op_line(rk_arena *a, const rk_model *m, uint32_t op, const char **summed)
{
    const rk_program *p = &m->program;
    const rk_op *o = &p->op[op];
    const rk_ixs *left = &p->tensor[o->out].axes;
    rk_str text = {0}, sum = {0};
    dumping d = {.m = m, .p = p, .out = &text, .plain = true};
    naming n;

    *summed = NULL;
    if (!name_labels(&n, a, m, o))
        return NULL;
    d.label = n.label;
    put_tensor(&d, o->out, left);
    rk_str_put(&text, " = ");
    put_right_side(&d, o);
    for (size_t i = 0; o->summed && i < n.n_done; i++)
        if (!rk_ixs_has(left, n.done[i]))
            rk_str_format(&sum, "%s%s", sum.n ? " " : "", n.label[n.done[i]].name);
    if (sum.n > 0)
        *summed = keep(a, &sum);
    return keep(a, &text);
}

const char *rk_operand_text(rk_arena *a, const rk_model *m, uint32_t op, size_t operand)
{
    const rk_op *o = &m->program.op[op];
    rk_str text = {0};
    dumping d = {.m = m, .p = &m->program, .out = &text, .plain = true};
    naming n;

    if (!name_labels(&n, a, m, o))
        return NULL;
    d.label = n.label;
    put_tensor(&d, o->in[operand].tensor, &o->in[operand].axes);
    return keep(a, &text);
}

const rk_label *rk_op_line_labels(rk_arena *a, const rk_model *m, uint32_t op)
{
    naming n;

    return name_labels(&n, a, m, &m->program.op[op]) ? n.label : NULL;
}
