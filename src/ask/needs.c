/* SPDX-License-Identifier: MIT */
#include "ask/needs.h"

#include "ask/least.h"

#include <string.h>

const char *const rk_need_word[] = {
    [RK_NEED_LOAD] = "load", [RK_NEED_FORWARD] = "forward", [RK_NEED_SERVE] = "serve", [RK_NEED_TUNE] = "fine-tune"};

/* What people have, from the smallest on: one of a shelf, then what a machine has of those that are linked. */
static const struct {
    const char *word;
    int n;
} usual[] = {{"rtx-4090", 1}, {"l40s", 1}, {"h100", 1}, {"h200", 1},
             {"h100", 2},     {"h100", 4}, {"h100", 8}, {"h200", 8}};

enum {
    OPS_MOST = 1 << 16 /* of a step that is walked for a look at the model */
};

_Static_assert(sizeof usual / sizeof *usual <= RK_USUAL_MAX, "all of them have a place");

typedef struct needing {
    rk_arena *a;
    const rk_run_request *request;
    rk_needs *out;
    rk_err *err;
} needing;

static int find_usual(needing *x)
{
    rk_devices all = {0};
    int code = rk_devices_read(&x->request->open.library, x->a, &all, x->err);

    for (size_t i = 0; i < sizeof usual / sizeof *usual && code == RK_OK; i++) {
        const rk_device *d = rk_device_find(&all, usual[i].word, NULL);

        if (d) /* a table of someone's own may have others */
            x->out->usual[x->out->n_usual++] = (rk_usual){usual[i].word, d, usual[i].n};
    }
    return code;
}

/* ---- which device has it ---------------------------------------------------------------------------------------- */

rk_need rk_needs_load(const rk_needs *n, const char *as, rk_i128 bytes)
{
    rk_need need = {.kind = RK_NEED_LOAD, .as = as, .bytes = bytes};

    for (size_t i = 0; i < n->n_usual && !need.on; i++)
        if ((bytes + n->usual[i].n - 1) / n->usual[i].n <= rk_device_room(n->usual[i].device))
            need.on = &n->usual[i];
    return need;
}

/* Several devices share a model as their layout says: in training its weights lie in pieces, else its layers do. */
static int share_among(needing *x, const rk_run_request *r, const rk_memory *m, rk_need *need)
{
    bool trains = m->options.phase == RK_PHASE_TRAIN;
    int code = RK_OK;

    for (size_t i = 0; i < x->out->n_usual && !need->on && code == RK_OK; i++) {
        const rk_usual *u = &x->out->usual[i];
        rk_run_request with = *r;
        rk_i128 room = rk_device_room(u->device), bytes = 0;
        rk_run run = {0};
        char n[RK_NUM_TEXT_MAX];

        if (u->n == 1 || m->held_weights / u->n > room)
            continue;
        with.layout.said[RK_LAYOUT_LINE] =
            rk_arena_format(x->a, "%s=%s", rk_mesh_word[trains ? RK_MESH_FSDP : RK_MESH_TP], rk_num_text(n, u->n));
        if (!with.layout.said[RK_LAYOUT_LINE])
            return rk_fail_memory(x->err);
        code = rk_least_open(&with, &run, x->err);
        if (code == RK_OK)
            code = rk_least_needs(&run, room, NULL, &bytes, x->err);
        if (code == RK_OK && bytes <= room)
            need->on = u;
        if (code == RK_EINPUT) /* so many cannot share it */
            code = RK_OK;
        rk_run_close(&run);
    }
    return code;
}

/* On one device that trains, what counts is what the framework's allocator takes of it. */
static int find_device(needing *x, const rk_run_request *r, const rk_memory *m, rk_need *need)
{
    rk_i128 reserved = m->reserve.known ? m->reserve.peak.reserved : 0;
    rk_i128 bytes = reserved > m->peak ? reserved : m->peak;

    for (size_t i = 0; i < x->out->n_usual && !need->on; i++)
        if (x->out->usual[i].n == 1 && bytes <= rk_device_room(x->out->usual[i].device))
            need->on = &x->out->usual[i];
    return need->on ? RK_OK : share_among(x, r, m, need);
}

