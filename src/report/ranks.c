/* SPDX-License-Identifier: MIT */
/* The rank that an account is of, and what it sends: keys and tables that several reports have. */
#include "report/ranks.h"

#include "report/answers.h"
#include "report/assumptions.h"
#include "report/chart.h"
#include "report/memory_answer.h"
#include "report/train.h"

static const rk_field layout_field[] = {
    RK_OBJECT("axes", rk_symbols_fields, "of the mesh, with their sizes"),
    RK_KEY("rank", COUNT, "the device, counted from 0"),
    RK_KEY("runtime", TEXT, "whose way it is"),
    RK_KEY("devices", COUNT, "all of them"),
};
const rk_fields rk_layout_fields = {layout_field, 4};

enum {
    PHASE,
    OP,
    TYPE,
    ELEMENTS,
    GROUP,
    SIZE,
    TIMES,
    BYTES,
    FORMULA
};

static const rk_field sent_field[] = {
    [PHASE] = RK_COLUMN("when", "phase", TEXT, "fwd, bwd, opt; fwdbwd: of a pipeline; prefill, decode"),
    [OP] = RK_COLUMN("operation", "op", TEXT, "what the devices of the group do together"),
    [TYPE] = RK_COLUMN("type", "dtype", TEXT, "of the elements"),
    [ELEMENTS] = RK_COLUMN("elements", "elements", COUNT, "of the whole tensor: gathered, or before it is scattered",
                           .right = true),
    [GROUP] = RK_COLUMN("over", "group", TEXT, "the axis of the mesh"),
    [SIZE] = RK_COLUMN("of", "size", COUNT, "devices in the group", .right = true),
    [TIMES] = RK_COLUMN("times", "times", COUNT, "in a step", .right = true),
    [BYTES] = RK_COLUMN("bytes", "bytes", COUNT, "elements × times, in bytes", .unit = "B", .right = true, .drop = 2),
    [FORMULA] = RK_COLUMN("elements of one", "formula", FORMULA, "elements", .wraps = true, .drop = 1),
};
const rk_fields rk_sent_fields = {sent_field, 9};

void rk_view_layout(rk_view *v, rk_cell *in, const rk_layout *l)
{
    const char **key = RK_NEW_ARRAY(&v->arena, RK_N_MESH, const char *);
    rk_cell *size = RK_NEW_ARRAY(&v->arena, RK_N_MESH, rk_cell), *cell;
    size_t n = 0;

    if (!l || !key || !size)
        return;
    cell = rk_cell_object(&v->page, in, &rk_layout_fields);
    for (size_t i = 0; i < RK_N_MESH; i++)
        if (l->said[i]) {
            key[n] = rk_mesh_word[i];
            size[n++] = rk_cell_count(l->size[i]);
        }
    rk_cell_names(&v->page, &cell[0], key, size, n);
    cell[1] = rk_cell_count(l->rank);
    cell[2] = rk_cell_name(l->runtime.name);
    cell[3] = rk_cell_count(rk_layout_devices(l));
}

/* Which device is meant, and what a pipeline gives it. */
void rk_view_put_rank(rk_view *v, const rk_memory *m)
{
    static const char *const schedule[] = {"1f1b", "gpipe", "interleaved1f1b", "interleavedzb"};
    const rk_layout *l = m->options.layout;
    const rk_program *p = &m->model->program;
    rk_str stages = {0};

    if (!l || l->size[RK_MESH_PP] == 1)
        return;
    for (size_t k = 0; k < p->n_stage; k++) {
        size_t layers = 0;

        for (size_t i = 0; i < p->n_loop; i++)
            if (p->loop[i].parent == 0 && p->loop[i].first_op < p->loop[i].end_op &&
                rk_program_stage_of(p, p->loop[i].first_op) == k)
                layers += p->loop[i].n_layer;
        rk_str_format(&stages, "%s%u (%zu layer%s)",
                      k == 0                ? ""
                      : k + 1 == p->n_stage ? " and "
                                            : ", ",
                      p->stage[k].number, layers, layers == 1 ? "" : "s");
    }
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Rank %s of %s%s: stage%s %s of %s; %s micro-batches of B, %s.",
                rk_view_grouped(v, l->rank), rk_view_grouped(v, rk_layout_devices(l)),
                l->rank_said ? "" : ", which holds most", p->n_stage > 1 ? "s" : "", rk_str_text(&stages),
                rk_view_grouped(v, rk_layout_stages(l)), rk_view_grouped(v, rk_layout_micro(l)), schedule[l->schedule]);
    rk_str_free(&stages);
}

