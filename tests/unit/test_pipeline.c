/* SPDX-License-Identifier: MIT */
/*
 * Pipelines: the order of actions against what PyTorch's schedules did, properties that every order has, the stages of
 * a model against the whole model, and what a step leaves against what it was given.
 */
#include "account/memory.h"
#include "account/names.h"
#include "pass/passes.h"
#include "pass/schedule.h"

#include "../profiles.h"
#include "../t.h"

#include <string.h>

static rk_layout pipeline(int devices, int stages, int rank, rk_schedule_kind kind, int micro)
{
    rk_layout l = rk_layout_single();

    l.size[RK_MESH_PP] = devices;
    l.said[RK_MESH_PP] = l.rank_said = true;
    l.stages = stages;
    l.rank = rank;
    l.schedule = kind;
    l.micro = micro;
    return l;
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* As PyTorch 2.11 ran them, and how many micro-batches were in flight: F stage.micro, B, W. */
static const struct {
    int devices, stages, rank;
    rk_schedule_kind kind;
    int micro;
    const char *order;
    int in_flight;
} measured[] = {
    {4, 1, 0, RK_SCHEDULE_1F1B, 8, "F0.0 F0.1 F0.2 F0.3 B0.0 F0.4 B0.1 F0.5 B0.2 F0.6 B0.3 F0.7 B0.4 B0.5 B0.6 B0.7",
     4},
    {4, 1, 1, RK_SCHEDULE_1F1B, 8, "F1.0 F1.1 F1.2 B1.0 F1.3 B1.1 F1.4 B1.2 F1.5 B1.3 F1.6 B1.4 F1.7 B1.5 B1.6 B1.7",
     3},
    {4, 1, 3, RK_SCHEDULE_1F1B, 6, "F3.0 B3.0 F3.1 B3.1 F3.2 B3.2 F3.3 B3.3 F3.4 B3.4 F3.5 B3.5", 1},
    {4, 1, 0, RK_SCHEDULE_1F1B, 6, "F0.0 F0.1 F0.2 F0.3 B0.0 F0.4 B0.1 F0.5 B0.2 B0.3 B0.4 B0.5", 4},
    {4, 1, 2, RK_SCHEDULE_GPIPE, 4, "F2.0 F2.1 F2.2 F2.3 B2.0 B2.1 B2.2 B2.3", 4},
    {4, 2, 0, RK_SCHEDULE_INTERLEAVED, 8,
     "F0.0 F0.1 F0.2 F0.3 F4.0 F4.1 F4.2 F4.3 F0.4 F0.5 F0.6 B4.0 F0.7 B4.1 F4.4 B4.2 F4.5 B4.3 F4.6 B0.0 F4.7 B0.1 "
     "B0.2 B0.3 B4.4 B4.5 B4.6 B4.7 B0.4 B0.5 B0.6 B0.7",
     11},
    {4, 2, 0, RK_SCHEDULE_ZERO_BUBBLE, 8,
     "F0.0 F0.1 F0.2 F0.3 F4.0 F4.1 F4.2 F4.3 B4.0 W4.0 F0.4 B4.1 W4.1 F0.5 B4.2 W4.2 F0.6 B4.3 W4.3 F0.7 B0.0 W0.0 "
     "F4.4 B0.1 W0.1 F4.5 B0.2 W0.2 F4.6 B0.3 W0.3 F4.7 B4.4 W4.4 B4.5 W4.5 B4.6 W4.6 B4.7 W4.7 B0.4 W0.4 B0.5 W0.5 "
     "B0.6 W0.6 B0.7 W0.7",
     8},
    {4, 2, 1, RK_SCHEDULE_ZERO_BUBBLE, 8,
     "F1.0 F1.1 F1.2 F1.3 F5.0 F5.1 F5.2 B5.0 F5.3 B5.1 W5.0 F1.4 B5.2 W5.1 F1.5 B5.3 W5.2 F1.6 B1.0 W5.3 F1.7 B1.1 "
     "W1.0 F5.4 B1.2 W1.1 F5.5 B1.3 W1.2 F5.6 B5.4 W1.3 F5.7 B5.5 W5.4 B5.6 W5.5 B5.7 W5.6 B1.4 W5.7 B1.5 W1.4 B1.6 "
     "W1.5 B1.7 W1.6 W1.7",
     7},
};

static void check_measured(void)
{
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        rk_layout l =
            pipeline(measured[i].devices, measured[i].stages, measured[i].rank, measured[i].kind, measured[i].micro);
        rk_arena a = {0};
        rk_schedule s = {0};
        rk_str order = {0};
        rk_err err = {0};

        CHECK_INT(rk_schedule_new(&a, &l, &s, &err), RK_OK);
        for (size_t k = 0; k < s.n; k++)
            rk_str_format(&order, "%s%c%d.%u", k ? " " : "", "FBW"[s.at[k].kind],
                          (int)rk_layout_stage(&l, s.at[k].stage), s.at[k].micro);
        CHECK_TEXT(rk_str_text(&order), measured[i].order);
        CHECK_INT(rk_schedule_in_flight(&s), measured[i].in_flight);
        rk_str_free(&order);
        rk_arena_free(&a);
    }
}

