/* SPDX-License-Identifier: MIT */
/*
 * Properties that every model has, on some hundred random ones.
 *
 *     random_models                 the usual seeds
 *     random_models SEED [COUNT]    others; a failing check prints the seed and the model
 */
#include "account/rollup.h"
#include "account/sheet.h"
#include "prop/generate.h"
#include "sample.h"
#include "t.h"

#include <stdlib.h>

#define N_MODEL 300

static const rk_convention conventions[] = {
    {.count = RK_COUNT_MATMUL},
    {.count = RK_COUNT_MATMUL, .pairs = RK_PAIRS_EXACT},
    {.count = RK_COUNT_MATMUL, .mac = true},
    {.count = RK_COUNT_ALL},
    {.count = RK_COUNT_ALL, .pairs = RK_PAIRS_EXACT},
    {.count = RK_COUNT_TORCH},
};

enum {
    FULL,
    EXACT,
    MAC,
    ALL,
    ALL_EXACT,
    TORCH,
    N_CONVENTION
};

/* ---- one model, opened ------------------------------------------------------------------------------------------- */

typedef struct subject {
    rk_arena arena;
    rk_instance *instance;
    const rk_model *model;
    rk_ledger *ledger[N_CONVENTION];
    rk_binding at;
} subject;

static bool open_plan(const plan *p, spelling how, bool unrolled, subject *s)
{
    rk_str text = {0}, config = {0}, mistakes = {0};
    rk_setting setting[N_SIZE];
    rk_model_source source = {.name = "random", .file_name = "random.rk", .setting = setting};
    rk_doc *doc = NULL;
    rk_err err = {0};
    int code = RK_OK;

    *s = (subject){.instance = NULL};
    plan_write(p, how, unrolled, &text);
    plan_config(p, &config);
    source.text = rk_str_text(&text);
    source.n = text.n;
    source.n_setting = plan_settings(p, how, setting);
    if (how == SPELL_CONFIG)
        code = rk_config_parse(&s->arena, "config", rk_str_text(&config), config.n, &doc, &err);
    source.config = doc;
    if (code == RK_OK)
        code = rk_model_open(&source, &s->model, &mistakes, &err);
    if (code == RK_OK)
        code = rk_instance_of(s->model, &s->instance, &err);
    for (int i = 0; i < N_CONVENTION && code == RK_OK; i++)
        code = rk_ledger_new(s->instance, &conventions[i], &s->ledger[i], &err);
    if (!CHECK_INT(code, RK_OK))
        printf("%s\n%s\n%s\n", err.message, rk_str_text(&mistakes), rk_str_text(&text));
    if (s->instance)
        s->at = s->instance->at;
    rk_str_free(&text);
    rk_str_free(&config);
    rk_str_free(&mistakes);
    return code == RK_OK;
}

static void close_subject(subject *s)
{
    for (int i = 0; i < N_CONVENTION; i++)
        rk_ledger_free(s->ledger[i]);
    rk_instance_free(s->instance);
    rk_arena_free(&s->arena);
}

static rk_i128 value(const subject *s, rk_ex e)
{
    rk_i128 n = -1;
    rk_err err = {0};

    if (!CHECK_INT(rk_ex_eval(s->instance->pool, e, &s->at, &n, &err), RK_OK))
        printf("    %s\n", err.message);
    return n;
}

typedef struct totals {
    rk_i128 of[5]; /* stored, named, active, forward, backward */
} totals;

static totals totals_of(const subject *s, int c)
{
    const rk_ledger *l = s->ledger[c];
    rk_ex e[5] = {l->stored, l->named, l->active, l->forward, l->backward};
    totals t;

    for (int i = 0; i < 5; i++)
        t.of[i] = value(s, e[i]);
    return t;
}

static void check_same_totals(const char *what, const subject *a, const subject *b)
{
    static const char *const name[] = {"stored", "named", "active", "forward", "backward"};

    for (int c = 0; c < N_CONVENTION; c++) {
        totals x = totals_of(a, c), y = totals_of(b, c);

        for (int i = 0; i < 5; i++)
            if (!CHECK_INT(x.of[i], y.of[i]))
                printf("    %s: %s under convention %d\n", what, name[i], c);
    }
}

/* ---- a total is the sum of its rows ------------------------------------------------------------------------------ */

