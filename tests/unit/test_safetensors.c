/* SPDX-License-Identifier: MIT */
#include "read/dump.h"

#include <math.h>
#include <stdint.h>

static rk_arena arena;
static rk_err err;

/* ---- headers in memory ------------------------------------------------------------------------------------------ */

/* A file with this header and so many bytes of data, which are not there: only their number counts. */
static rk_store *parse_bytes(const char *header, size_t n, uint64_t data)
{
    char *bytes = malloc(n + 8);
    rk_store *s = NULL;

    for (size_t i = 0; i < 8; i++)
        bytes[i] = (char)(n >> 8 * i);
    memcpy(bytes + 8, header, n);
    int rc = rk_safetensors_parse(&arena, "m", bytes, n + 8, n + 8 + data, &s, &err);
    CHECK(rc == RK_OK ? s != NULL : s == NULL && rc == err.code);
    if (rc == RK_OK) {
        err = (rk_err){0};
        check_store(s);
    }
    free(bytes);
    return s;
}

static rk_store *parse(const char *header, uint64_t data)
{
    return parse_bytes(header, strlen(header), data);
}

static void check_broken(const char *header, uint64_t data, int code, const char *message)
{
    CHECK(parse(header, data) == NULL);
    CHECK_TEXT(err.message, message);
    CHECK_INT(err.code, code);
}

#define A(dtype, shape, offsets) "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define E "{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}"

static void test_header(void)
{
    const rk_store *s =
        parse("{\"a\": {\"shape\":[2,3] ,\"data_offsets\" : [0, 24],\n\"dtype\":\"F32\"},\r\t"
              "\"\\u00e9\\ud83d\\ude00\\/\":{\"dtype\":\"F4\",\"shape\":[2,1],\"data_offsets\":[24,25]}}   ",
              25);

    if (!CHECK(s != NULL))
        return;
    CHECK_INT(s->n_tensor, 2);
    CHECK_INT(s->bytes, 25);
    CHECK_INT(s->tensor[0].dtype, RK_DTYPE_F32);
    CHECK_INT(s->tensor[0].rank, 2);
    CHECK_INT(s->tensor[0].shape[1], 3);
    CHECK_INT(s->tensor[0].count, 6);
    CHECK_INT(s->tensor[0].bytes, 24);
    CHECK_INT(s->tensor[0].at, 9);
    CHECK_INT(s->tensor[1].offset, s->tensor[0].offset + 24);
    CHECK_TEXT(s->tensor[1].name, "é😀/");
    CHECK(rk_store_find(s, "é😀/x", strlen("é😀/")) == &s->tensor[1]);
    CHECK(rk_store_find(s, "a", 0) == NULL);
    CHECK(rk_store_find(s, "ab", 2) == NULL);
    CHECK_INT(s->metadata->n, 0);
    CHECK_INT(s->n_file, 1);
    CHECK_TEXT(s->file[0].path, "m");

    CHECK_INT(parse("{}", 0)->n_tensor, 0);
    CHECK_INT(parse(A("F32", "[]", "[0,4]"), 4)->tensor[0].count, 1);
    CHECK_INT(parse(A("F32", "[3,0]", "[0,0]"), 0)->tensor[0].count, 0);
    CHECK_INT(parse(A("BOOL", "[18446744073709551615,0]", "[0,0]"), 0)->tensor[0].count, 0);
    CHECK_INT(parse(A("F6_E2M3", "[2,2]", "[0,3]"), 3)->tensor[0].bytes, 3);
    CHECK_TEXT(parse("{\"__metadata__\":{\"a\":\"b\",\"c\":\"\"}}", 0)->metadata->item[0].text, "b");
}

/* Tensors may stand in any order, and empty ones between others. */
static void test_order(void)
{
    const rk_store *s = parse("{\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]},\"a\":" E
                              ",\"e\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[4,4]}}",
                              8);

    CHECK(s != NULL && s->n_tensor == 3 && strcmp(s->tensor[0].name, "b") == 0);
}

