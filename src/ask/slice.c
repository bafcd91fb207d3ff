/* SPDX-License-Identifier: MIT */
#include "ask/slice.h"

#include <string.h>

#define TIMES "×"       /* no symbol of a model file is called so */
#define NUMBERS_NAMED 8 /* of devices that would do, in an error */

/* How it is found what a slice divides: where it begins, then what must follow. */
typedef struct slicing {
    rk_slice *s;
    const rk_program *p;
    const rk_instance *m;
    rk_pool *pool;  /* of the slice alone; what symbols are defined as in it says what is divided */
    rk_sym times;   /* by which what is divided is multiplied */
    rk_ex *carried; /* sizes that layers hand on to each other */
    size_t n_carried;
    bool *stays; /* of each symbol: it cannot be divided, for something reads it whole */
    rk_err *err;
} slicing;

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

rk_i128 rk_slice_copies(const rk_slice_symbol *x, rk_i128 n)
{
    return x->rest && x->whole < n ? n / x->whole : 1;
}

rk_i128 rk_slice_number(const rk_slice_symbol *x, rk_i128 n)
{
    if (x->shared)
        return x->whole / rk_slice_copies(x->shared, n);
    return x->divided ? (x->whole + n - 1) / n : x->whole;
}

void rk_slice_bind(const rk_slice *s, rk_i128 n, rk_instance *out)
{
    for (size_t i = 0; i < s->n; i++) {
        const rk_symbol *x = rk_model_symbol(out->model, s->at[i].symbol->name);

        if (!x)
            continue;
        out->value[x->sym] = rk_slice_number(&s->at[i], n);
        out->known[x->sym] = n > 1 || s->at[i].was_known;
    }
}

/* The first symbol that stands in the way, or NULL. */
static const rk_slice_symbol *undivided(const rk_slice *s, rk_i128 n)
{
    for (size_t i = 0; i < s->n; i++) {
        const rk_slice_symbol *x = &s->at[i];

        if (x->divided && !x->rounded_up && x->whole % n != 0 &&
            !(x->rest && n % x->whole == 0 && x->rest->whole % (n / x->whole) == 0))
            return x;
    }
    return NULL;
}

/* "1, 2, 4, 8", and "…" where there are many. */
static void put_numbers(rk_str *out, const rk_slice *s)
{
    char number[RK_NUM_TEXT_MAX];
    int named = 0;

    for (rk_i128 n = 1; n <= RK_SLICE_DEVICES_MAX && named <= NUMBERS_NAMED; n++) {
        if (undivided(s, n))
            continue;
        rk_str_format(out, "%s%s", named ? ", " : "", named < NUMBERS_NAMED ? rk_num_grouped(number, n) : "…");
        named++;
    }
}

bool rk_slice_divides(const rk_slice *s, rk_i128 n, rk_err *err)
{
    const rk_slice_symbol *x = undivided(s, n);
    char whole[RK_NUM_TEXT_MAX], parts[RK_NUM_TEXT_MAX];
    rk_str others = {0};

    if (!x || !err)
        return !x;
    put_numbers(&others, s);
    rk_fail(err, RK_EINPUT, "%s = %s%s%s%s cannot be divided over %s devices, but over %s", x->symbol->name,
            rk_num_grouped(whole, x->whole), x->symbol->text ? " (" : "", x->symbol->text ? x->symbol->text : "",
            x->symbol->text ? ")" : "", rk_num_grouped(parts, n), rk_str_text(&others));
    rk_str_free(&others);
    return false;
}

