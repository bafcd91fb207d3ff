/* SPDX-License-Identifier: MIT */
#include "report/ink.h"

#include <string.h>

/* Of the sixteen colours, those that are read on light and on dark alike. */
static const char *const style[] = {
    [RK_INK_TITLE] = "1", [RK_INK_STRONG] = "1", [RK_INK_FAINT] = "2", [RK_INK_WARNING] = "31",
    [RK_INK_TYPE] = "36", [RK_INK_RIGHT] = "32", [RK_INK_SLIP] = "33", [RK_INK_DOUBTFUL] = "35",
};

/* The colours of report/svg.h, in its order, from the 256 that terminals have; and black or white on them. */
enum {
    BLUE,
    VERMILION,
    GREEN,
    PURPLE,
    ORANGE,
    SKY,
    GREY,
    OLIVE
};

static const struct {
    int colour, on;
} hue[RK_N_HUE] = {{32, 231}, {166, 231}, {36, 16}, {175, 16}, {214, 16}, {117, 16}, {245, 16}, {142, 16}};

static const struct {
    const char *name;
    int hue;
} thing[] = {
    /* parts of a model */
    {"attention", BLUE},
    {"ffn", VERMILION},
    {"experts", PURPLE},
    {"moe", PURPLE},
    {"embed", GREEN},
    {"head", ORANGE},
    {"mamba", SKY},
    {"vision", OLIVE},
    /* kinds of memory, as in a timeline */
    {"weights", BLUE},
    {"optimizer state", SKY},
    {"gradients of weights", GREEN},
    {"cache", OLIVE},
    {"saved for backward", ORANGE},
    {"gradients of activations", VERMILION},
    {"temporaries", PURPLE},
};

void rk_ink_put(rk_str *out, rk_ink ink, const char *text, size_t n)
{
    if (ink >= RK_INK_HUES && n > 0)
        rk_str_format(out, "\x1b[38;5;%dm", hue[(ink - RK_INK_HUES) % RK_N_HUE].colour);
    else if (ink != RK_INK_PLAIN && n > 0)
        rk_str_format(out, "\x1b[%sm", style[ink]);
    rk_str_putn(out, text, n);
    rk_str_put(out, ink != RK_INK_PLAIN && n > 0 ? "\x1b[0m" : "");
}

void rk_ink_put_on(rk_str *out, rk_ink ink, const char *text, size_t n)
{
    size_t i = (ink - RK_INK_HUES) % RK_N_HUE;

    rk_str_format(out, "\x1b[38;5;%d;48;5;%dm", hue[i].on, hue[i].colour);
    rk_str_putn(out, text, n);
    rk_str_put(out, "\x1b[0m");
}

rk_ink rk_ink_of_thing(const char *name)
{
    const char *times = strstr(name, " ×");
    size_t n = times ? (size_t)(times - name) : strlen(name);

    for (size_t i = n; i-- > 0;)
        if (name[i] == '.' && (i + 1 == n || name[i + 1] < '0' || name[i + 1] > '9')) {
            n -= i + 1;
            name += i + 1;
            break;
        }
    n = strcspn(name, "[") < n ? strcspn(name, "[") : n;
    for (size_t i = 0; i < sizeof thing / sizeof *thing; i++)
        if (strlen(thing[i].name) == n && memcmp(thing[i].name, name, n) == 0)
            return (rk_ink)(RK_INK_HUES + thing[i].hue);
    return (rk_ink)(RK_INK_HUES + GREY);
}
