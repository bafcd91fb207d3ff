/* SPDX-License-Identifier: MIT */
/*
 * Copies of a model (ddp, zero1): what a rank holds, what it sends and its peak, against what PyTorch 2.11 did on an
 * H200; and what must hold of buckets and of a divided state whatever the numbers are.
 */
#include "account/peak.h"
#include "plan/run.h"

#include "../t.h"

#include <stdio.h>
#include <string.h>

#define SENT_MAX 8

/* So many collectives of so many elements. */
typedef struct sent {
    rk_sent_phase phase;
    rk_collective op;
    int bytes;
    rk_i128 elements, times;
} sent;

typedef struct measured {
    const char *model, *dtype, *layout, *bucket, *view, *rank, *compute, *recompute;
    rk_i128 b, s, passes;
    rk_i128 parameters, optimizer, peak; /* 0: not looked at */
    sent sent[SENT_MAX];
} measured;

#define REDUCED(bytes, elements, times)                                                                                \
    {                                                                                                                  \
        RK_SENT_BACKWARD, RK_COLLECTIVE_ALL_REDUCE, bytes, elements, times                                             \
    }
#define ROTARY(elements)                                                                                               \
    {                                                                                                                  \
        RK_SENT_FORWARD, RK_COLLECTIVE_BROADCAST, 4, elements, 1                                                       \
    }
#define CHANGED(bytes, elements, times)                                                                                \
    {                                                                                                                  \
        RK_SENT_OPTIMIZER, RK_COLLECTIVE_BROADCAST, bytes, elements, times                                             \
    }

/* clang-format off */
#define MEDIUM REDUCED(4, 8395776, 12), REDUCED(4, 8397824, 12), REDUCED(4, 8398848, 12), REDUCED(4, 52513792, 1)
#define LLAMA ROTARY(64), REDUCED(2, 16779264, 1), REDUCED(2, 16777216, 32), REDUCED(2, 27267072, 15), \
              REDUCED(2, 273158144, 1)

static const measured truth[] = {
    {"gpt2-medium", "fp32", "ddp=8", .bucket = "25", .b = 4, .s = 1024, .parameters = 1419292672,
     .optimizer = 2838585344, .peak = 20357213696, .sent = {MEDIUM}},
    {"gpt2-medium", "fp32", "ddp=8", .bucket = "25", .view = "no", .b = 4, .s = 1024, .parameters = 1419292672,
     .optimizer = 2838585344, .peak = 20357213696, .sent = {MEDIUM}},
    {"gpt2-medium", "fp32", "ddp=8", .bucket = "25", .compute = "autocast-bf16", .b = 4, .s = 1024,
     .parameters = 1419292672, .optimizer = 2838585344, .peak = 17824708096, .sent = {MEDIUM}},
    {"gpt2-medium", "fp32", "ddp=8", .bucket = "25", .passes = 2, .b = 4, .s = 1024, .parameters = 1419292672,
     .optimizer = 2838585344, .peak = 21776506368, .sent = {MEDIUM}},
    {"llama-3.2-1b", "bf16", "ddp=8", .bucket = "25", .b = 2, .s = 1024, .parameters = 2471628800,
     .optimizer = 4943257600, .peak = 17227189760, .sent = {LLAMA}},
    {"llama-3.2-1b", "bf16", "ddp=8", .bucket = "25", .view = "no", .b = 2, .s = 1024, .parameters = 2471628800,
     .optimizer = 4943257600, .peak = 17228164608, .sent = {LLAMA}},
    {"gpt2-medium", "fp32", "ddp=8,zero1", .bucket = "25", .rank = "0", .b = 4, .s = 1024, .parameters = 1419292672,
     .optimizer = 411705344, .peak = 17930184704},
    {"llama-3.2-1b", "bf16", "ddp=8,zero1", .bucket = "25", .rank = "0", .b = 2, .s = 1024, .parameters = 2471628800,
     .optimizer = 1050673152, .peak = 13336562688},
    /* The largest moment is in the first of two passes. */
    {"gpt2", "fp32", "ddp=8", .bucket = "5", .passes = 2, .b = 1, .s = 64, .peak = 2884785664,
     .sent = {REDUCED(4, 2361600, 12), REDUCED(4, 2362368, 12), REDUCED(4, 2363904, 12), REDUCED(4, 39385344, 1)}},
    /* Where nobody says how large buckets are, the first is full at 1 MiB. */
    {"opt-125m", "fp32", "ddp=8", .view = "no", .passes = 2, .b = 4, .s = 512, .peak = 5154208256,
     .sent = {REDUCED(4, 2361600, 1), REDUCED(4, 7087872, 11), REDUCED(4, 44911104, 1)}},
};
/* clang-format on */

