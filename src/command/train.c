/* SPDX-License-Identifier: MIT */
/* reckon train: the operations of a training run, and how long it takes on some devices. */
#include "command/amount.h"
#include "account/training.h"
#include "command/commands.h"
#include "command/run.h"
#include "plan/setting.h"

#include "report/plan.h"

#include <string.h>

#define TYPE_WORDS "fp32|tf32|bf16|fp16|fp8|fp4"

static const rk_cmd_option option[] = {
    {"--tokens", "N", NULL, "so many tokens, as 15T (15 million million) or 300B"},
    {"--steps", "N", NULL, "or so many steps of B sequences"},
    RK_CMD_DEVICE,
    {"--dtype", "TYPE", TYPE_WORDS, "whose peak rate of the device is taken, where the config does not say it"},
    {"--recipe", "NAME", RK_RECIPE_WORDS, "how it is trained: the type that it multiplies in, and adapters"},
    {"--rate", "RATE", NULL, "instead of a device: FLOPs in a second, as 19.5TFLOP/s"},
    {"--mfu", "SHARE", NULL, "of the rate that is reached, as 40% (all of it, where nothing is said)"},
    {"--causal", "HOW", "full|exact",
     "masked attention: the full square (of a window its keys), or only the pairs that it allows"},
    {"--recompute", "WHAT", RK_RECOMPUTE_WORDS, "also what backward does once more: scores, or all layers"},
    {"--accumulate", "N", NULL, "add up the gradients of N passes before each step of the optimizer"},
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_ADAPT,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* The rates of a device, in the order of the words. */
static const rk_rate rate_of[] = {RK_RATE_FP32, RK_RATE_TF32, RK_RATE_BF16, RK_RATE_FP16, RK_RATE_FP8, RK_RATE_FP4};

/* ---- how much --------------------------------------------------------------------------------------------------- */

/* 15T, 1e12, 300G, and 300B, which is as many in the mouth of most. */
static int read_tokens(const rk_cmd_line *line, rk_arena *a, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cmd_value(line, "--tokens"), *text = value;
    bool plain = value && strspn(value, "0123456789.") + 1 == strlen(value) && strchr("Bb", value[strlen(value) - 1]);
    char *giga = plain ? rk_arena_text(a, value) : NULL;

    if (!value)
        return RK_OK;
    if (plain && !giga)
        return rk_fail_memory(err);
    if (giga) {
        giga[strlen(giga) - 1] = 'G';
        text = giga;
    }
    *out = rk_cmd_amount(&text);
    if (*out > 0 && *text == '\0')
        return RK_OK;
    return rk_cmd_amount_fail(*out, "--tokens", value, "tokens, such as 15T or 300B", err);
}

/* ---- how fast --------------------------------------------------------------------------------------------------- */

static int fail_rate(const rk_device *d, const char *type, rk_err *err)
{
    rk_str known = {0};
    int code;

    for (int i = 0; i < RK_N_RATE; i++)
        if (d->rate[i])
            rk_str_format(&known, "%s%s", known.n ? ", " : "", rk_rate_word[i]);
    code = rk_fail(err, RK_EINPUT, "no source has a rate of %s in %s%s%s%s", d->key, type,
                   known.n ? ", but in " : ": say a --rate", rk_str_text(&known),
                   known.n ? " (--dtype), or say a --rate" : "");
    rk_str_free(&known);
    return code;
}

/* The rate of the device in the type that the line says, or that a training step of the model has by itself. */
static int take_rate(const rk_cmd_line *line, const rk_model *m, rk_train_asked *t, rk_err *err)
{
    const char *type = rk_cmd_value(line, "--dtype");

    type = type ? type : rk_recipe_type(rk_cmd_value(line, "--recipe"));
    if (!t->device)
        return RK_OK;
    t->type_given = type != NULL;
    t->type = type ? type : rk_run_training_type(m);
    t->request.power = t->device->power;
    t->request.rate = t->device->rate[rate_of[rk_words_place(TYPE_WORDS, t->type)]];
    return t->request.rate ? RK_OK : fail_rate(t->device, t->type, err);
}

static int read_speed(const rk_cmd_line *line, rk_arena *a, rk_train_asked *t, rk_err *err)
{
    int code = rk_cmd_rate(line, &t->request.rate, err);

    t->mfu_given = rk_cmd_value(line, "--mfu") != NULL;
    if (code == RK_OK)
        code = rk_cmd_mfu(line, &t->request.mfu, err);
    t->request.mfu = t->mfu_given ? t->request.mfu : 0;
    if (code == RK_OK)
        code = rk_cmd_devices(line, &t->request.devices, err);
    if (code == RK_OK)
        code = rk_cmd_device(line, a, &t->device, err);
    if (code == RK_OK && t->device && t->request.rate)
        code = rk_fail(err, RK_EUSAGE, "--rate stands for a device: leave out --device, or --rate");
    if (code == RK_OK && !t->device && !t->request.rate && (t->mfu_given || rk_cmd_value(line, "--devices")))
        code = rk_fail(err, RK_EUSAGE, "on what? --device h100-80gb ('reckon devices' lists them), or a --rate");
    if (code == RK_OK && !t->device && rk_cmd_value(line, "--dtype"))
        code = rk_fail(err, RK_EUSAGE, "--dtype chooses a rate of a --device");
    return code;
}

/* ---- what is done twice ------------------------------------------------------------------------------------------ */

/* Forward operations that a step's backward pass does once more, as 'reckon memory' has them. */
static int read_recomputed(const rk_cmd_line *line, rk_cmd_output *out, rk_train_asked *t, rk_err *err)
{
    rk_open_request open = rk_cmd_request(line, out);
    rk_run_request request;
    rk_memory *memory = NULL;
    rk_run step = {0};
    int code;

    if (rk_cmd_choice(line, "--recompute") == 0)
        return RK_OK;
    code = rk_cmd_run_request(line, &open, &request, err);
    request.word[RK_RUN_DTYPE] = NULL; /* it chooses a rate */
    request.layout = (rk_layout_request){0};
    if (code == RK_OK)
        code = rk_run_open(&request, &step, err);
    if (code == RK_OK)
        code = rk_memory_new(step.opened.instance, &step.options, &memory, err);
    if (code == RK_OK)
        t->request.recomputed =
            rk_instance_value(step.opened.instance, rk_recompute_flops(memory, step.ledger), &code, err);
    rk_memory_free(memory);
    rk_run_close(&step);
    return code;
}

/* ---- over devices ------------------------------------------------------------------------------------------------ */

/* The ranks of a layout, and what follows for the run: how many devices there are, and how many batches a step has. */
static int find_ranks(const rk_cmd_line *line, rk_cmd_output *out, rk_ranks *ranks, rk_train_asked *t, rk_err *err)
{
    rk_open_request open = rk_cmd_request(line, out);
    rk_run_request request;
    rk_i128 said = t->request.devices, devices;
    char n[RK_NUM_TEXT_MAX], has[RK_NUM_TEXT_MAX];
    int code = rk_tokens_keep_input(&out->arena, &open, err); /* the model is opened for each kind of rank */

    if (code == RK_OK)
        code = rk_cmd_run_request(line, &open, &request, err);
    t->request.batches = code == RK_OK && request.count[RK_RUN_PASSES] > 1 ? request.count[RK_RUN_PASSES] : 1;
    if (code != RK_OK || !request.layout.said[RK_LAYOUT_LINE])
        return code;
    request.word[RK_RUN_DTYPE] = NULL; /* it chooses a rate */
    code = rk_ranks_find(&out->arena, &request, false, ranks, err);
    if (code != RK_OK)
        return code;
    devices = rk_layout_devices(&ranks->layout);
    if (rk_cmd_value(line, "--devices") && said != devices)
        return rk_fail(err, RK_EUSAGE, "--devices %s: the layout has %s", rk_num_text(n, said),
                       rk_num_text(has, devices));
    t->request.devices = devices;
    t->request.batches = rk_ranks_batches(ranks->at[0].memory);
    t->ranks = (rk_ranks_asked){.ranks = ranks, .device = t->device};
    return RK_OK;
}

/* The model, with the adapters of a recipe. */
static int open_recipe(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);

    out->whole = true; /* a run is the model's; its ranks stand beside it */
    request.adapt.rank = rk_recipe_rank(rk_cmd_value(line, "--recipe"));
    return rk_cmd_open_request(line, &request, RK_FIND_MODEL, out, err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_train_asked t = {0};
    rk_ranks ranks = {0};
    int code = read_tokens(line, &out->arena, &t.request.tokens, err);

    if (code == RK_OK)
        code = rk_cmd_count(line, "--steps", &t.request.steps, err);
    if (code == RK_OK && (t.request.tokens > 0) == (t.request.steps > 0))
        code = rk_fail(err, RK_EUSAGE, "how long? either --tokens 15T or --steps 400000");
    if (code == RK_OK)
        code = read_speed(line, &out->arena, &t, err);
    if (code == RK_OK)
        code = open_recipe(line, out, err);
    if (code == RK_OK)
        code = rk_report_numbers(out->ledger, err);
    if (code == RK_OK)
        code = take_rate(line, out->opened.model, &t, err);
    if (code == RK_OK)
        code = read_recomputed(line, out, &t, err);
    if (code == RK_OK)
        code = find_ranks(line, out, &ranks, &t, err);
    if (code == RK_OK)
        code = rk_training_run_new(out->ledger, &t.request, &t.run, err);
    if (code == RK_OK)
        code = rk_report_train(&out->report, out->ledger, &t, err);
    rk_ranks_free(&ranks);
    return code;
}

const rk_cmd_command rk_command_train = {
    .name = "train",
    .words = "MODEL --tokens N [SYMBOL=VALUE …]",
    .text = "a training run: operations, days, device-hours, energy; 6·N·D beside it",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon train llama-3.1-8b --tokens 15T --device h100-80gb --devices 512 --mfu 40%", "days of training"},
            {"reckon train llama-3.1-70b --tokens 15T --layout fsdp=64,tp=8,sp --recompute full --device h100-80gb "
             "--mfu 40%",
             "the same over a mesh of devices"},
            {"reckon train cs336-xl --steps 400000 B=1024 --device a100-80gb --dtype fp32 --mfu 50%",
             "by steps instead of tokens"},
        },
    .run = run,
};
