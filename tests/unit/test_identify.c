/* SPDX-License-Identifier: MIT */
/* The index of a model's quantities: each is found by its value, numbers are read as people write them, words bind. */
#include "audit/given.h"
#include "lexicon.h"
#include "t.h"

#include <stdlib.h>

typedef struct opened {
    rk_instance *model;
    rk_index *index;
} opened;

static bool open_index(const char *name, bool steps, opened *out)
{
    const char *word[] = {name};
    rk_open_request r = {.word = word, .n_word = 1};
    rk_index_source source = {.lexicon = t_lexicon(), .reopen = &r, .steps = steps};
    rk_err err = {0};

    *out = (opened){0};
    if (!CHECK_INT(rk_open(&r, &out->model, &err), RK_OK)) {
        printf("    %s: %s\n", name, err.message);
        return false;
    }
    source.instance = out->model;
    if (!CHECK_INT(rk_index_new(&source, &out->index, &err), RK_OK))
        printf("    %s: %s\n", name, err.message);
    return out->index != NULL;
}

static void leave(opened *o)
{
    rk_index_free(o->index);
    rk_instance_free(o->model);
}

/* ---- properties of every entry ----------------------------------------------------------------------------------- */

/* The printed formula of a match, read again and evaluated, is its value. */
static bool formula_holds(const rk_index *x, const rk_match *m)
{
    const rk_instance *model;
    rk_ex e = rk_match_formula(x, m, &model), again = RK_EX_FAILED;
    rk_binding at = model->at;
    rk_i128 num = 0, den = 1, slip_num = 1, slip_den = 1;
    rk_str text = {0};
    rk_acc acc = {0};
    bool holds;

    rk_ex_print(model->pool, rk_ex_simplify(model->pool, e), 0, &text);
    holds = rk_ex_parse(model->pool, rk_str_text(&text), &again, NULL) == RK_OK &&
            rk_ex_eval_ratio(model->pool, again, &at, &num, &den, NULL) == RK_OK;
    if (m->ratio->times) {
        const rk_instance *own = rk_index_instance(x);
        rk_binding here = own->at;

        holds = holds && rk_ex_eval_ratio(own->pool, m->ratio->slip, &here, &slip_num, &slip_den, NULL) == RK_OK;
    }
    num = rk_mul(&acc, num, slip_num);
    den = rk_mul(&acc, den, slip_den);
    if (m->entry->kind == RK_INDEX_SHARE)
        num = rk_mul(&acc, num, RK_INDEX_SHARE_UNIT);
    holds = holds && !acc.overflow && num / den == m->value && (m->entry->kind == RK_INDEX_SHARE || num % den == 0);
    if (!holds)
        printf("    %s\n", rk_str_text(&text));
    rk_str_free(&text);
    return holds;
}

static bool same_subject(const rk_index_entry *a, const rk_index_entry *b)
{
    return strcmp(a->path, b->path) == 0 && a->kind == b->kind &&
           (a->with == b->with || (a->with && b->with && strcmp(a->with, b->with) == 0)) &&
           (a->convention == b->convention ||
            (a->convention && b->convention && strcmp(a->convention, b->convention) == 0));
}

/* An entry is among the matches of its own value, or something simpler of the same thing is. */
static bool is_found(const rk_index *x, const rk_index_entry *e)
{
    rk_index_query q = {.low = e->value, .high = e->value, .den = 1, .kinds = 1u << e->kind, .cost_max = 100};
    rk_arena arena = {0};
    rk_matches found = {0};
    bool is = false, good = true;
    rk_err err = {0};

    CHECK_INT(rk_index_find(x, &arena, &q, &found, &err), RK_OK);
    rk_matches_rank(&found);
    for (size_t i = 0; i < found.at.n; i++) {
        const rk_match *m = &found.at.at[i];

        is |= same_subject(m->entry, e) && m->cost <= e->cost && m->value == e->value;
        good &= i == 0 || found.at.at[i - 1].cost <= m->cost;
        if (i < 3)
            good &= formula_holds(x, m);
    }
    rk_arena_free(&arena);
    return is && good;
}

