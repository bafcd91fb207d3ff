/* SPDX-License-Identifier: MIT */
/*
 * reckon report: all that is known of a model on one page, to keep.  Built here are the steps that the model takes:
 * what each occupies, and how much of it fits on a device.  report/dossier.h shows them.
 */
#include "ask/gauge.h"
#include "ask/ranks.h"
#include "command/commands.h"
#include "command/run.h"
#include "command/spelling.h"
#include "plan/setting.h"
#include "report/dossier.h"

#include <string.h>

#ifndef RECKON_VERSION
#define RECKON_VERSION "unknown"
#endif

#define USUAL_DEVICES "h100-80gb,a100-80gb,rtx-4090"

static const rk_cmd_option option[] = {
    {"--devices", "NAMES", NULL, "on which the largest batch is looked for (" USUAL_DEVICES ")"},
    {"--dtype", "TYPE", RK_RUN_TYPE_WORDS, "of weights, activations and gradients, where the config does not say it"},
    {"--weights", "TYPE", RK_WEIGHT_WORDS, "in which decoding holds linear layers and experts"},
    {"--optimizer", "NAME", RK_OPTIMIZER_WORDS, "whose state is counted"},
    {"--recompute", "WHAT", RK_RECOMPUTE_WORDS, "of a step over devices: save everything; what enters layers …"},
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_FORMULAS,
    RK_CMD_CONFIG,
    {"--format", "FORMAT", RK_FORMAT_WORDS,
     "of the page, or for programs (json, csv), where the name of the file does not say it"},
    RK_CMD_CSV,
    {"-o", "FILE", NULL, "write to FILE, whole or not at all: .html, .md, .tex, .txt, .json or .csv"},
    {"--help", NULL, NULL, "what most people need"},
    {"--help-all", NULL, NULL, "all options"},
};

/* ---- the builder ------------------------------------------------------------------------------------------------ */

/* The steps: so many variants of training, then these. */
enum {
    DECODING = RK_DOSSIER_VARIANTS,
    SWEEPING,
    LOOKING, /* no step: the model with its own lengths */
    N_STEP
};

#define STEP_WORDS_MAX 4

typedef struct step {
    const char *title, *text;
    const char *word[STEP_WORDS_MAX + 1]; /* options; the last is NULL */
    bool runs, trains;                    /* it is a step; one of training */
} step;

/* A step is said in the words of the command that would take it, and these words are printed: whoever types them sees
 * the same figures. */
static const step step_table[N_STEP] = {
    {"as it runs", "a training step", {NULL}, true, true},
    {"attention eager", "with attention operation by operation", {"--attention", "eager"}, true, true},
    {"recompute full", "as it runs, layers recomputed in backward", {"--recompute", "full"}, true, true},
    [DECODING] = {"decode", "decoding", {"--phase", "decode"}, true, false},
    [SWEEPING] = {"sweep", "", {NULL}, false, false},
    [LOOKING] = {"look", "", {NULL}, false, false},
};

/* It owns all that the dossier borrows. */
typedef struct builder {
    const rk_cmd_line *line;
    rk_arena arena;
    rk_open_request request; /* of the model; what stood on standard input is in it */
    rk_instance *instance;   /* of the model, which the output of the command owns, with its ledger */
    rk_ledger *ledger;
    rk_cmd_line said[N_STEP]; /* the lines of steps */
    rk_gauge *gauge[N_STEP];
    rk_run run[N_STEP];
    rk_memory *memory[N_STEP];
    rk_ranks ranks; /* of a layout */
    rk_conventions conventions;
    rk_swept swept;
    const char *symbol, *range; /* that it is over: "S", "S=1024..65536:x2" */
    rk_dossier d;
    rk_err *err;
} builder;

/* Opens the model of the line.  RK_EVALUE: a symbol has no number. */
static int open_builder(builder *b, const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    int code;

    *b = (builder){.line = line, .request = rk_cmd_request(line, out), .err = err};
    b->request.wants_keys = true; /* the context is what a key says */
    out->whole = true;            /* ranks have a section of their own */
    code = rk_tokens_keep_input(&b->arena, &b->request, err);
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &b->request, RK_FIND_MODEL, out, err);
    b->instance = out->opened.instance;
    b->ledger = out->ledger;
    return code == RK_OK ? rk_report_numbers(b->ledger, err) : code;
}

