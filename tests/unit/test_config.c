/* SPDX-License-Identifier: MIT */
#include "base/str.h"
#include "read/doc.h"
#include "t.h"

#include <math.h>
#include <stdlib.h>

static rk_arena arena;
static rk_err err;

static rk_doc *parse_bytes(const char *text, size_t n)
{
    rk_doc *doc = NULL;
    int rc = rk_config_parse(&arena, "c.json", text, n, &doc, &err);

    CHECK(rc == RK_OK ? doc != NULL : doc == NULL);
    if (rc == RK_OK)
        err.message[0] = '\0';
    return doc;
}

static rk_doc *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static const rk_doc *key(const rk_doc *d, const char *name)
{
    static const rk_doc nothing;
    const rk_doc *found = rk_doc_key(d, name, strlen(name));

    CHECK(found != NULL);
    return found != NULL ? found : &nothing;
}

static void check_message(const char *text, const char *want)
{
    CHECK(parse(text) == NULL);
    CHECK_TEXT(err.message, want);
    CHECK(err.code == RK_EINPUT);
}

static void test_kinds(void)
{
    const rk_doc *d =
        parse("{\n  \"hidden_size\": 4096,\n  \"eps\": 1e-05, \"tied\": false, \"on\": true,\n"
              "  \"name\": \"a\\u00e9\\n\",\n  \"list\": [1, [], {}, null],\n  \"minus\": -7, \"one\": 1.0\n}\n");

    CHECK_TEXT(err.message, "");
    CHECK_INT(d->kind, RK_DOC_MAP);
    CHECK_INT(d->n, 8);
    CHECK_INT(d->line, 1);
    CHECK_INT(key(d, "hidden_size")->kind, RK_DOC_INT);
    CHECK_INT(key(d, "hidden_size")->number, 4096);
    CHECK_INT(key(d, "hidden_size")->line, 2);
    CHECK_INT(key(d, "eps")->kind, RK_DOC_REAL);
    CHECK(key(d, "eps")->real == 1e-05);
    CHECK_INT(key(d, "tied")->kind, RK_DOC_BOOL);
    CHECK(!key(d, "tied")->truth);
    CHECK(key(d, "on")->truth);
    CHECK_INT(key(d, "on")->line, 3);
    CHECK_TEXT(key(d, "name")->text, "a\xc3\xa9\n");
    CHECK_INT(key(d, "minus")->number, -7);
    /* 1.0 is a real, as the file says, and not the whole number 1. */
    CHECK_INT(key(d, "one")->kind, RK_DOC_REAL);
    CHECK(key(d, "one")->real == 1.0);

    const rk_doc *list = key(d, "list");
    CHECK_INT(list->kind, RK_DOC_LIST);
    CHECK_INT(list->line, 5);
    CHECK_INT(list->n, 4);
    CHECK_INT(list->item[1].kind, RK_DOC_LIST);
    CHECK_INT(list->item[1].n, 0);
    CHECK_INT(list->item[2].kind, RK_DOC_MAP);
    CHECK_INT(list->item[3].kind, RK_DOC_NULL);

    /* A value that is no map is a document too. */
    CHECK_INT(parse("[]")->kind, RK_DOC_LIST);
    CHECK_INT(parse(" 12 ")->number, 12);
    CHECK_INT(parse("null")->kind, RK_DOC_NULL);
}

static void test_lines(void)
{
    const rk_doc *d = parse("[1,\n2, {\"a\"\n:\n3, \"b\": \"]:,\\\"\"}\n,\n\n[\n4]]");

    CHECK_INT(d->item[0].line, 1);
    CHECK_INT(d->item[1].line, 2);
    CHECK_INT(d->item[2].line, 2);
    CHECK_INT(key(&d->item[2], "a")->line, 4);
    CHECK_INT(key(&d->item[2], "b")->line, 4);
    CHECK_TEXT(key(&d->item[2], "b")->text, "]:,\"");
    CHECK_INT(d->item[3].line, 7);
    CHECK_INT(d->item[3].item[0].line, 8);
}

static void test_order_and_lookup(void)
{
    const rk_doc *d = parse("{\"zz\": 1, \"a\": 2, \"m\": 3, \"ab\": 4, \"\": 5}");

    CHECK_TEXT(d->key[0], "zz");
    CHECK_TEXT(d->key[1], "a");
    CHECK_TEXT(d->key[2], "m");
    CHECK_TEXT(d->key[3], "ab");
    CHECK_INT(key(d, "a")->number, 2);
    CHECK_INT(key(d, "")->number, 5);
    CHECK_INT(rk_doc_key(d, "abc", 2)->number, 4);
    CHECK(rk_doc_key(d, "abc", 3) == NULL);
    CHECK(rk_doc_key(d, "z", 1) == NULL);
    CHECK(rk_doc_key(NULL, "a", 1) == NULL);
    CHECK(rk_doc_key(&d->item[0], "a", 1) == NULL);
}

