/* SPDX-License-Identifier: MIT */
/*
 * What fits: rows that add up, splits against arithmetic that is known, numbers that are the largest or the fewest
 * there are, layers that are shared, and training runs against figures worked by hand.
 */
#include "ask/fit.h"
#include "ask/training_run.h"
#include "plan/open.h"

#include "../profiles.h"
#include "../t.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))

/* ---- models ----------------------------------------------------------------------------------------------------- */

typedef struct subject {
    rk_opened opened;
    rk_ledger *ledger;
    rk_slice *slice;
    rk_one_device device; /* of the portion that was made last */
    rk_arena arena;
    rk_err err;
} subject;

static const rk_memory_options usual = {.bytes = 2, .loss = true, .profile = PROFILE_TORCH, .flash = true};

static bool check(const subject *s, const char *what, int code)
{
    if (!CHECK_INT(code, RK_OK))
        printf("    %s: %s\n", what, s->err.message);
    return code == RK_OK;
}

static bool open_model(subject *s, const char *model, const char *profile, rk_i128 b, rk_i128 len)
{
    rk_setting setting[] = {{.name = "B", .value = b}, {.name = "S", .value = len}};
    rk_open_request r = {.word = &model, .n_word = 1, .setting = setting, .n_setting = 2, .passes.profile = profile};
    rk_convention convention = {0};

    *s = (subject){0};
    r.passes.fused = profile != NULL;
    return check(s, model, rk_open_all(&r, RK_FIND_MODEL, &s->opened, &s->err)) &&
           check(s, model, rk_ledger_new(s->opened.instance, &convention, &s->ledger, &s->err));
}

static void close_model(subject *s)
{
    rk_one_device_free(&s->device);
    rk_slice_free(s->slice);
    if (s->ledger)
        rk_ledger_free(s->ledger);
    rk_opened_free(&s->opened);
    rk_arena_free(&s->arena);
}

static bool portion(subject *s, const rk_memory_options *o, rk_device_split split, rk_portion *out)
{
    rk_portion_request r = {.instance = s->opened.instance, .slice = s->slice, .options = o, .split = split};

    rk_one_device_free(&s->device);
    return check(s, s->opened.name, rk_one_device_new(&s->arena, &r, &s->device, &s->err)) &&
           check(s, s->opened.name, rk_portion_new(&s->arena, &s->device, &split, out, &s->err));
}

static rk_i128 total(subject *s, const rk_memory_options *o, rk_device_split split)
{
    rk_portion x = {0};
    rk_i128 n = -1;

    if (!portion(s, o, split, &x))
        return 0;
    check(s, s->opened.name, rk_one_device_total(&s->device, &split, &n, &s->err));
    CHECK_INT(n, x.total);
    check(s, s->opened.name, rk_one_device_total_at(&s->device, &split, &n, &s->err));
    CHECK_INT(n, x.total);
    return x.total;
}

static rk_i128 peak(subject *s, const rk_memory_options *o)
{
    rk_memory *m = NULL;
    rk_i128 n = check(s, s->opened.name, rk_memory_new(s->opened.instance, o, &m, &s->err)) ? m->peak : 0;

    rk_memory_free(m);
    return n;
}

static const rk_portion_row *row_of(const rk_portion *x, rk_portion_class what)
{
    for (size_t i = 0; i < x->n_row; i++)
        if (x->row[i].what == what)
            return &x->row[i];
    return NULL;
}

