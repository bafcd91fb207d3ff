/* SPDX-License-Identifier: MIT */
/* Opening: by name, by path, by family and config, from texts in memory; what is refused, and in which words. */
#include "with.h"

/* ---- what opens ------------------------------------------------------------------------------------------------- */

static void check_small(reckon_account *a, const char *name)
{
    CHECK_TEXT(reckon_model_name(a), name);
    CHECK_TEXT(reckon_model_family(a), "small");
    CHECK_TEXT(reckon_model_about(a), "a small model");
    CHECK_INT(with_total(a, RECKON_STORED), 3 * 2 * 8 * 16);
    CHECK_INT(with_total(a, RECKON_FORWARD), 3 * 2 * (2 * 16 * 8 * 16));
    reckon_close(&a);
    CHECK(a == NULL);
}

static void test_words(void)
{
    reckon_account *a = with("gpt2-xl", NULL, "B=8 S=1024");

    CHECK_TEXT(reckon_model_name(a), "gpt2-xl");
    CHECK_TEXT(reckon_model_family(a), "gpt2");
    CHECK_INT(with_total(a, RECKON_STORED), 1557611200);
    CHECK_INT(with_total(a, RECKON_FORWARD), (t_i128)8 * 3506703564800);
    CHECK_INT(with_total(a, RECKON_STEP), (t_i128)24 * 3506703564800);
    reckon_close(&a);
    a = with("examples/tiny-decoder.rk", NULL, NULL);
    CHECK_TEXT(reckon_model_name(a), "tiny-decoder");
    reckon_close(&a);
    a = with(WITH_TINY "llama.config.json", NULL, NULL);
    CHECK_TEXT(reckon_model_family(a), "llama");
    reckon_close(&a);
    a = with("llama", WITH_TINY "llama.config.json", NULL);
    CHECK_TEXT(reckon_model_name(a), "llama");
    reckon_close(&a);
    a = with("models/gpt2.rk", "gpt2-xl", NULL);
    CHECK_INT(with_total(a, RECKON_STORED), 1557611200);
    reckon_close(&a);
}

static reckon_account *open_texts(reckon_request r)
{
    reckon_account *a = NULL;
    reckon_error error = {0};

    if (!CHECK(reckon_open(&r, &a, NULL, &error) == RECKON_OK))
        printf("  %s\n", error.message);
    return a;
}

static void test_texts(void)
{
    reckon_request r = {.model_text = WITH_MODEL, .config_text = WITH_CONFIG};

    check_small(open_texts(r), "the config");
    r.model = "mine";
    r.config = "its config";
    check_small(open_texts(r), "its config");
    check_small(with_text(WITH_MODEL, NULL, "L=3,D=8"), "the model file");
    check_small(open_texts((reckon_request){.model = "mine.rk", .model_text = WITH_MODEL, .symbols = " L=3\tD=8 "}),
                "mine.rk");
}

static void test_texts_and_words(void)
{
    static const char config[] =
        "{\"model_type\": \"gpt2\", \"n_layer\": 2, \"n_embd\": 8, \"n_head\": 2, \"vocab_size\": 10}";
    reckon_account *a = open_texts((reckon_request){.config_text = config});

    CHECK_TEXT(reckon_model_family(a), "gpt2");
    CHECK_INT(with_value(reckon_weight_at(a, 0)->count), 80);
    reckon_close(&a);
    a = open_texts((reckon_request){.model = "gpt2", .config_text = config});
    CHECK_TEXT(reckon_model_name(a), "the config");
    reckon_close(&a);
    a = open_texts((reckon_request){.model = "models/gpt2.rk", .config_text = config, .config = "tiny"});
    CHECK_TEXT(reckon_model_name(a), "tiny");
    reckon_close(&a);
    a = open_texts((reckon_request){.model_text = WITH_MODEL, .config = "gpt2-xl", .symbols = "L=3 D=8"});
    check_small(a, "gpt2-xl");
}

/* A model file of the library, read by the caller: what it uses is found in the library. */
static void test_text_of_library(void)
{
    static char text[1 << 16];
    FILE *file = fopen("models/gpt2.rk", "rb");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    reckon_account *a;

    if (file)
        fclose(file);
    CHECK(n > 0 && n < sizeof text - 1);
    a = open_texts((reckon_request){.model_text = text, .config = "gpt2-xl"});
    CHECK_INT(with_total(a, RECKON_STORED), 1557611200);
    reckon_close(&a);
    a = open_texts((reckon_request){.model = "gpt2-xl", .library = "models"});
    CHECK_TEXT(reckon_weight_at(a, 0)->file, "models/gpt2.rk");
    reckon_close(&a);
}

