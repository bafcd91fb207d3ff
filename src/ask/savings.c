/* SPDX-License-Identifier: MIT */
#include "ask/savings.h"

#include "account/training.h"

#include <string.h>

enum {
    CHANGES_MAX = 2 /* words that one saving says */
};

typedef struct change {
    rk_run_word which;
    const char *word;
} change;

typedef struct saving {
    rk_phase phase; /* TRAIN, PREFILL, or DECODE for both phases of serving */
    const char *option, *text;
    change said[CHANGES_MAX];
    size_t n_said;
    bool adapts; /* all but adapters is frozen */
    bool alone;  /* it is a way by itself, and none on top of others */
} saving;

/* From what costs nothing to what changes the numbers that are computed. */
static const saving table[] = {
    {RK_PHASE_TRAIN, "--attention flash", "attention in one operation", {{RK_RUN_ATTENTION, "flash"}}, 1, false, false},
    {RK_PHASE_TRAIN, "--recompute full", "layers recomputed backward", {{RK_RUN_RECOMPUTE, "full"}}, 1, false, false},
    {RK_PHASE_TRAIN, "--loss fused", "a fused loss, by chunks", {{RK_RUN_LOSS, "fused"}}, 1, false, false},
    {RK_PHASE_TRAIN,
     "--optimizer adam8bit",
     "optimizer states in 8 bits",
     {{RK_RUN_OPTIMIZER, "adam8bit"}},
     1,
     false,
     false},
    {RK_PHASE_TRAIN,
     "--weights nf4 --lora 16",
     "4-bit weights, LoRA trained",
     {{RK_RUN_WEIGHTS, "nf4"}, {RK_RUN_OPTIMIZER, NULL}},
     2,
     true,
     false},
    {RK_PHASE_TRAIN, "--loss chunked", "the loss by chunks", {{RK_RUN_LOSS, "chunked"}}, 1, false, true},
    {RK_PHASE_TRAIN, "--lora 16", "LoRA trained, the rest frozen", {{RK_RUN_OPTIMIZER, NULL}}, 1, true, true},
    {RK_PHASE_PREFILL,
     "--attention flash",
     "attention in one operation",
     {{RK_RUN_ATTENTION, "flash"}},
     1,
     false,
     false},
    {RK_PHASE_DECODE, "--kv-dtype fp8", "an 8-bit cache", {{RK_RUN_CACHE, "fp8"}}, 1, false, false},
    {RK_PHASE_DECODE, "--weights int8", "8-bit weights", {{RK_RUN_WEIGHTS, "int8"}}, 1, false, false},
    {RK_PHASE_DECODE, "--weights nf4", "4-bit weights", {{RK_RUN_WEIGHTS, "nf4"}}, 1, false, false},
};

/* Bits of a number in a type of weights, rounded up. */
static size_t bits_of(const char *word)
{
    const rk_dtype_row *t = rk_dtype_info(rk_number_table[rk_number_find(word)].dtype);

    return t->block ? (8u * t->bytes + t->block - 1u) / t->block : 0;
}

/* Whether the weights are in a type already than which this one has not half the bits. */
static bool is_packed(const char *given, const char *word)
{
    return given && rk_number_find(given) != RK_NUMBER_SAME && bits_of(given) < 2 * bits_of(word);
}

static bool is_of(rk_phase of, rk_phase phase)
{
    return of == phase || (of == RK_PHASE_DECODE && phase == RK_PHASE_PREFILL);
}

/* Whether the step does it already, or cannot. */
static bool is_idle(const saving *s, const rk_run_request *r, const rk_memory *now)
{
    const rk_memory_options *o = &now->options;

    if (o->profile.textbook || !is_of(s->phase, o->phase))
        return true;
    switch (s->said[0].which) {
    case RK_RUN_ATTENTION:
        return o->flash;
    case RK_RUN_RECOMPUTE:
        return o->recompute_layers > 0;
    case RK_RUN_LOSS:
        return !o->loss || rk_program_loss_region(&now->model->program) != NULL;
    case RK_RUN_OPTIMIZER: /* of adapters there is next to nothing to save */
        if (s->adapts)
            return r->open.adapt.rank > 0;
        return r->word[RK_RUN_OPTIMIZER] != NULL || r->open.adapt.rank > 0 || now->optimizer < now->peak / 100;
    case RK_RUN_WEIGHTS:
        return is_packed(r->word[RK_RUN_WEIGHTS], s->said[0].word) || now->storage.file ||
               (now->storage.from && !r->word[RK_RUN_WEIGHTS]);
    case RK_RUN_CACHE:
        return r->word[RK_RUN_CACHE] != NULL || now->cache == 0;
    default:
        return false;
    }
}

static void say(const saving *s, rk_run_request *r)
{
    for (size_t i = 0; i < s->n_said; i++)
        r->word[s->said[i].which] = s->said[i].word;
    if (s->said[0].which == RK_RUN_RECOMPUTE) /* which attention alone would say otherwise */
        r->count[RK_RUN_EVERY] = 0;
    if (s->adapts && r->open.adapt.rank == 0) {
        r->open.adapt.rank = RK_LORA_RANK_USUAL;
        r->open.adapt.freeze = NULL;
    }
}

