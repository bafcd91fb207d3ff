/* SPDX-License-Identifier: MIT */
#include "plan/open.h"

#include "base/vec.h"
#include "plan/family.h"
#include "plan/gguf.h"

#include <string.h>
#include <sys/stat.h>

/* Everything found on the way; lives as long as one call of rk_open_all. */
typedef struct opening {
    const rk_open_request *request;
    rk_finding found;
    rk_doc *config;
    RK_VEC(const char *) from_library; /* names of the files that came from there: they use only each other */
} opening;

static int note_library(opening *o, const char *name)
{
    const char **slot = RK_PUSH(o->found.arena, &o->from_library);

    if (!slot)
        return rk_fail_memory(o->found.err);
    *slot = name;
    return RK_OK;
}

static int find_one(opening *o, const char *word)
{
    int code = rk_find(&o->found, word);

    return code == RK_OK && o->found.model.text && o->found.in_library ? note_library(o, o->found.model.name) : code;
}

/* ---- families --------------------------------------------------------------------------------------------------- */

static int fail_unknown_family(opening *o, const char *family)
{
    return rk_family_fail(o->found.library, o->found.arena, family, o->config, o->found.err);
}

static int take_family(opening *o, const char *family)
{
    int code = rk_library_family(o->found.library, o->found.arena, family, &o->found.model, o->found.err);

    return code == RK_OK && o->found.model.text ? note_library(o, o->found.model.name) : code;
}

static const char *text_key(const rk_doc *d, const char *key)
{
    const rk_doc *v = rk_doc_key(d, key, strlen(key));

    return v && v->kind == RK_DOC_TEXT ? v->text : NULL;
}

/* The model file of a config: by its model_type, else by the classes that it names. */
static int find_family(opening *o, const rk_doc *config)
{
    const char *type = text_key(config, "model_type");
    const rk_doc *classes = rk_doc_key(config, "architectures", strlen("architectures"));
    int code = type ? take_family(o, type) : RK_OK;

    for (size_t i = 0; classes && classes->kind == RK_DOC_LIST && i < classes->n; i++) {
        if (code != RK_OK || o->found.model.text)
            break;
        if (classes->item[i].kind == RK_DOC_TEXT) {
            type = type ? type : classes->item[i].text;
            code = take_family(o, classes->item[i].text);
        }
    }
    if (code != RK_OK || o->found.model.text)
        return code;
    if (!type)
        return rk_fail(
            o->found.err, RK_EINPUT,
            "it has no model_type: say how to read it (--like FAMILY), or name its family first (FAMILY CONFIG)");
    return fail_unknown_family(o, type);
}

/* The first of two words: a model file. */
static int find_model_file(opening *o, const char *word)
{
    int code;

    if (rk_find_is_path(word) && !rk_find_is_folder(word) && rk_ends_in(word, ".rk"))
        return find_one(o, word);
    code = take_family(o, word);
    return code == RK_OK && !o->found.model.text ? fail_unknown_family(o, word) : code;
}

static int find_two(opening *o, const char *family, const char *config)
{
    int code = find_model_file(o, family);
    rk_text model = o->found.model;

    if (code == RK_OK)
        code = find_one(o, config);
    if (code != RK_OK)
        return code;
    if (!o->found.config.text)
        return rk_fail(o->found.err, RK_EUSAGE, "'%s' is not a config: after the family '%s' comes one", config,
                       family);
    o->found.model = model;
    return RK_OK;
}

/* ---- texts in memory -------------------------------------------------------------------------------------------- */

static int find_beside_model(opening *o, const char *word)
{
    rk_text model = o->found.model;
    int code = find_one(o, word);

    if (code == RK_OK && !o->found.config.text)
        code =
            rk_fail(o->found.err, RK_EUSAGE, "'%s' is not a config: beside the text of a model file comes one", word);
    o->found.model = model;
    return code;
}

static int find_beside_text(opening *o, const char *word)
{
    const char *name = o->found.name;
    int code = o->found.model.text ? find_beside_model(o, word) : find_model_file(o, word);

    if (!o->request->model.text)
        o->found.name = name;
    return code;
}

