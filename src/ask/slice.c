/* SPDX-License-Identifier: MIT */
#include "ask/slice.h"

#include "account/linear.h"

#include <string.h>

#define TRIAL 1009 /* see set_trial; a prime that is hardly a size of anything */

typedef struct slicing {
    rk_slice *s;
    const rk_program *p;
    rk_pool *pool;
    rk_ex *carried; /* sizes that layers hand on to each other */
    size_t n_carried;
    rk_linear *linear;
    rk_binding before; /* all numbers, as they are without a split */
    bool *stays;       /* of each symbol: it cannot be divided, for something reads it whole */
    rk_err *err;
} slicing;

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static rk_i128 share_of(const rk_slice_symbol *x, rk_i128 n)
{
    return !x->divided ? x->whole : x->rounded_up ? (x->whole + n - 1) / n : x->whole / n;
}

static void set_number(rk_slice *s, rk_slice_symbol *x, rk_i128 value, bool known)
{
    x->symbol->value = s->model->value[x->symbol->sym] = value;
    s->model->known[x->symbol->sym] = known;
}

void rk_slice_set(rk_slice *s, rk_i128 n)
{
    for (size_t i = 0; i < s->n; i++)
        set_number(s, &s->at[i], share_of(&s->at[i], n), n > 1 || s->at[i].was_known);
}

void rk_slice_copy(const rk_slice *s, rk_model *other)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < other->n_symbol; k++) {
            rk_symbol *x = &other->symbol[k];

            if (strcmp(x->name, s->at[i].symbol->name) != 0)
                continue;
            x->value = other->value[x->sym] = s->at[i].symbol->value;
            other->known[x->sym] = s->model->known[s->at[i].symbol->sym];
        }
}

bool rk_slice_divides(const rk_slice *s, rk_i128 n, rk_err *err)
{
    char whole[RK_NUM_TEXT_MAX], parts[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < s->n; i++) {
        const rk_slice_symbol *x = &s->at[i];

        if (!x->divided || x->rounded_up || x->whole % n == 0)
            continue;
        rk_fail(err, RK_EINPUT, "%s = %s%s%s%s cannot be divided over %s devices", x->symbol->name,
                rk_num_grouped(whole, x->whole), x->symbol->text ? " (" : "", x->symbol->text ? x->symbol->text : "",
                x->symbol->text ? ")" : "", rk_num_grouped(parts, n));
        return false;
    }
    return true;
}

/* What must follow where sizes are divided must follow, too, where they are multiplied, and that is always whole. */
static void set_trial(rk_slice *s)
{
    for (size_t i = 0; i < s->n; i++)
        set_number(s, &s->at[i], s->at[i].whole * (s->at[i].divided ? TRIAL : 1), true);
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

static bool depends_on_run(const rk_model *m, rk_sym sym)
{
    rk_ex e = rk_ex_expand_defs(m->pool, rk_ex_sym(m->pool, sym));

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind != RK_SYMBOL_MODEL && rk_ex_has_sym(m->pool, e, m->symbol[i].sym))
            return true;
    return false;
}

static int list_symbols(slicing *c)
{
    rk_slice *s = c->s;
    rk_model *m = s->model;
    rk_binding at = rk_model_binding(m);

    s->at = RK_NEW_ARRAY(&s->arena, m->n_symbol + 1, rk_slice_symbol);
    if (!s->at)
        return rk_fail_memory(c->err);
    for (size_t i = 0; i < m->n_symbol; i++) {
        rk_symbol *x = &m->symbol[i];
        rk_slice_symbol y = {.symbol = x, .was_known = m->known[x->sym]};

        if (x->kind == RK_SYMBOL_MODEL && !depends_on_run(m, x->sym) &&
            rk_ex_eval(m->pool, rk_ex_sym(m->pool, x->sym), &at, &y.whole, NULL) == RK_OK)
            s->at[s->n++] = y;
    }
    return RK_OK;
}

static bool in_weights(const slicing *c, rk_sym sym)
{
    for (size_t i = 0; i < c->p->n_weight; i++)
        if (rk_ex_has_sym(c->pool, c->p->weight[i].count, sym))
            return true;
    return false;
}