static rk_i128 bytes_of(const rk_portion *x, rk_portion_class what)
{
    const rk_portion_row *r = row_of(x, what);

    return r ? r->bytes : 0;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Whatever the split, rows add up to the total, and pieces to what is at work. */
static void check_sums(const rk_portion *x)
{
    rk_i128 sum = 0, pieces = 0;

    for (size_t i = 0; i < x->n_row; i++) {
        sum += x->row[i].bytes;
        CHECK_INT(x->row[i].bytes, (x->row[i].whole + x->row[i].over - 1) / x->row[i].over);
    }
    for (size_t i = 0; i < x->pieces.n; i++)
        pieces += x->pieces.at[i].bytes * x->pieces.at[i].times;
    CHECK_INT(sum, x->total);
    CHECK_INT(pieces, bytes_of(x, RK_PORTION_AT_WORK));
}

/* On one device it is the account of memory, whatever the optimizer takes in its step. */
static void check_alone(const char *model)
{
    static const rk_optimizer optimizer[] = {RK_OPTIMIZER_ADAMW, RK_OPTIMIZER_ADAMW_FOREACH, RK_OPTIMIZER_SGD,
                                             RK_OPTIMIZER_MUON, RK_OPTIMIZER_ADAFACTOR};
    rk_memory_options o = usual;
    rk_portion x = {0};
    subject s;

    if (open_model(&s, model, "torch", 2, 64))
        for (size_t i = 0; i < N_OF(optimizer); i++) {
            o.optimizer = optimizer[i];
            o.recompute_layers = i % 2;
            if (portion(&s, &o, (rk_device_split){1, 1, 3}, &x)) {
                CHECK_INT(x.total, peak(&s, &o));
                check_sums(&x);
            }
        }
    close_model(&s);
}

/* ---- zero ------------------------------------------------------------------------------------------------------- */

/* 2 + 2 + 12 bytes for each parameter in mixed precision, and what of them is divided. */
static void check_zero(void)
{
    const rk_i128 n = 70553706496, counts = 723 * 512; /* parameters; a count of steps for each tensor */
    rk_memory_options o = usual;
    rk_portion x = {0};
    subject s;

    o.master = 4;
    o.recompute_layers = 1;
    if (open_model(&s, "llama-3.1-70b", "torch", 1, 4096))
        for (int zero = 1; zero <= 3; zero++) {
            rk_i128 w = zero == 3 ? 64 : 1, g = zero >= 2 ? 64 : 1;

            if (!portion(&s, &o, (rk_device_split){64, 1, zero}, &x))
                continue;
            check_sums(&x);
            CHECK_INT(bytes_of(&x, RK_PORTION_WEIGHTS), (2 * n + w - 1) / w);
            CHECK_INT(bytes_of(&x, RK_PORTION_GRADIENTS), (2 * n + g - 1) / g);
            CHECK_INT(bytes_of(&x, RK_PORTION_OPTIMIZER), (12 * n + counts + 63) / 64);
            /* The head with the norm before it is larger than a layer. */
            CHECK_INT(bytes_of(&x, RK_PORTION_GATHERED), zero == 3 ? 2 * (128256 * 8192 + 8192) : 0);
        }
    close_model(&s);
}

/* Gradients and optimizer in fp32: 18 bytes, as DeepSpeed and Megatron have them with gradients of four bytes. */
static void check_wide(void)
{
    const rk_i128 n = 124439808;
    rk_memory_options o = usual;
    rk_portion x = {0};
    subject s;

    o.master = o.gradient = 4;
    if (open_model(&s, "gpt2", "torch", 1, 64) && portion(&s, &o, (rk_device_split){8, 1, 2}, &x)) {
        rk_i128 counts = row_of(&x, RK_PORTION_OPTIMIZER)->whole - 12 * n;

        CHECK_INT(row_of(&x, RK_PORTION_WEIGHTS)->bytes, 2 * n);
        CHECK_INT(row_of(&x, RK_PORTION_GRADIENTS)->whole, 4 * n);
        CHECK_INT(row_of(&x, RK_PORTION_GRADIENTS)->over, 8);
        CHECK_INT(counts % 512, 0);
        CHECK_INT(counts, 148 * 512);
        check_sums(&x);
    }
    close_model(&s);
}

/* ---- layers that are shared ------------------------------------------------------------------------------------- */

/* Of each weight a device has all or at least an n-th; one device has what there was. */
static void check_weights(subject *s, rk_i128 n)
{
    const rk_program *p = &s->opened.model->program;
    rk_instance x;

    CHECK_INT(rk_instance_copy(&s->arena, s->opened.instance, &x, &s->err), RK_OK);
    for (size_t i = 0; i < p->n_weight; i++) {
        rk_i128 whole = 0, part = 0;

        rk_slice_bind(s->slice, 1, &x);
        CHECK_INT(rk_ex_eval(x.pool, p->weight[i].count, &x.at, &whole, &s->err), RK_OK);
        rk_slice_bind(s->slice, n, &x);
        CHECK_INT(rk_ex_eval(x.pool, p->weight[i].count, &x.at, &part, &s->err), RK_OK);
        CHECK(part <= whole && part * n >= whole);
    }
}

static void check_slice(const char *model, const char *want)
{
    rk_memory_options o = usual;
    rk_portion x = {0};
    rk_i128 before;
    rk_str names = {0};
    subject s;

    if (open_model(&s, model, "torch", 2, 64) && check(&s, model, rk_slice_new(s.opened.instance, &s.slice, &s.err))) {
        for (size_t i = 0; i < s.slice->n; i++)
            if (s.slice->at[i].divided)
                rk_str_format(&names, "%s%s", names.n ? " " : "", s.slice->at[i].symbol->name);
        CHECK_TEXT(rk_str_text(&names), want);
        before = peak(&s, &o);
        check_weights(&s, 2);
        if (portion(&s, &o, (rk_device_split){2, 2, 0}, &x)) {
            check_sums(&x);
            CHECK(x.total < before);
            CHECK(2 * x.total >= before - o.profile.workspace * 2);
        }
        CHECK_INT(peak(&s, &o), before);
    }
    rk_str_free(&names);
    close_model(&s);
}

static rk_i128 value_of(const subject *s, const char *name)
{
    const rk_symbol *x = rk_model_symbol(s->opened.model, name);

    return x ? s->device.at.value[x->sym] : 0;
}

/* An eighth of Llama's matrices and tables, and all of its norms. */
static void check_eighth(void)
{
    const rk_i128 all = 8030261248, norms = 65 * 4096;
    rk_memory_options o = usual;
    rk_portion x = {0};
    subject s;

    o.phase = RK_PHASE_PREFILL;
    if (open_model(&s, "llama-3.1-8b", "torch", 1, 64) &&
        check(&s, "slice", rk_slice_new(s.opened.instance, &s.slice, &s.err)) &&
        portion(&s, &o, (rk_device_split){8, 8, 0}, &x)) {
        CHECK_INT(bytes_of(&x, RK_PORTION_WEIGHTS), 2 * ((all - norms) / 8 + norms));
        CHECK_INT(bytes_of(&x, RK_PORTION_CACHE) % 512, 0);
        check_sums(&x);
    }
    CHECK(!rk_slice_divides(s.slice, 3, &s.err));
    CHECK_TEXT(s.err.message, "N = 32 (query heads) cannot be divided over 3 devices, but over 1, 2, 4, 8, 16, 32");
    CHECK_INT(rk_slice_group(s.slice, 24), 8);
    close_model(&s);
}

/* With more devices than key/value heads, each has one of them, and a part of the queries that read it. */
static void check_fewer_heads(void)
{
    const rk_i128 all = 8030261248, norms = 65 * 4096, keys = (rk_i128)32 * 2 * 8 * 128 * 4096;
    rk_memory_options o = usual;
    rk_portion x = {0}, eighth = {0};
    subject s;

    o.phase = RK_PHASE_PREFILL;
    if (open_model(&s, "llama-3.1-8b", "torch", 1, 64) &&
        check(&s, "slice", rk_slice_new(s.opened.instance, &s.slice, &s.err)) &&
        portion(&s, &o, (rk_device_split){8, 8, 0}, &eighth) && portion(&s, &o, (rk_device_split){16, 16, 0}, &x)) {
        CHECK_INT(bytes_of(&x, RK_PORTION_WEIGHTS), 2 * ((all - norms - keys) / 16 + keys / 8 + norms));
        CHECK_INT(bytes_of(&x, RK_PORTION_CACHE), bytes_of(&eighth, RK_PORTION_CACHE));
        CHECK_INT(value_of(&s, "G"), 2);
        CHECK_INT(value_of(&s, "K"), 1);
        check_sums(&x);
    }
    CHECK(!rk_slice_divides(s.slice, 64, NULL));
    if (portion(&s, &o, (rk_device_split){1, 1, 0}, &x))
        CHECK_INT(value_of(&s, "G"), 4);
    close_model(&s);
}

/* ---- the largest and the fewest --------------------------------------------------------------------------------- */

static void set_number(subject *s, const char *name, rk_i128 n)
{
    rk_instance_set(s->opened.instance, rk_model_symbol(s->opened.model, name)->sym, n);
}

/* What the allocator reserves. */
static rk_i128 reserved(subject *s, const rk_memory_options *o)
{
    rk_memory_options with = *o;
    rk_memory *m = NULL;
    rk_i128 bytes = 0;

    with.allocator = true;
    if (check(s, "reserved", rk_memory_new(s->opened.instance, &with, &m, &s->err)) && CHECK(m->reserve.known))
        bytes = m->reserve.peak.reserved;
    rk_memory_free(m);
    return bytes;
}

/* On one device, what it reserves; on several, the sum of what each holds. */
static rk_i128 needs(subject *s, const rk_memory_options *o, rk_device_split split)
{
    return split.devices == 1 ? reserved(s, o) : total(s, o, split);
}

static void check_edge(subject *s, const rk_memory_options *o, rk_device_split split, const rk_fit_largest *l,
                       rk_i128 limit, rk_i128 given)
{
    if (l->state != RK_FIT_FOUND)
        return;
    set_number(s, l->symbol, l->largest);
    CHECK_INT(needs(s, o, split), l->bytes);
    CHECK(l->bytes <= limit);
    for (int more = 1; more <= (split.devices == 1 ? 2 : 1) && l->next != RK_I128_MAX; more++) { /* neighbours */
        set_number(s, l->symbol, l->largest + more);
        CHECK(needs(s, o, split) > limit);
    }
    set_number(s, l->symbol, given);
}

static void check_answer(const char *model, rk_device_split split, rk_i128 limit, bool fits)
{
    rk_memory_options o = usual;
    rk_fit_answer f = {0};
    subject s;

    o.optimizer = RK_OPTIMIZER_ADAMW_FOREACH;
    if (open_model(&s, model, "torch", 2, 64)) {
        rk_portion_request r = {.instance = s.opened.instance, .options = &o, .split = split};

        if (split.zero == 0)
            check(&s, model, rk_slice_new(s.opened.instance, &s.slice, &s.err));
        r.slice = s.slice;
        if (check(&s, model, rk_fit_ask(&s.arena, &r, NULL, limit, &f, &s.err))) {
            CHECK(f.fits == fits);
            CHECK(f.reserved == (split.devices == 1));
            CHECK_INT(f.at.total, needs(&s, &o, split));
            check_edge(&s, &o, split, &f.batch, limit, 2);
            check_edge(&s, &o, split, &f.length, limit, 64);
            if (split.zero && f.fewest > 1) {
                CHECK_INT(f.least, total(&s, &o, (rk_device_split){f.fewest, 1, split.zero}));
                CHECK(f.least <= limit);
                CHECK(total(&s, &o, (rk_device_split){f.fewest - 1, 1, split.zero}) > limit);
            }
            CHECK((f.fewest == 0) == (f.least > limit));
        }
        rk_fit_free(&f);
    }
    close_model(&s);
}

/* A table of positions is where sequences end. */
static void check_positions(void)
{
    rk_memory_options o = usual;
    rk_fit_answer f = {0};
    subject s;

    if (open_model(&s, "gpt2", "torch", 1, 64)) {
        rk_portion_request r = {.instance = s.opened.instance, .options = &o, .split = {1, 1, 3}};

        if (check(&s, "gpt2", rk_fit_ask(&s.arena, &r, NULL, (rk_i128)1 << 40, &f, &s.err))) {
            CHECK_INT(f.length.state, RK_FIT_BOUNDED);
            CHECK_INT(f.length.largest, 1024);
            CHECK_INT(f.batch.state, RK_FIT_FOUND);
        }
        rk_fit_free(&f);
    }
    close_model(&s);
}

/* ---- training runs ---------------------------------------------------------------------------------------------- */

static void check_days(const char *model, double want)
{
    rk_training_request r = {.steps = 400000, .rate = 19500000000000, .devices = 1, .mfu = 0.5, .power = 400};
    rk_training_run run = {0};
    subject s;

    if (open_model(&s, model, NULL, 1024, 1024) && check(&s, model, rk_training_run_new(s.ledger, &r, &run, &s.err))) {
        CHECK(fabs(run.seconds / 86400 - want) < 0.05);
        CHECK_INT(run.tokens, (rk_i128)400000 * 1024 * 1024);
        CHECK_INT(run.flops, run.step * 400000);
        CHECK(fabs(run.joules - run.seconds * 400) < 1e-6 * run.joules);
    }
    close_model(&s);
}

/* By tokens, B divides out; and 6·N·D is what it says. */
static void check_tokens(void)
{
    rk_training_request r = {.tokens = 15000000000000, .rate = 989400000000000, .devices = 512, .mfu = 0.4};
    rk_training_run one = {0}, many = {0};
    subject s;

    if (open_model(&s, "llama-3.1-8b", NULL, 1, 4096))
        check(&s, "one", rk_training_run_new(s.ledger, &r, &one, &s.err));
    close_model(&s);
    if (open_model(&s, "llama-3.1-8b", NULL, 48, 4096))
        check(&s, "many", rk_training_run_new(s.ledger, &r, &many, &s.err));
    close_model(&s);
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

    for (size_t i = 0; i < N_OF(model); i++)
        check_alone(model[i]);
    check_zero();
    check_wide();
    check_slice("gpt2", "V N F");
    check_slice("llama-3.1-8b", "V N K F");
    check_slice("qwen3-30b-a3b", "V N K M");
    check_slice("deepseek-v3", "V N F M");
    check_slice("falcon-40b", "V K F");
    check_slice("t5", "V N F");
    check_slice("opt-125m", "V F"); /* its heads are a reading of the width */
    check_eighth();
    check_fewer_heads();
    check_answer("gpt2", (rk_device_split){1, 1, 3}, 4000000000, true);
    check_answer("gpt2", (rk_device_split){4, 1, 3}, 1000000000, true);
    check_answer("gpt2", (rk_device_split){1, 1, 2}, 1200000000, false);
    check_answer("gpt2", (rk_device_split){2, 2, 0}, 600000000, false);
    check_answer("qwen3-0.6b", (rk_device_split){1, 1, 3}, 600000000, false);
    check_answer("qwen3-0.6b", (rk_device_split){1, 1, 3}, 50000000, false);
    check_positions();
    check_days("cs336-xl", 6583.6);
    check_days("cs336-xl-plain", 5115.2);
    check_tokens();
    return t_done("fit");
}