static void test_length(void)
{
    const char zero[16] = {0}, large[16] = {1, (char)0xe1, (char)0xf5, 5};
    rk_store *s = NULL;

    for (size_t n = 0; n < 8; n++)
        CHECK_INT(rk_safetensors_parse(&arena, "m", zero, n, n, &s, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "m: byte 0: the file ends at 7, before the length of its header");
    CHECK_INT(rk_safetensors_parse(&arena, "m", zero, 8, 8, &s, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "m: byte 8: a header begins with '{'");
    CHECK_INT(rk_safetensors_parse(&arena, "m", large, 16, 16, &s, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "m: byte 0: a header of 100000001 bytes, in a file of 16");
    CHECK_INT(rk_safetensors_parse(&arena, "m", large, 16, (uint64_t)1 << 40, &s, &err), RK_ELIMIT);
    CHECK_TEXT(err.message, "m: byte 0: a header of 100000001 bytes, the limit is 100000000");
    CHECK_INT(rk_safetensors_parse(&arena, "m", "\x09\0\0\0\0\0\0\0{}", 10, 100, &s, &err), RK_EINPUT);
    CHECK_TEXT(err.message, "m: byte 8: 9 bytes are needed, only the first 10 are given");
    CHECK_INT(rk_safetensors_parse(&arena, "m", zero, 8, 8, &s, NULL), RK_EINPUT);
    CHECK(s == NULL);
}

/* ---- what is wrong with a header -------------------------------------------------------------------------------- */

static const struct {
    const char *header;
    uint64_t data;
    int code;
    const char *message;
} broken[] = {
    /* JSON */
    {"[]", 0, RK_EINPUT, "m: byte 8: a header begins with '{'"},
    {" {}", 0, RK_EINPUT, "m: byte 8: a header begins with '{'"},
    {"{", 0, RK_EINPUT, "m: byte 9: a key in double quotes expected at the end of the text"},
    {"{} x", 0, RK_EINPUT, "m: byte 11: the end expected near 'x'"},
    {"{,}", 0, RK_EINPUT, "m: byte 9: a key in double quotes expected near ','"},
    {"{\"a\"", 0, RK_EINPUT, "m: byte 12: ':' expected at the end of the text"},
    {"{\"a\" 1}", 0, RK_EINPUT, "m: byte 13: ':' expected near '1'"},
    {"{\"a\":1}", 0, RK_EINPUT, "m: byte 13: '{' expected near '1'"},
    {"{\"a\":" E ",}", 4, RK_EINPUT, "m: byte 60: a ',' before '}'; the last value has none after it"},
    {"{\"a\":" E " \"b\"", 4, RK_EINPUT, "m: byte 61: ',' or '}' expected near '\"b\"'"},
    {"{\"a", 0, RK_EINPUT, "m: byte 9: a string without its closing quote near '\"a'"},
    {"{\"a\x1b[31m\":1}", 0, RK_EINPUT, "m: byte 11: a control character in a string; write \\u001b"},
    {"{\"\xff\":1}", 0, RK_EINPUT, "m: byte 10: invalid UTF-8"},
    {"{\"\xc3", 0, RK_EINPUT, "m: byte 10: invalid UTF-8"},
    {"{\"\\x\":1}", 0, RK_EINPUT, "m: byte 10: '\\x' is no escape of JSON; write \\\\ for a backslash"},
    {"{\"\\", 0, RK_EINPUT, "m: byte 10: '\\' is no escape of JSON; write \\\\ for a backslash"},
    {"{\"\\u00e\":1}", 0, RK_EINPUT, "m: byte 10: '\\u' without its four hexadecimal digits"},
    {"{\"\\u0000\":1}", 0, RK_EINPUT, "m: byte 10: '\\u0000' is refused: no name has a NUL"},
    {"{\"\\ud83d\":1}", 0, RK_EINPUT, "m: byte 10: '\\ud83d' is half of a surrogate pair"},
    {"{\"\\ude00\":1}", 0, RK_EINPUT, "m: byte 10: '\\ude00' is half of a surrogate pair"},
    {"{\"\\ud83d\\u0041\":1}", 0, RK_EINPUT, "m: byte 10: '\\ud83d' is half of a surrogate pair"},
    /* an entry */
    {"{\"a\":{}}", 0, RK_EINPUT, "m: byte 9: tensor 'a' has no dtype"},
    {"{\"a\":{\"dtype\":\"U8\"}}", 0, RK_EINPUT, "m: byte 9: tensor 'a' has no shape"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[]}}", 0, RK_EINPUT, "m: byte 9: tensor 'a' has no data_offsets"},
    {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0, RK_EINPUT, "m: byte 27: the key 'dtype' stands twice"},
    {"{\"a\":{\"strides\":[]}}", 0, RK_EINPUT,
     "m: byte 14: 'strides' is no key of a tensor (dtype, shape, data_offsets)"},
    {A("Q4_0", "[32]", "[0,18]"), 18, RK_EINPUT, "m: byte 22: tensor 'a': the format 'Q4_0' is unknown"},
    {A("f32", "[1]", "[0,4]"), 4, RK_EINPUT, "m: byte 22: tensor 'a': the format 'f32' is unknown"},
    {"{\"a\":{\"dtype\":1}}", 0, RK_EINPUT, "m: byte 22: a string expected near '1'"},
    {A("U8", "4", "[0,4]"), 4, RK_EINPUT, "m: byte 35: '[' expected near '4'"},
    {A("U8", "[-4]", "[0,4]"), 4, RK_EINPUT, "m: byte 36: a whole number expected near '-4'"},
    {A("U8", "[4.0]", "[0,4]"), 4, RK_EINPUT, "m: byte 36: a whole number expected near '4.0'"},
    {A("U8", "[4e0]", "[0,4]"), 4, RK_EINPUT, "m: byte 36: a whole number expected near '4e0'"},
    {A("U8", "[04]", "[0,4]"), 4, RK_EINPUT, "m: byte 36: a whole number expected near '04'"},
    {A("U8", "[null]", "[0,4]"), 4, RK_EINPUT, "m: byte 36: a whole number expected near 'null'"},
    {A("U8", "[2 2]", "[0,4]"), 4, RK_EINPUT, "m: byte 38: ',' or ']' expected near '2'"},
    {A("U8", "[18446744073709551616]", "[0,0]"), 0, RK_EOVERFLOW, "m: byte 36: a number beyond 64 bits"},
    {A("U8", "[4294967296,4294967296]", "[0,0]"), 0, RK_EOVERFLOW,
     "m: byte 9: tensor 'a': the product of its dimensions is beyond 64 bits"},
    {A("F64", "[4294967296,4294967295]", "[0,0]"), 0, RK_EOVERFLOW,
     "m: byte 9: tensor 'a': its size in bytes is beyond 64 bits"},
    {A("F4", "[3]", "[0,2]"), 2, RK_EINPUT, "m: byte 9: tensor 'a': 3 elements are no whole blocks of F4 (2)"},
    {A("U8", "[4]", "[0]"), 4, RK_EINPUT, "m: byte 54: data_offsets are two numbers"},
    {A("U8", "[4]", "[0,4,8]"), 4, RK_EINPUT, "m: byte 54: data_offsets are two numbers"},
    {A("U8", "[4]", "[]"), 4, RK_EINPUT, "m: byte 54: data_offsets are two numbers"},
    /* spans */
    {A("U8", "[4]", "[4,0]"), 4, RK_EINPUT, "m: byte 9: tensor 'a': data_offsets go back, from 4 to 0"},
    {A("F32", "[4,4]", "[0,60]"), 60, RK_EINPUT,
     "m: byte 9: tensor 'a': shape times F32 is 64 bytes, data_offsets are 60 apart"},
    {A("U8", "[4]", "[0,4]"), 3, RK_EINPUT, "m: byte 9: tensor 'a': data_offsets end at 4, the data has 3 bytes"},
    {A("U8", "[4]", "[18446744073709551611,18446744073709551615]"), 4, RK_EINPUT,
     "m: byte 9: tensor 'a': data_offsets end at 18446744073709551615, the data has 4 bytes"},
    {A("U8", "[4]", "[0,4]"), 5, RK_EINPUT, "m: byte 65: the tensors end here, the file at 66"},
    {"{}", 1, RK_EINPUT, "m: byte 10: the tensors end here, the file at 11"},
    {A("U8", "[4]", "[1,5]"), 5, RK_EINPUT,
     "m: byte 9: tensor 'a': its bytes begin at 62, and a gap is before them, from byte 61"},
    {"{\"a\":" E ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[3,7]}}", 7, RK_EINPUT,
     "m: byte 61: tensor 'b': its bytes begin at 116, within those of another tensor that end at 117"},
    {"{\"a\":" E ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[5,9]}}", 9, RK_EINPUT,
     "m: byte 61: tensor 'b': its bytes begin at 118, and a gap is before them, from byte 117"},
    {"{\"a\":" E ",\"b\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[2,2]}}", 4, RK_EINPUT,
     "m: byte 61: tensor 'b': its bytes begin at 115, within those of another tensor that end at 117"},
    /* names and metadata */
    {"{\"a\":" E ",\"\\u0061\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}", 8, RK_EINPUT,
     "m: byte 61: tensor 'a' stands already in m at byte 9"},
    {"{\"__metadata__\":[]}", 0, RK_EINPUT, "m: byte 24: '{' expected near '['"},
    {"{\"__metadata__\":{\"a\":1}}", 0, RK_EINPUT, "m: byte 29: a string expected near '1'"},
    {"{\"__metadata__\":{\"a\":\"\",\"b\":\"\",\"a\":\"\"}}", 0, RK_EINPUT,
     "m: byte 39: the key 'a' stands already at byte 25"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, RK_EINPUT, "m: byte 27: the key '__metadata__' stands twice"},
};

