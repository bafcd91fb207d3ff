/* SPDX-License-Identifier: MIT */
/*
 * Weights in pieces: all ranks together have the whole, and what a step gathers it lets go, so that of a step that has
 * ended the rank's pieces of the gradients are left and nothing else that one device alone would not have, too.
 */
#include "pass/timeline.h"
#include "plan/run.h"

#include "../profiles.h"
#include "../t.h"

#include <stdlib.h>

static const char *const model[] = {
    "tests/golden/ranks/tiny-llama.config.json", "tests/golden/ranks/tiny-llama-gqa.config.json",
    "tests/golden/ranks/tiny-gpt2.config.json",  "tests/golden/ranks/tiny-qwen3moe.config.json",
    "tests/golden/tiny/t5.config.json",          "tests/golden/tiny/zamba2.config.json"};

/* Words of one layout; those of the same place in all are compared with one device that is told `alone`. */
typedef struct words {
    const char *line, *rank, *units, *reshard, *no_sync;
    size_t recompute;
    bool adds_up;
} words;

static const words layout[] = {
    {.line = "fsdp=8"},
    {.line = "fsdp=5", .rank = "4", .reshard = "no"},
    {.line = "fsdp=3", .rank = "1", .reshard = "all", .recompute = 1},
    {.line = "fsdp=4", .units = "titan", .recompute = 2},
    {.line = "fsdp=4", .units = "hf", .reshard = "no", .recompute = 3},
    {.line = "fsdp=4,replicate=2", .units = "hf"},
    {.line = "fsdp=4", .units = "titan", .adds_up = true},
    {.line = "fsdp=7", .rank = "6", .no_sync = ""},
    {.line = "fsdp=2", .units = "titan", .reshard = "no", .no_sync = "", .recompute = 1},
};

#define N_OF(a) (sizeof(a) / sizeof *(a))

static bool open_run(const char *name, const words *w, rk_run *out)
{
    rk_setting setting[] = {{.name = "B", .value = 2}};
    rk_run_request r = {.open = {.word = &name, .n_word = 1, .setting = setting, .n_setting = 1},
                        .word = {[RK_RUN_DTYPE] = "bf16", [RK_RUN_ATTENTION] = "eager"},
                        .count[RK_RUN_PASSES] = w && (w->no_sync || w->adds_up) ? 2 : 0};
    rk_err err = {0};

    if (w) {
        r.layout.said[RK_LAYOUT_LINE] = w->line;
        r.layout.said[RK_LAYOUT_RANK] = w->rank;
        r.layout.said[RK_LAYOUT_UNITS] = w->units;
        r.layout.said[RK_LAYOUT_RESHARD] = w->reshard;
        r.layout.said[RK_LAYOUT_NO_SYNC] = w->no_sync;
    }
    if (CHECK_INT(rk_run_open(&r, out, &err), RK_OK))
        return true;
    printf("    %s %s: %s\n", name, w ? w->line : "alone", err.message);
    return false;
}

/* ---- all ranks together ------------------------------------------------------------------------------------------ */

static rk_memory *account(const rk_run *run)
{
    rk_memory *m = NULL;
    rk_err err = {0};

    if (!CHECK_INT(rk_memory_new(run->opened.instance, &run->options, &m, &err), RK_OK))
        printf("    %s\n", err.message);
    return m;
}

static void test_all_ranks(const char *name, int devices)
{
    rk_i128 parameters = 0, gradients = 0, optimizer = 0;
    rk_run run;
    rk_memory *m;

    for (int i = 0; i < devices; i++) {
        char line[16], rank[16];

        snprintf(line, sizeof line, "fsdp=%d", devices);
        snprintf(rank, sizeof rank, "%d", i);
        if (!open_run(name, &(words){.line = line, .rank = rank}, &run))
            return;
        if ((m = account(&run))) {
            parameters += m->parameters;
            gradients += m->gradients;
            optimizer += m->optimizer;
            CHECK(m->held_weights >= m->parameters && m->held_gradients >= m->gradients);
        }
        rk_memory_free(m);
        rk_run_close(&run);
    }
    if (!open_run(name, NULL, &run))
        return;
    if ((m = account(&run)) && (!CHECK_INT(parameters, m->parameters) || !CHECK_INT(gradients, m->gradients) ||
                                !CHECK_INT(optimizer, m->optimizer)))
        printf("    %s over %d\n", name, devices);
    rk_memory_free(m);
    rk_run_close(&run);
}

/* ---- what is left of a step -------------------------------------------------------------------------------------- */

