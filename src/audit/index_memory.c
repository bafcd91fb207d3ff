/* SPDX-License-Identifier: MIT */
/* Entries of training steps on paper: what is kept, the optimizer's state, the peak. */
#include "audit/index_build.h"

#include "plan/profile.h"

/* Steps that people quote figures of. */
static const struct {
    const char *profile;
    int bytes;
    const char *text;
} steps[] = {
    {"textbook", 4, "by the book in fp32"}, /* in bf16 it is half of that */
    {"torch", 4, "as PyTorch does in fp32"},
    {"torch", 2, "as PyTorch does in bf16"},
};

static uint32_t term_of(rk_index *x, const rk_memory *m, rk_ex one, rk_i128 times)
{
    return one == RK_EX_FAILED ? RK_NONE : rk_index_term_add(x, m->instance, one, rk_ex_int(m->instance->pool, times));
}

static void add_figure(rk_index *x, const rk_memory *m, rk_ex e, const char *what, const char *step)
{
    rk_index_entry entry = {.kind = RK_INDEX_BYTES, .cost = RK_COST_KEPT, .path = "", .what = what, .convention = step};

    rk_index_add_both(x, entry, term_of(x, m, e, 1));
}

static void add_rows(rk_index *x, const rk_memory *m, const char *step)
{
    for (size_t i = 0; i < m->kept.n && x->code == RK_OK && !x->cut; i++) {
        const rk_memory_row *row = &m->kept.at[i];
        const char *what = row->what ? rk_index_text(x, "bytes kept for the backward pass, %s", row->what)
                                     : "bytes kept for the backward pass";
        rk_index_entry e = {.kind = RK_INDEX_BYTES,
                            .cost = RK_COST_KEPT + RK_COST_ROW,
                            .path = row->path ? row->path : "",
                            .what = what,
                            .convention = step};

        rk_index_add_both(x, e, term_of(x, m, row->formula, row->times));
    }
}

/* All that is alive at the peak, with what the allocator rounds up. */
static rk_ex peak_formula(const rk_memory *m)
{
    rk_pool *pool = m->instance->pool;

    if (m->n_moment == 0 || m->moment[0].formula == RK_EX_FAILED)
        return RK_EX_FAILED;
    return rk_ex_add(pool, m->moment[0].formula, rk_ex_int(pool, m->moment[0].extra));
}

static void add_account(rk_index *x, const rk_memory *m, const char *step)
{
    add_figure(x, m, m->saved_formula, "bytes kept for the backward pass", step);
    add_figure(x, m, m->optimizer_formula, "bytes of AdamW's state", step);
    add_figure(x, m, peak_formula(m), "bytes at the peak of a training step", step);
    add_rows(x, m, step);
}

/* The model as a profile writes it out, opened once for all steps of it; by hand, it is as it was opened. */
static const rk_instance *instance_for(rk_index *x, const rk_open_request *again, const rk_profile *profile)
{
    rk_open_request request = *again;

    if (profile->by_hand)
        return x->instance;
    request.profile = profile->name;
    request.mistakes = NULL;
    if (x->n_opened == 0)
        x->code = rk_open(&request, &x->opened[0], x->err);
    x->n_opened = x->code == RK_OK;
    return x->n_opened ? x->opened[0] : NULL;
}

void rk_index_gather_memory(rk_index *x, const rk_open_request *again)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps && x->code == RK_OK; i++) {
        rk_memory_options o = {.bytes = steps[i].bytes};
        const rk_instance *m;

        x->code = rk_profile_read(&again->library, &x->arena, steps[i].profile, &o.profile, x->err);
        m = x->code == RK_OK ? instance_for(x, again, &o.profile) : NULL;
        if (!m)
            return;
        o.loss = m->program->loss != RK_NONE;
        x->code = rk_memory_new(m, &o, &x->account[i], x->err);
        if (x->code != RK_OK)
            return;
        x->n_account = i + 1;
        add_account(x, x->account[i], steps[i].text);
    }
}
