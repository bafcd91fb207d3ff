/* SPDX-License-Identifier: MIT */
/*
 * command/command.h - what the commands share: the line, its options, opening a model.
 *
 * Stage   words -> [command] -> library -> bytes.
 * Uses    base/, plan/, account/, report/.
 * Memory  a parsed line owns an arena; words are borrowed from who asks.
 * Threads one line, one thread.
 *
 * A command is one file: one table of options, one function, one rk_cmd_command, which stands in the list of
 * command/commands.h.  Parsing, checking and the help text all come from its table.
 */
#ifndef RK_CMD_CLI_H
#define RK_CMD_CLI_H

#include "account/ledger.h"
#include "ask/conventions.h"
#include "plan/layout.h"
#include "plan/nearest.h"
#include "plan/open.h"
#include "report/report.h"

typedef struct rk_cmd_option {
    const char *name;     /* "--count", "-o" */
    const char *argument; /* what its value is called in the help, or NULL: it has none */
    const char *values;   /* "matmul|all": the words that it may be, the default first; NULL: any text */
    const char *text;     /* ends in brackets where it says itself what holds by default */
} rk_cmd_option;

/* Who asks: what an answer is drawn on, which files there are, and where bytes go. */
typedef struct rk_cmd_asker {
    const char *folder;    /* of models, looked at before the embedded ones; NULL: none */
    const rk_files *files; /* NULL: those of the disk, and standard input */
    rk_shelf *shelf;       /* models that were opened */
    size_t columns;        /* of the paper, whatever it is; 0: not known */
    size_t screen;         /* of the terminal that shows an answer without -o; 0: there is none … */
    bool colour;           /* … and it shows colours */
    /* Takes the next bytes of a file, "-" for the answer itself; not 0: no more of it is wanted. */
    int (*put)(void *self, const char *file, const char *bytes, size_t n);
    void *self;
} rk_cmd_asker;

/* A parsed line. */
typedef struct rk_cmd_line {
    const rk_cmd_asker *who;
    rk_arena arena;
    const struct rk_cmd_command *command;
    int argc; /* as it was typed … */
    const char *const *argv;
    int at;            /* the place of the command's own word in it, or 0 */
    const char **word; /* without the command, the options and the settings */
    size_t n_word;
    rk_setting *setting;
    const char **setting_word; /* each as it was typed: S=16K */
    size_t n_setting, n_typed; /* those that were read, and all, ranges too */
    const char **range;        /* settings of more than one number, where the command takes them: S=1K..64K:x2 */
    size_t n_range;
    const char *
        *value; /* of each option of the command: its value, "" where it has none, NULL where it was not given */
} rk_cmd_line;

/* What a command writes into: shown only when it succeeds. */
typedef struct rk_cmd_output {
    rk_str text;
    rk_str mistakes;   /* of a model file; shown instead of the error's message where there are any */
    rk_arena arena;    /* for what a command needs until it is done */
    rk_report report;  /* how it writes */
    rk_opened opened;  /* the model of the line, once rk_cmd_open was called … */
    rk_ledger *ledger; /* … and its ledger; NULL: a checkpoint has no equations */
    bool whole;        /* in: the whole model, whatever the line says of devices */
    bool differs;      /* what was compared is not the same: shown all the same, with an exit status of 1 */
    bool unfit;        /* what was asked for does not fit: shown all the same, with an exit status of 3 */
    bool written;      /* the command has written its output itself, piece by piece */
} rk_cmd_output;

/* A line to try, and what it shows. */
typedef struct rk_cmd_example {
    const char *line, *text;
} rk_cmd_example;

#define RK_CMD_EXAMPLES_MAX 3

typedef struct rk_cmd_command {
    const char *name;  /* NULL: the one that is meant where no command is named */
    const char *words; /* "MODEL [params|flops]" */
    const char *text;  /* one line */
    const char *more;  /* paragraphs of the help, or NULL */
    const rk_cmd_option *option;
    size_t n_option;
    bool takes_ranges;                           /* a setting may have several numbers */
    const char *many;                            /* an option that may be given several times: joined by ; or NULL */
    rk_cmd_example example[RK_CMD_EXAMPLES_MAX]; /* the last ones may be empty; tests run them all */
    int (*run)(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err);
} rk_cmd_command;

#define RK_CMD_OPTIONS(table) .option = table, .n_option = sizeof table / sizeof *table

extern const rk_cmd_command *const rk_cmd_command_list[];
extern const size_t rk_cmd_n_command;

/* ---- the line ------------------------------------------------------------------------------------------------ */

