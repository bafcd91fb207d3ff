/* SPDX-License-Identifier: MIT */
/* What `reckon report` prints: everything about a model, section by section. */
#include "report/dossier.h"

#include "account/count.h"
#include "report/answers.h"
#include "report/conventions.h"
#include "report/memory_answer.h"
#include "report/shape.h"

/* ---- shared by the sections ------------------------------------------------------------------------------------- */

/* Two openings have two pools, but one text for a formula. */
rk_ex rk_dossier_import(rk_view *v, const rk_instance *from, rk_ex e)
{
    rk_str text = {0};
    rk_ex here = RK_EX_FAILED;

    if (e != RK_EX_FAILED)
        rk_ex_print(from->pool, rk_ex_simplify(from->pool, e), RK_PRINT_TEXT, &text);
    if (text.n > 0 && !text.failed && rk_ex_parse(v->pool, rk_str_text(&text), &here, NULL) != RK_OK)
        here = RK_EX_FAILED;
    rk_str_free(&text);
    return here;
}

rk_i128 rk_dossier_value(rk_view *v, const rk_instance *from, rk_ex e)
{
    return rk_instance_value(from, e, &v->code, v->err);
}

bool rk_dossier_grows(rk_view *v, const rk_memory *m)
{
    return m->carried.n > 0 && rk_dossier_value(v, m->instance, m->carried.per_token) > 0;
}

static void put_heading(rk_view *v, const char *text)
{
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", text);
}

/* ---- what it is ------------------------------------------------------------------------------------------------- */

static void put_identity(rk_view *v, const rk_dossier *d)
{
    const rk_model *m = v->model;
    rk_str text = {0}, shape = {0};
    bool has_context = rk_shape_put(v->instance, v->ledger->stored, &shape);
    const rk_ledger *l = v->ledger;

    rk_str_format(&text, "%s is read as a model of the family %s", m->name, m->family);
    if (m->text && m->text[0])
        rk_str_format(&text, ": %s", m->text);
    rk_str_putc(&text, '.');
    if (shape.n > 0)
        rk_str_format(&text, " Its shape: %s.", rk_str_text(&shape));
    rk_str_format(&text, " It has %s parameters", rk_view_grouped(v, rk_view_value(v, l->stored)));
    if (l->active != l->stored)
        rk_str_format(&text, ", of which one token uses %s", rk_view_grouped(v, rk_view_value(v, l->active)));
    rk_str_putc(&text, '.');
    if (d->context > 0 && !has_context) /* positions that were learned are in the shape */
        rk_str_format(&text, " Its context is %s tokens.", rk_view_grouped(v, d->context));
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", rk_view_keep(v, &text));
    v->page.failed |= shape.failed;
    rk_str_free(&shape);
    rk_view_put_like(v);
    rk_view_put_run(v);
}

static void put_figure(rk_view *v, rk_table *t, const char *name, rk_i128 n, const char *rounded)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&v->page, "%s", name);
    cell[1] = rk_cell_count(n);
    cell[2] = rk_view_text(rounded);
}

static void put_flops(rk_view *v, rk_table *t, const char *name, rk_ex e)
{
    rk_i128 n = rk_view_value(v, e);

    put_figure(v, t, name, n, rk_view_scaled(v, n, rk_view_unit(v)));
}

static void put_bytes(rk_view *v, rk_table *t, const char *name, rk_i128 n)
{
    put_figure(v, t, name, n, rk_view_scaled(v, n, "B"));
}

/* The figures that people ask for first. */
static void put_glance(rk_view *v, const rk_dossier *d)
{
    static const rk_field column[] = {
        {.head = ""}, {.head = "exactly", .right = true}, {.head = "about", .right = true}};
    const rk_ledger *l = v->ledger;
    rk_table *t;

    put_heading(v, "At a glance");
    t = rk_page_table(&v->page, column, 3);
    put_figure(v, t, "parameters", rk_view_value(v, l->stored), rk_view_letters(v, rk_view_value(v, l->stored)));
    if (l->active != l->stored)
        put_figure(v, t, "active per token", rk_view_value(v, l->active),
                   rk_view_letters(v, rk_view_value(v, l->active)));
    put_flops(v, t, "forward pass", l->forward);
    put_flops(v, t, "backward pass", l->backward);
    put_flops(v, t, "both", rk_ex_add(v->pool, l->forward, l->backward));
    for (size_t i = 0; i < RK_DOSSIER_VARIANTS; i++)
        if (d->variant[i].memory)
            put_bytes(v, t, rk_arena_format(&v->arena, "peak of a training step, %s", d->variant[i].title),
                      d->variant[i].memory->peak);
    if (d->decode && rk_dossier_grows(v, d->decode))
        put_bytes(v, t, "cache of one more token",
                  rk_dossier_value(v, d->decode->instance, d->decode->carried.per_token));
}