/* What a step needs. */
typedef struct needs {
    rk_i128 state;
    rk_i128 stored; /* parameters */
    rk_i128 bytes;
    bool fits;
    rk_i128 fewest; /* devices, where it does not */
    bool can;       /* the model can take it so, and it can be measured as the step is */
} needs;

/* In a room; `m` has what the allocator reserves, where that is the measure. */
static int price(const rk_run_request *r, const rk_memory *m, const rk_room *room, bool devices, needs *out,
                 rk_err *err)
{
    rk_arena texts = {0};
    rk_least fewest = {0};
    int code = RK_OK;

    if (!room->reserved)
        out->bytes = rk_memory_total(m);
    else if (m->reserve.known)
        out->bytes = m->reserve.peak.reserved;
    else
        out->can = false;
    out->fits = out->bytes <= room->limit;
    if (devices && room->form && out->can && !out->fits) {
        code = rk_least_find(&texts, r, room->form, room->limit, &fewest, err);
        out->fewest = fewest.size > 0 ? fewest.devices : 0;
    }
    rk_arena_free(&texts);
    return code == RK_EINPUT ? RK_OK : code;
}

static int measure(const rk_run_request *r, const rk_room *room, bool devices, needs *out, rk_err *err)
{
    rk_run run = {0};
    rk_memory *m = NULL;
    rk_err why = {0};
    int code = rk_run_open(r, &run, &why);

    *out = (needs){.can = true};
    run.options.allocator = room && room->reserved;
    if (code == RK_OK)
        code = rk_memory_new(run.opened.instance, &run.options, &m, &why);
    run.options.allocator = false;
    if (code == RK_OK) {
        out->state = m->parameters + m->gradients + m->optimizer;
        out->bytes = m->peak;
        out->stored = rk_instance_value(run.opened.instance, run.ledger->stored, &code, &why);
    }
    if (code == RK_OK && room)
        code = price(r, m, room, devices, out, &why);
    out->can &= code == RK_OK;
    rk_memory_free(m);
    rk_run_close(&run);
    return rk_after_try(code, &why, err);
}

/* A step of very many operations is not built ten times for a hint. */
static bool is_long(const rk_memory *now, const rk_room *room)
{
    if (room) /* one device that trains is measured by what is reserved, where the step can be walked */
        return !room->reserved && room->devices == 1 && now->options.phase == RK_PHASE_TRAIN;
    return now->options.allocator && !now->reserve.known;
}

int rk_savings_find(const rk_run_request *r, const rk_memory *now, const rk_room *room, rk_savings *out, rk_err *err)
{
    rk_run_request with = *r;
    rk_i128 least = room ? room->needs : now->peak;
    bool fits = false;
    int code = RK_OK;

    *out = (rk_savings){0};
    if (is_long(now, room))
        return RK_OK;
    for (size_t i = 0; i < sizeof table / sizeof *table && code == RK_OK && out->n < RK_SAVINGS_MAX && !fits; i++) {
        rk_run_request before = with;
        needs n;

        if (table[i].alone || is_idle(&table[i], r, now))
            continue;
        say(&table[i], &with);
        code = measure(&with, room, true, &n, err);
        if (!n.can || n.bytes >= least) {
            with = before;
            continue;
        }
        out->at[out->n++] = (rk_saving){table[i].option, table[i].text, n.bytes, n.fits, n.fewest};
        least = n.bytes;
        fits = n.fits;
    }
    return code;
}

/* ---- ways by themselves ----------------------------------------------------------------------------------------- */

/* As the equations have them, and once more what is recomputed. */
static int count_operations(const rk_run *run, const rk_memory *m, rk_i128 *out, rk_err *err)
{
    rk_opened plain = {0};
    rk_ledger *l = NULL;
    int code = rk_open_all(&run->equations, RK_FIND_MODEL, &plain, err);

    *out = 0;
    if (code == RK_OK)
        code = rk_ledger_new(plain.instance, &run->ledger->convention, &l, err);
    *out += code == RK_OK ? rk_instance_value(plain.instance, l->forward, &code, err) : 0;
    if (m->options.phase == RK_PHASE_TRAIN) {
        *out += code == RK_OK ? rk_instance_value(plain.instance, l->backward, &code, err) : 0;
        *out += rk_instance_value(run->opened.instance, rk_recompute_flops(m, run->ledger), &code, err);
    }
    rk_ledger_free(l);
    rk_opened_free(&plain);
    return code;
}

