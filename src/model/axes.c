/* SPDX-License-Identifier: MIT */
#include "model/expand.h"

#include <string.h>

/* ---- sizes --------------------------------------------------------------------------------------------------- */

static bool size_value(rk_ctx *c, rk_ex e, rk_i128 *out)
{
    rk_binding at = rk_model_binding(c->model);
    int code = rk_ex_eval(c->pool, e, &at, out, NULL);

    if (code == RK_ENOMEM)
        rk_fatal_memory(&c->b);
    return code == RK_OK;
}

static bool has_run_symbol(const rk_ctx *c, rk_ex e)
{
    for (size_t i = 0; i < c->symbol.n; i++)
        if (c->symbol.at[i].kind == RK_SYMBOL_RUN && rk_ex_has_sym(c->pool, e, c->symbol.at[i].sym))
            return true;
    return false;
}

/*
 * Equal as formulas, or, where a config gives numbers of its own, equal as numbers.  Sizes of the run are compared as
 * formulas alone: that B and S happen to be 1 today must not make one pass for the other.
 */
bool rk_same_size(rk_ctx *c, rk_ex a, rk_ex b)
{
    rk_i128 x, y;
    bool known;

    if (a == b)
        return true;
    known = size_value(c, a, &x) && size_value(c, b, &y);
    if (known && x != y)
        return false;
    if (known && !has_run_symbol(c, a) && !has_run_symbol(c, b))
        return true;
    return rk_ex_expand_defs(c->pool, a) == rk_ex_expand_defs(c->pool, b);
}

/* ---- labels -------------------------------------------------------------------------------------------------- */

int rk_label_add(rk_ctx *c, const char *name, rk_ex size, uint32_t *out)
{
    rk_label *l = RK_PUSH(c->a, &c->b.label);

    if (!l || !name)
        return rk_fatal_memory(&c->b);
    *l = (rk_label){.name = name, .size = size};
    *out = (uint32_t)(c->b.label.n - 1);
    return RK_OK;
}

/* A size of 0 that follows from others: the key of the config that is 0. */
static const char *zero_key(rk_ctx *c, const rk_scalar *s)
{
    rk_ex e = rk_ex_expand_defs(c->pool, s->ex);

    for (size_t i = 0; !s->key && i < c->symbol.n; i++) {
        const rk_symbol *y = &c->symbol.at[i];

        if (y->key && y->known && y->value == 0 && rk_ex_has_sym(c->pool, e, y->sym))
            return y->key;
    }
    return s->key;
}

static int no_size(rk_ctx *c, const rk_bind *b, const rk_scalar *s, rk_span span)
{
    const char *key = s->value == 0 ? zero_key(c, s) : s->key;
    char number[RK_NUM_TEXT_MAX];

    return RK_MISTAKE(c, span, "%s = %s%s%s%s is no size: a dimension is from 1 to 2^63 - 1", b->name,
                      rk_num_text(number, s->value), key ? " (" : "", key ? key : "", key ? ")" : "");
}

static int bind_size(rk_ctx *c, rk_bind *b, rk_span span, rk_ex *out)
{
    rk_scalar s = {0};
    int code = rk_scalar_of_bind(c, b, span, &s);

    if (code != RK_OK)
        return code;
    if (s.varies && b->kind == RK_BIND_LATER)
        rk_record(c, b->frame, b->node, &s);
    if (s.kind == RK_SCALAR_NONE && s.key)
        return RK_MISTAKE(c, span, "%s has no size: the config has no key '%s'", b->name, s.key);
    if (s.kind != RK_SCALAR_INT)
        return s.key ? RK_MISTAKE(c, span, "%s is not a size: '%s' is no whole number", b->name, s.key)
                     : RK_MISTAKE(c, span, "%s is not a size: it is no whole number", b->name);
    if (s.known && (s.value <= 0 || s.value >> 63))
        return no_size(c, b, &s, span);
    *out = rk_scalar_ex(c, &s);
    return RK_OK;
}

int rk_label_of_bind(rk_ctx *c, rk_bind *b, int primes, rk_span span, uint32_t *out)
{
    rk_ex size = RK_EX_FAILED;
    int code;

    if (primes > RK_LABEL_PRIMES_MAX)
        return RK_MISTAKE(c, span, "at most %d primes", RK_LABEL_PRIMES_MAX);
    if (b->label[primes]) {
        *out = b->label[primes] - 1;
        return RK_OK;
    }
    if ((code = bind_size(c, b, span, &size)) != RK_OK) {
        if (code == RK_EINPUT && b->kind == RK_BIND_SCALAR)
            b->kind = RK_BIND_SPOILT; /* said once, not at each use */
        return code;
    }
    code = rk_label_add(c, rk_arena_format(c->a, "%s%.*s", b->name, primes, "'''"), size, out);
    if (code == RK_OK)
        b->label[primes] = *out + 1;
    return code;
}

