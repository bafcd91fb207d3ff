/* SPDX-License-Identifier: MIT */
/*
 * Timelines: layers of a loop against the same layers written out one by one, what is shown of it against
 * the peak, and the formula of the peak against its number.
 */
#include "account/memory.h"
#include "plan/open.h"

#include "../profiles.h"
#include "../t.h"

/* ---- a loop, and the same layers written out -------------------------------------------------------------------- */

/* A layer is a block, whose variables end with it; `first` has the input of the first layer to the end, in both. */
static const char head[] = "model m: \"a small decoder\"\n"
                           "let D = 24 \"width\"\nlet N = 3 \"heads\"\nlet H = D / N \"head width\"\n"
                           "let F = 40 \"inner width\"\nlet V = 50 \"vocabulary\"\n"
                           "run B = 2 \"sequences\"\nrun S = 7 \"tokens\"\n"
                           "input ids[B S]\n"
                           "block layer(x[B S D], N, H, F) -> y:\n"
                           "    a = rmsnorm(x, .one.weight[D])\n"
                           "    q[B S N H] = a[B S D] * .q.weight[(N H) D]\n"
                           "    k[B S N H] = a[B S D] * .k.weight[(N H) D]\n"
                           "    v[B S N H] = a[B S D] * .v.weight[(N H) D]\n"
                           "    scores[B N S S'] = q[B S N H] * k[B S' N H] where causal(S, S')\n"
                           "    weights = softmax(scores, S')\n"
                           "    context[B S N H] = weights[B N S S'] * v[B S' N H]\n"
                           "    o[B S D] = context[B S N H] * .o.weight[D (N H)]\n"
                           "    x = x + o\n"
                           "    b = rmsnorm(x, .two.weight[D])\n"
                           "    up[B S F] = b[B S D] * .up.weight[F D]\n"
                           "    inner = silu(up)\n"
                           "    down[B S D] = inner[B S F] * .down.weight[D F]\n"
                           "    y = x + down\n"
                           "first[B S D] = lookup(ids, .embed.weight[V D])\nx = first\n";

static const char body[] = "    x = layer(x, N, H, F)\n";

static const char tail[] = "part head:\n"
                           "    final = rmsnorm(x, .norm.weight[D])\n"
                           "    logits[B S V] = final[B S D] * .head.weight[V D]\n"
                           "output logits\n";

static void put_looped(rk_str *s, int layers)
{
    rk_str_put(s, head);
    rk_str_format(s, "part layers[i < %d] at layers.{i}:\n%s%s", layers, body, tail);
}

static void put_written_out(rk_str *s, int layers)
{
    rk_str_put(s, head);
    for (int i = 0; i < layers; i++)
        rk_str_format(s, "part layer%d at layers.%d:\n%s", i, i, body);
    rk_str_put(s, tail);
}

static rk_instance *open_text(const rk_str *s)
{
    rk_model_source source = {.name = "m", .file_name = "m.rk", .text = rk_str_text(s), .n = s->n};
    rk_str mistakes = {0};
    const rk_model *model = NULL;
    rk_instance *m = NULL;
    rk_err err = {0};

    if (!CHECK_INT(rk_model_open(&source, &model, &mistakes, &err), RK_OK) ||
        !CHECK_INT(rk_instance_of(model, &m, &err), RK_OK))
        printf("%s%s\n", rk_str_text(&mistakes), err.message);
    rk_str_free(&mistakes);
    return m;
}

static rk_memory *account(rk_instance *m, const rk_memory_options *o)
{
    rk_memory *memory = NULL;
    rk_err err = {0};

    if (m && !CHECK_INT(rk_memory_new(m, o, &memory, &err), RK_OK))
        printf("%s: %s\n", m->model->name, err.message);
    return memory;
}

static void check_equal(const rk_memory *a, const rk_memory *b)
{
    CHECK_INT(a->parameters, b->parameters);
    CHECK_INT(a->saved, b->saved);
    CHECK_INT(a->peak, b->peak);
    CHECK_INT(a->first_forward, b->first_forward);
    CHECK_INT(a->first_backward, b->first_backward);
    CHECK_INT(a->first_optimizer, b->first_optimizer);
}

static void compare_layers(int layers, const rk_memory_options *o)
{
    rk_str looped = {0}, written = {0};
    rk_instance *a, *b;
    rk_memory *x, *y;

    put_looped(&looped, layers);
    put_written_out(&written, layers);
    a = open_text(&looped);
    b = open_text(&written);
    x = account(a, o);
    y = account(b, o);
    if (x && y)
        check_equal(x, y);
    rk_memory_free(x);
    rk_memory_free(y);
    rk_instance_free(a);
    rk_instance_free(b);
    rk_str_free(&looped);
    rk_str_free(&written);
}

