/* SPDX-License-Identifier: MIT */
/*
 * Polynomials of one symbol, their signs, and crossings: what is found by solving is what is found by trying every
 * number, and comparisons add up.
 */
#include "ask/compare.h"
#include "ask/cross.h"
#include "ask/differ.h"
#include "ask/signs.h"
#include "plan/library.h"

#include "../sample.h"
#include "../t.h"

#include <math.h>
#include <stdlib.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))

static rk_err err;

/* ---- coefficients ----------------------------------------------------------------------------------------------- */

static rk_ex read(rk_pool *p, const char *text)
{
    rk_ex e = RK_EX_FAILED;

    if (!CHECK_INT(rk_ex_parse(p, text, &e, &err), RK_OK))
        printf("    %s: %s\n", text, err.message);
    return e;
}

static void check_print(const rk_pool *p, rk_ex e, const char *want)
{
    rk_str s = {0};

    rk_ex_print(p, e, RK_PRINT_TEXT, &s);
    CHECK_TEXT(rk_str_text(&s), want);
    rk_str_free(&s);
}

static rk_pool *new_pool(void)
{
    static const char *const name[] = {"B", "S", "T", "D", "N", "W"};
    rk_pool *p = rk_pool_new();

    for (size_t i = 0; i < N_OF(name); i++)
        rk_sym_declare(p, name[i], i > 2);
    CHECK_INT(rk_sym_define(p, rk_sym_find(p, "T"), read(p, "S"), &err), RK_OK);
    return p;
}

static void test_coefficients(void)
{
    rk_pool *p = new_pool();
    rk_sym s = rk_sym_find(p, "S"), t = rk_sym_find(p, "T");
    rk_ex c[4];
    size_t n;

    CHECK(rk_ex_coefficients(p, read(p, "8*B*S*D^2 + 4*B*S*T*D + 3*D"), s, c, 4, &n));
    CHECK_INT(n, 3);
    check_print(p, c[0], "3D");
    check_print(p, c[1], "8BD²");
    check_print(p, c[2], "4BD");
    CHECK(
        rk_ex_coefficients(p, read(p, "S*T/2 + T/2"), t, c, 4, &n)); /* of a defined symbol, its definition stays out */
    CHECK_INT(n, 2);
    check_print(p, c[1], "S/2 + 1/2");
    CHECK(rk_ex_coefficients(p, read(p, "0"), s, c, 4, &n));
    CHECK_INT(n, 0);
    CHECK(rk_ex_coefficients(p, read(p, "min(D, W)*S"), s, c, 4, &n));
    check_print(p, c[1], "min(D, W)");
    CHECK(!rk_ex_coefficients(p, read(p, "min(S, W)"), s, c, 4, &n));
    CHECK(!rk_ex_coefficients(p, read(p, "D/S"), s, c, 4, &n));
    CHECK(!rk_ex_coefficients(p, read(p, "D/(S + 1)"), s, c, 4, &n));
    CHECK(!rk_ex_coefficients(p, read(p, "S^4"), s, c, 4, &n));
    CHECK(rk_ex_coefficients(p, read(p, "S^3"), s, c, 4, &n));
    CHECK_INT(rk_pool_check(p, &err), RK_OK);
    rk_pool_free(p);
}

static void test_primitive(void)
{
    rk_pool *p = new_pool();

    check_print(p, rk_ex_primitive(p, read(p, "8*B*S*D^2 - 4*B*S^2*D")), "2D - S");
    check_print(p, rk_ex_primitive(p, read(p, "4*B*S^2*D - 8*B*S*D^2")), "-2D + S");
    check_print(p, rk_ex_primitive(p, read(p, "7*D")), "1");
    check_print(p, rk_ex_primitive(p, read(p, "0 - 7*D")), "-1");
    check_print(p, rk_ex_primitive(p, read(p, "0")), "0");
    rk_pool_free(p);
}

