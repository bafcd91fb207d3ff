/* SPDX-License-Identifier: MIT */
/*
 * Timelines: layers of a loop against the same layers written out one by one, what is shown of it against
 * the peak, the formula of the peak against its number, and layers that are walked once against all of them.
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

/* ---- layers that find the same ---------------------------------------------------------------------------------- */

/* All scenes of a walk, and what is saved on the way: who wants to hear of that sees each layer walked task by task. */
typedef struct scenes {
    rk_arena a;
    RK_VEC(rk_scene) all;
} scenes;

static void take_scene(void *self, const rk_scene *scene)
{
    scenes *s = self;
    rk_scene *slot = RK_PUSH(&s->a, &s->all);

    if (!CHECK(slot != NULL))
        return;
    *slot = *scene;
    slot->layer =
        scene->n_layer ? rk_arena_copy_array(&s->a, scene->layer, scene->n_layer, sizeof *scene->layer) : NULL;
}

static void hear_save(void *self, uint32_t buffer, uint32_t op)
{
    (void)self;
    (void)buffer;
    (void)op;
}

static bool is_same_scene(const rk_scene *a, const rk_scene *b)
{
    for (size_t i = 0; i < RK_N_LIVE; i++)
        if (a->bytes[i] != b->bytes[i])
            return false;
    for (size_t i = 0; i < a->n_layer && i < b->n_layer; i++)
        if (a->layer[i] != b->layer[i])
            return false;
    return a->stage == b->stage && a->op == b->op && a->n_layer == b->n_layer && a->sum == b->sum;
}

static bool is_same_moment(const rk_moment *a, const rk_moment *b, size_t n_buffer)
{
    for (size_t i = 0; i < 3 * n_buffer; i++) /* the tables left and kept lie behind that of the buffers */
        if (a->buffers[i] != b->buffers[i])
            return false;
    for (size_t i = 0; i < RK_N_LIVE; i++)
        if (a->live[i] != b->live[i])
            return false;
    return a->bytes == b->bytes && a->op == b->op && a->event == b->event;
}

static void compare_walks(const char *name, const rk_step *step)
{
    rk_arena a = {0};
    scenes by_task = {0}, once = {0};
    rk_timeline t = {0}, u = {0};
    rk_watcher watcher = {.op = take_scene, .save = hear_save, .self = &by_task};
    rk_err err = {0};
    bool same;

    CHECK_INT(rk_timeline_new(&a, step, &watcher, NULL, true, &t, &err), RK_OK);
    watcher = (rk_watcher){.op = take_scene, .self = &once};
    CHECK_INT(rk_timeline_new(&a, step, &watcher, NULL, true, &u, &err), RK_OK);
    same = CHECK_INT(once.all.n, by_task.all.n);
    for (size_t i = 0; same && i < once.all.n; i++)
        same = CHECK(is_same_scene(&once.all.at[i], &by_task.all.at[i]));
    same = CHECK(is_same_moment(&t.forward, &u.forward, step->n_buffer)) && same;
    for (size_t i = 0; i < RK_N_BACKWARD_PART; i++)
        same = CHECK(is_same_moment(&t.part[i], &u.part[i], step->n_buffer)) && same;
    for (size_t i = 0; i < step->n_place; i++)
        same = CHECK_INT(t.saved[i], u.saved[i]) && same;
    same = CHECK_INT(t.after_forward, u.after_forward) && CHECK_INT(t.after_backward, u.after_backward) && same;
    if (!same)
        printf("    %s: layers that were walked once\n", name);
    rk_arena_free(&by_task.a);
    rk_arena_free(&once.a);
    rk_arena_free(&a);
}

static void check_repeats(const char *name, bool backward, size_t recompute_layers)
{
    rk_instance *m = open_named(name, false);
    rk_arena a = {0};
    rk_profile profile = PROFILE_TORCH;
    rk_run_options run = {.bytes = 2, .profile = &profile};
    rk_step_options o = {.run = run,
                         .backward = backward,
                         .loss = m && backward && m->program->loss != RK_NONE,
                         .hold_output = true,
                         .recompute_layers = recompute_layers,
                         .rounding = profile.rounding,
                         .places = RK_EX_FAILED};
    rk_places places = {0};
    rk_flow flow = {0};
    rk_step step = {0};
    rk_err err = {0};
    int code = m ? rk_flow_new(&a, m->program, &flow, &err) : RK_EINPUT;

    if (code == RK_OK)
        code = rk_places_new(&a, m, &flow, &run, &places, &err);
    if (code == RK_OK)
        code = rk_step_new(&a, m, &places, &flow, &o, &step, &err);
    if (CHECK_INT(code, RK_OK))
        compare_walks(name, &step);
    rk_arena_free(&a);
    rk_instance_free(m);
}

static void check_all_repeats(void)
{
    static const char *const name[] = {"gpt2",       "llama-3.1-8b", "deepseek-v3",      "t5-large",
                                       "gemma-2-9b", "gpt-oss-20b",  "whisper-large-v3", "jamba-v0.1"};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        check_repeats(name[i], true, 0);
        check_repeats(name[i], true, 1);
        check_repeats(name[i], true, 3);
        check_repeats(name[i], false, 0);
    }
}

/* ---- an allocator that is as it was ------------------------------------------------------------------------------ */

static void check_states(void)
{
    rk_profile profile = PROFILE_TORCH;
    rk_arena a = {0};
    rk_allocator *x = rk_allocator_new(&a, &profile);
    rk_allocator_state before = {0}, after = {0};
    uint32_t first, second;

    if (!CHECK(x != NULL))
        return;
    rk_allocator_take(x, 3 << 20);
    CHECK(rk_allocator_look(x, &a, &before));
    first = rk_allocator_take(x, 5 << 20);
    second = rk_allocator_take(x, 1000);
    CHECK(rk_allocator_look(x, &a, &after) && !rk_allocator_same(&before, &after));
    rk_allocator_free(x, first);
    rk_allocator_free(x, second); /* its segment stays: this is another state … */
    CHECK(rk_allocator_look(x, &a, &after) && !rk_allocator_same(&before, &after));
    first = rk_allocator_take(x, 5 << 20);
    second = rk_allocator_take(x, 1000);
    rk_allocator_free(x, second);
    rk_allocator_free(x, first);
    CHECK(rk_allocator_look(x, &a, &before) && rk_allocator_same(&before, &after)); /* … and this is the same */
    rk_arena_free(&a);
}

int main(void)
{
    check_layers();
    check_timelines();
    check_all_repeats();
    check_states();
    return t_done("timeline");
}
