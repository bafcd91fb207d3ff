/* SPDX-License-Identifier: MIT */
#include "read/hub.h"

#include "read/dump.h"

static rk_arena arena;
static rk_err err;

static const char *const variable[] = {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HOME"};

static void forget(void)
{
    for (size_t i = 0; i < sizeof variable / sizeof *variable; i++)
        unsetenv(variable[i]);
}

static const char *find(const char *name)
{
    const char *folder = NULL;
    int rc = rk_hub_find(NULL, &arena, name, &folder, &err);

    CHECK(rc == RK_OK ? folder != NULL : folder == NULL && rc == err.code);
    if (rc == RK_OK)
        err = (rk_err){0};
    return folder;
}

/* The end of a text, from its nth slash from the right. */
static const char *tail(const char *text, int slashes)
{
    const char *at = text != NULL ? text + strlen(text) : "";

    while (text != NULL && at > text && slashes > 0)
        slashes -= *--at == '/';
    return at;
}

static void make(const char *folder, const char *path)
{
    char command[800];

    snprintf(command, sizeof command, "mkdir -p '%s/%s'", folder, path);
    CHECK(system(command) == 0);
}

/* A model with one snapshot, in a cache below `folder`. */
static void put_model(const char *folder, const char *cache, const char *name, const char *commit)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s/refs", cache, name);
    make(folder, path);
    snprintf(path, sizeof path, "%s/%s/snapshots/%s", cache, name, commit);
    make(folder, path);
    snprintf(path, sizeof path, "%s/%s/refs/main", cache, name);
    put_file(in_folder(folder, path), commit, strlen(commit), 0);
}

static void test_names(void)
{
    static const char *const good[] = {"gpt2", "openai-community/gpt2", "Qwen/Qwen3-0.6B", "a/b_c.d-e", "0/1", "_/_"};
    static const char *const bad[] = {"",     "/",      "a/",     "/a",   "a/b/c", "../x",   "a/..", ".a/b",
                                      "a/-b", "a--b/c", "a/b..c", "a/b.", "a b/c", "a/\x1b", "~/x",  "a/b@main"};
    char longest[RK_HUB_NAME_MAX + 2];

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(rk_hub_is_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!rk_hub_is_name(bad[i]));
        CHECK(find(bad[i]) == NULL);
        CHECK_INT(err.code, RK_EINPUT);
    }
    CHECK_TEXT(err.message, "'a/b@main' is no name of a model (ORG/NAME)");
    memset(longest, 'a', sizeof longest);
    longest[RK_HUB_NAME_MAX] = '\0';
    CHECK(rk_hub_is_name(longest));
    longest[RK_HUB_NAME_MAX] = 'a';
    longest[RK_HUB_NAME_MAX + 1] = '\0';
    CHECK(!rk_hub_is_name(longest));
}

/* The first variable that is set decides, as in huggingface_hub. */
static void test_places(const char *dir)
{
    forget();
    CHECK(find("a/b") == NULL);
    CHECK_TEXT(err.message, "no cache: neither HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME nor HOME is set");

    put_model(dir, "home/.cache/huggingface/hub", "models--a--b", "0001");
    put_model(dir, "xdg/huggingface/hub", "models--a--b", "0002");
    put_model(dir, "hf/hub", "models--a--b", "0003");
    put_model(dir, "old", "models--a--b", "0004");
    put_model(dir, "cache", "models--a--b", "0005");
    setenv("HOME", in_folder(dir, "home"), 1);
    CHECK_TEXT(tail(find("a/b"), 3), "/models--a--b/snapshots/0001");
    setenv("XDG_CACHE_HOME", in_folder(dir, "xdg"), 1);
    CHECK_TEXT(tail(find("a/b"), 1), "/0002");
    setenv("HF_HOME", in_folder(dir, "hf"), 1);
    CHECK_TEXT(tail(find("a/b"), 1), "/0003");
    setenv("HUGGINGFACE_HUB_CACHE", in_folder(dir, "old"), 1);
    CHECK_TEXT(tail(find("a/b"), 1), "/0004");
    setenv("HF_HUB_CACHE", in_folder(dir, "cache"), 1);
    CHECK_TEXT(tail(find("a/b"), 1), "/0005");
    setenv("HF_HUB_CACHE", "", 1); /* as if it were not set */
    CHECK_TEXT(tail(find("a/b"), 1), "/0004");
    setenv("HF_HUB_CACHE", "~/.cache/huggingface/hub", 1);
    CHECK_TEXT(tail(find("a/b"), 1), "/0001");
}