static void check_entries(const char *name)
{
    const rk_index_entry *e;
    size_t n = 0, wrong = 0;
    rk_str text = {0};
    opened o;

    if (!open_index(name, true, &o)) {
        leave(&o);
        return;
    }
    e = rk_index_entries(o.index, &n);
    CHECK(n > 300);
    for (size_t i = 0; i < n; i++) {
        CHECK(i == 0 || e[i - 1].value <= e[i].value);
        if (is_found(o.index, &e[i]) || wrong++ > 3)
            continue;
        rk_str_reset(&text);
        rk_index_put(&e[i], &text);
        printf("    %s: %s\n", name, rk_str_text(&text));
    }
    CHECK_INT(wrong, 0);
    rk_str_free(&text);
    leave(&o);
}

/* ---- known figures ----------------------------------------------------------------------------------------------- */

typedef struct known {
    const char *number;
    size_t among; /* it is one of the first so many */
    const char *times, *text;
} known;

static bool is_known(const rk_match *m, const known *k)
{
    const char *times = m->ratio->times ? m->ratio->times : "";
    rk_str text = {0};
    bool is;

    rk_match_put(m, &text);
    is = strcmp(times, k->times) == 0 && strcmp(rk_str_text(&text), k->text) == 0;
    rk_str_free(&text);
    return is;
}

static void check_known(const opened *o, const known *k)
{
    rk_arena arena = {0};
    rk_matches found = {0};
    bool rounded, is = false;
    rk_given given;
    rk_err err = {0};

    if (!CHECK_INT(rk_given_read(t_lexicon(), k->number, &given, &err), RK_OK) ||
        !CHECK_INT(rk_given_find(&given, o->index, &arena, &found, &rounded, &err), RK_OK))
        printf("    %s: %s\n", k->number, err.message);
    for (size_t i = 0; i < found.at.n && i < k->among; i++)
        is |= is_known(&found.at.at[i], k);
    if (!CHECK(is))
        printf("    %s: not %s %s, of %zu\n", k->number, k->times, k->text, found.n_all);
    rk_arena_free(&arena);
}

static void check_figures(const char *name, const known *k, size_t n)
{
    opened o;

    if (open_index(name, true, &o))
        for (size_t i = 0; i < n; i++)
            check_known(&o, &k[i]);
    leave(&o);
}

/* Figures of hand-worked accounts: right ones, and ones that are wrong by something simple. */
static void test_figures(void)
{
    static const known gpt2_xl[] = {
        {"6710886400", 1, "twice", "layers.attention.scores, forward FLOPs, one of 48 layers"},
        {"6,710,886,400", 3, "", "layers.attention (scores + context), forward FLOPs, one of 48 layers"},
        {"3.5e12", 1, "", "the whole model, forward FLOPs"},
        {"3.51 TFLOPs", 1, "", "the whole model, forward FLOPs"},
        {"134217728", 2, "", "layers.attention.context, forward FLOPs, one of 48 layers, per head"},
        {"65536", 4, "S (1,024) times", "H, head width"},
        {"40,960,000", 1, "", "layers.ffn, forward FLOPs, one of 48 layers, per token"},
        {"41943040000", 1, "", "layers.ffn, forward FLOPs, one of 48 layers"},
        {"5,120,000", 2, "", "layers.attention.output, forward FLOPs, one of 48 layers, per token"},
        {"1.56B", 1, "", "the whole model, parameters"},
        {"1638022400", 1, "", "the whole model, parameters, tied ones under each of their names"},
        {"3342021427200", 1, "", "layers, forward FLOPs, all 48 layers"},
        {"1600", 1, "", "D, width"},
        {"10520110694400", 1, "", "the whole model, FLOPs of a step"},
        {"6.23 GB", 1, "", "the whole model, parameters, 4 bytes each (fp32)"},
        {"1557600000", 1, "", "the whole model, parameters"},
    };
    static const known cs336_xl[] = {
        {"27,682,406,400", 1, "", "layers.attention, forward FLOPs, one of 48 layers"},
        {"27.7 GFLOPs", 1, "", "layers.attention, forward FLOPs, one of 48 layers"},
        {"160,822,400 parameters", 2, "twice", "token_embeddings.weight, parameters"},
        {"2,127,057,600", 1, "", "the whole model, parameters"},
        {"7.92 GiB", 1, "", "the whole model, parameters, 4 bytes each (fp32)"},
        {"7.92 GB", 1, "", "the whole model, parameters, 4 bytes each (fp32)"},
        {"4.51T", 1, "", "the whole model, forward FLOPs"},
        {"90596966400", 1, "", "layers, forward FLOPs, one of 48 layers"},
        {"69.4%", 1, "", "layers.ffn, share of the forward FLOPs of layers"},
        {"0.0714", 1, "", "layers.attention (scores + context), share of the forward FLOPs of the whole model"},
        {"4348654387200", 2, "", "the whole model without head.logits, forward FLOPs"},
    };
    static const known plain[] = {
        {"26168601600", 1, "", "the whole model, parameters, 16 bytes each (weights, gradients, AdamW)"},
        {"15837638656", 1, "", "the whole model, bytes saved for the backward pass, by the book in fp32"},
    };
    static const known tied[] = {
        {"1555124800", 2, "", "the whole model without ln_final.weight, parameters"},
    };
    static const known llama[] = {
        {"128 KiB", 1, "", "the whole model, numbers of the cache of one token, 2 bytes each (bf16, fp16)"},
        {"8.03 billion", 1, "", "the whole model, parameters"},
    };

    check_figures("gpt2-xl", gpt2_xl, sizeof gpt2_xl / sizeof *gpt2_xl);
    check_figures("cs336-xl", cs336_xl, sizeof cs336_xl / sizeof *cs336_xl);
    check_figures("cs336-xl-plain", plain, sizeof plain / sizeof *plain);
    check_figures("cs336-xl-plain-tied", tied, sizeof tied / sizeof *tied);
    check_figures("llama-3.1-8b", llama, sizeof llama / sizeof *llama);
}

