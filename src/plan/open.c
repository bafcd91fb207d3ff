/* SPDX-License-Identifier: MIT */
#include "plan/open.h"

#include "base/str.h"
#include "base/vec.h"
#include "plan/family.h"
#include "plan/gguf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rk_shelf {
    struct shelved *first;
    rk_parsed parsed;
};

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

static int take_family(opening *o, const char *family)
{
    int code = rk_library_family(o->found.library, o->found.arena, family, &o->found.model, o->found.err);

    return code == RK_OK && o->found.model.text ? note_library(o, o->found.model.name) : code;
}

/* The same for a word that someone typed. */
static int take_typed_family(opening *o, const char *word)
{
    rk_called named = {0};
    int code = rk_find_family(o->found.library, o->found.arena, word, &named, o->found.err);

    o->found.model = named.text;
    return code == RK_OK && o->found.model.text ? note_library(o, o->found.model.name) : code;
}

static rk_doc *key_of(const rk_doc *d, const char *key)
{
    const rk_doc *v = rk_doc_key(d, key, strlen(key));

    return v && v->kind != RK_DOC_NULL ? &d->item[v - d->item] : NULL;
}

/* The model file of a config: by its model_type, else by the classes that it names (both are of the right kind). */
static int find_family(opening *o)
{
    const rk_doc *type = key_of(o->config, "model_type"), *classes = key_of(o->config, "architectures");
    const char *family = type ? type->text : NULL;
    int code = type ? take_family(o, family) : RK_OK;

    for (size_t i = 0; classes && i < classes->n && code == RK_OK && !o->found.model.text; i++) {
        family = family ? family : classes->item[i].text;
        code = take_family(o, classes->item[i].text);
    }
    if (code == RK_OK && !family)
        code = rk_fail(
            o->found.err, RK_EINPUT,
            "it has no model_type: say how to read it (--like FAMILY), or name its family first (FAMILY CONFIG)");
    else if (code == RK_OK && !o->found.model.text)
        code = rk_family_fail(o->found.library, o->found.arena, family, o->config, o->found.err);
    return code == RK_OK ? RK_OK : rk_err_context(o->found.err, code, "%s", o->found.config.name);
}

/*
 * The class that a config names must be one that the model file says it knows: the head of another would be counted
 * without a word.  Read like one of another family, a config has a class of its own, and its name says the head.
 */
