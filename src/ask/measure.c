/* SPDX-License-Identifier: MIT */
#include "ask/measure.h"

#include "base/vec.h"
#include "plan/lookup.h"

#include <string.h>

/* ---- the table -------------------------------------------------------------------------------------------------- */

const rk_measure_row rk_measure_table[] = {
    {"params", RK_FROM_WEIGHTS, RK_PARAMS_STORED, RK_UNIT_COUNT, "parameters", "parameters, tied tensors once"},
    {"params.active", RK_FROM_WEIGHTS, RK_PARAMS_ACTIVE, RK_UNIT_COUNT, "active parameters",
     "parameters that one token uses"},
    {"params.named", RK_FROM_WEIGHTS, RK_PARAMS_NAMED, RK_UNIT_COUNT, "parameters by name",
     "parameters, tied tensors by each name"},
    {"flops", RK_FROM_OPS, RK_OPS_FORWARD, RK_UNIT_FLOP, "forward FLOPs", "of a forward pass"},
    {"flops.backward", RK_FROM_OPS, RK_OPS_BACKWARD, RK_UNIT_FLOP, "backward FLOPs", "of a backward pass"},
    {"flops.step", RK_FROM_OPS, RK_OPS_STEP, RK_UNIT_FLOP, "FLOPs of a step", "forward and backward"},
    {"moved", RK_FROM_OPS, RK_OPS_MOVED, RK_UNIT_BYTE, "memory traffic",
     "bytes that the operations of a forward pass read and write"},
    {"memory.weights", RK_FROM_MEMORY, RK_BYTES_WEIGHTS, RK_UNIT_BYTE, "weights", "bytes of the weights"},
    {"memory.gradients", RK_FROM_MEMORY, RK_BYTES_GRADIENTS, RK_UNIT_BYTE, "gradients", "bytes of their gradients"},
    {"memory.optimizer", RK_FROM_MEMORY, RK_BYTES_OPTIMIZER, RK_UNIT_BYTE, "optimizer state",
     "bytes of the optimizer's state"},
    {"memory.saved", RK_FROM_MEMORY, RK_BYTES_SAVED, RK_UNIT_BYTE, "saved for backward",
     "bytes saved for the backward pass"},
    {"memory.cache", RK_FROM_MEMORY, RK_BYTES_CACHE, RK_UNIT_BYTE, "cache",
     "bytes of the key/value cache and of states"},
    {"memory.peak", RK_FROM_MEMORY, RK_BYTES_PEAK, RK_UNIT_BYTE, "peak memory",
     "the most bytes that a step has at any moment"},
};
const size_t rk_n_measure = sizeof rk_measure_table / sizeof *rk_measure_table;

/* Other words for a row, or for a ratio: %s stands for what follows the word. */
static const struct {
    const char *word, *means;
    bool needs_parts;
} other_words[] = {
    {"flops.forward", "flops%s", false},
    {"peak", "memory.peak%s", false},
    {"memory", "memory.peak%s", false},
    {"cache", "memory.cache%s", false},
    {"weights", "memory.weights%s", false},
    {"saved", "memory.saved%s", false},
    {"share", "flops%s/flops", true},
    {"intensity", "flops%s/moved%s", false},
    {"gradients", "memory.gradients%s", false},
    {"optimizer", "memory.optimizer%s", false},
    {"activations", "memory.saved%s", false},
    {"kv-cache", "memory.cache%s", false},
    {"traffic", "moved%s", false},
};

/* By its name, or by what stands above its axis. */
static const rk_measure_row *find_row(const char *name, size_t n)
{
    for (const rk_measure_row *row = rk_measure_table; row < rk_measure_table + rk_n_measure; row++)
        if (rk_alike_letters(row->name, strlen(row->name), name, n) ||
            rk_alike_letters(row->title, strlen(row->title), name, n))
            return row;
    return NULL;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* "share:ffn" written out: "flops:ffn/flops"; the text itself where it is no other word. */
static const char *written_out(rk_arena *a, const char *text)
{
    size_t n = strcspn(text, ":/");
    const char *rest = text + n;

    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++) {
        const char *means = other_words[i].means;
        rk_str s = {0};

        if (!rk_alike_letters(other_words[i].word, strlen(other_words[i].word), text, n) || *rest == '/' ||
            (other_words[i].needs_parts && *rest != ':'))
            continue;
        for (; *means; means++) {
            if (means[0] == '%' && means[1] == 's')
                rk_str_put(&s, rest), means++;
            else
                rk_str_format(&s, "%c", *means);
        }
        text = rk_arena_text(a, rk_str_text(&s));
        rk_str_free(&s);
        break;
    }
    return text;
}