/* What a type of so many bytes is called in a run. */
static const char *type_of(const rk_memory *m, int bytes)
{
    return bytes == 4                                 ? "fp32"
           : bytes == 8                               ? "int64"
           : m->options.bytes == 2 && m->options.type ? m->options.type
                                                      : "bf16";
}

void rk_view_put_sent(rk_view *v, rk_cell *in, const rk_memory *m)
{
    rk_table *t;

    if (!m->options.layout)
        return;
    t = rk_cell_list(&v->page, in, &rk_sent_fields);
    for (size_t i = 0; i < m->sent.n; i++) {
        const rk_sent_row *r = &m->sent.at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[PHASE] = rk_cell_name(rk_sent_phase_word[r->phase]);
        cell[OP] = rk_cell_name(rk_collective_word[r->sent.op]);
        cell[TYPE] = rk_cell_name(type_of(m, r->sent.bytes));
        cell[ELEMENTS] = rk_cell_count(r->elements);
        cell[GROUP] = rk_cell_name(rk_sent_group_word(m->options.layout, &r->sent));
        cell[SIZE] = rk_cell_count(rk_sent_group(m->options.layout, &r->sent));
        cell[TIMES] = rk_cell_count(r->times);
        cell[BYTES] = rk_cell_count(r->elements * r->times * r->sent.bytes);
        cell[FORMULA] = rk_view_formula(v, r->sent.elements);
    }
    if (m->sent.n == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "What the rank sends in a step:");
    rk_page_show(&v->page, t);
}

/* ---- the page of all ranks --------------------------------------------------------------------------------------- */

/* X(ID, field): of a kind of rank. */
#define KIND_ROW(X)                                                                                                    \
    X(KIND_RANKS, RK_COLUMN("ranks", "ranks", TEXT, "those that are alike", .right = true))                            \
    X(KIND_STAGE, RK_COLUMN("stage", "stage", COUNT, "its place in the pipeline", .right = true, .drop = 4))           \
    X(KIND_LAYERS, RK_COLUMN("layers", "layers", COUNT, "that each runs", .right = true, .drop = 3))                   \
    X(KIND_FLOPS, RK_COLUMN("FLOPs", "flops", COUNT, "of each in a step; what is recomputed is not in it",             \
                            .unit = "FLOP", .right = true, .drop = 2))                                                 \
    X(KIND_PARAMETERS, RK_COLUMN("weights", "parameters", COUNT, "bytes", .unit = "B", .right = true))                 \
    X(KIND_GRADIENTS, RK_COLUMN("gradients", "gradients", COUNT, "bytes", .unit = "B", .right = true, .drop = 2))      \
    X(KIND_OPTIMIZER, RK_COLUMN("optimizer", "optimizer", COUNT, "bytes", .unit = "B", .right = true))                 \
    X(KIND_SAVED, RK_COLUMN("saved", "saved", COUNT, "bytes saved for backward, of one micro-batch", .unit = "B",      \
                            .right = true, .drop = 1))                                                                 \
    X(KIND_CACHE, RK_COLUMN("cache", "kv_cache", COUNT, "bytes of the cache", .unit = "B", .right = true, .drop = 1))  \
    X(KIND_PEAK, RK_COLUMN("peak", "peak", COUNT, "the most bytes at once", .unit = "B", .right = true))               \
    X(KIND_BAR, {.head = "", .drop = 5})                                                                               \
    X(KIND_DURING, RK_KEY("during", TEXT, "when that is"))                                                             \
    X(KIND_VOLUME,                                                                                                     \
      RK_COLUMN("sends", "sent", COUNT, "bytes handed to other ranks in a step", .unit = "B", .right = true))          \
    X(KIND_FITS, RK_KEY("fits", TRUTH, "on the device, where one is named"))

RK_FIELD_TABLE(kind_field, N_KIND, KIND_ROW);
const rk_fields rk_rank_kind_fields = {kind_field, N_KIND};

