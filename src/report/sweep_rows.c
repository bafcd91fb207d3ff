/* SPDX-License-Identifier: MIT */
/* A sweep for programs: its keys, and its rows, made by threads while they are written. */
#include "report/answers.h"
#include "report/reading.h"
#include "report/sweep.h"

#include <string.h>

#define RATIO_DIGITS 12

bool rk_swept_stays(const rk_swept *s, const rk_model *m, const rk_symbol *symbol)
{
    for (size_t i = 0; i < s->n_range; i++)
        if (strcmp(s->range[i].symbol, symbol->name) == 0)
            return false;
    return symbol->kind == RK_SYMBOL_RUN && symbol->known && rk_sym_definition(m->pool, symbol->sym) == RK_EX_FAILED;
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const rk_field quantity_field[] = {
    RK_KEY("name", TEXT, "the quantity, and its key in a row"),
    RK_KEY("unit", TEXT, "count, FLOP, MAC, byte, ratio (of one unit), per (of two)"),
};
static const rk_fields quantity_fields = {quantity_field, 2};

static const rk_field row_field[] = {RK_KEY("*", COUNT, "of a symbol, or of a quantity")};
static const rk_fields row_fields = {row_field, 1};

#define ANSWER_FIELDS(X)                                                                                               \
    X(MODEL, RK_KEY("model", TEXT, "the model's name"))                                                                \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "symbols of the run that are the same at all points"))          \
    X(OVER, RK_KEY("over", TEXTS, "symbols that vary, the last one fastest"))                                          \
    X(QUANTITIES, RK_LIST("quantities", quantity_fields, "what is read"))                                              \
    X(ROWS, RK_LIST("rows", row_fields, "the points, one by one"))
RK_FIELD_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_sweep = {answer_field, N_ANSWER};

static void put_symbols(rk_view *v, const rk_swept *s, rk_cell *in)
{
    const char **key = RK_NEW_ARRAY(&v->arena, v->model->n_symbol + 1, const char *);
    rk_cell *cell = RK_NEW_ARRAY(&v->arena, v->model->n_symbol + 1, rk_cell);

    for (size_t i = 0; key && cell && i < v->model->n_symbol; i++) {
        key[i] = v->model->symbol[i].name;
        if (rk_swept_stays(s, v->model, &v->model->symbol[i]))
            cell[i] = rk_cell_count(v->model->symbol[i].value);
    }
    if (key && cell)
        rk_cell_names(&v->page, in, key, cell, v->model->n_symbol);
}

static int stream_rows(void *self, const rk_stream *to, rk_err *err);

/* A table whose keys are names of this sweep, as many as there are. */
static void put_rows(rk_view *v, rk_sweep_rows *rows, rk_cell *in)
{
    const rk_swept *s = rows->swept;
    rk_field *field = RK_NEW_ARRAY(&v->arena, s->n_range + s->n_measure, rk_field);
    rk_table *t = RK_NEW(&v->arena, rk_table);

    if (!field || !t)
        return;
    for (size_t i = 0; i < s->n_range; i++)
        field[i].key = s->range[i].symbol;
    for (size_t i = 0; i < s->n_measure; i++)
        field[s->n_range + i].key = s->measure[i].name;
    *t = (rk_table){.column = field, .n_column = s->n_range + s->n_measure, .stream = stream_rows, .self = rows};
    *in = (rk_cell){.kind = RK_CELL_LIST, .table = t};
    rk_page_show(&v->page, t);
    rk_page_only(&v->page, RK_FOR_PROGRAMS);
}

