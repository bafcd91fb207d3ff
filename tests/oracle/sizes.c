/* SPDX-License-Identifier: MIT */
/*
 * Small random sizes for the symbols of a model.
 *
 * A config's large numbers are set aside by settings.  What must divide what is the model's own business: a proposal
 * that the model refuses is thrown away, and each next one is tamer, down to powers of two.
 */
#include "pass/passes.h"
#include "oracle.h"

#include "base/file.h"

#include <string.h>

#define TRIES 400
#define ROUND 100        /* tries in which sizes grow; then from small ones on again */
#define WORK_MAX 30000.0 /* elementary steps of one run that are few enough; twice as many after each further … */
#define PATIENCE 16      /* … tries */
#define SETTINGS_MAX 128
#define BODY_WORK_MAX 1e7 /* a body may pad to whole chunks, and is run once */

typedef struct proposal {
    rk_setting at[SETTINGS_MAX];
    size_t n;
} proposal;

/* A path is meant from the folder of the file that uses it, or from the library's own. */
static int find_file(void *self, rk_arena *a, const char *from, const char *path, const char **name, const char **text,
                     size_t *n, rk_err *err)
{
    const char *slash = strrchr(from, '/');
    char *beside = rk_arena_format(a, "%.*s%s", slash != NULL ? (int)(slash - from + 1) : 0, from, path),
         *content = NULL;
    int code;

    if (beside == NULL)
        return rk_fail_memory(err);
    *name = beside;
    code = rk_file_read(a, rk_arena_format(a, "%s/%s", (char *)self, beside), RK_SOURCE_BYTES_MAX, &content, n, err);
    if (code == RK_EIO) {
        *name = path;
        code = rk_file_read(a, rk_arena_format(a, "%s/%s", (char *)self, path), RK_SOURCE_BYTES_MAX, &content, n, err);
    }
    if (code == RK_EIO) /* model files elsewhere use the library's */
        code = rk_file_read(a, rk_arena_format(a, "models/%s", path), RK_SOURCE_BYTES_MAX, &content, n, err);
    *text = content;
    return code;
}

rk_finder finder_of(const subject *s)
{
    union {
        const char *constant;
        void *self;
    } folder = {.constant = s->folder};

    return (rk_finder){.find = find_file, .self = folder.self};
}

static int open_as(const subject *s, const char *profile, const proposal *p, const rk_model **m, rk_str *mistakes,
                   rk_err *err)
{
    rk_model_source source = {.name = s->name,
                              .file_name = s->file,
                              .text = s->text,
                              .n = s->n,
                              .config = s->config,
                              .config_name = s->name,
                              .setting = p->at,
                              .n_setting = p->n,
                              .finder = finder_of(s)};
    rk_pass_options passes = {.profile = profile,
                              .grouped = s->grouped,
                              .drops = s->drops,
                              .finder = source.finder,
                              .autocast = s->mixed ? RK_MIXED_YES : RK_MIXED_NO};
    const rk_model *lowered = NULL;
    int code = rk_model_open(&source, m, mistakes, err);

    if (code == RK_OK && profile)
        code = rk_passes_run(*m, &passes, &lowered, err);
    if (lowered) {
        rk_model_own(lowered, *m);
        *m = lowered;
    }
    return code;
}

static int open_with(const subject *s, const proposal *p, const rk_model **m, rk_str *mistakes, rk_err *err)
{
    return open_as(s, NULL, p, m, mistakes, err);
}

static rk_i128 between(uint64_t *random, uint64_t low, uint64_t high)
{
    return (rk_i128)(low + random_next(random) % (high - low + 1));
}

/* A number in the place of `old`: of about the same rank among the others, but small. */
static rk_i128 small_number(uint64_t *random, rk_i128 old, unsigned tame)
{
    uint64_t power = random_next(random) % 2;

    if (tame == 0)
        return old > 100 ? between(random, 3, 9) : between(random, 2, 6);
    if (old <= 8)
        return power ? 2 : 4;
    if (old <= 64)
        return power ? 4 : 8;
    return power ? 8 : 16;
}

/*
 * A multiple of the devices, mostly; of the vocabulary, which need not be, less often.  Of tokens each has two pieces,
 * mostly.
 */
static rk_i128 over_devices(const subject *s, const char *name, uint64_t *random, rk_i128 n)
{
    bool alone = random_next(random) % (strcmp(name, "V") == 0 ? 2 : 32) == 0;
    rk_i128 by = s->devices * (strcmp(name, "S") == 0 && random_next(random) % 4 != 0 ? 2 : 1);

    return s->devices > 1 && !alone ? (n + by - 1) / by * by : n;
}

