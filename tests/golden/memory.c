/* SPDX-License-Identifier: MIT */
/*
 * tests/golden/memory.c - accounts of memory against what PyTorch really holds.
 *
 * memory SMALL H200 KEPT: for each NAME.truth.json of the folder SMALL, the bytes that autograd keeps at every run;
 * for each line of H200/train.jsonl the bytes kept and the peaks of a step; for each line of H200/infer.jsonl the
 * cache and the peak of reading a prompt; for each line of H200/mixed.jsonl the bytes kept and the peak of a step in
 * mixed precision; for each line of KEPT/kept.jsonl, KEPT/families.jsonl and KEPT/mixed.jsonl the bytes that autograd
 * keeps.  Bytes kept and caches are equal, or the difference stands in SMALL/../memory-differs with its reason, and is
 * just that; peaks are within 1 % or 48 MiB.
 */
#include "account/memory.h"
#include "base/file.h"
#include "plan/open.h"
#include "sample.h"
#include "t.h"

#include "../profiles.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define PEAK_BYTES ((rk_i128)48 << 20)

static const rk_doc *key(const rk_doc *d, const char *name)
{
    return rk_doc_key(d, name, strlen(name));
}

static bool is_text(const rk_doc *d, const char *name, const char *text)
{
    const rk_doc *v = key(d, name);

    return v && v->kind == RK_DOC_TEXT && strcmp(v->text, text) == 0;
}

/* ---- one account ------------------------------------------------------------------------------------------------ */

#define SYMBOLS_MAX 6 /* of a run */

typedef struct asked {
    char label[400]; /* llama fp32 B=2 S=40 */
    char config[1024];
    rk_setting set[SYMBOLS_MAX];
    size_t n_set;
    rk_memory_options o;
    bool flash, grouped;
} asked;

static rk_memory_options options(bool narrow)
{
    return (rk_memory_options){.bytes = narrow ? 2 : 4, .optimizer = RK_OPTIMIZER_ADAMW, .profile = PROFILE_TORCH};
}

/* The account, for which the model has to live; NULL: said why. */
static rk_memory *open_memory(const asked *q, rk_instance **model)
{
    const char *word = q->config;
    rk_str mistakes = {0};
    rk_open_request r = {.word = &word,
                         .n_word = 1,
                         .setting = q->set,
                         .n_setting = q->n_set,
                         .passes.profile = "torch",
                         .passes.fused = q->flash,
                         .passes.width = q->o.bytes == 4 && !q->o.autocast ? RK_WIDTH_FP32 : RK_WIDTH_NARROW,
                         .passes.grouped = q->grouped,
                         .passes.autocast = q->o.autocast,
                         .mistakes = &mistakes};
    rk_memory *m = NULL;
    rk_err err = {0};

    *model = NULL;
    if (!CHECK_INT(rk_open(&r, model, &err), RK_OK) || !CHECK_INT(rk_memory_new(*model, &q->o, &m, &err), RK_OK))
        printf("    %s: %s\n%s", q->label, err.message, rk_str_text(&mistakes));
    rk_str_free(&mistakes);
    return m;
}

/* ---- differences that are known ---------------------------------------------------------------------------------- */

static char *differs; /* lines  label: difference  reason */

static rk_i128 known_difference(const char *label)
{
    size_t n = strlen(label);

    for (const char *line = differs; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, label, n) == 0 && line[n] == ':')
            return strtoll(line + n + 1, NULL, 10);
    return 0;
}

static void compare_exactly(const asked *q, const char *what, rk_i128 got, rk_i128 want)
{
    char label[440];

    snprintf(label, sizeof label, "%s %s", what, q->label);
    if (!CHECK_INT(got, want + known_difference(label)))
        printf("    %s: %lld\n", label, (long long)(got - want));
}

static void compare_nearly(const asked *q, const char *what, rk_i128 got, rk_i128 want)
{
    rk_i128 off = got > want ? got - want : want - got, most = want / 100;

    if (!CHECK(off <= (most > PEAK_BYTES ? most : PEAK_BYTES)))
        printf("    %s %s: %lld, measured %lld\n", what, q->label, (long long)got, (long long)want);
}

/* ---- small models ----------------------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Symbols written out: ["B=2", "S=40", "U=20"]; all of one letter. */
static void set_written(asked *q, const rk_doc *list)
{
    static char name[SYMBOLS_MAX][2];

    for (size_t i = 0; CHECK(list->n <= SYMBOLS_MAX) && i < list->n; i++) {
        const char *text = list->item[i].text;

        name[i][0] = text[0];
        q->set[q->n_set] = (rk_setting){.name = name[i]};
        rk_num_parse(text + 2, strlen(text + 2), &q->set[q->n_set++].value);
    }
}

