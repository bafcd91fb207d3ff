/* SPDX-License-Identifier: MIT */
/*
 * Hand-worked accounts of Transformer models, figure by figure.  Each row is a figure that was worked out by hand, or,
 * where the hand slipped, the one that is right.
 */
#include "account/rollup.h"
#include "account/training.h"
#include "ask/derive.h"
#include "plan/open.h"
#include "plan/setting.h"
#include "report/figure.h"
#include "t.h"

#include "../profiles.h"

/*
 * QUANTITY is one of
 *     params [PATH]     stored parameters of the whole or a part
 *     forward [PATH]    FLOPs forward of the whole or a part, all layers together; backward, step likewise
 *     one PATH          FLOPs forward of a part or a row, in one layer
 *     tensor NAME       FLOPs forward of the uses of one tensor, in one layer
 *     count NAME        elements of one tensor
 *     share PATH[+PATH]/PATH   of FLOPs forward; an empty last path is the whole
 * WANT is a number, or the formula as it is printed, or a share.
 */
typedef struct claim {
    const char *model, *settings, *quantity, *want;
} claim;

static const claim matmul[] = {
    /* One block, in closed form; the output head beside it. */
    {"block", "", "forward", "8BSD² + 4BS²D + 6BSDF"},
    {"block", "", "params", "4D² + 3DF"},
    {"block", "", "params attention", "4D²"},
    {"block", "", "params ffn", "3DF"},
    {"block", "", "forward attention", "8BSD² + 4BS²D"},
    {"block", "", "forward ffn", "6BSDF"},
    {"block", "", "forward attention.scores", "2BS²D"},
    {"cs336-xl", "", "forward head", "2BSDV"},
    {"cs336-xl", "", "count lm_head.weight", "DV"},
    {"block", "D=1600 N=25 F=6400", "forward", "90,596,966,400"},
    {"block", "D=1600 N=25 F=6400", "params", "40,960,000"},
    {"block", "D=4K N=32 F=11008 B=2 S=512", "params", "202,375,168"},

    /* A block of D channels and L tokens, MLP ratio 4. */
    {"block-mlp", "", "forward", "24D²L + 4DL²"},
    {"block-mlp", "", "forward attention.q", "2D²L"},
    {"block-mlp", "", "forward attention.k", "2D²L"},
    {"block-mlp", "", "forward attention.v", "2D²L"},
    {"block-mlp", "", "forward attention.scores", "2DL²"},
    {"block-mlp", "", "forward attention.context", "2DL²"},
    {"block-mlp", "", "forward attention.output", "2D²L"},
    {"block-mlp", "", "forward mlp.up", "8D²L"},
    {"block-mlp", "", "forward mlp.down", "8D²L"},
    {"block-mlp", "D=384 L=196", "forward", "752,640,000"},

    /* The shape of GPT-2 XL with a two-matrix FFN, untied: d(2V + 2L + 1) + 12Ld². */
    {"cs336-xl-plain", "", "params", "12LD² + 2LD + 2DV + D"},
    {"cs336-xl-plain", "", "params", "1,635,537,600"},

    /* The same, tied. */
    {"cs336-xl-plain-tied", "", "params", "1,555,126,400"},
    {"cs336-xl-plain-tied", "", "params layers", "1,474,713,600"},
    {"cs336-xl-plain-tied", "", "params embed", "80,411,200"},
    {"cs336-xl-plain-tied", "", "one layers.attention.q", "5,242,880,000"},
    {"cs336-xl-plain-tied", "", "one layers.attention.scores", "3,355,443,200"},
    {"cs336-xl-plain-tied", "", "one layers.attention.context", "3,355,443,200"},
    {"cs336-xl-plain-tied", "N=1 D=64", "one layers.attention.context", "134,217,728"}, /* one head */
    {"cs336-xl-plain-tied", "", "one layers.attention.output", "5,242,880,000"},
    {"cs336-xl-plain-tied", "", "one layers.ffn", "41,943,040,000"},
    {"cs336-xl-plain-tied", "", "one layers", "69,625,446,400"},
    {"cs336-xl-plain-tied", "", "forward layers", "3,342,021,427,200"},
    {"cs336-xl-plain-tied", "", "forward head", "164,682,137,600"},
    {"cs336-xl-plain-tied", "", "forward", "3,506,703,564,800"},

    /* Four sizes with a gated FFN of width 4d, untied. */
    {"cs336-xl", "", "params", "2,127,057,600"},
    {"cs336-xl", "", "params layers", "1,966,233,600"},
    {"cs336-xl", "", "one layers.attention", "27,682,406,400"},
    {"cs336-xl", "", "one layers.attention.q", "5,242,880,000"},
    {"cs336-xl", "", "one layers.attention.scores", "3,355,443,200"},
    {"cs336-xl", "", "one layers.attention.context", "3,355,443,200"},
    {"cs336-xl", "", "one layers.attention.output", "5,242,880,000"},
    {"cs336-xl", "", "one layers.ffn", "62,914,560,000"},
    {"cs336-xl", "", "one layers", "90,596,966,400"},
    {"cs336-xl", "", "forward layers", "4,348,654,387,200"},
    {"cs336-xl", "", "forward head", "164,682,137,600"},
    {"cs336-xl", "", "forward", "4,513,336,524,800"},
    {"cs336-xl", "", "backward", "9,026,673,049,600"},
    {"cs336-xl", "", "forward", "32BSLD² + 4BS²LD + 2BSDV"},
    {"cs336-xl", "", "forward layers.ffn", "3,019,898,880,000"},
    {"cs336-xl", "", "forward layers.attention", "1,328,755,507,200"},
    {"cs336-xl", "", "share layers.ffn/", "66.9%"},
    {"cs336-xl", "", "share layers.attention/", "29.4%"},
    {"cs336-xl", "", "share layers.ffn/layers", "69.4%"},
    {"cs336-xl", "", "share layers/", "96.4%"},
    {"cs336-xl", "", "share head/", "3.6%"},
    {"cs336-xl", "", "share layers.attention.scores+layers.attention.context/", "7.1%"},
    {"cs336-xl", "S=16K", "forward", "149,522,795,724,800"},
    {"cs336-xl", "S=16K", "share layers.attention.scores+layers.attention.context/", "55.2%"},
    {"cs336-small", "", "forward layers", "270,582,939,648"},
    {"cs336-small", "", "forward head", "79,047,426,048"},
    {"cs336-small", "", "forward", "349,630,365,696"},
    {"cs336-small", "", "share layers/", "77.4%"},
    {"cs336-small", "", "share head/", "22.6%"},
    {"cs336-medium", "", "forward layers", "927,712,935,936"},
    {"cs336-medium", "", "forward head", "105,396,568,064"},
    {"cs336-medium", "", "forward", "1,033,109,504,000"},
    {"cs336-medium", "", "share layers/", "89.8%"},
    {"cs336-medium", "", "share head/", "10.2%"},
    {"cs336-large", "", "forward layers", "2,126,008,811,520"},
    {"cs336-large", "", "forward head", "131,745,710,080"},
    {"cs336-large", "", "forward", "2,257,754,521,600"},
    {"cs336-large", "", "share layers/", "94.2%"},
    {"cs336-large", "", "share head/", "5.8%"},

    /* GPT-2 itself: biases, learned positions, tied. */
    {"gpt2", "", "params", "124,439,808"},
    {"gpt2-medium", "", "params", "354,823,168"},
    {"gpt2-large", "", "params", "774,030,080"},
    {"gpt2-xl", "", "params", "1,557,611,200"},
    {"gpt2", "", "forward", "291,648,307,200"},
    {"gpt2", "", "step", "874,944,921,600"},
    {"gpt2-xl", "", "forward", "3,506,703,564,800"},

    /* An image-and-text model: its parameters. */
    {"vlm-784", "", "params", "69,042,817"},
    {"vlm-784", "", "count embed.weight", "32,915,584"},
};