/* The symbol that a size is, if weights have it and layers do not hand it on; NULL: it is none such. */
static rk_slice_symbol *symbol_of(const slicing *c, rk_ex size)
{
    rk_sym sym;

    if (!rk_ex_is_sym(c->pool, size, &sym) || !in_weights(c, sym))
        return NULL;
    for (size_t i = 0; i < c->n_carried; i++)
        if (c->carried[i] == size)
            return NULL;
    for (size_t i = 0; i < c->s->n; i++)
        if (c->s->at[i].symbol->sym == sym && !c->stays[i])
            return &c->s->at[i];
    return NULL;
}

/* ---- what layers hand on ---------------------------------------------------------------------------------------- */

static bool is_carried(const slicing *c, rk_ex size)
{
    for (size_t i = 0; i < c->n_carried; i++)
        if (c->carried[i] == size)
            return true;
    return false;
}

static bool runs(const slicing *c, rk_ex size)
{
    const rk_model *m = c->s->model;
    rk_ex e = rk_ex_expand_defs(c->pool, size);

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind == RK_SYMBOL_RUN && rk_ex_has_sym(c->pool, e, m->symbol[i].sym))
            return true;
    return false;
}

static void carry(slicing *c, const rk_tensor *t, size_t most)
{
    for (size_t i = 0; i < t->axes.n && c->n_carried < most; i++)
        if (!runs(c, t->axes.at[i].size) && !is_carried(c, t->axes.at[i].size))
            c->carried[c->n_carried++] = t->axes.at[i].size;
}

/* The sizes of what a loop changes from layer to layer. */
static int find_carried(slicing *c)
{
    size_t most = c->p->n_tensor + 1;

    c->carried = RK_NEW_ARRAY(&c->s->arena, most, rk_ex);
    if (!c->carried)
        return rk_fail_memory(c->err);
    for (size_t g = 1; g < c->p->n_group; g++) {
        const rk_group *group = &c->p->group[g];
        size_t n = group->loop == RK_NONE ? 0 : c->p->loop[group->loop].n_carry;

        for (size_t i = 0; i < n; i++)
            if (group->in[i] != group->out[i])
                carry(c, &c->p->tensor[group->out[i]], most);
    }
    return RK_OK;
}

/* ---- where it begins -------------------------------------------------------------------------------------------- */

static bool has_label(const rk_ixs *axes, uint32_t label)
{
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind != RK_IX_AFFINE && axes->at[i].label == label)
            return true;
    return false;
}

static bool is_weight(const slicing *c, const rk_operand *x)
{
    return c->p->tensor[x->tensor].kind == RK_TENSOR_WEIGHT;
}

static void divide(rk_slice_symbol *x)
{
    if (x)
        x->divided = true;
}

/* Heads: in both activations and in their product; of several such indices the outermost. */
static void divide_heads(slicing *c, const rk_op *op)
{
    const rk_ixs *a = &op->in[0].axes, *out = &c->p->tensor[op->out].axes;
    rk_slice_symbol *found = NULL;

    for (size_t i = 0; i < a->n && !found; i++)
        if (a->at[i].kind == RK_IX_LABEL && has_label(&op->in[1].axes, a->at[i].label) &&
            has_label(out, a->at[i].label))
            found = symbol_of(c, c->p->label[a->at[i].label].size);
    divide(found);
}

static bool comes_back(const slicing *c, const rk_op *op)
{
    const rk_ixs *out = &c->p->tensor[op->out].axes;

    for (size_t i = 0; i < out->n; i++)
        if (is_carried(c, out->at[i].size))
            return true;
    return false;
}

/* Inner widths: the outermost one that is summed on the way back to the width of the layers; inputs have none. */
static void divide_inner(slicing *c, const rk_op *op, const rk_operand *activation)
{
    bool computed = c->p->tensor[activation->tensor].kind == RK_TENSOR_RESULT;

    for (size_t i = 0; computed && comes_back(c, op) && i < activation->axes.n; i++) {
        const rk_ix *x = &activation->axes.at[i];

        if (x->kind != RK_IX_LABEL || has_label(&c->p->tensor[op->out].axes, x->label))
            continue;
        divide(symbol_of(c, c->p->label[x->label].size));
        return;
    }
}