/* ---- one case --------------------------------------------------------------------------------------------------- */

typedef struct subject {
    rk_run run;
    rk_memory *memory;
    rk_err err;
} subject;

static bool open_case(subject *s, const measured *t)
{
    rk_setting setting[] = {{.name = "B", .value = t->b}, {.name = "S", .value = t->s}};
    rk_run_request r = {.open = {.word = &t->model, .n_word = 1, .setting = setting, .n_setting = 2},
                        .word[RK_RUN_DTYPE] = t->dtype,
                        .word[RK_RUN_ATTENTION] = "flash",
                        .word[RK_RUN_RECOMPUTE] = t->recompute,
                        .count[RK_RUN_PASSES] = t->passes};

    *s = (subject){0};
    r.layout.said[RK_LAYOUT_LINE] = t->layout;
    r.layout.said[RK_LAYOUT_BUCKET] = t->bucket;
    r.layout.said[RK_LAYOUT_BUCKET_VIEW] = t->view;
    r.layout.said[RK_LAYOUT_RANK] = t->rank;
    r.layout.said[RK_LAYOUT_COMPUTE] = t->compute;
    if (CHECK_INT(rk_run_open(&r, &s->run, &s->err), RK_OK))
        CHECK_INT(rk_memory_new(s->run.opened.instance, &s->run.options, &s->memory, &s->err), RK_OK);
    if (!s->memory)
        printf("    %s %s: %s\n", t->model, t->layout, s->err.message);
    return s->memory != NULL;
}

static void close_case(subject *s)
{
    rk_memory_free(s->memory);
    rk_run_close(&s->run);
}

static bool is_near(rk_i128 got, rk_i128 want)
{
    rk_i128 off = got > want ? got - want : want - got;

    return off * 1000 <= want;
}

static void check_sent(const rk_memory *m, const measured *t)
{
    size_t n = 0;

    for (; n < SENT_MAX && t->sent[n].times > 0; n++) {
        const sent *want = &t->sent[n];
        bool found = false;

        for (size_t i = 0; i < m->sent.n; i++) {
            const rk_sent_row *r = &m->sent.at[i];

            found |= r->phase == want->phase && r->sent.op == want->op && r->sent.bytes == want->bytes &&
                     r->elements == want->elements && r->times == want->times && r->sent.axis == RK_MESH_DDP;
        }
        if (!CHECK(found))
            printf("    %s: %lld elements\n", t->model, (long long)want->elements);
    }
    CHECK(n == 0 || n == m->sent.n);
}

static void check_truth(void)
{
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        const measured *t = &truth[i];
        subject s;

        if (open_case(&s, t)) {
            const rk_memory *m = s.memory;

            CHECK(!t->parameters || m->parameters == t->parameters);
            CHECK(!t->parameters || m->gradients == t->parameters);
            CHECK(!t->optimizer || m->optimizer == t->optimizer);
            if (!CHECK(is_near(m->peak, t->peak)))
                printf("    %s %s: %lld\n", t->model, t->layout, (long long)m->peak);
            check_sent(m, t);
        }
        close_case(&s);
    }
}

