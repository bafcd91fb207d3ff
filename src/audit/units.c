/* SPDX-License-Identifier: MIT */
#include "audit/units.h"

#include <string.h>
#include <strings.h>

/* clang-format off */
#define SHARE(word) {word, RK_WORD_UNIT_SHARE, .power = -1}
#define SCALE(word, power_) {word, RK_WORD_UNIT_SCALE, .power = (power_)}
#define LETTER(word, power_) {word, RK_WORD_UNIT_SCALE, .power = (power_), .letter = true}
#define TENS(word, times) {word, RK_WORD_UNIT_SCALE, .num = (times), .den = 1}
#define BYTES(word, power_) {word, RK_WORD_UNIT_BYTES, .power = (power_)}
#define BINARY(word, kind, power_) {word, RK_WORD_UNIT_##kind, .power = (power_), .binary = true}
#define TIME(word, num_, den_, loosely_) {word, RK_WORD_UNIT_TIME, .num = (num_), .den = (den_), .loosely = (loosely_)}
static const rk_word_unit units[] = {
    SHARE("%"), SHARE("\\%"), SHARE("percent"), SHARE("\xEF\xBC\x85"),
    LETTER("k", 1), LETTER("K", 1), LETTER("M", 2), LETTER("G", 3), LETTER("B", 3), LETTER("T", 4),
    BINARY("Ki", SCALE, 1), BINARY("Mi", SCALE, 2), BINARY("Gi", SCALE, 3), BINARY("Ti", SCALE, 4),
    SCALE("thousand", 1), SCALE("million", 2), SCALE("mil", 2), SCALE("billion", 3), SCALE("bn", 3), SCALE("trillion", 4),
    SCALE("thousands", 1), SCALE("millions", 2), SCALE("billions", 3), SCALE("trillions", 4), SCALE("quadrillion", 5),
    SCALE("万亿", 4), TENS("亿", 100000000), TENS("十亿", 1000000000), TENS("百万", 1000000), TENS("千万", 10000000),
    TENS("万", 10000), TENS("千", 1000),
    BYTES("byte", 0), BYTES("bytes", 0), BYTES("Byte", 0), BYTES("Bytes", 0), BYTES("字节", 0),
    BYTES("kB", 1), BYTES("KB", 1), BYTES("MB", 2), BYTES("GB", 3), BYTES("gb", 3), BYTES("mb", 2), BYTES("kb", 1), BYTES("tb", 4), BYTES("TB", 4),
    BYTES("PB", 5), BYTES("KBps", 1), BYTES("MBps", 2), BYTES("GBps", 3), BYTES("TBps", 4),
    BYTES("gigabytes", 3), BYTES("megabytes", 2), BYTES("kilobytes", 1), BYTES("terabytes", 4),
    BINARY("KiB", BYTES, 1), BINARY("MiB", BYTES, 2), BINARY("GiB", BYTES, 3), BINARY("TiB", BYTES, 4),
    BINARY("gibibytes", BYTES, 3), BINARY("mebibytes", BYTES, 2),
    SCALE("Mbps", 2), SCALE("Gbps", 3), SCALE("Tbps", 4),
    TIME("ns", 1, 1000000000, 0), TIME("nanosecond", 1, 1000000000, 0), TIME("nanoseconds", 1, 1000000000, 0),
    TIME("us", 1, 1000000, 0), TIME("\xC2\xB5s", 1, 1000000, 0), TIME("\xCE\xBCs", 1, 1000000, 0), TIME("\\mu", 1, 1000000, 0),
    TIME("microsecond", 1, 1000000, 0), TIME("microseconds", 1, 1000000, 0), TIME("微秒", 1, 1000000, 0),
    TIME("ms", 1, 1000, 0), TIME("millisecond", 1, 1000, 0), TIME("milliseconds", 1, 1000, 0), TIME("毫秒", 1, 1000, 0),
    TIME("s", 1, 1, 0), TIME("sec", 1, 1, 0), TIME("secs", 1, 1, 0), TIME("second", 1, 1, 0), TIME("seconds", 1, 1, 0), TIME("秒", 1, 1, 0),
    TIME("min", 60, 1, 0), TIME("mins", 60, 1, 0), TIME("minute", 60, 1, 0), TIME("minutes", 60, 1, 0), TIME("分钟", 60, 1, 0),
    TIME("h", 3600, 1, 0), TIME("hr", 3600, 1, 0), TIME("hrs", 3600, 1, 0), TIME("hour", 3600, 1, 0), TIME("hours", 3600, 1, 0), TIME("小时", 3600, 1, 0),
    TIME("day", 86400, 1, 0), TIME("days", 86400, 1, 0), TIME("天", 86400, 1, 0),
    TIME("week", 604800, 1, 0), TIME("weeks", 604800, 1, 0), TIME("周", 604800, 1, 0),
    TIME("month", 2629800, 1, 0.02), TIME("months", 2629800, 1, 0.02), TIME("个月", 2629800, 1, 0.02),
    TIME("year", 31557600, 1, 0.001), TIME("years", 31557600, 1, 0.001), TIME("yr", 31557600, 1, 0.001), TIME("年", 31557600, 1, 0.001),
};