/* The same model, every operation counted, batch 2: for each tensor its elements, and its FLOPs for one token. */
static const struct {
    const char *tensor, *count, *flops;
} vlm[] = {
    {"imageComponent.embed.patchConv.weight", "1,536", "6,144"},
    {"imageComponent.embed.patchConv.bias", "512", "1,024"},
    {"imageComponent.layers.{i}.norm1.weight", "512", "4,096"},
    {"imageComponent.layers.{i}.norm1.bias", "512", "1,024"},
    {"imageComponent.layers.{i}.att.wq.weight", "262,144", "1,048,576"},
    {"imageComponent.layers.{i}.att.wq.bias", "512", "1,024"},
    {"imageComponent.layers.{i}.att.wk.weight", "262,144", "1,048,576"},
    {"imageComponent.layers.{i}.att.wk.bias", "512", "1,024"},
    {"imageComponent.layers.{i}.att.wv.weight", "262,144", "1,048,576"},
    {"imageComponent.layers.{i}.att.wv.bias", "512", "1,024"},
    {"imageComponent.layers.{i}.att.wo.weight", "262,144", "1,048,576"},
    {"imageComponent.layers.{i}.att.wo.bias", "512", "1,024"},
    {"imageComponent.layers.{i}.norm2.weight", "512", "4,096"},
    {"imageComponent.layers.{i}.norm2.bias", "512", "1,024"},
    {"imageComponent.layers.{i}.FF.fc1.weight", "65,536", "262,144"},
    {"imageComponent.layers.{i}.FF.fc1.bias", "128", "256"},
    {"imageComponent.layers.{i}.FF.fc2.weight", "65,536", "262,144"},
    {"imageComponent.layers.{i}.FF.fc2.bias", "512", "1,024"},
    {"imageComponent.normFinal.weight", "512", "4,096"},
    {"imageComponent.normFinal.bias", "512", "1,024"},
    {"projected.project.weight", "65,536", "262,144"},
    {"projected.project.bias", "128", "256"},
    {"logits.decoderLayers.{i}.att.wq.weight", "16,384", "65,536"},
    {"logits.decoderLayers.{i}.att.wq.bias", "128", "256"},
    {"logits.decoderLayers.{i}.att.wk.weight", "16,384", "65,536"},
    {"logits.decoderLayers.{i}.att.wk.bias", "128", "256"},
    {"logits.decoderLayers.{i}.att.wv.weight", "16,384", "65,536"},
    {"logits.decoderLayers.{i}.att.wv.bias", "128", "256"},
    {"logits.decoderLayers.{i}.att.wo.weight", "16,384", "65,536"},
    {"logits.decoderLayers.{i}.att.wo.bias", "128", "256"},
    {"logits.decoderLayers.{i}.norm1.weight", "128", "1,024"},
    {"logits.decoderLayers.{i}.FF.gate_proj.weight", "16,384", "65,536"},
    {"logits.decoderLayers.{i}.FF.up_proj.weight", "16,384", "65,536"},
    {"logits.decoderLayers.{i}.FF.down_proj.weight", "16,384", "65,536"},
    {"logits.decoderLayers.{i}.norm2.weight", "128", "1,024"},
    {"logits.normFinal.weight", "128", "1,024"},
    {"logits.logits.weight", "32,915,584", "131,662,336"},
    {"logits.logits.bias", "257,153", "514,306"},
};