static int find_texts(opening *o)
{
    const rk_open_request *r = o->request;
    size_t n_text = (size_t)(r->model.text ? 1 : 0) + (r->config.text ? 1 : 0);
    int code = RK_OK;

    if (r->n_word + n_text > RK_OPEN_WORDS_MAX)
        return rk_fail(o->found.err, RK_EUSAGE, "one model is wanted, or a family and a config: '%s' is too much",
                       r->word[0]);
    o->found.model = r->model;
    o->found.config = r->config;
    o->found.name = rk_arena_text(o->found.arena, r->config.text ? r->config.name : r->model.name);
    if (!o->found.name)
        return rk_fail_memory(o->found.err);
    if (r->model.text)
        code = note_library(o, r->model.name);
    return code == RK_OK && r->n_word ? find_beside_text(o, r->word[0]) : code;
}

/* ---- what a model file uses ------------------------------------------------------------------------------------- */

static bool is_from_library(const opening *o, const char *name)
{
    for (size_t i = 0; i < o->from_library.n; i++)
        if (strcmp(o->from_library.at[i], name) == 0)
            return true;
    return false;
}

/* Beside a file of the user's.  Nothing but model files is read: a stranger's file cannot make others be shown. */
static int find_beside(opening *o, const char *from, const char *path, rk_text *out)
{
    const char *slash = strrchr(from, '/');
    size_t n = slash ? (size_t)(slash - from) + 1 : 0;
    char *beside = rk_arena_format(o->found.arena, "%.*s%s", (int)n, from, path);
    struct stat st;

    if (!beside)
        return rk_fail_memory(o->found.err);
    if (path[0] == '/' || !rk_ends_in(path, ".rk") || n > 4096 || stat(beside, &st) != 0)
        return RK_OK;
    return rk_find_read(&o->found, beside, RK_SOURCE_BYTES_MAX, out);
}

