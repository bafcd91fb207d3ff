/* SPDX-License-Identifier: MIT */
/* The table of devices: what is in it, how words find devices, and lines that are wrong. */
#include "plan/device.h"

#include "../t.h"

#include <stdio.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))
#define GIGA ((rk_i128)1000000000)

static rk_arena arena;
static rk_devices devices;

/* ---- the table -------------------------------------------------------------------------------------------------- */

/* A vendor's figures, written down here once more. */
static void check_figures(void)
{
    rk_err err = {0};
    const rk_device *d = rk_device_find(&devices, "h100-80gb", &err);

    if (!CHECK(d != NULL))
        return;
    CHECK_TEXT(d->name, "H100 SXM5 80GB");
    CHECK_INT(d->memory, 80 * GIGA);
    CHECK_INT(d->bandwidth, 3350 * GIGA);
    CHECK_INT(d->rate[RK_RATE_BF16], 989400 * GIGA);
    CHECK_INT(d->rate[RK_RATE_FP32], 67000 * GIGA);
    CHECK_INT(d->rate[RK_RATE_FP4], 0);
    CHECK_INT(d->link, 450 * GIGA);
    CHECK_INT(d->power, 700);
    d = rk_device_find(&devices, "tpu-v4", &err);
    CHECK(d && d->memory == (rk_i128)32 << 30);
}

/* Nothing is out of all proportion, and every word finds the device that it is of. */
static void check_device(const rk_device *d)
{
    rk_err err = {0};
    bool sram = strcmp(d->key, "wse-3") == 0; /* memory on the chip itself */

    CHECK(d->year >= 2017 && d->year <= 2026);
    CHECK(d->memory == 0 || (d->memory >= 16 * GIGA && d->memory <= 512 * GIGA));
    CHECK(d->bandwidth == 0 || sram || (d->bandwidth >= 68 * GIGA && d->bandwidth <= 8000 * GIGA));
    CHECK(d->power == 0 || (d->power >= 50 && d->power <= 1500));
    CHECK(!d->rate[RK_RATE_FP8] || d->rate[RK_RATE_FP8] >= d->rate[RK_RATE_BF16]);
    CHECK(!d->rate[RK_RATE_FP32] || !d->rate[RK_RATE_BF16] || d->rate[RK_RATE_FP32] <= d->rate[RK_RATE_BF16]);
    CHECK((d->link > 0) == (d->link_name != NULL));
    CHECK(rk_device_find(&devices, d->key, &err) == d);
    CHECK(rk_device_find(&devices, d->name, &err) == d);
}

static void check_words(void)
{
    static const char *const word[][2] = {
        {"h100", "h100-80gb"}, {"H100", "h100-80gb"}, {"H100 SXM5 80GB", "h100-80gb"}, {"h100_sxm", "h100-80gb"},
        {"A100", "a100-80gb"}, {"4090", "rtx-4090"},  {"ironwood", "tpu7x"},           {"apple-m1-max", "m1-max"}};
    rk_err err = {0};

    for (size_t i = 0; i < N_OF(word); i++) {
        const rk_device *d = rk_device_find(&devices, word[i][0], &err);

        if (CHECK(d != NULL))
            CHECK_TEXT(d->key, word[i][1]);
    }
    CHECK(rk_device_find(&devices, "h100-80g", &err) == NULL);
    CHECK_TEXT(err.message, "no device is called 'h100-80g'; did you mean 'h100-80gb'? ('reckon devices' lists them)");
    CHECK(rk_device_find(&devices, "", &err) == NULL);
    CHECK(rk_device_find(&devices, "-", &err) == NULL);
}

/* ---- lines that are wrong --------------------------------------------------------------------------------------- */

#define SOURCE "source\tS1\ta sheet\n"
#define HEAD "device\tx1\tx\tX One\tACME\t2024\t16000000000\t900\t"
#define TAIL "\t-\t100\t100\t-\t-\t-\t-\t-\t-\t300\t80\tS1\t-\n"

static void check_wrong(const char *text, const char *want)
{
    rk_arena a = {0};
    rk_devices d = {0};
    rk_err err = {0};
    rk_text t = {.name = "devices.tsv", .text = text, .n = strlen(text)};

    CHECK_INT(rk_devices_parse(&a, &t, &d, &err), RK_EINPUT);
    CHECK_TEXT(err.message, want);
    rk_arena_free(&a);
}

static void check_lines(void)
{
    rk_arena a = {0};
    rk_devices d = {0};
    rk_err err = {0};
    const char *text = "# a comment\n\n" SOURCE HEAD "14.5" TAIL;
    rk_text t = {.name = "devices.tsv", .text = text, .n = strlen(text)};

    CHECK_INT(rk_devices_parse(&a, &t, &d, &err), RK_OK);
    if (CHECK_INT(d.n, 1))
        CHECK_INT(d.at[0].rate[RK_RATE_FP32], 14500 * GIGA);
    rk_arena_free(&a);
    check_wrong(SOURCE HEAD "fast" TAIL, "devices.tsv:2: this is no number above 0: 'fast'");
    check_wrong(SOURCE HEAD "-14" TAIL, "devices.tsv:2: this is no number above 0: '-14'");
    check_wrong(SOURCE HEAD "0" TAIL, "devices.tsv:2: this is no number above 0: '0'");
    check_wrong(SOURCE HEAD "1.2.3" TAIL, "devices.tsv:2: this is no number above 0: '1.2.3'");
    check_wrong(SOURCE HEAD "" TAIL, "devices.tsv:2: a cell is empty, where - would say that no one knows: ''");
    check_wrong(HEAD "14" TAIL, "devices.tsv:1: a source that no line before explains: 'S1'");
    check_wrong(SOURCE HEAD "14" TAIL HEAD "14" TAIL, "devices.tsv:3: another device is called so already: 'x1'");
    check_wrong("gpu\tx\n", "devices.tsv:1: a line says neither device nor source: 'gpu'");
    check_wrong("device\tx\n", "devices.tsv:1: a line has too many or too few cells: 'device'");
    check_wrong("device"
                "\t\t\t\t\t\t\t\t\t\t"
                "\t\t\t\t\t\t\t\t\t\t"
                "\t\t\t\t\t\t\t\t\t\t\n",
                "devices.tsv:1: there are more cells than a line can have: 'device'");
}

int main(void)
{
    rk_library library = {0};
    rk_err err = {0};

    if (!CHECK_INT(rk_devices_read(&library, &arena, &devices, &err), RK_OK))
        printf("    %s\n", err.message);
    CHECK_INT(devices.n, 75);
    check_figures();
    for (size_t i = 0; i < devices.n; i++)
        check_device(&devices.at[i]);
    check_words();
    check_lines();
    rk_arena_free(&arena);
    return t_done("device");
}
