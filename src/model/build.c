/* SPDX-License-Identifier: MIT */
#include "model/build.h"

#include <string.h>

/* ---- beginning and end ----------------------------------------------------------------------------------------- */

int rk_fatal(rk_build *b, int code, const char *fmt, ...)
{
    va_list ap;

    if (b->fatal)
        return b->fatal;
    va_start(ap, fmt);
    b->fatal = rk_vfail(b->err, code, fmt, ap);
    va_end(ap);
    return b->fatal;
}

int rk_fatal_memory(rk_build *b)
{
    if (!b->fatal)
        b->fatal = rk_fail_memory(b->err);
    return b->fatal;
}

int rk_build_begin(rk_build *b, rk_arena *a, rk_pool *pool, const char *name, rk_err *err)
{
    rk_part *root;
    rk_group *once;

    *b = (rk_build){.a = a, .pool = pool, .name = name, .err = err, .loss = RK_NONE};
    root = RK_PUSH(a, &b->part_list);
    once = RK_PUSH(a, &b->group_list);
    if (!root || !once)
        return rk_fatal_memory(b);
    *root = (rk_part){.name = "", .path = "", .parent = RK_NONE};
    *once = (rk_group){.parent = RK_NONE, .loop = RK_NONE, .times = rk_ex_int(pool, 1)};
    return RK_OK;
}

int rk_build_end(rk_build *b, rk_program *out)
{
    rk_trace *trace = RK_NEW(b->a, rk_trace);

    if (!trace || b->a->failed)
        return rk_fatal_memory(b);
    *trace = (rk_trace){.event = b->event.at,
                        .n_event = b->event.n,
                        .call = b->call.at,
                        .n_call = b->call.n,
                        .alias = b->alias.at,
                        .n_alias = b->alias.n};
    *out = (rk_program){
        .pool = b->pool,
        .label = b->label.at,
        .n_label = b->label.n,
        .tensor = b->tensor.at,
        .n_tensor = b->tensor.n,
        .op = b->op.at,
        .n_op = b->op.n,
        .weight = b->weight.at,
        .n_weight = b->weight.n,
        .part = b->part_list.at,
        .n_part = b->part_list.n,
        .group = b->group_list.at,
        .n_group = b->group_list.n,
        .loop = b->loop.at,
        .n_loop = b->loop.n,
        .keep = b->keep.at,
        .n_keep = b->keep.n,
        .region = b->region.at,
        .n_region = b->region.n,
        .stage = b->stage.at,
        .n_stage = b->stage.n,
        .input = b->input.at,
        .n_input = b->input.n,
        .output = b->output.at,
        .n_output = b->output.n,
        .output_group = b->output_group.at,
        .rename = b->rename.at,
        .n_rename = b->rename.n,
        .loss = b->loss,
        .loss_first = b->loss_first,
        .trace = trace,
    };
    return b->fatal;
}

void rk_build_note(rk_build *b, rk_trace_event event)
{
    rk_trace_event *slot = b->fatal ? NULL : RK_PUSH(b->a, &b->event);

    if (!slot) {
        rk_fatal_memory(b);
        return;
    }
    event.at = (uint32_t)b->op.n;
    event.part = b->part;
    event.group = b->group;
    *slot = event;
}

void rk_build_until(rk_build *b, uint32_t tensor, uint32_t alias)
{
    if (b->op.n > 0 && b->tensor.at[tensor].kind == RK_TENSOR_RESULT)
        b->tensor.at[tensor].until = (uint32_t)(b->op.n - 1);
    rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_UNTIL, .which = tensor, .alias = alias});
}

int rk_build_give(rk_build *b, uint32_t tensor, uint32_t alias)
{
    uint32_t *out = RK_PUSH(b->a, &b->output), *group = RK_PUSH(b->a, &b->output_group);

    if (!out || !group)
        return rk_fatal_memory(b);
    *out = tensor;
    *group = b->group;
    rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_GIVE, .which = tensor, .alias = alias});
    return b->fatal;
}

rk_experts rk_program_experts(const rk_program *p)
{
    rk_experts found = RK_EXPERTS_NONE;

    for (size_t i = 0; i < p->n_op; i++)
        if (p->op[i].row == RK_OP_GROUPED)
            return RK_EXPERTS_GROUPED;
        else if (rk_op_table[p->op[i].row].class == RK_CLASS_COMBINE)
            found = RK_EXPERTS_EACH;
    return found;
}

const rk_region *rk_program_loss_region(const rk_program *p)
{
    const rk_region *last = p->n_region ? &p->region[p->n_region - 1] : NULL;

    return last && last->kind != RK_REGION_ATTENTION ? last : NULL;
}