static void test_broken(void)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        check_broken(broken[i].header, broken[i].data, broken[i].code, broken[i].message);
    CHECK(parse_bytes("{\"a\0b\":1}", 9, 0) == NULL);
    CHECK_TEXT(err.message, "m: byte 11: a NUL byte in a string");
    CHECK(parse_bytes("{\"a\":\0}", 7, 0) == NULL);
    CHECK_TEXT(err.message, "m: byte 13: '{' expected near '\\x00'");
    /* What a hostile name puts on a terminal is made visible, and a long one is cut between characters. */
    check_broken("{\"\\u001b[31m\xe2\x80\xae\":{}}", 0, RK_EINPUT,
                 "m: byte 9: tensor '\\x1b[31m\\xe2\\x80\\xae' has no dtype");
    CHECK(parse("{\"xéééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé\":{}}", 0) == NULL);
    CHECK_TEXT(err.message, "m: byte 9: tensor 'xééééééééééééééééééééééééééééééééééééééééééééééééé…' has no dtype");
}

/* ---- limits ----------------------------------------------------------------------------------------------------- */

static void test_rank(void)
{
    for (size_t rank = RK_STORE_RANK_MAX; rank <= RK_STORE_RANK_MAX + 1; rank++) {
        rk_str s = {0};

        rk_str_put(&s, "{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,1],\"shape\":[1");
        for (size_t i = 1; i < rank; i++)
            rk_str_put(&s, ",1");
        rk_str_put(&s, "]}}");
        CHECK((parse(rk_str_text(&s), 1) != NULL) == (rank <= RK_STORE_RANK_MAX));
        rk_str_free(&s);
    }
    CHECK_TEXT(err.message, "m: byte 185: over 64 dimensions");
    CHECK_INT(err.code, RK_ELIMIT);
}

