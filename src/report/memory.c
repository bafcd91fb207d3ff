/* SPDX-License-Identifier: MIT */
/* What `reckon memory` prints: what a step occupies, what is saved for backward, and who is alive at the peak. */
#include "report/answers.h"
#include "report/view.h"

#include "ask/held.h"
#include "report/assumptions.h"
#include "report/memory_answer.h"
#include "report/memory_peak.h"
#include "report/savings.h"
#include "report/serving.h"
#include "report/train.h"

static const rk_field first_step_field[] = {
    RK_KEY("forward", COUNT, "the most alive in the forward pass of the first step"),
    RK_KEY("backward", COUNT, "in its backward pass"),
    RK_KEY("optimizer", COUNT, "while the optimizer makes its state"),
};
static const rk_fields first_step_fields = {first_step_field, 3};

static const rk_field allocator_field[] = {
    RK_KEY("requested", COUNT, "bytes that tensors ask for, at the most"),
    RK_KEY("allocated", COUNT, "bytes of the blocks that they get"),
    RK_KEY("reserved", COUNT, "bytes of the segments taken from the device, an estimate"),
    RK_OBJECT("first_step", first_step_fields, "allocated in the first step"),
};
static const rk_fields allocator_fields = {allocator_field, 4};

static const rk_field host_field[] = {
    RK_KEY("optimizer", COUNT, "bytes of its state that the host holds"),
    RK_KEY("gradients", COUNT, "of gradients of weights"),
    RK_KEY("weights", COUNT, "of weights, in pieces"),
    RK_KEY("activations", COUNT, "of what layers have saved for backward"),
    RK_KEY("total", COUNT, "all together"),
    RK_KEY("to_host", COUNT, "bytes that go from the device to the host in a step"),
    RK_KEY("from_host", COUNT, "and back"),
};
static const rk_fields host_fields = {host_field, 7};

static const rk_field buffer_field[RK_N_BUFFER] = {RK_BUFFER_ROW(RK_FIELD_AT)};
const rk_fields rk_buffer_fields = {buffer_field, RK_N_BUFFER};

static const rk_field peak_part_field[] = {
    RK_COLUMN("", "kind", TEXT, "weights, optimizer, gradients, kept (saved for backward), …"),
    RK_COLUMN("bytes", "bytes", COUNT, "alive at the peak", .right = true, .unit = "B"),
    {.head = "", .right = true, .drop = 2},
    RK_COLUMN("share", "share", SHARE, "of the peak", .right = true, .drop = 1),
    {.head = "", .drop = 3},
};
static const rk_fields peak_part_fields = {peak_part_field, 5};

static const rk_field answer_field[RK_N_MEMORY] = {RK_FIELDS_OF_MODEL, RK_MEMORY_ANSWER(RK_FIELD_AT)};
const rk_fields rk_answer_memory = {answer_field, RK_N_MEMORY};

static void put_part(rk_view *v, rk_table *t, int indent, const char *name, rk_i128 bytes, rk_ex formula)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, indent);

    cell[0] = rk_cell_text(&v->page, "%s", name);
    cell[1] = rk_cell_count(bytes);
    cell[2] = rk_view_text(rk_view_scaled(v, bytes, "B"));
    if (formula != RK_EX_FAILED && !rk_ex_is_int(v->pool, formula, &(rk_i128){0}))
        cell[3] = rk_view_short_formula(v, formula, RK_VIEW_TERMS_IN_TABLE);
}

static void put_parts(rk_view *v, const rk_memory *m)
{
    static const rk_field column[] = {{.head = "", .key = "part"},
                                      {.head = "bytes", .key = "bytes", .right = true, .unit = "B"},
                                      {.head = "", .right = true, .drop = 2},
                                      {.head = "formula", .key = "formula", .wraps = true, .drop = 1}};
    rk_table *t = rk_page_table(&v->page, column, 4);

    put_part(v, t, 0, "weights", m->parameters, m->parameters_formula);
    if (m->options.phase == RK_PHASE_TRAIN) {
        put_part(v, t, 0, "gradients", m->gradients, m->gradients_formula);
        put_part(v, t, 0, "optimizer", m->optimizer, m->optimizer_formula);
        put_part(v, t, 0, "saved for backward", m->saved, m->saved_formula);
    } else {
        rk_view_put_cache_parts(v, t, m, put_part);
    }
    if (m->options.profile.textbook)
        put_part(v, t, 0, "all together", m->parameters + m->gradients + m->optimizer + m->saved + m->cache,
                 rk_ex_add(
                     v->pool, rk_ex_add(v->pool, m->parameters_formula, m->gradients_formula),
                     rk_ex_add(v->pool, rk_ex_add(v->pool, m->optimizer_formula, m->saved_formula), m->cache_formula)));
    else
        put_part(v, t, 0, "the peak", m->peak, RK_EX_FAILED);
}