/* Adds a way, unless the model cannot take it or it saves nothing. */
static int try_way(const rk_run_request *r, const char *option, const char *text, rk_i128 least, rk_i128 limit,
                   rk_ways *out, rk_err *err)
{
    rk_run run = {0};
    rk_memory *m = NULL;
    rk_err why = {0};
    rk_way way = {.option = option, .text = text};
    int code = rk_run_open(r, &run, &why);

    run.options.brief = run.options.unnamed = true;
    if (code == RK_OK)
        code = rk_memory_new(run.opened.instance, &run.options, &m, &why);
    if (code == RK_OK)
        code = count_operations(&run, m, &way.operations, &why);
    if (code == RK_OK && m->peak < least) {
        way.peak = m->peak;
        way.fits = limit > 0 && m->peak <= limit;
        memcpy(way.peak_of, m->peak_of, sizeof way.peak_of);
        out->at[out->n++] = way;
    }
    rk_memory_free(m);
    rk_run_close(&run);
    return rk_after_try(code, &why, err);
}

#define DEVICES_MOST 1024 /* beyond, other ways than to divide a model are taken, too */

/* The fewest devices, by doubling; without a limit, two. */
static int try_devices(rk_arena *a, const rk_run_request *r, rk_i128 least, rk_i128 limit, rk_ways *out, rk_err *err)
{
    rk_run_request with = *r;
    size_t n = out->n;
    int code = RK_OK;

    for (int devices = 2; devices <= DEVICES_MOST && code == RK_OK; devices *= 2) {
        const char *option = rk_arena_format(a, "--layout fsdp=%d", devices);
        const char *text = rk_arena_format(a, "in pieces on %d devices", devices);

        if (!option || !text)
            return rk_fail_memory(err);
        with.layout.said[RK_LAYOUT_LINE] = option + strlen("--layout ");
        out->n = n;
        code = try_way(&with, option, text, least, limit, out, err);
        if (out->n == n || limit == 0 || out->at[n].fits)
            break;
    }
    return code;
}

int rk_ways_find(rk_arena *a, const rk_run_request *r, const rk_run *run, const rk_memory *now, rk_i128 limit,
                 rk_ways *out, rk_err *err)
{
    int code = RK_OK;

    *out = (rk_ways){0};
    code = count_operations(run, now, &out->operations, err);
    for (size_t i = 0; i < sizeof table / sizeof *table && code == RK_OK && out->n + 1 < RK_WAYS_MAX; i++) {
        rk_run_request with = *r;

        if (is_idle(&table[i], r, now))
            continue;
        say(&table[i], &with);
        code = try_way(&with, table[i].option, table[i].text, now->peak, limit, out, err);
    }
    if (code == RK_OK && now->options.phase == RK_PHASE_TRAIN && !now->options.layout && !now->options.profile.textbook)
        code = try_devices(a, r, now->peak, limit, out, err);
    return code;
}

/* ---- recipes ---------------------------------------------------------------------------------------------------- */

/* Whether these are the types of the step as it is; equal bytes in another type are not. */
static bool is_own(const rk_run_request *r, const char *name, const needs *n, const rk_memory *now, const rk_room *room)
{
    if (r->word[RK_RUN_DTYPE] && !r->word[RK_RUN_RECIPE] && strcmp(r->word[RK_RUN_DTYPE], rk_recipe_type(name)) != 0)
        return false;
    return r->word[RK_RUN_RECIPE] ? strcmp(r->word[RK_RUN_RECIPE], name) == 0
                                  : n->bytes == (room ? room->needs : now->peak) &&
                                        n->state == now->parameters + now->gradients + now->optimizer;
}

int rk_recipes_find(const rk_run_request *r, const rk_memory *now, const rk_room *room, rk_recipes *out, rk_err *err)
{
    static const rk_run_word by_recipe[] = {RK_RUN_DTYPE, RK_RUN_MASTER, RK_RUN_GRADIENT, RK_RUN_WEIGHTS,
                                            RK_RUN_ADAPTERS};
    rk_run_request with = *r, as_is = *r;
    bool found = false;
    needs own;
    int code;

    *out = (rk_recipes){0};
    if (now->options.phase != RK_PHASE_TRAIN || now->options.profile.textbook || is_long(now, room))
        return RK_OK;
    for (size_t i = 0; i < sizeof by_recipe / sizeof *by_recipe; i++)
        with.word[by_recipe[i]] = NULL;
    with.open.adapt.rank = 0;
    with.open.adapt.targets = NULL;
    as_is.layout = (rk_layout_request){0};
    code = measure(&as_is, NULL, false, &own, err);
    out->stored = own.stored;
    for (size_t i = 0; rk_recipe_name(i) && code == RK_OK && out->n < RK_RECIPES_MAX; i++) {
        const char *name = rk_recipe_name(i);
        rk_run_request alone;
        needs n, whole;

        with.word[RK_RUN_RECIPE] = name;
        alone = with;
        alone.layout = (rk_layout_request){0};
        code = measure(&with, room, false, &n, err);
        whole = n;
        if (code == RK_OK && n.can && now->options.layout) /* a parameter has as many bytes as without one */
            code = measure(&alone, NULL, false, &whole, err);
        if (code != RK_OK || !n.can || !whole.can)
            continue;
        out->at[out->n++] =
            (rk_recipe_row){name, !found && is_own(r, name, &n, now, room), whole.state, n.bytes, n.fits};
        found |= out->at[out->n - 1].chosen; /* of equal ones the first */
    }
    return code;
}
