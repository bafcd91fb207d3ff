/* SPDX-License-Identifier: MIT */
/* What `reckon train` prints: the operations of a training run, and how long it takes. */
#include "report/plan.h"

#include "report/figure.h"
#include "report/step.h"
#include "report/view.h"

#define SECONDS_OF_HOUR 3600.0
#define JOULES_OF_MWH 3.6e9

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
    cell[1] = rk_cell_count(n);
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
    if (v->report->format == RK_FORMAT_CSV)
        cell[1] = rk_cell_text(&v->page, "%.10g", x);
    else
        cell[1] = rk_cell_text(&v->page, "%s", rk_view_tenths(v, x));
    cell[2] = rk_cell_text(&v->page, "%s", unit);
}

/* Whether a step is one that someone takes: B divides out of a run of so many tokens. */
static bool has_steps(const rk_view *v, const rk_train_asked *t)
{
    const rk_symbol *b = rk_model_size(v->model, RK_SIZE_BATCH);

    return t->request.steps > 0 || (b && b->set);
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
                    "If %s reaches %.4g %% of its %s peak of %s (dense, see 'reckon devices')%s.", who,
                    100 * asked->mfu, t->type, rate, hint);
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "If %s reaches %.4g %% of %s%s.", who, 100 * asked->mfu, rate, hint);
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

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void fill_page(rk_view *v, const rk_train_asked *t)
{
    const rk_training_run *r = &t->run;

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
    put_time(v, t);
}

static void json_estimate(rk_view *v, const rk_train_asked *t)
{
    const rk_training_run *r = &t->run;
    rk_json *j = &v->json;

    if (t->request.rate == 0)
        return;
    rk_json_open(j, "time", '{');
    rk_json_text(j, "device", t->device ? t->device->key : NULL);
    rk_json_count(j, "devices", t->request.devices);
    rk_json_text(j, "type", t->type);
    rk_json_count(j, "rate", t->request.rate);
    rk_view_json_real(v, "mfu", t->request.mfu);
    rk_view_json_real(v, "seconds", r->seconds);
    rk_view_json_real(v, "days", r->seconds / RK_SECONDS_OF_DAY);
    rk_view_json_real(v, "device_hours", r->seconds * (double)t->request.devices / SECONDS_OF_HOUR);
    if (r->joules > 0)
        rk_view_json_real(v, "energy_mwh", r->joules / JOULES_OF_MWH);
    rk_json_truth(j, "estimate", true);
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_train_asked *t)
{
    const rk_training_run *r = &t->run;
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", v->model->name);
    rk_view_json_symbols(v);
    rk_view_json_convention(v);
    rk_json_count(j, "tokens", r->tokens);
    rk_json_count(j, "steps", r->steps);
    rk_json_count(j, "tokens_per_step", r->batch);
    rk_json_count(j, "step_flops", r->step);
    rk_json_count(j, "flops", r->flops);
    rk_json_count(j, "attention_step_flops", r->attention);
    if (r->rule != 0) {
        rk_json_row(&v->json, "6nd");
        rk_json_count(&v->json, "parameters", r->stored);
        rk_json_count(&v->json, "flops", r->rule);
        rk_json_count(&v->json, "active_parameters", r->active);
        rk_json_count(&v->json, "active_flops", r->rule_active);
        rk_view_json_real(v, "ratio", (double)r->rule / (double)(r->flops ? r->flops : 1));
        rk_json_close(&v->json);
    }
    json_estimate(v, t);
    rk_json_close(j);
}

int rk_report_train(const rk_report *r, const rk_ledger *l, const rk_train_asked *t, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, t);
    else
        fill_page(&v, t);
    return rk_view_end(&v);
}
