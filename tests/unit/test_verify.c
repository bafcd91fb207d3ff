/* SPDX-License-Identifier: MIT */
/* A model against tensor tables: both layouts and mixtures, prefixes, ties, buffers, and what really differs. */
#include "account/alike.h"
#include "account/ledger.h"
#include "account/verify.h"
#include "plan/open.h"
#include "t.h"

#include <inttypes.h>
#include <stdlib.h>

static rk_arena arena;
static rk_err err;

/* ---- a model ---------------------------------------------------------------------------------------------------- */

static const char model_text[] = "model m: \"an embedding, one layer of experts, a tied head\"\n"
                                 "let D = 4 \"width\"\n"
                                 "let M = 3 \"width of an expert\"\n"
                                 "let E = 2 \"experts\"\n"
                                 "let A = 1 \"experts per token\"\n"
                                 "let V = 8 \"vocabulary\"\n"
                                 "let L = 1 \"layers\"\n"
                                 "run B = 1 \"rows\"\n"
                                 "run S = 2 \"tokens\"\n"
                                 "input ids[B S]\n"
                                 "tie .head.weight to .model.embed.weight\n"
                                 "stored .model.body as .body\n"
                                 "x[B S D] = lookup(ids, .model.embed.weight[V D])\n"
                                 "part layers[i < L] at model.body.{i}:\n"
                                 "    buffer .bias[E]\n"
                                 "    normed        = rmsnorm(x, .norm.weight[D])\n"
                                 "    router[B S E] = normed[B S D] * .gate.weight[E D]\n"
                                 "    weight        = route(softmax(router, E), A)\n"
                                 "    up[B S A M]   = normed[B S D] * .experts.up[E@A M D]\n"
                                 "    hidden        = silu(up)\n"
                                 "    down[B S A D] = hidden[B S A M] * .experts.down[E@A D M]\n"
                                 "    y[B S D]      = sum(weight[B S A] * down[B S A D], A)\n"
                                 "    stored .experts.up   as .experts.{E}.up.weight[M D]\n"
                                 "    stored .experts.down as .experts.{E}.down.weight[D M]\n"
                                 "    x = x + y\n"
                                 "logits[B S V] = x[B S D] * .head.weight[V D]\n"
                                 "output logits\n";

static rk_instance *model;
static rk_ledger *ledger;

static bool open_model(void)
{
    rk_open_request r = {.model = {"m.rk", model_text, sizeof model_text - 1}};
    rk_convention convention = {RK_COUNT_MATMUL, false, false};

    if (!CHECK_INT(rk_open(&r, &model, &err), RK_OK) ||
        !CHECK_INT(rk_ledger_new(model, &convention, &ledger, &err), RK_OK)) {
        printf("%s\n", err.message);
        return false;
    }
    return true;
}

/* ---- tensor tables ---------------------------------------------------------------------------------------------- */

/* "8x4" as a list of JSON; the bytes of so many elements of four bytes. */
static uint64_t put_shape(rk_str *out, const char *shape)
{
    uint64_t bytes = 4;

    rk_str_putc(out, '[');
    for (const char *at = shape; *at && *at != ' ';) {
        char *end;
        uint64_t n = strtoull(at, &end, 10);

        rk_str_format(out, "%s%" PRIu64, at == shape ? "" : ",", n);
        bytes *= n;
        at = end + (*end == 'x');
    }
    rk_str_putc(out, ']');
    return bytes;
}

/* A file with the tensors "name:8x4 other:4 scalar:". */
static rk_store *store_of(const char *tensors)
{
    rk_str header = {0}, file = {0};
    uint64_t offset = 0;
    rk_store *s = NULL;

    rk_str_putc(&header, '{');
    for (const char *at = tensors; *at; at += strcspn(at, " "), at += *at == ' ') {
        size_t n = strcspn(at, ":");
        uint64_t bytes;

        rk_str_format(&header, "%s\"%.*s\":{\"dtype\":\"F32\",\"shape\":", at == tensors ? "" : ",", (int)n, at);
        bytes = put_shape(&header, at + n + 1);
        rk_str_format(&header, ",\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", offset, offset + bytes);
        offset += bytes;
    }
    rk_str_putc(&header, '}');
    for (int i = 0; i < 8; i++)
        rk_str_putc(&file, (char)(header.n >> 8 * i));
    rk_str_putn(&file, header.text, header.n);
    if (!CHECK_INT(rk_safetensors_parse(&arena, "m", file.text, file.n, file.n + offset, &s, &err), RK_OK))
        printf("%s: %s\n", err.message, tensors);
    rk_str_free(&header);
    rk_str_free(&file);
    return s;
}

