/* SPDX-License-Identifier: MIT */
/* A program with numbers that follow from the names of its weights and inputs, so that others can have the same. */
#include "runner.h"

#include <math.h>

uint64_t hash_text(const char *text)
{
    uint64_t x = 0xcbf29ce484222325u;

    for (; *text; text++)
        x = (x ^ (unsigned char)*text) * 0x100000001b3u;
    return x | 1;
}

/* The name of a weight in one of the layers of all loops around it. */
const char *name_in_layer(side *s, const rk_weight *w, size_t layer)
{
    const rk_program *p = &s->model->program;
    rk_i128 *index = need(&s->w, p->n_loop + 1, sizeof *index);
    rk_str name = {0};
    const char *text = w->pattern;
    rk_err err;

    for (uint32_t g = w->group; p->group[g].loop != RK_NONE; g = p->group[g].parent) {
        size_t n = p->loop[p->group[g].loop].n_layer;

        index[p->group[g].loop] = (rk_i128)(layer % n);
        layer /= n;
    }
    if (rk_weight_name_text(s->model, &w->name, index, &name, &err) == RK_OK)
        text = rk_arena_text(&s->w.arena, rk_str_text(&name));
    rk_str_free(&name);
    return text;
}

/* By its own name, or by that of a weight to which it is tied though no equation reads that one. */
const rk_weight *named_as(const rk_program *p, const rk_weight *w)
{
    return &p->weight[rk_weight_owner(p, (uint32_t)(w - p->weight))];
}

/* Numbers that follow from the name, whichever tensor of the program has it; those of B are zero, if that is wanted. */
void number_weights(side *s, bool zero_b)
{
    const rk_program *p = &s->model->program;

    for (uint32_t t = 0; t < p->n_tensor; t++) {
        const rk_weight *w = p->tensor[t].kind == RK_TENSOR_WEIGHT ? &p->weight[p->tensor[t].weight] : NULL;

        for (size_t i = 0; w && owner_of(p, t) == t && i < layers_of(p, w->group); i++) {
            value *v = &s->r.value.at[s->r.given[t][i]];
            uint64_t random = hash_text(name_in_layer(s, named_as(p, w), i));

            for (size_t k = 0; k < v->n; k++)
                v->at[k] = zero_b && w->adapter == RK_ADAPTER_B
                               ? 0
                               : 0.8 * ((double)(random_next(&random) >> 11) / (double)((uint64_t)1 << 52) - 1);
        }
    }
}

static void number_inputs(side *s)
{
    const rk_program *p = &s->model->program;

    for (uint32_t t = 0; t < p->n_tensor; t++) {
        uint64_t random = p->tensor[t].kind == RK_TENSOR_INPUT ? hash_text(p->tensor[t].name) : 0;
        value *v = random ? &s->r.value.at[s->r.given[t][0]] : NULL;

        for (size_t k = 0; v && k < v->n; k++) {
            uint64_t x = random_next(&random);

            v->at[k] = s->w.tensor[t].integer ? (double)(x % 1000)
                                              : 0.8 * ((double)(x >> 11) / (double)((uint64_t)1 << 52) - 1);
        }
    }
}

bool open_side(side *s, const rk_model *m, rk_str *out, findings *f)
{
    rk_err err;

    *s = (side){.model = m};
    if (!plan_world(&s->w, m, 1, SIDE_WORK_MAX)) {
        wrong(out, f, "cannot be run: %s", s->w.wrong);
        return false;
    }
    s->r = (runner){.w = &s->w, .p = s->w.p, .a = &s->w.arena, .out = out, .f = &s->none, .form = "by the equations"};
    s->r.loss = s->w.p->loss != RK_NONE;
    s->r.now = need(&s->w, s->w.p->n_tensor + 1, sizeof *s->r.now);
    find_recurrences(&s->r);
    give_numbers(&s->r);
    if (rk_gradient_new(&s->w.arena, s->w.p, &s->g, &err) != RK_OK) {
        wrong(out, f, "gradient: %s", err.message);
        return false;
    }
    number_weights(s, false);
    number_inputs(s);
    set_wants(&s->w, &s->g.flow);
    return true;
}

void run_side(side *s, bool back, rk_str *out, findings *f)
{
    s->r.tape.n = 0;
    run_plain(&s->r);
    if (back)
        run_plain_back(&s->r);
    if (s->w.wrong[0] != '\0')
        wrong(out, f, "%s", s->w.wrong);
}

double distance(const double *a, const double *b, size_t n)
{
    double far = 0, size = 1;

    for (size_t k = 0; k < n; k++) {
        if (isnan(a[k]) && isnan(b[k]))
            continue;
        if (!isfinite(a[k]) || !isfinite(b[k]))
            return a[k] == b[k] ? far : (double)INFINITY;
        far = fmax(far, fabs(a[k] - b[k]));
        size = fmax(size, fabs(a[k]));
    }
    return far / size;
}

/* Whether a layer of all loops around a group is one of its own. */
bool runs_layer(const rk_program *p, uint32_t group, size_t layer)
{
    for (; p->group[group].loop != RK_NONE; group = p->group[group].parent) {
        const rk_loop *l = &p->loop[p->group[group].loop];

        if (l->order && l->order[layer % l->n_layer] != group)
            return false;
        layer /= l->n_layer;
    }
    return true;
}
