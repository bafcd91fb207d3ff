/* SPDX-License-Identifier: MIT */
#include "ask/ranks.h"

#include "pass/schedule.h"

#include <string.h>

int rk_ranks_row_volume(const rk_memory *m, const rk_sent_row *r, rk_i128 *out, rk_err *err)
{
    rk_pool *pool = m->instance->pool;
    rk_i128 num = 0, den = 1;
    rk_ex each = rk_sent_volume(pool, &r->sent, rk_sent_group_size(pool, m->options.layout, &r->sent));
    int code = rk_ex_eval_ratio(pool, each, &m->instance->at, &num, &den, err);

    *out = code == RK_OK ? num * r->times * r->sent.bytes / den : 0;
    return code;
}

int rk_ranks_volume(const rk_memory *m, rk_i128 *out, rk_err *err)
{
    int code = RK_OK;

    *out = 0;
    for (size_t i = 0; i < m->sent.n && code == RK_OK; i++) {
        rk_i128 one = 0;

        code = rk_ranks_row_volume(m, &m->sent.at[i], &one, err);
        *out += one;
    }
    return code;
}

/* The axis along which a weight lies over experts that are chosen for each token. */
static const rk_ix *routed_axis(const rk_program *p, const rk_op *op, size_t k)
{
    const rk_tensor *t = &p->tensor[op->in[k].tensor];
    const rk_ixs *axes = &op->in[k].axes;

    if (t->kind != RK_TENSOR_WEIGHT || !(p->weight[t->weight].pieces >> RK_MESH_EP & 1))
        return NULL;
    for (size_t i = 0; i < axes->n; i++)
        if (axes->at[i].kind == RK_IX_ROUTED)
            return &axes->at[i];
    return NULL;
}

/* Rows of what a product with such a weight reads: all but what the weight has, too. */
static rk_ex rows_of(rk_pool *pool, const rk_op *op, size_t weight)
{
    const rk_ixs *own = &op->in[weight].axes, *other = &op->in[1 - weight].axes;
    rk_ex n = rk_ex_int(pool, 1);

    for (size_t i = 0; i < other->n; i++) {
        bool shared = false;

        for (size_t k = 0; k < own->n; k++)
            shared |= own->at[k].kind != RK_IX_ROUTED && own->at[k].label == other->at[i].label;
        n = shared ? n : rk_ex_mul(pool, n, other->at[i].size);
    }
    return n;
}

int rk_ranks_load(const rk_memory *m, rk_expert_load *out, rk_err *err)
{
    const rk_program *p = m->instance->program;
    int code = RK_OK;

    *out = (rk_expert_load){0};
    for (size_t i = 0; rk_layout_sends_tokens(m->options.layout) && i < p->n_op && out->even == 0; i++)
        for (size_t k = 0; k < 2 && p->op[i].n_in == 2 && code == RK_OK; k++) {
            const rk_ix *ix = routed_axis(p, &p->op[i], k);
            rk_i128 chosen, here;

            if (!ix)
                continue;
            out->even = rk_instance_value(m->instance, rows_of(m->instance->pool, &p->op[i], k), &code, err);
            chosen = rk_instance_value(m->instance, p->label[ix->label].size, &code, err);
            here = rk_instance_value(m->instance, ix->size, &code, err);
            out->worst = out->even * m->options.layout->size[RK_MESH_EP];
            if (here < chosen) /* a token chooses each expert once */
                out->worst = out->worst / chosen * here;
        }
    return code;
}

rk_i128 rk_ranks_passes(const rk_memory *m)
{
    const rk_layout *l = m->options.layout;
    rk_i128 micro = l && l->size[RK_MESH_PP] > 1 ? rk_layout_micro(l) : 1;

    return micro * (m->options.passes > 1 ? m->options.passes : 1);
}

rk_i128 rk_ranks_batches(const rk_memory *m)
{
    const rk_layout *l = m->options.layout;

    return rk_ranks_passes(m) * (l ? l->size[RK_MESH_DDP] * l->size[RK_MESH_FSDP] * l->size[RK_MESH_REPLICATE] : 1);
}