/* An index of the same, whose shard is not here. */
static rk_store *index_of(const char *tensors)
{
    rk_str text = {0};
    rk_store *s = NULL;

    rk_str_put(&text, "{\"metadata\":{},\"weight_map\":{");
    for (const char *at = tensors; *at; at += strcspn(at, " "), at += *at == ' ')
        rk_str_format(&text, "%s\"%.*s\":\"s.safetensors\"", at == tensors ? "" : ",", (int)strcspn(at, ":"), at);
    rk_str_put(&text, "}}");
    CHECK_INT(rk_safetensors_index_parse(&arena, "i", text.text, text.n, &s, &err), RK_OK);
    rk_str_free(&text);
    return s;
}

/* ---- results as text -------------------------------------------------------------------------------------------- */

static void put_dims(rk_str *out, const char *before, const rk_shape *s)
{
    if (!s->known)
        return;
    rk_str_put(out, before);
    for (size_t i = 0; i < s->n; i++) {
        rk_str_put(out, i ? "x" : "");
        rk_str_num(out, s->dim[i]);
    }
}

static void put_result(rk_str *out, const rk_verify *v)
{
    static const char *const layout[] = RK_VERIFY_LAYOUT_WORDS;

    rk_str_format(out, "%s %s %zu/%zu", v->equal ? "same" : "other", layout[v->layout], v->n_matched, v->n_wanted);
    if (v->n_unchecked)
        rk_str_format(out, " unchecked %zu", v->n_unchecked);
    if (v->left_out)
        rk_str_format(out, " without %s", v->left_out);
    if (v->added)
        rk_str_format(out, " with %s", v->added);
    if (v->n_old)
        rk_str_format(out, " old %zu", v->n_old);
    for (size_t i = 0; i < v->n; i++) {
        const rk_difference *d = &v->at[i];

        rk_str_format(out, "; %s %s", rk_difference_table[d->kind].key, d->name);
        put_dims(out, " ", &d->wanted);
        put_dims(out, d->wanted.known ? " is " : " ", &d->found);
        if (d->other)
            rk_str_format(out, " %s", d->other);
    }
}

static void check_store(const char *tensors, const rk_store *s, const char *want)
{
    rk_verify v = {.n = 0};
    rk_str text = {0};

    if (!s || !CHECK_INT(rk_verify_new(ledger, s, &v, &err), RK_OK))
        return;
    put_result(&text, &v);
    if (!CHECK_TEXT(rk_str_text(&text), want))
        printf("    for %s\n", tensors);
    rk_str_free(&text);
    rk_verify_free(&v);
}

/* ---- cases ------------------------------------------------------------------------------------------------------ */

#define EMBED "model.embed.weight:8x4"
#define BODY(at) at "body.0.norm.weight:4 " at "body.0.gate.weight:2x4"
#define FUSED(at) at "body.0.experts.up:2x3x4 " at "body.0.experts.down:2x4x3"
#define PIECES(at)                                                                                                     \
    at "body.0.experts.0.up.weight:3x4 " at "body.0.experts.1.up.weight:3x4 " at                                       \
       "body.0.experts.0.down.weight:4x3 " at "body.0.experts.1.down.weight:4x3"
#define BIAS(at) at "body.0.bias:2"

