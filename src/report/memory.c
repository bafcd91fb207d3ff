/* SPDX-License-Identifier: MIT */
/* What `reckon memory` prints: what a step occupies, what is kept, and who is alive at the peak. */
#include "report/view.h"

#include "report/assumptions.h"
#include "report/memory_peak.h"
#include "report/serving.h"
#include "report/train.h"

/* ---- for people ------------------------------------------------------------------------------------------------- */

static void put_part_in(rk_view *v, rk_table *t, int indent, const char *name, rk_i128 bytes, rk_ex formula)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, indent);

    cell[0] = rk_cell_text(&v->page, "%s", name);
    cell[1] = rk_cell_count(bytes);
    cell[2] = rk_view_text(rk_view_binary(v, bytes));
    if (formula != RK_EX_FAILED && !rk_ex_is_int(v->pool, formula, &(rk_i128){0}))
        cell[3] = rk_view_short_formula(v, formula, RK_VIEW_TERMS_IN_TABLE);
}

static void put_part(rk_view *v, rk_table *t, const char *name, rk_i128 bytes, rk_ex formula)
{
    put_part_in(v, t, 0, name, bytes, formula);
}

static void put_parts(rk_view *v, const rk_memory *m)
{
    static const rk_column column[] = {{.head = "", .key = "part"},
                                       {.head = "bytes", .key = "bytes", .right = true},
                                       {.head = "", .right = true, .drop = 2},
                                       {.head = "formula", .key = "formula", .wraps = true, .drop = 1}};
    rk_table *t = rk_page_table(&v->page, column, 4);

    put_part(v, t, "weights", m->parameters, m->parameters_formula);
    if (m->options.phase == RK_PHASE_TRAIN) {
        put_part(v, t, "gradients", m->gradients, m->gradients_formula);
        put_part(v, t, "optimizer", m->optimizer, m->optimizer_formula);
        put_part(v, t, "kept for the backward pass", m->saved, m->saved_formula);
    } else {
        rk_view_put_cache_parts(v, t, m, put_part_in);
    }
    if (m->options.profile.by_hand)
        put_part(v, t, "all together", m->parameters + m->gradients + m->optimizer + m->saved + m->cache,
                 rk_ex_add(
                     v->pool, rk_ex_add(v->pool, m->parameters_formula, m->gradients_formula),
                     rk_ex_add(v->pool, rk_ex_add(v->pool, m->optimizer_formula, m->saved_formula), m->cache_formula)));
    else
        put_part(v, t, "the peak", m->peak, RK_EX_FAILED);
}

static rk_table *put_rows(rk_view *v, const rk_memory_rows *rows, const char *heading)
{
    static const rk_column column[] = {{.head = "", .key = "path"},
                                       {.head = "", .key = "what", .drop = 3},
                                       {.head = "each", .key = "each", .right = true, .drop = 2},
                                       {.head = "times", .key = "times", .right = true, .drop = 4},
                                       {.head = "bytes", .key = "bytes", .right = true},
                                       {.head = "formula of each", .key = "formula", .wraps = true, .drop = 1}};
    rk_table *t;

    if (rows->n == 0)
        return NULL;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s", heading);
    t = rk_page_table(&v->page, column, 6);
    for (size_t i = 0; i < rows->n; i++) {
        const rk_memory_row *r = &rows->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(r->path);
        cell[1] = rk_cell_text(&v->page, "%s", r->what ? r->what : "");
        cell[2] = rk_cell_count(r->bytes);
        cell[3] = rk_cell_count(r->times);
        cell[4] = rk_cell_count(r->bytes * r->times);
        if (r->formula != RK_EX_FAILED)
            cell[5] = rk_view_formula(v, r->formula);
    }
    return t;
}

