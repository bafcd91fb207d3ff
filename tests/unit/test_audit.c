/* SPDX-License-Identifier: MIT */
/*
 * Written accounts: those of tests/audit, each beside a file that says which claims it makes and what holds of them;
 * single equations; texts that mean harm.
 */
#include "../lexicon.h"
#include "../t.h"

#include "audit/audit.h"
#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>

static const char *const status_word[] = RK_CLAIM_STATUS_WORDS;

/* ---- precision and recall --------------------------------------------------------------------------------------- */

typedef struct score {
    size_t n_claim;           /* that the accounts make */
    size_t n_read;            /* of them, judged as they should be */
    size_t n_wrong, n_caught; /* mistakes, and those that were called wrong */
    size_t n_alarm;           /* what was called wrong and is not */
} score;

/* The status that line `number` of a .want file has next, or NULL; "12 right". */
static const char *next_want(char **at, size_t line)
{
    char *p = *at;
    static char word[16];
    size_t n;

    while (*p == '#')
        p += strcspn(p, "\n") + 1;
    if (*p == '\0' || sscanf(p, "%zu %15s", &n, word) != 2 || n != line)
        return NULL;
    *at = p + strcspn(p, "\n") + (strchr(p, '\n') != NULL);
    return word;
}

/* Claims that the account makes on lines before this one, and that were not found. */
static void miss(score *s, const char *name, char **want, size_t line)
{
    size_t n;
    char word[16];

    for (;;) {
        while (**want == '#')
            *want += strcspn(*want, "\n") + 1;
        if (**want == '\0' || sscanf(*want, "%zu %15s", &n, word) != 2 || n >= line)
            return;
        s->n_claim++;
        s->n_wrong += strcmp(word, "wrong") == 0;
        printf("%s:%zu: a claim that is %s was not found\n", name, n, word);
        *want += strcspn(*want, "\n") + (strchr(*want, '\n') != NULL);
    }
}

static void compare(score *s, const char *name, const rk_audit *a, char *want)
{
    for (size_t i = 0; i < a->claim.n; i++) {
        const rk_claim *c = &a->claim.at[i];
        const char *should, *is = status_word[c->status];

        miss(s, name, &want, c->line);
        should = next_want(&want, c->line);
        s->n_claim += should != NULL;
        s->n_read += should && strcmp(should, is) == 0;
        s->n_wrong += should && strcmp(should, "wrong") == 0;
        if (c->status == RK_CLAIM_WRONG) {
            s->n_caught += should && strcmp(should, "wrong") == 0;
            s->n_alarm += !should || strcmp(should, "wrong") != 0;
        }
        if (!should || strcmp(should, is) != 0)
            printf("%s:%zu: %s, but it is %s: %s\n", name, c->line, is, should ? should : "no claim", c->text);
    }
    miss(s, name, &want, SIZE_MAX);
}

static void score_file(score *s, const char *folder, const char *want_name)
{
    rk_arena arena = {0};
    rk_err err = {0};
    char *text, *want, path[512];
    size_t n, n_want;
    rk_audit *a = NULL;

    snprintf(path, sizeof path, "%s/%s", folder, want_name);
    if (!CHECK(rk_file_read(&arena, path, 1 << 20, &want, &n_want, &err) == RK_OK))
        return;
    path[strlen(path) - strlen(".want")] = '\0';
    if (CHECK(rk_file_read(&arena, path, 1 << 20, &text, &n, &err) == RK_OK) &&
        CHECK(rk_audit_new(t_lexicon(), text, n, &a, &err) == RK_OK))
        compare(s, path, a, want);
    rk_audit_free(a);
    rk_arena_free(&arena);
}

static bool is_want(const char *name)
{
    size_t n = strlen(name);

    return n > 5 && strcmp(name + n - 5, ".want") == 0;
}

