/* SPDX-License-Identifier: MIT */
/* What `reckon sweep` shows people: a table with a chart below it, or a picture. */
#include "report/sweep.h"

#include "report/assumptions.h"
#include "report/reading.h"
#include "report/view.h"

#include <math.h>

#define POINTS_ACROSS 6
#define CHART_POINTS_MAX 4096 /* more places than any picture has dots */

static const rk_i128 *numbers_of(const rk_swept *s, size_t point)
{
    return &s->number[point * s->n_range];
}

static const rk_reading *readings_of(const rk_swept *s, size_t point)
{
    return &s->reading[point * s->n_measure];
}

static const rk_measure *whole_of(const rk_swept *s)
{
    return &s->measure[s->n_measure - 1];
}

/* Pieces that add up to the whole, so that each is a share of it. */
static bool has_shares(const rk_swept *s)
{
    return s->by != RK_BY_NOTHING && !rk_measure_is_memory(whole_of(s));
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* "forward FLOPs", or a name that says more than that: "flops:ffn/flops" */
static const char *title_of(const rk_measure *m)
{
    return m->under.row || m->over.parts ? m->name : m->over.row->title;
}

/* The symbols of the run that stay as they are; what follows from others need not. */
static void put_stays(const rk_model *m, const rk_swept *s, rk_str *text)
{
    char number[RK_NUM_TEXT_MAX];

    for (size_t i = 0; i < m->n_symbol; i++) {
        const rk_symbol *symbol = &m->symbol[i];

        if (rk_swept_stays(s, m, symbol))
            rk_str_format(text, "%s%s = %s%s%s", text->n ? ", " : "", symbol->name,
                          rk_num_grouped(number, symbol->value), symbol->text ? " " : "",
                          symbol->text ? symbol->text : "");
    }
}

/* What a column shows of a measure. */
typedef enum shows {
    SHOWS_EXACT,
    SHOWS_BRIEF,
    SHOWS_SHARE, /* of the whole */
    SHOWS_GROWTH /* × the first point */
} shows;

typedef struct columns {
    rk_field column[RK_PAGE_COLUMNS_MAX];
    size_t measure[RK_PAGE_COLUMNS_MAX];
    shows shows[RK_PAGE_COLUMNS_MAX];
    size_t n;
    bool too_many;
} columns;

static void add_column(columns *c, const char *head, size_t measure, shows what, int drop)
{
    if (c->n == RK_PAGE_COLUMNS_MAX) {
        c->too_many = true;
        return;
    }
    c->column[c->n] = (rk_field){.head = head, .right = true, .drop = drop};
    c->measure[c->n] = measure;
    c->shows[c->n++] = what;
}

static rk_cell measured(rk_view *v, const rk_swept *s, const columns *c, size_t column, size_t point)
{
    size_t i = c->measure[column];
    const rk_measure *m = &s->measure[i];
    const rk_reading *r = readings_of(s, point);
    rk_i128 first = readings_of(s, 0)[i].over;
    rk_str text = {0}, brief = {0};
    double times;
    rk_cell cell;

    switch (c->shows[column]) {
    case SHOWS_EXACT:
        rk_reading_put(&text, m, &r[i]);
        rk_reading_put_brief(&brief, m, &r[i], rk_view_unit(v));
        break;
    case SHOWS_BRIEF:
        rk_reading_put_brief(&text, m, &r[i], rk_view_unit(v));
        break;
    case SHOWS_SHARE:
        rk_reading_put_share(&text, r[i].over, r[s->n_measure - 1].over);
        break;
    case SHOWS_GROWTH:
        times = first == 0 ? NAN : (double)((long double)r[i].over / (long double)first);
        if (isnan(times))
            rk_str_put(&text, "–");
        else /* what would be rounded to nothing is no nothing */
            rk_str_format(&text, times > 0 && times < 0.005 ? "×%.2g" : "×%.2f", times);
        break;
    }
    cell = (rk_cell){
        .kind = RK_CELL_TEXT, .text = rk_view_keep(v, &text), .brief = brief.n ? rk_view_keep(v, &brief) : NULL};
    if (c->shows[column] == SHOWS_EXACT)
        rk_reading_round(v, m, &r[i], &cell);
    return cell;
}

static void put_across(rk_view *v, const rk_swept *s)
{
    rk_field column[1 + POINTS_ACROSS] = {{.head = ""}};
    columns each = {.shows = {SHOWS_EXACT}};
    rk_table *t;

    for (size_t p = 0; p < s->n_point; p++)
        column[p + 1] = (rk_field){
            .right = true,
            .head = rk_view_format(v, "%s = %s", s->range[0].symbol, rk_view_grouped(v, numbers_of(s, p)[0]))};
    t = rk_view_table(v, column, s->n_point + 1);
    for (size_t i = 0; i < s->n_measure; i++) {
        bool is_whole = i + 1 == s->n_measure;
        rk_cell *cell = rk_page_row(&v->page, t, is_whole ? RK_ROW_TOTAL : RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(s->measure[i].name);
        each.measure[0] = i;
        each.shows[0] = is_whole ? SHOWS_EXACT : has_shares(s) ? SHOWS_SHARE : SHOWS_BRIEF;
        for (size_t p = 0; p < s->n_point; p++)
            cell[p + 1] = measured(v, s, &each, 0, p);
    }
}

void rk_view_put_swept(rk_view *v, const rk_swept *s)
{
    size_t whole = s->n_measure - 1;
    columns c = {0};
    rk_table *t;

    /* Where there are many pieces and few points, pieces go down and points across. */
    if (s->by != RK_BY_NOTHING && s->n_range == 1 && s->n_measure > 6 && s->n_point <= POINTS_ACROSS) {
        put_across(v, s);
        return;
    }
    for (size_t i = 0; i < s->n_range; i++)
        add_column(&c, s->range[i].symbol, 0, SHOWS_EXACT, 0);
    for (size_t i = 0; i < s->n_measure && s->by == RK_BY_NOTHING; i++) {
        rk_unit unit = s->measure[i].unit;

        add_column(&c, s->measure[i].name, i, SHOWS_EXACT, 0);
        if (unit == RK_UNIT_BYTE || unit == RK_UNIT_FLOP)
            add_column(&c, "", i, SHOWS_BRIEF, 2);
        if (s->n_measure == 1 && unit != RK_UNIT_RATIO)
            add_column(&c, "growth", i, SHOWS_GROWTH, 1);
    }
    if (s->by != RK_BY_NOTHING) {
        add_column(&c, s->measure[whole].name, whole, SHOWS_EXACT, 0);
        add_column(&c, "growth", whole, SHOWS_GROWTH, 1);
        for (size_t i = 0; i < whole; i++)
            add_column(&c, s->measure[i].name, i, has_shares(s) ? SHOWS_SHARE : SHOWS_BRIEF, 0);
    }
    if (c.too_many) {
        v->page.too_wide = rk_view_format(
            v, "a page has no room for %zu quantities: use --format csv or svg, or --by part", s->n_measure);
        return;
    }
    t = rk_view_table(v, c.column, c.n);
    for (size_t p = 0; p < s->n_point && v->code == RK_OK; p++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        for (size_t i = 0; i < s->n_range; i++)
            cell[i] = rk_cell_count(numbers_of(s, p)[i]);
        for (size_t i = s->n_range; i < c.n; i++)
            cell[i] = measured(v, s, &c, i, p);
    }
}

/* ---- the chart -------------------------------------------------------------------------------------------------- */

static rk_unit_kind unit_kind(const rk_measure *m)
{
    switch (m->unit) {
    case RK_UNIT_BYTE:
        return RK_UNIT_SCALED;
    case RK_UNIT_RATIO:
        return RK_UNIT_SHARE;
    case RK_UNIT_PER:
        return RK_UNIT_PLAIN;
    default:
        return RK_UNIT_SCALED;
    }
}

/* "S (tokens of a sequence)" */
static const char *axis_name(rk_view *v, const char *symbol)
{
    const rk_symbol *s = rk_model_symbol(v->model, symbol);

    return s && s->text ? rk_view_format(v, "%s (%s)", symbol, s->text) : symbol;
}

/* One symbol: a line for each quantity, or pieces on top of each other. */
static void plot_lines(rk_view *v, const rk_swept *s, rk_chart *c, rk_i128 *x)
{
    size_t n = s->n_measure - has_shares(s);
    rk_chart_series *series = RK_NEW_ARRAY(&v->arena, n + 1, rk_chart_series);

    for (size_t i = 0; series && i < n; i++) {
        double *y = RK_NEW_ARRAY(&v->arena, s->n_point, double);

        for (size_t p = 0; y && p < s->n_point; p++)
            y[p] = rk_reading_value(&readings_of(s, p)[i]);
        series[i] = (rk_chart_series){.name = s->measure[i].name, .y = y};
    }
    for (size_t p = 0; p < s->n_point; p++)
        x[p] = numbers_of(s, p)[0];
    c->series = series;
    c->n_series = n;
    c->kind = has_shares(s) ? RK_CHART_AREAS : RK_CHART_LINES;
    c->normalise = has_shares(s);
    c->n_x = s->n_point;
}

/* Two symbols: the last one across, the first one down. */
static void plot_grid(rk_view *v, const rk_swept *s, rk_chart *c, rk_i128 *x)
{
    size_t across = (size_t)s->range[1].n, down = (size_t)s->range[0].n;
    rk_chart_series *series = RK_NEW_ARRAY(&v->arena, down, rk_chart_series);

    for (size_t k = 0; series && k < down; k++) {
        double *y = RK_NEW_ARRAY(&v->arena, across, double);

        for (size_t i = 0; y && i < across; i++)
            y[i] = rk_reading_value(&readings_of(s, k * across + i)[0]);
        series[k] = (rk_chart_series){
            .name = rk_view_format(v, "%s = %s", s->range[0].symbol, rk_view_grouped(v, numbers_of(s, k * across)[0])),
            .y = y};
    }
    for (size_t i = 0; i < across; i++)
        x[i] = numbers_of(s, i)[1];
    c->series = series;
    c->n_series = down;
    c->n_x = across;
    c->kind = RK_CHART_GRID;
    c->series_label = axis_name(v, s->range[0].symbol);
}

/* Why there is no picture of it; NULL: there is one. */
static const char *no_picture(rk_view *v, const rk_swept *s)
{
    bool one_unit = true;

    for (size_t i = 1; i < s->n_measure; i++)
        one_unit &= s->measure[i].unit == s->measure[0].unit;
    if (s->n_point < 2)
        return "a picture needs two points at least: S=1K..64K:x2";
    if (s->n_point > CHART_POINTS_MAX)
        return rk_view_format(v, "%s points are more than a picture can show: %s are the most",
                              rk_view_grouped(v, (rk_i128)s->n_point), rk_view_grouped(v, CHART_POINTS_MAX));
    if (one_unit && (s->n_range == 1 || (s->n_range == 2 && s->n_measure == 1)))
        return NULL;
    return "a picture shows quantities of one unit over one symbol, or one quantity over two symbols";
}

static const char *unit_name(const rk_view *v, const rk_measure *m, bool several)
{
    static const char *const name[][2] = {{"FLOP", "FLOPs"}, {"MAC", "MACs"}, {"B", "bytes"}};

    if (m->unit == RK_UNIT_FLOP)
        return name[v->ledger->convention.mac][several];
    return m->unit == RK_UNIT_BYTE ? name[2][several] : NULL;
}

void rk_view_put_swept_picture(rk_view *v, const rk_swept *s, bool in_text)
{
    const rk_measure *m = whole_of(s);
    rk_i128 *x = RK_NEW_ARRAY(&v->arena, s->n_point + 1, rk_i128);
    rk_chart chart, text;
    rk_str stays = {0};

    v->page.no_picture = no_picture(v, s);
    if (!x || v->code != RK_OK || v->page.no_picture)
        return;
    put_stays(v->model, s, &stays);
    chart = (rk_chart){
        .title = v->model->name,
        .subtitle = stays.n ? rk_view_keep(v, &stays) : NULL,
        .x_label = axis_name(v, s->range[s->n_range - 1].symbol),
        .x = x,
        .unit = unit_kind(m),
        .unit_name = unit_name(v, m, false),
        .units = unit_name(v, m, true),
        .y_label = s->n_measure == 1 || s->by != RK_BY_NOTHING ? title_of(m) : NULL,
    };
    (s->n_range == 2 ? plot_grid : plot_lines)(v, s, &chart, x);
    text = chart;
    text.title = text.subtitle = NULL; /* the page has them */
    if (text.kind == RK_CHART_AREAS)
        text.x_label = s->range[0].symbol; /* it heads a column of numbers */
    if (!v->arena.failed)
        rk_page_chart(&v->page, &chart, in_text ? &text : NULL);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* Lengths beyond the context, of those that vary or of the one that stays. */
static void put_beyond(rk_view *v, const rk_swept *s)
{
    const rk_symbol *length = rk_model_size(v->model, RK_SIZE_TOKENS);
    rk_i128 context = length ? length->context : 0;

    for (size_t i = 0; i < s->n_range && context > 0; i++) {
        rk_symbol_role role = rk_run_role(s->range[i].symbol);
        rk_i128 most = 0, n = 0;

        if (role != RK_SIZE_TOKENS && role != RK_SIZE_KEYS)
            continue;
        for (size_t k = 0; k < s->range[i].n_stretch; k++) {
            rk_i128 last = rk_range_at(&s->range[i], (n += s->range[i].stretch[k].n) - 1);

            most = last > most ? last : most;
        }
        if (most > context)
            rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s > %s is beyond the context that the config gives.",
                        s->range[i].symbol, rk_view_grouped(v, context));
        return;
    }
    rk_view_put_beyond(v);
}

static void put_page(rk_view *v, const rk_swept *s)
{
    const rk_measure *m = whole_of(s);
    rk_str over = {0}, stays = {0};

    for (size_t i = 0; i < s->n_range; i++)
        rk_str_format(&over, "%s%s", i ? " and " : "", s->range[i].symbol);
    if (s->n_measure == 1 || s->by != RK_BY_NOTHING)
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s over %s", v->model->name, title_of(m), rk_view_keep(v, &over));
    else
        rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s over %s", v->model->name, rk_view_keep(v, &over));
    for (size_t i = s->by == RK_BY_NOTHING ? 0 : s->n_measure - 1; i < s->n_measure; i++) {
        const rk_measure_term *t = &s->measure[i].over;

        if (!s->measure[i].under.row && !t->parts)
            rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s: %s%s", s->measure[i].name, t->row->text,
                        rk_measure_aside(t, s->step));
    }
    put_stays(v->model, s, &stays);
    if (stays.n)
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "%s", rk_view_keep(v, &stays));
    put_beyond(v, s);
    if (s->step)
        rk_view_put_assumptions(v, s->step);
    rk_page_gap(&v->page);
    rk_view_put_swept_picture(v, s, true);
    rk_view_put_swept(v, s);
}

int rk_report_sweep(const rk_report *r, const rk_ledger *l, const rk_sweep *sweep, rk_swept *s, rk_err *err)
{
    rk_sweep_rows rows = {.sweep = sweep, .swept = s};
    rk_view v;

    rk_view_begin(&v, r, l, err);
    rk_sweep_put_answer(&v, &rows);
    /* Writers of rows get them as they are made; the others need them all. */
    if (!rk_writers[r->format].row) {
        v.code = rk_sweep_keep_rows(&v, &rows);
        if (v.code == RK_OK)
            put_page(&v, s);
    }
    return rk_view_end(&v);
}