/* Each stage is run once forward and once backward for each micro-batch, in that order, and halves after each other. */
static void check_order(const rk_schedule *s)
{
    size_t n = (size_t)s->n_stage * s->n_micro;
    unsigned char done[64 * 8] = {0};

    CHECK_INT(s->n, (s->halves ? 3 : 2) * n);
    for (size_t i = 0; i < s->n && CHECK(s->at[i].stage < s->n_stage && s->at[i].micro < s->n_micro); i++)
        CHECK_INT(done[s->at[i].stage * s->n_micro + s->at[i].micro]++, s->at[i].kind);
}

static void check_orders(void)
{
    for (int kind = RK_SCHEDULE_1F1B; kind <= RK_SCHEDULE_ZERO_BUBBLE; kind++)
        for (int devices = 1; devices <= 4; devices++)
            for (int stages = 1; stages <= (kind >= RK_SCHEDULE_INTERLEAVED ? 3 : 1); stages++)
                for (int n = 0; n < 4 * devices; n++) {
                    rk_layout l = pipeline(devices, stages, n % devices, (rk_schedule_kind)kind,
                                           devices * stages * (1 + n / devices));
                    rk_arena a = {0};
                    rk_schedule s = {0};
                    rk_err err = {0};

                    if (CHECK_INT(rk_schedule_new(&a, &l, &s, &err), RK_OK))
                        check_order(&s);
                    rk_arena_free(&a);
                }
}

static void check_refused(void)
{
    static const struct {
        int devices, stages;
        rk_schedule_kind kind;
        int micro, code;
    } refused[] = {
        {4, 1, RK_SCHEDULE_1F1B, 3, RK_EUSAGE},     {4, 1, RK_SCHEDULE_1F1B, 4, RK_OK},
        {4, 2, RK_SCHEDULE_1F1B, 8, RK_EUSAGE},     {4, 2, RK_SCHEDULE_GPIPE, 8, RK_EUSAGE},
        {4, 1, RK_SCHEDULE_GPIPE, 1, RK_OK},        {4, 2, RK_SCHEDULE_INTERLEAVED, 9, RK_EUSAGE},
        {4, 2, RK_SCHEDULE_INTERLEAVED, 10, RK_OK}, {4, 2, RK_SCHEDULE_ZERO_BUBBLE, 3, RK_OK},
        {4, 1, RK_SCHEDULE_GPIPE, 1 << 22, RK_OK},  {4, 1, RK_SCHEDULE_GPIPE, (1 << 22) + 1, RK_ELIMIT},
    };

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        rk_layout l = pipeline(refused[i].devices, refused[i].stages, 0, refused[i].kind, refused[i].micro);
        rk_arena a = {0};
        rk_schedule s = {0};
        rk_err err = {0};

        CHECK_INT(rk_schedule_new(&a, &l, &s, &err), refused[i].code);
        rk_arena_free(&a);
    }
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

#define WIDTH 24
#define TOKENS 14 /* of a micro-batch */
#define WORDS 50

/* Every third layer has another FFN; the head may be tied. */
static const char text[] =
    "model m: \"a small decoder\"\n"
    "let L = %d \"layers\"\nlet D = 24 \"width\"\nlet F = 40 \"inner width\"\nlet V = 50 \"vocabulary\"\n"
    "run B = 2 \"sequences\"\nrun S = 7 \"tokens\"\n"
    "input ids[B S]\n%s"
    "part embed:\n"
    "    x[B S D] = lookup(ids, .embed.weight[V D])\n"
    "part layers[i < L] at layers.{i}:\n"
    "    a = rmsnorm(x, .norm.weight[D])\n"
    "    if i %% 3 == 1:\n"
    "        up[B S F] = a[B S D] * .up.weight[F D]\n"
    "        inner = silu(up)\n"
    "        down[B S D] = inner[B S F] * .down.weight[D F]\n"
    "    else:\n"
    "        down[B S D] = a[B S D'] * .mix.weight[D D']\n"
    "    x = x + down\n"
    "part head:\n"
    "    final = rmsnorm(x, .norm.weight[D])\n"
    "    logits[B S V] = final[B S D] * .head.weight[V D]\n"
    "output logits\n";

