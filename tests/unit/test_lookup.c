/* SPDX-License-Identifier: MIT */
/* Names as people type them: how a word is like a known name, which of several is meant, what is hinted at. */
#include "plan/lookup.h"

#include "../t.h"

#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))

/* ---- two names -------------------------------------------------------------------------------------------------- */

static void test_alike(void)
{
    static const struct {
        const char *word, *known;
        rk_alike like;
    } table[] = {
        {"gpt2-xl", "gpt2-xl", RK_ALIKE_EXACT},
        {"GPT-2-XL", "gpt2-xl", RK_ALIKE_SAME},
        {"gpt2 xl", "gpt2-xl", RK_ALIKE_SAME},
        {"Llama_3_8B", "llama-3-8b", RK_ALIKE_SAME},
        {"llama3-8b", "llama-3-8b", RK_ALIKE_SAME},
        {"meta-llama/Meta-Llama-3-8B", "llama-3-8b", RK_ALIKE_SAME},
        {"NVIDIA A100-SXM4-80GB", "A100 SXM4 80GB", RK_ALIKE_SAME},
        {"", "gpt2", RK_ALIKE_NOT},
        {"-", "gpt2", RK_ALIKE_NOT},
        {"meta", "meta-llama", RK_ALIKE_NOT}, /* of the maker nothing else is said */

        /* numbers: the dot of a generation may be left out, and nothing else */
        {"qwen25-7b", "qwen2.5-7b", RK_ALIKE_SAME},
        {"qwen-2-5-7b", "qwen2.5-7b", RK_ALIKE_SAME},
        {"zephyr-1.6b", "zephyr-1_6b", RK_ALIKE_SAME},
        {"gemma29b", "gemma-2-9b", RK_ALIKE_SAME},
        {"gemma-29b", "gemma-2-9b", RK_ALIKE_NOT},
        {"gemma-2.9b", "gemma-2-9b", RK_ALIKE_NOT},
        {"qwen257b", "qwen2.5-7b", RK_ALIKE_NOT},
        {"opt-13b", "opt-1.3b", RK_ALIKE_NOT},
        {"opt-1.3b", "opt-13b", RK_ALIKE_NOT},
        {"gemma-3-27b", "gemma-2-27b", RK_ALIKE_NOT},
        {"gpt-oss-20b", "gpt-oss-120b", RK_ALIKE_NOT},

        /* words that may be left off, or be too many */
        {"gemma-3-27b", "gemma-3-27b-it", RK_ALIKE_TAILS},
        {"gemma-3-27b-chat", "gemma-3-27b-it", RK_ALIKE_KIND},
        {"llama-2-7b-hf", "llama-2-7b", RK_ALIKE_KIND},
        {"llama-2-7b-chat-hf", "llama-2-7b", RK_ALIKE_TAILS},
        {"mixtral-8x7b", "mixtral-8x7b-v0.1", RK_ALIKE_KIND},
        {"mixtral-8x7b-instruct-v0.1", "mixtral-8x7b-v0.1", RK_ALIKE_TAILS},
        {"mistral-7b-v0.1", "mistral-7b-instruct-v0.2", RK_ALIKE_NOT},
        {"vicuna-7b-v1.5", "vicuna-7b-v1.3", RK_ALIKE_NOT},
        {"olmo-2-7b", "olmo-2-1124-7b", RK_ALIKE_KIND},
        {"olmo-2-0325-7b", "olmo-2-1124-7b", RK_ALIKE_NOT},
        {"qwen3-4b-instruct-2507", "qwen3-4b", RK_ALIKE_TAILS},
        {"deepseek-r1-0528", "deepseek-r1", RK_ALIKE_TAILS},
        {"glm-4-9b-0414", "glm-4-9b-chat", RK_ALIKE_NOT}, /* it may be another */
        {"kimi-k2-instruct-0905", "kimi-k2-instruct", RK_ALIKE_TAILS},

        /* how weights are stored */
        {"llama-3-8b-GGUF", "llama-3-8b", RK_ALIKE_KIND},
        {"llama3:8b-instruct-q4_K_M", "llama-3-8b", RK_ALIKE_TAILS},
        {"unsloth/Qwen3-14B-unsloth-bnb-4bit", "qwen3-14b", RK_ALIKE_KIND},
        {"qwen3-30b-q8_0", "qwen3-30b-a3b", RK_ALIKE_PREFIX},
        {"snowflake-arctic-embed", "snowflake-arctic-embed-m", RK_ALIKE_PREFIX}, /* m is no type without its q */
        {"awq", "awq-7b", RK_ALIKE_PREFIX},                                      /* a name's own word stays */

        /* a size before other words, wide letters */
        {"qwen2.5-7b-coder", "qwen2.5-coder-7b", RK_ALIKE_KIND},
        {"llama3.2-vision:11b", "llama-3.2-11b-vision", RK_ALIKE_KIND},
        {"qwen2.5-7b-coder", "qwen2.5-coder-14b", RK_ALIKE_NOT},
        {"\xef\xbd\x91wen3\xef\xbc\x8d\xef\xbc\x98"
         "b",
         "qwen3-8b", RK_ALIKE_SAME},
        {"qwen3\xe2\x80\x94"
         "8b",
         "qwen3-8b", RK_ALIKE_SAME},
        {"qwen3\xe3\x80\x80"
         "8b",
         "qwen3-8b", RK_ALIKE_SAME},
        {"qwen3-8b\xef\xbc", "qwen3-8b", RK_ALIKE_NOT}, /* half a letter */
        {"deepseek-v3-base", "deepseek-v3", RK_ALIKE_KIND},
        {"whisper", "whisper-base", RK_ALIKE_PREFIX}, /* a size */
        {"NVIDIA H100 80GB HBM3", "h100-80gb", RK_ALIKE_KIND},

        /* beginnings */
        {"mistral-nemo", "mistral-nemo-instruct-2407", RK_ALIKE_TAILS},
        {"llama-3", "llama-3-8b", RK_ALIKE_PREFIX},
        {"llama-3", "llama-3.1-8b", RK_ALIKE_NOT},
        {"gemma-3-27", "gemma-3-27b-it", RK_ALIKE_PREFIX},
        {"gemma-3-27", "gemma-3-270m", RK_ALIKE_NOT},
        {"gemma-3", "gemma-3n-e4b", RK_ALIKE_NOT},
        {"qwen3-30b", "qwen3-30b-a3b", RK_ALIKE_PREFIX},
        {"qwen", "qwen3-8b", RK_ALIKE_BEGINS},
        {"starcoder", "starcoder2-7b", RK_ALIKE_BEGINS},
        {"whisper-large", "whisper-large-v3", RK_ALIKE_BEGINS},
        {"gp", "gpt2-xl", RK_ALIKE_NOT},
        {"some/llama", "llama-3-8b", RK_ALIKE_NOT}, /* of an organisation's, the whole name */
        {"DeepSeek-R1-Distill-Llama-8B", "llama-8b", RK_ALIKE_NOT},
    };

    for (size_t i = 0; i < N_OF(table); i++)
        if (!CHECK_INT(rk_alike_of(table[i].word, table[i].known, strlen(table[i].known)), table[i].like))
            printf("    %s, %s\n", table[i].word, table[i].known);
}