/* ---- at the peak, by kind ---------------------------------------------------------------------------------------- */

static void put_peak_parts(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t = rk_cell_list(&v->page, in, &peak_part_fields);
    const rk_i128 *bytes = m->peak_of;
    rk_cell *cell;

    for (size_t k = 0; k < RK_N_ALIVE; k++) {
        if (bytes[k] == 0)
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[0] = rk_cell_both(&v->page, rk_cell_name(rk_alive_table[k].word), rk_view_text(rk_alive_table[k].text));
        cell[1] = rk_cell_count(bytes[k]);
        cell[2] = rk_view_text(rk_view_scaled(v, bytes[k], "B"));
        cell[3] = rk_cell_share(bytes[k], m->peak);
        cell[4] = rk_cell_bar(bytes[k], m->peak);
    }
    if (m->alive.n == 0 || m->options.profile.textbook)
        return;
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_view_text("the peak");
    cell[1] = rk_cell_count(m->peak);
    cell[2] = rk_view_text(rk_view_scaled(v, m->peak, "B"));
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Alive at the peak, in %s%s%s:", m->peak_during ? m->peak_during : "it",
                m->peak_path ? ", at " : "", m->peak_path ? m->peak_path : "");
    rk_page_show(&v->page, t);
}

/* ---- buffer by buffer -------------------------------------------------------------------------------------------- */

rk_cell *rk_view_buffer(rk_view *v, rk_table *t, const rk_memory_row *r)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[RK_BUFFER_PATH] = rk_cell_code(r->path);
    cell[RK_BUFFER_WHAT] = rk_cell_both(&v->page, rk_cell_name(r->what), rk_view_text(r->what ? r->what : ""));
    cell[RK_BUFFER_LAYERS] = rk_cell_both(&v->page, rk_cell_name(r->layers), (rk_cell){0});
    cell[RK_BUFFER_BYTES] = rk_cell_count(r->bytes);
    cell[RK_BUFFER_TIMES] = rk_cell_count(r->times);
    cell[RK_BUFFER_TOTAL] = rk_cell_count(r->bytes * r->times);
    if (r->formula != RK_EX_FAILED)
        cell[RK_BUFFER_FORMULA] = rk_view_formula(v, r->formula);
    if (r->gloss && r->gloss[0])
        cell[RK_BUFFER_GLOSS] = rk_view_text(r->gloss);
    if (r->owner != RK_OWNER_REST)
        cell[RK_BUFFER_PART] = rk_cell_name(rk_owner_word[r->owner]);
    if (r->kept > 0)
        cell[RK_BUFFER_KEPT] = rk_cell_count(r->kept);
    if (r->each > 0)
        cell[RK_BUFFER_NUMBER] = rk_cell_count(r->each);
    if (r->why.n > 0)
        cell[RK_BUFFER_NEEDED] = rk_cell_texts(r->why.by, r->why.n);
    cell[RK_BUFFER_UNTIL] = rk_cell_name(r->why.until);
    return cell;
}

static void put_saved(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_buffer_fields);

    for (size_t i = 0; i < m->saved_rows.n; i++)
        rk_view_buffer(v, t, &m->saved_rows.at[i])[RK_BUFFER_WHAT] = rk_cell_both(
            &v->page, rk_cell_name(m->saved_rows.at[i].what), rk_view_saved_what(v, m, &m->saved_rows.at[i]));
    if (m->saved_rows.n == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Saved for backward:");
    rk_page_show(&v->page, t);
}

static void put_alive(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_buffer_fields);

    for (size_t i = 0; i < m->alive.n; i++)
        rk_view_buffer(v, t, &m->alive.at[i]);
    if (m->alive.n == 0 || m->options.profile.textbook)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Alive at the peak:");
    rk_page_show(&v->page, t);
}