typedef struct opened {
    rk_str text;
    const rk_model *whole, *part; /* the model, and what a rank has of it */
    rk_instance *m;
    rk_err err;
} opened;

static bool open_rank(opened *o, int layers, bool tied, const rk_layout *l)
{
    rk_pass_options passes = {.layout = l};
    rk_model_source source = {.name = "m", .file_name = "m.rk"};
    rk_str mistakes = {0};
    bool ok;

    *o = (opened){.m = NULL};
    rk_str_format(&o->text, text, layers, tied ? "tie .head.weight to .embed.weight\n" : "");
    source.text = rk_str_text(&o->text);
    source.n = o->text.n;
    ok = CHECK_INT(rk_model_open(&source, &o->whole, &mistakes, &o->err), RK_OK);
    if (!ok)
        printf("%s\n", rk_str_text(&mistakes));
    rk_str_free(&mistakes);
    return ok && CHECK_INT(rk_passes_run(o->whole, &passes, &o->part, &o->err), RK_OK) && CHECK(o->part) &&
           CHECK_INT(rk_instance_of(o->part, &o->m, &o->err), RK_OK);
}

static void close_rank(opened *o)
{
    rk_instance_free(o->m);
    rk_model_free(o->whole);
    rk_str_free(&o->text);
}

/* The names of one rank's weights, added to a list of all, and how many parameters they have. */
static rk_i128 add_names(const opened *o, rk_str *all)
{
    rk_convention convention = {0};
    rk_ledger *l = NULL;
    rk_names names = {0};
    rk_err err = {0};
    rk_i128 n = 0;

    if (CHECK_INT(rk_ledger_new(o->m, &convention, &l, &err), RK_OK) &&
        CHECK_INT(rk_names_new(l, RK_NAMING_REFERENCE, &names, &err), RK_OK))
        for (size_t i = 0; i < names.n; i++) {
            rk_str_format(all, " %s ", names.at[i].name);
            n += names.at[i].tied_to ? 0 : names.at[i].count;
        }
    rk_names_free(&names);
    rk_ledger_free(l);
    return n;
}

static int occurs(const rk_str *all, const char *name)
{
    rk_str word = {0};
    int n = 0;

    rk_str_format(&word, " %s ", name);
    for (const char *at = rk_str_text(all); (at = strstr(at, rk_str_text(&word))); at++)
        n++;
    rk_str_free(&word);
    return n;
}

/* All ranks together have each layer once, the embedding and the head once, and of tied ones a copy each. */
static void check_stages(int devices, int stages, int layers, bool tied)
{
    rk_i128 each = WIDTH * (1 + WIDTH), other = WIDTH * (1 + 2 * 40), sum = 0, ends = 2 * WORDS * WIDTH + WIDTH;
    rk_str all = {0};
    char name[64];

    for (int rank = 0; rank < devices; rank++) {
        rk_layout l = pipeline(devices, stages, rank, RK_SCHEDULE_INTERLEAVED, 0);
        opened o;

        if (open_rank(&o, layers, tied, &l)) {
            CHECK_INT(o.part->program.n_stage, stages);
            sum += add_names(&o, &all);
        }
        close_rank(&o);
    }
    for (int i = 0; i < layers; i++) {
        snprintf(name, sizeof name, "layers.%d.norm.weight", i);
        CHECK_INT(occurs(&all, name), 1);
        ends += i % 3 == 1 ? other : each;
    }
    CHECK_INT(occurs(&all, "embed.weight"), tied ? 2 : 1);
    CHECK_INT(occurs(&all, "head.weight"), 1);
    CHECK_INT(sum, ends);
    rk_str_free(&all);
}