static void test_words(void)
{
    char rest[RK_ALIKE_MAX];
    double size;

    CHECK(rk_alike_size("phi4:14b", rest, &size) && strcmp(rest, "phi4") == 0 && size == 14e9);
    CHECK(rk_alike_size("gpt2-xl-1.5B-q8_0", rest, &size) && strcmp(rest, "gpt2-xl") == 0 && size == 1.5e9);
    CHECK(rk_alike_size("qwen2.5-0.25m-x", rest, &size) && strcmp(rest, "qwen2.5-x") == 0 && size == 0.25e6);
    CHECK(rk_alike_size("gpt2-small", rest, &size) && strcmp(rest, "gpt2") == 0 && size == 0);
    CHECK(!rk_alike_size("gpt2", rest, &size) && !rk_alike_size("", rest, &size) && !rk_alike_size("7b", rest, &size));
    CHECK(rk_alike_is_packed("x/llama-3-8b-AWQ") && !rk_alike_is_packed("llama-3-8b") && !rk_alike_is_packed("gguf"));
    CHECK_INT(rk_alike_words("gemma-3-4b", "gemma-3-27b-it"), strlen("gemma-3"));
    CHECK_INT(rk_alike_words("Gemma 3 4B", "gemma-3-27b-it"), strlen("gemma-3"));
    CHECK_INT(rk_alike_words("llama-3.2-90b", "llama-3-8b"), strlen("llama"));
    CHECK_INT(rk_alike_words("yi-9b", "yi-34b"), 0); /* two letters are no beginning */
    CHECK_INT(rk_alike_words("claude", "gpt2"), 0);
    CHECK(rk_alike_letters("rtx-4090", 8, "RTX 4090", 8));
    CHECK(!rk_alike_letters("rtx-4090", 8, "rtx-4080", 8));
    CHECK(!rk_alike_letters("rtx-4090", 8, "rtx", 3));
}

