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

/* What programs see of the memory: what a source has seen, in its words and in bytes; or the nominal size. */
static void check_memory(void)
{
    static const struct {
        const char *word;
        long long memory, usable, reserve;
        const char *seen;
    } known[] = {
        {"h200", 141000000000, 150109880320, 811532288, "150109880320"},
        {"h100", 80000000000, 81089ll << 20, 811532288, "81089MiB"},
        {"h200-nvl", 141000000000, 143155ll << 20, 811532288, "143771MiB-616MiB"},
        {"gb200", 186000000000, 197901355581, 811532288, "184.31GiB"},
        {"v100-pcie-16gb", 16000000000, 16ll << 30, 811532288, NULL}, /* nominal */
        {"mi300x", 192000000000, 196592ll << 20, 880468295, "196592MiB"},
        {"mi250x", 128000000000, 131040ll << 20, 880468295, "2x65520MiB"},
        {"tpu-v4", 32ll << 30, 32ll << 30, 0, NULL}, /* it is in GiB already */
        {"tpu7x", 192ll << 30, 203474075648, 0, "2x94.75GiB"},
        {"m4-max", 128000000000, 115448730000, 393216, "115448.73MB"},
        {"m4-max-128gb", 128000000000, 115448730000, 393216, "115448.73MB"},
        {"apple-m4-max-64gb", 64000000000, 55662790000, 393216, "55662.79MB"},
        {"Apple M1 8GB", 8000000000, 5726630000, 393216, "5726.63MB"},
    };

    for (size_t i = 0; i < N_OF(known); i++) {
        rk_err err = {0};
        const rk_device *d = rk_device_find(&devices, known[i].word, &err);

        if (!CHECK(d != NULL)) {
            printf("    %s\n", err.message);
            continue;
        }
        CHECK_INT(d->memory, known[i].memory);
        CHECK_INT(d->usable, known[i].usable);
        CHECK_INT(d->reserve, known[i].reserve);
        CHECK_INT(rk_device_room(d), known[i].usable - known[i].reserve);
        CHECK_TEXT(d->seen ? d->seen : "", known[i].seen ? known[i].seen : "");
        CHECK((d->seen != NULL) == (d->seen_sources != NULL));
    }
}

/* Nothing is out of all proportion, and every word finds the device that it is of. */
static void check_device(const rk_device *d)
{
    rk_err err = {0};
    bool sram = strcmp(d->key, "wse-3") == 0; /* memory on the chip itself */

    CHECK(d->year >= 2016 && d->year <= 2026);
    CHECK(d->memory == 0 || (d->memory >= 8 * GIGA && d->memory <= 512 * GIGA));
    /* ECC and a system that shares the memory take of it; a GB that is a GiB gives. */
    CHECK(d->usable * 100 >= d->memory * 70 && d->usable * 100 <= d->memory * 110);
    CHECK(d->reserve < GIGA);
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
    CHECK_TEXT(err.message,
               "no device is called 'h100-80g'; those that are called alike: h100-80gb ('reckon devices' lists them)");
    CHECK(rk_device_find(&devices, "", &err) == NULL);
    CHECK(rk_device_find(&devices, "-", &err) == NULL);
}

/* ---- lines that are wrong --------------------------------------------------------------------------------------- */

#define SOURCE "source\tS1\ta sheet\n"
#define NAMES "device\tx1\tx\tX One\tACME\t2024\t"
#define HEAD NAMES "16000000000\t-\t-\t900\t"
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

