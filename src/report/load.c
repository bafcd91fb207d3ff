/* SPDX-License-Identifier: MIT */
/* The bytes of a model's weights, in the number formats in which they are usually stored. */
#include "report/view.h"

#include "report/figure.h"

enum {
    N_NUMBER_FORMAT = 4
};

static const int bits[N_NUMBER_FORMAT] = {32, 16, 8, 4};

rk_i128 rk_view_load_bytes(rk_view *v, int each)
{
    rk_acc acc = {0};
    rk_i128 n = 0, all;

    if (!rk_view_known(v, v->ledger->stored, &n))
        return 0;
    all = rk_ceil_div(&acc, rk_mul(&acc, n, each), 8);
    if (acc.overflow && v->code == RK_OK)
        v->code = rk_fail(v->err, RK_EOVERFLOW, "the bytes of the parameters exceed 128 bits");
    return all;
}

static void put_exact(rk_str *s, rk_i128 n, const char *unit)
{
    (void)unit;
    rk_str_grouped(s, n);
}

static void put_row(rk_view *v, rk_table *t, const char *name, void (*put)(rk_str *, rk_i128, const char *))
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&v->page, "%s", name);
    for (size_t i = 0; i < N_NUMBER_FORMAT; i++) {
        rk_str s = {0};

        put(&s, rk_view_load_bytes(v, bits[i]), "B");
        cell[1 + i] = rk_cell_text(&v->page, "%s", rk_view_keep(v, &s));
    }
}

/* In decimal and in binary units: the two are confused so often that both are shown. */
void rk_view_put_load(rk_view *v)
{
    static const rk_field column[] = {{.head = "weights in memory"},
                                      {.head = "fp32", .right = true, .drop = 2},
                                      {.head = "bf16", .right = true},
                                      {.head = "int8", .right = true, .drop = 3},
                                      {.head = "int4", .right = true, .drop = 1}};
    rk_i128 n = 0;
    rk_table *t;

    if (!rk_view_known(v, v->ledger->stored, &n))
        return;
    t = rk_page_table(&v->page, column, 1 + N_NUMBER_FORMAT);
    put_row(v, t, "in bytes", put_exact);
    put_row(v, t, "in decimal units", rk_str_scaled);
    put_row(v, t, "in binary units", rk_str_binary);
}

static const rk_field load_field[N_NUMBER_FORMAT] = {
    RK_KEY("fp32", COUNT, "in numbers of 32 bits"),
    RK_KEY("bf16", COUNT, "of 16"),
    RK_KEY("int8", COUNT, "of 8"),
    RK_KEY("int4", COUNT, "of 4"),
};
const rk_fields rk_load_fields = {load_field, N_NUMBER_FORMAT};

void rk_view_load(rk_view *v, rk_cell *in)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &rk_load_fields);
    rk_i128 n = 0;
    bool known = rk_view_known(v, v->ledger->stored, &n);

    for (size_t i = 0; i < N_NUMBER_FORMAT; i++)
        cell[i] = rk_cell_count_if(known, rk_view_load_bytes(v, bits[i]));
}