static int fail_term(const char *text, rk_err *err)
{
    rk_nearest near = {.word = text};
    char hint[RK_NEAREST_HINT_MAX];

    for (size_t i = 0; i < rk_n_measure; i++)
        rk_nearest_try(&near, rk_measure_table[i].name);
    return rk_fail(err, RK_EINPUT,
                   "'%s' is no quantity%s\nQuantities are flops, params, moved, memory.peak and others ('reckon help "
                   "sweep' lists them), of parts as in flops:attention, and ratios such as flops:ffn/flops",
                   text, rk_nearest_hint(&near, hint));
}

static int parse_term(rk_arena *a, const char *text, rk_measure_term *out, rk_err *err)
{
    const char *plain = written_out(a, text);
    size_t n = plain ? strcspn(plain, ":") : 0;

    if (!plain)
        return rk_fail_memory(err);
    *out = (rk_measure_term){.row = find_row(plain, n)};
    if (plain[n] == ':')
        out->parts = plain + n + 1;
    else if (!out->row)
        *out = (rk_measure_term){.row = find_row("flops", strlen("flops")), .parts = plain};
    if (!out->row || (out->parts && !out->parts[0]))
        return fail_term(text, err);
    for (const char *c = out->parts; c && *c; c++)
        if (*c == ':' || *c == '/' || (unsigned char)*c <= ' ')
            return fail_term(text, err);
    if (out->parts && out->row->from == RK_FROM_MEMORY)
        return rk_fail(err, RK_EINPUT, "%s is not known of parts: 'reckon memory' lists its rows", out->row->name);
    return RK_OK;
}

int rk_measure_parse(rk_arena *a, const char *text, rk_measure *out, rk_err *err)
{
    const char *plain = written_out(a, text);
    char *over = plain ? rk_arena_text(a, plain) : NULL;
    char *slash = over ? strchr(over, '/') : NULL;
    int code;

    *out = (rk_measure){.name = rk_arena_text(a, text)};
    if (!over || !out->name)
        return rk_fail_memory(err);
    if (slash && (slash == over || slash[1] == '\0'))
        return rk_fail(err, RK_EINPUT, "'%s': a quantity is missing %s the /", text,
                       slash == over ? "before" : "after");
    if (slash)
        *slash = '\0';
    code = parse_term(a, over, &out->over, err);
    if (code == RK_OK && slash)
        code = parse_term(a, slash + 1, &out->under, err);
    if (code != RK_OK)
        return code;
    out->unit = out->over.row->unit;
    if (slash)
        out->unit = out->over.row->unit == out->under.row->unit ? RK_UNIT_RATIO : RK_UNIT_PER;
    return RK_OK;
}

int rk_measures_parse(rk_arena *a, const char *text, rk_measure **out, size_t *n, rk_err *err)
{
    RK_VEC(rk_measure) list = {0};
    int code = RK_OK;

    for (const char *at = text; at && code == RK_OK;) {
        size_t length = strcspn(at, ",");
        const char *word = rk_arena_format(a, "%.*s", (int)length, at);
        rk_measure *m = RK_PUSH(a, &list);

        if (!word || !m)
            return rk_fail_memory(err);
        code = rk_measure_parse(a, word, m, err);
        at = at[length] ? at + length + 1 : NULL;
    }
    *out = list.at;
    *n = list.n;
    return code;
}

bool rk_measure_is_memory(const rk_measure *m)
{
    return m->over.row->from == RK_FROM_MEMORY || (m->under.row && m->under.row->from == RK_FROM_MEMORY);
}