/* Whether one device could have it, by the weights alone, in numbers of four bits at the least. */
static bool can_be_alone(const needing *x, const rk_run *run)
{
    rk_i128 n = 0, room = 0;

    for (size_t i = 0; i < x->out->n_usual; i++)
        if (x->out->usual[i].n == 1 && room < rk_device_room(x->out->usual[i].device))
            room = rk_device_room(x->out->usual[i].device);
    return rk_ex_eval(run->ledger->pool, run->ledger->stored, &run->ledger->instance->at, &n, NULL) == RK_OK &&
           n / 2 <= room;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

static rk_i128 size_of(const rk_instance *m, rk_symbol_role role)
{
    const rk_symbol *s = rk_model_size(m->model, role);

    return s && m->known[s->sym] ? m->value[s->sym] : 0;
}

/* A cache at its longest is the last that is looked at. */
static int take_cache(needing *x, const rk_memory *m, rk_i128 tokens)
{
    const rk_instance *at = m->instance;
    int code = rk_ex_eval(at->pool, m->carried.per_token, &at->at, &x->out->per_token, x->err);

    if (code == RK_OK)
        code = rk_ex_eval(at->pool, m->carried.per_sequence, &at->at, &x->out->per_sequence, x->err);
    x->out->cached = tokens;
    x->out->caches = code == RK_OK && m->carried.n > 0;
    return code;
}

/* The peak of a step. */
static int measure(needing *x, const rk_run_request *r, rk_need need)
{
    rk_run run = {0};
    rk_memory *m = NULL;
    rk_err why = {0}, *err = x->err;
    int code;

    x->err = &why;
    code = rk_run_open(r, &run, &why);
    run.options.allocator = code == RK_OK && need.kind == RK_NEED_TUNE && can_be_alone(x, &run);
    run.options.brief = run.options.unnamed = true; /* who is alive is nobody's question */
    if (code == RK_OK)
        code = rk_memory_new(run.opened.instance, &run.options, &m, &why);
    if (code == RK_OK) {
        need.bytes = m->peak;
        need.as = need.as || need.kind != RK_NEED_TUNE ? need.as : run.options.autocast ? "mixed" : run.options.type;
        code = find_device(x, r, m, &need);
    }
    if (code == RK_EINPUT && m) /* it cannot be shared */
        code = RK_OK;
    if (code == RK_OK && need.kind == RK_NEED_SERVE)
        code = take_cache(x, m, need.tokens);
    if (code == RK_OK && x->out->n < RK_NEEDS_MAX)
        x->out->at[x->out->n++] = need;
    rk_memory_free(m);
    rk_run_close(&run);
    x->err = err;
    return rk_after_try(code, &why, err);
}

/* A decoding step that sees so many tokens, whatever length a line says. */
static int serve(needing *x, rk_need need)
{
    rk_run_request r = *x->request;
    rk_setting *set = RK_NEW_ARRAY(x->a, r.open.n_setting + 1, rk_setting);

    if (!set)
        return rk_fail_memory(x->err);
    r.word[RK_RUN_PHASE] = "decode";
    r.open.n_setting = 0;
    for (size_t i = 0; i < x->request->open.n_setting; i++) {
        rk_symbol_role role = rk_run_role(x->request->open.setting[i].name);

        if (role != RK_SIZE_TOKENS && role != RK_SIZE_KEYS)
            set[r.open.n_setting++] = x->request->open.setting[i];
    }
    if (need.tokens > 0)
        set[r.open.n_setting++] = (rk_setting){.name = RK_NAME_KEYS, .value = need.tokens};
    r.open.setting = set;
    return measure(x, &r, need);
}

/* At the length of the line, and at the config's where that is longer. */
static int run_once(needing *x, const rk_instance *m, rk_need need)
{
    rk_run_request r = *x->request;
    rk_i128 context = x->out->context;
    int code;

    if (m->program->n_keep == 0 || rk_model_size(m->model, RK_SIZE_TARGETS)) {
        r.word[RK_RUN_PHASE] = "prefill";
        need.kind = RK_NEED_FORWARD;
        return measure(x, &r, need);
    }
    need.kind = RK_NEED_SERVE;
    if (!rk_model_size(m->model, RK_SIZE_KEYS)) /* states alone */
        need.tokens = 0;
    else if (size_of(m, RK_SIZE_KEYS) > 0) /* the line says it */
        need.tokens = size_of(m, RK_SIZE_KEYS);
    code = serve(x, need);
    if (code != RK_OK || need.tokens == 0 || context <= need.tokens)
        return code;
    need.tokens = context;
    return serve(x, need);
}

static bool is_long(const rk_instance *m)
{
    const rk_program *p = m->program;
    rk_i128 all = 0;

    for (size_t i = 0; i < p->n_op && all < OPS_MOST; i++) {
        rk_i128 times = 1;
        rk_acc acc = {0};
        int code = RK_OK;

        for (uint32_t g = p->op[i].group; g != 0 && code == RK_OK; g = p->group[g].parent)
            times = rk_mul(&acc, times, rk_instance_value(m, p->group[g].times, &code, NULL));
        all += acc.overflow || times > OPS_MOST ? OPS_MOST : times;
    }
    return all >= OPS_MOST;
}

int rk_needs_find(rk_arena *a, const rk_run_request *r, const rk_instance *m, rk_needs *out, rk_err *err)
{
    static const char *const recipe[] = {NULL, "lora", "qlora"};
    const rk_symbol *length = rk_model_size(m->model, RK_SIZE_TOKENS);
    needing x = {.a = a, .request = r, .out = out, .err = err};
    rk_need need = {.kind = RK_NEED_TUNE, .batch = size_of(m, RK_SIZE_BATCH), .tokens = size_of(m, RK_SIZE_TOKENS)};
    int code;

    *out = (rk_needs){.context = length ? length->context : 0};
    code = find_usual(&x);
    if (code != RK_OK || is_long(m))
        return code;
    code = run_once(&x, m, need);
    for (size_t i = 0; i < sizeof recipe / sizeof *recipe && code == RK_OK; i++) {
        rk_run_request with = *r;

        with.word[RK_RUN_RECIPE] = need.as = recipe[i];
        code = measure(&x, &with, need);
    }
    return code;
}
