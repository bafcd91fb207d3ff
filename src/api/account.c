/* SPDX-License-Identifier: MIT */
/* The tables of an account, filled from its ledger, and the functions that read them. */
#include "api/api.h"

#include "report/report.h"

/* ---- places in the model file ----------------------------------------------------------------------------------- */

typedef struct place {
    const char *equation, *file;
    int line;
} place;

/* The text of a place; an equation that goes over several lines becomes one. */
static const char *equation_at(reckon_account *a, rk_span span)
{
    char *text = rk_alloc(&a->arena, (size_t)span.n + 1), *end = text;
    bool gap = false;

    for (uint32_t i = 0; text && i < span.n; i++) {
        char c = span.source->text[span.at + i];

        gap |= c == ' ' || c == '\n' || c == '\r';
        if (c == ' ' || c == '\n' || c == '\r')
            continue;
        if (gap && end > text)
            *end++ = ' ';
        *end++ = c;
        gap = false;
    }
    return text;
}

static place place_of(reckon_account *a, rk_span span)
{
    place p = {"", "", 0};
    int column = 0;

    if (!span.source)
        return p;
    rk_span_place(span, &p.line, &column);
    p.equation = equation_at(a, span);
    p.file = span.source->name;
    return p;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

/* A number may change where the account has the symbol itself, everywhere, and nothing was decided by its number. */
static int may_change(const rk_symbol *s, rk_ex definition)
{
    return s->kind == RK_SYMBOL_RUN && definition == RK_EX_FAILED && !s->fixed;
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

static const reckon_figure *const *shape_of(reckon_account *a, const rk_weight *w)
{
    const reckon_figure **shape = RK_NEW_ARRAY(&a->arena, w->n_dim, const reckon_figure *);

    for (size_t i = 0; shape && i < w->n_dim; i++)
        shape[i] = rk_api_figure(a, w->dim[i]);
    return shape;
}

static void put_weight(reckon_account *a, const rk_weight_row *row)
{
    const rk_program *p = &a->model->program;
    const rk_weight *w = &p->weight[row->weight];
    place at = place_of(a, w->span);
    reckon_weight *out = &a->weight[a->n_weight++];

    *out = (reckon_weight){
        .pattern = row->pattern,
        .part = row->path,
        .shape = shape_of(a, w),
        .n_shape = w->n_dim,
        .count = rk_api_figure(a, row->count),
        .active = rk_api_figure(a, row->active),
        .times = rk_api_figure(a, row->times),
        .tied_to = w->tied_to == RK_NONE ? NULL : p->weight[w->tied_to].pattern,
        .is_frozen = w->frozen,
        .is_unused = w->unused,
        .is_buffer = w->buffer,
        .equation = at.equation,
        .file = at.file,
        .line = at.line,
    };
    a->row_of[row->weight] = out;
}

static void fill_weights(reckon_account *a)
{
    const rk_ledger *l = a->ledger;

    a->weight = RK_NEW_ARRAY(&a->arena, l->n_weight + l->n_buffer, reckon_weight);
    a->row_of = RK_NEW_ARRAY(&a->arena, a->model->program.n_weight, const reckon_weight *);
    if (!a->weight || !a->row_of)
        return;
    for (size_t i = 0; i < l->n_weight; i++)
        put_weight(a, &l->weight[i]);
    for (size_t i = 0; i < l->n_buffer; i++)
        put_weight(a, &l->buffer[i]);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_api_books(reckon_account *a, rk_err *err)
{
    const rk_model *m = a->model;
    const rk_ledger *l = a->ledger;
    int code;

    a->total[RECKON_STORED] = rk_api_figure(a, l->stored);
    a->total[RECKON_NAMED] = rk_api_figure(a, l->named);
    a->total[RECKON_ACTIVE] = rk_api_figure(a, l->active);
    a->total[RECKON_FORWARD] = rk_api_figure(a, l->forward);
    a->total[RECKON_BACKWARD] = rk_api_figure(a, l->backward);
    a->total[RECKON_STEP] = rk_api_figure(a, rk_ex_add(a->instance->pool, l->forward, l->backward));
    a->symbol = RK_NEW_ARRAY(&a->arena, m->n_symbol, reckon_symbol);
    for (size_t i = 0; a->symbol && i < m->n_symbol; i++)
        if (m->symbol[i].kind != RK_SYMBOL_LOOP) {
            const rk_symbol *s = &m->symbol[i];
            rk_ex definition = rk_sym_definition(a->instance->pool, s->sym);

            a->symbol[a->n_symbol++] = (reckon_symbol){
                .name = s->name,
                .meaning = s->text,
                .key = s->key,
                .kind = s->kind == RK_SYMBOL_RUN ? RECKON_SYMBOL_RUN : RECKON_SYMBOL_MODEL,
                .known = s->known,
                .value = s->known ? (uint64_t)a->instance->value[s->sym] : 0,
                .was_set = s->set,
                .may_change = may_change(s, definition),
                .definition = definition == RK_EX_FAILED ? NULL : rk_api_figure(a, definition),
            };
        }
    fill_weights(a);
    a->operation = RK_NEW_ARRAY(&a->arena, l->n_op, reckon_operation);
    for (size_t i = 0; a->operation && a->row_of && i < l->n_op; i++) {
        const rk_ledger_op *row = &l->op[i];
        const rk_op *op = &a->model->program.op[row->op];
        place at = place_of(a, op->span);

        a->operation[a->n_operation++] = (reckon_operation){
            .path = row->path,
            .kind = rk_report_op(&a->arena, op->row),
            .times = rk_api_figure(a, row->times),
            .forward = rk_api_figure(a, row->forward),
            .backward = rk_api_figure(a, row->backward),
            .step = rk_api_figure(a, rk_ex_add(a->instance->pool, row->forward, row->backward)),
            .weight = row->weight == RK_NONE ? NULL : a->row_of[row->weight],
            .equation = at.equation,
            .file = at.file,
            .line = at.line,
        };
    }
    code = a->arena.failed ? rk_fail_memory(err) : rk_api_parts(a, err);
    return code == RK_OK ? rk_pool_check(a->instance->pool, err) : code;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

const char *reckon_model_name(const reckon_account *account)
{
    return account ? account->model->name : NULL;
}

const char *reckon_model_family(const reckon_account *account)
{
    return account ? account->model->family : NULL;
}

const char *reckon_model_about(const reckon_account *account)
{
    if (!account)
        return NULL;
    return account->model->text ? account->model->text : "";
}

size_t reckon_symbol_count(const reckon_account *account)
{
    return account ? account->n_symbol : 0;
}

const reckon_symbol *reckon_symbol_at(const reckon_account *account, size_t i)
{
    return i < reckon_symbol_count(account) ? &account->symbol[i] : NULL;
}

size_t reckon_weight_count(const reckon_account *account)
{
    return account ? account->n_weight : 0;
}

const reckon_weight *reckon_weight_at(const reckon_account *account, size_t i)
{
    return i < reckon_weight_count(account) ? &account->weight[i] : NULL;
}

size_t reckon_operation_count(const reckon_account *account)
{
    return account ? account->n_operation : 0;
}

const reckon_operation *reckon_operation_at(const reckon_account *account, size_t i)
{
    return i < reckon_operation_count(account) ? &account->operation[i] : NULL;
}

size_t reckon_part_count(const reckon_account *account)
{
    return account ? account->n_part : 0;
}

const reckon_part *reckon_part_at(const reckon_account *account, size_t i)
{
    return i < reckon_part_count(account) ? &account->part[i] : NULL;
}
