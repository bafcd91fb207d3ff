/* SPDX-License-Identifier: MIT */
/* What `reckon train` prints: the operations of a training run, and how long it takes. */
#include "report/answers.h"
#include "report/plan.h"

#include "report/figure.h"
#include "report/memory_answer.h"
#include "report/step.h"
#include "report/view.h"

#define SECONDS_OF_HOUR 3600.0
#define JOULES_OF_MWH 3.6e9
#define WAITS 0.9995 /* a share of the rate below which it is said that ranks wait */

/* "1.034", and with more digits where it is small. */
static rk_cell ratio_cell(rk_view *v, rk_i128 a, rk_i128 b)
{
    double x = b > 0 ? (double)a / (double)b : 0;

    return b > 0 ? rk_cell_text(&v->page, x < 0.1 ? "%.3g" : "%.3f", x) : (rk_cell){0};
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static void put_flops(rk_view *v, rk_table *t, const char *name, rk_i128 n, rk_i128 reference)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    cell[0] = rk_cell_text(&v->page, "%s", name);
    cell[1] = rk_view_flops(v, n);
    cell[2] = rk_view_text(rk_view_scaled(v, n, rk_view_unit(v)));
    cell[3] = ratio_cell(v, n, reference);
}

static void put_operations(rk_view *v, const rk_training_run *r)
{
    static const rk_field column[] = {{.head = "", .key = "what"},
                                      {.head = "FLOPs", .key = "flops", .right = true},
                                      {.head = "", .right = true, .drop = 1},
                                      {.head = "ratio", .key = "ratio", .right = true, .drop = 2}};
    rk_table *t = rk_page_table(&v->page, column, 4);

    put_flops(v, t, "a step, forward and backward", r->step, 0);
    if (r->batch > 0)
        put_flops(v, t, r->step % r->batch ? "a token, rounded down" : "a token", r->step / r->batch, 0);
    put_flops(v, t, "the run", r->flops, r->flops);
    if (r->hardware > r->flops)
        put_flops(v, t, "with what is recomputed", r->hardware, r->flops);
    if (r->rule != 0) {
        put_flops(v, t, r->active != r->stored ? "6·N·D, N all parameters" : "6·N·D", r->rule, r->flops);
        if (r->active != r->stored)
            put_flops(v, t, "6·N·D, N those that a token uses", r->rule_active, r->flops);
    }
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

static void put_estimate(rk_view *v, rk_table *t, const char *name, double x, const char *unit)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&v->page, "%s", name);
    cell[1] = rk_cell_for_people(&v->page, rk_cell_real(x, RK_REAL_DIGITS), rk_view_tenths(v, x));
    cell[2] = rk_cell_text(&v->page, "%s", unit);
}

/* Whether a step is one that someone takes: B divides out of a run of so many tokens. */
static bool has_steps(const rk_view *v, const rk_train_asked *t)
{
    const rk_symbol *b = rk_model_size(v->model, RK_SIZE_BATCH);

    return t->request.steps > 0 || (b && b->set) || t->request.batches > 1;
}

/* ---- over devices ------------------------------------------------------------------------------------------------ */

static rk_i128 busiest_of(const rk_ranks *r)
{
    rk_i128 most = 0;

    for (size_t i = 0; i < r->n; i++)
        most = r->at[i].flops > most ? r->at[i].flops : most;
    return most;
}

/* What is left of the rate if all wait for the rank that has most to do, and in a pipeline for each other. */
static double bound_of(const rk_train_asked *t)
{
    const rk_ranks *r = t->ranks.ranks;

    return (double)t->run.step / ((double)t->request.devices * (double)busiest_of(r)) * rk_ranks_filled(&r->layout);
}