static const struct {
    const char *tensors, *want;
} cases[] = {
    /* Either layout, each half of the way, and a mixture. */
    {EMBED " " BODY("") " " PIECES("") " " BIAS(""), "same checkpoint 8/8"},
    {EMBED " " BODY("model.") " " FUSED("model.") " " BIAS("model."), "same reference 6/6"},
    {EMBED " " BODY("model.") " " PIECES("model.") " " BIAS("model."), "same mixed 8/8"},
    {EMBED " " BODY("") " " FUSED("") " " BIAS(""), "same mixed 6/6"},
    {EMBED " " BODY("") " body.0.experts.0.up.weight:3x4 body.0.experts.1.up.weight:3x4 " BIAS(
         "") " "
             "model.body.0.experts.down:2x4x3",
     "same mixed 7/7"},

    /* Missing, extra, of another shape; more or fewer dimensions; a scalar. */
    {EMBED " body.0.norm.weight:4 " PIECES("") " " BIAS(""), "other checkpoint 7/8; missing body.0.gate.weight 2x4"},
    {EMBED " model.body.0.gate.weight:2x4 " FUSED("model.") " " BIAS("model."),
     "other reference 5/6; missing model.body.0.norm.weight 4"},
    {EMBED " " BODY("") " " BIAS("") " body.0.experts.0.up.weight:3x4 body.0.experts.0.down.weight:4x3 "
                                     "body.0.experts.1.down.weight:4x3",
     "other checkpoint 7/8; missing body.0.experts.1.up.weight 3x4"},
    {EMBED " " BODY("") " " PIECES("") " " BIAS("") " more.weight:5x6 scale:",
     "other checkpoint 8/8; extra more.weight 5x6; extra scale "},
    {"model.embed.weight:9x4 " BODY("") " " PIECES("") " " BIAS(""),
     "other checkpoint 7/8; other_shape model.embed.weight 8x4 is 9x4"},
    {EMBED " body.0.norm.weight:4x1 body.0.gate.weight:8 " PIECES("") " body.0.bias:",
     "other checkpoint 5/8; other_shape body.0.norm.weight 4 is 4x1; other_shape body.0.gate.weight 2x4 is 8; "
     "other_shape body.0.bias 2 is "},

/* Stacks in pieces of other names: as many elements for each number, and no number too few or too many. */
#define STACK(i) "model.body.0.experts." i ".a:6 model.body.0.experts." i ".b.c:2x9"
    {EMBED " " BODY("model.") " " BIAS("model.") " " STACK("0") " " STACK("1"),
     "same reference 6/6; pieces model.body.0.experts.up 2x3x4; pieces model.body.0.experts.down 2x4x3"},
    {EMBED " " BODY("model.") " " BIAS("model.") " " STACK("0") " model.body.0.experts.1.a:6",
     "other reference 4/6; missing model.body.0.experts.up 2x3x4; missing model.body.0.experts.down 2x4x3; extra "
     "model.body.0.experts.0.a 6; extra model.body.0.experts.0.b.c 2x9; extra model.body.0.experts.1.a 6"},
    {EMBED " " BODY("model.") " " BIAS("model.") " " STACK("0") " " STACK("2"),
     "other reference 4/6; missing model.body.0.experts.up 2x3x4; missing model.body.0.experts.down 2x4x3; extra "
     "model.body.0.experts.0.a 6; extra model.body.0.experts.0.b.c 2x9; extra model.body.0.experts.2.a 6; extra "
     "model.body.0.experts.2.b.c 2x9"},
    {EMBED " " BODY("model.") " " BIAS("model.") " model.body.0.experts.0.a:24 model.body.0.experts.1.a:25",
     "other reference 4/6; missing model.body.0.experts.up 2x3x4; missing model.body.0.experts.down 2x4x3; extra "
     "model.body.0.experts.0.a 24; extra model.body.0.experts.1.a 25"},

    /* Tied tensors: once, twice, under the second name alone, in another shape. */
    {EMBED " " BODY("") " " PIECES("") " " BIAS("") " head.weight:8x4",
     "same checkpoint 8/8; tied_too head.weight 8x4 is 8x4 model.embed.weight"},
    {"head.weight:8x4 " BODY("") " " PIECES("") " " BIAS(""),
     "same checkpoint 8/8; tied_instead model.embed.weight 8x4 is 8x4 head.weight"},
    {EMBED " " BODY("") " " PIECES("") " " BIAS("") " head.weight:9x4",
     "other checkpoint 8/8; other_shape head.weight 8x4 is 9x4"},
    {"head.weight:9x4 " BODY("") " " PIECES("") " " BIAS(""),
     "other checkpoint 7/8; missing model.embed.weight 8x4; other_shape head.weight 8x4 is 9x4"},

    /* Buffers that are left out; constants that are stored. */
    {EMBED " " BODY("") " " PIECES(""), "same checkpoint 7/7; buffers_left_out body.0.bias 2"},
    {EMBED " " BODY("") " " PIECES("") " " BIAS("") " body.0.rotary_emb.inv_freq:2 body.0.attn.bias:1x1x9x9",
     "same checkpoint 8/8; constants body.0.rotary_emb.inv_freq 2; constants body.0.attn.bias 1x1x9x9"},
    {EMBED " " BODY("") " " PIECES("") " " BIAS("") " body.0.my_inv_freq:2 body.0.attn.bias:1x1x9x8",
     "other checkpoint 8/8; extra body.0.my_inv_freq 2; extra body.0.attn.bias 1x1x9x8"},

    /* A prefix on no name, or on every one; not one that only some have. */
    {"embed.weight:8x4 " BODY("") " " FUSED("") " " BIAS(""), "same mixed 6/6 without model."},
    {"module.model.embed.weight:8x4 " BODY("module.") " " PIECES("module.") " " BIAS("module."),
     "same checkpoint 8/8 with module."},
    {"a.b.model.embed.weight:8x4 " BODY("a.b.model.") " " FUSED("a.b.model.") " " BIAS("a.b.model."),
     "same reference 6/6 with a.b."},
    {EMBED " module.body.0.norm.weight:4 body.0.gate.weight:2x4 " PIECES("") " " BIAS(""),
     "other checkpoint 7/8; missing body.0.norm.weight 4; extra module.body.0.norm.weight 4"},

    /* Old names of norms. */
    {EMBED " body.0.norm.gamma:4 body.0.gate.weight:2x4 " PIECES("") " " BIAS(""), "same checkpoint 8/8 old 1"},

    /* Another model's file, and an empty one. */
    {"wte:8x4", "other none 0/7; missing model.embed.weight 8x4; missing body.0.norm.weight 4; missing "
                "body.0.gate.weight 2x4; missing body.0.experts.0.up.weight 3x4; missing body.0.experts.1.up.weight "
                "3x4; missing body.0.experts.0.down.weight 4x3; missing body.0.experts.1.down.weight 4x3; extra wte "
                "8x4; buffers_left_out body.0.bias 2"},
};

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_store(cases[i].tensors, store_of(cases[i].tensors), cases[i].want);
    CHECK_INT(store_of("")->n_tensor, 0);
}

