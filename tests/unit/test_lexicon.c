/* SPDX-License-Identifier: MIT */
/* The lexicon: units and words are what the file says, and a broken row is refused with its line. */
#include "../lexicon.h"
#include "../t.h"

#include "base/str.h"
#include "model/embed.h"

static const rk_lexicon *l;

/* ---- what it says ------------------------------------------------------------------------------------------------ */

static const rk_word_unit *unit(const char *word)
{
    static const rk_word_unit none;
    const rk_word_unit *u = rk_lexicon_unit(l, word, strlen(word));

    return u ? u : &none;
}

static void test_units(void)
{
    CHECK(unit("GB")->kind == RK_WORD_UNIT_BYTES && unit("GB")->power == 3 && !unit("GB")->binary);
    CHECK(unit("GiB")->power == 3 && unit("GiB")->binary);
    CHECK(unit("GB") != unit("gb") && unit("m")->letter && unit("M")->letter);
    CHECK(unit("%")->num == 1 && unit("%")->den == 100);
    CHECK(unit("亿")->num == 100000000 && unit("months")->loosely > 0.019 && unit("months")->loosely < 0.021);
    CHECK(unit("TFLOPs") == unit("teraflops") && unit("TFLOPs")->power == 4);
    CHECK(unit("flops") == unit("MACs") && unit("flops")->power == 0 && unit("parsecs")->kind == RK_WORD_UNIT_NONE);
    CHECK_INT(rk_lexicon_unit_length(l, "十亿参数", strlen("十亿参数")), strlen("十亿"));
}

static unsigned in(rk_words use, const char *text)
{
    return rk_lexicon_in(l, use, text, strlen(text));
}

static void test_words(void)
{
    CHECK(rk_lexicon_is(l, RK_WORDS_TOTAL, "Total", 5) && !rk_lexicon_is(l, RK_WORDS_TOTAL, "totality", 8));
    CHECK(rk_lexicon_is(l, RK_WORDS_TOTAL, "total_flops", 11) && rk_lexicon_is(l, RK_WORDS_SUBTOTAL, "每层", 6));
    CHECK(!rk_lexicon_is(l, RK_WORDS_LABEL_END, "For", 3) && rk_lexicon_is(l, RK_WORDS_LABEL_END, "for", 3));
    CHECK(in(RK_WORDS_SAID, "Per Layers, without it") == (RK_SAID_ONE | RK_SAID_ALL | RK_SAID_WITHOUT));
    CHECK(in(RK_WORDS_SAID, "a headache") == 0 && in(RK_WORDS_CACHE, "the KVs") == 1);
    CHECK(rk_lexicon_begins(l, RK_WORDS_PHRASE, "qk^t v", 6)->n == 4);
    CHECK_TEXT(rk_lexicon_is(l, RK_WORDS_NAME, "q_proj", 6)->value, "q");
    CHECK(l->weight[RK_WEIGH_OWN] == 6 && l->weight[RK_WEIGH_PASS] == -3 && l->weight[RK_WEIGH_NEAR] == 0.015);
}

/* ---- broken rows ------------------------------------------------------------------------------------------------- */

/* The embedded file without the lines that begin with a text, and with a row after it. */
static const char *read_with(const char *without, const char *row)
{
    static char message[sizeof((rk_err){0}).message];
    rk_files *files = rk_files_new(false, false);
    rk_arena arena = {0};
    rk_library library = {.folder = "own", .files = files};
    rk_lexicon out;
    rk_err err = {0};
    rk_str s = {0};
    const char *at = NULL;

    for (size_t i = 0; i < rk_n_embedded_file; i++)
        if (strcmp(rk_embedded_file[i].path, RK_LEXICON_FILE) == 0)
            at = rk_embedded_file[i].text;
    for (size_t n; CHECK(at != NULL) && *at; at += n) {
        n = strcspn(at, "\n") + 1;
        if (!*without || strncmp(at, without, strlen(without)) != 0)
            rk_str_putn(&s, at, n);
    }
    rk_str_put(&s, row);
    CHECK(rk_files_put(files, "own/" RK_LEXICON_FILE, s.text, s.n, s.n, NULL) == RK_OK);
    CHECK(rk_lexicon_read(&library, &arena, &out, &err) == (err.message[0] ? RK_EINPUT : RK_OK));
    snprintf(message, sizeof message, "%s", err.message);
    rk_str_free(&s);
    rk_arena_free(&arena);
    rk_files_free(files);
    return message;
}

