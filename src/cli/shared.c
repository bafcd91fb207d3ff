/* SPDX-License-Identifier: MIT */
/* What commands about a model have in common. */
#include "cli/adapt.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

rk_library rk_cli_library(void)
{
    const char *folder = getenv("RECKON_MODELS");

    return (rk_library){folder && folder[0] ? folder : NULL};
}

int rk_cli_check_library(rk_err *err)
{
    const char *folder = rk_cli_library().folder;
    DIR *d = folder ? opendir(folder) : NULL;

    if (folder && !d)
        return rk_fail(err, RK_EIO, "RECKON_MODELS: %s: cannot read: %s", folder, strerror(errno));
    if (d)
        closedir(d);
    return RK_OK;
}

int rk_cli_convention(const rk_cli_line *line, rk_convention *out, rk_err *err)
{
    *out = (rk_convention){
        .count = rk_cli_choice(line, "--count") == 1 ? RK_COUNT_ALL : RK_COUNT_MATMUL,
        .exact_mask = rk_cli_choice(line, "--causal") == 1,
        .mac = rk_cli_choice(line, "--unit") == 1,
    };
    if (!rk_cli_value(line, "--as"))
        return RK_OK;
    if (rk_cli_value(line, "--count") || rk_cli_value(line, "--causal") || rk_cli_value(line, "--unit"))
        return rk_fail(err, RK_EUSAGE, "--as already says what counts: leave out --count, --causal and --unit");
    /* All other ways of others are asked for beside the ledger, which is then the reference. */
    out->count = strcmp(rk_cli_value(line, "--as"), "torch") == 0 ? RK_COUNT_TORCH : RK_COUNT_MATMUL;
    return RK_OK;
}

/* ---- paper ------------------------------------------------------------------------------------------------------ */

/* COLUMNS where it is set, as others do; else what the terminal says; 0 where no one knows. */
static size_t columns_of(bool is_terminal)
{
    const char *set = getenv("COLUMNS");
    struct winsize size = {0};
    rk_i128 n = 0;

    if (set && rk_num_parse(set, strlen(set), &n) && n > 0)
        return n < 10000 ? (size_t)n : 10000;
    return is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

rk_paper rk_cli_paper(const rk_cli_line *line)
{
    const char *file = rk_cli_value(line, "-o"), *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool is_terminal = (!file || strcmp(file, "-") == 0) && isatty(STDOUT_FILENO);
    bool is_plain = (no_colour && no_colour[0]) || !term || strcmp(term, "dumb") == 0;

    return (rk_paper){.columns = columns_of(is_terminal), .colour = is_terminal && !is_plain};
}

/* ---- reports ---------------------------------------------------------------------------------------------------- */

int rk_cli_report(const rk_cli_line *line, rk_cli_output *out, rk_report *report, rk_err *err)
{
    bool factored = rk_cli_value(line, "--factored");
    const char *format = rk_cli_value(line, "--format");

    if (factored && rk_cli_value(line, "--expanded"))
        return rk_fail(err, RK_EUSAGE, "formulas are either --expanded or --factored");
    *report = (rk_report){
        .format = format ? (rk_format)rk_words_place(RK_FORMAT_WORDS, format) : RK_FORMAT_TEXT,
        .factored = factored,
        .out = &out->text,
        .paper = rk_cli_paper(line),
    };
    return RK_OK;
}

/* ---- the line again ---------------------------------------------------------------------------------------------- */

void rk_cli_put_word(rk_str *out, const char *word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/=+:,@%";
    bool quoted = word[0] == '\0' || word[strspn(word, plain)] != '\0';

    rk_str_put(out, quoted ? "'" : "");
    for (; *word; word++)
        rk_str_put(out, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    rk_str_put(out, quoted ? "'" : "");
}

void rk_cli_put_asked(const rk_cli_line *line, rk_str *out)
{
    for (size_t i = 0; i < line->n_word; i++) {
        rk_str_put(out, i ? " " : "");
        rk_cli_put_word(out, line->word[i]);
    }
    for (size_t i = 0; i < line->n_setting; i++) {
        rk_str_putc(out, ' ');
        rk_cli_put_word(out, line->setting_word[i]);
    }
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

rk_open_request rk_cli_request(const rk_cli_line *line, rk_cli_output *out)
{
    return (rk_open_request){
        .word = line->word,
        .n_word = line->n_word,
        .setting = line->setting,
        .n_setting = line->n_setting,
        .library = rk_cli_library(),
        .like = rk_cli_value(line, "--like"),
        .wants_keys = rk_cli_value(line, "--explain-config") != NULL,
        .mistakes = &out->mistakes,
    };
}

int rk_cli_open_all(const rk_cli_line *line, const char *const *word, size_t n_word, rk_find_want want,
                    rk_cli_output *out, rk_opened *opened, rk_ledger **ledger, rk_err *err)
{
    rk_open_request request = rk_cli_request(line, out);

    request.word = word;
    request.n_word = n_word;
    return rk_cli_open_request(line, &request, want, opened, ledger, err);
}

int rk_cli_open_request(const rk_cli_line *line, const rk_open_request *request, rk_find_want want, rk_opened *opened,
                        rk_ledger **ledger, rk_err *err)
{
    rk_convention convention;
    rk_open_request adapted = *request;
    int code = rk_cli_convention(line, &convention, err);

    *opened = (rk_opened){0};
    if (code == RK_OK)
        code = rk_cli_adapt(line, &adapted.adapt, err);
    if (code == RK_OK)
        code = rk_cli_check_library(err);
    if (code == RK_OK)
        code = rk_open_all(&adapted, want, opened, err);
    if (code == RK_OK && opened->model)
        code = rk_ledger_new(opened->instance, &convention, ledger, err);
    else if (code == RK_OK && line->n_setting > 0)
        code =
            rk_fail(err, RK_EUSAGE, "a checkpoint's tensors are as they are: %s cannot be set", line->setting[0].name);
    else if (code == RK_OK && (adapted.adapt.rank > 0 || adapted.adapt.freeze))
        code = rk_fail(err, RK_EUSAGE, "a checkpoint's tensors are as they are: --lora and --freeze need equations");
    if (code != RK_OK)
        rk_opened_free(opened);
    return code;
}

int rk_cli_open(const rk_cli_line *line, const char *const *word, size_t n_word, rk_cli_output *out,
                rk_instance **instance, rk_ledger **ledger, rk_err *err)
{
    rk_opened opened;
    int code = rk_cli_open_all(line, word, n_word, RK_FIND_MODEL, out, &opened, ledger, err);

    *instance = opened.instance;
    opened.instance = NULL;
    rk_opened_free(&opened);
    return code;
}

int rk_cli_explain(const rk_report *report, const rk_ledger *ledger, rk_err *err)
{
    rk_library library = rk_cli_library();

    return rk_report_explain(report, ledger, &library, err);
}

void rk_cli_close(rk_instance *instance, rk_ledger *ledger)
{
    if (ledger)
        rk_ledger_free(ledger);
    rk_instance_free(instance);
}