int rk_label_named(rk_ctx *c, const char *name, int primes, rk_span span, uint32_t *out)
{
    rk_bind *b = rk_bind_find(c->frame, name);

    if (!b) {
        rk_bind *spoilt = rk_bind_add(c, c->global, name); /* said once, not at each use */

        if (!spoilt)
            return c->b.fatal;
        spoilt->kind = RK_BIND_SPOILT;
        return RK_MISTAKE(c, span, "nothing defines the size '%s': add a line  let %s = …", name, name);
    }
    if (b->kind == RK_BIND_TENSOR)
        return RK_MISTAKE(c, span, "%s is a tensor, not the name of an axis", name);
    return rk_label_of_bind(c, b, primes, span, out);
}

/* A label written inside an expression, its primes after it: T' in softmax(scores, T'). */
int rk_label_spelt(rk_ctx *c, const char *text, rk_span span, uint32_t *out)
{
    size_t n = strcspn(text, "'"), primes = strlen(text) - n;
    const char *name = primes ? rk_arena_copy(c->a, text, n) : text;

    return name ? rk_label_named(c, name, (int)primes, span, out) : rk_fatal_memory(&c->b);
}

static uint32_t label_of_number(rk_ctx *c, rk_i128 n)
{
    char name[RK_NUM_TEXT_MAX];
    uint32_t label = 0;

    rk_num_text(name, n);
    /* Among the sums, whose keys have commas. */
    label = rk_map_get(&c->sum_labels, name, strlen(name));
    if (label != RK_NONE)
        return label;
    if (rk_label_add(c, rk_arena_text(c->a, name), rk_ex_int(c->pool, n), &label) != RK_OK)
        return RK_NONE;
    return rk_map_put(c->a, &c->sum_labels, name, strlen(name), label) ? label : RK_NONE;
}

rk_ix rk_ix_of_label(const rk_ctx *c, uint32_t label)
{
    return (rk_ix){.kind = RK_IX_LABEL, .label = label, .size = c->b.label.at[label].size};
}

/* ---- lists of axes ------------------------------------------------------------------------------------------- */

bool rk_ixs_same_set(const rk_ixs *a, const rk_ixs *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->at[i].kind == RK_IX_AFFINE || !rk_ixs_has(b, a->at[i].label))
            return false;
    return true;
}

/* ---- printing ------------------------------------------------------------------------------------------------ */

static void put_affine(const rk_pool *pool, const rk_label *label, const rk_ix *ix, rk_str *out)
{
    rk_str offset = {0};

    for (size_t i = 0; i < ix->n_term; i++) {
        rk_i128 f = ix->term[i].factor;

        rk_str_put(out, f < 0 ? "-" : i ? "+" : "");
        if (f != 1 && f != -1)
            rk_str_num(out, f < 0 ? -f : f);
        rk_str_put(out, label[ix->term[i].label].name);
    }
    rk_ex_print(pool, ix->offset, RK_PRINT_TEXT, &offset);
    if (strcmp(rk_str_text(&offset), "0") != 0) {
        rk_str_put(out, rk_str_text(&offset)[0] == '-' ? "" : "+");
        rk_str_put(out, rk_str_text(&offset));
    }
    rk_str_free(&offset);
}

static void put_list(const rk_pool *pool, const rk_label *label, const rk_ixs *axes, rk_str *out)
{
    for (size_t i = 0; i < axes->n; i++) {
        rk_str_put(out, i ? " " : "");
        if (axes->at[i].kind == RK_IX_AFFINE) {
            put_affine(pool, label, &axes->at[i], out);
            continue;
        }
        if (axes->at[i].kind == RK_IX_ROUTED) {
            rk_ex_print(pool, axes->at[i].size, RK_PRINT_TEXT, out);
            rk_str_putc(out, '@');
        }
        rk_str_put(out, label[axes->at[i].label].name);
    }
}

void rk_ixs_put(const rk_pool *pool, const rk_label *label, const rk_ixs *axes, rk_str *out)
{
    rk_str_putc(out, '[');
    put_list(pool, label, axes, out);
    rk_str_putc(out, ']');
}

