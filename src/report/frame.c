/* SPDX-License-Identifier: MIT */
/* What `reckon step` prints: a step in one answer, as a page draws it. */
#include "report/frame.h"
#include "report/answers.h"
#include "report/assumptions.h"
#include "report/memory_answer.h"
#include "report/serving.h"
#include "report/train.h"

#include <string.h>

/* ---- by part ---------------------------------------------------------------------------------------------------- */

#define PART_FIELDS(X)                                                                                                 \
    X(PART_NAME, RK_COLUMN("", "part", TEXT, "embedding, attention, mixer, ffn, norms, head, rest"))                   \
    X(PART_PARAMS, RK_COLUMN("parameters", "parameters", COUNT, "stored in it", .right = true, .unit = "", .drop = 3)) \
    X(PART_FORWARD, RK_COLUMN("forward", "forward", COUNT, "FLOPs", .right = true, .unit = "FLOP", .drop = 2))         \
    X(PART_BACKWARD, RK_COLUMN("backward", "backward", COUNT, "FLOPs", .right = true, .unit = "FLOP", .drop = 1))      \
    X(PART_PEAK, RK_COLUMN("at the peak", "peak", COUNT, "bytes of it", .right = true, .unit = "B"))                   \
    X(PART_PARAMS_SHARE, RK_KEY("parameters_share", SHARE, "of all parameters"))                                       \
    X(PART_FORWARD_SHARE, RK_KEY("forward_share", SHARE, "of the forward pass"))                                       \
    X(PART_PEAK_SHARE, RK_KEY("peak_share", SHARE, "of the peak"))
RK_FIELD_TABLE(part_field, N_PART, PART_FIELDS);
static const rk_fields part_fields = {part_field, N_PART};

static rk_i128 times_value(rk_view *v, rk_ex times, rk_ex figure)
{
    return rk_view_value(v, rk_ex_mul(v->pool, times, figure));
}

static void put_parts(rk_view *v, rk_cell *in, const rk_memory *m)
{
    const rk_ledger *l = v->ledger;
    rk_table *t = rk_cell_list(&v->page, in, &part_fields);
    rk_owners owners = {0};
    rk_i128 params[RK_N_OWNER] = {0}, forward[RK_N_OWNER] = {0}, backward[RK_N_OWNER] = {0};

    if (v->code == RK_OK)
        v->code = rk_owners_find(&v->arena, &v->model->program, &v->model->roles, &owners, v->err);
    for (size_t i = 0; i < l->n_weight && v->code == RK_OK; i++)
        if (v->model->program.weight[l->weight[i].weight].tied_to == RK_NONE)
            params[owners.weight[l->weight[i].weight]] += times_value(v, l->weight[i].times, l->weight[i].count);
    for (size_t i = 0; i < l->n_op && v->code == RK_OK; i++) {
        forward[owners.op[l->op[i].op]] += times_value(v, l->op[i].times, l->op[i].forward);
        backward[owners.op[l->op[i].op]] += times_value(v, l->op[i].times, l->op[i].backward);
    }
    for (size_t i = 0; i < RK_N_OWNER && v->code == RK_OK; i++) {
        rk_i128 peak = 0;
        rk_cell *cell;

        for (size_t k = 0; k < RK_N_ALIVE; k++)
            peak += m->peak_by[k][i];
        if (params[i] == 0 && forward[i] == 0 && peak == 0)
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[PART_NAME] = rk_cell_name(rk_owner_word[i]);
        cell[PART_PARAMS] = rk_cell_count(params[i]);
        cell[PART_FORWARD] = rk_cell_count(forward[i]);
        cell[PART_BACKWARD] = rk_cell_count(m->options.phase == RK_PHASE_TRAIN ? backward[i] : 0);
        cell[PART_PEAK] = rk_cell_count(peak);
        cell[PART_PARAMS_SHARE] = rk_cell_share(params[i], rk_view_value(v, l->stored));
        cell[PART_FORWARD_SHARE] = rk_cell_share(forward[i], rk_view_value(v, l->forward));
        cell[PART_PEAK_SHARE] = rk_cell_share(peak, m->peak);
    }
    rk_page_gap(&v->page);
    rk_page_show(&v->page, t);
}

