/* SPDX-License-Identifier: MIT */
/* The rank that an account is of, and what it sends: keys and tables that several reports have. */
#include "report/memory_answer.h"

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

static const char *const runtime_word[RK_N_RUNTIME] = {"torch", "hf", "megatron", "deepspeed"};

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
    cell[2] = rk_cell_name(runtime_word[l->runtime]);
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
        cell[GROUP] = rk_cell_name(rk_mesh_word[r->sent.axis]);
        cell[SIZE] = rk_cell_count(m->options.layout->size[r->sent.axis]);
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