static void check_rows(const subject *s, int c)
{
    const rk_ledger *l = s->ledger[c];
    totals t = totals_of(s, c), sum = {{0}};

    for (size_t i = 0; i < l->n_weight; i++) {
        const rk_weight_row *w = &l->weight[i];
        rk_i128 times = value(s, w->times), count = value(s, w->count), active = value(s, w->active);
        bool tied = s->model->program.weight[w->weight].tied_to != RK_NONE;

        CHECK(times > 0 && count > 0 && active > 0 && active <= count);
        sum.of[0] += tied ? 0 : times * count;
        sum.of[1] += times * count;
        sum.of[2] += tied ? 0 : times * active;
    }
    for (size_t i = 0; i < l->n_op; i++) {
        rk_i128 times = value(s, l->op[i].times), forward = value(s, l->op[i].forward);

        CHECK(times > 0 && forward >= 0);
        sum.of[3] += times * forward;
        sum.of[4] += times * value(s, l->op[i].backward);
    }
    for (int i = 0; i < 5; i++)
        CHECK_INT(sum.of[i], t.of[i]);
}

/* ---- so is every roll-up ----------------------------------------------------------------------------------------- */

/* What a reader of a table of that depth adds up: nodes at the depth, and leaves above it. */
static void check_depth(const subject *s, const rk_rollup *r, uint32_t depth, const rk_i128 want[RK_ROLL_FIGURES])
{
    rk_i128 sum[RK_ROLL_FIGURES] = {0};

    for (size_t i = 0; i < r->n; i++) {
        const rk_roll_node *n = &r->node[i];

        if (n->depth != depth && !(n->depth < depth && n->n_below == 0))
            continue;
        for (int k = 0; k < RK_ROLL_FIGURES; k++)
            sum[k] += value(s, n->times) * value(s, n->figure[k]);
    }
    for (int k = 0; k < RK_ROLL_FIGURES; k++)
        CHECK_INT(sum[k], want[k]);
}

/* Nodes follow their parents, one level deeper, and inside of what these say is below them. */
static void check_tree(const rk_rollup *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const rk_roll_node *n = &r->node[i];

        CHECK((i == 0) == (n->parent == RK_NONE) && i + n->n_below < r->n);
        if (i > 0)
            CHECK(n->parent < i && n->depth == r->node[n->parent].depth + 1 &&
                  i + n->n_below <= n->parent + r->node[n->parent].n_below);
    }
}

static void check_rollup(const subject *s, const rk_rollup *r, rk_i128 a, rk_i128 b)
{
    rk_i128 want[RK_ROLL_FIGURES] = {a, b};
    uint32_t deepest = 0;

    check_tree(r);
    for (size_t i = 0; i < r->n; i++)
        deepest = r->node[i].depth > deepest ? r->node[i].depth : deepest;
    for (uint32_t d = 0; d <= deepest; d++)
        check_depth(s, r, d, want);
}

static void check_rollups(const subject *s, int c)
{
    rk_arena a = {0};
    rk_rollup r = {0};
    rk_err err = {0};
    totals t = totals_of(s, c);

    if (CHECK_INT(rk_rollup_ops(&a, s->ledger[c], &r, &err), RK_OK))
        check_rollup(s, &r, t.of[3], t.of[4]);
    if (CHECK_INT(rk_rollup_weights(&a, s->ledger[c], &r, &err), RK_OK))
        check_rollup(s, &r, t.of[0], t.of[2]);
    if (CHECK_INT(rk_rollup_tensors(&a, s->ledger[c], &r, &err), RK_OK))
        check_rollup(s, &r, t.of[3], t.of[4]);
    rk_arena_free(&a);
}

/* ---- what is printed is what was counted ------------------------------------------------------------------------- */

static void check_printed(const subject *s, rk_ex e)
{
    static const int style[] = {RK_PRINT_TEXT, RK_PRINT_FACTORED};
    rk_pool *pool = s->instance->pool;
    rk_i128 want = value(s, e);
    rk_ex shown[2] = {e, rk_ex_simplify(pool, e)};

    for (int i = 0; i < 4; i++) {
        rk_str text = {0};
        rk_err err = {0};
        rk_ex again = RK_EX_FAILED;

        rk_ex_print(pool, shown[i / 2], style[i % 2], &text);
        if (CHECK_INT(rk_ex_parse(pool, rk_str_text(&text), &again, &err), RK_OK) && !CHECK_INT(value(s, again), want))
            printf("    %s\n", rk_str_text(&text));
        rk_str_free(&text);
    }
}

static void check_formulas(const subject *s, int c)
{
    const rk_ledger *l = s->ledger[c];

    check_printed(s, l->stored);
    check_printed(s, l->active);
    check_printed(s, l->forward);
    check_printed(s, l->backward);
    for (size_t i = 0; i < l->n_op; i += 7)
        check_printed(s, l->op[i].forward);
}

