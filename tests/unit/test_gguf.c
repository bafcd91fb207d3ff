/* SPDX-License-Identifier: MIT */
#include "read/dump.h"

#include <math.h>

static rk_arena arena;
static rk_err err;

/* ---- files in a notation ---------------------------------------------------------------------------------------- */

static void put_number(rk_str *s, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rk_str_putc(s, (char)(value >> 8 * i));
}

/* "b1 w2 d4 q8": numbers of 1, 2, 4, 8 bytes; "sTEXT": a length and a text; "xff": a byte; "z9": zeros; else as is. */
static void put_word(rk_str *s, const char *word, size_t n)
{
    uint64_t value = strtoull(word + 1, NULL, word[0] == 'x' ? 16 : 10);
    size_t size = word[0] == 'b' ? 1 : word[0] == 'w' ? 2 : word[0] == 'd' ? 4 : word[0] == 'q' ? 8 : 0;

    if (word[0] == 's') {
        put_number(s, n - 1, 8);
        rk_str_putn(s, word + 1, n - 1);
    } else if (word[0] == 'x') {
        put_number(s, value, 1);
    } else if (word[0] == 'z') {
        rk_str_fill(s, 0, (size_t)value);
    } else if (size > 0) {
        put_number(s, value, size);
    } else {
        rk_str_putn(s, word, n);
    }
}

static void put_words(rk_str *s, const char *words)
{
    while (*words != '\0') {
        size_t n = strcspn(words, " ");

        put_word(s, words, n);
        words += n + (words[n] == ' ');
    }
}

/* Reads a file that begins so and has `size` bytes (0: ends there). */
static rk_store *parse_bytes(const rk_str *s, uint64_t size)
{
    char *bytes = malloc(s->n + 1); /* exactly as large, so that a byte too many is found */
    rk_store *store = NULL;

    memcpy(bytes, rk_str_text(s), s->n);
    int rc = rk_gguf_parse(&arena, "g", bytes, s->n, size > 0 ? size : s->n, &store, &err);
    CHECK(rc == RK_OK ? store != NULL : store == NULL && rc == err.code);
    if (rc == RK_OK) {
        err = (rk_err){0};
        check_store(store);
    }
    free(bytes);
    return store;
}

static rk_store *parse(const char *words, uint64_t size)
{
    rk_str s = {0};

    put_words(&s, words);
    rk_store *store = parse_bytes(&s, size);
    rk_str_free(&s);
    return store;
}

static const rk_doc *key(const rk_store *s, const char *name)
{
    static const rk_doc nothing;
    const rk_doc *d = s != NULL ? rk_doc_key(s->metadata, name, strlen(name)) : NULL;

    CHECK(d != NULL);
    return d != NULL ? d : &nothing;
}

#define HEAD "GGUF d3 q1 q0 "         /* one tensor, no key: 24 bytes */
#define KEYS(n) "GGUF d3 q0 q" #n " " /* no tensor */
#define TENSOR "sa d1 q4 d0 q0"       /* four F32: 33 bytes; the data begins at 64 */

/* ---- what is read ----------------------------------------------------------------------------------------------- */

static void test_tensors(void)
{
    const rk_store *s = parse("GGUF d2 q3 q0 sa d2 q64 q3 d2 q0 sb d0 d30 q128 sc d4 q1 q2 q3 q0 d0 q160", 320);

    if (!CHECK(s != NULL))
        return;
    CHECK_INT(s->n_tensor, 3);
    CHECK_INT(s->tensor[0].dtype, RK_DTYPE_Q4_0);
    CHECK_INT(s->tensor[0].rank, 2);
    CHECK_INT(s->tensor[0].shape[0], 3); /* the slowest dimension first */
    CHECK_INT(s->tensor[0].shape[1], 64);
    CHECK_INT(s->tensor[0].count, 192);
    CHECK_INT(s->tensor[0].bytes, 108);
    CHECK_INT(s->tensor[0].at, 24);
    CHECK_INT(s->tensor[0].offset, 160);
    CHECK_INT(s->tensor[1].rank, 0);
    CHECK_INT(s->tensor[1].bytes, 2);
    CHECK_INT(s->tensor[2].count, 0);
    CHECK_INT(s->bytes, 110);
    CHECK_INT(s->metadata->n, 0);
    CHECK(parse("GGUF d3 q0 q0", 0) != NULL);
    CHECK(parse("GGUF d3 q0 q0 z8", 0) != NULL);
}

