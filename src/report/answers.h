/* SPDX-License-Identifier: MIT */
/*
 * report/answers.h - the keys of every answer in JSON, by command.
 *
 * Stage   a report's table of fields -> [report] -> schema.
 * Uses    report/page.h.
 * Memory  constant data.
 * Threads constant data.
 */
#ifndef RK_REPORT_ANSWERS_H
#define RK_REPORT_ANSWERS_H

#include "report/report.h"

/* X(NAME, command, when): rk_answer_NAME is what the command answers; NULL: always, else where this is asked for. */
#define RK_ANSWERS(X)                                                                                                  \
    X(summary, "summary", "of a model: reckon MODEL")                                                                  \
    X(params, "params", "of a model")                                                                                  \
    X(checkpoint, "params", "of a checkpoint's tensors")                                                               \
    X(config, "params", "with --explain-config, also of other commands")                                               \
    X(flops, "flops", NULL)                                                                                            \
    X(tasks, "flops", "with --tasks")                                                                                  \
    X(flops_as, "flops", "with --as NAME")                                                                             \
    X(memory, "memory", NULL)                                                                                          \
    X(memory_as, "memory", "with --as NAME")                                                                           \
    X(ranks, "ranks", NULL)                                                                                            \
    X(derive, "derive", NULL)                                                                                          \
    X(comm, "derive", "of comm")                                                                                       \
    X(lines, "lines", NULL)                                                                                            \
    X(sweep, "sweep", NULL)                                                                                            \
    X(compare, "compare", NULL)                                                                                        \
    X(compare_params, "compare", "with --of params")                                                                   \
    X(compare_layouts, "compare", "of one model with --layout")                                                        \
    X(cross, "cross", NULL)                                                                                            \
    X(explain, "explain", NULL)                                                                                        \
    X(explain_bytes, "explain", "of saved and memory")                                                                 \
    X(fit, "fit", NULL)                                                                                                \
    X(step, "step", NULL)                                                                                              \
    X(train, "train", NULL)                                                                                            \
    X(identify, "identify", NULL)                                                                                      \
    X(verify, "verify", NULL)                                                                                          \
    X(check, "check", "of one text")                                                                                   \
    X(check_files, "check", "of several texts")                                                                        \
    X(report, "report", NULL)                                                                                          \
    X(models, "models", NULL)                                                                                          \
    X(keys, "models", "with --keys")                                                                                   \
    X(devices, "devices", NULL)                                                                                        \
    X(ops, "ops", NULL)

#define RK_ANSWER_DECLARE(NAME, ...) extern const rk_fields rk_answer_##NAME;
RK_ANSWERS(RK_ANSWER_DECLARE)
#undef RK_ANSWER_DECLARE

/* An option by which a command is asked: "--count", its words "matmul|all" or NULL, what it does. */
typedef struct rk_schema_option {
    const char *name, *argument, *values, *text;
    bool many; /* it may be given several times */
} rk_schema_option;

/*
 * The schema of the answers of a command, as JSON, with its options beside it; RK_EINPUT: it has none, and those that
 * have are named.
 */
int rk_report_schema(const char *command, const rk_schema_option *option, size_t n_option, rk_str *out, rk_err *err);

#endif
