/* SPDX-License-Identifier: MIT */
/* reckon help: written from the tables of the commands, so that it cannot say what is not so. */
#include "command/command.h"
#include "command/commands.h"
#include "command/spelling.h"

#include <ctype.h>
#include <string.h>

const rk_cmd_command *const rk_cmd_command_list[] = {
#define ADDRESS(NAME) &rk_command_##NAME,
    RK_CMD_COMMANDS(ADDRESS)
#undef ADDRESS
};
const size_t rk_cmd_n_command = sizeof rk_cmd_command_list / sizeof *rk_cmd_command_list;

bool rk_cmd_takes_model(const rk_cmd_command *c)
{
    return strncmp(c->words, "MODEL", 5) == 0;
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

enum {
    COLUMNS_UNKNOWN = 80, /* where nobody says how wide the paper is */
    COLUMNS_WIDE = 200,   /* from here on, all words of an option stand beside it */
    WORDS_MAX = 28        /* as wide as text|json|csv|md|latex|html */
};

/* What few need: --help leaves it to --help-all. */
static const char *const rare_option[] = {
    "--profile",    "--experts",  "--recompute-every", "--recompute-modules", "--offload",   "--master", "--grad-dtype",
    "--loss-chunk", "--dropout",  "--events",          "--lora-dtype",        "--dump-pass", "--csv",    "--like",
    "--expanded",   "--factored",
};

static bool is_rare(const rk_cmd_option *o)
{
    for (size_t i = 0; i < sizeof rare_option / sizeof *rare_option; i++)
        if (strcmp(rare_option[i], o->name) == 0)
            return true;
    return false;
}

static const rk_field two_columns[] = {{.head = ""}, {.head = "", .wraps = true}};

/* "a|b|c" as a list that can be broken: "a, b, c" */
static const char *listed(rk_page *p, const char *values)
{
    rk_str s = {0};
    char *text;

    for (; *values; values++)
        rk_str_put(&s, *values == '|' ? ", " : (char[]){*values, '\0'});
    text = rk_arena_text(p->arena, rk_str_text(&s));
    p->failed |= s.failed || !text;
    rk_str_free(&s);
    return text ? text : "";
}

/* " (default matmul)": the first of several words, unless the text says it. */
static rk_cell marked(rk_page *p, const rk_cmd_option *o)
{
    size_t n = o->values ? strcspn(o->values, "|") : 0;

    if (n == 0 || !o->values[n] || rk_ends_in(o->text, ")"))
        return rk_cell_text(p, "%s", o->text);
    return rk_cell_text(p, "%s (default %.*s)", o->text, (int)n, o->values);
}

/* How many are left out. */
static size_t put_options(const rk_cmd_command *c, bool all, const rk_paper *paper, rk_page *p)
{
    rk_table *t = rk_page_table(p, two_columns, 2);
    bool narrow = paper->columns < COLUMNS_WIDE;
    size_t n_rare = 0;

    for (size_t i = 0; i < c->n_option; i++) {
        const rk_cmd_option *o = &c->option[i];
        rk_cell *cell;
        /* "--count matmul|all", "-o FILE", "--all"; on narrow paper many words go after the text. */
        bool many = narrow && o->values && strlen(o->values) > WORDS_MAX;
        const char *value = !o->argument ? "" : o->values && !many ? o->values : o->argument;

        n_rare += is_rare(o);
        if (is_rare(o) && !all)
            continue;
        cell = rk_page_row(p, t, RK_ROW_PLAIN, 1);
        cell[0] = rk_cell_text(p, "%s%s%s", o->name, o->argument ? " " : "", value);
        cell[1] = marked(p, o);
        if (many)
            cell[1] = rk_cell_text(p, "%s: %s", cell[1].text, listed(p, o->values));
    }
    return all ? 0 : n_rare;
}

static void put_example(const rk_cmd_example *e, rk_page *p, rk_table *t)
{
    rk_cell *cell = rk_page_row(p, t, RK_ROW_PLAIN, 1);

    cell[0] = rk_cell_text(p, "%s", e->line);
    cell[1] = rk_cell_text(p, "%s", e->text);
}

/* Side by side where all of them fit so; else what each shows stands below it. */
static void put_examples(const rk_cmd_command *c, const rk_paper *paper, rk_page *p)
{
    size_t n = 0, line = 0, text = 0;
    rk_table *t = NULL;

    for (; n < RK_CMD_EXAMPLES_MAX && c->example[n].line; n++) {
        line = strlen(c->example[n].line) > line ? strlen(c->example[n].line) : line;
        text = strlen(c->example[n].text) > text ? strlen(c->example[n].text) : text;
    }
    if (n == 0)
        return;
    rk_page_gap(p);
    rk_page_put(p, RK_ITEM_HEADING, 0, "Examples:");
    if (line + text + 4 <= (paper->columns ? paper->columns : COLUMNS_UNKNOWN))
        t = rk_page_table(p, two_columns, 2);
    for (size_t i = 0; i < n; i++) {
        if (t) {
            put_example(&c->example[i], p, t);
        } else {
            rk_page_code(p, 1, c->example[i].line, NULL);
            rk_page_put(p, RK_ITEM_LINE, 3, "%s", c->example[i].text);
        }
    }
}

/* Paragraphs, set apart by empty lines; the lines inside of one are broken anew. */
static void put_paragraphs(const char *text, rk_page *p)
{
    while (text && *text) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        rk_str s = {0};

        for (size_t i = 0; i < n; i++)
            rk_str_putc(&s, text[i] == '\n' ? ' ' : text[i]);
        rk_page_gap(p);
        rk_page_put(p, RK_ITEM_LINE, 0, "%s", rk_str_text(&s));
        p->failed |= s.failed;
        rk_str_free(&s);
        text = end ? end + 2 : NULL;
    }
}