#define NEIGHBOUR_ROW(X)                                                                                               \
    X(NEAR_LAYOUT, RK_COLUMN("layout", "layout", CODE, "as it is typed"))                                              \
    X(NEAR_WHAT, RK_COLUMN("", "what", TEXT, "what is otherwise"))                                                     \
    X(NEAR_DEVICES, RK_COLUMN("devices", "devices", COUNT, "all of them", .right = true))                              \
    X(NEAR_PEAK, RK_COLUMN("peak", "peak", COUNT, "of the rank that holds most", .unit = "B", .right = true))          \
    X(NEAR_VOLUME,                                                                                                     \
      RK_COLUMN("sends", "sent", COUNT, "bytes handed to other ranks in a step", .unit = "B", .right = true))

RK_FIELD_TABLE(near_field, N_NEAR, NEIGHBOUR_ROW);
static const rk_fields near_fields = {near_field, N_NEAR};

#define LINK_ROW(X)                                                                                                    \
    X(LINK_AXIS, RK_COLUMN("over", "group", TEXT, "the axis of the mesh"))                                             \
    X(LINK_SIZE, RK_COLUMN("of", "size", COUNT, "devices of a group", .right = true))                                  \
    X(LINK_IN_NODE, RK_KEY("in_node", COUNT, "of these, those of one node"))                                           \
    X(LINK_WHERE, {.head = "links"})                                                                                   \
    X(LINK_BYTES,                                                                                                      \
      RK_COLUMN("sends", "sent", COUNT, "bytes handed to other ranks in a step", .unit = "B", .right = true))          \
    X(LINK_BAR, {.head = "", .drop = 1})

RK_FIELD_TABLE(link_field, N_LINK, LINK_ROW);
static const rk_fields link_fields = {link_field, N_LINK};