/* Samples of a recording, where the run says them, or tokens. */
static void set_run(asked *q, const char *arch, const rk_doc *run)
{
    rk_i128 b = key(run, "B")->number, s = key(run, "S")->number;
    size_t n = strlen(arch);

    q->set[q->n_set++] = (rk_setting){.name = "B", .value = b};
    if (key(run, "Z"))
        q->set[q->n_set++] = (rk_setting){.name = "Z", .value = key(run, "Z")->number};
    else if (begins(arch, "Whisper"))
        q->set[q->n_set++] = (rk_setting){.name = "U", .value = s < 64 ? s : 64};
    else if (!strstr(arch, "ImageClassification") && !begins(arch, "Dinov2") && !begins(arch, "DINOv3") &&
             !(n > 11 && strcmp(arch + n - 11, "VisionModel") == 0))
        q->set[q->n_set++] = (rk_setting){.name = "S", .value = s};
    if (begins(arch, "T5") || begins(arch, "Bart"))
        q->set[q->n_set++] = (rk_setting){.name = "U", .value = s / 2};
}

static void compare_small(const char *folder, const char *name, const rk_doc *truth, const rk_doc *run)
{
    const rk_doc *with = key(run, "saved_bytes"), *without = key(run, "saved_bytes_no_loss");
    rk_i128 b = key(run, "B")->number, s = key(run, "S")->number;
    asked q = {.o = options(is_text(run, "dtype", "bfloat16"))};
    rk_instance *model;
    rk_memory *m;

    if (!with && !without)
        return;
    snprintf(q.label, sizeof q.label, "%s %s B=%lld S=%lld", name, q.o.bytes == 2 ? "bf16" : "fp32", (long long)b,
             (long long)s);
    snprintf(q.config, sizeof q.config, "%s/%s.config.json", folder, name);
    if (key(run, "sym"))
        set_written(&q, key(run, "sym"));
    else
        set_run(&q, key(truth, "architecture")->text, run);
    q.o.loss = with != NULL;
    if ((m = open_memory(&q, &model)))
        compare_exactly(&q, "kept", m->saved, (with ? with : without)->number);
    rk_memory_free(m);
    rk_instance_free(model);
}

static rk_doc *read_doc(rk_arena *a, const char *path)
{
    char *text = NULL;
    size_t n = 0;
    rk_doc *d = NULL;
    rk_err err = {0};

    if (!CHECK_INT(rk_file_read(a, path, RK_CONFIG_BYTES_MAX, &text, &n, &err), RK_OK) ||
        !CHECK_INT(rk_config_parse(a, path, text, n, &d, &err), RK_OK))
        printf("%s: %s\n", path, err.message);
    return d;
}

static void compare_family(const char *folder, const char *file)
{
    static const char end[] = ".truth.json";
    size_t n = strlen(file) - strlen(end);
    char path[1024], name[256];
    rk_arena a = {0};
    const rk_doc *truth, *runs;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(name, sizeof name, "%.*s", (int)n, file);
    truth = read_doc(&a, path);
    runs = key(truth, "runs");
    for (size_t i = 0; runs && i < runs->n; i++)
        compare_small(folder, name, truth, &runs->item[i]);
    rk_arena_free(&a);
}

static void compare_folder(const char *folder)
{
    DIR *d = opendir(folder);
    size_t n = 0;

    for (struct dirent *e; d && (e = readdir(d));) {
        const char *end = strstr(e->d_name, ".truth.json");

        if (!end)
            continue;
        if (t_sampled(e->d_name))
            compare_family(folder, e->d_name);
        n++;
    }
    if (d)
        closedir(d);
    CHECK(n > 50);
}

/* ---- variations: what autograd keeps, operation by operation ---------------------------------------------------- */

/* Runs that name their attention were measured on a GPU, where experts are grouped; under autocast they were not. */
static void compare_kept(const char *folder, const rk_doc *run)
{
    static const char *const symbol[] = {"B", "S", "I", "U", "Z", "W"};
    const char *name = key(run, "config")->text;
    bool fused = is_text(run, "attn", "sdpa"), mixed = is_text(run, "dtype", "mixed");
    asked q = {.o = options(is_text(run, "dtype", "bf16")), .flash = fused, .grouped = key(run, "attn") && !mixed};
    rk_instance *model;
    rk_memory *m;
    size_t n = (size_t)snprintf(q.label, sizeof q.label, "%s %s", name, key(run, "dtype")->text);

    for (size_t i = 0; i < sizeof symbol / sizeof *symbol; i++)
        if (key(run, symbol[i])) {
            q.set[q.n_set++] = (rk_setting){.name = symbol[i], .value = key(run, symbol[i])->number};
            n += (size_t)snprintf(q.label + n, sizeof q.label - n, " %s=%lld", symbol[i],
                                  (long long)key(run, symbol[i])->number);
        }
    snprintf(q.config, sizeof q.config, "%s/%s.config.json", folder, name);
    q.o.loss = key(run, "loss")->truth;
    q.o.autocast = mixed;
    if ((m = open_memory(&q, &model)))
        compare_exactly(&q, "kept", m->saved, key(run, "kept")->number);
    rk_memory_free(m);
    rk_instance_free(model);
}

