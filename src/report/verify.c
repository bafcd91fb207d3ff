/* SPDX-License-Identifier: MIT */
/* What `reckon verify` prints: whether a checkpoint has the tensors of a model, and what differs. */
#include "report/answers.h"
#include "report/view.h"

#include "account/alike.h"
#include "account/verify.h"

typedef struct verify_page {
    rk_view *view;
    const rk_verify *v;
    const char *file;
    bool all;
} verify_page;

static const char *const layout_word[] = RK_VERIFY_LAYOUT_WORDS;

/* ---- sentences -------------------------------------------------------------------------------------------------- */

static void put_equal(verify_page *p, rk_str *line)
{
    const rk_verify *v = p->v;
    const char *shapes = v->n_unchecked == 0             ? ", with the right shapes"
                         : v->n_unchecked < v->n_matched ? ", those that can be looked at with the right shapes"
                                                         : "";

    rk_str_format(line, "all %s are there%s", rk_view_counted(p->view, v->n_wanted, "tensor"), shapes);
    if (shapes[0] && v->count[RK_DIFFERENCE_PIECES] > 0)
        rk_str_put(line, " or as many elements");
}

/* "of 291 tensors, 256 are there, 32 missing, 3 of another shape; 2 extra in the file" */
static void put_different(verify_page *p, rk_str *line)
{
    const rk_verify *v = p->v;
    const size_t *n = v->count;

    rk_str_format(line, "of %s, %s %s there", rk_view_counted(p->view, v->n_wanted, "tensor"),
                  rk_view_grouped(p->view, (rk_i128)v->n_matched), v->n_matched == 1 ? "is" : "are");
    if (n[RK_DIFFERENCE_MISSING] > 0)
        rk_str_format(line, ", %s missing", rk_view_grouped(p->view, (rk_i128)n[RK_DIFFERENCE_MISSING]));
    if (n[RK_DIFFERENCE_SHAPE] > 0)
        rk_str_format(line, ", %s of another shape", rk_view_grouped(p->view, (rk_i128)n[RK_DIFFERENCE_SHAPE]));
    if (n[RK_DIFFERENCE_EXTRA] > 0)
        rk_str_format(line, "; %s extra in the file", rk_view_grouped(p->view, (rk_i128)n[RK_DIFFERENCE_EXTRA]));
}

