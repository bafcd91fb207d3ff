/* SPDX-License-Identifier: MIT */
/*
 * What texts say about models: accounts of tests/claims, each beside a file that says which model it is about, which
 * lines state a quantity of it, and what holds; letters; texts that mean harm.
 */
#include "../lexicon.h"
#include "../t.h"

#include "audit/bind.h"
#include "base/file.h"
#include "plan/setting.h"

#include <dirent.h>
#include <stdlib.h>

static const char *const status_word[] = RK_CLAIM_STATUS_WORDS;

/* ---- a text and a model ------------------------------------------------------------------------------------------ */

typedef struct subject {
    rk_arena arena;
    const char *word;
    rk_setting setting[8];
    rk_open_request request;
    rk_bind_source source;
    rk_audit *audit;
    rk_err err;
} subject;

/* "gpt2-xl S=2048" */
static bool subject_open(subject *s, const char *model, const char *text, size_t n, const char *let)
{
    size_t length = strcspn(model, " \n");

    *s = (subject){.word = NULL};
    s->word = rk_arena_copy(&s->arena, model, length);
    s->request = (rk_open_request){.word = &s->word, .n_word = 1, .setting = s->setting};
    for (model += length; *model == ' ';) {
        length = strcspn(++model, " \n");
        if (rk_setting_parse(&s->arena, rk_arena_copy(&s->arena, model, length), &s->setting[s->request.n_setting++],
                             &s->err) != RK_OK)
            return false;
        model += length;
    }
    s->source.reopen = &s->request;
    return rk_open(&s->request, &s->source.instance, &s->err) == RK_OK &&
           (!let || rk_bind_let(&s->arena, let, &s->source, &s->err) == RK_OK) &&
           rk_audit_new(t_lexicon(), text, n, &s->audit, &s->err) == RK_OK &&
           rk_bind(s->audit, &s->source, NULL, &s->err) == RK_OK;
}

static void subject_close(subject *s)
{
    rk_audit_free(s->audit);
    rk_instance_free(s->source.instance);
    rk_arena_free(&s->arena);
}

/* ---- precision and recall ---------------------------------------------------------------------------------------- */

typedef struct score {
    size_t n_claim, n_bound;  /* that the accounts make; of them, bound and judged as they should be */
    size_t n_wrong, n_caught; /* mistakes; those that were called wrong, with what holds */
    size_t n_alarm;           /* what was called wrong and is not */
} score;

typedef struct want {
    size_t line;
    char status[16], found[80];
    bool used;
} want;

static size_t read_want(char *text, want *out, size_t most)
{
    size_t n = 0;

    for (char *p = text; *p && n < most; p += strcspn(p, "\n") + (strchr(p, '\n') != NULL)) {
        out[n] = (want){0};
        if (*p != '#' && sscanf(p, "%zu %15s %79[^\n]", &out[n].line, out[n].status, out[n].found) >= 2)
            n++;
    }
    return n;
}

/* What is expected of a claim: one of its line with its status, or else any of its line. */
static want *expected(want *w, size_t n, const rk_claim *c)
{
    want *any = NULL;

    for (size_t i = 0; i < n; i++) {
        if (w[i].line != c->line || w[i].used)
            continue;
        if (strcmp(w[i].status, status_word[c->status]) == 0 &&
            (c->status != RK_CLAIM_WRONG || strcmp(w[i].found, c->found) == 0))
            return &w[i];
        any = any ? any : &w[i];
    }
    return any;
}

static void judge_claim(score *s, const char *name, const rk_claim *c, want *w, size_t n)
{
    want *e = expected(w, n, c);
    bool same = e && strcmp(e->status, status_word[c->status]) == 0;
    bool wrong = c->status == RK_CLAIM_WRONG, should = e && strcmp(e->status, "wrong") == 0;

    same = same && (!wrong || strcmp(e->found, c->found) == 0);
    s->n_bound += same;
    s->n_caught += wrong && same;
    s->n_alarm += wrong && !should;
    if (!same)
        printf("%s:%zu: %s, %s, %s (%s), but it is %s %s\n", name, c->line, c->text, status_word[c->status],
               c->found ? c->found : "", c->note ? c->note : "", e ? e->status : "no claim", e ? e->found : "");
    if (e)
        e->used = true;
}

