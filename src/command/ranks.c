/* SPDX-License-Identifier: MIT */
/* reckon ranks: what each device of a layout computes, holds and sends. */
#include "command/amount.h"
#include "command/commands.h"
#include "command/run.h"
#include "plan/tokens.h"
#include "report/plan.h"
#include "report/ranks.h"

#define NODE 8 /* devices of a node, as most are built */

static const rk_cmd_option option[] = {
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_DEVICE,
    RK_CMD_RUN,
    RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,
    RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    {"--node", "N", NULL, "devices of a node, whose links are fast (default 8)"},
    {"--theme", "THEME", "both|light|dark", "of a picture: as the reader's paper is, or one of the two"},
    RK_CMD_OUTPUT(RK_PICTURE_FORMAT_WORDS),
};

/* --devices, where it is said, is the product of the axes. */
static int check_devices(const rk_cmd_line *line, const rk_ranks *r, rk_err *err)
{
    rk_i128 n = 0, devices = rk_layout_devices(&r->layout);
    char said[RK_NUM_TEXT_MAX], has[RK_NUM_TEXT_MAX];
    int code = rk_cmd_count(line, "--devices", &n, err);

    if (code == RK_OK && n > 0 && n != devices)
        return rk_fail(err, RK_EUSAGE, "--devices %s: the layout has %s", rk_num_text(said, n),
                       rk_num_text(has, devices));
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    const rk_device *device = NULL;
    rk_run_request asked;
    rk_ranks ranks = {0};
    rk_i128 node = 0;
    int code = rk_tokens_keep_input(&out->arena, &request, err); /* the model is opened for each kind of rank */

    if (code == RK_OK && rk_cmd_value(line, "--theme") && !rk_writers[out->report.format].themed)
        code = rk_fail(err, RK_EUSAGE, "--theme is about a picture: add --format svg");
    out->report.paper.theme = (rk_svg_theme)rk_cmd_choice(line, "--theme");
    if (code == RK_OK)
        code = rk_cmd_device(line, &out->arena, &device, err);
    if (code == RK_OK)
        code = rk_cmd_run_request(line, &request, &asked, err);
    if (code == RK_OK)
        code = rk_ranks_find(&out->arena, &asked, true, &ranks, err);
    if (code == RK_OK)
        code = check_devices(line, &ranks, err);
    if (code == RK_OK)
        code = rk_cmd_count(line, "--node", &node, err);
    if (code == RK_OK) {
        rk_ranks_asked a = {.ranks = &ranks, .device = device, .node = node ? node : NODE};

        code = rk_report_ranks(&out->report, ranks.at[ranks.fullest].run.ledger, &a, err);
        out->unfit = a.unfit;
    }
    rk_ranks_free(&ranks);
    return code;
}

const rk_cmd_command rk_command_ranks = {
    .name = "ranks",
    .words = "MODEL --layout AXES [SYMBOL=VALUE …]",
    .text = "what each of many devices computes, holds and sends",
    .more = RK_CMD_ABOUT_MODEL
    "\n\nAXES are sizes of the mesh: ddp=8 (copies), fsdp=8 (weights in pieces), replicate=2 (copies of those), tp=4\n"
    "(heads, FFN width and vocabulary in pieces), cp=2 (the sequence), ep=8 (experts), pp=4 (layers); and words: sp\n"
    "(the sequence in pieces between products), vocab-loss, zero1 to zero3, virtual=2 (stages of each device).  B is\n"
    "the batch of one data-parallel rank and one micro-batch, S the whole sequence.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon ranks llama-3.1-70b --layout fsdp=8,tp=8,sp --recompute full S=8K --device h100",
             "who holds what, what is sent, what fits"},
            {"reckon ranks gpt2-xl --layout pp=4 --micro 8", "the places of a pipeline"},
            {"reckon ranks mixtral-8x7b --layout tp=4 --runtime hf --dtype bf16", "as transformers divides it"},
        },
    .run = run,
};