/* A window: one polynomial up to its width, another one beyond. */
static void test_decide(void)
{
    rk_pool *p = new_pool();
    rk_sym s = rk_sym_find(p, "S");
    rk_i128 value[] = {1, 5, 0, 3, 1, 8}, until, num, den;
    bool known[] = {true, true, false, true, true, true};
    rk_binding at = {value, known, N_OF(value)};
    rk_ex e = read(p, "D*T*min(T, W) + max(2*S, W + 3)");

    check_print(p, rk_ex_decide(p, e, s, &at, &until), "S²D + W + 3"); /* 2S ≤ 11 up to 5 */
    CHECK_INT(until, 6);
    value[s] = 6;
    check_print(p, rk_ex_decide(p, e, s, &at, &until), "S²D + 2S");
    CHECK_INT(until, 9); /* at 8 the two are the same */
    value[s] = 8;
    check_print(p, rk_ex_decide(p, e, s, &at, &until), "SDW + 2S");
    CHECK(until == RK_I128_MAX);
    CHECK_INT(rk_ex_decide(p, read(p, "min(S^2, W)"), s, &at, &until), RK_EX_FAILED);
    CHECK_INT(rk_pool_check(p, &err), RK_OK);
    CHECK_INT(rk_ex_eval_ratio(p, read(p, "(S + 1)/(2*D)"), &at, &num, &den, &err), RK_OK);
    CHECK(num == 3 && den == 2);
    known[s] = false;
    CHECK_INT(rk_ex_eval_ratio(p, read(p, "S/2"), &at, &num, &den, &err), RK_EVALUE);
    rk_pool_free(p);
}

/* ---- signs ------------------------------------------------------------------------------------------------------ */

static rk_i128 value_at(const rk_poly *p, rk_i128 x)
{
    rk_i128 v = 0;

    for (size_t k = p->n; k-- > 0;)
        v = v * x + p->c[k];
    return v;
}

static int sign_of(rk_i128 v)
{
    return (v > 0) - (v < 0);
}

/* The product of (x - root) and a factor, so that signs change at whole numbers and between them. */
static rk_poly random_poly(void)
{
    rk_poly p = {.c = {rand() % 9 + 1}, .n = 1};
    int degree = rand() % 6;

    for (int i = 0; i < degree; i++) {
        rk_i128 over = rand() % 400 - 100, under = rand() % 3 + 1;

        for (size_t k = p.n++; k > 0; k--)
            p.c[k] = p.c[k - 1] * under - p.c[k] * over;
        p.c[0] *= -over;
        if (p.c[p.n - 1] == 0)
            return (rk_poly){.n = 0};
    }
    return p;
}

static void check_signs(const rk_poly *p, rk_i128 from, rk_i128 to)
{
    rk_signs s;
    rk_i128 next = from;

    CHECK(rk_poly_signs(p, from, to, &s));
    for (size_t i = 0; i < s.n; i++) {
        CHECK(s.run[i].from == next && s.run[i].to >= next && (i == 0 || s.run[i].sign != s.run[i - 1].sign));
        for (rk_i128 x = s.run[i].from; x <= s.run[i].to; x++)
            CHECK_INT(sign_of(value_at(p, x)), s.run[i].sign);
        next = s.run[i].to + 1;
    }
    CHECK(next == to + 1);
    if (rk_poly_is_settled(p, to))
        for (rk_i128 x = to; x < to + 1000; x += 7)
            CHECK_INT(sign_of(value_at(p, x)), sign_of(value_at(p, to)));
}

static void test_signs(void)
{
    rk_poly large = {.c = {0, 1, RK_I128_MAX / 4}, .n = 3}, nothing = {.n = 0};
    rk_signs s;

    srand(7);
    for (int i = 0; i < 2000; i++) {
        rk_poly p = random_poly();
        rk_i128 from = rand() % 20;

        check_signs(&p, from, from + rand() % 350);
    }
    CHECK(!rk_poly_signs(&large, 1, 100, &s));
    CHECK(rk_poly_signs(&large, 1, 1, &s));
    check_signs(&nothing, 1, 10);
}

static void test_readings(void)
{
    CHECK(rk_reading_compare((rk_reading){1, 3}, (rk_reading){2, 6}) == 0);
    CHECK(rk_reading_compare((rk_reading){RK_I128_MAX, 2}, (rk_reading){RK_I128_MAX - 1, 2}) > 0);
    CHECK(rk_reading_compare((rk_reading){RK_I128_MAX - 1, RK_I128_MAX},
                             (rk_reading){RK_I128_MAX - 2, RK_I128_MAX - 1}) > 0);
    CHECK(rk_reading_compare((rk_reading){0, 5}, (rk_reading){1, RK_I128_MAX}) < 0);
    for (int i = 0; i < 10000; i++) {
        rk_reading a = {rand() % 30, rand() % 30 + 1}, b = {rand() % 30, rand() % 30 + 1};

        CHECK_INT(sign_of(rk_reading_compare(a, b)), sign_of(a.over * b.under - b.over * a.under));
    }
}

/* ---- crossings -------------------------------------------------------------------------------------------------- */

/* A step of which nothing but weights and cache is asked: what the command makes of a line is tested there. */
typedef struct question {
    const char *model, *left, *right, *symbol;
    rk_convention convention;
    rk_setting setting[4];
} question;

