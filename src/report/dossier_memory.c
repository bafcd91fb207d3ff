/* SPDX-License-Identifier: MIT */
/* What a model needs to be trained and served, and how much of that fits on a device. */
#include "report/dossier.h"

#include "report/memory_answer.h"

#include "report/assumptions.h"
#include "report/serving.h"

enum {
    TERMS_MOST = 16 /* a formula with more of them says nothing to anyone */
};

/* ---- to train --------------------------------------------------------------------------------------------------- */

const char *const rk_dossier_bytes_name[] = {"weights", "gradients", "optimizer", "saved for backward", "the peak"};

rk_i128 rk_dossier_bytes(const rk_memory *m, size_t i)
{
    const rk_i128 bytes[] = {m->parameters, m->gradients, m->optimizer, m->saved, m->peak};

    return bytes[i];
}

static void put_variants(rk_view *v, const rk_dossier_variant *const *variant, size_t n)
{
    rk_field column[1 + 2 * RK_DOSSIER_VARIANTS] = {{.head = "bytes"}};
    rk_table *t;

    for (size_t k = 0; k < n; k++) {
        column[1 + 2 * k] = (rk_field){.head = variant[k]->title, .right = true};
        column[2 + 2 * k] = (rk_field){.head = "", .right = true, .drop = 1};
    }
    t = rk_view_table(v, column, 1 + 2 * n);
    for (size_t i = 0; i <= RK_DOSSIER_HELD; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, i == RK_DOSSIER_HELD ? RK_ROW_TOTAL : RK_ROW_PLAIN, 0);

        cell[0] = rk_view_text(rk_dossier_bytes_name[i]);
        for (size_t k = 0; k < n; k++) {
            cell[1 + 2 * k] = rk_cell_count(rk_dossier_bytes(variant[k]->memory, i));
            cell[2 + 2 * k] = rk_view_text(rk_view_scaled(v, rk_dossier_bytes(variant[k]->memory, i), "B"));
        }
    }
}

/* What is saved for backward is what grows with B and S. */
static void put_saved(rk_view *v, const rk_dossier_variant *w)
{
    const rk_memory *m = w->memory;
    rk_ex saved = rk_dossier_import(v, m->instance, m->saved_formula);

    if (saved != RK_EX_FAILED && rk_ex_term_count(v->pool, rk_view_form(v, saved)) <= TERMS_MOST)
        rk_page_equation_value(&v->page, 0, rk_arena_format(&v->arena, "saved (%s)", w->title),
                               rk_view_formula(v, saved), rk_cell_count(m->saved));
}

void rk_dossier_put_training(rk_view *v, const rk_dossier *d)
{
    const rk_dossier_variant *known[RK_DOSSIER_VARIANTS] = {NULL};
    size_t n = 0;

    for (size_t i = 0; i < RK_DOSSIER_VARIANTS; i++)
        if (d->variant[i].memory)
            known[n++] = &d->variant[i];
    if (n > 0) {
        rk_view_put_assumptions(v, &known[0]->memory->options);
        put_variants(v, known, n);
    }
    for (size_t i = 0; i < n; i++) {
        const rk_dossier_variant *w = known[i];
        const rk_memory *m = w->memory;

        if (m->peak_during)
            rk_page_put(&v->page, RK_ITEM_LINE, 0, "The peak (%s) is reached in %s%s%s.", w->title, m->peak_during,
                        m->peak_path ? ", at " : "", m->peak_path ? m->peak_path : "");
    }
    for (size_t i = 0; i < n; i++)
        put_saved(v, known[i]);
    for (size_t i = 0; i < RK_DOSSIER_VARIANTS; i++)
        if (!d->variant[i].memory)
            rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s: %s.", d->variant[i].title, d->variant[i].not_for);
}

/* ---- to serve --------------------------------------------------------------------------------------------------- */

static void put_part(rk_view *v, rk_table *t, const char *name, rk_i128 tokens, rk_i128 bytes)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&v->page, "%s", name);
    if (tokens > 0)
        cell[1] = rk_cell_count(tokens);
    cell[2] = rk_cell_count(bytes);
    cell[3] = rk_view_text(rk_view_scaled(v, bytes, "B"));
}

void rk_dossier_put_serving(rk_view *v, const rk_dossier *d)
{
    static const rk_field column[] = {{.head = ""},
                                      {.head = "tokens seen", .right = true},
                                      {.head = "bytes", .right = true},
                                      {.head = "", .right = true}};
    const rk_memory *m = d->decode;
    rk_table *t;

    if (!m) {
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s.", d->not_decoded);
        return;
    }
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Decoding, one new token of each sequence at a time.");
    rk_view_put_storage(v, m);
    t = rk_page_table(&v->page, column, 4);
    put_part(v, t, "weights", 0, m->parameters);
    if (rk_dossier_grows(v, m))
        put_part(v, t, "cache of one more token", 0, rk_dossier_value(v, m->instance, m->carried.per_token));
    for (size_t i = 0; i < d->n_length; i++)
        put_part(v, t, "cache of the batch", d->length[i].tokens, d->length[i].cache);
    for (size_t i = 0; i < d->n_length; i++)
        put_part(v, t, "the peak", d->length[i].tokens, d->length[i].peak);
}