/* ---- the peak, by kind and part --------------------------------------------------------------------------------- */

#define KIND_KEY(ID, word) RK_COLUMN(word, word, COUNT, "bytes of that part", .right = true, .unit = "B"),

static const rk_field kind_field[] = {
    RK_COLUMN("", "kind", TEXT, "weights, optimizer, gradients, kept (saved for backward), …"),
    RK_COLUMN("bytes", "bytes", COUNT, "alive at the peak", .right = true, .unit = "B"),
    RK_COLUMN("share", "share", SHARE, "of the peak", .right = true, .drop = 1), RK_OWNERS(KIND_KEY)};
enum {
    KIND_WORD,
    KIND_BYTES,
    KIND_SHARE,
    KIND_OWNERS,
    N_KIND = KIND_OWNERS + RK_N_OWNER
};
static const rk_fields kind_fields = {kind_field, N_KIND};

/* Seven parts stand beside each other: people see three digits of each. */
static rk_cell rounded(rk_view *v, rk_i128 bytes)
{
    return rk_cell_both(&v->page, rk_cell_count(bytes), rk_view_text(rk_view_scaled(v, bytes, "B")));
}

static void put_kinds(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t = rk_cell_list(&v->page, in, &kind_fields);

    for (size_t k = 0; k < RK_N_ALIVE; k++) {
        rk_cell *cell;

        if (m->peak_of[k] == 0)
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[KIND_WORD] =
            rk_cell_both(&v->page, rk_cell_name(rk_alive_table[k].word), rk_view_text(rk_alive_table[k].text));
        cell[KIND_BYTES] = rk_cell_count(m->peak_of[k]);
        cell[KIND_SHARE] = rk_cell_share(m->peak_of[k], m->peak);
        for (size_t i = 0; i < RK_N_OWNER; i++)
            if (m->peak_by[k][i] != 0)
                cell[KIND_OWNERS + i] = rounded(v, m->peak_by[k][i]);
    }
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Alive at the peak, in %s%s%s:", m->peak_during ? m->peak_during : "it",
                m->peak_path ? ", at " : "", m->peak_path ? m->peak_path : "");
    rk_page_show(&v->page, t);
}

/* ---- the timeline ----------------------------------------------------------------------------------------------- */

#define POINT_KIND(ID, word, about) RK_KEY(word, COUNT, "bytes of " about),

static const rk_field point_field[] = {RK_KEY("step", COUNT, "the first operation of the point, counted from 0"),
                                       RK_KEY("n", COUNT, "operations that it stands for, where these are several"),
                                       RK_KEY("act", TEXT, "forward, loss, backward, recompute, optimizer"),
                                       RK_KEY("path", CODE, "of these operations, the one at which most is alive"),
                                       RK_KEY("part", TEXT, "whose that is"),
                                       RK_KEY("layer", COUNT, "its layer, where it is in one"),
                                       RK_KEY("bytes", COUNT, "alive at it"),
                                       RK_ALIVES(POINT_KIND)};
enum {
    POINT_STEP,
    POINT_N,
    POINT_ACT,
    POINT_PATH,
    POINT_PART,
    POINT_LAYER,
    POINT_BYTES,
    POINT_KINDS,
    N_POINT = POINT_KINDS + RK_N_ALIVE
};
static const rk_fields point_fields = {point_field, N_POINT};

static void put_timeline(rk_view *v, rk_cell *in, const rk_frame *f)
{
    const rk_program *p = f->memory->instance->program;
    rk_table *t = rk_cell_list(&v->page, in, &point_fields);
    rk_owners owners = {0};
    const char **path = RK_NEW_ARRAY(&v->arena, p->n_op + 1, const char *); /* one for many points */

    if (v->code == RK_OK)
        v->code = rk_owners_find(&v->arena, p, &f->memory->model->roles, &owners, v->err);
    for (size_t i = 0; i < f->samples->n && v->code == RK_OK && path; i++) {
        const rk_sample *x = &f->samples->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        size_t op = x->op ? (size_t)(x->op - p->op) : p->n_op;

        if (x->op && !path[op])
            path[op] = rk_row_path(&v->arena, p, x->op->part, x->op->name);
        cell[POINT_STEP] = rk_cell_count((rk_i128)x->first);
        if (x->n > 1)
            cell[POINT_N] = rk_cell_count((rk_i128)x->n);
        cell[POINT_ACT] = rk_cell_name(rk_act_word[x->act]);
        cell[POINT_PATH] = rk_cell_name(path[op]);
        cell[POINT_PART] = rk_cell_name(x->op ? rk_owner_word[owners.op[op]] : NULL);
        if (x->layer != RK_NONE)
            cell[POINT_LAYER] = rk_cell_count(x->layer);
        cell[POINT_BYTES] = rk_cell_count(x->total);
        for (size_t k = 0; k < RK_N_ALIVE; k++)
            if (x->bytes[k] != 0)
                cell[POINT_KINDS + k] = rk_cell_count(x->bytes[k]);
    }
}

