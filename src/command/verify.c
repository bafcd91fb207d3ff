/* SPDX-License-Identifier: MIT */
/* reckon verify: a model against a checkpoint, tensor by tensor. */
#include "command/command.h"
#include "command/commands.h"

#include "account/verify.h"
#include "read/hub.h"

#include <string.h>

static const rk_cmd_option option[] = {
    {"--all", NULL, NULL, "list each tensor that differs, not equal ones of all layers together"},
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The checkpoint after the model on the line: one word, or the shards one by one. */
static int read_files(const rk_files *files, const char *const *word, size_t n, rk_opened *opened, rk_err *err)
{
    const char *path = word[0];
    rk_store *store = NULL;
    int code = RK_OK;

    if (n == 1 && rk_files_kind(files, path) == RK_PATH_NONE && strchr(path, '/') && rk_hub_is_name(path))
        code = rk_hub_find(files, &opened->arena, word[0], &path, err);
    if (code == RK_OK)
        code = n == 1 ? rk_store_read(files, &opened->arena, path, &store, err)
                      : rk_safetensors_shards_read(files, &opened->arena, word, n, &store, err);
    if (code != RK_OK)
        return code;
    opened->store = store;
    opened->store_name = n == 1 ? word[0] : rk_arena_format(&opened->arena, "%s and %zu more", word[0], n - 1);
    return opened->store_name ? RK_OK : rk_fail_memory(err);
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    /* A family and then its config are one model; what has tensors is no config. */
    bool two = line->n_word > 2 && ends_in(line->word[1], ".json") && !ends_in(line->word[1], ".index.json");
    size_t n = two ? 2 : 1, n_file = line->n_word > n ? line->n_word - n : 0;
    rk_verify v = {.n = 0};
    int code = rk_cmd_open(line, line->word, line->n_word ? n : 0, n_file ? RK_FIND_MODEL : RK_FIND_BOTH, out, err);

    if (code == RK_OK && n_file)
        code = read_files(line->who->files, line->word + n, n_file, &out->opened, err);
    else if (code == RK_OK && !out->opened.store)
        code =
            rk_fail(err, RK_EUSAGE, "which checkpoint?  '%s' is a model; a file or a folder of tensors comes after it",
                    line->word[0]);
    if (code == RK_OK)
        code = rk_verify_new(out->ledger, out->opened.store, &v, err);
    if (code == RK_OK)
        code = rk_report_verify(&out->report, out->ledger, &v, out->opened.store_name,
                                rk_cmd_value(line, "--all") != NULL, err);
    out->differs = code == RK_OK && !v.equal;
    rk_verify_free(&v);
    return code;
}

const rk_cmd_command rk_command_verify = {
    .name = "verify",
    .words = "MODEL [FILE …] [SYMBOL=VALUE …]",
    .text = "a model against a checkpoint, tensor by tensor",
    .more = "FILE is a safetensors file, its index, a GGUF file, a folder with one of these, or several shards.\n"
            "Without FILE, MODEL is a folder with a config.json and a checkpoint.  Only headers are read.  The exit\n"
            "status is 1 where they differ.\n\n" RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon verify config.json model.safetensors", "whether the file has what the config says"},
            {"reckon verify . --format json", "a folder with both, for a program"},
        },
    .run = run,
};
