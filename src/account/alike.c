/* SPDX-License-Identifier: MIT */
#include "account/alike.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS_MAX = 9,
    RANGES_MAX = 4 /* of one number in a name; more are cut short */
};

/* Whether a word of a name is a running number, which its digits alone give back. */
static bool is_number(const char *word, size_t n, uint32_t *out)
{
    *out = 0;
    if (n == 0 || n > DIGITS_MAX || (word[0] == '0' && n > 1))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        *out = 10 * *out + (uint32_t)(word[i] - '0');
    }
    return true;
}

/* Puts the name with a NUL, which no name has, for each number; how many there are. */
static size_t reduce(rk_str *pattern, const char *name, uint32_t number[RK_ALIKE_NUMBERS_MAX])
{
    size_t n_number = 0, n;

    rk_str_reset(pattern);
    for (const char *word = name;; word += n + 1) {
        n = strcspn(word, ".");
        if (n_number < RK_ALIKE_NUMBERS_MAX && is_number(word, n, &number[n_number])) {
            rk_str_putc(pattern, '\0');
            n_number++;
        } else {
            rk_str_putn(pattern, word, n);
        }
        if (word[n] == '\0')
            return n_number;
        rk_str_putc(pattern, '.');
    }
}

size_t rk_alikes_add(rk_alikes *a, size_t item, const char *name, const char *kind)
{
    uint32_t number[RK_ALIKE_NUMBERS_MAX], at;
    size_t n = reduce(&a->pattern, name, number);
    rk_alike *g;

    rk_str_reset(&a->key);
    rk_str_putn(&a->key, rk_str_text(&a->pattern), a->pattern.n);
    rk_str_putc(&a->key, '\n');
    rk_str_put(&a->key, kind);
    at = rk_map_get(&a->place, rk_str_text(&a->key), a->key.n);
    if (at == RK_NONE) {
        at = (uint32_t)a->group.n;
        g = RK_PUSH(&a->arena, &a->group);
        if (!g || !rk_map_put(&a->arena, &a->place, rk_str_text(&a->key), a->key.n, at))
            return 0;
        *g = (rk_alike){.first = item, .n_number = n};
        g->pattern = rk_arena_copy(&a->arena, rk_str_text(&a->pattern), a->pattern.n);
    }
    g = &a->group.at[at];
    for (size_t i = 0; i < n; i++) {
        uint32_t *slot = RK_PUSH(&a->arena, &g->number);

        if (slot)
            *slot = number[i];
    }
    g->n++;
    return at;
}

/* ---- names of groups -------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The different values of the i-th number, in order. */
static size_t values(const rk_alike *g, size_t i, uint32_t *out)
{
    size_t n = 0;

    for (size_t k = 0; k < g->n; k++)
        out[k] = g->number.at[k * g->n_number + i];
    qsort(out, g->n, sizeof *out, compare);
    for (size_t k = 0; k < g->n; k++)
        if (n == 0 || out[k] != out[n - 1])
            out[n++] = out[k];
    return n;
}

/* "{0-2,5,7-9}"; of many ranges, the first ones and the last. */
static void put_values(rk_str *out, const uint32_t *value, size_t n)
{
    size_t n_range = 0;

    rk_str_putc(out, '{');
    for (size_t low = 0, next; low < n; low = next) {
        for (next = low + 1; next < n && value[next] == value[next - 1] + 1;)
            next++;
        if (++n_range >= RANGES_MAX && next < n) {
            rk_str_put(out, n_range == RANGES_MAX ? ",…" : "");
            continue;
        }
        rk_str_format(out, "%s%" PRIu32, low ? "," : "", value[low]);
        if (next > low + 1)
            rk_str_format(out, "-%" PRIu32, value[next - 1]);
    }
    rk_str_putc(out, '}');
}

static bool make_name(rk_alikes *a, rk_alike *g, uint32_t *scratch)
{
    const char *at = g->pattern;
    rk_str name = {0};
    rk_acc acc = {0};

    g->n_covered = 1;
    for (size_t i = 0; i < g->n_number; i++) {
        size_t n = values(g, i, scratch);

        rk_str_put(&name, at); /* the text up to the number, whose place a NUL holds */
        at += strlen(at) + 1;
        if (n == 1)
            rk_str_format(&name, "%" PRIu32, scratch[0]);
        else
            put_values(&name, scratch, n);
        g->n_covered = rk_mul(&acc, g->n_covered, (rk_i128)n);
    }
    rk_str_put(&name, at);
    g->n_covered = acc.overflow ? RK_I128_MAX : g->n_covered;
    g->name = name.failed ? NULL : rk_arena_text(&a->arena, rk_str_text(&name));
    rk_str_free(&name);
    return g->name != NULL;
}

int rk_alikes_end(rk_alikes *a, rk_err *err)
{
    size_t most = 1;
    uint32_t *scratch;
    bool ok = !a->arena.failed && !a->pattern.failed && !a->key.failed;

    for (size_t i = 0; i < a->group.n; i++)
        most = a->group.at[i].n > most ? a->group.at[i].n : most;
    scratch = RK_NEW_ARRAY(&a->arena, most, uint32_t);
    for (size_t i = 0; ok && scratch && i < a->group.n; i++)
        ok = make_name(a, &a->group.at[i], scratch);
    return ok && scratch ? RK_OK : rk_fail_memory(err);
}

void rk_alikes_free(rk_alikes *a)
{
    rk_str_free(&a->pattern);
    rk_str_free(&a->key);
    rk_arena_free(&a->arena);
    *a = (rk_alikes){.place = {0}};
}
