/* SPDX-License-Identifier: MIT */
#include "report/train.h"

#include "account/training.h"
#include "report/assumptions.h"
#include "report/memory_answer.h"
#include "report/serving.h"

/* The textbook's sum, 16P + 4A, where each parameter takes the same number of bytes. */
static void put_book(rk_view *v, const rk_memory *m)
{
    rk_ex bytes = rk_ex_int(v->pool, m->options.bytes);
    rk_ex p = rk_ex_div(v->pool, m->parameters_formula, bytes), a = rk_ex_div(v->pool, m->saved_formula, bytes);
    rk_ex all =
        rk_ex_add(v->pool, m->parameters_formula, rk_ex_add(v->pool, m->gradients_formula, m->optimizer_formula));
    rk_i128 n = rk_view_value(v, p), each = n > 0 ? rk_view_value(v, all) / n : 0;

    if (!m->options.profile.textbook || m->options.phase != RK_PHASE_TRAIN || each == 0 ||
        rk_ex_mul(v->pool, rk_ex_int(v->pool, each), p) != all)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "All together: %dP + %dA bytes, with P parameters and A numbers saved:", (int)each, m->options.bytes);
    rk_view_put_sum(v, "P", p, NULL);
    rk_view_put_sum(v, "A", a, NULL);
}

static const rk_field within_field[] = {
    RK_KEY("bytes", COUNT, "that there are"),
    RK_KEY("symbol", TEXT, "what is searched for"),
    RK_KEY("largest", COUNT, "that fits; 0: not even one does"),
    RK_KEY("needs", COUNT, "bytes of the largest"),
    RK_KEY("next_needs", COUNT, "bytes of one more"),
};
const rk_fields rk_within_fields = {within_field, 5};

static void put_within(rk_view *v, rk_cell *in, const rk_fit *f)
{
    const char *limit = rk_view_grouped(v, f->limit), *bytes = rk_view_grouped(v, f->bytes);
    rk_cell *cell = rk_cell_object(&v->page, in, &rk_within_fields);

    cell[0] = rk_cell_count(f->limit);
    cell[1] = rk_cell_name(RK_NAME_BATCH);
    cell[2] = rk_cell_count(f->largest);
    cell[3] = rk_cell_count(f->bytes);
    if (f->next != RK_I128_MAX)
        cell[4] = rk_cell_count(f->next);
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

void rk_view_put_training(rk_view *v, rk_cell *answer, const rk_memory *m, const rk_fit *within)
{
    rk_ex recomputed = rk_recompute_flops(m, v->ledger);
    bool train = m->options.phase == RK_PHASE_TRAIN;

    if (train) {
        answer[RK_MEMORY_RECOMPUTE_FLOPS] = rk_cell_count(rk_view_value(v, recomputed));
        answer[RK_MEMORY_RECOMPUTE_FORMULA] = rk_view_formula(v, recomputed);
    }
    put_book(v, m);
    if (train && (m->options.recompute_layers > 0 || m->n_recomputed > 0)) {
        rk_page_gap(&v->page);
        rk_view_put_sum(v, "recomputed", recomputed, rk_view_scaled(v, rk_view_value(v, recomputed), rk_view_unit(v)));
    }
    if (within->limit > 0)
        put_within(v, &answer[RK_MEMORY_WITHIN], within);
}

/* ---- the profile ------------------------------------------------------------------------------------------------ */

#define PROFILE_FIELDS(X)                                                                                              \
    X(NAME, RK_KEY("name", TEXT, "torch, or textbook"))                                                                \
    X(PHASE, RK_KEY("phase", TEXT, "train, prefill or decode"))                                                        \
    X(BYTES, RK_KEY("bytes_per_number", COUNT, "of the run"))                                                          \
    X(AUTOCAST, RK_KEY("autocast", TEXT, "bf16: the type of products under autocast (--recipe mixed); null: without")) \
    X(ATTENTION, RK_KEY("attention", TEXT, "sdpa, or eager"))                                                          \
    X(EXPERTS, RK_KEY("experts", TEXT, "grouped, or each"))                                                            \
    X(RECOMPUTE, RK_KEY("recompute", TEXT, "none, selective, full, ops, modules"))                                     \
    X(RECOMPUTE_EVERY, RK_KEY("recompute_every", COUNT, "layers between saved inputs"))                                \
    X(OPTIMIZER, RK_KEY("optimizer", TEXT, "whose state is counted"))                                                  \
    X(MASTER, RK_KEY("master_bytes", COUNT, "of a weight's second copy; 0: there is none"))                            \
    X(GRADIENT, RK_KEY("gradient_bytes", COUNT, "of a gradient"))                                                      \
    X(ACCUMULATE, RK_KEY("accumulate", COUNT, "passes before a step of the optimizer"))                                \
    X(FP8, RK_KEY("fp8_products", TRUTH, "linear layers multiply in 8 bits"))                                          \
    X(LOSS, RK_KEY("loss", TRUTH, "whether it is computed"))                                                           \
    X(LOSS_WAY, RK_KEY("loss_way", TEXT, "ce, chunked or fused"))                                                      \
    X(LOSS_CHUNK, RK_KEY("loss_chunk", COUNT, "tokens at a time"))                                                     \
    X(DROPOUT, RK_KEY("dropout", TEXT, "0, or config"))                                                                \
    X(ROUNDING, RK_KEY("rounding", COUNT, "bytes to a multiple of which blocks are rounded"))                          \
    X(WORKSPACE, RK_KEY("workspace", COUNT, "bytes of a workspace of the matrix library"))
RK_FIELD_TABLE(profile_field, N_PROFILE, PROFILE_FIELDS);
const rk_fields rk_profile_fields = {profile_field, N_PROFILE};

void rk_view_profile(rk_view *v, rk_cell *in, const rk_memory_options *o)
{
    const rk_program *p = &v->model->program;
    rk_cell *cell = rk_cell_object(&v->page, in, &rk_profile_fields);

    cell[NAME] = rk_cell_name(o->profile.name);
    cell[PHASE] = rk_cell_name(rk_phase_word[o->phase]);
    cell[BYTES] = rk_cell_count(o->bytes);
    cell[AUTOCAST] = rk_cell_known(o->autocast ? "bf16" : NULL);
    cell[ATTENTION] = rk_cell_name(o->flash ? "sdpa" : "eager");
    cell[EXPERTS] = rk_cell_name(rk_experts_word(p));
    cell[RECOMPUTE] = rk_cell_name(rk_recompute_word(p, o));
    if (o->recompute_layers > 1)
        cell[RECOMPUTE_EVERY] = rk_cell_count((rk_i128)o->recompute_layers);
    cell[OPTIMIZER] = rk_cell_name(rk_optimizer_table[o->optimizer].word);
    cell[MASTER] = rk_cell_count(o->master);
    cell[GRADIENT] = rk_cell_count(o->gradient ? o->gradient : o->stored ? o->stored : o->bytes);
    cell[ACCUMULATE] = rk_cell_count(o->passes > 1 ? o->passes : 1);
    cell[FP8] = rk_cell_truth(o->fp8_products);
    cell[LOSS] = rk_cell_truth(o->loss);
    if (o->loss)
        cell[LOSS_WAY] = rk_cell_name(rk_loss_word(p, o));
    if (o->loss && o->chunk > 0)
        cell[LOSS_CHUNK] = rk_cell_count(o->chunk);
    cell[DROPOUT] = rk_cell_name(rk_dropout_word(o));
    cell[ROUNDING] = rk_cell_count(o->profile.rounding);
    cell[WORKSPACE] = rk_cell_count(o->profile.workspace);
}
