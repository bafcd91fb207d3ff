/* SPDX-License-Identifier: MIT */
#include "audit/taken.h"

#include "audit/bind_parts.h"

#include <string.h>

enum {
    NONE = -1,
    SEVERAL = -2,
    RIGHT_LEAST = 2, /* figures that are a model's: one may be by chance */
    OTHERS_MAX = 4,  /* models of the same sizes that are tried */
    SIZES_LEAST = 3  /* of a model that has no name: vocabulary, layers, width */
};

typedef struct taking {
    rk_audit *a;
    rk_callnames *names;
    const rk_open_request *open;
    rk_takens *out;
    rk_arena arena;
    rk_mentions mention;
    const char *model[RK_TAKEN_MAX]; /* different names, in the order of the text */
    size_t n_model;
    int *of_piece;    /* of each: a model, NONE or SEVERAL */
    int whole;        /* that all mentions are of */
    uint32_t section; /* that was looked at last, and its model */
    int of_section;
    rk_err *err;
    int code;
} taking;

/* ---- which part of the text is of which model -------------------------------------------------------------------- */

static int join(int x, int y)
{
    return x == NONE ? y : y == NONE || x == y ? x : SEVERAL;
}

static int number_of(taking *t, const char *name)
{
    for (size_t i = 0; i < t->n_model; i++)
        if (t->model[i] == name)
            return (int)i;
    if (t->n_model == RK_TAKEN_MAX)
        return SEVERAL;
    t->model[t->n_model++] = name;
    return (int)t->n_model - 1;
}

/* The one model that bytes of the text name. */
static int named_in(taking *t, uint32_t from, uint32_t to)
{
    int found = NONE;

    for (size_t i = rk_mentions_from(&t->mention, from); i < t->mention.at.n && t->mention.at.at[i].at < to; i++)
        found = join(found, number_of(t, t->mention.at.at[i].name));
    return found;
}

/* The first cell of its row, the first one of its column, and itself. */
static int named_by_cells(taking *t, size_t piece, const int *own)
{
    enum {
        CELLS_MAX = 4096
    };
    const rk_piece *all = t->a->scan.piece.at, *p = &all[piece];
    int found = own[piece];

    for (size_t i = piece, left = CELLS_MAX; i > 0 && left > 0 && all[i - 1].table == p->table; i--, left--) {
        const rk_piece *c = &all[i - 1];

        if ((c->row == p->row && c->column == 0) || (c->row == 0 && c->column == p->column))
            found = join(found, own[i - 1]);
    }
    return found;
}

/* A heading or an item around it that names one; then the whole section, where it names no other. */
static int named_around(taking *t, const rk_piece *p)
{
    const rk_scope *scope = t->a->scan.scope.at;
    uint32_t section = rk_scan_section(&t->a->scan, p->scope);
    int found = NONE;

    for (uint32_t s = p->scope; s != 0 && found == NONE; s = scope[s].parent)
        found = named_in(t, scope[s].from, scope[s].title_to);
    if (found == NONE && section != 0 && t->section != section) { /* those of one section stand together */
        t->section = section;
        t->of_section = named_in(t, scope[section].from, scope[section].to);
    }
    return found == NONE && section != 0 ? t->of_section : found;
}

