/* SPDX-License-Identifier: MIT */
/*
 * What fits: on one device and on ranks of a layout, rows that add up, bytes against arithmetic that is known, numbers
 * that are the largest or the fewest there are, and training runs against figures worked by hand.
 */
#include "ask/fit.h"
#include "ask/training_run.h"

#include "../t.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- steps ------------------------------------------------------------------------------------------------------ */

typedef struct subject {
    const char *model;
    rk_setting setting[2];
    rk_run_request request;
    rk_run run;
    rk_arena arena;
    rk_err err;
} subject;

static bool check(const subject *s, const char *what, int code)
{
    if (!CHECK_INT(code, RK_OK))
        printf("    %s: %s\n", what, s->err.message);
    return code == RK_OK;
}

/* A step in bf16; `layout` is NULL for one device. */
static void name_step(subject *s, const char *model, const char *layout, rk_i128 b, rk_i128 len)
{
    *s = (subject){.model = model, .setting = {{.name = "B", .value = b}, {.name = "S", .value = len}}};
    s->request = (rk_run_request){.open = {.word = &s->model, .n_word = 1, .setting = s->setting, .n_setting = 2},
                                  .as_options = true};
    s->request.word[RK_RUN_DTYPE] = "bf16";
    s->request.layout.said[RK_LAYOUT_LINE] = layout;
}

static bool open_step(subject *s)
{
    rk_run_close(&s->run);
    return check(s, s->model, rk_least_open(&s->request, &s->run, &s->err));
}

static void close_step(subject *s)
{
    rk_run_close(&s->run);
    rk_arena_free(&s->arena);
}

static rk_memory *account(subject *s, bool allocator)
{
    rk_memory *m = NULL;

    s->run.options.allocator = allocator;
    check(s, s->model, rk_memory_new(s->run.opened.instance, &s->run.options, &m, &s->err));
    s->run.options.allocator = false;
    return m;
}

/* What counts of a step: what the allocator reserves to train it, and the peak to serve it. */
static rk_i128 needs(subject *s)
{
    rk_memory *m = account(s, true);
    rk_i128 n = !m ? 0 : m->reserve.known && m->reserve.peak.reserved > m->peak ? m->reserve.peak.reserved : m->peak;

    rk_memory_free(m);
    return n;
}

/* ---- bytes of a rank -------------------------------------------------------------------------------------------- */

/* What is alive adds up to the peak, by what it is and buffer by buffer: these are the rows of the page. */
static void check_sums(const rk_memory *m)
{
    rk_i128 by_kind = 0, by_buffer = 0;

    for (size_t i = 0; i < RK_N_ALIVE; i++)
        by_kind += m->peak_of[i];
    for (size_t i = 0; i < m->alive.n; i++)
        by_buffer += m->alive.at[i].bytes * m->alive.at[i].times;
    CHECK_INT(by_kind, m->peak);
    CHECK_INT(by_buffer, m->peak);
    CHECK_INT(rk_memory_total(m), m->peak);
}

static void check_rows(const char *model, const char *layout, const char *runtime)
{
    subject s;

    name_step(&s, model, layout, 2, 64);
    s.request.layout.said[RK_LAYOUT_RUNTIME] = runtime;
    if (open_step(&s)) {
        rk_memory *m = account(&s, false);

        if (m)
            check_sums(m);
        rk_memory_free(m);
    }
    close_step(&s);
}

/* Of weights that lie in pieces a rank has a 64th: 2 bytes of each parameter, 2 of its gradient, 12 of its states. */
static void check_pieces(void)
{
    const rk_i128 n = (rk_i128)70553706496 / 64;
    subject s;

    name_step(&s, "llama-3.1-70b", "fsdp=64", 1, 4096);
    s.request.word[RK_RUN_MASTER] = "fp32";
    s.request.word[RK_RUN_RECOMPUTE] = "full";
    if (open_step(&s)) {
        rk_memory *m = account(&s, false);

        if (m) {
            CHECK_INT(m->parameters, 2 * n);
            CHECK_INT(m->gradients, 2 * n);
            CHECK(m->optimizer >= 12 * n && m->optimizer < 12 * n + 723 * 512); /* and a count of steps each */
        }
        rk_memory_free(m);
    }
    close_step(&s);
}