#define FLOPS(power_) {"flops", RK_WORD_UNIT_FLOPS, .power = (power_)}
/* With no prefix, and with each of those below. */
static const rk_word_unit flops[] = {
    FLOPS(0), FLOPS(1), FLOPS(2), FLOPS(3), FLOPS(4), FLOPS(5), FLOPS(6), FLOPS(7),
};
/* clang-format on */

bool rk_word_is_one_of(const char *word, size_t n, const char *const *list)
{
    for (; *list; list++)
        if ((*list)[0] == word[0] && strncmp(*list, word, n) == 0 && (*list)[n] == '\0')
            return true;
    return false;
}

bool rk_word_is_like(const char *word, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (((*list)[0] | 0x20) == (word[0] | 0x20) && strncasecmp(*list, word, n) == 0 && (*list)[n] == '\0')
            return true;
    return false;
}

const rk_reworded *rk_reworded_find(const rk_reworded *row, size_t n_row, const char *text, size_t n, size_t *length)
{
    for (; n_row > 0; n_row--, row++)
        for (size_t i = 0; i < sizeof row->from / sizeof *row->from && row->from[i]; i++) {
            if (text[0] != row->from[i][0])
                continue;
            *length = strlen(row->from[i]);
            if (*length <= n && memcmp(text, row->from[i], *length) == 0)
                return row;
        }
    return NULL;
}

size_t rk_word_unit_length(const char *text, size_t n)
{
    size_t longest = 0;

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].word);

        if ((unsigned char)units[i].word[0] >= 0xE0 && length <= n && length > longest &&
            memcmp(units[i].word, text, length) == 0)
            longest = length;
    }
    return longest;
}

const rk_word_unit *rk_word_unit_find(const char *word, size_t n)
{
    static const char *const operations[] = {"flop", "flops", "mac", "macs", "flop/s", NULL};
    static const struct {
        const char *word;
        int power;
    } prefix[] = {{"k", 1},    {"m", 2},    {"g", 3},    {"t", 4},    {"p", 5},    {"e", 6},   {"z", 7},
                  {"kilo", 1}, {"mega", 2}, {"giga", 3}, {"tera", 4}, {"peta", 5}, {"exa", 6}, {"zetta", 7}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].word[0] == word[0] && strncmp(units[i].word, word, n) == 0 && units[i].word[n] == '\0')
            return &units[i];
    if (rk_word_is_like(word, n, operations))
        return &flops[0];
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
        size_t length = strlen(prefix[i].word);

        if (length < n && strncasecmp(prefix[i].word, word, length) == 0 &&
            rk_word_is_like(word + length, n - length, operations))
            return &flops[prefix[i].power];
    }
    return NULL;
}

const rk_word_unit *rk_time_unit(size_t i)
{
    static const char *const word[RK_N_TIME_UNITS] = {"us",    "ms",   "seconds", "minutes",
                                                      "hours", "days", "weeks",   "years"};

    return rk_word_unit_find(word[i], strlen(word[i]));
}