/* The formula of the peak, term by term, by part; what is no part's, a workspace or a bucket, is the rest. */
static void put_terms(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_terms_of share[RK_N_OWNER];
    rk_held_explanation peak;
    rk_ex rest = m->n_moment > 0 ? m->moment[0].formula : RK_EX_FAILED;

    if (m->n_moment == 0 || v->code != RK_OK)
        return;
    v->code = rk_held_explain(&v->arena, m, m->instance->program, RK_QUANTITY_ALIVE, NULL, &peak, v->err);
    for (size_t i = 0; i < RK_N_OWNER; i++)
        share[i] = (rk_terms_of){rk_owner_word[i], rk_ex_int(v->pool, 0)};
    for (size_t i = 0; v->code == RK_OK && i < peak.row.n; i++) {
        const rk_memory_row *row = &peak.row.at[i].of;

        if (row->all != RK_EX_FAILED && row->owner != RK_OWNER_REST) {
            share[row->owner].of = rk_ex_add(v->pool, share[row->owner].of, row->all);
            rest = rk_ex_sub(v->pool, rest, row->all);
        }
    }
    share[RK_OWNER_REST].of = rest;
    rk_view_terms(v, in, share, RK_N_OWNER);
}

static void put_first_step(rk_view *v, rk_cell *in, rk_i128 forward, rk_i128 backward, rk_i128 optimizer)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &first_step_fields);

    cell[0] = rk_cell_count(forward);
    cell[1] = rk_cell_count(backward);
    cell[2] = rk_cell_count(optimizer);
}

static void put_allocator(rk_view *v, rk_cell *in, const rk_memory *m)
{
    const rk_reserve *r = &m->reserve;
    rk_cell *cell;

    if (!r->known)
        return;
    cell = rk_cell_object(&v->page, in, &allocator_fields);
    cell[0] = rk_cell_count(r->peak.requested);
    cell[1] = rk_cell_count(r->peak.allocated);
    cell[2] = rk_cell_count(r->peak.reserved);
    if (m->options.phase == RK_PHASE_TRAIN)
        put_first_step(v, &cell[3], r->forward, r->backward, r->optimizer);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "PyTorch's allocator makes blocks of %s bytes of it and reserves about %s, which nvidia-smi shows as "
                "%s MiB, beside the context.",
                rk_view_grouped(v, r->peak.allocated), rk_view_scaled(v, r->peak.reserved, "B"),
                rk_view_grouped(v, r->peak.reserved >> 20));
}

static void put_host(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_i128 total = 0;
    rk_cell *cell;
    rk_str parts = {0};

    if (m->options.offload == 0)
        return;
    cell = rk_cell_object(&v->page, in, &host_fields);
    for (size_t i = 0; i < RK_N_HOST; i++) {
        cell[i] = rk_cell_count(m->host[i]);
        total += m->host[i];
        if (m->host[i] > 0)
            rk_str_format(&parts, "%s%s %s", parts.n ? ", " : "", rk_host_text[i], rk_view_scaled(v, m->host[i], "B"));
    }
    cell[RK_N_HOST] = rk_cell_count(total);
    cell[RK_N_HOST + 1] = rk_cell_count(m->to_host);
    cell[RK_N_HOST + 2] = rk_cell_count(m->from_host);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "The host holds %s bytes: %s. In a step %s go there, and %s come back.",
                rk_view_grouped(v, total), rk_view_keep(v, &parts), rk_view_scaled(v, m->to_host, "B"),
                rk_view_scaled(v, m->from_host, "B"));
}

static void put_figures(rk_view *v, rk_cell *answer, const rk_memory *m)
{
    rk_view_symbols(v, &answer[RK_MEMORY_SYMBOLS]);
    rk_view_profile(v, &answer[RK_MEMORY_PROFILE], &m->options);
    rk_view_layout(v, &answer[RK_MEMORY_LAYOUT], m->options.layout);
    answer[RK_MEMORY_PARAMETERS] = rk_cell_count(m->parameters);
    answer[RK_MEMORY_TRAINED] = rk_cell_count(rk_view_value(v, v->ledger->trained));
    answer[RK_MEMORY_GRADIENTS] = rk_cell_count(m->gradients);
    answer[RK_MEMORY_OPTIMIZER] = rk_cell_count(m->optimizer);
    answer[RK_MEMORY_SAVED] = rk_cell_count(m->saved);
    answer[RK_MEMORY_SAVED_FORMULA] = rk_view_formula(v, m->saved_formula);
    answer[RK_MEMORY_CACHE] = rk_cell_count(m->cache);
    answer[RK_MEMORY_PEAK] = rk_cell_count(m->peak);
    put_first_step(v, &answer[RK_MEMORY_FIRST_STEP], m->first_forward, m->first_backward, m->first_optimizer);
}

