/* SPDX-License-Identifier: MIT */
/* What `reckon memory` says of prompts and decoding: cache, memory traffic of a step, how fast that can be. */
#include "report/serving.h"

#include "account/serve.h"
#include "report/memory_answer.h"

#include <string.h>

const char *const rk_phase_text[] = {[RK_PHASE_TRAIN] = "a training step",
                                     [RK_PHASE_PREFILL] = "reading a prompt",
                                     [RK_PHASE_DECODE] = "a decoding step"};
const char *const rk_phase_word[] = {
    [RK_PHASE_TRAIN] = "train", [RK_PHASE_PREFILL] = "prefill", [RK_PHASE_DECODE] = "decode"};

/* ---- cache and workspace ---------------------------------------------------------------------------------------- */

/* What is alive at the peak beside weights and cache. */
static rk_i128 workspace_of(const rk_memory *m)
{
    rk_i128 n = m->peak;

    for (size_t i = 0; i < m->alive.n; i++)
        if (m->alive.at[i].kind == RK_ALIVE_WEIGHTS || m->alive.at[i].kind == RK_ALIVE_CACHE)
            n -= m->alive.at[i].bytes * m->alive.at[i].times;
    return n;
}

void rk_view_put_cache_parts(rk_view *v, rk_table *t, const rk_memory *m, rk_put_part *put)
{
    const rk_caches *c = &m->carried;

    put(v, t, 0, "cache", m->cache, m->cache_formula);
    if (c->n > 0) {
        put(v, t, 2, "of one sequence", rk_view_value(v, c->per_sequence), c->per_sequence);
        put(v, t, 2, "of one more token of it", rk_view_value(v, c->per_token), c->per_token);
    }
    put(v, t, 0, "logits", m->logits, m->logits_formula);
    if (!m->options.profile.textbook)
        put(v, t, 0, "workspace at the peak", workspace_of(m), RK_EX_FAILED);
}

/* "0,2,4,…,34" for a list that is longer. */
static const char *brief_layers(rk_view *v, const char *layers)
{
    size_t n = 0, most = 3;
    const char *last = strrchr(layers, ',');
    rk_str s = {0};

    if (strlen(layers) < 20)
        return layers;
    while (most > 0 && layers[n])
        most -= layers[n++] == ',';
    if (!last || last < layers + n)
        return layers;
    rk_str_putn(&s, layers, n);
    rk_str_format(&s, "…%s", last);
    return rk_view_keep(v, &s);
}

void rk_view_put_caches(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_buffer_fields);

    for (size_t i = 0; i < m->carried.n; i++) {
        const rk_cache *c = &m->carried.at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[RK_BUFFER_PATH] = rk_cell_code(c->path);
        if (rk_cache_kind_text[c->kind][0])
            cell[RK_BUFFER_KIND] = rk_cell_name(rk_cache_kind_text[c->kind]);
        cell[RK_BUFFER_LAYERS] =
            rk_cell_both(&v->page, rk_cell_name(c->layers), rk_view_text(c->layers ? brief_layers(v, c->layers) : ""));
        cell[RK_BUFFER_TOKENS] = rk_cell_count(c->n_token);
        cell[RK_BUFFER_BYTES] = rk_cell_count(c->bytes);
        cell[RK_BUFFER_TIMES] = rk_cell_count(c->n_layer);
        cell[RK_BUFFER_TOTAL] = rk_cell_count(c->bytes * c->n_layer);
        cell[RK_BUFFER_FORMULA] = rk_view_formula(v, c->each);
    }
    if (m->carried.n == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "The cache:");
    rk_page_show(&v->page, t);
}

/* ---- memory traffic --------------------------------------------------------------------------------------------- */

static void put_traffic(rk_view *v, rk_table *t, const char *name, rk_i128 bytes, rk_i128 all, rk_ex formula)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&v->page, "%s", name);
    cell[1] = rk_cell_count(bytes);
    cell[2] = rk_cell_share(bytes, all);
    if (formula != RK_EX_FAILED)
        cell[3] = rk_view_short_formula(v, formula, RK_VIEW_TERMS_IN_TABLE);
}