static int find_used(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                     size_t *n, rk_err *err)
{
    opening *o = self;
    rk_text t = {0};
    int code = RK_OK;

    (void)a;
    o->found.err = err;
    if (!is_from_library(o, from))
        code = find_beside(o, from, path, &t);
    /* What a used file uses may also stand beside the model file, as all of a library does. */
    if (code == RK_OK && !t.text && !is_from_library(o, from))
        code = find_beside(o, o->found.model.name, path, &t);
    if (code == RK_OK && !t.text) {
        code = rk_library_get(o->found.library, o->found.arena, path, &t, err);
        if (code == RK_OK && t.text)
            code = note_library(o, t.name);
    }
    if (code == RK_OK && !t.text)
        code = rk_fail(err, RK_EINPUT, "there is no file '%s' beside %s, nor in the library", path, from);
    if (code != RK_OK)
        return code;
    *name = t.name;
    *text = t.text;
    *n = t.n;
    return RK_OK;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* Whatever mistakes came of the numbers of another model are not worth showing. */
static int fail_like(const opening *o, const rk_model **model, size_t n_said, const char *lacks, rk_err *err)
{
    rk_str *mistakes = o->request->mistakes;
    int code = rk_family_fail_like(o->request->like, lacks, err);

    if (*model)
        rk_model_free(*model);
    *model = NULL;
    if (mistakes && mistakes->n > n_said) {
        mistakes->n = n_said;
        mistakes->text[n_said] = '\0';
    }
    return rk_err_context(err, code, "%s", o->found.config.name);
}

/* Which weights get adapters is seen in the model without them. */
static int find_adapters(opening *o, const rk_model_source *source, rk_adapt *out, rk_err *err)
{
    const rk_adapt_request *adapt = &o->request->adapt;
    const rk_model *plain = NULL;
    int code = adapt->rank > 0 ? rk_model_open(source, &plain, o->request->mistakes, err) : RK_OK;

    if (code == RK_OK)
        code = rk_adapt_find(o->found.arena, adapt, plain, out, err);
    rk_model_free(plain);
    return code;
}

static int open_adapted(opening *o, rk_model_source source, const rk_model **out, rk_err *err)
{
    rk_adapt adapt = {0};
    const rk_model *m = NULL;
    int code = find_adapters(o, &source, &adapt, err);

    source.adapt = &adapt;
    if (source.lacks && code == RK_OK)
        rk_str_free(source.lacks); /* they are found once more */
    if (code == RK_OK)
        code = rk_model_open(&source, &m, o->request->mistakes, err);
    if (code == RK_OK)
        code = rk_adapt_used(&adapt, m, err);
    if (code == RK_OK)
        *out = m;
    else
        rk_model_free(m);
    return code;
}

static int open_found(opening *o, const rk_model **out)
{
    const rk_open_request *r = o->request;
    size_t n_said = r->mistakes ? r->mistakes->n : 0;
    rk_str lacks = {0};
    rk_model_source source = {
        .name = o->found.name,
        .file_name = o->found.model.name,
        .text = o->found.model.text,
        .n = o->found.model.n,
        .config = o->config,
        .config_name = o->found.config.name,
        .setting = r->setting,
        .n_setting = r->n_setting,
        .lacks = r->like ? &lacks : NULL,
        .wants_keys = r->wants_keys || r->like,
        .finder = {find_used, o},
        .profile = r->profile,
        .fused = r->fused,
    };
    rk_err *err = o->found.err; /* what is used is found with errors of its own */
    bool adapts = r->adapt.rank > 0 || r->adapt.freeze;
    int code = adapts ? open_adapted(o, source, out, err) : rk_model_open(&source, out, r->mistakes, err);

    if (code != RK_ENOMEM && lacks.n > 0)
        code = fail_like(o, out, n_said, rk_str_text(&lacks), err);
    rk_str_free(&lacks);
    return code;
}

static int find_words(opening *o)
{
    const rk_open_request *r = o->request;

    if (r->model.text || r->config.text)
        return find_texts(o);
    return r->n_word == 1 ? find_one(o, r->word[0]) : find_two(o, r->word[0], r->word[1]);
}

/* What a document is, in words, for a message. */
static const char *kind_of(const rk_doc *d)
{
    static const char *const word[] = {
        [RK_DOC_NULL] = "null",     [RK_DOC_BOOL] = "a truth value", [RK_DOC_INT] = "a number",
        [RK_DOC_REAL] = "a number", [RK_DOC_TEXT] = "a text",        [RK_DOC_LIST] = "a list",
        [RK_DOC_MAP] = "an object"};

    return word[d->kind];
}

static rk_doc *key_of(rk_doc *d, const char *key)
{
    const rk_doc *v = rk_doc_key(d, key, strlen(key));

    return v ? &d->item[v - d->item] : NULL;
}

static int check_classes(const opening *o, rk_doc *classes)
{
    const char *name = o->found.config.name;

    if (classes->kind != RK_DOC_LIST)
        return rk_fail(o->found.err, RK_EINPUT, "%s: 'architectures' is %s, not a list of classes", name,
                       kind_of(classes));
    for (size_t i = 0; i < classes->n; i++)
        if (classes->item[i].kind != RK_DOC_TEXT)
            return rk_fail(o->found.err, RK_EINPUT, "%s: 'architectures' lists %s, not only classes", name,
                           kind_of(&classes->item[i]));
    if (classes->n == 0) /* none is named: as if the key were not there */
        classes->kind = RK_DOC_NULL;
    return RK_OK;
}

/* The two keys that choose the equations must be of the right kind: the first letter of a text is no class. */
static int check_family_keys(const opening *o)
{
    const rk_doc *type = key_of(o->config, "model_type");
    rk_doc *classes = key_of(o->config, "architectures");

    if (type && type->kind != RK_DOC_TEXT && type->kind != RK_DOC_NULL)
        return rk_fail(o->found.err, RK_EINPUT, "%s: 'model_type' is %s, not the name of a family",
                       o->found.config.name, kind_of(type));
    return classes && classes->kind != RK_DOC_NULL ? check_classes(o, classes) : RK_OK;
}

/* The config as a document: of its text, or of the metadata of a GGUF file. */
static int read_document(opening *o)
{
    rk_finding *f = &o->found;
    int code = RK_OK;

    if (f->config.text)
        code = rk_config_parse(f->arena, f->config.name, f->config.text, f->config.n, &o->config, f->err);
    else if (f->store && rk_gguf_is(f->store)) {
        f->config.name = f->store_name;
        code = rk_gguf_config(f->library, f->arena, f->store, &o->config, f->err);
    }
    if (code == RK_OK && o->config && o->config->kind != RK_DOC_MAP)
        code = rk_fail(f->err, RK_EINPUT, "%s: is not a JSON object", f->config.name);
    return code == RK_OK && o->config ? check_family_keys(o) : code;
}

static int fail_tensors_alone(const opening *o)
{
    const char *path = o->found.store_name;

    return rk_fail(o->found.err, RK_EINPUT,
                   "%s: has tensors, but not the equations: put its config.json beside it ('reckon params %s' lists "
                   "its tensors)",
                   path, path);
}

static int find_like(opening *o)
{
    const char *like = o->request->like;
    int code;

    if (o->found.model.text || !o->config)
        return rk_fail(o->found.err, RK_EUSAGE, "--like %s says how to read a config, and %s", like,
                       o->config ? "here its model file is named already" : "here is none");
    code = take_family(o, like);
    /* The config has its family; it is the other word that is unknown. */
    return code == RK_OK && !o->found.model.text
               ? rk_family_fail(o->found.library, o->found.arena, like, NULL, o->found.err)
               : code;
}

/* The model file that reads the config, where none was named. */
static int find_equations(opening *o)
{
    int code;

    if (o->request->like)
        return find_like(o);
    if (o->found.model.text)
        return RK_OK;
    if (!o->config)
        return o->found.want == RK_FIND_ANY ? RK_OK : fail_tensors_alone(o);
    code = find_family(o, o->config);
    return code == RK_OK ? RK_OK : rk_err_context(o->found.err, code, "%s", o->found.config.name);
}

static int open_words(opening *o, rk_opened *out)
{
    rk_finding *f = &o->found;
    int code = find_words(o);

    if (code == RK_OK && !f->name)
        code = rk_fail_memory(f->err);
    if (code != RK_OK)
        return code;
    out->name = f->name;
    out->store = f->store;
    out->store_name = f->store_name;
    if (f->store && f->want == RK_FIND_TENSORS)
        return RK_OK;
    code = read_document(o);
    if (code == RK_OK)
        code = find_equations(o);
    if (code != RK_OK || !f->model.text)
        return code;
    code = open_found(o, &out->model);
    return code == RK_OK ? rk_instance_of(out->model, &out->instance, f->err) : code;
}

int rk_open_all(const rk_open_request *r, rk_find_want want, rk_opened *out, rk_err *err)
{
    rk_err own = {0};
    opening o = {.request = r,
                 .found = {.arena = &out->arena, .library = &r->library, .want = want, .err = err ? err : &own}};
    int code;

    *out = (rk_opened){0};
    if (r->n_word == 0 && !r->model.text && !r->config.text)
        return rk_fail(err, RK_EUSAGE, "which model? ('reckon models' lists what is known by name)");
    if (r->n_word > RK_OPEN_WORDS_MAX)
        return rk_fail(err, RK_EUSAGE, "one model is wanted, or a family and a config: '%s' is too much", r->word[2]);
    code = open_words(&o, out);
    if (code != RK_OK)
        rk_opened_free(out);
    return code;
}

void rk_opened_free(rk_opened *o)
{
    rk_instance_free(o->instance);
    rk_arena_free(&o->arena);
    *o = (rk_opened){0};
}

int rk_open(const rk_open_request *r, rk_instance **out, rk_err *err)
{
    rk_opened opened;
    int code = rk_open_all(r, RK_FIND_MODEL, &opened, err);

    if (code != RK_OK)
        return code;
    *out = opened.instance;
    opened.instance = NULL;
    rk_opened_free(&opened);
    return RK_OK;
}