static void test_index(void)
{
    const char *all = EMBED " " BODY("") " " PIECES("") " " BIAS(""), *few = EMBED " " BODY("model.") " x:1";

    check_store(all, index_of(all), "same checkpoint 8/8 unchecked 8");
    check_store(few, index_of(few),
                "other reference 3/5 unchecked 3; missing model.body.0.experts.up 2x3x4; missing "
                "model.body.0.experts.down 2x4x3; extra x; buffers_left_out model.body.0.bias 2");
}

/* Where an allocation fails, there is an error and nothing is lost. */
static void test_memory(void)
{
    const rk_store *s = store_of("module.model.embed.weight:8x4 x:1 " BODY("module."));
    int code = RK_ENOMEM;

    for (long n = 0; code != RK_OK && CHECK(n < 10000); n++) {
        rk_verify v = {.n = 0};

        rk_heap_fail_after(n);
        code = rk_verify_new(ledger, s, &v, &err);
        rk_heap_fail_after(-1);
        CHECK(code == RK_OK || code == RK_ENOMEM);
        if (code == RK_OK)
            rk_verify_free(&v);
    }
}

/* ---- files with names of their own ------------------------------------------------------------------------------ */

/* A table as a GGUF file's: the metadata has the word by which it is known. */
static void check_sums(const char *tensors, bool equal, long long found, size_t n_shape)
{
    static const char *key[] = {"general.architecture"};
    static rk_doc value[] = {{.kind = RK_DOC_TEXT, .text = "m"}};
    rk_doc metadata = {.kind = RK_DOC_MAP, .n = 1, .key = key, .item = value};
    rk_store s = *store_of(tensors);
    rk_verify v;

    s.metadata = &metadata;
    if (!CHECK_INT(rk_verify_new(ledger, &s, &v, &err), RK_OK))
        return;
    CHECK(v.by_sums);
    CHECK_INT(v.sums.wanted, 32 + 4 + 8 + 24 + 24);
    CHECK_INT(v.sums.tied, 32);
    CHECK_INT(v.sums.buffers, 2);
    CHECK_INT(v.sums.found, found);
    CHECK_INT(v.sums.n_shape, n_shape);
    if (!CHECK(v.equal == equal))
        printf("    for %s\n", tensors);
    rk_verify_free(&v);
}

