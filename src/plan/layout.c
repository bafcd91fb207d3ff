/* SPDX-License-Identifier: MIT */
#include "plan/layout.h"

#include "plan/nearest.h"
#include "plan/runtime.h"

#include <stdio.h>
#include <string.h>

#define DEVICES_MAX ((rk_i128)1 << 40)

static const char *const option_words[RK_N_LAYOUT_OPTION] = {
#define ROW(ID, name, arg, words, text) [RK_LAYOUT_##ID] = words,
    RK_LAYOUT_OPTIONS(ROW)
#undef ROW
};

const char *const rk_layout_option_name[RK_N_LAYOUT_OPTION] = {
#define ROW(ID, name, arg, words, text) [RK_LAYOUT_##ID] = "--" name,
    RK_LAYOUT_OPTIONS(ROW)
#undef ROW
};

/* Words of the line that are no axes of the mesh. */
enum {
    FLAG_SP,
    FLAG_VOCAB_LOSS,
    FLAG_ZERO1,
    FLAG_ZERO2,
    FLAG_ZERO3,
    FLAG_VIRTUAL,
    N_FLAG
};

static const char *const flag_word[N_FLAG] = {"sp", "vocab-loss", "zero1", "zero2", "zero3", "virtual"};

typedef struct reading {
    const rk_library *library;
    rk_arena *a;
    const rk_layout_request *r;
    rk_layout *l;
    rk_err *err;
} reading;

static int choice(const reading *x, rk_layout_option o, int *out)
{
    const char *word = x->r->said[o];

    *out = word ? rk_words_place(option_words[o], word) : 0;
    return *out < 0 ? rk_words_fail(option_words[o], rk_layout_option_name[o], word, x->err) : RK_OK;
}

static int number(const reading *x, rk_layout_option o, rk_i128 least, rk_i128 *out)
{
    const char *word = x->r->said[o];
    rk_i128 n = 0;

    if (!word)
        return RK_OK;
    if (!rk_num_parse(word, strlen(word), &n) || n < least || n > DEVICES_MAX)
        return rk_fail(x->err, RK_EUSAGE, "%s '%s': it is a whole number of at least %d", rk_layout_option_name[o],
                       word, (int)least);
    *out = n;
    return RK_OK;
}

/* ---- the line of axes ------------------------------------------------------------------------------------------- */

static int fail_word(const reading *x, const char *word, int n)
{
    char typed[64], hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = typed};

    snprintf(typed, sizeof typed, "%.*s", n, word);
    for (size_t i = 0; i < RK_N_MESH; i++)
        rk_nearest_try(&near, rk_mesh_word[i]);
    for (size_t i = 0; i < N_FLAG; i++)
        rk_nearest_try(&near, flag_word[i]);
    return rk_fail(x->err, RK_EUSAGE,
                   "--layout: there is no axis '%s'%s (axes: pp, replicate, ddp, fsdp, cp, ep, tp; words: sp, "
                   "vocab-loss, zero1, zero2, zero3, virtual=2)",
                   typed, rk_nearest_hint(&near, hint));
}

static bool is_word(const char *word, int n, const char *known)
{
    return strlen(known) == (size_t)n && memcmp(word, known, (size_t)n) == 0;
}

