/* SPDX-License-Identifier: MIT */
/*
 * tests/golden/adapt.c - adapters and frozen weights against what peft and PyTorch really have.
 *
 * adapt FOLDER: for each line of FOLDER/adapt/small.jsonl (configs of FOLDER/tiny) the trained numbers, the names and
 * shapes of the adapters, the bytes of gradients, of the optimizer's state and of what autograd keeps, and the FLOPs;
 * all are equal.  For each line of FOLDER/adapt/h200.jsonl (configs of FOLDER/h200) gradients and what is kept, which
 * are equal, and the peaks of a step, which are within 1 % or 48 MiB.
 */
#include "account/memory.h"
#include "account/names.h"
#include "base/file.h"
#include "plan/open.h"
#include "t.h"

#include "../profiles.h"

#include <string.h>

#define PEAK_BYTES ((rk_i128)48 << 20)

/* A run that was measured, and the account of it. */
typedef struct run {
    const rk_doc *doc;
    char label[400];
    rk_memory_options o;
    rk_instance *model; /* as PyTorch runs it */
    rk_memory *memory;
} run;

static const rk_doc *key(const rk_doc *d, const char *name)
{
    return rk_doc_key(d, name, strlen(name));
}

static const char *text(const rk_doc *d, const char *name)
{
    const rk_doc *v = key(d, name);

    return v ? v->text : NULL;
}

static bool is_true(const rk_doc *d, const char *name)
{
    const rk_doc *v = key(d, name);

    return v && v->truth;
}

static bool is_word(const rk_doc *d, const char *name, const char *word)
{
    return text(d, name) && strcmp(text(d, name), word) == 0;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static rk_instance *open_model(const char *folder, const rk_doc *d, const char *profile)
{
    rk_i128 s = key(d, "S")->number;
    rk_setting set[] = {
        {.name = "B", .value = key(d, "B")->number}, {.name = "S", .value = s}, {.name = "U", .value = s / 2}};
    char path[1024];
    const char *word = path;
    rk_str mistakes = {0};
    rk_open_request r = {.word = &word,
                         .n_word = 1,
                         .setting = set,
                         .n_setting = is_word(d, "config", "t5") ? 3 : 2,
                         .passes.profile = profile,
                         .passes.fused = is_word(d, "attn", "sdpa"),
                         .mistakes = &mistakes};
    rk_instance *m = NULL;
    rk_err err = {0};

    r.adapt = (rk_adapt_request){.rank = key(d, "rank")->number,
                                 .targets = text(d, "targets"),
                                 .freeze = text(d, "freeze"),
                                 .wide = profile && !is_true(d, "same"),
                                 .input_gradient = is_true(d, "ckpt"),
                                 .packed = text(d, "weights") != NULL};
    snprintf(path, sizeof path, "%s/%s.config.json", folder, text(d, "config"));
    if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK))
        printf("    %s: %s\n%s", path, err.message, rk_str_text(&mistakes));
    rk_str_free(&mistakes);
    return m;
}

static bool open_run(const char *folder, const rk_doc *d, run *out)
{
    rk_err err = {0};

    *out = (run){.doc = d,
                 .o = {.bytes = is_word(d, "dtype", "bf16") ? 2 : 4,
                       .optimizer = RK_OPTIMIZER_ADAMW,
                       .recompute_layers = is_true(d, "ckpt"),
                       .weights = text(d, "weights") ? rk_number_find(text(d, "weights")) : RK_NUMBER_SAME,
                       .profile = PROFILE_TORCH,
                       .flash = is_word(d, "attn", "sdpa"),
                       .loss = true}};
    snprintf(out->label, sizeof out->label, "%s %s B=%lld S=%lld rank %lld of %s%s%s", text(d, "config"),
             text(d, "dtype"), (long long)key(d, "B")->number, (long long)key(d, "S")->number,
             (long long)key(d, "rank")->number, text(d, "targets") ? text(d, "targets") : "the usual",
             text(d, "freeze") ? ", frozen: " : "", text(d, "freeze") ? text(d, "freeze") : "");
    out->model = open_model(folder, d, "torch");
    if (!out->model)
        return false;
    if (!CHECK_INT(rk_memory_new(out->model, &out->o, &out->memory, &err), RK_OK))
        printf("    %s: %s\n", out->label, err.message);
    return out->memory != NULL;
}

