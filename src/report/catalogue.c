/* SPDX-License-Identifier: MIT */
/* What `reckon models` and `reckon ops` print: what is known. */
#include "report/answers.h"
#include "report/view.h"

#include "account/count.h"
#include "plan/glob.h"
#include "plan/open.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- models ----------------------------------------------------------------------------------------------------- */

/* A family with its model file, or a model of one; a model file that is for itself alone is a family, too. */
typedef struct known {
    rk_known about;
    const char **family; /* FILE: all that it is for */
    size_t n_family;
    size_t file;        /* MODEL: which file reads it; SIZE_MAX: none */
    bool has_size;      /* MODEL: it could be counted */
    rk_i128 parameters; /* MODEL */
    bool shown;
} known;

typedef struct catalogue {
    rk_view *view;
    const rk_library *library;
    known *file, *model;
    size_t n_file, n_model;
} catalogue;

static size_t file_of(const catalogue *c, const char *family)
{
    for (size_t i = 0; i < c->n_file; i++)
        for (size_t k = 0; k < c->file[i].n_family; k++)
            if (strcmp(c->file[i].family[k], family) == 0)
                return i;
    return SIZE_MAX;
}

/* Opening a model only to add up its weights takes half a millisecond; one that cannot be opened has no size here. */
static int count_parameters(catalogue *c, known *k)
{
    rk_open_request r = {.word = &k->about.name, .n_word = 1, .library = *c->library};
    rk_instance *m = NULL;
    rk_err why = {0};
    int code = rk_open(&r, &m, &why);

    if (code == RK_ENOMEM)
        return rk_fail_memory(c->view->err);
    k->has_size = code == RK_OK && rk_count_stored(m->model, &k->parameters, &why) == RK_OK;
    if (code == RK_OK)
        rk_instance_free(m);
    return RK_OK;
}

/* Files come first in the list of a library, so that each model finds its file. */
static int read_catalogue(catalogue *c)
{
    rk_view *v = c->view;
    rk_library_entry *e = NULL;
    size_t n = 0;
    int code = rk_library_list(c->library, &v->arena, &e, &n, v->err);

    if (code == RK_OK) {
        c->file = RK_NEW_ARRAY(&v->arena, n + 1, known);
        c->model = RK_NEW_ARRAY(&v->arena, n + 1, known);
        code = c->file && c->model ? RK_OK : rk_fail_memory(v->err);
    }
    for (size_t i = 0; i < n && code == RK_OK; i++) {
        known *k = e[i].is_config ? &c->model[c->n_model] : &c->file[c->n_file];
        rk_text t = {0};

        code = rk_library_describe(c->library, &v->arena, &e[i], &k->about, v->err);
        if (code == RK_OK && !e[i].is_config)
            code = rk_library_get(c->library, &v->arena, e[i].path, &t, v->err);
        if (code == RK_OK && t.text)
            code = rk_library_families(&v->arena, &t, &k->family, &k->n_family, v->err);
        k->file = code == RK_OK && e[i].is_config && k->about.name ? file_of(c, k->about.family) : SIZE_MAX;
        *(e[i].is_config ? &c->n_model : &c->n_file) += code == RK_OK && k->about.name;
    }
    return code;
}

/* ---- which are shown -------------------------------------------------------------------------------------------- */

static bool matches(const known *k, const char *pattern)
{
    bool found = rk_glob_finds(pattern, k->about.name) || rk_glob_finds(pattern, k->about.text) ||
                 (k->about.family && rk_glob_finds(pattern, k->about.family));

    for (size_t i = 0; i < k->n_family && !found; i++)
        found = rk_glob_finds(pattern, k->family[i]);
    return found;
}

/* A model is shown below its family, whether that is like the pattern or not. */
static size_t choose(catalogue *c, const char *pattern)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_file; i++)
        n += c->file[i].shown = !pattern || matches(&c->file[i], pattern);
    for (size_t i = 0; i < c->n_model; i++) {
        known *k = &c->model[i];

        n += k->shown = !pattern || matches(k, pattern);
        if (k->shown && k->file != SIZE_MAX)
            c->file[k->file].shown = true;
    }
    return n;
}