static void judge_account(score *s, const char *name, const rk_audit *a, char *text)
{
    static want w[256];
    size_t n = read_want(text, w, sizeof w / sizeof *w);

    for (size_t i = 0; i < n; i++) {
        s->n_claim++;
        s->n_wrong += strcmp(w[i].status, "wrong") == 0;
    }
    for (size_t i = 0; i < a->claim.n; i++)
        if (a->claim.at[i].quantity)
            judge_claim(s, name, &a->claim.at[i], w, n);
    for (size_t i = 0; i < n; i++)
        if (!w[i].used)
            printf("%s:%zu: a claim that is %s was not found\n", name, w[i].line, w[i].status);
}

static void score_file(score *s, const char *folder, const char *want_name)
{
    static const char head[] = "# model ";
    rk_arena arena = {0};
    subject x = {0};
    char *text, *want_text, path[512];
    size_t n, n_want;

    snprintf(path, sizeof path, "%s/%s", folder, want_name);
    if (!CHECK(rk_file_read(&arena, path, 1 << 20, &want_text, &n_want, NULL) == RK_OK))
        return;
    path[strlen(path) - strlen(".want")] = '\0';
    if (CHECK(strncmp(want_text, head, sizeof head - 1) == 0) &&
        CHECK(rk_file_read(&arena, path, 1 << 20, &text, &n, NULL) == RK_OK) &&
        CHECK(subject_open(&x, want_text + sizeof head - 1, text, n, NULL)))
        judge_account(s, path, x.audit, want_text);
    subject_close(&x);
    rk_arena_free(&arena);
}

