/* SPDX-License-Identifier: MIT */
/* A sweep for programs, row by row: CSV and JSON. */
#include "report/json.h"
#include "report/reading.h"
#include "report/sweep.h"

#include <string.h>

bool rk_swept_stays(const rk_swept *s, const rk_model *m, const rk_symbol *symbol)
{
    for (size_t i = 0; i < s->n_range; i++)
        if (strcmp(s->range[i].symbol, symbol->name) == 0)
            return false;
    return symbol->kind == RK_SYMBOL_RUN && symbol->known && rk_sym_definition(m->pool, symbol->sym) == RK_EX_FAILED;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static const char *const unit_word[] = {"count", "FLOP", "byte", "ratio", "per"};

/* The rows are a list that is open when this ends; each row begins with its own line. */
static void put_json_head(const rk_ledger *l, const rk_swept *s, rk_str *out)
{
    rk_json j = {.out = out};

    rk_json_open(&j, NULL, '{');
    rk_json_text(&j, "model", l->model->name);
    rk_json_row(&j, "symbols");
    for (size_t i = 0; i < l->model->n_symbol; i++)
        if (rk_swept_stays(s, l->model, &l->model->symbol[i]))
            rk_json_count(&j, l->model->symbol[i].name, l->model->symbol[i].value);
    rk_json_close(&j);
    rk_json_list(&j, "over");
    for (size_t i = 0; i < s->n_range; i++)
        rk_json_text(&j, NULL, s->range[i].symbol);
    rk_json_close(&j);
    rk_json_open(&j, "quantities", '[');
    for (size_t i = 0; i < s->n_measure; i++) {
        rk_json_row(&j, NULL);
        rk_json_text(&j, "name", s->measure[i].name);
        rk_json_text(&j, "unit",
                     l->convention.mac && s->measure[i].unit == RK_UNIT_FLOP ? "MAC" : unit_word[s->measure[i].unit]);
        rk_json_close(&j);
    }
    rk_json_close(&j);
    rk_str_put(out, ",\n  \"rows\": [");
}

static void put_json_row(const rk_swept *s, const rk_i128 *number, const rk_reading *reading, rk_str *out)
{
    char text[RK_NUM_TEXT_MAX];

    rk_str_put(out, ",\n    {");
    for (size_t i = 0; i < s->n_range; i++)
        rk_str_format(out, "%s\"%s\": %s", i ? ", " : "", s->range[i].symbol, rk_num_text(text, number[i]));
    for (size_t i = 0; i < s->n_measure; i++) {
        rk_str_put(out, ", ");
        rk_json_string(out, s->measure[i].name);
        rk_str_put(out, ": ");
        if (s->measure[i].under.row && reading[i].under == 0)
            rk_str_put(out, "null");
        rk_reading_put_plain(out, &s->measure[i], &reading[i]);
    }
    rk_str_put(out, "}");
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

void rk_sweep_put_head(const rk_ledger *l, const rk_swept *s, rk_format format, rk_str *out)
{
    if (format == RK_FORMAT_CSV) { /* paths and names of quantities have no comma, quote or line break in them */
        for (size_t i = 0; i < s->n_range; i++)
            rk_str_format(out, "%s%s", i ? "," : "", s->range[i].symbol);
        for (size_t i = 0; i < s->n_measure; i++)
            rk_str_format(out, ",%s", s->measure[i].name);
        rk_str_put(out, "\n");
    } else {
        put_json_head(l, s, out);
    }
}

void rk_sweep_put_row(const rk_swept *s, rk_format format, const rk_i128 *number, const rk_reading *reading,
                      rk_str *out)
{
    if (format == RK_FORMAT_CSV) {
        char text[RK_NUM_TEXT_MAX];

        for (size_t i = 0; i < s->n_range; i++) {
            rk_str_put(out, i ? "," : "");
            rk_str_put(out, rk_num_text(text, number[i]));
        }
        for (size_t i = 0; i < s->n_measure; i++) {
            rk_str_put(out, ",");
            rk_reading_put_plain(out, &s->measure[i], &reading[i]);
        }
        rk_str_put(out, "\n");
    } else {
        put_json_row(s, number, reading, out);
    }
}

void rk_sweep_put_foot(rk_format format, rk_str *out)
{
    if (format == RK_FORMAT_JSON)
        rk_str_put(out, "\n  ]\n}\n");
}