static rk_gauge_source source_of(const question *q)
{
    size_t n = 0;

    while (n < N_OF(q->setting) && q->setting[n].name)
        n++;
    return (rk_gauge_source){.request = {.word = &q->model, .n_word = 1, .setting = q->setting, .n_setting = n},
                             .convention = q->convention,
                             .symbol = &q->symbol,
                             .n_symbol = 1};
}

/* Whether the left is larger at x, as a crossing says. */
static bool is_above(const rk_cross *c, rk_i128 x)
{
    bool above = c->n > 0 ? !c->at[0].above : c->answer == RK_CROSS_ALWAYS;

    for (size_t i = 0; i < c->n && c->at[i].from <= x; i++)
        above = c->at[i].above;
    return above;
}

/* Every number from 1 on, one by one. */
static void check_each(const question *q, const rk_gauge_source *source, const rk_measure *m, const rk_cross *c)
{
    const rk_i128 last = 600;
    rk_i128 one = 1;
    rk_gauge *g = NULL;
    rk_reading r[2];

    CHECK_INT(rk_gauge_new(source, m, 2, &one, &g, &err), RK_OK);
    for (rk_i128 x = 1; g && x <= last; x++) {
        CHECK_INT(rk_gauge_read(g, &x, r, &err), RK_OK);
        if (!CHECK_INT(rk_reading_compare(r[0], r[1]) > 0, is_above(c, x)))
            printf("    %s %s %s %s = %d\n", q->model, q->left, q->right, q->symbol, (int)x);
    }
    rk_gauge_free(g);
}

static void check_question(const question *q, bool solved, rk_i128 from)
{
    rk_arena a = {0};
    rk_gauge_source source = source_of(q);
    rk_measure m[2];
    rk_cross c;

    CHECK_INT(rk_measure_parse(&a, q->left, &m[0], &err), RK_OK);
    CHECK_INT(rk_measure_parse(&a, q->right, &m[1], &err), RK_OK);
    if (CHECK_INT(rk_cross_new(&a, &source, m, &c, &err), RK_OK)) {
        CHECK_INT(c.solved, solved);
        if (!CHECK_INT(c.n > 0 ? c.at[0].from : 0, from))
            printf("    %s %s %s %s\n", q->model, q->left, q->right, q->symbol);
        check_each(q, &source, m, &c);
        rk_cross_free(&c);
    } else {
        printf("    %s: %s\n", q->model, err.message);
    }
    rk_arena_free(&a);
}

static void test_crossings(void)
{
    const rk_convention exact = {.pairs = RK_PAIRS_EXACT};
    const question q[] = {
        {"gpt2", "attention", "ffn", "S", {0}, {{.name = "D", .value = 96}}},
        {"gpt2", "ffn", "attention", "S", exact, {{.name = "D", .value = 96}}},
        {"gpt2", "attention.products", "head", "S", {0}, {{.name = "V", .value = 6000}}},
        {"gpt2", "attention", "ffn", "B", {0}, {{0}}},
        {"gpt2", "head", "ffn", "L", {0}, {{0}}}, /* L shapes the program: looked for */
        {"gpt2", "share:attention", "share:ffn", "S", {0}, {{.name = "D", .value = 96}}},
        {"gpt-oss-120b",
         "attention.products",
         "head",
         "S",
         exact,
         {{.name = "V", .value = 6000}, {.name = "W", .value = 100}}},
        {"gpt-oss-120b",
         "attention.products",
         "attention.projections",
         "S",
         exact,
         {{.name = "D", .value = 40}, {.name = "W", .value = 9}}},
        {"llama-3.1-8b", "attention", "ffn", "F", {0}, {{.name = "D", .value = 256}, {.name = "S", .value = 64}}},
    };
    const struct {
        bool solved;
        rk_i128 from;
    } want[] = {{true, 193}, {true, 383}, {true, 251}, {true, 0},  {false, 9},
                {true, 193}, {true, 118}, {true, 162}, {true, 256}};

    for (size_t i = 0; i < N_OF(q); i++)
        check_question(&q[i], want[i].solved, want[i].from);
}

/* A number that the model cannot have is refused each time, and the next one is read. */
static void test_refused(void)
{
    const question q = {"gpt2", NULL, NULL, "D", {0}, {{0}}};
    rk_gauge_source source = source_of(&q);
    rk_i128 good = 768, bad = 769;
    rk_arena a = {0};
    rk_gauge *g = NULL;
    rk_measure m;
    rk_reading r;

    CHECK_INT(rk_measure_parse(&a, "flops", &m, &err), RK_OK);
    CHECK_INT(rk_gauge_new(&source, &m, 1, &good, &g, &err), RK_OK);
    for (int i = 0; g && i < 2; i++) {
        CHECK_INT(rk_gauge_read(g, &bad, &r, &err), RK_EINPUT);
        CHECK_INT(rk_gauge_read(g, &bad, &r, &err), RK_EINPUT);
        CHECK_INT(rk_gauge_read(g, &good, &r, &err), RK_OK);
        CHECK_INT(r.over, 291648307200);
    }
    rk_gauge_free(g);
    rk_arena_free(&a);
}