/* ---- axes ------------------------------------------------------------------------------------------------------ */

rk_ex rk_ixs_count(rk_pool *pool, const rk_ixs *axes)
{
    rk_ex n = rk_ex_int(pool, 1);

    for (size_t i = 0; i < axes->n; i++)
        n = rk_ex_mul(pool, n, axes->at[i].size);
    return n;
}

int rk_ixs_append(rk_build *b, rk_ixs *axes, const rk_ix *ix)
{
    /* Lists are short and grow by doubling from the powers of two: n is enough to know the room. */
    if ((axes->n & (axes->n - 1)) == 0) {
        rk_ix *more = RK_NEW_ARRAY(b->a, axes->n ? axes->n * 2 : 1, rk_ix);

        if (!more)
            return rk_fatal_memory(b);
        if (axes->n)
            memcpy(more, axes->at, axes->n * sizeof *more);
        axes->at = more;
    }
    axes->at[axes->n++] = *ix;
    return RK_OK;
}

int rk_ixs_place(const rk_ixs *axes, uint32_t label)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind != RK_IX_AFFINE && axes->at[i].label == label)
            return (int)i;
    return -1;
}

uint32_t rk_weight_owner(const rk_program *p, uint32_t weight)
{
    while (p->weight[weight].tied_to != RK_NONE)
        weight = p->weight[weight].tied_to;
    return weight;
}

bool rk_ixs_has(const rk_ixs *axes, uint32_t label)
{
    for (size_t i = 0; i < axes->n; i++) {
        const rk_ix *ix = &axes->at[i];

        if (ix->kind != RK_IX_AFFINE && ix->label == label)
            return true;
        for (size_t k = 0; ix->kind == RK_IX_AFFINE && k < ix->n_term; k++)
            if (ix->term[k].label == label)
                return true;
    }
    return false;
}

bool rk_ixs_same(const rk_ixs *a, const rk_ixs *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->at[i].kind == RK_IX_AFFINE || b->at[i].kind == RK_IX_AFFINE || a->at[i].label != b->at[i].label)
            return false;
    return true;
}

/* ---- stages ----------------------------------------------------------------------------------------------------- */

size_t rk_program_stage_first(const rk_program *p, size_t stage)
{
    return stage < p->n_stage ? p->stage[stage].first : 0;
}

size_t rk_program_stage_end(const rk_program *p, size_t stage)
{
    return stage + 1 < p->n_stage ? p->stage[stage + 1].first : p->n_op;
}

size_t rk_program_stage_of(const rk_program *p, size_t op)
{
    size_t stage = 0;

    while (stage + 1 < p->n_stage && p->stage[stage + 1].first <= op)
        stage++;
    return stage;
}

/* ---- weights --------------------------------------------------------------------------------------------------- */

static char *weight_key(rk_build *b, const char *pattern, uint32_t group)
{
    char *key = pattern ? rk_arena_format(b->a, "%s@%u", pattern, group) : NULL;

    if (!key)
        rk_fatal_memory(b);
    return key;
}

uint32_t rk_build_weight_find(rk_build *b, const char *pattern, uint32_t group)
{
    char *key = weight_key(b, pattern, group);

    return key ? rk_map_get(&b->weight_of_name, key, strlen(key)) : RK_NONE;
}

int rk_build_weight(rk_build *b, const rk_weight *w, uint32_t *out)
{
    char *key = weight_key(b, w->pattern, w->group);
    rk_weight *slot = key ? RK_PUSH(b->a, &b->weight) : NULL;

    if (!slot)
        return rk_fatal_memory(b);
    *slot = *w;
    *out = (uint32_t)(b->weight.n - 1);
    return rk_map_put(b->a, &b->weight_of_name, key, strlen(key), *out) ? RK_OK : rk_fatal_memory(b);
}

int rk_build_weight_tensor(rk_build *b, uint32_t weight, const rk_ixs *axes)
{
    rk_tensor *t = RK_PUSH(b->a, &b->tensor);

    if (!t)
        return rk_fatal_memory(b);
    *t = (rk_tensor){.kind = RK_TENSOR_WEIGHT,
                     .name = b->weight.at[weight].pattern,
                     .axes = *axes,
                     .producer = RK_NONE,
                     .weight = weight,
                     .group = b->weight.at[weight].group};
    b->weight.at[weight].tensor = (uint32_t)(b->tensor.n - 1);
    return RK_OK;
}

/* ---- operations ----------------------------------------------------------------------------------- */

static bool in_domain(const rk_seen *in, size_t n_in, const rk_ixs *out, uint32_t label)
{
    bool found = rk_ixs_has(out, label);

    for (size_t i = 0; i < n_in && !found; i++)
        found = rk_ixs_has(&in[i].axes, label);
    return found;
}

