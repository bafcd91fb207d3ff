/* SPDX-License-Identifier: MIT */
/* Inference: bytes of number types, what a decoding step leaves out, what it reads. */
#include "account/memory.h"
#include "plan/open.h"
#include "t.h"

#include "../profiles.h"

/* ---- types ------------------------------------------------------------------------------------------------------ */

static rk_i128 number(rk_pool *pool, rk_ex e)
{
    rk_i128 n = -1;

    CHECK(rk_ex_is_int(pool, e, &n));
    return n;
}

static void check_types(void)
{
    static const struct {
        const char *word;
        int bytes, matrix; /* of 96 numbers of a matrix 3 × 32: alone, and with the scales beside them */
    } row[] = {
        {"fp32", 384, 384}, {"bf16", 192, 192}, {"fp8", 96, 100},   {"int8", 96, 108},
        {"nf4", 48, 56},    {"q8_0", 102, 102}, {"q4_0", 54, 54},   {"q5_1", 72, 72},
        {"mxfp4", 51, 51},  {"q4_1", 60, 60},   {"iq4_nl", 54, 54},
    };
    rk_pool *pool = rk_pool_new();
    rk_ex count = rk_ex_int(pool, 96), rows = rk_ex_int(pool, 3), one = rk_ex_int(pool, 1);

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rk_number n = rk_number_find(row[i].word);

        CHECK_TEXT(rk_number_table[n].word, row[i].word);
        CHECK_INT(number(pool, rk_number_bytes(pool, n, count)), row[i].bytes);
        CHECK_INT(number(pool, rk_number_matrix(pool, n, count, rows, one)), row[i].matrix);
    }
    CHECK_INT(rk_number_find("nothing"), RK_NUMBER_SAME);
    CHECK_INT(rk_number_find(NULL), RK_NUMBER_SAME);
    CHECK_INT(rk_number_block(RK_NUMBER_Q4_K), 256);
    CHECK_INT(rk_number_block(RK_NUMBER_NF4), 1);
    CHECK(rk_number_is_plain(RK_NUMBER_BF16) && !rk_number_is_plain(RK_NUMBER_FP8) &&
          !rk_number_is_plain(RK_NUMBER_NF4));
    rk_pool_free(pool);
}

/* The words of the options are those of the table. */
static void check_words(void)
{
    rk_str all = {0};

    for (int i = 0; i < RK_N_NUMBER; i++)
        rk_str_format(&all, "%s%s", i ? "|" : "", rk_number_table[i].word);
    CHECK_TEXT(rk_str_text(&all), RK_WEIGHT_WORDS);
    rk_str_free(&all);
    rk_str_put(&all, RK_CACHE_WORDS);
    for (char *at = all.text, *end; at && *at; at = end) {
        end = at + strcspn(at, "|");
        end += *end ? (*end = '\0', 1) : 0;
        CHECK(strcmp(at, "same") == 0 || rk_number_find(at) != RK_NUMBER_SAME);
    }
    rk_str_free(&all);
}

/* ---- a step ----------------------------------------------------------------------------------------------------- */

static const char two_kinds[] = "model tiny: \"an encoder, and a decoder with experts that reads it\"\n"
                                "let D = 8 \"width\"\n"
                                "let V = 16 \"vocabulary\"\n"
                                "let E = 4 \"experts\"\n"
                                "let A = 1 \"chosen\"\n"
                                "let W = 5 \"window\"\n"
                                "run B = 1 \"sequences\"\n"
                                "run S = 6 \"source tokens\"\n"
                                "run U = 3 \"tokens\"\n"
                                "let T = U \"keys seen\"\n"
                                "input source[B S]\n"
                                "input ids[B U]\n"
                                "part encoder:\n"
                                "    y = lookup(source, .source.weight[V D])\n"
                                "    y[B S D'] = y[B S D] * .mix.weight[D' D]\n"
                                "part decoder:\n"
                                "    x = lookup(ids, .embed.weight[V D])\n"
                                "    far[B S D'] = y[B S D] * .far.weight[D' D]\n"
                                "    keep far over S\n"
                                "    near[B U D'] = x[B U D] * .near.weight[D' D]\n"
                                "    keep near over U as T within W\n"
                                "    a[B U S] = x[B U D] * far[B S D]\n"
                                "    b[B U T] = x[B U D] * near[B T D] where window(U, T, W)\n"
                                "    x = x + sum(a, S) + sum(b, T)\n"
                                "    logits[B U V] = x[B U D] * .head.weight[V D]\n"
                                "output logits\n";

