/* SPDX-License-Identifier: MIT */
/* reckon compare: models side by side. */
#include "report/compare.h"
#include "report/ranks.h"

#include "command/commands.h"
#include "command/run.h"
#include "plan/tokens.h"

#include <string.h>

#define BY_WORDS "component|part|operation|nothing"

static const rk_cmd_option option[] = {
    {"--of", "QUANTITY", NULL, "one or several, with commas between; params alone: what differs, tensor by tensor"},
    {"--by", "WHAT", BY_WORDS, "divide the quantity: by parts of layers, parts of the models, operations"},
    {"--all", NULL, NULL, "with --of params: tensors that are equal, too"},
    RK_CMD_COUNTING_PLAIN,
    RK_CMD_RUN,
    RK_LAYOUT_OPTIONS(RK_CMD_LAYOUT_ROW) RK_CMD_ADAPT,
    RK_CMD_ADAPT_TYPE,
    RK_CMD_OUTPUT(RK_FORMAT_WORDS),
};

/* What the line asks for. */
typedef struct asked {
    rk_measure *measure;
    size_t n_measure;
    bool ledgers;   /* tensor by tensor */
    bool whole;     /* the page of all that models are compared by */
    size_t divided; /* the quantity that is divided */
    rk_by by;
    rk_gauge_source *source;
    size_t n_model;
} asked;

/* Where no quantity is asked for: those of the page, in the order that it knows them in. */
#define WHOLE_PAGE "params,params.active,flops"

static int read_quantities(const rk_cmd_line *line, rk_cmd_output *out, asked *q, rk_err *err)
{
    static const rk_by by[] = {RK_BY_COMPONENT, RK_BY_PART, RK_BY_OPERATION, RK_BY_NOTHING}; /* of BY_WORDS */
    const char *of = rk_cmd_value(line, "--of");
    int code = rk_measures_parse(&out->arena, of ? of : WHOLE_PAGE, &q->measure, &q->n_measure, err);

    q->whole = !of;
    q->ledgers = of && strcmp(of, "params") == 0 && !rk_cmd_value(line, "--by");
    q->divided = of ? 0 : 2;
    q->by = of && !rk_cmd_value(line, "--by") ? RK_BY_NOTHING : by[rk_cmd_choice(line, "--by")];
    if (code == RK_OK && of && q->by != RK_BY_NOTHING && q->n_measure > 1)
        code = rk_fail(err, RK_EUSAGE, "--by divides one quantity, and --of has %zu", q->n_measure);
    if (code == RK_OK && rk_cmd_value(line, "--all") && !q->ledgers)
        code = rk_fail(err, RK_EUSAGE, "--all lists tensors: it goes with --of params");
    return code;
}

static int read_models(const rk_cmd_line *line, rk_cmd_output *out, asked *q, rk_err *err)
{
    int code = RK_OK;

    q->n_model = line->n_word;
    if (q->n_model < 2)
        return rk_fail(err, RK_EUSAGE, "two models or more are compared, as in 'reckon compare gpt2 gpt2-xl'");
    if (q->n_model > RK_COMPARE_MODELS_MAX)
        return rk_fail(err, RK_ELIMIT, "%zu models are more than can be compared: %d are the most", q->n_model,
                       RK_COMPARE_MODELS_MAX);
    q->source = RK_NEW_ARRAY(&out->arena, q->n_model, rk_gauge_source);
    if (!q->source)
        return rk_fail_memory(err);
    for (size_t i = 0; i < q->n_model && code == RK_OK; i++)
        code = rk_cmd_gauge_source(line, &line->word[i], 1, NULL, 0, out, &q->source[i], err);
    return code;
}

/* The number of a length of a model, or 0: it has none. */
static rk_i128 length_of(const rk_compared *m, const char *name)
{
    const rk_symbol *s = rk_model_symbol(m->ledger->model, name);
    rk_i128 n = 0;

    if (!s || rk_ex_eval(m->ledger->pool, rk_ex_sym(m->ledger->pool, s->sym), &m->ledger->instance->at, &n, NULL))
        return 0;
    return n;
}

/*
 * Models are compared at one length: where nobody says it, the least that they have by themselves.  Those with a longer
 * one are opened again; one that cannot be that short (an image stands in its tokens) leaves all as they are.
 */
