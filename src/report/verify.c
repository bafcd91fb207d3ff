/* SPDX-License-Identifier: MIT */
/* What `reckon verify` prints: whether a checkpoint has the tensors of a model, and what differs. */
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

/* ---- tables ----------------------------------------------------------------------------------------------------- */

enum {
    NAME,
    KIND_KEY,
    TENSORS,
    TENSORS_KEY,
    WANTED,
    WANTED_KEY,
    FOUND,
    FOUND_KEY,
    TYPE,
    OTHER,
    OTHER_KEY,
    N_COLUMN
};

static const rk_field column[N_COLUMN] = {
    [NAME] = {.head = "", .key = "name"},
    [KIND_KEY] = {.key = "kind"},
    [TENSORS] = {.head = "tensors", .right = true, .drop = 2},
    [TENSORS_KEY] = {.key = "tensors"},
    [WANTED] = {.head = "the model's", .right = true, .drop = 4},
    [WANTED_KEY] = {.key = "wanted"},
    [FOUND] = {.head = "the file's", .right = true, .drop = 5},
    [FOUND_KEY] = {.key = "found"},
    [TYPE] = {.head = "type", .key = "dtype", .drop = 1},
    [OTHER] = {.head = "", .wraps = true, .drop = 3},
    [OTHER_KEY] = {.key = "other"},
};

/* Nothing where a shape is not known. */
static rk_cell shape_cell(verify_page *p, const rk_shape *shape, bool for_people)
{
    if (!shape->known)
        return (rk_cell){.kind = RK_CELL_NOTHING};
    return rk_view_text(shape->n == 0 && for_people ? "scalar"
                                                    : rk_view_shape(p->view, shape->dim, shape->n, for_people));
}

static rk_cell *put_row(verify_page *p, rk_table *t, const rk_difference *d, const char *name)
{
    rk_cell *cell = rk_page_row(&p->view->page, t, RK_ROW_PLAIN, 1);

    cell[NAME] = rk_cell_code(rk_view_safe(p->view, name));
    cell[KIND_KEY] = rk_cell_code(rk_difference_table[d->kind].key);
    cell[TENSORS_KEY] = rk_cell_count(1);
    cell[WANTED] = shape_cell(p, &d->wanted, true);
    cell[WANTED_KEY] = shape_cell(p, &d->wanted, false);
    cell[FOUND] = shape_cell(p, &d->found, true);
    cell[FOUND_KEY] = shape_cell(p, &d->found, false);
    if (d->dtype)
        cell[TYPE] = rk_cell_code(d->dtype);
    if (d->other) {
        cell[OTHER] = rk_cell_text(&p->view->page, d->kind == RK_DIFFERENCE_TWICE ? "tied to %s" : "as %s",
                                   rk_view_safe(p->view, d->other));
        cell[OTHER_KEY] = rk_cell_code(rk_view_safe(p->view, d->other));
    }
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

        cell[TENSORS_KEY] = rk_cell_count((rk_i128)g->n);
        /* "32", or "37 of 4,096" where the name stands for more than there are. */
        cell[TENSORS] = (rk_i128)g->n == g->n_covered
                            ? rk_cell_count((rk_i128)g->n)
                            : rk_cell_text(&p->view->page, "%s of %s", rk_view_grouped(p->view, (rk_i128)g->n),
                                           rk_view_grouped(p->view, g->n_covered));
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
        t = rk_page_table(&p->view->page, column, N_COLUMN);
        if (p->all)
            for (size_t i = from; i < to; i++)
                put_row(p, t, &p->v->at[i], p->v->at[i].name);
        else
            put_groups(p, t, from, to);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_shape(rk_json *j, const char *key, const rk_shape *shape)
{
    if (shape->known)
        rk_json_counts(j, key, shape->dim, shape->n);
}

/* One shape is called so; where there are two, each says whose it is. */
static void write_difference(rk_json *j, const rk_difference *d)
{
    bool two = d->kind == RK_DIFFERENCE_SHAPE;

    rk_json_row(j, NULL);
    rk_json_text(j, "name", d->name);
    if (two || !d->found.known)
        write_shape(j, two ? "wanted" : "shape", &d->wanted);
    write_shape(j, two ? "found" : "shape", &d->found);
    if (d->dtype)
        rk_json_text(j, "dtype", d->dtype);
    if (d->other)
        rk_json_text(j, d->kind == RK_DIFFERENCE_TWICE ? "tied_to" : "stored_as", d->other);
    rk_json_close(j);
}

static void write_names(rk_json *j, const rk_verify *v)
{
    size_t i = 0;

    rk_json_count(j, "tensors", (rk_i128)v->n_wanted);
    rk_json_count(j, "matched", (rk_i128)v->n_matched);
    rk_json_count(j, "unchecked", (rk_i128)v->n_unchecked);
    rk_json_count(j, "unlisted", (rk_i128)v->n_unlisted);
    rk_json_text(j, "layout", layout_word[v->layout]);
    rk_json_text(j, "prefix_left_out", v->left_out);
    rk_json_text(j, "prefix_added", v->added);
    rk_json_count(j, "old_names", (rk_i128)v->n_old);
    rk_json_text(j, "quantised", v->method);
    for (int kind = 0; kind < RK_N_DIFFERENCE; kind++) {
        rk_json_open(j, rk_difference_table[kind].key, '[');
        for (; i < v->n && (int)v->at[i].kind == kind; i++)
            write_difference(j, &v->at[i]);
        rk_json_close(j);
    }
}

static void write_json(verify_page *p)
{
    rk_json *j = &p->view->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", p->view->model->name);
    rk_json_text(j, "file", p->file);
    rk_json_truth(j, "equal", p->v->equal);
    rk_json_text(j, "compared", p->v->by_sums ? "sums" : "names");
    rk_json_count(j, "stored", (rk_i128)p->v->n_stored);
    rk_json_known(j, "bytes", p->v->n_known == p->v->n_stored, (rk_i128)p->v->bytes);
    if (p->v->by_sums) {
        rk_json_row(j, "elements");
        rk_json_count(j, "wanted", p->v->sums.wanted);
        rk_json_count(j, "found", p->v->sums.found);
        rk_json_count(j, "tied", p->v->sums.tied);
        rk_json_count(j, "buffers", p->v->sums.buffers);
        rk_json_count(j, "constants", p->v->sums.constants);
        rk_json_close(j);
        rk_json_count(j, "shapes", (rk_i128)p->v->sums.n_shape);
    } else {
        write_names(j, p->v);
    }
    rk_json_close(j);
}

int rk_report_verify(const rk_report *r, const rk_ledger *l, const rk_verify *v, const char *file, bool all,
                     rk_err *err)
{
    verify_page p = {.v = v, .file = file, .all = all};
    rk_view view;

    rk_view_begin(&view, r, l, err);
    p.view = &view;
    p.file = rk_view_safe(&view, file);
    if (r->format == RK_FORMAT_JSON)
        write_json(&p);
    else
        fill_page(&p);
    return rk_view_end(&view);
}
