/* SPDX-License-Identifier: MIT */
/* What pages are drawn with: rounded figures, bars, lines that fit, tables, and one writer for each format. */
#include "report/figure.h"
#include "report/ink.h"
#include "report/page.h"
#include "report/wrap.h"
#include "t.h"

#include <math.h>

static void check_str(rk_str *s, const char *want)
{
    CHECK(!s->failed);
    CHECK_TEXT(rk_str_text(s), want);
    rk_str_reset(s);
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static void test_scaled(void)
{
    static const struct {
        long long n;
        const char *want;
    } c[] = {
        {0, "0 FLOP"},          {7, "7 FLOP"},         {999, "999 FLOP"},      {1000, "1.00 kFLOP"},
        {1005, "1.01 kFLOP"},   {9994, "9.99 kFLOP"},  {9995, "10.0 kFLOP"},   {99949, "99.9 kFLOP"},
        {99950, "100 kFLOP"},   {999499, "999 kFLOP"}, {999500, "1.00 MFLOP"}, {4513336524800, "4.51 TFLOP"},
        {-1500, "-1.50 kFLOP"},
    };
    rk_str s = {0};

    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        rk_str_scaled(&s, c[i].n, "FLOP");
        check_str(&s, c[i].want);
    }
    rk_str_scaled(&s, RK_I128_MAX, "FLOP");
    check_str(&s, "170,141,183 QFLOP");
    rk_str_in_words(&s, 1557611200);
    check_str(&s, "1.56 billion");
    rk_str_in_words(&s, 64);
    check_str(&s, "64");
    rk_str_free(&s);
}

static void test_share(void)
{
    rk_str s = {0};

    rk_str_share(&s, 694, 1000);
    check_str(&s, "69.4%");
    rk_str_share(&s, 1, 3);
    check_str(&s, "33.3%");
    rk_str_share(&s, 1, 2000);
    check_str(&s, "0.1%");
    rk_str_share(&s, 5, 5);
    check_str(&s, "100.0%");
    rk_str_share(&s, 5, 0);
    check_str(&s, "–");
    rk_str_share(&s, RK_I128_MAX / 2, RK_I128_MAX);
    check_str(&s, "50.0%");
    rk_str_free(&s);
}

static void test_binary(void)
{
    static const struct {
        long long n;
        const char *want;
    } c[] = {
        {0, "0 B"},
        {999, "999 B"},
        {1000, "0.98 KiB"},
        {1024, "1.00 KiB"},
        {10485, "10.2 KiB"},
        {1022976, "999 KiB"},
        {1023488, "0.98 MiB"},
        {1048576, "1.00 MiB"},
        {8508230400, "7.92 GiB"},
        {1063528800, "0.99 GiB"},
        {-1536, "-1.50 KiB"},
    };
    rk_str s = {0};

    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        rk_str_binary(&s, c[i].n, "B");
        check_str(&s, c[i].want);
    }
    rk_str_free(&s);
}

static void test_letters(void)
{
    rk_str s = {0};

    rk_str_in_letters(&s, 0);
    check_str(&s, "0");
    rk_str_in_letters(&s, 9999);
    check_str(&s, "9,999");
    rk_str_in_letters(&s, 10000);
    check_str(&s, "10.0 k");
    rk_str_in_letters(&s, 1557611200);
    check_str(&s, "1.56 B");
    rk_str_in_letters(&s, 1600000000000000);
    check_str(&s, "1,600 T");
    rk_str_scaled(&s, 950, "");
    check_str(&s, "950");
    rk_str_free(&s);
}

static void test_fraction(void)
{
    rk_str s = {0};

    rk_str_fraction(&s, 1, 3);
    check_str(&s, "0.333333");
    rk_str_fraction(&s, 5, 5);
    check_str(&s, "1.000000");
    rk_str_fraction(&s, 5, 0);
    check_str(&s, "");
    rk_str_free(&s);
}