static void free_builder(builder *b)
{
    for (size_t i = 0; i < N_STEP; i++) {
        rk_memory_free(b->memory[i]);
        rk_run_close(&b->run[i]);
        rk_gauge_free(b->gauge[i]);
        rk_cmd_free(&b->said[i]);
    }
    rk_ranks_free(&b->ranks);
    rk_arena_free(&b->arena);
}

/* ---- lines of other commands ------------------------------------------------------------------------------------ */

static const rk_cmd_option step_option[] = {RK_CMD_RUN, RK_CMD_CONFIG};

static const rk_cmd_command step_command = {.option = step_option,
                                            .n_option = sizeof step_option / sizeof *step_option};

/* A failure that is about the model alone becomes a sentence of the page; any other one stays. */
static int excuse(builder *b, int code, const char **why)
{
    if (code != RK_EINPUT && code != RK_EVALUE && code != RK_ELIMIT && code != RK_EOVERFLOW)
        return code;
    *why = rk_arena_text(&b->arena, b->err->message);
    *b->err = (rk_err){0};
    return *why ? RK_OK : rk_fail_memory(b->err);
}

static bool is_one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

/* What the line says of steps, in the words of the step's own line. */
static size_t say_options(const builder *b, size_t which, const char **argv, size_t n)
{
    const step *s = &step_table[which];
    const struct {
        const char *name;
        bool applies;
    } handed_on[] = {
        {"--dtype", s->runs}, {"--weights", s->runs && !s->trains}, {"--optimizer", s->trains}, {"--like", true}};

    for (size_t i = 0; s->word[i]; i++)
        argv[n++] = s->word[i];
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++) {
        const char *value = rk_cmd_value(b->line, handed_on[i].name);

        if (!value || !handed_on[i].applies)
            continue;
        argv[n++] = handed_on[i].name;
        argv[n++] = value;
    }
    return n;
}

/* The line of a step: words and settings of the user's, but for symbols that vary (the last is NULL). */
static int say_step(builder *b, size_t which, const char *const *varies)
{
    const rk_cmd_line *line = b->line;
    const char **argv = RK_NEW_ARRAY(&b->arena, line->n_word + line->n_setting + 16, const char *);
    size_t n;

    if (!argv)
        return rk_fail_memory(b->err);
    argv[0] = "reckon";
    n = say_options(b, which, argv, 1);
    argv[n++] = "--"; /* words of the line may begin like options */
    for (size_t i = 0; i < line->n_word; i++)
        argv[n++] = line->word[i];
    for (size_t i = 0; i < line->n_setting; i++)
        if (!is_one_of(line->setting[i].name, varies))
            argv[n++] = line->setting_word[i];
    b->said[which].who = b->line->who;
    return rk_cmd_parse(&b->said[which], &step_command, (int)n, argv, 0, b->err);
}

/*
 * Notes a command that shows the same: "reckon memory gpt2-xl B=8 --attention flash".  `said` has its words and
 * settings, `which` step its options, `more` what comes after the settings, or "" (NULL: memory ran out).
 */
static int note(builder *b, const char *command, const rk_cmd_line *said, size_t which, const char *more,
                const char *text)
{
    rk_dossier_command *c = &b->d.command[b->d.n_command];
    const char *word[STEP_WORDS_MAX + 8];
    rk_str s = {0};
    size_t n = say_options(b, which, word, 0);

    if (!more)
        return rk_fail_memory(b->err);
    if (b->d.n_command == RK_DOSSIER_COMMANDS)
        return RK_OK;
    rk_str_format(&s, "reckon %s ", command);
    rk_cmd_put_asked(said, &s);
    if (more[0])
        rk_str_format(&s, " %s", more);
    for (size_t i = 0; i < n; i++) {
        rk_str_putc(&s, ' ');
        rk_cmd_put_word(&s, word[i]);
    }
    *c = (rk_dossier_command){.line = rk_arena_text(&b->arena, rk_str_text(&s)), .text = text};
    b->d.n_command++;
    rk_str_free(&s);
    return b->arena.failed ? rk_fail_memory(b->err) : RK_OK;
}