/* ---- on a device ------------------------------------------------------------------------------------------------ */

/* "12", or by how much the first sequence is too large. */
static rk_cell batch_cell(rk_view *v, const rk_fit *f)
{
    if (f->limit == 0)
        return rk_cell_text(&v->page, "not known");
    if (f->largest > 0)
        return rk_cell_count(f->largest);
    if (f->next == RK_I128_MAX)
        return rk_cell_text(&v->page, "none");
    return rk_cell_text(&v->page, "none: %s too much", rk_view_scaled(v, f->next - f->limit, "B"));
}

bool rk_dossier_decodes(const rk_dossier *d, const rk_device *device)
{
    return device->usable == 0 || d->decode->peak <= rk_device_room(device);
}

rk_i128 rk_dossier_bound(const rk_dossier *d, const rk_device *device)
{
    rk_serving on_device = d->serving;

    on_device.bandwidth = device->bandwidth;
    return rk_serving_bound(&on_device);
}

/* "208.12": what the bandwidth of a device's memory allows, if nothing else took time. */
static rk_cell bound_cell(rk_view *v, const rk_dossier *d, const rk_device *device)
{
    rk_i128 hundredths = rk_dossier_bound(d, device);

    if (!rk_dossier_decodes(d, device))
        return rk_cell_text(&v->page, "does not fit");
    if (hundredths == 0)
        return rk_cell_text(&v->page, "not known");
    return rk_view_text(rk_view_quotient(v, hundredths, 100));
}

void rk_dossier_put_batches(rk_view *v, const rk_dossier *d)
{
    rk_field column[1 + RK_DOSSIER_DEVICES] = {{.head = "sequences at once"}};
    rk_table *t;
    rk_cell *cell;
    for (size_t k = 0; k < d->n_device; k++)
        column[1 + k] = (rk_field){.head = d->device[k]->key, .right = true};
    t = rk_view_table(v, column, 1 + d->n_device);
    cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    cell[0] = rk_cell_text(&v->page, "memory");
    for (size_t k = 0; k < d->n_device; k++)
        cell[1 + k] = rk_view_text(rk_view_scaled(v, rk_device_room(d->device[k]), "B"));
    for (size_t i = 0; i < d->n_batch; i++) {
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[0] = rk_cell_text(&v->page, "%s", d->batch[i].title);
        for (size_t k = 0; k < d->n_device; k++)
            cell[1 + k] = batch_cell(v, &d->batch[i].fit[k]);
    }
    if (d->decode && d->serving.weights_known) {
        const rk_i128 tokens = d->n_length > 0 ? d->length[d->n_length - 1].tokens : 0;
        char text[RK_NUM_TEXT_MAX];

        cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
        if (tokens > 0)
            cell[0] = rk_cell_text(&v->page, "tokens/s at most, T = %s (estimate)", rk_num_grouped(text, tokens));
        else
            cell[0] = rk_cell_text(&v->page, "tokens/s at most (estimate)");
        for (size_t k = 0; k < d->n_device; k++)
            cell[1 + k] = bound_cell(v, d, d->device[k]);
    }
    rk_page_put(
        &v->page, RK_ITEM_NOTE, 0,
        "By the bytes of tensors and workspaces. PyTorch's allocator reserves more in a training step; reckon fit "
        "goes by that.");
}

/* What each rank of the layout holds, and on which of the devices all of them fit. */
void rk_dossier_put_ranks(rk_view *v, const rk_dossier *d, rk_cell *layout, rk_cell *ranks)
{
    rk_ranks_asked asked = {.ranks = d->ranks};
    rk_i128 peak;
    rk_str on = {0};

    if (!d->ranks) {
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s.", d->not_laid);
        return;
    }
    peak = d->ranks->at[d->ranks->fullest].memory->peak;
    rk_view_layout(v, layout, &d->ranks->layout);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "A training step over %s: %s.",
                rk_view_counted(v, (size_t)rk_layout_devices(&d->ranks->layout), "device"),
                rk_view_mesh(v, &d->ranks->layout));
    rk_view_put_rank_kinds(v, ranks, &asked);
    for (size_t i = 0; i < d->n_device; i++)
        if (rk_device_room(d->device[i]) >= peak)
            rk_str_format(&on, "%s%s", on.n ? ", " : "", d->device[i]->key);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "All ranks fit on %s.", on.n ? rk_str_text(&on) : "none of these devices");
    rk_str_free(&on);
}
