/* SPDX-License-Identifier: MIT */
/* reckon identify: which quantity of a model a number is, and under which convention. */
#include "report/identify.h"

#include "command/command.h"
#include "command/commands.h"
#include "plan/tokens.h"

static const rk_cmd_option option[] = {
    {"--all", NULL, NULL, "show every candidate, not only the ten simplest"},
    RK_CMD_CONFIG,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* The words of the number, which may have its unit after it: 7.92 GiB. */
static int read_number(const rk_cmd_line *line, const rk_lexicon *l, rk_arena *a, size_t *n, rk_given *out, rk_err *err)
{
    const char *text;

    if (line->n_word < 2)
        return rk_fail(err, RK_EUSAGE, "a number and a model are needed, as in 'reckon identify 3.5e12 gpt2-xl'");
    text = line->word[0];
    for (*n = 1; *n + 1 < line->n_word && rk_given_is_unit(l, line->word[*n]); ++*n) {
        text = rk_arena_format(a, "%s %s", text, line->word[*n]);
        if (!text)
            return rk_fail_memory(err);
    }
    return rk_given_read(l, text, out, err);
}

/* Steps on paper take time: without a unit of bytes they are taken only where nothing else is the number. */
static int find(const rk_given *given, const rk_index_source *source, rk_arena *a, rk_identified *out,
                rk_matches *matches, rk_index **index, rk_err *err)
{
    int code = rk_index_new(source, index, err);

    if (code == RK_OK)
        code = rk_given_find(given, *index, a, matches, &out->rounded, err);
    if (code != RK_OK || source->steps || !(given->plain.kinds & RK_INDEX_IS(BYTES)))
        return code;
    if (matches->n_all > 0 && !out->rounded)
        return code;
    *matches = (rk_matches){0};
    code = rk_index_add_steps(*index, source->reopen, err);
    return code == RK_OK ? rk_given_find(given, *index, a, matches, &out->rounded, err) : code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    rk_library library = rk_cmd_library(line);
    rk_lexicon lexicon;
    rk_index_source source = {.lexicon = &lexicon, .reopen = &request};
    rk_matches matches = {0};
    rk_index *index = NULL;
    rk_given given = {0};
    rk_identified found = {.given = &given, .matches = &matches, .all = rk_cmd_value(line, "--all") != NULL};
    size_t n = 0;
    int code = rk_lexicon_read(&library, &out->arena, &lexicon, err);

    if (code == RK_OK)
        code = read_number(line, &lexicon, &out->arena, &n, &given, err);
    if (code == RK_OK) {
        request.word += n;
        request.n_word -= n;
        code = rk_tokens_keep_input(&out->arena, &request, err);
    }
    if (code == RK_OK)
        code = rk_cmd_open_request(line, &request, RK_FIND_MODEL, out, err);
    if (code == RK_OK)
        code = rk_report_numbers(out->ledger, err);
    source.instance = out->opened.instance;
    source.steps = given.plain.kinds == RK_INDEX_IS(BYTES);
    if (code == RK_OK)
        code = find(&given, &source, &out->arena, &found, &matches, &index, err);
    found.index = index;
    if (code == RK_OK)
        code = rk_report_identify(&out->report, out->ledger, &found, err);
    out->differs = matches.n_all == 0;
    rk_index_free(index);
    return code;
}

const rk_cmd_command rk_command_identify = {
    .name = "identify",
    .words = "NUMBER MODEL [SYMBOL=VALUE …]",
    .text = "which quantity of a model a number is, and under which convention",
    .more = "NUMBER is exact (6710886400, 6,710,886,400, 2*1024^2*64) or rounded (3.5e12, 1.56B, 7.92GiB, 69.4%); a\n"
            "rounded one means every value that rounds to it.  Rows, parts and totals are searched: parameters,\n"
            "FLOPs of each pass in all ways of counting, activations, caches and bytes, of one layer and of all, per\n"
            "token and per head, and simple multiples of them.  The simplest candidate comes first; where there is\n"
            "none, the nearest quantities are shown, and the exit status is 1.\n"
            "\n" RK_CMD_ABOUT_MODEL,
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon identify 6710886400 gpt2-xl", "a figure from an account, twice what it should be"},
            {"reckon identify 3.5e12 gpt2-xl", "a rounded figure: what it may be"},
            {"reckon identify 7.92GiB cs336-xl", "bytes, and of what"},
        },
    .run = run,
};
