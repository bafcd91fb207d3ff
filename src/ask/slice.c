/* SPDX-License-Identifier: MIT */
#include "ask/slicing.h"

#include <string.h>

#define TIMES "×"       /* no symbol of a model file is called so */
#define NUMBERS_NAMED 8 /* of devices that would do, in an error */

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

static bool is_divided_well(const rk_slice_symbol *x, rk_i128 n)
{
    if (!x->divided || x->rounded_up || x->whole % n == 0)
        return true;
    return x->rest && n % x->whole == 0 && x->rest->whole % (n / x->whole) == 0;
}

/* The first symbol that stands in the way, or NULL. */
static const rk_slice_symbol *undivided(const rk_slice *s, rk_i128 n)
{
    for (size_t i = 0; i < s->n; i++)
        if (!is_divided_well(&s->at[i], n))
            return &s->at[i];
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

static bool depends_on_run(const rk_instance *m, rk_sym sym)
{
    rk_ex e = rk_ex_expand_defs(m->pool, rk_ex_sym(m->pool, sym));

    for (size_t i = 0; i < m->model->n_symbol; i++)
        if (m->model->symbol[i].kind != RK_SYMBOL_MODEL && rk_ex_has_sym(m->pool, e, m->model->symbol[i].sym))
            return true;
    return false;
}

static int list_symbols(rk_slicing *c)
{
    rk_slice *s = c->s;
    const rk_instance *m = c->m;

    s->at = RK_NEW_ARRAY(&s->arena, m->model->n_symbol + 1, rk_slice_symbol);
    if (!s->at)
        return rk_fail_memory(c->err);
    for (size_t i = 0; i < m->model->n_symbol; i++) {
        const rk_symbol *x = &m->model->symbol[i];
        rk_slice_symbol y = {.symbol = x, .was_known = m->known[x->sym]};

        if (x->kind == RK_SYMBOL_MODEL && !depends_on_run(m, x->sym) &&
            rk_ex_eval(m->pool, rk_ex_sym(m->pool, x->sym), &m->at, &y.whole, NULL) == RK_OK)
            s->at[s->n++] = y;
    }
    return RK_OK;
}

/* ---- what must follow ------------------------------------------------------------------------------------------- */

/*
 * What must follow where sizes are divided must follow, too, where they are multiplied.  So in the pool of the slice
 * each symbol is defined anew: as its number, times `c->times` where it is divided.
 */
static void define_run(rk_slicing *c)
{
    const rk_model *m = c->m->model;

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind == RK_SYMBOL_RUN && c->m->known[m->symbol[i].sym])
            rk_sym_define(c->pool, m->symbol[i].sym, rk_ex_int(c->pool, c->m->value[m->symbol[i].sym]), NULL);
}

static void define(rk_slicing *c)
{
    for (size_t i = 0; i < c->s->n; i++) {
        rk_ex number = rk_ex_int(c->pool, c->s->at[i].whole);

        if (c->s->at[i].divided)
            number = rk_ex_mul(c->pool, number, rk_ex_sym(c->pool, c->times));
        rk_sym_define(c->pool, c->s->at[i].symbol->sym, number, NULL);
    }
}

/* RK_EX_FAILED: an axis is no whole number any more, as N/K where K is multiplied and N is not. */
static rk_ex elements(const rk_slicing *c, const rk_ixs *axes)
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
static bool is_read_well(const rk_slicing *c, const rk_operand *x)
{
    rk_ex read = elements(c, &x->axes), there = elements(c, &c->p->tensor[x->tensor].axes);

    if (read == there || read == RK_EX_FAILED || there == RK_EX_FAILED)
        return read == there;
    return rk_ex_term_count(c->pool, there) == 0 || !rk_ex_has_sym(c->pool, rk_ex_div(c->pool, read, there), c->times);
}

static bool occurs(const rk_slicing *c, const rk_ixs *axes, rk_sym sym)
{
    for (size_t i = 0; i < axes->n; i++)
        if (rk_ex_has_sym(c->pool, axes->at[i].size, sym))
            return true;
    return false;
}

