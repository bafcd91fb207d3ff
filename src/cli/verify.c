/* SPDX-License-Identifier: MIT */
/* reckon verify: a model against a checkpoint, tensor by tensor. */
#include "cli/cli.h"
#include "cli/commands.h"

#include "account/verify.h"
#include "read/hub.h"

#include <string.h>
#include <unistd.h>

static const rk_cli_option option[] = {
    {"--all", NULL, NULL, "list each tensor that differs, not equal ones of all layers together"},
    RK_CLI_CONFIG,
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
};

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A family and then its config are one model; what has tensors is no config. */
static size_t n_model_word(const rk_cli_line *line)
{
    bool two = line->n_word > 2 && ends_in(line->word[1], ".json") && !ends_in(line->word[1], ".index.json");

    return two ? 2 : 1;
}

static int read_one(rk_arena *a, const char *word, rk_store **out, rk_err *err)
{
    const char *path = word;
    int code = RK_OK;

    if (access(word, F_OK) != 0 && strchr(word, '/') && rk_hub_is_name(word))
        code = rk_hub_find(a, word, &path, err);
    return code == RK_OK ? rk_store_read(a, path, out, err) : code;
}

/* The checkpoint behind the model on the line: one word, or the shards one by one. */
static int read_files(rk_arena *a, const char *const *word, size_t n, const rk_store **out, const char **name,
                      rk_err *err)
{
    rk_store *store = NULL;
    int code = n == 1 ? read_one(a, word[0], &store, err) : rk_safetensors_shards_read(a, word, n, &store, err);

    if (code != RK_OK)
        return code;
    *out = store;
    *name = n == 1 ? word[0] : rk_arena_format(a, "%s and %zu more", word[0], n - 1);
    return *name ? RK_OK : rk_fail_memory(err);
}

/* Both sides of the comparison. */
static int open_both(const rk_cli_line *line, rk_cli_output *out, rk_opened *opened, rk_ledger **ledger, rk_err *err)
{
    size_t n = n_model_word(line), n_file = line->n_word > n ? line->n_word - n : 0;
    int code = rk_cli_open_all(line, line->word, line->n_word ? n : 0, n_file ? RK_FIND_MODEL : RK_FIND_BOTH, out,
                               opened, ledger, err);

    if (code != RK_OK)
        return code;
    if (n_file)
        return read_files(&opened->arena, line->word + n, n_file, &opened->store, &opened->store_name, err);
    if (!opened->store)
        return rk_fail(err, RK_EUSAGE,
                       "which checkpoint?  '%s' is a model; a file or a folder of tensors comes after it",
                       line->word[0]);
    return RK_OK;
}

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_opened opened = {.name = NULL};
    rk_ledger *ledger = NULL;
    rk_verify v = {.n = 0};
    rk_report report;
    int code = rk_cli_report(line, out, &report, err);

    if (code == RK_OK)
        code = open_both(line, out, &opened, &ledger, err);
    if (code == RK_OK)
        code = rk_verify_new(ledger, opened.store, &v, err);
    if (code == RK_OK)
        code = rk_report_verify(&report, ledger, &v, opened.store_name, rk_cli_value(line, "--all") != NULL, err);
    out->differs = code == RK_OK && !v.equal;
    rk_verify_free(&v);
    rk_cli_close(NULL, ledger);
    rk_opened_free(&opened);
    return code;
}

const rk_cli_command rk_command_verify = {
    .name = "verify",
    .words = "MODEL [FILE …] [SYMBOL=VALUE …]",
    .text = "a model against a checkpoint, tensor by tensor",
    .more = "FILE is a safetensors file, its index, a GGUF file, a folder with one of these, or several shards.\n"
            "Without FILE, MODEL is a folder with a config.json and a checkpoint.  Only headers are read.  The exit\n"
            "status is 1 where they differ.\n\n" RK_CLI_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon verify config.json model.safetensors", "whether the file has what the config says"},
            {"reckon verify . --format json", "a folder with both, for a program"},
        },
    .run = run,
};