#define RANKS_ANSWER(X)                                                                                                \
    X(RANKS_SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                \
    X(RANKS_PROFILE, RK_OBJECT("profile", rk_profile_fields, "how the step is run"))                                   \
    X(RANKS_LAYOUT, RK_OBJECT("layout", rk_layout_fields, "the mesh, and the rank that holds most"))                   \
    X(RANKS_SEQUENCES, RK_KEY("global_batch", COUNT, "sequences of all ranks in a step of the optimizer"))             \
    X(RANKS_KINDS, RK_LIST("ranks", rk_rank_kind_fields, "each kind of rank"))                                         \
    X(RANKS_SENT, RK_LIST("collectives", rk_sent_fields, "what the rank that holds most sends in a step"))             \
    X(RANKS_LINKS, RK_LIST("links", link_fields, "the same by the groups that it is sent in"))                         \
    X(RANKS_ROWS,                                                                                                      \
      RK_KEY("expert_rows", COUNT, "that a device is sent in a layer if experts are chosen equally often"))            \
    X(RANKS_ROWS_WORST, RK_KEY("expert_rows_worst", COUNT, "if all devices choose those of one"))                      \
    X(RANKS_NEAR, RK_LIST("neighbours", near_fields, "layouts that differ in one axis or word"))

enum {
    RANKS_BEFORE = RK_N_ANSWER - 1,
    RANKS_ANSWER(RK_FIELD_ID) N_RANKS
};
static const rk_field ranks_field[N_RANKS] = {RK_FIELDS_OF_MODEL, RANKS_ANSWER(RK_FIELD_AT)};
const rk_fields rk_answer_ranks = {ranks_field, N_RANKS};

/* "fsdp 8 × tp 8" */
const char *rk_view_mesh(rk_view *v, const rk_layout *l)
{
    rk_str text = {0};
    char n[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < RK_N_MESH; i++)
        if (l->size[i] > 1)
            rk_str_format(&text, "%s%s %s", text.n ? " × " : "", rk_mesh_word[i], rk_num_grouped(n, l->size[i]));
    rk_str_format(&text, "%s%s", l->sp ? ", sp" : "", l->vocab_loss ? ", vocab-loss" : "");
    return rk_view_keep(v, &text);
}

/* One row for each axis: how many pieces, of what, and which ranks have those of the first. */
static void put_mesh(rk_view *v, const rk_layout *l)
{
    static const rk_field column[] = {{.head = "axis"},
                                      {.head = "size", .right = true},
                                      {.head = "what lies over it", .wraps = true},
                                      {.head = "beside rank 0", .drop = 1}};
    rk_table *t = rk_page_table(&v->page, column, 4);
    rk_i128 stride = 1;
    char n[RK_NUM_TEXT_MAX];

    for (size_t i = RK_N_MESH; i > 0; i--) {
        rk_mesh_axis axis = (rk_mesh_axis)(i - 1);
        rk_str which = {0};
        rk_cell *cell;

        if (l->size[axis] == 1)
            continue;
        for (rk_i128 k = 1; k < l->size[axis] && k < 3; k++)
            rk_str_format(&which, "%s%s", k > 1 ? ", " : "", rk_num_grouped(n, k * stride));
        if (l->size[axis] > 3)
            rk_str_format(&which, "%s%s", l->size[axis] > 4 ? " … " : ", ",
                          rk_num_grouped(n, (l->size[axis] - 1) * stride));
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[0] = rk_view_text(rk_mesh_word[axis]);
        cell[1] = rk_cell_count(l->size[axis]);
        cell[2] = rk_view_text(rk_mesh_text[axis]);
        cell[3] = rk_view_text(rk_view_keep(v, &which));
        if (axis != RK_MESH_EP || l->runtime.ep_in_place_of_tp)
            stride *= l->size[axis];
    }
}

static rk_i128 global_batch(rk_view *v, const rk_memory *m)
{
    const rk_symbol *b = rk_model_size(v->model, RK_SIZE_BATCH);

    return b ? v->instance->value[b->sym] * rk_ranks_batches(m) : 0;
}

static const char *ranks_text(rk_view *v, const rk_rank_kind *k)
{
    return k->n == 1 ? rk_view_grouped(v, k->rank)
                     : rk_view_format(v, "%s–%s", rk_view_grouped(v, k->rank), rk_view_grouped(v, k->rank + k->n - 1));
}

/* "ranks 0–63 and 960–1,023 do not fit." */
static const char *unfit_text(rk_view *v, const rk_ranks *r, rk_i128 room)
{
    rk_str text = {0};
    size_t n = 0, all = 0;

    for (size_t i = 0; i < r->n; i++)
        all += r->at[i].memory->peak > room;
    if (all == r->n)
        return "no rank fits.";
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i].memory->peak > room)
            rk_str_format(&text, "%s%s", n++ == 0 ? "" : n == all ? " and " : ", ", ranks_text(v, &r->at[i]));
    return rk_view_format(v, "%s %s %s not fit.", all == 1 && r->at[r->fullest].n == 1 ? "rank" : "ranks",
                          rk_view_keep(v, &text), all == 1 && r->at[r->fullest].n == 1 ? "does" : "do");
}

/* All digits for programs; for people, who compare ranks, as many as they see at once. */
static rk_cell scaled_cell(rk_view *v, rk_i128 n, const char *unit)
{
    return rk_cell_both(&v->page, rk_cell_count(n), rk_view_text(rk_view_scaled(v, n, unit)));
}

void rk_view_put_rank_kinds(rk_view *v, rk_cell *in, rk_ranks_asked *asked)
{
    const rk_ranks *r = asked->ranks;
    rk_table *t = rk_cell_list(&v->page, in, &rk_rank_kind_fields);
    rk_i128 most = r->at[r->fullest].memory->peak,
            room = asked->device ? asked->device->usable - asked->device->reserve : 0;

    for (size_t i = 0; i < r->n; i++) {
        const rk_rank_kind *k = &r->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        bool trains = k->memory->options.phase == RK_PHASE_TRAIN;

        cell[KIND_RANKS] = rk_view_text(ranks_text(v, k));
        if (r->n > 1)
            cell[KIND_STAGE] = rk_cell_count((rk_i128)i);
        cell[KIND_LAYERS] = rk_cell_count(k->layers);
        cell[KIND_FLOPS] = scaled_cell(v, k->flops, rk_view_unit(v));
        cell[KIND_PARAMETERS] = scaled_cell(v, k->memory->parameters, "B");
        if (trains) {
            cell[KIND_GRADIENTS] = scaled_cell(v, k->memory->gradients, "B");
            cell[KIND_OPTIMIZER] = scaled_cell(v, k->memory->optimizer, "B");
            cell[KIND_SAVED] = scaled_cell(v, k->memory->saved, "B");
        } else {
            cell[KIND_CACHE] = scaled_cell(v, k->memory->cache, "B");
        }
        cell[KIND_PEAK] = scaled_cell(v, k->memory->peak, "B");
        cell[KIND_BAR] = rk_cell_bar(k->memory->peak, room > most ? room : most);
        cell[KIND_DURING] = rk_cell_name(k->memory->peak_during);
        cell[KIND_VOLUME] = scaled_cell(v, k->volume, "B");
        if (asked->device)
            cell[KIND_FITS] = rk_cell_truth(k->memory->peak <= room);
        asked->unfit |= asked->device && k->memory->peak > room;
    }
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "What each rank computes, holds and sends in a step:");
    rk_page_show(&v->page, t);
    if (asked->device)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s has %s for tensors: %s", asked->device->name,
                    rk_view_scaled(v, room, "B"), asked->unfit ? unfit_text(v, r, room) : "every rank fits.");
}