static void test_broken(void)
{
    static const struct {
        const char *without, *row, *says;
    } broken[] = {
        {"", "unit\t1000^3 bytes\tGo", "no row of use, value, words and note"},
        {"", "unit\t1000^3 bytes\tGo\t", "no row of use, value, words and note"},
        {"", "unit\t1000^3 bytes\tGo\ta\tb", "no row of use, value, words and note"},
        {"", "unit\t1000^3 bytes\tG\033o\tan octet", "no row of use, value, words and note"},
        {"", "units\t1000^3 bytes\tGo\tan octet", "nothing is used so: 'units'"},
        {"", "unit\t1000^8 bytes\tGo\tan octet", "this is no factor: '1000^8 bytes'"},
        {"", "unit\t999^3 bytes\tGo\tan octet", "this is no factor"},
        {"", "unit\t0 bytes\tGo\tan octet", "this is no factor"},
        {"", "unit\t1/ time\tblink\ta time", "this is no factor"},
        {"", "unit\t1000^3 octets\tGo\tan octet", "this is no unit: '1000^3 octets'"},
        {"", "unit\t60 time 2\tblink\ta time", "this is no unit"},
        {"", "unit\t1000^3 bytes\tGB\tan octet", "a word that this use has already: 'GB'"},
        {"", "prefix\t1000^3\tgiga\tagain", "a word that this use has already: 'giga'"},
        {"", "said\tperhaps\tmaybe\ta doubt", "no value of this use: 'perhaps'"},
        {"", "total\tyes\tgrand\ta total", "no value of this use: 'yes'"},
        {"", "total\t-\tgrand||whole\ta total", "an empty word"},
        {"", "total\t-\t*\ta total", "an empty word"},
        {"", "total\t-\toverall\ta total", "a word that this use has already: 'overall'"},
        {"", "weight\tluck\t7\tpoints", "no value of this use: 'luck'"},
        {"", "weight\town\t7\tpoints", "a second weight of that name: 'own'"},
        {"weight\town\t", "weight\town\t6.\tpoints", "this is no number: '6.'"},
        {"weight\town\t", "", "a weight is missing"},
        {"cache\t", "", "no words are used so: 'cache'"},
        {"", "period\t-\tGB\ta time", "this is no unit of time: 'GB'"},
        {"", "unit\t1000^3 bytes\tGo\tan octet", ""},
    };

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const char *message = read_with(broken[i].without, broken[i].row);

        if (!CHECK(broken[i].says[0] ? strstr(message, broken[i].says) && strstr(message, RK_LEXICON_FILE ":")
                                     : message[0] == '\0'))
            printf("    %s: %s\n", broken[i].row, message);
    }
}

/* Wherever memory ends, that is what is said. */
static void test_memory(void)
{
    for (long n = 0, code = RK_ENOMEM; n < 1000 && code != RK_OK; n++) {
        rk_arena arena = {0};
        rk_lexicon out;

        rk_heap_fail_after(n);
        code = rk_lexicon_read(&(rk_library){0}, &arena, &out, NULL);
        rk_heap_fail_after(-1);
        CHECK(code == RK_OK || code == RK_ENOMEM);
        rk_arena_free(&arena);
    }
}

int main(void)
{
    l = t_lexicon();
    test_units();
    test_words();
    test_broken();
    test_memory();
    return t_done("lexicon");
}
