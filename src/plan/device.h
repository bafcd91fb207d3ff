/* SPDX-License-Identifier: MIT */
/*
 * plan/device.h - accelerators: what data/devices.tsv says of each.
 *
 * Stage   words of the command -> [plan] -> a device.
 * Uses    base/, plan/library.h, plan/setting.h.
 * Memory  everything lives in the arena given.
 * Threads no state.
 *
 * A figure that no source has is 0.  Rates are dense, and a multiply and its add are two operations.
 *
 * A box says 141 GB where programs see 150,109,880,320 bytes, of which a context takes 811,532,288: what a tensor can
 * have is neither.  The three are kept apart.
 */
#ifndef RK_PLAN_DEVICE_H
#define RK_PLAN_DEVICE_H

#include "base/num.h"
#include "plan/library.h"

#define RK_DEVICES_DATE "2026-11" /* of the figures */

/* X(ID, word): the types for which a peak rate is known, in the order of the columns. */
#define RK_RATES(X)                                                                                                    \
    X(FP32, "fp32")                                                                                                    \
    X(TF32, "tf32")                                                                                                    \
    X(BF16, "bf16")                                                                                                    \
    X(FP16, "fp16")                                                                                                    \
    X(FP8, "fp8")                                                                                                      \
    X(INT8, "int8")                                                                                                    \
    X(FP4, "fp4")

typedef enum rk_rate {
#define RK_RATE_ID(ID, word) RK_RATE_##ID,
    RK_RATES(RK_RATE_ID)
#undef RK_RATE_ID
    RK_N_RATE
} rk_rate;

extern const char *const rk_rate_word[RK_N_RATE];

typedef struct rk_device {
    const char *key;     /* h100-80gb */
    const char *aliases; /* other words for it, between commas; NULL: none */
    const char *name, *vendor;
    rk_i128 year;
    rk_i128 memory;   /* bytes, as the box says */
    rk_i128 usable;   /* bytes of it that programs see */
    const char *seen; /* these as their source has them, "81089MiB"; NULL: they are nominal */
    const char *seen_sources;
    rk_i128 reserve;             /* bytes of those that a context takes */
    const char *reserve_sources; /* NULL: no one says how many */
    const char *reserve_note;    /* words on it, or NULL */
    rk_i128 bandwidth;           /* of the memory, bytes in a second */
    rk_i128 rate[RK_N_RATE];     /* operations in a second */
    rk_i128 link;                /* to other devices, bytes in a second, in each direction */
    const char *link_name;       /* NULL: there is none, or no one says */
    rk_i128 pcie;                /* the same */
    rk_i128 power;               /* watts */
    rk_i128 units;               /* multiprocessors or compute units */
    const char *sources;         /* keys, between commas */
    const char *note;            /* what the sources disagree about, or NULL */
} rk_device;

typedef struct rk_device_source {
    const char *key, *text;
} rk_device_source;

typedef struct rk_devices {
    const rk_device *at;
    size_t n;
    const rk_device_source *source;
    size_t n_source;
} rk_devices;

/* Reads the table.  RK_EINPUT: a line of it is wrong; the message says which and why. */
int rk_devices_read(const rk_library *l, rk_arena *a, rk_devices *out, rk_err *err);
int rk_devices_parse(rk_arena *a, const rk_text *text, rk_devices *out, rk_err *err);

/*
 * The device of a key, another word for it, or its name; capitals, spaces and underscores do not matter.
 * NULL: there is none, and `err` has the nearest one.
 */
const rk_device *rk_device_find(const rk_devices *d, const char *word, rk_err *err);

/*
 * The one device of a word, as rk_device_find finds it in the table.  Of the program's own table, which a test has
 * read, no more lines are read than that takes.  RK_EINPUT: there is none, or a line of the table is wrong.
 */
int rk_device_read(const rk_library *l, rk_arena *a, const char *word, const rk_device **out, rk_err *err);

/* The bytes that are left for tensors: 0 where no one says how many a program sees. */
rk_i128 rk_device_room(const rk_device *d);

/* The words of a source; NULL: there is no such key. */
const char *rk_device_source_text(const rk_devices *d, const char *key, size_t n);

#endif