rk_i128 rk_slice_group(const rk_slice *s, rk_i128 n)
{
    rk_i128 most = 1;

    for (rk_i128 k = 2; k <= n && k <= RK_SLICE_DEVICES_MAX; k++)
        most = n % k == 0 && !undivided(s, k) ? k : most;
    return most;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

/* Whether a size depends on symbols of the run; `loops`: or on the running numbers of loops. */
static bool depends_on_run(const rk_model *m, rk_pool *pool, rk_ex size, bool loops)
{
    rk_ex e = rk_ex_expand_defs(pool, size);

    for (size_t i = 0; i < m->n_symbol; i++) {
        rk_symbol_kind kind = m->symbol[i].kind;

        if ((kind == RK_SYMBOL_RUN || (kind == RK_SYMBOL_LOOP && loops)) && rk_ex_has_sym(pool, e, m->symbol[i].sym))
            return true;
    }
    return false;
}

static int list_symbols(slicing *c)
{
    rk_slice *s = c->s;
    const rk_instance *m = c->m;

    s->at = RK_NEW_ARRAY(&s->arena, m->model->n_symbol + 1, rk_slice_symbol);
    if (!s->at)
        return rk_fail_memory(c->err);
    for (size_t i = 0; i < m->model->n_symbol; i++) {
        const rk_symbol *x = &m->model->symbol[i];
        rk_slice_symbol y = {.symbol = x, .was_known = m->known[x->sym]};

        if (x->kind == RK_SYMBOL_MODEL && !depends_on_run(m->model, m->pool, rk_ex_sym(m->pool, x->sym), true) &&
            rk_ex_eval(m->pool, rk_ex_sym(m->pool, x->sym), &m->at, &y.whole, NULL) == RK_OK)
            s->at[s->n++] = y;
    }
    return RK_OK;
}

/* ---- what layers hand on ---------------------------------------------------------------------------------------- */

static bool is_carried(const slicing *c, rk_ex size)
{
    for (size_t i = 0; i < c->n_carried; i++)
        if (c->carried[i] == size)
            return true;
    return false;
}

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
            if (group->in[i] != group->out[i]) {
                const rk_ixs *axes = &c->p->tensor[group->out[i]].axes;

                for (size_t k = 0; k < axes->n && c->n_carried < most; k++)
                    if (!depends_on_run(c->m->model, c->pool, axes->at[k].size, false) &&
                        !is_carried(c, axes->at[k].size))
                        c->carried[c->n_carried++] = axes->at[k].size;
            }
    }
    return RK_OK;
}

/* The symbol that a size is, if weights have it and layers do not hand it on; NULL: it is none such. */
static rk_slice_symbol *symbol_of(const slicing *c, rk_ex size)
{
    rk_sym sym;
    size_t w = 0;

    if (!rk_ex_is_sym(c->pool, size, &sym) || is_carried(c, size))
        return NULL;
    while (w < c->p->n_weight && !rk_ex_has_sym(c->pool, c->p->weight[w].count, sym))
        w++;
    for (size_t i = 0; i < c->s->n && w < c->p->n_weight; i++)
        if (c->s->at[i].symbol->sym == sym && !c->stays[i])
            return &c->s->at[i];
    return NULL;
}

/* ---- where it begins -------------------------------------------------------------------------------------------- */

static void divide(rk_slice_symbol *x, bool rounded_up)
{
    if (!x)
        return;
    x->divided = true;
    x->rounded_up |= rounded_up;
}

/* Heads: in both activations and in their product; of several such indices the outermost. */
static void divide_heads(slicing *c, const rk_op *op)
{
    const rk_ixs *a = &op->in[0].axes, *out = &c->p->tensor[op->out].axes;
    rk_slice_symbol *found = NULL;

    for (size_t i = 0; i < a->n && !found; i++)
        if (a->at[i].kind == RK_IX_LABEL && rk_ixs_place(&op->in[1].axes, a->at[i].label) >= 0 &&
            rk_ixs_place(out, a->at[i].label) >= 0)
            found = symbol_of(c, c->p->label[a->at[i].label].size);
    divide(found, false);
}

/* Inner widths: the outermost one that is summed on the way back to the width of the layers; inputs have none. */
static void divide_inner(slicing *c, const rk_op *op, const rk_operand *activation)
{
    const rk_ixs *out = &c->p->tensor[op->out].axes;
    bool comes_back = false;

    for (size_t i = 0; i < out->n; i++)
        comes_back |= is_carried(c, out->at[i].size);
    if (!comes_back || c->p->tensor[activation->tensor].kind != RK_TENSOR_RESULT)
        return;
    for (size_t i = 0; i < activation->axes.n; i++) {
        const rk_ix *x = &activation->axes.at[i];

        if (x->kind == RK_IX_LABEL && rk_ixs_place(out, x->label) < 0) {
            divide(symbol_of(c, c->p->label[x->label].size), false);
            return;
        }
    }
}

/* The rank of an adapter is summed, too, and no width. */
static void look_at_product(slicing *c, const rk_op *op)
{
    bool weight[2];

    for (size_t k = 0; k < 2; k++) {
        const rk_tensor *t = rk_op_operand(c->p, op, k);

        weight[k] = t->kind == RK_TENSOR_WEIGHT;
        if (weight[k] && c->p->weight[t->weight].adapter != RK_ADAPTER_NONE)
            return;
    }
    if (!weight[0] && !weight[1])
        divide_heads(c, op);
    else if (weight[0] != weight[1])
        divide_inner(c, op, &op->in[weight[0]]);
}