/* What is alive at the peak of each kind of rank, by kind, on top of each other. */
static void put_picture(rk_view *v, const rk_ranks *r)
{
    const char **word = RK_NEW_ARRAY(&v->arena, r->n + 1, const char *);
    rk_chart_series *series = RK_NEW_ARRAY(&v->arena, RK_N_ALIVE, rk_chart_series);
    rk_chart c = {.kind = RK_CHART_AREAS,
                  .title = rk_view_format(v, "%s over %s", v->model->name, rk_view_mesh(v, &r->layout)),
                  .subtitle = "alive at the peak of each rank",
                  .x_label = r->n > 1 ? "place in the pipeline" : NULL,
                  .word = word,
                  .n_x = r->n,
                  .unit = RK_UNIT_SCALED,
                  .unit_name = "B",
                  .units = "bytes",
                  .series = series};

    for (size_t i = 0; word && series && i < r->n; i++)
        word[i] = r->n > 1 ? rk_view_format(v, "%zu", i) : "each rank";
    for (size_t k = 0; word && series && k < RK_N_ALIVE; k++) {
        double *y = RK_NEW_ARRAY(&v->arena, r->n + 1, double);
        bool any = false;

        for (size_t i = 0; y && i < r->n; i++) {
            y[i] = (double)r->at[i].memory->peak_of[k];
            any |= r->at[i].memory->peak_of[k] > 0;
        }
        if (y && any)
            series[c.n_series++] = (rk_chart_series){.name = rk_alive_table[k].text, .y = y};
    }
    if (!v->arena.failed)
        rk_page_chart(&v->page, &c, r->n > 1 ? &c : NULL);
}

/* What is sent over each axis, and whether that stays inside of nodes. */
static void put_links(rk_view *v, rk_cell *in, const rk_ranks_asked *asked, const rk_memory *m)
{
    rk_table *t = rk_cell_list(&v->page, in, &link_fields);
    const rk_layout *l = m->options.layout;
    rk_i128 sum[RK_N_MESH][2] = {{0}}, most = 0;

    for (size_t i = 0; i < m->sent.n && v->code == RK_OK; i++) {
        const rk_sent *s = &m->sent.at[i].sent;
        rk_i128 bytes = 0;

        v->code = rk_ranks_row_volume(m, &m->sent.at[i], &bytes, v->err);
        sum[s->axis][s->experts] += bytes;
        most = sum[s->axis][s->experts] > most ? sum[s->axis][s->experts] : most;
    }
    for (size_t i = 2 * RK_N_MESH; i > 0; i--) {
        rk_mesh_axis axis = (rk_mesh_axis)((i - 1) / 2);
        bool experts = (i - 1) % 2;
        rk_i128 n = rk_layout_group(l, axis, experts), here = rk_layout_in_node(l, axis, experts, asked->node);
        rk_cell *cell;

        if (sum[axis][experts] == 0)
            continue;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[LINK_AXIS] =
            rk_view_text(experts ? rk_view_format(v, "%s, experts", rk_mesh_word[axis]) : rk_mesh_word[axis]);
        cell[LINK_SIZE] = rk_cell_count(n);
        cell[LINK_IN_NODE] = rk_cell_count(here);
        cell[LINK_WHERE] = rk_view_text(
            here == n   ? "inside of a node"
            : here == 1 ? "between nodes"
                        : rk_view_format(v, "between nodes, %s of a group in each", rk_view_grouped(v, here)));
        cell[LINK_BYTES] = rk_cell_count(sum[axis][experts]);
        cell[LINK_BAR] = rk_cell_bar(sum[axis][experts], most);
    }
    if (most == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0,
                "What it hands to others, by link (nodes of %s):", rk_view_grouped(v, asked->node));
    rk_page_show(&v->page, t);
}

