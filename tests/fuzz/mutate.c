/* SPDX-License-Identifier: MIT */
/*
 * Mutations that keep a model file looking like one: words for words, lines for lines.  Linked to the targets that read
 * model files, with libFuzzer only.
 */
#include "fuzz.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static const char *const words[] = {
    "B",           "S",       "T",          "D",      "D'",       "F",         "N",      "H",
    "V",           "E",       "A",          "J",      "E@A",      "x",         "y",      "ids",
    "1",           "2",       "0",          "3",      "S-1",      "2S+J-1",    "..",     "(N H)",
    "(D + F)",     "_",       "i",          "{i}",    "None",     "True",      "0.5",    "9223372036854775807",
    "relu",        "softmax", "sum",        "rope",   "rmsnorm",  "layernorm", "lookup", "route",
    "top",         "first",   "repeat",     "zeros",  "position", "solve",     "place",  "stop",
    "clamped_glu", "given",   "rope_table", "linear", "min",      "max",       "ceil",   "len",
    "int",         "causal",  "full",       "window", "chunk",    "prefix",    "$n",     "$list[i]",
    "$words[i]",   "$none",   "??",         "==",     "%",        "//",        "*",      "+",
    "-",           "/",       "if",         "else",   "where",    "not",       "in",     "cross_entropy",
    "band",        "tile"};

static const char *const lines[] = {
    "let D = $width",
    "let H = D / 2",
    "let Z",
    "run B = 2",
    "run S = 8",
    "let T = S",
    "input x[B S D]",
    "incoming y[B S D]",
    "x[B S D] = x[B S D'] * .w[D D']",
    "a[B S D'], b[B S D'] = x[B S D] * .ab[(D' + D') D]",
    "s[B S S'] = x[B S D] * x[B S' D] where causal(S, S')",
    "st[B S D] = st[B S-1 D] + x",
    "part p[i < 3] at p.{i}:",
    "part q[j < $n]:",
    "if i % 2 == 0:",
    "else:",
    "    x = relu(x)",
    "        x = x * .s[D]",
    "block f(a[.. D], n = 1) -> b:",
    "    b[.. D] = a[.. D'] * .f[D D']",
    "x = f(x)",
    "keep x over S as T within 3",
    "tie .a to .w",
    "frozen .w",
    "use blocks/common.rk",
    "note \"said\" if D > 4",
    "output x",
    "beside x",
    "loss cross_entropy(x)",
};

static unsigned state;

static size_t pick(size_t n)
{
    state = state * 1664525u + 1013904223u;
    return n ? (state >> 8) % n : 0;
}

#define ONE_OF(list) ((list)[pick(sizeof(list) / sizeof *(list))])

/* Replaces data[from, to) by a text, if there is room. */
static size_t splice(uint8_t *data, size_t size, size_t most, size_t from, size_t to, const char *text, size_t n)
{
    if (size - (to - from) + n > most)
        return size;
    memmove(data + from + n, data + to, size - to);
    memcpy(data + from, text, n);
    return size - (to - from) + n;
}

static bool in_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '\'';
}

/* A random token: a word, or one byte. */
static void find_token(const uint8_t *data, size_t size, size_t *from, size_t *to)
{
    size_t at = pick(size);

    *from = at;
    *to = at + 1;
    while (in_word(data[at]) && *from > 0 && in_word(data[*from - 1]))
        --*from;
    while (in_word(data[at]) && *to < size && in_word(data[*to]))
        ++*to;
}

static void find_line(const uint8_t *data, size_t size, size_t *from, size_t *to)
{
    size_t at = pick(size);

    *from = *to = at;
    while (*from > 0 && data[*from - 1] != '\n')
        --*from;
    while (*to < size && data[*to] != '\n')
        ++*to;
    *to += *to < size;
}

static size_t change_token(uint8_t *data, size_t size, size_t most)
{
    size_t from, to, other, end;
    char copy[64];

    find_token(data, size, &from, &to);
    if (pick(2)) {
        const char *word = ONE_OF(words);

        return splice(data, size, most, from, to, word, strlen(word));
    }
    find_token(data, size, &other, &end);
    if (end - other > sizeof copy)
        return size;
    memcpy(copy, data + other, end - other);
    return splice(data, size, most, from, pick(4) ? to : from, copy, end - other);
}

static size_t change_line(uint8_t *data, size_t size, size_t most)
{
    size_t from, to, other, end;
    char copy[512];
    const char *line = ONE_OF(lines);

    find_line(data, size, &from, &to);
    switch (pick(5)) {
    case 0:
        return splice(data, size, most, from, to, "", 0);
    case 1:
        size = splice(data, size, most, from, from, "\n", 1);
        return splice(data, size, most, from, from, line, strlen(line));
    case 2:
        return splice(data, size, most, from, from, "    ", 4);
    default:
        find_line(data, size, &other, &end);
        if (end - other > sizeof copy)
            return size;
        memcpy(copy, data + other, end - other);
        return splice(data, size, most, from, pick(2) ? from : to, copy, end - other);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    state = seed;
    if (size == 0 || pick(4) == 0)
        return LLVMFuzzerMutate(data, size, most);
    for (size_t n = 1 + pick(3); n > 0 && size > 0; n--)
        size = pick(3) ? change_token(data, size, most) : change_line(data, size, most);
    return size;
}
