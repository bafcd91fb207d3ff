/* SPDX-License-Identifier: MIT */
/* Files that people write, as texts: HTML, notebooks, pages of pdftotext, marks; and where each byte is from. */
#include "../lexicon.h"
#include "../t.h"

#include "audit/prose.h"

#include <stdlib.h>

static rk_arena arena;

static int read_as(const char *name, const char *bytes, size_t n, rk_prose *out, rk_err *err)
{
    char *copy = rk_arena_copy(&arena, bytes, n);

    return copy ? rk_prose_read(t_lexicon(), &arena, name, copy, n, out, err) : RK_ENOMEM;
}

/* The text of a file, or its error. */
static const char *text_as(const char *name, const char *bytes)
{
    rk_prose p;
    rk_err err = {0};

    if (read_as(name, bytes, strlen(bytes), &p, &err) != RK_OK)
        return rk_arena_text(&arena, err.message);
    return rk_arena_copy(&arena, p.text, p.n);
}

static const char *html(const char *bytes)
{
    return text_as("a.html", bytes);
}

/* "cell 2, output line 1, column 3" of the first place where a word stands in the text. */
static const char *place_of(const char *name, const char *bytes, const char *word)
{
    rk_prose p;
    rk_prose_walk walk = {0};
    rk_prose_place place;
    rk_str s = {0};
    const char *at, *said;

    if (read_as(name, bytes, strlen(bytes), &p, NULL) != RK_OK || !(at = strstr(p.text, word)))
        return "nowhere";
    place = rk_prose_find(&p, (uint32_t)(at - p.text), &walk);
    rk_prose_put_place(&s, place.cell, place.output, place.line);
    rk_str_format(&s, ", column %zu", place.column);
    said = rk_arena_text(&arena, rk_str_text(&s));
    rk_str_free(&s);
    return said;
}

/* "12 wrong, 13 right": each claim of a file, at its line. */
static const char *claims_of(const char *name, const char *bytes)
{
    static const char *const word[] = RK_CLAIM_STATUS_WORDS;
    rk_prose p;
    rk_audit *a = NULL;
    rk_str s = {0};
    const char *said;

    if (!CHECK(read_as(name, bytes, strlen(bytes), &p, NULL) == RK_OK) ||
        !CHECK(rk_audit_new(t_lexicon(), p.text, p.n, &a, NULL) == RK_OK) ||
        !CHECK(rk_prose_settle(&p, a, NULL) == RK_OK))
        return "nothing";
    for (size_t i = 0; i < a->claim.n; i++)
        rk_str_format(&s, "%s%zu %s", i ? ", " : "", a->claim.at[i].line, word[a->claim.at[i].status]);
    said = rk_arena_text(&arena, rk_str_text(&s));
    rk_str_free(&s);
    rk_audit_free(a);
    return said;
}

static void test_html(void)
{
    CHECK_TEXT(html("<p>a &amp; b</p><p>c\n  d</p>"), "a & b\n\nc d\n");
    CHECK_TEXT(html("<h2>Size</h2>x<br>y"), "## Size\n\nx\ny\n");
    CHECK_TEXT(html("<ul><li>a<ul><li>b</li></ul></li><li>c</ul>z"), "- a\n  - b\n- c\n\nz\n");
    CHECK_TEXT(html("<ol><li>a<li>b</ol>"), "1. a\n1. b\n");
    CHECK_TEXT(html("<table><tr><th>a<th>b<tr><td>1<td>2|3</table>x"), "| a | b |\n| 1 | 2\\|3 |\n\nx\n");
    CHECK_TEXT(html("<table><tr><td colspan=2>a</td><td><p>b</p>c</td></tr></table>"), "| a | | b c |\n");
    CHECK_TEXT(html("<table><tr><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>"), "| 1 2 |\n");
    CHECK_TEXT(html("10<sup>12</sup> d<sub>model</sub> x<sup>2</sup> e<sup>&minus;3</sup>"),
               "10^{12} d_{model} x^2 e^{-3}\n");
    CHECK_TEXT(html("5<sup>[1]</sup> 6<sup><a href=x>2</a></sup> 7<sup>th</sup> 8<sup>"), "5 6 7th 8\n");
    CHECK_TEXT(html("&times;&#215;&#xD7;&nbsp;&bogus; &lt &#0; &#x110000; a&b"), "××× &bogus; &lt a&b\n");
    CHECK_TEXT(html("a<script>1 < 2</script>b<style>x</style><!-- c -->d<svg><p>e</p></svg>f"), "abdf\n");
    CHECK_TEXT(html("<code>a`b</code> <pre>c\n d</pre>e"), "`ab`\n\n~~~text\nc\n d\n~~~\n\ne\n");
    CHECK_TEXT(html("<pre><code class=\"language-python\">x = 1\n</code></pre>"), "~~~python\nx = 1\n\n~~~\n");
    CHECK_TEXT(html("1 < 2 and <3 <unknown attr='>'>x</unknown> y <b"), "1 < 2 and <3 x y <b\n");
    CHECK_TEXT(html("<!DOCTYPE html><?xml?><html><title>t</title>x"), "x\n");
}