/* Widths that nothing need divide may be any number, which tells dimensions apart; others soon become tame. */
static bool stands_alone(const char *name)
{
    static const char *const list[] = {"V", "F", "M", "C", "Q", "Fs", "Fv", "E", "Vv", "Ft"};

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

static bool counts_layers(const rk_symbol *y)
{
    return y->name[0] == 'L' && y->text != NULL && strstr(y->text, "layers") != NULL;
}

/* How often a patch fits is made from the image's side, which is no symbol: it is set directly. */
static bool counts_patches(const rk_symbol *y)
{
    return y->text != NULL && strstr(y->text, "patches on a side") != NULL;
}

/* Symbols of the run, symbols without a number, and numbers of the model that are not made from other symbols. */
static bool may_be_set(const subject *s, const rk_model *m, const rk_symbol *y)
{
    if (counts_patches(y))
        return true;
    if (y->kind == RK_SYMBOL_LOOP || y->set || rk_sym_definition(m->pool, y->sym) != RK_EX_FAILED)
        return false;
    if (y->kind == RK_SYMBOL_RUN || !y->known)
        return true;
    return y->value > (s->devices > 2 ? 1 : 2) && !counts_layers(y);
}

static const rk_symbol *symbol_of(const rk_model *m, const rk_setting *s)
{
    return rk_model_symbol(m, s->name);
}

/* Dv = Nv · Hv, width is heads times head width, in the numbers of the config: so it stays. */
static bool is_product(const rk_model *m, const rk_setting *x, const rk_setting *y, const rk_setting *z)
{
    const rk_symbol *a = symbol_of(m, x), *b = symbol_of(m, y), *c = symbol_of(m, z);

    if (a == NULL || b == NULL || c == NULL || !a->known || !b->known || !c->known)
        return false;
    return a->value == b->value * c->value && a->name[0] == 'D' && b->name[0] == 'N' && c->name[0] == 'H' &&
           strcmp(a->name + 1, b->name + 1) == 0 && strcmp(a->name + 1, c->name + 1) == 0;
}

static void keep_products(const rk_model *m, proposal *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->n; k++)
            for (size_t j = 0; j < p->n; j++)
                if (is_product(m, &p->at[i], &p->at[j], &p->at[k]))
                    p->at[i].value = p->at[j].value * p->at[k].value;
}

static bool is_chunked(const subject *s)
{
    return s->n_word > 0 && strstr(s->word[0].word, "chunk") != NULL;
}

/*
 * Two chunks of the reference's 64 tokens, or only one.  Not 63 or 65 tokens: where a chunk has one padded or one real
 * place, that looks like a step without a gradient.
 */
static rk_i128 chunked_length(const subject *s, uint64_t *random)
{
    return s->vary && random_next(random) % 2 == 0 ? between(random, 50, 60) : between(random, 70, 100);
}

static rk_i128 run_length(const subject *s, const char *name, uint64_t *random, unsigned try)
{
    if (strcmp(name, "B") == 0)
        return is_chunked(s) ? 1 : between(random, 1, 3);
    /* Samples: where few are refused, a convolution has a hundred taps, and leaves most places out. */
    if (strcmp(name, "Z") == 0 && try > ROUND / 4)
        return between(random, 900, 1500);
    return over_devices(s, name, random, is_chunked(s) ? chunked_length(s, random) : between(random, 2, 7 + try / 8));
}

static void propose(const subject *s, const rk_model *m, uint64_t *random, unsigned try, proposal *p)
{
    for (size_t i = 0; i < m->n_symbol && p->n < SETTINGS_MAX; i++) {
        const rk_symbol *y = &m->symbol[i];
        rk_setting set = {.name = y->name};

        if (!may_be_set(s, m, y))
            continue;
        /* A run of bad luck: leave something as the config has it. */
        if (y->kind == RK_SYMBOL_MODEL && y->known && try > ROUND / 4 && random_next(random) % 4 == 0)
            set.value = y->value;
        else if (counts_patches(y))
            set.value = between(random, 1, 2);
        else if (y->kind == RK_SYMBOL_RUN)
            set.value = run_length(s, y->name, random, try);
        else
            set.value = over_devices(
                s, y->name, random, small_number(random, y->known ? y->value : 8, stands_alone(y->name) ? 0 : try / 4));
        p->at[p->n++] = set;
    }
    keep_products(m, p);
}

