/* SPDX-License-Identifier: MIT */
#include "report/assumptions.h"

const char *rk_recompute_word(const rk_program *p, const rk_memory_options *o)
{
    bool attention = p->n_region && p->region[0].kind == RK_REGION_ATTENTION;

    return o->recompute_layers        ? "full"
           : o->recompute_ops.by_kind ? "ops"
           : o->recompute_ops.module  ? "modules"
           : attention                ? "selective"
                                      : "none";
}

const char *rk_experts_word(const rk_program *p)
{
    static const char *const word[] = {
        [RK_EXPERTS_NONE] = NULL, [RK_EXPERTS_EACH] = "each", [RK_EXPERTS_GROUPED] = "grouped"};

    return word[rk_program_experts(p)];
}

const char *rk_loss_word(const rk_program *p, const rk_memory_options *o)
{
    static const char *const word[] = {
        [RK_REGION_NONE] = "ce", [RK_REGION_CHUNKED] = "chunked", [RK_REGION_FUSED] = "fused"};
    const rk_region *loss = rk_program_loss_region(p);

    return o->loss ? word[loss ? loss->kind : RK_REGION_NONE] : "none";
}

const char *rk_dropout_word(const rk_memory_options *o)
{
    return o->drops ? "config" : "0";
}

/* The first weight of an adapter, or NULL. */
static const rk_weight *adapter_of(const rk_program *p)
{
    for (size_t i = 0; i < p->n_weight; i++)
        if (p->weight[i].adapter != RK_ADAPTER_NONE)
            return &p->weight[i];
    return NULL;
}

/* Of which type everything is, and what is of another. */
static void put_types(rk_str *s, const rk_program *p, const rk_memory_options *o)
{
    const bool trains = o->phase == RK_PHASE_TRAIN;
    const rk_weight *adapter = adapter_of(p);
    const bool of_adapter = trains && adapter && adapter->wide && o->bytes < 4; /* gradients and states are its own */

    if (o->autocast)
        rk_str_put(s, "--recipe mixed (products in bf16; fp32: weights");
    else if (o->fp8_products)
        rk_str_put(s, "--dtype fp8 (products in fp8; bf16: weights");
    else
        rk_str_format(s, "--dtype %s (%s",
                      o->stored       ? o->stored == 4 ? "fp32" : "bf16"
                      : o->type       ? o->type
                      : o->bytes == 4 ? "fp32"
                                      : "bf16",
                      trains || o->cache ? "weights" : "weights, cache");
    if (trains && !o->gradient && !of_adapter)
        rk_str_put(s, ", gradients");
    if (trains && !o->master && !of_adapter)
        rk_str_put(s, ", states");
    rk_str_put(s, of_adapter ? "; adapters, their gradients and states in fp32)" : ")");
    if (o->stored)
        rk_str_format(s, ", --compute %s", o->type);
    if (o->weights)
        rk_str_format(s, ", --weights %s", rk_number_table[o->weights].word);
    if (o->cache)
        rk_str_format(s, ", --kv-dtype %s", rk_number_table[o->cache].word);
    if (o->gradient)
        rk_str_format(s, ", --grad-dtype %s", o->gradient == 4 ? "fp32" : "bf16");
    if (o->master)
        rk_str_put(s, ", --master fp32 (states too)");
}

const char *rk_measure_aside(const rk_measure_term *t, const rk_memory_options *o)
{
    bool of_cache = t->row->from == RK_FROM_MEMORY && t->row->which == RK_BYTES_CACHE;

    return of_cache && o && o->phase == RK_PHASE_TRAIN ? " (a training step has none: --phase decode)" : "";
}

void rk_view_put_other_types(rk_view *v, const char *name, const rk_memory_options *known, const rk_memory_options *o)
{
    rk_str s = {0};

    if (o->autocast == known->autocast && o->bytes == known->bytes)
        return;
    put_types(&s, &v->model->program, o);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "But %s, by its config: %s.", rk_view_safe(v, name), rk_view_keep(v, &s));
}

void rk_view_put_assumptions(rk_view *v, const rk_memory_options *o)
{
    const rk_program *p = &v->model->program;
    bool stays_eager = !o->flash && rk_profile_is_eager(o->profile.eager, v->model->family);
    rk_str s = {0};

    put_types(&s, p, o);
    if (o->phase == RK_PHASE_TRAIN)
        rk_str_format(&s, ", --optimizer %s", rk_optimizer_table[o->optimizer].word);
    if (!o->profile.textbook)
        rk_str_format(&s, ", --attention %s%s", o->flash ? "sdpa" : "eager", stays_eager ? " (no sdpa)" : "");
    if (!o->profile.textbook && rk_experts_word(p))
        rk_str_format(&s, ", --experts %s", rk_experts_word(p));
    if (o->phase == RK_PHASE_TRAIN)
        rk_str_format(&s, ", --recompute %s, --loss %s", rk_recompute_word(p, o), rk_loss_word(p, o));
    if (o->phase == RK_PHASE_TRAIN && !o->profile.textbook)
        rk_str_format(&s, ", --dropout %s", rk_dropout_word(o));
    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "Assumed: %s; %s.", rk_view_keep(v, &s), o->profile.text);
}