const char *rk_view_quotient(rk_view *v, rk_i128 a, rk_i128 b)
{
    rk_i128 hundredths = b > 0 ? a / b * 100 + a % b * 100 / b : 0;

    return rk_view_format(v, "%s.%02d", rk_view_grouped(v, hundredths / 100), (int)(hundredths % 100));
}

rk_i128 rk_serving_bound(const rk_serving *s)
{
    rk_acc acc = {0};
    rk_i128 n = rk_mul(&acc, rk_mul(&acc, s->bandwidth, 100), s->tokens);

    return acc.overflow || s->moved == 0 ? 0 : n / s->moved;
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const rk_field sum_field[] = {
    RK_KEY("bytes", COUNT, "the number"),
    RK_KEY("formula", FORMULA, "of the same"),
};
static const rk_fields sum_fields = {sum_field, 2};

#define STEP_FIELDS(X)                                                                                                 \
    X(TOKENS, RK_KEY("tokens", COUNT, "new ones"))                                                                     \
    X(FLOPS, RK_KEY("flops", COUNT, "of the step"))                                                                    \
    X(WEIGHTS, RK_OBJECT("weights_read", sum_fields, "without experts"))                                               \
    X(EXPERTS, RK_KEY("experts", COUNT, "bytes of all experts"))                                                       \
    X(VISITED, RK_KEY("experts_read", COUNT, "bytes of those that tokens visit"))                                      \
    X(EXPECTED, RK_KEY("experts_expected", TRUTH, "the same is an expectation"))                                       \
    X(CACHE, RK_OBJECT("cache_read", sum_fields, "of the cache"))                                                      \
    X(WRITTEN, RK_OBJECT("cache_written", sum_fields, "to the cache"))                                                 \
    X(TRAFFIC, RK_KEY("moved", COUNT, "bytes of all this"))                                                            \
    X(BANDWIDTH, RK_KEY("bandwidth", COUNT, "bytes in a second"))                                                      \
    X(BOUND, RK_KEY("tokens_per_second_at_most", COUNT, "at that bandwidth: a bound"))
RK_FIELD_TABLE(step_field, N_STEP, STEP_FIELDS);
const rk_fields rk_serving_fields = {step_field, N_STEP};

static void sum_in(rk_view *v, rk_cell *in, rk_i128 bytes, rk_ex formula)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &sum_fields);

    cell[0] = rk_cell_count(bytes);
    if (formula != RK_EX_FAILED)
        cell[1] = rk_view_formula(v, formula);
}

static void step_in(rk_view *v, rk_cell *in, const rk_serving *s)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &rk_serving_fields);

    cell[TOKENS] = rk_cell_count(s->tokens);
    cell[FLOPS] = rk_cell_count(s->flops);
    sum_in(v, &cell[CACHE], s->cache, s->cache_formula);
    sum_in(v, &cell[WRITTEN], s->written, s->written_formula);
    if (!s->weights_known)
        return;
    sum_in(v, &cell[WEIGHTS], s->weights, s->weights_formula);
    cell[EXPERTS] = rk_cell_count(s->experts);
    cell[VISITED] = rk_cell_count(s->visited);
    cell[EXPECTED] = rk_cell_truth(s->expected);
    cell[TRAFFIC] = rk_cell_count(s->moved);
    if (s->bandwidth > 0) {
        cell[BANDWIDTH] = rk_cell_count(s->bandwidth);
        cell[BOUND] = rk_cell_count(rk_serving_bound(s) / 100);
    }
}

void rk_view_serving(rk_view *v, rk_cell *answer, const rk_memory *m, const rk_serving *s)
{
    const rk_caches *c = &m->carried;

    if (m->options.phase == RK_PHASE_TRAIN)
        return;
    answer[RK_MEMORY_PER_SEQUENCE] = rk_cell_count(rk_view_value(v, c->per_sequence));
    answer[RK_MEMORY_PER_TOKEN] = rk_cell_count(rk_view_value(v, c->per_token));
    answer[RK_MEMORY_LOGITS] = rk_cell_count(m->logits);
    answer[RK_MEMORY_WORKSPACE] = rk_cell_count(workspace_of(m));
    answer[RK_MEMORY_HELD_AS] = rk_cell_name(m->storage.from);
    if (m->options.phase != RK_PHASE_DECODE)
        return;
    if (s->weights_known)
        answer[RK_MEMORY_READ_PER_TOKEN] = rk_cell_count((s->moved - s->written) / (s->tokens ? s->tokens : 1));
    step_in(v, &answer[RK_MEMORY_STEP], s);
}