static void test_formulas(void)
{
    CHECK_TEXT(html("a <math><mn>2</mn><annotation encoding=\"application/x-tex\">2 &lt; 3</annotation></math> b"),
               "a $2 < 3$ b\n");
    CHECK_TEXT(html("<span class=katex><math><annotation encoding='TeX'>x^2</annotation></math>"
                    "<span class=\"katex-html\" aria-hidden=true><span>x</span><span>2</span></span></span>."),
               "$x^2$.\n");
    CHECK_TEXT(html("<math alttext=\"a+b\"><mi>a</mi></math>"), "$a+b$\n");
    CHECK_TEXT(html("<math><mn>10</mn><mn>12</mn></math>"), "\xEF\xBF\xBC\n");
    CHECK_TEXT(html("x<script type=\"math/tex\">a=b</script>y<script type=\"math/tex; mode=display\">c</script>z"),
               "x$a=b$y\n$$c$$\nz\n");
    CHECK_TEXT(html("<span class=\"MathJax\"><span>12</span></span><script type='math/tex'>1 \\times 2</script>"),
               "$1 \\times 2$\n");
    CHECK_TEXT(html("a <math> b"), "a b\n");
}

static void test_places(void)
{
    CHECK_TEXT(place_of("a.html", "<p>a\nb</p>\n<p>&amp; c</p>", "b"), "line 2, column 1");
    CHECK_TEXT(place_of("a.html", "<p>a\nb</p>\n<p>&amp; c</p>", "c"), "line 3, column 10");
    CHECK_TEXT(place_of("a.md", "a\nπ b", "b"), "line 2, column 3");
    CHECK_TEXT(claims_of("a.html", "<p>2 + 2 = 4</p>\n\n<p>2 + 2 = 5</p>"), "1 right, 3 wrong");
}

static void test_notebooks(void)
{
    static const char book[] =
        "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"# A\\n\", \"b\"]},\n"
        " {\"cell_type\": \"code\", \"outputs\": [{\"name\": \"stdout\", \"text\": [\"\\u001b[1mc\\u001b[0m\\n\"]},"
        " {\"data\": {\"image/png\": \"AA\", \"text/plain\": \"d\", \"text/markdown\": \"e\"}}],"
        " \"source\": \"f = 1\"}, {\"cell_type\": \"raw\", \"source\": \"g\"}, 7,"
        " {\"source\": \"h\", \"cell_type\": \"markdown\", \"more\": {\"x\": [1, {}]}}],"
        " \"nbformat\": 4}";

    CHECK_TEXT(text_as("a.ipynb", book), "# A\nb\n\n~~~python\nf = 1\n~~~\n\n~~~text\nc\ne\n~~~\n\nh\n\n");
    CHECK_TEXT(text_as("-", book), text_as("a.ipynb", book));
    CHECK_TEXT(place_of("a.ipynb", book, "b"), "cell 1, line 2, column 1");
    CHECK_TEXT(place_of("a.ipynb", book, "= 1"), "cell 2, line 1, column 3");
    CHECK_TEXT(place_of("a.ipynb", book, "e\n~~~"), "cell 2, output line 2, column 1");
    CHECK_TEXT(place_of("a.ipynb", book, "h\n"), "cell 4, line 1, column 1");
    CHECK_TEXT(text_as("a.ipynb",
                       "{\"worksheets\": [{\"cells\": [{\"cell_type\": \"heading\", \"level\": 2, \"source\": "
                       "[\"x\"]}, {\"cell_type\": \"code\", \"input\": [\"y\"]}]}], \"nbformat\": 3}"),
               "## x\n\n~~~python\ny\n~~~\n\n");
    CHECK_TEXT(text_as("a.ipynb", "{\"nbformat\": 4}"), "a.ipynb: a notebook has cells, and this has none");
    CHECK(strstr(text_as("a.ipynb", "2 + 2 = 4"), "a.ipynb: byte 0: "));
    CHECK(strstr(text_as("a.ipynb", "{\"cells\": [{\"source\": [\"a\"}]}"), "a.ipynb: byte "));
}