/* The optimizer's step sends every parameter once, from the one rank that has changed it. */
static void check_changed(void)
{
    measured t = {"llama-3.2-1b", "bf16", "ddp=8,zero1", .b = 1, .s = 64};
    const sent want[] = {CHANGED(2, 262668288, 1), CHANGED(2, 16777216, 48), CHANGED(2, 4194304, 32),
                         CHANGED(2, 1048576, 32), CHANGED(2, 2048, 33)};
    subject s;

    if (open_case(&s, &t)) {
        size_t found = 0, n = 0;

        for (size_t i = 0; i < s.memory->sent.n; i++) {
            const rk_sent_row *r = &s.memory->sent.at[i];

            n += r->phase == RK_SENT_OPTIMIZER;
            for (size_t k = 0; k < sizeof want / sizeof *want; k++)
                found += r->phase == RK_SENT_OPTIMIZER && r->sent.op == want[k].op && r->elements == want[k].elements &&
                         r->times == want[k].times;
        }
        CHECK_INT(found, 5);
        CHECK_INT(n, 5);
        /* Nobody says which rank: the one that has most is the one with the embedding. */
        CHECK_INT(s.memory->options.layout->rank, 0);
        CHECK_INT(s.memory->optimizer, 1050673152);
    }
    close_case(&s);
}

/* ---- whatever the numbers --------------------------------------------------------------------------------------- */

/* All gradients lie in buckets, once, and each row's formula is its number. */
static void check_all_reduced(const char *model, const char *bucket)
{
    measured t = {model, "fp32", "ddp=4", .bucket = bucket, .b = 1, .s = 16};
    subject s;

    if (open_case(&s, &t)) {
        rk_i128 sum = 0;

        for (size_t i = 0; i < s.memory->sent.n; i++) {
            const rk_sent_row *r = &s.memory->sent.at[i];

            if (r->sent.op == RK_COLLECTIVE_ALL_REDUCE)
                sum += r->elements * r->times;
        }
        CHECK_INT(sum * 4, s.memory->parameters);
        CHECK(s.memory->held_buckets >= s.memory->parameters);
    }
    close_case(&s);
}

/* What the ranks have together is the whole state; a rank too many has nothing. */
static void check_divided(const char *model)
{
    measured whole = {model, "fp32", "ddp=3", .b = 1, .s = 16}, part = whole;
    static const char *const rank[] = {"0", "1", "2"};
    rk_i128 sum = 0, all = 0;
    subject s;

    if (open_case(&s, &whole))
        all = s.memory->optimizer;
    close_case(&s);
    part.layout = "ddp=3,zero1";
    for (size_t i = 0; i < 3; i++) {
        part.rank = rank[i];
        if (open_case(&s, &part))
            sum += s.memory->optimizer;
        close_case(&s);
    }
    CHECK(all > 0);
    CHECK_INT(sum, all);
    part.layout = "ddp=100000000,zero1";
    part.rank = "99999999";
    if (open_case(&s, &part))
        CHECK_INT(s.memory->optimizer, 0);
    close_case(&s);
}

/* A compiled peak is that of the account, at other numbers, too. */
static void check_compiled(rk_i128 passes, const char *view)
{
    measured t = {"gpt2", "bf16", "ddp=8,zero1", .view = view, .passes = passes, .b = 2, .s = 100};
    rk_peaks peaks = {0};
    subject s;

    if (open_case(&s, &t)) {
        rk_instance *x = s.run.opened.instance;
        rk_sym b = rk_model_symbol(x->model, "B")->sym;

        for (rk_i128 n = 1; n < 40; n += 6) {
            rk_i128 got[RK_N_BYTES];
            rk_memory *m = NULL;

            x->value[b] = n;
            CHECK_INT(rk_peaks_read(&peaks, x, &s.run.options, got, &s.err), RK_OK);
            if (CHECK_INT(rk_memory_new(x, &s.run.options, &m, &s.err), RK_OK))
                CHECK_INT(got[RK_BYTES_PEAK], m->peak);
            rk_memory_free(m);
        }
    }
    rk_peaks_free(&peaks);
    close_case(&s);
}

