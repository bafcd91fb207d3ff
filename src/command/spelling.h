/* SPDX-License-Identifier: MIT */
/*
 * command/spelling.h - what people type who know other tools: --batch 4, --flash, bfloat16, 8xh100, mem.
 *
 * Stage   the user's line -> [command] -> words as the tables of the commands have them.
 * Uses    command/command.h, plan/device.h.
 * Memory  words live in the arena of the line, or are constant.
 * Threads as a line.
 *
 * One table has every other spelling.  What a command has under the very name that was typed is never looked up here,
 * and a model, a file or a symbol of that name is meant first.  'reckon help spellings' prints the table.
 */
#ifndef RK_CMD_SPELLING_H
#define RK_CMD_SPELLING_H

#include "command/command.h"
#include "report/page.h"

#define RK_SPELLING_WORDS_MAX 8

/* Words that stand for what was typed; none: it has no other spelling. */
typedef struct rk_spelled {
    const char *word[RK_SPELLING_WORDS_MAX + 1]; /* from 1 on, as a line has them */
    int n;
    bool known; /* it stands for something; words may be none, where the line says all of it already */
    bool next;  /* the argument after it was its value */
} rk_spelled;

/* The command that another name means; NULL: none. */
const rk_cmd_command *rk_spelling_command(const char *name);

/* Of a word that is no command, the line that has what it is about, with the model (NULL: MODEL); false: none. */
bool rk_spelling_instead(const char *word, const char *model, rk_str *out);

/* Of an option that no command has, what says the same, with its value, which may be the next word; false: nothing. */
bool rk_spelling_beside(const char *option, const char *next, rk_str *out);

/* Whether it stands for others, perhaps beside one of that very name. */
bool rk_spelling_is_option(const char *option);

/* Whether the next argument is the value of an option that no command has. */
bool rk_spelling_takes_value(const char *option, const char *next);

/*
 * What an option that the command does not have stands for; `next` is the argument after it, or NULL.
 * RK_EUSAGE: it is known, and the command has no such thing.
 */
int rk_spelling_option(const rk_cmd_line *line, rk_arena *a, const char *option, const char *next, rk_spelled *out,
                       rk_err *err);

/* The same for a word after the model, as fsdp and 8xh100, and for the value of --device, as 8xh100 and 80GB. */
int rk_spelling_word(const rk_cmd_line *line, rk_arena *a, const char *word, rk_spelled *out, rk_err *err);
int rk_spelling_device(const rk_cmd_line *line, rk_arena *a, const char *value, rk_spelled *out, rk_err *err);

/* RK_EUSAGE: a setting is the size of an axis of the mesh, which is said in a layout; the model has no such symbol. */
int rk_spelling_axis(const rk_cmd_line *line, const char *word, rk_err *err);

/* What a word of --shard stands for, as fsdp does for zero3; NULL: it has no other spelling. */
const char *rk_spelling_split(const char *word, size_t n);

/* "reckon fit gpt2 B=4 --device h100": the line with what another command takes of it. */
void rk_spelling_put_retyped(const rk_cmd_line *line, const rk_cmd_command *to, rk_str *out);

/* RK_EUSAGE: `what` ("--device is") of other commands, `who`, of which the first is `to`. */
int rk_spelling_fail_foreign(const rk_cmd_line *line, const char *what, const rk_cmd_command *to, const char *who,
                             rk_err *err);

/* The value of an option as its words have it.  RK_EUSAGE: it is none of them; the message says what it may be. */
int rk_spelling_value(const rk_cmd_line *line, rk_arena *a, const rk_cmd_option *o, const char **value, rk_err *err);

/*
 * A setting by the name of the model's symbol: S=128 for seq_len=128, and T=128 in a decoding step; the word itself
 * where it is one.  *noun: what the symbol must be, by its meaning, or NULL.  All options were read.  NULL: no memory.
 */
const char *rk_spelling_setting(const rk_cmd_line *line, rk_arena *a, const char *word, const char **noun);

/* All of them, in a table. */
void rk_spelling_put(rk_page *p);

#endif
