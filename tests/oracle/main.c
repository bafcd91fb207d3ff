/* SPDX-License-Identifier: MIT */
/*
 * Usage: oracle [--bodies|--step|--passes|--ranks] MODELS_DIR CONFIGS_DIR [SEED [ROUNDS]]
 *
 * Runs every model file of a folder: with each config whose model_type its `family` line names, else with the named
 * models below MODELS_DIR/named, else without a config; and once for each word of its first `choose`.  From the second
 * round on the config is varied.  With --bodies, what each gives is compared with what it gives when its operations
 * are written out in the bodies of lower/torch; with --step, the tasks of its step are run (step.c); with --passes,
 * each pass is run alone (passes.c); with --ranks, the programs of all devices of a layout are run together (ranks.c),
 * two, three or four of them by the name and the seed: three rounds have all.  LAYOUT and FORM choose one kind of
 * these, and REFUSED=1 prints what a model does not bear.  ONLY=name in the environment runs one model, EVERY=n a
 * sample (sample.h).
 */
#include "oracle.h"

#include "base/file.h"
#include "sample.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 1000
#define WORDS_MAX 8

typedef struct folder {
    char *name[FILES_MAX];
    size_t n;
} folder;

typedef struct sum {
    bool bodies; /* the models are compared with their bodies */
    bool step;   /* the tasks of their steps are run */
    bool passes; /* each pass is run alone */
    bool ranks;  /* laid over devices */
    size_t n_model, n_failed;
    findings f;
} sum;

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_folder(rk_arena *a, const char *path, const char *end, folder *f)
{
    DIR *dir = opendir(path);
    struct dirent *e;

    if (dir == NULL)
        return false;
    while ((e = readdir(dir)) != NULL && f->n < FILES_MAX) {
        size_t n = strlen(e->d_name), m = strlen(end);

        if (n > m && strcmp(e->d_name + n - m, end) == 0)
            f->name[f->n++] = rk_arena_text(a, e->d_name);
    }
    closedir(dir);
    qsort(f->name, f->n, sizeof *f->name, by_text);
    return true;
}

/* The lines of a text one by one; `*at` moves on.  False at the end. */
static bool next_line(const char **at, char *line, size_t size)
{
    const char *end = strchr(*at, '\n');
    size_t n = end != NULL ? (size_t)(end - *at) : strlen(*at);

    if (**at == '\0')
        return false;
    snprintf(line, size, "%.*s", (int)n, *at);
    *at += end != NULL ? n + 1 : n;
    return true;
}

/* Does the model file's `family` line name this type?  "": any at all. */
static bool is_of_family(const char *text, const char *type)
{
    char line[1024], quoted[256];

    snprintf(quoted, sizeof quoted, type[0] != '\0' ? "\"%s\"" : "\"%s", type);
    while (next_line(&text, line, sizeof line))
        if (strncmp(line, "family ", 7) == 0 && strstr(line, quoted) != NULL)
            return true;
    return false;
}

/* The words of the first `choose NAME = a | b`. */
static size_t find_words(rk_arena *a, const char *text, rk_setting word[WORDS_MAX])
{
    char line[1024], *rest = NULL;
    size_t n = 0;

    while (next_line(&text, line, sizeof line)) {
        char *name, *w;

        if (strncmp(line + strspn(line, " "), "choose ", 7) != 0)
            continue;
        line[strcspn(line, "\"#")] = '\0';
        strtok_r(line, " =|", &rest);
        name = rk_arena_text(a, strtok_r(NULL, " =|", &rest));
        while (n < WORDS_MAX && (w = strtok_r(NULL, " =|", &rest)) != NULL)
            word[n++] = (rk_setting){.name = name, .word = rk_arena_text(a, w)};
        return n;
    }
    return 0;
}

#define DRAWS 8

static void run_one(const subject *given, uint64_t seed, sum *total)
{
    subject drawn, *s = &drawn;
    rk_str why = {0}, sizes = {0};
    rk_arena a = {0};
    const rk_model *m = NULL;
    world w;
    findings f = {0};
    bool opened = false;

    /* What a family checks of its sizes is not known here: some draws are refused. */
    for (uint64_t k = 0; k < DRAWS && !opened; k++) {
        rk_str_reset(&why);
        drawn = *given;
        opened = open_small(s, seed + 7919 * k, &a, &m, &w, &why);
    }
    if (opened) {
        print_sizes(m, &sizes);
        if (total->bodies)
            check_bodies(s, &w, &why, &f);
        else if (total->step)
            check_step(s, &w, &why, &f);
        else if (total->passes)
            check_passes(s, &w, &why, &f);
        else if (total->ranks)
            check_ranks(s, &w, &why, &f);
        else
            check_world(&w, m, &why, &f);
        free_world(&w);
        rk_model_free(m);
    } else if (s->may_lack || s->vary) {
        /* A varied config may be one that its family refuses, or one without small sizes: the plain round has run. */
        printf("       %s: not run: %s\n", s->name, s->vary ? "no small sizes were found" : "it needs a config");
        rk_str_free(&why);
        rk_arena_free(&a);
        return;
    } else {
        f.n_wrong = 1;
        rk_str_putc(&why, '\n');
    }
    total->n_model++;
    total->f.n_op += f.n_op;
    total->f.n_gradient += f.n_gradient;
    total->f.n_compared += f.n_compared;
    total->f.n_shared += f.n_shared;
    total->f.n_refused += f.n_refused;
    total->f.n_copied += f.n_copied;
    total->n_failed += f.n_wrong > 0;
    printf("%s %s%s%s%s: %zu operations, %zu gradients\n", f.n_wrong > 0 ? "FAILED" : "ok    ", s->name,
           s->n_word > 0 ? " " : "", s->n_word > 0 ? s->word[0].word : "", rk_str_text(&sizes), f.n_op, f.n_gradient);
    if (f.n_wrong > 0)
        fputs(rk_str_text(&why), stdout);
    rk_str_free(&why);
    rk_str_free(&sizes);
    rk_arena_free(&a);
}

