/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"
#include "base/vec.h"
#include "t.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- err -------------------------------------------------------------------------------------------------------- */

static void test_err(void)
{
    rk_err err = {0};

    CHECK_INT(rk_fail(&err, RK_EVALUE, "layer %d", 3), RK_EVALUE);
    CHECK_INT(rk_err_context(&err, RK_EVALUE, "%s", "llama"), RK_EVALUE);
    CHECK_TEXT(err.message, "llama: layer 3");
    CHECK_INT(err.code, RK_EVALUE);
    CHECK_INT(rk_fail(NULL, RK_EIO, "x"), RK_EIO);
    CHECK_INT(rk_err_context(NULL, RK_EIO, "x"), RK_EIO);
    CHECK_INT(rk_fail_memory(&err), RK_ENOMEM);
}

/* A message that is too long ends in "…", after a whole character. */
static void test_err_cut(void)
{
    static char wide[2 * RK_ERR_MESSAGE_MAX];
    rk_err err = {0};
    size_t n;

    for (size_t i = 0; i + 2 < sizeof wide; i += 2)
        memcpy(wide + i, "é", 2);
    for (int shift = 0; shift < 2; shift++) {
        rk_fail(&err, RK_EINPUT, "%s%s", shift ? "a" : "", wide);
        n = strlen(err.message);
        CHECK(n < RK_ERR_MESSAGE_MAX && n > RK_ERR_MESSAGE_MAX - 8);
        CHECK_TEXT(err.message + n - 3, "…");
        CHECK((unsigned char)err.message[n - 4] == 0xA9 || err.message[n - 4] == 'a');
    }
    rk_err_context(&err, RK_EINPUT, "c");
    CHECK(strncmp(err.message, "c: a", 4) == 0);
}

/* ---- arena ------------------------------------------------------------------------------------------------------ */

static void test_arena(void)
{
    rk_arena a = {0};
    rk_arena_mark mark;
    char *x = rk_alloc(&a, 10), *y;

    CHECK(x && x[9] == 0 && (size_t)x % 16 == 0);
    mark = rk_arena_here(&a);
    y = rk_alloc(&a, 100000);
    memset(y, 1, 100000);
    rk_arena_rewind(&a, mark);
    CHECK_INT(a.used, 10);
    y = rk_alloc(&a, 64);
    CHECK(y[0] == 0 && y[63] == 0);
    CHECK(rk_alloc(&a, 0) != NULL);
    CHECK_TEXT(rk_arena_format(&a, "%d-%s", 7, "x"), "7-x");
    CHECK_TEXT(rk_arena_copy(&a, "abcdef", 3), "abc");
    CHECK(!a.failed);
    CHECK(rk_alloc_array(&a, SIZE_MAX / 2, 3) == NULL && a.failed);
    rk_arena_free(&a);
}

static void test_arena_limit(void)
{
    rk_arena a = {.limit = 100};

    CHECK(rk_alloc(&a, 60) != NULL);
    CHECK(rk_alloc(&a, 40) != NULL);
    CHECK(rk_alloc(&a, 1) == NULL && a.failed);
    CHECK(rk_alloc(&a, SIZE_MAX) == NULL);
    rk_arena_free(&a);
}

static void test_heap_failure(void)
{
    void *p;

    rk_heap_fail_after(1);
    p = rk_heap_alloc(1);
    CHECK(p != NULL);
    CHECK(rk_heap_alloc(1) == NULL);
    CHECK(rk_heap_resize(p, 2) == NULL);
    rk_heap_fail_after(-1);
    rk_heap_free(p);
}

static void test_vec(void)
{
    rk_arena a = {0};
    RK_VEC(int) v = {0};
    int *place;

    for (int i = 0; i < 1000; i++) {
        place = RK_PUSH(&a, &v);
        if (place)
            *place = i;
    }
    CHECK_INT(v.n, 1000);
    CHECK_INT(v.at[999] + v.at[0], 999);
    rk_arena_free(&a);
}

/* ---- num -------------------------------------------------------------------------------------------------------- */

static void test_num_edges(void)
{
    rk_acc acc = {0};

    CHECK(rk_mul(&acc, RK_I128_MAX, 1) == RK_I128_MAX && rk_mul(&acc, RK_I128_MIN, 1) == RK_I128_MIN);
    CHECK(rk_mul(&acc, RK_I128_MIN / 2, 2) == RK_I128_MIN && rk_pow(&acc, -2, 127) == RK_I128_MIN);
    CHECK(rk_pow(&acc, 2, 126) == RK_I128_MAX / 2 + 1 && rk_pow(&acc, 0, 0) == 1);
    CHECK(rk_add(&acc, RK_I128_MAX, RK_I128_MIN) == -1 && !acc.overflow);
    CHECK(rk_gcd(0, 0) == 0 && rk_gcd(-12, 18) == 6 && rk_gcd(0, 5) == 5);
    CHECK(rk_gcd(rk_pow(&acc, 6, 40), rk_pow(&acc, 10, 30)) == rk_pow(&acc, 2, 30));
    CHECK(rk_gcd(RK_I128_MIN, RK_I128_MIN) > 0);
}