/* An axis with its size, or a word. */
static int read_axis(const reading *x, const char *word, int n, const char *value, int n_value)
{
    rk_i128 size = 0;
    rk_layout *l = x->l;

    if (value && n_value == 1 && *value == '*')
        return rk_fail(x->err, RK_EUSAGE, "--layout: '%.*s=*': which size fits is what 'reckon fit' finds", n, word);
    if (n == 0)
        return rk_fail(x->err, RK_EUSAGE, "--layout: an axis is missing %s: fsdp=8,tp=4,sp",
                       value ? "before '='" : "beside a comma");
    if (value && (!rk_num_parse(value, (size_t)n_value, &size) || size < 1 || size > DEVICES_MAX))
        return rk_fail(x->err, RK_EUSAGE, "--layout: '%.*s=%.*s': the size of an axis is a whole number from 1 to 2^40",
                       n, word, n_value, value);
    for (size_t i = 0; i < RK_N_MESH; i++) {
        if (!is_word(word, n, rk_mesh_word[i]))
            continue;
        if (!value)
            return rk_fail(x->err, RK_EUSAGE, "--layout: over how many devices? %s=8", rk_mesh_word[i]);
        if (l->said[i])
            return rk_fail(x->err, RK_EUSAGE, "--layout: %s is there twice", rk_mesh_word[i]);
        l->said[i] = true;
        l->size[i] = size;
        return RK_OK;
    }
    for (size_t i = 0; i < N_FLAG; i++) {
        if (!is_word(word, n, flag_word[i]))
            continue;
        if (value ? i != FLAG_VIRTUAL : i == FLAG_VIRTUAL)
            return rk_fail(x->err, RK_EUSAGE,
                           value ? "--layout: %s is said without a number" : "--layout: how many stages? %s=2",
                           flag_word[i]);
        l->sp |= i == FLAG_SP;
        l->vocab_loss |= i == FLAG_VOCAB_LOSS;
        l->stages = i == FLAG_VIRTUAL ? size : l->stages;
        if (i >= FLAG_ZERO1 && i <= FLAG_ZERO3 && l->zero)
            return rk_fail(x->err, RK_EUSAGE, "--layout: zero%d and %s: one of them says what is divided", l->zero,
                           flag_word[i]);
        if (i >= FLAG_ZERO1 && i <= FLAG_ZERO3)
            l->zero = (int)(i - FLAG_ZERO1) + 1;
        return RK_OK;
    }
    if (is_word(word, n, "reference") || is_word(word, n, "checkpoint")) /* names of tensors were chosen so once */
        return rk_fail(x->err, RK_EUSAGE, "--layout %.*s is now --names %.*s", n, word, n, word);
    return fail_word(x, word, n);
}

static int read_line(const reading *x)
{
    const char *at = x->r->said[RK_LAYOUT_LINE];
    int code = RK_OK;

    if (at && !*at)
        return rk_fail(x->err, RK_EUSAGE, "--layout: which axes? fsdp=8,tp=4,sp");
    while (at && code == RK_OK) {
        size_t n, key;

        at += strspn(at, " ");
        n = strcspn(at, ",");
        key = strcspn(at, "=,");
        code = read_axis(x, at, (int)key, key < n ? at + key + 1 : NULL, key < n ? (int)(n - key - 1) : 0);
        at = at[n] ? at + n + 1 : NULL;
    }
    return code;
}

/* ---- what contradicts itself ------------------------------------------------------------------------------------- */

/* Where tokens travel, experts lie over devices that have the same weights and other tokens. */
static int check_experts(const reading *x)
{
    rk_layout *l = x->l;
    rk_mesh_axis copies = l->said[RK_MESH_FSDP] ? RK_MESH_FSDP : RK_MESH_DDP;
    char n[RK_NUM_TEXT_MAX], ep[RK_NUM_TEXT_MAX];
    rk_i128 all;

    if (!rk_layout_sends_tokens(l))
        return RK_OK;
    rk_num_text(ep, l->size[RK_MESH_EP]);
    if (!l->said[copies] && l->size[RK_MESH_EP] % l->size[RK_MESH_CP] == 0) /* alone, copies of the model share them */
        l->size[RK_MESH_DDP] = l->size[RK_MESH_EP] / l->size[RK_MESH_CP];
    all = rk_layout_group(l, copies, false);
    if (all % l->size[RK_MESH_EP] != 0)
        return rk_fail(x->err, RK_EUSAGE,
                       "--layout: ep=%s regroups the %s devices of %s%s, and must divide them: %s=%s would do", ep,
                       rk_num_text(n, all), rk_mesh_word[copies], l->size[RK_MESH_CP] > 1 ? " and cp" : "",
                       rk_mesh_word[copies], ep);
    if (l->zero && !l->runtime.flat)
        return rk_fail(x->err, RK_EUSAGE,
                       "--layout: zero%d beside ep: other copies have other experts, whose states they cannot hold; "
                       "fsdp=%s divides weights, gradients and states",
                       l->zero, rk_num_text(n, all));
    return RK_OK;
}