static void test_keys(void)
{
    for (size_t n = RK_STORE_KEYS_MAX; n <= RK_STORE_KEYS_MAX + 1; n++) {
        rk_str s = {0};

        rk_str_put(&s, "{\"__metadata__\":{\"\":\"\"");
        for (size_t i = 1; i < n; i++)
            rk_str_format(&s, ",\"%zx\":\"\"", i);
        rk_str_put(&s, "}}");
        CHECK((parse(rk_str_text(&s), 0) != NULL) == (n <= RK_STORE_KEYS_MAX));
        rk_str_free(&s);
    }
    CHECK(strstr(err.message, ": over 65536 keys of metadata") != NULL);
    CHECK_INT(err.code, RK_ELIMIT);
    rk_arena_free(&arena);
}

static int parse_index(const char *text, size_t n, rk_store **out)
{
    *out = NULL;
    return rk_safetensors_index_parse(&arena, "i", text, n, out, &err);
}

/* As many tensors as are allowed, then one more. */
static void test_many(void)
{
    rk_str s = {0};
    rk_store *store;

    rk_str_put(&s, "{\"weight_map\":{\"\":\"f\"");
    for (size_t i = 1; i < RK_STORE_TENSORS_MAX; i++)
        rk_str_format(&s, ",\"%zx\":\"f\"", i);
    size_t n = s.n;
    rk_str_put(&s, "}}");
    CHECK_INT(parse_index(s.text, s.n, &store), RK_OK);
    CHECK(store != NULL && store->n_tensor == RK_STORE_TENSORS_MAX);
    rk_arena_free(&arena);
    s.n = n;
    rk_str_put(&s, ",\"x\":\"f\"}}");
    CHECK_INT(parse_index(s.text, s.n, &store), RK_ELIMIT);
    CHECK(strstr(err.message, ": over 2000000 tensors") != NULL);
    rk_str_free(&s);
    rk_arena_free(&arena);
}

static void test_many_files(void)
{
    rk_store *store;

    for (size_t n = RK_STORE_FILES_MAX; n <= RK_STORE_FILES_MAX + 1; n++) {
        rk_str s = {0};

        rk_str_put(&s, "{\"weight_map\":{\"\":\"f\"");
        for (size_t i = 1; i < n; i++)
            rk_str_format(&s, ",\"%zx\":\"f%zx\"", i, i);
        rk_str_put(&s, "}}");
        CHECK_INT(parse_index(s.text, s.n, &store), n <= RK_STORE_FILES_MAX ? RK_OK : RK_ELIMIT);
        rk_str_free(&s);
    }
    CHECK(strstr(err.message, ": over 10000 files") != NULL);
    rk_arena_free(&arena);
}