static void test_marks(void)
{
    CHECK_TEXT(claims_of("a", "2 + 2 = 5 <!-- reckon: ignore -->\n2 + 2 = 6\n"), "2 wrong");
    CHECK_TEXT(claims_of("a", "<!-- reckon: ignore -->\n\n2 + 2 = 5\n2 + 2 = 6\n"), "4 wrong");
    CHECK_TEXT(claims_of("a", "2 + 2 = 5 % reckon: ignore\n2 + 2 = 6 # reckon: ignore\n"), "");
    CHECK_TEXT(claims_of("a", "# reckon: ignore\n2 + 2 = 5\n"), "");
    CHECK_TEXT(claims_of("a", "2 + 2 = 5. reckon: ignore\n"), "1 wrong");
    CHECK_TEXT(claims_of("a", "% reckon: let T = 1024\n\n2T = 2,048\n2T = 2,049\n"), "3 right, 4 doubtful");
    CHECK_TEXT(claims_of("a", "2T = 2,049\n"), "1 doubtful");
    /* A row that is ignored is still one of the rows. */
    CHECK_TEXT(claims_of("a", "- a: 1,000 <!-- reckon: ignore -->\n- b: 2,000\n- total: 3,000\n"), "3 right");
    CHECK_TEXT(claims_of("a.html", "<!-- reckon: ignore -->\n<p>2 + 2 = 5</p>\n<p>2 + 2 = 6</p>"), "3 wrong");
    CHECK_TEXT(claims_of("a.html", "<p>2 + 2 = 5 <!-- reckon: ignore --></p>\n<p>2 + 2 = 6</p>"), "2 wrong");
    /* A mark on a line of its own does not end the formula that it stands in. */
    CHECK_TEXT(text_as("a", "a +\n<!-- reckon: ignore -->\nb"), "a +                        \nb");
}

static void test_pages(void)
{
    CHECK_TEXT(text_as("a", "of para-\n  meters in\n\fnext self-\nattention"),
               "of parameters\n    in\n next self-attention\n");
    CHECK_TEXT(text_as("a", "of para-\nmeters"), "of para-\nmeters"); /* no page: it may be meant */
    CHECK_TEXT(claims_of("a", "2 + 2 = 5\n\f2 + 2 = 4\n"), "1 wrong, 2 right");
}

/* What a program printed, in one string of Typst: its lines are lines, at the place of the string. */
static void test_raw(void)
{
    CHECK_TEXT(claims_of("a.typ", "So it is:\n\n#raw(\"a: 3,352,087,756,800\\n|- b: 1,328,755,507,200\\n"
                                  "|- c: 2,023,332,249,600\\n\", block: true)\n\n2 + 2 = 5\n"),
               "3 right, 3 right, 5 wrong");
    CHECK_TEXT(claims_of("a.typ", "#raw(\"2 + 2 = 5\\n"), "");
    CHECK_TEXT(claims_of("a.typ", "#raw(\"a \\\"b\\\" 2 + 2 = 4\\n3 + 3 = 7\\n\")\n"), "1 right, 1 wrong");
}

static void test_bytes(void)
{
    rk_prose p;
    rk_err err;

    CHECK(read_as("a", "a\0b", 3, &p, &err) == RK_EINPUT && strstr(err.message, "byte 2 is 0"));
    CHECK(read_as("a", "\xff\xfe\x31\x00", 4, &p, &err) == RK_EINPUT && strstr(err.message, "UTF-16"));
    CHECK_TEXT(text_as("a", "\xEF\xBB\xBF"
                            "a"),
               "a");
    CHECK(rk_prose_is_pdf("%PDF-1.7", 8) && !rk_prose_is_pdf("%PD", 3));
}

/* Much of what never ends, which must not take long either. */
static void test_harm(void)
{
    static const char *const harm[] = {
        "<a ",         "<a \"",    "<!--",  "<sup>",    "<math>",      "<span class=katex-html>",
        "<table><td>", "<ul><li>", "<pre>", "<script>", "&#99999999;", "<svg><title>"};
    enum {
        BYTES = 1 << 20
    };

    for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
        rk_str s = {0};
        rk_prose p;
        rk_arena own = {0};
        int code;

        while (s.n < BYTES)
            rk_str_put(&s, harm[i]);
        code = rk_prose_read(t_lexicon(), &own, "a.html", s.text, s.n, &p, NULL);
        CHECK(code == RK_OK || code == RK_ELIMIT);
        rk_arena_free(&own);
        rk_str_free(&s);
    }
}

int main(void)
{
    test_html();
    test_formulas();
    test_places();
    test_notebooks();
    test_marks();
    test_pages();
    test_raw();
    test_bytes();
    test_harm();
    rk_arena_free(&arena);
    return t_done("prose");
}