/* What is said of a vendor holds for each of its devices. */
static void check_vendor(void)
{
    static const char text[] = SOURCE "vendor\tACME\t1GiB\tS1\t-\n"
                                      "limit\tACME\t8\t5.25GB\tS1\n" NAMES "8000000000,16000000000\t-\t-\t900\t14" TAIL;
    rk_arena a = {0};
    rk_devices d = {0};
    rk_err err = {0};
    rk_text t = {.name = "devices.tsv", .text = text, .n = strlen(text)};

    if (!CHECK_INT(rk_devices_parse(&a, &t, &d, &err), RK_OK) || !CHECK_INT(d.n, 2)) {
        rk_arena_free(&a);
        return;
    }
    CHECK_TEXT(d.at[0].key, "x1-8gb");
    CHECK_TEXT(d.at[0].name, "X One 8GB");
    CHECK_INT(d.at[0].usable, 5250000000);
    CHECK_INT(rk_device_room(&d.at[0]), 5250000000 - (1 << 30));
    CHECK_TEXT(d.at[1].key, "x1");
    CHECK(rk_device_find(&d, "x-16gb", &err) == &d.at[1]);
    CHECK_INT(d.at[1].usable, 0); /* a share is kept of other sizes: this one is not known */
    CHECK_INT(rk_device_room(&d.at[1]), 0);
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
    check_wrong(SOURCE NAMES "16000000000\t16\t-\t900\t14" TAIL,
                "devices.tsv:2: what programs see has a source, and is of one size of memory: '16'");
    check_wrong(SOURCE NAMES "16000000000\t16TB\tS1\t900\t14" TAIL,
                "devices.tsv:2: these are no bytes, such as 811532288, 81089MiB or 95.74GiB: '16TB'");
    check_wrong(SOURCE NAMES "16000000000\t1MiB-2MiB\tS1\t900\t14" TAIL,
                "devices.tsv:2: these are no bytes, such as 811532288, 81089MiB or 95.74GiB: '1MiB-2MiB'");
    check_wrong(SOURCE NAMES "16000000000\t16GiB\tS2\t900\t14" TAIL,
                "devices.tsv:2: a source that no line before explains: 'S2'");
    check_wrong(SOURCE NAMES "16,8\t-\t-\t900\t14" TAIL,
                "devices.tsv:2: these are no bytes, each more than those before: '16,8'");
    check_wrong("vendor\tACME\t1GiB\tS1\t-\n", "devices.tsv:1: a source that no line before explains: 'S1'");
    check_wrong(SOURCE "vendor\tACME\t-\tS1\t-\n", "devices.tsv:2: bytes are missing: 'ACME'");
    check_wrong(SOURCE "vendor\tACME\t1\tS1\t-\nvendor\tACME\t2\tS1\t-\n",
                "devices.tsv:3: this was said before: 'ACME'");
    check_wrong("gpu\tx\n", "devices.tsv:1: a line says none of device, source, vendor and limit: 'gpu'");
    check_wrong("device\tx\n", "devices.tsv:1: a line has too many or too few cells: 'device'");
    check_wrong("device"
                "\t\t\t\t\t\t\t\t\t\t"
                "\t\t\t\t\t\t\t\t\t\t"
                "\t\t\t\t\t\t\t\t\t\t\n",
                "devices.tsv:1: there are more cells than a line can have: 'device'");
}

/* One device is read as it is found in the table, by its key, by another word, or not at all. */
static void check_one(const rk_library *library)
{
    static const char *const other[] = {"h100", "H100 SXM5 80GB", "m4-max", "h100-80g", ""};
    rk_err err = {0}, same = {0};
    const rk_device *one = NULL;

    for (size_t i = 0; i < devices.n; i++)
        if (CHECK_INT(rk_device_read(library, &arena, devices.at[i].key, &one, &err), RK_OK)) {
            const rk_device *d = &devices.at[i];

            CHECK_TEXT(one->key, d->key);
            CHECK_TEXT(one->name, d->name);
            CHECK(one->usable == d->usable && one->reserve == d->reserve && one->bandwidth == d->bandwidth);
            CHECK(one->rate[RK_RATE_BF16] == d->rate[RK_RATE_BF16] && one->link == d->link && one->pcie == d->pcie);
        }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        const rk_device *d = rk_device_find(&devices, other[i], &same);

        CHECK_INT(rk_device_read(library, &arena, other[i], &one, &err), d ? RK_OK : RK_EINPUT);
        if (d && one)
            CHECK_TEXT(one->key, d->key);
        else
            CHECK_TEXT(err.message, same.message);
    }
}

int main(void)
{
    rk_library library = {0};
    rk_err err = {0};

    if (!CHECK_INT(rk_devices_read(&library, &arena, &devices, &err), RK_OK))
        printf("    %s\n", err.message);
    CHECK_INT(devices.n, 130);
    check_figures();
    check_memory();
    for (size_t i = 0; i < devices.n; i++)
        check_device(&devices.at[i]);
    check_words();
    check_vendor();
    check_lines();
    check_one(&library);
    rk_arena_free(&arena);
    return t_done("device");
}