static void check_sheet(const subject *s, int c)
{
    const rk_ledger *l = s->ledger[c];
    rk_sheet *sheet = NULL;
    rk_err err = {0};

    if (!CHECK_INT(rk_sheet_new(l, &sheet, &err), RK_OK))
        return;
    rk_i128 *scratch = malloc(sheet->n_scratch * sizeof *scratch), *v = malloc(sheet->n_value * sizeof *v);

    CHECK_INT(rk_sheet_eval(sheet, &s->at, scratch, v, &err), RK_OK);
    for (size_t i = 0; i < l->n_weight; i++)
        CHECK(v[sheet->weight + 2 * i] == value(s, l->weight[i].count) &&
              v[sheet->weight + 2 * i + 1] == value(s, l->weight[i].times));
    for (size_t i = 0; i < l->n_op; i++)
        CHECK(v[sheet->op + 3 * i] == value(s, l->op[i].forward) &&
              v[sheet->op + 3 * i + 1] == value(s, l->op[i].backward) &&
              v[sheet->op + 3 * i + 2] == value(s, l->op[i].times));
    CHECK(v[sheet->stored] == value(s, l->stored) && v[sheet->named] == value(s, l->named) &&
          v[sheet->active] == value(s, l->active) && v[sheet->forward] == value(s, l->forward) &&
          v[sheet->backward] == value(s, l->backward));
    free(scratch);
    free(v);
    rk_sheet_free(sheet);
}

/* ---- gradients --------------------------------------------------------------------------------------------------- */

/* Found anew, from the program alone: which tensors a trained weight reaches, and which reach an output. */
typedef struct reached {
    bool *needs, *reaches;
} reached;

static bool passes(const rk_op *op, size_t k)
{
    rk_grad_rule rule = rk_op_table[op->row].grad;

    return rule == RK_GRAD_ALL || (rule == RK_GRAD_FIRST && k == 0) || (rule == RK_GRAD_SECOND && k == 1);
}

static void spread(const rk_program *p, reached *r)
{
    for (size_t i = 0; i < p->n_op; i++)
        for (size_t k = 0; k < p->op[i].n_in; k++)
            if (passes(&p->op[i], k)) {
                r->needs[p->op[i].out] |= r->needs[p->op[i].in[k].tensor];
                r->reaches[p->op[i].in[k].tensor] |= r->reaches[p->op[i].out];
            }
}

static reached reached_of(const rk_program *p)
{
    reached r = {calloc(p->n_tensor + 1, 1), calloc(p->n_tensor + 1, 1)};

    for (size_t i = 0; i < p->n_tensor; i++) {
        const rk_tensor *t = &p->tensor[i];

        r.needs[i] = t->incoming || (t->kind == RK_TENSOR_WEIGHT && !p->weight[t->weight].frozen);
    }
    for (size_t i = 0; i < p->n_output; i++)
        r.reaches[p->output[i]] = true;
    for (size_t i = 0; i <= p->n_op; i++)
        spread(p, &r); /* as often as the longest way there can be */
    return r;
}

/* A product has one gradient for each factor that needs one; the two ends of a recurrence may save a step. */
static void check_products(const subject *s, bool recurrence)
{
    const rk_program *p = &s->model->program;
    reached r = reached_of(p);

    for (size_t i = 0; i < s->ledger[FULL]->n_op; i++) {
        const rk_ledger_op *row = &s->ledger[FULL]->op[i];
        const rk_op *op = &p->op[row->op];
        rk_i128 forward = value(s, row->forward), n = 0;

        for (size_t k = 0; k < op->n_in; k++)
            n += r.reaches[op->out] && r.needs[op->in[k].tensor];
        if (!recurrence)
            CHECK_INT(value(s, row->backward), n * forward);
        else
            CHECK(value(s, row->backward) <= n * forward && (n == 0 || value(s, row->backward) > 0));
    }
    free(r.needs);
    free(r.reaches);
}

/* ---- one convention against another ------------------------------------------------------------------------------ */

static const rk_ledger_op *row_of(const rk_ledger *l, const rk_ledger_op *like)
{
    for (size_t i = 0; i < l->n_op; i++)
        if (l->op[i].op == like->op && strcmp(l->op[i].path, like->path) == 0)
            return &l->op[i];
    return NULL;
}

/* A mask leaves at most all pairs, row by row. */
static void check_exact(const subject *s, int exact, int full)
{
    for (size_t i = 0; i < s->ledger[full]->n_op; i++) {
        const rk_ledger_op *a = &s->ledger[full]->op[i], *b = row_of(s->ledger[exact], a);

        if (CHECK(b != NULL))
            CHECK(value(s, b->forward) <= value(s, a->forward) && value(s, b->backward) <= value(s, a->backward) &&
                  value(s, b->forward) > 0);
    }
}

static void check_conventions(const subject *s)
{
    totals full = totals_of(s, FULL), mac = totals_of(s, MAC), all = totals_of(s, ALL), torch = totals_of(s, TORCH);

    for (int i = 3; i < 5; i++) {
        CHECK_INT(full.of[i], 2 * mac.of[i]);
        CHECK(all.of[i] >= full.of[i]);
        CHECK(torch.of[i] >= full.of[i]); /* depthwise convolutions cost it more */
    }
    check_exact(s, EXACT, FULL);
    check_exact(s, ALL_EXACT, ALL);
}

