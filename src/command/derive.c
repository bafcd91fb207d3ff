/* SPDX-License-Identifier: MIT */
/* reckon derive: the closed form of a quantity, step by step. */
#include "command/command.h"
#include "command/commands.h"
#include "command/run.h"
#include "report/ranks.h"

#include <string.h>

#define COMM "comm" /* what ranks send, which is a sum over the tasks of a step */

static const rk_cmd_option option[] = {
    RK_CMD_COUNTING,
    RK_CMD_RUN,
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* What one of several devices sends, as formulas. */
static int derive_comm(const rk_cmd_line *line, size_t n_word, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_memory *memory = NULL;
    rk_run step = {0};
    int code = rk_cmd_value(line, "--layout")
                   ? RK_OK
                   : rk_fail(err, RK_EUSAGE, "comm is what several devices send: add --layout tp=8,sp");

    request.n_word = n_word;
    if (code == RK_OK)
        code = rk_cmd_run_open(line, &request, &step, err);
    if (code == RK_OK)
        code = rk_memory_new(step.opened.instance, &step.options, &memory, err);
    if (code == RK_OK)
        code = rk_report_comm(&out->report, step.ledger, memory, err);
    rk_memory_free(memory);
    rk_run_close(&step);
    return code;
}

/* MODEL [WHAT [PATH]]: the word for a quantity ends the model's words. */
static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_quantity quantity = RK_QUANTITY_FLOPS;
    size_t at = 1, n = line->n_word;
    int code;

    while (at < n && rk_words_place(RK_QUANTITY_WORDS "|" COMM, line->word[at]) < 0)
        at++;
    if (at < n && strcmp(line->word[at], COMM) == 0)
        return at + 1 < n ? rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[at + 1])
                          : derive_comm(line, at, out, err);
    if (at < n)
        quantity = (rk_quantity)rk_words_place(RK_QUANTITY_WORDS, line->word[at]);
    /* Without a quantity, a second word can only be a config. */
    if (at >= n && n == 2 && !rk_find_is_path(line->who->files, line->word[1]))
        return rk_words_fail(RK_QUANTITY_WORDS "|" COMM, "the quantity", line->word[1], err);
    if (at + 2 < n)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[at + 2]);
    code = rk_cmd_open(line, line->word, at < n ? at : n, RK_FIND_MODEL, out, err);
    return code == RK_OK
               ? rk_report_derive(&out->report, out->ledger, quantity, at + 1 < n ? line->word[at + 1] : NULL, err)
               : code;
}

const rk_cmd_command rk_command_derive = {
    .name = "derive",
    .words = "MODEL [" RK_QUANTITY_WORDS "|" COMM " [PATH]] [SYMBOL=VALUE …]",
    .text = "the closed form, line by line of the model",
    .more =
        RK_CMD_ABOUT_MODEL "\n\nPATH is a part of the model, such as layers.attention.  Symbols need no value here.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon derive gpt2-xl", "forward, line by line of the model"},
            {"reckon derive llama step layers.attention", "both passes of the attention of all layers"},
            {"reckon derive gpt2 params --format latex", "as LaTeX"},
        },
    .run = run,
};
