/* SPDX-License-Identifier: MIT */
/*
 * tests/golden/golden.c - the account of each config in a folder against what PyTorch really has and counts.
 *
 * golden FOLDER: for each NAME.truth.json there the model of NAME.config.json must have the same tensors under the same
 * names and shapes, the same parameters, and the same FLOPs forward and backward at every run.  PROVENANCE says where
 * the figures come from.
 *
 * golden --named FOLDER CONFIGS: the same of the models known by name, whose configs are in CONFIGS.  Each must have
 * figures in FOLDER, but for those whose config names no class.
 *
 * golden --list FOLDER: one line for each config there: the model file that reads it, whether there are figures for it
 * (1 or 0), and at how many runs FLOPs are compared.  tools/families makes docs/families.md of these.
 */
#include "account/ledger.h"
#include "base/file.h"
#include "base/map.h"
#include "plan/open.h"
#include "sample.h"
#include "t.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the truth file ------------------------------------------------------------------------------------------ */

static const rk_doc *key(const rk_doc *d, const char *name)
{
    return rk_doc_key(d, name, strlen(name));
}

static rk_doc *read_doc(rk_arena *a, const char *path)
{
    char *text = NULL;
    size_t n = 0;
    rk_doc *d = NULL;
    rk_err err = {0};

    if (rk_file_read(a, path, RK_CONFIG_BYTES_MAX, &text, &n, &err) != RK_OK ||
        rk_config_parse(a, path, text, n, &d, &err) != RK_OK)
        printf("%s: %s\n", path, err.message);
    return d;
}

/* "layers.12.w" as "layers.{}.w": the numbers of layers and experts are counted, not compared. */
static void put_pattern(rk_str *s, const char *name)
{
    for (const char *at = name; *at; at++) {
        size_t n = strspn(at + 1, "0123456789");

        rk_str_putc(s, *at);
        if (*at == '.' && n > 0 && at[1 + n] == '.') {
            rk_str_put(s, "{}");
            at += n;
        }
    }
}

/* ---- sets of tensors ----------------------------------------------------------------------------------------- */

typedef struct tensors {
    rk_arena arena;
    rk_map map;
} tensors;

/* One tensor more or less of that name and shape: "layers.{}.w 96 120". */
static void count_tensor(tensors *t, const char *text, uint32_t n)
{
    uint32_t have = rk_map_get(&t->map, text, strlen(text));

    rk_map_put(&t->arena, &t->map, text, strlen(text), (have == RK_NONE ? 0 : have) + n);
}

static void want_tensor(tensors *t, const rk_doc *row)
{
    rk_str s = {0};

    put_pattern(&s, row->item[0].text);
    for (size_t i = 0; i < row->item[1].n; i++) {
        rk_str_putc(&s, ' ');
        rk_str_num(&s, row->item[1].item[i].number);
    }
    count_tensor(t, rk_str_text(&s), row->n > 2 ? (uint32_t)row->item[2].number : 1);
    rk_str_free(&s);
}

static void want_all(tensors *t, const rk_doc *truth)
{
    const rk_doc *list = key(truth, "tensors") ? key(truth, "tensors") : key(truth, "groups");

    for (size_t i = 0; i < list->n; i++)
        want_tensor(t, &list->item[i]);
}

static rk_i128 value_of(const rk_instance *m, rk_ex e)
{
    rk_binding at = m->at;
    rk_i128 n = -1;
    rk_err err = {0};

    if (rk_ex_eval(m->pool, e, &at, &n, &err) != RK_OK)
        printf("%s: %s\n", m->model->name, err.message);
    return n;
}

/* All layers of a weight: the running numbers of the loops that its group stands in. */
static void have_weight(tensors *t, const rk_instance *m, const rk_weight *w, uint32_t group, rk_i128 *index)
{
    const rk_program *p = m->program;
    const rk_group *g = &p->group[group];
    rk_str s = {0}, pattern = {0};

    if (group != 0) {
        for (size_t i = 0; i < g->n_layer; i++) {
            index[g->loop] = g->layer ? g->layer[i] : (rk_i128)i;
            have_weight(t, m, w, g->parent, index);
        }
        return;
    }
    rk_weight_name_text(m->model, &w->name, index, &s, NULL);
    put_pattern(&pattern, rk_str_text(&s));
    for (size_t i = 0; i < w->n_dim; i++) {
        rk_str_putc(&pattern, ' ');
        rk_str_num(&pattern, value_of(m, w->dim[i]));
    }
    count_tensor(t, rk_str_text(&pattern), 1);
    rk_str_free(&s);
    rk_str_free(&pattern);
}