/* Every format is known by its number, and no two are the same. */
static void test_formats(void)
{
    bool seen[64] = {false};
    size_t n = 0;

    for (unsigned i = 1; i < RK_DTYPE_COUNT; i++) {
        const rk_dtype_row *row = rk_dtype_info((rk_dtype)i);

        CHECK(row->block > 0 && row->bytes > 0 && row->family != RK_DTYPE_FAMILY_NONE);
        CHECK(row->in_safetensors || row->ggml >= 0);
        if (row->in_safetensors)
            CHECK_INT(rk_dtype_of_safetensors(row->name, strlen(row->name)), i);
        if (row->ggml < 0)
            continue;
        CHECK_INT(rk_dtype_of_ggml((uint32_t)row->ggml), i);
        CHECK(row->ggml < 64 && !seen[row->ggml]);
        seen[row->ggml] = true;
        n++;
    }
    CHECK_INT(n, 38);
    CHECK_INT(rk_dtype_of_ggml(4), RK_DTYPE_UNKNOWN);
    CHECK_INT(rk_dtype_of_ggml(UINT32_MAX), RK_DTYPE_UNKNOWN);
    CHECK_TEXT(rk_dtype_info(RK_DTYPE_UNKNOWN)->name, "?");
    CHECK_TEXT(rk_dtype_info((rk_dtype)1000)->name, "?");
}

static void test_values(void)
{
    const rk_store *s = parse(KEYS(5) "sf d6 x00 x00 xc0 x7f sd d12 z6 xf0 x7f "
                                      "st d8 q3 xff b0 x41 "
                                      "sn d9 d9 q2 d0 q2 b7 b8 d8 q1 shi "
                                      "se d9 d8 q0",
                              0);

    CHECK_TEXT(err.message, "");
    if (!CHECK(s != NULL))
        return;
    CHECK(isnan(key(s, "f")->real));
    CHECK(isinf(key(s, "d")->real));
    /* Any byte may stand in a text. */
    CHECK_INT(key(s, "t")->n, 3);
    CHECK(key(s, "t")->n == 3 && memcmp(key(s, "t")->text, "\xff\0A", 4) == 0);
    /* Lists in lists. */
    const rk_doc *n = key(s, "n");
    CHECK_INT(n->kind, RK_DOC_LIST);
    CHECK_INT(n->n, 2);
    CHECK_INT(n->item[0].n, 2);
    CHECK_INT(n->item[0].item[1].number, 8);
    CHECK_TEXT(n->item[1].item[0].text, "hi");
    CHECK_INT(key(s, "e")->n, 0);
    CHECK_INT(key(s, "e")->n_skipped, 0);
    CHECK_TEXT(s->metadata->key[3], "n");
}

static void test_alignment(void)
{
    const rk_store *s = parse("GGUF d3 q2 q1 sgeneral.alignment d4 d8 sa d1 q1 d24 q0 sb d1 q4 d0 q8", 152);

    CHECK(s != NULL && s->tensor[0].offset == 128 && s->tensor[1].offset == 136);
}

/* Long lists are stepped over, their length kept; what follows them is read. */
static void test_skipped(void)
{
    rk_str s = {0};

    put_words(&s, "GGUF d3 q0 q5 st d9 d8 q1025 ");
    for (size_t i = 0; i < 1025; i++)
        put_words(&s, "sxyz");
    put_words(&s, "sn d9 d4 q100001 ");
    rk_str_fill(&s, 7, 400004);
    put_words(&s, "sk d9 d4 q100000 ");
    rk_str_fill(&s, 1, 400000);
    put_words(&s, "sl d9 d9 q100001 ");
    for (size_t i = 0; i < 100001; i++)
        put_words(&s, "d0 q0");
    put_words(&s, "send d4 d42");
    const rk_store *store = parse_bytes(&s, 0);
    CHECK_TEXT(err.message, "");
    CHECK_INT(key(store, "t")->n_skipped, 1025);
    CHECK_INT(key(store, "t")->n, 0);
    CHECK(key(store, "t")->item == NULL);
    CHECK_INT(key(store, "n")->n_skipped, 100001);
    CHECK_INT(key(store, "k")->n_skipped, 0);
    CHECK_INT(key(store, "k")->n, 100000);
    CHECK_INT(key(store, "k")->item[99999].number, 0x01010101);
    CHECK_INT(key(store, "l")->n_skipped, 100001);
    CHECK_INT(key(store, "end")->number, 42);
    rk_str_free(&s);
    rk_arena_free(&arena);
}