static void fill_page(rk_view *v, const rk_memory *m, const rk_memory_asked *asked)
{
    rk_table *t;
    char trained[RK_NUM_TEXT_MAX], all[RK_NUM_TEXT_MAX];

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: memory of %s", v->model->name, rk_phase_text[m->options.phase]);
    rk_view_put_like(v);
    rk_view_put_notes(v);
    rk_view_put_run(v);
    rk_view_put_assumptions(v, &m->options);
    rk_view_put_serving_notes(v, m);
    /* How much of the model is trained, where it is not all. */
    if (m->options.phase == RK_PHASE_TRAIN && v->ledger->trained != v->ledger->stored)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Trained: %s of %s parameters.",
                    rk_num_grouped(trained, rk_view_value(v, v->ledger->trained)),
                    rk_num_grouped(all, rk_view_value(v, v->ledger->stored)));
    rk_page_gap(&v->page);
    put_parts(v, m);
    if (m->peak_during && !m->options.profile.by_hand)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "The peak is reached in %s%s%s.", m->peak_during,
                    m->peak_path ? ", at " : "", m->peak_path ? m->peak_path : "");
    if (m->reserve.known)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "PyTorch's allocator makes blocks of %s bytes of it and reserves about %s: about what nvidia-smi "
                    "shows, beside the context.",
                    rk_num_grouped(trained, m->reserve.peak.allocated), rk_view_binary(v, m->reserve.peak.reserved));
    if (!m->options.profile.by_hand)
        rk_view_put_peak(v, m);
    rk_view_put_training(v, m, &asked->within);
    t = put_rows(v, &m->kept, "Kept for the backward pass:");
    for (size_t i = 0; t && i < m->kept.n && i < t->row.n; i++)
        t->row.at[i].cell[1] = rk_view_kept_what(v, m, &m->kept.at[i]);
    rk_view_put_kept_for(v, m);
    rk_view_put_caches(v, m);
    rk_view_put_serving(v, m, &asked->serving);
    if (!m->options.profile.by_hand)
        put_rows(v, &m->alive, "Alive at the peak:");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_rows(rk_view *v, const char *key, const rk_memory_rows *rows, bool whole)
{
    rk_json *j = &v->json;

    rk_json_open(j, key, '[');
    for (size_t i = 0; i < rows->n; i++) {
        const rk_memory_row *r = &rows->at[i];

        rk_json_row(j, NULL);
        rk_json_text(j, "path", r->path);
        if (r->what)
            rk_json_text(j, "what", r->what);
        if (r->layers)
            rk_json_text(j, "layers", r->layers);
        rk_json_count(j, "bytes", whole ? r->bytes * r->times : r->bytes);
        rk_json_count(j, "times", r->times);
        if (r->formula != RK_EX_FAILED)
            rk_view_json_formula(v, "formula", r->formula);
        rk_json_close(j);
    }
    rk_json_close(j);
}

static void write_allocator(rk_json *j, const rk_memory *m)
{
    const rk_reserve *r = &m->reserve;

    rk_json_row(j, "allocator");
    rk_json_count(j, "requested", r->peak.requested);
    rk_json_count(j, "allocated", r->peak.allocated);
    rk_json_count(j, "reserved", r->peak.reserved);
    if (m->options.phase == RK_PHASE_TRAIN) {
        rk_json_row(j, "first_step");
        rk_json_count(j, "forward", r->forward);
        rk_json_count(j, "backward", r->backward);
        rk_json_count(j, "optimizer", r->optimizer);
        rk_json_close(j);
    }
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_memory *m, const rk_memory_asked *asked)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", v->model->name);
    rk_view_json_notes(v);
    rk_view_json_symbols(v);
    rk_json_row(j, "profile");
    rk_json_text(j, "name", m->options.profile.name);
    rk_json_text(j, "phase", rk_phase_word[m->options.phase]);
    rk_json_count(j, "bytes_per_number", m->options.bytes);
    rk_json_text(j, "attention", m->options.flash ? "sdpa" : "eager");
    if (rk_experts_word(&v->model->program))
        rk_json_text(j, "experts", rk_experts_word(&v->model->program));
    rk_view_json_training_profile(v, &m->options);
    rk_json_count(j, "rounding", m->options.profile.rounding);
    rk_json_count(j, "workspace", m->options.profile.workspace);
    rk_json_close(j);
    rk_json_count(j, "parameters", m->parameters);
    rk_json_count(j, "trained", rk_view_value(v, v->ledger->trained));
    rk_json_count(j, "gradients", m->gradients);
    rk_json_count(j, "optimizer", m->optimizer);
    rk_json_count(j, "saved", m->saved);
    rk_view_json_formula(v, "saved_formula", m->saved_formula);
    rk_json_count(j, "kv_cache", m->cache);
    rk_json_count(j, "peak", m->peak);
    rk_view_json_serving(v, m, &asked->serving);
    rk_json_row(j, "first_step");
    rk_json_count(j, "forward", m->first_forward);
    rk_json_count(j, "backward", m->first_backward);
    rk_json_count(j, "optimizer", m->first_optimizer);
    rk_json_close(j);
    if (m->reserve.known)
        write_allocator(j, m);
    rk_view_json_training(v, m, &asked->within);
    rk_view_json_kept_for(v, m);
    rk_view_json_peak(v, m);
    write_rows(v, "peak_rows", &m->alive, true);
    write_rows(v, "rows", m->options.phase == RK_PHASE_TRAIN ? &m->kept : &m->caches, false);
    rk_json_close(j);
}

int rk_report_memory(const rk_report *r, const rk_ledger *l, const rk_memory *m, const rk_memory_asked *asked,
                     rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, m, asked);
    else
        fill_page(&v, m, asked);
    return rk_view_end(&v);
}