/* ---- a model under test ----------------------------------------------------------------------------------------- */

typedef struct subject {
    rk_arena arena;
    rk_instance *model;
    rk_ledger *ledger;
    rk_rollup ops, weights, tensors;
    rk_err err;
} subject;

static bool check(subject *s, int code)
{
    if (!CHECK(code == RK_OK))
        printf("    %s\n", s->err.message);
    return code == RK_OK;
}

/* "S=16K B=2" */
static size_t parse_settings(subject *s, const char *text, rk_setting setting[8])
{
    size_t n = 0;

    while (*text && n < 8) {
        size_t len = strcspn(text, " ");

        check(s, rk_setting_parse(&s->arena, rk_arena_copy(&s->arena, text, len), &setting[n++], &s->err));
        text += len + (text[len] == ' ');
    }
    return n;
}

static bool subject_open(subject *s, const char *model, const char *settings, rk_count count)
{
    rk_setting setting[8];
    rk_convention convention = {.count = count};
    rk_open_request r = {.word = &model, .n_word = 1, .setting = setting};

    *s = (subject){0};
    r.n_setting = parse_settings(s, settings, setting);
    return check(s, rk_open(&r, &s->model, &s->err)) &&
           check(s, rk_ledger_new(s->model, &convention, &s->ledger, &s->err)) &&
           check(s, rk_rollup_ops(&s->arena, s->ledger, &s->ops, &s->err)) &&
           check(s, rk_rollup_weights(&s->arena, s->ledger, &s->weights, &s->err)) &&
           check(s, rk_rollup_tensors(&s->arena, s->ledger, &s->tensors, &s->err));
}