/* All lists together are bounded: eleven of 100,000 bytes each would be 80 times as large in memory. */
static void test_kept(void)
{
    rk_str s = {0};

    put_words(&s, "GGUF d3 q0 q11 ");
    for (size_t i = 0; i < 11; i++) {
        const char name[] = {'a', (char)('a' + i)};

        put_number(&s, 2, 8);
        rk_str_putn(&s, name, 2);
        put_words(&s, "d9 d0 q100000 z100000");
    }
    const rk_store *store = parse_bytes(&s, 0);
    CHECK_INT(key(store, "aj")->n, 100000);
    CHECK_INT(key(store, "ak")->n, 0);
    CHECK_INT(key(store, "ak")->n_skipped, 100000);
    rk_str_free(&s);
    rk_arena_free(&arena);
}

/* ---- what is wrong ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *words;
    uint64_t size;
    int code;
    const char *message;
} broken[] = {
    /* the head */
    {"GGU", 0, RK_EINPUT, "g: byte 0: the word GGUF of 4 bytes, and the file ends at 3"},
    {"GGML d3 q0 q0", 0, RK_EINPUT, "g: byte 0: begins with 'GGML', not with GGUF"},
    {"x1b x5b x32 x4a d3 q0 q0", 0, RK_EINPUT, "g: byte 0: begins with '\\x1b[2J', not with GGUF"},
    {"GGUF", 0, RK_EINPUT, "g: byte 4: a version of 4 bytes, and the file ends at 4"},
    {"GGUF d0 q0 q0", 0, RK_EINPUT, "g: byte 4: version 0 is unknown (versions 2 and 3 are read)"},
    {"GGUF d1 d0 d0", 0, RK_EINPUT, "g: byte 4: version 1, which is not read (versions 2 and 3 are): convert it first"},
    {"GGUF d4 q0 q0", 0, RK_EINPUT, "g: byte 4: version 4 is unknown (versions 2 and 3 are read)"},
    {"GGUF b0 b0 b0 b3 q0 q0", 0, RK_EINPUT,
     "g: byte 4: big endian, which is not read: convert it to little endian first"},
    {"GGUF d3 d0", 0, RK_EINPUT, "g: byte 8: tensors of 8 bytes, and the file ends at 12"},
    {"GGUF d3 q1 q0", 0, RK_EINPUT, "g: byte 8: 1 tensors, and 8 bytes are left for them"},
    {"GGUF d3 q2000001 q0", 0, RK_ELIMIT, "g: byte 8: 2000001 tensors, the limit is 2000000"},
    {"GGUF d3 q18446744073709551615 q0", 0, RK_ELIMIT, "g: byte 8: 18446744073709551615 tensors, the limit is 2000000"},
    {"GGUF d3 q0 q1", 0, RK_EINPUT, "g: byte 16: 1 keys, and 0 bytes are left for them"},
    {"GGUF d3 q0 q65537", 0, RK_ELIMIT, "g: byte 16: 65537 keys, the limit is 65536"},
    /* keys and values */
    {KEYS(1) "s d4 d1 z9", 0, RK_EINPUT, "g: byte 24: an empty key"},
    {KEYS(1) "q65536 z65540", 0, RK_ELIMIT, "g: byte 24: a key of 65536 bytes, the limit is 65535"},
    {KEYS(1) "q18446744073709551615 z90", 0, RK_ELIMIT,
     "g: byte 24: a key of 18446744073709551615 bytes, the limit is 65535"},
    {KEYS(1) "q99 z90", 0, RK_EINPUT, "g: byte 32: a key of 99 bytes, and the file ends at 122"},
    {KEYS(1) "q2 xff xfe d4 d1", 0, RK_EINPUT, "g: byte 32: a key '\\xff\\xfe' has invalid UTF-8"},
    {KEYS(1) "q2 x41 b0 d4 d1", 0, RK_EINPUT, "g: byte 33: a key 'A\\x00' has a NUL byte"},
    {KEYS(2) "sa d4 d1 sa d4 d1", 0, RK_EINPUT, "g: byte 41: the key 'a' stands already at byte 24"},
    {KEYS(1) "sa d13 d1 z9", 0, RK_EINPUT, "g: byte 33: a value of type 13; the last one is 12"},
    {KEYS(1) "sa d4294967295 d1", 0, RK_EINPUT, "g: byte 33: a value of type 4294967295; the last one is 12"},
    {KEYS(1) "sa d10 d1", 0, RK_EINPUT, "g: byte 37: a value of 8 bytes, and the file ends at 41"},
    {KEYS(1) "sa d7 b2", 0, RK_EINPUT, "g: byte 37: a truth value of 2, not 0 or 1"},
    {KEYS(1) "sa d8 q5 z4", 0, RK_EINPUT, "g: byte 45: a text of 5 bytes, and the file ends at 49"},
    {KEYS(1) "sa d8 q18446744073709551615", 0, RK_ELIMIT,
     "g: byte 37: a text of 18446744073709551615 bytes, the limit is 268435456"},
    {KEYS(1) "sa d9 d4", 0, RK_EINPUT, "g: byte 41: a length of 8 bytes, and the file ends at 41"},
    {KEYS(1) "sa d9 d13 q1 z8", 0, RK_EINPUT, "g: byte 37: a value of type 13; the last one is 12"},
    {KEYS(1) "sa d9 d4 q2 d1", 0, RK_EINPUT, "g: byte 37: a list of 2 items, and 4 bytes are left for them"},
    {KEYS(1) "sa d9 d8 q4611686018427387904 z8", 0, RK_EINPUT,
     "g: byte 37: a list of 4611686018427387904 items, and 8 bytes are left for them"},
    {KEYS(1) "sa d9 d9 q99999999999 z12", 0, RK_EINPUT,
     "g: byte 37: a list of 99999999999 items, and 12 bytes are left for them"},
    {KEYS(1) "sa d9 d9 q1 d9 q1 d9 q1 d9 q1 d9 q1 d9 q1 d9 q1 d9 q1 d9 q1 d0 q0", 0, RK_ELIMIT,
     "g: byte 133: lists nested over 8"},
    {KEYS(1) "sgeneral.alignment d10 q32", 0, RK_EINPUT,
     "g: byte 24: general.alignment is a u32 (type 4), not of type 10"},
    {KEYS(1) "sgeneral.alignment d4 d0", 0, RK_EINPUT, "g: byte 24: general.alignment is 0, no power of two"},
    {KEYS(1) "sgeneral.alignment d4 d48", 0, RK_EINPUT, "g: byte 24: general.alignment is 48, no power of two"},
    /* tensors */
    {HEAD "sa d1 q4 d0", 0, RK_EINPUT, "g: byte 49: an offset of 8 bytes, and the file ends at 49"},
    {HEAD "q256 z300", 0, RK_ELIMIT, "g: byte 24: a name of 256 bytes, the limit is 255"},
    {HEAD "q1 xc3 d1 q4 d0 q0", 80, RK_EINPUT, "g: byte 32: a name '\\xc3' has invalid UTF-8"},
    {HEAD "sa d5 q1 q1 q1 q1 q1 d0 q0", 0, RK_ELIMIT, "g: byte 33: tensor 'a' has 5 dimensions, the limit is 4"},
    {HEAD "sa d1 q4 d4 q0", 80, RK_EINPUT, "g: byte 45: tensor 'a': the format 4 is unknown"},
    {HEAD "sa d1 q4 d99 q0", 80, RK_EINPUT, "g: byte 45: tensor 'a': the format 99 is unknown"},
    {HEAD "sa d1 q4 d2 q0", 80, RK_EINPUT, "g: byte 24: tensor 'a': 4 elements are no whole blocks of Q4_0 (32)"},
    {HEAD "sa d2 q4 q8 d2 q0", 80, RK_EINPUT, "g: byte 24: tensor 'a': 4 elements are no whole blocks of Q4_0 (32)"},
    {HEAD "sa d2 q4294967296 q4294967296 d0 q0", 80, RK_EOVERFLOW,
     "g: byte 24: tensor 'a': the product of its dimensions is beyond 64 bits"},
    {HEAD "sa d1 q9223372036854775808 d28 q0", 80, RK_EOVERFLOW,
     "g: byte 24: tensor 'a': its size in bytes is beyond 64 bits"},
    {HEAD "sa d1 q4 d0 q4", 80, RK_EINPUT, "g: byte 49: tensor 'a': the offset 4 is no multiple of the alignment, 32"},
    {HEAD TENSOR, 79, RK_EINPUT, "g: byte 24: tensor 'a': 16 bytes from 64 on are beyond the data (64 to 79)"},
    {HEAD TENSOR, 57, RK_EINPUT, "g: byte 24: tensor 'a': 16 bytes from 57 on are beyond the data (57 to 57)"},
    {HEAD "sa d1 q4 d0 q32", 112, RK_EINPUT,
     "g: byte 24: tensor 'a': its bytes begin at 96, and a gap is before them, from byte 64"},
    {HEAD "sa d1 q4 d0 q18446744073709551584", 112, RK_EINPUT,
     "g: byte 24: tensor 'a': 16 bytes from 18446744073709551615 on are beyond the data (64 to 112)"},
    {HEAD TENSOR, 112, RK_EINPUT, "g: byte 80: the tensors end here, the file at 112"},
    {"GGUF d3 q2 q0 sa d1 q4 d0 q0 sb d1 q4 d0 q0", 144, RK_EINPUT,
     "g: byte 57: tensor 'b': its bytes begin at 96, within those of another tensor that end at 112"},
    {"GGUF d3 q2 q0 sa d1 q4 d0 q0 sb d1 q4 d0 q64", 176, RK_EINPUT,
     "g: byte 57: tensor 'b': its bytes begin at 160, and a gap is before them, from byte 112"},
    {"GGUF d3 q2 q0 sa d1 q4 d0 q0 sa d1 q4 d0 q32", 144, RK_EINPUT,
     "g: byte 57: tensor 'a' stands already in g at byte 24"},
};