/* ---- ways ------------------------------------------------------------------------------------------------------- */

static const rk_field way_field[] = {
    RK_COLUMN("", "option", CODE, "as it is typed", .typed = true),
    RK_COLUMN("", "text", TEXT, "what it does", .drop = 1),
    RK_COLUMN("peak", "peak", COUNT, "bytes, of each device", .right = true, .unit = "B"),
    RK_COLUMN("operations", "operations", SHARE, "its FLOPs over those of the step as it is", .right = true),
    RK_COLUMN("fits", "fits", TRUTH, "on the device that was named"),
    RK_KEY("left", COUNT, "bytes of it that are left; below 0: too much by so many"),
    RK_ALIVES(POINT_KIND)};
enum {
    WAY_OPTION,
    WAY_TEXT,
    WAY_PEAK,
    WAY_OPERATIONS,
    WAY_FITS,
    WAY_LEFT,
    WAY_KINDS,
    N_WAY = WAY_KINDS + RK_N_ALIVE
};
static const rk_fields way_fields = {way_field, N_WAY};

static void put_ways(rk_view *v, rk_cell *in, const rk_frame *f)
{
    rk_table *t = rk_cell_list(&v->page, in, &way_fields);

    for (size_t i = 0; i < f->ways->n; i++) {
        const rk_way *w = &f->ways->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[WAY_OPTION] = rk_cell_code(w->option);
        cell[WAY_TEXT] = rk_view_text(w->text);
        cell[WAY_PEAK] = rk_cell_count(w->peak);
        cell[WAY_OPERATIONS] = rk_cell_share(w->operations, f->ways->operations);
        if (f->limit > 0) {
            cell[WAY_FITS] = rk_cell_truth(w->fits);
            cell[WAY_LEFT] = rk_cell_count(f->limit - w->peak);
        }
        for (size_t k = 0; k < RK_N_ALIVE; k++)
            if (w->peak_of[k] != 0)
                cell[WAY_KINDS + k] = rk_cell_count(w->peak_of[k]);
    }
    if (f->ways->n == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "The same step otherwise, each way by itself:");
    rk_page_show(&v->page, t);
}

/* ---- how far it goes -------------------------------------------------------------------------------------------- */

#define CURVE_FIELDS(X)                                                                                                \
    X(CURVE_NUMBER, RK_KEY("number", COUNT, "of the symbol"))                                                          \
    X(CURVE_PEAK, RK_KEY("peak", COUNT, "bytes"))
RK_FIELD_TABLE(curve_field, N_CURVE, CURVE_FIELDS);
static const rk_fields curve_fields = {curve_field, N_CURVE};

#define EXTENT_FIELDS(X)                                                                                               \
    X(EXTENT_SYMBOL, RK_COLUMN("", "symbol", TEXT, "B, S, T; N: devices on which weights lie in pieces"))              \
    X(EXTENT_NOW, RK_COLUMN("now", "now", COUNT, "its number in the step", .right = true))                             \
    X(EXTENT_LAST, RK_COLUMN("last that fits", "last", COUNT, "0: none; of devices the fewest", .right = true))        \
    X(EXTENT_BYTES, RK_COLUMN("its peak", "peak", COUNT, "bytes with it", .right = true, .unit = "B"))                 \
    X(EXTENT_NEXT,                                                                                                     \
      RK_COLUMN("next", "next", COUNT, "bytes with one more; of devices, with half of them; null: unknown",            \
                .right = true, .unit = "B"))                                                                           \
    X(EXTENT_CURVE, RK_LIST("curve", curve_fields, "the peak over it"))