static void close_run(run *r)
{
    rk_memory_free(r->memory);
    rk_instance_free(r->model);
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

static void same(const run *r, const char *what, rk_i128 got)
{
    const rk_doc *want = key(r->doc, what);

    if (want && !CHECK_INT(got, want->number))
        printf("    %s of %s\n", what, r->label);
}

static void near(const run *r, const char *what, rk_i128 got)
{
    rk_i128 want = key(r->doc, what)->number, off = got > want ? got - want : want - got, most = want / 100;

    if (!CHECK(off <= (most > PEAK_BYTES ? most : PEAK_BYTES)))
        printf("    %s of %s: %lld, measured %lld\n", what, r->label, (long long)got, (long long)want);
}

static rk_i128 value(const rk_instance *m, rk_ex e)
{
    rk_binding at = m->at;
    rk_i128 n = -1;

    CHECK_INT(rk_ex_eval(m->pool, e, &at, &n, NULL), RK_OK);
    return n;
}

static bool is_named(const rk_names *names, const rk_doc *tensor)
{
    for (size_t i = 0; i < names->n; i++) {
        const rk_named *n = &names->at[i];

        if (strcmp(n->name, tensor->item[0].text) == 0)
            return n->n_dim == 2 && n->dim[0] == tensor->item[1].item[0].number &&
                   n->dim[1] == tensor->item[1].item[1].number;
    }
    return false;
}

static size_t count_adapters(const rk_names *names)
{
    size_t n = 0;

    for (size_t i = 0; i < names->n; i++)
        n += strstr(names->at[i].name, ".lora_") != NULL;
    return n;
}

/* Every adapter under its name, and no other. */
static void same_tensors(const run *r, const rk_ledger *l)
{
    const rk_doc *tensors = key(r->doc, "tensors");
    rk_names names = {0};

    if (!tensors || text(r->doc, "freeze"))
        return;
    CHECK_INT(rk_names_new(l, RK_NAMING_REFERENCE, &names, NULL), RK_OK);
    CHECK_INT(count_adapters(&names), tensors->n);
    for (size_t i = 0; i < tensors->n; i++)
        if (!CHECK(is_named(&names, &tensors->item[i])))
            printf("    %s of %s\n", tensors->item[i].item[0].text, r->label);
    rk_names_free(&names);
}

/* Counts do not ask how a framework computes. */
static void same_counts(const char *folder, const run *r)
{
    rk_convention torch = {.count = RK_COUNT_TORCH};
    rk_instance *m = open_model(folder, r->doc, NULL);
    rk_ledger *l = NULL;

    if (m && CHECK_INT(rk_ledger_new(m, &torch, &l, NULL), RK_OK)) {
        same(r, "trained", value(m, l->trained));
        same(r, "forward", value(m, l->forward));
        same(r, "backward", value(m, l->backward));
        same_tensors(r, l);
    }
    if (l)
        rk_ledger_free(l);
    rk_instance_free(m);
}

static void compare_small(const char *folder, const rk_doc *d)
{
    run r;

    if (open_run(folder, d, &r)) {
        same(&r, "saved", r.memory->saved);
        same(&r, "gradients", r.memory->gradients);
        same(&r, "optimizer", r.memory->optimizer);
        same_counts(folder, &r);
    }
    close_run(&r);
}

static void compare_measured(const char *folder, const rk_doc *d)
{
    run r;

    if (open_run(folder, d, &r)) {
        same(&r, "saved", r.memory->saved);
        same(&r, "gradients", r.memory->gradients);
        near(&r, "fwd_peak", r.memory->first_forward);
        near(&r, "bwd_peak", r.memory->first_backward);
        near(&r, "opt_peak", r.memory->first_optimizer);
        near(&r, "step_peak", r.memory->peak);
    }
    close_run(&r);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void each_line(const char *root, const char *file, const char *configs,
                      void (*compare)(const char *folder, const rk_doc *d))
{
    char path[1024], folder[1024], *lines = NULL, *rest = NULL;
    size_t n = 0, n_line = 0;
    rk_arena a = {0};

    snprintf(path, sizeof path, "%s/adapt/%s", root, file);
    snprintf(folder, sizeof folder, "%s/%s", root, configs);
    CHECK_INT(rk_file_read(&a, path, RK_CONFIG_BYTES_MAX, &lines, &n, NULL), RK_OK);
    for (char *line = lines ? strtok_r(lines, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        rk_doc *d = NULL;

        if (CHECK_INT(rk_config_parse(&a, path, line, strlen(line), &d, NULL), RK_OK))
            compare(folder, d);
        n_line++;
    }
    CHECK(n_line > 20);
    rk_arena_free(&a);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    each_line(argv[1], "small.jsonl", "tiny", compare_small);
    each_line(argv[1], "h200.jsonl", "h200", compare_measured);
    return t_done("peft");
}
