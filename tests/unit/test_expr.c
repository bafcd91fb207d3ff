/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "expr/expr.h"
#include "t.h"

#include <stdlib.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- a pool to test with ---------------------------------------------------------------------------------------- */

/* The symbols of a small Transformer: those of the run first, with rank 0. */
static const struct {
    const char *name;
    int rank;
} symbols[] = {
    {"B", 0}, {"S", 0}, {"T", 0}, {"L", 1}, {"D", 1},  {"N", 1},  {"K", 1},  {"G", 1},
    {"H", 1}, {"F", 1}, {"V", 1}, {"W", 1}, {"D'", 1}, {"Dv", 1}, {"W2", 1}, {"λ", 1},
};

static rk_pool *new_pool(void)
{
    rk_pool *p = rk_pool_new();

    for (size_t i = 0; p && i < COUNT(symbols); i++)
        rk_sym_declare(p, symbols[i].name, symbols[i].rank);
    return p;
}

static rk_ex ex(rk_pool *p, const char *text)
{
    rk_ex e = RK_EX_FAILED;
    rk_err err = {0};

    if (rk_ex_parse(p, text, &e, &err) != RK_OK)
        printf("%s: %s\n", text, err.message);
    return e;
}

static void define(rk_pool *p, const char *name, const char *text)
{
    rk_err err = {0};

    CHECK_INT(rk_sym_define(p, rk_sym_find(p, name), ex(p, text), &err), RK_OK);
}

/* The caller frees the text. */
static rk_str print(const rk_pool *p, rk_ex e, int style)
{
    rk_str s = {0};

    rk_ex_print(p, e, style, &s);
    return s;
}

static void check_print(rk_pool *p, const char *input, int style, const char *want)
{
    rk_str s = print(p, ex(p, input), style);

    CHECK_TEXT(rk_str_text(&s), want);
    rk_str_free(&s);
}

/* ---- canonical form --------------------------------------------------------------------------------------------- */

static void test_equal(void)
{
    static const struct {
        const char *a, *b;
    } table[] = {
        {"D/N*N", "D"},
        {"(S+1)^2", "S^2 + 2S + 1"},
        {"(S+D)*(S-D)", "S²-D²"},
        {"(S²-D²)/(S+D)", "S-D"},
        {"(S³-1)/(S-1)", "S²+S+1"},
        {"(2S²D + 2SD)/(2S + 2)", "SD"},
        {"(S/N + D/N)/(S+D)", "1/N"},
        {"(64S)/64", "S"},
        {"floor(64S/64)", "S"},
        {"floor((2S+4)/4)", "floor((S+2)/2)"},
        {"ceil(6/4)", "2"},
        {"floor(0 - 7/2)", "0-4"},
        {"min(S, W)", "min(W, S)"},
        {"min(S, min(W, D))", "min(min(D, S), W)"},
        {"min(S, S)", "S"},
        {"min(S, S+1)", "S"},
        {"max(S, S+1)", "1+S"},
        {"max(3, S, 5, 4)", "max(S, 5)"},
        {"7 mod 3", "1"},
        {"(0-7) mod 3", "2"},
        {"(64S) mod 64", "0"},
        {"S/(D+2) * 2", "2*S/(2+D)"},
        {"S/(2D+4)", "S/(D+2)/2"},
        {"1/(1/(D+2))", "D+2"},
        {"S/(D+2)/(S/(D+2))", "1"},
        {"S − S", "0"},
        {"S×D·N", "N*D*S"},
        {"S⁻²", "1/S^2"},
        {"2^100", "4^50"},
    };
    rk_pool *p = new_pool();

    for (size_t i = 0; i < COUNT(table); i++) {
        rk_ex a = ex(p, table[i].a), b = ex(p, table[i].b);

        if (!CHECK(a == b && a != RK_EX_FAILED))
            printf("%s is not %s\n", table[i].a, table[i].b);
    }
    CHECK_INT(rk_pool_check(p, NULL), RK_OK);
    rk_pool_free(p);
}

static void test_asking(void)
{
    rk_pool *p = new_pool();
    rk_sym s = RK_SYM_NONE, found = RK_SYM_NONE;
    rk_i128 n = 0;

    s = rk_sym_find(p, "S");
    CHECK(rk_ex_is_int(p, ex(p, "6/2"), &n) && n == 3);
    CHECK(rk_ex_is_int(p, ex(p, "S-S"), &n) && n == 0);
    CHECK(!rk_ex_is_int(p, ex(p, "1/2"), &n) && !rk_ex_is_int(p, ex(p, "S"), &n));
    CHECK(rk_ex_is_sym(p, ex(p, "S"), &found) && found == s);
    CHECK(!rk_ex_is_sym(p, ex(p, "2S"), &found) && !rk_ex_is_sym(p, ex(p, "S²"), &found));
    CHECK(!rk_ex_is_sym(p, ex(p, "0"), &found) && !rk_ex_is_sym(p, ex(p, "S + D"), &found));
    CHECK(rk_ex_has_sym(p, ex(p, "1 + B·min(2, ⌊S/64⌋)"), s));
    CHECK(!rk_ex_has_sym(p, ex(p, "1 + B·min(2, ⌊D/64⌋)"), s));
    CHECK_INT(rk_ex_term_count(p, ex(p, "(S+1)^3")), 4);
    CHECK_INT(rk_ex_term_count(p, ex(p, "0")), 0);
    CHECK(rk_sym_declare(p, "S", 1) == s && rk_sym_find(p, "nope") == RK_SYM_NONE);
    CHECK_TEXT(rk_sym_name(p, s), "S");
    CHECK_INT(rk_sym_count(p), COUNT(symbols));
    rk_pool_free(p);
}

