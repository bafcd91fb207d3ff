/* SPDX-License-Identifier: MIT */
/*
 * model/scalar.h - what the files that evaluate numbers, words and masks share; private to model/.
 *
 * Stage   expression of a syntax tree -> [expand] -> scalar.
 * Uses    model/expand.h.
 * Memory  as model/expand.h.
 * Threads one expansion, one thread.
 *
 * The way: scalar.c takes an expression apart and finds names; scalar_config.c reads keys; scalar_arithmetic.c
 * calculates and compares; scalar_function.c has min, ceil, len …; scalar_value.c says what a value is, and what is
 * wrong with it; scalar_decide.c asks for values that decide something.
 */
#ifndef RK_MODEL_SCALAR_H
#define RK_MODEL_SCALAR_H

#include "model/expand.h"

/* scalar_value.c: values, and mistakes where another kind of value is needed */
rk_scalar rk_scalar_bool(bool truth);
rk_scalar rk_scalar_int(rk_ctx *c, rk_i128 n);
rk_scalar rk_scalar_real(double r);
rk_scalar rk_scalar_text(const char *text);
const char *rk_scalar_kind_name(const rk_scalar *s);
int rk_scalar_need_number(rk_ctx *c, const rk_scalar *s, rk_span span);
int rk_scalar_unknown(rk_ctx *c, rk_span span);
bool rk_scalar_is_number(const rk_scalar *s);
bool rk_scalar_as_real(const rk_scalar *s, double *out);
int rk_scalar_by_zero(rk_ctx *c, rk_span span, const rk_scalar *divisor);
int rk_scalar_truth(rk_ctx *c, const rk_scalar *s, rk_span span, bool *out);
int rk_scalar_need_int(rk_ctx *c, const rk_scalar *s, rk_span span);

/* scalar_config.c: what the config says */
rk_scalar rk_scalar_of_doc(rk_ctx *c, const rk_doc *d, const char *key);
int rk_list_count(rk_ctx *c, const rk_doc *list, const rk_scalar *value, size_t *out);
const rk_doc *rk_config_doc(const rk_ctx *c, const char *path);
rk_scalar rk_config_key(rk_ctx *c, const rk_node *n);
const char *rk_config_name(const rk_ctx *c);

/* scalar_arithmetic.c: of two values */
int rk_scalar_arithmetic(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out);
int rk_scalar_compare(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out);
int rk_scalar_contains_written(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_scalar *a, rk_scalar *out);
int rk_scalar_contains(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out);

/* scalar_function.c: of the values of its arguments */
int rk_scalar_call(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out);

#endif