static score score_folder(const char *folder)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, NULL, alphasort);
    score s = {0};

    for (int i = 0; i < n; i++) {
        const char *end = strrchr(entry[i]->d_name, '.');

        if (end && strcmp(end, ".want") == 0)
            score_file(&s, folder, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return s;
}

/* The figures of docs/audit.md: what falls below them has become worse. */
static void check_accounts(void)
{
    score s = score_folder("tests/claims");

    printf("claims: %zu of %zu bound and judged as they should be; %zu of %zu mistakes found, %zu false alarms\n",
           s.n_bound, s.n_claim, s.n_caught, s.n_wrong, s.n_alarm);
    CHECK(s.n_claim >= 120);
    CHECK(s.n_alarm == 0);
    CHECK(s.n_caught * 100 >= s.n_wrong * 90);
    CHECK(s.n_bound * 100 >= s.n_claim * 90);
}

/* ---- one sentence at a time -------------------------------------------------------------------------------------- */

/* The statuses of all claims about the model, in order, with what holds after a wrong one. */
static const char *judge(const char *model, const char *let, const char *text)
{
    static char out[4096];
    char *whole = NULL; /* with the end of its last line: without it, the text may have been cut there */
    subject s;

    out[0] = '\0';
    if (!CHECK(asprintf(&whole, "%s\n", text) > 0))
        return out;
    if (!subject_open(&s, model, whole, strlen(whole), let)) {
        snprintf(out, sizeof out, "%s", s.err.message);
    } else {
        for (size_t i = 0; i < s.audit->claim.n; i++) {
            const rk_claim *c = &s.audit->claim.at[i];
            size_t n = strlen(out);

            if (c->kind == RK_CLAIM_MODEL)
                snprintf(out + n, sizeof out - n, "%s%s%s%s", n ? ", " : "", status_word[c->status],
                         c->status == RK_CLAIM_WRONG ? ": " : "", c->status == RK_CLAIM_WRONG ? c->found : "");
        }
    }
    subject_close(&s);
    free(whole);
    return out;
}

static void check_sentences(void)
{
    CHECK_TEXT(judge("gpt2-xl", NULL, "The scores of one layer take 3,355,443,200 FLOPs."), "right");
    CHECK_TEXT(judge("gpt2-xl", NULL, "All in all 1,557,611,200 parameters, 6.23 GB in fp32."), "right, right");
    CHECK_TEXT(judge("gpt2-xl", NULL, "In total the model has 1.58 billion parameters."),
               "wrong: 1,557,611,200 (1.5576 billion)");
    CHECK_TEXT(judge("gpt2-xl", NULL, "It was seen by 12,345,678 people in 2019."), "");
    CHECK_TEXT(judge("gpt2-xl", NULL, "A vocabulary of 50,257 words."), "");
    CHECK_TEXT(judge("gpt2-xl", NULL, "GPT-3 has 175B parameters, and 96 layers."), "");
}

/* What a text says is not so is no claim. */
static void check_denials(void)
{
    static const char rows[] = "Parameters per layer: q_proj 16,777,216, k_proj 4,194,304, mlp 176,160,768.\n\n";
    char text[512];

    snprintf(text, sizeof text, "%sAttention is 4 * 4096^2 = 67.1M parameters per layer.", rows);
    CHECK_TEXT(judge("llama-3.1-8b", NULL, text), "right, right, right, wrong: 41,947,136 (41.947 M)");
    snprintf(text, sizeof text, "%sAttention is not 4 * 4096^2 = 67.1M parameters per layer.", rows);
    CHECK_TEXT(judge("llama-3.1-8b", NULL, text), "right, right, right");
}

static void check_letters(void)
{
    CHECK_TEXT(judge("cs336-xl", "T=S,d=D", "Scores per block: `2T²d` FLOPs"), "right");
    CHECK_TEXT(judge("cs336-xl", NULL, "With a sequence length `T` and width `d`:\n\nScores per block: `2T²d` FLOPs"),
               "right");
    CHECK_TEXT(judge("cs336-xl", "T=Q", "x"), "--let: cs336-xl has no symbol 'Q'.  It has L, D, V, N, H, F, B, S, T.");
    CHECK_TEXT(judge("cs336-xl", "T", "x"), "--let: 'T' is not LETTER=SYMBOL, as in --let d=D,T=S");
}

/* ---- texts that mean harm ---------------------------------------------------------------------------------------- */

static void run_repeated(const char *piece, size_t n)
{
    rk_str text = {0};
    subject s;

    for (size_t i = 0; i < n; i++)
        rk_str_put(&text, piece);
    CHECK(subject_open(&s, "cs336-small", rk_str_text(&text), text.n, NULL));
    subject_close(&s);
    rk_str_free(&text);
}

static void check_hostile(void)
{
    run_repeated("L = 3, D = 7: scores 99999999999999999999999999999999999999999999999999 FLOPs\n", 300);
    run_repeated("# D = 1\n# L = 0\nblocks: 1e30 FLOPs, 10^35 FLOPs, 9^9^9 FLOPs\n", 300);
    run_repeated("losses: 1.4499969100123343e+36\n", 3);
    run_repeated("((((((query key value scores 1,000,000 FLOPs ", 500);
    run_repeated("| scores | 5,000,000 |\n", 500);
    run_repeated("per block per head per token all blocks total 7777777 parameters ", 500);
    run_repeated("- in total: 174,815,182,848 FLOPs and some more words of it\n", 9000); /* the text is asked once */
}

/* Lines that are rules, as long as lines may be, above figures that ask for a title. */
static void check_rules(void)
{
    enum {
        LINES = 40,
        LENGTH = 60000,
        FIGURES = 500
    };
    rk_str s = {0};

    for (int i = 0; i < LINES * LENGTH; i++)
        rk_str_putc(&s, i % LENGTH == LENGTH - 1 ? '\n' : '-');
    for (int i = 0; i < FIGURES; i++)
        rk_str_format(&s, "It has %d parameters.\n", 12345678 + i);
    CHECK_TEXT(judge("gpt2-xl", NULL, rk_str_text(&s)), "");
    rk_str_free(&s);
}

/* What the text has shown before it is called wrong: figures of the model, all their digits right. */
#define KNOWN                                                                                                          \
    "FLOPs of the GPT-2 XL shape:\n\n- q: 5,242,880,000 FLOPs\n- up: 20,971,520,000 FLOPs\n"                           \
    "- FFN: 62,914,560,000 FLOPs\n- LM head: 164,682,137,600 FLOPs\n"
#define KNOWN_RIGHT "right, right, right, right, "

/* Components by their names: whatever they may mean, and one layer or all. */
static void check_components(void)
{
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "- attention: 27,682,406,400 FLOPs"), KNOWN_RIGHT "right");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "- attention: 1,077,097,267,200 FLOPs"),
               KNOWN_RIGHT "wrong: 1,328,755,507,200");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "- attention softmax: 1,077,097,267,200 FLOPs"),
               "right, right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\nShares of the FLOPs:\n\n- QKV+O：约 22.3%"),
               "right, right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\nShares of the FLOPs:\n\n- QKV：约 32.3%"),
               KNOWN_RIGHT "wrong: 16.73 %");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\nGPT-2 small:\n\nFFN flops: 14,495,514,624"), KNOWN_RIGHT "right");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\nGPT-2 small:\n\nFFN flops: 20,132,659,200"),
               KNOWN_RIGHT "wrong: 14,495,514,624");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\nGPT-2 small:\n\nBack to GPT-2 XL then.\n\nFFN flops: 62,914,560,000"),
               KNOWN_RIGHT "right");
}

