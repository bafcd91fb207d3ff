/* SPDX-License-Identifier: MIT */
#include "ask/gauge.h"

#include "plan/nearest.h"

#include <string.h>

/* Where a term is read: a slot of the tape, or a figure of memory. */
typedef struct slot {
    bool is_memory;
    int at;
} slot;

/* A model at the numbers of this point. */
typedef struct numbers {
    rk_instance at;
    rk_sym *symbol; /* of each that varies */
} numbers;

/* How many tokens there are: a number, or that of a symbol that varies. */
typedef struct length {
    bool known, varies;
    size_t at; /* among those that vary */
    rk_i128 n;
} length;

struct rk_gauge {
    rk_arena arena; /* lives as long as the gauge */
    const rk_gauge_source *source;
    const rk_measure *measure;
    size_t n;
    rk_setting *setting; /* those of the request, then those that vary */
    rk_i128 *number;     /* of those that vary, at which the models were opened */
    bool *reopens;       /* of each that varies: another number needs the models opened again */
    bool *is_axis;       /* of each that varies: it is the size of an axis of the mesh */
    size_t n_set;        /* of `setting`: all but those */
    bool has_memory;
    length fresh, seen; /* T counts what is new */

    rk_arena opened_arena; /* lives as long as the models */
    rk_shelf *shelf;       /* the model, expanded once for the equations and for the step */
    rk_opened plain;
    rk_ledger *ledger;
    numbers plain_at, run_at;
    rk_tape *tape;
    slot *over, *under;
    rk_i128 *scratch, *result;
    rk_run run;
    rk_peaks peaks;
    rk_memory *formulas; /* made when someone asks */
};

