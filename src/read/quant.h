/* SPDX-License-Identifier: MIT */
/*
 * read/quant.h - what a config says of how its checkpoint stores numbers: their type, and how weights are quantised.
 *
 * Stage   document -> [read] -> facts of the stored tensors.
 * Uses    base/, read/doc.h, read/dtypes.h.
 * Memory  texts and lists live in the arena given when they were read.
 * Threads never changed after it was read.
 *
 * A method (the config's `quant_method`) with its options is one of the schemes below; account/packing.c has the
 * tensors that each of them stores.  What is not known is said (`unknown`), never guessed.
 */
#ifndef RK_READ_QUANT_H
#define RK_READ_QUANT_H

#include "base/vec.h"
#include "read/doc.h"
#include "read/dtypes.h"

typedef enum rk_scheme {
    RK_SCHEME_PLAIN,       /* every tensor is of the config's type */
    RK_SCHEME_GPTQ,        /* words of 32 bits along the input, scales and zeros of groups */
    RK_SCHEME_AWQ,         /* words of 32 bits along the output, scales and zeros of groups */
    RK_SCHEME_FP8_BLOCK,   /* a scale for each block of rows × columns */
    RK_SCHEME_FP8_TENSOR,  /* one scale */
    RK_SCHEME_FP8_ROW,     /* a scale for each output */
    RK_SCHEME_MXFP4,       /* stacked experts alone: blocks of 32 with a scale of one byte */
    RK_SCHEME_INT8,        /* bytes, a scale for each output */
    RK_SCHEME_BIT4,        /* half bytes in blocks of 64, each with a scale */
    RK_SCHEME_BIT4_NESTED, /* the same, the scales themselves in bytes */
    RK_SCHEME_CT_PACK, /* CT: as compressed-tensors stores them.  Words of 32 bits along the input, scales of groups */
    RK_SCHEME_CT_INT8,
    RK_SCHEME_CT_FP8_ROW,
    RK_SCHEME_CT_FP8_TENSOR,
    RK_SCHEME_CT_FP8_BLOCK,
    RK_SCHEME_CT_NVFP4 /* half bytes in groups of 16, each with a scale of one byte */
} rk_scheme;

typedef RK_VEC(const char *) rk_quant_names; /* names of modules, or patterns of them */

typedef struct rk_quant {
    rk_dtype dtype;        /* of what is not quantised; RK_DTYPE_UNKNOWN: the config does not say */
    const char *method;    /* as the config calls it; NULL: not quantised */
    const char *unknown;   /* why the stored tensors are not known: a piece of a sentence; NULL: they are */
    rk_scheme scheme;      /* RK_SCHEME_PLAIN where they are not known */
    rk_i128 bits;          /* of one weight; 0: see the scheme */
    rk_i128 group;         /* weights along the input that share a scale; 0: all of them */
    rk_i128 rows, columns; /* FP8_BLOCK */
    const char *kind;      /* BIT4: nf4 or fp4 */
    rk_dtype word;         /* BIT4: what the half bytes are stored in */
    bool zeros;            /* CT_PACK: zero points are stored too */
    bool input;            /* a fixed scale for what goes in is stored too */
    bool exact;            /* `skip` has whole names, and patterns that begin with re: */
    bool head;             /* the output head is quantised too, unless `skip` names it */
    bool inner;            /* only what stands in repeated layers, and perhaps the head */
    const char *block;     /* only what stands below this module; NULL: anywhere */
    rk_quant_names skip;   /* modules that are left alone */
    rk_quant_names only;   /* where there are some: the modules that are quantised, by the ends of their names */
} rk_quant;

/*
 * Reads `torch_dtype` or `dtype` and `quantization_config` or `compression_config`, also inside `text_config`.
 * RK_EINPUT: a value that the method cannot have; the message names the key.  `name`: of the config, for messages.
 */
int rk_quant_read(rk_arena *a, const char *name, const rk_doc *config, rk_quant *out, rk_err *err);

/*
 * Bytes of a number of a run where nobody says its type: as the config has the weights, or the rest where these are
 * quantised, if a model can run in it.
 */
int rk_quant_run_bytes(const rk_quant *q);

/* Whether the names leave a module (a name without `.weight`) alone, or choose it. */
bool rk_quant_skips(const rk_quant *q, const char *module);
bool rk_quant_chooses(const rk_quant *q, const char *module);

/* Whether it may treat tensors otherwise that differ in a second running number: the experts of one layer. */
bool rk_quant_tells_apart(const rk_quant *q);

#endif