const char *rk_ixs_text(rk_ctx *c, const rk_ixs *axes)
{
    rk_str s = {0};
    const char *text;

    rk_ixs_put(c->pool, c->b.label.at, axes, &s);
    text = rk_arena_text(c->a, rk_str_text(&s));
    rk_str_free(&s);
    return text ? text : "";
}

/* ---- from written axes to labels ----------------------------------------------------------------------------- */

static int resolve_list(rk_ctx *c, const rk_axes *axes, rk_ixs *out);

/* (a + b): one label for the whole, equal for equal parts, so that two tensors may share it. */
static int sum_of_parts(rk_ctx *c, const rk_ixs *part, size_t n_part, rk_ix *out)
{
    rk_str key = {0}, name = {0};
    rk_ex size = rk_ex_int(c->pool, 0);
    rk_ixs *copy = RK_NEW_ARRAY(c->a, n_part, rk_ixs);
    int code = copy ? RK_OK : rk_fatal_memory(&c->b);

    for (size_t i = 0; i < n_part && code == RK_OK; i++) {
        rk_str_put(&key, i ? "+" : "");
        for (size_t k = 0; k < part[i].n; k++)
            rk_str_format(&key, "%u,", part[i].at[k].label);
        rk_str_put(&name, i ? " + " : "(");
        put_list(c->pool, c->b.label.at, &part[i], &name);
        size = rk_ex_add(c->pool, size, rk_ixs_count(c->pool, &part[i]));
        copy[i] = part[i];
    }
    rk_str_putc(&name, ')');
    if (key.failed || name.failed)
        code = rk_fatal_memory(&c->b);
    uint32_t label = rk_map_get(&c->sum_labels, rk_str_text(&key), key.n);

    if (code == RK_OK && label == RK_NONE) {
        code = rk_label_add(c, rk_arena_text(c->a, rk_str_text(&name)), size, &label);
        if (code == RK_OK && !rk_map_put(c->a, &c->sum_labels, rk_str_text(&key), key.n, label))
            code = rk_fatal_memory(&c->b);
    }
    rk_str_free(&key);
    rk_str_free(&name);
    *out = (rk_ix){.kind = RK_IX_SUM, .label = label, .size = size, .part = copy, .n_part = n_part};
    return code;
}

static int resolve_sum(rk_ctx *c, const rk_axis *ax, rk_ixs *out)
{
    rk_ixs *part = RK_NEW_ARRAY(c->a, ax->n_part, rk_ixs);
    rk_ix ix;
    int code = part ? RK_OK : rk_fatal_memory(&c->b);

    for (size_t i = 0; i < ax->n_part && code == RK_OK; i++)
        code = resolve_list(c, &ax->part[i], &part[i]);
    if (code == RK_OK)
        code = sum_of_parts(c, part, ax->n_part, &ix);
    return code == RK_OK ? rk_ixs_append(&c->b, out, &ix) : code;
}

/* In 2A+J-pad, A and J are labels of the equation, pad is a number: a name without an own axis. */
static bool is_offset(const rk_ctx *c, const rk_affine_term *t)
{
    const rk_bind *b = t->name ? rk_bind_find(c->frame, t->name) : NULL;

    return !t->name || (t->sign < 0 && b && b->kind != RK_BIND_LABEL);
}

static int affine_term(rk_ctx *c, const rk_affine_term *t, rk_ix *ix)
{
    rk_ex n = rk_ex_int(c->pool, t->factor);
    uint32_t label;
    int code;

    if (!is_offset(c, t)) {
        if ((code = rk_label_named(c, t->name, t->primes, t->span, &label)) == RK_OK)
            ix->term[ix->n_term++] = (rk_ix_term){.factor = t->sign * t->factor, .label = label};
        return code;
    }
    if (t->name) {
        rk_scalar s = {0};

        if ((code = rk_scalar_of_bind(c, rk_bind_find(c->frame, t->name), t->span, &s)) != RK_OK)
            return code;
        if (s.kind != RK_SCALAR_INT)
            return RK_MISTAKE(c, t->span, "%s is no whole number", t->name);
        n = rk_ex_mul(c->pool, n, s.ex);
    }
    ix->offset = t->sign < 0 ? rk_ex_sub(c->pool, ix->offset, n) : rk_ex_add(c->pool, ix->offset, n);
    return RK_OK;
}