static void subject_close(subject *s)
{
    if (s->ledger)
        rk_ledger_free(s->ledger);
    if (s->model)
        rk_instance_free(s->model);
    rk_arena_free(&s->arena);
}

static const rk_roll_node *node(const rk_rollup *tree, const char *path)
{
    static const rk_roll_node nothing;

    for (size_t i = 0; i < tree->n; i++)
        if (strcmp(tree->node[i].path, path) == 0)
            return &tree->node[i];
    if (!CHECK(false))
        printf("    there is no %s\n", path);
    return &nothing;
}

static rk_i128 value(subject *s, rk_ex e)
{
    rk_binding at = s->model->at;
    rk_i128 n = 0;

    check(s, rk_ex_eval(s->model->pool, e, &at, &n, &s->err));
    return n;
}

/* ---- quantities ------------------------------------------------------------------------------------------------- */

static bool asks(const char *quantity, const char *word, const char **rest)
{
    size_t n = strlen(word);

    if (strncmp(quantity, word, n) != 0 || (quantity[n] != ' ' && quantity[n] != '\0'))
        return false;
    *rest = quantity + n + (quantity[n] == ' ');
    return true;
}

static rk_ex derived(subject *s, rk_quantity quantity, const char *path)
{
    rk_derivation d = {0};

    check(s, rk_derive(&s->arena, s->ledger, quantity, *path ? path : NULL, &d, &s->err));
    return d.total;
}

static rk_ex quantity_of(subject *s, const char *quantity)
{
    const char *rest;

    if (asks(quantity, "params", &rest))
        return derived(s, RK_QUANTITY_PARAMS, rest);
    if (asks(quantity, "forward", &rest))
        return derived(s, RK_QUANTITY_FLOPS, rest);
    if (asks(quantity, "backward", &rest))
        return derived(s, RK_QUANTITY_BACKWARD, rest);
    if (asks(quantity, "step", &rest))
        return derived(s, RK_QUANTITY_STEP, rest);
    if (asks(quantity, "one", &rest))
        return node(&s->ops, rest)->figure[0];
    if (asks(quantity, "tensor", &rest))
        return node(&s->tensors, rest)->figure[0];
    if (asks(quantity, "count", &rest))
        return node(&s->weights, rest)->figure[0];
    CHECK(false && *quantity);
    return RK_EX_FAILED;
}

