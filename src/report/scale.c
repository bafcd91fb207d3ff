/* SPDX-License-Identifier: MIT */
#include "report/scale.h"
#include "report/figure.h"

#include <math.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- units ------------------------------------------------------------------------------------------------------ */

static const char *const scaled_letter[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"};
static const char *const binary_letter[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"};
static const char *const plain_letter[] = {"", "k", "M", "B", "T"};
static const char *const share_letter[] = {"%"};

static const struct {
    const char *const *letter;
    size_t n_letter;
    double first, base; /* first × base^i has the i-th letter */
} unit_table[] = {
    [RK_UNIT_PLAIN] = {plain_letter, LENGTH(plain_letter), 1, 1000},
    [RK_UNIT_SCALED] = {scaled_letter, LENGTH(scaled_letter), 1, 1000},
    [RK_UNIT_BINARY] = {binary_letter, LENGTH(binary_letter), 1, 1024},
    [RK_UNIT_SHARE] = {share_letter, LENGTH(share_letter), 0.01, 1},
};

static void choose_prefix(rk_scale *s, double value)
{
    size_t i = 0;

    s->prefix = unit_table[s->unit].first;
    for (; i + 1 < unit_table[s->unit].n_letter && fabs(value) >= s->prefix * unit_table[s->unit].base; i++)
        s->prefix *= unit_table[s->unit].base;
    s->letter = unit_table[s->unit].letter[i];
}

void rk_scale_put_tick(const rk_scale *s, const char *name, double value, rk_str *out)
{
    rk_scale own = *s;
    double shown;

    if (s->kind == RK_SCALE_LOG)
        choose_prefix(&own, value * (1 + 1e-9));
    shown = value / own.prefix;
    if (fabs(shown) >= 1000 && fabs(shown) < 1e7 && shown == floor(shown))
        rk_str_grouped(out, (rk_i128)shown);
    else
        rk_str_format(out, "%.6g", shown == 0 ? 0 : shown); /* no "-0" */
    name = s->unit == RK_UNIT_SCALED ? name : "";
    if ((own.letter[0] || name[0]) && (shown != 0 || s->unit == RK_UNIT_SHARE))
        rk_str_format(out, s->unit == RK_UNIT_SHARE ? "%s" : " %s%s", own.letter, name);
}

/* Counts have their own, exact rounding. */
static void put_large(rk_unit_kind unit, const char *name, rk_i128 n, rk_str *out)
{
    if (unit == RK_UNIT_SCALED)
        rk_str_scaled(out, n, name);
    else
        rk_str_in_letters(out, n);
    if (unit == RK_UNIT_PLAIN && name[0])
        rk_str_format(out, " %s", name);
}

void rk_unit_put(rk_unit_kind unit, const char *name, double value, rk_str *out)
{
    double size = fabs(value);

    if (!isfinite(value))
        rk_str_put(out, "–");
    else if (unit == RK_UNIT_SHARE && value > 0 && value < 0.0005)
        rk_str_put(out, "<0.1%"); /* what is not nothing does not look so */
    else if (unit == RK_UNIT_SHARE)
        rk_str_format(out, size < 1e4 ? "%.1f%%" : "%.3g%%", value * 100);
    else if (size >= 1000 && size < 1.7e38)
        put_large(unit, name, (rk_i128)value, out);
    else
        rk_str_format(out, "%.3g%s%s", value, name[0] ? " " : "", name);
}

/* n = count × base^letters, as many letters as divide it. */
typedef struct size {
    rk_i128 count;
    size_t letters;
} size;

static size in_powers(rk_i128 n, rk_i128 base, rk_i128 from)
{
    size s = {n, 0};

    for (; n >= from && s.letters < 4 && s.count % base == 0; s.letters++)
        s.count /= base;
    return s;
}

/* The way that needs fewer digits; where both need as many, the one of memories and of lengths. */
void rk_size_put(rk_i128 n, rk_str *out)
{
    size binary = in_powers(n, 1024, 1024), decimal = in_powers(n, 1000, 10000);
    bool by_thousand = decimal.count < binary.count;

    rk_str_grouped(out, by_thousand ? decimal.count : binary.count);
    if (by_thousand)
        rk_str_putc(out, "kmgt"[decimal.letters - 1]);
    else if (binary.letters > 0)
        rk_str_putc(out, "KMGT"[binary.letters - 1]);
}

/* ---- linear axes ------------------------------------------------------------------------------------------------ */

static void put_mark(rk_scale *s, double value, bool minor)
{
    double place = rk_scale_place(s, value);

    if (s->n_tick < RK_TICKS_MAX && place > -1e-9 && place < 1 + 1e-9)
        s->tick[s->n_tick++] = (rk_tick){value, minor};
}

static void mark_linear(rk_scale *s, size_t most)
{
    static const double times[] = {2, 2.5, 2};
    double span, step;

    if (s->high - s->low <= fmax(fabs(s->high), fabs(s->low)) * 1e-9) { /* room around a single number */
        s->low = fmin(s->low, 0);
        s->high = s->low == 0 && s->high <= 0 ? 1 : fmax(s->high, 0);
    }
    choose_prefix(s, fmax(fabs(s->low), fabs(s->high)));
    /* The least of 1, 2, 5, 10 … of which at most so many fit. */
    span = (s->high - s->low) / s->prefix;
    step = pow(10, floor(log10(span / (double)most)));
    for (size_t i = 0; span / step > (double)most * (1 + 1e-9) && i < 8; i++)
        step *= times[i % LENGTH(times)];
    step *= s->prefix;
    s->low = floor(s->low / step + 1e-9) * step;
    s->high = ceil(s->high / step - 1e-9) * step;
    for (double i = s->low / step; i <= s->high / step + 0.5 && s->n_tick + 1 < RK_TICKS_MAX; i += 1)
        put_mark(s, round(i) * step, false);
}

/* ---- logarithmic axes ------------------------------------------------------------------------------------------- */

/* How many decades there are from one number to the next. */
static int exponent_step(double span, size_t most)
{
    static const int step[] = {1, 2, 5, 10, 20, 50, 100, 200};
    size_t i = 0;

    while (i + 1 < LENGTH(step) && span / step[i] > (double)most)
        i++;
    return step[i];
}

/* The nearest of 1, 2, 5 times a power of ten that is not larger, or not smaller. */
static double round_number(double value, bool up)
{
    static const double mantissa[] = {1, 2, 5, 10};
    double ten = pow(10, floor(log10(value) + 1e-12)), best = up ? 10 * ten : ten;

    for (size_t i = 0; i < LENGTH(mantissa); i++) {
        double is = mantissa[i] * ten;

        if (up ? is >= value * (1 - 1e-9) && is < best : is <= value * (1 + 1e-9) && is > best)
            best = is;
    }
    return best;
}

static void mark_decades(rk_scale *s, size_t most)
{
    double span;
    int step;

    s->low = round_number(s->low, false);
    s->high = round_number(s->high, true);
    s->high = s->high > s->low * 1.5 ? s->high : s->low * 10;
    span = log10(s->high) - log10(s->low);
    step = exponent_step(span, most);
    for (int k = (int)floor(log10(s->low) + 1e-9); k <= (int)ceil(log10(s->high)); k++) {
        if (step > 5 && k % step != 0)
            continue;
        put_mark(s, pow(10, k), k % step != 0);
        /* Where there are few decades, 2 and 5 have their numbers as well. */
        for (int m = 2; step == 1 && m < 10; m++)
            put_mark(s, m * pow(10, k), !(span <= 2 && (m == 2 || m == 5)));
    }
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

rk_scale rk_scale_new(rk_scale_kind kind, rk_unit_kind unit, double low, double high, size_t most)
{
    rk_scale s = {.kind = kind, .unit = unit, .low = low, .high = high};

    choose_prefix(&s, high);
    if (s.kind == RK_SCALE_LINEAR)
        mark_linear(&s, most);
    else
        mark_decades(&s, most);
    return s;
}

double rk_scale_place(const rk_scale *s, double value)
{
    if (s->kind == RK_SCALE_LOG)
        return (log(value) - log(s->low)) / (log(s->high) - log(s->low)); /* quotients may overflow */
    return (value - s->low) / (s->high - s->low);
}