static void test_broken(void)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        CHECK(parse(broken[i].words, broken[i].size) == NULL);
        CHECK_TEXT(err.message, broken[i].message);
        CHECK_INT(err.code, broken[i].code);
    }
    CHECK(parse(HEAD TENSOR, 80) != NULL);
    CHECK(parse(HEAD TENSOR, 111) != NULL); /* the last tensor may be padded too */
    CHECK(parse("GGUF d3 q0 q0 z40", 0) == NULL);
    CHECK_TEXT(err.message, "g: byte 32: the tensors end here, the file at 64");
}

/* A text that would fill the limit of the header, in a file that is large enough. */
static void test_header_limit(void)
{
    CHECK(parse(KEYS(1) "sa d8 q268435456", (uint64_t)1 << 40) == NULL);
    CHECK_INT(err.code, RK_ELIMIT);
    CHECK_TEXT(err.message, "g: byte 45: a text of 268435456 bytes, and the header is then over 268435456");
    CHECK(parse(KEYS(1) "sa d8 q20 z10", (uint64_t)1 << 40) == NULL);
    CHECK_TEXT(err.message, "g: byte 55: 1 bytes are needed, only the first 55 are given");
    /* Nor are its zeros read without end. */
    CHECK(parse("GGUF d3 q2000000 q0", (uint64_t)1 << 40) == NULL);
    CHECK_TEXT(err.message, "g: byte 24: 1 bytes are needed, only the first 24 are given");
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
    static const struct {
        const char *path, *want;
    } file[] = {
        {FIXTURES "formats.gguf", FIXTURES "formats.gguf.want"},
        {FIXTURES "values.gguf", FIXTURES "values.gguf.want"},
        {FIXTURES "split-00001-of-00003.gguf", FIXTURES "split.gguf.want"},
        {FIXTURES "split-00003-of-00003.gguf", FIXTURES "split.gguf.want"},
    };

    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        const rk_store *s = read_store(file[i].path);

        CHECK_TEXT(err.message, "");
        if (CHECK(s != NULL))
            check_want(s, file[i].want);
    }
    CHECK(read_store(FIXTURES "big-endian.gguf") == NULL);
    CHECK_TEXT(err.message,
               FIXTURES "big-endian.gguf: byte 4: big endian, which is not read: convert it to little endian "
                        "first");
}