/* ---- an index --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    int code;
    const char *message;
} broken_index[] = {
    {"", RK_EINPUT, "i: byte 0: '{' expected at the end of the text"},
    {"[]", RK_EINPUT, "i: byte 0: '{' expected near '['"},
    {"{}", RK_EINPUT, "i: byte 0: an index has a weight_map; this has none"},
    {"{} {}", RK_EINPUT, "i: byte 3: the end expected near '{'"},
    {"{\"weight_map\":[]}", RK_EINPUT, "i: byte 14: '{' expected near '['"},
    {"{\"weight_map\":{\"a\":1}}", RK_EINPUT, "i: byte 19: a string expected near '1'"},
    {"{\"weight_map\":{\"a\":\"\"}}", RK_EINPUT, "i: byte 19: '' is no name of a file beside the index"},
    {"{\"weight_map\":{\"a\":\"..\"}}", RK_EINPUT, "i: byte 19: '..' is no name of a file beside the index"},
    {"{\"weight_map\":{\"a\":\"/etc/passwd\"}}", RK_EINPUT,
     "i: byte 19: '/etc/passwd' is no name of a file beside the index"},
    {"{\"weight_map\":{\"a\":\"x/../../y\"}}", RK_EINPUT,
     "i: byte 19: 'x/../../y' is no name of a file beside the index"},
    {"{\"weight_map\":{\"a\":\"\\u001b[2J\"}}", RK_EINPUT,
     "i: byte 19: '\\x1b[2J' is no name of a file beside the index"},
    {"{\"weight_map\":{\"a\":\"f\",\"b\":\"f\",\"a\":\"g\"}}", RK_EINPUT,
     "i: byte 31: tensor 'a' stands already in i at byte 15"},
    {"{\"weight_map\":{},\"weight_map\":{}}", RK_EINPUT, "i: byte 17: the key 'weight_map' stands twice"},
    {"{\"metadata\":{},\"metadata\":{}}", RK_EINPUT, "i: byte 15: the key 'metadata' stands twice"},
    {"{\"metadata\":7,\"weight_map\":{}}", RK_EINPUT, "i: byte 12: metadata is no object"},
    {"{\"metadata\":{\"a\":1,\"a\":2},\"weight_map\":{}}", RK_EINPUT,
     "i: byte 12: metadata:1:8: the key 'a' stands twice, first in line 1"},
    {"{\"metadata\":{\"a\":-},\"weight_map\":{}}", RK_EINPUT, "i: byte 17: a number expected near '-'"},
    {"{\"metadata\":{\"a\":1.},\"weight_map\":{}}", RK_EINPUT, "i: byte 17: a number expected near '1.'"},
    {"{\"metadata\":{\"a\":1e},\"weight_map\":{}}", RK_EINPUT, "i: byte 17: a number expected near '1e'"},
    {"{\"metadata\":{\"a\":nul},\"weight_map\":{}}", RK_EINPUT, "i: byte 17: a value expected near 'nul'"},
    {"{\"metadata\":{\"a\" 1},\"weight_map\":{}}", RK_EINPUT, "i: byte 17: ':' expected near '1'"},
    {"{\"metadata\":{1:1},\"weight_map\":{}}", RK_EINPUT, "i: byte 13: a key in double quotes expected near '1'"},
    {"{\"metadata\":{\"a\":[1,]},\"weight_map\":{}}", RK_EINPUT,
     "i: byte 19: a ',' before ']'; the last value has none after it"},
    {"{\"metadata\":{\"a\":\"\\q\"},\"weight_map\":{}}", RK_EINPUT,
     "i: byte 18: '\\q' is no escape of JSON; write \\\\ for a backslash"},
};

static void test_index(void)
{
    const char *text = "{\"other\":[{\"a\":[true,false,null,-0.5e-3,\"\\u00e9\",-Infinity]},{}],"
                       "\"metadata\": {\"total_size\": 1.5e3, \"n\": [1], \"loss\": NaN},\n"
                       "\"weight_map\":{\"b\":\"2.safetensors\",\"a\":\"1.safetensors\",\"c\":\"2.safetensors\"}}";
    rk_store *s;

    CHECK_INT(parse_index(text, strlen(text), &s), RK_OK);
    if (CHECK(s != NULL)) {
        check_store(s);
        CHECK_INT(s->n_tensor, 3);
        CHECK_INT(s->n_known, 0);
        CHECK_INT(s->n_file, 2);
        CHECK_INT(s->tensor[2].file, 0);
        CHECK_TEXT(s->file[1].path, "1.safetensors");
        CHECK_INT(s->tensor[0].dtype, RK_DTYPE_UNKNOWN);
        CHECK(rk_doc_key(s->metadata, "total_size", 10)->real == 1500.0);
        CHECK(isnan(rk_doc_key(s->metadata, "loss", 4)->real)); /* Python writes it */
    }
    for (size_t i = 0; i < sizeof broken_index / sizeof *broken_index; i++) {
        CHECK_INT(parse_index(broken_index[i].text, strlen(broken_index[i].text), &s), broken_index[i].code);
        CHECK_TEXT(err.message, broken_index[i].message);
        CHECK(s == NULL);
    }
}

static void test_index_limits(void)
{
    rk_str s = {0};
    rk_store *store;

    rk_str_put(&s, "{\"other\":");
    rk_str_fill(&s, '[', 128);
    CHECK_INT(parse_index(s.text, s.n, &store), RK_EINPUT);
    rk_str_putc(&s, '[');
    CHECK_INT(parse_index(s.text, s.n, &store), RK_ELIMIT);
    CHECK_TEXT(err.message, "i: byte 137: nesting over 128");
    rk_str_reset(&s);
    rk_str_put(&s, "{\"metadata\":{\"a\":\"");
    rk_str_fill(&s, 'x', RK_INDEX_METADATA_MAX);
    rk_str_put(&s, "\"},\"weight_map\":{}}");
    CHECK_INT(parse_index(s.text, s.n, &store), RK_ELIMIT);
    CHECK_TEXT(err.message, "i: byte 12: metadata of 1048584 bytes, the limit is 1048576");
    rk_str_reset(&s);
    rk_str_put(&s, "{\"weight_map\":{\"a\":\"");
    rk_str_fill(&s, 'x', 256);
    rk_str_put(&s, "\"}}");
    CHECK_INT(parse_index(s.text, s.n, &store), RK_EINPUT);
    rk_str_free(&s);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static rk_store *read_store(const char *path)
{
    rk_store *s = NULL;
    int rc = rk_store_read(NULL, &arena, path, &s, &err);

    CHECK(rc == RK_OK ? s != NULL : s == NULL && rc == err.code);
    if (rc == RK_OK)
        err = (rk_err){0};
    return s;
}

static void test_fixtures(void)
{
    static const char *const name[] = {"plain", "small"};
    const rk_store *s;

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char path[100], want[100];

        snprintf(path, sizeof path, FIXTURES "%s.safetensors", name[i]);
        snprintf(want, sizeof want, FIXTURES "%s.safetensors.want", name[i]);
        s = read_store(path);
        CHECK_TEXT(err.message, "");
        if (s != NULL)
            check_want(s, want);
    }
    s = read_store(FIXTURES "sharded");
    CHECK_TEXT(err.message, "");
    if (!CHECK(s != NULL))
        return;
    check_store(s);
    CHECK_INT(s->n_tensor, 3);
    CHECK_INT(s->n_known, 3);
    CHECK_INT(s->bytes, 256);
    CHECK_INT(rk_doc_key(s->metadata, "total_size", 10)->number, 256);
    CHECK_TEXT(s->tensor[0].name, "lm_head.weight");
    CHECK_TEXT(s->file[s->tensor[0].file].path, FIXTURES "sharded/model-00002-of-00002.safetensors");
    CHECK_INT(s->tensor[0].dtype, RK_DTYPE_F16);
}