/* Divides one symbol more, if that is all it takes. */
static bool mend(rk_slicing *c, const rk_operand *x)
{
    const rk_ixs *stored = &c->p->tensor[x->tensor].axes;

    for (size_t i = 0; i < c->s->n; i++) {
        rk_slice_symbol *y = &c->s->at[i];
        rk_sym sym = y->symbol->sym;

        if (y->divided || c->stays[i] || rk_slicing_carries(c, rk_ex_sym(c->pool, sym)) ||
            !(occurs(c, &x->axes, sym) || occurs(c, stored, sym)))
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

/* The first thing that is not read well, or NULL.  What cannot be mended at once may be after others were. */
static const rk_operand *follow(rk_slicing *c)
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
                bool well = is_read_well(c, x), mended = !well && mend(c, x);

                news |= mended;
                left = well || mended || left ? left : x;
            }
    }
    return left;
}

/* What is in the way stays whole; false: there is nothing of that kind. */
static bool keep_whole(rk_slicing *c, const rk_operand *x)
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

/* ---- more devices than heads ------------------------------------------------------------------------------------ */

static bool all_are_read_well(const rk_slicing *c)
{
    for (size_t i = 0; i < c->p->n_op; i++)
        for (size_t k = 0; k < c->p->op[i].n_in; k++)
            if (!is_read_well(c, &c->p->op[i].in[k]))
                return false;
    return true;
}

static bool is_defined_by(const rk_slicing *c, const rk_slice_symbol *y, const rk_slice_symbol *x)
{
    rk_pool *pool = c->m->pool; /* with the definitions of the model */

    return rk_ex_has_sym(pool, rk_ex_expand_defs(pool, rk_ex_sym(pool, y->symbol->sym)), x->symbol->sym);
}

/* Whether y, which is defined by x, could be divided in its place.  What is summed could not: a part is no sum. */
static bool can_stand_in(rk_slicing *c, rk_slice_symbol *x, rk_slice_symbol *y)
{
    bool can;

    if (y->divided || y->shared || !is_defined_by(c, y, x) || rk_slicing_sums(c, y->symbol->sym))
        return false;
    x->divided = false;
    y->divided = true;
    define(c);
    can = all_are_read_well(c);
    x->divided = true;
    y->divided = false;
    return can;
}

static void find_rest(rk_slicing *c, rk_slice_symbol *x)
{
    for (size_t i = 0; x->divided && !x->rounded_up && i < c->s->n && !x->rest; i++)
        if (!c->stays[i] && can_stand_in(c, x, &c->s->at[i])) {
            x->rest = &c->s->at[i];
            x->rest->shared = x;
        }
}

static void find_rests(rk_slicing *c)
{
    for (size_t i = 0; i < c->s->n; i++)
        find_rest(c, &c->s->at[i]);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static bool divides_some(const rk_slice *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->at[i].divided)
            return true;
    return false;
}

static int prepare(rk_slicing *c)
{
    int code = list_symbols(c);

    c->stays = RK_NEW_ARRAY(&c->s->arena, c->s->n + 1, bool);
    if (code == RK_OK)
        code = c->stays ? rk_slicing_find_carried(c) : rk_fail_memory(c->err);
    return code;
}

/* Each round but the last finds one symbol more that stays whole. */
static int find(rk_slicing *c)
{
    const rk_operand *left;
    int code = prepare(c);

    if (code != RK_OK)
        return code;
    define_run(c);
    do {
        rk_slicing_begin(c);
        left = follow(c);
    } while (left && keep_whole(c, left));
    find_rests(c);
    return divides_some(c->s)
               ? RK_OK
               : rk_fail(c->err, RK_EINPUT, "%s has no heads, widths or vocabulary that could be divided",
                         c->s->model->name);
}

int rk_slice_new(const rk_instance *m, rk_slice **out, rk_err *err)
{
    rk_slice *s = rk_heap_alloc(sizeof *s);
    rk_slicing c = {.s = s,
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