/* Opens a model of the library, or the text above, as a step of so many sequences. */
static rk_instance *open_model(const char *name, const rk_setting *set, size_t n)
{
    rk_open_request r = {.word = &name, .n_word = name ? 1 : 0, .setting = set, .n_setting = n, .passes.serves = true};
    rk_str mistakes = {0};
    rk_instance *m = NULL;
    rk_err err = {0};

    r.mistakes = &mistakes;
    if (!name)
        r.model = (rk_text){"tiny.rk", two_kinds, sizeof two_kinds - 1};
    if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK))
        printf("    %s\n%s\n", err.message, rk_str_text(&mistakes));
    rk_str_free(&mistakes);
    return m;
}

static bool serve(rk_instance *model, const rk_memory_options *o, rk_memory **m, rk_ledger **l, rk_serving *s)
{
    rk_convention c = {0};
    rk_err err = {0};

    if (CHECK_INT(rk_ledger_new(model, &c, l, &err), RK_OK) && CHECK_INT(rk_memory_new(model, o, m, &err), RK_OK) &&
        CHECK_INT(rk_serving_new(model, *l, &(*m)->carried, &(*m)->storage, s, &err), RK_OK))
        return true;
    printf("    %s\n", err.message);
    return false;
}

static const rk_memory_options plain = {.phase = RK_PHASE_DECODE, .bytes = 4, .profile = PROFILE_TEXTBOOK};

static void check_encoder(void)
{
    static const rk_setting set[] = {{.name = "U", .value = 1}, {.name = "T", .value = 10}};
    rk_instance *model = open_model(NULL, set, 2);
    rk_memory *m = NULL;
    rk_ledger *l = NULL;
    rk_serving s;

    if (model && serve(model, &plain, &m, &l, &s)) {
        CHECK_INT(m->cache, 4 * (6 * 8 + 4 * 8)); /* the source, and the window of 5 less one */
        CHECK_INT(s.cache, 4 * (6 * 8 + 4 * 8));
        CHECK_INT(s.written, 4 * 8);
        /* One row of the table, `near` and the head; no weight of the encoder, and not `far`. */
        CHECK_INT(s.weights, 4 * (8 + 64 + 128));
        CHECK_INT(s.flops, 2 * (64 + 6 * 8 + 5 * 8 + 128)); /* of ten keys the five of the window */
        CHECK_INT(m->parameters, 4 * (128 + 64 + 128 + 64 + 64 + 128));
        CHECK(s.experts == 0 && !s.expected);
    }
    rk_memory_free(m);
    rk_ledger_free(l);
    rk_instance_free(model);
}

/* Experts: one token visits A of E, exactly; two are expected to visit E(1 - (1 - A/E)²). */
static void check_experts(void)
{
    for (rk_i128 b = 1; b <= 2; b++) {
        rk_setting set[] = {{.name = "B", .value = b}, {.name = "S", .value = 1}, {.name = "T", .value = 100}};
        rk_instance *model = open_model("mixtral-8x7b-v0.1", set, 3);
        rk_memory *m = NULL;
        rk_ledger *l = NULL;
        rk_serving s;

        if (model && serve(model, &plain, &m, &l, &s)) {
            CHECK_INT(s.experts, (rk_i128)4 * 32 * 8 * 3 * 4096 * 14336);
            CHECK_INT(s.visited * 16, s.experts * (b == 1 ? 4 : 7)); /* 1/4, and 7/16 */
            CHECK(s.expected == (b == 2));
            CHECK_INT(s.tokens, b);
        }
        rk_memory_free(m);
        rk_ledger_free(l);
        rk_instance_free(model);
    }
}

static void check_blocks(void)
{
    rk_setting set[] = {{.name = "S", .value = 1}, {.name = "T", .value = 64}};
    rk_instance *model = open_model("gpt2", set, 2);
    rk_memory_options o = plain;
    rk_memory *m = NULL;
    rk_err err = {0};

    o.cache = RK_NUMBER_Q8_0;
    o.weights = RK_NUMBER_Q4_0;
    if (model && CHECK_INT(rk_memory_new(model, &o, &m, &err), RK_OK)) {
        CHECK_INT(m->cache, 12 * 2 * 64 * (768 / 32 * 34));
        /* Twelve times twelve squares in blocks; the tables, biases and norms in four bytes. */
        CHECK_INT(m->parameters,
                  (rk_i128)12 * 12 * 768 * 768 / 32 * 18 + 4 * (50257 + 1024) * 768 + 4 * (12 * 13 + 2) * 768);
    }
    rk_memory_free(m);
    m = NULL;
    o.weights = RK_NUMBER_NF4;
    o.phase = RK_PHASE_TRAIN;
    if (model)
        CHECK_INT(rk_memory_new(model, &o, &m, &err), RK_EINPUT);
    CHECK(m == NULL);
    rk_instance_free(model);
}

int main(void)
{
    check_types();
    check_words();
    check_encoder();
    check_experts();
    check_blocks();
    return t_done("serve");
}