static int level(const rk_cmd_line *line, rk_cmd_output *out, asked *q, rk_comparison *c, rk_err *err)
{
    const char *name = rk_cmd_choice(line, "--phase") == RK_PHASE_DECODE ? RK_NAME_KEYS : RK_NAME_TOKENS;
    rk_setting *set = RK_NEW_ARRAY(&out->arena, line->n_setting + 1, rk_setting);
    rk_gauge_source *source = RK_NEW_ARRAY(&out->arena, q->n_model, rk_gauge_source);
    rk_cmd_line levelled = *line;
    rk_comparison again = {0};
    rk_i128 least = 0, most = 0;
    int code = RK_OK;

    if (!set || !source)
        return rk_fail_memory(err);
    for (size_t i = 0; i < q->n_model; i++) {
        rk_i128 n = length_of(&c->model[i], name);

        if (strcmp(line->word[i], "-") == 0) /* it is read once */
            return RK_OK;
        least = n > 0 && (least == 0 || n < least) ? n : least;
        most = n > most ? n : most;
    }
    if (least == most || rk_cmd_setting(line, name))
        return RK_OK;
    memcpy(set, line->setting, line->n_setting * sizeof *set);
    set[levelled.n_setting++] = (rk_setting){.name = name, .value = least};
    levelled.setting = set;
    for (size_t i = 0; i < q->n_model && code == RK_OK; i++) {
        source[i] = q->source[i];
        if (length_of(&c->model[i], name) > least)
            code = rk_cmd_gauge_source(&levelled, &line->word[i], 1, NULL, 0, out, &source[i], NULL);
    }
    if (code == RK_OK)
        code = rk_compare_new(&out->arena, source, q->n_model, q->measure, q->n_measure, &again, NULL);
    if (code == RK_ENOMEM)
        return rk_fail_memory(err);
    if (code != RK_OK) {
        rk_compare_free(&again);
        return RK_OK;
    }
    rk_compare_free(c);
    *c = again;
    c->levelled = name;
    return RK_OK;
}

/* What differs between the ledgers of the models that were opened. */
static int differ(const rk_cmd_line *line, rk_cmd_output *out, const rk_comparison *c, rk_err *err)
{
    const rk_ledger *ledger[RK_COMPARE_MODELS_MAX];
    rk_differ d;
    int code;

    for (size_t i = 0; i < c->n_model; i++)
        ledger[i] = c->model[i].ledger;
    code = rk_differ_new(&out->arena, ledger, c->n_model, &d, err);
    return code == RK_OK ? rk_report_differ(&out->report, &d, rk_cmd_value(line, "--all") != NULL, err) : code;
}

#define LAYOUTS_MAX 16

/* One model over devices, in several ways: --layout A --layout B. */
static int compare_layouts(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_open_request request = rk_cmd_request(line, out);
    char *at = rk_arena_text(&out->arena, rk_cmd_value(line, "--layout"));
    const char *layout[LAYOUTS_MAX];
    rk_ranks ranks[LAYOUTS_MAX] = {0};
    rk_run_request step;
    size_t n = 0;
    int code = at ? rk_tokens_keep_input(&out->arena, &request, err) : rk_fail_memory(err);

    if (code == RK_OK)
        code = rk_cmd_run_request(line, &request, &step, err);
    while (at && code == RK_OK) {
        char *next = strchr(at, ';');

        if (n == LAYOUTS_MAX) {
            code = rk_fail(err, RK_ELIMIT, "more layouts than can be compared: %d are the most", LAYOUTS_MAX);
            break;
        }
        if (next)
            *next++ = '\0';
        step.layout.said[RK_LAYOUT_LINE] = layout[n] = at;
        code = rk_ranks_find(&out->arena, &step, false, &ranks[n++], err);
        at = next;
    }
    if (code == RK_OK)
        code = rk_report_layouts(&out->report, ranks[0].at[0].run.ledger, ranks, layout, n, err);
    for (size_t i = 0; i < n; i++)
        rk_ranks_free(&ranks[i]);
    return code;
}

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    rk_comparison c = {0};
    asked q = {0};
    int code;

    if (rk_cmd_value(line, "--layout") && line->n_word == 1)
        return compare_layouts(line, out, err);
    code = read_quantities(line, out, &q, err);

    if (code == RK_OK)
        code = read_models(line, out, &q, err);
    if (code == RK_OK)
        code = rk_compare_new(&out->arena, q.source, q.n_model, q.measure, q.n_measure, &c, err);
    if (code == RK_OK && !q.ledgers)
        code = level(line, out, &q, &c, err);
    if (code == RK_OK && q.by != RK_BY_NOTHING)
        code = rk_compare_divide(&out->arena, &c, q.divided, q.by, err);
    if (code == RK_OK)
        code = q.ledgers ? differ(line, out, &c, err) : rk_report_compare(&out->report, &c, q.whole, err);
    rk_compare_free(&c);
    return code;
}

const rk_cmd_command rk_command_compare = {
    .name = "compare",
    .words = "MODEL MODEL … [SYMBOL=VALUE …]",
    .text = "models side by side: sizes, quantities, shares, how they scale, what differs",
    .more = "Each word is one model; with --layout, given once or several times, one model in several layouts.\n"
            "\n" RK_CMD_QUANTITIES "\n"
            "\n" RK_CMD_ABOUT_MODEL,
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .many = "--layout",
    .example =
        {
            {"reckon compare cs336-small cs336-medium cs336-large cs336-xl", "how shares move from small to XL"},
            {"reckon compare llama-2-7b llama-3.1-8b --of params", "what differs, tensor by tensor"},
            {"reckon compare llama-3.1-8b --layout fsdp=8 --layout tp=8,sp --layout ddp=8,zero1",
             "one model over devices, in several ways"},
        },
    .run = run,
};