/* Whether a product of two activations sums over a symbol, as over the width of a head. */
static bool sums(const slicing *c, rk_sym sym)
{
    rk_ex size = rk_ex_sym(c->pool, sym);

    for (size_t i = 0; i < c->p->n_op; i++) {
        const rk_op *op = &c->p->op[i];
        const rk_ixs *queries = op->n_in ? &op->in[0].axes : NULL;

        /* Attention in one operation sums over what queries and keys have last, though values may be as wide. */
        if (rk_op_table[op->row].class == RK_CLASS_ATTENTION && queries->at[queries->n - 1].size == size)
            return true;
        for (size_t k = 0; k < 2 && rk_op_mixes(c->p, op); k++)
            for (size_t j = 0; j < op->in[k].axes.n; j++)
                if (op->in[k].axes.at[j].size == size &&
                    rk_ixs_place(&c->p->tensor[op->out].axes, op->in[k].axes.at[j].label) < 0)
                    return true;
    }
    return false;
}

/* The vocabulary: rows of the largest table in which inputs are looked up. */
static void divide_table(slicing *c)
{
    rk_slice_symbol *largest = NULL;

    for (size_t i = 0; i < c->p->n_op; i++) {
        const rk_op *op = &c->p->op[i];
        const rk_tensor *table = rk_op_table[op->row].class == RK_CLASS_LOOKUP ? &c->p->tensor[op->in[1].tensor] : NULL;
        rk_slice_symbol *x;

        if (!table || table->kind != RK_TENSOR_WEIGHT || c->p->tensor[op->in[0].tensor].kind != RK_TENSOR_INPUT)
            continue;
        x = symbol_of(c, c->p->weight[table->weight].dim[0]);
        largest = x && (!largest || x->whole > largest->whole) ? x : largest;
    }
    divide(largest, true);
}

static void begin(slicing *c)
{
    for (size_t i = 0; i < c->p->n_op; i++)
        if (rk_op_table[c->p->op[i].row].class == RK_CLASS_PRODUCT)
            look_at_product(c, &c->p->op[i]);
        else if (rk_op_table[c->p->op[i].row].class == RK_CLASS_ATTENTION)
            divide_heads(c, &c->p->op[i]);
    divide_table(c);
    for (size_t i = 0; i < c->p->n_weight; i++) /* what the head gives */
        for (size_t k = 0; c->s->model->roles.weight[i].matrix == RK_MATRIX_HEAD && k < c->p->weight[i].n_dim; k++)
            divide(symbol_of(c, c->p->weight[i].dim[k]), true);
}

/* ---- what must follow ------------------------------------------------------------------------------------------- */

/*
 * What must follow where sizes are divided must follow, too, where they are multiplied.  So in the pool of the slice
 * each symbol is defined anew: as its number, times `c->times` where it is divided.
 */
static void define(slicing *c)
{
    for (size_t i = 0; i < c->s->n; i++) {
        rk_ex number = rk_ex_int(c->pool, c->s->at[i].whole);

        if (c->s->at[i].divided)
            number = rk_ex_mul(c->pool, number, rk_ex_sym(c->pool, c->times));
        rk_sym_define(c->pool, c->s->at[i].symbol->sym, number, NULL);
    }
}

/* RK_EX_FAILED: an axis is no whole number any more, as N/K where K is multiplied and N is not. */
static rk_ex elements(const slicing *c, const rk_ixs *axes)
{
    rk_ex n = rk_ex_int(c->pool, 1);

    for (size_t i = 0; i < axes->n; i++) {
        rk_ex size = rk_ex_expand_defs(c->pool, axes->at[i].size);

        n = rk_ex_is_whole(c->pool, size) ? rk_ex_mul(c->pool, n, size) : RK_EX_FAILED;
    }
    return n;
}

/*
 * Whether an operation reads a tensor as it did before, with what is divided now: as many of its elements for each
 * that there is, whatever it is multiplied by.  (Not just as many: a cache is longer than what a step adds to it.)
 */
static bool is_read_well(const slicing *c, const rk_operand *x)
{
    rk_ex read = elements(c, &x->axes), there = elements(c, &c->p->tensor[x->tensor].axes);

    if (read == there || read == RK_EX_FAILED || there == RK_EX_FAILED)
        return read == there;
    return rk_ex_term_count(c->pool, there) == 0 || !rk_ex_has_sym(c->pool, rk_ex_div(c->pool, read, there), c->times);
}

/* Whether a symbol is in the sizes of an operand, as it is read or as it is stored. */
static bool occurs(const slicing *c, const rk_operand *x, rk_sym sym)
{
    const rk_ixs *axes[] = {&x->axes, &c->p->tensor[x->tensor].axes};

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < axes[k]->n; i++)
            if (rk_ex_has_sym(c->pool, axes[k]->at[i].size, sym))
                return true;
    return false;
}