/* ---- one of many ------------------------------------------------------------------------------------------------ */

static const char *const known[] = {
    "deepseek-r1",
    "deepseek-v3",
    "gemma-2-27b",
    "gemma-3-270m",
    "gemma-3-27b-it",
    "gpt-oss-120b",
    "gpt2",
    "gpt2-xl",
    "llama-3-70b",
    "llama-3-8b",
    "llama-3.1-8b",
    "llama-3.1-8b-instruct",
    "mistral-7b-instruct-v0.2",
    "mistral-7b-instruct-v0.3",
    "opt-125m",
    "opt-6.7b",
    "qwen3-4b",
    "roberta-large",
    "starcoder2-7b",
    "starcoderbase-7b",
    "h100",
    "rtx-4090",
    "b300",
};

static rk_lookup look(const char *word)
{
    rk_lookup l = {.word = word};

    for (size_t i = 0; i < N_OF(known); i++)
        rk_lookup_try(&l, known[i], strlen(known[i]), known[i], &known[i]);
    return l;
}

static void test_lookup(void)
{
    static const struct {
        const char *word, *meant; /* "": none, or one of several */
        size_t n;                 /* candidates */
        const char *near;
    } table[] = {
        {"gpt2", "gpt2", 1, ""},
        {"GPT-2", "gpt2", 1, ""},
        {"gemma-3-27b", "gemma-3-27b-it", 1, ""},
        {"gemma-3", "", 2, ""},
        {"gemma-3-4b", "", 0, ""},
        {"gemma-4-27b", "", 0, ""},
        {"gpt-oss-20b", "", 0, ""},
        {"gpt-oss", "gpt-oss-120b", 1, ""},
        {"deepseek", "", 2, ""},
        {"deepseekv3", "deepseek-v3", 1, ""},
        {"llama-3", "", 2, ""},
        {"llama-3.1-8b-it", "llama-3.1-8b-instruct", 1, ""},
        {"llama-3.1-8b-hf", "llama-3.1-8b", 1, ""},
        {"mistral-7b", "", 2, ""},
        {"mistral-7b-v0.3", "mistral-7b-instruct-v0.3", 1, ""},
        {"mistral-7b-v0.1", "", 0, ""},
        {"starcoder", "", 2, ""},
        {"starcoderb", "starcoderbase-7b", 1, ""},
        {"qwen", "", 1, ""},
        {"lama-3-8b", "", 0, "llama-3-8b"},
        {"lamma-3-9b", "", 0, ""},
        {"opt-67b", "", 0, ""},
        {"opt-125b", "", 0, ""},
        {"gpt2-xxl", "", 0, ""},
        {"gpt2-lx", "", 0, "gpt2-xl"},
        {"roberta-base", "", 0, ""},
        {"roberta-lagre", "", 0, "roberta-large"},
        {"rtz-4090", "", 0, "rtx-4090"},
        {"h300", "", 0, ""},
        {"h1000", "", 0, ""},
        {"", "", 0, ""},
    };

    for (size_t i = 0; i < N_OF(table); i++) {
        rk_lookup l = look(table[i].word);
        const rk_candidate *one = rk_lookup_one(&l);

        CHECK_TEXT(one ? one->name : "", table[i].meant);
        if (!CHECK_INT(l.n, table[i].n))
            printf("    %s\n", table[i].word);
        CHECK_TEXT(l.near.best && !l.n ? l.near.best : "", table[i].near);
    }
}

/* A thing with several names is one candidate. */
static void test_things(void)
{
    rk_lookup l = {.word = "h100"};
    int first = 0, second = 0;

    rk_lookup_try(&l, "h100-sxm", 8, "h100-80gb", &first);
    rk_lookup_try(&l, "h100-80gb", 9, "h100-80gb", &first);
    CHECK_INT(l.n, 1);
    rk_lookup_try(&l, "h100-pcie", 9, "h100-pcie", &second);
    CHECK_INT(l.n, 2);
    rk_lookup_try(&l, "h100,", 4, "h100-80gb", &first); /* so many bytes of a list */
    CHECK_INT(l.n, 1);
    CHECK(rk_lookup_one(&l) && rk_lookup_one(&l)->what == &first);
}

int main(void)
{
    test_alike();
    test_words();
    test_lookup();
    test_things();
    return t_done("lookup");
}
