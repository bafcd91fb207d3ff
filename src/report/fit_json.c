/* SPDX-License-Identifier: MIT */
/* What `reckon fit` writes for programs. */
#include "report/fit.h"

#include "report/serving.h"

static const char *const phase_word[] = {
    [RK_PHASE_TRAIN] = "train", [RK_PHASE_PREFILL] = "prefill", [RK_PHASE_DECODE] = "decode"};

static void json_largest(rk_view *v, const char *key, const rk_fit_largest *l)
{
    rk_json *j = &v->json;

    if (!l->symbol || l->state == RK_FIT_UNASKED) {
        rk_json_null(j, key);
        return;
    }
    rk_json_row(j, key);
    rk_json_text(j, "symbol", l->symbol);
    rk_json_count(j, "largest", l->largest);
    rk_json_count(j, "needs", l->bytes);
    if (l->state == RK_FIT_FOUND && l->next != RK_I128_MAX)
        rk_json_count(j, "next_needs", l->next);
    rk_json_truth(j, "bounded", l->state == RK_FIT_BOUNDED);
    rk_json_close(j);
}

static void json_rows(rk_view *v, const rk_portion *s)
{
    rk_json *j = &v->json;

    rk_json_open(j, "rows", '[');
    for (size_t i = 0; i < s->n_row; i++) {
        rk_json_row(j, NULL);
        rk_json_text(j, "what", rk_fit_row_text(v, s, s->row[i].what));
        rk_json_count(j, "whole", s->row[i].whole);
        rk_json_count(j, "over", s->row[i].over);
        rk_json_count(j, "bytes", s->row[i].bytes);
        rk_json_close(j);
    }
    rk_json_close(j);
    rk_json_open(j, "pieces", '[');
    for (size_t i = 0; i < s->pieces.n; i++) {
        rk_json_row(j, NULL);
        rk_json_text(j, "path", s->pieces.at[i].path);
        if (s->pieces.at[i].what)
            rk_json_text(j, "what", s->pieces.at[i].what);
        rk_json_count(j, "bytes", s->pieces.at[i].bytes);
        rk_json_count(j, "times", s->pieces.at[i].times);
        rk_json_close(j);
    }
    rk_json_close(j);
}

static void json_split(rk_view *v, const rk_fit_asked *f)
{
    const rk_device_split *s = &f->answer->split;
    rk_json *j = &v->json;

    rk_json_open(j, "split", '{');
    rk_json_text(j, "name", rk_fit_split_text(v, s));
    rk_json_count(j, "devices", s->devices);
    rk_json_count(j, "tensor", s->tensor);
    rk_json_count(j, "zero", s->zero);
    rk_json_row(j, "divided");
    for (size_t i = 0; s->tensor > 1 && i < f->slice->n; i++) {
        const rk_slice_symbol *x = &f->slice->at[i];

        if (rk_slice_number(x, s->tensor) != x->whole)
            rk_json_count(j, x->symbol->name, rk_slice_number(x, s->tensor));
    }
    rk_json_close(j);
    rk_json_close(j);
}

void rk_fit_json(rk_view *v, const rk_fit_asked *f)
{
    const rk_fit_answer *x = f->answer;
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", v->model->name);
    rk_view_json_symbols(v);
    rk_json_text(j, "phase", phase_word[x->at.memory->options.phase]);
    rk_json_text(j, "device", f->device ? f->device->key : NULL);
    rk_json_count(j, "memory", f->memory);
    rk_json_count(j, "limit", x->limit);
    json_split(v, f);
    rk_json_truth(j, "fits", x->fits);
    rk_json_count(j, "needs", x->at.total);
    rk_json_text(j, "during", x->at.during);
    json_largest(v, "batch", &x->batch);
    json_largest(v, "length", &x->length);
    if (x->fewest)
        rk_json_count(j, "fewest_devices", x->fewest);
    else
        rk_json_null(j, "fewest_devices");
    rk_json_count(j, x->fewest ? "fewest_needs" : "least_needs", x->fewest ? x->fewest_bytes : x->at_most.total);
    if (x->at.memory->options.phase == RK_PHASE_DECODE && f->serving.weights_known) {
        rk_json_row(j, "step");
        rk_json_count(j, "tokens", f->serving.tokens);
        rk_json_count(j, "moved", f->serving.moved);
        if (f->serving.bandwidth > 0) {
            rk_json_count(j, "bandwidth", f->serving.bandwidth);
            rk_json_count(j, "tokens_per_second_at_most", rk_serving_bound(&f->serving) / 100);
        }
        rk_json_truth(j, "estimate", true);
        rk_json_close(j);
    }
    json_rows(v, &x->at);
    rk_json_close(j);
}