/* Options that are said of an axis, which must be there. */
static const struct {
    rk_layout_option option;
    rk_mesh_axis axis;
    const char *of, *way; /* what it is said of, and what to add */
} said_of[] = {
    {RK_LAYOUT_SCHEDULE, RK_MESH_PP, "a pipeline", "pp=4"},
    {RK_LAYOUT_MICRO, RK_MESH_PP, "a pipeline", "pp=4"},
    {RK_LAYOUT_RESHARD, RK_MESH_FSDP, "weights that are gathered", "fsdp=8"},
    {RK_LAYOUT_UNITS, RK_MESH_FSDP, "weights that are gathered", "fsdp=8"},
    {RK_LAYOUT_BUCKET, RK_MESH_DDP, "copies of the model", "ddp=8"},
    {RK_LAYOUT_BUCKET_VIEW, RK_MESH_DDP, "copies of the model", "ddp=8"},
    {RK_LAYOUT_ROTATE, RK_MESH_CP, "pieces of the sequence", "cp=2"},
};

static int check_options(const reading *x)
{
    const rk_layout *l = x->l;

    for (size_t i = 0; i < sizeof said_of / sizeof *said_of; i++)
        if (x->r->said[said_of[i].option] && !l->said[said_of[i].axis] && l->size[said_of[i].axis] == 1)
            return rk_fail(x->err, RK_EUSAGE, "%s is said of %s: add %s to --layout",
                           rk_layout_option_name[said_of[i].option], said_of[i].of, said_of[i].way);
    if (l->size[RK_MESH_PP] > 1 && l->schedule == RK_SCHEDULE_ZERO_BUBBLE && rk_layout_copies(l))
        return rk_fail(x->err, RK_EUSAGE,
                       "--schedule interleavedzb takes gradients of weights by themselves, which ddp does not reduce: "
                       "fsdp does");
    return RK_OK;
}