static void put_ranks(rk_view *v, rk_cell *in, rk_train_asked *t)
{
    const rk_ranks *r = t->ranks.ranks;
    rk_i128 even;

    if (!r)
        return;
    even = t->run.step / t->request.devices;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Over %s: %s; %s of B sequences in a step.",
                rk_view_counted(v, (size_t)t->request.devices, "device"), rk_view_mesh(v, &r->layout),
                t->request.batches == 1 ? "one batch"
                                        : rk_view_format(v, "%s batches", rk_view_grouped(v, t->request.batches)));
    rk_view_put_rank_kinds(v, in, &t->ranks);
    if (bound_of(t) > WAITS)
        return;
    rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                "The busiest rank has %s to do in a step, where an even share is %s%s: if all wait, at most %.4g%% of "
                "the rate is the model's.",
                rk_view_scaled(v, busiest_of(r), rk_view_unit(v)), rk_view_scaled(v, even, rk_view_unit(v)),
                rk_ranks_filled(&r->layout) < 1
                    ? rk_view_format(v, ", and the pipeline fills and drains (%.4g%% of a step)",
                                     100 * (1 - rk_ranks_filled(&r->layout)))
                    : "",
                100 * bound_of(t));
}

static void put_time(rk_view *v, const rk_train_asked *t)
{
    static const rk_field column[] = {
        {.head = "", .key = "estimate"}, {.head = "", .key = "value", .right = true}, {.head = "", .key = "unit"}};
    const rk_training_request *asked = &t->request;
    const char *what = t->device ? t->device->key : asked->devices > 1 ? "devices" : "device";
    const char *hint = t->mfu_given ? "" : "; nobody reaches all of it: --mfu 40%", *who, *rate;
    const rk_training_run *r = &t->run;
    rk_table *table;

    if (asked->rate == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Estimates:");
    /* "each of 512 h100-80gb", "one h100-80gb", "one device" */
    who = asked->devices > 1 ? rk_view_format(v, "each of %s %s", rk_view_grouped(v, asked->devices), what)
                             : rk_view_format(v, "one %s", what);
    rate = rk_view_scaled(v, asked->rate, "FLOP/s");
    if (t->device)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "If %s reaches %.4g%% of its %s peak of %s (dense, see 'reckon devices')%s.", who, 100 * t->run.mfu,
                    t->type, rate, hint);
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "If %s reaches %.4g%% of %s%s.", who, 100 * t->run.mfu, rate, hint);
    if (t->device && !t->type_given && asked->rate == t->device->rate[RK_RATE_FP32] &&
        t->device->rate[RK_RATE_BF16] > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "The type is fp32, as 'reckon memory' has it where neither --dtype nor the config says 16 bits: "
                    "--dtype bf16 would take %.4g days.",
                    r->seconds / RK_SECONDS_OF_DAY * (double)asked->rate / (double)t->device->rate[RK_RATE_BF16]);
    if (r->hardware > r->flops)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "That is MFU, of the model's FLOPs; with what is recomputed, devices reach %.4g%% (HFU).",
                    100 * r->hfu);
    table = rk_page_table(&v->page, column, 3);
    put_estimate(v, table, "time", r->seconds / RK_SECONDS_OF_DAY, "days");
    if (has_steps(v, t))
        put_estimate(v, table, "a step", r->seconds / (double)r->steps, "seconds");
    put_estimate(v, table, "device-hours", r->seconds * (double)t->request.devices / SECONDS_OF_HOUR, "hours");
    if (r->joules > 0)
        put_estimate(v, table, "energy of the devices", r->joules / JOULES_OF_MWH, "MWh");
    if (r->joules > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "Energy: if each device drew its rated %s W throughout; hosts, network and cooling are not in it.",
                    rk_view_grouped(v, t->request.power));
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