static void divide(taking *t)
{
    const rk_scan *s = &t->a->scan;
    int *own = RK_NEW_ARRAY(&t->arena, s->piece.n + 1, int);

    t->of_piece = RK_NEW_ARRAY(&t->arena, s->piece.n + 1, int);
    t->whole = named_in(t, 0, (uint32_t)s->n);
    for (size_t i = 0; own && t->of_piece && i < s->piece.n; i++) {
        const rk_piece *p = &s->piece.at[i];
        int found;

        own[i] = named_in(t, p->from, p->to);
        found = p->kind == RK_PIECE_CELL ? named_by_cells(t, i, own) : own[i];
        if (found == NONE)
            found = named_around(t, p);
        t->of_piece[i] = found == NONE ? t->whole : found;
    }
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static const rk_letter_role told[SIZES_LEAST] = {RK_LETTER_VOCABULARY, RK_LETTER_LAYERS, RK_LETTER_WIDTH};

typedef struct sizes {
    rk_i128 value[SIZES_LEAST]; /* of the roles above; 0: not known */
    uint32_t at;                /* byte of the text that says the first */
} sizes;

static bool are_known(const sizes *s)
{
    for (size_t i = 0; i < SIZES_LEAST; i++)
        if (s->value[i] <= 0)
            return false;
    return true;
}

static sizes sizes_of_model(taking *t, const rk_model *m)
{
    rk_binder b = {.a = t->a};
    sizes out = {0};

    for (size_t i = 0; i < SIZES_LEAST; i++) {
        const rk_symbol *s = rk_bind_of_role(&b, m, told[i]);

        out.value[i] = s ? s->value : 0;
    }
    return out;
}

/* Those that the text defines, each where it does so first: "vocab_size: 50,257", "L = 48 layers". */
static sizes sizes_of_text(taking *t)
{
    const rk_definitions *d = &t->a->definitions;
    uint32_t first[SIZES_LEAST] = {0};
    sizes out = {0};

    for (rk_sym s = 0; s < d->n; s++) {
        const rk_definition *x = d->number[s];
        rk_letter_role role = x ? rk_bind_role(t->a, s, x) : RK_N_LETTER;
        rk_i128 n;

        for (size_t i = 0; i < SIZES_LEAST; i++)
            if (role == told[i] && rk_ex_is_int(t->a->pool, x->value, &n) && n > 1 &&
                (out.value[i] == 0 || x->at < first[i])) {
                out.value[i] = n;
                first[i] = x->at;
            }
    }
    for (size_t i = 0; i < SIZES_LEAST; i++)
        out.at = i == 0 || first[i] < out.at ? first[i] : out.at;
    return out;
}

/* Whether a config has such a number. */
static bool has_number(const char *config, rk_i128 n)
{
    char digits[RK_NUM_TEXT_MAX];
    size_t length;

    rk_num_text(digits, n);
    length = strlen(digits);
    for (const char *at = strstr(config, digits); at; at = strstr(at + 1, digits))
        if (strchr(": \t", at[-1]) && strchr(", \t\r\n}", at[length]))
            return true;
    return false;
}

/* The value of a config's key for its family, as it is written there; "": none. */
static const char *family_of(const char *config, size_t *n)
{
    const char *at = strstr(config, "\"model_type\"");

    at = at ? strchr(at + strlen("\"model_type\""), '"') : NULL;
    *n = at ? strcspn(at + 1, "\"") : 0;
    return at ? at + 1 : "";
}

/* Models of these sizes, one of each family; of the family of `like`, none. */
static size_t find_others(taking *t, const sizes *want, const char *like, const char *out[OTHERS_MAX])
{
    const char *family[OTHERS_MAX + 1] = {""};
    size_t length[OTHERS_MAX + 1] = {0}, n = 0, n_family = 0;
    rk_text config;

    if (like && rk_library_config(t->names->library, &t->arena, like, &config, NULL) == RK_OK && config.text)
        family[n_family] = family_of(config.text, &length[n_family]), n_family++;
    for (size_t i = 0; i < t->names->at.n && n < OTHERS_MAX && n_family <= OTHERS_MAX; i++) {
        const rk_callname *name = &t->names->at.at[i];
        bool fits = name->name && strcmp(name->name, name->word) == 0 &&
                    rk_library_config(t->names->library, &t->arena, name->name, &config, NULL) == RK_OK && config.text;

        for (size_t k = 0; k < SIZES_LEAST && fits; k++)
            fits = has_number(config.text, want->value[k]);
        if (!fits)
            continue;
        family[n_family] = family_of(config.text, &length[n_family]);
        for (size_t k = 0; k < n_family && fits; k++)
            fits = length[k] != length[n_family] || memcmp(family[k], family[n_family], length[k]) != 0;
        if (!fits && like) /* the same equations, at the same sizes */
            continue;
        n_family++;
        out[n++] = name->name;
    }
    return n;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* A figure that is not the model's speaks more against it than one that is speaks for it. */
static bool is_better(const rk_bind_result *x, const rk_bind_result *y)
{
    return x->n_right + 2 * y->n_wrong > y->n_right + 2 * x->n_wrong;
}

static bool holds(const rk_bind_result *x)
{
    return x->n_right >= RIGHT_LEAST && x->n_right >= x->n_wrong;
}

/* Compares pieces of the text with a model, in earnest or for a try.  What cannot be opened has nothing that holds. */
static void compare(taking *t, const char *name, const bool *piece, const char *supposed, bool only_try,
                    rk_bind_result *result, sizes *own, const char **run)
{
    rk_open_request request = *t->open;
    rk_bind_source source = {.piece = piece, .supposed = supposed, .only_try = only_try, .reopen = &request};
    const rk_symbol *length;
    char number[RK_NUM_TEXT_MAX];
    rk_err err = {0};
    int code;

    *result = (rk_bind_result){0};
    request.word = &name;
    request.n_word = 1;
    request.mistakes = NULL;
    code = t->code == RK_OK ? rk_open(&request, &source.instance, &err) : t->code;
    if (code == RK_OK)
        code = rk_bind(t->a, &source, result, &err);
    if (code == RK_ENOMEM)
        t->code = rk_fail_memory(t->err);
    if (!source.instance)
        return;
    if (own)
        *own = sizes_of_model(t, source.instance->model);
    length = rk_bind_of_role(&(rk_binder){.a = t->a}, source.instance->model, RK_LETTER_SEQUENCE);
    if (run)
        *run =
            length ? rk_arena_format(&t->a->arena, "%s = %s", length->name, rk_num_grouped(number, length->value)) : "";
    rk_instance_free(source.instance);
}

/* The model, or another of its sizes that the figures fit better; where one does, what it says is claimed. */
static void take(taking *t, const char *const *name, size_t n_name, const bool *piece, uint32_t at, const char *said)
{
    rk_taken *x = &t->out->at[t->out->n++], best = {.at = at, .said = said};
    sizes own = {0};

    for (size_t i = 0; i < n_name; i++) {
        rk_taken y = {.name = name[i], .at = at, .said = said};

        compare(t, name[i], piece, "", true, &y.result, i == 0 ? &own : NULL, &y.sizes);
        if (i == 0 || is_better(&y.result, &best.result))
            best = y;
    }
    if (!said && are_known(&own)) {
        const char *other[OTHERS_MAX];
        size_t n = find_others(t, &own, name[0], other);

        for (size_t i = 0; i < n; i++) {
            rk_taken y = {.name = other[i], .at = at, .said = name[0]};

            compare(t, other[i], piece, "", true, &y.result, NULL, &y.sizes);
            if (is_better(&y.result, &best.result))
                best = y;
        }
    }
    best.holds = holds(&best.result);
    if (best.holds)
        compare(t, best.name, piece, rk_arena_format(&t->a->arena, "if %s is meant, it is", best.name), false,
                &best.result, NULL, &best.sizes);
    *x = best;
}

/* By name: each model with its pieces. */
static void take_named(taking *t)
{
    bool *piece = RK_NEW_ARRAY(&t->arena, t->a->scan.piece.n + 1, bool);

    for (size_t m = 0; m < t->n_model && piece && t->of_piece && t->code == RK_OK; m++) {
        uint32_t at = UINT32_MAX;
        size_t n = 0;

        for (size_t i = 0; i < t->a->scan.piece.n; i++)
            n += piece[i] = t->of_piece[i] == (int)m;
        for (size_t i = 0; i < t->mention.at.n && at == UINT32_MAX; i++)
            if (t->mention.at.at[i].name == t->model[m])
                at = t->mention.at.at[i].at;
        if (n > 0)
            take(t, &t->model[m], 1, piece, at, NULL);
        else
            t->out->at[t->out->n++] = (rk_taken){.name = t->model[m], .at = at, .sizes = ""};
    }
}

/* By sizes alone: the model of the whole text. */
static void take_sized(taking *t)
{
    static const char *const what[SIZES_LEAST] = {"vocabulary", "layers", "width"};
    sizes s = sizes_of_text(t);
    const char *other[OTHERS_MAX];
    size_t n;

    if (!are_known(&s))
        return;
    n = find_others(t, &s, NULL, other);
    t->out->unknown_at = s.at;
    if (n > 0) {
        take(t, other, n, NULL, s.at, "");
    } else {
        rk_str text = {0};

        for (size_t i = 0; i < SIZES_LEAST; i++) {
            rk_str_format(&text, "%s%s ", i ? ", " : "", what[i]);
            rk_str_grouped(&text, s.value[i]);
        }
        t->out->unknown = rk_audit_keep(t->a, &text);
    }
}

int rk_taken_find(rk_audit *a, rk_callnames *names, rk_arena *of_names, const rk_open_request *open, rk_takens *out,
                  rk_err *err)
{
    taking t = {.a = a, .names = names, .open = open, .out = out, .err = err};

    *out = (rk_takens){.n = 0};
    t.code = rk_mentions_find(names, of_names, &t.arena, a->scan.text, a->scan.n, &t.mention, err);
    if (t.code == RK_OK && t.mention.at.n > 0) {
        divide(&t);
        take_named(&t);
    } else if (t.code == RK_OK) {
        take_sized(&t);
    }
    if (t.code == RK_OK && (t.arena.failed || a->arena.failed))
        t.code = rk_fail_memory(err);
    rk_arena_free(&t.arena);
    return t.code;
}