static bool is_adapter(const slicing *c, const rk_operand *x)
{
    return is_weight(c, x) && c->p->weight[c->p->tensor[x->tensor].weight].adapter != RK_ADAPTER_NONE;
}

/* The rank of an adapter is summed, too, and no width. */
static void look_at_product(slicing *c, const rk_op *op)
{
    bool first = is_weight(c, &op->in[0]), second = is_weight(c, &op->in[1]);

    if (is_adapter(c, &op->in[0]) || is_adapter(c, &op->in[1]))
        return;
    if (!first && !second)
        divide_heads(c, op);
    else if (first != second)
        divide_inner(c, op, &op->in[first]);
}

static void divide_up(rk_slice_symbol *x)
{
    divide(x);
    if (x)
        x->rounded_up = true;
}

/* The vocabulary: rows of the largest table in which inputs are looked up. */
static void divide_table(slicing *c)
{
    rk_slice_symbol *largest = NULL;

    for (size_t i = 0; i < c->p->n_op; i++) {
        const rk_op *op = &c->p->op[i];
        const rk_tensor *table = op->row == RK_OP_LOOKUP ? &c->p->tensor[op->in[1].tensor] : NULL;
        rk_slice_symbol *x;

        if (!table || table->kind != RK_TENSOR_WEIGHT || c->p->tensor[op->in[0].tensor].kind != RK_TENSOR_INPUT)
            continue;
        x = symbol_of(c, c->p->weight[table->weight].dim[0]);
        largest = x && (!largest || x->whole > largest->whole) ? x : largest;
    }
    divide_up(largest);
}

/* What the head gives. */
static void divide_head(slicing *c)
{
    for (size_t i = 0; i < c->p->n_weight; i++)
        for (size_t k = 0; c->linear[i].role == RK_ROLE_HEAD && k < c->p->weight[i].n_dim; k++)
            divide_up(symbol_of(c, c->p->weight[i].dim[k]));
}

static void begin(slicing *c)
{
    for (size_t i = 0; i < c->p->n_op; i++)
        if (c->p->op[i].row == RK_OP_PRODUCT && c->p->op[i].summed && c->p->op[i].n_in == 2)
            look_at_product(c, &c->p->op[i]);
    divide_table(c);
    divide_head(c);
}

/* ---- what must follow ------------------------------------------------------------------------------------------- */

static rk_i128 elements(const slicing *c, const rk_ixs *axes, const rk_binding *at)
{
    rk_acc acc = {0};
    rk_i128 n = 1, size = 0;

    for (size_t i = 0; i < axes->n; i++) {
        if (rk_ex_eval(c->pool, axes->at[i].size, at, &size, NULL) != RK_OK)
            return 0;
        n = rk_mul(&acc, n, size);
    }
    return acc.overflow ? 0 : n;
}

/*
 * Whether an operation reads a tensor as it did before, under the numbers that are set: as many of its elements for
 * each that there is.  (Not just as many: a cache is longer than what a step adds to it.)
 */
static bool is_read_well(const slicing *c, const rk_operand *x)
{
    rk_binding now = rk_model_binding(c->s->model);
    const rk_ixs *stored = &c->p->tensor[x->tensor].axes;
    rk_i128 read = elements(c, &x->axes, &c->before), there = elements(c, stored, &c->before);
    rk_i128 both = rk_gcd(read, there);
    rk_acc acc = {0};

    if (both == 0)
        return read == 0 && there == 0;
    return rk_mul(&acc, elements(c, &x->axes, &now), there / both) ==
               rk_mul(&acc, elements(c, stored, &now), read / both) &&
           !acc.overflow;
}

static bool occurs(const slicing *c, const rk_ixs *axes, rk_sym sym)
{
    for (size_t i = 0; i < axes->n; i++)
        if (rk_ex_has_sym(c->pool, axes->at[i].size, sym))
            return true;
    return false;
}