/* ---- measured runs ---------------------------------------------------------------------------------------------- */

static void ask_measured(const char *folder, const rk_doc *run, asked *q)
{
    const rk_doc *again = key(run, "ckpt");
    rk_i128 b = key(run, "B")->number, s = key(run, "S")->number;

    *q = (asked){.o = options(is_text(run, "dtype", "bf16")), .flash = is_text(run, "attn", "sdpa"), .grouped = true};
    q->o.recompute_layers = again && again->truth;
    q->o.loss = true;
    snprintf(q->label, sizeof q->label, "%s %s %s%s B=%lld S=%lld", key(run, "model")->text, key(run, "dtype")->text,
             q->flash ? "flash" : "eager", q->o.recompute_layers ? " recomputed" : "", (long long)b, (long long)s);
    snprintf(q->config, sizeof q->config, "%s/%s.config.json", folder, key(run, "model")->text);
    q->set[q->n_set++] = (rk_setting){.name = "B", .value = b};
    q->set[q->n_set++] = (rk_setting){.name = "S", .value = s};
}

/* On that device fp32 has no fused attention; its mixture of experts ran as grouped products. */
static void compare_training(const char *folder, const rk_doc *run)
{
    rk_instance *model;
    rk_memory *m;
    asked q;

    ask_measured(folder, run, &q);
    q.o.allocator = true; /* what was measured are its blocks */
    if (!(m = open_memory(&q, &model)))
        return;
    compare_exactly(&q, "kept", m->saved, key(run, "saved_unique_bytes")->number);
    compare_nearly(&q, "step", m->reserve.peak.allocated, key(run, "step_peak")->number);
    compare_nearly(&q, "first forward", m->reserve.forward, key(run, "fwd_peak")->number);
    compare_nearly(&q, "first backward", m->reserve.backward, key(run, "bwd_peak")->number);
    rk_memory_free(m);
    rk_instance_free(model);
}

/* Requested bytes: what tensors have, without what the allocator rounds up. */
static void compare_mixed(const char *folder, const rk_doc *run)
{
    rk_instance *model;
    rk_memory *m;
    asked q;

    ask_measured(folder, run, &q);
    q.o.autocast = true;
    q.grouped = false;
    if (!(m = open_memory(&q, &model)))
        return;
    compare_exactly(&q, "kept", m->saved, key(run, "kept")->number);
    compare_nearly(&q, "step", m->peak, key(run, "peak")->number);
    rk_memory_free(m);
    rk_instance_free(model);
}

static void compare_prompt(const char *folder, const rk_doc *run)
{
    rk_instance *model;
    rk_memory *m;
    asked q;

    ask_measured(folder, run, &q);
    q.o.phase = RK_PHASE_PREFILL;
    q.o.allocator = true;
    if (!(m = open_memory(&q, &model)))
        return;
    compare_exactly(&q, "cache", m->cache, key(run, "kv_bytes")->number);
    compare_nearly(&q, "prompt", m->reserve.peak.allocated, key(run, "prefill_peak")->number);
    rk_memory_free(m);
    rk_instance_free(model);
}

static void compare_lines(const char *folder, const char *file, void (*compare)(const char *, const rk_doc *))
{
    char path[1024], *text = NULL, *rest = NULL;
    size_t n = 0;
    rk_arena a = {0};
    rk_err err = {0};

    snprintf(path, sizeof path, "%s/%s", folder, file);
    CHECK_INT(rk_file_read(&a, path, RK_CONFIG_BYTES_MAX, &text, &n, &err), RK_OK);
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        rk_doc *run = NULL;

        if (!t_sampled(line))
            continue;
        if (CHECK_INT(rk_config_parse(&a, path, line, strlen(line), &run, &err), RK_OK))
            compare(folder, run);
    }
    rk_arena_free(&a);
}

int main(int argc, char **argv)
{
    rk_arena a = {0};
    char path[1024];
    size_t n = 0;

    if (argc != 4)
        return 2;
    snprintf(path, sizeof path, "%s/../memory-differs", argv[1]);
    rk_file_read(&a, path, RK_CONFIG_BYTES_MAX, &differs, &n, NULL);
    compare_folder(argv[1]);
    compare_lines(argv[2], "train.jsonl", compare_training);
    compare_lines(argv[2], "infer.jsonl", compare_prompt);
    compare_lines(argv[2], "mixed.jsonl", compare_mixed);
    compare_lines(argv[3], "kept.jsonl", compare_kept);
    compare_lines(argv[3], "families.jsonl", compare_kept);
    compare_lines(argv[3], "mixed.jsonl", compare_kept);
    rk_arena_free(&a);
    return t_done("memory");
}
