/* SPDX-License-Identifier: MIT */
#include "ask/least.h"

#include "account/memory.h"

#include <string.h>

#define ONE_BY_ONE 64 /* sizes; then each is twice the one before */

typedef struct seeking {
    rk_arena *a;
    const rk_run_request *r;
    const char *form; /* the line with a size that is left open … */
    const char *star; /* … here */
    rk_i128 limit;
    rk_least *out;
    rk_least least; /* of those that do not fit, the one that needs least: pieces of few rows are padded */
    rk_i128 last;   /* bytes of tensors with the size that was tried last; 0: it could not be */
    bool any;       /* some size could be tried */
    rk_err why;     /* another could not */
    rk_err *err;
} seeking;

/* Whether nothing is said of devices beside the line. */
static bool is_plain(const seeking *x)
{
    for (size_t i = 0; i < RK_N_LAYOUT_OPTION; i++)
        if (i != RK_LAYOUT_LINE && x->r->layout.said[i])
            return false;
    return true;
}

/* What is left of the line where the size is one: neither that axis nor what divides over it. */
static const char *line_without(const seeking *x)
{
    rk_str s = {0};
    const char *line;

    for (const char *at = x->form; *at; at += at[strcspn(at, ",")] ? strcspn(at, ",") + 1 : strcspn(at, ",")) {
        int n = (int)strcspn(at, ",");
        bool open = at < x->star && at + n > x->star;

        if (!open && strncmp(at, "zero", strlen("zero")) != 0)
            rk_str_format(&s, "%s%.*s", s.n ? "," : "", n, at);
    }
    line = s.failed ? NULL : rk_arena_text(x->a, rk_str_text(&s));
    rk_str_free(&s);
    return line;
}

static const char *line_with(const seeking *x, rk_i128 n)
{
    char digits[RK_NUM_TEXT_MAX];

    if (n == 1 && is_plain(x))
        return line_without(x);
    return rk_arena_format(x->a, "%.*s%s%s", (int)(x->star - x->form), x->form, rk_num_text(digits, n), x->star + 1);
}

int rk_least_needs(const rk_run *run, rk_i128 limit, rk_i128 *peak, rk_i128 *out, rk_err *err)
{
    rk_memory_options o = run->options;
    rk_memory *m = NULL;
    int code;

    o.brief = o.unnamed = true; /* who is alive is nobody's question */
    code = rk_memory_new(run->opened.instance, &o, &m, err);
    if (code == RK_OK)
        *out = rk_memory_total(m);
    if (code == RK_OK && peak)
        *peak = *out;
    if (code == RK_OK && *out <= limit && o.phase == RK_PHASE_TRAIN && !o.profile.textbook) {
        rk_memory_free(m);
        m = NULL;
        o.brief = o.unnamed = false;
        o.allocator = true;
        code = rk_memory_new(run->opened.instance, &o, &m, err);
        if (code == RK_OK && m->reserve.known && m->reserve.peak.reserved > *out)
            *out = m->reserve.peak.reserved;
    }
    rk_memory_free(m);
    return code;
}

static rk_i128 devices_of(const rk_run *run)
{
    return run->options.layout ? rk_layout_devices(run->options.layout) : 1;
}

/* Bytes of a device with a size; *fits: whether that is little enough.  A size that the model cannot have does not. */
static int try(seeking *x, rk_i128 n, bool *fits)
{
    rk_run_request with = *x->r;
    rk_run run = {0};
    rk_i128 needs = 0, peak = 0;
    rk_err why = {0};
    int code;
    const char *line = line_with(x, n);

    *fits = false;
    x->last = 0;
    if (!line)
        return rk_fail_memory(x->err);
    with.layout.said[RK_LAYOUT_LINE] = *line ? line : NULL; /* one device */
    code = rk_least_open(&with, &run, &why);
    if (code == RK_OK)
        code = rk_least_needs(&run, x->limit, &peak, &needs, &why);
    if (code == RK_OK) {
        x->any = true;
        x->last = peak;
        *fits = needs <= x->limit;
        if (*fits) {
            x->out->size = n;
            x->out->bytes = needs;
            x->out->line = line;
            x->out->devices = devices_of(&run);
        } else if (n > x->out->before) {
            x->out->before = n;
            x->out->needs = needs;
        }
        if (!*fits && (x->least.size == 0 || needs < x->least.bytes))
            x->least = (rk_least){.size = n, .bytes = needs, .line = line, .devices = devices_of(&run)};
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
    rk_i128 n = 1, before = 0, needed = 0;
    int code = try(x, n, &fits);

    while (!fits && code == RK_OK) {
        if (grows && needed > 0 && x->last >= needed) /* where rows are fewer than devices, more of them hold more */
            return RK_OK;
        needed = x->last;
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

int rk_least_open(rk_run_request *r, rk_run *out, rk_err *err)
{
    rk_err other = {0};
    int code = rk_run_open(r, out, err);

    if (code != RK_EINPUT || !r->layout.said[RK_LAYOUT_LINE] || r->layout.said[RK_LAYOUT_RUNTIME] ||
        rk_run_phase(r) == RK_PHASE_TRAIN)
        return code;
    r->layout.said[RK_LAYOUT_RUNTIME] = "megatron";
    if (rk_run_open(r, out, &other) == RK_OK)
        return RK_OK;
    r->layout.said[RK_LAYOUT_RUNTIME] = NULL;
    return code;
}

int rk_least_find(rk_arena *a, const rk_run_request *r, const char *form, rk_i128 limit, rk_least *out, rk_err *err)
{
    const char *line = form, *star = strchr(line, '*'), *word = star;
    seeking x = {.a = a, .r = r, .form = form, .limit = limit, .out = out, .star = star, .err = err};
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
    if (out->size == 0) {
        out->before = x.least.size;
        out->needs = x.least.bytes;
        out->line = x.least.line;
        out->devices = x.least.devices;
    }
    return RK_OK;
}