#define TIME_FIELDS(X)                                                                                                 \
    X(TIME_DEVICE, RK_KEY("device", TEXT, "its name, or null"))                                                        \
    X(TIME_DEVICES, RK_KEY("devices", COUNT, "how many"))                                                              \
    X(TIME_TYPE, RK_KEY("type", TEXT, "whose peak rate is taken, or null"))                                            \
    X(TIME_RATE, RK_KEY("rate", COUNT, "FLOPs in a second of one device at the peak"))                                 \
    X(TIME_MFU, RK_KEY("mfu", REAL, "the share of the rate that is reached"))                                          \
    X(TIME_HFU, RK_KEY("hfu", REAL, "the same with what is recomputed, with --recompute"))                             \
    X(TIME_SECONDS, RK_KEY("seconds", REAL, "of the run"))                                                             \
    X(TIME_DAYS, RK_KEY("days", REAL, "the same in days"))                                                             \
    X(TIME_HOURS, RK_KEY("device_hours", REAL, "of all devices together"))                                             \
    X(TIME_ENERGY, RK_KEY("energy_mwh", REAL, "of the devices at their rated power"))                                  \
    X(TIME_ESTIMATE, RK_KEY("estimate", TRUTH, "true: time is no count"))
RK_FIELD_TABLE(time_field, N_TIME, TIME_FIELDS);
static const rk_fields time_fields = {time_field, N_TIME};

static const rk_field rule_field[] = {
    RK_KEY("parameters", COUNT, "N, all of them"),
    RK_KEY("flops", COUNT, "6·N·D"),
    RK_KEY("active_parameters", COUNT, "N, those that a token uses"),
    RK_KEY("active_flops", COUNT, "6·N·D with these"),
    RK_KEY("ratio", REAL, "the rule over what is counted"),
};
static const rk_fields rule_fields = {rule_field, 5};

#define TRAIN_FIELDS(X)                                                                                                \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts"))                                        \
    X(TOKENS, RK_KEY("tokens", COUNT, "of the run"))                                                                   \
    X(STEPS, RK_KEY("steps", COUNT, "of the optimizer"))                                                               \
    X(BATCH, RK_KEY("tokens_per_step", COUNT, "of one step"))                                                          \
    X(STEP, RK_KEY("step_flops", COUNT, "FLOPs of one step, forward and backward"))                                    \
    X(FLOPS, RK_KEY("flops", COUNT, "FLOPs of the run"))                                                               \
    X(HARDWARE, RK_KEY("hardware_flops", COUNT, "with what is recomputed, with --recompute"))                          \
    X(ATTENTION, RK_KEY("attention_step_flops", COUNT, "products of two activations in a step"))                       \
    X(RULE, RK_OBJECT("6nd", rule_fields, "what the rule 6·N·D says"))                                                 \
    X(TIME, RK_OBJECT("time", time_fields, "how long it takes"))                                                       \
    X(LAYOUT, RK_OBJECT("layout", rk_layout_fields, "over devices, where --layout says one"))                          \
    X(BATCHES, RK_KEY("batches_per_step", COUNT, "of B sequences, over all devices"))                                  \
    X(BOUND, RK_KEY("mfu_at_most", REAL, "if all wait for the rank with most to do, and for a pipeline to fill"))      \
    X(RANKS, RK_LIST("ranks", rk_rank_kind_fields, "each kind of rank"))
RK_ANSWER_TABLE(train_field, N_TRAIN, TRAIN_FIELDS);
const rk_fields rk_answer_train = {train_field, N_TRAIN};

static void time_in(rk_view *v, rk_cell *in, const rk_train_asked *t)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &time_fields);
    double seconds = t->run.seconds;

    cell[TIME_DEVICE] = rk_cell_known(t->device ? t->device->key : NULL);
    cell[TIME_DEVICES] = rk_cell_count(t->request.devices);
    cell[TIME_TYPE] = rk_cell_known(t->type);
    cell[TIME_RATE] = rk_cell_count(t->request.rate);
    cell[TIME_MFU] = rk_cell_real(t->run.mfu, RK_REAL_DIGITS);
    if (t->run.hardware > t->run.flops)
        cell[TIME_HFU] = rk_cell_real(t->run.hfu, RK_REAL_DIGITS);
    cell[TIME_SECONDS] = rk_cell_real(seconds, RK_REAL_DIGITS);
    cell[TIME_DAYS] = rk_cell_real(seconds / RK_SECONDS_OF_DAY, RK_REAL_DIGITS);
    cell[TIME_HOURS] = rk_cell_real(seconds * (double)t->request.devices / SECONDS_OF_HOUR, RK_REAL_DIGITS);
    if (t->run.joules > 0)
        cell[TIME_ENERGY] = rk_cell_real(t->run.joules / JOULES_OF_MWH, RK_REAL_DIGITS);
    cell[TIME_ESTIMATE] = rk_cell_truth(true);
}

