/* SPDX-License-Identifier: MIT */
/* reckon explain: one row, part or tensor, from its line to its number. */
#include "command/command.h"
#include "command/commands.h"

#include "ask/explain.h"

static const rk_cmd_option option[] = {
    RK_CMD_COUNTING,
    RK_LAYOUT_WHERE(RK_CMD_LAYOUT_ROW) RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* MODEL PATH [WHAT]: what stands before the path are the model's words. */
static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    int quantity = RK_QUANTITY_ANY, code;
    size_t n = line->n_word;

    if (n > 2 && rk_words_place(RK_QUANTITY_WORDS, line->word[n - 1]) >= 0)
        quantity = rk_words_place(RK_QUANTITY_WORDS, line->word[--n]);
    /* A family and a config are two words; a third one can only be a quantity that is none. */
    if (n > 2 && !rk_find_is_path(line->who->files, line->word[1]))
        return rk_words_fail(RK_QUANTITY_WORDS, "the quantity", line->word[n - 1], err);
    if (n > 3)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[n - 1]);
    if (n < 2)
        return rk_fail(err, RK_EUSAGE, "%s",
                       n ? "say what of it: a row, a part or a tensor, as in layers.attention"
                         : "say which model, and what of it");
    code = rk_cmd_open(line, line->word, n - 1, RK_FIND_MODEL, out, err);
    return code == RK_OK ? rk_report_row(&out->report, out->ledger, quantity, line->word[n - 1], err) : code;
}

const rk_cmd_command rk_command_explain = {
    .name = "explain",
    .words = "MODEL PATH [" RK_QUANTITY_WORDS "] [SYMBOL=VALUE …]",
    .text = "one row explained: its line, rule, formula, numbers and gradients",
    .more = RK_CMD_ABOUT_MODEL
    "\n\nPATH is a row, a part or a tensor, or the end of its name where no other name ends so: scores,\n"
    "attention.scores, layers.attention, q_proj.weight.  Without a quantity it is the forward FLOPs, and the\n"
    "parameters of what has none.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon explain gpt2-xl layers.attention.scores", "one row, from its line to its number"},
            {"reckon explain llama-3.1-8b attention step", "a part: both passes, row by row"},
            {"reckon explain llama-3.1-8b q_proj.weight", "a tensor, and who uses it"},
        },
    .run = run,
};