/* No part of a file passes for the whole, and no change of a byte does harm. */
static void test_damage(void)
{
    size_t n = 0;
    char *bytes = get_file(&arena, FIXTURES "plain.safetensors", &n);
    rk_store *s = NULL;

    for (size_t i = 0; i < n; i++)
        CHECK(rk_safetensors_parse(&arena, "m", bytes, i, i, &s, &err) != RK_OK);
    for (size_t i = 0; i < 1128; i++) {
        for (int bit = 0; bit < 8; bit++) {
            rk_arena a = {0};

            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            if (rk_safetensors_parse(&a, "m", bytes, n, n, &s, &err) == RK_OK)
                check_store(s);
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            rk_arena_free(&a);
        }
    }
}

/* Tensor `name` of 4 bytes in a file, so that shards can be made. */
static void put_shard(const char *path, const char *name)
{
    rk_str s = {0};

    rk_str_putn(&s, "\0\0\0\0\0\0\0\0", 8);
    rk_str_format(&s, "{\"__metadata__\":{\"of\":\"%s\"},\"%s\":" E "}", name, name);
    s.text[0] = (char)(s.n - 8);
    put_file(path, s.text, s.n, s.n + 4);
    rk_str_free(&s);
}

static void put_text(const char *path, const char *text)
{
    put_file(path, text, strlen(text), 0);
}

static bool message_ends(const char *end)
{
    size_t n = strlen(err.message), m = strlen(end);
    bool same = n >= m && strcmp(err.message + n - m, end) == 0;

    if (!same)
        printf("got: %s\nend: %s\n", err.message, end);
    return same;
}

static void test_index_files(void)
{
    const char *dir = new_folder();
    const char *index = in_folder(dir, "model.safetensors.index.json");
    const rk_store *s;

    put_text(index, "{\"weight_map\":{\"b\":\"x-2\",\"a\":\"x-1\"}}");
    s = read_store(dir);
    CHECK(s != NULL && s->n_known == 0 && s->n_tensor == 2 && s->file[0].size == 0);

    /* One of two shards is here. */
    put_shard(in_folder(dir, "x-1"), "a");
    s = read_store(index);
    CHECK(s != NULL && s->n_known == 1 && s->tensor[1].known && s->tensor[1].bytes == 4 && s->file[1].size > 0);
    if (s != NULL)
        check_store(s);

    /* A link into nowhere, as of a cache that is being filled. */
    CHECK(symlink("nowhere", in_folder(dir, "x-2")) == 0);
    s = read_store(index);
    CHECK(s != NULL && s->n_known == 1);
    CHECK(unlink(in_folder(dir, "x-2")) == 0);

    /* The second has another tensor: the promised one is missing. */
    put_shard(in_folder(dir, "x-2"), "c");
    CHECK(read_store(index) == NULL);
    CHECK(strstr(err.message, "index.json: byte 15: tensor 'b' is not in ") != NULL);
    CHECK(message_ends("/x-2, where the index says it is"));

    /* Each in the shard of the other. */
    put_shard(in_folder(dir, "x-2"), "a");
    put_shard(in_folder(dir, "x-1"), "b");
    CHECK(read_store(index) == NULL);
    CHECK(strstr(err.message, "/x-2: byte 35: tensor 'a' is here; the index says it is in ") != NULL);

    put_text(index, "{\"weight_map\":{},\"metadata\":{}}");
    s = read_store(index);
    CHECK(s != NULL && s->n_tensor == 0 && s->n_file == 0);
    clean(dir);
}

static void test_unlisted(void)
{
    const char *dir = new_folder();
    const char *index = in_folder(dir, "i.json"), *one = in_folder(dir, "x-1"), *two = in_folder(dir, "x-2");
    const char both[] = "{\"a\":" E ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}";
    rk_str s = {0};

    rk_str_putn(&s, (const char[8]){sizeof both - 1}, 8);
    rk_str_put(&s, both);
    put_file(one, s.text, s.n, s.n + 8);
    put_text(index, "{\"weight_map\":{\"a\":\"x-1\"}}");
    const rk_store *store = read_store(index);
    if (CHECK(store != NULL)) {
        check_store(store);
        CHECK_INT(store->n_unlisted, 1);
        CHECK_TEXT(store->tensor[1].name, "b");
        CHECK_INT(store->tensor[1].bytes, 4);
    }
    /* Another shard has it too. */
    put_file(two, s.text, s.n, s.n + 8);
    put_text(index, "{\"weight_map\":{\"a\":\"x-1\",\"b\":\"x-2\"}}");
    CHECK(read_store(index) == NULL);
    CHECK(strstr(err.message, "/x-1: byte 61: tensor 'b' is here; the index says it is in ") != NULL);
    rk_str_free(&s);

    /* Twice within one shard. */
    const char twice[] = "{\"a\":" E ",\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}";
    rk_str_putn(&s, (const char[8]){sizeof twice - 1}, 8);
    rk_str_put(&s, twice);
    put_file(one, s.text, s.n, s.n + 8);
    put_text(index, "{\"weight_map\":{\"a\":\"x-1\"}}");
    CHECK(read_store(index) == NULL);
    CHECK(strstr(err.message, "/x-1: byte 61: tensor 'a' is here; it stands already in ") != NULL);
    rk_str_free(&s);

    /* A shard that is no regular file. */
    CHECK(unlink(one) == 0 && mkfifo(one, 0600) == 0);
    CHECK(read_store(index) == NULL);
    CHECK_INT(err.code, RK_EIO);
    CHECK(message_ends("/x-1: is a pipe; a header is read from a regular file"));
    clean(dir);
}

