/* SPDX-License-Identifier: MIT */
/*
 * tests/golden/ranks.c - what one rank of several holds and sends, against what PyTorch's has and does.
 *
 * ranks FOLDER NAME …: for each line of FOLDER/NAME.tsv (a config, words of the line, bytes of parameters, gradients
 * and the optimizer, bytes allocated at the peak, bytes of live storages at the peak, all that is sent) the first three
 * and what is sent are equal.  The peak is within a thousandth of what was allocated on a device; after a ~, its blocks
 * are within a hundredth of that; of what was counted without a device, where operations make other things inside,
 * within three hundredths of the live bytes.
 */
#include "base/file.h"
#include "base/num.h"
#include "read/doc.h"
#include "reckon.h"
#include "t.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64
#define WORKSPACES ((long long)64 << 20) /* of the matrix library: no storages */

enum {
    CONFIG,
    WORDS,
    PARAMETERS,
    GRADIENTS,
    OPTIMIZER,
    PEAK,
    LIVE,
    SENT,
    N_FIELD
};

static const rk_doc *key(const rk_doc *d, const char *name)
{
    return rk_doc_key(d, name, strlen(name));
}

static long long number(const rk_doc *d, const char *name)
{
    const rk_doc *x = key(d, name);

    return x ? (long long)x->number : -1;
}

/* "fwd all_gather bf16 5 432480": times, and elements of all of them. */
static bool is_sent(const rk_doc *sent, const char *what)
{
    char phase[16], op[32], type[16];
    long long times = 0, elements = 0;

    if (sscanf(what, "%15s %31s %15s %lld %lld", phase, op, type, &times, &elements) != 5)
        return false;
    for (size_t i = 0; sent && i < sent->n; i++) {
        const rk_doc *row = &sent->item[i];

        if (strcmp(key(row, "phase")->text, phase) == 0 && strcmp(key(row, "op")->text, op) == 0 &&
            strcmp(key(row, "dtype")->text, type) == 0) {
            times -= number(row, "times");
            elements -= number(row, "times") * number(row, "elements");
        }
    }
    return times == 0 && elements == 0;
}

/* Blocks of the allocator, where they are known. */
static long long blocks_of(const rk_doc *d)
{
    const rk_doc *allocator = key(d, "allocator");

    return allocator ? number(allocator, "allocated") : number(d, "peak");
}

static void check_answer(const rk_doc *d, char **field)
{
    static const char *const name[] = {
        [PARAMETERS] = "parameters", [GRADIENTS] = "gradients", [OPTIMIZER] = "optimizer"};
    const rk_doc *sent = key(d, "collectives");
    bool about = field[PEAK][0] == '~';
    long long peak = about ? blocks_of(d) : number(d, "peak"), want = atoll(field[PEAK] + about),
              live = atoll(field[LIVE]), all = 0, listed = 0;
    bool ok = true;

    for (int i = PARAMETERS; i <= OPTIMIZER; i++)
        ok &= CHECK_INT(number(d, name[i]), atoll(field[i]));
    if (want > 0)
        ok &= CHECK(llabs(peak - want) <= want / (about ? 100 : 1000));
    if (live > 0)
        ok &= CHECK(llabs(peak - WORKSPACES - live) <= live / 100 * 3);
    for (size_t i = 0; sent && i < sent->n; i++)
        all += number(&sent->item[i], "times");
    for (char *what = strtok(field[SENT], ";"); what; what = strtok(NULL, ";")) {
        long long times = 0;

        sscanf(what, "%*s %*s %*s %lld", &times);
        listed += times;
        if (!CHECK(is_sent(sent, what)))
            printf("    not sent: %s\n", what);
    }
    ok &= CHECK_INT(all, listed);
    if (!ok)
        printf("    %s %s: peak %lld, allocated %lld, live %lld\n", field[CONFIG], field[WORDS], peak, want, live);
}

static void check_line(rk_arena *a, reckon_context *c, const char *folder, char **field)
{
    char path[1024], words[1024];
    const char *word[WORDS_MAX] = {"memory", path};
    size_t n = 2;
    reckon_answer answer = {0};
    reckon_error error = {0};
    rk_doc *d = NULL;
    rk_err err = {0};

    snprintf(path, sizeof path, "%s/%s.config.json", folder, field[CONFIG]);
    snprintf(words, sizeof words, "%s", field[WORDS]);
    for (char *at = strtok(words, " "); at && n + 1 < WORDS_MAX; at = strtok(NULL, " "))
        word[n++] = at;
    if (!CHECK_INT(reckon_ask(c, word, "json", &answer, &error), RECKON_OK))
        printf("    %s %s: %s\n", field[CONFIG], field[WORDS], error.message);
    else if (CHECK_INT(rk_config_parse(a, "answer", answer.text, strlen(answer.text), &d, &err), RK_OK))
        check_answer(d, field);
    reckon_answer_free(&answer);
}

int main(int argc, char **argv)
{
    rk_arena a = {0};
    reckon_context *c = NULL;
    size_t n_line = 0;

    CHECK_INT(reckon_context_new(NULL, &c, NULL), RECKON_OK);
    for (int i = 2; i < argc; i++) {
        char path[1024], *text = NULL;
        rk_err err = {0};
        size_t n = 0;

        snprintf(path, sizeof path, "%s/%s.tsv", argv[1], argv[i]);
        if (!CHECK_INT(rk_file_read(&a, path, (size_t)1 << 20, &text, &n, &err), RK_OK))
            continue;
        for (char *at = text; *at; n_line++) {
            char *field[N_FIELD];

            for (int k = 0; k < N_FIELD; k++) {
                field[k] = at;
                at += strcspn(at, "\t\n");
                at += *at ? (*at = '\0', 1) : 0;
            }
            check_line(&a, c, argv[1], field);
        }
    }
    CHECK(n_line > 20);
    reckon_context_free(&c);
    rk_arena_free(&a);
    return t_done("ranks");
}