/* Divides one symbol more, if that is all it takes. */
static bool mend(slicing *c, const rk_operand *x)
{
    const rk_ixs *stored = &c->p->tensor[x->tensor].axes;

    for (size_t i = 0; i < c->s->n; i++) {
        rk_slice_symbol *y = &c->s->at[i];
        rk_sym sym = y->symbol->sym;

        if (y->divided || c->stays[i] || is_carried(c, rk_ex_sym(c->pool, sym)) ||
            !(occurs(c, &x->axes, sym) || occurs(c, stored, sym)))
            continue;
        y->divided = true;
        set_trial(c->s);
        if (is_read_well(c, x))
            return true;
        y->divided = false;
        set_trial(c->s);
    }
    return false;
}

/* The first thing that is not read well, or NULL.  What cannot be mended at once may be after others were. */
static const rk_operand *follow(slicing *c)
{
    const rk_operand *left = NULL;
    bool news = true;

    set_trial(c->s);
    while (news) {
        news = false;
        left = NULL;
        for (size_t i = 0; i < c->p->n_op; i++)
            for (size_t k = 0; k < c->p->op[i].n_in; k++) {
                const rk_operand *x = &c->p->op[i].in[k];
                bool well = is_read_well(c, x), mended = !well && mend(c, x);

                news |= mended;
                left = well || mended || left ? left : x;
            }
    }
    return left;
}

/* What is in the way stays whole; false: there is nothing of that kind. */
static bool keep_whole(slicing *c, const rk_operand *x)
{
    bool some = false;

    for (size_t i = 0; i < c->s->n; i++) {
        rk_sym sym = c->s->at[i].symbol->sym;
        bool here = occurs(c, &x->axes, sym) || occurs(c, &c->p->tensor[x->tensor].axes, sym);

        if (c->s->at[i].divided && here)
            some = c->stays[i] = true;
    }
    for (size_t i = 0; i < c->s->n; i++)
        c->s->at[i].divided = c->s->at[i].rounded_up = false;
    return some;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static bool divides_some(const rk_slice *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->at[i].divided)
            return true;
    return false;
}

static int keep_numbers(slicing *c)
{
    rk_binding at = rk_model_binding(c->s->model);
    rk_i128 *value = RK_NEW_ARRAY(&c->s->arena, at.n + 1, rk_i128);
    bool *known = RK_NEW_ARRAY(&c->s->arena, at.n + 1, bool);

    if (!value || !known)
        return rk_fail_memory(c->err);
    memcpy(value, at.value, at.n * sizeof *value);
    memcpy(known, at.known, at.n * sizeof *known);
    c->before = (rk_binding){value, known, at.n};
    return RK_OK;
}

static int prepare(slicing *c)
{
    int code = list_symbols(c);

    c->linear = rk_linear_find(&c->s->arena, c->p);
    c->stays = RK_NEW_ARRAY(&c->s->arena, c->s->n + 1, bool);
    if (code == RK_OK)
        code = c->linear && c->stays ? find_carried(c) : rk_fail_memory(c->err);
    if (code == RK_OK)
        code = keep_numbers(c);
    return code;
}

/* Each round but the last finds one symbol more that stays whole. */
static int find(slicing *c)
{
    const rk_operand *left;
    int code = prepare(c);

    if (code != RK_OK)
        return code;
    do {
        begin(c);
        left = follow(c);
        rk_slice_set(c->s, 1);
    } while (left && keep_whole(c, left));
    return divides_some(c->s)
               ? RK_OK
               : rk_fail(c->err, RK_EINPUT, "%s has no heads, widths or vocabulary that could be divided",
                         c->s->model->name);
}

int rk_slice_new(rk_model *m, rk_slice **out, rk_err *err)
{
    rk_slice *s = rk_heap_alloc(sizeof *s);
    slicing c = {.s = s, .p = &m->program, .pool = m->pool, .err = err};
    int code;

    if (!s)
        return rk_fail_memory(err);
    *s = (rk_slice){.model = m};
    code = find(&c);
    if (code == RK_OK)
        *out = s;
    else
        rk_slice_free(s);
    return code;
}

void rk_slice_free(rk_slice *s)
{
    if (!s)
        return;
    rk_arena_free(&s->arena);
    rk_heap_free(s);
}
