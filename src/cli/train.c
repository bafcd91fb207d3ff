/* SPDX-License-Identifier: MIT */
/* A training step: what the line says of it, and which of it contradicts itself. */
#include "cli/train.h"

#include "cli/amount.h"
#include "plan/setting.h"

#include <stdlib.h>
#include <string.h>

enum { /* the words of --recompute and --loss */
    KEEP_ALL,
    AGAIN_ATTENTION,
    AGAIN_LAYERS
};
enum {
    LOSS_CE,
    LOSS_CHUNKED,
    LOSS_FUSED,
    LOSS_NONE
};

static const int gradient_bytes[] = {0, 4, 2, 2};
static const int master_bytes[] = {0, 4};

/* ---- what has nothing to do with it ----------------------------------------------------------------------------- */

static int refuse_given(const rk_cli_line *line, const char *const *option, size_t n, const char *why, rk_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (rk_cli_value(line, option[i]) && rk_cli_choice(line, option[i]) > 0)
            return rk_fail(err, RK_EUSAGE, "%s %s: %s", option[i], rk_cli_value(line, option[i]), why);
    return RK_OK;
}

static int refuse_all(const rk_cli_line *line, const char *const *option, size_t n, const char *why, rk_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (rk_cli_value(line, option[i]))
            return rk_fail(err, RK_EUSAGE, "%s: %s", option[i], why);
    return RK_OK;
}

static int check_phase(const rk_cli_line *line, const rk_memory_options *o, rk_err *err)
{
    static const char *const word[] = {"--recompute", "--optimizer", "--master", "--grad-dtype", "--loss"};
    static const char *const plain[] = {"--recompute-every", "--accumulate", "--loss-chunk"};
    const char *why = "this is of a training step (--phase train)";
    int code = RK_OK;

    if (o->phase == RK_PHASE_TRAIN)
        return RK_OK;
    code = refuse_given(line, word, sizeof word / sizeof *word, why, err);
    if (code == RK_OK)
        code = refuse_all(line, plain, sizeof plain / sizeof *plain, why, err);
    if (code == RK_OK && o->eighths)
        code = rk_fail(err, RK_EUSAGE, "--dtype fp8: this is of a training step; weights are held so by --weights fp8");
    return code;
}

static int check_book(const rk_cli_line *line, const rk_memory_options *o, rk_err *err)
{
    static const char *const word[] = {"--attention", "--grad-dtype"};
    static const char *const plain[] = {"--accumulate", "--loss-chunk"};
    const char *why = "a derivation by hand has no such thing (--profile torch)";
    int code = RK_OK;

    if (!o->by_book)
        return RK_OK;
    code = refuse_given(line, word, sizeof word / sizeof *word, why, err);
    if (code == RK_OK)
        code = refuse_all(line, plain, sizeof plain / sizeof *plain, why, err);
    if (code == RK_OK && (o->way != RK_LOSS_WHOLE || o->eighths))
        code = rk_fail(err, RK_EUSAGE, "%s: %s", o->eighths ? "--dtype fp8" : "--loss chunked and fused", why);
    return code;
}

/* ---- what contradicts itself ------------------------------------------------------------------------------------ */

static int check_types(const rk_cli_line *line, const rk_memory_options *o, rk_err *err)
{
    if (o->master && o->bytes >= o->master)
        return rk_fail(err, RK_EUSAGE, "--master fp32: the weights are in fp32 already (--dtype bf16 or fp16)");
    if (rk_cli_value(line, "--grad-dtype") && o->gradient && o->gradient < o->bytes)
        return rk_fail(err, RK_EUSAGE, "--grad-dtype %s: gradients would be narrower than their weights",
                       rk_cli_value(line, "--grad-dtype"));
    return RK_OK;
}

static int check_again(const rk_cli_line *line, const rk_memory_options *o, rk_err *err)
{
    bool said = rk_cli_value(line, "--recompute") != NULL;

    if (rk_cli_value(line, "--recompute-every") && said && rk_cli_choice(line, "--recompute") != AGAIN_LAYERS)
        return rk_fail(err, RK_EUSAGE, "--recompute-every: this is of --recompute full");
    if (o->attention_again && o->flash)
        return rk_fail(err, RK_EUSAGE,
                       "--recompute selective: flash attention keeps no scores that could be computed again");
    return RK_OK;
}

static int check_loss(const rk_cli_line *line, const rk_model *m, const rk_memory_options *o, rk_err *err)
{
    if (rk_cli_value(line, "--loss-chunk") && o->way == RK_LOSS_WHOLE)
        return rk_fail(err, RK_EUSAGE, "--loss-chunk: this is of --loss chunked or --loss fused");
    if (o->way == RK_LOSS_CHUNKED && o->chunk == 0)
        return rk_fail(err, RK_EUSAGE, "--loss chunked: how many tokens at a time? (--loss-chunk 1024)");
    if (o->way != RK_LOSS_WHOLE && m->program.loss == RK_NONE)
        return rk_fail(err, RK_EINPUT, "--loss %s: %s has no loss", rk_cli_value(line, "--loss"), m->name);
    return RK_OK;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static int read_count(const rk_cli_line *line, const char *option, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cli_value(line, option);

    if (value && rk_count_parse(value, out, NULL) != RK_OK)
        return rk_fail(err, RK_EUSAGE, "%s is not '%s' but a whole number of at least 1", option, value);
    return RK_OK;
}

static int read_counts(const rk_cli_line *line, rk_memory_options *o, rk_err *err)
{
    rk_i128 every = 1;
    int code = read_count(line, "--recompute-every", &every, err);

    if (code == RK_OK)
        code = read_count(line, "--accumulate", &o->passes, err);
    if (code == RK_OK)
        code = read_count(line, "--loss-chunk", &o->chunk, err);
    if (rk_cli_value(line, "--recompute-every") || rk_cli_choice(line, "--recompute") == AGAIN_LAYERS)
        o->again = every > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)every;
    return code;
}