/* ---- printing --------------------------------------------------------------------------------------------------- */

static void test_print_text(void)
{
    static const struct {
        const char *input, *want;
    } table[] = {
        {"6BSDF + 4BSSD + 8BSDD", "8BSD² + 4BS²D + 6BSDF"},
        {"D + 2DV + 2LD + 12LDD", "12LD² + 2LD + 2DV + D"},
        {"24DDLBS", "24BSLD²"},
        {"B*S*(S+1)/2", "BS²/2 + BS/2"},
        {"D/(N*K)", "D/(NK)"},
        {"B*S*D^2/N", "BSD²/N"},
        {"3D/(2N)", "3D/(2N)"},
        {"1/2", "1/2"},
        {"0", "0"},
        {"0-S", "-S"},
        {"B - 3", "B - 3"},
        {"2B*Dv*Dv", "2·B·Dv²"},
        {"B*D'*D'", "BD'²"},
        {"2W2*B", "2BW2"},
        {"Sλ", "Sλ"},
        {"D^12", "D¹²"},
        {"min(W, S)*2*B", "2B·min(S, W)"},
        {"max(D, min(W, S, 4))", "max(D, min(S, W, 4))"},
        {"floor(S/64)", "⌊S/64⌋"},
        {"B*ceil((S+63)/64)^2", "B·⌈(S + 63)/64⌉²"},
        {"S mod 64", "(S mod 64)"},
        {"((S+1) mod (2W))^2*B", "B·((S + 1) mod (2W))²"},
        {"(S+1)/(D+2)", "S/(D + 2) + 1/(D + 2)"},
        {"S/N/(D+2)/(D+2)", "S/N/(D + 2)/(D + 2)"},
    };
    rk_pool *p = new_pool();

    for (size_t i = 0; i < COUNT(table); i++)
        check_print(p, table[i].input, RK_PRINT_TEXT, table[i].want);
    rk_pool_free(p);
}

/* The order of terms follows the order of declaration, here D before L. */
static void test_print_order(void)
{
    rk_pool *p = rk_pool_new();

    rk_sym_declare(p, "D", 1);
    rk_sym_declare(p, "L", 1);
    check_print(p, "4DL² + 24D²L", RK_PRINT_TEXT, "24D²L + 4DL²");
    rk_pool_free(p);
}

static void test_print_factored(void)
{
    static const struct {
        const char *input, *want;
    } table[] = {
        {"8BSD² + 4BS²D + 6BSDF", "2BSD(4D + 2S + 3F)"},
        {"12LD² + 2LD + 2DV + D", "D(12LD + 2L + 2V + 1)"},
        {"BS²/2 + BS/2", "BS(S + 1)/2"},
        {"24BSLD²", "24BSLD²"},
        {"S + 1", "S + 1"},
        {"0 - 2S - 2D", "-2(D + S)"},
        {"2·B·Dv² + 2·B·Dv", "2·B·Dv·(Dv + 1)"},
        {"B·min(S, W) + S·min(S, W)", "min(S, W)·(B + S)"},
        {"D/N + 1/N", "(D + 1)/N"},
        {"BSD + BSF + BSV + D", "BS(D + F + V) + D"},
        {"(2L + 1)(N - 1)BSD/N", "BSD(2L + 1)(N - 1)/N"},
        {"(L + D + 1)(N - 1)", "(N - 1)(L + D + 1)"},
        {"LN - L - N + 2", "LN - L - N + 2"},
        {"0", "0"},
    };
    rk_pool *p = new_pool();

    for (size_t i = 0; i < COUNT(table); i++)
        check_print(p, table[i].input, RK_PRINT_FACTORED, table[i].want);
    rk_pool_free(p);
}

static void test_print_latex(void)
{
    static const struct {
        const char *input, *want;
    } table[] = {
        {"8BSD² + 4BS²D", "8BSD^{2} + 4BS^{2}D"},
        {"B*S*S/2", "\\frac{BS^{2}}{2}"},
        {"0 - D/(2N)", "-\\frac{D}{2N}"},
        {"min(S, W)", "\\min(S, W)"},
        {"floor(S/64)", "\\left\\lfloor\\frac{S}{64}\\right\\rfloor"},
        {"floor((S+63)/64)", "\\left\\lfloor\\frac{S + 63}{64}\\right\\rfloor"},
        {"2B·Dv²", "2\\,B\\,\\mathrm{Dv}^{2}"},
        {"BW2", "BW_{2}"},
        {"B·D'²", "BD'^{2}"},
        {"(S + 1)/(D + 2)", "\\frac{S}{D + 2} + \\frac{1}{D + 2}"},
    };
    rk_pool *p = new_pool();

    for (size_t i = 0; i < COUNT(table); i++)
        check_print(p, table[i].input, RK_PRINT_LATEX, table[i].want);
    check_print(p, "8BSD² + 4BS²D", RK_PRINT_LATEX | RK_PRINT_FACTORED, "4BSD\\left(2D + S\\right)");
    check_print(p, "D/N + 1/N", RK_PRINT_LATEX | RK_PRINT_FACTORED, "\\frac{D + 1}{N}");
    rk_pool_free(p);
}