static void put_answer(rk_view *v, rk_cell *answer, const rk_train_asked *t)
{
    const rk_training_run *r = &t->run;
    rk_cell *rule;

    rk_view_symbols(v, &answer[SYMBOLS]);
    rk_view_convention(v, &answer[CONVENTION]);
    answer[TOKENS] = rk_cell_count(r->tokens);
    answer[STEPS] = rk_cell_count(r->steps);
    answer[BATCH] = rk_cell_count(r->batch);
    answer[STEP] = rk_cell_count(r->step);
    answer[FLOPS] = rk_cell_count(r->flops);
    if (r->hardware > r->flops)
        answer[HARDWARE] = rk_cell_count(r->hardware);
    answer[ATTENTION] = rk_cell_count(r->attention);
    if (r->rule != 0) {
        rule = rk_cell_object(&v->page, &answer[RULE], &rule_fields);
        rule[0] = rk_cell_count(r->stored);
        rule[1] = rk_cell_count(r->rule);
        rule[2] = rk_cell_count(r->active);
        rule[3] = rk_cell_count(r->rule_active);
        rule[4] = rk_cell_real((double)r->rule / (double)(r->flops ? r->flops : 1), RK_REAL_DIGITS);
    }
    if (t->request.rate != 0)
        time_in(v, &answer[TIME], t);
    if (t->ranks.ranks) {
        rk_view_layout(v, &answer[LAYOUT], &t->ranks.ranks->layout);
        answer[BATCHES] = rk_cell_count(t->request.batches);
        answer[BOUND] = rk_cell_real(bound_of(t), RK_REAL_DIGITS);
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void fill(rk_view *v, rk_train_asked *t)
{
    const rk_training_run *r = &t->run;
    rk_cell *answer = rk_view_answer(v, &rk_answer_train);

    put_answer(v, answer, t);
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: a training run", v->model->name);
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_convention(v);
    if (!has_steps(v, t))
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s tokens (%s) in sequences of %s; B divides out.",
                    rk_view_grouped(v, r->tokens), rk_view_words(v, r->tokens), rk_view_grouped(v, r->batch));
    else if (r->tokens > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s tokens (%s) in %s steps of %s.", rk_view_grouped(v, r->tokens),
                    rk_view_words(v, r->tokens), rk_view_grouped(v, r->steps), rk_view_grouped(v, r->batch));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s steps.", rk_view_grouped(v, r->steps));
    if (rk_model_size(v->model, RK_SIZE_TARGETS) && r->tokens > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "Tokens are counted by S; those of the targets, U, come beside them.");
    rk_page_gap(&v->page);
    put_operations(v, r);
    /* Why the rule says something else. */
    if (r->rule != 0) {
        rk_str share = {0};

        rk_str_share(&share, r->attention, r->step);
        rk_page_put(
            &v->page, RK_ITEM_NOTE, 0,
            "6·N·D takes N = %s parameters%s, also those that are looked up or added and never multiplied, each once "
            "forward and twice backward; products of two activations (attention: %s of the run) are not in it.",
            rk_view_grouped(v, r->active != r->stored ? r->active : r->stored),
            r->active != r->stored ? " that a token uses" : "", rk_view_keep(v, &share));
        if (v->ledger->trained != v->ledger->stored)
            rk_page_put(&v->page, RK_ITEM_NOTE, 0, "Trained are %s of them: the others need no gradient of their own.",
                        rk_view_grouped(v, rk_view_value(v, v->ledger->trained)));
    }
    put_ranks(v, &answer[RANKS], t);
    put_time(v, t);
}

int rk_report_train(const rk_report *r, const rk_ledger *l, rk_train_asked *t, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    fill(&v, t);
    return rk_view_end(&v);
}