static int resolve_affine(rk_ctx *c, const rk_axis *ax, rk_ixs *out)
{
    rk_ix ix = {.kind = RK_IX_AFFINE, .label = RK_NONE, .offset = rk_ex_int(c->pool, 0)};
    int code = RK_OK;

    ix.term = RK_NEW_ARRAY(c->a, ax->n_term, rk_ix_term);
    if (!ix.term)
        return rk_fatal_memory(&c->b);
    for (size_t i = 0; i < ax->n_term && code == RK_OK; i++)
        code = affine_term(c, &ax->term[i], &ix);
    if (code == RK_OK && ix.n_term == 0)
        return RK_MISTAKE(c, ax->span, "an affine index needs at least one label");
    ix.size = rk_ex_int(c->pool, 1); /* set when the tensor is known */
    return code == RK_OK ? rk_ixs_append(&c->b, out, &ix) : code;
}

static int resolve_routed(rk_ctx *c, const rk_axis *ax, rk_ixs *out)
{
    uint32_t stored = 0, chosen = 0;
    int code = rk_label_named(c, ax->name, 0, ax->span, &stored);

    if (code == RK_OK)
        code = rk_label_named(c, ax->routed, 0, ax->span, &chosen);
    if (code != RK_OK)
        return code;
    rk_ix ix = {.kind = RK_IX_ROUTED, .label = chosen, .size = c->b.label.at[stored].size};

    return rk_ixs_append(&c->b, out, &ix);
}

static int resolve_rest(rk_ctx *c, const rk_axis *ax, rk_ixs *out)
{
    int code = RK_OK;

    if (!c->frame->has_rest)
        return RK_MISTAKE(c, ax->span,
                          "'..' stands for the caller's other axes: only in a block with a parameter x[.. D]");
    for (size_t i = 0; i < c->frame->rest.n && code == RK_OK; i++)
        code = rk_ixs_append(&c->b, out, &c->frame->rest.at[i]);
    return code;
}

static int resolve_axis(rk_ctx *c, const rk_axis *ax, rk_ixs *out)
{
    rk_ix ix;
    uint32_t label = 0;
    int code;

    switch (ax->kind) {
    case RK_AXIS_NAME:
        if ((code = rk_label_named(c, ax->name, ax->primes, ax->span, &label)) != RK_OK)
            return code;
        ix = rk_ix_of_label(c, label);
        return rk_ixs_append(&c->b, out, &ix);
    case RK_AXIS_NUMBER:
        if (ax->number < !c->may_be_empty || ax->number >> 63)
            return RK_MISTAKE(c, ax->span, "an axis has from 1 to 2^63 - 1 elements");
        if ((label = label_of_number(c, ax->number)) == RK_NONE)
            return rk_fatal_memory(&c->b);
        ix = rk_ix_of_label(c, label);
        ix.kind = RK_IX_NUMBER;
        return rk_ixs_append(&c->b, out, &ix);
    case RK_AXIS_PRODUCT:
        return resolve_list(c, &ax->part[0], out);
    case RK_AXIS_SUM:
        return resolve_sum(c, ax, out);
    case RK_AXIS_AFFINE:
        return resolve_affine(c, ax, out);
    case RK_AXIS_ROUTED:
        return resolve_routed(c, ax, out);
    case RK_AXIS_REST:
        return resolve_rest(c, ax, out);
    }
    return RK_EINPUT;
}

static int resolve_list(rk_ctx *c, const rk_axes *axes, rk_ixs *out)
{
    int code = RK_OK;

    for (size_t i = 0; i < axes->n && code == RK_OK; i++)
        code = resolve_axis(c, &axes->at[i], out);
    return code;
}

static int refuse_twice(rk_ctx *c, const rk_axes *axes, const rk_ixs *out)
{
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = 0; k < i; k++)
            if (out->at[i].kind == RK_IX_LABEL && out->at[k].kind == RK_IX_LABEL &&
                out->at[i].label == out->at[k].label) {
                const char *name = c->b.label.at[out->at[i].label].name;

                return RK_MISTAKE(c, axes->span, "%s stands twice here; write %s' for a second index of its size", name,
                                  name);
            }
    return RK_OK;
}

int rk_axes_resolve(rk_ctx *c, const rk_axes *axes, rk_ixs *out)
{
    *out = (rk_ixs){0};
    int code = resolve_list(c, axes, out);

    if (code == RK_OK)
        code = refuse_twice(c, axes, out);
    return code == RK_OK && !rk_pool_ok(c) ? c->b.fatal : code;
}