static void copy(const char *from, const char *to)
{
    size_t n = 0;
    const char *bytes = get_file(&arena, from, &n);

    put_file(to, bytes, n, n);
}

static bool message_ends(const char *end)
{
    size_t n = strlen(err.message), m = strlen(end);
    bool same = n >= m && strcmp(err.message + n - m, end) == 0;

    if (!same)
        printf("got: %s\nend: %s\n", err.message, end);
    return same;
}

static void test_parts(void)
{
    const char *dir = new_folder(), *two = in_folder(dir, "m-00002-of-00003.gguf");
    const rk_store *s;

    copy(FIXTURES "split-00001-of-00003.gguf", in_folder(dir, "m-00001-of-00003.gguf"));
    copy(FIXTURES "split-00003-of-00003.gguf", in_folder(dir, "m-00003-of-00003.gguf"));
    CHECK(read_store(dir) == NULL);
    CHECK(message_ends("/m-00002-of-00003.gguf: cannot read: No such file or directory"));
    copy(FIXTURES "split-00002-of-00003.gguf", two);
    s = read_store(dir);
    CHECK(s != NULL && s->n_tensor == 5 && s->n_file == 3);
    /* A part under another's name, and one that does not say that it is a part. */
    copy(FIXTURES "split-00001-of-00003.gguf", two);
    CHECK(read_store(dir) == NULL);
    CHECK(message_ends("/m-00002-of-00003.gguf: says it is part 1 of 3, its name 2 of 3"));
    copy(FIXTURES "values.gguf", two);
    CHECK(read_store(dir) == NULL);
    CHECK(strstr(err.message, ": the parts have 6 tensors together, the first says 5") != NULL);
    /* One part under a name of its own. */
    copy(FIXTURES "split-00003-of-00003.gguf", in_folder(dir, "alone.gguf"));
    CHECK(read_store(in_folder(dir, "alone.gguf")) == NULL);
    CHECK(message_ends("/alone.gguf: says it is part 3 of 3, its name 1 of 1"));
    CHECK(read_store(dir) == NULL && strstr(err.message, "several") != NULL);
    /* Some writers say 0 where there is one part. */
    rk_str one = {0};
    put_words(&one, KEYS(1) "ssplit.count d2 w0");
    put_file(in_folder(dir, "one.gguf"), one.text, one.n, 0);
    CHECK(read_store(in_folder(dir, "one.gguf")) != NULL);
    rk_str_free(&one);
    clean(dir);
}