/* Bytes that are alive after a step, without the gradients of weights that it leaves. */
static rk_i128 left(const rk_run *run, const words *w)
{
    const rk_instance *x = run->opened.instance;
    const rk_layout *l = run->options.layout;
    rk_arena a = {0};
    rk_weight_units units = {0};
    rk_flow flow;
    rk_places places;
    rk_step step;
    rk_timeline t = {0};
    rk_i128 gradients = 0;
    rk_err err = {0};
    rk_step_options o = {.run = {.bytes = 2, .profile = &run->options.profile},
                         .backward = true,
                         .loss = run->options.loss,
                         .rounding = 1,
                         .recompute_layers = w->recompute,
                         .places = RK_EX_FAILED,
                         .layout = l,
                         .stored = 2,
                         .units = l ? &units : NULL,
                         .adds_up = l && w->adds_up,
                         .accumulates_whole = l && w->no_sync};
    int code = rk_flow_new(&a, x->program, &flow, &err);

    if (code == RK_OK)
        code = rk_places_new(&a, x, &flow, &o.run, &places, &err);
    if (code == RK_OK && l)
        code = rk_units_new(&a, x, l, &units, &err);
    if (code == RK_OK)
        code = rk_step_new(&a, x, &places, &flow, &o, &step, &err);
    if (code == RK_OK)
        code = rk_timeline_new(&a, &step, NULL, NULL, false, &t, &err);
    for (size_t i = 0; i < units.n && code == RK_OK && !o.adds_up; i++)
        gradients += 2 * rk_instance_value(x, rk_group_times(x->pool, x->program, units.at[i].group), &code, &err) *
                     rk_instance_value(x, units.at[i].trained, &code, &err) / l->size[RK_MESH_FSDP];
    for (size_t i = 0; i < x->program->n_weight && code == RK_OK && !l; i++) {
        const rk_weight *of = &x->program->weight[i];

        if (of->tied_to == RK_NONE && !of->frozen && !of->buffer && of->tensor != RK_NONE)
            gradients += 2 * rk_instance_value(x, rk_group_times(x->pool, x->program, of->group), &code, &err) *
                         rk_instance_value(x, of->count, &code, &err);
    }
    if (!CHECK_INT(code, RK_OK))
        printf("    %s\n", err.message);
    rk_arena_free(&a);
    return t.after_backward - gradients;
}

static void test_left(const char *name, const words *w)
{
    rk_run alone, rank;

    if (!open_run(name, NULL, &alone))
        return;
    if (open_run(name, w, &rank)) {
        if (!CHECK_INT(left(&rank, w), left(&alone, w)))
            printf("    %s %s %s %s, %zu layers recomputed\n", name, w->line, w->units ? w->units : "",
                   w->reshard ? w->reshard : "", w->recompute);
        rk_run_close(&rank);
    }
    rk_run_close(&alone);
}

/* ---- what copies reduce ------------------------------------------------------------------------------------------ */

/* Copies of the rank's weights, and what else divides these. */
static const words copied[] = {{.line = "ddp=3"},
                               {.line = "ddp=2,zero1"},
                               {.line = "ddp=2,tp=2"},
                               {.line = "ddp=2,cp=2"},
                               {.line = "fsdp=3"},
                               {.line = "fsdp=2,tp=2,sp"},
                               {.line = "fsdp=2,cp=2"},
                               {.line = "fsdp=3,replicate=2"},
                               {.line = "fsdp=2,tp=2", .rank = "3"}};

/* The gradient of every weight that is trained is reduced over all copies, once; in pieces, padded to whole ones. */
static void test_reduced(const char *name, const words *w)
{
    rk_run run;
    rk_memory *m;
    rk_i128 want = 0, have = 0, copies = 0;
    int code = RK_OK;
    rk_err err = {0};

    if (!open_run(name, w, &run))
        return;
    m = account(&run);
    for (size_t i = 0; m && i < run.opened.instance->program->n_weight; i++) {
        const rk_instance *x = run.opened.instance;
        const rk_weight *of = &x->program->weight[i];
        rk_i128 n = rk_instance_value(x, of->count, &code, &err),
                pieces = rk_layout_group(run.options.layout, RK_MESH_FSDP, false);
        rk_i128 rows = of->n_dim > 0 ? rk_instance_value(x, of->dim[0], &code, &err) : 1;

        if (of->tied_to == RK_NONE && !of->frozen && !of->buffer && of->tensor != RK_NONE && rows > 0)
            want += rk_instance_value(x, rk_group_times(x->pool, x->program, of->group), &code, &err) * (n / rows) *
                    ((rows + pieces - 1) / pieces * pieces);
    }
    for (size_t i = 0; m && i < m->sent.n; i++) {
        const rk_sent_row *row = &m->sent.at[i];

        if (row->sent.is_bucket || (row->sent.op == RK_COLLECTIVE_REDUCE_SCATTER && row->sent.axis == RK_MESH_FSDP)) {
            have += row->elements * row->times;
            copies = rk_sent_group(run.options.layout, &row->sent);
        }
    }
    if (m && (!CHECK_INT(have, want) || !CHECK_INT(copies, rk_layout_devices(run.options.layout) /
                                                               (run.options.layout->size[RK_MESH_TP] *
                                                                run.options.layout->size[RK_MESH_REPLICATE]))))
        printf("    %s %s\n", name, w->line);
    rk_memory_free(m);
    rk_run_close(&run);
}

int main(void)
{
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < N_OF(copied); k++)
            test_reduced(model[i], &copied[k]);
    for (size_t i = 0; i < N_OF(model); i++) {
        test_all_ranks(model[i], 3);
        test_all_ranks(model[i], 8);
        for (size_t k = 0; k < N_OF(layout); k++)
            test_left(model[i], &layout[k]);
    }
    return t_done("ranks");
}