static void compare_tensors(const char *name, const rk_ledger *l, const rk_doc *truth)
{
    tensors want = {0}, have = {0};
    const rk_program *p = &l->model->program;
    rk_i128 *index = calloc(p->n_loop + 1, sizeof *index);

    want_all(&want, truth);
    for (size_t i = 0; i < l->n_weight; i++) {
        const rk_weight *w = &p->weight[l->weight[i].weight];

        if (w->tied_to == RK_NONE)
            have_weight(&have, l->instance, w, w->group, index);
    }
    if (!CHECK_INT(have.map.n, want.map.n))
        printf("    in %s: kinds of tensors\n", name);
    for (size_t i = 0; i < l->n_weight; i++) {
        const rk_weight *w = &p->weight[l->weight[i].weight];
        rk_str s = {0}, pattern = {0};

        memset(index, 0, (p->n_loop + 1) * sizeof *index);
        rk_weight_name_text(l->model, &w->name, index, &s, NULL);
        put_pattern(&pattern, rk_str_text(&s));
        for (size_t k = 0; k < w->n_dim; k++) {
            rk_str_putc(&pattern, ' ');
            rk_str_num(&pattern, value_of(l->instance, w->dim[k]));
        }
        if (w->tied_to == RK_NONE && !CHECK_INT(rk_map_get(&have.map, rk_str_text(&pattern), pattern.n),
                                                rk_map_get(&want.map, rk_str_text(&pattern), pattern.n)))
            printf("    in %s: %s\n", name, rk_str_text(&pattern));
        rk_str_free(&s);
        rk_str_free(&pattern);
    }
    free(index);
    rk_arena_free(&want.arena);
    rk_arena_free(&have.arena);
}

/* Names that are second names of a stored tensor. */
static void compare_tied(const char *name, const rk_ledger *l, const rk_doc *truth)
{
    const rk_doc *want = key(truth, "tied");
    size_t n = 0;

    for (size_t i = 0; want && i < l->n_weight; i++) {
        const rk_weight *w = &l->model->program.weight[l->weight[i].weight];
        bool found = false;

        if (w->tied_to == RK_NONE)
            continue;
        n++;
        for (size_t k = 0; k < want->n && !found; k++)
            found = strcmp(want->item[k].text, w->pattern) == 0;
        if (!CHECK(found))
            printf("    in %s: %s is not tied\n", name, w->pattern);
    }
    if (want && !CHECK_INT(n, want->n))
        printf("    in %s: tied names\n", name);
}

/* ---- runs ---------------------------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_image_model(const char *arch)
{
    size_t n = strlen(arch);

    return strstr(arch, "ImageClassification") || begins(arch, "Dinov2") || begins(arch, "DINOv3") ||
           begins(arch, "ViT") || (n > 11 && strcmp(arch + n - 11, "VisionModel") == 0);
}

#define SYMBOLS_MAX 6 /* of a run */

/* Symbols written out: ["B=2", "S=40", "I=16"]; all of one letter. */
static size_t written_settings(const rk_doc *list, rk_setting set[SYMBOLS_MAX])
{
    static char name[SYMBOLS_MAX][2];
    size_t n = CHECK(list->n <= SYMBOLS_MAX) ? list->n : 0;

    for (size_t i = 0; i < n; i++) {
        name[i][0] = list->item[i].text[0];
        set[i] = (rk_setting){.name = name[i]};
        rk_num_parse(list->item[i].text + 2, strlen(list->item[i].text + 2), &set[i].value);
    }
    return n;
}

/* The symbols of a run, by the kind of model: an encoder–decoder's target has S/2 tokens, Whisper's at most 64. */
static size_t run_settings(const char *arch, const rk_doc *run, rk_setting set[SYMBOLS_MAX])
{
    rk_i128 b = key(run, "B")->number, s = key(run, "S")->number;
    size_t n = 0;

    if (key(run, "sym"))
        return written_settings(key(run, "sym"), set);

    set[n++] = (rk_setting){.name = "B", .value = b};
    if (begins(arch, "Whisper"))
        set[n++] = (rk_setting){.name = "U", .value = s < 64 ? s : 64};
    else if (!is_image_model(arch))
        set[n++] = (rk_setting){.name = "S", .value = s};
    if (begins(arch, "T5") || begins(arch, "Bart"))
        set[n++] = (rk_setting){.name = "U", .value = s / 2};
    return n;
}

static rk_ledger *open_ledger(const char *config, const rk_setting *set, size_t n_set, rk_instance **m)
{
    rk_str mistakes = {0};
    rk_open_request r = {.word = &config, .n_word = 1, .setting = set, .n_setting = n_set, .mistakes = &mistakes};
    rk_convention c = {.count = RK_COUNT_TORCH};
    rk_ledger *l = NULL;
    rk_err err = {0};

    *m = NULL;
    if (!CHECK_INT(rk_open(&r, m, &err), RK_OK) || !CHECK_INT(rk_ledger_new(*m, &c, &l, &err), RK_OK))
        printf("%s: %s\n%s", config, err.message, rk_str_text(&mistakes));
    rk_str_free(&mistakes);
    return l;
}