/* The pairs that count: those of the equation's own `where`, or those of an operand, if both axes are in the domain. */
static rk_mask op_mask(const rk_build *b, const rk_seen *in, size_t n_in, const rk_ixs *out)
{
    const rk_mask *m = &b->where;

    if (m->kind != RK_MASK_FULL && in_domain(in, n_in, out, m->query) && in_domain(in, n_in, out, m->key))
        return *m;
    for (size_t i = 0; i < n_in; i++) {
        m = &in[i].mask;
        if (m->kind != RK_MASK_FULL && in_domain(in, n_in, out, m->query) && in_domain(in, n_in, out, m->key))
            return *m;
    }
    return (rk_mask){.kind = RK_MASK_FULL};
}

static int result_tensor(rk_build *b, const rk_ixs *axes, uint32_t *out)
{
    rk_tensor *t = RK_PUSH(b->a, &b->tensor);

    if (!t)
        return rk_fatal_memory(b);
    *t = (rk_tensor){.kind = RK_TENSOR_RESULT,
                     .name = b->row,
                     .axes = *axes,
                     .producer = (uint32_t)b->op.n,
                     .until = RK_NONE,
                     .weight = RK_NONE,
                     .group = b->group};
    *out = (uint32_t)(b->tensor.n - 1);
    return RK_OK;
}

static rk_operand *operands(rk_build *b, const rk_seen *in, size_t n_in)
{
    rk_operand *list = RK_NEW_ARRAY(b->a, n_in ? n_in : 1, rk_operand);

    for (size_t i = 0; list && i < n_in; i++)
        list[i] = (rk_operand){.tensor = in[i].tensor, .alias = in[i].alias, .axes = in[i].axes};
    return list;
}

static size_t count_labels(const rk_ixs *axes)
{
    size_t n = 0;

    for (size_t i = 0; i < axes->n; i++)
        n += axes->at[i].kind == RK_IX_AFFINE ? axes->at[i].n_term : 1;
    return n;
}

static bool too_many_labels(rk_build *b, const rk_seen *in, size_t n_in, const rk_ixs *out)
{
    size_t n = count_labels(out);

    for (size_t i = 0; i < n_in; i++)
        n += count_labels(&in[i].axes);
    if (n > RK_LABELS_PER_OP_MAX)
        rk_fatal(b, RK_ELIMIT, "%s: an operation over more than %d axes", b->name, RK_LABELS_PER_OP_MAX);
    return n > RK_LABELS_PER_OP_MAX;
}

rk_op *rk_build_op(rk_build *b, rk_op_id row, const rk_seen *in, size_t n_in, const rk_ixs *out_axes, rk_seen *out)
{
    rk_op op = {.row = row, .n_in = n_in, .part = b->part, .group = b->group, .span = b->span, .arg = RK_EX_FAILED};
    rk_op *slot;

    if (too_many_labels(b, in, n_in, out_axes))
        return NULL;
    if (b->op.n >= RK_PROGRAM_OPS_MAX) {
        rk_fatal(b, RK_ELIMIT, "%s: more than %d operations", b->name, RK_PROGRAM_OPS_MAX);
        return NULL;
    }
    op.in = operands(b, in, n_in);
    op.mask = op_mask(b, in, n_in, out_axes);
    if (!op.in || result_tensor(b, out_axes, &op.out) != RK_OK || !(slot = RK_PUSH(b->a, &b->op))) {
        rk_fatal_memory(b);
        return NULL;
    }
    *slot = op;
    *out = (rk_seen){.tensor = op.out, .axes = *out_axes};
    if (op.mask.kind != RK_MASK_FULL && rk_ixs_has(out_axes, op.mask.query) && rk_ixs_has(out_axes, op.mask.key))
        out->mask = op.mask;
    b->tensor.at[op.out].mask = out->mask;
    return slot;
}

/* All of an axis, of which others read what is chosen. */
static rk_ix whole_axis(rk_build *b, rk_ix ix)
{
    rk_label *label = ix.kind == RK_IX_ROUTED ? RK_PUSH(b->a, &b->label) : NULL;

    if (ix.kind != RK_IX_ROUTED)
        return ix;
    if (!label) {
        rk_fatal_memory(b);
        return ix;
    }
    *label = (rk_label){.name = "all", .size = ix.size};
    return (rk_ix){.kind = RK_IX_LABEL, .label = (uint32_t)(b->label.n - 1), .size = ix.size};
}