static void test_bar(void)
{
    rk_str s = {0};

    rk_str_bar(&s, 0, 8, 4);
    check_str(&s, "");
    rk_str_bar(&s, 8, 8, 4);
    check_str(&s, "████");
    rk_str_bar(&s, 1, 8, 1);
    check_str(&s, "▏");
    rk_str_bar(&s, 7, 8, 1);
    check_str(&s, "▉");
    rk_str_bar(&s, 3, 8, 2);
    check_str(&s, "▊");
    rk_str_bar(&s, 5, 8, 2);
    check_str(&s, "█▎");
    rk_str_bar(&s, 1, 1000000, 10); /* little is still seen */
    check_str(&s, "▏");
    rk_str_bar(&s, 9, 8, 2); /* more than the whole is the whole */
    check_str(&s, "██");
    rk_str_bar(&s, 1, 0, 4);
    check_str(&s, "");
    rk_str_bar(&s, 1, 1, 0);
    check_str(&s, "");
    rk_str_free(&s);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* All lines of a text, with bars between them. */
static void check_wrap(const char *text, size_t columns, rk_breaks how, const char *want)
{
    rk_str s = {0};
    size_t next = 0;

    for (const char *at = text; *at; at += next) {
        rk_str_put(&s, at == text ? "" : "|");
        rk_str_putn(&s, at, rk_wrap(at, columns, how, &next));
        if (!CHECK(next > 0))
            break;
    }
    check_str(&s, want);
    rk_str_free(&s);
}

static void test_wrap(void)
{
    check_wrap("", 5, RK_BREAK_WORDS, "");
    check_wrap("one two three", 20, RK_BREAK_WORDS, "one two three");
    check_wrap("one two three", 13, RK_BREAK_WORDS, "one two three");
    check_wrap("one two three", 12, RK_BREAK_WORDS, "one two|three");
    check_wrap("one two  three", 7, RK_BREAK_WORDS, "one two|three");
    check_wrap("extraordinary", 5, RK_BREAK_WORDS, "extra|ordin|ary");
    check_wrap("größe größe", 5, RK_BREAK_WORDS, "größe|größe");
    check_wrap("漢字漢字", 5, RK_BREAK_WORDS, "漢字|漢字"); /* two columns each */
    check_wrap("漢字", 1, RK_BREAK_WORDS, "漢|字");         /* wider than a line, but not lost */
    check_wrap("o\xcc\x88o\xcc\x88", 1, RK_BREAK_WORDS, "o\xcc\x88|o\xcc\x88");
    check_wrap("\xff\xfe", 1, RK_BREAK_WORDS, "\xff|\xfe");
    check_wrap("25 heads of 64, FFN 6,400", 18, RK_BREAK_LIST, "25 heads of 64,|FFN 6,400");
    check_wrap("25 heads of 64, FFN 6,400", 10, RK_BREAK_LIST, "25 heads|of 64,|FFN 6,400");
    check_wrap("model.layers.mlp.up_proj", 10, RK_BREAK_NAME, "model.|layers.|mlp.up_|proj");
    check_wrap("--format text|json|csv", 12, RK_BREAK_NAME, "--format|text|json||csv");
    check_wrap("1,234,567", 6, RK_BREAK_NAME, "1,234,|567");
}

static void test_wrap_formula(void)
{
    check_wrap("8BSD² + 4BS²D + 6BSDF", 14, RK_BREAK_FORMULA, "8BSD² + 4BS²D|+ 6BSDF");
    check_wrap("8BSD² - 4BS²D", 8, RK_BREAK_FORMULA, "8BSD²|- 4BS²D");
    check_wrap("a = b = c", 5, RK_BREAK_FORMULA, "a = b|= c");
    check_wrap("L × layers + head", 12, RK_BREAK_FORMULA, "L × layers|+ head");
    /* Outside of brackets where the line is then at least half full; else inside of them. */
    check_wrap("2BSD(4D + 2S) + 3F", 15, RK_BREAK_FORMULA, "2BSD(4D + 2S)|+ 3F");
    check_wrap("a + 2BSD(4D + 2S + 3F)", 18, RK_BREAK_FORMULA, "a + 2BSD(4D + 2S|+ 3F)");
    check_wrap("12345678901", 5, RK_BREAK_FORMULA, "12345|67890|1");
}

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static const rk_field column[] = {
    {.head = "", .key = "name"},
    {.head = "count", .key = "count", .right = true},
    {.head = "none", .right = true},
    {.head = "share", .key = "share", .right = true, .drop = 1},
    {.head = "", .drop = 2},
    {.head = "formula", .key = "formula", .wraps = true, .drop = 3},
    {.key = "hidden"},
};

static void fill_example(rk_page *p, rk_pool *pool)
{
    rk_ex d = rk_ex_sym(pool, rk_sym_declare(pool, "D", 1)), f = rk_ex_sym(pool, rk_sym_declare(pool, "F", 1));
    rk_table *t = rk_page_table(p, column, sizeof column / sizeof *column);
    rk_cell *cell = rk_page_row(p, t, RK_ROW_PART, 0);

    cell[0] = rk_cell_code("größe_1");
    cell[0].brief = "g_1";
    cell[1] = rk_cell_count(1024);
    cell[5] = rk_cell_formula(rk_ex_add(pool, rk_ex_pow(pool, d, 2), rk_ex_mul(pool, d, f)), 0);
    cell = rk_page_row(p, t, RK_ROW_PLAIN, 1);
    cell[0] = rk_cell_text(p, "x\x1b, \"|\"");
    cell[1] = rk_cell_count(1000);
    cell[3] = rk_cell_share(1, 4);
    cell[4] = rk_cell_bar(1, 4);
    cell[6] = rk_cell_text(p, "seen by programs");
    cell = rk_page_row(p, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(p, "total");
    cell[1] = rk_cell_count(1024);
}

static void fill_items(rk_page *p, rk_pool *pool)
{
    rk_ex d = rk_ex_sym(pool, rk_sym_declare(pool, "D", 1));

    rk_page_gap(p);
    rk_page_equation(p, 0, "a", rk_cell_formula(d, 0), "a note");
    rk_page_equation_value(p, 0, "long", rk_cell_formula(rk_ex_pow(pool, d, 3), 0), rk_cell_count(1000000));
    rk_page_equation(p, 0, NULL, rk_cell_text(p, "a & b"), NULL);
    rk_page_code(p, 1, "y[B] = x[B] * .w_1[B]", "# where");
    rk_page_put(p, RK_ITEM_LINE, 1, "100%% of it");
    rk_page_put(p, RK_ITEM_NOTE, 0, "a_note");
}

typedef struct example {
    rk_arena arena;
    rk_pool *pool;
    rk_page page;
    rk_str out;
    rk_err err;
} example;

static void begin(example *e)
{
    *e = (example){.pool = rk_pool_new()};
    e->page = (rk_page){.arena = &e->arena, .pool = e->pool};
}

static void end(example *e)
{
    CHECK(!e->page.failed);
    rk_str_free(&e->out);
    rk_pool_free(e->pool);
    rk_arena_free(&e->arena);
}

static void check_text(example *e, size_t columns, const char *want)
{
    e->page.paper = (rk_paper){.columns = columns};
    rk_page_text(&e->page, &e->out);
    check_str(&e->out, want);
}

static void test_tables(void)
{
    example e;

    begin(&e);
    fill_example(&e.page, e.pool);
    check_text(&e, 60,
               "              count  share                           formula\n"
               "größe_1       1,024                                  D² + DF\n"
               "  x\\x1b, \"|\"  1,000  25.0%  █████▊\n"
               "────────────────────────────────────────────────────────────\n"
               "total         1,024\n");
    check_text(&e, 40,
               "              count              formula\n"
               "g_1           1,024              D² + DF\n"
               "  x\\x1b, \"|\"  1,000  ██▌\n"
               "────────────────────────────────────────\n"
               "total         1,024\n"
               "(no room here for: share)\n");
    check_text(&e, 20,
               "              count\n"
               "g_1           1,024\n"
               "  x\\x1b, \"|\"  1,000\n"
               "───────────────────\n"
               "total         1,024\n"
               "(no room here for:\n share, formula)\n");
    end(&e);
}

/* Where not even names and numbers fit side by side, they stand below each other. */
static void test_stacked(void)
{
    static const rk_field wide[] = {{.head = ""}, {.head = "count", .right = true}, {.head = "text", .wraps = true}};
    example e;
    rk_cell *cell;

    begin(&e);
    cell = rk_page_row(&e.page, rk_page_table(&e.page, wide, 3), RK_ROW_PLAIN, 1);
    cell[0] = rk_cell_code("model.layers.mlp.up_proj.weight");
    cell[1] = rk_cell_count(123456789);
    cell[2] = rk_cell_text(&e.page, "some words on it");
    check_text(&e, 20,
               "  model.layers.mlp.\n"
               "    up_proj.weight\n"
               "  count  123,456,789\n"
               "    some words on it\n");
    end(&e);
}

static void test_equations(void)
{
    example e;

    begin(&e);
    fill_items(&e.page, e.pool);
    check_text(&e, 80,
               "\n"
               "a    = D   a note\n"
               "long = D³ = 1,000,000\n"
               "     = a & b\n"
               "  y[B] = x[B] * .w_1[B]   # where\n"
               "  100% of it\n"
               "a_note\n");
    check_text(&e, 20,
               "\n"
               "a\n = D   a note\n"
               "long\n = D³ = 1,000,000\n"
               " = a & b\n"
               " y[B] = x[B] *\n"
               "   .w_1[B]   # where\n"
               " 100% of it\n"
               "a_note\n");
    end(&e);
}

static void test_colour(void)
{
    example e;

    begin(&e);
    rk_page_put(&e.page, RK_ITEM_TITLE, 0, "title\x1b[31m");
    rk_page_put(&e.page, RK_ITEM_LINE, 0, "line");
    rk_page_put(&e.page, RK_ITEM_NOTE, 0, "of a note (--count).");
    rk_page_put(&e.page, RK_ITEM_WARNING, 0, "beyond");
    fill_example(&e.page, e.pool);
    e.page.paper = (rk_paper){.columns = 80, .colour = true};
    rk_page_text(&e.page, &e.out);
    CHECK(strstr(rk_str_text(&e.out), "\x1b[1mtitle\\x1b[31m\x1b[0m\nline\n"));
    CHECK(strstr(rk_str_text(&e.out), "\x1b[1mgröße_1\x1b[0m"));
    CHECK(strstr(rk_str_text(&e.out), "25.0%  \x1b[38;5;245m██████\x1b[0m\n")); /* nothing is known of it: grey */
    CHECK(strstr(rk_str_text(&e.out), "\x1b[2mof a note (\x1b[0m\x1b[36m--count\x1b[0m\x1b[2m).\x1b[0m\n"));
    CHECK(strstr(rk_str_text(&e.out), "\x1b[31mbeyond\x1b[0m\n"));
    CHECK(rk_ink_of_thing("layers[0-2].attention × 3") == rk_ink_of_thing("attention"));
    CHECK(rk_ink_of_thing("attention") != rk_ink_of_thing("ffn") && rk_ink_of_thing("") == rk_ink_of_thing("x.y"));
    CHECK(!strstr(rk_str_text(&e.out), " \n"));
    end(&e);
}

static void test_csv(void)
{
    example e;

    begin(&e);
    fill_example(&e.page, e.pool);
    fill_items(&e.page, e.pool);
    fill_example(&e.page, e.pool); /* the same columns: the table goes on */
    rk_page_csv(&e.page, &e.out);
    check_str(&e.out, "name,count,share,formula,hidden\r\n"
                      "\"x\\x1b, \"\"|\"\"\",1000,0.250000,,seen by programs\r\n"
                      "\"x\\x1b, \"\"|\"\"\",1000,0.250000,,seen by programs\r\n");
    end(&e);
}

static void test_md(void)
{
    example e;

    begin(&e);
    rk_page_put(&e.page, RK_ITEM_TITLE, 0, "a *title*");
    fill_example(&e.page, e.pool);
    fill_items(&e.page, e.pool);
    rk_page_md(&e.page, &e.out);
    check_str(&e.out, "# a \\*title\\*\n\n"
                      "| | count | share | formula |\n|:---|---:|---:|:---|\n"
                      "| `größe_1` | 1,024 | | D² + DF |\n"
                      "| &emsp;x\\\\x1b, \"\\|\" | 1,000 | 25.0% | |\n"
                      "| **total** | **1,024** | | |\n\n"
                      "```text\na    = D   a note\nlong = D³ = 1,000,000\n     = a & b\n```\n\n"
                      "`y[B] = x[B] * .w_1[B]` \\# where\n\n"
                      "100% of it\n\n"
                      "*a\\_note*\n");
    end(&e);
}

static void test_latex(void)
{
    example e;

    begin(&e);
    fill_example(&e.page, e.pool);
    fill_items(&e.page, e.pool);
    e.page.whole = true;
    rk_page_latex(&e.page, &e.out);
    CHECK(
        strstr(rk_str_text(&e.out), "\\begin{tabular}{@{}lrrll@{}}\n\\toprule\n & count & share &  & formula \\\\\n"));
    CHECK(strstr(rk_str_text(&e.out), "\\texttt{größe\\_1} & $1{,}024$ &  &  & $D^{2} + DF$ \\\\\n"));
    CHECK(strstr(rk_str_text(&e.out),
                 "x\\textbackslash{}x1b, {\\char34}\\textbar{}{\\char34} & $1{,}000$ & 25.0\\% & \\rule"));
    CHECK(strstr(rk_str_text(&e.out), "\\midrule\ntotal & $1{,}024$ &  &  &  \\\\\n\\bottomrule\n"));
    CHECK(strstr(rk_str_text(&e.out),
                 "$\\begin{aligned}[t]\n  \\text{a} &= D\\quad\\text{\\footnotesize a note} \\\\\n"));
    CHECK(strstr(rk_str_text(&e.out), "\\text{long} &= D^{3} = 1{,}000{,}000 \\\\\n"));
    CHECK(strstr(rk_str_text(&e.out), "\\text{a \\& b}\n\\end{aligned}$\\par\n"));
    CHECK(strstr(rk_str_text(&e.out), "\\texttt{y[B] = x[B] * .w\\_1[B]} {\\footnotesize \\# where}\\par}\n"));
    end(&e);
}

/* One table: rounded, without bars, after a line about what it is of; tables with the same heads go on in it. */
static void test_latex_table(void)
{
    static const rk_field columns[] = {{.head = ""}, {.head = "each", .right = true}, {.head = "", .right = true}};
    example e;

    begin(&e);
    rk_page_put(&e.page, RK_ITEM_TITLE, 0, "100%% of it");
    rk_page_table(&e.page, column, sizeof column / sizeof *column);
    for (int i = 0; i < 2; i++) {
        rk_table *t = rk_page_table(&e.page, columns, 3);
        rk_cell *cell = rk_page_row(&e.page, t, RK_ROW_PLAIN, 0);

        t->main = true;
        cell[0] = rk_cell_code("a_b");
        cell[1] = rk_cell_amount(70274254897152, "FLOP");
        cell[2] = rk_cell_text(&e.page, "70.3 TFLOP");
    }
    rk_page_put(&e.page, RK_ITEM_LINE, 0, "not of it");
    rk_page_latex(&e.page, &e.out);
    CHECK_TEXT(rk_str_text(&e.out), "% 100% of it\n% \\usepackage{booktabs}\n\\begin{tabular}{@{}lr@{}}\n\\toprule\n"
                                    " & each (FLOP) \\\\\n\\midrule\n\\texttt{a\\_b} & 70.3 T \\\\\n\\midrule\n"
                                    "\\texttt{a\\_b} & 70.3 T \\\\\n\\bottomrule\n\\end{tabular}\n");
    end(&e);
}

static void check_columns(const char *columns, bool csv, const char *want)
{
    example e;

    begin(&e);
    fill_example(&e.page, e.pool);
    e.page.columns = columns;
    if (csv)
        rk_page_csv(&e.page, &e.out);
    else
        rk_page_text(&e.page, &e.out);
    CHECK_TEXT(rk_str_text(&e.out), want);
    end(&e);
}

static void test_columns(void)
{
    check_columns("share, count", false,
                  "              share  count\ngröße_1              1,024\n  x\\x1b, \"|\"  25.0%  1,000\n"
                  "──────────────────────────\ntotal                1,024\n");
    check_columns("formula,NAME", true, "formula,name\r\n,\"x\\x1b, \"\"|\"\"\"\r\n");
}

static void check_has(const example *e, const char *piece)
{
    CHECK(strstr(rk_str_text(&e->out), piece));
    if (!strstr(rk_str_text(&e->out), piece))
        printf("not there: %s\n", piece);
}

static void draw(const void *wide, rk_svg_theme theme, rk_str *out)
{
    (void)theme;
    rk_str_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\"></svg>", (const char *)wide);
}

static void test_html(void)
{
    example e;

    begin(&e);
    rk_page_put(&e.page, RK_ITEM_TITLE, 0, "<b>&\x1b");
    fill_example(&e.page, e.pool);
    fill_items(&e.page, e.pool);
    rk_page_picture(&e.page, (rk_picture){.data = "1", .svg = draw}, "a <caption>");
    rk_page_html(&e.page, &e.out);
    check_has(&e, "<title>&#60;b&#62;&#38;\\x1b</title>\n");
    check_has(&e, "<h1>&#60;b&#62;&#38;\\x1b</h1>\n");
    check_has(&e, "<thead><tr><td></td><th scope=\"col\" class=\"n\">count</th>");
    check_has(&e, "<tr class=\"part\"><th scope=\"row\"><code>größe_1</code></th><td class=\"n\">1,024</td>");
    check_has(&e, "<td class=\"fc\"><span class=\"f\"><i>D</i><sup>2</sup> + <i>DF</i></span></td>");
    check_has(&e, "<th scope=\"row\" style=\"padding-left:1.2em\">x\\x1b, &#34;|&#34;</th>");
    check_has(&e, "<td class=\"bar\"><span style=\"width:25.0%\"></span></td>");
    check_has(&e, "<tr class=\"total rule\"><th scope=\"row\">total</th>");
    check_has(&e,
              "<div><span>a</span><span>=</span><span><span class=\"f\"><i>D</i></span> <span class=\"note\">a note<");
    check_has(&e, "<i>D</i><sup>3</sup></span></span></div>\n<div><span></span><span>=</span><span>1,000,000</span>");
    check_has(&e, "<figure>\n<svg width=\"1\"></svg><figcaption>a &#60;caption&#62;</figcaption>\n</figure>\n");
    CHECK(!strstr(rk_str_text(&e.out), "http"));
    CHECK(!strstr(rk_str_text(&e.out), "seen by programs"));
    rk_str_reset(&e.out);
    rk_page_md(&e.page, &e.out); /* a picture is of HTML alone */
    CHECK(!strstr(rk_str_text(&e.out), "svg"));
    rk_str_reset(&e.out);
    rk_page_latex(&e.page, &e.out);
    CHECK(!strstr(rk_str_text(&e.out), "svg"));
    end(&e);
}

/* ---- what writers see ------------------------------------------------------------------------------------------- */

static void draw_text(const void *wide, const rk_paper *paper, rk_str *out)
{
    rk_str_format(out, "drawn %s on %zu\n", (const char *)wide, paper->columns);
}

static void check_fails(example *e, int code, const char *message)
{
    CHECK_INT(e->page.code, code);
    CHECK_TEXT(e->err.message, message);
    e->page.code = RK_OK;
    rk_str_reset(&e->out);
}

/* A picture is drawn by who shows it: last in a text, alone in SVG, where there must be one. */
static void test_pictures(void)
{
    example e;

    begin(&e);
    e.page.err = &e.err;
    rk_page_put(&e.page, RK_ITEM_TITLE, 0, "t");
    rk_page_svg(&e.page, &e.out);
    check_fails(&e, RK_EINPUT, "there is no picture of this");
    e.page.no_picture = "too small";
    rk_page_svg(&e.page, &e.out);
    check_fails(&e, RK_EINPUT, "too small");
    rk_page_picture(&e.page, (rk_picture){"7", draw, draw_text}, NULL);
    rk_page_put(&e.page, RK_ITEM_LINE, 0, "after it");
    rk_page_svg(&e.page, &e.out);
    check_str(&e.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"7\"></svg>");
    check_text(&e, 40, "t\nafter it\n\ndrawn 7 on 40\n");
    rk_page_picture(&e.page, (rk_picture){.data = "8", .svg = draw}, NULL);
    rk_page_svg(&e.page, &e.out);
    check_fails(&e, RK_EINPUT, "there are 2 pictures of this: --format html has room for them");
    end(&e);
}

/* Items and cells that not all see. */
static void test_audience(void)
{
    static const rk_field claim[] = {{.head = "status", .key = "status"}, {.head = "n", .key = "n"}};
    static const rk_field data[] = {{.head = "x", .key = "x"}};
    example e;
    rk_table *t;

    for (int i = 0; i < 3; i++) {
        rk_cell *cell;

        begin(&e);
        rk_page_put(&e.page, RK_ITEM_HEADING, 0, "pictures");
        rk_page_only(&e.page, RK_FOR_PICTURES);
        t = rk_page_table(&e.page, claim, 2);
        cell = rk_page_row(&e.page, t, RK_ROW_PLAIN, 0);
        cell[0] = rk_cell_for_people(&e.page, rk_cell_name("unknown"), "not understood");
        cell[1] = rk_cell_null();
        t = rk_page_table(&e.page, data, 1);
        rk_page_row(&e.page, t, RK_ROW_PLAIN, 0)[0] = rk_cell_count(1000);
        rk_page_only(&e.page, RK_FOR_PROGRAMS);
        if (i == 0)
            check_text(&e, 40, "status\nnot understood\n");
        if (i == 1) {
            rk_page_csv(&e.page, &e.out);
            check_str(&e.out, "status,n\r\nunknown,\r\n\r\nx\r\n1000\r\n");
        }
        if (i == 2) {
            rk_page_html(&e.page, &e.out);
            check_has(&e, "pictures");
            CHECK(!strstr(rk_str_text(&e.out), "1,000"));
        }
        end(&e);
    }
}

/* ---- rows without end ------------------------------------------------------------------------------------------- */

static int make_rows(void *self, const rk_stream *to, rk_err *err)
{
    rk_str text = {0};
    int code = RK_OK;

    for (int i = 0; i < *(const int *)self && code == RK_OK; i++) {
        rk_cell cell[] = {rk_cell_count(i), i % 2 ? rk_cell_null() : rk_cell_real(i / 8.0, 12)};

        to->row(to->table, cell, &text);
        if (i % 2) {
            code = to->put(to->self, rk_str_text(&text), text.n, err);
            rk_str_reset(&text);
        }
    }
    if (code == RK_OK)
        code = to->put(to->self, rk_str_text(&text), text.n, err);
    rk_str_free(&text);
    return code;
}

typedef struct drained {
    rk_str all;
    size_t most, times, leave_after;
} drained;

static int take(void *self, rk_str *out, rk_err *err)
{
    drained *d = self;

    rk_str_putn(&d->all, rk_str_text(out), out->n);
    d->most = out->n > d->most ? out->n : d->most;
    rk_str_reset(out);
    return d->leave_after && ++d->times >= d->leave_after ? rk_fail(err, RK_EIO, "gone") : RK_OK;
}

static void stream(example *e, void (*write)(rk_page *, rk_str *), int n, drained *d)
{
    static const rk_field each[] = {{.key = "i"}, {.key = "x"}}, field[] = {{.key = "rows"}, {.key = "end"}};
    static const rk_fields rows = {each, 2}, answer = {field, 2};
    rk_cell *cell;
    rk_table *t;

    begin(e);
    e->page.err = &e->err;
    cell = rk_page_answer(&e->page, &answer);
    t = rk_cell_list(&e->page, &cell[0], &rows);
    cell[1] = rk_cell_truth(true);
    t->stream = make_rows;
    t->self = &n;
    rk_page_show(&e->page, t);
    if (d)
        e->page.drain = (rk_drain){take, d};
    write(&e->page, &e->out);
}

static void test_streams(void)
{
    drained d = {0};
    example e;

    stream(&e, rk_page_csv, 3, NULL);
    check_str(&e.out, "i,x\r\n0,0\r\n1,\r\n2,0.25\r\n");
    end(&e);
    stream(&e, rk_page_json, 0, NULL);
    check_str(&e.out, "{\n  \"version\": 1,\n  \"rows\": [],\n  \"end\": true\n}\n");
    end(&e);
    stream(&e, rk_page_json, 3, NULL);
    check_str(&e.out, "{\n  \"version\": 1,\n  \"rows\": [\n    {\"i\": 0, \"x\": 0},\n    {\"i\": 1, \"x\": null},\n"
                      "    {\"i\": 2, \"x\": 0.25}\n  ],\n  \"end\": true\n}\n");
    end(&e);
    /* What is taken now and then does not grow with the rows. */
    stream(&e, rk_page_json, 10000, &d);
    CHECK_INT(e.page.code, RK_OK);
    CHECK(d.most < 100 && d.all.n > 200000);
    check_str(&e.out, "\n  ],\n  \"end\": true\n}\n");
    end(&e);
    rk_str_reset(&d.all);
    d.leave_after = 3; /* the head, and two rows at a time */
    stream(&e, rk_page_csv, 10000, &d);
    CHECK_INT(e.page.code, RK_EIO);
    check_str(&d.all, "i,x\r\n0,0\r\n1,\r\n2,0.25\r\n3,\r\n");
    end(&e);
    rk_str_free(&d.all);
}

static void test_formats(void)
{
    CHECK_TEXT(RK_FORMAT_WORDS, "text|json|csv|md|latex|html");
    CHECK_TEXT(RK_PICTURE_FORMAT_WORDS, "text|json|csv|md|latex|html|svg");
    CHECK_INT(rk_format_of_file("a/b.c/report.htm"), RK_FORMAT_HTML);
    CHECK_INT(rk_format_of_file("x.md"), RK_FORMAT_MD);
    CHECK_INT(rk_format_of_file("x.markdown"), RK_FORMAT_MD);
    CHECK_INT(rk_format_of_file("x.svg"), RK_FORMAT_SVG);
    CHECK_INT(rk_format_of_file("x.mark"), RK_N_FORMAT);
    CHECK_INT(rk_format_of_file("x."), RK_N_FORMAT);
    CHECK_INT(rk_format_of_file("html"), RK_N_FORMAT);
}

/* A page with many headings begins with a list of them. */
static void test_html_headings(void)
{
    example e;

    begin(&e);
    rk_page_put(&e.page, RK_ITEM_TITLE, 0, "t");
    for (int i = 0; i < 5; i++)
        rk_page_put(&e.page, RK_ITEM_HEADING, 0, "part %d", i);
    rk_page_html(&e.page, &e.out);
    check_has(&e, "<h1>t</h1>\n<nav aria-label=\"Sections\"><ul>\n<li><a href=\"#s1\">part 0</a></li>\n");
    check_has(&e, "</ul></nav>\n<h2 id=\"s1\">part 0</h2>\n<h2 id=\"s2\">part 1</h2>\n");
    end(&e);
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const rk_field part_field[] = {
    {.head = "part", .key = "part"},
    {.head = "total", .key = "total", .right = true},
    {.head = "share", .key = "share", .right = true, .joins = true, .drop = 1},
    {.key = "each", .kind = RK_CELL_COUNT, .many = true, .json = true},
};
static const rk_fields part_fields = {part_field, 4};

static const rk_field answer_field[] = {{.key = "sizes"}, {.key = "none"}, {.key = "rows"}};
static const rk_fields answer_fields = {answer_field, 3};

static void fill_answer(rk_page *p)
{
    static const char *const name[] = {"B", "S"};
    static rk_cell size[2];
    rk_cell *answer = rk_page_answer(p, &answer_fields), *cell, *each;
    rk_table *t = rk_cell_list(p, &answer[2], &part_fields);

    size[1] = rk_cell_count(8); /* B stays nothing */
    rk_cell_names(p, &answer[0], name, size, 2);
    answer[1] = rk_cell_real(NAN, RK_REAL_DIGITS);
    t->sums = true;
    cell = rk_page_row(p, t, RK_ROW_PART, 0);
    cell[0] = rk_cell_code("all");
    cell[1] = rk_cell_both(p, rk_cell_count(1024), rk_cell_text(p, "+1,024"));
    cell[2] = rk_cell_share(1, 1);
    each = rk_cell_cells(p, &cell[3], 2);
    each[0] = rk_cell_count(1);
    each[1] = rk_cell_null();
    cell = rk_page_row(p, t, RK_ROW_PLAIN, 0);
    cell[0] = rk_cell_code("one");
    cell[1] = rk_cell_dash();
    rk_page_show(p, t);
}

/* Each audience has its cells: JSON the sums that a table gives it, CSV no sums, people words for numbers. */
static void test_answer(void)
{
    static const rk_field hidden[] = {{.key = "hidden"}};
    const char *table;
    example e;

    begin(&e);
    fill_answer(&e.page);
    rk_page_row(&e.page, rk_page_table(&e.page, hidden, 1), RK_ROW_PLAIN, 0)[0] = rk_cell_count(1);
    rk_page_json(&e.page, &e.out);
    check_str(&e.out, "{\n"
                      "  \"version\": 1,\n"
                      "  \"sizes\": {\"S\": 8},\n"
                      "  \"none\": null,\n"
                      "  \"rows\": [\n"
                      "    {\"part\": \"all\", \"total\": 1024, \"share\": 1.000000, \"each\": [1, null]},\n"
                      "    {\"part\": \"one\", \"total\": null}\n"
                      "  ]\n"
                      "}\n");
    rk_page_settle(&e.page, true);
    rk_page_csv(&e.page, &e.out);
    check_str(&e.out, "part,total,share\r\none,,\r\n\r\nhidden\r\n1\r\n");
    rk_page_settle(&e.page, false);
    check_text(&e, 80, "part   total   share\nall   +1,024  100.0%\none        –\n");
    rk_page_html(&e.page, &e.out); /* the table for programs alone is not there */
    table = strstr(rk_str_text(&e.out), "<table>");
    CHECK(table && !strstr(table + 1, "<table>"));
    end(&e);
}

/* Where there is no room for a column of its own, it stands beside the number. */
static void test_joined(void)
{
    static const rk_field field[] = {
        {.head = "part"},
        {.head = "a long name", .right = true},
        {.head = "share", .right = true, .joins = true, .drop = 1},
    };
    rk_cell *cell;
    rk_table *t;
    example e;

    begin(&e);
    t = rk_page_table(&e.page, field, 3);
    cell = rk_page_row(&e.page, t, RK_ROW_PLAIN, 0);
    cell[0] = rk_cell_code("x");
    cell[1] = rk_cell_count(25);
    cell[2] = rk_cell_share(1, 4);
    check_text(&e, 40, "part  a long name  share\nx              25  25.0%\n");
    check_text(&e, 20, "part  a long name\nx       25  25.0%\n");
    end(&e);
}

int main(void)
{
    test_scaled();
    test_binary();
    test_letters();
    test_share();
    test_fraction();
    test_bar();
    test_wrap();
    test_wrap_formula();
    test_tables();
    test_stacked();
    test_equations();
    test_colour();
    test_csv();
    test_md();
    test_latex();
    test_latex_table();
    test_columns();
    test_html();
    test_html_headings();
    test_pictures();
    test_audience();
    test_streams();
    test_formats();
    test_answer();
    test_joined();
    return t_done("page");
}
