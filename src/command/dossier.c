/* SPDX-License-Identifier: MIT */
#include "command/dossier.h"

#include <string.h>

/* ---- lines of other commands ------------------------------------------------------------------------------------ */

static const rk_cmd_option step_option[] = {RK_CMD_RUN, RK_CMD_CONFIG};

static const rk_cmd_command step_command = {.option = step_option,
                                            .n_option = sizeof step_option / sizeof *step_option};

const rk_report_step rk_report_steps[RK_N_STEP] = {
    {"as it runs", "a training step", {NULL}, true, true},
    {"attention eager", "with attention operation by operation", {"--attention", "eager"}, true, true},
    {"recompute full", "as it runs, layers recomputed in backward", {"--recompute", "full"}, true, true},
    [RK_STEP_DECODING] = {"decode", "decoding", {"--phase", "decode"}, true, false},
    [RK_STEP_SWEEPING] = {"sweep", "", {NULL}, false, false},
    [RK_STEP_LOOKING] = {"look", "", {NULL}, false, false},
};

int rk_report_builder_excuse(rk_report_builder *b, int code, const char **why)
{
    if (code != RK_EINPUT && code != RK_EVALUE && code != RK_ELIMIT && code != RK_EOVERFLOW)
        return code;
    *why = rk_arena_text(&b->arena, b->err->message);
    *b->err = (rk_err){0};
    return *why ? RK_OK : rk_fail_memory(b->err);
}

/* ---- saying ----------------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *name, size_t n, const char *const *list)
{
    for (; list && *list; list++)
        if (strlen(*list) == n && strncmp(*list, name, n) == 0)
            return true;
    return false;
}

/* What the line says of steps, in the words of the step's own line. */
static size_t say_options(const rk_report_builder *b, size_t which, const char **argv, size_t n)
{
    const rk_report_step *s = &rk_report_steps[which];
    const struct {
        const char *name;
        bool applies;
    } handed_on[] = {{"--dtype", s->runs}, {"--optimizer", s->trains}, {"--like", true}};

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

int rk_report_step_line(rk_report_builder *b, size_t which, const char *const *varies)
{
    const rk_cmd_line *line = b->line;
    const char **argv = RK_NEW_ARRAY(&b->arena, line->n_word + line->n_setting + 16, const char *);
    size_t n = 1;

    if (!argv)
        return rk_fail_memory(b->err);
    argv[0] = "reckon";
    n = say_options(b, which, argv, n);
    argv[n++] = "--"; /* words of the line may begin like options */
    for (size_t i = 0; i < line->n_word; i++)
        argv[n++] = line->word[i];
    for (size_t i = 0; i < line->n_setting; i++)
        if (!is_one_of(line->setting[i].name, strlen(line->setting[i].name), varies))
            argv[n++] = line->setting_word[i];
    b->said[which].who = b->line->who;
    return rk_cmd_parse(&b->said[which], &step_command, (int)n, argv, 0, b->err);
}

int rk_report_builder_note(rk_report_builder *b, const char *command, const rk_cmd_line *said, size_t which,
                           const char *more, const char *text)
{
    rk_dossier_command *c = &b->d.command[b->d.n_command];
    const char *word[RK_STEP_WORDS_MAX + 8];
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

/* ---- measuring -------------------------------------------------------------------------------------------------- */

int rk_report_step_gauge(rk_report_builder *b, size_t which, const char *const *symbol, size_t n, const rk_i128 *number,
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

/* ---- life -------------------------------------------------------------------------------------------------------- */

int rk_report_builder_open(rk_report_builder *b, const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    int code;

    *b = (rk_report_builder){.line = line, .request = rk_cmd_request(line, out), .err = err};
    b->request.wants_keys = true; /* the context is what a key says */
    code = rk_tokens_keep_input(&b->arena, &b->request, err);
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &b->request, RK_FIND_MODEL, out, err);
    b->instance = out->opened.instance;
    b->ledger = out->ledger;
    return code == RK_OK ? rk_report_numbers(b->ledger, err) : code;
}

void rk_report_builder_free(rk_report_builder *b)
{
    for (size_t i = 0; i < RK_N_STEP; i++) {
        rk_memory_free(b->memory[i]);
        rk_run_close(&b->run[i]);
        rk_gauge_free(b->gauge[i]);
        rk_cmd_free(&b->said[i]);
    }

    rk_arena_free(&b->arena);
}
