/* SPDX-License-Identifier: MIT */
/* reckon derive: the closed form of a quantity, step by step. */
#include "cli/cli.h"
#include "cli/commands.h"

static const rk_cli_option option[] = {
    RK_CLI_COUNTING,
    RK_CLI_FORMULAS,
    RK_CLI_CONFIG,
    RK_CLI_OUTPUT(RK_FORMAT_WORDS),
};

/* MODEL [WHAT [PATH]]: the word for a quantity ends the model's words. */
typedef struct question {
    size_t n_model;
    rk_quantity quantity;
    const char *path;
} question;

static int read_question(const rk_cli_line *line, question *q, rk_err *err)
{
    size_t at = 1;

    *q = (question){.quantity = RK_QUANTITY_FLOPS};
    while (at < line->n_word && rk_words_place(RK_QUANTITY_WORDS, line->word[at]) < 0)
        at++;
    q->n_model = at < line->n_word ? at : line->n_word;
    if (at < line->n_word)
        q->quantity = (rk_quantity)rk_words_place(RK_QUANTITY_WORDS, line->word[at]);
    /* Without a quantity, a second word can only be a config. */
    if (at >= line->n_word && line->n_word == 2 && !rk_find_is_path(line->word[1]))
        return rk_words_fail(RK_QUANTITY_WORDS, "the quantity", line->word[1], err);
    if (at + 1 < line->n_word)
        q->path = line->word[at + 1];
    if (at + 2 < line->n_word)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[at + 2]);
    return RK_OK;
}

static int run(const rk_cli_line *line, rk_cli_output *out, rk_err *err)
{
    rk_instance *instance = NULL;
    rk_ledger *ledger = NULL;
    rk_report report;
    question q;
    int code = rk_cli_report(line, out, &report, err);

    if (code == RK_OK)
        code = read_question(line, &q, err);
    if (code == RK_OK)
        code = rk_cli_open(line, line->word, q.n_model, out, &instance, &ledger, err);
    if (code == RK_OK)
        code = rk_report_derive(&report, ledger, q.quantity, q.path, err);
    rk_cli_close(instance, ledger);
    return code;
}

const rk_cli_command rk_command_derive = {
    .name = "derive",
    .words = "MODEL [" RK_QUANTITY_WORDS " [PATH]] [SYMBOL=VALUE …]",
    .text = "the closed form, line by line of the model",
    .more =
        RK_CLI_ABOUT_MODEL "\n\nPATH is a part of the model, such as layers.attention.  Symbols need no value here.",
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon derive gpt2-xl", "forward, line by line of the model"},
            {"reckon derive llama step layers.attention", "both passes of the attention of all layers"},
            {"reckon derive gpt2 params --format latex", "as LaTeX"},
        },
    .run = run,
};
