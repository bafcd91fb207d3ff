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

/* What a family is. */
typedef enum kind {
    DECODER,
    WITH_ENCODER,
    TEXT_ENCODER,
    IMAGE_ENCODER,
    OTHER,
    N_KIND
} kind;

/* A family with its model file, or a model of one; a model file that is for itself alone is a family, too. */
typedef struct known {
    rk_known about;
    const char **family; /* FILE: all that it is for */
    size_t n_family;
    kind kind;          /* FILE: what its models are */
    size_t file;        /* MODEL: which file reads it; SIZE_MAX: none */
    bool has_size;      /* MODEL: it could be counted */
    rk_i128 parameters; /* MODEL; these and the next ones are 0 where they are not known */
    rk_i128 layers, width, context;
    bool shown;
    bool named; /* FILE: it is shown for its name, not only for what it is */
} known;

typedef struct catalogue {
    rk_view *view;
    const rk_library *library;
    known *file, *model;
    size_t n_file, n_model;
    bool described; /* the word is in no name, but in what some families are */
} catalogue;

static const char *const kind_text[N_KIND] = {
    [DECODER] = "language models",
    [WITH_ENCODER] = "encoder-decoders; images or speech to text",
    [TEXT_ENCODER] = "encoders of text",
    [IMAGE_ENCODER] = "encoders of images",
    [OTHER] = "others: towers, models and blocks of courses",
};

/* By the classes that its file names: the first of these that one of them ends in. */
static kind kind_of(const char *text)
{
    static const struct {
        const char *ending;
        kind is;
    } class[] = {
        {"ForConditionalGeneration\"", WITH_ENCODER},
        {"ForMaskedLM\"", TEXT_ENCODER},
        {"ForCausalLM\"", DECODER},
        {"LMHeadModel\"", DECODER},
        {"ForImageClassification\"", IMAGE_ENCODER},
    };

    for (size_t i = 0; i < sizeof class / sizeof *class; i++)
        if (strstr(text, class[i].ending))
            return class[i].is;
    return OTHER;
}

static size_t file_of(const catalogue *c, const char *family)
{
    for (size_t i = 0; i < c->n_file; i++)
        for (size_t k = 0; k < c->file[i].n_family; k++)
            if (strcmp(c->file[i].family[k], family) == 0)
                return i;
    return SIZE_MAX;
}

/* Of several towers the layers of the last, the text's or the decoder's, and the width that its file says next. */
static void take_sizes(known *k, const rk_instance *m)
{
    const rk_symbol *end = m->model->symbol + m->model->n_symbol, *layers = NULL, *width = NULL;
    const rk_symbol *tokens = rk_model_size(m->model, RK_SIZE_TOKENS);

    for (const rk_symbol *s = m->model->symbol; s < end; s++)
        layers = s->role == RK_SIZE_LAYERS && m->known[s->sym] ? s : layers;
    for (const rk_symbol *s = layers; s && s < end && !width; s++)
        width = s->role == RK_SIZE_WIDTH && m->known[s->sym] ? s : NULL;
    width = width ? width : rk_model_size(m->model, RK_SIZE_WIDTH);
    k->layers = layers ? m->value[layers->sym] : 0;
    k->width = width && m->known[width->sym] ? m->value[width->sym] : 0;
    k->context = tokens ? tokens->context : 0;
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
    if (code == RK_OK) {
        take_sizes(k, m);
        rk_instance_free(m);
    }
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
        if (code == RK_OK && t.text)
            k->kind = kind_of(t.text);
        k->file = code == RK_OK && e[i].is_config && k->about.name ? file_of(c, k->about.family) : SIZE_MAX;
        *(e[i].is_config ? &c->n_model : &c->n_file) += code == RK_OK && k->about.name;
    }
    return code;
}

/* ---- which are shown -------------------------------------------------------------------------------------------- */

/* Whether the word is found in a name, of it or of a family. */
static bool is_called(const known *k, const char *pattern)
{
    bool found = rk_glob_finds(pattern, k->about.name) || (k->about.family && rk_glob_finds(pattern, k->about.family));

    for (size_t i = 0; i < k->n_family && !found; i++)
        found = rk_glob_finds(pattern, k->family[i]);
    return found;
}

/* A model is shown with its family, whether that is like the pattern or not. */
static size_t choose(catalogue *c, const char *pattern)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_file; i++) {
        known *k = &c->file[i];

        k->named = !pattern || is_called(k, pattern);
        n += k->shown = k->named || rk_glob_finds(pattern, k->about.text);
    }
    for (size_t i = 0; i < c->n_model; i++) {
        known *k = &c->model[i];

        n += k->shown = !pattern || is_called(k, pattern) || rk_glob_finds(pattern, k->about.text);
        if (k->shown && k->file != SIZE_MAX)
            c->file[k->file].shown = c->file[k->file].named = true;
    }
    c->described = pattern;
    for (size_t i = 0; i < c->n_file; i++)
        c->described &= !c->file[i].named;
    for (size_t i = 0; i < c->n_model; i++)
        c->described &= !c->model[i].shown;
    for (size_t i = 0; i < c->n_file && c->described; i++)
        c->file[i].named = c->file[i].shown;
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
    RK_KEY("layers", COUNT, "of several towers those of the last, the text's or the decoder's; so the width"),
    RK_KEY("width", COUNT, "of its layers"),
    RK_KEY("context", COUNT, "the longest sequence that its config foresees"),
};
static const rk_fields model_fields = {model_field, 7};

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

