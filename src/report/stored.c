/* SPDX-License-Identifier: MIT */
/* What `reckon params` prints of a checkpoint: tensors with their shapes, formats and bytes, by layer group or each. */
#include "report/answers.h"
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

static const char *bits_text(rk_view *v, const rk_stored_sums *sums)
{
    rk_str s = {0};

    rk_str_bits(&s, sums->bytes, sums->elements);
    return rk_view_keep(v, &s);
}

/* ---- every tensor ----------------------------------------------------------------------------------------------- */

#define TENSOR_FIELDS(X)                                                                                               \
    X(NAME, RK_COLUMN("", "name", CODE, "as the file has it"))                                                         \
    X(TYPE, RK_COLUMN("type", "dtype", CODE, "the format of its numbers", .drop = 4))                                  \
    X(SHAPE, RK_COLUMN("shape", "shape", SHAPE, "sizes", .right = true, .drop = 3))                                    \
    X(COUNT, RK_COLUMN("count", "count", COUNT, "elements", .right = true, .unit = ""))                                \
    X(BYTES, RK_COLUMN("bytes", "bytes", COUNT, "stored", .right = true, .unit = "B", .drop = 2))                      \
    X(SHARE, {.head = "share", .right = true, .drop = 6})                                                              \
    X(FILE_NAME, RK_KEY("file", TEXT, "where it is, of several files", .json = true))
RK_FIELD_TABLE(tensor_field, N_FIELD, TENSOR_FIELDS);
static const rk_fields tensor_fields = {tensor_field, N_FIELD};

static void make_tensors(void *self, rk_cell *cell, rk_row_taker *take, void *taker)
{
    const stored_page *p = self;
    const rk_store *s = p->store;

    for (const rk_stored *t = s->tensor; t < s->tensor + s->n_tensor; t++) {
        rk_i128 size[UINT8_MAX];

        for (size_t i = 0; i < t->rank; i++)
            size[i] = (rk_i128)t->shape[i];
        for (size_t i = 0; i < N_FIELD; i++)
            cell[i] = (rk_cell){0};
        cell[NAME] = rk_cell_code(t->name);
        if (t->known) {
            cell[TYPE] = rk_cell_code(rk_dtype_info(t->dtype)->name);
            cell[SHAPE] = rk_cell_shape(size, t->rank);
            cell[COUNT] = rk_cell_count((rk_i128)t->count);
            cell[BYTES] = rk_cell_count((rk_i128)t->bytes);
            cell[SHARE] = rk_cell_share((rk_i128)t->bytes, p->sums.bytes);
        }
        if (s->n_file > 1)
            cell[FILE_NAME] = rk_cell_name(s->file[t->file].path);
        take(taker, cell);
    }
}

static void put_all(stored_page *p, rk_table *t)
{
    rk_cell *cell = rk_page_row(&p->v->page, t, RK_ROW_TOTAL, 0);

    rk_page_show(&p->v->page, t);
    cell[NAME] = rk_cell_text(&p->v->page, "total");
    cell[COUNT] = rk_cell_count(p->sums.elements);
    cell[BYTES] = rk_cell_count(p->sums.bytes);
    cell[SHARE] = rk_cell_share(p->sums.bytes, p->sums.bytes);
}

/* ---- by group --------------------------------------------------------------------------------------------------- */

static void put_group(stored_page *p, rk_table *table, const rk_stored_group *g)
{
    rk_cell *cell = rk_page_row(&p->v->page, table, RK_ROW_PLAIN, 0);
    rk_i128 *size = RK_NEW_ARRAY(&p->v->arena, g->first->rank + 1, rk_i128);

    cell[0] = rk_cell_code(g->name);
    cell[4] = rk_cell_count(g->tensors);
    if (!g->first->known && g->alike)
        return;
    for (size_t i = 0; size && i < g->first->rank; i++)
        size[i] = (rk_i128)g->first->shape[i];
    if (g->alike && size) {
        cell[1] = rk_cell_code(rk_dtype_info(g->first->dtype)->name);
        cell[2] = rk_cell_shape(size, g->first->rank);
        cell[3] = rk_cell_count((rk_i128)g->first->count);
    }
    cell[5] = rk_cell_count(g->elements);
    cell[6] = rk_cell_count(g->bytes);
    cell[7] = rk_cell_share(g->bytes, p->sums.bytes);
}