static void test_folder(void)
{
    const char *dir = new_folder();
    const rk_store *s;

    CHECK(read_store(dir) == NULL);
    CHECK(message_ends(": holds no .safetensors, no .safetensors.index.json and no .gguf file"));

    /* One file of any name; names that begin with a dot or would harm a terminal do not count. */
    put_shard(in_folder(dir, "adapter_model.safetensors"), "adapter");
    put_shard(in_folder(dir, ".hidden.safetensors"), "hidden");
    put_shard(in_folder(dir, "\x1b[2J.safetensors"), "unsafe");
    s = read_store(dir);
    CHECK(s != NULL && s->n_tensor == 1 && strcmp(s->tensor[0].name, "adapter") == 0);
    put_shard(in_folder(dir, "other.safetensors"), "other");
    CHECK(read_store(dir) == NULL);
    CHECK(
        message_ends(": holds several checkpoints (adapter_model.safetensors, other.safetensors …): name one of them"));

    /* Shards of a model come before these; all must be there. */
    put_shard(in_folder(dir, "model-00002-of-00003.safetensors"), "two");
    put_shard(in_folder(dir, "model-00003-of-00003.safetensors"), "three");
    CHECK(read_store(dir) == NULL);
    CHECK(message_ends("/model-00001-of-00003.safetensors: is not there, and it is one of 3 shards"));
    put_shard(in_folder(dir, "model-00001-of-00003.safetensors"), "one");
    s = read_store(in_folder(dir, ""));
    if (CHECK(s != NULL)) {
        check_store(s);
        CHECK_INT(s->n_file, 3);
        CHECK_TEXT(s->tensor[1].name, "two");
        CHECK_INT(s->tensor[1].file, 1);
        CHECK_TEXT(rk_doc_key(s->metadata, "of", 2)->text, "one");
    }
    put_shard(in_folder(dir, "model-00003-of-00003.safetensors"), "one");
    CHECK(read_store(dir) == NULL);
    CHECK(strstr(err.message, "/model-00003-of-00003.safetensors: byte 37: tensor 'one' stands already in ") != NULL);
    CHECK(message_ends("/model-00001-of-00003.safetensors at byte 37"));

    /* Two sets, then the index, then the one file. */
    put_shard(in_folder(dir, "model-00001-of-00001.safetensors"), "alone");
    CHECK(read_store(dir) == NULL && strstr(err.message, "several") != NULL);
    put_text(in_folder(dir, "model.safetensors.index.json"), "{\"weight_map\":{\"i\":\"x\"}}");
    s = read_store(dir);
    CHECK(s != NULL && strcmp(s->tensor[0].name, "i") == 0);
    put_shard(in_folder(dir, "model.safetensors"), "single");
    s = read_store(dir);
    CHECK(s != NULL && strcmp(s->tensor[0].name, "single") == 0);
    clean(dir);
}

static void test_folder_limits(void)
{
    const char *dir = new_folder();
    char name[64];

    put_shard(in_folder(dir, "model-00001-of-10001.safetensors"), "a");
    CHECK(read_store(dir) == NULL);
    CHECK_INT(err.code, RK_ELIMIT);
    CHECK(message_ends(": model-00001-of-10001.safetensors is one of over 10000 shards"));
    /* Numbers of seven digits are no numbers of shards. */
    CHECK(rename(in_folder(dir, "model-00001-of-10001.safetensors"),
                 in_folder(dir, "model-0000001-of-0000002.safetensors")) == 0);
    CHECK(read_store(dir) != NULL);
    /* An index of another name, then a second one. */
    put_text(in_folder(dir, "x.safetensors.index.json"), "{\"weight_map\":{\"i\":\"x\"}}");
    const rk_store *s = read_store(dir);
    CHECK(s != NULL && strcmp(s->tensor[0].name, "i") == 0);
    put_text(in_folder(dir, "y.safetensors.index.json"), "{}");
    CHECK(read_store(dir) == NULL && strstr(err.message, "several") != NULL);
    for (unsigned i = 0; i < RK_STORE_FILES_MAX; i++) {
        snprintf(name, sizeof name, "%u.gguf", i);
        CHECK(symlink("nowhere", in_folder(dir, name)) == 0); /* quicker to make than a file */
    }
    CHECK(read_store(dir) == NULL);
    CHECK(message_ends(": over 10000 files of tensors"));
    if (geteuid() != 0) { /* root may read everything */
        CHECK(chmod(dir, 0) == 0);
        CHECK(read_store(dir) == NULL);
        CHECK(message_ends(": cannot read: Permission denied"));
    }
    clean(dir);
}