static void add_words(const subject *s, proposal *p)
{
    for (size_t i = 0; i < s->n_word; i++)
        p->at[p->n++] = s->word[i];
}

static void say(rk_str *why, const rk_str *mistakes, const rk_err *err, const char *wrong)
{
    rk_str_reset(why);
    if (mistakes->n > 0)
        rk_str_put(why, rk_str_text(mistakes));
    else
        rk_str_put(why, wrong[0] != '\0' ? wrong : err->message);
}

/* One proposal: true when the model opens with it, is planned, and is small enough. */
static bool attempt(const subject *s, const proposal *p, uint64_t seed, double most, const rk_model **m, world *w,
                    rk_str *why)
{
    rk_str mistakes = {0};
    rk_err err = {0};
    bool ok = open_with(s, p, m, &mistakes, &err) == RK_OK;

    if (!ok) {
        say(why, &mistakes, &err, "");
        rk_str_free(&mistakes);
        return false;
    }
    ok = plan_world(w, *m, seed, most);
    if (!ok) {
        say(why, &mistakes, &err, w->wrong);
        free_world(w);
        rk_model_free(*m);
    }
    rk_str_free(&mistakes);
    return ok;
}

/* Opens the model as its config has it, varied where that is wanted and the model bears it. */
static bool open_large(subject *s, uint64_t *random, rk_arena *a, const proposal *p, const rk_model **m, rk_str *why)
{
    const rk_doc *given = s->config;
    rk_str mistakes = {0};
    rk_err err = {0};
    bool ok = false;

    for (int i = 0; i < 4 && !ok && given != NULL && s->vary; i++) {
        s->config = vary_config(a, given, random);
        ok = open_with(s, p, m, &mistakes, &err) == RK_OK;
        rk_str_reset(&mistakes);
    }
    if (!ok) {
        s->config = given;
        ok = open_with(s, p, m, &mistakes, &err) == RK_OK;
    }
    if (!ok)
        say(why, &mistakes, &err, "");
    rk_str_free(&mistakes);
    return ok;
}

bool open_small(subject *s, uint64_t seed, rk_arena *a, const rk_model **m, world *w, rk_str *why)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15U + 1;
    proposal *p = RK_NEW(a, proposal), plain = {0};
    const rk_model *large = NULL;
    double most = is_chunked(s) ? 4 * WORK_MAX : WORK_MAX;
    bool ok = false;

    add_words(s, &plain);
    if (p == NULL || !open_large(s, &random, a, &plain, &large, why))
        return false;
    for (unsigned try = 0; try < TRIES && !ok; try++) {
        *p = plain;
        propose(s, large, &random, try % ROUND, p);
        ok = attempt(s, p, random, most * (double)(1u << try % ROUND / PATIENCE), m, w, why);
    }
    for (size_t i = 0; i < p->n; i++) /* the model keeps its settings, and `large` goes */
        p->at[i].name = rk_arena_text(a, p->at[i].name);
    rk_model_free(large);
    if (ok)
        rk_str_reset(why);
    return ok;
}

static void add_sizes(const rk_model *m, proposal *p)
{
    for (size_t i = 0; i < m->n_symbol && p->n < SETTINGS_MAX; i++)
        if (m->symbol[i].set && m->symbol[i].known)
            p->at[p->n++] = (rk_setting){.name = m->symbol[i].name, .value = m->symbol[i].value};
}

bool open_body(const subject *s, const char *profile, const rk_model *plain, const rk_model **m, world *w, rk_str *why)
{
    proposal p = {0};
    rk_str mistakes = {0};
    rk_err err = {0};
    bool ok;

    add_words(s, &p);
    add_sizes(plain, &p);
    ok = open_as(s, profile, &p, m, &mistakes, &err) == RK_OK;
    if (!ok) {
        say(why, &mistakes, &err, "");
    } else if (!plan_world(w, *m, 1, BODY_WORK_MAX)) {
        say(why, &mistakes, &err, w->wrong);
        free_world(w);
        rk_model_free(*m);
        ok = false;
    }
    rk_str_free(&mistakes);
    return ok;
}

void print_sizes(const rk_model *m, rk_str *out)
{
    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].set && m->symbol[i].known) {
            rk_str_format(out, " %s=", m->symbol[i].name);
            rk_str_num(out, m->symbol[i].value);
        }
}