static void test_num_overflow(void)
{
    static const struct {
        rk_i128 a, b;
        char op;
    } over[] = {
        {RK_I128_MAX, 1, '+'},
        {RK_I128_MIN, 1, '-'},
        {RK_I128_MIN, -1, '*'},
        {RK_I128_MAX, 2, '*'},
        {RK_I128_MIN, 2, '*'},
        {RK_I128_MIN, -1, '/'},
        {(rk_i128)1 << 64, (rk_i128)1 << 63, '*'},
    };

    for (size_t i = 0; i < COUNT(over); i++) {
        rk_acc acc = {0};
        rk_i128 a = over[i].a, b = over[i].b;
        char op = over[i].op;
        rk_i128 got = op == '+'   ? rk_add(&acc, a, b)
                      : op == '-' ? rk_sub(&acc, a, b)
                      : op == '*' ? rk_mul(&acc, a, b)
                                  : rk_floor_div(&acc, a, b);

        CHECK(acc.overflow && got == 0);
        CHECK(rk_add(&acc, 1, 1) == 0);
    }
}

static void test_num_rounding(void)
{
    static const struct {
        int a, b, floor, ceil;
    } table[] = {{7, 2, 3, 4}, {-7, 2, -4, -3}, {7, -2, -4, -3}, {-7, -2, 3, 4},
                 {6, 3, 2, 2}, {-6, 3, -2, -2}, {0, 5, 0, 0}};
    rk_acc acc = {0};

    for (size_t i = 0; i < COUNT(table); i++) {
        CHECK_INT(rk_floor_div(&acc, table[i].a, table[i].b), table[i].floor);
        CHECK_INT(rk_ceil_div(&acc, table[i].a, table[i].b), table[i].ceil);
    }
}

static void test_num_text(void)
{
    char buf[RK_NUM_TEXT_MAX];
    rk_i128 n = 0;

    CHECK_TEXT(rk_num_text(buf, 0), "0");
    CHECK_TEXT(rk_num_text(buf, RK_I128_MIN), "-170141183460469231731687303715884105728");
    CHECK_TEXT(rk_num_grouped(buf, RK_I128_MIN), "-170,141,183,460,469,231,731,687,303,715,884,105,728");
    CHECK_TEXT(rk_num_grouped(buf, 124439808), "124,439,808");
    CHECK_TEXT(rk_num_grouped(buf, -999), "-999");
    CHECK(rk_num_parse("170141183460469231731687303715884105727", 39, &n) && n == RK_I128_MAX);
    CHECK(!rk_num_parse("170141183460469231731687303715884105728", 39, &n));
    CHECK(!rk_num_parse("", 0, &n) && !rk_num_parse("-1", 2, &n) && !rk_num_parse("1 ", 2, &n));
}

/* ---- map -------------------------------------------------------------------------------------------------------- */

static void test_map(void)
{
    rk_arena a = {0};
    rk_map m = {0};
    char key[16];

    CHECK(rk_map_get(&m, "x", 1) == RK_NONE);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key%u", i);
        CHECK(rk_map_put(&a, &m, key, strlen(key), i));
    }
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key%u", i);
        CHECK_INT(rk_map_get(&m, key, strlen(key)), i);
    }
    CHECK(rk_map_put(&a, &m, "key7", 4, 70) && rk_map_get(&m, "key7", 4) == 70 && m.n == 5000);
    CHECK(rk_map_put(&a, &m, "", 0, 1) && rk_map_get(&m, "", 0) == 1);
    CHECK(rk_map_get(&m, "key", 3) == RK_NONE);
    CHECK(rk_hash("ab", 2, 0) != rk_hash("ab\0", 3, 0) && rk_hash("ab", 2, 0) != rk_hash("ab", 2, 1));
    rk_arena_free(&a);
}

/* ---- str -------------------------------------------------------------------------------------------------------- */