/* ---- comparisons ------------------------------------------------------------------------------------------------ */

/* Parts of the first level add up to the whole, and parts below each part to it. */
static void check_parts(const rk_comparison *c, size_t model)
{
    rk_i128 sum = 0;

    for (size_t i = 0; i < c->part.n; i++) {
        const rk_compared_part *p = &c->part.at[i];
        rk_i128 below = 0;

        sum += p->depth == 0 ? p->value[model] : 0;
        for (size_t k = 1; k <= p->n_below; k++)
            below += c->part.at[i + k].depth == p->depth + 1 ? c->part.at[i + k].value[model] : 0;
        if (!CHECK(rk_compare_is_leaf(p, model) || below == p->value[model]))
            printf("    %s: %s\n", c->model[model].name, p->path);
    }
    if (!CHECK_INT(sum, c->model[model].reading[c->i_divided].over))
        printf("    %s: %s\n", c->model[model].name, c->divided->name);
}

/* What rows of tensors differ by is what the models differ by; and all of a model is in its rows. */
static void check_differ(rk_arena *a, const rk_comparison *c)
{
    const rk_ledger *ledger[2] = {c->model[0].ledger, c->model[1].ledger};
    rk_i128 difference = 0;
    rk_differ d;

    CHECK_INT(rk_differ_new(a, ledger, 2, &d, &err), RK_OK);
    for (size_t i = 0; i < d.row.n; i++) {
        difference += d.row.at[i].side[1].total - d.row.at[i].side[0].total;
        CHECK(!d.row.at[i].equal || d.row.at[i].side[0].total == d.row.at[i].side[1].total);
    }
    CHECK_INT(difference, c->model[1].params - c->model[0].params);
    CHECK_INT(d.total[0], c->model[0].params);
    CHECK_INT(d.total[1], c->model[1].params);
}

static void check_pair(const char *one, const char *other)
{
    static const char *const quantity[] = {"flops", "params", "moved"};
    const char *word[] = {one, other};
    rk_gauge_source source[2] = {{.request = {.word = &word[0], .n_word = 1}},
                                 {.request = {.word = &word[1], .n_word = 1}}};
    rk_arena a = {0};

    for (size_t i = 0; i < N_OF(quantity); i++) {
        rk_comparison c = {0};
        rk_measure m;

        CHECK_INT(rk_measure_parse(&a, quantity[i], &m, &err), RK_OK);
        if (CHECK_INT(rk_compare_new(&a, source, 2, &m, 1, &c, &err), RK_OK) &&
            CHECK_INT(rk_compare_divide(&a, &c, 0, i % 2 ? RK_BY_OPERATION : RK_BY_COMPONENT, &err), RK_OK)) {
            check_parts(&c, 0);
            check_parts(&c, 1);
            check_differ(&a, &c);
        } else {
            printf("    %s, %s: %s\n", one, other, err.message);
        }
        rk_compare_free(&c);
    }
    rk_arena_free(&a);
}

/* Each known model beside the next one. */
static void test_pairs(void)
{
    rk_library library = {0};
    rk_library_entry *e = NULL;
    rk_arena arena = {0};
    const char *before = NULL;
    size_t n = 0;

    CHECK_INT(rk_library_list(&library, &arena, &e, &n, &err), RK_OK);
    for (size_t i = 0; i < n; i++) {
        if (!e[i].is_config)
            continue;
        if (before && t_sampled(e[i].name))
            check_pair(before, e[i].name);
        before = e[i].name;
    }
    CHECK(before != NULL);
    rk_arena_free(&arena);
}

static void test_exponents(void)
{
    CHECK(fabs(rk_compare_exponent(10, 1000, 7, 70) - 2) < 1e-12);
    CHECK(fabs(rk_compare_exponent(1000, 10, 7, 70) + 2) < 1e-12);
    CHECK(isnan(rk_compare_exponent(10, 11, 100, 101)));
    CHECK(isnan(rk_compare_exponent(0, 11, 100, 1000)));
}

int main(void)
{
    test_coefficients();
    test_primitive();
    test_decide();
    test_signs();
    test_readings();
    test_crossings();
    test_refused();
    test_pairs();
    test_exponents();
    return t_done("cross");
}