static void check_too_many(void)
{
    rk_layout l = pipeline(4, 2, 0, RK_SCHEDULE_INTERLEAVED, 0);
    rk_pass_options passes = {.layout = &l};
    rk_model_source source = {.name = "m", .file_name = "m.rk"};
    const rk_model *whole = NULL, *part = NULL;
    rk_str own = {0};
    rk_err err = {0};

    rk_str_format(&own, text, 7, "");
    source.text = rk_str_text(&own);
    source.n = own.n;
    CHECK_INT(rk_model_open(&source, &whole, NULL, &err), RK_OK);
    CHECK_INT(rk_passes_run(whole, &passes, &part, &err), RK_EUSAGE);
    CHECK_TEXT(err.message, "--layout: 8 stages, but m has 7 layers: pp times virtual is that at most");
    rk_model_free(whole);
    rk_str_free(&own);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

typedef struct figures {
    rk_i128 peak, left, gradients; /* left: when all micro-batches have been run, beside gradients of weights */
    rk_i128 sent, received;        /* elements */
} figures;

static figures step_of(int layers, rk_layout l, bool drops)
{
    rk_memory_options o = {.profile = PROFILE_WITH(1, 0), .bytes = 4, .layout = &l};
    rk_memory *m = NULL;
    figures f = {0};
    opened x;

    l.drop_outputs = drops;
    if (open_rank(&x, layers, false, &l) && CHECK_INT(rk_memory_new(x.m, &o, &m, &x.err), RK_OK)) {
        f = (figures){.peak = m->peak, .left = m->output, .gradients = m->gradients};
        for (size_t i = 0; i < m->sent.n; i++) {
            CHECK_INT(m->sent.at[i].phase, RK_SENT_PIPELINE);
            *(m->sent.at[i].sent.op == RK_COLLECTIVE_SEND ? &f.sent : &f.received) +=
                m->sent.at[i].elements * m->sent.at[i].times;
        }
    }
    rk_memory_free(m);
    close_rank(&x);
    return f;
}

/* Buffers for what comes in are there throughout, of inputs and of gradients; everything else has gone. */
static void check_left(void)
{
    const rk_i128 carried = TOKENS * WIDTH * 4, ids = TOKENS * 8, logits = TOKENS * WORDS * 4;

    for (int kind = RK_SCHEDULE_1F1B; kind <= RK_SCHEDULE_ZERO_BUBBLE; kind++) {
        rk_schedule_kind k = (rk_schedule_kind)kind;
        int stages = kind >= RK_SCHEDULE_INTERLEAVED ? 2 : 1;
        rk_i128 halves = kind == RK_SCHEDULE_ZERO_BUBBLE, between = 2 + halves;
        figures first = step_of(8, pipeline(3, stages, 0, k, 6), false);
        figures middle = step_of(8, pipeline(3, stages, 1, k, 6), false);
        figures last = step_of(8, pipeline(3, stages, 2, k, 6), false), dropped;

        dropped = step_of(8, pipeline(3, stages, 2, k, 6), true);
        CHECK_INT(first.left, 6 * (ids + carried + (stages - 1) * between * carried));
        CHECK_INT(middle.left, 6 * stages * between * carried);
        CHECK_INT(last.left, 6 * ((between - 1) * carried + (stages - 1) * between * carried + logits));
        CHECK_INT(dropped.left, last.left - 6 * logits);
        CHECK_INT(first.sent, 6 * (2 * stages - 1) * TOKENS * WIDTH);
        CHECK_INT(middle.sent, 6 * 2 * stages * TOKENS * WIDTH);
        CHECK_INT(last.sent, first.sent);
        CHECK_INT(first.received, first.sent);
        CHECK_INT(middle.received, middle.sent);
        CHECK(dropped.peak < last.peak);
    }
}

/* In 1F1B more micro-batches are only more buffers for what comes in; GPipe keeps all of them. */
static void check_growth(void)
{
    const rk_i128 carried = TOKENS * WIDTH * 4;
    figures few = step_of(8, pipeline(4, 1, 1, RK_SCHEDULE_1F1B, 6), false);
    figures more = step_of(8, pipeline(4, 1, 1, RK_SCHEDULE_1F1B, 16), false);
    figures gpipe = step_of(8, pipeline(4, 1, 1, RK_SCHEDULE_GPIPE, 6), false);
    figures gpipe_more = step_of(8, pipeline(4, 1, 1, RK_SCHEDULE_GPIPE, 16), false);

    CHECK_INT(more.peak - few.peak, 10 * 2 * carried);
    CHECK(gpipe.peak > few.peak);
    CHECK(gpipe_more.peak - gpipe.peak > 10 * 3 * carried);
    CHECK_INT(more.gradients, few.gradients);
}

int main(void)
{
    check_measured();
    check_orders();
    check_refused();
    check_stages(2, 1, 5, false);
    check_stages(3, 1, 5, true);
    check_stages(2, 2, 9, true);
    check_stages(4, 2, 8, false);
    check_too_many();
    check_left();
    check_growth();
    return t_done("pipeline");
}
