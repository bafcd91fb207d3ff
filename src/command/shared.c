/* SPDX-License-Identifier: MIT */
/* What commands about a model have in common. */
#include "command/command.h"

#include "plan/lookup.h"
#include "plan/run.h"

#include <string.h>

rk_library rk_cmd_library(const rk_cmd_line *line)
{
    return (rk_library){.folder = line->who->folder, .files = line->who->files};
}

int rk_cmd_check_library(const rk_cmd_line *line, rk_err *err)
{
    rk_library l = rk_cmd_library(line);
    int code = l.folder ? rk_files_list(l.files, l.folder, NULL, NULL, NULL, err) : RK_OK;

    return code == RK_OK ? RK_OK : rk_err_context(err, code, "RECKON_MODELS");
}

/* Whether --as says a word that is no convention of the table. */
static bool as_says(const rk_cmd_line *line, const char *word)
{
    const char *as = rk_cmd_value(line, "--as");

    return as && rk_alike_letters(as, strlen(as), word, strlen(word));
}

int rk_cmd_convention(const rk_cmd_line *line, rk_convention *out, rk_err *err)
{
    *out = (rk_convention){
        .count = rk_cmd_choice(line, "--count") == 1 ? RK_COUNT_ALL : RK_COUNT_MATMUL,
        .pairs = rk_cmd_choice(line, "--causal") == 1 ? RK_PAIRS_EXACT : RK_PAIRS_WINDOW,
        .mac = rk_cmd_choice(line, "--unit") == 1,
    };
    if (!rk_cmd_value(line, "--as"))
        return RK_OK;
    if (rk_cmd_value(line, "--count") || rk_cmd_value(line, "--causal") || rk_cmd_value(line, "--unit"))
        return rk_fail(err, RK_EUSAGE, "--as already says what counts: leave out --count, --causal and --unit");
    /* All other ways of others are asked for beside the ledger, which is then the reference. */
    out->count = as_says(line, "torch") ? RK_COUNT_TORCH : RK_COUNT_MATMUL;
    return RK_OK;
}

int rk_cmd_adapt(const rk_cmd_line *line, rk_adapt_request *out, rk_err *err)
{
    const char *text = rk_cmd_value(line, "--lora");
    rk_i128 rank = 0;

    out->targets = rk_cmd_value(line, "--targets");
    out->freeze = rk_cmd_value(line, "--freeze");
    if (out->targets && !text && !rk_recipe_rank(rk_cmd_value(line, "--recipe")))
        return rk_fail(err, RK_EUSAGE, "--targets says where adapters stand: --lora RANK is missing");
    if (text && (!rk_num_parse(text, strlen(text), &rank) || rank <= 0))
        return rk_fail(err, RK_EUSAGE, "--lora: a rank of at least 1 is wanted, not '%s'", text);
    out->rank = text ? rank : out->rank;
    return RK_OK;
}

int rk_cmd_put(const rk_cmd_line *line, const char *file, const char *bytes, size_t n, rk_err *err)
{
    return line->who->put(line->who->self, file, bytes, n) == 0 ? RK_OK
                                                                : rk_fail(err, RK_ESTOPPED, "%s: not written", file);
}

/* ---- paper ------------------------------------------------------------------------------------------------------ */

rk_paper rk_cmd_paper(const rk_cmd_line *line)
{
    const rk_cmd_asker *who = line->who;
    const char *file = rk_cmd_value(line, "-o");
    bool on_screen = who->screen > 0 && (!file || strcmp(file, "-") == 0);

    return (rk_paper){.columns = who->columns ? who->columns
                                 : on_screen  ? who->screen
                                              : 0,
                      .colour = on_screen && who->colour};
}

/* ---- the line, for another command ------------------------------------------------------------------------------- */