static int check_class(const opening *o)
{
    const rk_finding *f = &o->found;
    const rk_doc *classes = o->config ? key_of(o->config, "architectures") : NULL;
    const char *class = classes && classes->n > 0 ? classes->item[0].text : NULL, **known = NULL;
    rk_str list = {0};
    size_t n = 0;
    int code = class && !o->request->like ? rk_library_classes(f->arena, &f->model, &known, &n, f->err) : RK_OK;

    for (size_t i = 0; i < n && code == RK_OK; i++) {
        if (strcmp(known[i], class) == 0) {
            rk_str_free(&list);
            return RK_OK;
        }
        rk_str_format(&list, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", known[i]);
    }
    if (code == RK_OK && list.failed)
        code = rk_fail_memory(f->err);
    if (code == RK_OK && n > 0)
        code = rk_fail(f->err, RK_EINPUT,
                       "%s: 'architectures' names the class '%s', and its equations are known for %s alone",
                       f->config.name, class, rk_str_text(&list));
    rk_str_free(&list);
    return code;
}

/* The first of two words: a model file. */
static int find_model_file(opening *o, const char *word)
{
    const rk_files *files = o->found.library->files;
    int code;

    if (rk_find_is_path(files, word) && !rk_find_is_folder(files, word) && rk_ends_in(word, ".rk"))
        return find_one(o, word);
    code = take_typed_family(o, word);
    return code == RK_OK && !o->found.model.text
               ? rk_family_fail(o->found.library, o->found.arena, word, o->config, o->found.err)
               : code;
}

static bool is_model_by_name(const rk_finding *f, const char *word, rk_called *out)
{
    return !rk_find_is_path(f->library->files, word) && rk_find_named(f->library, f->arena, word, out, NULL) == RK_OK &&
           out->is_config;
}

/* Where both words are models by name, one is not read as the other. */
static int check_two(const opening *o, const char *const *word)
{
    rk_called first, second;

    if (!is_model_by_name(&o->found, word[0], &first) || !is_model_by_name(&o->found, word[1], &second))
        return RK_OK;
    return rk_fail(o->found.err, RK_EUSAGE, "%s and %s are two models: 'reckon compare %s %s' puts them side by side",
                   first.name, second.name, first.name, second.name);
}

/* A config for a model file that is there already: that of a family, or a text (NULL). */
static int find_config(opening *o, const char *word, const char *family)
{
    rk_text model = o->found.model;
    int code = find_one(o, word);

    if (code == RK_OK && !o->found.config.text)
        code = rk_fail(o->found.err, RK_EUSAGE, "'%s' is not a config: %s%s%s comes one", word,
                       family ? "after the family '" : "beside the text of a model file", family ? family : "",
                       family ? "'" : "");
    o->found.model = model;
    return code;
}

/* Texts in memory, and the word that may stand beside a single one. */
static int find_texts(opening *o)
{
    const rk_open_request *r = o->request;
    size_t n_text = (size_t)(r->model.text ? 1 : 0) + (r->config.text ? 1 : 0);
    const char *name = rk_arena_text(o->found.arena, r->config.text ? r->config.name : r->model.name);
    int code = name ? RK_OK : rk_fail_memory(o->found.err);

    if (r->n_word + n_text > RK_OPEN_WORDS_MAX)
        return rk_fail(o->found.err, RK_EUSAGE, "one model is wanted, or a family and a config: '%s' is too much",
                       r->word[0]);
    o->found.model = r->model;
    o->found.config = r->config;
    o->found.name = name;
    if (code == RK_OK && r->model.text)
        code = note_library(o, r->model.name);
    if (code == RK_OK && r->n_word && r->model.text)
        return find_config(o, r->word[0], NULL);
    if (code == RK_OK && r->n_word)
        code = find_model_file(o, r->word[0]);
    o->found.name = name;
    return code;
}

/* ---- what a model file uses ------------------------------------------------------------------------------------- */

/*
 * Beside a file of the user's, below its folder (or the one that ../ leads to) and not where a link in it leads.
 * Nothing but model files is read: a stranger's file cannot make others be shown.
 */
static int find_beside(opening *o, const char *from, const char *path, rk_text *out)
{
    const rk_files *files = o->found.library->files;
    const char *slash = strrchr(from, '/');
    size_t n = slash ? (size_t)(slash - from) + 1 : 0, up = 0;
    char *beside = rk_arena_format(o->found.arena, "%.*s%s", (int)n, from, path), *folder;

    while (strncmp(path + up, "../", 3) == 0)
        up += 3;
    folder = rk_arena_format(o->found.arena, "%.*s%.*s.", (int)n, from, (int)up, path);
    if (!beside || !folder)
        return rk_fail_memory(o->found.err);
    if (path[0] == '/' || !rk_ends_in(path, ".rk") || n > 4096 || rk_files_kind(files, beside) == RK_PATH_NONE)
        return RK_OK;
    if (!rk_files_is_below(files, folder, beside))
        return rk_fail(o->found.err, RK_EINPUT, "%s: a link in it leads out of the folder, and is not followed",
                       beside);
    return rk_find_read(&o->found, beside, RK_SOURCE_BYTES_MAX, out);
}

static int find_used(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                     size_t *n, rk_err *err)
{
    opening *o = self;
    rk_text t = {0};
    bool from_library = false;
    int code = RK_OK;

    (void)a;
    o->found.err = err;
    for (size_t i = 0; i < o->from_library.n; i++)
        from_library |= strcmp(o->from_library.at[i], from) == 0;
    if (!from_library)
        code = find_beside(o, from, path, &t);
    /* What a used file uses may also stand beside the model file, as all of a library does. */
    if (code == RK_OK && !t.text && !from_library)
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

/*
 * What is done to the model as it was expanded: its profile, adapters, and what is frozen.  *model stays what it is
 * where there is nothing of that.
 */
static int run_passes(opening *o, const rk_model **model, rk_err *err)
{
    const rk_open_request *r = o->request;
    bool adapts = r->adapt.rank > 0 || r->adapt.freeze;
    rk_adapt adapt = {0};
    rk_pass_options passes = r->passes;
    const rk_model *made = NULL;
    int code = adapts ? rk_adapt_new(o->found.arena, &r->adapt, &adapt, err) : RK_OK;

    passes.finder = (rk_finder){find_used, o, r->shelf ? &r->shelf->parsed : NULL};
    passes.adapt = adapts ? &adapt : NULL;
    if (code == RK_OK && !passes.serves)
        code = rk_serve_applies(*model, &passes.serves, err);
    if (code == RK_OK && rk_passes_wanted(&passes))
        code = rk_passes_run(*model, &passes, &made, err);
    if (code == RK_OK && adapts && !r->passes.until)
        code = rk_adapt_used(&adapt, made, err);
    if (code != RK_OK) {
        rk_model_free(made);
        return code;
    }
    *model = made ? made : *model;
    return RK_OK;
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
        .is_family = o->found.is_family,
        .note = o->found.note,
        .any_run = o->found.want == RK_FIND_TENSORS || o->found.want == RK_FIND_BOTH,
        .wants_keys = r->wants_keys || r->like,
        .adapts = r->adapt.rank > 0,
        .finder = {find_used, o, r->shelf ? &r->shelf->parsed : NULL},
    };
    rk_err *err = o->found.err; /* what is used is found with errors of its own */
    int code = rk_model_open(&source, out, r->mistakes, err);

    if (code != RK_ENOMEM && lacks.n > 0) {
        code = rk_fail(
            err, RK_EINPUT,
            "%s: it cannot be read like %s: it lacks %s, and that family's own numbers are not its sizes.  Add what is "
            "lacking to the config, or set it on the line (SYMBOL=VALUE)",
            o->found.config.name, r->like, rk_str_text(&lacks));
        rk_model_free(*out);
        *out = NULL;
        /* Whatever mistakes came of the numbers of another model are not worth showing. */
        if (r->mistakes && r->mistakes->n > n_said) {
            r->mistakes->n = n_said;
            r->mistakes->text[n_said] = '\0';
        }
    }
    rk_str_free(&lacks);
    return code;
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

/* The two keys that choose the equations must be of the right kind: the first letter of a text is no class. */
static int check_family_keys(const opening *o)
{
    const rk_doc *type = key_of(o->config, "model_type");
    rk_doc *classes = key_of(o->config, "architectures");
    const char *name = o->found.config.name;

    if (type && type->kind != RK_DOC_TEXT)
        return rk_fail(o->found.err, RK_EINPUT, "%s: 'model_type' is %s, not the name of a family", name,
                       kind_of(type));
    if (classes && classes->kind != RK_DOC_LIST)
        return rk_fail(o->found.err, RK_EINPUT, "%s: 'architectures' is %s, not a list of classes", name,
                       kind_of(classes));
    for (size_t i = 0; classes && i < classes->n; i++)
        if (classes->item[i].kind != RK_DOC_TEXT)
            return rk_fail(o->found.err, RK_EINPUT, "%s: 'architectures' lists %s, not only classes", name,
                           kind_of(&classes->item[i]));
    if (classes && classes->n == 0) /* none is named: as if the key were not there */
        classes->kind = RK_DOC_NULL;
    return RK_OK;
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

/* The model file that reads the config, where none was named. */
static int find_equations(opening *o)
{
    rk_finding *f = &o->found;
    const char *like = o->request->like;
    int code;

    if (like && (f->model.text || !o->config))
        return rk_fail(f->err, RK_EUSAGE, "--like %s says how to read a config, and %s", like,
                       o->config ? "here its model file is named already" : "here is none");
    if (like) {
        code = take_typed_family(o, like);
        /* The config has its family; it is the other word that is unknown. */
        return code == RK_OK && !f->model.text ? rk_family_fail(f->library, f->arena, like, NULL, f->err) : code;
    }
    if (!f->model.text && o->config)
        return find_family(o);
    if (f->model.text || f->want == RK_FIND_ANY)
        return RK_OK;
    return rk_fail(f->err, RK_EINPUT,
                   "%s: has tensors, but not the equations: put its config.json beside it ('reckon params %s' lists "
                   "its tensors)",
                   f->store_name, f->store_name);
}

static int open_words(opening *o, rk_opened *out)
{
    const rk_open_request *r = o->request;
    rk_finding *f = &o->found;
    int code;

    if (r->model.text || r->config.text)
        code = find_texts(o);
    else if (r->n_word == 1)
        code = find_one(o, r->word[0]);
    else if ((code = check_two(o, r->word)) == RK_OK && (code = find_model_file(o, r->word[0])) == RK_OK)
        code = find_config(o, r->word[1], r->word[0]);
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
    if (code == RK_OK && f->model.text)
        code = check_class(o);
    return code == RK_OK && f->model.text ? open_found(o, &out->model) : code;
}

/*
 * The passes over what was opened, and an instance; where `shared`, the opened model is somebody else's.  (The error of
 * what was found is another: each file that is used has been looked for with one of its own.)
 */
static int finish(opening *o, bool shared, rk_opened *out, rk_err *err)
{
    const rk_model *opened = out->model;
    int code;

    if (!opened)
        return RK_OK;
    code = run_passes(o, &out->model, err);
    if (code != RK_OK) {
        if (!shared)
            rk_model_free(opened);
        return code;
    }
    if (out->model != opened && !shared)
        rk_model_own(out->model, opened);
    return (out->model == opened && shared ? rk_instance_new : rk_instance_of)(out->model, &out->instance, err);
}

/* ---- the shelf -------------------------------------------------------------------------------------------------- */

/* What a profile's passes made of a model, where nothing else is asked of them. */
typedef struct lowered {
    const rk_model *model;
    rk_pass_options passes; /* kept: the profile is a text of the shelf's */
    struct lowered *next;
} lowered;

typedef struct shelved {
    rk_opened opened; /* without passes, and without an instance */
    lowered *lowered;
    struct shelved *from; /* the model that this one is with other numbers of the run; NULL: it was opened itself */
    size_t n_renumbered;  /* models on the shelf that are this one with other numbers */
    opening o;
    const char *key;
    rk_open_request request; /* its settings */
    struct shelved *next;
} shelved;

rk_shelf *rk_shelf_new(void)
{
    rk_shelf *s = rk_heap_alloc(sizeof *s);

    if (s)
        *s = (rk_shelf){0};
    return s;
}

static void shelved_free(shelved *x)
{
    if (x->from)
        x->from->n_renumbered--;
    for (const lowered *l = x->lowered; l; l = l->next)
        rk_model_free(l->model);
    rk_model_free(x->opened.model);
    rk_arena_free(&x->opened.arena);
    rk_heap_free(x);
}

/* Takes the model off the shelf that was asked for longest ago, of those that no other leans on. */
static void drop_oldest(rk_shelf *s)
{
    shelved **oldest = NULL, *x;

    for (shelved **at = &s->first; *at; at = &(*at)->next)
        if ((*at)->n_renumbered == 0)
            oldest = at;
    x = *oldest;
    *oldest = x->next;
    shelved_free(x);
}

static size_t count_models(const rk_shelf *s)
{
    size_t n = 0;

    for (const shelved *x = s->first; x; x = x->next) {
        n++;
        for (const lowered *l = x->lowered; l; l = l->next)
            n++;
    }
    return n;
}

size_t rk_shelf_trim(rk_shelf *s, size_t most)
{
    size_t n;

    if (s->parsed.arena.used > RK_SHELF_TREES_MAX)
        most = 0;
    while ((n = count_models(s)) > most)
        drop_oldest(s);
    if (n == 0) { /* nobody reads the trees of its files any more */
        rk_arena_free(&s->parsed.arena);
        s->parsed = (rk_parsed){0};
    }
    return n;
}

void rk_shelf_free(rk_shelf *s)
{
    if (s)
        rk_shelf_trim(s, 0);
    rk_heap_free(s);
}

/* All but the settings that decides which model is opened, as one text.  Adapters do where their rank is set. */
static char *shelf_key(rk_arena *a, const rk_open_request *r)
{
    bool ranked = rk_setting_find(r->setting, r->n_setting, "r") || rk_setting_find(r->setting, r->n_setting, "rank");
    rk_str key = {0};
    char *text;

    rk_str_format(&key, "%s\n%p\n%p\n%p %" PRIu64 "\n%d\n", r->like ? r->like : "", (const void *)r->model.text,
                  (const void *)r->config.text, (const void *)r->library.files, rk_files_version(r->library.files),
                  ranked && r->adapt.rank > 0);
    for (size_t i = 0; i < r->n_word; i++)
        rk_str_format(&key, "%s\n", r->word[i]);
    text = key.failed ? NULL : rk_arena_text(a, rk_str_text(&key));
    rk_str_free(&key);
    return text;
}

/*
 * The settings of a request that a shelved model was opened without, or with other numbers; SIZE_MAX: it was opened
 * with what the request does not say, or is not what is wanted at all.
 */
static size_t settings_beyond(const rk_open_request *r, rk_find_want want, const char *key, const shelved *x,
                              rk_setting *out)
{
    const rk_open_request *before = &x->request;
    bool wanted = x->o.found.want == want || (x->opened.model && want != RK_FIND_TENSORS &&
                                              x->o.found.want != RK_FIND_TENSORS && x->o.found.want != RK_FIND_BOTH);
    size_t n = 0;

    if (strcmp(x->key, key) != 0 || !wanted || (r->wants_keys && !before->wants_keys))
        return SIZE_MAX;
    for (size_t i = 0; i < before->n_setting; i++) {
        const rk_setting *was = &before->setting[i];
        const rk_setting *now = rk_setting_find(r->setting, r->n_setting, was->name);

        if (!now || !now->word != !was->word || (now->word && strcmp(now->word, was->word) != 0))
            return SIZE_MAX;
        if (now->value != was->value)
            out[n++] = *now;
    }
    for (size_t i = 0; i < r->n_setting; i++)
        if (!rk_setting_find(before->setting, before->n_setting, r->setting[i].name))
            out[n++] = r->setting[i];
    return n;
}

/* A request that outlives the question: names of models and of settings are those of who asked, and gone with him. */
static bool keep_request(rk_arena *a, const rk_open_request *r, rk_open_request *out)
{
    rk_setting *set = rk_arena_copy_array(a, r->setting, r->n_setting, sizeof *set);
    const char **word = RK_NEW_ARRAY(a, r->n_word + 1, const char *);

    for (size_t i = 0; set && i < r->n_setting; i++) {
        set[i].name = rk_arena_text(a, r->setting[i].name);
        set[i].word = r->setting[i].word ? rk_arena_text(a, r->setting[i].word) : NULL;
    }
    for (size_t i = 0; word && i < r->n_word; i++)
        word[i] = rk_arena_text(a, r->word[i]);
    *out = *r;
    out->setting = set;
    out->word = word;
    return !a->failed;
}

/* Opens a model for the shelf, or takes `renumbered`, which is one of the shelf with other numbers of the run. */
static int shelve(const rk_open_request *r, rk_find_want want, const char *key, shelved *from,
                  const rk_model *renumbered, rk_err *err)
{
    shelved *x = rk_heap_alloc(sizeof *x);
    int code = RK_OK;

    if (!x) {
        rk_model_free(renumbered);
        return rk_fail_memory(err);
    }
    *x = (shelved){.opened.model = renumbered};
    x->key = rk_arena_text(&x->opened.arena, key);
    if (!keep_request(&x->opened.arena, r, &x->request)) {
        code = rk_fail_memory(err);
    } else if (renumbered) {
        x->opened.name = from->opened.name;
        x->opened.store = from->opened.store;
        x->opened.store_name = from->opened.store_name;
        x->o = from->o;
        x->from = from;
        from->n_renumbered++;
    } else {
        x->o = (opening){.request = &x->request,
                         .found = {.arena = &x->opened.arena, .library = &r->library, .want = want, .err = err}};
        code = open_words(&x->o, &x->opened);
    }
    if (code != RK_OK) {
        shelved_free(x);
        return code;
    }
    x->next = r->shelf->first;
    r->shelf->first = x;
    return RK_OK;
}

/* Afterwards the model stands first: it was there, or there was one that it takes only other numbers of the run of. */
static int find_shelved(const rk_open_request *r, rk_find_want want, rk_arena *a, rk_err *err)
{
    char *key = shelf_key(a, r);
    rk_setting *set = RK_NEW_ARRAY(a, r->n_setting + 1, rk_setting);
    shelved *nearest = NULL;
    size_t fewest = SIZE_MAX;
    const rk_model *renumbered = NULL;
    int code = RK_OK;

    if (!key || !set)
        return rk_fail_memory(err);
    for (shelved **at = &r->shelf->first; *at; at = &(*at)->next) {
        shelved *x = *at;
        size_t n = settings_beyond(r, want, key, x, set);

        if (n == 0) {
            *at = x->next;
            x->next = r->shelf->first;
            r->shelf->first = x;
            return RK_OK;
        }
        if (n < fewest && !x->from) { /* of a model that was renumbered, the one that it leans on stands here, too */
            fewest = n;
            nearest = x;
        }
    }
    if (nearest && nearest->opened.model) {
        settings_beyond(r, want, key, nearest, set);
        code = rk_model_renumber(nearest->opened.model, NULL, set, fewest, &renumbered, err);
    }
    return code == RK_OK ? shelve(r, want, key, nearest, renumbered, err) : code;
}

/* What finds files for passes over a shelved model; with `kept`, what is found stays as long as the model does. */
static opening opening_of(shelved *x, const rk_open_request *r, rk_arena *kept, rk_err *err)
{
    opening o = x->o;

    o.request = r;
    o.found.arena = kept;
    o.found.library = &r->library;
    o.found.err = err;
    o.from_library.cap = o.from_library.n; /* what is found on the way is noted here alone */
    return o;
}

/* Puts a model that the passes of a request have made of a shelved one beside it: `made`, or what they make now. */
static int put_lowered(shelved *x, const rk_open_request *r, const rk_model *made, rk_err *err)
{
    opening o = opening_of(x, r, &x->opened.arena, err);
    lowered *l = RK_NEW(&x->opened.arena, lowered);
    int code = RK_OK;

    if (!l)
        code = rk_fail_memory(err);
    else {
        *l = (lowered){.model = made ? made : x->opened.model, .next = x->lowered};
        code = rk_passes_keep(&x->opened.arena, &r->passes, &l->passes, err);
    }
    if (code == RK_OK && !made)
        code = run_passes(&o, &l->model, err);
    if (code == RK_OK)
        x->lowered = l;
    else
        rk_model_free(made);
    return code;
}

static const rk_model *find_lowered(const shelved *x, const rk_open_request *r)
{
    for (const lowered *l = x->lowered; l; l = l->next)
        if (rk_passes_same(&l->passes, &r->passes))
            return l->model;
    return NULL;
}

/*
 * Passes of a request that ask for no number of the run: one that lays a model over devices divides them, and one that
 * leaves out what a cache has compares them.
 */
static int is_blind(const shelved *x, const rk_open_request *r, bool *out, rk_err *err)
{
    bool serves = r->passes.serves;
    int code = serves ? RK_OK : rk_serve_applies(x->opened.model, &serves, err);

    *out = !serves && !r->passes.layout;
    return code;
}

/*
 * A model with other numbers of the run, as the passes of a request make it: what they made of the model that it leans
 * on, renumbered.  *out stays NULL where that will not do.
 */
static int renumber_lowered(shelved *x, const rk_open_request *r, rk_arena *a, const rk_model **out, rk_err *err)
{
    shelved *from = x->from;
    rk_setting *set = RK_NEW_ARRAY(a, x->request.n_setting + 1, rk_setting);
    const rk_model *made;
    bool blind = false, blind_too = false;
    rk_err why = {0};
    size_t n;
    int code = set ? is_blind(x, r, &blind, err) : rk_fail_memory(err);

    if (code == RK_OK && blind)
        code = is_blind(from, r, &blind_too, err);
    if (code != RK_OK || !blind_too)
        return code;
    if (!(made = find_lowered(from, r))) {
        code = rk_after_try(put_lowered(from, r, NULL, &why), &why, err);
        made = find_lowered(from, r);
    }
    n = settings_beyond(&x->request, x->o.found.want, x->key, from, set);
    if (code != RK_OK || !made || n == SIZE_MAX || made == from->opened.model)
        return code;
    return rk_model_renumber(made, x->opened.model, set, n, out, err);
}

/* The model lowered to a profile, made once. */
static int take_lowered(shelved *x, const rk_open_request *r, rk_opened *out, rk_err *err)
{
    const rk_model *model = find_lowered(x, r), *made = NULL;
    int code = RK_OK;

    if (!model) {
        code = x->from ? renumber_lowered(x, r, &out->arena, &made, err) : RK_OK;
        if (code == RK_OK)
            code = put_lowered(x, r, made, err);
        if (code != RK_OK)
            return code;
        model = find_lowered(x, r);
    }
    out->model = model;
    return rk_instance_new(model, &out->instance, err);
}

static int take_from_shelf(const rk_open_request *r, rk_find_want want, rk_opened *out, rk_err *err)
{
    int code = find_shelved(r, want, &out->arena, err);
    shelved *x = r->shelf->first;
    bool alone = r->passes.profile && r->adapt.rank == 0 && !r->adapt.freeze && !r->passes.until;
    opening o;

    if (code != RK_OK)
        return code;
    out->name = x->opened.name;
    out->model = x->opened.model;
    out->store = x->opened.store;
    out->store_name = x->opened.store_name;
    if (alone && out->model)
        return take_lowered(x, r, out, err);
    o = opening_of(x, r, &out->arena, err);
    return finish(&o, true, out, err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

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
    if (r->shelf) {
        code = take_from_shelf(r, want, out, err ? err : &own);
    } else {
        code = open_words(&o, out);
        if (code == RK_OK)
            code = finish(&o, false, out, err ? err : &own);
    }
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
    /* What it was read from stays with it; a model of the shelf has its own, and may be opened many times. */
    if (opened.instance->owns)
        rk_model_keep(opened.instance->model, opened.arena);
    else
        opened.instance->texts = opened.arena;
    return RK_OK;
}