/* The width of an FFN that a table of other sizes leaves out may be 4D, or 8D/3. */
static void check_widths(void)
{
    static const char table[] = KNOWN "\n| model | layers | d_model | heads | FFN share of FLOPs |\n|-|-|-|-|-|\n"
                                      "| small | 12 | 768 | 12 | %s |\n";
    char text[1024];

    snprintf(text, sizeof text, table, "39.76%");
    CHECK_TEXT(judge("cs336-xl", NULL, text), "right, right, right, right");
    snprintf(text, sizeof text, table, "49.75%");
    CHECK_TEXT(judge("cs336-xl", NULL, text), KNOWN_RIGHT "right");
    snprintf(text, sizeof text, table, "67.31%");
    CHECK_TEXT(judge("cs336-xl", NULL, text), KNOWN_RIGHT "wrong: 49.75 %");
}

/* The layers and the width as one product, in the first cell of a row: 12 × 768 is a size, 12 × 64 is heads. */
static void check_layers_by_width(void)
{
    static const char table[] = KNOWN "\n| model | $d_{ff}$ | parameters |\n|-|-|-|\n| %s | 2048 | %s |\n";
    char text[1024];

    snprintf(text, sizeof text, table, "Run A (12×768)", "162,148,608");
    CHECK_TEXT(judge("cs336-xl", NULL, text), KNOWN_RIGHT "right");
    snprintf(text, sizeof text, table, "Run A (12×768)", "162,184,608");
    CHECK_TEXT(judge("cs336-xl", NULL, text), KNOWN_RIGHT "wrong: 162,148,608");
    snprintf(text, sizeof text, table, "Run A (12×64)", "162,148,608");
    CHECK_TEXT(judge("cs336-xl", NULL, text), "right, right, right, right");
}

/* A cache that is stated, without its working, of a model whose heads share keys and values. */
static void check_caches(void)
{
    CHECK_TEXT(judge("llama-3-8b", NULL, "At 8,192 tokens the KV cache takes 1.07 GB."), "right");
    CHECK_TEXT(judge("llama-3-8b", NULL, "At 8,192 tokens the KV cache takes 4.29 GB."),
               "wrong: 1,073,741,824 (1.0737 GB)");
    CHECK_TEXT(judge("llama-3-8b", NULL, "At 8,192 tokens the KV cache takes 5.29 GB."), "");
    CHECK_TEXT(judge("llama-3-8b", NULL, "With MHA the KV cache would take 0.52 MB per token."), "");
    CHECK_TEXT(judge("llama-3-8b", NULL, "The KV cache takes 0.52 MB per token."), "wrong: 131,072 (0.1311 MB)");
    CHECK_TEXT(judge("llama-3-8b", NULL, "Batch 1, 10K ctx:\n\n- weights: 16 GB\n- KV cache: 5.2 GB"),
               "wrong: 1,310,720,000 (1.311 GB)");
}