/* How many tokens come to the experts of a device. */
static void put_load(rk_view *v, rk_cell *answer, const rk_memory *m)
{
    rk_expert_load load = {0};

    if (v->code == RK_OK)
        v->code = rk_ranks_load(m, &load, v->err);
    if (load.even == 0)
        return;
    answer[RANKS_ROWS] = rk_cell_count(load.even);
    answer[RANKS_ROWS_WORST] = rk_cell_count(load.worst);
    rk_page_gap(&v->page);
    rk_page_put(
        &v->page, RK_ITEM_LINE, 0,
        "To the experts of a device come %s rows in each layer if all are chosen equally often, as counted here; "
        "%s if all devices choose those of one.",
        rk_view_grouped(v, load.even), rk_view_grouped(v, load.worst));
}

static void put_neighbours(rk_view *v, rk_cell *in, const rk_ranks *r)
{
    rk_table *t = rk_cell_list(&v->page, in, &near_fields);

    for (size_t i = 0; i < r->n_neighbour; i++) {
        const rk_neighbour *n = &r->neighbour[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[NEAR_LAYOUT] = rk_cell_code(n->layout);
        cell[NEAR_WHAT] = rk_cell_name(n->what);
        cell[NEAR_DEVICES] = rk_cell_count(n->devices);
        cell[NEAR_PEAK] = rk_cell_count(n->peak);
        cell[NEAR_VOLUME] = rk_cell_count(n->volume);
    }
    if (r->n_neighbour == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Layouts beside it:");
    rk_page_show(&v->page, t);
}

int rk_report_ranks(const rk_report *r, const rk_ledger *l, rk_ranks_asked *asked, rk_err *err)
{
    const rk_ranks *ranks = asked->ranks;
    const rk_memory *m = ranks->at[ranks->fullest].memory;
    const rk_layout *layout = m->options.layout;
    rk_view v;
    rk_cell *answer;
    rk_i128 batch;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, &rk_answer_ranks);
    batch = global_batch(&v, m);
    rk_view_symbols(&v, &answer[RANKS_SYMBOLS]);
    rk_view_profile(&v, &answer[RANKS_PROFILE], &m->options);
    rk_view_layout(&v, &answer[RANKS_LAYOUT], layout);
    answer[RANKS_SEQUENCES] = rk_cell_count(batch);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "%s over %s: %s", v.model->name,
                rk_view_counted(&v, (size_t)rk_layout_devices(layout), "device"), rk_view_mesh(&v, layout));
    rk_view_put_like(&v);
    rk_view_put_notes(&v);
    rk_view_put_run(&v);
    rk_page_put(&v.page, RK_ITEM_LINE, 0, "B is of one rank%s; all together take %s in a step.",
                layout->size[RK_MESH_PP] > 1 ? " and one micro-batch" : "",
                rk_view_counted(&v, (size_t)batch, "sequence"));
    rk_view_put_assumptions(&v, &m->options);
    rk_page_gap(&v.page);
    put_mesh(&v, layout);
    rk_view_put_rank_kinds(&v, &answer[RANKS_KINDS], asked);
    put_picture(&v, ranks);
    rk_view_put_sent(&v, &answer[RANKS_SENT], m);
    put_links(&v, &answer[RANKS_LINKS], asked, m);
    put_load(&v, answer, m);
    put_neighbours(&v, &answer[RANKS_NEAR], ranks);
    return rk_view_end(&v);
}

/* ---- how what is sent comes about -------------------------------------------------------------------------------- */