static void put_groups(stored_page *p)
{
    static const rk_field column[] = {{.head = "", .key = "name"},
                                      {.head = "type", .key = "dtype", .drop = 4},
                                      {.head = "shape", .key = "shape", .right = true, .drop = 3},
                                      {.head = "count", .key = "count", .right = true, .unit = "", .drop = 1},
                                      {.head = "times", .key = "times", .right = true, .drop = 5},
                                      {.head = "total", .key = "total", .right = true, .unit = ""},
                                      {.head = "bytes", .key = "bytes", .right = true, .unit = "B", .drop = 2},
                                      {.head = "share", .right = true, .drop = 6}};
    rk_table *t = rk_page_table(&p->v->page, column, 8);
    rk_cell *cell;

    for (size_t i = 0; i < p->sums.group.n; i++)
        put_group(p, t, &p->sums.group.at[i]);
    cell = rk_page_row(&p->v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(&p->v->page, "total");
    cell[4] = rk_cell_count((rk_i128)p->store->n_tensor);
    cell[5] = rk_cell_count(p->sums.elements);
    cell[6] = rk_cell_count(p->sums.bytes);
    cell[7] = rk_cell_share(p->sums.bytes, p->sums.bytes);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

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

static const rk_field parameters_field[] = {
    RK_KEY("stored", COUNT, "elements; null where some are not known"),
    RK_KEY("named", COUNT, "the same: a file has each name once"),
    RK_KEY("active", COUNT, "null: what one token uses is known from equations alone"),
};
static const rk_fields parameters_fields = {parameters_field, 3};

#define ANSWER_FIELDS(X)                                                                                               \
    X(MODEL, RK_KEY("model", TEXT, "the checkpoint's name"))                                                           \
    X(CHECKPOINT, RK_KEY("file", TEXT, "the file, its index or its folder"))                                           \
    X(PARAMETERS, RK_OBJECT("parameters", parameters_fields, "how many"))                                              \
    X(ALL_BYTES, RK_KEY("bytes", COUNT, "of the tensors that are known"))                                              \
    X(BITS, RK_KEY("bits_per_weight", DIGITS, "of them, to two digits"))                                               \
    X(UNKNOWN, RK_KEY("unknown", COUNT, "tensors in files that are not here"))                                         \
    X(TENSORS, RK_LIST("tensors", tensor_fields, "each of them"))
RK_FIELD_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_checkpoint = {answer_field, N_ANSWER};

static void fill(stored_page *p)
{
    rk_page *page = &p->v->page;
    rk_cell *answer = rk_page_answer(page, &rk_answer_checkpoint), *cell;
    size_t n_file = p->store->n_file, n_absent = p->store->n_tensor - p->store->n_known;
    const char *bits = p->sums.elements > 0 ? bits_text(p->v, &p->sums) : NULL;
    rk_table *tensors = rk_cell_list(page, &answer[TENSORS], &tensor_fields);
    unsigned of = 0, number = rk_store_part(p->store, &of);
    rk_str s = {0};

    tensors->make = make_tensors;
    tensors->self = p;
    answer[MODEL] = rk_cell_name(p->opened->name);
    answer[CHECKPOINT] = rk_cell_known(p->opened->store_name);
    cell = rk_cell_object(page, &answer[PARAMETERS], &parameters_fields);
    cell[0] = cell[1] = rk_cell_count_if(n_absent == 0, p->sums.elements);
    cell[2] = rk_cell_null();
    answer[ALL_BYTES] = rk_cell_count(p->sums.bytes);
    if (bits)
        answer[BITS] = rk_cell_digits(bits);
    answer[UNKNOWN] = rk_cell_count((rk_i128)n_absent);

    rk_page_put(page, RK_ITEM_TITLE, 0, "%s: %s parameters, as stored", p->opened->name,
                rk_view_words(p->v, p->sums.elements));
    rk_page_put(page, RK_ITEM_LINE, 0, "%s in %zu file%s: the header was read, the numbers were not",
                rk_view_counted(p->v, p->store->n_tensor, "tensor"), n_file, n_file == 1 ? "" : "s");
    rk_page_gap(page);
    if (p->options->all)
        put_all(p, tensors);
    else
        put_groups(p);
    put_formats(p);
    rk_str_bytes(&s, p->sums.bytes);
    if (bits)
        rk_str_format(&s, ", %s bits a weight", bits);
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

/* ---- beside the equations --------------------------------------------------------------------------------------- */

#define STORE_FIELDS(X)                                                                                                \
    X(STORE_PATH, RK_KEY("path", TEXT, "the file, its index or its folder"))                                           \
    X(STORE_TENSORS, RK_KEY("tensors", COUNT, "how many it has"))                                                      \
    X(STORE_ELEMENTS, RK_KEY("elements", COUNT, "of all tensors"))                                                     \
    X(STORE_BYTES, RK_KEY("bytes", COUNT, "of all tensors"))                                                           \
    X(STORE_BITS, RK_KEY("bits_per_weight", DIGITS, "of them, to two digits"))
RK_FIELD_TABLE(store_field, N_STORE, STORE_FIELDS);
const rk_fields rk_store_fields = {store_field, N_STORE};

rk_store_words rk_view_store(rk_view *v, rk_cell *in)
{
    const rk_opened *opened = v->report->opened;
    rk_store_words words = {0};
    rk_stored_sums sums;
    rk_str s = {0};
    rk_cell *cell;
    rk_i128 more;

    if (!opened || !opened->store || v->code != RK_OK)
        return words;
    v->code = rk_stored_sums_new(opened->store, 0, &sums, v->err);
    if (v->code != RK_OK)
        return words;
    cell = rk_cell_object(&v->page, in, &rk_store_fields);
    cell[STORE_PATH] = rk_cell_known(opened->store_name);
    cell[STORE_TENSORS] = rk_cell_count((rk_i128)opened->store->n_tensor);
    cell[STORE_ELEMENTS] = rk_cell_count(sums.elements);
    cell[STORE_BYTES] = rk_cell_count(sums.bytes);
    words.bytes = sums.bytes;
    rk_str_bytes(&s, sums.bytes);
    if (sums.elements > 0) {
        cell[STORE_BITS] = rk_cell_digits(bits_text(v, &sums));
        rk_str_format(&s, ", %s bits a weight: ", cell[STORE_BITS].text);
    }
    for (size_t i = 0; i < sums.format.n; i++) {
        /* "Q4_K 76.2%, Q6_K 23.0%, F32 0.8%": of the bytes. */
        rk_str_format(&s, "%s%s ", i ? ", " : "", rk_dtype_info(sums.format.at[i].dtype)->name);
        rk_str_share(&s, sums.format.at[i].bytes, sums.bytes);
    }
    words.line = rk_view_format(v, "The file stores %s.", rk_view_keep(v, &s));
    /* A file may hold tensors that no equation reads, or lack some: then the counts differ, and that must be seen. */
    more = sums.elements - rk_view_value(v, v->ledger->stored);
    if (more != 0 && v->code == RK_OK)
        words.note = rk_view_format(v, "The file has %s elements %s than the equations have parameters.",
                                    rk_view_grouped(v, more < 0 ? -more : more), more < 0 ? "fewer" : "more");
    rk_stored_sums_free(&sums);
    return words;
}

void rk_view_put_store_words(rk_view *v, const rk_store_words *words)
{
    if (words->line)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", words->line);
    if (words->note)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "%s", words->note);
}

int rk_report_stored(const rk_report *r, const rk_opened *opened, const rk_params_options *o, rk_err *err)
{
    stored_page p = {.opened = opened, .store = opened->store, .options = o};
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    p.v = &v;
    v.code = rk_stored_sums_new(p.store, o->depth, &p.sums, err);
    if (v.code == RK_OK)
        fill(&p);
    v.code = rk_view_end(&v);
    rk_stored_sums_free(&p.sums);
    return v.code;
}