double rk_ranks_filled(const rk_layout *l)
{
    double p = (double)l->size[RK_MESH_PP], rounds = (double)rk_layout_micro(l) * (double)l->stages;

    return l->size[RK_MESH_PP] == 1 || l->schedule == RK_SCHEDULE_ZERO_BUBBLE ? 1 : rounds / (rounds + p - 1);
}

/* As its equations have them, without a profile: those of 'reckon flops'. */
static int count_flops(rk_rank_kind *k, rk_err *err)
{
    rk_opened plain = {0};
    rk_ledger *l = NULL;
    rk_acc acc = {0};
    int code = rk_open_all(&k->run.equations, RK_FIND_MODEL, &plain, err);

    if (code == RK_OK)
        code = rk_ledger_new(plain.instance, &k->run.ledger->convention, &l, err);
    if (code == RK_OK)
        k->flops = rk_instance_value(plain.instance, l->forward, &code, err);
    if (code == RK_OK && k->memory->options.phase == RK_PHASE_TRAIN)
        k->flops = rk_add(&acc, k->flops, rk_instance_value(plain.instance, l->backward, &code, err));
    k->flops = rk_mul(&acc, k->flops, rk_ranks_passes(k->memory));
    if (code == RK_OK && acc.overflow)
        code = rk_fail(err, RK_EOVERFLOW, "the operations of a rank exceed 128 bits");
    rk_ledger_free(l);
    rk_opened_free(&plain);
    return code;
}

static int measure(const rk_run_request *r, rk_rank_kind *out, rk_err *err)
{
    int code = rk_run_open(r, &out->run, err);

    if (code == RK_OK)
        code = rk_memory_new(out->run.opened.instance, &out->run.options, &out->memory, err);
    return code == RK_OK ? rk_ranks_volume(out->memory, &out->volume, err) : code;
}

static void drop(rk_rank_kind *k)
{
    rk_memory_free(k->memory);
    rk_run_close(&k->run);
    *k = (rk_rank_kind){0};
}

static rk_i128 layers_of(const rk_memory *m)
{
    const rk_program *p = m->instance->program;
    rk_i128 n = 0;

    for (size_t i = 0; i < p->n_loop; i++)
        n += p->loop[i].parent == 0 && p->loop[i].first_op != p->loop[i].end_op ? (rk_i128)p->loop[i].n_layer : 0;
    return n;
}

static const char *number(rk_arena *a, rk_i128 n)
{
    char text[RK_NUM_TEXT_MAX];

    return rk_arena_text(a, rk_num_text(text, n));
}

/* ---- each kind of rank ------------------------------------------------------------------------------------------- */

static int find_kinds(rk_arena *a, const rk_run_request *r, rk_ranks *out, rk_err *err)
{
    rk_i128 places = out->layout.size[RK_MESH_PP], each = rk_layout_devices(&out->layout) / places;
    int code = RK_OK;

    if (places > RK_RANKS_PLACES_MAX)
        return rk_fail(err, RK_ELIMIT, "a pipeline of more than %d places", RK_RANKS_PLACES_MAX);
    if (!(out->at = RK_NEW_ARRAY(a, (size_t)places, rk_rank_kind)))
        return rk_fail_memory(err);
    for (rk_i128 i = 0; i < places && code == RK_OK; i++) {
        rk_rank_kind *k = &out->at[out->n++];
        rk_run_request one = *r;

        one.layout.said[RK_LAYOUT_STAGE] = NULL;
        one.layout.said[RK_LAYOUT_RANK] = number(a, i * each);
        k->rank = i * each;
        k->n = each;
        code = one.layout.said[RK_LAYOUT_RANK] ? measure(&one, k, err) : rk_fail_memory(err);
        if (code == RK_OK)
            code = count_flops(k, err);
        if (code == RK_OK)
            k->layers = layers_of(k->memory);
        if (code == RK_OK && k->memory->peak > out->at[out->fullest].memory->peak)
            out->fullest = (size_t)i;
    }
    return code;
}

/* ---- the layouts beside it --------------------------------------------------------------------------------------- */

