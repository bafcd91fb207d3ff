/* SPDX-License-Identifier: MIT */
/* The command, linked so that each expansion of a model is counted: the last line on standard error says how many. */
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>

int __real_rk_model_open(const rk_model_source *source, const rk_model **out, rk_str *mistakes, rk_err *err);
int __wrap_rk_model_open(const rk_model_source *source, const rk_model **out, rk_str *mistakes, rk_err *err);

static int n_opened;

static void say(void)
{
    fprintf(stderr, "expanded %d\n", n_opened);
}

int __wrap_rk_model_open(const rk_model_source *source, const rk_model **out, rk_str *mistakes, rk_err *err)
{
    if (n_opened++ == 0)
        atexit(say);
    return __real_rk_model_open(source, out, mistakes, err);
}