/* ---- one way to write a model against another -------------------------------------------------------------------- */

static void write_ledger(const subject *s, int c, rk_str *out)
{
    const rk_ledger *l = s->ledger[c];

    for (size_t i = 0; i < l->n_weight; i++) {
        rk_str_format(out, "%s %s ", l->weight[i].path, l->weight[i].pattern);
        rk_ex_print(s->instance->pool, l->weight[i].count, RK_PRINT_TEXT, out);
        rk_ex_print(s->instance->pool, l->weight[i].times, RK_PRINT_TEXT, out);
        rk_str_putc(out, '\n');
    }
    for (size_t i = 0; i < l->n_op; i++) {
        rk_str_format(out, "%s ", l->op[i].path);
        rk_ex_print(s->instance->pool, l->op[i].forward, RK_PRINT_TEXT, out);
        rk_ex_print(s->instance->pool, l->op[i].backward, RK_PRINT_TEXT, out);
        rk_ex_print(s->instance->pool, l->op[i].times, RK_PRINT_TEXT, out);
        rk_str_putc(out, '\n');
    }
}

static void check_again(const plan *p, const subject *s)
{
    subject again;
    rk_str a = {0}, b = {0};

    if (open_plan(p, SPELL_NUMBERS, false, &again)) {
        write_ledger(s, ALL, &a);
        write_ledger(&again, ALL, &b);
        CHECK_TEXT(rk_str_text(&a), rk_str_text(&b));
    }
    rk_str_free(&a);
    rk_str_free(&b);
    close_subject(&again);
}

static void check_spelling(const plan *p, const subject *s, const char *what, spelling how, bool unrolled)
{
    subject other;

    if (open_plan(p, how, unrolled, &other)) {
        check_same_totals(what, s, &other);
        if (unrolled)
            check_products(&other, p->recurrence);
    }
    close_subject(&other);
}

/* More layers of the same kind: as many operations in the program, and each further layer costs the same. */
static void check_layers(const plan *p)
{
    plan more = *p;
    subject at[3] = {{.model = NULL}, {.model = NULL}, {.model = NULL}};
    bool good = true;

    for (int i = 0; i < 3; i++) {
        more.size[SIZE_L] = 3 + 2 * i; /* the first and the last may be kinds of their own */
        good = good && open_plan(&more, SPELL_NUMBERS, false, &at[i]);
    }
    for (int c = 0; c < N_CONVENTION && good; c++) {
        totals a = totals_of(&at[0], c), b = totals_of(&at[1], c), d = totals_of(&at[2], c);

        for (int i = 0; i < 5; i++)
            CHECK_INT(b.of[i] - a.of[i], d.of[i] - b.of[i]);
        CHECK(at[0].model->program.n_op == at[1].model->program.n_op &&
              at[1].model->program.n_op == at[2].model->program.n_op);
    }
    for (int i = 0; i < 3; i++)
        close_subject(&at[i]);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static void check_plan(const plan *p, subject *s)
{
    for (int c = 0; c < N_CONVENTION; c++) {
        check_rows(s, c);
        check_rollups(s, c);
        check_sheet(s, c);
    }
    check_formulas(s, ALL_EXACT);
    check_formulas(s, FULL);
    check_conventions(s);
    check_again(p, s);
    check_spelling(p, s, "from a config", SPELL_CONFIG, false);
    check_spelling(p, s, "set from outside", SPELL_SET, false);
    check_spelling(p, s, "every layer written out", SPELL_NUMBERS, true);
    if (!p->by_number)
        check_layers(p);
}

static void test_seed(plan make(rk_arena *a, unsigned long long seed), unsigned long long seed)
{
    rk_arena a = {0};
    plan p = make(&a, seed);
    unsigned long failed = t_n_failed;
    subject s;

    if (open_plan(&p, SPELL_NUMBERS, false, &s))
        check_plan(&p, &s);
    if (t_n_failed > failed) {
        rk_str text = {0};

        plan_write(&p, SPELL_NUMBERS, false, &text);
        printf("    seed %llu (T = %d):\n%s\n", seed, p.size[SIZE_T], rk_str_text(&text));
        rk_str_free(&text);
    }
    close_subject(&s);
    rk_arena_free(&a);
}

int main(int argc, char **argv)
{
    unsigned long long first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long long n = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : N_MODEL;

    for (unsigned long long seed = first; seed < first + n && t_n_failed < 20; seed++) {
        char name[32];

        snprintf(name, sizeof name, "%llu", seed);
        if (argc > 1 || t_sampled(name))
            test_seed(seed % 2 ? plan_new : plan_loops, seed);
    }
    return t_done("random models");
}