/* What is printed must be read back as the same, whatever the symbols are called. */
static void test_print_ambiguous(void)
{
    static const char *const names[] = {"B", "S", "BS", "m", "i", "n", "o", "d", "S2", "mod", "min", "D²E"};
    static const char *const inputs[] = {"B·S",  "B·S·BS", "m·i·n·B + m·i·n·S", "m·o·d + 1", "min·B + min·S",
                                         "B·S2", "m·i·n"};
    rk_pool *p = rk_pool_new();

    for (size_t i = 0; i < COUNT(names); i++)
        rk_sym_declare(p, names[i], 0);
    for (size_t i = 0; i < COUNT(inputs); i++)
        for (int style = 0; style <= RK_PRINT_FACTORED; style += RK_PRINT_FACTORED) {
            rk_ex e = ex(p, inputs[i]);
            rk_str s = print(p, e, style);

            if (!CHECK(ex(p, rk_str_text(&s)) == e))
                printf("%s was printed as %s\n", inputs[i], rk_str_text(&s));
            rk_str_free(&s);
        }
    rk_pool_free(p);
}

/* ---- parsing ---------------------------------------------------------------------------------------------------- */

static void test_parse_errors(void)
{
    static const struct {
        const char *text;
        int code;
        const char *message;
    } table[] = {
        {"", RK_EINPUT, "expected a number, a symbol or '(' at the end of ''"},
        {"2 +", RK_EINPUT, "expected a number, a symbol or '(' at the end of '2 +'"},
        {"x", RK_EINPUT, "unknown symbol 'x'"},
        {"BSx", RK_EINPUT, "unknown symbol 'x' in 'BSx'"},
        {"2·x·B", RK_EINPUT, "unknown symbol 'x'"},
        {"n_head", RK_EINPUT, "unknown symbol 'n_head'"},
        {"(S", RK_EINPUT, "expected ')' at the end of '(S'"},
        {"S)", RK_EINPUT, "expected an operator, found ')' at column 2"},
        {"2 3", RK_EINPUT, "expected an operator, found '3' at column 3"},
        {"⌊S)", RK_EINPUT, "expected '⌋', found ')' at column 3"},
        {"S^x", RK_EINPUT, "expected a whole number after '^', found 'x' at column 3"},
        {"S/0", RK_EVALUE, "division by zero"},
        {"S mod (S-S)", RK_EVALUE, "division by zero"},
        {"S^65", RK_ELIMIT, "a power beyond 64"},
        {"(B+S+T+L+D+N)^64", RK_ELIMIT, "a product of sums of 1287 and 1287 terms"},
        {"((B+S+T+L+D+N)^8) ((1+B+S+T)^4)", RK_ELIMIT, "expression of more than 4096 terms"},
        {"S^99999999999", RK_ELIMIT, "a power beyond 64"},
        {"2^127", RK_EOVERFLOW, "a coefficient exceeds 128 bits"},
        {"170141183460469231731687303715884105728", RK_EOVERFLOW, "the number at column 1 exceeds 128 bits"},
        {"\x1b", RK_EINPUT, "expected a number, a symbol or '(', found '\\x1b' at column 1"},
    };
    rk_pool *p = new_pool();

    for (size_t i = 0; i < COUNT(table); i++) {
        rk_err err = {0};
        rk_ex e = 12345;

        CHECK_INT(rk_ex_parse(p, table[i].text, &e, &err), table[i].code);
        CHECK_TEXT(err.message, table[i].message);
        CHECK_INT(e, 12345);
        CHECK_INT(rk_pool_check(p, NULL), RK_OK);
    }
    rk_pool_free(p);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

typedef struct bound {
    rk_i128 value[COUNT(symbols)];
    bool known[COUNT(symbols)];
} bound;

static rk_binding bind(const bound *b)
{
    return (rk_binding){.value = b->value, .known = b->known, .n = COUNT(symbols)};
}

static void let(const rk_pool *p, bound *b, const char *name, rk_i128 value)
{
    rk_sym s = rk_sym_find(p, name);

    b->value[s] = value;
    b->known[s] = true;
}

/* Evaluates both ways, which must agree to the word. */
static int evaluate(const rk_pool *p, rk_ex e, const bound *b, rk_i128 *out, rk_err *err)
{
    rk_binding at = bind(b);
    rk_err tape_err = {0};
    rk_tape *t = rk_tape_new(p, &e, 1, &tape_err);
    rk_i128 *scratch, again = 12345;
    int code = rk_ex_eval(p, e, &at, out, err);

    if (!CHECK(t != NULL))
        return code;
    scratch = malloc(rk_tape_scratch(t) * sizeof *scratch);
    CHECK_INT(rk_tape_eval(t, &at, scratch, &again, &tape_err), code);
    CHECK_INT(again, code == RK_OK ? *out : 12345);
    if (code != RK_OK)
        CHECK_TEXT(tape_err.message, err->message);
    free(scratch);
    rk_tape_free(t);
    return code;
}

static void test_eval(void)
{
    static const struct {
        const char *text;
        rk_i128 want;
    } table[] = {
        {"8BSD² + 4BS²D", 8 * 2 * 10 * 97 * 97 + 4 * 2 * 100 * 97},
        {"BS²/2 + BS/2", 110},
        {"D·N/N", 97},
        {"(D/N)·N·S/2", 485},
        {"⌊D/N⌋ + 100·⌈D/N⌉", 1716},
        {"⌊(0 - D)/N⌋", -17},
        {"D mod N", 1},
        {"(0 - D) mod N", 5},
        {"min(S, N) + max(S, N, D)", 103},
        {"2·min(D/N, 3/2)", 3},
        {"(S + D)/(B + 1)·3/107", 1},
        {"6/N/(B + 1)·3", 1},
        {"T", 10},
        {"T²·H·2", 3200},
        {"H", 16},
        {"D^64·W", 0},
    };
    rk_pool *p = new_pool();
    bound b = {0};

    define(p, "T", "S");
    define(p, "H", "(D-1)/N");
    let(p, &b, "B", 2);
    let(p, &b, "S", 10);
    let(p, &b, "D", 97);
    let(p, &b, "N", 6);
    let(p, &b, "W", 0);
    for (size_t i = 0; i < COUNT(table); i++) {
        rk_i128 got = 0;
        rk_err err = {0};

        if (!CHECK_INT(evaluate(p, ex(p, table[i].text), &b, &got, &err), RK_OK) || !CHECK_INT(got, table[i].want))
            printf("%s: %s\n", table[i].text, err.message);
    }
    rk_pool_free(p);
}

/* A symbol that is given takes its value, and what only its definition needs may be missing. */
static void test_eval_given(void)
{
    rk_pool *p = new_pool();
    bound b = {0};
    rk_i128 got = 0;
    rk_err err = {0};

    define(p, "H", "D/N");
    define(p, "G", "N/K");
    let(p, &b, "H", 64);
    let(p, &b, "S", 3);
    CHECK_INT(evaluate(p, ex(p, "HS"), &b, &got, &err), RK_OK);
    CHECK_INT(got, 192);
    CHECK_INT(evaluate(p, ex(p, "HSG"), &b, &got, &err), RK_EVALUE);
    CHECK_TEXT(err.message, "'N' has no value");
    rk_pool_free(p);
}

static void test_eval_errors(void)
{
    static const struct {
        const char *text;
        int code;
        const char *message;
    } table[] = {
        {"D/N", RK_EVALUE, "D/N is not a whole number: 97/6"},
        {"B + 1/2", RK_EVALUE, "B + 1/2 is not a whole number: 5/2"},
        {"V", RK_EVALUE, "'V' has no value"},
        {"H", RK_EVALUE, "'V' has no value"},
        {"D/K", RK_EVALUE, "division by zero: K is 0"},
        {"D/(B - 2)", RK_EVALUE, "division by zero: B - 2 is 0"},
        {"D mod K", RK_EVALUE, "division by zero"},
        {"min(D/K, 1)", RK_EVALUE, "division by zero: K is 0"},
        {"L²", RK_EOVERFLOW, "L² exceeds 128 bits"},
        {"4L - 4L·B", RK_EOVERFLOW, "-4BL + 4L exceeds 128 bits"},
    };
    rk_pool *p = new_pool();
    bound b = {0};

    define(p, "H", "V/N");
    let(p, &b, "B", 2);
    let(p, &b, "D", 97);
    let(p, &b, "N", 6);
    let(p, &b, "K", 0);
    let(p, &b, "L", (rk_i128)1 << 125);
    for (size_t i = 0; i < COUNT(table); i++) {
        rk_i128 got = 777;
        rk_err err = {0};

        CHECK_INT(evaluate(p, ex(p, table[i].text), &b, &got, &err), table[i].code);
        CHECK_TEXT(err.message, table[i].message);
        CHECK_INT(got, 777);
    }
    rk_pool_free(p);
}

/* The last number that fits, and the first that does not. */
static void test_overflow_twins(void)
{
    rk_pool *p = new_pool();
    bound b = {0};
    rk_i128 got = 0;
    rk_err err = {0};
    rk_ex big = rk_ex_int(p, RK_I128_MAX), one = rk_ex_int(p, 1);

    let(p, &b, "S", RK_I128_MAX - 1);
    CHECK_INT(evaluate(p, ex(p, "S + 1"), &b, &got, &err), RK_OK);
    CHECK(got == RK_I128_MAX);
    CHECK_INT(evaluate(p, ex(p, "S + 2"), &b, &got, &err), RK_EOVERFLOW);
    let(p, &b, "S", (rk_i128)1 << 63);
    CHECK_INT(evaluate(p, ex(p, "S² - 1 + S²"), &b, &got, &err), RK_EOVERFLOW);
    CHECK_INT(evaluate(p, ex(p, "S²"), &b, &got, &err), RK_OK);
    CHECK(got == (rk_i128)1 << 126);
    CHECK(rk_ex_sub(p, big, one) != RK_EX_FAILED && rk_pool_check(p, &err) == RK_OK);
    CHECK(rk_ex_add(p, big, one) == RK_EX_FAILED && rk_pool_check(p, &err) == RK_EOVERFLOW);
    CHECK(rk_ex_add(p, RK_EX_FAILED, one) == RK_EX_FAILED);
    CHECK(rk_ex_add(p, one, one) != RK_EX_FAILED);
    CHECK_INT(rk_pool_check(p, &err), RK_EOVERFLOW);
    rk_pool_free(p);
}

/* ---- definitions and simplifying -------------------------------------------------------------------------------- */

static void test_define(void)
{
    rk_pool *p = new_pool();
    rk_err err = {0};
    rk_sym h = rk_sym_find(p, "H"), g = rk_sym_find(p, "G"), n = rk_sym_find(p, "N");

    CHECK_INT(rk_sym_define(p, h, ex(p, "D/N"), &err), RK_OK);
    CHECK_INT(rk_sym_define(p, n, ex(p, "K·G"), &err), RK_OK);
    CHECK_INT(rk_sym_define(p, g, ex(p, "1 + ⌊H/2⌋"), &err), RK_EINPUT);
    CHECK_TEXT(err.message, "'G' is defined by itself");
    CHECK_INT(rk_sym_define(p, g, ex(p, "G + 1"), &err), RK_EINPUT);
    CHECK(rk_sym_definition(p, g) == RK_EX_FAILED && rk_sym_definition(p, h) == ex(p, "D/N"));
    CHECK(rk_ex_expand_defs(p, ex(p, "min(H, S)·H")) == ex(p, "min(D/(K·G), S)·D/(KG)"));
    CHECK(rk_ex_subst(p, ex(p, "S² + ⌊S/64⌋"), rk_sym_find(p, "S"), ex(p, "S + 64")) ==
          ex(p, "(S+64)² + ⌊(S + 64)/64⌋"));
    CHECK(rk_ex_subst(p, ex(p, "B/(S + 1)"), rk_sym_find(p, "B"), ex(p, "S² - 1")) == ex(p, "S - 1"));
    rk_pool_free(p);
}

static void test_simplify(void)
{
    static const struct {
        const char *input, *want;
    } table[] = {
        {"2BSDNH", "2BSD²"},
        {"2BNSTH", "2BS²D"},
        {"2BSDF", "8BSD²"},
        {"2BSDKGH", "2BSD²"},
        {"2BSDKH", "2BSDKH"},
        {"BS·min(T, V)", "BS·min(S, V)"},
        {"H", "H"},
        {"LD² + LDNH", "2LD²"},
        {"NH + KH", "D + KH"},
        {"⌊H/64⌋", "⌊H/64⌋"},
        {"2BSDNH + 4BSDKH", "2BSD² + 4BSDKH"},
        {"LW + 2VW", "D'"},
    };
    rk_pool *p = new_pool();

    define(p, "T", "S");
    define(p, "H", "D/N");
    define(p, "G", "N/K");
    define(p, "F", "4D");
    define(p, "W", "D'/(L + 2V)");
    for (size_t i = 0; i < COUNT(table); i++) {
        rk_str s = print(p, rk_ex_simplify(p, ex(p, table[i].input)), RK_PRINT_TEXT);

        CHECK_TEXT(rk_str_text(&s), table[i].want);
        rk_str_free(&s);
    }
    rk_pool_free(p);
}

static void test_split(void)
{
    static const struct {
        const char *input, *plus, *minus;
    } table[] = {
        {"0", "0", "0"},      {"4BSV - 4BSD", "4BSV", "4BSD"},         {"D - 2S - 3", "D", "2S + 3"},
        {"-D/2", "0", "D/2"}, {"min(S, V) + 7", "min(S, V) + 7", "0"},
    };
    rk_pool *p = new_pool();
    rk_ex plus, minus;

    for (size_t i = 0; i < COUNT(table); i++) {
        rk_ex_split(p, ex(p, table[i].input), &plus, &minus);
        CHECK(plus == ex(p, table[i].plus));
        CHECK(minus == ex(p, table[i].minus));
    }
    rk_ex_split(p, RK_EX_FAILED, &plus, &minus);
    CHECK(plus == RK_EX_FAILED && minus == RK_EX_FAILED);
    rk_pool_free(p);
}

/* ---- limits ----------------------------------------------------------------------------------------------------- */

/* D^i L^j summed over i < rows, j < columns. */
static rk_ex grid(rk_pool *p, int rows, int columns)
{
    rk_ex row = rk_ex_int(p, 0), all = row;

    for (int i = 0; i < rows; i++)
        row = rk_ex_add(p, row, rk_ex_pow(p, ex(p, "D"), i));
    for (int i = 0; i < columns; i++)
        all = rk_ex_add(p, all, rk_ex_pow(p, ex(p, "L"), i));
    return rk_ex_mul(p, row, all);
}

static void test_limit_terms(void)
{
    rk_pool *p = new_pool();
    rk_err err = {0};
    rk_ex most = grid(p, 64, 64);

    CHECK_INT(rk_ex_term_count(p, most), RK_EX_TERMS_MAX);
    CHECK_INT(rk_pool_check(p, &err), RK_OK);
    CHECK(rk_ex_add(p, most, ex(p, "S")) == RK_EX_FAILED);
    CHECK_INT(rk_pool_check(p, &err), RK_ELIMIT);
    CHECK_TEXT(err.message, "expression of more than 4096 terms");
    CHECK(rk_ex_mul(p, most, rk_ex_add(p, most, ex(p, "S"))) == RK_EX_FAILED);
    rk_pool_free(p);
}

static rk_ex nest(rk_pool *p, int depth)
{
    rk_ex e = ex(p, "S");

    for (int i = 0; i < depth; i++)
        e = rk_ex_floor_div(p, rk_ex_add(p, e, rk_ex_int(p, 1)), rk_ex_int(p, 3));
    return e;
}

static void test_limit_depth(void)
{
    rk_pool *p = new_pool();
    rk_err err = {0};
    rk_i128 got = 0;
    bound b = {0};
    rk_ex e = nest(p, RK_EX_DEPTH_MAX);

    let(p, &b, "S", 1000);
    CHECK(e != RK_EX_FAILED);
    CHECK_INT(evaluate(p, e, &b, &got, &err), RK_OK);
    CHECK(rk_ex_subst(p, e, rk_sym_find(p, "S"), ex(p, "D + 1")) != RK_EX_FAILED);
    CHECK_INT(rk_pool_check(p, &err), RK_OK);
    CHECK(nest(p, RK_EX_DEPTH_MAX + 1) == RK_EX_FAILED);
    CHECK_INT(rk_pool_check(p, &err), RK_ELIMIT);
    rk_pool_free(p);
}

static void test_limit_brackets(void)
{
    char text[2 * RK_EX_DEPTH_MAX + 8];
    rk_pool *p = new_pool();
    rk_err err = {0};
    rk_ex e;

    for (int n = RK_EX_DEPTH_MAX; n <= RK_EX_DEPTH_MAX + 1; n++) {
        memset(text, '(', (size_t)n);
        text[n] = 'S';
        memset(text + n + 1, ')', (size_t)n);
        text[2 * n + 1] = '\0';
        CHECK_INT(rk_ex_parse(p, text, &e, &err), n > RK_EX_DEPTH_MAX ? RK_ELIMIT : RK_OK);
    }
    rk_pool_free(p);
}

enum {
    DEEPEST = 2 * RK_EX_DEPTH_MAX
}; /* definitions and functions together */

/* x1 = x0 + 1, x2 = x1 + 1 …: as deep as allowed, and one deeper. */
static void test_limit_definitions(void)
{
    rk_pool *p = rk_pool_new();
    rk_sym s[DEEPEST + 2];
    rk_i128 value[1] = {5}, got = 0;
    bool known[1] = {true};
    rk_binding at = {.value = value, .known = known, .n = 1};
    rk_err err = {0};
    char name[16];

    for (int i = 0; i < DEEPEST + 2; i++) {
        snprintf(name, sizeof name, "x%d", i);
        s[i] = rk_sym_declare(p, name, 0);
        if (i > 0)
            rk_sym_define(p, s[i], rk_ex_add(p, rk_ex_sym(p, s[i - 1]), rk_ex_int(p, 1)), &err);
    }
    CHECK_INT(rk_ex_eval(p, rk_ex_sym(p, s[DEEPEST]), &at, &got, &err), RK_OK);
    CHECK_INT(got, 5 + DEEPEST);
    CHECK_INT(rk_ex_eval(p, rk_ex_sym(p, s[DEEPEST + 1]), &at, &got, &err), RK_ELIMIT);
    rk_pool_free(p);
}

/* Every step uses the one before twice: without sharing this would take 2^40 steps. */
static void test_sharing(void)
{
    rk_pool *p = new_pool();
    rk_ex e = ex(p, "S"), two = rk_ex_int(p, 2);
    bound b = {0};
    rk_i128 got = 0;
    rk_err err = {0};

    for (int i = 0; i < 40; i++)
        e = i % 2 ? rk_ex_max(p, rk_ex_mul(p, e, ex(p, "B")), rk_ex_add(p, e, ex(p, "D")))
                  : rk_ex_floor_div(p, rk_ex_add(p, rk_ex_mul(p, e, e), e), rk_ex_add(p, e, two));
    let(p, &b, "S", 3);
    let(p, &b, "B", 1);
    let(p, &b, "D", 0);
    CHECK_INT(evaluate(p, e, &b, &got, &err), RK_OK);
    CHECK(rk_ex_has_sym(p, e, rk_sym_find(p, "S")));
    CHECK(rk_ex_subst(p, e, rk_sym_find(p, "D"), rk_ex_int(p, 0)) != RK_EX_FAILED);
    rk_pool_free(p);
}

static void test_limit_symbols(void)
{
    rk_pool *p = rk_pool_new();
    char name[300];

    for (int i = 0; i < RK_SYM_MAX; i++) {
        snprintf(name, sizeof name, "s%d", i);
        rk_sym_declare(p, name, 0);
    }
    CHECK_INT(rk_pool_check(p, NULL), RK_OK);
    CHECK(rk_ex_has_sym(p, ex(p, "⌊s4095/2⌋"), RK_SYM_MAX - 1));
    CHECK(rk_sym_declare(p, "more", 0) == RK_SYM_NONE && rk_sym_declare(p, "s7", 0) == 7);
    CHECK_INT(rk_pool_check(p, NULL), RK_ELIMIT);
    rk_pool_free(p);
}

/* ---- properties on random expressions --------------------------------------------------------------------------- */

static unsigned long long state = 88172645463325252u;

static unsigned pick(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

static rk_ex random_ex(rk_pool *p, int depth)
{
    rk_ex a, b;

    if (depth == 0)
        return pick(3) ? rk_ex_sym(p, pick(COUNT(symbols))) : rk_ex_int(p, (int)pick(12) - 3);
    a = random_ex(p, depth - 1);
    b = random_ex(p, (int)pick((unsigned)depth));
    switch (pick(12)) {
    case 0:
    case 1:
    case 2:
        return rk_ex_add(p, a, b);
    case 3:
        return rk_ex_sub(p, a, b);
    case 4:
    case 5:
    case 6:
        return rk_ex_mul(p, a, b);
    case 7:
        return b == rk_ex_int(p, 0) ? a : rk_ex_div(p, a, b);
    case 8:
        return b == rk_ex_int(p, 0) ? a : rk_ex_floor_div(p, a, b);
    case 9:
        return b == rk_ex_int(p, 0) ? a : rk_ex_ceil_div(p, a, b);
    case 10:
        return pick(2) ? rk_ex_min(p, a, b) : rk_ex_max(p, a, b);
    default:
        return b == rk_ex_int(p, 0) ? a : rk_ex_mod(p, a, b);
    }
}

static bound random_bound(void)
{
    bound b;

    for (size_t i = 0; i < COUNT(symbols); i++) {
        b.value[i] = pick(4) ? 1 + pick(40) : pick(4) ? 60 * (1 + pick(60)) : (rk_i128)1 << pick(70);
        b.known[i] = true;
    }
    return b;
}

/* A text and the expression it came from have the same value wherever both have one. */
static void check_same_value(rk_pool *p, rk_ex e, rk_ex f, const bound *b)
{
    rk_binding at = bind(b);
    rk_i128 x = 0, y = 0;
    rk_err err = {0};

    if (rk_ex_eval(p, e, &at, &x, &err) == RK_OK && rk_ex_eval(p, f, &at, &y, &err) == RK_OK)
        CHECK_INT(x, y);
}

static void check_round_trip(rk_pool *p, rk_ex e)
{
    rk_str text = print(p, e, RK_PRINT_TEXT), factored = print(p, e, RK_PRINT_FACTORED);
    rk_str latex = print(p, e, RK_PRINT_LATEX | RK_PRINT_FACTORED);
    rk_ex again = ex(p, rk_str_text(&text)), product = ex(p, rk_str_text(&factored));
    bound b = random_bound();
    rk_i128 value = 0;
    rk_err err = {0};

    if (!CHECK(again == e) || !CHECK(product != RK_EX_FAILED))
        printf("%s\n%s\n", rk_str_text(&text), rk_str_text(&factored));
    check_same_value(p, e, product, &b);
    evaluate(p, e, &b, &value, &err);
    rk_str_free(&text);
    rk_str_free(&factored);
    rk_str_free(&latex);
}

static void test_random(void)
{
    unsigned failed = 0;

    for (int round = 0; round < 60; round++) {
        rk_pool *p = new_pool();

        for (int i = 0; i < 60; i++) {
            rk_ex e = random_ex(p, 1 + (int)pick(6));

            if (e == RK_EX_FAILED)
                failed++;
            else
                check_round_trip(p, e);
        }
        rk_pool_free(p);
    }
    CHECK(failed < 600); /* powers and divisions by what turns out to be zero */
}

/* a(b + c) = ab + ac, (a + b) - b = a, (a b) / b = a: equal handles, whatever a, b and c are. */
static void test_laws(void)
{
    rk_pool *p = new_pool();

    for (int i = 0; i < 2000; i++) {
        rk_ex a = random_ex(p, (int)pick(4)), b = random_ex(p, (int)pick(4)), c = random_ex(p, (int)pick(3));
        rk_ex left = rk_ex_mul(p, a, rk_ex_add(p, b, c));

        if (left == RK_EX_FAILED)
            continue;
        CHECK(left == rk_ex_add(p, rk_ex_mul(p, c, a), rk_ex_mul(p, b, a)));
        CHECK(rk_ex_sub(p, rk_ex_add(p, a, b), b) == a);
        if (rk_ex_term_count(p, b) == 1)
            CHECK(rk_ex_div(p, rk_ex_mul(p, a, b), b) == a);
    }
    rk_pool_free(p);
}

/* Many expressions on one tape, with definitions, with and without a value for the defined symbols. */
static void test_tape(void)
{
    rk_pool *p = new_pool();
    rk_ex e[80];
    rk_err err = {0};
    rk_tape *t;
    rk_i128 *scratch, out[COUNT(e)];

    define(p, "T", "S");
    define(p, "H", "D/N");
    define(p, "G", "N/K");
    for (size_t i = 0; i < COUNT(e); i++)
        do
            e[i] = random_ex(p, (int)pick(5));
        while (e[i] == RK_EX_FAILED || !p);
    t = rk_tape_new(p, e, COUNT(e), &err);
    if (!CHECK(t != NULL))
        return;
    scratch = malloc(rk_tape_scratch(t) * sizeof *scratch);
    for (int round = 0; round < 300; round++) {
        bound b = random_bound();
        rk_binding at = bind(&b);
        int want = RK_OK, code;

        for (size_t i = 0; i < COUNT(symbols); i++)
            b.known[i] = pick(3) || rk_sym_definition(p, (rk_sym)i) == RK_EX_FAILED;
        code = rk_tape_eval(t, &at, scratch, out, &err);
        for (size_t i = 0; i < COUNT(e) && want == RK_OK; i++) {
            rk_i128 one = 0;

            want = rk_ex_eval(p, e[i], &at, &one, NULL);
            CHECK(code != RK_OK || one == out[i]);
        }
        CHECK_INT(code, want);
    }
    free(scratch);
    rk_tape_free(t);
    rk_pool_free(p);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static bound small_values(void)
{
    bound b;

    for (size_t i = 0; i < COUNT(symbols); i++) {
        b.value[i] = (int)i + 2;
        b.known[i] = true;
    }
    return b;
}

/* Everything once; true when it went well.  Whatever fails, nothing leaks and nothing else happens. */
static bool scenario(void)
{
    rk_pool *p = new_pool(), *over;
    rk_str s = {0};
    rk_err err = {0};
    rk_ex e = RK_EX_FAILED, parts[2];
    rk_tape *t = NULL;
    rk_i128 value = 0, out[2], scratch[512];
    bound b = small_values();
    rk_binding at = bind(&b);
    int code = RK_OK;

    if (!p)
        return false;
    code |= rk_ex_parse(p, "BSD(4D + 2S)·min(S, W) + ⌈(S + 1)/(D + 2)⌉ + (S² - D²)/(S + D) + H", &e, &err);
    if (e != RK_EX_FAILED)
        code |= rk_sym_define(p, rk_sym_find(p, "H"), rk_ex_sym(p, 3), &err);
    over = rk_pool_over(p);
    if (!over) {
        rk_pool_free(p);
        return false;
    }
    e = rk_ex_simplify(over, rk_ex_expand_defs(over, e));
    parts[0] = e;
    parts[1] = rk_ex_subst(over, e, 1, rk_ex_int(over, 7));
    rk_ex_print(over, e, RK_PRINT_FACTORED, &s);
    code |= rk_ex_eval(over, e, &at, &value, &err);
    t = rk_tape_new(over, parts, 2, &err);
    code |= t && rk_tape_scratch(t) <= 512 ? rk_tape_eval(t, &at, scratch, out, &err) : RK_ENOMEM;
    code |= rk_pool_check(over, &err);
    code |= s.failed ? RK_ENOMEM : RK_OK;
    rk_str_free(&s);
    rk_tape_free(t);
    rk_pool_free(over);
    rk_pool_free(p);
    return code == RK_OK;
}

static void test_memory(void)
{
    long n = 0;
    bool done = false;

    CHECK(scenario());
    for (; !done && n < 10000; n++) {
        rk_heap_fail_after(n);
        done = scenario();
        rk_heap_fail_after(-1);
    }
    CHECK(done && n > 10);
}

/* ---- pools over pools -------------------------------------------------------------------------------------------- */

/* Every level reads what the ones below have, by the same handles, and none of those below changes. */
static void test_over(void)
{
    static const char *const text[] = {"2BSD²", "BSD(4D + 2S)", "min(S, W)", "⌈S/D⌉", "D/N", "1/(S + D)", "7/2"};
    rk_pool *base = new_pool(), *middle, *top, *beside;
    rk_ex e[COUNT(text)], fresh, other;
    size_t n_symbol = rk_sym_count(base);
    rk_str s = {0};
    rk_sym z;
    rk_i128 value = 0, scratch[512];
    bound b = small_values();
    rk_binding at = bind(&b);
    rk_tape *tape;
    rk_err err = {0};

    for (size_t i = 0; i < COUNT(text); i++)
        e[i] = ex(base, text[i]);
    define(base, "T", "S");
    middle = rk_pool_over(base);
    fresh = ex(middle, "3BSD² + max(S, W)");
    top = rk_pool_over(middle);
    beside = rk_pool_over(middle);
    for (size_t i = 0; i < COUNT(text); i++)
        CHECK(ex(middle, text[i]) == e[i] && ex(top, text[i]) == e[i] && ex(beside, text[i]) == e[i]);
    CHECK(ex(top, "max(S, W) + 3BSD²") == fresh && ex(beside, "3BSD² + max(S, W)") == fresh);
    CHECK(ex(base, "7/2") == e[6] && rk_ex_sub(top, fresh, ex(top, "BSD² + max(S, W)")) == e[0]);

    /* Symbols of an upper pool, and definitions over those of the base. */
    z = rk_sym_declare(top, "Z", 1);
    CHECK_INT(z, n_symbol);
    CHECK_INT(rk_sym_declare(beside, "Y", 1), n_symbol);
    CHECK_INT(rk_sym_count(base), n_symbol);
    CHECK(rk_sym_find(base, "Z") == RK_SYM_NONE && rk_sym_find(middle, "Z") == RK_SYM_NONE);
    define(top, "Z", "D + 1");
    define(top, "N", "2");
    CHECK(rk_sym_definition(base, rk_sym_find(base, "N")) == RK_EX_FAILED);
    CHECK(rk_ex_expand_defs(top, e[4]) == ex(top, "D/2") && rk_ex_expand_defs(beside, e[4]) == e[4]);
    CHECK(rk_ex_expand_defs(top, ex(top, "ZT")) == ex(top, "SD + S"));
    CHECK(rk_ex_subst(top, e[2], rk_sym_find(top, "W"), ex(top, "Z")) == ex(top, "min(S, Z)"));
    CHECK(rk_ex_simplify(top, ex(top, "T + S")) == ex(base, "2S"));

    /* Numbers and text are those of one pool. */
    other = ex(top, "Z·BSD² + 3BSD² + max(S, W)");
    rk_ex_print(top, fresh, RK_PRINT_TEXT, &s);
    CHECK_TEXT(rk_str_text(&s), "3BSD² + max(S, W)");
    CHECK_INT(rk_ex_eval(top, fresh, &at, &value, &err), RK_OK);
    tape = rk_tape_new(top, (const rk_ex[]){fresh, other}, 2, &err);
    if (CHECK(tape != NULL && rk_tape_scratch(tape) <= COUNT(scratch))) {
        rk_i128 got[2], want = 0;

        CHECK_INT(rk_tape_eval(tape, &at, scratch, got, &err), RK_OK);
        CHECK_INT(got[0], value);
        CHECK_INT(rk_ex_eval(top, other, &at, &want, &err), RK_OK);
        CHECK_INT(got[1], want);
    }
    /* A failure is of the pool in which it came about. */
    rk_ex_div(top, e[0], rk_ex_int(top, 0));
    CHECK(rk_pool_check(top, NULL) != RK_OK && rk_pool_check(middle, NULL) == RK_OK &&
          rk_pool_check(base, NULL) == RK_OK);
    rk_tape_free(tape);
    rk_str_free(&s);
    rk_pool_free(beside);
    rk_pool_free(top);
    rk_pool_free(middle);
    rk_pool_free(base);
}

int main(void)
{
    test_over();
    test_equal();
    test_asking();
    test_print_text();
    test_print_order();
    test_print_factored();
    test_print_latex();
    test_print_ambiguous();
    test_parse_errors();
    test_eval();
    test_eval_given();
    test_eval_errors();
    test_overflow_twins();
    test_define();
    test_simplify();
    test_split();
    test_limit_terms();
    test_limit_depth();
    test_limit_brackets();
    test_limit_definitions();
    test_limit_symbols();
    test_sharing();
    test_random();
    test_laws();
    test_tape();
    test_memory();
    return t_done("expr");
}