/* What is alive at the peak adds up to it, also where gradients have gone into buckets on the way. */
static void check_alive(rk_i128 passes, rk_i128 tokens)
{
    measured t = {"gpt2", "fp32", "ddp=8", .passes = passes, .b = 1, .s = tokens};
    subject s;

    if (open_case(&s, &t)) {
        rk_i128 sum = 0, kinds = 0;

        for (size_t i = 0; i < s.memory->alive.n; i++)
            sum += s.memory->alive.at[i].bytes * s.memory->alive.at[i].times;
        for (size_t i = 0; i < RK_N_ALIVE; i++)
            kinds += s.memory->peak_of[i];
        CHECK_INT(kinds, s.memory->peak);
        CHECK_INT(sum, s.memory->peak);
        CHECK_INT(s.memory->moment[0].bytes, s.memory->peak);
    }
    close_case(&s);
}

/* ---- DeepSpeed: by its rules, not by a measurement --------------------------------------------------------------- */

static bool open_flat(subject *s, const char *layout, const char *bucket)
{
    rk_setting setting[] = {{.name = "B", .value = 2}, {.name = "S", .value = 256}};
    const char *model = "llama-3.2-1b";
    rk_run_request r = {.open = {.word = &model, .n_word = 1, .setting = setting, .n_setting = 2},
                        .word[RK_RUN_DTYPE] = "bf16"};

    *s = (subject){0};
    r.layout.said[RK_LAYOUT_LINE] = layout;
    r.layout.said[RK_LAYOUT_RUNTIME] = "deepspeed";
    r.layout.said[RK_LAYOUT_BUCKET] = bucket;
    return CHECK_INT(rk_run_open(&r, &s->run, &s->err), RK_OK) &&
           CHECK_INT(rk_memory_new(s->run.opened.instance, &s->run.options, &s->memory, &s->err), RK_OK);
}

/* A piece is a seventh of all elements, rounded up to a whole pair; its state is 12 bytes for each of them. */
static void check_flat(void)
{
    const rk_i128 all = 1235814400, piece = (all + 13) / 14 * 2;
    rk_i128 peak[2] = {0};
    subject s;

    for (int zero = 1; zero <= 2; zero++) {
        if (open_flat(&s, zero == 1 ? "ddp=7,zero1" : "ddp=7,zero2", NULL)) {
            rk_i128 reduced = 0, gathered = 0;

            for (size_t i = 0; i < s.memory->sent.n; i++) {
                const rk_sent_row *r = &s.memory->sent.at[i];

                reduced += r->phase == RK_SENT_BACKWARD ? r->elements * r->times : 0;
                gathered += r->sent.op == RK_COLLECTIVE_ALL_GATHER ? r->elements * r->times : 0;
                CHECK(r->elements <= 500000000 || r->phase == RK_SENT_OPTIMIZER);
            }
            CHECK_INT(s.memory->parameters, 2 * all);
            CHECK_INT(s.memory->gradients, zero == 1 ? 2 * all : 2 * piece);
            CHECK_INT(s.memory->optimizer, 12 * piece);
            CHECK_INT(reduced, all);
            CHECK_INT(gathered, 7 * piece);
            peak[zero - 1] = s.memory->peak;
        }
        close_case(&s);
    }
    CHECK(peak[1] > 0 && peak[1] < peak[0]);
    /* Smaller buckets take less room. */
    if (open_flat(&s, "ddp=7,zero2", "64"))
        CHECK(s.memory->peak < peak[1]);
    close_case(&s);
}

int main(void)
{
    static const char *const model[] = {"gpt2", "llama-3.2-1b", "bert-base-uncased", "t5-small", "qwen3-0.6b"};
    static const char *const bucket[] = {NULL, "1", "7", "25", "1000", "1000000"};

    check_truth();
    check_changed();
    check_flat();
    for (size_t i = 0; i < sizeof model / sizeof *model; i++)
        for (size_t k = 0; k < sizeof bucket / sizeof *bucket; k++)
            check_all_reduced(model[i], bucket[k]);
    check_divided("gpt2");
    check_divided("llama-3.2-1b");
    for (rk_i128 passes = 0; passes < 4; passes++) {
        check_compiled(passes, NULL);
        check_compiled(passes, "no");
        check_alive(passes, 8);
        check_alive(passes, 64);
        check_alive(passes, 1024);
    }
    return t_done("buckets");
}