void rk_cmd_put_word(rk_str *out, const char *word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/=+:,@%";
    bool quoted = word[0] == '\0' || word[strspn(word, plain)] != '\0';

    rk_str_put(out, quoted ? "'" : "");
    for (; *word; word++)
        rk_str_put(out, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    rk_str_put(out, quoted ? "'" : "");
}

void rk_cmd_put_asked(const rk_cmd_line *line, rk_str *out)
{
    const char *like = rk_cmd_value(line, "--like");

    for (size_t i = 0; i < line->n_word; i++) {
        rk_str_put(out, i ? " " : "");
        rk_cmd_put_word(out, line->word[i]);
    }
    for (size_t i = 0; i < line->n_setting; i++) {
        rk_str_putc(out, ' ');
        rk_cmd_put_word(out, line->setting_word[i]);
    }
    if (like) {
        rk_str_put(out, " --like ");
        rk_cmd_put_word(out, like);
    }
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

rk_open_request rk_cmd_request(const rk_cmd_line *line, rk_cmd_output *out)
{
    return (rk_open_request){
        .shelf = line->who->shelf,
        .word = line->word,
        .n_word = line->n_word,
        .setting = line->setting,
        .n_setting = line->n_setting,
        .library = rk_cmd_library(line),
        .like = rk_cmd_value(line, "--like"),
        .wants_keys = rk_cmd_value(line, "--explain-config") != NULL,
        .mistakes = &out->mistakes,
    };
}

int rk_cmd_open(const rk_cmd_line *line, const char *const *word, size_t n_word, rk_find_want want, rk_cmd_output *out,
                rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);

    request.word = word;
    request.n_word = n_word;
    return rk_cmd_open_request(line, &request, want, out, err);
}

int rk_cmd_layout(const rk_cmd_line *line, rk_arena *a, const rk_layout **out, rk_err *err)
{
    rk_layout_request r;
    rk_layout *layout = RK_NEW(a, rk_layout);
    rk_library library = rk_cmd_library(line);
    bool any = false;
    int code = RK_OK;

    for (int i = 0; i < RK_N_LAYOUT_OPTION; i++)
        r.said[i] = rk_cmd_value(line, rk_layout_option_name[i]);
    code = layout ? rk_layout_read(&library, a, &r, layout, &any, err) : rk_fail_memory(err);
    *out = any ? layout : NULL;
    return code;
}

int rk_cmd_open_request(const rk_cmd_line *line, const rk_open_request *request, rk_find_want want, rk_cmd_output *out,
                        rk_err *err)
{
    rk_convention convention;
    rk_open_request adapted = *request;
    int code = rk_cmd_convention(line, &convention, err);

    if (code == RK_OK)
        code = rk_cmd_adapt(line, &adapted.adapt, err);
    if (code == RK_OK && !adapted.passes.layout && !out->whole)
        code = rk_cmd_layout(line, &out->arena, &adapted.passes.layout, err);
    if (code == RK_OK)
        code = rk_cmd_check_library(line, err);
    if (code == RK_OK)
        code = rk_open_all(&adapted, want, &out->opened, err);
    if (code != RK_OK)
        return code;
    if (out->opened.model)
        return rk_ledger_new(out->opened.instance, &convention, &out->ledger, err);
    if (line->n_setting > 0)
        return rk_fail(err, RK_EUSAGE, "a checkpoint's tensors are as they are: %s cannot be set",
                       line->setting[0].name);
    if (adapted.adapt.rank > 0 || adapted.adapt.freeze)
        return rk_fail(err, RK_EUSAGE, "a checkpoint's tensors are as they are: --lora and --freeze need equations");
    return RK_OK;
}

int rk_cmd_explain(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_library library = rk_cmd_library(line);

    return rk_report_explain(&out->report, out->ledger, &library, err);
}

/* ---- as others ------------------------------------------------------------------------------------------------- */

bool rk_cmd_as_others(const rk_cmd_line *line)
{
    return rk_cmd_value(line, "--as") && !as_says(line, "torch");
}

int rk_cmd_as_find(const rk_cmd_line *line, rk_arena *a, const rk_instance *m, const rk_convention_setup *setup,
                   bool memory, rk_cmd_as *out, rk_err *err)
{
    const char *as = rk_cmd_value(line, "--as");
    rk_library library = rk_cmd_library(line);
    int code;

    *out = (rk_cmd_as){0};
    code = rk_conventions_new(a, &library, m, setup, &out->all, err);
    if (code == RK_OK && !as_says(line, "all"))
        code = rk_conventions_find(&out->all, as, memory, &out->one, err);
    return code;
}

int rk_cmd_as_alone(const rk_cmd_line *line, const char *const *option, rk_err *err)
{
    for (; *option; option++)
        if (rk_cmd_value(line, *option))
            return rk_fail(err, RK_EUSAGE, "--as %s has a table of its own, in which %s has no say: leave one out",
                           rk_cmd_value(line, "--as"), *option);
    return RK_OK;
}