static rk_cell known_count(rk_i128 n)
{
    return n > 0 ? rk_cell_count(n) : (rk_cell){0};
}

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
        cell[4] = known_count(k->layers);
        cell[5] = known_count(k->width);
        cell[6] = known_count(k->context);
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

/* ---- for programs that take tables apart ------------------------------------------------------------------------ */

#define COLUMNS(X)                                                                                                     \
    X(NAME, {.key = "name"})                                                                                           \
    X(KIND, {.key = "kind"})                                                                                           \
    X(FAMILY, {.key = "family"})                                                                                       \
    X(PARAMETERS, {.key = "parameters"})                                                                               \
    X(TEXT, {.key = "text"})                                                                                           \
    X(LAYERS, {.key = "layers"})                                                                                       \
    X(WIDTH, {.key = "width"})                                                                                         \
    X(CONTEXT, {.key = "context"})
RK_FIELD_TABLE(column, N_COLUMN, COLUMNS);

static void put_configs(const catalogue *c, rk_table *t, size_t file)
{
    for (const known *k = c->model; k < c->model + c->n_model; k++) {
        rk_cell *cell;

        if (!k->shown || k->file != file)
            continue;
        cell = rk_page_row(&c->view->page, t, RK_ROW_PLAIN, 0);
        cell[NAME] = rk_cell_code(k->about.name);
        cell[KIND] = rk_cell_code("config");
        cell[FAMILY] = rk_cell_code(k->about.family);
        if (k->has_size)
            cell[PARAMETERS] = rk_cell_count(k->parameters);
        cell[TEXT] = rk_view_text(k->about.text);
        cell[LAYERS] = known_count(k->layers);
        cell[WIDTH] = known_count(k->width);
        cell[CONTEXT] = known_count(k->context);
    }
}

/* All families of a file, with something between them. */
static const char *families_text(rk_view *v, const known *k, const char *between)
{
    rk_str names = {0};

    for (size_t i = 0; i < k->n_family; i++)
        rk_str_format(&names, "%s%s", i ? between : "", k->family[i]);
    return rk_view_keep(v, &names);
}

static void put_rows(const catalogue *c)
{
    rk_page *page = &c->view->page;
    rk_table *t = rk_page_table(page, column, N_COLUMN);

    rk_page_only(page, RK_FOR_PROGRAMS);
    for (size_t i = 0; i < c->n_file; i++) {
        const known *k = &c->file[i];
        rk_cell *cell;

        if (!k->shown)
            continue;
        cell = rk_page_row(page, t, RK_ROW_PLAIN, 0);
        cell[NAME] = rk_cell_code(k->about.name);
        cell[KIND] = rk_cell_code("model file");
        cell[FAMILY] = rk_cell_code(families_text(c->view, k, " "));
        cell[TEXT] = rk_view_text(k->about.text);
        put_configs(c, t, i);
    }
    put_configs(c, t, SIZE_MAX);
}

/* ---- for people: in short --------------------------------------------------------------------------------------- */

static void put_line_to_try(rk_view *v, rk_table *t, const char *line, const char *text)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_code(line);
    cell[1] = rk_view_text(text);
}

static rk_cell letters_cell(rk_view *v, rk_i128 n)
{
    return n > 0 ? rk_view_text(rk_view_letters(v, n)) : (rk_cell){0};
}

/* A kind of families: how many, how many models, and from which size to which. */
static void put_kind(const catalogue *c, rk_table *t, kind is)
{
    rk_cell *cell = rk_page_row(&c->view->page, t, RK_ROW_PLAIN, 0);
    rk_i128 families = 0, models = 0, least = 0, most = 0;

    for (size_t i = 0; i < c->n_file; i++)
        families += c->file[i].kind == is;
    for (const known *k = c->model; k < c->model + c->n_model; k++) {
        if ((k->file == SIZE_MAX ? OTHER : c->file[k->file].kind) != is)
            continue;
        models++;
        least = k->has_size && (least == 0 || k->parameters < least) ? k->parameters : least;
        most = k->has_size && k->parameters > most ? k->parameters : most;
    }
    cell[0] = rk_view_text(kind_text[is]);
    cell[1] = rk_cell_count(families);
    cell[2] = rk_cell_count(models);
    cell[3] = letters_cell(c->view, least);
    cell[4] = letters_cell(c->view, most);
}

static bool has_models(const catalogue *c, size_t file)
{
    for (size_t i = 0; i < c->n_model; i++)
        if (c->model[i].file == file)
            return true;
    return false;
}

