/* SPDX-License-Identifier: MIT */
#include "model/regroup.h"

#include "model/copy.h"

#include <string.h>

#define ROUNDS_MAX 64 /* loops inside each other are split from the outside inwards; far above any model */

static uint32_t group_of(const rk_loop *l, size_t layer)
{
    return l->order ? l->order[layer] : l->group[0];
}

/* ---- classes of layers ----------------------------------------------------------------------------------------- */

/* Layers of one class form a group, which is expanded as the first of them was; classes are 0, 1, 2 … as they come. */
static int form_classes(rk_arena *a, const rk_loop *l, const uint32_t *class, size_t n, rk_copy_loop *out, rk_err *err)
{
    out->layers = RK_NEW_ARRAY(a, n + 1, rk_copy_layers);
    out->n = n;
    if (!out->layers)
        return rk_fail_memory(err);
    for (size_t i = 0; i < l->n_layer; i++)
        out->layers[class[i]].n_layer++;
    for (size_t k = 0; k < n; k++) {
        out->layers[k].layer = n == 1 ? NULL : RK_NEW_ARRAY(a, out->layers[k].n_layer, uint32_t);
        out->layers[k].group = RK_NONE;
        if (n > 1 && !out->layers[k].layer)
            return rk_fail_memory(err);
        out->layers[k].n_layer = n == 1 ? out->layers[k].n_layer : 0;
    }
    for (size_t i = 0; i < l->n_layer; i++) {
        rk_copy_layers *x = &out->layers[class[i]];

        x->group = x->group == RK_NONE ? group_of(l, i) : x->group;
        if (n > 1)
            x->layer[x->n_layer++] = (uint32_t)i;
    }
    return RK_OK;
}

/* The class of each layer by a key of two numbers; returns how many there are, or 0: no memory. */
static size_t classify(rk_arena *a, const rk_loop *l, const uint64_t *signature, uint32_t *class)
{
    rk_map known = {.n = 0};

    for (size_t i = 0; i < l->n_layer; i++) {
        uint64_t key[2] = {group_of(l, i), signature[i]};
        uint32_t k = rk_map_get(&known, (const char *)key, sizeof key);

        class[i] = k == RK_NONE ? (uint32_t)known.n : k;
        if (k == RK_NONE && !rk_map_put(a, &known, (const char *)key, sizeof key, class[i]))
            return 0;
    }
    return known.n;
}

static int make(const rk_model *in, const rk_copy_loop *loops, const rk_model **out, rk_err *err)
{
    rk_model_draft *d = NULL;
    rk_build b;
    rk_copy c = {.regroup = loops};
    int code = rk_model_derive(in, &d, err);

    if (code != RK_OK)
        return code;
    code = rk_build_begin(&b, &d->model->arena, d->pool, in->name, err);
    if (code == RK_OK)
        code = rk_copy_program(&c, &in->program, &b);
    return rk_model_finish(code, d, &b, out);
}

/* ---- splitting groups -------------------------------------------------------------------------------------------- */

static bool is_mixed(const rk_loop *l, const uint64_t *signature, uint64_t *of_group)
{
    for (size_t i = l->n_layer; i > 0; i--)
        of_group[group_of(l, i - 1)] = signature[i - 1];
    for (size_t i = 0; i < l->n_layer; i++)
        if (of_group[group_of(l, i)] != signature[i])
            return true;
    return false;
}

static int split_loop(rk_arena *a, const rk_loop *l, const uint64_t *signature, rk_copy_loop *out, rk_err *err)
{
    uint32_t *class = RK_NEW_ARRAY(a, l->n_layer + 1, uint32_t);
    size_t n = class ? classify(a, l, signature, class) : 0;

    return n == 0 ? rk_fail_memory(err) : form_classes(a, l, class, n, out, err);
}