/* What is counted with the model's own, or in another way than the text says. */
static void check_extras(void)
{
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "- in total: 2,256,668,262,400 FLOPs, one pass"),
               KNOWN_RIGHT "wrong: 4,513,336,524,800");
    CHECK_TEXT(judge("cs336-xl", NULL, "In MACs the whole model takes 2,256,668,262,400."), "right");
    CHECK_TEXT(judge("cs336-xl", NULL, "One block has 40,963,200 + 131,072 = 41,094,272 parameters."),
               "wrong: 40,963,200");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "- in total: 4,513,965,670,400 FLOPs"), "right, right, right, right");
    CHECK_TEXT(judge("gpt2", NULL, "There are 124,438,272 parameters in GPT-2 Small."), "wrong: 124,439,808");
    CHECK_TEXT(judge("gpt2", NULL, "Without the last norm there are 124,438,272 parameters in GPT-2 Small."), "right");
}

/* One mistake that many figures have in common; fewer of them may be anything. */
static void check_assumed(void)
{
#define LARGE                                                                                                          \
    "GPT-2 XL:\n\n- attention: 1,328,755,507,200 FLOPs\n- FFN: 3,019,898,880,000 FLOPs\n- LM head: 164,682,137,600 "   \
    "FLOPs\n\n"
#define SMALL "GPT-2 small:\n\n- attention: 96,636,764,160 FLOPs (17.96 %)\n- FFN: 362,387,865,600 FLOPs (67.35 %)\n"
#define HALF "Shares:\n\n- attention: 26.83 % of the FLOPs\n- FFN: 69.39 %\n- LM head: 3.78 %\n"
#define HEAD "- LM head: 79,047,426,048 FLOPs (14.69 %)\n- total: 538,072,055,808 FLOPs\n"
    CHECK_TEXT(
        judge("cs336-xl", NULL, LARGE SMALL HEAD),
        "right, right, right, right, wrong: 27.64 %, wrong: 173,946,175,488, wrong: 49.75 %, right, wrong: 22.61 %, "
        "wrong: 349,630,365,696");
    CHECK_TEXT(judge("cs336-xl", NULL, LARGE "Here d_ff = 6400, too.\n\n" SMALL HEAD),
               "right, right, right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, LARGE HALF),
               "right, right, right, wrong: 29.44 %, wrong: 66.91 %, wrong: 3.65 %");
    CHECK_TEXT(judge("cs336-xl", NULL, "With a causal mask.\n\n" LARGE HALF), "right, right, right");
#define WITHOUT                                                                                                        \
    "Per forward pass:\n\n- total: 4,261,678,284,800 FLOPs\n- attention: 1,077,097,267,200 FLOPs\n- FFN: "             \
    "3,019,898,880,000 FLOPs\n- LM head: 164,682,137,600 FLOPs\n"
    /* The output projection is left out; the total stands above what is wrong. */
    CHECK_TEXT(judge("cs336-xl", NULL,
                     "2,127,057,600 parameters, 80,411,200 parameters of them in the embedding.\n\n" WITHOUT),
               "right, right, wrong: 4,513,336,524,800, wrong: 1,328,755,507,200, right, right");
#undef WITHOUT
#undef HEAD
#undef HALF
#undef SMALL
#undef LARGE
}

/* Figures with all of their digits tell of a mistake by themselves, and so what others are by it. */
static void check_exact(void)
{
    CHECK_TEXT(judge("cs336-xl", NULL, "One forward pass takes 4,261,678,284,800 FLOPs in all."),
               "wrong: 4,513,336,524,800");
    CHECK_TEXT(judge("cs336-xl", NULL, "One forward pass takes 4,048,873,062,400 FLOPs in all."),
               "wrong: 4,513,336,524,800");
    CHECK_TEXT(judge("cs336-xl", NULL, "One forward pass takes 4,261,678,384,800 FLOPs in all."), "");
    CHECK_TEXT(judge("cs336-xl", NULL, "With a causal mask one forward pass takes 4,352,275,251,200 FLOPs."), "right");
    CHECK_TEXT(
        judge("cs336-xl", NULL, "lm_head : 164,682,137,600 FLOPs | 3.78 %\nattn : 1,167,694,233,600 FLOPs | 26.83 %"),
        "right, wrong: 3.65 %, wrong: 1,328,755,507,200, wrong: 29.44 %");
    /* 16 times as long, of which no word speaks. */
    CHECK_TEXT(judge("cs336-xl", NULL,
                     "lm_head : 164,682,137,600 FLOPs\nffn : 3,019,898,880,000 FLOPs\n\n"
                     "longer\n\nlm_head : 2,634,914,201,600 FLOPs\nffn : 48,318,382,080,000 FLOPs"),
               "right, right, right, right");
    /* FLOPs of parts that are MACs, and no word says so. */
    CHECK_TEXT(
        judge("cs336-xl", NULL, "- output projection: 2,621,440,000 FLOPs\n- FFN up projection: 10,485,760,000 FLOPs"),
        "wrong: 5,242,880,000, wrong: 20,971,520,000");
}