/* ---- how it was made -------------------------------------------------------------------------------------------- */

static void put_assumptions(rk_view *v, const rk_dossier *d)
{
    put_heading(v, "Assumptions");
    rk_view_put_convention(v);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                "Memory is what PyTorch's allocator hands out when the reference implementation runs on one device, "
                "walked operation by operation. It leaves out the driver, other programs, and what an allocator loses "
                "between its blocks.");
    rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                "A device has the bytes that programs see of it, less those that a context takes (figures of %s; "
                "'reckon devices' has them).",
                RK_DEVICES_DATE);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                "All counts are exact under these conventions; rounded figures stand beside them. Nothing on this page "
                "was measured. Tokens in a second are an estimate: a bound from the bandwidth of a device's memory "
                "alone, for the batch of this page, where that fits.");
    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "Made by reckon %s.", d->version);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static const rk_field command_field[] = {
    RK_COLUMN("", "command", CODE, "as it is typed"),
    RK_COLUMN("", "text", TEXT, "what it prints", .wraps = true, .drop = 1),
};
static const rk_fields command_fields = {command_field, 2};
static const rk_fields parameters_fields = {rk_parameters_field, 3}; /* what is trained is for params to say */

#define ANSWER_FIELDS(X)                                                                                               \
    X(FAMILY, RK_KEY("family", TEXT, "whose equations they are"))                                                      \
    X(TEXT, RK_KEY("text", TEXT, "what the model file says that it is"))                                               \
    X(CONTEXT, RK_KEY("context", COUNT, "tokens of a sequence at most; null: nothing bounds it"))                      \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts"))                                        \
    X(PARAMETERS, RK_OBJECT("parameters", parameters_fields, "how many"))                                              \
    X(FORWARD, RK_OBJECT("forward", rk_total_fields, "FLOPs, forward"))                                                \
    X(BACKWARD, RK_OBJECT("backward", rk_total_fields, "FLOPs, backward"))                                             \
    X(PARAMS_BY_PART, RK_LIST("params_by_part", rk_dossier_part_fields[0], "rows that add up to all of them"))         \
    X(FLOPS_BY_PART, RK_LIST("flops_by_part", rk_dossier_part_fields[1], "rows that add up to all of them"))           \
    X(GROWTH,                                                                                                          \
      RK_LIST("growth", rk_dossier_growth_fields, "FLOPs of a forward pass as sequences grow; empty: they do not"))    \
    X(BYTES, RK_OBJECT("bytes", rk_load_fields, "of the weights in memory"))                                           \
    X(CHECKPOINT, RK_OBJECT("checkpoint", rk_checkpoint_fields, "how the config says it is stored"))                   \
    X(STORE, RK_OBJECT("file", rk_store_fields, "the checkpoint that was named"))                                      \
    X(TRAINING, RK_LIST("training", rk_dossier_training_fields, "the memory of a step, in variants"))                  \
    X(SERVING, RK_OBJECT("serving", rk_dossier_serving_fields, "the memory of decoding"))                              \
    X(DEVICES, RK_LIST("devices", rk_dossier_device_fields, "on which the largest batch was looked for"))              \
    X(BATCHES, RK_LIST("batches", rk_dossier_batch_fields, "the largest on each"))                                     \
    X(LAYOUT, RK_OBJECT("layout", rk_layout_fields, "over devices, where --layout says one"))                          \
    X(RANKS, RK_LIST("ranks", rk_rank_kind_fields, "of it: each kind of rank"))                                        \
    X(CONVENTIONS, RK_LIST("conventions", rk_flops_as_fields, "as others count it"))                                   \
    X(COMMANDS, RK_LIST("commands", command_fields, "that print all this again"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_report = {answer_field, N_ANSWER};