/* The line of a layout as it is typed. */
static const char *line_of(rk_arena *a, const rk_layout *l)
{
    static const char *const zero[] = {"", ",zero1", ",zero2", ",zero3"};
    rk_str line = {0};
    const char *text;
    char n[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < RK_N_MESH; i++)
        if (l->said[i] && l->size[i] > 1)
            rk_str_format(&line, "%s%s=%s", line.n ? "," : "", rk_mesh_word[i], rk_num_text(n, l->size[i]));
    rk_str_format(&line, "%s%s%s", l->sp ? ",sp" : "", l->vocab_loss ? ",vocab-loss" : "", zero[l->zero]);
    if (l->stages > 1)
        rk_str_format(&line, ",virtual=%s", rk_num_text(n, l->stages));
    text = rk_arena_text(a, rk_str_text(&line));
    rk_str_free(&line);
    return text;
}

/* Looks at one more layout; one that the model cannot have is no neighbour. */
static int try(rk_arena *a, const rk_run_request *r, const rk_layout *l, const char *what, rk_ranks *out, rk_err *err)
{
    rk_run_request with = *r;
    rk_rank_kind k = {0};
    rk_neighbour *new = &out->neighbour[out->n_neighbour];
    rk_err why = {0};
    int code;

    with.layout.said[RK_LAYOUT_LINE] = line_of(a, l);
    with.layout.said[RK_LAYOUT_RANK] = with.layout.said[RK_LAYOUT_STAGE] = NULL;
    if (!with.layout.said[RK_LAYOUT_LINE] || !what)
        return rk_fail_memory(err);
    if (out->n_neighbour == RK_NEIGHBOURS_MAX || !*with.layout.said[RK_LAYOUT_LINE])
        return RK_OK;
    code = measure(&with, &k, &why);
    if (code == RK_OK) {
        *new = (rk_neighbour){with.layout.said[RK_LAYOUT_LINE], what, rk_layout_devices(k.memory->options.layout),
                              k.memory->peak, k.volume};
        out->n_neighbour++;
    }
    drop(&k);
    return rk_after_try(code, &why, err);
}

static int find_neighbours(rk_arena *a, const rk_run_request *r, rk_ranks *out, rk_err *err)
{
    int code = RK_OK;

    for (size_t i = 0; i < RK_N_MESH && code == RK_OK; i++) {
        rk_layout l = out->layout;

        if (!l.said[i])
            continue;
        l.size[i] *= 2;
        code = try(a, r, &l, rk_arena_format(a, "%s twice as large", rk_mesh_word[i]), out, err);
        l.size[i] /= 4;
        if (code == RK_OK && l.size[i] > 0 && out->layout.size[i] % 2 == 0)
            code = try(a, r, &l, rk_arena_format(a, "%s half as large", rk_mesh_word[i]), out, err);
    }
    if (code == RK_OK && out->layout.size[RK_MESH_TP] > 1) {
        rk_layout l = out->layout;

        l.sp = !l.sp;
        code = try(a, r, &l, l.sp ? "with sp" : "without sp", out, err);
        l = out->layout;
        l.vocab_loss = !l.vocab_loss;
        if (code == RK_OK)
            code = try(a, r, &l, l.vocab_loss ? "with vocab-loss" : "without vocab-loss", out, err);
    }
    return code;
}

int rk_ranks_find(rk_arena *a, const rk_run_request *r, bool neighbours, rk_ranks *out, rk_err *err)
{
    bool any = false;
    int code;

    *out = (rk_ranks){0};
    code = rk_layout_read(&r->open.library, a, &r->layout, &out->layout, &any, err);
    if (code == RK_OK && !any)
        code =
            rk_fail(err, RK_EUSAGE, "over which devices? --layout fsdp=8,tp=4,sp ('reckon help ranks' has the axes)");
    if (code == RK_OK)
        code = find_kinds(a, r, out, err);
    if (code == RK_OK && neighbours)
        code = find_neighbours(a, r, out, err);
    if (code != RK_OK)
        rk_ranks_free(out);
    return code;
}

void rk_ranks_free(rk_ranks *r)
{
    for (size_t i = 0; i < r->n; i++)
        drop(&r->at[i]);
    r->n = 0;
}