/* No part of a file passes for the whole, and no change of a byte does harm. */
static void test_damage(const char *path)
{
    size_t n = 0;
    char *bytes = get_file(&arena, path, &n);
    rk_store *s = NULL;

    for (size_t i = 0; i + 64 < n; i++)
        CHECK(rk_gguf_parse(&arena, "m", bytes, i, i, &s, &err) != RK_OK);
    for (size_t i = 0; i < n; i++) {
        for (int bit = 0; bit < 8; bit++) {
            rk_arena a = {0};

            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            if (rk_gguf_parse(&a, "m", bytes, n, n, &s, &err) == RK_OK)
                check_store(s);
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            rk_arena_free(&a);
        }
    }
}

static void test_refused(void)
{
    const char *dir = new_folder();
    rk_store *s = NULL;

    CHECK_INT(rk_gguf_read(NULL, &arena, dir, &s, &err), RK_EIO);
    CHECK(message_ends(": is a directory; a header is read from a regular file"));
    CHECK(mkfifo(in_folder(dir, "f.gguf"), 0600) == 0);
    CHECK_INT(rk_gguf_read(NULL, &arena, in_folder(dir, "f.gguf"), &s, &err), RK_EIO);
    CHECK(read_store(dir) == NULL);
    CHECK(message_ends("/f.gguf: is a pipe; a header is read from a regular file"));
    CHECK(s == NULL);
    clean(dir);
}

int main(void)
{
    test_tensors();
    test_formats();
    test_values();
    test_alignment();
    test_skipped();
    test_kept();
    test_broken();
    test_header_limit();
    test_fixtures();
    test_parts();
    test_damage(FIXTURES "values.gguf");
    test_damage(FIXTURES "split-00002-of-00003.gguf");
    test_refused();
    check_memory(rk_gguf_read, FIXTURES "values.gguf");
    check_memory(rk_gguf_read, FIXTURES "formats.gguf");
    check_memory(rk_gguf_read, FIXTURES "split-00002-of-00003.gguf");
    rk_arena_free(&arena);
    return t_done("gguf");
}