static void put_remarks(verify_page *p)
{
    rk_page *page = &p->view->page;
    const rk_verify *v = p->v;

    if (v->n_unchecked > 0)
        rk_page_put(page, RK_ITEM_LINE, 0, "names only for %s: the shapes stand in shards that are not here",
                    rk_view_counted(p->view, v->n_unchecked, "tensor"));
    if (v->left_out)
        rk_page_put(page, RK_ITEM_LINE, 0, "its names leave out the prefix '%s'", rk_view_safe(p->view, v->left_out));
    if (v->added)
        rk_page_put(page, RK_ITEM_LINE, 0, "its names have the prefix '%s' before them",
                    rk_view_safe(p->view, v->added));
    if (v->n_old > 0)
        rk_page_put(page, RK_ITEM_LINE, 0, "%s under old names: gamma for weight, beta for bias",
                    rk_view_counted(p->view, v->n_old, "tensor"));
    if (v->method)
        rk_page_put(page, RK_ITEM_LINE, 0, "quantised by %s%s%s", rk_view_safe(p->view, v->method),
                    v->unknown ? ", and compared as if it were not: " : "", v->unknown ? v->unknown : "");
    if (v->n_unlisted > 0)
        rk_page_put(page, RK_ITEM_LINE, 0, "%s in shards that the index does not list",
                    rk_view_counted(p->view, v->n_unlisted, "tensor"));
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

/* Tables have both shapes, and JSON where there are two; a single one is called so. */
#define DIFFERENCE_FIELDS(X)                                                                                           \
    X(NAME, RK_COLUMN("", "name", CODE, "the tensor"))                                                                 \
    X(KIND, RK_KEY("kind", TEXT, "what is different", .csv = true))                                                    \
    X(TENSORS, RK_COLUMN("tensors", "tensors", COUNT, "of that name", .csv = true, .right = true, .drop = 2))          \
    X(SHAPE, RK_KEY("shape", SHAPE, "the file's, or the model's", .json = true))                                       \
    X(WANTED, RK_COLUMN("the model's", "wanted", SHAPE, "the shape that the model has", .right = true, .drop = 4))     \
    X(FOUND, RK_COLUMN("the file's", "found", SHAPE, "the shape that the file has", .right = true, .drop = 5))         \
    X(TYPE, RK_COLUMN("type", "dtype", CODE, "as it is stored", .drop = 1))                                            \
    X(OTHER, {.head = "", .key = "other", .kind = RK_CELL_CODE, .csv = true, .wraps = true, .drop = 3})                \
    X(TIED_TO, RK_KEY("tied_to", CODE, "the tensor that it is tied to", .json = true))                                 \
    X(STORED_AS, RK_KEY("stored_as", CODE, "its name in the file", .json = true))
RK_FIELD_TABLE(difference_field, N_DIFFERENCE, DIFFERENCE_FIELDS);
static const rk_fields difference_fields = {difference_field, N_DIFFERENCE};

static const rk_field elements_field[] = {
    RK_KEY("wanted", COUNT, "of the model, each stored once"),
    RK_KEY("found", COUNT, "of the file, without constants"),
    RK_KEY("tied", COUNT, "tied, which a file may have besides"),
    RK_KEY("buffers", COUNT, "of buffers, which a file may have besides"),
    RK_KEY("constants", COUNT, "constants of the file"),
};
static const rk_fields elements_fields = {elements_field, 5};

enum { /* of the answer */
    MODEL,
    FILE_NAME,
    EQUAL,
    COMPARED,
    STORED,
    BYTES,
    ELEMENTS,
    SHAPES,
    ALL_TENSORS,
    MATCHED,
    UNCHECKED,
    UNLISTED,
    LAYOUT,
    LEFT_OUT,
    ADDED,
    OLD_NAMES,
    QUANTISED,
    DIFFERENCES,
    N_ANSWER = DIFFERENCES + RK_N_DIFFERENCE
};

static const rk_field answer_field[N_ANSWER] = {
    [MODEL] = RK_KEY("model", TEXT, "the model's name"),
    [FILE_NAME] = RK_KEY("file", TEXT, "the checkpoint"),
    [EQUAL] = RK_KEY("equal", TRUTH, "whether it is one of this model"),
    [COMPARED] = RK_KEY("compared", TEXT, "names, or sums where the file has its own names"),
    [STORED] = RK_KEY("stored", COUNT, "tensors of the file"),
    [BYTES] = RK_KEY("bytes", COUNT, "of the file's tensors; null where a shard is not here"),
    [ELEMENTS] = RK_OBJECT("elements", elements_fields, "of all tensors: by sums"),
    [SHAPES] = RK_KEY("shapes", COUNT, "tensors with a shape that the model has: by sums"),
    [ALL_TENSORS] = RK_KEY("tensors", COUNT, "that the model wants"),
    [MATCHED] = RK_KEY("matched", COUNT, "of those, the ones that are there"),
    [UNCHECKED] = RK_KEY("unchecked", COUNT, "of those, the ones whose shard is not here"),
    [UNLISTED] = RK_KEY("unlisted", COUNT, "in shards that the index does not list"),
    [LAYOUT] = RK_KEY("layout", TEXT, "none, reference, checkpoint or mixed"),
    [LEFT_OUT] = RK_KEY("prefix_left_out", TEXT, "a prefix that no name of the file has"),
    [ADDED] = RK_KEY("prefix_added", TEXT, "a prefix that every name of the file has"),
    [OLD_NAMES] = RK_KEY("old_names", COUNT, "matched as gamma for weight, beta for bias"),
    [QUANTISED] = RK_KEY("quantised", TEXT, "how the config says that the file is"),
#define LIST(ID, word, fails, what) [DIFFERENCES + RK_DIFFERENCE_##ID] = RK_LIST(word, difference_fields, what),
    RK_DIFFERENCES(LIST)
#undef LIST
};
const rk_fields rk_answer_verify = {answer_field, N_ANSWER};

/* ---- differences ------------------------------------------------------------------------------------------------ */

/* Nothing where a shape is not known. */
static rk_cell shape_cell(const rk_shape *shape)
{
    static const rk_cell scalar = {.kind = RK_CELL_TEXT, .text = "scalar"};
    rk_cell cell = rk_cell_shape(shape->dim, shape->n);

    cell.people = shape->n == 0 ? &scalar : NULL;
    return shape->known ? cell : (rk_cell){.kind = RK_CELL_NOTHING};
}

/* One of a list of the answer, whose other cells are nothing. */
static void fill_difference(const rk_difference *d, rk_cell *cell)
{
    bool two = d->kind == RK_DIFFERENCE_SHAPE;

    cell[NAME] = rk_cell_name(d->name);
    if (two)
        cell[WANTED] = shape_cell(&d->wanted);
    cell[two ? FOUND : SHAPE] = shape_cell(two || d->found.known ? &d->found : &d->wanted);
    cell[TYPE] = rk_cell_name(d->dtype);
    cell[d->kind == RK_DIFFERENCE_TWICE ? TIED_TO : STORED_AS] = rk_cell_name(d->other);
}

typedef struct differences { /* of one kind */
    const rk_difference *at;
    size_t n;
} differences;

static void make_differences(void *self, rk_cell *cell, rk_row_taker *take, void *taker)
{
    const differences *of = self;

    for (size_t i = 0; i < of->n; i++) {
        fill_difference(&of->at[i], cell);
        take(taker, cell);
    }
}

static rk_cell *put_row(verify_page *p, rk_table *t, const rk_difference *d, const char *name)
{
    rk_cell *cell = rk_page_row(&p->view->page, t, RK_ROW_PLAIN, 1);

    cell[NAME] = rk_cell_code(rk_view_safe(p->view, name));
    cell[KIND] = rk_cell_code(rk_difference_table[d->kind].key);
    cell[TENSORS] = rk_cell_for_people(&p->view->page, rk_cell_count(1), "");
    cell[WANTED] = shape_cell(&d->wanted);
    cell[FOUND] = shape_cell(&d->found);
    cell[TYPE] = rk_cell_name(d->dtype);
    if (d->other)
        cell[OTHER] = rk_cell_for_people(
            &p->view->page, rk_view_text(d->other),
            rk_view_format(p->view, d->kind == RK_DIFFERENCE_TWICE ? "tied to %s" : "as %s", d->other));
    return cell;
}

static void put_groups(verify_page *p, rk_table *t, size_t from, size_t to)
{
    rk_view *view = p->view;
    rk_alikes groups = {.place = {0}};
    rk_str kind = {0};

    for (size_t i = from; i < to; i++) {
        const rk_difference *d = &p->v->at[i];

        /* All that must be the same in one row, as a text. */
        rk_str_reset(&kind);
        for (size_t k = 0; k < d->wanted.n; k++, rk_str_putc(&kind, ' '))
            rk_str_num(&kind, d->wanted.dim[k]);
        rk_str_putc(&kind, '|');
        for (size_t k = 0; k < d->found.n; k++, rk_str_putc(&kind, ' '))
            rk_str_num(&kind, d->found.dim[k]);
        rk_str_format(&kind, "|%d%d|%s|%s", d->wanted.known, d->found.known, d->dtype ? d->dtype : "",
                      d->other ? d->other : "");
        rk_alikes_add(&groups, i, d->name, rk_str_text(&kind));
    }
    if (view->code == RK_OK)
        view->code = kind.failed ? rk_fail_memory(view->err) : rk_alikes_end(&groups, view->err);
    for (size_t i = 0; i < groups.group.n && view->code == RK_OK; i++) {
        const rk_alike *g = &groups.group.at[i];
        rk_cell *cell = put_row(p, t, &p->v->at[g->first], g->name);

        cell[TENSORS] = rk_cell_count((rk_i128)g->n);
        if ((rk_i128)g->n != g->n_covered) /* the name stands for more than there are */
            cell[TENSORS] = rk_cell_for_people(&view->page, cell[TENSORS],
                                               rk_view_format(view, "%s of %s", rk_view_grouped(view, (rk_i128)g->n),
                                                              rk_view_grouped(view, g->n_covered)));
    }
    rk_str_free(&kind);
    rk_alikes_free(&groups);
}

/* ---- sums alone ------------------------------------------------------------------------------------------------- */

static void put_sums(verify_page *p)
{
    const rk_verify_sums *s = &p->v->sums;
    rk_page *page = &p->view->page;

    rk_page_put(page, RK_ITEM_LINE, 0,
                "the file has names of its own, so that its elements and shapes are compared, not its names; %s bytes",
                rk_view_grouped(p->view, (rk_i128)p->v->bytes));
    rk_page_gap(page);
    rk_page_equation(page, 0, "the model's elements", rk_cell_count(s->wanted), NULL);
    rk_page_equation(page, 0, "the file's elements", rk_cell_count(s->found), NULL);
    if (s->tied > 0)
        rk_page_equation(page, 0, "tied, which a file may store too", rk_cell_count(s->tied), NULL);
    if (s->buffers > 0)
        rk_page_equation(page, 0, "buffers, which a file may store too", rk_cell_count(s->buffers), NULL);
    if (s->constants > 0)
        rk_page_equation(page, 0, "the file's constants, not counted above", rk_cell_count(s->constants), NULL);
    rk_page_gap(page);
    rk_page_put(page, RK_ITEM_LINE, 0, "%s in the file; %s of them %s a shape that the model has",
                rk_view_counted(p->view, p->v->n_stored, "tensor"), rk_view_grouped(p->view, (rk_i128)s->n_shape),
                s->n_shape == 1 ? "has" : "have");
}

static void fill_page(verify_page *p)
{
    const rk_verify *v = p->v;
    rk_str line = {0};

    rk_page_put(&p->view->page, RK_ITEM_TITLE, 0, "%s and %s %s", p->view->model->name, rk_view_safe(p->view, p->file),
                p->v->equal ? "agree" : "differ");
    if (p->v->by_sums) {
        put_sums(p);
        return;
    }
    if (p->v->equal)
        put_equal(p, &line);
    else
        put_different(p, &line);
    if (v->layout == RK_VERIFY_MIXED)
        rk_str_put(&line, "; some in the reference layout, some in the checkpoint layout");
    else if (v->layout != RK_VERIFY_NONE)
        rk_str_format(&line, "; %s layout", layout_word[v->layout]);
    if (v->n_known == v->n_stored)
        rk_str_format(&line, "; %s bytes", rk_view_grouped(p->view, (rk_i128)v->bytes));
    rk_page_put(&p->view->page, RK_ITEM_LINE, 0, "%s", rk_view_keep(p->view, &line));
    put_remarks(p);
    for (size_t from = 0, to; from < p->v->n; from = to) {
        rk_difference_kind kind = p->v->at[from].kind;
        rk_table *t;

        to = from + p->v->count[kind];
        rk_page_gap(&p->view->page);
        rk_page_put(&p->view->page, RK_ITEM_HEADING, 0, "%s: %s", rk_difference_table[kind].text,
                    rk_view_counted(p->view, to - from, "tensor"));
        t = rk_page_table(&p->view->page, difference_field, N_DIFFERENCE);
        if (p->all)
            for (size_t i = from; i < to; i++)
                put_row(p, t, &p->v->at[i], p->v->at[i].name);
        else
            put_groups(p, t, from, to);
    }
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static void answer_sums(verify_page *p, rk_cell *answer)
{
    const rk_verify_sums *s = &p->v->sums;
    rk_cell *cell = rk_cell_object(&p->view->page, &answer[ELEMENTS], &elements_fields);

    cell[0] = rk_cell_count(s->wanted);
    cell[1] = rk_cell_count(s->found);
    cell[2] = rk_cell_count(s->tied);
    cell[3] = rk_cell_count(s->buffers);
    cell[4] = rk_cell_count(s->constants);
    answer[SHAPES] = rk_cell_count((rk_i128)s->n_shape);
}

static void answer_names(verify_page *p, rk_cell *answer)
{
    const rk_verify *v = p->v;

    answer[ALL_TENSORS] = rk_cell_count((rk_i128)v->n_wanted);
    answer[MATCHED] = rk_cell_count((rk_i128)v->n_matched);
    answer[UNCHECKED] = rk_cell_count((rk_i128)v->n_unchecked);
    answer[UNLISTED] = rk_cell_count((rk_i128)v->n_unlisted);
    answer[LAYOUT] = rk_cell_name(layout_word[v->layout]);
    answer[LEFT_OUT] = rk_cell_known(v->left_out);
    answer[ADDED] = rk_cell_known(v->added);
    answer[OLD_NAMES] = rk_cell_count((rk_i128)v->n_old);
    answer[QUANTISED] = rk_cell_known(v->method);
    for (size_t kind = 0, at = 0; kind < RK_N_DIFFERENCE; at += v->count[kind++]) {
        rk_table *t = rk_cell_list(&p->view->page, &answer[DIFFERENCES + kind], &difference_fields);
        differences *of = RK_NEW(&p->view->arena, differences);

        if (!of)
            return;
        *of = (differences){&v->at[at], v->count[kind]};
        t->make = make_differences;
        t->self = of;
    }
}

static void fill_answer(verify_page *p)
{
    rk_cell *answer = rk_page_answer(&p->view->page, &rk_answer_verify);
    const rk_verify *v = p->v;

    answer[MODEL] = rk_cell_name(p->view->model->name);
    answer[FILE_NAME] = rk_cell_name(p->file);
    answer[EQUAL] = rk_cell_truth(v->equal);
    answer[COMPARED] = rk_cell_name(v->by_sums ? "sums" : "names");
    answer[STORED] = rk_cell_count((rk_i128)v->n_stored);
    answer[BYTES] = v->n_known == v->n_stored ? rk_cell_count((rk_i128)v->bytes) : rk_cell_null();
    if (v->by_sums)
        answer_sums(p, answer);
    else
        answer_names(p, answer);
}

int rk_report_verify(const rk_report *r, const rk_ledger *l, const rk_verify *v, const char *file, bool all,
                     rk_err *err)
{
    rk_view view;
    verify_page p = {.view = &view, .v = v, .all = all};

    rk_view_begin(&view, r, l, err);
    view.page.whole = true;
    p.file = rk_view_safe(&view, file);
    fill_answer(&p);
    fill_page(&p);
    return rk_view_end(&view);
}