/* Parameters of which something is left out, is in them twice, or has another shape. */
static void check_tensors(void)
{
    CHECK_TEXT(judge("gpt2-xl", NULL, "GPT-2 XL has 1,556,765,200 parameters in all."), "wrong: 1,557,611,200");
    CHECK_TEXT(judge("gpt2-xl", NULL, "GPT-2 XL has 1,638,022,400 parameters in all."), "right");
    CHECK_TEXT(judge("cs336-xl", NULL, "The model has 2,127,060,672 parameters in total."), "wrong: 2,127,057,600");
#define OWN "The embedding has 525,336,576 parameters, and so has the head: 525,336,576 parameters.\n\n"
    CHECK_TEXT(judge("llama-3-8b", NULL, OWN "- attention: 67,108,864 parameters"), "right, right, wrong: 41,943,040");
    CHECK_TEXT(judge("llama-3-8b", NULL, OWN "- FFN: 201,326,592 parameters"), "right, right, wrong: 176,160,768");
    CHECK_TEXT(judge("llama-3-8b", NULL, "A tensor of 67,108,864 parameters."), "");
#undef OWN
}

/* Another model that is named on the line of a figure. */
static void check_named_on_line(void)
{
#define XL "GPT-2 XL has 2,127,057,600 parameters, 80,411,200 parameters in the embedding.\n\n"
    CHECK_TEXT(judge("cs336-xl", NULL, XL "gpt2_small FFN FLOPs: 173,946,175,488\n"), "right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, XL "GPT2 small\n\nFFN FLOPs 173,946,175,488\n"), "right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL,
                     "The LM head takes 164,682,137,600 FLOPs, the FFN of a block 62,914,560,000 FLOPs.\n\n"
                     "In total it takes 4.51 B FLOPs.\n"),
               "right, right, wrong: 4,513,336,524,800 (4,513.3365 B FLOPs)");
    CHECK_TEXT(judge("cs336-xl", NULL, XL "In GPT-2 medium the forward pass takes 1,033,109,504,000 FLOPs in total.\n"),
               "right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, XL "Unlike GPT-2 medium, GPT-2 XL takes 4,513,336,524,800 FLOPs in total.\n"),
               "right, right, right");
    /* A letter at the head of a column is what the text has it for. */
    CHECK_TEXT(judge("cs336-xl", NULL,
                     XL "It has N = 48 layers, and a context length L = 1024.\n\n| L | total FLOPs |\n|---|---|\n"
                        "| 1024 | 4.513e12 |\n| 16384 | 1.495e14 |\n"),
               "right, right, right, right");
#undef XL
}

/* The cache of 64 heads where 8 have keys of their own, as it is divided; of a text that says so it is right. */
static void check_ungrouped(void)
{
    CHECK_TEXT(judge("llama-3-70b", NULL, "KV cache = (2 × 8192 × 8192 × 80 × 2) / 1024^3 = 20 GB"),
               "wrong: 2,684,354,560 (2.68 GB)");
    CHECK_TEXT(judge("llama-3-70b", NULL, "If this were MHA:\n\nKV cache = 2 × 64 × 128 × 80 × 2 = 2,621,440 bytes"),
               "");
    CHECK_TEXT(judge("llama-3-70b", NULL, "KV cache = 2 × 64 × 128 × 80 × 2 = 2,621,440 bytes"), "wrong: 327,680");
}