/* The place of the next plain word after `at`, no option, no value of one and no setting; 0: there is none. */
int rk_cmd_word_after(int argc, const char *const *argv, int at);
bool rk_cmd_takes_model(const rk_cmd_command *c); /* as its first word */
/* RK_EUSAGE: the word is no command; which line has what it is about (of that model, NULL: any), or the nearest one. */
int rk_cmd_fail_command(const char *word, const char *model, rk_err *err);

const rk_cmd_command *rk_cmd_command_find(const char *name); /* NULL: unknown; a NULL name finds the nameless one */

/* Parses argv[1..], passing over the command's own word (`at`, or 0).  RK_EUSAGE, or RK_EINPUT for a wrong value. */
int rk_cmd_parse(rk_cmd_line *line, const rk_cmd_command *command, int argc, const char *const *argv, int at,
                 rk_err *err);
void rk_cmd_free(rk_cmd_line *line);

/* A setting as it was typed, S=16K, or NULL where the symbol is not set. */
const char *rk_cmd_setting(const rk_cmd_line *line, const char *name);

/* The value of an option, "" where it has none, or NULL where it was not given. */
const char *rk_cmd_value(const rk_cmd_line *line, const char *option);

/* Which of its words an option has: 0, the first, where it was not given. */
size_t rk_cmd_choice(const rk_cmd_line *line, const char *option);

/* The number of an option, from 1 on; `*out` stays as it is where it was not given. */
int rk_cmd_count(const rk_cmd_line *line, const char *option, rk_i128 *out, rk_err *err);

/* The same, no larger than a million; `otherwise` where it was not given. */
int rk_cmd_number(const rk_cmd_line *line, const char *option, int otherwise, int *out, rk_err *err);

/* ---- shared by commands -------------------------------------------------------------------------------------- */

/* Options that several commands have. */
/* clang-format off */
#define RK_CMD_COUNTING_PLAIN \
    {"--count", "WHAT", "matmul|all", "count products that sum over an index, or every operation"}, \
    {"--causal", "HOW", "full|exact", "masked attention: the full square (of a window its keys), or only the pairs that it allows"}, \
    {"--unit", "UNIT", "flop|mac", "a multiply and its add are two FLOPs, or one MAC"}

#define RK_CMD_COUNTING \
    RK_CMD_COUNTING_PLAIN, \
    {"--as", "NAME", "torch", "count as a tool does: torch is the FLOP counter of PyTorch"}

#define RK_CMD_LAYOUT_ROW(ID, name, arg, words, text) {"--" name, arg, words, text},

#define RK_CMD_FORMULAS \
    {"--expanded", NULL, NULL, "formulas as sums: 8BSD² + 4BS²D + 6BSDF (the default)"}, \
    {"--factored", NULL, NULL, "formulas as products: 2BSD(4D + 2S + 3F)"}

#define RK_CMD_ADAPT \
    {"--lora", "RANK", NULL, "adapters of that rank beside the targets; nothing else is trained"}, \
    {"--targets", "WORDS", NULL, "the linear layers that get adapters: q,v (the usual ones), gate_proj, all-linear"}, \
    {"--freeze", "WORDS", NULL, "what is not trained, by part or name: embed, layers.attention, model.layers.0"}

#define RK_CMD_CONFIG \
    {"--like", "FAMILY", NULL, "read the config as one of FAMILY, if it has every size that FAMILY needs"}

#define RK_CMD_EXPLAIN \
    {"--explain-config", NULL, NULL, "instead: each key of the config, what it gave, and which were not read"}

#define RK_CMD_FILE \
    {"-o", "FILE", NULL, "write to FILE, whole or not at all, instead of standard output"}, \
    {"--help", NULL, NULL, "what most people need"}, \
    {"--help-all", NULL, NULL, "all options"}

#define RK_CMD_CSV \
    {"--csv", "HOW", "quoted|raw", "CSV: a ' before text that a spreadsheet would calculate (=, +, -, @), or as it is"}

#define RK_CMD_OUTPUT(formats) \
    {"--format", "FORMAT", formats, "text, md, latex and html are for people, json and csv for programs"}, \
    {"--columns", "NAMES", NULL, "only these columns of the tables, by their heads or JSON keys: total,share"}, \
    RK_CMD_CSV, \
    RK_CMD_FILE