static void test_non_finite(void)
{
    const rk_doc *d = parse("{\"a\": NaN, \"b\": Infinity, \"c\": -Infinity, \"d\": \"NaN\", \"NaN\": \"-Infinity\","
                            "\"e\": [Infinity,NaN], \"f\": 0.0, \"g\": \"\\\"Infinity\"}");

    CHECK_TEXT(err.message, "");
    CHECK_INT(key(d, "a")->kind, RK_DOC_REAL);
    CHECK(isnan(key(d, "a")->real));
    CHECK(key(d, "b")->real == (double)INFINITY);
    CHECK(key(d, "c")->real == -(double)INFINITY);
    CHECK_TEXT(key(d, "d")->text, "NaN");
    CHECK_TEXT(key(d, "NaN")->text, "-Infinity");
    CHECK(key(d, "e")->item[0].real == (double)INFINITY);
    CHECK(isnan(key(d, "e")->item[1].real));
    CHECK(key(d, "f")->real == 0.0);
    CHECK_TEXT(key(d, "g")->text, "\"Infinity");
    CHECK(isnan(parse("NaN")->real));

    /* Only the exact words, alone. */
    check_message("[1NaN]", "c.json:1:2: a number expected near '1NaN'");
    check_message("[-NaN]", "c.json:1:2: a number expected near '-NaN'");
    check_message("[nan]", "c.json:1:2: a value expected near 'nan'; write NaN");
    check_message("[1 NaN]", "c.json:1:4: ',' or ']' expected near 'NaN'");
    check_message("{Infinity: 1}", "c.json:1:2: a key in double quotes expected near 'Infinity'");
}

static void test_large_numbers(void)
{
    const rk_doc *d = parse("[9223372036854775807, -9223372036854775808, 18446744073709551616,"
                            "-170141183460469231731687303715884105727, 123456789012345678.5, 1234567890123456789e3]");

    CHECK_TEXT(err.message, "");
    CHECK_INT(d->item[0].number, INT64_MAX);
    CHECK_INT(d->item[1].number, INT64_MIN);
    CHECK_INT(d->item[2].kind, RK_DOC_INT);
    CHECK_INT(d->item[2].number, (rk_i128)UINT64_MAX + 1);
    CHECK_INT(d->item[3].number, -RK_I128_MAX);
    CHECK(d->item[4].real == 123456789012345678.5);
    CHECK(d->item[5].real == 1234567890123456789e3);

    CHECK(parse("[1,\n 170141183460469231731687303715884105728]") == NULL);
    CHECK_TEXT(err.message, "c.json:2:2: a whole number beyond 128 bits");
    CHECK_INT(err.code, RK_EOVERFLOW);
    check_message("[1e999]", "c.json:1:2: '1e999' is beyond 1.8e308, the largest real number");
    check_message("[00000000000000000000001]", "c.json:1:2: a number expected near '00000000000000000000001'");
}

/* As strtod reads them where the point is a point, rounded to the nearest. */
static void test_reals(void)
{
    static const char *const text[] = {"0.1",
                                       "-0.0",
                                       "0e999999999999999999999",
                                       "1e-999999999999999999999",
                                       "4.9406564584124654e-324",
                                       "2.4703282292062327e-324",
                                       "2.2250738585072011e-308",
                                       "1.7976931348623157e308",
                                       "9007199254740993.0",
                                       "9007199254740992.99999999999999999999999999999999999999",
                                       "5e-1",
                                       "123.456E+2",
                                       "0.000000000000000000001e21"};
    rk_str s = {0};

    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        double want = strtod(text[i], NULL), got = parse(text[i])->real;

        CHECK(memcmp(&want, &got, sizeof want) == 0);
    }

    /* Half-way between two numbers; then, after 900 zeros, a bit more. */
    rk_str_put(&s, "9007199254740993.");
    rk_str_fill(&s, '0', 900);
    CHECK(parse(rk_str_text(&s))->real == 9007199254740992.0);
    rk_str_putc(&s, '1');
    CHECK(parse(rk_str_text(&s))->real == 9007199254740994.0);
    /* Zeros that the exponent takes back. */
    rk_str_reset(&s);
    rk_str_put(&s, "0.");
    rk_str_fill(&s, '0', 99999);
    rk_str_put(&s, "25e100000");
    CHECK(parse(rk_str_text(&s))->real == 2.5);
    rk_str_reset(&s);
    rk_str_put(&s, "[-25");
    rk_str_fill(&s, '0', 99999);
    rk_str_put(&s, "e-100000]");
    CHECK(parse(rk_str_text(&s))->item[0].real == -2.5);
    rk_str_free(&s);
}