int rk_axes_plain(rk_ctx *c, const rk_axes *axes, rk_ixs *out)
{
    int code = rk_axes_resolve(c, axes, out);

    for (size_t i = 0; i < out->n && code == RK_OK; i++)
        if (out->at[i].kind == RK_IX_AFFINE || out->at[i].kind == RK_IX_ROUTED)
            return RK_MISTAKE(c, axes->span, "these must be plain axes, not places that are computed or chosen");
    return code;
}

/* ---- regrouping ---------------------------------------------------------------------------------------------- */

/*
 * Two lists of axes hold the same elements in the same order if they fall into runs of equal size: (K G H) against
 * O = K·G·H, or B against B.  A run is found by trying the shortest first.
 */
typedef struct run {
    size_t na, nb;
} run;

#define RUN_MAX 6 /* axes that merge into one */

static bool find_run(rk_ctx *c, const rk_ixs *a, size_t i, const rk_ixs *b, size_t j, run *out)
{
    for (size_t total = 2; total <= 2 * RUN_MAX; total++)
        for (size_t na = 1; na < total; na++) {
            size_t nb = total - na;

            if (na > RUN_MAX || nb > RUN_MAX || i + na > a->n || j + nb > b->n)
                continue;
            rk_ixs x = {a->at + i, na}, y = {b->at + j, nb};

            if (rk_same_size(c, rk_ixs_count(c->pool, &x), rk_ixs_count(c->pool, &y))) {
                *out = (run){na, nb};
                return true;
            }
        }
    return false;
}

static void carry_mask(const rk_seen *from, uint32_t old, uint32_t new, rk_seen *to)
{
    if (from->mask.kind == RK_MASK_FULL)
        return;
    if (from->mask.query == old)
        to->mask.query = new;
    if (from->mask.key == old)
        to->mask.key = new;
}

static int cannot_see(rk_ctx *c, const rk_seen *s, const rk_ixs *axes, rk_span span, const char *what)
{
    const char *have = rk_ixs_text(c, &s->axes);

    return RK_MISTAKE(c, span, "%s is %s, which cannot be read as %s", what, have, rk_ixs_text(c, axes));
}

static bool is_one(rk_ctx *c, const rk_ix *ix)
{
    return ix->kind != RK_IX_AFFINE && rk_same_size(c, ix->size, rk_ex_int(c->pool, 1));
}

/* Mask labels that did not survive make the mask meaningless. */
static void drop_lost_mask(rk_seen *s)
{
    if (s->mask.kind != RK_MASK_FULL && (!rk_ixs_has(&s->axes, s->mask.query) || !rk_ixs_has(&s->axes, s->mask.key)))
        s->mask = (rk_mask){.kind = RK_MASK_FULL};
}

int rk_seen_as(rk_ctx *c, const rk_seen *s, const rk_ixs *axes, rk_span span, const char *what, rk_seen *out)
{
    const rk_ixs *have = &s->axes;
    rk_seen seen = {.tensor = s->tensor, .alias = s->alias, .mask = s->mask};
    size_t i = 0, j = 0;
    run r;

    seen.axes.at = RK_NEW_ARRAY(c->a, axes->n ? axes->n : 1, rk_ix);
    if (!seen.axes.at)
        return rk_fatal_memory(&c->b);
    if (axes->n)
        memcpy(seen.axes.at, axes->at, axes->n * sizeof *axes->at);
    seen.axes.n = axes->n;
    while (i < have->n || j < axes->n) {
        if (j < axes->n && i < have->n && axes->at[j].kind == RK_IX_AFFINE) {
            seen.axes.at[j].size = have->at[i].size;
            i++, j++;
            continue;
        }
        if (i < have->n && j < axes->n && find_run(c, have, i, axes, j, &r)) {
            if (r.na == 1 && r.nb == 1)
                carry_mask(s, have->at[i].label, axes->at[j].label, &seen);
            i += r.na;
            j += r.nb;
            continue;
        }
        /* An axis of one element may come and go. */
        if (i < have->n && is_one(c, &have->at[i]))
            i++;
        else if (j < axes->n && is_one(c, &axes->at[j]))
            j++;
        else
            return c->b.fatal ? c->b.fatal : cannot_see(c, s, axes, span, what);
    }
    drop_lost_mask(&seen);
    *out = seen;
    return rk_pool_ok(c) ? RK_OK : c->b.fatal;
}