static int by_size(const void *a, const void *b)
{
    const known *x = a, *y = b;

    if (x->parameters != y->parameters)
        return x->parameters < y->parameters ? -1 : 1;
    return strcmp(x->about.name, y->about.name);
}

/* ---- the lists -------------------------------------------------------------------------------------------------- */

static const rk_field model_field[] = {
    RK_KEY("name", TEXT, "by which it is known"),
    RK_KEY("family", TEXT, "whose file reads its config"),
    RK_KEY("parameters", COUNT, "where it can be counted"),
    RK_KEY("text", TEXT, "where its config is from"),
};
static const rk_fields model_fields = {model_field, 4};

static const rk_field file_field[] = {
    RK_KEY("name", TEXT, "of the family, and of its model file"),
    RK_KEY("families", TEXTS, "all whose configs it reads"),
    RK_KEY("text", TEXT, "what its models are"),
};
static const rk_fields file_fields = {file_field, 3};

static const rk_field models_field[] = {
    RK_LIST("models", model_fields, "known by name"),
    RK_LIST("files", file_fields, "families"),
};
const rk_fields rk_answer_models = {models_field, 2};

static void fill_lists(const catalogue *c)
{
    rk_page *page = &c->view->page;
    rk_cell *answer = rk_page_answer(page, &rk_answer_models);
    rk_table *models = rk_cell_list(page, &answer[0], &model_fields);
    rk_table *files = rk_cell_list(page, &answer[1], &file_fields);

    for (const known *k = c->model; k < c->model + c->n_model; k++) {
        rk_cell *cell;

        if (!k->shown)
            continue;
        cell = rk_page_row(page, models, RK_ROW_PLAIN, 0);
        cell[0] = rk_cell_name(k->about.name);
        cell[1] = rk_cell_known(k->about.family);
        if (k->has_size)
            cell[2] = rk_cell_count(k->parameters);
        cell[3] = rk_cell_known(k->about.text);
    }
    for (const known *k = c->file; k < c->file + c->n_file; k++) {
        rk_cell *cell;

        if (!k->shown)
            continue;
        cell = rk_page_row(page, files, RK_ROW_PLAIN, 0);
        cell[0] = rk_cell_name(k->about.name);
        cell[1] = rk_cell_texts(k->family, k->n_family);
        cell[2] = rk_cell_known(k->about.text);
    }
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* Parameters, for people: of a model how large, of a family what it is; where that is from is for programs. */
#define COLUMNS(X)                                                                                                     \
    X(NAME, {.head = "", .key = "name"})                                                                               \
    X(KIND, {.key = "kind"})                                                                                           \
    X(FAMILY, {.key = "family"})                                                                                       \
    X(PARAMETERS, {.head = "", .key = "parameters", .wraps = true})                                                    \
    X(TEXT, {.key = "text"})
RK_FIELD_TABLE(column, N_COLUMN, COLUMNS);

static void put_models(const catalogue *c, rk_table *t, size_t file)
{
    rk_page *page = &c->view->page;

    for (const known *k = c->model; k < c->model + c->n_model; k++) {
        rk_cell *cell;

        if (!k->shown || k->file != file)
            continue;
        cell = rk_page_row(page, t, RK_ROW_PLAIN, 1);
        cell[NAME] = rk_cell_code(k->about.name);
        cell[KIND] = rk_cell_code("config");
        cell[FAMILY] = rk_cell_code(k->about.family);
        cell[TEXT] = rk_view_text(k->about.text);
        if (k->has_size)
            cell[PARAMETERS] =
                rk_cell_both(page, rk_cell_count(k->parameters), rk_view_text(rk_view_letters(c->view, k->parameters)));
    }
}

/* `first`, where it is not empty, and then the other families of a file. */
static const char *families_text(rk_view *v, const known *k, const char *first, const char *between)
{
    rk_str names = {0};

    rk_str_put(&names, first);
    for (size_t i = 0; i < k->n_family; i++)
        if (strcmp(k->family[i], first) != 0)
            rk_str_format(&names, "%s%s", names.n ? between : "", k->family[i]);
    return rk_view_keep(v, &names);
}

static void put_page(const catalogue *c)
{
    rk_page *page = &c->view->page;
    rk_table *t;

    rk_page_put(page, RK_ITEM_HEADING, 0,
                "Families, each with the models that are known by name and their parameters:");
    rk_page_gap(page);
    t = rk_page_table(page, column, N_COLUMN);
    for (size_t i = 0; i < c->n_file; i++) {
        const known *k = &c->file[i];
        rk_cell *cell;

        if (!k->shown)
            continue;
        cell = rk_page_row(page, t, RK_ROW_PLAIN, 0);
        cell[NAME] = rk_cell_both(page, rk_cell_code(k->about.name),
                                  rk_cell_code(families_text(c->view, k, k->about.name, ", ")));
        cell[KIND] = rk_cell_code("model file");
        cell[FAMILY] = rk_cell_code(families_text(c->view, k, "", " "));
        cell[TEXT] = rk_view_text(k->about.text);
        cell[PARAMETERS] = rk_cell_both(page, (rk_cell){0}, cell[TEXT]);
        put_models(c, t, i);
    }
    put_models(c, t, SIZE_MAX);
}

int rk_report_models(const rk_report *r, const rk_library *l, const char *pattern, rk_err *err)
{
    rk_view v;
    catalogue c = {.view = &v, .library = l};

    rk_view_begin(&v, r, NULL, err);
    v.code = read_catalogue(&c);
    if (v.code == RK_OK && choose(&c, pattern) == 0)
        v.code = rk_fail(err, RK_EINPUT, "no name, family or text has '%s' in it", pattern);
    for (size_t i = 0; i < c.n_model && v.code == RK_OK; i++)
        if (c.model[i].shown)
            v.code = count_parameters(&c, &c.model[i]);
    if (v.code == RK_OK) {
        fill_lists(&c);
        if (c.n_model > 0)
            qsort(c.model, c.n_model, sizeof *c.model, by_size);
        put_page(&c);
    }
    return rk_view_end(&v);
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static const char *const per_text[] = {
    [RK_PER_NONE] = "",
    [RK_PER_OUT] = "element of the result",
    [RK_PER_IN] = "element of the first operand",
    [RK_PER_PAIR] = "pair of elements multiplied",
    [RK_PER_ROTATED] = "element that is rotated",
    [RK_PER_SOLVE] = "element of the result and unknown",
};

static const rk_field op_field[] = {
    RK_COLUMN("operation", "name", CODE, "as model files call it"),
    RK_COLUMN("forward", "forward", COUNT, "FLOPs, forward", .right = true),
    RK_COLUMN("backward", "backward", COUNT, "FLOPs, backward", .right = true, .drop = 3),
    RK_COLUMN("per", "per", TEXT, "for each of what", .wraps = true, .drop = 1),
    RK_COLUMN("meaning", "text", TEXT, "what it does", .wraps = true, .drop = 2),
};
static const rk_fields op_fields = {op_field, 5};

static const rk_field ops_field[] = {
    RK_LIST("ops", op_fields, "the operations of model files"),
};
const rk_fields rk_answer_ops = {ops_field, 1};

int rk_report_ops(const rk_report *r, rk_err *err)
{
    rk_cell *answer;
    rk_table *t;
    rk_view v;

    rk_view_begin(&v, r, NULL, err);
    answer = rk_page_answer(&v.page, &rk_answer_ops);
    rk_page_put(&v.page, RK_ITEM_HEADING, 0,
                "The operations of model files, and what each costs where every operation is counted:");
    rk_page_gap(&v.page);
    t = rk_cell_list(&v.page, &answer[0], &op_fields);
    rk_page_show(&v.page, t);
    for (size_t i = 0; i < RK_N_OP; i++) {
        const rk_op_row *row = &rk_op_table[i];
        rk_cell *cell = rk_page_row(&v.page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(row->name);
        cell[1] = rk_cell_count(row->forward);
        cell[2] = rk_cell_count(row->backward);
        cell[3] = rk_view_text(per_text[row->per]);
        cell[4] = rk_view_text(row->text);
    }
    return rk_view_end(&v);
}