/* An eighth of Llama's matrices and tables, all of its norms, and of its cache an eighth, too. */
static void check_eighth(const char *phase)
{
    const rk_i128 all = 8030261248, norms = 65 * 4096;
    subject s, whole;

    name_step(&s, "llama-3.1-8b", "tp=8", 1, 64);
    name_step(&whole, "llama-3.1-8b", NULL, 1, 64);
    s.request.word[RK_RUN_PHASE] = whole.request.word[RK_RUN_PHASE] = phase;
    if (open_step(&s) && open_step(&whole)) {
        rk_memory *m = account(&s, false), *one = account(&whole, false);

        if (m && one) {
            CHECK_INT(m->parameters, 2 * ((all - norms) / 8 + norms));
            CHECK_INT(8 * m->cache, one->cache);
            check_sums(m);
        }
        rk_memory_free(m);
        rk_memory_free(one);
    }
    close_step(&s);
    close_step(&whole);
}

/* With more devices than key/value heads, each has one of them, as Megatron lays it; nobody need say so to serve. */
static void check_fewer_heads(void)
{
    const rk_i128 all = 8030261248, norms = 65 * 4096, keys = (rk_i128)32 * 2 * 8 * 128 * 4096;
    const rk_i128 tables = (rk_i128)2 * 4096 * 128256, padded = (rk_i128)2 * 4096 * 129024; /* to a multiple of 2,048 */
    subject s;

    name_step(&s, "llama-3.1-8b", "tp=16", 1, 64);
    s.request.word[RK_RUN_PHASE] = "prefill";
    if (open_step(&s)) {
        rk_memory *m = account(&s, false);

        CHECK_TEXT(s.run.options.layout->runtime.name, "megatron");
        if (m)
            CHECK_INT(m->parameters, 2 * ((all - norms - keys - tables + padded) / 16 + keys / 8 + norms));
        rk_memory_free(m);
    }
    close_step(&s);
    name_step(&s, "llama-3.1-8b", "tp=16", 1, 64); /* to train, someone has to */
    CHECK_INT(rk_least_open(&s.request, &s.run, &s.err), RK_EINPUT);
    CHECK_TEXT(s.err.message, "tp=16: K = 8 (key/value heads) does not divide by that; tp=8 would");
    close_step(&s);
}

/* ---- the largest and the fewest --------------------------------------------------------------------------------- */

static void check_edge(subject *s, size_t which, const rk_fit_largest *l, rk_i128 limit)
{
    rk_i128 given = s->setting[which].value;

    if (l->state != RK_FIT_FOUND)
        return;
    s->setting[which].value = l->largest;
    if (open_step(s))
        CHECK_INT(needs(s), l->bytes);
    CHECK(l->bytes <= limit);
    for (int more = 1; more <= 2 && l->next != RK_I128_MAX; more++) { /* neighbours */
        s->setting[which].value = l->largest + more;
        if (open_step(s))
            CHECK(needs(s) > limit);
    }
    s->setting[which].value = given;
}

/* The fewest fit, and one fewer does not, or cannot be. */
static void check_fewest(const subject *s, const rk_fit_answer *f, const char *form)
{
    const char *star = strchr(form, '*');
    char fewer[64];
    subject x;

    if (f->fewest.size == 0) {
        CHECK(!f->fewest.line || f->fewest.needs > f->limit);
        return;
    }
    name_step(&x, s->model, *f->fewest.line ? f->fewest.line : NULL, s->setting[0].value, s->setting[1].value);
    x.request.word[RK_RUN_OPTIMIZER] = s->request.word[RK_RUN_OPTIMIZER];
    if (open_step(&x))
        CHECK_INT(needs(&x), f->fewest.bytes);
    CHECK(f->fewest.bytes <= f->limit);
    snprintf(fewer, sizeof fewer, "%.*s%d%s", (int)(star - form), form, (int)f->fewest.size - 1, star + 1);
    x.request.layout.said[RK_LAYOUT_LINE] = fewer;
    rk_run_close(&x.run);
    if (f->fewest.size > 2 && rk_least_open(&x.request, &x.run, &x.err) == RK_OK)
        CHECK(needs(&x) > f->limit);
    close_step(&x);
}

static void check_answer(const char *model, const char *layout, const char *form, rk_i128 limit, bool fits)
{
    rk_fit_answer f = {0};
    subject s;

    name_step(&s, model, layout, 2, 64);
    s.request.word[RK_RUN_OPTIMIZER] = "adamw-foreach";
    if (open_step(&s)) {
        rk_fit_request r = {&s.request, &s.run, form, limit};

        if (check(&s, model, rk_fit_ask(&s.arena, &r, &f, &s.err))) {
            CHECK(f.fits == fits);
            CHECK(f.reserved);
            CHECK_INT(f.needs, needs(&s));
            check_fewest(&s, &f, form);
            rk_fit_free(&f);
            check_edge(&s, 0, &f.batch, limit);
            check_edge(&s, 1, &f.length, limit);
        }
    }
    close_step(&s);
}