static int check(const reading *x)
{
    rk_layout *l = x->l;
    const char *const *said = x->r->said;
    rk_i128 *size = l->size, devices = 1;
    int code;

    for (size_t i = 0; i < RK_N_MESH; i++) {
        if (size[i] > DEVICES_MAX / devices)
            return rk_fail(x->err, RK_EUSAGE, "--layout: that are more than 2^40 devices");
        devices *= size[i];
    }
    l->vocab_loss |= l->runtime.vocab_loss && size[RK_MESH_TP] > 1;
    l->drop_outputs |= l->runtime.drops_outputs;
    if (l->sp && size[RK_MESH_TP] == 1)
        return rk_fail(x->err, RK_EUSAGE, "--layout: sp lays the sequence over the devices of tp: add tp=8");
    if (l->vocab_loss && size[RK_MESH_TP] == 1)
        return rk_fail(x->err, RK_EUSAGE, "--layout: vocab-loss lays the vocabulary over the devices of tp: add tp=8");
    if (l->zero && !l->said[RK_MESH_DDP])
        return rk_fail(x->err, RK_EUSAGE, "--layout: zero%d divides among copies of the model: add ddp=8", l->zero);
    if (l->zero == 2 && !rk_layout_fills_buckets(l))
        return rk_fail(x->err, RK_EUSAGE, "--layout: zero2 is a word of DeepSpeed: add --runtime deepspeed");
    if (l->zero == 3 && !rk_layout_fills_buckets(l))
        return rk_fail(
            x->err, RK_EUSAGE,
            "--layout: zero3 is a word of DeepSpeed: add --runtime deepspeed, or say fsdp=8 in place of ddp=8");
    if (l->runtime.flat && !l->runtime.main_gradients && l->zero == 0)
        return rk_fail(x->err, RK_EUSAGE,
                       "--runtime deepspeed: its copies divide the optimizer: --layout ddp=8,zero1 or ddp=8,zero2");
    if (l->runtime.flat && said[RK_LAYOUT_COMPUTE] && l->compute != RK_COMPUTE_SAME)
        return rk_fail(x->err, RK_EUSAGE, "--compute %s: with --runtime %s the type of weights is that at work",
                       said[RK_LAYOUT_COMPUTE], l->runtime.name);
    if (l->stages > 1 && size[RK_MESH_PP] == 1)
        return rk_fail(x->err, RK_EUSAGE, "--layout: virtual stages are of a pipeline: add pp=4");
    if (l->said[RK_MESH_REPLICATE] && !l->said[RK_MESH_FSDP])
        return rk_fail(x->err, RK_EUSAGE,
                       "--layout: replicate has copies of what fsdp divides: add fsdp=8, or say ddp");
    if (l->said[RK_MESH_DDP] && l->said[RK_MESH_FSDP])
        return rk_fail(x->err, RK_EUSAGE,
                       "--layout: ddp beside fsdp: copies of what fsdp divides are called replicate");
    if (said[RK_LAYOUT_COMPUTE] && l->compute != RK_COMPUTE_AUTOCAST && l->compute != RK_COMPUTE_SAME &&
        !l->said[RK_MESH_FSDP])
        return rk_fail(x->err, RK_EUSAGE,
                       "--compute %s: fsdp casts weights when it gathers them, nobody else does; add fsdp=8, or say "
                       "--compute autocast-bf16",
                       said[RK_LAYOUT_COMPUTE]);
    if (l->runtime.ep_in_place_of_tp && size[RK_MESH_EP] > 1 && size[RK_MESH_TP] > 1)
        return rk_fail(x->err, RK_EUSAGE, "--layout: in hf the devices of ep are those of tp: say one of them");
    code = check_experts(x);
    return code == RK_OK ? check_options(x) : code;
}

/* Weights in pieces are those of fsdp, whoever cuts them. */
static void cut_copies(rk_layout *l)
{
    if (l->zero != 3)
        return;
    l->size[RK_MESH_FSDP] = l->size[RK_MESH_DDP];
    l->size[RK_MESH_DDP] = 1;
    l->said[RK_MESH_FSDP] = true;
    l->said[RK_MESH_DDP] = false;
    l->units = RK_UNITS_TITAN;
}

static int check_rank(const reading *x)
{
    rk_layout *l = x->l;
    rk_i128 devices = rk_layout_devices(l), stage = -1;
    char n[RK_NUM_TEXT_MAX];
    int code = number(x, RK_LAYOUT_RANK, 0, &l->rank);

    if (code == RK_OK)
        code = number(x, RK_LAYOUT_STAGE, 0, &stage);
    if (code != RK_OK)
        return code;
    l->rank_said = x->r->said[RK_LAYOUT_RANK] || stage >= 0;
    if (x->r->said[RK_LAYOUT_RANK] && l->rank >= devices)
        return rk_fail(x->err, RK_EUSAGE, "--rank %s: there are %s devices, counted from 0", x->r->said[RK_LAYOUT_RANK],
                       rk_num_text(n, devices));
    if (stage < 0)
        return RK_OK;
    if (x->r->said[RK_LAYOUT_RANK])
        return rk_fail(x->err, RK_EUSAGE, "--rank and --stage: one of them says which device is meant");
    if (stage >= l->size[RK_MESH_PP])
        return rk_fail(x->err, RK_EUSAGE, "--stage %s: the pipeline has %s, counted from 0",
                       x->r->said[RK_LAYOUT_STAGE], rk_num_text(n, l->size[RK_MESH_PP]));
    l->rank = stage * (devices / l->size[RK_MESH_PP]);
    return RK_OK;
}

