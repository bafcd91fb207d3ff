/* SPDX-License-Identifier: MIT */
/* reckon cross: from which number of a symbol on one quantity is larger than another. */
#include "report/cross.h"

#include "command/commands.h"
#include "command/run.h"

#include <string.h>

static const rk_cmd_option option[] = {
    RK_CMD_COUNTING_PLAIN, RK_CMD_RUN,    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,     RK_CMD_CONFIG, RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

enum {
    QUESTION = 3 /* words after the model: two quantities and a symbol */
};

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    size_t n = line->n_word - QUESTION;
    rk_gauge_source source;
    rk_measure measure[2];
    rk_cross cross = {0};
    const char *symbol, *set;
    int code = RK_OK;

    if (line->n_word <= QUESTION)
        return rk_fail(err, RK_EUSAGE,
                       "a model, two quantities and a symbol are needed, as in 'reckon cross gpt2-xl "
                       "attention ffn S'");
    symbol = line->word[line->n_word - 1];
    set = rk_cmd_setting(line, symbol);
    if (set)
        return rk_fail(err, RK_EUSAGE, "%s is what is looked for: leave out %s", symbol, set);
    for (size_t i = 0; i < RK_N_MESH; i++)
        if (strcmp(symbol, rk_mesh_word[i]) == 0)
            return rk_fail(err, RK_EUSAGE,
                           "%s is the size of an axis, by which not every number of devices divides: 'reckon sweep' "
                           "reads both at some, %s=1,2,4,8",
                           symbol, symbol);
    for (size_t i = 0; i < 2 && code == RK_OK; i++)
        code = rk_measure_parse(&out->arena, line->word[n + i], &measure[i], err);
    if (code == RK_OK)
        code = rk_cmd_gauge_source(line, line->word, n, &line->word[line->n_word - 1], 1, out, &source, err);
    if (code == RK_OK)
        code = rk_cross_new(&out->arena, &source, measure, &cross, err);
    if (code == RK_OK) {
        code = rk_report_cross(&out->report, &cross, err);
        out->differs = cross.answer == RK_CROSS_NEVER || cross.answer == RK_CROSS_EQUAL;
        rk_cross_free(&cross);
    }
    return code;
}

const rk_cmd_command rk_command_cross = {
    .name = "cross",
    .words = "MODEL QUANTITY QUANTITY SYMBOL [SYMBOL=VALUE …]",
    .text = "from which number of a symbol on one quantity is larger than another",
    .more = "Where the formulas allow it, the equation is solved; that no other crossing is missing is then proved.\n"
            "Where the first is never larger, the reason is printed, and the exit status is 1.\n"
            "\n" RK_CMD_QUANTITIES "\n"
            "\n" RK_CMD_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon cross gpt2-xl attention ffn S", "from which length on attention costs more than the FFN"},
            {"reckon cross llama-3.1-8b cache weights T --phase decode", "when the cache is larger than the weights"},
            {"reckon cross gpt-oss-120b attention.products ffn S --causal exact", "with windows in every other layer"},
        },
    .run = run,
};