/* Divides one symbol more, if that is all it takes. */
static bool divide_operand(slicing *c, const rk_operand *x)
{
    for (size_t i = 0; i < c->s->n; i++) {
        rk_slice_symbol *y = &c->s->at[i];
        rk_sym sym = y->symbol->sym;

        if (y->divided || c->stays[i] || is_carried(c, rk_ex_sym(c->pool, sym)) || !occurs(c, x, sym))
            continue;
        y->divided = true;
        define(c);
        if (is_read_well(c, x))
            return true;
        y->divided = false;
        define(c);
    }
    return false;
}

/* The first thing that is not read well, or NULL.  What cannot be divided at once may be after others were. */
static const rk_operand *propagate(slicing *c)
{
    const rk_operand *left = NULL;
    bool news = true;

    define(c);
    while (news) {
        news = false;
        left = NULL;
        for (size_t i = 0; i < c->p->n_op; i++)
            for (size_t k = 0; k < c->p->op[i].n_in; k++) {
                const rk_operand *x = &c->p->op[i].in[k];
                bool well = is_read_well(c, x), divided = !well && divide_operand(c, x);

                news |= divided;
                left = well || divided || left ? left : x;
            }
    }
    return left;
}

/* What is in the way stays whole; false: there is nothing of that kind. */
static bool keep_whole(slicing *c, const rk_operand *x)
{
    bool some = false;

    for (size_t i = 0; i < c->s->n; i++)
        if (c->s->at[i].divided && occurs(c, x, c->s->at[i].symbol->sym))
            some = c->stays[i] = true;
    for (size_t i = 0; i < c->s->n; i++)
        c->s->at[i].divided = c->s->at[i].rounded_up = false;
    return some;
}

/* ---- more devices than heads ------------------------------------------------------------------------------------ */

/* Whether y, which is defined by x, could be divided in its place.  What is summed could not: a part is no sum. */
static bool can_stand_in(slicing *c, rk_slice_symbol *x, rk_slice_symbol *y)
{
    rk_pool *pool = c->m->pool; /* with the definitions of the model */
    bool can = true;

    if (y->divided || y->shared ||
        !rk_ex_has_sym(pool, rk_ex_expand_defs(pool, rk_ex_sym(pool, y->symbol->sym)), x->symbol->sym) ||
        sums(c, y->symbol->sym))
        return false;
    x->divided = false;
    y->divided = true;
    define(c);
    for (size_t i = 0; i < c->p->n_op && can; i++)
        for (size_t k = 0; k < c->p->op[i].n_in && can; k++)
            can = is_read_well(c, &c->p->op[i].in[k]);
    x->divided = true;
    y->divided = false;
    return can;
}

static void find_rests(slicing *c)
{
    for (size_t k = 0; k < c->s->n; k++) {
        rk_slice_symbol *x = &c->s->at[k];

        for (size_t i = 0; x->divided && !x->rounded_up && i < c->s->n && !x->rest; i++)
            if (!c->stays[i] && can_stand_in(c, x, &c->s->at[i])) {
                x->rest = &c->s->at[i];
                x->rest->shared = x;
            }
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* Each round but the last finds one symbol more that stays whole. */
static int find(slicing *c)
{
    const rk_model *m = c->m->model;
    const rk_operand *left;
    bool some = false;
    int code = list_symbols(c);

    c->stays = RK_NEW_ARRAY(&c->s->arena, c->s->n + 1, bool);
    if (code == RK_OK)
        code = c->stays ? find_carried(c) : rk_fail_memory(c->err);
    if (code != RK_OK)
        return code;
    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind == RK_SYMBOL_RUN && c->m->known[m->symbol[i].sym])
            rk_sym_define(c->pool, m->symbol[i].sym, rk_ex_int(c->pool, c->m->value[m->symbol[i].sym]), NULL);
    do {
        begin(c);
        left = propagate(c);
    } while (left && keep_whole(c, left));
    find_rests(c);
    for (size_t i = 0; i < c->s->n; i++)
        some |= c->s->at[i].divided;
    return some ? RK_OK
                : rk_fail(c->err, RK_EINPUT, "%s has no heads, widths or vocabulary that could be divided", m->name);
}

int rk_slice_new(const rk_instance *m, rk_slice **out, rk_err *err)
{
    rk_slice *s = rk_heap_alloc(sizeof *s);
    slicing c = {.s = s,
                 .m = m,
                 .p = &(m->model->part_of ? m->model->part_of : m->model)->program,
                 .pool = rk_pool_over(m->pool),
                 .err = err};
    int code = RK_OK;

    if (!s || !c.pool)
        code = rk_fail_memory(err);
    if (s)
        *s = (rk_slice){.model = m->model};
    if (code == RK_OK) {
        c.times = rk_sym_declare(c.pool, TIMES, 0);
        code = find(&c);
    }
    rk_pool_free(c.pool);
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