void rk_sweep_put_answer(rk_view *v, rk_sweep_rows *rows)
{
    static const char *const unit_word[] = {"count", "FLOP", "byte", "ratio", "per"};
    const rk_swept *s = rows->swept;
    const char **over = RK_NEW_ARRAY(&v->arena, s->n_range, const char *);
    rk_cell *answer = rk_page_answer(&v->page, &rk_answer_sweep);
    rk_table *t = rk_cell_list(&v->page, &answer[QUANTITIES], &quantity_fields);

    answer[MODEL] = rk_cell_name(v->model->name);
    put_symbols(v, s, &answer[SYMBOLS]);
    for (size_t i = 0; over && i < s->n_range; i++)
        over[i] = s->range[i].symbol;
    answer[OVER] = rk_cell_texts(over, s->n_range);
    for (size_t i = 0; i < s->n_measure; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        bool mac = v->ledger->convention.mac && s->measure[i].unit == RK_UNIT_FLOP;

        cell[0] = rk_cell_name(s->measure[i].name);
        cell[1] = rk_cell_name(mac ? "MAC" : unit_word[s->measure[i].unit]);
    }
    put_rows(v, rows, &answer[ROWS]);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Of a number a writer looks at nothing else; a million rows are not cleared for nothing. */
static void put_count(rk_cell *cell, rk_i128 n)
{
    cell->kind = RK_CELL_COUNT;
    cell->number = n;
}

void rk_sweep_format_row(void *self, const rk_i128 *number, const rk_reading *reading, rk_str *out)
{
    const rk_sweep_rows *rows = self;
    const rk_swept *s = rows->swept;
    rk_cell few[RK_PAGE_COLUMNS_MAX], *cell = few;
    size_t n = s->n_range + s->n_measure;
    rk_arena arena = {0};

    if (n > RK_PAGE_COLUMNS_MAX)
        cell = RK_NEW_ARRAY(&arena, n, rk_cell);
    for (size_t i = 0; cell && i < s->n_range; i++)
        put_count(&cell[i], number[i]);
    for (size_t i = 0; cell && i < s->n_measure; i++) {
        const rk_reading *r = &reading[i];
        rk_cell *at = &cell[s->n_range + i];

        if (!s->measure[i].under.row)
            put_count(at, r->over);
        else
            *at = r->under == 0 ? rk_cell_null() : rk_cell_real(rk_reading_value(r), RATIO_DIGITS);
    }
    if (cell)
        rows->to->row(rows->to->table, cell, out);
    out->failed |= !cell;
    rk_arena_free(&arena);
}

static int put_text(void *self, const char *text, size_t n, rk_err *err)
{
    const rk_stream *to = ((rk_sweep_rows *)self)->to;

    return to->put(to->self, text, n, err);
}

static int keep_row(void *self, const rk_i128 *number, const rk_reading *reading, rk_err *err)
{
    rk_swept *s = ((rk_sweep_rows *)self)->swept;

    (void)err;
    memcpy(&s->number[s->n_point * s->n_range], number, s->n_range * sizeof *number);
    memcpy(&s->reading[s->n_point * s->n_measure], reading, s->n_measure * sizeof *reading);
    s->n_point++;
    return RK_OK;
}

static int run(rk_sweep_rows *rows, rk_err *err)
{
    rk_sweep sweep = *rows->sweep;

    sweep.sink = (rk_sweep_sink){.self = rows};
    if (rows->to) {
        sweep.sink.format = rk_sweep_format_row;
        sweep.sink.put = put_text;
    } else {
        sweep.sink.row = keep_row;
    }
    return rk_sweep_run(&sweep, err);
}

static int stream_rows(void *self, const rk_stream *to, rk_err *err)
{
    rk_sweep_rows *rows = self;

    rows->to = to;
    return run(rows, err);
}

int rk_swept_divide(rk_arena *a, const rk_ledger *l, rk_swept *s, rk_by by, rk_err *err)
{
    rk_measure *piece = NULL, *all;
    size_t n = 0;
    int code = rk_measure_pieces(a, l, s->measure, by, &piece, &n, err);

    if (code != RK_OK)
        return code;
    all = RK_NEW_ARRAY(a, n + 1, rk_measure);
    if (!all)
        return rk_fail_memory(err);
    memcpy(all, piece, n * sizeof *all);
    all[n] = *s->measure;
    s->measure = all;
    s->n_measure = n + 1;
    s->by = by;
    return RK_OK;
}

int rk_sweep_keep_rows(rk_view *v, rk_sweep_rows *rows)
{
    rk_swept *s = rows->swept;
    rk_i128 points = 0;
    int code = rk_sweep_points(s->range, s->n_range, &points, v->err);

    if (code != RK_OK)
        return code;
    if (points > RK_SWEPT_POINTS_MAX)
        return rk_fail(
            v->err, RK_ELIMIT,
            "this grid has %s points, and a page shows at most %s: take steps (S=1K..128K:x2), or --format csv",
            rk_view_grouped(v, points), rk_view_grouped(v, RK_SWEPT_POINTS_MAX));
    s->number = RK_NEW_ARRAY(&v->arena, (size_t)points * s->n_range, rk_i128);
    s->reading = RK_NEW_ARRAY(&v->arena, (size_t)points * s->n_measure, rk_reading);
    return s->number && s->reading ? run(rows, v->err) : rk_fail_memory(v->err);
}