static void put_summary(const catalogue *c)
{
    static const rk_field kinds[] = {{.head = ""},
                                     {.head = "families", .right = true},
                                     {.head = "models", .right = true},
                                     {.head = "from", .right = true, .drop = 1},
                                     {.head = "to", .right = true, .drop = 1}};
    static const rk_field lines[] = {{.head = "", .typed = true}, {.head = "", .wraps = true, .drop = 1}};
    rk_page *page = &c->view->page;
    rk_str names = {0};
    rk_table *t;

    rk_page_put(page, RK_ITEM_TITLE, 0, "%zu families, and %zu models of them that are known by name", c->n_file,
                c->n_model);
    rk_page_put(page, RK_ITEM_LINE, 0, "A family reads every config.json of its model_type, of any size.");
    rk_page_gap(page);
    t = rk_page_table(page, kinds, 5);
    for (int i = 0; i < N_KIND; i++)
        put_kind(c, t, (kind)i);
    rk_page_gap(page);
    rk_page_put(page, RK_ITEM_HEADING, 0, "Families with models known by name:");
    for (size_t i = 0; i < c->n_file; i++)
        if (has_models(c, i))
            rk_str_format(&names, "%s%s", names.n ? ", " : "", c->file[i].about.name);
    rk_page_put(page, RK_ITEM_LIST, 0, "%s", rk_view_keep(c->view, &names));
    rk_page_gap(page);
    t = rk_page_table(page, lines, 2);
    put_line_to_try(c->view, t, "reckon models llama", "those with a word in their name");
    put_line_to_try(c->view, t, "reckon models --all", "all of them");
    put_line_to_try(c->view, t, "reckon models llama --source", "the model file of a family");
    put_line_to_try(c->view, t, "reckon llama-3.1-8b", "what a model is");
}

/* ---- for people: the lists -------------------------------------------------------------------------------------- */

static void put_models(const catalogue *c)
{
    static const rk_field heads[] = {
        {.head = ""},
        {.head = "parameters", .right = true},
        {.head = "layers", .right = true, .drop = 2},
        {.head = "width", .right = true, .drop = 3},
        {.head = "context", .right = true, .drop = 1},
        {.head = "family", .drop = 4},
    };
    rk_table *t = rk_page_table(&c->view->page, heads, 6);

    for (size_t i = 0; i <= c->n_file; i++) /* family by family, those of none last */
        for (const known *k = c->model; k < c->model + c->n_model; k++) {
            rk_cell *cell;

            if (!k->shown || (k->file == SIZE_MAX ? c->n_file : k->file) != i)
                continue;
            cell = rk_page_row(&c->view->page, t, RK_ROW_PLAIN, 0);
            cell[0] = rk_cell_code(k->about.name);
            cell[1] = letters_cell(c->view, k->parameters);
            cell[2] = known_count(k->layers);
            cell[3] = known_count(k->width);
            cell[4] = known_count(k->context);
            cell[5] = rk_cell_code(k->about.family);
        }
}

static void put_families(const catalogue *c)
{
    static const rk_field heads[] = {{.head = ""}, {.head = "what it is", .wraps = true, .drop = 1}};
    rk_page *page = &c->view->page;
    rk_str others = {0};
    rk_table *t;

    t = rk_page_table(page, heads, 2);
    for (const known *k = c->file; k < c->file + c->n_file; k++) {
        rk_cell *cell;

        if (k->shown && !k->named)
            rk_str_format(&others, "%s%s", others.n ? ", " : "", k->about.name);
        if (!k->named)
            continue;
        cell = rk_page_row(page, t, RK_ROW_PLAIN, 0);
        cell[0] = rk_cell_code(families_text(c->view, k, ", "));
        cell[1] = rk_view_text(k->about.text);
    }
    if (others.n) {
        rk_page_gap(page);
        rk_page_put(page, RK_ITEM_LIST, 0, "Also in the descriptions of %s.", rk_str_text(&others));
    }
    c->view->page.failed |= others.failed;
    rk_str_free(&others);
}

static void put_page(const catalogue *c, const char *pattern)
{
    size_t models = 0, families = 0;
    const char *of = "";

    for (size_t i = 0; i < c->n_model; i++)
        models += c->model[i].shown;
    for (size_t i = 0; i < c->n_file; i++)
        families += c->file[i].named;
    if (families > 0)
        of = rk_view_format(c->view, "%zu famil%s", families, families == 1 ? "y" : "ies");
    rk_page_put(&c->view->page, RK_ITEM_TITLE, 0, "%s%s%s%s%s%s",
                models ? rk_view_counted(c->view, models, "model") : "", models && families ? " and " : "", of,
                pattern ? " with '" : "", pattern ? pattern : "",
                !pattern       ? ""
                : c->described ? "' in the description"
                               : "' in the name");
    rk_page_gap(&c->view->page);
    if (models > 0) {
        put_models(c);
        rk_page_gap(&c->view->page);
    }
    put_families(c);
}

int rk_report_models(const rk_report *r, const rk_library *l, const char *pattern, bool all, rk_err *err)
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
        put_rows(&c);
        if (pattern || all)
            put_page(&c, pattern);
        else
            put_summary(&c);
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