static void test_snapshots(const char *dir)
{
    const char *main = in_folder(dir, "cache/models--a--b/refs/main");
    const char *cut = in_folder(dir, "cache/models--c--d/snapshots");

    forget();
    setenv("HF_HUB_CACHE", in_folder(dir, "cache"), 1);
    put_model(dir, "cache", "models--gpt2", "abc");
    CHECK_TEXT(tail(find("gpt2"), 3), "/models--gpt2/snapshots/abc");
    CHECK(find("a/c") == NULL);
    CHECK(strstr(err.message, "a/c: not in the local cache, and nothing is fetched; looked for ") == err.message);
    CHECK(strstr(err.message, "/cache/models--a--c (HF_HUB_CACHE is set)") != NULL);

    /* Spaces at the end are nothing; other things are no commit. */
    put_file(main, "0005\n", 5, 0);
    CHECK_TEXT(tail(find("a/b"), 1), "/0005");
    put_file(main, "../../x", 7, 0);
    CHECK(find("a/b") == NULL);
    CHECK_TEXT(tail(err.message, 2), "/refs/main: byte 0: does not name a commit (128 letters and digits at most)");
    put_file(main, "0005", 4, 200);
    CHECK(find("a/b") == NULL);
    put_file(main, "", 0, 0);
    CHECK(find("a/b") == NULL);
    put_file(main, "9999", 4, 0);
    CHECK(find("a/b") == NULL);
    CHECK(strstr(err.message, "/snapshots/9999: is not there, though ") != NULL);

    /* Without it, a single snapshot will do. */
    CHECK(unlink(main) == 0);
    CHECK_TEXT(tail(find("a/b"), 1), "/0005");
    make(dir, "cache/models--a--b/snapshots/0006");
    CHECK(find("a/b") == NULL);
    CHECK(strstr(err.message, "/snapshots: holds 2 snapshots, and refs/main beside it does not say") != NULL);
    make(dir, "cache/models--c--d");
    CHECK(find("c/d") == NULL);
    CHECK(strncmp(err.message, cut, strlen(cut)) == 0);

    /* A pipe in its place is not waited for. */
    CHECK(mkfifo(main, 0600) == 0);
    CHECK(find("a/b") == NULL);
    CHECK_INT(err.code, RK_EIO);
    CHECK(unlink(main) == 0);
}

/* Each allocation fails in turn, from the heap and from the arena. */
static void test_memory(const char *name)
{
    rk_arena enough = {0};
    const char *folder = NULL;

    rk_heap_fail_after(0);
    CHECK_INT(rk_hub_find(NULL, &enough, name, &folder, &err), RK_ENOMEM);
    rk_heap_fail_after(-1);
    CHECK_INT(rk_hub_find(NULL, &enough, name, &folder, &err), RK_OK);
    for (size_t limit = 1; limit < enough.used; limit++) {
        rk_arena small = {.limit = limit};

        folder = NULL;
        CHECK_INT(rk_hub_find(NULL, &small, name, &folder, &err), RK_ENOMEM);
        CHECK(folder == NULL && small.used == 0);
        rk_arena_free(&small);
    }
    rk_arena_free(&enough);
}

int main(void)
{
    const char *dir = new_folder();

    test_names();
    test_places(dir);
    test_snapshots(dir);
    put_model(dir, "cache", "models--x--y", "0123456789abcdef0123456789abcdef01234567");
    test_memory("x/y");
    CHECK(unlink(in_folder(dir, "cache/models--x--y/refs/main")) == 0);
    test_memory("x/y");
    clean(dir);
    rk_arena_free(&arena);
    return t_done("hub");
}