/* What the answer has before its lists. */
static void fill_figures(rk_view *v, const rk_dossier *d, rk_cell *answer)
{
    rk_cell *cell = rk_cell_object(&v->page, &answer[PARAMETERS], &parameters_fields);
    const rk_ledger *l = v->ledger;

    answer[FAMILY] = rk_cell_known(v->model->family);
    answer[TEXT] = rk_cell_known(v->model->text);
    answer[CONTEXT] = rk_cell_count_if(d->context > 0, d->context);
    rk_view_symbols(v, &answer[SYMBOLS]);
    rk_view_convention(v, &answer[CONVENTION]);
    cell[0] = rk_view_number(v, l->stored);
    cell[1] = rk_view_number(v, l->named);
    cell[2] = rk_view_number(v, l->active);
    rk_view_sum(v, &answer[FORWARD], l->forward);
    rk_view_sum(v, &answer[BACKWARD], l->backward);
    rk_view_load(v, &answer[BYTES]);
    rk_view_checkpoint(v, &answer[CHECKPOINT]);
}

int rk_report_dossier(const rk_report *r, const rk_ledger *l, const rk_dossier *d, rk_err *err)
{
    rk_view v;
    rk_rollup weights = {0}, ops = {0};
    rk_store_words store;
    rk_cell *answer;
    rk_table *t;

    rk_view_begin(&v, r, l, err);
    v.page.whole = true;
    v.code = rk_rollup_weights(&v.arena, l, &weights, err);
    if (v.code == RK_OK)
        v.code = rk_rollup_ops(&v.arena, l, &ops, err);
    if (v.code != RK_OK)
        return rk_view_end(&v);
    answer = rk_view_answer(&v, &rk_answer_report);
    fill_figures(&v, d, answer);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "%s: %s parameters", v.model->name,
                rk_view_words(&v, rk_view_value(&v, l->stored)));
    put_identity(&v, d);
    put_glance(&v, d);
    rk_page_gap(&v.page);
    rk_page_only(&v.page, RK_FOR_PICTURES);
    rk_page_put(&v.page, RK_ITEM_HEADING, 0, "Where it all goes");
    rk_page_only(&v.page, RK_FOR_PICTURES);
    rk_dossier_put_pictures(&v, d, &weights, &ops);
    put_heading(&v, "Closed forms");
    rk_dossier_put_forms(&v, d);
    rk_dossier_put_parts(&v, &weights, &ops, &answer[PARAMS_BY_PART]);
    put_heading(&v, "As sequences grow");
    rk_dossier_put_growth(&v, d);
    rk_dossier_growth(&v, d, &answer[GROWTH]);
    put_heading(&v, "Memory to load it");
    rk_view_put_load(&v);
    store = rk_view_store(&v, &answer[STORE]);
    rk_view_put_store_words(&v, &store);
    if (!store.line)
        rk_view_put_packing(&v);
    put_heading(&v, "Memory to train it");
    rk_dossier_put_training(&v, d);
    rk_dossier_training(&v, d, &answer[TRAINING]);
    put_heading(&v, "Memory to serve it");
    rk_dossier_put_serving(&v, d);
    rk_dossier_serving(&v, d, &answer[SERVING]);
    put_heading(&v, "The largest batch on a device");
    rk_dossier_put_batches(&v, d);
    rk_dossier_devices(&v, d, &answer[DEVICES], &answer[BATCHES]);
    if (d->ranks || d->not_laid) {
        put_heading(&v, "Over devices");
        rk_dossier_put_ranks(&v, d, &answer[LAYOUT], &answer[RANKS]);
    }
    put_heading(&v, "As others count it");
    rk_view_put_conventions(&v, &answer[CONVENTIONS], d->conventions);
    put_assumptions(&v, d);
    put_heading(&v, "To see it again");
    t = rk_cell_list(&v.page, &answer[COMMANDS], &command_fields);
    rk_page_show(&v.page, t);
    for (size_t i = 0; i < d->n_command; i++) {
        rk_cell *cell = rk_page_row(&v.page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(d->command[i].line);
        cell[1] = rk_cell_text(&v.page, "%s", d->command[i].text);
    }
    return rk_view_end(&v);
}