static void run_words(rk_arena *a, subject *s, uint64_t seed, unsigned long rounds, sum *total)
{
    rk_setting word[WORDS_MAX];
    size_t n = find_words(a, s->text, word);
    const char *only = getenv("ONLY");

    if (only != NULL && strcmp(only, s->name) != 0)
        return;
    for (unsigned long r = 0; r < rounds; r++)
        for (size_t i = 0; i < (n > 0 ? n : 1); i++) {
            s->word = word + i;
            s->n_word = n > 0 ? 1 : 0;
            s->vary = r > 0 && !total->ranks;
            s->devices = total->ranks ? 2 + (long)((t_hash(s->name) + seed + r) % 3) : 1;
            run_one(s, seed + 1000 * r + i, total);
        }
}

static bool run_config(rk_arena *a, subject *s, const char *below, const char *file, uint64_t seed,
                       unsigned long rounds, sum *total)
{
    const char *path = rk_arena_format(a, "%s/%s", below, file);
    const rk_doc *type;
    char *text;
    rk_doc *doc;
    size_t n;
    rk_err err;

    if (rk_file_read(a, path, RK_CONFIG_BYTES_MAX, &text, &n, &err) != RK_OK ||
        rk_config_parse(a, path, text, n, &doc, &err) != RK_OK) {
        printf("FAILED %s\n", err.message);
        total->n_failed++;
        return false;
    }
    type = rk_doc_key(doc, "model_type", strlen("model_type"));
    if (type == NULL || type->kind != RK_DOC_TEXT || !is_of_family(s->text, type->text))
        return false;
    s->config = doc;
    s->name = rk_arena_copy(a, file, strcspn(file, "."));
    run_words(a, s, seed, rounds, total);
    return true;
}

typedef struct configs {
    const char *path;
    folder list;
} configs;

static void run_file(const char *models, const char *file, const configs given[2], uint64_t seed, unsigned long rounds,
                     sum *total)
{
    rk_arena a = {0};
    subject s = {.folder = models, .file = file};
    bool any = false;
    char *text;
    rk_err err;

    if (rk_file_read(&a, rk_arena_format(&a, "%s/%s", models, file), RK_SOURCE_BYTES_MAX, &text, &s.n, &err) != RK_OK) {
        printf("FAILED %s\n", err.message);
        total->n_failed++;
        rk_arena_free(&a);
        return;
    }
    s.text = text;
    for (size_t k = 0; k < 2 && !any; k++)
        for (size_t i = 0; i < given[k].list.n; i++)
            any |= run_config(&a, &s, given[k].path, given[k].list.name[i], seed, rounds, total);
    if (!any) {
        s.config = NULL;
        s.may_lack = is_of_family(text, "");
        s.name = rk_arena_copy(&a, file, strcspn(file, "."));
        run_words(&a, &s, seed, rounds, total);
    }
    rk_arena_free(&a);
}

int main(int argc, char **argv)
{
    static folder model;
    static configs config[2];
    uint64_t seed;
    unsigned long rounds;
    rk_arena a = {0};
    sum total = {.bodies = argc > 1 && strcmp(argv[1], "--bodies") == 0,
                 .step = argc > 1 && strcmp(argv[1], "--step") == 0,
                 .passes = argc > 1 && strcmp(argv[1], "--passes") == 0,
                 .ranks = argc > 1 && strcmp(argv[1], "--ranks") == 0};
    bool other = total.bodies || total.step || total.passes || total.ranks;

    argc -= other;
    argv += other;
    if (argc < 3 || argc > 5) {
        fprintf(stderr, "usage: oracle [--bodies|--step|--passes|--ranks] MODELS_DIR CONFIGS_DIR [SEED [ROUNDS]]\n");
        return 2;
    }
    seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    rounds = argc > 4 ? strtoul(argv[4], NULL, 10) : 2;
    config[0].path = argv[2];
    config[1].path = rk_arena_format(&a, "%s/named", argv[1]);
    if (!list_folder(&a, argv[1], ".rk", &model) || !list_folder(&a, argv[2], ".config.json", &config[0].list)) {
        fprintf(stderr, "oracle: no such folder\n");
        return 2;
    }
    list_folder(&a, config[1].path, ".json", &config[1].list); /* there may be none */
    for (size_t i = 0; i < model.n; i++)
        if (t_sampled(model.name[i]) || (i + 1 == model.n && total.n_model == 0)) /* never none */
            run_file(argv[1], model.name[i], config, seed, rounds, &total);
    if (total.passes && !report_passes() && getenv("ONLY") == NULL && t_every() == 1)
        total.n_failed++;
    if (total.ranks)
        report_ranks();
    printf("oracle: %zu models, %zu operations, %zu gradients checked", total.n_model, total.f.n_op,
           total.f.n_gradient);
    if (total.bodies)
        printf(", outputs of %zu compared with their bodies'", total.f.n_compared);
    if (total.step)
        printf(", %zu steps run; %zu operands copied after they were let go, %zu gradients added to a buffer that "
               "another shares",
               total.f.n_compared, total.f.n_copied, total.f.n_shared);
    if (total.ranks)
        printf(", %zu layouts run, %zu not borne", total.f.n_compared, total.f.n_refused);
    if (total.passes)
        printf(", %zu programs compared with what a pass made of them", total.f.n_compared);
    printf(total.n_failed > 0 ? ", %zu failed\n" : "\n", total.n_failed);
    rk_arena_free(&a);
    return total.n_failed > 0 ? 1 : 0;
}
