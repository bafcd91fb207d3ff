/* SPDX-License-Identifier: MIT */
/* reckon fit: does a step fit on some devices, how large may it be, on how few. */
#include "command/amount.h"
#include "command/commands.h"
#include "command/run.h"
#include "command/spelling.h"

#include "report/plan.h"

#include <string.h>

static const rk_cmd_option option[] = {
    RK_CMD_DEVICE,
    {"--shard", "SPLIT", NULL, "zero1, zero2, zero3 (training's usual one), tp=N (serving's), or tp=N,zero1 …"},
    {"--memory", "BYTES", NULL, "that programs see of a device, as 85.9GB, instead of what 'reckon devices' has"},
    {"--reserve", "BYTES", NULL, "of them that are left alone, as 2GB (what a context of the device takes)"},
    RK_CMD_RUN,
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_BANDWIDTH,
    {"--details", NULL, NULL, "also what is at work at the peak, and in decoding the memory traffic of a step"},
    RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* ---- how it is split -------------------------------------------------------------------------------------------- */

static int read_word(const char *word, size_t n, rk_device_split *s, rk_err *err)
{
    const char *means = rk_spelling_split(word, n);
    bool is_tensor;

    word = means ? means : word;
    n = means ? strlen(means) : n;
    is_tensor = n > 3 && memcmp(word, "tp=", 3) == 0;
    if (!is_tensor && (n != 5 || memcmp(word, "zero", 4) != 0 || word[4] < '1' || word[4] > '3'))
        return rk_fail(err, RK_EUSAGE, "--shard: '%.*s' is no way to split: zero1, zero2, zero3, tp=8, or tp=8,zero1",
                       (int)n, word);
    if (is_tensor ? s->tensor > 1 : s->zero)
        return rk_fail(err, RK_EUSAGE, "--shard says %s twice", is_tensor ? "tp=" : "zero1, zero2 or zero3");
    if (!is_tensor)
        s->zero = word[4] - '0';
    else if (!rk_num_parse(word + 3, n - 3, &s->tensor) || s->tensor < 1 || s->tensor > RK_SPLIT_DEVICES_MAX)
        return rk_fail(err, RK_EUSAGE, "--shard: '%.*s': tp=N shares each layer over N devices, from 1 to %d", (int)n,
                       word, RK_SPLIT_DEVICES_MAX);
    return RK_OK;
}

static int read_split(const rk_cmd_line *line, rk_device_split *s, rk_err *err)
{
    const char *words = rk_cmd_value(line, "--shard");
    bool train = rk_cmd_choice(line, "--phase") == RK_PHASE_TRAIN;
    char devices[RK_NUM_TEXT_MAX], tensor[RK_NUM_TEXT_MAX];
    int code = rk_cmd_devices(line, &s->devices, err);

    s->tensor = 1;
    for (const char *word = words; word && code == RK_OK;) {
        size_t n = strcspn(word, ",");

        code = read_word(word, n, s, err);
        word = word[n] ? word + n + 1 : NULL;
    }
    if (code != RK_OK)
        return code;
    if (!words) { /* what is usual where nothing is said: zero3 to train, sharing the layers to serve */
        s->zero = train ? 3 : 0;
        s->tensor = train ? 1 : s->devices;
    } else if (!rk_cmd_value(line, "--devices")) {
        s->devices = s->tensor;
    }
    if (!train && s->zero)
        return rk_fail(err, RK_EUSAGE,
                       "--shard zero%d divides what training has: to serve, share the layers (--shard tp=N)", s->zero);
    if (s->devices % s->tensor != 0)
        return rk_fail(err, RK_EUSAGE, "--devices %s cannot be groups of %s that share layers (--shard %s)",
                       rk_num_grouped(devices, s->devices), rk_num_grouped(tensor, s->tensor), words);
    return RK_OK;
}

/* ---- how much there is ------------------------------------------------------------------------------------------ */

static int read_memory(const rk_cmd_line *line, rk_fit_asked *f, rk_err *err)
{
    int code;

    f->memory = f->device ? f->device->usable : 0;
    f->reserve = f->device ? f->device->reserve : 0;
    f->memory_given = rk_cmd_value(line, "--memory") != NULL;
    f->reserve_given = rk_cmd_value(line, "--reserve") != NULL;
    code = rk_cmd_bytes(line, "--memory", 1, &f->memory, err);
    if (code == RK_OK)
        code = rk_cmd_bytes(line, "--reserve", 0, &f->reserve, err);
    if (code != RK_OK)
        return code;
    if (f->memory == 0 && f->device)
        return rk_fail(err, RK_EINPUT, "no source says how much memory programs see of %s: --memory does",
                       f->device->key);
    if (f->memory == 0)
        return rk_fail(err, RK_EUSAGE, "on what? --device h100-80gb ('reckon devices' lists them), or --memory 80GB");
    if (f->reserve >= f->memory)
        return rk_fail(err, RK_EUSAGE, "%s leaves nothing of a device's memory",
                       f->reserve_given ? "--reserve" : "a context (--reserve)");
    return RK_OK;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* Devices that cannot all share a layer can be groups that do: which, someone has to say. */
static int check_slice(const rk_slice *slice, const rk_device_split *s, bool chosen, rk_err *err)
{
    rk_i128 group;
    char text[RK_NUM_TEXT_MAX];
    rk_err why = {0};

    if (!slice || rk_slice_divides(slice, s->tensor, &why))
        return RK_OK;
    if (!chosen)
        return rk_fail(err, RK_EINPUT, "%s", why.message);
    group = rk_slice_group(slice, s->devices);
    return rk_fail(err, RK_EINPUT, "%s: --shard tp=%s %s", why.message, rk_num_text(text, group),
                   group > 1 ? "makes them groups that share layers" : "has all of it on each");
}

/* The model opened once more, at another length. */
typedef struct reopening {
    const rk_run_request *request;
    rk_device_split split;
    rk_arena arena;
    rk_run run;
    rk_slice *slice;
} reopening;

static void close_again(reopening *o)
{
    rk_slice_free(o->slice);
    rk_run_close(&o->run);
    rk_arena_free(&o->arena);
    o->slice = NULL;
}

static int reopen(void *self, const char *symbol, rk_i128 number, rk_portion_request *out, rk_err *err)
{
    reopening *o = self;
    rk_run_request r = *o->request;
    rk_setting *set;
    int code;

    close_again(o);
    if (!(set = RK_NEW_ARRAY(&o->arena, r.open.n_setting + 1, rk_setting)))
        return rk_fail_memory(err);
    r.open.setting = set;
    r.open.n_setting = 0;
    for (size_t i = 0; i < o->request->open.n_setting; i++)
        if (strcmp(o->request->open.setting[i].name, symbol) != 0)
            set[r.open.n_setting++] = o->request->open.setting[i];
    set[r.open.n_setting++] = (rk_setting){.name = symbol, .value = number};
    code = rk_run_open(&r, &o->run, err);
    if (code == RK_OK)
        code = rk_fit_slice(o->run.opened.instance, &o->split, &o->slice, err);
    *out = (rk_portion_request){
        .instance = o->run.opened.instance, .slice = o->slice, .options = &o->run.options, .split = o->split};
    return code;
}

/* The memory traffic of a decoding step, at its batch and at the largest. */
static int find_serving(const rk_run *run, rk_fit_answer *x, rk_i128 bandwidth, rk_fit_asked *f, rk_err *err)
{
    const rk_symbol *b = rk_model_size(run->opened.model, RK_SIZE_BATCH);
    rk_instance *at = &x->alone.at; /* of a device that decodes */
    rk_i128 given;
    int code = rk_run_serve(run, x->at.memory, &f->serving, err);

    f->serving.bandwidth = bandwidth;
    if (code != RK_OK || x->at.memory->options.phase != RK_PHASE_DECODE)
        return code;
    given = at->value[b->sym];
    if (x->batch.largest <= given)
        return RK_OK;
    rk_instance_set(at, b->sym, x->batch.largest);
    code = rk_run_serve(run, x->at.memory, &f->serving_most, err);
    rk_instance_set(at, b->sym, given);
    f->serving_most.bandwidth = bandwidth;
    return code;
}

/* The step otherwise: in other types, and where it does not fit, what would make it. */
static int find_others(const rk_run_request *asked, const rk_run *run, rk_fit_asked *f, rk_err *err)
{
    const rk_fit_answer *x = f->answer;
    rk_memory *now = NULL;
    int code = rk_memory_new(run->opened.instance, &run->options, &now, err);

    f->room = (rk_room){x->split, x->limit, x->at.total, x->reserved};
    if (code == RK_OK)
        code = rk_recipes_find(asked, now, &f->room, &f->recipes, err);
    if (code == RK_OK && !x->fits)
        code = rk_savings_find(asked, now, &f->room, &f->savings, err);
    rk_memory_free(now);
    return code;
}

/* An axis whose size was left open gets the least that fits; where none does, the page is of the largest. */
static int choose_size(rk_run_request *asked, rk_fit_asked *f, rk_least *least, rk_cmd_output *out, rk_err *err)
{
    int code;

    if (!rk_least_is_asked(asked->layout.said[RK_LAYOUT_LINE]))
        return RK_OK;
    code = rk_least_find(&out->arena, asked, f->memory - f->reserve, least, err);
    asked->layout.said[RK_LAYOUT_LINE] = least->line;
    f->least = least;
    return code;
}

static int answer(const rk_cmd_line *line, const rk_run_request *asked, rk_run *run, const rk_device_split *split,
                  rk_fit_asked *f, rk_cmd_output *out, rk_err *err)
{
    rk_instance *instance = run->opened.instance;
    rk_portion_request request = {.instance = instance, .options = &run->options, .split = *split};
    rk_fit_answer found = {0};
    rk_slice *slice = NULL;
    rk_i128 bandwidth = 0;
    reopening again = {.request = asked, .split = *split};
    int code = rk_fit_slice(instance, split, &slice, err);

    f->slice = request.slice = slice;
    f->chosen = !rk_cmd_value(line, "--shard");
    f->details = rk_cmd_value(line, "--details") != NULL;
    if (code == RK_OK)
        code = check_slice(slice, split, f->chosen, err);
    if (code == RK_OK)
        code = rk_fit_ask(&out->arena, &request, &(rk_reopener){reopen, &again}, f->memory - f->reserve, &found, err);
    f->answer = &found;
    if (code == RK_OK)
        code = rk_cmd_bandwidth(line, &bandwidth, err);
    if (bandwidth == 0 && f->device)
        bandwidth = f->device->bandwidth;
    if (code == RK_OK)
        code = find_serving(run, &found, bandwidth, f, err);
    if (code == RK_OK)
        code = find_others(asked, run, f, err);
    if (code == RK_OK)
        code = rk_report_fit(&out->report, run->ledger, f, err);
    out->unfit = !found.fits;
    rk_fit_free(&found);
    close_again(&again);
    rk_slice_free(slice);
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_run_request asked;
    rk_run step = {0};
    rk_fit_asked f = {0};
    rk_device_split split = {0};
    rk_least least = {0};
    int code = read_split(line, &split, err);

    if (code == RK_OK)
        code = rk_cmd_device(line, &out->arena, &f.device, err);
    if (code == RK_OK)
        code = read_memory(line, &f, err);
    if (code == RK_OK)
        code = rk_tokens_keep_input(&out->arena, &request, err); /* the model is opened again */
    if (code == RK_OK)
        code = rk_cmd_run_request(line, &request, &asked, err);
    if (code == RK_OK)
        code = choose_size(&asked, &f, &least, out, err);
    if (code == RK_OK)
        code = rk_run_open(&asked, &step, err);
    f.line = asked.layout.said[RK_LAYOUT_LINE];
    if (code == RK_OK)
        code = answer(line, &asked, &step, &split, &f, out, err);
    rk_run_close(&step);
    return code;
}

const rk_cmd_command rk_command_fit = {
    .name = "fit",
    .words = "MODEL --device NAME [SYMBOL=VALUE …]",
    .text = "does it fit on a device or on several: largest batch, longest sequence, fewest devices",
    .more = RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon fit gpt2-xl --device a100-80gb B=4", "a training step of PyTorch"},
            {"reckon fit llama-3.1-70b --device h100-80gb --devices 8 --phase decode B=32 T=8K",
             "decoding, with the layers shared by eight devices"},
            {"reckon fit llama-3.1-405b --device h200 --layout fsdp=*,tp=8,sp --recompute full",
             "the least number of devices, of a layout that leaves one size open"},
        },
    .run = run,
};