RK_FIELD_TABLE(extent_field, N_EXTENT, EXTENT_FIELDS);
static const rk_fields extent_fields = {extent_field, N_EXTENT};

static void put_extents(rk_view *v, rk_cell *in, const rk_frame *f)
{
    rk_table *t = rk_cell_list(&v->page, in, &extent_fields);

    for (size_t i = 0; i < f->extents->n; i++) {
        const rk_extent *x = &f->extents->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        rk_table *curve = rk_cell_list(&v->page, &cell[EXTENT_CURVE], &curve_fields);

        cell[EXTENT_SYMBOL] = rk_cell_name(x->symbol);
        cell[EXTENT_NOW] = rk_cell_count(x->now);
        if (f->limit > 0) {
            bool next = x->fit.next != RK_I128_MAX && x->fit.next > 0;

            cell[EXTENT_LAST] = rk_cell_count(x->fit.largest);
            cell[EXTENT_BYTES] = rk_cell_count_if(x->fit.largest > 0, x->fit.bytes);
            cell[EXTENT_NEXT] = rk_cell_count_if(next, x->fit.next);
        }
        for (size_t k = 0; k < x->n; k++) {
            rk_cell *point = rk_page_row(&v->page, curve, RK_ROW_PLAIN, 0);

            point[CURVE_NUMBER] = rk_cell_count(x->point[k].number);
            point[CURVE_PEAK] = rk_cell_count(x->point[k].peak);
        }
    }
    if (f->extents->n == 0 || f->limit == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_show(&v->page, t);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

#define ANSWER_FIELDS(X)                                                                                               \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(CONVENTION, RK_OBJECT("convention", rk_convention_fields, "what counts as an operation"))                        \
    X(PROFILE, RK_OBJECT("profile", rk_profile_fields, "how the step is run"))                                         \
    X(LAYOUT, RK_OBJECT("layout", rk_layout_fields, "the rank, where there are several devices"))                      \
    X(PARAMETERS, RK_OBJECT("parameters", rk_total_fields, "that are stored"))                                         \
    X(ACTIVE, RK_KEY("active", COUNT, "parameters that one token uses"))                                               \
    X(FORWARD, RK_OBJECT("forward", rk_total_fields, "FLOPs"))                                                         \
    X(BACKWARD, RK_OBJECT("backward", rk_total_fields, "FLOPs, of a training step"))                                   \
    X(STEP, RK_OBJECT("step", rk_total_fields, "both"))                                                                \
    X(WEIGHTS, RK_KEY("weights", COUNT, "bytes"))                                                                      \
    X(GRADIENTS, RK_KEY("gradients", COUNT, "bytes"))                                                                  \
    X(OPTIMIZER, RK_KEY("optimizer", COUNT, "bytes of its state"))                                                     \
    X(SAVED, RK_KEY("saved", COUNT, "bytes saved for backward"))                                                       \
    X(CACHE, RK_KEY("kv_cache", COUNT, "bytes of the cache"))                                                          \
    X(PEAK, RK_KEY("peak", COUNT, "the most bytes of tensors and workspaces at once"))                                 \
    X(DURING, RK_KEY("during", TEXT, "when that is"))                                                                  \
    X(AT, RK_KEY("at", CODE, "the operation that is being done then"))                                                 \
    X(DEVICE, RK_KEY("device", TEXT, "that was named"))                                                                \
    X(LIMIT, RK_KEY("limit", COUNT, "bytes of it that tensors can have"))                                              \
    X(FITS, RK_KEY("fits", TRUTH, "the peak is no more than that"))                                                    \
    X(LEFT, RK_KEY("left", COUNT, "bytes of it that are left; below 0: too much by so many"))                          \
    X(PARTS, RK_LIST("parts", part_fields, "by part of the model; they add up to the totals"))                         \
    X(KINDS, RK_LIST("kinds", kind_fields, "the peak by kind, and each kind by part; they add up to it"))              \
    X(WAYS, RK_LIST("ways", way_fields, "the same step otherwise, each by itself; with --ways"))                       \
    X(EXTENTS, RK_LIST("extents", extent_fields,                                                                       \
                       "the peak over B, S and devices, and where it stops fitting; with "                             \
                       "--curves"))                                                                                    \
    X(N_OPS, RK_KEY("operations", COUNT, "of the timeline, those of all layers"))                                      \
    X(TIMELINE, RK_LIST("timeline", point_fields, "what is alive over the step; with --points"))
RK_ANSWER_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_step = {answer_field, N_ANSWER};

static void put_verdict(rk_view *v, rk_cell *answer, const rk_frame *f)
{
    const rk_memory *m = f->memory;

    if (f->device)
        answer[DEVICE] = rk_cell_name(f->device->key);
    if (f->limit == 0) {
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Its peak is %s bytes (%s).", rk_view_grouped(v, m->peak),
                    rk_view_scaled(v, m->peak, "B"));
        return;
    }
    answer[LIMIT] = rk_cell_count(f->limit);
    answer[FITS] = rk_cell_truth(m->peak <= f->limit);
    answer[LEFT] = rk_cell_count(f->limit - m->peak);
    rk_page_put(
        &v->page, RK_ITEM_LINE, 0, "Its peak is %s bytes (%s), which %s into the %s that tensors can have%s%s: %s %s.",
        rk_view_grouped(v, m->peak), rk_view_scaled(v, m->peak, "B"), m->peak <= f->limit ? "fits" : "does not fit",
        rk_view_scaled(v, f->limit, "B"), f->device ? " of " : "", f->device ? f->device->key : "",
        rk_view_scaled(v, m->peak <= f->limit ? f->limit - m->peak : m->peak - f->limit, "B"),
        m->peak <= f->limit ? "are left" : "too much");
}

static void put_sums(rk_view *v, rk_cell *answer, const rk_frame *f)
{
    const rk_memory *m = f->memory;
    const rk_ledger *l = v->ledger;

    rk_view_symbols(v, &answer[SYMBOLS]);
    rk_view_convention(v, &answer[CONVENTION]);
    rk_view_profile(v, &answer[PROFILE], &m->options);
    rk_view_layout(v, &answer[LAYOUT], m->options.layout);
    rk_view_sum(v, &answer[PARAMETERS], l->stored);
    answer[ACTIVE] = rk_cell_count(rk_view_value(v, l->active));
    rk_view_sum(v, &answer[FORWARD], l->forward);
    if (m->options.phase == RK_PHASE_TRAIN) {
        rk_view_sum(v, &answer[BACKWARD], l->backward);
        rk_view_sum(v, &answer[STEP], rk_ex_add(v->pool, l->forward, l->backward));
    }
    answer[WEIGHTS] = rk_cell_count(m->parameters);
    answer[GRADIENTS] = rk_cell_count(m->gradients);
    answer[OPTIMIZER] = rk_cell_count(m->optimizer);
    answer[SAVED] = rk_cell_count(m->saved);
    answer[CACHE] = rk_cell_count(m->cache);
    answer[PEAK] = rk_cell_count(m->peak);
    answer[DURING] = rk_cell_name(m->peak_during);
    answer[AT] = rk_cell_name(m->peak_path);
}

int rk_report_frame(const rk_report *r, const rk_ledger *l, const rk_frame *f, rk_err *err)
{
    rk_cell *answer;
    rk_view v;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, &rk_answer_step);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "%s: %s", v.model->name, rk_phase_text[f->memory->options.phase]);
    rk_view_put_like(&v);
    rk_view_put_notes(&v);
    rk_view_put_run(&v);
    rk_view_put_assumptions(&v, &f->memory->options);
    put_sums(&v, answer, f);
    put_verdict(&v, answer, f);
    put_parts(&v, &answer[PARTS], f->memory);
    put_kinds(&v, &answer[KINDS], f->memory);
    if (f->ways)
        put_ways(&v, &answer[WAYS], f);
    if (f->extents)
        put_extents(&v, &answer[EXTENTS], f);
    if (f->samples) {
        answer[N_OPS] = rk_cell_count((rk_i128)f->samples->n_op);
        put_timeline(&v, &answer[TIMELINE], f);
    }
    return rk_view_end(&v);
}
