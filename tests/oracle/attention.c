/* SPDX-License-Identifier: MIT */
/*
 * Attention in one operation: out = softmax(q·k/√H + added)·v, row by row, and its gradients.
 *
 * Its operands may share the label of their last axis with each other and with the result: that one is stepped through
 * by hand.
 */
#include "oracle.h"

#include <math.h>

typedef struct attention {
    world *w;
    plan *p;
    plan masks;  /* what a pair is judged by */
    labels rows; /* of queries */
    labels keys;
    uint32_t within, of_key, of_value, of_out; /* labels of last axes */
    double scale;
    double *share, *change; /* of each key of a row */
    const key_source *from; /* where keys and values come from, one device after the other … */
    size_t n_from;          /* … 0: they are all here */
} attention;

/* All keys of a row: those here, or those of each device in turn, as they come round. */
#define EACH_KEY(a)                                                                                                    \
    for (size_t s_ = 0; s_ == 0 || s_ < (a)->n_from; s_++)                                                             \
        for (bool go_ = take_source((a), s_) && walk_first((a)->w, &(a)->keys); go_;                                   \
             go_ = walk_next((a)->w, &(a)->keys))

static uint32_t last_of(const view *v)
{
    return v->at[v->n - 1].label[0];
}

static bool take_source(attention *a, size_t which)
{
    const key_source *s;

    if (which >= a->n_from)
        return true;
    s = a->from + which;
    a->w->tensor[a->p->in[1].tensor] = s->key;
    a->w->tensor[a->p->in[2].tensor] = s->value;
    for (size_t i = 0; i < a->keys.n; i++)
        if (a->w->place[a->keys.at[i]] != NULL)
            a->w->place[a->keys.at[i]] = s->place;
    return true;
}

static attention begin(world *w, plan *p, const key_source *from, size_t n_from)
{
    attention a = {.w = w, .p = p, .masks = *p, .from = from, .n_from = n_from};
    labels q = {0}, k = {0};
    size_t n = n_from > 0 ? n_from : 1;

    labels_add_view(&q, &p->in[0]);
    labels_add_view(&k, &p->in[1]);
    a.within = last_of(&p->in[0]);
    a.of_key = last_of(&p->in[1]);
    a.of_value = last_of(&p->in[2]);
    a.of_out = last_of(&p->out);
    for (size_t i = 0; i < p->domain.n; i++)
        if (p->domain.at[i] != a.of_out)
            labels_add(&a.rows, p->domain.at[i]);
    for (size_t i = 0; i < k.n; i++)
        if (!labels_has(&q, k.at[i]) && !labels_has(&a.rows, k.at[i]) && k.at[i] != a.of_key)
            labels_add(&a.keys, k.at[i]);
    for (size_t i = 0; i < a.keys.n; i++)
        n *= (size_t)w->size[a.keys.at[i]];
    a.masks.masked =
        p->mask.kind != RK_MASK_FULL && labels_has(&a.rows, p->mask.query) && labels_has(&a.keys, p->mask.key);
    a.scale = 1 / sqrt((double)w->size[a.within]);
    a.share = need(w, n + 1, sizeof *a.share);
    a.change = need(w, n + 1, sizeof *a.change);
    if (n_from > 0 && (p->in[0].tensor == p->in[1].tensor || (p->op->n_in > 3 && p->want[3])))
        fail_world(w, "%s: its keys cannot come from elsewhere", p->op->name);
    if (w->size[a.within] != w->size[a.of_key] || w->size[a.of_value] != w->size[a.of_out])
        fail_world(w, "%s: queries, keys and values are not of one width", p->op->name);
    return a;
}

static double score(attention *a)
{
    world *w = a->w;
    double sum = 0;

    for (long e = 0; e < w->size[a->within]; e++) {
        double x;

        w->index[a->within] = e;
        x = view_get(w, &a->p->in[0]);
        w->index[a->of_key] = e;
        sum += x * view_get(w, &a->p->in[1]);
    }
    return sum * a->scale + (a->p->op->n_in > 3 ? view_get(w, &a->p->in[3]) : 0);
}

/* The share of each key in the row that the indices stand at. */
static void find_shares(attention *a)
{
    double most = -INFINITY, sum = 0;
    size_t n = 0;

    EACH_KEY(a)
    {
        a->share[n] = pair_allowed(a->w, &a->masks) ? score(a) : -INFINITY;
        most = fmax(most, a->share[n++]);
    }
    for (size_t i = 0; i < n; i++)
        sum += a->share[i] = isinf(most) ? 0 : exp(a->share[i] - most);
    for (size_t i = 0; i < n; i++)
        a->share[i] /= sum > 0 ? sum : 1;
}

static void forward(world *w, plan *p, const key_source *from, size_t n_from)
{
    rk_arena_mark mark = rk_arena_here(&w->arena);
    attention a = begin(w, p, from, n_from);

    WALK(w, &a.rows)
    {
        find_shares(&a);
        for (long y = 0; y < w->size[a.of_out]; y++) {
            double sum = 0;
            size_t i = 0;

            EACH_KEY(&a)
            {
                w->index[a.of_value] = y;
                sum += a.share[i++] * view_get(w, &p->in[2]);
            }
            w->index[a.of_out] = y;
            view_put(w, &p->out, sum);
        }
    }
    rk_arena_rewind(&w->arena, mark);
}

/* What the gradient of the result says of the share of the key that the indices stand at, and of its values. */
static double back_to_values(attention *a, double share)
{
    world *w = a->w;
    double sum = 0;

    for (long y = 0; y < w->size[a->of_out]; y++) {
        double g;

        w->index[a->of_out] = y;
        g = view_grad(w, &a->p->out);
        w->index[a->of_value] = y;
        sum += g * view_get(w, &a->p->in[2]);
        if (a->p->want[2])
            view_add_grad(w, &a->p->in[2], g * share);
    }
    return sum;
}

static void back_to_queries(attention *a, double g)
{
    world *w = a->w;

    for (long e = 0; e < w->size[a->within]; e++) {
        double q, k;

        w->index[a->within] = e;
        q = view_get(w, &a->p->in[0]);
        w->index[a->of_key] = e;
        k = view_get(w, &a->p->in[1]);
        if (a->p->want[1])
            view_add_grad(w, &a->p->in[1], g * q * a->scale);
        w->index[a->within] = e;
        if (a->p->want[0])
            view_add_grad(w, &a->p->in[0], g * k * a->scale);
    }
    if (a->p->op->n_in > 3 && a->p->want[3])
        view_add_grad(w, &a->p->in[3], g);
}

static void backward(world *w, plan *p, const key_source *from, size_t n_from)
{
    rk_arena_mark mark = rk_arena_here(&w->arena);
    attention a = begin(w, p, from, n_from);

    WALK(w, &a.rows)
    {
        double sum = 0;
        size_t i = 0;

        find_shares(&a);
        EACH_KEY(&a)
        {
            a.change[i] = back_to_values(&a, a.share[i]);
            sum += a.share[i] * a.change[i];
            i++;
        }
        i = 0;
        EACH_KEY(&a)
        {
            if (a.share[i] > 0)
                back_to_queries(&a, a.share[i] * (a.change[i] - sum));
            i++;
        }
    }
    rk_arena_rewind(&w->arena, mark);
}

void attention_forward(world *w, plan *p)
{
    forward(w, p, NULL, 0);
}

void attention_backward(world *w, plan *p)
{
    backward(w, p, NULL, 0);
}

void attention_over(world *w, plan *p, const key_source *from, size_t n, bool back)
{
    if (back)
        backward(w, p, from, n);
    else
        forward(w, p, from, n);
}
