/* SPDX-License-Identifier: MIT */
/* reckon check: what holds of a written account. */
#include "command/command.h"
#include "command/commands.h"

#include "audit/bind.h"
#include "plan/tokens.h"
#include "report/check.h"

#include <string.h>

static const rk_cmd_option option[] = {
    {"--all", NULL, NULL, "list every claim, not only those that are wrong"},
    {"--model", "MODEL", NULL, "also check what the text says about MODEL, against its ledger"},
    {"--let", "LETTER=SYMBOL,…", NULL, "with --model: letters of the text that are symbols of the model, as T=S"},
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* Claims about a model, where one is given. */
static int bind_model(const rk_cmd_line *line, rk_cmd_output *out, rk_audit *audit, rk_err *err)
{
    const char *model = rk_cmd_value(line, "--model"), *let = rk_cmd_value(line, "--let");
    rk_open_request request = rk_cmd_request(line, out);
    rk_bind_source source = {.reopen = &request};
    int code;

    if (!model)
        return RK_OK;
    request.word = &model;
    request.n_word = 1;
    code = rk_tokens_keep_input(&out->arena, &request, err);
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &request, RK_FIND_MODEL, out, err);
    if (code == RK_OK)
        code = rk_report_numbers(out->ledger, err);
    source.instance = out->opened.instance;
    if (code == RK_OK && let)
        code = rk_bind_let(&out->arena, let, &source, err);
    return code == RK_OK ? rk_bind(audit, &source, err) : code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    const char *file = line->n_word ? line->word[0] : NULL;
    rk_audit *audit = NULL;
    char *text;
    size_t n;
    int code;

    if (!file)
        return rk_fail(err, RK_EUSAGE, "which text?  A file, or - for standard input");
    if (line->n_word > 1)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much: one text at a time", line->word[1]);
    if (line->n_setting > 0 && !rk_cmd_value(line, "--model"))
        return rk_fail(err, RK_EUSAGE, "'%s' sets a size of a model: which one?  Give it with --model MODEL",
                       line->setting_word[0]);
    if (rk_cmd_value(line, "--let") && !rk_cmd_value(line, "--model"))
        return rk_fail(err, RK_EUSAGE,
                       "--let says what letters are in a model: which one?  Give it with --model MODEL");
    code = rk_files_read(line->who->files, &out->arena, file, RK_AUDIT_BYTES_MAX, &text, &n, err);
    if (code == RK_ELIMIT)
        code = rk_fail(err, code, "%s: larger than %zu MiB, nothing of it was checked: cut it into parts", file,
                       RK_AUDIT_BYTES_MAX >> 20);
    if (code == RK_OK && (code = rk_audit_new(text, n, &audit, err)) != RK_OK)
        code = rk_err_context(err, code, "%s", file);
    if (code == RK_OK)
        code = bind_model(line, out, audit, err);
    if (code == RK_OK)
        code = rk_report_check(&out->report, audit, strcmp(file, "-") == 0 ? "standard input" : file,
                               rk_cmd_value(line, "--all") != NULL, err);
    out->differs = code == RK_OK && audit->n_status[RK_CLAIM_WRONG] > 0;
    rk_audit_free(audit);
    return code;
}

const rk_cmd_command rk_command_check = {
    .name = "check",
    .words = "FILE [SYMBOL=VALUE …]",
    .text = "what holds of a written account: every equation and every total in it",
    .more = "FILE is a text, in Markdown, with LaTeX, or plain; - is standard input.  Each equation is evaluated\n"
            "exactly, with the definitions in the text; each total is compared with the rows before it.  What is\n"
            "not understood is never called wrong.  With a model, figures and formulas are compared with its ledger:\n"
            "which quantity each is about is found by the words around it and by its value; sizes that the text gives\n"
            "itself rule.  The exit status is 1 where something is wrong.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon check account.md", "what is wrong, and what holds instead"},
            {"reckon check account.md --model gpt2-xl", "also what it says about gpt2-xl"},
            {"reckon check account.md --format json", "for a program"},
        },
    .run = run,
};