/* A mistake that the text goes on with: each step is right as a computation, and none is the model's. */
static void check_carried(void)
{
#define GATE "2 × 1024 × 1600 × 4288 = 14,073,241,600 FLOPs"
    CHECK_TEXT(judge("cs336-xl F=4288", NULL,
                     "The gate takes " GATE ".\n\nAll three: 3 × 14,073,241,600 = 42,219,724,800 FLOPs.\n"),
               "wrong: 42,152,755,200");
    CHECK_TEXT(judge("cs336-xl F=4288", NULL,
                     "The gate takes " GATE ".\n\n48 blocks: 48 × 42,219,724,800 = 2,026,546,790,400 "
                     "FLOPs.\n"),
               "wrong: 2,023,332,249,600");
    CHECK_TEXT(judge("cs336-xl F=4288", NULL,
                     "The gate takes " GATE ".\n\nAnd 5 × 14,073,241,600 = 70,366,208,000 FLOPs of "
                     "others.\n"),
               "");
#undef GATE
}

/* Widths of heads, types that the lines above say, sizes that a formula leaves out, one projection under "QKV". */
static void check_said_otherwise(void)
{
    CHECK_TEXT(judge("qwen3-0.6b", NULL, "KV cache per token: 4 × 28 × 1024 × (8/16) = 57,344 bytes.\n"),
               "wrong: 114,688");
    CHECK_TEXT(judge("qwen3-0.6b", NULL, "KV cache per token: 4 × 28 × 128 × 8 = 114,688 bytes.\n"), "right");
    CHECK_TEXT(
        judge("cs336-xl", NULL,
              "All parameters: 2,127,057,600.\n\nEach is in single precision.\nmemory = 2127057600 * 2 ~ 4.25GB\n"),
        "right, wrong: 8,508,230,400 (8.5082 GB)");
    CHECK_TEXT(
        judge("cs336-xl", NULL,
              "All parameters: 2,127,057,600.\n\nEach is in half precision.\nmemory = 2127057600 * 2 ~ 4.25GB\n"),
        "right, right");
    CHECK_TEXT(judge("llama-3-8b", NULL,
                     "KV cache of Llama-3-8B, 32 layers of 4096:\n- = 2 × 32 × 4096 × 8192 × 1 × 2 = 4 GB\n"),
               "wrong: 1,073,741,824 (1.07 GB)");
    CHECK_TEXT(judge("cs336-xl", NULL,
                     KNOWN
                     "\nBlock, per layer:\n\n- QKV projection: 5,242,880,000 FLOPs\n- Scores: 3,355,443,200 FLOPs\n"
                     "- Values: 3,355,443,200 FLOPs\n"),
               KNOWN_RIGHT "right, right");
}