uint32_t rk_build_cast(rk_build *b, uint32_t tensor, rk_type type)
{
    rk_seen in = {.tensor = tensor}, out = {.tensor = RK_NONE};
    rk_op *op;

    for (size_t i = 0; i < b->tensor.at[tensor].axes.n && !b->fatal; i++) {
        rk_ix ix = whole_axis(b, b->tensor.at[tensor].axes.at[i]);

        rk_ixs_append(b, &in.axes, &ix);
    }
    op = b->fatal ? NULL : rk_build_op(b, RK_OP_CAST, &in, 1, &in.axes, &out);
    if (op)
        op->which = type;
    return out.tensor;
}

/* ---- names of rows ------------------------------------------------------------------------------------------- */

/* How often the name was asked for in this part, this time included: 1 means that it was free. */
static uint32_t row_take(rk_build *b, const char *name)
{
    char *key = rk_arena_format(b->a, "%u/%u/%s", b->group, b->part, name);
    uint32_t times = key ? rk_map_get(&b->row_names, key, strlen(key)) : 0;

    times = times == RK_NONE ? 1 : times + 1;
    if (!key || !rk_map_put(b->a, &b->row_names, key, strlen(key), times))
        rk_fatal_memory(b);
    return times;
}

/* What a recurrence reads one step back is not made yet, and is no weight. */
static bool is_weight(const rk_build *b, const rk_operand *in)
{
    return in->tensor != RK_NONE && b->tensor.at[in->tensor].kind == RK_TENSOR_WEIGHT;
}

static bool reads_weight(const rk_build *b, const rk_op *op)
{
    for (size_t i = 0; i < op->n_in; i++)
        if (is_weight(b, &op->in[i]))
            return true;
    return false;
}

/* The side of an adapter that a product multiplies with. */
static rk_adapter adapter_of(const rk_build *b, const rk_op *op)
{
    if (!op->summed || op->n_in != 2 || !is_weight(b, &op->in[1]))
        return RK_ADAPTER_NONE;
    return b->weight.at[b->tensor.at[op->in[1].tensor].weight].adapter;
}

static const char *op_word(const rk_build *b, const rk_op *op)
{
    static const char *const product[] = {
        [RK_ADAPTER_NONE] = "product", [RK_ADAPTER_A] = "lora_A", [RK_ADAPTER_B] = "lora_B"};

    switch (op->row) {
    case RK_OP_PRODUCT:
        return product[adapter_of(b, op)];
    case RK_OP_ADD:
        return reads_weight(b, op) ? "bias" : "add";
    case RK_OP_SUB:
        return "sub";
    case RK_OP_MUL:
        return "mul";
    case RK_OP_DIV:
        return "div";
    case RK_OP_SCALE:
        return "scale";
    case RK_OP_SHIFT:
        return "add";
    case RK_OP_NEG:
        return "neg";
    case RK_OP_JOIN:
        return "join";
    case RK_OP_PART:
        return "part";
    case RK_OP_VIEW:
        return "view";
    default:
        return rk_op_table[op->row].name;
    }
}

/* The plain name, or name.word, name.word.2, name.word.3 …: the first that is free. */
static const char *name_row(rk_build *b, const rk_op *op, const char *name, bool clean)
{
    const char *base = clean && row_take(b, name) == 1 ? name : NULL, *text = base;
    uint32_t times = 0;

    if (!base)
        base = text = rk_arena_format(b->a, "%s.%s", name, op_word(b, op));
    /* A name is asked for as often as it was taken, so that the many rows of one name do not try all numbers. */
    while (text && base != name && !b->fatal && (times = row_take(b, base)) > 1) {
        text = rk_arena_format(b->a, "%s.%u", base, times);
        if (text && row_take(b, text) == 1)
            break;
    }
    if (!text)
        rk_fatal_memory(b);
    return text;
}

static bool is_main(const rk_build *b, const rk_op *op)
{
    return op->summed && adapter_of(b, op) == RK_ADAPTER_NONE;
}

/*
 * Names the operations that an equation made itself (those of blocks that it calls have their names already).  The
 * plain name goes to its product if there is exactly one, adapters aside, else to its last operation.
 */
void rk_build_rows(rk_build *b, size_t first, const char *name)
{
    size_t n_product = 0, last = first;

    for (size_t i = first; i < b->op.n; i++)
        if (!b->op.at[i].name) {
            n_product += is_main(b, &b->op.at[i]);
            last = i;
        }
    for (size_t i = first; i < b->op.n; i++) {
        rk_op *op = &b->op.at[i];

        if (!op->name)
            op->name = name_row(b, op, name, n_product == 1 ? is_main(b, op) : i == last);
    }
    rk_build_note(b, (rk_trace_event){.kind = RK_TRACE_ROWS, .name = name});
}