/* "a+b/c": both of a and b, of c. */
static void put_share(subject *s, const char *quantity, rk_str *out)
{
    char path[256];
    rk_i128 sum = 0;

    while (*quantity && *quantity != '/') {
        size_t n = strcspn(quantity, "+/");

        snprintf(path, sizeof path, "%.*s", (int)n, quantity);
        sum += value(s, derived(s, RK_QUANTITY_FLOPS, path));
        quantity += n + (quantity[n] == '+');
    }
    rk_str_share(out, sum, value(s, derived(s, RK_QUANTITY_FLOPS, quantity + (*quantity == '/'))));
}

static void put_answer(subject *s, const claim *c, rk_str *out)
{
    bool is_number = strspn(c->want, "0123456789,") == strlen(c->want);
    const char *rest;
    rk_ex e;

    if (asks(c->quantity, "share", &rest)) {
        put_share(s, rest, out);
        return;
    }
    e = quantity_of(s, c->quantity);
    if (is_number)
        rk_str_grouped(out, value(s, e));
    else
        rk_ex_print(s->model->pool, rk_ex_simplify(s->model->pool, e), RK_PRINT_TEXT, out);
}

static void check_claim(const claim *c, rk_count count)
{
    subject s;
    rk_str got = {0};

    if (subject_open(&s, c->model, c->settings, count)) {
        put_answer(&s, c, &got);
        if (!CHECK_TEXT(rk_str_text(&got), c->want))
            printf("    %s %s %s\n", c->model, c->settings, c->quantity);
    }
    rk_str_free(&got);
    subject_close(&s);
}

/* ---- the accounts ----------------------------------------------------------------------------------------------- */

static void check_text(subject *s, const char *what, rk_ex e, const char *want)
{
    char got[RK_NUM_TEXT_MAX];

    if (!CHECK_TEXT(rk_num_grouped(got, value(s, e)), want))
        printf("    %s\n", what);
}

static void check_vlm_rows(void)
{
    rk_acc acc = {0};
    rk_i128 sum = 0;
    subject s;

    if (subject_open(&s, "vlm-784", "S=1 I=1", RK_COUNT_ALL)) {
        for (size_t i = 0; i < sizeof vlm / sizeof *vlm; i++) {
            const rk_roll_node *use = node(&s.tensors, vlm[i].tensor);

            check_text(&s, vlm[i].tensor, node(&s.weights, vlm[i].tensor)->figure[0], vlm[i].count);
            check_text(&s, vlm[i].tensor, use->figure[0], vlm[i].flops);
            sum = rk_add(&acc, sum, rk_mul(&acc, value(&s, use->times), value(&s, use->figure[0])));
        }
        /* The account's rows sum to 143,203,410, of which 820,816 were given to the positions. */
        CHECK_INT(sum, 143203410 - 820816);
    }
    subject_close(&s);
}

static void check_vlm_positions(void)
{
    static const char positions[] = "imageComponent.embed.positionEmbeddings.weight";
    subject s;

    if (subject_open(&s, "vlm-784", "S=77", RK_COUNT_ALL)) {
        check_text(&s, "positions added", node(&s.tensors, positions)->figure[0], "802,816");
        check_text(&s, "positions", node(&s.weights, positions)->figure[0], "401,408");
        /* Scores and context are there, and have no tensor. */
        CHECK_INT(node(&s.tensors, "image.layers.attention.scores")->row, RK_NONE);
    }
    subject_close(&s);
}

/* 33.13 times the operations for 16 times the tokens. */
static void check_long_context(void)
{
    subject s, l;

    if (subject_open(&s, "cs336-xl", "", RK_COUNT_MATMUL) && subject_open(&l, "cs336-xl", "S=16K", RK_COUNT_MATMUL)) {
        rk_i128 whole = value(&s, s.ledger->forward);

        CHECK_INT((value(&l, l.ledger->forward) * 100 + whole / 2) / whole, 3313);
    }
    subject_close(&l);
    subject_close(&s);
}

/* ---- memory of a step with AdamW -------------------------------------------------------------------------------- */