static void put_usage(const rk_cmd_command *c, rk_page *p)
{
    rk_cell usage = rk_cell_text(p, "usage: reckon%s%s%s%s [OPTION …]", c->name ? " " : "", c->name ? c->name : "",
                                 c->words[0] ? " " : "", c->words);

    rk_page_code(p, 0, usage.text, NULL);
}

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static void draw(rk_page *p, const rk_paper *paper, rk_str *out)
{
    p->paper = *paper;
    p->paper.columns = p->paper.columns ? p->paper.columns : COLUMNS_UNKNOWN;
    if (!p->failed)
        rk_page_text(p, out);
    out->failed |= p->failed;
    rk_arena_free(p->arena);
}

/* What reckon is, and the table that follows. */
static rk_table *put_intro(rk_page *p)
{
    rk_page_put(p, RK_ITEM_LINE, 0,
                "reckon keeps the books of Transformer models: parameters, FLOPs and bytes, each with its formula.");
    rk_page_gap(p);
    return rk_page_table(p, two_columns, 2);
}

void rk_cmd_help(const rk_cmd_command *c, bool all, const rk_paper *paper, rk_str *out)
{
    rk_arena arena = {0};
    rk_page p = {.arena = &arena};
    size_t more;

    put_usage(c, &p);
    rk_page_gap(&p);
    rk_page_put(&p, RK_ITEM_LINE, 0, "%c%s.", toupper((unsigned char)c->text[0]), c->text + 1);
    rk_page_gap(&p);
    more = put_options(c, all, paper, &p);
    if (more > 0)
        rk_page_put(&p, RK_ITEM_LINE, 0, "%zu more: reckon %s --help-all", more, c->name);
    put_paragraphs(c->more, &p);
    put_examples(c, paper, &p);
    draw(&p, paper, out);
}

void rk_cmd_overview(const rk_paper *paper, rk_str *out)
{
    const rk_cmd_command *nameless = rk_cmd_command_find(NULL);
    rk_arena arena = {0};
    rk_page p = {.arena = &arena};
    rk_table *t;

    t = put_intro(&p);
    for (size_t i = 0; i < rk_cmd_n_command; i++) {
        const rk_cmd_command *c = rk_cmd_command_list[i];
        rk_cell *cell = rk_page_row(&p, t, RK_ROW_PLAIN, 1);

        cell[0] = rk_cell_text(&p, "reckon %s%s", c->name ? c->name : "MODEL",
                               c->name && rk_cmd_takes_model(c) ? " MODEL" : "");
        cell[1] = rk_cell_text(&p, "%s", c->text);
    }
    put_paragraphs(RK_CMD_ABOUT_MODEL, &p);
    rk_page_gap(&p);
    rk_page_put(&p, RK_ITEM_HEADING, 0, "Options of reckon MODEL ('reckon help COMMAND' has those of a command):");
    put_options(nameless, true, paper, &p);
    put_examples(nameless, paper, &p);
    draw(&p, paper, out);
}

static void put_spellings(const rk_paper *paper, rk_str *out)
{
    rk_arena arena = {0};
    rk_page p = {.arena = &arena};

    rk_spelling_put(&p);
    draw(&p, paper, out);
}

void rk_cmd_greeting(const rk_paper *paper, rk_str *out)
{
    static const rk_cmd_example line[] = {
        {"reckon gpt2-xl", "a model on one page"},
        {"reckon params llama-3.1-8b", "every tensor; flops: operations"},
        {"reckon memory gpt2-xl B=4", "a training step, to the byte"},
        {"reckon memory gpt2-xl --phase decode", "serving: weights and cache"},
        {"reckon fit llama-3.1-8b --device h100", "does it fit, how large a batch"},
        {"reckon train gpt2 --tokens 10B --device a100", "days, device-hours, energy"},
        {"reckon derive gpt2", "the formulas, line by line"},
        {"reckon models", "what is known by name"},
        {"reckon path/to/config.json", "any model that has one"},
        {"reckon help", "all commands"},
    };
    rk_arena arena = {0};
    rk_page p = {.arena = &arena};
    rk_table *t;

    t = put_intro(&p);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        put_example(&line[i], &p, t);
    draw(&p, paper, out);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static const rk_cmd_option option[] = {
    RK_CMD_FILE,
};

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    const rk_cmd_command *named = line->n_word ? rk_cmd_command_find(line->word[0]) : NULL;
    const rk_cmd_command *c = named || !line->n_word ? named : rk_spelling_command(line->word[0]);
    rk_paper paper = rk_cmd_paper(line);

    if (line->n_word == 0) {
        rk_cmd_overview(&paper, &out->text);
        return RK_OK;
    }
    if (line->n_word == 1 && strcmp(line->word[0], "spellings") == 0) {
        put_spellings(&paper, &out->text);
        return RK_OK;
    }
    if (c && line->n_word == 1) {
        rk_cmd_help(c, true, &paper, &out->text);
        return RK_OK;
    }
    if (c)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->word[1]);
    return rk_cmd_fail_command(line->word[0], NULL, err);
}

const rk_cmd_command rk_command_help = {
    .name = "help",
    .words = "[COMMAND]",
    .text = "the commands, or one of them with its options",
    RK_CMD_OPTIONS(option),
    .example =
        {
            {"reckon help flops", "the options of flops"},
        },
    .run = run,
};
