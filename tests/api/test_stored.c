/* SPDX-License-Identifier: MIT */
/* Checkpoints: their tensors and sums; a model held against them. */
#include "with.h"

#define CHECKPOINT "examples/checkpoint"
#define FIXTURES "tests/read/fixtures/"

static reckon_stored *stored(const char *path)
{
    reckon_stored *s = NULL;
    reckon_error error = {0};

    if (!CHECK(reckon_stored_open(path, &s, &error) == RECKON_OK))
        printf("  %s\n", error.message);
    return s;
}

/* ---- tensors and sums ------------------------------------------------------------------------------------------- */

/* Tensors add up to the total, and so do formats; each is found by its name. */
static void check_sums(const reckon_stored *s)
{
    uint64_t elements = 0, bytes = 0, by_format = 0, n = 0;

    for (size_t i = 0; i < reckon_stored_count(s); i++) {
        const reckon_stored_tensor *t = reckon_stored_at(s, i);

        elements += t->count;
        bytes += t->bytes;
        n += t->known != 0;
        CHECK(t->file != NULL && (t->dtype != NULL) == t->known);
        CHECK(reckon_stored_find(s, t->name) == t);
    }
    for (size_t i = 0; i < reckon_stored_format_count(s); i++)
        by_format += reckon_stored_format_at(s, i)->bytes.low;
    CHECK(reckon_stored_total(s)->elements.low == elements && reckon_stored_total(s)->bytes.low == bytes);
    CHECK(reckon_stored_total(s)->tensors.low == n && by_format == bytes);
    CHECK(reckon_stored_total(s)->dtype == NULL);
    CHECK(!reckon_stored_at(s, reckon_stored_count(s)) && !reckon_stored_find(s, "no.such.tensor"));
    CHECK(!reckon_stored_format_at(s, reckon_stored_format_count(s)));
}

static void test_tensors(void)
{
    static const char *const path[] = {CHECKPOINT, FIXTURES "small.safetensors", FIXTURES "sharded",
                                       FIXTURES "formats.gguf"};
    reckon_stored *s;
    const reckon_stored_tensor *t;

    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        s = stored(path[i]);
        if (s)
            check_sums(s);
        CHECK(reckon_stored_count(s) > 0);
        reckon_stored_close(&s);
    }
    s = stored(CHECKPOINT);
    t = reckon_stored_find(s, "model.embed_tokens.weight");
    if (CHECK(t != NULL)) {
        CHECK_TEXT(t->dtype, "BF16");
        CHECK(t->n_shape == 2 && t->shape[0] == 16 && t->shape[1] == 8 && t->bytes == 256 && t->count == 128);
        CHECK_HAS(t->file, "model.safetensors");
    }
    reckon_stored_close(&s);
}

/* ---- against a model -------------------------------------------------------------------------------------------- */

/* The checkpoint has as many elements as the account says that its model stores. */
static void test_equal(void)
{
    reckon_request r = {.model = CHECKPOINT "/config.json"};
    reckon_account *a = with(r.model, NULL, NULL);
    reckon_stored *s = stored(CHECKPOINT);
    reckon_verify *v = NULL;
    const reckon_verified *result;

    CHECK(with_total(a, RECKON_STORED) == reckon_stored_total(s)->elements.low);
    CHECK_INT(reckon_verify_new(&r, s, &v, NULL, NULL), RECKON_OK);
    reckon_stored_close(&s); /* the result needs it no more */
    result = reckon_verify_result(v);
    CHECK(result && result->equal && !result->by_sums && result->matched == result->wanted);
    CHECK(result && result->stored == result->wanted && result->unchecked == 0);
    for (size_t i = 0; i < reckon_verify_count(v); i++)
        CHECK(!reckon_verify_at(v, i)->fails);
    reckon_verify_free(&v);
    reckon_close(&a);
}

static size_t count_kind(const reckon_verify *v, const char *kind)
{
    size_t n = 0;

    for (size_t i = 0; i < reckon_verify_count(v); i++)
        n += strcmp(reckon_verify_at(v, i)->kind, kind) == 0;
    return n;
}

/* A model with one layer more, and wider: nine tensors are missing, and shapes differ. */
static void test_differs(void)
{
    reckon_request r = {.model = CHECKPOINT "/config.json", .symbols = "L=3 F=20"};
    reckon_stored *s = stored(CHECKPOINT);
    reckon_verify *v = NULL;

    CHECK_INT(reckon_verify_new(&r, s, &v, NULL, NULL), RECKON_OK);
    CHECK(v && !reckon_verify_result(v)->equal);
    CHECK_INT(count_kind(v, "missing"), 9);
    CHECK_INT(count_kind(v, "other_shape"), 6);
    CHECK_INT(count_kind(v, "extra"), 0);
    for (size_t i = 0; i < reckon_verify_count(v); i++) {
        const reckon_difference *d = reckon_verify_at(v, i);

        if (strcmp(d->kind, "missing") == 0)
            CHECK(d->fails && d->wanted && !d->found && strstr(d->name, "layers.2.") != NULL);
        if (strcmp(d->kind, "other_shape") == 0)
            CHECK(d->fails && d->n_wanted == 2 && d->n_found == 2 && d->wanted[0] + d->wanted[1] == 28);
    }
    CHECK(reckon_verify_at(v, reckon_verify_count(v)) == NULL);
    reckon_verify_free(&v);
    reckon_stored_close(&s);
}

/* ---- what is refused -------------------------------------------------------------------------------------------- */

static void test_refused(void)
{
    reckon_request unknown = {.model = "gpt2-xll"};
    reckon_stored *s = NULL;
    reckon_verify *v = NULL;
    reckon_error error = {0};

    CHECK_INT(reckon_stored_open("no/such/file.safetensors", &s, &error), RECKON_EIO);
    CHECK_HAS(error.message, "no/such/file.safetensors");
    CHECK_INT(reckon_stored_open(CHECKPOINT "/config.json", &s, &error), RECKON_EINPUT);
    CHECK(s == NULL);
    CHECK_INT(reckon_stored_open(NULL, &s, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_stored_open(CHECKPOINT, NULL, NULL), RECKON_EUSAGE);
    CHECK(reckon_stored_count(NULL) == 0 && !reckon_stored_at(NULL, 0) && !reckon_stored_find(NULL, "x"));
    CHECK(!reckon_stored_total(NULL) && reckon_stored_format_count(NULL) == 0 && !reckon_stored_format_at(NULL, 0));
    s = stored(CHECKPOINT);
    CHECK(!reckon_stored_find(s, NULL));
    CHECK_INT(reckon_verify_new(&unknown, s, &v, NULL, &error), RECKON_EINPUT);
    CHECK_HAS(error.message, "did you mean 'gpt2-xl'");
    CHECK_INT(reckon_verify_new(NULL, s, &v, NULL, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_verify_new(&unknown, NULL, &v, NULL, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_verify_new(&unknown, s, NULL, NULL, NULL), RECKON_EUSAGE);
    CHECK(v == NULL && !reckon_verify_result(NULL) && reckon_verify_count(NULL) == 0 && !reckon_verify_at(NULL, 0));
    reckon_verify_free(&v);
    reckon_verify_free(NULL);
    reckon_stored_close(&s);
    reckon_stored_close(&s);
    reckon_stored_close(NULL);
}

int main(void)
{
    test_tensors();
    test_equal();
    test_differs();
    test_refused();
    return t_done("api stored");
}