static void test_conventions(void)
{
    reckon_request r = {.model = "cs336-xl", .symbols = "B=1 S=1024"};
    reckon_account *a = open_texts(r);
    uint64_t full = with_total(a, RECKON_FORWARD), exact, mac, all, torch;

    reckon_close(&a);
    r.convention.masking = RECKON_MASK_EXACT;
    exact = with_total(a = open_texts(r), RECKON_FORWARD);
    reckon_close(&a);
    r.convention = (reckon_convention){.unit = RECKON_UNIT_MAC};
    mac = with_total(a = open_texts(r), RECKON_FORWARD);
    reckon_close(&a);
    r.convention = (reckon_convention){.counting = RECKON_COUNT_ALL};
    all = with_total(a = open_texts(r), RECKON_FORWARD);
    reckon_close(&a);
    r.convention = (reckon_convention){.counting = RECKON_COUNT_TORCH};
    torch = with_total(a = open_texts(r), RECKON_FORWARD);
    reckon_close(&a);
    CHECK_INT(full, 4513336524800);
    CHECK_INT(mac * 2, full);
    CHECK(exact < full && full < all && torch > 0);
}

/* ---- what does not ---------------------------------------------------------------------------------------------- */

typedef struct refusal {
    reckon_request request;
    int code;
    const char *words; /* somewhere in the message */
} refusal;

static void refuse(const refusal *f)
{
    reckon_account *a = NULL;
    reckon_error error = {0};
    char *mistakes = NULL;

    CHECK_INT(reckon_open(&f->request, &a, &mistakes, &error), f->code);
    CHECK_INT(error.code, f->code);
    if (!CHECK(strstr(error.message, f->words)))
        printf("  \"%s\" has no \"%s\"\n", error.message, f->words);
    CHECK(a == NULL && mistakes == NULL);
    CHECK_INT(reckon_open(&f->request, &a, NULL, NULL), f->code);
    CHECK(a == NULL);
}

static void test_refusals(void)
{
    static const reckon_convention strange = {(reckon_counting)9, RECKON_MASK_FULL, RECKON_UNIT_FLOP};
    static const reckon_convention torch_macs = {RECKON_COUNT_TORCH, RECKON_MASK_FULL, RECKON_UNIT_MAC};
    const refusal list[] = {
        {{.model = NULL}, RECKON_EUSAGE, "names no model"},
        {{.config = "gpt2-xl"}, RECKON_EUSAGE, "names no model"},
        {{.model = "gpt2-xll"}, RECKON_EINPUT, "did you mean 'gpt2-xl'"},
        {{.model = "no/such.rk"}, RECKON_EIO, "no/such.rk"},
        {{.model = "no-such-family", .config = "gpt2-xl"}, RECKON_EINPUT, "no-such-family"},
        {{.model = "gpt2", .config = "models/llama.rk"}, RECKON_EUSAGE, "is not a config"},
        {{.model_text = WITH_MODEL, .config = "models/llama.rk"}, RECKON_EUSAGE, "is not a config"},
        {{.config_text = "{}"}, RECKON_EINPUT, "no model_type"},
        {{.config_text = "[1"}, RECKON_EINPUT, "the config:1:"},
        {{.config_text = "[1]"}, RECKON_EINPUT, "is not a JSON object"},
        {{.model = "gpt2-xl", .symbols = "Q=1"}, RECKON_EINPUT, "no symbol 'Q'"},
        {{.model = "gpt2-xl", .symbols = "S"}, RECKON_EUSAGE, "'S' sets no symbol"},
        {{.model = "gpt2-xl", .symbols = "S=1 S=2"}, RECKON_EUSAGE, "S is set twice"},
        {{.model = "gpt2-xl", .symbols = "S=0"}, RECKON_EINPUT, "S=0 is less than 1"},
        {{.model = "gpt2-xl", .symbols = "S=many"}, RECKON_EINPUT, "many"},
        {{.model = "gpt2-xl", .convention = strange}, RECKON_EUSAGE, "a convention that there is not"},
        {{.model = "gpt2-xl", .convention = torch_macs}, RECKON_EUSAGE, "PyTorch"},
    };

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        refuse(&list[i]);
}