/* What one sequence, and one more token, costs: what people who serve a model multiply with. */
static void put_cache_line(rk_view *v, const rk_memory *m)
{
    const rk_caches *c = &m->carried;

    if (c->n == 0)
        return;
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "The cache of one sequence has %s, of one more token of it %s bytes (%s)%s.",
                rk_view_scaled(v, rk_view_value(v, c->per_sequence), "B"),
                rk_view_grouped(v, rk_view_value(v, c->per_token)),
                rk_view_scaled(v, rk_view_value(v, c->per_token), "B"),
                m->peak_of[RK_ALIVE_CACHE] > m->cache ? "; where it grows, one layer's is there twice" : "");
}

static void fill(rk_view *v, const rk_memory *m, const rk_memory_asked *asked)
{
    bool train = m->options.phase == RK_PHASE_TRAIN;
    size_t details; /* where the long tables begin */
    rk_cell *answer = rk_view_answer(v, &rk_answer_memory);

    put_figures(v, answer, m);
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: memory of %s", v->model->name, rk_phase_text[m->options.phase]);
    rk_view_put_like(v);
    rk_view_put_notes(v);
    rk_view_put_run(v);
    rk_view_put_assumptions(v, &m->options);
    rk_view_put_rank(v, m);
    rk_view_put_serving_notes(v, m);
    /* How much of the model is trained, where it is not all. */
    if (train && v->ledger->trained != v->ledger->stored)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Trained: %s of %s parameters.",
                    rk_view_grouped(v, rk_view_value(v, v->ledger->trained)),
                    rk_view_grouped(v, rk_view_value(v, v->ledger->stored)));
    put_peak_parts(v, &answer[RK_MEMORY_PEAK_PARTS], m);
    if (m->options.profile.textbook) {
        rk_page_gap(&v->page);
        put_parts(v, m);
    }
    put_allocator(v, &answer[RK_MEMORY_ALLOCATOR], m);
    put_host(v, &answer[RK_MEMORY_HOST], m);
    if (!train)
        put_cache_line(v, m);
    rk_view_put_sent(v, &answer[RK_MEMORY_SENT], m);
    rk_view_put_training(v, answer, m, &asked->within);
    rk_view_serving(v, answer, m, &asked->serving);
    rk_view_put_serving(v, m, &asked->serving);
    rk_view_put_recipes(v, &answer[RK_MEMORY_RECIPES], &asked->recipes, NULL);
    if (asked->savings.n > 0)
        rk_page_gap(&v->page);
    rk_view_put_savings(v, &answer[RK_MEMORY_SAVINGS], &asked->savings, NULL);
    details = v->page.item.n;
    if (!m->options.profile.textbook) {
        rk_page_gap(&v->page);
        put_parts(v, m);
    }
    rk_view_put_peak(v, &answer[RK_MEMORY_MOMENTS], m);
    put_terms(v, &answer[RK_MEMORY_PEAK_TERMS], m);
    if (train)
        put_saved(v, &answer[RK_MEMORY_ROWS], m);
    rk_view_put_saved_for(v, &answer[RK_MEMORY_SAVED_FOR], m);
    if (!train)
        rk_view_put_caches(v, &answer[RK_MEMORY_ROWS], m);
    put_alive(v, &answer[RK_MEMORY_PEAK_ROWS], m);
    if (asked->details || m->options.profile.textbook)
        return;
    rk_page_only_from(&v->page, details, RK_FOR_PROGRAMS);
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                train ? "--details: formulas, moments, every buffer saved and alive; --timeline FILE.svg draws it."
                      : "--details: formulas, the cache by layers, every buffer alive.");
}

int rk_report_memory(const rk_report *r, const rk_ledger *l, const rk_memory *m, const rk_memory_asked *asked,
                     rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    fill(&v, m, asked);
    return rk_view_end(&v);
}