static void check_formula(subject *s, rk_ex e, const char *want)
{
    rk_str got = {0};

    rk_ex_print(s->model->pool, rk_ex_simplify(s->model->pool, e), RK_PRINT_TEXT, &got);
    CHECK_TEXT(rk_str_text(&got), want);
    rk_str_free(&got);
}

/* 16P + 4A, and the parts of A: 17BTd + 2BhT² + BhT + 2BT for each layer. */
static void check_sixteen_and_four(subject *s, const rk_memory *m)
{
    const rk_i128 parameters = 1635537600;

    CHECK_INT(m->parameters, 4 * parameters);
    CHECK_INT(m->gradients, 4 * parameters);
    CHECK_INT(m->optimizer, 8 * parameters);
    CHECK_INT(m->parameters + m->gradients + m->optimizer, 26168601600);
    CHECK_INT(m->saved, 15837638656);
    check_formula(s, rk_ex_div(s->model->pool, m->saved_formula, rk_ex_int(s->model->pool, 4)),
                  "2BS²LN + 17BSLD + BSLN + 2BSL + BSD + 2BSV + BS");
    check_formula(s, rk_ex_div(s->model->pool, m->parameters_formula, rk_ex_int(s->model->pool, 4)),
                  "12LD² + 2LD + 2DV + D");
}

static void check_memory(void)
{
    rk_memory_options o = {.profile = PROFILE_TEXTBOOK, .bytes = 4, .loss = true};
    rk_memory *m = NULL;
    rk_fit fit = {0};
    subject s;

    if (subject_open(&s, "cs336-xl-plain", "B=1 S=1024", RK_COUNT_MATMUL) &&
        check(&s, rk_memory_new(s.model, &o, &m, &s.err))) {
        check_sixteen_and_four(&s, m);
        check(&s, rk_fit_batch(s.model, &o, 80000000000, &fit, &s.err));
        CHECK_INT(fit.largest, 3);
        CHECK_INT(fit.bytes, (rk_i128)26168601600 + (rk_i128)3 * 15837638656);
        CHECK_INT(fit.next, (rk_i128)26168601600 + (rk_i128)4 * 15837638656);
    }
    rk_memory_free(m);
    subject_close(&s);
}

/* ---- days of training ------------------------------------------------------------------------------------------- */

/* 400,000 steps of batch 1,024 at 19.5 TFLOP/s, of which half are reached, in tenths of a day. */
static void check_days(const char *model, rk_i128 want)
{
    subject s;

    if (subject_open(&s, model, "B=1024 S=1024", RK_COUNT_MATMUL)) {
        rk_i128 step = value(&s, s.ledger->forward) + value(&s, s.ledger->backward);

        CHECK_INT(value(&s, s.ledger->backward), 2 * value(&s, s.ledger->forward));
        CHECK_INT((step * 400000 * 20 + (rk_i128)19500000000000 * 43200) / ((rk_i128)19500000000000 * 86400), want);
    }
    subject_close(&s);
}

static void check_adamw_step(void)
{
    rk_optimizer_step step;
    subject s;

    if (subject_open(&s, "cs336-xl-plain", "", RK_COUNT_MATMUL) &&
        check(&s, rk_optimizer_step_new(&s.arena, s.ledger, RK_OPTIMIZER_ADAMW, &step, &s.err)))
        CHECK_INT(value(&s, step.total), (rk_i128)14 * 1635537600);
    subject_close(&s);
}

int main(void)
{
    for (size_t i = 0; i < sizeof matmul / sizeof *matmul; i++)
        check_claim(&matmul[i], RK_COUNT_MATMUL);
    check_vlm_rows();
    check_vlm_positions();
    check_long_context();
    check_memory();
    check_days("cs336-xl", 65836);
    check_days("cs336-xl-plain", 51152);
    check_adamw_step();
    return t_done("seeds");
}
