/* SPDX-License-Identifier: MIT */
/*
 * command/dossier.h - builds what `reckon report` shows: a model, the steps that it takes, and what others say of it.
 *
 * Stage   the user's line -> [command] -> report/dossier.h.
 * Uses    cli/run.h, ask/gauge.h, report/dossier.h.
 * Memory  a builder owns all that its dossier borrows; rk_report_builder_free frees it.
 * Threads one line, one thread.
 *
 * A step of the report is one that another command would take.  It is said in that command's words, and these words are
 * printed: whoever types them sees the same figures.
 */
#ifndef RK_CMD_DOSSIER_H
#define RK_CMD_DOSSIER_H

#include "ask/gauge.h"
#include "command/run.h"
#include "report/dossier.h"

/* The steps: so many variants of training, then these. */
enum {
    RK_STEP_DECODING = RK_DOSSIER_VARIANTS,
    RK_STEP_SWEEPING,
    RK_STEP_LOOKING, /* no step: the model with its own lengths */
    RK_N_STEP
};

#define RK_STEP_WORDS_MAX 4

typedef struct rk_report_step {
    const char *title, *text;
    const char *word[RK_STEP_WORDS_MAX + 1]; /* options; the last is NULL */
    bool runs, trains;                       /* it is a step; one of training */
} rk_report_step;

extern const rk_report_step rk_report_steps[RK_N_STEP];

typedef struct rk_report_builder {
    const rk_cmd_line *line;
    rk_arena arena;
    rk_open_request request; /* of the model; what stood on standard input is in it */
    rk_instance *instance;   /* of the model, which the output of the command owns, with its ledger */
    rk_ledger *ledger;
    rk_cmd_line said[RK_N_STEP]; /* the lines of steps */
    rk_gauge *gauge[RK_N_STEP];
    rk_run run[RK_N_STEP];
    rk_memory *memory[RK_N_STEP];
    rk_conventions conventions;
    rk_swept swept;
    const char *symbol, *range; /* that it is over: "S", "S=1024..65536:x2" */
    rk_dossier d;
    rk_err *err;
} rk_report_builder;

/* Opens the model of the line.  RK_EVALUE: a symbol has no number. */
int rk_report_builder_open(rk_report_builder *b, const rk_cmd_line *line, rk_cmd_output *out, rk_err *err);
void rk_report_builder_free(rk_report_builder *b);

/* What bounds the tokens of a sequence: what the config says, or positions that were learned; 0: nothing does. */
int rk_report_builder_context(rk_report_builder *b);

/* Training in each variant, and decoding; the devices must be there already. */
int rk_report_builder_steps(rk_report_builder *b);

/* ---- shared by its files ---------------------------------------------------------------------------------------- */

/* A failure that is about the model alone becomes a sentence of the page; any other one stays. */
int rk_report_builder_excuse(rk_report_builder *b, int code, const char **why);

/* The line of a step: words and settings of the user's, but for symbols that vary (the last is NULL). */
int rk_report_step_line(rk_report_builder *b, size_t which, const char *const *varies);

/*
 * Notes a command that shows the same: "reckon memory gpt2-xl B=8 --attention flash".  `said` has its words and
 * settings, `which` step its options, `more` what comes after the settings, or "" (NULL: memory ran out).
 */
int rk_report_builder_note(rk_report_builder *b, const char *command, const rk_cmd_line *said, size_t which,
                           const char *more, const char *text);

/* Opens the gauge of a step that has been said, at the first numbers of what varies. */
int rk_report_step_gauge(rk_report_builder *b, size_t which, const char *const *symbol, size_t n, const rk_i128 *number,
                         const rk_measure *measure, size_t n_measure);

#endif