static void test_str(void)
{
    rk_str s = {0};

    CHECK_TEXT(rk_str_text(&s), "");
    rk_str_put(&s, "a");
    rk_str_putc(&s, 'b');
    rk_str_fill(&s, '-', 3);
    rk_str_format(&s, "%05d", 42);
    rk_str_grouped(&s, 1234);
    rk_str_num(&s, -1);
    CHECK_TEXT(rk_str_text(&s), "ab---000421,234-1");
    rk_str_reset(&s);
    CHECK_TEXT(rk_str_text(&s), "");
    rk_heap_fail_after(0);
    rk_str_fill(&s, 'x', 100000);
    rk_heap_fail_after(-1);
    CHECK(s.failed);
    rk_str_put(&s, "after");
    CHECK_TEXT(rk_str_text(&s), "");
    rk_str_free(&s);
}

static void test_text_width(void)
{
    static const struct {
        const char *text;
        size_t width;
    } table[] = {{"", 0},     {"abc", 3},       {"D²", 2},       {"⌊S/64⌋", 6},
                 {"模型", 4}, {"e\xCC\x81", 1}, {"\xFF\xFE", 2}, {"🚀", 2}};

    for (size_t i = 0; i < COUNT(table); i++)
        CHECK_INT(rk_text_width(table[i].text), table[i].width);
}

static void test_put_safe(void)
{
    static const struct {
        const char *text, *want;
    } table[] = {
        {"plain é", "plain é"},
        {"\x1b[31m", "\\x1b[31m"},
        {"a\nb", "a\\x0ab"},
        {"\xC3(", "\\xc3("},
        {"\xE2\x80\xAE", "\\xe2\\x80\\xae"},
        {"\xC0\x80", "\\xc0\\x80"},
        {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
        {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"\xC2\x9B", "\\xc2\\x9b"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        rk_str s = {0};

        rk_str_put_safe(&s, table[i].text, strlen(table[i].text));
        CHECK_TEXT(rk_str_text(&s), table[i].want);
        rk_str_free(&s);
    }
}

static void test_edit_distance(void)
{
    CHECK_INT(rk_edit_distance("", "", 3), 0);
    CHECK_INT(rk_edit_distance("kitten", "sitting", 5), 3);
    CHECK_INT(rk_edit_distance("kitten", "sitting", 2), 3);
    CHECK_INT(rk_edit_distance("params", "param", 2), 1);
    CHECK_INT(rk_edit_distance("abc", "", 9), 3);
    CHECK_INT(rk_edit_distance("mdoels", "models", 3), 1); /* neighbours that were swapped are one slip */
    CHECK_INT(rk_edit_distance("ab", "ba", 3), 1);
    CHECK_INT(rk_edit_distance("abcd", "badc", 3), 2);
    CHECK_INT(rk_edit_distance("ca", "abc", 3), 3); /* what was swapped stays as it is */
}

/* ---- file ------------------------------------------------------------------------------------------------------- */

static void check_read(const char *path, size_t most, int want)
{
    rk_arena a = {0};
    rk_err err = {0};
    char *text = NULL;
    size_t n = 0;

    CHECK_INT(rk_file_read(&a, path, most, &text, &n, &err), want);
    if (want == RK_OK)
        CHECK_TEXT(text, "hello\n");
    else
        CHECK(text == NULL && n == 0 && strstr(err.message, path) != NULL);
    rk_arena_free(&a);
}

static void test_file(void)
{
    char folder[] = "/tmp/rk_test_XXXXXX", path[64], link[64];
    struct stat st;
    rk_err err = {0};

    if (!CHECK(mkdtemp(folder) != NULL))
        return;
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(link, sizeof link, "%s/b", folder);
    CHECK_INT(rk_file_write(path, "hello\n", 6, &err), RK_OK);
    CHECK(symlink(path, link) == 0 && chmod(path, 0640) == 0);
    CHECK_INT(rk_file_write(link, "hello\n", 6, &err), RK_OK);
    CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0640);
    check_read(path, 6, RK_OK);
    check_read(path, 5, RK_ELIMIT);
    check_read(folder, 100, RK_EIO);
    check_read("/nonexistent/file", 100, RK_EIO);
    CHECK_INT(rk_file_write(folder, "x", 1, &err), RK_EIO);
    CHECK_INT(rk_file_write("/nonexistent/x", "x", 1, &err), RK_EIO);
    CHECK_INT(rk_file_write("/dev/null", "x", 1, &err), RK_OK);
    unlink(link);
    unlink(path);
    CHECK(rmdir(folder) == 0); /* no temporary file was left behind */
}

int main(void)
{
    test_err();
    test_err_cut();
    test_arena();
    test_arena_limit();
    test_heap_failure();
    test_vec();
    test_num_edges();
    test_num_overflow();
    test_num_rounding();
    test_num_text();
    test_map();
    test_str();
    test_text_width();
    test_put_safe();
    test_edit_distance();
    test_file();
    return t_done("base");
}
