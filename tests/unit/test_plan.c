/* SPDX-License-Identifier: MIT */
/* What users type: counts and settings, nearest words, names and paths of models. */
#include "plan/library.h"
#include "plan/nearest.h"
#include "plan/open.h"
#include "plan/setting.h"
#include "t.h"

static rk_arena arena;
static rk_err err;

/* ---- counts ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    long long want; /* 0: refused */
    const char *message;
} counts[] = {
    {"1", 1, ""},
    {"4096", 4096, ""},
    {"16K", 16384, ""},
    {"16Ki", 16384, ""},
    {"16k", 16000, ""},
    {"1M", 1048576, ""},
    {"1Mi", 1048576, ""},
    {"1m", 1000000, ""},
    {"2G", 2147483648, ""},
    {"2g", 2000000000, ""},
    {"1T", 1099511627776, ""},
    {"1Ti", 1099511627776, ""},
    {"1t", 1000000000000, ""},
    {"1.5k", 1500, ""},
    {"1.5K", 1536, ""},
    {"0.5Ki", 512, ""},
    {"2.0", 2, ""},
    {"2.50e1", 25, ""},
    {"1e6", 1000000, ""},
    {"1E+3", 1000, ""},
    {"120e-1", 12, ""},
    {"007", 7, ""},
    {"9223372036854775807", 9223372036854775807, ""},
    {"9223372036854775808", 0, "is more than 9,223,372,036,854,775,807"},
    {"8388608T", 0, "is more than 9,223,372,036,854,775,807"},
    {"1e30", 0, "is more than 9,223,372,036,854,775,807"},
    {"1e99", 0, "is more than 9,223,372,036,854,775,807"},
    {"1e999999999999", 0, "is more than 9,223,372,036,854,775,807"},
    {"99999999999999999999999999999999999999999999", 0, "is more than 9,223,372,036,854,775,807"},
    {"0", 0, "is less than 1"},
    {"0e99", 0, "is less than 1"},
    {"0.0", 0, "is less than 1"},
    {"-1", 0, "is less than 1"},
    {"-16K", 0, "is less than 1"},
    {"1.5", 0, "is not a whole number"},
    {"1.0005k", 0, "is not a whole number"},
    {"1e-3", 0, "is not a whole number"},
    {"1e-99", 0, "is not a whole number"},
    {"", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"banana", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"1.", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {".5k", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"16ki", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"16KK", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"1e", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"1e3k", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"1,000", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {" 1", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"+1", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"--1", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
    {"0x10", 0, "is not a number such as 16384, 16K (16,384) or 16k (16,000)"},
};

static void test_counts(void)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        rk_i128 got = 0;

        err = (rk_err){0};
        CHECK_INT(rk_count_parse(counts[i].text, &got, &err), counts[i].want ? RK_OK : RK_EINPUT);
        CHECK_INT(got, counts[i].want);
        if (!CHECK_TEXT(err.message, counts[i].message))
            printf("    '%s'\n", counts[i].text);
    }
}

static void test_settings(void)
{
    rk_setting s = {0};

    CHECK(rk_setting_is("S=16K"));
    CHECK(rk_setting_is("d_model="));
    CHECK(!rk_setting_is("S"));
    CHECK(!rk_setting_is("=4"));
    CHECK(!rk_setting_is("4=4"));
    CHECK(!rk_setting_is("runs/lr=3/config.json"));
    CHECK(!rk_setting_is("--opt=4"));
    CHECK_INT(rk_setting_parse(&arena, "S=16K", &s, &err), RK_OK);
    CHECK_TEXT(s.name, "S");
    CHECK_INT(s.value, 16384);
    CHECK(s.word == NULL);
    CHECK_INT(rk_setting_parse(&arena, "scan=recurrent", &s, &err), RK_OK);
    CHECK_TEXT(s.name, "scan");
    CHECK_TEXT(s.word, "recurrent");
    CHECK_INT(rk_setting_parse(&arena, "S=1.5", &s, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "S=1.5 is not a whole number");
    CHECK_INT(rk_setting_parse(&arena, "S=", &s, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "S= needs a value, as in S=4096");
    CHECK_TEXT(s.word, "recurrent"); /* untouched */
}

/* ---- nearest words ---------------------------------------------------------------------------------------------- */

static const char *nearest(const char *word)
{
    static const char *const known[] = {"gpt2",       "gpt2-xl",  "llama", "params", "flops", "B",   "S",      "ops",
                                        "llama-3-8b", "--recipe", "bf16",  "models", "vit",   "a10", "memory", "h100"};
    static char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = word};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        rk_nearest_try(&near, known[i]);
    return near.best ? near.best : rk_nearest_hint(&near, hint);
}

static void test_nearest(void)
{
    char hint[RK_NEAREST_HINT_MAX];
    rk_nearest near = {.word = "x", .best = "gpt2"};
    static const struct {
        const char *typed, *meant; /* "": another word, of which none is near */
    } table[] = {
        {"gtp2", "gpt2"},
        {"gpt2xl", "gpt2-xl"},
        {"GPT2-XL", "gpt2-xl"},
        {"lama", "llama"},
        {"flosp", "flops"},
        {"s", "S"},
        {"Q", ""},
        {"whisper", ""},
        {"", ""},
        {"mdoels", "models"},
        {"modles", "models"},
        {"--reciep", "--recipe"},
        {"--recipee", "--recipe"},
        {"bf61", "bf16"},
        {"fb16", "bf16"},
        {"llama-3-8", "llama-3-8b"},
        {"list", ""},
        {"vti", "vit"},
        {"vat", "vit"},
        {"fish", ""},
        {"h10", "h100"},
        {"memroy", "memory"},
        {"mmeroy", "memory"},
        {"xyz", ""},
        {"parmas", "params"},
        {"prms", ""},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        CHECK_TEXT(nearest(table[i].typed), table[i].meant);
    CHECK_TEXT(rk_nearest_hint(&near, hint), "; did you mean 'gpt2'?");
}

/* ---- the library ------------------------------------------------------------------------------------------------ */

static void test_library(void)
{
    rk_library l = {0};
    rk_text t = {0};

    CHECK_INT(rk_library_get(&l, &arena, "gpt2.rk", &t, &err), RK_OK);
    CHECK_TEXT(t.name, "models/gpt2.rk");
    CHECK(t.text && strstr(t.text, "model gpt2"));
    CHECK_INT(rk_library_model(&l, &arena, "block", &t, &err), RK_OK);
    CHECK(t.text != NULL);
    CHECK_INT(rk_library_config(&l, &arena, "gpt2-xl", &t, &err), RK_OK);
    CHECK(t.text != NULL);
    CHECK_INT(rk_library_family(&l, &arena, "GPT2LMHeadModel", &t, &err), RK_OK);
    CHECK_TEXT(t.name, "models/gpt2.rk");
    CHECK_INT(rk_library_family(&l, &arena, "nothing", &t, &err), RK_OK);
    CHECK(t.text == NULL);
    /* Names from a config never leave the library. */
    CHECK_INT(rk_library_model(&l, &arena, "../models/gpt2", &t, &err), RK_OK);
    CHECK(t.text == NULL);
    l.folder = "models";
    CHECK_INT(rk_library_model(&l, &arena, "../models/gpt2", &t, &err), RK_OK);
    CHECK(t.text == NULL);
    CHECK_INT(rk_library_model(&l, &arena, "/etc/passwd", &t, &err), RK_OK);
    CHECK(t.text == NULL);
}

static void test_also(void)
{
    rk_library l = {0};
    rk_library_entry e = {"llama-30b", "named/llama-30b.json", true};
    const char **also = NULL;
    size_t n = 0;

    CHECK_INT(rk_library_also(&l, &arena, &e, &also, &n, &err), RK_OK);
    if (CHECK_INT(n, 3))
        CHECK_TEXT(also[1], "llama-33b");
    e.path = "named/gpt2-xl.json"; /* has none */
    CHECK_INT(rk_library_also(&l, &arena, &e, &also, &n, &err), RK_OK);
    CHECK_INT(n, 0);
    e.path = "named/nothing.json";
    CHECK_INT(rk_library_also(&l, &arena, &e, &also, &n, &err), RK_OK);
    CHECK_INT(n, 0);
}

static void test_headlines(void)
{
    rk_text t = {"x.rk", "# model no: \"no\"\nmodel x-1: \"an x\"  # more\nfamily \"a\", 'b' # \"c\"\n family \"d\"\n",
                 0};
    const char *name = NULL, *text = NULL, **family = NULL;
    size_t n = 0;

    CHECK_INT(rk_library_headline(&arena, &t, &name, &text, &err), RK_OK);
    CHECK_TEXT(name, "x-1");
    CHECK_TEXT(text, "an x");
    CHECK_INT(rk_library_families(&arena, &t, &family, &n, &err), RK_OK);
    if (CHECK_INT(n, 2)) {
        CHECK_TEXT(family[0], "a");
        CHECK_TEXT(family[1], "b");
    }
    t.text = "model y: \"no family\"";
    CHECK_INT(rk_library_families(&arena, &t, &family, &n, &err), RK_OK);
    if (CHECK_INT(n, 1))
        CHECK_TEXT(family[0], "y");
    t.text = "block b(x) -> y:\n    y = x\n";
    CHECK_INT(rk_library_headline(&arena, &t, &name, &text, &err), RK_OK);
    CHECK(name == NULL && text == NULL);
    CHECK_INT(rk_library_families(&arena, &t, &family, &n, &err), RK_OK);
    CHECK_INT(n, 0);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static int open_words(size_t n, const char *const *word, rk_instance **m)
{
    rk_open_request r = {.word = word, .n_word = n};

    *m = NULL;
    err = (rk_err){0};
    return rk_open(&r, m, &err);
}

static void check_name(const char *word, const char *want)
{
    rk_instance *m;

    if (CHECK_INT(open_words(1, &word, &m), RK_OK)) {
        CHECK_TEXT(m->model->name, want);
        rk_instance_free(m);
    } else {
        printf("    %s\n", err.message);
    }
}

static void check_failure(size_t n, const char *const *word, int code, const char *message)
{
    rk_instance *m;

    CHECK_INT(open_words(n, word, &m), code);
    CHECK(m == NULL);
    CHECK_TEXT(err.message, message);
}

static void test_open(void)
{
    check_name("gpt2-xl", "gpt2-xl");
    check_name("block", "block");
    check_name("models/block.rk", "block");
    check_name("models/named/gpt2-large.json", "gpt2-large");
    check_name("./models//named/gpt2-large.json", "gpt2-large");
    check_failure(0, NULL, RK_EUSAGE, "which model? ('reckon models' lists what is known by name)");
    check_failure(3, (const char *[]){"a", "b", "c"}, RK_EUSAGE,
                  "one model is wanted, or a family and a config: 'c' is too much");
    check_failure(1, (const char *[]){"gtp2-xl"}, RK_EINPUT, "no model is called 'gtp2-xl'; did you mean 'gpt2-xl'?");
    check_failure(1, (const char *[]){"zzzzzz"}, RK_EINPUT, "no model is called 'zzzzzz' ('reckon models' lists them)");
    check_failure(1, (const char *[]){""}, RK_EINPUT, "no model is called '' ('reckon models' lists them)");
    check_failure(1, (const char *[]){"no/such/config.json"}, RK_EIO,
                  "no/such/config.json: cannot read: No such file or directory");
    check_failure(2, (const char *[]){"lama", "models/named/gpt2.json"}, RK_EINPUT,
                  "no model file is for the family 'lama'; nearest by name: 'llama'");
    check_failure(2, (const char *[]){"gpt2", "block"}, RK_EUSAGE,
                  "'block' is not a config: after the family 'gpt2' comes one");
}

/* ---- passes that a shelf remembers ------------------------------------------------------------------------------ */

static void test_kept_passes(void)
{
    char profile[] = "torch", family[] = "bart";
    const char *eager[] = {family, NULL};
    rk_pass_options asked = {.profile = profile, .fused = true, .spares = true, .eager = eager}, other = asked, kept;

    CHECK_INT(rk_passes_keep(&arena, &asked, &kept, &err), RK_OK);
    profile[0] = 'x'; /* what was borrowed is gone */
    CHECK_TEXT(kept.profile, "torch");
    CHECK(!kept.eager && !kept.finder.find && !kept.finder.self && !kept.finder.parsed && !kept.until);
    other.profile = "torch";
    CHECK(rk_passes_same(&kept, &other));
    other.eager = NULL; /* the list is the profile's: whether it is asked for decides */
    CHECK(rk_passes_same(&kept, &other));
    other.spares = false;
    CHECK(!rk_passes_same(&kept, &other));
}

/* ---- numbers of the run that are put into a model of the shelf -------------------------------------------------- */

static rk_opened open_shelved(rk_shelf *shelf, const char *name, const rk_setting *set, size_t n, int want)
{
    rk_open_request r = {.shelf = shelf, .word = &name, .n_word = 1, .setting = set, .n_setting = n};
    rk_opened o = {0};

    r.passes.profile = "torch";
    if (!CHECK_INT(rk_open_all(&r, RK_FIND_MODEL, &o, &err), want))
        printf("    %s: %s\n", name, err.message);
    return o;
}

static void test_renumbered(void)
{
    rk_shelf *shelf = rk_shelf_new();
    rk_setting s512 = {.name = "S", .value = 512}, s256 = {.name = "S", .value = 256};
    rk_setting few[] = {s512, {.name = "T", .value = 256}}, more[] = {s512, {.name = "T", .value = 700}};
    rk_opened first, second, third;

    if (!CHECK(shelf != NULL))
        return;
    first = open_shelved(shelf, "gpt2", &s512, 1, RK_OK);
    second = open_shelved(shelf, "gpt2", &s256, 1, RK_OK);
    third = open_shelved(NULL, "gpt2", &s256, 1, RK_OK);
    if (CHECK(first.model && second.model && third.model)) {
        CHECK(first.model->program.op == second.model->program.op); /* expanded and lowered once */
        CHECK_INT(rk_model_symbol(first.model, "S")->value, 512);
        CHECK_INT(rk_model_symbol(second.model, "S")->value, 256);
        CHECK_INT(rk_model_symbol(second.model, "T")->value, 256);
        CHECK(rk_model_symbol(second.model, "S")->set);
        for (size_t i = 0; i < third.model->n_symbol; i++) {
            const rk_symbol *a = &second.model->symbol[i], *b = &third.model->symbol[i];

            CHECK(a->known == b->known && a->value == b->value && a->set == b->set && a->fallback == b->fallback);
            CHECK(!a->key == !b->key && !a->factor == !b->factor && a->context == b->context);
        }
    }
    rk_opened_free(&first);
    rk_opened_free(&second);
    rk_opened_free(&third);
    /* Keys that are set apart from queries are read otherwise, and there are no fewer of them. */
    first = open_shelved(shelf, "gpt2", more, 2, RK_OK);
    second = open_shelved(shelf, "gpt2", few, 2, RK_EINPUT);
    if (CHECK(first.model != NULL))
        CHECK_INT(rk_model_symbol(first.model, "T")->value, 700);
    rk_opened_free(&first);
    rk_opened_free(&second);
    rk_shelf_free(shelf);
}

int main(void)
{
    test_counts();
    test_settings();
    test_nearest();
    test_library();
    test_also();
    test_headlines();
    test_open();
    test_kept_passes();
    test_renumbered();
    rk_arena_free(&arena);
    return t_done("plan");
}