/* A file whose first bytes say nothing is read as what it is called, so that the message says what is wrong. */
static void test_refused_by_name(void)
{
    static const struct {
        const char *name, *bytes;
        size_t n;
        const char *message;
    } file[] = {
        {"a.safetensors", "", 0, ": byte 0: the file ends at 0, before the length of its header"},
        {"b.safetensors", "\0\0\0\0\0\0\0\1{}", 10, ": byte 0: a header of 72057594037927936 bytes, in a file of 10"},
        {"c.gguf", "GGUX\3\0\0\0", 8, ": byte 0: begins with 'GGUX', not with GGUF"},
        {"d.gguf", "\0\0\0\0\0\0\0\0", 8, ": byte 0: begins with '\\x00\\x00\\x00\\x00', not with GGUF"},
        {"e.safetensors.index.json", "[]", 2, ": byte 0: '{' expected near '['"},
    };
    const char *dir = new_folder();

    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        put_file(in_folder(dir, file[i].name), file[i].bytes, file[i].n, file[i].n);
        CHECK(read_store(in_folder(dir, file[i].name)) == NULL);
        CHECK(message_ends(file[i].message));
        CHECK_INT(err.code, RK_EINPUT);
    }
    clean(dir);
}

static void test_refused(void)
{
    const char *dir = new_folder();
    const char *path = in_folder(dir, "f");
    rk_store *s = NULL;

    CHECK(read_store(path) == NULL);
    CHECK(message_ends("/f: cannot read: No such file or directory"));
    CHECK_INT(err.code, RK_EIO);
    CHECK_INT(rk_safetensors_read(NULL, &arena, dir, &s, &err), RK_EIO);
    CHECK(message_ends(": is a directory; a header is read from a regular file"));
    CHECK_INT(rk_safetensors_index_read(NULL, &arena, dir, &s, &err), RK_EIO);
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(read_store(path) == NULL);
    CHECK(message_ends("/f: is a pipe; a header is read from a regular file"));
    CHECK(read_store("/dev/null") == NULL);
    CHECK_TEXT(err.message, "/dev/null: is no regular file; a header is read from a regular file");
    CHECK(unlink(path) == 0);
    put_file(path, "", 0, 0);
    CHECK(read_store(path) == NULL);
    CHECK(message_ends("/f: byte 0: neither safetensors, nor its index, nor GGUF (0 bytes)"));
    put_file(path, "PK\3\4\24\0\0\0", 8, 100);
    CHECK(read_store(path) == NULL);
    CHECK(message_ends("/f: byte 0: neither safetensors, nor its index, nor GGUF (100 bytes)"));
    put_file(path, "\0\0\0\0\0\0\0\0", 8, 100);
    CHECK(read_store(path) == NULL);
    CHECK(message_ends("/f: byte 0: neither safetensors, nor its index, nor GGUF (100 bytes)"));
    put_file(path, "   {  \n ", 8, RK_INDEX_BYTES_MAX + 1);
    CHECK(read_store(path) == NULL);
    CHECK(message_ends("/f: byte 0: an index of 268435457 bytes, the limit is 268435456"));
    CHECK_INT(err.code, RK_ELIMIT);
    if (geteuid() != 0) { /* root may read everything */
        CHECK(chmod(path, 0) == 0);
        CHECK(read_store(path) == NULL);
        CHECK(message_ends("/f: cannot read: Permission denied"));
    }
    clean(dir);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static void test_memory(void)
{
    const char *dir = new_folder();

    check_memory(rk_store_read, FIXTURES "plain.safetensors");
    check_memory(rk_store_read, FIXTURES "sharded");
    check_memory(rk_store_read, FIXTURES "sharded/model.safetensors.index.json");
    put_shard(in_folder(dir, "model-00001-of-00002.safetensors"), "one");
    put_shard(in_folder(dir, "model-00002-of-00002.safetensors"), "two");
    check_memory(rk_store_read, dir);
    put_text(in_folder(dir, "model.safetensors.index.json"),
             "{\"weight_map\":{},\"metadata\":{\"a\":[1,2.5,\"text\"]}}");
    check_memory(rk_store_read, dir);
    clean(dir);
}

/* What a message needs memory for does not change what it says failed. */
static void test_memory_of_errors(void)
{
    rk_store *s = NULL;

    for (long n = 0; n < 30; n++) {
        rk_arena small = {0};
        const char *text = "\x10\0\0\0\0\0\0\0{\"\\u001b\":{\"x\"  ";

        rk_heap_fail_after(n);
        int rc = rk_safetensors_parse(&small, "m", text, 24, 24, &s, &err);
        rk_heap_fail_after(-1);
        CHECK(rc == RK_EINPUT || rc == RK_ENOMEM);
        CHECK_INT(err.code, rc);
        rk_arena_free(&small);
    }
}

int main(void)
{
    test_header();
    test_order();
    test_length();
    test_broken();
    test_rank();
    test_keys();
    test_many();
    test_many_files();
    test_index();
    test_index_limits();
    test_fixtures();
    test_damage();
    test_index_files();
    test_unlisted();
    test_folder();
    test_folder_limits();
    test_refused_by_name();
    test_refused();
    test_memory();
    test_memory_of_errors();
    rk_arena_free(&arena);
    return t_done("safetensors");
}
