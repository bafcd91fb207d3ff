/* SPDX-License-Identifier: MIT */
/* Views, copies and the layout of results, against what PyTorch does: tests/golden/strides/facts.txt. */
#include "pass/strides.h"

#include "../t.h"

#include <stdlib.h>

#define TENSORS_MAX 5

typedef struct fact {
    char what[8];
    rk_dims tensor[TENSORS_MAX]; /* the last one is the result */
    size_t n;
} fact;

/* "2:12 3:4" up to a bar or the end; "-" is a number. */
static const char *read_dims(const char *text, rk_dims *d)
{
    *d = (rk_dims){0};
    while (*text && *text != '|' && *text != '\n') {
        char *end;
        long size = strtol(text, &end, 10);

        if (end == text || *end != ':' || d->n == RK_DIMS_MAX)
            return NULL;
        d->at[d->n++] = (rk_dim){.size = {.n = size}, .stride = {.n = strtol(end + 1, &end, 10)}};
        text = end + (*end == ' ');
    }
    return text;
}

static bool read_fact(const char *line, fact *f)
{
    const char *text = strchr(line, ' ');

    *f = (fact){0};
    if (!text || (size_t)(text - line) >= sizeof f->what)
        return false;
    memcpy(f->what, line, (size_t)(text - line));
    for (text++; text && *text && *text != '\n' && f->n < TENSORS_MAX; text += *text == '|' ? 2 : 0)
        if (!(text = read_dims(text, &f->tensor[f->n++])))
            return false;
    return f->n >= 2;
}

/* An axis of one element has no stride that matters. */
static bool lie_alike(const rk_dims *a, const rk_dims *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->at[i].size.n != b->at[i].size.n || (a->at[i].size.n != 1 && a->at[i].stride.n != b->at[i].stride.n))
            return false;
    return a->n == b->n;
}

static rk_dims sizes_of(const rk_dims *d)
{
    rk_dims sizes = *d;

    for (size_t i = 0; i < d->n; i++)
        sizes.at[i].stride.n = -1;
    return sizes;
}

static bool holds(const fact *f)
{
    const rk_dims *result = &f->tensor[f->n - 1];
    rk_dims got = sizes_of(result);
    bool is_view;

    if (strcmp(f->what, "sum") == 0) {
        rk_dims_elementwise(NULL, &got, f->tensor, f->n - 1);
        return lie_alike(&got, result);
    }
    is_view = rk_dims_view(NULL, &f->tensor[0], &got);
    if (is_view != (strcmp(f->what, "view") == 0))
        return false;
    if (!is_view)
        rk_dims_pack(NULL, &got); /* a copy is laid out in order */
    return lie_alike(&got, result);
}

static size_t check_facts(FILE *in)
{
    char line[512];
    size_t n = 0;

    while (fgets(line, sizeof line, in)) {
        fact f;

        if (line[0] == '#')
            continue;
        n++;
        if (!CHECK(read_fact(line, &f)) || !CHECK(holds(&f)))
            printf("    %s", line);
    }
    return n;
}

static rk_dims dims(size_t n, const int64_t (*pair)[2])
{
    rk_dims d = {.n = n};

    for (size_t i = 0; i < n; i++)
        d.at[i] = (rk_dim){.size = {.n = pair[i][0]}, .stride = {.n = pair[i][1]}};
    return d;
}

static void check_packing(void)
{
    rk_dims d = dims(3, (const int64_t[][2]){{2, 0}, {3, 0}, {4, 0}});

    rk_dims_pack(NULL, &d);
    CHECK_INT(d.at[0].stride.n, 12);
    CHECK_INT(d.at[1].stride.n, 4);
    CHECK_INT(d.at[2].stride.n, 1);
    CHECK(rk_dims_are_packed(NULL, &d));
    d.at[1].stride.n = 5;
    CHECK(!rk_dims_are_packed(NULL, &d));
    d.at[1].size.n = 1;
    d.at[0].stride.n = 4;
    CHECK(rk_dims_are_packed(NULL, &d));
}

int main(void)
{
    FILE *in = fopen("tests/golden/strides/facts.txt", "r");

    check_packing();
    if (CHECK(in != NULL)) {
        CHECK(check_facts(in) == 1000);
        fclose(in);
    }
    return t_done("strides");
}