/* As many keys as are looked up by sorting, and which of several stands twice. */
static void test_many_keys(void)
{
    rk_str s = {0};

    for (int i = 0; i < 1000; i++)
        rk_str_format(&s, "%s\"k%d\": %d", i == 0 ? "{" : ",\n", i, i);
    size_t n = s.n;
    rk_str_putc(&s, '}');
    const rk_doc *d = parse(rk_str_text(&s));
    for (int i = 0; i < 1000; i++)
        CHECK_INT(key(d, d->key[i])->number, i);
    CHECK(rk_doc_key(d, "k1000", 5) == NULL);
    CHECK_INT(rk_doc_key(d, "k1000", 4)->number, 100);
    s.n = n;
    rk_str_put(&s, ",\n\"k7\": 0, \"k3\": 0, \"k7\": 0}");
    check_message(rk_str_text(&s), "c.json:1001:1: the key 'k7' stands twice, first in line 8");
    rk_str_free(&s);
}

static void test_syntax(void)
{
    check_message("", "c.json: is empty");
    check_message("{\"a\": 1", "c.json:1:8: ',' or '}' expected at the end of the text");
    check_message("{\n  \"é\": 1,\n  \"é\": 2}", "c.json:3:3: the key 'é' stands twice, first in line 2");
    check_message("{\"é\" 1}", "c.json:1:6: ':' expected near '1'");
    check_message("[1, 2,]", "c.json:1:6: a ',' before ']'; the last value has none after it");
    check_message("{\"a\": 1, }", "c.json:1:8: a ',' before '}'; the last value has none after it");
    check_message("{\"a\": [1, 2}", "c.json:1:12: ',' or ']' expected near '}'");
    check_message("[", "c.json:1:2: a value expected at the end of the text");
    check_message("[,", "c.json:1:2: a value expected near ','");
    check_message("[1,", "c.json:1:4: a value expected at the end of the text");
    check_message("[[1],]", "c.json:1:5: a ',' before ']'; the last value has none after it");
    check_message("{\"a\":", "c.json:1:6: a value expected at the end of the text");
    check_message("{\"a\":1,", "c.json:1:8: a key in double quotes expected at the end of the text");
    check_message("[.5]", "c.json:1:2: a number expected near '.5'");
    check_message("{\n\"a\": True}", "c.json:2:6: a value expected near 'True'; JSON writes true");
    check_message("['a']", "c.json:1:2: a value expected near '\''; strings stand in double quotes");
    check_message("[1, // one\n 2]", "c.json:1:5: a value expected near '/'; JSON has no comments");
    check_message("[1] x", "c.json:1:5: the end expected near 'x'");
    check_message("[\"ab\ncd\"]", "c.json:1:2: a string without its closing quote near '\"ab'");
    check_message("[\"\\", "c.json:1:3: '\\' is no escape of JSON; write \\\\ for a backslash");
    check_message("[\"\\ud83dx\"]", "c.json:1:3: '\\ud83d' is half of a surrogate pair");
    check_message("[\"\t\"]", "c.json:1:3: a control character in a string; write \\u0009");
    /* The string is shown as it stands, whatever was read of it. */
    check_message("[\"\\u00e9\\n", "c.json:1:2: a string without its closing quote near '\"\\u00e9\\n'");
    check_message("[\"a\\u0000\"]", "c.json:1:4: '\\u0000' is refused: no name has a NUL");
    /* What a hostile file puts on a terminal is made visible. */
    check_message("[\x1b[31m]", "c.json:1:2: a value expected near '\\x1b'");
    check_message("[ééééééééééééééééééééééééééééé]", "c.json:1:2: a value expected near 'éééééééééééééééééééé…'");
    CHECK(rk_config_parse(&arena, "c.json", "[", 1, &(rk_doc *){NULL}, NULL) == RK_EINPUT);
}