static void check_layers(void)
{
    static const int layers[] = {1, 2, 3, 5, 12};
    static const int rounding[] = {1, 512};

    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        for (size_t k = 0; k < 2; k++) {
            compare_layers(layers[i], &(rk_memory_options){.bytes = 4, .profile = PROFILE_WITH(rounding[k], 0)});
            compare_layers(
                layers[i],
                &(rk_memory_options){.phase = RK_PHASE_PREFILL, .bytes = 2, .profile = PROFILE_WITH(rounding[k], 0)});
        }
}

/* ---- what is shown, and formulas -------------------------------------------------------------------------------  */

typedef struct seen {
    rk_i128 most;
    size_t n, n_wrong; /* frames; those with something below nothing, or a wrong sum */
} seen;

static void see(void *self, const rk_observed_op *f)
{
    seen *s = self;
    rk_i128 sum = 0;
    bool wrong = false;

    for (size_t i = 0; i < RK_N_ALIVE; i++) {
        wrong |= f->bytes[i] < 0;
        sum += f->bytes[i];
    }
    s->n_wrong += wrong || sum != f->total;
    s->most = f->total > s->most ? f->total : s->most;
    s->n++;
}

static rk_instance *open_named(const char *name, bool fused)
{
    rk_open_request r = {.word = &name, .n_word = 1, .passes.profile = "torch", .passes.fused = fused};
    rk_instance *m = NULL;
    rk_err err = {0};

    if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK))
        printf("%s: %s\n", name, err.message);
    return m;
}

static rk_i128 count_alive(const rk_memory *m)
{
    rk_i128 n = 0;

    for (size_t i = 0; i < m->alive.n; i++)
        n += m->alive.at[i].times;
    return n;
}

static rk_i128 count_weights(const rk_instance *m)
{
    rk_binding at = m->at;
    rk_i128 n = 0, times = 0;

    for (size_t i = 0; i < m->program->n_weight; i++) {
        CHECK_INT(
            rk_ex_eval(m->pool, rk_group_times(m->pool, m->program, m->program->weight[i].group), &at, &times, NULL),
            RK_OK);
        n += times;
    }
    return n;
}

/* The largest frame is the peak; so is the first of the moments, whose formula lacks only what is rounded up. */
static void check_timeline(rk_instance *model, rk_memory_options o)
{
    seen s = {0};
    rk_i128 by_kind = 0;
    rk_memory *m;

    o.observer = (rk_observer){.op = see, .self = &s};
    m = account(model, &o);
    if (!m)
        return;
    CHECK(s.n > 0);
    CHECK_INT(s.n_wrong, 0);
    CHECK_INT(s.most, m->peak);
    for (size_t i = 0; i < RK_N_ALIVE; i++)
        by_kind += m->peak_of[i];
    CHECK_INT(by_kind, m->peak);
    CHECK(m->n_moment > 0);
    CHECK_INT(m->moment[0].bytes, m->peak);
    /* Weights, their gradients, two moments and a count of steps are rounded one by one. */
    if (!CHECK(m->moment[0].extra >= 0 &&
               m->moment[0].extra <= o.profile.rounding * (count_alive(m) + 5 * count_weights(model))))
        printf("%s: %lld bytes beyond the formula\n", model->model->name, (long long)m->moment[0].extra);
    rk_memory_free(m);
}

/* The ways to run a step that change what is alive. */
static void check_ways(rk_instance *m)
{
    rk_memory_options plain = {.bytes = 2, .profile = PROFILE_TORCH}, o;

    plain.loss = m->program->loss != RK_NONE;
    check_timeline(m, plain);
    o = plain;
    o.recompute_layers = 1;
    check_timeline(m, o);
    o.recompute_layers = 3;
    check_timeline(m, o);
    o = plain;
    o.passes = 2;
    check_timeline(m, o);
    o = plain;
    o.master = 4;
    check_timeline(m, o);
    o = plain;
    o.phase = RK_PHASE_PREFILL;
    check_timeline(m, o);
}

static void check_timelines(void)
{
    static const char *const name[] = {"gpt2", "llama-3.1-8b", "deepseek-v3", "t5-large", "gpt2-xl"};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        rk_instance *m = open_named(name[i], i == 1);

        if (m)
            check_ways(m);
        rk_instance_free(m);
    }
}

int main(void)
{
    check_layers();
    check_timelines();
    return t_done("timeline");
}