int rk_split_groups(const rk_model *in, uint64_t *const *signature, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    rk_copy_loop *loops = RK_NEW_ARRAY(&own, p->n_loop + 1, rk_copy_loop);
    uint64_t *of_group = RK_NEW_ARRAY(&own, p->n_group + 1, uint64_t);
    bool *open = RK_NEW_ARRAY(&own, p->n_loop + 1, bool), some = false;
    int code = loops && of_group && open ? RK_OK : rk_fail_memory(err);

    for (size_t i = 0; i < p->n_loop && code == RK_OK; i++) {
        const rk_loop *l = &p->loop[i];
        uint32_t outer = p->group[l->parent].loop;
        bool waits = outer != RK_NONE && open[outer];
        bool mixed = signature[i] && l->n_group && is_mixed(l, signature[i], of_group);

        open[i] = waits || mixed;
        some |= mixed;
        if (mixed && !waits)
            code = split_loop(&own, l, signature[i], &loops[i], err);
    }
    if (code == RK_OK && some)
        code = make(in, loops, out, err);
    rk_arena_free(&own);
    return code;
}

/* Where their number is not known, so many more layers at either end stand alone. */
static int peel(rk_arena *a, const rk_loop *l, const rk_flow_loop *f, rk_copy_loop *out, rk_err *err)
{
    size_t n = l->n_group + f->first + f->last, k = 0;

    out->layers = RK_NEW_ARRAY(a, n + 1, rk_copy_layers);
    out->n = n;
    out->n_first = l->n_first + f->first;
    if (!out->layers)
        return rk_fail_memory(err);
    for (size_t i = 0; i < l->n_group; i++)
        for (size_t again = i == l->n_first ? 1 + f->first + f->last : 1; again > 0; again--)
            out->layers[k++] = (rk_copy_layers){.group = l->group[i]};
    return RK_OK;
}

static int peel_all(rk_arena *a, const rk_model *in, const rk_flow *f, rk_copy_loop *loops, bool *some, rk_err *err)
{
    const rk_program *p = &in->program;
    int code = RK_OK;

    for (size_t i = 0; i < p->n_loop && code == RK_OK; i++) {
        const rk_loop *l = &p->loop[i];

        if (l->count_known || f->loop[i].first + f->loop[i].last == 0)
            continue;
        code = peel(a, l, &f->loop[i], &loops[i], err);
        *some = true;
    }
    return code;
}

/* One round: *out stays NULL where nothing is to be done. */
static int split_once(const rk_model *in, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    rk_flow f = {0};
    uint64_t **signature = RK_NEW_ARRAY(&own, p->n_loop + 1, uint64_t *);
    rk_copy_loop *loops = RK_NEW_ARRAY(&own, p->n_loop + 1, rk_copy_loop);
    bool some = false;
    int code = signature && loops ? rk_flow_new(&own, p, &f, err) : rk_fail_memory(err);

    if (code != RK_OK)
        code = rk_err_context(err, code, "%s", in->name);
    for (size_t i = 0; code == RK_OK && i < p->n_loop; i++)
        signature[i] = p->loop[i].count_known ? f.loop[i].signature : NULL;
    if (code == RK_OK)
        code = rk_split_groups(in, signature, out, err);
    if (code == RK_OK && !*out)
        code = peel_all(&own, in, &f, loops, &some, err);
    if (code == RK_OK && some)
        code = make(in, loops, out, err);
    rk_arena_free(&own);
    return code;
}

int rk_split_layers(const rk_model *in, const rk_model **out, rk_err *err)
{
    const rk_model *next = NULL;
    int code = RK_OK;

    *out = NULL;
    for (int round = 0; code == RK_OK; round++) {
        next = NULL;
        if (round == ROUNDS_MAX)
            code = rk_fail(err, RK_ELIMIT, "%s: layers need gradients in too many different ways", in->name);
        if (code == RK_OK)
            code = split_once(*out ? *out : in, &next, err);
        if (code != RK_OK || !next)
            break;
        rk_model_own(next, *out);
        *out = next;
    }
    if (code != RK_OK) {
        rk_model_free(*out);
        *out = NULL;
    }
    return code;
}