static void test_null(void)
{
    reckon_request r = {.model = "gpt2-xl"};
    reckon_account *a = NULL;
    reckon_error error = {0};

    CHECK_INT(reckon_open(NULL, &a, NULL, &error), RECKON_EUSAGE);
    CHECK_TEXT(error.message, "the request is NULL");
    CHECK_INT(reckon_open(&r, NULL, NULL, &error), RECKON_EUSAGE);
    CHECK_TEXT(error.message, "out is NULL");
    CHECK_INT(reckon_open(NULL, NULL, NULL, NULL), RECKON_EUSAGE);
    reckon_close(NULL);
    reckon_close(&a);
    reckon_text_free(NULL);
    CHECK(reckon_model_name(NULL) == NULL && reckon_model_family(NULL) == NULL && reckon_model_about(NULL) == NULL);
}

/* Every mistake, with its line and a caret; the error counts them. */
static void test_mistakes(void)
{
    static const char wrong[] = "model wrong: \"two mistakes\"\n"
                                "run B = 1\n"
                                "incoming x[B D]\n"
                                "y[B E] = x[B D] * .w[E D]\n"
                                "output y\n";
    reckon_request r = {.model = "wrong.rk", .model_text = wrong};
    reckon_account *a = NULL;
    reckon_error error = {0};
    char *mistakes = NULL;

    CHECK_INT(reckon_open(&r, &a, &mistakes, &error), RECKON_EINPUT);
    CHECK(strstr(error.message, "mistake") != NULL && a == NULL);
    if (CHECK(mistakes != NULL)) {
        CHECK(strstr(mistakes, "wrong.rk:3:") != NULL);
        CHECK(strstr(mistakes, "\n    incoming x[B D]\n") != NULL);
        CHECK(strstr(mistakes, "^") != NULL);
    }
    reckon_text_free(&mistakes);
    CHECK(mistakes == NULL);
    reckon_text_free(&mistakes);
    CHECK_INT(reckon_open(&r, &a, NULL, &error), RECKON_EINPUT);
}

/* A text in memory may come from anyone: it uses the library, and no files. */
static void test_stranger(void)
{
    static const char uses[] = "model x: \"\"\nuse tests/lang/axes.rk\n";
    reckon_request r = {.model_text = uses};
    reckon_account *a = NULL;
    char *mistakes = NULL;

    CHECK_INT(reckon_open(&r, &a, &mistakes, NULL), RECKON_EINPUT);
    CHECK(mistakes && strstr(mistakes, "there is no file 'tests/lang/axes.rk'"));
    reckon_text_free(&mistakes);
}

/* ---- the library ------------------------------------------------------------------------------------------------ */

static void test_library(void)
{
    reckon_library *l = NULL;
    reckon_error error = {0};
    bool model = false, config = false;

    CHECK_INT(reckon_library_new(NULL, &l, &error), RECKON_OK);
    for (size_t i = 0; i < reckon_library_count(l); i++) {
        const reckon_known *k = reckon_library_at(l, i);

        CHECK(k->name && k->about);
        model |= !k->family && strcmp(k->name, "gpt2") == 0;
        config |= k->family && strcmp(k->name, "gpt2-xl") == 0 && strcmp(k->family, "gpt2") == 0;
    }
    CHECK(model && config);
    CHECK(reckon_library_at(l, reckon_library_count(l)) == NULL);
    reckon_library_free(&l);
    CHECK(l == NULL);
    reckon_library_free(&l);
    reckon_library_free(NULL);
    CHECK_INT(reckon_library_new("tests/no-such-folder", &l, NULL), RECKON_OK);
    reckon_library_free(&l);
    CHECK_INT(reckon_library_new(NULL, NULL, &error), RECKON_EUSAGE);
    CHECK(reckon_library_count(NULL) == 0 && reckon_library_at(NULL, 0) == NULL);
}

int main(void)
{
    test_words();
    test_texts();
    test_texts_and_words();
    test_text_of_library();
    test_conventions();
    test_refusals();
    test_null();
    test_mistakes();
    test_stranger();
    test_library();
    return t_done("api open");
}