/* What a phase sets where nobody says it (one new token, decoding) holds for the equations, too. */
int rk_gauge_source_new(rk_arena *a, rk_run_request *r, const char *const *symbol, size_t n_symbol,
                        rk_gauge_source *out, rk_err *err)
{
    rk_varied varied = {symbol, n_symbol};
    rk_fresh fresh = {0};
    int code = rk_run_check(r, err);

    r->open.mistakes = NULL; /* threads would write into one text: they stand in the message */
    if (code == RK_OK)
        code = rk_tokens_keep_input(a, &r->open, err);
    if (code == RK_OK)
        code = rk_tokens_set(a, rk_run_phase(r), &varied, &r->open, &fresh, err);
    *out = (rk_gauge_source){.request = r->open,
                             .convention = r->convention,
                             .symbol = symbol,
                             .n_symbol = n_symbol,
                             .fresh = fresh,
                             .run = r};
    return code;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static rk_open_request request_of(const rk_gauge *g)
{
    rk_open_request r = g->source->request;

    r.shelf = g->source->request.shelf ? g->source->request.shelf : g->shelf;
    r.setting = g->setting;
    r.n_setting = g->n_set;
    return r;
}

/* The line of the layout, with the sizes of axes that vary; NULL: there is none.  RK_ENOMEM. */
static int line_of(rk_gauge *g, const char **out, rk_err *err)
{
    const char *line = g->source->run ? g->source->run->layout.said[RK_LAYOUT_LINE] : NULL;
    char n[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < g->source->n_symbol; i++) {
        if (!g->is_axis[i])
            continue;
        line = rk_arena_format(&g->opened_arena, "%s%s%s=%s", line ? line : "", line ? "," : "", g->source->symbol[i],
                               rk_num_text(n, g->number[i]));
        if (!line)
            return rk_fail_memory(err);
    }
    *out = line;
    return RK_OK;
}

static int fail_symbol(const rk_model *m, const char *name, rk_err *err)
{
    rk_nearest near = {.word = name};
    char hint[RK_NEAREST_HINT_MAX];

    for (size_t i = 0; i < m->n_symbol; i++)
        if (m->symbol[i].kind != RK_SYMBOL_LOOP)
            rk_nearest_try(&near, m->symbol[i].name);
    return rk_fail(err, RK_EINPUT, "%s has no symbol %s%s", m->name, name, rk_nearest_hint(&near, hint));
}

/* Numbers that can be changed while formulas and accounts stay at those of the opening. */
static int take_numbers(rk_gauge *g, const rk_instance *m, numbers *out, rk_err *err)
{
    int code = rk_instance_copy(&g->opened_arena, m, &out->at, err);

    out->symbol = RK_NEW_ARRAY(&g->opened_arena, g->source->n_symbol + 1, rk_sym);
    if (code != RK_OK || !out->symbol)
        return rk_fail_memory(err);
    for (size_t i = 0; i < g->source->n_symbol; i++) {
        const rk_symbol *s = rk_model_symbol(m->model, g->source->symbol[i]);

        g->reopens[i] |= g->is_axis[i];
        if (g->is_axis[i])
            continue;
        if (!s)
            return fail_symbol(m->model, g->source->symbol[i], err);
        out->symbol[i] = s->sym;
        g->reopens[i] |= s->kind != RK_SYMBOL_RUN || s->fixed || s->checked ||
                         rk_sym_definition(m->model->pool, s->sym) != RK_EX_FAILED;
    }
    return RK_OK;
}

/* Of a number that is moved: as the step says, or the config, else 4. */
static int bytes_moved(const rk_gauge *g)
{
    const rk_dtype_row *row = rk_dtype_info(g->plain.instance->model->quant.dtype);
    int said = g->source->run ? rk_run_bytes(g->source->run) : 0;

    if (said)
        return said;
    return row->family == RK_DTYPE_FAMILY_FLOAT && row->bytes == 2 ? 2 : 4;
}

/* Puts the formula of a term on the list for the tape. */
static int place(rk_gauge *g, const rk_measure_term *t, rk_ex *list, size_t *n, slot *out, rk_err *err)
{
    int code;

    if (t->row->from == RK_FROM_MEMORY) {
        *out = (slot){true, t->row->which};
        return RK_OK;
    }
    *out = (slot){false, (int)*n};
    code = rk_measure_formula(g->ledger, t, bytes_moved(g), &list[*n], err);
    *n += code == RK_OK;
    return code;
}

static int compile(rk_gauge *g, rk_err *err)
{
    rk_ex *list = RK_NEW_ARRAY(&g->opened_arena, 2 * g->n + 1, rk_ex);
    size_t n = 0;
    int code = RK_OK;

    g->over = RK_NEW_ARRAY(&g->opened_arena, g->n + 1, slot);
    g->under = RK_NEW_ARRAY(&g->opened_arena, g->n + 1, slot);
    if (!list || !g->over || !g->under)
        return rk_fail_memory(err);
    for (size_t i = 0; i < g->n && code == RK_OK; i++) {
        code = place(g, &g->measure[i].over, list, &n, &g->over[i], err);
        if (code == RK_OK && g->measure[i].under.row)
            code = place(g, &g->measure[i].under, list, &n, &g->under[i], err);
    }
    if (code != RK_OK)
        return code;
    g->tape = rk_tape_new(g->plain.instance->pool, list, n, err);
    if (!g->tape)
        return err->code;
    g->scratch = RK_NEW_ARRAY(&g->opened_arena, rk_tape_scratch(g->tape) + 1, rk_i128);
    g->result = RK_NEW_ARRAY(&g->opened_arena, n + 1, rk_i128);
    return g->scratch && g->result ? RK_OK : rk_fail_memory(err);
}

/* What is wrong with a model file stands in the message, and where the source wants it. */
static int open_plain(rk_gauge *g, const rk_layout *layout, rk_err *err)
{
    rk_open_request r = request_of(g);
    rk_str mistakes = {0}, *said = g->source->mistakes;
    int code;

    r.passes.layout = layout;
    r.mistakes = &mistakes;
    code = rk_open_all(&r, RK_FIND_MODEL, &g->plain, err);
    if (code != RK_OK && mistakes.n > 0)
        rk_fail(err, code, "%s", rk_str_text(&mistakes));
    if (said) {
        rk_str_free(said); /* those of a number that was tried before */
        *said = mistakes;
    } else {
        rk_str_free(&mistakes);
    }
    return code;
}

/* The step, of which memory is asked. */
static int open_step(rk_gauge *g, const char *line, rk_err *err)
{
    rk_run_request step;

    if (!g->source->run)
        return rk_fail(err, RK_EINPUT, "memory cannot be asked for here");
    step = *g->source->run;
    step.open = request_of(g);
    step.layout.said[RK_LAYOUT_LINE] = line;
    return rk_run_open(&step, &g->run, err);
}

/* Whose equations are asked: those of the rank of the step, or if there is none, of the one that the words say. */
static int find_layout(rk_gauge *g, const char *line, const rk_layout **out, rk_err *err)
{
    rk_layout_request said;
    rk_layout *l;
    bool any = false;
    int code;

    *out = g->has_memory ? g->run.options.layout : NULL;
    if (!line || g->has_memory)
        return RK_OK;
    said = g->source->run->layout;
    said.said[RK_LAYOUT_LINE] = line;
    if (!(l = RK_NEW(&g->opened_arena, rk_layout)))
        return rk_fail_memory(err);
    code = rk_layout_read(&g->source->request.library, &g->opened_arena, &said, l, &any, err);
    l->infers = rk_run_phase(g->source->run) != RK_PHASE_TRAIN;
    *out = l;
    return code;
}

static int open_all(rk_gauge *g, rk_err *err)
{
    const char *line = NULL;
    const rk_layout *layout = NULL;
    int code = line_of(g, &line, err);

    g->shelf = rk_shelf_new();
    if (code == RK_OK && !g->shelf)
        code = rk_fail_memory(err);
    if (code == RK_OK && g->has_memory && line) /* which rank it is of is found there */
        code = open_step(g, line, err);
    if (code == RK_OK)
        code = find_layout(g, line, &layout, err);
    if (code == RK_OK)
        code = open_plain(g, layout, err);
    if (code == RK_OK)
        code = rk_ledger_new(g->plain.instance, &g->source->convention, &g->ledger, err);
    if (code == RK_OK)
        code = take_numbers(g, g->plain.instance, &g->plain_at, err);
    if (code == RK_OK)
        code = compile(g, err);
    if (code == RK_OK && g->has_memory && !line)
        code = open_step(g, NULL, err);
    return code == RK_OK && g->has_memory ? take_numbers(g, g->run.opened.instance, &g->run_at, err) : code;
}

static void close_all(rk_gauge *g)
{
    rk_memory_free(g->formulas);
    rk_peaks_free(&g->peaks);
    rk_run_close(&g->run);
    rk_tape_free(g->tape);
    rk_ledger_free(g->ledger);
    rk_opened_free(&g->plain);
    rk_shelf_free(g->shelf);
    rk_arena_free(&g->opened_arena);
    g->formulas = NULL;
    g->tape = NULL;
    g->ledger = NULL;
    g->shelf = NULL;
}

static void set_numbers(rk_gauge *g, const rk_i128 *number)
{
    g->n_set = g->source->request.n_setting;
    for (size_t i = 0; i < g->source->n_symbol; i++) {
        g->number[i] = number[i];
        if (!g->is_axis[i])
            g->setting[g->n_set++] = (rk_setting){.name = g->source->symbol[i], .value = number[i]};
    }
}

static bool is_axis(const char *name)
{
    for (size_t i = 0; i < RK_N_MESH; i++)
        if (strcmp(name, rk_mesh_word[i]) == 0)
            return true;
    return false;
}

static length find_length(const rk_gauge_source *s, const char *name)
{
    const rk_setting *set = rk_setting_find(s->request.setting, s->request.n_setting, name);

    for (size_t i = 0; i < s->n_symbol; i++)
        if (strcmp(s->symbol[i], name) == 0)
            return (length){.known = true, .varies = true, .at = i};
    return set ? (length){.known = true, .n = set->value} : (length){0};
}

static int check_lengths(const rk_gauge *g, const rk_i128 *number, rk_err *err)
{
    rk_i128 n = g->fresh.varies ? number[g->fresh.at] : g->fresh.n;

    if (!g->seen.known)
        return RK_OK;
    return rk_tokens_check(g->source->fresh.symbol, n, g->seen.varies ? number[g->seen.at] : g->seen.n, err);
}

int rk_gauge_new(const rk_gauge_source *source, const rk_measure *measure, size_t n, const rk_i128 *number,
                 rk_gauge **out, rk_err *err)
{
    rk_gauge *g = rk_heap_alloc(sizeof *g);
    const rk_fresh *fresh = &source->fresh;
    size_t n_setting = source->request.n_setting;
    int code;

    if (!g)
        return rk_fail_memory(err);
    *g = (rk_gauge){.source = source, .measure = measure, .n = n};
    g->setting = RK_NEW_ARRAY(&g->arena, n_setting + source->n_symbol + 1, rk_setting);
    g->number = RK_NEW_ARRAY(&g->arena, source->n_symbol + 1, rk_i128);
    g->reopens = RK_NEW_ARRAY(&g->arena, source->n_symbol + 1, bool);
    g->is_axis = RK_NEW_ARRAY(&g->arena, source->n_symbol + 1, bool);
    for (size_t i = 0; g->is_axis && source->run && i < source->n_symbol; i++)
        g->is_axis[i] = is_axis(source->symbol[i]);
    for (size_t i = 0; i < n; i++)
        g->has_memory |= rk_measure_is_memory(&measure[i]);
    if (g->arena.failed) {
        rk_gauge_free(g);
        return rk_fail_memory(err);
    }
    if (n_setting)
        memcpy(g->setting, source->request.setting, n_setting * sizeof *g->setting);
    set_numbers(g, number);
    if (fresh->symbol) {
        g->seen = find_length(source, RK_NAME_KEYS);
        g->fresh = find_length(source, fresh->symbol);
        g->fresh.n = g->fresh.known ? g->fresh.n : fresh->n;
    }
    code = check_lengths(g, number, err);
    if (code == RK_OK)
        code = open_all(g, err);
    if (code != RK_OK)
        rk_gauge_free(g);
    else
        *out = g;
    return code;
}

void rk_gauge_free(rk_gauge *g)
{
    if (!g)
        return;
    close_all(g);
    rk_arena_free(&g->arena);
    rk_heap_free(g);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static const rk_instance *move(const rk_gauge *g, numbers *n, const rk_i128 *number)
{
    for (size_t i = 0; i < g->source->n_symbol; i++)
        if (!g->is_axis[i])
            rk_instance_set(&n->at, n->symbol[i], number[i]);
    return &n->at;
}

static bool stands(const rk_gauge *g, numbers *n, const rk_i128 *number)
{
    return n->at.model->threshold.n == 0 || rk_model_stands(n->at.model, &move(g, n, number)->at);
}

int rk_gauge_read(rk_gauge *g, const rk_i128 *number, rk_reading *out, rk_err *err)
{
    rk_i128 bytes[RK_N_BYTES] = {0};
    bool fits = g->tape != NULL; /* what is open is right for these numbers */
    int code = check_lengths(g, number, err);

    for (size_t i = 0; i < g->source->n_symbol; i++)
        fits &= !g->reopens[i] || g->number[i] == number[i];
    fits = fits && stands(g, &g->plain_at, number) && (!g->has_memory || stands(g, &g->run_at, number));
    if (code == RK_OK && !fits) {
        close_all(g);
        set_numbers(g, number);
        code = open_all(g, err);
        if (code != RK_OK)
            close_all(g); /* the model cannot have these numbers: the next ones open it again */
    }
    if (code != RK_OK)
        return code;
    code = rk_tape_eval(g->tape, &move(g, &g->plain_at, number)->at, g->scratch, g->result, err);
    if (code == RK_OK && g->has_memory)
        code = rk_peaks_read(&g->peaks, move(g, &g->run_at, number), &g->run.options, bytes, err);
    for (size_t i = 0; i < g->n && code == RK_OK; i++) {
        const slot *o = &g->over[i], *u = &g->under[i];

        out[i].over = o->is_memory ? bytes[o->at] : g->result[o->at];
        out[i].under = !g->measure[i].under.row ? 1 : u->is_memory ? bytes[u->at] : g->result[u->at];
    }
    return code;
}

typedef struct growing {
    rk_gauge *gauge;
    rk_i128 *number;
    rk_reading *reading;
} growing;

static int first_at(void *self, rk_i128 n, rk_i128 *out, rk_err *err)
{
    const growing *r = self;
    int code;

    r->number[0] = n;
    code = rk_gauge_read(r->gauge, r->number, r->reading, err);
    if (code == RK_OK)
        *out = r->reading[0].over;
    return code;
}

/* The first of the numbers is tried, and is another one afterwards. */
/* NOLINTNEXTLINE(readability-non-const-parameter) */
int rk_gauge_room(rk_gauge *g, rk_i128 *number, rk_i128 limit, rk_fit *out, rk_err *err)
{
    growing at = {g, number, RK_NEW_ARRAY(&g->arena, g->n, rk_reading)};
    rk_growth grows = {.bytes = first_at, .self = &at, .most = RK_LARGEST_MAX};

    return at.reading ? rk_largest_find(&grows, limit, out, err) : rk_fail_memory(err);
}

const rk_ledger *rk_gauge_ledger(const rk_gauge *g)
{
    return g->ledger;
}

const rk_run *rk_gauge_step(const rk_gauge *g)
{
    return g->has_memory ? &g->run : NULL;
}

int rk_gauge_account(rk_gauge *g, rk_memory **out, rk_err *err)
{
    return rk_peaks_account(&g->peaks, g->run.opened.instance, &g->run.options, out, err);
}

bool rk_gauge_stays(const rk_gauge *g)
{
    bool stays = g->source->n_symbol == 0 ||
                 (g->plain_at.at.model->threshold.n == 0 && (!g->has_memory || g->run_at.at.model->threshold.n == 0));

    for (size_t i = 0; i < g->source->n_symbol; i++)
        stays &= !g->reopens[i];
    return stays;
}

/* ---- formulas --------------------------------------------------------------------------------------------------- */

static rk_ex memory_formula(const rk_memory *m, int which)
{
    switch (which) {
    case RK_BYTES_WEIGHTS:
        return m->parameters_formula;
    case RK_BYTES_GRADIENTS:
        return m->gradients_formula;
    case RK_BYTES_OPTIMIZER:
        return m->optimizer_formula;
    case RK_BYTES_SAVED:
        return m->saved_formula;
    case RK_BYTES_CACHE:
        return m->cache_formula;
    default:
        return RK_EX_FAILED;
    }
}

static int term_formula(rk_gauge *g, const rk_measure_term *t, rk_ex *out, rk_err *err)
{
    int code = RK_OK;

    *out = RK_EX_FAILED;
    if (!t->row)
        return RK_OK;
    if (t->row->from != RK_FROM_MEMORY)
        return rk_measure_formula(g->ledger, t, bytes_moved(g), out, err);
    if (!g->formulas)
        code = rk_memory_new(g->run.opened.instance, &g->run.options, &g->formulas, err);
    if (code == RK_OK)
        *out = memory_formula(g->formulas, t->row->which);
    return code;
}

const rk_instance *rk_gauge_formula(rk_gauge *g, size_t i, rk_ex *over, rk_ex *under, rk_err *err)
{
    const rk_measure *m = &g->measure[i];
    int code = term_formula(g, &m->over, over, err);

    if (code == RK_OK)
        code = term_formula(g, &m->under, under, err);
    if (code != RK_OK)
        return NULL;
    /* A step and the equations are different models: there is no one formula of both. */
    if (m->under.row && (m->over.row->from == RK_FROM_MEMORY) != (m->under.row->from == RK_FROM_MEMORY))
        *over = *under = RK_EX_FAILED;
    return rk_measure_is_memory(m) ? g->run.opened.instance : g->plain.instance;
}