/* ---- putting together ------------------------------------------------------------------------------------------ */

/* Two groups being compared, operation by operation: what of one stands for what of the other. */
typedef struct pairing {
    const rk_program *p;
    const rk_group *a, *b;
    size_t n_carry;
    uint32_t *tensor, *label; /* of each of b's, that of a; RK_NONE: none yet */
} pairing;

static bool pair(uint32_t *of, uint32_t b, uint32_t a)
{
    bool good = of[b] == RK_NONE || of[b] == a;

    of[b] = a;
    return good;
}

static bool same_label(pairing *x, uint32_t a, uint32_t b)
{
    const rk_label *l = x->p->label;

    return a == b || (l[a].size == l[b].size && strcmp(l[a].name, l[b].name) == 0 && pair(x->label, b, a));
}

static bool same_axes(pairing *x, const rk_ixs *a, const rk_ixs *b)
{
    bool same = a->n == b->n;

    for (size_t i = 0; i < a->n && same; i++) {
        const rk_ix *m = &a->at[i], *n = &b->at[i];

        same = m->kind == n->kind && m->size == n->size && m->n_term == n->n_term && m->n_part == n->n_part &&
               (m->kind == RK_IX_AFFINE ? m->offset == n->offset : same_label(x, m->label, n->label));
        for (size_t k = 0; k < m->n_term && same; k++)
            same = m->term[k].factor == n->term[k].factor && same_label(x, m->term[k].label, n->term[k].label);
        for (size_t k = 0; k < m->n_part && same; k++)
            same = same_axes(x, &m->part[k], &n->part[k]);
    }
    return same;
}

static bool same_mask(pairing *x, const rk_mask *a, const rk_mask *b)
{
    return a->kind == b->kind && (a->kind == RK_MASK_FULL || (a->size == b->size && same_label(x, a->query, b->query) &&
                                                              same_label(x, a->key, b->key)));
}

/* A weight of the layer is the one of the same name; what comes from outside is the same for both. */
static bool same_tensor(pairing *x, uint32_t a, uint32_t b)
{
    const rk_tensor *s = &x->p->tensor[a], *t = &x->p->tensor[b];

    if (s->kind == RK_TENSOR_WEIGHT && t->kind == RK_TENSOR_WEIGHT) {
        const rk_weight *v = &x->p->weight[s->weight], *w = &x->p->weight[t->weight];

        return a == b || (v->count == w->count && v->frozen == w->frozen && strcmp(v->pattern, w->pattern) == 0);
    }
    return x->tensor[b] == RK_NONE ? a == b : x->tensor[b] == a;
}

static bool same_op(pairing *x, const rk_op *a, const rk_op *b)
{
    bool same = a->row == b->row && a->n_in == b->n_in && a->summed == b->summed && a->n_label == b->n_label &&
                a->arg == b->arg && a->real == b->real && a->which == b->which && a->part == b->part &&
                strcmp(a->name, b->name) == 0 && same_mask(x, &a->mask, &b->mask);

    for (size_t k = 0; k < a->n_in && same; k++)
        same = same_tensor(x, a->in[k].tensor, b->in[k].tensor) && same_axes(x, &a->in[k].axes, &b->in[k].axes);
    for (size_t k = 0; k < a->n_label && same; k++)
        same = same_label(x, a->label[k], b->label[k]);
    return same && same_axes(x, &x->p->tensor[a->out].axes, &x->p->tensor[b->out].axes) &&
           pair(x->tensor, b->out, a->out);
}