static score score_folder(const char *folder)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, NULL, alphasort);
    score s = {0};

    for (int i = 0; i < n; i++) {
        if (is_want(entry[i]->d_name))
            score_file(&s, folder, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return s;
}

/* The figures of docs/audit.md: what falls below them has become worse. */
static void check_accounts(void)
{
    score s = score_folder("tests/audit");

    printf("accounts: %zu of %zu claims judged as they should be; %zu of %zu mistakes found, %zu false alarms\n",
           s.n_read, s.n_claim, s.n_caught, s.n_wrong, s.n_alarm);
    CHECK(s.n_claim >= 200);
    CHECK(s.n_alarm == 0);
    CHECK(s.n_caught == s.n_wrong);
    CHECK(s.n_read * 1000 >= s.n_claim * 995);
}

/* ---- one equation at a time ------------------------------------------------------------------------------------- */

/* The statuses of all claims, in order: "right wrong"; with a value that holds after a wrong one. */
static const char *judge(const char *line)
{
    static char out[512], text[4096];
    rk_audit *a = NULL;
    rk_err err = {0};

    out[0] = '\0';
    snprintf(text, sizeof text, "%s\n", line);
    if (rk_audit_new(t_lexicon(), text, strlen(text), &a, &err) != RK_OK)
        return "failed";
    for (size_t i = 0; i < a->claim.n; i++) {
        const rk_claim *c = &a->claim.at[i];
        size_t n = strlen(out);

        snprintf(out + n, sizeof out - n, "%s%s%s%s", i ? ", " : "", status_word[c->status],
                 c->status == RK_CLAIM_WRONG ? ": " : "", c->status == RK_CLAIM_WRONG && c->found ? c->found : "");
    }
    rk_audit_free(a);
    return out;
}

static void check_numbers(void)
{
    CHECK_TEXT(judge("2 + 3 = 5"), "right");
    CHECK_TEXT(judge("2 × 1,024 × 1,600² = 5,242,880,000"), "right");
    CHECK_TEXT(judge("4 * 1,555,124,800 = 3,110,249,600"), "wrong: 6,220,499,200");
    CHECK_TEXT(judge("7.9239 ≈ 7.92"), "right");
    CHECK_TEXT(judge("25 / 36 ≈ 70 %"), "right");
    CHECK_TEXT(judge("(50%) = 0.5 × 19.5 × 10^{12}"), "doubtful");
    CHECK_TEXT(judge("T^2 / 2T = T / 2"), "right");
    CHECK_TEXT(judge("T^2 / 2T = T / 3"), "doubtful");
    CHECK_TEXT(judge("4d^2 + 8d^2 = 12d^2"), "right");
    CHECK_TEXT(judge("4d^2 + 8d^2 = 14d^2\n"), "wrong: 12d²");
    CHECK_TEXT(judge("4d^2 + 8d = 14d^2\n"), "doubtful");
    CHECK_TEXT(judge("149,522,795,724,800 ≈ 1.50 × 10^14\n"), "right");
    CHECK_TEXT(judge("147,522,795,724,800 ≈ 1.50 × 10^14\n"), "wrong: 147,522,795,724,800 (1.4752 × 10^14)");
    CHECK_TEXT(judge("147,522,795,724,800 ≈ 150 × 10^12\n"), "right");
    CHECK_TEXT(judge("442.375 M = 0.424 B\n"), "wrong: 442,375,000 (0.44238 B)");
    CHECK_TEXT(judge("30B = 32.5B\n"), "doubtful");
    CHECK_TEXT(judge("Attention: 8.4B params (60 layers × 70M params/layer)\n"), "wrong: 4,200,000,000 (4.2 B)");
    CHECK_TEXT(judge("Attention: 4.2B params (60 layers × 70M params/layer)\n"), "right");
    CHECK_TEXT(judge("KV cache ≈ 20 GB (4096 tokens × 2.5 MB/token)\n"), "wrong: 10,240,000,000 (10.24 GB)");
    CHECK_TEXT(judge("123 + 456 = 975\n"), "doubtful");
    CHECK_TEXT(judge("123 + 456 = 597\n"), "wrong: 579");
    CHECK_TEXT(judge("(Attention: 4d² + FFN: 8d² = 12d² per layer)\n"), "right");
    CHECK_TEXT(judge("min(-0.5, -0.8) = -0.8, max(-2, -3) = -2\n"), "right, right");
    CHECK_TEXT(judge("7B × 0.5B = 3.5 GB, 2B × 500B = 1 TB\n"), "right, right");
    CHECK_TEXT(judge("- 4 + floor(3 * log(48)) = 15\n"), "");
    CHECK_TEXT(judge("sqrt(128) = 11.31, $\\sqrt{\\frac{10^{24}}{120}} \\approx 9.1 \\times 10^{10}$\n"),
               "right, right");
    CHECK_TEXT(judge("$\\sqrt{\\frac{10^{24}}{120}} = 9.4 \\times 10^{10}$\n"), "wrong: 9.129 × 10^{10}");
    CHECK_TEXT(judge("1min=90 days, 1hr=5 years\n"), "doubtful, doubtful");
    CHECK_TEXT(judge("128 × 10K = 327 M tokens\n"), "doubtful");
    CHECK_TEXT(judge("$D^* \\approx 20 \\times 9.1 \\times 10^{10} = 1.82 \\times 10^{12}$\n"), "right");
    CHECK_TEXT(judge("The cache takes 342 GB (80 × 64 × 128 × 128K × 2 × 2 bytes)\n"), "right");
    CHECK_TEXT(judge("6.3×10²⁴ ÷ 4.59×10¹⁴ = 4.35 million seconds\n"), "wrong: 13,725.4902 million seconds");
    CHECK_TEXT(judge("1979 × 10000 = 19.79 EFLOPS\n"), "doubtful");
    CHECK_TEXT(judge("312e12 × 2 / 600e9 ≈ 1024\n"), "slip");
    CHECK_TEXT(judge("- Small: 39.8% → XL: 57.4% (+17.6 percentage points)\n"), "right");
    CHECK_TEXT(judge("- Small: 39.8% → XL: 57.4% (+19.6 percentage points)\n"), "wrong: 17.6");
    CHECK_TEXT(judge("Memory drops from 14 GB to 3.5 GB (75% reduction).\n"), "right");
    CHECK_TEXT(judge("Memory drops from 14 GB to 3.5 GB (4x smaller).\n"), "right");
    CHECK_TEXT(judge("Memory drops from 14 GB to 3.5 GB (85% reduction).\n"), "wrong: 75 %");
    CHECK_TEXT(judge("Memory drops from 14 GB to 3.5 GB (20% reduction of the price).\n"), "");
    CHECK_TEXT(judge("Memory is 14 GB, and 3.5 GB are for others (85% reduction).\n"), "");
    CHECK_TEXT(judge("- Per layer: 4096 × 4096 × 2 → 16.8 MB\n"), "wrong: 33,554,432 (33.554 MB)");
    CHECK_TEXT(judge("- Per layer: 4096 × 4096 → 1024\n"), "");
    CHECK_TEXT(
        judge("| | Weights | Adam | Gradients | Total |\n|-|-|-|-|-|\n| FP32 | 28 GB | 56 GB | 28 GB | 122 GB |\n"
              "| Mixed | 14 GB | 56 GB | 14 GB | 84 GB |\n"),
        "wrong: 112,000,000,000 (112 GB), right");
    CHECK_TEXT(judge("x = 80\n\n100 + x = 200\n"), "doubtful");
    CHECK_TEXT(judge("2 * 1 * 1024 * 32B = 64TFLOPs\n"), "doubtful");
    CHECK_TEXT(judge("2 * 1 * 1024 * 32B = 61TFLOPs\n"), "wrong: 65,536,000,000,000 (65.54 TFLOPs)");
    CHECK_TEXT(judge("It takes 1752 days to train. That's 6 and a half years.\n"), "wrong: 151,372,800 (4.8 years)");
    CHECK_TEXT(judge("It takes 1752 days to train. That's 2 years less than before.\n"), "");
    CHECK_TEXT(judge("LLaMA 3-70B:\n\n| dtype | size |\n|-|-|\n| bf16 | 140GB |\n| int8 | 70GB |\n| int4 | 45GB |\n"),
               "right, right, wrong: 35,000,000,000 (35 GB)");
    CHECK_TEXT(judge("8 experts × 7B × FP16 ≈ 56GB + 7GB = 63GB\n"), "wrong: 112,000,000,000 (112 GB), right");
    CHECK_TEXT(judge("On each GPU: 64 × 2.6 GB ≈ 21 GB\n"), "doubtful");
    CHECK_TEXT(judge("2 × 512 × 512 × 64 = 67 MFLOPs\n"), "wrong: 33,554,432 (33.55 MFLOPs)");
    CHECK_TEXT(judge("512 × 512 × 64 = 33.6 MFLOPs\n"), "doubtful");
    CHECK_TEXT(judge("7.877GB/s = 984.6MB/s\n"), "wrong: 7,877,000,000 (7,877.0 MB/s)");
    CHECK_TEXT(
        judge("$5120 \\times 2 \\frac{\\text{flop}}{\\text{cycle}} \\times 1.53 \\frac{\\text{Gcycle}}{\\text{s}} "
              "\\approx 15.7 \\frac{\\text{Tflop}}{\\text{s}}$\n"),
        "doubtful");
    CHECK_TEXT(judge("256x5x5x3 x (8x8 locations) = 1.228.800\n"), "right");
    CHECK_TEXT(judge("0-(0.1*-2)=0.2\n"), "right");
    CHECK_TEXT(judge("shape: (3 × 2) = 3 samples, 2 features each\n"), "doubtful");
    CHECK_TEXT(judge("4096×8 × 8×4096 = 65K params\n"), "doubtful");
    CHECK_TEXT(judge("They are large (8x7B = 46.7B in Mixtral)\n"), "doubtful");
    CHECK_TEXT(judge("2\n0 + 0.75 + 0 = 0.5625\n"), "doubtful");
    CHECK_TEXT(judge("184,320 / 8 * 30 = 690,000\n"), "slip");
    CHECK_TEXT(judge("| power | bytes | what |\n|-|-|-|\n| 2⁵⁰ | 1 PB | all |\n| 2⁶⁰ | 1 EB | all of it |\n"),
               "right, right");
    CHECK_TEXT(judge("| data | both |\n|-|-|\n| 1K | 55.0 / 55.0 |\n| 1K | 87.4 / 87.4 |\n| 2.7M | 98.9 / 98.9 |\n"),
               "");
    CHECK_TEXT(judge("`12*14336**2 + 13*14336` => `2_466_437_120` params\n"), "right");
    CHECK_TEXT(judge("1MB / 50 GB/s ≈ 0.02 ms + α ≈ 0.03 ms\n"), "right, unknown");
    CHECK_TEXT(judge("```\ntotal: 3,516,769,894,400\nblocks: 3,352,087,756,800\n|- attention: 1,328,755,507,200\n"
                     "|- FFN: 2,023,332,249,600\nhead: 164,682,137,600\n```\n"),
               "right, right, right, right");
    CHECK_TEXT(judge("A cluster of 8.4B (60 × 4 of them)\n"), "");
    CHECK_TEXT(judge("4 × d = 6,400"), "unknown");
    CHECK_TEXT(judge("512 × 4 × 5120^2 × 2 / 312e12 = 344"), "doubtful");
    CHECK_TEXT(judge("349,630,365,696 = 3.497 × 10^11"), "slip");
    CHECK_TEXT(judge("349,630,365,696 = 3.498 × 10^11"), "wrong: 349,630,365,696 (3.4963 × 10^11)");
    CHECK_TEXT(judge("27,682,406,400 FLOPs ≈ 27.6 GFLOPs"), "slip");
    CHECK_TEXT(judge("27,682,406,400 FLOPs ≈ 27.5 GFLOPs"), "wrong: 27,682,406,400 (27.682 GFLOPs)");
    CHECK_TEXT(judge("8,508,230,400 bytes = 8.51 GB = 7.92 GiB"), "right, right");
    CHECK_TEXT(judge("8,508,230,400 bytes = 7.92 GB"), "right");
    CHECK_TEXT(judge("a = b = c"), "");
    CHECK_TEXT(judge("1 = 2"), "");
}

static void check_symbols(void)
{
    CHECK_TEXT(judge("$16 \\cdot 12Ld^2 = 192Ld^2$"), "right");
    CHECK_TEXT(judge("$16 \\cdot 12Ld^2 = 190Ld^2$"), "wrong: 192Ld²");
    CHECK_TEXT(judge("$T = 1024$, $D = 1600$, $V = 50257$: $2TDV = 164{,}682{,}137{,}600$"), "right");
    CHECK_TEXT(judge("$2TDV = 164{,}682{,}137{,}600$"), "unknown");
    CHECK_TEXT(judge("D = 768 or D = 1024: 2D = 1536, 3D = 5"), "right, unknown");
    CHECK_TEXT(judge("# a\nD = 768\n# b\nD = 1024 and 2 * D = 2048\n# c\n3 * D = 5"), "right, unknown");
    CHECK_TEXT(judge("d_k = D / H and D = 1600, H = 25, so 2 * d_k = 128, 2 * d_k = 64"), "right, doubtful");
    CHECK_TEXT(judge("x = x + 1"), "");
    CHECK_TEXT(judge("512 x 512 x 2 flops = 524,288 x T"), "right");
    CHECK_TEXT(judge("1536 x 2 flops = 6144 x T"), "wrong: 3072T");
}

/* Factors between blanks; brackets that are not understood. */
static void check_blanks(void)
{
    CHECK_TEXT(judge("N = 12 n_layer d_model^2, n_layer = 2, d_model = 10. Then 6N = 14400"), "right");
    CHECK_TEXT(judge("N = 12 n_layer d_model^2, n_layer = 2, d_model = 10. Then 6N = 7200"), "doubtful");
    CHECK_TEXT(judge("6 * N * 20N = 120 N^2, 6 * N * 20N = 100 N^2"), "right, wrong: 120N²");
    CHECK_TEXT(judge("N = 5 and D = 7, C = 6 N D = 210"), "right");
    CHECK_TEXT(judge("n_layer = 96 d_model = 12288"), "");
    CHECK_TEXT(judge("n_layer = 2, d_model = 10, d_ff = 4 d_model. n_layer 2 d_model d_ff = 1600"), "");
    CHECK_TEXT(judge("n_layer = 2, d_model = 10, d_ff = 4 d_model. 2 d_model d_ff = 800"), "right");
    CHECK_TEXT(judge("a_b = 3, c_d = 4. (a_b + c_d) c_d = 28, (1) a_b = 3, (2) c_d = 4"), "right");
    CHECK_TEXT(judge("16 = 2 (weights) + 2 (grads) + 4 (master) + 4 (m) + 4 (v)"), "");
    CHECK_TEXT(judge("4 × 4 bytes × 124.4M ≈ 1.5 GB"), "wrong: 1,990,400,000 (1.99 GB)");
}

static void check_sums(void)
{
    CHECK_TEXT(judge("- a: 10\n- b: 20\n- total: 30"), "right");
    CHECK_TEXT(judge("- a: 100\n- b: 200\n- total: 350"), "wrong: 300");
    CHECK_TEXT(judge("- a: 10\n- b: some\n- total: 35"), "");
    CHECK_TEXT(judge("- layers: 12\n- heads: 12\n- total: 124,439,808"), "");
    CHECK_TEXT(judge("- a: 10 per layer\n- b: 20\n- total: 30"), "right");
    CHECK_TEXT(judge("| a | n |\n|---|---|\n| x | 300 |\n| y | 400 |\n| total | 800 |"), "wrong: 700");
    CHECK_TEXT(judge("| a | n |\n|---|---|\n| x | 3 |\n| y | 4 |\n| total | 4 |"), "");
    CHECK_TEXT(judge("a: 10 (33%)\nb: 20 (67%)\ntotal: 30"), "right, right, right");
}

/* Units of time and rates, other scripts, notations of the web. */
static void check_notations(void)
{
    CHECK_TEXT(judge("393,231 seconds ≈ 109.2 hours ≈ 4.55 days"), "right, right");
    CHECK_TEXT(judge("3 days + 15 hours = 78 hours"), "wrong: 313,200 (87 hours)");
    CHECK_TEXT(judge("109.2 / 1,000 ≈ 6.6 minutes"), "right");
    CHECK_TEXT(judge("2.843 × 10⁸ seconds / (24 × 3600) = 3,290 days ≈ 9.0 years"), "right, right");
    CHECK_TEXT(judge("2 × 7168 × 512 = 7.34 × 10⁶ FLOPs/token"), "right");
    CHECK_TEXT(judge("21.03B × 2 字节 = 42.06GB/GPU"), "right");
    CHECK_TEXT(judge("6 × 70亿 × 1万亿 = 4.2×10²² FLOPs"), "right");
    CHECK_TEXT(judge("$530\\text{e}9 \\cdot 2 = 1.06\\text{e}12$"), "right");
    CHECK_TEXT(judge("4 513 336 524 800 = 4.51 × 10^12"), "right");
    CHECK_TEXT(judge("12 × 1 600 × 1 600 = 30 720 000"), "right");
    CHECK_TEXT(judge("12 × 1 600 × 1 600 = 30 920 000"), "wrong: 30,720,000");
    CHECK_TEXT(judge("In 2 024 we had 3 × 4 = 12 100 things."), "right");
    CHECK_TEXT(judge("5,120 x 5,120 x 40 \\= 1.05e9"), "right");
    CHECK_TEXT(judge("8 × 80 GB → 640 GB, 512 → 1M"), "right");
    CHECK_TEXT(judge("a\n\n32 × 96 × 4\n\n= 12,288 bytes\n\n≈ 12.3 KB"), "right, right");
    CHECK_TEXT(judge("309,237,645,312 bytes ≈ 309.2 GB (decimal) / 288.0 GiB (binary)"), "right");
    CHECK_TEXT(judge("8,508,230,400 bytes, i.e. 8.51 GB or 7.92 GiB"), "right, right");
    CHECK_TEXT(judge("weights (15 GB) + gradients (15 GB) + optimizer (90 GB) = 120 GB"), "right");
    CHECK_TEXT(judge("- a -> b\n- c: 3 -> 4 of them\n- total: 7"), "");
    CHECK_TEXT(judge("$2 \\cdot 4096 \\cdot 16384 \\cdot B = 1.3e8 \\cdot B$"), "right");
    CHECK_TEXT(judge("1e3 TFLOPS = 1e3 GFLOPS"), "doubtful");
    CHECK_TEXT(judge("1,600 // 25 = 64"), "right");
    CHECK_TEXT(judge("2.49 / 3600 = $0.000692"), "right");
    CHECK_TEXT(judge("44,000 / 15,900 = 2.8x in tokens"), "right");
}

/* What does not hold as it was read, and was not meant so. */
static void check_doubts(void)
{
    CHECK_TEXT(judge("48 - 34.5 = 13.5 - 1.3 = 12.2"), "right, right");
    CHECK_TEXT(judge("2 × 997 = 1.99 GB"), "doubtful");
    CHECK_TEXT(judge("plus the weights 15 GB = 105 GB"), "doubtful");
    CHECK_TEXT(judge("16.06 GB = 16.06 GiB"), "wrong: 16,060,000,000 (14.957 GiB)");
    CHECK_TEXT(judge("E[X²] + E[X²] = 3·E[X²]"), "doubtful");
    CHECK_TEXT(judge("$x = \\begin{bmatrix}120 & 220\\end{bmatrix} = 3$"), "");
    CHECK_TEXT(judge("β1 = 0.9 and β2 = 0.999"), "");
    CHECK_TEXT(judge("avg=13.36s min=12.54s max=14.12s"), "");
    CHECK_TEXT(judge("`0xff` = `11111111`"), "");
    CHECK_TEXT(judge("1st + 2nd layer = 2,362,368 + 2,360,064 = 4,722,432"), "right");
    CHECK_TEXT(judge("990 TFLOPS × 0.4 = 1000 × 10^12 × 0.4"), "slip");
    CHECK_TEXT(judge("2 × 4,621 = 9,243"), "slip");
    CHECK_TEXT(judge("1M users × $20/month = $240M"), "doubtful");
    CHECK_TEXT(judge("(1024×1024 each ≈ 4K tokens)"), "doubtful");
    CHECK_TEXT(judge("```python\nx = 3 * 4  // 5 * 6 = 31\n```"), "wrong: 30");
    CHECK_TEXT(judge("```python\n# 22.4 GB = 22,400 MB, 22.4 GB = 24,200 MB\n```"),
               "right, wrong: 22,400,000,000 (22,400 MB)");
    CHECK_TEXT(judge("```python\nx = 22.4 GB = 24,200 MB\n```"), "doubtful");
}

/* Columns of tables and of what programs print. */
static void check_tables(void)
{
    CHECK_TEXT(judge("|a|shape|n|\n|-|-|-|\n|q|30 × 40|1,200|\n|k|30 × 10|300|\n|v|30 × 10|310|\n|o|40 × 30|1,200|"),
               "right, right, wrong: 300, right");
    CHECK_TEXT(judge("```\nq  4096 x 4096  16777216\nk  4096 x 1024   4194304\nv  4096 x 1024   4194304\n```"),
               "right, right, right");
    CHECK_TEXT(judge("|m|a|b|total|\n|-|-|-|-|\n|x|1.13B|0.29B|1.42B|\n|y|2.95B|0.36B|3.31B|\n|z|6.03B|0.58B|6.61B|"),
               "right, right, right");
    CHECK_TEXT(judge("|dp|tp|pp|\n|-|-|-|\n|8|4|12|\n|4|4|8|\n|2|2|4|\n|8|8|6|"), "");
    CHECK_TEXT(judge("|a|n|\n|-|-|\n|x|3|\n|y|4|\n|subtotal|7|\n|z|5|\n|total|12|"), "right, right");
}

static const char *note_of(const char *text)
{
    static char out[512];
    rk_audit *a = NULL;

    if (rk_audit_new(t_lexicon(), text, strlen(text), &a, NULL) != RK_OK)
        return "failed";
    snprintf(out, sizeof out, "%s", a->claim.n && a->claim.at[0].note ? a->claim.at[0].note : "");
    rk_audit_free(a);
    return out;
}

static void check_notes(void)
{
    CHECK_TEXT(note_of("4 * 25 = 50\n"), "what is stated is exactly half of that");
    CHECK_TEXT(note_of("2 * 401,408 = 820,816\n"), "two of its digits have changed places");
    CHECK_TEXT(note_of("8,508,230,400 bytes = 7.92 GB"), "with GB as powers of 1,024, which is GiB");
    CHECK_TEXT(note_of("4 * 25 = 5"), "the text ends in it, and may have been cut there");
    CHECK_TEXT(note_of("15×10^12 / 78000 ≈ 192,0"), "the text ends in it, and may have been cut there");
    CHECK_TEXT(note_of("- a: 10\n- b: 20\n- c: 5\n- total: 30"), "");
    CHECK_TEXT(note_of("9^9^9^9 = 3"), "too large: a number beyond 128 bits");
    CHECK_TEXT(note_of("7 / 0 = 3"), "a division by zero");
    CHECK_TEXT(note_of("- a: 10\n- b: 20\n- c: 5\n- total: 30\n"),
               "the rows add up to 35; that is 5 more: left out: the row of line 3, 5");
}

/* ---- what stands around a figure -------------------------------------------------------------------------------- */

static void check_context(void)
{
    static const char text[] = "# Model\n\n* **Block**\n    * scores: $2 \\times 3 = 7$ FLOPs\n";
    rk_audit *a = NULL;
    rk_context c;

    if (!CHECK(rk_audit_new(t_lexicon(), text, strlen(text), &a, NULL) == RK_OK) || !CHECK(a->claim.n == 1))
        return;
    CHECK(a->claim.at[0].line == 4 && a->claim.at[0].column == 16);
    CHECK(rk_audit_context(a, a->claim.at[0].side, &c, NULL) == RK_OK);
    CHECK_TEXT(c.before, "* scores: 2 × 3 =");
    CHECK(c.n_heading == 2);
    CHECK_TEXT(c.heading[0], "* Block");
    CHECK_TEXT(c.heading[1], "# Model");
    rk_audit_free(a);
}

/* ---- what is called wrong, and what is not ----------------------------------------------------------------------- */

/* Of each pair the first leaves nothing open, and the second something that people leave unwritten. */
static void check_evidence(void)
{
    CHECK_TEXT(judge("so 3 * 700 = 2,000"), "wrong: 2,100");
    CHECK_TEXT(judge("swapping 3 * 700 = 1,400"), "doubtful");
    CHECK_TEXT(judge("swapping 3 * 700 = 2,000"), "wrong: 2,100"); /* so near that nothing was cut off */
    CHECK_TEXT(judge("swapping `3 * 700 = 1,400`"), "wrong: 2,100");
    CHECK_TEXT(judge("3 * 700 = 2,000 tokens"), "wrong: 2,100");
    CHECK_TEXT(judge("3 * 700 = 1,400 rabbits"), "doubtful");
    CHECK_TEXT(judge("3 * 700 = 2,?"), "doubtful");
    CHECK_TEXT(judge("3 layers * 700 params = 2,000"), "wrong: 2,100");
    CHECK_TEXT(judge("3 hats * 700 rabbits = 1,400"), "doubtful");
    CHECK_TEXT(judge("3 hats * 700 rabbits = 2,001"), "wrong: 2,100");
    CHECK_TEXT(judge("2 (K and V) * 700 = 1,500"), "wrong: 1,400");
    CHECK_TEXT(judge("2 * 700 * 900 = 1,026,000"), "wrong: 1,260,000");
    CHECK_TEXT(judge("2 * 700 * 900 = 470"), "doubtful");
    CHECK_TEXT(judge("64 * 4096 * 8192 = 4 MB"), "wrong: 2,147,483,648 (2,147.48 MB)");
    CHECK_TEXT(judge("64 * 32 = 2 GB"), "doubtful");
    CHECK_TEXT(judge("6 * 80 * 4096 * 2 = 7.9 MB"), "wrong: 3,932,160 (3.932 MB)");
    CHECK_TEXT(judge("6 * 80 * 4096 = 7.9 MB"), "doubtful");
    CHECK_TEXT(judge("30 ms / 40 ms = 60%"), "wrong: 75 %");
    CHECK_TEXT(judge("`= 7 * 90 = 630`\n`×3 = 270`"), "right, doubtful");
    CHECK_TEXT(judge("$$\n\\begin{aligned}\na &= 2 \\times 3\n\\end{aligned}\n$$\nso $4 \\times 5 = 21$"), "wrong: 20");
    CHECK_TEXT(judge("47 * 53 = 2501"), "wrong: 2,491");
    CHECK_TEXT(judge("60 minus 40 * 0.5 = 40"), "doubtful");
    CHECK_TEXT(judge("batch * seq 4096 * 2 = 16384"), "doubtful");
    CHECK_TEXT(judge("400,000 steps × 13.35 PFLOPs = 5.34e18 FLOPs"), "wrong: 5,340,000,000,000,000,000,000");
    CHECK_TEXT(judge("(2048 × 1500) / 36 = 85 tons"), "doubtful");
    CHECK_TEXT(judge("10B × 4 bytes = 37.25 GB"), "right");
    CHECK_TEXT(judge("114,688 bytes ≈ 0.112 MB"), "doubtful");
    CHECK_TEXT(judge("8 cards at 989 × 0.40 = 3,165"), "doubtful");
    CHECK_TEXT(judge("4.8/3.35 ≈ 43%"), "doubtful");
    CHECK_TEXT(judge("25 × (1000 ÷ 32) = 775"), "doubtful");
    CHECK_TEXT(judge("4 classes × ~100 items × 2 = 770"), "doubtful");
    CHECK_TEXT(judge("12 + 13 + 14 = 12 + 13 = 25"), "doubtful, right");
    CHECK_TEXT(judge("6.47 + (0.2606 × 50) × 1,200 = 21.7 GB"), "doubtful");
    CHECK_TEXT(judge("160 × 1.5 / 25 GB/s ≈ 10.9 ms"), "doubtful");
    CHECK_TEXT(judge("$0.9 \\sim 1.1$"), "doubtful");
    CHECK_TEXT(judge("$D\\times 4D, 4D \\times D=8D^{2}$"), "doubtful");
    CHECK_TEXT(judge("n = 3 and 4 × n × 593,593 = 2,432,188 × n"), "wrong: 7,123,116");
    CHECK_TEXT(judge("${5 - 3 + 2 \\times 0 \\over 2}+1=2$"), "right");
    CHECK_TEXT(judge("$175\\text{B} \\times 2\\text{ bytes}\\approx 350\\text{ GB}$"), "right");
    CHECK_TEXT(judge("~4.2B parameters (60 layers × 70M)"), "right");
    CHECK_TEXT(judge("2 × 7 billion bytes are about 14 GB"), "right");
    /* A text that was cut says nothing. */
    CHECK_TEXT(judge("2 * 3 = 2 + 4"), "right");
    CHECK_TEXT(judge("2 * 3 = 2 +"), "");
    CHECK_TEXT(judge("2 * 3 = 2 -"), "doubtful");
    CHECK_TEXT(judge("2 * 3 = (2"), "");
}

/* ---- texts that mean harm --------------------------------------------------------------------------------------- */

/* A text of `n` times a piece between two ends; only that it ends, in time, matters. */
static int run_repeated(const char *before, const char *piece, size_t n, const char *after)
{
    rk_str s = {0};
    rk_audit *a = NULL;
    int code;

    rk_str_put(&s, before);
    for (size_t i = 0; i < n; i++)
        rk_str_put(&s, piece);
    rk_str_put(&s, after);
    code = rk_audit_new(t_lexicon(), rk_str_text(&s), s.n, &a, NULL);
    rk_audit_free(a);
    rk_str_free(&s);
    return code;
}

/* Figures that follow from others in their sentence: right, or nothing is said. */
static void check_follows(void)
{
    CHECK_TEXT(judge("A set of 40k samples with 900 tokens each is 3.6e7 tokens."), "right");
    CHECK_TEXT(judge("A set of 40k samples with 900 tokens each is 3.9e7 tokens."), "");
    CHECK_TEXT(judge("One card at 312 TFLOP/s and 45% of it delivers 140 TFLOP/s."), "right");
    CHECK_TEXT(judge("Of 96 GB the weights need 26.4 GB, leaving 69.6 GB for the cache."), "right");
    CHECK_TEXT(judge("Of 96 GB the weights need 26.4 GB, leaving 59.6 GB for the cache."), "doubtful");
    CHECK_TEXT(judge("Of 80 GB, 7.03B × 2 bytes = 14.06 GB are taken, leaving 56.94 GB."), "right, doubtful");
    CHECK_TEXT(judge("Of 96 GB and 40 GB the weights need 26.4 GB, leaving 59.6 GB for the cache."), "");
    CHECK_TEXT(judge("The peak is 59.4 GB (24.9 GB of state + 34.5 GB of activations)."), "right");
    CHECK_TEXT(judge("The peak is 57.4 GB (24.9 GB of state + 34.5 GB of activations)."), "doubtful");
    CHECK_TEXT(judge("The peak is 57.4 GB (24.9 GB of state, 4.5 GB of activations)."), "");
    CHECK_TEXT(judge("A model of 13B parameters in bf16 takes 26 GB."), "right");
    CHECK_TEXT(judge("At 4.5 bits for each weight, 34B weights are 19.1 GB."), "right");
    CHECK_TEXT(judge("Weights ≈ 140 GB (70.6B params × 2 B, of the card)."), "right");
    CHECK_TEXT(judge("We read 28.4 GB at 900 GB/s, which takes 31.6 ms."), "right");
    CHECK_TEXT(judge("|dp|tp|pp|\n|-|-|-|\n|8|4|12|\n|4|4|8|\n|2|2|4|\n|8|8|6|"), ""); /* by chance */
    CHECK_TEXT(judge("| what | how much |\n|-|-|\n| budget (80GB x 90%) | 72 GB |"), "right");
    CHECK_TEXT(judge("In 2024 we had 7 cards and 12 hosts in 3 racks, which cost 98 of 100 hours."), "");
}

/* Terms with names, ranges, functions, units in formulas, names of devices. */
static void check_terms(void)
{
    CHECK_TEXT(judge("weights 14 GB + optimizer 84 GB + gradients 14 GB = 112 GB"), "right");
    CHECK_TEXT(judge("weights 14 GB + optimizer 84 GB + gradients 14 GB = 98 GB"), "doubtful");
    CHECK_TEXT(judge("weights 14 GB + optimizer 84 GB + gradients 14 GB = 122 GB"), "wrong: 112,000,000,000 (112 GB)");
    CHECK_TEXT(judge("14 GB + 84 GB of states + 3 GB acts ≈ 101 GB"), "right");
    CHECK_TEXT(judge("58.3-66.7GB + 25.6GB = 83.9-92.3GB/GPU (with it)"), "right");
    CHECK_TEXT(judge("58.3-66.7GB + 25.6GB = 83.9-93.3GB"), "doubtful");
    CHECK_TEXT(judge("10–20 × 4 = 40–80"), "right");
    CHECK_TEXT(judge("8 GB + 2 GB = 10 GB/GPU (all of them)"), "right");
    CHECK_TEXT(judge("ceil(11 / 0.70) = 16"), "right");
    CHECK_TEXT(judge("$\\lceil 2000 / 256 \\rceil + 7 = 15$"), "right");
    CHECK_TEXT(judge("⌊7.8⌋ + 7 = 15"), "wrong: 14");
    CHECK_TEXT(judge("min(130 TFLOPS, 2.57 TFLOPS) = 2.57 TFLOPS"), "right");
    CHECK_TEXT(judge("max(3, 4, x) = 4"), "unknown");
    CHECK_TEXT(judge("$2 \\times 40 GB = 80 GB$"), "right");
    CHECK_TEXT(judge("200 H100 x 3.5 = 700"), "right");
    CHECK_TEXT(judge("1600 * 50257 = 80.41m"), "right");
    CHECK_TEXT(judge("400 Gbps = 50 GB/s"), "right");
    CHECK_TEXT(judge("7B × 4 bits = 3.5 GB"), "right");
    CHECK_TEXT(judge("53 GiB / 414,720 ≈ 128 KB"), "doubtful");
    CHECK_TEXT(judge("16 * 7B = 112 GB + activations"), "right");
    CHECK_TEXT(judge("16 * 7B = 122 GB + activations"), "");
    CHECK_TEXT(judge("It has 7,615,283,200 (~7.6B) parameters."), "right");
    CHECK_TEXT(judge("Total work = 400 steps × 13.5\n= 5,400"), "right");
    CHECK_TEXT(judge("Total work = 400 steps × 13.5\n= 4,500"), "wrong: 5,400");
    CHECK_TEXT(judge("with L = 32 → 512 × 4096 × 32 = 76,108,864"), "wrong: 67,108,864");
    CHECK_TEXT(judge("(64 × 1600^2 + 23 × B × 1024) = 163.84M + 23,552 × B"), "right");
    CHECK_TEXT(judge("s = 8. And then s = 16.\n\n2 × s × 2048 = 4,906 × s"), "wrong: 4096s");
}

/* Figures that are said again, results that end with their line, lines in another unit. */
static void check_again(void)
{
    CHECK_TEXT(judge("2 × 1,063,528,800 = 2,127,057,600\n\nSo P = 2,127,057,600 then."), "right, right");
    CHECK_TEXT(judge("2 × 1,063,528,800 = 2,127,057,600\n\nThat is 2.13 billion then."), "right, right");
    CHECK_TEXT(judge("2 × 1,063,528,800 = 2,127,057,600\n\nThat is 2.31 billion then."), "right");
    CHECK_TEXT(judge("400 steps × 43.7 s/step = 17,480 s\n  ÷ 60 s/min ≈ 291.3 min"), "right, right");
    CHECK_TEXT(judge("a = 80ms\n+ 90 (the slowest) = 90ms"), "doubtful");
    CHECK_TEXT(judge("16,167,538,688 × b + 26,247,244,800 = 15.06 × B + 24.44 GB"), "right");
    CHECK_TEXT(judge("16,167,538,688 × b + 26,247,244,800 = 15.16 × B + 24.44 GB"), "unknown, wrong: 16,167,538,688");
    CHECK_TEXT(judge("7,372,800 bytes ~ 7 MB"), "right");
    CHECK_TEXT(judge("6 / 2 = 4  ✗ (it is 3)"), "doubtful");
    CHECK_TEXT(judge("5,235 / 0.45 = 11,630"), "slip");
    CHECK_TEXT(judge("32 x 4096 x 320KB = 43GB"), "doubtful");
    CHECK_TEXT(judge("64 heads × 80 layers = 640 GiB"), "doubtful");
    CHECK_TEXT(judge("2 × 80 × 64 × 128 × 4096 × 2(fp16) ≈ 21 GB"), "wrong: 10,737,418,240 (10.74 GB)");
    CHECK_TEXT(judge("2×40×40×128×4096×16×2 / 1024^3 ≈ 15.6 GB"), "wrong: 50.0");
    CHECK_TEXT(judge("-2 = 8 KB (default) -3 = 16 KB"), "doubtful, doubtful");
}

/* Rows with letters below one another, and a total with the same terms; a weighted sum is a row. */
static void check_terms_of_sums(void)
{
#define ROWS                                                                                                           \
    "| part | shape | elements |\n|-|-|-|\n| input | `(B, T, d)` | `BTd` |\n| q, k, v | `3 × (B, T, d)` | `3BTd` |\n" \
    "| scores | `(B, h, T, T)` | `BhT²` |\n| weighted sum | `(B, T, d)` | `BTd` |\n| stats | `(B, T)` | `2BT` |\n\n"  \
    "**Per block total:**\n```\n"
    CHECK_TEXT(judge(ROWS "5BTd + BhT² + 2BT\n```"), "right");
    CHECK_TEXT(judge(ROWS "4BTd + BhT² + 2BT\n```"), "wrong: BT²h + 5BTd + 2BT");
    CHECK_TEXT(judge(ROWS "4BTd + BhT²\n```"), "");
#undef ROWS
}

/* What a text was cut out of, and in what it is quoted. */
static void check_fences(void)
{
    CHECK_TEXT(judge("x = 3\n```\n\n## Sum\n\n2 + 2 = 5\n"), "wrong: 4");
    CHECK_TEXT(judge("```markdown\n| a | 2 × 3 = 7 |\n```"), "wrong: 6");
    CHECK_TEXT(judge("```\n2 × 3 = 7\n```python\nn = 2 * 3\n```\n\n2 × 4 = 9"), "wrong: 6, wrong: 8");
    CHECK_TEXT(judge("```python\nweights = 7B × 2 bytes = 14 GB\n```"), "right");
    CHECK_TEXT(judge("```python\nn = weights * 2\nweights = 7\n```"), "");
    CHECK_TEXT(judge("28 + 56 + 14 = 98 GB + activations"), "right");
    CHECK_TEXT(judge("28 + 56 + 14 = 89 GB + activations"), "");
}

/* Units in the head of a column, workings beside figures, totals whose rows stand elsewhere. */
static void check_heads(void)
{
    CHECK_TEXT(
        judge("| L | size | memory (MB) |\n|-|-|-|\n| 1 | 4 × 512 × 512 | 4.0 |\n| 2 | 4 × 1024 × 1024 | 16.0 |\n"
              "| 3 | 4 × 2048 × 2048 | 64.0 |"),
        "right, right, right");
    CHECK_TEXT(judge("| a | working | memory (MB) |\n|-|-|-|\n| k | 32 × 8 × 128 × 2 | 0.0655 |"), "right");
    CHECK_TEXT(judge("| part | count | how |\n|-|-|-|\n| a | 1.05M | 4 × 512 × 512 for q, k, v, o |\n"
                     "| b | 1,024 | 2 × 512 for gamma, beta |"),
               "right, right");
    CHECK_TEXT(judge("Blocks: 48 × 2.5 = 120\n\nHead: 3 × 7 = 21.5\n\nTotal = 141.5 ≈ 142"),
               "right, wrong: 21.0, right, right");
    CHECK_TEXT(judge("- a: 30.5 GB (61.0%)\n- b: 19.5 GB (39.0%)\n- total: 50.0 GB\n- a: 10.0 GB (25.0%)\n"
                     "- b: 30.0 GB (75.0%)\n- total: 40.0 GB"),
               "right, right, right, right, right, right");
}

/* What is worked out in its unit, what is counted, and what is said again: of each the second leaves something open. */
static void check_units(void)
{
    CHECK_TEXT(judge("3e9 * 2 / 1e9 = 6 GB"), "right");
    CHECK_TEXT(judge("12 * 18 * 18 * 128 * 2048 / 1e9 = 10.74 GFLOPs"), "wrong: 1.0192");
    CHECK_TEXT(judge("6 × 1.5B = 90 TFLOPs"), "wrong: 9,000,000,000 (0.01 TFLOPs)");
    CHECK_TEXT(judge("8960 * 96 = 860TB of memory"), "doubtful");
    CHECK_TEXT(judge("4 * 2048 * 2304 * 6144 ≈ 115.8 TFLOPs"), "wrong: 115,964,116,992 (0.116 TFLOPs)");
    CHECK_TEXT(judge("400/989 = 0.40%"), "wrong: 40.4449 %");
    CHECK_TEXT(judge("0.5 × 0.5 × 100 = 25 %"), "right");
    CHECK_TEXT(judge("100 - 28.5 - 64.4 = 7.1%"), "right");
    CHECK_TEXT(judge("100 - 28.5 - 64.4 = 8.1%"), "doubtful");
    CHECK_TEXT(judge("7B × FP16 = 14 GB"), "right");
    CHECK_TEXT(judge("7B × FP16 = 28 GB"), "wrong: 14,000,000,000 (14 GB)");
    CHECK_TEXT(judge("2 × 32 × 4096 = 262,144\n× 3 of them"), "right");
    CHECK_TEXT(judge("50 languages × 500 MB = 25 TB"), "wrong: 25,000,000,000 (0.03 TB)");
    CHECK_TEXT(judge("2 × 8 bytes = 32 fp4 numbers"), "doubtful");
    CHECK_TEXT(judge("8k * 4.5e14 = 3.8e18 FLOPs, or so"), "doubtful");
    CHECK_TEXT(judge("4096 × 4096 = 1670 万"), "slip");
    CHECK_TEXT(judge("648 - 256 + 320 = 720 MB"), "wrong: 712");
    CHECK_TEXT(judge("That is 2,127,057,600 = 2.127 × 10^12 of them."), "wrong: 2,127,057,600 (0.00213 × 10^12)");
    CHECK_TEXT(judge("282,956,185,600 bytes ≈ 27 GB"), "wrong: 282,956,185,600 (282.96 GB)");
    CHECK_TEXT(judge("XL: 2.127B (2.127M) parameters"), "wrong: 2,127,000,000 (2,127.000 M)");
    CHECK_TEXT(judge("XL: 2.127B (1.5M for norms) parameters"), "");
    CHECK_TEXT(judge("52 billion * 2 = 104e12, or so"), "wrong: 104,000,000,000");
    CHECK_TEXT(judge("4 × [48(24 × 16 + 2 × 25) + 57] ≈ 88,432"), "wrong: 83,556");
    CHECK_TEXT(judge("4 × 7 × (1,600 + 50,257 + 48 × 12) = 4 × 7 × (54,457 + 576)"), "wrong: 1,468,124");
    CHECK_TEXT(judge("48 × 69,625 = 48 × 69,600"), "slip");
    CHECK_TEXT(judge("19.5 × 10^12 × 0.5 = 3.75 × 10^12 FLOP/s"), "wrong: 9,750,000,000,000 (9.75 × 10^12 FLOP/s)");
    CHECK_TEXT(judge("64 × 24 × 8192^2 = 51,539,607,552 FLOPs"), "wrong: 103,079,215,104");
    CHECK_TEXT(judge("64 × 24 × 8192^2 = 206,158,430,208 FLOPs"), "doubtful");
    CHECK_TEXT(judge("1,555,126,400 ≈ 2.56 × 10^9"), "wrong: 1,555,126,400 (1.5551 × 10^9)");
    CHECK_TEXT(judge("1,555,126,400 ≈ 2.73 × 10^9"), "wrong: 1,555,126,400 (1.5551 × 10^9)");
    CHECK_TEXT(judge("1,555,126,400 ≈ 3.11 × 10^9"), "doubtful");
    CHECK_TEXT(judge("It takes 109 hours (~1.5 days)."), "wrong: 392,400 (4.542 days)");
    CHECK_TEXT(judge("It takes 109 hours (~1.5 days each)."), "");
    CHECK_TEXT(judge("The model has 2,127,057,600 (2.31B) parameters."), "wrong: 2,127,057,600 (2.1271 B)");
    CHECK_TEXT(judge("We need 8.51 GB (5.9 GiB) of memory."), "wrong: 8,510,000,000 (7.926 GiB)");
    CHECK_TEXT(judge("A card has 80 GB (16 GB) of memory."), "");
    CHECK_TEXT(judge("```\nM: 12\nTotal: 174B + 617M = 174.6B\n```\n"), "right");
    CHECK_TEXT(judge("2 * 40 GB = 90 GB VRAM"), "wrong: 80,000,000,000 (80 GB)");
}

/* Quotients whose parts say how large they are, in seconds and in hours of devices. */
static void check_times(void)
{
    CHECK_TEXT(judge("So 1.6e12 FLOPs / 312e12 FLOPS = 51 ms, then."), "wrong: 5.13 ms");
    CHECK_TEXT(judge("So 1.6e12 FLOPs / 312e12 FLOPS = 5.1 ms, then."), "right");
    CHECK_TEXT(judge("It is 6.3e24 / (1000 × 400e12) = 15.75e6 seconds (282 days)."),
               "right, wrong: 15,750,000 (182.29 days)");
    CHECK_TEXT(judge("It is 6.3e24 / (1000 × 400e12) = 15.75e6 seconds (182 days)."), "right, right");
    CHECK_TEXT(judge("3.6e20 / (312e12 × 0.35) ≈ 916 GPU-hours"), "right");
    CHECK_TEXT(judge("3.6e20 / (312e12 × 0.35) ≈ 916 GPU hours of it"), "right");
    CHECK_TEXT(judge("3.6e20 / (312e12 × 0.35) ≈ 3300 GPU hours of it"), "wrong: 915.75 hours");
    CHECK_TEXT(judge("2048 GPUs × 10 hours = 20,480 GPU-hours."), "right");
    CHECK_TEXT(judge("A run of `(1e9 × 7e9 × 6) / (312e12 × 0.3) ≈ 45 hours` then."), "wrong: 124.64 hours");
    CHECK_TEXT(judge("A run of (1e9 × 7e9 × 6) / (312e12 × 0.3) ≈ 45 hours then."), "doubtful");
    CHECK_TEXT(judge("3.15e23 / (1000 × 312e12 × 0.5) / 86400 = 30 days."), "wrong: 23.37");
}

/* Words before a relation in a formula, letters that are scales, remarks of programs, formulas over several lines. */
static void check_forms(void)
{
    CHECK_TEXT(judge("Then $FLOPs ≈ 6 × 9M × 300B = 1.62e19$ of it."), "right");
    CHECK_TEXT(judge("Then $FLOPs ≈ 6 × 9M × 300B = 1.26e19$ of it."), "wrong: 16,200,000,000,000,000,000");
    CHECK_TEXT(judge("$Steps = 300B / (512 × 2048) = 268,102$."), "wrong: 286,102.29");
    CHECK_TEXT(judge("M = 12, B = 4\n\n| part | count |\n|-|-|\n| a | 28 M |\n| b | 12 M |\n| total | 40 M |"),
               "right");
    CHECK_TEXT(judge("$$ 2 × (3 + 4\n + 5) = 24 $$"), "right");
    CHECK_TEXT(judge("$7168 \\times (512{+}64) {=} 4128768$ of it."), "right");
    CHECK_TEXT(judge("2 × 4096等于8,192了。"), "right");
    CHECK_TEXT(judge("2 × 4096等于8,129了。"), "wrong: 8,192");
    CHECK_TEXT(judge("2 × 4096不等于8,129了。"), "");
    CHECK_TEXT(judge("每层是注意力 $4h^2$ + MLP $8h^2$ = $12h^2$。"), "doubtful");
    CHECK_TEXT(judge("5546.0 EFLOPs ÷ 9.8 TFLOPs/s = 6583.6 days"), "right");
    CHECK_TEXT(judge("4096*2.68 ≈ 11008 of it."), "slip");
    CHECK_TEXT(judge("4096*2.68 = 11008 of it."), "wrong: 10,977.28");
    CHECK_TEXT(judge("```\nkv = 2 * 32 * 4096 * 2\n# ≈ 524,288\n```"), "right");
    CHECK_TEXT(judge("```\nkv = 2 * 32 * 4096 * 2\n# = 542,288\n```"), "wrong: 524,288");
    CHECK_TEXT(judge("```\nkv = 2 * 32 * 4096 * 2,  # ≈ 542,288\n```"), "wrong: 524,288");
    CHECK_TEXT(judge("It has 46.1 MB (22 layers × 4 × 512 × 512 × 2 bytes)."), "right");
    CHECK_TEXT(judge("- Parameters:\n  - = 12 × 4096 × 4096 = 201,326,592\n  - = 12 × 4096 × 4096 = 201,362,592"),
               "right, wrong: 201,326,592");
    CHECK_TEXT(judge("It has 64 head_dim × 32 heads = 2048."), "right");
    CHECK_TEXT(judge("It has 8,508,230,400 bytes = 7.90 GB."), "wrong: 8,508,230,400 (7.9239 GiB)");
    CHECK_TEXT(judge("It is 6 PFLOPs (6000 TFLOPs), and 8 PFLOPs (800 TFLOPs)."),
               "right, wrong: 8,000,000,000,000,000 (8,000 TFLOPs)");
}

/* What a name was computed from, and what it is said to be below; figures that are sums and multiples of others. */
static void check_named(void)
{
    CHECK_TEXT(judge("Fixed memory = 16 × 1,555,126,400 bytes\n\n**Fixed memory ≈ 24.88 GB**\n"), "right");
    CHECK_TEXT(judge("Fixed memory = 16 × 1,555,126,400 bytes\n\n**Fixed memory ≈ 28.84 GB**\n"),
               "wrong: 24,882,022,400 (24.882 GB)");
    CHECK_TEXT(judge("Fixed memory = 16 × 1,555,126,400 bytes\n\n**Other memory ≈ 28.84 GB**\n"), "");
    CHECK_TEXT(judge("P = 12(48)(1,600²) + 2(48)(1,600)\n\n**P = 1,474,713,600**\n"), "right");
    CHECK_TEXT(
        judge(
            "Of 48 layers.\n\n```\nEMBED=321,644,800\nQKVO=40,960,000\nFFN=82,329,600\nNORM=12,800\nBLOCK=123,302,400\n"
            "LAYERS=5,918,515,200\n```\n"),
        "right, right");
    CHECK_TEXT(
        judge(
            "Of 48 layers.\n\n```\nEMBED=321,644,800\nQKVO=40,960,000\nFFN=82,329,600\nNORM=12,800\nBLOCK=123,302,500\n"
            "LAYERS=5,918,515,300\n```\n"),
        "");
}

/* So many parameters of a type, said in words: of each that is wrong, what is beside it leaves something open. */
static void check_weights(void)
{
    CHECK_TEXT(judge("A 70B model is 140 GB in fp16, 70 GB int8, 35 GB int4."), "right, right, right");
    CHECK_TEXT(judge("A 70B model is 140 GB in fp16, 35 GB int8, 17.5 GB int4."),
               "right, wrong: 70,000,000,000 (70 GB), wrong: 35,000,000,000 (35.0 GB)");
    CHECK_TEXT(judge("A 70B model is 140 GB in fp16, and each card has 35 GB int8 of it."), "right");
    CHECK_TEXT(judge("Llama-3-70B takes 140 GB in BF16."), "right");
    CHECK_TEXT(judge("Llama-3-70B takes 150 GB in BF16."), "");
    CHECK_TEXT(judge("It saw 70B tokens, and takes 140 GB in fp16."), "");
}

/* Formulas of a size in one column, and in others what they come to for several. */
static void check_sizes_of_columns(void)
{
#define TABLE(cell)                                                                                                    \
    "| stage | each | 7B (N=8) | 70B (N=64) |\n|-|-|-|-|\n| none | 16P | 112 GB | 1120 GB |\n"                         \
    "| 1 | 4P + 12P/N | 38.5 GB | " cell " |\n| 3 | 16P/N | 14 GB | 17.5 GB |"
    CHECK_TEXT(judge(TABLE("293 GB")), "right, right, right, right, right, right");
    CHECK_TEXT(judge(TABLE("160 GB")), "right, right, right, wrong: 293,125,000,000 (293.13 GB), right, right");
    CHECK_TEXT(judge(TABLE("293 s")), "right, right, right, right, right");
#undef TABLE
}

/* Totals that are ranges, of rows that are, and remarks behind bold figures. */
static void check_range_sums(void)
{
    CHECK_TEXT(judge("- weights: 14 GB\n- cache: 1-4 GB\n- rest: 2.5 GB\n- **Total: 17.5-20.5 GB**\n"), "right");
    CHECK_TEXT(judge("- weights: 14 GB\n- cache: 1-4 GB\n- rest: 2.5 GB\n- **Total: 17.5-22.5 GB**\n"),
               "wrong: 20,500,000,000 (20.5 GB)");
    CHECK_TEXT(judge("- weights: 14 GB\n- cache: 1-4 GB\n- rest: 2.5 GB\n- **Total: 27.5-32.5 GB**\n"), "");
    CHECK_TEXT(judge("- a: `42.1GB`/GPU（x）\n- b: 6.4GB\n- **总显存**: **48.5GB/GPU**（不包含 `KV Cache`）\n"),
               "right");
    CHECK_TEXT(judge("**2**10 = 1024** of it.\n\n2**(3 + 1) = 16 of it."), "right, right");
}

/* What an inequality allows. */
static void check_bounds(void)
{
    CHECK_TEXT(judge("24.88 + 14.3B ≤ 80\n\n**B ≤ 3.85**\n\n**Maximum batch_size = 3**\n"), "right, right");
    CHECK_TEXT(judge("24.88 + 14.3B ≤ 80\n\n**B ≤ 4.85**\n\n**Maximum batch_size = 4**\n"), "wrong: 3.8545, wrong: 3");
    CHECK_TEXT(judge("`8,397,852,672 * batch + 34,032,921,600 <= 80 GB` gives a maximum of **5**."), "right");
    CHECK_TEXT(judge("24.88 + 14.3B ≤ 80 is what fits.  It has 4 layers."), "");
    CHECK_TEXT(judge("24.88 + 14.3B ≤ 80, and the maximum batch is 2."), "");
}

/* Formulas that were copied from a page stand there three times, with nothing between them. */
static void check_copies(void)
{
    CHECK_TEXT(judge("So 2×768=15362 \\times 768 = 15362×768=1536 of them."), "right");
    CHECK_TEXT(judge("So 2×768=15632 \\times 768 = 15632×768=1563 of them."), "wrong: 1,536");
    CHECK_TEXT(judge("So 2×3×768=4,6082 \\times 3 \\times 768 = 4,6082×3×768=4,608 of them."), "right");
    CHECK_TEXT(judge("So 589,824+7,168=596,992589,824 + 7,168 = 596,992589,824+7,168=596,992"), "right");
    CHECK_TEXT(judge("So 12 × 4,718,5922 = 56,623,104 of them."), "unknown");
    CHECK_TEXT(judge("So 3 × 4 = 12, and \\times is a sign, and 3 × 4 = 12."), "right, right");
}

/* Two forms of one sum: one of its terms is another one, or was rounded. */
static void check_steps(void)
{
#define SUM "2 × 1024 × 1600 × 1600 × 48 + 2 × 1024 × 1600 × 50257 = "
    CHECK_TEXT(judge(SUM "48 × 5,242,880,000 + 164,682,137,600"), "right");
    CHECK_TEXT(judge(SUM "48 × 5,242,880,000 + 146,682,137,600"), "wrong: 416,340,377,600");
    CHECK_TEXT(judge(SUM "251,658,240,000 + 146,682,137,600"), "wrong: 416,340,377,600");
    CHECK_TEXT(judge(SUM "251,658,240,000 + 164,700,000,000"), "slip");
#undef SUM
}

/* Letters with one value each, and a result that is nearly theirs. */
static void check_letters(void)
{
    CHECK_TEXT(judge("L = 12, D = 768\n\n4 × L × D² = 28,311,552"), "right");
    CHECK_TEXT(judge("L = 12, D = 768\n\n4 × L × D² = 28,911,552"), "wrong: 28,311,552");
    CHECK_TEXT(judge("L = 12, D = 768\n\n# b\n\nL = 24\n\n# c\n\n4 × L × D² = 28,911,552"), "unknown");
    CHECK_TEXT(judge("L = 12, D = 768\n\n4 × L × D² = 40,000,000"), "doubtful");
}

/* So much for each sequence, and so much once, with all digits and rounded. */
static void check_linear(void)
{
    static const char exact[] = "16,356,618,240 · B + 26,168,601,600 bytes.\n\n";
    char text[200];

    snprintf(text, sizeof text, "%sSo 16.36B + 26.17 GB.", exact);
    CHECK_TEXT(judge(text), "right");
    snprintf(text, sizeof text, "%sSo 24.37 GiB + 15.23 × batch", exact);
    CHECK_TEXT(judge(text), "right");
    snprintf(text, sizeof text, "%sSo 16.36B + 26.71 GB.", exact);
    CHECK_TEXT(judge(text), "wrong: 26,168,601,600 bytes");
    snprintf(text, sizeof text, "%sSo 16.36B + 80 GB.", exact);
    CHECK_TEXT(judge(text), "");
}

/* Memory that grows with the batch: said again, for so many sequences, and how many fit. */
static void check_growth(void)
{
    static const char each[] = "Memory is 10.49 · batch_size + 26.17 GB.\n\n";
    char text[200];

    snprintf(text, sizeof text, "%sSo 80 ≥ 10.49·B + 26.17 → B ≤ 5.13 → B_max = 5", each);
    CHECK_TEXT(judge(text), "right, right, right");
    snprintf(text, sizeof text, "%sThe maximum batch size for 80 GB is 5.", each);
    CHECK_TEXT(judge(text), "right");
    snprintf(text, sizeof text, "%sThe maximum batch size for 80 GB is 7.", each);
    CHECK_TEXT(judge(text), "wrong: 5");
    snprintf(text, sizeof text, "%sThe maximum batch size for 80 GB is 3.", each); /* something is kept free */
    CHECK_TEXT(judge(text), "");
    snprintf(text, sizeof text, "%sFor batch size 4 that is 68.13 GB, for batch size 2 about 49 GB.", each);
    CHECK_TEXT(judge(text), "right");
    snprintf(text, sizeof text, "%sFor batch size 4 it is 70.13 GB.", each);
    CHECK_TEXT(judge(text), "");
    CHECK_TEXT(judge("$3.985\\times10^9 \\cdot B + 8.187\\times10^9$ numbers, or 15.94 B + 32.75 GB."), "right");
}

/* Signs and names that stand where others have blanks, brackets or digits. */
static void check_writing(void)
{
    CHECK_TEXT(judge("7Bx0.5 = 3.5GB"), "right");
    CHECK_TEXT(judge("7Bx2 = 7GB"), "wrong: 14,000,000,000 (14 GB)");
    CHECK_TEXT(judge("4 / (989.5 × 10¹²) ≈ 4.0 × 10⁻¹⁵ s"), "right");
    CHECK_TEXT(judge("134,077,440 - 38,597,376 (tok_emb) - 196,608 (pos_emb) = 95,283,456"), "right");
    CHECK_TEXT(judge("$\\underbrace{2N}_{\\text{weights}} + \\underbrace{12N}_{\\text{optimizer}} = 14N$"), "right");
    CHECK_TEXT(judge("$0.9 \\times 80 - 35_{\\text{weights}} - 3_{\\text{rest}} = 34$ GB"), "right");
    CHECK_TEXT(judge("- On a T4: - `350 * 14 GFLOP / 65 TFLOP/s`= 75 ms"), "right");
    CHECK_TEXT(judge("`4,536 * $1.00 = $4,536`"), "right");
    CHECK_TEXT(judge("8K × $3.50 = $0.03"), "doubtful");
    CHECK_TEXT(judge("17,179,869,184 / 312,000,000,000,000. = 0.000055 s"), "right");
    CHECK_TEXT(judge("27次乘法+18次加法=45 FLOPs"), "right");
    CHECK_TEXT(judge("24×2 万=48 万"), "right");
    CHECK_TEXT(judge("M_参数 = 4N\nM_优化器 = 8N\n\nwith N = 30,000,000"), "");
    CHECK_TEXT(judge("size $= 4096^2 \\times 2 = 32$~MB"), "right");
    CHECK_TEXT(judge("2,25 GB + 1,25 GB = 3,5 GB"), "right");
    CHECK_TEXT(judge("(1,2 ms)"), "");
    CHECK_TEXT(judge("2,127,057,600 parameters (2.31B)"), "wrong: 2,127,057,600 (2.1271 B)");
    CHECK_TEXT(judge("Attention:  18.79B  0.8%  (18,790,481,920)"), "right");
    CHECK_TEXT(judge("14.49 × 12 = 173.95"), "slip");
}

/* Bytes that are called more than others. */
static void check_order(void)
{
    CHECK_TEXT(judge("That is 38.6 GB, exceeding the 40 GB of an A100."), "wrong: less than 40 GB");
    CHECK_TEXT(judge("It needs 40.96 GB > 47.6 GB of room."), "wrong: less than 47.6 GB");
    CHECK_TEXT(judge("That is 48.6 GB, exceeding the 40 GB of an A100."), "");
    CHECK_TEXT(judge("That is 38.6 GB, not exceeding 40 GB."), "");
    CHECK_TEXT(judge("A card of 40 GB (its peers have >80 GB)."), "");
    CHECK_TEXT(judge("14 GB + 26 GB exceed 32 GB."), "");
}

/* Products of a table, its totals, and what the heads of its columns are. */
static void check_products(void)
{
    CHECK_TEXT(judge("| op | shape | FLOPs = 2mnp |\n|-|-|-|\n| q | 1024 × 1600 × 1600 | 5,242,880,000 |\n"
                     "| up | T × D × F = 1024 × 1600 × 4288 | 14,073,241,600 |"),
               "right, right, wrong: 14,050,918,400");
    CHECK_TEXT(judge("| op | shape | parameters |\n|-|-|-|\n| up | 1600 × 4288 | 13,741,600 |"), "");
    CHECK_TEXT(judge("| a | working | size |\n|-|-|-|\n| x | 2 × 32 × 4096 × 512 × 2 | 256 MB |"), "right");
    CHECK_TEXT(judge("| context | cache |\n|-|-|\n| 1K tokens | ~0.5 GB |\n| 8K tokens | ~4 GB |\n"
                     "| 32K tokens | ~16 GB |\n| 128K tokens | ~64 GB |"),
               "right, right, right, right");
    CHECK_TEXT(
        judge("| model | params | FP16 | INT8 |\n|-|-|-|-|\n| a | 8B | 16 GB | 8 GB |\n| b | 70B | 140 GB | 75 GB |"),
        "right, right, right");
    CHECK_TEXT(judge("2. Attention:\n   q: 40 × 40 = 1,600\n   k: 40 × 10 = 400\n   total: 2,010"),
               "right, right, wrong: 2,000");
    CHECK_TEXT(judge("| type | bytes | 7B model |\n|-|-|-|\n| fp32 | 4 | 28 GB |\n| fp16 | 2 | 14 GB |\n"
                     "| int8 | 1 | 7 GB |\n| int4 | 0.5 | 3.5 GB |"),
               "right, right, right, right");
    CHECK_TEXT(judge("| type | bytes | 9B model |\n|-|-|-|\n| fp32 | 4 | 28 GB |\n| fp16 | 2 | 14 GB |\n"
                     "| int8 | 1 | 7 GB |\n| int4 | 0.5 | 3.5 GB |"),
               "");
    CHECK_TEXT(judge("| part | size |\n|-|-|\n| a | 11.0 M |\n| b | 37.7 M |\n| c | 4.1 M |\n| d | 134.7 M |\n"
                     "| total | ≈ 176 M |"),
               "doubtful");
    CHECK_TEXT(judge("```\n3 × 70 = 210\n4 × 50 = 220\n───────────\nblock  = 410\n```"), "right, wrong: 200, right");
    CHECK_TEXT(judge("x\n\n```\n- context: 10 KB each\n- 100M × 10 KB = 1 TB\n```"), "right");
    CHECK_TEXT(judge("Of N paths.\n\nweights: N × 2\n\ngradients: N × 2\n\ntotal: N × 4"), "right");
}

static void check_hostile(void)
{
    rk_audit *a = NULL;

    CHECK(run_repeated("1 = ", "(", 10000, "2") == RK_OK);
    CHECK(run_repeated("2 * ", "(", 10000, "= 3") == RK_OK);
    CHECK(run_repeated("$", "{", 10000, "= 3$") == RK_OK);
    CHECK(run_repeated("1 = ", "9", 1000, " + 1") == RK_OK);
    CHECK(run_repeated("", "9^", 5000, "9 = 1") == RK_OK);
    CHECK(run_repeated("", "\\frac{", 5000, "") == RK_OK);
    CHECK(run_repeated("", "- total: 5\n", 50000, "") == RK_OK);
    CHECK(run_repeated("|a|b|\n|-|-|\n", "|total|5|\n", 50000, "") == RK_OK);
    CHECK(run_repeated("", "((((=", 50000, "") == RK_OK);
    CHECK(run_repeated("", "a = b + c\n", 50000, "") == RK_OK);
    CHECK(run_repeated("x = a + b + c + d + e + f + g\n", "x^8 * x^8 = 3\n", 3000, "") == RK_OK);
    CHECK(run_repeated("", "3,", 100000, "") == RK_OK);
    CHECK(run_repeated("", "12.5 % ", 10000, "") == RK_OK);
    CHECK(run_repeated("", "the layer has 12,345,678 numbers\n", 10000, "") == RK_OK);
    CHECK(run_repeated("x", "\xff\xfe\x80=", 10000, "") == RK_OK);
    CHECK(rk_audit_new(t_lexicon(), "", 0, &a, NULL) == RK_OK);
    rk_audit_free(a);
    CHECK(rk_audit_new(t_lexicon(), "a\0b", 3, &a, NULL) == RK_EINPUT);
    CHECK(rk_audit_new(t_lexicon(), "\xff\xfe\x31\x00", 4, &a, NULL) == RK_EINPUT);
}

/* Columns that are worked out of two others, or of a number that the text says above the table. */
static void check_quotients(void)
{
#define BATCHES(rate)                                                                                                  \
    "| batch | time | tokens a second |\n|---|---|---|\n| 1 | 4.90 ms | 204 |\n| 8 | 6.10 ms | 1,311 |\n"              \
    "| 32 | 9.90 ms | 3,232 |\n| 64 | 15.0 ms | " rate " |\n"
#define LENGTHS                                                                                                        \
    "| length | cache |\n|---|---|\n| 8K | ~6.3 GB |\n| 32K | ~25 GB |\n| 128K | ~100 GB |\n| 262K | ~206 GB |\n"
    CHECK_TEXT(judge(BATCHES("4,267")), "right, right, right, right");
    CHECK_TEXT(judge(BATCHES("4,567")), "");
    CHECK_TEXT(judge("A token takes 786 KB.\n\n" LENGTHS), "right, right, right, right");
    CHECK_TEXT(judge("A token takes 486 KB.\n\n" LENGTHS), "right, right, right, right"); /* by themselves */
    CHECK_TEXT(
        judge("| MFU | rate |\n|---|---|\n| 20% (poor) | 3.16e15 FLOP/s |\n| 35% (fair/good) | 5.54e15 FLOP/s |\n"
              "| 50% (good) | 7.91e15 FLOP/s |\n"),
        "right, right, right");
#undef LENGTHS
#undef BATCHES
}

/* Letters that the text gives no value have those of its sizes, and make nothing wrong. */
static void check_roles(void)
{
#define SIZES "vocab_size=50257, d_model=1600\n\n"
    CHECK_TEXT(judge(SIZES "The table has V × d = 80,411,200 parameters.\n"), "right");
    CHECK_TEXT(judge(SIZES "The table has V × d = 80,411,300 parameters.\n"), "unknown");
    CHECK_TEXT(judge(SIZES "Here d_model=768.\n\nThe table has V × d = 80,411,200 parameters.\n"), "unknown, right");
#undef SIZES
}

/* What is neither in GB nor in GiB, steps of which one term is wrong, signs in braces, shares that are a little off. */
static void check_small_print(void)
{
    CHECK_TEXT(judge("So 4096 × 320 KB = 1.28 GB."), "wrong: 1,310,720,000 (1.3107 GB)");
    CHECK_TEXT(judge("So 4096 × 320 KB = 1.31 GB, and 4096 × 320 KB = 1.25 GB."), "right, right");
    CHECK_TEXT(judge("So 4096 × 320 KB = 1.22 GB."), "doubtful");
    CHECK_TEXT(judge("So 3584 × 18944 + 18944 × 4 = 67,891,136 + 75,776."), "wrong: 67,971,072");
    CHECK_TEXT(judge("So 3584 × 18944 + 18944 × 4 = 67,895,296 + 75,776."), "right");
    CHECK_TEXT(judge("It takes 3×2×8×1024×4096×10922 ≈ 0.55 GFLOPs."), "wrong: 2,198,889,037,824 (2,198.889 GFLOPs)");
    CHECK_TEXT(judge("sizes\n    d_model\t1280\n    vocab_size  50257\n\nvocab_size × d_model = 64,328,960\n"),
               "right");
    CHECK_TEXT(judge("It takes 2 * 1,600 * 1,024 * 1,024 = 3.36 GLOPs."), "doubtful");
    CHECK_TEXT(judge("- 5 × 16 × 1,048,576\n- **Result**: 83,886,080 FLOPs\n"), "right");
    CHECK_TEXT(judge("- 5 × 16 × 1,048,576\n- **Result**: 83,888,080 FLOPs\n"), "wrong: 83,886,080");
    CHECK_TEXT(judge("It is 2 * 1,024 * 1,600 (4 * 1,600 + 4) = 20,984,627,200."), "right");
    CHECK_TEXT(judge("It is $2{\\cdot}3{\\times}10^6 = 6{\\times}10^6$."), "right");
    CHECK_TEXT(judge("(2 × 8192 × 8192 × 80 × 2) / 2^30 = 19"), "wrong: 20");
    CHECK_TEXT(judge("| part | small | large |\n|---|---|---|\n| FFN | 60.1% | 64.2% |\n| rest | 39.9% | 36.8% |\n"
                     "| total | 350 Billion | 1.03 Trillion |\n"),
               "");
}

/* Each allocation fails in turn: an error, never a crash. */
/* Powers that are no whole numbers, and functions, of plain numbers. */
static void check_functions(void)
{
    CHECK_TEXT(judge("$0.07^{0.28} \\approx 0.47$, and 2^{0.5} = 1.41."), "right, right");
    CHECK_TEXT(judge("5^{0.34} = 1.60 of it."), "wrong: 1.7284");
    CHECK_TEXT(judge("log2(1024) = 10, ln(50257) = 10.82, $\\log_{10}\\left(1000\\right) = 3$, $\\exp(-1) = 0.368$."),
               "right, right, right, right");
    CHECK_TEXT(judge("ln(0) = 0, log2(-4) = 2, (-2)^0.5 = 1."), "unknown, unknown, unknown");
}

/* Terms with their names before them, words between a sign and its result, numbers as they are copied. */
static void check_named_terms(void)
{
    CHECK_TEXT(judge("So 23 GB = weights 14 GB + cache 8 GB + the rest 1 GB."), "right");
    CHECK_TEXT(judge("是故**23GB**=权重占用**14GB**+kv cache占用**8GB**+其它项**1GB**"), "right");
    CHECK_TEXT(judge("400K * 14s -> approx 64 days"), "slip");
    CHECK_TEXT(judge("剩余显存**24-14=10GB**，即**10\\*0.4=4GB**"), "right, right");
    CHECK_TEXT(judge("The weights: 7×109×4B=28GB, 12.9×109×4B=51.6GB."), "right, right");
    CHECK_TEXT(judge("70×10^9 parameters×2 Bytes/parameter=14GB of it."), "wrong: 140,000,000,000 (140 GB)");
    CHECK_TEXT(judge("15'311'908'864 + 1'000'000 = 15'312'908'864"), "right");
    CHECK_TEXT(judge("$s = 512$, $u = 2$: $12\\times 5120^2\\times 512/312e12 = 344us$, $2560us\\simeq 3\\text{ms}$"),
               "wrong: 516.22 us, right");
    CHECK_TEXT(judge("32768 × 4096 × 32 × 2(K+V) × 2 bytes (fp16) = 16 GB; 32 × 128 × 2 (K+V) × 2 bytes = 16 KB"),
               "right, right");
    CHECK_TEXT(judge("$K = 4\\ (\\text{master}) + 4\\ (m) + 4\\ (v) = 12\\ \\text{Bytes}$"), "right");
    CHECK_TEXT(judge("1599 tokens × 48 layers × 8 topk = **614 016\nlook-ups** more"), "right");
    CHECK_TEXT(judge("With Nd = 1 it is 16Ψ.\n\n`16Ψ/Nd = 8Ψ (with Nd=2)`\n"), "");
    CHECK_TEXT(judge("5M tokens/hour = 1,389 tokens/second, 109,000/day = ~3.27M/month"), "right, right");
    CHECK_TEXT(judge("1 PFLOP/s ≈ 8.6 × 10^19 FLOP/day, 1 PFLOP/s ≈ 3.3 × 10^20 FLOP/day"),
               "right, wrong: 1,000,000,000,000,000 (0.864 × 10^20 FLOP/day)");
    CHECK_TEXT(judge("20 requests/day = 440 requests/month, 20 tokens/s = 5 tokens/day"), "");
    CHECK_TEXT(judge("6.3 × 10^24 = 6.3 ZettaFLOPs of it"),
               "wrong: 6,300,000,000,000,000,000,000,000 (6,300.0 ZettaFLOPs)");
}

/* "≈" before a computation is about all that comes out of it, and not about its first number. */
static void check_about(void)
{
    CHECK_TEXT(judge("It is ≈ 4 × 1024 × (48 × (24 × 1600 + 2 × 25 × 1024) + 50257) ≈ 18.4 GB."),
               "wrong: 17,821,929,472 (17.822 GB)");
    CHECK_TEXT(judge("Per layer ≈ 4 × 4096 × 2048 × 4 bytes = 512 MB."), "wrong: 134,217,728 (134.22 MB)");
    CHECK_TEXT(judge("2 × 2048 × 4096 × 11008 ≈ 184.5 GFLOPS"), "slip");
    CHECK_TEXT(judge("7.5e12 / 1.76e9 / 4 ~ 1024 of them"), "slip");
    CHECK_TEXT(judge("500 rows × 20 columns = 40,000 tokens"), "doubtful");
    CHECK_TEXT(judge("192 GB - 17.5 GB - 4.4 GB = 170.6 GB, 192 GB - 17.5 GB - 4.4 GB = 170.1 GB"), "slip, right");
    CHECK_TEXT(judge("For four it is 56/0.002 ≈ 23000, and 56/0.002 ≈ 28000."), "slip, right");
    CHECK_TEXT(judge("406.8 × 10^9 × 2 bytes = 813.6 GB ≈ 818.6 GB"), "right, wrong: 813,600,000,000 (813.6 GB)");
    CHECK_TEXT(judge("406.8 × 10^9 × 2 bytes = 813.6 GB ≈ 820 GB"), "right, doubtful");
    CHECK_TEXT(judge("15×10^12 / 78000 ≈ 192,000 seconds"), "wrong: 192,307,692.31");
    CHECK_TEXT(judge("It has 65536 × 8 = 64KB."), "doubtful");
}

/* Quotients that are cut off, units that are left by hand, "per month", words for a scale with a capital. */
static void check_other_writing(void)
{
    CHECK_TEXT(judge("1024 * ((14198 + 1024 - 1) // 1024) = 14336, and 100 // 7 = 15."), "right, wrong: 14");
    CHECK_TEXT(judge("280GB÷900GB/s≈0.31s"), "right");
    CHECK_TEXT(judge("200B / (8 * 4) * 2 bytes = 6.25 GB of it"), "wrong: 12,500,000,000 (12.50 GB)");
    CHECK_TEXT(judge("200B / (8 * 4) * 2 bytes = 3.125 GB of it"), "doubtful");
    CHECK_TEXT(judge("989e12 × 1024 × 86400 ≈ 8.75 × 10^19 FLOPs/day"),
               "wrong: 87,500,390,400,000,000,000,000 (8,750.039 × 10^19 FLOPs/day)");
    CHECK_TEXT(judge("It is $30 per month × 12 months = $360 per year."), "doubtful");
    CHECK_TEXT(judge("0.5 MiB * 1M tokens / 1024 = 488 GiB of it."), "right");
    CHECK_TEXT(judge("It is 3 x 768 x 768 = 1.77 Million, and 50,257 x 768 = 38.4 Million."),
               "right, wrong: 38,597,376 (38.597 Million)");
    CHECK_TEXT(judge("$$26.169\\ GB + 16.357\\ GB\\cdot B \\le 80\\ GB$$\n\n"
                     "The largest batch is 3 (B=3: 75.24 GB, B=4: 91.60 GB).\n"),
               "right, right, right, right");
    CHECK_TEXT(judge("| part | bytes | MiB |\n|-|-|-|\n| a | 90,785,792 | 86.58 |\n| b | 181,571,584 | 173.16 |\n"),
               "right, right, right");
}

/* Letters: one factor of a sum, numbers between a formula and its result, values of another section. */
static void check_coefficients(void)
{
    CHECK_TEXT(judge("$3\\times 2BTH + 3\\times 2BTH + 2BT^2N + 2BTH = 16BTH + 2BT^2N$"), "wrong: 2BT²N + 14BTH");
    CHECK_TEXT(judge("$2BTH + 2BT^2N = 2BTH + 4BTN$"), "doubtful");
    CHECK_TEXT(judge("d = 1,600, f = 6,400\n\n`d * f = 1,300 * 6,400 = 10,240,000`\n"), "wrong: 8,320,000");
    CHECK_TEXT(judge("d = 1,600, f = 6,400\n\n`d * f = 1,600 * 6,400 = 10,240,000`\n"), "right, right");
    CHECK_TEXT(judge("k := 2 * 1024 * 1600 * 1600\n\nhead: 2 * 1024 * 1600 * 50257 = 31k\n"), "right");
    CHECK_TEXT(judge("# a\nD = 4096\n# b\nD = 8192\n# c\n2 * D * D = 33.55M\n"), "right");
}

/* So much for each of something, and how many there are; all lines but one; what a type takes of a long number. */
static void check_each(void)
{
#define EACH                                                                                                           \
    "KV cache: 4 MB per token\n\n- 4K context: 16 GB\n- 8K context: 32 GB\n- 16K context: 64 GB\n- 32K context: "
    CHECK_TEXT(judge(EACH "128 GB\n"), "right, right, right, right");
    CHECK_TEXT(judge(EACH "140 GB\n"), "right, right, right, wrong: 128,000,000,000 (128 GB)");
    CHECK_TEXT(judge(EACH "~140 GB\n"), "right, right, right");
    CHECK_TEXT(judge(EACH "700 GB\n"), "right, right, right");
#undef EACH
    CHECK_TEXT(judge("**Per layer total**: ~6 GB\n\n**All 126 layers**: ~756 GB\n"), "right");
    CHECK_TEXT(
        judge("$$P = 1,635,537,600$$\n\n| part | memory |\n|-|-|\n| Parameters | 6.542 GB |\n| AdamW | 13.084 GB |\n"),
        "right, right");
    CHECK_TEXT(judge("It has 2127057600 of them, 7.9239070415 GB to load (fp32)."), "right");
    CHECK_TEXT(judge("It takes 1.50 GB / 48 GB/s = 31ms → **32 tok/s** of it."), "right, right");
    CHECK_TEXT(judge("The pass: 9.2 TFLOPs per step (6N rule: 6 × 1.5B × 1,024 tokens)."), "right");
    CHECK_TEXT(judge("It is 131,072 bytes (about 128 KiB per token position)."), "right");
    CHECK_TEXT(judge("KV cache of it: 34.4 GB (64 layers × 262144 × 512 × 2 bytes)"), "");
}

/* Totals of some of the rows, and shares of what all rows add up to. */
static void check_totals_of_some(void)
{
    CHECK_TEXT(
        judge("| part | parameters |\n|-|-|\n| embedding | 80,411,200 |\n| attention, per layer | 10,240,000 |\n"
              "| one block, each | 30,825,600 |\n| 48 blocks | 1,479,628,800 |\n| **Total** | 1,560,040,000 |\n"),
        "right, right");
    CHECK_TEXT(judge("| what | per day |\n|-|-|\n| Requests | 30,000 |\n| Input tokens | 1,800,000 |\n"
                     "| Output tokens | 75,000,000 |\n| Total tokens | 76,800,000 |\n"),
               "right");
    CHECK_TEXT(judge("```\nparams = 7B × 4 bytes = 28 GB\ngrads = 7B × 4 bytes = 28 GB\nAdam = 7B × 8 bytes = 56 GB\n"
                     "------\nTotal = 112 GB\n```\n"),
               "right, right, right, right");
    CHECK_TEXT(judge("```\nhead : 79,047,426,048 | 23.93 %\nattn : 77,309,411,328 | 23.41 %\nffn : 173,946,175,488 | "
                     "52.66 %\n```\n"),
               "right, right, right");
    CHECK_TEXT(judge("```\nhead : 79,047,426,048 | 23.93 %\nattn : 77,309,411,328 | 24.41 %\nffn : 173,946,175,488 | "
                     "52.66 %\n```\n"),
               "right, wrong: 23.4056 %, right");
    CHECK_TEXT(judge("{\n\"warmup_min_lr\": 0,\n\"warmup_max_lr\": 3,\n\"warmup_num_steps\": "
                     "997,\n\"total_num_steps\": 100000\n}\n"),
               "");
    CHECK_TEXT(judge("| m | weights | cache | sum |\n|-|-|-|-|\n| a | 19 | 25 | 44GB |\n| b | 60 | 25 | 85GB |\n| c | "
                     "70 | 25 | 95GB |\n"),
               "right, right, right");
    CHECK_TEXT(judge("BERT (340M params) → DistilBERT (66M params, 6x faster)"), "");
}

/* Devices that hold what they are said to. */
static void check_devices(void)
{
    CHECK_TEXT(judge("`671e9 * 2 = 1342 GB` (requires 8× H100 80GB or 17× A100 80GB)"), "right, wrong: 17, right");
    CHECK_TEXT(judge("A total of 183 GB fits on 3× A100 80GB with room to spare."), "right");
    CHECK_TEXT(judge("So 140 GB needs at least 2x H100 (80 GB) here."), "right");
    CHECK_TEXT(judge("So 140 GB fits on 1× A100 80GB after 4-bit."), "");
    CHECK_TEXT(judge("The 140 GB of it, and 1× A100 80GB."), "");
    CHECK_TEXT(judge("So 75 GB needs 8× H100 80GB."), "");
}

static void check_memory(void)
{
    static const char text[] =
        "T = 4\n\n- a: 2 * T = 8\n- b: 3 (27%)\n- total: 12\n\n| a | 1 |\n|-|-|\n| b | 2 |\n| c | 3 |\n"
        "| total | 4 |\n";
    int code = RK_ENOMEM;

    for (long n = 0; code == RK_ENOMEM && n < 10000; n++) {
        rk_audit *a = NULL;

        rk_heap_fail_after(n);
        code = rk_audit_new(t_lexicon(), text, strlen(text), &a, NULL);
        rk_heap_fail_after(-1);
        rk_audit_free(a);
    }
    CHECK(code == RK_OK);
}

int main(void)
{
    check_numbers();
    check_symbols();
    check_blanks();
    check_sums();
    check_notations();
    check_doubts();
    check_tables();
    check_notes();
    check_context();
    check_accounts();
    check_evidence();
    check_follows();
    check_terms();
    check_again();
    check_terms_of_sums();
    check_fences();
    check_heads();
    check_units();
    check_times();
    check_forms();
    check_steps();
    check_weights();
    check_quotients();
    check_roles();
    check_small_print();
    check_range_sums();
    check_bounds();
    check_sizes_of_columns();
    check_copies();
    check_named();
    check_letters();
    check_linear();
    check_growth();
    check_writing();
    check_order();
    check_products();
    check_hostile();
    check_functions();
    check_named_terms();
    check_about();
    check_other_writing();
    check_coefficients();
    check_each();
    check_totals_of_some();
    check_devices();
    check_memory();
    return t_done("audit");
}
