/* SPDX-License-Identifier: MIT */
#include "ask/least.h"

#include "account/memory.h"

#include <string.h>

#define ONE_BY_ONE 64 /* sizes; then each is twice the one before */

typedef struct seeking {
    rk_arena *a;
    const rk_run_request *r;
    rk_i128 limit;
    rk_least *out;
    const char *star; /* in the line */
    bool any;         /* some size could be tried */
    rk_err why;       /* another could not */
    rk_err *err;
} seeking;

static const char *line_with(const seeking *x, rk_i128 n)
{
    const char *line = x->r->layout.said[RK_LAYOUT_LINE];
    char digits[RK_NUM_TEXT_MAX];

    return rk_arena_format(x->a, "%.*s%s%s", (int)(x->star - line), line, rk_num_text(digits, n), x->star + 1);
}

/* What a step needs of a device: where its tensors fit, what the framework's allocator reserves for them. */
static int needs_of(const rk_run *run, rk_i128 limit, rk_i128 *out, rk_err *err)
{
    rk_memory_options o = run->options;
    rk_memory *m = NULL;
    int code = rk_memory_new(run->opened.instance, &o, &m, err);

    if (code == RK_OK)
        *out = m->peak;
    if (code == RK_OK && *out <= limit && o.phase == RK_PHASE_TRAIN && !o.profile.textbook) {
        rk_memory_free(m);
        m = NULL;
        o.allocator = true;
        code = rk_memory_new(run->opened.instance, &o, &m, err);
        if (code == RK_OK && m->reserve.known && m->reserve.peak.reserved > *out)
            *out = m->reserve.peak.reserved;
    }
    rk_memory_free(m);
    return code;
}

/* Bytes of a device with a size; *fits: whether that is little enough.  A size that the model cannot have does not. */
static int try(seeking *x, rk_i128 n, bool *fits)
{
    rk_run_request with = *x->r;
    rk_run run = {0};
    rk_i128 needs = 0;
    rk_err why = {0};
    int code;

    *fits = false;
    if (!(with.layout.said[RK_LAYOUT_LINE] = line_with(x, n)))
        return rk_fail_memory(x->err);
    code = rk_run_open(&with, &run, &why);
    if (code == RK_OK)
        code = needs_of(&run, x->limit, &needs, &why);
    if (code == RK_OK) {
        x->any = true;
        *fits = needs <= x->limit;
        if (*fits) {
            x->out->size = n;
            x->out->line = with.layout.said[RK_LAYOUT_LINE];
        } else if (n > x->out->before) {
            x->out->before = n;
            x->out->needs = needs;
        }
    }
    rk_run_close(&run);
    if (code != RK_EINPUT && code != RK_EUSAGE && code != RK_EVALUE && code != RK_OK)
        return rk_fail(x->err, code, "%s", why.message);
    if (code != RK_OK)
        x->why = why;
    return RK_OK;
}

/* The least between a size that does not fit and one that does. */
static int halve(seeking *x, rk_i128 low, rk_i128 high)
{
    int code = RK_OK;

    while (high - low > 1 && code == RK_OK) {
        rk_i128 n = low + (high - low) / 2;
        bool fits;

        code = try(x, n, &fits);
        low = fits ? low : n;
        high = fits ? n : high;
    }
    return code;
}

static int seek(seeking *x)
{
    bool fits = false, grows = x->out->axis == RK_MESH_FSDP || x->out->axis == RK_MESH_DDP;
    rk_i128 n = 1, before = 0;
    int code = try(x, n, &fits);

    while (!fits && code == RK_OK) {
        before = n;
        n = n < ONE_BY_ONE && !grows ? n + 1 : 2 * n;
        if (n > RK_LEAST_MAX)
            return RK_OK;
        code = try(x, n, &fits);
    }
    return code == RK_OK && grows ? halve(x, before, n) : code;
}

bool rk_least_is_asked(const char *line)
{
    return line && strchr(line, '*') != NULL;
}

int rk_least_find(rk_arena *a, const rk_run_request *r, rk_i128 limit, rk_least *out, rk_err *err)
{
    const char *line = r->layout.said[RK_LAYOUT_LINE], *star = strchr(line, '*'), *word = star;
    seeking x = {.a = a, .r = r, .limit = limit, .out = out, .star = star, .err = err};
    size_t axis = RK_N_MESH;
    int code;

    *out = (rk_least){0};
    while (word > line && word[-1] != ',')
        word--;
    for (size_t i = 0; i < RK_N_MESH; i++)
        if ((size_t)(star - word) == strlen(rk_mesh_word[i]) + 1 && star[-1] == '=' &&
            memcmp(word, rk_mesh_word[i], strlen(rk_mesh_word[i])) == 0)
            axis = i;
    if (strchr(star + 1, '*'))
        return rk_fail(err, RK_EUSAGE, "--layout: the size of one axis can be left open (*), not of several");
    if (axis == RK_N_MESH || (star[1] && star[1] != ','))
        return rk_fail(err, RK_EUSAGE, "--layout: '*' stands for the size of an axis: fsdp=*,tp=8");
    out->axis = (rk_mesh_axis)axis;
    if ((code = seek(&x)) != RK_OK)
        return code;
    if (!x.any)
        return rk_fail(err, RK_EINPUT, "--layout: no size of %s is possible here: %s", rk_mesh_word[axis],
                       x.why.message);
    if (out->size == 0)
        out->line = line_with(&x, out->before);
    return out->line ? RK_OK : rk_fail_memory(err);
}