/* Opens the gauge of a step that has been said, at the first numbers of what varies. */
static int open_gauge(builder *b, size_t which, const char *const *symbol, size_t n, const rk_i128 *number,
                      const rk_measure *measure, size_t n_measure)
{
    rk_gauge_source *source = RK_NEW(&b->arena, rk_gauge_source);
    rk_open_request request = b->request;
    int code;

    if (!source)
        return rk_fail_memory(b->err);
    request.setting = b->said[which].setting;
    request.n_setting = b->said[which].n_setting;
    request.wants_keys = false;
    code = rk_cmd_gauge_request(&b->arena, &b->said[which], &request, symbol, n, source, b->err);
    return code == RK_OK ? rk_gauge_new(source, measure, n_measure, number, &b->gauge[which], b->err) : code;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

/* The account of a step, on a model of its own. */
static int take_memory(builder *b, size_t which, const rk_setting *setting, size_t n)
{
    rk_open_request request = b->request;
    rk_run *run = &b->run[which];
    int code;

    request.setting = setting;
    request.n_setting = n;
    request.wants_keys = false;
    code = rk_cmd_run_open(&b->said[which], &request, run, b->err);
    return code == RK_OK ? rk_memory_new(run->opened.instance, &run->options, &b->memory[which], b->err) : code;
}

/* The largest batch of a step on each device, where it sees so many keys, if it sees any. */
static int find_batches(builder *b, size_t which, const char *title, rk_i128 tokens)
{
    rk_dossier_batch *batch = &b->d.batch[b->d.n_batch];
    rk_i128 number[2] = {1, tokens};
    int code = RK_OK;

    *batch = (rk_dossier_batch){.title = title, .fit = RK_NEW_ARRAY(&b->arena, b->d.n_device + 1, rk_fit)};
    if (!batch->fit || !title)
        return rk_fail_memory(b->err);
    for (size_t i = 0; i < b->d.n_device && code == RK_OK; i++)
        if (rk_device_room(b->d.device[i]) > 0)
            code = rk_gauge_room(b->gauge[which], number, rk_device_room(b->d.device[i]), &batch->fit[i], b->err);
    b->d.n_batch++;
    return code;
}

/* ---- training --------------------------------------------------------------------------------------------------- */

static const char *const training_varies[] = {RK_NAME_BATCH, NULL};

static int measure_variant(builder *b, size_t which)
{
    const rk_symbol *batch = rk_model_size(b->instance->model, RK_SIZE_BATCH);
    rk_i128 number[1] = {batch && batch->known ? batch->value : 1};
    rk_measure *measure = NULL;
    size_t n = 0;
    int code = rk_measures_parse(&b->arena, "memory.peak", &measure, &n, b->err);

    if (code == RK_OK)
        code = open_gauge(b, which, training_varies, 1, number, measure, n);
    /* The account of the gauge's model serves, if that stays open. */
    if (code == RK_OK && rk_gauge_stays(b->gauge[which]))
        code = rk_gauge_account(b->gauge[which], &b->memory[which], b->err);
    else if (code == RK_OK)
        code = take_memory(b, which, b->line->setting, b->line->n_setting);
    if (code == RK_OK)
        code = find_batches(b, which, rk_arena_format(&b->arena, "training, %s", step_table[which].title), 0);
    return code;
}

static int add_variant(builder *b, size_t which)
{
    rk_dossier_variant *variant = &b->d.variant[which];
    int code = say_step(b, which, training_varies);

    variant->title = step_table[which].title;
    if (code == RK_OK)
        code = excuse(b, measure_variant(b, which), &variant->not_for);
    variant->memory = variant->not_for ? NULL : b->memory[which];
    return code == RK_OK && variant->memory ? note(b, "memory", b->line, which, "", step_table[which].text) : code;
}

/* ---- decoding --------------------------------------------------------------------------------------------------- */

/* The symbol of which a decoding step has one: the one that T follows from, or S. */
static const char *fresh_of(const builder *b)
{
    const rk_model *m = b->instance->model;
    const rk_symbol *seen = rk_model_size(m, RK_SIZE_KEYS);
    rk_ex definition = seen ? rk_sym_definition(m->pool, seen->sym) : RK_EX_FAILED;
    rk_sym s;

    return definition != RK_EX_FAILED && rk_ex_is_sym(m->pool, definition, &s) ? rk_sym_name(m->pool, s)
                                                                               : RK_NAME_TOKENS;
}

/* What the config says of that symbol, or the positions that were learned: those of an image are no context. */
static rk_i128 context_in(const rk_instance *x, const char *symbol)
{
    const rk_model *m = x->model;

    for (size_t i = 0; i < m->n_key; i++)
        if (m->key[i].symbol && strcmp(m->key[i].symbol, symbol) == 0 && m->key[i].value.kind == RK_DOC_INT)
            return m->key[i].value.number;
    return rk_serve_positions(x);
}

/* What bounds the tokens of a sequence: what the config says, or positions that were learned; 0: nothing does.
 * Lengths that the line sets say nothing of the context: then the model is looked at without them. */
static int find_context(builder *b)
{
    static const char *const lengths[] = {RK_NAME_TOKENS, RK_NAME_TARGETS, RK_NAME_KEYS, NULL};
    rk_open_request request = b->request;
    rk_opened plain = {0};
    int code = say_step(b, LOOKING, lengths);

    b->d.context = context_in(b->instance, fresh_of(b));
    if (code != RK_OK || b->said[LOOKING].n_setting == b->line->n_setting)
        return code;
    request.setting = b->said[LOOKING].setting;
    request.n_setting = b->said[LOOKING].n_setting;
    code = rk_open_all(&request, RK_FIND_MODEL, &plain, b->err);
    if (code == RK_OK)
        b->d.context = context_in(plain.instance, fresh_of(b));
    rk_opened_free(&plain);
    return code;
}

/* The cache and the peak of a decoding step at each length. */
static int read_lengths(builder *b, rk_i128 batch)
{
    int code = RK_OK;

    for (size_t i = 0; i < b->d.n_length && code == RK_OK; i++) {
        rk_dossier_length *length = &b->d.length[i];
        rk_i128 number[2] = {batch, length->tokens};
        rk_reading reading[2] = {{0}};
        char tokens[RK_NUM_TEXT_MAX];
        const char *title = length->tokens > 0
                                ? rk_arena_format(&b->arena, "decoding, T = %s", rk_num_grouped(tokens, length->tokens))
                                : "decoding";

        code = rk_gauge_read(b->gauge[DECODING], number, reading, b->err);
        length->peak = reading[0].over;
        length->cache = reading[1].over;
        if (code == RK_OK)
            code = find_batches(b, DECODING, title, length->tokens);
    }
    return code;
}

static const char *const decoding_varies[] = {RK_NAME_BATCH, RK_NAME_KEYS};

static int take_decoding(builder *b, const rk_i128 *number, size_t n)
{
    const rk_cmd_line *said = &b->said[DECODING];
    const rk_run *run = &b->run[DECODING];
    rk_setting *setting = RK_NEW_ARRAY(&b->arena, said->n_setting + n, rk_setting);
    int code;

    if (!setting)
        return rk_fail_memory(b->err);
    memcpy(setting, said->setting, said->n_setting * sizeof *setting);
    for (size_t i = 0; i < n; i++)
        setting[said->n_setting + i] = (rk_setting){.name = decoding_varies[i], .value = number[i]};
    code = take_memory(b, DECODING, setting, said->n_setting + n);
    return code == RK_OK ? rk_run_serve(run, b->memory[DECODING], &b->d.serving, b->err) : code;
}

/* The gauge begins at the first length; the account is of the last. */
static int measure_decoding(builder *b)
{
    const rk_symbol *batch = rk_model_size(b->instance->model, RK_SIZE_BATCH);
    rk_i128 number[2] = {batch && batch->known ? batch->value : 1, b->d.length[0].tokens};
    size_t n = 0, n_symbol = number[1] > 0 ? 2 : 1;
    rk_measure *measure = NULL;
    int code = rk_measures_parse(&b->arena, "memory.peak,memory.cache", &measure, &n, b->err);

    if (code == RK_OK)
        code = open_gauge(b, DECODING, decoding_varies, n_symbol, number, measure, n);
    number[1] = b->d.length[b->d.n_length - 1].tokens;
    if (code == RK_OK)
        code = take_decoding(b, number, n_symbol);
    return code == RK_OK ? read_lengths(b, number[0]) : code;
}

/* "B=8 T=128K": what the line of decoding leaves to vary. */
static const char *numbers_of(builder *b)
{
    rk_i128 last = b->d.length[b->d.n_length - 1].tokens;
    char tokens[RK_NUM_TEXT_MAX];
    const char *batch = "";

    for (size_t i = 0; i < b->line->n_setting; i++)
        if (rk_run_role(b->line->setting[i].name) == RK_SIZE_BATCH)
            batch = b->line->setting_word[i];
    if (last == 0)
        return batch;
    return rk_arena_format(&b->arena, "%s%sT=%s", batch, batch[0] ? " " : "", rk_num_text(tokens, last));
}

static int add_decoding(builder *b)
{
    const char *const varies[] = {RK_NAME_BATCH, RK_NAME_KEYS, fresh_of(b), NULL};
    int code = say_step(b, DECODING, varies);
    const rk_symbol *seen = rk_model_size(b->instance->model, RK_SIZE_KEYS);
    rk_dossier *d = &b->d;

    /* The lengths at which decoding is looked at: that of the run, and the whole context. */
    d->length[d->n_length++].tokens = seen ? seen->value : 0;
    if (seen && d->context > seen->value)
        d->length[d->n_length++].tokens = d->context;
    if (code == RK_OK)
        code = excuse(b, measure_decoding(b), &b->d.not_decoded);
    b->d.decode = b->d.not_decoded ? NULL : b->memory[DECODING];
    if (code != RK_OK || !b->d.decode)
        return code;
    return note(b, "memory", &b->said[DECODING], DECODING, numbers_of(b), step_table[DECODING].text);
}

/* Training in each variant, and decoding; the devices must be there already. */
static int add_steps(builder *b)
{
    int code = RK_OK;

    for (size_t i = 0; i < RK_DOSSIER_VARIANTS && code == RK_OK; i++)
        code = add_variant(b, i);
    return code == RK_OK ? add_decoding(b) : code;
}

/* ---- over devices ------------------------------------------------------------------------------------------------ */

/* Words that say a layout, to be typed after `reckon ranks MODEL`. */
static const char *layout_words(builder *b)
{
    rk_str s = {0};
    const char *text;

    for (int i = 0; i < RK_N_LAYOUT_OPTION; i++) {
        const char *said = rk_cmd_value(b->line, rk_layout_option_name[i]);

        if (!said)
            continue;
        rk_str_format(&s, "%s%s", s.n ? " " : "", rk_layout_option_name[i]);
        if (*said) {
            rk_str_putc(&s, ' ');
            rk_cmd_put_word(&s, said);
        }
    }
    if (rk_cmd_value(b->line, "--recompute"))
        rk_str_format(&s, " --recompute %s", rk_cmd_value(b->line, "--recompute"));
    text = s.failed ? NULL : rk_arena_text(&b->arena, rk_str_text(&s));
    rk_str_free(&s);
    return text;
}

static int add_ranks(builder *b)
{
    rk_open_request request = b->request;
    rk_run_request asked;
    int code;

    if (!rk_cmd_value(b->line, "--layout"))
        return rk_cmd_value(b->line, "--recompute")
                   ? rk_fail(b->err, RK_EUSAGE,
                             "--recompute is said of a step over devices (--layout fsdp=8); the page has a step of one "
                             "device both ways")
                   : RK_OK;
    request.wants_keys = false;
    code = rk_cmd_run_request(b->line, &request, &asked, b->err);
    asked.word[RK_RUN_WEIGHTS] = NULL; /* of decoding */
    if (code == RK_OK)
        code = excuse(b, rk_ranks_find(&b->arena, &asked, false, &b->ranks, b->err), &b->d.not_laid);
    if (code != RK_OK || b->d.not_laid)
        return code;
    b->d.ranks = &b->ranks;
    return note(b, "ranks", b->line, 0, layout_words(b), "each rank, and what it sends");
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

/* Elsewhere it says how many. */
static int fail_count(const builder *b, const char *count)
{
    rk_str retyped = {0};
    int code;

    rk_spelling_put_retyped(b->line, &rk_command_fit, &retyped);
    code = rk_fail(b->err, RK_EUSAGE, "--devices %s: here these are names (" USUAL_DEVICES "); on several of one: '%s'",
                   count, rk_str_text(&retyped));
    rk_str_free(&retyped);
    return code;
}

static int add_devices(builder *b)
{
    const char *names = rk_cmd_value(b->line, "--devices"), *name = names ? names : USUAL_DEVICES;
    rk_devices all = {0};
    int code = rk_devices_read(&b->request.library, &b->arena, &all, b->err);

    if (code == RK_OK && name[strspn(name, "0123456789")] == '\0')
        return fail_count(b, name);
    while (code == RK_OK && name) {
        size_t n = strcspn(name, ",");
        const char *one = rk_arena_copy(&b->arena, name, n);

        if (!one)
            return rk_fail_memory(b->err);
        if (b->d.n_device == RK_DOSSIER_DEVICES)
            return rk_fail(b->err, RK_EUSAGE, "--devices: a page has room for %d of them", RK_DOSSIER_DEVICES);
        b->d.device[b->d.n_device] = rk_device_find(&all, one, b->err);
        if (!b->d.device[b->d.n_device])
            return RK_EINPUT;
        b->d.n_device++;
        name = name[n] ? name + n + 1 : NULL;
    }
    return code;
}

/* ---- as sequences grow ------------------------------------------------------------------------------------------ */

enum {
    FIRST_LENGTH = 1024,
    TIMES_CONTEXT = 16,
    USUAL_CONTEXT = 4096, /* where nothing bounds it */
    POINTS_MOST = 14,
    POINTS_ACROSS = 6, /* that a table has room for where pieces go down */
    PIECES_DOWN = 6,   /* from so many on they do */
    PIECES_MOST = 24
};

/* How many numbers there are from one to another, each so many times the one before. */
static int count_points(rk_i128 first, rk_i128 last, int factor)
{
    int n = 1;

    for (rk_i128 at = first; at <= last / factor; at *= factor)
        n++;
    return n;
}

/* "S=1024..65536:x2": so many tokens, up to a multiple of the context. */
static const char *range_of(builder *b, const rk_symbol *s, size_t n_piece)
{
    rk_i128 context = b->d.context > 0 ? b->d.context : s->value > USUAL_CONTEXT ? s->value : USUAL_CONTEXT;
    rk_i128 first = context < FIRST_LENGTH ? context : FIRST_LENGTH;
    int factor = 2, most = n_piece >= PIECES_DOWN ? POINTS_ACROSS : POINTS_MOST;
    char from[RK_NUM_TEXT_MAX], to[RK_NUM_TEXT_MAX];

    if (context > RK_SETTING_VALUE_MAX / TIMES_CONTEXT)
        context = RK_SETTING_VALUE_MAX / TIMES_CONTEXT;
    while (count_points(first, context * TIMES_CONTEXT, factor) > most)
        factor *= 2;
    return rk_arena_format(&b->arena, "%s=%s..%s:x%d", s->name, rk_num_text(from, first),
                           rk_num_text(to, context * TIMES_CONTEXT), factor);
}

static int read_points(builder *b, const rk_range *range)
{
    rk_swept *s = &b->swept;
    int code = RK_OK;

    s->number = RK_NEW_ARRAY(&b->arena, (size_t)range->n, rk_i128);
    s->reading = RK_NEW_ARRAY(&b->arena, (size_t)range->n * s->n_measure, rk_reading);
    if (!s->number || !s->reading)
        return rk_fail_memory(b->err);
    for (; (rk_i128)s->n_point < range->n && code == RK_OK; s->n_point++) {
        s->number[s->n_point] = rk_range_at(range, (rk_i128)s->n_point);
        code =
            rk_gauge_read(b->gauge[SWEEPING], &s->number[s->n_point], &s->reading[s->n_point * s->n_measure], b->err);
    }
    return code;
}

/* The components of the FLOPs, or where those are many, the parts; and after them all together. */
static int sweep(builder *b, const rk_symbol *s)
{
    const char *const varies[] = {s->name, NULL};
    rk_range *range = RK_NEW(&b->arena, rk_range);
    rk_swept *swept = &b->swept, whole = {.range = range, .n_range = 1};
    rk_measure *measure = NULL;
    int code =
        range ? rk_measures_parse(&b->arena, "flops", &measure, &whole.n_measure, b->err) : rk_fail_memory(b->err);

    whole.measure = measure;
    *swept = whole;
    if (code == RK_OK)
        code = rk_swept_divide(&b->arena, b->ledger, swept, RK_BY_COMPONENT, b->err);
    if (code == RK_OK && swept->n_measure - 1 > PIECES_MOST) {
        *swept = whole;
        code = rk_swept_divide(&b->arena, b->ledger, swept, RK_BY_PART, b->err);
    }
    b->range = code == RK_OK ? range_of(b, s, swept->n_measure - 1) : NULL;
    if (code == RK_OK)
        code = b->range ? rk_range_parse(&b->arena, b->range, range, b->err) : rk_fail_memory(b->err);
    if (code == RK_OK)
        code = say_step(b, SWEEPING, varies);
    b->symbol = s->name;
    if (code == RK_OK)
        code =
            open_gauge(b, SWEEPING, &b->symbol, 1, &(rk_i128){rk_range_at(range, 0)}, swept->measure, swept->n_measure);
    return code == RK_OK ? read_points(b, range) : code;
}

/* Over the tokens of a sequence, where they are a symbol of the run: S, or U beside an encoder of fixed length. */
static int add_growth(builder *b)
{
    const rk_symbol *s = rk_model_size(b->instance->model, RK_SIZE_TOKENS);
    int code;

    s = s ? s : rk_model_size(b->instance->model, RK_SIZE_TARGETS);
    if (!s || s->kind != RK_SYMBOL_RUN) {
        b->d.not_swept = "The config fixes how many tokens there are: nothing grows";
        return RK_OK;
    }
    code = excuse(b, sweep(b, s), &b->d.not_swept);
    b->d.swept = &b->swept;
    if (code != RK_OK || b->d.not_swept)
        return code;
    return note(b, "sweep", &b->said[SWEEPING], SWEEPING,
                rk_arena_format(&b->arena, "%s --by %s", b->range, b->swept.by == RK_BY_PART ? "part" : "component"),
                "FLOPs as sequences grow");
}

/* ---- the format ------------------------------------------------------------------------------------------------- */

/* What the file's name ends in says its format, unless --format does. */
static int choose_format(const rk_cmd_line *line, rk_format *out, rk_err *err)
{
    const char *file = rk_cmd_value(line, "-o");
    rk_format format = file ? rk_format_of_file(file) : RK_N_FORMAT;

    if (rk_cmd_value(line, "--format") || !file || strcmp(file, "-") == 0)
        return RK_OK;
    if (format == RK_N_FORMAT || rk_words_place(RK_FORMAT_WORDS, rk_writers[format].word) < 0)
        return rk_fail(
            err, RK_EUSAGE,
            "-o %s: its name ends in none of .html, .md, .tex, .txt, .json and .csv: --format says what it shall be",
            file);
    *out = format;
    return RK_OK;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* The commands whose figures need no step. */
static int note_commands(builder *b)
{
    static const struct {
        const char *command, *more, *text;
    } plain[] = {
        {"params", "", "every tensor, its shape and its count"},
        {"flops", "", "every operation, forward and backward"},
        {"derive", "", "how the formulas come about, line by line"},
        {"flops", "--as all", "as others count it"},
    };
    int code = RK_OK;

    for (size_t i = 0; i < sizeof plain / sizeof *plain && code == RK_OK; i++)
        code = note(b, plain[i].command, b->line, LOOKING, plain[i].more, plain[i].text);
    return code;
}

static int build(builder *b)
{
    int (*const part[])(builder *) = {add_devices, find_context, note_commands, add_growth, add_steps, add_ranks};
    int code = RK_OK;

    b->d.version = RECKON_VERSION;
    b->d.conventions = &b->conventions;
    for (size_t i = 0; i < sizeof part / sizeof *part && code == RK_OK; i++)
        code = part[i](b);
    if (code == RK_OK)
        code = rk_conventions_new(&b->arena, &b->request.library, b->instance, &(rk_convention_setup){0},
                                  &b->conventions, b->err);
    for (size_t i = 0; i < b->d.n_device && code == RK_OK; i++)
        code = note(b, "fit", b->line, 0, rk_arena_format(&b->arena, "--device %s", b->d.device[i]->key),
                    "the largest batch, and what a device holds");
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    builder b = {0};
    int code = choose_format(line, &out->report.format, err);

    if (code == RK_OK)
        code = open_builder(&b, line, out, err);
    if (code == RK_OK)
        code = build(&b);
    if (code == RK_OK) {
        out->report.opened = &out->opened;
        code = rk_report_dossier(&out->report, b.ledger, &b.d, err);
    }
    free_builder(&b);
    return code;
}

const rk_cmd_command rk_command_report = {
    .name = "report",
    .words = "MODEL [SYMBOL=VALUE …]",
    .text = "all of it on one page to keep: pictures, formulas, memory, what fits, what others count",
    .more = RK_CMD_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon report llama-3.1-8b -o report.html", "a page for a browser"},
            {"reckon report gpt2-xl S=1K --format md", "the same for a README"},
            {"reckon report mixtral-8x7b-v0.1 --devices h200,mi300x -o mixtral.tex", "and for a paper"},
        },
    .run = run,
};