static int read_words(const reading *x)
{
    static const int reduce_bytes[] = {0, 2, 2, 4};
    rk_layout *l = x->l;
    int runtime, compute, reduce, reshard, units, view, schedule, rotate, code = choice(x, RK_LAYOUT_RUNTIME, &runtime);
    rk_i128 mib = l->bucket >> 20;
    const char *word = x->r->said[RK_LAYOUT_RUNTIME];

    if (code != RK_OK || (code = choice(x, RK_LAYOUT_COMPUTE, &compute)) != RK_OK ||
        (code = choice(x, RK_LAYOUT_REDUCE, &reduce)) != RK_OK ||
        (code = choice(x, RK_LAYOUT_RESHARD, &reshard)) != RK_OK ||
        (code = choice(x, RK_LAYOUT_UNITS, &units)) != RK_OK ||
        (code = choice(x, RK_LAYOUT_BUCKET_VIEW, &view)) != RK_OK ||
        (code = choice(x, RK_LAYOUT_SCHEDULE, &schedule)) != RK_OK ||
        (code = choice(x, RK_LAYOUT_ROTATE, &rotate)) != RK_OK ||
        (code = number(x, RK_LAYOUT_BUCKET, 1, &mib)) != RK_OK ||
        (code = number(x, RK_LAYOUT_MICRO, 1, &l->micro)) != RK_OK)
        return code;
    if ((code = rk_runtime_read(x->library, x->a, word ? word : "torch", &l->runtime, x->err)) != RK_OK)
        return code;
    l->compute = (rk_compute)compute;
    l->reduce = reduce_bytes[reduce];
    l->reshard = (rk_reshard)reshard;
    l->units = (rk_units)units;
    l->bucket_view = view == 0;
    l->bucket = mib << 20;
    if (!x->r->said[RK_LAYOUT_BUCKET] && l->runtime.flat)
        l->bucket = 0;
    if (x->r->said[RK_LAYOUT_BUCKET]) /* else the first one is small, so that something is sent early */
        l->first_bucket = l->bucket;
    l->schedule = (rk_schedule_kind)schedule;
    l->rotate = (rk_rotate)rotate;
    l->split = x->r->said[RK_LAYOUT_SPLIT];
    l->no_sync = x->r->said[RK_LAYOUT_NO_SYNC] != NULL;
    l->clip = x->r->said[RK_LAYOUT_CLIP] != NULL;
    l->drop_outputs = x->r->said[RK_LAYOUT_DROP] != NULL;
    return RK_OK;
}

int rk_layout_read(const rk_library *library, rk_arena *a, const rk_layout_request *r, rk_layout *out, bool *any,
                   rk_err *err)
{
    reading x = {library, a, r, out, err};
    int code = RK_OK;

    *out = rk_layout_single();
    *any = r->said[RK_LAYOUT_LINE] != NULL;
    for (size_t i = 0; i < RK_N_LAYOUT_OPTION && !*any; i++)
        if (r->said[i])
            return rk_fail(err, RK_EUSAGE, "%s is said of a layout over devices: add --layout fsdp=8",
                           rk_layout_option_name[i]);
    if (*any)
        code = read_words(&x);
    if (*any && code == RK_OK)
        code = read_line(&x);
    if (*any && code == RK_OK)
        code = check(&x);
    if (*any && code == RK_OK)
        cut_copies(out);
    return *any && code == RK_OK ? check_rank(&x) : code;
}

int rk_layout_check_option(rk_layout_option o, const char *word, rk_err *err)
{
    rk_layout_request r = {0};
    reading x = {.r = &r, .err = err};
    rk_i128 n = 0;
    int which;

    r.said[o] = word;
    if (option_words[o])
        return choice(&x, o, &which);
    if (o == RK_LAYOUT_BUCKET || o == RK_LAYOUT_MICRO || o == RK_LAYOUT_RANK || o == RK_LAYOUT_STAGE)
        return number(&x, o, o == RK_LAYOUT_BUCKET || o == RK_LAYOUT_MICRO, &n);
    return RK_OK;
}

int rk_layout_check_axis(const char *word, int n, const char *value, int n_value, rk_err *err)
{
    rk_layout l = rk_layout_single();

    return read_axis(&(reading){.l = &l, .err = err}, word, n, value, n_value);
}