void rk_view_put_serving(rk_view *v, const rk_memory *m, const rk_serving *s)
{
    static const rk_field column[] = {{.head = "", .key = "moved"},
                                      {.head = "bytes", .key = "bytes", .right = true},
                                      {.head = "share", .right = true, .drop = 2},
                                      {.head = "formula", .key = "formula", .wraps = true, .drop = 1}};
    rk_table *t;
    rk_i128 n;

    if (m->options.phase != RK_PHASE_DECODE)
        return;
    rk_page_gap(&v->page);
    if (!s->weights_known) {
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Which of the file's bytes a step reads is not known; --weights says a type for all matrices.");
        return;
    }
    rk_page_put(&v->page, RK_ITEM_HEADING, 0,
                "Memory traffic of a step of %s new token%s, at the least:", rk_view_grouped(v, s->tokens),
                s->tokens == 1 ? "" : "s");
    t = rk_page_table(&v->page, column, sizeof column / sizeof *column);
    put_traffic(v, t, s->experts ? "weights without experts, read" : "weights, read", s->weights, s->moved,
                s->weights_formula);
    if (s->experts)
        put_traffic(v, t, s->expected ? "experts, read, as expected" : "experts, read", s->visited, s->moved,
                    RK_EX_FAILED);
    put_traffic(v, t, "cache, read", s->cache, s->moved, s->cache_formula);
    put_traffic(v, t, "cache, written", s->written, s->moved, s->written_formula);
    put_traffic(v, t, "all together", s->moved, s->moved, RK_EX_FAILED);
    n = rk_serving_bound(s);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s bytes for each new token; %s FLOPs for each byte.",
                rk_view_grouped(v, s->moved / s->tokens), rk_view_quotient(v, s->flops, s->moved));
    if (s->bandwidth > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "At %s that is at most %s steps and %s tokens in a second: a bound, which activations, "
                    "launches and the products themselves only lower.",
                    rk_view_scaled(v, s->bandwidth, "B/s"), rk_view_quotient(v, s->bandwidth, s->moved),
                    rk_view_quotient(v, n, 100));
    if (s->expected)
        rk_page_put(
            &v->page, RK_ITEM_NOTE, 0,
            "Expected, if every expert is as likely as any other: of E experts, n tokens that visit A each visit "
            "E(1 - (1 - A/E)^n) different ones. Here they are %s of the %s bytes of all experts.",
            rk_view_grouped(v, s->visited), rk_view_grouped(v, s->experts));
}

/* ---- notes ------------------------------------------------------------------------------------------------------ */

void rk_view_put_storage(rk_view *v, const rk_memory *m)
{
    if (m->storage.from && m->options.storage)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Weights are stored as in the quantised checkpoint (%s), in %s bytes.",
                    m->storage.from, rk_view_grouped(v, m->parameters));
    else if (m->storage.from)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Linear layers and experts are stored as %s, other weights in %d bytes.",
                    m->storage.from, m->options.bytes);
    else if (m->storage.file)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Weights are stored as in the file.");
}

void rk_view_put_serving_notes(rk_view *v, const rk_memory *m)
{
    const rk_symbol *seen = rk_model_size(m->model, RK_SIZE_KEYS), *tokens = rk_model_size(m->model, RK_SIZE_TOKENS);

    rk_view_put_storage(v, m);
    if (m->options.phase != RK_PHASE_TRAIN && m->positions > 0 && seen && seen->known &&
        m->instance->value[seen->sym] > m->positions && !(tokens && tokens->context > 0)) /* else the run says it */
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "T = %s is beyond the %s positions that the model has learned.",
                    rk_view_grouped(v, m->instance->value[seen->sym]), rk_view_grouped(v, m->positions));
}