static void read_words(const rk_cli_line *line, const rk_model *m, rk_memory_options *o)
{
    static const rk_loss way[] = {[LOSS_CE] = RK_LOSS_WHOLE,
                                  [LOSS_CHUNKED] = RK_LOSS_CHUNKED,
                                  [LOSS_FUSED] = RK_LOSS_FUSED,
                                  [LOSS_NONE] = RK_LOSS_WHOLE};

    o->optimizer = (rk_optimizer)rk_cli_choice(line, "--optimizer");
    o->master = master_bytes[rk_cli_choice(line, "--master")];
    o->gradient = gradient_bytes[rk_cli_choice(line, "--grad-dtype")];
    o->attention_again = rk_cli_choice(line, "--recompute") == AGAIN_ATTENTION;
    o->loss = rk_cli_choice(line, "--loss") != LOSS_NONE && m->program.loss != RK_NONE;
    o->way = way[rk_cli_choice(line, "--loss")];
}

int rk_cli_train_options(const rk_cli_line *line, const rk_model *m, rk_memory_options *o, rk_err *err)
{
    int code;

    read_words(line, m, o);
    code = read_counts(line, o, err);
    if (code == RK_OK)
        code = check_phase(line, o, err);
    if (code == RK_OK)
        code = check_book(line, o, err);
    if (code == RK_OK)
        code = check_types(line, o, err);
    if (code == RK_OK)
        code = check_again(line, o, err);
    if (code == RK_OK)
        code = check_loss(line, m, o, err);
    /* Gradients as wide as the weights are made in each step, as without the option. */
    if (o->gradient == o->bytes)
        o->gradient = 0;
    return code;
}

static int check_batch(const rk_cli_line *line, rk_err *err)
{
    for (size_t i = 0; i < line->n_setting; i++)
        if (strcmp(line->setting[i].name, "B") == 0)
            return rk_fail(err, RK_EUSAGE, "--within finds B: leave out %s", line->setting_word[i]);
    return RK_OK;
}

int rk_cli_within(const rk_cli_line *line, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cli_value(line, "--within"), *text = value;

    *out = 0;
    if (!value)
        return RK_OK;
    *out = rk_cli_amount(&text);
    if (*out <= 0 || (strcmp(text, "B") != 0 && *text != '\0'))
        return rk_fail(err, RK_EUSAGE, "--within: '%s' is no number of bytes, such as 80GB or 80GiB", value);
    return check_batch(line, err);
}

/* ---- reckon flops ----------------------------------------------------------------------------------------------- */

int rk_cli_rate(const rk_cli_line *line, rk_i128 *out, rk_err *err)
{
    static const char *const unit[] = {"", "FLOP/s", "FLOPS", "FLOPs/s"};
    const char *value = rk_cli_value(line, "--rate"), *text = value;

    if (!value)
        return RK_OK;
    *out = rk_cli_amount(&text);
    for (size_t i = 0; i<sizeof unit / sizeof *unit && * out> 0; i++)
        if (strcmp(text, unit[i]) == 0)
            return RK_OK;
    return rk_fail(err, RK_EUSAGE, "--rate: '%s' is no number of FLOPs in a second, such as 19.5TFLOP/s", value);
}

int rk_cli_mfu(const rk_cli_line *line, double *out, rk_err *err)
{
    const char *value = rk_cli_value(line, "--mfu");
    size_t digits = value ? strspn(value, "0123456789.") : 0;
    char *end = NULL;

    *out = 1;
    if (!value)
        return RK_OK;
    *out = digits > 0 ? strtod(value, &end) : 0;
    if (digits > 0 && strcmp(value + digits, "%") == 0)
        *out /= 100;
    else if (digits == 0 || value[digits] != '\0')
        *out = 0;
    if (digits > 0 && end == value + digits && *out > 0 && *out <= 1)
        return RK_OK;
    return rk_fail(err, RK_EUSAGE, "--mfu: '%s' is no share, such as 50%% or 0.5", value);
}

int rk_cli_step_options(const rk_cli_line *line, rk_flops_options *o, rk_err *err)
{
    int code = read_count(line, "--steps", &o->steps, err);

    o->step = rk_cli_value(line, "--step") != NULL;
    o->optimizer = (rk_optimizer)rk_cli_choice(line, "--optimizer");
    if (code == RK_OK)
        code = rk_cli_rate(line, &o->rate, err);
    if (code == RK_OK)
        code = rk_cli_mfu(line, &o->mfu, err);
    if (code != RK_OK)
        return code;
    if (rk_cli_value(line, "--optimizer") && !o->step)
        return rk_fail(err, RK_EUSAGE, "--optimizer: this is of --step");
    if ((o->steps > 0) != (o->rate > 0))
        return rk_fail(err, RK_EUSAGE, "--steps and --rate say together how long a training run takes");
    if (rk_cli_value(line, "--mfu") && !o->rate)
        return rk_fail(err, RK_EUSAGE, "--mfu is a share of --rate");
    return RK_OK;
}