#define COMM_ANSWER(X)                                                                                                 \
    X(COMM_QUANTITY, RK_KEY("quantity", TEXT, "comm"))                                                                 \
    X(COMM_SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                 \
    X(COMM_LAYOUT, RK_OBJECT("layout", rk_layout_fields, "the mesh, and the rank"))                                    \
    X(COMM_FORMULA, RK_KEY("formula", FORMULA, "elements that the rank hands to others in a step"))                    \
    X(COMM_VALUE, RK_KEY("value", COUNT, "the number"))                                                                \
    X(COMM_SENT, RK_LIST("collectives", rk_sent_fields, "one by one"))

enum {
    COMM_BEFORE = RK_N_ANSWER - 1,
    COMM_ANSWER(RK_FIELD_ID) N_COMM
};
static const rk_field comm_field[N_COMM] = {RK_FIELDS_OF_MODEL, COMM_ANSWER(RK_FIELD_AT)};
const rk_fields rk_answer_comm = {comm_field, N_COMM};

static const char *const phase_text[RK_N_SENT_PHASE] = {
    "the forward pass", "the backward pass",  "the optimizer's step",
    "both passes",      "reading the prompt", "one new token",
};

static const char *rule_of(rk_collective op)
{
    switch (op) {
    case RK_COLLECTIVE_ALL_REDUCE:
        return "scattered sums, then gathered: 2(n - 1)/n of the elements";
    case RK_COLLECTIVE_ALL_GATHER:
    case RK_COLLECTIVE_REDUCE_SCATTER:
    case RK_COLLECTIVE_ALL_TO_ALL:
        return "all but its own piece: (n - 1)/n of the elements";
    case RK_COLLECTIVE_RECV:
        return "another rank sends it";
    default:
        return "all elements";
    }
}

int rk_report_comm(const rk_report *r, const rk_ledger *l, const rk_memory *m, rk_err *err)
{
    rk_view v;
    rk_cell *answer;
    rk_ex total;
    rk_i128 num = 0, den = 1;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, &rk_answer_comm);
    total = rk_ex_int(v.pool, 0);
    answer[COMM_QUANTITY] = rk_cell_name("comm");
    rk_view_symbols(&v, &answer[COMM_SYMBOLS]);
    rk_view_layout(&v, &answer[COMM_LAYOUT], m->options.layout);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "%s over %s: elements that a rank sends in a step", v.model->name,
                rk_view_mesh(&v, m->options.layout));
    rk_view_put_run(&v);
    for (size_t i = 0; i < m->sent.n; i++) {
        const rk_sent_row *row = &m->sent.at[i];
        rk_ex n = rk_sent_group_size(m->instance->pool, m->options.layout, &row->sent);
        rk_ex each = rk_sent_volume(v.pool, &row->sent, n), all = rk_ex_mul(v.pool, row->how_often, each);

        total = rk_ex_add(v.pool, total, all);
        rk_page_gap(&v.page);
        rk_page_put(&v.page, RK_ITEM_LINE, 0, "%s of %s over %s in %s, %s%s", rk_collective_word[row->sent.op],
                    rk_view_formula_text(&v, row->sent.elements, v.style),
                    rk_sent_group_word(m->options.layout, &row->sent), phase_text[row->phase],
                    row->times == 1 ? "once" : rk_view_formula_text(&v, row->how_often, v.style),
                    row->times == 1 ? "" : " times");
        rk_page_put(&v.page, RK_ITEM_LINE, 1, "%s", rule_of(row->sent.op));
        rk_page_equation(&v.page, 1, "sent", rk_cell_formula(all, RK_PRINT_FACTORED), NULL);
    }
    if (v.code == RK_OK)
        v.code = rk_ex_eval_ratio(v.pool, total, &v.instance->at, &num, &den, err);
    answer[COMM_FORMULA] = rk_view_formula(&v, total);
    answer[COMM_VALUE] = rk_cell_count(num / den);
    rk_page_gap(&v.page);
    rk_page_equation(&v.page, 0, "total", rk_cell_formula(total, RK_PRINT_FACTORED), NULL);
    rk_page_equation(&v.page, 0, NULL, rk_view_formula(&v, total), NULL);
    rk_page_equation(&v.page, 0, NULL, rk_cell_count(num / den), NULL);
    rk_view_put_sent(&v, &answer[COMM_SENT], m);
    return rk_view_end(&v);
}

/* ---- layouts beside each other ----------------------------------------------------------------------------------- */