/* Two digits of each size are few, and those of a whole row are many: one cell that is off stands out. */
static void check_rows(void)
{
#define ROW(c)                                                                                                         \
    "FLOPs of one block each:\n\n| part | GPT-2 small | GPT-2 medium | GPT-2 large | XL |\n|-|-|-|-|-|\n"              \
    "| Output projection | 1.2B | 2.1B | " c " | 5.2B |\n"
    CHECK_TEXT(judge("cs336-xl", NULL, ROW("3.4B")), "right, right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, ROW("3.6B")), "right, right, wrong: 3,355,443,200 (3.355 B), right");
    CHECK_TEXT(judge("cs336-xl", NULL, ROW("9.6B")), "right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, ROW("n/a")), "right, right, right");
#undef ROW
}

/* Shares of parts that are the whole model together, which no line gives. */
static void check_parts(void)
{
    CHECK_TEXT(
        judge("cs336-xl", NULL,
              KNOWN
              "\n```\nGPT-2 small:\nlm_head : 79,047,426,048 | 22.61 %\nattn : 96,636,764,160 | 27.64 %\n"
              "ffn : 173,946,175,488 | 49.75 %\n```\n"), /* the shares are right of their sum, whatever the model is */
        KNOWN_RIGHT "right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL,
                     KNOWN "\n```\nGPT-2 small:\nlm_head : 79,047,426,048 | 21.98 %\nattn : 106,636,764,160 | 29.65 %\n"
                           "ffn : 173,946,175,488 | 48.37 %\n```\n"),
               KNOWN_RIGHT "right, wrong: 22.61 %, wrong: 96,636,764,160, wrong: 27.64 %, right, wrong: 49.75 %");
    CHECK_TEXT(judge("cs336-xl", NULL,
                     KNOWN
                     "\n```\nGPT-2 small:\nlm_head : 79,047,426,048 | 31.25 %\nffn : 173,946,175,488 | 68.75 %\n```\n"),
               KNOWN_RIGHT "right, right");
}

/* Titles: between rules, of a size that no model has, and so long that they are none. */
static void check_titles(void)
{
    char text[2048];
    int n;

    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\n---- GPT-2 small ----\n\nFFN flops: 14,495,514,624\n"),
               KNOWN_RIGHT "right");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\nSmall model FLOPs:\n\nFFN flops: 20,132,659,200\n"),
               KNOWN_RIGHT "wrong: 14,495,514,624");
    CHECK_TEXT(judge("cs336-xl", NULL, KNOWN "\nSmall model:\n\nHuge model FLOPs:\n\nFFN flops: 62,914,560,000\n"),
               KNOWN_RIGHT "right");
    n = snprintf(text, sizeof text, "%s\n**%0*d**\n\nFFN flops: 62,914,560,000\n", KNOWN, 900, 1);
    CHECK(n > 0 && (size_t)n < sizeof text);
    CHECK_TEXT(judge("cs336-xl", NULL, text), KNOWN_RIGHT "right");
    CHECK_TEXT(judge("cs336-xl", NULL, "```\nlm_head : 164,682,137,600 |  3.65 %\n```\n"), "right, right");
    CHECK_TEXT(judge("cs336-xl", NULL, "The logits take $2 B T d_{model} V$ FLOPs.\n\nOne step, B = 1024, T = 1024.\n"),
               "right");
}

/* Shares beside figures, written as fractions too; figures that are said again. */
static void check_shares(void)
{
    static const char rows[] =
        "| Component | FLOPs | share |\n|-|-|-|\n| Blocks in total | 4,348,654,387,200 | %s |\n"
        "| LM head | 164,682,137,600 | 0.0364878924262 |\n| Total FLOPs | 4,513,336,524,800 | 1 |\n%s";
    char text[1024];

    snprintf(text, sizeof text, rows, "0.963512107574", "");
    CHECK_TEXT(judge("cs336-xl", NULL, text), "right, right, right, right, right");
    snprintf(text, sizeof text, rows, "0.943512107574", "\nThe blocks take 0.943512107574 of it.\n");
    CHECK_TEXT(judge("cs336-xl", NULL, text), "right, wrong: 0.9635, right, right, right");
    CHECK_TEXT(judge("cs336-xl", NULL,
                     "```python\n---- GPT-2 XL ----\nmha: 1328.76 GFLOPS (29.44%)\nffn: 3019.90 GFLOPS (66.91%)\n"
                     "lm_head: 164.68 GFLOPS (3.65%)\nTOTAL: 4513336524800 FLOPS (100.00%)\n---- GPT-2 Large ----\n"
                     "mha: 676.46 GFLOPS (33.55%)\nffn: 1207.96 GFLOPS (59.91%)\nlm_head: 131.75 GFLOPS (6.53%)\n"
                     "TOTAL: 2016160000000 FLOPS (100.00%)\n```\n"),
               "right, right, right, right, right, wrong: 29.96 %, wrong: 1,449,551,462,400 (1,449.5515 GFLOPS), "
               "wrong: 64.20 %, right, wrong: 5.84 %, wrong: 2,257,754,521,600");
}

int main(void)
{
    check_carried();
    check_assumed();
    check_exact();
    check_tensors();
    check_ungrouped();
    check_named_on_line();
    check_shares();
    check_titles();
    check_said_otherwise();
    check_rows();
    check_parts();
    check_rules();
    check_components();
    check_widths();
    check_layers_by_width();
    check_caches();
    check_extras();
    check_sentences();
    check_denials();
    check_letters();
    check_accounts();
    check_hostile();
    return t_done("claims");
}
