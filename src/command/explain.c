/* SPDX-License-Identifier: MIT */
/* reckon explain: one row, part or tensor, from its line to its number. */
#include "command/command.h"
#include "command/commands.h"

#include "command/run.h"
#include "report/held.h"

#define WORDS RK_QUANTITY_WORDS "|" RK_HELD_WORDS

static const rk_cmd_option option[] = {
    RK_CMD_COUNTING,
    RK_CMD_RUN,
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,
    RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* Of options that say how a step is taken, the first that was given: operations and parameters know nothing of it. */
static int refuse_run(const rk_cmd_line *line, rk_err *err)
{
    static const rk_cmd_option run[] = {RK_CMD_RUN, RK_LAYOUT_HOW(RK_CMD_LAYOUT_ROW) RK_CMD_ADAPT, RK_CMD_ADAPT_TYPE};

    for (size_t i = 0; i < sizeof run / sizeof *run; i++)
        if (rk_cmd_value(line, run[i].name))
            return rk_fail(err, RK_EUSAGE, "%s says how a step is taken: ask for saved or memory", run[i].name);
    return RK_OK;
}

/* Bytes: of the step that the line says, and of the model as its file has it, whose lines are named. */
static int explain_held(const rk_cmd_line *line, size_t n_word, rk_held_quantity quantity, const char *path,
                        rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_run_request asked;
    rk_memory *memory = NULL;
    rk_run step = {0};
    int code;

    request.n_word = n_word;
    code = rk_tokens_keep_input(&out->arena, &request, err); /* the model is opened twice */
    if (code == RK_OK)
        code = rk_cmd_run_request(line, &request, &asked, err);
    if (code == RK_OK)
        code = rk_run_open(&asked, &step, err);
    if (code == RK_OK && quantity == RK_QUANTITY_SAVED && step.options.phase != RK_PHASE_TRAIN)
        code = rk_fail(err, RK_EUSAGE, "saved: only a training step saves for its backward pass; ask for memory");
    step.options.reasons = true;
    if (code == RK_OK)
        code = rk_memory_new(step.opened.instance, &step.options, &memory, err);
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &asked.open, RK_FIND_MODEL, out, err);
    if (code == RK_OK)
        code = rk_report_held(&out->report, step.ledger, memory, out->ledger->model, quantity, path, err);
    rk_memory_free(memory);
    rk_run_close(&step);
    return code;
}

/* MODEL PATH [WHAT]: what stands before the path are the model's words. */
static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    int place = -1, held, code;
    size_t n = line->n_word;

    if (n > 1)
        place = rk_words_place(WORDS, line->word[n - 1]);
    held = place - (RK_QUANTITY_STEP + 1);
    if (n == 2 && held >= 0) /* of all of it */
        return explain_held(line, 1, (rk_held_quantity)held, NULL, out, err);
    if (n > 2 && place >= 0)
        n--;
    else
        place = RK_QUANTITY_ANY;
    /* A family and a config are two words; a third one can only be a quantity that is none. */
    if (n > 2 && !rk_find_is_path(line->who->files, line->word[1]))
        return rk_words_fail(WORDS, "the quantity", line->word[n - 1], err);
    if (n > 3)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[n - 1]);
    if (n < 2)
        return rk_fail(err, RK_EUSAGE, "%s",
                       n ? "say what of it: a row, a part or a tensor, as in layers.attention"
                         : "say which model, and what of it");
    if (place > RK_QUANTITY_STEP)
        return explain_held(line, n - 1, (rk_held_quantity)held, line->word[n - 1], out, err);
    code = refuse_run(line, err);
    if (code == RK_OK)
        code = rk_cmd_open(line, line->word, n - 1, RK_FIND_MODEL, out, err);
    return code == RK_OK ? rk_report_row(&out->report, out->ledger, place, line->word[n - 1], err) : code;
}

const rk_cmd_command rk_command_explain = {
    .name = "explain",
    .words = "MODEL PATH [" WORDS "] [SYMBOL=VALUE …]",
    .text = "one row explained: its line, rule, formula and numbers, gradients or bytes",
    .more = RK_CMD_ABOUT_MODEL
    "\n\nPATH is a row, a part or a tensor, or the end of its name where no other name ends so: scores,\n"
    "attention.scores, layers.attention, q_proj.weight.  Without a quantity it is the forward FLOPs, and the\n"
    "parameters of what has none.  saved is what the line keeps for the backward pass, memory what it has at the "
    "peak:\n"
    "in which type, why, and until when.  Both take the options of a step, and PATH may be left out, or be norms, head "
    "…",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon explain gpt2-xl layers.attention.scores", "one row, from its line to its number"},
            {"reckon explain llama-3.1-8b q_proj.weight", "a tensor, and who uses it"},
            {"reckon explain llama-3.1-8b ffn.gate saved", "what a line keeps for backward, why, and until when"},
        },
    .run = run,
};
