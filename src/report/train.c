/* SPDX-License-Identifier: MIT */
#include "report/train.h"

#include "account/training.h"
#include "report/assumptions.h"

/* The textbook's sum, 16P + 4A, where each parameter takes the same number of bytes. */
static void put_book(rk_view *v, const rk_memory *m)
{
    rk_ex bytes = rk_ex_int(v->pool, m->options.bytes);
    rk_ex p = rk_ex_div(v->pool, m->parameters_formula, bytes), a = rk_ex_div(v->pool, m->saved_formula, bytes);
    rk_ex all =
        rk_ex_add(v->pool, m->parameters_formula, rk_ex_add(v->pool, m->gradients_formula, m->optimizer_formula));
    rk_i128 n = rk_view_value(v, p), each = n > 0 ? rk_view_value(v, all) / n : 0;

    if (!m->options.profile.by_hand || m->options.phase != RK_PHASE_TRAIN || each == 0 ||
        rk_ex_mul(v->pool, rk_ex_int(v->pool, each), p) != all)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "All together: %dP + %dA bytes, with P parameters and A numbers kept:", (int)each, m->options.bytes);
    rk_view_put_sum(v, "P", p, NULL);
    rk_view_put_sum(v, "A", a, NULL);
}

static void put_within(rk_view *v, const rk_fit *f)
{
    const char *limit = rk_view_grouped(v, f->limit), *bytes = rk_view_grouped(v, f->bytes);

    rk_page_gap(&v->page);
    if (f->largest == 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Within %s bytes not even B = 1 fits: it needs %s.", limit, bytes);
    else if (f->next == RK_I128_MAX)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "The largest batch within %s bytes is B = %s, with %s.", limit,
                    rk_view_grouped(v, f->largest), bytes);
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "The largest batch within %s bytes is B = %s, with %s; one sequence more needs %s.", limit,
                    rk_view_grouped(v, f->largest), bytes, rk_view_grouped(v, f->next));
}

void rk_view_put_training(rk_view *v, const rk_memory *m, const rk_fit *within)
{
    rk_ex again = rk_again_flops(m, v->ledger);

    put_book(v, m);
    if (m->options.phase == RK_PHASE_TRAIN && (m->options.again > 0 || m->n_recomputed > 0)) {
        rk_page_gap(&v->page);
        rk_view_put_sum(v, "computed again", again, rk_view_scaled(v, rk_view_value(v, again), rk_view_unit(v)));
    }
    if (within->limit > 0)
        put_within(v, within);
}

void rk_view_json_training(rk_view *v, const rk_memory *m, const rk_fit *within)
{
    rk_ex flops = rk_again_flops(m, v->ledger);

    if (m->options.phase == RK_PHASE_TRAIN) {
        rk_json_count(&v->json, "recompute_flops", rk_view_value(v, flops));
        rk_view_json_formula(v, "recompute_formula", flops);
    }
    if (within->limit != 0) {
        rk_json_row(&v->json, "within");
        rk_json_count(&v->json, "bytes", within->limit);
        rk_json_text(&v->json, "symbol", RK_NAME_BATCH);
        rk_json_count(&v->json, "largest", within->largest);
        rk_json_count(&v->json, "needs", within->bytes);
        if (within->next != RK_I128_MAX)
            rk_json_count(&v->json, "next_needs", within->next);
        rk_json_close(&v->json);
    }
}

void rk_view_json_training_profile(rk_view *v, const rk_memory_options *o)
{
    const rk_program *p = &v->model->program;
    rk_json *j = &v->json;

    rk_json_text(j, "recompute", rk_recompute_word(p, o));
    if (o->again > 1)
        rk_json_count(j, "recompute_every", (rk_i128)o->again);
    rk_json_text(j, "optimizer", rk_optimizer_table[o->optimizer].word);
    rk_json_count(j, "master_bytes", o->master);
    rk_json_count(j, "gradient_bytes", o->gradient ? o->gradient : o->bytes);
    rk_json_count(j, "accumulate", o->passes > 1 ? o->passes : 1);
    rk_json_truth(j, "fp8_products", o->eighths);
    rk_json_truth(j, "loss", o->loss);
    if (o->loss)
        rk_json_text(j, "loss_way", rk_loss_word(p, o));
    if (o->loss && o->chunk > 0)
        rk_json_count(j, "loss_chunk", o->chunk);
    rk_json_text(j, "dropout", rk_dropout_word(o));
}