static void test_bytes(void)
{
    CHECK(parse_bytes("{\"a\":\n\"\0\"}", 10) == NULL);
    CHECK_TEXT(err.message, "c.json:2:2: a NUL byte in a string");
    check_message("[\"é\xff\"]", "c.json:1:4: invalid UTF-8");
    check_message("[\"\xc0\x80\"]", "c.json:1:3: invalid UTF-8");         /* overlong */
    check_message("[\"\xe0\x80\x80\"]", "c.json:1:3: invalid UTF-8");     /* overlong */
    check_message("[\"\xed\xa0\x80\"]", "c.json:1:3: invalid UTF-8");     /* a surrogate */
    check_message("[\"\xf4\x90\x80\x80\"]", "c.json:1:3: invalid UTF-8"); /* beyond U+10FFFF */
    check_message("[\"\xe2\x82", "c.json:1:3: invalid UTF-8");            /* cut */
    CHECK_TEXT(parse("[\"\xf4\x8f\xbf\xbf\xed\x9f\xbf\"]")->item[0].text, "\xf4\x8f\xbf\xbf\xed\x9f\xbf");

    CHECK_INT(parse("\xef\xbb\xbf{\"a\": 1}")->n, 1);
    check_message("\xef\xbb\xbf[x]", "c.json:1:2: a value expected near 'x'");
    CHECK(parse("\xef\xbb\xbf") == NULL);
}

/* `depth` opening brackets, with a closing one each when `closed`. */
static char *nested(size_t depth, bool closed)
{
    char *text = calloc(2 * depth + 1, 1);

    memset(text, '[', depth);
    if (closed)
        memset(text + depth, ']', depth);
    return text;
}

static void test_limits(void)
{
    char *text = nested(RK_DOC_DEPTH_MAX, true);
    CHECK(parse(text) != NULL);
    free(text);

    text = nested(RK_DOC_DEPTH_MAX + 1, true);
    CHECK(parse(text) == NULL);
    CHECK_TEXT(err.message, "c.json:1:129: nesting over 128");
    CHECK_INT(err.code, RK_ELIMIT);
    free(text);

    text = nested(1000000, false);
    CHECK(parse(text) == NULL);
    CHECK_INT(err.code, RK_ELIMIT);
    free(text);

    /* Brackets in strings, and many side by side, nest nothing. */
    text = nested(2 * RK_DOC_DEPTH_MAX, false);
    text[0] = '"';
    text[2 * RK_DOC_DEPTH_MAX - 1] = '"';
    CHECK(parse(text) != NULL);
    free(text);
    CHECK_INT(parse("[[],[],[],{},[[]],[]]")->n, 6);

    /* A list is a value, too. */
    text = calloc(2 * RK_DOC_VALUES_MAX + 4, 1);
    text[0] = '[';
    for (size_t i = 1; i < RK_DOC_VALUES_MAX; i++)
        memcpy(text + 2 * i - 1, "1,", 2);
    text[2 * RK_DOC_VALUES_MAX - 2] = ']';
    CHECK_INT(parse(text)->n, RK_DOC_VALUES_MAX - 1);
    memcpy(text + 2 * RK_DOC_VALUES_MAX - 2, ",1]", 4);
    CHECK(parse(text) == NULL);
    CHECK_TEXT(err.message, "c.json:1:2097152: more than 1048576 keys and values: this is no config");
    CHECK_INT(err.code, RK_ELIMIT);
    free(text);

    /* Refused before a byte is looked at. */
    CHECK_INT(rk_config_parse(&arena, "c.json", "", RK_CONFIG_BYTES_MAX + 1, &(rk_doc *){NULL}, &err), RK_ELIMIT);
    CHECK_TEXT(err.message, "c.json: too large (67108865 bytes, the limit is 67108864)");
}

/* Each allocation fails in turn: an error, no crash, nothing leaked. */
static void test_memory(void)
{
    rk_str s = {0};
    rk_doc *doc = NULL;
    int rc = RK_ENOMEM;
    long n = 0;

    rk_str_put(&s, "{\"a\": [1, 2.5, NaN, true, null, \"text\"], \"b\": {\"c\": [[[]]], \"d\": {}, \"e\": \"\"}");
    for (int i = 0; i < 1000; i++)
        rk_str_format(&s, ", \"key %d\": [%d]", i, i);
    rk_str_putc(&s, '}');
    for (; n < 10000 && rc != RK_OK; n++) {
        rk_arena small = {0};

        rk_heap_fail_after(n);
        rc = rk_config_parse(&small, "c.json", s.text, s.n, &doc, &err);
        rk_heap_fail_after(-1);
        if (rc != RK_OK) {
            CHECK(doc == NULL);
            CHECK_INT(rc, RK_ENOMEM);
        } else {
            CHECK_INT(doc->n, 1002);
        }
        rk_arena_free(&small);
    }
    CHECK_INT(rc, RK_OK);
    CHECK(n > 3);
    rk_str_free(&s);
}

int main(void)
{
    test_kinds();
    test_lines();
    test_order_and_lookup();
    test_non_finite();
    test_large_numbers();
    test_reals();
    test_many_keys();
    test_syntax();
    test_bytes();
    test_limits();
    test_memory();
    rk_arena_free(&arena);
    return t_done("config");
}