/* A table of positions is where sequences end. */
static void check_positions(void)
{
    rk_fit_answer f = {0};
    subject s;

    name_step(&s, "gpt2", NULL, 1, 64);
    if (open_step(&s)) {
        rk_fit_request r = {&s.request, &s.run, NULL, (rk_i128)1 << 40};

        if (check(&s, "gpt2", rk_fit_ask(&s.arena, &r, &f, &s.err))) {
            CHECK_INT(f.length.state, RK_FIT_BOUNDED);
            CHECK_INT(f.length.largest, 1024);
            CHECK_INT(f.batch.state, RK_FIT_FOUND);
        }
        rk_fit_free(&f);
    }
    close_step(&s);
}

/* ---- training runs ---------------------------------------------------------------------------------------------- */

static void check_days(const char *model, double want)
{
    rk_training_request r = {.steps = 400000, .rate = 19500000000000, .devices = 1, .mfu = 0.5, .power = 400};
    rk_training_run run = {0};
    subject s;

    name_step(&s, model, NULL, 1024, 1024);
    s.request.word[RK_RUN_PROFILE] = "textbook";
    if (open_step(&s) && check(&s, model, rk_training_run_new(s.run.ledger, &r, &run, &s.err))) {
        CHECK(fabs(run.seconds / 86400 - want) < 0.05);
        CHECK_INT(run.tokens, (rk_i128)400000 * 1024 * 1024);
        CHECK_INT(run.flops, run.step * 400000);
        CHECK(fabs(run.joules - run.seconds * 400) < 1e-6 * run.joules);
    }
    close_step(&s);
}

/* By tokens, B divides out; and 6·N·D is what it says. */
static void check_tokens(void)
{
    rk_training_request r = {.tokens = 15000000000000, .rate = 989400000000000, .devices = 512, .mfu = 0.4};
    rk_training_run one = {0}, many = {0};
    subject s;

    name_step(&s, "llama-3.1-8b", NULL, 1, 4096);
    s.request.word[RK_RUN_PROFILE] = "textbook";
    if (open_step(&s))
        check(&s, "one", rk_training_run_new(s.run.ledger, &r, &one, &s.err));
    s.setting[0].value = 48;
    if (open_step(&s))
        check(&s, "many", rk_training_run_new(s.run.ledger, &r, &many, &s.err));
    close_step(&s);
    CHECK_INT(one.flops, many.flops);
    CHECK_INT(one.flops, (rk_i128)51470401536 * 15000000000000);
    CHECK_INT(one.rule, (rk_i128)6 * 8030261248 * 15000000000000);
    CHECK_INT(one.attention, (rk_i128)12 * 32 * 4096 * 4096 * 4096);
    CHECK_INT(many.steps, (r.tokens + 48 * 4096 - 1) / (48 * 4096));
}

int main(void)
{
    static const char *const model[] = {"gpt2",  "qwen3-0.6b", "olmoe-1b-7b-0924",
                                        "mamba", "gemma-2-9b", "deepseek-v2-lite"};

    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        check_rows(model[i], NULL, NULL);
        check_rows(model[i], "fsdp=4", NULL);
    }
    check_rows("gpt2", "ddp=8,zero1", NULL);
    check_rows("gpt2", "ddp=8,zero2", "deepspeed");
    check_rows("qwen3-0.6b", "fsdp=2,tp=2", NULL);
    check_pieces();
    check_eighth("prefill");
    check_eighth("decode");
    check_fewer_heads();
    check_answer("gpt2", NULL, "fsdp=*", 4000000000, true);
    check_answer("gpt2", "fsdp=4", "fsdp=*", 1000000000, true);
    check_answer("gpt2", NULL, "ddp=*,zero1", 1200000000, false);
    check_answer("gpt2", "tp=2", "tp=*", 600000000, false);
    check_answer("qwen3-0.6b", NULL, "fsdp=*", 600000000, false);
    check_answer("qwen3-0.6b", NULL, "fsdp=*", 50000000, false);
    check_positions();
    check_days("cs336-xl", 6583.6);
    check_days("cs336-xl-plain", 5115.2);
    check_tokens();
    return t_done("fit");
}