/* ---- reading numbers --------------------------------------------------------------------------------------------- */

static void check_read(const char *text, bool exact, rk_i128 low, rk_i128 high, rk_i128 den, unsigned kinds)
{
    rk_given g = {0};
    rk_err err = {0};

    if (!CHECK_INT(rk_given_read(t_lexicon(), text, &g, &err), RK_OK))
        printf("    %s: %s\n", text, err.message);
    CHECK(g.exact == exact);
    CHECK_INT(g.plain.low * den, low * g.plain.den);
    CHECK_INT(g.plain.high * den, high * g.plain.den);
    if (!CHECK_INT(g.plain.kinds, kinds))
        printf("    %s\n", text);
}

static void check_refused(const char *text)
{
    rk_given g = {0};
    rk_err err = {0};

    if (!CHECK_INT(rk_given_read(t_lexicon(), text, &g, &err), RK_EINPUT))
        printf("    '%.40s'\n", text);
    CHECK(err.message[0] != '\0' && strlen(err.message) < 300);
}

static void test_reading(void)
{
    static char digits[100001];

    check_read("6710886400", true, 6710886400, 6710886400, 1, RK_INDEX_ANY);
    check_read("6,710,886,400", true, 6710886400, 6710886400, 1, RK_INDEX_ANY);
    check_read("2*1024^2*64", true, 134217728, 134217728, 1, RK_INDEX_ANY);
    check_read("3.5e12", false, 3450000000000, 3550000000000, 1, RK_INDEX_ANY);
    check_read("3.50e12", false, 3495000000000, 3505000000000, 1, RK_INDEX_ANY);
    check_read("2.706 x 10^11", false, 270550000000, 270650000000, 1, RK_INDEX_ANY);
    check_read("1.56B", false, 1555000000, 1565000000, 1, RK_INDEX_ANY);
    check_read("1.56 billion parameters", false, 1555000000, 1565000000, 1, RK_INDEX_IS(PARAMS));
    check_read("4.51 TFLOPs", false, 4505000000000, 4515000000000, 1, RK_INDEX_OPERATIONS);
    check_read("3.5e12FLOPs", false, 3450000000000, 3550000000000, 1, RK_INDEX_OPERATIONS);
    check_read("1E+9", false, 500000000, 1500000000, 1, RK_INDEX_ANY);
    check_read("7.92GiB", false, (rk_i128)7915 << 30, (rk_i128)7925 << 30, 1000, RK_INDEX_IS(BYTES));
    check_read("8.5 GB", false, 8450000000, 8550000000, 1, RK_INDEX_IS(BYTES));
    check_read("12345 bytes", true, 12345, 12345, 1, RK_INDEX_IS(BYTES));
    check_read("69.4%", false, 693500000000, 694500000000, 1, RK_INDEX_IS(SHARE));
    check_read("0.694", false, 693500000000, 694500000000, 1, RK_INDEX_IS(SHARE));
    check_refused("");
    check_refused("words");
    check_refused("-5");
    check_refused("0");
    check_refused("0.00");
    check_refused("0x10");
    check_refused("1e");
    check_refused("1e38GB");
    check_refused(".");
    check_refused(",");
    check_refused("NaN");
    check_refused("inf");
    check_refused("1e39");
    check_refused("1e-50");
    check_refused("1e999999999999");
    check_refused("9^9^9^9");
    check_refused("1/0");
    check_refused("3.5 apples");
    check_refused("5 GB FLOPs");
    check_refused("\xff\xfe");
    memset(digits, '9', sizeof digits - 1);
    check_refused(digits);
    digits[1000] = '\0';
    check_refused(digits);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static void check_words(const opened *o, const char *words, unsigned kinds, const char *want)
{
    rk_arena arena = {0};
    rk_wordeds found = {0};
    rk_str text = {0};
    rk_err err = {0};

    CHECK_INT(rk_index_words(o->index, &arena, words, kinds, &found, &err), RK_OK);
    if (found.at.n > 0)
        rk_index_put(found.at.at[0].entry, &text);
    if (!CHECK_TEXT(rk_str_text(&text), want))
        printf("    %s\n", words);
    rk_str_free(&text);
    rk_arena_free(&arena);
}

static void test_words(void)
{
    unsigned flops = RK_INDEX_IS(FLOPS), params = RK_INDEX_IS(PARAMS);
    opened o;

    if (open_index("llama-3.1-8b", false, &o)) {
        check_words(&o, "Query projection, per block", flops, "layers.attention.q, forward FLOPs, one of 32 layers");
        check_words(&o, "attention scores (all layers)", flops,
                    "layers.attention.scores, forward FLOPs, all 32 layers");
        check_words(&o, "feed-forward, per layer", flops, "layers.ffn, forward FLOPs, one of 32 layers");
        check_words(&o, "the LM head", flops, "head.logits, forward FLOPs");
        check_words(&o, "total backward", flops, "the whole model, backward FLOPs");
        check_words(&o, "model.layers.0.self_attn.q_proj.weight", params,
                    "model.layers.{i}.self_attn.q_proj.weight, parameters, all 32 layers");
        check_words(&o, "token embedding", params, "model.embed_tokens.weight, parameters");
        check_words(&o, "final norm", params, "model.norm.weight, parameters");
        check_words(&o, "down projection of the MLP, each block", params,
                    "model.layers.{i}.mlp.down_proj.weight, parameters, one of 32 layers");
        check_words(&o, "zebra", flops, "");
        check_words(&o, "", flops, "");
    }
    leave(&o);
}

/* ---- no memory --------------------------------------------------------------------------------------------------- */

/* Each of the first allocations fails in turn: an error, nothing lost, and the next time it works again. */
static void test_memory(void)
{
    const char *word[] = {"gpt2"};
    rk_open_request r = {.word = word, .n_word = 1};
    rk_index_source source = {.lexicon = t_lexicon(), .reopen = &r};
    rk_index *index = NULL;
    rk_err err = {0};

    for (long n = 0, code = RK_ENOMEM; n < 400 && code != RK_OK; n += 1 + n / 16) {
        rk_instance *m = NULL;

        if (!CHECK_INT(rk_open(&r, &m, &err), RK_OK))
            return;
        source.instance = m;
        rk_heap_fail_after(n);
        code = rk_index_new(&source, &index, &err);
        rk_heap_fail_after(-1);
        CHECK(code == RK_OK || code == RK_ENOMEM);
        rk_index_free(index);
        rk_instance_free(m);
        index = NULL;
    }
}

int main(void)
{
    static const char *const name[] = {"gpt2-xl",      "cs336-xl",     "llama-3.1-8b", "deepseek-v3",
                                       "gpt-oss-120b", "whisper-base", "t5-large",     "vit-large-patch32-224",
                                       "gemma-3-270m"};

    test_reading();
    test_figures();
    test_words();
    test_memory();
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        check_entries(name[i]);
    return t_done("identify");
}
