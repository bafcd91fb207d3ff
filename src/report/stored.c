/* SPDX-License-Identifier: MIT */
/* What `reckon params` prints of a checkpoint: tensors with their shapes, formats and bytes, by layer group or each. */
#include "report/view.h"

#include "account/stored.h"
#include "report/figure.h"

typedef struct stored_page {
    rk_view *v;
    const rk_opened *opened;
    const rk_store *store;
    const rk_params_options *options;
    rk_stored_sums sums;
} stored_page;

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static rk_i128 *dims_of(stored_page *p, const rk_stored *t)
{
    rk_i128 *dim = RK_NEW_ARRAY(&p->v->arena, t->rank + 1, rk_i128);

    for (size_t i = 0; dim && i < t->rank; i++)
        dim[i] = (rk_i128)t->shape[i];
    return dim;
}

static rk_cell shape_cell(stored_page *p, const rk_stored *t, bool for_people)
{
    const rk_i128 *dim = dims_of(p, t);

    return rk_view_text(dim && t->rank > 0 ? rk_view_shape(p->v, dim, t->rank, for_people) : "1");
}

static const char *bits_text(rk_view *v, const rk_stored_sums *sums)
{
    rk_str s = {0};

    rk_str_bits(&s, sums->bytes, sums->elements);
    return rk_view_keep(v, &s);
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

enum {
    NAME,
    NAME_KEY,
    TYPE,
    SHAPE,
    SHAPE_KEY,
    COUNT,
    TIMES,
    TOTAL,
    BYTES,
    SHARE,
    N_COLUMN
};

static const rk_field column[N_COLUMN] = {
    [NAME] = {.head = ""},
    [NAME_KEY] = {.key = "name"},
    [TYPE] = {.head = "type", .key = "type", .drop = 4},
    [SHAPE] = {.head = "shape", .right = true, .drop = 3},
    [SHAPE_KEY] = {.key = "shape"},
    [COUNT] = {.head = "count", .key = "count", .right = true, .drop = 1},
    [TIMES] = {.head = "times", .key = "times", .right = true, .drop = 5},
    [TOTAL] = {.head = "total", .key = "total", .right = true},
    [BYTES] = {.head = "bytes", .key = "bytes", .right = true, .drop = 2},
    [SHARE] = {.head = "share", .right = true, .drop = 6},
};

static void put_kind(stored_page *p, rk_cell *cell, const rk_stored *t)
{
    cell[TYPE] = rk_cell_code(rk_dtype_info(t->dtype)->name);
    cell[SHAPE] = shape_cell(p, t, true);
    cell[SHAPE_KEY] = shape_cell(p, t, false);
    cell[COUNT] = rk_cell_count((rk_i128)t->count);
}

static void put_group(stored_page *p, rk_table *table, const rk_stored_group *g)
{
    rk_cell *cell = rk_page_row(&p->v->page, table, RK_ROW_PLAIN, 0);

    cell[NAME] = cell[NAME_KEY] = rk_cell_code(rk_view_safe(p->v, g->name));
    cell[TIMES] = rk_cell_count(g->tensors);
    if (!g->first->known && g->alike)
        return;
    if (g->alike)
        put_kind(p, cell, g->first);
    cell[TOTAL] = rk_cell_count(g->elements);
    cell[BYTES] = rk_cell_count(g->bytes);
    cell[SHARE] = rk_cell_share(g->bytes, p->sums.bytes);
}

static void put_tensor(stored_page *p, rk_table *table, const rk_stored *t)
{
    rk_cell *cell = rk_page_row(&p->v->page, table, RK_ROW_PLAIN, 0);

    cell[NAME] = cell[NAME_KEY] = rk_cell_code(rk_view_safe(p->v, t->name));
    if (!t->known)
        return;
    put_kind(p, cell, t);
    cell[COUNT] = (rk_cell){0};
    cell[TOTAL] = rk_cell_count((rk_i128)t->count);
    cell[BYTES] = rk_cell_count((rk_i128)t->bytes);
    cell[SHARE] = rk_cell_share((rk_i128)t->bytes, p->sums.bytes);
}

static void put_formats(stored_page *p)
{
    static const rk_field head[] = {{.head = "type"},
                                    {.head = "tensors", .right = true},
                                    {.head = "elements", .right = true},
                                    {.head = "bytes", .right = true},
                                    {.head = "share", .right = true}};
    rk_table *t;

    if (p->sums.format.n < 2)
        return;
    rk_page_gap(&p->v->page);
    t = rk_page_table(&p->v->page, head, 5);
    for (size_t i = 0; i < p->sums.format.n; i++) {
        const rk_stored_format *f = &p->sums.format.at[i];
        rk_cell *cell = rk_page_row(&p->v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(rk_dtype_info(f->dtype)->name);
        cell[1] = rk_cell_count(f->tensors);
        cell[2] = rk_cell_count(f->elements);
        cell[3] = rk_cell_count(f->bytes);
        cell[4] = rk_cell_share(f->bytes, p->sums.bytes);
    }
}

static void fill_page(stored_page *p)
{
    rk_page *page = &p->v->page;
    size_t n_file = p->store->n_file, n_absent = p->store->n_tensor - p->store->n_known;
    rk_str s = {0};
    unsigned of = 0, number = rk_store_part(p->store, &of);
    rk_table *table;
    rk_cell *cell;

    rk_page_put(page, RK_ITEM_TITLE, 0, "%s: %s parameters, as stored", p->opened->name,
                rk_view_words(p->v, p->sums.elements));
    rk_page_put(page, RK_ITEM_LINE, 0, "%s in %zu file%s: the header was read, the numbers were not",
                rk_view_counted(p->v, p->store->n_tensor, "tensor"), n_file, n_file == 1 ? "" : "s");
    rk_page_gap(page);
    table = rk_page_table(&p->v->page, column, N_COLUMN);
    if (p->options->all)
        for (size_t i = 0; i < p->store->n_tensor; i++)
            put_tensor(p, table, &p->store->tensor[i]);
    else
        for (size_t i = 0; i < p->sums.group.n; i++)
            put_group(p, table, &p->sums.group.at[i]);
    cell = rk_page_row(&p->v->page, table, RK_ROW_TOTAL, 0);
    cell[NAME] = rk_cell_text(&p->v->page, "total");
    cell[TIMES] = rk_cell_count((rk_i128)p->store->n_tensor);
    cell[TOTAL] = rk_cell_count(p->sums.elements);
    cell[BYTES] = rk_cell_count(p->sums.bytes);
    cell[SHARE] = rk_cell_share(p->sums.bytes, p->sums.bytes);
    put_formats(p);
    rk_str_bytes(&s, p->sums.bytes);
    if (p->sums.elements > 0)
        rk_str_format(&s, ", %s bits a weight", bits_text(p->v, &p->sums));
    rk_page_gap(page);
    rk_page_put(page, RK_ITEM_LINE, 0, "stored in %s", rk_view_keep(p->v, &s));
    if (n_absent > 0)
        rk_page_put(&p->v->page, RK_ITEM_NOTE, 0,
                    "%s %s in files that are not here: of these only the names are known, and they are not counted.",
                    rk_view_counted(p->v, n_absent, "tensor"), n_absent == 1 ? "is" : "are");
    if (p->store->n_unlisted > 0)
        rk_page_put(&p->v->page, RK_ITEM_NOTE, 0, "%s %s in the files, but not in their index.",
                    rk_view_counted(p->v, p->store->n_unlisted, "tensor"), p->store->n_unlisted == 1 ? "is" : "are");
    /* One of several files: what is listed is not the whole. */
    if (number > 0)
        rk_page_put(&p->v->page, RK_ITEM_NOTE, 0, "This is file %u of %u: their folder, or their index, has them all.",
                    number, of);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_tensor(stored_page *p, const rk_stored *t)
{
    rk_json *j = &p->v->json;

    rk_json_row(j, NULL);
    rk_json_text(j, "name", t->name);
    if (t->known) {
        const rk_i128 *dim = dims_of(p, t);

        rk_json_counts(j, "shape", dim, dim ? t->rank : 0);
        rk_json_count(j, "count", (rk_i128)t->count);
        rk_json_text(j, "dtype", rk_dtype_info(t->dtype)->name);
        rk_json_count(j, "bytes", (rk_i128)t->bytes);
    }
    if (p->store->n_file > 1)
        rk_json_text(j, "file", p->store->file[t->file].path);
    rk_json_close(j);
}

static void write_json(stored_page *p)
{
    size_t n_absent = p->store->n_tensor - p->store->n_known;
    rk_json *j = &p->v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", p->opened->name);
    rk_json_text(j, "file", p->opened->store_name);
    rk_json_row(j, "parameters");
    rk_json_known(j, "stored", n_absent == 0, p->sums.elements);
    rk_json_known(j, "named", n_absent == 0, p->sums.elements);
    rk_json_null(j, "active"); /* what one token uses is known from equations alone */
    rk_json_close(j);
    rk_json_count(j, "bytes", p->sums.bytes);
    if (p->sums.elements > 0)
        rk_json_number(j, "bits_per_weight", bits_text(p->v, &p->sums));
    rk_json_count(j, "unknown", (rk_i128)n_absent);
    rk_json_open(j, "tensors", '[');
    for (size_t i = 0; i < p->store->n_tensor; i++)
        write_tensor(p, &p->store->tensor[i]);
    rk_json_close(j);
    rk_json_close(j);
}

/* ---- beside the equations --------------------------------------------------------------------------------------- */

static bool load_sums(rk_view *v, rk_stored_sums *sums)
{
    const rk_opened *opened = v->report->opened;

    if (!opened || !opened->store || v->code != RK_OK)
        return false;
    v->code = rk_stored_sums_new(opened->store, 0, sums, v->err);
    return v->code == RK_OK;
}

void rk_view_put_store(rk_view *v)
{
    rk_stored_sums sums;
    rk_str s = {0};
    rk_i128 more;

    if (!load_sums(v, &sums))
        return;
    rk_str_bytes(&s, sums.bytes);
    if (sums.elements > 0)
        rk_str_format(&s, ", %s bits a weight: ", bits_text(v, &sums));
    for (size_t i = 0; i < sums.format.n; i++) {
        /* "Q4_K 76.2%, Q6_K 23.0%, F32 0.8%": of the bytes. */
        rk_str_format(&s, "%s%s ", i ? ", " : "", rk_dtype_info(sums.format.at[i].dtype)->name);
        rk_str_share(&s, sums.format.at[i].bytes, sums.bytes);
    }
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "The file stores %s.", rk_view_keep(v, &s));
    /* A file may hold tensors that no equation reads, or lack some: then the counts differ, and that must be seen. */
    more = sums.elements - rk_view_value(v, v->ledger->stored);
    if (more != 0 && v->code == RK_OK)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "The file has %s elements %s than the equations have parameters.",
                    rk_view_grouped(v, more < 0 ? -more : more), more < 0 ? "fewer" : "more");
    rk_stored_sums_free(&sums);
}

void rk_view_json_store(rk_view *v)
{
    rk_stored_sums sums;

    if (!load_sums(v, &sums))
        return;
    rk_json_row(&v->json, "file");
    rk_json_text(&v->json, "path", v->report->opened->store_name);
    rk_json_count(&v->json, "tensors", (rk_i128)v->report->opened->store->n_tensor);
    rk_json_count(&v->json, "elements", sums.elements);
    rk_json_count(&v->json, "bytes", sums.bytes);
    if (sums.elements > 0)
        rk_json_number(&v->json, "bits_per_weight", bits_text(v, &sums));
    rk_json_close(&v->json);
    rk_stored_sums_free(&sums);
}

int rk_report_stored(const rk_report *r, const rk_opened *opened, const rk_params_options *o, rk_err *err)
{
    stored_page p = {.opened = opened, .store = opened->store, .options = o};
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    p.v = &v;
    v.code = rk_stored_sums_new(p.store, o->depth, &p.sums, err);
    if (v.code == RK_OK && r->format == RK_FORMAT_JSON)
        write_json(&p);
    else if (v.code == RK_OK)
        fill_page(&p);
    v.code = rk_view_end(&v);
    rk_stored_sums_free(&p.sums);
    return v.code;
}
