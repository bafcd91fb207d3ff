/* SPDX-License-Identifier: MIT */
/* reckon check: what holds of written accounts. */
#include "command/command.h"
#include "command/commands.h"

#include "audit/taken.h"
#include "plan/library.h"
#include "plan/tokens.h"
#include "report/check.h"

#include <string.h>

enum {
    TEXTS_MAX = 4096 /* of one line; a report holds what is said of all of them */
};

static const rk_cmd_option option[] = {
    {"--all", NULL, NULL, "list every claim, not only those that are wrong or not certain"},
    {"--annotate", NULL, NULL, "the text itself with what holds of it in place; as text or html"},
    {"--fail-on", "CLASS", "mistake|slip|doubtful",
     "what makes the exit status 1: mistakes; slips of the last digit, too; doubtful claims, too"},
    {"--model", "MODEL", NULL, "also check what the text says about MODEL, against its ledger"},
    {"--let", "LETTER=SYMBOL,…", NULL, "with --model: letters of the text that are symbols of the model, as T=S"},
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* The texts of a line, one after the other. */
typedef struct texts {
    const rk_cmd_line *line;
    rk_cmd_output *out;
    rk_lexicon lexicon;
    rk_open_request request;
    const char *word;
    rk_bind_source model;
    bool has_model;
    rk_arena arena; /* of the text that is looked at … */
    rk_audit *audit;
    rk_prose prose;
    rk_library library;
    rk_callnames known; /* models that a text may speak of, where none is given */
    rk_takens taken;
} texts;

/* The model of the line, where one is given. */
static int open_model(texts *t, rk_err *err)
{
    const char *model = rk_cmd_value(t->line, "--model"), *let = rk_cmd_value(t->line, "--let");
    int code;

    t->request = rk_cmd_request(t->line, t->out);
    t->library = rk_cmd_library(t->line);
    if (!model)
        return rk_callnames_list(&t->library, &t->lexicon, &t->out->arena, &t->known, err);
    t->word = model; /* the request is used as long as there are texts */
    t->request.word = &t->word;
    t->request.n_word = 1;
    code = rk_tokens_keep_input(&t->out->arena, &t->request, err);
    if (code == RK_OK)
        code = rk_cmd_open_request(t->line, &t->request, RK_FIND_MODEL, t->out, err);
    if (code == RK_OK)
        code = rk_report_numbers(t->out->ledger, err);
    t->model = (rk_bind_source){.reopen = &t->request, .instance = t->out->opened.instance};
    if (code == RK_OK && let)
        code = rk_bind_let(&t->out->arena, let, &t->model, err);
    t->has_model = code == RK_OK;
    return code;
}

/* ---- a text ----------------------------------------------------------------------------------------------------- */

/* A PDF has no text that can be read; another program takes it out. */
static int fail_pdf(const char *file, rk_err *err)
{
    rk_str line = {0};
    int code;

    rk_cmd_put_word(&line, file);
    code =
        rk_fail(err, RK_EINPUT,
                "%s: a PDF, whose text is checked by way of another program: pdftotext -layout %s - | reckon check -",
                file, rk_str_text(&line));
    rk_str_free(&line);
    return code;
}

/* A word that is no file, and a model's name, is meant for --model. */
static int fail_model(const rk_cmd_line *line, const char *word, int code, rk_err *err)
{
    rk_library library = rk_cmd_library(line);
    rk_arena arena = {0};
    rk_called named = {0};

    if (code == RK_EIO && rk_files_kind(line->who->files, word) == RK_PATH_NONE &&
        !rk_find_is_path(line->who->files, word) && rk_find_named(&library, &arena, word, &named, NULL) == RK_OK)
        code = rk_fail(err, RK_EUSAGE, "there is no file '%s'.  A model is given beside a text, with --model %s", word,
                       word);
    rk_arena_free(&arena);
    return code;
}

static void forget(texts *t)
{
    rk_audit_free(t->audit);
    rk_arena_free(&t->arena);
    t->audit = NULL;
    t->arena = (rk_arena){0};
}

static int audit(texts *t, const char *file, rk_err *err)
{
    char *bytes;
    size_t n;
    int code = rk_files_read(t->line->who->files, &t->arena, file, RK_PROSE_BYTES_MAX, &bytes, &n, err);

    if (code == RK_ELIMIT)
        return rk_fail(err, code, "%s: larger than %zu MiB, nothing of it was checked: cut it into parts", file,
                       RK_PROSE_BYTES_MAX >> 20);
    if (code != RK_OK)
        return fail_model(t->line, file, code, err);
    if (rk_prose_is_pdf(bytes, n))
        return fail_pdf(file, err);
    code = rk_prose_read(&t->lexicon, &t->arena, file, bytes, n, &t->prose, err);
    if (code == RK_OK)
        code = rk_audit_new(&t->lexicon, t->prose.text, t->prose.n, &t->audit, err);
    if (code == RK_OK && t->has_model)
        code = rk_bind(t->audit, &t->model, NULL, err);
    else if (code == RK_OK)
        code = rk_taken_find(t->audit, &t->known, &t->out->arena, &t->request, &t->taken, err);
    return code == RK_OK ? rk_prose_settle(&t->prose, t->audit, err) : code;
}

static int next(void *self, size_t i, rk_check_text *out, rk_err *err)
{
    texts *t = self;
    const char *file = t->line->word[i];
    int code;

    forget(t);
    code = audit(t, file, err);
    *out = (rk_check_text){strcmp(file, "-") == 0 ? "standard input" : file, t->audit, &t->prose, &t->taken};
    return code;
}

/* ---- the line --------------------------------------------------------------------------------------------------- */

static int check_line(const rk_cmd_line *line, const rk_cmd_output *out, rk_err *err)
{
    size_t n_input = 0;

    for (size_t i = 0; i < line->n_word; i++)
        n_input += strcmp(line->word[i], "-") == 0;
    if (line->n_word == 0)
        return rk_fail(err, RK_EUSAGE, "which text?  A file, or - for standard input");
    if (n_input > 1)
        return rk_fail(err, RK_EUSAGE, "standard input is read once: - stands there %zu times", n_input);
    if (line->n_word > TEXTS_MAX)
        return rk_fail(err, RK_EUSAGE, "%zu texts are too many: at most %d at a time", line->n_word, TEXTS_MAX);
    if (line->n_setting > 0 && !rk_cmd_value(line, "--model"))
        return rk_fail(err, RK_EUSAGE, "'%s' sets a size of a model: which one?  Give it with --model MODEL",
                       line->setting_word[0]);
    if (rk_cmd_value(line, "--let") && !rk_cmd_value(line, "--model"))
        return rk_fail(err, RK_EUSAGE,
                       "--let says what letters are in a model: which one?  Give it with --model MODEL");
    if (rk_cmd_value(line, "--annotate") && out->report.format != RK_FORMAT_TEXT &&
        out->report.format != RK_FORMAT_HTML)
        return rk_fail(err, RK_EUSAGE, "--annotate shows the text itself: as text, or with --format html");
    if (rk_cmd_value(line, "--annotate") && rk_cmd_value(line, "--all"))
        return rk_fail(err, RK_EUSAGE, "--annotate shows every claim in its place: leave out --all");
    return RK_OK;
}

/* Whether the line calls for an exit status of 1: each class includes those before it. */
static bool fails(const rk_cmd_line *line, const size_t n[RK_N_CLAIM_STATUS])
{
    static const rk_claim_status class[] = {RK_CLAIM_WRONG, RK_CLAIM_SLIP, RK_CLAIM_DOUBTFUL};
    bool any = false;

    for (size_t i = 0; i <= rk_cmd_choice(line, "--fail-on"); i++)
        any |= n[class[i]] > 0;
    return any;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    size_t total[RK_N_CLAIM_STATUS] = {0};
    texts t = {.line = line, .out = out};
    rk_library library = rk_cmd_library(line);
    rk_check_options options = {
        .all = rk_cmd_value(line, "--all"),
        .annotate = rk_cmd_value(line, "--annotate"),
        .model = rk_cmd_value(line, "--model"),
        .n = line->n_word,
        .next = next,
        .self = &t,
    };
    int code = check_line(line, out, err);

    if (code == RK_OK)
        code = rk_lexicon_read(&library, &out->arena, &t.lexicon, err);
    if (code == RK_OK)
        code = open_model(&t, err);
    if (code == RK_OK)
        code = rk_report_check(&out->report, &options, total, err);
    out->differs = code == RK_OK && fails(line, total);
    forget(&t);
    return code;
}

const rk_cmd_command rk_command_check = {
    .name = "check",
    .words = "FILE … [SYMBOL=VALUE …]",
    .text = "what holds of a written account: every equation and every total in it",
    .more =
        "FILE is a text, in Markdown, with LaTeX, or plain, a notebook (.ipynb) or HTML; - is standard input.  Each\n"
        "equation is evaluated exactly, with the definitions in the text; each total is compared with the rows\n"
        "before it.  What is not understood is never called wrong.  With a model, figures and formulas are compared\n"
        "with its ledger: which quantity each is about is found by the words around it and by its value; sizes that\n"
        "the text gives itself rule.  The exit status is 1 where something is wrong.  A comment in the text,\n"
        "<!-- reckon: ignore -->, leaves out its line, and <!-- reckon: let T = 1024 --> defines a letter.",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon check account.md", "what is wrong, and what holds instead"},
            {"reckon check account.md --model gpt2-xl", "also what it says about gpt2-xl"},
            {"reckon check account.md --annotate", "the text itself, with what holds of it in place"},
        },
    .run = run,
};