static void compare_run(const char *config, const char *arch, const rk_doc *run)
{
    rk_setting set[SYMBOLS_MAX];
    size_t n = run_settings(arch, run, set);
    rk_instance *m;
    rk_ledger *l = open_ledger(config, set, n, &m);

    if (l) {
        if (!CHECK_INT(value_of(m, l->forward), key(run, "forward")->number) ||
            (key(run, "backward") && !CHECK_INT(value_of(m, l->backward), key(run, "backward")->number)))
            printf("    in %s\n", config);
        rk_ledger_free(l);
    }
    rk_instance_free(m);
}

static void compare_runs(const char *config, const rk_doc *truth)
{
    const rk_doc *runs = key(truth, "runs");
    const char *arch = key(truth, "architecture")->text;

    for (size_t i = 0; runs && i < runs->n; i++)
        if (key(&runs->item[i], "forward"))
            compare_run(config, arch, &runs->item[i]);
}

/* ---- one config ---------------------------------------------------------------------------------------------- */

/* Of the config beside the figures, or of the model known by that name. */
static void compare(const char *folder, const char *name, bool named)
{
    char truth_path[1024], config[1024];
    rk_arena a = {0};
    rk_instance *m;
    rk_ledger *l;
    rk_doc *truth;

    snprintf(truth_path, sizeof truth_path, "%s/%s.truth.json", folder, name);
    if (named)
        snprintf(config, sizeof config, "%s", name);
    else
        snprintf(config, sizeof config, "%s/%s.config.json", folder, name);
    truth = read_doc(&a, truth_path);
    l = CHECK(truth) ? open_ledger(config, NULL, 0, &m) : NULL;
    if (l) {
        if (!CHECK_INT(value_of(m, l->stored), key(truth, "parameters")->number))
            printf("    in %s: parameters\n", config);
        compare_tensors(config, l, truth);
        compare_tied(config, l, truth);
        rk_ledger_free(l);
        rk_instance_free(m);
        compare_runs(config, truth);
    }
    rk_arena_free(&a);
}

/* ---- the list ------------------------------------------------------------------------------------------------ */

static size_t count_runs(const rk_doc *truth)
{
    const rk_doc *runs = key(truth, "runs");
    size_t n = 0;

    for (size_t i = 0; runs && i < runs->n; i++)
        n += key(&runs->item[i], "forward") != NULL;
    return n;
}

static void list(const char *folder, const char *name)
{
    char truth_path[1024], config[1024];
    const char *word = config;
    rk_open_request r = {.word = &word, .n_word = 1};
    rk_arena a = {0};
    rk_instance *m = NULL;
    rk_err err = {0};
    const rk_doc *truth;

    snprintf(truth_path, sizeof truth_path, "%s/%s.truth.json", folder, name);
    snprintf(config, sizeof config, "%s/%s.config.json", folder, name);
    truth = access(truth_path, R_OK) == 0 ? read_doc(&a, truth_path) : NULL;
    if (CHECK_INT(rk_open(&r, &m, &err), RK_OK)) {
        printf("%s %d %zu\n", m->model->family, truth != NULL, count_runs(truth));
        rk_instance_free(m);
    }
    rk_arena_free(&a);
}

/* The figures of a model known by name; a config that names no class has none. */
static void compare_named(const char *folder, const char *configs, const char *name)
{
    char path[1024];
    rk_arena a = {0};
    const rk_doc *config;

    snprintf(path, sizeof path, "%s/%s.json", configs, name);
    config = read_doc(&a, path);
    if (CHECK(config) && key(config, "architectures"))
        compare(folder, name, true);
    rk_arena_free(&a);
}

int main(int argc, char **argv)
{
    bool lists = argc > 2 && strcmp(argv[1], "--list") == 0, named = argc > 3 && strcmp(argv[1], "--named") == 0;
    const char *folder = argc > 1 ? argv[argc - 1] : "tests/golden/tiny";
    const char *end = named ? ".json" : lists ? ".config.json" : ".truth.json";
    DIR *d = opendir(folder);
    struct dirent *e;

    CHECK(d != NULL);
    while (d && (e = readdir(d))) {
        char *at = strstr(e->d_name, end);

        if (!at)
            continue;
        *at = 0;
        if (lists)
            list(folder, e->d_name);
        else if (t_sampled(e->d_name) && named)
            compare_named(argv[2], folder, e->d_name);
        else if (t_sampled(e->d_name))
            compare(folder, e->d_name, false);
    }
    if (d)
        closedir(d);
    return lists ? t_n_failed > 0 : t_done(folder);
}