/* What is carried to the next token is the same, too. */
static bool same_keeps(const pairing *x, uint32_t a, uint32_t b)
{
    const rk_program *p = x->p;
    size_t i = 0, k = 0;

    for (;; i++, k++) {
        while (i < p->n_keep && p->keep[i].group != a)
            i++;
        while (k < p->n_keep && p->keep[k].group != b)
            k++;
        if (i == p->n_keep || k == p->n_keep)
            return i == k;
        if (p->keep[i].within != p->keep[k].within || p->keep[i].last != p->keep[k].last ||
            p->keep[i].once != p->keep[k].once || p->keep[i].over_size != p->keep[k].over_size ||
            x->tensor[p->keep[k].tensor] != p->keep[i].tensor)
            return false;
    }
}

static bool has_loop(const rk_program *p, uint32_t group)
{
    for (size_t i = 0; i < p->n_loop; i++)
        if (p->loop[i].parent == group)
            return true;
    return false;
}

static bool same_groups(pairing *x, uint32_t a, uint32_t b)
{
    const rk_program *p = x->p;
    bool same;

    x->a = &p->group[a];
    x->b = &p->group[b];
    memset(x->tensor, 0xFF, p->n_tensor * sizeof *x->tensor);
    memset(x->label, 0xFF, p->n_label * sizeof *x->label);
    same = x->a->end_op - x->a->first_op == x->b->end_op - x->b->first_op && !has_loop(p, a) && !has_loop(p, b);
    for (size_t v = 0; v < x->n_carry && same; v++)
        same = pair(x->tensor, x->b->in[v], x->a->in[v]);
    for (size_t i = 0; same && x->a->first_op + i < x->a->end_op; i++)
        same = same_op(x, &p->op[x->a->first_op + i], &p->op[x->b->first_op + i]);
    for (size_t v = 0; v < x->n_carry && same; v++)
        same = same_tensor(x, x->a->out[v], x->b->out[v]);
    return same && same_keeps(x, a, b);
}

/* The class of each group of a loop: that of the first one that is the same. */
static int merge_loop(rk_arena *a, const rk_model *in, const rk_loop *l, rk_copy_loop *out, rk_err *err)
{
    const rk_program *p = &in->program;
    pairing x = {.p = p, .n_carry = l->n_carry};
    uint32_t *first = RK_NEW_ARRAY(a, p->n_group + 1, uint32_t), *class = RK_NEW_ARRAY(a, l->n_layer + 1, uint32_t);
    uint32_t *number = RK_NEW_ARRAY(a, p->n_group + 1, uint32_t), n = 0;
    bool some = false;

    x.tensor = RK_NEW_ARRAY(a, p->n_tensor + 1, uint32_t);
    x.label = RK_NEW_ARRAY(a, p->n_label + 1, uint32_t);
    if (!first || !class || !number || !x.tensor || !x.label)
        return rk_fail_memory(err);
    for (size_t i = 0; i < l->n_group; i++) {
        size_t k = 0;

        while (k < i && !(first[l->group[k]] == l->group[k] && same_groups(&x, l->group[k], l->group[i])))
            k++;
        first[l->group[i]] = l->group[k];
        number[l->group[i]] = k == i ? n++ : number[l->group[k]];
        some |= k < i;
    }
    for (size_t i = 0; i < l->n_layer; i++)
        class[i] = number[group_of(l, i)];
    return some ? form_classes(a, l, class, n, out, err) : RK_OK;
}

int rk_merge_layers(const rk_model *in, const rk_model **out, rk_err *err)
{
    const rk_program *p = &in->program;
    rk_arena own = {0};
    rk_copy_loop *loops = RK_NEW_ARRAY(&own, p->n_loop + 1, rk_copy_loop);
    bool some = false;
    int code = loops ? RK_OK : rk_fail_memory(err);

    *out = NULL;
    for (size_t i = 0; i < p->n_loop && code == RK_OK; i++)
        if (p->loop[i].n_group > 1 && p->loop[i].count_known && p->loop[i].parent == 0) {
            code = merge_loop(&own, in, &p->loop[i], &loops[i], err);
            some |= loops[i].n > 0;
        }
    if (code == RK_OK && some)
        code = make(in, loops, out, err);
    rk_arena_free(&own);
    return code;
}
