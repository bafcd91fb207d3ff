/* SPDX-License-Identifier: MIT */
/* reckon fit: does a step fit on some devices, how large may it be, on how few. */
#include "command/amount.h"
#include "command/commands.h"
#include "command/run.h"
#include "command/spelling.h"

#include "plan/runtime.h"
#include "report/plan.h"

#include <string.h>

static const rk_cmd_option option[] = {
    RK_CMD_DEVICE,
    {"--shard", "SPLIT", NULL,
     "short for a layout: zero1, zero2, zero3 (training's usual one), tp=N (serving's), tp=N,zero1 …"},
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

/*
 * --shard and --devices are a short form of a layout: zero3 is fsdp, where weights lie in pieces; zero1 and zero2 are
 * copies of the model that divide less; tp=N is tp.  Where nothing is said, weights lie in pieces to train, and layers
 * do to serve.
 */
typedef struct sharing {
    rk_i128 devices; /* all */
    rk_i128 tensor;  /* that share each layer */
    int zero;
    bool copies;      /* the runtime has zero3 beside copies of the model */
    const char *line; /* of the layout; NULL: one device */
    const char *form; /* the same with a size that is left open, for other numbers of devices */
} sharing;

#define SHARE_MAX 65536

static int read_word(const char *word, size_t n, sharing *s, rk_err *err)
{
    const char *means = rk_spelling_split(word, n);
    bool is_tensor;

    word = means ? means : word;
    n = means ? strlen(means) : n;
    is_tensor = n > 3 && memcmp(word, "tp=", 3) == 0;
    if (!is_tensor && (n != 5 || memcmp(word, "zero", 4) != 0 || word[4] < '1' || word[4] > '3'))
        return rk_fail(err, RK_EUSAGE,
                       "--shard: '%.*s' is no way to split: zero1, zero2, zero3, tp=8, or tp=8,zero1 (--layout has "
                       "more)",
                       (int)n, word);
    if (is_tensor ? s->tensor > 1 : s->zero)
        return rk_fail(err, RK_EUSAGE, "--shard says %s twice", is_tensor ? "tp=" : "zero1, zero2 or zero3");
    if (!is_tensor)
        s->zero = word[4] - '0';
    else if (!rk_num_parse(word + 3, n - 3, &s->tensor) || s->tensor < 1 || s->tensor > SHARE_MAX)
        return rk_fail(err, RK_EUSAGE, "--shard: '%.*s': tp=N shares each layer over N devices, from 1 to %d", (int)n,
                       word, SHARE_MAX);
    return RK_OK;
}

/* "fsdp=8", "ddp=8,zero1,tp=4"; "" for one device.  A size may be "*". */
static const char *put_line(rk_arena *a, const sharing *s, const char *copies, const char *tensor)
{
    static const char *const zero[] = {"", ",zero1", ",zero2", ",zero3"};
    bool pieces = s->zero == 3 && !s->copies, shared = strcmp(tensor, "1") != 0;

    if (strcmp(copies, "1") == 0)
        return shared ? rk_arena_format(a, "tp=%s", tensor) : "";
    return rk_arena_format(a, "%s=%s%s%s%s", rk_mesh_word[pieces ? RK_MESH_FSDP : RK_MESH_DDP], copies,
                           pieces ? "" : zero[s->zero], shared ? ",tp=" : "", shared ? tensor : "");
}

/* The layout that the line means. */
static int lay_out(const rk_cmd_line *line, rk_arena *a, rk_run_request *r, sharing *s, rk_err *err)
{
    char copies[RK_NUM_TEXT_MAX], tensor[RK_NUM_TEXT_MAX];
    const char *runtime;
    rk_runtime facts;
    int code = RK_OK;

    if (r->layout.said[RK_LAYOUT_LINE])
        return rk_cmd_value(line, "--shard") ? rk_fail(err, RK_EUSAGE, "--shard and --layout both say how it is split")
                                             : RK_OK;
    if (s->zero == 2 && s->devices > s->tensor && !r->layout.said[RK_LAYOUT_RUNTIME])
        r->layout.said[RK_LAYOUT_RUNTIME] = "deepspeed"; /* whose word it is */
    if ((runtime = r->layout.said[RK_LAYOUT_RUNTIME]))
        code = rk_runtime_read(&r->open.library, a, runtime, &facts, err);
    if (code != RK_OK)
        return code;
    s->copies = runtime && facts.flat && !facts.main_gradients;
    rk_num_text(copies, s->devices / s->tensor);
    rk_num_text(tensor, s->tensor);
    s->line = put_line(a, s, copies, tensor);
    s->form = s->zero ? put_line(a, s, "*", tensor) : put_line(a, s, "1", "*");
    if (!s->line || !s->form)
        return rk_fail_memory(err);
    s->line = *s->line ? s->line : NULL;
    r->layout.said[RK_LAYOUT_LINE] = s->line;
    return RK_OK;
}

static int read_split(const rk_cmd_line *line, sharing *s, rk_err *err)
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
    if (!words) {
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

/* Devices that cannot all share a layer can be groups that do: the largest such groups are named. */
static int fail_groups(const rk_run_request *r, rk_arena *a, const sharing *s, rk_err *err)
{
    char text[RK_NUM_TEXT_MAX];
    rk_err why = *err, quiet = {0};

    for (rk_i128 n = s->devices / 2; n > 1; n--) {
        rk_run_request with = *r;
        rk_run run = {0};
        int code;

        if (s->devices % n != 0)
            continue;
        with.layout.said[RK_LAYOUT_LINE] = rk_arena_format(a, "tp=%s", rk_num_text(text, n));
        code = with.layout.said[RK_LAYOUT_LINE] ? rk_least_open(&with, &run, &quiet) : rk_fail_memory(&quiet);
        rk_run_close(&run);
        if (code == RK_OK)
            return rk_fail(err, RK_EINPUT, "%s; --shard tp=%s makes them groups that share layers", why.message, text);
    }
    return rk_fail(err, RK_EINPUT, "%s; --shard tp=1 has all of it on each", why.message);
}

/* Whether one device can take the step: then it is the number of them that is wrong. */
static bool is_possible(const rk_run_request *r)
{
    rk_run_request alone = *r;
    rk_run run = {0};
    rk_err quiet = {0};
    int code;

    alone.layout = (rk_layout_request){0};
    code = rk_run_open(&alone, &run, &quiet);
    rk_run_close(&run);
    return code == RK_OK;
}

static int open_step(const rk_cmd_line *line, rk_run_request *asked, const sharing *s, rk_arena *a, rk_run *out,
                     rk_err *err)
{
    int code = s->line ? rk_least_open(asked, out, err) : rk_run_open(asked, out, err);
    rk_i128 n = 0, devices = code == RK_OK && out->options.layout ? rk_layout_devices(out->options.layout) : 1;
    char said[RK_NUM_TEXT_MAX], has[RK_NUM_TEXT_MAX];

    if (code == RK_EINPUT && s->line && s->tensor == s->devices && !rk_cmd_value(line, "--shard") && is_possible(asked))
        return fail_groups(asked, a, s, err);
    if (code == RK_OK)
        code = rk_cmd_count(line, "--devices", &n, err);
    if (code == RK_OK && n > 0 && n != devices)
        return rk_fail(err, RK_EUSAGE, "--devices %s: the layout has %s", rk_num_text(said, n),
                       rk_num_text(has, devices));
    return code;
}

/* The memory traffic of a decoding step, at its batch and at the largest. */
static int find_serving(const rk_run *run, rk_fit_answer *x, rk_i128 bandwidth, rk_fit_asked *f, rk_err *err)
{
    const rk_symbol *b = rk_model_size(run->opened.model, RK_SIZE_BATCH);
    rk_instance *at = x->at;
    rk_i128 given;
    int code = rk_run_serve(run, x->memory, &f->serving, err);

    f->serving.bandwidth = bandwidth;
    if (code != RK_OK || x->memory->options.phase != RK_PHASE_DECODE)
        return code;
    given = at->value[b->sym];
    if (x->batch.largest <= given)
        return RK_OK;
    rk_instance_set(at, b->sym, x->batch.largest);
    code = rk_run_serve(run, x->memory, &f->serving_most, err);
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

    f->room = (rk_room){x->devices, f->form, x->limit, x->needs, x->reserved};
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
    code = rk_least_find(&out->arena, asked, asked->layout.said[RK_LAYOUT_LINE], f->memory - f->reserve, least, err);
    asked->layout.said[RK_LAYOUT_LINE] = least->line && *least->line ? least->line : NULL;
    f->least = least;
    return code;
}

static int answer(const rk_cmd_line *line, const rk_run_request *asked, rk_run *run, rk_fit_asked *f,
                  rk_cmd_output *out, rk_err *err)
{
    rk_fit_request request = {.asked = asked, .run = run, .form = f->form, .limit = f->memory - f->reserve};
    rk_fit_answer found = {0};
    rk_i128 bandwidth = 0;
    int code = rk_fit_ask(&out->arena, &request, &found, err);

    f->answer = &found;
    f->details = rk_cmd_value(line, "--details") != NULL;
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
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_run_request asked;
    rk_run step = {0};
    rk_fit_asked f = {.chosen = !rk_cmd_value(line, "--shard")};
    sharing split = {0};
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
        code = lay_out(line, &out->arena, &asked, &split, err);
    if (code == RK_OK)
        code = choose_size(&asked, &f, &least, out, err);
    if (code == RK_OK)
        code = open_step(line, &asked, &split, &out->arena, &step, err);
    f.line = asked.layout.said[RK_LAYOUT_LINE];
    f.form = split.form;
    if (code == RK_OK)
        code = answer(line, &asked, &step, &f, out, err);
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