#define LAYOUT_ROW(X)                                                                                                  \
    X(LAID_LAYOUT, RK_COLUMN("layout", "layout", CODE, "as it is typed"))                                              \
    X(LAID_DEVICES, RK_COLUMN("devices", "devices", COUNT, "all of them", .right = true))                              \
    X(LAID_PARAMETERS, RK_COLUMN("weights", "parameters", COUNT, "bytes", .unit = "B", .right = true, .drop = 3))      \
    X(LAID_GRADIENTS, RK_COLUMN("gradients", "gradients", COUNT, "bytes", .unit = "B", .right = true, .drop = 2))      \
    X(LAID_OPTIMIZER, RK_COLUMN("optimizer", "optimizer", COUNT, "bytes", .unit = "B", .right = true, .drop = 2))      \
    X(LAID_SAVED,                                                                                                      \
      RK_COLUMN("saved", "saved", COUNT, "bytes saved for backward", .unit = "B", .right = true, .drop = 1))           \
    X(LAID_PEAK, RK_COLUMN("peak", "peak", COUNT, "the most bytes at once", .unit = "B", .right = true))               \
    X(LAID_BAR, {.head = "", .drop = 4})                                                                               \
    X(LAID_VOLUME,                                                                                                     \
      RK_COLUMN("sends", "sent", COUNT, "bytes handed to other ranks in a step", .unit = "B", .right = true))

RK_FIELD_TABLE(laid_field, N_LAID, LAYOUT_ROW);
static const rk_fields laid_fields = {laid_field, N_LAID};

#define LAYOUTS_ANSWER(X)                                                                                              \
    X(LAYOUTS_SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                              \
    X(LAYOUTS_ROWS, RK_LIST("layouts", laid_fields, "of each, the rank that holds most"))

enum {
    LAYOUTS_BEFORE = RK_N_ANSWER - 1,
    LAYOUTS_ANSWER(RK_FIELD_ID) N_LAYOUTS
};
static const rk_field layouts_field[N_LAYOUTS] = {RK_FIELDS_OF_MODEL, LAYOUTS_ANSWER(RK_FIELD_AT)};
const rk_fields rk_answer_compare_layouts = {layouts_field, N_LAYOUTS};

int rk_report_layouts(const rk_report *r, const rk_ledger *l, const rk_ranks *ranks, const char *const *line, size_t n,
                      rk_err *err)
{
    rk_view v;
    rk_cell *answer;
    rk_table *t;
    rk_i128 most = 1;

    rk_view_begin(&v, r, l, err);
    answer = rk_view_answer(&v, &rk_answer_compare_layouts);
    rk_view_symbols(&v, &answer[LAYOUTS_SYMBOLS]);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "%s over devices, in %s", v.model->name, rk_view_counted(&v, n, "layout"));
    rk_view_put_run(&v);
    rk_view_put_assumptions(&v, &ranks[0].at[ranks[0].fullest].memory->options);
    t = rk_cell_list(&v.page, &answer[LAYOUTS_ROWS], &laid_fields);
    for (size_t i = 0; i < n; i++)
        most = ranks[i].at[ranks[i].fullest].memory->peak > most ? ranks[i].at[ranks[i].fullest].memory->peak : most;
    for (size_t i = 0; i < n; i++) {
        const rk_rank_kind *k = &ranks[i].at[ranks[i].fullest];
        rk_cell *cell = rk_page_row(&v.page, t, RK_ROW_PLAIN, 0);

        cell[LAID_LAYOUT] = rk_cell_code(line[i]);
        cell[LAID_DEVICES] = rk_cell_count(rk_layout_devices(&ranks[i].layout));
        cell[LAID_PARAMETERS] = rk_cell_count(k->memory->parameters);
        cell[LAID_GRADIENTS] = rk_cell_count(k->memory->gradients);
        cell[LAID_OPTIMIZER] = rk_cell_count(k->memory->optimizer);
        cell[LAID_SAVED] = rk_cell_count(k->memory->saved);
        cell[LAID_PEAK] = rk_cell_count(k->memory->peak);
        cell[LAID_BAR] = rk_cell_bar(k->memory->peak, most);
        cell[LAID_VOLUME] = rk_cell_count(k->volume);
    }
    rk_page_gap(&v.page);
    rk_page_show(&v.page, t);
    return rk_view_end(&v);
}