static void test_sums(void)
{
#define REST "b.0:4 b.1:2x4 b.2:2x3x4 b.3:2x4x3"

    check_sums("e:8x4 " REST, true, 92, 5);
    check_sums("e:8x4 o:8x4 " REST, true, 124, 6);     /* the head too */
    check_sums("e:8x4 c:2 " REST, true, 94, 6);        /* the buffer too */
    check_sums("e:8x4 o:8x4 c:2 " REST, true, 126, 7); /* both */
    check_sums("e:32x1 rope_freqs.weight:3 " REST, true, 92, 4);
    check_sums("e:8x4 o:8x3 " REST, false, 116, 5);
    check_sums("e:8x4", false, 32, 1);
#undef REST
}

/* ---- names in one ----------------------------------------------------------------------------------------------- */

static void check_alike(const char *names, const char *want)
{
    rk_alikes a = {.place = {0}};
    rk_str text = {0};
    size_t i = 0;

    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ')
        rk_alikes_add(&a, i++, rk_arena_copy(&arena, at, strcspn(at, " /")),
                      at[strcspn(at, " /")] == '/' ? "other" : "");
    CHECK_INT(rk_alikes_end(&a, &err), RK_OK);
    for (size_t k = 0; k < a.group.n; k++) {
        const rk_alike *g = &a.group.at[k];

        rk_str_format(&text, "%s%s %zu", k ? "; " : "", g->name, g->n);
        if (g->n_covered != (rk_i128)g->n)
            rk_str_format(&text, " of %d", (int)g->n_covered);
    }
    CHECK_TEXT(rk_str_text(&text), want);
    rk_str_free(&text);
    rk_alikes_free(&a);
}

static void test_alike(void)
{
    check_alike("", "");
    check_alike("a", "a 1");
    check_alike("a.7.b", "a.7.b 1");
    check_alike("a.0.b a.1.b a.10.b a.2.b", "a.{0-2,10}.b 4");
    check_alike("a.0.b.0 a.1.b.0 a.0.b.1 a.1.b.1", "a.{0-1}.b.{0-1} 4");
    check_alike("a.0.b.0 a.1.b.1", "a.{0-1}.b.{0-1} 2 of 4");
    check_alike("a.0.b a.1.c", "a.0.b 1; a.1.c 1");
    check_alike("a.0 a.1/ a.2", "a.{0,2} 2; a.1 1");
    check_alike("a.0 a.2 a.4 a.6 a.8 a.9", "a.{0,2,4,…,8-9} 6");
    check_alike("a.0 a.2 a.4 a.6", "a.{0,2,4,6} 4");
    check_alike("a.00 a.01 a.1x a.1234567890", "a.00 1; a.01 1; a.1x 1; a.1234567890 1");
    check_alike("0 1 2", "{0-2} 3");
    check_alike("1.2.3.4.5.6.7.8.9 1.2.3.4.5.6.7.8.10", "1.2.3.4.5.6.7.8.9 1; 1.2.3.4.5.6.7.8.10 1");
}

int main(void)
{
    if (open_model()) {
        test_cases();
        test_index();
        test_memory();
        test_sums();
    }
    test_alike();
    rk_ledger_free(ledger);
    rk_instance_free(model);
    rk_arena_free(&arena);
    return t_done("verify");
}
