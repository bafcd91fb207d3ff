/* SPDX-License-Identifier: MIT */
/* Files from memory: what is read by name is the same as from the disk, and no more than what was given. */
#include "base/files.h"

#include "account/ledger.h"
#include "plan/open.h"
#include "plan/tokens.h"
#include "read/dump.h"
#include "read/hub.h"
#include "report/report.h"

static rk_arena arena;
static rk_err err;

static void give(rk_files *f, const char *name, const char *text)
{
    CHECK_INT(rk_files_put(f, name, text, strlen(text), 0, &err), RK_OK);
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static int note(void *self, const char *name, rk_err *e)
{
    (void)e;
    rk_str_format(self, "%s ", name);
    return RK_OK;
}

static void check_list(const rk_files *f, const char *folder, const char *want)
{
    rk_str got = {0};

    CHECK_INT(rk_files_list(f, folder, note, &got, NULL, &err), RK_OK);
    CHECK_TEXT(rk_str_text(&got), want);
    rk_str_free(&got);
}

static void check_read(const rk_files *f, const char *name, const char *want)
{
    char *text = NULL;
    size_t n = 0;

    if (CHECK_INT(rk_files_read(f, &arena, name, 1 << 20, &text, &n, &err), RK_OK)) {
        CHECK_TEXT(text, want);
        CHECK_INT(n, strlen(want));
    }
}

static void check_unread(const rk_files *f, const char *name, int code, const char *message)
{
    char *text = NULL;
    size_t n = 0;

    CHECK_INT(rk_files_read(f, &arena, name, 1 << 20, &text, &n, &err), code);
    CHECK(text == NULL);
    CHECK_TEXT(err.message, message);
}

static void test_names(void)
{
    rk_files *f = rk_files_new(false, false);
    rk_input in = {0};
    bool there = true, opened = true;

    give(f, "a/b/c.rk", "one");
    give(f, "./a//x/../b.rk", "two");
    give(f, "top.json", "three");
    give(f, "/abs/d.rk", "four");
    give(f, "../up.rk", "five");
    give(f, "a-b", "six");
    give(f, "a/b/e.rk", "");
    check_read(f, "a/b.rk", "two");
    check_read(f, "./a/b/../b/c.rk", "one");
    check_read(f, "a/../../up.rk", "five");
    check_read(f, "/../abs//d.rk", "four");
    check_read(f, "a/b/e.rk", "");
    CHECK_INT(rk_files_kind(f, "a"), RK_PATH_FOLDER);
    CHECK_INT(rk_files_kind(f, "a/b/"), RK_PATH_FOLDER);
    CHECK_INT(rk_files_kind(f, "."), RK_PATH_FOLDER);
    CHECK_INT(rk_files_kind(f, ".."), RK_PATH_FOLDER);
    CHECK_INT(rk_files_kind(f, "/"), RK_PATH_FOLDER);
    CHECK_INT(rk_files_kind(f, "/abs/"), RK_PATH_FOLDER);
    CHECK_INT(rk_files_kind(f, "top.json"), RK_PATH_FILE);
    CHECK_INT(rk_files_kind(f, "abs"), RK_PATH_NONE);
    CHECK_INT(rk_files_kind(f, "a/b/c"), RK_PATH_NONE);
    CHECK_INT(rk_files_kind(f, "models"), RK_PATH_NONE); /* of the disk, which is off */
    CHECK_INT(rk_files_put(f, "a/b", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_INT(rk_files_put(f, "a/b.rk/c", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_TEXT(err.message, "a/b.rk/c: a name is that of a file or of a folder, not of both");
    check_list(f, "a", "b.rk b ");
    check_list(f, "a/b", "c.rk e.rk ");
    check_list(f, ".", "a-b a top.json ");
    check_list(f, "/", "abs ");
    check_unread(f, "a", RK_EIO, "a: is a directory");
    check_unread(f, "a/c.rk", RK_EIO, "a/c.rk: cannot read: No such file or directory");
    check_unread(f, "models/gpt2.rk", RK_EIO, "models/gpt2.rk: cannot read: No such file or directory");
    check_unread(f, "-", RK_EIO, "standard input: is not there");
    CHECK_INT(rk_files_list(f, "models", note, NULL, &opened, &err), RK_EIO);
    CHECK(!opened);
    CHECK_INT(rk_files_open(f, &in, "models/gpt2.rk", &there, &err), RK_OK);
    CHECK(!there);
    CHECK_INT(rk_files_open(f, &in, "a", &there, &err), RK_EIO);
    CHECK_TEXT(err.message, "a: is a directory; a header is read from a regular file");
    CHECK(rk_files_is_below(f, "a/.", "a/b/c.rk"));
    CHECK(rk_files_is_below(f, ".", "a/b.rk"));
    CHECK(rk_files_is_below(f, "a/b/../.", "a/b/../b.rk"));
    CHECK(!rk_files_is_below(f, "a/b/.", "a/b/../b.rk"));
    CHECK(!rk_files_is_below(f, ".", "../up.rk"));
    CHECK(!rk_files_is_below(f, ".", "/abs/d.rk"));
    CHECK(!rk_files_is_below(f, "models/.", "models/gpt2.rk"));
    /* Standard input is not the file of that name, of which checkpoints can be read. */
    give(f, "-", "typed");
    check_read(f, "-", "typed");
    check_read(f, "-", "typed");
    CHECK_INT(rk_files_kind(f, "./-"), RK_PATH_NONE);
    give(f, "./-", "a file");
    check_read(f, "./-", "a file");
    check_read(f, "-", "typed");
    rk_files_free(f);
}

static void test_changes(void)
{
    rk_files *f = rk_files_new(false, false);
    uint64_t version = rk_files_version(f);
    char *text = NULL, longest[RK_FILES_NAME_MAX + 1];
    size_t n = 0;

    CHECK_INT(rk_files_version(NULL), 0);
    give(f, "b", "1");
    CHECK(rk_files_version(f) > version);
    version = rk_files_version(f);
    give(f, "b", "22");
    check_read(f, "b", "22");
    CHECK(rk_files_version(f) > version);
    version = rk_files_version(f);
    give(f, "a", "0");
    CHECK_INT(rk_files_put(f, "b", NULL, 0, 0, &err), RK_OK);
    CHECK_INT(rk_files_put(f, "no such", NULL, 0, 0, &err), RK_OK);
    CHECK(rk_files_version(f) > version);
    check_read(f, "a", "0");
    check_unread(f, "b", RK_EIO, "b: cannot read: No such file or directory");
    give(f, "-", "x");
    CHECK_INT(rk_files_put(f, "-", NULL, 0, 0, &err), RK_OK);
    check_unread(f, "-", RK_EIO, "standard input: is not there");
    /* The first bytes of a file are no whole. */
    CHECK_INT(rk_files_put(f, "c", "xyz", 3, 10, &err), RK_OK);
    check_unread(f, "c", RK_EIO, "c: has 10 bytes, only the first 3 are given");
    CHECK_INT(rk_files_read(f, &arena, "c", 9, &text, &n, &err), RK_ELIMIT);
    CHECK_TEXT(err.message, "c: larger than 9 bytes");
    CHECK_INT(rk_files_put(f, "", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_INT(rk_files_put(f, "./", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_INT(rk_files_put(f, "..", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_INT(rk_files_put(f, "a/../..", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_INT(rk_files_put(f, "/", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_INT(rk_files_put(f, "d/", "x", 1, 0, &err), RK_EUSAGE);
    CHECK_TEXT(err.message, "'d/' is no name of a file");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK_INT(rk_files_put(f, longest, "x", 1, 0, &err), RK_ELIMIT);
    CHECK_INT(rk_files_kind(f, longest), RK_PATH_NONE);
    longest[RK_FILES_NAME_MAX - 1] = '\0';
    CHECK_INT(rk_files_put(f, longest, "x", 1, 0, &err), RK_OK);
    CHECK_INT(rk_files_kind(f, longest), RK_PATH_FILE);
    rk_files_free(f);
    rk_files_free(NULL);
}

static void test_no_memory(void)
{
    for (long i = 0; i < 8; i++) {
        rk_files *f;

        rk_heap_fail_after(i);
        f = rk_files_new(false, false);
        for (int k = 0; f && k < 2; k++)
            if (rk_files_put(f, k ? "b" : "a", "text", 4, 0, &err) != RK_OK)
                CHECK_INT(err.code, RK_ENOMEM);
        rk_heap_fail_after(-1);
        if (i == 7)
            check_read(f, "b", "text");
        rk_files_free(f);
    }
}

/* Memory comes before the disk, whose other files are still there. */
static void test_both(void)
{
    const char *folder = new_folder();
    rk_files *f = rk_files_new(true, false);
    rk_str got = {0};

    put_file(in_folder(folder, "a"), "disk", 4, 0);
    put_file(in_folder(folder, "b"), "disk", 4, 0);
    give(f, in_folder(folder, "b"), "memory");
    give(f, in_folder(folder, "c/d"), "memory");
    check_read(f, in_folder(folder, "a"), "disk");
    check_read(f, in_folder(folder, "b"), "memory");
    check_read(NULL, in_folder(folder, "b"), "disk");
    CHECK_INT(rk_files_list(f, folder, note, &got, NULL, &err), RK_OK);
    CHECK(strncmp(rk_str_text(&got), "b c ", 4) == 0 && strstr(rk_str_text(&got), " a ") != NULL);
    CHECK(strstr(rk_str_text(&got) + 2, " b ") == NULL);
    CHECK(rk_files_is_below(f, folder, in_folder(folder, "a")));
    CHECK(rk_files_is_below(f, folder, in_folder(folder, "b")));
    CHECK(symlink("/etc/passwd", in_folder(folder, "link")) == 0);
    CHECK(!rk_files_is_below(f, folder, in_folder(folder, "link")));
    rk_str_free(&got);
    rk_files_free(f);
    clean(folder);
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

/* All that is said of what a word names, with files of a library and a shelf (or NULL); an error, as its message. */
static char *answer(const rk_library *library, rk_shelf *shelf, const char *word, rk_find_want want)
{
    rk_str s = {0};
    rk_open_request r = {.shelf = shelf, .word = &word, .n_word = 1, .library = *library, .mistakes = &s};
    rk_report report = {.format = RK_FORMAT_JSON, .out = &s};
    rk_params_options params = {.all = true};
    rk_flops_options flops = {0};
    rk_convention c = {0};
    rk_opened opened;
    rk_ledger *l = NULL;
    char *text;
    int code = rk_open_all(&r, want, &opened, &err);

    if (code != RK_OK) {
        text = rk_arena_text(&arena, s.n ? rk_str_text(&s) : err.message);
        rk_str_free(&s);
        return text;
    }
    report.opened = &opened;
    if (opened.store) {
        put_store(&s, opened.store);
        CHECK_INT(rk_report_stored(&report, &opened, &params, &err), RK_OK);
    }
    if (opened.instance && CHECK_INT(rk_ledger_new(opened.instance, &c, &l, &err), RK_OK)) {
        CHECK_INT(rk_report_params(&report, l, &params, &err), RK_OK);
        CHECK_INT(rk_report_flops(&report, l, &flops, &err), RK_OK);
    }
    rk_str_format(&s, "%s %s\n", opened.name, opened.store_name ? opened.store_name : "");
    text = rk_arena_text(&arena, rk_str_text(&s));
    rk_ledger_free(l);
    rk_opened_free(&opened);
    rk_str_free(&s);
    return text;
}

/* Gives a file of the disk, of which the first bytes may stand for all. */
static void give_copy(rk_files *f, const char *name, const char *path, uint64_t size)
{
    size_t n = 0;
    const char *bytes = get_file(&arena, path, &n);

    CHECK_INT(rk_files_put(f, name, bytes, n, size, &err), RK_OK);
}

/* The same bytes from memory without a disk as from the disk, and both some. */
static void check_same(rk_files *f, const char *word, rk_find_want want, const char *has)
{
    rk_library disk = {0}, memory = {.files = f};
    const char *got = answer(&memory, NULL, word, want), *wanted = answer(&disk, NULL, word, want);

    CHECK_TEXT(got, wanted);
    if (!CHECK(strstr(got, has) != NULL))
        printf("    %s\n", got);
}

#define MODEL                                                                                                          \
    "model m: \"one layer\"\nuse parts/linear.rk\nuse ../beside.rk\nlet D = %d \"width\"\nrun B = 3 \"rows\"\n"        \
    "input x[B D]\ny = lin(x)\nz = other(y)\noutput z\n"
#define LINEAR "use deep/more.rk\nblock lin(x[B D]) -> y:\n    y[B D'] = x[B D] * .w[D' D]\n"
#define BESIDE "block other(x[B D]) -> y:\n    y[B D'] = x[B D] * .v[D' D]\n"

static const char *model_of(int width)
{
    return rk_arena_format(&arena, MODEL, width);
}

static void test_answers(void)
{
    static const char *const shard[] = {"model.safetensors.index.json", "model-00001-of-00002.safetensors",
                                        "model-00002-of-00002.safetensors"};
    const char *folder = new_folder();
    rk_files *f = rk_files_new(false, false);

    /* A model file and those that it uses: below it, beside one of these, and above it. */
    const char *text[][2] = {{"top/m.rk", model_of(64)},
                             {"top/parts/linear.rk", LINEAR},
                             {"top/parts/deep/more.rk", "block unused(x[B D]) -> y:\n    y = x\n"},
                             {"beside.rk", BESIDE}};

    CHECK(mkdir(in_folder(folder, "top"), 0777) == 0 && mkdir(in_folder(folder, "top/parts"), 0777) == 0 &&
          mkdir(in_folder(folder, "top/parts/deep"), 0777) == 0);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        put_file(in_folder(folder, text[i][0]), text[i][1], strlen(text[i][1]), 0);
        give(f, in_folder(folder, text[i][0]), text[i][1]);
    }
    check_same(f, in_folder(folder, "top/m.rk"), RK_FIND_MODEL, "\"formula\": \"4BD²\"");
    check_same(f, in_folder(folder, "top/./parts/../m.rk"), RK_FIND_MODEL, "\"formula\": \"4BD²\"");
    give_copy(f, "models/named/gpt2.json", "models/named/gpt2.json", 0);
    check_same(f, "models/named/gpt2.json", RK_FIND_MODEL, "124439808");
    give_copy(f, FIXTURES "plain.safetensors", FIXTURES "plain.safetensors", 0);
    check_same(f, FIXTURES "plain.safetensors", RK_FIND_ANY, "meta\t");
    for (int i = 1; i <= 3; i++) {
        const char *path = rk_arena_format(&arena, FIXTURES "split-0000%d-of-00003.gguf", i);

        give_copy(f, path, path, 0);
    }
    check_same(f, FIXTURES "split-00002-of-00003.gguf", RK_FIND_TENSORS, "split.count");
    for (size_t i = 0; i < 3; i++)
        give_copy(f, rk_arena_format(&arena, FIXTURES "sharded/%s", shard[i]),
                  rk_arena_format(&arena, FIXTURES "sharded/%s", shard[i]), 0);
    check_same(f, FIXTURES "sharded", RK_FIND_ANY, "total_size");
    check_same(f, FIXTURES "sharded/", RK_FIND_TENSORS, "total_size");
    check_same(f, FIXTURES "sharded/model.safetensors.index.json", RK_FIND_TENSORS, "total_size");
    rk_files_free(f);
    clean(folder);
}

/* Of a GGUF file whose header alone is given, the equations; of a folder, those of its config and its tensors. */
static void test_headers(void)
{
    const char *folder = new_folder(), *path = in_folder(folder, "a.gguf");
    rk_files *f = rk_files_new(false, false);
    rk_library memory = {.files = f};
    size_t n = 0;
    const char *head = get_file(&arena, "tests/gguf/arcee.head", &n), *first;

    put_file(path, head, n, 1380192);
    CHECK_INT(rk_files_put(f, path, head, n, 1380192, &err), RK_OK);
    check_same(f, path, RK_FIND_ANY, "\"symbols\"");
    give_copy(f, "model/config.json", "models/named/gpt2.json", 0);
    give_copy(f, "model/model.safetensors", FIXTURES "plain.safetensors", 0);
    first = answer(&memory, NULL, "model", RK_FIND_BOTH);
    CHECK(strstr(first, "meta\t") && strstr(first, "124439808") && strstr(first, "\nmodel model\n"));
    CHECK(strstr(answer(&memory, NULL, "model/model.safetensors", RK_FIND_ANY), "124439808"));
    CHECK(strstr(answer(&memory, NULL, "model/", RK_FIND_MODEL), "124439808"));
    rk_files_free(f);
    clean(folder);
}

/* ---- what is not there ------------------------------------------------------------------------------------------- */

static void test_absent(void)
{
    rk_files *f = rk_files_new(false, false);
    rk_library memory = {.files = f};
    const char *folder = NULL;

    give(f, "leads-out.rk", "model m: \"m\"\nuse parts/../../out.rk\nrun B = 1\ninput x[B]\noutput x\n");
    give(f, "../out.rk", BESIDE);
    CHECK_TEXT(answer(&memory, NULL, "models/named/gpt2.json", RK_FIND_MODEL),
               "models/named/gpt2.json: cannot read: No such file or directory");
    CHECK_TEXT(answer(&memory, NULL, "models/block.rk", RK_FIND_MODEL),
               "models/block.rk: cannot read: No such file or directory");
    CHECK_TEXT(answer(&memory, NULL, FIXTURES "plain.safetensors", RK_FIND_ANY),
               FIXTURES "plain.safetensors: cannot read: No such file or directory");
    CHECK_TEXT(answer(&memory, NULL, "-", RK_FIND_MODEL), "standard input: is not there");
    CHECK_TEXT(answer(&memory, NULL, "some/nothing", RK_FIND_MODEL),
               "some/nothing: is not among the files that are given, and there is no disk to look on");
    CHECK_INT(rk_hub_find(f, &arena, "some/model", &folder, &err), RK_EINPUT);
    /* A used file that lies higher than its path says is not read, from memory neither. */
    CHECK_TEXT(answer(&memory, NULL, "leads-out.rk", RK_FIND_MODEL),
               "leads-out.rk:2:1: parts/../../out.rk: a link in it leads out of the folder, and is not followed\n"
               "    use parts/../../out.rk\n    ^^^^^^^^^^^^^^^^^^^^^^\n");
    CHECK(strstr(answer(&memory, NULL, "gpt2", RK_FIND_MODEL), "124439808") != NULL);
    rk_files_free(f);
}

/* ---- a library from memory --------------------------------------------------------------------------------------- */

static void test_library(void)
{
    rk_files *f = rk_files_new(false, false);
    rk_library l = {.folder = "mine", .files = f}, none = {0};
    rk_library_entry *e = NULL;
    size_t n = 0, n_known = 0, n_own = 0;

    CHECK_INT(rk_library_list(&none, &arena, &e, &n_known, &err), RK_OK);
    CHECK_INT(rk_library_list(&l, &arena, &e, &n, &err), RK_OK);
    CHECK_INT(n, n_known);
    give(f, "mine/own.rk",
         "model own: \"own\"\nfamily \"own\"\nuse blocks/own.rk\nlet D = $d\nrun B = 1\ninput x[B D]\ny = other(x)\n"
         "output y\n");
    give(f, "mine/blocks/own.rk", BESIDE);
    give(f, "mine/named/own-1.json", "{\"model_type\": \"own\", \"d\": 7}");
    CHECK_INT(rk_library_list(&l, &arena, &e, &n, &err), RK_OK);
    for (size_t i = 0; i < n; i++)
        n_own += strcmp(e[i].name, "own") == 0 || strcmp(e[i].name, "own-1") == 0;
    CHECK_INT(n, n_known + 2);
    CHECK_INT(n_own, 2);
    CHECK(strstr(answer(&l, NULL, "own-1", RK_FIND_MODEL), "\"symbols\": {\"D\": 7") != NULL);
    give(f, "-", "{\"model_type\": \"own\", \"d\": 9}");
    CHECK(strstr(answer(&l, NULL, "-", RK_FIND_MODEL), "\"symbols\": {\"D\": 9") != NULL);
    rk_files_free(f);
}

static void test_kept_input(void)
{
    rk_files *f = rk_files_new(false, false);
    const char *word = "-";
    rk_open_request r = {.word = &word, .n_word = 1, .library = {.files = f}};

    CHECK_INT(rk_tokens_keep_input(&arena, &r, &err), RK_EIO);
    give(f, "-", "{}");
    CHECK_INT(rk_tokens_keep_input(&arena, &r, &err), RK_OK);
    CHECK_TEXT(r.config.text, "{}");
    rk_files_free(f);
}

/* ---- one name, several contents ---------------------------------------------------------------------------------- */

/* A shelf lets go of what was asked for longest ago, and answers all the same afterwards. */
static void test_shelf_trim(void)
{
    rk_files *files = rk_files_new(false, false);
    rk_library library = {.files = files};
    rk_shelf *shelf = rk_shelf_new();
    char name[32], symbols[32];

    give(files, "top/parts/linear.rk", BESIDE "block lin(x[B D]) -> y:\n    y[B D'] = x[B D] * .w[D' D]\n");
    give(files, "beside.rk", "");
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "top/m%d.rk", i);
        give(files, name, model_of(8 << i));
    }
    for (int i = 0; i < 24; i++) {
        snprintf(name, sizeof name, "top/m%d.rk", i % 8);
        snprintf(symbols, sizeof symbols, "\"symbols\": {\"D\": %d", 8 << i % 8);
        CHECK(strstr(answer(&library, shelf, name, RK_FIND_MODEL), symbols) != NULL);
        CHECK_INT(rk_shelf_trim(shelf, 3), i < 3 ? i + 1 : 3);
    }
    CHECK_INT(rk_shelf_trim(shelf, 0), 0);
    CHECK(strstr(answer(&library, shelf, name, RK_FIND_MODEL), symbols) != NULL);
    rk_shelf_free(shelf);
    rk_files_free(files);
}

/* On one shelf, two sets of files do not see each other's, nor does one what it had before. */
static void test_shelf(void)
{
    rk_files *one = rk_files_new(false, false), *two = rk_files_new(false, false);
    rk_library first = {.files = one}, second = {.files = two};
    rk_shelf *shelf = rk_shelf_new();

    give(one, "top/m.rk", model_of(64));
    give(two, "top/m.rk", model_of(32));
    for (size_t i = 0; i < 2; i++) {
        give(i ? two : one, "top/parts/linear.rk", BESIDE "block lin(x[B D]) -> y:\n    y[B D'] = x[B D] * .w[D' D]\n");
        give(i ? two : one, "beside.rk", "");
    }
    for (size_t i = 0; i < 2; i++) {
        CHECK(strstr(answer(&first, shelf, "top/m.rk", RK_FIND_MODEL), "\"symbols\": {\"D\": 64") != NULL);
        CHECK(strstr(answer(&second, shelf, "top/m.rk", RK_FIND_MODEL), "\"symbols\": {\"D\": 32") != NULL);
    }
    give(one, "top/m.rk", model_of(16));
    CHECK(strstr(answer(&first, shelf, "top/m.rk", RK_FIND_MODEL), "\"symbols\": {\"D\": 16") != NULL);
    CHECK(strstr(answer(&second, shelf, "top/m.rk", RK_FIND_MODEL), "\"symbols\": {\"D\": 32") != NULL);
    /* What is used counts, too. */
    give(one, "top/parts/linear.rk", BESIDE "block lin(x[B D]) -> y:\n    y = x\n");
    CHECK(strstr(answer(&first, shelf, "top/m.rk", RK_FIND_MODEL), "\"formula\": \"2BD²\"") != NULL);
    CHECK_INT(rk_files_put(one, "top/m.rk", NULL, 0, 0, &err), RK_OK);
    CHECK_TEXT(answer(&first, shelf, "top/m.rk", RK_FIND_MODEL), "top/m.rk: cannot read: No such file or directory");
    rk_shelf_free(shelf);
    rk_files_free(one);
    rk_files_free(two);
}

int main(void)
{
    test_names();
    test_changes();
    test_no_memory();
    test_both();
    test_answers();
    test_headers();
    test_absent();
    test_library();
    test_kept_input();
    test_shelf();
    test_shelf_trim();
    rk_arena_free(&arena);
    return t_done("files");
}
