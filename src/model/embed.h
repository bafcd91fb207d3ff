/* SPDX-License-Identifier: MIT */
/*
 * model/embed.h - the library of models, as part of the program.
 *
 * Stage   beside read/: texts that need no file.
 * Uses    libc.
 * Memory  constant data; nothing is allocated or freed.
 * Threads constant data.
 *
 * The table is written by tools/embed while building, from every *.rk and *.json below models/ and the tables and
 * scripts below data/.
 */
#ifndef RK_MODEL_EMBED_H
#define RK_MODEL_EMBED_H

#include <stddef.h>

typedef struct rk_embedded {
    const char *path; /* below models/: "gpt2.rk", "blocks/attention.rk", "named/gpt2-xl.json"; or "data/devices.tsv" */
    const char *text; /* terminated */
    size_t n;         /* its length, without the terminator */
} rk_embedded;

extern const rk_embedded rk_embedded_file[]; /* sorted by the bytes of the path */
extern const size_t rk_n_embedded_file;

#endif