#define RK_CMD_ABOUT_MODEL \
    "MODEL is a name ('reckon models' lists them), a model file (.rk), a config.json, a checkpoint (.gguf,\n" \
    ".safetensors or the index of its shards), a folder that holds one of these, ORG/NAME of a model in the local\n" \
    "Hugging Face cache, - for a config on standard input, or a family and a config.  SYMBOL=VALUE sets a symbol\n" \
    "of the model or of the run: B=8 S=16K (16,384) S=16k (16,000) D=4096."
/* clang-format on */

/* The library of models: the folder of who asks, then the embedded ones. */
rk_library rk_cmd_library(const rk_cmd_line *line);

/* RK_EIO where that folder cannot be read: a slip there must not go unseen. */
int rk_cmd_check_library(const rk_cmd_line *line, rk_err *err);

/* Hands bytes of a file, or of the answer ("-"), to who asks.  RK_ESTOPPED: no more of it is wanted. */
int rk_cmd_put(const rk_cmd_line *line, const char *file, const char *bytes, size_t n, rk_err *err);

/* What a command writes instead of its own report where --explain-config is given. */
int rk_cmd_explain(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err);

int rk_cmd_convention(const rk_cmd_line *line, rk_convention *out, rk_err *err);

/* What the line says of adapters and of what is frozen; the rank stays where it says none. */
int rk_cmd_adapt(const rk_cmd_line *line, rk_adapt_request *out, rk_err *err);

/* What the answer is drawn on: a terminal has a width and perhaps colours, a file or a pipe has neither. */
rk_paper rk_cmd_paper(const rk_cmd_line *line);

/*
 * Opens the model of some words with the settings of the line, and its ledger: both are then in `out`.  There is no
 * ledger where a checkpoint's tensors will do and there are no equations.
 */
int rk_cmd_open(const rk_cmd_line *line, const char *const *word, size_t n_word, rk_find_want want, rk_cmd_output *out,
                rk_err *err);

/* The same in two steps, for a request that is changed in between. */
rk_open_request rk_cmd_request(const rk_cmd_line *line, rk_cmd_output *out);
/* What the line says of devices; NULL: nothing. */
int rk_cmd_layout(const rk_cmd_line *line, rk_arena *a, const rk_layout **out, rk_err *err);

int rk_cmd_open_request(const rk_cmd_line *line, const rk_open_request *request, rk_find_want want, rk_cmd_output *out,
                        rk_err *err);

/* A word as a shell wants it: in quotes where it has more in it than names have. */
void rk_cmd_put_word(rk_str *out, const char *word);

/* The words and settings of the line, and its --like, to be typed after another command. */
void rk_cmd_put_asked(const rk_cmd_line *line, rk_str *out);

/* ---- --as NAME: what others would say of a model ---------------------------------------------------------------- */

typedef struct rk_cmd_as {
    rk_conventions all;
    const rk_named_convention *one; /* NULL: all of them */
} rk_cmd_as;

/* Whether --as asks for conventions; that of torch is a ledger's own way to count. */
bool rk_cmd_as_others(const rk_cmd_line *line);

/* The conventions of a model, and the one that --as names.  RK_EUSAGE: there is none of that name. */
int rk_cmd_as_find(const rk_cmd_line *line, rk_arena *a, const rk_instance *m, const rk_convention_setup *setup,
                   bool memory, rk_cmd_as *out, rk_err *err);

/* RK_EUSAGE: one of these options was given (the last is NULL), which has no say in what --as shows. */
int rk_cmd_as_alone(const rk_cmd_line *line, const char *const *option, rk_err *err);

/* ---- asking -------------------------------------------------------------------------------------------------- */

#define RK_CMD_WORDS_MAX 65536 /* of a question: more than a shell passes on */

/* What came of a question beside the bytes. */
typedef struct rk_cmd_answer {
    const char *command; /* whose it was, or NULL */
    bool differs;        /* what was compared is not the same */
    bool unfit;          /* what was asked for does not fit */
    rk_str mistakes;     /* of a model file, with their places; yours */
} rk_cmd_answer;

/* Runs the command of some words ("memory", "gpt2", "B=4"); `format` is that of --format, or NULL. */
int rk_cmd_ask(const rk_cmd_asker *who, const char *const *word, const char *format, rk_cmd_answer *out, rk_err *err);

/* ---- help ---------------------------------------------------------------------------------------------------- */

void rk_cmd_help(const rk_cmd_command *command, bool all, const rk_paper *paper, rk_str *out); /* of one command */
void rk_cmd_greeting(const rk_paper *paper, rk_str *out); /* where nothing was asked */
void rk_cmd_overview(const rk_paper *paper, rk_str *out); /* of all */

#endif
